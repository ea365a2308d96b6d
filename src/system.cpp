#include "context.h"

// [[Rcpp::export(rng = false)]]
int hardware_threads() { return mlsift::hardware_threads(); }

// R's own check for interrupts and time limits, which it signals as conditions.
// [[Rcpp::export(rng = false)]]
void cpp_check_interrupt() {
  Rcpp::unwindProtect(
      [](void*) {
        R_CheckUserInterrupt();
        return R_NilValue;
      },
      nullptr);
}

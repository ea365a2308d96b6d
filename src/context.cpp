#include "context.h"

namespace mlsift_glue {

// Calls a function of R/util-interrupts.R.
static Rcpp::RObject call_r(const char* name) {
  return Rcpp::as<Rcpp::Function>(Rcpp::Environment::namespace_env("mlsift")[name])();
}

bool interrupt_pending() { return Rcpp::as<bool>(call_r("interrupt_pending")); }

void raise_interrupt() {
  call_r("raise_interrupt");
  throw Rcpp::internal::InterruptedException();  // not reached
}

mlsift::Context context(int threads) {
  mlsift::Context result;
  result.threads = threads;
  result.poll = [](double) { return interrupt_pending(); };
  return result;
}

}  // namespace mlsift_glue

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

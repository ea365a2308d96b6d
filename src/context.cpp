#include "context.h"

// Calls a function of R/util-interrupts.R.
static Rcpp::RObject call_r(const char* name) {
  return Rcpp::as<Rcpp::Function>(Rcpp::Environment::namespace_env("mlsift")[name])();
}

void mlsift_glue::raise_interrupt() {
  call_r("raise_interrupt");
  throw Rcpp::internal::InterruptedException();  // not reached
}

template <>
mlsift::Context Rcpp::as(SEXP threads) {
  return {as<int>(threads), [](double) { return as<bool>(call_r("interrupt_pending")); }};
}

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

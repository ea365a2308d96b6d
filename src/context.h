#ifndef MLSIFT_SRC_CONTEXT_H
#define MLSIFT_SRC_CONTEXT_H

#include <Rcpp.h>
#include <mlsift/core/parallel.h>

// The one place where the core's Context meets R: interrupts, time limits and progress.

namespace mlsift_glue {

// A function of R/util-interrupts.R.
inline Rcpp::Function r_function(const char* name) {
  return Rcpp::as<Rcpp::Function>(Rcpp::Environment::namespace_env("mlsift")[name]);
}

// True when the user has asked to stop or a time limit has run out. R keeps which, for raise_interrupt().
inline bool interrupt_pending() { return Rcpp::as<bool>(r_function("interrupt_pending")()); }

// `threads` comes from resolve_threads(): > 0 as asked, < 0 at most that many, chosen from the work.
inline mlsift::Context context(int threads) {
  mlsift::Context result;
  result.threads = threads;
  result.poll = [](double) { return interrupt_pending(); };
  return result;
}

// Runs a computation; once every thread has stopped, an interrupt or time limit is passed on to the caller.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const mlsift::Interrupted&) {
    r_function("raise_interrupt")();
    throw Rcpp::internal::InterruptedException();  // not reached
  }
}

}  // namespace mlsift_glue

#endif

#pragma once

#include <Rcpp.h>
#include <mlsift/core/parallel.h>

// The one place where the core's Context meets R: interrupts, time limits and progress.

namespace mlsift_glue {

// Passes on to the caller what the poll of a Context found, which R keeps.
[[noreturn]] void raise_interrupt();

// Runs a computation; once every thread has stopped, an interrupt or time limit is passed on to the caller.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const mlsift::Interrupted&) {
    raise_interrupt();
  }
}

}  // namespace mlsift_glue

// For parameters of exported functions: threads as resolve_threads() gives them, > 0 as asked, < 0 at most that many,
// chosen from the work. The poll is true when the user has asked to stop or a time limit has run out.
template <>
mlsift::Context Rcpp::as(SEXP threads);

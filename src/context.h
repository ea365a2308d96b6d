#pragma once

#include <Rcpp.h>
#include <mlsift/core/parallel.h>

// The one place where the core's Context meets R: interrupts, time limits and progress.

namespace mlsift_glue {

// True when the user has asked to stop or a time limit has run out. R keeps which, for raise_interrupt().
bool interrupt_pending();

// Passes what interrupt_pending() found on to the caller.
[[noreturn]] void raise_interrupt();

// `threads` comes from resolve_threads(): > 0 as asked, < 0 at most that many, chosen from the work.
mlsift::Context context(int threads);

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

#ifndef MLSIFT_SRC_CONTEXT_H
#define MLSIFT_SRC_CONTEXT_H

#include <Rcpp.h>
#include <mlsift/core/parallel.h>

// The one place where the core's Context meets R: interrupts and progress.

namespace mlsift_glue {

inline void check_interrupt(void*) { R_CheckUserInterrupt(); }

// True when the user has asked to stop. Runs R's check inside a top-level context, so that no longjmp passes our
// frames.
inline bool interrupt_pending() { return R_ToplevelExec(check_interrupt, nullptr) == FALSE; }

// `threads` comes from resolve_threads(): > 0 as asked, < 0 at most that many, chosen from the work.
inline mlsift::Context context(int threads) {
  mlsift::Context result;
  result.threads = threads;
  result.poll = [](double) { return interrupt_pending(); };
  return result;
}

// Runs a computation; an interrupt becomes R's own interrupt once every thread has stopped.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const mlsift::Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  }
}

}  // namespace mlsift_glue

#endif

#ifndef MLSIFT_CORE_PREFETCH_H
#define MLSIFT_CORE_PREFETCH_H

namespace mlsift {

/// Asks for a memory line that will be needed soon, where the compiler knows how. GCC drops calls of functions that do
/// nothing else, so call it where the loop is.
inline void prefetch(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace mlsift

#endif

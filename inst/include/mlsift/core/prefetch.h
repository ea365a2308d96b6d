#pragma once

namespace mlsift {

/// Prefetches a cache line that will be needed soon, if the compiler supports it. GCC drops calls of functions that do
/// nothing else, so call it directly in the loop.
inline void prefetch(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace mlsift

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace mlsift {

/// The seed of a stream of the generator MRG32k3a, from a key: the same key gives the same stream, on any machine and
/// in any order. 64-bit FNV-1a of the key, then six steps of splitmix64, each reduced to the range that the generator
/// requires (1 .. m - 1; m1 = 2^32 - 209 for the first three, m2 = 2^32 - 22853 for the others).
inline std::array<std::uint32_t, 6> stream_seed(const std::string& key) {
  std::uint64_t state = 14695981039346656037ULL;
  for (const char c : key) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::array<std::uint32_t, 6> seed{};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    const std::uint64_t modulus = i < 3 ? 4294967087ULL : 4294944443ULL;
    seed[i] = static_cast<std::uint32_t>(1 + z % (modulus - 1));
  }
  return seed;
}

}  // namespace mlsift

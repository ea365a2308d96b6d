#ifndef MLSIFT_ENGINE_PAIR_INFORMATION_H
#define MLSIFT_ENGINE_PAIR_INFORMATION_H

#include <vector>

#include "column.h"
#include "parallel.h"
#include "xlogx.h"

namespace mlsift {

/// I(f; s) in bits for all pairs of features, with H(f) on the diagonal: d x d, by rows.
inline std::vector<double> pair_information_matrix(const Features& features, const Context& context) {
  struct Levels {
    std::vector<int> count, rows;
    std::vector<std::size_t> start;
    int reference = 0;
  };
  const std::size_t d = features.size(), n = features.n_rows;
  const XLogX g(n, 1);
  std::vector<Levels> levels;
  std::vector<std::uint64_t> cells(d, 0);
  LevelCoder coder(n);
  double stored = 0;
  for (std::size_t f = 0; f < d; ++f) {
    const LevelRows& from = coder.code(features.columns[f]);
    levels.push_back({from.count, std::vector<int>(from.rows, from.rows + from.start.back()), from.start, from.reference});
    for (const int count : from.count) cells[f] += g(count);
    stored += static_cast<double>(from.start.back());
  }
  std::vector<double> result(d * d);
  const double work = static_cast<double>(d) * stored;
  parallel_for(context, d, work, [&](int, std::size_t begin, std::size_t end) {
    std::vector<int> code(n), count, rest;
    for (std::size_t f = begin; f < end; ++f) {
      const Levels& a = levels[f];
      std::fill(code.begin(), code.end(), a.reference);
      for (std::size_t v = 0; v < a.count.size(); ++v) {
        for (std::size_t i = a.start[v]; i < a.start[v + 1]; ++i) code[static_cast<std::size_t>(a.rows[i])] = static_cast<int>(v);
      }
      for (std::size_t s = 0; s <= f; ++s) {
        const Levels& b = levels[s];
        std::uint64_t joint = 0;
        rest = a.count;
        for (std::size_t v = 0; v < b.count.size(); ++v) {
          if (static_cast<int>(v) == b.reference) continue;
          count.assign(a.count.size(), 0);
          for (std::size_t i = b.start[v]; i < b.start[v + 1]; ++i) ++count[static_cast<std::size_t>(code[static_cast<std::size_t>(b.rows[i])])];
          for (std::size_t u = 0; u < count.size(); ++u) {
            joint += g(count[u]);
            rest[u] -= count[u];
          }
        }
        for (const int cell : rest) joint += g(cell);
        const double bits = g.bits(g(static_cast<std::int64_t>(n)) - cells[f] - cells[s] + joint);
        result[f * d + s] = result[s * d + f] = bits > 0 ? bits : 0;
      }
    }
  });
  return result;
}

}  // namespace mlsift

#endif

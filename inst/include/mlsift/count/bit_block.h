#ifndef MLSIFT_COUNT_BIT_BLOCK_H
#define MLSIFT_COUNT_BIT_BLOCK_H

#include <cstddef>
#include <vector>

#include "../core/bits.h"
#include "../data/indicators.h"

namespace mlsift {

/// A block as bit columns, one for each indicator.
struct BitBlock : Block {
  BitColumns columns;

  BitBlock() = default;
  BitBlock(const Indicators& table, std::vector<int> which) : Block(table, std::move(which)) {
    columns.assign(n_indicators(), table.n_rows);
    visit_rows(table, *this, [&](std::size_t c, std::size_t row) { columns.set(c, row); });
  }
};

/// The bits of the row weights, lowest first: as many as the largest weight has. None without weights.
struct WeightPlanes {
  std::size_t number;
  BitColumns columns;

  explicit WeightPlanes(const Indicators& table) : number(number_of(table)) {
    columns.assign(number, table.n_rows);
    for (std::size_t row = 0; row < table.weights.size(); ++row) {
      for (std::size_t p = 0; table.weights[row] >> p != 0; ++p) {
        if (table.weights[row] >> p & 1) columns.set(p, row);
      }
    }
  }

  static std::size_t number_of(const Indicators& table) {
    std::size_t bits = 0;
    for (const int weight : table.weights) {
      while (weight >> bits != 0) ++bits;
    }
    return bits;
  }
};

}  // namespace mlsift

#endif

#ifndef MLSIFT_COUNT_BIT_BLOCK_H
#define MLSIFT_COUNT_BIT_BLOCK_H

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

}  // namespace mlsift

#endif

// Tables of joint counts: what they hold, how they add up, and what follows from them.

#include <algorithm>
#include <numeric>
#include <random>

#include <mlsift/count/joint/count_joint.h>
#include <mlsift/count/joint/rows_in_columns.h>
#include <mlsift/count/joint/rows_in_tables.h>
#include <mlsift/criteria/mim.h>
#include <mlsift/search/rank.h>

#include "check.h"

namespace {

struct Rows {
  std::vector<std::vector<double>> features;  // by column
  std::vector<std::vector<int>> labels;       // by row
};

Rows draw(std::size_t n, std::mt19937& random) {
  Rows rows;
  for (unsigned levels : {2u, 3u, 40u, 1u, 2u}) {
    rows.features.emplace_back(n);
    for (double& value : rows.features.back()) value = static_cast<double>(random() % levels);
  }
  for (std::size_t i = 0; i < n; i += 9) rows.features[1][i] = std::nan("");
  rows.labels.resize(n);
  for (auto& labels : rows.labels) {
    for (int l = 0; l < 7; ++l) {
      if (random() % 7 < static_cast<unsigned>(l)) labels.push_back(l);  // label 0 never
    }
  }
  return rows;
}

// The rows from `begin` on, up to `end`.
Rows part(const Rows& rows, std::size_t begin, std::size_t end) {
  const auto cut = [&](const auto& x) {
    return std::decay_t<decltype(x)>(x.begin() + static_cast<std::ptrdiff_t>(begin),
                                     x.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Rows result;
  for (const auto& feature : rows.features) result.features.push_back(cut(feature));
  result.labels = cut(rows.labels);
  return result;
}

// Every row as often as its weight says.
Rows repeated(const Rows& rows, const std::vector<int>& weights) {
  Rows result;
  result.features.resize(rows.features.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (int w = 0; w < weights[i]; ++w) {
      for (std::size_t f = 0; f < rows.features.size(); ++f) result.features[f].push_back(rows.features[f][i]);
      result.labels.push_back(rows.labels[i]);
    }
  }
  return result;
}

mlsift::Features features_of(const Rows& rows) {
  mlsift::Features features;
  features.n_rows = rows.labels.size();
  for (const auto& values : rows.features) {
    mlsift::Column column;
    column.reals = values.data();
    features.columns.push_back(column);
  }
  return features;
}

mlsift::Targets targets_of(const Rows& rows) {
  mlsift::Targets targets;
  targets.n_classes = 7;
  targets.count.assign(7, 0);
  targets.start.push_back(0);
  for (const auto& labels : rows.labels) {
    for (const int l : labels) {
      targets.ids.push_back(l);
      ++targets.count[static_cast<std::size_t>(l)];
    }
    targets.start.push_back(targets.ids.size());
  }
  return targets;
}

mlsift::CountTables count(const Rows& rows, const std::vector<mlsift::FixedLevels>& levels, int threads = 1) {
  mlsift::Context context;
  context.threads = threads;
  return mlsift::count_joint(features_of(rows), targets_of(rows), levels, context);
}

bool same(const mlsift::CountTables& a, const mlsift::CountTables& b) {
  return a.levels == b.levels && a.slot == b.slot && a.cell == b.cell && a.target == b.target && a.count == b.count &&
         a.in_level == b.in_level && a.in_target == b.in_target && a.n == b.n;
}

std::vector<mlsift::FixedLevels> levels_of(const mlsift::Features& features) {
  std::vector<mlsift::FixedLevels> levels;
  for (const auto& column : features.columns) levels.push_back(mlsift::levels_of(column, features.n_rows));
  return levels;
}

}  // namespace

int main() {
  std::mt19937 random(1);
  const Rows rows = draw(500, random);
  const mlsift::Context context;
  const auto levels = levels_of(features_of(rows));
  const mlsift::CountTables whole = count(rows, levels);

  check::test("a table holds the counts of the definition, but none of the implied level and no zeros", [&] {
    std::size_t cells = 0;
    for (std::size_t f = 0; f < levels.size(); ++f) {
      for (int v = 0; v <= levels[f].size(); ++v) {
        std::vector<std::int64_t> expected(7, 0), got(7, 0);
        std::int64_t n_f = 0;
        for (std::size_t i = 0; i < rows.labels.size(); ++i) {
          if (levels[f].level(rows.features[f][i]) != v) continue;
          ++n_f;
          for (const int l : rows.labels[i]) ++expected[static_cast<std::size_t>(l)];
        }
        const std::size_t slot = whole.slot[f] + static_cast<std::size_t>(v);
        for (std::size_t c = whole.cell[slot]; c < whole.cell[slot + 1]; ++c, ++cells) {
          CHECK(whole.count[c] > 0);
          got[static_cast<std::size_t>(whole.target[c])] += whole.count[c];
        }
        CHECK(whole.in_level[slot] == n_f);
        CHECK(v == levels[f].implied ? whole.cell[slot] == whole.cell[slot + 1] : got == expected);
      }
    }
    CHECK(cells == whole.count.size());
  });

  check::test("bits of rows are counted as classes one by one, however many", [] {
    std::mt19937 random(16);
    const std::size_t n = 70000;  // more than a vertical counter can count
    for (const std::size_t q : {1u, 2u, 8u, 9u, 63u, 64u, 65u, 128u, 130u}) {
      const auto visit = [&](std::size_t c, auto take) {
        std::mt19937 of_class(static_cast<unsigned>(c));
        for (std::size_t i = 0; i < n; ++i) {
          if (c == 0 || of_class() % 3 == 0) take(static_cast<int>(i));
        }
      };
      const mlsift::Targets targets = mlsift::targets_of(n, q, visit);
      const double lookups = 4.0 * static_cast<double>(n);
      const mlsift::TargetBits bits(targets, lookups), by_class(n, q, targets.ids.size(), lookups, visit);
      CHECK(!bits.empty() && !by_class.empty());
      for (const std::size_t size : {0u, 1u, 7u, 9u, 127u, 128u, 255u, 256u, 257u, 65527u, 65528u, 65529u, 70000u}) {
        std::vector<int> rows(n), expected(q, 0), found(q, 0);
        std::iota(rows.begin(), rows.end(), 0);
        std::shuffle(rows.begin(), rows.end(), random);
        rows.resize(size);
        mlsift::count_classes(rows.data(), rows.data() + size, targets, expected.data());
        for (const mlsift::TargetBits* of : {&bits, &by_class}) {
          std::fill(found.begin(), found.end(), 0);
          of->count(rows.data(), rows.data() + size, [&](std::size_t c, int k) { found[c] += k; });
          CHECK(found == expected);
        }
      }
    }
  });

  check::test("two parts of the rows add up to the whole, and threads change nothing", [&] {
    for (std::size_t half : {0u, 1u, 250u, 500u}) {
      mlsift::CountTables sum = half > 0 ? count(part(rows, 0, half), levels) : mlsift::CountTables(levels, 7);
      sum += half < 500 ? count(part(rows, half, 500), levels) : mlsift::CountTables(levels, 7);
      CHECK(same(sum, whole));
    }
    CHECK(same(count(rows, levels, 3), whole));
  });

  check::test("counts larger than 32 bits add up", [&] {
    mlsift::CountTables sum = whole;
    for (int i = 0; i < 40; ++i) {
      const mlsift::CountTables twice = sum;
      sum += twice;
    }
    CHECK(sum.n == std::int64_t{500} << 40);
    for (std::size_t c = 0; c < sum.count.size(); ++c) CHECK(sum.count[c] == whole.count[c] << 40);
  });

  check::test("tables of other levels or targets are refused", [&] {
    auto other = levels;
    other[0].at.push_back(99);
    auto implied = levels;
    implied[0].implied = 1 - implied[0].implied;
    for (const mlsift::CountTables& table :
         {mlsift::CountTables(other, 7), mlsift::CountTables(implied, 7), mlsift::CountTables(levels, 6)}) {
      bool refused = false;
      mlsift::CountTables sum = whole;
      try {
        sum += table;
      } catch (const std::invalid_argument&) {
        refused = true;
      }
      CHECK(refused);
      CHECK(same(sum, whole));
    }
  });

  check::test("rows in memory and tables of counts are read alike, whatever level is implied", [&] {
    const mlsift::Features features = features_of(rows);
    const mlsift::Targets targets = targets_of(rows);
    const auto columns = mlsift::label_columns(500, whole.in_target);
    mlsift::ColumnMap same_columns;
    for (int c = 0; c < 7; ++c) same_columns.push_back({c});
    const mlsift::RowsInColumns memory(features, columns, nullptr, targets);
    const auto in_memory = memory.reader();
    for (const int implied : {-1, 0, 1000}) {
      auto other = levels;
      for (auto& one : other) {
        if (implied >= 0) one.implied = std::min(implied, one.size());
      }
      const mlsift::RowsInTables table(count(rows, other), same_columns, columns);
      const auto in_table = table.reader();
      for (std::size_t f = 0; f < features.size(); ++f) {
        const mlsift::FeatureTable &a = in_memory->table(f), &b = in_table->table(f);
        CHECK(a.rows == b.rows);
        CHECK(a.reference == b.reference);
        CHECK(a.cell == b.cell);
        CHECK(a.column == b.column);
        CHECK(a.count == b.count);
      }
      const mlsift::XLogX g(500, 6);
      const mlsift::Mim<mlsift::XLogX> mim(columns, g);
      CHECK(mlsift::score_features(memory, mim, context) == mlsift::score_features(table, mim, context));
    }
  });

  check::test("a weight of w is w equal rows", [&] {
    std::vector<int> weights;
    for (int i = 0; i < 500; ++i) weights.push_back(1 + i % 3);
    const Rows again = repeated(rows, weights);
    CHECK(same(mlsift::count_joint(features_of(rows), targets_of(rows), levels, context, weights.data()),
               count(again, levels)));
  });

  return check::failed_tests;
}

// Joint counts of every representation against tables counted naively from the codes.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <tuple>

#include <mlsift/count/informations.h>
#include <mlsift/count/joint/rows_elsewhere.h>
#include <mlsift/count/joint/rows_in_memory.h>

#include "check.h"
#include "codes.h"

namespace {

constexpr std::size_t n_rows = 300;

// `levels` of them may occur, some more often than others, with gaps where few rows meet many levels.
std::vector<int> draw(std::mt19937& random, int levels, std::size_t n) {
  std::vector<int> code(n);
  for (int& c : code) {
    c = static_cast<int>(random() % static_cast<unsigned>(levels));
    if (random() % 2 == 0) c = c * c / levels;
  }
  return code;
}

template <class G, class... More>
std::uint64_t naive(const G& g, const std::vector<int>& codes, const More&... more) {
  std::map<std::array<int, 1 + sizeof...(More)>, int> table;
  for (std::size_t i = 0; i < codes.size(); ++i) ++table[{codes[i], more[i]...}];
  std::uint64_t sum = 0;
  for (const auto& cell : table) sum += g(cell.second);
  return sum;
}

// What visit() gives.
struct Sums {
  std::vector<std::uint64_t> pair, sums;
  std::size_t width;

  Sums(std::size_t d, std::size_t of_each) : pair(d, 7), sums(d * of_each, 7), width(of_each) {}

  mlsift::TakeSums take() {
    return [this](std::size_t f, std::uint64_t of_pair, const std::uint64_t* of_f) {
      pair[f] = of_pair;
      std::copy_n(of_f, width, sums.data() + f * width);
    };
  }
};

mlsift::TargetColumns columns_of(const mlsift::Indicators& targets) {
  std::vector<std::int64_t> count;
  for (int c = 0; c < targets.n_indicators(); ++c) count.push_back(targets.count(c));
  return mlsift::target_columns(targets.n(), targets.first, targets.unknown, count);
}

// Every representation of the block of the variables `which`. Weights: as in PairCounter.
template <class Weights>
struct Representations {
  mlsift::RowBlock rows;
  mlsift::TargetRows target_rows;
  mlsift::BitBlock bits, target_bits;
  std::vector<std::unique_ptr<mlsift::JointCounter>> counts;

  Representations(const mlsift::Indicators& table, const mlsift::Indicators& targets, std::vector<int> which,
                  const typename Weights::G& g)
      : rows(table, which), bits(table, which) {
    std::vector<int> all;
    for (int t = 0; t < targets.n_variables(); ++t) all.push_back(t);
    target_rows = mlsift::TargetRows(targets, all);
    target_bits = mlsift::BitBlock(targets, all);
    counts.push_back(std::make_unique<mlsift::RowCounter<Weights>>(table, rows, target_rows, g));
    counts.push_back(std::make_unique<mlsift::GroupCounter<Weights>>(table, rows, target_rows, g));
    counts.push_back(std::make_unique<mlsift::BitCounter<Weights>>(table, bits, &target_bits, g));
  }
};

// The counts of tables and naive ones of `features` and `targets`, the codes that they are made of, rows repeated.
template <class Weights>
void compare_with(const mlsift::Indicators& table, const mlsift::Indicators& of_targets, const Codes& features,
                  const Codes& targets) {
  const std::size_t d = features.size(), q = targets.size(), n = features[0].size();
  const typename Weights::G g(n, static_cast<double>(targets.size()));
  std::vector<int> odd, even;
  for (std::size_t f = 0; f < d; ++f) (f % 2 ? odd : even).push_back(static_cast<int>(f));
  const mlsift::TargetColumns columns = columns_of(of_targets);
  const auto all_targets = mlsift::cells_of(mlsift::CellSums::all_targets, columns, g);
  const auto by_target = mlsift::cells_of(mlsift::CellSums::by_target, columns, g);
  Representations<Weights> of_odd(table, of_targets, odd, g), of_even(table, of_targets, even, g);
  for (int s = 0; s < static_cast<int>(d); ++s) {
    const std::vector<int>& code = features[static_cast<std::size_t>(s)];
    std::vector<std::uint64_t> pair(d), triple(d), each(d * q);
    for (std::size_t f = 0; f < d; ++f) {
      pair[f] = naive(g, features[f], code);
      for (std::size_t t = 0; t < q; ++t) {
        each[f * q + t] = naive(g, features[f], code, targets[t]);
        triple[f] += each[f * q + t];
      }
    }
    for (std::size_t f = 0; f < d; ++f) {
      for (std::size_t t = 0; t < q; ++t) each[f * q + t] -= pair[f];
    }
    // A counter knows nothing of its neighbor: each has been beside each other one after three values of s.
    for (std::size_t a = 0; a < of_odd.counts.size(); ++a) {
      const std::size_t b = (a + static_cast<std::size_t>(s)) % of_even.counts.size();
      Sums got(d, 1), got_each(d, q), one(d, 1), one_each(d, q);
      std::vector<std::uint64_t> pairs(d, 7);
      for (mlsift::JointCounter* counts : {of_odd.counts[a].get(), of_even.counts[b].get()}) {
        counts->visit(s, -1, *by_target, got_each.take());
        counts->visit(s, -1, *all_targets, got.take());
        counts->pairs(s, pairs.data());
      }
      for (std::size_t f = 0; f < d; ++f) {
        mlsift::JointCounter& counts = f % 2 ? *of_odd.counts[a] : *of_even.counts[b];
        counts.visit(s, static_cast<int>(f / 2), *by_target, one_each.take());
        counts.visit(s, static_cast<int>(f / 2), *all_targets, one.take());
      }
      CHECK(got.pair == pair && got_each.pair == pair && one.pair == pair && one_each.pair == pair && pairs == pair);
      CHECK(got.sums == triple && one.sums == triple);
      CHECK(got_each.sums == each && one_each.sums == each);
    }
  }
}

// With each row once, and with small and large weights. In one `turn`, n log n of the small ones comes from a table and
// that of the large ones is computed on demand; in the other, the other way round.
void compare(int turn, const Codes& features, const Codes& targets) {
  const mlsift::Features x = features_of(features), y = features_of(targets);
  compare_with<mlsift::EachOnce>(mlsift::indicators_of(x), mlsift::indicators_of(y), features, targets);
  std::mt19937 random(9);
  for (const unsigned most : {3u, 40u}) {
    std::vector<int> weights(features[0].size());
    for (int& weight : weights) weight = 1 + static_cast<int>(random() % most);
    const mlsift::Indicators table = mlsift::indicators_of(x, weights.data());
    const mlsift::Indicators of_targets = mlsift::indicators_of(y, weights.data());
    const Codes all = repeated(features, weights), all_targets = repeated(targets, weights);
    if ((most > 3) == (turn % 2 == 0)) {
      compare_with<mlsift::ByWeight<mlsift::XLogXOnDemand>>(table, of_targets, all, all_targets);
    } else {
      compare_with<mlsift::ByWeight<mlsift::XLogX>>(table, of_targets, all, all_targets);
    }
  }
}

// The cells of labels that are not known where their code is 2, and naive ones.
void compare_unknown(const Codes& features, const Codes& labels) {
  const std::size_t d = features.size(), n = features[0].size();
  mlsift::Indicators targets;
  targets.n_rows = n;
  for (const std::vector<int>& label : labels) {
    std::vector<int> ones, missing;
    for (std::size_t row = 0; row < n; ++row) {
      if (label[row] > 0) (label[row] == 1 ? ones : missing).push_back(static_cast<int>(row));
    }
    targets.add_indicator(ones.data(), ones.data() + ones.size());
    targets.unknown.push_back(missing.empty() ? -1 : targets.n_indicators());
    if (!missing.empty()) targets.add_indicator(missing.data(), missing.data() + missing.size());
    targets.close(static_cast<int>(n - ones.size() - missing.size()));
  }
  const mlsift::Indicators table = mlsift::indicators_of(features_of(features));
  std::vector<int> all;
  for (std::size_t f = 0; f < d; ++f) all.push_back(static_cast<int>(f));
  const mlsift::XLogX g(n, static_cast<double>(labels.size()));
  const mlsift::TargetColumns columns = columns_of(targets);
  Representations<mlsift::EachOnce> made(table, targets, all, g);
  for (int s = 0; s < static_cast<int>(d); ++s) {
    std::vector<std::uint64_t> expected(d), of_all;  // of_all: by label, what all known rows as one cell would give
    for (std::size_t f = 0; f < d; ++f) {
      for (const std::vector<int>& label : labels) {
        std::map<std::pair<int, int>, std::pair<int, int>> cells;  // rows known, and of these with the label
        std::size_t known = 0;
        for (std::size_t row = 0; row < n; ++row) {
          if (label[row] == 2) continue;
          ++known;
          auto& cell = cells[{features[f][row], features[static_cast<std::size_t>(s)][row]}];
          ++cell.first;
          cell.second += label[row];
        }
        std::uint64_t sum = 0;
        std::size_t all = 0;
        for (const auto& one : cells) {
          const int rows = one.second.first, ones = one.second.second;
          sum += g(ones) + g(rows - ones) - g(rows);
          all += static_cast<std::size_t>(ones);
        }
        const std::uint64_t whole = g(all) + g(known - all) - g(known);
        if (f == 0) of_all.push_back(whole);
        sum -= whole;
        const double share = static_cast<double>(n) / static_cast<double>(known);
        const double wanted = share * static_cast<double>(static_cast<std::int64_t>(sum));
        expected[f] += known == n
                           ? sum
                           : static_cast<std::uint64_t>(static_cast<std::int64_t>(wanted + (wanted < 0 ? -0.5 : 0.5)));
      }
    }
    // Of other sums, all representations give the same; the tests in R compare them with their definition.
    using mlsift::CellSums;
    for (const CellSums what : {CellSums::by_target, CellSums::by_target_with_rows, CellSums::squares}) {
      const auto cells = mlsift::cells_of(what, columns, g);
      std::vector<std::uint64_t> wanted;
      for (const auto& counts : made.counts) {
        Sums all_at_once(d, cells->width), one(d, cells->width);
        counts->visit(s, -1, *cells, all_at_once.take());
        for (std::size_t f = 0; f < d; ++f) counts->visit(s, static_cast<int>(f), *cells, one.take());
        if (wanted.empty()) wanted = one.sums;
        CHECK(all_at_once.sums == wanted && one.sums == wanted && one.pair == all_at_once.pair);
        for (std::size_t f = 0; f < d && what == CellSums::by_target; ++f) {
          std::uint64_t sum = 0;
          for (std::size_t t = 0; t < labels.size(); ++t)
            sum += columns.scaled(t, one.sums[f * labels.size() + t] - of_all[t]);
          CHECK(sum == expected[f]);
        }
      }
    }
  }
}

}  // namespace

int main() {
  check::test("every pair of representations counts as the naive table does", [] {
    std::mt19937 random(1);
    const Codes features{draw(random, 2, n_rows),  draw(random, 2, n_rows),  draw(random, 1, n_rows),
                         draw(random, 3, n_rows),  draw(random, 5, n_rows),  draw(random, 17, n_rows),
                         draw(random, 65, n_rows), draw(random, 300, n_rows)};
    const Codes labels{draw(random, 2, n_rows), draw(random, 2, n_rows), draw(random, 2, n_rows)};
    for (int turn = 0; turn < 2; ++turn) {
      compare(turn, features, labels);
      compare(turn, labels, labels);
    }
    compare(0, features, {draw(random, 3, n_rows), draw(random, 2, n_rows), draw(random, 12, n_rows)});
    compare(1, features, {draw(random, 200, n_rows)});
    compare(0, features, {draw(random, 1, n_rows), draw(random, 2, n_rows)});
    // Bits of as many levels as rows take the fourth power of these.
    std::vector<int> alone(130);
    for (std::size_t i = 0; i < alone.size(); ++i) alone[i] = static_cast<int>(i);
    compare(1, {alone, draw(random, 2, alone.size()), draw(random, 5, alone.size())}, {alone});
  });

  check::test("rare and frequent ones count as the naive table does", [] {
    std::mt19937 random(2);
    Codes features;
    for (int share : {1, 3, 30, 200, 299}) {
      features.emplace_back(n_rows);
      for (int& code : features.back()) code = static_cast<int>(random() % n_rows) < share;
    }
    Codes many;
    for (int l = 0; l < 20; ++l) many.push_back(features[static_cast<std::size_t>(l) % features.size()]);
    compare(0, features, {features[1], features[3]});
    compare(1, features, many);
    // Targets of many levels, most of whose cells have a few rows of the rare features.
    for (int share : {2, 4, 6, 9, 14, 20, 40, 90}) {
      features.emplace_back(n_rows);
      for (int& code : features.back()) code = static_cast<int>(random() % n_rows) < share;
    }
    compare(0, features,
            {draw(random, 7, n_rows), draw(random, 16, n_rows), draw(random, 60, n_rows), draw(random, 2, n_rows),
             draw(random, 1, n_rows)});
  });

  check::test("cells of more than 1,000 rows count as the naive table does", [] {
    std::mt19937 random(4);
    constexpr std::size_t n = 6000;
    Codes features, targets;
    for (const unsigned share : {20u, 45u, 3u}) {
      features.emplace_back(n);
      for (int& code : features.back()) code = random() % 100 < share;
    }
    features.push_back(draw(random, 3, n));
    for (const int levels : {2, 3, 5}) targets.push_back(draw(random, levels, n));
    compare(0, features, targets);
    compare(1, features, {targets[0]});
    compare(0, {features[0], features[1]}, {targets[1], targets[2]});
  });

  check::test("rows in two bit columns are counted alike with and without the processor's own instruction", [] {
    std::mt19937_64 random(3);
    for (const std::size_t words : {1u, 2u, 31u, 255u, 256u, 257u, 600u}) {
      for (std::size_t n_b = 0; n_b < 10; ++n_b) {
        const std::size_t n_a = 3, stride = n_b + 1;
        std::vector<std::uint64_t> a(n_a * words), b(n_b * words + 1);
        for (auto& word : a) word = random();
        for (auto& word : b) word = random() & random();
        std::vector<int> expected(n_a * stride, -1), got = expected, plain = expected;
        for (std::size_t i = 0; i < n_a; ++i) {
          for (std::size_t j = 0; j < n_b; ++j) {
            int sum = 0;
            for (std::size_t bit = 0; bit < 64 * words; ++bit) {
              sum +=
                  static_cast<int>(a[i * words + bit / 64] >> (bit % 64) & b[j * words + bit / 64] >> (bit % 64) & 1);
            }
            expected[i * stride + j] = sum;
          }
        }
        mlsift::count_both(a.data(), n_a, b.data(), n_b, words, got.data(), stride);
        mlsift::count_both_plainly(a.data(), n_a, b.data(), n_b, words, plain.data(), stride);
        CHECK(got == expected);
        CHECK(plain == expected);
      }
    }
  });

  check::test("features go to the representation that suits them, and threads change no bit", [] {
    std::mt19937 random(4);
    Codes features, labels{draw(random, 2, n_rows)};
    for (int f = 0; f < 30; ++f) {
      const unsigned levels = f % 6 == 0 ? 100 : f % 3 == 0 ? 2 : f % 3 == 1 ? 5 : 150;
      features.emplace_back(n_rows);
      for (int& code : features.back())
        code = f % 6 == 0 ? random() % levels == 0 : static_cast<int>(random() % levels);
    }
    const mlsift::Layout layout = mlsift::choose_layout(mlsift::indicators_of(features_of(features)),
                                                        mlsift::varying_indicators_of(features_of(labels)), true);
    CHECK(layout.dense.size() == 15 && layout.sparse.size() == 15);
    std::vector<double> expected_pair, expected_joint;
    for (int threads : {1, 2, 5}) {
      mlsift::Context context;
      context.threads = threads;
      mlsift::Informations data(rows_of(features, labels, true, context));
      std::vector<double> pair, joint, alone(features.size());
      data.with_feature_and_targets(4, pair, joint);
      for (int f = 0; f < 30; ++f) data.with_targets(4, alone, f);
      CHECK(alone == joint);
      data.by_target(4, [&](std::size_t f, auto information) { alone[f] = information(0) - joint[f]; });
      CHECK(alone == std::vector<double>(features.size(), 0));
      if (threads == 1) expected_pair = pair, expected_joint = joint;
      CHECK(pair == expected_pair && joint == expected_joint);
    }
  });

  check::test("rare features and targets of many levels count as the naive table does", [] {
    std::mt19937 random(8);
    Codes features, groups;
    constexpr int n_features = 400;
    for (int f = 0; f < n_features; ++f) {
      features.emplace_back(n_rows);
      for (int i = 0; i < 1 + f * f / 2000; ++i) features.back()[random() % n_rows] = 1;
    }
    for (int t = 0; t < 9; ++t) groups.push_back(draw(random, 4 + t, n_rows));
    for (int threads : {1, 3}) {
      mlsift::Context context;
      context.threads = threads;
      const auto rows = rows_of(features, groups, true, context);
      const auto g = [&rows](int count) { return rows->xlogx(count); };
      const auto cells = rows->cells(mlsift::CellSums::all_targets);
      Sums found(n_features, 1);
      for (int s = 0; s < n_features; s += 40) {
        rows->visit(s, -1, *cells, found.take());
        const std::vector<int>& code = features[static_cast<std::size_t>(s)];
        for (std::size_t f = 0; f < n_features; ++f) {
          std::uint64_t sum = 0;
          for (const auto& group : groups) sum += naive(g, features[f], code, group);
          CHECK(found.pair[f] == naive(g, features[f], code) && found.sums[f] == sum);
        }
      }
    }
  });

  check::test("features of weighted rows go to the representation that suits them", [] {
    std::mt19937 random(11);
    Codes features, labels{draw(random, 2, n_rows)};
    for (int f = 0; f < 4; ++f) features.push_back(draw(random, 2, n_rows));
    const auto layout = [&](int weight) {
      const std::vector<int> weights(n_rows, weight);
      return mlsift::choose_layout(mlsift::indicators_of(features_of(features), weights.data()),
                                   mlsift::varying_indicators_of(features_of(labels), weights.data()), true);
    };
    CHECK(layout(1).dense.size() == 4 && layout(1 << 22).dense.empty());
  });

  check::test("cells of a set, and of two features, are those of repeated rows", [] {
    std::mt19937 random(12);
    for (int round = 0; round < 12; ++round) {
      Codes features, targets;
      for (int f = 0; f < 7; ++f) features.push_back(draw(random, f < 4 ? 2 : 2 + f, n_rows));
      for (int t = 0; t < 3; ++t) targets.push_back(draw(random, round % 2 == 0 ? 2 : 2 + 4 * t, n_rows));
      if (round % 3 == 0) {  // sparse
        for (auto& feature : features) {
          for (int& code : feature) code = random() % 10 == 0 ? code : 0;
        }
      }
      std::vector<int> weights(n_rows);
      for (int& weight : weights) weight = 1 + static_cast<int>(random() % (round < 6 ? 4 : 30));
      mlsift::Context context;
      context.threads = 1 + round % 2;
      const auto weighted = rows_of(features, targets, true, context, weights.data());
      const auto rows = rows_of(repeated(features, weights), repeated(targets, weights), true, context);
      std::vector<std::uint64_t> given(7), expected_given(7);
      const auto compare_sums = [&](mlsift::CellSums what, auto feature) {
        Sums found(8, 1), expected(8, 1);
        weighted->visit(feature(*weighted), -1, *weighted->cells(what), found.take());
        rows->visit(feature(*rows), -1, *rows->cells(what), expected.take());
        CHECK(found.pair == expected.pair && found.sums == expected.sums);
      };
      std::vector<int> set;
      for (const int s : {0, 5, 2, 3, 6}) {
        set.push_back(s);
        weighted->with_targets_given(set, given.data());
        rows->with_targets_given(set, expected_given.data());
        CHECK(given == expected_given);
        compare_sums(mlsift::CellSums::all_targets, [s](mlsift::JointRows& of) { return of.joined(s, 1); });
        compare_sums(mlsift::CellSums::squares, [s](mlsift::JointRows&) { return s; });
      }
    }
  });

  check::test("targets that are not known in all rows count by the rows in which they are, for one feature or all", [] {
    std::mt19937 random(13);
    for (const unsigned share : {2u, 20u, 3u}) {
      Codes features, labels;
      for (const int levels : {2, 2, 2, 3, 6}) {
        features.push_back(draw(random, levels, n_rows));
        for (int& code : features.back()) code = random() % share == 0 ? code : 0;
      }
      const int n_labels = share == 3 ? 24 : 4;  // of so many labels, those that rows often have are dense
      for (int t = 0; t < n_labels; ++t) labels.push_back(draw(random, t == 0 ? 2 : 3, n_rows));
      compare_unknown(features, labels);
    }
  });

  check::test("constants and labels that most rows have count so too", [] {
    std::mt19937 random(14);
    // As many indicators as features, though not one each.
    const Codes features{draw(random, 2, n_rows), draw(random, 1, n_rows), draw(random, 3, n_rows),
                         draw(random, 2, n_rows)};
    compare_unknown(features, {draw(random, 3, n_rows), draw(random, 2, n_rows), draw(random, 3, n_rows)});
    // So few labels are counted in another way, and these are dense.
    Codes labels;
    for (int t = 0; t < 15; ++t) {
      labels.emplace_back(n_rows, 1);
      for (int& code : labels.back()) code = random() % 20 == 0 ? (t == 0 ? 2 : 0) : 1;
    }
    compare_unknown(features, labels);
  });

  check::test("dense targets count so too at the borders of words and bytes", [] {
    std::mt19937 random(15);
    constexpr std::size_t n = 1200;
    Codes features;
    for (const std::size_t ones : {254, 255, 256, 257, 511}) {
      features.emplace_back(n, 0);
      std::fill_n(features.back().begin(), ones, 1);
    }
    for (const int n_labels : {63, 64, 65, 129}) {
      Codes labels;
      for (int t = 0; t < n_labels; ++t) {
        labels.emplace_back(n);
        for (int& code : labels.back()) code = random() % 5 < 2 ? 2 : random() % 20 == 0;
      }
      compare_unknown(features, labels);
    }
  });

  check::test("rows that are counted elsewhere need no table of all counts", [] {
    // As many rows as there can be: a table of n log n of every count would take 16 GB.
    const std::int64_t n = 2147483647, ones = 1500000000, both = 1000000001;
    mlsift::FixedLevels zero_one;
    zero_one.at = {0, 1};
    mlsift::CountTables first({zero_one, zero_one}, 1);
    first.n = n;
    first.in_target[0] = ones;
    for (std::size_t f = 0; f < 2; ++f) {
      first.in_level[first.slot[f]] = n - ones;
      first.in_level[first.slot[f] + 1] = ones;
      first.target.push_back(0);
      first.count.push_back(both + static_cast<std::int64_t>(f));
      for (std::size_t s = first.slot[f] + 2; s < first.cell.size(); ++s) first.cell[s] = f + 1;
    }
    mlsift::Informations data(std::make_unique<mlsift::RowsElsewhere>(
        mlsift::pairs_of_ones([&](int, bool, const mlsift::TakePair& pair, const mlsift::TakeTriple&) {
          pair(0, ones);
          pair(1, both);
        }),
        first, mlsift::label_columns(n, first.in_target), mlsift::ColumnMap{{0}}));
    const auto information = [&](std::int64_t a, std::int64_t b, std::int64_t ab) {
      const auto h = [&](std::int64_t count) {
        const long double share = static_cast<long double>(count) / static_cast<long double>(n);
        return count > 0 ? -share * std::log2(share) : 0;
      };
      return static_cast<double>(h(a) + h(n - a) + h(b) + h(n - b) - h(ab) - h(a - ab) - h(b - ab) - h(n - a - b + ab));
    };
    std::vector<double> found;
    data.with_feature(0, found);
    CHECK(std::abs(found[0] - data.entropy(0)) < 1e-12);
    CHECK(std::abs(found[1] - information(ones, ones, both)) < 1e-12);
    for (int f = 0; f < 2; ++f) CHECK(std::abs(data.relevance(f) - information(ones, ones, both + f)) < 1e-12);
  });

  return check::failed_tests;
}

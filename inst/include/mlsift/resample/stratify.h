#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "../data/targets.h"

namespace mlsift {

/// Iterative stratification. Sechidis, Tsoumakas & Vlahavas (2011), ECML PKDD, LNCS 6913:145-158, algorithm 1.
///
/// Fold j wants share[j] of all rows and share[j] of the rows of each label. While labels are left, the one with the
/// fewest remaining rows is taken (ties: the first column). Each of its rows goes to the fold that still wants the most
/// rows of that label; ties go to the fold that wants the most rows overall, then are broken at random. Rows without
/// labels go to the fold that wants the most rows, which evens out the sizes.
///
/// order    a random permutation of the rows, 0 .. n - 1: the order in which the rows of a label are placed
/// uniform  n numbers in [0, 1): the t-th row that is placed breaks its tie by uniform[t]
/// returns  the fold of each row
/// cost     n folds + ones log(labels)
class Stratifier {
 public:
  Stratifier(const Targets& labels, const std::vector<double>& share, const int* order, const double* uniform)
      : labels_(labels),
        n_(labels.n_rows()),
        folds_(share.size()),
        uniform_(uniform),
        order_(order),
        fold_(n_, -1),
        wanted_(folds_),
        remaining_(labels.count),
        label_wanted_(labels.count.size() * folds_),
        ties_(folds_) {
    for (std::size_t j = 0; j < folds_; ++j) wanted_[j] = share[j] * static_cast<double>(n_);
    places_ = targets_of(remaining_.size(), n_, [&](std::size_t t, auto take) {
      const auto i = static_cast<std::size_t>(order[t]);
      std::for_each(labels.begin(i), labels.end(i), take);
    });
    for (std::size_t l = 0; l < remaining_.size(); ++l) {
      for (std::size_t j = 0; j < folds_; ++j) label_wanted_[l * folds_ + j] = share[j] * remaining_[l];
    }
    place_labels();
    for (std::size_t t = 0; t < n_; ++t) {
      const auto i = static_cast<std::size_t>(order[t]);
      if (fold_[i] < 0) place(i, wanted_.data());
    }
  }

  const std::vector<int>& folds() const { return fold_; }

 private:
  using Entry = std::pair<int, int>;  // rows remaining, label

  // A heap gives the rarest label. Labels whose counts fell are pushed again, so entries with an outdated count are
  // skipped.
  void place_labels() {
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> rarest;
    for (std::size_t l = 0; l < remaining_.size(); ++l) rarest.push({remaining_[l], static_cast<int>(l)});
    std::vector<int> touched;
    std::vector<char> is_touched(remaining_.size(), 0);
    while (!rarest.empty()) {
      const Entry top = rarest.top();
      rarest.pop();
      const auto l = static_cast<std::size_t>(top.second);
      if (remaining_[l] == 0 || remaining_[l] != top.first) continue;
      for (const int* t = places_.begin(l); t != places_.end(l); ++t) {
        const auto i = static_cast<std::size_t>(order_[*t]);
        if (fold_[i] >= 0) continue;
        place(i, &label_wanted_[l * folds_]);
        for (const int* other = labels_.begin(i); other != labels_.end(i); ++other) {
          if (!is_touched[static_cast<std::size_t>(*other)]) touched.push_back(*other);
          is_touched[static_cast<std::size_t>(*other)] = 1;
        }
      }
      for (const int o : touched) {
        is_touched[static_cast<std::size_t>(o)] = 0;
        if (remaining_[static_cast<std::size_t>(o)] > 0) rarest.push({remaining_[static_cast<std::size_t>(o)], o});
      }
      touched.clear();
    }
  }

  // Puts row i into the fold with the largest `desire`.
  void place(std::size_t i, const double* desire) {
    std::size_t n_ties = 0;
    for (std::size_t j = 0; j < folds_; ++j) {
      if (n_ties > 0) {
        const std::size_t best = ties_[0];
        if (desire[j] < desire[best] || (desire[j] == desire[best] && wanted_[j] < wanted_[best])) continue;
        if (desire[j] > desire[best] || wanted_[j] > wanted_[best]) n_ties = 0;
      }
      ties_[n_ties++] = j;
    }
    const double u = uniform_[placed_++];
    const auto pick = std::min(n_ties - 1, static_cast<std::size_t>(u * static_cast<double>(n_ties)));
    const std::size_t fold = ties_[pick];
    fold_[i] = static_cast<int>(fold);
    wanted_[fold] -= 1;
    for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) {
      label_wanted_[static_cast<std::size_t>(*l) * folds_ + fold] -= 1;
      --remaining_[static_cast<std::size_t>(*l)];
    }
  }

  const Targets& labels_;
  std::size_t n_, folds_, placed_ = 0;
  const double* uniform_;
  const int* order_;
  Targets places_;  // of each label's rows, in `order`
  std::vector<int> fold_;
  std::vector<double> wanted_;        // rows that each fold still wants
  std::vector<int> remaining_;        // rows of each label without a fold
  std::vector<double> label_wanted_;  // and rows of each label: labels x folds
  std::vector<std::size_t> ties_;
};

}  // namespace mlsift

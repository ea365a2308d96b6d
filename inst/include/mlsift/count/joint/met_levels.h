#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "joint_counter.h"

namespace mlsift {

/// The cells of 2 x 2 x levels tables of a feature, s and all targets, in one pass: target levels that the feature does
/// not meet keep the cells of s alone.
template <class Weights>
class MetLevels {
 public:
  using G = typename Weights::G;

  /// `with`: [indicator of the features][target indicator], what both count.
  MetLevels(const Block& features, const Block& targets, const G& g, const std::vector<int>& with)
      : b_(features), t_(targets), g_(g), with_(with), m_(targets.n_indicators()) {
    if (m_ + t_.size() > most_levels) throw std::length_error("Targets have too many levels.");
    const auto add = [this](std::size_t level, int count) {
      const std::uint32_t few = std::min(static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(most_count));
      met_.push_back(Met{static_cast<std::uint32_t>(level) & most_levels, few & most_count});
    };
    met_start_.push_back(0);
    for (std::size_t c = 0; c < b_.n_indicators(); ++c) {
      for (std::size_t t = 0; t < t_.size(); ++t) {
        int rest = b_.count[c];
        for (std::size_t level = t_.first[t]; level < t_.first[t + 1]; ++level) {
          const int count = with_[c * m_ + level];
          if (count != 0) add(level, count);
          rest -= count;
        }
        add(m_ + t, rest);
      }
      met_start_.push_back(met_.size());
    }
  }

  /// For sum(): s has one indicator, which counts n_s, and with each target indicator `s_with`.
  void look_at(int n_s, const int* s_with) {
    const std::size_t n_levels = m_ + t_.size();
    s_cells_.resize(n_levels);
    s_level_.resize(n_levels);
    level_count_.resize(n_levels);
    few_.resize(n_few * n_levels);
    s_sum_ = 0;
    const auto add = [this](std::size_t level, int count, int with_s) {
      level_count_[level] = count;
      s_level_[level] = with_s;
      s_cells_[level] = g_(with_s) + g_(count - with_s);
      s_sum_ += s_cells_[level];
      std::uint64_t* to = few_.data() + n_few * level;
      for (int n_f = 0; n_f <= static_cast<int>(most_few); ++n_f) {
        for (int both = 0; both <= n_f; ++both, ++to) {
          const bool possible = both <= with_s && n_f - both <= count - with_s;
          *to = possible ? change(level, n_f, both) : 0;
        }
      }
    };
    for (std::size_t t = 0; t < t_.size(); ++t) {
      int rest = n_s;
      for (std::size_t c = t_.first[t]; c < t_.first[t + 1]; ++c) {
        add(c, t_.count[c], s_with[c]);
        rest -= s_with[c];
      }
      add(m_ + t, t_.reference[t], rest);
    }
  }

  /// All cells of indicator c, s and the targets. `both`: what c and s count with each target indicator; n_fs: in all.
  std::uint64_t sum(std::size_t c, const int* both, int n_fs) const {
    static constexpr std::size_t slot[most_few + 1] = {0, 1, 3, 6};
    const Met *met = met_.data() + met_start_[c], *const end = met_.data() + met_start_[c + 1];
    std::uint64_t sum = s_sum_;
    const auto add = [&](const Met& one, int n_both) {
      const std::size_t level = one.level;
      if (one.count <= most_few) {
        sum += few_[n_few * level + slot[one.count] + static_cast<std::size_t>(n_both)];
      } else {
        sum += change(level, one.count < most_count ? static_cast<int>(one.count) : count_with(c, level), n_both);
      }
    };
    if (n_fs == 0) {
      for (; met != end; ++met) add(*met, 0);
      return sum;
    }
    for (int left = n_fs; met != end; ++met) {
      if (met->level < m_) {
        add(*met, both[met->level]);
        left -= both[met->level];
      } else {
        add(*met, left);
        left = n_fs;
      }
    }
    return sum;
  }

 private:
  // A target level that an indicator meets: one of the target indicators, or m_ + t for the reference level of target
  // t. `count`: with both, at most most_count.
  struct Small {
    std::uint32_t level : 22, count : 10;
  };
  struct Large {
    std::uint32_t level, count;
  };
  using Met = std::conditional_t<Weights::weighted, Large, Small>;
  static constexpr std::uint32_t most_levels = (1U << 22) - 1;
  static constexpr std::uint32_t most_count = Weights::weighted ? std::numeric_limits<std::uint32_t>::max() : 1023;
  static constexpr std::size_t most_few = 3, n_few = 10;  // counts of f, and the ways to split so few of them by s

  // What indicator c counts with a target level.
  int count_with(std::size_t c, std::size_t level) const {
    if (level < m_) return with_[c * m_ + level];
    int rest = b_.count[c];
    for (std::size_t i = t_.first[level - m_]; i < t_.first[level - m_ + 1]; ++i) rest -= with_[c * m_ + i];
    return rest;
  }

  // What the cells of s with a target level grow by when they are split by n_f, `both` of them with s.
  std::uint64_t change(std::size_t level, int n_f, int both) const {
    return four_cells(g_, level_count_[level], n_f, s_level_[level], both) - s_cells_[level];
  }

  const Block &b_, &t_;
  const G& g_;
  const std::vector<int>& with_;
  std::size_t m_;
  std::vector<Met>
      met_;  // of indicator c: met_[met_start_[c]] .. met_[met_start_[c + 1] - 1]; the levels of a target one
             // after the other, its reference level last and always there
  std::vector<std::size_t> met_start_;
  std::vector<int> level_count_, s_level_;  // by target level: what it counts, and with s
  std::vector<std::uint64_t> s_cells_;      // by target level: its two cells with s
  std::vector<std::uint64_t> few_;          // change() of few: [target level][n_f, both]
  std::uint64_t s_sum_ = 0;
};

}  // namespace mlsift

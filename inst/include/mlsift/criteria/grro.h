#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

#include "../count/informations.h"
#include "../data/targets.h"
#include "../solve/tridiagonal.h"

namespace mlsift {

struct GrroOptions {
  double alpha = 100, beta = 0.1;
  bool uncertainty = false;  ///< C holds symmetrical uncertainties
};

struct GrroSolution {
  std::vector<double> score;  ///< by feature
  double curvature = 0;       ///< the smallest of the objective: it has a minimum where this is above 0
};

/// GRRO. Zhang, Lin, Jiang, Li, Tang & Tan (2020), IJCAI. The W at which the gradient vanishes of
///
///   1/2 |W - A|^2 + alpha / 2 tr W' C W + beta / 2 tr W B W',    that is (I + alpha C) W + beta W B = A
///
/// A        I(f; l), d x q, in bits
/// C        I(f; g) in bits, or 2 I(f; g) / (H(f) + H(g)), 0 where both are constant; 1 on the diagonal
/// B        1 - cosine of two labels as 0/1 columns
/// score    of f: the sum of row f of W; of a constant f it is 0
/// copies   have the same row of W. They enter as one unknown, so that their scores are the same to the last bit
/// cost     the matrix C, 8 d^2 bytes, 4/3 d^3 multiplications to make it tridiagonal, then 3 d^2 for each label, as
///          B = Q M Q' leaves a system with I + alpha C + beta mu_j I for each eigenvalue mu_j of B
class Grro {
 public:
  /// `labels`: the targets of `data`, all of which vary.
  Grro(Informations& data, const Targets& labels, const GrroOptions& options, const Context& context)
      : options_(options), context_(context), q_(static_cast<std::size_t>(labels.n_classes)) {
    system_ = information_of_pairs(data, context);
    merge_copies(data);
    make_system();
    relevance_.resize(unknowns() * q_);
    data.by_target(-1, [&](std::size_t f, auto information) {
      const std::size_t u = unknown_of_[f];
      if (first_[u] != f) return;
      for (std::size_t l = 0; l < q_; ++l) relevance_[u * q_ + l] = root(u) * information(l);
    });
    std::vector<double> b = dissimilarities(labels);
    labels_ = Tridiagonal(b, q_, context).pairs();
  }

  GrroSolution solution() {
    const std::size_t r = unknowns();
    const Tridiagonal features(system_, r, context_);
    const double work = static_cast<double>(q_) * static_cast<double>(r) * static_cast<double>(r);
    std::vector<double> w(q_ * r);
    SharedPoll poll(context_);
    parallel_for(context_, q_, work, [&](int worker, std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        if (poll(worker, j, q_)) return;
        double* const x = w.data() + j * r;
        for (std::size_t u = 0; u < r; ++u) x[u] = inner(relevance_.data() + u * q_, labels_.vector[j].data(), q_);
        features.forward(x);
        features.solve(options_.beta * labels_.value[j], x);
      }
    });
    std::vector<double> sum(r, 0.0);
    for (std::size_t j = 0; j < q_; ++j) {
      double along = 0;
      for (const double v : labels_.vector[j]) along += v;
      add_scaled(sum.data(), w.data() + j * r, along, r);
    }
    features.backward(sum.data());
    GrroSolution result;
    for (const std::size_t u : unknown_of_) result.score.push_back(sum[u] / root(u));
    result.curvature = std::min(smallest_apart_, features.values().front()) + options_.beta * labels_.value.front();
    return result;
  }

 private:
  std::size_t unknowns() const { return first_.size(); }
  double root(std::size_t u) const { return std::sqrt(static_cast<double>(copies_[u])); }

  // Features f and g are copies where H(f) = I(f; g) = H(g), which are exact sums.
  void merge_copies(const Informations& data) {
    const std::size_t d = data.size();
    std::map<double, std::vector<std::size_t>> with_entropy;  // unknowns
    for (std::size_t f = 0; f < d; ++f) {
      const double h = data.entropy(static_cast<int>(f));
      std::vector<std::size_t>& alike = with_entropy[h];
      const auto same =
          std::find_if(alike.begin(), alike.end(), [&](std::size_t u) { return system_[first_[u] * d + f] == h; });
      if (same != alike.end()) {
        ++copies_[*same];
        unknown_of_.push_back(*same);
        continue;
      }
      alike.push_back(first_.size());
      unknown_of_.push_back(first_.size());
      first_.push_back(f);
      copies_.push_back(1);
      entropy_.push_back(h);
    }
  }

  // I + alpha C in place of the informations. m copies stand for sqrt(m) times the unknown of one; between copies C is
  // c, and where copies differ, which the solution does not, the curvature is 1 + alpha (1 - c).
  void make_system() {
    const std::size_t r = unknowns(), d = unknown_of_.size();
    for (std::size_t u = 0; u < r; ++u) {
      for (std::size_t v = 0; v < r; ++v) {
        const double information = system_[first_[u] * d + first_[v]];
        const double c = options_.uncertainty ? uncertainty(information, entropy_[u] + entropy_[v]) : information;
        double& to = system_[u * r + v];
        if (u != v) {
          to = options_.alpha * c * (root(u) * root(v));
          continue;
        }
        to = 1 + options_.alpha * (1 + (copies_[u] - 1) * c);
        if (copies_[u] > 1) smallest_apart_ = std::min(smallest_apart_, 1 + options_.alpha * (1 - c));
      }
    }
    system_.resize(r * r);
  }

  static double uncertainty(double information, double entropies) {
    return entropies > 0 ? 2 * information / entropies : 0;
  }

  // B.
  std::vector<double> dissimilarities(const Targets& labels) const {
    std::vector<double> b(q_ * q_, 0.0);
    for (std::size_t i = 0; i < labels.n_rows(); ++i) {
      for (const int* l = labels.begin(i); l != labels.end(i); ++l) {
        for (const int* m = labels.begin(i); m != l; ++m) {
          ++b[static_cast<std::size_t>(*l) * q_ + static_cast<std::size_t>(*m)];
        }
      }
    }
    for (std::size_t l = 0; l < q_; ++l) {
      for (std::size_t m = 0; m < l; ++m) {
        const double size = static_cast<double>(labels.count[l]) * static_cast<double>(labels.count[m]);
        b[l * q_ + m] = b[m * q_ + l] = 1 - b[l * q_ + m] / std::sqrt(size);
      }
    }
    return b;
  }

  GrroOptions options_;
  const Context& context_;
  std::size_t q_;
  std::vector<std::size_t> unknown_of_, first_;  // of each feature its unknown, and of each unknown its first feature
  std::vector<int> copies_;
  std::vector<double> entropy_, system_, relevance_;
  double smallest_apart_ = std::numeric_limits<double>::infinity();
  Eigenpairs labels_;
};

}  // namespace mlsift

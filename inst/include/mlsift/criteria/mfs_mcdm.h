#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../core/parallel.h"
#include "../core/vectors.h"
#include "../data/standardized.h"
#include "../data/targets.h"
#include "../solve/cholesky.h"
#include "../solve/conjugate_gradients.h"
#include "../solve/gram.h"

namespace mlsift {

struct MfsMcdmOptions {
  double ridge = 10;
  bool absolute = false;  ///< takes the sizes of coefficients
  enum class Solve { cheaper, factor, iterate } solve = Solve::cheaper;
};

struct MfsMcdmScores {
  std::vector<std::size_t> feature;  ///< those that are not constant
  std::vector<double> score;         ///< of these
  bool settled = true;               ///< false where conjugate gradients stopped before they had the solution
};

/// MFS-MCDM. Hashemi, Dowlatshahi & Nezamabadi-pour (2020), Knowledge-Based Systems 206:106365:
///
///   D = (X' X + ridge I)^-1 X' Y,    T_fl = H(l) D_fl,    J(f) = |T_f - worst| / (|T_f - best| + |T_f - worst|)
///
/// X, Y     features and labels as they are, not centered; labels vary
/// best     the largest T_fl of each label, and `worst` the smallest, over all features
/// edge     constant features would act as intercepts and are left out; 0 / 0 is 0; a label whose T_fl differ by
///          rounding only, as those of copies, tells no features apart
/// cost     N d m / 2 + m^3 / 6 with m = min(N, d), and N d for each label; or conjugate gradients for each label, each
///          step of which takes two products with X, where these are expected to take less time
class MfsMcdm {
 public:
  MfsMcdm(const Features& features, const Targets& labels, const MfsMcdmOptions& options, const Context& context)
      : labels_(labels), options_(options), context_(context), n_(features.n_rows) {
    NumberReader reader(n_);
    start_.push_back(0);
    for (std::size_t f = 0; f < features.size(); ++f) {
      const Nonzeros x = reader.read(features.columns[f]);
      if (standardize(x, n_).constant) continue;
      feature_.push_back(f);
      rows_.insert(rows_.end(), x.rows, x.rows + x.size);
      values_.insert(values_.end(), x.values, x.values + x.size);
      start_.push_back(rows_.size());
    }
  }

  MfsMcdmScores scores() {
    const std::size_t d = feature_.size(), q = labels_.count.size();
    MfsMcdmScores result;
    result.feature = feature_;
    std::vector<double> t(d * q);  // a label after the other
    result.settled = iterates() ? iterate(t) : factor(t);
    std::vector<double> to_best(d, 0.0), to_worst(d, 0.0);
    for (std::size_t l = 0; l < q && d > 0; ++l) {
      double* const of_label = t.data() + l * d;
      const double weight = entropy(static_cast<double>(labels_.count[l]) / static_cast<double>(n_));
      for (std::size_t j = 0; j < d; ++j) {
        of_label[j] = weight * (options_.absolute ? std::fabs(of_label[j]) : of_label[j]);
      }
      const auto ends = std::minmax_element(of_label, of_label + d);
      const double worst = *ends.first, best = *ends.second;
      if (best - worst <= 1e-9 * std::max(std::fabs(best), std::fabs(worst))) continue;
      for (std::size_t j = 0; j < d; ++j) {
        to_best[j] += (best - of_label[j]) * (best - of_label[j]);
        to_worst[j] += (of_label[j] - worst) * (of_label[j] - worst);
      }
    }
    for (std::size_t j = 0; j < d; ++j) {
      const double best = std::sqrt(to_best[j]), worst = std::sqrt(to_worst[j]);
      result.score.push_back(best + worst == 0 ? 0 : worst / (best + worst));
    }
    return result;
  }

 private:
  static double entropy(double p) { return -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

  // Whether conjugate gradients are to be used: for matrices too large to factor, and where a hundred steps for each
  // label take less time.
  bool iterates() const {
    if (options_.solve != MfsMcdmOptions::Solve::cheaper) return options_.solve == MfsMcdmOptions::Solve::iterate;
    const double m = static_cast<double>(std::min(n_, feature_.size())), stored = static_cast<double>(values_.size());
    const double steps = 200 * stored * static_cast<double>(labels_.count.size());
    return m > 10000 || (m > 1000 && steps < m * m * m / 6 + m * stored / 2);
  }

  template <class Visit>
  void visit_column(std::size_t j, Visit visit) const {
    for (std::size_t e = start_[j]; e < start_[j + 1]; ++e) visit(static_cast<std::size_t>(rows_[e]), values_[e]);
  }

  // to = X' r.
  void transposed(const double* r, double* to) const {
    for (std::size_t j = 0; j < feature_.size(); ++j) {
      double sum = 0;
      visit_column(j, [&](std::size_t i, double x) { sum += x * r[i]; });
      to[j] = sum;
    }
  }

  // to = (X' X + ridge I) v; `product`: scratch space.
  void multiply(const double* v, std::vector<double>& product, double* to) const {
    product.assign(n_, 0.0);
    for (std::size_t j = 0; j < feature_.size(); ++j) {
      visit_column(j, [&](std::size_t i, double x) { product[i] += x * v[j]; });
    }
    transposed(product.data(), to);
    add_scaled(to, v, options_.ridge, feature_.size());
  }

  // Of all labels, by rows: y[l * n + i].
  std::vector<double> label_columns() const {
    std::vector<double> y(labels_.count.size() * n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (const int* l = labels_.begin(i); l != labels_.end(i); ++l) y[static_cast<std::size_t>(*l) * n_ + i] = 1;
    }
    return y;
  }

  // D from a factor of X' X + ridge I, or of X X' + ridge I where there are more features than rows:
  // D = X' (X X' + ridge I)^-1 Y.
  bool factor(std::vector<double>& t) {
    const std::size_t d = feature_.size();
    const bool by_rows = d > n_;
    const std::size_t m = by_rows ? n_ : d;
    Poll poll(context_);
    std::vector<double> a(m * m, 0.0);
    4 * values_.size() < n_* d ? add_sparse(by_rows, m, a, poll) : add_dense(by_rows, m, a, poll);
    for (std::size_t i = 0; i < m; ++i) a[i * m + i] += options_.ridge;
    Cholesky cholesky;
    cholesky.factor(a, m, &poll);
    std::vector<double> y = label_columns();
    for (std::size_t l = 0; l < labels_.count.size(); ++l) {
      poll(l, labels_.count.size());
      double *const of_label = y.data() + l * n_, *const to = t.data() + l * d;
      if (by_rows) cholesky.solve(of_label);
      transposed(of_label, to);
      if (!by_rows) cholesky.solve(to);
    }
    return true;
  }

  // The lower triangle of X' X or X X', from columns with all their values.
  void add_dense(bool by_rows, std::size_t m, std::vector<double>& a, Poll& poll) const {
    const std::size_t length = by_rows ? feature_.size() : n_, stride = (length + 7) / 8 * 8;
    std::vector<double> x(m * stride, 0.0), ones(length, 1.0);
    for (std::size_t j = 0; j < feature_.size(); ++j) {
      visit_column(j, [&](std::size_t i, double v) { x[by_rows ? i * stride + j : j * stride + i] = v; });
    }
    Gram()(x.data(), stride, length, ones.data(), m, a.data(), &poll);
  }

  // The same from the products of the values that are not 0: of each column for X X', of each row for X' X.
  void add_sparse(bool by_rows, std::size_t m, std::vector<double>& a, Poll& poll) const {
    std::vector<std::size_t> start(start_);
    std::vector<int> index(rows_);
    std::vector<double> value(values_);
    if (!by_rows) transpose(start, index, value);
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
      poll(k, start.size());
      for (std::size_t e = start[k]; e < start[k + 1]; ++e) {
        double* const to = a.data() + static_cast<std::size_t>(index[e]) * m;
        for (std::size_t g = start[k]; g <= e; ++g) to[index[g]] += value[e] * value[g];
      }
    }
  }

  void transpose(std::vector<std::size_t>& start, std::vector<int>& index, std::vector<double>& value) const {
    start.assign(n_ + 1, 0);
    for (const int i : rows_) ++start[static_cast<std::size_t>(i) + 1];
    for (std::size_t i = 0; i < n_; ++i) start[i + 1] += start[i];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t j = 0; j < feature_.size(); ++j) {
      visit_column(j, [&](std::size_t i, double x) {
        index[next[i]] = static_cast<int>(j);
        value[next[i]++] = x;
      });
    }
  }

  // D by conjugate gradients, one label at a time. False if the residual of some label exceeds 1e-10 of it.
  bool iterate(std::vector<double>& t) const {
    const std::size_t d = feature_.size(), q = labels_.count.size();
    std::vector<double> diagonal(d, options_.ridge);
    for (std::size_t j = 0; j < d; ++j) visit_column(j, [&](std::size_t, double x) { diagonal[j] += x * x; });
    const std::vector<double> y = label_columns();
    SharedPoll poll(context_);
    std::atomic<bool> settled{true};
    const double work = 200.0 * static_cast<double>(q) * static_cast<double>(values_.size());
    parallel_for(context_, q, work, [&](int worker, std::size_t begin, std::size_t end) {
      ConjugateGradients gradients;
      std::vector<double> right(d), image(d), product;
      bool stop = false;
      const auto step = [&](const double* v, double* to) {
        stop = stop || poll(worker, begin, q);
        if (stop) {
          std::fill(to, to + d, 0.0);  // ends the steps
        } else {
          multiply(v, product, to);
        }
      };
      for (std::size_t l = begin; l < end && !stop; ++l) {
        double* const to = t.data() + l * d;
        transposed(y.data() + l * n_, right.data());
        gradients.solve(step, diagonal, right.data(), 1e-13, 10000, to);
        multiply(to, product, image.data());
        double left = 0, all = 0;
        for (std::size_t j = 0; j < d; ++j) {
          left += (right[j] - image[j]) / diagonal[j] * (right[j] - image[j]);
          all += right[j] / diagonal[j] * right[j];
        }
        if (left > 1e-20 * all) settled = false;
      }
    });
    return settled;
  }

  const Targets& labels_;
  MfsMcdmOptions options_;
  const Context& context_;
  std::size_t n_;
  std::vector<std::size_t> feature_, start_;  // features that vary, and where their values are
  std::vector<int> rows_;
  std::vector<double> values_;
};

}  // namespace mlsift

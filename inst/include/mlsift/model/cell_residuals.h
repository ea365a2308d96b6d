#pragma once

#include <cstddef>
#include <vector>

#include "../core/vectors.h"
#include "../solve/row_descent.h"
#include "centered_columns.h"
#include "target_products.h"

namespace mlsift {

/// The state that descent keeps up to date, as residuals: C (E - (stored values of X) W), and a last row with the mean
/// of what C multiplies, for each target. For large working sets, and for columns with few values.
class CellResiduals : public LengthsByTarget {
 public:
  const CenteredColumns* x = nullptr;
  const TargetProducts* products = nullptr;
  const double *e = nullptr, *cells = nullptr;
  std::vector<std::size_t> columns;  ///< of x, in the order of the working set

  void begin(const WorkingUnits& units, std::vector<double>& state) const {
    state.assign((x->n_rows() + 1) * units.targets, 0.0);
    add_products(state.data(), cells, e, 1, x->n_rows() * units.targets);
  }

  const double* gradient(const WorkingUnits& units, std::size_t c, std::size_t size, const std::vector<double>& state) {
    const std::size_t q = units.targets;
    const double* const mean = state.data() + x->n_rows() * q;
    gradient_.resize(size * q);
    for (std::size_t k = 0; k < size; ++k) {
      double* const to = gradient_.data() + k * q;
      x->cross(columns[c + k], state.data(), q, to);
      add_products(to, products->sums(columns[c + k]), mean, -1, q);
    }
    return gradient_.data();
  }

  void moved(const WorkingUnits& units, std::size_t c, const double* delta, std::vector<double>& state) {
    const std::size_t q = units.targets;
    x->each(columns[c],
            [&](std::size_t i, double v) { add_products(state.data() + i * q, cells + i * q, delta, -v, q); });
    double* const mean = state.data() + x->n_rows() * q;
    for (std::size_t t = 0; t < q; ++t) mean[t] -= products->mean(columns[c], t) * delta[t];
  }

  double residual_squares(const WorkingUnits& units, const std::vector<double>&, const std::vector<double>& state) {
    const std::size_t q = units.targets;
    const double* const mean = state.data() + x->n_rows() * q;
    double sum = 0;
    for (std::size_t i = 0; i < x->n_rows(); ++i) {
      for (std::size_t t = 0; t < q; ++t) {
        const double c = cells[i * q + t];
        if (c == 0) continue;
        const double left = state[i * q + t] / c - mean[t];
        sum += c * left * left;
      }
    }
    return sum;
  }

 private:
  std::vector<double> gradient_;
};

}  // namespace mlsift

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../core/vectors.h"
#include "../data/standardized.h"
#include "../graph/label_graph.h"
#include "../solve/eigenpairs.h"

namespace mlsift {

/// SPEC on the label-space graph. Zhao & Liu (2007), ICML, with the weights of Yan & Li (2016). D = diag(d), L = D^-1/2
/// (D - A) D^-1/2 with eigenpairs (lambda_j, xi_j), xi_1 ~ D^1/2 1, f^ = D^1/2 f / |D^1/2 f|, alpha_j = f^' xi_j:
///
///   phi_1 = f^' L f^ = f'(D - A)f / f'Df,   phi_2 = phi_1 / (1 - alpha_1^2),
///   phi_3 = sum_{j = 2 .. kappa} (2 - lambda_j) alpha_j^2
///
/// f          features less their means (or as they are); the scores are -phi_1, -phi_2, phi_3
/// groups     f'Af = Z'SZ - sum_i S_ii f_i^2 with Z the sums of f over label sets. Differences within the set g are
///            eigenvectors of value 1 + S_gg / d_g; what is constant within sets is a problem of G x G
/// zero       the degree that rows without a neighbor get; with 0 they do not count
/// edge       constant features, and those with f'Df = 0, have no score (-infinity); phi_2 also where f is constant on
///            the rows that have neighbors. phi_3 takes all pairs whose value equals lambda_kappa, so no choice among
///            them matters.
/// cost       O(entries + pairs of sets that share a label) for each feature; G numbers for each feature of a block
///            (8 MB, or 64 MB where similarities are not kept), and 12 bytes for each such pair where they fit into
///            64 MB (phi_3, which visits them often: 256 MB)
struct SpecOptions {
  int phi = 1;
  double zero_degree = 0;
  std::size_t kappa = 2;
  bool center = true;
  double most_bytes = -1;  ///< for similarities that are kept; below 0: 64 MB, with phi_3 256 MB
};

class Spec {
 public:
  Spec(const Features& features, const LabelGraph& graph, const SpecOptions& options, const Context& context)
      : features_(features),
        to_(standardize(features)),
        graph_(graph),
        options_(options),
        table_(graph, options.most_bytes < 0 ? (options.phi == 3 ? 268435456 : 67108864) : options.most_bytes, context),
        degree_(degrees(graph, context)) {
    for (std::size_t g = 0; g < graph.size(); ++g) {
      if (degree_[g] > 0)
        total_degree_ += degree_[g] * graph.count(g), rows_with_ += graph.count(g);
      else
        total_zero_ += options.zero_degree * graph.count(g);
    }
    if (options.phi == 3) decompose(context);
  }

  bool any_edge() const { return total_degree_ > 0; }

  std::vector<double> scores(const Context& context) const {
    const std::size_t d = features_.size(), g = std::max<std::size_t>(graph_.size(), 1);
    const double work = static_cast<double>(d) * (static_cast<double>(features_.n_rows) + graph_.most_similarities());
    const std::size_t workers = worker_count(context, d, work);
    // Similarities that are not kept are recomputed for each block, so blocks of 64 MB pay off.
    const std::size_t room = table_.kept() || options_.phi == 3 ? 1000000 : 8000000;
    const std::size_t width =
        std::max<std::size_t>(1, std::min({std::max<std::size_t>(16, room / g), (d + workers - 1) / workers,
                                           std::size_t{room == 1000000 ? 256u : 1024u}}));
    const std::size_t blocks = (d + width - 1) / width;
    std::vector<double> result(d);
    std::vector<Scratch> scratch;
    for (std::size_t w = 0; w < std::min(workers, blocks); ++w)
      scratch.emplace_back(features_.n_rows, graph_, w == 0 ? context : Context());
    Context all = context;
    all.threads = static_cast<int>(workers);
    parallel_for(all, blocks, work, [&](int worker, std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        score_block(b * width, std::min(d, (b + 1) * width), scratch[static_cast<std::size_t>(worker)], result);
    });
    return result;
  }

 private:
  // Sums of one feature v = (x - shift) / scale; f = v - offset.
  struct Sums {
    double offset = 0;
    double squares = 0;   // f'Df, rows of degree 0 included
    double zeros = 0;     // their part of it
    double centered = 0;  // the same of f less its mean by degree
    double own = 0;       // sum_i (d_i + S_ii) v_i^2, rows of degree 0 left out
    double within = 0;    // of phi_3: pairs of differences within sets
  };

  struct Scratch {
    Scratch(std::size_t n, const LabelGraph& graph, const Context& context) : polled(context), reader(n), row(graph) {}
    Context polled;  // empty but for the main thread: a block may take seconds
    NumberReader reader;
    SimilarityRow row;
    std::vector<double> z, sum, quadratic;
    std::vector<Sums> sums;
    std::vector<std::vector<int>> set, of_set;  // see list_nonzeros()
    std::vector<std::vector<double>> value;
  };

  void score_block(std::size_t from, std::size_t to, Scratch& s, std::vector<double>& result) const {
    const std::size_t width = to - from;
    s.z.assign(graph_.size() * width, 0.0);
    s.sums.assign(width, Sums());
    s.sum.resize(width);
    s.quadratic.assign(width, 0.0);
    for (std::size_t f = 0; f < width; ++f) {
      if (!to_[from + f].constant) read(from + f, f, width, s);
    }
    options_.phi == 3 ? project(width, s) : multiply(width, s);
    for (std::size_t f = 0; f < width; ++f)
      result[from + f] = to_[from + f].constant ? worst : score(s.sums[f], s.quadratic[f]);
  }

  double score(const Sums& sums, double quadratic) const {
    if (!(sums.squares > 0)) return worst;
    if (options_.phi == 3) return (quadratic + sums.within) / sums.squares;
    const double rough = std::max(0.0, sums.own - quadratic) + sums.zeros;
    if (options_.phi == 1) return -rough / sums.squares;
    const double left = sums.centered + sums.zeros;
    return left > 1e-20 * sums.squares ? -rough / left : worst;
  }

  void read(std::size_t feature, std::size_t f, std::size_t width, Scratch& s) const {
    const Standardized& to = to_[feature];
    const Nonzeros x = s.reader.read(features_.columns[feature]);
    Sums& sums = s.sums[f];
    sums.offset = ((options_.center ? to.mean : 0) - to.shift) / to.scale;
    double by_degree = 0, seen = 0, seen_rows = 0, zeros_left = total_zero_;
    for (std::size_t e = 0; e < x.size; ++e) {
      const std::size_t g = graph_.group(static_cast<std::size_t>(x.rows[e]));
      const double v = to.value(x.values[e]), from_mean = v - sums.offset, degree = degree_[g];
      s.z[g * width + f] += v;
      if (degree > 0) {
        sums.squares += degree * from_mean * from_mean;
        sums.own += (degree + graph_.own(g)) * v * v;
        if (!within_.empty()) sums.within += within_[g] * v * v;
        by_degree += degree * v;
        seen += degree;
        ++seen_rows;
      } else {
        sums.zeros += options_.zero_degree * from_mean * from_mean;
        zeros_left -= options_.zero_degree;
      }
    }
    const double left = seen_rows < rows_with_ ? std::max(0.0, total_degree_ - seen) : 0;
    sums.zeros += std::max(0.0, zeros_left) * sums.offset * sums.offset;
    sums.squares += left * sums.offset * sums.offset + sums.zeros;
    if (options_.phi == 2 && seen > 0) sums.centered = center(to, x, by_degree / total_degree_, left);
    if (options_.phi == 3) {
      for (std::size_t g = 0; g < within_.size(); ++g) {
        const double z = s.z[g * width + f];
        if (z != 0) sums.within -= within_[g] * z * z / graph_.count(g);
      }
      sums.within = std::max(0.0, sums.within) + isolated_ * sums.zeros;
    }
  }

  double center(const Standardized& to, const Nonzeros& x, double mean, double left) const {
    double sum = left * mean * mean;
    for (std::size_t e = 0; e < x.size; ++e) {
      const double v = to.value(x.values[e]) - mean;
      sum += degree_[graph_.group(static_cast<std::size_t>(x.rows[e]))] * v * v;
    }
    return sum;
  }

  // quadratic = Z'SZ, the rows of degree 0 left out.
  void multiply(std::size_t width, Scratch& s) const {
    if (!table_.kept() && list_nonzeros(width, s)) return multiply_nonzeros(width, s);
    Poll poll(s.polled);
    for (std::size_t g = 0; g < graph_.size(); ++g) {
      poll(g, graph_.size());
      if (!(degree_[g] > 0)) continue;
      std::fill(s.sum.begin(), s.sum.end(), 0.0);
      double* const sum = s.sum.data();
      table_.visit(g, s.row, [&](std::size_t other, double similarity) {
        const double weight = other == g ? similarity : 2 * similarity;
        const double* const z = s.z.data() + other * width;
        add_scaled(sum, z, weight, width);
      });
      const double* const z = s.z.data() + g * width;
      for (std::size_t f = 0; f < width; ++f) s.quadratic[f] += z[f] * sum[f];
    }
  }

  // s.set, s.value: the sets in which each feature has a sum that is not 0. False where they are so many that one
  // visits all of them at once sooner.
  bool list_nonzeros(std::size_t width, Scratch& s) const {
    s.set.assign(width, std::vector<int>());
    s.value.assign(width, std::vector<double>());
    s.of_set.assign(graph_.size(), std::vector<int>());
    double pairs = 0;
    for (std::size_t g = 0; g < graph_.size(); ++g) {
      if (!(degree_[g] > 0)) continue;
      for (std::size_t f = 0; f < width; ++f) {
        const double z = s.z[g * width + f];
        if (z == 0) continue;
        s.set[f].push_back(static_cast<int>(g));
        s.value[f].push_back(z);
        s.of_set[g].push_back(static_cast<int>(f));
        pairs += static_cast<double>(s.set[f].size());
      }
    }
    return 8 * pairs < graph_.most_similarities() * static_cast<double>(width) / 2;
  }

  // The same sums in the same order as in multiply(), without the terms that are 0: by the first label that two sets
  // share, then by set.
  void multiply_nonzeros(std::size_t width, Scratch& s) const {
    Poll poll(s.polled);
    std::vector<int> first(graph_.size()), bucket;
    std::vector<std::size_t> next;
    std::vector<std::size_t> reached(width, 0);  // by feature: its sets up to the current one
    std::vector<double> weight, z;
    for (std::size_t g = 0; g < graph_.size(); ++g) {
      poll(g, graph_.size());
      if (s.of_set[g].empty()) continue;
      // Sets that share no label come last.
      const std::size_t n_labels = graph_.sets().sets[g].size();
      std::fill(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(g) + 1, static_cast<int>(n_labels));
      s.row.load(g, g + 1, first.data());
      for (const int of_g : s.of_set[g]) {
        const std::size_t f = static_cast<std::size_t>(of_g), n = ++reached[f];
        const int* const set = s.set[f].data();
        const double* const value = s.value[f].data();
        if (weight.size() < n) {
          bucket.resize(2 * n);
          weight.resize(2 * n);
          z.resize(2 * n);
        }
        next.assign(n_labels + 2, 0);
        for (std::size_t i = 0; i < n; ++i) {
          bucket[i] = first[static_cast<std::size_t>(set[i])];
          ++next[static_cast<std::size_t>(bucket[i]) + 1];
        }
        for (std::size_t j = 1; j <= n_labels; ++j) next[j] += next[j - 1];
        const std::size_t met = next[n_labels];
        for (std::size_t i = 0; i < n; ++i) {
          const double similarity = s.row[static_cast<std::size_t>(set[i])];
          const std::size_t at = next[static_cast<std::size_t>(bucket[i])]++;
          weight[at] = i + 1 == n ? similarity : 2 * similarity;  // the last one is g
          z[at] = value[i];
        }
        double sum = 0;
        for (std::size_t i = 0; i < met; ++i) sum += weight[i] * z[i];
        s.quadratic[f] += value[n - 1] * sum;
      }
    }
  }

  // quadratic = sum_j (2 - lambda_j) (f'D^1/2 xi_j)^2 over vectors that are constant within sets.
  void project(std::size_t width, Scratch& s) const {
    for (std::size_t j = 0; j < pairs_.value.size(); ++j) {
      std::fill(s.sum.begin(), s.sum.end(), 0.0);
      for (std::size_t p = 0; p < connected_.size(); ++p) {
        const std::size_t g = connected_[p];
        const double weight = std::sqrt(degree_[g] / graph_.count(g)) * pairs_.vector[j][p];
        for (std::size_t f = 0; f < width; ++f)
          s.sum[f] += weight * (s.z[g * width + f] - s.sums[f].offset * graph_.count(g));
      }
      for (std::size_t f = 0; f < width; ++f) s.quadratic[f] += (2 - pairs_.value[j]) * s.sum[f] * s.sum[f];
    }
  }

  // The kappa - 1 smallest eigenpairs beside xi_1, of all three sorts.
  void decompose(const Context& context) {
    std::vector<std::size_t> place(graph_.size());
    std::vector<double> root;
    std::vector<std::vector<double>> first(1);
    for (std::size_t g = 0; g < graph_.size(); ++g) {
      if (!(degree_[g] > 0)) continue;
      place[g] = connected_.size();
      connected_.push_back(g);
      root.push_back(std::sqrt(graph_.count(g) / degree_[g]));
      first[0].push_back(std::sqrt(graph_.count(g) * degree_[g] / total_degree_));
    }
    SimilarityRow row(graph_);
    const auto laplacian = [&](const std::vector<double>& x, std::vector<double>& y) {
      for (std::size_t p = 0; p < x.size(); ++p) y[p] = (1 + graph_.own(connected_[p]) / degree_[connected_[p]]) * x[p];
      Poll poll(context);
      for (std::size_t p = 0; p < x.size(); ++p) {
        poll(p, x.size());
        table_.visit(connected_[p], row, [&](std::size_t other, double similarity) {
          const std::size_t o = place[other];
          const double entry = similarity * root[p] * root[o];
          y[p] -= entry * x[o];
          if (o != p) y[o] -= entry * x[p];
        });
      }
    };
    if (connected_.empty()) first.clear();
    pairs_ = smallest_eigenpairs(connected_.size(), options_.kappa - 1, first, laplacian, context);
    cut();
  }

  // Merges them with the values of differences within sets and of rows of degree 0, and keeps those up to lambda_kappa.
  void cut() {
    std::vector<std::pair<double, double>> values;  // and how often
    for (const double value : pairs_.value) values.push_back({value, 1});
    for (const std::size_t g : connected_) {
      if (graph_.count(g) > 1) values.push_back({1 + graph_.own(g) / degree_[g], graph_.count(g) - 1});
    }
    if (total_zero_ > 0) values.push_back({1, static_cast<double>(features_.n_rows) - rows_with_});
    std::sort(values.begin(), values.end());
    double limit = std::numeric_limits<double>::infinity(), count = 1;
    for (std::size_t i = 0; i < values.size() && count < static_cast<double>(options_.kappa); ++i) {
      count += values[i].second;
      if (count >= static_cast<double>(options_.kappa)) limit = values[i].first + 1e-9;
    }
    const std::size_t kept = static_cast<std::size_t>(
        std::upper_bound(pairs_.value.begin(), pairs_.value.end(), limit) - pairs_.value.begin());
    pairs_.value.resize(kept);
    pairs_.vector.resize(kept);
    isolated_ = 1 <= limit ? 1 : 0;
    for (const std::size_t g : connected_) {
      const double value = 1 + graph_.own(g) / degree_[g];
      if (graph_.count(g) <= 1 || value > limit) continue;
      within_.resize(graph_.size(), 0.0);
      within_[g] = (2 - value) * degree_[g];
    }
  }

  static constexpr double worst = -std::numeric_limits<double>::infinity();

  const Features& features_;
  std::vector<Standardized> to_;
  const LabelGraph& graph_;
  SpecOptions options_;
  SimilarityTable table_;
  std::vector<double> degree_;
  double total_degree_ = 0, total_zero_ = 0, rows_with_ = 0;
  Eigenpairs pairs_;  // by the sets that have a degree
  std::vector<std::size_t> connected_;
  std::vector<double> within_;  // weight of differences within each set; empty: of none
  double isolated_ = 0;
};

}  // namespace mlsift

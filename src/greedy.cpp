#include "context.h"
#include "convert.h"
#include "counted.h"
#include "path.h"

#include <mlsift/criteria/cmi.h>
#include <mlsift/criteria/cmim.h>
#include <mlsift/criteria/d2f2015.h>
#include <mlsift/criteria/jim.h>
#include <mlsift/criteria/jmi.h>
#include <mlsift/criteria/jmi3.h>
#include <mlsift/criteria/jmim.h>
#include <mlsift/criteria/label_interaction.h>
#include <mlsift/criteria/label_pairs_known.h>
#include <mlsift/criteria/linear.h>
#include <mlsift/criteria/mdmr.h>
#include <mlsift/criteria/normalized_terms.h>
#include <mlsift/criteria/scls.h>
#include <mlsift/search/filter_tables.h>
#include <mlsift/search/rank.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>

namespace {

using Criterion = std::unique_ptr<mlsift::GreedyCriterion>;
using Divisor = mlsift::Informations::Divisor;

template <class Type>
Criterion plain(const Rcpp::List&, const std::vector<double>&) {
  return std::make_unique<Type>();
}

Criterion linear(const Rcpp::List& criterion, const std::vector<double>& interaction) {
  const Rcpp::List w = criterion["weights"];
  const mlsift::LinearWeights weights{w["relevance"], w["label_interaction"], w["redundancy"], w["conditional"],
                                      w["average"]};
  return std::make_unique<mlsift::Linear>(weights, interaction);
}

Criterion normalized_jmi(const Rcpp::List&, const std::vector<double>&) {
  return std::make_unique<mlsift::SumNormalized>(mlsift::Normalized{Divisor::root_of_entropies});
}

template <class Type>
Criterion by_joint_entropy(const Rcpp::List& criterion, const std::vector<double>&) {
  const Rcpp::List first = criterion["first"];
  return std::make_unique<Type>(mlsift::Normalized{Divisor::joint_entropy, Rcpp::as<bool>(first["normalized"]),
                                                   Rcpp::as<double>(first["log2_base"])});
}

// All greedy criteria of informations by name.
const std::map<std::string, Criterion (*)(const Rcpp::List&, const std::vector<double>&)> criteria = {
    {"linear", linear},
    {"scls", plain<mlsift::Scls>},
    {"mdmr", plain<mlsift::Mdmr>},
    {"d2f2015", plain<mlsift::D2f2015>},
    {"jmi", plain<mlsift::Jmi>},
    {"jmi3", plain<mlsift::Jmi3>},
    {"cmi", plain<mlsift::Cmi>},
    {"jim", plain<mlsift::Jim>},
    {"jmim", plain<mlsift::Jmim>},
    {"cmim", plain<mlsift::Cmim>},
    {"normalized_jmi", normalized_jmi},
    {"disr", by_joint_entropy<mlsift::SumNormalized>},
    {"njmim", by_joint_entropy<mlsift::LeastNormalized>},
};

Criterion criterion_of(const Rcpp::List& criterion, const std::vector<double>& interaction) {
  return criteria.at(Rcpp::as<std::string>(criterion["name"]))(criterion, interaction);
}

// `state`: of an earlier run, or NULL. end: 0 complete, 1 min_gain, 2 max_seconds, 3 interrupted.
Rcpp::List run_greedy(mlsift::GreedyCriterion& criterion, mlsift::Informations& data, const Rcpp::List& options,
                      SEXP state, const mlsift::Context& context) {
  const mlsift::GreedyState begin = mlsift_glue::named_vectors(state);
  criterion.start(data, begin);
  std::vector<double> relevance;
  for (std::size_t f = 0; f < data.size(); ++f) relevance.push_back(data.relevance(static_cast<int>(f)));
  const mlsift::GreedyOptions wanted = mlsift_glue::greedy_options(options);
  Rcpp::List result = mlsift_glue::as_list(mlsift::greedy(criterion, data.size(), wanted, context, !begin.empty()));
  result["state"] = Rcpp::wrap(criterion.state());
  result["relevance"] = relevance;
  return result;
}

const std::map<std::string, mlsift::PairSum> pair_sums = {{"interaction", mlsift::PairSum::interaction},
                                                          {"given", mlsift::PairSum::given},
                                                          {"sum", mlsift::PairSum::sum},
                                                          {"largest", mlsift::PairSum::largest}};

}  // namespace

// Greedy selection by pairs and triples of discrete variables. `rows`: see counted.h; `criterion`: list(name, and
// what it needs), `interaction`: ld(f) or empty. The rest as in run_greedy().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_greedy(SEXP rows, const Rcpp::List& criterion, const std::vector<double>& interaction,
                      const Rcpp::List& options, SEXP state, const mlsift::Context& context) {
  const Criterion selected = criterion_of(criterion, interaction);
  return mlsift_glue::guarded([&] {
    mlsift::Informations data(mlsift_glue::rows_to_count(rows).joint(selected->needs_targets(), context));
    return run_greedy(*selected, data, options, state, context);
  });
}

// The tables of cpp_greedy() for a search that runs the criterion repeatedly on the same rows; see cpp_search().
// [[Rcpp::export(rng = false)]]
SEXP cpp_filter_tables(SEXP rows, const Rcpp::List& criterion, const std::vector<double>& interaction,
                       const mlsift::Context& context) {
  const auto make = [criterion, interaction] { return criterion_of(criterion, interaction); };
  return mlsift_glue::guarded([&] {
    auto data = std::make_unique<mlsift::Informations>(
        mlsift_glue::rows_to_count(rows).joint(make()->needs_targets(), context));
    auto* tables = new mlsift::FilterTables(std::move(data), make);
    return SEXP(Rcpp::XPtr<mlsift::FilterTables>(tables, true));
  });
}

// What pairs of the labels `labels` (numbers from 1) add, by feature in bits. `kind`: "interaction", "sum" or
// "largest", with unknown labels also "given".
// [[Rcpp::export(rng = false)]]
std::vector<double> cpp_label_pairs(SEXP rows, SEXP labels, const std::string& kind, const mlsift::Context& context) {
  const mlsift_glue::RowsToCount& labeled = mlsift_glue::rows_to_count(rows);
  const std::vector<int> wanted = mlsift_glue::from_zero(labels);
  const auto pairs = labeled.with_classes(labeled.label_pairs(wanted));
  const double steps = 8.0 * static_cast<double>(pairs->targets().size());
  const mlsift::PairSum sum = pair_sums.at(kind);
  const auto scores = [&](const auto& criterion) {
    return mlsift_glue::guarded([&] { return mlsift::score_features(*pairs, criterion, context, steps); });
  };
  return mlsift_glue::with_xlogx(
      labeled, pairs->targets().n, wanted.size(),
      [&](const auto& g) {
        if (labeled.margins().any_missing()) return scores(mlsift::KnownLabelPairs(pairs->targets(), g, sum));
        return scores(mlsift::LabelInteraction(pairs->targets(), g, sum));
      },
      static_cast<std::size_t>(steps * static_cast<double>(pairs->size())));
}

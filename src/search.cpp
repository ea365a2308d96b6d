#include "context.h"
#include "convert.h"

#include <mlsift/search/filter_tables.h>
#include <mlsift/search/genetic_search.h>
#include <mlsift/search/sequential_search.h>
#include <mlsift/search/swarm_search.h>

#include <string>
#include <vector>

// The interface of searches to R, which asks for sets of features, evaluates them and reports their values. Feature
// numbers start at 1 in R.

namespace {

using Search = Rcpp::XPtr<mlsift::SubsetSearch>;

std::vector<mlsift::Subset> subsets_of(const Rcpp::List& sets) {
  std::vector<mlsift::Subset> result;
  for (const SEXP set : sets) result.push_back(mlsift_glue::from_zero(set));
  return result;
}

const mlsift::Uniform uniform = [] { return R::unif_rand(); };

std::size_t size(const Rcpp::List& options, const char* name) {
  return static_cast<std::size_t>(Rcpp::as<int>(options[name]));
}

// `filter`: NULL, what cpp_filter_tables() returned, or a function of feature numbers.
mlsift::GeneticSearch::Explore explorer(SEXP filter) {
  if (Rf_isFunction(filter)) {
    const Rcpp::Function explore(filter);
    return [explore](const mlsift::Subset& set) { return mlsift_glue::from_zero(explore(mlsift_glue::from_one(set))); };
  }
  const Rcpp::XPtr<mlsift::FilterTables> tables(filter);
  return [tables](const mlsift::Subset& set) { return tables->explore(set); };
}

}  // namespace

// `method`: "genetic", "exploring", "memetic", "nondominated", "swarm", "sequential". `state`: of an earlier search, or
// NULL.
// [[Rcpp::export(rng = false)]]
SEXP cpp_search(std::string method, Rcpp::List options, SEXP filter, SEXP state) {
  const mlsift::SearchState from = mlsift_glue::named_vectors(state);
  const std::size_t d = size(options, "n_features"), bound = size(options, "bound");
  if (method == "sequential") {
    mlsift::SequentialSearch::Options wanted;
    wanted.n_features = d;
    wanted.bound = bound;
    wanted.forward = options["forward"];
    wanted.floating = options["floating"];
    return Search(new mlsift::SequentialSearch(wanted, from), true);
  }
  if (method == "swarm") {
    mlsift::SwarmSearch::Options wanted;
    wanted.n_features = d;
    wanted.bound = bound;
    wanted.particles = size(options, "population");
    wanted.threshold = options["threshold"];
    wanted.archive = options["archive"];
    wanted.evaluations = Rcpp::as<int>(options["evaluations"]);
    wanted.start = subsets_of(options["start"]);
    return Search(new mlsift::SwarmSearch(wanted, from), true);
  }
  const mlsift::GeneticOperators operators(d, bound);
  mlsift::GeneticSearch::Options wanted;
  wanted.population = size(options, "population");
  wanted.start = subsets_of(options["start"]);
  if (method == "nondominated") wanted.survival = mlsift::least_crowded;
  if (method == "exploring") wanted.explore = explorer(filter);
  if (method == "memetic") {
    const Rcpp::XPtr<mlsift::FilterTables> tables(filter);
    const mlsift::FilterRefinement refine(operators, tables->pairs(), Rcpp::as<int>(options["evaluations"]));
    // The external pointer is held for as long as its tables are used.
    wanted.refine = [tables, refine](const mlsift::Subset& set, int spent, const mlsift::Uniform& random) {
      return refine(set, spent, random);
    };
    wanted.refined = size(options, "refine");
    wanted.copies = size(options, "copies");
  }
  return Search(new mlsift::GeneticSearch(operators, wanted, from), true);
}

// list(features, operator): the sets to be evaluated next.
// [[Rcpp::export]]
Rcpp::List cpp_search_ask(SEXP search, int spent) {
  const std::vector<mlsift::Proposal> proposals =
      mlsift_glue::guarded([&] { return Search(search)->ask(spent, uniform); });
  using mlsift::Proposal;
  using mlsift_glue::each;
  return Rcpp::List::create(
      Rcpp::_["features"] =
          each<Rcpp::List>(proposals, [](const Proposal& one) { return mlsift_glue::from_one(one.features); }),
      Rcpp::_["operator"] = each<Rcpp::CharacterVector>(proposals, [](const Proposal& one) { return one.made_by; }));
}

// The values of the sets of cpp_search_ask().
// [[Rcpp::export]]
void cpp_search_tell(SEXP search, Rcpp::List features, std::vector<double> values) {
  std::vector<mlsift::Proposal> proposals;
  for (mlsift::Subset& set : subsets_of(features)) proposals.push_back({std::move(set), ""});
  Search(search)->tell(proposals, values, uniform);
}

// list(features, value).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_search_solutions(SEXP search, bool nondominated) {
  using mlsift::Solution;
  using mlsift_glue::each;
  std::vector<Solution> found = Search(search)->solutions();
  if (nondominated) found = mlsift::nondominated(found);
  return Rcpp::List::create(
      Rcpp::_["features"] =
          each<Rcpp::List>(found, [](const Solution& one) { return mlsift_glue::from_one(one.features); }),
      Rcpp::_["value"] = each<Rcpp::NumericVector>(found, [](const Solution& one) { return one.value; }));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_search_state(SEXP search) { return Rcpp::wrap(Search(search)->state()); }

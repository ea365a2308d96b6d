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

using mlsift_glue::each;
using mlsift_glue::from_one;
using mlsift_glue::from_zero;
using mlsift_glue::lists_from_zero;
using Search = Rcpp::XPtr<mlsift::SubsetSearch>;

const mlsift::Uniform uniform = [] { return R::unif_rand(); };

// `filter`: NULL, what cpp_filter_tables() returned, or a function of feature numbers.
mlsift::GeneticSearch::Explore explorer(SEXP filter) {
  if (Rf_isFunction(filter)) {
    const Rcpp::Function explore(filter);
    return [explore](const mlsift::Subset& set) { return from_zero(explore(from_one(set))); };
  }
  const Rcpp::XPtr<mlsift::FilterTables> tables(filter);
  return [tables](const mlsift::Subset& set) { return tables->explore(set); };
}

}  // namespace

// `method`: "genetic", "exploring", "memetic", "nondominated", "swarm", "sequential". `state`: of an earlier search, or
// NULL.
// [[Rcpp::export(rng = false)]]
SEXP cpp_search(const std::string& method, const Rcpp::List& options, SEXP filter, SEXP state) {
  const mlsift::SearchState from = mlsift_glue::named_vectors(state);
  const std::size_t d = options["n_features"], bound = options["bound"];
  if (method == "sequential") {
    const mlsift::SequentialSearch::Options wanted{d, bound, options["forward"], options["floating"]};
    return Search(new mlsift::SequentialSearch(wanted, from), true);
  }
  if (method == "swarm") {
    const mlsift::SwarmSearch::Options wanted{d,
                                              bound,
                                              options["population"],
                                              options["threshold"],
                                              options["archive"],
                                              options["evaluations"],
                                              lists_from_zero(options["start"])};
    return Search(new mlsift::SwarmSearch(wanted, from), true);
  }
  const mlsift::GeneticOperators operators(d, bound);
  mlsift::GeneticSearch::Options wanted;
  wanted.population = options["population"];
  wanted.start = lists_from_zero(options["start"]);
  if (method == "nondominated") wanted.survival = mlsift::least_crowded;
  if (method == "exploring") wanted.explore = explorer(filter);
  if (method == "memetic") {
    const Rcpp::XPtr<mlsift::FilterTables> tables(filter);
    const mlsift::FilterRefinement refine(operators, tables->pairs(), Rcpp::as<int>(options["evaluations"]));
    // The external pointer is held for as long as its tables are used.
    wanted.refine = [tables, refine](const mlsift::Subset& set, int spent, const mlsift::Uniform& random) {
      return refine(set, spent, random);
    };
    wanted.refined = options["refine"];
    wanted.copies = options["copies"];
  }
  return Search(new mlsift::GeneticSearch(operators, wanted, from), true);
}

// list(features, operator): the sets to be evaluated next.
// [[Rcpp::export]]
Rcpp::List cpp_search_ask(SEXP search, int spent) {
  const std::vector<mlsift::Proposal> proposals =
      mlsift_glue::guarded([&] { return Search(search)->ask(spent, uniform); });
  using mlsift::Proposal;
  return Rcpp::List::create(
      Rcpp::_["features"] = each<Rcpp::List>(proposals, [](const Proposal& one) { return from_one(one.features); }),
      Rcpp::_["operator"] = each<Rcpp::CharacterVector>(proposals, &Proposal::made_by));
}

// The values of the sets of cpp_search_ask().
// [[Rcpp::export]]
void cpp_search_tell(SEXP search, const Rcpp::List& features, const std::vector<double>& values) {
  std::vector<mlsift::Proposal> proposals;
  for (mlsift::Subset& set : lists_from_zero(features)) proposals.push_back({std::move(set), ""});
  Search(search)->tell(proposals, values, uniform);
}

// list(features, value).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_search_solutions(SEXP search, bool nondominated) {
  using mlsift::Solution;
  std::vector<Solution> found = Search(search)->solutions();
  if (nondominated) found = mlsift::nondominated(found);
  return Rcpp::List::create(
      Rcpp::_["features"] = each<Rcpp::List>(found, [](const Solution& one) { return from_one(one.features); }),
      Rcpp::_["value"] = each<Rcpp::NumericVector>(found, &Solution::value));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_search_state(SEXP search) { return Rcpp::wrap(Search(search)->state()); }

#pragma once

#include <Rcpp.h>
#include <mlsift/search/greedy.h>

// The options of greedy selectors, and the path they return.

namespace mlsift_glue {

mlsift::GreedyOptions greedy_options(const Rcpp::List& options);

Rcpp::List as_list(const mlsift::GreedyPath& path);

}  // namespace mlsift_glue

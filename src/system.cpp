#include "context.h"

// [[Rcpp::export(rng = false)]]
int hardware_threads() { return mlsift::hardware_threads(); }

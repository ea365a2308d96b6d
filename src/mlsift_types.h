#pragma once

// RcppExports.cpp includes this file first: what exported functions take and Rcpp does not know.

// Headers of RcppArmadillo use sugar, which Makevars leaves out. clang refuses them without it.
#undef RCPP_NO_SUGAR
#include <RcppArmadillo.h>

#include "context.h"
#include "convert.h"

#pragma once

// RcppExports.cpp includes this file first: what exported functions take and Rcpp does not know.

#include <RcppArmadillo.h>

#include "context.h"
#include "convert.h"

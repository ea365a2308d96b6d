library(testthat)
library(mlsift)

test_check("mlsift")

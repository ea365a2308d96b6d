# Checks over many data sets what sift() promises as a whole, in about ten minutes, with the installed package:
#   Rscript tools/outcomes.R
# To be run before a release. The exit status is 1 if something failed.

Sys.setenv(MLSIFT_OUTCOMES = "true", NOT_CRAN = "true")
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
testthat::test_file(file.path(root, "tests", "testthat", "test-outcomes.R"), package = "mlsift",
  load_package = "installed", stop_on_failure = TRUE)

# Every test file runs by default, in a few minutes. With MLSIFT_TESTS=all in the environment, as after
# `Rscript tools/test.R --all` and in .ci/run, they try every case of long lists and all random designs, and the tests
# that take long: crossings of all selectors or learners with all kinds of rows whose parts have tests of their own,
# results at size, pictures of every size, and limits by the clock.
all_tests <- function() identical(Sys.getenv("MLSIFT_TESTS"), "all")

skip_unless_all <- function() testthat::skip_if_not(all_tests(), "This takes long: Rscript tools/test.R --all")

# In an older version than DESCRIPTION asks for, too.
skip_if_not_installed <- function(package) testthat::skip_if_not_installed(package, format(least_version(package)))

# The first n of them.
first_or_all <- function(x, n) if (all_tests()) x else utils::head(x, n)

# Every n-th of them, others for another `turn`: a loop whose turns are the other loop around tries each of both.
some_or_all <- function(x, turn, n = 3L) if (all_tests()) x else x[seq_along(x) %% n == turn %% n]

# A function without arguments that computes its value at the first call: for what several tests of a file look at.
made_once <- function(make) {
  value <- NULL
  function() value <<- value %||% make()
}

# No messages and warnings of the package: where thousands would be muffled, laying them out takes longer than the rest.
local_no_words <- function(.env = parent.frame()) {
  silent <- function(...) invisible()
  testthat::local_mocked_bindings(inform = silent, warn = silent, .package = "mlsift", .env = .env)
}

# Pages of HTML without their pictures, which are most of the time. test-report-write.R draws those of a report.
local_no_pictures <- function(.env = parent.frame()) {
  if (all_tests()) return(invisible())
  without <- function(draw, width, height, alt) {
    paste0("<figure><img src=\"data:image/png;base64,\" alt=\"", escape_html(alt), "\"></figure>")
  }
  testthat::local_mocked_bindings(html_picture = without, .package = "mlsift", .env = .env)
}

# Answers of sift() with few draws of random features, which are much of the time that small ones take.
local_few_draws <- function(.env = parent.frame()) {
  if (!all_tests()) testthat::local_mocked_bindings(n_draws = 3L, .package = "mlsift", .env = .env)
}

# Public data sets, with the features as other people's programs were given them.

emotions <- function() {
  skip_if_not_installed("mldr.datasets")
  as_mltask(mldr.datasets::emotions)
}

# Features 3 and 4 (area, population) are cut into three levels of equal frequency, the others are discrete as they
# stand.
flags <- function() {
  skip_if_not_installed("mldr.datasets")
  task <- as_mltask(mldr.datasets::flags)
  discrete <- stats::setNames(!feature_names(task) %in% c("area", "population"), feature_names(task))
  suppressMessages(mltask(features(task), targets(task), discrete = discrete))
}

expect_scores <- function(task, selector, index, score, ...) {
  expect_equal(scores_of(task, selector, ..., words = TRUE)[index], score, tolerance = 1e-12)
}

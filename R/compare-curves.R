#' The best number of features
#'
#' `best_k()` gives for each task and selector the best mean over splits that its curve reaches, and the number (or
#' share) of features at which it does so. The best of many values looks better than it is: to choose a number of
#' features and to measure what it is worth, use [sel_best()].
#'
#' @param bench An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param measure (character) Names of measures. `NULL` uses all measures.
#' @param learner (character) Names of learners. `NULL` uses all learners.
#' @return A data frame of class `mlbestk` with the columns `task`, `selector`, `learner`, `measure`, `k` (or `prop`),
#'   `value` (the mean over splits) and `sd` (over splits). Where several points of the grid are equally good, it is the
#'   smallest. A selector with missing values is described by what is there.
#' @family comparisons
#' @examples
#' package <- sub("::.*", "", rownames(help_pages))
#' tasks <- list(base = help_pages[package == "base", ], stats = help_pages[package == "stats", ])
#' set.seed(1)
#' bench <- benchmark_selectors(tasks, list(sel_mim(), sel_cmim(), sel_random()), lrn_nb(),
#'   rs_holdout(repeats = 3), k = c(5, 10, 20), measures = "average_precision"
#' )
#' best_k(bench, "average_precision")
#' @export
best_k <- function(bench, measure = NULL, learner = NULL) {
  rows <- do.call(rbind, lapply(bench_settings(bench, measure, learner), function(found) {
    out <- data.frame(
      task = rep(found$tasks, each = length(found$selectors)), selector = rep(found$selectors, length(found$tasks)),
      learner = found$learner, measure = found$measure
    )
    points <- do.call(rbind, lapply(unname(found$values[found$tasks]), best_points, found$direction))
    out[[found$by]] <- points$at
    cbind(out, points[c("value", "sd")])
  }))
  structure(renumbered(rows), class = c("mlbestk", "data.frame"))
}

# The best point of each selector: at, value, sd.
best_points <- function(cells, direction) {
  means <- colMeans(cells)
  at <- apply(means, 2L, function(v) which(is_best(v, direction))[1L])
  spread <- apply(cells, 2:3, stats::sd)
  pick <- cbind(at, seq_along(at))
  grid <- as.numeric(rownames(means))
  data.frame(at = grid[at], value = means[pick], sd = matrix(spread, nrow(means))[pick])
}

# What bench_values() gives, for each measure and learner that occur together.
bench_settings <- function(bench, measure, learner) {
  check_benchmark(bench)
  measures <- bench_pick(bench, "measure", measure, several = TRUE)
  learners <- bench_pick(bench, "learner", learner, several = TRUE)
  pairs <- expand.grid(measure = measures, learner = learners, stringsAsFactors = FALSE)
  known <- mapply(function(m, l) any(bench$measure == m & bench$learner == l), pairs$measure, pairs$learner)
  if (any(known)) pairs <- pairs[known, ]
  unname(Map(bench_values, list(bench), pairs$measure, pairs$learner))
}

learners_of <- function(found) unique(vapply(found, `[[`, "", "learner"))

measures_of <- function(found) unique(vapply(found, `[[`, "", "measure"))

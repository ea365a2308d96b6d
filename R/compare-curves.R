#' Summaries of curves: the best number of features, and wins
#'
#' `best_k()` gives for each task and selector the best mean over splits that its curve reaches, and the number (or
#' share) of features at which it does so. The best of many values looks better than it is: to choose a number of
#' features and to measure what it is worth, use [sel_best()].
#'
#' `count_wins()` counts the settings that each selector wins. A setting is one task and one measure.
#'
#' @param bench An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param measure (character) Names of measures. `NULL` uses all measures.
#' @param learner (character) Names of learners. `NULL` uses all learners.
#' @param k,prop For `by = "value"`: the number (or share) of features. `NULL` uses the mean over the grid.
#' @param by What decides a win: the [ranking_scores()] over the whole grid, or the mean `"value"` at `k` or `prop` (the
#'   mean over the grid, if neither is given).
#' @return `best_k()`: a data frame of class `mlbestk` with the columns `task`, `selector`, `learner`, `measure`, `k`
#'   (or `prop`), `value` (the mean over splits) and `sd` (over splits). Where several points of the grid are equally
#'   good, it is the smallest. A selector with missing values is described by what is there.
#'
#'   `count_wins()`: a matrix of whole numbers, measures x selectors, with a last row `"all"`. Selectors that share the
#'   best place of a setting win it together. A setting in which a selector has no value is left out, and the attribute
#'   `"settings"` has the number of settings of each row. With several learners, rows are named by measure and learner.
#' @family comparisons
#' @examples
#' set.seed(1)
#' bench <- benchmark_selectors(
#'   tasks = list(a = simulate_mltask(60, 8, 3), b = simulate_mltask(60, 8, 3)),
#'   selectors = list(sel_mim(), sel_mfs(), sel_random()), learners = list(lrn_brknn()),
#'   resampling = rs_holdout(repeats = 3), k = 1:4, measures = c("hamming_loss", "macro_f1")
#' )
#' best_k(bench, "hamming_loss")
#' count_wins(bench)
#' count_wins(bench, by = "value", k = 4)
#' @export
best_k <- function(bench, measure = NULL, learner = NULL) {
  rows <- lapply(bench_settings(bench, measure, learner, rlang::current_env()), function(found) {
    parts <- lapply(found$tasks, function(task) best_points(found$values[[task]], found$direction))
    out <- data.frame(
      task = rep(found$tasks, each = length(found$selectors)), selector = rep(found$selectors, length(found$tasks)),
      learner = found$learner, measure = found$measure
    )
    points <- do.call(rbind, parts)
    out[[found$by]] <- points$at
    cbind(out, points[c("value", "sd")])
  })
  out <- do.call(rbind, rows)
  rownames(out) <- NULL
  structure(out, class = c("mlbestk", "data.frame"))
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

#' @rdname best_k
#' @export
count_wins <- function(bench, measure = NULL, learner = NULL, by = c("ranking_score", "value"), k = NULL, prop = NULL) {
  call <- rlang::current_env()
  by <- check_choice(by, c("ranking_score", "value"))
  if (by == "ranking_score" && (!is.null(k) || !is.null(prop))) {
    abort(c("{.arg {if (is.null(k)) 'prop' else 'k'}} needs {.code by = \"value\"}.",
      x = "Ranking scores are over the whole grid.",
      i = "For a part of the grid, give rows of the benchmark, such as {.code bench[bench$k <= 10, ]}."))
  }
  settings <- bench_settings(bench, measure, learner, call)
  selectors <- settings[[1L]]$selectors
  wins <- lapply(settings, function(found) {
    scores <- if (by == "ranking_score") ranking_matrix(found)
    else cell_means(found, bench_point(found, k, prop, call))
    scores <- scores[rowSums(is.na(scores)) == 0L, , drop = FALSE]
    direction <- if (by == "ranking_score") "minimize" else found$direction
    best <- vapply(seq_len(nrow(scores)), function(i) is_best(scores[i, ], direction), logical(length(selectors)))
    list(wins = as.integer(rowSums(matrix(best, length(selectors)))), settings = nrow(scores))
  })
  several <- length(learners_of(settings)) > 1L
  name <- function(found) paste(c(found$measure, if (several) found$learner), collapse = ", ")
  counts <- do.call(rbind, lapply(wins, `[[`, "wins"))
  counts <- rbind(counts, as.integer(colSums(counts)))
  dimnames(counts) <- list(c(vapply(settings, name, ""), "all"), selectors)
  sizes <- vapply(wins, `[[`, 0L, "settings")
  structure(counts, settings = stats::setNames(c(sizes, sum(sizes)), rownames(counts)))
}

# What bench_values() gives, for each measure and learner. All must have the same selectors.
bench_settings <- function(bench, measure, learner, call) {
  check_benchmark(bench, call = call)
  measures <- bench_pick(bench, "measure", measure, call, several = TRUE)
  learners <- bench_pick(bench, "learner", learner, call, several = TRUE)
  unlist(lapply(learners, function(l) lapply(measures, function(m) bench_values(bench, m, l, call))), recursive = FALSE)
}

learners_of <- function(found) unique(vapply(found, `[[`, "", "learner"))

measures_of <- function(found) unique(vapply(found, `[[`, "", "measure"))

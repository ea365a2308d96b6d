#' Ranking scores of a benchmark
#'
#' Summarizes the whole curve of each selector in one number per task. At every number (or share) of features, the
#' selectors are ranked by their mean value over splits (1 = best, ties averaged). The ranking score is the mean of
#' these ranks over the grid,
#' \deqn{r_{ij} = \frac{1}{|K|} \sum_{k \in K} \mathrm{rank}_j \Bigl(\frac{1}{S} \sum_{s=1}^{S} v_{isjk}\Bigr),
#' }{r_ij = mean over k in K of rank_j(mean over s of v_isjk),}
#' for task \eqn{i}, selector \eqn{j}, splits \eqn{s} and grid \eqn{K}. Smaller is better for every measure, in either
#' direction. Rows of the benchmark can be chosen, for scores over a part of the grid. Each row sums to \eqn{m(m + 1)/2}
#' for \eqn{m} selectors. Means that agree to 12 digits are ties.
#'
#' @param bench An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param measure (string) One measure of the benchmark. It may be `NULL` if there is only one.
#' @param learner (string) One learner of the benchmark. It may be `NULL` if there is only one.
#' @return A numeric matrix of tasks x selectors, in the order of the benchmark. A task cannot be ranked if a selector
#'   has a missing value (it failed, or was not run). The row of such a task is `NA`, and a warning names it.
#' @references `r papers("Sechidis2019, the score of Table 2")`
#' @seealso [rank_test()] tests these scores, [score_table()] shows values.
#' @family comparisons
#' @examples
#' package <- sub("::.*", "", rownames(help_pages))
#' tasks <- list(base = help_pages[package == "base", ], stats = help_pages[package == "stats", ])
#' set.seed(1)
#' bench <- benchmark_selectors(tasks, list(sel_mim(), sel_cmim(), sel_random()), lrn_nb(),
#'   rs_holdout(repeats = 3), k = c(5, 10, 20), measures = "average_precision"
#' )
#' ranking_scores(bench, "average_precision")
#' ranking_scores(bench[bench$k <= 10, ], "average_precision")
#' @export
ranking_scores <- function(bench, measure = NULL, learner = NULL) {
  found <- bench_values(bench, measure, learner)
  scores <- ranking_matrix(found)
  empty <- found$tasks[is.na(scores[, 1L])]
  if (length(empty) > 0L) {
    warn(c("{length(empty)} task{?s} cannot be ranked, since a selector has no value there: {.val {empty}}.",
      i = "See {.fn failures}. Such rows are NA."))
  }
  scores
}

ranking_matrix <- function(found) {
  rows <- lapply(found$values, function(v) {
    means <- colMeans(v)
    if (anyNA(means)) return(rep(NA_real_, dim(v)[3L]))
    rowMeans(matrix(apply(means, 1L, better_rank, found$direction), ncol = nrow(means)))
  })
  matrix(unlist(rows), length(rows), byrow = TRUE, dimnames = list(found$tasks, found$selectors))
}

# The ranks of methods on each dataset, from a matrix of datasets x methods. `better`: "minimize" or "maximize".
rank_rows <- function(values, better) {
  for (row in seq_len(nrow(values))) values[row, ] <- better_rank(values[row, ], better)
  values
}

# By selector: the mean rank of its ranking scores over the tasks that can be ranked, as in rank_test(); NaN if there is
# none. All pictures of a benchmark order selectors by it; see ?winners.
mean_ranks <- function(found) colMeans(rank_rows(stats::na.omit(ranking_matrix(found)), "minimize"))

# For pictures of tasks that can be ranked.
ranked_tasks <- function(found) {
  scores <- stats::na.omit(ranking_matrix(found))
  if (nrow(scores) == 0L) abort(c("Some task must have values of {.val {found$measure}} for all selectors.",
    x = "In each of them, a selector lacks a value.", i = "See {.fn failures}."))
  scores
}

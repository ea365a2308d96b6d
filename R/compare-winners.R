#' Which selector won
#'
#' A benchmark has a value for each task, split, selector, learner, number of features and measure. To find
#' the best selector, these values are summed up, and different sums may have different winners. This page lists which
#' functions use which sum.
#'
#' # Mean ranks: the default
#' On each task, every number of features ranks the selectors by their means over the splits. The mean of these ranks
#' is the *ranking score* ([ranking_scores()]). The ranking scores of a task are ranked again (1 = best), and the mean
#' of these ranks over the tasks is the *mean rank*. The selector with the smallest mean rank is the winner. These use
#' it:
#' * [rank_test()] and its diagram, and the mean ranks in [write_report()];
#' * [plot.mlbenchmark()]: the order of the legend, of `type = "rank"` and the height in `type = "time"`. With several
#'   measures or learners, the legend is in the order of the mean of their mean ranks.
#'
#' With `k` or `prop`, [rank_test()] ranks the means over the splits at this number of features instead.
#'
#' # Values: two selectors alone
#' A rank depends on all selectors of the benchmark. To compare two selectors by their own values, [compare_pairs()]
#' and `rank_test(posthoc = "wilcoxon-holm")` take the means over the splits and over the grid, or at one `k` or
#' `prop`. Here a selector with a few very good values can be ahead of one that is better on most tasks.
#' [compare_pairs()] shows on how many tasks each is better, and how large the median difference is.
#'
#' # One number of features
#' [score_table()] shows means over the splits at one `k` or `prop`, and their mean ranks there. [best_k()] gives the
#' best point of each curve.
#'
#' @return Nothing: this page has no function.
#' @name winners
#' @family comparisons
#' @examples
#' set.seed(1)
#' bench <- benchmark_selectors(
#'   tasks = list(a = simulate_mltask(60, 8, 3), b = simulate_mltask(60, 8, 3)),
#'   selectors = list(sel_mim(), sel_mfs(), sel_random()), learners = list(lrn_brknn()),
#'   resampling = rs_holdout(repeats = 3), k = 1:4, measures = "hamming_loss"
#' )
#' ranking_scores(bench)
#' rank_test(bench)$mean_ranks
#' compare_pairs(bench)
NULL

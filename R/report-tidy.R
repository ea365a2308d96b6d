#' Results as data frames
#'
#' `tidy()` gives the rows of a result, `glance()` one row about all of it, and `augment()` data with predictions beside
#' them, as in the packages of tidymodels. Numbers have the units of the result.
#'
#' @param x A result: see below.
#' @param newdata For `augment()`: a task, or features as [mltask()] takes them.
#' @param threshold Scores from this on are predicted as labels.
#' @param threads Number of threads, as in [sift_features()].
#' @param ... Not used.
#' @return A tibble where the package tibble is installed, otherwise a data frame.
#'
#'   The columns of `tidy()` are, for
#'   * [sift_features()]: `term` (the feature), `rank`, `estimate` (the score);
#'   * [sift()]: the same with `share`, `stand_ins` and `serves`;
#'   * [tune_selection()]: `selector`, `learner`, `k`, `mean`, `sd`, `se`, `n_splits`, the points of the curves;
#'   * [label_scores()]: `term`, `target`, `estimate`;
#'   * [label_graph()]: `from`, `to`, `similarity`;
#'   * a model of [lrn_threshold()]: `target`, `threshold`;
#'   * [benchmark_selectors()]: those of the benchmark;
#'   * [rank_test()], [compare_pairs()], [wilcoxon_test()], [bayes_signed_rank()]: a row for each comparison.
#'
#'   `augment()` takes a model from [fit()][fit.mllearner()]. It returns the features, and for each label `.pred_` with
#'   the label (0 or 1) and `.score_` with the score where the learner has scores. For class targets, `.pred_` is a
#'   factor and there is a `.score_` for each category. For numeric targets `.pred_` is a number.
#' @family results
#' @name tidy_results
#' @examples
#' tests <- subset_targets(help_pages, c("key_htest", "key_ts"))
#' head(tidy(label_scores(tests, sel_mim())), 3)
#' set.seed(1)
#' tuned <- tune_selection(help_pages, sel_mim(), lrn_nb(), "average_precision", k = c(5, 10, 20))
#' tidy(tuned)
#' glance(tuned)
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' head(augment(fit(lrn_nb(), cars[1:20, ]), cars[21:32, ]), 3)
NULL

#' @rdname tidy_results
#' @export
tidy.mltuning <- function(x, ...) result_frame(x$curve)

#' @rdname tidy_results
#' @export
glance.mltuning <- function(x, ...) {
  at <- chosen_point(x)
  result_frame(data.frame(
    k = x$k, mean = at$mean, se = at$se, measure = x$measure, learner = x$learner_name,
    selector = x$name, rule = x$rule
  ))
}

#' @rdname tidy_results
#' @export
tidy.mllabelscores <- function(x, ...) result_frame(data.frame(
  term = rep(rownames(x), ncol(x)), target = rep(colnames(x), each = nrow(x)), estimate = as.vector(unclass(x))
))

#' @rdname tidy_results
#' @export
glance.mllabelscores <- function(x, ...) {
  result_frame(data.frame(selector = attr(x, "selector"), n_features = nrow(x), n_targets = ncol(x)))
}

#' @rdname tidy_results
#' @export
tidy.mllabelgraph <- function(x, ...) result_frame(as.data.frame(x))

#' @rdname tidy_results
#' @export
glance.mllabelgraph <- function(x, ...) {
  result_frame(data.frame(n_sets = nrow(x$sets), n_rows = sum(x$sets$rows), n_pairs = nrow(as.data.frame(x))))
}

#' @rdname tidy_results
#' @export
tidy.mlbenchmark <- function(x, ...) result_frame(plain_frame(x))

#' @rdname tidy_results
#' @export
glance.mlbenchmark <- function(x, ...) {
  n <- function(column) length(unique(x[[column]]))
  result_frame(data.frame(
    n_tasks = n("task"), n_selectors = n("selector"), n_learners = n("learner"), n_measures = n("measure"),
    n_values = nrow(x), n_missing = sum(is.na(x$value))
  ))
}

#' BR-kNN: the share of neighbors that have a label
#'
#' The score of a label is the share of a row's nearest training rows that have it, \eqn{\psi_l = C(l) / k}. This is the
#' \eqn{k}-nearest-neighbor rule for each label, with one search for all labels. [lrn_mlknn()] uses the same neighbors,
#' but learns what their counts mean. Distances, ties and factors are treated as in [lrn_mlknn()].
#'
#' @param neighbors (count) Number of neighbors. If there are fewer training rows, all of them are used, with a warning.
#' @inheritParams lrn_mlknn
#'
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()].
#' @references Spyromitros, Tsoumakas and Vlahavas (2008). An empirical study of lazy multilabel classification
#'   algorithms. SETN 2008, 401-406.
#' @family learners
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3)
#' model <- fit(lrn_brknn(), task[1:40, ])
#' head(predict(model, task[41:60, ])$score, 3)
#' @export
lrn_brknn <- function(neighbors = 3, scale = c("none", "zscore")) {
  new_learner(
    "BR-kNN", "brknn", list(neighbors = check_count(neighbors), scale = check_choice(scale, c("none", "zscore")))
  )
}

fit_brknn <- function(task, params, prefixes, threads, call) neighbor_state(task, params, self = FALSE, call)

predict_brknn <- function(state, x, params, prefixes, threads, call) {
  score_brknn(state, neighbor_query(state, x, call), params, prefixes, threads)
}

score_brknn <- function(state, query, params, prefixes, threads) {
  scores <- cpp_brknn_scores(state$x, query, state$nominal, state$y, state$neighbors, as.integer(prefixes), threads)
  lapply(scores, function(score) list(score = score))
}

register("learners", "brknn",
  constructor = "lrn_brknn()", name = "BR-kNN", kinds = "label", source = "Spyromitros et al. (2008)",
  fit = fit_brknn, predict = predict_brknn, curve = TRUE,
  subsets = function(train, x, params, threads, call) {
    neighbor_subsets(FALSE, score_brknn)(train, x, params, threads, call)
  }
)

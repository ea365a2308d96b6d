#' kNN regression: the mean of the nearest neighbors
#'
#' Predicts numeric targets: each by its mean over a row's nearest training rows,
#' \eqn{\hat y_t = \frac{1}{k} \sum_{i \in N_k} y_{it}}, with one search for all targets. Distances, ties and factors
#' are as described for [lrn_mlknn()].
#'
#' @inheritParams lrn_brknn
#' @param scale `"zscore"` divides features by their standard deviation (population) in the training rows, constant ones
#'   by 1, so that units do not matter; `"none"` takes them as they are.
#'
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. Its predictions have no `score`.
#' @references Altman (1992). An introduction to kernel and nearest-neighbor nonparametric regression. The American
#'   Statistician 46, 175-185.
#' @family learners
#' @seealso [msr_arrmse()] and the other measures of numeric targets; [impute_mean()] for features with missing values.
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3, kind = "numeric")
#' prediction <- predict(fit(lrn_knn_regression(neighbors = 5), task[1:40, ]), task[41:60, ])
#' prediction
#' evaluate(prediction, task[41:60, ], train_mean = task[1:40, ])
#' @export
lrn_knn_regression <- function(neighbors = 10, scale = c("zscore", "none")) {
  params <- list(neighbors = check_count(neighbors), scale = check_choice(scale, c("zscore", "none")))
  new_learner("kNN regression", "knn_regression", params)
}

fit_knn_regression <- function(task, params, prefixes, threads, call) neighbor_state(task, params, self = FALSE, call)

predict_knn_regression <- function(state, x, params, prefixes, threads, call) {
  query <- neighbor_query(state, x, call)
  responses <- cpp_knn_regression(
    state$x, query, state$nominal, state$y, state$neighbors, as.integer(prefixes), threads
  )
  lapply(responses, function(response) list(response = response))
}

register("learners", "knn_regression",
  constructor = "lrn_knn_regression()", name = "kNN regression", kinds = "numeric", source = "Altman (1992)",
  fit = fit_knn_regression, predict = predict_knn_regression, curve = TRUE
)

#' kNN regression: the mean of the nearest neighbors
#'
#' Predicts numeric targets. The prediction for a target is its mean over a row's nearest training rows, \eqn{\hat y_t =
#' \frac{1}{k} \sum_{i \in N_k} y_{it}}{the mean of y_it over the k rows i in N_k}. One search serves all targets.
#' Distances, ties and factors are treated as in [lrn_mlknn()].
#' @inheritParams lrn_brknn
#' @return `r learns("knn_regression")` Its predictions have no `score`.
#' @references `r papers("Altman1992")`
#' @family learners
#' @seealso [msr_arrmse()] and the other measures of numeric targets; [impute_mean()] for features with missing values.
#' @examples
#' cars <- mltask(mtcars, targets = c("mpg", "qsec"))
#' prediction <- predict(fit(lrn_knn_regression(neighbors = 5), cars[1:20, ]), cars[21:32, ])
#' prediction
#' evaluate(prediction, cars[21:32, ], train_mean = cars[1:20, ])
#' @export
lrn_knn_regression <- function(neighbors = 10, scale = c("auto", "zscore", "none")) {
  new_learner("kNN regression", "knn_regression", list(neighbors = check_count(neighbors), scale = check_choice(scale)))
}

average_neighbors <- function(state, query, params, prefixes, threads) {
  means <- cpp_knn_regression(state$x, query, state$nominal, state$y, state$neighbors, as.integer(prefixes), threads)
  as_answers(means, "response")
}

register_learner("knn_regression",
  name = "kNN regression", kinds = "numeric", source = "Altman (1992)",
  fit = fit_neighbors, predict = neighbor_predict(average_neighbors), curve = TRUE,
  subsets = neighbor_subsets(FALSE, average_neighbors)
)

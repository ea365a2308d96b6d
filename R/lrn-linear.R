#' Linear regression with a ridge penalty
#'
#' Predicts numeric targets. Each target has its own linear function \eqn{b_t + w_t^T x}, where \eqn{b_t} and \eqn{w_t}
#' minimize
#' \deqn{\sum_i (y_{it} - b_t - w_t^T x_i)^2 + \rho \|w_t\|^2}{sum over i of (y_it - b_t - w_t' x_i)^2 + rho ||w_t||^2}
#' over the training rows. With centered features and targets, \eqn{w_t} solves the normal equations
#' \eqn{(X^T X + \rho I) w_t = X^T y_t}. The intercept \eqn{b_t} is not penalized. [Weights of rows][row_weights()]
#' multiply the terms of the sum over rows, as in [lrn_brlr()].
#'
#' All targets, and all models of a curve over the number of features, share one Cholesky factorization. Constant
#' features, factors, sparse features and unseen levels are treated as in [lrn_brlr()].
#'
#' Where targets are [unknown][unknown_labels] in some rows, each is fitted to the rows in which it is known.
#'
#' @inheritParams lrn_brlr
#' @param rho (number, 0 or more) Weight \eqn{\rho} of the penalty. With 0, this is ordinary least squares. A feature
#'   that is a linear combination of earlier ones then gets the weight 0.
#'
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. Its predictions have no `score`.
#' @references Hoerl and Kennard (1970). Ridge regression: biased estimation for nonorthogonal problems. Technometrics
#'   12, 55-67.
#' @family learners
#' @seealso [msr_arrmse()] and the other measures of numeric targets.
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3, kind = "numeric")
#' prediction <- predict(fit(lrn_linear(), task[1:40, ]), task[41:60, ])
#' evaluate(prediction, task[41:60, ], train_mean = task[1:40, ])
#' @export
lrn_linear <- function(rho = 1, scale = c("auto", "zscore", "none")) {
  params <- list(rho = check_number(rho, 0, finite = TRUE), scale = check_choice(scale))
  new_learner("Linear regression", "linear", params)
}

fit_ridge <- function(x, y, weights, params, prefixes, threads, call) {
  cpp_ridge_fit(x, y, weights, params$rho, params$scale == "zscore", as.integer(prefixes))
}

register_learner("linear",
  name = "Linear regression", kinds = "numeric", source = "Hoerl & Kennard (1970)", weights = TRUE, unknown = TRUE,
  fit = linear_fit(fit_ridge), predict = linear_predict("response"), curve = TRUE,
  subsets = linear_subsets(fit_ridge, "response")
)

#' Linear regression with a ridge penalty
#'
#' Predicts numbers, labels and classes. Each target has its own linear function \eqn{b_t + w_t^T x}, where \eqn{b_t}
#' and \eqn{w_t} minimize
#' \deqn{\sum_i (y_{it} - b_t - w_t^T x_i)^2 + \rho \|w_t\|^2}{sum over i of (y_it - b_t - w_t' x_i)^2 + rho ||w_t||^2}
#' over the training rows. With centered features and targets, \eqn{w_t} solves the normal equations
#' \eqn{(X^T X + \rho I) w_t = X^T y_t}. The intercept \eqn{b_t} is not penalized. [Weights of rows][row_weights()]
#' multiply the terms of the sum over rows, as in [lrn_brlr()].
#'
#' Labels are the numbers 0 and 1, and so are the categories of a class.
#'
#' @section The penalty:
#' By default, one \eqn{\rho} is chosen for all targets. It has the least generalized cross-validation
#' \deqn{GCV(\rho) = \frac{\sum_t \|y_t - \hat y_t(\rho)\|^2 / s_t^2}{(1 - (1 + h_\rho) / N)^2}, \qquad
#'   h_\rho = \sum_j \frac{d_j^2}{d_j^2 + \rho}.}{GCV(rho) = sum over t of ||y_t - fit_t(rho)||^2 / s_t^2, divided by
#'   (1 - (1 + h) / N)^2, where h = sum over j of d_j^2 / (d_j^2 + rho).}
#' Here \eqn{d_j^2} are the eigenvalues above 0 of \eqn{X^T X}, \eqn{s_t} are the standard deviations of the targets,
#' and \eqn{N} is the number of rows (the sum of their weights). The best of 60 values from 1e-4 to 1e4 times the mean
#' of \eqn{d_j^2} is refined by golden section. Constant targets play no part.
#'
#' Cross-validation by single rows takes rows for independent. Copies of rows, and whole weights in their place, lead
#' to a smaller \eqn{\rho}; with more features than distinct rows, to the smallest. Penalties at which the denominator
#' would not be above 0 are left out, which happens if weights sum to less than the number of rows.
#'
#' Where targets are [unknown][unknown_labels] in some rows, each is fitted to the rows in which it is known. Targets
#' that are known in the same rows share a \eqn{\rho}.
#'
#' @section Time and memory:
#' With a number for `rho`, all targets and all models of a curve over the number of features share one factorization.
#' Without, time grows with the cube of \eqn{m = \min(N, k)}{m = min(N, k)} for each number \eqn{k} of features. Sparse
#' features stay sparse as in [lrn_brlr()]; beside them, there are a few dense matrices of \eqn{m} x \eqn{m}, or one of
#' columns x columns with a number for `rho`. Targets take a dense matrix of numbers.
#'
#' Results do not depend on `threads`. Constant features, factors, and unseen levels are treated as in [lrn_brlr()].
#' @inheritParams lrn_brlr
#' @param rho (number, 0 or more) Weight \eqn{\rho} of the penalty. `NULL` chooses it by generalized cross-validation.
#'   With 0, this is ordinary least squares. A feature that is a linear combination of earlier ones then gets the weight
#'   0.
#' @return `r learns("linear")` Numbers have no `score`. Scores of labels are the values of the linear functions: near
#'   0 and 1, but not confined to this interval, and a label is predicted from .5 on. Scores of the categories of a
#'   class are these, with 0 in place of negative ones, divided by their sum.
#' @references Hoerl and Kennard (1970). Ridge regression: biased estimation for nonorthogonal problems. Technometrics
#'   12, 55-67.
#'
#'   Golub, Heath and Wahba (1979). Generalized cross-validation as a method for choosing a good ridge parameter.
#'   Technometrics 21, 215-223. \doi{10.1080/00401706.1979.10489751}
#' @family learners
#' @seealso [coef()][coef.mlmodel] of the fitted model; [msr_arrmse()] and the other measures of numeric targets.
#' @examples
#' cars <- mltask(mtcars, targets = c("mpg", "qsec"))
#' prediction <- predict(fit(lrn_linear(), cars[1:20, ]), cars[21:32, ])
#' evaluate(prediction, cars[21:32, ], train_mean = cars[1:20, ])
#' @export
lrn_linear <- function(rho = NULL, scale = c("auto", "zscore", "none")) {
  params <- list(rho = check_number(rho, 0, finite = TRUE, null = TRUE), scale = check_choice(scale))
  new_learner("Linear regression", "linear", params)
}

fit_ridge <- function(x, y, weights, params, prefixes, threads) {
  y <- matrix(as.double(as.matrix(y)), nrow(y))
  cpp_ridge_fit(x, y, weights, params$rho %||% NaN, params$scale == "zscore", as.integer(prefixes), 1L)
}

register_for_classes("linear",
  name = "Linear regression", kinds = target_kinds, source = "Hoerl & Kennard (1970)", weights = TRUE, unknown = TRUE,
  fit = linear_fit(fit_ridge, FALSE), predict = predict_linear, curve = TRUE,
  subsets = linear_subsets(fit_ridge, FALSE), share = shares_above_zero
)

#' BRLR: logistic regression for each label
#'
#' Binary relevance with logistic regression: for each label \eqn{l} on its own, the probability is
#' \deqn{p_l(x) = \frac{1}{1 + e^{-(b_l + w_l^T x)}},}
#' where \eqn{b_l} and \eqn{w_l} maximize the penalized log-likelihood of the training rows
#' \deqn{\sum_i \log p(y_{il} | x_i) - \frac{\rho}{2} \|w_l\|^2.}
#' The intercept \eqn{b_l} is not penalized.
#'
#' @details
#' # Optimum
#'
#' The optimum is found by Newton's method (iteratively reweighted least squares). A step that would lower the
#' likelihood is halved. The method stops when the predicted relative change of the penalized deviance is below 1e-8 and
#' no linear predictor still changes noticeably, after 25 steps at most; a label that needs more gets a warning. With
#' more than 300 columns, each step is computed by conjugate gradients, 100 steps at most. This leads to the same
#' optimum and needs no matrix columns x columns.
#'
#' With the penalty the optimum is always finite and unique, also where features separate the rows with a label from
#' those without, where features are copies of each other, or where there are more features than rows.
#'
#' # Special cases
#'
#' * A label that no training row has gets the probability 0, a label that all training rows have the probability 1.
#' * A feature that is constant in the training rows has no influence.
#' * Logicals and factors of two levels count as 0 and 1, ordered factors as their level numbers. Any other factor
#'   becomes one 0/1 column for each of its levels but the first. These columns are scaled and penalized as numbers are,
#'   so the choice of the first level has some influence. In new rows, an unseen level of such a factor with \eqn{m}
#'   levels counts as \eqn{1/m} of each level.
#'
#' # Memory and threads
#'
#' Features with values other than 0 in fewer than a quarter of all places are kept sparse, others need a dense matrix
#' of numbers. This depends only on the values: sparse and dense input give the same result. Labels are fitted in
#' parallel. Curves over the number of features (see [benchmark_selectors()]) start each model from the one before; they
#' agree with separate models up to the precision of the optimum.
#'
#' @param rho (number above 0) Weight \eqn{\rho} of the penalty. LiblineaR's `cost` is `1 / rho`, and glmnet's `lambda`
#'   for `alpha = 0` is `rho` divided by the number of rows.
#' @param scale `"zscore"` centers features and divides them by their standard deviation (population) in the training
#'   rows; `"none"` takes them as they are.
#'
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. Its scores are probabilities.
#' @references Le Cessie and Van Houwelingen (1992). Ridge estimators in logistic regression. Journal of the Royal
#'   Statistical Society C 41, 191-201.
#' @family learners
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3)
#' model <- fit(lrn_brlr(rho = 1), task[1:40, ])
#' head(predict(model, task[41:60, ])$score, 3)
#' @export
lrn_brlr <- function(rho = 1e-4, scale = c("zscore", "none")) {
  params <- list(
    rho = check_number(rho, 0, above = TRUE, finite = TRUE), scale = check_choice(scale, c("zscore", "none"))
  )
  new_learner("BRLR", "brlr", params)
}

# `prefixes`: numbers of leading features, each of which is a model of its own.
fit_brlr <- function(task, params, prefixes, threads, call) {
  columns <- linear_columns(task, params, call)
  found <- fit_logistic(columns$x, task$y, params, column_prefixes(columns$input, prefixes), threads)
  slow <- sum(rowSums(!found$converged) > 0)
  if (slow > 0) {
    warn(c(
      "Logistic regression did not converge for {slow} label{?s}.", i = "Use a larger {.arg rho}."
    ), call = call)
  }
  list(input = columns$input, scaling = found$scaling, models = found$models)
}

# More columns than `factored` are for conjugate gradients.
fit_logistic <- function(x, y, params, prefixes, threads, factored = 300L) {
  cpp_logistic_fit(x, y, params$rho, params$scale == "zscore", as.integer(prefixes), factored, threads)
}

predict_brlr <- function(state, x, params, prefixes, threads, call) {
  lapply(predict_linear(state, x, TRUE, threads, call), function(score) list(score = score))
}

register("learners", "brlr",
  constructor = "lrn_brlr()", name = "BRLR", kinds = "label", source = "Le Cessie & Van Houwelingen (1992)",
  fit = fit_brlr, predict = predict_brlr, curve = TRUE
)

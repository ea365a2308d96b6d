#' BRLR: logistic regression for each label or category
#'
#' Binary relevance with logistic regression. Each label \eqn{l} has its own model. The probability is
#' \deqn{p_l(x) = \frac{1}{1 + e^{-(b_l + w_l^T x)}},}{p_l(x) = 1 / (1 + exp(-(b_l + w_l' x))),}
#' where \eqn{b_l} and \eqn{w_l} maximize the penalized log-likelihood of the training rows
#' \deqn{\sum_i \log p(y_{il} | x_i) - \frac{\rho}{2} \|w_l\|^2.}{sum over i of log p(y_il | x_i) - rho / 2 ||w_l||^2.}
#' The intercept \eqn{b_l} is not penalized. With [weights of rows][row_weights()], each term of the sum over rows is
#' multiplied by the weight of its row, and features are standardized by weighted means and deviations.
#'
#' For class targets, each category that occurs in training has a model of its own against the others (one against
#' rest). The scores of the categories of a target are their probabilities, divided by their sum. This is not the same
#' as multinomial logistic regression.
#'
#' @details
#' # Optimum
#'
#' The optimum is found by Newton's method. It stops when the predicted relative change of the penalized deviance is
#' below 1e-8 and no linear predictor changes noticeably, or after 25 steps, with a warning. With more than 300
#' columns, conjugate gradients lead to the same optimum without a matrix of columns x columns. Rows that agree in all
#' features are counted together where that saves time.
#'
#' With the penalty, the optimum is always finite and unique. This includes features that separate the rows with a label
#' from those without, copied features, and more features than rows.
#'
#' # Special cases
#'
#' * The probability is 0 for a label that no training row has, and 1 for a label that all training rows have.
#' * A feature that is constant in the training rows has no influence.
#' * Logicals and factors with two levels count as 0 and 1, and ordered factors as their level numbers. Any other factor
#'   becomes one 0/1 column for each of its levels except the first. These columns are scaled and penalized like
#'   numbers, so the choice of the first level has some influence. In new rows, a level that did not occur in training
#'   counts as \eqn{1/m} of each of the \eqn{m} levels.
#'
#' # Memory and threads
#'
#' Features are kept sparse if fewer than a quarter of all values differ from 0. This depends only on the values, so
#' sparse and dense input give the same result. Curves over the number of features (see [benchmark_selectors()]) start
#' each model from the one before, and agree with separate models up to the precision of the optimum.
#'
#' @param rho (number above 0) Weight \eqn{\rho} of the penalty. The `cost` of LiblineaR is `1 / rho`. The `lambda` of
#'   glmnet with `alpha = 0` is `rho` divided by the number of rows.
#' @inheritParams lrn_mlknn
#' @return `r learns("brlr")` Its scores are probabilities.
#' @references Le Cessie and Van Houwelingen (1992). Ridge estimators in logistic regression. Journal of the Royal
#'   Statistical Society C 41, 191-201.
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_brlr(rho = 1), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_brlr <- function(rho = 1e-4, scale = c("auto", "zscore", "none")) {
  params <- list(rho = check_number(rho, 0, above = TRUE, finite = TRUE), scale = check_choice(scale))
  new_learner("BRLR", "brlr", params)
}

fit_logistic_models <- function(x, y, weights, params, prefixes, threads) {
  found <- fit_logistic(x, y, weights, params, prefixes, threads)
  slow <- sum(rowSums(!found$converged) > 0)
  if (slow > 0) warn(c("Logistic regression did not converge for {slow} label{?s}.", i = "Use a larger {.arg rho}."))
  found[c("scaling", "models")]
}

# Conjugate gradients are used if there are more columns than `factored`.
fit_logistic <- function(x, y, weights, params, prefixes, threads, factored = 300L) {
  cpp_logistic_fit(x, y, weights, params$rho, params$scale == "zscore", as.integer(prefixes), factored, threads)
}

register_for_classes("brlr",
  name = "BRLR", source = "Le Cessie & Van Houwelingen (1992)", weights = TRUE, unknown = TRUE,
  fit = linear_fit(fit_logistic_models, TRUE), predict = predict_linear, curve = TRUE,
  subsets = linear_subsets(fit_logistic_models, TRUE)
)

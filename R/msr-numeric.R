# Measures of numeric targets. The formulas are in mlsift/measure/regression.h.

numeric_measure <- function(name, title, direction = "minimize", range = c(0, Inf), ...) {
  new_measure(name, title, "Spyromitros-Xioufis et al. (2016)", "regression", "response", direction, range, "numeric",
    ...)
}

#' Measures of predicted numbers
#'
#' These measures are means over targets.
#'
#' For target \eqn{t} with true values \eqn{y}, predictions \eqn{\hat y}{p} and
#' the mean \eqn{\bar y_t}{m} of the training rows, the value of a target is
#'
#' * `msr_arrmse()`: \eqn{\sqrt{\sum (y - \hat y)^2 / \sum (y - \bar y_t)^2}}{sqrt(sum((y - p)^2) / sum((y - m)^2))},
#'   relative to predicting \eqn{\bar y_t}{m}. Small is better.
#' * `msr_armse()`: \eqn{\sqrt{\frac{1}{n} \sum (y - \hat y)^2}}{sqrt(mean((y - p)^2))}, in the unit of the target.
#'   Small is better.
#' * `msr_amae()`: \eqn{\frac{1}{n} \sum |y - \hat y|}{mean(abs(y - p))}, in the unit of the target. Small is better.
#' * `msr_mean_correlation()`: Pearson's correlation of \eqn{y} and \eqn{\hat y}{p}. Large is better.
#' * `msr_mean_r2()`: \eqn{1 - \sum (y - \hat y)^2 / \sum (y - \bar y)^2}{1 - sum((y - p)^2) / sum((y - mean(y))^2)}
#'   with the mean of the true values that are predicted, not of the training rows. Large is better; 1 is the largest
#'   value.
#'
#' aRRMSE is the usual measure, because it does not depend on units. A value of 1 is no better than the mean.
#'
#' @details Missing values in `truth` are skipped. If the value of a target is not defined, the target is left out of
#'   the mean, and a warning names it. This happens if there is no true value; for aRRMSE if all true values equal the
#'   training mean; and for the correlation and \eqn{R^2} if all true values are equal. A constant prediction of a
#'   target that varies has correlation 0. (scikit-learn's `r2_score()` gives 0 or 1 to a target with equal true
#'   values.)
#'
#' [evaluate()][evaluate.mlprediction] has an argument `train_mean`. [benchmark_selectors()] uses the mean of the
#' training rows of each split.
#'
#' @param truth (matrix or data frame of numbers, or `mltask`) The true values, rows x targets.
#' @param response (matrix or data frame of numbers, or `mlprediction`) The predicted values, of the same size. When
#'   both have column names, they must agree.
#' @param train_mean (numbers, matrix, data frame, or `mltask`) The means of the targets in the training rows, one for
#'   each target (matched by name if it has names). Or the training rows themselves, as a task or a matrix of their
#'   targets.
#' @return One number; `NA` if no target is left.
#' @references `r papers(aRRMSE = "SpyromitrosXioufis2016")`
#' @family measures
#' @eval usages("msr_arrmse", "msr_armse", "msr_mean_correlation", "msr_amae", "msr_mean_r2")
#' @name numeric_measures
#' @examples
#' truth    <- cbind(a = c(1, 2, 3), b = c(10, 30, 20))
#' response <- cbind(a = c(1, 2, 2), b = c(20, 20, 20))
#' msr_arrmse(truth, response, train_mean = c(a = 2, b = 18))
#' msr_armse(truth, response)
#' msr_mean_correlation(truth, response)
#' msr_amae(truth, response)
#' msr_mean_r2(truth, response)
NULL

msr_arrmse <- numeric_measure("arrmse", "Average relative root mean squared error", more = alist(train_mean = NULL))
msr_armse <- numeric_measure("armse", "Average root mean squared error")
msr_mean_correlation <- numeric_measure("mean_correlation", "Mean correlation", "maximize", c(-1, 1))
msr_amae <- numeric_measure("amae", "Average mean absolute error")
msr_mean_r2 <- numeric_measure("mean_r2", "Mean coefficient of determination", "maximize", c(-Inf, 1))

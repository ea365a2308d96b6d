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
#'
#' @return One number; `NA` if no target is left.
#' @references Spyromitros-Xioufis, Tsoumakas, Groves and Vlahavas (2016). Multi-target regression via input space
#'   expansion: treating targets as inputs. Machine Learning 104, 55-98 (aRRMSE).
#' @family measures
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

#' @rdname numeric_measures
#' @export
msr_arrmse <- numeric_measure("arrmse", "Average relative root mean squared error", more = alist(train_mean = NULL))

#' @rdname numeric_measures
#' @export
msr_armse <- numeric_measure("armse", "Average root mean squared error")

#' @rdname numeric_measures
#' @export
msr_mean_correlation <- numeric_measure("mean_correlation", "Mean correlation", "maximize", c(-1, 1))

#' @rdname numeric_measures
#' @export
msr_amae <- numeric_measure("amae", "Average mean absolute error")

#' @rdname numeric_measures
#' @export
msr_mean_r2 <- numeric_measure("mean_r2", "Mean coefficient of determination", "maximize", c(-Inf, 1))

# The mean of the values of targets, without those that are not defined.
mean_defined <- function(values) if (all(is.na(values))) NA_real_ else mean(values, na.rm = TRUE)

# Means over targets, by the name of the measure.
regression_values <- function(truth, response, train_mean, asked, call, weights) {
  fits <- cpp_target_fits(truth, response, train_mean %||% numeric(ncol(truth)), weights)
  for (name in intersect(asked, colnames(fits))) warn_undefined(name, is.na(fits[, name]), colnames(truth), call)
  apply(fits, 2L, mean_defined)
}

warn_undefined <- function(name, undefined, targets, call) {
  if (!any(undefined)) return(invisible())
  left <- which(undefined)
  if (!is.null(targets)) left <- targets[left]
  why <- switch(name, arrmse = "equal to the training mean", mean_correlation = , mean_r2 = "equal")
  warn(c("{.val {name}} leaves out {cli::qty(length(left))}target{?s} {.val {left}}.",
    x = paste0("All true values are missing", if (!is.null(why)) paste(" or", why), ".")), call = call)
}

# One mean for each target: given directly, or computed from the training rows.
as_train_mean <- function(x, truth, call) {
  if (inherits(x, "mltask")) {
    check_mltask(x, "train_mean", call)
    if (task_kind(x) != "numeric") abort(c("A task in {.arg train_mean} must have numeric targets.",
      x = "They are of kind {.val {task_kind(x)}}."), call = call)
    task <- x
    x <- shown_targets(task$targets)
    if (!is.null(task$rows$weights)) x <- apply(x, 2L, weighted_mean, task$rows$weights)
    else if (!is.null(task$targets$unknown)) x <- apply(x, 2L, mean, na.rm = TRUE)
  }
  if (is.data.frame(x) || is_matrix_object(x)) x <- as.matrix(x)
  q <- ncol(truth)
  if (!is.numeric(x) || length(x) == 0L || any(is.infinite(x)) || (if (is.matrix(x)) ncol(x) else length(x)) != q) {
    found <- if (is.null(x)) "missing" else describe(x)
    abort(c("{.arg train_mean} must have one mean for each of the {q} target{?s}, or be the training rows.",
      x = "It is {found}.",
      i = if (is.null(x)) "{.val arrmse} compares errors with those of the mean of the training rows."), call = call)
  }
  # Not colMeans(): where long doubles are no longer than doubles, rounding makes it miss the mean of a constant.
  if (is.matrix(x)) x <- apply(x, 2L, mean)
  names <- colnames(truth)
  if (!is.null(names(x)) && !is.null(names)) {
    odd <- setdiff(names(x), names)
    if (length(odd) > 0L || anyDuplicated(names(x))) {
      abort(c("The names of {.arg train_mean} must be those of the targets.",
        x = if (length(odd) > 0L) "There is no target {.val {odd[1]}}." else "A name stands twice."), call = call)
    }
    x <- x[names]
  }
  bad <- which(is.na(x))[1L]
  if (!is.na(bad)) abort(c("{.arg train_mean} must be known for every target.",
    x = "That of target {.val {names[bad] %||% bad}} is missing."), call = call)
  as.double(x)
}

# Of the known values. Rounding must not make the mean of equal values another value.
weighted_mean <- function(x, weights) {
  counts <- which(!is.na(x) & weights > 0)
  if (length(unique(x[counts])) == 1L) x[counts[1L]] else stats::weighted.mean(x, weights, na.rm = TRUE)
}

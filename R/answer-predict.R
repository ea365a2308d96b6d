# Uses an answer for new rows.

# The chosen learner, fitted to all rows with the chosen features: list(model, imputer). The imputer, if there is one,
# is fitted to these features.
final_model <- function(answer) {
  options <- answer$setup$options
  scale <- auto_scale(filled_in(answer$task, attr(answer$selection, "imputer")))
  task <- answer$task[, answer$selection$index]
  imputer <- if (!is.null(options$impute)) fit(options$impute, task)
  learner <- answer$tuning$learner
  if (answer$setup$default[["learner"]] && task_kind(task) == "label" && learner$method != "threshold") {
    learner <- lrn_threshold(learner)
  }
  model <- with_stream(list(answer$number, "sift", "model"), fit_prefixes(
    with_scale(learner, scale), filled_in(task, imputer), ncol(task$x), options$threads
  ))
  list(model = model, imputer = imputer)
}

#' Predict new rows with an answer
#'
#' The answer of [sift()] holds the chosen learner, fitted to all rows with the chosen features. `predict()` predicts
#' the targets of new rows, and `augment()` adds the predictions to them. `coef()` gives the coefficients.
#'
#' @param object,x An answer from [sift()].
#' @param newdata A data frame like the one that was given to [sift()], a matrix with column names, or an `mltask`. Only
#'   the chosen features are looked at: others, also the targets, may be missing. Missing values of chosen features are
#'   filled in as they were for the fit, and are an error if there were none then.
#' @param threshold,threads As in [predict.mlmodel()].
#' @param ... Not used.
#' @return
#'   * `predict()`: an `mlprediction`, as [predict()][predict.mlmodel] of a fitted learner gives it.
#'   * `augment()`: the new data as a data frame, with the columns that [augment()][tidy_results] of a fitted learner
#'     adds.
#'   * `coef()`: the matrix that [coef()][coef.mlmodel] of the fitted learner gives; an error for learners without
#'     coefficients.
#'
#'   Features that are missing in `newdata`, or have another type, are errors of class `mlsift_error`. Unseen levels of
#'   factors are treated as in [predict.mlmodel()].
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(iris, Species, selectors = sel_mim(), estimate = FALSE)
#' predict(answer, iris[c(1, 51, 101), ])
#' augment(answer, iris[c(1, 51, 101), ])
#' @export
predict.mlsift <- function(object, newdata, threshold = 0.5, threads = NULL, ...) {
  if (missing(newdata)) abort("{.arg newdata} must be given: predictions of known rows look too good.")
  threshold <- check_number(threshold, 0, 1)
  if (length(dim(newdata)) == 2L && is.null(colnames(newdata))) abort(c("{.arg newdata} must have column names.",
    x = "It is {describe(newdata)} without.",
    i = "Those of the chosen features are {.val {object$model$feature_names}}."))
  x <- matching_features(newdata, object$model, "were chosen")
  if (!is.null(object$imputer)) x <- filled_in(new_rows(object, x), object$imputer)$x
  predict_prefixes(object$model, x, ncol(x), threshold, threads)[[1L]]
}

# A task with new features; its targets are not looked at.
new_rows <- function(answer, x) {
  rows <- rep(1L, nrow(x))
  task <- answer$task[rows, answer$model$feature_names]
  task$x <- x
  task
}

#' @rdname predict.mlsift
#' @importFrom generics augment
#' @export
augment.mlsift <- function(x, newdata, threshold = 0.5, threads = NULL, ...) {
  found <- stats::predict(x, newdata, threshold, threads)
  augmented(newdata, found, x$model)
}

#' @rdname predict.mlsift
#' @export
coef.mlsift <- function(object, ...) stats::coef(object$model)

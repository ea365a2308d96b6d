#' Fill in missing values by means
#'
#' An imputer is a specification without data, like a discretizer. `fit()` learns the replacement values from the rows
#' of a task. `predict()` replaces the missing values in the features of any task. [sift_features()] does both, and
#' [benchmark_selectors()] fits the imputer to the training rows of each split.
#'
#' Numeric features get the mean of the values that are not missing. Factors and logicals get the most frequent value
#' (ties: the first level, and `FALSE` before `TRUE`). A row counts as often as its [weight][row_weights()] says. In
#' sparse features, values that are not stored count as 0 and stay as they are. Imputing does not change which features
#' are discrete: for a discrete numeric feature, the mean is one more level.
#' @return
#'   * `impute_mean()`: an object of class `mlimputer`.
#'   * `fit()`: a fitted imputer. A feature without any value gives an error of class `mlsift_error`, which names the
#'     first such feature.
#'   * `predict()`: the task without missing values.
#' @seealso [disc_equal_width()] with `na = "level"`, where missing values form their own level.
#' @family discretizers
#' @examples
#' task <- mltask(data.frame(a = c(1.5, NA, 4.5, 2), b = factor(c("u", "v", NA, "v"))), c(0, 1, 1, 0))
#' fitted <- fit(impute_mean(), task[1:3, ])
#' features(predict(fitted, task))
#' @export
impute_mean <- function(...) {
  if (...length() > 0L) abort(c("{.fn impute_mean} takes no arguments.",
    i = "It is fitted to a task, then applied: {.code predict(fit(impute_mean(), task), task)}."))
  structure(list(name = "mean", method = "mean", params = list()), class = "mlimputer")
}

# Imputers may have a class from outside this package.
check_imputer <- function(impute) {
  fits <- function(class) !is.null(utils::getS3method("fit", class, optional = TRUE))
  if (is.null(impute) || (is.object(impute) && any(vapply(class(impute), fits, NA)))) return(invisible(impute))
  abort_value(impute, "something that {.fn fit} can fit to a task, or NULL")
}

refuse_imputer <- function(source) {
  what <- if (inherits(source, "mlcounts")) "tables of counts" else "a source"
  abort(c("Missing features are filled in for tasks only.", x = "{.arg task} is {what}.",
    i = "Give a task, or use a discretizer with {.code na = \"level\"}."))
}

#' @export
print.mlimputer <- function(x, ...) {
  cat("<mlimputer> ", x$name, "\n", sep = "")
  if (inherits(x, "mlimputer_fitted")) cat("fitted to ", counted(length(x$values), "feature"), "\n", sep = "")
  invisible(x)
}

#' @rdname impute_mean
#' @param object An imputer.
#' @param task A task.
#' @param newdata A task with the features that the imputer was fitted to, of the same types as in
#'   [predict()][predict.mlmodel] of a model. Other features are left out.
#' @param ... Not used.
#' @export
fit.mlimputer <- function(object, task, ...) {
  check_mltask(task)
  if (!is.null(task$rows$weights)) task <- task[which(task$rows$weights > 0), ]
  x <- with_values(task$x)
  weights <- task$rows$weights %||% rep(1, nrow(x))
  total <- sum(weights)
  columns <- stats::setNames(seq_len(ncol(x)), colnames(x))
  values <- lapply(columns, typical_value, x = x, weights = weights, total = total)
  empty <- names(values)[vapply(values, is.na, NA)]
  if (length(empty) > 0L) abort(c("Every feature must have values to learn from.",
    x = "{cli::qty(length(empty))}Feature{?s} {.val {empty}} {?is/are} missing in all {nrow(x)} row{?s}.",
    i = "Leave {cli::qty(length(empty))}{?it/them} out."))
  saved_object(c(unclass(object)[c("name", "method", "params")], list(values = values, types = column_types(x))),
    c("mlimputer_fitted", "mlimputer"))
}

# The mean of column f, or its most frequent value; NA if all values are missing.
typical_value <- function(f, x, weights, total) {
  if (is_sparse(x)) {
    stored <- stored_cells(x, f)
    rows <- x@i[stored] + 1L
    return(mean_known(x@x[stored], weights[rows], if (length(rows) < nrow(x)) total - sum(weights[rows]) else 0))
  }
  column <- dense_column(x, f)
  if (is.factor(column)) return(most_frequent(column, levels(column), weights))
  if (is.logical(column)) return(most_frequent(factor(column, c(FALSE, TRUE)), c(FALSE, TRUE), weights))
  mean_known(column, weights)
}

# `zeros`: the weight of rows that are not in `values`. Zeros add nothing to a sum, so dense and sparse columns give the
# same bits. The result is kept within the range.
mean_known <- function(values, weights, zeros = 0) {
  known <- which(!is.na(values))
  values <- as.double(values[known])
  if (length(values) == 0L && zeros == 0) return(NA_real_)
  limits <- range(values, if (zeros > 0) 0)
  min(max(sum(values * weights[known]) / (sum(weights[known]) + zeros), limits[1L]), limits[2L])
}

most_frequent <- function(column, values, weights) {
  counts <- tapply(weights, column, sum, default = 0)
  if (any(counts > 0)) values[which.max(counts)] else values[NA_integer_]
}

#' @rdname impute_mean
#' @export
predict.mlimputer <- function(object, newdata, ...) {
  check_mltask(newdata)
  if (!inherits(object, "mlimputer_fitted")) abort(c("{.arg object} must be a fitted imputer.",
    i = "Use {.code fit(imputer, task)} first."))
  at <- feature_positions(names(object$values), colnames(newdata$x), "the imputer was fitted to")
  if (!is.null(at)) newdata <- newdata[, at]
  x <- like_training(newdata$x, object$types, levels = FALSE)
  newdata$x <- fill_missing(x, object$values)
  if (is.data.frame(x)) newdata$discrete[vapply(x, is.factor, NA)] <- TRUE
  newdata
}

# `x`: of the types of training, but numbers may stand for logicals.
fill_missing <- function(x, values) {
  if (is_sparse(x)) {
    if (is_pattern(x)) return(x)
    missing <- which(is.na(x@x))
    x@x[missing] <- unlist(values, use.names = FALSE)[rep.int(seq_along(values), diff(x@p))[missing]]
    return(x)
  }
  for (f in columns_with_gaps(x)) {
    column <- dense_column(x, f)
    if (is.factor(column)) levels(column) <- union(levels(column), values[[f]])
    column[is.na(column)] <- values[[f]]
    if (is.data.frame(x)) x[[f]] <- column else x[, f] <- column
  }
  x
}

# The positions of features with missing values.
columns_with_gaps <- function(x) {
  which(if (is.data.frame(x)) vapply(x, anyNA, NA)
  else if (is_sparse(x)) tabulate(rep(seq_len(ncol(x)), diff(x@p))[is.na(x@x)], ncol(x)) > 0L
  else colSums(is.na(x)) > 0, useNames = FALSE)
}

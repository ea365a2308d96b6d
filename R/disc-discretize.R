#' Discretizers
#'
#' A discretizer turns continuous features into levels 1, 2, ..., for methods that count. It is a specification without
#' data. [sift_features()] and [benchmark_selectors()] fit it to the rows that they select from. You can do the same
#' with `fit()` and `predict()`. Values outside the range of the fitted rows fall into the first or the last level.
#'
#' `disc_equal_width()` divides the range of a feature into `bins` intervals of equal width. The boundaries are
#' \eqn{\min + k (\max - \min) / B}{min + k (max - min) / B}. With `side = "left"`, intervals are closed on the left,
#' and the last one contains the maximum. A feature with at most `bins` different values is only recoded, with
#' boundaries half-way between neighboring values. This follows the program of Sechidis et al. (2019). With `side =
#' "right"`, intervals are closed on the right and there is no such exception. This follows the programs of Lee and Kim.
#' Boundaries are rounded like all sums of numbers, so a value that equals a boundary on paper may fall on either side
#' of it.
#'
#' `disc_equal_frequency()` uses the sorted values with the numbers \eqn{\mathrm{round}(k N / B)}{round(k N / B)} as
#' boundaries, where halves are rounded up. Equal values stay together, so there may be fewer than `bins` levels.
#'
#' Features that are already discrete (see [mltask()]) are not discretized. Constant features have one level.
#' [disc_auto()] is the default for selecting features.
#'
#' @param bins Number of intervals, from 2 to 100000.
#' @param side The end at which intervals are closed, `"left"` or `"right"`.
#' @param na What to do with missing values: `"error"` refuses them, `"level"` gives them their own level, which is the
#'   last.
#' @return An object of class `mldiscretizer`.
#' @references `r papers("Sechidis2019")`
#' @family discretizers
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' head(features(discretize_features(cars, disc_equal_width(3))), 3)
#' fitted <- fit(disc_equal_frequency(2), cars[1:20, ])
#' fitted
#' head(features(predict(fitted, cars[21:32, ])), 3)
#' @export
disc_equal_width <- function(bins = 5, side = c("left", "right"), na = c("error", "level")) {
  params <- list(bins = check_count(bins, min = 2, max = most_bins), side = check_choice(side), na = check_choice(na))
  new_discretizer("equal width", "equal_width", params)
}

#' @rdname disc_equal_width
#' @export
disc_equal_frequency <- function(bins = 5, na = c("error", "level")) {
  params <- list(bins = check_count(bins, min = 2, max = most_bins), na = check_choice(na))
  new_discretizer("equal frequency", "equal_frequency", params)
}

new_discretizer <- function(name, method, params) structure(list(
  name = name, method = method, params = params
), class = "mldiscretizer")

# A discretizer is described by its method in the registry:
#   fit(x, continuous, params, task, threads)  returns a list with the boundaries of each column of x that is marked in
#       `continuous`, and NULL for the others; or just NULL if there are no boundaries at all. Only supervised methods
#       use the targets of `task`; its weights are above 0.
#   closed(params)  the end at which intervals are closed, "left" or "right"
#   supervised      whether it learns from targets
#   shown(params)   how print() describes it
discretizer_method <- function(discretizer) registered("discretizers", discretizer$method)

closed_right <- function(discretizer) discretizer_method(discretizer)$closed(discretizer$params) == "right"

register("discretizers", "equal_width",
  name = "equal width", constructor = "disc_equal_width()", source = "Sechidis et al. (2019)",
  fit = function(x, continuous, params, task, threads) {
    cpp_auto_cuts(x, continuous, params$bins, params$side == "right", 1, NULL, threads)
  },
  closed = function(params) params$side, supervised = FALSE,
  shown = function(params) paste0(params$bins, " bins, closed on the ", params$side)
)

register("discretizers", "equal_frequency",
  name = "equal frequency", constructor = "disc_equal_frequency()", source = "Lee & Kim (2015)",
  fit = function(x, continuous, params, task, threads) cpp_equal_frequency_cuts(x, continuous, params$bins,
    row_counts(task), threads),
  closed = function(params) "right", supervised = FALSE,
  shown = function(params) paste0(params$bins, " bins, closed on the right")
)

#' @export
print.mldiscretizer <- function(x, ...) {
  cat("<mldiscretizer> ", x$name, ", ", discretizer_method(x)$shown(x$params), ", missing values: ", x$params$na, "\n",
    sep = "")
  if (is_fitted(x)) {
    cat("fitted to ", format_count(length(x$features)), " features, ", format_count(sum(!x$discrete)),
      " of them continuous\n", sep = "")
  }
  invisible(x)
}

check_discretizer <- function(discretizer, arg = "discretizer") {
  how <-
    paste0("Make one with a function such as {.fn disc_auto} or {.fn disc_equal_width}, or use {.code NULL} for none; ",
      "see {.fn list_discretizers}.")
  check_class(discretizer, "mldiscretizer", how, arg = arg)
  if (is.null(discretizer_method(discretizer))) abort(c("{.arg {arg}} must be of a known method.",
    x = "There is no method {.val {discretizer$method}}.", i = how))
}

# More bins than this are a mistake, and their boundaries would fill the memory.
most_bins <- 100000L

# The boundaries for the columns of x that are marked in `continuous`, and NULL for the others. NULL if none is marked.
fit_cuts <- function(discretizer, x, continuous, task, threads) {
  method <- discretizer_method(discretizer)
  if (!any(continuous) && !method$supervised) return(NULL)
  if (method$supervised && !is.null(task$targets$unknown)) {
    abort(c("{discretizer$name} cannot learn from labels that are unknown in some rows.",
      i = "Use a discretizer that does not look at labels, such as {.fn disc_auto}."))
  }
  if (method$supervised && task_kind(task) == "numeric") {
    constructor <- sub("\\(.*", "", method$constructor)
    abort(c("{.fn {constructor}} needs labels or classes.", x = "The targets are of kind {.val numeric}.",
      i = "Use {.fn disc_auto}, or discretize the targets with {.arg target_bins}."))
  }
  method$fit(x, continuous, discretizer$params, task, threads)
}

# `bad`: row and column of the first missing value.
check_no_missing <- function(task, advice, bad = cpp_find_missing(task$x)) {
  if (length(bad) == 0L) return(invisible())
  abort(c("Features must not have missing values here.",
    x = "Feature {.val {colnames(task$x)[bad[2]]}} is missing in row {bad[1]}.", i = advice))
}

#' @rdname disc_equal_width
#' @param object A discretizer.
#' @param task A task.
#' @param newdata A task with the features that the discretizer was fitted to.
#' @param ... Not used.
#' @return `fit()`: a fitted discretizer. `predict()` and `discretize_features()`: a task whose features are level
#'   numbers from 1 (integers). If the discretizer was fitted to sparse features, the features are sparse, and the level
#'   number of the value 0 is subtracted, so that values that are not stored need not be stored. Missing values with
#'   `na = "level"` get the number after the last level. A level of a discrete feature that did not occur in the fitted
#'   rows gets 0.
#' @export
fit.mldiscretizer <- function(object, task, ...) {
  check_mltask(task)
  fit_discretizer(object, task)
}

is_fitted <- function(discretizer) inherits(discretizer, "mldiscretizer_fitted")

# Uses a fitted discretizer for the features of the task, and fits any other one to it.
fitted_discretizer <- function(discretizer, task) {
  if (is_fitted(discretizer)) fitted_for(discretizer, colnames(task$x)) else fit_discretizer(discretizer, task)
}

# A fitted discretizer for the features `names`, in this order.
fitted_for <- function(discretizer, names) {
  at <- fitted_positions(discretizer, names)
  parts <- intersect(c("features", "discrete", "cuts", "levels"), names(discretizer))
  discretizer[parts] <- lapply(unclass(discretizer)[parts], \(part) part[at])
  discretizer
}

# The positions of the features `names` in a fitted discretizer.
fitted_positions <- function(discretizer, names) {
  at <- match(names, discretizer$features)
  if (!anyNA(at)) return(at)
  abort(c("The discretizer must have been fitted to all features.", x = "It has no {.val {names[is.na(at)][1]}}."))
}

fit_discretizer <- function(object, task) {
  task <- weighted_rows(task)
  fit_columns(object, task$x, unname(task$discrete), task)
}

# `task` is for discretizers that learn from targets, and for weights.
fit_columns <- function(object, x, discrete, task, cuts = fit_cuts(object, x, !discrete, task, resolve_threads())) {
  if (object$params$na == "error") check_no_missing(list(x = x),
    "Use {.code na = \"level\"}, or fill them in with {.fn impute_mean}.")
  values <- function(f) {
    column <- dense_column(x, f)
    if (is.factor(column)) levels(column) else sort(unique(as.double(column)))
  }
  levels <- vector("list", ncol(x))
  # A sparse discrete feature keeps its values, unless they need a level beside them.
  if (!is_sparse(x) || object$params$na == "level") levels[discrete] <- lapply(which(discrete), values)
  fitted <- list(features = colnames(x), discrete = discrete, cuts = cuts, levels = levels, sparse = is_sparse(x))
  saved_object(c(unclass(object), fitted), c("mldiscretizer_fitted", "mldiscretizer"))
}

#' @rdname disc_equal_width
#' @export
predict.mldiscretizer <- function(object, newdata, ...) {
  check_mltask(newdata)
  if (!is_fitted(object)) abort(c("{.arg object} must be a fitted discretizer.",
    i = "Use {.code fit(discretizer, task)} first."))
  at <- feature_positions(object$features, colnames(newdata$x), "the discretizer was fitted to")
  if (!is.null(at)) newdata <- newdata[, at]
  if (object$params$na == "error") check_no_missing(newdata,
    "Use {.code na = \"level\"}, or fill them in with {.fn impute_mean}.")
  newdata$x <- feature_codes(object, newdata$x)
  newdata$discrete[] <- TRUE
  newdata
}

# `x`: the features that the discretizer was fitted to, in its order. Sparse features have other level numbers than
# dense ones, so the layout of the fitted rows decides.
feature_codes <- function(fitted, x) {
  if (fitted$sparse %||% is_sparse(x)) return(sparse_codes(fitted, sparse_numbers(x)))
  dense_codes(fitted, if (is_sparse(x)) as.matrix(x) else x)
}

# Columns of new rows as a sparse matrix.
sparse_numbers <- function(x) {
  if (is_sparse(x)) return(x)
  as_sparse_numbers(as.matrix(like_training(x, NULL)))
}

column_codes <- function(fitted, f, column) {
  known <- fitted$levels[[f]]
  check_column_type(column, known, fitted$features[f])
  if (fitted$discrete[f]) {
    codes <- match(if (is.character(known)) level_text(column, known) else as.double(column), known, nomatch = 0L)
    last <- length(known)
  } else {
    codes <- cpp_levels(as.double(column), fitted$cuts[[f]], closed_right(fitted))
    last <- length(fitted$cuts[[f]]) + 1L
  }
  codes[is.na(column)] <- last + 1L
  codes
}

dense_codes <- function(fitted, x) {
  if (is.data.frame(x)) {
    x[] <- lapply(seq_along(x), function(f) column_codes(fitted, f, x[[f]]))
    return(x)
  }
  codes <- vapply(seq_len(ncol(x)), function(f) column_codes(fitted, f, x[, f]), integer(nrow(x)))
  dim(codes) <- dim(x)
  dimnames(codes) <- dimnames(x)
  codes
}

sparse_codes <- function(fitted, x) {
  if (all(fitted$discrete) && is_pattern(x)) return(x)
  x <- with_values(x)
  values <- x@x  # assigning to parts of the slot would copy all of it for each feature
  for (f in which(!fitted$discrete | lengths(fitted$levels) > 0L)) {
    at <- stored_cells(x, f)
    values[at] <- as.double(column_codes(fitted, f, values[at]) - column_codes(fitted, f, 0))
  }
  x@x <- values
  Matrix::drop0(x)
}

#' @rdname disc_equal_width
#' @param discretizer A discretizer.
#' @export
discretize_features <- function(task, discretizer = disc_auto()) {
  check_mltask(task)
  check_discretizer(discretizer)
  predict(if (is_fitted(discretizer)) discretizer else fit_discretizer(discretizer, task), task)
}

#' @rdname list_selectors
#' @export
list_discretizers <- function() registry_table("discretizers", c("constructor", "name", "source"))

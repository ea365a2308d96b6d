# Shared by linear learners: features as numeric columns, and predictions.

# Training rows as list(x, input). `x`: a double matrix or a dgCMatrix. An unordered factor has one column for each
# level but the first. `input`: what is needed to convert new rows to the same form.
linear_columns <- function(task, params) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.")
  numbers <- numeric_features(task)
  if (params$scale == "none") check_squarable(numbers$x)
  check_weight_range(task)
  input <- c(numbers["nominal"], training_levels(task$x))
  list(x = level_columns(unname_rows(numbers$x), input), input = input)
}

# New rows in the form of linear_columns()$x.
linear_query <- function(input, x) level_columns(neighbor_query(c(input, list(x = x)), x), input)

level_columns <- function(x, input) {
  if (!any(input$nominal)) return(x)
  width <- column_widths(input)
  # So that at most a quarter of the cells are not 0 where levels were seen.
  sparse <- sum(width) > 4L * length(width)
  do.call(cbind, lapply(seq_len(ncol(x)), function(f) {
    if (input$nominal[f]) return((if (sparse) sparse_indicators else level_indicators)(x[, f], width[f] + 1L))
    if (sparse) as_sparse_numbers(x[, f, drop = FALSE]) else x[, f, drop = FALSE]
  }))
}

# Level numbers as 0/1 columns for levels 2, 3, ... An unseen level, code 0, counts as an equal part of each level.
level_indicators <- function(codes, n_levels) {
  columns <- indicator_columns(codes, n_levels)[, -1L, drop = FALSE] + 0
  columns[codes == 0, ] <- 1 / n_levels
  columns
}

# The same as a dgCMatrix.
sparse_indicators <- function(codes, n_levels) {
  seen <- which(codes > 1)
  unseen <- which(codes == 0)
  Matrix::sparseMatrix(c(seen, rep(unseen, n_levels - 1L)),
    c(codes[seen] - 1, rep(seq_len(n_levels - 1L), each = length(unseen))),
    x = rep(c(1, 1 / n_levels), c(length(seen), length(unseen) * (n_levels - 1L))),
    dims = c(length(codes), n_levels - 1L))
}

# The number of columns that each feature takes.
column_widths <- function(input) {
  width <- rep.int(1L, length(input$nominal))
  width[input$nominal] <- lengths(input$levels[input$nominal]) - 1L
  width
}

column_names <- function(features, input) {
  width <- column_widths(input)
  names <- rep(features, width)
  nominal <- rep(input$nominal, width)
  levels <- unlist(lapply(which(input$nominal), function(f) input$levels[[f]][-1L]))
  names[nominal] <- paste(names[nominal], levels, sep = " = ")
  names
}

# fit() of a method: `fit(x, y, weights, params, prefixes, threads)` returns list(scaling, models), with one model
# for each of the `prefixes`, the numbers of leading columns. `logistic`: whether predictions are the logistic function
# of the linear ones.
linear_fit <- function(fit, logistic) {
  function(task, params, prefixes, threads) {
    columns <- linear_columns(task, params)
    prefixes <- cumsum(column_widths(columns$input))[prefixes]
    c(columns["input"], logistic = logistic, numeric = task_kind(task) == "numeric",
      fit(columns$x, task$targets$values, task$rows$weights, params, prefixes, threads))
  }
}

predict_linear <- function(state, x, params, prefixes, threads) {
  x <- linear_query(state$input, x)
  found <- cpp_linear_predict(x, state$scaling, state$models, state$logistic, threads)
  as_answers(found, if (state$numeric) "response" else "score")
}

# Searches among sets of features: training rows and new rows are converted only once.
linear_subsets <- function(fit, logistic) {
  function(train, x, params, threads) {
    found <- linear_columns(train, params)
    query <- linear_query(found$input, x)
    width <- column_widths(found$input)
    last <- cumsum(width)
    function(columns, scores) {
      at <- sequence(width[columns], last[columns] - width[columns] + 1L)
      columns <- take_columns(found$x, at)
      model <- fit(columns, train$targets$values, train$rows$weights, params, length(at), threads)
      predicted <- cpp_linear_predict(take_columns(query, at), model$scaling, model$models, logistic, threads)
      stats::setNames(predicted, if (task_kind(train) == "numeric") "response" else "score")
    }
  }
}

#' Coefficients of linear models
#'
#' The coefficients of a model by [lrn_linear()], [lrn_brlr()] or [lrn_mtl()], also within [lrn_threshold()]: what a
#' feature adds to the prediction of a target while the other features stay as they are.
#'
#' They are standardized: for a change by one standard deviation (population, weighted where rows have
#' [weights][row_weights()]) of the feature in the training rows. So their sizes can be compared among features. With
#' `scale = "none"`, also if `"auto"` led to it (see [feature_scale]), or `standardize = FALSE` for [lrn_mtl()], they
#' are for a change by one unit.
#'
#' @param object (`mlmodel`) The result of [fit()][fit.mllearner] of one of these learners.
#' @param ... Not used.
#' @return A numeric matrix, features x targets, without intercepts. Numeric targets are in their own units, labels are
#'   0 and 1, and with the logistic loss coefficients change the logarithm of the odds. Features that were constant in
#'   training have 0, and so has each feature for a label that no training row or every training row has. An unordered
#'   factor has a row for each level but the first, such as `"color = red"`, and a class has a column for each category
#'   in training, such as `"class = a"`. Where targets are [unknown][unknown_labels], [lrn_linear()] and [lrn_brlr()]
#'   standardize by the rows in which the target is known, and [lrn_mtl()] by those in which some target is known.
#'
#'   Models of other learners give an error of class `mlsift_error`.
#' @family learners
#' @seealso [coef()][coef.mlselection] of selections by [sel_mtl()] has intercepts and the units of the features.
#' @examples
#' cars <- mltask(mtcars, targets = c("mpg", "qsec"))
#' coef(fit(lrn_linear(), cars))
#' @export
coef.mlmodel <- function(object, ...) {
  if (object$learner$method == "threshold") return(coef.mlmodel(object$state$model))
  if (!object$learner$method %in% c("linear", "brlr", "mtl")) {
    abort(c("The model must be linear: by {.fn lrn_linear}, {.fn lrn_brlr} or {.fn lrn_mtl}.",
      x = "It is by {object$learner$name}."))
  }
  state <- object$state
  targets <- object$target_names
  parts <- if (inherits(state, "mlknownlabels")) state$parts else list(list(labels = seq_along(targets), state = state))
  if (!is.null(state$categories)) {
    targets <- paste(rep(targets, lengths(state$categories)), unlist(state$categories), sep = " = ")
    parts <- list(list(labels = seq_along(targets), state = state$model))
  }
  input <- parts[[1L]]$state$input
  names <- column_names(object$feature_names, input)
  result <- matrix(0, length(names), length(targets), dimnames = list(names, targets))
  for (part in parts) result[, part$labels] <- part$state$models[[1L]]$weights * (part$state$deviation %||% 1)
  result
}

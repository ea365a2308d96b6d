# Shared by linear learners: features as numeric columns, and predictions.

# Training rows as list(x, input). `x`: a double matrix or a dgCMatrix. An unordered factor has one column for each
# level but the first. `input`: what is needed to convert new rows to the same form.
linear_columns <- function(task, params, call) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.", call)
  numbers <- numeric_features(task)
  if (params$scale == "none") check_squarable(numbers$x, call)
  check_weight_range(task, call)
  input <- c(numbers["nominal"], training_levels(task$x))
  list(x = level_columns(unname_rows(numbers$x), input), input = input)
}

# New rows in the form of linear_columns()$x.
linear_query <- function(input, x, call) level_columns(neighbor_query(c(input, list(x = x)), x, call), input)

level_columns <- function(x, input) {
  if (!any(input$nominal)) return(x)
  do.call(cbind, lapply(seq_len(ncol(x)), function(f) {
    if (input$nominal[f]) level_indicators(x[, f], length(input$levels[[f]])) else x[, f, drop = FALSE]
  }))
}

# Level numbers as 0/1 columns for levels 2, 3, ... An unseen level, code 0, counts as an equal part of each level.
level_indicators <- function(codes, n_levels) {
  columns <- indicator_columns(codes, n_levels)[, -1L, drop = FALSE] + 0
  columns[codes == 0, ] <- 1 / n_levels
  columns
}

# The number of columns that each feature takes.
column_widths <- function(input) {
  width <- rep.int(1L, length(input$nominal))
  width[input$nominal] <- lengths(input$levels[input$nominal]) - 1L
  width
}

# The number of columns that the first k[1], k[2], ... features take.
column_prefixes <- function(input, k) cumsum(column_widths(input))[k]

# fit() of a method: `fit(x, y, weights, params, prefixes, threads, call)` returns list(scaling, models), with one model
# for each of the `prefixes`, the numbers of leading columns.
linear_fit <- function(fit) {
  function(task, params, prefixes, threads, call) {
    columns <- linear_columns(task, params, call)
    prefixes <- column_prefixes(columns$input, prefixes)
    c(columns["input"], fit(columns$x, task$targets$values, task$rows$weights, params, prefixes, threads, call))
  }
}

# predict() of a method. `answer`: the name of what is predicted, "score" or "response".
linear_predict <- function(answer) {
  function(state, x, params, prefixes, threads, call) {
    as_answers(predict_linear(state, x, answer == "score", threads, call), answer)
  }
}

predict_linear <- function(state, x, logistic, threads, call) {
  cpp_linear_predict(linear_query(state$input, x, call), state$scaling, state$models, logistic, threads)
}

# Searches among sets of features: training rows and new rows are converted only once.
linear_subsets <- function(fit, answer) {
  function(train, x, params, threads, call) {
    found <- linear_columns(train, params, call)
    query <- linear_query(found$input, x, call)
    width <- column_widths(found$input)
    last <- cumsum(width)
    function(columns, scores) {
      at <- sequence(width[columns], last[columns] - width[columns] + 1L)
      columns <- take_columns(found$x, at)
      model <- fit(columns, train$targets$values, train$rows$weights, params, length(at), threads, call)
      predicted <- cpp_linear_predict(take_columns(query, at), model$scaling, model$models, answer == "score", threads)
      stats::setNames(predicted, answer)
    }
  }
}

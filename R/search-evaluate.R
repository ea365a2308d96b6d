# The value of a set of features to a search: the mean of a measure over the inner splits, lower is better.

# Returns a function of a set (ascending positions of columns) and the number of the evaluation. That function returns
# list(value, seconds, failed). If a set cannot be evaluated, its value is infinite and `failed` gives the reason.
# `columns`: the columns that sets are made of. `number`: the start of the random streams.
#
# The values are those of assess_features() on the same rows. If the rows stay the same, learners that can predict from
# any subset of the columns (`subsets` of their method) are prepared once for all of them.
search_evaluator <- function(task, columns, params, number, threads) {
  search <- list(
    task = task, columns = columns, learner = params$learner, discretizer = params$discretizer,
    measures = resolve_measures(params$measure, task_kind(task)), threads = threads
  )
  inner <- own_resampling(params$inner, task, rs_holdout(0.8, 1))
  draw_rows <- function(n = NULL) with_stream(c(list(number, "inner"), n), make_splits(task, inner))
  maximize <- search$measures[[1L]]$direction == "maximize"
  same_rows <- if (!params$redraw) lapply(draw_rows(), split_evaluator, search)
  function(set, n) {
    started <- now()
    evaluators <- same_rows %||% lapply(draw_rows(n), alone_evaluator, search)
    parts <- lapply(evaluators, function(evaluate) evaluate(set, list(number, "learn", n)))
    values <- vapply(parts, function(part) part$values[[1L]], 0)
    value <- if (anyNA(values)) Inf else if (maximize) 1 - mean(values) else mean(values)
    failed <- if (value == Inf) unlist(lapply(parts, function(part) part$failed$message))[1L]
    list(value = value, seconds = now() - started, failed = failed)
  }
}

# --- one split --------------------------------------------------------------------------------------------------------

# Evaluators are functions of a set and a random stream that return an assessment, see assess_columns().

# The columns of each set are prepared separately.
alone_evaluator <- function(rows, search) {
  function(set, stream) {
    found <- attempt(assess_split(search$task, rows, NULL, search$discretizer, set))
    if (is.null(found$value)) return(failed_assessment(search$measures, "discretize", found$message))
    fit_for_set(found$value, seq_along(set), search, stream)
  }
}

# All columns are prepared once, and so is the learner if possible.
split_evaluator <- function(rows, search) {
  split <- attempt(assess_split(search$task, rows, NULL, search$discretizer, search$columns))$value
  # There is a problem with one of the columns. Sets without it can still be evaluated.
  if (is.null(split)) return(alone_evaluator(rows, search))
  at_once <- prepared_evaluator(split, search)
  function(set, stream) {
    at <- match(set, search$columns)
    # If the fast way fails, the way that checks everything reports the reason.
    (if (!is.null(at_once)) at_once(at)) %||% fit_for_set(split, at, search, stream)
  }
}

# A function of columns of the split that returns the assessment of a learner that is already fitted, or NULL if that
# fails. NULL for learners that are fitted to each set.
prepared_evaluator <- function(split, search) {
  method <- learner_method(search$learner)
  # If labels with unknown rows are fitted separately, this is done for each set.
  apart <- !is.null(split$train$targets$unknown) && !method$joint
  if (is.null(method$subsets) || apart) return(NULL)
  predict <- attempt({
    check_known_rows(split$train)
    params <- c(search$learner$params, threshold = 0.5)
    method$subsets(split$train, split$test$x, params, resolve_threads(search$threads))
  })$value
  if (is.null(predict)) return(NULL)
  measure <- search$measures[[1L]]
  known_labels <- task_kind(search$task) == "label" && !anyNA(split$truth)
  direct <- if (known_labels) direct_measure(measure, split$truth, split$test$rows$weights, search$threads)
  function(at) {
    answer <- attempt(predict(at, measure$needs == "score"))$value
    if (is.null(answer)) return(NULL)
    value <- if (!is.null(direct) && !anyNA(answer$score)) direct(answer) else NA
    if (!is.na(value)) return(list(values = value))
    prediction <- new_mlprediction(
      answer$score, answer$response, 0.5, row_names(split$test$x), colnames(split$train$targets)
    )
    measure_prediction(prediction, split, search$measures, search$threads, attempt, search$learner$name)
  }
}

fit_for_set <- function(split, at, search, stream) {
  assess_columns(search$learner, split, at, length(at), list(search$measures), stream, search$threads)[[1L]]
}

# What a set of features is worth to a search: the mean of a measure over the inner splits, lower better.

# A function of a set (positions of columns, ascending) and the number of the evaluation that gives list(value, seconds,
# failed). A set that cannot be evaluated has an infinite value and says in `failed` why. `columns`: those that sets are
# made of; `number`: what the streams of random numbers start from.
#
# The values are those of assess_features() on the same rows. Where rows stay the same, learners that can predict from
# any of the columns (`subsets` of their method) are prepared once for all of them.
search_evaluator <- function(task, columns, params, number, threads, call) {
  search <- list(
    task = task, columns = columns, learner = params$learner, discretizer = params$discretizer,
    record = resolve_measures(params$measure, task_kind(task), call), threads = threads, call = call
  )
  draw_rows <- function(n = NULL) with_stream(c(list(number, "inner"), n), make_splits(task, params$inner, call))
  same_rows <- if (!params$redraw) lapply(draw_rows(), split_evaluator, search)
  function(set, n) {
    started <- now()
    evaluators <- same_rows %||% lapply(draw_rows(n), alone_evaluator, search)
    parts <- lapply(evaluators, function(evaluate) evaluate(set, list(number, "learn", n)))
    values <- vapply(parts, function(part) part$values[[1L]], 0)
    value <- if (anyNA(values)) Inf else as_loss(mean(values), search$record[[1L]])
    failed <- if (value == Inf) unlist(lapply(parts, function(part) part$failed$message))[1L]
    list(value = value, seconds = now() - started, failed = failed)
  }
}

# Lower is better.
as_loss <- function(value, record) if (record$direction == "maximize") 1 - value else value

# --- one split --------------------------------------------------------------------------------------------------------

# Evaluators are functions of a set and a stream of random numbers that give an assessment, see assess_columns().

# The columns of each set are prepared for it alone.
alone_evaluator <- function(rows, search) {
  function(set, stream) {
    found <- attempt(assess_split(search$task, rows, NULL, search$discretizer, set))
    if (is.null(found$value)) return(failed_assessment(search$record, "discretize", found$message))
    fit_for_set(found$value, seq_along(set), search, stream)
  }
}

# All columns are prepared once, and so is the learner if possible.
split_evaluator <- function(rows, search) {
  split <- attempt(assess_split(search$task, rows, NULL, search$discretizer, search$columns))$value
  # Something is amiss with one of the columns: sets without it can still be evaluated.
  if (is.null(split)) return(alone_evaluator(rows, search))
  at_once <- prepared_evaluator(split, search)
  function(set, stream) {
    at <- match(set, search$columns)
    # What is out of the ordinary is named by the way that checks everything.
    (if (!is.null(at_once)) at_once(at)) %||% fit_for_set(split, at, search, stream)
  }
}

# A function of columns of the split that gives the assessment of a learner that is fitted already, or NULL if that
# fails. NULL for learners that are fitted to each set.
prepared_evaluator <- function(split, search) {
  method <- learner_method(search$learner)
  # Labels of single rows that are fitted apart are so for each set.
  apart <- !is.null(split$train$unknown) && !method$joint
  if (is.null(method$subsets) || apart) return(NULL)
  predict <- attempt({
    check_known_rows(split$train, search$call)
    params <- c(search$learner$params, threshold = 0.5)
    method$subsets(split$train, split$test$x, params, resolve_threads(search$threads), search$call)
  })$value
  if (is.null(predict)) return(NULL)
  record <- search$record[[1L]]
  known_labels <- task_kind(search$task) == "label" && !anyNA(split$truth)
  direct <- if (known_labels) direct_measure(record, split$truth, search$threads, search$call)
  function(at) {
    answer <- attempt(predict(at, record$needs == "score"))$value
    if (is.null(answer)) return(NULL)
    value <- if (!is.null(direct) && !anyNA(answer$score)) direct(answer) else NA
    if (!is.na(value)) return(list(values = value))
    prediction <- new_mlprediction(
      answer$score, answer$response, 0.5, row_names(split$test$x), colnames(split$train$y)
    )
    measure_prediction(prediction, split, search$record, search$threads, attempt)
  }
}

fit_for_set <- function(split, at, search, stream) {
  assess_columns(search$learner, split, at, length(at), list(search$record), stream, search$threads)[[1L]]
}

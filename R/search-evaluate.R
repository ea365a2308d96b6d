# What a set of features is worth to a search: the mean of a measure over the inner splits, lower better.

# A function of a set (positions of columns, ascending) and the number of the evaluation that gives list(value, seconds,
# failed). A set that cannot be evaluated has an infinite value and says in `failed` why. `columns`: those that sets are
# made of; `number`: what the streams of random numbers start from.
#
# The values are those of assess_features() on the same rows. Where rows stay the same, learners that can predict from
# any of the columns (`subsets` of their method) are prepared once for all of them.
search_evaluator <- function(task, columns, params, number, threads, call) {
  record <- resolve_measures(params$measure, task_kind(task), call)
  draw_rows <- function(n = NULL) with_stream(c(list(number, "inner"), n), make_splits(task, params$inner, call))
  if (params$redraw) {
    evaluate_on <- function(set, n) {
      lapply(draw_rows(n), function(rows) {
        evaluate_alone(task, rows, set, params, record, list(number, "learn", n), threads)
      })
    }
  } else {
    prepared <- lapply(draw_rows(), function(rows) {
      prepare_split(task, rows, columns, params, record, threads, call)
    })
    evaluate_on <- function(set, n) lapply(prepared, function(evaluate) evaluate(set, list(number, "learn", n)))
  }
  function(set, n) {
    started <- now()
    parts <- evaluate_on(set, n)
    values <- vapply(parts, function(part) part$values[[1L]], 0)
    value <- if (anyNA(values)) Inf else as_loss(mean(values), record[[1L]])
    failed <- if (value == Inf) unlist(lapply(parts, function(part) part$failed$message))[1L]
    list(value = value, seconds = now() - started, failed = failed)
  }
}

# Lower is better.
as_loss <- function(value, record) if (record$direction == "maximize") 1 - value else value

# A function of a set and a stream that evaluates it on one split, whose rows stay the same.
prepare_split <- function(task, rows, columns, params, record, threads, call) {
  found <- attempt(assess_split(task, rows, NULL, params$discretizer, columns))
  if (is.null(found$value)) {
    # Something is amiss with one of the columns: sets without it can still be evaluated.
    return(function(set, stream) evaluate_alone(task, rows, set, params, record, stream, threads))
  }
  split <- found$value
  method <- learner_method(params$learner)
  subsets <- method$subsets
  # Labels of single rows that are fitted apart are so for each set.
  apart <- !is.null(split$train$unknown) && !method$joint
  predict <- if (!is.null(subsets) && !apart) {
    learner_params <- c(params$learner$params, threshold = 0.5)
    attempt({
      check_known_rows(split$train, call)
      subsets(split$train, split$test$x, learner_params, resolve_threads(threads), call)
    })$value
  }
  if (is.null(predict)) {
    return(function(set, stream) {
      evaluate_split(split, match(set, columns), params$learner, record, stream, threads)
    })
  }
  rows <- row_names(split$test$x)
  targets <- colnames(split$train$y)
  needs_score <- record[[1L]]$needs == "score"
  known_labels <- task_kind(task) == "label" && !anyNA(split$truth)
  measure <- if (known_labels) direct_measure(record[[1L]], split$truth, threads, call)
  function(set, stream) {
    answer <- attempt(predict(match(set, columns), needs_score))$value
    if (!is.null(measure) && !is.null(answer) && !anyNA(answer$score)) {
      value <- measure(answer)
      if (!is.na(value)) return(list(values = value))
    }
    # What is out of the ordinary is named by the way that checks everything.
    if (is.null(answer)) return(evaluate_split(split, match(set, columns), params$learner, record, stream, threads))
    prediction <- new_mlprediction(answer$score, answer$response, 0.5, rows, targets)
    measure_prediction(prediction, split, record, threads, attempt)
  }
}

# One set on rows of its own.
evaluate_alone <- function(task, rows, set, params, record, stream, threads) {
  found <- attempt(assess_split(task, rows, NULL, params$discretizer, set))
  if (is.null(found$value)) return(failed_assessment(record, "discretize", found$message))
  evaluate_split(found$value, seq_along(set), params$learner, record, stream, threads)
}

evaluate_split <- function(split, at, learner, record, stream, threads) {
  assess_columns(learner, split, at, length(at), list(record), stream, threads)[[1L]]
}

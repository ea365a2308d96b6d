# Assesses sets of columns on one split. All code that fits a learner to measure features goes through here: benchmarks,
# assess_features(), and searches for good sets.

# The rows of a split as learners and measures get them: list(train, test, truth, scale). The imputer and the
# discretizer are fitted to the training rows, the imputer to all features, the discretizer to `columns` (positions;
# NULL for all). Only `columns` are kept. `scale`: what "auto" is for these rows, see auto_scale(). `stream`: a key for
# the random numbers used in fitting the imputer, see with_stream().
assess_split <- function(task, rows, impute = NULL, discretizer = NULL, columns = NULL, stream = NULL) {
  train <- split_part(task, rows$train)
  test <- split_part(task, rows$test)
  imputer <- if (!is.null(impute)) in_stream(stream, fit(impute, train))
  train <- filled_in(train, imputer)
  test <- filled_in(test, imputer)
  scale <- auto_scale(train)
  if (!is.null(columns)) {
    train <- train[, columns]
    test <- test[, columns]
  }
  truth <- target_matrix(test$targets)
  discretize_split(list(train = train, test = test, truth = truth, scale = scale), discretizer)
}

discretize_split <- function(split, discretizer,
                             fitted = fitted_discretizer(discretizer, split$train)) {
  if (is.null(discretizer)) return(split)
  split$train <- stats::predict(fitted, split$train)
  split$test <- stats::predict(fitted, split$test)
  split
}

# Fits `learner` to the training rows of a split (made by assess_split()), predicts the test rows and measures, once for
# each set of features: the first counts[1], counts[2], ... of `columns` (positions). Learners that can serve all counts
# in one pass do so; others are fitted once for each.
#
# `measures`: for each count, a list of measures by name, as resolve_measures() makes it.
# `stream`: a key for random numbers, see with_stream(); NULL uses R's generator in its current state. Learners that
#   serve one count at a time get a stream for each, so other counts do not affect the result.
# `catch`: how errors are handled: attempt() records them, `raise` lets them pass.
# `each`: whether each target is measured, too, see values_by_target().
#
# Returns one list for each count: `values`, by the names of the measures, NA where there is none; `failed`,
# list(measure, stage, message) of vectors, with one element for each NA; `seconds`, c(fit, predict, measure), unless
# that failed; `targets`. The seconds of a shared pass are recorded with its first count.
assess_columns <- function(learner, split, columns, counts, measures, stream = NULL, threads = NULL, catch = attempt,
                           each = FALSE) {
  curve <- learner_method(learner)$curve
  found <- lapply(if (curve) list(counts) else as.list(counts), function(prefixes) {
    key <- if (is.null(stream) || curve) stream else c(stream, list(prefixes))
    in_stream(key, predict_split(learner, split, columns, prefixes, threads, catch))
  })
  Map(function(one, records) {
    if (is.null(one$value)) return(failed_assessment(records, one$stage, one$message))
    started <- now()
    measured <- measure_prediction(one$value, split, records, threads, catch, learner$name)
    c(measured, list(seconds = c(one$seconds, measure = now() - started),
      targets = if (each) values_by_target(one$value, split, threads)))
  }, unlist(found, recursive = FALSE), measures, USE.NAMES = FALSE)
}

raise <- function(code) list(value = code)

in_stream <- function(key, code) if (is.null(key)) code else with_stream(key, code)

# For each of the prefixes, all served by one fit: list(value = prediction, seconds), or list(stage, message).
predict_split <- function(learner, split, columns, prefixes, threads, catch) {
  columns <- columns[seq_len(max(prefixes))]
  fail <- function(stage, message) rep(list(list(stage = stage, message = message)), length(prefixes))
  started <- now()
  learner <- with_scale(learner, split$scale)
  model <- catch(fit_prefixes(learner, split$train[, columns], prefixes, threads))
  if (is.null(model$value)) return(fail("fit", model$message))
  fitted <- now()
  x <- split$test[, columns]$x
  found <- catch(predict_prefixes(model$value, x, prefixes, threads = threads))
  if (is.null(found$value)) return(fail("predict", found$message))
  predictions <- lapply(found$value, function(prediction) list(value = prediction))
  predictions[[1L]]$seconds <- c(fit = fitted - started, predict = now() - fitted)
  predictions
}

# What measures use as the mean of the training rows.
train_targets <- function(train) {
  if (is.null(train$rows$weights) && is.null(train$targets$unknown)) train$targets$values else train
}

failed_assessment <- function(measures, stage, message) {
  values <- stats::setNames(rep(NA_real_, length(measures)), names(measures))
  list(values = values, failed = list(measure = names(measures), stage = stage, message = message))
}

# Built-in measures are computed together, since they share work, or one by one if that fails. Users' own measures are
# always computed one by one.
measure_prediction <- function(prediction, split, measures, threads, catch, learner) {
  compute <- function(which) {
    kind <- task_kind(split$train)
    catch(compute_measures(measures[which], split$truth, prediction, kind, train_targets(split$train), threads,
      split$test$rows$weights, "prediction", paste("The prediction of", learner)))
  }
  own <- vapply(measures, is_own_measure, NA)
  values <- stats::setNames(rep(NA_real_, length(measures)), names(measures))
  together <- if (any(!own)) compute(which(!own))$value
  if (!is.null(together)) values[!own] <- together
  failed <- integer()
  messages <- character()
  for (i in if (is.null(together)) seq_along(measures) else which(own)) {
    found <- compute(i)
    if (is.null(found$value)) {
      failed <- c(failed, i)
      messages <- c(messages, paste0(names(measures)[i], ": ", found$message))
    } else {
      values[i] <- found$value
    }
  }
  undefined <- setdiff(which(!is.finite(values)), failed)
  failed <- c(failed, undefined)
  what <- ifelse(is.infinite(values[undefined]), ": infinite on the test rows.", ": not defined on the test rows.")
  # Means, differences and ranks need finite numbers.
  values[undefined] <- NA
  reason <- ifelse(own[undefined], "", why_undefined(split))
  said <- paste0(names(measures)[undefined], what, reason, recycle0 = TRUE)
  messages <- c(messages, said)
  list(values = values, failed = list(measure = names(measures)[failed], stage = "measure", message = messages))
}

# The value of each target on the test rows, by the measure of its kind; NA where it is not defined, without a warning.
values_by_target <- function(prediction, split, threads) {
  kind <- task_kind(split$train)
  measure <- resolve_measures(switch(kind, label = "macro_auc", class = "balanced_accuracy", numeric = "mean_r2"), kind)
  vapply(seq_len(ncol(split$truth)), function(j) {
    own <- lapply(prediction[c("score", "response")], function(x) if (is.matrix(x)) x[, j, drop = FALSE] else x[j])
    or_else(suppressWarnings(compute_measures(measure, split$truth[, j, drop = FALSE], own, kind, NULL, threads,
      split$test$rows$weights)[[1L]]), NA_real_)
  }, 0)
}

# Built-in measures are undefined if all or none of the test rows that count have a label.
why_undefined <- function(split) {
  if (task_kind(split$test) != "label") return("")
  truth <- split$truth[(split$test$rows$weights %||% 1) > 0, , drop = FALSE]
  n_on <- colSums(truth, na.rm = TRUE)
  odd <- which(n_on == 0 | n_on == colSums(!is.na(truth)))
  if (length(odd) == 0L) return("")
  paste0(if (n_on[odd[1L]] == 0) " None" else " All", " of them have label \"", colnames(split$truth)[odd[1L]], "\".")
}

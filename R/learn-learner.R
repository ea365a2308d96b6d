new_learner <- function(name, method, params = list()) {
  structure(list(name = name, method = method, params = params), class = "mllearner")
}

#' @export
print.mllearner <- function(x, ...) {
  cat("<mllearner> ", learner_title(x), "\n", sep = "")
  invisible(x)
}

learner_title <- function(learner) {
  shown <- Filter(function(p) !is.null(p) && !is.function(p), learner$params)
  values <- vapply(shown, function(p) paste(c(format(utils::head(p, 5L)), if (length(p) > 5L) "..."), collapse = " "), "")
  paste0(learner$name, if (length(values)) paste0(" (", paste(names(values), values, sep = " = ", collapse = ", "), ")"))
}

#' Fit a learner and predict
#'
#' `fit()` learns a model from a task, `predict()` tells which targets new rows have.
#'
#' @param object (`mllearner`, `mlmodel`) A learner such as [lrn_mlknn()]; for `predict()` what `fit()` gave.
#' @param task (`mltask`) Two rows or more, without missing values in its features (unless a learner of yours takes
#'   them).
#' @param newdata (`mltask`, data frame, matrix, sparse `Matrix`) The rows to predict. With column names, columns are
#'   matched by name and those that the model does not know are ignored; without, they are taken in the order of the
#'   training features.
#' @param threshold (number from 0 to 1) Labels with a score of at least this are predicted, except by learners that
#'   predict sets of labels, such as [lrn_lp()].
#' @param threads (count) Number of threads; `NULL` takes `getOption("mlsift.threads")`, else what the size of the work
#'   is worth. The result never depends on it.
#' @param ... Not used.
#'
#' @return `fit()`: an object of class `mlmodel`, plain R data, which can be saved with [saveRDS()].
#'
#'   `predict()`: an object of class `mlprediction`, a list of two matrices, rows x targets, with the names of the
#'   targets: `score` (larger for targets that are more likely; `NULL` for numeric targets) and `response` (0/1 integers
#'   for labels). `as.data.frame()` gives columns `row`, `target`, `score` (unless `NULL`) and `response`; see
#'   [evaluate()][evaluate.mlprediction] for how good it is.
#'
#'   Errors are of class `mlsift_error`: fewer than two rows to learn from, a kind of target that the learner cannot
#'   predict, missing values, features that `newdata` lacks or has of another type. A level of a factor that was not
#'   there in training is as different from every row as levels can be; of an ordered factor it has no place and is an
#'   error.
#' @family learners
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3)
#' model <- fit(lrn_mlknn(neighbors = 5), task[1:40, ])
#' prediction <- predict(model, task[41:60, ])
#' prediction
#' head(as.data.frame(prediction), 3)
#' evaluate(prediction, task[41:60, ], c("hamming_loss", "ranking_loss"))
#' @importFrom generics fit
#' @method fit mllearner
#' @export
fit.mllearner <- function(object, task, threads = NULL, ...) {
  call <- rlang::current_env()
  check_task(task)
  check_can_learn(object, task, call)
  state <- learner_method(object, call)$fit(task, object$params, ncol(task$x), resolve_threads(threads), call)
  structure(
    list(learner = object, feature_names = colnames(task$x), target_names = colnames(task$y), kind = task_kind(task),
         n_rows = nrow(task$x), state = state),
    class = "mlmodel"
  )
}

learner_method <- function(learner, call) {
  registered("learners", learner$method) %||%
    abort(c("{.val {learner$method}} is not a method of learning that mlsift knows.", i = "See {.fn list_learners}."), call = call)
}

check_can_learn <- function(learner, task, call) {
  if (nrow(task$x) < 2L) abort(c("Learning needs at least two rows.", x = "The task has {nrow(task$x)}."), call = call)
  kind <- task_kind(task)
  kinds <- learner_method(learner, call)$kinds
  if (kind %in% kinds) return(invisible())
  abort(c("{learner$name} predicts targets of kind {.or {.val {kinds}}}.", x = "The targets are of kind {.val {kind}}.",
          i = if (kind == "class") "Make one 0/1 column for each category and use {.code kind = \"label\"}."), call = call)
}

#' @export
print.mlmodel <- function(x, ...) {
  word <- c(label = "label", class = "class target", numeric = "numeric target")[[x$kind]]
  cat("<mlmodel> ", learner_title(x$learner), "\nlearned from ", counted(x$n_rows, "row"), ", ",
      counted(length(x$feature_names), "feature"), ", ", counted(length(x$target_names), word), "\n", sep = "")
  invisible(x)
}

#' @rdname fit.mllearner
#' @importFrom stats predict
#' @export
predict.mlmodel <- function(object, newdata, threshold = 0.5, threads = NULL, ...) {
  call <- rlang::current_env()
  threshold <- check_number(threshold, 0, 1)
  x <- matching_features(newdata, object$feature_names, call)
  method <- learner_method(object$learner, call)
  answer <- method$predict(object$state, x, c(object$learner$params, threshold = threshold), ncol(x), resolve_threads(threads), call)[[1L]]
  if (is.null(method$nested)) answer <- check_answer(answer, nrow(x), object, call)
  new_mlprediction(answer$score, answer$response, threshold, row_names(x), object$target_names)
}

# The features that a model was trained on, in its order.
matching_features <- function(newdata, names, call) {
  if (inherits(newdata, "mltask")) {
    x <- newdata$x
  } else {
    unnamed <- length(dim(newdata)) == 2L && is.null(colnames(newdata))
    x <- as_features(newdata, call, "newdata")
    if (unnamed) {
      if (ncol(x) != length(names)) {
        abort(c("{.arg newdata} without column names must have the {length(names)} feature{?s} of the training data.",
                x = "It has {ncol(x)} column{?s}."), call = call)
      }
      colnames(x) <- names
    }
  }
  if (nrow(x) == 0L) abort(c("{.arg newdata} must have at least one row.", x = "It has none."), call = call)
  at <- match(names, colnames(x))
  if (anyNA(at)) {
    missing <- names[is.na(at)]
    some <- utils::head(missing, 5L)
    more <- length(missing) - length(some)
    abort(c("{.arg newdata} must have all features that the model was trained on.",
            x = "It lacks {cli::qty(length(missing))}feature{?s} {.val {some}}{if (more > 0) paste(\" and\", more, \"more\")}."), call = call)
  }
  if (identical(at, seq_len(ncol(x)))) x else x[, at, drop = FALSE]
}

# Predictions on the first k[1], k[2], ... features of `order`, each equal to fit() and predict() on these features
# alone (in that order). Learners marked `nested` go over the features once. Attribute `seconds`: of fitting and
# predicting.
predict_curve <- function(learner, train_task, test_task, order, k, threshold = 0.5, threads = NULL, call = rlang::caller_env()) {
  method <- learner_method(learner, call)
  seconds <- c(fit = 0, predict = 0)
  timed <- function(what, expr) {
    started <- proc.time()[["elapsed"]]
    force(expr)
    seconds[[what]] <<- seconds[[what]] + proc.time()[["elapsed"]] - started
    expr
  }
  if (is.null(method$nested)) {
    curve <- lapply(k, function(n) {
      columns <- order[seq_len(n)]
      model <- timed("fit", fit(learner, train_task[, columns], threads = threads))
      timed("predict", predict(model, test_task[, columns], threshold, threads = threads))
    })
    return(structure(curve, seconds = seconds))
  }
  check_can_learn(learner, train_task, call)
  threads <- resolve_threads(threads, call = call)
  columns <- order[seq_len(max(k))]
  train <- train_task[, columns]
  x <- matching_features(test_task, colnames(train$x), call)
  state <- timed("fit", method$fit(train, learner$params, k, threads, call))
  answers <- timed("predict", method$predict(state, x, c(learner$params, threshold = threshold), k, threads, call))
  structure(
    lapply(answers, function(answer) new_mlprediction(answer$score, answer$response, threshold, row_names(x), colnames(train$y))),
    seconds = seconds
  )
}

#' @rdname list_selectors
#' @return `list_learners()`: `constructor`, `name`, `kinds`, `source`.
#' @export
list_learners <- function() registry_table("learners", c("constructor", "name", "kinds", "source"))

new_learner <- function(name, method, params = list()) {
  structure(list(name = name, method = method, params = params), class = "mllearner")
}

#' @export
print.mllearner <- function(x, ...) print_line(x, learner_title(x))

learner_title <- function(learner) {
  shown <- Filter(function(p) !is.null(p) && !is.function(p), learner$params)
  text <- function(p) {
    if (inherits(p, "mlsettings")) return(format(p))
    if (inherits(p, spec_classes)) return(p$name)
    paste(c(format(utils::head(p, 5L)), if (length(p) > 5L) "..."), collapse = " ")
  }
  values <- vapply(shown, text, "")
  paste0(learner$name,
    if (length(values)) paste0(" (", paste(names(values), values, sep = " = ", collapse = ", "), ")"))
}

#' Fit a learner and predict
#'
#' `fit()` learns a model from a task. `predict()` uses it to predict the targets of new rows.
#'
#' @param object (`mllearner`, `mlmodel`) A learner such as [lrn_mlknn()]. For `predict()`, the result of `fit()`.
#' @param task (`mltask`) A task with at least two rows. Its features must not have missing values, unless a custom
#'   learner accepts them.
#' @param newdata (`mltask`, data frame, matrix, sparse `Matrix`) The rows to predict. If there are column names,
#'   columns are matched by name, and other columns are ignored. Without column names, the columns must be in the order
#'   of the training features.
#' @param threshold (number from 0 to 1) A label is predicted if its score is at least this. Learners that predict sets
#'   of labels, such as [lrn_lp()], do not use it.
#' @inheritParams sift_features
#' @param ... Not used.
#' @return `fit()`: an object of class `mlmodel`. It is plain R data and can be saved with [saveRDS()].
#'
#'   `predict()`: an object of class `mlprediction`. It is a list of two matrices, rows x targets, with the names of the
#'   targets. `score` is larger for targets that are more likely, and `NULL` for numeric targets. `response` has 0/1
#'   integers for labels, and text for classes. For classes, `score` is a list with a matrix rows x categories for each
#'   target, and the response is the category with the largest score (of equal ones the first). A category that does not
#'   occur in training has no column. `as.data.frame()` gives the columns `row`, `target`, `score` (unless `NULL`; for
#'   classes that of the response) and `response`. [evaluate()][evaluate.mlprediction] measures the quality of a
#'   prediction.
#'
#'   Errors have the class `mlsift_error`. They occur for a task with fewer than two rows, a kind of target that the
#'   learner cannot predict, missing values, and features that `newdata` lacks or that have another type there. Numbers
#'   and logicals are one type, text is a factor, numbers stand for levels that are numbers, and a column in which all
#'   is missing has any type. A level of a factor that did not occur in training is as different from every row as two
#'   levels can be. For an ordered factor such a level has no place, and is an error; only [lrn_nb()] treats it as any
#'   other. Functions of users get the types of training, and factors with its levels, followed by others.
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' model <- fit(lrn_nb(), pages[1:1000, ])
#' new <- pages[1001:2000, ]
#' prediction <- predict(model, new)
#' prediction
#' head(as.data.frame(prediction), 3)
#' evaluate(prediction, new, c("hamming_loss", "ranking_loss"))
#' @export
fit.mllearner <- function(object, task, threads = NULL, ...) {
  check_mltask(task)
  fit_prefixes(object, task, ncol(task$x), threads)
}

# One model for each of the first prefixes[1], prefixes[2], ... features of the task. A method without `curve` takes a
# single prefix, the number of all features.
fit_prefixes <- function(learner, task, prefixes, threads) {
  method <- learner_method(learner)
  if (nrow(task$x) < 2L) abort(c("Learning needs at least two rows.", x = "The task has {nrow(task$x)}."))
  check_can_learn(learner, task)
  check_takes_rows(task, learner, method)
  task <- weighted_rows(task)
  learner <- with_scale(learner, auto_scale(task))
  threads <- resolve_threads(threads)
  fit_rows <- function(task) with_memory_errors(method$fit(task, learner$params, prefixes, threads))
  check_known_rows(task)
  state <- if (is.null(task$targets$unknown) || method$joint) fit_rows(task) else fit_known(task, fit_rows)
  saved_object(list(learner = learner, feature_names = colnames(task$x), target_names = colnames(task$targets),
    kind = task_kind(task), categories = if (task_kind(task) == "class") lapply(task$targets$values, levels),
    types = column_types(task$x), n_rows = nrow(task$x), state = state), "mlmodel")
}

# Whether the learner can predict targets of the task's kind.
check_can_learn <- function(learner, task) {
  kind <- task_kind(task)
  kinds <- learner_method(learner)$kinds
  if (kind %in% kinds) return(invisible())
  abort(c("{learner$name} predicts targets of kind {.or {.val {kinds}}}.", x = "The targets are of kind {.val {kind}}.",
    i = if (kind == "numeric") "{.fn lrn_linear} and {.fn lrn_knn_regression} predict numbers.",
    i = if (kind == "class") "{.fn lrn_nb}, {.fn lrn_brknn} and {.fn lrn_brlr} predict classes.",
    i = if (kind == "class") "Or make one 0/1 column for each category and use {.code kind = \"label\"}."))
}

# Predicted numbers have no scores, except those of users' learners, which may have.
check_gives_scores <- function(learner, measures, kind) {
  first <- Find(function(m) m$needs == "score", measures)
  if (kind != "numeric" || is.null(first) || learner$method == "custom") return(invisible())
  abort(c("Measure {.val {first$name}} needs scores.", x = "{learner$name} gives none for numbers."))
}

#' @export
print.mlmodel <- function(x, ...) {
  word <- target_word(x$kind)
  line <- registered("learners", x$learner$method)$line
  cat("<mlmodel> ", learner_title(x$learner), "\nlearned from ", counted(x$n_rows, "row"), ", ",
    counted(length(x$feature_names), "feature"), ", ", counted(length(x$target_names), word), "\n",
    if (!is.null(line)) line(x), sep = "")
  invisible(x)
}

#' @rdname fit.mllearner
#' @importFrom stats predict
#' @export
predict.mlmodel <- function(object, newdata, threshold = 0.5, threads = NULL, ...) {
  threshold <- check_number(threshold, 0, 1)
  x <- matching_features(newdata, object, "the model was trained on")
  predict_prefixes(object, x, ncol(x), threshold, threads)[[1L]]
}

# One prediction for each of the `prefixes` of the fitted model. `x`: the features of the model, in its order.
predict_prefixes <- function(model, x, prefixes, threshold = 0.5, threads = NULL) {
  method <- learner_method(model$learner)
  params <- c(model$learner$params, threshold = threshold)
  threads <- resolve_threads(threads)
  predict_state <- function(state) with_memory_errors(method$predict(state, x, params, prefixes, threads))
  known <- inherits(model$state, "mlknownlabels")
  answers <- if (known) predict_known(model, predict_state) else predict_state(model$state)
  if (!is.list(answers) || length(answers) != length(prefixes)) {
    abort(c("Method {.val {method$method}} must return a list of {length(prefixes)} prediction{?s}.",
      x = "It is {describe(answers)} of length {length(answers)}."))
  }
  lapply(seq_along(prefixes), function(i) {
    answer <- check_answer(answers[[i]], nrow(x), model)
    new_mlprediction(answer$score, answer$response, threshold, row_names(x), model$target_names)
  })
}

check_known_rows <- function(task) {
  few <- few_known(task)
  if (length(few) == 0L) return(invisible())
  abort(c("A {if (task_kind(task) == 'label') 'label' else 'target'} must be known in at least two rows to be learned.",
    x = "{.val {colnames(task$targets)[few[1L]]}} is known in {known_rows(task$targets)[few[1L]]}.",
    i = "Leave it out with {.fn subset_targets}."))
}

# The targets that are known in too few rows. Those of weight 0 do not count.
few_known <- function(task) {
  weights <- task$rows$weights
  which(known_rows(task$targets, if (!is.null(weights)) weights > 0) < 2)
}

# Labels that are unknown in some rows: labels known in the same rows form a group, and each group gets a model fitted
# to these rows.
fit_known <- function(task, fit_rows) {
  # A method warns for all groups or for none, so each warning is shown only once.
  quietly <- function(code, quiet) if (quiet) suppressWarnings(code) else code
  parts <- known_parts(task)
  for (i in seq_along(parts)) {
    rows <- subset_targets(task, parts[[i]]$labels)[parts[[i]]$rows, ]
    parts[[i]] <- list(labels = parts[[i]]$labels, state = quietly(fit_rows(rows), i > 1L))
  }
  structure(list(parts = parts), class = "mlknownlabels")
}

# The predictions of all groups, with the labels in their original order.
predict_known <- function(model, predict_state) {
  parts <- model$state$parts
  order <- order(unlist(lapply(parts, `[[`, "labels")))
  found <- lapply(parts, function(part) predict_state(part$state))
  # A prediction may be just a matrix: scores of labels, or numbers.
  bare <- if (model$kind == "label") "score" else "response"
  part <- function(answer, name) if (!is.matrix(answer)) answer[[name]] else if (name == bare) answer
  lapply(seq_along(found[[1L]]), function(i) {
    together <- function(name) {
      columns <- lapply(found, function(answers) part(answers[[i]], name))
      if (!is.null(columns[[1L]])) unname(do.call(cbind, columns)[, order, drop = FALSE])
    }
    list(score = together("score"), response = together("response"))
  })
}

# The features of a model, in its order. Other columns may be of any kind.
matching_features <- function(newdata, model, use) {
  task <- inherits(newdata, "mltask")
  if (task) check_mltask(newdata)
  x <- used_columns(if (task) newdata$x else newdata, model$feature_names, use)
  if (!task) x <- as_features(x, "newdata", names(model$types))
  if (nrow(x) == 0L) abort(c("{.arg newdata} must have at least one row.", x = "It has none."))
  like_training(x, model$types)
}

used_columns <- function(newdata, names, use) {
  newdata <- as_plain_matrix(newdata, "newdata")
  # Other classes of data frames index columns in other ways, and a column may stand for several.
  if (is.data.frame(newdata)) newdata <- flat_columns(as.data.frame(newdata))
  if (length(dim(newdata)) != 2L) return(newdata)
  if (!is.null(colnames(newdata))) {
    at <- feature_positions(names, valid_names(colnames(newdata), "newdata"), use)
    if (!is.null(at) && is_matrix_object(newdata)) newdata <- as_dgc(newdata, "newdata")
    return(if (is.null(at)) newdata else newdata[, at, drop = FALSE])
  }
  if (ncol(newdata) != length(names)) abort(c(
    "{.arg newdata} without column names must have the {length(names)} feature{?s} of the training data.",
    x = "It has {ncol(newdata)} column{?s}."))
  colnames(newdata) <- names
  newdata
}

#' @rdname list_selectors
#' @return `list_learners()`: `constructor`, `name`, `kinds`, `weights` (whether it uses [weights of
#'   rows][row_weights()]; `FALSE` where this depends on a function of yours or on the learner within), `unknown`
#'   (whether it takes [unknown labels][unknown_labels]), `source`.
#' @export
list_learners <- function() {
  registry_table("learners", c("constructor", "name", "kinds", "weights", "unknown", "source"))
}

# Methods of learning, which fit() and predict() use.

# Describes a method. `method`: its name in `learner$method`. `constructor`, by default lrn_<method>(), `name` and
# `source` are for list_learners(), where several constructors may share a method. `kinds`: the kinds of targets that it
# predicts.
#
# `fit(task, params, prefixes, threads)` returns the state of the model, which is plain R data with everything
#   that `predict` needs. The task has at least two rows and targets of one of the `kinds`. The method itself must
#   refuse missing values. `params` are those of the learner, with `scale` decided, and `threads` is resolved.
# `predict(state, x, params, prefixes, threads)` returns a list with one element for each of the `prefixes`:
#   list(score = , response = ), matrices rows x targets as check_answer() takes them. Either may be left out. The
#   response of labels then follows from the score. The score of class targets is a list with a matrix rows x categories
#   for each target. `x` has the features of the training task, in their order.
#   `params$threshold` is the argument of predict().
# `prefixes`: increasing numbers of leading features. With `curve = FALSE` there is a single prefix, the number of all
#   features. With `curve = TRUE`, the method fits and predicts for several prefixes in one pass. Each prediction must
#   be equal, bit for bit, to that of a model of these features alone. The last prefix is always the number of all
#   features.
# `subsets(train, x, params, threads)` prepares a search among sets of features; NULL where a method has none. It
#   returns a function(columns, scores) that predicts from these columns alone (positions, ascending), bit for bit as
#   fit() and predict() would: list(score = ), or, where `scores` is FALSE, list(response = ) if that is less work.
#   `train` is a task and `x` has the rows to predict. `params$threshold` is 0.5.
# `check(task, params, at)` refuses a task of a benchmark that the learner cannot handle, before anything is run.
#   `at` is list(name, task), the names of the learner and the task in the benchmark.
# `weights`: whether `fit` uses the weights of the rows of a task, `task$rows$weights`, all above 0 then. Tasks of
#   other methods have none.
# `unknown`: whether the method takes labels that are not known in all rows. Labels that are known in the same rows are
#   fitted apart, and `fit` itself never sees unknown ones. With `joint`, `fit` and `subsets` get the task as it is,
#   with `task$targets$unknown`.
# `line(model)`: a line that print() adds for a fitted model.
# `curve`, `weights` and `unknown` may be functions of the parameters, which must take an empty list too.
register_learner <- function(method, constructor = paste0("lrn_", method, "()"), name, kinds, source, fit, predict,
                             curve = FALSE, subsets = NULL, check = NULL, weights = FALSE, unknown = FALSE,
                             joint = FALSE, line = NULL) {
  is_text <- function(x, n) is.character(x) && length(x) %in% n && all(nzchar(x))
  is_flag <- function(x) isTRUE(x) || isFALSE(x)
  n <- length(constructor)
  stopifnot(is_text(method, 1L), n > 0L, is_text(constructor, n), is_text(name, c(1L, n)), is_text(source, c(1L, n)),
    is.character(kinds), length(kinds) > 0L, kinds %in% target_kinds, is_flag(joint),
    vapply(list(curve, weights, unknown), function(x) is.function(x) || is_flag(x), NA),
    identical(names(formals(fit)), c("task", "params", "prefixes", "threads")),
    identical(names(formals(predict)), c("state", "x", "params", "prefixes", "threads")),
    is.null(subsets) || identical(names(formals(subsets)), c("train", "x", "params", "threads")),
    is.null(check) || identical(names(formals(check)), c("task", "params", "at")))
  registry$learners[[method]] <- mget(names(formals()))
}

learner_method <- function(learner) {
  method <- registered("learners", learner$method) %||%
    abort(c("{.val {learner$method}} is not a method of learning that mlsift knows.", i = "See {.fn list_learners}."))
  for (field in c("curve", "weights", "unknown")) {
    if (is.function(method[[field]])) method[[field]] <- method[[field]](learner$params)
  }
  method
}

# A learner within another one, which must predict targets of this kind.
check_inner_learner <- function(learner, kind, word) {
  check_learner(learner, "learner")
  kinds <- learner_method(learner)$kinds
  if (kind %in% kinds) return(invisible())
  abort(c("{.arg learner} must predict {word}.", x = "{learner$name} predicts targets of kind {.or {.val {kinds}}}."))
}

# A field of a method that is that of the learner within.
of_inner <- function(field) function(params) !is.null(params$learner) && learner_method(params$learner)[[field]]

# A user's fit function, called with the weights of the rows if it has an argument for them.
fit_of_user <- function(params, x, y, weights) {
  if (user_takes_weights(params)) params$fit(x, y, weights = weights) else params$fit(x, y)
}

user_takes_weights <- function(params) is.function(params$fit) && "weights" %in% names(formals(args(params$fit)))

# Matrices as the answers of a method's predict(), one for each prefix. `part`: "score" or "response".
as_answers <- function(matrices, part = "score") lapply(matrices, function(one) stats::setNames(list(one), part))

# The result of a method's predict() for one prefix, checked and converted to list(score, response). Custom functions
# may return it in other forms. The check is the same for all methods.
check_answer <- function(answer, n, model) {
  label <- model$kind == "label"
  found <- if (is.list(answer) && length(names(answer))) paste("a list of",
    paste(names(answer), collapse = ", ")) else describe(answer)
  if (!is.list(answer) || is.data.frame(answer)) answer <- if (label) list(score = answer) else list(response = answer)
  part <- function(name) if (!is.null(answer[[name]])) check_answer_matrix(answer[[name]], name, n, model)
  score <- if (scores_categories(answer$score, model)) check_category_answer(answer$score, n, model)
  else part("score")
  response <- if (is.list(score) && is.null(answer$response)) best_categories(score) else part("response")
  if (is.null(response) && (is.null(score) || !label)) abort(c(
    "{.arg predict} must return a matrix, or a list with {.field score} and {.field response}.",
    x = "It returned {found}."
  ))
  if (label && !is.null(response)) storage.mode(response) <- "integer"
  list(score = score, response = response)
}

# Whether the scores of class targets are per category, in a list or, for a single target, in one matrix.
scores_categories <- function(score, model) {
  if (model$kind != "class" || is.null(score)) return(FALSE)
  is.list(score) && !is.data.frame(score) || length(model$target_names) == 1L && NCOL(score) > 1L
}

check_category_answer <- function(score, n, model) {
  if (!is.list(score) || is.data.frame(score)) score <- list(score)
  targets <- model$target_names
  if (!is.null(names(score)) && setequal(names(score), targets)) score <- score[targets]
  truth <- matrix("", n, length(targets), dimnames = list(NULL, targets))
  lapply(stats::setNames(as_category_scores(score, "score", truth), targets), `storage.mode<-`, "double")
}

check_answer_matrix <- function(x, name, n, model) {
  targets <- model$target_names
  if (is.null(dim(x)) && length(targets) == 1L) x <- matrix(if (is.factor(x)) as.character(x) else x, ncol = 1L)
  if (is.data.frame(x) || is_matrix_object(x)) x <- as.matrix(x)
  if (!is.matrix(x) || nrow(x) != n || ncol(x) != length(targets)) abort(c(
    "The {name} that {.arg predict} returns must be a matrix of {n} row{?s} and {length(targets)} target{?s}.",
    x = "It is {describe(x)}."
  ))
  if (!is.null(colnames(x)) && !setequal(colnames(x), targets)) abort(c(
    "The columns of the {name} that {.arg predict} returns must have the names of the targets, or none.",
    x = "There is no target {.val {setdiff(colnames(x), targets)[1]}}."))
  if (!is.null(colnames(x))) x <- x[, targets, drop = FALSE]
  expected <- if (name == "score" ||
    model$kind == "numeric") "numbers" else if (model$kind == "label") "0 or 1" else "categories"
  bad <- first_bad(x, expected)
  if (bad > 0) {
    found <- format(x[bad])
    abort(c("The {name} that {.arg predict} returns must hold {expected}, none of them missing.",
      x = "It holds {found}."))
  }
  if (expected == "categories") check_categories(x, model)
  x
}

# Level numbers, for example, are no categories.
check_categories <- function(x, model) {
  for (j in seq_along(model$categories)) {
    odd <- setdiff(x[, j], model$categories[[j]])
    if (length(odd) > 0L) abort(c("The response that {.arg predict} returns must hold categories of the targets.",
      x = "{.val {model$target_names[j]}} has no category {.val {as.character(odd[1L])}}.",
      i = "Its categories are {.val {model$categories[[j]]}}."))
  }
}

# The position of the first unexpected element, or 0 if there is none.
first_bad <- function(x, expected) {
  if (expected == "numbers" && !is.numeric(x)) return(1)
  if (expected == "0 or 1" && (is.numeric(x) || is.logical(x))) return(cpp_first_not_label(x))
  if (expected == "0 or 1") return(match(FALSE, x %in% c(0, 1), nomatch = 0L))
  if (anyNA(x)) match(TRUE, is.na(x)) else 0
}

#' Your own learner
#'
#' Puts two functions of yours beside the learners of the package, for [fit()][fit.mllearner] and
#' [benchmark_selectors()].
#'
#' @param name (string) How results show it.
#' @param fit (function) `fit(x, y)` returns a model, whatever `predict` understands. `x` holds the features as the task
#'   has them (a data frame, a matrix or a `dgCMatrix`; missing values stay missing), `y` the targets: an integer 0/1
#'   matrix for labels, a data frame of factors for classes, a matrix for numbers.
#' @param predict (function) `predict(model, x)` returns, for the rows of `x` (the same features in the same order), a
#'   matrix rows x targets of scores, larger for labels that are more likely, from which the response follows by the
#'   threshold; or `list(score = , response = )` of two such matrices. For classes and numbers the matrix is the
#'   response itself. With column names, columns are matched by name; a vector will do for a single target.
#'
#' @return A learner. What `predict` returns is checked: a wrong size, missing values, foreign column names or responses
#'   of labels other than 0 and 1 are an error of class `mlsift_error`.
#' @family learners
#' @examples
#' # Predicts every label as often as it was seen.
#' frequency <- lrn_custom("Frequency",
#'   fit = function(x, y) colMeans(y),
#'   predict = function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE)
#' )
#' set.seed(1)
#' task <- simulate_mltask(30, n_features = 4, n_targets = 2)
#' predict(fit(frequency, task[1:20, ]), task[21:30, ])
#' @export
lrn_custom <- function(name, fit, predict) {
  new_learner(check_string(name), "custom", list(fit = check_function(fit), predict = check_function(predict)))
}

fit_custom <- function(task, params, prefixes, threads, call) {
  params$fit(task$x, if (task_kind(task) == "label") label_matrix(task) else task$y)
}

predict_custom <- function(state, x, params, prefixes, threads, call) list(params$predict(state, x))

# What a user's predict() returned, as list(score, response).
check_answer <- function(answer, n, model, call) {
  label <- model$kind == "label"
  found <- if (is.list(answer) && length(names(answer))) paste("a list of", paste(names(answer), collapse = ", ")) else describe(answer)
  if (!is.list(answer) || is.data.frame(answer)) answer <- if (label) list(score = answer) else list(response = answer)
  part <- function(name) if (!is.null(answer[[name]])) check_answer_matrix(answer[[name]], name, n, model, call)
  score <- part("score")
  response <- part("response")
  if (is.null(response) && (is.null(score) || !label)) {
    abort(c("{.arg predict} must return a matrix, or a list with {.field score} and {.field response}.", x = "It returned {found}."), call = call)
  }
  if (label && !is.null(response)) storage.mode(response) <- "integer"
  list(score = score, response = response)
}

check_answer_matrix <- function(x, name, n, model, call) {
  targets <- model$target_names
  if (is.null(dim(x)) && length(targets) == 1L) x <- matrix(if (is.factor(x)) as.character(x) else x, ncol = 1L)
  if (is.data.frame(x) || methods::is(x, "Matrix")) x <- as.matrix(x)
  if (!is.matrix(x) || nrow(x) != n || ncol(x) != length(targets)) {
    found <- describe(x)
    abort(c("The {name} that {.arg predict} returns must be a matrix of {n} row{?s} and {length(targets)} target{?s}.", x = "It is {found}."), call = call)
  }
  if (!is.null(colnames(x))) {
    if (!setequal(colnames(x), targets)) {
      abort(c("The columns of the {name} that {.arg predict} returns must have the names of the targets, or none.",
              x = "There is no target {.val {setdiff(colnames(x), targets)[1]}}."), call = call)
    }
    x <- x[, targets, drop = FALSE]
  }
  expected <- if (name == "score" || model$kind == "numeric") "numbers" else if (model$kind == "label") "0 or 1" else "categories"
  bad <- switch(expected, numbers = if (is.numeric(x)) is.na(x) else TRUE, "0 or 1" = !x %in% c(0, 1), categories = is.na(x))
  if (any(bad)) {
    found <- format(x[which(bad)[1L]])
    abort(c("The {name} that {.arg predict} returns must hold {expected}, none of them missing.", x = "It holds {found}."), call = call)
  }
  x
}

register("learners", "custom",
  constructor = "lrn_custom()", name = "(yours)", kinds = c("label", "class", "numeric"), source = "you",
  fit = fit_custom, predict = predict_custom
)

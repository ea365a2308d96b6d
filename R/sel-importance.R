#' A selector from the importance of features in a model
#'
#' Makes a selector of any model that measures how important its features are, by two functions of yours: one fits the
#' model, the other gets the importances out of it. So a few lines rank features by a random forest, by boosted trees or
#' by the coefficients of a regression.
#'
#' @param fit (function) `fit(x, y)` returns a model in any form that `importance` understands. `x`, `y` and an argument
#'   `weights` are those of [lrn_custom()]. With `by_target`, `y` is one target: an integer vector of 0 and 1, a factor,
#'   or numbers.
#' @param importance (function) `importance(model)` returns a vector of finite numbers, larger for features that matter
#'   more. Its names are those of features, and features that it does not name have 0. A vector without names must have
#'   one number for each feature of the task, in their order. Several numbers for a feature, such as one for each target
#'   or for each level of a factor, must be summed or averaged here.
#' @param name (string) The name that results show.
#' @param by_target (flag) `FALSE` fits one model of all targets. `TRUE` fits one for each target that varies, in the
#'   rows in which it is known. The score of a feature is then its mean importance, where those of each model are
#'   divided by the sum of their absolute values, so that each target has the same influence.
#' @return A selector for [sift_features()]; its scores are the importances. If `fit` or `importance` fails, or
#'   `importance` returns anything else, there is an error of class `mlsift_error`.
#' @details Importances in a model of all features are one ranking, not a search. Of two copies of a feature, both may
#'   come first, or each may have half the importance. Call [set.seed()] before, if the model uses random numbers of R.
#' @family selectors
#' @seealso [sel_custom()] for any other function of a task; [lrn_binary()] and [lrn_custom()] for learners of your own.
#' @examples
#' # The absolute t values of a linear model for each target
#' t_values <- sel_importance(name = "t values",
#'   function(x, y) lm(y ~ ., data.frame(x)),
#'   function(model) abs(coef(summary(model))[-1, "t value"]),
#'   by_target = TRUE
#' )
#' sift_features(mltask(mtcars, targets = c("mpg", "qsec")), t_values, k = 3)
#' @examplesIf requireNamespace("ranger", quietly = TRUE)
#' # A random forest for each label.
#' forest <- sel_importance(name = "Forest",
#'   function(x, y) {
#'     ranger::ranger(x = x, y = factor(y), num.trees = 100, importance = "impurity", num.threads = 1)
#'   },
#'   function(model) model$variable.importance,
#'   by_target = TRUE
#' )
#' sift_features(task, forest, k = 3)
#' @export
sel_importance <- function(fit, importance, name = "Importance", by_target = FALSE) {
  check_string(name)
  new_selector(name, "importance", list(fit = check_function(fit, c("x", "y")),
    importance = check_function(importance, "model"), by_target = check_flag(by_target)))
}

run_importance <- function(input, params) {
  task <- input$task
  y <- target_matrix(task$targets)
  rank_scores(if (params$by_target) mean_importance(task, y, params)
  else model_importance(task$x, y, task$rows$weights, params, NULL))
}

# The mean over the targets that vary of what a model of each says, as shares.
mean_importance <- function(task, y, params) {
  total <- double(ncol(task$x))
  n <- 0L
  for (target in colnames(task$targets)) {
    one <- if (is.data.frame(y)) y[[target]] else unname(y[, target])
    known <- !is.na(one)
    if (length(unique(one[known])) < 2L) next
    x <- if (all(known)) task$x else task$x[known, , drop = FALSE]
    found <- model_importance(x, one[known], task$rows$weights[known], params, target)
    if (any(found != 0)) total <- total + found / sum(abs(found))
    n <- n + 1L
  }
  total / n
}

# One number for each column of x. `target`: that of the model, NULL for all.
model_importance <- function(x, y, weights, params, target) {
  model <- if (is.null(target)) "The model" else "The model of {.val {target}}"
  failed <- function(how) function(e) abort(paste0(model, how), parent = e)
  fitted <- catch_error(fit_of_user(params, x, y, weights), failed(" could not be fitted."))
  found <- catch_error(params$importance(fitted), failed(" gave no importances."))
  check_importance(found, colnames(x))
}

# The importances of all `features`, in their order.
check_importance <- function(found, features) {
  d <- length(features)
  if (!is.numeric(found) || length(dim(found)) > 1L) abort(c("{.arg importance} must return a vector of numbers.",
    x = "It returned {describe(found)}."))
  if (is.null(names(found)) && length(found) != d) {
    abort(c("{.arg importance} must return numbers named by features, or one for each of the {d} feature{?s}.",
      x = "It returned {length(found)} without names."))
  }
  at <- if (is.null(names(found))) seq_len(d) else column_positions(names(found), features, "importance", "feature")
  refuse_repeats(at, features, "{.arg importance} must name each feature once.")
  odd <- which(!is.finite(found))
  if (length(odd) > 0L) abort(c("{.arg importance} must return finite numbers.",
    x = "That of {.val {features[at[odd[1L]]]}} is {format(found[[odd[1L]]])}."))
  replace(double(d), at, as.double(found))
}

register_selector("importance",
  constructor = c("sel_importance()", "sel_importance(by_target = TRUE)"), name = c("(yours)", "(yours)"),
  source = "you", variants = list(list(by_target = FALSE), list(by_target = TRUE)), kinds = target_kinds,
  needs = character(), weights = user_takes_weights, unknown = function(params) isTRUE(params$by_target),
  run = run_importance
)

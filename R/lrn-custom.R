#' Your own learner
#'
#' Makes a learner from two functions of yours, for [fit()][fit.mllearner] and [benchmark_selectors()].
#'
#' @param name (string) The name that results show.
#' @param fit (function) `fit(x, y)` returns a model in any form that `predict` understands. `x` has the features as
#'   they are in the task: a data frame, a matrix, a `dgCMatrix` or an `ngCMatrix`. Missing values stay missing. `y` has
#'   the targets: an integer 0/1 matrix for labels, a data frame of factors for classes, a matrix for numbers.
#'   If it has an argument `weights`, it gets the [weights of the rows][row_weights()], `NULL` if there are none.
#'   Without the argument, the learner refuses tasks with weights.
#' @param predict (function) `predict(model, x)` returns the predictions for the rows of `x`, which has the same
#'   features in the same order. For labels, this is a matrix rows x targets of scores, larger for labels that are more
#'   likely. The response then follows from the threshold. It can also be `list(score = , response = )` with two such
#'   matrices. For classes and numbers, the matrix is the response itself. Columns with names are matched by name. A
#'   vector is enough for a single target. For classes, it can also be `list(score = )` with a list of matrices rows x
#'   categories, one for each target, with the categories as column names. A single target needs no list. The response
#'   is then the category with the largest score, unless there is a `response` as well.
#' @return A learner. The results of `predict` are checked. A wrong size, missing values, unknown column names or
#'   categories, and responses of labels other than 0 and 1 give an error of class `mlsift_error`.
#' @family learners
#' @examples
#' # Predicts every label as often as it was seen.
#' frequency <- lrn_custom("Frequency",
#'   fit = function(x, y) colMeans(y),
#'   predict = function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE)
#' )
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' predict(fit(frequency, cars[1:20, ]), cars[21:32, ])
#' @export
lrn_custom <- function(name, fit, predict) {
  new_learner(check_string(name), "custom", list(
    fit = check_function(fit, c("x", "y")), predict = check_function(predict, c("model", "x"))
  ))
}

register_learner("custom",
  name = "(yours)", kinds = target_kinds, source = "you", weights = user_takes_weights,
  fit = function(task, params, prefixes, threads) {
    fit_of_user(params, task$x, target_matrix(task$targets), task$rows$weights)
  },
  predict = function(state, x, params, prefixes, threads) list(params$predict(state, x))
)

#' Any two-class learner, for each label
#'
#' Makes a learner of many labels from a learner of two classes, by binary relevance: each label has a model of its own,
#' fitted to the rows with the label against those without. So a few lines take over a learner of another package. Class
#' targets are predicted too, with one model for each category against the others.
#'
#' @details A label that no training row has scores 0, and a label that all have scores 1. No model is fitted for them.
#' A label that is [unknown][unknown_labels] in some rows is fitted to the others.
#' For class targets, the scores of a target are divided by their sum; they must not be negative.
#'
#' Missing values are passed on to `fit` and `predict`.
#'
#' @section Learners of other packages:
#' For a matrix of features, these take over a random forest, the lasso, and a linear support vector machine:
#' ```r
#' lrn_binary("Forest",
#'   function(x, y) {
#'     ranger::ranger(x = x, y = factor(y, 0:1), probability = TRUE)
#'   },
#'   function(model, x) predict(model, x)$predictions[, "1"]
#' )
#' lrn_binary("Lasso",
#'   function(x, y) glmnet::cv.glmnet(x, y, family = "binomial"),
#'   function(model, x) predict(model, x, type = "response")
#' )
#' lrn_binary("SVM",
#'   function(x, y) LiblineaR::LiblineaR(x, y, type = 0),
#'   function(model, x) predict(model, x, proba = TRUE)$probabilities[, "1"]
#' )
#' ```
#'
#' @param name (string) The name that results show.
#' @param fit (function) `fit(x, y)` returns a model in any form that `predict` understands. `x` and an argument
#'   `weights` are those of [lrn_custom()], and `y` is one label, an integer vector of 0 and 1.
#' @param predict (function) `predict(model, x)` returns a number for each row of `x`, which has the same features in
#'   the same order. Numbers are larger for rows that are more likely to have the label. The response is 1 from the
#'   threshold on, 0.5 by default, so they should be probabilities.
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. If `fit` or `predict` fails, or `predict`
#'   returns anything but one number for each row, there is an error of class `mlsift_error` that names the label.
#' @references `r papers("TsoumakasKatakis2007")`
#' @family learners
#' @seealso [lrn_chain()], which lets each label depend on those before it, and [lrn_custom()] for learners of all
#'   labels at once.
#' @examples
#' logistic <- lrn_binary("GLM",
#'   function(x, y) glm(y ~ ., binomial, data.frame(x)),
#'   function(model, x) predict(model, data.frame(x), type = "response")
#' )
#' cars <- mltask(mtcars[c("mpg", "hp", "vs", "am")], targets = c("vs", "am"))
#' round(head(predict(fit(logistic, cars), cars)$score, 3), 3)
#' @export
lrn_binary <- function(name, fit, predict) {
  new_learner(check_string(name), "binary", list(
    fit = check_function(fit, c("x", "y")), predict = check_function(predict, c("model", "x"))
  ))
}

# A label that is the same in all rows is stored as that constant; any other as list(model).
fit_binary <- function(task, params, prefixes, threads) {
  models <- lapply(stats::setNames(nm = colnames(task$targets)), function(label) {
    y <- as.integer(task$targets$values[, label])
    if (all(y == y[1L])) return(as.double(y[1L]))
    list(model = for_label(label, "fitted", fit_of_user(params, task$x, y, task$rows$weights)))
  })
  list(models = models)
}

predict_binary <- function(state, x, params, prefixes, threads) {
  n <- nrow(x)
  scores <- lapply(names(state$models), function(label) {
    one <- state$models[[label]]
    if (!is.list(one)) return(rep(one, n))
    score <- for_label(label, "predicted", params$predict(one$model, x))
    check_binary_score(score, n, label)
  })
  list(list(score = matrix(unlist(scores, use.names = FALSE), n)))
}

for_label <- function(label, done, code) {
  catch_error(code, function(e) abort("Label {.val {label}} could not be {done}.", parent = e))
}

check_binary_score <- function(x, n, label) {
  vector <- if (is.data.frame(x) || is_matrix_object(x)) as.matrix(x) else x
  fits <- is.numeric(vector) && length(vector) == n
  if (fits && !anyNA(vector)) return(as.double(vector))
  abort(c("{.arg predict} must return one number for each of the {n} row{?s}.",
    x = if (fits) "For label {.val {label}}, some are missing." else
      "For label {.val {label}}, it returned {describe(x)}."))
}

shares_of_positive <- function(score) {
  if (any(score < 0)) abort(c("Scores of categories must not be negative.", x = "There is a score of {min(score)}.",
    i = "{.arg predict} of {.fn lrn_binary} must return probabilities."))
  equal_shares(score)
}

register_for_classes("binary",
  name = "(yours, for each label)", source = "Tsoumakas & Katakis (2007)", weights = user_takes_weights, unknown = TRUE,
  fit = fit_binary, predict = predict_binary, share = shares_of_positive
)

#' Your own selector
#'
#' Puts a function of yours beside the selectors of the package, for [sift_features()] and [benchmark_selectors()].
#'
#' @param name How results show it.
#' @param fun A function of `task` and `k`. It is given the task raw, or with level numbers as features (`codes =
#'   TRUE`), and the number of features wanted. It returns scores or an order: see `returns`.
#' @param returns `"scores"`: one number for each feature of the task, larger is better (`-Inf` for last). They go by
#'   their names if these are those of the features, otherwise in column order. `"order"`: names or positions of at
#'   least `k` different features, best first (fewer are taken as they are).
#' @param codes Whether to discretize continuous features first, with the `discretizer` of the call.
#' @return A selector. The function also gets data in which no target or no feature varies, which other selectors
#'   refuse. What it returns is checked: missing scores, a wrong length or unknown features are an error of class
#'   `mlsift_error`.
#' @family selectors
#' @seealso [sel_importance()] for the importances of features in a model.
#' @examples
#' # The words on most pages
#' frequency <- sel_custom("Frequency", function(task, k) colMeans(as.matrix(task) > 0))
#' sift_features(help_pages, frequency, k = 3)
#' @export
sel_custom <- function(name, fun, returns = c("scores", "order"), codes = FALSE) {
  check_function(fun, c("task", "k"))
  params <- list(fun = fun, returns = check_choice(returns), codes = check_flag(codes))
  new_selector(check_string(name), "custom", params)
}

run_custom <- function(input, params) {
  task <- input$task
  answer <- call_on_task(params$fun, task, input$k)
  d <- ncol(task$x)
  if (params$returns == "order") {
    index <- column_positions(answer, colnames(task$x), "fun", "feature")
    refuse_repeats(index, colnames(task$x), "The order that {.arg fun} returns must not repeat a feature.")
    return(list(index = index, score = rep(NA_real_, length(index)), ordered = TRUE))
  }
  if (!is.numeric(answer) || length(answer) != d) {
    abort(c("{.arg fun} must return one number for each of the {d} features.", x = "It returned {describe(answer)}.",
      i = "A function that returns an order needs {.code returns = \"order\"}."))
  }
  if (setequal(names(answer), colnames(task$x))) answer <- answer[colnames(task$x)]
  if (anyNA(answer)) abort(c("The scores that {.arg fun} returns must not be missing.",
    x = "That of {.val {colnames(task$x)[which(is.na(answer))[1]]}} is.",
    i = "Use {.code -Inf} for features that should come last."))
  rank_scores(as.double(answer))
}

# A function that takes factors for numbers fails with words that do not lead to the factors.
call_on_task <- function(fun, task, k) {
  task <- own_task(task)
  factors <- if (is.data.frame(task$x)) names(task$x)[vapply(task$x, is.factor, NA)]
  if (length(factors) == 0L) return(fun(task, k))
  catch_error(fun(task, k), function(e) abort(c(
    "{.arg fun} failed on a task with factors, such as {.val {factors[1L]}}.",
    i = "If it needs numbers, give the task that {.fn indicator_features} makes."), parent = e))
}

register_selector("custom",
  constructor = c("sel_custom()", "sel_custom(codes = TRUE)"), name = c("(yours)", "(yours)"), source = "you",
  nested = FALSE,
  variants = list(list(returns = "scores", codes = FALSE), list(returns = "scores", codes = TRUE)),
  kinds = target_kinds, needs = function(params) if (params$codes) "codes" else character(),
  gives = function(params) if (params$returns == "scores") "scores" else "path",
  run = function(input, params) {
    if (params$codes) input$task <- discretized_task(input$prepared)
    run_custom(input, params)
  }
)

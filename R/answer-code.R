# The calls that repeat an answer.

#' The code of a result
#'
#' The calls that repeat the steps of a result, as R code.
#'
#' The code of [sift()] leaves out the features that misled, chooses again, selects and estimates. With the seed that
#' was set before [sift()] the whole call repeats to the last bit; the single steps draw other random splits. The tasks
#' themselves are not in the code.
#'
#' @param x An answer from [sift()], or a benchmark from [benchmark_selectors()].
#' @return A character vector with one line of code for each element.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(simulate_mltask(80, n_features = 8, n_targets = 2), estimate = FALSE)
#' writeLines(as_code(answer))
#' @export
as_code <- function(x) {
  if (inherits(x, "mlbenchmark")) {
    code <- attr(x, "protocol", exact = TRUE)$call
    if (is.null(code)) abort("{.arg x} must hold the code that made it; this benchmark does not.")
    return(strsplit(code, "\n", fixed = TRUE)[[1L]])
  }
  check_class(x, "mlsift", "Make one with {.fn sift}, or a benchmark with {.fn benchmark_selectors}.")
  params <- x$setup$choice
  options <- x$setup$options
  call <- function(name, ...) call_code(name, list(...))
  selectors <- if (x$setup$default_selectors) "default_selectors(task)" else
    code_list(names(params$selectors), params$selectors)
  measure <- value_code(params$measure)
  cut <- given_code(params$learner_discretizer)
  bins <- given_code(options$target_bins)
  impute <- if (!is.null(options$impute)) "impute_mean()"
  own <- identical(params$resampling, own_resampling(NULL, x$task, rs_cv(5)))
  best <- if (nrow(x$quality) > 0L) paste0("list(chosen = sel_best(selectors, learner, ", measure, ", ",
    value_code(params$k), if (!own) paste0(", ", spec_code(params$resampling)),
    if (!is.null(cut)) paste0(", learner_discretizer = ", cut), "), all = sel_none())")
  code <- c(
    "library(mlsift)",
    if (nrow(x$left_out) > 0L) paste0("task <- drop_features(task, ", value_code(misleading), ")"),
    paste("selectors <-", selectors), paste("learner <-", spec_code(params$learner)),
    "", "# The choice",
    paste("tuning <-", call("tune_selection", "task", "selectors", "learner", measure, k = value_code(params$k),
      resampling = spec_code(params$resampling), target_bins = bins, impute = impute, learner_discretizer = cut)),
    "", "# What it chose",
    paste("selection <-", call("sift_features", "task", spec_code(x$tuning$selector), x$tuning$k, impute = impute,
      target_bins = if (bins_targets(x$tuning$selector, options$target_bins)) bins)),
    "smaller <- subset_features(task, selection)",
    if (!is.null(best)) c("", "# What the choice is worth on other rows",
      paste("bench <-", call("benchmark_selectors", "list(task = task)", best, "list(learner = learner)",
        spec_code(x$setup$outer), k = max(params$k), measures = measure, impute = impute, target_bins = bins,
        learner_discretizer = cut)))
  )
  unlist(strsplit(code, "\n", fixed = TRUE) |> lapply(function(lines) if (length(lines) == 0L) "" else lines))
}

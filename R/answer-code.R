# The calls that repeat an answer.

#' The code of a result
#'
#' The calls that repeat the steps of a result, as R code.
#'
#' The code of [sift()] leaves out the features that misled, chooses again, selects and estimates. With the seed that
#' was set before [sift()] the whole call repeats to the last bit; the single steps draw other random splits. The tasks
#' themselves are not in the code, nor are vectors of hundreds of numbers, such as the rows of [rs_custom()]: the code
#' then takes them from the result, which it calls `answer`. That of a benchmark names the argument that they were given
#' as.
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
  named <- function(field, code) named_code(code, paste0("answer$setup$", field))
  default <- x$setup$default
  selectors <- if (default[["selectors"]]) "default_selectors(task)" else
    named("choice$selectors", code_list(names(params$selectors), params$selectors))
  measure <- named("choice$measure", value_code(params$measure))
  learners <- if (default[["learner"]]) paste0("default_learners(task, ", measure, ")") else
    named("choice$learner", code_list(names(params$learner), params$learner))
  bins <- given_code(options$target_bins)
  # An imputer may have a class from outside this package.
  impute <- if (inherits(options$impute, "mlimputer")) spec_code(options$impute)
  else if (!is.null(options$impute)) "answer$setup$options$impute"
  own <- identical(params$resampling, own_resampling(NULL, x$task, rs_cv(5)))
  disc <- if (!is_default(options$discretizer, quote(disc_auto()))) spec_code(options$discretizer)
  settings <- x$tuning[c("rule", "tolerance")]
  settings <- settings[!vapply(names(settings), \(name) is_default(settings[[name]], formals(sel_best)[[name]]), NA)]
  rule <- lapply(settings, value_code)
  given <- c(list("selectors", "learner", measure, k = if (!is.null(params$k)) value_code(params$k),
    resampling = if (!own) named("choice$resampling", spec_code(params$resampling))), rule)
  # What benchmarks have no argument for cannot be repeated by one.
  wishes <- Map(named, paste0("wishes$", names(x$setup$wishes)), lapply(x$setup$wishes, value_code))
  names(wishes) <- names(x$setup$wishes)
  selector <- named_code(spec_code(x$tuning$selector), "answer$tuning$selector")
  best <- if (nrow(x$quality) > 0L && length(wishes) == 0L) code_line("sel_best", given)
  code <- c(
    "library(mlsift)",
    if (length(x$setup$excluded) > 0L) {
      paste0("task <- task[, setdiff(feature_names(task), ", named("excluded", value_code(x$setup$excluded)), ")]")
    },
    if (nrow(x$left_out) > 0L) paste0("task <- drop_features(task, ", value_code(misleading), ")"),
    paste("selectors <-", selectors), paste("learner <-", learners),
    "", "# The choice",
    paste("tuning <-", call_code("tune_selection", c(list("task"), given,
      list(discretizer = disc, target_bins = bins, impute = impute), wishes))),
    "", "# What it chose",
    paste("selection <-", call_code("sift_features", c(list("task", selector,
      if (!takes_all(x$tuning)) x$tuning$k, discretizer = disc, impute = impute,
      target_bins = if (bins_targets(x$tuning$selector, options$target_bins)) bins), wishes))),
    "smaller <- subset_features(task, selection)",
    if (!is.null(best)) c("", "# What the choice is worth on other rows",
      paste("bench <-", call("benchmark_selectors", "list(task = task)", best, "lrn_chosen()",
        named("outer", spec_code(x$setup$outer)), k = x$setup$most, measures = measure, discretizer = disc,
        impute = impute, target_bins = bins)))
  )
  if (any(grepl("answer$", code, fixed = TRUE))) {
    code <- append(code, "# `answer` is the result that this code repeats: it holds what is too long to write.", 1L)
  }
  unlist(strsplit(code, "\n", fixed = TRUE) |> lapply(function(lines) if (length(lines) == 0L) "" else lines))
}

# A call on one line. `arguments`: as in call_code().
code_line <- function(name, arguments) {
  gsub(" *\n *", " ", sub("\n *\\)$", ")", sub("\\(\n *", "(", call_code(name, arguments))))
}

#' Evaluate predictions
#'
#' Computes any number of measures of one prediction. Measures that need the same ranking share it.
#'
#' Every measure uses its default rules for ties and empty rows, unless [measure()] gives it others. `convention` gives
#' all of them the rules of another tool.
#'
#' @param x (`mlprediction`) A prediction from `predict()` of a fitted learner.
#' @param truth (`mltask`, matrix, data frame or sparse `Matrix`) The true targets of the same rows, in the same order.
#' @param measures The measures: names, see [list_measures()]; their functions, such as [msr_macro_f1]; [measure()] for
#'   one with settings; [msr_custom()] for your own; or a list of these, whose names are used in the result. `NULL` uses
#'   all that apply (`"arrmse"` only if `train_mean` is given).
#' @param ... Not used.
#' @param convention (string) The tool whose rules all measures use that have a `convention` and do not set it
#'   themselves, such as `"sklearn"`; see [measure()].
#' @param train_mean (numbers, matrix, data frame, or `mltask`) For `"arrmse"`: the means of the targets in the training
#'   rows, or the training rows themselves; see [msr_arrmse()].
#' @param weights (numbers) A weight for each row, 0 or more, see below. `NULL` uses the [weights][row_weights()] of the
#'   task, if it has any, and otherwise gives all rows the same weight.
#' @param threads (count) Number of threads. `NULL` chooses it from the size of the work.
#'
#' @section Weights of rows:
#' A weight says how often a row counts. With whole numbers, each measure is the same as with each row repeated that
#' many times. A row of weight 0 does not count. Only the ratios of weights matter.
#' Means over rows become weighted means, and counts of rows become sums of weights.
#' `vignette("weights-and-unknown-labels")` has the details.
#'
#' This is what `sample_weight` does in scikit-learn. All measures of [list_measures()] take weights. Those of
#' [msr_custom()] give an error unless their function has an argument `weights`.
#' @return A data frame with columns `measure` and `value`, in the order of `measures`. A measure that is not defined
#'   for these rows is `NA`. `convention` does not change the names. An unknown measure gives an error of class
#'   `mlsift_error` that suggests the nearest name. A truth whose size, column names or values do not match the
#'   prediction is an error too.
#' @family measures
#' @examples
#' train <- help_pages[1:1000, ]
#' test <- help_pages[1001:2000, ]
#' prediction <- predict(fit(lrn_nb(), train), test)
#' evaluate(prediction, test, c("hamming_loss", "ranking_loss"))
#' evaluate(prediction, test, list(loss = "hamming_loss", "macro_f1"))
#' evaluate(prediction, test, c("macro_f1", "coverage"), convention = "sklearn")
#' evaluate(prediction, test, "hamming_loss", weights = rep(1:2, 500))
#' @importFrom generics evaluate
#' @method evaluate mlprediction
#' @export
evaluate.mlprediction <- function(x, truth, measures = NULL, ..., convention = NULL, train_mean = NULL,
                                  weights = NULL, threads = NULL) {
  if (missing(x)) abort("The prediction comes first, without a name: {.code evaluate(prediction, truth = )}.")
  refuse_dots(...)
  found <- if (!is.null(measures)) named_measures(measures)
  kind <- evaluated_kind(x, truth, found)
  found <- resolve_measures(found, kind)
  if (is.null(measures)) {
    found <- Filter(function(m) !is.null(x[[m$needs]]), found)
    if (is.null(train_mean) && !is.null(found$arrmse)) {
      inform(c("i" = "{.val arrmse} is left out: it needs {.arg train_mean}."))
      found$arrmse <- NULL
    }
    if (length(found) == 0L) abort(c("No measure of ours applies to targets of kind {.val {kind}}.",
      i = "Make one with {.fn msr_custom}."))
  }
  if (!is.null(convention)) found <- with_convention(found, convention)
  values <- compute_measures(found, truth, x, kind, train_mean, threads, weights = weights)
  data.frame(measure = names(values), value = unname(values))
}

# The measures with this convention, where they can have it and have none.
with_convention <- function(measures, convention) {
  check_choice(convention, names(conventions))
  can <- vapply(measures, function(m) !is.null(registered("measures", m$method %||% "")$settings$convention), NA)
  if (!any(can)) abort(c("{.arg convention} must be left out: none of the measures has one.",
    x = "They are {.val {names(measures)}}."))
  measures[can] <- lapply(measures[can], function(m) {
    m$settings$convention <- m$settings$convention %||% convention
    m
  })
  measures
}

# A task knows the kind of its targets. Otherwise, predictions with scores or whole numbers are labels, text is classes,
# and the rest is numbers unless all values are 0 or 1.
evaluated_kind <- function(prediction, truth, measures) {
  if (inherits(truth, "mltask")) return(task_kind(truth))
  response <- prediction$response
  if (is.character(response) || is.factor(response)) return("class")
  if (!is.null(prediction$score) || !is.double(response)) return("label")
  numeric <- list("numeric") %in% lapply(measures, function(m) m$kinds)
  if (numeric || beyond_labels(response) || beyond_labels(truth)) "numeric" else "label"
}

beyond_labels <- function(x) {
  if (is_matrix_object(x)) x <- as.matrix(x)
  columns <- if (is.data.frame(x)) x else list(x)
  any(vapply(columns, function(column) is.numeric(column) && !all(column %in% c(0, 1)), NA))
}

#' @importFrom generics evaluate
#' @export
generics::evaluate

#' How good predictions are
#'
#' Computes any number of measures of one prediction; those that need the same ranking share it.
#'
#' Every measure follows its default rules for ties and empty rows; to use those of another tool, call the measure's
#' function with its `convention`.
#'
#' @param x (`mlprediction`) What `predict()` of a fitted learner gave.
#' @param truth (`mltask`, matrix, data frame or sparse matrix) The true labels of the same rows, in the same order.
#' @param measures (character, [msr_custom()], or a list of both) Which measures, by the names in [list_measures()];
#'   names of the list are the names in the result. `NULL`: all that apply.
#' @param ... Not used.
#' @param threads (count) Number of threads; `NULL` lets the size of the work decide.
#'
#' @return A data frame with columns `measure` and `value`, in the order of `measures`.
#' @export
#' @examples
#' truth <- cbind(a = c(1, 0, 1), b = c(0, 0, 1))
#' prediction <- structure(
#'   list(score = cbind(a = c(.9, .2, .4), b = c(.1, .3, .8)), response = cbind(a = c(1, 0, 0), b = c(0, 0, 1))),
#'   class = "mlprediction"
#' )
#' evaluate(prediction, truth, c("hamming_loss", "ranking_loss"))
evaluate.mlprediction <- function(x, truth, measures = NULL, ..., threads = NULL) {
  n_more <- ...length()
  if (n_more > 0L) {
    abort(c("{.fn evaluate} takes {.arg truth}, {.arg measures} and {.arg threads}.",
            x = "It was given {n_more} more argument{?s}."))
  }
  records <- resolve_measures(measures)
  if (is.null(measures)) records <- Filter(function(r) !is.null(x[[r$needs]]), records)
  values <- compute_measures(records, truth, x, threads = threads)
  data.frame(measure = names(values), value = unname(values))
}

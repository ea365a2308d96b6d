#' How good predictions are
#'
#' Computes any number of measures of one prediction; those that need the same ranking share it.
#'
#' Every measure follows its default rules for ties and empty rows; to use those of another tool, call the measure's
#' function with its `convention`.
#'
#' @param x (`mlprediction`) What `predict()` of a fitted learner gave.
#' @param truth (`mltask`, matrix, data frame or sparse `Matrix`) The true labels of the same rows, in the same order.
#' @param measures (character, [msr_custom()], or a list of both) Which measures, by the names in [list_measures()];
#'   names of the list are the names in the result. `NULL`: all that apply.
#' @param ... Not used.
#' @param threads (count) Number of threads; `NULL` lets the size of the work decide.
#'
#' @return A data frame with columns `measure` and `value`, in the order of `measures`; a measure that is not defined for
#'   these rows is `NA`. Errors are of class `mlsift_error`: unknown measures (the nearest name is given), and a truth whose
#'   size, column names or values do not go with the prediction.
#' @family measures
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(60, n_features = 5, n_targets = 3)
#' prediction <- predict(fit(lrn_mlknn(neighbors = 5), task[1:40, ]), task[41:60, ])
#' evaluate(prediction, task[41:60, ], c("hamming_loss", "ranking_loss"))
#' evaluate(prediction, task[41:60, ], list(loss = "hamming_loss", "macro_f1"))
#' @importFrom generics evaluate
#' @method evaluate mlprediction
#' @export
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

# Measures of 0/1 responses label by label. The formulas are in mlsift/measure/label_based.h.

#' Label-based measures of predicted label sets
#'
#' Precision, recall and F1 are computed from the true positives, false positives and false negatives of each label:
#' \deqn{P = \frac{TP}{TP + FP}, \quad R = \frac{TP}{TP + FN}, \quad F_1 = \frac{2 TP}{2 TP + FP + FN}.}{P = TP / (TP +
#' FP), R = TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN).}
#' * Macro measures are the mean of the labels' values. Macro F1 is the mean of the labels' F1. It is not the F1 of
#'   macro precision and macro recall.
#' * Micro measures are computed once, from the sums of the counts over the labels.
#'
#' All values are between 0 and 1, and large values are better.
#'
#' # Absent labels
#' A label that is never true and never predicted has the value 1. `empty` changes only this value (`NA` leaves the
#' label out). If only the denominator is 0, the value is 0. The same holds for the sums of micro measures.
#'
#' # Conventions
#' `"sklearn"` and `"utiml"` use 0 for absent labels. The other tools equal the default here. In a program published
#' with GMBA, the micro F1 is the micro recall, by a typing error. Use `msr_micro_recall()` to compare with its results.
#'
#' @inheritParams example_measures
#' @inherit example_measures return
#' @references Tsoumakas, Katakis and Vlahavas (2010). Mining multi-label data. In: Data Mining and Knowledge Discovery
#'   Handbook, 667-685.
#' @family measures
#' @name label_measures
#' @examples
#' truth    <- rbind(c(1, 1, 0), c(0, 1, 0), c(1, 0, 0))
#' response <- rbind(c(1, 0, 0), c(0, 1, 0), c(1, 1, 0))
#' msr_macro_f1(truth, response)
#' msr_macro_f1(truth, response, empty = 0)
#' msr_micro_f1(truth, response)
NULL

#' @rdname label_measures
#' @export
msr_micro_precision <- overlap_function("micro_precision", smooth = FALSE)

#' @rdname label_measures
#' @export
msr_micro_recall <- overlap_function("micro_recall", smooth = FALSE)

#' @rdname label_measures
#' @export
msr_micro_f1 <- overlap_function("micro_f1", smooth = FALSE)

#' @rdname label_measures
#' @export
msr_macro_precision <- overlap_function("macro_precision", smooth = FALSE)

#' @rdname label_measures
#' @export
msr_macro_recall <- overlap_function("macro_recall", smooth = FALSE)

#' @rdname label_measures
#' @export
msr_macro_f1 <- overlap_function("macro_f1", smooth = FALSE)

local({
  add <- function(name, fun, title) {
    register_measure(name, fun, "response", "maximize", c(0, 1), title, "Tsoumakas et al. (2010)", "overlap")
  }
  add("micro_precision", msr_micro_precision, "Micro precision")
  add("micro_recall", msr_micro_recall, "Micro recall")
  add("micro_f1", msr_micro_f1, "Micro F1")
  add("macro_precision", msr_macro_precision, "Macro precision")
  add("macro_recall", msr_macro_recall, "Macro recall")
  add("macro_f1", msr_macro_f1, "Macro F1")
})

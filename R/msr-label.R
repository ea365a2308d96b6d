# Measures of 0/1 responses, label by label. The formulas are in mlsift/measure/label_based.h.

label_measure <- function(name, title, settings = empty_settings) {
  new_measure(name, title, "Tsoumakas et al. (2010)", "overlap", settings = settings)
}

msr_micro_precision <- label_measure("micro_precision", "Micro precision")
msr_micro_recall <- label_measure("micro_recall", "Micro recall")
msr_micro_f1 <- label_measure("micro_f1", "Micro F1")
msr_macro_precision <- label_measure("macro_precision", "Macro precision")
msr_macro_recall <- label_measure("macro_recall", "Macro recall")
msr_macro_f1 <- label_measure("macro_f1", "Macro F1")
msr_weighted_precision <- label_measure("weighted_precision", "Weighted precision")
msr_weighted_recall <- label_measure("weighted_recall", "Weighted recall")
msr_weighted_f1 <- label_measure("weighted_f1", "Weighted F1")

#' Label-based measures of predicted label sets
#'
#' Precision, recall, F1, F-beta and specificity are computed from the true positives, false positives, false negatives
#' and true negatives of each label:
#' \deqn{P = \frac{TP}{TP + FP}, \quad R = \frac{TP}{TP + FN}, \quad F_1 = \frac{2 TP}{2 TP + FP + FN},
#' }{P = TP / (TP + FP), R = TP / (TP + FN), F1 = 2 TP / (2 TP + FP + FN),}
#' \deqn{F_\beta = \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}, \quad S = \frac{TN}{TN + FP}.
#' }{F_beta = (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP),
#' S = TN / (TN + FP).}
#' * Macro measures are the mean of the labels' values. Macro F1 is the mean of the labels' F1. It is not the F1 of
#'   macro precision and macro recall.
#' * Micro measures are computed once, from the sums of the counts over the labels.
#' * Weighted measures are the mean of the labels' values, with the number of rows that have a label as its weight.
#'   Weighted recall is therefore the micro recall, unless `NA` leaves labels out.
#'
#' By name, as `"macro_fbeta"`, \eqn{\beta} is 2.
#'
#' All values are between 0 and 1, and large values are better.
#'
#' # Absent labels
#' A label that is never true and never predicted has the value 1. `empty` changes only this value (`NA` leaves the
#' label out). If only the denominator is 0, the value is 0. The same holds for the sums of micro measures. Weighted
#' measures are the micro measures if no row has any label. A label that all rows have is left out of the macro
#' specificity, which is `NA` if no label is left. The micro specificity is `NA` if all rows have all labels.
#' @inheritParams example_measures
#' @inherit example_measures return
#' @references Tsoumakas, Katakis and Vlahavas (2010). Mining multi-label data. In: Data Mining and Knowledge Discovery
#'   Handbook, 667-685.
#' @family measures
#' @eval usages("msr_micro_precision", "msr_micro_recall", "msr_micro_f1", "msr_macro_precision", "msr_macro_recall",
#'   "msr_macro_f1", "msr_weighted_precision", "msr_weighted_recall", "msr_weighted_f1", "msr_micro_fbeta",
#'   "msr_macro_fbeta", "msr_weighted_fbeta", "msr_micro_specificity", "msr_macro_specificity")
#' @name label_measures
#' @examples
#' truth    <- rbind(c(1, 1, 0), c(0, 1, 0), c(1, 0, 0))
#' response <- rbind(c(1, 0, 0), c(0, 1, 0), c(1, 1, 0))
#' msr_macro_f1(truth, response)
#' msr_macro_f1(truth, response, empty = 0)
#' msr_micro_f1(truth, response)
msr_micro_fbeta <- label_measure("micro_fbeta", "Micro F2", fbeta_settings)
msr_macro_fbeta <- label_measure("macro_fbeta", "Macro F2", fbeta_settings)
msr_weighted_fbeta <- label_measure("weighted_fbeta", "Weighted F2", fbeta_settings)
msr_micro_specificity <- label_measure("micro_specificity", "Micro specificity", alist())
msr_macro_specificity <- label_measure("macro_specificity", "Macro specificity", alist())

# Measures of 0/1 responses, row by row. The formulas are in mlsift/measure/example_based.h.

empty_settings <- c(alist(empty = NULL), convention_setting, alist(zero_division = NULL))

fbeta_settings <- c(alist(beta = 2), empty_settings)

godbole <- "Godbole and Sarawagi (2004)"

#' Example-based measures of predicted label sets
#'
#' These measures compare the true label set \eqn{\Lambda_i}{L} of each row with the predicted one
#' \eqn{\hat\Lambda_i}{P}. The result is the mean over all rows.
#'
#' With \eqn{q} labels, the value of a row is
#'
#' * `msr_hamming_loss()`: \eqn{\lvert\Lambda_i \triangle \hat\Lambda_i\rvert / q}{#(L xor P) / q}. Small is better.
#' * `msr_subset_accuracy()`: 1 if \eqn{\Lambda_i = \hat\Lambda_i}{L = P}, else 0.
#' * `msr_jaccard()`: \eqn{\lvert\Lambda_i \cap \hat\Lambda_i\rvert / \lvert\Lambda_i \cup
#'   \hat\Lambda_i\rvert}{#(L and P) / #(L or P)}.
#' * `msr_example_precision()`: \eqn{\lvert\Lambda_i \cap \hat\Lambda_i\rvert / \lvert\hat\Lambda_i\rvert}{#(L and P)
#'   / #P}.
#' * `msr_example_recall()`: \eqn{\lvert\Lambda_i \cap \hat\Lambda_i\rvert / \lvert\Lambda_i\rvert}{#(L and P) / #L}.
#' * `msr_example_f1()`: \eqn{2\lvert\Lambda_i \cap \hat\Lambda_i\rvert / (\lvert\Lambda_i\rvert +
#'   \lvert\hat\Lambda_i\rvert)}{2 #(L and P) / (#L + #P)}.
#' * `msr_example_fbeta()`: \eqn{(1 + \beta^2) \lvert\Lambda_i \cap \hat\Lambda_i\rvert / (\beta^2 \lvert\Lambda_i\rvert
#'   +
#'   \lvert\hat\Lambda_i\rvert)}{(1 + beta^2) #(L and P) / (beta^2 #L + #P)}. Recall has \eqn{\beta} times the weight of
#'   precision. By name, as `"example_fbeta"`, \eqn{\beta} is 2.
#'
#' Large values of all but the first are better.
#'
#' All values are between 0 and 1.
#'
#' # Empty sets
#' If a row has neither true nor predicted labels, the prediction is correct: its Jaccard index, precision, recall and
#' F1 are 1. `empty` changes only this value. If only the set in the denominator is empty, the value is 0.
#'
#' [measure()] explains `zero_division` and `convention`. Hamming loss and subset accuracy are the same everywhere.
#'
#' @param truth (0/1 matrix, data frame, sparse matrix, or `mltask`) The true labels, rows x labels. Those that are `NA`
#'   are [unknown][unknown_labels] and left out. The [weights][row_weights()] of a task are used as [evaluate()] does.
#' @param response (0/1 matrix, data frame, sparse matrix, or `mlprediction`) The predicted labels, of the same size.
#'   If both have column names, they must agree.
#' @param empty (number from 0 to 1, or `NA`) The value if nothing is true and nothing is predicted. `NA` leaves the row
#'   (or label) out of the mean. `NULL` uses the value of `convention`, by default 1.
#' @param zero_division (number from 0 to 1, or `NA`) The value if a denominator is 0. `NA` leaves the row (or label)
#'   out of the mean. `NULL` uses `empty` if nothing is true and nothing is predicted, and 0 otherwise.
#' @param beta (number above 0) The weight of recall against precision.
#' @param convention (string) The tool whose rules for ties, empty sets and undefined values are used, see [measure()].
#' @return One number; `NA` if no row is left.
#' @references Schapire and Singer (2000). BoosTexter: a boosting-based system for text categorization. Machine Learning
#'   39, 135-168 (Hamming loss).
#'
#'   Godbole and Sarawagi (2004). Discriminative methods for multi-labeled classification. PAKDD, 22-30 (the others).
#' @family measures
#' @eval usages("msr_hamming_loss", "msr_subset_accuracy", "msr_jaccard", "msr_example_precision",
#'   "msr_example_recall", "msr_example_f1", "msr_example_fbeta")
#' @name example_measures
#' @examples
#' truth    <- rbind(c(1, 1, 0), c(0, 1, 0), c(0, 0, 0))
#' response <- rbind(c(1, 0, 0), c(0, 1, 0), c(0, 0, 0))
#' msr_hamming_loss(truth, response)
#' msr_jaccard(truth, response)
#' msr_jaccard(truth, response, empty = NA)
#' msr_jaccard(truth, response, convention = "sklearn")
NULL

msr_hamming_loss <- new_measure("hamming_loss", "Hamming loss", "Schapire and Singer (2000)", "overlap",
  direction = "minimize", settings = convention_setting)
msr_subset_accuracy <- new_measure("subset_accuracy", "Subset accuracy", godbole, "overlap",
  settings = convention_setting)
msr_jaccard <- new_measure("jaccard", "Jaccard index", godbole, "overlap", settings = empty_settings)
msr_example_precision <- new_measure("example_precision", "Example-based precision", godbole, "overlap",
  settings = empty_settings)
msr_example_recall <- new_measure("example_recall", "Example-based recall", godbole, "overlap",
  settings = empty_settings)
msr_example_f1 <- new_measure("example_f1", "Example-based F1", godbole, "overlap", settings = empty_settings)
msr_example_fbeta <- new_measure("example_fbeta", "Example-based F2", godbole, "overlap", settings = fbeta_settings)

# Measures of 0/1 responses, row by row. The formulas are in mlsift/measure/example_based.h.

overlap_measure <- function(name, truth, response, empty = NULL, convention = "default", smooth = TRUE,
                            zero_division = NULL, beta = 2, call = rlang::caller_env()) {
  rules <- convention_rules(convention, call)
  zero_division <- choose_empty(zero_division, NULL, call, "zero_division")
  empty <- choose_empty(empty, zero_division %||% rules$empty, call)
  beta <- check_number(beta, 0, above = TRUE, finite = TRUE, call = call)
  pair <- measured_pair(truth, response, "response", call)
  cpp_overlap_measures(
    pair$truth, pair$response, empty, if (smooth) rules$smooth else 0, zero_division %||% 0, beta
  )[[name]]
}

# Makes the function of a measure from its name, for all measures that take `empty`. Arguments are spelled out once for
# a family, as help pages show them.
overlap_function <- function(name, smooth = TRUE) {
  force(name)
  force(smooth)
  function(truth, response, empty = NULL, convention = c("default", "sklearn", "mulan", "utiml", "cau", "zhang"),
           zero_division = NULL) {
    overlap_measure(name, truth, response, empty, convention, smooth, zero_division, call = environment())
  }
}

# The same with `beta`.
fbeta_function <- function(name, smooth = TRUE) {
  force(name)
  force(smooth)
  function(truth, response, beta = 2, empty = NULL,
           convention = c("default", "sklearn", "mulan", "utiml", "cau", "zhang"), zero_division = NULL) {
    overlap_measure(name, truth, response, empty, convention, smooth, zero_division, beta, call = environment())
  }
}

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
#' `zero_division` is the argument of this name in scikit-learn: the value of every ratio whose denominator is 0. So it
#' also changes the precision of a row without predicted labels, and the recall of a row without true labels. `empty`
#' overrides it for rows with neither, if both are given.
#'
#' # Conventions
#' `convention` follows all rules of another tool that differ from the default:
#' * `"sklearn"` and `"utiml"` use 0 for rows with neither true nor predicted labels.
#' * `"cau"` (programs of the AI lab of Chung-Ang University) adds 0.001 to both parts of each ratio. Its F1 is the
#'   harmonic mean of mean precision and mean recall.
#' * `"mulan"` and `"zhang"` equal the default here.
#'
#' Hamming loss and subset accuracy are the same everywhere.
#'
#' [evaluate()] also takes a truth with [unknown labels][unknown_labels].
#'
#' @param truth (0/1 matrix, data frame, sparse matrix, or `mltask`) The true labels, rows x labels.
#' @param response (0/1 matrix, data frame, sparse matrix, or `mlprediction`) The predicted labels, of the same size.
#'   If both have column names, they must agree.
#' @param empty (number from 0 to 1, or `NA`) The value if nothing is true and nothing is predicted. `NA` leaves the row
#'   (or label) out of the mean. `NULL` uses the value of `convention`, by default 1.
#' @param zero_division (number from 0 to 1, or `NA`) The value if a denominator is 0. `NA` leaves the row (or label)
#'   out of the mean. `NULL` uses `empty` if nothing is true and nothing is predicted, and 0 otherwise.
#' @param beta (number above 0) The weight of recall against precision.
#' @param convention (string) The tool whose rules for ties, empty sets and undefined values are used. `ties`, `empty`
#'   and `divisor` override it if they are given.
#'
#' @return One number; `NA` if no row is left.
#' @references Schapire and Singer (2000). BoosTexter: a boosting-based system for text categorization. Machine Learning
#'   39, 135-168 (Hamming loss).
#'
#'   Godbole and Sarawagi (2004). Discriminative methods for multi-labeled classification. PAKDD, 22-30 (the others).
#' @family measures
#' @name example_measures
#' @examples
#' truth    <- rbind(c(1, 1, 0), c(0, 1, 0), c(0, 0, 0))
#' response <- rbind(c(1, 0, 0), c(0, 1, 0), c(0, 0, 0))
#' msr_hamming_loss(truth, response)
#' msr_jaccard(truth, response)
#' msr_jaccard(truth, response, empty = NA)
#' msr_jaccard(truth, response, convention = "sklearn")
NULL

#' @rdname example_measures
#' @export
msr_hamming_loss <- function(truth, response, convention = c("default", "sklearn", "mulan", "utiml", "cau", "zhang")) {
  overlap_measure("hamming_loss", truth, response, convention = convention)
}

#' @rdname example_measures
#' @export
msr_subset_accuracy <- function(truth, response,
                                convention = c("default", "sklearn", "mulan", "utiml", "cau", "zhang")) {
  overlap_measure("subset_accuracy", truth, response, convention = convention)
}

#' @rdname example_measures
#' @export
msr_jaccard <- overlap_function("jaccard")

#' @rdname example_measures
#' @export
msr_example_precision <- overlap_function("example_precision")

#' @rdname example_measures
#' @export
msr_example_recall <- overlap_function("example_recall")

#' @rdname example_measures
#' @export
msr_example_f1 <- overlap_function("example_f1")

#' @rdname example_measures
#' @export
msr_example_fbeta <- fbeta_function("example_fbeta")

local({
  add <- function(name, fun, title, source, direction = "maximize") {
    register_measure(name, fun, "response", direction, c(0, 1), title, source, "overlap")
  }
  godbole <- "Godbole and Sarawagi (2004)"
  add("hamming_loss", msr_hamming_loss, "Hamming loss", "Schapire and Singer (2000)", "minimize")
  add("subset_accuracy", msr_subset_accuracy, "Subset accuracy", godbole)
  add("jaccard", msr_jaccard, "Jaccard index", godbole)
  add("example_precision", msr_example_precision, "Example-based precision", godbole)
  add("example_recall", msr_example_recall, "Example-based recall", godbole)
  add("example_f1", msr_example_f1, "Example-based F1", godbole)
  add("example_fbeta", msr_example_fbeta, "Example-based F2", godbole)
})

# Measures of class targets. The formulas are in mlsift/measure/class_based.h.

class_measure <- function(name, title, source, needs = "response", direction = "maximize", range = c(0, 1)) {
  new_measure(name, title, source, paste0("class_", needs), needs, direction, range, "class")
}

#' Measures of predicted categories
#'
#' These measures compare the true category of each row with the predicted one, or with the scores of all categories.
#'
#' With several class targets, the result is the mean over targets. With \eqn{n_{ab}}{n_ab} rows of category \eqn{a}
#' that are predicted as \eqn{b}, sums \eqn{n_{a \cdot}}{n_a.} and \eqn{n_{\cdot b}}{n_.b}, and \eqn{n} rows, the value
#' of a target is
#'
#' * `msr_accuracy()`: \eqn{p_o = \frac1n \sum_c n_{cc}}{po = sum(n_cc) / n}.
#' * `msr_balanced_accuracy()`: the mean of \eqn{n_{cc} / n_{c \cdot}}{n_cc / n_c.} over the categories that are true in
#'   some row.
#' * `msr_class_f1()`: the mean of \eqn{2 n_{cc} / (n_{c \cdot} + n_{\cdot c})}{2 n_cc / (n_c. + n_.c)} over the
#'   categories that are true or predicted in some row.
#' * `msr_kappa()`: \eqn{(p_o - p_e) / (1 - p_e)}{(po - pe) / (1 - pe)} with \eqn{p_e = \sum_c n_{c \cdot} n_{\cdot c} /
#'   n^2}{pe = sum(n_c. n_.c) / n^2}. It is between -1 and 1, and 0 for predictions without relation to the truth.
#' * `msr_class_auc()`: the mean over the categories of the AUC of each against the rest (see [msr_macro_auc()]).
#' * `msr_class_log_loss()`: \eqn{-\frac1n \sum_i \log p_i}{-mean(log(p))}, where \eqn{p_i}{p} is the score of the true
#'   category. Small is better.
#'
#' Large values of all others are better, and 1 is the largest.
#'
#' Categories are those that occur in `truth` or `response`, or have a score.
#'
#' # Undefined values
#' * AUC: a category that no row or all rows have is left out.
#' * Kappa is undefined if all rows have one category and it is always predicted.
#' * Log loss takes \eqn{p_i}{p} as at least 2.2e-16. So a single row costs at most 36.04.
#' * A category without a column of scores has the score 0 in all rows.
#'
#' A target without a value is left out of the mean.
#'
#' # scikit-learn
#' For one target, the values are those of `accuracy_score()`, `balanced_accuracy_score()`, `f1_score(average =
#' "macro")`, `cohen_kappa_score()`, `roc_auc_score(multi_class = "ovr")` and `log_loss()` of scikit-learn. It differs
#' in the last two if categories are missing: AUC is an error there if a category has no row.
#'
#' @param truth (factor, character vector, or `mltask`; for several targets a data frame or matrix of them) The true
#'   categories, rows x targets.
#' @param response (factor, character vector, data frame, matrix, or `mlprediction`) The predicted categories, of the
#'   same size. If both have column names, they must agree.
#' @param score (numeric matrix, list of matrices, or `mlprediction`) The scores of the categories. For one target, a
#'   matrix rows x categories whose column names are the categories. For several targets, a list with such a matrix for
#'   each, in the order of the targets. Log loss needs probabilities: numbers from 0 to 1 that sum to 1 in each row.
#' @return One number; `NA` if no target has a value. Errors have the class `mlsift_error`. They occur for truth and
#'   prediction of different size, missing values, scores without names of categories, and scores that are not
#'   probabilities where log loss needs them.
#' @references `r papers("Cohen1960", "Brodersen2010", "HandTill2001", "Log loss" = "Good1952")`
#' @family measures
#' @eval usages("msr_accuracy", "msr_balanced_accuracy", "msr_class_f1", "msr_kappa", "msr_class_auc",
#'   "msr_class_log_loss")
#' @name class_measures
#' @examples
#' truth    <- c("a", "b", "c", "a")
#' response <- c("a", "b", "a", "a")
#' msr_accuracy(truth, response)
#' msr_balanced_accuracy(truth, response)
#' msr_kappa(truth, response)
#' score <- rbind(c(.8, .1, .1), c(.2, .5, .3), c(.4, .3, .3), c(.6, .2, .2))
#' colnames(score) <- c("a", "b", "c")
#' msr_class_auc(truth, score)
#' msr_class_log_loss(truth, score)
NULL

msr_accuracy <- class_measure("accuracy", "Accuracy", "Cohen (1960)")
msr_balanced_accuracy <- class_measure("balanced_accuracy", "Balanced accuracy", "Brodersen et al. (2010)")
msr_class_f1 <- class_measure("class_f1", "F1 of categories", "Tsoumakas et al. (2010)")
msr_kappa <- class_measure("kappa", "Cohen's kappa", "Cohen (1960)", range = c(-1, 1))
msr_class_auc <- class_measure("class_auc", "AUC of categories", "Hand and Till (2001)", "score")
msr_class_log_loss <- class_measure("class_log_loss", "Log loss of categories", "Good (1952)", "score", "minimize",
  c(0, Inf))

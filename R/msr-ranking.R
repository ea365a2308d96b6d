# Measures of scores. The formulas are in mlsift/measure/ranking.h and auc.h.

score_measure <- function(name, title, source, family = "ranking", direction = "minimize", range = c(0, 1), ...) {
  new_measure(name, title, source, family, "score", direction, range, ...)
}

schapire <- "Schapire and Singer (2000)"

coverage_settings <- c(alist(ties = c("max", "average", "first", "last")), convention_setting)

msr_ranking_loss <- score_measure("ranking_loss", "Ranking loss", schapire,
  settings = c(alist(ties = c("error", "half", "first", "last")), convention_setting), more = alist(threads = NULL))
msr_one_error <- score_measure("one_error", "One-error", schapire,
  settings = c(alist(ties = c("share", "any", "first", "last")), convention_setting), more = alist(threads = NULL))
msr_coverage <- score_measure("coverage", "Coverage", schapire, range = c(0, Inf), settings = coverage_settings,
  more = alist(threads = NULL))

#' Ranking measures of label scores
#'
#' These measures show how well the scores \eqn{\psi_{il}}{s} of a row rank its true labels \eqn{\Lambda_i}{L} above the
#' others. The result is the mean over rows.
#'
#' The rank of a label is
#' \eqn{\mathrm{rank}_i(l) = |\{l' : \psi_{il'} \ge \psi_{il}\}|}{rank(l) = #(l' with s(l') >= s(l))}, so tied labels
#' have the largest of their ranks. The value of a row is
#'
#' * `msr_ranking_loss()`: \eqn{\lvert\{(a, b) : a \in \Lambda_i, b \notin \Lambda_i, \psi_{ia} \le \psi_{ib}\}\rvert /
#'   (\lvert\Lambda_i\rvert \lvert\bar\Lambda_i\rvert)}{share of pairs (a in L, b not in L) with s(a) <= s(b)}. From 0
#'   to 1, small is better.
#' * `msr_one_error()`: 1 if the label with the largest score is not in \eqn{\Lambda_i}{L}, else 0. Small is better.
#' * `msr_coverage()`: \eqn{\max_{l \in \Lambda_i} \mathrm{rank}_i(l) - 1}{max over l in L of rank(l), minus 1}. From
#'   0 to \eqn{q - 1}, small is better.
#' * `msr_norm_coverage()`: coverage divided by \eqn{q}, the number of labels. From 0 to 1, small is better.
#' * `msr_average_precision()`: \eqn{\frac{1}{\lvert\Lambda_i\rvert} \sum_{l \in \Lambda_i} \lvert\{l' \in \Lambda_i :
#'   \mathrm{rank}_i(l') \le \mathrm{rank}_i(l)\}\rvert / \mathrm{rank}_i(l)}{mean over l in L of #(l' in L with
#'   rank(l') <= rank(l)) / rank(l)}. From 0 to 1, large is better.
#'
#' The cost is that of sorting each row.
#'
#' # Ties
#' * Ranking loss: a pair with equal scores is a full error (`"error"`) or half an error (`"half"`).
#' * One-error: the share of untrue labels among those tied for the largest score (`"share"`), or no error if any of
#'   them is true (`"any"`).
#' * Coverage and average precision: tied labels have the largest of their ranks (`"max"`) or the mean (`"average"`;
#'   average precision can then exceed 1, also that of a full row).
#' * All: `"first"` breaks ties by column, where the first of the tied labels ranks best. With `"last"` the last one
#'   ranks best.
#'
#' # Empty and full rows
#' A row without true labels (empty) has ranking loss 0 and coverage 0, and is left out of one-error and average
#' precision. A row where all labels are true (full) has ranking loss 0, one-error 0 and average precision 1.
#'
#' @inheritParams example_measures
#' @param score (numeric matrix or `mlprediction`) The scores of the labels, rows x labels. Larger scores are for labels
#'   that are more likely. If truth and score both have column names, they must agree.
#' @param ties (string) The rule for equal scores; see Ties. By default it follows `convention`.
#' @param divisor (string) The divisor of coverage: the number of labels; the number of labels minus 1, so that 1 can be
#'   reached (a single label gives 0); or `"rank/q"`, which does not subtract 1 from the rank and divides by the number
#'   of labels.
#' @param threads (count) Number of threads. `NULL` chooses it from the size of the work. It never changes the result.
#' @return One number; `NA` if no row is left.
#' @references Schapire and Singer (2000). BoosTexter: a boosting-based system for text categorization. Machine Learning
#'   39, 135-168.
#'
#'   Zhang and Wu (2015). Lift: multi-label learning with label-specific features. IEEE Transactions on Pattern Analysis
#'   and Machine Intelligence 37, 107-120 (normalized coverage).
#' @family measures
#' @eval usages("msr_ranking_loss", "msr_one_error", "msr_coverage", "msr_norm_coverage", "msr_average_precision")
#' @name ranking_measures
#' @examples
#' truth <- rbind(c(1, 0, 0), c(0, 1, 1))
#' score <- rbind(c(.8, .8, .1), c(.3, .2, .9))
#' msr_ranking_loss(truth, score)
#' msr_ranking_loss(truth, score, ties = "half")
#' msr_one_error(truth, score)
#' msr_coverage(truth, score)
#' msr_coverage(truth, score, convention = "sklearn")
#' msr_norm_coverage(truth, score, divisor = "q-1")
#' msr_average_precision(truth, score)
msr_norm_coverage <- score_measure("norm_coverage", "Normalized coverage", "Zhang and Wu (2015)",
  settings = c(alist(divisor = c("q", "q-1", "rank/q")), coverage_settings), more = alist(threads = NULL))
msr_average_precision <- score_measure("average_precision", "Average precision", schapire, direction = "maximize",
  settings = coverage_settings, more = alist(threads = NULL))

#' Area under the ROC curve of label scores
#'
#' The AUC of a label uses all pairs of a row with the label and a row without it. It is the share of pairs in which the
#' first row scores higher; equal scores count half (Mann and Whitney).
#' * `msr_macro_auc()` is the mean of the AUCs of the labels.
#' * `msr_micro_auc()` is the AUC of all pairs of row and label, pooled.
#'
#' Both are between 0 and 1, and large values are better. Labels that no row or all rows have are left out of the macro
#' AUC. It is `NA` if no label is left. The micro AUC is `NA` if all labels of all rows are equal.
#' @inheritParams ranking_measures
#' @return One number, or `NA`.
#' @references Zhang and Zhou (2014). A review on multi-label learning algorithms. IEEE Transactions on Knowledge and
#'   Data Engineering 26, 1819-1837.
#' @family measures
#' @eval usages("msr_macro_auc", "msr_micro_auc")
#' @name auc_measures
#' @examples
#' truth <- cbind(c(1, 0, 0, 1), c(0, 1, 0, 0))
#' score <- cbind(c(.9, .4, .1, .4), c(.2, .7, .1, .1))
#' msr_macro_auc(truth, score)
#' msr_micro_auc(truth, score)
msr_macro_auc <- score_measure("macro_auc", "Macro AUC", "Zhang and Zhou (2014)", "macro_auc", "maximize",
  settings = convention_setting, more = alist(threads = NULL))
msr_micro_auc <- score_measure("micro_auc", "Micro AUC", "Zhang and Zhou (2014)", "micro_auc", "maximize",
  settings = convention_setting)

#' Precision and recall of label scores over all thresholds
#'
#' A label is predicted for the rows that score at least some threshold. Each threshold gives a precision \eqn{P} and a
#' recall \eqn{R}. With the different scores \eqn{s} as thresholds, best first, the area under their curve is
#' \deqn{\sum_s (R_s - R_{s-1}) P_s.}{sum over s of (R_s - R_(s - 1)) P_s.}
#' This is also called average precision, but it is not [msr_average_precision()], which ranks the labels of a row.
#' Nothing is interpolated, so it is not the area of trapezoids either. It is better suited to rare labels than
#' [msr_macro_auc()], since rows that are rightly not predicted do not count.
#' * `msr_macro_auprc()` is the mean of the labels' areas.
#' * `msr_micro_auprc()` is the area for all pairs of row and label, pooled.
#'
#' Both are between 0 and 1, and large values are better. A random order of rows gives about the share of rows with the
#' label.
#'
#' Labels that no row has are left out of the macro AUPRC. It is `NA` if no label is left. The micro AUPRC is `NA` if
#' there is no true label.
#' @inheritParams ranking_measures
#' @return One number, or `NA`.
#' @references `r papers("DavisGoadrich2006")`
#' @family measures
#' @eval usages("msr_macro_auprc", "msr_micro_auprc")
#' @name auprc_measures
#' @examples
#' truth <- cbind(c(1, 0, 0, 1), c(0, 1, 0, 0))
#' score <- cbind(c(.9, .4, .1, .4), c(.2, .7, .1, .1))
#' msr_macro_auprc(truth, score)
#' msr_micro_auprc(truth, score)
msr_macro_auprc <- score_measure("macro_auprc", "Macro AUPRC", "Davis and Goadrich (2006)", "macro_auprc", "maximize",
  settings = convention_setting, more = alist(threads = NULL))
msr_micro_auprc <- score_measure("micro_auprc", "Micro AUPRC", "Davis and Goadrich (2006)", "micro_auprc", "maximize")

#' Log loss of label probabilities
#'
#' The mean over all rows and labels of \eqn{-\log p}{-log(p)}, where \eqn{p} is the probability of what is true: the
#' score of a label that a row has, and 1 minus the score of a label that it does not have. Small values are better. It
#' is 0 if all probabilities are 0 or 1 and right, and \eqn{\log 2}{log(2)} = 0.693 if all are 0.5. This is the mean of
#' scikit-learn's `log_loss()` over the labels.
#'
#' A probability below 2.2e-16 counts as this, so a single pair of row and label costs at most 36.04. Scores outside 0
#' to 1 give an error of class `mlsift_error`. For class targets there is [msr_class_log_loss()].
#' @inheritParams ranking_measures
#' @return One number.
#' @references `r papers("Good1952")`
#' @family measures
#' @examples
#' truth <- cbind(c(1, 0, 0, 1), c(0, 1, 0, 0))
#' score <- cbind(c(.9, .4, .1, .4), c(.2, .7, .1, .1))
#' msr_log_loss(truth, score)
#' @export
msr_log_loss <- score_measure("log_loss", "Log loss", "Good (1952)", "log_loss", range = c(0, Inf))

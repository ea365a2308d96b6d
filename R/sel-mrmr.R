#' mRMR, JMIM, CMIM, NJMIM, DISR: criteria of one target, for many
#'
#' Greedy selectors that are well known for one target. Here the informations about the targets \eqn{l} are summed
#' before anything else is done with them.
#'
#' With
#' \deqn{R(f) = \sum_l I(f; l), \quad T(f, s) = \sum_l I\bigl((f, s); l\bigr), \quad
#'   N(f, s) = \sum_l \frac{I\bigl((f, s); l\bigr)}{H(f, s, l)},}{R(f) = sum over l of I(f; l),
#' T(f, s) = sum over l of I((f, s); l),
#' N(f, s) = sum over l of I((f, s); l) / H(f, s, l),}
#' they add, one at a time, the feature with the largest \eqn{J(f \mid S)}{J(f | S)}:
#'
#' * `sel_mrmr()`: \eqn{R(f) - \frac{w}{|S|} \sum_{s \in S} I(f; s)}{R(f) - w mean over s of I(f; s)}
#' * `sel_jmim()`: \eqn{\min_{s \in S} T(f, s)}{min over s of T(f, s)}
#' * `sel_cmim()`: \eqn{\min\bigl(R(f), \min_{s \in S} \sum_l I(f; l \mid s)\bigr)}{min(R(f), min over s of sum over l
#'   of I(f; l | s))}
#' * `sel_njmim()`: \eqn{\min_{s \in S} N(f, s)}{min over s of N(f, s)}
#' * `sel_disr()`: \eqn{\sum_{s \in S} N(f, s)}{sum over s of N(f, s)}
#'
#' The first feature has the largest \eqn{R}; for NJMIM and DISR see `first`.
#'
#' CIFE for one target is [sel_d2f()], and JMI is [sel_single_jmi()].
#'
#' @param redundancy For mRMR: `"once"`, \eqn{w = 1}, subtracts the mean redundancy once from the relevance for all
#'   targets; `"per-target"`, \eqn{w = q}, subtracts it for each of the \eqn{q} targets that vary, which keeps the
#'   balance of the criterion for one target.
#' @param first How NJMIM and DISR choose the first feature: `"mi"`, by the largest \eqn{R(f)}, in the unit of `base`;
#'   `"normalized"`, by the largest \eqn{\sum_l I(f; l) / H(f, l)}.
#' @param base Base of the logarithm: 2 for bits. It never changes a selection, and it leaves scores without a unit as
#'   they are.
#' @return `r takes("mrmr", "jmim", "cmim", "njmim", "disr")` With `first = "mi"` the first score of NJMIM and
#'   DISR is in bits.
#' @details Equal scores go to the earlier column. A term with \eqn{H(f, s, l) = 0} is 0. A feature that adds nothing to
#'   a selected one has a CMIM score of exactly 0, so that rounding does not order such features. `min_gain` is compared
#'   with the scores as they are, also with those of different units at the first and later steps of NJMIM and DISR.
#'   The terms of a label that is [unknown][unknown_labels] in some rows, with the entropies \eqn{H}, are those of the
#'   other rows.
#'
#'   With one target, the scores are those of `MRMR()`, `JMIM()`, `CMIM()`, `NJMIM()` and `DISR()` of the package
#'   praznik (version 11), which are in nats: use `base = exp(1)`. All five of praznik's start from \eqn{I(f; Y)};
#'   NJMIM and DISR do so here with `first = "mi"`. There are two differences. `JMIM()`, `CMIM()` and `NJMIM()` of
#'   praznik stop before a feature whose score is not positive; here `min_gain` does that. Where \eqn{H(f, s, l) = 0},
#'   praznik divides 0 by 0.
#' @references `r papers(mRMR = "Peng2005", "JMIM and NJMIM" = "Bennasar2015", CMIM = "Fleuret2004")`
#'
#' `r papers(DISR = "MeyerBontempi2006", praznik = "Kursa2021")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_cmim(), k = 4)
#' sift_features(help_pages, sel_disr(first = "normalized"), k = 4)
#' one <- subset_targets(help_pages, "key_htest")
#' sift_features(one, sel_mrmr(base = exp(1)), k = 4)
#' @eval usages("sel_mrmr", "sel_jmim", "sel_cmim", "sel_njmim", "sel_disr")
#' @name one_target_selectors
NULL

sel_mrmr <- function(redundancy = c("once", "per-target"), base = 2) {
  new_selector("mRMR", "mrmr", list(redundancy = check_choice(redundancy), base = check_base(base)))
}

register_greedy("mrmr", "mRMR", "Peng, Long & Ding (2005)", \(params, q) greedy_criterion(
  redundancy = if (params$redundancy == "once") 1 else q, average = TRUE
))

sel_jmim <- greedy_selector("jmim", "JMIM", "Bennasar et al. (2015)", \(params, q) greedy_criterion("jmim"),
  score = information_scale())
sel_cmim <- greedy_selector("cmim", "CMIM", "Fleuret (2004)", \(params, q) greedy_criterion("cmim"),
  score = information_scale())

sel_njmim <- function(first = c("mi", "normalized"), base = 2) {
  new_selector("NJMIM", "njmim", list(first = check_choice(first), base = check_base(base)))
}

sel_disr <- function(first = c("mi", "normalized"), base = 2) {
  new_selector("DISR", "disr", list(first = check_choice(first), base = check_base(base)))
}

# Only the first of these two scores depends on the base.
joint_entropy_criterion <- function(name) function(params, q) greedy_criterion(name, in_bits = FALSE,
  first = list(normalized = params$first == "normalized", log2_base = log2(params$base)))

register_greedy("njmim", "NJMIM", "Bennasar et al. (2015)", joint_entropy_criterion("njmim"),
  score = score_scale("share"))
register_greedy("disr", "DISR", "Meyer & Bontempi (2006)", joint_entropy_criterion("disr"),
  score = score_scale("share"))

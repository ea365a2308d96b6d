#' JMI3, CMI, JIM: more criteria of one target, for many
#'
#' Greedy selectors that are known for one target. As in [sel_jmim()], the informations about the targets \eqn{l} are
#' summed before a feature is chosen.
#'
#' They add, one at a time, the feature with the largest \eqn{J(f \mid S)}{J(f | S)}:
#'
#' * `sel_jmi3()`: \eqn{\sum_{\{s, u\} \subset S} \sum_l I\bigl((f, s, u); l\bigr)}{sum over pairs s, u and l of
#'   I((f, s, u); l)}
#' * `sel_cmi()`: \eqn{\sum_l I(f; l \mid S)}{sum over l of I(f; l | S)}
#' * `sel_jim()`: \eqn{\sum_{s \in S} \sum_l G\bigl((f, s); l\bigr)}{sum over s and l of G((f, s); l)}
#'
#' The first feature has the largest \eqn{\sum_l I(f; l)}{sum over l of I(f; l)}, and with JIM the largest
#' \eqn{\sum_l G(f; l)}{sum over l of G(f; l)}.
#'
#' * `sel_jmi3()` looks at features in threes, where [sel_single_jmi()] looks at pairs, so it also finds features that
#'   are informative only together with two others. The second feature is that of Single-JMI, with the largest
#'   \eqn{\sum_l I((f, s); l)}. Each step counts all features with as many pairs as features are selected: 50 features
#'   of two levels take some 25 times as long as with Single-JMI, and those of five levels up to 100 times.
#' * `sel_cmi()` takes all selected features together: a feature scores its information about the targets of rows that
#'   are equal in all of them. No other criterion here is as direct, and none runs out of rows as fast: with each
#'   feature fewer rows are equal, and what is left to say is learned by heart. Once no feature adds anything, the
#'   others follow by \eqn{\sum_l I(f; l)}, with score 0. Look at the scores, or stop with `min_gain`. It is of use for
#'   many rows and few features to select.
#' * `sel_jim()` is Single-JMI with impurity, as in decision trees, in place of information:
#'   \deqn{G(x; l) = \sum_{x, y} \frac{p(x, y)^2}{p(x)} - \sum_y p(y)^2,
#' }{G(x; l) = sum over x, y of p(x, y)^2 / p(x) - sum over y of p(y)^2,}
#'   the Gini impurity of the target \eqn{l} that is gone once \eqn{x} is known. For 0/1 labels and features it is
#'   \eqn{2 p (1 - p) \chi^2 / N}, with \eqn{p} the share of rows with the label, so frequent labels count more than
#'   rare ones.
#' @inheritParams greedy_selectors
#' @return `r takes("jmi3", "cmi", "jim")`
#' @details Equal scores go to the earlier column. A feature that adds nothing to the selected ones has a CMI score of
#'   exactly 0, so that rounding does not order such features. The terms of a label that is [unknown][unknown_labels] in
#'   some rows are those of the other rows. With one target, the scores are those of `JMI3()`,
#'   `CMI()` and `JIM()` of the package praznik (version 11), which are in nats where they are informations: use
#'   `base = exp(1)`. `CMI()` of praznik stops where no feature adds anything; here `min_gain` does that.
#'
#'   On a source, `sel_jim()` needs one more pass for each selected feature. `sel_jmi3()` and `sel_cmi()` need counts
#' of more features together.
#' @references `r papers(JMI3 = "SechidisEtAl2019", "CMI and JIM" = "Kursa2021")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_jmi3(), k = 4)
#' sift_features(help_pages, sel_cmi(), k = 4)
#' sift_features(help_pages, sel_jim(), k = 4)
#' @eval usages("sel_jmi3", "sel_cmi", "sel_jim")
#' @name joint_selectors
sel_jmi3 <- greedy_selector("jmi3", "JMI3", "Sechidis et al. (2019)", \(params, q) greedy_criterion("jmi3"),
  beyond = "counts of three features together", score = information_scale())
sel_cmi <- greedy_selector("cmi", "CMI", "Kursa (2021)", \(params, q) greedy_criterion("cmi"),
  beyond = "counts of all selected features together", score = information_scale())
sel_jim <- function() new_selector("JIM", "jim")

register_greedy("jim", "JIM", "Kursa (2021)", \(params, q) greedy_criterion("jim", in_bits = FALSE),
  score = score_scale("impurity"))

#' MFS: the multi-label F-statistic
#'
#' Ranks features by scatter between labels over scatter within labels, a row counting once for each label it has:
#' \deqn{J(f) = \frac{N - q}{q - 1} \cdot \frac{\sum_l n_l (m_l - m)^2}{\sum_l \sum_{i \in l} (x_i - m_l)^2},}
#' with \eqn{m_l} the mean over the \eqn{n_l} rows of label \eqn{l} and \eqn{m} the mean over all (row, label) pairs.
#' Rows without labels do not enter: \eqn{N} counts those with at least one, \eqn{q} the labels that occur. The factor,
#' the same for all features, is 1 where it would not be positive.
#'
#' Features are used as numbers and not cut. Logicals and factors of two levels count as 0/1, ordered factors as their
#' level number; of an unordered factor of more levels both scatters are summed over the levels' indicators.
#'
#' @param within `"weighted"` as above (the paper); `"unweighted"` divides by the sum of the variances within labels, as
#'   the program of Cheng et al. (2016) does.
#' @return A selector for [sift_features()]; needs labels and features without missing values. A feature without scatter
#'   within any label scores `Inf` (several: in order of the scatter between labels), a constant one 0.
#' @references
#' Kong, Ding, Huang and Zhao (2012). Multi-label ReliefF and F-statistic feature selections for image annotation. CVPR,
#' 2352-2359.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 8, n_targets = 3)
#' sift_features(task, sel_mfs(), k = 4)
#' @export
sel_mfs <- function(within = c("weighted", "unweighted")) {
  new_selector("MFS", "mfs", list(within = check_choice(within, c("weighted", "unweighted"))))
}

register_selector("mfs",
  constructor = "sel_mfs()", name = "MFS", kinds = "label", needs = "numbers", source = "Kong et al. (2012)",
  run = function(input, params) {
    numbers <- numeric_features(input$task)
    result <- cpp_score_mfs(numbers$x, nominal_levels(input$task, numbers), input$task$y, params$within == "weighted", input$threads)
    rank_scores(result$score, result$between)
  }
)

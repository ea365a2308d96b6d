#' MFS: the multi-label F-statistic
#'
#' Ranks features by the scatter between labels divided by the scatter within labels. A row counts once for each of its
#' labels:
#' \deqn{J(f) = \frac{N - q}{q - 1} \cdot \frac{\sum_l n_l (m_l - m)^2}{\sum_l \sum_{i \in l} (x_i - m_l)^2},
#' }{J(f) = (N - q) / (q - 1) * A / B,
#' A = sum over l of n_l (m_l - m)^2,
#' B = sum over l and the rows i of l of (x_i - m_l)^2,}
#' where \eqn{m_l} is the mean over the \eqn{n_l} rows of label \eqn{l}, and \eqn{m} the mean over all (row, label)
#' pairs. Rows without labels are not used: \eqn{N} is the number of rows with at least one label, and \eqn{q} the
#' number of labels that occur. The first factor is the same for all features. It is replaced by 1 if it is not
#' positive.
#'
#' A row of weight \eqn{w} counts as \eqn{w} rows, in \eqn{N} and \eqn{n_l} too. So scale sampling weights to the size
#' of the sample.
#'
#' For an unordered factor with more than two levels, both scatters are summed over the indicators of the levels.
#'
#' @param within `"weighted"`: as above and in the paper. `"unweighted"`: divides by the sum of the variances within
#'   labels, as the program of Yan and Li (2016) does, see [sel_gmba()].
#' @return `r takes("mfs")` A feature without scatter within any label scores `Inf`; several such features are ordered
#'   by the scatter between labels. A constant feature scores 0.
#' @references `r papers("Kong2012")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_mfs(), k = 4)
#' @export
sel_mfs <- function(within = c("weighted", "unweighted")) {
  new_selector("MFS", "mfs", list(within = check_choice(within)))
}

register_selector("mfs",
  name = "MFS", kinds = "label", needs = "numbers", source = "Kong et al. (2012)", weights = TRUE,
  score = score_scale("ratio of variances"),
  run = function(input, params) {
    check_weight_range(input$task)
    numbers <- numeric_features(input$task)
    result <- cpp_score_mfs(numbers$x, nominal_levels(input$task, numbers), input$task$targets$values,
      input$task$rows$weights, params$within == "weighted", input$threads)
    rank_scores(result$score, result$between)
  }
)

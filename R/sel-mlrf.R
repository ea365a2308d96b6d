#' MLRF: multi-label ReliefF over pairs of labels
#'
#' For each pair of labels, the rows with exactly one of the two form two classes. Each row \eqn{i} of class \eqn{c} is
#' compared with its nearest rows of that class (hits \eqn{H}) and its nearest rows of the other class \eqn{c'} (misses
#' \eqn{M}):
#' \deqn{J(f) = \sum_{\{c, c'\}} \sum_i \frac{P(c')}{1 - P(c)}
#'   \Bigl[ \overline{|x_{if} - x_{Mf}|} - \overline{|x_{if} - x_{Hf}|} \Bigr],
#'   \quad P(c) = n_c \Big/ \sum_l n_l.}{J(f) = sum over pairs (c, c') and i of P(c') / (1 - P(c))
#' (mean |x_if - x_Mf| - mean |x_if - x_Hf|),
#' P(c) = n_c / (sum over l of n_l).}
#' A row with both labels of a pair, or with neither, is in neither class. So, unlike [sel_relieff_br()], only rows with
#' labels are used. Neighbors are nearest in Euclidean distance. Equally near rows are used in the order of the rows.
#'
#' @param neighbors (count) Number of hits and of misses for each pair. Smaller classes use all their rows.
#' @param variant `"paper"`: as above. `"code2016"`: as in the program of Yan and Li (2016) with that name, see
#'   [sel_gmba()]. There, for labels \eqn{a < b} in column order, each row without \eqn{a} uses its `neighbors` nearest
#'   rows among those without \eqn{a}, itself included. Each of these that has \eqn{b} adds \eqn{\frac{p_b}{1 - p_a}
#'   |x_r - x_c|}{p_b / (1 - p_a) |x_r - x_c|} / `neighbors`. Rows with \eqn{a} do the same among the rows with \eqn{a},
#'   but subtract. Here \eqn{p_l = n_l / N}, and labels \eqn{a} that all rows or no rows have are skipped.
#' @inheritParams lrn_mlknn
#' @inheritParams sel_relieff_br
#' @return `r takes("mlrf")` Unordered factors with more levels give an error. If only one label occurs, there is no
#'   pair, and the scores are those of [sel_relieff_br()].
#' @section Cost: Time grows with rows times reference rows times features, and hardly with the number of labels. The
#'   counts of label pairs take 4 bytes each.
#' @references `r papers("Kong2012")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_mlrf(), k = 4)
#' sift_features(help_pages, sel_mlrf(neighbors = 5, scale = "none"), k = 4)
#' @export
sel_mlrf <- function(neighbors = 3, variant = c("paper", "code2016"), scale = c("auto", "zscore", "none"),
                     n_rows = NULL) {
  new_selector("MLRF", "mlrf", list(neighbors = check_count(neighbors), variant = check_choice(variant),
    scale = check_choice(scale), n_rows = check_count(n_rows, null = TRUE)))
}

register_selector("mlrf",
  name = "MLRF", kinds = "label", needs = "numbers", source = "Kong et al. (2012)",
  score = score_scale("difference", -Inf),
  run = function(input, params) {
    x <- plain_numbers(input$task$x, "zscore", "MLRF")
    if (n_occurring(input$task$targets) == 1L) return(run_relieff_br(input, params))
    check_label_pairs(ncol(input$task$targets), bytes_each = 4)
    x <- divided_numbers(x, params$scale)
    data <- relief_data(x, logical(ncol(x)), rep(1, ncol(x)), params$n_rows)
    rank_scores(cpp_mlrf(
      data, input$task$targets$values, params$neighbors, params$variant == "code2016", input$threads
    ))
  }
)

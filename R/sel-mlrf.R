#' MLRF: multi-label ReliefF over pairs of labels
#'
#' For each pair of labels, the rows with exactly one of them are two classes. Row \eqn{i} of class \eqn{c} compares its
#' nearest rows of that class (hits \eqn{H}) with its nearest rows of the other class \eqn{c'} (misses \eqn{M}):
#' \deqn{J(f) = \sum_{\{c, c'\}} \sum_i \frac{P(c')}{1 - P(c)} \Bigl[ \overline{|x_{if} - x_{Mf}|} - \overline{|x_{if} -
#' x_{Hf}|} \Bigr],
#'   \quad P(c) = n_c \Big/ \sum_l n_l.}
#' Unlike [sel_relieff_br()] it looks only at rows that have labels, for a row with both labels of a pair, or neither,
#' is in neither class. Neighbors are nearest in Euclidean distance; equally near ones in the order of the rows.
#'
#' @param neighbors (count) Number of hits and of misses for each pair. Classes with fewer rows give those they have.
#' @param variant `"paper"` as above. `"code2016"` is what the program of Cheng et al. (2016) computes under that name:
#'   for labels \eqn{a < b} in column order each row without \eqn{a} takes its `neighbors` nearest rows among those
#'   without \eqn{a}, itself the first, and each of these that has \eqn{b} adds \eqn{\frac{p_b}{1 - p_a} |x_r - x_c|} /
#'   `neighbors`; rows with \eqn{a} do the same among the rows with \eqn{a}, and subtract. There \eqn{p_l = n_l / N},
#'   and labels \eqn{a} that all rows or none have are skipped.
#' @param scale `"zscore"` divides features by their standard deviation (population), constant ones by 1, for distances
#'   and for differences; `"none"` takes them as they are.
#' @param n_rows (count) Number of reference rows \eqn{i}, drawn from R's generator; `NULL` takes all rows. Their
#'   neighbors come from all rows in any case. More than there are: all, with a warning.
#' @return A selector for [sift_features()]; needs labels and features without missing values. Logicals and factors of
#'   two levels count as 0/1, ordered factors as their level number; unordered factors of more levels are refused. With
#'   a single label that occurs there is no pair, and the scores are those of [sel_relieff_br()].
#' @section Cost:
#' Time grows with rows times reference rows times features: one search fills the hits and misses of all pairs of
#' labels, and a pair of rows costs one difference, whatever the number of label pairs it serves. The counts of label
#' pairs take 4 bytes each.
#' @references
#' Kong, Ding, Huang and Zhao (2012). Multi-label ReliefF and F-statistic feature selections for image annotation. CVPR,
#' 2352-2359.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 8, n_targets = 4)
#' sift_features(task, sel_mlrf(), k = 4)
#' sift_features(task, sel_mlrf(neighbors = 5, scale = "none"), k = 4)
#' @export
sel_mlrf <- function(neighbors = 3, variant = c("paper", "code2016"), scale = c("zscore", "none"), n_rows = NULL) {
  new_selector("MLRF", "mlrf", list(
    neighbors = check_count(neighbors), variant = check_choice(variant, c("paper", "code2016")),
    scale = check_choice(scale, c("zscore", "none")), n_rows = check_count(n_rows, null = TRUE)
  ))
}

register_selector("mlrf",
  constructor = "sel_mlrf()", name = "MLRF", kinds = "label", needs = "numbers", source = "Kong et al. (2012)",
  run = function(input, params) {
    x <- plain_numbers(input$task$x, params$scale, "MLRF", input$call)
    if (sum(Matrix::colSums(input$task$y) > 0) == 1L) return(run_relieff_br(input, params))
    if (params$scale == "zscore") x <- scale_columns(x, cpp_column_scale(x))
    data <- relief_data(x, logical(ncol(x)), rep(1, ncol(x)), params$n_rows, input$call)
    rank_scores(cpp_mlrf(data, input$task$y, params$neighbors, params$variant == "code2016", input$threads))
  }
)

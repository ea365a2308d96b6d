#' ReliefF-ML: ReliefF with hits and misses of every label
#'
#' For every label \eqn{l} that a reference row \eqn{i} has, the hits \eqn{H_l} are the `neighbors` nearest other rows
#' with this label. For every label that it lacks, the misses \eqn{M_l} are the nearest rows with this label. Labels are
#' weighted by their frequency:
#' \deqn{W_f = \frac1m \sum_i \Bigl[ \sum_{l \notin \Lambda_i} \frac{P(l)}{\sum_{l' \notin \Lambda_i} P(l')}\,
#'   \overline{\mathrm{diff}_f(i, M_l)} - \sum_{l \in \Lambda_i} \frac{P(l)}{\sum_{l' \in \Lambda_i} P(l')}\,
#'   \overline{\mathrm{diff}_f(i, H_l)} \Bigr],}{W_f = mean over i of
#' sum over l not in Lambda_i of P(l) / A_i mean diff_f(i, M_l)
#' - sum over l in Lambda_i of P(l) / B_i mean diff_f(i, H_l),
#' A_i = sum over l not in Lambda_i of P(l),
#' B_i = sum over l in Lambda_i of P(l),}
#' where \eqn{P(l)} is the share of rows that have \eqn{l}, and \eqn{\Lambda_i} are the labels of row \eqn{i}. Unlike
#' [sel_relieff_br()], rows that both lack a label do not count as similar. A row without labels has only misses, and a
#' row with all labels has only hits.
#'
#' Experimental: the paper leaves open whether a miss may share another label with the row. By default it may. With
#' `disjoint = TRUE`, misses come only from rows that have no label in common with the row.
#'
#' @param neighbors (count) Number of nearest rows with each label.
#' @param disjoint (flag) Whether misses must have no label in common with the row.
#' @inheritParams sel_relieff_br
#' @inheritSection sel_relieff_br Differences and distances
#' @inheritSection sel_relieff_br Weights of rows
#' @section Few rows:
#' A label with fewer rows than `neighbors` uses all its rows, and the mean is over these. A label without any such row
#' adds no term. A label that all rows have counts like any other.
#' @section Cost:
#' As for [sel_relieff_br()]: one search, and one difference for each pair of rows, for any number of labels.
#' @return `r takes("relieff_ml")`
#' @references `r papers("Reyes2015")`
#' @family selectors
#' @examples
#' sift_features(help_pages[1:500, ], sel_relieff_ml(), k = 4)
#' @export
sel_relieff_ml <- function(neighbors = 10, disjoint = FALSE, n_rows = NULL) {
  new_selector("ReliefF-ML", "relieff_ml", list(neighbors = check_count(neighbors), disjoint = check_flag(disjoint),
    n_rows = check_count(n_rows, null = TRUE)))
}

register_relief("relieff_ml", "ReliefF-ML", "Reyes et al. (2015)", kinds = "label",
  run = function(input, params) {
    data <- ranged_data(input$task, params$n_rows)
    rank_scores(cpp_relieff_ml(data, input$task$targets$values, params$neighbors, params$disjoint, input$threads))
  }
)

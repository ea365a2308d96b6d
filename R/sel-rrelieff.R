#' RReliefF: Relief for numeric targets and for distances between label sets
#'
#' RReliefF compares each row with its nearest rows, whose targets differ more or less. There are no classes, so there
#' are no hits and misses. A feature should differ where the targets differ (\eqn{N_{Cf}}{N_Cf}), and not where they
#' agree:
#' \deqn{W_f = \frac{N_{Cf}}{N_C} - \frac{N_f - N_{Cf}}{m - N_C}, \quad N_C = \sum_{ij} d_{ij} \delta_{ij},\;
#'   N_f = \sum_{ij} d_{ij}\, \mathrm{diff}_f(i, j),\; N_{Cf} = \sum_{ij} d_{ij} \delta_{ij}\, \mathrm{diff}_f(i, j),
#' }{W_f = N_Cf / N_C - (N_f - N_Cf) / (m - N_C),
#' N_C = sum over i, j of d_ij delta_ij,
#' N_f = sum over i, j of d_ij diff_f(i, j),
#' N_Cf = sum over i, j of d_ij delta_ij diff_f(i, j),}
#' where \eqn{i} runs over \eqn{m} reference rows and \eqn{j} over the `neighbors` nearest rows of each. The neighbor of
#' rank \eqn{r} has weight \eqn{d_{ij} \propto e^{-(r / \sigma)^2}}{d_ij proportional to exp(-(r / sigma)^2)}. The
#' weights of the neighbors of a row sum to 1. Ranks begin at 1, as in the paper; the package CORElearn begins at 0.
#' * `sel_rrelieff()` is for numeric targets. \eqn{\delta_{ij}}{delta_ij} is \eqn{|y_i - y_j|} divided by the range of
#'   the target. The score is the mean of \eqn{W_f} over the targets.
#' * `sel_rrelieff_ml()`, RReliefF-ML, is for labels. \eqn{\delta_{ij}}{delta_ij} is the share of all labels that only
#'   one of the two rows has.
#'
#' Neighbors are searched once for all targets. Each pair of neighbors costs one difference, for any number of targets.
#'
#' @param neighbors (count) Number of nearest rows. If the number exceeds the number of other rows, all are used, with a
#'   warning.
#' @param sigma (number) How slowly the weight of neighbors falls with their rank. `Inf` gives all the same weight.
#' @inheritParams sel_relieff_br
#' @inheritSection sel_relieff_br Differences and distances
#' @inheritSection sel_relieff_br Weights of rows
#' @section Unusual targets:
#' A target that does not differ between any neighbors is skipped. If all targets are skipped, scores are 0. If all
#' neighbors differ by the maximum, \eqn{N_C = m} and the second term is left out. Labels that no row or all rows have
#' count among all labels in \eqn{\delta_{ij}}{delta_ij}. A numeric target that is [unknown][unknown_labels] in some
#' rows is scored on the other rows alone.
#' @section Cost:
#' As for [sel_relieff_br()].
#' @return `r takes("rrelieff", "rrelieff_ml")`
#' @references `r papers("RobnikSikonjaKononenko2003", "Reyes2015")`
#' @family selectors
#' @examples
#' cars <- mltask(mtcars, targets = c("mpg", "qsec"))
#' sift_features(cars, sel_rrelieff(), k = 4)
#' sift_features(help_pages[1:500, ], sel_rrelieff_ml(), k = 4)
#' @export
sel_rrelieff <- function(neighbors = 10, sigma = 50, n_rows = NULL) {
  new_selector("RReliefF", "rrelieff", rrelief_params(neighbors, sigma, n_rows))
}

#' @rdname sel_rrelieff
#' @export
sel_rrelieff_ml <- function(neighbors = 10, sigma = 50, n_rows = NULL) {
  new_selector("RReliefF-ML", "rrelieff_ml", rrelief_params(neighbors, sigma, n_rows))
}

rrelief_params <- function(neighbors, sigma, n_rows) {
  params <- relief_params(neighbors, n_rows)
  append(params, list(sigma = check_number(sigma, 0, above = TRUE)), after = 1L)
}

run_rrelieff <- function(task, input, params, score) {
  data <- ranged_data(task, params$n_rows)
  score(data, usable_neighbors(params$neighbors, nrow(data$x) - 1L, "other rows"))
}

register_relief("rrelieff", "RReliefF", "Robnik-Sikonja & Kononenko (2003)", kinds = "numeric", unknown = TRUE,
  run = function(input, params) {
    rank_scores(known_mean(input$task, function(task) run_rrelieff(task, input, params, function(data, neighbors) {
      y <- ranged_columns(task$targets$values)
      cpp_rrelieff(data, y$x, y$factor, neighbors, params$sigma, input$threads)
    })))
  }
)

register_relief("rrelieff_ml", "RReliefF-ML", "Reyes et al. (2015)", kinds = "label",
  run = function(input, params) {
    rank_scores(run_rrelieff(input$task, input, params, function(data, neighbors) {
      cpp_rrelieff_ml(data, input$task$targets$values, neighbors, params$sigma, input$threads)
    }))
  }
)

#' SPEC: features that vary slowly over the graph of label sets
#'
#' Scores a feature \eqn{f} by its agreement with the label-space graph: rows with similar label sets ([label_graph()])
#' should have similar values. Let \eqn{A} be the similarities between rows, \eqn{D} the diagonal matrix of degrees
#' \eqn{d_i = \sum_j A_{ij}}{d_i = sum over j of A_ij}, \eqn{\mathcal L = D^{-1/2} (D - A) D^{-1/2}}{L = D^(-1/2) (D -
#' A) D^(-1/2)} with eigenpairs \eqn{(\lambda_j, \xi_j)} in increasing order, \eqn{\hat f = D^{1/2} f / \|D^{1/2}
#' f\|}{fhat = D^(1/2) f / ||D^(1/2) f||} and \eqn{\alpha_j = \hat f^\top \xi_j}{alpha_j = fhat' xi_j}. Then
#' \deqn{\varphi_1 = \hat f^\top \mathcal L \hat f = 1 - \frac{f^\top A f}{f^\top D f}, \qquad
#'   \varphi_2 = \frac{\varphi_1}{1 - \alpha_1^2}, \qquad \varphi_3 = \sum_{j=2}^{\kappa} (2 - \lambda_j)\, \alpha_j^2.
#' }{phi_1 = fhat' L fhat = 1 - f' A f / f' D f,
#' phi_2 = phi_1 / (1 - alpha_1^2),
#' phi_3 = sum over j = 2, ..., kappa of (2 - lambda_j) alpha_j^2.}
#' Scores are \eqn{-\varphi_1}{-phi_1}, \eqn{-\varphi_2}{-phi_2} and \eqn{\varphi_3}{phi_3}, so that larger is better.
#' \eqn{\varphi_2}{phi_2} is the Laplacian score; it removes the part that is constant over the graph.
#' \eqn{\varphi_3}{phi_3} uses the smoothest directions only.
#'
#' @param phi 1, 2 or 3: which score.
#' @param zero_degree (number, 0 or more) The degree of rows without a similar row, such as rows without labels. With 0
#'   these rows do not count. The program of Yan and Li uses 0.01.
#' @param kappa (count, 2 or more) Number of smallest eigenvalues that \eqn{\varphi_3}{phi_3} uses, including the first
#'   (0). `NULL` uses the number of labels that occur, but at least 2 and at most 50. The time grows with this number.
#'   Eigenvalues equal to the last one are included, so that the score does not depend on the choice of eigenvectors.
#' @param label_weights `"count"` or `"none"`: weights of labels in the similarity; see [label_graph()].
#' @param scale `"zscore"` subtracts the means of features. (Dividing by the standard deviation would not change any
#'   score.) `"none"` uses features as they are, which changes \eqn{\varphi_1}{phi_1} and \eqn{\varphi_3}{phi_3}.
#' @return `r takes("spec")` Unordered factors with more levels give an error. With `phi = 3` scores are between 0
#'   and 2. Constant features score `-Inf`. So do features with \eqn{f^\top D f = 0}{f' D f
#'   = 0} and, for `phi = 2`, features that are constant on the rows that have a similar row.
#' @details Memory does not grow with pairs of rows, since similarities are between label sets. \eqn{\varphi_3}{phi_3}
#'   needs eigenpairs of a matrix of label sets \eqn{\times}{x} label sets. If there are nearly as many label sets as
#'   rows, this is slow from about 10,000 rows on. Use a small `kappa` there.
#' @references `r papers("ZhaoLiu2007", "YanLi2016")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_spec(), k = 4)
#' sift_features(help_pages, sel_spec(phi = 3), k = 4)
#' @export
sel_spec <- function(phi = 1, zero_degree = 0, kappa = NULL, label_weights = c("count", "none"),
                     scale = c("zscore", "none")) {
  new_selector("SPEC", "spec", list(phi = check_count(phi, max = 3),
    zero_degree = check_number(zero_degree, 0, finite = TRUE), kappa = check_count(kappa, min = 2, null = TRUE),
    label_weights = check_choice(label_weights), scale = check_choice(scale)))
}

register_selector("spec",
  name = "SPEC", kinds = "label", needs = "numbers", source = "Zhao & Liu (2007)",
  score = function(params) if (isTRUE(params$phi == 3)) score_scale("no unit", 0, 2) else score_scale("no unit", -2, 0),
  run = function(input, params) {
    x <- plain_numbers(input$task$x, params$scale, "SPEC")
    y <- input$task$targets$values
    kappa <- params$kappa %||% min(50L, max(2L, sum(Matrix::colSums(y) > 0)))
    score <- cpp_score_spec(x, y, params$phi, params$zero_degree, kappa, params$scale == "zscore",
      params$label_weights == "count", input$threads)
    if (is.null(score)) abort(c("SPEC needs two rows that share a label.", x = "No two rows of the task do.",
      i = "{.arg zero_degree} gives rows without a neighbor a degree."))
    rank_scores(score)
  }
)

#' GRRO: relevance with global redundancy, in closed form
#'
#' Gives every feature a weight for every label, all at once, so that features are close to their relevance, features
#' that are alike share weight, and labels that differ do not. With \eqn{A_{fl} = I(f; l)}{A_fl = I(f; l)} in bits, it
#' takes the matrix \eqn{W} (features x labels) at which the gradient of
#' \deqn{\tfrac12 \|W - A\|_F^2 + \tfrac\alpha2 \mathrm{tr}(W^\top C W) + \tfrac\beta2 \mathrm{tr}(W B W^\top)
#' }{||W - A||_F^2 / 2 + alpha / 2 tr(W' C W) + beta / 2 tr(W B W')}
#' is 0, that is, it solves \eqn{(I + \alpha C) W + \beta W B = A}. Features are ranked by the sums of the rows,
#' \eqn{J(f) = \sum_l W_{fl}}{J(f) = sum over l of W_fl}. \eqn{C} is the similarity of features, with 1 on the diagonal,
#' and \eqn{B_{lm}}{B_lm} is one minus the cosine between two labels as columns of 0 and 1.
#'
#' @param alpha (number, 0 or more) Weight of redundancy between features.
#' @param beta (number, 0 or more) Weight of the differences between labels. If both are 0, the scores are those of
#'   [sel_mim()].
#' @param similarity What \eqn{C} holds. `"information"`: mutual information in bits, as in the authors' program.
#'   `"uncertainty"`: the symmetrical uncertainty \eqn{2 I(f; g) / (H(f) + H(g))}, which is 1 only for copies.
#' @return `r takes("grro")` A constant feature scores 0, and labels that are the same in all rows are left out.
#' @section When the ranking means something:
#' The solution is exact, so there is no tolerance and no certificate. But it is the minimum of the objective only if
#' the smallest eigenvalue of \eqn{I + \alpha C} and \eqn{\beta} times the smallest eigenvalue of \eqn{B} add up to more
#' than 0. If not, it is a saddle point: the objective has no minimum, and there is no reason to trust the ranking. Then
#' there is a warning, with this sum. The published program does not check it.
#'
#' \eqn{I(f; g)} is at most 1 bit for features with two levels, which the authors use. With more levels it can be larger
#' than the 1 on the diagonal, and the sum is often negative. `similarity = "uncertainty"` or
#' `discretizer = disc_equal_width(2)` help, or a smaller `alpha`. \eqn{B} always has negative eigenvalues, so that a
#' large `beta` also leads to a saddle point.
#' @details The cost grows with the cube of the number of features: some seconds for 2,000, some minutes for 10,000.
#'   The matrix takes 8 bytes for each pair, and more than 20,000 features are refused. Copies of a feature have the
#'   same score.
#' @references `r papers("ZhangLin2020")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_grro(), k = 4, discretizer = disc_equal_width(2))
#' sift_features(help_pages, sel_grro(alpha = 1, similarity = "uncertainty"), k = 4)
#' @export
sel_grro <- function(alpha = 100, beta = 0.1, similarity = c("information", "uncertainty")) {
  new_selector("GRRO", "grro", list(alpha = check_number(alpha, min = 0, max = 1e6),
    beta = check_number(beta, min = 0, max = 1e6), similarity = check_choice(similarity)))
}

register_selector("grro",
  name = "GRRO", kinds = "label", needs = "codes", source = "Zhang et al. (2020)", score = score_scale("bits", -Inf),
  run = function(input, params) {
    task <- input$task
    d <- ncol(task$x)
    if (d > most_pairwise_features) abort(c(
      "GRRO needs a matrix of all pairs of features, and takes at most {format_count(most_pairwise_features)}.",
      x = "The task has {format_count(d)} features.",
      i = "Select the best of them first, for example with {.fn sel_mim} and {.fn subset_features}."
    ))
    y <- task$targets$values[, input$varying, drop = FALSE]
    found <- cpp_score_grro(core_rows(input), y, params$alpha, params$beta, params$similarity == "uncertainty",
      input$threads)
    if (found$curvature <= 0) warn(c(
      "The objective of GRRO has no minimum for these data. The ranking is that of a saddle point.",
      x = "The smallest sum of eigenvalues is {signif(found$curvature, 3)}; it must be above 0.",
      i = if (params$similarity == "information") paste(
        "Try {.code similarity = \"uncertainty\"}, features with two levels, such as those of",
        "{.code discretizer = disc_equal_width(2)}, or a smaller {.arg alpha}."
      ) else "Try a smaller {.arg alpha} or {.arg beta}."
    ))
    rank_scores(found$score)
  }
)

#' MFS-MCDM: ridge regression, and the distance to the best and the worst
#'
#' Predicts all labels by ridge regression, \eqn{D = (X^\top X + \rho I)^{-1} X^\top Y}{D = (X' X + rho I)^-1 X' Y},
#' with labels as they are and no intercept. Each label is one criterion of a decision, weighted by its
#' entropy, \eqn{T_{fl} = H(l)\, D_{fl}}{T_fl = H(l) D_fl}. With the largest and the smallest value of each criterion,
#' \eqn{t^+_l = \max_f T_{fl}}{t+_l = max over f of T_fl} and \eqn{t^-_l = \min_f T_{fl}}{t-_l = min over f of T_fl},
#' features are ranked by (TOPSIS)
#' \deqn{J(f) = \frac{\|T_f - t^-\|}{\|T_f - t^+\| + \|T_f - t^-\|}.
#' }{J(f) = ||T_f - t-|| / (||T_f - t+|| + ||T_f - t-||).}
#'
#' Coefficients keep their sign, so the feature with the most negative coefficient is the worst, however much it says
#' about the label. `abs = TRUE` uses the sizes of coefficients instead.
#'
#' @param ridge (number above 0) The ridge \eqn{\rho}.
#' @param abs (flag) Whether to use the sizes of coefficients.
#' @inheritParams lrn_mlknn
#' @return `r takes("mfs_mcdm")` Unordered factors with more levels give an error. A constant feature would be an
#'   intercept. It is left out, comes last and has no score (`NA`). Labels that are the same in all rows have entropy 0
#'   and change nothing.
#' @details The minimum of \eqn{\|Y - XD\|_F^2 + \rho \|D\|_F^2}{||Y - X D||_F^2 + rho ||D||_F^2} is computed directly,
#'   for large sparse data by conjugate gradients to a relative residual of \eqn{10^{-13}}{1e-13}, with a warning if
#'   they do not get there. The score itself is a convention: it minimizes nothing.
#'
#'   The published program overwrites the weighted values before it uses them, so that the entropies have no effect
#'   there. Here they have.
#' @references `r papers("Hashemi2020")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_mfs_mcdm(), k = 4)
#' sift_features(help_pages, sel_mfs_mcdm(abs = TRUE), k = 4)
#' @export
sel_mfs_mcdm <- function(ridge = 10, abs = FALSE, scale = c("auto", "zscore", "none")) {
  new_selector("MFS-MCDM", "mfs_mcdm", list(ridge = check_number(ridge, min = 0, above = TRUE, finite = TRUE),
    abs = check_flag(abs), scale = check_choice(scale)))
}

register_selector("mfs_mcdm",
  name = "MFS-MCDM", kinds = "label", needs = "numbers", source = "Hashemi et al. (2020)",
  score = score_scale("share", 0, 1),
  run = function(input, params) {
    x <- divided_numbers(plain_numbers(input$task$x, "zscore", "MFS-MCDM"), params$scale)
    y <- input$task$targets$values[, input$varying, drop = FALSE]
    found <- cpp_score_mfs_mcdm(x, y, params$ridge, params$abs, 0L, input$threads)
    if (!found$settled) warn(c("The ridge regression of MFS-MCDM did not settle, so its scores are not exact.",
      i = "Use {.code scale = \"zscore\"}, or a larger {.arg ridge}."))
    rank_scores(found$score)
  }
)

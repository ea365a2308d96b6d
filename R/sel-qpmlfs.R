#' QPMLFS: weights of all features at once, by quadratic programming
#'
#' Balances relevance and redundancy for all features together, and not step by step:
#' \deqn{\min_x\; \tfrac12 (1 - \alpha)\, x^\top Q x - \alpha\, c^\top x, \quad x \ge 0,\; \textstyle\sum_f x_f = 1,
#' }{minimize over x: (1 - alpha) x' Q x / 2 - alpha c' x,
#' with x >= 0 and sum over f of x_f = 1,}
#' with \eqn{Q_{fs} = I(f; s)}{Q_fs = I(f; s)}, \eqn{Q_{ff} = H(f)}{Q_ff = H(f)} and \eqn{c_f = \sum_l I(f; l)}.
#' Features are ranked by their weight \eqn{x_f}. Often most features have weight 0. These are ranked by the gradient of
#' the objective, which is the cost of giving them a little weight; the smallest comes first.
#'
#' @param alpha Weight of relevance, from 0 (only redundancy) to 1 (only relevance, with the order of [sel_mim()]).
#'   `"auto"` uses \eqn{\bar Q / (\bar Q + \bar c)}{mean(Q) / (mean(Q) + mean(c))}, from the means of all entries, which
#'   puts both parts on one scale. With many labels \eqn{c} is large, and 0.5 gives all weight to few features. `"auto"`
#'   spreads it.
#' @return `r takes("qpmlfs")` They add up to 1 over all features.
#' @details If \eqn{Q} has a negative eigenvalue, its absolute value is added to the diagonal. Then the minimum is
#'   unique up to features with the same information. The objective is within \eqn{10^{-12}}{1e-12} of the minimum, or
#'   within this relative error if that is larger.
#'
#'   The matrix takes 8 bytes for each pair of features. With more than 5,000 features, only the rows of features that
#'   have or get weight are computed when they are needed, and at most 2 GB of them are kept. The weights then solve
#'   the same program if \eqn{Q} has no negative eigenvalue, which is not checked; otherwise they are those of a local
#'   minimum. With `alpha = 0.5` few features get weight, and this is fast. `"auto"` needs the means of the whole
#'   matrix, and keeps it up to 20,000 features (3.2 GB).
#'
#'   Rodriguez-Lujan et al. (2010) approximate \eqn{Q} from a sample of its columns instead (Nystroem). If features
#'   share little information, as words do, that loses the diagonal of all features outside the sample.
#' @references `r papers("LimLeeKim2015")`
#'
#'   Rodriguez-Lujan, Huerta, Elkan and Santa Cruz (2010). Quadratic programming feature selection. Journal of Machine
#'   Learning Research 11, 1491-1516.
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_qpmlfs(), k = 4)
#' sift_features(help_pages, sel_qpmlfs("auto"), k = 4)
#' @export
sel_qpmlfs <- function(alpha = 0.5) {
  if (!identical(alpha, "auto") && (!is_number(alpha) || alpha < 0 || alpha > 1)) {
    abort_value(alpha, "a number from 0 to 1 or {.val auto}")
  }
  new_selector("QPMLFS", "qpmlfs", list(alpha = alpha))
}

register_selector("qpmlfs",
  name = "QPMLFS", kinds = c("label", "class"), needs = "codes", source = "Lim et al. (2015)", weights = TRUE,
  unknown = TRUE, score = score_scale("share", 0, 1),
  run = function(input, params) {
    alpha <- if (identical(params$alpha, "auto")) NA_real_ else params$alpha
    most <- if (is.na(alpha)) most_pairwise_features else most_kept_features
    bytes <- if (ncol(input$task$x) > most) 2^31 else NA_real_
    minimum <- cpp_select_qpmlfs(core_rows(input), alpha, bytes, input$threads)
    rank_scores(minimum$weight, ifelse(minimum$weight == 0, -minimum$gradient, 0))
  }
)

# Above these limits the matrix of all pairs is not kept, to save memory, and because computing rows on demand is
# faster.
most_pairwise_features <- 20000L
most_kept_features <- 5000L

#' QPMLFS: weights of all features at once, by quadratic programming
#'
#' Weighs relevance against redundancy for all features together, rather than one after the other:
#' \deqn{\min_x\; \tfrac12 (1 - \alpha)\, x^\top Q x - \alpha\, c^\top x, \quad x \ge 0,\; \textstyle\sum_f x_f = 1,}
#' with \eqn{Q_{fs} = I(f; s)}, \eqn{Q_{ff} = H(f)} and \eqn{c_f = \sum_l I(f; l)}. Features are ranked by their weight
#' \eqn{x_f}; those of weight 0, often most of them, by how little a first share of weight would cost (the gradient of
#' the objective).
#'
#' @param alpha How much relevance counts, from 0 (only redundancy) to 1 (only relevance: the order of [sel_mim()]).
#'   `"auto"`: \eqn{\bar Q / (\bar Q + \bar c)} from the means of all entries, which puts both parts on one scale. With
#'   many labels \eqn{c} is large and 0.5 spends all weight on few features; `"auto"` spreads it.
#' @return A selector for [sift_features()]; needs labels or classes (numeric targets through `target_bins`) and
#'   discrete features (continuous ones are cut first). Scores are weights, which add up to 1 over all features.
#' @details Where \eqn{Q} has a negative eigenvalue its size is added to the diagonal, so that the minimum is the only
#'   one up to features that say the same. The objective is within \eqn{10^{-12}} of it, relative where that is larger.
#'
#'   The matrix takes 8 bytes for each pair of features, 3.2 GB for 20,000. Above that number only the rows of features
#'   that have or get weight are computed, when they are needed, and at most 2 GB of them are kept. The weights solve
#'   the same program where \eqn{Q} has no negative eigenvalue (none is looked for); else they are those of a local
#'   minimum. With `alpha = 0.5` few features get weight and this is fast; `"auto"`, for its means, computes every row
#'   once, and again what it cannot keep. Rodriguez-Lujan et al. (2010) approximate \eqn{Q} from a sample of its columns
#'   instead (Nystroem); between features that say little of each other, as words do, that loses the diagonal of all
#'   that are not in the sample.
#' @references
#' Lim, Lee and Kim (2015). Convex optimization approach for multi-label feature selection based on mutual information.
#' IEICE Transactions on Information and Systems E98-D, 197-200.
#'
#' Rodriguez-Lujan, Huerta, Elkan and Santa Cruz (2010). Quadratic programming feature selection. Journal of Machine
#' Learning Research 11, 1491-1516.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 8, n_targets = 3)
#' sift_features(task, sel_qpmlfs(), k = 4)
#' sift_features(task, sel_qpmlfs("auto"), k = 4)
#' @export
sel_qpmlfs <- function(alpha = 0.5) {
  if (!identical(alpha, "auto") && (!is.numeric(alpha) || length(alpha) != 1L || is.na(alpha) || alpha < 0 || alpha > 1)) {
    found <- describe(alpha)
    abort(c("{.arg alpha} must be a number from 0 to 1 or {.val auto}.", x = "It is {found}."))
  }
  new_selector("QPMLFS", "qpmlfs", list(alpha = alpha))
}

register_selector("qpmlfs",
  constructor = "sel_qpmlfs()", name = "QPMLFS", kinds = c("label", "class"), needs = "codes", source = "Lim et al. (2015)",
  run = function(input, params) {
    alpha <- if (identical(params$alpha, "auto")) NA_real_ else params$alpha
    bytes <- if (ncol(input$task$x) > most_pairwise_features) 2^31 else NA_real_
    minimum <- cpp_select_qpmlfs(input$task$x, input$cuts, input$right, coded_targets(input$task), alpha, bytes, input$threads)
    rank_scores(minimum$weight, ifelse(minimum$weight == 0, -minimum$gradient, 0))
  }
)

# Above it the matrix of all pairs is not kept.
most_pairwise_features <- 20000L

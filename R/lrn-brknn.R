#' BR-kNN: the share of neighbors that have a label or category
#'
#' The score of a label is the share of a row's nearest training rows that have it, \eqn{\psi_l = C(l) / k}. This is the
#' \eqn{k}-nearest-neighbor rule for each label, with one search for all labels. [lrn_mlknn()] uses the same neighbors,
#' but learns what their counts mean. Distances, ties and factors are treated as in [lrn_mlknn()].
#'
#' Where labels are [unknown][unknown_labels], the score is the share of those neighbors in which the label is known. If
#' it is known in none of them, the score is its share of all training rows in which it is known.
#'
#' For class targets, this is the \eqn{k}-nearest-neighbor rule: the score of a category is the share of neighbors that
#' have it, and the response is the category of most neighbors (of equal ones the first level).
#'
#' # Predicted labels
#' A label is predicted if its score is at least the threshold, 0.5 by default. So with an even number of neighbors, a
#' label that exactly half of them have is predicted. Mulan adds \eqn{1 / N} to each count and \eqn{q / N} to their
#' number, with \eqn{N} training rows and \eqn{q} labels. The score of such a label is then below 0.5 if there are more
#' than two labels, and it is not predicted. With an odd number of neighbors, both predict the same labels, unless there
#' are more labels than training rows.
#'
#' The variants change the response, not the scores:
#' * `"a"` predicts the label with the largest score if no score reaches the threshold.
#' * `"b"` predicts as many labels as the neighbors have on average (halves are rounded up), those with the largest
#'   scores. The threshold is not used.
#'
#' Of equal scores the first label is taken; Mulan draws one at random. For class targets the variants do not matter.
#'
#' @param neighbors (count) Number of neighbors. If there are fewer training rows, all of them are used, with a warning.
#' @inheritParams lrn_mlknn
#' @param variant `"plain"`, or one of the variants for rows where few labels reach the threshold, see Predicted labels.
#'   Results show them as BR-kNN-a and BR-kNN-b.
#' @return `r learns("brknn")`
#' @references `r papers("Spyromitros2008")`
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_brknn(), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_brknn <- function(neighbors = 3, scale = c("auto", "zscore", "none"), variant = c("plain", "a", "b")) {
  params <- list(neighbors = check_count(neighbors), scale = check_choice(scale))
  variant <- check_choice(variant)
  if (variant == "plain") return(new_learner("BR-kNN", "brknn", params))
  new_learner(paste0("BR-kNN-", variant), "brknn", c(params, variant = variant))
}

score_brknn <- function(state, query, params, prefixes, threads) {
  scores <- cpp_brknn_scores(state$x, query, state$nominal, state$y, state$neighbors,
    as.integer(prefixes), threads)
  lapply(scores, function(score) {
    if (is.null(params$variant)) return(list(score = score))
    number <- match(params$variant, c("a", "b"))
    of_each <- if (!is.list(state$y)) state$neighbors else 0L
    list(score = score, response = cpp_brknn_response(score, of_each, number, params$threshold))
  })
}

register_for_classes("brknn",
  name = "BR-kNN", source = "Spyromitros et al. (2008)", unknown = TRUE, joint = TRUE,
  fit = fit_neighbors, predict = neighbor_predict(score_brknn), curve = TRUE,
  subsets = neighbor_subsets(FALSE, score_brknn)
)

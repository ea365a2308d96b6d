#' ML-kNN: nearest neighbors and Bayes' rule
#'
#' For each label \eqn{l}, counts how many of a row's \eqn{k} nearest training rows have it, \eqn{C(l)}. The score is
#' the probability of the label given this count:
#' \deqn{\psi_l = \frac{P(H_l) P(C|H_l)}{P(H_l) P(C|H_l) + P(\neg H_l) P(C|\neg H_l)},
#'   \quad P(H_l) = \frac{s + n_l}{2s + N},
#'   \quad P(j|H_l) = \frac{s + c_l[j]}{s(k+1) + \sum_p c_l[p]},
#' }{psi_l = P(H_l) P(C|H_l) / (P(H_l) P(C|H_l) + P(not H_l) P(C|not H_l)),
#' P(H_l) = (s + n_l) / (2 s + N),
#' P(j|H_l) = (s + c_l[j]) / (s (k + 1) + sum over p of c_l[p]),}
#' where \eqn{n_l} of the \eqn{N} training rows have the label, and \eqn{c_l[j]} of these have exactly \eqn{j} rows with
#' the label among their \eqn{k} nearest other training rows. The terms with \eqn{\neg H_l}{not H_l} are the same for
#' the rows without the label. A row is never its own neighbor.
#'
#' Distances are Euclidean. At equal distances, the earlier row is nearer. Logicals and factors with two levels count as
#' 0 and 1, and ordered factors as their level numbers. A difference in any other factor adds 1 to the squared distance.
#' A label that no training row has scores 0. A label that all have scores 1. With `smoothing = 0`, the score is
#' \eqn{P(H_l)} where the rule has 0/0, because no training row has the count \eqn{C(l)}.
#'
#' Where labels are [unknown][unknown_labels], neighbors are found among all rows. \eqn{N}, \eqn{n_l}, \eqn{C(l)} and
#' \eqn{c_l} then count the rows in which label \eqn{l} is known. A row of whose neighbors none knows the label scores
#' \eqn{P(H_l)}, and such training rows are not in \eqn{c_l}. If no row with the label is left in \eqn{c_l}, or none
#' without it, then \eqn{P(C|H_l)} or \eqn{P(C|\neg H_l)}{P(C|not H_l)} is 0/0 with `smoothing = 0`, and all scores of
#' the label are \eqn{P(H_l)}.
#'
#' One search serves all labels. It is exact, keeps sparse features sparse and does not depend on the number of threads.
#'
#' @param neighbors (count) Number of neighbors \eqn{k}. If there are fewer other training rows, all of them are used,
#'   with a warning.
#' @param smoothing (number, 0 or more) The \eqn{s} of the equations. 1 is Laplace smoothing.
#' @param scale `"auto"`, `"zscore"` or `"none"`: how features are scaled, see [feature_scale].
#' @return `r learns("mlknn")`
#' @references `r papers("ZhangZhou2007")`
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_mlknn(neighbors = 7), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_mlknn <- function(neighbors = 10, smoothing = 1, scale = c("auto", "zscore", "none")) {
  new_learner("ML-kNN", "mlknn", list(neighbors = check_count(neighbors),
    smoothing = check_number(smoothing, 0, finite = TRUE), scale = check_choice(scale)))
}

# There is one model for each of the `prefixes`, the numbers of leading features.
count_mlknn <- function(state, prefixes, threads) {
  state$counts <- cpp_mlknn_counts(state$x, state$nominal, state$y, state$neighbors, as.integer(prefixes),
    threads)
  state
}

score_mlknn <- function(state, query, params, prefixes, threads) {
  as_answers(cpp_mlknn_scores(state$x, query, state$nominal, state$y, state$neighbors, params$smoothing, state$counts,
    as.integer(prefixes), threads))
}

register_learner("mlknn",
  name = "ML-kNN", kinds = "label", source = "Zhang & Zhou (2007)", unknown = TRUE, joint = TRUE,
  fit = function(task, params, prefixes, threads) {
    count_mlknn(neighbor_state(task, params, self = TRUE), prefixes, threads)
  },
  predict = neighbor_predict(score_mlknn), curve = TRUE,
  subsets = neighbor_subsets(TRUE, function(state, query, params, prefix, threads) {
    score_mlknn(count_mlknn(state, prefix, threads), query, params, prefix, threads)
  })
)

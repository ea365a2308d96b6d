#' CC-kNN: a classifier chain of nearest neighbors
#'
#' A chain of models, one for each label. Each model predicts by the nearest neighbors. The model of the \eqn{t}-th
#' label in the order \eqn{o_1, \ldots, o_q} uses the features and the labels before it. These are the true labels in
#' the training rows and the predicted ones in the new row,
#' \deqn{D_t(i, j) = \|x_i - x_j\|^2 + \sum_{s < t} [\hat y_{i o_s} \ne y_{j o_s}], \quad \psi_{o_t} = C_t(o_t) / k,
#'   \quad \hat y_{i o_t} = [\psi_{o_t} \ge \mathrm{threshold}],
#' }{D_t(i, j) = ||x_i - x_j||^2 + number of labels o_s, s < t, on which
#' the prediction for row i and the label of row j differ,
#' psi_o_t = C_t(o_t) / k, label o_t if this is at least the threshold,}
#' where \eqn{C_t(l)} of the \eqn{k} nearest training rows have label \eqn{l}. So labels that occur together are
#' predicted together. [lrn_brknn()], which is the same without the sum, cannot do this. But an error early in the chain
#' affects the labels after it. A label that differs counts as much as a feature that differs by 1 after scaling. Labels
#' are never scaled. Distances, ties and factors are treated as in [lrn_mlknn()].
#'
#' @inheritParams lrn_brknn
#' @param chain_order (names or positions of targets) The order of the chain, with each target once. `NULL` draws a
#'   random order from R's generator when the learner is fitted. A benchmark is refused if one of its tasks has other
#'   targets.
#' @return `r learns("cc_knn")` The `threshold` of [predict()][predict.mlmodel] also decides which labels are passed
#'   along the chain, so scores may depend on it.
#' @references `r papers("Read2011")`
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' set.seed(1)
#' model <- fit(lrn_cc_knn(), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#'
#' lrn_cc_knn(chain_order = rev(target_names(pages)))
#' @export
lrn_cc_knn <- function(neighbors = 3, chain_order = NULL, scale = c("auto", "zscore", "none")) {
  new_learner("CC-kNN", "cc_knn", list(neighbors = check_count(neighbors), chain_order = check_chain_order(chain_order),
    scale = check_choice(scale)))
}

check_chain_order <- function(order) {
  if (is.null(order)) return(NULL)
  named <- is.character(order) && !anyNA(order)
  numbered <- is.numeric(order) && all(are_whole(order) & order >= 1)
  if (!(named || numbered) || length(order) == 0L) abort_value(order, "names or positions of targets, or NULL",
    arg = "chain_order")
  if (anyDuplicated(order)) abort(c("{.arg chain_order} must hold each target once.",
    x = "It holds {.val {order[anyDuplicated(order)]}} twice."))
  if (named) as.vector(order) else as.integer(order)
}

# The order as positions of the task's targets. `at`: the names of the learner and the task in a benchmark.
chain_positions <- function(order, targets, at = NULL) {
  positions <- if (is.character(order)) match(order, targets) else match(order, seq_along(targets))
  foreign <- order[is.na(positions)]
  missing <- setdiff(targets, targets[positions])
  if (length(foreign) + length(missing) == 0L) return(positions)
  abort(c("{.arg chain_order} must hold each of the {length(targets)} target{?s} of the task once.",
    x = if (length(foreign) > 0L) "It holds {.val {foreign[1]}}, which is none of them." else
      "It lacks {.val {missing[1]}}.",
    i = if (!is.null(at)) "This is learner {.val {at$name}} and task {.val {at$task}}.",
    i = "With {.code chain_order = NULL} it is drawn at random."))
}

# The order for a model of a task: the one that was given, or a random one.
drawn_order <- function(task, params) {
  if (is.null(params$chain_order)) sample.int(ncol(task$targets))
  else chain_positions(params$chain_order, colnames(task$targets))
}

check_chain_targets <- function(task, params, at) {
  if (!is.null(params$chain_order)) chain_positions(params$chain_order, colnames(task$targets), at)
}

fit_cc_knn <- function(task, params, prefixes, threads) {
  state <- neighbor_state(task, params, self = FALSE)
  state$order <- drawn_order(task, params)
  state
}

score_chain <- function(state, query, params, prefixes, threads) {
  as_answers(cpp_chain_scores(state$x, query, state$nominal, state$y, state$neighbors, state$order, params$threshold,
    as.integer(prefixes), threads))
}

register_learner("cc_knn",
  name = "CC-kNN", kinds = "label", source = "Read et al. (2011)",
  fit = fit_cc_knn, predict = neighbor_predict(score_chain), curve = TRUE, check = check_chain_targets
)

#' Classifier chain of any learner
#'
#' A chain of models, one for each label. The model of the \eqn{t}-th label in the order \eqn{o_1, \ldots, o_q} uses the
#' features and the labels before it as further 0/1 features. These are the true labels in the training rows and the
#' predicted ones in the new row. So labels that occur together are predicted together, but an error early in the chain
#' affects the labels after it.
#'
#' [lrn_cc_knn()] is the chain of [lrn_brknn()], in a fraction of the time. With `scale = "none"` both give the same
#' scores. Otherwise [lrn_chain()] also scales the labels that are features.
#'
#' @param learner (`mllearner`) A learner of labels, such as [lrn_brlr()], [lrn_nb()] or one made by [lrn_binary()].
#'   The chain uses [weights of rows][row_weights()] if it does.
#' @inheritParams lrn_cc_knn
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. It predicts labels. The `threshold` of
#'   [predict()][predict.mlmodel] also decides which labels are passed along the chain, so scores may depend on it.
#' @inherit lrn_cc_knn references
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' set.seed(1)
#' model <- fit(lrn_chain(lrn_nb()), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_chain <- function(learner, chain_order = NULL) {
  check_inner_learner(learner, "label", "labels")
  new_learner(paste("CC", learner$name), "chain", list(learner = learner, chain_order = check_chain_order(chain_order)))
}

fit_chain <- function(task, params, prefixes, threads) {
  labels <- colnames(task$targets)
  order <- drawn_order(task, params)
  y <- label_matrix(task$targets)
  threads <- asked_threads(threads)
  models <- lapply(seq_along(order), function(t) {
    before <- seq_len(t - 1L)
    link <- subset_targets(task, order[t])
    link$x <- add_labels(task$x, y[, order[before], drop = FALSE])
    link$discrete <- c(task$discrete, stats::setNames(rep(TRUE, t - 1L), labels[order[before]]))
    for_label(labels[order[t]], "fitted", fit_prefixes(params$learner, link, ncol(link$x), threads))
  })
  list(models = models, order = order)
}

predict_chain <- function(state, x, params, prefixes, threads) {
  q <- length(state$order)
  threads <- asked_threads(threads)
  score <- matrix(NA_real_, nrow(x), q)
  labels <- vapply(state$models, function(model) model$target_names, "")
  response <- matrix(NA_integer_, nrow(x), q, dimnames = list(NULL, labels[order(state$order)]))
  for (t in seq_len(q)) {
    link <- add_labels(x, response[, state$order[seq_len(t - 1L)], drop = FALSE])
    found <- for_label(labels[t], "predicted", {
      predict_prefixes(state$models[[t]], link, ncol(link), params$threshold, threads)[[1L]]
    })
    response[, state$order[t]] <- found$response
    score[, state$order[t]] <- found$score %||% found$response
  }
  list(list(score = score, response = response))
}

# Features with labels appended as columns, in the same layout.
add_labels <- function(x, labels) {
  if (ncol(labels) == 0L) return(x)
  if (is.data.frame(x)) return(cbind(x, as.data.frame(labels)))
  if (!is_sparse(x)) return(cbind(x, labels))
  methods::as(cbind(with_values(x), as_sparse_numbers(labels)), "CsparseMatrix")
}

register_learner("chain",
  name = "CC (of a learner)", kinds = "label", source = "Read et al. (2011)", weights = of_inner("weights"),
  fit = fit_chain, predict = predict_chain, check = check_chain_targets
)

#' Label powerset with any learner of classes
#'
#' Uses every distinct label set of the training rows as a category of one class target, and predicts this target with a
#' learner of classes. The prediction is always a label set that occurs in the training rows. If the learner gives
#' scores \eqn{P(g)} of the categories, the score of a label is the sum over the sets that have it, \eqn{\psi_l =
#' \sum_{g \ni l} P(g)}{psi_l = sum of P(g) over the classes g with label l}. With `min_count` above 1 (pruned sets),
#' rare label sets are not used, and `rare` determines what happens to their rows, as in [lrn_lp()].
#'
#' [lrn_lp()] is this for nearest neighbors, which breaks ties between sets by the nearest row, and needs less time.
#'
#' @param learner (`mllearner`) A learner of class targets, such as [lrn_nb()], [lrn_brlr()], or one made by
#'   [lrn_custom()]. With `min_count` 1, [weights of rows][row_weights()] are used if it uses them.
#' @inheritParams lrn_lp
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. The response is the label set with the
#'   largest score. The `threshold` of [predict()][predict.mlmodel] is not used. Without scores of the learner, there
#'   are none of the labels. If no label set is frequent enough, fitting gives an error.
#' @references `r papers("TsoumakasKatakis2007", "ReadPfahringerHolmes2008")`
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_powerset(lrn_nb()), pages[1:1000, ])
#' predict(model, new)$response
#' @export
lrn_powerset <- function(learner, min_count = 1, rare = c("discard", "subsets", "A", "B")) {
  check_inner_learner(learner, "class", "classes")
  params <- c(list(learner = learner), rare_set_params(min_count, rare))
  new_learner(paste(if (params$min_count > 1L) "PS" else "LP", learner$name), "powerset", params)
}

fit_powerset <- function(task, params, prefixes, threads) {
  left <- label_set_rows(task, params)
  category <- factor(left$class, levels = seq_along(left$example))
  sets <- label_matrix(task$targets)[left$example, , drop = FALSE]
  classes <- task[left$row, ]
  classes$targets <- new_mltargets(data.frame(set = category), "class")
  threads <- asked_threads(threads)
  list(model = fit_prefixes(params$learner, classes, ncol(classes$x), threads), sets = unname(sets))
}

predict_powerset <- function(state, x, params, prefixes, threads) {
  threads <- asked_threads(threads)
  found <- predict_prefixes(state$model, x, ncol(x), 0.5, threads)[[1L]]
  response <- state$sets[as.integer(found$response), , drop = FALSE]
  if (!is.list(found$score)) return(list(list(response = response)))
  chance <- found$score[[1L]]
  list(list(score = chance %*% state$sets[as.integer(colnames(chance)), , drop = FALSE], response = response))
}

register_learner("powerset",
  name = "LP (of a learner)", kinds = "label", source = "Tsoumakas & Katakis (2007)",
  # Rare sets are found by counting rows.
  weights = function(params) of_inner("weights")(params) && params$min_count <= 1,
  fit = fit_powerset, predict = predict_powerset
)

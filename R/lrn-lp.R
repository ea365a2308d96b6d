#' LP-kNN and PS-kNN: nearest neighbors vote for label sets
#'
#' Uses every distinct label set as a class (label powerset). The \eqn{k} nearest training rows vote for these classes:
#' \deqn{\psi_l = \frac{1}{k} \sum_{g \ni l} v(g), \qquad \hat Y = \arg\max_g v(g),
#' }{psi_l = sum of v(g) over the classes g with label l, divided by k,
#' predicted: the class g with the largest v(g),}
#' where \eqn{v(g)} is the number of neighbors of class \eqn{g}. The prediction is always a label set that occurs in the
#' training rows. If several sets have the most votes, the one with the nearest row is predicted. With `min_count` above
#' 1 (pruned sets), rare label sets are not used as classes, and `rare` determines what happens to their rows. With
#' `min_count = 1`, the scores are those of [lrn_brknn()], but the responses are not. Distances, ties and factors are
#' treated as in [lrn_mlknn()].
#'
#' @param neighbors (count) Number of neighbors. If fewer training rows are left, all of them are used, with a warning.
#' @param min_count (count) A label set is a class if at least this many training rows have it. With 1, all are classes.
#'   (For programs that keep sets that occur *more than* p times, use `min_count` = p + 1.)
#' @param rare What happens to rows with rarer label sets. `"discard"` leaves them out. `"subsets"`, `"A"` and `"B"`
#'   replace them by copies with frequent subsets of their label sets, see [rare_sets()], which also makes objects with
#'   other settings. Each copy is a neighbor, in the order given there.
#' @inheritParams lrn_mlknn
#' @return `r learns("lp")` It is shown as LP-kNN, or as PS-kNN with `min_count` above 1. The response is the set with
#'   the most votes. The `threshold` of [predict()][predict.mlmodel] is not used. If no label set is frequent enough,
#'   fitting gives an error. If only one is, it is always predicted, with a warning.
#' @references `r papers("TsoumakasKatakis2007", "Read2008", "ReadPfahringerHolmes2008")`
#' @family learners
#' @seealso [sel_chi2()] and [sel_trans_mi()], which treat rare label sets in the same way.
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_lp(), pages[1:1000, ])
#' predict(model, new)$response
#'
#' fit(lrn_lp(min_count = 3, rare = "subsets"), pages[1:1000, ])
#' @export
lrn_lp <- function(neighbors = 3, min_count = 1, rare = c("discard", "subsets", "A", "B"),
                   scale = c("auto", "zscore", "none")) {
  params <- c(list(neighbors = check_count(neighbors)), rare_set_params(min_count, rare),
    list(scale = check_choice(scale)))
  new_learner(if (params$min_count > 1L) "PS-kNN" else "LP-kNN", "lp", params)
}

# The training rows of the pruned problem transformation, their classes, and an example row for the label set of each
# class.
label_set_rows <- function(task, params) {
  rare <- core_rare_sets(params)
  left <- cpp_single_label_rows(task$targets$values, rare$min_count, rare$rule, rare$limit, rare$increasing)
  if (length(left$example) == 0L) abort(c("No label set occurs on at least {params$min_count} training rows.",
    i = "Use a smaller {.arg min_count}."))
  left
}

fit_lp <- function(task, params, prefixes, threads) {
  left <- label_set_rows(task, params)
  n_classes <- length(left$example)
  if (n_classes == 1L && params$min_count > 1L) {
    warn("Only one label set occurs on at least {params$min_count} training rows: it is always predicted.")
  }
  all <- identical(left$row, seq_len(nrow(task$x)))
  state <- neighbor_state(task, params, self = FALSE, rows = if (!all) left$row)
  # If every rare set has one subset, all rows are kept, but not with their own label sets.
  if (!all || params$min_count > 1L) state$y <- task$targets$values[left$example[left$class], , drop = FALSE]
  c(state, left["class"], n_classes = n_classes)
}

vote_for_sets <- function(state, query, params, prefixes, threads) {
  cpp_label_set_votes(state$x, query, state$nominal, state$y, state$class, state$n_classes, state$neighbors,
    as.integer(prefixes), threads)
}

register_learner("lp",
  name = "LP-kNN", kinds = "label", source = "Tsoumakas & Katakis (2007)",
  fit = fit_lp, predict = neighbor_predict(vote_for_sets), curve = TRUE
)

#' FIMF: mutual information minus the interaction of informative labels
#'
#' Ranks features by
#' \deqn{J(f) = R(f) - \sum_{l < l' \in Q} I(f; l; l'), \quad R(f) = \sum_l I(f; l),
#' }{J(f) = R(f) - sum over pairs l < l' in Q of I(f; l; l'),
#' R(f) = sum over l of I(f; l),}
#' where \eqn{Q} contains the labels with the highest entropy. This is the first step of [sel_pmu()], with pairs of a
#' few labels only. Where labels are unknown, a pair is used in the rows in which both are known.
#'
#' @param n_labels (count) Number of labels in \eqn{Q}. `NULL` uses 10, or all if there are fewer. The papers do not
#'   state their number.
#' @param n_features (count) Number of features with the highest entropy that are scored. The others come last, with
#'   score `-Inf`, in order of entropy. `NULL` scores all.
#' @inheritParams sel_mim
#' @return `r takes("fimf")`
#' @references `r papers("LeeKim2015b")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_fimf(n_labels = 3), k = 4)
#' @export
sel_fimf <- function(n_labels = NULL, n_features = NULL, base = 2) {
  new_selector("FIMF", "fimf", list(n_labels = check_count(n_labels, null = TRUE),
    n_features = check_count(n_features, null = TRUE), base = check_base(base)))
}

register_selector("fimf",
  name = "FIMF", kinds = "label", needs = "codes", source = "Lee & Kim (2015)", weights = TRUE, unknown = TRUE,
  score = information_scale(-Inf), counts = "label pairs",
  run = function(input, params) {
    rows <- core_rows(input)
    d <- length(input$names)
    n_features <- params$n_features %||% d
    if (n_features > d) abort(c("{.arg n_features} must be at most the number of features, {d}.",
      x = "It is {n_features}."))
    targets <- cpp_rows_targets(rows)
    # In decreasing order of entropy: it is the same for c of n rows and for n - c.
    labels <- order(-pmin(targets$with, targets$known - targets$with) / targets$known, method = "radix")
    labels <- labels[targets$with[labels] > 0]
    n_labels <- usable_labels(params$n_labels %||% min(few_labels, length(labels)), length(labels))
    facts <- cpp_relevance(rows, FALSE, input$threads)
    few <- sort(utils::head(labels, n_labels))
    bits <- facts[, 2L] - label_pair_scores(input, "interaction", few)
    bits[order(-facts[, 1L], method = "radix")[seq_len(d) > n_features]] <- -Inf
    rank_scores(in_base(bits, params$base), facts[, 1L])
  }
)

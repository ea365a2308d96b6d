#' EBLS: mutual information with the labels of highest entropy
#'
#' Like [sel_mim()], but the mutual information is computed for some of the labels only. The other labels enter through
#' an upper bound, which needs no counts:
#' \deqn{J(f) = \sum_{l \in Y} I(f; l) + \sum_{l \notin Y} \min\{H(f), H(l)\}.}{J(f) = sum over l in Y of I(f; l)
#' + sum over l not in Y of min(H(f), H(l)).}
#' If labels are [unknown][unknown_labels] in some rows, the term of a label, and its place in the order of entropies,
#' come from the rows in which this label is known.
#'
#' @param n_labels (count) Number of labels in \eqn{Y}. `NULL` uses `prop_labels`. If the number is larger than the
#'   number of labels, all are used, with a warning.
#' @param prop_labels (number) Share of the labels that occur, rounded (halves up), and at least one label.
#' @param which Whether \eqn{Y} contains the labels with the largest entropy (the method of the paper) or the smallest
#'   (its control experiment). Labels with equal entropy are used in column order.
#' @inheritParams sel_mim
#' @return `r takes("ebls")` With all labels in \eqn{Y} it is MIM-BR.
#' @references `r papers("LeeKim2016, Algorithm 1")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_ebls(prop_labels = 0.3), k = 4)
#' @export
sel_ebls <- function(n_labels = NULL, prop_labels = 0.2, which = c("largest", "smallest"), base = 2) {
  params <- list(n_labels = check_count(n_labels, null = TRUE), prop_labels = check_number(prop_labels, 0, 1),
    which = check_choice(which), base = check_base(base))
  new_selector(if (params$which == "largest") "EBLS" else "EBLS-smallest", "ebls", params)
}

register_selector("ebls",
  name = "EBLS", kinds = "label", needs = "codes", source = "Lee & Kim (2016)", weights = TRUE, unknown = TRUE,
  score = information_scale(),
  run = function(input, params) {
    rows <- core_rows(input)
    occurring <- cpp_rows_targets(rows)$n_labels
    n_labels <- params$n_labels %||% min(occurring, max(1, whole_part(params$prop_labels * occurring + 0.5)))
    n_labels <- usable_labels(n_labels, occurring)
    bits <- cpp_score_ebls(rows, n_labels, params$which == "largest", input$threads)
    rank_scores(in_base(bits, params$base), input = input)
  },
  counts = "targets"
)

# How many of the labels that occur are chosen.
usable_labels <- function(n_labels, occurring) {
  if (n_labels > occurring) warn(c(
    "{.arg n_labels} is larger than the number of labels that occur; all {occurring} are used.",
    x = "It is {n_labels}."
  ))
  min(n_labels, occurring)
}

#' Chi-square, or scores from information, after a problem transformation
#'
#' The transformation replaces every row by rows with a single class each. Features are then ranked by their chi-square
#' statistic, or their mutual information, with that class.
#' \deqn{J_{\chi^2}(f) = \sum_{v, c} \frac{(O_{vc} - E_{vc})^2}{E_{vc}},
#'   \quad E_{vc} = \frac{O_{v \cdot} O_{\cdot c}}{O_{\cdot \cdot}},
#'   \qquad J_{MI}(f) = \sum_{v, c} \frac{O_{vc}}{O_{\cdot \cdot}}
#'     \log \frac{O_{vc} O_{\cdot \cdot}}{O_{v \cdot} O_{\cdot c}},
#' }{J_chi^2(f) = sum over v, c of (O_vc - E_vc)^2 / E_vc,
#' E_vc = O_v. O_.c / O_..,
#' J_MI(f) =
#' sum over v, c of O_vc / O_.. log(O_vc O_.. / (O_v. O_.c)),}
#' where \eqn{O_{vc}}{O_vc} is the (weighted) number of rows with level \eqn{v} and class \eqn{c}.
#'
#' With the entropies \eqn{H} of the feature and of the class \eqn{C} in the same rows, `score` divides the mutual
#' information: the gain ratio is \eqn{J_{MI}(f) / H(f)}{J_MI(f) / H(f)}, and the symmetrical uncertainty \eqn{2
#' J_{MI}(f) / (H(f) + H(C))}{2 J_MI(f) / (H(f) + H(C))}. Both make up for the advantage of features with many levels.
#' They are from 0 to 1 and do not depend on `base`.
#'
#' `sel_igmf()` is IGMF, the symmetrical uncertainty of the feature and the label set. It is
#' `sel_trans_mi("lp", score = "symmetric")` under the name that papers use.
#'
#' Targets may also be classes. Each category of each target then counts as a label, so a row has as many labels as
#' there are targets. With a single target, all transformations except `"ppt"` give the statistic of the target itself,
#' the usual chi-square or mutual information. With several targets, `"lp"` and `"ppt"` use the combination of
#' categories.
#'
#' @param transform How a row with label set \eqn{\Lambda} is transformed:
#'   * `"ela"` (entropy-based assignment): one row for each label, with weight \eqn{1 / |\Lambda|};
#'   * `"ala"` (all): one row for each label, with weight 1;
#'   * `"nla"` (none): the row itself if it has exactly one label, otherwise no row;
#'   * `"lla"`, `"sla"` (largest, smallest): one row with its most, or least, frequent label (ties: the first column);
#'   * `"lp"` (label powerset): the class is the label set, including the empty one;
#'   * `"ppt"` (pruned problem transformation): as `"lp"`, for the label sets of at least `min_count` rows.
#'
#'   Except for `"lp"` and `"ppt"`, rows without labels are left out.
#' @param min_count (count) For `"ppt"`: label sets of at least this many rows are kept. (For programs that keep sets
#'   that occur *more than* p times, use `min_count` = p + 1.)
#' @param rare For `"ppt"`: what happens to rows with rarer label sets. `"discard"` leaves them out. `"subsets"`, `"A"`
#'   and `"B"` replace them by rows with frequent subsets of their label sets, see [rare_sets()], which also makes
#'   objects with other settings.
#' @param base (number) Base of the logarithm: 2 for bits.
#' @param score The score of a feature: its mutual information with the class (`"mi"`), the gain ratio, or the
#'   symmetrical uncertainty. Results show `"gain-ratio"` as PPT+GR, and `"symmetric"` as PPT+SU.
#' @return `r takes("chi2", "trans_mi", "igmf")` It is an error if fewer than two label sets are frequent enough.
#'   Chi-square is not corrected for continuity or degrees of freedom, so features with more levels score higher, as in
#'   the papers.
#' @references `r papers("Gain ratio" = "Quinlan1993", "Symmetrical uncertainty" = "Press1988, section 13.6")`
#'
#' `r papers("Chen2007", "Trohidis2008", "Read2008", "ReadPfahringerHolmes2008", "DoquireVerleysen2011")`
#'
#' `r papers(IGMF = "Li2014")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_chi2(), k = 4)
#' sift_features(help_pages, sel_trans_mi("ppt", min_count = 10), k = 4)
#' sift_features(help_pages, sel_igmf(), k = 4)
#' @export
sel_chi2 <- function(transform = c("ela", "ala", "nla", "lla", "sla", "lp", "ppt"), min_count = 6,
                     rare = c("discard", "subsets", "A", "B")) {
  transformed_selector("CHI", "chi2", check_choice(transform), min_count, rare)
}

#' @rdname sel_chi2
#' @export
sel_trans_mi <- function(transform = c("ppt", "ela", "ala", "nla", "lla", "sla", "lp"), min_count = 6,
                         rare = c("discard", "subsets", "A", "B"), base = 2,
                         score = c("mi", "gain-ratio", "symmetric")) {
  transform <- check_choice(transform)
  score <- check_choice(score)
  more <- c(list(base = check_base(base)), if (score != "mi") list(score = score))
  statistic <- c(mi = "MI", "gain-ratio" = "GR", symmetric = "SU")[[score]]
  transformed_selector(statistic, "trans_mi", transform, min_count, rare, more)
}

#' @rdname sel_chi2
#' @export
sel_igmf <- function() new_selector("IGMF", "igmf")

transformed_selector <- function(statistic, method, transform, min_count, rare, more = list()) {
  params <- c(list(transform = transform), rare_set_params(min_count, rare), more)
  new_selector(paste0(toupper(transform), "+", statistic), method, params)
}

# `statistic`: 0 chi-square, 1 mutual information, 2 gain ratio, 3 symmetrical uncertainty.
run_transformed <- function(input, params, statistic) {
  rare <- core_rare_sets(params)
  result <- cpp_score_transformed(
    core_rows(input, if (task_kind(input$task) == "class") category_labels(input$task$targets)$values), statistic,
    match(params$transform, c("ala", "nla", "lla", "sla", "ela", "lp", "ppt")) - 1L,
    rare$min_count, rare$rule, rare$limit, rare$increasing, count_weight(input$weights), input$threads
  )
  if (result$entries == 0L) abort(if (params$transform == "nla")
    c("No row has exactly one label.", i = "Use another transformation, such as {.val ela}.")
  else c("No label set occurs on at least {params$min_count} rows.",
    i = "Use a smaller {.arg min_count}, or another transformation."))
  if (result$classes == 1L) refuse_ranking("The transformation leaves one class only.",
    if (params$transform == "ppt") "Use another transformation, or a smaller {.arg min_count}."
    else "{.code transform = \"lp\"} keeps rows without labels: for a single label, it gives the usual statistic.")
  result$score
}

register_selector("chi2",
  name = "ELA+CHI", kinds = c("label", "class"), needs = "codes", source = "Chen et al. (2007)", weights = TRUE,
  counts = "label sets", score = score_scale("chi-square"),
  run = function(input, params) rank_scores(run_transformed(input, params, 0L))
)

register_selector("trans_mi",
  name = "PPT+MI", kinds = c("label", "class"), needs = "codes", source = "Doquire & Verleysen (2011)",
  weights = TRUE, counts = "label sets",
  score = function(params) if (is.null(params$score)) information_scale()(params) else score_scale("share", 0, 1),
  run = function(input, params) {
    if (is.null(params$score)) return(rank_scores(in_base(run_transformed(input, params, 1L), params$base)))
    rank_scores(run_transformed(input, params, match(params$score, c("gain-ratio", "symmetric")) + 1L))
  }
)

register_selector("igmf",
  name = "IGMF", kinds = c("label", "class"), needs = "codes", source = "Li et al. (2014)", weights = TRUE,
  counts = "label sets", score = score_scale("share", 0, 1),
  run = function(input, params) rank_scores(run_transformed(input, sel_trans_mi("lp")$params, 3L))
)

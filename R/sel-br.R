#' BR+CC: summed correlation with the labels
#'
#' Ranks features by the sum over labels of Pearson's correlation with the label,
#' \deqn{J(f) = \sum_l |r(f, l)|.}{J(f) = sum over l of |r(f, l)|.}
#'
#' For an unordered factor with more than two levels, each label uses the largest correlation with the indicator of any
#' level. A constant feature or label has correlation 0. Weights of rows enter the moments, and the correlation with a
#' label that is unknown in some rows is that of the other rows.
#'
#' @param abs (flag) Whether to sum absolute values. `FALSE` sums signed correlations. Then a feature with positive
#'   correlation with some labels and negative correlation with others may score 0.
#' @return `r takes("br_cc")`
#' @references `r papers("Jungjit2013", "Also compared in" = "LeeKim2016")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_br_cc(), k = 4)
#' @export
sel_br_cc <- function(abs = TRUE) new_selector("BR+CC", "br_cc", list(abs = check_flag(abs)))

register_selector("br_cc",
  name = "BR+CC", kinds = "label", needs = "numbers", source = "Jungjit et al. (2013)", weights = TRUE,
  unknown = TRUE, score = function(params) score_scale("correlation", if (isFALSE(params$abs)) -Inf else 0),
  run = function(input, params) {
    check_weight_range(input$task)
    rank_scores(summed_correlations(input$task, params$abs, input$threads))
  }
)

# Sums over labels, each on the rows in which it is known.
summed_correlations <- function(task, absolute, threads) {
  numbers <- numeric_features(task)
  cpp_score_correlation(numbers$x, nominal_levels(task, numbers), coded(task$targets), task$rows$weights, absolute,
    threads)
}

# Number of levels of each unordered factor with more than two levels, 0 for numeric columns.
nominal_levels <- function(task, numbers) {
  levels <- integer(ncol(task$x))
  levels[numbers$nominal] <- vapply(which(numbers$nominal), function(f) nlevels(task$x[[f]]), 0L)
  levels
}

#' BR+OR: summed odds ratio with the labels
#'
#' Ranks features by
#' \deqn{J(f) = \sum_l \Bigl| \log \frac{(a + h)(e + h)}{(b + h)(c + h)} \Bigr|,
#' }{J(f) = sum over l of |log((a + h) (e + h) / ((b + h) (c + h)))|,}
#' where \eqn{a, b, c, e} count the rows with feature and label, feature only, label only, and neither. For a feature
#' with more than two levels, each label uses the largest term of any level against the others.
#'
#' The sum favors rare features: a feature that is present in a single row can outscore a perfect copy of a label. The
#' published method has this property, and does poorly in comparisons. `weights = "prior"` reduces the effect.
#'
#' @param smoothing (number, 0 or more) The number \eqn{h} added to each cell of every table (0.5: the Haldane-Anscombe
#'   correction).
#' @param type `"log"`: as above. `"raw"`: the sum of the odds ratios themselves.
#' @param weights `"none"`: as above. `"prior"`: each term is multiplied by the share of rows that have the label.
#' @return `r takes("br_or")` Constant features and labels add 0.
#' @references `r papers("Chen2009")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_br_or(), k = 4)
#' @export
sel_br_or <- function(smoothing = 0.5, type = c("log", "raw"), weights = c("none", "prior")) {
  new_selector("BR+OR", "br_or", list(smoothing = check_number(smoothing, min = 0, max = 1e6),
    type = check_choice(type), weights = check_choice(weights)))
}

register_selector("br_or",
  name = "BR+OR", kinds = "label", needs = "codes", source = "Chen et al. (2009)", weights = TRUE, unknown = TRUE,
  score = function(params) score_scale(if (identical(params$type, "raw")) "odds ratio" else "log odds ratio"),
  run = function(input, params) rank_scores(odds_ratio(FALSE, input, params)),
  counts = "targets",
  by_target = function(input, params) odds_ratio(TRUE, input, params)
)

# `smoothing` is added to row counts, one of which may stand for a weight other than 1.
odds_ratio <- function(by_target, input, params) {
  smoothing <- params$smoothing / count_weight(input$weights)
  cpp_score_odds_ratio(core_rows(input), smoothing, params$type == "raw", params$weights == "prior", by_target,
    input$threads)
}

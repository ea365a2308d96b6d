#' ML-CFS: correlation-based selection for many labels
#'
#' Adds one feature at a time. Each step adds the feature that gives the set \eqn{S} of \eqn{k} features the largest
#' merit,
#' \deqn{\mathrm{Merit}(S) = \frac{k\, \overline{r_{FL}}}{\sqrt{k + k (k - 1) \overline{r_{FF}}}},
#' }{Merit(S) = k r_FL / sqrt(k + k (k - 1) r_FF),}
#' where \eqn{\overline{r_{FL}}}{r_FL} is the mean absolute correlation \eqn{|r(f, l)|} (Pearson) between the features
#' of \eqn{S} and the labels, and \eqn{\overline{r_{FF}}}{r_FF} is that between pairs of features in \eqn{S}. The first
#' feature is that of [sel_br_cc()]. Later steps avoid redundant features.
#'
#' The correlation of an unordered factor with more than two levels is the largest correlation of the indicator of any
#' level. The same holds for categorical targets. A constant has correlation 0. Labels that no row has are left out.
#' Weights of rows enter the moments of all correlations. The correlation with a target that is unknown in some rows is
#' that of the other rows.
#'
#' @param stop `"none"` adds features until there are `k`. `"decrease"` stops when no feature raises the merit, but not
#'   before the first feature.
#' @return `r takes("ml_cfs")` The score of a feature is the merit of the set when the feature was added, so scores
#'   first rise and then fall.
#' @details Each step costs one pass over the nonzero values. Merits are sums of real numbers. If two merits are equal
#'   up to rounding, permuting the rows may change the order of the features.
#' @references `r papers("Jungjit2013")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_ml_cfs(), k = 4)
#' sift_features(help_pages, sel_ml_cfs(stop = "decrease"))
#' @export
sel_ml_cfs <- function(stop = c("none", "decrease")) new_selector("ML-CFS", "ml_cfs", list(stop = check_choice(stop)))

run_ml_cfs <- function(input, params, state = NULL, begin = input$include) {
  task <- input$task
  check_weight_range(task)
  numbers <- numeric_features(task)
  label <- task_kind(task) == "label"
  relevance <- if (label) summed_correlations(task, TRUE, input$threads) else target_correlations(task, input$threads)
  path <- cpp_select_ml_cfs(numbers$x, nominal_levels(task, numbers), relevance, n_occurring(task$targets),
    task$rows$weights, params$stop == "decrease", greedy_options(input, begin), state$sums, input$threads)
  greedy_result(input, path, begin)
}

# summed_correlations() of targets of other kinds.
target_correlations <- function(task, threads) {
  known_sum(task, function(part) {
    numbers <- numeric_features(part)
    class <- task_kind(part) == "class"
    targets <- if (class) coded(part$targets) + 0 else part$targets$values
    levels <- if (class) vapply(part$targets$values, nlevels, 0L) else integer(ncol(part$targets))
    cpp_correlation_sums(numbers$x, nominal_levels(part, numbers), targets, levels, part$rows$weights, threads)
  })
}

register_selector("ml_cfs",
  name = "ML-CFS", kinds = target_kinds, needs = "numbers", gives = "path",
  source = "Jungjit et al. (2013)", weights = TRUE, unknown = TRUE, run = run_ml_cfs,
  score = score_scale("correlation", 0, 1)
)

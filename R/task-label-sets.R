# Label sets as one class, for methods that handle a single target.

# The rows whose label sets occur on at least `min_count` rows, and the sets numbered from 1 without gaps: list(rows,
# classes).
frequent_label_sets <- function(task, min_count, advice) {
  number <- label_set_numbers(task$targets)
  # With 1, all sets are wanted, even those with a smaller weight.
  weighted <- !is.null(task$rows$weights) && min_count > 1L
  count <- if (weighted) as.vector(rowsum(task$rows$weights, number)) else tabulate(number)
  rows <- which(count[number] >= min_count)
  if (length(rows) == 0L) abort(c("No label set occurs on at least {min_count} rows.",
    x = "The most frequent one occurs on {max(count)}.", i = advice))
  list(rows = rows, classes = match(number[rows], sort(unique(number[rows]))))
}

#' What happens to rows with rare label sets
#'
#' The argument `rare` of [sel_chi2()], [sel_trans_mi()], [lrn_lp()] and [lrn_powerset()] takes the name of a rule. An
#' object made by `rare_sets()` has the settings of the rule too.
#'
#' Rows whose label sets occur on fewer than `min_count` rows are replaced by one copy for each of some frequent subsets
#' of their label set. Larger subsets come first, then more frequent ones. A row without such a subset is left out.
#'
#' @param rule Which subsets:
#'   * `"subsets"`: a family of disjoint frequent subsets;
#'   * `"A"`: the `limit` largest frequent subsets;
#'   * `"B"`: all frequent subsets with more than `limit` labels.
#' @param limit (count) For `"A"`: the largest number of subsets. For `"B"`: the number of labels that subsets must
#'   exceed.
#' @param order For `"subsets"`: search for large subsets first (`"decreasing"`), or for small subsets first
#'   (`"increasing"`). Among subsets of equal size, `"decreasing"` takes the more frequent one first, then the one that
#'   comes first in column order. `"increasing"` takes them in the order in which Mulan lists subsets, whatever their
#'   frequency: of two subsets, compared at the first label that only one of them has, the one without it comes first.
#' @return An object for the argument `rare`.
#' @references `r papers("ReadPfahringerHolmes2008")`
#' @examples
#' sel_chi2("ppt", min_count = 3, rare = rare_sets("A", limit = 1))
#' lrn_lp(min_count = 3, rare = "subsets")
#' @export
rare_sets <- function(rule = c("subsets", "A", "B"), limit = 2, order = c("decreasing", "increasing")) {
  rule <- check_choice(rule)
  odd <- if (rule == "subsets" && !missing(limit)) "limit" else if (rule != "subsets" && !missing(order)) "order"
  if (!is.null(odd)) abort(c("{.arg {odd}} must be left out for the rule {.val {rule}}.",
    i = "{.arg limit} is for {.val A} and {.val B}, {.arg order} is for {.val subsets}."))
  new_rare_sets(rule, check_count(limit), check_choice(order))
}

new_rare_sets <- function(rule, limit = 2L, order = "decreasing") {
  new_settings("mlrare", list(rule = rule, limit = limit, order = order))
}

rare_rules <- c("discard", "subsets", "A", "B")

# The checked arguments for rare label sets. `rare` remains a name if its settings are the defaults.
rare_set_params <- function(min_count, rare) {
  min_count <- check_count(min_count)
  if (!inherits(rare, "mlrare")) rare <- check_choice(rare, rare_rules)
  else if (identical(rare, new_rare_sets(rare$rule))) rare <- rare$rule
  list(min_count = min_count, rare = rare)
}

# The same in the form that the core takes: the smallest count, the number of the rule, and its settings.
core_rare_sets <- function(params) {
  rare <- if (is.character(params$rare)) new_rare_sets(params$rare) else params$rare
  list(min_count = params$min_count, rule = match(rare$rule, rare_rules) - 1L, limit = rare$limit,
    increasing = rare$order == "increasing")
}

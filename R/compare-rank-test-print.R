#' @export
print.mlranktest <- function(x, digits = 3, ...) {
  digits <- check_count(digits, min = 0, max = 15)
  cat("<mlranktest> ", rank_test_title(x), "\n", rank_test_global(x), "\n",
    agreement_label(x), " (agreement of the datasets on the ranks, 0 to 1)\n", rank_test_posthoc(x), "\n\n", sep = "")
  print(rank_test_table(x, digits), row.names = FALSE, right = TRUE)
  if (!is.null(x$control)) cat("\n", effect_note(x), "\n", sep = "")
  if (is.null(x$control)) {
    cat("\n", if (length(x$groups)) "Groups that do not differ:" else "Every two methods differ.", "\n", sep = "")
    for (group in x$groups) cat(strwrap(paste(group, collapse = ", "), indent = 2, exdent = 4), sep = "\n")
    if (x$posthoc != "nemenyi") print_pairs(x$comparisons, digits)
  }
  invisible(x)
}

rank_test_title <- function(x, measure = x$measure) {
  what <- if (is.null(measure)) "mean ranks" else paste0(measure, test_at_label(x))
  paste0(what, ": ", x$n_methods, " methods, ", x$n_datasets, " datasets")
}

test_at_label <- function(x) {
  if (x$posthoc == "wilcoxon-holm") at_label(x$at, ", mean over the grid") else at_label(x$at)
}

# A benchmark's values: at one point, or over the whole grid as means or as ranking scores.
at_label <- function(at, whole = " (ranking scores)") {
  if (is.null(at)) whole
  else if (names(at) == "k") paste0(" at k = ", at)
  else paste0(" at ", format(100 * at, digits = 3), " % of the features")
}

rank_test_global <- function(x) {
  paste0(global_statistic(x), ": ", if (x$global) "the methods differ" else "not significant overall", " at alpha = ",
    format(x$alpha), if (x$ties_decide) paste0("; ", ties_note(x)))
}

# The verdict with the other choice of `ties`. The correction makes the statistic larger.
ties_note <- function(x) {
  paste0(if (x$ties == "correct") "without the correction for ties they would not" else
    "with the correction for ties they would", " differ significantly (",
  format_p(other_ties(x$ranks, x$alpha, x$ties)$p_value), ")")
}

# "Iman-Davenport F(6, 42) = 5.735, p = 0.0002".
global_statistic <- function(x) {
  f <- global_test(x)
  paste0(global_label(x), " F(", f$df1, ", ", f$df2, ") = ", format_statistic(f$statistic), ", ", format_p(f$p_value))
}

global_label <- function(x) if (is.null(x$quade)) "Iman-Davenport" else "Quade"

agreement_label <- function(x) paste0("Kendall's W = ", formatC(x$kendall_w, format = "f", digits = 2))

rank_test_posthoc <- function(x) {
  who <- if (is.null(x$control)) ", all pairs" else paste0(" against ", x$control)
  cd <- if (!is.na(x$cd)) paste0(", critical difference ", format_statistic(x$cd))
  paste0(posthocs[[x$posthoc]]$label, who, cd)
}

format_statistic <- function(x) if (is.finite(x)) formatC(x, format = "f", digits = 3) else format(x)

format_p <- function(p) if (p < 1e-4) "p < 0.0001" else paste("p =", trimws(formatC(p, format = "fg", digits = 2)))

# Methods, best first; with a control, how each compares with it.
rank_test_table <- function(x, digits) {
  out <- data.frame(method = names(x$mean_ranks), mean_rank = formatC(x$mean_ranks, format = "f", digits = digits))
  if (!is.null(x$control)) {
    row <- match(out$method, x$comparisons$method2)
    out$p_adjusted <- ifelse(is.na(row), "", format.pval(x$comparisons$p_adjusted[row], digits = 2, eps = 1e-4))
    out$effect <- ifelse(is.na(row), "", formatC(x$comparisons$effect[row], format = "f", digits = 2))
    out$differs <- ifelse(is.na(row), "control", ifelse(x$comparisons$significant[row], "yes", "no"))
  }
  out[order(x$mean_ranks), ]
}

effect_note <- function(x) paste0("effect: positive where ", x$control, " is better than the method of the row")

print_pairs <- function(comparisons, digits) {
  pairs <- comparisons[comparisons$significant, ]
  pairs <- pairs[order(pairs$p_adjusted), ]
  cat("\n", nrow(pairs), " of ", nrow(comparisons), " pairs differ",
    if (nrow(pairs)) " (numbers are positive where method1 is better):", "\n", sep = "")
  if (nrow(pairs) == 0L) return(invisible())
  shown <- utils::head(pairs, 10L)
  shown$difference <- formatC(shown$difference, format = "f", digits = digits)
  shown$p_adjusted <- format.pval(shown$p_adjusted, digits = 2, eps = 1e-4)
  shown$effect <- formatC(shown$effect, format = "f", digits = 2)
  print(shown[c("method1", "method2", "difference", "p_adjusted", "effect")], row.names = FALSE)
  if (nrow(pairs) > 10L) cat("# ", nrow(pairs) - 10L, " more in $comparisons\n", sep = "")
}

#' @rdname rank_test
#' @order 2
#' @param ... not used.
#' @export
tidy.mlranktest <- function(x, ...) {
  comparisons <- x$comparisons
  result_frame(data.frame(
    group1 = comparisons$method1, group2 = comparisons$method2, estimate = comparisons$difference,
    statistic = comparisons$statistic %||% (comparisons$difference / rank_error(x$n_methods, x$n_datasets)),
    p.value = comparisons$p_value, adj.p.value = comparisons$p_adjusted, effect = comparisons$effect,
    win = comparisons$win, tie = comparisons$tie, loss = comparisons$loss
  ))
}

#' @rdname rank_test
#' @order 2
#' @export
glance.mlranktest <- function(x, ...) {
  f <- global_test(x)
  result_frame(data.frame(
    statistic = f$statistic, p.value = f$p_value, num.df = f$df1, den.df = f$df2, critical.value = f$critical,
    friedman.statistic = x$friedman$statistic, friedman.p.value = x$friedman$p_value,
    critical.difference = x$cd, method = paste0(global_label(x), "; ", posthocs[[x$posthoc]]$label),
    nobs = x$n_datasets, kendall.w = x$kendall_w
  ))
}

#' Compare all pairs of methods
#'
#' Compares every two methods by their values on the datasets: differences, wins, ties and losses, Wilcoxon's
#' signed-rank test, and an effect size. Only the two methods of a pair enter its row. So other methods may be added or
#' removed without a change, except of the adjusted p-values.
#'
#' All numbers that compare the two methods of a pair have the same sign. They are positive where method 1 is better,
#' whatever the direction of the measure. Differences are method 1 minus method 2 where larger values are better, and
#' method 2 minus method 1 where smaller ones are:
#'
#' - `statistic` and `p_value` are those of [wilcoxon_test()] with its defaults, so one of an odd number of ties is
#'   discarded. `p_holm` is adjusted by Holm's procedure for all rows.
#' - `median_difference`, with its interval from `conf_low` to `conf_high`, and `effect`, between -1 and 1, are the
#'   median difference and the rank-biserial correlation of [wilcoxon_test()].
#'
#' @inheritParams rank_test
#' @param k,prop For a benchmark: the number (or share) of features at which the means over splits are compared.
#'   `NULL` compares the means over the whole grid.
#' @param control (string) A method to compare with each of the others. `NULL` compares all pairs.
#' @param alpha (number) Level of the tests. The intervals have level `1 - alpha`.
#' @return A data frame of class `mlpairs` with a row for each pair, best methods first. `method1` is the method of the
#'   better mean, or the `control`. Columns:
#'   `method1, method2, mean1, mean2, difference, win, tie, loss, statistic, p_value, p_holm, median_difference,
#'   conf_low, conf_high, effect`. `difference` is how much better the mean of method 1 is: `mean1 - mean2`, or
#'   `mean2 - mean1` where smaller values are better. `win` counts the datasets on which method 1 is better.
#'
#'   `tidy()` returns the pairs, with the median difference and its interval as `estimate`, `conf.low` and `conf.high`,
#'   and `glance()` one row with their number and the number of significant ones.
#' @references `r papers("Benavoli2016", "Kerby2014")`
#' @seealso [plot.mlpairs()]; [summary.mlpairs()] for the finding in words;
#'   [rank_test()] with `posthoc = "wilcoxon-holm"` for the diagram of mean ranks.
#' @family comparisons
#' @order 1
#' @examples
#' set.seed(1)
#' losses <- matrix(runif(10 * 4), 10, dimnames = list(NULL, c("EBLS", "MIM-BR", "MFS", "All")))
#' losses[, "EBLS"] <- losses[, "EBLS"] - 0.5
#' pairs <- compare_pairs(losses, direction = "minimize")
#' pairs
#' plot(pairs)
#' @export
compare_pairs <- function(x, measure = NULL, k = NULL, learner = NULL, control = NULL, alpha = 0.05,
                          direction = NULL, prop = NULL) {
  alpha <- check_alpha(alpha)
  input <- rank_input(x, measure, k, prop, learner, direction, means = TRUE)
  check_comparison_size(dim(input$values), "comparison", 2L)
  if (!is.null(control)) control <- check_choice(control, colnames(input$values))

  means <- colMeans(input$values)
  means <- means[order(better_rank(means, input$better))]
  out <- pair_statistics(input$values, means, control, input$better, alpha)
  about <- list(means = means, control = control, alpha = alpha, direction = input$direction, measure = input$measure,
    learner = input$learner, at = input$at, n_datasets = nrow(input$values))
  saved_object(out, c("mlpairs", "data.frame"), about = about)
}

pair_statistics <- function(values, means, control, better, alpha) {
  pairs <- method_pairs(names(means), control)
  signed <- better_ranks(values, pairs, better)
  mean1 <- unname(means[pairs$method1])
  mean2 <- unname(means[pairs$method2])
  difference <- if (better == "minimize") mean2 - mean1 else mean1 - mean2
  test <- signed_rank_pairs(signed)
  effects <- pair_effects(signed, nrow(values))
  sizes <- vapply(signed, \(s) c(walsh_median(s$difference), walsh_interval(s$difference, alpha)), numeric(3))
  data.frame(pairs, mean1 = mean1, mean2 = mean2, difference = difference,
    effects[c("win", "tie", "loss")], test, p_holm = adjust_p(test$p_value, "wilcoxon-holm"),
    median_difference = sizes[1L, ], conf_low = sizes[2L, ], conf_high = sizes[3L, ], effects["effect"])
}

#' @export
print.mlpairs <- function(x, digits = 3, n = 20L, ...) {
  digits <- check_count(digits, max = 15)
  n <- check_number(n, min = 1)
  about <- whole_pairs(x)
  if (is.null(about)) return(NextMethod())
  cat("<mlpairs> ", pairs_title(about), "\n", pairs_note(about), "\n",
    difference_note(about), "\n\n", sep = "")
  print(pairs_table(utils::head(x, n), digits), row.names = FALSE)
  if (nrow(x) > n) cat("# ", nrow(x) - n, " more\n", sep = "")
  few <- too_few_datasets(about$n_datasets, nrow(x), about$alpha)
  if (!is.null(few)) cat("\n", few, "\n", sep = "")
  invisible(x)
}

pairs_table <- function(x, digits = 3) {
  p <- function(p) format.pval(p, digits = 2, eps = 1e-4)
  data.frame(
    method1 = x$method1, method2 = x$method2, "win/tie/loss" = pair_record(as.data.frame(x)), p_value = p(x$p_value),
    p_holm = p(x$p_holm), effect = round(x$effect, 2), difference = signif(x$median_difference, digits),
    interval = paste0("[", signif(x$conf_low, digits), ", ", signif(x$conf_high, digits), "]"), check.names = FALSE
  )
}

# What compare_pairs() knows of its result, or NULL if rows or columns are missing.
whole_pairs <- function(x) {
  about <- attr(x, "about")
  if (is.null(about) || !all(c(pair_columns, "median_difference", "conf_low", "conf_high") %in% names(x))) return(NULL)
  if (nrow(x) == nrow(method_pairs(names(about$means), about$control))) about
}

pair_columns <- c("method1", "method2", "difference", "win", "tie", "loss", "p_value", "p_holm", "effect")

#' @rdname compare_pairs
#' @order 2
#' @param ... not used.
#' @export
tidy.mlpairs <- function(x, ...) {
  result_frame(data.frame(group1 = x$method1, group2 = x$method2, estimate = x$median_difference,
    statistic = x$statistic, p.value = x$p_value, adj.p.value = x$p_holm, conf.low = x$conf_low,
    conf.high = x$conf_high, effect = x$effect, win = x$win, tie = x$tie, loss = x$loss))
}

#' @rdname compare_pairs
#' @order 2
#' @export
glance.mlpairs <- function(x, ...) {
  about <- attr(x, "about")
  result_frame(data.frame(n.methods = length(about$means), n.comparisons = nrow(x),
    n.significant = sum(x$p_holm <= about$alpha), largest.effect = max(abs(x$effect)), alpha = about$alpha,
    method = "Wilcoxon signed-rank test (Holm)", nobs = about$n_datasets))
}

pair_record <- function(pairs) paste(pairs$win, pairs$tie, pairs$loss, sep = "/")

pairs_title <- function(about, measure = about$measure) {
  what <- if (is.null(measure)) "means" else paste0(measure, at_label(about$at, ", mean over the grid"))
  paste0(what, ": ", length(about$means), " methods, ", about$n_datasets, " datasets")
}

pairs_note <- function(about) {
  paste0(if (is.null(about$control)) "All pairs" else paste("Against", about$control), ", signed-rank tests; ",
    better_side(about$direction))
}

difference_note <- function(about) {
  paste0("difference: the median (Hodges-Lehmann), with its ", format(100 * (1 - about$alpha)),
    " % interval; positive where method1 is better")
}

format_cell_p <- function(p) ifelse(p < 0.001, "<.001", formatC(p, format = "f", digits = 3))

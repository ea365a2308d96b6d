#' Table of values, mean ranks, wins and losses, as in papers
#'
#' The table has tasks in rows and selectors in columns. Cells such as `0.215 ± 0.011` contain the mean and the
#' standard deviation over splits. The best cell of each row is marked. The last row has the mean rank of each selector
#' over tasks. With a `control`, marks show where the control is significantly better or worse, and a row counts, for
#' each other selector, the tasks in which the control wins against it, ties and loses.
#'
#' The tests are paired over the splits of one task. With differences \eqn{d_1, \dots, d_S} of mean \eqn{\bar
#' d}{mean(d)} and variance \eqn{s^2}, `"corrected-t"` (Nadeau and Bengio 2003) is
#' \deqn{t = \frac{\bar d}{\sqrt{\bigl(\frac{1}{S} + \frac{n_{test}}{n_{train}}\bigr) s^2}}
#' }{t = mean(d) / sqrt((1 / S + n_test / n_train) s^2)}
#' with \eqn{S - 1} degrees of freedom. It corrects for the overlap of training sets, which makes the plain t-test
#' reject too often. If splits differ in size, their mean ratio is used. `"wilcoxon"` is [wilcoxon_test()], without such
#' a correction; the winner is that of its rank sums. `"bayes-t"` is [bayes_correlated_t()], with the region of
#' practical equivalence `rope`: the control wins or loses if the probability that it is practically better, or worse,
#' is \eqn{1 - \alpha} or more. With `"none"` the control wins if its mean is better.
#'
#' `test` may also be a test over tasks: the result of [rank_test()] or [compare_pairs()] on the same benchmark. Its
#' marks are in rows below the cells then, because it compares selectors over all tasks, and cells have no marks. With a
#' control these rows have its adjusted p-values, and its wins, ties and losses over tasks. Without one, two
#' selectors share a letter exactly if they do not differ significantly. The mean ranks are those of a rank test, as its
#' diagram shows them.
#'
#' @inheritParams ranking_scores
#' @param k,prop The number (or share) of features at which values are compared. `NULL` uses the mean over the whole
#'   grid of the benchmark, within each split.
#' @param control (string) The selector to compare the others with.
#' @param test The test that decides wins and losses: a name, or a result of [rank_test()] or [compare_pairs()].
#' @param alpha (number) Level of the test, for each cell alone.
#' @param digits (count) Number of decimals shown. `NULL` shows three, or more if standard deviations would be shown as
#'   zero otherwise, as for the Hamming loss of many rare labels (at most six).
#' @param rope (number, 0 or more) For `"bayes-t"`: the largest difference that does not matter in practice.
#' @return A list of class `mlscoretable`: the matrices tasks x selectors `mean`, `sd`, `rank`, `best`, `p_value` and
#'   `outcome` (`"win"`, `"tie"` or `"loss"` of the control), `n_splits`, `mean_ranks`, `record` (wins, ties and losses
#'   x selectors), and the settings. With `"bayes-t"` there is `probability`, an array tasks x selectors x regions
#'   (`"better"`, `"equivalent"` and `"worse"`, of the control), and no p-value. With a test over tasks, `overall` is a
#'   data frame `selector, p_adjusted, outcome, letters`, and `mean_ranks` are those of the rank test. If a selector
#'   failed, its cell is `NA`, and its task is left out of the mean ranks. A note below the table states this.
#'
#'   `as.data.frame()` returns one row for each cell:
#'   `task, selector, mean, sd, n_splits, rank, best, p_value, outcome`. In documents it prints as a table, and
#'   [toLatex()][tables_for_papers] writes a LaTeX table for booktabs.
#' @references `r papers("NadeauBengio2003")`
#' @family comparisons
#' @examples
#' package <- sub("::.*", "", rownames(help_pages))
#' tasks <- list(base = help_pages[package == "base", ], stats = help_pages[package == "stats", ])
#' set.seed(1)
#' bench <- benchmark_selectors(tasks, list(sel_mim(), sel_cmim(), sel_random()), lrn_nb(),
#'   rs_holdout(repeats = 5), k = c(5, 10, 20), measures = "average_precision"
#' )
#' table <- score_table(bench, "average_precision", k = 10, control = "CMIM")
#' table
#' toLatex(table)
#' @export
score_table <- function(bench, measure = NULL, k = NULL, prop = NULL, learner = NULL, control = NULL,
                        test = c("corrected-t", "wilcoxon", "bayes-t", "none"), alpha = 0.05, digits = NULL, rope = 0) {
  overall <- if (inherits(test, c("mlranktest", "mlpairs"))) test
  test <- if (is.null(overall)) check_choice(test, c("corrected-t", "wilcoxon", "bayes-t", "none"))
  rope <- check_number(rope, min = 0, finite = TRUE)
  alpha <- check_alpha(alpha)
  digits <- check_count(digits, min = 0, max = 15, null = TRUE)
  found <- bench_values(bench, measure, learner)
  point <- bench_point(found, k, prop) %||% only_point(found)
  if (!is.null(control)) control <- check_choice(control, found$selectors)
  if (!is.null(overall)) {
    overall <- table_test(overall, found, control, if (!is.null(point)) stats::setNames(point, found$by))
    control <- overall$control
    alpha <- overall$alpha
  }

  values <- lapply(found$values, split_values, point)
  statistics <- cell_statistics(values, found)
  out <- c(statistics, list(
    control = control, test = if (!is.null(control)) test, rope = rope, alpha = alpha,
    digits = digits %||% enough_digits(statistics$sd),
    measure = found$measure, direction = found$direction, learner = found$learner,
    at = if (!is.null(point)) stats::setNames(point, found$by)
  ))
  if (!is.null(overall)) return(structure(add_table_test(out, overall), class = "mlscoretable"))
  if (!is.null(control)) out <- c(out, compare_cells(values, out, split_ratios(bench, found, test)))
  structure(out, class = "mlscoretable")
}

# Enough decimals to show the first digit of a typical standard deviation in each row.
enough_digits <- function(sd) {
  typical <- apply(sd, 1L, \(v) if (any(v > 0, na.rm = TRUE)) stats::median(v[v > 0], na.rm = TRUE) else NA_real_)
  as.integer(max(3, min(6, ceiling(-log10(min(c(typical, 1), na.rm = TRUE))))))
}

# splits x selectors: at one point of the grid, or the mean over the whole grid.
split_values <- function(cells, point) {
  at <- if (is.null(point)) seq_len(dim(cells)[2L]) else grid_position(cells, point)
  part <- if (anyNA(at)) cells[, 1L, , drop = FALSE] * NA else cells[, at, , drop = FALSE]
  matrix(apply(part, c(1L, 3L), mean), dim(cells)[1L], dimnames = list(NULL, dimnames(cells)[[3L]]))
}

cell_statistics <- function(values, found) {
  mean <- cell_matrix(values, colMeans)
  rank <- t(apply(mean, 1L, \(v) if (anyNA(v)) v * NA else better_rank(v, found$direction)))
  rank <- matrix(rank, nrow(mean), dimnames = dimnames(mean))
  best <- t(apply(mean, 1L, is_best, found$direction))
  list(mean = mean, sd = cell_matrix(values, \(v) apply(v, 2L, stats::sd)), rank = rank,
    best = matrix(best, nrow(mean), dimnames = dimnames(mean)),
    n_splits = vapply(values, nrow, 0L), mean_ranks = colMeans(rank, na.rm = TRUE))
}

# The names are not given to do.call(): as those of arguments they are changed where the locale lacks their letters.
cell_matrix <- function(values, fun) {
  cells <- do.call(rbind, unname(lapply(values, fun)))
  rownames(cells) <- names(values)
  cells
}

# The best of a row, ties included.
is_best <- function(v, direction) {
  known <- !is.na(v)
  out <- logical(length(v))
  if (any(known)) {
    ranks <- better_rank(v[known], direction)
    out[known] <- ranks == min(ranks)
  }
  out
}

# n_test / n_train of each task, averaged over its splits in the table; used only by the corrected t-tests.
split_ratios <- function(bench, found, test) {
  if (!test %in% c("corrected-t", "bayes-t")) return(NULL)
  splits <- attr(bench, "splits")
  sizes <- if (is.data.frame(splits)) splits[splits$task %in% found$tasks, ]
  if (is.null(sizes) || !all(found$tasks %in% sizes$task) || !all(c("n_train", "n_test") %in% names(sizes))) {
    abort(c("The corrected t-test needs the sizes of the splits, which the benchmark does not hold.",
      i = "Use the object that {.fn benchmark_selectors} returned, or {.code test = \"wilcoxon\"}."))
  }
  vapply(found$tasks, function(task) {
    used <- sizes$task == task & sizes$split %in% rownames(found$values[[task]])
    mean((sizes$n_test / sizes$n_train)[used])
  }, 0)
}

# p-values and outcomes of the control against each other selector on each task.
compare_cells <- function(values, table, ratios) {
  p_value <- array(NA_real_, dim(table$mean), dimnames(table$mean))
  probability <- if (table$test == "bayes-t") {
    array(NA_real_, c(dim(p_value), 3L), c(dimnames(p_value), list(c("better", "equivalent", "worse"))))
  }
  outcome <- array(NA_character_, dim(p_value), dimnames(p_value))
  for (i in seq_along(values)) for (j in setdiff(colnames(p_value), table$control)) {
    cell <- compare_pair(values[[i]][, table$control], values[[i]][, j], table, ratios[i])
    p_value[i, j] <- cell$p_value
    outcome[i, j] <- cell$outcome
    if (!is.null(cell$probability)) probability[i, j, ] <- cell$probability
  }
  count <- function(what) colSums(outcome == what, na.rm = TRUE)
  record <- rbind(win = count("win"), tie = count("tie"), loss = count("loss"))
  record[, table$control] <- NA
  c(list(p_value = p_value, outcome = outcome, record = record), list(probability = probability)[!is.null(probability)])
}

compare_pair <- function(control, other, table, ratio) {
  if (anyNA(control) || anyNA(other)) return(list(p_value = NA_real_, outcome = NA_character_))
  if (table$test == "bayes-t") return(compare_pair_bayes(control, other, table, ratio))
  centre <- paired_difference(mean(control), mean(other))
  p <- if (table$test == "corrected-t") corrected_t(paired_difference(control, other), ratio) else NA_real_
  # Its rank sums may be against the means, if a few differences are large.
  if (table$test == "wilcoxon") {
    signed <- wilcoxon_test(control, other)
    p <- signed$p_value
    centre <- signed$effect
  }
  decided <- if (table$test == "none") centre != 0 else !is.na(p) && p <= table$alpha && centre != 0
  won <- if (table$direction == "minimize") centre < 0 else centre > 0
  list(p_value = p, outcome = if (!decided) "tie" else if (won) "win" else "loss")
}

# ratio = rho / (1 - rho), where rho is the share of rows used for testing.
compare_pair_bayes <- function(control, other, table, ratio) {
  if (length(control) < 2L) return(list(p_value = NA_real_, outcome = "tie"))
  probability <- unname(bayes_correlated_t(control, other, table$rope, ratio / (1 + ratio))$probability)
  if (table$direction == "minimize") probability <- rev(probability)
  sure <- probability >= 1 - table$alpha
  outcome <- if (sure[1L]) "win" else if (sure[3L]) "loss" else "tie"
  list(p_value = NA_real_, outcome = outcome, probability = probability)
}

# Two-sided p-value of Nadeau and Bengio's corrected resampled t-test; NA with fewer than two splits.
corrected_t <- function(d, ratio) {
  n <- length(d)
  if (n < 2L || anyNA(d)) return(NA_real_)
  if (all(d == 0)) return(1)
  2 * stats::pt(-abs(mean(d) / corrected_error(d, ratio)), n - 1)
}

# The standard error of the mean difference over splits; ratio = test rows / training rows.
corrected_error <- function(d, ratio) sqrt((1 / length(d) + ratio) * stats::var(d))

#' @export
as.data.frame.mlscoretable <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots(..., allowed = frame_arguments)
  cells <- expand.grid(selector = colnames(x$mean), task = rownames(x$mean), stringsAsFactors = FALSE)
  long <- function(m) if (is.null(m)) NA else as.vector(t(m))
  data.frame(task = cells$task, selector = cells$selector, mean = long(x$mean), sd = long(x$sd),
    n_splits = unname(x$n_splits[cells$task]), rank = long(x$rank), best = long(x$best),
    p_value = as.double(long(x$p_value)), outcome = as.character(long(x$outcome)), row.names = row.names)
}

# --- a test over tasks ------------------------------------------------------------------------------------------------

# What a rank test or a comparison of pairs found for the selectors of the table, whose values are `at` that point.
table_test <- function(test, found, control, at) {
  pairs <- inherits(test, "mlpairs")
  about <- if (pairs) whole_pairs(test) else test
  if (is.null(about)) {
    abort(c("{.arg test} must be as {.fn compare_pairs} returned it.", x = "It lost rows, columns or attributes."))
  }
  methods <- if (pairs) names(about$means) else names(test$mean_ranks)
  check_table_test(methods, about, found, control)
  control <- control %||% about$control
  rows <- if (pairs) judged_pairs(test) else
    data.frame(test$comparisons, better = better_method(test$comparisons, test$posthoc))
  list(
    control = control, alpha = about$alpha, mean_ranks = if (!pairs) test$mean_ranks[found$selectors],
    label = paste0(
      if (!pairs) rank_test_posthoc(test) else paste0("Wilcoxon's signed-rank test with Holm's correction",
        if (!is.null(about$measure) && !isTRUE(all.equal(about$at, at))) at_label(about$at, ", mean over the grid")),
      ", over ", if (about$n_datasets == length(found$tasks)) "tasks" else counted(about$n_datasets, "task")
    ),
    ranked = if (!pairs) paste0("", if (!is.null(test$measure)) test_at_label(test)),
    table = if (is.null(control)) {
      letters <- if (pairs) group_letters(methods, same_groups(methods, rows)) else test$letters
      data.frame(selector = found$selectors, p_adjusted = NA_real_, outcome = NA_character_,
        letters = unname(letters[found$selectors]))
    } else control_table(rows, control, found$selectors),
    record = if (!is.null(control)) control_record(rows, control, found$selectors)
  )
}

check_table_test <- function(methods, about, found, control) {
  if (!setequal(methods, found$selectors)) {
    odd <- c(setdiff(methods, found$selectors), setdiff(found$selectors, methods))[1L]
    abort(c("{.arg test} must compare the selectors of the benchmark.", x = "{.val {odd}} is only in one of them.",
      i = "Make the test from the same benchmark."))
  }
  for (what in c("measure", "learner")) {
    if (isTRUE(about[[what]] != found[[what]])) abort(c(
      "{.arg test} must be of the {what} of the table, {.val {found[[what]]}}.", x = "It is of {.val {about[[what]]}}."
    ))
  }
  if (!is.null(control) && !is.null(about$control) && control != about$control) {
    abort(c("{.arg control} must be that of {.arg test}, or NULL.",
      x = "They are {.val {control}} and {.val {about$control}}."))
  }
}

control_table <- function(rows, control, selectors) {
  other <- ifelse(rows$method1 == control, rows$method2, ifelse(rows$method2 == control, rows$method1, NA))
  at <- match(selectors, other)
  won <- rows$better[at] == control
  outcome <- ifelse(!rows$significant[at], "tie", ifelse(won, "win", "loss"))
  data.frame(selector = selectors, p_adjusted = rows$p_adjusted[at], outcome = outcome, letters = NA_character_)
}

control_record <- function(rows, control, selectors) {
  first <- rows[rows$method1 == control, c("method2", "win", "tie", "loss")]
  second <- rows[rows$method2 == control, c("method1", "loss", "tie", "win")]
  names(first) <- names(second) <- c("selector", "win", "tie", "loss")
  all <- rbind(first, second)
  record <- t(as.matrix(all[match(selectors, all$selector), c("win", "tie", "loss")]))
  dimnames(record) <- list(c("win", "tie", "loss"), selectors)
  record
}

add_table_test <- function(out, overall) {
  none <- array(NA_real_, dim(out$mean), dimnames(out$mean))
  out$mean_ranks <- overall$mean_ranks %||% out$mean_ranks
  c(out, list(
    p_value = none, outcome = array(NA_character_, dim(none), dimnames(none)), record = overall$record,
    overall = overall$table, overall_label = overall$label, ranked = overall$ranked
  ))
}

#' Test whether methods differ, and which ones
#'
#' Ranks the methods on every dataset (1 = best, ties averaged). Tests first whether the methods differ at all, and then
#' which methods differ from each other, or from a control. `vignette("comparing-methods")` has the formulas, and
#' explains what is ranked for a benchmark.
#'
#' # The global test
#' It is Friedman's test with the correction of Iman and Davenport. Values that agree to 12 digits are ties. If only one
#' of the two choices of `ties` rejects, print, summary and pictures show it. `test = "quade"` gives weight to datasets
#' on which the methods are far apart, as [stats::quade.test()]; the ranges of the values must be comparable between
#' datasets. Kendall's \eqn{W} is the effect size: 0 if the mean ranks are equal, 1 if all datasets rank the methods in
#' the same way.
#'
#' # Post-hoc tests
#' `"wilcoxon-holm"` compares the values of two methods by [wilcoxon_test()]. All others compare mean ranks, whatever
#' `test` is. P-values are adjusted for the number of comparisons:
#'
#' - all pairs: `"nemenyi"`, with a [critical_difference()], `"shaffer"`, and `"bergmann-hommel"` for at most 9 methods;
#' - with `control`: `"bonferroni-dunn"`, with a critical difference of its own, and `"li"`, with a warning where it has
#'   little power;
#' - either: `"holm"`, `"hochberg"`, `"hommel"`, `"finner"`, and `"wilcoxon-holm"`, with a message if no pair can be
#'   significant.
#'
#' The result contains the post-hoc decisions even if the global test does not reject; [print()] and [plot()] then show
#' "not significant overall". Mean ranks depend on all methods in the table, so whether two methods differ can change
#' when a third is added; [compare_pairs()] and `"wilcoxon-holm"` do not.
#'
#' @param x An `mlbenchmark`, or a matrix or data frame of numbers with datasets in rows and methods in columns.
#' @param measure,learner For a benchmark: the measure to compare, and the learner. They may be `NULL` if there is only
#'   one.
#' @param k,prop For a benchmark: the number (or share) of features at which the means over splits are compared.
#'   `NULL` compares whole curves, by [ranking_scores()], or with `"wilcoxon-holm"` by their means over the grid.
#' @param posthoc The test that follows the global test.
#' @param control (string) The method to compare the others with. It is required for `"bonferroni-dunn"` and `"li"`,
#'   not allowed for `"nemenyi"`, `"shaffer"` and `"bergmann-hommel"`, and optional for the others.
#' @param alpha (number) The level of all tests.
#' @param direction `"minimize"` or `"maximize"`: which values are better. It is required for numbers. A benchmark knows
#'   the direction of its measures.
#' @param ties `"correct"` or `"ignore"`: whether Friedman's test and Kendall's \eqn{W} are corrected for ties.
#' @param test The global test: `"friedman"` with the correction of Iman and Davenport, or `"quade"`.
#' @return A list of class `mlranktest`:
#'
#'   - `mean_ranks`: named, in the order of `x`; `ranks`: the ranks they are means of.
#'   - `friedman`: `statistic`, `df`, `p_value`; `iman_davenport`, and `quade` if asked for: `statistic`, `df1`, `df2`,
#'     `p_value`, `critical`.
#'   - `global`: whether the global test rejects; `ties_decide`: whether the other choice of `ties` would change that;
#'     `kendall_w`.
#'   - `q`, `cd`: quantile and critical difference; `NA` for the step procedures.
#'   - `comparisons`: a data frame `method1, method2, difference, p_value, p_adjusted, significant, win, tie, loss,
#'     effect`, one row for each pair, or with a control (`method1`) for each other method. `significant` is the
#'     post-hoc decision alone. `win` counts the datasets on which method 1 is better. `difference` is the mean rank of
#'     method 2 minus that of method 1, `effect` the rank-biserial correlation of [compare_pairs()]: both are positive
#'     where method 1 is better. `"wilcoxon-holm"` adds the `statistic` of the signed-rank test.
#'   - `groups`: the largest sets of two methods or more of which no two differ significantly, best first. `letters`:
#'     two methods share a letter exactly if they do not differ significantly (Piepho 2004). Both are `NULL` with a
#'     control.
#'   - the settings: `test, posthoc, control, alpha, direction, ties, measure, learner, at, n_datasets, n_methods`.
#'
#'   `tidy()` returns the comparisons and `glance()` the global test, as data frames with broom's column names.
#'   Errors have the class `mlsift_error`: fewer than three methods or two datasets, values that are missing or infinite
#'   (`na.omit()` leaves such datasets out of a matrix), and arguments that do not fit together.
#' @references `r papers("Demsar2006", "GarciaHerrera2008", "Piepho2004")`
#'
#' `vignette("comparing-methods")` has the others.
#' @seealso [plot.mlranktest()] draws the critical-difference diagram.
#' @family comparisons
#' @order 1
#' @examples
#' losses <- rbind(
#'   bibtex = c(All = 0.029, EBLS = 0.009, FIMF = 0.010, MFS = 0.011),
#'   enron  = c(0.165, 0.055, 0.063, 0.065),
#'   llog   = c(0.097, 0.016, 0.018, 0.019),
#'   yeast  = c(0.216, 0.209, 0.211, 0.211)
#' )
#' test <- rank_test(losses, direction = "minimize", posthoc = "bonferroni-dunn", control = "EBLS")
#' test
#' tidy(test)
#' plot(test)
#' @export
rank_test <- function(x, measure = NULL, k = NULL, learner = NULL,
                      posthoc = c("nemenyi", "bonferroni-dunn", "holm", "hochberg", "li", "hommel", "finner",
                        "shaffer", "bergmann-hommel", "wilcoxon-holm"),
                      control = NULL, alpha = 0.05, direction = NULL, prop = NULL, ties = c("correct", "ignore"),
                      test = c("friedman", "quade")) {
  posthoc <- check_choice(posthoc, names(posthocs))
  ties <- check_choice(ties, c("correct", "ignore"))
  test <- check_choice(test, c("friedman", "quade"))
  alpha <- check_alpha(alpha)
  input <- rank_input(x, measure, k, prop, learner, direction, means = posthoc == "wilcoxon-holm")
  check_comparison_size(dim(input$values), "rank test", 3L)
  control <- check_control(control, posthoc, colnames(input$values))
  check_partitions(ncol(input$values), posthoc)

  ranks <- rank_rows(input$values, input$better)
  result <- rank_statistics(ranks, alpha, ties)
  if (test == "quade") result$quade <- quade_statistics(ranks, input$values, alpha)
  result$global <- global_test(result)$p_value <= alpha
  result$ties_decide <- test == "friedman" && (other_ties(ranks, alpha, ties)$p_value <= alpha) != result$global
  result <- c(result, rank_posthoc(ranks, input$values, input$better, posthoc, control, alpha))
  few <- if (posthoc == "wilcoxon-holm") too_few_datasets(nrow(ranks), nrow(result$comparisons), alpha)
  if (!is.null(few)) inform(c("No pair can differ significantly at level {alpha}.", i = "{few}"))
  options <- list(test = test, posthoc = posthoc, control = control, alpha = alpha, direction = input$direction,
    ties = ties, measure = input$measure, learner = input$learner, at = input$at,
    n_datasets = nrow(ranks), n_methods = ncol(ranks))
  saved_object(c(result, options), "mlranktest")
}

# Iman and Davenport's test with the other choice of `ties`.
other_ties <- function(ranks, alpha, ties) {
  rank_statistics(ranks, alpha, setdiff(c("correct", "ignore"), ties))$iman_davenport
}

# The test of all methods together: Quade's if requested, otherwise that of Iman and Davenport.
global_test <- function(x) x$quade %||% x$iman_davenport

check_alpha <- function(alpha) {
  alpha <- check_number(alpha, 0, 1, arg = "alpha")
  if (alpha %in% 0:1) abort("{.arg alpha} must lie between 0 and 1, such as 0.05.")
  alpha
}

# A matrix of datasets x methods and what is known of it, from a benchmark or from numbers.
rank_input <- function(x, measure, k, prop, learner, direction, means) {
  if (inherits(x, "mlbenchmark")) return(rank_input_benchmark(x, measure, k, prop, learner, direction, means))
  rank_input_numbers(x, list(measure = measure, k = k, prop = prop, learner = learner), direction)
}

# `means`: if no point is named, compare means over the grid instead of ranking scores.
rank_input_benchmark <- function(x, measure, k, prop, learner, direction, means) {
  found <- bench_values(x, measure, learner, arg = "x")
  if (!is.null(direction) && !identical(direction, found$direction)) {
    abort(c("{.arg direction} must be left out for a benchmark, which knows it.",
      x = "It is {describe(direction)}, that of {.val {found$measure}} is {.val {found$direction}}."))
  }
  point <- bench_point(found, k, prop)
  if (means) point <- point %||% only_point(found)
  values <- if (is.null(point) && !means) ranking_matrix(found)
  else cell_matrix(lapply(found$values, split_values, point), colMeans)
  if (anyNA(values)) abort_empty_cell(found, point)
  ranked <- is.null(point) && !means
  list(values = values, better = if (ranked) "minimize" else found$direction, direction = found$direction,
    measure = found$measure, learner = found$learner, at = if (!is.null(point)) stats::setNames(point, found$by))
}

abort_empty_cell <- function(found, point) {
  cells <- lapply(found$values, function(v) {
    at <- if (is.null(point)) seq_len(dim(v)[2L]) else grid_position(v, point)
    if (anyNA(at)) rep(TRUE, dim(v)[3L]) else apply(is.na(v[, at, , drop = FALSE]), 3L, any)
  })
  tasks <- found$tasks[vapply(cells, any, NA)]
  without <- found$selectors[Reduce(`|`, cells)]
  abort(c("Every selector must have a value of {.val {found$measure}} on every split of every task.",
    x = "Task {.val {tasks[1L]}} lacks values of {.val {found$selectors[cells[[tasks[1L]]]]}}.",
    x = if (length(tasks) > 1L) "Tasks with the same trouble: {.val {tasks[-1L]}}.",
    i = "{.fn failures} gives the reasons.",
    i = "Without {cli::qty(tasks)}th{?at/ose} task{?s}: {.code {rows_without(\"task\", tasks)}}.",
    i = if (length(without) + 2L <= length(found$selectors)) {
      "Without {cli::qty(without)}th{?at/ose} selector{?s}: {.code {rows_without(\"selector\", without)}}."
    }))
}

rows_without <- function(column, values) {
  if (length(values) == 1L) return(paste0("x[x$", column, " != ", quoted(values), ", ]"))
  paste0("x[!x$", column, " %in% c(", paste(vapply(values, quoted, ""), collapse = ", "), "), ]")
}

rank_input_numbers <- function(x, unused, direction) {
  unused <- names(Filter(Negate(is.null), unused))
  if (length(unused) > 0L) {
    abort(c("{.arg {unused}} only serve{?s/} a benchmark.", i = "{.arg x} is {describe(x)}; leave {?it/them} out."))
  }
  values <- check_rank_values(x)
  if (is.null(direction)) abort(c("{.arg direction} must be given for numbers.", x = "It is NULL.",
    i = "Write {.val minimize} where smaller values are better, else {.val maximize}."))
  direction <- check_choice(direction, c("minimize", "maximize"), arg = "direction")
  list(values = values, better = direction, direction = direction)
}

check_rank_values <- function(x) {
  numbers <- if (is.data.frame(x)) vapply(x, is.numeric, NA) else is.matrix(x) && is.numeric(x)
  if (!is.data.frame(x) && !is.matrix(x)) {
    abort_value(x, "a benchmark, or numbers with datasets in rows and methods in columns")
  }
  if (!all(numbers)) {
    bad <- if (is.data.frame(x)) names(x)[!numbers][1L]
    abort(c("{.arg x} must hold numbers only.",
      x = if (is.null(bad)) "It is a {typeof(x)} matrix."
      else "Column {.field {bad}} is of class {.cls {class(x[[bad]])[1L]}}.",
      i = if (!is.null(bad)) "Names of datasets go into the row names."))
  }
  rows <- if (is.data.frame(x) && .row_names_info(x) < 0L) NULL else rownames(x)
  x <- as.matrix(x)
  methods <- colnames(x) %||% paste0("m", seq_len(ncol(x)), recycle0 = TRUE)
  dimnames(x) <- list(rows %||% as.character(seq_len(nrow(x))), methods)
  storage.mode(x) <- "double"
  check_method_names(colnames(x))
  bad <- which(!is.finite(x), arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    row <- bad[1L, 1L]
    abort(c("{.arg x} must hold finite numbers.",
      x = "Dataset {.val {rownames(x)[row]}} has {x[row, bad[1L, 2L]]} for {.val {colnames(x)[bad[1L, 2L]]}}.",
      i = "Leave the dataset or the method out."))
  }
  x
}

check_method_names <- function(names) {
  empty <- is.na(names) | !nzchar(names)
  if (any(empty)) abort(c("All columns of {.arg x} must have names, or none.",
    x = "Column {which(empty)[1L]} has none."))
  if (anyDuplicated(names)) abort(c("The columns of {.arg x} must have different names.",
    x = "{.val {names[duplicated(names)][1L]}} occurs twice."))
}

# `what` needs at least `least` methods, and two datasets.
check_comparison_size <- function(size, what, least) {
  if (size[2L] < least) {
    abort(c("A {what} needs at least {least} methods.", x = "There {cli::qty(size[2L])}{?is/are} {size[2L]}.",
      i = if (size[2L] == 2L) "Compare two with {.fn wilcoxon_test}."))
  }
  if (size[1L] < 2L) {
    abort(c("A {what} needs at least 2 datasets.", x = "There {cli::qty(size[1L])}{?is/are} {size[1L]}.",
      i = "On one dataset, compare methods over its splits: {.fn score_table}."))
  }
}

check_control <- function(control, posthoc, methods) {
  if (is.null(control)) {
    if (posthocs[[posthoc]]$control != "always") return(NULL)
    abort(c("{.arg control} must be given for {.val {posthoc}}.", x = "It is NULL.",
      i = "Name the method that the others are compared with, one of {.val {methods}}."))
  }
  if (posthocs[[posthoc]]$control == "never") {
    abort(c("{.arg control} must be left out for {.val {posthoc}}, which compares all pairs.",
      i = "With a control use {.val bonferroni-dunn}, {.val holm}, {.val hochberg} or {.val li}."))
  }
  check_choice(control, methods, arg = "control")
}

# 9 methods have 21,147 partitions, 10 methods already 115,975.
check_partitions <- function(k, posthoc) {
  if (posthoc != "bergmann-hommel" || k <= 9L) return(invisible())
  abort(c("{.val bergmann-hommel} needs 9 methods or fewer.", x = "There are {k}.",
    i = "It goes through all partitions of the methods. {.val shaffer} takes any number."))
}

# Targets as the core takes them, and label sets as one class for methods that know one target.

# Targets as they are; classes as an integer matrix of codes; labels of which some are unknown as list(values, unknown).
coded_targets <- function(task) {
  if (!is.null(task$unknown)) return(coded_labels(task))
  if (task_kind(task) != "class") return(task$y)
  codes <- vapply(task$y, as.integer, integer(nrow(task$y)))
  dim(codes) <- dim(task$y)
  codes
}

# The same of `y` and `unknown` of labels.
coded_labels <- function(x) if (is.null(x$unknown)) x$y else list(values = x$y, unknown = x$unknown)

# The label set of each row, or the combination of its classes, as a number from 1.
label_set_numbers <- function(task) {
  if (task_kind(task) == "label") return(cpp_label_set_ids(task$y))
  number <- 1
  for (codes in lapply(task$y, as.integer)) {
    pair <- (number - 1) * max(codes) + codes
    number <- match(pair, sort(unique(pair)))
  }
  number
}

# The rows whose label sets occur on `min_count` rows or more and the sets, numbered from 1 without gaps: list(rows,
# classes).
frequent_label_sets <- function(task, min_count, advice, call) {
  number <- label_set_numbers(task)
  count <- tabulate(number)
  rows <- which(count[number] >= min_count)
  if (length(rows) == 0L) {
    abort(c(
      "No label set occurs on at least {min_count} rows.", x = "The most frequent one occurs on {max(count)}.",
      i = advice
    ), call = call)
  }
  list(rows = rows, classes = match(number[rows], sort(unique(number[rows]))))
}

rare_rules <- c("discard", "subsets", "A", "B")

# The checked options for rare label sets, which sel_chi2(), sel_trans_mi() and lrn_lp() share.
rare_set_params <- function(min_count, rare, subset_limit, subset_order, call) {
  list(
    min_count = check_count(min_count, call = call), rare = check_choice(rare, rare_rules, call = call),
    subset_limit = check_count(subset_limit, call = call),
    subset_order = check_choice(subset_order, c("decreasing", "increasing"), call = call)
  )
}

# The rule as the core counts it.
rare_rule_code <- function(params) match(params$rare, rare_rules) - 1L

# A single class says nothing.
warn_one_label_set <- function(kept, min_count, call) {
  if (max(kept$classes) > 1L) return(invisible())
  which <- if (min_count == 1L) "All rows have the same label set" else
    "Only one label set occurs on at least {min_count} rows"
  warn(paste0(which, ": all scores are 0."), call = call)
}

# The rows (from 0) of each label, label by label; NULL where there is nothing to stratify by.
label_columns <- function(task) {
  y <- task$y
  switch(task_kind(task),
    label = if (is_sparse(y)) list(start = y@p, row = y@i) else cpp_one_columns(y),
    class = {
      counts <- unlist(lapply(y, function(target) tabulate(target, nlevels(target))))
      list(start = c(0L, cumsum(counts)), row = unlist(lapply(y, order), use.names = FALSE) - 1L)
    }
  )
}

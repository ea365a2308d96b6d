# Columns of a source that mislead, found in its first pass.

#' @rdname check_task
#' @export
check_task.mlsource <- function(task) {
  seen <- new_seen(task)
  call_on_exit(function() end_passes(seen))
  agree_on_targets(task, seen)
  counter <- task$counter(task, seen, resolve_threads(NULL))
  all_of_it <- function(source, seen) inspection(source, seen, most_classes, TRUE)
  summary <- with_memory_errors(summarize_source(task, counter, NULL, all_of_it))
  problem_table(task$features, find_problems(source_facts(task, summary, seen)))
}

# What the first pass of a selection looks for: columns that number rows, and copies of targets.
for_traps <- function(source, seen) {
  if (source$told) return(NULL)
  inspection(source, seen, max(lengths(seen$classes), 2L) + 1L, FALSE)
}

# See cpp_source_summary(). `values`: whether features with more than `most` values are compared by their values.
inspection <- function(source, seen, most, values) {
  n <- length(source$targets)
  classes <- if (seen$kind == "class") lengths(seen$classes, use.names = FALSE)
  list(
    target = if (is.null(classes)) rep(seq_len(n), 1L + seen$unknown) else rep(seq_len(n), classes),
    value = if (is.null(classes)) rep(c(1, if (seen$unknown) NA), each = n) else as.double(sequence(classes)),
    n_targets = n, most = most, values = values
  )
}

report_source_traps <- function(source, summary, seen) {
  if (source$told || seen$counted < 20) return(invisible())
  facts <- source_facts(source, summary, seen)
  known <- which(!is.na(source$discrete))
  report_columns(source$features, setdiff(facts$ids, known), setdiff(facts$many, known), copies_of_targets(facts)$index,
    "{.fn check_task} lists them, {.arg exclude} leaves them out.", grouped = isTRUE(source$given[["group"]]),
    levels = seen$levels)
}

# As task_facts(). Hashes alone tell copies.
source_facts <- function(source, summary, seen) {
  spread <- summary$spread
  n <- seen$counted
  distinct <- lengths(spread$distinct)
  ids <- id_columns(summary$numbers$kind, n)
  many <- if (n >= 20) which(discrete_in_source(source, summary, seen) & distinct > few_levels(n))
  list(
    n = n, ids = ids, many = setdiff(many, ids),
    constant = which(ifelse(spread$missing > 0, spread$missing == spread$rows, spread$low == spread$high)),
    distinct = ifelse(is.na(summary$numbers$count), distinct + (spread$missing > 0), summary$numbers$count),
    features = summary$features, targets = list(summary$targets, if (seen$unknown) summary$as_zero),
    target_names = source$targets, feature_names = source$features,
    same = function(f, of, g, recoded) rep(TRUE, length(f)),
    levels = seen$levels, target_levels = if (seen$kind == "class") seen$classes
  )
}

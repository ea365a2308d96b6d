# Selecting from rows that come in chunks, and from tables of counts.

# A source or tables as selectors get them. `seen`: what is known from passes over a source. `counts(selector, method,
# threads)`: tables of counts. `end()`: ends passes.
source_rows <- function(source, discretizer, call) {
  seen <- new_seen(source, call)
  structure(list(
    source = source, seen = seen, names = source$features, end = function() end_passes(seen),
    counts = function(selector, method, threads) {
      count_source(source, seen, selector, method, discretizer, threads, call)
    }
  ), class = "source_rows")
}

table_rows <- function(tables) {
  structure(list(source = tables, names = tables$features, end = function() NULL, counts = function(...) tables),
    class = c("table_rows", "source_rows"))
}

# Before any row is read.
check_rows.source_rows <- function(rows, selector, method, target_bins, call) {
  refuse_target_bins(target_bins, call)
  source <- rows$source
  if (is.null(method$counts) && is.null(method$criterion)) refuse_counts(selector, method, "a source", call)
  if (!is.na(source$n_rows)) check_two_rows(source$n_rows, call, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(source$n_rows, selector, call)
  if (is.null(method$counts)) check_source_pairs(selector, method, length(source$targets), call)
}

check_rows.table_rows <- function(rows, selector, method, target_bins, call) {
  refuse_target_bins(target_bins, call)
  if (is.null(method$counts)) refuse_counts(selector, method, "tables of counts", call)
  check_rows_suit(rows$source, selector, method, call)
  check_counts_suit(rows$source, selector, method, call)
}

refuse_target_bins <- function(target_bins, call) {
  if (!is.null(target_bins)) abort(c("{.arg target_bins} is for numeric targets.", x = "A source has none.",
    i = "Leave it out."), call = call)
}

# No source has counts of pairs of labels. How many of its targets vary, which a coefficient that is a function depends
# on, is not known before the first pass.
check_source_pairs <- function(selector, method, n_targets, call) {
  pairs <- function(q) method$criterion(selector$params, q, call)$weights$label_interaction != 0
  with_fewer <- function(q) catch_error(pairs(q), function(e) FALSE)
  varies <- is.function(selector$params$label_interaction)
  if (pairs(n_targets) || varies && any(vapply(seq_len(n_targets - 1L), with_fewer, NA))) {
    refuse_counts(selector, method, "a source", call)
  }
}

selection_input.source_rows <- function(rows, selector, method, target_bins, threads, call) {
  source <- rows$source
  counts <- rows$counts(selector, method, threads)
  tables <- counts$tables
  check_two_rows(tables$n, call, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(tables$n, selector, call)
  counted <- cpp_tabled_rows(c(tables, if (is.null(method$counts)) more_counts(source, rows$seen, call)))
  input <- list(
    names = source$features, targets = source$targets, name = source$name, threads = threads, call = call,
    discretizer = counts$discretizer, varying = cpp_rows_targets(counted)$varying, known = TRUE,
    constant = function() cpp_constant_features(counted), cut = any(tables$levels$cut),
    rows_with = function(y) counted, end = function() cpp_end_rows(counted)
  )
  check_varying_targets(input, method)
  input
}

# How the core gets joint counts of features.
more_counts <- function(source, seen, call) {
  most_bytes <- getOption("mlsift.chunk_bytes", 512 * 2^20)
  if (!is.null(source$push)) {
    ask <- source$push$ask(call)
    return(list(ask = function(s, labels) until_interrupt(ask(s, labels)), most_bytes = most_bytes))
  }
  open <- function() {
    next_chunk <- until_interrupt(open_pass(source, seen, call))
    if (isFALSE(next_chunk)) function() FALSE else function() until_interrupt(next_chunk())
  }
  list(open = open, most_bytes = most_bytes)
}

# The core counts pairs of features, and rows of label sets, with integers. `n`: the number of rows, NA if unknown.
check_greedy_rows <- function(n, selector, call) {
  most <- .Machine$integer.max
  if (is.na(n) || n <= most) return(invisible())
  abort(c("{selector$name} selects from at most {format_count(most)} rows.", x = "There are {format_count(n)}.",
    i = "Use a sample of the rows, or a selector without limit, such as {.fn sel_mim}."), call = call)
}

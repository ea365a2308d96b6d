# Selecting from rows that come in chunks, and from tables of counts.

# A source or tables as selectors get them. `seen`: what is known from passes over a source.
source_rows <- function(source, discretizer, call) {
  list(source = source, discretizer = discretizer, seen = if (inherits(source, "mlsource")) new_seen(source, call))
}

# Ends passes over a source.
end_rows <- function(rows) if (!is.null(rows$seen)) end_passes(rows$seen)

# What can be determined before any row is read.
check_source_suits <- function(x, selector, method, target_bins, call) {
  if (!is.null(target_bins)) abort(c("{.arg target_bins} is for numeric targets.", x = "A source has none.",
    i = "Leave it out."), call = call)
  from_tables <- inherits(x, "mlcounts")
  if (is.null(method$counts) && (from_tables || is.null(method$criterion))) {
    refuse_counts(selector, method, if (from_tables) "tables of counts" else "a source", call)
  }
  if (from_tables) {
    check_rows_suit(x, selector, method, call)
    check_counts_suit(x, selector, method, call)
    return(invisible())
  }
  if (!is.na(x$n_rows)) check_two_rows(x$n_rows, call, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(x$n_rows, selector, call)
  if (is.null(method$counts)) {
    check_source_pairs(method$criterion(selector$params, length(x$targets), call), selector, method, call)
  }
}

# No source has counts of pairs of labels.
check_source_pairs <- function(criterion, selector, method, call) {
  if (criterion$weights$label_interaction != 0) refuse_counts(selector, method, "a source", call)
}

# The counts of each feature with the targets, as `rows`, and how to get others: see src/joint.h.
source_input <- function(rows, selector, method, threads, call) {
  source <- rows$source
  counts <- if (is.null(rows$seen)) source
  else count_source(source, rows$seen, selector, method, rows$discretizer, threads, call)
  check_two_rows(counts$tables$n, call, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(counts$tables$n, selector, call)
  input <- list(
    rows = c(counts$tables, if (is.null(method$counts)) more_counts(source, rows$seen, call)),
    names = source$features, targets = source$targets, name = source$name, selector = selector, method = method,
    threads = threads, call = call, discretizer = counts$discretizer
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

# Features with one level only.
constant_features <- function(tables) {
  slots <- lengths(tables$levels$at) + tables$levels$cut + 1L
  occurring <- rowsum(as.integer(tables$in_level > 0), rep(seq_along(slots), slots))
  occurring[, 1L] < 2L
}


# Selecting from rows that come in chunks, and from tables of counts.

# A source or tables as selectors get them. `counts(selector, method, threads)`: list(counts, counter), tables of counts
# and how a source counts more, see chunk_counter(). `paired(counted, tables, labels, threads)`: see `paired_rows` of
# counting_input(). `end()`: ends passes.
source_rows <- function(source, discretizer) {
  seen <- new_seen(source)
  structure(list(
    source = source, names = source$features, end = function() end_passes(seen),
    counts = function(selector, method, threads) {
      what <- if (identical(method$counts, "label sets")) "label sets" else "targets"
      counter <- source$counter(source, seen, threads)
      list(counts = count_source(source, seen, counter, selector, method, what, discretizer), counter = counter)
    },
    paired = function(counted, tables, labels, threads) {
      pairs <- count_pairs(source$counter(source, seen, threads), seen, tables$levels, labels)
      list(rows = cpp_tabled_rows(mark_tables(pairs, seen, TRUE)), labels = seq_along(labels))
    }
  ), class = "source_rows")
}

table_rows <- function(tables) {
  structure(list(
    source = tables, names = tables$features, end = function() NULL, counts = function(...) list(counts = tables),
    paired = function(counted, tables, labels, threads) list(rows = counted, labels = labels)
  ), class = c("table_rows", "source_rows"))
}

# Before any row is read.
#' @exportS3Method NULL
check_rows.source_rows <- function(rows, selector, method, target_bins) {
  refuse_target_bins(target_bins)
  source <- rows$source
  if (is.null(method$counts) && is.null(method$criterion)) refuse_counts(selector, method, "a source")
  if (!is.na(source$n_rows)) check_two_rows(source$n_rows, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(source$n_rows, selector)
  n_paired <- n_paired_labels(selector, method, length(source$targets))
  check_pair_tables(n_paired, length(source$features))
}

uses_pairs <- function(criterion) criterion$weights$label_interaction != 0

# The labels whose pairs a selector counts that takes those of the highest entropy, if it does not say how many.
few_labels <- 10L

# Of how many labels pairs are counted, if all vary.
n_paired_labels <- function(selector, method, n_targets) {
  if (identical(method$counts, "label pairs")) return(min(selector$params$n_labels %||% few_labels, n_targets))
  if (is.null(method$criterion) || !uses_pairs(method$criterion(selector$params, n_targets))) 0 else n_targets
}

#' @exportS3Method NULL
check_rows.table_rows <- function(rows, selector, method, target_bins) {
  refuse_target_bins(target_bins)
  if (is.null(method$counts)) refuse_counts(selector, method, "tables of counts")
  check_rows_suit(rows$source, selector, method)
  check_counts_suit(rows$source, selector, method)
}

refuse_target_bins <- function(target_bins) {
  if (!is.null(target_bins)) abort(c("{.arg target_bins} is for numeric targets.", x = "A source has none.",
    i = "Leave it out."))
}

#' @exportS3Method NULL
selection_input.source_rows <- function(rows, selector, method, target_bins, threads) {
  source <- rows$source
  counted <- rows$counts(selector, method, threads)
  tables <- counted$counts$tables
  check_two_rows(tables$n, "The source")
  if (!identical(method$counts, "targets")) check_greedy_rows(tables$n, selector)
  joint <- if (is.null(method$counts)) {
    c(counted$counter$joint(tables$levels), most_bytes = getOption("mlsift.chunk_bytes", 512 * 2^20))
  }
  to_count <- cpp_tabled_rows(c(tables, joint))
  of_targets <- cpp_rows_targets(to_count)
  input <- list(
    names = source$features, targets = source$targets, name = source$name, threads = threads,
    discretizer = counted$counts$discretizer, varying = of_targets$varying, known = TRUE, unknown = of_targets$unknown,
    constant = function() cpp_constant_features(to_count), cut = any(tables$levels$cut),
    rows_with = function(y) to_count, paired_rows = function(labels) rows$paired(to_count, tables, labels, threads),
    end = function() cpp_end_rows(to_count)
  )
  check_varying_targets(input, method)
  input
}

# The core counts pairs of features, and rows of label sets, with integers. `n`: the number of rows, NA if unknown.
check_greedy_rows <- function(n, selector) {
  most <- .Machine$integer.max
  if (is.na(n) || n <= most) return(invisible())
  abort(c("{selector$name} selects from at most {format_count(most)} rows.", x = "There are {format_count(n)}.",
    i = "Use a sample of the rows, or a selector without limit, such as {.fn sel_mim}."))
}

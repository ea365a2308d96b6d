# Selecting from rows that come in chunks, and from tables of counts.

# sift_features() for a source or tables.
sift_source <- function(x, selector, k, wishes, discretizer, target_bins, constants, threads, call) {
  if (!is.null(target_bins)) abort(c("{.arg target_bins} is for numeric targets.", x = "A source has none.",
    i = "Leave it out."), call = call)
  method <- selector_method(selector, call)
  from_tables <- inherits(x, "mlcounts")
  if (is.null(method$counts) && (from_tables || is.null(method$criterion))) {
    refuse_counts(selector, method, if (from_tables) "tables of counts" else "a source", call)
  }
  if (from_tables) {
    check_rows_suit(x, selector, method, call)
    check_counts_suit(x, selector, method, call)
  }
  skeleton <- source_skeleton(x)
  k <- limit_k(k, length(x$features), call)
  wishes <- check_wishes(x$features, k, selector, method, wishes, call)
  if (is.null(method$counts)) check_greedy_rows(x$n_rows, selector, call)
  started <- proc.time()[["elapsed"]]
  local_progress(paste("Selecting by", selector$name))
  if (!from_tables) {
    seen <- new_seen(x, call)
    call_on_exit(function() end_passes(seen))
  }
  counts <- if (from_tables) x else count_source(x, seen, selector, method, discretizer, threads, call)
  if (counts$tables$n < 2) {
    abort(c("Selecting features needs at least two rows.", x = "There are {counts$tables$n}."), call = call)
  }
  if (!is.null(method$counts)) {
    input <- list(task = skeleton, rows = counts$tables, threads = threads, call = call,
      discretizer = counts$discretizer)
    ranking <- method$run(input, selector$params)
  } else {
    input <- source_input(x, seen, counts, threads, call)
    if (constants == "last") {
      wishes <- constants_last(constant_features(counts$tables), wishes, k, selector, call)
    }
    ranking <- with_memory_errors(greedy_on_source(c(input, wishes), selector, method), call)
  }
  ranking <- if (is_greedy(method)) describe_units(ranking, wishes, call) else apply_wishes(ranking, wishes, call)
  seconds <- proc.time()[["elapsed"]] - started
  finish_or_interrupt(finish_selection(ranking, input, selector, method, seconds), ranking, wishes$k)
}

# What a greedy run on a source needs: its counts, and how to get more of them.
source_input <- function(source, seen, counts, threads, call) {
  open <- function() {
    next_chunk <- until_interrupt(open_pass(source, seen, call))
    if (isFALSE(next_chunk)) function() FALSE else function() until_interrupt(next_chunk())
  }
  ask <- if (!is.null(source$push)) source$push$ask(call)
  list(
    task = source_skeleton(source), counts = counts, threads = threads, call = call, discretizer = counts$discretizer,
    open = open, ask = if (!is.null(ask)) function(s, labels) until_interrupt(ask(s, labels))
  )
}

# `state`, `begin`: as in the run() of a greedy selector.
greedy_on_source <- function(input, selector, method, state = NULL, begin = input$include) {
  tables <- input$counts$tables
  check_greedy_rows(tables$n, selector, input$call)
  criterion <- method$criterion(selector$params, n_varying(tables), input$call)
  if (criterion$weights$label_interaction != 0) refuse_counts(selector, method, "a source", input$call)
  base <- if (criterion$in_bits) selector$params$base else 2
  most_bytes <- getOption("mlsift.chunk_bytes", 512 * 2^20)
  rows <- c(tables, list(open = if (is.null(input$ask)) input$open, ask = input$ask, most_bytes = most_bytes))
  path <- cpp_greedy(rows, criterion, numeric(), greedy_options(input, begin, base), state$sums, input$threads)
  greedy_result(input, path, begin, base)
}

# How many targets have more than one class, or are labels that some rows have and others do not.
n_varying <- function(tables) {
  ones <- tables$in_target
  if (!is.null(tables$classes)) {
    constant <- rowsum(as.integer(ones == tables$n), rep(seq_along(tables$classes), tables$classes))
    return(sum(constant == 0L))
  }
  known <- tables$n
  if (isTRUE(tables$unknown)) {
    q <- length(ones) %/% 2L
    known <- tables$n - ones[q + seq_len(q)]
    ones <- ones[seq_len(q)]
  }
  sum(ones > 0 & ones < known)
}

# The core counts pairs of features with integers. `n`: the number of rows, NA where it is not known yet.
check_greedy_rows <- function(n, selector, call) {
  most <- .Machine$integer.max
  if (is.na(n) || n <= most) return(invisible())
  abort(c("{selector$name} selects from at most {format_count(most)} rows.", x = "There are {format_count(n)}.",
    i = "Use a sample of the rows, or a selector without limit, such as {.fn sel_mim}."), call = call)
}

# A task without rows, for what needs names only.
source_skeleton <- function(x) {
  empty <- function(names) matrix(0L, 0L, length(names), dimnames = list(NULL, names))
  new_mltask(
    empty(x$features), empty(x$targets), stats::setNames(rep("label", length(x$targets)), x$targets),
    stats::setNames(rep(TRUE, length(x$features)), x$features), x$name
  )
}

# Features with one level only.
constant_features <- function(tables) {
  slots <- lengths(tables$levels$at) + tables$levels$cut + 1L
  occurring <- rowsum(as.integer(tables$in_level > 0), rep(seq_along(slots), slots))
  occurring[, 1L] < 2L
}


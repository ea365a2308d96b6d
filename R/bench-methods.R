#' Failures, timings and selections of a benchmark
#'
#' @param bench A benchmark, made by [benchmark_selectors()], or some of its rows.
#' @return Data frames with the columns `task`, `split`, `selector` and
#'   - `failures()`: `learner` (`NA` if the failure came before any learner), `stage` (`"impute"`, `"select"`,
#'     `"discretize"` (for learners), `"fit"`, `"predict"`, `"measure"`, or `"worker"` if the processes that computed it
#'     were lost) and `message`. The message is the error, or states that a measure is not defined or infinite on the
#'     test rows;
#'   - `timings()`: `learner` (`NA` for the selection), `stage` (`"select"`, `"fit"`, `"predict"`, `"measure"`) and
#'     `seconds`, the total over all `k`. Discretizing is part of `"select"`. With `folder`, the seconds of earlier
#'     calls are included;
#'   - `selections()`: `rank`, `feature`, `index` (column of the task) and `score`, as [sift_features()] returns them.
#'     The features are those that the largest `k` of the task uses.
#'
#'   All of them are limited to the tasks, splits, selectors and learners that are left in `bench`. If several of the
#'   benchmarks that `rbind()` joined have the same task, split and selector, the selection and the timings are those of
#'   the one with the largest `k`.
#' @family benchmarks
#' @examples
#' broken <- sel_custom("broken", function(task, k) stop("no idea"))
#' set.seed(1)
#' bench <- benchmark_selectors(help_pages, list(sel_mim(), broken), lrn_nb(), rs_holdout(repeats = 2),
#'   k = c(5, 10), measures = "hamming_loss"
#' )
#' failures(bench)
#' timings(bench)
#' head(selections(bench))
#' @export
failures <- function(bench) benchmark_part(bench, "failures")

#' @rdname failures
#' @export
timings <- function(bench) benchmark_part(bench, "timings")

#' @rdname failures
#' @export
selections <- function(bench) benchmark_part(bench, "selections")

benchmark_part <- function(bench, part) {
  check_class(bench, "mlbenchmark", "Make one with {.fn benchmark_selectors}.")
  table <- attr(bench, part, exact = TRUE)
  if (!is.data.frame(table)) abort(c("{.arg bench} does not hold its {part} any more.",
    i = "Use the object that {.fn benchmark_selectors} returned, or rows of it."))
  rows_left(table, bench)
}

# The rows of a part of a benchmark that are about units and learners left in it.
rows_left <- function(table, bench) {
  keep <- unit_cells(table) %in% unit_cells(bench)
  if (!is.null(table$learner)) keep <- keep & (is.na(table$learner) | table$learner %in% bench$learner)
  renumbered(table[keep, , drop = FALSE])
}

unit_cells <- function(rows) paste(rows$task, rows$split, rows$selector, sep = "\x1f")

benchmark_attributes <- c("measures", "splits", "tasks", "selections", "searches", "timings", "failures", "protocol")

plain_frame <- function(x) {
  attributes(x)[benchmark_attributes] <- NULL
  class(x) <- "data.frame"
  x
}

#' @export
as.data.frame.mlbenchmark <- function(x, ...) {
  refuse_dots(..., allowed = frame_arguments)
  plain_frame(x)
}

# A subset of the rows of a benchmark is a benchmark. If a column is missing, it is a data frame.
#' @export
`[.mlbenchmark` <- function(x, ...) {
  rows <- NextMethod()
  if (!is.data.frame(rows)) return(rows)
  if (!identical(names(rows), benchmark_columns)) return(plain_frame(rows))
  new_benchmark_like(rows, x)
}

new_benchmark_like <- function(rows, bench) {
  for (name in benchmark_attributes) attr(rows, name) <- attr(bench, name, exact = TRUE)
  class(rows) <- class(bench)
  rows
}

#' @export
`[<-.mlbenchmark` <- function(x, ..., value) as_benchmark_if_whole(NextMethod())

#' @export
`[[<-.mlbenchmark` <- function(x, ..., value) as_benchmark_if_whole(NextMethod())

#' @export
`$<-.mlbenchmark` <- function(x, name, value) as_benchmark_if_whole(NextMethod())

#' @export
`names<-.mlbenchmark` <- function(x, value) as_benchmark_if_whole(NextMethod())

# For dplyr verbs: rows of a benchmark remain a benchmark; combined with other rows they become a data frame.
#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.mlbenchmark <- function(data, template) {
  if (!identical(names(data), benchmark_columns) ||
    !all(unit_cells(data) %in% unit_cells(template))) return(plain_frame(data))
  new_benchmark_like(data, template)
}

as_benchmark_if_whole <- function(x) if (all(benchmark_columns %in% names(x))) x else plain_frame(x)

#' @export
rbind.mlbenchmark <- function(..., deparse.level = 1) {
  parts <- Filter(Negate(is.null), list(...))
  whole <- vapply(parts, function(part) inherits(part, "mlbenchmark") && identical(names(part), benchmark_columns), NA)
  if (!all(whole)) abort(c("Only benchmarks can be joined to a benchmark.",
    x = "One argument is {describe(parts[[which(!whole)[1L]]])}.",
    i = "Use {.fn as.data.frame} first to join data frames."))
  rows <- do.call(rbind, lapply(parts, plain_frame))
  check_distinct_cells(rows)
  check_same_measures(parts)
  check_same_prints(parts, "splits", "task", "Task{?s} {.val {odd}} {?was/were} split in different ways",
    "Values of the same split do not belong together: comparisons between selectors are not paired.")
  check_same_prints(parts, "tasks", "task", "Task{?s} {.val {odd}} {?has/have} different data",
    "Differences between selectors may be differences between the data.")
  for (by in c("selector", "learner")) {
    what <- paste0("{.val {odd}} {?is another ", by, "/are other ", by, "s}")
    check_same_prints(parts, paste0(by, "_prints"), by, what, "If their settings differ, give them different names.")
  }
  join_benchmarks(parts, rows)
}

join_benchmarks <- function(parts, rows = do.call(rbind, lapply(parts, plain_frame))) {
  joined <- lapply(stats::setNames(nm = benchmark_attributes), function(name) {
    values <- lapply(parts, attr, name, exact = TRUE)
    if (name == "protocol") join_protocols(values)
    else if (name %in% c("selections", "timings")) join_by_largest_k(values, parts)
    else unique_rows(values, name, parts)
  })
  do.call(new_benchmark, c(list(renumbered(rows)), joined))
}

check_distinct_cells <- function(rows) {
  twice <- anyDuplicated(rows[cell_columns])
  if (twice == 0L) return(invisible())
  at <- rows[twice, ]
  abort(c("Benchmarks that are joined must not have cells in common.",
    x = paste0("Twice: task {.val {at$task}}, split {.val {at$split}}, selector {.val {at$selector}}, learner ",
      "{.val {at$learner}}, k {at$k}, measure {.val {at$measure}}."),
    i = "Drop the rows from one of them, or give the selector another name."))
}

# A name must stand for one measure, not least for one direction.
check_same_measures <- function(parts) {
  known <- unique(do.call(rbind, lapply(parts, \(part) rows_about(attr(part, "measures"), part, "measure"))))
  twice <- known$measure[duplicated(known$measure)]
  if (length(twice) > 0L) abort(c("A measure must be the same in all benchmarks that are joined.",
    x = "{.val {twice[1L]}} is a different one in two of them.", i = "Give one of them another name."))
}

# Selectors are compared split by split, so a task must have had the same data, split in the same way, and a name must
# stand for one selector or learner. `field`: where the protocol has the fingerprints of these. `by`: the column of
# their names.
check_same_prints <- function(parts, field, by, what, why) {
  prints <- unlist(lapply(parts, function(part) {
    found <- attr(part, "protocol", exact = TRUE)[[field]]
    found[names(found) %in% part[[by]]]
  }))
  pairs <- unique(data.frame(name = names(prints), print = unname(prints)))
  odd <- unique(pairs$name[duplicated(pairs$name)])
  if (length(odd) > 0L) warn(c(paste0("{cli::qty(odd)}", what, " in the benchmarks that are joined."), i = why))
}

# Joins one part of several benchmarks. Tasks, splits, measures and searches that are in several of them are kept once.
unique_rows <- function(tables, name, parts) {
  about <- switch(name, measures = "measure", tasks = "task", splits = c("task", "split"))
  tables <- if (is.null(about)) Map(rows_left, tables, parts) else Map(rows_about, tables, parts, list(about))
  key <- if (name == "searches") c("task", "split", "selector", "k", "evaluation") else about
  rows <- do.call(rbind, unname(tables))
  renumbered(rows[!duplicated(rows[key %||% names(rows)]), , drop = FALSE])
}

# The rows of a part of a benchmark that are about rows left in it, by these columns.
rows_about <- function(table, bench, by) {
  if (is.null(table)) return(NULL)
  cells <- function(rows) do.call(paste, c(rows[by], sep = "\x1f"))
  table[cells(table) %in% cells(plain_frame(bench)), , drop = FALSE]
}

# Of a unit that is in several benchmarks, the selection and its time for the largest k, and so for each learner.
join_by_largest_k <- function(tables, parts) {
  with_learner <- function(rows) paste(unit_cells(rows), rows$learner, sep = "\x1f")
  rows <- do.call(rbind, tables)
  cells <- unit_cells(rows)
  learning <- which(!is.na(rows$learner))
  cells[learning] <- with_learner(rows)[learning]
  asked <- do.call(rbind, lapply(seq_along(parts), function(i) {
    part <- plain_frame(parts[[i]])
    data.frame(cell = c(unit_cells(part), with_learner(part)), k = part$k, i)
  }))
  asked <- asked[order(-asked$k), ]
  at <- which(rep(seq_along(tables), vapply(tables, NROW, 0L)) == asked$i[match(cells, asked$cell)])
  renumbered(rows[at[order(match(cells[at], cells))], ])
}

join_protocols <- function(protocols) {
  lapply(stats::setNames(nm = unique(unlist(lapply(protocols, names)))), function(field) {
    values <- unlist(lapply(protocols, `[[`, field))
    if (is.null(names(values))) unique(values) else values[!duplicated(paste(names(values), values))]
  })
}

#' Means over the splits of a benchmark
#'
#' @param object (`mlbenchmark`) From [benchmark_selectors()].
#' @param measure,learner Names of measures and learners of the benchmark; all if `NULL`.
#' @param ... Not used. An unknown argument is an error.
#' @return A data frame with a row for each task, selector, learner, number of features and measure: the columns of the
#'   benchmark that identify it, `mean` and `sd` over the splits, `n_splits` (their number) and `n_missing` (those
#'   without a value). The unit of `mean` and `sd` is that of the measure.
#' @family benchmarks
#' @examples
#' set.seed(1)
#' bench <- benchmark_selectors(help_pages, list(sel_mim(), sel_random()), lrn_nb(), rs_cv(3),
#'   k = c(5, 10), measures = c("hamming_loss", "macro_f1")
#' )
#' summary(bench, measure = "macro_f1")
#' @export
summary.mlbenchmark <- function(object, measure = NULL, learner = NULL, ...) {
  by <- setdiff(cell_columns, "split")
  rows <- plain_frame(object)
  if (!is.null(measure)) rows <- rows[rows$measure %in% bench_pick(object, "measure", measure, several = TRUE), ]
  if (!is.null(learner)) rows <- rows[rows$learner %in% bench_pick(object, "learner", learner, several = TRUE), ]
  cell <- do.call(paste, c(rows[by], sep = "\x1f"))
  cell <- match(cell, unique(cell))
  first <- !duplicated(cell)
  over <- function(f) unname(vapply(split(rows$value, cell), f, 0))
  data.frame(
    rows[first, by], mean = over(mean), sd = over(stats::sd),
    n_splits = as.integer(over(length)), n_missing = as.integer(over(function(v) sum(is.na(v)))), row.names = NULL
  )
}

#' @export
print.mlbenchmark <- function(x, n = 8L, digits = 7, ...) {
  digits <- check_count(digits, max = 15)
  n <- check_count(n, min = 0)
  by_k <- if (all(is.na(x$prop))) "k" else "prop"
  size <- function(column, word = column) counted(length(unique(x[[column]])), word)
  cat("<mlbenchmark> ", size("task"), ", ", size("split"), ", ", size("selector"), ", ", size("learner"), ", ",
    size(by_k, "value"), " of ", by_k, ", ", size("measure"), "\n", sep = "")
  rows <- plain_frame(x)
  if (by_k == "k") rows$prop <- NULL
  if (n > 0L && nrow(rows) > 0L) print(utils::head(rows, n), digits = digits, row.names = FALSE)
  more <- nrow(rows) - n
  if (more > 0L) cat("# ", counted(more, "more row"), "; summary(x) gives means over splits\n", sep = "")
  failed <- if (is.data.frame(attr(x, "failures", exact = TRUE))) benchmark_part(x, "failures")
  n_failed <- NROW(failed)
  if (n_failed > 0L) cat("# ", counted(n_failed, "failure"), "; failures(x) says why\n", sep = "")
  if (n_failed > 0L && nrow(rows) > 0L && all(is.na(rows$value))) cat(
    strwrap(paste("every value is missing; the first failure:", strsplit(failed$message[1L], "\n")[[1L]][1L]),
      prefix = "# "), sep = "\n"
  )
  invisible(x)
}

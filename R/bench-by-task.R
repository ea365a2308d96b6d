#' Parameters that differ by task
#'
#' In [benchmark_selectors()], one name can stand for a selector, learner or discretizer with other parameters for each
#' task. An example is a number of labels that was chosen for each data set.
#'
#' A folder of a benchmark keeps the whole of `by_task()`. A later call may use fewer tasks, but a call with another
#' choice is refused, as for any parameter.
#'
#' @param ... Selectors, learners or discretizers, all of one of these kinds. Their names are names of tasks.
#' @param otherwise What the other tasks get. With `NULL`, there must be one for each task of the benchmark.
#' @return An object of class `mlbytask`, which [benchmark_selectors()] accepts among its `selectors` and `learners`,
#'   and as its `discretizer`.
#' @family benchmarks
#' @examples
#' package <- sub("::.*", "", rownames(help_pages))
#' tasks <- list(base = help_pages[package == "base", ], stats = help_pages[package == "stats", ])
#' set.seed(1)
#' bench <- benchmark_selectors(
#'   tasks,
#'   list(EBLS = by_task(base = sel_ebls(n_labels = 5), stats = sel_ebls(n_labels = 8)), sel_mim()),
#'   lrn_nb(), rs_holdout(repeats = 2), k = 1:3, measures = "hamming_loss",
#'   discretizer = by_task(base = disc_presence(), otherwise = disc_auto())
#' )
#' bench
#' @export
by_task <- function(..., otherwise = NULL) {
  parts <- list(...)
  given <- rlang::names2(parts)
  if (length(parts) == 0L || !all(nzchar(given))) abort(c("{.fn by_task} needs objects that have the names of tasks.",
    x = if (length(parts) == 0L) "There are none." else "Number {which(!nzchar(given))[1]} has no name.",
    i = "For example, {.code by_task(yeast = disc_equal_width(2), otherwise = disc_auto())}."))
  check_distinct(given, "...")
  all <- c(parts, if (!is.null(otherwise)) list(otherwise = otherwise))
  kinds <- lapply(all, \(part) intersect(class(part), c("mlselector", "mllearner", "mldiscretizer")))
  odd <- which(lengths(kinds) == 0L | !vapply(kinds, identical, NA, kinds[[1L]]))
  if (length(odd) > 0L) abort(c("All objects in {.fn by_task} must be selectors, or all learners, or all discretizers.",
    x = "{.field {names(all)[odd[1L]]}} is {describe(all[[odd[1L]]])}."))
  structure(list(name = all[[1L]]$name, kind = kinds[[1L]], parts = parts, otherwise = otherwise), class = "mlbytask")
}

# The object for a task. Objects that do not differ by task are returned unchanged.
for_task <- function(x, task) if (inherits(x, "mlbytask")) x$parts[[task]] %||% x$otherwise else x

# Whether `x` is a by_task() object of the given kind.
is_by_task <- function(x, class) inherits(x, "mlbytask") && identical(x$kind, class)

check_serves_tasks <- function(x, tasks, arg) {
  if (!inherits(x, "mlbytask") || !is.null(x$otherwise)) return(invisible())
  missing <- setdiff(tasks, names(x$parts))
  if (length(missing) > 0L) abort(c("{.fn by_task} must name every task of the benchmark, or have {.arg otherwise}.",
    x = "In {.arg {arg}}, there is none for {.val {missing}}."))
}

#' @export
print.mlbytask <- function(x, ...) print_line(x, describe_by_task(x))

describe_by_task <- function(x) {
  all <- c(x$parts, if (!is.null(x$otherwise)) list(otherwise = x$otherwise))
  paste(paste0(names(all), ": ", vapply(all, describe_spec, "")), collapse = "; ")
}

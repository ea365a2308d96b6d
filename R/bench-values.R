# Access to a benchmark for comparisons: one measure and one learner, with values as arrays split x grid x selector.

check_benchmark <- function(bench, arg = rlang::caller_arg(bench)) {
  check_class(bench, "mlbenchmark", "Make one with {.fn benchmark_selectors}.", arg = arg)
  lost <- setdiff(benchmark_columns, names(bench))
  if (length(lost) > 0L) abort(c("{.arg {arg}} must have all columns of a benchmark.", x = "Missing: {.val {lost}}."))
  if (nrow(bench) == 0L) abort(c("{.arg {arg}} must have rows.", x = "It has none."))
  invisible(bench)
}

# Names that are in `known`; all of them if NULL.
check_known <- function(x, known, arg) {
  if (is.null(x)) return(known)
  odd <- if (is.character(x)) setdiff(x, known)
  if (is.character(x) && length(x) > 0L && length(odd) == 0L) return(unique(x))
  abort(c("{.arg {arg}} must be among {.val {known}}.",
    x = if (length(odd) > 0L) "There is no {.val {odd[1L]}}." else "It is {describe(x)}.",
    i = if (length(odd) > 0L) did_you_mean(odd[1L], known)))
}

# The value of `column` to use: the one that the user named, or the only one.
bench_pick <- function(bench, column, wanted, several = FALSE) {
  found <- unique(as.character(bench[[column]]))
  if (is.null(wanted)) {
    if (length(found) == 1L || several) return(found)
    abort(c("{.arg {column}} must name one of the {length(found)} {column}s of the benchmark.",
      x = "It is NULL.", i = "They are {.val {found}}."))
  }
  if (!several) check_string(wanted, arg = column)
  bad <- if (is.character(wanted)) setdiff(wanted, found)
  if (!is.character(wanted) || length(wanted) == 0L || length(bad) > 0L) {
    shown <- if (length(bad) == 1L) describe(bad) else describe(wanted)
    abort(c("{.arg {column}} must be in the benchmark: {.or {.val {found}}}.", x = "It is {shown}.",
      i = if (is.character(bad) && length(bad) > 0L) did_you_mean(bad[1L], found)))
  }
  wanted
}

# "minimize" or "maximize", from the benchmark's table of measures, or else from the registry.
bench_direction <- function(bench, measure) {
  known <- attr(bench, "measures")
  direction <- if (is.data.frame(known)) as.character(known$direction[match(measure, known$measure)])
  if (length(direction) != 1L || is.na(direction)) direction <- known_measure(measure)$direction
  if (is.null(direction)) abort(c("The benchmark does not say which direction of {.val {measure}} is better.",
    i = "Its attribute {.field measures} was lost; use what {.fn benchmark_selectors} returned."))
  direction
}

# One measure and learner of a benchmark. `values`: one array split x grid x selector for each task, with NA for missing
# cells. `by`: what the grid counts, "k" or "prop".
bench_values <- function(bench, measure, learner, arg = "bench") {
  check_benchmark(bench, arg = arg)
  measure <- bench_pick(bench, "measure", measure)
  learner <- bench_pick(bench, "learner", learner)
  by <- bench_grid(bench)
  rows <- bench$measure == measure & bench$learner == learner
  if (!any(rows)) {
    abort(c("The benchmark must have values of {.arg measure} for {.arg learner}.",
      x = "It has none of {.val {measure}} for {.val {learner}}.",
      i = "It has {.val {unique(bench$measure[bench$learner == learner])}}."))
  }
  cells <- data.frame(task = as.character(bench$task), split = as.character(bench$split),
    selector = as.character(bench$selector), at = signif(bench[[by]], 12),
    value = bench$value)[rows, ]
  if (anyDuplicated(cells[c("task", "split", "selector", "at")])) {
    abort(c("Each task, split, selector and {by} must occur once in the benchmark.", x = "Some occur twice."))
  }
  selectors <- unique(cells$selector)
  tasks <- unique(cells$task)
  list(values = lapply(split(cells, factor(cells$task, tasks)), cell_array, selectors), by = by, measure = measure,
    learner = learner, selectors = selectors, tasks = tasks, direction = bench_direction(bench, measure))
}

bench_grid <- function(bench) {
  shares <- !is.na(bench$prop)
  if (any(shares) && !all(shares)) abort(c("The benchmark must hold counts of features or shares, not both.",
    i = "Keep one kind, such as {.code bench[is.na(bench$prop), ]}."))
  if (any(shares)) "prop" else "k"
}

cell_array <- function(cells, selectors) {
  splits <- unique(cells$split)
  grid <- sort(unique(cells$at))
  out <- array(
    NA_real_, c(length(splits), length(grid), length(selectors)), list(splits, number_text(grid), selectors)
  )
  out[cbind(match(cells$split, splits), match(cells$at, grid), match(cells$selector, selectors))] <- cells$value
  out
}

format_number <- function(x) vapply(x, format, "", digits = 6)

# The position of one value of k or prop in the grid, NA if the task does not have it.
grid_position <- function(cells, at) {
  near <- which(abs(as.numeric(dimnames(cells)[[2L]]) - at) < 1e-6)
  if (length(near) == 1L) near else NA_integer_
}

# NULL for the whole grid, or the requested point, which must be in the benchmark.
bench_point <- function(found, k, prop) {
  asked <- list(k = k, prop = prop)
  if (is.null(k) && is.null(prop)) return(NULL)
  wrong <- setdiff(c("k", "prop"), found$by)
  if (!is.null(asked[[wrong]])) {
    abort(c("{.arg {wrong}} must be left out: the benchmark was run over {.arg {found$by}}.",
      i = "Name the point with {.arg {found$by}}."))
  }
  point <- if (found$by == "k") check_count(k) else check_number(prop, 0, 1)
  grid <- sort(unique(as.numeric(unlist(lapply(found$values, colnames)))))
  if (!any(abs(grid - point) < 1e-6)) {
    abort(c("{.arg {found$by}} must be one of the values of the benchmark.", x = "It is {.val {point}}.",
      i = "Its values are {.val {grid}}."))
  }
  point
}

only_point <- function(found) {
  grid <- unique(as.numeric(unlist(lapply(found$values, colnames))))
  if (length(grid) == 1L) grid
}

# Ranks with averaged ties. Values that agree to 12 digits are ties: smaller differences are rounding errors of sums,
# which depend on the order of the splits. `scale`: the size of the numbers that `x` was computed from.
tied_rank <- function(x, scale) {
  o <- order(x)
  if (length(x) < 2L) return(rank(x))
  noise <- 1e-12 * scale[o]
  apart <- diff(x[o]) > pmax(noise[-1L], noise[-length(x)])
  group <- cumsum(c(TRUE, apart))
  size <- tabulate(group)
  out <- numeric(length(x))
  out[o] <- (cumsum(size) - (size - 1) / 2)[group]
  out
}

better_rank <- function(x, direction) tied_rank(if (direction == "maximize") -x else x, abs(x))

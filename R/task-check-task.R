#' Features that mislead or add nothing
#'
#' `check_task()` finds features that number the rows, that have many levels, that are constant, that repeat another
#' feature, or that are a copy of a target. `drop_features()` removes them.
#'
#' The problems are called:
#'
#' * `"id"`: a factor or a text in which more than 90 % of the rows have a value of their own, or a column of whole
#'   numbers that runs, or nearly runs, from 1 to the number of rows (at least 20 rows). Such a feature tells rows apart
#'   and nothing else. Its numbers may skip or repeat a tenth of the rows and may start anywhere. They must increase or
#'   decrease from row to row, unless this is the only such column: several columns in other orders are ranks. Other
#'   numbers are never ids, however many different values they have.
#' * `"levels"`: a discrete feature with many levels for its rows: more than 5, and fewer than 20 rows for each level on
#'   average (at least 20 rows). Such a feature looks informative to selectors that count, even if it is noise.
#'   [`sel_mim(adjust = "chance")`][sel_mim()] allows for this; or group the levels, or leave the feature out.
#' * `"constant"`: the same value in all rows.
#' * `"duplicate"`: equal to an earlier feature in all rows. `detail` names the first one.
#' * `"target_copy"`: equal to a target in all rows, or its opposite if both are 0 and 1. `detail` names the target.
#'
#' @param task (`mltask`) The data.
#' @return `check_task()` gives a data frame with the columns `feature` (name), `problem` and `detail`, a row for each
#'   problem in the order of the features. `drop_features()` gives a task without the features that have one of the
#'   problems; it is an error if no feature is left.
#' @family tasks
#' @examples
#' x <- data.frame(id = 1:30, a = rep(1:3, 10), b = rep(1:3, 10), c = 0)
#' task <- mltask(x, data.frame(label = rep(0:1, 15)))
#' check_task(task)
#' drop_features(task, c("id", "duplicate"))
#' @export
check_task <- function(task) {
  check_mltask(task, weighted = TRUE, unknown = TRUE)
  found <- task_problems(task)
  order <- order(found$index, match(found$problem, problem_names))
  data.frame(feature = colnames(task$x)[found$index], problem = found$problem, detail = found$detail)[order, ] |>
    `rownames<-`(NULL)
}

#' @rdname check_task
#' @param what Which problems: some of `"id"`, `"levels"`, `"constant"`, `"duplicate"`, `"target_copy"`. Features with
#'   many levels are kept unless `"levels"` is among them.
#' @export
drop_features <- function(task, what = c("id", "constant", "duplicate", "target_copy")) {
  check_mltask(task, weighted = TRUE, unknown = TRUE)
  odd <- if (is.character(what)) setdiff(what, problem_names)
  if (!is.character(what) || length(what) == 0L || length(odd) > 0L) {
    abort(c("{.arg what} must be some of {.val {problem_names}}.",
      x = "It {if (length(odd) > 0L) \"has\" else \"is\"} {describe(if (length(odd) > 0L) odd[1L] else what)}."))
  }
  found <- task_problems(task)
  dropped <- unique(found$index[found$problem %in% what])
  if (length(dropped) == 0L) return(task)
  left <- setdiff(seq_len(ncol(task$x)), dropped)
  if (length(left) == 0L) {
    abort(c("{.fn drop_features} must leave at least one feature.",
      x = "All {length(dropped)} feature{?s} {?has/have} one of the problems {.val {what}}.",
      i = "{.fn check_task} lists them."))
  }
  task[, left]
}

# Reports once, when the task is made, what may mislead selectors. `known`: names of features whose use the user chose
# with `discrete`.
report_traps <- function(task, known = NULL) {
  chosen <- match(known, colnames(task$x))
  ids <- id_columns(task, integer())
  report_numbers(task, c(ids, chosen))
  report_weights(task)
  # With few rows, columns may agree by chance.
  if (nrow(task$x) < 20L) return(task)
  many <- setdiff(many_level_columns(task), c(ids, chosen))
  ids <- setdiff(ids, chosen)
  copies <- named_copies(task)
  if (length(ids) + length(many) + length(copies) == 0L) return(task)
  inform(c(
    "!" = trap(task, ids, "identifies the rows", "identify the rows"),
    "!" = trap(task, many, "has many levels for its rows", "have many levels for their rows"),
    "!" = trap(task, copies, "is a copy of a target", "are copies of targets"),
    i = "Many selectors rank such features first. {.fn check_task} lists them, {.fn drop_features} removes them.",
    i = if (length(many) > 0L) paste("If the levels matter, group them, or use {.code sel_mim(adjust = \"chance\")},",
      "which allows for their number.")
  ))
  task
}

# Integers that are used as numbers, except for `known` columns.
report_numbers <- function(task, known) {
  numbers <- setdiff(which(integer_columns(task$x) & !task$discrete), known)
  if (length(numbers) == 0L) return(invisible())
  inform(c(
    i = trap(task, numbers, "has many values and is used as a number", "have many values and are used as numbers",
      "Integer feature"),
    " " = "{.arg discrete} of {.fn mltask} says otherwise."
  ))
}

# Weights whose column was left among the features.
report_weights <- function(task) {
  if (!is.data.frame(task$x) || length(unique(task$weights)) < 2L) return(invisible())
  same <- which(vapply(task$x, function(x) is.numeric(x) && isTRUE(all(x == task$weights)), NA))
  if (length(same) == 0L) return(invisible())
  inform(c("!" = trap(task, same, "has the weights of the rows", "have the weights of the rows"),
    i = "To take it out of the features, name it in {.arg weights} or {.arg exclude}."))
}

# 'Features "a", "b", "c", ... have it', or NULL if there are none. It is text for cli, so braces are doubled.
trap <- function(task, columns, one, more, noun = "Feature") {
  n <- length(columns)
  if (n == 0L) return(NULL)
  names <- encodeString(colnames(task$x)[utils::head(columns, 3L)], quote = "\"")
  names <- gsub("([{}])", "\\1\\1", names)
  paste0(
    noun, if (n > 1L) "s", " ", paste(names, collapse = ", "), if (n > 3L) ", ...", " ", if (n == 1L) one else more, "."
  )
}

# Features that are copies of targets. In a pattern, only features with as many ones as some label are compared.
named_copies <- function(task) {
  at <- seq_len(ncol(task$x))
  if (is_pattern(task$x) && task_kind(task) == "label") {
    at <- which(diff(task$x@p) %in% Matrix::colSums(task$y))
    if (length(at) == 0L) return(at)
    if (length(at) < ncol(task$x)) task$x <- task$x[, at, drop = FALSE]
  }
  at[unique(target_copies(task, cpp_column_hashes(task$x), which(cpp_constant_columns(task$x)))$index)]
}

problem_names <- c("id", "levels", "constant", "duplicate", "target_copy")

# list(index, problem, detail).
task_problems <- function(task) {
  x <- task$x
  constant <- which(cpp_constant_columns(x))
  hashes <- cpp_column_hashes(x)
  first <- match(hashes, hashes)
  twins <- setdiff(which(first != seq_along(first)), constant)
  twins <- twins[vapply(twins, function(f) same_column(x, f, x, first[f]), NA)]
  ids <- id_columns(task, constant)
  many <- setdiff(many_level_columns(task), ids)
  copies <- target_copies(task, hashes, constant)
  list(
    index = c(ids, many, constant, twins, copies$index),
    problem = rep(problem_names, c(length(ids), length(many), length(constant), length(twins), length(copies$index))),
    detail = c(
      paste(distinct_values(x, c(ids, many)), "values in", nrow(x), "rows", recycle0 = TRUE),
      rep("one value", length(constant)), if (length(twins) > 0L) paste("equal to", colnames(x)[first[twins]]),
      copies$detail
    )
  )
}

# What distinguishes columns in any container: the text of a factor, otherwise the rows and values of nonzero cells.
column_values <- function(x, f) {
  if (is_sparse(x)) {
    at <- stored_cells(x, f)
    row <- x@i[at] + 1L
    value <- if (is_pattern(x)) rep(1, length(row)) else x@x[at]
  } else {
    column <- dense_column(x, f)
    if (is.factor(column)) return(as.character(column))
    row <- seq_along(column)
    value <- as.double(column)
  }
  kept <- is.na(value) | value != 0
  list(row[kept], value[kept])
}

same_column <- function(x, f, y, g) identical(column_values(x, f), column_values(y, g))

distinct_values <- function(x, columns) {
  vapply(columns, function(f) length(unique(dense_column(x, f))), 0L)
}

# Discrete features with so many levels that they look informative by chance.
many_level_columns <- function(task) {
  if (nrow(task$x) < 20L) return(integer())
  cpp_with_more_values(task$x, which(task$discrete), few_levels(nrow(task$x)))
}

# Factors with a unique level in most rows, and whole numbers that number the rows.
id_columns <- function(task, constant) {
  x <- task$x
  n <- nrow(x)
  if (n < 20L || is_sparse(x)) return(integer())
  candidates <- setdiff(seq_len(ncol(x)), constant)
  # For most features, the first rows already show that they are not ids.
  some <- x[seq_len(min(n, 100L)), , drop = FALSE]
  candidates <- candidates[vapply(candidates, function(f) distinct_share(dense_column(some, f)) > 0.5, NA)]
  factors <- candidates[vapply(candidates, function(f) is.factor(dense_column(x, f)), NA)]
  factors <- factors[vapply(factors, function(f) distinct_share(dense_column(x, f)) > 0.9, NA)]
  running <- setdiff(candidates, factors)
  running <- running[vapply(running, function(f) is_running(dense_column(x, f)), NA)]
  # Several columns with different orders are ranks.
  sorted <- vapply(running, function(f) is_sorted(dense_column(x, f)), NA)
  sort(c(factors, if (sum(!sorted) > 1L) running[sorted] else running))
}

distinct_share <- function(column) length(unique(column)) / length(column)

# Whole numbers whose range is that of the row numbers, or nearly so.
is_running <- function(column) {
  if (!is.numeric(column) || anyNA(column)) return(FALSE)
  range <- range(column)
  diff(as.double(range)) < length(column) / 0.9 && all(column == round(column)) && distinct_share(column) > 0.9
}

is_sorted <- function(column) !is.unsorted(column) || !is.unsorted(rev(column))

target_copies <- function(task, hashes, constant) {
  if (task_kind(task) == "class") return(class_copies(task))
  copies_of <- function(y, words) {
    at <- match(hashes, cpp_column_hashes(y))
    equal <- setdiff(which(!is.na(at)), constant)
    equal <- equal[vapply(equal, function(f) same_column(task$x, f, y, at[f]), NA)]
    list(index = equal, detail = paste(words, colnames(y)[at[equal]], recycle0 = TRUE))
  }
  copies <- copies_of(task$y, "equal to")
  if (task_kind(task) != "label" || is_sparse(task$x)) return(copies)
  Map(c, copies, copies_of(1L - label_matrix(task), "the opposite of"))
}

# Factors that partition the rows in the same way as a class target.
class_copies <- function(task) {
  x <- task$x
  factors <- if (is.data.frame(x)) which(vapply(x, is.factor, NA)) else integer()
  pairs <- lapply(unname(factors), function(f) {
    same <- vapply(task$y, function(target) identical(as.character(x[[f]]), as.character(target)), NA)
    if (any(same)) list(index = f, detail = paste("equal to", names(task$y)[same][1L]))
  })
  pairs <- Filter(Negate(is.null), pairs)
  list(index = vapply(pairs, `[[`, 0L, "index"), detail = vapply(pairs, `[[`, "", "detail"))
}

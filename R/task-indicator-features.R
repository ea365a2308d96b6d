#' Replace factors by indicators
#'
#' Selectors and learners that compute with numbers refuse factors of more than two levels that are not ordered. This
#' replaces each such factor by one feature of zeros and ones for each of its levels, called `feature=level`. Factors of
#' two levels and logicals become 0 and 1. Numbers and ordered factors stay as they are. Other targets, rows and
#' the name of the task do not change. Levels are those of the task, so rows that are predicted later need factors with
#' the same levels, in the same order.
#'
#' @param task A task.
#' @return A task. Indicators are discrete. A missing value of a factor is missing in all of its indicators. Features
#'   that are not in a data frame have no factors, and such a task is returned as it is.
#' @family tasks
#' @examples
#' task <- mltask(data.frame(a = c(1.5, 2, 3), b = factor(c("u", "v", "w"))), c(0, 1, 1))
#' features(indicator_features(task))
#' @export
indicator_features <- function(task) {
  check_mltask(task)
  x <- task$x
  if (!is.data.frame(x)) return(task)
  parts <- lapply(seq_along(x), function(f) indicators(x[[f]], names(x)[f]))
  made <- as.data.frame(unlist(parts, recursive = FALSE), optional = TRUE)
  attr(made, "row.names") <- attr(x, "row.names")
  twice <- anyDuplicated(names(made))
  if (twice > 0L) abort(c("The names of indicators must differ from those of other features.",
    x = "{.val {names(made)[twice]}} is there more than once.", i = "Rename the feature or the level."))
  task$x <- made
  task$discrete <- stats::setNames(rep(task$discrete, lengths(parts)), names(made))
  task
}

# The indicator columns for a column, as a named list.
indicators <- function(column, name) {
  if (is.logical(column)) return(stats::setNames(list(as.integer(column)), name))
  if (!is.factor(column) || is.ordered(column)) return(stats::setNames(list(column), name))
  levels <- levels(column)
  if (length(levels) <= 2L) return(stats::setNames(list(as.integer(column) - 1L), name))
  columns <- as.list(as.data.frame(indicator_columns(as.integer(column), length(levels))))
  stats::setNames(columns, paste0(name, "=", levels))
}

# A 0/1 column for each of the codes 1, 2, ..., n.
indicator_columns <- function(codes, n) outer(codes, seq_len(n), `==`) + 0L

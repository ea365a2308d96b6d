#' Join the rows of tasks
#'
#' Tasks with the same features and targets, in the same order, become one task. Columns are joined by a new task from
#' the data instead.
#'
#' @param ... Tasks (`mltask`).
#' @param deparse.level Not used.
#' @return A task with the name of the first one. Factors have the levels of all tasks. Errors of class `mlsift_error`
#'   name the first feature or target that differs in its name, type or order of levels, or another kind of targets.
#' @family tasks
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' rbind(cars[1:5, ], cars[16:20, ])
#' @export
rbind.mltask <- function(..., deparse.level = 1) {
  tasks <- Filter(Negate(is.null), list(...))
  for (task in tasks) {
    check_class(task, "mltask", "Make one with {.fn mltask}, or bind the data first.", arg = "...")
  }
  first <- tasks[[1L]]
  for (task in tasks[-1L]) {
    check_same_columns(colnames(first$x), colnames(task$x), "feature")
    check_same_columns(target_names(first), target_names(task), "target")
    check_same_types(first$x, task$x)
    if (task_kind(first) != task_kind(task)) abort(c("Tasks whose rows are joined must have targets of the same kind.",
      x = "There are {.val {task_kind(first)}} and {.val {task_kind(task)}}."))
  }
  rows <- bind_mlrows(lapply(tasks, `[[`, "rows"))
  if (length(tasks) == 1L) return(first)
  x <- do.call(rbind, lapply(tasks, features))
  y <- do.call(rbind, lapply(tasks, targets))
  task <- mltask(x, y, kind = task_kind(first), name = first$name, discrete = first$discrete)
  task$rows <- rows
  task
}

check_same_columns <- function(expected, found, what) {
  if (identical(expected, found)) return(invisible())
  n <- seq_len(max(length(expected), length(found)))
  at <- which(is.na(expected[n]) | is.na(found[n]) | expected[n] != found[n])[1L]
  abort(c("Tasks whose rows are joined must have the same {what}s in the same order.",
    x = "Number {at} is {.val {expected[at]}} in one task and {.val {found[at]}} in another."))
}

# Joining numbers and text would make text of both, and levels in two orders have none.
check_same_types <- function(expected, found) {
  words <- lapply(list(expected, found), column_words)
  at <- which(words[[1L]] != words[[2L]])[1L]
  if (!is.na(at)) abort(c("Tasks whose rows are joined must have features of the same types.",
    x = "{.val {colnames(expected)[at]}} has {words[[1L]][at]} in one task and {words[[2L]][at]} in another."))
}

column_words <- function(x) {
  if (!is.data.frame(x)) return(rep("numbers", ncol(x)))
  vapply(x, FUN.VALUE = "", function(column) {
    if (is.ordered(column)) paste("the order", paste(levels(column), collapse = " < "))
    else if (is.factor(column)) "levels without an order" else "numbers"
  })
}

#' @export
cbind.mltask <- function(..., deparse.level = 1) {
  abort(c("Tasks cannot be joined by columns.",
    i = "Join the data, {.fn features} and {.fn targets}, and make a new task with {.fn mltask}."))
}

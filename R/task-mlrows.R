#' Groups and times of rows
#'
#' Rows may belong together, such as the visits of a patient or the sentences of a document, and may come in an order of
#' time. A task that knows this never learns from one row of a group to be tested on another, nor from the future.
#'
#' @details
#' [mltask()] takes `group` and `time`, and `task[i, ]`, splits, benchmarks and [sift()] keep them with their rows.
#'
#' * **Splits.** [rs_cv()] and [rs_holdout()] keep the rows of a group on one side, unless they are made with `group =
#'   NULL`. This holds at every depth: the splits of a benchmark, those inside [tune_selection()], [sel_best()] and
#'   searches such as [sel_rga()], thresholds, and [assess_features()]. With fewer groups than folds, there are as many
#'   folds as groups, with a message.
#' * **Time.** Where nothing is said, a task with times and without groups is split by [rs_forward()]: models are
#'   tested on rows after those that they learned from.
#' * **Permutations.** [score_test()] and the `check` of [sift()] permute targets only among rows that can change
#'   places, see [score_test()].
#' * **Subsamples** of [sel_bagged()] are drawn by groups.
#'
#' Scores of features do not depend on groups or times. They are computed from all rows at hand.
#' @param task A task.
#' @return
#'   * `row_groups()`: a factor with the group of each row; `NULL` for a task without groups.
#'   * `row_times()`: the times as they were given, numbers, `Date` or `POSIXct`; `NULL` for a task without.
#' @family tasks
#' @examples
#' visits <- data.frame(
#'   patient = rep(c("a", "b", "c"), each = 2), day = c(1, 9, 2, 5, 3, 8),
#'   pulse = c(60, 72, 81, 79, 66, 90), tired = c(0, 1, 0, 0, 0, 1)
#' )
#' task <- mltask(visits, targets = "tired", group = "patient", time = "day")
#' task
#' row_groups(task)
#' set.seed(1)
#' split_rows(task, rs_cv(3))
#' @export
row_groups <- function(task) {
  check_mltask(task, weighted = TRUE, unknown = TRUE)
  task$rows$group
}

#' @rdname row_groups
#' @export
row_times <- function(task) {
  check_mltask(task, weighted = TRUE, unknown = TRUE)
  task$rows$time
}

# What a task knows of its rows beside features and targets. A property of rows is a field and a check here, and a
# method where it means something; the rest of the package carries the object whole. Each field has an element for each
# row. Those that a task does not have are absent.
#
# weights  numbers of 0 or more
# group    a factor without unused levels
# time     numbers, Date or POSIXct
# number   in a part of a task that was made for a split: the numbers of its rows in the whole task
new_mlrows <- function(fields = list()) structure(given_params(fields), class = "mlrows")

# The check of each field: check(values, n, call) returns the values as they are kept.
row_fields <- list(
  weights = function(values, n, call) {
    values <- check_weights(values, n, call)
    if (sum(values) < 2) {
      inform(c("!" = "The weights sum to {signif(sum(values), 3)}, as if the task had no two rows.",
        i = "Methods that count rows take this sum as their number, see {.code ?row_weights}."))
    }
    values
  },
  group = function(values, n, call) droplevels(as_levels(check_row_values(values, n, "group", call))),
  time = function(values, n, call) {
    values <- check_row_values(values, n, "time", call)
    if ((is.numeric(values) || inherits(values, c("Date", "POSIXct"))) && all(is.finite(values))) return(values)
    abort(c("{.arg time} must be finite numbers, dates or times.", x = "It is {describe(values)}.",
      i = "Convert text with {.fn as.Date} or {.fn as.POSIXct}."), call = call)
  }
)

# One value for each of the `n` rows, none of them missing.
check_row_values <- function(values, n, arg, call) {
  if (is.list(values) || !is_atomic(values) && !is.factor(values) || !is.null(dim(values)) || length(values) != n) {
    abort(c("{.arg {arg}} must be the name of a column, or have one value for each of the {n} row{?s}.",
      x = "It is {describe(values)}."), call = call)
  }
  missing <- which(is.na(values))
  if (length(missing) > 0L) {
    abort(c("{.arg {arg}} must not be missing.", x = "That of row {missing[1L]} is.",
      i = "Give such a row a value of its own, or leave it out."), call = call)
  }
  unname(values)
}

#' @export
`[.mlrows` <- function(x, i) {
  x[] <- lapply(x, function(field) if (is.factor(field)) droplevels(field[i]) else field[i])
  x
}

# The rows of a task for one side of a split. They remember their numbers, because resamplings inside may have groups
# for all rows.
split_part <- function(task, rows) {
  if (is.null(task$rows$number)) {
    task$rows$number <- seq_len(nrow(task$x))
    attr(task$rows, "all") <- nrow(task$x)
  }
  task[rows, ]
}

# The number of rows of the whole task.
rows_in_all <- function(rows) attr(rows, "all") %||% 0L

# list(rows, columns): what users give of rows, and the columns of x that it comes from. `given`: a list by the names of
# row_fields of NULL, values, or the name of a column.
take_rows <- function(given, x, call) {
  columns <- integer()
  fields <- list()
  for (arg in names(given)) {
    values <- given[[arg]]
    if (is.null(values)) next
    if (is.character(values) && length(values) == 1L) {
      columns[arg] <- row_column(values, colnames(x), arg, call)
      values <- if (is.data.frame(x)) x[[columns[[arg]]]] else as.vector(x[, columns[[arg]]])
    }
    fields[[arg]] <- row_fields[[arg]](values, NROW(x), call)
  }
  list(rows = new_mlrows(fields), columns = columns)
}

# The position of the column named by `arg`, an argument about rows.
row_column <- function(name, names, arg, call) {
  check_string(name, arg = arg, call = call)
  at <- match(name, names)
  if (!is.na(at)) return(at)
  near <- nearest_name(name, names %||% character())
  kept <- if (arg == "weights") "numbers" else "a value for each row"
  abort(c("{.arg {arg}} must be {kept}, or the name of a column.", x = "There is no column {.val {name}}.",
    i = if (!is.null(near)) "Did you mean {.val {near}}?"), call = call)
}

# Rows of several tasks. All must have the same fields.
bind_mlrows <- function(rows, call) {
  for (field in names(row_fields)) {
    given <- vapply(rows, function(one) !is.null(one[[field]]), NA)
    if (all(given == given[1L])) next
    what <- c(weights = "weights", group = "groups", time = "times")[[field]]
    abort(c("Tasks whose rows are joined must all have {what}, or none.",
      x = "Some have {what} and others do not."), call = call)
  }
  join <- function(field) {
    parts <- lapply(rows, `[[`, field)
    if (is.factor(parts[[1L]])) factor(unlist(lapply(parts, as.character))) else do.call(c, parts)
  }
  new_mlrows(lapply(stats::setNames(nm = names(rows[[1L]])), join))
}

# Lines for print().
cat_mlrows <- function(rows) {
  if (!is.null(rows$weights)) {
    limits <- format(range(rows$weights), digits = 4, trim = TRUE)
    cat("weights from ", limits[1L], " to ", limits[2L], ", sum ", format(sum(rows$weights), digits = 6), "\n",
      sep = "")
  }
  if (!is.null(rows$group)) {
    sizes <- range(tabulate(rows$group))
    cat(counted(nlevels(rows$group), "group"), " of ", paste(format_count(unique(sizes)), collapse = " to "), " ",
      if (sizes[2L] == 1L) "row" else "rows", "\n", sep = "")
  }
  if (!is.null(rows$time)) cat("times from", paste(format(range(rows$time), trim = TRUE), collapse = " to "), "\n")
}

#' @exportS3Method
plain_data.mlrows <- function(x) lapply(unclass(x)[intersect(names(row_fields), names(x))], plain_data)

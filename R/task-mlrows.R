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
#'   tested on rows after those that they learned from. Rows of one time have no order, and are split as without times.
#' * **Permutations.** In [score_test()], the `check` of [sift()] and [stop_permutation()], whole groups change places,
#'   and rows in time move in a circle, see [score_test()].
#' * **Subsamples** of [sel_bagged()] are subsamples of the groups.
#'
#' Scores of features do not depend on groups or times. They are computed from all rows at hand.
#' @param task A task.
#' @return
#'   * `row_groups()`: a factor with the group of each row; `NULL` for a task without groups.
#'   * `row_times()`: the times as numbers, `Date` or `POSIXct`; `NULL` for a task without.
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
  check_mltask(task)
  task$rows$group
}

#' @rdname row_groups
#' @export
row_times <- function(task) {
  check_mltask(task)
  task$rows$time
}

# What a task knows of its rows beside features and targets. A property of rows is a field and a check here, and a
# method where it means something; the rest of the package carries the object whole. Each field has an element for each
# row. Those that a task does not have are absent.
#
# weights  numbers of 0 or more
# group    a factor without unused levels
# time     numbers, Date or POSIXct
# number   in a part of a task that split_part() made: the numbers of its rows in the whole task
new_mlrows <- function(fields = list()) structure(given_params(fields), class = "mlrows")

# The check of each field: check(values, n) returns the values as they are kept.
row_fields <- list(
  weights = function(values, n) {
    values <- check_weights(values, n)
    if (sum(values) < 2) inform(c("!" = "The weights sum to {signif(sum(values), 3)}, as if the task had no two rows.",
      i = "Methods that count rows take this sum as their number, see {.code ?row_weights}."))
    values
  },
  group = function(values, n) droplevels(as_levels(check_row_values(values, n, "group"))),
  time = function(values, n) {
    values <- as_times(check_row_values(values, n, "time"))
    is_text <- is.character(values) || is.factor(values)
    if ((is.numeric(values) || inherits(values, c("Date", "POSIXct"))) && all(is.finite(values))) return(values)
    abort_value(values, "finite numbers, dates or times",
      i = if (is_text) "Text must be written as in {.val 2024-01-31} or {.val 2024-01-31 10:15:00}.",
      i = if (is_text) "{.fn as.Date} and {.fn as.POSIXct} convert other text."
      else if (is.object(values)) "{.fn as.numeric} makes numbers of values of this class.", arg = "time")
  }
)

# Text such as 2024-01-31 or 2024-01-31T10:15:00 becomes dates or times, other values stay.
as_times <- function(values) {
  if (!is.character(values) && !is.factor(values)) return(values)
  text <- sub("T", " ", sub("Z$", "", as.character(values)), fixed = TRUE)
  day <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
  times <- if (all(grepl(paste0(day, "$"), text))) as.Date(text, "%Y-%m-%d")
  else if (all(grepl(paste0(day, " [0-9]{2}:[0-9]{2}$"), text))) as.POSIXct(text, "UTC", "%Y-%m-%d %H:%M")
  else if (all(grepl(paste0(day, " [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?$"), text))) {
    as.POSIXct(text, "UTC", "%Y-%m-%d %H:%M:%OS")
  }
  if (is.null(times) || anyNA(times)) values else times
}

# One value for each of the `n` rows, none of them missing.
check_row_values <- function(values, n, arg) {
  if (is.list(values) || !is_atomic(values) && !is.factor(values) || !is.null(dim(values)) || length(values) != n) {
    abort_value(values, "the name of a column, or have one value for each of the {n} row{?s}", arg = arg)
  }
  missing <- which(is.na(values))
  if (length(missing) > 0L) abort(c("{.arg {arg}} must not be missing.", x = "That of row {missing[1L]} is.",
    i = "Give such a row a value of its own, or leave it out."))
  unname(values)
}

#' @export
`[.mlrows` <- function(x, i) {
  x[] <- lapply(x, function(field) if (is.factor(field)) droplevels(field[i]) else field[i])
  x
}

# Some rows of a task, for one side of a split, a subsample, or without those of weight 0. They remember their numbers,
# because resamplings inside may have groups for all rows.
split_part <- function(task, rows) {
  task$rows <- numbered_rows(task$rows, nrow(task$x))
  task[rows, ]
}

numbered_rows <- function(rows, n) {
  if (!is.null(rows$number)) return(rows)
  rows$number <- seq_len(n)
  structure(rows, all = n)
}

# The same as a task of its own, whose rows begin with number 1.
own_task <- function(task) {
  task$rows$number <- NULL
  attr(task$rows, "all") <- NULL
  task
}

# What users give by row is of the whole task. Of `n` rows at hand: how many it has, and the numbers of these in it.
all_rows <- function(rows, n) attr(rows, "all") %||% n

rows_at_hand <- function(rows, n) rows$number %||% seq_len(n)

# list(rows, columns): what users give of rows, and the columns of x that it comes from. `given`: a list by the names of
# row_fields of NULL, values, or the name of a column.
take_rows <- function(given, x) {
  columns <- integer()
  fields <- list()
  for (arg in names(given)) {
    values <- given[[arg]]
    if (is.null(values)) next
    if (names_column(values)) {
      columns[arg] <- row_column(values, colnames(x), arg)
      values <- column_values(x, columns[[arg]])
    }
    fields[[arg]] <- row_fields[[arg]](values, NROW(x))
  }
  list(rows = new_mlrows(fields), columns = columns)
}

names_column <- function(values) is.character(values) && length(values) == 1L

# Those of `given` that name columns.
named_columns <- function(given) unlist(Filter(names_column, given))

# The positions of columns that hold what is known of rows, by field.
row_columns <- function(columns, names) {
  vapply(stats::setNames(nm = names(columns)), function(arg) row_column(columns[[arg]], names, arg), 0L)
}

refuse_row_targets <- function(rows, targets, names) {
  both <- rows[rows %in% targets]
  if (length(both) == 0L) return(invisible())
  abort(c("{.arg {names(both)[1L]}} must not name a target.", x = "It names {.val {names[both[1L]]}}."))
}

column_values <- function(x, at) if (is.data.frame(x)) x[[at]] else as.vector(x[, at])

# The position of the column named by `arg`, an argument about rows.
row_column <- function(name, names, arg) {
  check_string(name, arg = arg)
  at <- match(name, names)
  if (!is.na(at)) return(at)
  abort(c("{.arg {arg}} must name a column that exists.", x = "There is no column {.val {name}}.",
    i = did_you_mean(name, names %||% character())))
}

# --- rows that can change places --------------------------------------------------------------------------------------

# The group of each row as a number, in the order in which groups appear; NULL without groups.
group_numbers <- function(rows) if (!is.null(rows$group)) match(rows$group, unique(rows$group))

# How values can move among `n` rows if only values matter that rows of equal weight, groups and neighbors in time have
# in common. Units change places: rows, or groups of rows. A list of
#   row, unit    the rows, those of a unit one after the other, and the unit of each
#   first, size  the place in `row` at which each unit begins, and its number of rows
#   sets         units that can take each other's places
#   shift        whether the units of a set move in a circle in the order of time, or are shuffled
# `constant`: whether all rows of a group have the same value, which then fits into a group of any size.
exchangeable_rows <- function(rows, n, constant) {
  group <- group_numbers(rows)
  row <- order(group %||% rep(1L, n), rows$time %||% seq_len(n))
  unit <- group[row] %||% seq_len(n)
  weights <- (rows$weights %||% rep(1, n))[row]
  key <- if (is.null(group)) weights else {
    vapply(split(weights, unit), function(w) paste(if (constant) sort(unique(w)) else w, collapse = " "), "")
  }
  size <- tabulate(unit)
  exchange <- list(row = row, unit = unit, first = match(seq_along(size), unit), size = size,
    sets = unname(split(seq_along(size), key)), shift = is.null(group) && !is.null(rows$time))
  positive <- tabulate(unit[weights > 0], length(size)) > 0L
  used <- Filter(function(set) positive[set[1L]], exchange$sets)
  check_exchange(lengths(used), exchange$shift, rows, constant)
  exchange
}

# With fewer than 20 orders no p-value could reach 0.05. `counts`: of the units that can take each other's places.
check_exchange <- function(counts, shift, rows, constant) {
  if (!any(names(row_fields) %in% names(rows))) return(invisible())
  ways <- if (shift) max(counts) else exp(sum(lfactorial(counts)))
  able <- sum(counts[counts > 1L])
  if (ways > 19.5 && (is.null(rows$group) || able >= 8L)) return(invisible())
  abort(if (!is.null(rows$group)) {
    like <- c("of the same size"[!constant], "with the same weights"[!is.null(rows$weights)])
    c("Values change places by groups of rows, and too few groups can.",
      x = "{able} of {sum(counts)} group{?s} can, in {ways} way{?s}; at least 8 groups and 20 ways are needed.",
      i = if (length(like) > 0L) "A group changes places with groups {like}."
      else "They need a task of more groups.")
  } else if (shift) {
    c("Values move in a circle in the order of time, and there are too few rows for that.",
      x = "{max(counts)} row{?s}{if (!is.null(rows$weights)) \" have the same weight\"}; at least 20 are needed.")
  } else {
    c("Targets are permuted among rows of the same weight, and too few rows of the task share theirs.",
      x = "{sum(counts)} rows have {length(counts)} different weights.",
      i = "Round the weights, or give groups of rows their mean weight.")
  })
}

# One of the possible orders at random.
draw_order <- function(exchange) {
  from <- seq_along(exchange$size)
  # The units of all sets move by the same share of time.
  share <- if (exchange$shift) stats::runif(1L)
  for (set in exchange$sets) {
    m <- length(set)
    from[set] <- set[if (exchange$shift) (seq_len(m) + floor(share * m) - 1) %% m + 1 else sample.int(m)]
  }
  taken <- from[exchange$unit]
  place <- (seq_along(taken) - exchange$first[exchange$unit]) %% exchange$size[taken]
  order <- exchange$row
  order[exchange$row] <- exchange$row[exchange$first[taken] + place]
  order
}

# A function that gives the task with permuted targets, and with what is unknown of them. Targets that do not depend on
# features, given weights, groups and times, are exchangeable among these rows.
target_permuter <- function(task) {
  group <- group_numbers(task$rows)
  constant <- !is.null(group) &&
    identical(plain_data(task$targets[match(group, group), ]), plain_data(task$targets))
  exchange <- exchangeable_rows(task$rows, nrow(task), constant)
  function() {
    task$targets <- task$targets[draw_order(exchange), ]
    task
  }
}

row_words <- c(weights = "weights", group = "groups", time = "times")

# Rows of several tasks. All must have the same fields.
bind_mlrows <- function(rows) {
  for (field in names(row_fields)) {
    given <- vapply(rows, function(one) !is.null(one[[field]]), NA)
    if (all(given == given[1L])) next
    what <- row_words[[field]]
    abort(c("Tasks whose rows are joined must all have {what}, or none.", x = "Some have {what} and others do not."))
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
  if (!is.null(rows$group)) cat(describe_groups(rows$group), "\n", sep = "")
  if (!is.null(rows$time)) cat("times from", paste(format(range(rows$time), trim = TRUE), collapse = " to "), "\n")
}

# "6 groups of 2 to 4 rows"
describe_groups <- function(group) {
  sizes <- tabulate(group)
  paste(counted(length(sizes), "group"), "of", paste(format_count(unique(range(sizes))), collapse = " to "),
    if (max(sizes) == 1L) "row" else "rows")
}

#' @exportS3Method
plain_data.mlrows <- function(x) lapply(unclass(x)[intersect(names(row_fields), names(x))], plain_data)

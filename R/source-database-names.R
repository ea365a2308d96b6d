# Names of features, labels, classes and rows, as a database gives them.

# Values returned by the database, as numbers or text that can be compared.
plain_keys <- function(values, column) {
  if (is.character(values)) return(enc2utf8(values))
  if (is.factor(values)) return(enc2utf8(as.character(values)))
  if (is.numeric(values)) {
    numbers <- if (inherits(values, "integer64")) suppressWarnings(as.double(values)) else as.vector(values)
    if (is.double(numbers) && any(abs(numbers) >= 2^53, na.rm = TRUE)) {
      abort(c("Numbers in the column {.field {column}} must be below 2^53.", i = "Cast them to text in a view."))
    }
    return(numbers)
  }
  found <- class(values)[1L]
  if (is.logical(values) && all(is.na(values))) return(values)
  abort(c("The column {.field {column}} must hold numbers or text.", x = "It holds values of class {.cls {found}}."))
}

key_text <- function(keys) {
  if (!is.numeric(keys)) return(as.character(keys))
  number_text(keys, sprintf("%.0f", keys + 0), scientific = FALSE)
}

# The features or labels as the database stores them, named, in the order of the source.
db_keys <- function(db, column, given) {
  table <- if (column == "feature") "x" else "y"
  if (!is.null(given)) {
    like <- db_ask(db, sprintf("SELECT {%s} FROM {%s} WHERE 1 = 0", column, table))[[1L]]
    keys <- if (is.character(like)) key_text(given)
    else if (is.character(given)) suppressWarnings(as.numeric(given)) else given
    if (anyNA(keys)) keys <- given
    return(stats::setNames(keys, key_text(given)))
  }
  keys <- plain_keys(db_ask(db, sprintf("SELECT DISTINCT {%s} FROM {%s}", column, table))[[1L]], column)
  if (anyNA(keys)) abort_null(column)
  if (length(keys) == 0L) abort(c("The table of {column}s must hold at least one {column}.", x = "It is empty."))
  names(keys) <- key_text(keys)
  keys[order(names(keys), method = "radix")]
}

# The classes of each target as the database stores them, named, sorted in the C locale.
db_classes <- function(db) {
  found <- db_ask(db, "SELECT DISTINCT {label}, {class} FROM {y}")
  target <- key_positions(found[[1L]], db$labels, "label")
  keys <- plain_keys(found[[2L]], "class")
  if (anyNA(keys)) abort_null("class")
  names(keys) <- key_text(keys)
  sorted <- order(names(keys), method = "radix")
  stats::setNames(split(keys[sorted], factor(target[sorted], seq_along(db$labels))), names(db$labels))
}

# With `classes` and `n_columns`, the number of target columns. Classes that are labels leave the lines that mean on.
db_targets <- function(db, kind, on) {
  kind <- check_kind(kind, on)
  if (db$y$class) {
    classes <- db_classes(db)
    decision <- decide_targets(lapply(unname(classes), names), names(classes), kind, on)
    if (check_source_kind(decision$kind) == "label") db <- only_on(db, classes, decision$codes)
    else db$classes <- classes
  } else if (!is.null(on) || !identical(kind %||% "label", "label")) {
    abort(c("{.arg kind} and {.arg on} are for a table of labels with a column {.field class}.",
      x = "In this table, a line {.field (row, label)} means on."))
  }
  db$n_columns <- if (db$y$class) sum(lengths(db$classes)) else length(db$labels)
  db
}

# Leaves the lines of `y` whose class means on, after a look that no row lacks a class.
only_on <- function(db, classes, codes) {
  check_long_table(db, "y", "label")
  lines <- db_ask(db, "SELECT {label}, COUNT(*) FROM {y} t GROUP BY {label}")
  at <- match(seq_along(db$labels), key_positions(lines[[1L]], db$labels, "label"))
  missing <- which(whole_counts(lines[[2L]])[at] < db$n_rows)[1L]
  if (!is.na(missing)) abort_no_class(names(db$labels)[missing], NULL)
  lines_on <- function(label, keys, codes) {
    keys <- keys[names(keys) %in% names(codes)[codes == 1L]]
    if (length(keys) == 0L) return(NULL)
    paste(db_sql(db, "{label} IN"), db_literals(db, label), db_sql(db, "AND {class} IN"), db_literals(db, keys))
  }
  where <- paste(c("1 = 0", unlist(Map(lines_on, db$labels, classes, codes))), collapse = " OR ")
  db$y$name <- paste(db_sql(db, "(SELECT {row} AS {asrow}, {label} AS {aslabel} FROM {y} t WHERE"), where, ")")
  db$y$class <- FALSE
  db
}

# Values as SQL, with all digits of numbers.
db_literals <- function(db, values) {
  literals <- if (is.numeric(values)) key_text(values) else DBI::dbQuoteLiteral(db$con, unname(values))
  paste0("(", paste(literals, collapse = ", "), ")")
}

abort_null <- function(column) {
  abort(c("The tables must not have missing values.", x = "The column {.field {column}} has a NULL.",
    i = "Leave such lines out in a view."))
}

# Positions of database values among the target columns: labels, all classes of all targets, or pairs of labels, of
# which `class` is the second one.
target_positions <- function(db, label, class) {
  target <- key_positions(label, db$labels, "label")
  if (!is.null(db$paired)) {
    one <- match(target, db$paired)
    two <- match(key_positions(class, db$labels, "label"), db$paired)
    return(pair_column(pmin(one, two), pmax(one, two)))
  }
  if (is.null(db$classes)) return(target)
  class <- plain_keys(class, "class")
  if (anyNA(class)) abort_null("class")
  at <- integer(length(class))
  for (t in unique(target)) at[target == t] <- match(class[target == t], db$classes[[t]])
  if (anyNA(at)) abort("The tables must not change between passes.")
  at + cumsum(c(0L, lengths(db$classes)))[target]
}

# The lines of an answer without those of features that are left out. `feature`: of each line.
used_lines <- function(db, lines, feature) {
  if (length(db$excluded) == 0L) return(lines)
  lines[!plain_keys(feature, "feature") %in% db$excluded, , drop = FALSE]
}

# Positions of database values among the features or labels.
key_positions <- function(values, keys, column) {
  values <- plain_keys(values, column)
  if (anyNA(values)) abort_null(column)
  at <- match(values, keys)
  if (anyNA(at)) {
    other <- key_text(values[is.na(at)][1L])
    abort(c("{.arg levels} must name all {column}s of the table.", x = "It does not have {.val {other}}.",
      i = "If {.arg levels} is not given, the table has changed."))
  }
  at
}

# `name`: of the feature or label; NULL for a group or weight.
abort_twice <- function(row, name, what) {
  row <- key_text(row)
  if (is.null(name)) abort(c("A row must have one {what}.", x = "Row {.val {row}} has more than one.",
    i = "Use a view with one line for each row."))
  abort(c("A row must have a {what} once.", x = "Row {.val {row}} has {what} {.val {name}} more than once.",
    i = "Use a view with {.code SELECT DISTINCT}."))
}

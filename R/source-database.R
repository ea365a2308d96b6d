#' Rows of a database
#'
#' `db_source()` makes a source of two tables of a database, one of features and one of targets. [sift_features()] and
#' [count_tables()] read or count them where they are. The result is that of the same rows in memory, to the last bit.
#'
#' # Tables
#' Both tables are long and hold ones only: a line `(row, feature)` says that a row has a feature, and a line
#' `(row, label)` says that a row has a label. The columns must have these names. `row` is a number or text that tells
#' rows apart. Other columns are left alone. Views work as well as tables.
#'
#' If the table of features also has a column `level`, its whole numbers are the values of the features, and pairs that
#' are not in the table have the value 0.
#'
#' If the table of labels also has a column `class`, the targets are classes: a line `(row, label, class)` gives the
#' class of the target `label`. Every row must have one of each target. The classes are sorted by name in the C locale.
#'
#' A row without features and labels is in neither table. Such rows count if `n_rows` says so, or if they are in the
#' table of folds or of weights. A feature without ones exists only if `levels` names it.
#'
#' # How rows are counted
#' * By default the rows are fetched in order and counted in C++. A pass is one query, sorted by `row`. An index on
#'   `row` makes it fast. Memory holds the tables of counts and one piece of the rows.
#' * With `push_down = TRUE` the database counts, with `GROUP BY`. It first looks for duplicates and missing values. It
#'   counts ones only, so a table with a column `level` is refused.
#'   Only counts are fetched. The joins make one line for each feature and label of a row, so this pays off where rows
#'   have few of them, or where the database has many cores and the way to it is slow. An index on `feature` helps the
#'   greedy selectors, which ask one or two queries for each selected feature.
#'
#' The driver of DuckDB hands all lines of a query to R at once. So there a table that does not fit in memory needs
#' `push_down = TRUE`.
#'
#' Names are quoted by the driver, and values are bound as parameters.
#'
#' # Changes
#' All passes run in one transaction, if none is open on `con`. On PostgreSQL it is a repeatable read; other databases
#' use their own default, which shows one state of the tables on SQLite and DuckDB. It is rolled back at the end, as
#' nothing is written. The sums of the passes are compared, so that a change is noticed where the transaction does not
#' prevent it.
#'
#' @param con A connection of package DBI, such as `DBI::dbConnect(RSQLite::SQLite(), file)`.
#' @param x,y The tables of features and of labels or classes: a name, or a `DBI::Id()` with a schema.
#' @param levels `list(features = , labels = )`: the names of features and labels, in their order. What is left out is
#'   found in the tables, and sorted by name in the C locale.
#' @param n_rows The number of rows. `NULL` counts the rows that the tables hold, with a message.
#' @param folds The table `(row, fold)` with the fold of each row, or `NULL`. [count_tables()] then gives the tables of
#'   each fold. [sift_features()] takes all rows.
#' @param push_down (flag) Whether the database counts. Selectors that transform labels, such as [sel_chi2()], need the
#'   rows and refuse this.
#' @param weights The table `(row, weight)` with the [weight][row_weights()] of each row, a whole number, or `NULL`.
#' @return A source, see [chunk_source()]. It needs the connection: it cannot be saved, or used after
#'   `DBI::dbDisconnect()`.
#'
#'   Errors have the class `mlsift_error`. They occur if a table or column does not exist, if a pair of row and feature
#'   or label occurs twice, for missing values (`NULL`), for features and labels that `levels` does not name, if the
#'   tables change between passes, and if the database gives an error. Numbers of 2^53 and more that stand for rows,
#'   features or labels cannot be told apart, and give an error too: cast them to text.
#' @family sources
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' words <- data.frame(
#'   row = c(1, 1, 2, 3, 3, 4), feature = c("ball", "goal", "vote", "ball", "vote", "goal")
#' )
#' tags <- data.frame(row = c(1, 2, 3, 4), label = c("sports", "politics", "politics", "sports"))
#' DBI::dbWriteTable(con, "words", words)
#' DBI::dbWriteTable(con, "tags", tags)
#' source <- db_source(con, "words", "tags", n_rows = 5)
#' source
#' sift_features(source, sel_mim())
#' DBI::dbDisconnect(con)
#' @export
db_source <- function(con, x, y, levels = NULL, n_rows = NULL, folds = NULL, push_down = FALSE, weights = NULL) {
  call <- rlang::current_env()
  if (!requireNamespace("DBI", quietly = TRUE)) {
    abort(c("Reading a database needs the package {.pkg DBI}.", i = "Install it, and a driver such as {.pkg RSQLite}."))
  }
  if (!inherits(con, "DBIConnection")) {
    found <- describe(con)
    abort(c("{.arg con} must be a connection of package {.pkg DBI}.", x = "It is {found}."))
  }
  check_connection(con, call)
  check_flag(push_down)
  n_rows <- check_number(n_rows, min = 1, finite = TRUE, null = TRUE)
  check_db_levels(levels, call)
  db <- list(
    con = con, x = db_table(con, x, "x", c("row", "feature"), call), y = db_table(con, y, "y", c("row", "label"), call),
    folds = if (!is.null(folds)) db_table(con, folds, "folds", c("row", "fold"), call),
    weights = if (!is.null(weights)) db_table(con, weights, "weights", c("row", "weight"), call)
  )
  if (push_down && db$x$level) {
    abort(c("A database counts ones only.", x = "The table of features has a column {.field level}.",
      i = "Use {.code push_down = FALSE}, or a view without that column."))
  }
  db$features <- db_keys(db, "feature", levels$features, call)
  db$labels <- db_keys(db, "label", levels$labels, call)
  db$classes <- if (db$y$class) db_classes(db, call)
  db$n_columns <- if (db$y$class) sum(lengths(db$classes)) else length(db$labels)
  if (is.null(n_rows)) {
    n_rows <- db_rows(db, call)
    also <- paste0(if (!is.null(folds)) " or fold", if (!is.null(weights)) " or weight")
    inform(c(i = "Counted {counted(n_rows, \"row\")} with a feature or label{also}.",
      " " = "Use {.arg n_rows} if there are more."))
  }
  db$n_rows <- n_rows
  db$state <- new.env(parent = emptyenv())
  source <- new_mlsource(
    function(call) db_pass(db, call), names(db$features), names(db$labels), n_rows,
    paste0("tables ", db$x$shown, " and ", db$y$shown), rep(if (db$x$level) TRUE else NA, length(db$features)),
    checked = TRUE, begin = function(call) begin_reading(db, call), kind = if (db$y$class) "class" else "label",
    classes = if (db$y$class) lapply(db$classes, names), weighted = !is.null(weights)
  )
  source$folds <- !is.null(folds)
  if (push_down) source$push <- list(
    tables = function(call) db_tables(db, call), folds = function(call) db_fold_tables(db, call),
    ask = function(call) function(s, labels) db_pairs(db, s, labels, call)
  )
  source
}

# --- database access --------------------------------------------------------------------------------------------------

check_connection <- function(con, call) {
  if (or_else(DBI::dbIsValid(con), FALSE)) return(invisible())
  abort(c("The connection {.arg con} must be open.", x = "It has been closed, or was lost.",
    i = "Connect again, and call {.fn db_source} again."), call = call)
}

# Raises errors of the database as ours.
db_try <- function(expr, doing, call) {
  failed <- function(e) {
    reason <- conditionMessage(e)
    abort(c("The database gave an error {doing}.", x = "{reason}"), parent = NA, call = call)
  }
  catch_foreign(expr, failed)
}

fetch_lines <- function(result, n) DBI::dbFetch(result, n = n)

# The result of a query; `value` is bound to its placeholder.
db_ask <- function(db, sql, call, value = NULL, n = -1L) {
  db_try({
    result <- DBI::dbSendQuery(db$con, sql)
    on.exit(try(DBI::dbClearResult(result), silent = TRUE))
    if (!is.null(value)) DBI::dbBind(result, list(value))
    fetch_lines(result, n)
  }, "while it counted", call)
}

# SQL from a template: {row}, {feature}, {label}, {level}, {class}, {fold} and {weight} are columns, {asrow} and so on
# only their names. {x}, {y}, {folds} and {weights} are names of tables, and {value} is a placeholder.
db_sql <- function(db, template) {
  parts <- list(x = db$x$name, y = db$y$name, folds = db$folds$name, weights = db$weights$name,
    value = db_placeholder(db$con))
  # In SQLite, a column may be declared such that "ab" equals "AB". Here these are two names.
  binary <- if (inherits(db$con, "SQLiteConnection")) " COLLATE BINARY"
  for (column in c("row", "feature", "label", "level", "class", "fold", "weight")) {
    name <- parts[[paste0("as", column)]] <- db_name(db$con, column)
    parts[[column]] <- paste0(name, if (column != "weight") binary)
  }
  at <- gregexpr("\\{[a-z]+\\}", template)
  words <- gsub("[{}]", "", regmatches(template, at)[[1L]])
  regmatches(template, at) <- list(unlist(parts[words]))
  template
}

db_name <- function(con, name) as.character(DBI::dbQuoteIdentifier(con, name))

is_postgres <- function(con) inherits(con, c("PqConnection", "PostgreSQLConnection"))

db_placeholder <- function(con) if (is_postgres(con)) "$1" else "?"

# list(name, shown, level, class): the quoted name of a table with these columns, and whether it has the last two.
db_table <- function(con, table, arg, columns, call) {
  if (!inherits(table, "Id")) check_string(table, arg = arg, call = call)
  name <- db_name(con, table)
  doing <- paste0("while it looked for the table {.arg ", arg, "}")
  found <- db_try(names(DBI::dbGetQuery(con, paste("SELECT * FROM", name, "WHERE 1 = 0"))), cli::format_inline(doing),
    call)
  absent <- setdiff(columns, found)
  if (length(absent) > 0L) {
    abort(c("The table {.arg {arg}} must have the columns {.field {columns}}.",
      x = "It has no column {.field {absent[1]}}.", i = "A view can give its columns other names."), call = call)
  }
  list(name = name, shown = if (inherits(table, "Id")) name else table, level = "level" %in% found,
    class = "class" %in% found)
}

check_db_levels <- function(levels, call) {
  if (is.null(levels)) return(invisible())
  if (!is.list(levels) || length(setdiff(names(levels), c("features", "labels"))) > 0L || is.null(names(levels))) {
    found <- describe(levels)
    abort(c("{.arg levels} must be {.code list(features = , labels = )}.", x = "It is {found}."), call = call)
  }
  for (side in names(levels)) {
    check_source_names(if (is.numeric(levels[[side]])) key_text(levels[[side]]) else levels[[side]],
      paste0("levels$", side), call)
  }
}

# --- names of features and labels -------------------------------------------------------------------------------------

# Values returned by the database, as numbers or text that can be compared.
plain_keys <- function(values, column, call) {
  if (is.character(values)) return(enc2utf8(values))
  if (is.factor(values)) return(enc2utf8(as.character(values)))
  if (is.numeric(values)) {
    numbers <- if (inherits(values, "integer64")) suppressWarnings(as.double(values)) else as.vector(values)
    if (is.double(numbers) && any(abs(numbers) >= 2^53, na.rm = TRUE)) {
      abort(c("Numbers in the column {.field {column}} must be below 2^53.", i = "Cast them to text in a view."),
        call = call)
    }
    return(numbers)
  }
  found <- class(values)[1L]
  if (is.logical(values) && all(is.na(values))) return(values)
  abort(c("The column {.field {column}} must hold numbers or text.", x = "It holds values of class {.cls {found}}."),
    call = call)
}

key_text <- function(keys) {
  if (!is.numeric(keys)) return(as.character(keys))
  vapply(keys, function(key) format(key, digits = 15, scientific = FALSE), "")
}

# The features or labels as the database stores them, named, in the order of the source.
db_keys <- function(db, column, given, call) {
  if (!is.null(given)) {
    sql <- sprintf("SELECT {%s} FROM {%s} WHERE 1 = 0", column, if (column == "feature") "x" else "y")
    like <- db_ask(db, db_sql(db, sql), call)[[1L]]
    keys <- if (is.character(like)) key_text(given) else given
    if (!is.character(like) && is.character(given)) {
      numbers <- suppressWarnings(as.numeric(given))
      if (!anyNA(numbers)) keys <- numbers
    }
    return(stats::setNames(keys, key_text(given)))
  }
  sql <- sprintf("SELECT DISTINCT {%s} FROM {%s}", column, if (column == "feature") "x" else "y")
  keys <- plain_keys(db_ask(db, db_sql(db, sql), call)[[1L]], column, call)
  if (anyNA(keys)) abort_null(column, call)
  if (length(keys) == 0L) {
    abort(c("The table of {column}s must hold at least one {column}.", x = "It is empty."), call = call)
  }
  text <- key_text(keys)
  sorted <- order(text, method = "radix")
  stats::setNames(keys[sorted], text[sorted])
}

# The classes of each target as the database stores them, named, sorted in the C locale.
db_classes <- function(db, call) {
  found <- db_ask(db, db_sql(db, "SELECT DISTINCT {label}, {class} FROM {y}"), call)
  target <- key_positions(found[[1L]], db$labels, "label", call)
  keys <- plain_keys(found[[2L]], "class", call)
  if (anyNA(keys)) abort_null("class", call)
  text <- key_text(keys)
  sorted <- order(text, method = "radix")
  named <- stats::setNames(keys[sorted], text[sorted])
  stats::setNames(split(named, factor(target[sorted], seq_along(db$labels))), names(db$labels))
}

abort_null <- function(column, call) {
  abort(c("The tables must not have missing values.", x = "The column {.field {column}} has a NULL.",
    i = "Leave such lines out in a view."), call = call)
}

# Positions of database values among the target columns: labels, or all classes of all targets.
target_positions <- function(db, label, class, call) {
  target <- key_positions(label, db$labels, "label", call)
  if (is.null(db$classes)) return(target)
  class <- plain_keys(class, "class", call)
  if (anyNA(class)) abort_null("class", call)
  at <- integer(length(class))
  for (t in unique(target)) at[target == t] <- match(class[target == t], db$classes[[t]])
  if (anyNA(at)) abort("The tables must not change between passes.", call = call)
  at + cumsum(c(0L, lengths(db$classes)))[target]
}

# Positions of database values among the features or labels.
key_positions <- function(values, keys, column, call) {
  values <- plain_keys(values, column, call)
  if (anyNA(values)) abort_null(column, call)
  at <- match(values, keys)
  if (anyNA(at)) {
    other <- key_text(values[is.na(at)][1L])
    abort(c("{.arg levels} must name all {column}s of the table.", x = "It does not have {.val {other}}.",
      i = "If {.arg levels} is not given, the table has changed."), call = call)
  }
  at
}

abort_twice <- function(row, name, what, call) {
  row <- key_text(row)
  abort(c("A row must have a {what} once.", x = "Row {.val {row}} has {what} {.val {name}} more than once.",
    i = "Use a view with {.code SELECT DISTINCT}."), call = call)
}

db_rows <- function(db, call) {
  sql <- paste0(
    "SELECT COUNT(*) FROM (SELECT {row} FROM {x} UNION SELECT {row} FROM {y}",
    if (!is.null(db$folds)) " UNION SELECT {row} FROM {folds}",
    if (!is.null(db$weights)) " UNION SELECT {row} FROM {weights}", ") AS t"
  )
  whole_counts(db_ask(db, db_sql(db, sql), call)[[1L]], call)
}

whole_counts <- function(counts, call) {
  counts <- as.double(counts)
  if (anyNA(counts) || any(counts > 2^53)) abort("A count of the database must not exceed 2^53.", call = call)
  counts
}

# --- transactions -----------------------------------------------------------------------------------------------------

begin_reading <- function(db, call) {
  check_connection(db$con, call)
  db$state$margins <- NULL
  begun <- !in_duckdb_transaction(db$con) && or_else({
    DBI::dbBegin(db$con)
    TRUE
  }, FALSE)
  if (begun && is_postgres(db$con)) {
    db_try(DBI::dbExecute(db$con, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"), "at the beginning", call)
  }
  function() {
    if (begun) try(DBI::dbRollback(db$con), silent = TRUE)
    begun <<- FALSE
  }
}

# DuckDB aborts an open transaction if another one is begun within it. The transaction number does not change within a
# transaction.
in_duckdb_transaction <- function(con) {
  if (!inherits(con, "duckdb_connection")) return(FALSE)
  number <- function() DBI::dbGetQuery(con, "SELECT CAST(txid_current() AS VARCHAR) AS number")$number
  or_else(identical(number(), number()), FALSE)
}

# Compares the counts of a pass with those of the previous pass.
check_margins <- function(db, margins, call) {
  if (!is.null(db$state$margins) && !identical(db$state$margins, margins)) {
    abort(c("The tables must not change between passes.", x = "A pass counted other lines than the one before it.",
      i = "Use a transaction, or a copy of the tables."), call = call)
  }
  db$state$margins <- margins
}

# --- rows in order ----------------------------------------------------------------------------------------------------

# One query for all tables, because most drivers allow only one open result. Each table has typed NULLs in the columns
# of the others.
ordered_query <- function(db) {
  table <- c(feature = "x", level = "x", label = "y", class = "y", fold = "folds", weight = "weights")
  used <- c(TRUE, db$x$level, TRUE, db$y$class, !is.null(db$folds), !is.null(db$weights))
  table <- table[used]
  columns <- names(table)
  none <- paste0("(SELECT {", columns, "} FROM {", table, "} WHERE 1 = 0)")
  side <- function(number, of) {
    values <- ifelse(table == of, paste0("{", columns, "}"), none)
    named <- paste0(values, " AS {as", columns, "}", collapse = ", ")
    paste0("SELECT {row} AS {asrow}, ", number, " AS side, ", named, " FROM {", of, "}")
  }
  sides <- vapply(unique(table), function(of) side(match(of, names(db_sides)), of), "")
  db_sql(db, paste(paste(sides, collapse = " UNION ALL "), "ORDER BY 1"))
}

# The number that marks which table a line comes from.
db_sides <- c(x = 1, y = 2, folds = 3, weights = 4)

# A pass over chunks of complete rows.
db_pass <- function(db, call) {
  pass <- begin_query(db, call)
  structure(function() next_db_chunk(pass), close = function() end_query(pass))
}

# The state of a pass. `begun`: lines of the last row, which may continue in the next piece. `before`: the last rows so
# far: one number, or many texts, because the database may sort text differently from R. `rows`, `margins`: what was
# counted.
begin_query <- function(db, call) {
  check_connection(db$con, call)
  result <- db_try(DBI::dbSendQuery(db$con, ordered_query(db)), fetching, call)
  margins <- list(numeric(length(db$features)), numeric(db$n_columns), 0)
  list2env(list(db = db, call = call, result = result, size = getOption("mlsift.fetch_rows", 2e5), open = TRUE,
    begun = NULL, before = NULL, rows = 0, margins = margins))
}

fetching <- "while rows were fetched"

end_query <- function(pass) {
  if (pass$open) try(DBI::dbClearResult(pass$result), silent = TRUE)
  pass$open <- FALSE
}

# The rows whose lines have all been fetched; after the last line, the rows that are in no table; NULL at the end.
next_db_chunk <- function(pass) {
  while (pass$open) {
    piece <- fetch_piece(pass)
    lines <- rbind(pass$begun, piece)
    goes_on <- if (is.null(piece)) logical(NROW(lines)) else lines$row == lines$row[nrow(lines)]
    pass$begun <- lines[goes_on, , drop = FALSE]
    chunk <- if (!all(goes_on)) complete_rows(pass, lines[!goes_on, , drop = FALSE])
    if (is.null(piece)) check_margins(pass$db, c(list(pass$rows), pass$margins), pass$call)
    if (!is.null(chunk)) return(chunk)
  }
  chunk <- empty_rows(pass$db, pass$db$n_rows - pass$rows, pass$call)
  if (!is.null(chunk)) pass$rows <- pass$rows + nrow(chunk$x)
  chunk
}

# The next lines, NULL at the end.
fetch_piece <- function(pass) {
  lines <- db_try(fetch_lines(pass$result, pass$size), fetching, pass$call)
  if (nrow(lines) == 0L) {
    if (!db_try(DBI::dbHasCompleted(pass$result), fetching, pass$call)) {
      abort("The database stopped before the last row.", call = pass$call)
    }
    end_query(pass)
    return(NULL)
  }
  for (column in setdiff(names(lines), "side")) lines[[column]] <- plain_keys(lines[[column]], column, pass$call)
  if (anyNA(lines$row)) abort_null("row", pass$call)
  lines
}

# A chunk of complete rows, added to the counts of the pass.
complete_rows <- function(pass, lines) {
  chunk <- chunk_of_lines(pass$db, lines, pass$before, pass$call)
  pass$before <- utils::tail(c(pass$before, chunk$ids), if (is.numeric(chunk$ids)) 1L else 1e5)
  pass$rows <- pass$rows + nrow(chunk$x)
  pass$margins <- Map(`+`, pass$margins, chunk$margins)
  chunk
}

# list(x, y, weights, fold, margins, ids) from lines sorted by row. `before`: the last ids of earlier chunks.
chunk_of_lines <- function(db, lines, before, call) {
  begins <- c(TRUE, lines$row[-1L] != lines$row[-nrow(lines)])
  ids <- lines$row[begins]
  check_sorted_rows(ids, before, call)
  lines$row <- cumsum(begins)
  sides <- lapply(db_sides, function(side) lines[lines$side == side, , drop = FALSE])
  x <- feature_cells(db, sides$x, ids, call)
  y <- target_cells(db, sides$y, ids, call)
  weights <- if (!is.null(db$weights)) {
    check_db_weights(as.vector(row_values(sides$weights, "weight", ids, call)), ids, call)
  }
  list(
    x = x$matrix, y = y$matrix, weights = weights,
    fold = if (!is.null(db$folds)) key_text(row_values(sides$folds, "fold", ids, call)),
    margins = list(x$margin, y$margin, sum(weights)), ids = ids
  )
}

check_sorted_rows <- function(ids, before, call) {
  twice <- c(ids[anyDuplicated(ids)], ids[ids %in% before])
  if (length(twice) > 0L || (is.numeric(ids) && is.unsorted(c(before, ids)))) {
    abort(c("The database must sort the rows.", x = if (length(twice)) "Row {.val {key_text(twice[1L])}} comes twice.",
      i = "Text that differs may sort as if it were the same: use numbers for {.field row}."), call = call)
  }
}

# list(matrix, margin): the features of rows, and how often each of them occurs, or the sum of its levels.
feature_cells <- function(db, lines, ids, call) {
  at <- key_positions(lines$feature, db$features, "feature", call)
  value <- if (db$x$level) as.double(check_level_values(lines$level, call)) else numeric()
  cells <- cpp_long_rows(lines$row, at, value, length(db$features))
  if (is.numeric(cells)) abort_twice(ids[lines$row[cells]], names(db$features)[at[cells]], "feature", call)
  list(
    matrix = rows_matrix(length(ids), names(db$features), cells),
    margin = weighted_counts(at, value, length(db$features))
  )
}

# The same for targets.
target_cells <- function(db, lines, ids, call) {
  label <- key_positions(lines$label, db$labels, "label", call)
  cells <- cpp_long_rows(lines$row, label, numeric(), length(db$labels))
  if (is.numeric(cells)) abort_twice(ids[lines$row[cells]], names(db$labels)[label[cells]], "label", call)
  if (is.null(db$classes)) {
    return(list(
      matrix = rows_matrix(length(ids), names(db$labels), cells), margin = weighted_counts(label, NULL, db$n_columns)
    ))
  }
  missing <- which(diff(cells$p) < length(ids))[1L]
  if (!is.na(missing)) {
    row <- setdiff(seq_along(ids), lines$row[label == missing])[1L]
    abort_no_class(names(db$labels)[missing], key_text(ids[row]), call)
  }
  at <- target_positions(db, lines$label, lines$class, call)
  list(
    matrix = pattern_of(lines$row, at, c(length(ids), db$n_columns)), margin = weighted_counts(at, NULL, db$n_columns)
  )
}

abort_no_class <- function(target, row, call) {
  abort(c("Every row must have a class of each target.",
    x = if (is.null(row)) "Some row has none of {.val {target}}." else "Row {.val {row}} has none of {.val {target}}."),
  call = call)
}

rows_matrix <- function(n, names, cells) {
  methods::new("dgCMatrix", i = cells$i, p = cells$p, x = cells$x, Dim = c(as.integer(n), length(names)),
    Dimnames = list(NULL, names))
}

check_level_values <- function(values, call) {
  if (anyNA(values)) abort_null("level", call)
  if (!is.numeric(values)) abort("The column {.field level} must hold whole numbers, not text.", call = call)
  if (any(values != round(values))) {
    abort(c("The column {.field level} must hold whole numbers.",
      x = "It holds {.val {values[values != round(values)][1]}}."), call = call)
  }
  values
}

# How often each position occurs, or the sum of its values.
weighted_counts <- function(at, value, n) {
  if (length(value) == 0L) return(as.double(tabulate(at, n)))
  sums <- rowsum(value, at)
  result <- numeric(n)
  result[as.integer(rownames(sums))] <- sums
  result
}

# A value for each row, from a table `(row, fold)` or `(row, weight)`.
row_values <- function(lines, column, ids, call) {
  values <- lines[[column]]
  if (anyNA(values)) abort_null(column, call)
  twice <- anyDuplicated(lines$row)
  if (twice > 0L) abort_twice(ids[lines$row[twice]], key_text(values[twice]), column, call)
  without <- setdiff(seq_along(ids), lines$row)
  if (length(without) > 0L) abort_no_row(column, key_text(ids[without[1L]]), call)
  values[order(lines$row)]
}

abort_no_row <- function(column, row, call) {
  abort(c("The table of {column}s must have all rows.", x = if (!is.null(row)) "It lacks row {.val {row}}.",
    i = if (is.null(row)) "Rows without features and labels must be in it too."), call = call)
}

# `ids`: of the rows, or NULL.
check_db_weights <- function(weights, ids, call) {
  if (!is.numeric(weights)) {
    abort("The column {.field weight} must hold whole numbers, not {class(weights)[1]}.", call = call)
  }
  wrong <- which(!is.finite(weights) | weights < 0 | weights != round(weights))[1L]
  if (is.na(wrong)) return(as.double(weights))
  row <- if (!is.null(ids)) paste0(" in row \"", key_text(ids[wrong]), "\"")
  abort(c("The column {.field weight} must hold whole numbers of 0 or more.", x = "It is {weights[wrong]}{row}."),
    call = call)
}

# The next rows that are in no table.
empty_rows <- function(db, left, call) {
  if (left <= 0) return(NULL)
  for (column in c(if (!is.null(db$folds)) "fold", if (!is.null(db$weights)) "weight")) abort_no_row(column, NULL, call)
  if (!is.null(db$classes)) abort_no_class(names(db$labels)[1L], NULL, call)
  none <- function(names) list(i = integer(), p = integer(length(names) + 1L), x = numeric())
  n <- min(left, 1e6)
  list(
    x = rows_matrix(n, names(db$features), none(db$features)), y = rows_matrix(n, names(db$labels), none(db$labels))
  )
}

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
#' If all targets are written as labels, such as `no` and `yes`, they are labels, see [mltask()].
#'
#' A row without features and labels is in neither table. Such rows count if `n_rows` says so, or if they are in the
#' table of groups or of weights. A feature without ones exists only if `levels` names it.
#'
#' # How rows are counted
#' * By default the rows are fetched in order and counted in C++. A pass is one query, sorted by `row`. An index on
#'   `row` makes it fast. Memory holds the tables of counts and one piece of the rows.
#' * With `push_down = TRUE` the database counts, and only counts are fetched. It counts ones only, so a table with a
#'   column `level` is refused. This pays off where rows have few features and labels, since a join makes one line for
#'   each feature and label of a row, or where the database has many cores and the way to it is slow. An index on
#'   `feature` helps the greedy selectors, which ask one or two queries for each selected feature.
#'
#' The driver of DuckDB hands all lines of a query to R at once. So there a table that does not fit in memory needs
#' `push_down = TRUE`.
#'
#' # Statements
#' SQLite, PostgreSQL, DuckDB and MariaDB are tested, the last also with tables of Spider that lie on several servers.
#' Spider joins such tables slowly: there, fetch the rows, or make each server a part of [spread_source()].
#' Other databases work if they understand these statements, with the names of the tables for `x` and `y`. By default,
#' a pass is
#' ```sql
#' SELECT row, feature FROM x UNION ALL SELECT row, label FROM y ORDER BY row
#' ```
#' with a column that tells the two tables apart. With `push_down = TRUE`:
#' ```sql
#' SELECT COUNT(*) FROM x WHERE row IS NULL
#' SELECT row, feature FROM x GROUP BY row, feature HAVING COUNT(*) > 1
#' SELECT COUNT(*) FROM (SELECT row FROM x UNION SELECT row FROM y) AS t
#' SELECT feature, COUNT(*) FROM x GROUP BY feature
#' SELECT a.feature, b.label, COUNT(*) FROM x a JOIN y b ON a.row = b.row
#'   GROUP BY a.feature, b.label
#' SELECT a.feature, COUNT(*) FROM x a JOIN x s ON a.row = s.row
#'   WHERE s.feature = ? GROUP BY a.feature
#' ```
#' The first is sent for each column, and those about `x` alone also for `y`. The last one is sent for each selected
#' feature, and again with a join with `y` for selectors that need it. With weights, a join with their table and
#' `SUM(weight)` take the place of `COUNT(*)`; with groups, there is one more join and column. `SELECT DISTINCT` finds
#' the names that `levels` does not give. A statement of the last kind that finds nothing is sent first, so that what
#' the database lacks is an error at once.
#'
#' In MariaDB and SQLite, columns of text may have a collation in which `ab` equals `AB`. Names that differ are always
#' kept apart, by `COLLATE`. Declare the columns with a binary collation, in MariaDB one that ends in `_nopad_bin`, so
#' that indexes are used.
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
#' @param push_down (flag) Whether the database counts. Selectors that transform labels, such as [sel_chi2()], need the
#'   rows and refuse this.
#' @param kind,on What the targets are if the table of labels has a column `class`, as in [mltask()].
#' @param weights The table `(row, weight)` with the [weight][row_weights()] of each row, a whole number, or `NULL`.
#' @param group The table `(row, group)` with the [group][row_groups()] or fold of each row, or `NULL`. [count_tables()]
#'   then gives the tables of each group. [sift_features()] takes all rows.
#' @param exclude Features to leave out, given as in [mltask()]. Their rows still count.
#' @param discrete A named logical vector that says otherwise for some features, as in [mltask()].
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
db_source <- function(con, x, y, levels = NULL, n_rows = NULL, push_down = FALSE, exclude = NULL, discrete = NULL,
                      kind = NULL, on = NULL, weights = NULL, group = NULL) {
  check_package("DBI", "Reading a database, by a driver such as {.pkg RSQLite},")
  if (!inherits(con, "DBIConnection")) abort_value(con, "a connection of package {.pkg DBI}")
  check_connection(con)
  check_flag(push_down)
  n_rows <- check_count(n_rows, max = 2^53, null = TRUE)
  check_db_levels(levels)
  db <- list(
    con = con, x = db_table(con, x, "x", c("row", "feature")), y = db_table(con, y, "y", c("row", "label")),
    weights = if (!is.null(weights)) db_table(con, weights, "weights", c("row", "weight")),
    groups = if (!is.null(group)) db_table(con, group, "group", c("row", "group"))
  )
  if (push_down && db$x$level) {
    abort(c("A database counts ones only.", x = "The table of features has a column {.field level}.",
      i = "Use {.code push_down = FALSE}, or a view without that column."))
  }
  db$features <- db_keys(db, "feature", levels$features)
  excluded <- excluded_columns(NULL, names(db$features), rlang::enquo(exclude))
  db$excluded <- db$features[excluded]
  db$features <- db$features[setdiff(seq_along(db$features), excluded)]
  if (length(db$features) == 0L) abort("{.arg exclude} must leave at least one feature.")
  db$labels <- db_keys(db, "label", levels$labels)
  if (is.null(n_rows)) {
    n_rows <- db_rows(db)
    also <- paste0(if (!is.null(group)) " or group", if (!is.null(weights)) " or weight")
    inform(c(i = "Counted {counted(n_rows, \"row\")} with a feature or label{also}.",
      " " = "Use {.arg n_rows} if there are more."))
  }
  db$n_rows <- n_rows
  db <- db_targets(db, kind, on)
  db$state <- new.env(parent = emptyenv())
  source <- new_mlsource(
    function() db_pass(db), names(db$features), names(db$labels), n_rows,
    paste0("tables ", db$x$shown, " and ", db$y$shown), checked = TRUE,
    begin = function() begin_reading(db), kind = if (db$y$class) "class" else "label",
    classes = lapply(db$classes, names), given = c(weights = !is.null(weights), group = !is.null(group))
  )
  source <- with_discrete(source, discrete)
  if (!push_down) return(source)
  # Asks for nothing in the way of the queries to come, so that what the database lacks is an error before them.
  db_with_feature(db, 1L, TRUE, also = "AND 1 = 0")
  source$counter <- function(source, seen, threads) db_counter(db, source, seen, threads)
  source
}

# --- access -----------------------------------------------------------------------------------------------------------

check_connection <- function(con) {
  if (or_else(DBI::dbIsValid(con), FALSE)) return(invisible())
  abort(c("The connection {.arg con} must be open.", x = "It has been closed, or was lost.",
    i = "Connect again, and call {.fn db_source} again."))
}

# Raises errors of the database as ours.
db_try <- function(expr, doing) {
  failed <- function(e) {
    reason <- conditionMessage(e)
    abort(c("The database gave an error {doing}.", x = "{reason}"), parent = NA)
  }
  catch_foreign(expr, failed)
}

fetch_lines <- function(result, n) DBI::dbFetch(result, n = n)

# The result of a query, see db_sql(); `value` is bound to its placeholder.
db_ask <- function(db, template, value = NULL, n = -1L) {
  db_try({
    result <- DBI::dbSendQuery(db$con, db_sql(db, template))
    on.exit(try(DBI::dbClearResult(result), silent = TRUE))
    if (!is.null(value)) DBI::dbBind(result, list(value))
    fetch_lines(result, n)
  }, "while it counted")
}

# SQL from a template: {row}, {feature}, {label}, {level}, {class}, {group} and {weight} are columns, {asrow} and so on
# only their names. {x}, {y}, {groups} and {weights} are names of tables, {among} some labels, and {value} is a
# placeholder.
db_sql <- function(db, template) {
  parts <- list(x = db$x$name, y = db$y$name, groups = db$groups$name, weights = db$weights$name, among = db$among,
    value = if (is_postgres(db$con)) "$1" else "?")
  collations <- unlist(unname(lapply(db[c("x", "y", "weights", "groups")], `[[`, "collations")))
  at <- gregexpr("\\{[a-z]+\\}", template)
  words <- gsub("[{}]", "", regmatches(template, at)[[1L]])
  for (column in c("row", "feature", "label", "level", "class", "group", "weight")) {
    if (!any(c(column, paste0("as", column)) %in% words)) next
    name <- parts[[paste0("as", column)]] <- db_name(db$con, column)
    parts[[column]] <- paste0(name, if (column %in% names(collations)) paste(" COLLATE", collations[[column]]))
  }
  regmatches(template, at) <- list(unlist(parts[words]))
  template
}

db_name <- function(con, name) as.character(DBI::dbQuoteIdentifier(con, name))

is_postgres <- function(con) inherits(con, c("PqConnection", "PostgreSQLConnection"))

# By column, the collation that keeps "ab", "AB" and "ab " apart where the database would not. In SQLite, any column may
# be declared so; in MariaDB, most text is.
db_collations <- function(con, name, columns) {
  if (inherits(con, "SQLiteConnection")) return(stats::setNames(rep("BINARY", length(columns)), columns))
  if (!inherits(con, "MariaDBConnection")) return(NULL)
  asked <- paste0("COLLATION(", db_name(con, columns), ")", collapse = ", ")
  found <- DBI::dbGetQuery(con, paste("SELECT", asked, "FROM", name, "LIMIT 1"))
  mariadb_collations(stats::setNames(vapply(found, function(x) as.character(x[1L]), ""), columns))
}

# For columns with these collations, NA for unknown ones. Numbers are "binary".
mariadb_collations <- function(found) {
  found <- found[!is.na(found) & !grepl("(^|_nopad_)bin(ary)?$", found)]
  if (length(found) > 0L) found[] <- sub("_.*", "_nopad_bin", found)
  found
}

# list(name, shown, level, class, collations): the quoted name of a table with these columns, and whether it has the
# columns `level` and `class`.
db_table <- function(con, table, arg, columns) {
  if (!inherits(table, "Id")) check_string(table, arg = arg)
  name <- db_name(con, table)
  doing <- paste0("while it looked for the table {.arg ", arg, "}")
  look <- function(code) db_try(code, cli::format_inline(doing))
  found <- look(names(DBI::dbGetQuery(con, paste("SELECT * FROM", name, "WHERE 1 = 0"))))
  absent <- setdiff(columns, found)
  if (length(absent) > 0L) abort(c("The table {.arg {arg}} must have the columns {.field {columns}}.",
    x = "It has no column {.field {absent[1]}}.", i = "A view can give its columns other names."))
  compared <- intersect(found, c("row", "feature", "label", "level", "class", "group"))
  list(name = name, shown = if (inherits(table, "Id")) name else table, level = "level" %in% found,
    class = "class" %in% found, collations = look(db_collations(con, name, compared)))
}

check_db_levels <- function(levels) {
  if (is.null(levels)) return(invisible())
  if (!is.list(levels) || length(setdiff(names(levels), c("features", "labels"))) > 0L || is.null(names(levels))) {
    abort_value(levels, "{.code list(features = , labels = )}")
  }
  for (side in names(levels)) {
    check_source_names(if (is.numeric(levels[[side]])) key_text(levels[[side]]) else levels[[side]],
      paste0("levels$", side))
  }
}

db_rows <- function(db) {
  sql <- paste0(
    "SELECT COUNT(*) FROM (SELECT {row} FROM {x} UNION SELECT {row} FROM {y} b",
    if (!is.null(db$groups)) " UNION SELECT {row} FROM {groups}",
    if (!is.null(db$weights)) " UNION SELECT {row} FROM {weights}", ") AS t"
  )
  whole_counts(db_ask(db, sql)[[1L]])
}

whole_counts <- function(counts) {
  counts <- as.double(counts)
  if (anyNA(counts) || any(counts > 2^53)) abort("A count of the database must not exceed 2^53.")
  counts
}

# --- transactions -----------------------------------------------------------------------------------------------------

begin_reading <- function(db) {
  check_connection(db$con)
  db$state$margins <- NULL
  begun <- !in_duckdb_transaction(db$con) && or_else({
    DBI::dbBegin(db$con)
    TRUE
  }, FALSE)
  if (begun && is_postgres(db$con)) {
    db_try(DBI::dbExecute(db$con, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"), "at the beginning")
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
check_margins <- function(db, margins) {
  if (!is.null(db$state$margins) && !identical(db$state$margins, margins)) {
    abort(c("The tables must not change between passes.", x = "A pass counted other lines than the one before it.",
      i = "Use a transaction, or a copy of the tables."))
  }
  db$state$margins <- margins
}

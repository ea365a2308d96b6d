# Rows of a database in order, in chunks.

# One query for all tables, because most drivers allow only one open result. Each table has typed NULLs in the columns
# of the others.
ordered_query <- function(db) {
  table <- c(feature = "x", level = "x", label = "y", class = "y", group = "groups", weight = "weights")
  used <- c(TRUE, db$x$level, TRUE, db$y$class, !is.null(db$groups), !is.null(db$weights))
  table <- table[used]
  columns <- names(table)
  none <- paste0("(SELECT {", columns, "} FROM {", table, "} t WHERE 1 = 0)")
  side <- function(number, of) {
    values <- ifelse(table == of, paste0("{", columns, "}"), none)
    named <- paste0(values, " AS {as", columns, "}", collapse = ", ")
    paste0("SELECT {row} AS {asrow}, ", number, " AS side, ", named, " FROM {", of, "} t")
  }
  sides <- vapply(unique(table), function(of) side(match(of, names(db_sides)), of), "")
  db_sql(db, paste(paste(sides, collapse = " UNION ALL "), "ORDER BY 1"))
}

# The number that marks which table a line comes from.
db_sides <- c(x = 1, y = 2, groups = 3, weights = 4)

# A pass over chunks of complete rows.
db_pass <- function(db) {
  pass <- begin_query(db)
  structure(function() next_db_chunk(pass), close = function() end_query(pass))
}

# The state of a pass. `begun`: lines of the last row, which may continue in the next piece. `before`: the last rows so
# far: one number, or many texts, because the database may sort text differently from R. `rows`, `margins`: what was
# counted.
begin_query <- function(db) {
  check_connection(db$con)
  result <- db_try(DBI::dbSendQuery(db$con, ordered_query(db)), fetching)
  margins <- list(numeric(length(db$features)), numeric(db$n_columns), 0)
  list2env(list(db = db, result = result, size = getOption("mlsift.fetch_rows", 2e5), open = TRUE,
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
    if (is.null(piece)) check_margins(pass$db, c(list(pass$rows), pass$margins))
    if (!is.null(chunk)) return(chunk)
  }
  chunk <- empty_rows(pass$db, pass$db$n_rows - pass$rows)
  if (!is.null(chunk)) pass$rows <- pass$rows + nrow(chunk$x)
  chunk
}

# The next lines, NULL at the end.
fetch_piece <- function(pass) {
  lines <- db_try(fetch_lines(pass$result, pass$size), fetching)
  if (nrow(lines) == 0L) {
    if (!db_try(DBI::dbHasCompleted(pass$result), fetching)) {
      abort("The database stopped before the last row.")
    }
    end_query(pass)
    return(NULL)
  }
  for (column in setdiff(names(lines), "side")) lines[[column]] <- plain_keys(lines[[column]], column)
  if (anyNA(lines$row)) abort_null("row")
  lines
}

# A chunk of complete rows, added to the counts of the pass.
complete_rows <- function(pass, lines) {
  chunk <- chunk_of_lines(pass$db, lines, pass$before)
  pass$before <- utils::tail(c(pass$before, chunk$ids), if (is.numeric(chunk$ids)) 1L else 1e5)
  pass$rows <- pass$rows + nrow(chunk$x)
  pass$margins <- Map(`+`, pass$margins, chunk$margins)
  chunk
}

# list(x, y, weights, group, margins, ids) from lines sorted by row. `before`: the last ids of earlier chunks.
chunk_of_lines <- function(db, lines, before) {
  begins <- c(TRUE, lines$row[-1L] != lines$row[-nrow(lines)])
  ids <- lines$row[begins]
  check_sorted_rows(ids, before)
  lines$row <- cumsum(begins)
  sides <- lapply(db_sides, function(side) lines[lines$side == side, , drop = FALSE])
  x <- feature_cells(db, sides$x, ids)
  y <- target_cells(db, sides$y, ids)
  weights <- if (!is.null(db$weights)) check_db_weights(as.vector(row_values(sides$weights, "weight", ids)), ids)
  list(
    x = x$matrix, y = y$matrix, weights = weights,
    group = if (!is.null(db$groups)) key_text(row_values(sides$groups, "group", ids)),
    margins = list(x$margin, y$margin, sum(weights)), ids = ids
  )
}

check_sorted_rows <- function(ids, before) {
  twice <- c(ids[anyDuplicated(ids)], ids[ids %in% before])
  if (length(twice) > 0L || (is.numeric(ids) && is.unsorted(c(before, ids)))) {
    abort(c("The database must sort the rows.", x = if (length(twice)) "Row {.val {key_text(twice[1L])}} comes twice.",
      i = "Text that differs may sort as if it were the same: use numbers for {.field row}."))
  }
}

# list(matrix, margin): the features of rows, and how often each of them occurs, or the sum of its levels.
feature_cells <- function(db, lines, ids) {
  lines <- used_lines(db, lines, lines$feature)
  at <- key_positions(lines$feature, db$features, "feature")
  value <- if (db$x$level) as.double(check_level_values(lines$level)) else numeric()
  cells <- cpp_long_rows(lines$row, at, value, length(db$features))
  if (is.numeric(cells)) abort_twice(ids[lines$row[cells]], names(db$features)[at[cells]], "feature")
  list(
    matrix = rows_matrix(length(ids), names(db$features), cells),
    margin = weighted_counts(at, value, length(db$features))
  )
}

# The same for targets.
target_cells <- function(db, lines, ids) {
  label <- key_positions(lines$label, db$labels, "label")
  cells <- cpp_long_rows(lines$row, label, numeric(), length(db$labels))
  if (is.numeric(cells)) abort_twice(ids[lines$row[cells]], names(db$labels)[label[cells]], "label")
  found <- function(matrix, at) list(matrix = matrix, margin = weighted_counts(at, NULL, db$n_columns))
  if (is.null(db$classes)) return(found(rows_matrix(length(ids), names(db$labels), cells), label))
  missing <- which(diff(cells$p) < length(ids))[1L]
  if (!is.na(missing)) {
    row <- setdiff(seq_along(ids), lines$row[label == missing])[1L]
    abort_no_class(names(db$labels)[missing], key_text(ids[row]))
  }
  at <- target_positions(db, lines$label, lines$class)
  found(pattern_of(lines$row, at, c(length(ids), db$n_columns)), at)
}

abort_no_class <- function(target, row) {
  abort(c("Every row must have a class of each target.",
    x = if (is.null(row)) "Some row has none of {.val {target}}." else "Row {.val {row}} has none of {.val {target}}."))
}

check_level_values <- function(values) {
  if (anyNA(values)) abort_null("level")
  if (!is.numeric(values)) abort("The column {.field level} must hold whole numbers, not text.")
  odd <- values[!are_whole(values, Inf)]
  if (length(odd) > 0L) abort(c("The column {.field level} must hold whole numbers.", x = "It holds {.val {odd[1]}}."))
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

# A value for each row, from a table `(row, group)` or `(row, weight)`.
row_values <- function(lines, column, ids) {
  values <- lines[[column]]
  if (anyNA(values)) abort_null(column)
  twice <- anyDuplicated(lines$row)
  if (twice > 0L) abort_twice(ids[lines$row[twice]], NULL, column)
  without <- setdiff(seq_along(ids), lines$row)
  if (length(without) > 0L) abort_no_row(column, key_text(ids[without[1L]]))
  values[order(lines$row)]
}

abort_no_row <- function(column, row) {
  abort(c("The table of {column}s must have all rows.", x = if (!is.null(row)) "It lacks row {.val {row}}.",
    i = if (is.null(row)) "Rows without features and labels must be in it too."))
}

# `ids`: of the rows, or NULL.
check_db_weights <- function(weights, ids) {
  if (!is.numeric(weights)) abort("The column {.field weight} must hold whole numbers, not {class(weights)[1]}.")
  wrong <- which(!are_whole(weights, Inf) | weights < 0)[1L]
  if (is.na(wrong)) return(as.double(weights))
  row <- if (!is.null(ids)) paste0(" in row \"", key_text(ids[wrong]), "\"")
  abort(c("The column {.field weight} must hold whole numbers of 0 or more.", x = "It is {weights[wrong]}{row}."))
}

# The next rows that are in no table.
empty_rows <- function(db, left) {
  if (left <= 0) return(NULL)
  for (table in c("groups", "weights")) if (!is.null(db[[table]])) abort_no_row(sub("s$", "", table), NULL)
  if (!is.null(db$classes)) abort_no_class(names(db$labels)[1L], NULL)
  none <- function(names) list(i = integer(), p = integer(length(names) + 1L), x = numeric())
  n <- min(left, 1e6)
  list(
    x = rows_matrix(n, names(db$features), none(db$features)), y = rows_matrix(n, names(db$labels), none(db$labels))
  )
}

# Counting in the database, for db_source(push_down = TRUE).

# See chunk_counter(). Folds that the database does not know are counted in chunks.
db_counter <- function(db, source, seen, threads) {
  chunks <- chunk_counter(source, seen, threads)
  utils::modifyList(chunks, list(
    ones = function(selector, sets, pairs) {
      if (sets) abort(c("{selector$name} cannot be computed from the counts of a database.",
        x = "It needs the label sets of rows.", i = "Use {.code push_down = FALSE}."))
      seen$rows <- source$n_rows
      db_tables(with_pairs(db, pairs))
    },
    tables = function(levels, sets, pairs) db_tables(with_pairs(db, pairs)),
    groups = function(levels, folds, sets, pairs) {
      if (is.null(folds)) db_group_tables(with_pairs(db, pairs)) else chunks$groups(levels, folds, sets, pairs)
    },
    joint = function(levels) list(ones = function(s, labels) until_interrupt(db_pairs(db, s, labels)))
  ))
}

check_long_table <- function(db, table, column) {
  for (key in c("row", column)) {
    missing <- db_ask(db, sprintf("SELECT COUNT(*) FROM {%s} t WHERE {%s} IS NULL", table, key))[[1L]]
    if (whole_counts(missing) > 0) abort_null(key)
  }
  of_row <- column %in% c("group", "weight")
  keys <- if (of_row) "{row}" else paste0("{row}, {", column, "}")
  sql <- sprintf("SELECT %s FROM {%s} t GROUP BY %s HAVING COUNT(*) > 1", keys, table, keys)
  twice <- db_ask(db, sql, n = 1L)
  if (nrow(twice) > 0L) {
    abort_twice(plain_keys(twice[[1L]], "row"), if (!of_row) key_text(twice[[2L]]), column)
  }
}

# How often each combination of `columns` occurs: a result whose last column is the number of rows, or their weight.
# `of`: the table of `from` that identifies the row.
db_grouped <- function(db, columns, from, of = "a", where = NULL, value = NULL) {
  weighted <- !is.null(db$weights)
  columns <- paste(columns, collapse = ", ")
  sql <- paste(
    "SELECT", columns, ",", if (weighted) "SUM(w.{weight})" else "COUNT(*)", "FROM", from,
    if (weighted) paste0("JOIN {weights} w ON ", of, ".{row} = w.{row} AND w.{weight} > 0"), where, "GROUP BY", columns
  )
  answer <- db_ask(db, sql, value)
  answer[[length(answer)]] <- whole_counts(answer[[length(answer)]])
  answer
}

# The columns of the tables `b` and `c` that identify a target column, and these tables.
db_target <- function(db) c("b.{label}", if (!is.null(db$classes)) "b.{class}", if (!is.null(db$paired)) "c.{label}")

db_target_from <- function(db, before = "{y} b") {
  paste0(before, if (!is.null(db$paired)) " JOIN {y} c ON b.{row} = c.{row} AND b.{label} <= c.{label}",
    if (!is.null(db$among)) " AND b.{label} IN {among} AND c.{label} IN {among}")
}

db_both_from <- function(db) db_target_from(db, "{x} a JOIN {y} b ON a.{row} = b.{row}")

# With pairs of these labels in place of the labels; a label with itself is the label alone. `labels`: NULL for none.
with_pairs <- function(db, labels) {
  if (is.null(labels)) return(db)
  db$paired <- labels
  db$n_columns <- pair_column(length(labels), length(labels))
  if (length(labels) < length(db$labels)) db$among <- db_literals(db, db$labels[labels])
  db
}

# Labels l <= m as one column, see data/pair_columns.h.
pair_column <- function(l, m) m * (m - 1) / 2 + l

# The number of rows, or the sum of their weights, which are checked first.
db_total <- function(db) {
  if (is.null(db$weights)) return(db$n_rows)
  check_long_table(db, "weights", "weight")
  weights <- db_ask(db, "SELECT DISTINCT {weight} FROM {weights}")[[1L]]
  check_db_weights(plain_keys(weights, "weight"), NULL)
  answer <- db_ask(db, "SELECT COUNT(*), SUM({weight}) FROM {weights}")
  if (whole_counts(answer[[1L]]) != db$n_rows) abort_no_row("weight", NULL)
  total <- whole_counts(answer[[2L]])
  if (total == 0) abort("{.arg weights} must not all be 0.")
  total
}

# The tables of cpp_source_counts(), for features that are 0 or 1.
db_tables <- function(db) {
  check_long_table(db, "x", "feature")
  check_long_table(db, "y", "label")
  rows <- db_rows(db)
  if (rows > db$n_rows) abort(c("{.arg n_rows} must be the number of rows.", x = "It is {format_count(db$n_rows)}.",
    i = "The tables have {format_count(rows)} rows."))
  ones_tables(
    db, db_total(db), db_grouped(db, "a.{feature}", "{x} a"),
    db_grouped(db, db_target(db), db_target_from(db), of = "b"),
    db_grouped(db, c("a.{feature}", db_target(db)), db_both_from(db))
  )
}

# `n`: the number of rows, or their weight. of_feature, of_target, both: results of db_grouped().
ones_tables <- function(db, n, of_feature, of_target, both) {
  d <- length(db$features)
  counts <- function(answer) answer[[length(answer)]]
  of_feature <- used_lines(db, of_feature, of_feature[[1L]])
  both <- used_lines(db, both, both[[1L]])
  in_feature <- replace(numeric(d), key_positions(of_feature[[1L]], db$features, "feature"), counts(of_feature))
  in_target <- replace(numeric(db$n_columns), target_positions(db, of_target[[1L]], of_target[[2L]]), counts(of_target))
  check_all_classes(db, n, in_target)
  feature <- key_positions(both[[1L]], db$features, "feature")
  target <- target_positions(db, both[[2L]], both[[3L]])
  sorted <- order(feature, target)
  cells <- cumsum(tabulate(feature, d))
  list(
    n = n,
    levels = list(at = rep(list(c(0, 1)), d), cut = logical(d), right = logical(d), implied = integer(d)),
    in_level = as.vector(rbind(n - in_feature, in_feature, 0)), in_target = in_target,
    cell = c(0, as.vector(rbind(c(0, cells[-d]), cells, cells))), target = target[sorted] - 1L,
    count = counts(both)[sorted]
  )
}

check_all_classes <- function(db, n, in_target) {
  if (is.null(db$classes)) return(invisible())
  known <- rowsum(in_target, rep(seq_along(db$classes), lengths(db$classes)))
  missing <- which(known < n)[1L]
  if (!is.na(missing)) abort_no_class(names(db$classes)[missing], NULL)
}

# The same for each group.
db_group_tables <- function(db) {
  check_long_table(db, "groups", "group")
  check_long_table(db, "x", "feature")
  check_long_table(db, "y", "label")
  db_total(db)
  rows <- whole_counts(db_ask(db, "SELECT COUNT(*) FROM {groups}")[[1L]])
  if (rows != db$n_rows || db_rows(db) != db$n_rows) abort_no_row("group", NULL)
  sizes <- db_grouped(db, "g.{group}", "{groups} g", of = "g")
  n <- stats::setNames(sizes[[2L]], key_text(plain_keys(sizes[[1L]], "group")))
  by_group <- function(columns, from, of = "a") {
    answer <- db_grouped(db, c("g.{group}", columns), paste0(from, " JOIN {groups} g ON ", of, ".{row} = g.{row}"), of)
    split(answer[-1L], factor(key_text(plain_keys(answer[[1L]], "group")), names(n)))
  }
  of_feature <- by_group("a.{feature}", "{x} a")
  of_target <- by_group(db_target(db), db_target_from(db), "b")
  both <- by_group(c("a.{feature}", db_target(db)), db_both_from(db))
  groups <- sort(names(n), method = "radix")
  lapply(stats::setNames(groups, groups), function(group) {
    ones_tables(db, n[[group]], of_feature[[group]], of_target[[group]], both[[group]])
  })
}

# The joint counts of a feature s with the other features and with the targets, as cpp_greedy() requests them.
db_pairs <- function(db, s, labels) {
  pairs <- db_with_feature(db, s, FALSE)
  answer <- list(feature = key_positions(pairs[[1L]], db$features, "feature"), count = pairs[[2L]])
  if (!labels) return(answer)
  triples <- db_with_feature(db, s, TRUE)
  answer$triple <- list(
    feature = key_positions(triples[[1L]], db$features, "feature"),
    label = target_positions(db, triples[[2L]], triples[[3L]]), count = triples[[length(triples)]]
  )
  answer
}

db_with_feature <- function(db, s, labels, also = NULL) {
  columns <- c("a.{feature}", if (labels) db_target(db))
  from <- paste("{x} a JOIN {x} s ON a.{row} = s.{row}", if (labels) "JOIN {y} b ON a.{row} = b.{row}")
  answer <- db_grouped(db, columns, from, where = paste("WHERE s.{feature} = {value}", also), value = db$features[[s]])
  used_lines(db, answer, answer[[1L]])
}

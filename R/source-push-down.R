# Counts that the database makes itself, for db_source(push_down = TRUE).

check_long_table <- function(db, table, column, call) {
  for (key in c("row", column)) {
    missing <- db_ask(db, db_sql(db, sprintf("SELECT COUNT(*) FROM {%s} WHERE {%s} IS NULL", table, key)), call)[[1L]]
    if (whole_counts(missing, call) > 0) abort_null(key, call)
  }
  keys <- if (column == "fold") "{row}" else paste0("{row}, {", column, "}")
  sql <- sprintf("SELECT %s FROM {%s} GROUP BY %s HAVING COUNT(*) > 1", keys, table, keys)
  twice <- db_ask(db, db_sql(db, sql), call, n = 1L)
  if (nrow(twice) > 0L) {
    abort_twice(plain_keys(twice[[1L]], "row", call), key_text(twice[[length(twice)]]), column, call)
  }
}

# The tables of cpp_joint_counts(), for features that are 0 or 1.
db_tables <- function(db, call) {
  check_long_table(db, "x", "feature", call)
  check_long_table(db, "y", "label", call)
  rows <- db_rows(db, call)
  if (rows > db$n_rows) {
    abort(c("{.arg n_rows} must be the number of rows.", x = "It is {format_count(db$n_rows)}.",
      i = "The tables have {format_count(rows)} rows."), call = call)
  }
  ones_tables(
    db, db$n_rows, db_ask(db, db_sql(db, "SELECT {feature}, COUNT(*) FROM {x} GROUP BY {feature}"), call),
    db_ask(db, db_sql(db, "SELECT {label}, COUNT(*) FROM {y} GROUP BY {label}"), call),
    db_ask(db, db_sql(db, paste(
      "SELECT a.{feature}, b.{label}, COUNT(*) FROM {x} a JOIN {y} b ON a.{row} = b.{row}",
      "GROUP BY a.{feature}, b.{label}"
    )), call), call
  )
}

# `n`: rows; of_feature, of_label, both: answers to queries, the count last.
ones_tables <- function(db, n, of_feature, of_label, both, call) {
  d <- length(db$features)
  margin <- function(answer, keys, column) {
    count <- numeric(length(keys))
    count[key_positions(answer[[1L]], keys, column, call)] <- whole_counts(answer[[2L]], call)
    count
  }
  in_feature <- margin(of_feature, db$features, "feature")
  feature <- key_positions(both[[1L]], db$features, "feature", call)
  label <- key_positions(both[[2L]], db$labels, "label", call)
  sorted <- order(feature, label)
  cells <- cumsum(tabulate(feature, d))
  list(
    n = n,
    levels = list(at = rep(list(c(0, 1)), d), cut = logical(d), right = logical(d), implied = integer(d)),
    in_level = as.vector(rbind(n - in_feature, in_feature, 0)),
    in_target = margin(of_label, db$labels, "label"),
    cell = c(0, as.vector(rbind(c(0, cells[-d]), cells, cells))), target = label[sorted] - 1L,
    count = whole_counts(both[[3L]], call)[sorted]
  )
}

# The same for each fold.
db_fold_tables <- function(db, call) {
  check_long_table(db, "folds", "fold", call)
  check_long_table(db, "x", "feature", call)
  check_long_table(db, "y", "label", call)
  sizes <- db_ask(db, db_sql(db, "SELECT {fold}, COUNT(*) FROM {folds} GROUP BY {fold}"), call)
  n <- stats::setNames(whole_counts(sizes[[2L]], call), key_text(plain_keys(sizes[[1L]], "fold", call)))
  if (sum(n) != db$n_rows || db_rows(db, call) != db$n_rows) abort_no_fold(NULL, call)
  ask <- function(columns, from) {
    sql <- paste("SELECT f.{fold},", columns, ", COUNT(*) FROM", from, "GROUP BY f.{fold},", columns)
    answer <- db_ask(db, db_sql(db, sql), call)
    split(answer[-1L], factor(key_text(plain_keys(answer[[1L]], "fold", call)), names(n)))
  }
  of_feature <- ask("a.{feature}", "{x} a JOIN {folds} f ON a.{row} = f.{row}")
  of_label <- ask("b.{label}", "{y} b JOIN {folds} f ON b.{row} = f.{row}")
  both <- ask(
    "a.{feature}, b.{label}", "{x} a JOIN {y} b ON a.{row} = b.{row} JOIN {folds} f ON a.{row} = f.{row}"
  )
  folds <- sort(names(n), method = "radix")
  lapply(stats::setNames(folds, folds), function(fold) {
    ones_tables(db, n[[fold]], of_feature[[fold]], of_label[[fold]], both[[fold]], call)
  })
}

# What a feature s shares with the others, and with the labels, as cpp_greedy_elsewhere() asks.
db_pairs <- function(db, s, labels, call) {
  value <- db$features[[s]]
  ask <- function(template) db_ask(db, db_sql(db, template), call, value)
  pairs <- ask(paste(
    "SELECT a.{feature}, COUNT(*) FROM {x} a JOIN {x} s ON a.{row} = s.{row} WHERE s.{feature} = {value}",
    "GROUP BY a.{feature}"
  ))
  answer <- list(
    feature = key_positions(pairs[[1L]], db$features, "feature", call), count = whole_counts(pairs[[2L]], call)
  )
  if (!labels) return(answer)
  triples <- ask(paste(
    "SELECT a.{feature}, b.{label}, COUNT(*) FROM {x} a JOIN {x} s ON a.{row} = s.{row}",
    "JOIN {y} b ON a.{row} = b.{row} WHERE s.{feature} = {value} GROUP BY a.{feature}, b.{label}"
  ))
  answer$triple <- list(
    feature = key_positions(triples[[1L]], db$features, "feature", call),
    label = key_positions(triples[[2L]], db$labels, "label", call), count = whole_counts(triples[[3L]], call)
  )
  answer
}

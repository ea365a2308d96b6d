# A task of ones, or of small whole numbers, as long tables: list(x, y). `rows`: the numbers of its rows.
long_tables <- function(task, rows = seq_len(nrow(features(task)))) {
  long <- function(m, column) {
    m <- as.matrix(m)
    at <- which(m != 0, arr.ind = TRUE)
    at <- at[sample(nrow(at)), , drop = FALSE]
    table <- data.frame(row = rows[at[, 1]], name = colnames(m)[at[, 2]], level = as.integer(m[at]))
    names(table)[2] <- column
    table
  }
  list(x = long(features(task), "feature"), y = long(targets(task), "label")[1:2])
}

ones_only <- function(tables) {
  tables$x$level <- NULL
  tables
}

local_sqlite <- function(.local_envir = parent.frame()) {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(if (DBI::dbIsValid(con)) DBI::dbDisconnect(con), envir = .local_envir)
  con
}

local_duckdb <- function(..., .local_envir = parent.frame()) {
  skip_if_not_installed("DBI")
  skip_if_not_installed("duckdb")
  con <- DBI::dbConnect(duckdb::duckdb(...))
  withr::defer(if (DBI::dbIsValid(con)) DBI::dbDisconnect(con, shutdown = TRUE), envir = .local_envir)
  con
}

# A random task of ones that has a constant feature and label, and empty rows.
ones_task <- function(n = 60, d = 6, q = 4) {
  x <- (random_codes(n, d, levels = 2L) == 1) + 0
  y <- random_labels(n, q)
  x[, 2] <- 0
  y[, q] <- 0
  x[c(3, 10), ] <- 0
  y[c(3, 10), ] <- 0
  mltask(sparse(x), sparse(y))
}

write_long <- function(con, tables, x = "x", y = "y") {
  DBI::dbWriteTable(con, x, tables$x, overwrite = TRUE)
  DBI::dbWriteTable(con, y, tables$y, overwrite = TRUE)
}

names_of <- function(task) list(features = feature_names(task), labels = target_names(task))

# A source of a database in both ways gives what the task gives, bit for bit. Where only the way to the rows is another,
# `few` selectors and steps are enough. In one of three turns, each of many selectors goes one of the ways or none.
expect_database_equals <- function(con, task, x = "x", y = "y", n_rows = nrow(features(task)), ..., few = FALSE,
                                   turn = 0L) {
  local_no_words()
  tables <- count_tables(task, sel_mim())$tables
  selectors <- list(sel_jmim(), sel_ebls())
  if (few) selectors <- first_or_all(selectors, 1)
  else selectors <- c(selectors, list(sel_mim(), sel_br_or(), sel_scls(), sel_d2f(), sel_mrmr(),
    sel_fimf(n_labels = 2), sel_pmu(), sel_mlsmfs()))
  k <- if (all_tests()) 5 else if (few) 3 else 4
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, x, y, names_of(task), n_rows, push_down = push_down, ...)
    expect_identical(count_tables(source, sel_mim())$tables, tables)
    for (i in if (few) seq_along(selectors) else some_or_all(seq_along(selectors), turn + push_down, 3L)) {
      selector <- selectors[[i]]
      expected <- sift_features(task, selector, k = k)
      found <- sift_features(source, selector, k = k)
      expect_identical(found$feature, expected$feature)
      expect_identical(found$score, expected$score)
      expect_identical(found$runner_up_score, expected$runner_up_score)
      if (few && !all_tests() || !selector$name %in% c("SCLS", "JMIM")) next
      short <- sift_features(source, selector, k = 2)
      longer <- extend_selection(short, source, k = k)
      expect_identical(as.data.frame(longer), as.data.frame(expected))
    }
  }
}

# Names of tables, features and labels that would be other SQL where they are not quoted: list(task, tables).
expect_hostile_tables_work <- function(con) {
  # Opens the database, or skips the test, before anything of DBI is needed.
  force(con)
  task <- ones_task()
  colnames(task$x) <- names(task$discrete) <-
    c("a\"; DROP TABLE x; --", "'; DELETE FROM x; --", "{x} {y} $1 ?", "%s $1 `", "\u00e9 \\", "[f]")
  colnames(task$targets$values) <- c("l'1", "l\"2\\", "{value}", "NULL")
  tables <- ones_only(long_tables(task))
  write_long(con, tables, x = "a\"; DROP TABLE y; --", y = "{x} '")
  expect_database_equals(con, task, x = "a\"; DROP TABLE y; --", y = "{x} '", few = TRUE)
  expect_equal(nrow(DBI::dbReadTable(con, "a\"; DROP TABLE y; --")), nrow(tables$x))
  list(task = task, tables = tables)
}

expect_hostile_names_work <- function(con) {
  tables <- expect_hostile_tables_work(con)$tables
  id <- DBI::Id(schema = "main", table = "{x} '")
  expect_identical(target_names(db_source(con, "a\"; DROP TABLE y; --", id, n_rows = 60)),
    sort(unique(tables$y$label), method = "radix"))
}

# Wrong tables are an error in both ways, after which the connection can be used: its transaction has ended.
expect_wrong_tables_refused <- function(con) {
  task <- ones_task()
  for (case in list(
    c("INSERT INTO x SELECT * FROM x LIMIT 1", "more than once"), c("INSERT INTO y VALUES (NULL, 'l1')", "has a NULL"),
    c("INSERT INTO x VALUES (1, NULL)", "has a NULL"), c("INSERT INTO x VALUES (3, 'f9')", "must name all features")
  )) for (push_down in c(FALSE, TRUE)) {
    write_long(con, ones_only(long_tables(task)))
    DBI::dbExecute(con, case[1])
    source <- db_source(con, "x", "y", names_of(task), 60, push_down = push_down)
    testthat::expect_error(sift_features(source, sel_mim()), case[2], class = "mlsift_error")
    expect_equal(DBI::dbGetQuery(con, "SELECT 1 AS one")$one, 1)
  }
  testthat::expect_error(db_source(con, "absent", "y"), "does(n.t| not) exist", class = "mlsift_error")
}

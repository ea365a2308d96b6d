# Tests db_source() on a database server that is running:
#   Rscript tools/test-database.R <postgres, mariadb or spider> <folder of the server>
# tools/test-postgres.sh and tools/test-mariadb.sh start the servers and call it. With "spider", all tables are shards
# on two servers of MariaDB.
if (!testthat::is_testing()) {
  asked <- commandArgs(TRUE)
  Sys.setenv(MLSIFT_DATABASE = asked[1], MLSIFT_SERVER = normalizePath(asked[2]), NOT_CRAN = "true",
    MLSIFT_TESTS = "all")
  results <- as.data.frame(testthat::test_file("tools/test-database.R", package = "mlsift", load_package = "installed",
    reporter = "summary"))
  cat(asked[1], ": ", sum(results$nb) - sum(results$failed), " expectations passed, ", sum(results$failed), " failed, ",
    sum(results$error), " errors\n", sep = "")
  quit(status = any(results$failed > 0 | results$error))
}

tests <- normalizePath(file.path("..", "tests", "testthat"))
for (helper in paste0("helper-", c("all", "expect", "data", "select", "source", "database"), ".R")) {
  source(file.path(tests, helper), local = TRUE)
}

# --- the engines ------------------------------------------------------------------------------------------------------

server <- Sys.getenv("MLSIFT_SERVER")

connect_mariadb <- function(number = 1) {
  DBI::dbConnect(RMariaDB::MariaDB(), unix.socket = file.path(server, number, "socket"), username = "root",
    dbname = "test")
}

# integers, numbers, text, binary: types, the last one where text that differs is never the same; retype: SQL that gives
# a column another type; end: ends the connection `number`.
mariadb <- list(
  connect = connect_mariadb, integers = c("integer", "bigint"), numbers = c("double", "decimal(20, 0)"),
  text = "varchar(40)", binary = "varchar(40) COLLATE utf8mb4_nopad_bin",
  retype = "ALTER TABLE %1$s MODIFY %2$s %3$s", number = "SELECT CONNECTION_ID() AS number", end = "KILL %.0f"
)
engine <- switch(Sys.getenv("MLSIFT_DATABASE"),
  postgres = list(
    connect = function() DBI::dbConnect(RPostgres::Postgres(), host = server, dbname = "postgres", user = "mlsift"),
    integers = c("integer", "bigint"), numbers = c("double precision", "numeric"), text = "text", binary = "text",
    retype = "ALTER TABLE %1$s ALTER COLUMN %2$s TYPE %3$s USING %2$s::%3$s",
    number = "SELECT pg_backend_pid() AS number", end = "SELECT pg_terminate_backend(%.0f)"
  ),
  mariadb = mariadb, spider = mariadb
)

local_server <- function(.local_envir = parent.frame()) {
  con <- engine$connect()
  withr::defer(if (DBI::dbIsValid(con)) suppressWarnings(DBI::dbDisconnect(con)), envir = .local_envir)
  con
}

# SQL with a table and a column.
with_names <- function(con, sql, table, column, ...) {
  DBI::dbExecute(con, sprintf(sql, DBI::dbQuoteIdentifier(con, table), DBI::dbQuoteIdentifier(con, column), ...))
}

as_column <- function(con, table, column, type) with_names(con, engine$retype, table, column, type)

# A table on two servers, by rows: shards on both, and a table of Spider on the first one that stands for them.
write_shards <- function(con, table, data) {
  quoted <- function(names) as.character(DBI::dbQuoteIdentifier(con, names))
  type <- function(column) if (is.character(column)) mariadb$binary else if (is.integer(column)) "integer" else "double"
  columns <- paste0(paste(quoted(names(data)), vapply(data, type, ""), collapse = ", "),
    paste0(", KEY (", quoted(names(data)), ")", collapse = ""))
  for (number in 1:2) {
    shard <- connect_mariadb(number)
    DBI::dbExecute(shard, sprintf("DROP TABLE IF EXISTS shard.%s", quoted(table)))
    DBI::dbExecute(shard, sprintf("CREATE TABLE shard.%s (%s)", quoted(table), columns))
    DBI::dbDisconnect(shard)
  }
  DBI::dbExecute(con, sprintf("DROP TABLE IF EXISTS %s", quoted(table)))
  DBI::dbExecute(con, sprintf("CREATE TABLE %s (%s) ENGINE = SPIDER COMMENT = 'wrapper \"mysql\", table \"%s\"'
    PARTITION BY KEY (%s) (PARTITION p1 COMMENT = 'server \"one\"', PARTITION p2 COMMENT = 'server \"two\"')",
    quoted(table), columns, table, quoted("row")))
  DBI::dbAppendTable(con, table, data)
}

sharded <- Sys.getenv("MLSIFT_DATABASE") == "spider"

write_table <- function(con, table, data) {
  if (sharded) write_shards(con, table, data) else DBI::dbWriteTable(con, table, data, overwrite = TRUE)
}

# In place of that of helper-database.R.
write_long <- function(con, tables, x = "x", y = "y") {
  write_table(con, x, tables$x)
  write_table(con, y, tables$y)
}

# --- the tests --------------------------------------------------------------------------------------------------------

test_that("both ways of counting give the bits of memory", {
  withr::local_seed(1)
  con <- local_server()
  for (n in c(12, 150)) {
    task <- ones_task(n)
    write_long(con, ones_only(long_tables(task)))
    expect_database_equals(con, task)
    withr::with_options(list(mlsift.fetch_rows = 7), expect_database_equals(con, task, few = TRUE))
  }
  if (!sharded) return()
  for (number in 1:2) {
    shard <- connect_mariadb(number)
    rows <- DBI::dbGetQuery(shard, "SELECT COUNT(DISTINCT `row`) AS n FROM shard.x")$n
    expect_gt(as.numeric(rows), 0)
    expect_lt(as.numeric(rows), 148)
    DBI::dbDisconnect(shard)
  }
})

test_that("text tells rows, features and labels apart as R does", {
  withr::local_seed(10)
  con <- local_server()
  task <- ones_task()
  rows <- c("a", "A", "a ", "\u00e4", "AE", "\u00c6", paste("row", 7:60))
  colnames(task$x) <- names(task$discrete) <- c("f", "f ", "F", "\u00e9", "e", "E")
  colnames(task$targets$values) <- c("l", "L", "\u0141", "l ")
  write_long(con, ones_only(long_tables(task, rows)))
  expect_database_equals(con, task)
  withr::with_options(list(mlsift.fetch_rows = 9), expect_database_equals(con, task, few = TRUE))
})

test_that("64-bit and text rows, and names that are numbers", {
  testthat::skip_if(sharded, "the types of shards cannot be changed")
  withr::local_seed(2)
  con <- local_server()
  task <- ones_task()
  tables <- ones_only(long_tables(task, 2^45 + seq_len(60)))
  write_long(con, tables)
  for (table in c("x", "y")) as_column(con, table, "row", "bigint")
  expect_database_equals(con, task)
  for (table in c("x", "y")) as_column(con, table, "row", engine$text)
  expect_database_equals(con, task, few = TRUE)
  withr::local_options(mlsift.fetch_rows = 9)
  for (type in c(engine$integers, engine$numbers, engine$text)) {
    write_long(con, ones_only(long_tables(task)))
    with_names(con, "UPDATE %1$s SET %2$s = substr(%2$s, 2)", "x", "feature")
    with_names(con, "UPDATE %1$s SET %2$s = substr(%2$s, 2)", "y", "label")
    as_column(con, "x", "feature", type)
    as_column(con, "y", "label", type)
    for (push_down in c(FALSE, TRUE)) for (levels in list(list(features = 1:6, labels = 1:4),
      list(features = as.character(1:6), labels = as.character(1:4)))) {
      source <- db_source(con, "x", "y", levels, 60, push_down = push_down)
      expect_identical(sift_features(source, sel_jmim(), k = 4)$score, sift_features(task, sel_jmim(), k = 4)$score)
    }
    expect_identical(feature_names(db_source(con, "x", "y", n_rows = 60)), as.character(c(1, 3:6))[
      c(1, 3:6) %in% which(colSums(as.matrix(features(task))) > 0)])
  }
})

test_that("hostile names are names, and values are bound", {
  testthat::skip_if(sharded, "Spider has names of tables in its options")
  withr::local_seed(3)
  con <- local_server()
  written <- expect_hostile_tables_work(con)
  task <- written$task
  DBI::dbExecute(con, sprintf("CREATE SCHEMA %s", DBI::dbQuoteIdentifier(con, "s\"; --")))
  id <- DBI::Id(schema = "s\"; --", table = "x")
  DBI::dbWriteTable(con, id, written$tables$x)
  source <- db_source(con, id, "{x} '", names_of(task), 60)
  expect_identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
})

test_that("levels and folds", {
  withr::local_seed(4)
  con <- local_server()
  task <- mltask(random_codes(50, 5), random_labels(50, 3), discrete = stats::setNames(rep(TRUE, 5), paste0("f", 1:5)))
  write_long(con, long_tables(task))
  source <- db_source(con, "x", "y", names_of(task), 50)
  expect_identical(sift_features(source, sel_scls(), k = 4)$score, sift_features(task, sel_scls(), k = 4)$score)
  task <- ones_task()
  folds <- rep(1:3, 20)
  write_long(con, ones_only(long_tables(task)))
  write_table(con, "fold", data.frame(row = 1:60, group = folds))
  expected <- count_tables(task, sel_mim(), folds = folds)
  for (push_down in c(FALSE, TRUE)) {
    found <- count_tables(
      db_source(con, "x", "y", names_of(task), 60, group = "fold", push_down = push_down), sel_mim()
    )
    for (fold in names(expected)) expect_identical(found[[fold]]$tables, expected[[fold]]$tables)
  }
})

test_that("weights and classes", {
  withr::local_seed(9)
  con <- local_server()
  task <- ones_task()
  task$rows$weights <- rep(0:3, 15) + 0
  targets <- data.frame(genre = sample(c("jazz", "pop", "rock"), 60, TRUE), live = sample(c("no", "yes"), 60, TRUE))
  classes <- mltask(features(task), targets, kind = "class", weights = task$rows$weights)
  long <- data.frame(row = rep(1:60, 2), label = rep(names(targets), each = 60), class = unlist(targets))
  for (type in if (sharded) "as written" else c(engine$integers, engine$numbers)) {
    write_long(con, ones_only(long_tables(task)))
    write_table(con, "w", data.frame(row = 1:60, weight = task$rows$weights))
    if (!sharded) as_column(con, "w", "weight", type)
    expect_database_equals(con, task[task$rows$weights > 0, ], n_rows = 60, weights = "w", few = TRUE)
    write_table(con, "y", long)
    for (push_down in c(FALSE, TRUE)) {
      source <- db_source(con, "x", "y", list(features = feature_names(task), labels = names(targets)), 60,
        push_down = push_down, weights = "w")
      expect_source_equals(source, classes[classes$rows$weights > 0, ], list(sel_mim(), sel_scls(), sel_jmim()))
    }
  }
})

test_that("duplicates, NULLs and absent tables are errors", {
  withr::local_seed(5)
  con <- local_server()
  expect_wrong_tables_refused(con)
})

test_that("passes see one state of the tables, whatever others commit", {
  withr::local_seed(6)
  con <- local_server()
  other <- local_server()
  task <- ones_task()
  expected <- sift_features(task, sel_scls(), k = 4)
  for (push_down in c(FALSE, TRUE)) {
    write_long(con, ones_only(long_tables(task)))
    source <- db_source(con, "x", "y", names_of(task), 60, push_down = push_down)
    done <- FALSE
    commit <- function() {
      if (!done) with_names(other, "DELETE FROM %s WHERE %s < 20", "x", "row")
      done <<- TRUE
    }
    open <- source$open
    opened <- 0
    source$open <- function() {
      opened <<- opened + 1
      if (opened == 2) commit()
      open()
    }
    if (push_down) source <- before_pairs(source, commit)
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, expected$score)
    expect_true(done)
    expect_false(identical(sift_features(source, sel_scls(), k = 4)$score, expected$score))
  }
})

test_that("a connection that the server ends in the middle is an error", {
  withr::local_seed(7)
  con <- local_server()
  other <- local_server()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  for (push_down in c(FALSE, TRUE)) {
    con <- local_server()
    number <- as.numeric(DBI::dbGetQuery(con, engine$number)$number)
    source <- db_source(con, "x", "y", names_of(task), 60, push_down = push_down)
    passes <- 0
    end <- function() {
      passes <<- passes + 1
      if (passes == 2) DBI::dbExecute(other, sprintf(engine$end, number))
    }
    open <- source$open
    source$open <- function() {
      end()
      open()
    }
    if (push_down) source <- before_pairs(source, end)
    expect_error(suppressWarnings(sift_features(source, sel_scls(), k = 4)), class = "mlsift_error")
    expect_gt(passes, 1)
  }
})

test_that("a larger made-up data set, with the time it takes", {
  withr::local_seed(8)
  con <- local_server()
  n <- if (sharded) 500 else 5000
  draw <- function(d, per_row, prefix) {
    m <- Matrix::rsparsematrix(n, d, per_row / d, rand.x = function(n) rep(1, n))
    colnames(m) <- paste0(prefix, seq_len(d))
    m
  }
  task <- mltask(draw(1000, 20, "f"), draw(50, 2, "l"))
  long <- function(m, column) {
    cells <- Matrix::summary(m)
    stats::setNames(data.frame(cells$i, colnames(m)[cells$j]), c("row", column))
  }
  write_long(con, list(x = long(task$x, "feature"), y = long(task$targets$values, "label")))
  if (!sharded) {
    as_column(con, "x", "feature", engine$binary)
    as_column(con, "y", "label", engine$binary)
    for (sql in c("CREATE INDEX xr ON %s (%s)", "CREATE INDEX yr ON %s (%s)", "CREATE INDEX xf ON %s (%s)")) {
      with_names(con, sql, substr(sql, 14, 14), c(r = "row", f = "feature")[[substr(sql, 15, 15)]])
    }
  }
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", names_of(task), n, push_down = push_down)
    for (selector in list(sel_mim(), sel_jmim())) {
      time <- system.time(found <- sift_features(source, selector, k = 4))[["elapsed"]]
      cat(sprintf("\n  %-5s %.0f rows x 1,000 features, push_down %-5s %6.2f s", selector$name, n, push_down, time))
      expect_identical(found$score, sift_features(task, selector, k = 4)$score)
    }
  }
  cat("\n")
})

# Run by tools/test-postgres.sh, which starts the server in the folder MLSIFT_POSTGRES.
tests <- normalizePath(file.path("..", "tests", "testthat"))
for (helper in c("helper-data.R", "helper-select.R", "helper-source.R", "helper-database.R")) {
  source(file.path(tests, helper), local = TRUE)
}

connect <- function() DBI::dbConnect(
  RPostgres::Postgres(), host = Sys.getenv("MLSIFT_POSTGRES"), dbname = "postgres", user = "mlsift"
)

local_postgres <- function(.local_envir = parent.frame()) {
  con <- connect()
  withr::defer(if (DBI::dbIsValid(con)) DBI::dbDisconnect(con), envir = .local_envir)
  con
}

as_columns <- function(con, types, table) {
  for (column in names(types)) DBI::dbExecute(con, sprintf(
    "ALTER TABLE %s ALTER COLUMN %s TYPE %s USING %s::%s", DBI::dbQuoteIdentifier(con, table),
    DBI::dbQuoteIdentifier(con, column), types[[column]], DBI::dbQuoteIdentifier(con, column), types[[column]]
  ))
}

test_that("both ways of counting give the bits of memory", {
  withr::local_seed(1)
  con <- local_postgres()
  for (n in c(12, 60, 150)) {
    task <- ones_task(n)
    write_long(con, ones_only(long_tables(task)))
    expect_database_equals(con, task)
    withr::with_options(list(mlsift.fetch_rows = 7), expect_database_equals(con, task))
  }
})

test_that("64-bit and text rows, and names that are numbers", {
  withr::local_seed(2)
  con <- local_postgres()
  task <- ones_task()
  tables <- ones_only(long_tables(task, 2^45 + seq_len(60)))
  write_long(con, tables)
  for (table in c("x", "y")) as_columns(con, c(row = "bigint"), table)
  expect_database_equals(con, task)
  for (table in c("x", "y")) as_columns(con, c(row = "text"), table)
  expect_database_equals(con, task)
  withr::local_options(mlsift.fetch_rows = 9)
  for (type in c("integer", "bigint", "double precision", "numeric", "text")) {
    write_long(con, ones_only(long_tables(task)))
    DBI::dbExecute(con, "UPDATE x SET feature = substr(feature, 2)")
    DBI::dbExecute(con, "UPDATE y SET label = substr(label, 2)")
    as_columns(con, c(feature = type), "x")
    as_columns(con, c(label = type), "y")
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
  withr::local_seed(3)
  con <- local_postgres()
  task <- ones_task()
  colnames(task$x) <- names(task$discrete) <-
    c("a\"; DROP TABLE x; --", "'; DELETE FROM x; --", "{x} {y} $1 ?", "$1", "\u00e9 \\", "[f]")
  colnames(task$targets$values) <- c("l'1", "l\"2", "{value}", "NULL")
  tables <- ones_only(long_tables(task))
  write_long(con, tables, x = "a\"; DROP TABLE y; --", y = "{x} '")
  expect_database_equals(con, task, x = "a\"; DROP TABLE y; --", y = "{x} '")
  expect_equal(nrow(DBI::dbReadTable(con, "a\"; DROP TABLE y; --")), nrow(tables$x))
  DBI::dbExecute(con, "CREATE SCHEMA \"s\"\"; --\"")
  id <- DBI::Id(schema = "s\"; --", table = "x")
  DBI::dbWriteTable(con, id, tables$x)
  source <- db_source(con, id, "{x} '", names_of(task), 60)
  expect_identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
})

test_that("levels and folds", {
  withr::local_seed(4)
  con <- local_postgres()
  task <- mltask(random_codes(50, 5), random_labels(50, 3), discrete = stats::setNames(rep(TRUE, 5), paste0("f", 1:5)))
  write_long(con, long_tables(task))
  source <- db_source(con, "x", "y", names_of(task), 50)
  expect_identical(sift_features(source, sel_scls(), k = 4)$score, sift_features(task, sel_scls(), k = 4)$score)
  task <- ones_task()
  folds <- rep(1:3, 20)
  write_long(con, ones_only(long_tables(task)))
  DBI::dbWriteTable(con, "fold", data.frame(row = 1:60, group = folds))
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
  con <- local_postgres()
  task <- ones_task()
  task$rows$weights <- rep(0:3, 15) + 0
  targets <- data.frame(genre = sample(c("jazz", "pop", "rock"), 60, TRUE), live = sample(c("no", "yes"), 60, TRUE))
  classes <- mltask(features(task), targets, kind = "class", weights = task$rows$weights)
  long <- data.frame(row = rep(1:60, 2), label = rep(names(targets), each = 60), class = unlist(targets))
  for (type in c("integer", "bigint", "numeric", "double precision")) {
    write_long(con, ones_only(long_tables(task)))
    DBI::dbWriteTable(con, "w", data.frame(row = 1:60, weight = task$rows$weights), overwrite = TRUE)
    as_columns(con, c(weight = type), "w")
    expect_database_equals(con, task[task$rows$weights > 0, ], n_rows = 60, weights = "w")
    DBI::dbWriteTable(con, "y", long, overwrite = TRUE)
    for (push_down in c(FALSE, TRUE)) {
      source <- db_source(con, "x", "y", list(features = feature_names(task), labels = names(targets)), 60,
        push_down = push_down, weights = "w")
      expect_source_equals(source, classes[classes$rows$weights > 0, ], list(sel_mim(), sel_scls(), sel_jmim()))
    }
  }
})

test_that("duplicates, NULLs and absent tables are errors", {
  withr::local_seed(5)
  con <- local_postgres()
  expect_wrong_tables_refused(con)
})

test_that("passes see one state of the tables, whatever others commit", {
  withr::local_seed(6)
  con <- local_postgres()
  other <- local_postgres()
  task <- ones_task()
  for (push_down in c(FALSE, TRUE)) {
    write_long(con, ones_only(long_tables(task)))
    source <- db_source(con, "x", "y", names_of(task), 60, push_down = push_down)
    expected <- sift_features(task, sel_scls(), k = 4)
    commit <- function() DBI::dbExecute(other, "DELETE FROM x WHERE row < 20")
    open <- source$open
    opened <- 0
    source$open <- function(call) {
      opened <<- opened + 1
      if (opened == 2) commit()
      open(call)
    }
    ask <- source$push$ask
    if (push_down) source$push$ask <- function(call) {
      commit()
      ask(call)
    }
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, expected$score)
    expect_false(identical(sift_features(source, sel_scls(), k = 4)$score, expected$score))
  }
})

test_that("a connection that the server ends in the middle is an error", {
  withr::local_seed(7)
  con <- local_postgres()
  other <- local_postgres()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  pid <- DBI::dbGetQuery(con, "SELECT pg_backend_pid() AS pid")$pid
  source <- db_source(con, "x", "y", names_of(task), 60)
  open <- source$open
  opened <- 0
  source$open <- function(call) {
    opened <<- opened + 1
    if (opened == 2) DBI::dbGetQuery(other, "SELECT pg_terminate_backend($1)", list(pid))
    open(call)
  }
  expect_error(sift_features(source, sel_scls(), k = 3), class = "mlsift_error")
  # RPostgres connects again by itself.
  expect_identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
})

test_that("a larger made-up data set, with the time it takes", {
  withr::local_seed(8)
  con <- local_postgres()
  n <- 20000
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
  for (sql in c("CREATE INDEX ON x (row)", "CREATE INDEX ON y (row)", "CREATE INDEX ON x (feature)", "ANALYZE")) {
    DBI::dbExecute(con, sql)
  }
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", names_of(task), n, push_down = push_down)
    for (selector in list(sel_mim(), sel_jmim())) {
      time <- system.time(found <- sift_features(source, selector, k = 4))[["elapsed"]]
      cat(sprintf("\n  %-5s 20,000 rows x 1,000 features, push_down %-5s %6.2f s", selector$name, push_down, time))
      expect_identical(found$score, sift_features(task, selector, k = 4)$score)
    }
  }
  cat("\n")
})

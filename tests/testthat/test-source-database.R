test_that("both ways of counting give the bits of memory", {
  withr::local_seed(1)
  con <- local_sqlite()
  for (case in 1:3) {
    task <- ones_task(c(12, 60, 150)[case])
    write_long(con, ones_only(long_tables(task)))
    expect_database_equals(con, task, turn = case)
    if (case == 3 && !all_tests()) next
    withr::with_options(list(mlsift.fetch_rows = c(1, 7, 50)[case]), expect_database_equals(con, task, few = TRUE))
    if (case == 2 && !all_tests()) next
    withr::with_options(list(mlsift.chunk_bytes = 40), expect_database_equals(con, task, few = TRUE))
  }
})

test_that("numbers that agree in 15 digits are two features, labels and classes", {
  withr::local_seed(3)
  con <- local_sqlite()
  near <- c(0.1 + 0.2, 0.3, 1 / 3, 2)
  names <- c("0.30000000000000004", "0.3", "0.3333333333333333", "2")
  x <- matrix(rbinom(160, 1, 0.5), 40)
  y <- matrix(rbinom(160, 1, 0.5), 40)
  colnames(x) <- colnames(y) <- names
  tables <- ones_only(long_tables(mltask(x, `colnames<-`(y, paste0("l", names)), discrete = all_discrete(x))))
  tables$x$feature <- near[match(tables$x$feature, names)]
  tables$y$label <- near[match(tables$y$label, paste0("l", names))]
  write_long(con, tables)
  source <- db_source(con, "x", "y", n_rows = 40)
  expect_identical(feature_names(source), sort(names, method = "radix"))
  expect_identical(as.numeric(feature_names(source)), sort(near))
  order <- order(near)
  expected <- sift_features(mltask(x[, order], `colnames<-`(y[, order], paste0("l", names[order]))), sel_mim())
  expect_identical(sift_features(source, sel_mim())$score, expected$score)
})

test_that("rows may be numbered by text, large numbers or numbers with gaps", {
  skip_unless_all()
  withr::local_seed(2)
  con <- local_sqlite()
  task <- ones_task()
  for (rows in list(sample(1e5, 60), paste("row", 1:60), 2^45 + seq_len(60), -30:29)) {
    write_long(con, ones_only(long_tables(task, rows)))
    withr::with_options(list(mlsift.fetch_rows = 11), expect_database_equals(con, task, few = TRUE))
  }
  DBI::dbExecute(con, "CREATE TABLE big (row INTEGER, feature TEXT)")
  DBI::dbExecute(con, "INSERT INTO big VALUES (9007199254740993, 'f1')")
  source <- db_source(con, "big", "y", names_of(task), 61)
  expect_error(sift_features(source, sel_mim()), "must be below 2\\^53", class = "mlsift_error")
  DBI::dbExecute(con, "CREATE TABLE real (row REAL, feature TEXT)")
  DBI::dbExecute(con, "INSERT INTO real VALUES (9007199254740992, 'f1')")
  source <- db_source(con, "real", "y", names_of(task), 61)
  expect_error(sift_features(source, sel_mim()), "must be below 2\\^53", class = "mlsift_error")
})

test_that("features and labels may be numbers", {
  withr::local_seed(3)
  con <- local_sqlite()
  task <- ones_task()
  tables <- ones_only(long_tables(task))
  tables$x$feature <- as.integer(sub("f", "", tables$x$feature)) * 100000L
  tables$y$label <- as.integer(sub("l", "", tables$y$label))
  write_long(con, tables)
  levels <- list(features = 1:6 * 1e5, labels = as.character(1:4))
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", levels, 60, push_down = push_down)
    expect_identical(feature_names(source), paste0(1:6, "00000"))
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, sift_features(task, sel_scls(), k = 4)$score)
    expect_identical(feature_names(db_source(con, "x", "y", n_rows = 60)), paste0(c(1, 3:6), "00000"))
  }
})

test_that("features and labels may be 64-bit integers", {
  withr::local_seed(11)
  con <- local_sqlite()
  task <- ones_task()
  tables <- ones_only(long_tables(task, 2^45 + seq_len(60)))
  tables$x$feature <- as.numeric(sub("f", "", tables$x$feature)) * 2^33
  tables$y$label <- as.numeric(sub("l", "", tables$y$label)) * 2^33
  DBI::dbWriteTable(con, "x", tables$x, field.types = c(row = "INTEGER", feature = "INTEGER"))
  DBI::dbWriteTable(con, "y", tables$y, field.types = c(row = "INTEGER", label = "INTEGER"))
  expect_s3_class(DBI::dbReadTable(con, "x")$feature, "integer64")
  for (size in c(3, 1000)) for (push_down in c(FALSE, TRUE)) {
    withr::local_options(mlsift.fetch_rows = size)
    source <- db_source(con, "x", "y", list(features = 1:6 * 2^33, labels = 1:4 * 2^33), 60, push_down = push_down)
    expect_identical(feature_names(source)[1:2], c("8589934592", "17179869184"))
    expect_identical(sift_features(source, sel_jmim(), k = 4)$score, sift_features(task, sel_jmim(), k = 4)$score)
  }
})

test_that("names are sorted in the C locale, and rows counted, where nothing is said", {
  con <- local_sqlite()
  write_long(con, list(
    x = data.frame(row = c(1, 1, 2, 5), feature = c("b", "\u00e9", "A", "a")),
    y = data.frame(row = c(1, 9), label = "z")
  ))
  expect_snapshot(source <- db_source(con, "x", "y"))
  expect_identical(feature_names(source), c("A", "a", "b", "\u00e9"))
  expect_snapshot(source)
  expect_identical(count_tables(source, sel_mim())$tables$n, 4)
  expect_identical(count_tables(db_source(con, "x", "y", n_rows = 3e6), sel_mim())$tables$n, 3e6)
})

test_that("a column of levels gives features of several values", {
  withr::local_seed(4)
  con <- local_sqlite()
  x <- random_codes(50, 5)
  task <- coded_task(x, random_labels(50, 3))
  write_long(con, long_tables(task))
  source <- db_source(con, "x", "y", names_of(task), 50)
  for (selector in list(sel_mim(), sel_scls(), sel_jmim())) {
    expect_identical(sift_features(source, selector, k = 4)$score, sift_features(task, selector, k = 4)$score)
  }
  expect_error(db_source(con, "x", "y", push_down = TRUE), "counts ones only", class = "mlsift_error")
  DBI::dbExecute(con, "UPDATE x SET level = 1.5 WHERE row = 5")
  expect_error(sift_features(source, sel_mim()), "must hold whole numbers", class = "mlsift_error")
  DBI::dbExecute(con, "UPDATE x SET level = NULL WHERE row = 5")
  expect_error(sift_features(source, sel_mim()), "column level has a NULL", class = "mlsift_error")
  tables <- long_tables(task)
  tables$x$level <- paste0("level ", tables$x$level)
  write_long(con, tables)
  source <- db_source(con, "x", "y", names_of(task), 50)
  expect_error(sift_features(source, sel_mim()), "column level must hold whole numbers, not text",
    class = "mlsift_error")
})

test_that("groups come from a table, one pass for all", {
  withr::local_seed(5)
  con <- local_sqlite()
  task <- ones_task()
  folds <- sample(rep(c("a", "b", "c"), 20))
  write_long(con, ones_only(long_tables(task)))
  DBI::dbWriteTable(con, "fold", data.frame(row = 1:60, group = folds))
  expected <- count_tables(task, sel_mim(), folds = folds)
  withr::local_options(mlsift.fetch_rows = 13)
  for (push_down in c(FALSE, TRUE)) {
    expect_message(
      source <- db_source(con, "x", "y", names_of(task), group = "fold", push_down = push_down), "Counted 60 rows"
    )
    found <- count_tables(source, sel_mim())
    expect_named(found, c("a", "b", "c"))
    for (fold in names(found)) expect_identical(found[[fold]]$tables, expected[[fold]]$tables)
    expect_identical(sift_features(source, sel_scls(), k = 3)$score, sift_features(task, sel_scls(), k = 3)$score)
  }
  refused <- function(why) for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", names_of(task), n_rows = 60, group = "fold", push_down = push_down)
    expect_error(count_tables(source, sel_mim()), why, class = "mlsift_error")
  }
  DBI::dbExecute(con, "DELETE FROM fold WHERE row = 5")
  refused("must have all rows")
  DBI::dbExecute(con, "INSERT INTO fold VALUES (5, NULL)")
  refused("column group has a NULL")
  # A row without features and labels, which is in no table.
  DBI::dbExecute(con, "DELETE FROM fold WHERE row = 5")
  for (table in c("x", "y")) DBI::dbExecute(con, sprintf("DELETE FROM %s WHERE row = 5", table))
  refused("must have all rows.*Rows without features and labels must be in it too")
  DBI::dbExecute(con, "INSERT INTO fold VALUES (5, 'a')")
  DBI::dbExecute(con, "INSERT INTO fold VALUES (7, 'c')")
  refused("must have one group.*Row \"7\" has more than one")
})

test_that("hostile names are names", {
  withr::local_seed(6)
  expect_hostile_names_work(local_sqlite())
})

test_that("what is wrong with the tables is an error in both ways", {
  withr::local_seed(7)
  con <- local_sqlite()
  task <- ones_task()
  tables <- ones_only(long_tables(task))
  refused <- function(why, ..., n_rows = 60, levels = names_of(task)) for (push_down in c(FALSE, TRUE)) {
    write_long(con, tables)
    for (sql in c(...)) DBI::dbExecute(con, sql)
    expect_error(
      sift_features(db_source(con, "x", "y", levels, n_rows, push_down = push_down), sel_mim()), why,
      class = "mlsift_error"
    )
  }
  refused("Row \".*\" has feature \"f.\" more than once",
    "INSERT INTO x SELECT * FROM x WHERE row = (SELECT min(row) FROM x)")
  refused("Row \".*\" has label \"l.\" more than once",
    "INSERT INTO y SELECT * FROM y WHERE row = (SELECT max(row) FROM y)")
  refused("column row has a NULL", "INSERT INTO x VALUES (NULL, 'f1')")
  refused("column feature has a NULL", "INSERT INTO x VALUES (1, NULL)")
  refused("column label has a NULL", "INSERT INTO y VALUES (1, NULL)")
  refused("column feature has a NULL", "INSERT INTO x VALUES (1, NULL)", levels = NULL)
  refused("`levels` must name all features.*\"other\"", "INSERT INTO x VALUES (3, 'other')")
  refused("`levels` must name all labels.*\"other\"", "INSERT INTO y VALUES (3, 'other')")
  refused("`n_rows`", n_rows = 20)
  refused("must hold at least one feature", "DELETE FROM x", levels = NULL)
})

test_that("arguments that do not fit are refused", {
  withr::local_seed(8)
  con <- local_sqlite()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(db_source("x", "x", "y"), "must be a connection")
  with_mocked_bindings(refused(db_source(con, "x", "y"), "RSQLite.*needs the package DBI"),
    has_package = function(...) FALSE)
  refused(db_source(con, "absent", "y"), "no such table: absent")
  refused(db_source(con, "x", "absent"), "no such table: absent")
  refused(db_source(con, "y", "x"), "no column feature")
  refused(db_source(con, "x", "y", group = "x"), "no column group")
  refused(db_source(con, 1, "y"), "`x` must be one string")
  refused(db_source(con, "x", "y", levels = "f1"), "`levels` must be")
  refused(db_source(con, "x", "y", levels = list(features = c("f1", "f1"))), "\"f1\" occurs twice")
  refused(db_source(con, "x", "y", n_rows = 0), "`n_rows` must be")
  refused(db_source(con, "x", "y", push_down = NA), "must be TRUE or FALSE")
  expect_snapshot(db_source(con, "x", "absent"), error = TRUE)
  source <- db_source(con, "x", "y", n_rows = 60)
  for (selector in list(sel_joint_jmi(), sel_br_cc())) refused(sift_features(source, selector), "cannot be computed")
  DBI::dbDisconnect(con)
  refused(sift_features(source, sel_mim()), "must be open")
  refused(db_source(con, "x", "y"), "must be open")
})

test_that("a connection that is lost in the middle is an error", {
  withr::local_seed(9)
  con <- local_sqlite()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  withr::local_options(mlsift.fetch_rows = 10)
  source <- db_source(con, "x", "y", n_rows = 60)
  fetches <- 0
  on_third <- function(what) {
    fetches <<- 0
    testthat::local_mocked_bindings(fetch_lines = function(result, n) {
      fetches <<- fetches + 1
      if (fetches == 3) what() else DBI::dbFetch(result, n = n)
    }, .env = parent.frame())
  }
  local({
    on_third(function() stop("server closed the connection unexpectedly"))
    expect_error(sift_features(source, sel_mim()), "while rows were fetched.*server closed", class = "mlsift_error")
    push <- db_source(con, "x", "y", names_of(task), n_rows = 60, push_down = TRUE)
    fetches <<- 0
    expect_error(sift_features(push, sel_mim()), "while it counted.*server closed", class = "mlsift_error")
  })
  local({
    on_third(function() data.frame())
    expect_error(sift_features(source, sel_mim()), "stopped before the last row", class = "mlsift_error")
  })
  # Nothing is left open.
  expect_identical(sift_features(source, sel_mim())$score, sift_features(source, sel_mim(), threads = 2)$score)
  DBI::dbBegin(con)
  DBI::dbRollback(con)
})

test_that("tables that change between passes are noticed, and transactions end", {
  withr::local_seed(10)
  con <- local_sqlite()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  changing <- function(sql, push_down = FALSE) {
    source <- db_source(con, "x", "y", names_of(task), n_rows = 60, push_down = push_down)
    passes <- 0
    change <- function() {
      passes <<- passes + 1
      if (passes == 2) DBI::dbExecute(con, sql)
    }
    open <- source$open
    source$open <- function() {
      change()
      open()
    }
    if (!push_down) return(source)
    change()
    before_pairs(source, change)
  }
  first <- sift_features(task, sel_scls(), k = 1)$feature
  more <- sprintf("INSERT INTO x VALUES (3, '%s')", first)
  expect_error(sift_features(changing(more), sel_scls(), k = 3), "must not change", class = "mlsift_error")
  expect_error(sift_features(changing(more, TRUE), sel_scls(), k = 3), "other counts than in its first pass")
  # What was inserted inside of the transaction of the selection is gone.
  expect_identical(sift_features(db_source(con, "x", "y", names_of(task), 60), sel_scls(), k = 3)$score,
    sift_features(task, sel_scls(), k = 3)$score)
  DBI::dbBegin(con) # a transaction of the user stays open
  sift_features(db_source(con, "x", "y", names_of(task), 60), sel_scls(), k = 3)
  DBI::dbExecute(con, "DELETE FROM x")
  DBI::dbRollback(con)
  expect_gt(nrow(DBI::dbReadTable(con, "x")), 0)
})

test_that("values that are neither numbers nor text are refused", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE x (row INTEGER, feature BLOB)")
  DBI::dbExecute(con, "INSERT INTO x VALUES (1, x'00ff'), (2, x'01')")
  DBI::dbExecute(con, "CREATE TABLE y (row INTEGER, label TEXT)")
  DBI::dbExecute(con, "INSERT INTO y VALUES (1, 'l'), (3, 'l')")
  expect_error(db_source(con, "x", "y", n_rows = 3), "column feature must hold numbers or text.*of class .?blob",
    class = "mlsift_error")
  DBI::dbExecute(con, "CREATE VIEW empty AS SELECT row, NULL AS feature FROM x")
  expect_error(db_source(con, "empty", "y", n_rows = 3), "column feature has a NULL", class = "mlsift_error")
  expect_identical(plain_keys(c(NA, NA), "feature"), c(NA, NA))
  expect_error(plain_keys(c(NA, TRUE), "feature"), "of class .?logical", class = "mlsift_error")
})

test_that("text of MariaDB gets a collation that keeps names apart", {
  found <- mariadb_collations(c(row = "binary", feature = "utf8mb4_general_ci", label = "utf8mb4_bin",
    class = "latin1_swedish_ci", group = "utf8mb4_nopad_bin", level = NA))
  expect_identical(found, c(feature = "utf8mb4_nopad_bin", label = "utf8mb4_nopad_bin", class = "latin1_nopad_bin"))
  expect_length(mariadb_collations(c(row = "binary", feature = NA)), 0)
})

test_that("what a database lacks for push_down is an error before anything is counted", {
  con <- local_sqlite()
  write_long(con, ones_only(long_tables(withr::with_seed(1, ones_task()))))
  without <- function(db, template, ...) {
    if (grepl("JOIN", template, fixed = TRUE)) abort("The database knows no JOIN.")
    ask(db, template, ...)
  }
  ask <- db_ask
  local_mocked_bindings(db_ask = without)
  expect_error(db_source(con, "x", "y", n_rows = 60, push_down = TRUE), "knows no JOIN", class = "mlsift_error")
  expect_s3_class(db_source(con, "x", "y", n_rows = 60), "mlsource")
})

test_that("counts that a number cannot hold are refused", {
  expect_identical(whole_counts(c(0, 2^53)), c(0, 2^53))
  for (counts in list(2^54, c(1, NA))) {
    expect_error(whole_counts(counts), "must not exceed 2^53", fixed = TRUE, class = "mlsift_error")
  }
})

test_that("tables without lines have rows without features and labels", {
  con <- local_sqlite()
  write_long(con, list(x = data.frame(row = 1, feature = "f1")[0, ], y = data.frame(row = 1, label = "l1")[0, ]))
  source <- db_source(con, "x", "y", list(features = c("f1", "f2"), labels = c("l1", "l2")), 5)
  found <- rows_of_source(source)
  expect_identical(dim(found$x), c(5L, 2L))
  expect_identical(dim(found$y), c(5L, 2L))
  expect_identical(Matrix::nnzero(found$x) + Matrix::nnzero(found$y), 0L)
})

test_that("text that differs must sort as different text", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE x (row TEXT COLLATE NOCASE, feature TEXT)")
  DBI::dbExecute(con, "INSERT INTO x VALUES ('a', 'f1'), ('A', 'f1'), ('a', 'f2'), ('A', 'f2')")
  DBI::dbExecute(con, "CREATE TABLE y (row TEXT COLLATE NOCASE, label TEXT)")
  DBI::dbExecute(con, "INSERT INTO y VALUES ('a', 'l1'), ('A', 'l2'), ('b', 'l1')")
  source <- db_source(con, "x", "y", n_rows = 3)
  expect_identical(nrow(sift_features(source, sel_mim())), 2L)
  # A database that sorts texts which differ as if they were the same:
  query <- ordered_query
  local_mocked_bindings(ordered_query = \(db) sub("ORDER BY 1", "ORDER BY 1 COLLATE NOCASE", query(db), fixed = TRUE))
  expect_error(sift_features(source, sel_mim()), "must sort the rows.*Row \"a\" comes twice", class = "mlsift_error")
  # Also where the lines of a row are fetched at different times, and more rows are expected.
  source <- db_source(con, "x", "y", n_rows = 9)
  for (size in 1:5) {
    withr::local_options(mlsift.fetch_rows = size)
    expect_error(sift_features(source, sel_mim()), "must sort the rows.*Row \"[aA]\" comes twice",
      class = "mlsift_error")
  }
})

# --- weights and classes ----------------------------------------------------------------------------------------------

# Rows of weight 0 are left out.
test_that("weights come from a table, in both ways of counting", {
  withr::local_seed(12)
  con <- local_sqlite()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  turn <- 0
  for (weights in list(sample(0:4, 60, TRUE), sample(1:3, 60, TRUE) + 0)) {
    turn <- turn + 1
    DBI::dbWriteTable(con, "w", data.frame(row = sample(60), weight = 0)[0, ], overwrite = TRUE)
    order <- sample(60)
    DBI::dbAppendTable(con, "w", data.frame(row = order, weight = weights[order]))
    task$rows$weights <- weights + 0
    kept <- task[task$rows$weights > 0, ]
    for (size in some_or_all(c(7, 1000), turn, 2L)) withr::with_options(list(mlsift.fetch_rows = size), {
      expect_database_equals(con, kept, n_rows = 60, weights = "w", few = size == 7, turn = turn)
    })
    source <- db_source(con, "x", "y", names_of(task), 60, weights = "w")
    expect_source_equals(source, kept, list(sel_chi2("ppt"), sel_trans_mi()))
    DBI::dbWriteTable(con, "fold", data.frame(row = 1:60, group = rep(1:3, 20)), overwrite = TRUE)
    for (push_down in some_or_all(c(FALSE, TRUE), turn, 2L)) {
      source <- db_source(con, "x", "y", names_of(task), 60, group = "fold", weights = "w", push_down = push_down)
      found <- count_tables(source, sel_mim())
      expected <- count_tables(task, sel_mim(), folds = rep(1:3, 20))
      for (fold in names(expected)) expect_identical(found[[fold]]$tables, expected[[fold]]$tables)
    }
  }
  expect_snapshot(db_source(con, "x", "y", names_of(task), weights = "w"))
})

test_that("weights that do not fit are refused in both ways", {
  withr::local_seed(13)
  con <- local_sqlite()
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  refused <- function(why, ..., n_rows = 60) for (push_down in c(FALSE, TRUE)) {
    DBI::dbWriteTable(con, "w", data.frame(row = 1:60, weight = rep(2, 60)), overwrite = TRUE)
    for (sql in c(...)) DBI::dbExecute(con, sql)
    source <- db_source(con, "x", "y", names_of(task), n_rows, weights = "w", push_down = push_down)
    expect_error(sift_features(source, sel_mim()), why, class = "mlsift_error")
  }
  refused("column weight must hold whole numbers of 0 or more.*It is -1", "UPDATE w SET weight = -1 WHERE row = 5")
  refused("It is 1.5", "UPDATE w SET weight = 1.5 WHERE row = 5")
  refused("column weight has a NULL", "UPDATE w SET weight = NULL WHERE row = 5")
  refused("must not all be 0", "UPDATE w SET weight = 0")
  refused("table of weights must have all rows", "DELETE FROM w WHERE row = 5")
  refused("table of weights must have all rows", n_rows = 61)
  refused("must have one weight.*Row \"7\" has more than one", "INSERT INTO w VALUES (7, 3)")
  expect_error(db_source(con, "x", "y", weights = "y", n_rows = 60), "no column weight", class = "mlsift_error")
})

test_that("a column of classes gives class targets, in both ways of counting", {
  withr::local_seed(14)
  con <- local_sqlite()
  x <- features(ones_task())
  targets <- data.frame(genre = sample(c("jazz", "pop", "rock"), 60, TRUE), live = sample(c("no", "yes"), 60, TRUE))
  task <- mltask(x, targets, kind = "class")
  tables <- ones_only(long_tables(mltask(x, random_labels(60, 2))))
  tables$y <- data.frame(row = rep(1:60, 2), label = rep(names(targets), each = 60), class = unlist(targets))
  tables$y <- tables$y[sample(120), ]
  write_long(con, tables)
  DBI::dbWriteTable(con, "w", data.frame(row = 1:60, weight = rep(0:3, 15)))
  weighted <- task
  weighted$rows$weights <- rep(0:3, 15) + 0
  levels <- list(features = feature_names(task), labels = names(targets))
  selectors <- list(sel_mim(), sel_scls(), sel_jmim())
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", levels, 60, push_down = push_down)
    expect_source_equals(source, task, some_or_all(selectors, push_down, 2L))
    source <- db_source(con, "x", "y", levels, 60, push_down = push_down, weights = "w")
    expect_source_equals(source, weighted[weighted$rows$weights > 0, ], some_or_all(selectors, push_down + 1L, 2L))
  }
  expect_source_equals(db_source(con, "x", "y", levels, 60), task, list(sel_chi2(), sel_trans_mi("lp")))
  expect_snapshot(source)
  expect_error(sift_features(source, sel_chi2()), "cannot be computed from the counts of a database",
    class = "mlsift_error")
  refused <- function(why, sql) for (push_down in c(FALSE, TRUE)) {
    write_long(con, tables)
    source <- db_source(con, "x", "y", levels, 60, push_down = push_down)
    DBI::dbExecute(con, sql)
    expect_error(sift_features(source, sel_mim()), why, class = "mlsift_error")
  }
  refused("must have a class of each target.*none of \"live\"", "DELETE FROM y WHERE row = 8 AND label = 'live'")
  refused("Row \"8\" has label \"live\" more than once", "INSERT INTO y VALUES (8, 'live', 'maybe')")
  refused("must not change", "UPDATE y SET class = 'maybe' WHERE row = 8 AND label = 'live'")
  refused("column class has a NULL", "UPDATE y SET class = NULL WHERE row = 8 AND label = 'live'")
})

# --- DuckDB -----------------------------------------------------------------------------------------------------------

# Gives columns of a table other types.
as_types <- function(con, table, types) for (column in names(types)) {
  name <- DBI::dbQuoteIdentifier(con, column)
  DBI::dbExecute(con, sprintf("ALTER TABLE %s ALTER COLUMN %s TYPE %s", table, name, types[[column]]))
}

test_that("DuckDB gives the bits of memory in both ways", {
  withr::local_seed(21)
  con <- local_duckdb()
  for (n in c(12, 60, 150)) {
    task <- ones_task(n)
    write_long(con, ones_only(long_tables(task)))
    expect_database_equals(con, task)
    withr::with_options(list(mlsift.fetch_rows = 7), expect_database_equals(con, task, turn = 1L))
    withr::with_options(list(mlsift.chunk_bytes = 40), expect_database_equals(con, task, few = TRUE))
  }
})

test_that("rows, features and labels of DuckDB may be of any type of numbers, text or an enumeration", {
  withr::local_seed(22)
  skip_if_not_installed("bit64")
  for (bigint in c("numeric", "integer64")) {
    con <- local_duckdb(bigint = bigint)
    task <- ones_task()
    for (type in c("INTEGER", "BIGINT", "UBIGINT", "HUGEINT", "DOUBLE", "DECIMAL(20, 0)", "VARCHAR")) {
      tables <- ones_only(long_tables(task))
      tables$x$feature <- as.integer(substring(tables$x$feature, 2))
      tables$y$label <- as.integer(substring(tables$y$label, 2))
      write_long(con, tables)
      as_types(con, "x", c(row = type, feature = type))
      as_types(con, "y", c(row = type, label = type))
      withr::local_options(mlsift.fetch_rows = 11)
      for (push_down in c(FALSE, TRUE)) {
        source <- db_source(con, "x", "y", list(features = 1:6, labels = 1:4), 60, push_down = push_down)
        expect_identical(feature_names(source), as.character(1:6))
        expect_identical(sift_features(source, sel_jmim(), k = 4)$score, sift_features(task, sel_jmim(), k = 4)$score)
      }
    }
    write_long(con, ones_only(long_tables(task)))
    DBI::dbExecute(con, "CREATE TYPE names AS ENUM ('f1', 'f2', 'f3', 'f4', 'f5', 'f6')")
    as_types(con, "x", c(feature = "names"))
    expect_database_equals(con, task)
    DBI::dbExecute(con, "CREATE TABLE big (\"row\" BIGINT, feature VARCHAR)")
    DBI::dbExecute(con, "INSERT INTO big VALUES (9007199254740993, 'f1')")
    source <- db_source(con, "big", "y", names_of(task), 61)
    expect_error(sift_features(source, sel_mim()), "must be below 2\\^53", class = "mlsift_error")
  }
})

test_that("levels, groups and counted rows of DuckDB", {
  withr::local_seed(23)
  con <- local_duckdb()
  task <- coded_task(random_codes(50, 5), random_labels(50, 3))
  write_long(con, long_tables(task))
  source <- db_source(con, "x", "y", names_of(task), 50, discrete = task$discrete)
  expect_identical(sift_features(source, sel_scls(), k = 4)$score, sift_features(task, sel_scls(), k = 4)$score)
  task <- ones_task()
  folds <- sample(rep(c("a", "b", "c"), 20))
  write_long(con, ones_only(long_tables(task)))
  DBI::dbWriteTable(con, "fold", data.frame(row = 1:60, group = folds))
  expected <- count_tables(task, sel_mim(), folds = folds)
  for (push_down in c(FALSE, TRUE)) {
    expect_message(
      source <- db_source(con, "x", "y", names_of(task), group = "fold", push_down = push_down), "Counted 60 rows"
    )
    found <- count_tables(source, sel_mim())
    for (fold in names(expected)) expect_identical(found[[fold]]$tables, expected[[fold]]$tables)
  }
})

test_that("hostile names are names in DuckDB", {
  withr::local_seed(24)
  expect_hostile_names_work(local_duckdb())
})

test_that("what is wrong with tables of DuckDB is an error, and the connection can be used afterwards", {
  withr::local_seed(25)
  con <- local_duckdb()
  expect_wrong_tables_refused(con)
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  DBI::dbExecute(con, "CREATE TABLE dated AS SELECT DATE '2026-01-01' AS \"row\", feature FROM x")
  # DuckDB itself refuses to join dates and numbers.
  expect_error(sift_features(db_source(con, "dated", "y", names_of(task), 60), sel_mim()),
    "rows were fetched.*DATE", class = "mlsift_error")
  source <- db_source(con, "x", "y", names_of(task), 60)
  DBI::dbDisconnect(con, shutdown = TRUE)
  expect_error(sift_features(source, sel_mim()), "must be open", class = "mlsift_error")
})

test_that("transactions of DuckDB end, and those of the user stay open", {
  withr::local_seed(26)
  file <- withr::local_tempfile(fileext = ".duckdb")
  con <- local_duckdb(dbdir = file)
  task <- ones_task()
  write_long(con, ones_only(long_tables(task)))
  in_memory <- sift_features(task, sel_scls(), k = 4)
  expected <- in_memory$score
  for (push_down in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", names_of(task), 60, push_down = push_down)
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, expected)
    DBI::dbBegin(con)
    DBI::dbExecute(con, paste0("DELETE FROM x WHERE feature = '", in_memory$feature[1], "'"))
    expect_false(identical(sift_features(source, sel_scls(), k = 4)$score, expected))
    DBI::dbRollback(con)
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, expected)
    # Passes see one state of the tables, whatever others commit.
    other <- DBI::dbConnect(con@driver)
    asked <- 0
    commit <- function() {
      asked <<- asked + 1
      if (asked == 2) DBI::dbExecute(other, "DELETE FROM x WHERE \"row\" < 20")
    }
    open <- source$open
    source$open <- function() {
      commit()
      open()
    }
    if (push_down) source <- before_pairs(source, commit)
    expect_identical(sift_features(source, sel_scls(), k = 4)$score, expected)
    expect_false(identical(sift_features(source, sel_scls(), k = 4)$score, expected))
    DBI::dbDisconnect(other)
    write_long(con, ones_only(long_tables(task)))
  }
})

test_that("a greedy selector refuses more rows than it can count, a ranking does not", {
  con <- local_sqlite()
  DBI::dbWriteTable(con, "x", data.frame(row = c(1, 1, 2, 3), feature = c("a", "b", "a", "b")))
  DBI::dbWriteTable(con, "y", data.frame(row = c(1, 2), label = c("l", "m")))
  source <- function(n) db_source(con, "x", "y", n_rows = n, push_down = TRUE)
  limit <- "at most 2,147,483,647 rows.*There are 2,147,483,648"
  expect_error(sift_features(source(2^31), sel_scls()), limit, class = "mlsift_error")
  expect_identical(nrow(sift_features(source(2^31), sel_mim())), 2L)
  expect_identical(nrow(sift_features(source(1e9), sel_mim())), 2L)
})

test_that("rows that nobody announced are counted before a greedy selector refuses them", {
  task <- simulate_mltask(64, 4, 2)
  counts <- count_tables(task, sel_mim())
  for (i in 1:26) counts <- counts + counts
  x <- features(task)
  y <- targets(task)
  local_mocked_bindings(count_source = function(...) counts)
  rows <- chunk_source(function(i) if (i == 1) list(x = x, y = y), colnames(x), colnames(y))
  expect_error(sift_features(rows, sel_scls()), "There are 4,294,967,296", class = "mlsift_error")
})

test_that("columns of SQLite without case have names with case", {
  skip_if_not_installed("RSQLite")
  withr::local_seed(51)
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbExecute(con, "CREATE TABLE x (row TEXT COLLATE NOCASE, feature TEXT COLLATE NOCASE)")
  DBI::dbExecute(con, "CREATE TABLE y (row TEXT COLLATE NOCASE, label TEXT COLLATE NOCASE)")
  rows <- c(letters[1:20], LETTERS[1:20])
  lines <- function(names, n) do.call(rbind, lapply(rows, function(r) data.frame(row = r, name = sample(names, n))))
  x <- lines(c("Ab", "aB", "ab", "c"), 2)
  y <- lines(c("L", "l", "m"), 1)
  DBI::dbAppendTable(con, "x", stats::setNames(x, c("row", "feature")))
  DBI::dbAppendTable(con, "y", stats::setNames(y, c("row", "label")))
  wide <- function(lines) {
    names <- sort(unique(lines$name), method = "radix")
    vapply(names, function(name) as.integer(rows %in% lines$row[lines$name == name]), integer(40))
  }
  task <- mltask(wide(x), wide(y))
  for (push_down in c(FALSE, TRUE)) {
    got <- sift_features(db_source(con, "x", "y", push_down = push_down), sel_scls(), k = 4)
    expected <- sift_features(task, sel_scls(), k = 4)
    expect_identical(got$score[match(expected$feature, got$feature)], expected$score)
  }
})

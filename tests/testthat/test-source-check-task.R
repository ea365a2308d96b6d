# Copies from the definition: two columns put the same rows together, a missing value is a value, and columns with more
# than 1,024 values, or more than half as many as rows, are copies only if they are equal.
oracle_copy <- function(a, b) {
  code <- function(v) match(if (is.factor(v)) as.character(v) else v, unique(if (is.factor(v)) as.character(v) else v))
  n <- length(a)
  if (max(code(a)) > min(1024, n / 2)) return(identical(as.double(a), as.double(b)))
  identical(code(a), code(b))
}

oracle_problems <- function(x, y) {
  constant <- vapply(x, function(v) length(unique(v)) == 1L, NA)
  twin <- vapply(seq_along(x), function(j) any(vapply(x[seq_len(j - 1L)], oracle_copy, NA, b = x[[j]])), NA)
  target <- vapply(x, function(v) any(vapply(y, function(t) {
    oracle_copy(v, t) || (anyNA(t) && oracle_copy(v, replace(t, is.na(t), 0)))
  }, NA)), NA)
  lapply(list(constant = constant, duplicate = twin & !constant, target_copy = target & !constant), \(at) names(x)[at])
}

found_problems <- function(table) {
  lapply(list(constant = "constant", duplicate = "duplicate", target_copy = "target_copy"),
    function(what) table$feature[table$problem == what])
}

# Columns of all kinds, and recoded copies of some columns and labels.
tricky_rows <- function(seed, n = 60, unknown = FALSE) withr::with_seed(seed, {
  y <- data.frame(l1 = stats::rbinom(n, 1, 0.4), l2 = stats::rbinom(n, 1, 0.5))
  if (unknown) y$l1[sample(n, 9)] <- NA
  x <- data.frame(
    a = sample(1:3, n, TRUE), b = stats::rnorm(n), c = 5, d = sample(c(0, 0, 0, 2), n, TRUE),
    e = factor(sample(letters[1:4], n, TRUE)), g = replace(sample(0:2, n, TRUE), 3, NA)
  )
  x$yes <- factor(ifelse(is.na(y$l1), NA, ifelse(y$l1 == 1, "yes", "no")))
  x$zero <- ifelse(is.na(y$l1), 0, y$l1)
  x$off <- 1 - y$l2
  x$recoded <- c(30, -1, 2.5)[x$a]
  x$monotone <- exp(x$b)
  x$same <- x$b
  x$letters <- factor(x$e, rev(levels(x$e)))
  x$negative <- -x$g
  x$sparse <- x$d * 3.5
  x$almost <- replace(x$a, 1, x$a[1] %% 3 + 1L)
  list(x = x[sample(ncol(x))], y = y)
})

as_source_of <- function(task, rows) {
  n <- nrow(task)
  chunk_source(function(i) if (rows * (i - 1) < n) task[seq(rows * (i - 1) + 1, min(n, rows * i)), ],
    feature_names(task), target_names(task))
}

test_that("copies are those of partitions, in tasks and sources", {
  for (seed in first_or_all(1:6, 3)) for (unknown in c(FALSE, TRUE)) suppressMessages({
    rows <- tricky_rows(seed, unknown = unknown)
    task <- mltask(rows$x, rows$y)
    table <- check_task(task)
    expect_identical(found_problems(table), oracle_problems(rows$x, rows$y))
    for (size in c(7, 60)) expect_identical(check_task(as_source_of(task, size)), table)
  })
})

test_that("a copy is named with how it was made", {
  withr::local_seed(3)
  l <- stats::rbinom(40, 1, 0.5)
  x <- data.frame(noise = stats::rnorm(40), same = l, no = 1 - l, word = ifelse(l == 1, "yes", "no"), nine = 9 * l)
  table <- check_task(suppressMessages(mltask(x, data.frame(l = l))))
  copies <- table[table$problem == "target_copy", ]
  expect_identical(copies$feature, names(x)[-1])
  expect_identical(copies$detail, paste(c("equal to", "the opposite of", "a recoding of", "a recoding of"), "l"))
  expect_message(mltask(x, data.frame(l = l)), "\"same\", \"no\", \"word\", ... are copies of targets")
  # class and numeric targets
  color <- sample(c("red", "blue", "green"), 40, TRUE)
  code <- data.frame(noise = x$noise, code = match(color, unique(color)))
  expect_identical(check_task(suppressMessages(mltask(code, data.frame(color)))),
    data.frame(feature = "code", problem = "target_copy", detail = "a recoding of color"))
  price <- stats::rnorm(40)
  y <- data.frame(price = price, rooms = sample(2:4, 40, TRUE) + 0.5)
  copies <- check_task(suppressMessages(mltask(data.frame(p = price, q = 2 * price, r = 2 * y$rooms), y)))
  expect_identical(copies$feature[copies$problem == "target_copy"], c("p", "q", "r"))
})

test_that("sparse columns and patterns give what dense ones give", {
  for (seed in 1:4) suppressMessages({
    rows <- tricky_rows(seed)
    x <- vapply(rows$x, function(v) as.double(if (is.factor(v)) as.integer(v) - 1L else v), double(60))
    dense <- check_task(mltask(x, rows$y))
    expect_identical(check_task(mltask(sparse(x), rows$y)), dense)
    expect_identical(check_task(as_source_of(mltask(sparse(x), rows$y), 13)), dense)
    ones <- x == 1 & !is.na(x)
    expect_identical(check_task(mltask(methods::as(sparse(ones + 0), "nMatrix"), rows$y)),
      check_task(mltask(ones + 0, rows$y)))
  })
})

test_that("sources find ids and levels as tasks do, and say so in their first pass", {
  withr::local_seed(4)
  n <- 300
  y <- data.frame(l = stats::rbinom(n, 1, 0.5), m = stats::rbinom(n, 1, 0.3))
  x <- data.frame(
    up = seq_len(n), gaps = cumsum(sample(1:2, n, TRUE, c(0.95, 0.05))), size = stats::rpois(n, 400),
    name = factor(paste("n", sample(n))), many = factor(sample(letters, n, TRUE)), half = seq_len(n) + 0.5,
    copy = ifelse(y$m == 1, "in", "out"), noise = stats::rnorm(n), repeated = rep(seq_len(n / 2), 2),
    missing = c(NA, 2:n)
  )
  task <- suppressMessages(mltask(x, y))
  table <- check_task(task)
  expect_identical(table$feature[table$problem == "id"], c("up", "gaps", "name"))
  expect_identical(table$feature[table$problem == "levels"], "many")
  for (rows in c(13, 150, 300)) expect_identical(check_task(as_source_of(task, rows)), table)
  source <- chunk_source(function(i) if (i <= 3) task[100 * i - 99:0, ], feature_names(task), target_names(task))
  said <- function(source) {
    texts <- character()
    withCallingHandlers(sift_features(source, sel_mim(), k = 1, discretizer = disc_auto(na = "level")),
      message = function(m) {
        texts <<- c(texts, conditionMessage(m))
        rlang::cnd_muffle(m)
      })
    paste(texts, collapse = "")
  }
  expect_match(said(source), "\"up\", \"gaps\", \"name\" identify the rows")
  expect_match(said(source), "\"many\" has many levels")
  expect_match(said(source), "\"copy\" is a copy of a target")
  expect_no_match(said(task), "identify")
  # one number in no order is an id, several are ranks
  x <- data.frame(one = sample(n), noise = stats::rnorm(n))
  one <- suppressMessages(mltask(x, y))
  expect_identical(check_task(one)$feature, "one")
  expect_identical(check_task(as_source_of(one, 40)), check_task(one))
  two <- suppressMessages(mltask(cbind(x, two = sample(n)), y))
  expect_identical(nrow(check_task(two)), 0L)
  expect_identical(check_task(as_source_of(two, 40)), check_task(two))
})

test_that("files and databases are checked like tasks", {
  withr::local_seed(5)
  n <- 60
  x <- cbind(a = stats::rbinom(n, 1, 0.3), b = stats::rpois(n, 0.7), c = 0)
  y <- cbind(l = stats::rbinom(n, 1, 0.5), m = stats::rbinom(n, 1, 0.4))
  x <- cbind(x, d = 3 * y[, "l"], e = 1 - x[, "a"], id = seq_len(n))
  expected <- check_task(suppressMessages(mltask(x, y)))
  expect_setequal(expected$problem, c("constant", "target_copy", "duplicate", "id"))
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(data.frame(x, y), file, row.names = FALSE)
  expect_identical(check_task(read_chunks(file, targets = all_of(colnames(y)), rows = 17)), expected)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  at <- which(x != 0, arr.ind = TRUE)
  DBI::dbWriteTable(con, "x", data.frame(row = at[, 1], feature = colnames(x)[at[, 2]], level = x[at]))
  at <- which(y != 0, arr.ind = TRUE)
  DBI::dbWriteTable(con, "y", data.frame(row = at[, 1], label = colnames(y)[at[, 2]]))
  levels <- list(features = colnames(x), labels = colnames(y))
  expect_identical(check_task(db_source(con, "x", "y", levels, n_rows = n)), expected)
})

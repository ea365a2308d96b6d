test_that("ids, constants, duplicates and copies of targets are found in every layout", {
  set.seed(1)
  n <- 40
  label <- rep(0:1, n / 2)
  x <- cbind(a = rnorm(n), b = 1, c = sample(0:3, n, TRUE), d = 0, e = label, f = 1 - label, g = rnorm(n))
  x <- cbind(x, h = x[, "c"], i = x[, "a"])
  task <- mltask(x, data.frame(l = label, m = rbinom(n, 1, 0.4)))
  expected <- data.frame(
    feature = c("b", "d", "e", "f", "f", "h", "i"),
    problem = c("constant", "constant", "target_copy", "duplicate", "target_copy", "duplicate", "duplicate"),
    detail = c("one value", "one value", "equal to l", "the opposite of e", "the opposite of l", "equal to c",
      "equal to a")
  )
  expect_identical(check_task(task), expected)
  expect_identical(check_task(mltask(as.data.frame(x), targets(task))), expected)
  expect_identical(check_task(mltask(sparse(x), targets(task))), expected)
  expect_identical(feature_names(drop_features(task)), c("a", "c", "g"))
  expect_identical(feature_names(drop_features(task, "constant")), setdiff(colnames(x), c("b", "d")))
})

test_that("what numbers the rows is an id, measurements are not", {
  set.seed(1)
  df <- data.frame(
    key = factor(paste0("k", 1:50)), number = 1:50, down = 150:101 + 0, gaps = cumsum(rep(c(1, 1, 1, 1, 1.2), 10)),
    some = factor(rep(1:25, 2)), real = rnorm(50), money = sample(1000:9000, 50), income = sample(3000:6000, 50) + 0
  )
  task <- suppressMessages(mltask(df, data.frame(l = rep(0:1, 25))))
  expect_identical(
    check_task(task),
    data.frame(
      feature = c("key", "number", "down", "some"), problem = c("id", "id", "id", "levels"),
      detail = paste(c(50, 50, 50, 25), "values in 50 rows")
    )
  )
  expect_identical(nrow(check_task(task[1:10, ])), 0L)
  expect_identical(feature_names(drop_features(task)), c("gaps", "some", "real", "money", "income"))
  expect_identical(feature_names(drop_features(task, "levels")), setdiff(names(df), "some"))
  # state.x77: areas, populations and incomes are whole numbers, all different.
  states <- suppressMessages(mltask(state.x77[, -1], as.integer(state.x77[, 1] > 3000)))
  expect_identical(nrow(check_task(states)), 0L)
})

test_that("a shuffled number of the rows is an id, several are ranks, and nearly all will do", {
  set.seed(2)
  y <- rep(0:1, 30)
  problem <- function(...) check_task(suppressMessages(mltask(data.frame(..., a = rnorm(60)), y)))$feature
  expect_identical(problem(id = sample(60L)), "id")
  expect_identical(problem(id = c(1:57, 57, 59, 65)), "id")
  expect_identical(problem(id = c(1:59, 70)), character())
  expect_identical(problem(r = rank(rnorm(60)), s = rank(rnorm(60))), character())
  expect_identical(problem(r = rank(rnorm(60)), s = rank(rnorm(60)), id = 1:60), "id")
})

test_that("class targets have copies too", {
  set.seed(1)
  kind <- factor(rep(c("x", "y", "z"), 10))
  task <- suppressMessages(mltask(data.frame(a = rnorm(30), same = kind, other = rev(kind), not = rep(1:3, each = 10)),
    kind))
  found <- check_task(task)
  copies <- found[found$problem == "target_copy", ]
  expect_identical(copies$feature, c("same", "other"))
  expect_identical(copies$detail, c("equal to l1", "a recoding of l1"))
})

test_that("numeric targets have copies in other units and on other scales", {
  withr::local_seed(23)
  y <- cbind(a = stats::rnorm(60), b = stats::rexp(60))
  y[7, "b"] <- NA
  a <- y[, "a"]
  x <- data.frame(unit = 3 - 2.2 * a, log = exp(a), rank = rank(-a) + 0.5, rounded = round(a, 2),
    near = a + c(1, rep(0, 59)), coarse = round(a), noise = stats::rnorm(60),
    root = sqrt(ifelse(is.na(y[, "b"]), 9, y[, "b"])), gap = c(NA, a[-1]))
  copies <- c("unit", "log", "rank", "rounded", "root")
  found <- check_task(suppressMessages(mltask(x, y)))
  expect_identical(found[found$problem == "target_copy", "detail"], c("linear in a", "in the order of a",
    "against the order of a", "in the order of a", "in the order of b"))
  expect_identical(found[found$problem == "target_copy", "feature"], copies)
  # A naive look at all pairs of rows.
  agree <- function(v, y) all(outer(v, v, "-")[outer(y, y, ">")] >= 0) || all(outer(v, v, "-")[outer(y, y, ">")] <= 0)
  expect_identical(vapply(x[1:7], agree, NA, a), names(x[1:7]) %in% c("unit", "log", "rank", "rounded", "coarse"),
    ignore_attr = TRUE)
  for (layout in list(as.matrix(x[1:8]), sparse(as.matrix(x[1:8])))) {
    expect_identical(check_task(suppressMessages(mltask(layout, y)))$feature, copies)
  }
  # Half as many different values are enough, in sparse columns too; large numbers are no others.
  some <- cbind(half = pmax(rank(a) - 31, 0), less = pmax(rank(a) - 32, 0), huge = 1e300 * a, one = c(1, rep(0, 59)))
  for (layout in list(some, sparse(some), as.data.frame(some))) {
    expect_identical(check_task(suppressMessages(mltask(layout, y)))$feature, c("half", "huge"))
  }
  # Other features may be sorted as the rows are.
  found <- check_task(suppressMessages(mltask(x[order(a), ], y[order(a), "a"])))
  expect_identical(found[found$problem == "target_copy", "feature"], "unit")
  expect_message(mltask(x["log"], y), "is a copy of a target")
})

test_that("a clean task has no problems, and impossible wishes are refused", {
  set.seed(1)
  task <- simulate_mltask(30, 5, 2)
  expect_identical(nrow(check_task(task)), 0L)
  expect_identical(drop_features(task), task)
  expect_error(drop_features(task, "ids"), "ids", class = "mlsift_error")
  constant <- mltask(cbind(a = rep(1, 5), b = rep(2, 5)), c(0, 1, 0, 1, 1))
  expect_error(drop_features(constant), "at least one feature", class = "mlsift_error")
  expect_error(check_task(1), class = "mlsift_error")
})

test_that("names that are not valid UTF-8 are shown in bytes", {
  x <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("good", "b\xe2..d")))
  expect_message(task <- mltask(x, c(0, 1)), "not valid UTF-8")
  expect_identical(feature_names(task), c("good", "b<e2>..d"))
  expect_output(print(task))
})

test_that("making a task names row ids and copies of targets, once", {
  withr::local_seed(21)
  data <- data.frame(id = 1:50, a = stats::rnorm(50), b = stats::rbinom(50, 1, 0.4))
  data$l1 <- data$b
  data$l2 <- 1 - data$b
  expect_snapshot(task <- mltask(data, targets = c("l1", "l2")))
  expect_no_message(task[1:30, ])
  expect_no_message(mltask(data[c("a", "l1")], targets = "l1"))
  data$id2 <- factor(data$id)
  data$b2 <- data$b
  expect_snapshot(invisible(mltask(data, targets = c("l1", "l2"))))
  # Numbers are seldom whole, and a few equal values make no id.
  expect_no_message(mltask(data.frame(a = stats::rnorm(50), n = rep(1:25, 2) + 0), stats::rbinom(50, 1, 0.5)))
})

test_that("making a task names integers that are numbers, and features of many levels", {
  withr::local_seed(22)
  y <- stats::rbinom(100, 1, 0.5)
  x <- data.frame(
    n = stats::rpois(100, 50), m = stats::rpois(100, 90), "b{ase}" = sample(letters, 100, TRUE), few = rep(1:5, 20),
    check.names = FALSE
  )
  expect_snapshot({
    invisible(mltask(x, y))
    invisible(mltask(x[c(1, 4)], y))
  })
  expect_no_message(mltask(x, y, discrete = c(n = FALSE, m = TRUE, "b{ase}" = TRUE)))
  expect_no_message(mltask(x["few"], y))
  # With groups, there is no advice to give them.
  said <- testthat::capture_messages(mltask(x[3], y, group = rep(1:20, 5)))
  expect_match(said, "many levels", all = FALSE)
  expect_no_match(said, "belong together")
})

test_that("dates and numbers that are text are told, where they have many levels", {
  skip_unless_all()
  x <- data.frame(day = as.character(as.Date("2024-01-31") + rep(1:50, 2)), time = sprintf("2024-01-31 10:%02d", 1:50),
    number = as.character(1:50 / 8), word = paste0("w", 1:50), few = rep(c("1", "2"), each = 50),
    id = as.character(1:100), stringsAsFactors = TRUE)
  y <- rep(0:1, 50)
  expect_snapshot(task <- mltask(x, y))
  source <- chunk_source(function(i) if (i <= 2) cbind(x, y)[50 * i - 49:0, ], names(x), "y")
  said <- function(code) Filter(function(line) grepl("as text", line), unlist(strsplit(
    paste(testthat::capture_messages(code), collapse = ""), "\n")))
  expect_length(said(mltask(x, y)), 2)
  expect_identical(said(sift_features(source, sel_mim(), k = 1)), said(mltask(x, y)))
  # Files from programs and countries with other signs, read without saying so.
  of <- 1:100
  for (text in list(paste0(of, ",5"), sprintf("%d.000,%d", of, of %% 7), sprintf(" %d,000.25", of), paste(of, "%"),
    c("1.000", paste0(of[-1], ".000,1")))) {
    expect_match(said(mltask(data.frame(a = text), y)), "numbers with commas, spaces or signs as text")
  }
  days <- as.Date("2024-01-01") + 0:99
  for (how in c("%d.%m.%Y", "%Y/%m/%d", "%d %b %Y", "%m/%d/%y", "%b %d, %Y")) {
    expect_match(paste(said(mltask(data.frame(a = format(days, how)), y)), collapse = " "),
      paste0("as.numeric(as.Date(x, format = \"", how, "\"))"), fixed = TRUE)
  }
  prose <- data.frame(a = paste("a letter of", of, "short words and more"))
  expect_match(paste(testthat::capture_messages(mltask(prose, y)), collapse = ""), "mltask(words, y)", fixed = TRUE)
  for (text in list(paste0(of, ".02.2024"), paste0("1.2.", of), paste0("a", of))) {
    expect_length(said(mltask(data.frame(a = text), y)), 0)
  }
})

test_that("factors with the same values are duplicates, and those with the same rows in other words", {
  set.seed(2)
  text <- sample(c("u", "v", "w"), 30, TRUE)
  other <- factor(text, labels = c("x", "y", "z"))
  x <- data.frame(a = factor(text), same = factor(text), other = other)
  expect_identical(as.integer(x$other), as.integer(x$a))
  found <- feature_problems(mltask(x, data.frame(l = rbinom(30, 1, 0.5))))
  expect_identical(found, data.frame(feature = c("same", "other"), problem = "duplicate",
    detail = c("equal to a", "a recoding of a")))
})

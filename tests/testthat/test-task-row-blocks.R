# Repeated rows and blocks of rows, from their definitions.

# The share of variance within the values of `by`, each divided by its degrees of freedom.
oracle_within <- function(column, by) {
  known <- !is.na(column) & !is.na(by)
  parts <- if (!is.factor(column)) list(as.double(column))
  else lapply(levels(column), function(level) as.double(column == level))
  squares <- function(v) sum((v - mean(v))^2)
  all <- sum(vapply(parts, function(v) squares(v[!is.na(column)]), 0)) / (sum(!is.na(column)) - 1)
  within <- sum(vapply(parts, function(v) sum(tapply(v[known], as.character(by)[known], squares)), 0))
  free <- sum(known) - length(unique(by[known]))
  c(all = all, within = if (free > 0) within / free else Inf)
}

oracle_blocks <- function(x, by = x, own = TRUE) {
  n <- nrow(x)
  best <- NULL
  for (j in seq_along(by)) {
    v <- by[[j]]
    known <- v[!is.na(v)]
    whole <- is.factor(v) || all(known == round(known))
    k <- length(unique(known))
    if (!whole || k < 3 || 3 * k > length(known) || 2 * length(known) < n) next
    if (!is.factor(v) && 2 * sum(known == 0) > n) next
    shares <- vapply(if (own) x[-j] else x, oracle_within, c(all = 0, within = 0), by = v)
    varies <- shares["all", ] > 0
    few <- sum(shares["within", varies] <= 0.05 * shares["all", varies])
    if (2 * few <= sum(varies)) next
    if (is.null(best) || few > best[3] || (few == best[3] && k < best[2])) best <- c(j, k, few, sum(varies))
  }
  best
}

grouped_frame <- function(seed, n = 60) withr::with_seed(seed, {
  k <- sample(c(4, 10, 19), 1)
  patient <- sample(rep(seq_len(k), length.out = n))
  within <- function(v) v[patient]
  x <- data.frame(
    patient = sample(100, k)[patient], copy = factor(letters)[patient], a = within(stats::rnorm(k)),
    near = within(stats::rnorm(k)) + stats::rnorm(n, sd = sample(c(0.05, 0.2, 0.3), 1)),
    b = within(sample(0:1, k, TRUE)), e = factor(within(sample(c("u", "v", "w"), k, TRUE))), constant = 7,
    noise = stats::rnorm(n), coin = sample(0:1, n, TRUE), count = stats::rpois(n, 0.4)
  )
  x$a[sample(n, 5)] <- NA
  if (seed %% 3 == 0) x$patient[sample(n, 10)] <- NA
  x[c(sample(2, 1), 2 + sample(8, sample(4:8, 1)))]
})

test_that("blocks are those of the definition", {
  found <- 0
  for (seed in 1:24) {
    x <- grouped_frame(seed)
    expected <- oracle_blocks(x)
    expect_identical(as.double(cpp_row_blocks(x, NULL)), as.double(expected), info = seed)
    found <- found + !is.null(expected)
    numbers <- vapply(x, as.double, double(nrow(x)))
    numbers[is.na(numbers)] <- 0
    expected <- oracle_blocks(as.data.frame(numbers))
    for (m in list(numbers, sparse(numbers))) expect_identical(as.double(cpp_row_blocks(m, NULL)), as.double(expected))
    by <- x[1]
    expect_identical(as.double(cpp_row_blocks(x[-1], by)), as.double(oracle_blocks(x[-1], by, FALSE)))
  }
  expect_gt(found, 5)
  expect_lt(found, 20)
})

test_that("many features are judged as few are", {
  withr::local_seed(2)
  patient <- rep(1:20, each = 6)
  for (share in c(0.45, 0.55)) {
    x <- matrix(stats::rnorm(120 * 300), 120)
    of_patient <- sample(300, 300 * share)
    x[, of_patient] <- matrix(stats::rnorm(20 * 300), 20)[patient, of_patient]
    found <- cpp_row_blocks(x, data.frame(patient))
    if (share < 0.5) expect_length(found, 0) else expect_identical(found, c(1L, 20L, 165L, 300L))
  }
})

test_that("repeated rows are those that duplicated() finds", {
  for (seed in first_or_all(1:8, 3)) {
    withr::local_seed(seed)
    x <- random_codes(80, 3, levels = sample(2:4, 1)) - 1
    x[sample(length(x), 4)] <- NA
    x[1, 1] <- -0
    m <- as.matrix(x)
    first <- match(do.call(paste, as.data.frame(m + 0)), do.call(paste, as.data.frame(m + 0)))
    frame <- data.frame(a = factor(m[, 1]), b = as.integer(m[, 2]), c = m[, 3])
    for (form in list(m, sparse(m), frame)) expect_identical(cpp_first_equal_rows(form), first)
  }
  ones <- sparse(matrix(c(1, 0, 1, 0, 0, 1, 0, 0), 4))
  expect_identical(cpp_first_equal_rows(methods::as(ones, "nMatrix")), c(1L, 2L, 1L, 4L))
})

test_that("repeats by chance are about those of independent columns", {
  withr::local_seed(3)
  x <- matrix(stats::rbinom(2000 * 8, 1, rep(c(0.02, 0.1, 0.3, 0.5), each = 4000)), 2000)
  found <- cpp_repeats_by_chance(x)
  expect_equal(cpp_repeats_by_chance(sparse(x)), found)
  repeats <- mean(replicate(20, sum(duplicated(apply(x, 2, sample)))))
  expect_equal(found, repeats, tolerance = 0.02)
  expect_lt(cpp_repeats_by_chance(matrix(stats::rnorm(300), 100)), 0.01)
})

test_that("check_task() lists them last, and drop_features() leaves them", {
  withr::local_seed(1)
  patient <- rep(sprintf("p%02d", 1:30), each = 10)
  x <- matrix(stats::rnorm(30 * 6), 30)[as.integer(factor(patient)), ]
  y <- data.frame(l = stats::rbinom(30, 1, 0.5)[as.integer(factor(patient))])
  df <- data.frame(patient, x, y)
  expect_message(task <- mltask(df, targets = "l", exclude = "patient"), "seem to come in groups by \"patient\"")
  table <- utils::tail(check_task(task), 2)
  expect_identical(table$problem, c("repeated_rows", "blocks"))
  expect_identical(table$feature, c(NA, "patient"))
  expect_match(table$detail[1], "270 of 300 rows equal an earlier one")
  expect_match(table$detail[2], "6 of 6 features .* its 30 values")
  # Rows of the task still know.
  expect_identical(utils::tail(check_task(task[1:200, ]), 1)$problem, "blocks")
  expect_identical(drop_features(task, "constant"), task)
  expect_error(drop_features(task, "blocks"), "must be some of", class = "mlsift_error")
  suppressMessages(as_feature <- mltask(df, targets = "l"))
  expect_identical(utils::tail(check_task(as_feature), 1)$feature, "patient")
  # Nothing is said where the groups are known, or there are none.
  expect_no_message(known <- mltask(df, targets = "l", group = "patient"))
  expect_false(any(c("repeated_rows", "blocks") %in% check_task(known)$problem))
  noise <- mltask(data.frame(patient, matrix(stats::rnorm(1800), 300), y), targets = "l", exclude = "patient")
  expect_identical(nrow(check_task(noise)), 0L)
})

test_that("sift() says that rows seem to belong together, if it is not by chance", {
  withr::local_seed(1)
  patient <- rep(1:20, each = 5)
  df <- data.frame(patient = sprintf("p%d", patient), matrix(stats::rnorm(80), 20)[patient, ])
  df$l <- stats::rbinom(20, 1, 0.5)[patient]
  short <- function(...) sift(..., selectors = list(sel_mim()), max_features = 2, estimate = FALSE, stand_ins = "none")
  said <- character()
  answer <- withCallingHandlers(short(df, targets = "l", exclude = patient), mlsift_message = function(m) {
    said <<- c(said, conditionMessage(m))
    rlang::cnd_muffle(m)
  })
  expect_length(grep("seem to come in groups by \"patient\"", said), 1)
  expect_match(answer$notes, "80 of 100 rows equal an earlier one", all = FALSE)
  expect_match(summary(answer), "seem to come in groups by \"patient\"", all = FALSE)
  expect_no_match(short(df, targets = "l", group = "patient")$notes, "equal an|seem to come")
  coins <- data.frame(matrix(stats::rbinom(300, 1, 0.5), 100), l = stats::rbinom(100, 1, 0.5))
  task <- mltask(coins, targets = "l")
  expect_identical(check_task(task)$problem, "repeated_rows")
  expect_no_match(short(task)$notes, "equal an")
})

test_that("weights that count cases are found", {
  short <- function(...) sift(..., learner = lrn_nb(), selectors = sel_mim(), max_features = 2, estimate = FALSE)
  for (table in list(Titanic, UCBAdmissions)) {
    df <- as.data.frame(table)
    target <- if ("Survived" %in% names(df)) "Survived" else "Admit"
    task <- suppressMessages(mltask(df, targets = target, weights = "Freq"))
    found <- utils::tail(check_task(task), 1)
    expect_identical(found$problem, "counts")
    expect_match(found$detail, if (target == "Admit") "12 of 24 rows" else "10 of 24 rows")
    expect_match(suppressMessages(short(task))$notes, "cells of a table of counts", all = FALSE)
    expect_message(short(task), "leave out `weights`")
    # The cases themselves, and other weights.
    cases <- suppressMessages(mltask(df[rep(seq_len(nrow(df)), df$Freq), names(df) != "Freq"], targets = target))
    expect_false("counts" %in% check_task(cases)$problem)
    for (other in list(df$Freq + 0.5, rep(1, nrow(df)))) {
      df$Freq <- other
      expect_false("counts" %in% check_task(suppressMessages(mltask(df, targets = target, weights = "Freq")))$problem)
    }
  }
  # Several labels, sparse or not, of which some are unknown.
  cells <- as.matrix(expand.grid(a = 0:1, b = 0:1, c = 0:1, u = 0:1, v = 0:1))
  gaps <- replace(cells[, 4:5], c(1, 10, 40), NA)
  for (y in list(cells[, 4:5], gaps, Matrix::Matrix(cells[, 4:5], sparse = TRUE))) {
    for (x in list(cells[, 1:3], Matrix::Matrix(cells[, 1:3], sparse = TRUE))) {
      expect_identical(check_task(mltask(x, y, weights = rep(c(3, 1, 0, 7), 8)))$problem, "counts")
    }
  }
  # Two rows that are equal in all are no cells, nor are rows with features of their own.
  twice <- rbind(as.data.frame(UCBAdmissions), as.data.frame(UCBAdmissions)[1, ])
  task <- suppressMessages(mltask(twice, targets = "Admit", weights = "Freq"))
  expect_false("counts" %in% check_task(task)$problem)
  expect_identical(nrow(check_task(mltask(matrix(1:12, 6), cbind(a = c(1, 0, 1, 0, 0, 1)), weights = 1:6))), 0L)
})

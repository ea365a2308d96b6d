# |r| of two lists of indicator columns, the largest of all pairs.
largest_r <- function(a, b) {
  r <- suppressWarnings(stats::cor(a, b))
  r[is.na(r)] <- 0
  max(abs(r))
}

# The merit of a set of features, each a matrix of one column, or of its indicators; so are the targets.
oracle_merit <- function(columns, targets) {
  k <- length(columns)
  with_labels <- mean(vapply(columns, function(f) mean(vapply(targets, largest_r, 0, a = f)), 0))
  pairs <- if (k > 1) utils::combn(k, 2, function(p) largest_r(columns[[p[1]]], columns[[p[2]]]))
  k * with_labels / sqrt(k + k * (k - 1) * mean(c(pairs, if (k == 1) 0)))
}

oracle_ml_cfs <- function(columns, y, k) {
  targets <- if (is.list(y)) y else as_columns(y[, colSums(y) != 0, drop = FALSE])
  chosen <- integer()
  score <- double()
  while (length(chosen) < k) {
    merits <- vapply(
      seq_along(columns), function(f) if (f %in% chosen) -Inf else oracle_merit(columns[c(chosen, f)], targets), 0
    )
    best <- which(merits >= max(merits) - 1e-10)[1]
    chosen <- c(chosen, best)
    score <- c(score, merits[best])
  }
  list(index = chosen, score = score)
}

indicators <- function(f) vapply(levels(f), function(v) as.numeric(f == v), double(length(f)))

as_columns <- function(x) lapply(seq_len(ncol(x)), function(f) x[, f, drop = FALSE])

test_that("ML-CFS adds the feature of the largest merit, in every layout", {
  withr::local_seed(1)
  for (shape in list(c(60, 7, 4), c(30, 5, 1), c(25, 9, 6))) {
    x <- matrix(
      round(stats::rnorm(shape[1] * shape[2]), 2) * (stats::runif(shape[1] * shape[2]) < 0.6), shape[1],
      dimnames = list(NULL, paste0("f", seq_len(shape[2])))
    )
    x[, 2] <- 5
    x[, 4] <- 10 + x[, 1]
    y <- random_labels(shape[1], shape[3])
    found <- expect_same_numbers_everywhere(x, y, sel_ml_cfs())
    expected <- oracle_ml_cfs(as_columns(x), y, shape[2])
    expect_equal(found$score, expected$score, tolerance = 1e-10)
    # A copy may change places with its original.
    expect_identical(ifelse(found$index == 4, 1L, found$index), ifelse(expected$index == 4, 1L, expected$index))
  }
})

test_that("ML-CFS on 0/1 features follows its equation", {
  withr::local_seed(2)
  x <- random_codes(40, 6, 2)
  y <- random_labels(40, 5)
  found <- expect_same_everywhere(x, y, sel_ml_cfs())
  expected <- oracle_ml_cfs(as_columns(x), y, 6)
  expect_identical(found$index, expected$index)
  expect_equal(found$score, expected$score, tolerance = 1e-10)
})

test_that("ML-CFS follows the indicators of unordered factors", {
  withr::local_seed(3)
  y <- random_labels(50, 3)
  x <- data.frame(
    color = factor(sample(c("red", "green", "blue"), 50, TRUE)), size = factor(sample(1:3, 50, TRUE), ordered = TRUE),
    yes = sample(c(TRUE, FALSE), 50, TRUE), shape = factor(sample(letters[1:4], 50, TRUE)), length = stats::rnorm(50)
  )
  columns <- list(
    indicators(x$color), cbind(as.numeric(x$size)), cbind(as.numeric(x$yes)), indicators(x$shape), cbind(x$length)
  )
  found <- sift_scored(mltask(x, y, kind = "label"), sel_ml_cfs())
  expected <- oracle_ml_cfs(columns, y, 5)
  expect_identical(found$index, expected$index)
  expect_equal(found$score, expected$score, tolerance = 1e-10)
})

test_that("ML-CFS takes classes by their indicators and numbers as they are", {
  withr::local_seed(7)
  x <- matrix(stats::rnorm(200), 40, dimnames = list(NULL, paste0("f", 1:5)))
  classes <- data.frame(
    a = factor(sample(letters[1:3], 40, TRUE)), b = factor(sample(c("u", "v"), 40, TRUE)), c = factor(rep("w", 40))
  )
  found <- sift_scored(mltask(x, classes, kind = "class"), sel_ml_cfs())
  expected <- oracle_ml_cfs(as_columns(x), lapply(classes, indicators), 5)
  expect_identical(found$index, expected$index)
  expect_equal(found$score, expected$score, tolerance = 1e-10)
  numbers <- cbind(u = stats::rnorm(40), v = x[, 2] + stats::rnorm(40), w = 0.5)
  found <- sift_scored(mltask(x, numbers, kind = "numeric"), sel_ml_cfs())
  expected <- oracle_ml_cfs(as_columns(x), numbers, 5)
  expect_identical(found$index, expected$index)
  expect_equal(found$score, expected$score, tolerance = 1e-10)
})

test_that("ML-CFS runs on, and begins with what it is told", {
  withr::local_seed(8)
  task <- simulate_mltask(80, 12, 4)
  whole <- as.data.frame(sift_scored(task, sel_ml_cfs(), k = 9))
  short <- sift_scored(task, sel_ml_cfs(), k = 4)
  expect_identical(as.data.frame(extend_selection(short, task, k = 9)), whole)
  begun <- sift_scored(task, sel_ml_cfs(), k = 9, include = whole$index[1:3])
  expect_identical(begun$score[-(1:3)], whole$score[-(1:3)])
  without <- sift_scored(task, sel_ml_cfs(), exclude = whole$index[1])
  expect_identical(without$feature[1], whole$runner_up[1])
  expect_identical(without$score[1], whole$runner_up_score[1])
  stopped <- sift_scored(task, sel_ml_cfs("decrease"))
  expect_identical(
    as.data.frame(extend_selection(sift_scored(task, sel_ml_cfs("decrease"), k = 1), task, k = 12)),
    as.data.frame(stopped)
  )
  expect_identical(as.data.frame(extend_selection(stopped, task, k = 12)), as.data.frame(stopped))
})

test_that("the first feature of ML-CFS is that of BR+CC, and fewer features are the first ones", {
  withr::local_seed(4)
  task <- simulate_mltask(80, 12, 4)
  all <- sift_scored(task, sel_ml_cfs())
  expect_identical(all$feature[1], sift_scored(task, sel_br_cc(), k = 1)$feature)
  expect_identical(as.data.frame(sift_scored(task, sel_ml_cfs(), k = 5)), as.data.frame(head(all, 5)))
})

test_that("ML-CFS stops where no feature raises the merit", {
  withr::local_seed(5)
  task <- simulate_mltask(80, 12, 4)
  all <- sift_scored(task, sel_ml_cfs())
  stopped <- sift_scored(task, sel_ml_cfs("decrease"))
  n <- which(diff(all$score) <= 0)[1]
  expect_gt(n, 1)
  expect_lt(n, 12)
  expect_identical(as.data.frame(stopped), as.data.frame(head(all, n)))
  expect_identical(nrow(sift_scored(task, sel_ml_cfs("decrease"), k = 2)), 2L)
  # A copy leaves the merit as it is.
  x <- cbind(a = c(1, 2, 3, 5, 7, 1), b = c(1, 2, 3, 5, 7, 1))
  expect_identical(sift_scored(mltask(x, c(0, 0, 1, 1, 1, 0)), sel_ml_cfs("decrease"))$feature, "a")
})

test_that("ML-CFS does not depend on the order of rows, nor on the place and scale of numbers", {
  withr::local_seed(6)
  x <- matrix(stats::rnorm(400), 50, dimnames = list(NULL, paste0("f", 1:8)))
  y <- random_labels(50, 4)
  rows <- sample(50)
  expected <- sift_scored(mltask(x, y), sel_ml_cfs())
  expect_equal(sift_scored(mltask(x[rows, ], y[rows, ]), sel_ml_cfs())$score, expected$score, tolerance = 1e-12)
  shifted <- sift_scored(mltask(1e5 - 3 * x, y), sel_ml_cfs())
  expect_identical(shifted$feature, expected$feature)
  expect_equal(shifted$score, expected$score, tolerance = 1e-9)
})

test_that("ML-CFS refuses what it cannot use", {
  x <- cbind(a = c(1, NA, 3), b = 1:3)
  expect_snapshot(error = TRUE, {
    sel_ml_cfs("never")
    sift_features(mltask(x, c(0, 1, 1)), sel_ml_cfs())
  })
})

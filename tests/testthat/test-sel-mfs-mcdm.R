oracle_mfs_mcdm <- function(x, y, ridge = 10, abs = FALSE) {
  on <- colSums(y)
  y <- y[, on > 0 & on < nrow(y), drop = FALSE]
  varies <- apply(x, 2, function(v) length(unique(v)) > 1)
  z <- x[, varies, drop = FALSE]
  d <- solve(crossprod(z) + ridge * diag(ncol(z)), crossprod(z, y))
  if (abs) d <- base::abs(d)
  t <- d %*% diag(apply(y, 2, oracle_entropy), ncol(y))
  distance <- function(to) sqrt(rowSums((t - rep(apply(t, 2, to), each = nrow(t)))^2))
  score <- distance(min) / (distance(min) + distance(max))
  replace(rep(NA_real_, ncol(x)), varies, ifelse(is.nan(score), 0, score))
}

# Features as they are.
given <- function(...) sel_mfs_mcdm(..., scale = "none")

dotted_numbers <- function(n, d, share) {
  x <- matrix(round(stats::rnorm(n * d), 2) * (stats::runif(n * d) < share), n)
  if (d > 3) x[, 2] <- 5
  `colnames<-`(x, paste0("f", seq_len(d)))
}

test_that("MFS-MCDM is what its equation says, in every layout", {
  withr::local_seed(1)
  for (shape in list(
    c(60, 7, 4, 1), c(20, 45, 5, 1), c(80, 30, 1, 0.1), c(30, 90, 6, 0.1), c(12, 1, 2, 1), c(9, 2, 1, 1)
  )) {
    x <- dotted_numbers(shape[1], shape[2], shape[4])
    y <- random_labels(shape[1], shape[3], 0.4)
    for (selector in list(given(), given(0.5), given(3, TRUE))) {
      found <- expect_same_numbers_everywhere(x, y, selector)
      score <- found$score[order(found$index)]
      p <- selector$params
      expect_equal(score, oracle_mfs_mcdm(x, y, p$ridge, p$abs), tolerance = 1e-10)
      expect_identical(found$index, order(-score))
    }
  }
})

test_that("MFS-MCDM by conjugate gradients and by a factor is the same", {
  withr::local_seed(2)
  for (shape in list(c(60, 20, 1), c(20, 60, 1), c(90, 40, 0.1), c(40, 90, 0.1))) {
    x <- dotted_numbers(shape[1], shape[2], shape[3])
    y <- random_labels(shape[1], 3)
    exact <- cpp_score_mfs_mcdm(x, y, 2, FALSE, 1L, 1L)
    expect_equal(exact$score, oracle_mfs_mcdm(x, y, 2), tolerance = 1e-11)
    expect_equal(cpp_score_mfs_mcdm(x, y, 2, FALSE, 2L, 1L), exact, tolerance = 1e-10)
    expect_identical(cpp_score_mfs_mcdm(x, y, 2, FALSE, 2L, 2L), cpp_score_mfs_mcdm(sparse(x), y, 2, FALSE, 2L, 1L))
  }
})

test_that("MFS-MCDM takes conjugate gradients for large sparse data with few labels", {
  withr::local_seed(6)
  solved <- function(x, y, how, threads = 1L) cpp_score_mfs_mcdm(x, y, 10, FALSE, how, threads)
  x <- Matrix::rsparsematrix(1500, 1200, 0.005)
  few <- random_labels(1500, 3)
  expect_identical(solved(x, few, 0L, 2L), solved(x, few, 2L))
  expect_equal(solved(x, few, 0L), solved(x, few, 1L), tolerance = 1e-10)
  many <- random_labels(1500, 250)[, -(2:3)]
  expect_identical(solved(x, many, 0L), solved(x, many, 1L))
  small <- x[, 1:300]
  expect_identical(solved(small, few, 0L), solved(small, few, 1L))
})

test_that("MFS-MCDM does not depend on the order of rows, labels and features, nor on constants", {
  withr::local_seed(3)
  x <- dotted_numbers(50, 8, 0.7)
  y <- random_labels(50, 5, 0.4)
  rows <- sample(50)
  expected <- scores_of(mltask(x, y), sel_mfs_mcdm())
  expect_equal(scores_of(mltask(x[rows, ], y[rows, ]), sel_mfs_mcdm()), expected, tolerance = 1e-11)
  expect_equal(scores_of(mltask(x, y[, 5:1]), sel_mfs_mcdm()), expected, tolerance = 1e-11)
  expect_equal(scores_of(mltask(x[, 8:1], y), sel_mfs_mcdm()), rev(expected), tolerance = 1e-11)
  expect_identical(scores_of(mltask(x[, -2], y), sel_mfs_mcdm()), expected[-2])
  expect_identical(scores_of(mltask(x, y[, -(2:3)]), sel_mfs_mcdm()), expected)
  # Units: twice the features with four times the ridge give half the coefficients.
  expect_equal(scores_of(mltask(2 * x, y), given(40)), scores_of(mltask(x, y), given()), tolerance = 1e-11)
})

test_that("MFS-MCDM ranks coefficients by sign, or by size", {
  y <- rep(0:1, each = 10)
  x <- cbind(like = y + 1, unlike = 2 - 2 * y, other = rep(c(0, 0, 1, 1), 5) / 4, one = 1)
  task <- suppressMessages(mltask(x, y))
  signed <- sift_features(task, sel_mfs_mcdm(1))
  expect_identical(signed$feature, c("like", "other", "unlike", "one"))
  expect_identical(signed$score[c(1, 3, 4)], c(1, 0, NA))
  expect_identical(sift_features(task, sel_mfs_mcdm(1, abs = TRUE))$feature[2], "unlike")
})

test_that("MFS-MCDM uses factors of two levels and of ordered ones as numbers", {
  withr::local_seed(4)
  y <- random_labels(40, 2)
  x <- data.frame(
    two = factor(sample(c("no", "yes"), 40, TRUE)), yes = sample(c(TRUE, FALSE), 40, TRUE),
    size = factor(sample(1:3, 40, TRUE), ordered = TRUE), length = stats::rnorm(40)
  )
  numbers <- cbind(as.integer(x$two) - 1, x$yes, as.integer(x$size), x$length)
  expect_equal(scores_of(mltask(x, y, kind = "label"), given()), oracle_mfs_mcdm(numbers, y), tolerance = 1e-11)
})

test_that("MFS-MCDM with nothing to tell apart", {
  x <- cbind(a = c(1, 2, 3, 4), b = 1)
  expect_identical(sift_features(mltask(x, 0:1 + c(0, 0, 0, 0)), sel_mfs_mcdm())$score, c(0, NA))
  # The coefficients of copies differ by rounding.
  for (seed in 1:4) withr::with_seed(seed, {
    x <- rbinom(60, 1, 0.4)
    found <- sift_features(mltask(cbind(a = x, b = x, c = x), random_labels(60, 2)), sel_mfs_mcdm())
    expect_identical(found$feature, c("a", "b", "c"))
    expect_identical(found$score, c(0, 0, 0))
  })
})

test_that("MFS-MCDM refuses what it cannot use", {
  withr::local_seed(5)
  color <- data.frame(color = factor(c("red", "green", "blue", "red")), z = 1:4 + 0.5)
  expect_snapshot(error = TRUE, {
    sel_mfs_mcdm(0)
    sel_mfs_mcdm(abs = 1)
    sift_features(mltask(color, c(0, 1, 1, 0)), sel_mfs_mcdm())
    sift_features(mltask(cbind(a = c(1, 1e200)), 0:1), sel_mfs_mcdm(scale = "none"))
    sift_features(mltask(cbind(a = c(1, NA, 3)), c(0, 1, 1)), sel_mfs_mcdm())
    sift_features(mltask(cbind(a = 1:4), c(1.5, 2, 3, 4)), sel_mfs_mcdm())
  })
  local_mocked_bindings(cpp_score_mfs_mcdm = function(...) list(score = 1, settled = FALSE))
  expect_warning(sift_features(mltask(cbind(a = 1:4), c(0, 1, 1, 0)), sel_mfs_mcdm()), "did not settle")
})

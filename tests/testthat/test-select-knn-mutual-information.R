estimate <- function(...) suppressWarnings(knn_mutual_information(...), classes = "mlsift_warning")

test_that("the estimate is what its equation says", {
  withr::local_seed(1)
  for (i in 1:12) {
    n <- sample(30:60, 1)
    d <- sample(1:4, 1)
    class <- sample(rep_len(1:3, n))
    x <- matrix(rnorm(n * d), n)
    if (i %% 3 == 1) x <- round(x)  # zeros and ties
    if (i %% 3 == 2) x[, 1] <- rbinom(n, 1, 0.3)
    k <- sample(1:5, 1)
    for (zero in c("floor", "ross", "gao")) {
      found <- estimate(x, class, k, zero, threads = 1)
      expect_equal(found, oracle_knn_mi(x, class, k, zero), tolerance = 1e-9)
      expect_identical(estimate(sparse(x), class, k, zero, threads = 2), found)
      expect_identical(estimate(as.data.frame(x), factor(class), k, zero), found)
      rows <- sample(n)
      expect_equal(estimate(x[rows, ], class[rows], k, zero), found, tolerance = 1e-10)
      expect_equal(estimate(1e3 - 7 * x, letters[class], k, zero), found, tolerance = 1e-9)
    }
    set.seed(i)
    found <- estimate(x, class, k, "jitter", scale = "zscore")
    set.seed(i)
    z <- apply(x, 2, function(v) (v - mean(v)) / population_sd(v)) + 1e-10 * matrix(runif(n * d, -1, 1), n)
    # Distances of 1e-10 keep six digits.
    expect_equal(found, oracle_knn_mi(z, class, k), tolerance = if (i %% 3 == 0) 1e-9 else 1e-5)
  }
})

test_that("values known by hand", {
  x <- c(0, 1, 3, 10, 12, 13)
  y <- c(1, 1, 1, 2, 2, 2)
  # With K = 1 the nearest row is in the own class everywhere: only the counts are left.
  expect_equal(knn_mutual_information(x, y, 1), digamma(6) - digamma(3), tolerance = 1e-12)
  expect_equal(knn_mutual_information(x, y, 1, "ross"), digamma(6) - digamma(3), tolerance = 1e-12)
  # Classes alternate: the nearest row of the own class is twice as far as the nearest one, but at one end.
  expect_equal(knn_mutual_information(1:6, c(1, 2, 1, 2, 1, 2), 1), digamma(6) - digamma(3) - log(2), tolerance = 1e-12)
  # Rows 0, 0, 1, 1 of classes a, b, a, b: distance 0 among all, 1 within the class; half of the smallest distance
  # stands for 0.
  expect_equal(
    knn_mutual_information(c(0, 0, 1, 1), c("a", "b", "a", "b"), 1), digamma(4) - digamma(2) - log(2), tolerance = 1e-12
  )
})

test_that("Gaussian classes give their information at 1, 2 and 5 dimensions", {
  # Two classes a distance of `apart` from each other, one standard deviation along each axis: the information is that
  # along the line between them.
  truth <- function(apart) {
    mixture <- function(v) (dnorm(v) + dnorm(v, apart)) / 2
    entropy <- integrate(function(v) -mixture(v) * log(mixture(v)), -8, 8 + apart, rel.tol = 1e-10)$value
    entropy - log(2 * pi * exp(1)) / 2
  }
  withr::local_seed(2)
  class <- rep(0:1, each = 150)
  for (d in c(1, 2, 5)) {
    estimates <- replicate(
      50, knn_mutual_information(matrix(rnorm(300 * d, mean = 2 / sqrt(d) * class), 300), class, threads = 1)
    )
    expect_lt(abs(mean(estimates) - truth(2)), 3 * sd(estimates) / sqrt(50) + 0.02)
  }
})

test_that("discrete variables that say nothing get about nothing from gao alone", {
  withr::local_seed(4)
  class <- rep(1:3, each = 100)
  x <- rbinom(300, 1, 0.4)
  expect_lt(abs(knn_mutual_information(x, class, zero_distance = "gao")), 0.02)
  expect_gt(estimate(x, class, zero_distance = "floor"), 1)
  expect_lt(estimate(x, class, zero_distance = "ross"), -1)
  expect_snapshot({
    invisible(knn_mutual_information(cbind(a = x, b = rnorm(300), c = x), class))
    invisible(knn_mutual_information(x, class, zero_distance = "ross"))
    invisible(knn_mutual_information(round(rnorm(300), 2), class))
  })
  # What a copy of the class says is the entropy of the class.
  expect_equal(
    knn_mutual_information(class, class, zero_distance = "gao"), digamma(300) - digamma(100), tolerance = 1e-12
  )
})

test_that("constants do not count, and single variables know no scale", {
  withr::local_seed(3)
  class <- rep(1:2, each = 20)
  x <- rnorm(40, class)
  expect_identical(knn_mutual_information(cbind(x, 5, -1), class), knn_mutual_information(x, class))
  expect_identical(knn_mutual_information(rep(0.1, 40), class), 0)
  for (one in list(class == 1, factor(rep(c("u", "v", "w", "v"), 10), ordered = TRUE))) expect_identical(
    knn_mutual_information(one, class, zero_distance = "gao"),
    knn_mutual_information(as.numeric(one), class, zero_distance = "gao")
  )
  expect_identical(knn_mutual_information(x, rep("one", 40)), 0)
  expect_equal(knn_mutual_information(x, class, scale = "zscore"), knn_mutual_information(x, class), tolerance = 1e-12)
  for (size in c(1e200, 1e-200)) expect_equal(
    knn_mutual_information(size * cbind(x, x^2), class), knn_mutual_information(cbind(x, x^2), class), tolerance = 1e-10
  )
  frame <- data.frame(yes = class == 1, two = factor(rep(c("u", "v"), 20)), size = factor(rep(1:4, 10), ordered = TRUE))
  expect_identical(
    knn_mutual_information(frame, class, zero_distance = "gao"),
    knn_mutual_information(cbind(class == 1, rep(0:1, 20), rep(1:4, 10)), class, zero_distance = "gao")
  )
})

test_that("bad arguments are refused", {
  x <- cbind(a = 1:6 / 2, b = 6:1)
  expect_snapshot(error = TRUE, {
    knn_mutual_information("a", 1)
    knn_mutual_information(array(0, c(2, 2, 2)), 1:2)
    knn_mutual_information(data.frame(day = Sys.Date() + 1:6), rep(1:2, 3))
    knn_mutual_information(data.frame(a = 1:2, b = c("u", "v")), 1:2)
    knn_mutual_information(data.frame(a = 1:6, b = factor(c(1:3, 1:3))), rep(1:2, 3), 1)
    knn_mutual_information(x[1, , drop = FALSE], 1)
    knn_mutual_information(replace(x, 3, NA), rep(1:2, 3))
    knn_mutual_information(x, 1:5)
    knn_mutual_information(x, c(1, 1, 1, 2, 2, NA), 1)
    knn_mutual_information(x, c("u", "u", "u", "u", "v", "v"), 2)
    knn_mutual_information(x, rep(1:2, 3), 0)
    knn_mutual_information(x, rep(1:2, 3), 1, "none")
  })
})

test_that("the estimate is what its equation says", {
  withr::local_seed(1)
  for (i in first_or_all(1:12, 6)) {
    n <- sample(30:60, 1)
    d <- sample(1:4, 1)
    class <- sample(rep_len(1:3, n))
    x <- matrix(rnorm(n * d), n)
    if (i %% 3 == 1) x <- round(x)  # zeros and ties
    if (i %% 3 == 2) x[, 1] <- rbinom(n, 1, 0.3)
    k <- sample(1:5, 1)
    for (zero in c("floor", "ross", "gao")) {
      found <- knn_estimate(x, class, k, zero)
      expect_equal(found, oracle_knn_mi(x, class, k, zero), tolerance = 1e-9)
      expect_identical(knn_estimate(sparse(x), class, k, zero), found)
      rows <- sample(n)
      expect_equal(knn_estimate(x[rows, , drop = FALSE], class[rows], k, zero), found, tolerance = 1e-10)
      expect_equal(knn_estimate(1e3 - 7 * x, letters[class], k, zero), found, tolerance = 1e-9)
    }
    set.seed(i)
    found <- knn_estimate(x, class, k, "jitter", scale = "zscore")
    set.seed(i)
    z <- apply(x, 2, function(v) (v - mean(v)) / population_sd(v)) + 1e-10 * matrix(runif(n * d, -1, 1), n)
    # Distances of 1e-10 keep six digits.
    expect_equal(found, oracle_knn_mi(z, class, k), tolerance = if (i %% 3 == 0) 1e-9 else 1e-5)
  }
})

test_that("values known by hand", {
  x <- cbind(c(0, 1, 3, 10, 12, 13))
  y <- c(1, 1, 1, 2, 2, 2)
  # With K = 1 the nearest row is in the own class everywhere: only the counts are left.
  expect_equal(knn_estimate(x, y, 1), digamma(6) - digamma(3), tolerance = 1e-12)
  expect_equal(knn_estimate(x, y, 1, "ross"), digamma(6) - digamma(3), tolerance = 1e-12)
  # Classes alternate: the nearest row of the own class is twice as far as the nearest one, but at one end.
  expect_equal(knn_estimate(cbind(1:6), c(1, 2, 1, 2, 1, 2), 1), digamma(6) - digamma(3) - log(2), tolerance = 1e-12)
  # Rows 0, 0, 1, 1 of classes a, b, a, b: distance 0 among all, 1 within the class; half of the smallest distance
  # stands for 0.
  expect_equal(
    knn_estimate(cbind(c(0, 0, 1, 1)), c("a", "b", "a", "b"), 1), digamma(4) - digamma(2) - log(2), tolerance = 1e-12
  )
})

test_that("Gaussian classes give their information at 1, 2 and 5 dimensions", {
  skip_unless_all()
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
    estimates <- replicate(50, knn_estimate(matrix(rnorm(300 * d, mean = 2 / sqrt(d) * class), 300), class))
    expect_lt(abs(mean(estimates) - truth(2)), 3 * sd(estimates) / sqrt(50) + 0.02)
  }
})

test_that("discrete variables that say nothing get about nothing from gao alone", {
  withr::local_seed(4)
  class <- rep(1:3, each = 100)
  x <- cbind(rbinom(300, 1, 0.4))
  expect_lt(abs(knn_estimate(x, class, zero = "gao")), 0.02)
  expect_gt(knn_estimate(x, class, zero = "floor"), 1)
  expect_lt(knn_estimate(x, class, zero = "ross"), -1)
  # What a copy of the class says is the entropy of the class.
  expect_equal(knn_estimate(cbind(class), class, zero = "gao"), digamma(300) - digamma(100), tolerance = 1e-12)
})

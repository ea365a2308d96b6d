# theta straight from the definition, over all pairs; w has a row for each draw, and z[1] = 0.
oracle_theta <- function(z, w, rope) {
  h <- function(a) (a > 0) + (a == 0) / 2
  sums <- outer(z, z, "+")
  t(apply(w, 1, function(w) {
    left <- sum(outer(w, w) * h(-sums - 2 * rope))
    right <- sum(outer(w, w) * h(sums - 2 * rope))
    c(left = left, rope = 1 - left - right, right = right)
  }))
}

# Dirichlet weights from the same random numbers.
oracle_weights <- function(n, n_pairs, prior) {
  t(replicate(n, {
    w <- c(stats::rgamma(1, prior), stats::rgamma(n_pairs, 1))
    w / sum(w)
  }))
}

test_that("draws agree with the sums over all pairs, with ties and sums at the limits", {
  for (i in first_or_all(1:30, 10)) {
    set.seed(i)
    n_pairs <- sample(1:9, 1)
    # Quarters are exact in binary, so that sums can be exactly at a limit.
    x <- sample(-8:8, n_pairs, TRUE) / 4
    y <- sample(-8:8, n_pairs, TRUE) / 4
    rope <- sample(c(0, 0.25, 0.5, 0.7), 1)
    prior <- sample(c(0, 0.5, 2), 1)
    set.seed(i)
    ours <- bayes_signed_rank(x, y, rope, prior, n = 20)
    set.seed(i)
    theirs <- oracle_theta(c(0, y - x), oracle_weights(20, n_pairs, prior), rope)
    expect_equal(ours$draws, theirs, tolerance = 1e-12)
    expect_identical(colnames(ours$draws), c("left", "rope", "right"))
    expect_equal(sum(ours$probability), 1)
  }
})

test_that("a probability is the share of draws that the region wins; ties share", {
  withr::local_seed(1)
  ours <- bayes_signed_rank(stats::rnorm(12), stats::rnorm(12, 0.2), rope = 0.1, n = 500)
  wins <- tabulate(max.col(ours$draws), 3) / 500
  expect_equal(unname(ours$probability), wins)
  same <- bayes_signed_rank(1:5, 1:5, n = 10)
  expect_identical(same$probability, c(left = 0.5, rope = 0, right = 0.5))
  expect_identical(bayes_signed_rank(1:5, 1:5, rope = 0.1, n = 10)$probability, c(left = 0, rope = 1, right = 0))
})

test_that("draws do not depend on the blocks in which they are made", {
  z <- c(0, 0.3, -0.2, 0.1)
  draw <- function(...) withr::with_seed(1, signed_rank_draws(z, 0.1, 0.5, 23L, 1e-12, ...))
  expect_identical(draw(block = 5L), draw())
  expect_identical(draw(block = 1L), draw())
})

test_that("decimal values are at a limit where they are in decimal arithmetic", {
  # 0.3 - 0.2 is below 0.1 in binary; twice the difference is at the limit, so half of it counts as equivalent.
  ours <- bayes_signed_rank(0.2, 0.3, rope = 0.1, prior = 0, n = 5)
  expect_equal(ours$draws[1, ], c(left = 0, rope = 0.5, right = 0.5))
  expect_equal(bayes_correlated_t(c(0.2, 0.5), c(0.3, 0.6), 0.1, 0.1)$probability, c(left = 0, rope = 0.5, right = 0.5))
})

test_that("exchanging x and y exchanges left and right, and direction changes no number", {
  withr::local_seed(2)
  x <- stats::rnorm(15)
  y <- x + stats::rnorm(15, 0.1, 0.3)
  signed <- function(x, y, ...) withr::with_seed(1, bayes_signed_rank(x, y, rope = 0.05, n = 2000, ...))
  student <- function(x, y, ...) bayes_correlated_t(x, y, rope = 0.05, test_share = 0.2, ...)
  for (test in list(signed, student)) {
    one <- test(x, y)
    other <- test(y, x)
    expect_equal(unname(other$probability), rev(unname(one$probability)), tolerance = 1e-12)
    expect_equal(other$estimate, -one$estimate)
    expect_identical(test(x, y, direction = "maximize")$probability, one$probability)
  }
  expect_equal(unname(signed(y, x)$draws), unname(signed(x, y)$draws[, 3:1]), tolerance = 1e-12)
})

test_that("a larger rope is more probable, and one that holds all differences is certain", {
  withr::local_seed(3)
  x <- stats::runif(10)
  y <- stats::runif(10)
  ropes <- c(0, 0.01, 0.1, 0.3, 1.1)
  signed <- vapply(ropes, \(r) withr::with_seed(1, bayes_signed_rank(x, y, r, n = 1000))$probability[["rope"]], 0)
  student <- vapply(ropes, \(r) bayes_correlated_t(x, y, r, 0.1)$probability[["rope"]], 0)
  expect_false(is.unsorted(signed))
  expect_false(is.unsorted(student, strictly = TRUE))
  expect_identical(signed[c(1, 5)], c(0, 1))
  expect_equal(student[1], 0)
})

test_that("with one pair the signed-rank test has a closed form", {
  # w_1^2 + 2 w_0 w_1 > 1/2 where 1 - w_0^2 > 1/2 (z_1 beyond twice the rope); w_0 is Beta(prior, 1).
  ours <- withr::with_seed(1, bayes_signed_rank(0, 1, rope = 0.1, n = 20000))
  expect_equal(ours$probability[["right"]], sqrt(0.5)^0.5, tolerance = 0.01)
  expect_identical(bayes_signed_rank(0, 1, prior = 0, n = 10)$probability[["right"]], 1)
})

test_that("the t-test is Student's distribution function", {
  withr::local_seed(4)
  x <- stats::rnorm(10)
  y <- x + stats::rnorm(10, 0.2)
  ours <- bayes_correlated_t(x, y, rope = 0.1, test_share = 0.1)
  z <- y - x
  scale <- sqrt(stats::var(z) * (1 / 10 + 1 / 9))
  below <- stats::pt((c(-0.1, 0.1) - mean(z)) / scale, 9)
  expect_equal(ours$probability, c(left = below[1], rope = below[2] - below[1], right = 1 - below[2]))
  expect_equal(c(ours$scale, ours$df, ours$estimate), c(scale, 9, mean(z)))
  # Without a rope, left is the one-sided p-value of Nadeau and Bengio's test.
  t <- mean(z) / sqrt((1 / 10 + 0.1 / 0.9) * stats::var(z))
  expect_equal(bayes_correlated_t(x, y, test_share = 0.1)$probability[["left"]], stats::pt(-t, 9))
})

test_that("equal differences are a point", {
  p <- function(d, rope) unname(bayes_correlated_t(c(0.1, 0.2, 0.7), c(0.1, 0.2, 0.7) + d, rope, 0.1)$probability)
  expect_identical(p(0, 0), c(0.5, 0, 0.5))
  expect_identical(p(0, 0.1), c(0, 1, 0))
  expect_identical(p(0.3, 0), c(0, 0, 1))
  expect_identical(p(-0.3, 0.1), c(1, 0, 0))
  expect_identical(p(-0.1, 0.1), c(0.5, 0.5, 0))
  expect_identical(bayes_correlated_t(c(0.1, 0.2, 0.7), c(0.1, 0.2, 0.7) + 0.3, test_share = 0.1)$scale, 0)
})

test_that("the sentence follows the direction", {
  x <- c(0.10, 0.20, 0.30)
  y <- x + c(0.10, 0.11, 0.12)
  t <- function(...) posterior_sentence(bayes_correlated_t(..., test_share = 0.1))
  expect_identical(t(x, y), "x is better with probability above 0.99")
  expect_identical(t(x, y, 0.01, direction = "maximize"), "y is practically better with probability above 0.99")
  expect_identical(t(x, y, 1), "x and y are practically equivalent with probability above 0.99")
  expect_identical(t(x, x), "y is better or x is better, each with probability 0.50")
  tidied <- tidy(bayes_correlated_t(x, y, 0.01, 0.1))
  expect_identical(tidied$better, c("y", "neither", "x"))
  expect_identical(tidied$conf.low, c(-Inf, -0.01, 0.01))
})

test_that("print, tidy() and glance() say what was found", {
  local_mocked_bindings(has_tibble = function() FALSE)
  local_reproducible_output(width = 100)
  # A tibble prints in another way.
  local_mocked_bindings(has_tibble = function() FALSE)
  x <- c(0.215, 0.190, 0.043, 0.055, 0.211, 0.012, 0.101, 0.302)
  y <- c(0.221, 0.197, 0.043, 0.063, 0.216, 0.029, 0.100, 0.311)
  expect_snapshot({
    bayes_correlated_t(x, y, rope = 0.002, test_share = 0.125)
    bayes_correlated_t(x, y, test_share = 0.125, direction = "maximize")
    tidy(bayes_correlated_t(x, y, rope = 0.002, test_share = 0.125))
    glance(bayes_correlated_t(x, y, rope = 0.002, test_share = 0.125))
  })
  withr::local_seed(1)
  signed <- bayes_signed_rank(x, y, rope = 0.002, n = 1000)
  expect_output(print(signed), "Bayesian signed-rank test, 8 pairs, rope 0.002", fixed = TRUE)
  expect_named(signed$probability, c("left", "rope", "right"))
})

test_that("probabilities are printed as 0 or 1 only if they are", {
  expect_identical(
    format_probability(c(0, 1e-9, 0.0099, 0.01, 0.5, 0.99, 0.9901, 1 - 1e-9, 1)),
    c("0.00", "below 0.01", "below 0.01", "0.01", "0.50", "0.99", "above 0.99", "above 0.99", "1.00")
  )
})

test_that("bad input is refused", {
  for (share in list(NA, NA_real_, c(0.1, 0.2), numeric(), "0.1", NULL, 0, 1)) {
    expect_error(bayes_correlated_t(1:2, c(2, 4), test_share = share), "`test_share` must be", class = "mlsift_error")
  }
  expect_error(bayes_signed_rank(1:3, 1:2), class = "mlsift_error")
  expect_snapshot(error = TRUE, {
    bayes_signed_rank(c(1, NA), 1:2)
    bayes_signed_rank(1:2, 1:2, rope = -1)
    bayes_signed_rank(1:2, 1:2, prior = Inf)
    bayes_signed_rank(1:2, 1:2, n = 0)
    bayes_signed_rank(1:2, 1:2, direction = "max")
    bayes_correlated_t("a", 1:2, test_share = 0.1)
    bayes_correlated_t(1, 2, test_share = 0.1)
    bayes_correlated_t(1:2, 2:3)
    bayes_correlated_t(1:2, 2:3, test_share = 0)
    bayes_correlated_t(1:2, 2:3, test_share = 1)
  })
})

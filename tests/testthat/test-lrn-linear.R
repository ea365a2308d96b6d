linear_response <- function(x, y, query, ...) unname(
  predict(fit(lrn_linear(...), mltask(x, y, kind = "numeric")), query)$response
)

test_that("ridge regression solves the normal equations", {
  withr::local_seed(1)
  for (n in c(6, 50)) for (d in c(1, 3, 20)) for (share in c(1, 0.15)) {
    x <- matrix(rnorm(n * d) * rbinom(n * d, 1, share), n) * rep_len(c(1, 100, 1e-2), d)
    x[1, ] <- 1
    if (d > 2) x[, 3] <- 4
    y <- matrix(rnorm(n * 2) * 10, n) + 100
    for (rho in c(1e-3, 1, 50)) for (scale in c("zscore", "none")) {
      expect_equal(linear_response(x, y, x + 1, rho, scale), oracle_ridge(x, y, x + 1, rho, scale), tolerance = 1e-10)
    }
  }
})

test_that("without a penalty it is least squares, and columns that depend on others are left out", {
  withr::local_seed(2)
  x <- matrix(rnorm(120), 30)
  y <- matrix(rnorm(60), 30)
  x[, 3] <- 2 * x[, 1] - x[, 2]
  expected <- unname(fitted(lm(y ~ x[, c(1, 2, 4)])))
  expect_equal(linear_response(x, y, x, 0), expected, tolerance = 1e-10)
  model <- fit(lrn_linear(0), mltask(x, y, kind = "numeric"))
  expect_identical(model$state$models[[1]]$weights[3, ], c(0, 0))
})

test_that("more features than rows, one row apart from constants", {
  withr::local_seed(3)
  x <- matrix(rnorm(8 * 40), 8)
  y <- matrix(rnorm(8), 8)
  expect_equal(linear_response(x, y, x, 0.5), oracle_ridge(x, y, x, 0.5), tolerance = 1e-10)
  expect_equal(linear_response(cbind(f1 = c(3, 3)), cbind(l1 = c(1, 2)), cbind(f1 = c(0, 9))), cbind(c(1.5, 1.5)))
})

test_that("factors become numbers or indicators", {
  withr::local_seed(4)
  n <- 40
  frame <- data.frame(
    color = factor(sample(c("blue", "green", "red"), n, TRUE)), u = rnorm(n), two = factor(sample(0:1, n, TRUE))
  )
  coded <- with(frame, cbind(color == "green", color == "red", u, two == 1))
  y <- matrix(rnorm(n))
  expect_equal(linear_response(frame, y, frame, 2), oracle_ridge(coded, y, coded, 2), tolerance = 1e-10)
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(5)
  n <- 70
  for (share in c(0.1, 0.6)) {
    x <- matrix(rnorm(n * 12) * rbinom(n * 12, 1, share), n, dimnames = list(NULL, paste0("f", 1:12)))
    y <- matrix(rnorm(n * 3), n)
    order <- sample.int(12)
    k <- c(1, 12, 2, 5)
    results <- lapply(list(x, sparse(x), as.data.frame(x)), function(x) {
      task <- mltask(x, y)
      curve <- one_pass(lrn_linear(), task[1:50, ], task[51:n, ], order, k, threads = 1)
      alone <- separate_curve(lrn_linear(), task[1:50, ], task[51:n, ], order, k)
      curve <- lapply(curve, function(p) unname(p$response))
      expect_equal(curve, lapply(alone, function(p) unname(p$response)), tolerance = 1e-10)
      many <- one_pass(lrn_linear(), task[1:50, ], task[51:n, ], order, k, threads = 3)
      expect_identical(lapply(many, function(p) unname(p$response)), curve)
      curve
    })
    expect_identical(results[[1]], results[[2]])
    expect_identical(results[[1]], results[[3]])
  }
})

test_that("what linear regression cannot take is refused", {
  task <- numeric_task(1)
  holes <- task
  holes$x[2, 3] <- NA
  expect_snapshot(error = TRUE, {
    lrn_linear()
    fit(lrn_linear(), simulate_mltask(20))
    fit(lrn_linear(), holes)
    predict(fit(lrn_linear(), task), holes)
    lrn_linear(-1)
    lrn_linear(Inf)
    lrn_linear(scale = "range")
  })
  expect_null(predict(fit(lrn_linear(), task), task)$score)
})

test_that("a row of weight w is w rows", {
  set.seed(20)
  n <- 60
  x <- data.frame(a = 1e3 + rnorm(n), b = factor(sample(letters[1:3], n, TRUE)), c = rbinom(n, 1, 0.1) * rnorm(n))
  y <- matrix(rnorm(2 * n), n)
  w <- sample(0:4, n, TRUE)
  repeated <- mltask(x, y)[rep(seq_len(n), w), ]
  for (learner in list(lrn_linear(), lrn_linear(2, "none"), lrn_linear(0))) {
    of <- function(task) predict(fit(learner, task), x)$response
    expect_equal(of(mltask(x, y, weights = w)), of(repeated), tolerance = 1e-10)
    expect_equal(of(mltask(x, y, weights = rep(1, n))), of(mltask(x, y)), tolerance = 1e-12)
  }
  r <- stats::runif(n)
  real <- function(factor) predict(fit(lrn_linear(factor), mltask(x, y, weights = factor * r)), x)$response
  expect_equal(real(1), real(64), tolerance = 1e-10)
  expect_equal(unname(real(1)), {
    z <- stats::model.matrix(~., x)[, -1]
    center <- colSums(r * z) / sum(r)
    z <- sweep(z, 2, center)
    z <- sweep(z, 2, sqrt(colSums(r * z^2) / sum(r)), `/`)
    mean <- colSums(r * y) / sum(r)
    fitted <- z %*% solve(crossprod(z, r * z) + diag(4), crossprod(z, r * sweep(y, 2, mean)))
    unname(sweep(fitted, 2, mean, `+`))
  }, tolerance = 1e-10)
})

brlr_scores <- function(x, y, query, ...) unname(predict(fit(lrn_brlr(...), mltask(x, y, kind = "label")), query)$score)

# Numbers on several scales and far from 0, a copy, a constant.
awkward_numbers <- function(n) {
  x <- matrix(rnorm(n * 6), n) * rep(c(1, 100, 1e-3, 1, 1, 1), each = n)
  x[, 2] <- x[, 2] + 1e4
  x[, 4] <- x[, 1]
  x[, 5] <- 7
  x[, 6] <- rbinom(n, 1, 0.1)
  x
}

test_that("probabilities are those of the penalized optimum", {
  withr::local_seed(1)
  for (n in c(8, 60)) for (share in c(1, 0.15)) {
    x <- awkward_numbers(n) * rbinom(n * 6, 1, share)
    x[seq_len(n / 2), 1] <- 1
    y <- random_labels(n, 4)
    y[, 1] <- x[, 1] > 0.5  # separated
    for (rho in c(1e-4, 0.1, 3)) {
      expect_equal(brlr_scores(x, y, x, rho), oracle_brlr(x, y, x, rho), tolerance = 1e-8)
    }
    x[, 2] <- x[, 2] / 1000
    expect_equal(brlr_scores(x, y, x, 1, "none"), oracle_brlr(x, y, x, 1, "none"), tolerance = 1e-8)
  }
})

test_that("coefficients are those of the penalized optimum, by both ways to solve", {
  withr::local_seed(2)
  for (n in c(20, 70)) for (d in c(1, 9, 40)) for (rho in c(1e-4, 1)) {
    x <- matrix(rnorm(n * d) * rbinom(n * d, 1, if (d == 9) 0.15 else 1), n)
    x[1, ] <- 1
    y <- matrix(rep(0:1, length.out = n))
    y[sample.int(n, n / 3)] <- 1L
    expected <- oracle_logistic(oracle_scaled(x), y[, 1], rho)
    for (factored in c(300L, 0L)) {
      model <- fit_logistic(x, y, NULL, list(rho = rho, scale = "zscore"), d, 1L, factored)
      expect_true(model$converged)
      expect_equal(model$models[[1]]$weights[, 1], expected[-1], tolerance = 1e-8)
      eta <- cpp_linear_predict(x, model$scaling, model$models, FALSE, 1L)[[1]][, 1]
      expect_equal(eta, drop(cbind(1, oracle_scaled(x)) %*% expected), tolerance = 1e-8)
      loss <- sum(log1p(exp(-(2 * y[, 1] - 1) * eta))) + rho / 2 * sum(expected[-1]^2)
      expect_equal(model$objective[1], loss, tolerance = 1e-10)
    }
  }
})

test_that("rows that repeat lead to the same optimum as rows that differ", {
  withr::local_seed(3)
  n <- 200
  y <- random_labels(n, 3)
  for (share in c(0.1, 0.5)) for (factored in c(300L, 0L)) {
    # The first columns have few distinct rows, all six as many as there are rows.
    x <- cbind(matrix(rbinom(n * 3, 1, share), n), rbinom(n, 2, share), 0, rnorm(n) * rbinom(n, 1, 2 * share))
    x[1, 5] <- 1
    prefixes <- c(4L, 1L, 6L, 2L)
    found <- fit_logistic(x, y, NULL, list(rho = 0.01, scale = "none"), prefixes, 1L, factored)
    expect_true(all(found$converged))
    for (p in seq_along(prefixes)) for (l in 1:3) {
      columns <- x[, seq_len(prefixes[p]), drop = FALSE]
      expect_equal(found$models[[p]]$weights[, l], oracle_logistic(columns, y[, l], 0.01)[-1], tolerance = 1e-7)
    }
    expect_identical(found, fit_logistic(x, y, NULL, list(rho = 0.01, scale = "none"), prefixes, 2L, factored))
  }
})

test_that("with hardly any penalty it is glm()", {
  withr::local_seed(3)
  x <- awkward_numbers(150)[, c(1:3, 6)]
  y <- cbind(a = rbinom(150, 1, plogis(x[, 1])), b = rbinom(150, 1, 0.3))
  expected <- apply(y, 2, function(l) unname(fitted(glm(l ~ x, family = binomial, control = list(epsilon = 1e-14)))))
  expect_equal(brlr_scores(x, y, x, 1e-10), unname(expected), tolerance = 1e-8)
})

test_that("more columns than 300 lead to the same optimum", {
  withr::local_seed(4)
  x <- matrix(rnorm(40 * 305), 40)
  y <- random_labels(40, 1)
  expect_equal(brlr_scores(x, y, x, 0.01), oracle_brlr(x, y, x, 0.01), tolerance = 1e-7)
})

test_that("a label that all rows or none have is certain", {
  withr::local_seed(5)
  x <- matrix(rnorm(40), 20)
  y <- cbind(none = integer(20), all = 1L, some = rep(0:1, 10))
  score <- brlr_scores(x, y, x * 1e6)
  expect_identical(score[, 1], numeric(20))
  expect_identical(score[, 2], rep(1, 20))
  expect_true(all(is.finite(score)))
})

test_that("features without information leave the share of the label", {
  y <- cbind(a = c(1, 0, 0, 0), b = c(1, 1, 1, 0))
  x <- cbind(f1 = rep(1e10, 4), f2 = 0)
  expect_equal(brlr_scores(x, y, x + 5), cbind(rep(0.25, 4), 0.75), tolerance = 1e-12)
})

test_that("separation, copies and more features than rows converge", {
  withr::local_seed(6)
  x <- matrix(rnorm(30 * 80), 30)
  x <- cbind(x, x)
  y <- cbind(a = as.integer(x[, 1] > 0), b = rep(0:1, 15))
  for (rho in c(1e-6, 1e-4)) {
    expect_no_warning(score <- brlr_scores(x, y, x, rho))
    expect_identical((score > 0.5) + 0L, unname(y))
    half <- x[, 1:80] * sqrt(2)  # two equal weights cost half as much as one of their sum
    expect_equal(brlr_scores(half, y, half, rho, "none"), brlr_scores(x, y, x, rho, "none"), tolerance = 1e-8)
  }
})

test_that("factors become numbers or indicators", {
  withr::local_seed(7)
  n <- 60
  frame <- data.frame(
    u = rnorm(n), two = factor(sample(c("a", "b"), n, TRUE)), grade = factor(sample(1:4, n, TRUE), ordered = TRUE),
    color = factor(sample(c("blue", "green", "red"), n, TRUE)), flag = sample(c(TRUE, FALSE), n, TRUE)
  )
  coded <- with(frame, cbind(u, two == "b", as.integer(grade), color == "green", color == "red", flag))
  y <- random_labels(n, 3)
  for (scale in c("zscore", "none")) {
    expect_equal(brlr_scores(frame, y, frame, 0.5, scale), oracle_brlr(coded, y, coded, 0.5, scale), tolerance = 1e-8)
  }
  task <- mltask(frame, y, kind = "label")
  curve <- one_pass(lrn_brlr(0.5), task, task, 5:1, c(5, 2))
  last <- unname(coded[, c(6, 4, 5)])
  expect_equal(unname(curve[[2]]$score), oracle_brlr(last, y, last, 0.5), tolerance = 1e-8)
  new <- frame[1:2, ]
  new$color <- factor(c("violet", "red"))
  third <- coded[1:2, ]
  third[, 4:5] <- rbind(1 / 3, c(0, 1))
  model <- fit(lrn_brlr(0.5), task)
  z <- oracle_scaled(third, by = coded)
  expected <- apply(y, 2, function(l) plogis(drop(cbind(1, z) %*% oracle_logistic(oracle_scaled(coded), l, 0.5))))
  expect_equal(unname(predict(model, new)$score), unname(expected), tolerance = 1e-8)
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(8)
  n <- 90
  for (share in c(0.1, 0.6)) {
    x <- matrix(rnorm(n * 10) * rbinom(n * 10, 1, share), n, dimnames = list(NULL, paste0("f", 1:10)))
    x[, 3] <- 5 + x[, 3]
    y <- random_labels(n, 4)
    order <- sample.int(10)
    k <- c(1, 2, 10, 6)
    results <- lapply(list(x, sparse(x), as.data.frame(x)), function(x) {
      task <- mltask(x, if (is.data.frame(x)) sparse(y) else y, kind = "label")
      curve <- one_pass(lrn_brlr(0.01), task[1:60, ], task[61:n, ], order, k, threads = 1)
      many <- one_pass(lrn_brlr(0.01), task[1:60, ], task[61:n, ], order, k, threads = 3)
      curve <- lapply(curve, function(p) unname(p$score))
      expect_identical(lapply(many, function(p) unname(p$score)), curve)
      alone <- separate_curve(lrn_brlr(0.01), task[1:60, ], task[61:n, ], order, k)
      expect_equal(curve, lapply(alone, function(p) unname(p$score)), tolerance = 1e-8)
      model <- fit(lrn_brlr(0.01), task[1:60, ])
      expect_identical(predict(model, task[70, ])$score[1, ], predict(model, task)$score[70, ])
      expect_identical(predict(model, x), predict(model, as.data.frame(as.matrix(x))))
      curve
    })
    expect_identical(results[[1]], results[[2]])
    expect_identical(results[[1]], results[[3]])
  }
})

test_that("units and far origins do not matter to z-scores", {
  withr::local_seed(9)
  x <- matrix(rnorm(120), 40)
  y <- random_labels(40, 2)
  other <- sweep(sweep(x, 2, c(1e-120, 1e3, 1e130), `*`), 2, c(0, 1e6, 0), `+`)
  expect_equal(brlr_scores(other, y, other, 0.1), brlr_scores(x, y, x, 0.1), tolerance = 1e-8)
})

test_that("one feature, one label, two rows are enough", {
  task <- mltask(cbind(f1 = c(1, 2)), cbind(l1 = c(1, 0)))
  score <- predict(fit(lrn_brlr(1), task), task)$score[, 1]
  expect_equal(sum(score), 1)
  # w = -2 p(second row) at the optimum, with features -1 and 1
  expect_equal(qlogis(score[2]), -2 * score[2], tolerance = 1e-8)
})

test_that("what BRLR cannot take is refused", {
  withr::local_seed(10)
  task <- simulate_mltask(20, n_features = 3)
  holes <- task
  holes$x[2, 3] <- NA
  huge <- mltask(cbind(f1 = c(1e200, 1, 2)), cbind(l1 = c(1, 0, 1)))
  expect_snapshot(error = TRUE, {
    lrn_brlr()
    fit(lrn_brlr(), numeric_task(1))
    fit(lrn_brlr(), holes)
    predict(fit(lrn_brlr(), task), holes)
    fit(lrn_brlr(scale = "none"), huge)
    lrn_brlr(0)
    lrn_brlr(Inf)
    lrn_brlr(scale = "range")
  })
})

test_that("labels that need too many steps get a warning", {
  task <- mltask(cbind(f1 = c(-2, -1, 1, 2)), cbind(l1 = c(0, 0, 1, 1)))
  expect_snapshot(model <- fit(lrn_brlr(1e-40), task))
  expect_identical(as.vector(predict(model, task)$response), c(0L, 0L, 1L, 1L))
})

test_that("a row of weight w is w rows, also where equal rows are one and with conjugate gradients", {
  set.seed(20)
  n <- 90
  x <- data.frame(a = rnorm(n), b = factor(sample(letters[1:3], n, TRUE)), c = rbinom(n, 1, 0.1) * rnorm(n),
    d = rbinom(n, 1, 0.3), e = 1e3 + rnorm(n))
  y <- matrix(rbinom(3 * n, 1, 0.3), n)
  w <- sample(0:4, n, TRUE)
  weighted <- mltask(x, y, weights = w)
  repeated <- mltask(x, y)[rep(seq_len(n), w), ]
  for (features in list(1:5, "d", c("b", "d"))) {
    for (learner in list(lrn_brlr(), lrn_brlr(2, "none"))) {
      of <- function(task) predict(fit(learner, task[, features]), x)$score
      expect_equal(of(weighted), of(repeated), tolerance = 1e-10)
    }
  }
  columns <- matrix(rnorm(n * 6), n)
  by <- function(rows, w, factored) {
    fit_logistic(columns[rows, ], y[rows, ], w, list(rho = 0.1, scale = "zscore"), c(2, 6), 1L, factored)$models
  }
  kept <- which(w > 0)
  expect_equal(by(kept, as.double(w[kept]), 1L), by(rep(seq_len(n), w), NULL, 300L), tolerance = 1e-8)
  # Real weights: they and the penalty may be multiplied by a number.
  r <- stats::runif(n)
  real <- function(factor) predict(fit(lrn_brlr(factor), mltask(x, y, weights = factor * r)), x)$score
  expect_equal(real(1), real(64), tolerance = 1e-10)
  # Weights of 1 are none.
  expect_equal(predict(fit(lrn_brlr(), mltask(x, y, weights = rep(1, n))), x)$score,
    predict(fit(lrn_brlr(), mltask(x, y)), x)$score, tolerance = 1e-12)
  # Each label on the rows in which it is known, with their weights.
  y[1:30, 1] <- NA
  hidden <- predict(fit(lrn_brlr(), mltask(x, y, weights = w)), x)$score
  alone <- mltask(x[31:n, ], y[31:n, 1], weights = w[31:n])
  expect_identical(hidden[, 1], predict(fit(lrn_brlr(), alone), x)$score[, 1])
})

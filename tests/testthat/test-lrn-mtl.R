test_that("predictions are those of the coefficients of sel_mtl()", {
  withr::local_seed(1)
  for (kind in c("label", "numeric")) for (standardize in c(TRUE, FALSE)) {
    task <- simulate_mltask(60, n_features = 8, n_targets = 3, kind = kind)
    train <- task[1:40, ]
    x <- as.matrix(task$x)[41:60, ]
    for (loss in c("squared", if (kind == "label") "logistic")) {
      # A constant feature never enters, so the path of the selector has all penalties.
      with_constant <- mltask(cbind(as.matrix(train$x), none = 1), as.matrix(train$targets$values), kind = kind)
      sel <- sift_features(with_constant, sel_mtl(loss, n_lambda = 15, lambda_ratio = 0.05, standardize = standardize))
      w <- coef(sel)
      z <- cbind(1, x) %*% w[-10, ]
      expected <- if (loss == "logistic") 1 / (1 + exp(-z)) else z
      learner <- lrn_mtl(loss, n_lambda = 15, lambda_ratio = 0.05, standardize = standardize)
      found <- predict(fit(learner, train), task[41:60, ])
      expect_equal(unname(if (kind == "label") found$score else found$response), unname(expected), tolerance = 1e-10)
      if (kind == "label") expect_identical(unname(found$response), unname((expected >= 0.5) + 0L))
    }
  }
})

test_that("lambda is the penalty of the model", {
  withr::local_seed(2)
  task <- simulate_mltask(60, n_features = 6, n_targets = 2, kind = "numeric")
  sel <- sift_features(task, sel_mtl(n_lambda = 30, tol = 1e-10))
  path <- selection_path(sel)
  at <- nrow(path) - 1L
  found <- predict(fit(lrn_mtl(lambda = path$lambda[at], tol = 1e-10), task), task)$response
  expect_equal(unname(found), unname(cbind(1, as.matrix(task$x)) %*% coef(sel, at)), tolerance = 1e-4)
  # From the largest penalty on, means.
  found <- predict(fit(lrn_mtl(lambda = 2 * path$lambda[1]), task), task)$response
  expect_equal(unname(found[1, ]), unname(colMeans(as.matrix(task$targets$values))), tolerance = 1e-12)
  expect_identical(found[1, ], found[60, ])
})

test_that("scores of classes are shares, and labels that do not vary are predicted as such", {
  withr::local_seed(3)
  task <- simulate_mltask(60, n_features = 6, n_targets = 2, kind = "class")
  for (loss in c("squared", "logistic")) {
    found <- predict(fit(lrn_mtl(loss, lambda_ratio = 0.1), task), task)
    for (one in found$score) {
      expect_equal(rowSums(one), rep(1, 60), tolerance = 1e-12)
      expect_true(all(one >= 0))
    }
    expect_gt(mean(found$response == sapply(task$targets$values, as.character)), 0.45)
  }
  x <- matrix(rnorm(120), 30)
  y <- cbind(a = (x[, 1] > 0) + 0L, never = 0L, always = 1L)
  for (loss in c("squared", "logistic")) {
    found <- predict(fit(lrn_mtl(loss, lambda_ratio = 0.1), mltask(x, y)), mltask(x, y))
    expect_identical(unname(found$response[, -1]), unname(y[, -1]))
    expect_equal(unname(found$score[, -1]), unname(y[, -1]) + 0, tolerance = 1e-12)
    constant <- predict(fit(lrn_mtl(loss), mltask(x, y[, -1])), mltask(x, y[, -1]))
    expect_identical(unname(constant$response), unname(y[, -1]))
  }
})

test_that("factors, sparse features and threads are treated as everywhere", {
  withr::local_seed(4)
  x <- data.frame(a = rnorm(50), color = factor(sample(c("red", "green", "blue"), 50, TRUE)))
  y <- cbind(u = (x$color == "red") + rnorm(50, sd = 0.2), v = x$a + rnorm(50, sd = 0.01))
  task <- mltask(x, y, kind = "numeric")
  found <- predict(fit(lrn_mtl(lambda_ratio = 1e-3), task), task)$response
  expect_equal(unname(found), unname(fitted(lm(y ~ a + color, x))), tolerance = 0.02)
  made <- matrix(rnorm(400) * rbinom(400, 1, 0.1), 40, dimnames = list(NULL, paste0("f", 1:10)))
  labels <- random_labels(40, 3)
  answers <- lapply(list(made, sparse(made), as.data.frame(made)), function(x) {
    task <- mltask(x, labels, kind = "label")
    predict(fit(lrn_mtl("logistic", lambda_ratio = 0.1), task, threads = 1), task)$score
  })
  expect_identical(answers[[2]], answers[[1]])
  expect_identical(answers[[3]], answers[[1]])
  task <- mltask(made, labels)
  expect_identical(predict(fit(lrn_mtl(), task, threads = 2), task), predict(fit(lrn_mtl(), task, threads = 1), task))
})

test_that("wrong arguments and targets are refused", {
  task <- withr::with_seed(1, simulate_mltask(30, 4, 2, kind = "numeric"))
  expect_snapshot(error = TRUE, {
    lrn_mtl(lambda = 0)
    fit(lrn_mtl("logistic"), task)
    benchmark_selectors(task, list(sel_mtl("logistic")), list(lrn_linear()), rs_cv(2), "armse", k = 2)
    benchmark_selectors(task, list(sel_mtl()), list(lrn_mtl("logistic")), rs_cv(2), "armse", k = 2)
  })
})

test_that("kNN regression gives the mean of the neighbors", {
  withr::local_seed(1)
  for (n in c(2, 9, 40)) for (q in c(1, 3)) {
    x <- random_codes(n, 4) * rep(c(1, 1, 10, 0.1), each = n)
    y <- matrix(rnorm(n * q), n)
    query <- x[sample.int(n, 12, replace = TRUE), , drop = FALSE]
    query[1, ] <- query[1, ] + 0.5
    for (k in unique(pmin(c(1, 3, n), n))) for (scale in c("zscore", "none")) {
      got <- predict(fit(lrn_knn_regression(k, scale), mltask(x, y, kind = "numeric")), query)
      expect_null(got$score)
      expect_identical(dimnames(got$response), list(NULL, paste0("l", seq_len(q))))
      expect_equal(unname(got$response), oracle_knn_regression(x, y, query, k, scale), tolerance = 1e-12)
    }
  }
})

test_that("factors count as a difference", {
  withr::local_seed(2)
  n <- 25
  codes <- cbind(a = sample(3, n, TRUE), b = sample(0:1, n, TRUE), c = rnorm(n))
  frame <- data.frame(a = factor(codes[, 1]), b = factor(codes[, 2]), c = codes[, 3])
  y <- cbind(u = rnorm(n), v = rnorm(n))
  got <- predict(fit(lrn_knn_regression(4, "none"), mltask(frame, y)), frame)
  expect_equal(
    unname(got$response), oracle_knn_regression(codes, y, codes, 4, "none", c(TRUE, FALSE, FALSE)), tolerance = 1e-12
  )
  got <- predict(fit(lrn_knn_regression(4), mltask(frame, y)), frame)
  expect_equal(
    unname(got$response), oracle_knn_regression(codes, y, codes, 4, nominal = c(TRUE, FALSE, FALSE)), tolerance = 1e-12
  )
})

test_that("at equal distance the earlier row is nearer", {
  task <- mltask(cbind(f1 = c(1, 1, 3, 3)), c(10, 20, 40, 80))
  expect_identical(unname(predict(fit(lrn_knn_regression(3), task), cbind(f1 = 2))$response[1, ]), (10 + 20 + 40) / 3)
})

test_that("more neighbors than rows are all of them", {
  task <- mltask(cbind(f1 = c(1, 2, 4, 8)), c(0.5, 1.5, 2, 2))
  expect_no_warning(all <- predict(fit(lrn_knn_regression(4), task), task))
  expect_identical(unname(all$response[, 1]), rep(1.5, 4))
  expect_snapshot(more <- fit(lrn_knn_regression(5), task))
  expect_identical(predict(more, task), all)
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(3)
  n <- 70
  x <- matrix(rnorm(n * 12) * rbinom(n * 12, 1, 0.3), n, dimnames = list(NULL, paste0("f", 1:12)))
  y <- matrix(rnorm(n * 3), n)
  order <- sample.int(12)
  k <- c(1, 2, 3, 5, 9, 12)
  layouts <- list(x, sparse(x), as.data.frame(x))
  results <- lapply(layouts, function(x) {
    task <- mltask(x, y)
    train <- task[1:50, ]
    test <- task[51:n, ]
    learner <- lrn_knn_regression(7)
    curve <- one_pass(learner, train, test, order, k, threads = 1)
    alone <- lapply(k, function(m) predict(fit(learner, train[, order[seq_len(m)]]), test[, order[seq_len(m)]]))
    expect_identical(curve, alone)
    expect_identical(one_pass(learner, train, test, order, k, threads = 3), curve)
    lapply(curve, function(p) unname(p$response))
  })
  expect_identical(results[[1]], results[[2]])
  expect_identical(results[[1]], results[[3]])
})

test_that("predictions without scores print, and become data frames", {
  task <- mltask(cbind(f1 = c(1, 2, 4, 8)), cbind(a = c(0.123456789, 1.5, 2, 2), b = c(1000, 10, 10, 3)))
  prediction <- predict(fit(lrn_knn_regression(1), task), task)
  expect_snapshot({
    lrn_knn_regression()
    prediction
  })
  frame <- as.data.frame(prediction)
  expect_named(frame, c("row", "target", "response"))
  expect_identical(frame$response, as.vector(t(targets(task))))
  expect_identical(dim(head(prediction, 2)), c(2L, 2L))
})

test_that("what kNN regression cannot take is refused", {
  task <- numeric_task(1)
  holes <- task
  holes$x[2, 3] <- NA
  expect_snapshot(error = TRUE, {
    fit(lrn_knn_regression(), simulate_mltask(20))
    fit(lrn_mlknn(), task)
    fit(lrn_knn_regression(), holes)
    predict(fit(lrn_knn_regression(), task), holes)
    lrn_knn_regression(0)
    lrn_knn_regression(scale = "range")
  })
  expect_identical(list_learners()$kinds[list_learners()$name == "kNN regression"], "numeric")
})

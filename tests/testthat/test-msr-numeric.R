measures <- c("arrmse", "armse", "mean_correlation", "amae", "mean_r2")
value_of <- function(measure, d) {
  switch(measure, arrmse = msr_arrmse(d$truth, d$response, d$mean), armse = msr_armse(d$truth, d$response),
    mean_correlation = msr_mean_correlation(d$truth, d$response), amae = msr_amae(d$truth, d$response),
    mean_r2 = msr_mean_r2(d$truth, d$response))
}
oracle_of <- function(measure, d) mean_known(oracle_numeric(measure, d$truth, d$response, d$mean))

test_that("every measure equals its definition", {
  withr::local_seed(1)
  for (size in list(c(20, 3), c(2, 1), c(50, 7))) {
    d <- random_numeric(size[1], size[2])
    for (m in measures) expect_equal(value_of(m, d), oracle_of(m, d), tolerance = 1e-12)
    if (size[1] == 20) d$truth[cbind(c(1, 1, 5), c(1, 2, 2))] <- NA
    for (m in measures) expect_equal(value_of(m, d), oracle_of(m, d), tolerance = 1e-12)
    perfect <- list(truth = d$truth, response = ifelse(is.na(d$truth), 0, d$truth), mean = d$mean)
    best <- c(arrmse = 0, armse = 0, mean_correlation = 1, amae = 0, mean_r2 = 1)
    expect_equal(vapply(measures, value_of, 0, perfect), best)
  }
})

test_that("by hand", {
  truth <- cbind(a = c(1, 2, 3), b = c(10, 30, 20))
  response <- cbind(a = c(1, 2, 2), b = c(20, 20, 20))
  expect_equal(msr_armse(truth, response), (sqrt(1 / 3) + sqrt(200 / 3)) / 2)
  expect_equal(msr_arrmse(truth, response, c(2, 18)), (sqrt(1 / 2) + sqrt(200 / 212)) / 2)
  expect_equal(msr_mean_correlation(truth, response), (sqrt(3) / 2 + 0) / 2)  # a constant prediction: 0
  expect_equal(msr_amae(truth, response), (1 / 3 + 20 / 3) / 2)
  expect_equal(msr_mean_r2(truth, response), (1 - 1 / 2 + 0) / 2)
})

test_that("values are those of scikit-learn 1.2.1", {
  # mean_absolute_error(), r2_score() and the root of mean_squared_error() of the same numbers.
  i <- 1:60
  truth <- cbind((i * 7) %% 13 / 3 + i / 20, (i * 3) %% 8 + 0.5)
  response <- cbind(truth[, 1] + ((i * 5) %% 9 - 4) / 7, (i * 3) %% 7 + 0.25)
  one <- function(x) x[, 1, drop = FALSE]
  expect_equal(msr_amae(one(truth), one(response)), 0.3142857142857143, tolerance = 1e-12)
  expect_equal(msr_mean_r2(one(truth), one(response)), 0.9407810600012196, tolerance = 1e-12)
  expect_equal(msr_armse(one(truth), one(response)), 0.36328059281448855, tolerance = 1e-12)
  expect_equal(msr_amae(truth, response), 1.369642857142857, tolerance = 1e-12)
  expect_equal(msr_mean_r2(truth, response), 0.07340355931657072, tolerance = 1e-12)
})

test_that("a prediction of the training mean has aRRMSE 1", {
  d <- withr::with_seed(2, random_numeric())
  d$response[] <- rep(d$mean, each = nrow(d$truth))
  expect_equal(value_of("arrmse", d), 1)
  expect_identical(value_of("mean_correlation", d), 0)
})

test_that("targets without a value are left out, with a warning", {
  d <- withr::with_seed(3, random_numeric())
  d$mean[2] <- 0.1
  d$truth[, 2] <- 0.1
  d$truth[, 3] <- NA
  for (m in measures) suppressWarnings(expect_equal(value_of(m, d), oracle_of(m, d), tolerance = 1e-12))
  expect_snapshot(for (m in measures) value_of(m, d))
  expect_snapshot(expect_identical(msr_armse(matrix(NA_real_, 2, 1), matrix(1, 2, 1)), NA_real_))
  expect_no_warning(evaluate(
    structure(list(response = d$response[, 1:2]), class = "mlprediction"), d$truth[, 1:2], "armse"
  ))
  constant <- matrix(0.1, 7, 1)
  expect_warning(
    expect_identical(msr_arrmse(constant, constant, constant[1:6, , drop = FALSE]), NA_real_), class = "mlsift_warning"
  )
})

test_that("training means come as numbers, by name, as rows or as a task", {
  train <- numeric_task(4, q = 3)
  test <- numeric_task(5, q = 3)
  response <- withr::with_seed(6, targets(test) + rnorm(length(targets(test))))
  means <- colMeans(targets(train))
  expected <- msr_arrmse(targets(test), unname(response), unname(means))
  for (given in list(means, rev(means), targets(train), as.data.frame(targets(train)), train)) {
    expect_equal(msr_arrmse(test, response, given), expected, tolerance = 1e-14)
  }
  expect_equal(msr_arrmse(as.data.frame(targets(test)), as.data.frame(response), means), expected)
  expect_equal(msr_arrmse(sparse(targets(test)), sparse(response), means), expected)
})

test_that("evaluate() knows what applies to numbers", {
  train <- numeric_task(7)
  test <- numeric_task(8)
  prediction <- predict(fit(lrn_knn_regression(3), train), test)
  d <- list(truth = targets(test), response = prediction$response, mean = colMeans(targets(train)))
  expect_snapshot(some <- evaluate(prediction, test))
  expect_identical(some$measure, measures[-1])
  all <- evaluate(prediction, test, train_mean = train)
  expect_equal(all, data.frame(measure = measures, value = vapply(measures, value_of, 0, d, USE.NAMES = FALSE)))
  for (truth in list(targets(test), as.data.frame(targets(test)))) {
    expect_identical(evaluate(prediction, truth, train_mean = train), all)
  }
  own <- msr_custom("own", function(truth, response) max(abs(truth - response)))
  expect_identical(
    evaluate(prediction, test, list("armse", own))$value, c(all$value[2], max(abs(d$truth - d$response)))
  )
  zero_one <- structure(list(response = cbind(c(0, 1, 1))), class = "mlprediction")
  expect_identical(evaluate(zero_one, cbind(c(0, 1, 0)), "armse")$value, sqrt(1 / 3))
  expect_identical(evaluate(zero_one, cbind(c(0, 1, 0)), "hamming_loss")$value, 1 / 3)
  expect_identical(evaluate(zero_one, cbind(c(0, NA, 3)), "armse")$value, sqrt(4 / 2))
})

test_that("users' own measures get classes as text", {
  truth <- data.frame(a = factor(c("x", "y", "x")), b = factor(c("u", "u", "v")))
  prediction <- structure(list(response = cbind(a = c("x", "x", "x"), b = c("u", "v", "v"))), class = "mlprediction")
  wrong <- msr_custom("wrong", function(truth, response) mean(truth != response))
  expect_identical(evaluate(prediction, truth, wrong)$value, 2 / 6)
  expect_identical(evaluate(prediction, mltask(matrix(rnorm(3)), truth), wrong)$value, 2 / 6)
})

test_that("what measures of numbers cannot take is refused", {
  d <- withr::with_seed(9, random_numeric())
  infinite <- holes <- d$response
  infinite[2, 1] <- Inf
  holes[3, 2] <- NA
  labels <- withr::with_seed(1, simulate_mltask(20))
  prediction <- structure(list(score = NULL, response = d$response), class = "mlprediction")
  expect_snapshot(error = TRUE, {
    msr_armse(d$truth, d$response[, -1])
    msr_armse(infinite, d$response)
    msr_armse(d$truth, holes)
    msr_armse(d$truth, "a")
    msr_armse(labels, d$response)
    msr_hamming_loss(numeric_task(1), targets(labels))
    msr_arrmse(d$truth, d$response)
    msr_arrmse(d$truth, d$response, 1:2)
    msr_arrmse(d$truth, d$response, c(1, NA, 2))
    msr_arrmse(d$truth, d$response, c(t1 = 1, t2 = 2, t4 = 3))
    msr_arrmse(d$truth, d$response, labels)
    msr_arrmse(d$truth, d$response, function(y) 1)
    evaluate(prediction, d$truth, "arrmse")
    evaluate(prediction, d$truth, "micro_f1")
    evaluate(prediction, mean)
  })
})

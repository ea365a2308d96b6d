task_of <- function(y) mltask(cbind(f1 = 1:4 + 0.5, f2 = c(1, 0, 2, 5) / 3), y)
labels <- cbind(l1 = c(1, 0, 1, 0), l2 = c(0, 0, 1, 1))
whole <- labels
storage.mode(whole) <- "integer"

returning <- function(answer) {
  learner <- lrn_custom(
    "Mine", function(x, y) y, function(model, x) if (is.function(answer)) answer(model, x) else answer
  )
  task <- task_of(labels)
  predict(fit(learner, task), task)
}

test_that("users' functions get features and targets, and what they return is the prediction", {
  seen <- NULL
  learner <- lrn_custom("Mine", function(x, y) list(x = x, y = y), function(model, x) {
    seen <<- list(model = model, x = x)
    unname(model$y) * 0.7
  })
  task <- task_of(labels)
  got <- predict(fit(learner, task), task)
  expect_identical(seen$model$x, features(task))
  expect_identical(seen$x, features(task))
  expect_type(seen$model$y, "integer")
  expect_identical(got$score, labels * 0.7)
  expect_identical(got$response, whole)
  predict(fit(learner, mltask(features(task), sparse(labels))), features(task)[, 2:1])
  expect_type(seen$model$y, "integer")
  expect_identical(seen$x, features(task))
})

test_that("columns with names are matched by name, data frames and responses are taken", {
  expect_identical(returning(labels[, 2:1])$score, labels)
  expect_identical(returning(as.data.frame(labels))$score, labels)
  both <- returning(list(score = labels / 4, response = labels == 1))
  expect_identical(both$response, whole)
  expect_identical(both$score, labels / 4)
  expect_null(returning(list(response = labels))$score)
  one <- task_of(labels[, 1, drop = FALSE])
  learner <- lrn_custom("Mine", function(x, y) y, function(model, x) c(0.1, 0.6, 0.2, 0.7))
  expect_identical(predict(fit(learner, one), one, threshold = 0.6)$response[, "l1"], c(0L, 1L, 0L, 1L))
})

test_that("classes and numbers are responses without scores", {
  echo <- lrn_custom("Echo", function(x, y) y, function(model, x) model)
  numbers <- task_of(cbind(a = c(1.5, 2, 3, 4)))
  got <- predict(fit(echo, numbers), numbers)
  expect_null(got$score)
  expect_identical(got$response[, "a"], c(1.5, 2, 3, 4))
  classes <- task_of(data.frame(a = factor(c("u", "v", "w", "u"))))
  expect_identical(predict(fit(echo, classes), classes)$response[, "a"], c("u", "v", "w", "u"))
  expect_named(as.data.frame(got), c("row", "target", "response"))
})

test_that("wrong answers are refused", {
  expect_snapshot(error = TRUE, {
    returning(labels[1:3, ])
    returning(labels[, 1])
    returning(NULL)
    returning(list(prob = labels))
    returning(replace(labels, 3, NA))
    returning(list(response = labels * 2))
    returning(matrix("a", 4, 2))
    returning(`colnames<-`(labels, c("l1", "x")))
    lrn_custom("Mine", 1, mean)
    lrn_custom(NULL, mean, mean)
  })
  # Level numbers would pass for categories.
  classes <- task_of(data.frame(a = factor(c("u", "v", "w", "u"))))
  coded <- lrn_custom("Codes", function(x, y) y, function(model, x) as.integer(model$a))
  expect_error(predict(fit(coded, classes), classes), "\"a\" has no category \"1\"", class = "mlsift_error")
})

test_that("functions with an argument for them get the weights of rows, others refuse", {
  set.seed(6)
  n <- 60
  x <- data.frame(a = rnorm(n), b = rnorm(n))
  y <- cbind(l1 = rbinom(n, 1, 0.4), l2 = rbinom(n, 1, 0.6))
  w <- sample(0:3, n, TRUE)
  weighted <- mltask(x, y, weights = w)
  repeated <- mltask(x, y)[rep(seq_len(n), w), ]
  glm_of <- function(x, y, weights) {
    data <- data.frame(x, y = y)
    data$w <- weights %||% rep(1, nrow(x))
    suppressWarnings(stats::glm(y ~ ., stats::binomial, data[names(data) != "w"], weights = data$w))
  }
  shares <- lrn_custom("Frequency",
    fit = function(x, y, weights) if (is.null(weights)) colMeans(y) else colSums(y * weights) / sum(weights),
    predict = function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE))
  logistic <- lrn_binary("GLM", glm_of, function(model, x) stats::predict(model, data.frame(x), type = "response"))
  for (learner in list(shares, logistic, lrn_chain(lrn_brlr(1), 1:2), lrn_chain(logistic, 2:1),
    lrn_powerset(lrn_nb()), lrn_powerset(lrn_brlr(1)))) {
    found <- predict(fit(learner, weighted), x)
    expected <- predict(fit(learner, repeated), x)
    expect_equal(found$score, expected$score, tolerance = 1e-7)
    expect_identical(found$response, expected$response)
  }
  classes <- lrn_binary("GLM", glm_of, function(model, x) stats::predict(model, data.frame(x), type = "response"))
  kind <- data.frame(s = factor(letters[1 + rowSums(y)]))
  expect_equal(predict(fit(classes, mltask(x, kind, weights = w)), x)$score,
    predict(fit(classes, mltask(x, kind)[rep(seq_len(n), w), ]), x)$score, tolerance = 1e-7)
  without <- lrn_custom("Plain", function(x, y) colMeans(y), shares$params$predict)
  for (learner in list(without, lrn_binary("Plain", function(x, y) mean(y), function(model, x) rep(model, nrow(x))),
    lrn_chain(lrn_brknn()), lrn_powerset(without), lrn_powerset(lrn_nb(), 2))) {
    expect_error(fit(learner, weighted), "cannot use the weights", class = "mlsift_error")
  }
  expect_snapshot(fit(without, weighted), error = TRUE)
})

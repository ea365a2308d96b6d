test_that("it has the benchmark's values for the same rows, and those of fit(), predict() and evaluate()", {
  withr::local_seed(1)
  task <- simulate_mltask(60, n_features = 8, n_targets = 3)
  order <- c(7, 2, 5)
  given <- sel_custom("given", function(task, k) order, returns = "order")
  own <- msr_custom("share", function(truth, response) mean(response), range = c(0, 1))
  measures <- list("hamming_loss", "ranking_loss", own = own)
  learners <- list(lrn_mlknn(4), lrn_brknn(3), lrn_lp(), lrn_cc_knn(chain_order = 3:1), counting_learner(new.env()))
  rows <- rs_fixed(1:40, 41:60)
  bench <- benchmark_selectors(task, given, learners, rows, k = 2:3, measures = measures, progress = FALSE)
  for (learner in learners) {
    got <- assess_features(task, order, learner, measures, rows)
    expect_identical(class(got), "data.frame")
    expect_named(got, c("split", "measure", "value", "seconds"))
    expect_identical(got$split, rep("fixed", 3))
    expect_identical(got$measure, c("hamming_loss", "ranking_loss", "own"))
    expect_identical(got$value, bench$value[bench$learner == learner$name & bench$k == 3])
    prediction <- predict(fit(learner, task[1:40, order]), task[41:60, order])
    expect_identical(got$value, evaluate(prediction, task[41:60, ], measures)$value)
    expect_true(all(got$seconds >= 0))
    expect_length(unique(got$seconds), 1)
  }
})

test_that("numeric targets and imputed features are as in a benchmark", {
  withr::local_seed(2)
  task <- simulate_mltask(60, n_features = 5, n_targets = 2, kind = "numeric")
  x <- features(task)
  x[c(3, 50), 2] <- NA
  task <- mltask(x, targets(task))
  rows <- rs_fixed(1:40, 41:60)
  given <- sel_custom("given", function(task, k) c(2, 4), returns = "order")
  bench <- benchmark_selectors(
    task, given, lrn_knn_regression(4), rows, k = 2, measures = c("arrmse", "armse"), impute = impute_mean(),
    progress = FALSE
  )
  expect_identical(
    assess_features(task, c(2, 4), lrn_knn_regression(4), c("arrmse", "armse"), rows, impute = impute_mean())$value,
    bench$value
  )
})

test_that("features may be names, positions, a logical vector or a selection", {
  task <- numbered_task(1)
  at <- function(features) assess_features(task, features, lrn_brknn(), "ranking_loss", rs_fixed(1:16, 17:24))$value
  expected <- at(c(1, 4))
  expect_identical(at(c("f1", "f4")), expected)
  expect_identical(at(c(TRUE, FALSE, FALSE, TRUE, FALSE)), expected)
  expect_identical(at(-c(2, 3, 5)), expected)
  selection <- sift_features(task, sel_custom("given", function(task, k) c(1, 4), returns = "order"))
  expect_identical(at(selection), expected)
  expect_identical(at(head(selection, 1)), at(1))
  expect_identical(at(sift_features(task, sel_none())), at(1:5))
  expect_false(identical(at(5), at(1)))
})

test_that("imputer and discretizer learn from the training rows, and the learner sees codes", {
  task <- numbered_task(1)
  task$x[c(2, 20), 3] <- NA
  seen <- NULL
  learner <- lrn_custom("eye", function(x, y) {
    seen <<- list(train = x)
    colMeans(y)
  }, function(model, x) {
    seen$test <<- x
    matrix(model, nrow(x), length(model), byrow = TRUE)
  })
  assess_features(task, c(5, 3), learner, "hamming_loss", rs_fixed(1:16, 17:24), disc_equal_width(3), impute_mean())
  filled <- predict(fit(impute_mean(), task[1:16, ]), task)[, c(5, 3)]
  codes <- predict(fit(disc_equal_width(3), filled[1:16, ]), filled)
  expect_identical(seen$train, features(codes[1:16, ]))
  expect_identical(seen$test, features(codes[17:24, ]))
  assess_features(task, c(5, 3), learner, "hamming_loss", rs_fixed(1:16, 17:24))
  expect_identical(seen$train, features(task[1:16, c(5, 3)]))
})

test_that("one split is one fit, and the seed decides", {
  task <- numbered_task(1)
  counter <- new.env()
  learner <- counting_learner(counter, random = TRUE)
  at <- function(seed, features = 1:2, ...) withr::with_seed(
    seed, assess_features(task, features, learner, c("ranking_loss", "hamming_loss"), ...)
  )
  got <- at(1, resampling = rs_cv(4))
  expect_identical(counter$fit, 4L)
  expect_identical(got$split, rep(paste0("fold", 1:4), each = 2))
  counter$fit <- 0L
  once <- at(1)
  expect_identical(counter$fit, 1L)
  expect_identical(once$split, rep("repeat1", 2))
  expect_identical(at(1, resampling = rs_cv(4))[1:3], got[1:3])
  rows <- withr::with_seed(1, split_rows(task, rs_holdout(0.8, 1)))$repeat1
  sure <- lrn_brknn()
  expect_identical(
    withr::with_seed(1, assess_features(task, c(1, 3), sure, "ranking_loss"))$value,
    assess_features(task, c(1, 3), sure, "ranking_loss", rs_fixed(rows$train, rows$test), threads = 2)$value
  )
})

test_that("a measure that is not defined is missing", {
  task <- numbered_task(1)
  task$targets$values[13:24, ] <- 0L
  got <- assess_features(task, 1:2, lrn_brknn(), c("macro_auc", "hamming_loss"), rs_fixed(1:12, 13:24))
  expect_identical(is.na(got$value), c(TRUE, FALSE))
})

test_that("failures name the split, and bad arguments are refused", {
  task <- numbered_task(1)
  missing <- numbered_task(1)
  missing$x[20, 3] <- NA
  other <- sift_features(numbered_task(2, d = 7), sel_none())
  no_value <- msr_custom("no value", function(truth, response) stop("unmeasurable"))
  at <- function(features = 1:2, learner = lrn_brknn(), measures = "hamming_loss", ..., data = task) {
    assess_features(data, features, learner, measures, rs_fixed(1:16, 17:24), ...)
  }
  expect_snapshot(error = TRUE, {
    at(learner = lrn_custom("mine", function(x, y) stop("too hard"), function(model, x) 1))
    at(learner = lrn_custom("mine", function(x, y) 1, function(model, x) 1))
    at(measures = no_value)
    at(3, data = missing)
    at(3, data = missing, discretizer = disc_equal_width(3))
    at("f9")
    at(c(1, 1))
    at(integer())
    at(NULL)
    at(other)
    at(learner = "ML-kNN")
    at(learner = lrn_knn_regression())
    at(measures = "haming_loss")
    at(discretizer = 3)
    at(impute = "mean")
    at(threads = 0)
    assess_features(1, 1, lrn_brknn(), "hamming_loss")
    assess_features(task, 1, lrn_brknn(), "hamming_loss", 0.8)
    assess_features(task, 1, lrn_brknn(), "hamming_loss", rs_fixed(1:20, 21:30))
  })
  expect_error(
    at(learner = lrn_custom("mine", function(x, y) stop("too hard"), function(model, x) 1)), class = "mlsift_error"
  )
})

test_that("a time limit passes as it is, without the name of a split", {
  late <- lrn_custom("late", function(x, y) stop("reached elapsed time limit", call. = FALSE), function(model, x) 1)
  found <- tryCatch(
    assess_features(numbered_task(1), 1, late, "hamming_loss", rs_fixed(1:16, 17:24)), error = identity
  )
  expect_identical(conditionMessage(found), "reached elapsed time limit")
  expect_false(inherits(found, "mlsift_error"))
})

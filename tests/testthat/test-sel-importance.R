absolute <- function(model) abs(coef(summary(model))[-1, "t value"])
linear <- function(x, y) lm(y ~ ., data.frame(x))
t_values <- sel_importance(name = "t values", linear, absolute, by_target = TRUE)

# Importances that are given, by the name of a feature.
giving <- function(...) sel_importance(name = "Given", function(x, y) NULL, function(model) c(...))

test_that("a model of all targets gets what learners of one's own get, and its importances are the scores", {
  withr::local_seed(1)
  x <- matrix(rnorm(60), 20, dimnames = list(NULL, c("a", "b", "c")))
  y <- list(label = cbind(l1 = rep(0:1, 10), l2 = rep(0:1, each = 10)), numeric = cbind(t1 = x[, 1] + rnorm(20)),
    class = data.frame(k = factor(rep(c("u", "v"), 10)), m = factor(rep(letters[1:4], 5))))
  for (kind in names(y)) for (features in list(x, as.data.frame(x), sparse(x))) {
    task <- mltask(features, y[[kind]], kind = kind)
    learned <- seen <- NULL
    fit(lrn_custom("Mine", function(x, y) learned <<- list(x, y), function(model, x) 1), task)
    mine <- sel_importance(name = "Mine", function(x, y) seen <<- list(x, y), function(model) c(c = 2, a = 3))
    found <- sift_features(task, mine)
    expect_identical(seen, learned)
    expect_identical(found$feature, c("a", "c", "b"))
    expect_identical(found$score, c(3, 2, 0))
  }
})

test_that("a model for each target counts by its share, and targets that do not vary do not count", {
  withr::local_seed(2)
  x <- matrix(rnorm(200), 50, dimnames = list(NULL, c("a", "b", "c", "d")))
  y <- cbind(t1 = x[, 2] + rnorm(50), same = 4, t2 = 1000 * (x[, 4] - x[, 1]) + rnorm(50))
  task <- mltask(x, y, kind = "numeric")
  shares <- sapply(c("t1", "t2"), function(t) prop.table(absolute(linear(x, y[, t]))))
  found <- sift_features(task, t_values)
  expect_equal(found$score[order(found$index)], unname(rowMeans(shares)))
  # Importances below 0, as permutations give them.
  signed <- sel_importance(name = "Signed", linear, function(model) coef(model)[-1], by_target = TRUE)
  shares <- sapply(c("t1", "t2"), function(t) { b <- coef(linear(x, y[, t]))[-1]; b / sum(abs(b)) })
  found <- sift_features(task, signed)
  expect_equal(found$score[order(found$index)], unname(rowMeans(shares)))
  # Other units of a target.
  expect_equal(sift_features(mltask(x, y * c(10, 1, 0.1)[col(y)], kind = "numeric"), signed)$score, found$score)
  none <- sel_importance(name = "None", function(x, y) NULL, function(model) c(a = 0), by_target = TRUE)
  expect_identical(sift_features(task, none)$score, numeric(4))
})

test_that("labels are 0 and 1, and classes factors, in the rows in which they are known", {
  seen <- list()
  watch <- sel_importance(name = "Watch", function(x, y, weights) {
    seen[[length(seen) + 1L]] <<- list(x = x, y = y, weights = weights)
  }, function(model) 1:2, by_target = TRUE)
  x <- matrix(c(1, 2, 3, 4, 4, 3, 1, 2), 4, dimnames = list(NULL, c("a", "b")))
  task <- mltask(x, cbind(l1 = c(0, 1, NA, 1), l2 = c(1, 0, 0, 1)), weights = c(1, 3, 2, 5))
  found <- sift_features(task, watch)
  expect_identical(found$feature, c("b", "a"))
  expect_equal(found$score, c(2, 1) / 3)
  expect_equal(seen[[1]], list(x = x[-3, ], y = c(0L, 1L, 1L), weights = c(1, 3, 5)))
  expect_equal(seen[[2]], list(x = x, y = c(1L, 0L, 0L, 1L), weights = c(1, 3, 2, 5)))
  expect_type(seen[[1]]$y, "integer")
  seen <- list()
  k <- factor(c("u", "v", "w", "u"))
  sift_features(mltask(as.data.frame(x), data.frame(k = k)), watch)
  expect_identical(seen, list(list(x = as.data.frame(x), y = k, weights = NULL)))
})

test_that("weights and unknown labels are refused without a use for them", {
  x <- matrix(1:8 + 0, 4, dimnames = list(NULL, c("a", "b")))
  expect_error(sift_features(mltask(x, cbind(l1 = c(0, 1, 0, 1)), weights = 1:4), giving(a = 1)), "weights",
    class = "mlsift_error")
  expect_error(sift_features(mltask(x, cbind(l1 = c(0, 1, NA, 1))), giving(a = 1)), "unknown",
    class = "mlsift_error")
})

test_that("it is a selector like others", {
  withr::local_seed(3)
  task <- simulate_mltask(60, n_features = 5, n_targets = 2)
  given <- giving(f1 = 1, f2 = 5, f3 = 3, f5 = 4)
  expect_identical(sift_features(task, given, k = 3)$feature, c("f2", "f5", "f3"))
  expect_identical(sift_features(task, given, k = 3, include = "f4", exclude = "f2")$feature, c("f4", "f5", "f3"))
  expect_identical(sift_features(task, giving(3, 1, 2, 5, 4), k = 2)$feature, c("f4", "f5"))
  expect_true(all(c("sel_importance()", "sel_importance(by_target = TRUE)") %in% list_selectors()$constructor))
  bench <- benchmark_selectors(task, list(t_values), lrn_brknn(), rs_holdout(0.5, 2), k = 2, measures = "hamming_loss",
    progress = FALSE)
  expect_identical(nrow(failures(bench)), 0L)
  expect_identical(dim(label_scores(task, giving(f1 = 1))), c(5L, 2L))
})

test_that("failures and wrong importances are refused", {
  x <- matrix(c(1, 2, 3, 4, 4, 3, 1, 2), 4, dimnames = list(NULL, c("a", "b")))
  task <- mltask(x, cbind(l1 = c(0, 1, 0, 1)))
  expect_snapshot(error = TRUE, {
    sift_features(task, giving(a = 1, x = 2))
    sift_features(task, giving(1, 2, 3))
    sift_features(task, giving(NULL))
    sift_features(task, giving("a"))
    sift_features(task, giving(b = NaN))
    sift_features(task, giving(-Inf, 1))
    sift_features(task, giving(a = 1, a = 2))
    sift_features(task, sel_importance(name = "Matrix", function(x, y) x, function(model) model))
    sift_features(task, sel_importance(name = "Broken", function(x, y) stop("no memory"), identity))
    sift_features(task, sel_importance(function(x, y) 1, function(model) stop("a tree"), "Broken", by_target = TRUE))
    sel_importance(name = "x", 3, identity)
    sel_importance(name = "x", list, NULL)
    sel_importance(name = "x", list, identity, by_target = NA)
    sel_importance(name = 2, identity, identity)
  })
})

test_that("forests of ranger give importances", {
  skip_if_not_installed("ranger")
  withr::local_seed(4)
  task <- simulate_mltask(200, n_features = 6, n_targets = 2)
  forest <- sel_importance(name = "Forest", function(x, y) {
    ranger::ranger(x = x, y = factor(y), num.trees = 50, importance = "impurity", num.threads = 1)
  }, function(model) model$variable.importance, by_target = TRUE)
  set.seed(5)
  found <- sift_features(task, forest)
  set.seed(5)
  expect_identical(sift_features(task, forest)$score, found$score)
  expect_equal(sum(found$score), 1)
})

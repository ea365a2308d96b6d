glm_learner <- function() {
  lrn_binary("GLM",
    function(x, y) suppressWarnings(glm(y ~ ., binomial, data.frame(x, y = y))),
    function(model, x) predict(model, data.frame(x), type = "response")
  )
}

# What fit and predict are given goes through `spy`.
spying <- function(answer = function(model, x) rep(0.5, nrow(x))) {
  seen <- list(y = list(), x = list())
  learner <- lrn_binary("Spy", function(x, y) {
    seen$y <<- c(seen$y, list(y))
    seen$x <<- c(seen$x, list(x))
    length(seen$y)
  }, answer)
  list(learner = learner, seen = function() seen)
}

test_that("each label has the model of its own", {
  withr::local_seed(1)
  x <- matrix(rnorm(180), 60, dimnames = list(NULL, paste0("f", 1:3)))
  y <- cbind(a = rbinom(60, 1, plogis(x[, 1])), b = rbinom(60, 1, plogis(-x[, 2])), never = 0, always = 1)
  task <- mltask(x, y, kind = "label")
  got <- predict(fit(glm_learner(), task[1:40, ]), task[41:60, ])
  for (l in c("a", "b")) {
    model <- glm(y[1:40, l] ~ x[1:40, ], family = binomial)
    expect_equal(got$score[, l], plogis(drop(cbind(1, x[41:60, ]) %*% coef(model))), tolerance = 1e-10)
  }
  expect_identical(got$score[, "never"], double(20))
  expect_identical(got$score[, "always"], rep(1, 20))
  expect_identical(got$response, (got$score >= 0.5) + 0L)
  high <- predict(fit(glm_learner(), task[1:40, ]), task[41:60, ], threshold = 0.9)
  expect_identical(high$response, (got$score >= 0.9) + 0L)
})

test_that("users' functions get features as they are and integer labels", {
  withr::local_seed(2)
  y <- random_labels(12, 3, 0.5)
  y[1:2, ] <- 0:1
  for (x in list(random_codes(12, 4), sparse(random_codes(12, 4)), as_factors(random_codes(12, 4)))) {
    for (labels in list(y, sparse(y))) {
      task <- mltask(x, labels, kind = "label")
      spy <- spying()
      predict(fit(spy$learner, task), task)
      expect_identical(spy$seen()$y, unname(lapply(1:3, function(l) as.integer(y[, l]))))
      expect_identical(spy$seen()$x[[3]], features(task))
    }
  }
})

test_that("one-column matrices and integers are taken as scores", {
  withr::local_seed(3)
  task <- mltask(random_codes(6, 2), cbind(a = c(0, 1, 0, 1, 1, 0)))
  for (answer in list(function(m, x) cbind(s = 1:6), function(m, x) data.frame(s = 1:6), function(m, x) 1:6)) {
    expect_identical(predict(fit(spying(answer)$learner, task), task)$score, cbind(a = as.double(1:6)))
  }
})

test_that("classes are predicted one against the rest", {
  learner <- glm_learner()
  task <- mltask(iris[1:2], data.frame(s = iris$Species))
  rows <- seq(1, 150, 2)
  got <- predict(fit(learner, task[rows, ]), task[-rows, ])$score$s
  p <- sapply(levels(iris$Species), function(s) {
    model <- suppressWarnings(glm(iris$Species[rows] == s ~ ., binomial, iris[rows, 1:2]))
    predict(model, iris[-rows, ], type = "response")
  })
  expect_equal(got, unname(p / rowSums(p)), tolerance = 1e-8, ignore_attr = TRUE)
  expect_identical(colnames(got), levels(iris$Species))
})

test_that("learners of other packages take one line", {
  skip_if_not_installed("LiblineaR")
  skip_if_not_installed("e1071")
  withr::local_seed(4)
  task <- simulate_mltask(80, n_features = 6, n_targets = 3)
  svm <- lrn_binary("SVM",
    function(x, y) getExportedValue("LiblineaR", "LiblineaR")(as.matrix(x), y, type = 0),
    function(model, x) predict(model, as.matrix(x), proba = TRUE)$probabilities[, "1"]
  )
  bayes <- lrn_binary("e1071",
    function(x, y) getExportedValue("e1071", "naiveBayes")(x, factor(y, 0:1)),
    function(model, x) predict(model, x, type = "raw")[, "1"]
  )
  bench <- benchmark_selectors(list(made = task), sel_mim(), list(svm, bayes, lrn_nb()), rs_cv(3), 3, "macro_auc")
  expect_identical(nrow(failures(bench)), 0L)
  values <- tapply(bench$value, bench$learner, mean)
  expect_true(all(values > 0.55))
})

test_that("what goes wrong names the label", {
  withr::local_seed(5)
  task <- mltask(random_codes(6, 2), cbind(a = c(0, 1, 0, 1, 1, 0), b = c(1, 1, 0, 0, 0, 0)))
  returning <- function(answer) {
    predict(fit(spying(function(model, x) if (model == 2) answer else 1:6)$learner, task), task)
  }
  fails <- lrn_binary("Fails", function(x, y) if (sum(y) == 2) stop("no such luck") else 1, function(model, x) 1:6)
  below <- lrn_binary("Below", function(x, y) 1, function(model, x) rep(-1, 6))
  expect_snapshot(error = TRUE, {
    returning(1:5)
    returning("a")
    returning(c(1:5, NA))
    returning(matrix(1, 6, 2))
    fit(fails, task)
    predict(fit(spying(function(model, x) stop("not today"))$learner, task), task)
    fit(fails, numeric_task(1))
    predict(fit(below, mltask(features(task), factor(c(1, 2, 3, 1, 2, 3)))), task)
    lrn_binary("Mine", 1, mean)
    lrn_binary(3, mean, mean)
  })
})

test_that("a time limit passes as it is, without the name of a label", {
  task <- mltask(random_codes(6, 2), cbind(a = c(0, 1, 0, 1, 1, 0)))
  late <- lrn_binary("Late", function(x, y) stop("reached CPU time limit", call. = FALSE), function(model, x) 1)
  found <- tryCatch(fit(late, task), error = identity)
  expect_identical(conditionMessage(found), "reached CPU time limit")
  expect_false(inherits(found, "mlsift_error"))
})

test_that("each label is learned from the rows in which it is known", {
  set.seed(1)
  task <- simulate_mltask(80, n_features = 5, n_targets = 3)
  y <- as.matrix(targets(task))
  y[sample(length(y), 60)] <- NA
  w <- sample(1:3, 80, TRUE)
  learner <- lrn_binary("GLM",
    function(x, y, weights) stats::glm(y ~ ., data.frame(x), family = "quasibinomial", weights = weights),
    function(model, x) predict(model, data.frame(x), type = "response")
  )
  found <- predict(fit(learner, mltask(features(task), y, weights = w)), task)$score
  for (l in 1:3) {
    known <- !is.na(y[, l])
    one <- fit(learner, mltask(features(task)[known, ], y[known, l], weights = w[known]))
    expect_identical(found[, l], predict(one, task)$score[, 1])
  }
  searched <- sift_features(mltask(features(task), y, weights = w), sel_rga(learner, evaluations = 25))
  expect_true(nrow(searched) > 0)
})

of_responses <- c("accuracy", "balanced_accuracy", "class_f1", "kappa")
of_scores <- c("class_auc", "class_log_loss")
class_value <- function(measure, truth, x) registered("measures", measure)$fun(truth, x)

# Some categories are never true, never predicted, or without a score.
random_classes <- function(n, categories = letters[1:4]) {
  score <- matrix(sample(0:3, n * length(categories), TRUE), n, dimnames = list(NULL, categories))
  score[, 1] <- score[, 1] + 1
  list(truth = sample(categories, n, TRUE), response = sample(rev(categories)[-1], n, TRUE),
    score = score / rowSums(score))
}

test_that("every measure equals its definition", {
  withr::local_seed(1)
  for (n in c(1, 2, 7, 40)) for (i in 1:4) {
    d <- random_classes(n)
    for (m in of_responses) {
      expect_equal(class_value(m, d$truth, d$response), oracle_class(m, d$truth, d$response), tolerance = 1e-12)
    }
    d$score <- d$score[, c(3, 1, 2), drop = FALSE]
    d$score <- d$score / rowSums(d$score)
    for (m in of_scores) {
      expect_equal(class_value(m, d$truth, d$score), oracle_class(m, d$truth, d$response, d$score), tolerance = 1e-12)
    }
  }
})

test_that("values are those of scikit-learn 1.2.1", {
  # accuracy_score(), balanced_accuracy_score(), f1_score(average = "macro"), cohen_kappa_score(),
  # roc_auc_score(multi_class = "ovr") and log_loss() of the same rows.
  i <- 1:60
  t <- (i * i + i %/% 7) %% 4
  r <- ifelse(i %% 5 < 3, t, (i * 5 + i %/% 3) %% 4)
  score <- sapply(0:3, function(c) (i * (c + 3) + 7 * c * c) %% 11 + 1 + 9 * (t == c & i %% 3 > 0))
  score <- `colnames<-`(score / rowSums(score), letters[1:4])
  truth <- letters[t + 1]
  response <- letters[r + 1]
  same <- function(value, expected) expect_equal(value, expected, tolerance = 1e-12)
  same(msr_accuracy(truth, response), 0.6333333333333333)
  same(msr_balanced_accuracy(truth, response), 0.6341765873015873)
  same(msr_class_f1(truth, response), 0.6486486486486487)
  same(msr_kappa(truth, response), 0.5048762190547638)
  same(msr_class_auc(truth, score), 0.8725615040153084)
  same(msr_class_log_loss(truth, score), 0.9862860300665058)
  truth[truth == "d"] <- "a"  # predicted, but never true
  same(msr_balanced_accuracy(truth, response), 0.5640873015873016)
  same(msr_class_f1(truth, response), 0.4326530612244898)
  same(msr_kappa(truth, response), 0.3370165745856354)
})

test_that("several targets have the mean of their values, without undefined ones", {
  withr::local_seed(2)
  one <- random_classes(30)
  two <- random_classes(30, c("u", "v"))
  truth <- data.frame(a = factor(one$truth), b = two$truth)
  response <- cbind(a = one$response, b = two$response)
  for (m in of_responses) {
    values <- c(class_value(m, one$truth, one$response), class_value(m, two$truth, two$response))
    expect_equal(class_value(m, truth, response), mean(values), tolerance = 1e-12)
  }
  for (m in of_scores) {
    values <- c(class_value(m, one$truth, one$score), class_value(m, two$truth, two$score))
    expect_equal(class_value(m, truth, list(a = one$score, b = two$score)), mean(values), tolerance = 1e-12)
  }
  truth$b <- response[, "b"] <- "u"
  expect_equal(msr_kappa(truth, response), msr_kappa(one$truth, one$response), tolerance = 1e-12)
  expect_identical(msr_kappa("u", "u"), NA_real_)
  expect_identical(msr_class_auc(c("u", "u"), cbind(u = 1:0, v = 0:1)), NA_real_)
})

test_that("tasks, factors, text, data frames and predictions are taken", {
  withr::local_seed(3)
  d <- random_classes(20)
  expected <- msr_kappa(d$truth, d$response)
  task <- mltask(matrix(rnorm(20)), data.frame(y = factor(d$truth)))
  for (truth in list(factor(d$truth), cbind(d$truth), data.frame(y = d$truth), task)) {
    expect_identical(msr_kappa(truth, d$response), expected)
    expect_identical(msr_kappa(truth, factor(d$response, letters[5:1])), expected)
  }
  p <- structure(list(score = list(y = d$score), response = cbind(y = d$response)), class = "mlprediction")
  expect_identical(msr_kappa(task, p), expected)
  expect_identical(msr_class_auc(task, p), msr_class_auc(d$truth, d$score))
  all <- evaluate(p, task)
  expect_identical(all$measure, c(of_responses, of_scores))
  expect_identical(all$value[1:4], vapply(of_responses, class_value, 0, d$truth, d$response, USE.NAMES = FALSE))
  expect_identical(all$value[5:6], vapply(of_scores, class_value, 0, d$truth, d$score, USE.NAMES = FALSE))
  expect_identical(evaluate(p, data.frame(y = d$truth)), all)
  expect_identical(evaluate(structure(p["response"], class = "mlprediction"), task)$measure, of_responses)
  seen <- NULL
  own <- msr_custom("own", function(truth, score) { seen <<- score; 1 }, needs = "score")
  evaluate(p, task, own)
  expect_identical(seen, list(y = d$score))
})

test_that("the order of rows and of categories does not matter", {
  withr::local_seed(4)
  d <- random_classes(30)
  rows <- sample(30)
  for (m in of_responses) {
    moved <- class_value(m, d$truth[rows], d$response[rows])
    expect_equal(moved, class_value(m, d$truth, d$response), tolerance = 1e-12)
  }
  for (m in of_scores) {
    moved <- class_value(m, d$truth[rows], d$score[rows, 4:1])
    expect_equal(moved, class_value(m, d$truth, d$score), tolerance = 1e-12)
  }
})

test_that("what measures of classes cannot take is refused", {
  withr::local_seed(5)
  d <- random_classes(6)
  task <- mltask(matrix(rnorm(6)), factor(d$truth))
  labels <- simulate_mltask(6)
  p <- structure(list(score = list(l1 = d$score), response = cbind(l1 = d$response)), class = "mlprediction")
  expect_snapshot(error = TRUE, {
    msr_accuracy(d$truth, d$response[-1])
    msr_accuracy(labels, d$response)
    msr_accuracy(c(d$truth[-1], NA), d$response)
    msr_accuracy(d$truth, mean)
    msr_class_auc(d$truth, unname(d$score))
    msr_class_auc(d$truth, d$score[-1, ])
    msr_class_auc(d$truth, list(d$score, d$score))
    msr_class_auc(d$truth, d$score[, c(1, 1)])
    msr_class_auc(data.frame(y = d$truth), list(x = d$score))
    msr_class_auc(d$truth, NULL)
    msr_class_auc(d$truth, "a")
    msr_class_log_loss(d$truth, d$score / 2)
    msr_class_log_loss(d$truth, d$score - 1)
    evaluate(p, task, "macro_auc")
    evaluate(p, task, "armse")
    evaluate(structure(p["response"], class = "mlprediction"), task, "class_auc")
  })
})

test_that("a number is one category, however R writes it", {
  whole <- c(100000L, 123456L, 200000L, 100000L)
  written <- list(factor(whole), as.character(whole), factor(as.double(whole)), as.character(as.double(whole)))
  expect_identical(levels(written[[3]])[1], "1e+05")
  predicted <- as.character(c(100000L, 123456L, 100000L, 200000L))
  score <- matrix(c(0.6, 0.2, 0.7, 0.3, 0.3, 0.7, 0.2, 0.3, 0.1, 0.1, 0.1, 0.4), 4)
  for (truth in written) {
    expect_identical(msr_accuracy(truth, predicted), 0.5)
    expect_identical(msr_kappa(truth, predicted), msr_kappa(c("a", "b", "c", "a"), c("a", "b", "a", "c")))
    for (names in list(c("100000", "123456", "200000"), c("1e+05", "123456", "2e+05"))) {
      expect_identical(msr_class_log_loss(truth, `colnames<-`(score, names)),
        msr_class_log_loss(c("a", "b", "c", "a"), `colnames<-`(score, c("a", "b", "c"))))
    }
  }
  expect_error(msr_class_log_loss(written[[1]], `colnames<-`(score, c("1e+05", "100000", "2"))), "stands twice",
    class = "mlsift_error")
})

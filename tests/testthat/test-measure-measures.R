prediction_of <- function(d) structure(list(score = d$score, response = d$response), class = "mlprediction")

test_that("list_measures() describes each registered measure", {
  table <- list_measures()
  expect_named(table, c("measure", "title", "needs", "direction", "range_low", "range_high", "kinds", "settings",
    "source"))
  expect_setequal(paste0("msr_", table$measure), setdiff(ls(asNamespace("mlsift"), pattern = "^msr_"), "msr_custom"))
  expect_true(all(nzchar(table$source) & nzchar(table$title)))
  expect_equal(table$direction[table$measure == "ranking_loss"], "minimize")
})

test_that("evaluate() gives what the functions give", {
  withr::local_seed(1)
  d <- random_scored()
  result <- evaluate(prediction_of(d), d$truth)
  expect_s3_class(result, "data.frame")
  of_labels <- subset(list_measures(), kinds == "label")
  expect_identical(result$measure, of_labels$measure)
  expect_identical(result$value, vapply(result$measure, call_measure, 0, d = d, USE.NAMES = FALSE))
  expect_identical(evaluate(prediction_of(d), d$truth, c("micro_f1", "one_error"))$measure, c("micro_f1", "one_error"))

  no_scores <- prediction_of(d["response"])
  expect_setequal(evaluate(no_scores, d$truth)$measure, subset(of_labels, needs == "response")$measure)
  expect_snapshot(error = TRUE, evaluate(no_scores, d$truth, "ranking_loss"))
})

test_that("a task is the truth of its labels", {
  withr::local_seed(2)
  d <- random_scored()
  x <- matrix(rnorm(50), 25)
  task <- mltask(x, d$truth)
  d[] <- lapply(d, function(m) `colnames<-`(m, target_names(task)))
  expect_identical(evaluate(prediction_of(d), task), evaluate(prediction_of(d), d$truth))
  expect_identical(msr_micro_auc(task, prediction_of(d)), msr_micro_auc(d$truth, d$score))
  expect_snapshot(error = TRUE, msr_hamming_loss(mltask(x, rnorm(25)), d$response))
})

test_that("users' own measures stand beside ours", {
  withr::local_seed(3)
  d <- random_scored()
  size <- msr_custom("size", function(truth, response) mean(abs(rowSums(truth) - rowSums(response))), range = c(0, Inf))
  top <- msr_custom("top", function(truth, score) max(score), needs = "score", direction = "maximize")
  expect_snapshot(size)
  expected <- mean(abs(rowSums(d$truth) - rowSums(d$response)))
  expect_identical(evaluate(prediction_of(d), d$truth, size), data.frame(measure = "size", value = expected))
  mixed <- evaluate(prediction_of(d), d$truth, list("hamming_loss", size, best = top, loss = "ranking_loss"))
  expect_identical(mixed$measure, c("hamming_loss", "size", "best", "loss"))
  expect_identical(
    mixed$value, c(call_measure("hamming_loss", d), expected, max(d$score), call_measure("ranking_loss", d))
  )

  undefined <- msr_custom("undefined", function(truth, response) NA)
  expect_identical(evaluate(prediction_of(d), d$truth, undefined)$value, NA_real_)
})

test_that("the functions of users' measures get plain matrices", {
  d <- random_scored()
  seen <- list()
  spy <- function(needs) msr_custom(needs, function(truth, x) { seen[[needs]] <<- list(truth, x); 0 }, needs = needs)
  evaluate(prediction_of(lapply(d, `+`, 0)), as(d$truth + 0, "CsparseMatrix"), list(spy("response"), spy("score")))
  expect_identical(lapply(seen$response, unname), unname(d[c("truth", "response")]))
  expect_identical(lapply(seen$score, unname), unname(d[c("truth", "score")]))
})

test_that("measures that cannot be used are refused", {
  d <- random_scored()
  p <- prediction_of(d)
  two <- msr_custom("two", function(truth, response) 1:2)
  fails <- msr_custom("fails", function(truth, response) stop("no such thing"))
  expect_snapshot(error = TRUE, {
    evaluate(p, d$truth, "haming_loss")
    evaluate(p, d$truth, "msr_micro_f1")
    evaluate(p, d$truth, "something else")
    evaluate(p, d$truth, list("micro_f1", 3))
    evaluate(p, d$truth, character())
    evaluate(p, d$truth, c("micro_f1", "micro_f1"))
    evaluate(p, d$truth[-1, ])
    evaluate(p, d$truth, two)
    evaluate(p, d$truth, fails)
    evaluate(p, d$truth, metric = "micro_f1")
    evaluate(prediction = p, truth = d$truth)
    resolve_measures("micro_f1", kind = "numeric")
    msr_custom("m", 3)
    msr_custom("m", mean, range = c(1, 0))
    msr_custom("m", mean, needs = "scores")
    msr_custom(3, mean)
  })
})

test_that("what a measure may be given: numbers as categories, predictions, and a truth", {
  codes <- list(truth = cbind(y = c(1, 2, 3, 1)), response = cbind(y = c(1, 2, 1, 1)))
  expect_identical(msr_accuracy(codes$truth, codes$response), 0.75)
  expect_identical(msr_accuracy(codes$truth, data.frame(y = factor(codes$response))), 0.75)
  withr::local_seed(8)
  d <- random_scored()
  expect_identical(msr_hamming_loss(d$truth, prediction_of(d)), msr_hamming_loss(d$truth, d$response))
  numbers <- list(truth = matrix(rnorm(12), 6), response = matrix(rnorm(12), 6))
  expect_identical(msr_armse(numbers$truth, prediction_of(numbers)), msr_armse(numbers$truth, numbers$response))
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(evaluate(prediction_of(d), d$truth, msr_hamming_loss()), "`truth` is missing.*\"hamming_loss\"")
})

test_that("evaluate() takes sparse numbers as numbers, and wants a prediction that its measures can use", {
  withr::local_seed(9)
  # All that is predicted is 0 or 1, and the truth has other numbers.
  truth <- cbind(a = c(0, 2.5, 0, 1), b = c(0, 0, 1, 0))
  prediction <- prediction_of(list(response = cbind(a = c(0, 1, 0, 1), b = c(1, 0, 1, 0))))
  found <- evaluate(prediction, sparse(truth), train_mean = c(0.5, 0.2))
  expect_identical(found, evaluate(prediction, truth, train_mean = c(0.5, 0.2)))
  expect_true("armse" %in% found$measure)
  task <- mltask(matrix(rnorm(8), 4), truth, kind = "numeric")
  expect_error(evaluate(prediction_of(list(score = truth)), task, train_mean = 0),
    "No measure of ours applies.*numeric", class = "mlsift_error")
})

split_of <- function(task, train, impute = NULL) assess_split(
  task, list(train = train, test = setdiff(seq_len(nrow(task)), train)), impute
)

mean_learner <- function(...) counting_learner(new.env(), ...)

test_that("an assessment is fit(), predict() and evaluate(), whether a learner serves all counts at once or not", {
  withr::local_seed(1)
  task <- simulate_mltask(60, n_features = 8, n_targets = 3)
  numbers <- simulate_mltask(60, n_features = 8, n_targets = 3, kind = "numeric")
  cases <- list(
    list(lrn_mlknn(4), task), list(lrn_brknn(3), task), list(lrn_lp(), task), list(lrn_cc_knn(chain_order = 3:1), task),
    list(mean_learner(), task), list(lrn_knn_regression(4), numbers)
  )
  columns <- c(7, 2, 5, 1)
  counts <- c(1L, 3L, 4L)
  for (case in cases) {
    learner <- case[[1]]
    data <- case[[2]]
    measures <- if (task_kind(data) == "label") c("hamming_loss", "macro_f1") else c("armse", "arrmse")
    records <- resolve_measures(measures, task_kind(data))
    got <- assess_columns(learner, split_of(data, 1:40), columns, counts, rep(list(records), 3))
    expect_length(got, 3)
    for (i in 1:3) {
      at <- columns[seq_len(counts[i])]
      expected <- evaluate(
        predict(fit(learner, data[1:40, at]), data[41:60, at]), data[41:60, ], measures, train_mean = data[1:40, ]
      )
      expect_identical(got[[i]]$values, stats::setNames(expected$value, measures))
      expect_length(got[[i]]$failed$measure, 0)
      first <- i == 1 || !learner_method(learner)$curve
      expect_named(got[[i]]$seconds, c(if (first) c("fit", "predict"), "measure"))
    }
  }
})

test_that("each count gets the measures it lacks, and one fit serves all or each its own", {
  task <- numbered_task(1)
  counter <- new.env()
  learner <- counting_learner(counter)
  records <- resolve_measures(c("hamming_loss", "one_error"))
  got <- assess_columns(learner, split_of(task, 1:16), c(3, 1, 5), 1:3, list(records, records[1], records[2]))
  expect_identical(
    lapply(got, function(one) names(one$values)), list(c("hamming_loss", "one_error"), "hamming_loss", "one_error")
  )
  expect_identical(counter$fitted, list("f3", c("f3", "f1"), c("f3", "f1", "f5")))
})

test_that("random numbers come from the stream of a count, or from the generator as it stands", {
  task <- numbered_task(1)
  learner <- mean_learner(random = TRUE)
  records <- resolve_measures(list(msr_custom("mean", function(truth, score) mean(score), needs = "score")))
  value <- function(counts, ...) vapply(
    assess_columns(learner, split_of(task, 1:16), c(3, 1, 5), counts, rep(list(records), length(counts)), ...),
    function(one) one$values[["mean"]], 0
  )
  withr::local_seed(1)
  before <- .Random.seed
  streamed <- value(1:3, stream = list("a"))
  expect_identical(.Random.seed, before)
  expect_identical(value(2:3, stream = list("a")), streamed[2:3])
  expect_false(identical(value(1:3, stream = list("b")), streamed))
  free <- value(1)
  expect_false(identical(.Random.seed, before))
  expect_identical(withr::with_seed(1, value(1)), free)
})

test_that("failures name their stage, and pass where they are raised", {
  task <- numbered_task(1)
  split <- split_of(task, 1:16)
  records <- resolve_measures(list(
    "hamming_loss", own = msr_custom("own", function(truth, response) stop("unmeasurable"))
  ))
  at <- function(learner, counts = 1L, ...) assess_columns(
    learner, split, c(3, 1, 5), counts, rep(list(records), length(counts)), ...
  )
  no_fit <- lrn_custom(
    "no fit", function(x, y) if (ncol(x) == 2) stop("two is too many") else 1,
    function(model, x) matrix(0.5, nrow(x), 2)
  )
  got <- at(no_fit, 1:3)
  expect_identical(got[[2]]$values, c(hamming_loss = NA_real_, own = NA_real_))
  expect_identical(
    got[[2]]$failed, list(measure = c("hamming_loss", "own"), stage = "fit", message = "two is too many")
  )
  expect_identical(is.na(got[[1]]$values), c(hamming_loss = FALSE, own = TRUE))
  expect_identical(got[[1]]$failed$stage, "measure")
  expect_match(got[[1]]$failed$message, "^own: .*unmeasurable")
  # A learner that serves all counts at once fails at all of them.
  few <- at(lrn_lp(min_count = 20), 1:3)
  expect_identical(vapply(few, function(one) one$failed$stage, ""), rep("fit", 3))
  wrong <- at(lrn_custom("wrong", function(x, y) 1, function(model, x) matrix(0, 1, 1)))[[1]]
  expect_identical(wrong$failed$stage, "predict")
  expect_match(wrong$failed$message, "must be a matrix of 8 rows and 2 targets")
  expect_error(at(no_fit, 2L, catch = raise), "two is too many")
  expect_error(at(no_fit, 1L, catch = raise), "own")
})

test_that("imputer and discretizer learn from training rows, the discretizer from the chosen columns", {
  task <- numbered_task(1)
  task$x[c(2, 20), 3] <- NA
  rows <- list(train = 1:16, test = 17:24)
  split <- assess_split(task, rows, impute_mean(), disc_equal_width(3), c(3, 5))
  imputer <- fit(impute_mean(), task[1:16, ])
  filled <- predict(imputer, task)
  discretizer <- fit(disc_equal_width(3), filled[1:16, c(3, 5)])
  expect_identical(split$train, predict(discretizer, split_part(filled[, c(3, 5)], 1:16)))
  expect_identical(split$test, predict(discretizer, split_part(filled[, c(3, 5)], 17:24)))
  expect_identical(split$truth, targets(task)[17:24, ])
})

test_that("a measure without a value says which label is the reason, if one is", {
  reason <- function(y, kind = "label") {
    task <- mltask(matrix(stats::rnorm(2 * nrow(y)), nrow(y)), y, kind = kind)
    why_undefined(split_of(task, 1:4))
  }
  y <- cbind(a = rep(0:1, 4), b = c(0, 1, 0, 1, 1, 0, 1, 0))
  expect_identical(reason(y), "")
  expect_identical(reason(replace(y, cbind(5:8, 2), 0)), " None of them have label \"b\".")
  expect_identical(reason(replace(y, cbind(5:8, 1), 1)), " All of them have label \"a\".")
  expect_identical(reason(y + 0.5, "numeric"), "")
})

small_task <- function(n = 40, d = 5, q = 3) {
  x <- matrix(rnorm(n * d), n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
  mltask(x, random_labels(n, q), kind = "label")
}

test_that("a curve equals separate models bit by bit", {
  withr::local_seed(1)
  n <- 75
  d <- 40
  nested <- round(matrix(rnorm(n * d), n), 1)
  mixed <- data.frame(matrix(rnorm(n * 4), n), lapply(1:4, function(i) factor(sample(letters[1:(i + 1)], n, TRUE))))
  names(mixed) <- paste0("f", 1:8)
  inputs <- list(
    nested, random_codes(n, d), random_codes(n, d) * 0.3, sparse(random_codes(n, d)), sparse(nested * (nested > 0.5)),
    mixed
  )
  y <- random_labels(n, 5)
  for (x in inputs) {
    task <- mltask(x, y, kind = "label")
    order <- sample.int(ncol(x))
    for (learner in list(lrn_mlknn(7), lrn_mlknn(3, smoothing = 0, scale = "zscore"), lrn_brknn())) {
      for (k in list(seq_along(order), c(2, 3, 7, length(order)), length(order) - 0:1, 1)) {
        k <- sort(k)
        curve <- one_pass(learner, task[1:50, ], task[51:75, ], order, k, threads = 2)
        expect_identical(curve, separate_curve(learner, task[1:50, ], task[51:75, ], order, k))
      }
    }
  }
})

test_that("new rows are matched by name, or by position without names", {
  withr::local_seed(3)
  task <- small_task()
  model <- fit(lrn_mlknn(4), task[1:30, ])
  expected <- predict(model, task[31:40, ])
  x <- features(task)[31:40, ]
  expect_identical(predict(model, x), expected)
  expect_identical(predict(model, cbind(x[, 5:1], other = NA)), expected)
  expect_identical(predict(model, unname(x)), expected)
  expect_identical(predict(model, as.data.frame(x)), expected)
  expect_identical(predict(model, Matrix::Matrix(x)), expected)
  expect_identical(predict(model, task[31, ])$score, expected$score[1, , drop = FALSE])
  named <- x
  rownames(named) <- letters[1:10]
  expect_identical(rownames(predict(model, named)$response), letters[1:10])
})

test_that("other columns may be of any kind, and each feature stands once", {
  withr::local_seed(3)
  task <- small_task()
  model <- fit(lrn_mlknn(4), task[1:30, ])
  answer <- sift(task[1:30, ], learner = lrn_mlknn(4), selectors = sel_mim(), max_features = 3, estimate = FALSE)
  x <- as.data.frame(features(task)[31:40, ])
  more <- cbind(other = Inf, x, day = Sys.Date() + 1:10, word = letters[1:10])
  more$list <- lapply(1:10, seq_len)
  for (fitted in list(model, answer)) {
    expected <- predict(fitted, x)
    expect_identical(predict(fitted, more), expected)
    expect_identical(predict(fitted, cbind(as.matrix(x), other = Inf)), expected)
    expect_identical(predict(fitted, as(cbind(sparse(as.matrix(x)), other = Inf), "RsparseMatrix")), expected)
    expect_identical(predict(fitted, as.data.frame(c(x, list(u = 1, u = 2)), optional = TRUE)), expected)
    twice <- selected(answer)[1]
    expect_error(predict(fitted, cbind(x, x[twice])), "once", class = "mlsift_error")
  }
})

test_that("functions of users get the levels of training, whatever those of new rows", {
  x <- data.frame(
    f = factor(c("u", "v", "w", "u", "v", "w"), c("w", "u", "v")), two = factor(c("a", "b", "b", "b", "a", "a")),
    o = factor(c("lo", "hi", "lo", "hi", "lo", "hi"), c("lo", "hi"), ordered = TRUE), n = c(1, 2, 1, 2, 3, 3) / 3
  )
  learner <- lrn_custom(
    "codes", function(x, y) NULL, function(model, x) plogis(data.matrix(x) %*% cbind(l = c(1, -2, 3, 0.1)))
  )
  model <- fit(learner, mltask(x, cbind(l = c(0, 1, 0, 1, 1, 0))))
  expected <- predict(model, x)
  again <- function(change) predict(model, within(x, eval(change)))
  expect_identical(again(quote(f <- factor(as.character(f), c("v", "u", "other", "w")))), expected)
  expect_identical(again(quote(f <- as.character(f))), expected)
  expect_identical(again(quote(two <- factor(as.character(two), c("b", "a")))), expected)
  expect_identical(again(quote(o <- factor(as.character(o), c("hi", "lo"), ordered = TRUE))), expected)
  expect_identical(again(quote(o <- as.character(o))), expected)
  expect_identical(predict(model, droplevels(x[1, ]))$score, expected$score[1, , drop = FALSE])
  other <- again(quote(f <- replace(as.character(f), 1, "new")))
  expect_identical(other$score[-1, ], expected$score[-1, ])
  expect_error(again(quote(f <- as.integer(f))), "type they had", class = "mlsift_error")
  expect_error(again(quote(two <- two == "a")), "was a factor and is logical", class = "mlsift_error")
  expect_error(again(quote(n <- as.character(n > 0.5))), "type they had", class = "mlsift_error")
})

test_that("numbers stand for levels by their value", {
  x <- data.frame(f = factor(c("100000", "2", "100000", "30", "2", "30")), n = c(1, 2, 1, 2, 3, 3) / 3)
  y <- c(0, 1, 0, 1, 1, 0)
  for (learner in list(lrn_nb(), lrn_brknn(2), lrn_brlr())) {
    model <- fit(learner, mltask(x, y))
    numbers <- data.frame(f = as.double(as.character(x$f)), n = x$n)
    for (new in list(numbers, as.matrix(numbers), sparse(as.matrix(numbers)))) {
      expect_identical(predict(model, new), predict(model, x))
    }
  }
})

test_that("the threshold decides at or above", {
  withr::local_seed(4)
  task <- small_task()
  prediction <- predict(fit(lrn_brknn(4), task), task, threshold = 0.25)
  expect_identical(prediction$response == 1L, prediction$score >= 0.25)
  expect_true(any(prediction$score == 0.25))
  expect_true(all(predict(fit(lrn_brknn(4), task), task, threshold = 0)$response == 1L))
})

test_that("one feature, one label, two rows are enough", {
  task <- mltask(cbind(f1 = c(1, 2)), cbind(l1 = c(1, 0)))
  expect_identical(unname(predict(fit(lrn_brknn(1), task), task)$score), cbind(c(1, 0)))
  expect_equal(dim(predict(fit(lrn_mlknn(1), task), task[1, ])), c(1, 1))
})

test_that("models survive saveRDS() and a fresh process", {
  withr::local_seed(5)
  task <- small_task()
  for (learner in list(lrn_mlknn(4, scale = "zscore"), lrn_brknn())) {
    for (t in list(task, mltask(sparse(features(task)), sparse(targets(task)), kind = "label"))) {
      file <- withr::local_tempfile()
      model <- fit(learner, t)
      saveRDS(model, file)
      expect_identical(predict(readRDS(file), task), predict(model, task))
    }
  }
})

test_that("predictions are data frames by row and target", {
  prediction <- new_mlprediction(cbind(c(0.1, 0.6), c(0.7, 0.2)), NULL, 0.5, NULL, c("a", "b"))
  expect_identical(as.data.frame(prediction), data.frame(
    row = c(1L, 1L, 2L, 2L), target = c("a", "b", "a", "b"), score = c(0.1, 0.7, 0.6, 0.2), response = c(0L, 1L, 1L, 0L)
  ))
  expect_identical(head(prediction, 1)$score, prediction$score[1, , drop = FALSE])
  truth <- cbind(a = c(0, 1), b = c(1, 1))
  expect_identical(evaluate(prediction, truth, "hamming_loss")$value, 0.25)
})

test_that("learners, models and predictions print", {
  withr::local_seed(6)
  task <- small_task(12)
  expect_snapshot({
    lrn_mlknn()
    lrn_brknn(5, scale = "zscore")
    lrn_custom("Mine", mean, max)
    model <- fit(lrn_mlknn(3), task)
    model
    predict(model, task)
    list_learners()
  })
})

test_that("bad input is refused by name", {
  withr::local_seed(7)
  task <- small_task()
  x <- features(task)
  model <- fit(lrn_mlknn(3), task)
  missing <- x
  missing[7, 2] <- NA
  expect_snapshot(error = TRUE, {
    fit(lrn_mlknn(), task[1, ])
    fit(lrn_mlknn(), x)
    fit(lrn_mlknn(), mltask(missing, targets(task)))
    fit(lrn_brknn(), mltask(x, rnorm(40)))
    fit(lrn_mlknn(), mltask(x, factor(sample(letters, 40, TRUE))))
    fit(lrn_mlknn(), task, threads = 0)
    predict(model, x[, -2])
    predict(model, x[, 1, drop = FALSE])
    predict(model, unname(x[, 1:3]))
    predict(model, missing)
    predict(model, replace(x, 3, Inf))
    predict(model, 1:5)
    predict(model, x, threshold = 2)
    predict(model, x[0, ])
  })
  expect_error(predict(model, x[, -2]), class = "mlsift_error")
})

test_that("a feature that is constant in training changes no prediction where that is promised", {
  skip_unless_all()
  withr::local_seed(41)
  n <- 40
  x <- matrix(rnorm(n * 4) * rbinom(n * 4, 1, 0.6), n, dimnames = list(NULL, paste0("f", 1:4)))
  numbers <- unname(x[, 1:3]) + matrix(rnorm(n * 3), n)
  labels <- (numbers > 0) + 0L
  hide <- function(y) replace(y, seq(2, length(y), 5), NA)
  weights <- runif(n, 0.5, 3)
  turn <- 0
  check <- function(learner, y, kind, weights) {
    for (as in some_or_all(list(identity, sparse, as.data.frame), turn <<- turn + 1)) {
      predicted <- function(x, new) {
        task <- mltask(as(x), y, kind = kind, weights = weights, discrete = if (ncol(x) == 5) c(c = FALSE))
        predict(fit(learner, task), as(new))[]
      }
      expected <- predicted(x, x)
      for (value in c(0, 7, -0.1)) {
        new <- cbind(x[, 1:2], c = rep_len(c(value, 1, -2, 0), n), x[, 3:4])
        expect_equal(predicted(replace(new, cbind(seq_len(n), 3), value), new), expected, tolerance = 1e-9)
      }
    }
  }
  learners <- list(lrn_nb(), lrn_nb(zero_share = 1), lrn_mlnb(), lrn_brlr(), lrn_brlr(scale = "none"), lrn_mtl())
  for (learner in learners) for (w in list(NULL, weights)) {
    check(learner, labels, "label", w)
    check(learner, hide(labels), "label", w)
  }
  for (learner in list(lrn_nb(), lrn_brlr())) {
    check(learner, data.frame(u = factor(letters[rowSums(labels) + 1])), "class", NULL)
  }
  for (learner in list(lrn_linear(), lrn_linear(scale = "none"), lrn_mtl())) for (w in list(NULL, weights)) {
    check(learner, numbers, "numeric", w)
    check(learner, hide(numbers), "numeric", w)
  }
})

test_that("numbers in place of a factor are refused, by every learner", {
  withr::local_seed(9)
  x <- data.frame(a = rnorm(40), b = factor(sample(c("no", "yes", "so"), 40, TRUE)))
  new <- transform(x, b = as.integer(b))
  signal <- cbind(t = x$a + rnorm(40))
  y <- list(label = (signal > 0) + 0, class = data.frame(t = cut(signal, 3, c("u", "v", "w"))), numeric = signal)
  codes <- list_learners()$constructor
  codes <- codes[!grepl("custom|binary|chosen|mlnb", codes)]
  codes <- sub("(chain|powerset|threshold)\\(\\)", "\\1(lrn_nb())", codes)
  for (code in c(codes, "lrn_nb(discretizer = disc_auto())")) {
    learner <- eval(str2lang(code))
    model <- suppressWarnings(fit(learner, mltask(x, y[[learner_method(learner)$kinds[1]]])))
    expect_error(predict(model, new), '"b" was a factor and is numeric', class = "mlsift_error", info = code)
    expect_no_error(predict(model, transform(new, b = c("no", "new")[1 + (a > 0)])))
  }
  # Levels may be numbers.
  x$b <- factor(as.integer(x$b))
  model <- fit(lrn_nb(), mltask(x, y$label))
  expect_identical(predict(model, new)$score, predict(model, transform(new, b = factor(b)))$score)
})

test_that("ML-kNN equals its equations", {
  withr::local_seed(1)
  for (case in first_or_all(1:6, 3)) {
    n <- c(5, 12, 40, 41, 60, 30)[case]
    x <- if (case %% 2) random_codes(n, c(1, 4)[1 + (case > 2)]) else matrix(rnorm(n * 3), n)
    y <- random_labels(n, c(1, 2, 5)[1 + case %% 3])
    query <- x[sample.int(n, 15, replace = TRUE), , drop = FALSE]
    task <- mltask(x, y, kind = "label")
    for (k in c(1, 3)) {
      for (s in c(0, 0.5, 1)) {
        got <- predict(fit(lrn_mlknn(k, s, "none"), task), unname(query))
        expect_equal(unname(got$score), oracle_mlknn(x, y, query, k, s), tolerance = 1e-12)
        expect_identical(got$response, (got$score >= 0.5) + 0L)
      }
    }
  }
})

test_that("the scores follow from the counts as in a program of others", {
  # From mlknn.py of Seal-Li/multi-label-feature-selection, on the training part of emotions, with k = 7 and label 1,
  # which 119 of 391 rows have. Counts are from its table of likelihoods, posteriors from its first two test rows.
  y <- cbind(l1 = rep(c(0L, 1L, 0L), c(7, 119, 265)))
  x <- cbind(f1 = c(1:13, 1e6 + 14:391))
  model <- fit(lrn_mlknn(7, scale = "none"), mltask(x, y, discrete = c(f1 = FALSE), kind = "label"))
  likelihood <- list(
    with = c(
      0.09448818897637795, 0.14173228346456693, 0.11811023622047244, 0.2204724409448819, 0.18110236220472442,
      0.14960629921259844, 0.07874015748031496, 0.015748031496062992
    ),
    without = c(
      0.2857142857142857, 0.26785714285714285, 0.19285714285714287, 0.08214285714285714, 0.10357142857142858,
      0.03571428571428571, 0.02857142857142857, 0.0035714285714285713
    )
  )
  counts <- list(with = round(likelihood$with * (119 + 8) - 1), without = round(likelihood$without * (272 + 8) - 1))
  expect_identical(vapply(counts, sum, 0), c(with = 119, without = 272))
  model$state$counts <- list(lapply(counts, function(v) matrix(as.integer(v))))
  # the rows 2..8 and 6..12 are nearest: 1 and 5 neighbors with the label
  expect_equal(predict(model, cbind(f1 = c(5, 9)))$score[, "l1"], c(0.18869778869778872, 0.64804946), tolerance = 1e-8)
})

test_that("labels never or always on score 0 and 1", {
  withr::local_seed(2)
  task <- mltask(random_codes(20, 3), random_labels(20, 4), kind = "label")
  score <- predict(fit(lrn_mlknn(3), task), task)$score
  expect_identical(unname(score[, 2]), rep(0, 20))
  expect_identical(unname(score[, 3]), rep(1, 20))
})

test_that("with s = 0, 0/0 gives the prior", {
  # Both positives are each other's neighbor, so no training row without the label has seen it, nor one with it 0 times.
  task <- mltask(cbind(f1 = c(0, 0.1, 5, 5.1, 9, 9.1)), cbind(l1 = c(1L, 1L, 0L, 0L, 0L, 0L)))
  model <- fit(lrn_mlknn(1, smoothing = 0), task)
  expect_identical(unname(predict(model, cbind(f1 = c(0, 9)))$score[, 1]), c(1, 0))
  model$state$counts[[1]]$with[2] <- 0L
  model$state$counts[[1]]$with[1] <- 2L
  model$state$counts[[1]]$without[] <- c(4L, 0L)
  expect_equal(unname(predict(model, cbind(f1 = 0))$score[, 1]), 1 / 3)
})

test_that("more neighbors than rows are all rows, with a warning", {
  task <- mltask(cbind(f1 = c(1, 2, 4, 8)), cbind(l1 = c(1, 0, 0, 1)))
  expect_snapshot(model <- fit(lrn_mlknn(10), task))
  expect_identical(predict(model, task), predict(fit(lrn_mlknn(3), task), task))
})

test_that("impossible parameters are refused", {
  expect_snapshot(error = TRUE, {
    lrn_mlknn(0)
    lrn_mlknn(2.5)
    lrn_mlknn(smoothing = -1)
    lrn_mlknn(smoothing = Inf)
    lrn_mlknn(scale = "range")
  })
})

test_that("without smoothing, 0/0 gives the share of the label", {
  # Both rows that have label a have neighbors that do not know it. No row has two neighbors with label b.
  x <- cbind(f = c(1, 2, 3, 11, 12, 13, 21, 22, 23))
  y <- cbind(a = c(1, NA, NA, 1, NA, NA, 0, 0, 0), b = c(1, 0, 0, 1, 0, 0, 1, 0, 0))
  for (s in c(0, 1)) {
    score <- predict(fit(lrn_mlknn(2, smoothing = s), mltask(x, y, kind = "label")), cbind(f = c(22, 1)))$score
    expected <- oracle_mlknn_known(x, y, cbind(c(22, 1)), 2, s)
    expect_equal(unname(score), expected)
    if (s == 0) expect_identical(unname(score[, "a"]), c(0.4, 0.4))
  }
})

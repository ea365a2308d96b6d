test_that("BR-kNN gives the share of neighbors with the label", {
  withr::local_seed(1)
  for (n in c(2, 9, 40)) {
    x <- random_codes(n, 4)
    y <- random_labels(n, 4)
    query <- x[sample.int(n, 12, replace = TRUE), , drop = FALSE]
    for (k in unique(pmin(c(1, 3, n), n))) {
      got <- predict(fit(lrn_brknn(k, "none"), mltask(x, y, kind = "label")), query)
      expect_equal(unname(got$score), oracle_brknn(x, y, query, k), tolerance = 1e-15)
    }
  }
})

# Few labels are counted eight at a time, in bytes; more than 64 labels, or more than 255 neighbors, one by one.
test_that("any number of labels and neighbors is counted", {
  skip_unless_all()
  withr::local_seed(4)
  x <- random_codes(300, 4)
  query <- x[1:20, ]
  for (case in list(c(8, 3), c(9, 3), c(33, 5), c(64, 3), c(65, 3), c(130, 5), c(3, 255), c(3, 256), c(9, 300))) {
    y <- random_labels(300, case[1], 0.7)
    got <- predict(fit(lrn_brknn(case[2], "none"), mltask(x, y, kind = "label")), query)
    expect_equal(unname(got$score), oracle_brknn(x, y, query, case[2]), tolerance = 1e-15)
  }
})

test_that("every training row may be a neighbor, and no more", {
  task <- mltask(cbind(f1 = c(1, 2, 4, 8)), cbind(l1 = c(1, 0, 0, 1)))
  expect_no_warning(all <- predict(fit(lrn_brknn(4), task), task))
  expect_identical(unname(all$score[, 1]), rep(0.5, 4))
  expect_snapshot(more <- fit(lrn_brknn(5), task))
  expect_identical(predict(more, task), all)
})

# Row by row from the paper: a label for rows without any (a), as many labels as neighbors have on average (b).
oracle_brknn_sets <- function(score, variant, threshold = 0.5) {
  t(apply(score, 1, function(s) {
    best <- order(-s, seq_along(s))
    on <- s >= threshold
    if (variant == "a" && !any(on)) on[best[1]] <- TRUE
    if (variant == "b") on <- seq_along(s) %in% best[seq_len(floor(sum(s) + 0.5 + 1e-9))]
    as.integer(on)
  })) |> matrix(ncol = ncol(score))
}

test_that("variants a and b change the response alone", {
  withr::local_seed(2)
  for (k in c(1, 3, 4, 7)) for (q in c(1, 4, 9)) {
    x <- random_codes(40, 4)
    y <- random_labels(40, q, 0.25)
    task <- mltask(x, y, kind = "label")
    for (variant in c("a", "b")) for (threshold in c(0, 0.3, 0.5, 1)) {
      plain <- predict(fit(lrn_brknn(k), task[1:25, ]), task[26:40, ], threshold)
      got <- predict(fit(lrn_brknn(k, variant = variant), task[1:25, ]), task[26:40, ], threshold)
      expect_identical(got$score, plain$score)
      expect_identical(unname(got$response), oracle_brknn_sets(unname(plain$score), variant, threshold))
    }
    expect_true(all(rowSums(predict(fit(lrn_brknn(k, variant = "a"), task), task)$response) > 0))
  }
})

test_that("variants by hand: half of an even number is enough, and halves are rounded up", {
  x <- cbind(f1 = c(1, 2, 10, 11))
  task <- mltask(x, cbind(a = c(1, 0, 0, 0), b = c(0, 0, 1, 1), c = c(0, 0, 1, 0)), kind = "label")
  sets <- function(...) unname(predict(fit(lrn_brknn(2, ...), task), cbind(f1 = c(1.4, 10.4)))$response)
  expect_identical(sets(), rbind(c(1L, 0L, 0L), c(0L, 1L, 1L)))
  expect_identical(sets(variant = "a"), rbind(c(1L, 0L, 0L), c(0L, 1L, 1L)))
  expect_identical(sets(variant = "b"), rbind(c(1L, 0L, 0L), c(0L, 1L, 1L)))  # (1 + 0) / 2 and (2 + 1) / 2 labels
  none <- mltask(x, cbind(a = c(0, 0, 1, 0), b = 0, c = c(1, 1, 0, 0)), kind = "label")
  found <- function(...) unname(predict(fit(lrn_brknn(4, ...), none), x[1, , drop = FALSE], 0.9)$response[1, ])
  expect_identical(found(), c(0L, 0L, 0L))
  expect_identical(found(variant = "a"), c(0L, 0L, 1L))
  expect_identical(found(variant = "b"), c(0L, 0L, 1L))  # 3 / 4 labels
})

test_that("curves and searches of the variants equal separate models", {
  withr::local_seed(3)
  task <- mltask(random_codes(50, 6), random_labels(50, 4, 0.3), kind = "label")
  for (variant in c("a", "b")) {
    learner <- lrn_brknn(4, variant = variant)
    curve <- one_pass(learner, task[1:30, ], task[31:50, ], 6:1, 1:6)
    expect_identical(curve, separate_curve(learner, task[1:30, ], task[31:50, ], 6:1, 1:6))
    rows <- rs_fixed(1:30, 31:50)
    found <- sift_features(task, sel_sequential(learner, "jaccard", inner = rows), k = 2)
    expect_identical(min(search_history(found)$value),
      1 - assess_features(task, sort(found$index), learner, "jaccard", rows)$value)
  }
  expect_snapshot(list(lrn_brknn(), lrn_brknn(5, variant = "b")))
  expect_snapshot(error = TRUE, lrn_brknn(variant = "c"))
  expect_identical(spec_code(lrn_brknn(variant = "a")), "lrn_brknn(variant = \"a\")")
  classes <- mltask(iris, targets = "Species")
  expect_identical(predict(fit(lrn_brknn(5, variant = "b"), classes), classes),
    predict(fit(lrn_brknn(5), classes), classes))
})

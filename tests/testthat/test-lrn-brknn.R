test_that("BR-kNN gives the share of neighbors with the label", {
  withr::local_seed(1)
  for (n in c(2, 9, 40)) {
    x <- random_codes(n, 4)
    y <- random_labels(n, 4)
    query <- x[sample.int(n, 12, replace = TRUE), , drop = FALSE]
    for (k in unique(pmin(c(1, 3, n), n))) {
      got <- predict(fit(lrn_brknn(k), mltask(x, y, kind = "label")), query)
      expect_equal(unname(got$score), oracle_brknn(x, y, query, k), tolerance = 1e-15)
    }
  }
})

test_that("every training row may be a neighbor, and no more", {
  task <- mltask(cbind(f1 = c(1, 2, 4, 8)), cbind(l1 = c(1, 0, 0, 1)))
  expect_no_warning(all <- predict(fit(lrn_brknn(4), task), task))
  expect_identical(unname(all$score[, 1]), rep(0.5, 4))
  expect_snapshot(more <- fit(lrn_brknn(5), task))
  expect_identical(predict(more, task), all)
})

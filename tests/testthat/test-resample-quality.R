# Label by label and pair by pair, from the equations of Sechidis et al. (2011) and of Szymanski and Kajdanowicz (2017).
oracle_quality <- function(y, test) {
  odds <- function(rows, columns) {
    on <- sum(rowSums(y[rows, columns, drop = FALSE]) == length(columns))
    on / (length(rows) - on)
  }
  difference <- function(columns) {
    all <- odds(seq_len(nrow(y)), columns)
    if (all == 0 || is.infinite(all)) NA_real_ else abs(odds(test, columns) - all)
  }
  pairs <- if (ncol(y) > 1) utils::combn(ncol(y), 2, simplify = FALSE)
  c(ld = mean_known(vapply(seq_len(ncol(y)), difference, 0)), lpd = mean_known(vapply(pairs, difference, 0)),
    labels_missing = sum(colSums(y) > 0 & colSums(y[test, , drop = FALSE]) == 0))
}

test_that("distributions of labels and of pairs equal their definitions", {
  withr::local_seed(1)
  for (q in c(1, 4, 7)) {
    y <- random_labels(40, q, 0.4)
    task <- mltask(matrix(rnorm(40)), y, kind = "label")
    splits <- split_rows(task, rs_cv(5, stratify = FALSE))
    found <- split_quality(task, splits)
    expect_identical(found$split, paste0("fold", 1:5))
    expect_identical(found$n_test, rep(8L, 5))
    for (j in 1:5) {
      expect_equal(unlist(found[j, c("ld", "lpd", "labels_missing")]), oracle_quality(y, splits[[j]]$test),
        tolerance = 1e-12)
    }
    expect_identical(split_quality(mltask(matrix(rnorm(40)), sparse(y)), splits), found)
  }
})

test_that("by hand", {
  y <- cbind(a = c(1, 1, 0, 0), b = c(1, 0, 0, 0), c = 1)
  task <- mltask(matrix(1:4 + 0.5), y, kind = "label")
  found <- split_quality(task, list(list(train = 3:4, test = 1:2), list(train = 1:2, test = 3:4)))
  expect_identical(found$ld, c(Inf, (1 + 1 / 3) / 2))
  expect_equal(found$lpd, c(Inf, (1 / 3 + 1 + 1 / 3) / 3))  # pairs a-b, a-c, b-c
  expect_identical(found$labels_missing, c(0L, 2L))
  even <- mltask(matrix(1:4 + 0.5), cbind(a = c(1, 1, 0, 0)), kind = "label")
  found <- split_quality(even, rs_fixed(c(1, 3), c(2, 4)))
  expect_identical(found, data.frame(split = "fixed", n_test = 2L, ld = 0, lpd = NA_real_, labels_missing = 0L))
})

test_that("stratified folds are better, and categories count as labels", {
  withr::local_seed(2)
  task <- simulate_mltask(200, n_features = 4, n_targets = 8)
  quality <- function(stratify) colMeans(split_quality(task, rs_cv(10, stratify = stratify))[c("ld", "lpd")])
  expect_true(all(quality(TRUE) < quality(FALSE)))
  species <- factor(sample(c("u", "v", "w"), 30, TRUE), levels = c("none", "u", "v", "w"))
  splits <- split_rows(mltask(matrix(rnorm(30)), species), rs_cv(3))
  on <- sapply(c("u", "v", "w"), function(s) as.integer(species == s))
  found <- split_quality(mltask(matrix(rnorm(30)), species), splits)
  expect_equal(found, split_quality(mltask(matrix(rnorm(30)), on, kind = "label"), splits))
  expect_identical(found$lpd, rep(NA_real_, 3))
})

test_that("what cannot be assessed is refused", {
  task <- withr::with_seed(3, simulate_mltask(10))
  expect_snapshot(error = TRUE, {
    split_quality(numeric_task(1), rs_cv(3))
    split_quality(task, list(list(train = 1:5, test = 6:11)))
    split_quality(task, 3)
    split_quality(targets(task), rs_cv(3))
  })
})

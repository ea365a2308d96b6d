numbers_with_zeros <- function(n, d) {
  x <- matrix(rnorm(n * d), n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
  x[abs(x) < 0.7] <- 0
  x[, 2] <- 5
  x[n, ] <- x[1, ]
  x
}

test_that("all three scores are what their equations say, in every layout", {
  withr::local_seed(1)
  turn <- 0
  for (q in c(1, 3, 5)) {
    n <- c(30, NA, 14, NA, 20)[q]
    y <- random_labels(n, q)
    for (x in list(
      numbers_with_zeros(n, 4), random_codes(n, 5),
      matrix(rnorm(3 * n, 100), n, dimnames = list(NULL, c("a", "b", "c")))
    )) {
      for (zero_degree in c(0, 0.01)) for (scale in c("zscore", "none")) {
        turn <- turn + 1
        for (phi in some_or_all(1:3, turn)) {
          found <- expect_same_numbers_everywhere(x, y, sel_spec(phi, zero_degree, scale = scale))
          expect_equal(
            found$score[order(found$index)], oracle_spec(x, y, phi, zero_degree, scale = scale == "zscore"),
            tolerance = 1e-10
          )
        }
        for (kappa in some_or_all(c(2, 4, 8, 100), turn, 4L)) {
          found <- scores_of(mltask(x, y), sel_spec(3, zero_degree, kappa, "none", scale))
          expect_equal(found, oracle_spec(x, y, 3, zero_degree, kappa, scale == "zscore", FALSE), tolerance = 1e-10)
        }
      }
    }
  }
})

test_that("eigenvalues that stand many times are found as often", {
  withr::local_seed(2)
  # Single labels: a graph of five parts, whose sets have the eigenvalue 0 five times.
  class <- rep(1:5, c(3, 4, 5, 6, 7))
  y <- (outer(class, 1:5, "==")) + 0
  x <- numbers_with_zeros(25, 4)
  for (kappa in 2:7) expect_equal(
    scores_of(mltask(x, y), sel_spec(3, kappa = kappa)), oracle_spec(x, y, 3, kappa = kappa), tolerance = 1e-10
  )
  # Kept apart by the label set alone: nothing is left of phi 1.
  z <- cbind(mean = class, noise = rnorm(25))
  expect_lt(abs(scores_of(mltask(z, y), sel_spec())[1]), 1e-12)
})

test_that("the smallest eigenpairs are found where there are many sets", {
  withr::local_seed(3)
  y <- matrix(rbinom(150 * 8, 1, 0.4), 150)
  x <- numbers_with_zeros(150, 3)
  for (kappa in c(2, 9, 30)) expect_equal(
    scores_of(mltask(x, y), sel_spec(3, kappa = kappa)), oracle_spec(x, y, 3, kappa = kappa), tolerance = 1e-10
  )
})

test_that(paste0("the published program's scores come out: pysleepy/ECML2016-GMBA SpectralFeatureSelection.py, 2 with ",
  "the square it forgets"), {
  skip_if_not_installed("mldr.datasets")
  task <- as_mltask(mldr.datasets::emotions)
  unit <- apply(as.matrix(task), 2, function(v) (v - min(v)) / diff(range(v)))
  task <- mltask(unit, targets(task))
  expect_equal(-scores_of(task, sel_spec(1, zero_degree = 0.01, scale = "none"))[1:4],
    c(0.1746024173521, 0.2666208467948, 0.2474505819060, 0.0566816501836), tolerance = 1e-11)
  expect_equal(-scores_of(task, sel_spec(2, zero_degree = 0.01, scale = "none"))[1:4],
    c(0.806158153960, 0.733057764472, 0.883094739794, 0.724217528456), tolerance = 1e-11)
  # The direction that is constant over the graph takes no part in phi 2, whatever is added to a feature.
  expect_equal(
    scores_of(task, sel_spec(2, scale = "none")),
    scores_of(mltask(unit + 3, targets(task)), sel_spec(2, scale = "none")), tolerance = 1e-9
  )
})

test_that("rows may come in any order, and features on any scale", {
  withr::local_seed(4)
  x <- numbers_with_zeros(50, 5)
  y <- random_labels(50, 4)
  rows <- sample(50)
  for (phi in 1:3) {
    expected <- scores_of(mltask(x, y), sel_spec(phi))
    expect_equal(scores_of(mltask(x[rows, ], y[rows, ]), sel_spec(phi)), expected, tolerance = 1e-11)
    expect_equal(scores_of(mltask(1000 - 1e5 * x, y), sel_spec(phi)), expected, tolerance = 1e-9)
    expect_equal(scores_of(mltask(1e200 * x, y), sel_spec(phi)), expected, tolerance = 1e-11)
  }
})

test_that("features that say nothing score -Inf and stand last", {
  y <- cbind(a = c(1, 1, 0, 0, 0), b = c(0, 1, 1, 0, 0))
  x <- cbind(constant = 2, zero = 0, isolated = c(0, 0, 0, 1, 2), real = c(3, 4, 1, 0, 1))
  expect_identical(is.finite(scores_of(mltask(x, y), sel_spec(scale = "none"))), c(FALSE, FALSE, FALSE, TRUE))
  expect_identical(is.finite(scores_of(mltask(x, y), sel_spec(2))), c(FALSE, FALSE, FALSE, TRUE))
  expect_identical(sift_features(mltask(x, y), sel_spec(2))$feature, c("real", "constant", "zero", "isolated"))
})

test_that("factors count as numbers where they have two levels or an order", {
  withr::local_seed(5)
  y <- random_labels(30, 3)
  codes <- random_codes(30, 3, 2)
  frame <- data.frame(f1 = factor(codes[, 1]), f2 = codes[, 2] == 1, f3 = factor(codes[, 3], ordered = TRUE))
  expect_equal(
    scores_of(mltask(frame, y, kind = "label"), sel_spec()), scores_of(mltask(codes, y, kind = "label"), sel_spec()),
    tolerance = 1e-12
  )
})

test_that("what SPEC cannot use is refused", {
  y <- cbind(a = c(1, 0, 0), b = c(0, 1, 0))
  expect_snapshot(error = TRUE, {
    sel_spec(4)
    sel_spec(zero_degree = -1)
    sel_spec(kappa = 1)
    sel_spec(scale = "range")
    sift_features(mltask(cbind(f = 1:3 + 0.5), y), sel_spec())
    sift_features(mltask(data.frame(f = factor(c("r", "g", "b"))), y, kind = "label"), sel_spec())
    sift_features(mltask(cbind(f = c(1e200, 1, 2)), y), sel_spec(scale = "none"))
    sift_features(mltask(cbind(f = c(NA, 1, 2)), y), sel_spec())
    sift_features(mltask(cbind(f = c(0.5, 1, 2)), c(0.5, 1, 2)), sel_spec())
  })
  expect_equal(scores_of(mltask(cbind(f = 1:3 + 0.5), y), sel_spec(zero_degree = 0.01)), -1)
})

test_that("features are scaled with all rows, in every layout", {
  withr::local_seed(1)
  x <- matrix(rnorm(40, 3, 2), 10, dimnames = list(NULL, letters[1:4]))
  x[, 2] <- 5
  y <- rep(0:1, 5)
  expected <- scale(x)
  expected[, 2] <- x[, 2]
  expect_equal(unclass(features(scale_features(mltask(x, y)))), expected, ignore_attr = TRUE, tolerance = 1e-14)
  frame <- data.frame(x, f = factor(rep(c("u", "v"), 5)), l = rep(c(TRUE, FALSE), 5))
  got <- features(scale_features(mltask(frame, y)))
  expect_equal(as.matrix(got[1:4]), expected, ignore_attr = TRUE, tolerance = 1e-14)
  expect_identical(got[c("f", "l")], frame[c("f", "l")])
  plain <- features(scale_features(mltask(x, y), center = FALSE))
  expect_equal(plain[, c(1, 3, 4)], sweep(x[, -2], 2, apply(x[, -2], 2, sd), `/`), ignore_attr = TRUE)
  x[sample(40, 20)] <- 0
  sparse <- mltask(Matrix::Matrix(x, sparse = TRUE), y)
  expect_equal(as.matrix(features(scale_features(sparse))), as.matrix(features(scale_features(mltask(x, y), FALSE))),
    tolerance = 1e-13, ignore_attr = TRUE)
  expect_error(scale_features(sparse, center = TRUE), "cannot be centered", class = "mlsift_error")
})

test_that("missing values do not count, and scaled features are not discrete any more", {
  x <- data.frame(a = c(NA, 1, 2, 4), b = c(1L, 2L, 3L, 3L))
  task <- mltask(x, c(0, 1, 1, 0))
  got <- scale_features(task)
  expect_equal(features(got)$a, as.vector(scale(x$a)))
  expect_identical(unname(got$discrete), c(FALSE, FALSE))
  sparse <- Matrix::Matrix(c(NA, 1, 0, 4, 0, 0, 2, 3), 4, sparse = TRUE, dimnames = list(NULL, c("a", "b")))
  expected <- as.matrix(sparse)
  expected <- sweep(expected, 2, apply(expected, 2, sd, na.rm = TRUE), `/`)
  got <- as.matrix(features(scale_features(mltask(sparse, c(0, 1, 1, 0)))))
  expect_equal(got, expected, ignore_attr = TRUE)
})

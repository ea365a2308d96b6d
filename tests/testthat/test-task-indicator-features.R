test_that("factors become indicators, as model.matrix() makes them", {
  x <- data.frame(
    n = c(1.5, 2, 3, 4), f = factor(c("u", "v", "w", "u")), two = factor(c("a", "b", "b", "a")),
    o = factor(c("lo", "hi", "mid", "lo"), c("lo", "mid", "hi"), ordered = TRUE), l = c(TRUE, FALSE, TRUE, TRUE)
  )
  task <- mltask(x, c(0, 1, 1, 0))
  got <- features(indicator_features(task))
  expect_named(got, c("n", "f=u", "f=v", "f=w", "two", "o", "l"))
  expect_equal(as.matrix(got[2:4]), model.matrix(~ f - 1, x), ignore_attr = TRUE)
  expect_identical(got$two, c(0L, 1L, 1L, 0L))
  expect_identical(got$l, c(1L, 0L, 1L, 1L))
  expect_identical(got$o, x$o)
  # What refused the factor accepts its indicators.
  expect_error(sift_features(task, sel_mlrf(1), k = 1), class = "mlsift_error")
  expect_identical(nrow(sift_features(indicator_features(task), sel_mlrf(1), k = 2)), 2L)
})

test_that("missing values, matrices and names", {
  x <- data.frame(f = factor(c("u", NA, "w", "v")), "f=u" = 1:4 / 3, check.names = FALSE)
  expect_error(indicator_features(mltask(x, c(0, 1, 1, 0))), "more than once", class = "mlsift_error")
  got <- features(indicator_features(mltask(x["f"], c(0, 1, 1, 0))))
  expect_identical(got[["f=u"]], c(1L, NA, 0L, 0L))
  expect_true(all(indicator_features(mltask(x["f"], c(0, 1, 1, 0)))$discrete))
  named <- indicator_features(mltask(data.frame(f = x$f, row.names = letters[1:4]), c(0, 1, 1, 0)))
  expect_identical(rownames(features(named)), letters[1:4])
  expect_identical(features(named["d", ])[["f=v"]], 1L)
  matrix_task <- mltask(matrix(rnorm(8), 4), c(0, 1, 1, 0))
  expect_identical(indicator_features(matrix_task), matrix_task)
})

test_that("an own selector that needs numbers points to indicators where a task has factors", {
  task <- mltask(warpbreaks, targets = "breaks")
  largest <- sel_custom("MaxCor", function(task, k) abs(cor(as.matrix(task), targets(task)))[, 1L])
  expect_error(sift_features(task, largest), "fun.*failed on a task with factors, such as \"wool\".*indicator_features",
    class = "mlsift_error")
  found <- sift_features(indicator_features(task), largest)
  expect_identical(selected(found), c("tension=L", "tension=H", "wool", "tension=M"))
  expect_identical(found$score[3L], abs(cor(warpbreaks$breaks, warpbreaks$wool == "B")))
  failing <- sel_custom("Failing", function(task, k) stop("no numbers here"))
  expect_error(sift_features(indicator_features(task), failing), "^no numbers here$")
})

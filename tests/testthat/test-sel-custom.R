test_that("scores with the names of the features go by these", {
  task <- mltask(matrix(rnorm(40), 10, dimnames = list(NULL, c("a", "b", "c", "d"))), cbind(y = rep(0:1, 5)))
  scored <- function(score) selected(sift_features(task, sel_custom("Named", function(task, k) score)))
  expect_identical(scored(c(d = 4, c = 3, b = 2, a = 1)), c("d", "c", "b", "a"))
  expect_identical(scored(c(u = 4, v = 3, w = 2, x = 1)), c("a", "b", "c", "d"))
})

test_that("rows of the task that the function gets are numbered from 1", {
  task <- mltask(cbind(a = rnorm(40), b = rnorm(40)), cbind(y = rep(0:1, 20)))
  same <- NULL
  splits <- sel_custom("Splits", function(task, k) {
    split <- split_rows(task, rs_cv(2))[[1L]]
    same <<- c(same, identical(split_rows(task, rs_fixed(split$train, split$test))[[1L]], split))
    c(1, 0)
  })
  sift_features(task, sel_bagged(splits, n = 2), k = 1)
  expect_identical(same, c(TRUE, TRUE))
})

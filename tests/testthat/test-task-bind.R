test_that("rows of tasks are joined in every layout", {
  set.seed(1)
  x <- matrix(rnorm(40), 10, dimnames = list(NULL, letters[1:4]))
  y <- matrix(rbinom(20, 1, 0.5), 10, dimnames = list(NULL, c("l", "m")))
  for (task in list(mltask(x, y, name = "t"), mltask(sparse(x), sparse(y), name = "t"))) {
    joined <- rbind(task[1:4, ], NULL, task[5:10, ])
    expect_identical(as.matrix(features(joined)), as.matrix(features(task)))
    expect_identical(as.matrix(targets(joined)), as.matrix(targets(task)))
    expect_identical(joined$discrete, task$discrete)
    expect_identical(joined$name, "t")
  }
  frame <- mltask(data.frame(a = 1:4 / 3, f = factor(c("u", "v", "u", "v"))), factor(c("p", "q", "p", "q")))
  other <- mltask(data.frame(a = 1:2 / 3, f = factor(c("w", "w"))), factor(c("p", "p"), c("p", "q")))
  joined <- rbind(frame, other)
  expect_identical(levels(features(joined)$f), c("u", "v", "w"))
  expect_identical(dim(joined), c(6L, 2L))
  expect_identical(rbind(frame), frame)
})

test_that("tasks that do not fit are refused", {
  task <- mltask(matrix(1:6 / 7, 2, dimnames = list(NULL, c("a", "b", "c"))), c(0, 1))
  expect_error(rbind(task, task[, 3:1]), "same features", class = "mlsift_error")
  expect_error(rbind(task, mltask(features(task), cbind(other = c(0, 1)))), "same targets", class = "mlsift_error")
  expect_error(rbind(task, mltask(features(task), c(0.5, 2))), "same kind", class = "mlsift_error")
  expect_error(rbind(task, features(task)), "mltask", class = "mlsift_error")
  expect_error(cbind(task, task), "by columns", class = "mlsift_error")
  of <- function(values) mltask(data.frame(a = 1:3 / 7, v = values), c(0, 1, 1))
  ordered <- function(...) of(factor(c("lo", "hi", "lo"), c(...), ordered = TRUE))
  text <- of(c("lo", "hi", "lo"))
  types <- list(of(c(1.5, 2, 3)), text, ordered("lo", "hi"), ordered("hi", "lo"), ordered("lo", "mid", "hi"))
  for (i in 1:4) for (j in (i + 1):5) {
    expect_error(rbind(types[[i]], types[[j]]), "same types.*\"v\" has ", class = "mlsift_error")
  }
  expect_error(rbind(mltask(sparse(diag(3)[, 1:2]), c(0, 1, 1)), mltask(
    data.frame(f1 = c("u", "v", "w"), f2 = 1:3), c(0, 1, 1)
  )), "\"f1\" has numbers in one task and levels", class = "mlsift_error")
})

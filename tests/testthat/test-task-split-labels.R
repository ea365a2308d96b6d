test_that("lists of labels become 0/1 columns of whole parts", {
  x <- c(a = "asthma; cough", b = "asthma-severe", c = "", d = NA, e = " cough ;;Asthma; cough")
  expected <- rbind(
    a = c(0L, 1L, 0L, 1L), b = c(0L, 0L, 1L, 0L), c = integer(4), d = rep(NA_integer_, 4), e = c(1L, 0L, 0L, 1L)
  )
  colnames(expected) <- c("Asthma", "asthma", "asthma-severe", "cough")
  expect_identical(split_labels(x), expected)
  expect_identical(split_labels(factor(unname(x))), `rownames<-`(expected, NULL))
})

test_that("the separator is taken literally", {
  expect_identical(split_labels(c("a|b", "b.c"), sep = "|"), cbind(a = c(1L, 0L), b = 1:0, "b.c" = 0:1))
  expect_identical(split_labels(c("a, b", "b"), sep = ", "), cbind(a = 1:0, b = c(1L, 1L)))
  expect_identical(split_labels("a.b", sep = "."), cbind(a = 1L, b = 1L))
})

test_that("texts without parts give no columns", {
  expect_identical(dim(split_labels(c("", NA, " ; "))), c(3L, 0L))
  expect_identical(dim(split_labels(c(NA, NA))), c(2L, 0L))
  expect_identical(dim(split_labels(character())), c(0L, 0L))
})

test_that("the result is a task's labels", {
  task <- mltask(data.frame(age = c(31.5, 8, 54)), split_labels(c("a;b", "b", "")))
  expect_identical(unname(task$kind), c("label", "label"))
  expect_identical(unname(task$y), cbind(c(1L, 0L, 0L), c(1L, 1L, 0L)))
})

test_that("what is no list of labels is refused", {
  expect_snapshot(error = TRUE, {
    split_labels(1:3)
    split_labels(data.frame(a = "b"))
    split_labels("a;b", sep = "")
    split_labels(c("a", "\xff;b"))
  })
})

test_that("mltask() points to it", {
  x <- data.frame(f = c(0.5, 1, 2, 4))
  expect_message(mltask(x, c("a|b,c", "b|a", "a", "b")), "split_labels(column, sep = \"|\")", fixed = TRUE)
  expect_message(mltask(x, c("a;b", "b;a", "a", "b")), "split_labels(column, sep = \";\")", fixed = TRUE)
})

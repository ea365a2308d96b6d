frequent <- function(...) feature_names(filter_frequent(...))

# Present in 1, 4, 2, 4 and 3 of 5 rows.
counts <- c(a = 1, b = 4, c = 2, d = 4, e = 3)
words <- vapply(counts, function(n) rep(c(2, 0), c(n, 5 - n)), double(5))
labels <- cbind(l1 = c(1, 0, 1, 0, 0), l2 = c(0, 0, 1, 1, 0))

test_that("the most frequent features are kept, in column order", {
  task <- mltask(words, labels)
  expect_identical(frequent(task, 0.2), "b")
  expect_identical(frequent(task, 0.4), c("b", "d"))
  expect_identical(frequent(task, 0.6), c("b", "d", "e"))
  expect_identical(frequent(task, 0.8), c("b", "c", "d", "e"))
  expect_identical(frequent(task, 1), names(counts))
})

test_that("the number kept is rounded down, and at least 1", {
  task <- mltask(words, labels)
  expect_identical(frequent(task, 0.59), c("b", "d"))
  expect_identical(frequent(task, 1e-6), "b")
  expect_identical(frequent(mltask(words[, "a", drop = FALSE], labels), 0.5), "a")
  # As a product of doubles, 29 % of 100 are less than 29.
  expect_length(frequent(mltask(matrix(1, 5, 100), labels), 0.29), 29)
})

test_that("equally frequent features are kept in column order", {
  set.seed(1)
  same <- vapply(letters[1:6], function(name) sample(rep(0:1, each = 4)), double(8))
  task <- mltask(same, cbind(l1 = rep(0:1, 4)))
  expect_identical(frequent(task, 0.5), c("a", "b", "c"))
})

test_that("what is kept does not depend on how the features are stored", {
  set.seed(2)
  x <- matrix(rbinom(40 * 12, 1, rep(runif(12), each = 40)), 40, dimnames = list(NULL, paste0("f", 1:12)))
  y <- cbind(l1 = rbinom(40, 1, 0.4))
  expected <- paste0("f", sort(order(-colSums(x))[1:5]))
  stored <- list(
    dense = x, sparse = sparse(x), factors = as_factors(x), logical = x == 1, integers = as.data.frame(x + 0L)
  )
  for (name in names(stored)) expect_identical(frequent(mltask(stored[[name]], y), 0.45), expected, label = name)
  expect_true(methods::is(features(filter_frequent(mltask(sparse(x), y), 0.45)), "sparseMatrix"))
})

test_that("any number other than 0 is present, a missing value is not", {
  x <- data.frame(a = c(-1, 0.5, 0, 0), b = c(NA, NA, NA, 1), c = c(3, 0, 0, NA), d = factor(c(1, 1, 1, NA), 0:1))
  task <- mltask(x, cbind(l1 = c(0, 1, 0, 1)))
  expect_identical(frequent(task, 0.25), "d")
  expect_identical(frequent(task, 0.5), c("a", "d"))
  expect_identical(frequent(task, 0.75), c("a", "b", "d"))
  expect_identical(frequent(mltask(as.matrix(x[1:3]), cbind(l1 = c(0, 1, 0, 1))), 0.34), "a")
})

test_that("rows, targets and values stay as they are", {
  task <- mltask(words, labels)
  kept <- filter_frequent(task, 0.4)
  expect_identical(features(kept), features(task)[, c("b", "d")])
  expect_identical(targets(kept), targets(task))
})

test_that("what is no share or no text is refused", {
  expect_snapshot(error = TRUE, {
    task <- mltask(words, labels)
    filter_frequent(words, 0.5)
    filter_frequent(task, 0)
    filter_frequent(task, 1.5)
    filter_frequent(task, NA)
    filter_frequent(task, c(0.1, 0.2))
    filter_frequent(mltask(data.frame(word = factor(c("no", "yes", "no"))), cbind(l1 = c(1, 0, 1))), 0.5)
  })
})

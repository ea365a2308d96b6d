# Names that are made when they are read.

test_that("numbered names are what paste0() makes", {
  names <- cpp_numbered_names("f", 1000)
  expect_true(cpp_are_numbered_names(names))
  expect_identical(names[c(1, 10, 1000)], c("f1", "f10", "f1000"))
  expect_identical(names, paste0("f", 1:1000))
  expect_identical(length(cpp_numbered_names("f", 3e7)), 30000000L)
  expect_identical(cpp_numbered_names("f", 3e7)[3e7], "f30000000")
  expect_identical(nchar(names), nchar(paste0("f", 1:1000)))
  expect_identical(sort(names), sort(paste0("f", 1:1000)))
  expect_identical(unserialize(serialize(names, NULL)), paste0("f", 1:1000))
  expect_false(cpp_are_numbered_names(paste0("f", 1:3)))
})

test_that("a changed copy leaves the names as they are", {
  names <- cpp_numbered_names("l", 5)
  copy <- names
  copy[2] <- "b"
  expect_identical(copy, c("l1", "b", "l3", "l4", "l5"))
  expect_identical(names[2], "l2")
  expect_false(cpp_are_numbered_names(copy))
})

test_that("names are found without being made", {
  asked <- c("f3", "f03", "f0", "f11", "f10", "x3", "f", "f3 ", "f99999999999", NA, "f1")
  expect_identical(match_names(asked, cpp_numbered_names("f", 10)), match(asked, paste0("f", 1:10)))
  expect_identical(common_names(cpp_numbered_names("f", 10), asked), intersect(asked, paste0("f", 1:10)))
  expect_identical(common_names(cpp_numbered_names("f", 10), cpp_numbered_names("l", 10)), character())
  expect_identical(common_names(c("a", "b"), c("b", "c")), "b")
})

test_that("a wide task without names does not make them", {
  skip_unless_all()
  d <- 300000L
  x <- methods::new("ngCMatrix", i = rep(0:1, length.out = d), p = 0:d, Dim = c(4L, d))
  task <- mltask(x, c(1, 0, 1, 0))
  expect_true(cpp_are_numbered_names(colnames(task$x)))
  expect_output(print(task), "features \\(sparse, 300,000 discrete\\): f1, f2, f3")
  sel <- sift_features(task, sel_mim(), k = 2)
  expect_identical(sel$feature, c("f1", "f2"))
  expect_identical(feature_names(task[, c("f7", "f300000")]), c("f7", "f300000"))
  expect_identical(feature_names(subset_features(task, sel)), c("f1", "f2"))
  expect_true(cpp_are_numbered_names(colnames(task$x)))
  expect_error(task[, "f300001"], "no feature", class = "mlsift_error")
})

test_that("features and targets may not share a name, also where names are numbers", {
  x <- sparse(matrix(c(0, 1, 1, 0), 2))
  expect_error(mltask(x, cbind(f2 = 0:1)), "different names", class = "mlsift_error")
  expect_identical(target_names(mltask(x, cbind(f3 = 0:1))), "f3")
})

# The clusters of a task's target groups by definition, from the same draws.
expected_groups <- function(z, euclidean, ..., size = "random", clusters = "random", n_groups = ncol(z)) {
  groups <- draw_groups(ncol(z), size, clusters, n_groups)
  vapply(
    seq_len(n_groups),
    function(i) oracle_clusters(z[, groups$members[[i]], drop = FALSE], groups$clusters[i], euclidean), integer(nrow(z))
  )
}

# `tasks`: one, or a list of the same data in several layouts.
expect_groups <- function(tasks, z, euclidean, ..., seed = 1) {
  set.seed(seed)
  expected <- expected_groups(z, euclidean, ...)
  for (task in if (inherits(tasks, "mltask")) list(tasks) else tasks) {
    set.seed(seed)
    expect_identical(target_groups(task, ...), expected)
  }
}

x_of <- function(n) matrix(as.double(seq_len(n)), n, dimnames = list(NULL, "f"))

test_that("groups of labels are clustered around medoids as defined, ties and all", {
  withr::local_seed(2)
  for (shape in list(c(50, 9, 0.3), c(30, 14, 0.2), c(40, 5, 0.5), c(25, 70, 0.1), c(12, 1, 0.5))) {
    y <- random_labels(shape[1], shape[2], shape[3])
    tasks <- lapply(list(y, sparse(y)), function(kept) mltask(x_of(nrow(y)), kept, kind = "label"))
    expect_groups(tasks, occurring(y), FALSE)
    expect_groups(tasks, occurring(y), FALSE, size = 0.5, clusters = 3L, n_groups = 4L)
    expect_groups(tasks, occurring(y), FALSE, size = 1, clusters = 8L, n_groups = 1L)
  }
})

test_that("groups of classes count mismatches", {
  withr::local_seed(3)
  y <- as.data.frame(lapply(
    c(a = 2, b = 3, c = 5, d = 4),
    function(levels) factor(sample(letters[seq_len(levels)], 40, TRUE), letters[seq_len(levels)])
  ))
  task <- mltask(x_of(40), y, kind = "class")
  codes <- vapply(y, as.integer, integer(40))
  expect_groups(task, codes, FALSE, clusters = 4L)
  expect_groups(task, codes, FALSE, size = 1, clusters = 5L, n_groups = 2L)
})

test_that("groups of numbers use Euclidean distances", {
  withr::local_seed(4)
  y <- matrix(stats::rnorm(45 * 5), 45, dimnames = list(NULL, paste0("t", 1:5)))
  y[6:10, ] <- y[1:5, ]
  task <- mltask(x_of(45), y)
  expect_groups(task, y, TRUE)
  expect_groups(task, y, TRUE, size = 0.6, clusters = 6L, n_groups = 8L)
  whole <- matrix(as.double(sample(0:2, 120, TRUE)) + 0.5, 40, dimnames = list(NULL, c("a", "b", "c")))
  expect_groups(mltask(x_of(40), whole), whole, TRUE, size = 0.3, clusters = 2L)
})

test_that("clusters depend neither on the order of rows nor on threads", {
  withr::local_seed(5)
  y <- random_labels(80, 12)
  rows <- sample(80)
  z <- matrix(stats::rnorm(240), 80, dimnames = list(NULL, c("a", "b", "c")))
  for (targets in list(y, z)) {
    set.seed(1)
    expected <- target_groups(mltask(x_of(80), targets), threads = 1L)
    set.seed(1)
    expect_identical(target_groups(mltask(x_of(80), targets), threads = 2L), expected)
    set.seed(1)
    expect_identical(target_groups(mltask(x_of(80), targets[rows, ])), expected[rows, ])
  }
})

test_that("no more clusters than distinct vectors, and one cluster where there is one", {
  y <- cbind(a = rep(0:1, 10), b = 1L)
  task <- mltask(x_of(20), y, kind = "label")
  set.seed(1)
  expect_identical(target_groups(task, size = 1, clusters = 9L, n_groups = 1L), cbind(rep(1:2, 10)))
  expect_true(all(target_groups(task, size = 1, clusters = 1L) == 1L))
})

test_that("cluster::pam() agrees on rows without ties", {
  skip_if_not_installed("cluster")
  withr::local_seed(6)
  for (round in 1:5) {
    y <- matrix(stats::rnorm(60 * 3), 60, dimnames = list(NULL, c("a", "b", "c")))
    y[31:40, ] <- y[1:10, ]
    found <- target_groups(mltask(x_of(60), y), size = 1, clusters = 4L, n_groups = 1L)[, 1]
    published <- cluster::pam(y, 4, cluster.only = TRUE)
    expect_identical(match(found, unique(found)), unname(match(published, unique(published))))
  }
})

test_that("samples of many distinct vectors give nearly as good clusters", {
  withr::local_seed(7)
  y <- matrix(stats::rnorm(1200) + rep(c(0, 8, 20), 400), 600, 2, byrow = TRUE, dimnames = list(NULL, c("a", "b")))
  y[, "b"] <- y[, "a"] + stats::rnorm(600)
  task <- mltask(x_of(600), y)
  set.seed(1)
  exact <- target_groups(task, size = 1, clusters = 3L, n_groups = 2L)
  set.seed(1)
  sampled <- target_groups(task, size = 1, clusters = 3L, n_groups = 2L, most = 200L, sample = 100L)
  expect_gt(mean(exact == sampled), 0.95)
  expect_identical(dim(sampled), c(600L, 2L))
  set.seed(1)
  expect_identical(
    target_groups(task, size = 1, clusters = 3L, n_groups = 2L, most = 200L, sample = 100L, threads = 2L), sampled
  )
  # A sample of everything is everything.
  set.seed(1)
  expect_identical(target_groups(task, size = 1, clusters = 3L, n_groups = 2L, most = 200L, sample = 600L), exact)
})

test_that("sizes are drawn as the papers say", {
  withr::local_seed(8)
  groups <- draw_groups(10L, "random", "random", 400L)
  expect_setequal(lengths(groups$members), 3:7)
  expect_setequal(groups$clusters, 4:16)
  expect_false(any(vapply(groups$members, function(m) anyDuplicated(m) > 0 || is.unsorted(m), NA)))
  expect_identical(lengths(draw_groups(1L, "random", "random", 3L)$members), rep(1L, 3))
  expect_identical(unique(lengths(draw_groups(5L, 0.5, 4L, 20L)$members)), 3L)
  expect_identical(unique(lengths(draw_groups(50L, 0.29, 4L, 20L)$members)), 15L)
  expect_identical(lengths(draw_groups(5L, 0.01, 4L, 1L)$members), 1L)
})

test_that("impossible groups are refused", {
  expect_identical(
    check_grouping("random", "random", NULL), list(size = "random", clusters = "random", n_groups = NULL)
  )
  expect_identical(check_grouping(0.5, 8, 3), list(size = 0.5, clusters = 8L, n_groups = 3L))
  expect_snapshot(error = TRUE, {
    check_grouping(0, 8, NULL)
    check_grouping(2, 8, NULL)
    check_grouping("half", 8, NULL)
    check_grouping(0.5, 0, NULL)
    check_grouping(0.5, 2.5, NULL)
    check_grouping(0.5, "many", NULL)
    check_grouping(0.5, 8, 0)
  })
})

test_that("rows above the limit are no reason for samples where few vectors differ", {
  withr::local_seed(51)
  y <- random_labels(60, 3, 0.5)
  classes <- data.frame(a = factor(y[, 1]), b = factor(y[, 2] + 2 * y[, 3]))
  for (targets in list(y, classes)) {
    task <- mltask(cbind(f1 = rnorm(60)), targets)
    groups <- function(...) withr::with_seed(1, target_groups(task, size = 2, clusters = 2, ...))
    expect_identical(groups(most = 8), groups())
    samples <- withr::with_seed(1, {
      target_groups(task, size = 2, clusters = 2, most = 7, sample = 4)
      stats::runif(1)
    })
    expect_false(identical(samples, withr::with_seed(1, {
      target_groups(task, size = 2, clusters = 2, most = 8, sample = 4)
      stats::runif(1)
    })))
  }
})

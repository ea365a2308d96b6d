as_sets <- function(z) lapply(seq_len(nrow(z)), function(i) which(z[i, ] == 1))

as_selection <- function(features, d, rank = seq_along(features)) {
  structure(
    data.frame(rank = rank, feature = features, index = seq_along(features), score = 0),
    n_features = d, class = c("mlselection", "data.frame")
  )
}

test_that("stability equals its definitions", {
  withr::local_seed(1)
  for (i in first_or_all(1:20, 7)) {
    z <- matrix(as.integer(runif(7 * 12) < 0.4), 7)
    direct <- oracle_nogueira(z)
    ours <- stability(as_sets(z), n_features = 12, level = 0.9)
    expect_named(ours, c("method", "estimate", "conf_low", "conf_high", "n_sets"))
    expect_equal(ours$estimate, direct[["estimate"]], tolerance = 1e-12)
    half <- qnorm(0.95) * sqrt(direct[["variance"]])
    expect_equal(c(ours$conf_low, ours$conf_high), direct[["estimate"]] + c(-half, half), tolerance = 1e-12)
    jaccard <- over_pairs(
      as_sets(z), function(a, b) if (length(union(a, b))) length(intersect(a, b)) / length(union(a, b)) else 1
    )
    expect_equal(stability(as_sets(z), n_features = 12, method = "jaccard")$estimate, jaccard, tolerance = 1e-12)
  }
})

test_that("Kuncheva's index is its mean over pairs, and Nogueira's when sizes are equal", {
  withr::local_seed(2)
  sets <- replicate(6, sample(15, 4), simplify = FALSE)
  direct <- over_pairs(sets, function(a, b) (length(intersect(a, b)) * 15 - 16) / (4 * 11))
  expect_equal(stability(sets, n_features = 15, method = "kuncheva")$estimate, direct, tolerance = 1e-12)
  expect_equal(stability(sets, n_features = 15)$estimate, direct, tolerance = 1e-12)
})

test_that("values known by hand", {
  same <- list(c("a", "b"), c("b", "a"), c("a", "b"))
  for (method in c("nogueira", "jaccard", "kuncheva")) {
    expect_identical(stability(same, n_features = 9, method = method)$estimate, 1)
  }
  expect_identical(stability(same, n_features = 9)[c("conf_low", "conf_high")], data.frame(conf_low = 1, conf_high = 1))
  apart <- list(1:2, 3:4)
  expect_equal(stability(apart, n_features = 4)$estimate, -1)
  expect_identical(stability(apart, n_features = 4, method = "jaccard")$estimate, 0)
  expect_equal(stability(apart, n_features = 4, method = "kuncheva")$estimate, -1)
  full <- list(1:3, 3:1)
  expect_identical(stability(full, n_features = 3)$estimate, NA_real_)
  expect_identical(stability(full, n_features = 3, method = "kuncheva")$estimate, NA_real_)
  empty <- list(integer(), integer())
  expect_identical(stability(empty, n_features = 3)$estimate, NA_real_)
  expect_identical(stability(empty, n_features = 3, method = "jaccard")$estimate, 1)
  expect_identical(stability(list(1L, integer()), n_features = 3, method = "jaccard")$estimate, 0)
})

test_that("k cuts ordered sets and leaves short and unordered ones", {
  sets <- list(c(1, 2, 3), c(1, 2, 4), c(2, 1))
  expect_identical(stability(sets, k = 2, n_features = 9)$estimate, 1)
  expect_lt(stability(sets, k = 3, n_features = 9)$estimate, 1)
  unordered <- lapply(list(c("a", "b"), c("a", "c")), as_selection, d = 9, rank = NA_integer_)
  expect_identical(stability(unordered, k = 1), stability(unordered))
})

test_that("selections know how many features there were, and go by name", {
  sets <- list(c("a", "b"), c("b", "c"), c("b", "a"))
  chosen <- lapply(sets, as_selection, d = 9L)
  expect_identical(stability(chosen), stability(sets, n_features = 9))
  expect_snapshot(error = TRUE, {
    stability(chosen, n_features = 8)
    stability(list(as_selection("a", 3L), as_selection("a", 4L)))
  })
})

# A benchmark with the given selections, of tasks with five and nine features.
bench_of_selections <- function(chosen, n_selected = 2L) {
  units <- unique(chosen[c("task", "split", "selector")])
  rows <- data.frame(units, learner = "l", k = 2L, prop = NA_real_, n_selected = n_selected, measure = "m", value = 0)
  new_benchmark(rows, selections = chosen[chosen$rank > 0, ],
    tasks = data.frame(task = c("t", "u"), n_features = c(5L, 9L)))
}

test_that("a benchmark gives a row for each task and selector", {
  chosen <- expand.grid(rank = 1:2, split = 1:3, selector = c("A", "B"), task = c("t", "u"), stringsAsFactors = FALSE)
  withr::local_seed(3)
  pairs <- replicate(nrow(chosen) / 2, sample(letters[1:5], 2))
  chosen$feature <- c(pairs)
  bench <- bench_of_selections(chosen)
  result <- stability(bench)
  expect_named(result, c("task", "selector", "method", "estimate", "conf_low", "conf_high", "n_sets"))
  expect_identical(paste(result$task, result$selector), c("t A", "t B", "u A", "u B"))
  sets <- split(chosen$feature[7:12], chosen$split[7:12])
  expect_identical(result[2, 3:7], stability(unname(sets), n_features = 5), ignore_attr = TRUE)
  first <- stability(bench, k = 1)
  heads <- lapply(unname(sets), head, 1)
  expect_identical(first[2, 3:7], stability(heads, n_features = 5), ignore_attr = TRUE)
})

test_that("in a benchmark, a split without features is an empty set, and one that failed is none", {
  chosen <- data.frame(task = "t", split = 1:4, selector = "A", rank = c(1, 0, 1, 0), feature = c("a", NA, "a", NA))
  empty <- stability(bench_of_selections(chosen, c(1L, 0L, 1L, 0L)), method = "jaccard")
  expect_identical(empty$n_sets, 4L)
  expect_equal(empty$estimate, 2 / 6)
  failed <- stability(bench_of_selections(chosen, c(1L, NA, 1L, NA)), method = "jaccard")
  expect_identical(unlist(failed[c("estimate", "n_sets")]), c(estimate = 1, n_sets = 2))
  all <- stability(bench_of_selections(chosen, NA_integer_))
  expect_identical(unlist(all[c("estimate", "n_sets")]), c(estimate = NA, n_sets = 0))
})

test_that("what is not sets of features is refused", {
  expect_snapshot(error = TRUE, {
    stability(list("a"), n_features = 3)
    stability(c("a", "b"), n_features = 3)
    stability(list("a", "b"))
    stability(list("a", 2), n_features = 3)
    stability(list(1, 4), n_features = 3)
    stability(list(1, 1.5), n_features = 3)
    stability(list(c("a", "a"), "b"), n_features = 3)
    stability(list(c("a", "b"), c("c", "d")), n_features = 3)
    stability(list(1:2, 1), n_features = 3, method = "kuncheva")
    stability(list(1, 2), n_features = 3, method = "jacard")
    stability(list(1, 2), n_features = 3, level = 2)
    stability(list(1, 2), n_features = 3, k = 0)
  })
})

test_that("a benchmark of frequencies needs the numbers of features, from its tasks or the call", {
  withr::local_seed(4)
  bench <- benchmark_selectors(
    list(a = numbered_task(1)), list(sel_mim(), sel_random()), lrn_brknn(), rs_cv(3), 2, "hamming_loss",
    progress = FALSE
  )
  known <- stability(bench)
  attr(bench, "tasks") <- NULL
  expect_error(stability(bench), "does not say how many features task \"a\" has", class = "mlsift_error")
  expect_identical(stability(bench, n_features = 5), known)
  expect_false(identical(stability(bench, n_features = 6)$estimate, known$estimate))
})

combined_task <- function() {
  set.seed(1)
  simulate_mltask(60, 7, 3)
}

test_that("an ensemble combines the ranks of its selectors", {
  task <- combined_task()
  selectors <- list(sel_mim(), sel_scls(), sel_relieff_br())
  ranks <- vapply(selectors[c(1, 3)], function(selector) {
    found <- sift_features(task, selector)
    rank(-found$score)[order(found$index)]
  }, double(7))
  path <- order(sift_features(task, sel_scls())$index)
  ranks <- cbind(ranks[, 1], path, ranks[, 2])
  expected <- list(
    mean_rank = -rowMeans(ranks), median_rank = -apply(ranks, 1, median), best_rank = -apply(ranks, 1, min)
  )
  for (aggregate in names(expected)) {
    found <- sift_features(task, sel_ensemble(selectors, aggregate))
    expect_equal(found$score[order(found$index)], expected[[aggregate]])
    expect_identical(found$index, order(-expected[[aggregate]]))
  }
})

test_that("features that a selector leaves out, or does not order, share their ranks", {
  order <- sel_custom("order", function(task, k) c(3, 1), returns = "order")
  found <- sift_features(combined_task(), sel_ensemble(list(order, sel_none())))
  # Second: all seven share rank 4. First: 3 and 1 have ranks 1 and 2, the other five share 5.
  expect_equal(found$score[order(found$index)], -(c(2, 5, 1, 5, 5, 5, 5) + 4) / 2)
})

test_that("shares of subsamples are counted", {
  task <- combined_task()
  always <- sel_custom("always", function(task, k) c(5, 4, 3, 2, 1, 0, -1))
  found <- sift_features(task, sel_bagged(always, 10), k = 3)
  expect_identical(found$index, 1:3)
  expect_identical(found$score, c(1, 1, 1))
  set.seed(4)
  found <- sift_features(task, sel_bagged(sel_mim(), 12), k = 2)
  set.seed(4)
  share <- numeric(7)
  for (pair in 1:6) {
    order <- sample.int(60)
    for (rows in list(order[1:30], order[31:60])) {
      first <- sift_features(task[sort(rows), ], sel_mim(), k = 2)$index
      share[first] <- share[first] + 1 / 12
    }
  }
  expect_equal(found$score, share[found$index])
  expect_equal(sum(share), 2)
})

test_that("a threshold keeps stable features and states the bound", {
  task <- combined_task()
  always <- sel_custom("always", function(task, k) c(5, 4, 3, 2, 1, 0, -1))
  found <- sift_features(task, sel_bagged(always, 10, threshold = 0.75), k = 2)
  expect_identical(found$index, 1:2)
  expect_output(print(found), paste("at most", format(4 / (0.5 * 7), digits = 3)), fixed = TRUE)
  # No theorem bounds it for subsamples that are no pairs of halves.
  single <- sel_bagged(sel_mim(), 8, prop = 0.9, complementary = FALSE, threshold = 0.75)
  expect_no_match(attr(sift_features(combined_task(), single, k = 2), "note"), "expected number")
})

test_that("combined selectors take part in benchmarks and obey exclude and include", {
  task <- combined_task()
  both <- sel_ensemble(list(sel_mim(), sel_scls()))
  bench <- benchmark_selectors(task, list(both, sel_bagged(sel_mim(), 4)), lrn_nb(), rs_cv(2), 1:3, "hamming_loss")
  expect_false(anyNA(bench$value))
  found <- sift_features(task, both, exclude = 1:2, include = 7)
  expect_identical(found$index[1], 7L)
  expect_false(any(1:2 %in% found$index))
  set.seed(1)
  numeric <- mltask(matrix(rnorm(200), 40), matrix(rnorm(80), 40))
  expect_identical(nrow(sift_features(numeric, sel_ensemble(list(sel_mim(), sel_ml_cfs())), 2, target_bins = 3)), 2L)
})

test_that("bad parameters are refused", {
  expect_error(sel_ensemble(sel_mim()), "two or more", class = "mlsift_error")
  expect_error(sel_ensemble(list(sel_mim(), "scls")), "sel_scls", class = "mlsift_error")
  expect_error(sel_bagged(sel_mim(), 5), "must be even", class = "mlsift_error")
  expect_error(sel_bagged(sel_mim(), prop = 0.6), "prop", class = "mlsift_error")
  expect_error(sel_bagged(sel_mim(), threshold = 0.5), "threshold", class = "mlsift_error")
  task <- combined_task()
  on <- as.matrix(targets(task))[, 1] == 1
  tiny <- task[c(which(on)[1], which(!on)[1:2]), ]
  expect_error(sift_features(tiny, sel_bagged(sel_mim(), 2), 1), "at least 4 rows", class = "mlsift_error")
})

test_that("subsamples that are no pairs hold a share of the rows, and two at least", {
  withr::local_seed(12)
  drawn <- draw_subsamples(1:10, list(complementary = FALSE, prop = 0.35, n = 40))
  expect_length(drawn, 40)
  for (rows in drawn) {
    expect_length(rows, 3)
    expect_identical(rows, sort(unique(rows)))
  }
  expect_setequal(unlist(drawn), 1:10)
  expect_identical(lengths(draw_subsamples(1:10, list(complementary = FALSE, prop = 0.01, n = 3))), rep(2L, 3))
  expect_identical(lengths(draw_subsamples(1:100, list(complementary = FALSE, prop = 0.29, n = 3))), rep(29L, 3))
  found <- sift_features(combined_task(), sel_bagged(sel_mim(), n = 3, prop = 0.7, complementary = FALSE), 2)
  expect_true(all(found$score %in% ((0:3) / 3)))
})

test_that("an ensemble takes the targets that all its selectors take", {
  ensemble <- sel_ensemble(list(sel_mim(), sel_spec()))
  expect_error(sift_features(simulate_mltask(40, 6, 2, kind = "class"), ensemble), "class", class = "mlsift_error")
  expect_s3_class(sift_features(simulate_mltask(40, 6, 2), ensemble), "mlselection")
})

test_that("subsamples are drawn whatever the weights, and rows keep weights and unknown labels", {
  task <- combined_task()
  x <- features(task)
  y <- as.matrix(targets(task))
  w <- withr::with_seed(5, sample(0:3, 60, TRUE))
  hidden <- withr::with_seed(6, replace(y, sample(length(y), 60), NA))
  bagged <- function(task, ...) withr::with_seed(4, sift_features(task, sel_bagged(sel_mim(), 12, ...), k = 2))
  for (labels in list(y, hidden)) {
    weighted <- mltask(x, labels, weights = w)
    used <- mltask(x, labels, weights = w)[w > 0, ]
    share <- numeric(7)
    withr::with_seed(4, for (pair in 1:6) {
      order <- sample.int(sum(w > 0))
      half <- length(order) %/% 2
      for (rows in list(order[1:half], order[half + 1:half])) {
        first <- sift_features(used[sort(rows), ], sel_mim(), k = 2)$index
        share[first] <- share[first] + 1 / 12
      }
    })
    found <- bagged(weighted)
    expect_equal(found$score, share[found$index])
    expect_identical(as.data.frame(found), as.data.frame(bagged(used)))
    expect_identical(as.data.frame(bagged(mltask(x, labels, weights = rep(1, 60)), threshold = 0.6)),
      as.data.frame(bagged(mltask(x, labels), threshold = 0.6)))
    expect_identical(bagged(mltask(x, labels, weights = 8 * w))$index, found$index)
  }
  few <- c(which(y[, 1] == 1)[1], which(y[, 1] == 0)[1:5])
  expect_error(bagged(mltask(x[few, ], y[few, ], weights = c(1, 1, 1, 0, 0, 0))), "It has 3", class = "mlsift_error")
  expect_error(sift_features(mltask(x, y, weights = w), sel_bagged(sel_gmba(), 4), k = 2), "cannot use the weights",
    class = "mlsift_error")
  expect_error(sift_features(mltask(x, hidden), sel_bagged(sel_gmba(), 4), k = 2), "cannot use labels that are unknown",
    class = "mlsift_error")
})

test_that("subsamples of a task with groups are halves, or a share, of the groups", {
  task <- combined_task()
  group <- rep(c("d", "a", "c", "b", "e", "g", "f"), c(4, 16, 10, 2, 8, 12, 8))
  grouped <- mltask(features(task), targets(task), group = group)
  bagged <- function(task, ...) withr::with_seed(4, sift_features(task, sel_bagged(sel_mim(), 12, ...), k = 2))
  share <- numeric(7)
  withr::with_seed(4, for (pair in 1:6) {
    order <- unique(group)[sample.int(7)]
    for (drawn in list(order[1:3], order[4:6])) {
      first <- sift_features(task[which(group %in% drawn), ], sel_mim(), k = 2)$index
      share[first] <- share[first] + 1 / 12
    }
  })
  found <- bagged(grouped)
  expect_equal(found$score, share[found$index])
  expect_output(print(found), "shares of 12 subsamples of groups in which", fixed = TRUE)
  # Groups of one row each are no groups, with the same random numbers.
  single <- mltask(features(task), targets(task), group = 60:1)
  expect_identical(bagged(single)$score, bagged(task)$score)

  # Every set of groups that can be drawn is drawn, with all rows of each.
  number <- match(group, unique(group))
  drawn <- withr::with_seed(5, draw_subsamples(number, list(complementary = FALSE, prop = 0.3, n = 300)))
  sets <- vapply(drawn, function(rows) paste(unique(number[rows]), collapse = " "), "")
  expect_setequal(sets, utils::combn(7, 2, paste, collapse = " "))
  for (rows in drawn[1:20]) expect_identical(rows, which(number %in% number[rows]))
  few <- mltask(features(task), targets(task), group = rep(1:3, 20))
  expect_error(bagged(few), "at least 4 groups of rows.*It has 3", class = "mlsift_error")
})

test_that("settings by position are of the features before some are left out", {
  set.seed(1)
  x <- matrix(rnorm(480), 60, dimnames = list(NULL, paste0("f", 1:8)))
  y <- cbind(a = rep(0:1, 30), b = rep(0:1, each = 30))
  task <- mltask(x, y)
  seen <- character()
  noting <- lrn_custom("noting", function(x, y) {
    seen <<- c(seen, paste(colnames(x), collapse = " "))
    colMeans(y)
  }, function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE))
  search <- function(start) {
    sel_rga(noting, max_features = 2, evaluations = 2, population = 2, inner = rs_holdout(0.5, 1), start = start)
  }
  best <- function(selector) sel_best(selector, lrn_nb(), k = 2, resampling = rs_cv(2))
  sift_features(task, best(search(list(6, c(7, 8)))), exclude = 1:2)
  expect_setequal(seen, c("f6", "f7 f8"))
  constant <- task
  constant$x[, 2] <- 1
  short <- function(...) suppressMessages(sift(constant, learner = lrn_nb(), inner = rs_cv(2), estimate = FALSE, ...))
  seen <- character()
  short(selectors = sel_ensemble(list(search(list(6, c(7, 8))), sel_mim())), max_features = 2)
  expect_setequal(seen, c("f6", "f7 f8"))
  expect_error(short(selectors = search(list(2))), "must not hold features that are left out", class = "mlsift_error")
  earlier <- sift_features(constant, sel_mim(), include = "f2")
  seen <- character()
  short(selectors = search(earlier), max_features = 2)
  expect_true(all(c(earlier$feature[2], paste(sort(earlier$feature[2:3]), collapse = " ")) %in% seen))

  graph <- diag(c(0, 0, 0, 0, 0, 1, 1, 0))
  graph[6, 7] <- graph[7, 6] <- -1
  linked <- sel_mssl(graph = graph)
  kept <- task[, -1]
  expected <- sift_features(kept, sel_mssl(graph = graph[-1, -1]), k = 2)
  found <- sift_features(task, best(linked), exclude = 1)
  expect_identical(selected(found), selected(expected))
  whole <- sift_features(kept, sel_turf(sel_mssl(graph = graph[-1, -1])))
  expect_identical(selected(sift_features(task, sel_turf(linked), exclude = 1)), selected(whole))
  short_graph <- best(sel_mssl(graph = graph[-1, -1]))
  expect_error(sift_features(task, short_graph, exclude = 1), "must have a row for each", class = "mlsift_error")
})

test_that("orders and groups of rows are of the whole task", {
  set.seed(1)
  x <- matrix(rnorm(240), 60, dimnames = list(NULL, paste0("f", 1:4)))
  task <- mltask(x, cbind(a = rep(c(0, 0, 1, 1), 15), b = rep(0:1, each = 30)))
  half <- seq(60, 2, by = -2)
  part <- split_part(task, sort(half))
  order <- c(half, seq(1, 59, by = 2))
  on_part <- sel_gmba(s_min = 0.4, row_order = match(half, sort(half)))
  expect_identical(plain_data(sift_features(part, sel_gmba(s_min = 0.4, row_order = order))),
    plain_data(sift_features(own_task(part), on_part)))
  groups <- matrix(rep(1:3, 40), 60, 2)
  expect_identical(sift_features(part, sel_group_jmi(groups = groups))$score,
    sift_features(own_task(part), sel_group_jmi(groups = groups[sort(half), ]))$score)
  bagged <- function(selector) sift_features(task, sel_bagged(selector, n = 2), k = 2)
  expect_error(bagged(sel_gmba(s_min = 0.4, row_order = 30:1)), "has 30 elements", class = "mlsift_error")
  expect_error(bagged(sel_group_jmi(groups = groups[1:30, ])), "It has 30", class = "mlsift_error")
  expect_s3_class(bagged(sel_gmba(s_min = 0.4, row_order = order)), "mlselection")
})

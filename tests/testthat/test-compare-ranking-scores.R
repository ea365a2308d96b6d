oracle_ranking_scores <- function(values, direction) {
  means <- apply(values, c(1, 3, 4), mean)
  if (direction == "maximize") means <- -means
  ranks <- apply(round(means, 12), c(1, 3), rank)
  t(apply(ranks, c(1, 2), mean))
}

test_that("scores are mean ranks over the grid", {
  withr::local_seed(1)
  values <- round(random_values(), 2)
  for (direction in c("minimize", "maximize")) {
    scores <- ranking_scores(hand_benchmark(values, direction = direction), "hamming_loss")
    expect_equal(scores, oracle_ranking_scores(values, direction), ignore_attr = "dimnames")
    expect_identical(dimnames(scores), dimnames(values)[c(1, 3)])
    expect_equal(unname(rowSums(scores)), rep(10, 4))
  }
})

test_that("the order of rows and of splits does not matter", {
  withr::local_seed(2)
  bench <- hand_benchmark(random_values())
  scores <- ranking_scores(bench)
  o <- sample(nrow(bench))
  expect_identical(ranking_scores(bench[o, ])[rownames(scores), colnames(scores)], scores)
})

test_that("means that differ by rounding alone are ties", {
  values <- array(c(0.1, 0.3, 0.2, 0.2, 0.3, 0.1), c(1, 2, 3, 1), list("a", 1:2, c("x", "y", "z"), 1))
  expect_identical(unname(ranking_scores(hand_benchmark(values))[1, ]), c(2, 2, 2))
})

test_that("a copy of a selector shares its rank", {
  withr::local_seed(3)
  values <- random_values()
  values[, , "Random", ] <- values[, , "MFS", ]
  scores <- ranking_scores(hand_benchmark(values))
  expect_identical(scores[, "Random"], scores[, "MFS"])
})

test_that("tasks may have grids of their own; missing values void a task", {
  withr::local_seed(4)
  bench <- hand_benchmark(random_values())
  short <- bench[!(bench$task == "task1" & bench$k > 3), ]
  expect_identical(ranking_scores(short)[-1, ], ranking_scores(bench)[-1, ])
  expect_identical(ranking_scores(short)["task1", ], ranking_scores(bench[bench$k <= 3, ])["task1", ])
  hole <- bench[-1, ]
  expect_snapshot(scores <- ranking_scores(hole))
  expect_true(all(is.na(scores["task1", ])))
  expect_false(anyNA(scores[-1, ]))
})

test_that("what is not a benchmark, or not in it, is refused", {
  withr::local_seed(5)
  bench <- hand_benchmark(random_values())
  two <- join_benchmarks(bench, hand_benchmark(random_values(), learner = "BR-kNN"))
  mixed <- join_benchmarks(bench, hand_benchmark(random_values(k = 1:3 / 10), "micro_f1", by = "prop"))
  expect_snapshot(error = TRUE, {
    ranking_scores(as.matrix(1:3))
    ranking_scores(bench, "micro_f2")
    ranking_scores(two)
    ranking_scores(two, learner = "BR-knn")
    ranking_scores(mixed, "micro_f1")
    ranking_scores(bench[c(1, seq_len(nrow(bench))), ])
    ranking_scores(structure(bench[-1], class = class(bench)))
  })
  expect_identical(ranking_scores(two, learner = "ML-kNN"), ranking_scores(bench))
})

test_that("pictures, rank test and help agree on the winner", {
  withr::local_seed(3)
  bench <- benchmark_selectors(
    list(a = simulate_mltask(50, 8, 3), b = simulate_mltask(50, 8, 3), c = simulate_mltask(50, 8, 3)),
    list(sel_mim(), sel_mfs(), sel_random(), sel_scls()), lrn_brknn(), rs_holdout(repeats = 2), k = 1:5,
    measures = "hamming_loss"
  )
  test <- rank_test(bench)
  found <- bench_values(bench, "hamming_loss", NULL)
  expect_equal(mean_ranks(found), test$mean_ranks)
  best <- names(sort(test$mean_ranks))
  expect_identical(levels(autoplot(bench)$data$selector), best)
  expect_identical(levels(autoplot(bench, type = "rank")$data$selector), rev(best))
  time <- autoplot(bench, type = "time")$data
  expect_equal(time$score, unname(test$mean_ranks[time$selector]))
})

test_that("the printed estimate of a pair is that of its interval", {
  withr::local_seed(4)
  losses <- matrix(stats::rexp(12 * 2), 12, dimnames = list(NULL, c("A", "B")))
  pairs <- compare_pairs(losses, direction = "minimize")
  expect_false(isTRUE(all.equal(pairs$difference, pairs$median_difference)))
  row <- tidy(pairs)
  expect_identical(row$estimate, pairs$median_difference)
  expect_true(row$conf.low <= row$estimate && row$estimate <= row$conf.high)
  shown <- utils::capture.output(print(pairs))
  expect_true(any(grepl(signif(pairs$median_difference, 3), shown, fixed = TRUE)))
  expect_false(any(grepl(signif(pairs$difference, 3), shown, fixed = TRUE)))
})

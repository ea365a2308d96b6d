bench_of <- function() withr::with_seed(1, benchmark_selectors(
  list(a = numbered_task(1), b = numbered_task(2), c = numbered_task(3)), list(sel_mim(), sel_mfs(), sel_random()),
  list(lrn_brknn(), lrn_mlknn(3)), rs_holdout(repeats = 3), 1:4, c("hamming_loss", "macro_f1"), progress = FALSE
))

test_that("the best point of each curve is that of the means, the smallest of equals", {
  bench <- bench_of()
  got <- best_k(bench)
  expect_identical(nrow(got), 3L * 3L * 2L * 2L)
  means <- summary(bench)
  for (i in seq_len(nrow(got))) {
    row <- got[i, ]
    curve <- means[means$task == row$task & means$selector == row$selector & means$learner == row$learner &
      means$measure == row$measure, ]
    best <- if (row$measure == "hamming_loss") min(curve$mean) else max(curve$mean)
    at <- curve$k[which(abs(curve$mean - best) < 1e-12)[1]]
    expect_identical(row$k, as.numeric(at))
    expect_equal(row$value, best, tolerance = 1e-14)
    expect_equal(row$sd, curve$sd[curve$k == at], tolerance = 1e-12)
  }
  expect_identical(unique(best_k(bench, "macro_f1", "ML-kNN")$learner), "ML-kNN")
  shares <- withr::with_seed(1, benchmark_selectors(
    numbered_task(1), sel_mim(), lrn_brknn(), rs_fixed(1:16, 17:24), prop = c(0.4, 0.8), measures = "hamming_loss"
  ))
  expect_named(best_k(shares), c("task", "selector", "learner", "measure", "prop", "value", "sd"))
})

test_that("a selector without values has no best point", {
  broken <- sel_custom("broken", function(task, k) stop("no"))
  bench <- suppressWarnings(benchmark_selectors(
    numbered_task(1), list(sel_mim(), broken), lrn_brknn(), rs_fixed(1:16, 17:24), 1:2, "hamming_loss"
  ))
  expect_identical(is.na(best_k(bench)$value), c(FALSE, TRUE))
  expect_error(best_k(bench, "micro_f1"), "must be in the benchmark", class = "mlsift_error")
})

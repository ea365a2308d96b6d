test_that("lrn_chosen() is the learner that was chosen with the features", {
  skip_unless_all()
  withr::local_seed(1)
  task <- simulate_mltask(90, 8, 3)
  learners <- list(lrn_linear(), lrn_nb(), lrn_brknn())
  best <- sel_best(list(sel_mim(), sel_scls()), learners, k = c(2, 5), resampling = rs_cv(3))
  bench <- benchmark_selectors(task, list(best = best, other = sel_mim()), c(list(own = lrn_chosen()), learners),
    rs_cv(3), 5, "average_precision") |> suppressWarnings()
  own <- bench$value[bench$learner == "own" & bench$selector == "best"]
  others <- sapply(c("Linear regression", "NB", "BR-kNN"), function(name) {
    bench$value[bench$learner == name & bench$selector == "best"]
  })
  expect_true(all(rowSums(abs(others - own) < 1e-12) > 0))
  expect_true(all(is.na(bench$value[bench$learner == "own" & bench$selector == "other"])))
  expect_match(failures(bench)$message, "needs a selector that chooses a learner")
  expect_error(fit(lrn_chosen(), task), "sel_best", class = "mlsift_error")
  # A larger number chooses again, and values of another learner are not kept.
  folder <- withr::local_tempdir()
  first <- sel_best(sel_mim(), learners, resampling = rs_cv(3))
  run <- function(k, folder = NULL) {
    set.seed(5)
    suppressMessages(benchmark_selectors(list(a = task), first, lrn_chosen(), rs_cv(3), k, "hamming_loss",
      folder = folder))
  }
  run(3, folder)
  expect_identical(run(c(3, 7), folder)$value, run(c(3, 7))$value)
  # A choice of one learner is that learner.
  single <- sel_best(list(sel_mim(), sel_scls()), lrn_nb(), k = 2, resampling = rs_cv(3))
  bench <- benchmark_selectors(task, single, list(own = lrn_chosen(), nb = lrn_nb()), rs_cv(3), 5, "hamming_loss")
  expect_identical(bench$value[bench$learner == "own"], bench$value[bench$learner == "nb"])
})

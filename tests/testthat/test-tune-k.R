tuned_task <- function(n = 60, d = 8, q = 3) {
  set.seed(1)
  simulate_mltask(n, d, q)
}

test_that("the curve is the mean of a benchmark's values and the rule chooses from it", {
  task <- tuned_task()
  set.seed(2)
  tuned <- tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", c(1, 2, 4, 8), rs_cv(4))
  set.seed(2)
  bench <- benchmark_selectors(
    list(task = task), list(selector = sel_mim()), list(learner = lrn_nb()), rs_cv(4), c(1, 2, 4, 8), "hamming_loss"
  )
  values <- split(bench$value, bench$k)
  expect_equal(tuned$curve$mean, unname(vapply(values, mean, 0)))
  expect_equal(tuned$curve$se, unname(vapply(values, sd, 0)) / 2)
  expect_identical(tuned$k, tuned$curve$k[which.min(tuned$curve$mean)])
  expect_identical(selected(tuned), selected(sift_features(task, sel_mim(), tuned$k)))
  expect_output(print(tuned), "the best mean of 4 tried")
})

test_that("sel_tuned() chooses within the rows that it is given", {
  task <- tuned_task()
  set.seed(3)
  tuned <- tune_k(task, sel_scls(), lrn_brknn(), "hamming_loss", 1:5, rs_cv(3))
  set.seed(3)
  selection <- sift_features(task, sel_tuned(sel_scls(), lrn_brknn(), "hamming_loss", 1:5, rs_cv(3)))
  expect_identical(selected(selection), selected(tuned))
  expect_output(print(selection), paste0("k = ", tuned$k, " was chosen by hamming_loss"))
  again <- sel_tuned(sel_mim(), lrn_nb(), "hamming_loss", 1:3, rs_cv(3))
  without <- sift_features(task, again, exclude = selected(tuned))
  expect_false(any(selected(tuned) %in% selected(without)))
  bench <- benchmark_selectors(
    task, sel_tuned(sel_mim(), lrn_nb(), "hamming_loss", 2:3, rs_cv(3)), lrn_nb(), rs_holdout(repeats = 2), c(1, 8),
    "hamming_loss"
  )
  expect_true(all(bench$n_selected[bench$k == 1] == 1) && all(bench$n_selected[bench$k == 8] %in% 2:3))
  expect_false(anyNA(bench$value))
})

test_that("numeric targets, searches and measures of one's own can be tuned", {
  set.seed(1)
  task <- mltask(matrix(rnorm(400), 50), matrix(rnorm(100), 50))
  tuned <- tune_k(task, sel_mim(), lrn_knn_regression(), "arrmse", 1:2, rs_cv(3), target_bins = 3)
  expect_s3_class(tuned, "mltuning")
  labels <- tuned_task()
  own <- msr_custom("wrong", function(truth, response) mean(truth != response))
  found <- tune_k(labels, sel_rga(evaluations = 20), lrn_nb(), own, 2:3, rs_holdout(0.7, 2))
  expect_lte(nrow(found$selection), found$k)
})

test_that("what cannot be tuned is refused", {
  task <- tuned_task()
  expect_error(tune_k(task, "mim", lrn_nb(), "hamming_loss", 1), "Did you mean", class = "mlsift_error")
  expect_error(tune_k(task, sel_mim(), lrn_nb, "hamming_loss", 1), "parentheses", class = "mlsift_error")
  expect_error(tune_k(task, sel_mim(), lrn_nb(), c("a", "b"), 1), "one measure", class = "mlsift_error")
  expect_error(tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", 0), "1 or more", class = "mlsift_error")
  expect_error(tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", 99), "not above", class = "mlsift_error")
  fails <- lrn_custom("fails", function(x, y) stop("no"), function(model, x) NULL)
  expect_warning(
    expect_error(tune_k(task, sel_mim(), fails, "hamming_loss", 1:2, rs_cv(2)), "no", class = "mlsift_error"),
    "missing"
  )
})

test_that("the curve can be drawn", {
  tuned <- tune_k(tuned_task(), sel_mim(), lrn_nb(), "hamming_loss", 1:4, rs_cv(3))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(tuned))
  expect_equal(built$data[[2]]$y, tuned$curve$mean)
  expect_identical(as.integer(built$data[[4]]$x), tuned$k)
  expect_s3_class(plot(tuned), "ggplot")
})

scored_task <- function() {
  set.seed(1)
  simulate_mltask(60, 6, 3)
}

test_that("label_scores() has the scores of each target alone", {
  task <- scored_task()
  for (selector in list(sel_mim(), sel_relieff_br())) {
    scores <- label_scores(task, selector)
    expect_identical(dimnames(scores), list(feature_names(task), target_names(task)))
    for (name in target_names(task)) {
      alone <- sift_features(subset_targets(task, name), selector)
      expect_identical(unname(scores[alone$index, name]), alone$score)
    }
  }
  # MIM-BR adds up over labels.
  whole <- sift_features(task, sel_mim())
  expect_equal(unname(rowSums(label_scores(task, sel_mim()))[whole$index]), whole$score)
  expect_output(print(label_scores(task, sel_mim()), n = 2), "6 features, 3 targets")
})

test_that("numeric targets are binned and pictures are drawn", {
  set.seed(2)
  task <- mltask(matrix(rnorm(200), 40), matrix(rnorm(80), 40))
  scores <- label_scores(task, sel_mim(), target_bins = 3)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(scores, n = 3))
  expect_identical(nrow(built$data[[1]]), 6L)
  expect_s3_class(plot(scores, n = 3), "ggplot")
})

test_that("score_test() counts permutations whose scores reach the observed ones", {
  task <- scored_task()
  set.seed(3)
  found <- score_test(task, sel_mim(), n = 19)
  set.seed(3)
  observed <- sift_features(task, sel_mim())
  reached <- numeric(6)
  for (i in 1:19) {
    permuted <- mltask(features(task), targets(task)[sample.int(60), ])
    again <- sift_features(permuted, sel_mim())
    reached <- reached + (again$score[order(again$index)] >= observed$score[order(observed$index)])
  }
  expect_identical(found$index, observed$index)
  expect_equal(found$p_value, ((1 + reached) / 20)[found$index])
  expect_equal(found$p_adjusted, stats::p.adjust(found$p_value, "BH"))
})

test_that("p-values are small where a feature matters and spread where none does", {
  set.seed(4)
  y <- matrix(rbinom(160, 1, 0.5), 80)
  task <- mltask(cbind(good = y[, 1], matrix(rnorm(80 * 5), 80, dimnames = list(NULL, paste0("n", 1:5)))), y)
  found <- score_test(task, sel_mim(), n = 99)
  expect_identical(found$feature[1], "good")
  expect_equal(found$p_value[1], 0.01)
  expect_gt(min(found$p_value[-1]), 0.01)
})

test_that("selectors that do not score every feature are refused", {
  task <- scored_task()
  expect_error(label_scores(task, sel_scls()), "must score every feature", class = "mlsift_error")
  expect_error(score_test(task, sel_none()), "must score every feature", class = "mlsift_error")
  expect_error(score_test(task, sel_mim(), n = 0), "`n`", class = "mlsift_error")
})

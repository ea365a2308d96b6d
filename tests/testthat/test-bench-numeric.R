run <- function(..., tasks = list(a = numeric_task(1), b = numeric_task(2, d = 4)),
                selectors = list(sel_random(), sel_none(), correlation),
                learners = lrn_knn_regression(3), resampling = rs_cv(3), k = 1:3,
                measures = c("arrmse", "armse", "mean_correlation")) {
  withr::with_seed(1, benchmark_selectors(tasks, selectors, learners, resampling, k, measures, ..., progress = FALSE))
}
# For targets of any kind that are numbers.
mean_learner <- function() {
  lrn_custom(
    "mean", fit = function(x, y) colMeans(y),
    predict = function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE)
  )
}
own_measure <- function() msr_custom("own", function(truth, response) mean(abs(truth - response)))
correlation <- sel_custom("correlation", function(task, k) rowMeans(abs(stats::cor(as.matrix(task), targets(task)))))

test_that("a benchmark of numeric targets is the same as doing it by hand", {
  task <- numeric_task(3)
  bench <- run(tasks = list(t = task), selectors = correlation, resampling = rs_fixed(1:15, 16:24), k = c(1, 4))
  train <- task[1:15, ]
  test <- task[16:24, ]
  order <- sift_features(train, correlation)$index
  for (k in c(1, 4)) {
    prediction <- predict(fit(lrn_knn_regression(3), train[, order[1:k]]), test[, order[1:k]])
    expected <- evaluate(prediction, test, unique(bench$measure), train_mean = train)$value
    expect_identical(bench$value[bench$k == k], expected)
  }
  expect_identical(nrow(failures(bench)), 0L)
})

test_that("comparisons, pictures and reports take numeric targets", {
  bench <- run(tasks = lapply(c(a = 1, b = 2, c = 3), numeric_task))
  scores <- ranking_scores(bench, "mean_correlation")
  expect_equal(unname(rowSums(scores)), rep(6, 3))
  expect_s3_class(rank_test(bench, "arrmse"), "mlranktest")
  table <- as.data.frame(score_table(bench, "arrmse", k = 2, control = "Random"))
  cell <- bench$task == "a" & bench$selector == "All" & bench$k == 2 & bench$measure == "arrmse"
  expect_equal(table$mean[table$task == "a" & table$selector == "All"], mean(bench$value[cell]))
  expect_s3_class(autoplot(bench, "armse"), "ggplot")
  skip_if_not_installed("knitr")
  file <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  write_report(bench, file)
  page <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  expect_match(page, "Average relative root mean squared error", fixed = TRUE)
  expect_match(page, "3-fold cross-validation (random)", fixed = TRUE)
  expect_no_match(page, "ardinality")
})

test_that("imputation learns from training rows alone", {
  task <- numeric_task(4)
  task$x[3, 1] <- task$x[20, 2] <- NA
  split <- rs_fixed(1:15, 16:24)
  bench <- function(task, ...) run(tasks = list(t = task), resampling = split, ...)$value
  values <- bench(task, impute = impute_mean())
  expect_false(anyNA(values))
  filled <- task
  filled$x[3, 1] <- mean(task$x[1:15, 1], na.rm = TRUE)
  filled$x[20, 2] <- mean(task$x[1:15, 2])
  expect_equal(values, bench(filled), tolerance = 1e-12)

  # Other test rows: the same selections.
  other <- task
  other$x[16:24, ] <- other$x[16:24, ] * 100
  chosen <- function(task) selections(run(tasks = list(t = task), resampling = split, impute = impute_mean()))
  expect_identical(chosen(other), chosen(task))

  empty <- task
  empty$x[1:15, 3] <- NA
  expect_warning(
    failed <- failures(run(tasks = list(t = empty), resampling = split, impute = impute_mean())), "27 of 27 values"
  )
  expect_identical(unique(failed$stage), "impute")
  expect_match(failed$message, "f3")
  expect_warning(
    unimputed <- failures(run(tasks = list(t = task), resampling = split, selectors = sel_random())), "values"
  )
  expect_match(unimputed$message, "missing", all = TRUE)
  code <- attr(run(tasks = list(t = task), impute = impute_mean()), "protocol")$call
  expect_match(code, "impute = impute_mean()", fixed = TRUE)
})

test_that("numeric targets are cut for selectors of categories alone, by the training rows", {
  task <- numeric_task(7)
  split <- rs_fixed(1:15, 16:24)
  bench <- run(
    tasks = list(t = task), selectors = list(sel_mim(), sel_group_jmi(), correlation), resampling = split,
    target_bins = 3
  )
  expect_false(anyNA(bench$value))
  chosen <- selections(bench)
  by_hand <- sift_features(task[1:15, ], sel_mim(), k = 3, target_bins = 3)
  expect_identical(chosen$feature[chosen$selector == "MIM-BR"], by_hand$feature)
  expect_identical(chosen$score[chosen$selector == "MIM-BR"], by_hand$score)
  uncut <- selections(run(tasks = list(t = task), selectors = list(sel_group_jmi(), correlation), resampling = split))
  expect_identical(chosen[chosen$selector != "MIM-BR", -1], uncut[, -1], ignore_attr = TRUE)

  # Other test rows: the same selections.
  other <- task
  other$targets$values[16:24, ] <- other$targets$values[16:24, ] * 100
  expect_identical(
    selections(run(tasks = list(t = other), selectors = sel_mim(), resampling = split, target_bins = 3))$score,
    by_hand$score
  )

  frequency <- run(tasks = list(t = task, l = numbered_task(1)), selectors = sel_mim(), learners = mean_learner(),
    measures = own_measure(),
    resampling = split, target_bins = disc_equal_frequency(2))
  expect_false(anyNA(frequency$value))
  expect_match(attr(frequency, "protocol")$call, "target_bins = disc_equal_frequency(bins = 2)", fixed = TRUE)
  expect_snapshot(error = TRUE, {
    run(selectors = sel_mim(), target_bins = 1)
    run(selectors = sel_pmu(), target_bins = 3)
    run(
      tasks = list(l = numbered_task(1)), selectors = sel_mim(), learners = lrn_brknn(), measures = "hamming_loss",
      target_bins = 3
    )
  })
})

test_that("a constant target leaves the mean with one warning", {
  task <- numeric_task(5, q = 3)
  task$targets$values[, 2] <- 0.1
  expect_snapshot(bench <- run(tasks = list(t = task), selectors = sel_random()))
  expect_false(anyNA(bench$value))
})

test_that("tasks of other kinds go together where everything can serve them", {
  withr::local_seed(6)
  bench <- run(tasks = list(n = numeric_task(1), l = numbered_task(2)), learners = mean_learner(),
    measures = own_measure(),
    selectors = list(sel_random(), sel_none()))
  expect_identical(nrow(failures(bench)), 0L)
  expect_false(anyNA(bench$value))

  classes <- mltask(matrix(rnorm(48), 24), data.frame(a = factor(rep(c("u", "v", "w"), 8))))
  first <- lrn_custom(
    "first", fit = function(x, y) as.character(y$a[1]), predict = function(model, x) rep(model, nrow(x))
  )
  wrong <- msr_custom("wrong", function(truth, response) mean(truth != response))
  bench <- run(tasks = list(c = classes), learners = first, measures = wrong, selectors = sel_random(), k = 1)
  expect_equal(mean(bench$value), 2 / 3, tolerance = 0.1)
})

test_that("what cannot serve a task is refused before anything is run", {
  both <- list(l = numbered_task(1), n = numeric_task(2))
  expect_snapshot(error = TRUE, {
    run(selectors = list(sel_random(), sel_mim()))
    run(learners = list(lrn_knn_regression(), lrn_mlknn()))
    run(tasks = both, measures = msr_custom("own", function(truth, response) 0))
    run(measures = c("arrmse", "hamming_loss"))
    run(tasks = both, measures = "armse", learners = lrn_custom("own", list, list))
    run(tasks = list(numbered_task(1)), measures = "armse", selectors = sel_mim(), learners = lrn_mlknn())
    run(tasks = both, measures = NULL)
  })
})

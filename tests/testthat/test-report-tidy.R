test_that("results are data frames of their rows, and one row about all of them", {
  withr::local_seed(1)
  local_mocked_bindings(has_tibble = function() FALSE)
  task <- simulate_mltask(60, n_features = 5, n_targets = 3)
  tuned <- tune_selection(task, sel_mim(), lrn_brknn(), "hamming_loss", k = 1:3)
  expect_identical(tidy(tuned), tuned$curve)
  one <- glance(tuned)
  expect_identical(one$k, tuned$k)
  expect_identical(one$mean, tuned$curve$mean[tuned$curve$k == tuned$k])
  expect_identical(one$selector, "MIM-BR")

  scores <- label_scores(task, sel_mim())
  long <- tidy(scores)
  expect_identical(long$estimate[long$term == "f3" & long$target == "l2"], scores["f3", "l2"])
  expect_identical(nrow(long), 15L)
  expect_identical(glance(scores), data.frame(selector = "MIM-BR", n_features = 5L, n_targets = 3L))

  graph <- label_graph(task)
  expect_identical(tidy(graph), as.data.frame(graph))
  expect_identical(glance(graph)$n_rows, sum(graph$sets$rows))

  bench <- benchmark_selectors(
    task, list(sel_mim(), sel_random()), lrn_brknn(), rs_holdout(repeats = 2), 1:2, "hamming_loss"
  )
  expect_identical(class(tidy(bench)), "data.frame")
  expect_equal(tidy(bench), as.data.frame(bench), ignore_attr = TRUE)
  expect_identical(unlist(glance(bench)), c(
    n_tasks = 1L, n_selectors = 2L, n_learners = 1L, n_measures = 1L, n_values = 8L, n_missing = 0L
  ))
})

test_that("results are tibbles with the same columns where tibble is installed", {
  withr::local_seed(1)
  task <- simulate_mltask(60, n_features = 5, n_targets = 3)
  losses <- matrix(stats::runif(40), 10, dimnames = list(NULL, letters[1:4]))
  model <- fit(lrn_threshold(lrn_nb()), task)
  answer <- sift(task, estimate = FALSE)
  results <- list(
    sift_features(task, sel_mim()), answer, label_scores(task, sel_mim()), label_graph(task),
    tune_selection(task, sel_mim(), lrn_brknn(), "hamming_loss", k = 1:2, resampling = rs_cv(2)),
    benchmark_selectors(task, list(sel_mim(), sel_random()), lrn_brknn(), rs_holdout(repeats = 2), 1, "hamming_loss"),
    rank_test(losses, direction = "minimize"), compare_pairs(losses, direction = "minimize"),
    wilcoxon_test(losses[, 1], losses[, 2]), bayes_correlated_t(losses[, 1], losses[, 2], test_share = 0.5)
  )
  calls <- c(lapply(results, function(x) \() tidy(x)), lapply(results, function(x) \() glance(x)),
    \() tidy(model), \() augment(model, task[3:5, ]), \() augment(answer, task[3:5, ]))
  for (call in calls) {
    local_mocked_bindings(has_tibble = function() FALSE)
    plain <- call()
    local_mocked_bindings(has_tibble = function() TRUE)
    found <- call()
    expect_identical(class(plain), "data.frame")
    expect_identical(class(found), c("tbl_df", "tbl", "data.frame"))
    expect_identical(as.list(found), as.list(plain))
    expect_identical(attr(found, "row.names"), seq_len(nrow(plain)))
  }
  skip_if_not_installed("tibble")
  expect_match(capture.output(print(tidy(results[[1]])))[1], "A tibble: 5 . 3")
})

test_that("augment() puts predictions beside the features", {
  withr::local_seed(2)
  labels <- simulate_mltask(60, n_features = 4, n_targets = 2)
  model <- fit(lrn_nb(), labels[1:40, ])
  new <- labels[41:60, ]
  found <- augment(model, new)
  prediction <- predict(model, new)
  expect_named(found, c(feature_names(new), ".pred_l1", ".pred_l2", ".score_l1", ".score_l2"))
  expect_equal(found$.score_l2, unname(prediction$score[, 2]))
  expect_equal(found$.pred_l1, unname(prediction$response[, 1]))
  expect_equal(augment(model, features(new)), found)
  sparse <- mltask(Matrix::Matrix(as.matrix(features(new)), sparse = TRUE), targets(new))
  expect_equal(augment(model, sparse)$.score_l1, found$.score_l1)
  low <- augment(model, new, threshold = 0)
  expect_true(all(low$.pred_l1 == 1))

  classes <- mltask(features(labels), data.frame(a = factor(sample(c("u", "v", "w"), 60, TRUE))), kind = "class")
  found <- augment(fit(lrn_nb(), classes[1:40, ]), classes[41:60, ])
  expect_s3_class(found$.pred_a, "factor")
  scores <- as.matrix(found[paste0(".score_a_", c("u", "v", "w"))])
  expect_identical(as.character(found$.pred_a), c("u", "v", "w")[max.col(scores, "first")])
  expect_equal(rowSums(found[paste0(".score_a_", c("u", "v", "w"))]), rep(1, 20), ignore_attr = TRUE)

  numbers <- simulate_mltask(60, n_features = 4, n_targets = 2, kind = "numeric")
  found <- augment(fit(lrn_linear(), numbers[1:40, ]), numbers[41:60, ])
  expect_named(found, c(feature_names(numbers), paste0(".pred_", target_names(numbers))))
  expect_identical(augment(fit(lrn_linear(), numbers[1:40, ]), newdata = numbers[41:60, ], threads = 1), found)
  expect_error(augment(model), "must be given", class = "mlsift_error")
  expect_error(augment(model, features(new)[, 1:2]), class = "mlsift_error")
})

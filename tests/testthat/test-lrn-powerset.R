test_that("the scores of a label are those of the sets that have it", {
  withr::local_seed(1)
  for (case in 1:4) {
    x <- if (case %% 2) random_codes(50, 4) else matrix(rnorm(150), 50, dimnames = list(NULL, paste0("f", 1:3)))
    y <- random_labels(50, 4, 0.4)
    train <- 1:35
    task <- mltask(x, y, kind = "label", discrete = if (case %% 2) all_discrete(x))
    got <- predict(fit(lrn_powerset(lrn_nb()), task[train, ]), task[-train, ])
    sets <- oracle_sets(y[train, ])
    p <- oracle_nb_classes(x[train, ], factor(sets), x[-train, ], 1, rep(case %% 2 == 1, ncol(x)))
    on <- do.call(rbind, strsplit(colnames(p), "")) == "1"
    expect_equal(unname(got$score), p %*% on, tolerance = 1e-9, ignore_attr = TRUE)
    expect_identical(unname(got$response), on[apply(p, 1, which.max), ] + 0L)
  }
})

test_that("with nearest neighbors its scores are those of LP-kNN", {
  withr::local_seed(2)
  x <- matrix(rnorm(200), 50)
  y <- random_labels(50, 3, 0.5)
  task <- mltask(x, y, kind = "label")
  scores <- function(learner) predict(fit(learner, task[1:40, ]), task[41:50, ])$score
  expect_equal(scores(lrn_powerset(lrn_brknn(5))), scores(lrn_lp(5)), tolerance = 1e-14)
  few <- function(...) scores(lrn_powerset(lrn_brknn(5, "none"), 4, ...))
  expect_equal(few(), scores(lrn_lp(5, 4, scale = "none")), tolerance = 1e-14)
  expect_equal(few("subsets"), scores(lrn_lp(5, 4, "subsets", "none")), tolerance = 1e-14)
  expect_identical(predict(fit(lrn_powerset(lrn_brknn(1)), task[1:40, ]), task[41:50, ]),
    predict(fit(lrn_lp(1), task[1:40, ]), task[41:50, ]))
})

test_that("learners without scores give none", {
  withr::local_seed(3)
  task <- simulate_mltask(20, n_features = 3, n_targets = 2)
  first <- lrn_custom("First", function(x, y) levels(y[[1]])[1], function(model, x) rep(model, nrow(x)))
  got <- predict(fit(lrn_powerset(first), task), task)
  expect_null(got$score)
  sets <- unique(got$response)
  expect_identical(nrow(sets), 1L)
  expect_true(any(apply(targets(task), 1, function(row) all(row == sets))))
})

test_that("what the powerset cannot take is refused", {
  withr::local_seed(4)
  task <- simulate_mltask(20, n_features = 3, n_targets = 3)
  once <- mltask(matrix(1:4 + 0.5), rbind(c(0, 0), c(0, 1), c(1, 0), c(1, 1)))
  expect_snapshot(error = TRUE, {
    lrn_powerset(lrn_mlknn())
    lrn_powerset(sel_mim())
    fit(lrn_powerset(lrn_nb(), 21), task)
    fit(lrn_powerset(lrn_nb(), rare = "some"), task)
    fit(lrn_powerset(lrn_nb(), 2), once)
    fit(lrn_powerset(lrn_nb()), numeric_task(1))
  })
  expect_snapshot(list(lrn_powerset(lrn_nb()), lrn_powerset(lrn_nb(), 3)))
})

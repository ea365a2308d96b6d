test_that("a chain of BR-kNN is CC-kNN", {
  withr::local_seed(1)
  for (case in 1:4) {
    x <- if (case %% 2) random_codes(40, 4) else matrix(rnorm(120), 40)
    q <- c(1, 5, 3, 6)[case]
    y <- random_labels(40, q, 0.5)
    order <- sample.int(q)
    for (layout in list(identity, sparse, as.data.frame)) {
      task <- mltask(layout(x), y, kind = "label")
      for (threshold in c(0.3, 0.5)) {
        got <- predict(fit(lrn_chain(lrn_brknn(5, "none"), order), task[1:30, ]), task[31:40, ], threshold)
        expect_identical(got, predict(fit(lrn_cc_knn(5, order, "none"), task[1:30, ]), task[31:40, ], threshold))
      }
    }
    random <- function(learner) withr::with_seed(7, predict(fit(learner, task[1:30, ]), task[31:40, ]))
    expect_identical(random(lrn_chain(lrn_brknn(5, "none"))), random(lrn_cc_knn(5, scale = "none")))
  }
})

test_that("a chain of logistic regressions equals its definition", {
  withr::local_seed(2)
  x <- matrix(rnorm(240), 60)
  y <- random_labels(60, 3, 0.5)
  y[, 3] <- y[, 1]  # known once the first label is
  order <- c(2, 1, 3)
  psi <- matrix(NA, 20, 3)
  for (t in 1:3) {
    before <- order[seq_len(t - 1)]
    psi[, order[t]] <- oracle_brlr(
      cbind(x[1:40, ], y[1:40, before]), y[1:40, order[t], drop = FALSE],
      cbind(x[41:60, ], (psi[, before] >= 0.5) + 0), 0.1
    )
  }
  task <- mltask(x, y, kind = "label")
  got <- predict(fit(lrn_chain(lrn_brlr(0.1), c("l2", "l1", "l3")), task[1:40, ]), task[41:60, ])
  expect_equal(unname(got$score), psi, tolerance = 1e-7)
  expect_identical(got$response, (got$score >= 0.5) + 0L)
  expect_identical(got$response[, 3], got$response[, 1])
})

test_that("labels in the chain are discrete features", {
  withr::local_seed(3)
  x <- cbind(f1 = rnorm(30), f2 = rnorm(30))
  y <- random_labels(30, 2, 0.5)
  task <- mltask(x, y, kind = "label")
  got <- predict(fit(lrn_chain(lrn_nb(), 1:2), task), task)
  first <- oracle_nb(x, y[, 1, drop = FALSE], x)
  second <- oracle_nb(cbind(x, y[, 1]), y[, 2, drop = FALSE], cbind(x, (first >= 0.5) + 0), 1, c(FALSE, FALSE, TRUE))
  expect_equal(unname(got$score), cbind(first, second), tolerance = 1e-9)
})

test_that("users' learners can be chained, and benchmarks take chains", {
  withr::local_seed(4)
  task <- simulate_mltask(60, n_features = 5, n_targets = 3)
  echo <- lrn_binary("Mean", function(x, y) ncol(x), function(model, x) rep(model / 10, nrow(x)))
  got <- predict(fit(lrn_chain(echo, 3:1), task), task)
  expect_identical(unname(got$score[1, ]), c(0.7, 0.6, 0.5))
  no_score <- lrn_custom("R", function(x, y) 1L, function(model, x) list(response = matrix(1L, nrow(x), 1)))
  expect_identical(unname(predict(fit(lrn_chain(no_score), task), task)$score), matrix(1, 60, 3))
  learners <- list(lrn_chain(lrn_nb()), lrn_powerset(lrn_nb()), lrn_chain(echo))
  bench <- benchmark_selectors(list(t = task), sel_mim(), learners, rs_cv(3), 1:3, "hamming_loss")
  expect_identical(nrow(failures(bench)), 0L)
  expect_setequal(unique(bench$learner), c("CC NB", "LP NB", "CC Mean"))
  code <- spec_code(lrn_chain(lrn_nb(), 3:1))
  expect_identical(code, "lrn_chain(learner = lrn_nb(), chain_order = c(3, 2, 1))")
})

test_that("what a chain cannot take is refused", {
  withr::local_seed(5)
  task <- simulate_mltask(20, n_features = 3, n_targets = 2)
  fails <- lrn_custom(
    "Fails", function(x, y) if (ncol(x) > 3) stop("too wide"), function(model, x) matrix(0, nrow(x), 1)
  )
  expect_snapshot(error = TRUE, {
    lrn_chain(lrn_knn_regression())
    lrn_chain("nb")
    lrn_chain(lrn_nb(), c(1, 1))
    fit(lrn_chain(lrn_nb(), 1:3), task)
    fit(lrn_chain(fails, 1:2), task)
    fit(lrn_chain(lrn_nb()), numeric_task(1))
  })
  expect_snapshot(lrn_chain(lrn_nb(), 2:1))
})

test_that("CC-kNN equals BR-kNN link after link", {
  withr::local_seed(1)
  for (case in first_or_all(1:6, 3)) {
    n <- c(2, 9, 40, 41, 60, 30)[case]
    q <- c(1, 5, 4, 9, 2, 6)[case]
    x <- if (case %% 2) random_codes(n, 4) else matrix(rnorm(n * 3), n)
    y <- random_labels(n, q, c(0.3, 0.5, 0.8)[1 + case %% 3])
    query <- x[sample.int(n, 10, replace = TRUE), , drop = FALSE]
    order <- sample.int(q)
    for (k in unique(pmin(c(1, 3, n), n))) for (threshold in c(0, 0.5, 1)) {
      got <- predict(fit(lrn_cc_knn(k, order, "none"), mltask(x, y, kind = "label")), unname(query), threshold)
      expect_equal(unname(got$score), oracle_cc_knn(x, y, query, k, order, threshold), tolerance = 1e-15)
      expect_identical(got$response, (got$score >= threshold) + 0L)
    }
  }
})

test_that("the chain follows a label that decides another", {
  # Feature 1 tells l1, which alone tells l2: rows 3 and 4 are nearest to the query until l1 is known.
  task <- mltask(cbind(f1 = c(0, 0.2, 0.9, 1)), cbind(l1 = c(1L, 1L, 0L, 1L), l2 = c(1L, 1L, 0L, 1L)))
  query <- cbind(f1 = 0.93)
  expect_identical(unname(predict(fit(lrn_brknn(1), task), query)$score[1, ]), c(0, 0))
  expect_identical(unname(predict(fit(lrn_cc_knn(3, 1:2, "none"), task), query)$score[1, ]), c(2 / 3, 1))
})

test_that("with one label it is BR-kNN, and the order may be named", {
  withr::local_seed(2)
  x <- matrix(rnorm(120), 40)
  y <- random_labels(40, 5)
  task <- mltask(x, y[, 1, drop = FALSE], kind = "label")
  expect_identical(predict(fit(lrn_cc_knn(3), task), task), predict(fit(lrn_brknn(3), task), task))
  task <- mltask(x, y, kind = "label")
  expect_identical(
    predict(fit(lrn_cc_knn(3, paste0("l", 5:1)), task), task), predict(fit(lrn_cc_knn(3, 5:1), task), task)
  )
})

test_that("a random order comes from R's generator when the learner is fitted", {
  withr::local_seed(3)
  task <- mltask(matrix(rnorm(120), 40), random_labels(40, 6, 0.5), kind = "label")
  set.seed(7)
  drawn <- sample.int(6)
  set.seed(7)
  model <- fit(lrn_cc_knn(), task)
  expect_identical(predict(model, task), predict(fit(lrn_cc_knn(chain_order = drawn), task), task))
  before <- .Random.seed
  predict(model, task)
  fit(lrn_cc_knn(chain_order = 1:6), task)
  expect_identical(.Random.seed, before)
})

test_that("labels never or always on score 0 and 1", {
  withr::local_seed(4)
  task <- mltask(random_codes(20, 3), random_labels(20, 4), kind = "label")
  score <- predict(fit(lrn_cc_knn(3), task), task)$score
  expect_identical(unname(score[, 2]), rep(0, 20))
  expect_identical(unname(score[, 3]), rep(1, 20))
})

test_that("factors count as a difference, and labels are not scaled", {
  withr::local_seed(5)
  n <- 30
  codes <- cbind(a = sample(3, n, TRUE), b = sample(0:1, n, TRUE), c = 10 * rnorm(n))
  frame <- data.frame(a = factor(codes[, 1]), b = factor(codes[, 2]), c = codes[, 3])
  y <- random_labels(n, 4, 0.5)
  order <- c(4, 1, 3, 2)
  nominal <- c(TRUE, FALSE, FALSE)
  got <- predict(fit(lrn_cc_knn(4, order, "none"), mltask(frame, y, kind = "label")), frame)
  expect_equal(unname(got$score), oracle_cc_knn(codes, y, codes, 4, order, nominal = nominal), tolerance = 1e-15)
  got <- predict(fit(lrn_cc_knn(4, order, "zscore"), mltask(frame, y, kind = "label")), frame)
  sd <- function(v) sqrt(mean((v - mean(v))^2))
  codes[, 2:3] <- sweep(codes[, 2:3], 2, apply(codes[, 2:3], 2, sd), "/")
  expect_equal(unname(got$score), oracle_cc_knn(codes, y, codes, 4, order, nominal = nominal), tolerance = 1e-15)
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(6)
  n <- 70
  x <- matrix(rnorm(n * 12) * rbinom(n * 12, 1, 0.3), n, dimnames = list(NULL, paste0("f", 1:12)))
  whole <- round(3 * x)
  y <- random_labels(n, 6, 0.4)
  order <- sample.int(12)
  k <- c(1, 2, 3, 5, 9, 12)
  for (values in list(x, whole)) {
    results <- lapply(list(values, sparse(values), as.data.frame(values)),
      function(x) lapply(list(y, sparse(y)), function(y) {
        task <- mltask(x, y, kind = "label")
        learner <- lrn_cc_knn(5, chain_order = 6:1)
        curve <- one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 1)
        expect_identical(curve, separate_curve(learner, task[1:50, ], task[51:n, ], order, k))
        expect_identical(one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 3), curve)
        curve
      }))
    for (one in unlist(results, recursive = FALSE)) expect_identical(one, results[[1]][[1]])
  }
  task <- mltask(x, y, kind = "label")
  set.seed(1)
  curve <- one_pass(lrn_cc_knn(), task[1:50, ], task[51:n, ], order, 4:5, threshold = 0.3)
  for (i in 1:2) {
    set.seed(1)
    expect_identical(
      curve[[i]], separate_curve(lrn_cc_knn(), task[1:50, ], task[51:n, ], order, 3 + i, threshold = 0.3)[[1]]
    )
  }
})

test_that("benchmarks run it, whatever the order of the calls", {
  task <- numbered_task(8, n = 40, q = 3, name = "toy")
  bench <- function(learners, k) {
    set.seed(1)
    benchmark_selectors(task, sel_mim(), learners, rs_holdout(repeats = 2), k = k, measures = "hamming_loss")
  }
  both <- bench(list(lrn_brknn(), lrn_cc_knn(), lrn_lp(), lrn_lp(min_count = 2)), 1:4)
  expect_identical(unique(both$learner), c("BR-kNN", "CC-kNN", "LP-kNN", "PS-kNN"))
  expect_false(anyNA(both$value))
  chain <- both[both$learner == "CC-kNN" & both$k == 3, ]
  expect_identical(bench(lrn_cc_knn(), 3)$value, chain$value)
  named <- bench(lrn_cc_knn(chain_order = target_names(task)), 2)
  expect_identical(nrow(failures(named)), 0L)
})

test_that("it prints, and is refused where it cannot serve", {
  task <- numbered_task(9, q = 3, name = "toy")
  other <- numbered_task(9, q = 2, name = "small")
  expect_snapshot({
    lrn_cc_knn()
    lrn_cc_knn(5, chain_order = 8:1)
  })
  expect_snapshot(error = TRUE, {
    lrn_cc_knn(0)
    lrn_cc_knn(scale = "range")
    lrn_cc_knn(chain_order = c(1, 1.5))
    lrn_cc_knn(chain_order = TRUE)
    lrn_cc_knn(chain_order = 1e10)
    lrn_cc_knn(chain_order = factor("l1"))
    lrn_cc_knn(chain_order = c("l1", "l2", "l1"))
    fit(lrn_cc_knn(chain_order = c("l1", "l2", "lx")), task)
    fit(lrn_cc_knn(chain_order = c("l3", "l1")), task)
    fit(lrn_cc_knn(chain_order = 1:4), task)
    fit(lrn_cc_knn(), mltask(cbind(f1 = 1:4 + 0.5), c(0.1, 2, 3, 4)))
    benchmark_selectors(
      list(task, other), sel_mim(), lrn_cc_knn(chain_order = 3:1), rs_holdout(), k = 1, measures = "hamming_loss"
    )
  })
  expect_snapshot(more <- fit(lrn_cc_knn(30, 1:3), task))
  expect_identical(predict(more, task), predict(fit(lrn_cc_knn(24, 1:3), task), task))
})

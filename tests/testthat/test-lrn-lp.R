test_that("LP-kNN and PS-kNN equal a vote of label sets", {
  withr::local_seed(1)
  for (case in 1:4) {
    n <- c(9, 40, 60, 60)[case]
    x <- if (case %% 2) random_codes(n, 4) else matrix(rnorm(n * 3), n)
    y <- random_labels(n, c(1, 4, 5, 4)[case], 0.5)
    query <- x[sample.int(n, 15, replace = TRUE), , drop = FALSE]
    kinds <- expand.grid(k = c(1, 4), rare = c("discard", "subsets", "small subsets", "A", "B"),
      min_count = c(1, 2, 4), stringsAsFactors = FALSE)
    for (i in some_or_all(seq_len(nrow(kinds)), case)) {
      min_count <- kinds$min_count[i]
      rare <- kinds$rare[i]
      k <- kinds$k[i]
      # The order matters for subsets alone.
      small_first <- rare == "small subsets"
      rare <- sub("small ", "", rare)
      order <- if (small_first) "increasing" else "decreasing"
      rule <- switch(rare, discard = "discard", subsets = rare_sets(order = order), rare_sets(rare, limit = 1))
      learner <- lrn_lp(k, min_count, rule, "none")
      model <- suppressWarnings(fit(learner, mltask(x, y, kind = "label")), classes = "mlsift_warning")
      got <- predict(model, unname(query))
      expected <- oracle_lp(x, y, query, model$state$neighbors, min_count, rare, b = 1, increasing = small_first)
      expect_equal(unname(got$score), expected$score, tolerance = 1e-15)
      expect_identical(unname(got$response), expected$response)
    }
  }
})

test_that("with equal votes the nearest row decides", {
  task <- mltask(cbind(f1 = c(0, 1, 2, 4, 5)), cbind(l1 = c(0L, 1L, 1L, 0L, 0L), l2 = c(1L, 1L, 0L, 0L, 0L)))
  got <- predict(fit(lrn_lp(3), task), cbind(f1 = c(0.9, 4, 3.1)))
  expect_equal(unname(got$score), rbind(c(2, 2), c(1, 0), c(1, 0)) / 3)
  expect_identical(unname(got$response), rbind(c(1L, 1L), c(0L, 0L), c(0L, 0L)))
  expect_identical(unname(predict(fit(lrn_lp(2), task), cbind(f1 = 0.5))$response), rbind(0:1))
})

test_that("without pruning the scores are those of BR-kNN, and every response is a known set", {
  withr::local_seed(2)
  task <- mltask(matrix(rnorm(150), 50), random_labels(50, 70), kind = "label")
  got <- predict(fit(lrn_lp(4), task[1:30, ]), task[31:50, ], threshold = 0.1)
  expect_identical(got$score, predict(fit(lrn_brknn(4), task[1:30, ]), task[31:50, ])$score)
  sets <- function(m) apply(m, 1, paste, collapse = "")
  expect_true(all(sets(got$response) %in% sets(targets(task)[1:30, ])))
})

test_that("labels never or always on score 0 and 1, also in rare sets", {
  withr::local_seed(3)
  task <- mltask(random_codes(30, 3), random_labels(30, 4), kind = "label")
  for (rare in c("discard", "subsets", "A", "B")) {
    got <- predict(fit(lrn_lp(3, min_count = 3, rare), task), task)
    for (part in got) {
      expect_true(all(part[, 2] == 0))
      expect_true(all(part[, 3] == 1))
    }
  }
})

test_that("factors count as a difference, and all training rows make the scale", {
  withr::local_seed(4)
  n <- 40
  codes <- cbind(a = sample(3, n, TRUE), b = sample(0:1, n, TRUE), c = 10 * rnorm(n))
  frame <- data.frame(a = factor(codes[, 1]), b = factor(codes[, 2]), c = codes[, 3])
  y <- random_labels(n, 3, 0.4)
  got <- predict(fit(lrn_lp(3, 5, "subsets", scale = "zscore"), mltask(frame, y, kind = "label")), frame)
  sd <- function(v) sqrt(mean((v - mean(v))^2))
  codes[, 2:3] <- sweep(codes[, 2:3], 2, apply(codes[, 2:3], 2, sd), "/")
  expected <- oracle_lp(codes, y, codes, 3, 5, "subsets", nominal = c(TRUE, FALSE, FALSE))
  expect_equal(unname(got$score), expected$score, tolerance = 1e-15)
  expect_identical(unname(got$response), expected$response)
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(5)
  n <- 70
  x <- matrix(rnorm(n * 12) * rbinom(n * 12, 1, 0.3), n, dimnames = list(NULL, paste0("f", 1:12)))
  y <- random_labels(n, 4, 0.4)
  order <- sample.int(12)
  k <- c(1, 2, 3, 5, 9, 12)
  for (learner in list(lrn_lp(), lrn_lp(4, min_count = 4, rare = "A"))) {
    results <- lapply(list(x, sparse(x), as.data.frame(x)), function(x) lapply(list(y, sparse(y)), function(y) {
      task <- mltask(x, y, kind = "label")
      curve <- one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 1)
      expect_identical(curve, separate_curve(learner, task[1:50, ], task[51:n, ], order, k))
      expect_identical(one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 3), curve)
      curve
    }))
    for (one in unlist(results, recursive = FALSE)) expect_identical(one, results[[1]][[1]])
  }
})

test_that("it prints, warns where little is left, and refuses where nothing is", {
  x <- cbind(f1 = 1:8 + 0.5)
  task <- mltask(x, cbind(l1 = rep(0:1, c(5, 3)), l2 = c(0, 0, 0, 0, 1, 1, 0, 1)))
  expect_snapshot({
    lrn_lp()
    lrn_lp(5, min_count = 6, rare = "A")
    lrn_lp(5, min_count = 6, rare = rare_sets("A", limit = 1))
    rare_sets(order = "increasing")
    one <- fit(lrn_lp(2, min_count = 3), task)
    few <- fit(lrn_lp(7, min_count = 2), task)
  })
  expect_identical(unname(predict(one, task)$response), matrix(0L, 8, 2))
  expect_equal(predict(few, task)$score[, "l1"], rep(2 / 6, 8))
  expect_snapshot(error = TRUE, {
    fit(lrn_lp(min_count = 5), task)
    lrn_lp(0)
    lrn_lp(min_count = 0)
    lrn_lp(rare = "C")
    lrn_lp(rare = list("A"))
    rare_sets("discard")
    rare_sets("A", limit = 0)
    rare_sets(order = "up")
    rare_sets("subsets", limit = 1)
    rare_sets("A", order = "increasing")
    lrn_lp(scale = "range")
    fit(lrn_lp(), mltask(x, c(0.1, 2:8)))
  })
})

test_that("a rule by name is the rule with its default settings", {
  for (rule in c("subsets", "A", "B")) {
    expect_identical(lrn_lp(min_count = 3, rare = rare_sets(rule)), lrn_lp(min_count = 3, rare = rule))
  }
  for (made in list(lrn_lp(rare = rare_sets("B", 1)), sel_chi2("ppt", rare = rare_sets(order = "increasing")))) {
    expect_identical(eval(parse(text = spec_code(made))), made)
  }
})

test_that("rows, classes and examples of many fits are right", {
  withr::local_seed(1)
  y <- matrix(rbinom(8e4, 1, 0.4), 2e4)
  sets <- do.call(paste0, as.data.frame(y))
  wanted <- match(sets, unique(sets))
  for (i in first_or_all(1:20, 7)) {
    found <- cpp_single_label_rows(y, 1L, 0L, 2L, FALSE)
    expect_identical(found$row, seq_len(2e4))
    expect_identical(match(found$class, unique(found$class)), wanted)
    expect_identical(sets[found$example][found$class], sets)
  }
})

test_that("among subsets of equal size, increasing order is Mulan's", {
  # The rare set is {a, b, c}. Of {a, b} and {b, c}, Mulan lists {b, c} first, although {a, b} is more frequent.
  y <- rbind(c(1, 1, 0), c(1, 1, 0), c(1, 1, 0), c(0, 1, 1), c(0, 1, 1), c(1, 1, 1), 0, 0)
  task <- mltask(matrix(c(1, 2, 3, 7, 8, 20, 40, 41)), y, kind = "label")
  response <- function(order) {
    unname(predict(fit(lrn_lp(1, 2, rare_sets(order = order)), task), matrix(20))$response)
  }
  expect_identical(response("increasing"), rbind(c(0L, 1L, 1L)))
  expect_identical(response("decreasing"), rbind(c(1L, 1L, 0L)))
})

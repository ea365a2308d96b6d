cuts_of <- function(v, disc) fit(disc,
  mltask(data.frame(v = v), rep(0, length(v)), kind = "label", discrete = c(v = FALSE)))$cuts[[1]]
levels_of <- function(v, disc) features(discretize_features(
  mltask(data.frame(v = v), rep(0, length(v)), kind = "label", discrete = c(v = FALSE)), disc
))$v

test_that("equal width cuts the range evenly, closed on the left", {
  expect_equal(cuts_of(c(0, 1, 2, 3, 4, 10), disc_equal_width(5)), c(2, 4, 6, 8))
  expect_identical(levels_of(c(0, 1, 2, 3, 4, 10), disc_equal_width(5)), c(1L, 1L, 2L, 2L, 3L, 5L))
  expect_identical(levels_of(c(0, 1, 2, 3, 4, 10), disc_equal_width(5, side = "right")), c(1L, 1L, 1L, 2L, 2L, 5L))
})

test_that("the layout of the fitted rows decides that of the levels", {
  withr::local_seed(3)
  x <- cbind(a = rbinom(30, 1, 0.4), b = rpois(30, 1), c = round(rnorm(30), 1) * rbinom(30, 1, 0.5))
  make <- function(x) mltask(x, rep(0:1, 15), discrete = c(a = TRUE, b = TRUE, c = FALSE))
  layouts <- list(make(x), make(as.data.frame(x)), make(sparse(x)))
  for (train in layouts) for (disc in list(disc_auto(), disc_equal_frequency(3))) {
    fitted <- fit(disc, train[1:20, ])
    for (new in layouts) {
      found <- as.matrix(predict(fitted, new))
      expect_identical(unname(found + 0), unname(as.matrix(predict(fitted, train)) + 0))
    }
  }
  named <- make(data.frame(a = factor(x[, 1]), b = x[, 2], c = x[, 3]))
  for (train in layouts) {
    expect_error(predict(fit(disc_auto(), train), named), '"a" was numeric', class = "mlsift_error")
  }
})

test_that("few values are only recoded when closed on the left, and a constant has one level", {
  expect_equal(cuts_of(c(3, 1, 1.5, 3), disc_equal_width(3)), c(1.25, 2.25))
  expect_identical(levels_of(c(3, 1, 1.5, 3), disc_equal_width(3)), c(3L, 1L, 2L, 3L))
  expect_identical(levels_of(c(3, 1, 1.5, 3), disc_equal_width(3, side = "right")), c(3L, 1L, 1L, 3L))
  for (disc in list(disc_equal_width(), disc_equal_width(side = "right"), disc_equal_frequency())) {
    expect_identical(levels_of(rep(0.1, 4), disc), rep(1L, 4))
  }
  close <- c(1, 1 + .Machine$double.eps, 1, 1)
  expect_identical(levels_of(close, disc_equal_width(2)), c(1L, 2L, 1L, 1L))
  expect_identical(levels_of(c(-1e308, 0, 1e308, 5, 6, 7), disc_equal_width(5)), c(1L, 3L, 5L, 3L, 3L, 3L))
})

test_that("equal frequency follows its equation and keeps equal values together", {
  oracle <- function(v, bins) {
    u <- unique(sort(v)[pmax(1, floor(seq_len(bins) * length(v) / bins + 0.5))])
    vapply(v, function(x) 1L + sum(x > u), 1L)
  }
  withr::local_seed(1)
  for (i in first_or_all(1:20, 7)) {
    v <- round(rnorm(sample(2:30, 1)), sample(0:2, 1)) + 0.25
    bins <- sample(2:6, 1)
    expect_identical(levels_of(v, disc_equal_frequency(bins)), oracle(v, bins))
  }
})

test_that("equal width follows its equation on random data", {
  withr::local_seed(2)
  for (i in first_or_all(1:20, 7)) {
    v <- rnorm(30)
    bins <- sample(2:7, 1)
    at <- min(v) + seq_len(bins - 1) * (max(v) - min(v)) / bins
    expect_identical(levels_of(v, disc_equal_width(bins)), findInterval(v, at) + 1L)
    expect_identical(levels_of(v, disc_equal_width(bins, "right")), findInterval(v, at, left.open = TRUE) + 1L)
  }
})

test_that("training cuts serve other rows, whose values beyond the range fall in the outer levels", {
  task <- mltask(
    data.frame(v = c(0, 1, 2, 3, 4, 10), w = factor(c("a", "b", "a", "a", "b", "b"))), rep(0:1, 3),
    discrete = c(v = FALSE)
  )
  fitted <- fit(disc_equal_width(5), task)
  new <- predict(fitted, mltask(data.frame(w = factor(c("z", "b", "a")), v = c(-5, 4.5, 99)), c(0, 1, 0)))
  expect_identical(features(new), data.frame(v = c(1L, 3L, 5L), w = c(0L, 2L, 1L)))
  expect_true(all(new$discrete))
  expect_identical(predict(fitted, task), discretize_features(task, disc_equal_width(5)))
})

test_that("logicals and numbers stand for levels that are spelled so, and for no others", {
  task <- function(...) mltask(data.frame(...), c(0, 1, 0), discrete = c(f = TRUE))
  new <- function(fitted, f) features(predict(fitted, task(f = f)))$f
  of_words <- fit(disc_auto(), task(f = factor(c("TRUE", "FALSE", "TRUE"))))
  expect_identical(new(of_words, c(TRUE, FALSE, TRUE)), c(2L, 1L, 2L))
  of_numbers <- fit(disc_auto(), task(f = factor(c("100000", "2", "100000"))))
  for (number in list(as.integer, as.double)) {
    expect_identical(new(of_numbers, number(c(2, 100000, 7))), c(2L, 1L, 0L))
  }
  expect_error(new(of_numbers, c(TRUE, FALSE, TRUE)), "was a factor and is logical", class = "mlsift_error")
  expect_error(new(of_words, c(1, 0, 1)), "type they had", class = "mlsift_error")
})

test_that("dense, sparse and data frame give the same levels", {
  withr::local_seed(3)
  x <- matrix(round(rnorm(200), 2) * rbinom(200, 1, 0.4), 40, dimnames = list(NULL, paste0("f", 1:5)))
  x[, 2] <- rbinom(40, 1, 0.5)
  x[, 3] <- abs(x[, 3])
  y <- rbinom(40, 1, 0.5)
  for (disc in list(disc_equal_width(4), disc_equal_width(3, "right"), disc_equal_frequency(4))) {
    dense <- features(discretize_features(mltask(x, y), disc))
    expect_identical(
      as.matrix(features(discretize_features(mltask(as.data.frame(x), y), disc))), dense, ignore_attr = TRUE
    )
    thin <- features(discretize_features(mltask(sparse(x), y), disc))
    for (f in 1:5) {
      zero <- dense[which(x[, f] == 0)[1], f]
      expect_identical(as.vector(thin[, f]), as.double(dense[, f] - zero))
    }
  }
})

test_that("selection discretizes as the discretizer does, in every layout", {
  withr::local_seed(4)
  x <- matrix(round(rnorm(300), 1) * rbinom(300, 1, 0.6), 50, dimnames = list(NULL, paste0("f", 1:6)))
  y <- random_labels(50, 5)
  for (disc in list(disc_equal_width(4), disc_equal_width(3, "right"), disc_equal_frequency(4))) {
    coded <- discretize_features(mltask(x, y), disc)
    for (selector in list(sel_mim(), sel_chi2(), sel_ebls(), sel_br_or(), sel_trans_mi("lp"))) {
      expected <- as.data.frame(sift_features(coded, selector, discretizer = NULL))
      expect_identical(as.data.frame(sift_features(mltask(x, y), selector, discretizer = disc)), expected)
      expect_identical(as.data.frame(sift_features(mltask(sparse(x), y), selector, discretizer = disc)), expected)
      expect_identical(
        as.data.frame(sift_features(mltask(as.data.frame(x), y), selector, discretizer = disc)), expected
      )
    }
  }
})

test_that("integers that are said to be continuous are cut as other numbers are", {
  v <- c(5L, 1:9, NA, 12L)
  y <- rep(0:1, 6)
  for (disc in list(
    disc_equal_width(3, na = "level"), disc_equal_frequency(3, na = "level"), disc_mdlp(min_bins = 2, na = "level")
  )) {
    numbers <- mltask(data.frame(v = v + 0, w = 1:12 / 2), y, kind = "label", discrete = c(v = FALSE))
    for (x in list(data.frame(v = v, w = 1:12 / 2), matrix(c(v, 1:12), 12, dimnames = list(NULL, c("v", "w"))))) {
      whole <- mltask(x, y, kind = "label", discrete = c(v = FALSE, w = FALSE))
      expect_identical(
        features(discretize_features(whole, disc))[, "v"], features(discretize_features(numbers, disc))[, "v"]
      )
      expect_identical(
        scores_of(whole, sel_mim(), discretizer = disc)[1], scores_of(numbers, sel_mim(), discretizer = disc)[1]
      )
    }
  }
})

test_that("missing values are refused or are a level of their own", {
  df <- data.frame(u = c(1.5, NA, 3, 2.5, 0.5, 4), w = factor(c("a", NA, "b", "a", "b", "b")))
  task <- mltask(df, c(0, 1, 1, 0, 1, 0))
  expect_identical(
    features(discretize_features(task, disc_equal_width(2, na = "level"))),
    data.frame(u = c(1L, 3L, 2L, 2L, 1L, 2L), w = c(1L, 3L, 2L, 1L, 2L, 2L))
  )
  found <- scores_of(task, sel_mim(), discretizer = disc_equal_width(2, na = "level"))
  expect_equal(
    found, unname(oracle_mim(cbind(c(1, 3, 2, 2, 1, 2), c(1, 3, 2, 1, 2, 2)), targets(task))), tolerance = 1e-12
  )
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_mim())
    discretize_features(task, disc_equal_width(2))
    sift_features(task, sel_mfs())
  })
})

test_that("missing values of sparse features are a level of their own, also in discrete ones", {
  withr::local_seed(4)
  x <- cbind(none = 0, a = rbinom(40, 1, 0.3), b = rpois(40, 1), c = round(rnorm(40), 1) * rbinom(40, 1, 0.5))
  x[cbind(c(2, 5, 9, 9), c(2, 3, 3, 4))] <- NA
  make <- function(x) mltask(x, rep(0:1, 20), discrete = c(none = TRUE, a = TRUE, b = TRUE, c = FALSE))
  # Levels that the fitted rows do not have are not taken for missing ones.
  x[31:33, "b"] <- 5:7
  for (disc in list(disc_auto(na = "level"), disc_equal_frequency(3, na = "level"))) {
    dense <- as.matrix(predict(fit(disc, make(x)[1:30, ]), make(x)))
    found <- predict(fit(disc, make(sparse(x))[1:30, ]), make(sparse(x)))
    expect_s4_class(features(found), "dgCMatrix")
    found <- as.matrix(found)
    partition <- function(column) match(column, unique(column))
    expect_identical(apply(found, 2, partition), apply(dense, 2, partition))
  }
})

test_that("bad discretizers are refused", {
  task <- simulate_mltask(10, 3, 2)
  expect_snapshot(error = TRUE, {
    disc_equal_width(1)
    disc_equal_width(2.5)
    disc_equal_width(side = "middle")
    disc_equal_frequency(na = "omit")
    discretize_features(task, "width")
    predict(disc_equal_width(), task)
    predict(fit(disc_equal_width(), task), task[, 1:2])
  })
  expect_snapshot(disc_equal_width(3))
})

test_that("print() shows the bins and where they are closed", {
  expect_output(print(disc_equal_width(4)), "4 bins, closed on the left", fixed = TRUE)
  expect_output(print(disc_equal_width(5, side = "right")), "5 bins, closed on the right", fixed = TRUE)
  expect_output(print(disc_equal_frequency(3)), "3 bins, closed on the right", fixed = TRUE)
})

test_that("a fitted discretizer is used as it is, by tasks, sources, tables and benchmarks alike", {
  withr::local_seed(41)
  whole <- simulate_mltask(300, 8, 2)
  part <- whole[1:60, ]
  for (disc in list(disc_equal_width(4), disc_equal_frequency(3), disc_auto(7))) {
    fitted <- fit(disc, whole)
    codes <- discretize_features(part, fitted)
    expect_identical(codes, predict(fitted, part))
    expect_false(identical(codes, discretize_features(part, disc)))
    for (selector in list(sel_mim(), sel_scls())) {
      expected <- sift_features(codes, selector, k = 8)
      expect_identical(sift_features(part, selector, k = 8, discretizer = fitted)$score, expected$score)
      source <- chunk_source(function(i) if (i <= 3) part[20 * i - 19:0, ], feature_names(part), target_names(part))
      expect_identical(sift_features(source, selector, k = 8, discretizer = fitted)$score, expected$score)
    }
    tables <- count_tables(part, sel_mim(), discretizer = fitted)
    expect_identical(sift_features(tables, sel_mim())$score, sift_features(codes, sel_mim())$score)
    bench <- benchmark_selectors(
      part, sel_mim(), lrn_nb(), rs_fixed(1:40, 41:60), 8, "hamming_loss", discretizer = fitted,
      learner_discretizer = fitted
    )
    expect_identical(selections(bench)$score, sift_features(codes[1:40, ], sel_mim(), k = 8)$score)
    prediction <- predict(fit(lrn_nb(), codes[1:40, ]), codes[41:60, ])
    expect_identical(bench$value, evaluate(prediction, codes[41:60, ], "hamming_loss")$value)
  }
  expect_error(
    sift_features(whole, sel_mim(), discretizer = fit(disc_auto(), whole[, 1:3])), "\"f4\"", class = "mlsift_error"
  )
})

test_that("a fitted discretizer is used for the features at hand, by their names", {
  set.seed(1)
  x <- matrix(rnorm(480), 60, dimnames = list(NULL, paste0("f", 1:8)))
  x[, 1] <- 100 * x[, 1]
  y <- cbind(a = as.integer(x[, 8] > 0), b = as.integer(x[, 7] > 0))
  task <- mltask(x, y)
  ours <- fit(disc_equal_width(3), task)
  turned <- fit(disc_equal_width(3), task[, 8:1])
  number <- sel_custom("Number", function(task, k) as.numeric(sub("f", "", feature_names(task))), codes = TRUE)
  expect_identical(selected(sift_features(task, number, discretizer = turned)), paste0("f", 8:1))
  expect_identical(selected(sift_features(task, sel_turf(number), discretizer = ours, exclude = 1)), paste0("f", 8:2))
  assessed <- function(task, features, discretizer) {
    assess_features(task, features, lrn_nb(), "hamming_loss", rs_fixed(1:40, 41:60), discretizer = discretizer)$value
  }
  expected <- assessed(discretize_features(task, ours), 7:8, NULL)
  expect_identical(assessed(task, 7:8, ours), expected)
  bench <- benchmark_selectors(list(t = task), list(sel_mim()), list(lrn_nb()), rs_fixed(1:40, 41:60), k = 2,
    measures = "hamming_loss", learner_discretizer = turned)
  expect_identical(bench$value, assessed(task, selections(bench)$feature, ours))
  for (redraw in c(FALSE, TRUE)) {
    search <- sel_rga(max_features = 2, evaluations = 2, population = 2, inner = rs_fixed(1:40, 41:60),
      discretizer = turned, redraw = redraw, start = list(7:8, 1:2))
    expect_identical(attr(sift_features(task, search, exclude = 3), "search")$history$value,
      c(expected, assessed(task, 1:2, ours)))
  }
})

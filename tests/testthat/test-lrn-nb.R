expect_nb <- function(x, y, query, discrete, laplace = 1) {
  names(discrete) <- colnames(x)
  oracle <- oracle_nb(x, y, query, laplace, discrete)
  for (as in list(identity, sparse, as.data.frame)) {
    model <- fit(lrn_nb(laplace, zero_share = 1), mltask(as(x), y, kind = "label", discrete = discrete), threads = 1)
    got <- predict(model, as(query), threads = 1)
    expect_equal(unname(got$score), oracle, tolerance = 1e-9)
    expect_identical(got$response, (got$score >= 0.5) + 0L)
    expect_identical(predict(model, as(query), threads = 2), got)
  }
  again <- sample.int(nrow(x))
  by_rows <- fit(lrn_nb(laplace, zero_share = 1), mltask(x[again, ], y[again, ], kind = "label", discrete = discrete))
  expect_equal(unname(predict(by_rows, query)$score), oracle, tolerance = 1e-9)
}

test_that("NB equals its equations", {
  withr::local_seed(1)
  for (case in first_or_all(1:8, 3)) {
    n <- c(8, 30, 60)[1 + case %% 3]
    x <- random_codes(n, 5)
    continuous <- sample(5, 2)
    x[, continuous] <- round(rnorm(2 * n), 2) * (runif(2 * n) < c(1, 0.3)[1 + case %% 2])
    y <- random_labels(n, c(4, 6)[1 + case %% 2])
    query <- x[sample.int(n, 20, replace = TRUE), ]
    query[1, 5] <- query[2, 1] <- 7  # unseen levels, or far away
    expect_nb(x, y, query, !seq_len(5) %in% continuous, laplace = c(0.5, 1, 2)[1 + case %% 3])
  }
})

test_that("a continuous feature that is mostly zero is used by its sign", {
  withr::local_seed(10)
  x <- matrix(round(abs(rnorm(60 * 5)), 2) * (runif(300) < 0.3), 60, dimnames = list(NULL, paste0("f", 1:5)))
  x[, 1] <- round(rnorm(60), 2)
  x[, 2] <- x[, 2] * sample(c(-1, 1), 60, TRUE)
  x[1:31, 3] <- 0
  x[32:60, 3] <- round(runif(29), 2) + 0.5
  x[1:30, 4] <- 0
  x[31:60, 4] <- round(runif(30), 2) + 0.5
  y <- random_labels(60, 3)
  discrete <- stats::setNames(logical(5), colnames(x))
  signs <- c(FALSE, TRUE, TRUE, FALSE, TRUE)
  query <- x[sample.int(60, 20), ]
  query[1, c(3, 5)] <- c(-2, 99)
  expected <- oracle_nb(cbind(x[, !signs], sign(x[, signs])), y, cbind(query[, !signs], sign(query[, signs])), 1,
    c(FALSE, FALSE, TRUE, TRUE, TRUE))
  for (as in list(identity, sparse, as.data.frame)) {
    task <- mltask(as(x), y, discrete = discrete)
    model <- fit(lrn_nb(), task)
    expect_equal(unname(predict(model, as(query))$score), expected, tolerance = 1e-9)
    expect_identical(predict(model, sparse(query))$score, predict(model, query)$score)
    subset <- learner_method(lrn_nb())$subsets(task, as(query), c(lrn_nb()$params, threshold = 0.5), 1L)
    expect_equal(unname(subset(1:5, TRUE)$score), expected, tolerance = 1e-9)
  }
  expect_identical(zero_shares(data.frame(a = c(0, 1), b = factor(1:2))), c(0.5, 0))
})

test_that("weights that sum to 1 or less are refused where deviations are needed, and told of", {
  withr::local_seed(11)
  x <- matrix(rnorm(60), 20, dimnames = list(NULL, paste0("f", 1:3)))
  labels <- random_labels(20, 2, p = 0.5)
  of <- function(x, total) suppressMessages(mltask(x, labels, weights = rep(total / 20, 20)))
  codes <- as_factors(random_codes(20, 3))
  expect_equal(predict(fit(lrn_nb(laplace = 0), of(codes, 1)), codes)$score,
    predict(fit(lrn_nb(laplace = 0), of(codes, 20)), codes)$score)
  for (learner in list(lrn_nb(), lrn_mlnb())) {
    expect_false(anyNA(predict(fit(learner, of(x, 1.01)), x)$score))
    expect_error(fit(learner, of(x, 1)), "must sum to more than 1", class = "mlsift_error")
  }
  expect_snapshot(invisible(mltask(x, labels, weights = rep(0.05, 20))))
  expect_no_message(mltask(x, labels, weights = rep(0.1, 20)))
})

test_that("shares of zeros are exact in every layout", {
  x <- matrix(rep(c(0, 1.5, 0, 2, 3), c(3, 7, 6, 2, 2)), 10)
  for (as in list(identity, sparse, as.data.frame)) {
    expect_identical(zero_shares(as(x)), c(3, 6) / 10)
    expect_identical(zero_shares(as(x), rep(1:2, 5)), c(4, 9) / 15)
    expect_identical(zero_shares(as(x), c(1L, rep(2^27, 9))), c(1 + 2^28, 1 + 5 * 2^27) / (1 + 9 * 2^27))
  }
})

test_that("without smoothing the score 0/0 is 0", {
  withr::local_seed(2)
  x <- random_codes(12, 4)
  y <- random_labels(12, 5)
  query <- rbind(x, x + 1)
  expect_nb(x, y, query, rep(TRUE, 4), laplace = 0)
  task <- coded_task(x, y)
  expect_identical(unname(predict(fit(lrn_nb(0), task), rbind(x[1, ] + 9))$score), rbind(c(0, 0, 1, 0, 0)))
})

test_that("one row of a class, constant features and equal values within a class have a density", {
  x <- cbind(f1 = c(1.5, 2, 4, 3.5, 0, 0), f2 = 2.5, f3 = c(1.5, 1.5, 1.5, 0, 0, 0))
  y <- cbind(l1 = c(1, 0, 0, 0, 0, 0), l2 = c(1, 1, 1, 0, 0, 0), l3 = 0, l4 = 1)
  expect_nb(x, y, rbind(x, x + 0.001, 3), rep(FALSE, 3))
  score <- predict(fit(lrn_nb(), mltask(x, y, kind = "label", discrete = c(f2 = FALSE))), x)$score
  expect_identical(unname(score[, c("l3", "l4")]), cbind(rep(0, 6), rep(1, 6)))
  expect_gt(score[1, "l1"], 0.999)
  expect_lt(max(score[-1, "l1"]), 0.001)
})

test_that("large values far from 0 keep their digits", {
  withr::local_seed(3)
  x <- matrix(rnorm(90), 30, dimnames = list(NULL, paste0("f", 1:3)))
  y <- random_labels(30, 3, p = 0.5)
  score <- predict(fit(lrn_nb(), mltask(x, y)), x)$score
  moved <- 1e6 + 1e-2 * x
  expect_equal(predict(fit(lrn_nb(), mltask(moved, y)), moved)$score, score, tolerance = 1e-6)
  expect_equal(predict(fit(lrn_nb(), mltask(1e160 * x, y)), 1e160 * x)$score, score, tolerance = 1e-9)
})

test_that("factors follow the levels of training", {
  withr::local_seed(4)
  codes <- random_codes(30, 3)
  y <- random_labels(30, 3)
  model <- fit(lrn_nb(), mltask(as_factors(codes), y))
  score <- predict(model, as_factors(codes))$score
  expect_equal(unname(score), oracle_nb(codes, y, codes, 1, rep(TRUE, 3)), tolerance = 1e-12)
  frame <- as_factors(codes)
  frame$f1 <- factor(frame$f1, levels = c("9", "2", "1", "0"))
  expect_identical(predict(model, frame)$score, score)
  frame$f1[1] <- "9"
  query <- codes
  query[1, 1] <- 9
  expect_equal(unname(predict(model, frame)$score), oracle_nb(codes, y, query, 1, rep(TRUE, 3)), tolerance = 1e-12)
})

test_that("a curve over features equals separate models", {
  withr::local_seed(5)
  x <- cbind(random_codes(80, 4), matrix(rnorm(320) * (runif(320) < 0.4), 80, dimnames = list(NULL, paste0("g", 1:4))))
  y <- random_labels(80, 5)
  order <- sample.int(8)
  k <- c(1, 2, 5, 8)
  for (task in list(mltask(x, y), mltask(sparse(x), sparse(y)))) {
    for (learner in list(lrn_nb(), lrn_nb(0), lrn_mlnb())) {
      train <- task[1:50, ]
      test <- task[51:80, ]
      curve <- one_pass(learner, train, test, order, k)
      expect_identical(`attributes<-`(curve, NULL), separate_curve(learner, train, test, order, k))
    }
  }
})

test_that("NB agrees with e1071", {
  # predict(e1071::naiveBayes(x, factor(y), laplace = 1), x, type = "raw")[, 2] of e1071 1.7-17; all levels
  # occur and no density is below the threshold of that package.
  numbers <- cbind(f1 = c(0.5, 1.5, 2.25, -1, 0.75, 3, -0.5, 1.25), f2 = c(2, 1, 0.5, 3.5, 2.5, 1.5, 3, 0.25))
  codes <- data.frame(g1 = factor(c("a", "b", "a", "c", "b", "c", "a", "a")), g2 = factor(c(1, 1, 0, 0, 1, 0, 1, 1)))
  y <- cbind(l = c(1, 0, 1, 0, 1, 1, 0, 1))
  both <- cbind(as.data.frame(numbers), codes)
  score <- function(x) as.vector(predict(fit(lrn_nb(), mltask(x, y, kind = "label")), x)$score)
  expect_equal(score(numbers), c(0.616592013909, 0.906979702554, 0.954183445714, 0.0217262378351,
    0.55367194118, 0.950434886838, 0.102544629118, 0.905257722822), tolerance = 1e-8)
  expect_equal(score(codes), c(0.704225352113, 0.54347826087, 0.728155339806, 0.572519083969,
    0.54347826087, 0.572519083969, 0.704225352113, 0.704225352113), tolerance = 1e-8)
  expect_equal(score(both), c(0.696731771518, 0.87444331177, 0.970989799415, 0.0175334105016,
    0.469798279525, 0.939057346392, 0.140325351131, 0.931740281628), tolerance = 1e-8)
})

test_that("impossible parameters and data are refused", {
  task <- mltask(data.frame(f1 = c(0.5, 1.5, 2, 1)), cbind(l1 = c(1, 0, 0, 1)))
  model <- fit(lrn_nb(), task)
  expect_snapshot(error = TRUE, {
    lrn_nb(laplace = -1)
    lrn_nb(laplace = Inf)
    predict(model, data.frame(f1 = factor("a")))
    predict(model, data.frame(f1 = NA_real_))
    fit(lrn_nb(), mltask(data.frame(f1 = c(0.5, NA)), cbind(l1 = 0:1)))
  })
})

test_that("a discretizer is fitted to the training rows", {
  withr::local_seed(8)
  x <- data.frame(a = rnorm(80), b = rexp(80), c = factor(sample(letters[1:3], 80, TRUE)), d = rpois(80, 0.3))
  labels <- mltask(x, cbind(l1 = rbinom(80, 1, 0.4), l2 = rbinom(80, 1, 0.4)))
  tasks <- list(labels, mltask(x, data.frame(u = factor(sample(c("p", "q"), 80, TRUE)))),
    mltask(x, as.matrix(targets(labels)), weights = sample(0:2, 80, TRUE)),
    mltask(as(as.matrix(x[-3]), "CsparseMatrix"), as.matrix(targets(labels))))
  for (task in tasks) for (disc in list(disc_auto(), disc_equal_frequency(3))) {
    train <- task[1:60, ]
    fitted <- fit(disc, train)
    expected <- predict(fit(lrn_nb(), predict(fitted, train)), predict(fitted, task[61:80, ]))
    model <- fit(lrn_nb(discretizer = disc), train)
    expect_identical(predict(model, task[61:80, ]), expected)
    new <- (if (is_sparse(task$x)) as.data.frame(as.matrix(task)) else features(task))[61:80, ]
    expect_identical(predict(model, new)$score, expected$score)
    expect_error(predict(model, transform(new, a = factor(a))), '"a" was numeric', class = "mlsift_error")
    if (!is_sparse(task$x)) next
    train <- mltask(as.matrix(train), targets(train), discrete = train$discrete)
    dense <- fit(lrn_nb(discretizer = disc), train)
    expect_equal(predict(dense, features(task)[61:80, ])$score, expected$score, tolerance = 1e-12)
  }
  # Curves and sets of features.
  split <- rs_fixed(1:60, 61:80)
  for (k in 1:4) {
    expect_identical(assess_features(labels, 1:k, lrn_nb(discretizer = disc_auto()), "hamming_loss", split)$value,
      assess_features(labels, 1:k, lrn_nb(), "hamming_loss", split, disc_auto())$value)
  }
  bench <- benchmark_selectors(labels, sel_mim(), list(own = lrn_nb(discretizer = disc_auto())), split, 1:4,
    "hamming_loss")
  same <- benchmark_selectors(labels, sel_mim(), list(own = lrn_nb()), split, 1:4, "hamming_loss",
    learner_discretizer = disc_auto())
  expect_identical(bench$value, same$value)
  found <- sift_features(labels, sel_rga(lrn_nb(discretizer = disc_auto()), evaluations = 20), k = 2)
  expect_lte(nrow(found), 2L)
  expect_error(lrn_nb(discretizer = fit(disc_auto(), labels)), "must not be fitted", class = "mlsift_error")
  expect_error(lrn_nb(discretizer = 5), "discretizer", class = "mlsift_error")
})

codes_and_labels <- function(n = 50, d = 6, q = 5) list(x = random_codes(n, d), y = random_labels(n, q))

# The rows that vote in BR-kNN, where every training row has a label of its own.
voting_rows <- function(x, query, k) {
  colnames(x) <- colnames(query) <- paste0("f", seq_len(ncol(x)))
  task <- suppressWarnings(mltask(x, diag(nrow(x)), kind = "label"), classes = "mlsift_warning")
  scores <- predict(fit(lrn_brknn(k, "none"), task), query)$score
  t(matrix(apply(scores > 0, 1, which), k))
}

test_that("neighbors are those of the definition, ties to the lowest row", {
  withr::local_seed(1)
  for (n in c(3, 9, 33)) {
    for (x in list(random_codes(n, 5), matrix(rnorm(n * 3), n), matrix(1, n, 2), matrix(rnorm(n), n))) {
      query <- x[sample.int(n, 7, replace = TRUE), , drop = FALSE] + 0.25
      for (k in unique(c(1, min(n, 4), n))) {
        expected <- t(matrix(apply(matrix(oracle_neighbors(x, query, k), 7), 1, sort), k))
        expect_identical(voting_rows(x, query, k), expected)
        expect_identical(voting_rows(sparse(x), sparse(query), k), expected)
      }
    }
  }
})

test_that("all layouts and numbers of threads give the same bits", {
  withr::local_seed(5)
  d <- codes_and_labels(90, 8)
  d$x[, 5] <- d$x[, 5] * 0.37
  train <- 1:60
  test <- 61:90
  frame <- as.data.frame(d$x)
  logical <- frame
  frame$f6 <- factor(frame$f6 > 0, labels = c("no", "yes"))
  logical$f6 <- logical$f6 > 0
  number <- d$x
  number[, 6] <- number[, 6] > 0
  for (learner in list(
    lrn_mlknn(4), lrn_mlknn(4, smoothing = 0, scale = "zscore"), lrn_brknn(5), lrn_brknn(3, scale = "zscore")
  )) {
    predicted <- function(x, y, threads = 1) {
      task <- mltask(x, y, kind = "label")
      predict(fit(learner, task[train, ], threads = threads), task[test, ], threads = threads)
    }
    expected <- predicted(number, d$y)
    expect_identical(predicted(number, d$y, 2), expected)
    expect_identical(predicted(sparse(number), d$y), expected)
    expect_identical(predicted(sparse(number), sparse(d$y), 2), expected)
    expect_identical(predicted(number, sparse(d$y)), expected)
    expect_identical(predicted(logical, d$y), expected)
    expect_identical(predicted(frame, as.data.frame(d$y), 2), expected)
    mixed <- predict(fit(learner, mltask(sparse(number[train, ]), d$y[train, ], kind = "label")), number[test, ])
    expect_identical(mixed, expected)
    mixed <- predict(fit(learner, mltask(number[train, ], d$y[train, ], kind = "label")), sparse(number[test, ]))
    expect_identical(mixed, expected)
  }
})

test_that("a difference between categories adds 1, and levels unseen in training are far from all", {
  withr::local_seed(6)
  n <- 50
  x <- data.frame(a = rnorm(n), b = factor(sample(letters[1:4], n, TRUE)), c = factor(sample(c("u", "v"), n, TRUE)),
    d = factor(sample(1:5, n, TRUE), ordered = TRUE), e = factor(sample(LETTERS[1:3], n, TRUE)))
  y <- random_labels(n, 2)
  codes <- vapply(x, as.double, double(n))
  codes[, "c"] <- codes[, "c"] - 1
  nominal <- c(FALSE, TRUE, FALSE, FALSE, TRUE)
  task <- mltask(x, y, kind = "label")
  model <- fit(lrn_brknn(4, "none"), task[1:30, ])
  expect_equal(
    unname(predict(model, task[31:50, ])$score), oracle_brknn(codes[1:30, ], y[1:30, ], codes[31:50, ], 4, nominal)
  )
  expect_identical(
    predict(model, transform(x[31:50, ], b = as.character(b), c = as.character(c)))$score,
    predict(model, task[31:50, ])$score
  )

  # The other features decide; relabelled levels are found by name.
  unseen <- x[31:50, ]
  unseen$b <- factor("new")
  unseen$c <- factor("new")
  expect_equal(unname(predict(model, unseen)$score),
    oracle_brknn(codes[1:30, -(2:3)], y[1:30, ], codes[31:50, -(2:3)], 4, nominal[-(2:3)]))
  relevelled <- x[31:50, ]
  relevelled$b <- factor(as.character(relevelled$b), levels = c("z", "d", "c", "b", "a"))
  expect_identical(predict(model, relevelled)$score, predict(model, x[31:50, ])$score)
  expect_snapshot(error = TRUE, {
    predict(model, transform(x[31:32, ], d = factor(c("3", "6"), ordered = TRUE)))
    predict(model, transform(x[31:32, ], a = factor(1:2)))
  })
})

test_that("z-scores use the population standard deviation of the training rows and leave constant features alone", {
  withr::local_seed(7)
  x <- cbind(a = rnorm(40, 5), b = rnorm(40, sd = 30), c = 0.1, d = runif(40))
  x[30:40, "c"] <- 7
  y <- random_labels(40, 3)
  colnames(y) <- paste0("l", 1:3)
  train <- 1:25
  sd <- apply(x[train, ], 2, function(v) sqrt(mean((v - mean(v))^2)))
  sd["c"] <- 1
  scaled <- sweep(x, 2, sd, "/")
  task <- mltask(x, y, kind = "label")
  got <- predict(fit(lrn_mlknn(3, scale = "zscore"), task[train, ]), task[-train, ])
  expect_equal(unname(got$score), oracle_mlknn(scaled[train, ], y[train, ], scaled[-train, ], 3), tolerance = 1e-12)
  shifted <- fit(lrn_mlknn(3, scale = "zscore"), mltask(sparse(x)[train, ], y[train, ], kind = "label"))
  expect_identical(predict(shifted, x[-train, ]), got)
})

test_that("neighbors are those of FNN 1.1.4.1, get.knn() on datasets::swiss", {
  x <- as.matrix(datasets::swiss)
  nearest <- rbind(
    c(41L, 44L, 17L, 43L), c(10L, 6L, 3L, 9L), c(2L, 10L, 6L, 9L), c(43L, 1L, 5L, 17L), c(43L, 39L, 17L, 30L),
    c(2L, 10L, 3L, 9L)
  )
  expect_identical(voting_rows(x, x[1:6, ], 5), t(apply(cbind(1:6, nearest), 1, sort)))
})

test_that("very large and very small numbers have the neighbors of the same numbers in another unit", {
  skip_unless_all()
  withr::local_seed(31)
  x <- matrix(stats::rnorm(70 * 4), 70) |> cbind(stats::rbinom(70, 1, 0.4))
  y <- cbind(a = as.integer(x[, 1] > 0), b = as.integer(x[, 2] + x[, 5] > 0.5))
  classes <- factor(y[, 1] + y[, 2])
  number <- x[, 1] + x[, 2]
  scores <- function(learner, y, unit, make = identity) {
    task <- mltask(make(x * unit), y)
    prediction <- predict(fit(learner, task[1:50, ]), task[51:70, ])
    unclass(prediction)[intersect(c("score", "response"), names(prediction))]
  }
  for (unit in 2^c(520, -560)) {
    for (learner in list(lrn_mlknn(5), lrn_brknn(5), lrn_lp(5), lrn_cc_knn(5, 1:2))) {
      expect_identical(scores(learner, y, unit), scores(learner, y, 1))
      expect_identical(scores(learner, y, unit, sparse), scores(learner, y, 1))
    }
    expect_identical(scores(lrn_brknn(5), classes, unit), scores(lrn_brknn(5), classes, 1))
    expect_identical(scores(lrn_knn_regression(5), number, unit), scores(lrn_knn_regression(5), number, 1))
    for (learner in list(lrn_mlknn(5, scale = "none"), lrn_cc_knn(5, scale = "none"))) {
      expect_error(scores(learner, y, unit), "to be squared", class = "mlsift_error")
    }
    selectors <- list(
      sel_ml_cfs(), sel_relieff_ml(), sel_relieff_br(), sel_knn_mi(zero_distance = "gao"), sel_mlrf()
    )
    for (selector in selectors) {
      expect_equal(
        as.data.frame(sift_features(mltask(x * unit, y), selector, k = 4)),
        as.data.frame(sift_features(mltask(x, y), selector, k = 4)), tolerance = 1e-12
      )
    }
  }
  for (selector in list(sel_gmba(scale = "none"), sel_mlrf(scale = "none"))) {
    expect_error(sift_features(mltask(x * 2^-560, y), selector), "too small", class = "mlsift_error")
  }
})

test_that("values near the ends of doubles give the ranking of the same values in another unit, or an error", {
  skip_unless_all()
  withr::local_seed(9)
  x <- matrix(rnorm(150), 30, dimnames = list(NULL, paste0("f", 1:5)))
  x <- x / max(abs(x))
  y <- cbind(a = as.integer(x[, 2] > 0), b = rep(0:1, 15))
  numbers <- cbind(a = x[, 1] + rnorm(30) / 9, b = rnorm(30))
  selectors <- list(
    sel_br_cc(), sel_mfs(), sel_ml_cfs(), sel_spec(), sel_gmba(), sel_mfs_mcdm(), sel_mtl(), sel_rfs(), sel_mssl(),
    sel_mdfs(), sel_mifs(), sel_relieff_ml(), sel_mlrf(), sel_surf(), sel_knn_mi(), sel_grro(), sel_mim()
  )
  of <- function(size, y, selector) {
    tryCatch(
      withr::with_seed(1, suppressWarnings(sift_features(mltask(x * size, y), selector))[c("index", "score")]),
      mlsift_error = function(e) NULL
    )
  }
  expected <- lapply(selectors, function(selector) of(1, y, selector)$index)
  # Powers of two change no digits.
  for (size in 2^c(-1000, -515, 515, 1023)) {
    for (i in seq_along(selectors)) {
      found <- of(size, y, selectors[[i]])
      if (!is.null(found)) expect_identical(found$index, expected[[i]], label = selectors[[i]]$name)
    }
    expect_identical(of(size, numbers, single_correlations()), of(1, numbers, single_correlations()))
    cuts <- fit(disc_equal_width(4), mltask(x * size, y))$cuts
    expect_identical(lapply(cuts, `/`, size), fit(disc_equal_width(4), mltask(x, y))$cuts)
  }
  expect_error(sift_features(mltask(x * 2^-515, y), sel_mfs_mcdm(scale = "none")), "too small.*\"f",
    class = "mlsift_error")
})

test_that("learners predict the same from values near the ends of doubles as in another unit, or refuse them", {
  skip_unless_all()
  withr::local_seed(10)
  x <- matrix(rnorm(160), 40, dimnames = list(NULL, paste0("f", 1:4)))
  x <- x / max(abs(x))
  noise <- matrix(rnorm(80), 40)
  numbers <- unname(x[, 1:2]) + noise
  targets <- list(label = (numbers > 0) * 1, numeric = numbers)
  learners <- list(lrn_nb(), lrn_cc_knn(chain_order = 2:1), lrn_mtl())
  for (constructor in list(lrn_brknn, lrn_mlknn, lrn_lp, lrn_brlr, lrn_mlnb, lrn_linear, lrn_knn_regression)) {
    learners <- c(learners, list(constructor(scale = "none"), constructor(scale = "zscore")))
  }
  for (learner in learners) for (kind in intersect(learner_method(learner)$kinds, names(targets))) {
    of <- function(size) {
      task <- mltask(x * size, targets[[kind]])
      or_else(suppressWarnings(predict(fit(learner, task), task))[], NULL)
    }
    expected <- of(1)
    for (size in 2^c(-515, 515, 1023)) {
      found <- of(size)
      if (!is.null(found)) expect_equal(found, expected, tolerance = 1e-9, info = learner$name)
      else expect_error(fit(learner, mltask(x * size, targets[[kind]])), "squared", class = "mlsift_error")
    }
  }
})

test_that("nobody is warned of the number of neighbors of a learner that the package took", {
  skip_unless_all()
  withr::local_seed(11)
  task <- mltask(matrix(rnorm(36), 12), cbind(y = rnorm(12)))
  half <- rs_holdout(0.5, 2)
  local_few_draws()
  choose <- function(task, ...) tune_selection(task, list(sel_random()), k = 2, resampling = half, ...)
  expect_warned <- function(code) suppressWarnings(expect_warning(code, "fewer training rows than `neighbors`"))
  expect_no_warning(choose(task))
  expect_no_warning(sift_features(task, sel_best(k = 2, resampling = half)))
  expect_no_warning(suppressMessages(sift(task, max_features = 2, inner = half, estimate = FALSE)))
  given <- lrn_knn_regression()
  expect_warned(choose(task, learner = given))
  expect_warned(sift_features(task, sel_best(learner = given, k = 2, resampling = half)))
  expect_warned(suppressMessages(sift(task, learner = given, max_features = 2, inner = half, estimate = FALSE)))
  labels <- mltask(task$x, cbind(y = rep(0:1, 6)))
  expect_warned(choose(labels, learner = list(lrn_linear(), lrn_threshold(lrn_brknn(9)))))
})

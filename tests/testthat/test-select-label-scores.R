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

test_that("rounding of equal scores does not decide p-values", {
  withr::local_seed(10)
  n <- 12
  x <- matrix(sample(0:2, 6 * n, TRUE) / 2, n)
  y <- matrix(rbinom(2 * n, 1, 0.5), n)
  set.seed(3)
  found <- score_test(mltask(x, y), sel_br_cc(), n = 99)
  scores <- function(y) round(rowSums(abs(cor(x, y))), 9)
  set.seed(3)
  reached <- rowSums(replicate(99, scores(y[sample.int(n), ]) >= scores(y)))
  expect_equal(found$p_value, ((1 + reached) / 100)[found$index])
})

test_that("terms of scores that cancel are ties of 0", {
  skip_unless_all()
  withr::local_seed(1)
  x <- cbind(a = rep(0:1, 6), b = rep(0:1, each = 6), c = rbinom(12, 1, 0.5), d = sample(0:2, 12, TRUE))
  y <- cbind(rep(c(0, 1, 1, 0), 3), sample(rep(0:1, 6)))
  scores <- function(y) rowSums(cor(x, y))
  orders <- rbind(1:12, t(replicate(400, sample(12))))
  drawn <- apply(orders, 1, function(order) scores(y[order, ]))
  exact <- round(drawn, 9)
  for (size in c(1e-9, 1, 1e9)) for (at in list(1:401, 401:1)) {
    i <- 0
    found <- count_reached(size * drawn[, 1], function() size * drawn[, at[i <<- i + 1]], 401)
    expect_identical(found, rowSums(exact >= exact[, 1]))
  }
  # Draws that are all 0 but for rounding come first, and some are infinite or missing.
  i <- 0
  draws <- list(c(0, 1, 0), c(1e-17, Inf, 0), c(0.2, -1, 0), c(-0.2, NA, 0), c(0, 1, 0))
  found <- count_reached(c(2e-17, 1, Inf), function() draws[[i <<- i + 1]], 4)
  expect_identical(found, c(3, NA, 0))
  y2 <- y[sample(12), ]
  for (make in list(sel_mlrf(neighbors = 1), sel_surf(), sel_br_cc(abs = FALSE))) {
    task <- mltask(x, y2, discrete = c(d = FALSE))
    score <- function(y) {
      sel <- sift_features(mltask(x, y, discrete = c(d = FALSE)), make)
      round(sel$score[order(sel$index)], 9)
    }
    found <- withr::with_seed(2, score_test(task, make, n = 99))
    reached <- withr::with_seed(2, rowSums(replicate(99, score(y2[sample.int(12), ]) >= score(y2))))
    expect_equal(found$p_value, ((1 + reached) / 100)[found$index])
  }
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

test_that("p-values of weighted rows are uniform where features do not matter, whatever weights depend on", {
  withr::local_seed(5)
  n <- 200
  y <- matrix(rbinom(2 * n, 1, 0.2), n)
  x <- matrix(rnorm(n * 300), n)
  spread <- function(task) {
    p <- score_test(task, sel_mim(), n = 49)$p_value
    c(mean(p), mean(p <= 0.1), mean(p <= 0.5))
  }
  # Weights that balance classes, weights by groups of features, and weights of both.
  by_target <- 1 + 9 * y[, 1]
  by_feature <- 1 + 4 * (x[, 1] > 0.5) + 2 * (x[, 2] > 0)
  some <- replace(y, cbind(sample(n, 60), 1), NA)
  for (task in list(mltask(x, y, weights = by_target), mltask(x, y, weights = by_feature),
    mltask(x, some, weights = by_target))) {
    found <- spread(task)
    expect_lt(abs(found[1] - 0.5), 0.07)
    expect_lt(abs(found[2] - 0.1), 0.07)
    expect_lt(abs(found[3] - 0.5), 0.12)
  }
  good <- mltask(data.frame(x[, 1:20], good = y[, 1] + rnorm(n, sd = 0.7)), y, weights = rep(1:4, 50))
  expect_identical(score_test(good, sel_mim(), n = 49)$feature[1], "good")
  expect_equal(score_test(good, sel_mim(), n = 49)$p_value[1], 0.02)
})

test_that("permutations keep weights and unknown labels with their rows", {
  withr::local_seed(6)
  task <- scored_task()
  test <- function(task, ...) withr::with_seed(7, score_test(task, sel_mim(), n = 19, ...))
  weighted <- function(w) mltask(features(task), targets(task), weights = w)
  expect_identical(test(weighted(rep(1, 60))), test(task))
  expect_identical(test(weighted(rep(2.5, 60)))$p_value, test(task)$p_value)
  w <- rep(c(3, 1, 2), 20)
  exchange <- exchangeable_rows(weighted(w)$rows, 60, FALSE)
  orders <- replicate(5, draw_order(exchange))
  expect_true(all(apply(orders, 2, \(order) identical(w[order], w) && setequal(order, 1:60))))
  y <- targets(task)
  y[c(1:9, 70:90)] <- NA
  hidden <- mltask(features(task), y)
  order <- withr::with_seed(8, sample.int(60))
  expect_equal(targets(withr::with_seed(8, target_permuter(hidden)())), y[order, ], ignore_attr = TRUE)
  expect_identical(dim(test(hidden)), c(6L, 5L))
  for (bad in list(seq(1, 2, length.out = 60), c(1, 1, 1, seq(2, 3, length.out = 57)))) {
    expect_error(score_test(weighted(bad), sel_mim(), 2), "too few rows", class = "mlsift_error")
    expect_error(sift(weighted(bad), check = "permutation"), "too few rows", class = "mlsift_error")
  }
  expect_identical(nrow(score_test(weighted(c(rep(0, 20), rep(1:2, 20))), sel_mim(), 2)), 6L)
  expect_error(score_test(weighted(w), sel_gmba(), 2), "must score|weights", class = "mlsift_error")
})

test_that("selectors that do not score every feature are refused", {
  task <- scored_task()
  expect_error(label_scores(task, sel_scls()), "must score every feature", class = "mlsift_error")
  expect_error(score_test(task, sel_none()), "must score every feature", class = "mlsift_error")
  expect_error(score_test(task, sel_mim(), n = 0), "`n`", class = "mlsift_error")
})

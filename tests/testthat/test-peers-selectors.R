# Cases with which other projects test discretizers and scores of features: their inputs and the values they expect.

of_column <- function(v, disc, y = rep(0:1, length.out = length(v))) {
  suppressMessages(mltask(data.frame(v = v + 0), y, discrete = c(v = FALSE))) |>
    (\(task) list(
      levels = features(discretize_features(task, disc))$v - 1L, cuts = fit(disc, task)$cuts[[1]]
    ))()
}

# --- scikit-learn 1.2.1, sklearn/preprocessing/tests/test_discretization.py: KBinsDiscretizer, levels from 0 ---------

test_that("equal width has scikit-learn's levels", {
  x <- cbind(c(-2, -1, 0, 1), c(1.5, 2.5, 3.5, 4.5), c(-4, -3, -2, -1), c(-1, -.5, .5, 2))
  uniform <- rbind(c(0L, 0L, 0L, 0L), c(1L, 1L, 1L, 0L), c(2L, 2L, 2L, 1L), c(2L, 2L, 2L, 2L))
  expect_identical(apply(x, 2, \(v) of_column(v, disc_equal_width(3))$levels), uniform)
  expect_identical(of_column(x[, 1], disc_equal_width(2))$levels, c(0L, 0L, 1L, 1L))
  v <- c(0, .5, 2, 3, 9, 10)
  expect_identical(of_column(v, disc_equal_width(2))$levels, c(0L, 0L, 0L, 0L, 1L, 1L))
  expect_identical(of_column(v, disc_equal_width(3))$levels, c(0L, 0L, 0L, 0L, 2L, 2L))
  expect_identical(of_column(v, disc_equal_width(5))$levels, c(0L, 0L, 1L, 1L, 4L, 4L))
  # Beyond the range of training: the first and the last level.
  task <- mltask(cbind(v = 0:3 + 0), c(0, 1, 0, 1), discrete = c(v = FALSE))
  for (disc in list(disc_equal_width(4), disc_equal_width(4, "right"), disc_equal_frequency(4))) {
    new <- predict(fit(disc, task), mltask(cbind(v = c(-2, 5)), 0:1, discrete = c(v = FALSE)))
    expect_identical(as.vector(features(new)), c(1L, 4L))
  }
  expect_identical(of_column(rep(1, 4), disc_equal_width(3))$levels, rep(0L, 4))
})

test_that("equal frequency has scikit-learn's levels where no quantile is between two rows or on one", {
  v <- c(0, .5, 2, 3, 9, 10)
  expect_identical(of_column(v, disc_equal_frequency(2))$levels, c(0L, 0L, 0L, 1L, 1L, 1L))
  expect_identical(of_column(v, disc_equal_frequency(3))$levels, c(0L, 0L, 1L, 1L, 2L, 2L))
  # scikit-learn interpolates quantiles and closes on the left: 0 1 2 3 4 4, and 0 1 2 2. Ours cuts after the rows 1.2,
  # 2.4, 3.6 and 4.8, rounded: after 1, 2, 4 and 5. And after 4/3 and 8/3: after 1 and 3.
  expect_identical(of_column(v, disc_equal_frequency(5))$levels, c(0L, 1L, 2L, 2L, 3L, 4L))
  expect_identical(of_column(c(-2, -1, 0, 1), disc_equal_frequency(3))$levels, c(0L, 1L, 1L, 2L))
  # Down to nano units. The middle one of five is in the upper half there, and in the lower one here, at every scale.
  for (i in 0:9) {
    expect_identical(of_column(c(2, 4, 6, 8, 10) / 10^i, disc_equal_frequency(2))$levels, c(0L, 0L, 0L, 1L, 1L))
  }
})

# --- Orange 86f208c, Orange/tests/test_discretize.py -----------------------------------------------------------------

test_that("cuts are Orange's, or separate the same rows", {
  two <- rep(0:1, each = 50)
  # Cut points of Orange, half-way between rows. Equal frequency here cuts at the lower row.
  cases <- list(list(two, .5), list(0:99, c(24.5, 49.5, 74.5)), list(1:4, c(1.5, 2.5, 3.5)))
  for (case in cases) {
    found <- of_column(case[[1]], disc_equal_frequency(4))
    expect_identical(found$levels, findInterval(case[[1]], case[[2]]))
    expect_equal(found$cuts, case[[2]] - 0.5)
  }
  expect_equal(of_column(0:100, disc_equal_width(4))$cuts, c(25, 50, 75))
  expect_equal(of_column(two, disc_equal_width(4, "right"))$cuts, c(.25, .5, .75))
  expect_equal(of_column(two, disc_equal_width(4))$cuts, .5)  # 4 values or fewer are only recoded
  expect_equal(of_column(rep(1, 100), disc_equal_frequency(4))$cuts, numeric())
  mdl <- function(v, y) of_column(v, disc_mdlp(), factor(y, labels = letters[seq_along(unique(y))]))$cuts
  expect_equal(mdl(two, two), .5)
  expect_equal(mdl(two, rep(c(0, 1, 0), c(25, 50, 25))), numeric())
  expect_equal(mdl(rep(0:3, each = 25), rep(0:1, c(25, 75))), .5)
})

# --- hlin117/mdlp-discretization fa72aa4, tests/test_mdlp.py ---------------------------------------------------------

test_that("MDLP has the levels of mdlp-discretization, whatever scale and origin", {
  y <- factor(c("a", "a", "b", "c"))
  for (i in 0:9) {
    expect_identical(of_column(c(.1, .2, .3, .4) / 10^i, disc_mdlp(), y)$levels, c(0L, 0L, 1L, 2L))
    expect_identical(of_column(c(.1, .4, .2, .3) / 10^i, disc_mdlp(), y)$levels, rep(0L, 4))
  }
  y <- factor(c(0, 0, 0, 0, 1, 0, 1, 1, 1), labels = c("a", "b"))
  for (shift in c(0, -5)) {
    expect_identical(of_column(0:8 + shift, disc_mdlp(), y)$levels, rep(0:1, c(4, 5)))
  }
  # The best cut of eight rows is before the fifth; of one class there is none.
  y <- factor(c(0, 0, 0, 0, 1, 0, 1, 1), labels = c("a", "b"))
  expect_identical(of_column(0:7, disc_mdlp(min_bins = 2), y)$cuts[1], 3.5)
  expect_identical(suppressWarnings(of_column(0:3, disc_mdlp(), factor(rep("a", 4))))$cuts, numeric())
})

# --- Orange 86f208c, Orange/tests/test_score_feature.py, of the zoo data (UCI) ---------------------------------------

test_that("information gain and gain ratio of zoo are Orange's", {
  # 101 animals: hair, feathers, eggs, milk, airborne and the class (amphibian, bird, fish, insect, invertebrate (V),
  # mammal, reptile).
  zoo <- do.call(rbind, strsplit(strsplit(paste(
    "10010M 10010M 00100F 10010M 10010M 10010M 10010M 00100F 00100F 10010M 10010M 01101B 00100F 00100V 00100V 00100V",
    "01101B 10010M 00100F 00010M 01101B 01101B 10010M 01101B 00100I 00100A 00100A 10011M 10010M 10010M 00101I 10010M",
    "10010M 01101B 00100F 10010M 10010M 01101B 00100F 10101I 10101I 01100B 00101I 01101B 10010M 10010M 00100V 10010M",
    "10010M 10010M 10010M 10101I 00100A 00100V 10010M 10010M 01100B 01101B 01100B 01101B 00100F 00100F 00100R 10110M",
    "10010M 10010M 00010M 10010M 10010M 10010M 10010M 01100B 00000V 00100F 10010M 10010M 00000R 00100V 01101B 01101B",
    "00100R 00100V 00100F 01101B 10010M 00100V 00100F 01101B 00100I 00100A 00100R 00100R 00100F 10011M 10010M 01101B",
    "10010M 10101I 10010M 00100V 01101B"
  ), " ", fixed = TRUE)[[1]], ""))
  x <- matrix(as.integer(zoo[, 1:5]), ncol = 5)
  colnames(x) <- c("hair", "feathers", "eggs", "milk", "airborne")
  task <- mltask(x, factor(zoo[, 6]))
  score <- function(selector) {
    found <- sift_features(task, selector)
    round(found$score[match(colnames(x), found$feature)], 5)
  }
  gain <- c(0.79067, 0.71795, 0.83014, 0.97432, 0.46970)
  for (selector in list(sel_mim(), sel_trans_mi("lp"), sel_trans_mi("ela"))) expect_identical(score(selector), gain)
  expect_identical(score(sel_trans_mi("lp", score = "gain-ratio")), c(0.80351, 1.00000, 0.84754, 1.00000, 0.59376))
})

# --- scikit-learn 1.2.1, sklearn/feature_selection/tests/test_mutual_info.py and test_chi2.py ------------------------

scores_of <- function(x, y, selector) {
  found <- suppressMessages(sift_features(coded_task_of(x, y), selector))
  found$score[order(found$index)]
}
coded_task_of <- function(x, y) {
  x <- `colnames<-`(x, paste0("f", seq_len(ncol(x))))
  mltask(x, factor(letters[y + 1]), discrete = all_discrete(x))
}

test_that("mutual information of discrete columns is scikit-learn's", {
  # By hand there: H(x) + H(y) - H(x, y) in nats.
  h <- function(...) -sum(c(...) * log(c(...)))
  information <- 2 * h(3 / 5, 2 / 5) - h(1 / 5, 2 / 5, 2 / 5)
  expect_equal(scores_of(cbind(c(0, 1, 1, 0, 0)), c(1, 0, 0, 0, 1), sel_mim(base = exp(1))), information,
    tolerance = 1e-12)
  x <- rbind(c(0, 0, 0), c(1, 1, 0), c(2, 0, 1), c(2, 0, 1), c(2, 0, 1))
  expect_identical(order(-scores_of(x, c(0, 1, 2, 2, 1), sel_mim())), c(1L, 3L, 2L))
})

test_that("mutual information of a number and a class comes near its true value, as in scikit-learn", {
  skip_unless_all()
  # y is even on (-1, 1) where x = 0, which has the probability p, and on (0, 2) elsewhere. scikit-learn: within 10% at
  # 1,000 rows. Its estimate is that of Ross.
  withr::local_seed(1)
  for (p in c(.3, .5, .7)) {
    x <- stats::runif(2000) > p
    y <- stats::runif(2000, -1, 1) + x
    truth <- -.5 * ((1 - p) * log(.5 * (1 - p)) + p * log(.5 * p) + log(.5)) - log(2)
    for (k in c(3, 5, 7)) for (zero in c("floor", "ross", "gao")) {
      expect_equal(knn_estimate(matrix(y), x, k, zero), truth, tolerance = 0.1)
    }
  }
  # A class with one row says nothing there. Here its row is not used: it has no neighbor.
  expect_identical(knn_estimate(matrix(c(y, 10)), c(x, 2), 3, "ross"), knn_estimate(matrix(y), x, 3, "ross"))
})

test_that("chi-square of present and absent is scikit-learn's of the present alone, over the share that is absent", {
  # chi2([[1, 0], [0, 0]], [1, 0]) is 1 and NaN there: it adds up values, here the rows with a 1. A table also has the
  # rows with a 0, as large a part again: 1 / (1 - 1/2). A feature that never occurs scores 0.
  expect_equal(scores_of(rbind(c(1, 0), c(0, 0)), c(1, 0), sel_chi2("lp")), c(1 / (1 - 1 / 2), 0))
})

# Cases that other projects test their statistics with: their inputs and the values they expect.

same <- function(found, expected, info = NULL, tolerance = 1e-12) {
  expect_equal(found, expected, tolerance = tolerance, info = info)
}

# --- scipy 3dbf660, scipy/stats/tests/test_stats.py and test_morestats.py --------------------------------------------

# AUC of four decision trees on 14 data sets, table 6 of Demsar (2006). Row 13 of scipy has 0.9751 for 0.975.
trees <- matrix(c(
  .763, .768, .771, .798, .599, .591, .590, .569, .954, .971, .968, .967, .628, .661, .654, .657, .882, .888, .886,
  .898, .936, .931, .916, .931, .661, .668, .609, .685, .583, .583, .563, .625, .775, .838, .866, .875, 1, 1, 1, 1,
  .940, .962, .965, .962, .619, .666, .614, .669, .972, .981, .9751, .975, .957, .978, .946, .970
), 14, byrow = TRUE, dimnames = list(NULL, c("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")))

test_that("the example of Demsar has the statistics of scipy and of the paper", {
  test <- rank_test(trees, direction = "maximize", ties = "ignore")
  expect_identical(round(unname(test$mean_ranks), 3), c(3.143, 2, 2.893, 1.964))
  expect_identical(round(test$friedman$statistic, 2), 9.28)
  expect_identical(round(test$iman_davenport$statistic, 2), 3.69)
  expect_identical(c(test$iman_davenport$df1, test$iman_davenport$df2), c(3, 39))
  expect_identical(round(test$cd, 2), 1.25)
  cd <- function(posthoc) round(critical_difference(4, 14, .10, posthoc), 2)
  expect_identical(c(cd("nemenyi"), cd("bonferroni-dunn")), c(1.12, 1.04))
  corrected <- rank_test(trees, direction = "maximize")$friedman
  same(c(corrected$statistic, corrected$p_value), c(10.2283464566929, 0.0167215803284414))
  # Section 3.2.2: C4.5 against the others.
  holm <- rank_test(trees, direction = "maximize", posthoc = "holm", control = "C4.5")
  rows <- holm$comparisons[match(c("C4.5+m+cf", "C4.5+m", "C4.5+cf"), holm$comparisons$method2), ]
  expect_identical(round(rows$p_value, 3), c(.016, .019, .608))  # printed from rounded z: .016, .019, .607
  same(rows$p_adjusted, c(3, 3, 1) * rows$p_value[c(1, 1, 3)])
  # Section 3.1.3: ranks of C4.5+m against C4.5 are 93 and 12, with two zeros that are split.
  pair <- wilcoxon_test(trees[, "C4.5+m"], trees[, "C4.5"])
  expect_identical(unname(pair$rank_sums), c(93, 12))
  expect_identical(pair[c("statistic", "n")], list(statistic = 12, n = 14L))
})

test_that("Friedman's test with ties and without has scipy's values", {
  two <- rbind(
    c(4, 3, 5, 3, 5, 3, 2, 5, 4, 4, 4, 3), c(2, 2, 1, 2, 3, 1, 2, 3, 2, 1, 1, 3), c(2, 4, 3, 3, 4, 3, 3, 4, 4, 1, 2, 1),
    c(3, 5, 4, 3, 4, 4, 3, 3, 3, 4, 4, 4)
  )
  # Zar, example 12.6: no ties.
  three <- rbind(c(7, 9.9, 8.5, 5.1, 10.3), c(5.3, 5.7, 4.7, 3.5, 7.7), c(4.9, 7.6, 5.5, 2.8, 8.4),
    c(8.8, 8.9, 8.1, 3.3, 9.1))
  friedman <- function(x, ties) {
    found <- rank_test(`colnames<-`(t(x), letters[1:4]), direction = "minimize", ties = ties)$friedman
    c(found$statistic, found$p_value)
  }
  same(friedman(two, "correct"), c(18.9428571428571, 0.000280938375189499))
  expect_lt(friedman(two, "ignore")[1], 18.94)
  for (ties in c("ignore", "correct")) same(friedman(three, ties), c(10.68, 0.0135882729582176))
})

test_that("the signed-rank test has scipy's statistics and p-values", {
  normal <- function(x, y, ...) unlist(unclass(wilcoxon_test(x, y, ..., exact = FALSE))[c("statistic", "p_value")])
  check <- function(found, statistic, p) same(unname(found), c(statistic, p), tolerance = 1e-10)
  # Differences -4 to 4 with 8 zeros: "pratt", "zsplit" and "wilcox" of scipy.
  x <- rep(-4:4, c(1, 4, 16, 15, 8, 4, 5, 1, 2))
  check(normal(x, 0 * x, "pratt"), 423, 0.0031724568006762576)
  check(normal(x, 0 * x, "split"), 441, 0.0032145343172473055)
  check(normal(x, 0 * x, "drop"), 327, 0.00641346115861)
  check(normal(1:4, c(1, 2, 3, 5), "pratt"), 0, 0.31731050786291415)
  check(normal(1:20, 1:20), 20 * 21 / 4, 1)
  x <- c(120, 114, 181, 188, 180, 146, 121, 191, 132, 113, 127, 112)
  y <- c(133, 143, 119, 189, 112, 199, 198, 113, 115, 121, 142, 187)
  check(normal(x, y), 34, 0.6948866023724735)
  check(normal(x, y, correct = TRUE), 34, 0.7240816609153895)
  check(normal(rep(.1, 10), numeric(10)), 0, 0.001565402258002551)
  check(normal(rep(.1, 10), numeric(10), correct = TRUE), 0, 0.00190419504300439)
  # One-sided, with one zero. scipy's statistic is then the rank sum of x.
  x <- c(125, 115, 130, 140, 140, 115, 140, 125, 140, 135)
  y <- c(110, 122, 125, 120, 140, 124, 123, 137, 135, 145)
  for (zero in c("drop", "split")) {
    expect_identical(wilcoxon_test(x, y, zero)$rank_sums[["plus"]], 27)
    p <- function(...) normal(x, y, zero, ...)[["p_value"]]
    same(p(alternative = "less"), 0.7031847042787, tolerance = 1e-10)
    same(p(alternative = "less", correct = TRUE), 0.72336564289, tolerance = 1e-10)
    same(p(alternative = "greater"), 0.2968152957213, tolerance = 1e-10)
    same(p(alternative = "greater", correct = TRUE), 0.3176446594176, tolerance = 1e-10)
  }
})

test_that("exact p-values of the signed-rank test are scipy's, with ties and zeros too", {
  exact <- function(x, y, ...) wilcoxon_test(x, y, ...)$p_value
  sides <- c("two.sided", "less", "greater")
  check <- function(x, y, expected) {
    for (i in 1:3) same(exact(x, y, alternative = sides[i]), expected[i], sides[i], tolerance = 1e-10)
  }
  check(c(1.81, .82, 1.56, -.48, .81, 1.28, -1.04, .23, -.75, .14),
    c(.71, .65, -.2, .85, -1.1, -.45, -.84, -.24, -.68, -.76), c(0.10546875, 0.95800781256, 0.052734375))
  check(0:19 + .5, 20:1, c(0.8694877624511719, 0.4347438812255859, 0.5795888900756836))
  for (x in list(c(-1, -2, 3), c(-1, 2, -3, -4, 5), c(-1, -2, 3, -4, -5, -6, 7, 8))) {
    test <- wilcoxon_test(x, 0 * x)
    expect_identical(c(test$rank_sums[["plus"]], test$p_value), c(sum(x[x > 0]), 1))
  }
  # From all signs: 12 differences without the zero, and 13 with a tie.
  d <- -5:7
  zero <- wilcoxon_test(d, 0 * d, "drop")
  same(c(zero$statistic, zero$p_value), c(27.5, 0.3955078125))
  tie <- wilcoxon_test(replace(d, 6, 1), 0 * d)
  same(c(tie$statistic, tie$p_value), c(32, 0.3779296875))
  # Exchanged arguments mirror the test (scipy's issue 19872).
  a <- c(62, 66, 61, 68, 74, 62, 68, 62, 55, 59)
  b <- c(71, 71, 69, 61, 75, 71, 77, 72, 62, 65)
  expect_identical(exact(a, b, alternative = "less"), exact(b, a, alternative = "greater"))
  same(sum(wilcoxon_test(a, b)$rank_sums), 10 * 11 / 2)
  # Zeros only, exact: p = 1.
  for (rule in c("split", "drop", "pratt")) expect_identical(exact(numeric(5), numeric(5), rule), 1)
})

# --- scikit-posthocs e8f6195, tests/test_posthocs.py -----------------------------------------------------------------

test_that("p-values of all pairs of ranks are those of scikit-posthocs", {
  blocks <- rbind(c(4, 3, 4, 4, 5, 6, 3), c(1, 2, 3, 5, 6, 7, 7), c(1, 2, 6, 4, 1, 5, 1))
  pairs <- rank_test(`colnames<-`(blocks, letters[1:7]), direction = "minimize")$comparisons
  # posthoc_siegel_friedman() without adjustment and posthoc_nemenyi_friedman(), the upper triangle by rows.
  same(pairs$p_value, tolerance = 1e-6, c(
    0.92471904, 0.18587673, 0.25683926, 0.25683926, 0.01816302, 0.57075039, 0.2193026, 0.2986177, 0.2986177, 0.0233422,
    0.6366016, 0.8501067, 0.8501067, 0.2986177, 0.4496918, 1, 0.2193026, 0.5707504, 0.2193026, 0.5707504, 0.07260094
  ))
  same(pairs$p_adjusted, tolerance = 1e-6, c(
    0.9999999, 0.8414506, 0.9177741, 0.9177741, 0.2147827, 0.9976902, 0.8833015, 0.9449086, 0.9449086, 0.2597539,
    0.9991770, 0.9999962, 0.9999962, 0.9449086, 0.9888953, 1, 0.8833015, 0.9976902, 0.8833015, 0.9976902, 0.5511935
  ))
})

# --- scmamp 3cf4d8b, its data data.gh.2010 (Garcia et al. 2010, accuracies of four classifiers on 24 data sets) ------

test_that("Finner, Li, Holm, Hochberg, Hommel and Shaffer have scmamp's values, against a control and in pairs", {
  x <- matrix(c(
    752, 727, 736, 994, 508, 535, 967, 831, 745, 709, 722, 967, 832, 998, 963, 982, 978, 854, 965, 924, 929, 837, 972,
    958, 773, 748, 716, 861, 553, 536, 871, 807, 702, 572, 728, 947, 752, 992, 963, 953, 773, 787, 984, 887, 942, 643,
    956, 959, 785, 724, 585, 880, 575, 513, 954, 819, 719, 669, 725, 953, 802, 482, 954, 932, 834, 841, 995, 861, 931,
    602, 944, 964, 795, 713, 638, 791, 515, 471, 532, 768, 705, 607, 732, 960, 691, 910, 926, 630, 849, 779, 947, 804,
    921, 554, 922, 964
  ) / 1000, 24, dimnames = list(NULL, c("PDFC", "NNEP", "IS-CHC+1NN", "FH-GBML")))
  test <- rank_test(x, direction = "maximize", ties = "ignore")
  same(unname(test$mean_ranks), c(1.77083333333333, 2.47916666666667, 2.47916666666667, 3.27083333333333))
  same(c(test$friedman$statistic, test$friedman$p_value), c(16.225, 0.00101967307973), NULL, 1e-10)
  same(c(test$iman_davenport$statistic, test$iman_davenport$p_value), c(6.690721649485, 0.0004970002675), NULL, 1e-10)
  # friedmanPost() with the control PDFC; the first two have equal ranks.
  check <- function(posthoc, twice, third) {
    rows <- rank_test(x, direction = "maximize", posthoc = posthoc, control = "PDFC")$comparisons
    same(rows$p_value, c(0.0573468519013665, 0.0573468519013665, 5.69941162333887e-05))
    same(rows$p_adjusted, c(twice, twice, third), posthoc)
  }
  check("finner", 0.0847749816655392, 1.70972603897424e-04)
  check("li", 0.0573468519013665, 6.04577310470882e-05)
  check("holm", 0.1146937038027329, 1.70982348700166e-04)
  check("hochberg", 0.0573468519013665, 1.70982348700166e-04)
  check("hommel", 0.0573468519013665, 1.70982348700166e-04)
  # adjustShaffer() and adjustBergmannHommel() agree with each other here.
  for (posthoc in c("shaffer", "bergmann-hommel")) {
    found <- rank_test(x, direction = "maximize", posthoc = posthoc)$comparisons$p_adjusted
    same(found, c(0.172040555704099, 0.172040555704099, 0.000341964697400332, 1, 0.100944077624285, 0.100944077624285))
  }
  # wilcoxonSignedTest() keeps an odd zero: T = 64 of 24 pairs. Ours discards it, which takes half a rank from each side
  # and one rank from each of the 8 pairs in which NNEP is better.
  pair <- wilcoxon_test(x[, "PDFC"], x[, "NNEP"])
  expect_identical(pair$counts, c(plus = 15L, zero = 1L, minus = 8L))
  expect_identical(c(pair$statistic, pair$n), c(64 - 0.5 - 8, 23))
})

# --- baycomp 0ce309b, tests/test_single.py ---------------------------------------------------------------------------

test_that("the correlated t-test has baycomp's location, scale and degrees of freedom", {
  posterior <- function(x, y, share) {
    unlist(unclass(bayes_correlated_t(x, y, test_share = share))[c("estimate", "scale", "df")], use.names = FALSE)
  }
  # A run of 3 folds, then 2 runs of 2: a third and a half of the rows are tested.
  same(posterior(c(4, 2, 6), c(5, 7, 3), 1 / 3), c(1, sqrt((4^2 + 4^2) / 2 * (1 / 3 + 1 / 2)), 2))
  same(posterior(c(4, 2, 6, 4), c(5, 7, 3, 5), 1 / 2), c(1, sqrt((4^2 + 4^2) / 3 * (1 / 4 + 1)), 3))
  same(posterior(rep(1, 10), numeric(10), 1 / 10), c(-1, 0, 9))
})

test_that("equal differences are in baycomp's regions, but shared at their limits", {
  shares <- function(d, rope) unname(bayes_correlated_t(rep(0, 3), rep(d, 3), rope, 0.1)$probability)
  for (d in c(.5, 0, -.5)) expect_identical(shares(d, 2), c(0, 1, 0))
  expect_identical(shares(42, 2), c(0, 0, 1))
  expect_identical(shares(-42, 2), c(1, 0, 0))
  expect_identical(shares(42, 0), c(0, 0, 1))
  expect_identical(shares(0, 0), c(.5, 0, .5))
  expect_identical(shares(-42, 0), c(1, 0, 0))
  # At a limit baycomp has all of it in the rope.
  expect_identical(shares(2, 2), c(0, .5, .5))
  expect_identical(shares(-2, 2), c(.5, .5, 0))
})

# --- nogueirs/JMLR2018 e3a0566, python/stabilityDemo.ipynb -----------------------------------------------------------

test_that("stability has the values of the authors' demonstration", {
  sets <- function(...) lapply(c(...), \(row) which(strsplit(row, "")[[1]] == "1"))
  same(stability(sets("110", "110", "110"), n_features = 3)$estimate, 1)
  same(stability(sets("110", "011", "101"), n_features = 3)$estimate, -0.5)
  ten <- stability(n_features = 10, sets(
    "1111000000", "0001011100", "0100011100", "1100101000", "0110110000", "0111001000", "1001000011", "0001011100",
    "0011110000", "0000100111"
  ))
  same(ten$estimate, -0.037037037037, tolerance = 1e-10)
  half <- stats::qnorm(0.975) * sqrt(0.00516666666667)
  same(c(ten$conf_low, ten$conf_high), ten$estimate + c(-half, half), tolerance = 1e-10)
})

# --- stabm 72f17a6, tests/testthat/test_stability_unadjusted.R -------------------------------------------------------

test_that("equal sets are stable, and empty ones have the Jaccard index 1 where stabm has none", {
  for (sets in list(list(1:2, 1:2), list(3, 3))) for (method in c("nogueira", "jaccard", "kuncheva")) {
    expect_identical(stability(sets, n_features = 5, method = method)$estimate, 1)
  }
  mixed <- list(1:5, 1:5, integer(), integer(), 1:3, 2:4)
  expect_true(is.finite(stability(mixed, n_features = 5)$estimate))
  # Of 15 pairs: 1 for the full and for the empty ones, 0 for 8, 3/5 for 4 and 2/4 for the last.
  same(stability(mixed, n_features = 5, method = "jaccard")$estimate, (1 + 1 + 8 * 0 + 4 * 3 / 5 + 2 / 4) / 15)
})

# --- scikit-multilearn 2ea8c41, skmultilearn/model_selection/tests ---------------------------------------------------

test_that("four rows with all sets of two labels are split evenly, as in scikit-multilearn", {
  y <- rbind(c(0, 0), c(1, 0), c(0, 1), c(1, 1))
  task <- mltask(matrix(1:4 + .5), y, kind = "label")
  for (seed in first_or_all(1:8, 3)) for (split in withr::with_seed(seed, split_rows(task, rs_cv(2)))) {
    expect_identical(c(length(split$test), colSums(y[split$test, , drop = FALSE])), c(2, 1, 1))
  }
})

# --- trent-b/iterative-stratification c763bd5, tests/test_ml_stratifiers.py ------------------------------------------

test_that("the labels of 500 rows have the same shares on both sides of seven folds", {
  withr::local_seed(12345)
  # iterstrat asks for 0.07, which most random folds keep too (means 0.045, 0.036 and 0.022). Its own means, over ten
  # sets of labels, are 0.0045, 0.0089 and 0.0161.
  means <- c("3" = 0.0045, "5" = 0.0089, "10" = 0.0161)
  for (q in c(3, 5, 10)) {
    y <- matrix(stats::rbinom(500 * q, 1, .5), 500)
    task <- mltask(matrix(stats::rnorm(500)), y, kind = "label")
    share <- function(rows) colSums(y[rows, ]) / sum(y[rows, ])
    apart <- vapply(split_rows(task, rs_cv(7)), \(split) max(abs(share(split$train) - share(split$test))), 0)
    expect_lt(max(apart), 0.07)
    expect_lt(mean(apart), 1.3 * means[[as.character(q)]])
  }
})

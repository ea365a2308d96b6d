# Hamming losses and ranking losses as printed in tables 5 and 6 of Lee, Kim et al. (EBLS, Entropy 2016).
printed <- function(which) {
  methods <- c("Baseline", "Proposed", "BR+CC", "BR+OR", "ELA+CHI", "FIMF", "MFS")
  values <- list(
    hamming = c(
      .029, .009, .012, .011, .011, .010, .011, .018, .010, .010, .010, .010, .010, .010,
      .028, .019, .019, .019, .019, .019, .020, .165, .055, .064, .058, .065, .063, .065,
      .001, .001, .001, .002, .001, .001, .001, .097, .016, .019, .024, .022, .018, .019,
      .070, .042, .043, .054, .044, .043, .054, .216, .209, .211, .211, .211, .211, .211
    ),
    ranking = c(
      .966, .091, .120, .114, .107, .107, .125, .546, .199, .216, .229, .193, .204, .192,
      .248, .126, .158, .153, .166, .155, .167, .478, .096, .108, .110, .114, .110, .115,
      .005, .006, .004, .003, .006, .006, .005, .524, .156, .198, .251, .235, .158, .244,
      .393, .138, .137, .245, .141, .139, .245, .184, .179, .180, .180, .180, .182, .178
    )
  )
  matrix(values[[which]], 8, byrow = TRUE, dimnames = list(
    c("Bibtex", "Corel5K", "Delicious", "Enron", "Genbase", "LLog", "Slashdot", "Yeast"), methods
  ))
}

random_scores <- function(n, k) matrix(stats::rnorm(n * k), n, dimnames = list(paste0("d", 1:n), paste0("m", 1:k)))

test_that("the printed tables give the statistics of scmamp", {
  a <- rank_test(printed("hamming"), direction = "minimize", ties = "ignore")
  b <- rank_test(printed("ranking"), direction = "minimize", ties = "ignore")
  expect_equal(unname(a$mean_ranks), c(6.5625, 1.875, 3.75, 4.375, 4.0625, 2.9375, 4.4375))
  expect_equal(unname(b$mean_ranks), c(6.5625, 2.125, 3.25, 4, 4.0625, 3.75, 4.25))
  # scmamp (friedmanTest, imanDavenportTest) on the same tables.
  expect_equal(a$friedman$statistic, 21.616071428571427, tolerance = 1e-13)
  expect_equal(a$friedman$p_value, 0.0014208843290721695, tolerance = 1e-12)
  expect_equal(a$iman_davenport$statistic, 5.7350253807106597, tolerance = 1e-13)
  expect_equal(a$iman_davenport$p_value, 0.00019964062866351107, tolerance = 1e-12)
  expect_equal(b$friedman$statistic, 18.46875, tolerance = 1e-13)
  expect_equal(b$iman_davenport$statistic, 4.3777777777777782, tolerance = 1e-13)
  expect_equal(b$iman_davenport$p_value, 0.001607397987285708, tolerance = 1e-12)
  expect_equal(a$iman_davenport$critical, 2.3239937973118288, tolerance = 1e-12)
  expect_equal(a[c("global", "q", "cd")], list(global = TRUE, q = 2.9483200607221756, cd = 3.1845496349090898))
  expect_identical(a$iman_davenport[c("df1", "df2")], list(df1 = 6, df2 = 42))
})

# The paper prints F_F = 5.506 and 4.868 and CD = 2.849. F_F is a function of the sum of squared rank sums: 5.506 needs
# 7957 and 4.868 needs 7903, where the printed tables, with ties that rounding made, give 7975 and 7857.5. So the paper
# ranked values with more digits. Both sums are odd, which takes a tie: whole rank sums that add up to 8 * 28 have
# squares with an even sum. 2.849 is 2.638, q rounded, times sqrt(7 * 8 / 48); in full CD = 2.8496.
test_that("the printed F_F follow from rank sums that the rounded tables do not have", {
  f <- function(squares) {
    chi2 <- 12 / (8 * 7 * 8) * squares - 3 * 8 * 8
    7 * chi2 / (8 * 6 - chi2)
  }
  squares <- function(which) sum((8 * rank_test(printed(which), direction = "minimize")$mean_ranks)^2)
  expect_equal(round(f(c(7957, 7903)), 3), c(5.506, 4.868))
  expect_equal(c(squares("hamming"), squares("ranking")), c(7975, 7857.5))
  expect_equal(round(f(c(7975, 7857.5)), 3), c(5.735, 4.378))
  cd <- critical_difference(7, 8, posthoc = "bonferroni-dunn")
  expect_equal(cd, 2.8496435475152229, tolerance = 1e-13)
  expect_equal(trunc(1000 * 2.638 * sqrt(7 * 8 / 48)) / 1000, 2.849)
  against <- rank_test(printed("ranking"), direction = "minimize", posthoc = "bonferroni-dunn", control = "Proposed")
  expect_identical(against$comparisons$method2[against$comparisons$significant], "Baseline")
})

test_that("raw p-values are those of scmamp's friedmanPost", {
  # By scmamp, from the table of Hamming losses, with Proposed as the control.
  test <- rank_test(printed("hamming"), direction = "minimize", posthoc = "holm", control = "Proposed")
  expect_equal(test$comparisons$p_value, tolerance = 1e-12, c(
    1.4262431685008181e-05, 0.082579274152326798, 0.020637558243972176, 0.042843601828016498, 0.32527097997421262,
    0.01767227638672253
  ))
})

test_that("quantiles agree with the printed tables of Nemenyi and Bonferroni-Dunn", {
  q <- function(posthoc, alpha) {
    k <- c(2:10, 12, 15, 20)
    round(vapply(k, \(k) critical_difference(k, 20, alpha, posthoc) / sqrt(k * (k + 1) / 120), 0), 3)
  }
  # Demsar (2006), table 5, continued to 20 methods.
  expect_equal(q("nemenyi", .05), tolerance = 5e-4,
    c(1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164, 3.268, 3.391, 3.544))
  expect_equal(q("nemenyi", .10), tolerance = 5e-4,
    c(1.645, 2.052, 2.291, 2.460, 2.589, 2.693, 2.780, 2.855, 2.920, 3.030, 3.159, 3.319))
  expect_equal(q("bonferroni-dunn", .05),
    c(1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773, 2.838, 2.914, 3.008))
  expect_equal(q("bonferroni-dunn", .10),
    c(1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539, 2.609, 2.690, 2.790))
  expect_equal(round(critical_difference(7, 9), 3), 3.002)
})

test_that("the global test is stats::friedman.test(), with ties too", {
  withr::local_seed(2)
  x <- random_scores(12, 5)
  for (ties in c("correct", "ignore")) {
    expect_equal(rank_test(x, direction = "minimize", ties = ties)$friedman$statistic,
      unname(stats::friedman.test(x)$statistic))
  }
  for (i in first_or_all(1:20, 7)) {
    n <- sample(3:12, 1)
    k <- sample(3:6, 1)
    tied <- matrix(sample(3, n * k, TRUE), n)
    theirs <- stats::friedman.test(tied)
    test <- rank_test(tied, direction = sample(c("minimize", "maximize"), 1))
    expect_equal(test$friedman$statistic, unname(theirs$statistic))
    expect_equal(test$friedman$p_value, theirs$p.value)
    expect_equal(test$kendall_w, unname(theirs$statistic) / (n * (k - 1)))
    expect_equal(test$iman_davenport$statistic, (n - 1) * test$kendall_w / (1 - test$kendall_w))
  }
  # By scmamp and R, from the table of Hamming losses.
  a <- rank_test(printed("hamming"), direction = "minimize")
  expect_equal(a$friedman$statistic, 29.345454545454544)
  expect_equal(a$iman_davenport$statistic, 11.011695906432747)
})

test_that("a result says so if ties decide whether methods differ", {
  # Twelve data sets: six with four equal methods, six on which one of them is worse than the others.
  x <- rbind(matrix(1, 6, 4), matrix(c(1, 1, 1, 2), 6, 4, byrow = TRUE))
  run <- function(...) rank_test(x, direction = "minimize", ...)
  corrected <- run()
  ignored <- run(ties = "ignore")
  expect_equal(corrected$friedman$p_value, stats::friedman.test(x)$p.value)
  expect_equal(signif(c(corrected$friedman$p_value, ignored$friedman$p_value), 2), c(.00044, .14))
  expect_identical(c(corrected$global, ignored$global), c(TRUE, FALSE))
  without <- paste0("without the correction for ties they would not differ significantly (",
    format_p(ignored$iman_davenport$p_value), ")")
  with <- paste0("with the correction for ties they would differ significantly (",
    format_p(corrected$iman_davenport$p_value), ")")
  for (test in list(corrected, ignored)) {
    expect_true(test$ties_decide)
    note <- if (test$ties == "correct") without else with
    expect_output(print(test), note, fixed = TRUE)
    expect_match(as.character(summary(test)), upper_first(note), fixed = TRUE)
    expect_match(toLatex(test), note, fixed = TRUE, all = FALSE)
    expect_match(gsub("\n", " ", autoplot(test)$labels$subtitle), note, fixed = TRUE)
  }
  # Quade's test has a rule of its own for ties.
  quade <- run(test = "quade")
  expect_false(quade$ties_decide)
  expect_no_match(utils::capture.output(print(quade)), "correction for ties")
})

test_that("ties decide exactly where the two statistics have different verdicts", {
  withr::local_seed(46)
  decided <- replicate(60, {
    x <- matrix(sample(2, 7 * 3, TRUE, c(0.7, 0.3)), 7) + c(rep(0, 14), sample(0:1, 7, TRUE))
    test <- rank_test(x, direction = "minimize", ties = sample(c("correct", "ignore"), 1))
    both <- vapply(c("correct", "ignore"), \(ties) rank_test(x, direction = "minimize", ties = ties)$global, NA)
    expect_identical(test$ties_decide, both[[1]] != both[[2]])
    test$ties_decide
  })
  expect_true(any(decided) && !all(decided))
})

test_that("neither the order of datasets nor that of methods matters, nor the direction of mirrored values", {
  withr::local_seed(3)
  x <- round(random_scores(9, 6), 1)
  one <- rank_test(x, direction = "minimize")
  two <- rank_test(x[sample(9), sample(6)], direction = "minimize")
  expect_identical(two$mean_ranks[names(one$mean_ranks)], one$mean_ranks)
  expect_identical(two[c("friedman", "iman_davenport", "cd")], one[c("friedman", "iman_davenport", "cd")])
  expect_identical(rank_test(-x, direction = "maximize")$comparisons, one$comparisons)
  expect_identical(rank_test(as.data.frame(x), direction = "minimize")$comparisons, one$comparisons)
  expect_identical(rank_test(x * 1000 + 0.5, direction = "minimize")$mean_ranks, one$mean_ranks)
})

test_that("agreement of all datasets gives an infinite F, no difference at all gives 0", {
  x <- matrix(rep(1:4, each = 5), 5)
  test <- rank_test(x, direction = "minimize")
  expect_identical(test$iman_davenport$statistic, Inf)
  expect_identical(test$friedman$statistic, 15)
  expect_true(test$global)
  for (ties in c("ignore", "correct")) {
    same <- rank_test(matrix(1, 4, 3), direction = "minimize", ties = ties)
    expect_identical(c(same$friedman$statistic, same$iman_davenport$statistic), c(0, 0))
    expect_identical(c(same$friedman$p_value, same$iman_davenport$p_value), c(1, 1))
  }
  expect_identical(same$groups, list(c("m1", "m2", "m3")))
})

test_that("a mean rank difference just below the critical difference joins all methods", {
  # Figure 3 of the Group-JMI paper, ranking loss over 9 datasets: 49/9 - 22/9 = 3.000 < 3.002.
  sums <- c("MIM-BR" = 40.5, "ELA-CHI" = 31, AMI = 38.5, PMU = 44, FIMF = 49, SCLS = 27, "Group-JMI-Rand" = 22)
  expect_equal(sum(sums), 9 * 28)
  pairs <- compare_ranks(sums, 9, NULL)
  pairs$significant <- abs(pairs$difference) >= critical_difference(7, 9)
  expect_identical(max(abs(pairs$difference)), 3)
  expect_length(rank_groups(sums / 9, pairs), 1L)
  expect_length(rank_groups(sums / 9, pairs)[[1]], 7L)
})

test_that("groups are the maximal runs without a significant pair", {
  withr::local_seed(4)
  for (i in first_or_all(1:20, 7)) {
    x <- round(random_scores(15, 8) + rep(1:8, each = 15) / 3, 1)
    test <- rank_test(x, direction = "minimize")
    o <- names(sort(test$mean_ranks))
    apart <- function(methods) with(test$comparisons, any(significant & method1 %in% methods & method2 %in% methods))
    runs <- Filter(\(r) r[2] > r[1] && !apart(o[r[1]:r[2]]), split(expand.grid(1:8, 1:8), 1:64) |> lapply(unlist))
    inside <- function(r) any(vapply(runs, \(s) s[1] <= r[1] && s[2] >= r[2] && !identical(unname(s), unname(r)), NA))
    maximal <- lapply(Filter(Negate(inside), runs), \(r) o[r[1]:r[2]])
    expect_setequal(test$groups, maximal)
  }
})

test_that("adjusted p-values satisfy their definitions", {
  p <- c(0.01, 0.04, 0.03, 0.005, 0.04, 0.8)
  m <- length(p)
  s <- sort(p)
  by_rank <- function(adjusted) adjusted[match(p, s)]
  expect_equal(adjust_p(p, "bonferroni-dunn"), pmin(1, m * p))
  expect_equal(adjust_p(p, "holm"), by_rank(pmin(1, cummax((m - seq_len(m) + 1) * s))))
  hochberg <- rev(cummin(rev((m - seq_len(m) + 1) * s)))
  expect_equal(adjust_p(p, "hochberg")[p != 0.04], by_rank(hochberg)[p != 0.04])
  expect_equal(adjust_p(p, "li"), p / (p + 0.2))
  for (posthoc in c("bonferroni-dunn", "holm", "hochberg", "li")) {
    adjusted <- adjust_p(p, posthoc)
    expect_identical(adjusted[2], adjusted[5])
    expect_true(all(adjusted >= p & adjusted <= 1))
    expect_false(is.unsorted(adjusted[order(p)]))
  }
  expect_true(all(adjust_p(p, "hochberg") <= adjust_p(p, "holm")))
  expect_identical(adjust_li(c(0, 1, 0.5)), c(0, 1, 1))
})

test_that("all post-hocs fill the comparisons as documented", {
  x <- printed("hamming")
  columns <- c("method1", "method2", "difference", "p_value", "p_adjusted", "significant", "win", "tie", "loss",
    "effect")
  for (posthoc in c("nemenyi", "holm", "hochberg")) {
    test <- rank_test(x, direction = "minimize", posthoc = posthoc)
    expect_named(test$comparisons, columns)
    expect_identical(nrow(test$comparisons), 21L)
    expect_identical(is.na(test$cd), posthoc != "nemenyi")
  }
  for (posthoc in c("bonferroni-dunn", "holm", "hochberg", "li")) {
    test <- rank_test(x, direction = "minimize", posthoc = posthoc, control = "FIMF")
    expect_identical(unique(test$comparisons$method1), "FIMF")
    expect_identical(test$comparisons$method2, setdiff(colnames(x), "FIMF"))
    expect_equal(
      test$comparisons$difference, unname(test$mean_ranks[test$comparisons$method2] - test$mean_ranks["FIMF"])
    )
    expect_identical(test$comparisons$significant, test$comparisons$p_adjusted <= 0.05)
  }
  nemenyi <- rank_test(x, direction = "minimize")$comparisons
  z <- nemenyi$difference / sqrt(7 * 8 / 48)
  expect_equal(nemenyi$p_adjusted, stats::ptukey(abs(z) * sqrt(2), 7, Inf, lower.tail = FALSE))
})

test_that("decisions do not depend on the global test, which print mentions", {
  x <- rbind(c(1, 2, 3), c(3, 2, 1), c(2, 1, 3))
  test <- rank_test(x, direction = "minimize")
  expect_false(test$global)
  expect_output(print(test), "not significant overall")
  expect_output(print(rank_test(x, direction = "minimize", posthoc = "holm")), "\n0 of 3 pairs differ$")
})

test_that("tidy() and glance() use broom's names", {
  test <- rank_test(printed("hamming"), direction = "minimize", posthoc = "holm")
  expect_named(tidy(test), c("group1", "group2", "estimate", "statistic", "p.value", "adj.p.value", "effect", "win",
    "tie", "loss"))
  expect_identical(glance(test)$kendall.w, test$kendall_w)
  expect_equal(2 * stats::pnorm(-abs(tidy(test)$statistic)), tidy(test)$p.value)
  expect_identical(nrow(glance(test)), 1L)
  expect_identical(glance(test)$p.value, test$iman_davenport$p_value)
})

test_that("a benchmark is compared by ranking scores, or at one k", {
  withr::local_seed(5)
  bench <- hand_benchmark(values <- random_values())
  test <- rank_test(bench)
  expect_identical(test$mean_ranks, rank_test(ranking_scores(bench), direction = "minimize")$mean_ranks)
  means <- apply(values[, , , "3"], c(1, 3), mean)
  expect_equal(rank_test(bench, "hamming_loss", k = 3)$ranks, rank_test(means, direction = "minimize")$ranks)
  up <- hand_benchmark(1 - values, "micro_f1", direction = "maximize")
  expect_identical(rank_test(up, k = 3)$mean_ranks, rank_test(bench, k = 3)$mean_ranks)
  both <- join_benchmarks(bench, up)
  expect_identical(rank_test(both, "micro_f1", k = 3)$mean_ranks, rank_test(up, k = 3)$mean_ranks)
  shares <- hand_benchmark(`dimnames<-`(values, c(dimnames(values)[1:3], list(1:6 / 10))), by = "prop")
  expect_identical(rank_test(shares, prop = 0.3)$mean_ranks, rank_test(bench, k = 3)$mean_ranks)
  expect_output(print(rank_test(shares, prop = 0.3)), "hamming_loss at 30 % of the features: ")
  expect_identical(test, rank_test(unserialize(serialize(bench, NULL))))
})

test_that("prints are as they should be", {
  x <- printed("hamming")
  expect_snapshot(rank_test(x, direction = "minimize"))
  expect_snapshot(rank_test(x, direction = "minimize", posthoc = "bonferroni-dunn", control = "Proposed"))
  expect_snapshot(rank_test(x, direction = "minimize", posthoc = "holm"))
  withr::local_seed(6)
  expect_snapshot(rank_test(hand_benchmark(random_values()), k = 2))
})

test_that("what cannot be tested is refused with advice", {
  withr::local_seed(7)
  x <- printed("hamming")
  bench <- hand_benchmark(random_values())
  hole <- bench
  hole$value[hole$task == "task2" & hole$selector == "MFS" & hole$k == 3][1] <- NA
  two <- join_benchmarks(bench, hand_benchmark(random_values(), learner = "BR-kNN"))
  expect_snapshot(error = TRUE, {
    rank_test(x)
    rank_test(x, direction = "down")
    rank_test(x[, 1:2], direction = "minimize")
    rank_test(x[1, , drop = FALSE], direction = "minimize")
    rank_test(replace(x, 10, NA), direction = "minimize")
    rank_test(replace(x, 3, Inf), direction = "minimize")
    rank_test(x, "hamming_loss", direction = "minimize")
    rank_test(data.frame(set = letters[1:8], x), direction = "minimize")
    rank_test(1:5, direction = "minimize")
    rank_test(x[, c(1, 1, 2)], direction = "minimize")
    rank_test(x, direction = "minimize", posthoc = "tukey")
    rank_test(x, direction = "minimize", control = "FIMF")
    rank_test(x, direction = "minimize", posthoc = "shaffer", control = "FIMF")
    rank_test(x, direction = "minimize", posthoc = "bergmann-hommel", control = "FIMF")
    rank_test(matrix(stats::rnorm(40), 4), direction = "minimize", posthoc = "bergmann-hommel")
    rank_test(x, direction = "minimize", test = "anova")
    rank_test(x, direction = "minimize", posthoc = "li")
    rank_test(x, direction = "minimize", posthoc = "li", control = "Propose")
    rank_test(x, direction = "minimize", alpha = 0)
    rank_test(x, direction = "minimize", alpha = 1)
    rank_test(hole)
    rank_test(hole, k = 3)
    rank_test(bench[!(bench$k > 4 & bench$task != "task3"), ], k = 5)
    rank_test(bench, "haming_loss")
    rank_test(bench, k = 9)
    rank_test(bench, prop = 0.5)
    rank_test(bench, direction = "maximize")
    rank_test(two)
    rank_test(bench[0, ])
    rank_test(structure(transform(bench, measure = "own_loss"), class = class(bench), measures = NULL))
    critical_difference(1, 10)
    critical_difference(5, 10, posthoc = "holm")
  })
  expect_error(rank_test(hole), class = "mlsift_error")
  expect_no_error(rank_test(hole, k = 2))
  expect_snapshot(invisible(rank_test(x[1:4, ], direction = "minimize", posthoc = "li", control = "ELA+CHI")))
})

test_that("wilcoxon-holm tests the pairs themselves", {
  withr::local_seed(31)
  x <- random_scores(14, 5) + rep(1:5 / 2, each = 14)
  test <- rank_test(x, direction = "minimize", posthoc = "wilcoxon-holm")
  naive <- mapply(\(i, j) stats::wilcox.test(x[, i], x[, j], paired = TRUE)$p.value,
    test$comparisons$method1, test$comparisons$method2, USE.NAMES = FALSE)
  expect_equal(test$comparisons$p_value, naive)
  expect_equal(test$comparisons$p_adjusted, stats::p.adjust(naive, "holm"))
  expect_identical(test$comparisons$significant, test$comparisons$p_adjusted <= 0.05)
  expect_identical(c(test$q, test$cd), c(NA_real_, NA_real_))
  other <- rank_test(x, direction = "minimize")
  same <- c("mean_ranks", "friedman", "iman_davenport")
  expect_identical(test[same], other[same])
  expect_identical(tidy(test)$statistic, test$comparisons$statistic)
  pairs <- compare_pairs(x, direction = "minimize")
  expect_equal(sort(pairs$p_holm), sort(test$comparisons$p_adjusted))
  against <- rank_test(x, direction = "minimize", posthoc = "wilcoxon-holm", control = "m1")
  expect_identical(nrow(against$comparisons), 4L)
  expect_equal(against$comparisons$p_adjusted, stats::p.adjust(against$comparisons$p_value, "holm"))
  expect_output(print(test), "Wilcoxon and Holm, all pairs")
  expect_output(print(against), "Wilcoxon and Holm against m1")
  same <- rank_test(cbind(x, twin = x[, 1]), direction = "minimize", posthoc = "wilcoxon-holm")$comparisons
  expect_identical(same$p_value[same$method1 == "m1" & same$method2 == "twin"], 1)
})

test_that("wilcoxon-holm says when no pair can be significant", {
  withr::local_seed(32)
  run <- function(n, ...) rank_test(random_scores(n, 4), direction = "minimize", posthoc = "wilcoxon-holm", ...)
  # 6 pairs: 6 / 2^6 > 0.05 >= 6 / 2^7.
  expect_message(run(7), "No pair can differ", class = "mlsift_message")
  expect_no_message(run(8))
  expect_no_message(run(7, control = "m2"))
  expect_no_message(rank_test(random_scores(3, 4), direction = "minimize"))
})

test_that("wilcoxon-holm compares means over splits and k of a benchmark, never ranks", {
  withr::local_seed(33)
  values <- random_values(tasks = 9)
  test <- rank_test(hand_benchmark(values), posthoc = "wilcoxon-holm")
  means <- apply(values, c(1, 3), mean)
  expect_equal(test$comparisons, rank_test(means, direction = "minimize", posthoc = "wilcoxon-holm")$comparisons)
  expect_output(print(test), "mean over the grid")
  at <- rank_test(hand_benchmark(values), k = 3, posthoc = "wilcoxon-holm")
  means <- apply(values[, , , 3], c(1, 3), mean)
  expect_equal(at$comparisons, rank_test(means, direction = "minimize", posthoc = "wilcoxon-holm")$comparisons)
})

test_that("no bar covers a rejected pair, and no bar is missing", {
  withr::local_seed(34)
  n_bars <- 0
  for (i in 1:60) {
    k <- sample(3:8, 1)
    x <- random_scores(sample(8:14, 1), k)
    x <- round(x + outer(stats::rnorm(nrow(x)), seq_len(k) / 3) + rep(seq_len(k) / 3, each = nrow(x)), 1)
    test <- suppressMessages(rank_test(x, direction = "minimize", posthoc = "wilcoxon-holm", alpha = 0.2))
    ranks <- test$mean_ranks
    rejected <- test$comparisons[test$comparisons$significant, ]
    covers <- function(from, to) {
      any(ranks[rejected$method1] >= from & ranks[rejected$method1] <= to &
        ranks[rejected$method2] >= from & ranks[rejected$method2] <= to)
    }
    # All intervals between mean ranks with two methods or more and no rejected pair; then those in no other.
    ends <- expand.grid(from = unique(ranks), to = unique(ranks))
    ends <- ends[ends$from <= ends$to, ]
    sound <- mapply(\(from, to) sum(ranks >= from & ranks <= to) > 1 && !covers(from, to), ends$from, ends$to)
    ends <- ends[sound, ]
    inside <- vapply(seq_len(nrow(ends)), \(r) {
      sum(ends$from <= ends$from[r] & ends$to >= ends$to[r]) > 1
    }, NA)
    ends <- ends[!inside, ]
    bars <- cd_layout_of(test)$bars
    expect_equal(bars$from, sort(ends$from))
    expect_equal(bars$to, sort(ends$to))
    expect_false(any(mapply(covers, bars$start, bars$end)))
    n_bars <- n_bars + nrow(bars)
  }
  expect_gt(n_bars, 60)
})

test_that("Hommel is that of p.adjust(), Finner follows its formula", {
  withr::local_seed(35)
  x <- random_scores(10, 5) + rep(1:5 / 3, each = 10)
  run <- function(posthoc, ...) rank_test(x, direction = "minimize", posthoc = posthoc, ...)$comparisons
  expect_equal(run("hommel")$p_adjusted, stats::p.adjust(run("holm")$p_value, "hommel"))
  finner <- function(p) {
    m <- length(p)
    vapply(p, \(own) max(vapply(which(sort(p) <= own), \(j) 1 - (1 - sort(p)[j])^(m / j), 0)), 0)
  }
  expect_equal(run("finner")$p_adjusted, finner(run("finner")$p_value))
  expect_equal(run("finner", control = "m1")$p_adjusted, finner(run("holm", control = "m1")$p_value))
  expect_identical(adjust_p(c(0, 1, 1), "finner"), c(0, 1, 1))
})

# Accuracies of table 2 of Garcia and Herrera (2008), as the package scmamp holds them.
garcia_herrera <- matrix(c(
  .219, .202, .249, .165, .261, .803, .750, .813, .692, .798, .859, .814, .845, .542, .816,
  .809, .774, .673, .275, .785, .768, .790, .727, .872, .706, .759, .654, .734, .703, .714,
  .693, .611, .572, .689, .572, .544, .531, .558, .439, .541, .945, .954, .978, .541, .858,
  .725, .705, .739, .625, .717, .674, .736, .721, .356, .704, .801, .357, .520, .309, .520,
  .785, .770, .841, .659, .759, .710, .402, .728, .120, .674, .691, .827, .667, .527, .638,
  .743, .739, .830, .549, .746, .990, .482, .941, .857, .990, .867, .098, .915, .986, .784,
  .821, .872, .815, .885, .778, .893, .824, .902, .739, .885, .799, .655, .925, .517, .755,
  .845, .731, .693, .653, .704, .741, .701, .591, .663, .619, .799, .994, .603, .269, .621,
  .949, .955, .989, .770, .954, .555, .505, .569, .312, .556, .928, .928, .945, .419, .897,
  .915, .857, .860, .700, .777, .855, .796, .857, .607, .809, .906, .359, .895, .641, .918
), 30, byrow = TRUE, dimnames = list(NULL, c("C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2")))

test_that("Shaffer and Bergmann-Hommel give the adjusted p-values of the paper's example", {
  run <- function(posthoc) rank_test(garcia_herrera, direction = "maximize", posthoc = posthoc)
  printed_ranks <- c("C4.5" = 2.1, "1-NN" = 3.25, NaiveBayes = 2.2, Kernel = 13 / 3, CN2 = 187 / 60)
  expect_equal(run("nemenyi")$mean_ranks, printed_ranks)
  # By scmamp's friedmanPost(), adjustShaffer() and adjustBergmannHommel(), in the order of the p-values.
  raw <- c(4.48699106758710e-08, 1.73611802489759e-07, 2.88048466902713e-03, 4.84876272167889e-03, 7.96348920655010e-03,
    1.01123339213334e-02, 1.27630075326413e-02, 2.47446720463991e-02, 7.43971478075057e-01, 8.06495940507340e-01)
  shaffer <- c(4.48699106758710e-07, 1.04167081493856e-06, 1.72829080141628e-02, 2.90925763300733e-02,
    4.77809352393006e-02, 4.77809352393006e-02, 5.10520301305650e-02, 7.42340161391972e-02, 1, 1)
  bergmann <- c(4.48699106758710e-07, 1.04167081493856e-06, 1.15219386761085e-02, 2.90925763300733e-02,
    3.18539568262004e-02, 3.18539568262004e-02, 3.82890225979238e-02, 3.82890225979238e-02, 1, 1)
  o <- order(run("shaffer")$comparisons$p_value)
  expect_equal(run("shaffer")$comparisons$p_value[o], raw, tolerance = 1e-8)
  expect_equal(run("shaffer")$comparisons$p_adjusted[o], shaffer, tolerance = 1e-8)
  # scmamp then raises each value to the largest before it. By definition the sixth is 3 p: that of the set of all pairs
  # of 1-NN, NaiveBayes and CN2.
  ours <- run("bergmann-hommel")$comparisons$p_adjusted[o]
  expect_equal(ours[6], 3 * raw[6], tolerance = 1e-8)
  expect_equal(cummax(ours), bergmann, tolerance = 1e-8)
  expect_identical(sum(run("shaffer")$comparisons$significant), 6L)
  expect_identical(sum(run("bergmann-hommel")$comparisons$significant), 8L)
})

# All sets of pairs of k methods that can be the only equal ones: those that are closed, a = b and b = c gives a = c.
exhaustive_sets <- function(k) {
  pairs <- utils::combn(k, 2)
  sets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), ncol(pairs))))
  closed <- apply(sets, 1, function(set) {
    equal <- diag(k) == 1
    equal[t(pairs[, set, drop = FALSE])] <- TRUE
    equal <- equal | t(equal)
    all((equal %*% equal > 0) == equal)
  })
  sets <- sets[closed & rowSums(sets) > 0, , drop = FALSE]
  lapply(seq_len(nrow(sets)), \(i) which(sets[i, ]))
}

test_that("Shaffer and Bergmann-Hommel follow from the exhaustive sets", {
  withr::local_seed(41)
  for (k in 3:5) {
    sets <- exhaustive_sets(k)
    expect_identical(length(sets) + 1, c(0, 0, 5, 15, 52)[k])
    m <- choose(k, 2)
    for (i in first_or_all(1:6, 3)) {
      p <- round(stats::runif(m)^3, sample(2:4, 1))
      hommel <- vapply(seq_len(m), \(j) {
        min(1, max(vapply(Filter(\(s) j %in% s, sets), \(s) length(s) * min(p[s]), 0)))
      }, 0)
      expect_equal(unname(adjust_p(p, "bergmann-hommel")), hommel)
      most <- vapply(seq_len(m), \(j) max(lengths(sets)[lengths(sets) <= m - j + 1]), 0L)
      shaffer <- vapply(p, \(own) min(1, max((most * sort(p))[sort(p) <= own])), 0)
      expect_equal(adjust_p(p, "shaffer"), shaffer)
      expect_true(all(hommel <= shaffer + 1e-12 & shaffer <= adjust_p(p, "holm") + 1e-12))
    }
  }
})

test_that("partitions are complete, and nine methods take little time", {
  bell <- c(1, 2, 5, 15, 52, 203, 877)
  for (k in 1:7) expect_identical(nrow(unique(set_partitions(k))), as.integer(bell[k]))
  withr::local_seed(42)
  x <- random_scores(12, 9) + rep(1:9 / 3, each = 12)
  time <- system.time(test <- rank_test(x, direction = "minimize", posthoc = "bergmann-hommel"), gcFirst = FALSE)
  expect_lt(time[["user.self"]], 10)
  expect_true(all(test$comparisons$p_adjusted >= test$comparisons$p_value))
  holm <- rank_test(x, direction = "minimize", posthoc = "holm")
  expect_true(all(test$comparisons$p_adjusted <= holm$comparisons$p_adjusted + 1e-15))
  expect_output(print(test), "Bergmann-Hommel, all pairs")
  expect_s3_class(autoplot(test), "ggplot")
})

test_that("Quade's test is that of quade.test()", {
  withr::local_seed(43)
  for (i in first_or_all(1:10, 3)) {
    x <- random_scores(sample(3:15, 1), sample(3:7, 1))
    if (i > 5) x <- round(2 * x)
    theirs <- stats::quade.test(x)
    for (direction in c("minimize", "maximize")) {
      ours <- rank_test(x, direction = direction, test = "quade")
      expect_equal(ours$quade$statistic, unname(theirs$statistic), tolerance = 1e-12)
      expect_equal(ours$quade$p_value, theirs$p.value, tolerance = 1e-12)
      expect_equal(c(ours$quade$df1, ours$quade$df2), unname(theirs$parameter))
      expect_identical(ours$global, theirs$p.value <= 0.05)
    }
  }
  # Conover (1999): sales of five brands in seven stores, from the help of quade.test(): F = 3.8293, p = 0.01519.
  stores <- matrix(c(5, 4, 7, 10, 12, 1, 3, 1, 0, 2, 16, 12, 22, 22, 35, 5, 4, 3, 5, 4, 10, 9, 7, 13, 10, 19, 18, 28,
    37, 58, 10, 7, 6, 8, 7), 7, byrow = TRUE)
  brands <- rank_test(stores, direction = "maximize", test = "quade")
  expect_equal(round(c(brands$quade$statistic, brands$quade$p_value), 5), c(3.82925, 0.01519), tolerance = 1e-5)
  expect_identical(glance(brands)$p.value, brands$quade$p_value)
  expect_output(print(brands), "Quade F(4, 24) = 3.829, p = 0.015: the methods differ", fixed = TRUE)
})

test_that("Quade's test at its limits, and what does not depend on it", {
  x <- matrix(rep(1:4, each = 5), 5)
  test <- rank_test(x, direction = "minimize", test = "quade")
  expect_identical(test$quade$statistic, Inf)
  expect_equal(test$quade$p_value, stats::quade.test(x)$p.value)
  same <- rank_test(matrix(1, 4, 3), direction = "minimize", test = "quade")$quade
  expect_identical(unlist(same[c("statistic", "p_value")]), c(statistic = 0, p_value = 1))
  # Weighted rank sums that nearly cancel: their squares sum to 1/2.
  opposed <- rbind(c(2, 3, 1), c(6, 3, 1), c(1, 1, 10))
  expect_equal(
    rank_test(opposed, direction = "minimize", test = "quade")$quade$statistic,
    unname(stats::quade.test(opposed)$statistic)
  )
  # Ranges that are equal as decimals are ties: the same values times 10.
  decimals <- matrix(c(.1, .2, .4, .7, .8, 1, .3, .6, .5), 3, byrow = TRUE)
  whole <- round(10 * decimals)
  expect_identical(rank_test(decimals, direction = "minimize", test = "quade")$quade,
    rank_test(whole, direction = "minimize", test = "quade")$quade)
  friedman <- rank_test(garcia_herrera, direction = "maximize")
  quade <- rank_test(garcia_herrera, direction = "maximize", test = "quade")
  same <- setdiff(names(friedman), c("test", "global"))
  expect_identical(quade[same], friedman[same])
  expect_null(friedman$quade)
})

test_that("Kendall's W is a function of the rank sums", {
  withr::local_seed(44)
  x <- random_scores(8, 6)
  sums <- rowSums(apply(x, 1, rank))
  test <- rank_test(x, direction = "minimize", ties = "ignore")
  expect_equal(test$kendall_w, 12 * sum((sums - mean(sums))^2) / (8^2 * (6^3 - 6)))
  expect_identical(rank_test(matrix(rep(1:4, each = 5), 5), direction = "minimize")$kendall_w, 1)
  expect_identical(rank_test(matrix(1, 4, 3), direction = "minimize")$kendall_w, 0)
})

test_that("every comparison has the effect sizes of compare_pairs()", {
  withr::local_seed(45)
  x <- round(random_scores(11, 4), 1)
  pairs <- as.data.frame(compare_pairs(x, direction = "maximize"))
  for (posthoc in c("nemenyi", "holm", "wilcoxon-holm")) {
    rows <- suppressMessages(rank_test(x, direction = "maximize", posthoc = posthoc))$comparisons
    for (i in seq_len(nrow(rows))) {
      own <- c(rows$win[i], rows$tie[i], rows$loss[i], rows$effect[i])
      at <- which(pairs$method1 == rows$method1[i] & pairs$method2 == rows$method2[i])
      turned <- which(pairs$method2 == rows$method1[i] & pairs$method1 == rows$method2[i])
      theirs <- if (length(at)) unlist(pairs[at, c("win", "tie", "loss", "effect")]) else
        unlist(pairs[turned, c("loss", "tie", "win", "effect")]) * c(1, 1, 1, -1)
      expect_equal(own, unname(theirs))
    }
  }
  # A sign that means better, whatever the direction.
  for (direction in c("minimize", "maximize")) {
    rows <- rank_test(x[, c(1, 2, 2)] |> `colnames<-`(c("a", "b", "c")), direction = direction)$comparisons
    expect_identical(rows$effect[3], 0)
    expect_identical(rows$effect[1] > 0, (wilcoxon_test(x[, 1], x[, 2])$effect > 0) == (direction == "maximize"))
  }
  against <- rank_test(x, direction = "maximize", posthoc = "holm", control = "m2")
  expect_output(print(against), "effect")
})

test_that("printing says how many significant pairs are not shown", {
  # Every method is better than the next one on all data sets.
  losses <- matrix(rep(1:6, each = 100) + rep(1:100, 6) / 1000, 100, dimnames = list(NULL, paste0("m", 1:6)))
  test <- rank_test(losses, direction = "minimize", posthoc = "holm")
  expect_identical(sum(test$comparisons$significant), 15L)
  expect_output(print(test), "# 5 more in $comparisons", fixed = TRUE)
  few <- rank_test(losses[, 1:4], direction = "minimize", posthoc = "holm")
  expect_no_match(capture.output(print(few)), "more in")
})

test_that("each post-hoc is printed by its name", {
  names <- c(nemenyi = "Nemenyi", holm = "Holm", hochberg = "Hochberg", hommel = "Hommel", finner = "Finner",
    shaffer = "Shaffer", "bergmann-hommel" = "Bergmann-Hommel", "wilcoxon-holm" = "Wilcoxon and Holm")
  x <- printed("hamming")
  for (posthoc in names(names)) {
    lines <- utils::capture.output(print(rank_test(x, direction = "minimize", posthoc = posthoc)))
    expect_true(any(startsWith(lines, paste0(names[[posthoc]], ", all pairs"))))
  }
  for (posthoc in c("bonferroni-dunn", "li")) {
    test <- suppressWarnings(rank_test(x, direction = "minimize", posthoc = posthoc, control = "MFS"))
    name <- c("bonferroni-dunn" = "Bonferroni-Dunn", li = "Li")[[posthoc]]
    expect_output(print(test), paste0("\n", name, " against MFS"))
  }
})

test_that("columns have names or none have", {
  x <- random_scores(6, 3)
  colnames(x)[2] <- ""
  expect_error(rank_test(x, direction = "minimize"), "must have names, or none.*Column 2 has none",
    class = "mlsift_error")
  colnames(x)[2:3] <- c("m1", NA)
  expect_error(rank_test(x, direction = "minimize"), "Column 3 has none", class = "mlsift_error")
})

test_that("where all datasets have the same ranks, p is the probability of this", {
  # All orders of the second dataset, beside one of the first.
  orders <- function(row) unique(apply(expand.grid(rep(list(seq_along(row)), length(row))), 1L, \(at) {
    if (anyDuplicated(at) == 0L) row[at] else row
  }, simplify = FALSE))
  for (row in list(1:3, c(1, 1, 2), 1:4, c(1, 2, 2, 3), c(5, 5, 1, 1))) for (n in 2:3) {
    x <- matrix(row, n, length(row), byrow = TRUE)
    for (test in c("friedman", "quade")) {
      found <- rank_test(x, direction = "minimize", test = test)
      expect_identical(global_test(found)$statistic, Inf)
      expect_equal(global_test(found)$p_value, length(orders(row))^(1 - n))
      expect_identical(found$global, length(orders(row))^(1 - n) <= 0.05)
    }
  }
  two <- rank_test(matrix(1:3, 2, 3, byrow = TRUE), direction = "minimize")
  expect_output(print(two), "= Inf, p = 0.17: not significant overall", fixed = TRUE)
})

test_that("Li's procedure keeps small p-values apart from rounding errors", {
  p <- c(1e-20, 1e-16, 3e-16, 0.2)
  expect_equal(adjust_li(p), p / (p + 0.8))
  expect_identical(adjust_li(c(0, p, 1)), c(0, 1, 1, 1, 1, 1))
})

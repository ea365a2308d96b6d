# Two-sided p-value over all signs of the ranks, straight from the definition.
oracle_signed_rank <- function(x, y, zero) {
  d <- x - y
  if (zero == "drop") d <- d[d != 0]
  if (zero == "split" && sum(d == 0) %% 2 == 1) d <- d[-match(0, d)]
  r <- rank(abs(d))
  plus <- sum(r[d > 0])
  minus <- sum(r[d < 0])
  if (zero == "split") {
    plus <- plus + sum(r[d == 0]) / 2
    minus <- minus + sum(r[d == 0]) / 2
  }
  if (zero == "pratt") r <- r[d != 0]
  signs <- as.matrix(expand.grid(rep(list(0:1), length(r))))
  sums <- if (length(r)) drop(signs %*% r) else 0
  list(statistic = min(plus, minus), p_value = min(1, 2 * mean(sums <= min(plus, minus))), n = length(r))
}

test_that("statistic and p-value agree with enumeration, with ties and zeros", {
  withr::local_seed(1)
  for (i in first_or_all(1:60, 20)) {
    n <- sample(1:9, 1)
    x <- sample(-3:3, n, TRUE)
    y <- sample(-1:1, n, TRUE)
    for (zero in c("split", "drop", "pratt")) {
      expect_equal(wilcoxon_test(x, y, zero)[c("statistic", "p_value", "n")], oracle_signed_rank(x, y, zero))
    }
  }
})

test_that("without ties and zeros it is stats::wilcox.test()", {
  withr::local_seed(2)
  # 11 differences have an even number of Walsh averages, 5, 25 and 50 an odd one.
  for (n in c(5, 11, 25, 50, 80)) {
    x <- stats::rnorm(n)
    y <- stats::rnorm(n, 0.3)
    ours <- wilcoxon_test(x, y)
    theirs <- stats::wilcox.test(x, y, paired = TRUE, exact = n <= 50, correct = FALSE, conf.int = n <= 50)
    expect_equal(ours$p_value, theirs$p.value, tolerance = 1e-12)
    expect_equal(unname(ours$rank_sums["plus"]), unname(theirs$statistic))
    if (n <= 50) expect_equal(ours$estimate, unname(theirs$estimate), tolerance = 1e-12)
  }
})

test_that("ten pairs are significant at 0.05 up to a statistic of 8", {
  d8 <- c(-8, 1:7, 9, 10)
  d9 <- c(-9, 1:8, 10)
  expect_equal(wilcoxon_test(d8, numeric(10))$p_value, 0.048828125)
  expect_equal(wilcoxon_test(d9, numeric(10))$p_value, 0.064453125)
})

test_that("published examples are met", {
  # Hollander and Wolfe's depression data, from the help of stats::wilcox.test: V = 40, p = 0.0390625.
  x <- c(1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
  y <- c(0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
  expect_equal(wilcoxon_test(x, y)[c("statistic", "p_value", "n")], list(statistic = 5, p_value = 0.0390625, n = 9L))
  # Ranking losses of Proposed and BR+OR in Lee, Kim et al. (EBLS, Entropy 2016): V = 2, exact p = 0.0234375.
  proposed <- c(.091, .199, .126, .096, .006, .156, .138, .179)
  br_or <- c(.114, .229, .153, .110, .003, .251, .245, .180)
  expect_equal(wilcoxon_test(proposed, br_or)[c("statistic", "p_value")], list(statistic = 2, p_value = 0.0234375))
})

test_that("decimals tie as on paper, at any scale", {
  x <- c(0.3, 0.2, 0.9, 0.1 + 0.2, 0.7)
  y <- c(0.2, 0.1, 1.0, 0.3, 0.1)
  paper <- wilcoxon_test(c(3, 2, 9, 3, 7), c(2, 1, 10, 3, 1))
  expect_identical(wilcoxon_test(x, y)[c("statistic", "p_value", "n")], paper[c("statistic", "p_value", "n")])
  expect_identical(wilcoxon_test(1e6 * x, 1e6 * y)$p_value, paper$p_value)
  expect_identical(wilcoxon_test(1e-6 * x, 1e-6 * y)$p_value, paper$p_value)
})

test_that("swapping the methods changes the sign alone; order of pairs changes nothing", {
  withr::local_seed(3)
  x <- round(stats::rnorm(30), 1)
  y <- round(stats::rnorm(30), 1)
  one <- wilcoxon_test(x, y)
  swapped <- wilcoxon_test(y, x)
  expect_identical(swapped[c("statistic", "p_value", "n")], one[c("statistic", "p_value", "n")])
  expect_equal(swapped$estimate, -one$estimate)
  o <- sample(30)
  expect_identical(wilcoxon_test(x[o], y[o])$p_value, one$p_value)
})

test_that("above 50 pairs the normal approximation counts ties", {
  withr::local_seed(4)
  x <- sample(-5:6, 120, TRUE)
  r <- rank(abs(x[x != 0]))
  plus <- sum(r[x[x != 0] > 0])
  z <- (min(plus, sum(r) - plus) - sum(r) / 2) / sqrt(sum(r^2) / 4)
  expect_equal(wilcoxon_test(x, numeric(120), "drop")$p_value, 2 * stats::pnorm(z))
  expect_match(wilcoxon_test(x, numeric(120))$method, "normal")
})

test_that("no difference at all gives p = 1", {
  for (zero in c("split", "drop", "pratt")) expect_identical(wilcoxon_test(1:7, 1:7, zero)$p_value, 1)
  expect_identical(wilcoxon_test(numeric(101), numeric(101))$p_value, 1)
  expect_identical(wilcoxon_test(numeric(101), numeric(101), "drop")[c("p_value", "n")], list(p_value = 1, n = 0L))
  expect_identical(wilcoxon_test(2, 1)$p_value, 1)
})

test_that("the median of many Walsh averages is that of few", {
  withr::local_seed(5)
  for (n in c(1001, 1002)) {
    d <- round(stats::rnorm(n), 2)
    walsh <- outer(d, d, "+")
    expect_equal(walsh_median(d), stats::median(walsh[!lower.tri(walsh)]) / 2)
  }
  # Most are the smallest difference.
  expect_identical(walsh_median(c(numeric(1000), 1)), 0)
  expect_identical(walsh_median(c(-1, numeric(1000))), 0)
})

test_that("print, tidy() and glance() say what was found; bad pairs are refused", {
  test <- wilcoxon_test(c(0.3, 0.5, 0.6, 0.9, 0.2, 0.4), c(0.1, 0.6, 0.2, 0.4, 0.2, 0.1))
  expect_snapshot(test)
  expect_named(tidy(test), c("estimate", "statistic", "p.value", "method", "alternative", "conf.low", "conf.high",
    "effect"))
  expect_snapshot(wilcoxon_test(c(8, 9, 7, 6, 5, 4, 12), 1:7, alternative = "greater", level = 0.9))
  expect_identical(glance(test)$nobs, test$n)
  expect_snapshot(error = TRUE, {
    wilcoxon_test(1:3, 1:2)
    wilcoxon_test(c(1, NA), 1:2)
    wilcoxon_test(1:2, c(1, Inf))
    wilcoxon_test("a", 1)
    wilcoxon_test(numeric(), numeric())
    wilcoxon_test(1:2, 2:3, zero = "prat")
    wilcoxon_test(1:2, 2:3, alternative = "smaller")
    wilcoxon_test(1:2, 2:3, exact = NA)
    wilcoxon_test(1:2, 2:3, correct = "yes")
    wilcoxon_test(1:2, 2:3, level = 95)
    wilcoxon_test(1:1001, numeric(1001), exact = TRUE)
  })
})

# One-sided p-values over all signs of the ranks: the share of sign patterns with an R+ as extreme in that direction.
oracle_one_sided <- function(x, y, zero, alternative) {
  d <- x - y
  if (all(d == 0)) return(1)
  if (zero == "drop") d <- d[d != 0]
  if (zero == "split" && sum(d == 0) %% 2 == 1) d <- d[-match(0, d)]
  r <- rank(abs(d))
  plus <- sum(r[d > 0]) + if (zero == "split") sum(r[d == 0]) / 2 else 0
  if (zero == "pratt") r <- r[d != 0]
  sums <- drop(as.matrix(expand.grid(rep(list(0:1), length(r)))) %*% r)
  mean(if (alternative == "greater") sums >= plus else sums <= plus)
}

test_that("one-sided p-values agree with enumeration, with ties and zeros", {
  withr::local_seed(11)
  for (i in first_or_all(1:20, 7)) {
    n <- c(1:9, 5:9)[1 + i %% 14]
    x <- sample(-3:3, n, TRUE)
    y <- sample(-1:1, n, TRUE)
    for (zero in c("split", "drop", "pratt")) for (alternative in c("less", "greater")) {
      ours <- wilcoxon_test(x, y, zero, alternative)
      expect_equal(ours$p_value, oracle_one_sided(x, y, zero, alternative))
      expect_identical(ours$statistic, unname(ours$rank_sums[if (alternative == "less") "plus" else "minus"]))
      expect_identical(wilcoxon_test(y, x, zero, setdiff(c("less", "greater"), alternative))$p_value, ours$p_value)
    }
  }
})

test_that("every variant is that of stats::wilcox.test() without ties and zeros", {
  withr::local_seed(12)
  for (n in c(6, 20, 60)) for (alternative in c("two.sided", "less", "greater")) {
    x <- stats::rnorm(n)
    y <- stats::rnorm(n, 0.3)
    for (exact in c(TRUE, FALSE)) for (correct in c(TRUE, FALSE)) {
      ours <- wilcoxon_test(x, y, alternative = alternative, exact = exact, correct = correct, level = 0.9)
      theirs <- stats::wilcox.test(x, y, alternative, paired = TRUE, exact = exact, correct = correct)
      expect_equal(ours$p_value, theirs$p.value, tolerance = 1e-12)
    }
    theirs <- stats::wilcox.test(x, y, alternative, paired = TRUE, exact = TRUE, conf.int = TRUE, conf.level = 0.9)
    ours <- wilcoxon_test(x, y, alternative = alternative, exact = TRUE, level = 0.9)
    expect_equal(c(ours$conf_low, ours$conf_high), as.numeric(theirs$conf.int))
    expect_equal(ours$effect, unname(2 * theirs$statistic / (n * (n + 1) / 2) - 1))
    expect_identical(ours$counts, c(plus = sum(x > y), zero = 0L, minus = sum(x < y)))
  }
  many <- wilcoxon_test(stats::rnorm(51), numeric(51))
  expect_false(many$exact)
  expect_null(check_exact(TRUE, 1000L))
  expect_error(check_exact(TRUE, 1001L), class = "mlsift_error")
  expect_true(wilcoxon_test(stats::rnorm(50), numeric(50))$exact)
})

test_that("no differing pair gives p = 1 for every alternative, and no effect", {
  for (zero in c("split", "drop", "pratt")) for (alternative in c("two.sided", "less", "greater")) {
    for (exact in c(TRUE, FALSE)) for (n in 6:7) {
      test <- wilcoxon_test(1:n, 1:n, zero, alternative, exact)
      expect_identical(unlist(test[c("p_value", "estimate", "effect")]), c(p_value = 1, estimate = 0, effect = 0))
      expect_identical(test$counts[["zero"]], n)
    }
  }
  expect_output(print(wilcoxon_test(1:3, 1:3)), "x larger 0, equal 3, y larger 0")
  expect_output(print(wilcoxon_test(1:3, 2:4, alternative = "less")), "alternative x smaller, p = 0.12")
})

test_that("the interval of many pairs is that of all averages", {
  withr::local_seed(13)
  d <- stats::rnorm(1002)
  walsh <- outer(d, d, "+")
  walsh <- sort(walsh[!lower.tri(walsh)]) / 2
  total <- 1002 * 1003 / 2
  position <- floor(total / 2 + stats::qnorm(0.025) * sqrt(total * 2005 / 12)) + 1
  test <- wilcoxon_test(d, numeric(1002))
  expect_equal(c(test$conf_low, test$conf_high), walsh[c(position, total + 1 - position)])
})

# C4.5 with and without m, table 2 of Demsar (2006): the paper prints R+ = 93 and R- = 12.
test_that("the example of Demsar has its rank sums", {
  plain <- c(.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957)
  with_m <- c(.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978)
  expect_identical(wilcoxon_test(with_m, plain)$rank_sums, c(plus = 93, minus = 12))
})

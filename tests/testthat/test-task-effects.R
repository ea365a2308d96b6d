quiet_task <- function(...) suppressMessages(mltask(...))

# The effects by their definitions, for one feature and one target whose values are all known. Weights are copies.
naive_odds <- function(x, y) {
  x <- x == max(x)
  cells <- c(sum(x & y), sum(x & !y), sum(!x & y), sum(!x & !y)) + 0.5
  value <- log(cells[1] * cells[4] / (cells[2] * cells[3]))
  reach <- qnorm(0.975) * sqrt(sum(1 / cells))
  if (length(unique(x)) < 2 || length(unique(y)) < 2) return(c(NA, NA, NA))
  c(value, value - reach, value + reach)
}

# DeLong's components by a double loop.
naive_delta <- function(x, y) {
  on <- x[y == 1]
  off <- x[y == 0]
  if (length(on) == 0 || length(off) == 0 || length(unique(x)) < 2) return(c(NA, NA, NA))
  wins <- outer(on, off, function(a, b) (a > b) + (a == b) / 2)
  value <- 2 * mean(wins) - 1
  se <- 2 * sqrt(var(rowMeans(wins)) / length(on) + var(colMeans(wins)) / length(off))
  if (abs(value) == 1) {
    fewer <- min(length(on), length(off))
    return(c(value, sort(value * c(2 * binom.test(fewer, fewer)$conf.int[1] - 1, 1))))
  }
  c(value, max(-1, value - qnorm(0.975) * se), min(1, value + qnorm(0.975) * se))
}

naive_rho <- function(x, y) {
  if (length(unique(x)) < 2 || length(unique(y)) < 2) return(c(NA, NA, NA))
  value <- cor(x, y, method = "spearman")
  se <- sqrt((1 + value^2 / 2) / (length(x) - 3))
  c(value, tanh(atanh(value) + c(-1, 1) * qnorm(0.975) * se))
}

naive_v <- function(x, y) {
  if (length(unique(x)) < 2 || length(unique(y)) < 2) return(c(NA, NA, NA))
  c(sqrt(unname(suppressWarnings(chisq.test(factor(x), y, correct = FALSE)$statistic)) / length(x)), NA, NA)
}

naive_ratio <- function(x, y) {
  if (length(unique(x)) < 2 || length(unique(y)) < 2) return(c(NA, NA, NA))
  c(sqrt(unname(kruskal.test(y, factor(x))$statistic) / (length(x) - 1)), NA, NA)
}

naive_effects <- function(x, y, ways, weights = rep(1, nrow(x))) {
  rows <- rep(seq_len(nrow(x)), weights)
  do.call(rbind, lapply(seq_along(x), function(f) do.call(rbind, lapply(colnames(y), function(t) {
    seen <- rows[!is.na(x[rows, f]) & !is.na(y[rows, t])]
    ways[[f]](as.numeric(x[seen, f]), y[seen, t])
  }))))
}

numbers_of <- function(found) unname(as.matrix(found[c("value", "low", "high")]))

mixed_features <- function(n) {
  x <- data.frame(two = sample(0:1, n, TRUE), flag = runif(n) < 0.2, yes = factor(sample(c("no", "yes"), n, TRUE)),
    number = rnorm(n), ties = sample(5, n, TRUE), size = factor(sample(c("s", "m", "l"), n, TRUE), c("s", "m", "l"),
      ordered = TRUE), color = factor(sample(c("blue", "green", "red"), n, TRUE), c("blue", "none", "green", "red")),
    one = 4, off = 0)
  x$two[c(1, 5)] <- x$number[2] <- x$size[3:5] <- x$color[7] <- NA
  x
}

test_that("effects on labels are those of their definitions", {
  withr::local_seed(1)
  ways <- list(naive_odds, naive_odds, naive_odds, naive_delta, naive_delta, naive_delta, naive_v, naive_delta,
    naive_odds)
  for (case in 1:4) {
    n <- 40
    x <- mixed_features(n)
    y <- random_labels(n, 5)
    y[sample(length(y), 30)] <- if (case > 2) NA else 0L
    weights <- if (case %% 2 == 0) sample(0:3, n, TRUE)
    found <- feature_effects(quiet_task(x, y, weights = weights))
    expect_identical(found$feature, rep(names(x), each = 5))
    expect_identical(found$target, rep(colnames(y), 9))
    expect_equal(numbers_of(found), naive_effects(x, y, ways, weights %||% rep(1, n)), tolerance = 1e-9)
    expect_identical(unique(found$kind), "marginal")
    expect_identical(unique(found$effect), c("log odds ratio", "Cliff's delta", "Cramer's V"))
  }
  # Weights need not be whole, and their unit matters to intervals only.
  part <- feature_effects(quiet_task(x, y, weights = weights / 8))
  whole <- found$effect != "log odds ratio"
  expect_equal(part$value[whole], found$value[whole])
})

test_that("effects on numbers are those of their definitions", {
  withr::local_seed(2)
  ways <- c(rep(list(naive_rho), 6), list(naive_ratio), rep(list(naive_rho), 2))
  for (case in 1:4) {
    n <- 30
    x <- mixed_features(n)
    y <- cbind(a = rnorm(n), b = sample(4, n, TRUE), c = 2)
    if (case > 2) y[1:6, "a"] <- y[4:9, "b"] <- NA
    weights <- if (case %% 2 == 0) sample(0:3, n, TRUE)
    found <- feature_effects(quiet_task(x, y, kind = "numeric", weights = weights))
    expect_equal(numbers_of(found), naive_effects(x, y, ways, weights %||% rep(1, n)), tolerance = 1e-9)
    expect_identical(unique(found$effect), c("Spearman's rho", "rank correlation ratio"))
  }
})

test_that("delta is that of the Wilcoxon statistic, and its limits are exact where DeLong's variance is 0", {
  withr::local_seed(3)
  x <- c(rnorm(30), rnorm(12, 1))
  y <- rep(0:1, c(30, 12))
  found <- feature_effects(quiet_task(cbind(x = x), y))
  expect_equal(found$value, unname(2 * wilcox.test(x[y == 1], x[y == 0])$statistic / (30 * 12) - 1))
  labels <- cbind(apart = (x > 0) + 0L, below = (x < 0) + 0L, single = replace(0 * y, 1, 1))
  found <- feature_effects(quiet_task(cbind(x = x), labels))
  expect_identical(found$value[1:2], c(1, -1))
  expect_equal(numbers_of(found)[1:2, ], naive_effects(data.frame(x), labels[, 1:2], list(naive_delta)))
  expect_identical(is.na(numbers_of(found)[3, ]), c(FALSE, TRUE, TRUE))
})

test_that("shares and levels are those of the table", {
  x <- data.frame(yes = factor(c("no", "no", "no", "yes", "yes")), on = c(0, 0, 1, 1, 1),
    color = factor(c("red", "blue", "blue", "gold", "gold")))
  y <- cbind(a = c(1, 0, 0, 1, 1), b = c(0, 0, 0, 0, 1))
  found <- feature_effects(quiet_task(x, y))
  expect_equal(found$on, c(1, 1 / 2, 2 / 3, 1 / 3, NA, NA))
  expect_equal(found$off, c(1 / 3, 0, 1 / 2, 0, NA, NA))
  # Of equal shares the first level.
  expect_identical(found$level, c("yes", "yes", NA, NA, "gold", "gold"))
  expect_identical(feature_effects(quiet_task(x["color"], c(3.5, 1, 2, 3, 3)))$level, "red")
})

test_that("categories of classes are labels", {
  withr::local_seed(4)
  x <- cbind(a = rnorm(30), b = sample(0:1, 30, TRUE))
  class <- factor(sample(c("u", "v", "w"), 30, TRUE))
  found <- feature_effects(quiet_task(x, data.frame(class = class)))
  expect_identical(found$target, rep(paste("class =", c("u", "v", "w")), 2))
  labels <- sapply(levels(class), function(level) (class == level) + 0L)
  expect_equal(numbers_of(found), naive_effects(as.data.frame(x), labels, list(naive_delta, naive_odds)))
})

test_that("effects do not depend on the layout, on the order of rows or on other features", {
  withr::local_seed(5)
  x <- matrix(rbinom(200, 1, 0.3) * sample(-1:3, 200, TRUE), 40, dimnames = list(NULL, paste0("f", 1:5)))
  x[, 4:5] <- abs(sign(x[, 4:5]))
  x[2, 3:4] <- NA
  labels <- random_labels(40, 4)
  numbers <- cbind(u = rnorm(40), v = rpois(40, 2))
  for (y in list(labels, numbers)) for (hidden in c(FALSE, TRUE)) {
    if (hidden) y[3:5, 1] <- NA
    kind <- if (ncol(y) == 4) "label" else "numeric"
    found <- feature_effects(quiet_task(x, y, kind = kind))
    expect_identical(feature_effects(quiet_task(sparse(x), y, kind = kind)), found)
    expect_identical(feature_effects(quiet_task(as.data.frame(x), y, kind = kind)), found)
    if (kind == "label") expect_equal(feature_effects(quiet_task(x, sparse(y), kind = kind)), found)
    order <- sample(40)
    expect_equal(feature_effects(quiet_task(x[order, ], y[order, ], kind = kind)), found)
    some <- feature_effects(quiet_task(x, y, kind = kind), c("f4", "f1"))
    expect_identical(some$feature, rep(c("f4", "f1"), each = ncol(y)))
    rows <- lapply(c("f4", "f1"), function(f) found[found$feature == f, ])
    expect_equal(some, do.call(rbind, rows), ignore_attr = TRUE)
  }
})

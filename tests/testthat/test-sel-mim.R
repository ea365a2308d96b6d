# Straight from Vinh, Epps & Bailey (2010), eq. 24a, in bits.
oracle_chance <- function(f, t) {
  n <- length(f)
  sum <- 0
  for (a in table(f)) for (b in table(t)) for (k in max(0, a + b - n):min(a, b)) {
    if (k > 0) sum <- sum + k / n * log2(n * k / (a * b)) * stats::dhyper(k, b, n - b, a)
  }
  sum
}

oracle_miller_madow <- function(f, t) {
  cells <- function(...) length(unique(paste(...)))
  (cells(f, t) - cells(f) - cells(t) + 1) / (2 * length(f) * log(2))
}

oracle_information <- function(f, t) {
  p <- table(f, t) / length(f)
  expected <- outer(rowSums(p), colSums(p))
  sum((p * log2(p / expected))[p > 0])
}

test_that("adjusted scores are those of the definitions", {
  withr::local_seed(1)
  oracles <- list(chance = oracle_chance, "miller-madow" = oracle_miller_madow)
  for (n in c(12, 45)) {
    x <- random_codes(n, 6, levels = 5L)
    x[, 6] <- seq_len(n)
    y <- random_labels(n, 4)
    classes <- data.frame(a = factor(sample(letters[1:3], n, TRUE), letters[1:4]), b = factor(sample(1:2, n, TRUE)))
    tasks <- list(coded_task(x, y), coded_task(sparse(x), sparse(y)), coded_task(as_factors(x), y))
    tasks <- suppressMessages(c(tasks, list(mltask(as_factors(x), classes, kind = "class"))))
    for (task in tasks) for (adjust in names(oracles)) {
      targets <- as.data.frame(as.matrix(targets(task)))
      expected <- vapply(1:6, function(f) {
        sum(vapply(targets, function(t) {
          if (length(unique(t)) == 1L && sum(as.integer(factor(t))) == 0) return(0)
          oracle_information(x[, f], t) - oracles[[adjust]](x[, f], t)
        }, 0))
      }, 0)
      found <- sift_features(task, sel_mim(adjust = adjust))
      expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9)
      expect_identical(sift_features(task, sel_mim(adjust = adjust), threads = 2)$score, found$score)
      nats <- sift_features(task, sel_mim(exp(1), adjust))
      expect_equal(nats$score, found$score * log(2))
    }
    labels <- tasks[[1]]
    for (adjust in names(oracles)) {
      expect_identical(
        sift_features(count_tables(labels, sel_mim()), sel_mim(adjust = adjust))$score,
        sift_features(labels, sel_mim(adjust = adjust))$score
      )
    }
  }
})

test_that("labels that are unknown in some rows are adjusted on the others", {
  withr::local_seed(4)
  oracles <- list(chance = oracle_chance, "miller-madow" = oracle_miller_madow)
  for (n in c(4, 12, 45)) {
    x <- random_codes(n, 6, levels = 4L)
    y <- random_labels(n, 5)
    y[sample(length(y), length(y) %/% 3)] <- NA
    y[, 4] <- c(0L, rep(NA, n - 1L))
    y[, 5] <- rep_len(0:1, n)
    tasks <- list(coded_task(x, y), coded_task(sparse(x), sparse(y)))
    for (adjust in names(oracles)) {
      expected <- vapply(1:6, function(f) {
        sum(apply(y, 2, function(t) {
          known <- !is.na(t)
          if (length(unique(t[known])) < 2L) return(0)
          oracle_information(x[known, f], t[known]) - oracles[[adjust]](x[known, f], t[known])
        }))
      }, 0)
      for (task in tasks) {
        found <- sift_features(task, sel_mim(adjust = adjust), threads = 2)
        expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9)
        expect_identical(sift_features(count_tables(task, sel_mim()), sel_mim(adjust = adjust))$score, found$score)
      }
    }
  }
})

test_that("a row id has no information beyond chance", {
  withr::local_seed(2)
  y <- random_labels(60, 3)
  x <- data.frame(id = factor(1:60), a = factor(y[, 1]), b = factor(sample(1:3, 60, TRUE)))
  task <- suppressMessages(mltask(x, y, kind = "label"))
  expect_identical(sift_features(task, sel_mim())$feature[1], "id")
  adjusted <- sift_features(task, sel_mim(adjust = "chance"))
  expect_identical(adjusted$feature[1], "a")
  expect_equal(adjusted$score[adjusted$feature == "id"], 0, tolerance = 1e-12)
})

test_that("large counts are adjusted without overflow", {
  withr::local_seed(3)
  n <- 20000
  x <- cbind(f1 = stats::rbinom(n, 1, 0.4), f2 = sample(0:4, n, TRUE))
  y <- cbind(l1 = stats::rbinom(n, 1, 0.3))
  found <- sift_features(coded_task(x, y), sel_mim(adjust = "chance"))
  expected <- vapply(1:2, \(f) oracle_information(x[, f], y[, 1]) - oracle_chance(x[, f], y[, 1]), 0)
  expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9)
})

test_that("what chance gives is exact on tables of a billion rows, without memory for each of them", {
  skip_unless_all()
  withr::local_seed(4)
  x <- cbind(f1 = stats::rbinom(60, 1, 0.4), f2 = sample(0:4, 60, TRUE), f3 = rep(0:1, c(59, 1)))
  y <- cbind(l1 = stats::rbinom(60, 1, 0.3), l2 = c(1, rep(0, 59)))
  tables <- count_tables(coded_task(x, y), sel_mim())
  # The terms of all k that have a chance of more than 1e-30 or so.
  cell <- function(a, b, n) {
    middle <- a / n * b
    wide <- 13 * sqrt(middle * (1 - a / n) * (1 - b / n))
    k <- seq(max(1, a + b - n, floor(middle - wide)), min(a, b, ceiling(middle + wide)))
    sum(k / n * log2(k / middle) * stats::dhyper(k, b, n - b, a))
  }
  for (doubled in c(15, 24)) {
    for (i in seq_len(if (doubled == 15) 15 else 9)) tables <- tables + tables
    n <- 60 * 2^doubled
    of <- function(...) {
      found <- sift_features(tables, sel_mim(...))
      found$score[order(found$index)]
    }
    expected <- vapply(1:3, function(f) {
      rows <- c(table(x[, f]), 0) * 2^doubled
      sum(vapply(1:2, function(l) {
        ones <- sum(y[, l]) * 2^doubled
        sum(vapply(rows[rows > 0], function(a) cell(a, ones, n) + cell(a, n - ones, n), 0))
      }, 0))
    }, 0)
    expect_equal(n * (of() - of(adjust = "chance")), n * expected, tolerance = 1e-5)
  }
})

test_that("the adjustment is checked, named and written as code", {
  expect_error(sel_mim(adjust = "miller"), "miller-madow", class = "mlsift_error")
  expect_identical(sel_mim(adjust = "chance")$name, "MIM-BR-chance")
  expect_identical(spec_code(sel_mim(adjust = "miller-madow")), "sel_mim(adjust = \"miller-madow\")")
  expect_identical(spec_code(sel_mim()), "sel_mim()")
})

test_that("what is adjusted is the information of the discretized features", {
  withr::local_seed(31)
  task <- simulate_mltask(60, n_features = 6, n_targets = 3)
  numbers <- features(task) + matrix(rnorm(360), 60)
  continuous <- mltask(numbers, targets(task))
  for (discretizer in list(disc_equal_width(4, side = "right"), disc_equal_width(3), disc_equal_frequency(5))) {
    levels <- discretize_features(continuous, discretizer)
    for (adjust in c("miller-madow", "chance")) {
      expect_identical(
        as.data.frame(sift_features(continuous, sel_mim(adjust = adjust), discretizer = discretizer)),
        as.data.frame(sift_features(levels, sel_mim(adjust = adjust)))
      )
    }
  }
})

# The Relief family against its naive oracles, on awkward data and under changes that must not matter.

relief_cases <- list(
  `RF-BR` = list(
    function(k, ...) sel_relieff_br(k, ...), function(x, y, k, ...) oracle_relieff_br(oracle_diff(x), y, k, ...)
  ),
  `RF-LP` = list(
    function(k, ...) sel_relieff_lp(k, ...),
    function(x, y, k, ...) oracle_relieff(oracle_diff(x), oracle_sets(y), k, ...)
  ),
  `ReliefF-ML` = list(
    function(k, ...) sel_relieff_ml(k, ...), function(x, y, k, ...) oracle_relieff_ml(oracle_diff(x), y, k, ...)
  ),
  `ReliefF-ML disjoint` = list(
    function(k, ...) sel_relieff_ml(k, TRUE, ...),
    function(x, y, k, ...) oracle_relieff_ml(oracle_diff(x), y, k, TRUE, ...)
  ),
  `RReliefF-ML` = list(
    function(k, ...) sel_rrelieff_ml(k, 5, ...), function(x, y, k, ...) oracle_rrelieff_ml(oracle_diff(x), y, k, 5, ...)
  ),
  MLRF = list(function(k, ...) sel_mlrf(k, ...), function(x, y, k, ...) oracle_mlrf(x, y, k, ...)),
  `MLRF raw` = list(
    function(k, ...) sel_mlrf(k, scale = "none", ...), function(x, y, k, ...) oracle_mlrf(x, y, k, FALSE, ...)
  ),
  `MLRF 2016` = list(
    function(k, ...) sel_mlrf(k, "code2016", ...), function(x, y, k, ...) oracle_mlrf_2016(x, y, k, ...)
  ),
  `MLRF 2016 raw` = list(
    function(k, ...) sel_mlrf(k, "code2016", "none", ...), function(x, y, k, ...) oracle_mlrf_2016(x, y, k, FALSE, ...)
  )
)

# Codes with ties, copies and a constant; numbers without ties; sparse counts. Rows without labels, one with all, labels
# never and always on; a single label.
relief_data_sets <- function() {
  counts <- matrix(stats::rbinom(40 * 7, 4, 0.15), 40, dimnames = list(NULL, paste0("f", 1:7))) + 0
  full <- random_labels(36, 3)
  full[2, ] <- 1L
  list(
    list(random_codes(40, 6, 3), random_labels(40, 5)), list(random_codes(36, 5, 5), full),
    list(matrix(stats::rnorm(30 * 9), 30, dimnames = list(NULL, paste0("f", 1:9))), random_labels(30, 4, 0.5)),
    list(counts, random_labels(40, 3)), list(random_codes(25, 4, 2), random_labels(25, 1, 0.4))
  )
}

for (name in names(relief_cases)) {
  test_that(paste(name, "is what its equation says, in every layout"), {
    withr::local_seed(11)
    case <- relief_cases[[name]]
    for (data in relief_data_sets()) {
      x <- data[[1]]
      y <- data[[2]]
      if (name %in% c("MLRF", "MLRF 2016")) x <- x * runif(nrow(x), 1, 2)  # where z-scores tie, rounding decides
      for (k in c(1, 3, 20)) {
        selector <- case[[1]](k)
        found <- expect_same_numbers_everywhere(x, y, selector)
        one_label <- sum(colSums(y) > 0) == 1L && startsWith(name, "MLRF")
        expected <- if (one_label) oracle_relieff_br(oracle_diff(x), y, k) else case[[2]](x, y, k)
        expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9, label = paste(name, k))
      }
    }
  })

  test_that(paste(name, "takes a sample of reference rows from R's generator"), {
    withr::local_seed(12)
    x <- matrix(rnorm(30 * 4), 30, dimnames = list(NULL, paste0("f", 1:4)))
    y <- random_labels(30, 3, 0.5)
    task <- mltask(x, y)
    set.seed(5)
    found <- scores_of(task, relief_cases[[name]][[1]](4, n_rows = 12))
    set.seed(5)
    expect_equal(found, relief_cases[[name]][[2]](x, y, 4, reference = sample.int(30, 12)), tolerance = 1e-9)
    all_rows <- relief_cases[[name]][[1]](4)
    expect_identical(scores_of(task, relief_cases[[name]][[1]](4, n_rows = 30)), scores_of(task, all_rows))
    expect_warning(
      many <- scores_of(task, relief_cases[[name]][[1]](4, n_rows = 31), words = TRUE), class = "mlsift_warning"
    )
    expect_identical(many, scores_of(task, all_rows))
  })
}

test_that("PPT+RF is RF-LP on the rows of frequent label sets", {
  withr::local_seed(13)
  x <- random_codes(60, 5, 4)
  y <- random_labels(60, 4, 0.4)
  sets <- oracle_sets(y)
  for (t in c(1, 3, 6)) {
    kept <- sets %in% names(which(table(sets) >= t))
    found <- expect_same_numbers_everywhere(x, y, sel_relieff_ppt(t, 3))
    expect_equal(
      found$score[order(found$index)], oracle_relieff(oracle_diff(x[kept, ]), sets[kept], 3), tolerance = 1e-9
    )
  }
  expect_identical(
    scores_of(mltask(x, y, kind = "label"), sel_relieff_ppt(1, 3)),
    scores_of(mltask(x, y, kind = "label"), sel_relieff_lp(3))
  )
  set.seed(3)
  found <- scores_of(mltask(x, y, kind = "label"), sel_relieff_ppt(6, 3, n_rows = 10))
  set.seed(3)
  expect_equal(
    found, oracle_relieff(oracle_diff(x[kept, ]), sets[kept], 3, sample.int(sum(kept), 10)), tolerance = 1e-9
  )
})

test_that("RReliefF is what its equation says, in every layout", {
  withr::local_seed(14)
  for (data in relief_data_sets()) {
    x <- data[[1]]
    n <- nrow(x)
    y <- cbind(a = rnorm(n), b = sample(3, n, TRUE), c = 7, d = x[, 1] + rnorm(n))
    for (k in c(1, 4, n - 1)) {
      selector <- sel_rrelieff(k, 3)
      found <- as.data.frame(sift_features(mltask(x, y), selector, threads = 1))
      expect_equal(found$score[order(found$index)], oracle_rrelieff_targets(oracle_diff(x), y, k, 3), tolerance = 1e-9)
      expect_identical(as.data.frame(sift_features(mltask(sparse(x), y), selector, threads = 2)), found)
      expect_identical(
        as.data.frame(sift_features(
          mltask(as.data.frame(x), as.data.frame(y), kind = "numeric"), selector, threads = 2
        )),
        found
      )
    }
  }
  set.seed(2)
  found <- scores_of(mltask(x, y), sel_rrelieff(4, n_rows = 9))
  set.seed(2)
  expect_equal(found, oracle_rrelieff_targets(oracle_diff(x), y, 4, 50, sample.int(n, 9)), tolerance = 1e-9)
})

test_that("a tiny sigma leaves the nearest row alone, an infinite one weighs all alike", {
  withr::local_seed(22)
  x <- matrix(rnorm(60), 20, dimnames = list(NULL, paste0("f", 1:3)))
  task <- mltask(x, cbind(t = rnorm(20)))
  expect_equal(scores_of(task, sel_rrelieff(6, sigma = 1e-300)), scores_of(task, sel_rrelieff(1)))
  expect_equal(
    scores_of(task, sel_rrelieff(6, sigma = Inf)), oracle_rrelieff_targets(oracle_diff(x), targets(task), 6, 1e9)
  )
})

test_that("RReliefF-ML of one label is RReliefF of that label as a number", {
  withr::local_seed(15)
  x <- matrix(rnorm(200), 40, dimnames = list(NULL, paste0("f", 1:5)))
  y <- random_labels(40, 1, 0.5)
  expect_equal(
    scores_of(mltask(x, y), sel_rrelieff_ml(6, 4)), scores_of(mltask(x, y + 0, kind = "numeric"), sel_rrelieff(6, 4)),
    tolerance = 1e-12
  )
})

test_that("targets that never differ are skipped, and neighbors that always do have no second term", {
  x <- cbind(a = c(0, 1, 10, 11), b = c(0, 0, 1, 1))
  same <- mltask(x, cbind(s = c(2, 2, 2, 2), t = c(0, 1, 0, 1)), kind = "numeric")
  expect_equal(scores_of(same, sel_rrelieff(1)), c(1 / 11, 0))
  expect_identical(scores_of(mltask(x, cbind(t = c(1, 1, 2, 2)), kind = "numeric"), sel_rrelieff(1)), c(0, 0))
  # The nearest row is always of the other value: only N_Cf / N_C is left.
  expect_equal(scores_of(mltask(x, cbind(t = c(0, 1, 0, 1)), kind = "numeric"), sel_rrelieff(1)), c(1 / 11, 0))
})

test_that("ReliefF by hand", {
  # Ranges 4 and 1; distances 1-2: 1/4, 1-3: 3/4 + 1, 1-4: 2, 2-3: 1/2 + 1, 2-4: 3/4 + 1, 3-4: 1/4.
  x <- cbind(a = c(0, 1, 3, 4), b = c(0, 0, 1, 1))
  y <- cbind(l = c(1, 1, 0, 0))
  # One hit each, 1/4 away in a and 0 in b. Misses: 1 and 2 -> 3 (3/4, 2/4; 1), 3 and 4 -> 2 (2/4, 3/4; 1).
  by_hand <- c((3 + 2 + 2 + 3) / 4 / 4 - 1 / 4, 1)
  for (selector in list(sel_relieff_br(1), sel_relieff_lp(1), sel_relieff_ppt(2, 1))) {
    expect_equal(scores_of(mltask(x, y, kind = "label"), selector), by_hand)
  }
  # Both misses: of 1: 3/4 and 1, of 2: 2/4 and 3/4, and again by symmetry.
  expect_equal(scores_of(mltask(x, y, kind = "label"), sel_relieff_br(2)), c((7 / 8 + 5 / 8) / 2 - 1 / 4, 1))
})

test_that("RReliefF by hand", {
  x <- cbind(a = c(0, 1, 3, 4), b = c(0, 0, 1, 1))
  y <- cbind(t = c(0, 2, 6, 8))
  # Nearest of 1, 2, 3, 4: 2, 1, 4, 3, all with delta = 1/4: N_C = 1, N_a = 1, N_Ca = 1/4, N_b = N_Cb = 0.
  expect_equal(scores_of(mltask(x, y), sel_rrelieff(1)), c(1 / 4 - (1 - 1 / 4) / (4 - 1), 0))
  # A second neighbor, of rank 2, whose weight is e^-3 times that of the first with sigma = 1: 1 -> 3, 2 -> 3, 3 -> 2, 4
  # -> 2 with delta and a 3/4, 2/4, 2/4, 3/4 and b 1.
  w <- c(1, exp(-3)) / (1 + exp(-3))
  n_c <- w[1] + w[2] * 2.5
  n_cf <- c(w[1] / 4 + w[2] * 2 * (9 / 16 + 4 / 16), w[2] * 2.5)
  n_f <- c(w[1] + w[2] * 2.5, 4 * w[2])
  expect_equal(scores_of(mltask(x, y), sel_rrelieff(2, sigma = 1)), n_cf / n_c - (n_f - n_cf) / (4 - n_c))
})

test_that("factors differ or not, ordered ones by their levels", {
  withr::local_seed(16)
  n <- 40
  x <- data.frame(a = rnorm(n), b = factor(sample(letters[1:4], n, TRUE)), c = factor(sample(c("u", "v"), n, TRUE)),
    d = factor(sample(1:5, n, TRUE), ordered = TRUE), e = runif(n) > 0.5)
  y <- random_labels(n, 3, 0.4)
  codes <- vapply(x, as.double, double(n))
  nominal <- c(FALSE, TRUE, FALSE, FALSE, FALSE)
  task <- mltask(x, y, kind = "label")
  diff <- oracle_diff(codes, nominal)
  expect_equal(scores_of(task, sel_relieff_br(3)), oracle_relieff_br(diff, y, 3), tolerance = 1e-9)
  expect_equal(scores_of(task, sel_relieff_lp(3)), oracle_relieff(diff, oracle_sets(y), 3), tolerance = 1e-9)
  expect_equal(scores_of(task, sel_relieff_ml(3)), oracle_relieff_ml(diff, y, 3), tolerance = 1e-9)
  expect_equal(scores_of(task, sel_rrelieff_ml(3)), oracle_rrelieff_ml(diff, y, 3, 50), tolerance = 1e-9)
  expect_equal(
    scores_of(mltask(x[-2], y, kind = "label"), sel_mlrf(3)), oracle_mlrf(codes[, -2], y, 3), tolerance = 1e-9
  )
  expect_snapshot(error = TRUE, sift_features(task, sel_mlrf()))
})

test_that("many rows and classes cross every block and every round of the scan", {
  skip_unless_all()
  withr::local_seed(17)
  n <- 700
  m <- if (all_tests()) 40 else 12
  x <- matrix(sample(0:4, n * 6, TRUE) + 0, n, dimnames = list(NULL, paste0("f", 1:6)))
  x[, 6] <- rnorm(n)
  y <- random_labels(n, 3, 0.02)
  y[, 3] <- rbinom(n, 1, 0.5)
  task <- mltask(x, y, kind = "label")
  sampled <- function(selector) {
    set.seed(1)
    scores_of(task, selector, threads = 2)
  }
  set.seed(1)
  rows <- sample.int(n, m)
  diff <- oracle_diff(x)
  expect_equal(sampled(sel_relieff_br(5, n_rows = m)), oracle_relieff_br(diff, y, 5, rows), tolerance = 1e-9)
  expect_equal(sampled(sel_relieff_lp(5, n_rows = m)), oracle_relieff(diff, oracle_sets(y), 5, rows), tolerance = 1e-9)
  expect_equal(
    sampled(sel_relieff_lp(40, n_rows = m)), oracle_relieff(diff, oracle_sets(y), 40, rows), tolerance = 1e-9
  )
  expect_equal(sampled(sel_relieff_ml(5, n_rows = m)), oracle_relieff_ml(diff, y, 5, FALSE, rows), tolerance = 1e-9)
  expect_equal(sampled(sel_rrelieff_ml(200, n_rows = m)), oracle_rrelieff_ml(diff, y, 200, 50, rows), tolerance = 1e-9)
  expect_equal(sampled(sel_mlrf(3, n_rows = m)), oracle_mlrf(x, y, 3, reference = rows), tolerance = 1e-9)
  full <- scores_of(task, sel_relieff_br(5), threads = 1)
  expect_identical(scores_of(task, sel_relieff_br(5), threads = 2), full)
  expect_identical(scores_of(mltask(sparse(x), sparse(y)), sel_relieff_br(5), threads = 2), full)
})

test_that("more than 64 labels take more than one word", {
  skip_unless_all()
  withr::local_seed(18)
  x <- random_codes(20, 5, 4)
  y <- matrix(rbinom(20 * 130, 1, 0.08), 20, dimnames = list(NULL, paste0("l", 1:130)))
  task <- mltask(x, y)
  diff <- oracle_diff(x)
  expect_equal(scores_of(task, sel_relieff_br(3)), oracle_relieff_br(diff, y, 3), tolerance = 1e-9)
  expect_equal(scores_of(task, sel_relieff_ml(3)), oracle_relieff_ml(diff, y, 3), tolerance = 1e-9)
  expect_equal(scores_of(task, sel_rrelieff_ml(3)), oracle_rrelieff_ml(diff, y, 3, 50), tolerance = 1e-9)
  few <- y[, colSums(y) > 2]
  expect_equal(scores_of(mltask(x, few), sel_mlrf(2)), oracle_mlrf(x, few, 2), tolerance = 1e-9)
})

test_that("row order, units and shifts of features change nothing but rounding", {
  withr::local_seed(19)
  x <- matrix(rnorm(60 * 5), 60, dimnames = list(NULL, paste0("f", 1:5)))
  y <- random_labels(60, 4, 0.4)
  rows <- sample(60)
  for (case in relief_cases[!grepl("raw", names(relief_cases))]) {
    expected <- scores_of(mltask(x, y), case[[1]](4))
    expect_equal(scores_of(mltask(x[rows, ], y[rows, ]), case[[1]](4)), expected, tolerance = 1e-10)
    moved <- sweep(sweep(x, 2, c(1000, 0.01, 1, 3, 7), "*"), 2, c(5, 0, 2, -8, 100), "+")
    expect_equal(scores_of(mltask(moved, y), case[[1]](4)), expected, tolerance = 1e-8)
  }
  target <- cbind(t = rnorm(60))
  expected <- scores_of(mltask(x, target), sel_rrelieff(4))
  expect_equal(scores_of(mltask(x[rows, ], target[rows, , drop = FALSE]), sel_rrelieff(4)), expected, tolerance = 1e-10)
  expect_equal(scores_of(mltask(moved, 3 * target - 5), sel_rrelieff(4)), expected, tolerance = 1e-8)
})

test_that("values at the ends of what a double holds keep their scores", {
  withr::local_seed(20)
  x <- matrix(sample(-8:8, 120, TRUE) / 8, 30, dimnames = list(NULL, paste0("f", 1:4)))
  y <- random_labels(30, 3, 0.4)
  expected <- scores_of(mltask(x, y), sel_relieff_br(3))
  for (power in c(511, -530)) {
    extreme <- x
    extreme[, 2] <- x[, 2] * 2^power * 2^power
    expect_equal(scores_of(mltask(extreme, y), sel_relieff_br(3)), expected, tolerance = 1e-9)
    expect_identical(
      scores_of(mltask(sparse(extreme), y), sel_relieff_br(3)), scores_of(mltask(extreme, y), sel_relieff_br(3))
    )
  }
})

test_that("copies score alike, constants score 0, and XOR is seen", {
  withr::local_seed(21)
  n <- 200
  bits <- matrix(rbinom(n * 3, 1, 0.5), n)
  x <- cbind(a = bits[, 1], b = bits[, 2], noise = bits[, 3], constant = 1)
  y <- cbind(xor = as.integer(bits[, 1] != bits[, 2]))
  for (selector in list(sel_relieff_br(), sel_relieff_lp(), sel_relieff_ml(), sel_rrelieff_ml(30))) {
    score <- scores_of(mltask(x, y), selector)
    expect_identical(score[4], 0)
    expect_true(all(score[1:2] > score[3]))
    score <- scores_of(mltask(cbind(x, copy = x[, 1]), y), selector)
    expect_identical(score[5], score[1])
  }
})

test_that("scores of MLRF know no unit, however extreme", {
  withr::local_seed(11)
  x <- matrix(rnorm(120), 30)
  y <- random_labels(30, 3)
  score <- scores_of(mltask(x, y, kind = "label"), sel_mlrf())
  for (unit in c(2^900, 2^-900)) expect_identical(scores_of(mltask(x * unit, y, kind = "label"), sel_mlrf()), score)
})

test_that("one label set, rare label sets and bad arguments are told", {
  x <- random_codes(10, 3)
  rare <- cbind(a = rep(1:0, c(9, 1)))
  task <- mltask(x, cbind(a = rep(0:1, 5), b = rep(1:0, c(5, 5))))
  numbers <- mltask(x, cbind(t = as.double(1:10)))
  expect_snapshot(invisible(sift_features(numbers, sel_rrelieff(11))))
  expect_snapshot(error = TRUE, {
    sift_features(mltask(x, rare), sel_relieff_ppt(min_count = 2))
    sift_features(task, sel_relieff_ppt())
    sift_features(task, sel_rrelieff())
    sift_features(numbers, sel_rrelieff(), target_bins = 2)
    sift_features(numbers, sel_relieff_br())
    sel_relieff_br(0)
    sel_relieff_lp(n_rows = 1.5)
    sel_relieff_ml(disjoint = NA)
    sel_rrelieff(sigma = 0)
    sel_mlrf(variant = "code2017")
    x[3, 2] <- NA
    sift_features(mltask(x, targets(task)), sel_relieff_br())
  })
})

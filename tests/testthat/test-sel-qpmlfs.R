# The minimum over the simplex by trying every support: on the right one the gradient is flat, and nowhere smaller.
oracle_simplex <- function(q, c, alpha) {
  d <- length(c)
  best <- list(objective = Inf)
  for (set in seq_len(2^d - 1)) {
    on <- which(bitwAnd(set, 2^(seq_len(d) - 1)) > 0)
    system <- rbind(cbind((1 - alpha) * q[on, on, drop = FALSE], -1), c(rep(1, length(on)), 0))
    solution <- tryCatch(solve(system, c(alpha * c[on], 1)), error = function(e) NULL)
    if (is.null(solution) || any(utils::head(solution, -1) < 0)) next
    x <- numeric(d)
    x[on] <- utils::head(solution, -1)
    objective <- (1 - alpha) / 2 * sum(x * (q %*% x)) - alpha * sum(c * x)
    if (objective < best$objective) best <- list(x = x, objective = objective)
  }
  best$gradient <- as.vector((1 - alpha) * q %*% best$x - alpha * c)
  best
}

oracle_pairs <- function(x) {
  d <- ncol(x)
  q <- matrix(0, d, d)
  for (i in seq_len(d)) for (j in seq_len(d)) q[i, j] <- oracle_information(x[, i], x[, j])
  q
}

test_that("QPMLFS solves its program for the informations of a task", {
  withr::local_seed(3)
  for (levels in c(2, 5)) {
    x <- random_codes(60, 7, levels)[, -4]
    y <- random_labels(60, 5)
    y[, 1] <- as.integer(x[, 1] > 0)
    y[, 4] <- as.integer(x[, 3] + x[, 5] > levels / 2)
    q <- oracle_pairs(x)
    c <- unname(oracle_mim(x, occurring(y)))
    for (alpha in list(0.5, 0.1, "auto")) {
      found <- expect_same_everywhere(x, y, sel_qpmlfs(alpha))
      a <- if (alpha == "auto") mean(q) / (mean(q) + mean(c)) else alpha
      expected <- oracle_simplex(q, c, a)
      expect_equal(found$score[order(found$index)], expected$x, tolerance = 1e-4)
      on <- expected$x > 1e-9
      expect_identical(found$index, order(-expected$x * on, ifelse(on, 0, round(expected$gradient, 9))))
      expect_equal(sum(found$score), 1)
    }
  }
})

test_that("QPMLFS takes classes", {
  withr::local_seed(6)
  x <- random_codes(60, 6, 3)[, -4]
  y <- cbind(a = sample(letters[1:3], 60, TRUE), b = sample(c("u", "v"), 60, TRUE))
  expected <- oracle_simplex(oracle_pairs(x), apply(x, 2, function(f) sum(apply(y, 2, oracle_information, b = f))), 0.5)
  found <- sift_features(mltask(x, y, kind = "class", discrete = all_discrete(x)), sel_qpmlfs())
  expect_equal(found$score[order(found$index)], expected$x, tolerance = 1e-4)
})

test_that("QPMLFS with relevance alone is MIM-BR, and copies of a feature share its weight", {
  withr::local_seed(4)
  x <- random_codes(60, 6, 3)
  y <- random_labels(60, 3)
  relevant <- sift_features(coded_task(x, y), sel_qpmlfs(1))
  expect_identical(relevant$index, sift_features(coded_task(x, y), sel_mim())$index)
  expect_identical(relevant$score, c(1, 0, 0, 0, 0, 0))
  single <- scores_of(coded_task(x[, -4], y), sel_qpmlfs(0.2))
  copied <- scores_of(coded_task(x, y), sel_qpmlfs(0.2))
  expect_equal(copied[1] + copied[4], single[1], tolerance = 1e-4)
})

test_that("QPMLFS gives the same bits for permuted rows and relabelled levels", {
  withr::local_seed(5)
  x <- random_codes(80, 12, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  expected <- sift_features(coded_task(x, y), sel_qpmlfs("auto"))
  expect_identical(
    as.data.frame(sift_features(coded_task(x[rows, ], y[rows, ]), sel_qpmlfs("auto"))), as.data.frame(expected)
  )
  expect_identical(
    as.data.frame(sift_features(coded_task(as_factors(x), y), sel_qpmlfs("auto"))), as.data.frame(expected)
  )
})

test_that("QPMLFS gives all weight to a single feature", {
  y <- cbind(l = rep(0:1, 5))
  expect_identical(sift_features(coded_task(cbind(a = rep(1:2, each = 5)), y), sel_qpmlfs())$score, 1)
})

test_that("QPMLFS refuses what it cannot use", {
  expect_snapshot(error = TRUE, {
    sel_qpmlfs(2)
    sel_qpmlfs("automatic")
    sel_qpmlfs(NA)
    sel_qpmlfs(c(0.1, 0.2))
  })
})

test_that("QPMLFS with rows on demand, however few are kept, finds the minimum of all", {
  skip_unless_all()
  withr::local_seed(7)
  for (levels in c(2, 4)) {
    x <- random_codes(200, 41, levels)[, -4]  # without the copy, which could share weight in any way
    y <- random_labels(200, 4)
    y[, 1] <- as.integer(x[, 1] + x[, 6] > levels / 2)
    task <- mltask(x, y, kind = "label")
    in_memory <- core_rows(counting_input(list(task = task, x = task$x)))
    for (alpha in c(0, 0.2, 0.5, 1, NA)) {
      whole <- cpp_select_qpmlfs(in_memory, alpha, NA_real_, 1L)
      expect_equal(whole$shift, 0, tolerance = 1e-12)
      for (rows in c(1, 5, 100)) {
        part <- cpp_select_qpmlfs(in_memory, alpha, rows * 8 * 40, 1L)
        expect_equal(part[c("objective", "alpha")], whole[c("objective", "alpha")], tolerance = 1e-12)
        expect_equal(part$weight, whole$weight, tolerance = 1e-5)
        expect_equal(part$gradient, whole$gradient, tolerance = 1e-5)
        expect_lte(part$gap, 1e-12 * max(1, abs(part$objective)))
      }
    }
  }
})

test_that("QPMLFS does not compute all pairs of many features, unless it needs their mean", {
  withr::local_seed(9)
  kept <- 0L
  local_mocked_bindings(cpp_select_qpmlfs = function(rows, alpha, bytes, threads) {
    kept <<- bytes
    none <- numeric(length(cpp_constant_features(rows)))
    list(weight = none, gradient = none)
  })
  asked <- function(d, alpha) {
    x <- Matrix::sparseMatrix(i = rep(1:3, d), j = rep(seq_len(d), each = 3), x = 1, dims = c(10, d))
    sift_features(mltask(x, rep(0:1, 5)), sel_qpmlfs(alpha), k = 2)
    is.na(kept)
  }
  expect_true(asked(5000, 0.5))
  expect_false(asked(5001, 0.5))
  expect_true(asked(5001, "auto"))
  expect_false(asked(20001, "auto"))
})

test_that("QPMLFS takes more features than pairs fit, and says the same of them in any order of rows", {
  withr::local_seed(8)
  d <- most_pairwise_features + 1L
  x <- Matrix::sparseMatrix(i = sample.int(60, 3 * d, TRUE), j = rep(seq_len(d), each = 3), x = 1, dims = c(60, d))
  x@x[] <- 1
  y <- random_labels(60, 3)
  x[, c(17, 9999)] <- y[, 1:2]
  wide <- sift_features(mltask(x, y), sel_qpmlfs(), k = 10)
  expect_setequal(wide$index[1:2], c(17L, 9999L))
  rows <- sample(60)
  again <- sift_features(mltask(x[rows, ], y[rows, ]), sel_qpmlfs(), k = 10, threads = 2)
  expect_identical(as.data.frame(again), as.data.frame(wide))
})

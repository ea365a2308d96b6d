# Straight from the equation: vec(A) = [1 (x) (I + alpha C) + beta B' (x) I] vec(W), and the smallest eigenvalue of the
# matrix in brackets.
oracle_grro <- function(x, y, alpha, beta, uncertainty = FALSE) {
  on <- colSums(y)
  y <- y[, on > 0 & on < nrow(y), drop = FALSE]
  d <- ncol(x)
  q <- ncol(y)
  relevance <- matrix(0, d, q)
  for (f in seq_len(d)) for (l in seq_len(q)) relevance[f, l] <- oracle_information(x[, f], y[, l])
  similarity <- diag(d)
  for (f in seq_len(d)) for (g in setdiff(seq_len(d), f)) {
    entropies <- oracle_entropy(x[, f]) + oracle_entropy(x[, g])
    scale <- if (!uncertainty) 1 else if (entropies > 0) 2 / entropies else 0
    similarity[f, g] <- scale * oracle_information(x[, f], x[, g])
  }
  size <- sqrt(colSums(y^2))
  unlike <- 1 - crossprod(y) / outer(size, size)
  system <- kronecker(diag(q), diag(d) + alpha * similarity) + kronecker(beta * t(unlike), diag(d))
  w <- matrix(solve(system, as.vector(relevance)), d)
  list(score = rowSums(w), curvature = min(eigen(system, TRUE, TRUE)$values))
}

expect_oracle <- function(found, expected) {
  score <- found$score[order(found$index)]
  expect_equal(score, expected, tolerance = 1e-10)
  expect_identical(found$index, order(-score))
}

test_that("GRRO solves its equation, in every layout", {
  withr::local_seed(1)
  for (shape in list(c(60, 6, 5, 2), c(40, 9, 4, 3), c(90, 3, 1, 5), c(12, 40, 3, 2), c(15, 1, 2, 2), c(20, 2, 2, 4))) {
    x <- random_codes(shape[1], shape[2], shape[4])
    y <- random_labels(shape[1], shape[3])
    for (how in list(list(), list(1, 0), list(0.3, 0.5, "uncertainty"), list(0, 2))) {
      selector <- do.call(sel_grro, how)
      found <- suppressWarnings(expect_same_everywhere(x, y, selector))
      p <- selector$params
      expected <- oracle_grro(x, y, p$alpha, p$beta, p$similarity == "uncertainty")
      expect_oracle(found, expected$score)
      if (expected$curvature > 0) expect_no_warning(sift_scored(coded_task(x, y), selector))
      else expect_warning(
        sift_scored(coded_task(x, y), selector), format(signif(expected$curvature, 3)), class = "mlsift_warning"
      )
    }
  }
})

test_that("GRRO follows the blocks of a larger matrix", {
  skip_unless_all()
  withr::local_seed(2)
  for (d in first_or_all(c(31:33, 64:65, 34, 63, 66, 100), 5)) {
    x <- random_codes(50, d, 2)
    y <- random_labels(50, 2)
    expect_oracle(expect_same_everywhere(x, y, sel_grro(2)), oracle_grro(x, y, 2, 0.1)$score)
  }
})

test_that("GRRO without similarities is MIM-BR, and copies have the same score", {
  withr::local_seed(3)
  x <- random_codes(60, 8, 3)
  x <- cbind(x, copy = c(2, 0, 1)[x[, 1] + 1])
  y <- random_labels(60, 5)
  task <- coded_task(x, y)
  relevant <- sift_features(task, sel_mim())
  found <- sift_features(task, sel_grro(0, 0))
  expect_equal(found$score, relevant$score, tolerance = 1e-12)
  expect_identical(found$index, relevant$index)
  for (selector in list(sel_grro(1), sel_grro(50, 0.2, "uncertainty"))) {
    score <- scores_of(task, selector)
    expect_identical(score[c(4, 9)], score[c(1, 1)])
    expect_equal(score, oracle_grro(
      x, y, selector$params$alpha, selector$params$beta, selector$params$similarity == "uncertainty"
    )$score, tolerance = 1e-10)
  }
  # Where copies share more than a bit, moving weight from one to the other lowers the objective.
  many <- cbind(a = rep(1:8, 10), b = rep(1:8, 10))
  y <- cbind(l = rep(c(0L, 1L), c(30L, 50L)))
  expect_warning(sift_features(coded_task(many, y), sel_grro(1)), "is -1; it must be above 0", fixed = TRUE)
  expect_no_warning(sift_features(coded_task(many, y), sel_grro(1, similarity = "uncertainty")))
})

test_that("GRRO does not depend on the order of rows and the names of levels, nor on that of labels and features", {
  withr::local_seed(4)
  x <- random_codes(80, 12, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  selector <- sel_grro(1)
  expected <- scores_of(coded_task(x, y), selector)
  expect_identical(scores_of(coded_task(x[rows, ], y[rows, ]), selector), expected)
  expect_identical(scores_of(coded_task(as_factors(x), y), selector), expected)
  expect_equal(scores_of(coded_task(x, y[, 6:1]), selector), expected, tolerance = 1e-11)
  expect_equal(scores_of(coded_task(x[, 12:1], y), selector), rev(expected), tolerance = 1e-11)
  # Labels that are the same in all rows are left out.
  expect_identical(scores_of(coded_task(x, y[, -(2:3)]), selector), expected)
})

test_that("GRRO with nothing to weigh", {
  x <- cbind(a = c(0, 1, 0, 1), constant = 1)
  # A copy of a label: its information, 1 bit, less redundancy with itself.
  expect_equal(scores_of(coded_task(x, cbind(l = c(0L, 1L, 0L, 1L))), sel_grro(3)), c(1 / 4, 0))
  expect_identical(sift_features(coded_task(x, cbind(l = c(0L, 1L, 0L, 1L))), sel_grro(), k = 1)$feature, "a")
})

test_that("GRRO stops at a limit of time", {
  withr::local_seed(5)
  x <- matrix(as.numeric(stats::runif(60 * 3000) < 0.5), 60)
  task <- coded_task(`colnames<-`(x, paste0("f", 1:3000)), random_labels(60, 3))
  started <- proc.time()[["elapsed"]]
  expect_error(
    {
      setTimeLimit(elapsed = 0.6, transient = TRUE)
      on.exit(setTimeLimit())
      sift_features(task, sel_grro())
    }, "time limit"
  )
  setTimeLimit()
  expect_lt(proc.time()[["elapsed"]] - started, 4)
})

test_that("GRRO refuses what it cannot use", {
  wide <- suppressMessages(mltask(Matrix::sparseMatrix(i = 1:2, j = c(1, 20001), x = 1), 0:1))
  expect_snapshot(error = TRUE, {
    sel_grro(-1)
    sel_grro(beta = Inf)
    sel_grro(similarity = "cosine")
    sift_features(wide, sel_grro())
    sift_features(mltask(cbind(a = 1:4), c(1.5, 2, 3, 4)), sel_grro())
  })
  expect_snapshot(invisible(sift_features(
    coded_task(cbind(a = rep(1:4, 2), b = rep(1:4, 2)), cbind(l = rep(0:1, each = 4))), sel_grro()
  )))
  expect_snapshot(invisible(sift_features(
    coded_task(cbind(a = 1:4), cbind(l = c(0L, 0L, 1L, 1L), m = c(0L, 1L, 0L, 0L))), sel_grro(1, 9, "uncertainty")
  )))
})

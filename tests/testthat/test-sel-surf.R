# SURF and MultiSURF against the naive oracle, on awkward data and under changes that must not matter.

surf_cases <- list(SURF = list(sel_surf(), FALSE), MultiSURF = list(sel_multisurf(), TRUE))

# Codes with ties, copies and a constant; numbers without ties; sparse counts; rows that are all equally far apart, and
# equal rows; two and three rows. Rows without labels, labels never and always on, a single label.
surf_data_sets <- function() {
  counts <- matrix(rbinom(40 * 7, 4, 0.15), 40, dimnames = list(NULL, paste0("f", 1:7))) + 0
  full <- random_labels(36, 3)
  full[2, ] <- 1L
  extremes <- cbind(random_labels(25, 2, 0.4), never = 0L, always = 1L)
  negative <- random_codes(25, 4, 5) - 2
  diagonal <- diag(6)
  colnames(diagonal) <- paste0("f", 1:6)
  list(
    list(random_codes(40, 6, 3), random_labels(40, 5)), list(random_codes(36, 5, 5), full),
    list(matrix(rnorm(30 * 9), 30, dimnames = list(NULL, paste0("f", 1:9))), random_labels(30, 4, 0.5)),
    list(counts, random_labels(40, 3)), list(random_codes(25, 4, 2), random_labels(25, 1, 0.4)),
    list(negative, extremes), list(diagonal, cbind(a = rep(0:1, 3), b = rep(0:1, each = 3))),
    list(diagonal[c(1, 1:6, 6), ], cbind(a = rep(0:1, 4), b = rep(0:1, each = 4))),
    list(cbind(f = c(0, 1)), cbind(a = 0:1)), list(cbind(f = c(0, 1, 1.5), g = c(1, 0, 1)), cbind(a = c(0, 1, 1)))
  )
}

for (name in names(surf_cases)) {
  test_that(paste(name, "is what its equation says, in every layout"), {
    withr::local_seed(31)
    case <- surf_cases[[name]]
    for (data in surf_data_sets()) {
      found <- suppressWarnings(expect_same_numbers_everywhere(data[[1]], data[[2]], case[[1]]))
      expected <- oracle_surf_targets(oracle_diff(data[[1]]), data[[2]], case[[2]])
      expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9)
      expect_identical(order(-found$score[order(found$index)]), found$index)
    }
  })

  test_that(paste(name, "takes classes, several at once"), {
    withr::local_seed(32)
    selector <- surf_cases[[name]][[1]]
    n <- 40
    x <- random_codes(n, 5, 6)
    x[, 2] <- rnorm(n)
    y <- data.frame(
      a = factor(sample(c("u", "v", "w"), n, TRUE, c(0.6, 0.3, 0.1)), levels = c("w", "none", "v", "u")),
      b = factor(sample(c("no", "yes"), n, TRUE)), one = factor(rep("only", n))
    )
    expected <- oracle_surf_targets(oracle_diff(x), as.matrix(y), surf_cases[[name]][[2]])
    one <- scores_of(mltask(x, y, kind = "class"), selector, threads = 1)
    expect_equal(one, expected, tolerance = 1e-9)
    for (layout in list(as.data.frame, sparse)) {
      expect_identical(scores_of(mltask(layout(x), y, kind = "class"), selector, threads = 2), one)
    }
    on <- as.integer(y$b == "yes")
    expect_equal(scores_of(mltask(x, y["b"], kind = "class"), selector), scores_of(mltask(x, cbind(b = on)), selector),
      tolerance = 1e-12)
  })

  test_that(paste(name, "takes factors, whose levels differ or not"), {
    withr::local_seed(33)
    n <- 40
    x <- data.frame(a = rnorm(n), b = factor(sample(letters[1:4], n, TRUE)), c = factor(sample(c("u", "v"), n, TRUE)),
      d = factor(sample(1:5, n, TRUE), ordered = TRUE), e = runif(n) > 0.5, f = factor(rep("k", n)))
    y <- random_labels(n, 3, 0.4)
    diff <- oracle_diff(vapply(x, as.double, double(n)), c(FALSE, TRUE, FALSE, FALSE, FALSE, FALSE))
    expect_equal(scores_of(mltask(x, y, kind = "label"), surf_cases[[name]][[1]]),
      oracle_surf_targets(diff, y, surf_cases[[name]][[2]]), tolerance = 1e-9)
  })

  test_that(paste(name, "does not depend on the order of rows and labels, units, or threads"), {
    withr::local_seed(34)
    selector <- surf_cases[[name]][[1]]
    rows <- sample(60)
    for (x in list(matrix(rnorm(60 * 5), 60), random_codes(60, 5, 3) / 7)) {
      colnames(x) <- paste0("f", 1:5)
      y <- random_labels(60, 4, 0.4)
      expected <- scores_of(mltask(x, y), selector)
      expect_gt(max(abs(expected)), 0)
      # With ties too: equal distances are near or not together.
      expect_equal(scores_of(mltask(x[rows, ], y[rows, ]), selector), expected, tolerance = 1e-10)
      expect_equal(scores_of(mltask(x, y[, 4:1]), selector), expected, tolerance = 1e-12)
      expect_equal(scores_of(mltask(x, 1L - y), selector), expected, tolerance = 1e-12)
      expect_equal(scores_of(mltask(x[, 5:1], y), selector), rev(expected), tolerance = 1e-10)
      moved <- sweep(sweep(x, 2, c(1024, 0.5, 1, 3, 7), "*"), 2, c(5, 0, 2, -8, 100), "+")
      expect_equal(scores_of(mltask(moved, y), selector), expected, tolerance = 1e-8)
      extreme <- x
      extreme[, 2] <- extreme[, 2] * 2^511 * 2^511
      expect_equal(scores_of(mltask(extreme, y), selector), expected, tolerance = 1e-9)
    }
    # More rows than a block, and than the slices of a thread.
    x <- matrix(rnorm(700 * 4), 700, dimnames = list(NULL, paste0("f", 1:4)))
    y <- random_labels(700, 70, 0.05)
    one <- scores_of(mltask(x, y), selector, threads = 1)
    expect_identical(scores_of(mltask(x, y), selector, threads = 2), one)
    expect_identical(scores_of(mltask(sparse(x), sparse(y)), selector, threads = 2), one)
    few <- 1:40
    expect_equal(scores_of(mltask(x[few, ], y[few, ]), selector),
      oracle_surf_targets(oracle_diff(x[few, ]), y[few, ], surf_cases[[name]][[2]]), tolerance = 1e-9)
    some <- y[, 1:3]
    expect_equal(scores_of(mltask(x, some), selector),
      oracle_surf_targets(oracle_diff(x), some, surf_cases[[name]][[2]]), tolerance = 1e-9)
  })
}

test_that("SURF and MultiSURF by hand", {
  # Ranges 4 and 1; distances 1-2: 1/4, 1-3: 7/4, 1-4: 2, 2-3: 3/2, 2-4: 7/4, 3-4: 1/4; their mean is 5/4, so that 1 and
  # 2 are near, and 3 and 4.
  x <- cbind(a = c(0, 1, 3, 4), b = c(0, 0, 1, 1))
  hits <- mltask(x, cbind(l = c(1, 1, 0, 0)), kind = "label")
  expect_equal(scores_of(hits, sel_surf()), c(-1 / 4, 0))
  misses <- mltask(x, cbind(l = c(1, 0, 1, 0)), kind = "label")
  expect_equal(scores_of(misses, sel_surf()), c(1 / 4, 0))
  # Row 1: mean 4/3, standard deviation sqrt(0.597) = 0.773, limit 0.947. Row 2: mean 7/6, 0.657, 0.838. Those of 4 and
  # 3 are the same.
  expect_equal(scores_of(hits, sel_multisurf()), c(-1 / 4, 0))
  expect_equal(scores_of(misses, sel_multisurf()), c(1 / 4, 0))
})

test_that("copies score alike, constants score 0, and XOR is seen", {
  withr::local_seed(35)
  n <- 200
  bits <- matrix(rbinom(n * 4, 1, 0.5), n)
  x <- cbind(a = bits[, 1], b = bits[, 2], noise = bits[, 3], more = bits[, 4], constant = 1)
  y <- cbind(xor = as.integer(bits[, 1] != bits[, 2]))
  for (case in surf_cases) {
    score <- scores_of(mltask(x, y), case[[1]])
    expect_identical(score[5], 0)
    expect_true(all(score[1:2] > max(score[3:4])))
    score <- scores_of(mltask(cbind(x, copy = x[, 1]), y), case[[1]])
    expect_identical(score[6], score[1])
  }
})

test_that("what SURF and MultiSURF cannot do is told", {
  x <- random_codes(10, 3)
  numbers <- mltask(x, cbind(t = as.double(1:10)))
  missing <- x
  missing[3, 2] <- NA
  expect_snapshot(error = TRUE, {
    sift_features(numbers, sel_surf())
    sift_features(numbers, sel_multisurf())
    sift_features(mltask(missing, cbind(a = rep(0:1, 5))), sel_multisurf())
  })
  binned <- sift_features(numbers, sel_multisurf(), target_bins = 2)
  expect_identical(binned$score, sift_features(mltask(x, factor(rep(1:2, each = 5))), sel_multisurf())$score)
})

test_that("a time limit stops MultiSURF", {
  withr::local_seed(36)
  x <- matrix(rnorm(4000 * 60), 4000)
  task <- suppressMessages(mltask(x, cbind(a = rbinom(4000, 1, 0.5))))
  for (threads in 1:2) {
    setTimeLimit(elapsed = 0.15, transient = TRUE)
    expect_error(sift_features(task, sel_turf(sel_multisurf()), threads = threads), "time limit")
    setTimeLimit()
  }
})

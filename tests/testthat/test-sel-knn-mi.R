quietly <- function(code) suppressWarnings(code, classes = "mlsift_warning")

# Features of several sorts: continuous, rounded, 0/1, a constant, a copy.
awkward_numbers <- function(n, d, repeating = TRUE) {
  x <- matrix(round(rnorm(n * d), 3), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  x[, 2] <- 5
  x[, 3] <- round(x[, 3], if (repeating) 0 else 1)
  if (d > 4) x[, 5] <- x[, 1]
  if (d > 5 && repeating) x[, 6] <- rbinom(n, 1, 0.4)
  x
}

two_labels <- function(x) {
  y <- cbind(l1 = x[, 1] + rnorm(nrow(x)) > 0, l2 = x[, 4] > 0.3) + 0L
  y[1:3, ] <- 1L - y[1:3, ]
  y
}

quiet_everywhere <- function(...) quietly(expect_same_numbers_everywhere(...))

expect_forward <- function(sel, data, k = 4, zero = "floor", tolerance = 1e-9) {
  ranked <- sel[!is.na(sel$score), ]
  steps <- oracle_knn_mi_forward(data, ranked$index, k, zero)
  for (step in seq_along(steps)) {
    found <- steps[[step]]
    expect_equal(ranked$score[step], found[ranked$index[step]], tolerance = tolerance)
    expect_equal(ranked$score[step], max(found, na.rm = TRUE), tolerance = tolerance)
    rest <- found[-ranked$index[step]]
    if (any(!is.na(rest))) expect_equal(ranked$runner_up_score[step], max(rest, na.rm = TRUE), tolerance = tolerance)
  }
}

test_that("each feature that the forward search adds has the largest estimate, in every layout", {
  withr::local_seed(1)
  local_no_words()
  turn <- 0
  for (shape in list(c(60, 7), c(45, 4), c(40, 6))) {
    x <- awkward_numbers(shape[1], shape[2])
    y <- two_labels(x)
    for (zero in c("floor", "ross", "gao")) {
      for (scale in some_or_all(c("zscore", "none"), turn <- turn + 1, 2L)) {
        selector <- sel_knn_mi(min_count = 5, neighbors = 3, zero_distance = zero, scale = scale)
        found <- quiet_everywhere(x, y, selector)
        expect_forward(found, oracle_ppt_rows(x, y, 5, scale), 3, zero)
        expect_identical(utils::tail(found$feature, 1), "f2")
        expect_identical(utils::tail(found$score, 1), NA_real_)
        blocks <- sel_knn_mi(min_count = 5, neighbors = 3, zero_distance = zero, scale = scale, max_rows = 10)
        expect_identical(as.data.frame(quietly(sift_features(mltask(x, y), blocks))), found)
      }
    }
  }
})

test_that("the smallest distance is found where a feature sets apart rows that were the same", {
  withr::local_seed(28)
  for (levels in c(2, 3)) {
    steps <- c(100, 1, 0.01, 1e-4)
    x <- sweep(random_codes(90, 4, levels) - 1, 2, steps, "*")
    y <- cbind(l1 = (x[, 1] > 0) != rbinom(90, 1, 0.1), l2 = rbinom(90, 1, 0.5))
    found <- quiet_everywhere(x, y, sel_knn_mi(scale = "none", neighbors = 2))
    expect_forward(found, oracle_ppt_rows(x, y, 6, "none"), 2)
    sparse <- sweep(vapply(1:4, \(f) rbinom(90, 1, 0.2), numeric(90)), 2, steps, "*")
    colnames(sparse) <- colnames(x)
    found <- quiet_everywhere(sparse, y, sel_knn_mi(scale = "none", neighbors = 2))
    expect_forward(found, oracle_ppt_rows(sparse, y, 6, "none"), 2)
  }
})

test_that("0/1 features, equal rows and copies are handled by each rule", {
  withr::local_seed(2)
  x <- random_codes(70, 7, 2)
  y <- cbind(l1 = x[, 1], l2 = rbinom(70, 1, 0.5))
  for (zero in c("floor", "ross", "gao")) {
    found <- quiet_everywhere(x, y, sel_knn_mi(zero_distance = zero, scale = "none"))
    expect_forward(found, oracle_ppt_rows(x, y, 6, "none"), 4, zero)
    expect_identical(found$index[1], 1L)
  }
})

test_that("jitter draws from R's generator, once", {
  withr::local_seed(3)
  x <- awkward_numbers(40, 5, FALSE)
  y <- two_labels(x)
  data <- oracle_ppt_rows(x, y, 6)
  set.seed(5)
  found <- sift_features(mltask(x, y), sel_knn_mi(zero_distance = "jitter"))
  set.seed(5)
  data <- oracle_ppt_rows(x, y, 6, noise = runif(length(data$x), -1, 1))
  expect_forward(found, data, tolerance = 1e-6)
  set.seed(5)
  short <- sift_features(mltask(x, y), sel_knn_mi(zero_distance = "jitter"), k = 2)
  set.seed(99)
  expect_identical(as.data.frame(extend_selection(short, mltask(x, y), 5)), as.data.frame(found))
  set.seed(99)
  expected <- runif(1)
  set.seed(99)
  extend_selection(short, mltask(x, y), 5)
  expect_identical(runif(1), expected)
})

test_that("the backward search removes the feature without which the estimate is largest", {
  withr::local_seed(4)
  for (discrete in c(FALSE, TRUE)) {
    x <- if (discrete) random_codes(60, 7, 2) else awkward_numbers(60, 7)
    y <- if (discrete) cbind(l1 = x[, 1], l2 = rbinom(60, 1, 0.5)) else two_labels(x)
    scale <- if (discrete) "none" else "zscore"
    data <- oracle_ppt_rows(x, y, 6, scale)
    for (zero in c("floor", "ross", "gao")) {
      found <- quiet_everywhere(x, y, sel_knn_mi(search = "backward", zero_distance = zero, scale = scale))
      expect_identical(found$feature[7], "f2")
      order <- found$index[1:6]
      for (left in 6:2) {
        estimates <- oracle_knn_mi_backward(data, order, left, zero = zero)
        expect_equal(found$score[left - 1], estimates[left], tolerance = 1e-9)
        expect_equal(estimates[left], max(estimates), tolerance = 1e-9)
      }
      expect_equal(found$score[6], oracle_knn_mi(data$x[, sort(order)], data$class, zero = zero), tolerance = 1e-9)
    }
  }
})

test_that("the backward search keeps its digits where little is left of a distance", {
  withr::local_seed(5)
  x <- cbind(huge = 1e6 * rnorm(40), small = rnorm(40), tiny = 1e-5 * rnorm(40), same = rep(1:2, 20))
  y <- rep(0:1, each = 20)
  data <- oracle_ppt_rows(x, cbind(y), 6, "none")
  found <- quietly(sift_features(mltask(x, y), sel_knn_mi(search = "backward", scale = "none")))
  for (left in 4:2) expect_equal(
    found$score[left - 1], max(oracle_knn_mi_backward(data, found$index, left)), tolerance = 1e-9
  )
})

test_that("wishes are heeded in both directions", {
  withr::local_seed(6)
  x <- awkward_numbers(50, 8, FALSE)
  task <- mltask(x, two_labels(x))
  whole <- as.data.frame(sift_features(task, sel_knn_mi()))
  expect_identical(as.data.frame(sift_features(task, sel_knn_mi(), k = 4)), whole[1:4, ])
  begun <- sift_features(task, sel_knn_mi(), include = whole$index[1:3])
  expect_identical(begun$score[4:7], whole$score[4:7])
  # A constant that is wanted comes first and changes nothing.
  begun <- sift_features(task, sel_knn_mi(), k = 4, include = "f2")
  expect_identical(begun$feature, c("f2", whole$feature[1:3]))
  expect_identical(begun$score[-1], whole$score[1:3])
  without <- sift_features(task, sel_knn_mi(), exclude = whole$index[1])
  expect_identical(without$feature[1], whole$runner_up[1])
  expect_identical(nrow(without), 7L)
  stopped <- sift_features(task, sel_knn_mi(), min_gain = max(whole$score[1:2]) + 1)
  expect_identical(nrow(stopped), 0L)

  back <- sel_knn_mi(search = "backward")
  whole <- as.data.frame(sift_features(task, back))
  expect_identical(as.data.frame(sift_features(task, back, k = 3)), whole[1:3, ])
  kept <- sift_features(task, back, include = c("f7", "f2"))
  expect_identical(kept$feature[1:2], c("f7", "f2"))
  expect_identical(is.na(kept$score), rep(c(TRUE, FALSE), c(2, 6)))
  expect_equal(
    kept$score[3],
    oracle_knn_mi(
      oracle_ppt_rows(x, targets(task), 6)$x[, sort(c(7, kept$index[3]))], oracle_ppt_rows(x, targets(task), 6)$class
    ),
    tolerance = 1e-9
  )
  expect_false("f1" %in% sift_features(task, back, exclude = "f1")$feature)
  below <- which(whole$score < whole$score[1])[1]
  expect_identical(as.data.frame(sift_features(task, back, min_gain = whole$score[1])), whole[seq_len(below - 1), ])
})

test_that("a longer run goes on bit by bit, with and without a stop", {
  withr::local_seed(7)
  x <- awkward_numbers(60, 7, FALSE)[, -3]
  task <- mltask(x, cbind(l1 = x[, 1] > 0, l2 = x[, 3] > 0))
  whole <- as.data.frame(sift_features(task, sel_knn_mi()))
  for (k in c(1, 3, 5)) expect_identical(
    as.data.frame(extend_selection(sift_features(task, sel_knn_mi(), k = k), task, 6)), whole
  )
  selector <- sel_knn_mi(stop = stop_permutation(30, 0.2))
  set.seed(1)
  stopped <- sift_features(task, selector)
  expect_true(nrow(stopped) %in% 2:5)
  set.seed(1)
  short <- sift_features(task, selector, k = 1)
  set.seed(2)
  expect_identical(as.data.frame(extend_selection(short, task, 6)), as.data.frame(stopped))
  expect_identical(as.data.frame(extend_selection(stopped, task, 6)), as.data.frame(stopped))
  expect_error(extend_selection(short, mltask(x + rnorm(360), targets(task)), 6), class = "mlsift_error")
})

test_that("the permutation stop follows its definition", {
  withr::local_seed(8)
  x <- matrix(rnorm(300), 60, dimnames = list(NULL, paste0("f", 1:5)))
  y <- cbind(l1 = x[, 1] > 0, l2 = x[, 4] > 0) + 0L
  data <- oracle_ppt_rows(x, y, 6)
  for (seed in first_or_all(c(2, 1, 3), 1)) {
    set.seed(seed)
    found <- sift_features(mltask(x, y), sel_knn_mi(stop = stop_permutation(25, 0.1)), threads = seed)
    set.seed(seed)
    whole <- sift_features(mltask(x, y), sel_knn_mi())
    n <- 0
    repeat {
      before <- data$x[, whole$index[seq_len(n)], drop = FALSE]
      newest <- data$x[, whole$index[n + 1]]
      orders <- replicate(25, sample.int(length(newest)), simplify = FALSE)
      permuted <- vapply(orders, function(order) oracle_knn_mi(cbind(before, newest[order]), data$class), 0)
      if (whole$score[n + 1] <= quantile(permuted, 0.9)) break
      n <- n + 1
    }
    expect_gt(n, 0)
    expect_identical(as.data.frame(found), as.data.frame(head(whole, n)))
  }
})

test_that("neither the order of rows nor the scale of features matters", {
  withr::local_seed(9)
  x <- matrix(rnorm(400), 80, dimnames = list(NULL, paste0("f", 1:5)))
  y <- cbind(a = x[, 1] * x[, 2] > 0, b = x[, 3] > 0)
  for (search in c("forward", "backward")) {
    selector <- sel_knn_mi(search = search)
    expected <- sift_features(mltask(x, y), selector)
    rows <- sample(80)
    found <- sift_features(mltask(x[rows, ], y[rows, ]), selector)
    expect_identical(found$index, expected$index)
    expect_equal(found$score, expected$score, tolerance = 1e-9)
    found <- sift_features(mltask(sweep(x, 2, c(1e4, 1, -3, 1e-5, 2), "*") + 7, y), selector)
    expect_identical(found$index, expected$index)
    expect_equal(found$score, expected$score, tolerance = 1e-9)
  }
})

test_that("the backward search keeps a pair of which each alone says nothing", {
  withr::local_seed(13)
  x <- matrix(rnorm(1200), 300, dimnames = list(NULL, paste0("f", 1:4)))
  y <- x[, 2] * x[, 4] > 0
  expect_setequal(sift_features(mltask(x, y), sel_knn_mi(search = "backward"), k = 2)$feature, c("f2", "f4"))
  # A forward search that has one of them finds the other.
  expect_identical(sift_features(mltask(x, y), sel_knn_mi(), include = "f4", k = 2)$feature[2], "f2")
})

test_that("classes are combinations of class targets", {
  withr::local_seed(10)
  x <- matrix(rnorm(180), 60, dimnames = list(NULL, c("a", "b", "c")))
  y <- two_labels(cbind(x, x[, 2]))
  expected <- as.data.frame(sift_features(mltask(x, y), sel_knn_mi()))
  classes <- data.frame(
    l1 = factor(y[, 1], labels = c("p", "q")), l2 = factor(y[, 2], levels = c(1, 0, 2), labels = c("u", "v", "w"))
  )
  expect_equal(
    as.data.frame(sift_features(mltask(x, classes, kind = "class"), sel_knn_mi())), expected, tolerance = 1e-12
  )
  frame <- data.frame(x, d = factor(sample(letters[1:3], 60, TRUE)))
  expect_snapshot(error = TRUE, sift_features(mltask(frame, y, kind = "label"), sel_knn_mi()))
})

test_that("features whose values repeat are warned of, where they are candidates", {
  withr::local_seed(15)
  x <- cbind(a = rnorm(40), b = rbinom(40, 1, 0.4), c = 7)
  y <- rep(0:1, 20)
  task <- suppressMessages(mltask(x, y))
  expect_snapshot(sel <- sift_features(task, sel_knn_mi(), k = 1))
  expect_no_warning(sift_features(mltask(x, y), sel_knn_mi(zero_distance = "gao")))
  expect_no_warning(sift_features(mltask(x, y), sel_knn_mi(), exclude = "b"))
})

test_that("rows with one label set, or without a feature that varies, are nothing to rank", {
  withr::local_seed(11)
  x <- cbind(a = rnorm(20), b = 1, c = rnorm(20))
  rare <- rep(0:1, c(18, 2))
  for (search in c("forward", "backward")) {
    expect_error(sift_features(mltask(x, rare), sel_knn_mi(search = search)),
      "Only one label set occurs on at least 6 rows", class = "mlsift_error")
    sets <- cbind(p = rep(c(0, 1, 1), c(9, 9, 2)), q = rep(c(0, 0, 1), c(9, 9, 2)))
    expect_error(sift_features(mltask(cbind(a = rare, b = 1), sets), sel_knn_mi(search = search)),
      "No feature varies in the rows", class = "mlsift_error")
  }
})

test_that("emotions: written in Python from the same equation", {
  skip_if_not_installed("mldr.datasets")
  # numpy, first 300 rows, features without repeated values; features and scores of the first twelve steps.
  task <- as_mltask(mldr.datasets::emotions)[1:300, -c(66, 67, 68, 69, 71)]
  sel <- sift_features(task, sel_knn_mi(), k = 12)
  expect_identical(sel$index, c(46L, 4L, 3L, 54L, 31L, 40L, 27L, 5L, 16L, 66L, 59L, 35L))
  expect_equal(sel$score, c(
    0.3649514303077863, 0.46868632971186286, 0.49204542331834933, 0.39184669049287346,
    0.3182662466604289, 0.1860090374523522, 0.08314729428567702, -0.04105466359800225,
    -0.12779515550497766, -0.22960565872831795, -0.3181937185677919, -0.434024273688407
  ), tolerance = 1e-9)
})

test_that("impossible searches are refused", {
  withr::local_seed(12)
  x <- cbind(a = rnorm(12), b = rnorm(12))
  y <- rep(0:1, 6)
  expect_snapshot(error = TRUE, {
    sel_knn_mi(min_count = 4)
    sel_knn_mi(search = "both")
    sel_knn_mi(stop = 0.05)
    sel_knn_mi(search = "backward", stop = stop_permutation())
    sel_knn_mi(zero_distance = "ignore")
    stop_permutation(0)
    stop_permutation(alpha = 2)
    sift_features(mltask(x, y), sel_knn_mi(min_count = 7))
    sift_features(mltask(replace(x, 2, NA), y), sel_knn_mi())
    sift_features(mltask(x, rnorm(12)), sel_knn_mi())
    extend_selection(sift_features(mltask(x, y), sel_knn_mi(search = "backward"), k = 1), mltask(x, y), 2)
  })
  expect_snapshot({
    stop_permutation()
    sel_knn_mi(stop = stop_permutation(50))
  })
})

test_that("combinations of classes are told apart whatever their names are", {
  y <- data.frame(u = factor(c("a", "a.b", "a", "a.b")), v = factor(c("b.c", "c", "c", "b.c")))
  expect_identical(label_set_numbers(mltask(data.frame(x = 1:4 + 0.5), y, kind = "class")$targets), c(1L, 4L, 2L, 3L))
})

test_that("benchmarks take both searches, and reports repeat them", {
  withr::local_seed(14)
  x <- matrix(rnorm(400), 80, dimnames = list(NULL, paste0("f", 1:5)))
  task <- mltask(x, cbind(a = x[, 1] > 0, b = x[, 2] > 0))
  selectors <- list(
    sel_knn_mi(zero_distance = "gao", stop = stop_permutation(20)), sel_knn_mi(search = "backward"),
    sel_knn_mi(zero_distance = "jitter", search = "backward", scale = "none")
  )
  expect_identical(vapply(selectors, spec_code, ""), c(
    "sel_knn_mi(stop = stop_permutation(n = 20), zero_distance = \"gao\")", "sel_knn_mi(search = \"backward\")",
    "sel_knn_mi(search = \"backward\", zero_distance = \"jitter\", scale = \"none\")"
  ))
  names(selectors) <- c("stop", "backward", "jitter")
  run <- function() benchmark_selectors(
    list(t = task), selectors, list(lrn_brknn()), rs_holdout(repeats = 2), k = 2, measures = "hamming_loss"
  )
  set.seed(1)
  bench <- run()
  expect_identical(nrow(failures(bench)), 0L)
  set.seed(1)
  expect_identical(as.data.frame(run()), as.data.frame(bench))
})

test_that("rows that are equal are searched as defined", {
  set.seed(11)
  x <- matrix(round(rnorm(60 * 4), 1), 60, dimnames = list(NULL, paste0("f", 1:4)))
  x <- rbind(x, x[1:20, ])
  y <- matrix(rep(c(0L, 1L, 1L, 0L), 40), 80)
  data <- oracle_ppt_rows(x, y, 6)
  for (zero in c("floor", "ross", "gao")) {
    run <- \(search) quietly(sift_features(mltask(x, y), sel_knn_mi(zero_distance = zero, search = search)))
    expect_forward(run("forward"), data, zero = zero)
    found <- run("backward")
    for (left in 4:2) expect_equal(
      found$score[left - 1], max(oracle_knn_mi_backward(data, found$index, left, zero = zero)), tolerance = 1e-9
    )
  }
})

# --- sparse features --------------------------------------------------------------------------------------------------

# Features as words have them: mostly 0, with ties, copies, negative values, and none at all.
sparse_numbers <- function(n, d, kind) {
  values <- switch(kind,
    ones = rep(1, n * d), positive = rexp(n * d), signs = sample(c(-1, 1, 2), n * d, TRUE), real = rnorm(n * d)
  )
  x <- matrix(rbinom(n * d, 1, rep(runif(d, 0, 0.4), each = n)) * values, n)
  x[, 2] <- 0
  x[, 4] <- x[, 3]
  if (d > 6) x[, 7] <- rnorm(n)
  colnames(x) <- paste0("f", seq_len(d))
  x
}

# The same with some zeros stored.
with_stored_zeros <- function(x) {
  zeros <- which(x == 0, arr.ind = TRUE)
  zeros <- zeros[sample(nrow(zeros), 10), ]
  cells <- rbind(which(x != 0, arr.ind = TRUE), zeros)
  stored <- Matrix::sparseMatrix(cells[, 1], cells[, 2], x = x[cells], dims = dim(x), dimnames = dimnames(x))
  stopifnot(any(stored@x == 0))
  stored
}

# So that no label is a copy of a feature.
flip_some <- function(y) replace(y, 1:3, 1 - y[1:3])

frame_of <- function(...) as.data.frame(suppressWarnings(sift_features(...), classes = "mlsift_warning"))

test_that("sparse features are searched as dense ones, by every rule", {
  skip_unless_all()
  withr::local_seed(1)
  local_no_words()
  turn <- by_kind <- 0
  for (kind in c("ones", "positive", "signs", "real")) {
    x <- sparse_numbers(70, 9, kind)
    y <- cbind(l1 = (x[, 1] + x[, 5] + rnorm(70, sd = 0.3) > 0.2) + 0L, l2 = rbinom(70, 1, 0.4))
    for (zero in some_or_all(c("floor", "ross", "gao"), by_kind <- by_kind + 1, 2L)) {
      for (scale in some_or_all(c("zscore", "none"), turn <- turn + 1, 2L)) {
        selector <- sel_knn_mi(min_count = 5, neighbors = 3, zero_distance = zero, scale = scale)
        found <- frame_of(mltask(x, y), selector, threads = 1)
        expect_forward(found, oracle_ppt_rows(x, y, 5, scale), 3, zero)
        stored <- mltask(with_stored_zeros(x), y)
        expect_identical(frame_of(stored, selector, threads = 2), found)
        again <- sel_knn_mi(min_count = 5, neighbors = 3, zero_distance = zero, scale = scale, max_rows = 10)
        expect_identical(frame_of(stored, again), found)
      }
    }
  }
})

test_that("patterns are 0/1 features", {
  withr::local_seed(2)
  x <- sparse_numbers(60, 8, "ones")[, -7]
  y <- cbind(l1 = flip_some(x[, 1]), l2 = rbinom(60, 1, 0.5))
  pattern <- methods::as(methods::as(sparse(x), "nMatrix"), "CsparseMatrix")
  expect_s4_class(mltask(pattern, y)$x, "ngCMatrix")
  for (zero in c("floor", "gao")) for (search in c("forward", "backward")) {
    selector <- sel_knn_mi(zero_distance = zero, search = search)
    expect_identical(frame_of(mltask(pattern, y), selector), frame_of(mltask(x, y), selector))
  }
})

test_that("wishes, stops and longer runs are the same in both layouts", {
  withr::local_seed(3)
  x <- sparse_numbers(80, 10, "positive")
  y <- cbind(l1 = x[, 1] > 0.1, l2 = x[, 5] + x[, 8] > 0.3) + 0L
  tasks <- list(mltask(x, y), mltask(with_stored_zeros(x), y))
  both <- function(run) {
    found <- lapply(tasks, function(task) {
      set.seed(7)
      as.data.frame(suppressWarnings(run(task)))
    })
    expect_identical(found[[2]], found[[1]])
    found[[1]]
  }
  for (zero in c("floor", "gao")) {
    forward <- sel_knn_mi(zero_distance = zero)
    whole <- both(\(task) sift_features(task, forward, k = 7))
    expect_identical(both(\(task) extend_selection(sift_features(task, forward, k = 3), task, 7)), whole)
    both(\(task) sift_features(task, forward, include = c("f9", "f2"), exclude = c("f1", "f7"), k = 6))
    stop <- sel_knn_mi(zero_distance = zero, stop = stop_permutation(20, 0.2))
    stopped <- both(\(task) sift_features(task, stop))
    expect_gt(nrow(stopped), 0)
    both(\(task) extend_selection(sift_features(task, stop, k = 1), task, 5))
    backward <- sel_knn_mi(zero_distance = zero, search = "backward")
    both(\(task) sift_features(task, backward, include = "f9", exclude = "f3"))
  }
  # A selection of one layout goes on in the other.
  short <- suppressWarnings(sift_features(tasks[[1]], sel_knn_mi(zero_distance = "gao"), k = 3))
  expect_identical(
    as.data.frame(extend_selection(short, tasks[[2]], 6)),
    frame_of(tasks[[2]], sel_knn_mi(zero_distance = "gao"), k = 6)
  )
  both(\(task) sift_features(task, sel_knn_mi(zero_distance = "jitter"), k = 4))
})

test_that("the backward search finds the same in sparse features, by every rule", {
  withr::local_seed(4)
  for (kind in c("ones", "real")) {
    x <- sparse_numbers(60, 7, kind)
    y <- cbind(l1 = flip_some((x[, 1] != 0) + 0L), l2 = rbinom(60, 1, 0.5))
    for (zero in c("floor", "ross", "gao")) {
      selector <- sel_knn_mi(zero_distance = zero, search = "backward", scale = "none")
      found <- frame_of(mltask(with_stored_zeros(x), y), selector)
      expect_identical(found, frame_of(mltask(x, y), selector))
      data <- oracle_ppt_rows(x, y, 6, "none")
      order <- found$index[!is.na(found$score)]
      for (left in length(order):2) {
        without <- oracle_knn_mi_backward(data, order, left, zero = zero)
        expect_equal(found$score[left - 1], max(without), tolerance = 1e-9)
      }
    }
  }
})

test_that("smallest distances are found where the nearest rows all have the feature", {
  # Rows 1 to 12 are close together on the first feature and all have the second, so other pairs decide.
  withr::local_seed(5)
  x <- cbind(a = c(1 + 1:12 / 1000, rep(0, 20), 2 + 1:28 / 10), b = c(rep(1, 12), rep(0, 48)), c = rep(0:1, c(50, 10)))
  y <- cbind(sample(rep(0:1, 30)))
  selector <- sel_knn_mi(scale = "none")
  for (first in c("a", "c")) {
    found <- frame_of(mltask(sparse(x), y, kind = "label"), selector, include = first)
    expect_identical(found, frame_of(mltask(x, y, kind = "label"), selector, include = first))
    data <- oracle_ppt_rows(x, y, 6, "none")
    for (step in 2:3) {
      expect_equal(found$score[step], oracle_knn_mi(data$x[, found$index[1:step]], data$class), tolerance = 1e-9)
    }
  }
})

test_that("the estimate for all features of a sparse matrix is that of a dense one", {
  skip_unless_all()
  withr::local_seed(6)
  for (kind in c("ones", "positive", "real")) {
    x <- sparse_numbers(50, 8, kind)
    class <- sample(rep_len(1:3, 50))
    for (zero in c("floor", "ross", "gao")) for (scale in c("none", "zscore")) {
      found <- knn_estimate(with_stored_zeros(x), class, 3, zero, scale)
      expect_identical(found, knn_estimate(x, class, 3, zero, scale))
      z <- x[, apply(x, 2, function(v) any(v != v[1])), drop = FALSE]
      if (scale == "zscore") z <- apply(z, 2, function(v) v / population_sd(v))
      expect_equal(found, oracle_knn_mi(z, class, 3, zero), tolerance = 1e-9)
    }
  }
})

test_that("what a large sparse matrix cannot have is refused", {
  wide <- Matrix::sparseMatrix(
    rep_len(1:400, 16000), seq_len(16000), x = 1, dims = c(400, 26000),
    dimnames = list(NULL, paste0("f", seq_len(26000)))
  )
  task <- mltask(wide, rep(0:1, 200))
  narrower <- task[, 1:16000]
  expect_snapshot(error = TRUE, {
    sift_features(narrower, sel_knn_mi(search = "backward"))
    sift_features(task, sel_knn_mi())
  })
  # Features that are excluded take no time.
  expect_no_error(suppressWarnings(
    sift_features(narrower, sel_knn_mi(search = "backward", zero_distance = "gao"), exclude = 3:16000)
  ))
})

# The four nearest neighbors of the row at 20 all have f2, which moves them away. Its smallest distance is then to the
# row at 25. Equal rows have distance 0, in whose place the smallest distance counts.
test_that("the smallest distance may be beyond the nearest rows", {
  withr::local_seed(41)
  x <- cbind(f1 = c(rep(0, 40), rep(50, 12), 20, 20 + 1:5 / 10, 25), f2 = c(numeric(53), 11:15, 0), f3 = 0)
  x[2, "f3"] <- 1
  y <- cbind(l1 = rbinom(59, 1, 0.5), l2 = rbinom(59, 1, 0.5))
  scores <- function(x, max_rows = 5000) {
    task <- mltask(x, y)
    selector <- sel_knn_mi(scale = "none", max_rows = max_rows)
    found <- suppressWarnings(candidate_scores(sift_features(task, selector, k = 1, include = "f1"), task))
    found$score[match(c("f2", "f3"), found$feature)]
  }
  found <- scores(x)
  # With and without distances that are kept.
  expect_identical(scores(sparse(x)), found)
  expect_identical(scores(sparse(x), 10), found)
  expect_identical(scores(x, 10), found)
  data <- oracle_ppt_rows(x, y, 6, "none")
  for (f in 2:3) expect_equal(found[f - 1], oracle_knn_mi(data$x[, c(1, f)], data$class), tolerance = 1e-9)
})

turf_task <- function(n = 40, d = 13) {
  x <- matrix(rnorm(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  mltask(x, random_labels(n, 3, 0.4))
}

test_that("TuRF drops, scores again, and ranks the dropped in the reverse order of rounds", {
  withr::local_seed(41)
  task <- turf_task()
  y <- targets(task)
  multisurf <- function(left) oracle_surf_targets(oracle_diff(features(task)[, left, drop = FALSE]), y, TRUE)
  for (drop in c(0.01, 0.1, 0.3, 0.5, 1)) {
    for (k in c(1, 4, 12)) {
      expected <- oracle_turf(13, multisurf, drop, k)
      found <- sift_features(task, sel_turf(sel_multisurf(), drop), k = k, threads = 1)
      expect_identical(found$index, utils::head(expected$index, k))
      expect_equal(found$score, utils::head(expected$score, k), tolerance = 1e-9)
      sparse_task <- mltask(sparse(features(task)), sparse(y))
      frame <- mltask(as.data.frame(features(task)), y, kind = "label")
      for (same in list(sparse_task, frame)) {
        other <- sift_features(same, sel_turf(sel_multisurf(), drop), k = k, threads = 2)
        expect_identical(as.data.frame(other), as.data.frame(found))
      }
    }
    # All features: until one is left.
    expected <- oracle_turf(13, multisurf, drop, 1)
    found <- sift_features(task, sel_turf(sel_multisurf(), drop))
    expect_identical(found$index, expected$index)
    expect_equal(found$score, expected$score, tolerance = 1e-9)
  }
})

test_that("what is dropped no longer takes part in the scores of others", {
  seen <- list()
  spy <- sel_custom("spy", function(task, k) {
    seen[[length(seen) + 1L]] <<- feature_names(task)
    -seq_along(feature_names(task))
  })
  task <- mltask(matrix(rnorm(80), 10, dimnames = list(NULL, letters[1:8])), cbind(l = rep(0:1, 5)))
  found <- sift_features(task, sel_turf(spy, 0.25), k = 3)
  expect_identical(lengths(seen), c(8L, 6L, 5L, 4L, 3L))
  expect_identical(seen[[5]], c("a", "b", "c"))
  expect_identical(found$score, c(-1, -2, -3))

  seen <- list()
  found <- sift_features(task, sel_turf(spy, 0.5), include = "h", exclude = "a")
  expect_identical(seen, list(letters[2:8], c("b", "c", "d", "h"), c("b", "h"), "h"))
})

test_that("TuRF of one feature, and of all that are asked for, is the selector itself", {
  withr::local_seed(42)
  task <- turf_task(30, 5)
  expect_identical(sift_features(task[, 2], sel_turf(sel_surf()))$score, sift_features(task[, 2], sel_surf())$score)
  # Scores of features alone are the same in every round.
  alone <- sift_features(task, sel_mim())
  expect_identical(as.data.frame(sift_features(task, sel_turf(sel_mim(), 0.4))), as.data.frame(alone))
  numbers <- mltask(features(task), cbind(t = rnorm(30)))
  found <- sift_features(numbers, sel_turf(sel_rrelieff(5), 0.5), k = 2)
  one <- sift_features(numbers, sel_rrelieff(5))
  left <- sort(one$index[1:3])
  again <- sift_features(numbers[, left], sel_rrelieff(5))
  left <- sort(left[again$index[1:2]])
  expect_identical(found$feature, sift_features(numbers[, left], sel_rrelieff(5))$feature)
})

test_that("TuRF keeps wishes, target bins and discretizers", {
  withr::local_seed(43)
  task <- turf_task(30, 8)
  selector <- sel_turf(sel_multisurf(), 0.2)
  found <- sift_features(task, selector, k = 4, include = "f8", exclude = c("f1", "f2"))
  expect_identical(found$feature[1], "f8")
  expect_false(any(c("f1", "f2") %in% found$feature))
  part <- sift_features(task[, -(1:2)], selector, k = 4, include = "f8")
  expect_identical(found$feature, part$feature)
  expect_identical(found$score, part$score)

  # The selection ends at the first low score, although later ones, of earlier rounds, may be larger.
  made <- sel_custom("made", function(task, k) if (ncol(task) > 2) c(5, 4, rep(3, ncol(task) - 2)) else c(1, 0.5))
  expect_identical(sift_features(task, sel_turf(made, 1), min_gain = 0.9, k = 3)$score, c(5, 4, 3))
  falling <- sel_custom("falling", function(task, k) ncol(task) - seq_len(ncol(task)) / 10)
  expect_identical(sift_features(task[, 1:3], sel_turf(falling, 0.4))$score, c(0.9, 1.8, 2.7))
  expect_identical(nrow(sift_features(task[, 1:3], sel_turf(falling, 0.4), min_gain = 1)), 0L)
  groups <- list(a = c("f1", "f2"))
  expect_identical(nrow(sift_features(task[, 1:3], sel_turf(falling, 0.4), min_gain = 1, groups = groups)), 0L)
  all <- sift_features(task, selector)$index
  at <- match(1:2, all)
  expected <- append(all[-at], all[sort(at)], min(at) - 1)
  expect_identical(sift_features(task, selector, groups = groups, costs = rep(1, 8))$index, expected)

  cut <- generics::fit(disc_equal_width(3), task)
  expect_identical(
    sift_features(task, sel_turf(sel_mim()), k = 3, discretizer = cut)$score,
    sift_features(task, sel_mim(), k = 3, discretizer = cut)$score
  )
  numbers <- mltask(features(task), cbind(t = rnorm(30)))
  expect_identical(
    sift_features(numbers, sel_turf(sel_mim()), target_bins = 3)$score,
    sift_features(numbers, sel_mim(), target_bins = 3)$score
  )
})

test_that("TuRF stops after max_seconds with what it has", {
  withr::local_seed(44)
  task <- turf_task(30, 8)
  expect_snapshot(found <- sift_features(task, sel_turf(sel_multisurf()), max_seconds = 0))
  expect_identical(found$index, sift_features(task, sel_multisurf())$index)
  expect_identical(found$score, sift_features(task, sel_multisurf())$score)
})

test_that("TuRF warns once, and refuses selectors without scores", {
  withr::local_seed(45)
  task <- turf_task(12, 6)
  expect_snapshot({
    found <- sift_features(task, sel_turf(sel_relieff_br(3, n_rows = 50)), k = 2)
    sel_turf(sel_multisurf(), 0.2)
  })
  expect_snapshot(error = TRUE, {
    sel_turf("multisurf")
    sel_turf(sel_scls())
    sel_turf(sel_none())
    sel_turf(sel_turf(sel_surf()))
    sel_turf(sel_surf(), 0)
    sel_turf(sel_surf(), 1.5)
    sift_features(mltask(features(task), rnorm(12)), sel_turf(sel_surf()))
  })
})

test_that("benchmarks take TuRF, and their code makes it again", {
  withr::local_seed(46)
  task <- turf_task(40, 6)
  bench <- benchmark_selectors(
    list(small = task), list(sel_turf(sel_multisurf(), 0.3)), lrn_brknn(3), rs_cv(2), k = c(2, 4),
    measures = "hamming_loss", progress = FALSE
  )
  expect_identical(nrow(failures(bench)), 0L)
  expect_identical(spec_code(sel_turf(sel_multisurf(), 0.3)), "sel_turf(selector = sel_multisurf(), drop = 0.3)")
})

test_that("TuRF passes weights and unknown labels on to each round", {
  withr::local_seed(45)
  task <- turf_task(40, 9)
  x <- features(task)
  y <- targets(task)
  w <- sample(0:4, 40, TRUE)
  weighted <- mltask(x, y, weights = w)
  used <- w > 0
  multisurf <- function(left) {
    oracle_surf_targets(oracle_diff(x[used, left, drop = FALSE]), y[used, ], TRUE, weights = w[used])
  }
  expected <- oracle_turf(9, multisurf, 0.3, 2)
  found <- sift_features(weighted, sel_turf(sel_multisurf(), 0.3), k = 2)
  expect_identical(found$index, expected$index[1:2])
  expect_equal(found$score, expected$score[1:2], tolerance = 1e-9)
  repeated <- task[rep(1:40, w), ]
  expect_identical(as.data.frame(sift_features(weighted, sel_turf(sel_mim(), 0.3))),
    as.data.frame(sift_features(repeated, sel_turf(sel_mim(), 0.3))))
  # Scores that do not depend on the other features stay what they are.
  hidden <- mltask(x, replace(y, sample(length(y), 30), NA), weights = w)
  found <- sift_features(hidden, sel_turf(sel_mim(), 0.3))
  expect_identical(found$score[order(found$index)], {
    alone <- sift_features(hidden, sel_mim())
    alone$score[order(alone$index)]
  })
  expect_error(sift_features(hidden, sel_turf(sel_mfs())), "cannot use labels that are unknown",
    class = "mlsift_error")
  expect_error(sift_features(weighted, sel_turf(sel_mim(adjust = "chance"))), "cannot use the weights",
    class = "mlsift_error")
})

# JMI scores of all steps by their equation, with the targets given.
oracle_jmi <- function(x, targets, index, root) {
  h <- oracle_entropy
  term <- function(f, t) {
    information <- oracle_information(f, t)
    if (!root) information else if (h(f) * h(t) < 1e-20) 0 else information / sqrt(h(f) * h(t))
  }
  value <- function(f) sum(apply(targets, 2, function(t) term(f, t)))
  vapply(seq_along(index), function(i) {
    f <- x[, index[i]]
    if (i == 1) value(f) else sum(vapply(index[seq_len(i - 1)], function(s) value(interaction(x[, s], f)), 0))
  }, 0)
}

test_that("the family scores by its equation, plain and normalized, in every layout", {
  withr::local_seed(21)
  for (shape in list(c(50, 6, 5, 3), c(40, 5, 1, 2), c(40, 5, 4, 4))) {
    x <- random_codes(shape[1], shape[2], shape[4])
    y <- random_labels(shape[1], shape[3])
    groups <- cbind(sample.int(4, shape[1], TRUE), sample.int(2, shape[1], TRUE), 1L)
    sets <- matrix(apply(y, 1, paste, collapse = " "))
    for (normalize in c("none", "sqrt")) {
      for (case in list(
        list(sel_single_jmi(normalize), y), list(sel_joint_jmi(normalize), sets),
        list(sel_group_jmi(groups = groups, normalize = normalize), groups)
      )) {
        sel <- expect_same_everywhere(x, y, case[[1]])
        expect_equal(sel$score, oracle_jmi(x, case[[2]], sel$index, normalize == "sqrt"), tolerance = 1e-10)
        expect_true(all(is.na(sel$runner_up_score) | sel$runner_up_score <= sel$score))
      }
    }
  }
})

test_that("rare features with targets of many levels score by their equation, and as without a short cut", {
  withr::local_seed(27)
  n <- 150
  x <- vapply(1:400, function(f) as.integer(seq_len(n) %in% sample.int(n, sample.int(6, 1))), integer(n))
  x[, 1:3] <- random_codes(n, 3, 2) - 1L
  groups <- cbind(sample.int(9, n, TRUE), sample.int(12, n, TRUE), sample.int(3, n, TRUE))
  y <- random_labels(n, 3)
  selector <- sel_group_jmi(groups = groups)
  names <- paste0("f", 1:400)
  sparse <- mltask(as(`colnames<-`(x + 0, names), "CsparseMatrix"), y)
  sel <- sift_scored(sparse, selector, k = 8)
  expect_equal(sel$score, oracle_jmi(x, groups, sel$index, FALSE), tolerance = 1e-10)
  # A feature of three levels needs all cells.
  third <- cbind(`colnames<-`(x, names), three = rep(0:2, length.out = n))
  with_third <- mltask(as(third + 0, "CsparseMatrix"), y, discrete = c(three = TRUE))
  plain <- sift_scored(with_third, selector, k = 8, exclude = "three")
  expect_identical(as.data.frame(plain), as.data.frame(sel))
  scores <- candidate_scores(sel, sparse)
  others <- candidate_scores(plain, with_third)
  expect_identical(scores$score, others$score[match(scores$feature, others$feature)])
})

test_that("groups are drawn from R's generator, whatever the threads, and kept when a selection goes on", {
  withr::local_seed(22)
  task <- simulate_mltask(80, 9, 6)
  run <- function(k, threads = 1) withr::with_seed(5, sift_scored(task, sel_group_jmi(), k = k, threads = threads))
  expect_identical(as.data.frame(run(6)), as.data.frame(run(6, 2)))
  expect_identical(as.data.frame(extend_selection(run(3), task, 6)), as.data.frame(run(6)))
  groups <- withr::with_seed(5, target_groups(task))
  expect_identical(as.data.frame(sift_scored(task, sel_group_jmi(groups = groups), k = 6)), as.data.frame(run(6)))
})

test_that("numeric targets are clustered, or cut", {
  withr::local_seed(23)
  task <- simulate_mltask(80, 8, 3, kind = "numeric")
  expect_identical(nrow(sift_scored(task, sel_group_jmi(size = 0.5, clusters = 4), k = 3)), 3L)
  expect_identical(nrow(sift_scored(task, sel_single_jmi(), k = 3, target_bins = 3)), 3L)
  expect_error(sift_scored(task, sel_single_jmi()), "target_bins", class = "mlsift_error")
})

test_that(paste0("scores of the published program on flags: sechidis/2019-Entropy-Multi-target-feature-selection ",
  "Group_JMI_Rand.m (nats)"), {
  skip_if_not_installed("mldr.datasets")
  task <- as_mltask(mldr.datasets::flags)
  discrete <- stats::setNames(!feature_names(task) %in% c("area", "population"), feature_names(task))
  task <- suppressMessages(mltask(features(task), targets(task), discrete = discrete))
  first <- function(selector) sift_scored(task, selector, k = 2, discretizer = disc_equal_frequency(3))
  single <- first(sel_single_jmi("sqrt", base = exp(1)))
  expect_identical(single$index, c(9L, 6L))
  expect_equal(single$score, c(0.7689895787622691, 1.0685771251444813), tolerance = 1e-12)
  joint <- first(sel_joint_jmi("sqrt", base = exp(1)))
  expect_identical(joint$index, c(9L, 6L))
  expect_equal(joint$score, c(0.6096383449160314, 0.6454108665983816), tolerance = 1e-12)
})

test_that("bad groups are refused", {
  task <- simulate_mltask(20, 4, 3)
  expect_snapshot(error = TRUE, {
    sel_group_jmi(groups = 1:20)
    sel_group_jmi(groups = matrix(0.5, 20))
    sel_group_jmi(groups = matrix(c(1, NA), 20))
    sel_group_jmi(groups = matrix(c(1, Inf), 20))
    sel_group_jmi(groups = matrix(1e12, 20))
    sel_group_jmi(groups = matrix(1L, 20, 0))
    sift_features(task, sel_group_jmi(groups = matrix(1L, 19)))
    sel_group_jmi(size = 2)
    sel_group_jmi(clusters = 0)
    sel_single_jmi("squared")
    benchmark_selectors(
      task, sel_group_jmi(groups = matrix(1L, 20)), lrn_brknn(), rs_cv(2), k = 1, measures = "hamming_loss"
    )
  })
})

test_that("scale_targets takes the units out of numeric targets", {
  set.seed(8)
  task <- simulate_mltask(80, n_features = 6, n_targets = 4, kind = "numeric")
  y <- targets(task)
  other_units <- sweep(y, 2, c(1024, 1, 1, 1), "*")
  pick <- function(y, scale) withr::with_seed(
    1, sift_scored(mltask(features(task), y), sel_group_jmi(scale_targets = scale), k = 6)
  )$score
  expect_identical(pick(other_units, TRUE), pick(y, TRUE))
  expect_false(identical(pick(other_units, FALSE), pick(y, FALSE)))
})

test_that("print() describes groups in a word", {
  expect_output(print(sel_group_jmi(groups = matrix(1:8, 2))), "groups = an? [a-z ]*matrix")
})

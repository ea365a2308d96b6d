source_tasks <- function(n = 70, d = 7) {
  x <- random_codes(n, d)
  zero_one <- random_codes(n, d, levels = 2L) - 1
  numbers <- matrix(round(stats::rnorm(n * d), 1), n, dimnames = dimnames(x))
  numbers[numbers < -0.2] <- 0
  numbers[, 2] <- 3
  y <- random_labels(n, 4)
  y[, 4] <- 0
  list(
    zero_one = mltask(sparse(zero_one), sparse(y)), codes = coded_task(x, y), factors = coded_task(as_factors(x), y),
    numbers = mltask(numbers, y), sparse = mltask(sparse(numbers), y)
  )
}

test_that("a source gives the selection of a task with the same rows, bit for bit", {
  withr::local_seed(1)
  for (task in source_tasks()) {
    for (selector in c(one_pass_selectors(), stepwise_selectors())) {
      expected <- sift_features(task, selector)
      for (ends in list(nrow(task), c(1L, 20L, nrow(task)))) {
        found <- sift_features(chunked(task, ends), selector, threads = 2)
        expect_identical(found$feature, expected$feature)
        expect_identical(found$score, expected$score)
        expect_identical(found$runner_up_score, expected$runner_up_score)
      }
    }
  }
})

test_that("wishes, k and constants mean what they mean for a task", {
  withr::local_seed(2)
  task <- source_tasks()$numbers
  source <- chunked(task)
  same <- function(...) {
    expect_identical(as.data.frame(sift_features(source, ...)), as.data.frame(sift_features(task, ...)))
  }
  same(sel_mim(), k = 3, include = "f2", exclude = c("f1", "f5"))
  same(sel_scls(), k = 5, include = c("f7", "f3"), exclude = "f1")
  same(sel_scls(), constants = "scored")
  same(sel_jmim(), min_gain = 0.1)
  same(sel_mim(), discretizer = disc_equal_width(3, side = "right"))
  same(sel_mim(), discretizer = disc_presence())
  expect_warning(sift_features(source, sel_mim(), k = 99), "larger than the number of features")
  expect_warning(sift_features(source, sel_ami(), k = 7), "larger than the number of features that vary")
})

test_that("tables of a step that are too large for one pass take several, with the same result", {
  withr::local_seed(3)
  task <- source_tasks()$codes
  passes <- 0
  counted_source <- function() {
    source <- chunked(task)
    open <- source$open
    source$open <- function(call) {
      passes <<- passes + 1
      open(call)
    }
    source
  }
  whole <- sift_features(counted_source(), sel_jmim(), k = 3)
  # One pass finds the levels and one counts them; each feature that is selected but the last takes another.
  expect_identical(passes, 4)
  passes <- 0
  withr::local_options(mlsift.chunk_bytes = 40)
  expect_identical(sift_features(counted_source(), sel_jmim(), k = 3)$score, whole$score)
  expect_gt(passes, 8)
})

test_that("chunks may be lists, matrices, data frames or tasks, with columns in any order", {
  withr::local_seed(4)
  task <- source_tasks()$zero_one
  expected <- sift_features(task, sel_mim())$score
  shapes <- list(
    \(chunk) list(x = features(chunk), y = targets(chunk)),
    \(chunk) {
      list(x = as.matrix(features(chunk))[, 7:1, drop = FALSE], y = as.matrix(targets(chunk))[, 4:1, drop = FALSE])
    },
    \(chunk) cbind(as.matrix(features(chunk)), as.matrix(targets(chunk))),
    \(chunk) data.frame(as.matrix(targets(chunk)), as.matrix(features(chunk)))
  )
  for (shape in shapes) expect_identical(sift_features(chunked(task, as = shape), sel_mim())$score, expected)
})

test_that("a function without an argument begins again after NULL", {
  withr::local_seed(5)
  task <- source_tasks()$codes
  i <- 0
  source <- chunk_source(function() {
    i <<- (i + 1) %% 4
    if (i > 0) task[c(1, 21, 41)[i]:c(20, 40, 70)[i], ]
  }, feature_names(task), target_names(task), discrete = task$discrete)
  expect_identical(sift_features(source, sel_scls(), k = 4)$score, sift_features(task, sel_scls(), k = 4)$score)
})

test_that("a source that changes between passes is noticed", {
  withr::local_seed(6)
  task <- source_tasks()$codes
  passes <- 0
  changing <- function(change) {
    passes <<- 0
    chunk_source(function(i) {
      passes <<- passes + (i == 1)
      if (i == 1) change(task, passes)
    }, feature_names(task), target_names(task), discrete = task$discrete)
  }
  fewer <- changing(\(task, pass) task[seq_len(nrow(task) - (pass > 2)), ])
  expect_error(sift_features(fewer, sel_scls(), k = 4), "69 rows.*The pass before it gave 70", class = "mlsift_error")
  other <- changing(\(task, pass) {
    if (pass > 2) task$x[5, ] <- 9L
    task
  })
  expect_error(sift_features(other, sel_scls(), k = 4), "other values than in its first pass")
})

test_that("what does not fit is refused, with the reason", {
  withr::local_seed(7)
  tasks <- source_tasks()
  source <- chunked(tasks$codes)
  refused <- function(selector, why) {
    expect_error(sift_features(source, selector, k = 2), why, class = "mlsift_error")
  }
  refused(sel_pmu(), "counts of sets or pairs of labels")
  refused(sel_greedy(label_interaction = 1), "counts of sets or pairs of labels")
  refused(sel_joint_jmi(), "counts of sets or pairs of labels")
  refused(sel_br_cc(), "the features as numbers")
  refused(sel_rga(lrn_nb(), "hamming_loss"), "runs other selectors or learners")
  refused(sel_random(), "no counts")
  refused(sel_relieff_br(), "the features as numbers")
  numbers <- chunked(tasks$numbers)
  expect_error(sift_features(numbers, sel_mim(), discretizer = NULL), "\"f1\" is continuous", class = "mlsift_error")
  expect_error(sift_features(numbers, sel_mim(), discretizer = disc_mdlp()), "needs sorted values",
    class = "mlsift_error")
  expect_error(sift_features(source, sel_mim(), target_bins = 3), "for numeric targets", class = "mlsift_error")
  fitted <- fit(disc_auto(), tasks$numbers[, 1:3])
  expect_error(sift_features(numbers, sel_mim(), discretizer = fitted), "fitted to all features",
    class = "mlsift_error")
})

test_that("bad chunks give errors that say what is wrong", {
  withr::local_seed(8)
  task <- source_tasks()$codes
  from <- function(chunk, features = feature_names(task), ...) {
    source <- chunk_source(function(i) if (i == 1) chunk, features, target_names(task), ...)
    sift_features(source, sel_mim())
  }
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(from(task[, 1:3]), "no column \"f4\"")
  refused(from(task, features = paste0("f", 1:3)), "also has column \"f4\"")
  refused(from(list(x = features(task), y = targets(task)[1:5, ])), "70 and 5")
  refused(from("a"), "It is \"a\"")
  refused(from(NULL), "has no rows")
  refused(from(task[1, ]), "at least two rows")
  refused(from(task, n_rows = 71), "`n_rows` is 71")
  missing <- features(task)
  missing[3, 2] <- NA
  refused(from(list(x = missing, y = targets(task))), "\"f2\" has 1")
  refused(from(list(x = features(task), y = targets(task) * 2L)), "must be 0 or 1")
  factors <- as_factors(features(task))
  halves <- list(mltask(factors[1:35, ], targets(task)[1:35, ]), mltask(factors[36:70, ], targets(task)[36:70, ]))
  halves[[2]]$x$f3 <- factor(halves[[2]]$x$f3, levels = rev(levels(factors$f3)))
  source <- chunk_source(function(i) if (i <= 2) halves[[i]], names(factors), target_names(task))
  refused(sift_features(source, sel_mim()), "\"f3\" differ from the first chunk")
  refused(chunk_source("a", "f1", "l1"), "must be a function")
  refused(chunk_source(identity, c("f1", "f1"), "l1"), "\"f1\" occurs twice")
  refused(chunk_source(identity, "f1", "f1"), "\"f1\" is in both")
  refused(sift_features(chunked(simulate_mltask(9, n_features = 2, n_targets = 2, kind = "numeric")), sel_mim()),
    "kind \"numeric\"")
})

test_that("a source prints what is known of it", {
  withr::local_seed(9)
  task <- source_tasks()$codes
  expect_snapshot(chunked(task))
  expect_identical(feature_names(chunked(task)), feature_names(task))
})

test_that("an error of the function and an interrupt reach the caller", {
  withr::local_seed(10)
  task <- source_tasks()$codes
  source <- chunk_source(function(i) stop("the disk is gone"), feature_names(task), target_names(task))
  expect_error(sift_features(source, sel_mim()), "the disk is gone")
})

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
  tasks <- source_tasks()
  selectors <- c(one_pass_selectors(), pair_rankers(), stepwise_selectors())
  for (i in seq_along(tasks)) {
    task <- tasks[[i]]
    for (j in seq_along(selectors)) {
      selector <- selectors[[j]]
      tried <- some_or_all(list(nrow(task), c(1L, 20L, nrow(task))), i + j, 4L)
      if (length(tried) > 0L) expected <- sift_features(task, selector)
      for (ends in tried) {
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
    source$open <- function() {
      passes <<- passes + 1
      open()
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
  refused(sel_joint_jmi(), "counts of label sets")
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
  refused(from(list(x = features(task), y = targets(task) * 2L)), "\"l1\" is of kind \"numeric\"")
  refused(from(list(x = features(task), y = targets(task) * 2L), kind = "label"), "must be 0 or 1")
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

# --- weights, unknown labels, classes ---------------------------------------------------------------------------------

set_selectors <- function() list(sel_chi2(), sel_chi2("ppt"), sel_trans_mi(), sel_trans_mi("lp"))

# The tasks of source_tasks() with weights, some of which are 0.
weighted_tasks <- function() lapply(source_tasks()[-1], function(task) {
  task$rows$weights <- sample(0:4, nrow(task), TRUE) + 0
  task
})

unknown_task <- function(n = 70) {
  y <- random_labels(n, 4)
  y[sample(length(y), n)] <- NA
  coded_task(random_codes(n, 6), y)
}

class_task <- function(n = 70) {
  y <- data.frame(
    a = factor(sample(c("x", "y", "z"), n, TRUE), c("z", "y", "none", "x")), b = factor(sample(c("u", "v"), n, TRUE)),
    constant = factor("one")
  )
  x <- random_codes(n, 6)
  mltask(x, y, discrete = all_discrete(x))
}

test_that("rows of a source may have weights, with the bits of a task", {
  withr::local_seed(11)
  turn <- 0L
  for (task in weighted_tasks()) {
    rows <- which(task$rows$weights > 0)
    selectors <- c(one_pass_selectors(), set_selectors(), pair_rankers(), stepwise_selectors())
    expect_source_equals(chunked(task), task[rows, ], some_or_all(selectors, turn <- turn + 1L))
  }
  task <- weighted_tasks()$codes
  rows <- rep(seq_len(nrow(task)), task$rows$weights)
  repeated <- task
  repeated$rows$weights <- NULL
  selectors <- c(one_pass_selectors(), stepwise_selectors())
  expect_source_equals(chunked(task), repeated[rows, ], some_or_all(selectors, 1, 2L))
  # A chunk of weight 0 only, and one that begins with such rows.
  task$rows$weights[1:30] <- 0
  expect_source_equals(chunked(task, c(20L, 70L)), task[31:70, ], list(sel_mim(), sel_jmim()))
})

test_that("weights come from a task, a list or a column", {
  withr::local_seed(12)
  task <- weighted_tasks()$codes
  plain <- mltask(features(task), targets(task), discrete = task$discrete)
  expected <- sift_features(task, sel_scls(), k = 4)
  from <- function(as, ...) expect_identical(sift_features(chunked(task, as = as, ...), sel_scls(), k = 4)$score,
    expected$score)
  x <- function(chunk) cbind(features(chunk), w = row_weights(chunk))
  from(\(chunk) list(x = features(chunk), y = targets(chunk), weights = row_weights(chunk)))
  from(\(chunk) list(x = x(chunk), y = targets(chunk)), weights = "w")
  from(\(chunk) list(x = sparse(x(chunk)), y = targets(chunk)), weights = "w")
  from(\(chunk) data.frame(x(chunk), targets(chunk)), weights = "w")
  from(\(chunk) cbind(targets(chunk), x(chunk)), weights = "w")
  from(identity, weights = "w")
  expect_snapshot(chunked(task, weights = "w"))
  expect_null(chunked(task)$weights)
})

test_that("errors say where a chunk begins", {
  rows <- data.frame(a = rep(0:1, 20), w = c(rep(1, 35), NA, rep(1, 4)), l = rep(c(0, 1), each = 20))
  next_chunk <- function(i) if (i <= 2) rows[20 * (i - 1) + 1:20, ]
  source <- chunk_source(next_chunk, "a", "l", weights = "w")
  expect_error(sift_features(source, sel_mim()), "row 16 of a chunk is NA.*begins with row 21", class = "mlsift_error")
  rows$w[36] <- 1
  rows$l[3] <- 7
  source <- chunk_source(next_chunk, "a", "l", weights = "w", kind = "label")
  expect_error(sift_features(source, sel_mim()), "in row 3", class = "mlsift_error")
  expect_false(grepl("begins", tryCatch(sift_features(source, sel_mim()), error = conditionMessage)))
})

test_that("weights that cannot be used are refused", {
  withr::local_seed(13)
  task <- source_tasks()$codes
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  one <- function(weights) sift_features(chunk_source(
    function(i) if (i == 1) list(x = features(task), y = targets(task), weights = weights), feature_names(task),
    target_names(task)
  ), sel_mim())
  good <- rep(1, 70)
  for (bad in list(-1, Inf, NA, 0.5)) refused(one(replace(good, 7, bad)), "`weights` .* row 7 of a chunk")
  refused(one(rep(0, 70)), "`weights` must not all be 0")
  refused(one(1:3), "one number for each of the 70 rows")
  refused(one(letters[1:3]), "one number for each of the 70 rows")
  refused(one(rep(2^30, 70)), "at most 2,147,483,647")
  i <- 0
  some <- chunk_source(
    function(i) if (i < 3) list(x = features(task), y = targets(task), weights = if (i == 1) good),
    feature_names(task), target_names(task)
  )
  refused(sift_features(some, sel_mim()), "All chunks must have weights, or none")
  refused(sift_features(chunked(task, weights = "w"), sel_mim()), "no column \"w\"")
  refused(chunked(task, weights = "f1"), "neither a feature nor a target")
  refused(chunked(task, weights = 1:3), "`weights` must be one string")
  task$rows$weights <- good
  refused(sift_features(chunked(task), sel_mim(adjust = "chance")), "cannot use the weights of rows")
  expect_snapshot(one(replace(good, 7, 0.5)), error = TRUE)
})

test_that("labels may be unknown in some rows, with the bits of a task", {
  withr::local_seed(14)
  selectors <- list(
    sel_mim(), sel_br_or(), sel_ebls(2), sel_ami(), sel_scls(), sel_d2f(), sel_mdmr(), sel_mrmr(), sel_jmim(),
    sel_cmim(), sel_greedy(redundancy = 0.5, conditional = function(q) 1 / q), sel_jim(), sel_njmim(),
    sel_disr("normalized"), sel_single_jmi("sqrt")
  )
  selectors <- c(selectors, pair_selectors(), pair_rankers())
  for (case in 1:2) {
    task <- unknown_task()
    if (case == 2) task <- mltask(sparse(as.matrix(features(task))), targets(task), discrete = task$discrete)
    expect_source_equals(chunked(task), task, some_or_all(selectors, case))
    task$rows$weights <- sample(0:3, nrow(task), TRUE) + 0
    expect_source_equals(chunked(task), task[task$rows$weights > 0, ], some_or_all(selectors, case + 1L))
    as <- \(chunk) data.frame(as.matrix(features(chunk)), as.matrix(targets(chunk))[, 4:1, drop = FALSE])
    task$rows$weights <- NULL
    expect_source_equals(chunked(task, as = as), task, selectors[c(1, 5)])
  }
  expect_error(sift_features(chunked(task), sel_chi2()), "cannot use labels that are unknown.*set them to 0",
    class = "mlsift_error")
})

test_that("the first unknown label may come late", {
  withr::local_seed(15)
  task <- unknown_task()
  y <- targets(task)
  y[1:60, ] <- random_labels(60, 4)
  task <- coded_task(features(task), y)
  expect_source_equals(chunked(task, c(10L, 50L, 65L, 70L)), task, list(sel_mim(), sel_scls(), sel_lrfs()))
  i <- 0
  source <- chunk_source(function() {
    i <<- (i + 1) %% 4
    if (i > 0) task[c(1, 61, 65)[i]:c(60, 64, 70)[i], ]
  }, feature_names(task), target_names(task), discrete = task$discrete)
  expect_source_equals(source, task, list(sel_mim(), sel_scls()))
  passes <- 0
  source <- chunk_source(function(i) {
    passes <<- passes + (i == 1)
    if (i == 1) coded_task(features(task), if (passes < 3) random_labels(70, 4) else y)
  }, feature_names(task), target_names(task))
  expect_error(sift_features(source, sel_scls()), "same unknown labels in every pass", class = "mlsift_error")
})

test_that("targets may be classes, with the bits of a task", {
  withr::local_seed(16)
  task <- class_task()
  selectors <- c(list(sel_mim(), sel_mim(base = 3)), set_selectors(), stepwise_selectors(pairs = FALSE))
  expect_source_equals(chunked(task), task, some_or_all(selectors, 1, 2L))
  expect_source_equals(chunked(task, 70L), task, selectors[1])
  weighted <- task
  weighted$rows$weights <- sample(0:3, nrow(task), TRUE) + 0
  expect_source_equals(chunked(weighted), weighted[weighted$rows$weights > 0, ], some_or_all(selectors, 2, 2L))
  text <- \(chunk) list(x = features(chunk), y = vapply(targets(chunk), as.character, character(nrow(chunk))))
  frame <- \(chunk) cbind(as.data.frame(features(chunk)), lapply(targets(chunk), as.character))
  one_row <- c(2L, 30L, 70L)
  expect_source_equals(chunked(task, one_row, as = text), task, selectors[c(1, 12)])
  expect_source_equals(chunked(task, one_row, as = frame), task, selectors[c(1, 12)])
  classes <- lapply(targets(task), levels)
  expect_source_equals(chunked(task, one_row, as = text, classes = rev(classes)), task, selectors[c(1, 12)])
  # Numbers are classes where it is said.
  numbered <- \(chunk) list(x = features(chunk), y = vapply(targets(chunk), as.integer, integer(nrow(chunk))))
  source <- chunked(task, one_row, as = numbered, classes = lapply(classes, \(levels) as.character(seq_along(levels))))
  expect_source_equals(source, task, selectors[c(1, 12)])
  long <- sift_features(chunked(task), sel_jmim(), k = 4)
  expect_identical(
    as.data.frame(extend_selection(sift_features(chunked(task), sel_jmim(), k = 2), chunked(task), k = 4)),
    as.data.frame(long)
  )
  expect_snapshot(chunked(task, classes = classes))
})

test_that("text that is written as labels is a label", {
  withr::local_seed(17)
  task <- source_tasks()$codes
  words <- \(chunk) {
    y <- targets(chunk)
    list(x = features(chunk), y = array(c("no", "yes")[y + 1L], dim(y), dimnames(y)))
  }
  expect_source_equals(chunked(task, as = words), task, list(sel_mim(), sel_ebls(), sel_scls()))
})

test_that("classes that do not agree are refused", {
  withr::local_seed(18)
  task <- class_task()
  refused <- function(source, why, selector = sel_mim()) {
    expect_error(sift_features(source, selector), why, class = "mlsift_error")
  }
  other <- function(chunk) {
    y <- targets(chunk)
    if (nrow(chunk) > 20) y$a <- factor("new")
    list(x = features(chunk), y = y)
  }
  refused(chunked(task, as = other), "\"new\" is no class of \"a\"")
  refused(chunked(task, classes = list(a = "x", b = c("u", "v"), constant = "one")), "is no class of \"a\"")
  refused(chunked(task), "needs targets of kind \"label\".*one 0/1 column for each category", sel_ebls())
  labels <- simulate_mltask(70, n_features = 6, n_targets = 3)
  colnames(labels$targets$values) <- target_names(task)
  mixed <- chunk_source(function(i) list(task, labels, NULL)[[i]], feature_names(task), target_names(task))
  refused(mixed, "targets of one kind.*\"class\" and \"label\"")
  missing <- targets(task)
  missing$b[5] <- NA
  refused(chunk_source(function(i) if (i == 1) list(x = features(task), y = missing), feature_names(task),
    target_names(task)), "must not be missing.*Column \"b\" is NA in row 5")
  bad <- function(classes, why) expect_error(chunked(task, classes = classes), why, class = "mlsift_error")
  bad("a", "`classes` must be a list")
  bad(list(a = "x"), "`classes` must be a list")
  bad(list(a = c("x", "x"), b = "u", constant = "one"), "`classes\\$a` must be unique names.*\"x\" occurs twice")
})

test_that("label sets of more rows than integers hold are refused, single labels counted", {
  # Three chunks, whose weights add up to 3 * 2^30.
  x <- cbind(f1 = c(0L, 1L), f2 = c(1L, 1L))
  y <- cbind(l1 = c(0L, 1L), l2 = c(1L, 0L))
  source <- chunk_source(
    function(i) if (i <= 3) list(x = x, y = y, weights = rep(2^29, 2)), colnames(x), colnames(y), weights = "weights"
  )
  limit <- "at most 2,147,483,647 rows"
  expect_error(sift_features(source, sel_chi2("lp")), limit, class = "mlsift_error")
  expect_error(sift_features(source, sel_scls()), limit, class = "mlsift_error")
  expect_error(sift_features(count_tables(source, sel_chi2("lp")), sel_igmf()), limit, class = "mlsift_error")
  expect_identical(sift_features(source, sel_mim())$score, c(2, 0))
})

# A selection that continues another one, and the long one, without what tells how long they took.
same_selection <- function(found, expected) {
  attr(found, "seconds") <- attr(expected, "seconds") <- NULL
  expect_identical(found, expected)
}

counting_passes <- function(source) {
  open <- source$open
  seen <- new.env()
  seen$passes <- 0
  source$open <- function() {
    seen$passes <- seen$passes + 1
    open()
  }
  list(source = source, seen = seen)
}

extended_tasks <- function(n = 70, d = 8) {
  x <- random_codes(n, d)
  numbers <- matrix(round(stats::rnorm(n * d), 1), n, dimnames = dimnames(x))
  numbers[numbers < -0.2] <- 0
  numbers[, 2] <- 3
  zero_one <- (x == 1) + 0
  y <- random_labels(n, 4)
  y[, 4] <- 0
  list(
    ones = mltask(sparse(zero_one), sparse(y)), factors = coded_task(as_factors(x), y), numbers = mltask(numbers, y)
  )
}

test_that("a selection from a source continues to that of the larger k, bit for bit", {
  skip_unless_all()
  withr::local_seed(1)
  turn <- calls <- 0L
  for (task in extended_tasks()) for (selector in some_or_all(stepwise_selectors(), turn <- turn + 1L)) {
    source <- chunked(task)
    long <- sift_features(source, selector, k = 6)
    in_memory <- sift_features(task, selector, k = 6)
    for (k in some_or_all(c(1, 3), calls <- calls + 1L, 2L)) {
      short <- sift_features(source, selector, k = k)
      same_selection(extend_selection(short, source, k = 6), long)
      expect_identical(as.data.frame(extend_selection(short, task, k = 6)), as.data.frame(in_memory))
      from_memory <- sift_features(task, selector, k = k)
      expect_identical(
        as.data.frame(extend_selection(from_memory, source, k = 6, threads = 2)), as.data.frame(in_memory)
      )
    }
    same_selection(
      extend_selection(extend_selection(sift_features(source, selector, k = 2), source, k = 4), source, k = 6), long
    )
  }
})

test_that("what was taken into account is not counted again", {
  withr::local_seed(2)
  task <- extended_tasks()$ones
  for (selector in list(sel_ami(), sel_jmim(), sel_single_jmi())) {
    of <- counting_passes(chunked(task))
    short <- sift_features(of$source, selector, k = 5)
    first <- of$seen$passes
    of$seen$passes <- 0
    extend_selection(short, of$source, k = 6)
    expect_lt(of$seen$passes, 4)
    expect_gt(first, 4)
    # The first features of a selection need no pass.
    of$seen$passes <- 0
    expect_identical(extend_selection(short, of$source, k = 3)$feature, short$feature[1:3])
    expect_identical(of$seen$passes, 0)
  }
})

test_that("wishes, constants, units, discretizers and early stops continue as for a task", {
  withr::local_seed(3)
  tasks <- extended_tasks()
  same <- function(task, selector, from, k, ...) {
    source <- chunked(task)
    found <- extend_selection(sift_features(source, selector, ..., k = from), source, k = k)
    expect_identical(as.data.frame(found), as.data.frame(sift_features(task, selector, ..., k = k)))
  }
  same(tasks$numbers, sel_scls(), 3, 5, include = c("f7", "f3"), exclude = "f1")
  same(tasks$numbers, sel_jmim(), 2, 5, discretizer = disc_equal_width(3, side = "right"))
  same(tasks$numbers, sel_mrmr(), 2, 5, discretizer = fit(disc_auto(3), tasks$numbers))
  suppressWarnings(same(tasks$numbers, sel_ami(), 3, 8))
  same(tasks$numbers, sel_ami(), 3, 6, constants = "scored")
  same(tasks$factors, sel_jmim(), 2, 6, groups = list(a = c("f1", "f2"), b = c("f3", "f4")))
  source <- chunked(tasks$factors)
  expect_warning(stopped <- sift_features(source, sel_d2f(), max_seconds = 0), "stopped by `max_seconds`")
  expect_lt(nrow(stopped), 8)
  expect_identical(as.data.frame(extend_selection(stopped, source, k = 8)),
    as.data.frame(sift_features(tasks$factors, sel_d2f())))
  expect_warning(all <- extend_selection(stopped, source, k = 99), "all 8 are selected")
  expect_identical(nrow(all), 8L)
})

test_that("missing values that are a level of their own continue too", {
  withr::local_seed(4)
  x <- as_factors(random_codes(60, 6))
  x$f1[c(2, 9)] <- NA
  x$f4[c(1:5)] <- NA
  task <- mltask(x, random_labels(60, 3))
  disc <- disc_auto(na = "level")
  source <- chunked(task)
  for (selector in list(sel_scls(), sel_jmim())) {
    expected <- sift_features(task, selector, k = 5, discretizer = disc)
    short <- sift_features(source, selector, k = 2, discretizer = disc)
    expect_identical(as.data.frame(extend_selection(short, source, k = 5)), as.data.frame(expected))
  }
})

test_that("a selection that is interrupted while rows are read is kept, and goes on", {
  withr::local_seed(5)
  task <- extended_tasks()$factors
  source <- chunked(task)
  # Two passes count, and then each feature takes one: that of the third stops, as it begins or in its middle.
  stopping <- function(how, chunk) {
    passes <- 0
    slow <- source
    open <- source$open
    slow$open <- function() {
      passes <<- passes + 1
      chunks <- 0
      pull <- open()
      stop_at <- function(now) if (passes == 5 && now == chunk) how()
      stop_at(0)
      function() {
        chunks <<- chunks + 1
        stop_at(chunks)
        pull()
      }
    }
    slow
  }
  limit <- function() stop("reached elapsed time limit", call. = FALSE)
  for (selector in list(sel_ami(), sel_jmim())) {
    long <- sift_features(source, selector, k = 6)
    for (how in list(rlang::interrupt, limit)) for (chunk in 0:2) {
      interrupts$selection <- NULL
      stopped <- NULL
      expect_message(
        tryCatch(sift_features(stopping(how, chunk), selector, k = 6), interrupt = function(e) stopped <<- e,
          error = function(e) stopped <<- e),
        "Stopped after [34] of 6 features"
      )
      expect_true(inherits(stopped, if (identical(how, limit)) "error" else "interrupt"))
      kept <- last_selection()
      expect_identical(kept$score, long$score[seq_len(nrow(kept))])
      same_selection(extend_selection(kept, source, k = 6), long)
    }
  }
  # Before the first feature there is nothing to keep, and other errors remain what they are.
  interrupts$selection <- NULL
  failing <- stopping(function() abort("the disk is gone"), 1)
  expect_error(sift_features(failing, sel_ami(), k = 6), "the disk is gone", class = "mlsift_error")
  expect_null(last_selection())
})

test_that("a selection that is interrupted while a database counts is kept", {
  withr::local_seed(9)
  con <- local_sqlite()
  task <- ones_task(80, 8)
  write_long(con, lapply(long_tables(task), `[`, 1:2))
  source <- db_source(con, "x", "y", names_of(task), 80, push_down = TRUE)
  long <- sift_features(source, sel_jmim(), k = 5)
  asked <- 0
  slow <- before_pairs(source, function() {
    asked <<- asked + 1
    if (asked == 3) rlang::interrupt()
  })
  interrupts$selection <- NULL
  expect_message(tryCatch(sift_features(slow, sel_jmim(), k = 5), interrupt = identity), "Stopped after")
  same_selection(extend_selection(last_selection(), source, k = 5), long)
  interrupts$selection <- NULL
})

test_that("candidates of a selection from a source have the scores of memory", {
  withr::local_seed(6)
  turn <- 0L
  for (task in extended_tasks()) for (selector in some_or_all(stepwise_selectors(), turn <- turn + 1L)) {
    source <- chunked(task)
    short <- sift_features(source, selector, k = 3, exclude = "f5")
    expect_identical(
      candidate_scores(short, source), candidate_scores(sift_features(task, selector, k = 3, exclude = "f5"), task)
    )
  }
})

test_that("a selection goes on in a database, counted here or there", {
  skip_unless_all()
  withr::local_seed(7)
  con <- local_sqlite()
  task <- ones_task(80, 8)
  write_long(con, lapply(long_tables(task), `[`, 1:2))
  from <- function(push_down) db_source(con, "x", "y", names_of(task), 80, push_down = push_down)
  turn <- 0L
  for (selector in list(sel_ami(), sel_scls(), sel_jmim(), sel_d2f(), sel_mrmr(), sel_single_jmi())) {
    expected <- as.data.frame(sift_features(task, selector, k = 6))
    for (push_down in some_or_all(c(FALSE, TRUE), turn <- turn + 1L, 2L)) {
      source <- from(push_down)
      short <- sift_features(source, selector, k = 3)
      expect_identical(as.data.frame(extend_selection(short, source, k = 6)), expected)
      expect_identical(as.data.frame(extend_selection(short, from(!push_down), k = 6)), expected)
      expect_identical(candidate_scores(short, source), candidate_scores(short, task))
      # A saved selection needs no more than the tables.
      file <- withr::local_tempfile()
      saveRDS(short, file)
      expect_identical(as.data.frame(extend_selection(readRDS(file), source, k = 6)), expected)
    }
  }
  # The transaction has ended.
  DBI::dbBegin(con)
  DBI::dbRollback(con)
})

test_that("another source, and what cannot go on, is refused", {
  withr::local_seed(8)
  task <- simulate_mltask(60, 6, 3)
  source <- chunked(task)
  sel <- sift_features(source, sel_ami(), k = 3)
  other <- simulate_mltask(60, 6, 3)
  of <- counting_passes(chunked(other))
  expect_error(extend_selection(sel, of$source, k = 5), "must be the source that", class = "mlsift_error")
  expect_lte(of$seen$passes, 2)
  colnames(task$targets$values)[1] <- "other"
  # As for tasks, the names of targets do not matter.
  expect_identical(nrow(extend_selection(sel, chunked(task), k = 5)), 5L)
  fewer <- chunked(task[, c(sel$feature, setdiff(feature_names(task), sel$feature))[1:5]])
  numbers <- chunked(mltask(matrix(rnorm(360), 60, dimnames = list(NULL, feature_names(task))), targets(task)))
  expect_snapshot(error = TRUE, {
    extend_selection(sel, fewer, k = 4)
    extend_selection(sel, numbers, k = 4)
    extend_selection(sel, chunked(task[1:50, ]), k = 4)
    extend_selection(sel, count_tables(task, sel_mim()), k = 4)
    extend_selection(sel, "source", k = 4)
    extend_selection(sel, source)
    extend_selection(sel, source, evaluations = 10)
    extend_selection(head(sel, 2), source, k = 4)
    extend_selection(sift_features(source, sel_mim(), k = 3), source, k = 4)
    extend_selection(sift_features(task, sel_joint_jmi(), k = 2), source, k = 4)
    extend_selection(sift_features(task, sel_knn_mi(), k = 2), source, k = 4)
    extend_selection(sift_features(task, sel_rga(evaluations = 20)), source, evaluations = 30)
    candidate_scores(sel, chunked(other))
    candidate_scores(sel, count_tables(task, sel_mim()))
  })
})

# A source that counts how many chunks are asked for.
counting_source <- function(task, ...) {
  reads <- 0
  begins <- seq(1, nrow(task), 10)
  source <- chunk_source(function(i) {
    reads <<- reads + 1
    if (i <= length(begins)) task[seq(begins[i], min(nrow(task), begins[i] + 9)), ]
  }, feature_names(task), target_names(task), ...)
  list(source = source, reads = function() reads)
}

test_that("what the description of a source rules out is refused before any row is read", {
  skip_unless_all()
  withr::local_seed(31)
  task <- simulate_mltask(40, 6, 3)
  refused <- function(message, code, reads = 0, ...) {
    counting <- counting_source(task, ...)
    expect_error(code(counting$source), message, class = "mlsift_error")
    expect_identical(counting$reads(), reads)
  }
  select <- function(selector, ...) function(source) sift_features(source, selector, ...)
  for (selector in every_selector()) {
    if (!works_on_source(selector)) refused("cannot be computed from a source", select(selector))
  }
  # Six features of two levels and three labels: 12 x 6 x 3 bytes.
  task <- mltask((as.matrix(features(task)) > 0) + 0, targets(task))
  withr::with_options(list(mlsift.chunk_bytes = 215), {
    for (selector in pair_selectors()) refused("Tables of pairs of labels could need 1 MB", select(selector))
    begun <- sift_features(task, sel_pmu(), k = 2)
    refused("There are 3 labels", function(source) extend_selection(begun, source, 3))
    refused("There are 3 labels", function(source) count_tables(source, sel_fimf(n_labels = 2)))
    expect_no_error(sift_features(counting_source(task)$source, sel_fimf(n_labels = 2)))
  })
  expect_no_error(withr::with_options(list(mlsift.chunk_bytes = 216),
    sift_features(counting_source(task)$source, sel_pmu())))
  refused("`target_bins` is for numeric targets", select(sel_mim(), target_bins = 2))
  refused("at least two rows", select(sel_mim()), n_rows = 1)
  refused("targets of kind \"label\"", select(sel_ebls()),
    classes = stats::setNames(list(c("0", "1"), c("0", "1"), c("0", "1")), target_names(task)))
  numbers <- c(f2 = FALSE)
  for (door in list(select(sel_mim(), discretizer = disc_mdlp()), select(sel_scls(), discretizer = disc_laim()),
    function(source) count_tables(source, sel_mim(), discretizer = disc_equal_frequency()))) {
    refused("can be fitted to chunks", door, discrete = numbers)
  }
  refused("Features must be discrete", select(sel_mim(), discretizer = NULL), discrete = numbers)
  fitted <- fit(disc_auto(), task[, 1:3])
  refused("no \"f4\"", select(sel_mim(), discretizer = fitted))
  for (folds in list(1:39, c(NA, 1:39), list(1))) {
    refused("`folds` must have a value for each of the 40 rows", n_rows = 40,
      code = function(source) count_tables(source, sel_mim(), folds))
  }
  refused("`folds` must have a value for each row", function(source) count_tables(source, sel_mim(), list(1)))
})

test_that("what only rows show is refused by the chunk that shows it", {
  withr::local_seed(32)
  plain <- simulate_mltask(40, 6, 3)
  select <- function(task, selector) {
    counting <- counting_source(task)
    expect_error(sift_features(counting$source, selector), class = "mlsift_error")
    counting$reads()
  }
  x <- features(plain)
  y <- as.matrix(targets(plain))
  expect_identical(select(mltask(x, y, weights = rep(1:2, 20)), sel_mim(adjust = "chance")), 1)
  expect_identical(select(mltask(x, replace(y, 25, NA)), sel_trans_mi("lp")), 3)
  words <- as.data.frame(ifelse(y == 1, "on", "off"))
  expect_identical(select(mltask(x, words), sel_ebls()), 1)
  # Levels, and columns for unknown labels, make tables of pairs larger than it could be known before.
  withr::local_options(mlsift.chunk_bytes = 220)
  for (task in list(coded_task(random_codes(40, 6), y), mltask((as.matrix(x) > 0) + 0, replace(y, 25, NA)))) {
    of <- counting_passes(chunked(task))
    expect_error(sift_features(of$source, sel_pmu()), "Tables of pairs of labels could need", class = "mlsift_error")
    expect_lte(of$seen$passes, 2)
  }
})

test_that("pairs of labels are counted once, and not when a selection goes on", {
  withr::local_seed(34)
  for (task in list(simulate_mltask(60, 6, 3), extended_tasks()$numbers)) {
    first <- function(selector) {
      of <- counting_passes(chunked(task))
      short <- sift_features(of$source, selector, k = 1)
      passes <- of$seen$passes
      extend_selection(short, of$source, k = 2)
      c(passes, of$seen$passes - passes)
    }
    expect_identical(first(sel_pmu()), first(sel_d2f()) + c(1, 0))
  }
})

test_that("a source with a single label has no pairs of labels", {
  withr::local_seed(33)
  task <- simulate_mltask(60, 6, 1)
  for (selector in list(sel_lrfs(), sel_lsmfs(), sel_mlsmfs())) {
    expect_source_equals(chunked(task), task, list(selector), k = 3)
  }
})

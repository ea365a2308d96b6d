test_that("tables hold the counts of the definition", {
  withr::local_seed(1)
  x <- random_codes(40, 5)
  y <- random_labels(40, 4)
  tables <- count_tables(coded_task(x, y), sel_mim())$tables
  expect_identical(tables, count_tables(coded_task(sparse(x), sparse(y)), sel_mim(), discretizer = NULL)$tables)
  expect_identical(tables$n, 40)
  expect_identical(tables$in_target, unname(colSums(y)) + 0)
  expect_gt(min(tables$count), 0)
  slot <- 0
  for (f in 1:5) {
    values <- sort(unique(c(0, 1, x[, f])))
    expect_identical(tables$levels$at[[f]], values)
    expect_identical(tables$levels$implied[f], 0L)
    for (v in seq_along(values)) {
      slot <- slot + 1
      expect_identical(tables$in_level[slot], sum(x[, f] == values[v]) + 0)
      cells <- seq_len(tables$cell[slot + 1] - tables$cell[slot]) + tables$cell[slot]
      n_fl <- unname(colSums(y[x[, f] == values[v], , drop = FALSE]))
      on <- if (values[v] == 0) integer() else which(n_fl > 0)
      expect_identical(tables$target[cells], on - 1L)
      expect_identical(tables$count[cells], n_fl[on])
    }
    slot <- slot + 1 # other values
    expect_identical(tables$in_level[slot], 0)
  }
})

test_that("tables of parts add up to the whole, and give its scores, bit for bit", {
  withr::local_seed(2)
  for (case in first_or_all(1:6, 3)) {
    n <- c(20, 61, 200)[1 + case %% 3]
    x <- random_codes(n, 6, levels = c(2L, 5L)[1 + case %% 2]) - 1
    y <- random_labels(n, c(1, 5)[1 + case %% 2])
    cut <- sample.int(n - 1L, 1L)
    for (task in list(coded_task(x, y), coded_task(sparse(x), sparse(y)), coded_task(as_factors(x), y))) {
      # The parts may lack levels that the whole has.
      part <- function(rows) count_tables(task[rows, ], sel_mim(), discretizer = NULL)
      parts <- lapply(list(seq_len(cut), (cut + 1):n), part)
      whole <- count_tables(task, sel_mim(), discretizer = NULL)
      expect_identical(parts[[1]] + parts[[2]], whole)
      expect_identical(parts[[2]] + parts[[1]], whole)
      for (selector in if (ncol(y) > 1) one_pass_selectors() else one_pass_selectors()[-4]) {
        expect_identical(sift_features(whole, selector)$score, sift_features(task, selector)$score)
      }
    }
    expect_equal(
      sift_features(whole, sel_mim())$score, sort(unname(oracle_mim_bits(x, y)), decreasing = TRUE), tolerance = 1e-10
    )
  }
})

test_that("labels of one row and of none count as they do in memory", {
  withr::local_seed(29)
  x <- random_codes(40, 6, 2) - 1L
  y <- cbind(one = replace(integer(40), 7, 1L), none = 0L, some = rbinom(40, 1, 0.3))
  task <- suppressMessages(mltask(x, y))
  for (selector in list(sel_mim(), sel_ebls(n_labels = 2))) {
    counted <- sift_features(count_tables(task, selector), selector)
    expect_identical(as.data.frame(counted), as.data.frame(sift_features(task, selector)))
  }
  only_one <- suppressMessages(mltask(x, y[, "one", drop = FALSE]))
  counted <- sift_features(count_tables(only_one, sel_mim()), sel_mim())
  expect_identical(as.data.frame(counted), as.data.frame(sift_features(only_one, sel_mim())))
  expect_true(any(counted$score > 0))
})

test_that("all folds come from one pass", {
  withr::local_seed(3)
  task <- coded_task(random_codes(60, 4), random_labels(60, 3))
  folds <- sample(rep(c("a", "b", "c"), 20))
  tables <- count_tables(chunked(task), sel_mim(), folds = folds)
  expect_named(tables, c("a", "b", "c"))
  expect_identical(Reduce(`+`, tables), count_tables(task, sel_mim()))
  for (fold in names(tables)) {
    training <- Reduce(`+`, tables[names(tables) != fold])
    expect_identical(sift_features(training, sel_ebls())$score, sift_features(task[folds != fold, ], sel_ebls())$score)
  }
  expect_error(count_tables(task, sel_mim(), folds = 1:3), "each of the 60 rows", class = "mlsift_error")
  expect_error(count_tables(task, sel_mim(), folds = c(NA, folds[-1])), "missing values", class = "mlsift_error")
})

test_that("one fitted discretizer serves several tables, and other intervals are refused", {
  withr::local_seed(4)
  x <- matrix(stats::rnorm(240), 60, dimnames = list(NULL, paste0("f", 1:4)))
  task <- mltask(x, random_labels(60, 3))
  discretizer <- fit(disc_equal_width(4), task)
  count <- function(rows, ...) count_tables(task[rows, ], sel_mim(), ...)
  sum <- count(1:25, discretizer = discretizer) + count(26:60, discretizer = discretizer)
  expect_identical(
    sift_features(sum, sel_mim())$score, sift_features(task, sel_mim(), discretizer = disc_equal_width(4))$score
  )
  expect_error(count(1:25) + count(26:60), "same intervals", class = "mlsift_error")
})

test_that("tables of label pairs give the scores of the rows, also of parts, folds and unknown labels", {
  withr::local_seed(12)
  for (case in 1:6) {
    x <- random_codes(50, 5)
    y <- random_labels(50, 4)
    y[, 2] <- switch(1 + case %% 3, replace(integer(50), 50, 1L), 1L, 0L)
    # Unknown labels in one part only.
    if (case > 3) y[21:50, ] <- replace(y[21:50, ], sample(120, 20), NA)
    task <- suppressMessages(mltask(x, y, discrete = all_discrete(x)))
    if (case %% 2 == 0) task$rows$weights <- sample(3L, 50, TRUE) + 0
    count <- function(rows, from = identity) count_tables(from(task[rows, ]), sel_fimf(), discretizer = NULL)
    folds <- count_tables(chunked(task), sel_fimf(), rep(1:2, 25), discretizer = NULL)
    tables <- list(count(1:50), count(1:50, chunked), count(1:20) + count(21:50), count(21:50) + count(1:20),
      Reduce(`+`, folds))
    turn <- 0L
    for (selector in c(one_pass_selectors(), pair_rankers(), list(sel_fimf(n_labels = 3)))) {
      turn <- turn + 1L
      if (case %% 2 == 0 && !identical(selector$params$adjust %||% "none", "none")) next
      expected <- suppressWarnings(sift_features(task, selector))
      for (counts in some_or_all(tables, case + turn, 5L)) {
        found <- suppressWarnings(sift_features(counts, selector))
        expect_identical(found$score, expected$score, info = selector$name)
        expect_identical(found$feature, expected$feature, info = selector$name)
      }
    }
  }
})

test_that("missing values are a level where the discretizer says so", {
  withr::local_seed(5)
  x <- matrix(stats::rnorm(240), 60, dimnames = list(NULL, paste0("f", 1:4)))
  x[c(3, 100)] <- NA
  task <- mltask(x, random_labels(60, 3))
  as_level <- disc_equal_width(3, na = "level")
  expect_identical(
    sift_features(count_tables(task, sel_mim(), discretizer = as_level), sel_mim())$score,
    sift_features(task, sel_mim(), discretizer = as_level)$score
  )
  expect_error(count_tables(task, sel_mim()), "\"f1\" has 1", class = "mlsift_error")
})

test_that("tables survive files, print, and refuse what they cannot do", {
  withr::local_seed(6)
  task <- coded_task(random_codes(30, 3), random_labels(30, 2))
  counts <- count_tables(task, sel_mim())
  file <- withr::local_tempfile()
  saveRDS(counts, file)
  expect_identical(readRDS(file), counts)
  expect_snapshot(counts)
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(counts + 1, "tables of counts only")
  refused(counts + count_tables(task[, 1:2], sel_mim()), "same features")
  refused(counts + count_tables(subset_targets(task, "l1"), sel_mim()), "same targets")
  refused(sift_features(counts, sel_scls()), "other counts at every step")
  refused(count_tables(task, sel_jmim()), "other counts at every step")
  refused(sift_features(counts, sel_chi2()), "needs tables of label sets")
  refused(sift_features(counts, sel_fimf()), "needs tables of label pairs")
  refused(sift_features(count_tables(task, sel_fimf()), sel_chi2()), "These are tables of label pairs")
  refused(counts + count_tables(task, sel_fimf()), "They count targets and label pairs")
  refused(count_tables(task, sel_chi2()) + counts, "They count label sets and targets")
  refused(count_tables(1, sel_mim()), "a task or a source")
  numeric <- simulate_mltask(9, n_features = 2, n_targets = 2, kind = "numeric")
  refused(count_tables(numeric, sel_mim()), "kind \"numeric\"")
})

test_that("many rows with many labels are counted as cross products count them", {
  skip_unless_all()
  withr::local_seed(7)
  n <- 66000 # more than the counters of one block hold
  for (q in some_or_all(c(3, 64, 70, 130), 1, 2L)) {
    y <- matrix(as.double(stats::runif(n * q) < 0.1), n, dimnames = list(NULL, paste0("l", seq_len(q))))
    y[, 2] <- 1
    row <- seq_len(n)
    x <- cbind(all = 1, most = row > 11, half = row %% 2, few = row %% 9999 == 1)
    expected <- unname(crossprod(x, y))
    # By default, few labels are sparse and many are dense.
    for (layout in some_or_all(list(sparse, identity), q > 3, 2L)) {
      tables <- count_tables(mltask(layout(x), layout(y)), sel_mim(), threads = 2)$tables
      ones <- matrix(0, 4, q)
      for (f in 1:4) {
        cells <- seq(tables$cell[3 * f - 1] + 1, length.out = tables$cell[3 * f] - tables$cell[3 * f - 1])
        ones[f, tables$target[cells] + 1] <- tables$count[cells]
      }
      expect_identical(ones, expected)
    }
  }
})

test_that("an empty task is refused by name", {
  expect_error(count_tables(structure(list(), class = "mltask"), sel_mim()), class = "mlsift_error")
})

test_that("a discrete feature of more than 65,536 levels is refused by name", {
  rows <- 70000L
  x <- cbind(flag = rep(0:1, rows / 2), number = seq_len(rows))
  refused <- function(source) expect_error(
    sift_features(source, sel_mim()), "at most 65,536 levels.*\"number\" has more", class = "mlsift_error"
  )
  source <- function() {
    i <- 0
    chunk_source(function(...) {
      i <<- i + 1
      if (i %% 2 == 1) list(x = x, y = cbind(l = x[, "flag"]))
    }, c("flag", "number"), "l", discrete = c(flag = TRUE, number = TRUE))
  }
  refused(source())
})

test_that("tables of weighted rows, unknown labels and classes add up, bit for bit", {
  withr::local_seed(8)
  y <- random_labels(60, 3)
  unknown <- y
  unknown[40:60, 2] <- NA
  classes <- data.frame(a = factor(sample(letters[1:3], 60, TRUE)), b = factor(sample(c("u", "v"), 60, TRUE)))
  x <- random_codes(60, 4)
  for (targets in list(y, unknown, classes)) for (weighted in c(FALSE, TRUE)) {
    task <- mltask(x, targets, discrete = all_discrete(x))
    if (weighted) task$rows$weights <- sample(3L, 60, TRUE) + 0
    for (selector in list(sel_mim(), sel_br_or(), sel_ebls(), sel_chi2("ppt"))) {
      kind <- task_kind(task)
      if (kind == "class" && selector$name %in% c("EBLS", "BR+OR")) next
      if (!is.null(task$targets$unknown) && !selector$name %in% c("MIM-BR", "BR+OR")) next
      count <- function(rows) count_tables(task[rows, ], selector, discretizer = NULL)
      sum <- count(1:25) + count(26:60)
      expect_identical(sum, count(1:60))
      expect_identical(count(26:60) + count(1:25), sum)
      expect_identical(sift_features(sum, selector)$score, sift_features(task, selector)$score)
      folds <- rep(1:3, 20)
      for (from in list(task, chunked(task))) {
        of_fold <- count_tables(from, selector, folds = folds, discretizer = NULL)
        training <- Reduce(`+`, of_fold[-2])
        expect_identical(sift_features(training, selector)$score, sift_features(task[folds != 2, ], selector)$score)
      }
    }
  }
  expect_snapshot(sum)
})

test_that("folds are those of all rows, also of rows of weight 0", {
  withr::local_seed(9)
  task <- coded_task(random_codes(60, 4), random_labels(60, 3))
  task$rows$weights <- rep(c(0, 2, 1, 1, 0, 3), 10)
  folds <- rep(c("a", "b", "b", "c", "c", "a"), 10)
  tables <- count_tables(chunked(task), sel_mim(), folds = folds)
  expect_identical(vapply(tables, \(one) one$tables$n, 0), c(a = 30, b = 30, c = 10))
  rows <- folds != "b" & task$rows$weights > 0
  expect_identical(sift_features(tables$a + tables$c, sel_mim())$score, sift_features(task[rows, ], sel_mim())$score)
})

test_that("tables that do not fit together are refused", {
  withr::local_seed(10)
  x <- random_codes(40, 3)
  task <- coded_task(x, random_labels(40, 2))
  weighted <- task
  weighted$rows$weights <- rep(1, 40)
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(count_tables(task, sel_mim()) + count_tables(weighted, sel_mim()), "all be made with weights, or all without")
  classes <- function(levels) {
    y <- data.frame(l1 = factor(rep("a", 40), levels), l2 = factor(rep(c("u", "v"), 20)))
    mltask(x, y, discrete = all_discrete(x))
  }
  refused(count_tables(classes(c("a", "b")), sel_mim()) + count_tables(classes("a"), sel_mim()), "same classes")
  refused(count_tables(task, sel_mim()) + count_tables(classes("a"), sel_mim()), "same classes")
  weighted$rows$weights[3] <- 1.5
  refused(count_tables(weighted, sel_mim()), "must be whole numbers.*row 3 of a chunk is 1.5")
  refused(sift_features(count_tables(classes("a"), sel_mim()), sel_ebls()), "needs targets of kind")
})

test_that("tables of label sets give every selector of tables the scores of the rows", {
  skip_unless_all()
  withr::local_seed(11)
  selectors <- c(one_pass_selectors(), list(sel_mim(adjust = "chance"), sel_mim(adjust = "miller-madow"),
    sel_chi2(), sel_chi2("ppt"), sel_trans_mi("lp"), sel_igmf()), pair_rankers())
  for (case in some_or_all(1:6, 1)) {
    x <- random_codes(50, 5)
    y <- random_labels(50, 4)
    # A label of one row only, of all rows or of none; the last row has a label set of its own.
    y[, 2] <- switch(1 + case %% 3, replace(integer(50), 50, 1L), 1L, 0L)
    task <- suppressMessages(mltask(x, y, discrete = all_discrete(x)))
    if (case > 3) task$rows$weights <- sample(3L, 50, TRUE) + 0
    count <- function(rows, from = identity) count_tables(from(task[rows, ]), sel_chi2("lp"), discretizer = NULL)
    tables <- list(count(1:50), count(1:50, chunked), count(1:20) + count(21:50), count(21:50) + count(1:20))
    for (selector in selectors) {
      if (case > 3 && !identical(selector$params$adjust %||% "none", "none")) next
      expected <- sift_features(task, selector)
      for (counts in tables) {
        expect_false(is.null(counts$tables$sets))
        found <- sift_features(counts, selector)
        expect_identical(found$score, expected$score, info = selector$name)
        expect_identical(found$feature, expected$feature, info = selector$name)
      }
    }
  }
})

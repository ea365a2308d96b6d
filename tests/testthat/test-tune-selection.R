choice_task <- function(n = 80, d = 12, q = 3) {
  set.seed(1)
  simulate_mltask(n, d, q)
}

test_that("the rules choose as they say", {
  curve <- data.frame(k = c(1L, 3L, 5L, 7L), mean = c(0.5, 0.32, 0.3, 0.3), se = c(0.1, 0.1, 0.03, 0.1))
  expect_identical(choose_point(curve, "minimize", "best"), 3L)
  expect_identical(choose_point(curve, "minimize", "one-se"), 2L)
  expect_identical(choose_point(curve, "maximize", "best"), 1L)
  curve$mean <- 1 - curve$mean
  expect_identical(choose_point(curve, "maximize", "one-se"), 2L)
  curve$se <- NA
  expect_identical(choose_point(curve, "maximize", "one-se"), 3L)
  both <- data.frame(selector = c("b", "b", "a", "a"), k = c(2L, 4L, 2L, 4L), mean = c(1, 2, 1, 2), se = 0)
  table <- data.frame(selector = c("a", "b"), status = "tried")
  expect_identical(choose_pair(both, table, "maximize", "best"), list(selector = "a", k = 4L))
  both$se <- 1
  expect_identical(choose_pair(both, table, "maximize", "one-se"), list(selector = "a", k = 2L))
  table$status <- c("dropped", "tried")
  expect_identical(choose_pair(both, table, "maximize", "best")$selector, "b")
})

test_that("the choice is that of a double loop over candidates and splits", {
  task <- choice_task()
  candidates <- list(sel_mim(), sel_scls(), sel_mfs(), sel_br_cc())
  k <- c(1, 3, 6)
  rows <- split(seq_len(80), rep(1:4, 20))
  rows <- lapply(rows, function(test) list(train = setdiff(1:80, test), test = test))
  for (measure in c("average_precision", "hamming_loss")) {
    means <- sapply(candidates, function(selector) {
      colMeans(t(sapply(rows, function(split) {
        train <- task[split$train, ]
        selection <- sift_features(train, selector, max(k))
        sapply(k, function(n) {
          model <- fit(lrn_brknn(), train[, selected(selection, n)])
          prediction <- predict(model, task[split$test, selected(selection, n)])
          evaluate(prediction, task[split$test, ], measure)$value
        })
      })))
    })
    at <- which(means == (if (measure == "hamming_loss") min else max)(means), arr.ind = TRUE)[1L, ]
    tuned <- tune_selection(task, candidates, lrn_brknn(), measure, k, rs_custom(unname(rows)), race = FALSE)
    expect_equal(matrix(tuned$curve$mean, 3), unname(means))
    expect_identical(tuned$k, as.integer(k[at[["row"]]]))
    expect_identical(tuned$selector, candidates[[at[["col"]]]])
    expect_identical(selected(tuned), selected(sift_features(task, candidates[[at[["col"]]]], tuned$k)))
    expect_true(all(tuned$candidates$n_splits == 4L))
  }
})

test_that("one candidate is tuned by tune_k()", {
  task <- choice_task()
  set.seed(2)
  one <- tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", 1:5, rs_cv(3))
  set.seed(2)
  other <- tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", 1:5, rs_cv(3))
  parts <- c("k", "curve", "measure", "direction", "rule", "learner", "selector", "name")
  expect_identical(one[parts], other[parts])
  expect_identical(selected(one), selected(other))
})

test_that("candidates that are clearly behind are dropped, never below two, by the corrected t-test", {
  set.seed(1)
  values <- array(rnorm(4 * 2 * 4, sd = 0.02), c(4, 2, 4)) + rep(c(0, 0.02, 0.5, 0.01), each = 8)
  values[, , 3] <- values[, , 3] - 1
  found <- falls_behind(values, 0.25, "maximize")
  own <- sapply(1:4, function(c) values[, which.max(colMeans(values[, , c])), c])
  lead <- which.max(colMeans(own))
  others <- setdiff(1:4, lead)
  d <- own[, lead] - own[, others]
  margin <- qt(0.95, 3 * 3) * sqrt((1 / 4 + 0.25) * mean(apply(d, 2, var)))
  expect_identical(which(found), others[colMeans(d) > margin])
  expect_true(found[3L])
  expect_identical(falls_behind(-values, 0.25, "minimize"), found)
  far <- array(rep(c(0, -1, -2, -3), each = 8), c(4, 2, 4)) + 0
  expect_identical(falls_behind(far, 0.25, "maximize"), c(FALSE, FALSE, TRUE, TRUE))
  expect_false(any(falls_behind(values[, , 1:2], 0.25, "maximize")))
})

test_that("a race equals the full run where nothing is dropped, and drops what is bad", {
  task <- choice_task(120)
  alike <- list(sel_mim(), sel_scls(), sel_ami())
  run <- function(selectors, race) {
    set.seed(4)
    tune_selection(task, selectors, lrn_brknn(), "average_precision", 3:4, rs_cv(4), race = race)
  }
  raced <- run(alike, TRUE)
  full <- run(alike, FALSE)
  expect_false("dropped" %in% raced$candidates$status)
  expect_identical(raced$curve, full$curve)
  expect_identical(raced[c("k", "name")], full[c("k", "name")])
  worst <- sel_custom("Worst", function(task, k) -label_scores(task, sel_mim())[, 1], codes = TRUE)
  raced <- run(c(alike, list(worst)), TRUE)
  expect_identical(raced$candidates$status[4L], "dropped")
  expect_lt(raced$candidates$n_splits[4L], 4L)
  expect_match(raced$candidates$reason[4L], "clearly behind after [23] splits")
  full <- run(c(alike, list(worst)), FALSE)
  expect_identical(full$candidates$n_splits[4L], 4L)
  kept <- raced$curve$selector != "Worst"
  expect_identical(raced$curve[kept, ], full$curve[kept, ])
})

test_that("rows outside are never seen by the choice", {
  task <- choice_task(90)
  x <- features(task)
  y <- targets(task)
  test <- 61:90
  poisoned <- as.data.frame(x)
  poisoned[test, ] <- 1e6 * seq_along(test)
  spoilt <- as.data.frame(y)
  spoilt[test, ] <- 1L - spoilt[test, ]
  poisoned <- mltask(poisoned, spoilt)
  clean <- mltask(as.data.frame(x), as.data.frame(y))
  best <- sel_best(list(sel_mim(), sel_mfs(), sel_scls()), lrn_brknn(), k = c(2, 4), resampling = rs_cv(3))
  choose <- function(task) {
    set.seed(5)
    bench <- benchmark_selectors(list(a = task), best, lrn_brknn(), rs_fixed(1:60, test), 4, "average_precision")
    selections(bench)
  }
  expect_identical(choose(clean), choose(poisoned))
})

test_that("sel_best() is a selector like others", {
  task <- choice_task()
  best <- sel_best(list(sel_mim(), sel_scls(), sel_mfs()), lrn_brknn(), "hamming_loss", c(2, 5), rs_cv(3), name = "B")
  set.seed(6)
  selection <- sift_features(task, best)
  set.seed(6)
  tuned <- tune_selection(task, list(sel_mim(), sel_scls(), sel_mfs()), lrn_brknn(), "hamming_loss", c(2, 5), rs_cv(3))
  expect_identical(selected(selection), selected(tuned))
  expect_output(print(selection), paste0(tuned$name, " with k = ", tuned$k, " was chosen"))
  names <- feature_names(task)
  set.seed(6)
  with <- sift_features(task, best, include = names[12], exclude = names[1:3])
  expect_identical(with$feature[1L], names[12])
  expect_true(is.na(with$score[1L]))
  expect_false(any(names[1:3] %in% with$feature))
  pair <- list(pair = names[c(4, 9)])
  grouped <- sift_features(task, sel_best(list(sel_mim(), sel_scls()), lrn_brknn(), "hamming_loss", c(4, 6), rs_cv(3)),
    groups = pair, costs = rep(1:2, 6), max_cost = 7)
  expect_true(sum(names[c(4, 9)] %in% grouped$feature) %in% c(0L, 2L))
  expect_lte(sum(rep(1:2, 6)[grouped$index]), 7)
  expect_identical(nrow(sift_features(task, sel_best(learner = lrn_brknn(), resampling = rs_cv(2)), k = 1)), 1L)
  folder <- withr::local_tempdir()
  bench <- function(...) {
    set.seed(7)
    benchmark_selectors(
      list(a = task), list(best, sel_mim()), lrn_brknn(), rs_holdout(repeats = 2), 5, "hamming_loss", ...
    )
  }
  expect_identical(bench(folder = file.path(folder, "a"))$value, bench()$value)
  expect_identical(bench(threads = 1)$value, bench(threads = 2)$value)
  expect_match(spec_code(best), "selectors = list(`MIM-BR` = sel_mim()", fixed = TRUE)
})

test_that("defaults suit the kind of targets", {
  task <- choice_task(60)
  set.seed(8)
  tuned <- tune_selection(task, resampling = rs_cv(2))
  expect_identical(tuned$candidates$selector, vapply(default_selectors(task), `[[`, "", "name"))
  expect_identical(unique(tuned$curve$k), c(5L, 10L))
  expect_identical(c(tuned$learner, tuned$measure), c("ML-kNN", "average_precision"))
  expect_identical(default_counts(72), c(5L, 10L, 20L, 50L))
  expect_identical(default_counts(1e4), c(5L, 10L, 20L, 50L, 100L, 200L))
  expect_identical(default_counts(3), 1:3)

  single <- tune_selection(subset_targets(task, 1), sel_mim(), resampling = rs_cv(2), k = 2)
  expect_identical(single$measure, "macro_auc")

  classes <- mltask(iris, targets = "Species")
  tuned <- tune_selection(classes, resampling = rs_cv(2))
  expect_identical(c(tuned$learner, tuned$measure), c("NB", "balanced_accuracy"))
  expect_setequal(tuned$curve$k, 1:4)
  cut <- tune_selection(classes, sel_mim(), resampling = rs_fixed(seq(1, 149, 2), seq(2, 150, 2)), k = 2)
  by_hand <- assess_features(classes, selected(sift_features(classes[seq(1, 149, 2), ], sel_mim(), 2)), lrn_nb(),
    "balanced_accuracy", rs_fixed(seq(1, 149, 2), seq(2, 150, 2)), discretizer = disc_auto())
  expect_equal(cut$curve$mean, by_hand$value)

  set.seed(9)
  x <- matrix(rnorm(60 * 6), 60, dimnames = list(NULL, letters[1:6]))
  numbers <- mltask(x, cbind(t1 = x[, 2] + rnorm(60, sd = 0.1), t2 = x[, 2] - x[, 4]))
  tuned <- tune_selection(numbers, resampling = rs_cv(3))
  expect_identical(tuned$learner, "Linear regression")
  expect_setequal(tuned$candidates$selector, c("Correlation", "RReliefF", "Group-JMI-Rand", "MTL"))
  expect_false("failed" %in% tuned$candidates$status)
  expect_true(all(c("b", "d") %in% selected(tuned)))
  scores <- sift_features(numbers, default_selectors(numbers)[[1L]])
  expect_equal(scores$score, unname(sort(rowMeans(abs(cor(x, targets(numbers)))), decreasing = TRUE)))
})

test_that("what a task cannot be given to is left out, and what fails is listed", {
  classes <- mltask(iris, targets = "Species")
  tuned <- tune_selection(classes, list(sel_mim(), sel_ebls(), sel_cmim()), resampling = rs_cv(2), k = 2)
  expect_identical(tuned$candidates$status[2L], "left out")
  expect_match(tuned$candidates$reason[2L], "kind label")
  expect_output(print(tuned), "left out: EBLS (for targets of kind label)", fixed = TRUE)
  best <- sel_best(list(sel_mim(), sel_ebls()), k = 2, resampling = rs_cv(2))
  expect_output(print(sift_features(classes, best)), "MIM-BR with k = 2 was chosen by .*; left out: EBLS")
  expect_error(tune_selection(classes, list(sel_ebls(), sel_mfs())), "able to serve", class = "mlsift_error")

  task <- choice_task()
  broken <- sel_custom("Broken", function(task, k) stop("out of order"))
  expect_warning(
    tuned <- tune_selection(task, list(broken, sel_mim()), lrn_brknn(), k = 2, resampling = rs_cv(3)), "out of order"
  )
  expect_identical(tuned$candidates$status, c("failed", "chosen"))
  expect_output(print(tuned), "failed: Broken \\(.*out of order")
  expect_identical(tuned$candidates$n_splits[1L], 1L)
  fails <- lrn_custom("fails", function(x, y) stop("never"), function(model, x) NULL)
  expect_error(
    suppressWarnings(tune_selection(task, list(sel_mim(), sel_mfs()), fails, k = 2, resampling = rs_cv(3))),
    "never", class = "mlsift_error"
  )
  expect_error(tune_selection(task, list(sel_mim(), sel_mim())), "must differ", class = "mlsift_error")
  expect_error(tune_selection(task, list(sel_mim(), sel_mfs()), k = 99), "not above", class = "mlsift_error")
  expect_error(tune_selection(task, max_seconds = -1), "max_seconds", class = "mlsift_error")
  expect_error(tune_selection(task[1:3, ], resampling = rs_cv(5)), class = "mlsift_error")
})

test_that("too few rows and a learner that always fails are refused with the reason", {
  set.seed(9)
  task <- simulate_mltask(40, 4, 2)
  selectors <- list(sel_mim(), sel_scls())
  expect_error(tune_selection(task[1:4, ], selectors), "at least one row for each fold", class = "mlsift_error")
  never <- lrn_custom("never", function(x, y) stop("no such luck"), function(model, x) NULL)
  error <- tryCatch(suppressWarnings(tune_selection(task, selectors, never)), mlsift_error = conditionMessage)
  expect_match(error, "No candidate could be assessed on every split")
  expect_match(error, "no such luck")
})

test_that("what time did not allow is listed", {
  task <- choice_task()
  tuned <- tune_selection(task, list(sel_mim(), sel_mfs(), sel_scls()), lrn_brknn(), k = 2, max_seconds = 0)
  expect_identical(tuned$candidates$status, c("chosen", "not tried", "not tried"))
  expect_identical(unique(tuned$curve$n_splits), 1L)
  expect_output(print(tuned), "not tried: MFS, SCLS")
  slow <- sel_custom("Slow", function(task, k) {
    Sys.sleep(0.3)
    seq_len(ncol(features(task)))
  })
  tuned <- tune_selection(task, list(sel_mim(), slow, sel_mfs()), lrn_brknn(), k = 2, resampling = rs_cv(5),
    max_seconds = 0.5)
  expect_false(any(tuned$candidates$status == "not tried"))
  expect_lt(max(tuned$curve$n_splits), 5L)
  expect_identical(length(unique(tuned$curve$n_splits)), 1L)
})

test_that("the choice can be drawn, tidied and printed", {
  set.seed(3)
  tuned <- tune_selection(choice_task(), list(sel_mim(), sel_scls(), sel_mfs()), lrn_brknn(), k = c(2, 11),
    resampling = rs_cv(3), race = FALSE)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(tuned))
  expect_equal(sort(built$data[[3]]$y), sort(tuned$curve$mean))
  expect_equal(10^built$data[[4]]$x, tuned$k)
  expect_identical(names(tidy(tuned)), c("selector", "k", "mean", "sd", "se", "n_splits"))
  expect_identical(glance(tuned)$selector, tuned$selector$name)
  expect_output(print(tuned), "6 pairs tried")
  expect_true(all(nchar(capture.output(print(tuned))) <= 80))
})

test_that("workers give the same choice, and nothing stays behind", {
  skip_on_cran()
  skip_if_not_installed("mirai")
  choose <- function(...) {
    set.seed(4)
    tune_selection(choice_task(), list(sel_mim(), sel_scls(), sel_mfs()), lrn_brknn(), k = c(2, 5),
      resampling = rs_cv(3), ...)
  }
  here <- choose()
  mirai::daemons(2)
  withr::defer(mirai::daemons(0))
  before <- list.files(tempdir(), "mlsift-benchmark")
  there <- choose()
  expect_identical(there[c("k", "name", "curve")], here[c("k", "name", "curve")])
  expect_identical(there$candidates$status, here$candidates$status)
  expect_identical(list.files(tempdir(), "mlsift-benchmark"), before)
})

test_that("candidates of one status are listed with their reasons", {
  table <- data.frame(selector = c("A", "B", "C", "D"), status = c("left out", "left out", "chosen", "left out"),
    reason = c("cannot use unknown labels", "for targets of kind label.\nMore.", NA, "cannot use unknown labels"))
  expect_identical(candidates_of(table, "left out"), "A, D (cannot use unknown labels); B (for targets of kind label)")
  expect_identical(candidates_of(table, "chosen"), "C")
  expect_null(candidates_of(table, "failed"))
})

test_that("no default candidate for a single label leaves one class", {
  withr::local_seed(21)
  task <- simulate_mltask(60, 6, 1)
  for (selector in default_selectors(task)) expect_no_error(sift_features(task, selector))
  disc <- disc_equal_width(2)
  found <- sift_features(task, default_selectors(task)[[2L]], discretizer = disc)
  expected <- oracle_chi2(predict(fit(disc, task), task)$x, oracle_transform(as.matrix(targets(task)), "lp"))
  expect_equal(found$score, unname(expected[found$index]))
})

choice_task <- function(n = 80, d = 12, q = 3) {
  set.seed(1)
  simulate_mltask(n, d, q)
}

test_that("the rules choose as they say", {
  curve <- data.frame(k = c(1L, 3L, 5L, 7L), mean = c(0.5, 0.32, 0.3, 0.3), se = c(0.1, 0.1, 0.03, 0.1))
  pick <- function(...) choose_point(curve, ...)$k
  expect_identical(pick("minimize", "best"), 5L)
  expect_identical(pick("minimize", "one-se"), 3L)
  expect_identical(pick("minimize", "fewest", 0.01), 5L)
  expect_identical(pick("minimize", "fewest", 0.02), 3L)
  expect_identical(pick("minimize", "fewest", 0.05, TRUE), 5L)
  expect_identical(pick("minimize", "fewest", 0.07, TRUE), 3L)
  expect_identical(pick("maximize", "best"), 1L)
  curve$mean <- 1 - curve$mean
  expect_identical(pick("maximize", "one-se"), 3L)
  curve$se <- NA
  expect_identical(pick("maximize", "one-se"), 5L)
  # Of the smallest number within the tolerance, the best.
  curve <- data.frame(k = c(2L, 2L, 4L), mean = c(0.795, 0.8, 0.804), se = 0.1)
  expect_identical(choose_point(curve, "maximize", "fewest", 0.01)$mean, 0.8)
  expect_identical(choose_point(curve, "maximize", "one-se")$mean, 0.795)

  # Rounding of equal means decides nothing.
  equal <- c(1 / 3, mean(c(0.1, 0.2, 0.7)), 0.1 + 0.2 + 0.1 / 3)
  curve <- data.frame(k = c(3L, 3L, 5L), mean = equal, se = c(0.1, NA, NA))
  expect_gt(length(unique(equal)), 1)
  for (at in list(1:3, c(2, 1, 3), c(1, 3), c(2, 3))) for (direction in c("minimize", "maximize")) {
    for (rule in c("best", "fewest", "one-se")) {
      expect_identical(choose_point(curve[at, ], direction, rule)[["mean"]], curve$mean[at[1L]])
    }
  }

  both <- data.frame(selector = c("b", "b", "a", "a"), learner = "l", k = c(2L, 4L, 2L, 4L), mean = c(1, 2, 1, 2),
    se = 0)
  table <- data.frame(selector = c("a", "b"), learner = "l", status = "tried")
  choice <- list(selectors = list(a = 1, b = 2), learners = list(l = 1), all = "All")
  points <- usable_points(both, table, choice)
  expect_identical(points$selector, c("a", "b", "a", "b"))
  expect_identical(choose_point(points, "maximize", "best")[1:3], points[3L, 1:3])
  table$status <- c("failed", "tried")
  expect_identical(unique(usable_points(both, table, choice)$selector), "b")
})

# The means over splits by a loop over splits, selectors, numbers and learners, from the public parts alone: for each
# measure a data frame.
oracle_means <- function(task, selectors, learners, k, rows, measures) {
  cells <- expand.grid(learner = seq_along(learners), k = seq_along(k), selector = seq_along(selectors))
  values <- lapply(rows, function(split) {
    train <- task[split$train, ]
    test <- task[split$test, ]
    unlist(lapply(selectors, function(selector) lapply(k, function(k) {
      chosen <- selected(sift_features(train, selector, k))
      lapply(learners, function(learner) {
        found <- evaluate(predict(fit(learner, train[, chosen]), test[, chosen]), test, measures)
        found$value[match(measures, found$measure)]
      })
    })))
  })
  means <- matrix(Reduce(`+`, values) / length(rows), length(measures), dimnames = list(measures, NULL))
  order <- order(cells$selector, cells$learner, cells$k)
  lapply(stats::setNames(measures, measures), \(measure) cbind(cells, mean = means[measure, ])[order, ])
}

test_that("the choice is that of a loop over selectors, learners, numbers and splits", {
  task <- choice_task()
  selectors <- list(sel_mim(), sel_scls(), sel_br_cc())
  learners <- list(lrn_brknn(scale = "none"), lrn_nb(), lrn_linear(scale = "none"))
  k <- c(1, 3, 6)
  rows <- split(seq_len(80), rep(1:4, 20))
  rows <- lapply(rows, function(test) list(train = setdiff(1:80, test), test = test))
  means <- oracle_means(task, selectors, learners, k, rows, c("average_precision", "hamming_loss"))
  for (measure in names(means)) {
    sign <- if (measure == "hamming_loss") -1 else 1
    cells <- means[[measure]]
    tuned <- tune_selection(task, selectors, learners, measure, k, rs_custom(unname(rows)))
    expect_equal(tuned$curve$mean, cells$mean)
    expect_identical(tuned$curve$k, as.integer(k[cells$k]))
    # Ties go to the fewest features, then to the first selector and learner.
    cells <- cells[order(cells$k, cells$selector, cells$learner), ]
    best <- cells[which(sign * cells$mean >= max(sign * cells$mean) - 1e-12)[1L], ]
    expect_identical(tuned$k, as.integer(k[best$k]))
    expect_identical(tuned$selector, selectors[[best$selector]])
    expect_identical(tuned$learner, learners[[best$learner]])
    expect_identical(selected(tuned), selected(sift_features(task, tuned$selector, tuned$k)))
    near <- cells[sign * cells$mean >= max(sign * cells$mean) - 0.05, ]
    near <- near[near$k == min(near$k), ]
    small <- tune_selection(task, selectors, learners, measure, k, rs_custom(unname(rows)), "fewest", 0.05)
    expect_identical(small$k, as.integer(k[near$k[1L]]))
    expect_equal(small$fewest$mean, near$mean[which.max(sign * near$mean)])
    expect_identical(small$fewest$features[[1L]], selected(small))
    expect_true(all(tuned$candidates$n_splits == 4L))
  }
  # All features of every learner, with the same values.
  rows <- unname(rows)
  tuned <- tune_selection(task, selectors[1], learners[2:3], "average_precision", resampling = rs_custom(rows))
  all <- tuned$curve[tuned$curve$selector == "All", ]
  expect_identical(all$k, c(12L, 12L))
  cells <- oracle_means(task, list(sel_none()), learners[2:3], 12, rows, "average_precision")[[1L]]
  expect_equal(all$mean, cells$mean)
  expect_false(12L %in% tuned$curve$k[tuned$curve$selector != "All"])
})

test_that("the curve is the mean of a benchmark's values", {
  task <- choice_task(60, 9)
  set.seed(2)
  tuned <- tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", c(1, 2, 4, 8), rs_cv(4))
  set.seed(2)
  bench <- benchmark_selectors(
    list(task = task), list(selector = sel_mim()), list(learner = lrn_nb()), rs_cv(4), c(1, 2, 4, 8), "hamming_loss"
  )
  values <- split(bench$value, bench$k)
  expect_equal(tuned$curve$mean, unname(vapply(values, mean, 0)))
  expect_equal(tuned$curve$se, unname(vapply(values, sd, 0)) / 2)
  expect_identical(tuned$k, tuned$curve$k[which.min(tuned$curve$mean)])
  expect_identical(selected(tuned), selected(sift_features(task, sel_mim(), tuned$k)))
  expect_output(print(tuned), "the best mean of 4 tried")
})

test_that("all features compete unless numbers or budgets are given", {
  # Every feature is needed.
  withr::local_seed(3)
  x <- matrix(rnorm(200 * 12), 200, dimnames = list(NULL, letters[1:12]))
  task <- mltask(x, cbind(t = rowSums(x)))
  tuned <- tune_selection(task, sel_mim(), lrn_linear(), target_bins = 5, resampling = rs_cv(3))
  expect_identical(tuned$selector, sel_none())
  expect_identical(tuned$k, 12L)
  expect_setequal(selected(tuned), letters[1:12])
  expect_output(print(tuned), "all 12 features for Linear regression")
  expect_identical(unique(tuned$curve$selector), c("MIM-BR", "All"))
  expect_false("All" %in% tune_selection(task, sel_mim(), lrn_linear(), k = c(2, 12), target_bins = 5)$curve$selector)
  cheap <- tune_selection(task, sel_mim(), lrn_linear(), target_bins = 5, costs = rep(1, 12), max_cost = 4)
  expect_false("All" %in% cheap$curve$selector)
  expect_lte(nrow(cheap$selection), 4L)
  asked <- sift_features(task, sel_best(sel_mim(), lrn_linear(), resampling = rs_cv(3)), k = 5, target_bins = 5)
  expect_identical(nrow(asked), 5L)
  # One's own name for all features, and no other selector.
  own <- tune_selection(task, list(everything = sel_none()), list(a = lrn_linear(), b = lrn_knn_regression()))
  expect_identical(own$name, "everything")
  expect_identical(own$learner_name, "a")
  # Excluded features are not counted.
  excluded <- tune_selection(task, sel_mim(), lrn_linear(), exclude = 1:4, target_bins = 5)
  expect_identical(max(excluded$curve$k), 8L)
  expect_identical(nrow(excluded$selection), excluded$k)
  # The slow learner is left out for all of many features.
  local({
    local_mocked_bindings(most_of_linear = 5, .package = "mlsift")
    learners <- list(a = lrn_linear(), b = lrn_knn_regression())
    curve <- tune_selection(task, sel_mim(), learners, target_bins = 5)$curve
    expect_identical(curve$learner[curve$selector == "All"], "b")
  })
  # The largest number is named where it may be too small.
  expect_output(print(tune_selection(task, sel_mim(), lrn_linear(), k = c(2, 6), target_bins = 5)),
    "k = 6 is the largest number tried", fixed = TRUE)
})

test_that("groups of features stay whole at every number of features", {
  skip_unless_all()
  task <- choice_task(60, 6)
  names <- feature_names(task)
  groups <- list(names[c(1, 4)], names[c(2, 3, 6)])
  unit <- c(1, 2, 2, 1, 3, 2)
  set.seed(3)
  rows <- split_rows(task, rs_cv(3))
  choose <- function(...) {
    tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", resampling = rs_custom(rows), groups = groups, ...)
  }
  first_units <- function(task, k) {
    order <- sift_features(task, sel_mim(), groups = groups)$index
    ends <- cumsum(rle(unit[order])$lengths)
    order[seq_len(max(ends[1], ends[ends <= k]))]
  }
  means <- vapply(1:5, function(k) mean(vapply(rows, function(split) {
    assess_features(task, first_units(task[split$train, ], k), lrn_nb(), "hamming_loss",
      rs_fixed(split$train, split$test))$value
  }, 0)), 0)
  expect_equal(choose(k = 1:5)$curve$mean, means)
  for (k in 1:5) expect_identical(choose(k = k)$selection$index, first_units(task, k))
  # All features are a candidate, and what is included or excluded brings its group along.
  all <- choose()
  expect_identical(all$candidates$status[all$candidates$selector == "All"] == "failed", FALSE)
  expect_identical(max(all$curve$k), 6L)
  expect_identical(max(choose(exclude = names[1])$curve$k), 4L)
  expect_identical(choose(include = names[4], k = 1)$selection$index, c(4L, 1L))
  expect_false("failed" %in% tune_selection(task, sel_mim(), lrn_nb(), resampling = rs_cv(2),
    costs = rep(1, 6))$candidates$status)
})

test_that("the settings of the choice can be given one by one or together", {
  task <- choice_task()
  names <- feature_names(task)
  choose <- function(...) {
    set.seed(4)
    tune_selection(task, list(sel_mim(), sel_scls()), lrn_brknn(), "hamming_loss", c(3, 5), rs_cv(3), ...)
  }
  one <- choose(include = names[12], exclude = 1:3, groups = list(names[c(4, 9)]))
  together <- choose(control = choice_control(include = names[12], exclude = 1:3, groups = list(names[c(4, 9)])))
  expect_identical(one$curve, together$curve)
  expect_identical(selected(one)[1L], names[12])
  expect_false(any(names[1:3] %in% selected(one)))
  expect_true(sum(names[c(4, 9)] %in% selected(one)) %in% c(0L, 2L))
  refused <- function(code, text) {
    error <- expect_error(code, text, class = "mlsift_error")
    expect_identical(rlang::call_name(error$call), "tune_selection")
  }
  refused(tune_selection(task, race = TRUE), "race")
  refused(tune_selection(task, discretizer = 5), "discretizer")
  refused(tune_selection(task, max_cost = 3, control = choice_control()), "only one")
  refused(tune_selection(task, control = list()), "choice_control")
  refused(tune_selection(task, metric = "auc"), "Did you mean `measure`")
  refused(tune_selection(task, measure = "auc"), "There are .*macro_auc")
  refused(tune_selection(task, seed = 1), "no argument `seed`.*Call `set.seed\\(\\)` first")
  refused(tune_selection(task, include = "nothing"), "nothing")
  refused(tune_selection(task, tolerance = -1), "tolerance")
  expect_output(print(choice_control(max_cost = 3)), "choice_control(max_cost = 3)", fixed = TRUE)
})

test_that("numeric targets, searches and measures of one's own can be tuned", {
  set.seed(1)
  task <- mltask(matrix(rnorm(400), 50), matrix(rnorm(100), 50))
  tuned <- tune_selection(task, sel_mim(), lrn_knn_regression(), "arrmse", 1:2, rs_cv(3), target_bins = 3)
  expect_s3_class(tuned, "mltuning")
  labels <- choice_task(60, 8)
  own <- msr_custom("wrong", function(truth, response) mean(truth != response))
  found <- tune_selection(labels, sel_rga(evaluations = 20), lrn_nb(), own, 2:3, rs_holdout(0.7, 2))
  expect_lte(nrow(found$selection), found$k)
})

test_that("what cannot be tuned is refused", {
  task <- choice_task(60, 8)
  expect_error(tune_selection(task, "mim", lrn_nb(), "hamming_loss", 1), "Did you mean", class = "mlsift_error")
  expect_error(tune_selection(task, sel_mim(), lrn_nb, "hamming_loss", 1), "parentheses", class = "mlsift_error")
  expect_error(tune_selection(task, sel_mim(), lrn_nb(), c("a", "b"), 1), "one measure", class = "mlsift_error")
  expect_error(tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", 0), "1 or more", class = "mlsift_error")
  expect_error(tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", 99), "not above", class = "mlsift_error")
  fails <- lrn_custom("fails", function(x, y) stop("no"), function(model, x) NULL)
  expect_warning(
    expect_error(tune_selection(task, sel_mim(), fails, "hamming_loss", 1:2, rs_cv(2)), "no", class = "mlsift_error"),
    "missing"
  )
})

test_that("a learner that fails on one split or one selector is left behind, and the others go on", {
  task <- choice_task()
  failing <- function(when) {
    calls <- 0
    lrn_custom("picky", function(x, y) {
      calls <<- calls + 1
      if (when(calls, ncol(x))) stop("not this one")
      colMeans(y)
    }, function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE))
  }
  choose <- function(when) {
    suppressWarnings(tune_selection(task, list(sel_mim(), sel_scls()), list(lrn_nb(), failing(when)), "hamming_loss",
      c(2, 4), rs_cv(3)))
  }
  tuned <- choose(function(calls, d) calls %in% 3:4)
  expect_identical(tuned$candidates$status[tuned$candidates$status == "failed"], "failed")
  expect_match(tuned$candidates$reason[tuned$candidates$status == "failed"], "not this one")
  expect_output(print(tuned), "failed: .* with picky")
  expect_true(all(tuned$candidates$n_splits[tuned$candidates$status != "failed"] == 3L))
  # With one number of features only, the others can be chosen.
  tuned <- choose(function(calls, d) d == 4)
  expect_false("failed" %in% tuned$candidates$status)
  expect_true(anyNA(tuned$curve$mean[tuned$curve$k == 4]))
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

test_that("sel_best() chooses within the rows that it is given", {
  task <- choice_task(60, 9)
  set.seed(3)
  tuned <- tune_selection(task, sel_scls(), lrn_brknn(), "hamming_loss", 1:5, rs_cv(3))
  set.seed(3)
  selection <- sift_features(task, sel_best(sel_scls(), lrn_brknn(), "hamming_loss", 1:5, rs_cv(3)))
  expect_identical(selected(selection), selected(tuned))
  expect_output(print(selection), paste0("k = ", tuned$k, " was chosen by hamming_loss"))
  again <- sel_best(sel_mim(), lrn_nb(), "hamming_loss", 1:3, rs_cv(3))
  without <- sift_features(task, again, exclude = selected(tuned))
  expect_false(any(selected(tuned) %in% selected(without)))
  bench <- benchmark_selectors(
    task, sel_best(sel_mim(), lrn_nb(), "hamming_loss", 2:3, rs_cv(3)), lrn_nb(), rs_holdout(repeats = 2), c(1, 8),
    "hamming_loss"
  )
  expect_true(all(bench$n_selected[bench$k == 1] == 1) && all(bench$n_selected[bench$k == 8] %in% 2:3))
  expect_false(anyNA(bench$value))
})

test_that("sel_best() is a selector like others", {
  skip_unless_all()
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
  name <- function(specs) vapply(specs, `[[`, "", "name")
  expect_identical(unique(tuned$candidates$selector), c(name(default_selectors(task)), "All"))
  expect_identical(unique(tuned$candidates$learner), name(default_learners(task)))
  expect_identical(unique(tuned$curve$k), c(5L, 10L, 12L))
  expect_identical(tuned$measure, "average_precision")
  expect_identical(default_counts(72), c(5L, 10L, 20L, 30L, 50L, 72L))
  expect_identical(default_counts(200), c(5L, 10L, 20L, 30L, 50L, 75L, 100L, 150L, 200L))
  expect_identical(default_counts(3), 1:3)
  single <- tune_selection(subset_targets(task, 1), sel_mim(), resampling = rs_cv(2), k = 2)
  expect_identical(single$measure, "macro_auc")

  classes <- mltask(iris, targets = "Species")
  tuned <- tune_selection(classes, resampling = rs_cv(2))
  expect_identical(tuned$measure, "balanced_accuracy")
  expect_setequal(tuned$curve$k, 1:4)
  half <- rs_fixed(seq(1, 149, 2), seq(2, 150, 2))
  cut <- tune_selection(classes, sel_mim(), lrn_nb(discretizer = disc_auto()), resampling = half, k = 2)
  by_hand <- assess_features(classes, selected(sift_features(classes[seq(1, 149, 2), ], sel_mim(), 2)), lrn_nb(),
    "balanced_accuracy", half, discretizer = disc_auto())
  expect_equal(cut$curve$mean, by_hand$value)

  set.seed(9)
  x <- matrix(rnorm(60 * 6), 60, dimnames = list(NULL, letters[1:6]))
  numbers <- mltask(x, cbind(t1 = x[, 2] + rnorm(60, sd = 0.1), t2 = x[, 2] - x[, 4]))
  tuned <- tune_selection(numbers, resampling = rs_cv(3))
  expect_setequal(tuned$candidates$selector, c("Correlation", "RReliefF", "Group-JMI-Rand", "All"))
  expect_false("failed" %in% tuned$candidates$status)
  expect_true(all(c("b", "d") %in% selected(tuned)))
  some <- mltask(x, replace(as.matrix(targets(numbers)), 1:5, NA))
  expect_true(all(vapply(default_selectors(some), spec_takes, NA, "unknown")))
  scores <- sift_features(numbers, default_selectors(numbers)[[1L]])
  expect_equal(scores$score, unname(sort(rowMeans(abs(cor(x, targets(numbers)))), decreasing = TRUE)))
})

test_that("defaults do not compare all of many rows", {
  skip_unless_all()
  targets <- list(class = rep_len(c("a", "b"), 1e5), label = rep_len(0:1, 1e5), numeric = seq_len(1e5) + 0.5)
  values <- function(n, d) matrix(rep_len(c(0.5, 1.5, 2), n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  made <- function(kind, x) mltask(x, data.frame(t = targets[[kind]][seq_len(nrow(x))]), kind = kind)
  few <- function(task) unlist(lapply(default_selectors(task), \(selector) selector$params$n_rows))
  neighbors <- function(task) any(vapply(default_learners(task), has_setting, NA, "neighbors"))
  expect_compared <- function(x, n_rows, all) for (kind in names(targets)) {
    task <- made(kind, x)
    expect_identical(few(task), if (kind != "label") n_rows)
    expect_identical(neighbors(task), all)
  }
  expect_compared(values(1e5, 2), NULL, TRUE)
  # With more features, fewer rows are compared; learners see 200 features at most.
  expect_compared(values(10000, 201), 2500L, TRUE)
  expect_compared(values(1e5, 4), 25000L, FALSE)
  wide <- made("class", values(2000, 60))
  learners <- stats::setNames(default_learners(wide), c("nb", "linear", "knn"))
  # As with a hundred times as many features.
  local_mocked_bindings(most_differences = most_differences / 100)
  expect_identical(few(wide), 500L)
  expect_identical(few(wide[1:1900, ]), NULL)
  expect_identical(slow_on_all(wide, learners), "knn")
  expect_identical(slow_on_all(wide, list(a = lrn_brknn(), b = lrn_mlknn())), character())
  sparse <- mltask(methods::as(as(wide$x > 1.9, "nMatrix"), "CsparseMatrix"), wide$targets$values)
  expect_null(few(sparse))
})

test_that("learners that take long on all features are left out, and listed", {
  set.seed(1)
  task <- simulate_mltask(2001, n_features = 2001, n_targets = 2, sparse = TRUE, density = 0.01)
  learners <- list(cut = lrn_threshold(lrn_linear()), nb = lrn_nb())
  params <- list(selectors = list(sel_mim(), sel_none()), learner = learners, measure = "macro_f1", k = 5,
    rule = "best", max_seconds = 1)
  choice <- complete_choice(task, checked_choice(c(params, tolerance = 0)), Inf)
  expect_identical(choice$left_out, data.frame(selector = "All", learner = "cut", reason = "would take long"))
  expect_identical(lapply(choice_plans(task, choice), \(plan) names(plan$learners)), list(c("cut", "nb"), "nb"))
})

test_that("what a task cannot be given to is left out, and what fails is listed", {
  classes <- mltask(iris, targets = "Species")
  tuned <- tune_selection(classes, list(sel_mim(), sel_ebls(), sel_cmim()), resampling = rs_cv(2), k = 2)
  left_out <- tuned$candidates[tuned$candidates$selector == "EBLS", ]
  expect_identical(left_out$status, "left out")
  expect_match(left_out$reason, "kind label")
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
  expect_output(print(tuned), "failed: Broken\\s+\\(.*out\\s+of\\s+order")
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
    resampling = rs_cv(3))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(tuned))
  expect_equal(sort(built$data[[3]]$y), sort(tuned$curve$mean))
  expect_equal(10^built$data[[4]]$x, tuned$k)
  expect_identical(names(tidy(tuned)), c("selector", "learner", "k", "mean", "sd", "se", "n_splits"))
  expect_identical(glance(tuned)$selector, tuned$selector$name)
  expect_output(print(tuned), "best mean of 6 tried")
  expect_true(all(nchar(capture.output(print(tuned))) <= 80))
  # One split has no standard error.
  single <- tune_selection(choice_task(), sel_mim(), lrn_brknn(), k = c(2, 11), resampling = rs_holdout(0.7, 1))
  expect_output(print(single), "average_precision: 0[.][0-9]+ \\(mean over 1 split;")
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
  table <- data.frame(selector = c("A", "B", "C", "D", "C", NA), learner = c(NA, NA, "x", NA, "y", "z"),
    status = c("left out", "left out", "chosen", "left out", "failed", "left out"),
    reason = c("cannot use unknown labels", "for targets of kind label.\nMore.", NA, "cannot use unknown labels", "no",
      "q"))
  expect_identical(candidates_of(table, "left out"),
    "A, D (cannot use unknown labels); B (for targets of kind label); z (q)")
  expect_identical(candidates_of(table, "chosen"), "C with x")
  expect_identical(candidates_of(table, "failed"), "C with y (no)")
  expect_null(candidates_of(table, "not tried"))
})

test_that("what is chosen is what was measured, where the order depends on how many features are asked for", {
  skip_unless_all()
  withr::local_seed(8)
  labels <- simulate_mltask(90, 12, 3)
  numbers <- mltask(features(labels), features(labels)[, 1:2] %*% cbind(1:2, 2:1) + rnorm(180))
  select <- function(task, selector, k) {
    withr::with_seed(1, suppressWarnings(suppressMessages(sift_features(task, selector, k)))$index)
  }
  # The first of a run for 9 are those of a shorter run.
  listed <- list_selectors()$constructor
  for (code in listed[!grepl("custom|importance", listed)]) {
    selector <- eval(str2lang(code))
    method <- selector_method(selector)
    if (method$gives == "set" || !method$nested) next
    task <- if ("label" %in% method$kinds) labels else numbers
    long <- select(task, selector, 9)
    for (k in c(1, 4)) expect_identical(select(task, selector, k), head(long, k), info = code)
  }
  by_k <- sel_custom("by k", function(task, k) (seq_len(12) + k) %% 12 + 1, returns = "order")
  for (selector in list(sel_bagged(sel_mim(), n = 6), sel_turf(sel_relieff_br()), by_k)) {
    expect_false(selector_method(selector)$nested)
    for (rule in c("best", "fewest")) {
      set.seed(2)
      tuned <- tune_selection(labels, selector, lrn_nb(), k = c(2, 4, 9), resampling = rs_cv(2), rule = rule,
        tolerance = 0.5)
      set.seed(2)
      runif(1)  # for the splits
      long <- sift_features(labels, selector, 9)
      expect_identical(tuned$selection$index, head(long$index, tuned$k))
      if (rule == "fewest") expect_identical(tuned$k, 2L)
      expect_identical(tuned$fewest$features[[1]], head(long, tuned$fewest$k)$feature)
    }
  }
})

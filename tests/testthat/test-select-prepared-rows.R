# How often functions of the package are called by `code`.
count_calls <- function(names, code, env = parent.frame()) {
  calls <- stats::setNames(integer(length(names)), names)
  counting <- lapply(stats::setNames(nm = names), function(name) {
    plain <- getFromNamespace(name, "mlsift")
    function(...) {
      calls[name] <<- calls[name] + 1L
      plain(...)
    }
  })
  do.call(local_mocked_bindings, c(counting, .package = "mlsift"))
  force(code)
  calls
}

mixed_task <- function(n = 60, kind = "label", weights = NULL) {
  withr::local_seed(3)
  x <- data.frame(
    a = rnorm(n), b = round(rnorm(n), 1), c = rbinom(n, 1, 0.3), d = factor(sample(letters[1:4], n, TRUE)),
    e = runif(n), f = 1, g = rexp(n)
  )
  labels <- cbind(p = x$a + rnorm(n) > 0, q = x$c + rnorm(n) > 0.5, r = x$e + x$g > 1)
  y <- switch(kind,
    label = labels + 0, numeric = labels * x$a + cbind(x$b, x$e, x$g),
    class = as.data.frame(lapply(as.data.frame(labels + x$c), factor))
  )
  suppressMessages(mltask(x, y, kind = kind, weights = weights))
}

test_that("selectors of a split share what does not depend on them", {
  task <- mixed_task()
  run <- function(selectors, ...) benchmark_selectors(
    list(a = task), selectors, lrn_nb(), rs_cv(3), k = 2:3, measures = "hamming_loss", workers = "none", ...
  )
  counted <- c("fit_cuts", "cpp_constant_features")
  expect_identical(count_calls(counted, run(list(sel_ami(), sel_scls()))), c(fit_cuts = 3L, cpp_constant_features = 3L))
  expect_identical(count_calls("fit_cuts", run(list(sel_mim(), sel_mfs(), sel_chi2(), sel_ensemble(list(
    sel_mim(), sel_cmim()
  ))))), c(fit_cuts = 3L))
  expect_identical(count_calls("fit_cuts", run(list(sel_mim()), learner_discretizer = disc_auto())), c(fit_cuts = 3L))
  expect_identical(count_calls("fit_cuts", run(list(sel_mfs()))), c(fit_cuts = 0L))
  # The choice has three splits of its own; its features are then selected from the rows of the split.
  tuned <- sel_best(sel_scls(), lrn_nb(), "hamming_loss", k = 2:3, resampling = rs_cv(3))
  expect_identical(count_calls("fit_cuts", run(list(sel_mim(), tuned))), c(fit_cuts = 12L))
})

test_that("a benchmark gives the selections of sift_features()", {
  selectors <- list(sel_mim(), sel_scls(), sel_mfs(), sel_chi2())
  for (discretizer in list(disc_auto(), disc_mdlp(), fit(disc_equal_width(3), mixed_task()))) {
    task <- mixed_task()
    bench <- benchmark_selectors(
      list(a = task), selectors, lrn_nb(), rs_fixed(1:40, 41:60), 3, "hamming_loss", workers = "none",
      discretizer = discretizer, learner_discretizer = discretizer
    )
    alone <- lapply(selectors, function(s) sift_features(task[1:40, ], s, 3, discretizer))
    expect_identical(selections(bench)$feature, unlist(lapply(alone, `[[`, "feature")))
    expect_identical(selections(bench)$score, unlist(lapply(alone, `[[`, "score")))
    train <- discretize_features(task[1:40, ], fitted <- fit(discretizer, task[1:40, ]))
    if (inherits(discretizer, "mldiscretizer_fitted")) next
    model <- fit(lrn_nb(), subset_features(train, alone[[1]]))
    test <- subset_features(predict(fitted, task[41:60, ]), alone[[1]])
    expect_equal(bench$value[1], evaluate(predict(model, test), test, "hamming_loss")$value)
  }
})

test_that("numeric targets are discretized for those selectors that need it", {
  task <- mixed_task(kind = "numeric")
  selectors <- list(sel_mim(), sel_rrelieff(), sel_ml_cfs(), sel_cmim())
  bench <- benchmark_selectors(
    list(a = task), selectors, lrn_linear(), rs_fixed(1:40, 41:60), 3, "armse", workers = "none", target_bins = 3
  )
  alone <- function(s, bins) sift_features(task[1:40, ], s, 3, target_bins = bins)
  alone <- Map(alone, selectors, list(3, NULL, NULL, 3))
  expect_identical(selections(bench)$score, unlist(lapply(alone, `[[`, "score"), use.names = FALSE))
  expect_identical(count_calls("fit_cuts", benchmark_selectors(
    list(a = task), selectors[c(1, 4)], lrn_linear(), rs_fixed(1:40, 41:60), 3, "armse", workers = "none",
    target_bins = 3
  )), c(fit_cuts = 2L)) # one of them for targets
})

test_that("tuning shares the rows of its splits among candidates", {
  withr::local_seed(1)
  task <- mixed_task()
  tune <- function(...) tune_selection(task, list(sel_mim(), sel_scls(), sel_cmim()), lrn_nb(), "hamming_loss", k = 2:3,
    resampling = rs_cv(3), ...)
  expect_identical(count_calls("fit_cuts", tune()), c(fit_cuts = 4L))
  expect_identical(count_calls("fit_cuts", tune(max_seconds = 1e4)), c(fit_cuts = 4L))
})

test_that("scores by target and tests of scores look at the features once", {
  for (task in list(mixed_task(), mixed_task(weights = rep(0:2, 20)), mixed_task(kind = "class"))) {
    expect_identical(count_calls(c("fit_cuts", "cpp_find_missing"), scores <- label_scores(task, sel_mim())),
      c(fit_cuts = 1L, cpp_find_missing = 1L))
    for (l in colnames(scores)) {
      alone <- sift_features(subset_targets(task, l), sel_mim())
      expect_identical(unname(scores[alone$index, l]), alone$score)
    }
  }
  task <- mixed_task()
  expect_identical(count_calls("fit_cuts", score_test(task, sel_mim(), n = 5)), c(fit_cuts = 1L))
  # Cuts that are learned from targets are made again for other targets.
  expect_identical(count_calls("fit_cuts", scores <- label_scores(task, sel_mim(), disc_mdlp())), c(fit_cuts = 3L))
  alone <- sift_features(subset_targets(task, "q"), sel_mim(), discretizer = disc_mdlp())
  expect_identical(unname(scores[alone$index, "q"]), alone$score)
})

test_that("selectors that run others share their rows", {
  task <- mixed_task()
  pair <- sel_ensemble(list(sel_mim(), sel_scls()))
  expect_identical(count_calls("fit_cuts", sift_features(task, pair)), c(fit_cuts = 1L))
  expect_identical(count_calls("fit_cuts", sift_features(task, sel_turf(sel_mim(), 0.3), k = 2)), c(fit_cuts = 1L))
  expect_identical(count_calls("cpp_find_missing", sift_features(task, sel_turf(sel_multisurf(), 0.3), k = 2)),
    c(cpp_find_missing = 1L))
  codes <- sel_custom("codes", function(task, k) colSums(as.matrix(data.frame(lapply(features(task), as.integer)))),
    codes = TRUE)
  expect_identical(count_calls("fit_cuts", sift_features(task, sel_ensemble(list(codes, codes)))), c(fit_cuts = 1L))
})

test_that("some of the columns keep what is known of them", {
  task <- mixed_task()
  rows <- prepared_rows(task, disc_auto())
  whole <- select_from(rows, sel_scls(), NULL, list(), NULL, 1L)
  part <- columns_of(rows, c(7, 1, 3, 6))
  expect_identical(count_calls(c("fit_cuts", "cpp_find_missing", "cpp_constant_features"), {
    found <- select_from(part, sel_scls(), NULL, list(), NULL, 1L)
  }), c(fit_cuts = 0L, cpp_find_missing = 0L, cpp_constant_features = 0L))
  alone <- sift_features(task[, c(7, 1, 3, 6)], sel_scls())
  expect_identical(found$feature, alone$feature)
  expect_identical(found$score, alone$score)
  expect_identical(columns_of(rows, 1:7), rows)
})

test_that("a second selector on the same rows shares level numbers, which change no score", {
  task <- mixed_task()
  x <- features(task)
  x$e[c(7, 9)] <- NA
  task <- suppressMessages(mltask(x, targets(task)))
  discretizers <- list(disc_auto(na = "level"), disc_equal_width(4, na = "level"),
    fit(disc_auto(na = "level"), task[20:40, ]))
  for (discretizer in discretizers) for (selector in list(sel_scls(), sel_br_or(), sel_chi2(), sel_pmu(), sel_grro())) {
    rows <- prepared_rows(task, discretizer)
    select <- function() select_from(rows, selector, NULL, list(), NULL, 1L)[c("feature", "score")]
    expect_identical(count_calls("numbered_levels", first <- select()), c(numbered_levels = 0L))
    expect_identical(count_calls("numbered_levels", second <- select()), c(numbered_levels = 1L))
    expect_identical(count_calls("numbered_levels", third <- select()), c(numbered_levels = 0L))
    expect_identical(second, first)
    expect_identical(third, first)
    sent <- unserialize(serialize(rows, NULL))
    expect_identical(select_from(sent, selector, NULL, list(), NULL, 1L)$score, first$score)
  }
})

test_that("every selector is told of bad rows, which may be no problem for another one", {
  task <- mixed_task()
  x <- features(task)
  x$e[7] <- NA
  task <- suppressMessages(mltask(x, targets(task)))
  rows <- prepared_rows(task, disc_auto())
  select <- function(selector) select_from(rows, selector, 2, list(), NULL, 1L)
  for (selector in list(sel_mim(), sel_scls(), sel_mfs())) {
    expect_error(select(selector), "missing in row 7", class = "mlsift_error")
  }
  expect_identical(nrow(select(sel_random())), 2L)
  # The missing value is in a column that is left out.
  expect_identical(select_from(columns_of(rows, 1:4), sel_mim(), NULL, list(), NULL, 1L)$score,
    sift_features(task[, 1:4], sel_mim())$score)
  plain <- prepared_rows(task, NULL)
  for (selector in list(sel_mim(), sel_scls())) {
    expect_error(select_from(plain, selector, 2, list(), NULL, 1L), class = "mlsift_error",
      paste(selector$name, "needs discrete features"))
  }
})

run <- function(..., seed = 1, tasks = list(a = numbered_task(1), b = numbered_task(2, d = 4)),
                selectors = list(sel_mim(), sel_random()), learners = lrn_brknn(), resampling = rs_holdout(repeats = 2),
                k = 1:3, measures = c("hamming_loss", "one_error"), progress = FALSE) {
  withr::with_seed(
    seed, benchmark_selectors(tasks, selectors, learners, resampling, k, measures, ..., progress = progress)
  )
}

test_that("a benchmark is the same as doing it by hand", {
  task <- numbered_task(3, n = 30, d = 6)
  split <- rs_fixed(1:18, 19:30)
  bench <- run(tasks = list(t = task), selectors = list(sel_mim(), best = sel_mfs()),
    learners = list(lrn_mlknn(5), lrn_brknn(3)),
    resampling = split, k = c(2, 5), measures = c("hamming_loss", "ranking_loss"),
    discretizer = disc_equal_width(3))
  expect_s3_class(bench, c("mlbenchmark", "data.frame"), exact = TRUE)
  expect_named(bench, c("task", "split", "selector", "learner", "k", "prop", "n_selected", "measure", "value"))
  expect_identical(unique(bench$selector), c("MIM-BR", "best"))
  train <- task[1:18, ]
  test <- task[19:30, ]
  selectors <- list("MIM-BR" = sel_mim(), best = sel_mfs())
  learners <- list("ML-kNN" = lrn_mlknn(5), "BR-kNN" = lrn_brknn(3))
  for (i in seq_len(nrow(bench))) {
    row <- bench[i, ]
    order <- sift_features(train, selectors[[row$selector]], discretizer = disc_equal_width(3))$index[seq_len(row$k)]
    prediction <- predict(fit(learners[[row$learner]], train[, order]), test[, order])
    expect_identical(row$value, evaluate(prediction, targets(test), row$measure)$value)
  }
  expect_identical(bench$n_selected, bench$k)
  expect_identical(unique(bench$prop), NA_real_)
})

test_that("the seed decides alone: order and company change nothing, and the generator moves by one number", {
  bench <- run()
  expect_identical(table_of(run()), table_of(bench))
  expect_false(identical(table_of(run(seed = 2))$value, bench$value))

  expect_warning(turned <- run(tasks = list(b = numbered_task(2, d = 4), a = numbered_task(1)),
    selectors = list(sel_random(), sel_custom("broken", function(task, k) stop("no")), sel_mim()),
    learners = list(lrn_mlknn(3), lrn_brknn()), k = c(1, 3), measures = "one_error", threads = 2), "16 of 48 values")
  both <- merge(turned, bench, by = setdiff(names(bench), "value"))
  expect_identical(nrow(both), sum(bench$k != 2 & bench$measure == "one_error"))
  expect_identical(both$value.x, both$value.y)

  withr::local_seed(1)
  for (kind in c("Mersenne-Twister", "Wichmann-Hill")) {
    withr::with_seed(1, .rng_kind = kind, {
      benchmark_selectors(numbered_task(1), sel_random(), lrn_brknn(), rs_cv(3), 1, "hamming_loss", progress = FALSE)
      after <- runif(1)
      kind_after <- RNGkind()[1]
    })
    expect_identical(after, withr::with_seed(1, .rng_kind = kind, runif(2)[2]))
    expect_identical(kind_after, kind)
  }
})

test_that("random learners do not depend on the other counts", {
  learner <- counting_learner(new.env(), random = TRUE)
  all <- run(learners = learner, measures = "ranking_loss")
  some <- run(learners = learner, measures = "ranking_loss", k = c(2, 3))
  expect_identical(some$value, all$value[all$k > 1])
})

test_that("selection sees training rows only", {
  counter <- new.env()
  task <- numbered_task(1)
  bench <- run(tasks = list(a = task), selectors = counting_selector(counter), resampling = rs_cv(4))
  splits <- with_stream(list(withr::with_seed(1, runif(1)), "splits", "a"), split_rows(task, rs_cv(4)))
  expect_identical(lapply(counter$rows, as.integer), unname(lapply(splits, `[[`, "train")))
  expect_identical(attr(bench, "splits")$n_test, unname(lengths(lapply(splits, `[[`, "test"))))
})

test_that("no selection, short selections and k above d", {
  counter <- new.env()
  short <- sel_custom("short", function(task, k) c(3, 1), returns = "order")
  expect_message(
    bench <- run(selectors = list(sel_none(), short), learners = counting_learner(counter), k = c(1, 3, 5, 9)),
    "a has 5, b has 4", class = "mlsift_message"
  )
  expect_identical(unique(bench$k[bench$task == "a"]), c(1L, 3L, 5L))
  expect_identical(unique(bench$k[bench$task == "b"]), c(1L, 3L))
  all <- bench[bench$selector == "All", ]
  expect_identical(all$n_selected, ifelse(all$task == "a", 5L, 4L))
  expect_identical(nrow(unique(as.data.frame(all)[c("task", "split", "measure", "value")])), 8L)
  expect_identical(bench$n_selected[bench$selector == "short"], pmin(bench$k[bench$selector == "short"], 2L))
  # Two tasks x two splits: once with all features, and twice for the two sizes of the short selection.
  expect_identical(counter$fit, 4L + 8L)
  expect_identical(counter$fitted[[2]], "f3")
  expect_identical(counter$fitted[[3]], c("f3", "f1"))

  expect_message(none <- run(k = 100), "give no rows")
  expect_identical(dim(none), c(0L, 9L))
  expect_s3_class(none, "mlbenchmark")
})

test_that("shares of the features", {
  bench <- withr::with_seed(1, benchmark_selectors(numbered_task(1, d = 10), sel_mim(), lrn_brknn(),
    rs_holdout(repeats = 1),
    prop = c(0.7, 0.01, 0.29), measures = "hamming_loss",
    progress = FALSE))
  expect_identical(bench$k, c(1L, 2L, 7L))
  expect_identical(bench$prop, c(0.01, 0.29, 0.7))
  expect_identical(bench$task, rep("task1", 3))
})

test_that("failures are rows of NA and have a reason; the rest goes on", {
  picky <- sel_custom("picky", function(task, k) if (features(task)[1, 5] < 2) stop("the first row is here") else 5:1)
  no_fit <- lrn_custom(
    "no fit", function(x, y) if (ncol(x) == 2) stop("two is too many") else 1,
    function(model, x) matrix(0.5, nrow(x), 2)
  )
  no_predict <- lrn_custom("no predict", function(x, y) 1, function(model, x) stop("cannot tell"))
  no_value <- msr_custom("no value", function(truth, response) stop("unmeasurable"))
  said <- capture_messages(expect_warning(bench <- run(tasks = list(a = numbered_task(1)),
    selectors = list(picky, sel_mim()), learners = list(no_fit, no_predict, lrn_brknn()),
    measures = list("hamming_loss", no_value), resampling = rs_cv(4)), "119 of 144 values"))
  # Each that fails is named once, with the cause, when it fails for the first time.
  expect_length(said, 3L)
  of <- function(what) grep(paste0(what, " failed on task \"a\", split \"fold[1-4]\""), said, value = TRUE)
  expect_match(of("Selector \"picky\""), "the first row is here")
  expect_match(of("Learner \"no fit\""), "with 2 features of \"(picky|MIM-BR)\"[.].*two is too many")
  expect_match(of("Learner \"no predict\""), "cannot tell")
  failed <- failures(bench)
  expect_named(failed, c("task", "split", "selector", "learner", "stage", "message"))
  at <- function(selector) failed[failed$selector == selector & failed$split == "fold1", ]
  expect_identical(sum(failed$stage == "select"), 3L)
  expect_match(failed$message[failed$stage == "select"], "the first row is here")
  expect_setequal(at("MIM-BR")$stage, c("fit", "measure", "predict"))
  expect_match(at("MIM-BR")$message[at("MIM-BR")$stage == "fit"], "two is too many")
  expect_match(at("MIM-BR")$message[at("MIM-BR")$stage == "predict"], "cannot tell")
  expect_match(at("MIM-BR")$message[at("MIM-BR")$stage == "measure"], "^no value: .*unmeasurable")

  is_picky <- bench$selector == "picky" & bench$split %in% failed$split[failed$stage == "select"]
  expect_true(all(is.na(bench$value[is_picky | bench$learner == "no predict" | bench$measure == "no value"])))
  expect_false(anyNA(bench$value[!is_picky & bench$learner == "BR-kNN" & bench$measure == "hamming_loss"]))
  expect_identical(is.na(bench$value[!is_picky & bench$learner == "no fit" & bench$measure == "hamming_loss"]),
    bench$k[!is_picky & bench$learner == "no fit" & bench$measure == "hamming_loss"] == 2)
})

test_that("a warning says where it came first, once for each task", {
  noisy <- sel_custom("noisy", function(task, k) {
    warning("not sure")
    seq_len(ncol(task))
  })
  warnings <- testthat::capture_warnings(run(selectors = noisy))
  expect_length(warnings, 2L)
  expect_match(warnings[1L], 'Task "a", split "repeat1", selector "noisy".*not sure')
  expect_match(warnings[2L], 'Task "b", split "repeat1", selector "noisy".*not sure')
})

test_that("a measure without a value on the test rows is listed with the failures", {
  task <- numbered_task(1)
  task$targets$values[13:24, ] <- 0L
  never <- msr_custom("never", function(truth, response) NA)
  expect_warning(bench <- run(
    tasks = list(a = task), selectors = sel_mim(), resampling = rs_fixed(1:12, 13:24),
    measures = list("macro_auc", never, "hamming_loss")
  ), "6 of 9 values")
  expect_identical(is.na(bench$value), bench$measure != "hamming_loss")
  failed <- failures(bench)
  expect_identical(unique(failed$stage), "measure")
  expect_setequal(sub("rows[.].*", "rows.", failed$message), c(
    "macro_auc: not defined on the test rows.", "never: not defined on the test rows."
  ))
  expect_match(failed$message, "(None|All) of them have label", all = FALSE)
})

test_that("an infinite value of a measure is none, and ties with nothing", {
  huge <- msr_custom("huge", function(truth, response) if (sum(response) > 4) Inf else -Inf)
  nan <- msr_custom("nan", function(truth, response) NaN)
  expect_warning(bench <- run(selectors = sel_mim(), measures = list("hamming_loss", huge, nan)), "missing")
  expect_identical(is.na(bench$value), bench$measure != "hamming_loss")
  expect_false(any(is.nan(bench$value)))
  expect_setequal(failures(bench)$message, c("huge: infinite on the test rows.", "nan: not defined on the test rows."))
})

test_that("users' own measures are measured, under their names", {
  twice <- msr_custom("twice", function(truth, response) 2 * mean(truth != response), range = c(0, 2))
  bench <- run(measures = list("hamming_loss", double = twice))
  expect_identical(attr(bench, "measures")$measure, c("hamming_loss", "double"))
  expect_equal(bench$value[bench$measure == "double"], 2 * bench$value[bench$measure == "hamming_loss"])
  expect_identical(attr(bench, "measures")$range_high, c(1, 2))
})

test_that("one resampling for each task, and imputation learned on training rows", {
  bench <- run(resampling = list(b = rs_cv(3), a = rs_fixed(1:12, 13:24)))
  expect_identical(unique(bench$split[bench$task == "a"]), "fixed")
  expect_identical(unique(bench$split[bench$task == "b"]), paste0("fold", 1:3))

  seen <- new.env()
  fit.test_imputer <- function(object, task, ...) {
    seen$rows <- c(seen$rows, nrow(task))
    structure(list(), class = "test_imputed")
  }
  predict.test_imputed <- function(object, task, ...) {
    task$x[is.na(task$x)] <- 0
    task
  }
  registerS3method("fit", "test_imputer", fit.test_imputer, envir = asNamespace("generics"))
  registerS3method("predict", "test_imputed", predict.test_imputed, envir = asNamespace("stats"))
  task <- numbered_task(1)
  task$x[3, 2] <- NA
  filled <- task
  filled$x[3, 2] <- 0
  imputer <- structure(list(name = "zero"), class = "test_imputer")
  imputed <- run(tasks = list(a = task), impute = imputer)
  expect_identical(table_of(imputed), table_of(run(tasks = list(a = filled))))
  expect_identical(seen$rows, attr(imputed, "splits")$n_train)
  expect_identical(attr(imputed, "protocol")$impute, "zero")
})

test_that("bad arguments are refused before anything is run", {
  task <- numbered_task(1)
  expect_snapshot(error = TRUE, {
    run(tasks = list())
    run(tasks = list(task, 1))
    run(selectors = sel_mim)
    run(selectors = list(sel_mim(), sel_mim()))
    run(learners = "ML-kNN")
    run(resampling = rs_cv)
    run(resampling = list(a = rs_cv(3)))
    run(resampling = list(a = rs_cv(3), b = rs_cv(3), d = rs_cv(3)))
    run(resampling = rs_cv(100))
    run(k = 0)
    run(k = 1.5)
    run(k = "all")
    run(k = NULL)
    run(prop = 0.5)
    run(k = NULL, prop = 0)
    run(measures = "haming_loss")
    run(discretizer = 5)
    run(impute = "mean")
    run(progress = NA)
    run(folder = 1)
  })
})

test_that("arguments that are left out are named, with an example", {
  task <- numbered_task(1)
  expect_error(benchmark_selectors(), "`tasks` must be given", class = "mlsift_error")
  expect_error(
    benchmark_selectors(task, sel_mim(), lrn_brknn(), rs_cv(3), k = 1:2), "`measures` must be given.*hamming_loss",
    class = "mlsift_error"
  )
})

test_that("empty objects of our classes are refused by name", {
  hollow <- function(class) structure(list(), class = class)
  task <- simulate_mltask(20, n_features = 3, n_targets = 2)
  call <- function(...) {
    valid <- list(tasks = task, selectors = sel_mim(), learners = lrn_brknn(), resampling = rs_cv(2), k = 1:2,
      measures = "hamming_loss", progress = FALSE)
    valid[names(list(...))] <- list(...)
    do.call(benchmark_selectors, valid)
  }
  expect_error(call(tasks = hollow("mltask")), "`tasks` must be of class.*It is empty", class = "mlsift_error")
  expect_error(call(tasks = list(a = task, b = hollow("mltask"))), "`tasks\\[\\[2\\]\\]` must be of class",
    class = "mlsift_error")
  expect_error(call(selectors = list(hollow("mlselector"))), "selectors\\[\\[1\\]\\]` must be of class",
    class = "mlsift_error")
  expect_error(call(learners = list(hollow("mlbytask"))), "must be of class", class = "mlsift_error")
  expect_error(msr_arrmse(cbind(1:3), cbind(2:4), train_mean = hollow("mltask")), "`train_mean` must be of class",
    class = "mlsift_error")
})

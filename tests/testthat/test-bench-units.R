plan_of <- function(task, selectors, learners, k = 1:2) {
  benchmark <- list(
    tasks = list(a = task), selectors = selectors, learners = learners, measures = resolve_measures("hamming_loss"),
    grids = list(a = data.frame(k = k, prop = NA_real_)),
    splits = list(a = list(only = list(train = 1:16, test = 17:24))), number = 0.5, discretizer = disc_equal_width(3)
  )
  key <- list(task = "a", split = "only", selector = names(selectors)[1])
  list(key = key, job = new_job(benchmark, key, split_data(benchmark, key)))
}

test_that("a unit is a function of its job: stages give what they found and leave what they got alone", {
  plan <- plan_of(numbered_task(1), list(one = sel_random()), list(a = lrn_brknn(), b = lrn_mlknn(3)))
  empty <- new_unit(plan$key)
  chosen <- select_unit(empty, plan$job)
  expect_identical(chosen$selection$index, select_unit(empty, plan$job)$selection$index)
  expect_null(empty$selection)
  expect_null(select_unit(chosen, plan$job))
  learned <- evaluate_unit(chosen, plan$job, "b")
  expect_identical(
    learned$values[c("learner", "n", "measure")], data.frame(learner = "b", n = 1:2, measure = "hamming_loss")
  )
  expect_identical(evaluate_unit(chosen, plan$job, "b")$values, learned$values)
  expect_null(evaluate_unit(learned, plan$job, "b"))
  expect_identical(evaluate_unit(learned, plan$job, "a")$values$learner, c("b", "b", "a", "a"))
})

test_that("what is finished is kept after each stage, once", {
  plan <- plan_of(
    numbered_task(1), list(one = sel_mim()),
    list(a = lrn_brknn(), b = lrn_custom("stop", function(x, y) rlang::interrupt(), mean))
  )
  kept <- list()
  keep <- function(unit) kept <<- c(kept, list(unit))
  stopped <- tryCatch(complete_unit(new_unit(plan$key), plan$job, keep), interrupt = function(e) "stopped")
  expect_identical(stopped, "stopped")
  expect_length(kept, 2)
  expect_identical(nrow(kept[[1]]$values), 0L)
  expect_identical(unique(kept[[2]]$values$learner), "a")
  plan$job$learners$b <- lrn_mlknn(3)
  complete_unit(kept[[2]], plan$job, keep)
  expect_length(kept, 3)
  expect_identical(unique(kept[[3]]$values$learner), c("a", "b"))
  complete_unit(kept[[3]], plan$job, keep)
  expect_length(kept, 3)
})

test_that("a selection that fails is kept, and no learner is run", {
  plan <- plan_of(
    numbered_task(1), list(one = sel_custom("broken", function(task, k) stop("no"))),
    list(a = lrn_custom("never", function(x, y) rlang::interrupt(), mean))
  )
  kept <- list()
  keep <- function(unit) kept <<- c(kept, list(unit))
  expect_warning(unit <- complete_unit(new_unit(plan$key), plan$job, keep), class = "mlsift_unit_failures")
  expect_no_warning(complete_unit(unit, plan$job, keep))
  expect_length(kept, 1)
  expect_identical(kept[[1]]$failures$stage, "select")
})

test_that("a selection without features is a failure of the learner alone", {
  withr::local_seed(1)
  # No feature of noise is among the first in all subsamples.
  task <- mltask(matrix(stats::rnorm(240), 24), matrix(stats::rbinom(48, 1, 0.5), 24))
  plan <- plan_of(task, list(one = sel_bagged(sel_random(), n = 20, threshold = 1)), list(a = lrn_brknn()))
  expect_warning(unit <- complete_unit(new_unit(plan$key), plan$job, identity), class = "mlsift_unit_failures")
  expect_identical(nrow(unit$selection), 0L)
  expect_identical(unit$values[c("learner", "n", "value")], data.frame(learner = "a", n = 0L, value = NA_real_))
  expect_identical(unit$failures$stage, "fit")
  expect_identical(unit$failures$message, "The selector gave no features.")
})

test_that("an attempt that gives nothing has a message", {
  expect_identical(attempt(1:3), list(value = 1:3))
  expect_identical(attempt(NULL), list(message = "The result is NULL."))
  expect_identical(attempt(stop("no")), list(message = "no"))
})

test_that("the rows of a split are those of its task and split, in whatever order units come", {
  tasks <- list(a = numbered_task(1), b = numbered_task(2), c = numbered_task(3, n = 30))
  rows <- function(n, from) list(train = setdiff(seq_len(n), from + 0:5), test = from + 0:5)
  plan <- list(
    tasks = tasks, number = 0.5, impute = "none", discretizer = disc_equal_width(3), kept = new.env(),
    splits = lapply(tasks, \(task) list(one = rows(nrow(task), 1), two = rows(nrow(task), 9)))
  )
  plan$tasks$b$x[2, 1] <- NA
  plan$impute <- impute_mean()
  keys <- expand.grid(selector = c("s", "t"), split = c("one", "two"), task = names(tasks), stringsAsFactors = FALSE)
  keys <- lapply(seq_len(nrow(keys)), \(i) as.list(keys[i, c("task", "split", "selector")]))
  withr::local_seed(1)
  for (key in c(keys, sample(keys, 40, replace = TRUE))) {
    kept <- kept_split(plan, key)
    expect_identical(kept$data(), make_split_data(plan, key))
    test <- plan$splits[[key$task]][[key$split]]$test
    expect_identical(unname(kept$data()$test$x[, 5]), test + 0.5)
  }
  # The next selector of a split gets the same object, which keeps what was made.
  again <- replace(key, "selector", "other")
  expect_identical(kept_split(plan, again)$rows, kept_split(plan, key)$rows)
})

test_that("with one split each, every task of a benchmark has the values that it has alone", {
  tasks <- list(a = numbered_task(1), b = numbered_task(2), c = numbered_task(3))
  run <- function(tasks, resampling, ...) withr::with_seed(1, benchmark_selectors(
    tasks, list(sel_mim(), sel_random()), list(lrn_brknn(), lrn_nb()), resampling, 1:3,
    c("hamming_loss", "ranking_loss"), progress = FALSE, ...
  ))
  for (resampling in first_or_all(list(rs_holdout(0.6, 1), rs_cv(2)), 1)) {
    together <- run(tasks, resampling)
    alone <- lapply(names(tasks), \(name) run(tasks[name], resampling))
    expect_identical(table_of(together), do.call(rbind, lapply(alone, table_of)), ignore_attr = TRUE)
    expect_identical(selections(together)$feature, unlist(lapply(alone, \(bench) selections(bench)$feature)))
    by_task <- split(together$value, together$task)
    expect_false(identical(by_task$a, by_task$b) || identical(by_task$b, by_task$c))
    # So it is in a folder, for a process that begins it and for one that joins it.
    folder <- withr::local_tempdir()
    expect_identical(run(tasks, resampling, folder = folder)$value, together$value)
    unlink(list.files(file.path(folder, "units"), full.names = TRUE))
    join_benchmark(folder, progress = FALSE)
    expect_identical(run(tasks, resampling, folder = folder)$value, together$value)
  }
})

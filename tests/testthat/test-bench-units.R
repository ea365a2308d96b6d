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
  for (i in 1:2) unit <- complete_unit(if (i == 1) new_unit(plan$key) else unit, plan$job, keep)
  expect_length(kept, 1)
  expect_identical(kept[[1]]$failures$stage, "select")
})

test_that("a selection without features is a failure of the learner alone", {
  withr::local_seed(1)
  # No feature of noise is among the first in all subsamples.
  task <- mltask(matrix(stats::rnorm(240), 24), matrix(stats::rbinom(48, 1, 0.5), 24))
  plan <- plan_of(task, list(one = sel_bagged(sel_random(), n = 20, threshold = 1)), list(a = lrn_brknn()))
  unit <- complete_unit(new_unit(plan$key), plan$job, identity)
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

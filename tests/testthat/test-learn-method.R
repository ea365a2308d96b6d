good <- function(...) {
  given <- list(
    method = "mine", constructor = "lrn_mine()", name = "Mine", kinds = "label", source = "me",
    fit = function(task, params, prefixes, threads) NULL,
    predict = function(state, x, params, prefixes, threads) NULL
  )
  on.exit(registry$learners$mine <- NULL)
  do.call(register_learner, utils::modifyList(given, list(...)))
}

# A learner of a method that is there for the test alone.
with_method <- function(predict, code, ...) {
  fit <- function(task, params, prefixes, threads) list()
  register_learner(
    "test_method", constructor = "lrn_test()", name = "Test", kinds = "label", source = "a test", fit = fit,
    predict = predict, ...
  )
  on.exit(registry$learners$test_method <- NULL)
  code(new_learner("Test", "test_method"))
}

test_that("a description is checked when it is registered", {
  expect_identical(good()$curve, FALSE)
  expect_identical(good(curve = TRUE, kinds = c("label", "class"))$curve, TRUE)
  expect_length(good(constructor = c("lrn_a()", "lrn_b()"), name = c("A", "B"))$name, 2)
  wrong <- list(
    method = 1, name = "", source = c("a", "b"), kinds = "labels", kinds = character(), fit = "fit",
    predict = function(model, x) NULL, fit = function() NULL, check = function(task) NULL, curve = NA, weights = 1
  )
  for (i in seq_along(wrong)) expect_error(do.call(good, wrong[i]), names(wrong)[i])
  expect_null(registered("learners", "mine"))
})

test_that("every method of the package is described in full", {
  for (method in registry$learners) {
    expect_named(method, names(formals(register_learner)))
  }
})

test_that("answers of any method are checked as those of users' functions are", {
  task <- numbered_task(1)
  expect_snapshot(error = TRUE, {
    with_method(function(state, x, params, prefixes, threads) list(list(score = matrix(NA_real_, nrow(x), 2))),
      function(learner) {
        predict(fit(learner, task), task)
      })
    with_method(function(state, x, params, prefixes, threads) list(list(response = matrix(2L, nrow(x), 2))),
      function(learner) {
        predict(fit(learner, task), task)
      })
    with_method(
      function(state, x, params, prefixes, threads) list(), function(learner) predict(fit(learner, task), task)
    )
  })
})

test_that("an unknown method is called unknown, in a benchmark before anything is run", {
  task <- numbered_task(1)
  odd <- new_learner("Odd", "odd")
  counter <- new.env()
  expect_snapshot(error = TRUE, {
    fit(odd, task)
    benchmark_selectors(
      task, counting_selector(counter), odd, rs_holdout(repeats = 1), k = 1, measures = "hamming_loss"
    )
  })
  expect_identical(counter$select, 0L)
})

test_that("the first element that is not as expected is found", {
  expect_identical(first_bad(matrix(c(1, 0, 2, NA), 2), "0 or 1"), 3)
  expect_identical(first_bad(matrix(c(TRUE, NA), 2), "0 or 1"), 2)
  expect_identical(first_bad(matrix(c("1", "x"), 2), "0 or 1"), 2L)
  expect_identical(first_bad(matrix(c(1, NaN), 2), "numbers"), 2L)
  expect_identical(first_bad(matrix("a"), "numbers"), 1)
  expect_identical(first_bad(matrix(c("a", NA)), "categories"), 2L)
  expect_identical(first_bad(matrix(c(1, Inf)), "numbers"), 0)
})

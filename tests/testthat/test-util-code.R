made_again <- function(x) eval(parse(text = value_code(x), keep.source = FALSE))

test_that("specifications held by others are written as the calls that make them", {
  for (spec in list(
    sel_mim(), lrn_mlknn(7), disc_equal_frequency(3), rs_holdout(0.8, 1), impute_mean(), stop_permutation(50), lrn_lp(),
    sel_chi2("ppt"), rs_cv(3, group = NULL)
  )) {
    expect_equal(made_again(spec), spec)
    expect_equal(made_again(list(3, spec)), list(3, spec))
    expect_equal(made_again(list(`a b` = spec, c = list(spec, "x"))), list(`a b` = spec, c = list(spec, "x")))
  }
  expect_identical(value_code(lrn_mlknn(7)), "lrn_mlknn(neighbors = 7)")
  expect_identical(value_code(list(lrn_lp(), k = sel_mim())), "list(lrn_lp(), k = sel_mim())")
  expect_identical(made_again(list(a = 1:3, "b")), list(a = 1:3, "b"))
})

test_that("values are written to the last bit, with their names", {
  values <- list(
    1 / 3, c(0.1 + 0.2, 1e-300, 1e5), c(a = 1 / 3, `b "c"` = 2), setNames(1:3, c("x", "y\\z", "`w`")),
    c(2, NA, Inf), 1.5 + 1:3,
    c(a = "p\"q", b = "\u00e9\\n"), list(c(a = 1 / 3), list("x", NULL)), c(TRUE, NA), NULL, character(), 5L,
    matrix(c(1 / 3, 2, 3, 5), 2, dimnames = list(NULL, c("a b", "c"))), matrix(c(1, 2.5), 1)
  )
  for (value in values) expect_equal(made_again(value), value, tolerance = 0)
  for (spec in list(lrn_brlr(1 / 3), lrn_brlr(0.0001 * (1 + 1e-9)), choice_control(costs = c(`a b` = 1, c = 2)),
    sel_mtl(alpha = 1 - 1e-12), measure("macro_f1", empty = 1 / 3), choice_control(costs = c(a = 1, b = 2, c = 3)))) {
    expect_equal(made_again(spec), spec, tolerance = 0)
  }
})

test_that("users' own learners, selectors and measures are too", {
  learner <- lrn_custom(
    "Mine", function(x, y) colMeans(y), function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE)
  )
  selector <- sel_custom("Own", function(task, k) seq_len(ncol(task)), returns = "order", codes = TRUE)
  measure <- msr_custom("half", function(truth, response) 0.5)
  again <- made_again(list(learner = learner, list(selector, measure)))
  task <- numbered_task(1)
  expect_identical(predict(fit(again$learner, task), task), predict(fit(learner, task), task))
  expect_identical(again$learner$name, "Mine")
  expect_identical(again[[2]][[1]][c("name", "method")], selector[c("name", "method")])
  expect_identical(again[[2]][[1]]$params$fun(task, 2), 1:5)
  expect_identical(again[[2]][[2]]$fun(1, 1), 0.5)
})

test_that("a specification that holds others is written whole", {
  lrn_wrapped <- function(inner, members = list(), smooth = 1) NULL
  others <- spec_constructor
  local_mocked_bindings(spec_constructor = function(spec) {
    if (spec$method == "wrapped") structure(lrn_wrapped, name = "lrn_wrapped") else others(spec)
  }, .package = "mlsift")
  spec <- new_learner(
    "Wrapped", "wrapped", list(inner = lrn_brknn(5), members = list(sel_mim(), sel_none()), smooth = 1)
  )
  expect_identical(
    spec_code(spec), "lrn_wrapped(inner = lrn_brknn(neighbors = 5), members = list(sel_mim(), sel_none()))"
  )
  expect_match(
    learner_title(new_learner("Wrapped", "wrapped", list(inner = lrn_brknn(5)))), "inner = BR-kNN", fixed = TRUE
  )
})

test_that("code with names that a locale cannot show can be parsed, and names the same", {
  names <- c("a", "b c", "t\u00fc", "zero\u200bwidth", "back\\\\u`tick")
  for (locale in c("C.UTF-8", "C")) {
    code <- withr::with_locale(c(LC_CTYPE = locale), value_code(stats::setNames(1:5, names)))
    expect_identical(names(eval(parse(text = code, encoding = "UTF-8")[[1L]])), names)
  }
})

# Generics whose `...` are other objects, positions, or what a framework passes.
with_dots_of_their_own <- c(
  "[<-", "[[<-", "cbind", "rbind", "plain_data", "knit_print", "record_print", "prep", "bake", "tunable",
  "required_pkgs"
)

test_that("no method swallows an argument that it does not know", {
  table <- getNamespaceInfo("mlsift", "S3methods")
  checked <- 0L
  for (row in seq_len(nrow(table))) {
    generic <- table[row, 1L]
    class <- table[row, 2L]
    if (generic %in% with_dots_of_their_own) next
    method <- get(table[row, 3L], asNamespace("mlsift"))
    if (!"..." %in% names(formals(method))) next
    if (paste(generic, class) %in% c("as_mltask default", "[ mlselection", "[ mlbenchmark")) next
    call <- as.call(list(method, structure(list(), class = class), no_such_argument = 1))
    expect_error(eval(call), "no_such_argument", class = "mlsift_error", info = paste(generic, class))
    checked <- checked + 1L
  }
  expect_gt(checked, 70L)
})

test_that("the error names the function and the nearest argument", {
  withr::local_seed(1)
  task <- simulate_mltask(60, 5, 2)
  model <- fit(lrn_nb(), task)
  expect_snapshot(error = TRUE, {
    fit(lrn_nb(), task, weights = rep(1, 60))
    mlsift::fit(lrn_nb(), task, threds = 1)
    predict(model, task, type = "prob")
    head(task, 3, 4)
    print(task, digits = 3)
    as_mltask(task, nam = "a")
  })
})

test_that("what R itself passes is accepted", {
  withr::local_seed(2)
  task <- simulate_mltask(60, 5, 2)
  selection <- sift_features(task, sel_mim(), k = 3)
  expect_identical(nrow(data.frame(selection, more = 1:3)), 3L)
  expect_identical(nrow(as.data.frame(selection, stringsAsFactors = FALSE)), 3L)
  expect_identical(dim(data.frame(task)), c(60L, 7L))
  expect_identical(dim(task[1:2, , drop = FALSE]), dim(task[1:2, ]))
  expect_output(print(list(task, list(lrn_nb()), selection), digits = 3, quote = FALSE), "<mllearner>")
  expect_error(capture.output(print(list(task), no_such_argument = 3)), "no_such_argument", class = "mlsift_error")
  expect_error(print(task, digits = 3), "digits", class = "mlsift_error")
})

test_that("exported functions use their dots or refuse them", {
  task <- simulate_mltask(20, 3, 2)
  functions <- Filter(function(name) "..." %in% names(formals(get(name, asNamespace("mlsift")))),
    getNamespaceExports("mlsift"))
  is_generic <- function(name) "UseMethod" %in% all.names(body(get(name, asNamespace("mlsift"))))
  searches <- c("sel_rga", "sel_ga_explore", "sel_mamfs", "sel_nsga2", "sel_mpsofs", "sel_sequential")
  choices <- c("tune_selection", "choice_control", "sift", "answer_control")
  expect_setequal(
    Filter(Negate(is_generic), functions),
    c("by_task", "impute_mean", "measure", "step_sift", "reproduce", searches, choices)
  )
  for (search in searches) {
    expect_error(get(search)(no_such_argument = 1), "no_such_argument", class = "mlsift_error")
  }
  expect_error(choice_control(no_such_argument = 1), "no_such_argument", class = "mlsift_error")
  expect_error(answer_control(no_such_argument = 1), "no_such_argument", class = "mlsift_error")
  expect_error(sift(task, no_such_argument = 1), "no_such_argument", class = "mlsift_error")
  expect_error(tune_selection(task, no_such_argument = 1), "no_such_argument", class = "mlsift_error")
  expect_error(impute_mean(no_such_argument = 1), class = "mlsift_error")
  expect_error(by_task(no_such_argument = 1), class = "mlsift_error")
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(Species ~ ., iris)
  expect_error(step_sift(recipe, selctor = sel_mim()), "Did you mean `selector`", class = "mlsift_error")
  step <- step_sift(recipe, recipes::all_predictors(), k = 2)
  expect_no_error(utils::capture.output(print(step), type = "message"))
})

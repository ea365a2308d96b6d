two_tasks <- function() list(a = numbered_task(1), b = numbered_task(2))

run <- function(tasks, selectors, learners = lrn_brknn(), ...) withr::with_seed(1, benchmark_selectors(
  tasks, selectors, learners, rs_holdout(repeats = 2), 1:3, "hamming_loss", progress = FALSE, ...
))

test_that("each task gets its own selector, learner and discretizer", {
  tasks <- two_tasks()
  got <- run(
    tasks, list(x = by_task(a = sel_mim(), b = sel_mfs())),
    list(l = by_task(a = lrn_brknn(1), otherwise = lrn_brknn(5))),
    discretizer = by_task(a = disc_equal_width(2), b = disc_equal_width(4))
  )
  # One task alone, with the same names, gives the same values: streams depend on names only.
  for (task in names(tasks)) {
    alone <- run(
      tasks[task], list(x = if (task == "a") sel_mim() else sel_mfs()), list(l = lrn_brknn(if (task == "a") 1 else 5)),
      discretizer = disc_equal_width(if (task == "a") 2 else 4)
    )
    expect_identical(got$value[got$task == task], alone$value)
    picked <- selections(got)
    expect_identical(picked$feature[picked$task == task], selections(alone)$feature)
  }
  code <- attr(got, "protocol")$call
  expect_match(code, "x = by_task(a = sel_mim(), b = sel_mfs())", fixed = TRUE)
  expect_match(code, "otherwise = lrn_brknn(", fixed = TRUE)
  expect_match(attr(got, "protocol")$discretizer, "^a: .*; b: ")
})

test_that("folders keep by_task() and refuse another choice", {
  folder <- withr::local_tempdir()
  tasks <- two_tasks()
  chosen <- list(EBLS = by_task(a = sel_ebls(1), b = sel_ebls(2)))
  first <- run(tasks, chosen, folder = folder)
  expect_identical(run(tasks, chosen, folder = folder), first)
  expect_identical(read_benchmark(folder), first)
  expect_error(run(tasks, list(EBLS = by_task(a = sel_ebls(2), b = sel_ebls(2))), folder = folder),
    "has other parameters", class = "mlsift_error")
})

test_that("wrong choices are refused", {
  tasks <- two_tasks()
  refuse <- function(code, text) expect_error(code, text, class = "mlsift_error")
  refuse(by_task(), "There are none")
  refuse(by_task(sel_mim()), "Number 1 has no name")
  refuse(by_task(a = sel_mim(), a = sel_mfs()), "must differ")
  refuse(by_task(a = sel_mim(), b = lrn_brknn()), "must be selectors, or all learners")
  refuse(by_task(a = 1), "must be selectors, or all learners")
  refuse(run(tasks, list(x = by_task(a = sel_mim()))), "there is none for \"b\"")
  refuse(run(tasks, list(sel_mim()), discretizer = by_task(a = disc_auto())), "there is none for \"b\"")
  refuse(run(tasks, list(sel_mim()), discretizer = by_task(otherwise = disc_auto())), "There are none")
  refuse(run(tasks, list(sel_mim()), discretizer = by_task(a = sel_mim(), b = sel_mim())), "mldiscretizer")
  refuse(run(tasks, by_task(a = lrn_brknn(), b = lrn_brknn())), "must be a list of objects of class")
  expect_output(print(by_task(a = sel_ebls(3), otherwise = sel_mim())), "a: EBLS (n_labels = 3", fixed = TRUE)
})

test_that("learners get features that a discretizer has learned from the training rows", {
  task <- numbered_task(3)
  seen <- new.env()
  learner <- lrn_custom("look",
    fit = function(x, y) {
      seen$train <- c(seen$train, list(x))
      colMeans(y)
    },
    predict = function(model, x) {
      seen$test <- c(seen$test, list(x))
      matrix(model, nrow(x), length(model), byrow = TRUE)
    }
  )
  got <- run(list(t = task), list(sel_none()), learner, learner_discretizer = disc_equal_width(3))
  splits <- seen$train
  for (i in seq_along(splits)) {
    train <- as.data.frame(splits[[i]])
    expect_lte(max(vapply(train, function(v) length(unique(v)), 1L)), 3L)
    test <- as.data.frame(seen$test[[i]])
    for (f in names(train)) expect_true(all(test[[f]] %in% c(levels(train[[f]]), train[[f]], 1:3)))
  }
  # The same as discretizing by hand.
  rows <- withr::with_seed(1, {
    number <- stats::runif(1)
    with_stream(list(number, "splits", "t"), split_rows(task, rs_holdout(repeats = 2)))
  })
  fitted <- fit(disc_equal_width(3), task[rows$repeat1$train, ])
  model <- fit(lrn_nb(), predict(fitted, task[rows$repeat1$train, ]))
  test <- task[rows$repeat1$test, ]
  by_hand <- evaluate(predict(model, predict(fitted, test)), test, "hamming_loss")
  bench <- run(list(t = task), list(sel_none()), lrn_nb(), learner_discretizer = disc_equal_width(3))
  expect_identical(bench$value[bench$split == "repeat1"][1], by_hand$value)
  expect_match(attr(bench, "protocol")$call, "learner_discretizer = disc_equal_width(", fixed = TRUE)
  expect_error(run(list(t = task), list(sel_mim()), learner_discretizer = 3), "`learner_discretizer` must be of class",
    class = "mlsift_error")
})

test_that("a discretizer that fails for learners is a failure of the learner", {
  task <- mltask(data.frame(a = c(NA, 2:20 / 7), b = 20:1 / 3), rep(0:1, 10))
  got <- suppressWarnings(benchmark_selectors(
    list(t = task), list(sel_random()), lrn_nb(), rs_fixed(1:15, 16:20), 1, "hamming_loss", discretizer = NULL,
    learner_discretizer = disc_equal_width(2)
  ))
  expect_true(is.na(got$value))
  expect_identical(failures(got)$stage, "discretize")
})

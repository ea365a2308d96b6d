searched_tasks <- function() {
  withr::with_seed(1, list(
    a = simulate_mltask(60, n_features = 12, n_targets = 3), b = simulate_mltask(50, n_features = 10, n_targets = 3)
  ))
}

rga <- function(...) sel_rga(population = 6, evaluations = 14, ...)

run_searches <- function(..., seed = 1, tasks = searched_tasks(), selectors = list(rga(), sel_scls()),
                         learners = list(lrn_nb()), resampling = rs_holdout(repeats = 2), k = c(2, 4),
                         measures = "hamming_loss") {
  withr::with_seed(
    seed, benchmark_selectors(tasks, selectors, learners, resampling, k, measures, ..., progress = FALSE)
  )
}

# Everything but the seconds and the session.
without_seconds <- function(bench) {
  attr(bench, "protocol")$session <- NULL
  attr(bench, "timings")$seconds <- NULL
  attr(bench, "searches")$seconds <- NULL
  bench
}

history_of <- function(bench, selector) {
  history <- search_history(bench)
  history[history$selector == selector, ]
}

test_that("each bound of the number of features is a search of its own", {
  bench <- run_searches()
  found <- bench[bench$selector == "RGA", ]
  expect_true(all(found$n_selected <= found$k))
  expect_false(anyNA(found$value))
  history <- search_history(bench)
  expect_identical(unique(history$selector), "RGA")
  expect_setequal(history$k, c(2L, 4L))
  expect_true(all(history$n_features <= history$k))
  sizes <- aggregate(list(n = history$evaluation), history[c("task", "split", "k")], length)
  expect_identical(nrow(sizes), 8L)
  expect_true(all(sizes$n == 14L))
  expect_identical(unique(history$measure), "hamming_loss")
})

test_that("the same numbers come from sift_features() and assess_features()", {
  tasks <- searched_tasks()
  rows <- list(train = 1:40, test = 41:60)
  bench <- run_searches(tasks = tasks["a"], resampling = rs_fixed(rows$train, rows$test), k = 4)
  found <- selections(bench)
  found <- found[found$selector == "RGA", ]
  expect_true(all(is.na(found$rank)))
  expect_identical(nrow(found), bench$n_selected[bench$selector == "RGA"])
  value <- assess_features(tasks$a, found$feature, lrn_nb(), "hamming_loss", rs_fixed(rows$train, rows$test))$value
  expect_identical(bench$value[bench$selector == "RGA"], value)
})

test_that("max_features below k shares one set", {
  bench <- run_searches(selectors = list(rga(max_features = 3)), k = c(2, 3, 5, 8))
  expect_setequal(search_history(bench)$k, c(2L, 3L))
  values <- tapply(bench$value, list(paste(bench$task, bench$split), bench$k), identity)
  expect_identical(values[, "3"], values[, "5"])
  expect_identical(values[, "3"], values[, "8"])
})

test_that("selections() has the set of the largest bound", {
  bench <- run_searches()
  at <- bench[bench$selector == "RGA" & bench$k == 4, ]
  found <- selections(bench)
  found <- found[found$selector == "RGA", ]
  n <- table(paste(found$task, found$split))
  expect_identical(as.integer(n[paste(at$task, at$split)]), at$n_selected)
  only <- selections(run_searches(k = 4))
  expect_identical(found$feature, only$feature[only$selector == "RGA"])
})

test_that("all searches of a split start from the same population", {
  bench <- run_searches(
    selectors = list(rga(), sel_ga_explore(population = 6, evaluations = 14), sel_scls()), resampling = rs_cv(2)
  )
  first <- function(selector) {
    history <- history_of(bench, selector)
    history[history$evaluation <= 6, c("task", "split", "k", "evaluation", "value", "n_features")]
  }
  expect_identical(first("GA+SCLS"), first("RGA"), ignore_attr = "row.names")
  expect_false(identical(first("RGA")$value[1:6], first("RGA")$value[13:18]))
})

test_that("a folder changes nothing, and what is missing is added", {
  folder <- withr::local_tempdir()
  whole <- run_searches(folder = folder)
  expect_identical(without_seconds(whole), without_seconds(run_searches()))
  expect_identical(run_searches(folder = folder, seed = 9), whole)

  counter <- new.env()
  counted <- list(rga(counting_learner(counter)))
  call <- function(k, ...) {
    counter$fit <- 0L
    run_searches(tasks = searched_tasks()["a"], selectors = counted, k = k, ...)
  }
  folder <- withr::local_tempdir()
  call(2, folder = folder)
  expect_identical(counter$fit, 28L)
  more <- call(c(2, 4), folder = folder)
  expect_identical(counter$fit, 28L)
  expect_identical(without_seconds(more), without_seconds(call(c(2, 4))))
  call(c(2, 4), folder = folder)
  expect_identical(counter$fit, 0L)
})

test_that("a benchmark that was interrupted in a search gives the same in the end", {
  folder <- withr::local_tempdir()
  # The learner fails for as long as the file is there, so that its code stays the same.
  stop_file <- withr::local_tempfile(lines = "stop")
  learner <- lrn_custom("mean", fit = function(x, y) {
    if (file.exists(stop_file) && ncol(x) == 4L) rlang::interrupt()
    colMeans(y)
  }, predict = function(model, x) matrix(model + x[, 1L] / 100, nrow(x), length(model)))
  call <- function(...) run_searches(tasks = searched_tasks()["a"], selectors = list(rga(learner)), ...)
  stopped <- suppressMessages(tryCatch(call(folder = folder), interrupt = function(e) "interrupted"))
  expect_identical(stopped, "interrupted")
  unlink(stop_file)
  expect_identical(without_seconds(call(folder = folder)), without_seconds(call()))
})

test_that("a search that fails is listed, and the others go on", {
  fragile <- lrn_custom("fragile", fit = function(x, y) stop("no way"), predict = function(model, x) model)
  expect_warning(bench <- run_searches(selectors = list(fragile = rga(fragile), RGA = rga())), "values are missing")
  expect_true(all(is.na(bench$value[bench$selector == "fragile"])))
  expect_false(anyNA(bench$value[bench$selector == "RGA"]))
  failed <- failures(bench)
  expect_identical(unique(failed$selector), "fragile")
  expect_identical(unique(failed$stage), "select")
  expect_match(failed$message, "no way", all = TRUE)
  expect_identical(unique(search_history(bench)$selector), "RGA")
})

test_that("joined benchmarks keep the searches of both", {
  tasks <- searched_tasks()
  selectors <- list(rga(), sel_nsga2(population = 6, evaluations = 14))
  parts <- lapply(names(tasks), function(name) run_searches(tasks = tasks[name], selectors = selectors))
  joined <- rbind(parts[[1]], parts[[2]])
  expect_identical(search_history(joined), rbind(search_history(parts[[1]]), search_history(parts[[2]])))
})

test_that("the report and the plots show searches, where there are any", {
  skip_if_not_installed("knitr")
  bench <- run_searches(selectors = list(rga(), sel_nsga2(population = 6, evaluations = 14), sel_random()))
  file <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  write_report(bench, file)
  page <- paste(readLines(file), collapse = "\n")
  expect_match(page, "<h2>Searches</h2>", fixed = TRUE)
  expect_match(page, "Lowest value against evaluations", fixed = TRUE)

  picture <- plot_searches(bench)
  means <- aggregate(list(best = search_history(bench)$best), search_history(bench)[
    c("task", "selector", "k", "evaluation")
  ], mean)
  shown <- picture$data[picture$data$task == "b" & picture$data$selector == "RGA", ]
  expect_equal(shown$best, means$best[means$task == "b" & means$selector == "RGA" & means$k == 4])
  expect_snapshot(error = TRUE, {
    plot_searches(run_searches(selectors = list(sel_scls()), k = 2))
  })
})

test_that("the selection is that of the largest k asked for, whatever was searched before or is joined", {
  folder <- withr::local_tempfile()
  run <- function(k, ...) run_searches(selectors = list(rga()), k = k, ...)
  both <- run(c(2, 4), folder = folder)
  two <- run(2)
  four <- run(4)
  expect_false(identical(selections(two), selections(four)))
  expect_identical(selections(both), selections(four))
  expect_identical(selections(run(2, folder = folder)), selections(two))
  for (joined in list(rbind(two, four), rbind(four, two), suppressMessages(read_benchmark(folder)))) {
    expect_identical(selections(joined)[names(selections(four))], selections(four))
    expect_identical(stability(joined), stability(four))
  }
  # Searches of one bound are kept once.
  f1 <- run(2, measures = "micro_f1")
  expect_identical(nrow(search_history(rbind(two, f1))), nrow(search_history(two)))
})

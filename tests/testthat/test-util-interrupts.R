# Greedy selection that takes more than a second on one thread, so that limits below that stop it half-way.
long_task <- function() {
  withr::local_seed(1)
  n <- 12000
  mltask(matrix(rbinom(n * 1500, 1, 0.3), n), matrix(rbinom(n * 40, 1, 0.2), n))
}

with_limit <- function(seconds, code) {
  on.exit(setTimeLimit())
  tryCatch({
    setTimeLimit(elapsed = seconds, transient = TRUE)
    code
  }, error = function(e) e)
}

test_that("a time limit stops a greedy selector, and what it has is kept apart", {
  task <- long_task()
  full <- sift_features(task, sel_d2f(), k = 400, threads = 1)
  stopped <- suppressMessages(with_limit(0.3, sift_features(task, sel_d2f(), k = 400, threads = 1)))
  expect_s3_class(stopped, "error")
  expect_true(is_time_limit(stopped))
  part <- last_selection()
  expect_s3_class(part, "mlselection")
  expect_lt(nrow(part), 400)
  expect_gt(nrow(part), 0)
  expect_identical(part$score, full$score[seq_len(nrow(part))])
  rest <- extend_selection(part, task, 400)
  expect_identical(as.data.frame(rest), as.data.frame(full))
})

test_that("an interrupt reaches the caller", {
  skip_on_os("windows")
  task <- long_task()
  interrupted <- function(code) tryCatch({
    system(sprintf("(sleep 0.4; kill -INT %d) &", Sys.getpid()))
    code
    "finished"
  }, interrupt = function(e) "interrupted")
  expect_identical(suppressMessages(interrupted(sift_features(task, sel_d2f(), threads = 1))), "interrupted")
  expect_lt(nrow(last_selection()), 1500)
})

test_that("a benchmark passes a time limit on and never stores a selection that was cut short", {
  task <- long_task()
  folder <- withr::local_tempdir()
  run <- function(folder = NULL) {
    withr::local_seed(1)
    benchmark_selectors(list(t = task), list(sel_mim(), sel_d2f()), lrn_brknn(), rs_fixed(1:11900, 11901:12000),
      k = 400, measures = "hamming_loss", folder = folder, progress = FALSE, threads = 1)
  }
  whole <- run()
  stopped <- suppressMessages(with_limit(0.6, run(folder)))
  expect_true(is_time_limit(stopped))
  resumed <- run(folder)
  expect_identical(resumed$value, whole$value)
  expect_identical(selections(resumed), selections(whole))
  expect_identical(nrow(failures(resumed)), 0L)
})

test_that("only R's own limits count as time limits", {
  expect_true(is_time_limit(simpleError("reached elapsed time limit")))
  expect_true(is_time_limit(rlang::error_cnd(message = "outer", parent = simpleError("reached CPU time limit"))))
  expect_false(is_time_limit(simpleError("no idea")))
})

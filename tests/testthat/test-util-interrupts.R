# Greedy selection that takes about half a second on one thread, so that some limit below that stops it half-way.
long_task <- function(n = 6000) {
  withr::local_seed(1)
  mltask(matrix(rbinom(n * 1500, 1, 0.3), n), matrix(rbinom(n * 40, 1, 0.2), n))
}

with_limit <- function(seconds, code) {
  on.exit(setTimeLimit())
  tryCatch({
    setTimeLimit(elapsed = seconds, transient = TRUE)
    value <- code
    setTimeLimit()
    value
  }, error = function(e) e)
}

# How fast the machine is and what else it does is not known, so several limits are tried.
limits <- 0.05 * 1.6^(0:12)

test_that("a time limit stops a greedy selector, and what it has is kept apart", {
  skip_unless_all()
  interrupts$selection <- NULL
  task <- long_task()
  full <- sift_features(task, sel_d2f(), k = 400, threads = 1)
  for (limit in limits) {
    stopped <- suppressMessages(with_limit(limit, sift_features(task, sel_d2f(), k = 400, threads = 1)))
    part <- last_selection()
    if (isTRUE(nrow(part) > 0)) break
  }
  expect_s3_class(stopped, "error")
  expect_true(is_time_limit(stopped))
  expect_s3_class(part, "mlselection")
  expect_lt(nrow(part), 400)
  expect_gt(nrow(part), 0)
  expect_identical(part$score, full$score[seq_len(nrow(part))])
  rest <- extend_selection(part, task, 400)
  expect_identical(as.data.frame(rest), as.data.frame(full))
})

test_that("an interrupt reaches the caller", {
  skip_on_os("windows")
  interrupts$selection <- NULL
  task <- long_task()
  interrupted <- function(seconds, code) tryCatch({
    system(sprintf("(sleep %g; kill -INT %d) &", seconds, Sys.getpid()))
    code
    "finished"
  }, interrupt = function(e) "interrupted")
  for (limit in limits) {
    found <- suppressMessages(interrupted(limit, sift_features(task, sel_d2f(), threads = 1)))
    if (found == "finished" || isTRUE(nrow(last_selection()) > 0)) break
  }
  expect_identical(found, "interrupted")
  expect_lt(nrow(last_selection()), 1500)
  expect_gt(nrow(last_selection()), 0)
})

test_that("a benchmark passes a time limit on and never stores a selection that was cut short", {
  skip_unless_all()
  task <- long_task(2000)
  folder <- withr::local_tempdir()
  run <- function(folder = NULL) {
    withr::local_seed(1)
    benchmark_selectors(list(t = task), list(sel_mim(), sel_d2f()), lrn_brknn(), rs_fixed(1:1900, 1901:2000),
      k = 700, measures = "hamming_loss", folder = folder, progress = FALSE, threads = 1)
  }
  whole <- run()
  for (limit in limits) {
    stopped <- suppressMessages(with_limit(limit, run(folder)))
    if (length(list.files(file.path(folder, "units"))) > 0) break
  }
  expect_true(is_time_limit(stopped))
  expect_length(list.files(file.path(folder, "units")), 1)
  resumed <- run(folder)
  expect_identical(resumed$value, whole$value)
  expect_identical(selections(resumed), selections(whole))
  expect_identical(failures(resumed)$message, character())
})

test_that("a time limit is no error of what it stops", {
  reached <- function(...) stop("reached elapsed time limit", call. = FALSE)
  expect_identical(or_else(stop("no idea"), 1), 1)
  folder <- withr::local_tempdir()
  measure <- list(method = "late", fun = reached, needs = "response")
  truth <- matrix(c(0, 1, 1, 0), 2)
  calls <- list(
    quote(or_else(reached(), 1)),
    quote(mltask(data.frame(a = 1:4, b = c(0, 1, 0, 1)), reached())),
    quote(custom_value(measure, truth, truth)),
    quote(replace_file(file.path(folder, "file"), reached)),
    quote(write_file(file.path(folder, "file"), list(write = reached, whole = reached))),
    quote(write_file(file.path(folder, "file"), list(write = file.create, whole = reached))),
    quote(arrow_try(reached(), "a file", "parquet")),
    quote(db_try(reached(), "while it counted")),
    quote(start_unit(list(), list(start = reached), list(), list(folder = folder)))
  )
  for (call in calls) {
    found <- tryCatch(eval(call), error = identity)
    expect_identical(conditionMessage(found), "reached elapsed time limit", info = deparse1(call))
  }
  expect_length(list.files(folder, all.files = TRUE, no.. = TRUE), 0)
})

test_that("a time limit while a function ends leaves nothing half done", {
  # The nth call of a function is stopped.
  stopped_at <- function(n, fun) {
    force(fun)
    calls <- 0
    function(...) {
      calls <<- calls + 1
      if (calls == n) stop("reached elapsed time limit", call. = FALSE)
      fun(...)
    }
  }
  withr::local_seed(1)
  before <- random_state()
  with_mocked_bindings(
    expect_error(with_stream("a", runif(1)), "reached elapsed time limit"),
    set_random_state = stopped_at(2, set_random_state)
  )
  expect_identical(random_state(), before)

  folder <- withr::local_tempdir()
  task <- mltask(data.frame(a = c(1, 4, 3, 2)), c(0, 1, 0, 1))
  run <- function(folder) benchmark_selectors(list(t = task), sel_mim(), lrn_brknn(1), rs_fixed(1:2, 3:4), 1,
    "hamming_loss", folder = folder, progress = FALSE)
  with_mocked_bindings(
    expect_error(run(folder), "reached elapsed time limit"),
    stop_heartbeat = stopped_at(1, stop_heartbeat)
  )
  expect_length(list.files(file.path(folder, "claims"), all.files = TRUE, no.. = TRUE), 0)
  expect_identical(run(folder)$value, run(NULL)$value)
})

test_that("only R's own limits count as time limits", {
  expect_true(is_time_limit(simpleError("reached elapsed time limit")))
  expect_true(is_time_limit(rlang::error_cnd(message = "outer", parent = simpleError("reached CPU time limit"))))
  in_argument <- tryCatch(Matrix::t(stop("reached elapsed time limit", call. = FALSE)), error = identity)
  expect_true(is_time_limit(in_argument))
  expect_false(is_time_limit(simpleError("no idea")))
})

test_that("memory that ends in the core is an error of ours", {
  no_memory <- function(class) {
    stop(structure(list(message = class, call = NULL), class = c(class, "error", "condition")))
  }
  expect_error(with_memory_errors(no_memory("std::bad_alloc")), "not enough memory", class = "mlsift_error")
  expect_error(with_memory_errors(no_memory("std::length_error")), "too large.*length_error.*chunk_source",
    class = "mlsift_error")
  task <- simulate_mltask(20, 3, 2)
  local_mocked_bindings(
    cpp_mlknn_counts = function(...) no_memory("std::bad_alloc"),
    cpp_score_mfs = function(...) no_memory("std::bad_alloc")
  )
  expect_error(fit(lrn_mlknn(3), task), "not enough memory", class = "mlsift_error")
  expect_error(sift_features(task, sel_mfs()), "not enough memory", class = "mlsift_error")
})

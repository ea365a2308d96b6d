run <- function(workers = "none", ..., selectors = list(sel_mim(), sel_random()), k = 1:2,
                tasks = list(a = numbered_task(1), b = numbered_task(2)), learners = list(lrn_brknn(), lrn_mlknn(3))) {
  withr::with_seed(1, benchmark_selectors(
    tasks, selectors, learners, rs_holdout(repeats = 3), k, c("hamming_loss", "one_error"), workers = workers,
    progress = FALSE, ...
  ))
}

# The workers of a back end, which need mlsift as it is installed. Daemons are started once for this file.
use_workers <- function(kind, env = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed(kind)
  if (kind == "future") {
    old <- suppressWarnings(future::plan("multisession", workers = 2))
    withr::defer(future::plan(old), env)
  } else if (!mirai::daemons_set()) {
    mirai::daemons(3)
    withr::defer(mirai::daemons(0), teardown_env())
  }
}

# Ends its process for the first few times that it is called.
fatal_selector <- function(folder, times) {
  eval(bquote(sel_custom("fatal", function(task, k) {
    calls <- length(list.files(.(folder)))
    if (calls < .(times)) {
      file.create(file.path(.(folder), calls))
      tools::pskill(Sys.getpid(), 9)
      Sys.sleep(10)
    }
    stats::runif(ncol(task))
  })))
}

run_fatal <- function(workers, folder, times) {
  withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1)), list(sel_mim(), fatal_selector(folder, times)), lrn_brknn(), rs_fixed(1:16, 17:24), 1:2,
    "hamming_loss", workers = workers, progress = FALSE
  ))
}

# The result, with the warnings as an attribute.
with_warnings <- function(code) {
  warnings <- character()
  found <- withCallingHandlers(code, warning = function(w) {
    warnings <<- c(warnings, conditionMessage(w))
    rlang::cnd_muffle(w)
  })
  list(bench = found, warnings = warnings)
}

test_that("workers that are not there are refused", {
  expect_error(run("many"), "`workers` must be one of", class = "mlsift_error")
  expect_error(run("none", any_build = 1), "`any_build` must be TRUE or FALSE", class = "mlsift_error")
  expect_error(check_package("nopackage", "It"), "needs the package nopackage", class = "mlsift_error")
  skip_if_not_installed("mirai")
  expect_snapshot(error = TRUE, run("mirai"))
  skip_if_not_installed("future")
  expect_snapshot(error = TRUE, run("future"))
})

# Daemons go first where both are there, so that those of future come first here.
for (kind in c("future", "mirai")) {
  test_that(paste0("workers of ", kind, " are found and give the same bits, failures and warnings"), {
    use_workers(kind)
    expect_identical(choose_backend("auto", NULL)$kind, kind)
    broken <- sel_custom("broken", function(task, k) stop("no idea"))
    careful <- sel_custom("careful", function(task, k) {
      warning("be careful")
      rev(seq_len(ncol(task)))
    })
    selectors <- list(sel_mim(), broken, sel_random(), careful)
    here <- with_warnings(run("none", selectors = selectors))
    left <- list.files(tempdir(), "^mlsift-benchmark-")
    there <- with_warnings(run("auto", selectors = selectors))
    expect_identical(without_seconds(there$bench), without_seconds(here$bench))
    expect_setequal(sub("split \"repeat.\"", "", there$warnings), sub("split \"repeat.\"", "", here$warnings))
    expect_identical(list.files(tempdir(), "^mlsift-benchmark-"), left)

    folder <- withr::local_tempdir()
    bench <- run(kind, folder = folder)
    expect_identical(without_seconds(bench), without_seconds(run()))
    expect_length(list.files(file.path(folder, "claims"), all.files = TRUE, no.. = TRUE), 0)
    before <- tools::md5sum(list.files(folder, full.names = TRUE, recursive = TRUE))
    expect_identical(run("none", folder = folder), bench)
    expect_identical(tools::md5sum(list.files(folder, full.names = TRUE, recursive = TRUE)), before)
  })
}

test_that("an interrupt leaves the folder whole and the daemons alive", {
  skip_on_os("windows")
  use_workers("mirai")
  folder <- withr::local_tempdir()
  slow <- sel_custom("slow", function(task, k) {
    Sys.sleep(0.4)
    stats::runif(ncol(task))
  })
  kept <- tryCatch({
    system(sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid()))
    run("mirai", selectors = list(slow), folder = folder)
    "finished"
  }, interrupt = function(e) "interrupted")
  expect_identical(kept, "interrupted")
  expect_identical(mirai::status()$connections, 3L)
  wait_until(function() length(list.files(file.path(folder, "claims"))) == 0, 10)
  expect_lt(length(list.files(file.path(folder, "units"))), 6)
  bench <- run("mirai", selectors = list(slow), folder = folder)
  expect_identical(without_seconds(bench), without_seconds(run(selectors = list(slow))))
})

test_that("workers that cannot take part are refused", {
  use_workers("mirai")
  folder <- withr::local_tempdir()
  own <- own_build()
  withr::defer(process_state$build <- own)
  process_state$build <- utils::modifyList(own, list(library = "0"))
  expect_error(run("mirai", folder = folder), "A worker cannot take part", class = "mlsift_error")
  expect_error(run("mirai", folder = folder), "was compiled anew", class = "mlsift_error")
  process_state$build <- utils::modifyList(own, list(version = "9.9"))
  expect_error(suppressMessages(run("mirai", folder = folder)), "it is version .* here, and 9.9 there",
    class = "mlsift_error")
  suppressMessages(bench <- run("mirai", folder = folder, any_build = TRUE))
  expect_identical(bench$value, run()$value)
  expect_match(refusal(file.path(folder, "elsewhere"), 0.5, NULL), "is not there")
  expect_match(refusal(folder, 0.5, NULL), "is another folder")
})

test_that("a unit of a lost worker is tried again", {
  skip_on_os("windows")
  use_workers("future")
  calls <- withr::local_tempdir()
  bench <- run_fatal("future", calls, times = 1)
  expect_length(list.files(calls), 1)
  expect_identical(without_seconds(bench), without_seconds(run_fatal("none", calls, times = 1)))
})

test_that("a unit that ends three workers is recorded as a failure, and a call without daemons ends", {
  skip_on_os("windows")
  use_workers("mirai")
  calls <- withr::local_tempdir()
  expect_warning(bench <- run_fatal("mirai", calls, times = 100), "2 of 4 values are missing")
  expect_length(list.files(calls), 3)
  expect_identical(failures(bench)$stage, "worker")
  expect_identical(failures(bench)$message, "The process that computed this was lost, 3 times in a row.")
  expect_identical(is.na(bench$value), bench$selector == "fatal")
  wait_until(function() mirai::status()$connections == 0, 10)
  withr::local_options(mlsift.stale = 0.5)
  expect_error(suppressMessages(run("mirai")), "No daemon is connected any more", class = "mlsift_error")
})

test_that("without a folder, workers must be on this machine", {
  use_workers("mirai")
  expect_true(mirai_backend()$is_local())
  mirai::daemons(0)
  mirai::daemons(url = mirai::host_url())
  expect_error(run("mirai"), "`folder` must be given if workers may be on other machines", class = "mlsift_error")
  mirai::daemons(0)
  skip_if_not_installed("future")
  old <- future::plan("cluster", workers = I("localhost"))
  withr::defer(future::plan(old))
  expect_error(run("future"), "`folder` must be given if workers may be on other machines", class = "mlsift_error")
})

test_that("an error on a daemon is told, and one that was lost is not the unit's fault", {
  use_workers("mirai")
  value <- mirai_backend()$value
  failed <- structure("no idea", class = c("miraiError", "errorValue", "try-error"))
  expect_identical(value(list(data = failed)), list(state = "failed", why = "no idea"))
  expect_identical(value(list(data = structure(19L, class = "errorValue"))), list(state = "lost"))
  expect_identical(value(list(data = list(state = "done"))), list(state = "done"))
})

test_that("workers that cannot be used give an error", {
  broken <- list(start = function(args) stop("no idea"))
  expect_error(start_unit(list(), broken, list(), list(folder = "here")), "The workers cannot be used",
    class = "mlsift_error")
})

test_that("a unit is tried again where future finds out only then that a worker was lost", {
  lost <- 0L
  backend <- list(kind = "future", any_build = TRUE, capacity = function() 1L, start = function(args) {
    if (lost > 0L) {
      lost <<- lost - 1L
      rlang::abort("gone", class = "FutureError")
    }
    args$key
  }, is_done = function(handle) TRUE, value = function(handle) list(state = "done"), stop = identity)
  done <- 0L
  run_one <- function() {
    run_on_workers("a", list(), list(folder = "here", number = 1L), backend, NULL, function() done <<- done + 1L)
  }
  lost <- 2L
  run_one()
  expect_identical(c(done, lost), c(1L, 0L))
  lost <- 10L
  expect_error(run_one(), "The workers cannot be used", class = "mlsift_error")
  expect_identical(lost, 6L)
})

test_that("an error in a worker of future is told", {
  use_workers("future")
  value <- future_backend()$value
  expect_identical(value(future::future(stop("no idea"))), list(state = "failed", why = "no idea"))
})

# Later files of this process count what is done in it.
if (requireNamespace("mirai", quietly = TRUE)) mirai::daemons(0)

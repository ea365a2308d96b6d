# In another process as in this one.
share <- function(folder, learners, tasks, selectors, seed = 1, k = 1:3) {
  set.seed(seed)
  benchmark_selectors(tasks, selectors, learners, rs_holdout(repeats = 6), k, c("hamming_loss", "one_error"),
    folder = folder, progress = FALSE)
}

slow_selector <- function(seconds = 0.02) {
  eval(bquote(sel_custom("slow", function(task, k) {
    Sys.sleep(.(seconds))
    stats::runif(ncol(task))
  })))
}

tasks <- list(a = numbered_task(1), b = numbered_task(2))

test_that("calls with different learners and the same learner at the same time lose nothing", {
  skip_unless_all()
  folder <- file.path(withr::local_tempdir(), "new")
  selectors <- list(sel_mim(), slow_selector())
  learners <- list(lrn_brknn(), lrn_mlknn(3), lrn_brknn())
  processes <- lapply(1:3, function(i) start_process(share, folder, learners[[i]], tasks, selectors, seed = i))
  found <- lapply(processes, result_of)
  for (bench in found) {
    expect_s3_class(bench, "mlbenchmark")
    expect_identical(sum(is.na(bench$value)), 0L)
  }
  # The process that made the folder has given its number.
  number <- read_rds(file.path(folder, "benchmark.rds"))$number
  seed <- Find(function(seed) withr::with_seed(seed, runif(1)) == number, 1:3)
  whole <- share(NULL, learners[1:2], tasks, selectors, seed)
  for (i in 1:3) {
    expected <- whole[whole$learner == learners[[i]]$name, ]
    expect_identical(as.data.frame(found[[i]]), `rownames<-`(as.data.frame(expected), NULL))
    expect_identical(selections(found[[i]]), selections(whole))
  }
  expect_identical(without_seconds(share(folder, learners[1:2], tasks, selectors)), without_seconds(whole))
  expect_length(list.files(file.path(folder, "claims"), all.files = TRUE, no.. = TRUE), 0)
  expect_length(list.files(folder, "^[.]part", recursive = TRUE, all.files = TRUE), 0)
})

test_that("calls at the same time with another meaning of a name are refused, all but one", {
  folder <- withr::local_tempdir()
  learners <- lapply(c(1, 3, 5), function(n) list(same = lrn_brknn(n)))
  found <- lapply(lapply(learners, function(l) start_process(share, folder, l, tasks, sel_mim())), result_of)
  refused <- vapply(found, inherits, NA, "mlsift_error")
  expect_identical(sum(refused), 2L)
  for (error in found[refused]) expect_match(conditionMessage(error), "learner .*same.* has other parameters")
  expect_identical(found[[which(!refused)]]$value, share(NULL, learners[[which(!refused)]], tasks, sel_mim())$value)
})

# A selector that runs until a file exists.
waiting_selector <- function(file) {
  eval(bquote(sel_custom("waits", function(task, k) {
    file.create(paste0(.(file), ".begun"))
    for (i in 1:1500) if (!file.exists(.(file))) Sys.sleep(0.02)
    stats::runif(ncol(task))
  })))
}

test_that("a process that is killed costs one unit, which another process takes over", {
  skip_unless_all()
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  file <- withr::local_tempfile()
  selectors <- list(sel_mim(), waiting_selector(file))
  process <- start_process(share, folder, lrn_brknn(), tasks, selectors)
  wait_until(function() file.exists(paste0(file, ".begun")))
  expect_identical(benchmark_status(folder)$state[1:3], c("done", "running", "left"))
  kill_process(process)
  claim <- list.files(file.path(folder, "claims"), full.names = TRUE)
  expect_length(claim, 1)
  if (!dir.exists("/proc/self")) Sys.setFileTime(claim, Sys.time() - 100)
  wait_until(function() benchmark_status(folder)$state[2] == "lost")
  expect_length(list.files(file.path(folder, "units")), 1)
  file.create(file)
  bench <- share(folder, lrn_brknn(), tasks, selectors, seed = 9)
  expect_identical(without_seconds(bench), without_seconds(share(NULL, lrn_brknn(), tasks, selectors)))
  expect_length(list.files(file.path(folder, "claims")), 0)
})

test_that("a unit that ends three processes is given up, and tried again by another call", {
  skip_unless_all()
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  file <- withr::local_tempfile()
  selectors <- list(sel_mim(), waiting_selector(file))
  tasks <- tasks["a"]
  file.create(file)
  whole <- share(NULL, lrn_brknn(), tasks, selectors)
  unlink(c(file, paste0(file, ".begun")))
  process <- start_process(share, folder, lrn_brknn(), tasks, selectors)
  wait_until(function() file.exists(paste0(file, ".begun")))
  kill_process(process)
  # The same has happened twice before.
  claim <- list.files(file.path(folder, "claims"), full.names = TRUE)
  lines <- readLines(claim, warn = FALSE)
  writeLines(sub("losses: 0", "losses: 2", lines), claim)
  if (!dir.exists("/proc/self")) Sys.setFileTime(claim, Sys.time() - 100)
  process <- start_process(function(folder) join_benchmark(folder), folder)
  wait_until(function() any(benchmark_status(folder)$state == "failed"))
  file.create(file)
  status <- result_of(process)
  expect_identical(sum(status$state == "failed"), 1L)
  expect_identical(sum(status$state == "done"), 11L)
  units <- lapply(list.files(file.path(folder, "units"), full.names = TRUE), readRDS)
  expect_identical(unlist(lapply(units, `[[`, "lost")), "The process that computed this was lost, 3 times in a row.")
  expect_identical(without_seconds(share(folder, lrn_brknn(), tasks, selectors)), without_seconds(whole))
})

test_that("values of a unit that was given up are missing, and the failures give the reason", {
  folder <- withr::local_tempdir()
  run <- function(...) share(folder, lrn_brknn(), tasks, sel_mim(), ...)
  whole <- run()
  path <- list.files(file.path(folder, "units"), full.names = TRUE)[1]
  unit <- readRDS(path)
  empty <- give_up(new_unit(unit[c("task", "split", "selector")]), 3)
  # A mark that is newer than the call.
  write_unit(empty, path, unit$number)
  Sys.setFileTime(path, Sys.time() + 40)
  expect_warning(bench <- run(), "6 of 72 values are missing")
  expect_identical(failures(bench)$stage, "worker")
  expect_identical(failures(bench)$message, "The process that computed this was lost, 3 times in a row.")
  expect_identical(bench$value[!is.na(bench$value)], whole$value[!is.na(bench$value)])
  expect_identical(sum(benchmark_status(folder)$state == "failed"), 1L)
  # An older one is forgotten.
  Sys.setFileTime(path, Sys.time() - 1000)
  expect_identical(without_seconds(run()), without_seconds(whole))
})

test_that("a process whose claim was taken over leaves the unit to the other one", {
  folder <- withr::local_tempdir()
  taken <- NULL
  greedy <- sel_custom("taken", function(task, k) {
    claim <- list.files(file.path(folder, "claims"), "[.]1$", full.names = TRUE)
    if (is.null(taken)) {
      taken <<- sub("1$", "2", claim)
      writeLines(c("machine: elsewhere", "losses: 0"), taken)
      Sys.setFileTime(taken, Sys.time() - 100)
    }
    stats::runif(ncol(task))
  })
  bench <- share(folder, lrn_brknn(), tasks["a"], greedy)
  expect_identical(as.data.frame(bench), as.data.frame(share(NULL, lrn_brknn(), tasks["a"], greedy)))
  expect_length(list.files(file.path(folder, "claims")), 0)
})

test_that("units that another process replaces are made again", {
  folder <- withr::local_tempdir()
  spoiled <- NULL
  last <- sel_custom("last", function(task, k) {
    units <- list.files(file.path(folder, "units"), full.names = TRUE)
    if (length(units) == 11 && is.null(spoiled)) {
      spoiled <<- units[2]
      unit <- readRDS(spoiled)
      unit$values <- unit$values[0L, ]
      write_unit(unit[!names(unit) %in% c("number", "checksum")], spoiled, unit$number)
    }
    stats::runif(ncol(task))
  })
  bench <- share(folder, lrn_brknn(), tasks, last)
  expect_type(spoiled, "character")
  expect_identical(as.data.frame(bench), as.data.frame(share(NULL, lrn_brknn(), tasks, last)))
})

test_that("units that are spoiled again and again give an error", {
  skip_unless_all()
  folder <- withr::local_tempdir()
  fits <- 0
  # Another process replaces what is there by units that lack values.
  spoil <- function(x, y) {
    fits <<- fits + 1
    for (path in list.files(file.path(folder, "units"), full.names = TRUE)) {
      unit <- readRDS(path)
      unit$values <- unit$values[0L, ]
      write_unit(unit[!names(unit) %in% c("number", "checksum")], path, unit$number)
    }
    colMeans(y)
  }
  learner <- lrn_custom("spoils", spoil, function(model, x) matrix(0.5, nrow(x), length(model)))
  expect_error(share(folder, learner, tasks["a"], sel_mim(), k = 1), "The benchmark cannot be completed",
    class = "mlsift_error")
  # Six units in the first round, and at least one in each of nine more.
  expect_gte(fits, 6 + 9)
})

test_that("a unit that another process finishes before it is claimed is left alone", {
  job <- list(key = list(task = "a"))
  asked <- 0
  finished <- list(lost = "It was lost.")
  store <- list(
    get = function(key) {
      asked <<- asked + 1
      if (asked > 1) finished
    },
    claim = function(key) list(put = function(unit) stop("nothing is put"), release = function() asked <<- -1,
      losses = 0L)
  )
  local_mocked_bindings(is_complete = function(unit, job) FALSE)
  expect_identical(work_on_unit(job, store), "done")
  expect_identical(asked, -1)
})

test_that("an interrupt leaves no claim", {
  folder <- withr::local_tempdir()
  calls <- 0
  stops <- sel_custom("stops", function(task, k) {
    calls <<- calls + 1
    if (calls == 3) rlang::interrupt()
    stats::runif(ncol(task))
  })
  run <- function(folder) share(folder, lrn_brknn(), tasks, stops)
  expect_identical(tryCatch(run(folder), interrupt = function(e) "interrupted"), "interrupted")
  expect_length(list.files(file.path(folder, "claims"), all.files = TRUE, no.. = TRUE), 0)
  expect_identical(sum(benchmark_status(folder)$state == "done"), 2L)
  expect_identical(without_seconds(run(folder)), without_seconds(run(NULL)))
})

test_that("a folder that vanishes gives an error", {
  folder <- file.path(withr::local_tempdir(), "gone")
  selector <- sel_custom("removes", function(task, k) {
    unlink(folder, recursive = TRUE)
    seq_len(ncol(task))
  })
  expect_error(share(folder, lrn_brknn(), tasks, selector), "mlsift|folder of the benchmark", class = "mlsift_error")
})

test_that("a folder that cannot be written to gives an error, but what is finished can be read", {
  skip_on_os("windows")
  skip_if(identical(Sys.info()[["effective_user"]], "root"), "root may write everywhere")
  folder <- withr::local_tempdir()
  before <- share(folder, lrn_brknn(), tasks, sel_mim())
  paths <- c(folder, list.dirs(folder))
  Sys.chmod(paths, "0555")
  withr::defer(Sys.chmod(paths, "0755"))
  expect_identical(share(folder, lrn_brknn(), tasks, sel_mim()), before)
  expect_error(share(folder, lrn_mlknn(), tasks, sel_mim()), "Cannot write to the folder", class = "mlsift_error")
  expect_error(share(file.path(folder, "new"), lrn_mlknn(), tasks, sel_mim()), "could not be made",
    class = "mlsift_error")
})

test_that("results of another build are announced", {
  folder <- withr::local_tempdir()
  share(folder, lrn_brknn(), tasks, sel_mim())
  path <- file.path(folder, "benchmark.rds")
  manifest <- readRDS(path)
  manifest$build$version <- "0.0.1"
  saveRDS(manifest, path)
  expect_no_message(share(folder, lrn_brknn(), tasks, sel_mim()))
  expect_message(share(folder, lrn_mlknn(), tasks, sel_mim()), "another build of mlsift [(]it is version 0.1.0 here",
    class = "mlsift_message")
})

test_that("the progress bar names the unit that runs", {
  shown <- character()
  local_mocked_bindings(
    cli_progress_bar = function(...) "bar",
    cli_progress_update = function(inc = NULL, ..., status = NULL) shown <<- c(shown, status),
    .package = "cli"
  )
  bench <- benchmark_selectors(
    list(a = numbered_task(1), b = numbered_task(2)), list(sel_mim(), sel_random()), lrn_brknn(),
    rs_holdout(repeats = 2), 2, "hamming_loss", progress = TRUE
  )
  units <- unique(as.data.frame(bench)[c("task", "split", "selector")])
  expect_setequal(shown, paste(units$task, units$split, units$selector, sep = ", "))
})

test_that("progressr is told of each unit, where it is loaded", {
  skip_if_not_installed("progressr")
  loaded <- isNamespaceLoaded("progressr")
  loadNamespace("progressr")
  withr::defer(if (!loaded) unloadNamespace("progressr"))
  withr::local_options(progressr.enable = TRUE)
  folder <- withr::local_tempdir()
  told <- function(selectors) {
    steps <- done <- 0
    withCallingHandlers(share(folder, lrn_brknn(), tasks["a"], selectors), progression = function(p) {
      if (p$type == "initiate") steps <<- p$steps
      if (p$type == "update") done <<- done + p$amount
    })
    c(steps = steps, done = done)
  }
  # Six splits with one selector, and then six units more.
  expect_identical(told(sel_mim()), c(steps = 6, done = 6))
  expect_identical(told(list(sel_mim(), sel_random())), c(steps = 6, done = 6))
})

begin <- function(folder, selectors = list(sel_mim(), sel_random()), learners = lrn_brknn(), k = 1:2, ...) {
  withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1), b = numbered_task(2)), selectors, learners, rs_holdout(repeats = 3), k,
    list("hamming_loss", own = msr_custom("own", function(truth, response) mean(truth != response) / 3)),
    folder = folder, progress = FALSE, ...
  ))
}

# Removes results, as if the process that began had been stopped.
forget <- function(folder, which = TRUE) unlink(list.files(file.path(folder, "units"), full.names = TRUE)[which])

test_that("a process that joins computes what is left, the same to the bit", {
  folder <- withr::local_tempdir()
  own <- sel_custom("own", function(task, k) abs(stats::cor(as.matrix(task), targets(task)[, 1])[, 1]))
  learner <- lrn_custom("mean", function(x, y) colMeans(y) + stats::runif(1) / 100,
    function(model, x) matrix(model, nrow(x), length(model), byrow = TRUE))
  selectors <- list(sel_mim(), own, sel_rga(lrn_nb(), evaluations = 20, max_features = 2))
  whole <- begin(folder, selectors, list(learner, lrn_brknn()), impute = impute_mean())
  forget(folder)
  expect_identical(unique(benchmark_status(folder)$state), "left")
  process <- start_process(function(folder) join_benchmark(folder), folder)
  status <- join_benchmark(folder, progress = FALSE)
  expect_s3_class(status, "mlbenchmarkstatus")
  expect_identical(unique(status$state), "done")
  expect_identical(unique(result_of(process)$state), "done")
  units <- list.files(file.path(folder, "units"), full.names = TRUE)
  before <- tools::md5sum(units)
  again <- begin(folder, selectors, list(learner, lrn_brknn()), impute = impute_mean())
  expect_identical(tools::md5sum(units), before)
  history <- function(bench) attr(bench, "searches")[c("task", "split", "selector", "evaluation", "value")]
  expect_identical(history(again), history(whole))
  attr(again, "searches") <- attr(whole, "searches") <- NULL
  expect_identical(without_seconds(again), without_seconds(whole))
})

test_that("all that was asked for is computed", {
  folder <- withr::local_tempdir()
  begin(folder)
  more <- begin(folder, list(sel_mim(), sel_scls()), lrn_mlknn(3), k = 1:4)
  forget(folder)
  expect_identical(nrow(benchmark_status(folder)), 18L)
  expect_identical(unique(join_benchmark(folder)$state), "done")
  expect_identical(without_seconds(begin(folder, list(sel_mim(), sel_scls()), lrn_mlknn(3), k = 1:4)),
    without_seconds(more))
})

test_that("a process that joins reads only the task it needs", {
  folder <- withr::local_tempdir()
  begin(folder)
  units <- list.files(file.path(folder, "units"))
  forget(folder, startsWith(units, "a--"))
  manifest <- read_manifest(folder)
  unlink(object_path(folder, manifest$tasks[["b"]]))
  expect_identical(unique(join_benchmark(folder)$state), "done")
  forget(folder, startsWith(units, "b--"))
  expect_error(join_benchmark(folder), "missing or cannot be read", class = "mlsift_error")
  begin(folder)
  expect_true(file.exists(object_path(folder, manifest$tasks[["b"]])))
})

test_that("the status names the states of units", {
  folder <- withr::local_tempdir()
  broken <- sel_custom("broken", function(task, k) stop("no idea"))
  suppressWarnings(begin(folder, list(sel_mim(), broken)))
  forget(folder, 1:4)
  claim <- function(i) claim_path(folder, sub("[.]rds$", "", names[i]), 1)
  names <- vapply(unit_keys(load_plan(folder, read_plans(folder)[[1]], read_manifest(folder), 1)), unit_name, "")
  text <- function(machine) c("host: node1", "pid: 42", "started: 1", paste("machine:", machine),
    "since: 2026-01-02T03:04:05Z")
  left <- which(benchmark_status(folder)$state == "left")
  expect_length(left, 4)
  writeLines(text("elsewhere"), claim(left[1]))
  writeLines(text("elsewhere"), claim(left[2]))
  Sys.setFileTime(claim(left[2]), Sys.time() - 100)
  status <- benchmark_status(folder)
  expect_named(status, c("task", "split", "selector", "state", "host", "process", "since"))
  expect_identical(status$state[left], c("running", "lost", "left", "left"))
  expect_identical(status$process[left], c(42L, 42L, NA, NA))
  expect_identical(status$since[left[1]], as.POSIXct("2026-01-02 03:04:05", tz = "UTC"))
  expect_setequal(status$state[-left], c("done", "failed"))
  expect_identical(status$selector[status$state == "failed"], rep("broken", sum(status$state == "failed")))
  withr::local_timezone("UTC")
  expect_snapshot(print(status))
  expect_snapshot(print(status, n = 1))
  unlink(list.files(file.path(folder, "claims"), full.names = TRUE))
})

test_that("folders that cannot be joined are refused", {
  folder <- withr::local_tempdir()
  empty <- file.path(folder, "empty")
  old <- file.path(folder, "old")
  other <- file.path(folder, "other")
  dir.create(empty)
  begin(old)
  unlink(file.path(old, "plans"), recursive = TRUE)
  begin(other)
  change <- function(field, value) {
    manifest <- readRDS(file.path(other, "benchmark.rds"))
    manifest$build <- own_build()
    manifest$build[[field]] <- value
    saveRDS(manifest, file.path(other, "benchmark.rds"))
  }
  withr::local_dir(folder)
  change("version", "0.0.1")
  expect_snapshot(error = TRUE, {
    join_benchmark("nowhere")
    join_benchmark("empty")
    join_benchmark("other")
    join_benchmark(1)
    join_benchmark("other", any_build = NA)
    benchmark_status("nowhere")
  })
  expect_error(join_benchmark("old"), "does not state what is to be computed", class = "mlsift_error")
  change("library", "0")
  expect_error(join_benchmark("other"), "was compiled anew", class = "mlsift_error")
  change("platform", "riscv64")
  expect_error(join_benchmark("other"), "platform", class = "mlsift_error")
  forget("other", 1)
  expect_identical(unique(join_benchmark("other", any_build = TRUE)$state), "done")
})

test_that("a damaged plan is ignored, and written again by its call", {
  folder <- withr::local_tempdir()
  begin(folder)
  begin(folder, learners = lrn_mlknn(3))
  plans <- list.files(file.path(folder, "plans"), full.names = TRUE)
  writeLines("x", plans[1])
  expect_message(status <- benchmark_status(folder), "is damaged and is ignored")
  expect_identical(unique(status$state), "done")
  forget(folder, 1)
  begin(folder)
  begin(folder, learners = lrn_mlknn(3))
  expect_no_message(benchmark_status(folder))
})

run <- function(folder, selectors = list(sel_mim(), sel_random()), repeats = 2, k = 1:2, ...) {
  withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1), b = numbered_task(2)), selectors, lrn_brknn(), rs_holdout(repeats = repeats), k,
    c("hamming_loss", "ranking_loss"), folder = folder, progress = FALSE, ...
  ))
}

test_that("a folder gives back what the call returned", {
  folder <- withr::local_tempdir()
  first <- run(folder)
  expect_identical(read_benchmark(folder), first)
})

test_that("several calls are joined, each cell once", {
  folder <- withr::local_tempdir()
  first <- run(folder)
  second <- run(folder, list(sel_mim(), sel_mfs()), k = 1:3)
  expect_no_warning(both <- read_benchmark(folder))
  key <- c("task", "split", "selector", "learner", "k", "measure")
  expect_identical(anyDuplicated(as.data.frame(both)[key]), 0L)
  all <- unique(rbind(as.data.frame(first), as.data.frame(second)))
  merged <- merge(all, as.data.frame(both), by = setdiff(names(all), "value"))
  expect_identical(nrow(merged), nrow(both))
  expect_identical(merged$value.x, merged$value.y)
})

test_that("repeats are added to a finished folder, and the first ones stay", {
  folder <- withr::local_tempdir()
  first <- run(folder)
  units <- tools::md5sum(list.files(file.path(folder, "units"), full.names = TRUE))
  more <- run(folder, repeats = 4)
  expect_identical(tools::md5sum(names(units)), units)
  old <- more[more$split %in% first$split, ]
  expect_identical(as.data.frame(old), as.data.frame(first), ignore_attr = TRUE)
  expect_identical(without_seconds(more), without_seconds(run(NULL, repeats = 4)))
  expect_identical(as.data.frame(run(folder)), as.data.frame(first))
  expect_identical(length(unique(read_benchmark(folder)$split)), 4L)
  expect_error(
    withr::with_seed(1, benchmark_selectors(list(a = numbered_task(1)), sel_mim(), lrn_brknn(),
      rs_holdout(0.7, repeats = 2), 1:2, "hamming_loss", folder = folder)),
    "another `resampling`", class = "mlsift_error"
  )
})

test_that("one repeat of a cross-validation cannot become several, whose folds have other names", {
  folder <- withr::local_tempdir()
  cross <- function(repeats) withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1)), sel_mim(), lrn_brknn(), rs_cv(2, repeats), 1:2, "hamming_loss", folder = folder
  ))
  cross(1)
  expect_error(cross(2), "another `resampling`", class = "mlsift_error")
  folder <- withr::local_tempdir()
  first <- cross(2)
  expect_identical(cross(3)$value[1:8], first$value)
})

test_that("what is not finished is left out, with its number", {
  folder <- withr::local_tempdir()
  first <- run(folder)
  unlink(list.files(file.path(folder, "units"), full.names = TRUE)[1:2])
  expect_message(part <- read_benchmark(folder), "2 units are not finished")
  expect_identical(nrow(part), nrow(first) - 8L)
  unlink(list.files(file.path(folder, "units"), full.names = TRUE))
  expect_error(read_benchmark(folder), "none is finished", class = "mlsift_error")
  expect_error(read_benchmark(tempfile()), "There is no folder", class = "mlsift_error")
  expect_error(read_benchmark(3), "`folder` must be", class = "mlsift_error")
})

test_that("a folder keeps the session that began it", {
  folder <- withr::local_tempdir()
  run <- function() {
    withr::local_seed(1)
    benchmark_selectors(simulate_mltask(40, 6, 2), sel_mim(), lrn_brknn(), rs_cv(3), k = 1:2,
      measures = "hamming_loss", folder = folder)
  }
  bench <- run()
  path <- file.path(folder, "benchmark.rds")
  manifest <- readRDS(path)
  expect_identical(attr(bench, "protocol")$session, manifest$session)
  manifest$session[["R"]] <- "R version 9.9.9"
  saveRDS(manifest, path)
  expect_identical(attr(read_benchmark(folder), "protocol")$session[["R"]], "R version 9.9.9")
  expect_identical(run(), read_benchmark(folder))
})

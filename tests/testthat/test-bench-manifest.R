begin <- function(folder, learners = lrn_brknn(), tasks = list(a = numbered_task(1), b = numbered_task(2)), ...) {
  withr::with_seed(1, benchmark_selectors(tasks, list(sel_mim(), sel_random()), learners, rs_holdout(repeats = 2), 1:2,
    "hamming_loss", folder = folder, progress = FALSE, ...))
}

files_in <- function(folder, part) list.files(file.path(folder, part), full.names = TRUE)

test_that("folders of another format are refused", {
  folder <- withr::local_tempdir()
  begin(folder)
  manifest <- readRDS(file.path(folder, "benchmark.rds"))
  manifest$format <- 2L
  saveRDS(manifest, file.path(folder, "benchmark.rds"))
  expect_error(begin(folder), "was not written by this version", class = "mlsift_error")
})

test_that("a folder made with other weights is refused by name", {
  folder <- withr::local_tempdir()
  plain <- numbered_task(1)
  run <- function(weights, at = folder) begin(at, lrn_nb(), list(a = suppressMessages(
    mltask(features(plain), targets(plain), weights = weights)
  )))
  w <- rep(1:3, length.out = nrow(plain))
  first <- run(w)
  expect_identical(run(w), first)
  expect_snapshot(run(rev(w)), error = TRUE, transform = function(lines) gsub(folder, "<folder>", lines, fixed = TRUE))
  expect_error(run(NULL), "task \"a\" has other weights of rows", class = "mlsift_error")
  other <- withr::local_tempdir()
  run(NULL, other)
  expect_error(run(w, other), "task \"a\" has other weights of rows", class = "mlsift_error")
  plain <- numbered_task(5)
  expect_error(run(w), "task \"a\" has other data", class = "mlsift_error")
})

test_that("splits are drawn once, and a folder whose rows cannot be split stays free", {
  folder <- withr::local_tempdir()
  drawn <- 0L
  plain <- benchmark_splits
  local_mocked_bindings(benchmark_splits = function(...) {
    drawn <<- drawn + 1L
    plain(...)
  })
  first <- begin(folder)
  expect_identical(drawn, 1L)
  expect_identical(begin(folder), first)
  expect_identical(drawn, 2L)

  free <- withr::local_tempdir()
  run <- function(resampling) benchmark_selectors(numbered_task(1), sel_mim(), lrn_brknn(), resampling, 1,
    "hamming_loss", folder = free)
  expect_error(run(rs_cv(1000)), "cannot be split", class = "mlsift_error")
  expect_length(list.files(free), 0)
  expect_identical(nrow(run(rs_cv(2))), 2L)
  # What others may use stays.
  expect_error(run(rs_cv(1000)), "another `resampling`", class = "mlsift_error")
  expect_identical(nrow(run(rs_cv(2))), 2L)
})

test_that("without a checksum, units of the present format are made again", {
  folder <- withr::local_tempdir()
  first <- begin(folder)
  path <- files_in(folder, "units")[3]
  unit <- readRDS(path)
  saveRDS(unit[names(unit) != "checksum"], path)
  suppressMessages(expect_message(again <- begin(folder), "is damaged; it is made again"))
  expect_identical(without_seconds(again), without_seconds(first))
})

test_that("a unit with a right head and a wrong body is made again", {
  folder <- withr::local_tempdir()
  first <- begin(folder)
  path <- files_in(folder, "units")[3]
  unit <- readRDS(path)
  unit$values$value[1] <- unit$values$value[1] + 1e-15
  saveRDS(unit, path)
  suppressMessages(expect_message(again <- begin(folder), "is damaged; it is made again"))
  expect_identical(without_seconds(again), without_seconds(first))
  expect_no_message(begin(folder))
})

test_that("damaged manifests and parts are refused, copies of parts are ignored", {
  folder <- withr::local_tempdir()
  paths <- stats::setNames(file.path(folder, 1:6), c("cut", "other", "number", "part", "foreign", "copy"))
  first <- begin(paths["cut"])
  for (path in paths[-1]) file.copy(list.files(paths["cut"], full.names = TRUE), {
    dir.create(path)
    path
  }, recursive = TRUE)
  manifest <- function(name) file.path(paths[name], "benchmark.rds")
  writeBin(readBin(manifest("cut"), "raw", 60), manifest("cut"))
  saveRDS(list(format = 4L), manifest("other"))
  saveRDS(list(format = 4L, number = "x", settings = ""), manifest("number"))
  part <- files_in(paths["part"], "parts")[1]
  writeBin(readBin(part, "raw", 20), part)
  saveRDS("x", file.path(paths["foreign"], "parts", "x.rds"))
  for (name in c("cut", "other", "number")) {
    for (call in list(begin, join_benchmark, benchmark_status)) {
      expect_error(call(paths[[name]]), "not written by this version of .*, or is damaged", class = "mlsift_error")
    }
  }
  for (name in c("part", "foreign")) {
    for (call in list(begin, join_benchmark, benchmark_status)) {
      expect_error(call(paths[[name]]), "The folder of the benchmark is damaged", class = "mlsift_error")
    }
  }
  file.copy(files_in(paths["copy"], "parts")[1], file.path(paths["copy"], "parts", "copy.rds"))
  expect_identical(begin(paths["copy"]), first)
})

test_that("foreign objects in the place of parts and objects are damage, and so is a part that is missing", {
  folder <- withr::local_tempdir()
  path <- function(name) file.path(folder, name)
  first <- begin(path("one"))
  for (name in c("part", "object", "missing", "exchanged")) {
    dir.create(path(name))
    file.copy(list.files(path("one"), full.names = TRUE), path(name), recursive = TRUE)
  }
  saveRDS(data.frame(x = 1), files_in(path("part"), "parts")[1])
  for (file in files_in(path("object"), "objects")) saveRDS(list(), file)
  unlink(files_in(path("missing"), "parts"))
  parts <- files_in(path("exchanged"), "parts")
  file.copy(parts[1], parts[2], overwrite = TRUE)
  for (name in c("part", "object", "missing", "exchanged")) for (call in list(join_benchmark, benchmark_status)) {
    expect_error(call(path(name)), "The folder of the benchmark is damaged", class = "mlsift_error")
  }
  expect_error(begin(path("part")), "The folder of the benchmark is damaged", class = "mlsift_error")
  setTimeLimit(elapsed = 300, transient = TRUE)
  expect_error(begin(path("exchanged")), "holds another part of the benchmark", class = "mlsift_error")
  setTimeLimit()
  # The same call knows what the others hold.
  expect_identical(begin(path("object")), first)
  expect_identical(begin(path("missing")), first)
})

test_that("parts that another process adds are kept, and a name keeps its first meaning", {
  folder <- withr::local_tempdir()
  begin(folder)
  add <- function(name, learner) {
    one <- list(part = "learners", name = name, print = fingerprint(learner))
    dir.create(file.path(folder, "parts"), showWarnings = FALSE)
    create_record(one, part_path(folder, one))
  }
  expect_true(add("x", lrn_mlknn()))
  expect_false(add("x", lrn_mlknn(3)))
  expect_error(begin(folder, list(x = lrn_mlknn(3))), "has other parameters", class = "mlsift_error")
  expect_no_error(begin(folder, list(x = lrn_mlknn())))
  expect_setequal(names(read_manifest(folder)$learners), c("BR-kNN", "x"))
})

test_that("unfinished files of killed processes are removed", {
  folder <- withr::local_tempdir()
  begin(folder)
  parts <- file.path(folder, c("", "units", "parts", "objects", "plans", "claims"), ".part-123")
  file.create(parts)
  begin(folder)
  expect_false(any(file.exists(parts)))
})

test_that("a plan from the folder is the plan that was stored", {
  folder <- withr::local_tempdir()
  withr::with_seed(1, benchmark_selectors(
    list(n = numeric_task(1)), list(sel_random(), m = sel_rrelieff()), lrn_knn_regression(3), list(n = rs_cv(3)),
    prop = c(0.2, 0.5), measures = c("armse", "arrmse"), discretizer = NULL, impute = impute_mean(), target_bins = 3,
    folder = folder, progress = FALSE
  ))
  manifest <- read_manifest(folder)
  asked <- read_plans(folder)[[1]]
  plan <- load_plan(folder, asked, manifest, 1L)
  expect_identical(plan$selectors, list(Random = sel_random(), m = sel_rrelieff()))
  expect_identical(unname(plan$learners), list(lrn_knn_regression(3)))
  expect_identical(names(plan$measures), c("armse", "arrmse"))
  expect_identical(plan$measures$armse, measure("armse"))
  expect_null(plan$discretizer)
  expect_identical(plan$impute, impute_mean())
  expect_identical(plan$grids$n$prop, c(0.2, 0.5))
  expect_identical(fingerprint(plan$load_task("n")$task), fingerprint(numeric_task(1)))
  expect_identical(unit_table(plan)$split, rep(paste0("fold", 1:3), each = 2))
})

test_that("a folder below a file cannot be made", {
  file <- withr::local_tempfile(lines = "a file")
  expect_error(claim_folder(file.path(file, "below")), "must be a folder that can be made", class = "mlsift_error")
})

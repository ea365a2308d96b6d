test_that("a file is written whole, and without leaving a part behind", {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "one.rds")
  file <- write_object(list(1:3, "x"), function(found) identical(found, list(1:3, "x")))
  write_file(path, file)
  expect_identical(read_rds(path), list(1:3, "x"))
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "one.rds")

  lies <- write_object(1, function(found) identical(found, 2))
  expect_error(write_file(path, lies), "cannot be read back", class = "mlsift_error")
  expect_identical(read_rds(path), list(1:3, "x"))
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "one.rds")
})

test_that("a file that exists is not made again, with and without links", {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "one")
  make <- function(text) {
    file <- write_text(text)
    create_file(path, file)
  }
  expect_true(make("first"))
  expect_false(make("second"))
  # The reply of a server was lost: the file is the one that was to be made.
  expect_true(make("first"))
  expect_identical(readLines(path), "first")
  expect_length(list.files(folder, all.files = TRUE, no.. = TRUE), 1)

  make <- function(text) {
    writeLines(text, part <- file.path(folder, "part"))
    create_by_folder(part, path)
  }
  expect_false(make("third"))
  unlink(path)
  dir.create(paste0(path, ".lock"))
  expect_false(make("while another process makes it"))
  withr::with_options(list(mlsift.stale = 0.1), {
    Sys.sleep(0.2)
    expect_false(make("after the other process was lost"))
    expect_true(make("fourth"))
  })
  expect_identical(readLines(path), "fourth")
  expect_false(dir.exists(paste0(path, ".lock")))
})

test_that("without links, a file is made all the same", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  path <- file.path(folder, "one")
  # A link that leads nowhere: its name is taken, but there is no file.
  file.symlink(file.path(folder, "nowhere"), path)
  file <- write_text("first")
  expect_true(create_file(path, file))
  expect_identical(readLines(path), "first")
  expect_identical(Sys.readlink(path), "")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "one")
})

test_that("a file whose name the file system does not take gives an error", {
  folder <- withr::local_tempdir()
  file <- write_text("x")
  long <- file.path(folder, strrep("n", 300))
  expect_error(create_file(long, file), "could not be made", class = "mlsift_error")
  expect_length(list.files(folder, all.files = TRUE, no.. = TRUE), 0)
})

test_that("a folder that is not there or takes nothing gives an error", {
  folder <- withr::local_tempdir()
  file <- write_text("x")
  expect_error(write_file(file.path(folder, "no", "one"), file), "Cannot write to the folder", class = "mlsift_error")
  dir.create(file.path(folder, "one"))
  file.create(file.path(folder, "one", "two"))
  expect_error(write_file(file.path(folder, "one"), file), "could not be renamed", class = "mlsift_error")
})

test_that("a full disk is noticed", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  # A limit for the size of files, which R does not report either.
  process <- start_process(function(folder) {
    set.seed(1)
    x <- matrix(runif(20000), 100)
    colnames(x) <- paste0("f", 1:200)
    benchmark_selectors(mltask(x, matrix(rbinom(200, 1, 0.5), 100)), sel_mim(), lrn_brknn(), rs_cv(2), k = 1,
      measures = "hamming_loss", folder = folder, progress = FALSE)
  }, folder = folder, before = "trap '' XFSZ; ulimit -f 100;")
  found <- result_of(process)
  expect_s3_class(found, "mlsift_error")
  expect_match(conditionMessage(found), "cannot be\\s+read\\s+back")
  expect_match(conditionMessage(found), "Is the disk full?")
  expect_length(list.files(folder, "^[.]part", recursive = TRUE, all.files = TRUE), 0)
})

test_that("files of processes that were killed are removed, and others are not", {
  folder <- withr::local_tempdir()
  own <- own_process()
  name <- function(machine, pid, started) file.path(folder, paste(".part", machine, pid, started, "abc", sep = "-"))
  here <- rlang::hash(own$machine)
  ended <- ended_process()
  kept <- c(name(here, own$pid, own$started), name("elsewhere", 1, 1), file.path(folder, "unit.rds"))
  removed <- c(file.path(folder, ".part-123"), name("elsewhere", 1, 2))
  if (dir.exists("/proc/self")) removed <- c(removed, name(here, ended$pid, ended$started), name(here, own$pid, "1"))
  file.create(kept, removed)
  Sys.setFileTime(removed[2], Sys.time() - 3600)
  sweep_parts(folder)
  expect_setequal(list.files(folder, all.files = TRUE, no.. = TRUE), basename(kept))
})

test_that("a process knows whether another one still runs", {
  skip_if_not(dir.exists("/proc/self"))
  expect_true(process_runs(own_process()))
  expect_false(process_runs(ended_process()))
  other <- own_process()
  other$started <- "1"
  expect_false(process_runs(other))
})

test_that("without /proc, a process is only known to have ended", {
  on_system <- function(type, process) {
    asked <- process_runs
    environment(asked) <- list2env(
      list(dir.exists = function(path) FALSE, .Platform = list(OS.type = type)), parent = environment(process_runs)
    )
    asked(process)
  }
  expect_identical(on_system("unix", own_process()), NA)
  expect_identical(on_system("windows", ended_process()), NA)
  skip_on_os("windows")
  expect_false(on_system("unix", ended_process()))
})

test_that("the age of a file is by the clock of its file system", {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "one")
  file.create(path)
  expect_lt(abs(file_age(path)), 60)
  Sys.setFileTime(path, Sys.time() - 1000)
  expect_gt(file_age(path), 999)
  expect_lt(file_age(path), 1060)
  expect_identical(file_age(file.path(folder, "two")), NA_real_)
  expect_identical(file_clock(file.path(folder, "two")), -Inf)
  expect_length(list.files(folder, all.files = TRUE, no.. = TRUE), 1)
})

test_that("checksums survive storing and tell changes", {
  x <- list(a = 1:10, b = data.frame(n = 1:3, s = c("u", NA, "\u00e9")), c = NULL, d = c(x = 0.1))
  file <- withr::local_tempfile()
  saveRDS(x, file)
  expect_identical(checksum(readRDS(file)), checksum(x))
  x$d[1] <- 0.1 + 2e-17
  expect_false(checksum(readRDS(file)) == checksum(x))
})

test_that("the time limit for signs of life must be a number", {
  withr::local_options(mlsift.stale = "soon")
  expect_error(stale_seconds(), "mlsift.stale", class = "mlsift_error")
})

test_that("a file with any changed byte gives the same object or none, and cannot crash R", {
  path <- withr::local_tempfile()
  object <- list(format = 2L, number = 0.25, settings = c(a = "x", b = NA),
    table = data.frame(x = 1:3, y = c("a", "b", "c")))
  file <- write_object(object, function(found) identical(found, object))
  file$write(path)
  expect_identical(read_rds(path), object)
  bytes <- readBin(path, "raw", 1e4)
  changed <- withr::local_tempfile()
  for (at in some_or_all(seq_along(bytes), 1)) {
    other <- bytes
    other[at] <- xor(other[at], as.raw(2^(at %% 8)))
    writeBin(other, changed)
    found <- read_rds(changed)
    # Some bits change nothing, such as those of the time.
    expect_true(is.null(found) || identical(found, object))
    writeBin(bytes[seq_len(at - 1L)], changed)
    expect_null(read_rds(changed))
  }
  saveRDS(object, changed, compress = FALSE)
  expect_null(read_rds(changed))
  expect_null(read_rds(file.path(tempdir(), "none")))
})

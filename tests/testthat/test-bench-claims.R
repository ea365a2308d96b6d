claims_folder <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  dir.create(file.path(folder, "claims"))
  folder
}

# A claim by a process that has ended, or on another machine.
foreign_claim <- function(path, machine = own_process()$machine, pid = ended_process()$pid, losses = 0, age = 0) {
  writeLines(paste0(c("host", "pid", "started", "machine", "losses"), ": ", c("h", pid, 1, machine, losses)), path)
  Sys.setFileTime(path, Sys.time() - age)
}

test_that("a unit has one claim at a time", {
  folder <- claims_folder()
  one <- claim_unit(folder, "a", -Inf)
  expect_identical(one$losses, 0L)
  expect_true(one$is_held())
  expect_null(claim_unit(folder, "a", -Inf))
  other <- claim_unit(folder, "b", -Inf)
  expect_identical(list.files(file.path(folder, "claims")), c("a.1", "b.1"))
  one$release()
  expect_false(one$is_held())
  again <- claim_unit(folder, "a", -Inf)
  again$release()
  other$release()
  expect_length(list.files(file.path(folder, "claims"), all.files = TRUE, no.. = TRUE), 0)
})

test_that("an interrupt while a unit is claimed or released leaves no claim", {
  skip_on_os("windows")
  signal <- function() tools::pskill(Sys.getpid(), tools::SIGINT)
  start <- start_heartbeat
  stop <- stop_heartbeat
  for (when in c("start", "stop")) {
    folder <- withr::local_tempdir()
    local_mocked_bindings(
      start_heartbeat = function(...) {
        if (when == "start") signal()
        start(...)
      },
      stop_heartbeat = function(beats) {
        if (when == "stop") signal()
        stop(beats)
      }
    )
    found <- tryCatch({
      benchmark_selectors(numbered_task(1), sel_mim(), lrn_brknn(), rs_fixed(1:16, 17:24), 1:2, "hamming_loss",
        folder = folder, progress = FALSE)
      Sys.sleep(0.1)
    }, interrupt = function(e) "interrupted")
    expect_identical(found, "interrupted")
    expect_length(list.files(file.path(folder, "claims")), 0)
  }
})

test_that("of several processes, one gets each claim", {
  folder <- claims_folder()
  work <- function(folder) {
    file.create(tempfile("ready-", folder))
    while (length(list.files(folder, "^ready-")) < 3) Sys.sleep(0.01)
    claim <- utils::getFromNamespace("claim_unit", "mlsift")
    which(vapply(1:300, function(i) !is.null(claim(folder, paste0("unit", i), -Inf)), NA))
  }
  processes <- lapply(1:3, function(i) start_process(work, folder = folder))
  # The claims of a process that has ended may be taken over, so only those of units with one claim are certain.
  found <- lapply(processes, result_of)
  taken_over <- list.files(file.path(folder, "claims"), "[.]2$")
  once <- setdiff(1:300, as.integer(gsub("\\D", "", sub("[.]2$", "", taken_over))))
  expect_gt(length(once), 0)
  expect_identical(sort(unlist(found)[unlist(found) %in% once]), once)
  expect_identical(sort(unique(unlist(found))), 1:300)
})

test_that("the claim of a process that has ended is taken over at once, on the same machine", {
  skip_if_not(dir.exists("/proc/self"))
  folder <- claims_folder()
  path <- file.path(folder, "claims", "a.1")
  foreign_claim(path)
  expect_true(is_lost(path))
  claim <- claim_unit(folder, "a", -Inf)
  expect_identical(claim$losses, 1L)
  expect_setequal(list.files(file.path(folder, "claims")), c("a.1", "a.2"))
  claim$release()
  expect_length(list.files(file.path(folder, "claims")), 0)
})

test_that("the claim of another machine is taken over when there was no sign of life for long enough", {
  folder <- claims_folder()
  path <- file.path(folder, "claims", "a.1")
  foreign_claim(path, machine = "elsewhere", age = 50)
  expect_null(claim_unit(folder, "a", -Inf))
  foreign_claim(path, machine = "elsewhere", age = 70)
  withr::with_options(list(mlsift.stale = 100), expect_null(claim_unit(folder, "a", -Inf)))
  claim <- claim_unit(folder, "a", -Inf)
  expect_identical(claim$losses, 1L)
  claim$release()
  # A claim without content: the machine has crashed.
  file.create(path)
  expect_null(claim_unit(folder, "a", -Inf))
  Sys.setFileTime(path, Sys.time() - 70)
  claim <- claim_unit(folder, "a", -Inf)
  expect_identical(claim$losses, 1L)
  claim$release()
})

test_that("losses are counted, but not those before a call", {
  folder <- claims_folder()
  path <- function(i) file.path(folder, "claims", paste0("a.", i))
  foreign_claim(path(1), "elsewhere", age = 1000)
  foreign_claim(path(2), "elsewhere", losses = 1, age = 500)
  now <- as.double(Sys.time())
  expect_identical(claim_unit(folder, "a", now - 600)$losses, 2L)
  unlink(path(3))
  expect_identical(claim_unit(folder, "a", now - 400)$losses, 0L)
})

test_that("an owner sees that its claim was taken over", {
  folder <- claims_folder()
  one <- claim_unit(folder, "a", -Inf)
  file.create(file.path(folder, "claims", "a.2"))
  expect_false(one$is_held())
  one$release()
  expect_identical(list.files(file.path(folder, "claims")), c("a.1", "a.2"))
})

test_that("signs of life are written while R computes, and stop", {
  folder <- claims_folder()
  withr::local_options(mlsift.stale = 0.6)
  path <- file.path(folder, "claims", "a.1")
  claim <- claim_unit(folder, "a", -Inf)
  size <- file.size(path)
  wait_until(function() file.size(path) > size + 1)
  withr::with_options(list(mlsift.stale = 60), expect_false(is_lost(path)))
  expect_identical(read_claim(path)$pid, as.character(Sys.getpid()))
  unlink(path)
  Sys.sleep(0.3)
  expect_false(file.exists(path))
  claim$release()

  claim <- claim_unit(folder, "b", -Inf)
  beats <- claim_path(folder, "b", 1)
  claim$release()
  file.create(beats)
  Sys.sleep(0.3)
  expect_identical(file.size(beats), 0)
})

test_that("several signs of life are given before a claim counts as lost", {
  folder <- claims_folder()
  given <- NULL
  local_mocked_bindings(cpp_start_heartbeat = function(path, seconds) given <<- c(given, seconds),
    stop_heartbeat = function(beats) NULL)
  for (stale in c(0.6, 60, 6000)) {
    withr::with_options(list(mlsift.stale = stale), claim_unit(folder, "a", -Inf)$release())
  }
  expect_equal(given, c(0.1, 10, 10))
})

test_that("a claim that is far in the future is from before the clock was set back", {
  folder <- claims_folder()
  path <- file.path(folder, "claims", "a.1")
  foreign_claim(path, machine = "elsewhere", age = -30)
  expect_null(claim_unit(folder, "a", -Inf))
  foreign_claim(path, machine = "elsewhere", losses = 2, age = -86400)
  claim <- claim_unit(folder, "a", -Inf)
  # It is not from this call, so it is no loss of it.
  expect_identical(claim$losses, 0L)
  claim$release()
  expect_length(list.files(file.path(folder, "claims")), 0)
})

test_that("what is no file is no claim for ever", {
  folder <- claims_folder()
  path <- file.path(folder, "claims", "a.1")
  dir.create(path)
  expect_null(claim_unit(folder, "a", -Inf))
  Sys.setFileTime(path, Sys.time() - 70)
  claim <- claim_unit(folder, "a", -Inf)
  expect_type(claim, "list")
  claim$release()
  # A claim that has just been removed is not lost.
  expect_false(is_lost(file.path(folder, "claims", "b.1")))
})

test_that("a folder that cannot be written to has no clock, so nothing is lost there", {
  folder <- claims_folder()
  path <- file.path(folder, "claims", "a.1")
  foreign_claim(path, machine = "elsewhere", age = 1000)
  local_mocked_bindings(file_clock = function(folder) -Inf)
  expect_false(is_lost(path))
  expect_true(written_since(path, -Inf))
})

test_that("a process that cannot give signs of life says so once", {
  folder <- claims_folder()
  withr::defer(process_state$silent <- NULL)
  process_state$silent <- NULL
  local_mocked_bindings(cpp_start_heartbeat = function(path, seconds) stop("Resource temporarily unavailable"))
  expect_snapshot(claim <- claim_unit(folder, "a", -Inf))
  claim$release()
  expect_no_message(claim <- claim_unit(folder, "a", -Inf))
  claim$release()
  expect_length(list.files(file.path(folder, "claims")), 0)
})

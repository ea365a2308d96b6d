run <- function(..., seed = 1, tasks = list(a = numbered_task(1), b = numbered_task(2)),
                selectors = list(sel_mim(), sel_random()),
                learners = list(lrn_brknn()), resampling = rs_holdout(repeats = 2), k = 1:2,
                measures = "hamming_loss") {
  withr::with_seed(
    seed, benchmark_selectors(tasks, selectors, learners, resampling, k, measures, ..., progress = FALSE)
  )
}

# Everything but the seconds.
content <- function(bench) {
  attr(bench, "timings") <- attr(bench, "timings")[c("task", "split", "selector", "learner", "stage")]
  bench
}

test_that("a folder changes nothing, and a second call computes nothing", {
  folder <- withr::local_tempdir()
  counter <- new.env()
  call <- function(...) run(
    selectors = list(counting_selector(counter), sel_mim()), learners = counting_learner(counter), ...
  )
  plain <- call()
  expect_identical(c(counter$select, counter$fit), c(4L, 16L))
  kept <- call(folder = file.path(folder, "new", "one"))
  expect_identical(content(kept), content(plain))
  again <- call(folder = file.path(folder, "new", "one"), seed = 99)
  expect_identical(c(counter$select, counter$fit), c(0L, 0L))
  expect_identical(again, kept)
  expect_length(list.files(folder, pattern = "^[.]part", recursive = TRUE, all.files = TRUE), 0)
})

test_that("after an interrupt at any unit the same call gives the same result", {
  skip_unless_all()
  counter <- new.env()
  selectors <- function(stop_at) {
    list(sel_mim(), counting_selector(counter, at_call = function(i) if (i == stop_at) rlang::interrupt()))
  }
  whole <- run(selectors = selectors(Inf))
  for (stop_at in 1:4) {
    folder <- withr::local_tempdir()
    interrupted <- tryCatch(run(selectors = selectors(stop_at), folder = folder), interrupt = function(e) "interrupted")
    expect_identical(interrupted, "interrupted")
    expect_identical(content(run(selectors = selectors(Inf), folder = folder, seed = 5)), content(whole))
    expect_identical(counter$select, 5L - stop_at)
  }
})

test_that("lost, half-written and foreign files are made again", {
  folder <- withr::local_tempdir()
  whole <- run(folder = folder)
  units <- list.files(file.path(folder, "units"), full.names = TRUE)
  expect_length(units, 8)
  withr::local_seed(6)
  for (round in 1:4) {
    hit <- sample(units, 4)
    unlink(hit[1])
    writeBin(readBin(hit[2], "raw", 60), hit[2])
    file.create(hit[3])
    file.copy(setdiff(units, hit)[1], hit[4], overwrite = TRUE)
    writeLines("rest", file.path(folder, "units", ".part-123"))
    suppressMessages(expect_message(again <- run(folder = folder), "damaged"))
    expect_identical(content(again), content(whole))
  }
})

test_that("without a folder an interrupt leaves what is finished in a temporary one", {
  counter <- new.env()
  selectors <- function(stop_at) list(counting_selector(
    counter, at_call = function(i) if (i == stop_at) rlang::interrupt()
  ))
  whole <- run(selectors = selectors(Inf))
  said <- NULL
  tryCatch(
    withCallingHandlers(run(selectors = selectors(3)), mlsift_message = function(m) {
      said <<- m
      rlang::cnd_muffle(m)
    }),
    interrupt = function(e) NULL
  )
  expect_match(conditionMessage(said), "Interrupted. What is finished")
  folder <- list.files(tempdir(), pattern = "^mlsift-benchmark-", full.names = TRUE)
  folder <- folder[which.max(file.mtime(folder))]
  expect_identical(content(run(selectors = selectors(Inf), folder = folder, seed = 8)), content(whole))
  expect_identical(counter$select, 2L)
  unlink(folder, recursive = TRUE)
})

test_that("a time limit also leaves what is finished in a temporary folder, and nothing if there is nothing", {
  counter <- new.env()
  late <- function(i) if (i == counter$stop_at) stop("reached elapsed time limit", call. = FALSE)
  kept <- function(stop_at) {
    counter$stop_at <- stop_at
    before <- list.files(tempdir(), pattern = "^mlsift-benchmark-")
    said <- testthat::capture_messages(
      expect_error(run(selectors = list(counting_selector(counter, at_call = late))), "reached elapsed time limit")
    )
    folder <- setdiff(list.files(tempdir(), pattern = "^mlsift-benchmark-"), before)
    list(said = paste(said, collapse = ""), folder = file.path(tempdir(), folder))
  }
  first <- kept(1)
  expect_identical(first$said, "")
  expect_length(first$folder, 0)
  third <- kept(3)
  withr::defer(unlink(third$folder, recursive = TRUE))
  expect_match(third$said, "What is finished [(]2 selections[)]")
  expect_length(list.files(file.path(third$folder, "units"), "[.]rds$"), 2)
  counter$stop_at <- 0
  again <- run(selectors = list(counting_selector(counter, at_call = late)), folder = third$folder, seed = 8)
  expect_identical(counter$select, 2L)
  expect_identical(content(again), content(run(selectors = list(counting_selector(counter, at_call = late)))))
})

test_that("a temporary folder of workers is named if it holds anything", {
  folder <- withr::local_tempdir()
  plan <- list()
  store <- list(folder = folder, is_temporary = TRUE, keeps_all = TRUE)
  dir.create(file.path(folder, "units"))
  expect_no_message(expect_error(keep_on_interrupt(stop("lost"), plan, store), "lost"))
  file.create(file.path(folder, "units", c("one.rds", "two.rds", ".part-1")))
  expect_message(
    tryCatch(keep_on_interrupt(rlang::interrupt(), plan, store), interrupt = identity),
    "What is finished [(]2 selections[)] is kept in", class = "mlsift_message"
  )
})

test_that("a later call adds tasks, selectors, learners, k and measures and computes only what is missing", {
  folder <- withr::local_tempdir()
  counter <- new.env()
  selector <- counting_selector(counter)
  learner <- counting_learner(counter, random = TRUE)
  small <- function(...) run(
    tasks = list(a = numbered_task(1)), selectors = list(selector), learners = list(learner), ..., folder = folder
  )
  calls <- function() {
    made <- c(counter$select, counter$fit)
    counter$select <- counter$fit <- 0L
    made
  }
  small()
  expect_identical(calls(), c(2L, 4L))
  small(measures = c("one_error", "hamming_loss"))
  expect_identical(calls(), c(0L, 4L))
  small(k = c(1, 3), measures = c("one_error", "hamming_loss"))
  expect_identical(calls(), c(0L, 2L))
  large <- list(
    tasks = list(b = numbered_task(2), a = numbered_task(1)), selectors = list(sel_mim(), selector, sel_none()),
    learners = list(learner, lrn_brknn()), k = 1:4, measures = c("one_error", "hamming_loss", "ranking_loss")
  )
  grown <- do.call(run, c(large, list(folder = folder)))
  # counted: two splits of the new task are selected; all its 4 k, and those of the new measure, are fitted.
  expect_identical(calls()[1], 2L)
  fresh <- do.call(run, large)
  expect_identical(content(grown), content(fresh))

  calls()
  expect_identical(
    content(small()),
    content(run(tasks = list(a = numbered_task(1)), selectors = list(selector), learners = list(learner)))
  )
})

test_that("a selector that is asked again for more features replaces what its old ranking gave", {
  folder <- withr::local_tempdir()
  moody <- sel_custom("moody", function(task, k) if (k > 2) 5:1 else 1:2, returns = "order")
  before <- run(selectors = list(moody), folder = folder)
  after <- run(selectors = list(moody), folder = folder, k = 1:4)
  expect_identical(content(after), content(run(selectors = list(moody), k = 1:4)))
})

test_that("failures are kept", {
  folder <- withr::local_tempdir()
  counter <- new.env()
  broken <- counting_selector(counter, "broken", at_call = function(i) stop("no idea"))
  again <- function() run(selectors = list(broken, sel_mim()), folder = folder)
  expect_warning(before <- again(), "8 of 16 values are missing")
  expect_identical(counter$select, 4L)
  expect_warning(after <- again(), "8 of 16 values are missing")
  expect_identical(counter$select, 4L)
  expect_identical(after, before)
  expect_identical(nrow(failures(after)), 4L)
})

test_that("target_bins belong to a folder once they are used", {
  folder <- withr::local_tempdir()
  tasks <- list(n = numeric_task(1))
  at <- function(...) run(folder = folder, tasks = tasks, learners = lrn_knn_regression(3), measures = "armse", ...)
  at(selectors = sel_random())
  bench <- at(selectors = list(sel_random(), sel_mim()), target_bins = 3)
  plain <- run(
    tasks = tasks, learners = lrn_knn_regression(3), measures = "armse", selectors = list(sel_random(), sel_mim()),
    target_bins = 3
  )
  expect_identical(content(bench), content(plain))
  expect_identical(
    content(at(selectors = list(sel_random(), sel_mim()), target_bins = disc_equal_width(3L))), content(bench)
  )
  expect_error(at(selectors = sel_mim(), target_bins = 4), "another `target_bins`", class = "mlsift_error")
  expect_error(
    at(selectors = sel_mim(), target_bins = disc_equal_frequency(3)), "another `target_bins`", class = "mlsift_error"
  )
  expect_no_error(at(selectors = sel_random()))
})

test_that("folders that do not fit are refused and left alone", {
  folder <- withr::local_tempdir()
  parts <- c("one", "many", "file", "damaged", "notes")
  paths <- stats::setNames(file.path(folder, parts), parts)
  custom <- function(a) sel_custom("mine", function(task, k) seq_len(ncol(task)))
  mine <- msr_custom("mine", function(truth, response) mean(response))
  run(folder = paths["one"], selectors = list(custom()), measures = list(mine))
  run(folder = paths["many"], resampling = list(a = rs_cv(3), b = rs_cv(2)))
  writeLines("x", paths["file"])
  for (name in c("damaged", "notes")) dir.create(paths[name])
  writeLines("x", file.path(paths["damaged"], "benchmark.rds"))
  writeLines("x", file.path(paths["notes"], "notes.txt"))
  before <- tools::md5sum(list.files(folder, recursive = TRUE, full.names = TRUE))
  # The error message without the path.
  try_folder <- function(name, ...) {
    withr::with_dir(folder, run(folder = name, ...))
  }
  expect_snapshot(error = TRUE, {
    try_folder("file")
    try_folder("notes")
    try_folder("damaged")
    try_folder("one", resampling = rs_cv(3))
    try_folder("one", tasks = list(new = numbered_task(1)), resampling = rs_cv(3))
    try_folder("many", resampling = list(a = rs_cv(3), b = rs_cv(3)))
    try_folder("one", discretizer = disc_equal_width(3))
    try_folder("one", discretizer = NULL)
    try_folder("one", impute = structure(list(name = "zero"), class = "mlimputer"))
    try_folder("one", tasks = list(a = numbered_task(7)))
    try_folder("one", selectors = list(sel_custom("mine", function(task, k) 0 + seq_len(ncol(task)))))
    try_folder("one", learners = list("BR-kNN" = lrn_brknn(7)))
    try_folder("one", measures = msr_custom("mine", function(truth, response) 1 - mean(response)))
  })
  expect_identical(tools::md5sum(list.files(folder, recursive = TRUE, full.names = TRUE)), before)
  expect_no_error(run(folder = paths["one"], selectors = list(custom()), measures = list(mine)))
  expect_no_error(run(folder = paths["many"], resampling = rs_cv(3), tasks = list(a = numbered_task(1))))
})

test_that("fingerprints tell data and code apart, and nothing else", {
  expect_identical(fingerprint(list(a = 1:10)), fingerprint(list(a = c(1L, 2L, 3:10))))
  wrapped <- sort(c(3, 1, 2))
  expect_identical(fingerprint(wrapped), fingerprint(c(1, 2, 3)))
  parse_function <- function(text, keep) eval(parse(text = text, keep.source = keep))
  expect_identical(
    fingerprint(parse_function("function(x) x + 1 # one", TRUE)), fingerprint(parse_function("function(x)  x+1", FALSE))
  )
  made <- function(y) function(x) x + y
  expect_identical(fingerprint(made(1)), fingerprint(compiler::cmpfun(made(2))))
  expect_false(fingerprint(function(x) x + 1) == fingerprint(function(x) x + 2))
  expect_false(fingerprint(function(x = 1) x) == fingerprint(function(x = 2) x))
  expect_false(fingerprint(sum) == fingerprint(prod))
  expect_false(fingerprint(sel_mim()) == fingerprint(sel_none()))
  expect_identical(fingerprint(quote(x + 1)), fingerprint(str2lang("x  +  1")))
  expect_false(fingerprint(quote(x + 1)) == fingerprint(quote(x + 2)))
  # Environments are told apart by their class alone: their content may change at any time.
  expect_identical(fingerprint(new.env()), fingerprint(globalenv()))
  expect_false(fingerprint(new.env()) == fingerprint(structure(new.env(), class = "own")))
  expect_identical(fingerprint(Matrix::Diagonal(2)), fingerprint(Matrix::Diagonal(3)))

  task <- numbered_task(1)
  file <- withr::local_tempfile()
  saveRDS(task, file)
  expect_identical(fingerprint(readRDS(file)), fingerprint(task))
  other <- task
  other$x[2, 2] <- other$x[2, 2] + 1e-12
  expect_false(fingerprint(other) == fingerprint(task))
  frame <- data.frame(a = factor(c("u", "v")), b = 1:2)
  renamed <- frame
  rownames(renamed) <- c("r1", "r2")
  expect_identical(fingerprint(frame), fingerprint(renamed))
  levels(renamed$a) <- c("u", "w")
  expect_false(fingerprint(frame) == fingerprint(renamed))
})

test_that("a unit that was given up is tried again by the next call, also if the clock was set back", {
  folder <- withr::local_tempdir()
  whole <- run(folder = folder)
  path <- list.files(file.path(folder, "units"), full.names = TRUE)[1]
  unit <- readRDS(path)
  unit$values <- unit$values[0, ]
  for (age in c(1, -86400)) {
    number <- unit$number
    write_unit(give_up(unit[!names(unit) %in% c("number", "checksum")], 3L), path, number)
    Sys.setFileTime(path, Sys.time() - age)
    expect_identical(run(folder = folder)$value, whole$value)
  }
})

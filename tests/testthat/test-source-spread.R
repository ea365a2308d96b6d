# A task in parts of about the same number of rows.
in_parts <- function(task, n) {
  part <- sort(rep_len(seq_len(n), nrow(task)))
  lapply(seq_len(n), function(i) task[which(part == i), ])
}

expect_spread_equals <- function(...) suppressMessages(expect_source_equals(...))

# The workers of a back end, which need mlsift as it is installed. Daemons are started once for this file.
use_spread_workers <- function(kind, env = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed(kind)
  if (kind == "future") {
    old <- suppressWarnings(future::plan("multisession", workers = 2))
    withr::defer(future::plan(old), env)
  } else if (mirai::status()$connections < 2L) {
    mirai::daemons(0)
    mirai::daemons(2)
    withr::defer(mirai::daemons(0), teardown_env())
  }
}

daemon_pids <- function() unlist(mirai::everywhere(Sys.getpid())[])

every_kind_of_task <- function() withr::with_seed(1, {
  n <- 90
  codes <- random_codes(n, 6)
  numbers <- matrix(round(stats::rnorm(n * 6), 1), n, dimnames = dimnames(codes))
  numbers[numbers < -0.2] <- 0
  numbers[, 2] <- 3
  y <- random_labels(n, 4)
  unknown <- y
  unknown[sample(length(y), 40)] <- NA
  classes <- data.frame(
    a = factor(sample(c("x", "y", "z"), n, TRUE)), b = factor(sample(c("u", "v", "w", "t"), n, TRUE))
  )
  list(
    ones = mltask(sparse((codes == 1) + 0), sparse(y)), factors = coded_task(as_factors(codes), y),
    numbers = mltask(numbers, y), unknown = mltask(numbers, unknown), classes = mltask(as_factors(codes), classes),
    weighted = mltask(sparse(codes), y, weights = sample(0:4, n, TRUE)),
    grouped = mltask(numbers, y, group = sample(letters[1:3], n, TRUE))
  )
})

transforming_selectors <- function() list(sel_chi2(), sel_trans_mi(), sel_igmf())

test_that("tables of parts add up to those of all rows", {
  task <- every_kind_of_task()$ones
  found <- count_tables(spread_source(in_parts(task, 3), workers = "none"), sel_mim())$tables
  x <- as.matrix(features(task))
  y <- as.matrix(targets(task))
  of_part <- lapply(split(seq_len(90), rep(1:3, each = 30)), function(rows) crossprod(x[rows, ], y[rows, ]))
  by_hand <- Reduce(`+`, of_part)
  expect_identical(found$n, 90)
  expect_equal(found$in_level[seq(2, 18, 3)], unname(colSums(x)))
  expect_equal(found$in_target, unname(colSums(y)))
  cells <- t(by_hand)
  expect_equal(found$count, cells[cells > 0])
})

test_that("a spread source gives the bits of the task, for all kinds of rows and any number of parts", {
  local_no_words()
  tasks <- every_kind_of_task()
  for (kind in names(tasks)) for (n in if (kind == "numbers") some_or_all(1:7, 1) else c(1, 4)) suppressMessages({
    task <- tasks[[kind]]
    source <- spread_source(in_parts(task, n), workers = "none")
    selectors <- list(sel_mim(), sel_scls(), sel_jmim())
    if (kind != "unknown") selectors <- c(selectors, transforming_selectors()[1:2])
    if (n == 4 && kind != "classes") selectors <- c(selectors, list(sel_fimf(n_labels = 3), sel_pmu(), sel_lsmfs()))
    # Selectors for one part and for several take turns from kind to kind.
    expect_spread_equals(source, task, some_or_all(selectors, match(kind, names(tasks)) + n, 2L))
    expect_identical(check_task(source), check_task(chunked(task)))
  })
})

test_that("coded rows are counted alike by any number of threads, also at the borders of blocks", {
  skip_unless_all()
  local_no_words()
  turn <- 0L
  for (n in c(1, 63:65, 511:513)) {
    withr::local_seed(n)
    codes <- random_codes(n, 70)
    weights <- sample(0:3, n, TRUE)
    weights[1] <- 1L
    y <- random_labels(n, 3)
    y[sample(length(y), n %/% 3)] <- NA
    wide <- matrix(stats::rnorm(n * 5) * 1e160, n, dimnames = list(NULL, paste0("n", 1:5)))
    tasks <- list(coded_task(codes, random_labels(n, 3)), mltask(sparse(codes), y, weights = weights),
      mltask(wide, random_labels(n, 3)))
    for (task in tasks) suppressMessages(suppressWarnings({
      source <- spread_source(in_parts(task, min(n, 3)), workers = "none")
      for (selector in list(sel_jmim(), sel_scls())) {
        expected <- or_else(as.data.frame(sift_features(task, selector, k = 4)), NULL)
        for (threads in some_or_all(c(1, 2, 5), turn <- turn + 1L)) {
          found <- or_else(as.data.frame(sift_features(source, selector, k = 4, threads = threads)), NULL)
          expect_identical(found, expected)
        }
      }
      expect_true(n == 1 || !is.null(expected))
    }))
  }
})

test_that("all selectors of chunks work on a spread source", {
  task <- every_kind_of_task()$factors
  source <- spread_source(in_parts(task, 3), workers = "none")
  expect_spread_equals(source, task,
    c(one_pass_selectors(), pair_rankers(), stepwise_selectors(), transforming_selectors()))
  short <- sift_features(source, sel_jmim(), k = 2)
  expect_identical(as.data.frame(extend_selection(short, source, k = 5)),
    as.data.frame(sift_features(task, sel_jmim(), k = 5)))
  expect_identical(candidate_scores(short, source), candidate_scores(short, task))
  # Tables of more than one answer.
  withr::local_options(mlsift.chunk_bytes = 200)
  expect_spread_equals(source, task, list(sel_jmim()))
})

test_that("rows are coded within the memory that they may take", {
  local_no_words()
  tasks <- every_kind_of_task()
  chunks <- function(task) chunked(task, ends = c(20L, nrow(task)))
  # Bytes for no chunk, for some of them, for all.
  turn <- 0L
  for (bytes in c(100, 1000, 1e6)) for (kind in names(tasks)) suppressMessages(suppressWarnings({
    withr::local_options(mlsift.chunk_bytes = bytes)
    source <- spread_source(lapply(in_parts(tasks[[kind]], 2), chunks), workers = "none")
    runs <- list(list(sel_jmim(), 1), list(sel_scls(), 1), list(sel_jim(), 3))
    for (run in some_or_all(runs, turn <- turn + 1L)) {
      found <- sift_features(source, run[[1]], k = 5, threads = run[[2]])
      expect_identical(as.data.frame(found), as.data.frame(sift_features(tasks[[kind]], run[[1]], k = 5)))
    }
  }))
})

test_that("folds and groups are counted in parts", {
  tasks <- every_kind_of_task()
  for (task in tasks[c("grouped", "weighted")]) {
    source <- spread_source(in_parts(task, 4), workers = "none")
    chunks <- chunked(task)
    folds <- rep_len(c("b", "a", "c"), 90)
    for (selector in list(sel_mim(), sel_chi2(), sel_fimf())) {
      expect_identical(count_tables(source, selector, folds = folds), count_tables(chunks, selector, folds = folds))
    }
    expect_identical(count_tables(source, sel_mim()), count_tables(chunks, sel_mim()))
  }
})

test_that("columns, levels and classes of parts may be in other orders, or lack some", {
  withr::local_seed(2)
  rows <- data.frame(
    f = factor(sample(letters[1:4], 60, TRUE)), g = sample(0:1, 60, TRUE), a = factor(sample(LETTERS[1:3], 60, TRUE)),
    b = factor(sample(LETTERS[4:6], 60, TRUE))
  )
  whole <- mltask(rows[1:2], rows[3:4])
  first <- rows[1:30, ]
  second <- droplevels(rows[31:60, ][rows$f[31:60] != "a" & rows$a[31:60] != "B", c(2, 1, 4, 3)])
  whole <- whole[c(1:30, as.integer(rownames(second))), ]
  parts <- list(mltask(first[1:2], first[3:4]), mltask(second[1:2], second[3:4]))
  expect_spread_equals(spread_source(parts, workers = "none"), whole, list(sel_mim(), sel_cmim(), sel_chi2()), k = 2)
  source <- spread_source(rev(parts), workers = "none")
  expect_identical(feature_names(source), c("g", "f"))
  expect_identical(sift_features(source, sel_mim())$score, sift_features(whole, sel_mim())$score)
})

test_that("parts are files, sources, or what read() takes", {
  task <- every_kind_of_task()$numbers
  folder <- withr::local_tempdir()
  files <- file.path(folder, c("a 'quoted' part.csv", "{braces}.csv", "third.csv"))
  parts <- in_parts(task, 3)
  for (i in 1:3) {
    utils::write.csv(cbind(as.matrix(features(parts[[i]])), targets(parts[[i]])), files[i], row.names = FALSE)
  }
  read <- eval(bquote(function(file) read_chunks(file, targets = .(target_names(task)), rows = 13)), globalenv())
  source <- spread_source(files, read = read)
  expect_output(print(source), "<mlsource> 3 parts: 90 rows, 6 features, 4 labels", fixed = TRUE)
  expect_spread_equals(source, task, list(sel_mim(), sel_jmim()))
  sources <- lapply(files, read)
  expect_spread_equals(spread_source(sources), task, list(sel_mim(), sel_scls()))
  expect_spread_equals(spread_source(as.list(1:3), read = function(i) parts[[i]]), task, list(sel_scls()))
  libsvm <- file.path(folder, c("1.svm", "2.svm"))
  writeLines(c("1,2 1:1 3:1", "2 2:1"), libsvm[1])
  writeLines(c("1 1:1 3:1", "1,2 2:1 3:1"), libsvm[2])
  both <- withr::local_tempfile(fileext = ".svm")
  writeLines(unlist(lapply(libsvm, readLines)), both)
  expect_spread_equals(spread_source(libsvm), read_libsvm(both), list(sel_mim(), sel_scls()), k = 2)
})

test_that("a part in LIBSVM files is read once, whatever its chunks", {
  lines <- withr::with_seed(2, random_libsvm(30, 6, 3, first_y = 1))
  # Every part has each column.
  last <- "1,2,3 1:1 2:1 3:1 4:1 5:1 6:1"
  parts <- list(c(lines[1:17], last), c(lines[18:30], last))
  both <- local_libsvm(unlist(parts))
  files <- c("1.svm", "2.svm")
  for (i in 1:2) writeLines(parts[[i]], files[i])
  opened <- 0
  open <- open_libsvm
  local_mocked_bindings(open_libsvm = function(...) {
    opened <<- opened + 1
    open(...)
  })
  for (rows in c(1, 5, 100)) for (kind in list(NULL, "class")) {
    opened <- 0
    read <- function(file) read_chunks(file, rows = rows, kind = kind, exclude = "f2")
    found <- spread_source(files, read, "none")
    expect_equal(opened, 2)
    task <- suppressMessages(read_libsvm(both, kind = kind, exclude = "f2"))
    expect_spread_equals(found, task, list(sel_mim(), sel_scls()), k = 3)
  }
  expect_false(process_state$keeps_rows)
})

test_that("rows are read once, and a saved source reads them again", {
  task <- every_kind_of_task()$factors
  calls <- 0
  read <- function(part) {
    calls <<- calls + 1
    part
  }
  source <- spread_source(in_parts(task, 3), read = read, workers = "none")
  sift_features(source, sel_scls(), k = 4)
  sift_features(source, sel_chi2())
  expect_identical(calls, 3)
  process_state$spread[[source$spread$id]] <- NULL
  expect_spread_equals(source, task, list(sel_scls()))
  expect_identical(calls, 6)
  id <- source$spread$id
  expect_true(id %in% names(process_state$spread))
  rm(source)
  gc()
  spread_source(list(task), workers = "none")
  expect_false(id %in% names(process_state$spread))
})

test_that("the memory of rows of LIBSVM files is given back, but for those of the user's sources", {
  skip_unless_all()
  file <- local_libsvm(c("1,2 1:0.5 3:1", "2 2:1"))
  named <- withr::local_tempfile(fileext = ".svm")
  file.copy(file, named)
  cached <- NULL
  read <- function(file) cached <<- cached %||% read_chunks(file, "libsvm")
  kept_after <- function(part, ...) {
    source <- spread_source(list(part), ..., workers = "none")
    x <- process_state$spread[[source$spread$id]]$parts[[1]]$chunks[[1]]$x
    expect_identical(serialize(x, NULL), serialize(features(read_libsvm(file)), NULL))
    rm(source)
    gc()
    spread_source(list(simulate_mltask(20, n_features = 3, n_targets = 2)), workers = "none")
    lengths(list(x@i, x@x))
  }
  expect_identical(kept_after(named), c(0L, 0L))
  for (i in 1:2) expect_identical(kept_after(named, read = read), c(3L, 3L))
  for (i in 1:2) expect_identical(kept_after(cached), c(3L, 3L))
})

test_that("parts that do not fit together are refused by name", {
  withr::local_seed(1)
  task <- simulate_mltask(40, n_features = 4, n_targets = 2)
  x <- as.data.frame(as.matrix(features(task)))
  y <- targets(task)
  other <- mltask(x[1:3], y)
  spread <- function(...) spread_source(list(...), workers = "none")
  expect_snapshot(error = TRUE, {
    spread_source(task)
    spread_source(list())
    spread_source(c("a", NA))
    spread_source(list(1))
    spread_source(list(task), read = 1)
    spread_source(list(task), workers = "many")
    spread_source(list("part\n{1}" = 5), read = function(part) part, workers = "none")
    spread(task, bad = other)
    spread(other, task)
    spread(task, mltask(x, data.frame(l1 = y[, 1], other = y[, 2])))
    spread(task, mltask(x, data.frame(l1 = rep(c("a", "b", "c", "d"), 10), l2 = rep(c("e", "f", "g", "h"), 10))))
    spread(task, mltask(x, y, weights = rep(1, 40)))
    spread(mltask(transform(x, f1 = rep(c("a", "b"), 20)), y), task)
    spread(task, empty = chunk_source(function(i) NULL, feature_names(task), target_names(task)))
    spread(mltask(x, y, weights = rep(c(1, 0.3), 20)))
    spread(mltask(x, data.frame(number = rnorm(40))))
    spread(spread(task))
    spread_source("no such file.csv", workers = "none")
  })
  zero <- mltask(x, y, weights = rep(1, 40))
  zero$rows$weights[] <- 0
  expect_error(spread(zero), "must not all be 0", class = "mlsift_error")
  weighted <- spread(mltask(x, y, weights = 1:40), zero)
  expect_identical(sift_features(weighted, sel_mim())$score,
    sift_features(mltask(x, y, weights = 1:40), sel_mim())$score)
})

test_that("labels in words are the same words in all parts", {
  x <- data.frame(f = rep(0:1, 10))
  rows <- function(values) chunk_source(function(i) if (i == 1) cbind(x, l = values), "f", "l")
  yes <- rows(rep(c("no", "yes", "yes", "no"), 5))
  suppressMessages({
    found <- spread_source(list(yes, rows(rep("no", 20))), workers = "none")
    expect_identical(count_tables(found, sel_mim())$tables$in_target, 10)
    expect_error(spread_source(list(yes, rows(rep(0:1, 10))), workers = "none"), "must be written alike",
      class = "mlsift_error")
  })
})

test_that("a part that changes between readings is an error", {
  task <- every_kind_of_task()$factors
  parts <- in_parts(task, 2)
  source <- spread_source(list(1, 2), read = function(i) parts[[i]], workers = "none")
  process_state$spread[[source$spread$id]] <- NULL
  parts[[2]]$x[1, 1] <- rev(levels(parts[[2]]$x[[1]]))[1]
  parts[[2]]$x[2, 1] <- levels(parts[[2]]$x[[1]])[1]
  parts[[2]]$x[3, 1] <- levels(parts[[2]]$x[[1]])[1]
  expect_error(sift_features(source, sel_mim()), "Part 2 had other rows when it was read again", class = "mlsift_error")
  parts[[2]] <- parts[[2]][1:5, ]
  expect_error(sift_features(source, sel_mim()), "Part 2 had other rows", class = "mlsift_error")
})

test_that("rows that are read again may come in another order, but may not exchange their values", {
  set.seed(3)
  rows <- data.frame(f = rep(0:2, 4), g = c(NA, rnorm(11)), a = rep(0:1, 6), weight = rep(1:3, each = 4))
  part <- rows
  read <- function(number) {
    values <- part
    chunk_source(function(i) if (i <= 3) values[seq(i, nrow(values), 3), ], c("f", "g"), "a", weights = "weight")
  }
  source <- spread_source(list(1), read, "none")
  cuts <- disc_equal_width(3, na = "level")
  count <- function(values) {
    part <<- values
    process_state$spread[[source$spread$id]] <- NULL
    count_tables(source, sel_mim(), discretizer = cuts)$tables
  }
  expect_identical(count(rows[sample(12), ]), count(rows))
  expect_identical(count(as.data.frame(lapply(rows, as.double))), count(rows))
  for (column in names(rows)) {
    other <- rows
    other[c(1, 6), column] <- rows[c(6, 1), column]
    expect_error(count(other), "other rows when it was read again", class = "mlsift_error", label = column)
  }
})

test_that("the same holds for every kind of task: sparse, factors, classes, weights and unknown labels", {
  for (task in every_kind_of_task()) {
    part <- task
    source <- spread_source(list(1), function(number) part, "none")
    count <- function(rows) {
      part <<- rows
      process_state$spread[[source$spread$id]] <- NULL
      count_tables(source, sel_mim())$tables
    }
    suppressMessages(whole <- count(task))
    expect_identical(suppressMessages(count(task[90:1, ])), whole)
    # The features stay, and the targets of rows change places.
    other <- task
    other$targets <- task[90:1, ]$targets
    expect_error(suppressMessages(count(other)), "other rows when it was read again", class = "mlsift_error")
  }
})

test_that("warnings of read() are passed on, and an interrupt keeps the finished steps", {
  task <- every_kind_of_task()$factors
  read <- function(part) {
    warning("an odd file")
    part
  }
  expect_warning(source <- spread_source(list(one = task), read, "none"), "Part 1 .*one.*: an odd file")
  whole <- sift_features(source, sel_jmim(), k = 5)
  steps <- 0
  source <- before_pairs(source, function() {
    steps <<- steps + 1
    if (steps > 3) rlang::interrupt()
  })
  stopped <- tryCatch(suppressMessages(sift_features(source, sel_jmim(), k = 5)), interrupt = function(e) "stopped")
  expect_identical(stopped, "stopped")
  kept <- last_selection()
  expect_gt(nrow(kept), 1)
  expect_identical(kept$feature, whole$feature[seq_len(nrow(kept))])
})

test_that("workers give the same bits, and keep their rows", {
  tasks <- every_kind_of_task()
  folder <- withr::local_tempdir()
  for (workers in c("mirai", "future")) {
    use_spread_workers(workers)
    for (kind in c("numbers", "classes", "weighted")) {
      source <- spread_source(in_parts(tasks[[kind]], 5), workers = workers)
      expect_length(unique(source$spread$holder), 2)
      expect_spread_equals(source, tasks[[kind]], list(sel_mim(), sel_chi2(), sel_jmim()))
    }
    read <- eval(bquote(function(part) {
      file.create(tempfile("read", .(folder)))
      if (is.null(part)) stop("the part is damaged")
      part
    }), globalenv())
    unlink(list.files(folder, full.names = TRUE))
    source <- spread_source(in_parts(tasks$factors, 4), read, workers)
    expect_spread_equals(source, tasks$factors, list(sel_scls(), sel_mim()))
    expect_length(list.files(folder), 4)
    expect_error(spread_source(list(tasks$factors, bad = NULL), read, workers),
      "Part 2 .*bad.* could not be read.*the part is damaged", class = "mlsift_error")
    expect_error(spread_source("none.svm", workers = workers), "There is no file", class = "mlsift_error")
  }
})

test_that("parts of a lost worker are read again by others", {
  skip_on_os("windows")
  use_spread_workers("mirai")
  task <- every_kind_of_task()$numbers
  # Both workers get some parts.
  slow <- eval(quote(function(part) {
    Sys.sleep(0.2)
    part
  }), globalenv())
  source <- spread_source(in_parts(task, 5), slow, "mirai")
  before <- source$spread$holder
  tools::pskill(daemon_pids()[1], 9)
  expect_spread_equals(source, task, list(sel_mim(), sel_jmim()))
  expect_length(unique(source$spread$holder), 1)
  expect_length(unique(before), 2)
  fatal <- eval(quote(function(part) if (is.null(part)) tools::pskill(Sys.getpid(), 9) else part), globalenv())
  use_spread_workers("mirai")
  expect_error(spread_source(list(task, NULL), fatal, "mirai"), "Part 2 could not be counted", class = "mlsift_error")
})

test_that("a source survives a change of workers", {
  use_spread_workers("mirai")
  task <- every_kind_of_task()$factors
  source <- spread_source(in_parts(task, 3))
  expect_identical(source$spread$kind, "mirai")
  mirai::daemons(0)
  expect_spread_equals(source, task, list(sel_scls()))
  expect_identical(source$spread$kind, "none")
  use_spread_workers("mirai")
  expect_spread_equals(source, task, list(sel_scls()))
  expect_error({
    mirai::daemons(0)
    source$spread$workers <- "mirai"
    sift_features(source, sel_mim())
  }, "needs daemons", class = "mlsift_error")
})

test_that("an interrupt leaves the daemons alive", {
  skip_on_os("windows")
  use_spread_workers("mirai")
  task <- every_kind_of_task()$factors
  slow <- eval(quote(function(part) {
    Sys.sleep(20)
    part
  }), globalenv())
  kept <- tryCatch({
    system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
    spread_source(in_parts(task, 2), slow, "mirai")
    "finished"
  }, interrupt = function(e) "interrupted")
  expect_identical(kept, "interrupted")
  expect_identical(mirai::status()$connections, 2L)
  expect_spread_equals(spread_source(in_parts(task, 2), workers = "mirai"), task, list(sel_scls()))
})

test_that("an interrupt in a step stops the daemons' work, and keeps the finished steps", {
  skip_on_os("windows")
  use_spread_workers("mirai")
  task <- every_kind_of_task()$factors
  source <- spread_source(in_parts(task, 5), workers = "mirai")
  expected <- sift_features(task, sel_jmim(), k = 5)
  slow <- withr::local_tempfile()
  mirai::everywhere({
    space <- asNamespace("mlsift")
    unlockBinding("part_questions", space)
    pairs <- space$part_questions$pairs
    space$part_questions$pairs <- function(...) {
      if (file.exists(slow)) Sys.sleep(60)
      pairs(...)
    }
  }, slow = slow)
  steps <- 0
  interrupted <- before_pairs(source, function() {
    steps <<- steps + 1
    if (steps < 3) return()
    file.create(slow)
    system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
  })
  seconds <- system.time({
    ended <- tryCatch(suppressMessages(sift_features(interrupted, sel_jmim(), k = 5)), interrupt = \(e) "stopped")
    kept <- last_selection()
    unlink(slow)
    found <- sift_features(source, sel_jmim(), k = 5)
  })[["elapsed"]]
  expect_identical(ended, "stopped")
  expect_identical(kept$feature, expected$feature[1:3])
  expect_identical(as.data.frame(found), as.data.frame(expected))
  expect_lt(seconds, 30)
  expect_identical(mirai::status()$connections, 2L)
})

test_that("workers that cannot take part, and parts that cannot be sent, are refused", {
  use_spread_workers("mirai")
  task <- every_kind_of_task()$ones
  own <- own_build()
  withr::defer(process_state$build <- own)
  process_state$build <- utils::modifyList(own, list(version = "9.9"))
  expect_error(spread_source(list(task), workers = "mirai"), "it is version .* here, and 9.9 there",
    class = "mlsift_error")
  process_state$build <- own
  skip_if_not_installed("RSQLite")
  con <- local_sqlite()
  write_long(con, ones_only(long_tables(task)))
  database <- suppressMessages(db_source(con, "x", "y", levels = names_of(task), n_rows = nrow(task)))
  expect_error(spread_source(list(tables = database), workers = "mirai"), "Part 1 .*tables.* cannot be sent",
    class = "mlsift_error")
  expect_spread_equals(spread_source(list(database), workers = "none"), task, list(sel_mim(), sel_scls()))
})

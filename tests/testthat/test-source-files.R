# Tasks of labels in all layouts that files hold.
file_tasks <- function(n = 45) {
  zero_one <- (random_codes(n, 5, levels = 2L) == 1) + 0
  y <- random_labels(n, 3)
  numbers <- matrix(round(stats::rnorm(n * 5), 2), n, dimnames = dimnames(zero_one))
  frame <- as_factors(random_codes(n, 5))
  frame$f2 <- sample(c(1L, 2L, 7L), n, TRUE)
  frame$f4 <- stats::rnorm(n)
  list(
    dense = mltask(numbers, y), sparse = mltask(sparse(zero_one * numbers), sparse(y)),
    ones = mltask(sparse(zero_one), sparse(y)), frame = mltask(frame, y)
  )
}

test_that("an ARFF file gives the rows of read_mulan() in every pass", {
  withr::local_seed(1)
  withr::local_dir(withr::local_tempdir())
  tasks <- file_tasks()
  for (kind in seq_along(tasks)) for (name in c("toy.arff", "toy.arff.gz")) {
    unlink(c("toy.arff", "toy.arff.gz", "toy.xml"))
    write_mulan(tasks[[kind]], name)
    read <- read_mulan(name)
    for (rows in some_or_all(c(1, 7, 45, 1000), kind + nchar(name), 4L)) {
      source <- read_chunks(name, rows = rows)
      expect_identical(feature_names(source), feature_names(read))
      expect_identical(target_names(source), target_names(read))
      for (pass in 1:2) {
        found <- rows_of_source(source)
        expect_identical(found$x, features(read))
        expect_identical(found$y, targets(read))
        expect_identical(found$sizes, c(rep(rows, 45 %/% rows), if (45 %% rows > 0) 45 %% rows) + 0)
      }
    }
    expect_same_selections(read_chunks(name, rows = 10), read, few = name == "toy.arff")
  }
})

test_that("an integer column of ARFF that turns out to have other numbers is one of numbers", {
  lines <- arff_lines("a integer", "b integer", rows = paste0(rep(1:6, 5), ",", c(1:29, 1.5), ",", rep(0:1, 15)))
  file <- local_arff(lines)
  task <- read_mulan(file, labels = -1)
  found <- sift_features(read_chunks(file, labels = -1, rows = 4), sel_mim())
  expect_identical(found$score, sift_features(task, sel_mim())$score)
})

test_that("a LIBSVM file gives the rows of read_libsvm()", {
  withr::local_seed(2)
  for (case in 1:4) {
    lines <- random_libsvm(40, 6, 4, first_x = case %% 2, first_y = case %/% 2 %% 2)
    file <- local_libsvm(lines)
    read <- read_libsvm(file)
    for (rows in some_or_all(c(1, 9, 40, 100), case, 2L)) {
      source <- read_chunks(file, rows = rows)
      for (pass in 1:2) {
        found <- rows_of_source(source)
        expect_identical(as.matrix(found$x), as.matrix(features(read)))
        expect_identical(as.matrix(found$y), as.matrix(targets(read)))
      }
    }
    expect_same_selections(read_chunks(file, rows = 11), read)
  }
  expect_snapshot(source)
  more <- read_chunks(file, labels = 9)
  expect_length(target_names(more), 9)
  writeLines(c("3 5 3", "0,2 0:1 3:0.5", "", "1 2:7"), "toy.txt")
  expect_identical(as.matrix(rows_of_source(read_chunks("toy.txt", "libsvm", rows = 2))$x),
    as.matrix(read_libsvm("toy.txt")$x))
})

test_that("CSV files have the values, types and errors of read.table()", {
  withr::local_seed(4)
  withr::local_dir(withr::local_tempdir())
  words <- c(
    "", "NA", "0", "1", "1.5", "-2e3", "1e400", "007", "TRUE", "F", "true", "a b", " x", "\"q\"", "\"a,b\"", "\"NA\"",
    "\"\"", "2020-01-01", "12345678901234567890", "0x1A", "Inf", "NaN", "1d3", "#N/A", "a\\b", "5\"", ".5", "1,5", "1L",
    "'a'", "\"2\"", "\"True\"", "\"t\"", "\"-x\"", "\"inf\"", "\" 3\"", "123456.789012345678", "4.9e-324", "-0", "+7",
    "2147483648", "-2147483648", "1.", "-", "1e", "1e+05", "3 ", " 4 ", "a\t", "\"b \"", "1 2", "1.2.3", "--1", "1-"
  )
  value <- function(column) list(csv_type(column), if (is.numeric(column)) as.double(column) else column)
  read <- function(csv, classes, rows) {
    pass <- csv_pass(csv, classes, rows)
    on.exit(attr(pass, "close")())
    chunks <- list()
    while (!is.null(chunk <- pass())) chunks <- c(chunks, list(lapply(chunk, value)))
    chunks
  }
  size <- 2^20
  pieces <- open_pieces
  local_mocked_bindings(open_pieces = function(file, ...) pieces(file, size))
  take <- cpp_csv_take
  fast <- TRUE
  used <- 0
  local_mocked_bindings(cpp_csv_take = function(...) {
    columns <- if (fast) take(...)
    used <<- used + !is.null(columns)
    columns
  })
  for (i in first_or_all(1:250, 90)) {
    d <- sample(2:4, 1)
    n <- sample(9, 1)
    sep <- sample(c(",", ";", "\t"), 1)
    columns <- replicate(d, sample(sample(words, sample(3, 1)), n, TRUE), simplify = FALSE)
    lines <- do.call(paste, c(columns, sep = sep))
    if (i %% 9 == 0) lines <- append(lines, sample(c("", "  "), 1), sample(n, 1))
    end <- sample(c("\n", "\r\n", "\r"), 1, prob = c(6, 3, 1))
    text <- paste(c(paste(letters[1:d], collapse = sep), lines, if (i %% 4 > 0) ""), collapse = end)
    writeBin(charToRaw(text), "toy.csv")
    dec <- if (sep == ",") "." else sample(c(".", ","), 1)
    na <- if (i %% 5 == 0) sample(c("-2e3", "a b", "1,5"), 1)
    csv <- list(file = "toy.csv", names = letters[1:d], sep = sep, dec = dec, na = na, line_bytes = 20)
    classes <- if (i %% 2) rep(NA, d) else sample(c("numeric", "character", "logical", "NULL"), d, TRUE)
    rows <- sample(c(1, 3, 100), 1)
    size <- sample(c(1, 5, 2^20), 1)
    found <- lapply(c(TRUE, FALSE), function(by) {
      fast <<- by
      tryCatch(read(csv, classes, rows), error = conditionMessage)
    })
    expect_identical(found[[1]], found[[2]], info = text)
  }
  expect_gt(used, if (all_tests()) 50 else 15)
})

test_that("numbers of CSV files have the bits of read.table(), whatever their digits", {
  withr::local_seed(5)
  withr::local_dir(withr::local_tempdir())
  n <- 2000
  text <- unlist(lapply(1:17, function(digits) c(
    sprintf("%.*f", digits, stats::rnorm(n) * 10^sample(-3:6, n, TRUE)), sprintf("%.*g", digits, stats::rnorm(n)),
    sprintf("%.0f.%d", stats::runif(n) * 10^digits, sample(9999, n, TRUE))
  )))
  writeLines(c("a,b", paste0(text, ",1")), "toy.csv")
  read <- function(class) {
    csv <- list(file = "toy.csv", names = c("a", "b"), sep = ",", dec = ".", na = NULL, line_bytes = 20)
    pass <- csv_pass(csv, c(class, "numeric"), 1e6)
    on.exit(attr(pass, "close")())
    pass()$a
  }
  local_mocked_bindings(read_piece = function(...) abort("unused"))
  expected <- utils::read.table("toy.csv", sep = ",", header = TRUE, colClasses = "numeric")$a
  expect_identical(read("numeric"), expected)
  expect_identical(read(NA), expected)
})

test_that("a chunk of a CSV file has as many bytes as chunks may have", {
  withr::local_dir(withr::local_tempdir())
  withr::local_options(mlsift.chunk_bytes = 100)
  writeLines(c("a,l", paste0(strrep("x", 40), 1:9, ",", 0:1)), "toy.csv")
  next_chunk <- read_chunks("toy.csv", targets = "l")$open()
  chunks <- list()
  while (!is.null(chunk <- next_chunk())) chunks <- c(chunks, list(chunk))
  attr(next_chunk, "close")()
  expect_equal(vapply(chunks, nrow, 0L), c(3, 3, 3))
  expect_equal(do.call(rbind, chunks), utils::read.csv("toy.csv", stringsAsFactors = TRUE))
})

test_that("a CSV file gives the rows of read.csv()", {
  withr::local_seed(3)
  withr::local_dir(withr::local_tempdir())
  n <- 40
  frame <- data.frame(
    whole = sample(1:4, n, TRUE), number = round(stats::rnorm(n), 3), `with, comma` = sample(c(TRUE, FALSE), n, TRUE),
    text = sample(c("a, b", "say \"x\"", "B", "z"), n, TRUE), l1 = rep(0:1, n / 2),
    l2 = sample(c(TRUE, FALSE), n, TRUE),
    check.names = FALSE
  )
  frame$text[n] <- "only at the end"
  utils::write.csv(frame, "toy.csv", row.names = FALSE)
  read <- utils::read.csv("toy.csv", check.names = FALSE, stringsAsFactors = TRUE)
  # Whole numbers are numbers.
  read[] <- lapply(read, function(column) if (is.integer(column)) column + 0 else column)
  task <- mltask(read[1:4], read[5:6], name = "toy")
  for (rows in c(3, 40, 41)) {
    source <- read_chunks("toy.csv", targets = c("l1", "l2"), rows = rows)
    for (pass in 1:2) {
      found <- rows_of_source(source)
      expect_identical(found$x, read[1:4])
      expect_identical(found$y, read[5:6])
    }
  }
  expect_same_selections(source, task)
  file.copy("toy.csv", "copy")
  con <- gzfile("toy.csv.gz", "w")
  writeLines(c(readLines("toy.csv"), "", "  "), con)
  close(con)
  expect_identical(rows_of_source(read_chunks("toy.csv.gz", targets = c("l1", "l2"), rows = 7))$x, read[1:4])
})

test_that("a gzipped CSV file that is cut off or damaged is refused", {
  skip_unless_all()
  withr::local_seed(1)
  withr::local_dir(withr::local_tempdir())
  con <- gzfile("toy.csv.gz", "wb")
  writeLines(c("a,l", sprintf("%d,%d", sample(9L, 2000, TRUE), rep(0:1, 1000))), con)
  close(con)
  bytes <- readBin("toy.csv.gz", "raw", 1e6)
  read <- function(bytes) {
    writeBin(bytes, "toy.csv.gz")
    sift_features(read_chunks("toy.csv.gz", targets = "l", rows = 100), sel_mim())
  }
  expect_identical(selected(read(bytes)), "a")
  open <- nrow(showConnections())
  # Some of these end with a whole row.
  for (size in some_or_all(seq(100, length(bytes) - 1, by = 9), 0, 14L)) {
    expect_error(read(utils::head(bytes, size)), "cannot be unpacked", class = "mlsift_error")
  }
  bytes[500:520] <- as.raw(0)
  expect_error(read(bytes), "cannot be unpacked", class = "mlsift_error")
  expect_identical(nrow(showConnections()), open)
})

test_that("what cannot be read names file and line", {
  expect_error(cpp_open_file("gone.csv", 8), "cannot open file .*gone.csv")
  withr::local_dir(withr::local_tempdir())
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  writeLines(arff_lines("a numeric", rows = c(rep(c("1,0", "2,1"), 10), "x,1")), "toy.arff")
  source <- read_chunks("toy.arff", labels = -1, rows = 3)
  refused(sift_features(source, sel_mim()), "toy.arff.*Line 25: attribute `a` must be a number")
  writeLines(c(rep("1 1:1", 9), "2 1:1 1:2"), "toy.svm")
  refused(read_chunks("toy.svm"), "toy.svm.*Line 10: feature 1 stands twice")
  csv <- function(..., targets = "l", rows = 2) {
    writeLines(c(...), "toy.csv")
    sift_features(read_chunks("toy.csv", targets = targets, rows = rows), sel_mim())
  }
  good <- c("a,b,l", "1,0.5,0", "2,1.5,1", "3,2,0")
  refused(csv(good, "4,x,1"), "toy.csv.*Line 5: column \"b\" must be a number, not \"x\"")
  refused(csv(good, "", "4,1"), "Line 6: there are 2 values, and 3 columns")
  refused(csv(good[1:2], "4,1"), "Line 3: there are 2 values, and 3 columns")
  refused(csv(good, "4,1,2"), "must be 0 or 1")
  refused(csv(good[1]), "holds no data")
  refused(csv(character()), "It has 0 names")
  refused(csv("a,a,l", "1,2,0"), "\"a\" occurs twice")
  refused(csv("\"a,b,l", "1,2,0"), "Line 1: EOF within quoted string.*must be on one line")
  refused(csv("a,,l", "1,2,0"), "Column 2 has no name")
  refused(csv(good, targets = "m"), "no column \"m\"")
  refused(read_chunks("toy.csv", targets = character()), "at least one column")
  refused(read_chunks("toy.csv"), "must name the targets")
  refused(csv(good, targets = c("a", "b", "l")), "No features are left")
  refused(read_chunks("toy.csv", labels = "l"), "`labels` does not apply")
  refused(read_chunks("none.csv"), "There is no file")
  file.copy("toy.csv", "toy.dat")
  refused(read_chunks("toy.dat"), "does not say what format")
  refused(read_chunks("toy.csv", format = "xls"), "must be one of")
  writeLines(c("@relation r", "@attribute a numeric", "@attribute b numeric", "@data", "0.5,2"), "toy.arff")
  refused(read_chunks("toy.arff", labels = "a"), "\"a\" is of kind \"numeric\"")
})

test_that("a file that changes between passes is noticed", {
  withr::local_seed(4)
  withr::local_dir(withr::local_tempdir())
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  writeLines(arff_lines("a numeric", rows = c("1,0", "2,1")), "toy.arff")
  source <- read_chunks("toy.arff", labels = -1)
  writeLines(arff_lines("b numeric", rows = c("1,0", "2,1")), "toy.arff")
  refused(sift_features(source, sel_mim()), "must not change")
  writeLines(c("1 1:1", "2 2:1"), "toy.svm")
  source <- read_chunks("toy.svm")
  writeLines(c("1 1:1", "2 5:1"), "toy.svm")
  refused(sift_features(source, sel_mim()), "must not change")
  writeLines(c("1 1:1", "2 0:1"), "toy.svm")
  refused(sift_features(source, sel_mim()), "must not change")
  writeLines(c("1 1:1", "2 2:1", "2 2:1"), "toy.svm")
  refused(sift_features(source, sel_mim()), "3 rows")
})

test_that("files are closed after an error, an interrupted pass and the end", {
  skip_unless_all()
  withr::local_seed(5)
  withr::local_dir(withr::local_tempdir())
  before <- nrow(showConnections())
  writeLines(c("a,b,l", "1,2,0", "2,1,1", "2,x,0"), "toy.csv")
  expect_error(sift_features(read_chunks("toy.csv", targets = "l", rows = 1), sel_mim()))
  expect_error(sift_features(read_chunks("toy.csv", targets = "l", rows = 2), sel_mim()))
  writeLines(arff_lines("a numeric", rows = c("1,0", "x,1")), "toy.arff")
  expect_error(sift_features(read_chunks("toy.arff", labels = -1, rows = 1), sel_mim()))
  writeLines(random_libsvm(20, 4, 3), "toy.svm")
  sift_features(read_chunks("toy.svm", rows = 6), sel_scls(), k = 3)
  expect_identical(nrow(showConnections()), before)
})

test_that("a column of a CSV file may be empty at first", {
  withr::local_dir(withr::local_tempdir())
  writeLines(c("a,b,l", "1,,0", "2,NA,1", "3,0.5,0", "4,1.5,1"), "toy.csv")
  found <- rows_of_source(read_chunks("toy.csv", targets = "l", rows = 2))
  expect_identical(found$x, data.frame(a = 1:4 + 0, b = c(NA, NA, 0.5, 1.5)))
})

test_that("text fits any column of text, and a line that fits is not blamed", {
  withr::local_dir(withr::local_tempdir())
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  good <- c("a,b,l", "u,0.5,0", "v,,1", "u,2,0")
  writeLines(c(good, "7,,1", "u,x,1"), "toy.csv")
  refused(rows_of_source(read_chunks("toy.csv", targets = "l", rows = 2)),
    "Line 6: column \"b\" must be a number, not \"x\"")
  # Empty text in quotes is no number for R, although nothing is missing in the line.
  writeLines(c("a,b,l", "u,1,0", "v,2,1", "u,2,0", "u,2,1", "u,\"\",1"), "toy.csv")
  refused(rows_of_source(read_chunks("toy.csv", targets = "l", rows = 2)),
    "toy.csv.*cannot be read as CSV.*After line 5: scan.* expected 'a real'")
  # A quote that is never closed gives an error without warnings.
  writeLines(c(good, "\"u,2,1"), "toy.csv")
  expect_no_warning(refused(rows_of_source(read_chunks("toy.csv", targets = "l", rows = 2)), "Line 5"))
})

test_that("the labels of an ARFF file may be in an XML elsewhere", {
  withr::local_dir(withr::local_tempdir())
  withr::local_seed(4)
  task <- simulate_mltask(12, n_features = 3, n_targets = 2)
  write_mulan(task, "toy.arff", xml = "labels.xml")
  found <- rows_of_source(read_chunks("toy.arff", xml = "labels.xml", rows = 5))
  expect_equal(as.matrix(found$y), targets(task), ignore_attr = TRUE)
  expect_error(read_chunks("toy.arff", xml = "absent.xml"), "There is no file.*absent", class = "mlsift_error")
})

test_that("a chunk of CSV is bounded by its values, not by its rows alone", {
  file <- withr::local_tempfile(fileext = ".csv")
  rows <- vapply(list(0:1, 1:0, 0:1), \(values) paste(rep_len(values, 10000), collapse = ","), "")
  writeLines(c(paste0("c", 1:10000, collapse = ","), rows), file)
  source <- read_chunks(file, targets = "c10000", rows = 2e9)
  expect_identical(nrow(sift_features(source, sel_mim(), k = 2)), 2L)
})

write_toy <- function(task) {
  unlink(c("toy.arff", "toy.xml"))
  write_mulan(task, "toy.arff")
}

test_that("weights are a column of a file", {
  withr::local_seed(21)
  withr::local_dir(withr::local_tempdir())
  task <- file_tasks()$ones
  weights <- sample(0:3, 45, TRUE)
  x <- cbind(as.matrix(features(task)), w = weights)
  weighted <- mltask(features(task)[weights > 0, ], targets(task)[weights > 0, ], weights = weights[weights > 0])
  same <- function(source) {
    expect_identical(feature_names(source), feature_names(task))
    for (selector in list(sel_mim(), sel_ebls(), sel_scls())) {
      expect_identical(sift_features(source, selector)$score, sift_features(weighted, selector)$score)
    }
  }
  utils::write.csv(cbind(x, as.matrix(targets(task))), "toy.csv", row.names = FALSE)
  same(read_chunks("toy.csv", targets = target_names(task), rows = 7, weights = "w"))
  for (x in list(x, sparse(x))) {
    write_toy(suppressMessages(mltask(x, targets(task))))
    same(read_chunks("toy.arff", rows = 7, weights = "w"))
  }
  expect_snapshot(read_chunks("toy.arff", weights = "w"))
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(read_chunks("toy.arff", weights = "v"), "`weights` must name a column.*\"v\"")
  refused(read_chunks("toy.arff", weights = "l1"), "`weights` must not name a target")
  writeLines(c("w,l", "1,0", "2,1"), "toy.csv")
  refused(read_chunks("toy.csv", targets = "l", weights = "w"), "No features are left")
  writeLines(c("a,w,l", "1,0.5,0", "0,2,1"), "toy.csv")
  refused(sift_features(read_chunks("toy.csv", targets = "l", weights = "w"), sel_mim()), "whole numbers")
})

test_that("labels of a file may be unknown", {
  skip_unless_all()
  withr::local_seed(22)
  withr::local_dir(withr::local_tempdir())
  for (task in file_tasks()) {
    y <- as.matrix(targets(task))
    y[c(4, 50, 100, 101)] <- NA
    task <- mltask(features(task), if (is.matrix(targets(task))) y else sparse(y))
    write_toy(task)
    read <- read_mulan("toy.arff")
    expect_source_equals(read_chunks("toy.arff", rows = 6), read, list(sel_mim(), sel_br_or(), sel_scls()), k = 3)
  }
  numbers <- file_tasks()$dense
  y <- targets(numbers)
  y[c(4, 50, 100, 101)] <- NA
  utils::write.csv(cbind(features(numbers), y), "toy.csv", row.names = FALSE, na = "")
  source <- read_chunks("toy.csv", targets = target_names(numbers), rows = 6)
  expect_source_equals(source, mltask(features(numbers), y), list(sel_mim(), sel_br_or(), sel_scls()), k = 3)
})

test_that("targets of a file may be classes", {
  skip_unless_all()
  withr::local_seed(23)
  withr::local_dir(withr::local_tempdir())
  for (task in file_tasks()[c("sparse", "frame")]) {
    y <- data.frame(a = factor(sample(c("x", "y", "z"), 45, TRUE), c("z", "y", "x")), b = rep(c("u", "v", "v"), 15))
    task <- mltask(features(task), y)
    write_toy(task)
    source <- read_chunks("toy.arff", rows = 6)
    expect_source_equals(source, read_mulan("toy.arff"), list(sel_mim(), sel_chi2(), sel_scls()), k = 3)
  }
  binary <- mltask(features(task), data.frame(a = y$a, b = rep(c(TRUE, FALSE, TRUE), 15)), kind = "class")
  write_toy(binary)
  expect_source_equals(read_chunks("toy.arff", rows = 6), read_mulan("toy.arff"), list(sel_mim(), sel_scls()), k = 3)
  frame <- data.frame(as.matrix(features(file_tasks()$ones)), y)
  utils::write.csv(frame, "toy.csv", row.names = FALSE)
  source <- read_chunks("toy.csv", targets = c("a", "b"), rows = 6)
  read <- utils::read.csv("toy.csv", stringsAsFactors = TRUE)
  expect_source_equals(source, mltask(read[1:5], read[6:7]), list(sel_mim(), sel_chi2(), sel_scls()), k = 3)
  expect_snapshot(source)
  frame$b <- rep(0:1, length.out = 45)
  utils::write.csv(frame, "toy.csv", row.names = FALSE)
  expect_message(source <- read_chunks("toy.csv", targets = c("a", "b"), rows = 6), "taken as a class, as \"a\" is one")
  read <- utils::read.csv("toy.csv", stringsAsFactors = TRUE)
  expect_source_equals(source, mltask(read[1:5], read[6:7]), list(sel_mim(), sel_chi2(), sel_scls()), k = 3)
})

test_that("a line of any length is not held in memory", {
  withr::local_dir(withr::local_tempdir())
  local_mocked_bindings(most_line_bytes = 2^20)
  long <- strrep(",", 2^21 + 1)
  for (text in list(long, c("a,x", long), c("a,x", rep(c("1,0", "0,1"), 3e5), long))) {
    writeLines(text, "long.csv")
    read <- function() sift_features(read_chunks("long.csv", targets = "x"), sel_mim())
    expect_error(read(), "more than 1 MB", class = "mlsift_error")
  }
})

test_that("files in UTF-16 are refused as what they are, at every door", {
  folder <- withr::local_tempdir()
  for (order in c("UTF-16LE", "UTF-16BE")) for (open in list(file, gzfile)) {
    path <- file.path(folder, "wide")
    con <- open(path, "wb")
    mark <- as.raw(if (order == "UTF-16LE") c(0xff, 0xfe) else c(0xfe, 0xff))
    writeBin(c(mark, iconv("a;l\n1,5;0\n", "UTF-8", order, toRaw = TRUE)[[1L]]), con)
    close(con)
    doors <- list(\() read_chunks(path, "csv", targets = "l"), \() read_libsvm(path), \() read_mulan(path, labels = -1),
      \() read_chunks(path, "libsvm"))
    for (door in doors) expect_error(door(), "must be plain text.\nx It is written in UTF-16", class = "mlsift_error")
  }
})

test_that("text of CSV files is UTF-8, or else Latin-1, in every locale", {
  folder <- withr::local_tempdir()
  lines <- c("a,gr\u00fcn,l\u00fc", "1,x,0", "2,\u00e4,1", "3,x,1", "4,\u00e4,0", "")
  read <- function(encoding, name = encoding) {
    path <- file.path(folder, name)
    writeBin(iconv(paste(lines, collapse = "\n"), "UTF-8", encoding, toRaw = TRUE)[[1L]], path)
    source <- read_chunks(path, "csv", targets = "l\u00fc", rows = 2)
    list(feature_names(source), target_names(source), sift_features(source, sel_mim())$feature,
      target_names(count_tables(read_chunks(path, "csv", targets = "gr\u00fcn", exclude = "l\u00fc"), sel_mim())))
  }
  plain <- suppressMessages(read("UTF-8"))
  expect_identical(plain[1:2], list(c("a", "gr\u00fcn"), "l\u00fc"))
  expect_identical(suppressMessages(read("latin1")), plain)
  withr::local_locale(LC_CTYPE = "C")
  for (encoding in c("UTF-8", "latin1")) expect_identical(suppressMessages(read(encoding)), plain)
})

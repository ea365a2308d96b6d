test_that("rows are read as a plain R parser reads them", {
  withr::local_seed(1)
  for (case in first_or_all(1:12, 4)) {
    first_x <- case %% 2
    first_y <- case %/% 2 %% 2
    d <- sample(2:9, 1)
    q <- sample(2:5, 1)
    lines <- random_libsvm(sample(2:30, 1), d, q, first_x, first_y)
    expected <- oracle_libsvm(lines, first_x, first_y, d, q)
    file <- local_libsvm(c("# made up", sample(c("", lines[0]), 1), paste0(lines, sample(c("", " # end", "\r"), 1))))
    task <- read_libsvm(file, q, d, c(features = first_x, labels = first_y))
    expect_s4_class(features(task), "dgCMatrix")
    expect_identical(as.matrix(features(task)), expected$x)
    expect_identical(as.matrix(targets(task)), expected$y)
    expect_identical(task$name, "toy")
    expect_true(methods::validObject(task$x) && methods::validObject(task$targets$values))
    expect_identical(sum(task$x@x == 0), 0L)
  }
})

test_that("pieces of any size and gzipped files give the same", {
  withr::local_seed(2)
  lines <- random_libsvm(20, 5, 3)
  file <- local_libsvm(lines)
  whole <- read_libsvm(file)
  bytes <- readBin(file, "raw", file.size(file))
  for (size in c(1, 2, 7, 64)) {
    reader <- cpp_libsvm_open(TRUE)
    for (from in seq(1, length(bytes), size)) {
      if (!is.null(cpp_read_feed(reader, bytes[from:min(from + size - 1, length(bytes))]))) fail(paste("byte", from))
    }
    expect_null(cpp_read_feed(reader, NULL))
    sides <- list(features = list(width = 5L, first = 1L), labels = list(width = 3L, first = 0L))
    expect_identical(take_libsvm(list(reader), sides), list(x = whole$x, y = whole$targets$values))
  }
  con <- gzfile("toy.svm.gz", "wb")
  writeBin(bytes[-length(bytes)], con) # without the last newline
  close(con)
  expect_identical(read_libsvm("toy.svm.gz"), whole)
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), bytes), "bom.svm")
  expect_identical(read_libsvm("bom.svm")$x, whole$x)
})

test_that("the first line may give sizes, and empty lines are rows then", {
  file <- local_libsvm(c("4 5 3", "0,2 0:1 3:0.5", "", " 2:7", "1", ""))
  task <- read_libsvm(file)
  expect_identical(feature_names(task), paste0("f", 0:4))
  expect_identical(target_names(task), paste0("l", 0:2))
  expect_identical(unname(as.matrix(targets(task))), rbind(c(1, 0, 1), 0, 0, c(0, 1, 0)))
  expect_identical(unname(as.matrix(features(task))), rbind(c(1, 0, 0, 0.5, 0), 0, c(0, 0, 7, 0, 0), 0))
})

test_that("the first number is 0 or 1, found or given", {
  names_of <- function(lines, ...) {
    task <- read_libsvm(local_libsvm(lines), ...)
    c(feature_names(task), target_names(task))
  }
  expect_identical(names_of(c("1 1:1", "2 3:1")), c("f1", "f2", "f3", "l1", "l2"))
  expect_identical(names_of(c("1 1:1", "0 3:1")), c("f1", "f2", "f3", "l0", "l1"))
  expect_identical(names_of(c("1 1:1", "2 0:1")), c("f0", "f1", "l1", "l2"))
  expect_identical(names_of(c("1 1:1", "2 2:1"), first_number = 0), c("f0", "f1", "f2", "l0", "l1", "l2"))
  expect_identical(names_of(c("1 1:1", "1 2:1"), first_number = c(labels = 0, features = 1)), c("f1", "f2", "l0", "l1"))
  expect_identical(names_of(c("1 2 2", "1 1:1")), c("f0", "f1", "l0", "l1"))
  expect_identical(names_of(c("1 2 2", "2 2:1")), c("f1", "f2", "l1", "l2"))
  expect_identical(names_of("1 1:1", n_labels = 2, n_features = 3), c("f1", "f2", "f3", "l1", "l2"))
})

test_that("what is wrong in a file is an error that names the line", {
  refused <- function(lines, why, ...) {
    file <- local_libsvm(lines)
    expect_error(read_libsvm(file, ...), why, class = "mlsift_error")
  }
  good <- "1 1:1 2:1"
  refused(c(good, "1 qid:3 1:1"), "Line 2: the row has a query, \"qid:3\"")
  refused(c(good, "", "1 2:1 1:1"), "Line 3: feature 1 comes after 2")
  refused(c(good, "1 2:1 2:3"), "Line 2: feature 2 stands twice")
  refused(c(good, "1,2,1 2:1"), "Line 2: label 1 stands twice")
  refused(c(good, "1 -2:1"), "Line 2: expected number:value, not \"-2:1\"")
  refused(c(good, "-1 2:1"), "Line 2: a label must be a whole number.*\"-1\"")
  refused(c(good, "+1 2:1"), "Line 2: a label must be a whole number")
  refused(c(good, "1.5 2:1"), "Line 2: a label must be a whole number")
  refused(c(good, "1, 2:1"), "Line 2: a label is missing after the comma")
  refused(c(good, "1 2:x"), "Line 2: feature 2 must have a finite number.*\"2:x\"")
  refused(c(good, "1 2:1x"), "Line 2: feature 2 must have a finite number")
  refused(c(good, "1 2:"), "Line 2: feature 2 must have a finite number")
  refused(c(good, "1 2:nan"), "Line 2: feature 2 must have a finite number")
  refused(c(good, "1 2:1e999"), "Line 2: feature 2 must have a finite number")
  refused(c(good, "1 2"), "Line 2: expected number:value, not \"2\"")
  refused(c(good, "1 3000000000:1"), "Line 2: feature 3000000000 is out of range")
  refused(c("2 2 2", "1 1:1"), "Line 2: there are 1 rows, and the first line says 2")
  refused(c("1 2 2", "1 1:1", "1 1:1"), "Line 3: there are more rows than the 1")
  refused(c("1 2 2", "1 3:1"), "Line 2: feature 3 is out of range")
  refused(c("2 2 2", "0 0:1", "1 2:1"), "Line 3: feature 2 is out of range")
  refused(c(good, "3 1:1"), "Line 2: label 3 is out of range", n_labels = 2)
  refused(c(good, "0 1:1"), "Line 2: label 0 is out of range", first_number = 1)
  refused(c(good, "1 9:1"), "Line 2: feature 9 is out of range", n_features = 8)
  refused("1:1 2:1", "must have labels")
  refused("1,2", "must have features")
  refused(character(), "There are no rows")
  file <- local_libsvm()
  writeBin(as.raw(c(0x31, 0x00, 0x0a)), "toy.svm")
  expect_error(read_libsvm("toy.svm"), "Line 1: the line holds zero bytes", class = "mlsift_error")
  expect_error(read_libsvm("none.svm"), "There is no file", class = "mlsift_error")
  writeLines(good, "toy.svm")
  expect_error(read_libsvm("toy.svm", first_number = 2), "must be 0, 1", class = "mlsift_error")
  expect_error(read_libsvm("toy.svm", n_labels = 0), "`n_labels` must be a whole number", class = "mlsift_error")
  expect_snapshot(read_libsvm("toy.svm", n_features = 1), error = TRUE)
})

test_that("a number in a small file does not ask for all memory", {
  file <- local_libsvm("2147483646 1:1")
  expect_error(read_libsvm(file), "label 2,147,483,646.*n_labels", class = "mlsift_error")
  expect_error(read_chunks(file), "label 2,147,483,646", class = "mlsift_error")
  expect_error(read_libsvm(local_libsvm("1 2147483646:1")), "feature 2,147,483,646.*n_features", class = "mlsift_error")
  expect_error(read_libsvm(local_libsvm(c("1 1000000000 5", "1 1:1"))), "says that there are", class = "mlsift_error")
  more <- local_libsvm("1 2097153:1")
  expect_error(read_libsvm(more), class = "mlsift_error")
  skip_unless_all()
  hashed <- local_libsvm("1 2097152:1")
  expect_identical(ncol(read_libsvm(hashed)), 2097152L)
  expect_identical(ncol(read_libsvm(more, n_features = 2097153)), 2097153L)
})

# Files as MOA, KEEL, Clus and the extreme classification repository write them.

# A file is read alike in memory and in chunks.
expect_both_read <- function(file, expected, read = read_mulan, ...) {
  task <- suppressMessages(read(file, ...))
  expect_identical(lapply(as.list(as.data.frame(task)), as.vector), lapply(as.list(expected), as.vector))
  for (rows in c(1, 2, 100)) {
    source <- suppressMessages(read_chunks(file, ..., rows = rows))
    expect_identical(count_tables(source, sel_mim())$tables, count_tables(task, sel_mim())$tables)
  }
  invisible(task)
}

rows_of <- function(lines, sep) do.call(rbind, strsplit(sub("[, ]*$", "", lines), sep))

test_that("ARFF of MOA has a comma at the end of rows", {
  rows <- c("red,0,1,", "blue,1,0, ", "red,1,1,", "blue, 1,0")
  file <- local_arff(arff_lines("c {red,blue}", "k {0,1}", rows = rows))
  values <- rows_of(rows, ", *")
  expected <- list(c = values[, 1], k = as.integer(values[, 2]), l = as.integer(values[, 3]))
  expect_both_read(file, expected, labels = -2)
  expect_identical(read_mulan(file, labels = -2), {
    writeLines(sub("[, ]*$", "", readLines(file)), file)
    read_mulan(file, labels = -2)
  })
  expect_refused("x numeric", rows = "1,0,,")
})

test_that("ARFF of KEEL has ranges and lists of inputs and outputs", {
  header <- c("@relation keel", "@attribute a real [0, 14]", "@attribute b integer[1,9]", "@attribute c{x,y}",
    "@attribute l {0,1}", "@attribute m {0,1}")
  rows <- c("0.5,1,x,0,1", "14,9,y,1,0", "2.25,3,x,1,1")
  file <- local_arff()
  values <- rows_of(rows, ",")
  expected <- list(a = as.numeric(values[, 1]), b = as.integer(values[, 2]), c = values[, 3],
    l = as.integer(values[, 4]), m = as.integer(values[, 5]))
  for (lists in list(c("@inputs a, b, c", "@outputs l, m"), "@output l,m", "@INPUTS a,b , 'c'")) {
    writeLines(c(header, lists, "@data", rows), file)
    task <- suppressMessages(read_mulan(file))
    expect_identical(lapply(as.list(as.data.frame(task)), function(v) if (is.factor(v)) as.vector(v) else v), expected)
    expect_identical(target_names(task), c("l", "m"))
  }
  writeLines(c(header, "@inputs c", "@outputs l, m", "@data", rows), file)
  expect_message(left <- read_mulan(file), "\"a\" and \"b\" are left out")
  expect_both_read(file, expected[c("c", "l", "m")])
  # What the user says comes first.
  expect_identical(target_names(suppressMessages(read_mulan(file, labels = "m"))), "m")
  expect_snapshot(error = TRUE, {
    writeLines(c(header, "@inputs a, bb", "@data", rows), file)
    read_mulan(file)
    writeLines(c(sub("14]", "14", header, fixed = TRUE), "@data", rows), file)
    read_mulan(file, labels = -1)
    writeLines(c(sub("[0, 14]", "from 0", header, fixed = TRUE), "@data", rows), file)
    read_mulan(file, labels = -1)
  })
})

test_that("a hierarchy of Clus has a label for each class, and rows have all ancestors", {
  classes <- c("01", "01/02", "01/03/04", "05/06")
  nodes <- c("01", "01/02", "01/03", "01/03/04", "05", "05/06")
  rows <- c("01/03/04@05", "01/02@01/03/04", "05/06", "01", "?")
  file <- local_arff(c("@relation clus", "@attribute x {a,b}", paste("@attribute class hierarchical",
    paste(classes, collapse = ",")), "@data", paste0(c("a", "b", "a", "b", "b"), ",", rows)))
  # A row has a node if one of its classes is the node or lies below it.
  expected <- vapply(nodes, function(node) {
    has <- function(row) as.integer(any(startsWith(paste0(strsplit(row, "@")[[1]], "/"), paste0(node, "/"))))
    ifelse(rows == "?", NA, vapply(rows, has, 1L))
  }, integer(length(rows)))
  dimnames(expected) <- list(NULL, nodes)
  both <- c(list(x = c("a", "b", "a", "b", "b")), as.list(as.data.frame(expected)))
  expect_both_read(file, both)
  for (labels in list("class", -1, nodes)) expect_both_read(file, both, labels = labels)
  one <- read_mulan(file, labels = "05", exclude = setdiff(nodes, "05"))
  expect_identical(names(as.data.frame(one)), c("x", "05"))
  expect_identical(targets(one), expected[, "05", drop = FALSE])
  sparse <- sub("^(.),(.*)$", "{0 \\1, 1 \\2}", readLines(file))
  writeLines(sparse, file)
  expect_identical(as.matrix(targets(suppressMessages(read_mulan(file)))), expected + 0)
  expect_snapshot(error = TRUE, {
    writeLines(sub("05/06}", "05/07}", sparse, fixed = TRUE), file)
    suppressMessages(read_mulan(file))
    writeLines(sub(" 01,", " root/01,", sub("01/03/04,05/06", "01/05", sparse)), file)
    read_mulan(file)
    writeLines(sub("05/06$", "05//06", sparse), file)
    read_mulan(file)
    writeLines(sub("hierarchical.*", "hierarchical", sparse), file)
    read_mulan(file)
    writeLines(sub("attribute x", "attribute 01", sparse), file)
    read_mulan(file)
  })
})

test_that("labels of LIBSVM may have blanks after commas", {
  plain <- c("3,1 1:0.5 2:1", "2 2:3", "1,2,3 1:1")
  file <- local_libsvm(gsub(",", ", ", plain))
  expected <- oracle_libsvm(plain, 1, 1, 2, 3)
  task <- read_libsvm(file)
  expect_identical(as.matrix(features(task)), expected$x)
  expect_identical(as.matrix(targets(task)), expected$y)
  found <- rows_of_source(read_chunks(file, rows = 2))
  expect_identical(as.matrix(found$y), expected$y)
  writeLines("1, 2:1", file)
  expect_error(read_libsvm(file), "a label is missing after the comma", class = "mlsift_error")
})

test_that("a pair of LIBSVM files is one file in two", {
  withr::local_seed(1)
  x <- matrix(round(stats::rnorm(48), 2) * (stats::runif(48) < 0.4), 8)
  y <- random_labels(8, 3)
  x[2, ] <- y[2, ] <- 0
  write <- function(values, file) writeLines(c(paste(dim(values), collapse = " "), apply(values, 1, function(row) {
    paste0(which(row != 0) - 1, ":", row[row != 0], recycle0 = TRUE, collapse = " ")
  })), file)
  withr::local_dir(withr::local_tempdir())
  write(x, "x.txt")
  write(y, "y.txt")
  pair <- read_libsvm("x.txt", labels = "y.txt")
  expect_identical(unname(as.matrix(features(pair))), x)
  expect_identical(unname(as.matrix(targets(pair))), unname(y + 0))
  one <- c(paste(8, 6, 3), vapply(1:8, function(i) {
    paste(paste(which(y[i, ] == 1) - 1, collapse = ","), readLines("x.txt")[i + 1])
  }, ""))
  writeLines(one, "x.svm")
  expect_identical(features(read_libsvm("x.svm")), features(pair))
  expect_identical(targets(read_libsvm("x.svm")), targets(pair))
  for (rows in c(1, 3, 100)) {
    found <- rows_of_source(read_chunks("x.txt", "libsvm", labels = "y.txt", rows = rows))
    expect_identical(as.matrix(found$x), as.matrix(features(pair)))
    expect_identical(as.matrix(found$y), as.matrix(targets(pair)))
  }
  expect_same_selections(read_chunks("x.txt", "libsvm", labels = "y.txt", rows = 3), pair)
  expect_snapshot(error = TRUE, {
    read_libsvm("x.txt")
    read_libsvm("x.txt", labels = "z.txt")
    writeLines(readLines("y.txt")[-1], "z.txt")
    read_libsvm("x.txt", labels = "z.txt")
    writeLines(c("2 3", "0:1", "1:1 2:2"), "z.txt")
    read_libsvm("x.txt", labels = "z.txt")
    writeLines(c("2 3", "0:1", "1:1 3:1"), "z.txt")
    read_libsvm("x.txt", labels = "z.txt")
    writeLines(c("2 3", "0:1", "1:1"), "z.txt")
    read_libsvm("x.txt", labels = "z.txt")
  })
  expect_error(read_chunks("x.txt", "libsvm", labels = "z.txt"), "same number of rows", class = "mlsift_error")
})

test_that("the separator and decimal commas of a CSV file are found", {
  withr::local_seed(2)
  frame <- data.frame(a = round(stats::rnorm(30), 2), "b c" = sample(c("u", "v;w", "x,y"), 30, TRUE),
    n = sample(9, 30, TRUE), l = sample(0:1, 30, TRUE), m = sample(0:1, 30, TRUE), check.names = FALSE)
  task <- mltask(frame, targets = c("l", "m"))
  withr::local_dir(withr::local_tempdir())
  chunks <- function(file, ...) suppressMessages(read_chunks(file, targets = c("l", "m"), rows = 7, ...))
  write <- list(
    comma = function(...) utils::write.csv(frame, row.names = FALSE, ...),
    semicolon = function(...) utils::write.csv2(frame, row.names = FALSE, ...),
    tab = function(...) utils::write.table(frame, sep = "\t", row.names = FALSE, ...),
    point = function(...) utils::write.table(frame, sep = ";", row.names = FALSE, ...),
    german = function(...) utils::write.table(frame, sep = "\t", dec = ",", row.names = FALSE, ...)
  )
  sign <- c(comma = ",", semicolon = ";", tab = "\t", point = ";", german = "\t")
  for (kind in names(write)) {
    write[[kind]]("toy.csv")
    expect_same_selections(chunks("toy.csv"), task, few = TRUE)
    expect_same_selections(chunks("toy.csv", sep = sign[[kind]]), task, few = TRUE)
    # With a byte order mark, and all values in quotes.
    lines <- readLines("toy.csv")
    writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(paste0(lines, "\r\n", collapse = ""))), "toy.csv")
    expect_same_selections(chunks("toy.csv"), task, few = TRUE)
    if (sign[[kind]] == "\t") {
      writeLines(paste0("\"", gsub("\t", "\"\t\"", gsub("\"", "", lines), fixed = TRUE), "\""), "toy.csv")
      expect_same_selections(chunks("toy.csv"), task, few = TRUE)
    }
  }
  utils::write.table(frame, "toy.csv", sep = "|", row.names = FALSE)
  expect_same_selections(chunks("toy.csv", sep = "|"), task, few = TRUE)
  expect_snapshot({
    write$semicolon("toy.csv")
    source <- read_chunks("toy.csv", targets = "l")
    write$tab("toy.csv")
    source <- read_chunks("toy.csv", targets = "l", sep = "\t")
  })
  expect_snapshot(error = TRUE, {
    read_chunks("toy.csv", targets = "l", sep = "ab")
    read_chunks("toy.csv", targets = "l", sep = "|")
    writeLines(c(readLines("toy.csv"), "1\tu\tx\t1\t0"), "toy.csv")
    read_chunks("toy.csv", targets = "l", rows = 7) |> sift_features(sel_mim())
    write$semicolon("toy.csv")
    cat("1,5;u;1.5;0;1\n", file = "toy.csv", append = TRUE)
    read_chunks("toy.csv", targets = "l", rows = 7) |> sift_features(sel_mim())
  }, transform = function(x) sub("'/.*/toy", "'toy", x))
})

test_that("row names of R are named with the remedy", {
  withr::local_seed(3)
  frame <- data.frame(a = stats::rnorm(12), l = rep(0:1, 6), row.names = letters[1:12])
  withr::local_dir(withr::local_tempdir())
  for (write in list(utils::write.csv, utils::write.csv2, function(...) utils::write.table(..., sep = ","))) {
    write(frame, "toy.csv")
    expect_error(suppressMessages(read_chunks("toy.csv", targets = "l")), "row.names = FALSE.*exclude = \"row.names\"",
      class = "mlsift_error")
    source <- suppressMessages(read_chunks("toy.csv", targets = "l", exclude = "row.names", rows = 5))
    expect_identical(feature_names(source), "a")
    expect_equal(unname(as.data.frame(rows_of_source(source))[1:2]), unname(frame), ignore_attr = TRUE)
  }
  expect_snapshot(error = TRUE, read_chunks("toy.csv", targets = "l"), transform = function(x) sub("'.*/", "'", x))
})

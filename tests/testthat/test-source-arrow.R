# A data frame with all kinds of columns that files of Arrow hold, and labels l1 and l2.
arrow_rows <- function(n = 53) {
  frame <- data.frame(
    whole = sample(c(1:4), n, TRUE), number = round(stats::rnorm(n), 2), yes = sample(c(TRUE, FALSE), n, TRUE),
    text = sample(c("b", "B", "\u00e9", "a, b"), n, TRUE),
    level = factor(sample(c("z", "m", "a"), n, TRUE), c("z", "unused", "m", "a")),
    l1 = rep(0:1, length.out = n), l2 = sample(c(TRUE, FALSE), n, TRUE)
  )
  frame$text[n] <- "only at the end"
  frame
}

labels_of_rows <- c("l1", "l2")

# Writes pieces (row groups or record batches) of so many rows.
write_arrow <- function(rows, file, size = 20) {
  if (grepl("parquet$", file)) arrow::write_parquet(rows, file, chunk_size = size, compression = "uncompressed")
  else arrow::write_feather(rows, file, chunk_size = size, compression = "uncompressed")
}

arrow_chunks <- function(file, rows, targets = labels_of_rows, ...) {
  read_chunks(file, targets = targets, rows = rows, ...)
}

arrow_files <- c("toy.parquet", "toy.feather", "toy.arrow")

local_arrow <- function(.local_envir = parent.frame()) {
  skip_if_not_installed("arrow")
  withr::local_dir(withr::local_tempdir(.local_envir = .local_envir), .local_envir = .local_envir)
  withr::local_seed(1, .local_envir = .local_envir)
  withr::local_timezone("UTC", .local_envir = .local_envir)
}

refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")

test_that("a file gives its rows, in chunks of any size and pieces of any size", {
  local_arrow()
  frame <- arrow_rows()
  read <- frame
  read$text <- factor(read$text)
  task <- mltask(read[1:5], read[6:7], name = "toy")
  for (file in arrow_files) for (size in c(1, 20, 1000)) {
    write_arrow(frame, file, size)
    for (rows in c(1, 7, 20, 53, 1000)) {
      source <- arrow_chunks(file, rows)
      for (pass in 1:2) {
        found <- rows_of_source(source)
        expect_identical(found$x, read[1:5])
        expect_identical(found$y, read[6:7])
        expect_identical(found$sizes, c(rep(rows, 53 %/% rows), if (53 %% rows > 0) 53 %% rows) + 0)
      }
    }
    expect_same_selections(arrow_chunks(file, 9), task)
  }
})

test_that("the rows are those that arrow and CSV give", {
  local_arrow()
  frame <- arrow_rows()
  frame$level <- as.character(frame$level)
  utils::write.csv(frame, "toy.csv", row.names = FALSE)
  expected <- rows_of_source(arrow_chunks("toy.csv", 10))
  # All numbers of CSV are doubles.
  expected$x$whole <- as.integer(expected$x$whole)
  expected$y$l1 <- as.integer(expected$y$l1)
  for (file in arrow_files) {
    write_arrow(frame, file)
    expect_identical(rows_of_source(arrow_chunks(file, 10)), expected)
  }
  expect_identical(rows_of_source(arrow_chunks("toy.parquet", 10))$x$whole, arrow::read_parquet("toy.parquet")$whole)
})

test_that("row groups that are too large are read in blocks of columns", {
  local_arrow()
  frame <- arrow_rows()
  write_arrow(frame, "toy.parquet", 40)
  expected <- rows_of_source(arrow_chunks("toy.parquet", 12))
  reads <- list()
  open <- open_arrow
  local_mocked_bindings(open_arrow = function(...) {
    reader <- open(...)
    columns <- reader$columns
    reader$columns <- function(i, at) {
      reads[[length(reads) + 1L]] <<- list(piece = i, columns = length(at) + 0)
      columns(i, at)
    }
    reader
  })
  source <- arrow_chunks("toy.parquet", 12)
  for (bytes in c(1, 2 * 40 * 8, 3 * 40 * 8)) {
    withr::local_options(mlsift.chunk_bytes = bytes)
    reads <- list()
    expect_identical(rows_of_source(source), expected)
    # The row group of 40 rows is read for each of 4 chunks, some columns at a time.
    of_first <- Filter(function(read) read[["piece"]] == 1, reads)
    columns <- vapply(of_first, `[[`, 1, "columns")
    expect_lte(max(columns), max(1, bytes / 320))
    expect_identical(sum(columns), 4 * 7)
  }
  withr::local_options(mlsift.chunk_bytes = 1e6)
  reads <- list()
  rows_of_source(source)
  expect_length(reads, 2)
})

test_that("all types of integers, numbers and strings are read", {
  local_arrow()
  n <- 30
  code <- rep(1:5, 6)
  types <- list(arrow::int8(), arrow::uint8(), arrow::int16(), arrow::uint16(), arrow::int32(), arrow::uint32(),
    arrow::int64(), arrow::uint64(), arrow::float32(), arrow::float64(), arrow::utf8(), arrow::large_utf8(),
    arrow::dictionary(arrow::int8(), arrow::utf8()))
  columns <- lapply(types, function(type) {
    if (type$ToString() %in% c("string", "large_string")) arrow::Array$create(letters[code])$cast(type)
    else if (grepl("dictionary", type$ToString())) arrow::Array$create(factor(letters[code]))
    else arrow::Array$create(code)$cast(type)
  })
  names(columns) <- paste0("f", seq_along(columns))
  columns$l <- arrow::Array$create(rep(0:1, n / 2))$cast(arrow::int8())
  table <- do.call(arrow::arrow_table, columns)
  for (file in arrow_files) {
    write_arrow(table, file, 7)
    found <- rows_of_source(arrow_chunks(file, 11, "l"))
    for (j in seq_along(types)) {
      expected <- if (j <= 8) code else if (j <= 10) as.double(code) else factor(letters[code])
      expect_identical(found$x[[j]], expected, label = types[[j]]$ToString())
    }
    expect_identical(found$y$l, rep(0:1, n / 2))
  }
})

test_that("64-bit integers are integers where they fit, else numbers, below 2^53", {
  local_arrow()
  rows <- function(last) {
    arrow::arrow_table(a = arrow::Array$create(c(rep(1:2, 10), 3))$cast(arrow::int64()),
      b = arrow::Array$create(c(rep(1:2, 10), last), type = arrow::float64())$cast(arrow::int64()),
      l = c(rep(0:1, 10), 1L))
  }
  for (file in arrow_files) {
    write_arrow(rows(2^40), file)
    found <- rows_of_source(arrow_chunks(file, 21, "l"))
    expect_identical(found$x, data.frame(a = c(rep(1:2, 10), 3L), b = c(rep(c(1, 2), 10), 2^40)))
    parts <- rows_of_source(arrow_chunks(file, 4, "l"))
    expect_identical(parts$x$b, found$x$b)
    selection <- sift_features(arrow_chunks(file, 4, "l"), sel_mim())
    expect_identical(selection$score, sift_features(mltask(found$x, found$y), sel_mim())$score)
    write_arrow(rows(2^53), file)
    refused(sift_features(arrow_chunks(file, 4, "l"), sel_mim()), "toy.*below 2\\^53.*\"b\"")
  }
})

test_that("missing values are missing in every kind of column", {
  local_arrow()
  frame <- arrow_rows()
  for (column in names(frame)[1:5]) frame[[column]][sample(53, 5)] <- NA
  read <- frame
  read$text <- factor(read$text)
  disc <- disc_auto(na = "level")
  expected <- sift_features(mltask(read[1:5], read[6:7]), sel_scls(), k = 4, discretizer = disc)
  for (file in arrow_files) {
    write_arrow(frame, file, 9)
    source <- arrow_chunks(file, 8)
    expect_identical(rows_of_source(source)$x, read[1:5])
    expect_identical(sift_features(source, sel_scls(), k = 4, discretizer = disc)$score, expected$score)
    refused(sift_features(source, sel_scls(), k = 4), "must not have missing values")
    bad <- frame
    bad$l1[3] <- NA
    write_arrow(bad, file)
    known <- sift_features(mltask(read[1:5], bad[6:7]), sel_scls(), k = 4, discretizer = disc)
    expect_identical(sift_features(arrow_chunks(file, 8), sel_scls(), k = 4, discretizer = disc)$score, known$score)
  }
})

test_that("dictionaries that differ between row groups are one factor", {
  local_arrow()
  pieces <- list(c("b", "a"), c("a", "c", "b"), "d")
  schema <- arrow::arrow_table(x = factor("a"), l = 1L)$schema
  sink <- arrow::FileOutputStream$create("toy.parquet")
  writer <- arrow::ParquetFileWriter$create(schema, sink,
    arrow::ParquetWriterProperties$create(schema$names, compression = "uncompressed"))
  for (values in pieces) {
    n <- length(values)
    writer$WriteTable(arrow::arrow_table(x = factor(values, values), l = rep(1L, n)), n)
  }
  writer$Close()
  sink$close()
  found <- rows_of_source(arrow_chunks("toy.parquet", 2, "l"))
  expect_identical(found$x$x, factor(unlist(pieces), c("b", "a", "c", "d")))
})

test_that("attributes of R objects and a name with odd characters have no influence", {
  local_arrow()
  frame <- arrow_rows()
  names(frame)[1:2] <- c("a, {b}", "\u00e9 \"q\"")
  attr(frame[[2]], "unit") <- "m"
  class(frame) <- c("mine", "data.frame")
  file <- "a {toy} file.parquet"
  write_arrow(frame, file)
  found <- rows_of_source(arrow_chunks(file, 10))$x
  expect_named(found, names(frame)[1:5])
  expect_identical(found[[2]], as.vector(frame[[2]]))
  expect_snapshot(arrow_chunks(file, 10))
  refused(arrow_chunks(file, 10, "none"), "no column \"none\"")
})

test_that("greedy selections continue from a file", {
  local_arrow()
  write_arrow(arrow_rows(), "toy.parquet")
  source <- arrow_chunks("toy.parquet", 10)
  long <- sift_features(source, sel_jmim(), k = 4)
  expect_identical(as.data.frame(extend_selection(sift_features(source, sel_jmim(), k = 2), source, k = 4)),
    as.data.frame(long))
})

test_that("types that are no features are refused by the name of the column", {
  local_arrow()
  base <- data.frame(a = 1:4)
  l <- c(0L, 1L, 1L, 0L)
  days <- as.Date("2026-01-01") + 0:3
  columns <- list(
    date32 = days, timestamp = as.POSIXct(days), list = list(1, 2:3, 4, 5),
    struct = data.frame(p = 1:4, q = 1:4), binary = arrow::Array$create(letters[1:4])$cast(arrow::binary()),
    decimal = arrow::Array$create(1:4)$cast(arrow::decimal128(12, 2))
  )
  for (type in names(columns)) for (file in arrow_files) {
    write_arrow(arrow::arrow_table(a = 1:4, bad = columns[[type]], l = l), file)
    refused(arrow_chunks(file, 2, "l"), paste0("toy.*\"bad\" is of type <", type))
  }
  write_arrow(data.frame(a = 1:4, l = 1:4), "toy.parquet")
  refused(sift_features(arrow_chunks("toy.parquet", 2, "l"), sel_mim()), "\"l\" is of kind \"numeric\"")
})

test_that("names and targets that do not fit are refused, with the file", {
  local_arrow()
  frame <- arrow_rows()
  for (file in arrow_files) {
    write_arrow(frame, file)
    refused(arrow_chunks(file, 9, c("l1", "l3")), "no column \"l3\".*Did you mean")
    refused(arrow_chunks(file, 9, NULL), "at least one column")
    refused(arrow_chunks(file, 9, names(frame)), "No features are left in .*toy")
    refused(read_chunks(file, labels = "l1"), "`labels` does not apply to the format")
    write_arrow(arrow::arrow_table(arrow::record_batch(a = 1:2, l = 0:1)), file)
    twice <- arrow::Table$create(a = 1:2, b = 3:4, l = 0:1)$RenameColumns(c("a", "a", "l"))
    write_arrow(twice, file)
    refused(arrow_chunks(file, 9, "l"), "toy.*unique names.*\"a\" occurs twice")
    write_arrow(twice$RenameColumns(c("a", "", "l")), file)
    refused(arrow_chunks(file, 9, "l"), "toy.*Column 2 has no name")
    write_arrow(frame[0, ], file)
    refused(arrow_chunks(file, 9), "toy.*holds no data")
  }
})

test_that("files that are cut, damaged or of another format are refused by name", {
  local_arrow()
  for (file in arrow_files) {
    write_arrow(arrow_rows(), file)
    bytes <- readBin(file, "raw", 1e6)
    for (kept in c(12, length(bytes) %/% 2, length(bytes) - 1)) {
      writeBin(utils::head(bytes, kept), file)
      refused(arrow_chunks(file, 9), "toy.*cannot be read as")
    }
    word <- if (file == "toy.parquet") "Parquet" else "Feather"
    for (lines in list("a,b,l", character())) {
      writeLines(lines, file)
      refused(arrow_chunks(file, 9), paste("toy.*is not a", word, "file"))
    }
    # Bytes of values are damaged: arrow sees it, or the values are others.
    for (at in seq(20, length(bytes) %/% 2, by = 97)) {
      damaged <- bytes
      damaged[at + 0:7] <- as.raw(255)
      writeBin(damaged, file)
      tried <- tryCatch(rows_of_source(arrow_chunks(file, 9)), mlsift_error = identity)
      expect_true(inherits(tried, "mlsift_error") || is.list(tried))
    }
  }
  write_arrow(arrow_rows(), "toy.feather")
  file.rename("toy.feather", "toy.parquet")
  refused(arrow_chunks("toy.parquet", 9), "not a Parquet file")
  expect_length(target_names(arrow_chunks("toy.parquet", 9, format = "feather")), 2)
  arrow::write_feather(arrow_rows(), "toy.feather", version = 1)
  refused(arrow_chunks("toy.feather", 9), "version 1 of Feather")
})

test_that("a file that changes between passes is noticed", {
  local_arrow()
  frame <- arrow_rows()
  changed <- function(file, now) {
    write_arrow(frame, file)
    source <- arrow_chunks(file, 9)
    write_arrow(now, file)
    refused(sift_features(source, sel_scls(), k = 3), "must not change|gave .* rows")
  }
  other <- frame
  other$text[5] <- "new"
  level <- frame
  level$level <- factor(as.character(level$level), c("z", "unused", "m", "a", "more"))
  level$level[2] <- "more"
  for (file in arrow_files) {
    changed(file, frame[-2])
    changed(file, frame[c(2, 1, 3:7)])
    changed(file, transform(frame, whole = whole + 0.5))
    changed(file, other)
    changed(file, level)
  }
  changed("toy.parquet", frame[1:40, ])
  # A change in the middle of a selection.
  for (file in arrow_files) {
    write_arrow(frame, file)
    source <- arrow_chunks(file, 9)
    open <- source$open
    passes <- 0
    source$open <- function() {
      passes <<- passes + 1
      if (passes == 3) write_arrow(frame[1:40, ], file)
      open()
    }
    refused(sift_features(source, sel_scls(), k = 4), "must not change|gave 40 rows")
  }
})

test_that("without the package arrow the error says how to go on", {
  withr::local_dir(withr::local_tempdir())
  local_mocked_bindings(has_package = function(...) FALSE)
  for (file in arrow_files) {
    writeBin(charToRaw(if (file == "toy.parquet") "PAR1 PAR1" else "ARROW1 ARROW1"), file)
    refused(arrow_chunks(file, 9), "toy.*needs the package arrow.*install.packages")
  }
  writeBin(charToRaw("no"), "toy.parquet")
  refused(arrow_chunks("toy.parquet", 9), "is not a Parquet file")
  writeBin(charToRaw("FEA1...."), "toy.feather")
  refused(arrow_chunks("toy.feather", 9), "version 1 of Feather")
  refused(read_chunks("toy.parquet.zip"), "There is no file")
})

test_that("memory is freed after as many cells as asked for", {
  release <- new_release(10)
  held <- function() environment(release)$held
  release(4)
  release(5)
  expect_identical(held(), 9)
  release(1)
  expect_identical(held(), 0)
  release(3)
  expect_identical(held(), 3)
})

test_that("64-bit integers become integers where all fit", {
  expect_identical(whole_values(c(1, 2, NA), "a", "toy"), c(1L, 2L, NA))
  expect_identical(whole_values(c(1, 2^40), "a", "toy"), c(1, 2^40))
})

# --- without the package arrow ----------------------------------------------------------------------------------------

# Stands for a reader of arrow: `frame` in pieces of `size` rows. Text is strings, factors are dictionaries.
mock_reader <- function(frame, size) {
  array <- function(values) list(
    length = function() length(values), Slice = function(from, n) array(values[from + seq_len(n)]),
    as_vector = function() values
  )
  type <- function(column) {
    if (is.factor(column)) return("dictionary<values=string, indices=int8>")
    c(integer = "int32", numeric = "double", logical = "bool", character = "string")[[class(column)]]
  }
  field <- function(name) list(name = name, type = list(ToString = function() type(frame[[name]])))
  rows <- split(seq_len(nrow(frame)), (seq_len(nrow(frame)) - 1) %/% size)
  list(
    schema = list(fields = lapply(names(frame), field)), n_rows = nrow(frame) + 0, pieces = length(rows),
    size = function(i) length(rows[[i]]) + 0,
    columns = function(i, at) lapply(at, function(j) array(frame[rows[[i]], j])), close = function() NULL
  )
}

# Lets files seem to hold `frame`, in pieces of `size` rows.
local_mock_arrow <- function(frame, size, .env = parent.frame()) {
  withr::local_seed(1, .local_envir = .env)
  file <- withr::local_tempfile(fileext = ".parquet", .local_envir = .env)
  writeBin(charToRaw("PAR1"), file)
  local_mocked_bindings(
    has_package = function(...) TRUE, open_arrow = function(...) mock_reader(frame, size), .env = .env
  )
  file
}

test_that("chunks are put together from pieces of any size", {
  frame <- arrow_rows()
  read <- frame
  read$text <- factor(read$text)
  for (size in c(1, 20, 1000)) {
    file <- local_mock_arrow(frame, size)
    for (rows in c(1, 7, 20, 53, 1000)) {
      found <- rows_of_source(arrow_chunks(file, rows))
      expect_identical(found$x, read[1:5])
      expect_identical(found$y, read[6:7])
      expect_identical(found$sizes, c(rep(rows, 53 %/% rows), if (53 %% rows > 0) 53 %% rows) + 0)
    }
    withr::with_options(
      list(mlsift.chunk_bytes = 100), expect_identical(rows_of_source(arrow_chunks(file, 9))$x, read[1:5])
    )
  }
  source <- arrow_chunks(file, 9)
  file <- local_mock_arrow(frame[c(2, 1, 3:7)], 20)
  refused(rows_of_source(source), "must not change")
})

test_that("columns may be weights, and text may be classes", {
  frame <- arrow_rows()
  frame$weight <- rep(c(1, 2, 0, 3), length.out = 53)
  frame$class <- sample(c("p", "q", "r"), 53, TRUE)
  file <- local_mock_arrow(frame[-(6:7)], 20)
  source <- arrow_chunks(file, 9, c("class", "level"), weights = "weight")
  kept <- frame[frame$weight > 0, ]
  task <- mltask(kept[1:4], kept[c("class", "level")], weights = kept$weight)
  expect_source_equals(source, task, list(sel_mim(), sel_scls()))
  expect_message(mixed <- arrow_chunks(file, 9, c("class", "yes")), "\"yes\" .* is taken as a class")
  task <- mltask(frame[c("whole", "number", "text", "level", "weight")], frame[c("class", "yes")])
  expect_source_equals(mixed, task, list(sel_mim()))
})

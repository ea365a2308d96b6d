#' Read a multi-label data set in LIBSVM format
#'
#' Reads the text format of LIBSVM, SVMlight and the extreme classification repository, plain or gzipped. Each line is a
#' row: its labels, then its features that are not 0.
#' ```
#' 3,17 1:0.5 4:1 12:-2.25   # a comment
#' ```
#'
#' # Syntax
#' * Labels and features are whole numbers. Labels stand in any order, also with blanks after the commas, features in
#'   increasing order. Neither may occur twice in a row.
#' * A row without labels begins with its first feature.
#' * The first line may give three sizes: the number of rows, features and labels. An empty line is then a row without
#'   labels and features. In other files, empty lines are left out.
#' * `#` begins a comment.
#' * Queries (`qid:`), labels such as `-1` and `+1`, and infinite numbers give an error.
#'
#' # Pairs of files
#' Some data sets of the extreme classification repository are two files: features, and `labels`. Both begin with a line
#' of two sizes, rows and columns, and have rows such as `1:0.5 4:1`. The value of each label is 1.
#'
#' # Numbers from 0 or from 1
#' Some programs number features and labels from 0, others from 1. Features and labels are named as they are numbered in
#' the file: feature 12 is `f12`, label 3 is `l3`. `first_number` says where they begin. `NULL` takes 0
#' if 0 occurs or if the file begins with a line of sizes, and 1 otherwise. A file with sizes whose highest number
#' equals the size, and that has no 0, counts from 1. Features and labels are looked at separately. If the first
#' feature of a file occurs in no row, the file looks like one that counts from 1, and has one column less: give
#' `first_number` for files that belong together.
#'
#' @param file (string) Path of the file.
#' @param n_labels,n_features How many labels and features there are. `NULL` takes the sizes from the first line, or
#'   else the highest numbers that occur. More than 2,097,152, and more than the file has bytes, must be given here,
#'   because each takes memory.
#' @param first_number The number of the first feature and of the first label: `0`, `1`, or both as in
#'   `c(features = 1, labels = 0)`. `NULL` finds out.
#' @param exclude Features to leave out, such as `c("f3", "f17")`, given as in [mltask()].
#' @param na (strings) What stands for a missing value of a feature, such as `c("NaN", "?")`.
#' @param kind,on What the targets are, as in [mltask()]: labels, unless `kind` says otherwise.
#' @param labels (string) Path of a second file that has the labels; `NULL` if they are in `file`.
#' @inheritParams mltask
#' @return A task (see [mltask()]) with labels, named after the file. Features and labels are a `dgCMatrix` each. Zeros
#'   in the file are not stored.
#'
#'   Errors have the class `mlsift_error`, and name the line.
#' @references Chang and Lin (2011). LIBSVM: a library for support vector machines. ACM Transactions on Intelligent
#'   Systems and Technology 2(3), 27. \doi{10.1145/1961189.1961199}
#' @family tasks
#' @examples
#' file <- tempfile(fileext = ".svm")
#' writeLines(c("1,3 1:0.5 4:1", "2 2:1.5", "1,2 1:2 3:1 4:1"), file)
#' task <- read_libsvm(file)
#' task
#' features(task)
#' @export
read_libsvm <- function(file, n_labels = NULL, n_features = NULL, first_number = NULL, exclude = NULL, na = NULL,
                        kind = NULL, on = NULL, labels = NULL, weights = NULL, group = NULL, time = NULL) {
  files <- libsvm_files(file, labels)
  wanted <- libsvm_wanted(n_labels, n_features, first_number)
  readers <- open_libsvm(files, TRUE, check_na(na))
  sides <- libsvm_sides(read_all_libsvm(readers, files), wanted, file)
  taken <- take_libsvm(readers, sides)
  rows <- take_rows(list(weights = weights, group = group, time = time), taken$x)
  x <- drop_columns(taken$x, rows$columns, rlang::enquo(exclude))
  task_of(x, taken$y, kind, on, libsvm_title(file), NULL, rows$rows)
}

libsvm_title <- function(file) sub("\\.[^.]*$", "", sub("\\.gz$", "", basename(file), ignore.case = TRUE))

# What the caller says about features and labels: list(count, first) for each, NULL if nothing is said.
libsvm_wanted <- function(n_labels, n_features, first_number) {
  n_labels <- check_count(n_labels, max = 1e8, null = TRUE)
  n_features <- check_count(n_features, max = 1e8, null = TRUE)
  fits <- is.numeric(first_number) && all(first_number %in% 0:1) && (length(first_number) == 1L ||
    (length(first_number) == 2L && setequal(names(first_number), c("features", "labels"))))
  if (!is.null(first_number) && !fits) abort_value(first_number,
    "0, 1, or both as in {.code c(features = 1, labels = 0)}")
  of <- function(side) if (length(first_number) == 2L) first_number[[side]] else first_number
  list(features = list(count = n_features, first = of("features")),
    labels = list(count = n_labels, first = of("labels")))
}

# One file, or the file of features and the file of labels.
libsvm_files <- function(file, labels) {
  check_readable(file, "file")
  if (!is.null(labels)) check_readable(labels, "labels")
  c(file, labels)
}

# A reader for each file. `layout`: as in LibsvmReader.
open_libsvm <- function(files, keep, na) {
  layouts <- if (length(files) == 1L) 0L else 1:2
  lapply(layouts, function(layout) cpp_libsvm_open(keep, if (layout < 2L) na, layout))
}

# The summary of one file, or of a pair as if it were one. `read`: reads a file and returns the summary of its reader.
read_all_libsvm <- function(readers, files, read = read_whole_libsvm) {
  found <- Map(read, readers, files)
  if (length(files) == 1L) return(found[[1L]])
  rows <- vapply(found, `[[`, 0, "rows")
  if (rows[1L] != rows[2L]) abort(c("Both files must have the same number of rows.",
    x = "{.file {files[1]}} has {format_count(rows[1])}, {.file {files[2]}} has {format_count(rows[2])}."))
  size <- function(file) found[[file]]$sizes[2L]
  list(rows = rows[1L], sizes = c(rows[1L], size(1L), size(2L)), features = found[[1L]]$features,
    labels = found[[2L]]$features)
}

read_whole_libsvm <- function(reader, file) {
  pieces <- open_pieces(file)
  on.exit(pieces$close())
  check <- file_check(file, "LIBSVM")
  while (!is.null(piece <- pieces$pull())) check(cpp_read_feed(reader, piece))
  check(cpp_read_feed(reader, NULL))
  cpp_libsvm_summary(reader)
}

# list(features, labels): the width and the first number of each side, which cover everything in the file.
libsvm_sides <- function(summary, wanted, file) {
  if (summary$rows == 0) abort(c("{.file {file}} holds no data.", x = "There are no rows."))
  side <- function(name, at) libsvm_side(summary[[name]], summary$sizes[at], wanted[[name]], name, file)
  list(features = side("features", 2L), labels = side("labels", 3L))
}

libsvm_side <- function(range, size, wanted, side, file) {
  highest <- range[1L]
  word <- sub("s$", "", side)
  first <- wanted$first %||% if (range[3L] > 0 || (!is.null(size) && highest < size)) 0 else 1
  count <- wanted$count %||% size %||% (highest - first + 1)
  # Each column takes memory, even without values, so a number in a small file must not use up all of it.
  most <- most_libsvm_columns(file)
  if (is.null(wanted$count) && count > most) {
    found <- if (is.null(size)) "Line {range[2L]}: {word} {format_count(highest)}."
    else "The first line says that there are {format_count(size)} {side}."
    abort(c("{.file {file}} is too small for so many {side}: more than {format_count(most)}.", x = found,
      i = "If there are so many, say so in {.arg n_{side}} of {.fn read_libsvm}."))
  }
  if (count < 1) abort(c("{.file {file}} must have {side}.", x = "None occurs in it.",
    i = "If it has some, give {.arg n_{side}}."))
  outside <- function(line, number) {
    abort(c("{.file {file}} cannot be read as LIBSVM.", x = "Line {line}: {word} {number} is out of range.",
      i = "There must be {counted(count, word)}, numbered from {first}."))
  }
  if (first == 1 && range[3L] > 0) outside(range[3L], 0)
  if (highest > count - 1 + first) outside(range[2L], highest)
  list(width = as.integer(count), first = as.integer(first))
}

# As many as bytes, or 2^21, which hashed features may need in a file of any size. One gzipped byte holds about ten.
most_libsvm_columns <- function(file) {
  max(2^21, file.size(file) * if (grepl("\\.gz$", file, ignore.case = TRUE)) 10 else 1)
}

# list(x, y): the rows that the readers hold.
take_libsvm <- function(readers, sides) {
  take <- function(reader, name) {
    cells <- cpp_libsvm_take(reader, name == "labels" && length(readers) == 1L, FALSE, FALSE)
    libsvm_matrix(cells, cpp_libsvm_summary(reader)$held, sides, name)
  }
  list(x = take(readers[[1L]], "features"), y = take(readers[[length(readers)]], "labels"))
}

# The matrix of `n` rows of a side. `cells`: of the columns seen so far, from cpp_libsvm_take().
libsvm_matrix <- function(cells, n, sides, name) {
  side <- sides[[name]]
  more <- side$width + side$first + 1L - length(cells$p)
  cells$p <- c(cells$p, rep.int(cells$p[length(cells$p)], more))
  if (side$first == 1L) cells$p <- cells$p[-1L]
  rows_matrix(n, libsvm_names(side, substr(name, 1L, 1L)), cells)
}

libsvm_names <- function(side, prefix) paste0(prefix, seq_len(side$width) - 1L + side$first)

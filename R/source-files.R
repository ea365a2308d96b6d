#' Rows of a file, in chunks
#'
#' `read_chunks()` makes a source of a file that need not fit in memory. [sift_features()] and [count_tables()] read it
#' from the beginning in every pass, and hold one chunk at a time. The rows are those of [read_mulan()],
#' [read_libsvm()], [utils::read.csv()], or of `read_parquet()` and `read_feather()` of the package arrow, in the same
#' order.
#'
#' # Formats
#' * `"arff"`: see [read_mulan()], also for how labels are found.
#' * `"libsvm"`: see [read_libsvm()]. The file is read once at the beginning, to know its sizes.
#' * `"csv"`: a line of column names, then rows of values between commas, semicolons or tabs. With semicolons and tabs,
#'   numbers may have decimal commas. The first 100 lines show how it is, and a message says so. Text may be in double
#'   quotes, also with commas in it. Empty values and `NA` are missing. `targets` names the targets. The other columns
#'   are features. The first chunk decides whether a column has logicals, numbers or text. Columns of text are factors;
#'   they are read once at the beginning if there are any, to know their levels. A column of row names, as R writes it
#'   without a name, is called `row.names` and must be excluded. Quoted numbers and quotes within values are read more
#'   slowly. Text that is not UTF-8 is read as Latin-1.
#' * `"parquet"` and `"feather"`: files of Apache Arrow, that is, Parquet, and Feather of version 2 or Arrow IPC. They
#'   need the package arrow. `targets` names the targets, as for CSV. The other columns are features: integers, floats
#'   and doubles, logicals, strings, or dictionaries of strings. Strings are factors with sorted levels. Dictionaries
#'   are factors with their own levels. Columns of both are read once at the beginning. Integers of 64 bits must be
#'   below 2^53.
#'
#' ARFF, LIBSVM and CSV may be gzipped. `"auto"` goes by the end of the file name: `.arff`, `.csv`, `.tsv`, and
#' `.libsvm`, `.svm` or `.svmlight`, perhaps followed by `.gz`; `.parquet`; `.feather` or `.arrow`.
#'
#' Labels may be unknown: `?` in ARFF, empty or `NA` in CSV, missing in Parquet and Feather. See [chunk_source()] for
#' what takes unknown labels, class targets and weights.
#'
#' # Memory
#' A chunk is held as a data frame or sparse matrix. Of a Parquet file, one row group is held too, in Arrow's own form.
#' If it takes more than 512 MB (the option `mlsift.chunk_bytes`) and has more than `rows` rows, some of its columns are
#' read at a time instead. That decodes the row group again for each chunk, so smaller row groups are faster:
#' `arrow::write_parquet(chunk_size = )`. Of a Feather file, one record batch is held.
#'
#' @param file (string) Path of the file.
#' @param format The format of the file.
#' @param xml (string) Path of a Mulan XML file, for ARFF.
#' @param labels For ARFF the labels, as in [read_mulan()]; for LIBSVM their number or their file, as `n_labels` and
#'   `labels` in [read_libsvm()].
#' @param targets For CSV, Parquet and Feather the columns that are targets, given as in [mltask()].
#' @param rows Number of rows in a chunk. The last chunk may have fewer, and those of a CSV file have at most 8 million
#'   values, and 512 MB of text (the option `mlsift.chunk_bytes`, in bytes).
#' @param weights,group,time (strings) The columns, attributes or features that hold the [weights][row_weights()],
#'   [groups and times][row_groups()] of rows, which are then no features; or `NULL`. [count_tables()] gives the tables
#'   of each group. Times have no use here: their column is only left out, so it may be of any type.
#' @param exclude Columns, attributes or features to leave out, given as in [mltask()]. What they hold is not read, so
#'   they may also be strings or dates in ARFF, or of any type in Parquet and Feather.
#' @param na (strings) What stands for a missing value, such as `c("-999", "<0.1")`, besides the sign of the format.
#' @param discrete A named logical vector that says otherwise for some features, as in [mltask()].
#' @param sep (string) The character between the values of a CSV file. `NULL` finds out: a comma, semicolon or tab,
#'   whichever gives the most names.
#' @param kind,on What the targets are, as in [mltask()]. They must be labels or classes.
#' @return A source, see [chunk_source()].
#'
#'   Errors have the class `mlsift_error`. They name the file and the line of what cannot be read.
#' @family sources
#' @examples
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE)
#' source <- read_chunks(file, targets = "Species", rows = 50)
#' source
#' sift_features(source, sel_mim(), k = 3)
#'
#' if (requireNamespace("arrow", quietly = TRUE)) {
#'   file <- tempfile(fileext = ".parquet")
#'   arrow::write_parquet(iris, file)
#'   sift_features(read_chunks(file, targets = "Species", rows = 50), sel_mim(), k = 3)
#' }
#' @export
read_chunks <- function(file, format = c("auto", "arff", "libsvm", "csv", "parquet", "feather"), xml = NULL,
                        labels = NULL, targets = NULL, rows = 1e5, exclude = NULL, na = NULL, discrete = NULL,
                        kind = NULL, on = NULL, weights = NULL, group = NULL, time = NULL, sep = NULL) {
  check_readable(file, "file")
  targets <- rlang::enquo(targets)
  chosen <- list(targets = targets, exclude = rlang::enquo(exclude), na = check_na(na), discrete = discrete,
    kind = check_kind(kind, on), on = on,
    columns = check_row_columns(list(weights = weights, group = group, time = time), NULL))
  format <- check_choice(format)
  if (format == "auto") format <- format_of(file)
  rows <- check_count(rows)
  file <- normalizePath(file)
  given <- c(
    xml = !is.null(xml), labels = !is.null(labels), targets = !rlang::quo_is_null(targets), sep = !is.null(sep)
  )
  used <- switch(format, arff = c("xml", "labels"), libsvm = "labels", csv = c("targets", "sep"), "targets")
  wrong <- setdiff(names(given)[given], used)
  if (length(wrong) > 0L) {
    abort(c("{.arg {wrong[1]}} does not apply to the format {.val {format}}.", i = "Use {.arg {used}}."))
  }
  source <- switch(
    format, arff = arff_source(file, xml, labels, rows, chosen),
    libsvm = libsvm_source(file, labels, rows, chosen), csv = csv_source(file, sep, rows, chosen),
    arrow_source(file, format, rows, chosen)
  )
  with_discrete(source, discrete)
}

format_of <- function(file) {
  extension <- tolower(sub(".*\\.", "", sub("\\.gz$", "", basename(file), ignore.case = TRUE)))
  known <- c(
    arff = "arff", csv = "csv", tsv = "csv", libsvm = "libsvm", svm = "libsvm", svmlight = "libsvm",
    parquet = "parquet", feather = "feather", arrow = "feather"
  )
  if (!extension %in% names(known)) abort(c("The name of {.file {file}} does not say what format it has.",
    i = "Give {.arg format}: {.or {.val {unique(known)}}}."))
  known[[extension]]
}

# A pass over a file. `started`: list(reader, pieces, check), where the reader pauses after the rows of a chunk. `take`
# makes a chunk of the rows that the reader holds.
file_pass <- function(started, take) {
  ended <- FALSE
  pull <- function() {
    if (ended) return(NULL)
    while (!ended && !cpp_read_full(started$reader)) {
      piece <- started$pieces$pull()
      ended <<- is.null(piece)
      started$check(cpp_read_feed(started$reader, piece))
    }
    chunk <- take(started$reader)
    if (!ended) started$check(cpp_read_resume(started$reader))
    chunk
  }
  structure(pull, close = started$pieces$close)
}

# The number of bytes to read at once: not much more than a chunk of rows takes.
piece_size <- function(rows) max(2^12, min(2^20, 64 * rows))

abort_changed <- function(file) {
  abort(c("{.file {file}} must not change while it is in use.", x = "Its columns differ from those found before.",
    i = "Call {.fn read_chunks} again."))
}

# --- ARFF -------------------------------------------------------------------------------------------------------------

arff_source <- function(file, xml, labels, rows, chosen) {
  if (!is.null(xml)) check_readable(xml, "xml")
  sides <- NULL
  choose <- function(header) sides <<- file_sides(header, file, xml, labels, chosen)
  started <- start_arff(file, choose, chosen$na, piece_size(1), 1L)
  started$pieces$close()
  header <- started$header
  notes <- read_notes(header)
  y_at <- which(header$side == 1L)
  kind <- chosen$kind %||% notes$kind
  features <- header$name[header$side == 0L]
  discrete <- rep(NA, length(features))
  at <- match(header$name[notes$discrete$at], features)
  discrete[at] <- notes$discrete$value == "TRUE"
  open <- function() {
    started <- start_arff(file, function(found) {
      if (length(found$name) != length(sides)) abort_changed(file)
      sides
    }, chosen$na, piece_size(rows), rows)
    if (!identical(started$header, header)) {
      started$pieces$close()
      abort_changed(file)
    }
    file_pass(started, function(reader) {
      size <- cpp_arff_size(reader)
      if (size$n == 0L) return(NULL)
      sides <- arff_sides(list(reader = reader, header = header, n = size$n, sparse = size$sparse), notes, kind)
      of_rows <- lapply(chosen$columns[names(chosen$columns) != "time"], function(name) sides$rows[[name]])
      c(sides[c("x", "y")], of_rows)
    })
  }
  name <- if (is.null(notes$name)) arff_title(file) else if (notes$name == "relation") header$relation
  source <- new_mlsource(
    open, features, header$name[y_at], NA_real_, basename(file), discrete, name, kind = kind, on = chosen$on,
    codes = NULL, columns = chosen$columns
  )
  settled_source(source, declared_targets(header$type[y_at], header$levels[y_at], kind))
}

# As arff_sides_of(), without times.
file_sides <- function(header, file, xml, labels, chosen) {
  of_rows <- row_columns(chosen$columns, header$name)
  sides <- arff_sides_of(header, file, xml, labels, chosen$exclude, chosen$columns)
  sides[setdiff(of_rows["time"], c(NA, of_rows[names(of_rows) != "time"]))] <- 3L
  sides
}

# Columns of targets with the declared levels, NULL if some have none. {0,1} alone are numbers, as in arff_sides().
declared_targets <- function(type, levels, kind) {
  if (!all(type %in% c("binary", "nominal"))) return(NULL)
  if (all(type == "binary") && !identical(kind, "class")) return(lapply(levels, as.numeric))
  lapply(levels, \(levels) factor(levels, levels))
}

# --- LIBSVM -----------------------------------------------------------------------------------------------------------

libsvm_source <- function(file, labels, rows, chosen) {
  files <- libsvm_files(file, if (is.character(labels)) labels)
  n_labels <- if (!is.character(labels)) check_count(labels, null = TRUE)
  wanted <- libsvm_wanted(n_labels, NULL, NULL)
  files <- normalizePath(files)
  plain <- identical(chosen$kind %||% "label", "label") && is.null(chosen$on)
  names <- if (length(files) == 1L) list(c("features", "labels")) else list("features", "labels")
  pattern <- plain && length(chosen$columns) == 0L
  # Where rows are kept anyway, the file is read once.
  keeps <- isTRUE(process_state$keeps_rows)
  kept <- list()
  most <- max(most_libsvm_columns(file), n_labels)
  keep <- function(reader, file) {
    at <- length(kept) + 1L
    kept[[at]] <<- all_of_pass(libsvm_pass(reader, file, rows, names[[at]], pattern, most = most))
    cpp_libsvm_summary(reader)
  }
  summary <- read_all_libsvm(open_libsvm(files, keeps, chosen$na), files, if (keeps) keep else read_whole_libsvm)
  sides <- libsvm_sides(summary, wanted, file)
  features <- libsvm_names(sides$features, "f")
  excluded <- excluded_columns(NULL, features, chosen$exclude)
  of_rows <- row_columns(chosen$columns, features)
  excluded <- setdiff(excluded, of_rows)
  check_some_left(length(features) - length(union(excluded, of_rows)), file)
  open <- function() {
    passes <- if (keeps) lapply(kept, pass_of) else {
      Map(libsvm_pass, open_libsvm(files, TRUE, chosen$na), files, rows, names, pattern, list(sides))
    }
    pull <- function() {
      taken <- lapply(passes, function(pass) pass())
      n <- vapply(taken, function(one) one$n %||% 0L, 0L)
      if (all(n == 0L)) return(NULL)
      if (any(n != n[1L])) abort_changed(file)
      cells <- unlist(lapply(taken, `[[`, "cells"), recursive = FALSE)
      x <- libsvm_matrix(cells$features, n[1L], sides, "features")
      if (length(excluded) > 0L) x <- x[, -excluded, drop = FALSE]
      list(x = x, y = libsvm_matrix(cells$labels, n[1L], sides, "labels"))
    }
    structure(pull, close = function() for (pass in passes) attr(pass, "close")())
  }
  source <- new_mlsource(
    open, features[setdiff(seq_along(features), excluded)], libsvm_names(sides$labels, "l"), summary$rows,
    basename(file), name = libsvm_title(file), checked = plain, kind = chosen$kind %||% "label", on = chosen$on,
    codes = if (plain) list()
  )
  source <- with_row_columns(source, chosen$columns)
  if (plain) source else settled_source(source)
}

# A pass over a file that gives list(n, cells) for a chunk: the number of rows, and their cells by side. `names`: of the
# sides in the file. `sides`: which columns are known from an earlier pass, or NULL. Then there are no cells where
# numbers are above `most`, which libsvm_sides() refuses at the end.
libsvm_pass <- function(reader, file, rows, names, pattern, sides = NULL, most = Inf) {
  cpp_read_pause(reader, rows)
  started <- list(reader = reader, pieces = open_pieces(file, piece_size(rows)), check = file_check(file, "LIBSVM"))
  file_pass(started, function(reader) {
    now <- cpp_libsvm_summary(reader)
    # A file of labels alone has them in place of features.
    is_second <- stats::setNames(names != names[1L], names)
    for (name in names(sides[names])) {
      side <- sides[[name]]
      found <- now[[if (is_second[[name]]) "labels" else "features"]]
      if (found[1L] >= side$width + side$first || (found[3L] > 0 && side$first == 1L)) abort_changed(file)
    }
    if (now$held == 0L) return(NULL)
    take <- max(now$features[1L], now$labels[1L]) <= most
    list(n = now$held, cells = if (take) lapply(is_second, cpp_libsvm_take, reader = reader, pattern = pattern,
      kept = is.null(sides)))
  })
}

all_of_pass <- function(pass) {
  on.exit(attr(pass, "close")())
  found <- list()
  while (!is.null(one <- pass())) found[[length(found) + 1L]] <- one
  found
}

# A pass over what all_of_pass() found.
pass_of <- function(found) {
  i <- 0L
  pull <- function() if (i < length(found)) found[[i <<- i + 1L]]
  structure(pull, close = function() NULL)
}

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
#' * `"csv"`: a line of column names, then rows of values between commas. Text may be in double quotes, also with commas
#'   in it. Empty values and `NA` are missing. `targets` names the labels, which are 0 and 1 or `TRUE` and `FALSE`, or
#'   class targets, which are text. The other columns are features. The first chunk decides whether a column has
#'   logicals, integers, numbers or text. Columns of text are factors; the file is read once at the beginning if there
#'   are any, to know their levels.
#' * `"parquet"` and `"feather"`: files of Apache Arrow, that is, Parquet, and Feather of version 2 or Arrow IPC. They
#'   need the package arrow. `targets` names the targets, as for CSV. The other columns are features: integers, floats
#'   and doubles, logicals, strings, or dictionaries of strings. Strings are factors with sorted levels. Dictionaries
#'   are factors with their own levels. Columns of both are read once at the beginning. Integers of 64 bits must be
#'   below 2^53.
#'
#' ARFF, LIBSVM and CSV may be gzipped. `"auto"` goes by the end of the file name: `.arff`, `.csv`, and `.libsvm`,
#' `.svm` or `.svmlight`, perhaps followed by `.gz`; `.parquet`; `.feather` or `.arrow`.
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
#' @param labels For ARFF the labels, as in [read_mulan()]; for LIBSVM their number, as `n_labels` in [read_libsvm()].
#' @param targets For CSV, Parquet and Feather the names of the targets.
#' @param rows Number of rows in a chunk. The last chunk may have fewer, and those of a CSV file have at most 8 million
#'   values.
#' @param weights (string) The column or attribute of the weights of rows, which is then no feature; or `NULL`.
#' @return A source, see [chunk_source()].
#'
#'   Errors have the class `mlsift_error`. They name the file and the line of what cannot be read. The targets must be
#'   labels or classes.
#' @family sources
#' @examples
#' file <- tempfile(fileext = ".csv")
#' set.seed(1)
#' task <- simulate_mltask(300, n_features = 6, n_targets = 2)
#' write.csv(cbind(as.matrix(features(task)), targets(task)), file, row.names = FALSE)
#' source <- read_chunks(file, targets = target_names(task), rows = 100)
#' source
#' sift_features(source, sel_mim(), k = 3)
#'
#' if (requireNamespace("arrow", quietly = TRUE)) {
#'   file <- tempfile(fileext = ".parquet")
#'   rows <- data.frame(as.matrix(features(task)), targets(task))
#'   arrow::write_parquet(rows, file)
#'   sift_features(read_chunks(file, targets = target_names(task), rows = 100), sel_mim(), k = 3)
#' }
#' @export
read_chunks <- function(file, format = c("auto", "arff", "libsvm", "csv", "parquet", "feather"), xml = NULL,
                        labels = NULL, targets = NULL, rows = 1e5, weights = NULL) {
  call <- rlang::current_env()
  check_readable(file, "file", call)
  format <- check_choice(format)
  if (format == "auto") format <- format_of(file, call)
  rows <- check_count(rows)
  file <- normalizePath(file)
  given <- c(xml = !is.null(xml), labels = !is.null(labels), targets = !is.null(targets))
  used <- switch(format, arff = c("xml", "labels"), libsvm = "labels", "targets")
  wrong <- setdiff(names(given)[given], used)
  if (length(wrong) > 0L) {
    abort(c("{.arg {wrong[1]}} does not apply to the format {.val {format}}.", i = "Use {.arg {used}}."))
  }
  source <- switch(
    format, arff = arff_source(file, xml, labels, rows, call), libsvm = libsvm_source(file, labels, rows, call),
    csv = csv_source(file, targets, rows, call), arrow_source(file, format, targets, rows, call)
  )
  with_weights(source, weights, call)
}

format_of <- function(file, call) {
  extension <- tolower(sub(".*\\.", "", sub("\\.gz$", "", basename(file), ignore.case = TRUE)))
  known <- c(
    arff = "arff", csv = "csv", libsvm = "libsvm", svm = "libsvm", svmlight = "libsvm", parquet = "parquet",
    feather = "feather", arrow = "feather"
  )
  if (!extension %in% names(known)) {
    abort(c("The name of {.file {file}} does not say what format it has.",
      i = "Give {.arg format}: {.or {.val {unique(known)}}}."), call = call)
  }
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
      started$check(if (ended) cpp_read_finish(started$reader) else cpp_read_feed(started$reader, piece))
    }
    chunk <- take(started$reader)
    if (!ended) started$check(cpp_read_resume(started$reader))
    chunk
  }
  structure(pull, close = started$pieces$close)
}

# The number of bytes to read at once: not much more than a chunk of rows takes.
piece_size <- function(rows) max(2^12, min(2^20, 64 * rows))

abort_changed <- function(file, call) {
  abort(c("{.file {file}} must not change while it is in use.", x = "Its columns differ from those found before.",
    i = "Call {.fn read_chunks} again."), call = call)
}

# --- ARFF -------------------------------------------------------------------------------------------------------------

arff_source <- function(file, xml, labels, rows, call) {
  if (!is.null(xml)) check_readable(xml, "xml", call)
  started <- start_arff(file, function(header) find_targets(header, file, xml, labels, call), call, piece_size(1), 1L)
  started$pieces$close()
  header <- started$header
  notes <- read_notes(header)
  y_at <- which(header$is_target)
  kind <- notes$kind %||% arff_kind(header, y_at, call)
  if (kind == "numeric") {
    abort(c("A source must have labels or classes.", x = "The targets of {.file {file}} are of kind {.val {kind}}.",
      i = "Choose others with {.arg labels}, or read it with {.fn read_mulan}."), call = call)
  }
  classes <- if (kind == "class") arff_classes(header, y_at, notes)
  features <- header$name[!header$is_target]
  discrete <- rep(NA, length(features))
  at <- match(header$name[notes$discrete$at], features)
  discrete[at] <- notes$discrete$value == "TRUE"
  open <- function(call) {
    again <- function(found) {
      if (!identical(found[c("name", "type", "levels")], header[c("name", "type", "levels")])) abort_changed(file, call)
      header$is_target
    }
    started <- start_arff(file, again, call, piece_size(rows), rows)
    file_pass(started, function(reader) {
      size <- cpp_arff_size(reader)
      if (size$n == 0L) return(NULL)
      sides <- arff_sides(list(reader = reader, header = header, n = size$n, sparse = size$sparse), notes, call)
      if (!is.null(classes)) {
        check_no_missing_target(sides$y, call)
        return(list(x = sides$x, y = class_pattern(as_class_values(sides$y), classes, call)))
      }
      found <- take_unknown(sides$y)
      if (is.null(found)) return(sides[c("x", "y")])
      list(x = sides$x, y = if (is_sparse(found$y)) Matrix::drop0(found$y) else found$y, unknown = found$unknown)
    })
  }
  name <- if (is.null(notes$name)) arff_title(file) else if (notes$name == "relation") header$relation
  new_mlsource(
    open, features, header$name[y_at], NA_real_, basename(file), discrete, name, checked = TRUE, kind = kind,
    classes = classes
  )
}

# The classes of each target, in the order of the header.
arff_classes <- function(header, at, notes) {
  logical <- at %in% notes$column$at[notes$column$value == "logical"]
  classes <- header$levels[at]
  classes[logical] <- list(c("FALSE", "TRUE"))
  stats::setNames(classes, header$name[at])
}

# --- LIBSVM -----------------------------------------------------------------------------------------------------------

libsvm_source <- function(file, labels, rows, call) {
  n_labels <- check_count(labels, null = TRUE, call = call)
  wanted <- libsvm_wanted(n_labels, NULL, NULL, call)
  summary <- read_all_libsvm(cpp_libsvm_open(FALSE), file, call)
  sides <- libsvm_sides(summary, wanted, file, call)
  open <- function(call) {
    reader <- cpp_libsvm_open(TRUE)
    cpp_read_pause(reader, rows)
    started <- list(
      reader = reader, pieces = open_pieces(file, call, piece_size(rows)), check = file_check(file, "LIBSVM", call)
    )
    file_pass(started, function(reader) {
      now <- cpp_libsvm_summary(reader)
      for (side in names(sides)) {
        outside <- now[[side]][1L] >= sides[[side]]$width + sides[[side]]$first
        if (outside || (now[[side]][3L] > 0 && sides[[side]]$first == 1L)) abort_changed(file, call)
      }
      if (now$held > 0L) take_libsvm(reader, sides)
    })
  }
  new_mlsource(
    open, libsvm_names(sides$features, "f"), libsvm_names(sides$labels, "l"), summary$rows, basename(file),
    name = libsvm_title(file), checked = TRUE
  )
}

# --- CSV --------------------------------------------------------------------------------------------------------------

csv_source <- function(file, targets, rows, call) {
  check_unpacked(file, call)
  con <- gzfile(file, "rt")
  names <- tryCatch(csv_names(con, file, call), finally = close(con))
  check_csv_targets(targets, names, file, call)
  first <- csv_pass(file, names, NA, rows, call)
  on.exit(attr(first, "close")())
  chunk <- first()
  if (is.null(chunk)) abort(c("{.file {file}} holds no data.", x = "There are no rows after the names."), call = call)
  types <- vapply(chunk, csv_type, "")
  levels <- csv_levels(file, names, types, rows, call)
  open <- function(call) csv_pass(file, names, types, rows, call, levels)
  source_of_columns(open, names, targets, NA_real_, file, levels, call)
}

# A source of the columns of a file, which come as data frames. `levels`: of text columns, by name. Text targets are
# classes unless all of them are written in a label code, such as "no" and "yes".
source_of_columns <- function(open, names, targets, n_rows, file, levels, call) {
  texts <- targets %in% names(levels)
  coded <- vapply(levels[targets[texts]], function(values) !is.null(label_code(values, called = TRUE)), NA)
  kind <- if (all(coded)) "label" else "class"
  if (kind == "class" && !all(texts)) {
    abort(c("All targets must be of one kind.",
      x = "{.val {targets[texts][1]}} of {.file {file}} is text, {.val {targets[!texts][1]}} is not."), call = call)
  }
  new_mlsource(
    open, setdiff(names, targets), targets, n_rows, basename(file), name = libsvm_title(file), kind = kind,
    classes = if (kind == "class") levels[targets]
  )
}

csv_names <- function(con, file, call) {
  line <- readLines(con, 1L, warn = FALSE)
  bad <- function(e) abort(c("{.file {file}} cannot be read as CSV.", x = "Line 1: {conditionMessage(e)}.",
    i = "The names of the columns must be on one line."), call = call)
  names <- if (length(line) > 0L) catch_problem(csv_fields(sub("^\ufeff", "", enc2utf8(line))), bad)
  if (length(names) < 2L || anyDuplicated(names) || !all(nzchar(names))) {
    found <- if (length(names) < 2L) paste("It has", counted(length(names), "name"))
    else if (anyDuplicated(names)) paste0("\"", names[anyDuplicated(names)], "\" occurs twice")
    else paste("Column", which(!nzchar(names))[1L], "has no name")
    abort(c("{.file {file}} must begin with the unique names of its columns, between commas.",
      x = "Line 1: {found}."), call = call)
  }
  names
}

csv_fields <- function(line) {
  scan(text = line, what = "", sep = ",", quote = "\"", quiet = TRUE, na.strings = character(), strip.white = TRUE)
}

check_csv_targets <- function(targets, names, file, call) {
  if (!is.character(targets) || length(targets) == 0L || anyNA(targets)) {
    abort(c("{.arg targets} must name the labels of {.file {file}}.", x = "It is {describe(targets)}."), call = call)
  }
  at <- match(targets, names)
  if (anyNA(at)) {
    where <- gsub("([{}])", "\\1\\1", cli::format_inline("{.file {file}}"))
    abort_absent(targets[is.na(at)], names, paste0("{.arg targets} must name columns of ", where, "."), call)
  }
  if (anyDuplicated(targets)) {
    abort(c("{.arg targets} must name each label once.", x = "{.val {targets[anyDuplicated(targets)]}} occurs twice."),
      call = call)
  }
  if (length(targets) == length(names)) {
    abort(c("No features are left in {.file {file}}.", x = "All columns are targets."), call = call)
  }
}

# A column without values so far may still get values of any type.
csv_type <- function(column) {
  if (all(is.na(column))) return("numeric")
  if (is.double(column)) "numeric" else class(column)[1L]
}

# A pass over data frames. `classes`: of columns, or NA to determine them. `levels`: of columns that become factors, by
# name. read.table() allocates memory for all rows that it is asked for, so wide files come in chunks of fewer rows: at
# most 8 million values.
csv_pass <- function(file, names, classes, rows, call, levels = NULL) {
  rows <- min(rows, max(1, 8e6 %/% length(names)))
  con <- gzfile(file, "rt")
  open <- TRUE
  close_file <- function() {
    if (open) close(con)
    open <<- FALSE
  }
  readLines(con, 1L, warn = FALSE)
  done <- 0
  pull <- function() {
    if (!open || !more_lines(con)) return(NULL)
    bad <- function(e) abort_csv(file, done, names, classes, conditionMessage(e), call)
    frame <- catch_problem(utils::read.table(
      con, sep = ",", quote = "\"", col.names = names, check.names = FALSE, colClasses = classes, nrows = rows,
      comment.char = "", stringsAsFactors = FALSE, strip.white = TRUE
    ), bad)
    done <<- done + nrow(frame)
    for (column in names(levels)) {
      codes <- level_codes(frame[[column]], levels[[column]], file, call)
      frame[[column]] <- structure(codes, levels = levels[[column]], class = "factor")
    }
    frame
  }
  structure(pull, close = close_file)
}

more_lines <- function(con) {
  repeat {
    line <- readLines(con, 1L, warn = FALSE)
    if (length(line) == 0L) return(FALSE)
    if (nzchar(trimws(line))) break
  }
  pushBack(line, con)
  TRUE
}

# The levels of text columns, as factor() sorts them.
csv_levels <- function(file, names, classes, rows, call) {
  texts <- names[classes == "character"]
  levels <- stats::setNames(vector("list", length(texts)), texts)
  if (length(texts) == 0L) return(levels)
  pass <- csv_pass(file, names, classes, rows, call)
  on.exit(attr(pass, "close")())
  while (!is.null(frame <- pass())) for (column in texts) levels[[column]] <- union(levels[[column]], frame[[column]])
  lapply(levels, function(values) sort(values[!is.na(values)]))
}

# Looks for the line that read.table() could not read, after `done` rows. `message`: the error message.
abort_csv <- function(file, done, names, classes, message, call) {
  con <- gzfile(file, "rt")
  on.exit(close(con))
  readLines(con, 1 + done, warn = FALSE)
  line <- 1 + done
  repeat {
    text <- readLines(con, 1L, warn = FALSE)
    if (length(text) == 0L) break
    line <- line + 1
    problem <- if (nzchar(trimws(text))) csv_problem(text, names, classes)
    if (is.null(problem)) next
    abort(c("{.file {file}} cannot be read as CSV.", x = "Line {line}: {problem}.",
      i = if (!identical(classes, NA)) "The first chunk of {.arg rows} decides what a column holds."),
    call = call)
  }
  abort(c("{.file {file}} cannot be read as CSV.", x = "After line {1 + done}: {message}."), call = call)
}

csv_problem <- function(text, names, classes) {
  fields <- suppressWarnings(csv_fields(text))
  if (length(fields) != length(names)) {
    return(paste0("there are ", counted(length(fields), "value"), ", and ", counted(length(names), "column")))
  }
  if (identical(classes, NA)) return(NULL)
  fits <- mapply(function(field, class) {
    found <- utils::type.convert(field, as.is = TRUE, na.strings = c("NA", ""))
    if (class == "character" || is.na(found)) return(TRUE)
    if (class == "numeric") is.numeric(found) else class(found)[1L] == class
  }, fields, classes)
  if (all(fits)) return(NULL)
  at <- which(!fits)[1L]
  word <- c(integer = "an integer", numeric = "a number", logical = "TRUE or FALSE")[[classes[at]]]
  paste0("column \"", names[at], "\" must be ", word, ", not \"", fields[at], "\"")
}

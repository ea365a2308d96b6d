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
#'   the file is read once at the beginning if there are any, to know their levels. A column of row names, as R writes
#'   it without a name, is called `row.names` and must be excluded.
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
#'   values.
#' @param weights (string) The column or attribute of the weights of rows, which is then no feature; or `NULL`.
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
                        labels = NULL, targets = NULL, rows = 1e5, weights = NULL, exclude = NULL, na = NULL,
                        discrete = NULL, kind = NULL, on = NULL, sep = NULL) {
  call <- rlang::current_env()
  check_readable(file, "file", call)
  targets <- rlang::enquo(targets)
  chosen <- list(targets = targets, exclude = rlang::enquo(exclude), na = check_na(na, call), discrete = discrete,
    kind = check_kind(kind, on, call), on = on)
  format <- check_choice(format)
  if (format == "auto") format <- format_of(file, call)
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
    format, arff = arff_source(file, xml, labels, rows, chosen, call),
    libsvm = libsvm_source(file, labels, rows, chosen, call), csv = csv_source(file, sep, rows, chosen, call),
    arrow_source(file, format, rows, chosen, call)
  )
  with_weights(with_discrete(source, discrete, call), weights, call)
}

format_of <- function(file, call) {
  extension <- tolower(sub(".*\\.", "", sub("\\.gz$", "", basename(file), ignore.case = TRUE)))
  known <- c(
    arff = "arff", csv = "csv", tsv = "csv", libsvm = "libsvm", svm = "libsvm", svmlight = "libsvm",
    parquet = "parquet", feather = "feather", arrow = "feather"
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

arff_source <- function(file, xml, labels, rows, chosen, call) {
  if (!is.null(xml)) check_readable(xml, "xml", call)
  sides <- NULL
  choose <- function(header) sides <<- arff_sides_of(header, file, xml, labels, chosen$exclude, call)
  started <- start_arff(file, choose, chosen$na, call, piece_size(1), 1L)
  started$pieces$close()
  header <- started$header
  notes <- read_notes(header)
  y_at <- which(header$is_target)
  kind <- chosen$kind %||% notes$kind
  features <- header$name[!header$is_target]
  discrete <- rep(NA, length(features))
  at <- match(header$name[notes$discrete$at], features)
  discrete[at] <- notes$discrete$value == "TRUE"
  open <- function(call) {
    started <- start_arff(file, function(found) {
      if (length(found$name) != length(sides)) abort_changed(file, call)
      sides
    }, chosen$na, call, piece_size(rows), rows)
    if (!identical(started$header, header)) {
      started$pieces$close()
      abort_changed(file, call)
    }
    file_pass(started, function(reader) {
      size <- cpp_arff_size(reader)
      if (size$n == 0L) return(NULL)
      arff_sides(list(reader = reader, header = header, n = size$n, sparse = size$sparse), notes, kind)
    })
  }
  name <- if (is.null(notes$name)) arff_title(file) else if (notes$name == "relation") header$relation
  source <- new_mlsource(
    open, features, header$name[y_at], NA_real_, basename(file), discrete, name, kind = kind, on = chosen$on,
    codes = NULL
  )
  settled_source(source, call, declared_targets(header$type[y_at], header$levels[y_at], kind))
}

# Columns of targets with the declared levels, NULL if some have none. {0,1} alone are numbers, as in arff_sides().
declared_targets <- function(type, levels, kind) {
  if (!all(type %in% c("binary", "nominal"))) return(NULL)
  if (all(type == "binary") && !identical(kind, "class")) return(lapply(levels, as.numeric))
  lapply(levels, \(levels) factor(levels, levels))
}

# --- LIBSVM -----------------------------------------------------------------------------------------------------------

libsvm_source <- function(file, labels, rows, chosen, call) {
  files <- libsvm_files(file, if (is.character(labels)) labels, call)
  n_labels <- if (!is.character(labels)) check_count(labels, null = TRUE, call = call)
  wanted <- libsvm_wanted(n_labels, NULL, NULL, call)
  files <- normalizePath(files)
  summary <- read_all_libsvm(open_libsvm(files, FALSE, chosen$na), files, call)
  sides <- libsvm_sides(summary, wanted, file, call)
  features <- libsvm_names(sides$features, "f")
  excluded <- excluded_columns(NULL, features, chosen$exclude, call)
  check_some_left(length(features) - length(excluded), file, call)
  open <- function(call) {
    readers <- open_libsvm(files, TRUE, chosen$na)
    of_side <- function(file, name) {
      libsvm_pass(readers[[file]], files[file], rows, sides, name, length(files) == 2L, call)
    }
    x <- of_side(1L, if (length(files) == 1L) c("features", "labels") else "features")
    y <- if (length(files) == 2L) of_side(2L, "labels")
    pull <- function() {
      taken <- c(x(), if (!is.null(y)) y())
      if (length(taken) == 0L) return(NULL)
      if (length(taken) < 2L || nrow(taken[[1L]]) != nrow(taken[[2L]])) abort_changed(file, call)
      if (length(excluded) > 0L) taken$features <- taken$features[, -excluded, drop = FALSE]
      list(x = taken$features, y = taken$labels)
    }
    structure(pull, close = function() {
      attr(x, "close")()
      if (!is.null(y)) attr(y, "close")()
    })
  }
  plain <- identical(chosen$kind %||% "label", "label") && is.null(chosen$on)
  source <- new_mlsource(
    open, features[setdiff(seq_along(features), excluded)], libsvm_names(sides$labels, "l"), summary$rows,
    basename(file), name = libsvm_title(file), checked = plain, kind = chosen$kind %||% "label", on = chosen$on,
    codes = if (plain) list()
  )
  if (plain) source else settled_source(source, call)
}

# A pass over a file that gives the matrices of some sides, by name. `alone`: whether the file has one side only.
libsvm_pass <- function(reader, file, rows, sides, names, alone, call) {
  cpp_read_pause(reader, rows)
  started <- list(
    reader = reader, pieces = open_pieces(file, call, piece_size(rows)), check = file_check(file, "LIBSVM", call)
  )
  file_pass(started, function(reader) {
    now <- cpp_libsvm_summary(reader)
    for (name in names) {
      side <- sides[[name]]
      found <- now[[if (alone) "features" else name]]
      if (found[1L] >= side$width + side$first || (found[3L] > 0 && side$first == 1L)) abort_changed(file, call)
    }
    if (now$held == 0L) return(NULL)
    lapply(stats::setNames(nm = names), function(name) take_libsvm_side(reader, sides, name, alone))
  })
}

# --- CSV --------------------------------------------------------------------------------------------------------------

csv_source <- function(file, sep, rows, chosen, call) {
  check_unpacked(file, call)
  csv <- csv_format(file, check_separator(sep, call), chosen$na, call)
  names <- csv$names
  columns <- file_columns(names, chosen, file, call)
  if (csv$row_names && columns$used[1L]) abort_row_names(csv, call)
  types <- ifelse(columns$used, NA, "NULL")
  first <- csv_pass(csv, types, rows, call)
  on.exit(attr(first, "close")())
  chunk <- first()
  if (is.null(chunk)) abort(c("{.file {file}} holds no data.", x = "There are no rows after the names."), call = call)
  types[columns$used] <- vapply(chunk, csv_type, "")
  # Classes are text as it stands, such as T and F.
  at <- match(columns$targets, names)
  if (identical(chosen$kind, "class") || any(types[at] == "character")) types[at][types[at] == "logical"] <- "character"
  levels <- csv_levels(csv, types, rows, c(columns$targets, categories_of(chosen)), call)
  open <- function(call) csv_pass(csv, types, rows, call, levels)
  source <- source_of_columns(open, names[columns$used], columns$targets, NA_real_, file, chosen)
  texts <- intersect(columns$targets, names(levels))
  settled_source(source, call, as_level_columns(chunk[columns$targets], levels[texts]))
}

categories_of <- function(chosen) names(chosen$discrete)[chosen$discrete %in% TRUE]

# A source of the columns of a file, which come as data frames.
source_of_columns <- function(open, names, targets, n_rows, file, chosen) {
  new_mlsource(
    open, setdiff(names, targets), targets, n_rows, basename(file), name = libsvm_title(file), kind = chosen$kind,
    on = chosen$on, codes = NULL
  )
}

check_separator <- function(sep, call) {
  if (is.null(sep) || (is.character(sep) && length(sep) == 1L && nchar(sep) %in% 1L && !grepl("[\"\r\n]", sep))) {
    return(sep)
  }
  abort(c("{.arg sep} must be one character between values, such as {.code \";\"} or {.code \"\\t\"}.",
    x = "It is {describe(sep)}."), call = call)
}

# list(file, names, sep, dec, na, row_names): how a CSV file is written. `row_names`: whether its first column has
# names of rows, as R writes them. The beginning of the file shows what `sep` does not say.
csv_format <- function(file, sep, na, call) {
  con <- gzfile(file, "rt")
  on.exit(close(con))
  lines <- sub("^\ufeff", "", enc2utf8(readLines(con, 100L, warn = FALSE)))
  rows <- lines[-1L][nzchar(trimws(lines[-1L]))]
  rows <- rows[cumsum(nchar(rows, "bytes")) < 1e6 | seq_along(rows) == 1L]
  signs <- c(commas = ",", semicolons = ";", tabs = "\t")
  width <- function(sign) or_else(length(suppressWarnings(csv_fields(lines[1L], sign))), 0L)
  found <- sep %||% signs[[if (length(lines) > 0L) which.max(vapply(signs, width, 0L)) else 1L]]
  names <- csv_names(lines[1L], found, file, call)
  dec <- if (found != "," && decimal_commas(suppressWarnings(csv_fields(rows, found)))) "," else "."
  if (dec == "," || (is.null(sep) && found != ",")) {
    more <- if (dec == ",") " and decimal commas" else ""
    inform(c("i" = "{.file {basename(file)}} has {.val {found}} between its values{more}."))
  }
  shorter <- length(rows) > 0L && length(suppressWarnings(csv_fields(rows[1L], found))) == length(names) + 1L
  if (shorter) names <- c("", names)
  row_names <- isTRUE(names[1L] == "")
  if (row_names) names[1L] <- "row.names"
  check_csv_names(names, found, file, call)
  list(file = file, names = names, sep = found, dec = dec, na = na, row_names = row_names)
}

# Whether more numbers have decimal commas than points.
decimal_commas <- function(fields) {
  with_sign <- function(sign) sum(grepl(paste0("^[-+]?[0-9]*", sign, "[0-9]+([eE][-+]?[0-9]+)?$"), fields))
  with_sign(",") > with_sign("[.]")
}

csv_names <- function(line, sep, file, call) {
  bad <- function(e) abort(c("{.file {file}} cannot be read as CSV.", x = "Line 1: {conditionMessage(e)}.",
    i = "The names of the columns must be on one line."), call = call)
  if (!is.na(line)) catch_problem(csv_fields(line, sep), bad)
}

check_csv_names <- function(names, sep, file, call) {
  if (length(names) >= 2L && !anyDuplicated(names) && all(nzchar(names))) return(invisible())
  found <- if (length(names) < 2L) paste("It has", counted(length(names), "name"))
  else if (anyDuplicated(names)) paste0("\"", names[anyDuplicated(names)], "\" occurs twice")
  else paste("Column", which(!nzchar(names))[1L], "has no name")
  between <- switch(sep, "," = "commas", ";" = "semicolons", "\t" = "tabs", paste0("\"", sep, "\""))
  abort(c("{.file {file}} must begin with the unique names of its columns, between {between}.", x = "Line 1: {found}.",
    i = if (length(names) < 2L) "{.arg sep} says what stands between values if it is no comma, semicolon or tab."),
  call = call)
}

abort_row_names <- function(csv, call) {
  abort(c("All columns of {.file {csv$file}} must have names.",
    x = "The first one has none: R writes the names of rows like this.",
    i = "Write the file with {.code row.names = FALSE}, or leave the column out: {.code exclude = \"row.names\"}."),
  call = call)
}

csv_fields <- function(lines, sep) {
  scan(text = lines, what = "", sep = sep, quote = "\"", quiet = TRUE, na.strings = character(), strip.white = TRUE)
}

# list(targets, used): the names of the targets, and which columns are not left out.
file_columns <- function(names, chosen, file, call) {
  if (rlang::quo_is_null(chosen$targets)) {
    abort(c("{.arg targets} must name the targets of {.file {file}}.", x = "It is NULL."), call = call)
  }
  targets <- pick_columns(NULL, names, chosen$targets, "targets", call)
  if (length(targets) == 0L) abort("{.arg targets} must name at least one column of {.file {file}}.", call = call)
  excluded <- excluded_columns(NULL, names, chosen$exclude, call)
  refuse_overlap(targets, excluded, names, call)
  check_some_left(length(names) - length(targets) - length(excluded), file, call)
  list(targets = names[targets], used = !seq_along(names) %in% excluded)
}

check_some_left <- function(n, file, call) {
  if (n > 0L) return(invisible())
  abort(c("No features are left in {.file {file}}.", x = "All columns are targets or excluded."), call = call)
}

# A column without values so far may still get values of any type.
csv_type <- function(column) {
  if (all(is.na(column))) return("numeric")
  if (is.numeric(column)) "numeric" else class(column)[1L]
}

# A pass over data frames. `classes`: of columns, NA to determine them and "NULL" to leave them out. `levels`: of
# columns that become factors, by name. read.table() allocates memory for all rows that it is asked for, so wide files
# come in chunks of fewer rows: at most 8 million values.
csv_pass <- function(csv, classes, rows, call, levels = NULL) {
  rows <- min(rows, max(1, 8e6 %/% length(csv$names)))
  con <- gzfile(csv$file, "rt")
  open <- TRUE
  close_file <- function() {
    if (open) close(con)
    open <<- FALSE
  }
  readLines(con, 1L, warn = FALSE)
  converted <- NULL
  read_as <- classes
  done <- 0
  pull <- function() {
    line <- if (open) coming_line(con)
    if (is.null(line)) return(NULL)
    if (done == 0) {
      quoted <- csv_quoted(line, csv)
      at <- which(classes %in% "numeric" & (length(csv$na) > 0L | quoted) | classes %in% "logical" & quoted)
      converted <<- stats::setNames(classes[at], csv$names[at])
      read_as[at] <<- "character"
    }
    bad <- function(e) abort_csv(csv, done, classes, conditionMessage(e), call)
    frame <- catch_problem(csv_convert(utils::read.table(
      con, sep = csv$sep, dec = csv$dec, quote = "\"", col.names = csv$names, check.names = FALSE, colClasses = read_as,
      nrows = rows, comment.char = "", stringsAsFactors = FALSE, strip.white = TRUE, na.strings = csv_na(csv)
    ), converted, csv), bad)
    done <<- done + nrow(frame)
    as_level_columns(frame, levels, function(values, levels) level_codes(values, levels, csv$file, call))
  }
  structure(pull, close = close_file)
}

csv_na <- function(csv) c("NA", "", csv$na)

# Which values of a line are in quotes. read.table() takes them for numbers, or missing ones, only if they are read as
# text before.
csv_quoted <- function(line, csv) {
  fields <- scan(text = line, what = "", sep = csv$sep, quote = "", quiet = TRUE, strip.white = TRUE)
  n <- length(csv$names)
  if (length(fields) == n) startsWith(fields, "\"") else rep(TRUE, n)
}

# `classes`: "numeric" or "logical", named by columns of text.
csv_convert <- function(frame, classes, csv) {
  for (column in names(classes)) {
    values <- utils::type.convert(frame[[column]], as.is = TRUE, na.strings = csv_na(csv), dec = csv$dec)
    if (csv_type(values) != classes[[column]] && !all(is.na(values))) stop("not ", classes[[column]])
    frame[[column]] <- if (classes[[column]] == "numeric") as.double(values) else as.logical(values)
  }
  frame
}

# Text columns as factors with these levels, by name.
as_level_columns <- function(frame, levels, codes = match) {
  frame[names(levels)] <- Map(function(values, levels) {
    structure(codes(values, levels), levels = levels, class = "factor")
  }, frame[names(levels)], levels)
  frame
}

# The next line that is not empty, which is then still to be read; NULL at the end.
coming_line <- function(con) {
  repeat {
    line <- readLines(con, 1L, warn = FALSE)
    if (length(line) == 0L) return(NULL)
    if (nzchar(trimws(line))) break
  }
  pushBack(line, con)
  line
}

# The levels of text columns, as factor() sorts them. `categories`: columns whose text may be nearly all numbers.
csv_levels <- function(csv, classes, rows, categories, call) {
  texts <- csv$names[classes == "character"]
  counts <- stats::setNames(vector("list", length(texts)), texts)
  if (length(texts) == 0L) return(counts)
  pass <- csv_pass(csv, classes, rows, call)
  on.exit(attr(pass, "close")())
  while (!is.null(frame <- pass())) {
    for (column in texts) counts[[column]] <- add_words(counts[[column]], frame[[column]])
  }
  for (column in setdiff(texts, categories)) {
    refuse_near_numbers(names(counts[[column]]), counts[[column]], column, call)
  }
  lapply(counts, function(times) sort(names(times)))
}

# How often each word occurs, counted in pieces.
add_words <- function(counts, values) {
  words <- unique(values[!is.na(values)])
  now <- stats::setNames(tabulate(match(values, words), length(words)), words)
  old <- names(now) %in% names(counts)
  counts[names(now)[old]] <- counts[names(now)[old]] + now[old]
  c(counts, now[!old])
}

# Looks for the line that read.table() could not read, after `done` rows. `message`: the error message.
abort_csv <- function(csv, done, classes, message, call) {
  file <- csv$file
  con <- gzfile(file, "rt")
  on.exit(close(con))
  readLines(con, 1 + done, warn = FALSE)
  line <- 1 + done
  repeat {
    text <- readLines(con, 1L, warn = FALSE)
    if (length(text) == 0L) break
    line <- line + 1
    problem <- if (nzchar(trimws(text))) csv_problem(text, csv, classes)
    if (is.null(problem)) next
    abort(c("{.file {file}} cannot be read as CSV.", x = "Line {line}: {problem}.",
      i = if (!all(classes %in% c(NA, "NULL"))) "The first chunk of {.arg rows} decides what a column holds.",
      i = "{.arg na} names values that are missing, {.arg exclude} leaves columns out."), call = call)
  }
  abort(c("{.file {file}} cannot be read as CSV.", x = "After line {1 + done}: {message}."), call = call)
}

csv_problem <- function(text, csv, classes) {
  fields <- suppressWarnings(csv_fields(text, csv$sep))
  if (length(fields) != length(csv$names)) {
    return(paste0("there are ", counted(length(fields), "value"), ", and ", counted(length(csv$names), "column")))
  }
  if (all(classes %in% c(NA, "NULL"))) return(NULL)
  fits <- mapply(function(field, class) {
    found <- utils::type.convert(field, as.is = TRUE, na.strings = csv_na(csv), dec = csv$dec)
    if (class %in% c("character", "NULL") || is.na(found)) return(TRUE)
    if (class == "numeric") is.numeric(found) else class(found)[1L] == class
  }, fields, classes)
  if (all(fits)) return(NULL)
  at <- which(!fits)[1L]
  word <- c(numeric = "a number", logical = "TRUE or FALSE")[[classes[at]]]
  paste0("column \"", csv$names[at], "\" must be ", word, ", not \"", fields[at], "\"")
}

# CSV files in chunks, and what files of columns share.

csv_source <- function(file, sep, rows, chosen) {
  check_unpacked(file)
  csv <- csv_format(file, check_separator(sep), chosen$na)
  names <- csv$names
  columns <- file_columns(names, chosen, file)
  if (csv$row_names && columns$used[1L]) abort_row_names(csv)
  types <- ifelse(columns$used, NA, "NULL")
  first <- csv_pass(csv, types, rows)
  on.exit(attr(first, "close")())
  chunk <- first()
  if (is.null(chunk)) abort(c("{.file {file}} holds no data.", x = "There are no rows after the names."))
  types[columns$used] <- vapply(chunk, csv_type, "")
  # Classes are text as it stands, such as T and F.
  at <- match(columns$targets, names)
  if (identical(chosen$kind, "class") || any(types[at] == "character")) types[at][types[at] == "logical"] <- "character"
  levels <- csv_levels(csv, types, rows, c(columns$targets, categories_of(chosen)))
  open <- function() csv_pass(csv, types, rows, levels)
  source <- source_of_columns(open, names[columns$used], columns$targets, NA_real_, file, chosen)
  settled_source(source, as_level_columns(chunk[columns$targets], levels[names(levels) %in% columns$targets]))
}

# Columns whose text stays text.
categories_of <- function(chosen) c(names(chosen$discrete)[chosen$discrete %in% TRUE], chosen$columns["group"])

# A source of the columns of a file, which come as data frames.
source_of_columns <- function(open, names, targets, n_rows, file, chosen) {
  with_row_columns(new_mlsource(
    open, setdiff(names, targets), targets, n_rows, basename(file), name = libsvm_title(file), kind = chosen$kind,
    on = chosen$on, codes = NULL
  ), chosen$columns)
}

check_separator <- function(sep) {
  if (is.null(sep) || (is.character(sep) && length(sep) == 1L && nchar(sep) %in% 1L && !grepl("[\"\r\n]", sep))) {
    return(sep)
  }
  abort_value(sep, "one character between values, such as {.code \";\"} or {.code \"\\t\"}")
}

# list(file, names, sep, dec, na, row_names, line_bytes): how a CSV file is written. `row_names`: whether its first
# column has names of rows, as R writes them; `line_bytes`: about how long a line is. The beginning of the file shows
# what `sep` does not say.
csv_format <- function(file, sep, na) {
  lines <- sub("^\ufeff", "", csv_utf8(csv_beginning(file)))
  rows <- lines[-1L][nzchar(trimws(lines[-1L]))]
  rows <- rows[cumsum(nchar(rows, "bytes")) < 1e6 | seq_along(rows) == 1L]
  signs <- c(commas = ",", semicolons = ";", tabs = "\t")
  width <- function(sign) or_else(length(suppressWarnings(csv_fields(lines[1L], sign))), 0L)
  found <- sep %||% signs[[if (length(lines) > 0L) which.max(vapply(signs, width, 0L)) else 1L]]
  names <- csv_names(lines[1L], found, file)
  dec <- if (found != "," && decimal_commas(suppressWarnings(csv_fields(rows, found)))) "," else "."
  if (dec == "," || (is.null(sep) && found != ",")) {
    more <- if (dec == ",") " and decimal commas" else ""
    inform(c("i" = "{.file {basename(file)}} has {.val {found}} between its values{more}."))
  }
  shorter <- length(rows) > 0L && length(suppressWarnings(csv_fields(rows[1L], found))) == length(names) + 1L
  if (shorter) names <- c("", names)
  row_names <- isTRUE(names[1L] == "")
  if (row_names) names[1L] <- "row.names"
  check_csv_names(names, found, file)
  line_bytes <- mean(nchar(c(lines[1L], rows), "bytes")) + 2
  list(
    file = file, names = names, sep = found, dec = dec, na = na, row_names = row_names, line_bytes = line_bytes
  )
}

# The first lines of a file, 100 at most: the names and the rows of the first million bytes, at least one.
csv_beginning <- function(file) {
  from <- open_pieces(file)
  on.exit(from$close())
  pieces <- list()
  bytes <- ends <- open <- 0
  repeat {
    piece <- from$pull()
    pieces <- c(pieces, list(c(piece)))
    bytes <- bytes + length(piece)
    ended <- which(piece == as.raw(10L) | piece == as.raw(13L))
    open <- if (length(ended) > 0L) length(piece) - max(ended) else open + length(piece)
    check_line_bytes(open, file, "A line")
    ends <- ends + length(ended)
    if (is.null(piece) || ends >= 200 || (ends >= 4 && bytes >= 2e6)) break
  }
  con <- rawConnection(unlist(pieces) %||% raw())
  on.exit(close(con), add = TRUE)
  lines <- readLines(con, 100L, warn = FALSE)
  # The last one may be cut off.
  if (is.null(piece) || length(lines) == 100L) lines else lines[-length(lines)]
}

most_line_bytes <- 2^26

# `bytes` without the end of a row.
check_line_bytes <- function(bytes, file, what) {
  if (bytes <= most_line_bytes) return(invisible())
  abort(c("{.file {file}} cannot be read as CSV.", x = "{what} has more than {most_line_bytes / 2^20} MB.",
    i = "Each row must be on a line of its own, and each quote must be closed."))
}

# Whether more numbers have decimal commas than points.
decimal_commas <- function(fields) {
  with_sign <- function(sign) sum(grepl(paste0("^[-+]?[0-9]*", sign, "[0-9]+([eE][-+]?[0-9]+)?$"), fields))
  with_sign(",") > with_sign("[.]")
}

csv_names <- function(line, sep, file) {
  bad <- function(e) abort(c("{.file {file}} cannot be read as CSV.", x = "Line 1: {conditionMessage(e)}.",
    i = "The names of the columns must be on one line."))
  if (!is.na(line)) catch_problem(csv_fields(line, sep), bad)
}

check_csv_names <- function(names, sep, file) {
  if (length(names) >= 2L && !anyDuplicated(names) && all(nzchar(names))) return(invisible())
  found <- if (length(names) < 2L) paste("It has", counted(length(names), "name"))
  else if (anyDuplicated(names)) paste0("\"", names[anyDuplicated(names)], "\" occurs twice")
  else paste("Column", which(!nzchar(names))[1L], "has no name")
  between <- switch(sep, "," = "commas", ";" = "semicolons", "\t" = "tabs", paste0("\"", sep, "\""))
  abort(c("{.file {file}} must begin with the unique names of its columns, between {between}.", x = "Line 1: {found}.",
    i = if (length(names) < 2L) "{.arg sep} says what stands between values if it is no comma, semicolon or tab."))
}

abort_row_names <- function(csv) {
  abort(c("All columns of {.file {csv$file}} must have names.",
    x = "The first one has none: R writes the names of rows like this.",
    i = "Write the file with {.code row.names = FALSE}, or leave the column out: {.code exclude = \"row.names\"}."))
}

csv_fields <- function(lines, sep) {
  scan(text = lines, what = "", sep = sep, quote = "\"", quiet = TRUE, na.strings = character(), strip.white = TRUE)
}

# list(targets, used): the names of the targets, and which columns are read. Times have no use.
file_columns <- function(names, chosen, file) {
  if (rlang::quo_is_null(chosen$targets)) {
    abort(c("{.arg targets} must name the targets of {.file {file}}.", x = "It is NULL."))
  }
  targets <- pick_columns(NULL, names, chosen$targets, "targets")
  if (length(targets) == 0L) abort("{.arg targets} must name at least one column of {.file {file}}.")
  of_rows <- row_columns(chosen$columns, names)
  refuse_row_targets(of_rows, targets, names)
  read <- of_rows[names(of_rows) != "time"]
  excluded <- setdiff(c(excluded_columns(NULL, names, chosen$exclude), of_rows["time"]), c(NA, read))
  refuse_overlap(targets, excluded, names)
  check_some_left(length(names) - length(unique(c(targets, excluded, read))), file)
  list(targets = names[targets], used = !seq_along(names) %in% excluded)
}

check_some_left <- function(n, file) {
  if (n > 0L) return(invisible())
  abort(c("No features are left in {.file {file}}.", x = "All columns are targets or excluded."))
}

# A column without values so far may still get values of any type.
csv_type <- function(column) {
  if (all(is.na(column))) return("numeric")
  if (is.numeric(column)) "numeric" else class(column)[1L]
}

# A pass over data frames. `classes`: of columns, NA to determine them and "NULL" to leave them out. `levels`: of
# columns that become factors, by name. Chunks have at most 8 million values, and the bytes that a chunk may have.
csv_pass <- function(csv, classes, rows, levels = NULL) {
  from <- open_pieces(csv$file, max(2^20, ceiling(4 * csv$line_bytes)))
  reader <- cpp_csv_open(csv$sep, csv$dec, csv_na(csv), .Machine$sizeof.longdouble > 0)
  ended <- FALSE
  next_rows <- function(kinds, rows) {
    cpp_csv_start(reader, kinds, rows, getOption("mlsift.chunk_bytes", 512 * 2^20))
    while (!(held <- cpp_csv_held(reader))$full && !ended) {
      check_line_bytes(held$rest, csv$file, "A row")
      piece <- from$pull()
      ended <<- is.null(piece)
      cpp_csv_feed(reader, piece)
    }
    held$rows
  }
  kinds <- match(classes, c("NULL", "numeric", "logical", "character", NA)) - 1L
  if (anyNA(kinds)) kinds <- integer()
  rows <- min(rows, max(1, 8e6 %/% length(classes)))
  quoted <- NULL
  done <- 0
  pull <- function() {
    if (done == 0) next_rows(integer(), 1)
    n <- next_rows(kinds, rows)
    if (n == 0) return(NULL)
    quoted <<- quoted %||% csv_quoted(cpp_csv_text(reader, TRUE), csv)
    bad <- function(e) abort_csv(csv, done, classes, conditionMessage(e))
    frame <- catch_problem(sure_columns(reader, kinds, n, csv) %||% read_piece(reader, n, classes, quoted, csv), bad)
    done <<- done + nrow(frame)
    text <- which(vapply(frame, is.character, NA))
    frame[text] <- lapply(frame[text], csv_utf8)
    as_level_columns(frame, levels, function(values, levels) level_codes(values, levels, csv$file))
  }
  structure(pull, close = from$close)
}

# Text of files, whatever the locale: UTF-8, or else Latin-1. Columns have few values, so each is looked at once.
csv_utf8 <- function(text) {
  seen <- unique(text)
  if (length(seen) == 0L) return(text)
  marked <- seen
  Encoding(marked) <- ifelse(validUTF8(seen), "UTF-8", "latin1")
  marked <- enc2utf8(marked)
  if (identical(marked, seen)) text else marked[match(text, seen)]
}

# What utils::read.table() would read, as a data frame; NULL where the reader is not sure.
sure_columns <- function(reader, kinds, n, csv) {
  columns <- cpp_csv_take(reader, kinds)
  if (is.null(columns)) return(NULL)
  open <- which(kinds[kinds > 0L] == 4L & vapply(columns, is.character, NA))
  columns[open] <- lapply(columns[open], csv_values, csv)
  # Assigning to all columns of a wide data frame takes a minute.
  structure(columns, names = csv$names[kinds > 0L], row.names = .set_row_names(n), class = "data.frame")
}

# The rows of a chunk as utils::read.table() reads them.
read_piece <- function(reader, n, classes, quoted, csv) {
  at <- which(classes %in% "numeric" & (length(csv$na) > 0L | quoted) | classes %in% "logical" & quoted)
  converted <- stats::setNames(classes[at], csv$names[at])
  classes[at] <- "character"
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  writeBin(c(cpp_csv_text(reader, FALSE), charToRaw("\n")), file)
  csv_convert(utils::read.table(
    file, sep = csv$sep, dec = csv$dec, quote = "\"", col.names = csv$names, check.names = FALSE,
    colClasses = classes, nrows = n, comment.char = "", stringsAsFactors = FALSE, strip.white = TRUE,
    na.strings = csv_na(csv)
  ), converted, csv)
}

csv_values <- function(text, csv) utils::type.convert(text, as.is = TRUE, na.strings = csv_na(csv), dec = csv$dec)

csv_na <- function(csv) c("NA", "", csv$na)

# Which values of the first row are in quotes. read.table() takes them for numbers, or missing ones, only if they are
# read as text before.
csv_quoted <- function(text, csv) {
  fields <- scan(text = rawToChar(text), what = "", sep = csv$sep, quote = "", quiet = TRUE, strip.white = TRUE)
  n <- length(csv$names)
  if (length(fields) == n) startsWith(fields, "\"") else rep(TRUE, n)
}

# `classes`: "numeric" or "logical", named by columns of text.
csv_convert <- function(frame, classes, csv) {
  for (column in names(classes)) {
    values <- csv_values(frame[[column]], csv)
    if (csv_type(values) != classes[[column]] && !all(is.na(values))) stop("not ", classes[[column]])
    frame[[column]] <- if (classes[[column]] == "numeric") as.double(values) else as.logical(values)
  }
  frame
}

# Text columns as factors with these levels, by name.
as_level_columns <- function(frame, levels, codes = match) {
  if (length(levels) == 0L) return(frame)
  frame[names(levels)] <- Map(function(values, levels) {
    structure(codes(values, levels), levels = levels, class = "factor")
  }, frame[names(levels)], levels)
  frame
}

# The levels of text columns, as factor() sorts them. `categories`: columns whose text may be nearly all numbers.
csv_levels <- function(csv, classes, rows, categories) {
  texts <- csv$names[classes == "character"]
  counts <- stats::setNames(vector("list", length(texts)), texts)
  if (length(texts) == 0L) return(counts)
  pass <- csv_pass(csv, replace(classes, !csv$names %in% texts, "NULL"), rows)
  on.exit(attr(pass, "close")())
  while (!is.null(frame <- pass())) {
    for (column in texts) counts[[column]] <- add_words(counts[[column]], frame[[column]])
  }
  for (column in setdiff(texts, categories)) {
    refuse_near_numbers(names(counts[[column]]), counts[[column]], column)
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
abort_csv <- function(csv, done, classes, message) {
  con <- gzfile(csv$file, "rt")
  on.exit(close(con))
  line <- 1 + done
  readLines(con, line, warn = FALSE)
  while (length(text <- readLines(con, 1L, warn = FALSE)) > 0L) {
    line <- line + 1
    problem <- if (nzchar(trimws(text))) csv_problem(text, csv, classes)
    if (!is.null(problem)) abort(c("{.file {csv$file}} cannot be read as CSV.", x = "Line {line}: {problem}.",
      i = if (!all(classes %in% c(NA, "NULL"))) "The first chunk of {.arg rows} decides what a column holds.",
      i = "{.arg na} names values that are missing, {.arg exclude} leaves columns out."))
  }
  if (grepl("^(incomplete final line|EOF within quoted)", message)) message <- "quoted text has no end"
  abort(c("{.file {csv$file}} cannot be read as CSV.", x = "After line {1 + done}: {message}."))
}

csv_problem <- function(text, csv, classes) {
  fields <- suppressWarnings(csv_fields(text, csv$sep))
  if (length(fields) != length(csv$names)) {
    return(paste0("there are ", counted(length(fields), "value"), ", and ", counted(length(csv$names), "column")))
  }
  if (all(classes %in% c(NA, "NULL"))) return(NULL)
  fits <- mapply(function(field, class) {
    found <- csv_values(field, csv)
    if (class %in% c("character", "NULL") || is.na(found)) return(TRUE)
    if (class == "numeric") is.numeric(found) else class(found)[1L] == class
  }, fields, classes)
  if (all(fits)) return(NULL)
  at <- which(!fits)[1L]
  word <- c(numeric = "a number", logical = "TRUE or FALSE")[[classes[at]]]
  paste0("column \"", csv$names[at], "\" must be ", word, ", not \"", fields[at], "\"")
}

# Conversion between ARFF files and tasks: reading in pieces and choosing containers. The parser is
# inst/include/mlsift/read/arff.h.

# --- the file ---------------------------------------------------------------------------------------------------------

# list(reader, header, n, sparse). `choose(header)` decides before the data is read which attributes are features (0),
# which are targets (1) or describe rows (2), and which are left out (3).
read_arff <- function(file, choose, na) {
  arff <- start_arff(file, choose, na)
  on.exit(arff$pieces$close())
  while (!is.null(piece <- arff$pieces$pull())) arff$check(cpp_read_feed(arff$reader, piece))
  arff$check(cpp_read_feed(arff$reader, NULL))
  size <- cpp_arff_size(arff$reader)
  if (size$n == 0L) abort(c("{.file {file}} holds no data.", x = "There are no rows after @data."))
  c(arff[c("reader", "header")], size)
}

# list(reader, header, pieces, check): a file that has been read up to the end of its header.
start_arff <- function(file, choose, na, size = 2^20, rows = 0L) {
  reader <- cpp_arff_open(na)
  cpp_read_pause(reader, rows)
  check <- file_check(file, "ARFF")
  pieces <- open_pieces(file, size)
  header <- NULL
  done <- FALSE
  on.exit(if (!done) pieces$close())
  while (is.null(header) && !is.null(piece <- pieces$pull())) {
    check(cpp_read_feed(reader, piece))
    header <- clean_header(cpp_arff_header(reader))
  }
  if (is.null(header)) {
    check(cpp_read_feed(reader, charToRaw("\n")))
    header <- clean_header(cpp_arff_header(reader))
    if (is.null(header)) check(cpp_read_feed(reader, NULL))
  }
  sides <- choose(header)
  check_usable(header, sides, file)
  check(cpp_arff_start(reader, sides))
  done <- TRUE
  list(reader = reader, header = used_header(header, sides), pieces = pieces, check = check)
}

check_usable <- function(header, sides, file) {
  odd <- which(header$type %in% c("string", "date") & sides < 2L)
  if (length(odd) == 0L) return(invisible())
  names <- cli::cli_vec(header$name[odd], list("vec-trunc" = 5))
  abort(c("Attributes must be numeric, real, integer or nominal.",
    x = "In {.file {file}}, {.val {header$name[odd[1]]}} is of type {header$type[odd[1]]}.",
    i = "Leave {cli::qty(length(odd))}{?it/them} out with {.arg exclude}: {.val {names}}.",
    i = "What rows have in common, or when they are from, goes to {.arg group} and {.arg time}."))
}

# The header of the attributes that are not left out; `at`: their numbers in the file.
used_header <- function(header, sides) {
  kept <- which(sides < 3L)
  for (part in c("name", "type", "levels")) header[[part]] <- header[[part]][kept]
  header$side <- sides[kept]
  header$at <- kept
  header
}

# A function that raises the errors reported by a reader.
file_check <- function(file, format) {
  force(file)
  function(problem) {
    if (is.null(problem)) return(invisible())
    abort(c("{.file {file}} cannot be read as {format}.", x = "Line {problem$line}: {problem$problem}.",
      i = if (nzchar(problem$hint)) "{problem$hint}"))
  }
}

# list(pull, close): pull() returns the next bytes of a plain or gzipped file, and NULL at the end. They may change with
# the next call. `utf16`: whether the caller can read UTF-16.
open_pieces <- function(file, size = 2^20, utf16 = FALSE) {
  gzipped <- is_gzip(file)
  con <- if (gzipped) gzfile(file, "rb") else cpp_open_file(enc2native(path.expand(file)), size)
  open <- TRUE
  close_file <- function() {
    if (open) if (gzipped) close(con) else cpp_close_file(con)
    open <<- FALSE
  }
  broken <- function(detail) {
    abort(c("{.file {file}} cannot be unpacked.", x = detail, i = "Fetch the file again, or unpack it yourself."))
  }
  total <- 0
  pull <- function() {
    damaged <- function(e) broken("The compressed data is damaged.")
    piece <- if (gzipped) catch_problem(readBin(con, "raw", size), damaged) else cpp_next_bytes(con)
    if (total == 0 && !utf16 && length(utf16_of(piece)) > 0L) abort(c("{.file {file}} must be plain text.",
      x = "It is written in UTF-16.", i = "Save it in UTF-8, which spreadsheets offer for CSV files too."))
    total <<- total + length(piece)
    if (length(piece) > 0L) return(piece)
    # Reading a truncated gzip file gives no error, so its last four bytes are compared with the unpacked size.
    if (gzipped && total %% 2^32 != gzip_size(file)) {
      broken("The file is not complete, or has been joined from several.")
    }
    NULL
  }
  list(pull = pull, close = close_file)
}

# The kind of UTF-16 that the mark of byte order at the beginning tells, if there is one.
utf16_of <- function(bytes) {
  marks <- list("UTF-16LE" = as.raw(c(0xff, 0xfe)), "UTF-16BE" = as.raw(c(0xfe, 0xff)))
  names(Filter(\(mark) identical(mark, utils::head(bytes, 2L)), marks))
}

# Unpacks a gzipped file once, because text connections read truncated or damaged files without an error.
check_unpacked <- function(file) {
  if (!is_gzip(file)) return(invisible())
  pieces <- open_pieces(file)
  on.exit(pieces$close())
  while (!is.null(pieces$pull())) NULL
}

is_gzip <- function(file) identical(readBin(file, "raw", 2L), as.raw(c(0x1f, 0x8b)))

gzip_size <- function(file) {
  con <- file(file, "rb", raw = TRUE)
  on.exit(close(con))
  seek(con, file.size(file) - 4)
  sum(as.numeric(readBin(con, "raw", 4L)) * 256^(0:3))
}

clean_header <- function(header) {
  if (is.null(header)) return(NULL)
  header$relation <- trimws(as_utf8(header$relation))
  header$name <- as_utf8(header$name)
  header$levels <- lapply(header$levels, as_utf8)
  for (part in c("attribute", "inputs", "outputs")) header[[part]] <- as_utf8(header[[part]])
  header
}

# Text from a file: UTF-8, or else Latin-1.
as_utf8 <- function(x) {
  if (is.null(x)) return(NULL)
  Encoding(x) <- if (all(validUTF8(x))) "UTF-8" else "latin1"
  enc2utf8(x)
}

# --- from the file to the task ----------------------------------------------------------------------------------------

task_from_arff <- function(arff, title, kind, on, given) {
  header <- arff$header
  notes <- read_notes(header)
  kind <- kind %||% if (is.null(on)) notes$kind
  sides <- arff_sides(arff, notes, kind)
  if (arff$sparse && is.data.frame(sides$x) && is.null(notes$features)) {
    x_at <- which(header$side == 0L)
    odd <- cli::cli_vec(header$name[x_at][header$type[x_at] == "nominal"], list("vec-trunc" = 3))
    inform(c(
      "i" = paste0("Features of the sparse file become a data frame, because {.val {odd}} {?is/are} nominal with ",
        "other values than 0 and 1.")
    ))
  }
  finish_task(sides, kind, on, title, arff, notes, given)
}

# list(x, y, rows): the rows that the reader holds. `kind`: of the targets if it is given.
arff_sides <- function(arff, notes, kind) {
  header <- arff$header
  x_at <- which(header$side == 0L)
  y_at <- which(header$side == 1L)
  x_as <- notes$features %||% arff_container(header$type[x_at], arff$sparse)
  if (x_as == "integer" && !all(header$type[x_at] == "integer")) x_as <- "double"
  y_type <- unique(sub("integer", "real", header$type[y_at]))
  y_as <- if (identical(kind, "class") || "nominal" %in% y_type || length(y_type) > 1L) "data.frame"
  else if (arff$sparse) "sparse" else if (y_type == "binary") "integer" else "double"
  taken <- cpp_arff_take(arff$reader, arff_shape(x_as), arff_shape(y_as))
  list(x = shape_side(taken$x, x_as, header, x_at, arff$n, notes$column),
    y = shape_side(taken$y, y_as, header, y_at, arff$n, notes$column), rows = row_frame(taken, header, arff$n))
}

arff_shape <- function(container) switch(container, data.frame = "list", logical = "double", container)

arff_container <- function(type, sparse) {
  if (any(type == "nominal") || (!sparse && any(type == "integer"))) return("data.frame")
  if (sparse) "sparse" else "double"
}

# Attributes that describe rows; nominal ones, texts and dates as factors.
row_frame <- function(taken, header, n) {
  at <- which(header$side == 2L)
  values <- Map(function(values, type, words) {
    if (!type %in% c("nominal", "string", "date")) return(values)
    structure(values, levels = as_utf8(words), class = "factor")
  }, taken$rows, header$type[at], taken$words)
  list2DF(stats::setNames(values, header$name[at]), n)
}

shape_side <- function(values, container, header, at, n, noted) {
  names <- header$name[at]
  if (container == "sparse") return(rows_matrix(n, names, values))
  if (container != "data.frame") {
    if (container == "logical") storage.mode(values) <- "logical"
    dimnames(values) <- list(NULL, names)
    return(values)
  }
  type <- noted$value[match(at, noted$at)]
  for (j in which(header$type[at] == "nominal" | header$side[at] == 1L | !is.na(type))) {
    values[[j]] <- shape_column(values[[j]], header$type[at[j]], header$levels[[at[j]]], type[j])
  }
  list2DF(stats::setNames(values, names), n)
}

# A column of a data frame that is not a plain number; `type` is what write_mulan() noted about it, or NA.
shape_column <- function(values, arff_type, levels, type) {
  if (is.null(levels)) return(values)
  if (type %in% "logical") return(values == 1)
  if (arff_type == "binary") values <- match(values, as.numeric(levels))
  structure(values, levels = levels, class = c(if (type %in% "ordered") "ordered", "factor"))
}

finish_task <- function(sides, kind, on, title, arff, notes, given) {
  header <- arff$header
  name <- if (is.null(notes$name)) title else if (notes$name == "relation") header$relation
  discrete <- if (length(notes$discrete$at) > 0L) {
    stats::setNames(notes$discrete$value == "TRUE", header$name[notes$discrete$at])
  }
  task <- task_of(sides$x, sides$y, kind, on, name, discrete, take_rows(given, sides$rows)$rows)
  kind <- task_kind(task)
  container <- notes$targets %||% if (kind == "class") "data.frame" else if (arff$sparse) "sparse" else "matrix"
  if (kind == "label" && is_sparse(task$targets$values) != (container == "sparse")) {
    task$targets$values <- if (container == "sparse") as_sparse_numbers(task$targets$values)
    else label_matrix(task$targets)
  }
  task$targets$frame <- container == "data.frame"
  task
}

# --- notes ------------------------------------------------------------------------------------------------------------

# What ARFF itself cannot express about a task is stored in comments that only mlsift reads:
#   %mlsift features data.frame | integer | logical     %mlsift targets data.frame | matrix | sparse
#   %mlsift kind class | numeric                        %mlsift name relation | none
#   %mlsift column 3 factor | ordered | logical         %mlsift discrete 3 TRUE | FALSE
# Notes that do not fit the file are ignored.
read_notes <- function(header) {
  words <- strsplit(header$notes, " ", fixed = TRUE)
  key <- vapply(words, `[`, "", 1L)
  one <- function(what, allowed) {
    value <- vapply(words[key == what], `[`, "", 2L)
    if (length(value) == 1L && value %in% allowed) value
  }
  each <- function(what, allowed, columns) {
    at <- match(vapply(words[key == what], `[`, "", 2L), header$at)
    value <- vapply(words[key == what], `[`, "", 3L)
    keep <- at %in% which(columns) & value %in% allowed & !duplicated(at)
    list(at = at[keep], value = value[keep])
  }
  list(features = one("features", c("data.frame", "integer", "logical")),
    targets = one("targets", c("data.frame", "matrix", "sparse")), kind = one("kind", c("class", "numeric")),
    name = one("name", c("relation", "none")),
    column = each("column", c("factor", "ordered", "logical"), rep(TRUE, length(header$name))),
    discrete = each("discrete", c("TRUE", "FALSE"), header$side == 0L))
}

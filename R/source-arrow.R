# Parquet, Feather and other Arrow files in chunks, through the package arrow. Only its public classes are used. Each
# column is converted on its own, so that R metadata stored in the file has no influence.

arrow_formats <- c(parquet = "Parquet", feather = "Feather")

arrow_source <- function(file, format, rows, chosen) {
  check_arrow_file(file, format)
  header <- read_arrow_header(file, format, chosen)
  names <- header$name
  words <- arrow_words(file, format, header)
  header <- arrow_numbers(header, words, c(header$targets, categories_of(chosen)))
  levels <- arrow_levels(header, words)
  open <- function() arrow_pass(file, format, header, levels, rows)
  source <- source_of_columns(open, names, header$targets, header$n_rows, file, chosen)
  at <- match(header$targets, names)
  declared <- if (!any(header$kind[at] %in% c("whole", "number"))) {
    Map(\(levels, kind) if (kind == "logical") c(FALSE, TRUE) else factor(levels, levels), levels[at], header$kind[at])
  }
  settled_source(source, declared)
}

check_arrow_file <- function(file, format) {
  word <- arrow_formats[[format]]
  magic <- if (format == "parquet") "PAR1" else "ARROW1"
  begin <- readBin(file, "raw", nchar(magic))
  if (!identical(begin, charToRaw(magic))) {
    old <- format == "feather" && identical(utils::head(begin, 4L), charToRaw("FEA1"))
    abort(c("{.file {file}} is not a {word} file.",
      x = if (old) "It is of version 1 of Feather." else "It does not begin with {.val {magic}}.",
      i = if (old) "Write it again with {.code arrow::write_feather()}."
      else if (format == "feather") "Streams of Arrow are not files: write one with {.code arrow::write_feather()}."
    ))
  }
  check_package("arrow", cli::format_inline("Reading {.file {file}}"))
}

# Raises errors of arrow as ours.
arrow_try <- function(expr, file, format) {
  failed <- function(e) {
    reason <- sub("\n.*", "", conditionMessage(e))
    abort(c("{.file {file}} cannot be read as {arrow_formats[[format]]}.", x = "{reason}"), parent = NA)
  }
  catch_foreign(expr, failed)
}

# list(schema, n_rows, pieces, size, columns, close): a file of row groups or record batches. size(i): the number of
# rows of a piece, if it is known before reading; columns(i, at): its columns `at`, as arrow arrays.
open_arrow <- function(file, format) {
  input <- arrow_try(arrow::ReadableFile$create(file), file, format)
  close <- function() input$close()
  opened <- FALSE
  on.exit(if (!opened) close())
  result <- arrow_try(if (format == "parquet") parquet_pieces(input) else feather_pieces(input), file, format)
  opened <- TRUE
  c(result, list(close = close))
}

parquet_pieces <- function(input) {
  reader <- arrow::ParquetFileReader$create(input)
  read <- function(i, at) reader$ReadRowGroup(i - 1L, at - 1L)
  list(
    schema = reader$GetSchema(), n_rows = as.double(suppressWarnings(reader$num_rows)), pieces = reader$num_row_groups,
    size = function(i) as.double(read(i, integer())$num_rows),
    columns = function(i, at) {
      table <- read(i, at)
      lapply(seq_along(at), function(j) table$column(j - 1L))
    }
  )
}

# The number of rows of a record batch is not known before it is read. Its bytes are used as they are in the file, so
# they are validated: string positions beyond the end would crash R.
feather_pieces <- function(input) {
  reader <- arrow::RecordBatchFileReader$create(input)
  list(
    schema = reader$schema, n_rows = NA_real_, pieces = reader$num_record_batches, size = function(i) NA_real_,
    columns = function(i, at) {
      batch <- reader$get_batch(i - 1L)
      arrow::as_arrow_table(batch)$ValidateFull()
      lapply(at, function(j) batch$column(j - 1L))
    }
  )
}

# --- columns ----------------------------------------------------------------------------------------------------------

# The R kind of columns of a type; NA for types that cannot be features.
arrow_kind <- function(type) {
  if (grepl("^u?int(8|16|32|64)$", type)) return("whole")
  if (grepl("^dictionary<values=(large_)?string,", type)) return("levels")
  known <- c(bool = "logical", null = "logical", float = "number", double = "number", string = "text",
    large_string = "text")
  if (type %in% names(known)) known[[type]] else NA_character_
}

# list(name, type, n_rows) of a file.
arrow_header <- function(reader) {
  fields <- reader$schema$fields
  list(
    name = enc2utf8(vapply(fields, function(field) field$name, "")),
    type = vapply(fields, function(field) field$type$ToString(), ""), n_rows = reader$n_rows
  )
}

# The same of the columns that are not left out, with the kind of each column, after checks. `at`: their numbers in the
# file; `all`: the header of all columns; `na`: what stands for missing values.
read_arrow_header <- function(file, format, chosen) {
  reader <- open_arrow(file, format)
  on.exit(reader$close())
  header <- arrow_try(arrow_header(reader), file, format)
  names <- header$name
  if (anyDuplicated(names) || !all(nzchar(names))) {
    found <- if (anyDuplicated(names)) paste0("\"", names[anyDuplicated(names)], "\" occurs twice")
    else paste("Column", which(!nzchar(names))[1L], "has no name")
    abort(c("The columns of {.file {file}} must have unique names.", x = "{found}."))
  }
  columns <- file_columns(names, chosen, file)
  at <- which(columns$used)
  header <- list(name = names[at], type = header$type[at], n_rows = header$n_rows, at = at, all = header,
    targets = columns$targets, na = chosen$na)
  header$kind <- vapply(header$type, arrow_kind, "", USE.NAMES = FALSE)
  wrong <- which(is.na(header$kind))
  if (length(wrong) > 0L) {
    odd <- cli::cli_vec(header$name[wrong], list("vec-trunc" = 5))
    abort(c("The columns of {.file {file}} must hold numbers, logicals, strings or dictionaries of strings.",
      x = "Column {.val {header$name[wrong[1]]}} is of type {.cls {header$type[wrong[1]]}}.",
      i = "Leave {cli::qty(length(wrong))}{?it/them} out with {.arg exclude}: {.val {odd}}."))
  }
  if (!arrow_has_rows(reader, header, file, format)) {
    abort(c("{.file {file}} holds no data.", x = "It has no rows."))
  }
  header
}

arrow_has_rows <- function(reader, header, file, format) {
  if (!is.na(header$n_rows)) return(header$n_rows > 0)
  for (i in seq_len(reader$pieces)) {
    if (arrow_try(reader$columns(i, 1L)[[1L]]$length(), file, format) > 0) return(TRUE)
  }
  FALSE
}

# By column number, how often each string or level of text columns and dictionaries occurs. Columns of both are read
# once. Each piece may have its own dictionary.
arrow_words <- function(file, format, header) {
  at <- which(header$kind %in% c("text", "levels"))
  words <- vector("list", length(header$name))
  if (length(at) == 0L) return(words)
  reader <- open_arrow(file, format)
  on.exit(reader$close())
  # Parquet columns can be read one by one, which takes less memory.
  blocks <- if (format == "parquet") as.list(at) else list(at)
  for (i in seq_len(reader$pieces)) for (block in blocks) arrow_try({
    arrays <- reader$columns(i, header$at[block])
    for (k in seq_along(block)) {
      values <- array_vector(arrays[[k]])
      found <- if (header$kind[block[k]] == "text") enc2utf8(values) else enc2utf8(base::levels(values))
      words[[block[k]]] <- add_words(words[[block[k]]], found)
    }
  }, file, format)
  words
}

# Text columns that hold only numbers besides words for missing values become numbers, as in clear_column().
arrow_numbers <- function(header, words, categories) {
  for (k in which(header$kind == "text" & !header$name %in% categories)) {
    times <- words[[k]][setdiff(names(words[[k]]), header$na)]
    refuse_near_numbers(names(times), times, header$name[k])
    if (length(times) < length(words[[k]]) && all(is_decimal(names(times)))) header$kind[k] <- "numbers in text"
  }
  header
}

# The levels by column number: of text columns, as factor() sorts them, and of dictionaries, in their own order.
arrow_levels <- function(header, words) {
  unname(Map(function(kind, times) {
    kept <- setdiff(names(times), header$na)
    switch(kind, text = sort(kept), levels = kept)
  }, header$kind, words))
}

# A copy, because arrow's own vectors keep all rows of a piece in memory.
array_vector <- function(array) {
  old <- options(arrow.use_altrep = FALSE)
  on.exit(options(old))
  array$as_vector()
}

# R does not know how much memory the arrays hold. Returns a function that frees it after about 32 MB more.
new_release <- function(most = 2^22) {
  held <- 0
  function(cells) {
    held <<- held + cells
    if (held < most) return(invisible())
    gc(full = FALSE)
    held <<- 0
  }
}

# The values of an array; text and dictionaries as positions among `levels`.
arrow_values <- function(array, kind, levels, name, na, file) {
  values <- array_vector(array)
  if (kind == "text") values[values %in% na] <- NA
  if (kind == "levels") base::levels(values)[base::levels(values) %in% na] <- NA
  if (kind %in% c("number", "numbers in text")) values <- clear_column(values, na)
  switch(kind,
    whole = clear_column(whole_values(values, name, file), na), number = , "numbers in text" = as.double(values),
    logical = as.logical(values),
    text = level_codes(values, levels, file),
    levels = level_codes(enc2utf8(base::levels(values)), levels, file)[as.integer(values)]
  )
}

level_codes <- function(values, levels, file) {
  codes <- match(values, levels)
  if (anyNA(codes[!is.na(values)])) abort_changed(file)
  codes
}

# Integers if they fit, as 64-bit ones often do, otherwise doubles.
whole_values <- function(values, name, file) {
  if (is.integer(values)) return(values)
  values <- suppressWarnings(as.double(values))
  if (any(abs(values) >= 2^53, na.rm = TRUE)) {
    abort(c("Integers in {.file {file}} must be below 2^53.", x = "Column {.val {name}} has larger ones.",
      i = "Leave the column out if it numbers the rows, or write it as strings."))
  }
  if (all(abs(values) <= .Machine$integer.max, na.rm = TRUE)) as.integer(values) else values
}

# --- rows -------------------------------------------------------------------------------------------------------------

# A pass over data frames of `rows` rows, whatever the sizes of the pieces.
arrow_pass <- function(file, format, header, levels, rows) {
  reader <- open_arrow(file, format)
  check_arrow_header(reader, file, format, header)
  release <- new_release()
  pass <- list2env(list(reader = reader, piece = NULL, next_piece = 1, open = TRUE))
  read <- function(i) arrow_piece(reader, i, header, levels, rows, release, file, format)
  pull <- function() {
    parts <- next_arrow_parts(pass, rows, read)
    if (length(parts) > 0L) return(join_arrow_parts(parts, header, levels))
    end_arrow(pass)
    NULL
  }
  structure(pull, close = function() end_arrow(pass))
}

end_arrow <- function(pass) {
  pass$piece <- NULL
  if (pass$open) pass$reader$close()
  pass$open <- FALSE
}

check_arrow_header <- function(reader, file, format, header) {
  if (identical(arrow_try(arrow_header(reader), file, format), header$all)) return(invisible())
  reader$close()
  abort_changed(file)
}

# The next rows, at most `rows`, from one or several pieces. For read(i), which returns a piece, see arrow_piece().
next_arrow_parts <- function(pass, rows, read) {
  parts <- list()
  have <- 0
  while (have < rows && has_arrow_rows(pass, read)) {
    part <- pass$piece$take(rows - have)
    have <- have + length(part[[1L]])
    parts[[length(parts) + 1L]] <- part
  }
  parts
}

# Whether any rows are left. Releases a piece that is used up before it reads the next one.
has_arrow_rows <- function(pass, read) {
  while (pass$open && (is.null(pass$piece) || pass$piece$left() == 0)) {
    if (pass$next_piece > pass$reader$pieces) return(FALSE)
    pass$piece <- NULL
    pass$piece <- read(pass$next_piece)
    pass$next_piece <- pass$next_piece + 1
  }
  pass$open
}

# list(left, take) of a row group or record batch. take(n): the next rows, at most n, as a list of columns. A row group
# larger than mlsift.chunk_bytes is not held as a whole. Instead, a few columns at a time are read again for each chunk.
arrow_piece <- function(reader, i, header, levels, rows, release, file, format) {
  d <- length(header$name)
  n <- arrow_try(reader$size(i), file, format)
  read <- function(at) {
    arrays <- arrow_try(reader$columns(i, header$at[at]), file, format)
    release(length(at) * arrays[[1L]]$length())
    arrays
  }
  most <- getOption("mlsift.chunk_bytes", 512 * 2^20) / 8
  in_blocks <- !is.na(n) && n > rows && n * d > most
  arrays <- if (!in_blocks) read(seq_len(d))
  if (is.na(n)) n <- arrays[[1L]]$length()
  width <- if (in_blocks) max(1, floor(most / n)) else d
  blocks <- split(seq_len(d), (seq_len(d) - 1) %/% width)
  done <- 0
  take <- function(rows) {
    size <- min(rows, n - done)
    values <- vector("list", d)
    for (block in blocks) {
      of_block <- NULL
      of_block <- if (in_blocks) read(block) else arrays
      for (k in seq_along(block)) {
        j <- block[k]
        values[[j]] <- arrow_try(
          arrow_values(of_block[[k]]$Slice(done, size), header$kind[j], levels[[j]], header$name[j], header$na, file),
          file, format
        )
      }
    }
    done <<- done + size
    values
  }
  list(left = function() n - done, take = take)
}

join_arrow_parts <- function(parts, header, levels) {
  columns <- lapply(seq_along(header$name), function(j) {
    values <- do.call(c, lapply(parts, `[[`, j))
    if (header$kind[j] %in% c("text", "levels")) structure(values, levels = levels[[j]], class = "factor") else values
  })
  list2DF(stats::setNames(columns, header$name))
}

#' Write a task as ARFF with a Mulan label header
#'
#' The inverse of [read_mulan()], which reads the identical task (except for row names, and with a `dgCMatrix`
#' for an `ngCMatrix`). Attributes are the features, followed by the targets.
#'
#' What the files hold:
#'
#' * Sparse tasks are written with sparse rows, without stored zeros. Other tasks are written with dense rows.
#' * Numbers have 15 to 17 digits, as many as are needed to read the same number back.
#' * Labels, logicals and discrete 0/1 numbers become nominal `{0,1}`. Factors become nominal, integers `integer`, and
#'   missing values `?`.
#' * Some properties have no place in ARFF: features in a data frame, ordered factors, features changed with `discrete`,
#'   and others. They are written to comments that begin with `%mlsift`. Other programs ignore these.
#' * Both files are in UTF-8. They are written to temporary files first, so they are either complete or missing.
#'   Existing files are replaced.
#'
#' @param task A task. Its rows must have no weights, groups or times, for which the files have no place.
#' @param file (string) Path of the ARFF file. It is gzipped if the name ends in `.gz`. A name without a suffix gets
#'   `.arff`.
#' @param xml (string) Path of the XML file that names the targets. `NULL` uses the place beside `file` where
#'   [read_mulan()] looks.
#' @return `file`, invisibly.
#' @family tasks
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"), name = "cars")
#' file <- file.path(tempdir(), "cars.arff.gz")
#' write_mulan(cars, file)
#' read_mulan(file)
#' @export
write_mulan <- function(task, file, xml = NULL) {
  check_mltask(task)
  known <- row_words[intersect(names(row_words), names(task$rows))]
  if (length(known) > 0L) abort(c("{.arg task} must be a task without {known} here.",
    x = "Files of Mulan have no place for what is known of rows.",
    i = "To leave it out, make the task without: {.code mltask(features(task), targets(task))}."))
  check_writable(file, "file")
  file <- with_suffix(file, "arff")
  xml <- check_path(xml, null = TRUE) %||% xml_beside(file)
  check_writable(xml, "xml")
  if (normalizePath(file, mustWork = FALSE) == normalizePath(xml, mustWork = FALSE)) abort(c(
    "{.arg xml} must be another file than {.arg file}.", x = "Both are {.file {file}}."))
  replace_file(file, function(path) write_arff(task, arff_title(file), path, grepl("\\.gz$", file, ignore.case = TRUE)))
  replace_file(xml, function(path) write_lines(label_xml(target_names(task)), path))
  invisible(file)
}

check_writable <- function(file, arg) {
  check_path(file, arg = arg)
  if (dir.exists(file)) abort(c("{.arg {arg}} must be the path of a file.", x = "{.file {file}} is a folder."))
  if (!dir.exists(dirname(file))) abort(c("{.arg {arg}} must be in a folder that exists.",
    x = "There is no folder {.file {dirname(file)}}."))
}

# Writes to a temporary file beside `file`, and replaces `file` when it is complete.
replace_file <- function(file, write) {
  part <- tempfile(paste0(basename(file), "-"), dirname(file))
  on.exit(unlink(part))
  done <- catch_problem({
    write(part)
    file.rename(part, file)
  }, conditionMessage)
  if (!isTRUE(done)) abort(c("{.file {file}} cannot be written.", x = if (is.character(done)) "{done}"))
}

write_lines <- function(lines, path) {
  con <- file(path, "wb")
  on.exit(close(con))
  writeBin(charToRaw(paste0(paste(enc2utf8(lines), collapse = "\n"), "\n")), con)
}

label_xml <- function(names) {
  for (entity in list(
    c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c("\"", "&quot;"), c("\n", "&#10;"), c("\r", "&#13;"),
    c("\t", "&#9;")
  )) {
    names <- gsub(entity[1L], entity[2L], names, fixed = TRUE)
  }
  c("<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<labels xmlns=\"http://mulan.sourceforge.net/labels\">",
    paste0("<label name=\"", names, "\"></label>"), "</labels>")
}

# --- ARFF -------------------------------------------------------------------------------------------------------------

write_arff <- function(task, title, path, gz) {
  con <- if (gz) gzfile(path, "wb") else file(path, "wb")
  on.exit(close(con))
  writeBin(charToRaw(enc2utf8(paste0(paste(arff_header(task, title), collapse = "\n"), "\n"))), con)
  sparse <- is_sparse(task$x)
  x <- arff_side(task$x)
  labels <- shown_targets(task$targets)
  y <- arff_side(labels)
  n <- nrow(task$x)
  # About 4 MB of text at a time.
  step <- max(1, ceiling(n / ceiling((cells(task$x, sparse) + cells(labels, sparse)) / 5e5)))
  for (from in seq(0, n - 1, by = step)) writeBin(cpp_arff_rows(x, y, sparse, from, min(from + step, n)), con)
}

cells <- function(x, sparse) if (sparse && is_sparse(x)) nrow(x) + length(x@i) else as.numeric(nrow(x)) * ncol(x)

arff_header <- function(task, title) {
  y_types <- switch(task_kind(task), label = "{0,1}", class = vapply(task$targets$values, arff_type, ""),
    numeric = "numeric")
  types <- c(arff_types(task$x, task$discrete), rep_len(y_types, ncol(task$targets)))
  names <- arff_word(c(colnames(task$x), colnames(task$targets)))
  notes <- task_notes(task, title)
  c(if (length(notes) > 0L) paste("%mlsift", notes), paste("@relation", arff_quote(task$name %||% title)), "",
    paste("@attribute", names, types), "", "@data")
}

# The type of each feature as written in the header.
arff_types <- function(x, discrete) {
  type <- if (is.data.frame(x)) vapply(x, arff_type, "") else rep(arff_type(if (is_sparse(x)) 1 else x), ncol(x))
  at <- which(type == "numeric" & discrete & cpp_binary_columns(x))
  # -0 differs from 0 only in a numeric attribute.
  if (!is_sparse(x)) at <- at[!vapply(at, function(j) any(1 / x[, j] == -Inf, na.rm = TRUE), NA)]
  type[at] <- "{0,1}"
  unname(type)
}

arff_type <- function(column) {
  if (is.factor(column)) return(paste0("{", paste(arff_word(levels(column)), collapse = ","), "}"))
  if (is.logical(column)) "{0,1}" else if (is.integer(column)) "integer" else "numeric"
}

# A name or value as ARFF requires it: bare where possible, otherwise in single quotes.
arff_word <- function(x) {
  bare <- grepl("^[^\\s[:cntrl:],'\"\\\\%{}?@]+$", x, perl = TRUE)
  ifelse(bare, x, arff_quote(x))
}

arff_quote <- function(x) {
  for (escape in list(c("\\", "\\\\"), c("'", "\\'"), c("\n", "\\n"), c("\r", "\\r"), c("\t", "\\t"))) {
    x <- gsub(escape[1L], escape[2L], x, fixed = TRUE)
  }
  paste0("'", x, "'")
}

# Features or targets in the form that cpp_arff_rows() takes: compressed rows, a matrix, or columns with factor words.
arff_side <- function(x) {
  if (is_sparse(x)) {
    rows <- t(with_values(x))
    return(list(width = ncol(x), p = rows@p, j = rows@i, x = rows@x))
  }
  if (is.matrix(x)) return(list(width = ncol(x), matrix = x))
  words <- lapply(x, function(column) if (is.factor(column)) enc2utf8(arff_word(levels(column))))
  list(width = ncol(x), columns = unname(as.list(x)), words = unname(words))
}

# --- what ARFF cannot say, see read_notes() ---------------------------------------------------------------------------

task_notes <- function(task, title) {
  x <- task$x
  c(feature_note(x), target_note(task), if (!looks_its_kind(task)) paste("kind", task_kind(task)),
    if (is.null(task$name)) "name none" else if (task$name != title) "name relation", column_notes(x, 0L, FALSE),
    column_notes(task$targets$values, ncol(x), TRUE), discrete_notes(x, task$discrete))
}

# A factor that read_mulan() alone would read as numbers.
reads_as_number <- function(column) nlevels(column) > 0L && all(levels(column) %in% c("0", "1"))

feature_note <- function(x) {
  if (is.matrix(x)) {
    if (is.integer(x)) "features integer" else if (is.logical(x)) "features logical"
  } else if (is.data.frame(x) && all(vapply(x, function(v) is.double(v) || is.logical(v) || reads_as_number(v), NA))) {
    "features data.frame"
  }
}

target_note <- function(task) {
  y <- task$targets$values
  usual <- switch(task_kind(task), class = task$targets$frame, numeric = !task$targets$frame,
    label = is_sparse(y) == is_sparse(task$x) && !task$targets$frame)
  if (!usual) paste("targets", if (task$targets$frame) "data.frame" else if (is_sparse(y)) "sparse" else "matrix")
}

column_notes <- function(x, offset, target) {
  if (!is.data.frame(x)) return(NULL)
  type <- vapply(x, function(v) {
    if (is.ordered(v)) "ordered" else if (is.logical(v)) "logical" else if (reads_as_number(v) &&
      !target) "factor" else ""
  }, "")
  at <- which(type != "")
  if (length(at) > 0L) paste("column", at + offset, type[at])
}

# Columns where `discrete` differs from what mltask() would choose.
discrete_notes <- function(x, discrete) {
  at <- which(discrete != own_discrete(x))
  if (length(at) > 0L) paste("discrete", at, discrete[at])
}

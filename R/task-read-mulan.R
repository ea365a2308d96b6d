#' Read a multi-label or multi-target data set
#'
#' Reads an ARFF file, dense or sparse, plain or gzipped, as Mulan, MEKA, mldr, Weka, MOA, KEEL and Clus
#' write it.
#'
#' # Targets
#' The targets are determined by the first of these that exists:
#' 1. `labels`;
#' 2. `xml`, a Mulan label header; labels may be nested in it;
#' 3. the XML file with the same name beside the ARFF file (`emotions.xml` for `emotions.arff` or `emotions.arff.gz`);
#' 4. the option `-C n` in the relation name, as MEKA writes it: the first `n` attributes, or the last `-n` if `n` is
#'    negative;
#' 5. a line `@outputs` in the header, as KEEL writes it, or all attributes that `@inputs` does not list;
#' 6. attributes of type `hierarchical`.
#'
#' A `hierarchical` attribute, as Clus writes it, has a label for each class of its tree. A row with the classes
#' `a/b@c`, say, has the labels `a`, `a/b` and `c`: all ancestors count. `labels` can also name the attribute.
#' Attributes that KEEL lists neither as inputs nor as outputs are left out, with a message.
#'
#' Targets keep the order of the ARFF file. Their values, or the declared values of nominal targets, decide whether they
#' are labels, classes or numbers, by the rule of [mltask()]: numeric 0 and 1, `{FALSE,TRUE}` and `{no,yes}` are labels.
#' Labels of a sparse file are kept sparse.
#'
#' # Features
#' * Features of a sparse file become a `dgCMatrix`. Values that a row leaves out are 0. If a feature is nominal with
#'   values other than 0 and 1, features become a data frame, with a message. Values that a row leaves out are then the
#'   first declared value.
#' * Features of a dense file become a matrix of doubles. If some are `integer` or nominal, they become a data frame.
#'   `integer` features are then integer columns, or doubles if a value is not a whole number. Nominal features are
#'   factors with the declared levels.
#' * Nominal features with the values 0 and 1 are always numbers.
#'
#' # Syntax
#' Keywords may be in any case. Names and values may be in single or double quotes with backslash escapes. There, a
#' backslash before `n`, `r` or `t` makes a line feed, a carriage return or a tab. Before any other character it is
#' dropped. `%` begins a comment at the start of a line or after the values of a row. `?` is a missing value. A comma at
#' the end of a row and a range after a type, as in `real [0, 14]`, are ignored. Attributes of type string or date give
#' an error unless `exclude`, `group` or `time` names them. Relational attributes, instance weights and infinite numbers
#' give an error. Text that is not UTF-8 is read as Latin-1.
#'
#' @param file (string) Path of the ARFF file.
#' @param xml (string) Path of the Mulan XML file. `NULL` looks beside `file`.
#' @param labels Names of the targets, or a count: positive for the first attributes, negative for the last.
#' @param exclude Attributes to leave out: names, positions or a [tidyselect][tidyselect::language] expression, as in
#'   [mltask()]. Attributes of type string or date cannot be used, and must be among them.
#' @param na (strings) What stands for a missing value besides `?`, such as `c("-999", "NA")`.
#' @param kind,on What the targets are, as in [mltask()].
#' @inheritParams mltask
#' @return A task (see [mltask()]), named after the file.
#' @family tasks
#' @examples
#' file <- tempfile(fileext = ".arff")
#' writeLines(c(
#'   "@relation toy",
#'   "@attribute width numeric",
#'   "@attribute color {red, 'dark blue'}",
#'   "@attribute happy {0,1}",
#'   "@attribute calm {0,1}",
#'   "@data",
#'   "1.5, red, 1, 0",
#'   "?, 'dark blue', 0, 1"
#' ), file)
#' task <- read_mulan(file, labels = -2)
#' task
#' features(task)
#' @export
read_mulan <- function(file, xml = NULL, labels = NULL, exclude = NULL, na = NULL, kind = NULL, on = NULL,
                       weights = NULL, group = NULL, time = NULL) {
  exclude <- rlang::enquo(exclude)
  check_readable(file, "file")
  if (!is.null(xml)) check_readable(xml, "xml")
  given <- list(weights = weights, group = group, time = time)
  choose <- function(header) arff_sides_of(header, file, xml, labels, exclude, named_columns(given))
  arff <- read_arff(file, choose, check_na(na))
  task_from_arff(arff, arff_title(file), kind, on, given)
}

check_readable <- function(file, arg) {
  check_path(file, arg = arg)
  if (!file.exists(file) || dir.exists(file)) {
    what <- if (dir.exists(file)) "{.file {file}} is a folder." else "There is no file {.file {file}}."
    near <- if (!file.exists(file)) nearest_name(basename(file), list.files(dirname(file)))
    abort(c(paste0("{.arg ", arg, "} must be the path of a file."), x = what,
      i = if (!is.null(near)) "Did you mean {.file {beside(file, near)}}?"))
  }
}

beside <- function(file, name) if (dirname(file) == ".") name else file.path(dirname(file), name)

xml_beside <- function(file) beside(file, paste0(arff_title(file), ".xml"))

arff_title <- function(file) sub("\\.arff$", "", sub("\\.gz$", "", basename(file), ignore.case = TRUE),
  ignore.case = TRUE)

# --- which attributes are targets -------------------------------------------------------------------------------------

# 0 for features, 1 for targets, 2 for `columns` that describe rows, 3 for attributes that are left out.
arff_sides_of <- function(header, file, xml, labels, exclude, columns) {
  of_rows <- row_columns(columns, header$name)
  excluded <- setdiff(union(excluded_columns(NULL, header$name, exclude), unlisted_columns(header)), of_rows)
  chosen <- find_targets(header, file, xml, labels)
  refuse_overlap(chosen, excluded, header$name, "labels")
  refuse_row_targets(of_rows, chosen, header$name)
  sides <- integer(length(header$name))
  sides[chosen] <- 1L
  sides[of_rows] <- 2L
  sides[excluded] <- 3L
  if (all(sides > 0L)) abort(c("No features are left in {.file {file}}.",
    x = paste0("All {length(sides)} attribute{?s} {?is a target/are targets}",
      if (length(of_rows) > 0L) " or used otherwise" else if (length(excluded) > 0L) " or excluded", ".")))
  sides
}

find_targets <- function(header, file, xml, labels) {
  usual <- xml_beside(file)
  if (!is.null(labels)) return(targets_from_labels(labels, header))
  if (!is.null(xml) || file.exists(usual)) return(targets_from_xml(xml %||% usual, header$name))
  count <- meka_count(header$relation)
  if (is.null(count)) return(targets_from_header(header, file))
  d <- length(unique(header$attribute))
  if (count == 0 || abs(count) >= d) abort(c(
    "The relation name of {.file {file}} gives an impossible number of labels.",
    x = "It says -C {count}, and there are {d} attributes.", i = "Give {.arg labels} or {.arg xml}."
  ))
  counted_columns(header, count)
}

# What the header has itself: @outputs of KEEL, all but its @inputs, or the classes of a hierarchy.
targets_from_header <- function(header, file) {
  absent <- setdiff(c(header$inputs, header$outputs), c(header$attribute, header$name))
  if (length(absent) > 0L) abort_absent(absent, unique(header$attribute),
    "{.file {xml}} lists attributes as @inputs or @outputs that it does not declare.", file)
  chosen <- if (length(header$outputs) > 0L) header$attribute %in% header$outputs
  else if (length(header$inputs) > 0L) !header$attribute %in% header$inputs
  else header$attribute != header$name
  if (any(chosen)) return(which(chosen))
  others <- list.files(dirname(file), "\\.xml$", ignore.case = TRUE)
  abort(c("Nothing says which attributes of {.file {file}} are targets.",
    x = "There is no {.file {xml_beside(file)}}, and the header has no MEKA option -C and no @outputs.",
    i = "Give {.arg xml}, or {.arg labels}: names, or how many (negative: the last ones).",
    i = if (length(others) > 0L) "XML files in that folder: {.file {utils::head(others, 5)}}."))
}

# Attributes that KEEL lists neither as inputs nor as outputs are not used.
unlisted_columns <- function(header) {
  if (length(header$inputs) == 0L || length(header$outputs) == 0L) return(integer())
  at <- which(!header$attribute %in% c(header$inputs, header$outputs))
  names <- cli::cli_vec(header$name[at], list("vec-trunc" = 3))
  if (length(at) > 0L) inform(c(
    "i" = paste("{.val {names}} {?is/are} left out: the file lists {cli::qty(length(at))}{?it/them} neither as input",
      "nor as output.")
  ))
  at
}

# Columns of the first `count` attributes, or of the last ones. A hierarchy has a column for each class.
counted_columns <- function(header, count) {
  attribute <- match(header$attribute, unique(header$attribute))
  which(if (count > 0) attribute <= count else attribute > max(attribute) + count)
}

targets_from_labels <- function(labels, header) {
  if (is.character(labels) && length(labels) > 0L && !anyNA(labels)) {
    at <- match(labels, header$name)
    whole <- is.na(at) & labels %in% header$attribute
    absent <- labels[is.na(at) & !whole]
    if (length(absent) > 0L) abort_absent(absent, header$name, "{.arg labels} must name attributes of the file.")
    return(c(at[!whole], which(header$attribute %in% labels[whole])))
  }
  d <- length(unique(header$attribute))
  if (d < 2L) abort(c("A file must have attributes for features and for targets.",
    x = "It has only {.val {unique(header$attribute)}}."))
  if (!is_whole(labels) || labels == 0 || abs(labels) >= d) abort_value(labels,
    "names of attributes or a whole number, from 1 to {d - 1} (the first) or -1 to -{d - 1} (the last)")
  counted_columns(header, as.integer(labels))
}

# `message` may use {xml}.
abort_absent <- function(absent, names, message, xml = NULL) {
  found <- vapply(utils::head(absent, 5L), function(name) {
    near <- nearest_name(name, names)
    cli::format_inline("{.val {name}}", if (!is.null(near)) " (did you mean {.val {near}}?)")
  }, "")
  if (length(absent) > 5L) found <- c(found, paste("and", length(absent) - 5L, "more"))
  abort(c(message, x = "Not there: {paste(found, collapse = \", \")}."))
}

meka_count <- function(relation) {
  found <- regmatches(relation, regexec("(^|[[:space:]:])-C[[:space:]]+(-?[0-9]+)", relation))[[1L]]
  if (length(found) == 0L) NULL else as.numeric(found[3L])
}

targets_from_xml <- function(xml, names) {
  labels <- read_label_xml(xml)
  at <- match(labels, names)
  # Quoted names lose their backslashes in ARFF, but may still have them in XML.
  at[is.na(at)] <- match(gsub("\\\\(.)", "\\1", labels[is.na(at)]), names)
  if (anyNA(at)) abort_absent(labels[is.na(at)], names, "{.file {xml}} names labels that the ARFF file does not have.",
    xml)
  at
}

# Names in the <label name="..."> elements at any depth.
read_label_xml <- function(xml) {
  # As bytes: each position in a text of characters would be counted from its beginning.
  text <- gsub("(?s)<!--.*?-->", "", read_xml_text(xml), perl = TRUE, useBytes = TRUE)
  begin <- "<label(?=[ \t\r\n\f\v/>])"
  pattern <- paste0(begin, "(?:\"[^\"]*\"|'[^']*'|[^'\">])*+>")
  tags <- as_utf8(regmatches(text, gregexpr(pattern, text, perl = TRUE, useBytes = TRUE))[[1L]])
  if (length(tags) < sum(gregexpr(begin, text, perl = TRUE, useBytes = TRUE)[[1L]] > 0L)) abort(c(
    "{.file {xml}} must be well-formed XML.",
    x = "One of its {.code <label>} elements has a quote or bracket that is not closed."
  ))
  if (length(tags) == 0L) abort(c("{.file {xml}} must be a Mulan label header.",
    x = "It has no element {.code <label name=\"...\">}."))
  names <- names_of_tags(tags)
  if (anyNA(names)) {
    tag <- tags[is.na(names)][1L]
    abort(c("{.file {xml}} must give every label a name.", x = "This one has none: {.code {tag}}"))
  }
  unique(decode_entities(names, xml))
}

# The text of an XML file, compressed or not: UTF-8, UTF-16 with a byte order mark, or else Latin-1.
read_xml_text <- function(xml) {
  pieces <- open_pieces(xml, utf16 = TRUE)
  on.exit(pieces$close())
  bytes <- raw()
  while (!is.null(more <- pieces$pull())) bytes <- c(bytes, more)
  wide <- utf16_of(bytes)
  if (length(wide) > 0L) {
    text <- iconv(list(bytes[-(1:2)]), wide, "UTF-8", toRaw = TRUE)[[1L]]
    if (!is.null(text) && !any(text == 0)) return(as_utf8(rawToChar(text)))
  }
  if (any(bytes == 0)) abort(c("{.file {xml}} must be a text file.", x = "Byte {which(bytes == 0)[1L]} is zero."))
  as_utf8(rawToChar(bytes))
}

# The attribute `name` of each tag, or NA if it has none. Text inside other attributes does not count.
names_of_tags <- function(tags) {
  rest <- "[ \t\r\n\f\v]*=[ \t\r\n\f\v]*(?:\"[^\"]*\"|'[^']*')"
  any <- paste0("[ \t\r\n\f\v][^ \t\r\n\f\v=\"'/>]+", rest)
  name <- paste0("[ \t\r\n\f\v]name", rest)
  before <- paste0("(?s)^(?:(?!", any, ").|(?!", name, ")", any, ")*+")
  value <- sub(paste0(before, "[^=]*=[ \t\r\n\f\v]*(?:\"([^\"]*)\"|'([^']*)').*$"), "=\\1\\2", tags, perl = TRUE)
  value[!startsWith(value, "=")] <- NA
  substring(value, 2L)
}

decode_entities <- function(x, xml) {
  at <- grep("&", x, fixed = TRUE)
  entities <- gregexpr("&(#[0-9]+|#x[0-9A-Fa-f]+|lt|gt|quot|apos|amp);", x[at])
  found <- regmatches(x[at], entities)
  each <- unique(unlist(found))
  decoded <- vapply(each, decode_entity, "", xml)
  regmatches(x[at], entities) <- lapply(found, function(e) unname(decoded[e]))
  x
}

decode_entity <- function(entity, xml) {
  body <- substr(entity, 2L, nchar(entity) - 1L)
  plain <- c(lt = "<", gt = ">", quot = "\"", apos = "'", amp = "&")
  if (body %in% names(plain)) return(plain[[body]])
  hex <- startsWith(body, "#x")
  digits <- sub("^0+", "", substring(body, if (hex) 3L else 2L))
  code <- if (nchar(digits) > 7L) NA else strtoi(digits, if (hex) 16L else 10L)
  if (is.na(code) || code == 0L || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    abort(c("{.file {xml}} must be well-formed XML.", x = "{.code {entity}} is not a character."))
  }
  intToUtf8(code)
}

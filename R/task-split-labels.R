#' Labels from lists in one column
#'
#' Turns values such as `"asthma; cough"`, `"['asthma', 'cough']"` or `c("asthma", "cough")` into a 0/1 column for each
#' label, to be given to [mltask()] as `y`.
#'
#' Only whole parts count: `"asthma-severe"` does not have the label `"asthma"`. Spaces around a part are removed, and
#' parts without any other character are ignored, so `""` is a row without labels. Upper and lower case differ.
#'
#' A part may be in single or double quotes, which are removed. Separators inside of them do not count, and a backslash
#' begins an escape sequence as in JSON. If all values are in brackets or in braces, as Python, JSON and PostgreSQL
#' write lists, these are removed too.
#'
#' @param x (character, factor or list) One list of labels for each row: text, or a vector of the labels. Labels in
#'   vectors are taken as they are, without `sep`, brackets and quotes.
#' @param sep (string) What separates the labels, taken literally. `NULL` is a comma for lists in brackets or braces,
#'   and a semicolon otherwise. A message says so if it never occurs.
#' @param prefix (string) Begins the name of each column, such as `"tag_"`.
#' @return An integer matrix with a row for each element of `x` and a column for each distinct part, sorted as in the C
#'   locale: 1 if the row has the label, else 0. A row is `NA` throughout where `x` is missing: `NA`, or in text one of
#'   the words `NA`, `None`, `nan`, `NaN` and `null`, with a message. Row names are the names of `x`.
#' @family tasks
#' @examples
#' visits <- data.frame(
#'   age = c(31, 8, 54, 47), codes = c("asthma; cough", "asthma-severe", "", "cough")
#' )
#' labels <- split_labels(visits$codes)
#' labels
#' mltask(visits["age"], labels)
#' split_labels(c("['red', 'dark, blue']", "[]", "['red']"), prefix = "color_")
#' @export
split_labels <- function(x, sep = NULL, prefix = "") {
  sets <- is.list(x) && is.null(dim(x)) && all(vapply(x, \(set) is.null(set) || is_atomic(set), NA))
  if (is.factor(x)) x <- stats::setNames(as.character(x), names(x))
  if (is.logical(x) && all(is.na(x))) storage.mode(x) <- "character"
  if (!sets && (!is.character(x) || !is.null(dim(x)))) abort_value(x,
    "a character vector, a factor or a list of vectors",
    i = "Give one column of a data frame, such as {.code data$labels}.")
  check_string(sep, null = TRUE)
  if (!identical(prefix, "")) check_string(prefix)
  if (sets && !is.null(sep)) abort("{.arg sep} is for text, and {.arg x} is a list of vectors.")
  if (sets) x <- lapply(x, set_words)
  check_encoding(as.character(unlist(x)), "x")
  parts <- if (sets) lapply(x, \(set) trimws(enc2utf8(set), whitespace = "[\\h\\v]")) else listed_parts(x, sep)
  unknown <- vapply(parts, anyNA, NA)
  rows <- rep.int(seq_along(x), lengths(parts))
  parts <- as.character(unlist(parts, use.names = FALSE))
  labels <- sort(unique(parts[nzchar(parts, keepNA = TRUE) %in% TRUE]), method = "radix")
  values <- matrix(0L, length(x), length(labels), dimnames = list(names(x), paste0(prefix, labels, recycle0 = TRUE)))
  columns <- match(parts, labels)
  values[cbind(rows, columns)[!is.na(columns), , drop = FALSE]] <- 1L
  values[unknown, ] <- NA
  values
}

# Labels as text. A number is the same word whatever its type and the other labels of the row.
set_words <- function(set) {
  words <- as.character(set)
  known <- if (is.double(set) && !is.object(set)) which(!is.na(set))
  words[known] <- number_text(set[known], sprintf("%.15g", set[known]))
  words
}

# The labels that each text lists; NA for a missing one.
listed_parts <- function(x, sep) {
  text <- clear_missing_words(trimws(enc2utf8(x), whitespace = "[\\h\\v]"))
  lists <- are_lists(text)
  if (lists) text <- substr(text, 2L, nchar(text) - 1L)
  parts <- split_parts(text, enc2utf8(sep %||% if (lists) "," else ";"), said = !lists || !is.null(sep))
  words <- as.character(unique(unlist(parts, use.names = FALSE)))
  plain <- unquoted(words)
  lapply(parts, \(part) plain[match(part, words)])
}

# What other programs write for a missing value becomes NA.
clear_missing_words <- function(text) {
  words <- intersect(text, c("NA", "None", "nan", "NaN", "null"))
  odd <- sum(text %in% words)
  if (odd > 0L) inform(c("i" = "{cli::qty(odd)}Value{?s} {.val {words}} {?is/are} read as missing, in {odd} row{?s}."))
  text[text %in% words] <- NA
  text
}

# A part in quotes, with escapes by backslashes.
quoted_part <- "(?:\"(?:[^\"\\\\]++|\\\\.)*+\"|'(?:[^'\\\\]++|\\\\.)*+')"

# Whether all values are lists in brackets or braces: [a, b], ["a", "b"] or {a,b}.
are_lists <- function(text) {
  text <- text[!is.na(text) & nzchar(text)]
  inside <- gsub(paste0("(?s)", quoted_part), "", text, perl = TRUE)
  length(text) > 0L && (all(grepl("^\\[[^][]*\\]$", inside)) || all(grepl("^\\{[^{}]*\\}$", inside)))
}

# The parts of each text between separators outside of quotes. `said`: whether a separator that never occurs is.
split_parts <- function(text, sep, said) {
  if (said && any(nzchar(text[!is.na(text)])) && !any(grepl(sep, text, fixed = TRUE))) {
    other <- list_separator(text)
    inform(c("!" = "{.arg sep} occurs in no value of {.arg x}: it is {.val {sep}}.",
      i = if (any(grepl(other, text, fixed = TRUE)))
        "{.val {other}} occurs: give {.code sep = \"{other}\"} if it separates."))
  }
  parts <- strsplit(text, sep, fixed = TRUE)
  at <- grep("[\"']", text)
  if (length(at) > 0L) {
    # A separator, as a pattern; a part begins after it, and ends before it.
    this <- gsub("([^[:alnum:][:space:]])", "\\\\\\1", sep)
    pattern <- paste0("(?s)(?:^|(?<=", this, "))(?:[\\h\\v]*+", quoted_part, "[\\h\\v]*+(?=", this, "|$)|(?:(?!", this,
      ").)*+)")
    parts[at] <- regmatches(text[at], gregexpr(pattern, text[at], perl = TRUE))
  }
  lapply(parts, trimws, whitespace = "[\\h\\v]")
}

# Parts without their quotes and escapes.
unquoted <- function(parts) {
  at <- grep(paste0("(?s)^", quoted_part, "$"), parts, perl = TRUE)
  inside <- substr(parts[at], 2L, nchar(parts[at]) - 1L)
  escapes <- gregexpr("(?s)(?:\\\\u[0-9A-Fa-f]{4})+|\\\\.", inside, perl = TRUE)
  regmatches(inside, escapes) <- lapply(regmatches(inside, escapes), vapply, unescaped, "", USE.NAMES = FALSE)
  parts[at] <- trimws(inside, whitespace = "[\\h\\v]")
  parts
}

unescaped <- function(escape) {
  codes <- strtoi(strsplit(escape, "\\u", fixed = TRUE)[[1L]][-1L], 16L)
  # Characters beyond 0xFFFF are pairs of codes.
  if (length(codes) > 0L) {
    text <- intToUtf8(codes, allow_surrogate_pairs = TRUE)
    return(if (is.na(text)) escape else text)
  }
  letter <- substring(escape, 2L)
  plain <- c(n = "\n", r = "\r", t = "\t", b = "\b", f = "\f")
  if (letter %in% names(plain)) plain[[letter]] else letter
}

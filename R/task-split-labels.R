#' Labels from lists in one column
#'
#' Turns values such as `"asthma; cough"` into a 0/1 column for each label, to be given to [mltask()] as `y`.
#'
#' Only whole parts count: `"asthma-severe"` does not have the label `"asthma"`. Spaces around a part are removed, and
#' parts without any other character are ignored, so `""` is a row without labels. Upper and lower case differ.
#'
#' @param x (character or factor) One list of labels for each row.
#' @param sep (string) What separates the labels, taken literally.
#'
#' @return An integer matrix with a row for each element of `x` and a column for each distinct part, sorted as in the C
#'   locale: 1 if the row has the label, else 0. A row is `NA` throughout where `x` is `NA`. Row names are the names of
#'   `x`.
#' @family tasks
#' @examples
#' visits <- data.frame(
#'   age = c(31, 8, 54, 47), codes = c("asthma; cough", "asthma-severe", "", "cough")
#' )
#' labels <- split_labels(visits$codes)
#' labels
#' mltask(visits["age"], labels)
#' @export
split_labels <- function(x, sep = ";") {
  if (is.factor(x)) x <- stats::setNames(as.character(x), names(x))
  if (is.logical(x) && all(is.na(x))) storage.mode(x) <- "character"
  if (!is.character(x) || !is.null(dim(x))) {
    abort(c("{.arg x} must be a character vector or a factor.", x = "It is {describe(x)}.",
      i = "Give one column of a data frame, such as {.code data$labels}."))
  }
  check_encoding(x)
  check_string(sep)
  parts <- lapply(strsplit(enc2utf8(x), enc2utf8(sep), fixed = TRUE), trimws, whitespace = "[\\h\\v]")
  rows <- rep.int(seq_along(x), lengths(parts))
  parts <- as.character(unlist(parts, use.names = FALSE))
  labels <- sort(unique(parts[!is.na(parts) & nzchar(parts)]), method = "radix")
  values <- matrix(0L, length(x), length(labels), dimnames = list(names(x), labels))
  columns <- match(parts, labels)
  values[cbind(rows, columns)[!is.na(columns), , drop = FALSE]] <- 1L
  values[is.na(x), ] <- NA
  values
}

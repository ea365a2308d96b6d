# Inputs of measures: labels, numbers and scores in any accepted form become an integer or a double matrix, checked
# once.

# The true targets; labels and numbers may be NA.
as_truth <- function(x, kind = "label") {
  if (inherits(x, "mltask")) {
    check_unweighted_task(x, "truth")
    x <- task_targets(x, kind)
  }
  as_target_values(x, "truth", kind)
}

# True or predicted targets of a kind.
as_target_values <- function(x, arg, kind) {
  switch(kind, label = as_labels(x, arg), numeric = as_numbers(x, arg), class = as_categories(x, arg))
}

as_labels <- function(x, arg) {
  x <- label_values(x, arg)
  check_not_empty(x, arg)
  bad <- cpp_first_not_label(x, arg == "truth")
  if (bad > 0) abort(c("{.arg {arg}} must hold labels, 0 or 1.",
    x = "It has {format(x[bad])} in {describe_cell(x, bad)}."))
  if (!is.integer(x)) storage.mode(x) <- "integer"
  x
}

# A plain matrix of numbers or logicals, whatever its original class.
label_values <- function(x, arg) {
  if (is.data.frame(x)) x <- frame_labels(x, arg)
  if (is_matrix_object(x)) x <- as.matrix(x)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) abort_value(x,
    "a matrix, data frame or sparse matrix of labels, 0 or 1", arg = arg)
  x
}

task_targets <- function(task, kind) {
  found <- task_kind(task)
  if (!identical(found, kind)) {
    word <- c(label = "labels", class = "categories", numeric = "numbers")[[kind]]
    abort(c("{.arg truth} must be a task whose targets are {word}.", x = "Its targets are of kind {.val {found}}."))
  }
  shown_targets(task$targets)
}

frame_labels <- function(x, arg) {
  columns <- lapply(x, function(column) {
    if (!is.factor(column) && !is.character(column)) return(column)
    found <- zero_one(column, value_codes(held_values(column), NA, arg))
    if (identical(is.na(found), is.na(column))) found else column
  })
  odd <- which(!vapply(columns, function(column) is.numeric(column) || is.logical(column), NA))
  if (length(odd)) abort(c("{.arg {arg}} must hold labels, 0 or 1.",
    x = "Column {.field {names(x)[odd[1L]]}} is {describe(x[[odd[1L]]])}."))
  matrix(unlist(columns, use.names = FALSE) %||% integer(), nrow(x), ncol(x), dimnames = list(NULL, names(x)))
}

as_scores <- function(x, arg) as_finite(x, arg, "a numeric matrix or a prediction with scores")

# Truth may have missing values, which measures skip, but no infinite ones.
as_numbers <- function(x, arg) {
  if (is_matrix_object(x)) x <- as.matrix(x)
  as_finite(x, arg, "a matrix or data frame of numbers", missing = arg == "truth")
}

as_finite <- function(x, arg, expected, missing = FALSE) {
  if (is.data.frame(x) && all(vapply(x, is.numeric, NA))) x <- as.matrix(x)
  if (!is.matrix(x) || !is.numeric(x)) abort_value(x, expected, arg = arg)
  check_not_empty(x, arg)
  if (!is.double(x)) storage.mode(x) <- "double"
  bad <- if (missing) which(is.infinite(x))[1L] else cpp_first_not_finite(x)
  if (bad %in% c(NA, 0)) return(x)
  abort(c("{.arg {arg}} must hold finite numbers.", x = "It has {format(x[bad])} in {describe_cell(x, bad)}."))
}

# A character matrix. A factor or a vector of text is a single target.
as_categories <- function(x, arg) {
  if (is.factor(x) || is.character(x) && is.null(dim(x))) x <- matrix(as.character(x), ncol = 1L)
  if (is.data.frame(x)) {
    columns <- lapply(x, as_text)
    x <- matrix(unlist(columns, use.names = FALSE) %||% character(), nrow(x), ncol(x), dimnames = list(NULL, names(x)))
  }
  if (!is.matrix(x)) abort_value(x, "a matrix or data frame of categories", arg = arg)
  check_not_empty(x, arg)
  if (!is.character(x)) x[] <- as_text(x)
  missing <- which(is.na(x))[1L]
  if (is.na(missing)) return(x)
  abort(c("{.arg {arg}} must not have missing categories.", x = "There is one in {describe_cell(x, missing)}."))
}

describe_cell <- function(x, position) {
  column <- (position - 1) %/% nrow(x) + 1
  name <- if (is.null(colnames(x))) column else encodeString(colnames(x)[column], quote = "\"")
  paste0("row ", (position - 1) %% nrow(x) + 1, " of column ", name)
}

check_not_empty <- function(x, arg) {
  if (nrow(x) > 0L && ncol(x) > 0L) return(invisible())
  abort(c("{.arg {arg}} must have at least one row and one target.", x = "It is {describe(x)}."))
}

check_same_shape <- function(truth, other, arg) {
  if (!identical(dim(truth), dim(other))) {
    size <- function(x) paste(dim(x), collapse = " x ")
    abort(c("{.arg truth} and {.arg {arg}} must have the same rows and targets.",
      x = "{.arg truth} is {size(truth)}, {.arg {arg}} is {size(other)}."))
  }
  here <- colnames(truth)
  there <- colnames(other)
  if (is.null(here) || is.null(there) || identical(here, there)) return(invisible())
  odd <- which(here != there)[1L]
  abort(c("{.arg truth} and {.arg {arg}} must have the same targets in the same order.",
    x = "Column {odd} is {.field {here[odd]}} in {.arg truth} and {.field {there[odd]}} in {.arg {arg}}.",
    i = if (setequal(here, there)) "Put the columns in one order: {.code {arg}[, colnames(truth)]}."))
}

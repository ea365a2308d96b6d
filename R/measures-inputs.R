# What measures take: labels (truth, response) and scores in any of their forms become an integer and a double matrix,
# checked once.

# `truth` and `response`, or `truth` and `score`, as matrices that agree.
label_pair <- function(truth, response, call) {
  truth <- as_truth(truth, call)
  if (inherits(response, "mlprediction")) response <- response$response
  response <- as_labels(response, "response", call)
  check_same_shape(truth, response, "response", call)
  list(truth = truth, response = response)
}

score_pair <- function(truth, score, call) {
  truth <- as_truth(truth, call)
  if (inherits(score, "mlprediction")) score <- score$score
  score <- as_scores(score, "score", call)
  check_same_shape(truth, score, "score", call)
  list(truth = truth, score = score)
}

as_truth <- function(x, call) {
  if (inherits(x, "mltask")) x <- task_labels(x, call)
  as_labels(x, "truth", call)
}

as_labels <- function(x, arg, call) {
  x <- label_values(x, arg, call)
  check_not_empty(x, arg, call)
  bad <- cpp_first_not_label(x)
  if (bad > 0) {
    found <- format(x[bad])
    at <- describe_cell(x, bad)
    abort(c("{.arg {arg}} must hold labels, 0 or 1.", x = "It has {found} in {at}."), call = call)
  }
  if (!is.integer(x)) storage.mode(x) <- "integer"
  x
}

# A plain matrix of numbers or logicals, whatever held them.
label_values <- function(x, arg, call) {
  if (is.data.frame(x)) x <- frame_labels(x, arg, call)
  if (methods::is(x, "Matrix")) x <- as.matrix(x)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    found <- describe(x)
    abort(c("{.arg {arg}} must be a matrix, data frame or sparse matrix of labels, 0 or 1.", x = "It is {found}."),
          call = call)
  }
  x
}

task_labels <- function(task, call) {
  kind <- unique(task$kind)
  if (!identical(kind, "label")) {
    abort(c("{.arg truth} must be a task whose targets are labels.", x = "Its targets are of kind {.val {kind}}."),
          call = call)
  }
  task$y
}

frame_labels <- function(x, arg, call) {
  columns <- lapply(x, function(column) {
    codes <- if (is.factor(column)) c("0" = 0L, "1" = 1L, "FALSE" = 0L, "TRUE" = 1L)[levels(column)]
    if (is.null(codes) || anyNA(codes)) column else codes[as.integer(column)]
  })
  odd <- which(!vapply(columns, function(column) is.numeric(column) || is.logical(column), NA))
  if (length(odd)) {
    column <- names(x)[odd[1L]]
    found <- describe(x[[odd[1L]]])
    abort(c("{.arg {arg}} must hold labels, 0 or 1.", x = "Column {.field {column}} is {found}."), call = call)
  }
  matrix(unlist(columns, use.names = FALSE) %||% integer(), nrow(x), ncol(x), dimnames = list(NULL, names(x)))
}

as_scores <- function(x, arg, call) {
  if (is.data.frame(x) && all(vapply(x, is.numeric, NA))) x <- as.matrix(x)
  if (!is.matrix(x) || !is.numeric(x)) {
    found <- describe(x)
    abort(c("{.arg {arg}} must be a numeric matrix or a prediction with scores.", x = "It is {found}."), call = call)
  }
  check_not_empty(x, arg, call)
  if (!is.double(x)) storage.mode(x) <- "double"
  bad <- cpp_first_not_finite(x)
  if (bad > 0) {
    found <- format(x[bad])
    at <- describe_cell(x, bad)
    abort(c("{.arg {arg}} must hold finite numbers.", x = "It has {found} in {at}."), call = call)
  }
  x
}

describe_cell <- function(x, position) {
  column <- (position - 1) %/% nrow(x) + 1
  name <- if (is.null(colnames(x))) column else encodeString(colnames(x)[column], quote = "\"")
  paste0("row ", (position - 1) %% nrow(x) + 1, " of column ", name)
}

check_not_empty <- function(x, arg, call) {
  if (nrow(x) > 0L && ncol(x) > 0L) return(invisible())
  found <- describe(x)
  abort(c("{.arg {arg}} must have at least one row and one label.", x = "It is {found}."), call = call)
}

check_same_shape <- function(truth, other, arg, call) {
  if (!identical(dim(truth), dim(other))) {
    size <- function(x) paste(dim(x), collapse = " x ")
    abort(c("{.arg truth} and {.arg {arg}} must have the same rows and labels.",
            x = "{.arg truth} is {size(truth)}, {.arg {arg}} is {size(other)}."), call = call)
  }
  here <- colnames(truth)
  there <- colnames(other)
  if (is.null(here) || is.null(there) || identical(here, there)) return(invisible())
  odd <- which(here != there)[1L]
  abort(c("{.arg truth} and {.arg {arg}} must have the same labels in the same order.",
          x = "Column {odd} is {.field {here[odd]}} in {.arg truth} and {.field {there[odd]}} in {.arg {arg}}.",
          i = if (setequal(here, there)) "Put the columns in one order: {.code {arg}[, colnames(truth)]}."), call = call)
}

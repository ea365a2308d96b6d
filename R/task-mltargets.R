# The targets of a task: their values and everything that follows from them. A property of targets is a field and a
# method here; the rest of the package carries the object whole.

# values   an integer 0/1 matrix, an ngCMatrix or a dgCMatrix of ones (labels), a data frame of factors (classes), or a
#          double matrix (numbers), with column names. Unknown cells are 0
# kind     of all targets: "label", "class" or "numeric"
# unknown  the unknown cells as an ngCMatrix, or NULL
# frame    whether the user gave a data frame
new_mltargets <- function(values, kind, unknown = NULL, frame = FALSE) {
  structure(list(values = values, kind = kind, unknown = unknown, frame = frame), class = "mltargets")
}

#' @export
dim.mltargets <- function(x) dim(x$values)

#' @export
dimnames.mltargets <- function(x) list(NULL, colnames(x$values))

#' @export
`[.mltargets` <- function(x, i, j) {
  if (!missing(i)) {
    x$values <- x$values[i, , drop = FALSE]
    x["unknown"] <- list(keep_unknown(x$unknown, rows = i))
  }
  if (!missing(j)) {
    x$values <- x$values[, j, drop = FALSE]
    x["unknown"] <- list(keep_unknown(x$unknown, columns = j))
  }
  x
}

# The targets as a user sees them, NA where they are unknown.
shown_targets <- function(targets) with_unknown(targets$values, targets$unknown)

target_word <- function(kind) c(label = "label", class = "class target", numeric = "numeric target")[[kind]]

# --- what is known of each target -----------------------------------------------------------------------------------

# The number of rows in which each target is known, or their weight.
known_rows <- function(targets, weights = NULL) {
  all <- if (is.null(weights)) nrow(targets) else sum(as.double(weights))
  unknown <- targets$unknown
  if (is.null(unknown)) return(rep(all, ncol(targets)))
  all - if (is.null(weights)) diff(unknown@p) else as.vector(Matrix::crossprod(unknown, as.double(weights)))
}

# The number of rows that have each label, or their weight.
rows_with <- function(targets, weights = NULL) {
  if (is.null(weights)) return(Matrix::colSums(targets$values))
  as.vector(Matrix::crossprod(targets$values, as.double(weights)))
}

# The number of labels that some row has, or of other targets.
n_occurring <- function(targets) if (targets$kind == "label") sum(rows_with(targets) > 0) else ncol(targets)

# The positions of the targets that vary on the rows in which they are known: those that take part in a selection.
varying <- function(targets) {
  if (targets$kind == "label") {
    on <- rows_with(targets)
    return(unname(which(on > 0 & on < known_rows(targets))))
  }
  unname(which(vapply(known_values(targets), function(values) length(unique(values)) > 1L, NA)))
}

# The known values of each target.
known_values <- function(targets) {
  values <- unname(target_columns(targets$values))
  if (is.null(targets$unknown)) return(values)
  Map(function(values, rows) if (length(rows) > 0L) values[-rows] else values, values, unknown_rows(targets$unknown))
}

# --- as the core takes them -----------------------------------------------------------------------------------------

# Classes as an integer matrix of codes, partly unknown targets as list(values, unknown), others as they are.
coded <- function(targets) {
  if (!is.null(targets$unknown)) return(unclass(targets)[c("values", "unknown")])
  if (targets$kind != "class") return(targets$values)
  codes <- vapply(targets$values, as.integer, integer(nrow(targets)))
  dim(codes) <- dim(targets)
  codes
}

# The true values that predictions are compared with: labels as a dense matrix, NA where they are unknown.
target_matrix <- function(targets) {
  with_unknown(if (targets$kind == "label") label_matrix(targets) else targets$values, targets$unknown)
}

# The labels as a dense integer 0/1 matrix.
label_matrix <- function(targets) {
  if (!is_sparse(targets$values)) return(targets$values)
  values <- as.matrix(targets$values)
  storage.mode(values) <- "integer"
  values
}

# The rows (from 0) of each label or category, one after the other: list(start, row); NULL for numbers.
label_columns <- function(targets) {
  y <- targets$values
  switch(targets$kind,
    label = if (is_sparse(y)) list(start = y@p, row = y@i) else cpp_one_columns(y),
    class = {
      counts <- unlist(lapply(y, function(target) tabulate(target, nlevels(target))))
      list(start = c(0L, cumsum(counts)), row = unlist(lapply(y, order), use.names = FALSE) - 1L)
    }
  )
}

# The label set of each row, or the combination of its classes, as a number from 1.
label_set_numbers <- function(targets) {
  if (targets$kind == "label") return(cpp_label_set_ids(targets$values))
  number <- 1
  for (codes in lapply(targets$values, as.integer)) {
    pair <- (number - 1) * max(codes) + codes
    number <- match(pair, sort(unique(pair)))
  }
  number
}

# --- other targets of the same rows -----------------------------------------------------------------------------------

# The categories of each class target that occur, in level order.
seen_categories <- function(targets) {
  lapply(as.list(targets$values), function(y) levels(y)[tabulate(y, nlevels(y)) > 0L])
}

# One label for each category of each class target. Other targets stay as they are.
category_labels <- function(targets) {
  if (targets$kind != "class") return(targets)
  categories <- seen_categories(targets)
  parts <- Map(function(y, found) indicator_columns(match(y, found), length(found)), targets$values, categories)
  y <- do.call(cbind, unname(parts))
  colnames(y) <- paste(rep(names(categories), lengths(categories)), unlist(categories), sep = " = ")
  new_mltargets(y, "label")
}

# --- the same at other places ---------------------------------------------------------------------------------------

#' @exportS3Method
plain_data.mltargets <- function(x) {
  kind <- stats::setNames(rep(x$kind, ncol(x)), colnames(x))
  list(y = plain_data(x$values), kind = plain_data(kind),
    unknown = if (!is.null(x$unknown)) unknown_cells(x$unknown))
}

# Checks of chunks: features, targets and what is known of rows.

check_chunk <- function(chunk, source, seen) {
  parts <- chunk_parts(chunk, source, seen)
  if (!inherits(chunk, "mltask")) {
    parts$x <- as_features(clear_cells(parts$x, source$na), "x", source$features[source$discrete %in% TRUE])
    parts$y <- plain_targets(clear_cells(parts$y, source$na))
  }
  parts$x <- chunk_columns(parts$x, source$features, "feature")
  parts <- take_targets(parts, source, seen)
  if (nrow(parts$x) != nrow(parts$y)) abort(c("Features and targets of a chunk must have the same number of rows.",
    x = "There are {nrow(parts$x)} and {nrow(parts$y)}."))
  check_chunk_levels(parts$x, seen)
  parts
}

# Unchecked list(x, y, unknown) and fields of rows; only tasks have `unknown`. `seen`: NULL if the kind is not known
# yet.
chunk_parts <- function(chunk, source, seen) {
  parts <- take_row_columns(chunk_sides(chunk, source, seen), source)
  out <- colnames(parts$x) %in% source$exclude
  if (any(out)) parts$x <- parts$x[, !out, drop = FALSE]
  parts
}

chunk_sides <- function(chunk, source, seen) {
  if (inherits(chunk, "mltask")) {
    kind <- check_source_kind(task_kind(chunk))
    check_mltask(chunk, "chunk")
    if (!is.null(seen) && kind != seen$kind) abort(c("All chunks must have targets of one kind.",
      x = "They are of kind {.val {seen$kind}} and {.val {kind}}."))
    return(c(list(x = chunk$x, y = chunk$targets$values, unknown = chunk$targets$unknown), unclass(chunk$rows)))
  }
  if (is.list(chunk) && !is.data.frame(chunk) && all(c("x", "y") %in% names(chunk))) {
    return(c(list(x = chunk$x, y = chunk$y), chunk[intersect(names(row_fields), names(chunk))]))
  }
  if (length(dim(chunk)) != 2L) abort(c("A chunk must be {.code list(x = , y = )}, a task, a matrix or a data frame.",
    x = "It is {describe(chunk)}."))
  side <- function(columns) chunk[, columns, drop = FALSE]
  list(x = side(setdiff(colnames(chunk), source$targets)), y = side(intersect(colnames(chunk), source$targets)))
}

# Targets as the core takes them, in the order of the source, and which of their cells are unknown.
take_targets <- function(parts, source, seen) {
  at <- column_order(parts$y, source$targets, if (seen$kind == "class") "target" else "label")
  if (!is.null(at)) {
    parts$y <- parts$y[, at, drop = FALSE]
    parts$unknown <- keep_unknown(parts$unknown, columns = at)
  }
  if (!"unknown" %in% names(parts)) parts[c("y", "unknown")] <- code_targets(parts$y, seen)
  if (seen$kind == "class") parts$y <- class_pattern(parts$y, seen$classes)
  parts
}

# A pattern with a column for each class of each target. `y`: factors.
class_pattern <- function(y, classes) {
  codes <- Map(function(column, classes) match(levels(column), classes)[column], y, classes)
  wrong <- which(vapply(codes, anyNA, NA))[1L]
  if (!is.na(wrong)) {
    value <- as.character(y[[wrong]])[is.na(codes[[wrong]])][1L]
    abort(c("A class target must have the same classes in every chunk.",
      x = "{.val {value}} is no class of {.val {names(classes)[wrong]}}, which has {.val {classes[[wrong]]}}.",
      i = "Name all classes in {.arg classes}, or give a {.code factor(levels = )}."))
  }
  before <- cumsum(c(0L, lengths(classes)))
  n <- length(codes[[1L]])
  columns <- unlist(Map(`+`, codes, before[seq_along(classes)]), use.names = FALSE)
  pattern_of(rep.int(seq_len(n), length(codes)), columns, c(n, before[length(before)]))
}

# The columns in the order of the source.
chunk_columns <- function(x, names, what) {
  at <- column_order(x, names, what)
  if (is.null(at)) x else x[, at, drop = FALSE]
}

# The positions of the columns of the source, NULL if they are in its order.
column_order <- function(x, names, what) {
  if (identical(colnames(x), names)) return(NULL)
  at <- match(names, colnames(x))
  if (anyNA(at)) {
    abort(c("A chunk must have all {what}s of the source.", x = "There is no column {.val {names[is.na(at)][1]}}."))
  }
  if (ncol(x) > length(names)) {
    more <- setdiff(colnames(x), names)
    abort(c("A chunk must have the {what}s of the source only.", x = "It also has column {.val {more[1]}}."))
  }
  at
}

# Checks that factor codes mean the same in every chunk.
check_chunk_levels <- function(x, seen) {
  if (!is.data.frame(x)) return(invisible())
  levels <- lapply(x, levels)
  if (is.null(seen$levels)) seen$levels <- levels
  other <- which(!mapply(identical, levels, seen$levels))
  if (length(other) == 0L) return(invisible())
  abort(c("A factor must have the same levels in every chunk.",
    x = "Those of {.val {names(x)[other[1]]}} differ from the first chunk.",
    i = "Make it with {.code factor(levels = )}."))
}

# Moves the columns that hold what is known of rows out of the features.
take_row_columns <- function(parts, source) {
  at <- match(source$columns, colnames(parts$x))
  for (i in seq_along(at)) {
    field <- names(source$columns)[i]
    if (!is.na(at[i])) {
      parts[[field]] <- column_values(parts$x, at[i])
    } else if (is.null(parts[[field]]) && field %in% names(chunk_fields)) {
      abort(c("{.arg {field}} must name a column of every chunk.",
        x = "There is no column {.val {source$columns[[i]]}}."))
    }
  }
  if (!all(is.na(at))) parts$x <- parts$x[, -at[!is.na(at)], drop = FALSE]
  parts
}

# Checks what a chunk says of its rows: the fields of `seen$given`.
check_chunk_fields <- function(chunk, seen) {
  for (field in names(seen$given)) {
    given <- !is.null(chunk[[field]])
    if (is.na(seen$given[[field]])) seen$given[[field]] <- given
    if (given != seen$given[[field]]) {
      what <- row_words[[field]]
      here <- if (given) what else "none"
      abort(c("All chunks must have {what}, or none.", x = "This one has {here}."))
    }
    if (given) chunk[[field]] <- chunk_fields[[field]](chunk[[field]], nrow(chunk$x))
  }
  chunk
}

chunk_rows <- function(chunk, rows) {
  list(
    x = chunk$x[rows, , drop = FALSE], y = chunk$y[rows, , drop = FALSE], unknown = keep_unknown(chunk$unknown, rows),
    weights = chunk$weights[rows], group = chunk$group[rows], row = chunk$row[rows]
  )
}

# Sums of weights must be exact in any order of chunks, so sources only accept whole numbers.
check_chunk_weights <- function(weights, n) {
  if (!is_numbers(weights, n)) abort_value(weights, "one number for each of the {n} row{?s} of a chunk")
  weights <- as.double(weights)
  row <- which(!are_whole(weights, Inf) | weights < 0)[1L]
  if (!is.na(row)) {
    whole <- is.finite(weights[row]) && weights[row] >= 0
    abort(c("{.arg weights} of sources and tables of counts must be whole numbers of 0 or more.",
      x = "That of row {row} of a chunk is {weights[row]}.",
      i = if (whole) "Multiply all weights by a number and round them, or select from a task."))
  }
  if (sum(weights) > .Machine$integer.max) {
    abort(c("The {.arg weights} of a chunk must have a sum of at most {format_count(.Machine$integer.max)}.",
      x = "It is {format_count(sum(weights))}.", i = "Make chunks of fewer rows, or divide all weights by a number."))
  }
  as.integer(weights)
}

# What a source uses of rows, with the check of each field in a chunk. Levels of groups may differ between chunks.
chunk_fields <- list(
  weights = check_chunk_weights,
  group = function(values, n) as_text(check_row_values(values, n, "group"))
)

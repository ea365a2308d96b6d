# Passes over a source.

# What is known between passes: the number of all rows and of those that count; factor levels and which features are
# integers; the kind of targets and their classes; whether rows have weights and labels may be unknown; how to end the
# open pass, and all passes. `opened`: a pass that has begun but not returned anything yet.
new_seen <- function(source, call) {
  end <- if (!is.null(source$begin)) source$begin(call)
  list2env(list(
    rows = source$n_rows, counted = NA, levels = NULL, integers = NULL, known = FALSE, kind = source$kind,
    classes = source$classes, weighted = source$weighted, unknown = FALSE, close = NULL, end = end, opened = NULL
  ))
}

end_pass <- function(seen) {
  close <- seen$close
  seen$close <- NULL
  seen$opened <- NULL
  if (!is.null(close)) close()
}

end_passes <- function(seen) {
  end_pass(seen)
  if (!is.null(seen$end)) seen$end()
}

# A pass over checked chunks, list(x, y, weights, unknown, fold), as the core takes them. `y`: integers 0 and 1 or a
# pattern, with a column for each label, or for each class of each target. `weights`: whole numbers above 0, or NULL.
# `unknown`: the cells of unknown labels, an ngCMatrix, or NULL. `folds`: of all rows, or NULL if they come with the
# chunks.
open_pass <- function(source, seen, call, folds = NULL) {
  next_chunk <- seen$opened %||% begin_pass(source, seen, call)
  seen$opened <- NULL
  pass <- list2env(list(rows = 0, counted = 0))
  function() {
    while (!is.null(chunk <- next_chunk())) {
      chunk <- tell_chunk(pass$rows, if (source$checked) take_weight_column(chunk, source, call)
      else check_chunk(chunk, source, seen, call))
      see_integers(chunk$x, seen)
      rows <- nrow(chunk$x)
      if (!is.null(folds)) chunk$fold <- folds[pass$rows + seq_len(rows)]
      chunk <- tell_chunk(pass$rows, keep_weighted_rows(chunk, seen, call))
      if (!is.null(chunk$unknown)) see_unknown(next_chunk, source, seen, call)
      pass$rows <- pass$rows + rows
      pass$counted <- pass$counted + nrow(chunk$x)
      if (nrow(chunk$x) > 0L) return(chunk)
    }
    end_pass(seen)
    check_source_rows(pass, source, seen, call)
    NULL
  }
}

# Errors say where the chunk begins, after so many rows.
tell_chunk <- function(rows, code) {
  catch_error(code, function(e) {
    if (rows > 0) e$body <- c(e$body, i = paste0("The chunk begins with row ", format_count(rows + 1), "."))
    stop(e)
  })
}

# The core must know at the beginning of a pass whether labels are unknown in some rows. If this is found during the
# first pass, that pass starts again. `next_chunk`: the rest of it.
see_unknown <- function(next_chunk, source, seen, call) {
  if (seen$unknown) return(invisible())
  if (seen$known) abort("A source must have the same unknown labels in every pass.", call = call)
  seen$unknown <- TRUE
  if (!source$rewinds) while (!is.null(next_chunk())) NULL
  rlang::abort("Unknown labels.", class = "mlsift_unknown_found")
}

# A pass over unchecked chunks.
begin_pass <- function(source, seen, call) {
  end_pass(seen)
  next_chunk <- source$open(call)
  seen$close <- attr(next_chunk, "close")
  next_chunk
}

# Finds the kind of targets from the first chunk if the source does not give it, and the classes, which for text takes
# all chunks.
agree_on_targets <- function(source, seen, call) {
  if (!is.null(seen$kind)) return(invisible())
  next_chunk <- begin_pass(source, seen, call)
  first <- next_chunk()
  seen$kind <- if (!is.null(first)) chunk_kind(first, source, call) else "label"
  if (seen$kind == "class") {
    y <- chunk_parts(first, source, seen, call)$y
    if (!all(vapply(target_columns(y), is.factor, NA))) {
      seen$classes <- find_classes(first, next_chunk, source, seen, call)
      return(end_pass(seen))
    }
    seen$classes <- lapply(class_columns(y, source, call), levels)
  }
  # The first pass begins with the chunk that was inspected.
  seen$opened <- function() {
    chunk <- first %||% next_chunk()
    first <<- NULL
    chunk
  }
}

# The classes of each target in all chunks, as factor() sorts them.
find_classes <- function(chunk, next_chunk, source, seen, call) {
  found <- stats::setNames(vector("list", length(source$targets)), source$targets)
  while (!is.null(chunk)) {
    columns <- class_columns(chunk_parts(chunk, source, seen, call)$y, source, call)
    found <- Map(function(classes, column) union(classes, levels(column)), found, columns)
    chunk <- next_chunk()
  }
  lapply(found, sort)
}

# Whether the targets of a chunk are labels or classes. Text and factors are classes unless all of them are written in a
# label code, such as "no" and "yes".
chunk_kind <- function(chunk, source, call) {
  if (inherits(chunk, "mltask")) return(check_source_kind(task_kind(chunk), call))
  columns <- target_columns(chunk_parts(chunk, source, NULL, call)$y)
  texts <- vapply(columns, function(column) is.factor(column) || is.character(column), NA)
  if (!any(texts)) return("label")
  coded <- vapply(columns[texts], function(column) {
    !is.null(label_code(if (is.factor(column)) levels(column) else column[!is.na(column)], called = TRUE))
  }, NA)
  if (all(coded)) "label" else "class"
}

check_source_kind <- function(kind, call) {
  if (kind != "numeric") return(kind)
  abort(c("A source must have labels or classes.", x = "The targets are of kind {.val {kind}}."), call = call)
}

# Tracks which features are integers in all chunks: their number of values decides whether they are discrete.
see_integers <- function(x, seen) {
  now <- integer_columns(x)
  seen$integers <- if (is.null(seen$integers)) now else seen$integers & now
}

check_source_rows <- function(pass, source, seen, call) {
  rows <- pass$rows
  if (!is.na(seen$rows) && rows != seen$rows) {
    before <- format_count(seen$rows)
    said <- if (seen$known) "The pass before it gave {before}." else "{.arg n_rows} is {before}."
    abort(c("A pass over the source gave {format_count(rows)} rows.", x = said,
      i = "Every pass must give the same rows."), call = call)
  }
  if (rows == 0) abort("The source has no rows.", call = call)
  if (pass$counted == 0) abort("{.arg weights} must not all be 0.", call = call)
  seen$rows <- rows
  seen$counted <- pass$counted
  seen$known <- TRUE
}

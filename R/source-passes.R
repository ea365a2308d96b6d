# Passes over a source.

# What is known between passes: the number of all rows and of those that count; factor levels; the kind of targets,
# their classes, and codes of labels; what is given of rows; whether labels may be unknown; how to refuse what is seen;
# how to end the open pass, and all passes. `opened`: a pass that has begun but not returned anything yet.
new_seen <- function(source) {
  end <- if (!is.null(source$begin)) source$begin()
  list2env(list(
    rows = source$n_rows, counted = NA, levels = NULL, known = FALSE, kind = source$kind,
    classes = source$classes, codes = source$codes, given = source$given, unknown = FALSE, check = NULL,
    close = NULL, end = end, opened = NULL
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

# A pass over checked chunks, list(x, y, unknown, weights, group, row), as the core takes them. `y`: integers 0 and 1
# or a pattern, with a column for each label, or for each class of each target. `unknown`: the cells of unknown labels,
# an ngCMatrix, or NULL. `weights`: whole numbers above 0, or NULL. `group`: text, or NULL. `row`: the number of each
# row in the source. `folds`: of all rows, in place of groups, or NULL.
open_pass <- function(source, seen, folds = NULL) {
  next_chunk <- seen$opened %||% begin_pass(source, seen)
  seen$opened <- NULL
  pass <- list2env(list(rows = 0, counted = 0))
  function() {
    while (!is.null(chunk <- next_chunk())) {
      chunk <- tell_chunk(pass$rows, if (source$checked) take_row_columns(chunk, source)
      else check_chunk(chunk, source, seen))
      if (is.null(seen$levels) && is.data.frame(chunk$x)) seen$levels <- lapply(chunk$x, levels)
      rows <- nrow(chunk$x)
      chunk <- tell_chunk(pass$rows, check_chunk_fields(chunk, seen))
      chunk$row <- if (rows > 0L) (pass$rows + 1):(pass$rows + rows)
      if (!is.null(folds)) chunk$group <- folds[chunk$row]
      if (any(chunk$weights == 0L)) chunk <- chunk_rows(chunk, which(chunk$weights > 0L))
      if (!is.null(seen$check)) seen$check()
      if (!is.null(chunk$unknown)) see_unknown(next_chunk, source, seen)
      pass$rows <- pass$rows + rows
      pass$counted <- pass$counted + nrow(chunk$x)
      if (nrow(chunk$x) > 0L) return(chunk)
    }
    end_pass(seen)
    check_source_rows(pass, source, seen)
    NULL
  }
}

# Errors say where the chunk begins, after so many rows.
tell_chunk <- function(rows, code) {
  catch_error(code, function(e) {
    if (rows > 0) e$message <- paste0(e$message, "\n",
      rlang::format_error_bullets(c(i = paste0("The chunk begins with row ", format_count(rows + 1), "."))))
    stop(e)
  })
}

# The core must know at the beginning of a pass whether labels are unknown in some rows. If this is found during the
# first pass, that pass starts again. `next_chunk`: the rest of it.
see_unknown <- function(next_chunk, source, seen) {
  if (seen$unknown) return(invisible())
  if (seen$known) abort("A source must have the same unknown labels in every pass.")
  seen$unknown <- TRUE
  if (!is.null(seen$check)) seen$check()
  if (!source$rewinds) while (!is.null(next_chunk())) NULL
  rlang::abort("Unknown labels.", class = "mlsift_unknown_found")
}

# A pass over unchecked chunks.
begin_pass <- function(source, seen) {
  end_pass(seen)
  next_chunk <- source$open()
  seen$close <- attr(next_chunk, "close")
  next_chunk
}

# Finds the kind of targets, and their classes or codes, if the source does not give them: from the first chunk if it
# leaves no doubt, otherwise from all chunks.
agree_on_targets <- function(source, seen) {
  if (!is.null(seen$codes) || !is.null(seen$classes)) return(invisible())
  next_chunk <- begin_pass(source, seen)
  first <- next_chunk()
  if (is.null(first)) seen$kind <- "label"
  else if (inherits(first, "mltask")) see_task(first, source, seen)
  else if (!see_targets(first, next_chunk, source, seen)) return(end_pass(seen))
  # The first pass begins with the chunk that was inspected.
  seen$opened <- function() {
    chunk <- first %||% next_chunk()
    first <<- NULL
    chunk
  }
}

see_task <- function(task, source, seen) {
  seen$kind <- check_source_kind(task_kind(task))
  if (!is.null(source$on) || !identical(source$kind %||% seen$kind, seen$kind)) {
    abort(c("{.arg kind} and {.arg on} do not apply to chunks that are tasks.",
      x = "The targets of the first one are of kind {.val {seen$kind}}."))
  }
  if (seen$kind == "class") seen$classes <- lapply(task$targets$values, levels) else seen$codes <- list()
}

# Whether the first chunk was enough.
see_targets <- function(chunk, next_chunk, source, seen) {
  y <- source_targets(chunk, source)
  if (holds_zero_one(y) && !identical(source$kind, "class")) {
    settle_targets(NULL, source, seen)
    return(TRUE)
  }
  columns <- target_columns(y)
  certain <- all(vapply(columns, shows_its_kind, NA, source$kind))
  ordered <- vapply(columns, is.factor, NA)
  held <- function(columns) lapply(columns, held_values, all = identical(source$kind, "class"))
  values <- held(columns)
  while (!certain && !is.null(chunk <- next_chunk())) {
    values <- Map(union, values, held(target_columns(source_targets(chunk, source))))
  }
  values[!ordered] <- lapply(values[!ordered], sort)
  settle_targets(values, source, seen)
  certain
}

settle_targets <- function(values, source, seen) {
  decision <- inform_once(decide_targets(values, source$targets, source$kind, source$on))
  seen$kind <- check_source_kind(decision$kind, source$targets[1L])
  if (seen$kind == "class") seen$classes <- stats::setNames(lapply(values, as_text), source$targets)
  else seen$codes <- decision$codes %||% list()
}

# Whether a column is what it is whatever other chunks hold: with declared levels, logical, 0 and 1, or many numbers.
shows_its_kind <- function(column, kind) {
  if (is.factor(column) || is.logical(column)) return(TRUE)
  is.numeric(column) && !identical(kind, "class") &&
    (all(column %in% c(0, 1, NA)) || is.null(kind) && length(held_values(column)) > 2L)
}

# A source with what its targets are. `shown`: columns of targets in the first rows, or with their declared levels.
settled_source <- function(source, shown = NULL) {
  seen <- new_seen(source)
  on.exit(end_passes(seen))
  certain <- !is.null(shown) && all(vapply(shown, shows_its_kind, NA, source$kind))
  if (certain) settle_targets(lapply(shown, held_values), source, seen) else agree_on_targets(source, seen)
  source[c("kind", "classes", "codes")] <- list(seen$kind, seen$classes, seen$codes)
  source
}

# The targets of a chunk in the order of the source.
source_targets <- function(chunk, source) {
  chunk_columns(plain_targets(chunk_parts(chunk, source, NULL)$y), source$targets, "target")
}

check_source_kind <- function(kind, target = NULL) {
  if (kind != "numeric") return(kind)
  abort(c("A source must have labels or classes.",
    x = if (is.null(target)) "The targets are of kind {.val {kind}}." else "{.val {target}} is of kind {.val {kind}}.",
    i = "Make classes of numbers first, or give {.arg kind}."))
}

abort_no_weight <- function() abort("{.arg weights} must not all be 0.")

check_source_rows <- function(pass, source, seen) {
  rows <- pass$rows
  if (!is.na(seen$rows) && rows != seen$rows) {
    before <- format_count(seen$rows)
    said <- if (seen$known) "The pass before it gave {before}." else "{.arg n_rows} is {before}."
    abort(c("A pass over the source gave {format_count(rows)} rows.", x = said,
      i = "Every pass must give the same rows."))
  }
  if (rows == 0) abort("The source has no rows.")
  if (pass$counted == 0 && !isTRUE(seen$in_part)) abort_no_weight()
  seen$rows <- rows
  seen$counted <- pass$counted
  seen$known <- TRUE
}

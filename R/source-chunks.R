#' Rows that do not fit in memory
#'
#' A source gives rows in chunks. [sift_features()] and [count_tables()] take it in place of a task, and keep only
#' tables of counts and one chunk in memory.
#'
#' @section Which selectors work on a source:
#' Those whose needs add up over chunks:
#' * [sel_mim()], [sel_ebls()] and [sel_br_or()] need one pass over the rows;
#' * the greedy selectors [sel_ami()], [sel_scls()], [sel_d2f()], [sel_mdmr()], [sel_mrmr()], [sel_jmim()],
#'   [sel_cmim()], [sel_njmim()], [sel_disr()], [sel_single_jmi()], [sel_jim()], and [sel_greedy()] without
#'   `label_interaction`, need one more pass for each selected feature. [extend_selection()] continues them without
#'   making these passes again.
#'
#' Their results are those of a task with the same rows, to the last bit, whatever the size and order of the chunks.
#' Other selectors give an error that says what they need.
#'
#' One more pass is needed if some feature has other values than 0 and 1. Which features are discrete is decided from
#' all rows, by the rule of [mltask()]. The others are discretized. [disc_auto()], [disc_equal_width()] and
#' [disc_presence()] are fitted in the first pass, and a discretizer that was fitted to a task before can be given as
#' well. [disc_equal_frequency()], [disc_mdlp()] and [disc_laim()] need sorted values, which do not add up.
#'
#' Targets must be labels. Greedy selectors count at most 2,147,483,647 rows, the others up to 2^53.
#'
#' @param next_chunk A function that gives the next chunk: a `list(x = , y = )` of features and labels as [mltask()]
#'   takes them, a task, or a matrix or data frame with all columns. `NULL` ends a pass. If it has an argument, it is
#'   called with the number of the chunk, from 1. If it has none, it must begin again after each `NULL`.
#' @param features,targets Names of features and labels. Every chunk must have them, in any order.
#' @param n_rows The number of rows, if it is known. A pass with another number gives an error.
#' @param discrete A named logical vector that says otherwise for some features, as in [mltask()].
#' @return An object of class `mlsource`. [feature_names()] and [target_names()] give its names.
#'
#'   Errors have the class `mlsift_error`. They occur if a chunk lacks a column, has missing labels, or has other levels
#'   of a factor than the first chunk, and if a pass gives other rows than the pass before it.
#' @family sources
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(300, n_features = 8, n_targets = 3)
#' source <- chunk_source(
#'   function(i) if (i <= 3) task[(100 * i - 99):(100 * i), ],
#'   feature_names(task), target_names(task)
#' )
#' source
#' sift_features(source, sel_scls(), k = 4)
#' identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
#' @export
chunk_source <- function(next_chunk, features, targets, n_rows = NA, discrete = NULL) {
  call <- rlang::current_env()
  if (!is.function(next_chunk)) {
    found <- describe(next_chunk)
    abort(c("{.arg next_chunk} must be a function.", x = "It is {found}.",
      i = "It returns {.code list(x = , y = )}, or {.code NULL} at the end."))
  }
  check_source_names(features, "features")
  check_source_names(targets, "targets")
  both <- intersect(features, targets)
  if (length(both) > 0L) {
    abort(c("Features and targets must have different names.", x = "{.val {both[1]}} is in both."))
  }
  if (!identical(n_rows, NA)) n_rows <- check_number(n_rows, min = 0, finite = TRUE)
  numbered <- length(formals(args(next_chunk))) > 0L
  open <- function(call) {
    i <- 0
    function() {
      i <<- i + 1
      if (numbered) next_chunk(i) else next_chunk()
    }
  }
  flags <- rep(NA, length(features))
  if (!is.null(discrete)) {
    check_discrete(discrete, call)
    flags[column_positions(names(discrete), features, "discrete", call, "feature")] <- discrete
  }
  new_mlsource(open, features, targets, as.double(n_rows), "a function", flags)
}

check_source_names <- function(names, arg, call = rlang::caller_env()) {
  if (!is.character(names) || length(names) == 0L || anyNA(names) || anyDuplicated(names)) {
    twice <- if (is.character(names)) names[anyDuplicated(names)]
    found <- if (length(twice) > 0L) paste0("\"", twice, "\" occurs twice") else paste("It is", describe(names))
    abort(c("{.arg {arg}} must be unique names, at least one.", x = "{found}."), call = call)
  }
}

# `open(call)`: starts a pass and returns a function for the next chunk, NULL at the end; its attribute "close" is a
# function that ends the pass early. `shown`: where rows come from. `discrete`: by feature, NA where the values decide.
# `checked`: whether chunks are list(x, y) as the core takes them, in the order of the source. `begin(call)`: called
# before the first pass; returns a function that is called after the last one.
new_mlsource <- function(open, features, targets, n_rows, shown, discrete = rep(NA, length(features)), name = NULL,
                         checked = FALSE, begin = NULL) {
  structure(
    list(
      open = open, features = features, targets = targets, n_rows = n_rows, shown = shown, discrete = discrete,
      name = name, checked = checked, begin = begin
    ),
    class = "mlsource"
  )
}

# A task as a source of one chunk.
source_of_task <- function(task) {
  open <- function(call) {
    given <- FALSE
    function() {
      if (given) return(NULL)
      given <<- TRUE
      task
    }
  }
  new_mlsource(open, colnames(task$x), colnames(task$y), nrow(task$x), "a task", unname(task$discrete), task$name,
    checked = TRUE)
}

#' @export
print.mlsource <- function(x, ...) {
  refuse_dots(...)
  rows <- if (is.na(x$n_rows)) "rows not counted yet" else counted(x$n_rows, "row")
  cat(
    "<mlsource> ", x$shown, ": ", rows, ", ", counted(length(x$features), "feature"), ", ",
    counted(length(x$targets), "label"), "\n",
    sep = ""
  )
  invisible(x)
}

# A pass over checked chunks, list(x, y), as the core takes them. `seen` keeps what is known between passes.
open_pass <- function(source, seen, call) {
  end_pass(seen)
  next_chunk <- source$open(call)
  seen$close <- attr(next_chunk, "close")
  rows <- 0
  function() {
    chunk <- next_chunk()
    if (is.null(chunk)) {
      end_pass(seen)
      check_source_rows(rows, source, seen, call)
      return(NULL)
    }
    if (!source$checked) chunk <- check_chunk(chunk, source, seen, call) else see_integers(chunk$x, seen)
    rows <<- rows + nrow(chunk$x)
    chunk
  }
}

# Which features are integers in all chunks: their number of values says whether they are discrete.
see_integers <- function(x, seen) {
  now <- integer_columns(x)
  seen$integers <- if (is.null(seen$integers)) now else seen$integers & now
}

# The number of rows, the levels of factors and which features are integers; how to end the pass that is open, and all
# passes.
new_seen <- function(source, call) {
  end <- if (!is.null(source$begin)) source$begin(call)
  list2env(list(rows = source$n_rows, levels = NULL, integers = NULL, known = FALSE, close = NULL, end = end))
}

end_pass <- function(seen) {
  close <- seen$close
  seen$close <- NULL
  if (!is.null(close)) close()
}

end_passes <- function(seen) {
  end_pass(seen)
  if (!is.null(seen$end)) seen$end()
}

check_source_rows <- function(rows, source, seen, call) {
  if (!is.na(seen$rows) && rows != seen$rows) {
    before <- format_count(seen$rows)
    said <- if (seen$known) "The pass before it gave {before}." else "{.arg n_rows} is {before}."
    abort(c("A pass over the source gave {format_count(rows)} rows.", x = said,
      i = "Every pass must give the same rows."), call = call)
  }
  if (rows == 0) abort("The source has no rows.", call = call)
  seen$rows <- rows
  seen$known <- TRUE
}

check_chunk <- function(chunk, source, seen, call) {
  parts <- chunk_parts(chunk, source, call)
  if (!inherits(chunk, "mltask")) {
    parts$x <- as_features(parts$x, call)
    targets <- as_targets(parts$y, "label", call)
    refuse_unknown_chunk(targets$unknown, call)
    parts$y <- targets$values
  }
  parts$x <- chunk_columns(parts$x, source$features, "feature", call)
  parts$y <- chunk_columns(parts$y, source$targets, "label", call)
  if (nrow(parts$x) != nrow(parts$y)) {
    abort(c("Features and labels of a chunk must have the same number of rows.",
      x = "There are {nrow(parts$x)} and {nrow(parts$y)}."), call = call)
  }
  check_chunk_levels(parts$x, seen, call)
  see_integers(parts$x, seen)
  parts
}

chunk_parts <- function(chunk, source, call) {
  if (inherits(chunk, "mltask")) {
    if (task_kind(chunk) != "label") {
      abort(c("A source must have labels.", x = "The targets are of kind {.val {task_kind(chunk)}}."), call = call)
    }
    refuse_unknown_chunk(chunk$unknown, call)
    check_mltask(chunk, "chunk", call)
    return(list(x = chunk$x, y = chunk$y))
  }
  if (is.list(chunk) && !is.data.frame(chunk) && all(c("x", "y") %in% names(chunk))) return(chunk[c("x", "y")])
  if (length(dim(chunk)) != 2L) {
    found <- describe(chunk)
    abort(c("A chunk must be {.code list(x = , y = )}, a task, a matrix or a data frame.", x = "It is {found}."),
      call = call)
  }
  list(
    x = chunk[, setdiff(colnames(chunk), source$targets), drop = FALSE],
    y = chunk[, intersect(colnames(chunk), source$targets), drop = FALSE]
  )
}

refuse_unknown_chunk <- function(unknown, call) {
  if (is.null(unknown)) return(invisible())
  at <- unknown_cells(unknown)[1L, ]
  abort(c("The labels of a source must all be known.", x = "Target {at[2L]} of a chunk is missing in row {at[1L]}.",
    i = "A task can have unknown labels; to treat them as absent, set them to 0."), call = call)
}

# The columns in the order of the source.
chunk_columns <- function(x, names, what, call) {
  if (identical(colnames(x), names)) return(x)
  at <- match(names, colnames(x))
  if (anyNA(at)) {
    abort(c("A chunk must have all {what}s of the source.", x = "There is no column {.val {names[is.na(at)][1]}}."),
      call = call)
  }
  if (ncol(x) > length(names)) {
    more <- setdiff(colnames(x), names)
    abort(c("A chunk must have the {what}s of the source only.", x = "It also has column {.val {more[1]}}."),
      call = call)
  }
  x[, at, drop = FALSE]
}

# Codes of factors mean the same in every chunk.
check_chunk_levels <- function(x, seen, call) {
  if (!is.data.frame(x)) return(invisible())
  levels <- lapply(x, levels)
  if (is.null(seen$levels)) seen$levels <- levels
  other <- which(!mapply(identical, levels, seen$levels))
  if (length(other) == 0L) return(invisible())
  abort(c("A factor must have the same levels in every chunk.",
    x = "Those of {.val {names(x)[other[1]]}} differ from the first chunk.",
    i = "Make it with {.code factor(levels = )}."), call = call)
}

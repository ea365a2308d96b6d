#' Rows that do not fit in memory
#'
#' A source gives rows in chunks. [sift_features()] and [count_tables()] take it in place of a task, and keep only
#' tables of counts and one chunk in memory.
#'
#' @section Which selectors work on a source:
#' Those whose needs add up over chunks:
#' * [sel_mim()], [sel_ebls()] and [sel_br_or()] need one pass over the rows;
#' * [sel_chi2()] and [sel_trans_mi()] need one more, in which rows are counted by their label sets;
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
#' Greedy selectors count at most 2,147,483,647 rows, the others up to 2^53. With weights, their sum is what counts.
#'
#' @section Targets, unknown labels and weights:
#' Targets are labels or classes; numeric targets must be made classes before. Text and factors are classes, and
#' numbers, logicals and text such as `"no"` and `"yes"` are labels. The first chunk decides. The classes of a factor
#' are its levels. If a class target is text, and `classes` does not name its classes, one more pass finds them at the
#' beginning. A class that comes up later is an error.
#'
#' Labels may be `NA`, see [unknown_labels]. Selectors that take unknown labels of a task take them of a source. If the
#' first one is not in the first chunk, the first pass begins again.
#'
#' Rows may have [weights][row_weights()], in a column of features that `weights` names, as `weights` of
#' `list(x = , y = , weights = )`, or in tasks. All chunks must have them, or none. They must be whole numbers, because
#' only their sums are exact in any order: other weights would have to be divided by a total that is not known yet. Rows
#' of weight 0 are left out.
#'
#' @param next_chunk A function that gives the next chunk: a `list(x = , y = )` of features and targets as [mltask()]
#'   takes them, a task, or a matrix or data frame with all columns. `NULL` ends a pass. If it has an argument, it is
#'   called with the number of the chunk, from 1. If it has none, it must begin again after each `NULL`.
#' @param features,targets Names of features and targets. Every chunk must have them, in any order.
#' @param n_rows The number of rows, if it is known. A pass with another number gives an error.
#' @param discrete A named logical vector that says otherwise for some features, as in [mltask()].
#' @param weights (string) The column of the weights of rows, which is neither a feature nor a target; or `NULL`.
#' @param classes For class targets: a list with the classes of each target, by name. `NULL` finds them.
#' @return An object of class `mlsource`. [feature_names()] and [target_names()] give its names.
#'
#'   Errors have the class `mlsift_error`. They occur if a chunk lacks a column, has no weights where others have them,
#'   or has other levels of a factor than the first chunk, and if a pass gives other rows than the pass before it.
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
chunk_source <- function(next_chunk, features, targets, n_rows = NA, discrete = NULL, weights = NULL,
                         classes = NULL) {
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
  check_weights_name(weights, c(features, targets), call)
  classes <- check_source_classes(classes, targets, call)
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
  new_mlsource(
    open, features, targets, as.double(n_rows), "a function", flags, kind = if (!is.null(classes)) "class",
    classes = classes, weights = weights, weighted = if (is.null(weights)) NA else TRUE, rewinds = numbered
  )
}

check_source_names <- function(names, arg, call = rlang::caller_env()) {
  if (!is.character(names) || length(names) == 0L || anyNA(names) || anyDuplicated(names)) {
    twice <- if (is.character(names)) names[anyDuplicated(names)]
    found <- if (length(twice) > 0L) paste0("\"", twice, "\" occurs twice") else paste("It is", describe(names))
    abort(c("{.arg {arg}} must be unique names, at least one.", x = "{found}."), call = call)
  }
}

check_weights_name <- function(weights, others, call) {
  check_string(weights, null = TRUE, call = call)
  if (is.null(weights) || !weights %in% others) return(invisible())
  abort(c("{.arg weights} must be neither a feature nor a target.", x = "{.val {weights}} is one of them."),
    call = call)
}

# The classes of each target, in the order of the targets.
check_source_classes <- function(classes, targets, call) {
  if (is.null(classes)) return(NULL)
  if (!is.list(classes) || !setequal(names(classes), targets) || anyDuplicated(names(classes))) {
    found <- describe(classes)
    abort(c("{.arg classes} must be a list with the classes of each target, by name.", x = "It is {found}.",
      i = "The targets are {.val {targets}}."), call = call)
  }
  for (target in targets) check_source_names(classes[[target]], paste0("classes$", target), call)
  classes[targets]
}

# `open(call)`: starts a pass and returns a function that gives the next chunk, NULL at the end. Its attribute "close"
# is a function that ends the pass early. `shown`: where rows come from. `discrete`: by feature, NA if the values
# decide. `checked`: whether chunks are list(x, y, weights, unknown, fold) as the core takes them, in the order of the
# source. The last three may be missing, and weights may be any numbers. `begin(call)`: called before the first pass;
# returns a function that is called after the last one. `kind`: "label" or "class", NULL if the first chunk decides.
# `classes`: the levels of each class target, NULL if they must be found. `weights`: the column of weights, which is not
# a feature. `weighted`: whether rows have weights, NA if the first chunk decides. `rewinds`: whether a pass can begin
# before the previous one has ended.
new_mlsource <- function(open, features, targets, n_rows, shown, discrete = rep(NA, length(features)), name = NULL,
                         checked = FALSE, begin = NULL, kind = "label", classes = NULL, weights = NULL,
                         weighted = FALSE, rewinds = TRUE) {
  structure(
    list(
      open = open, features = features, targets = targets, n_rows = n_rows, shown = shown, discrete = discrete,
      name = name, checked = checked, begin = begin, kind = kind, classes = classes, weights = weights,
      weighted = weighted, rewinds = rewinds
    ),
    class = "mlsource"
  )
}

# A source in which one of the features holds the row weights.
with_weights <- function(source, weights, call) {
  if (is.null(weights)) return(source)
  check_weights_name(weights, source$targets, call)
  at <- match(weights, source$features)
  if (is.na(at)) abort_absent(weights, source$features, "{.arg weights} must name a column.", call)
  if (length(source$features) == 1L) {
    abort(c("No features are left.", x = "{.val {weights}} is the only column that is no target."), call = call)
  }
  source$features <- source$features[-at]
  source$discrete <- source$discrete[-at]
  source$weights <- weights
  source$weighted <- TRUE
  source
}

# A task as a source of one chunk.
source_of_task <- function(task) {
  classes <- if (task_kind(task) == "class") lapply(task$y, levels)
  open <- function(call) {
    given <- FALSE
    function() {
      if (given) return(NULL)
      given <<- TRUE
      y <- if (is.null(classes)) task$y else class_pattern(task$y, classes, call)
      list(x = task$x, y = y, weights = task$weights, unknown = task$unknown)
    }
  }
  new_mlsource(open, colnames(task$x), colnames(task$y), nrow(task$x), "a task", unname(task$discrete), task$name,
    checked = TRUE, kind = task_kind(task), classes = classes, weighted = !is.null(task$weights))
}

#' @export
print.mlsource <- function(x, ...) {
  refuse_dots(...)
  rows <- if (is.na(x$n_rows)) "rows not counted yet" else counted(x$n_rows, "row")
  cat(
    "<mlsource> ", x$shown, ": ", rows, ", ", counted(length(x$features), "feature"), ", ",
    counted(length(x$targets), target_word(x)), if (isTRUE(x$weighted)) ", weighted", "\n",
    sep = ""
  )
  invisible(x)
}

# The word for the targets of a source or of tables.
target_word <- function(x) {
  if (inherits(x, "mlsource") && is.null(x$kind)) "target" else if (identical(x$kind, "class")) "class target"
  else "label"
}

# --- passes -----------------------------------------------------------------------------------------------------------

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
      chunk <- if (source$checked) take_weight_column(chunk, source, call) else check_chunk(chunk, source, seen, call)
      see_integers(chunk$x, seen)
      rows <- nrow(chunk$x)
      if (!is.null(folds)) chunk$fold <- folds[pass$rows + seq_len(rows)]
      chunk <- keep_weighted_rows(chunk, seen, call)
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

# --- chunks -----------------------------------------------------------------------------------------------------------

check_chunk <- function(chunk, source, seen, call) {
  parts <- chunk_parts(chunk, source, seen, call)
  if (!inherits(chunk, "mltask")) parts$x <- as_features(parts$x, call)
  parts$x <- chunk_columns(parts$x, source$features, "feature", call)
  parts <- if (seen$kind == "class") take_classes(parts, source, seen, call) else take_labels(parts, source, call)
  if (nrow(parts$x) != nrow(parts$y)) {
    abort(c("Features and targets of a chunk must have the same number of rows.",
      x = "There are {nrow(parts$x)} and {nrow(parts$y)}."), call = call)
  }
  check_chunk_levels(parts$x, seen, call)
  parts
}

# Unchecked list(x, y, weights, unknown); only tasks have `unknown`. `seen`: NULL if the kind is not known yet.
chunk_parts <- function(chunk, source, seen, call) {
  if (inherits(chunk, "mltask")) {
    kind <- check_source_kind(task_kind(chunk), call)
    check_mltask(chunk, "chunk", call, weighted = TRUE, unknown = TRUE)
    if (!is.null(seen) && kind != seen$kind) {
      abort(c("All chunks must have targets of one kind.",
        x = "They are of kind {.val {seen$kind}} and {.val {kind}}."), call = call)
    }
    return(take_weight_column(unclass(chunk)[c("x", "y", "weights", "unknown")], source, call))
  }
  if (is.list(chunk) && !is.data.frame(chunk) && all(c("x", "y") %in% names(chunk))) {
    return(take_weight_column(list(x = chunk$x, y = chunk$y, weights = chunk$weights), source, call))
  }
  if (length(dim(chunk)) != 2L) {
    found <- describe(chunk)
    abort(c("A chunk must be {.code list(x = , y = )}, a task, a matrix or a data frame.", x = "It is {found}."),
      call = call)
  }
  take_weight_column(list(
    x = chunk[, setdiff(colnames(chunk), source$targets), drop = FALSE],
    y = chunk[, intersect(colnames(chunk), source$targets), drop = FALSE]
  ), source, call)
}

# The 0/1 columns of labels in the order of the source, and which of their cells are unknown.
take_labels <- function(parts, source, call) {
  if (!"unknown" %in% names(parts)) {
    targets <- as_targets(parts$y, "label", call)
    parts$y <- targets$values
    parts$unknown <- targets$unknown
  }
  at <- column_order(parts$y, source$targets, "label", call)
  if (is.null(at)) return(parts)
  parts$y <- parts$y[, at, drop = FALSE]
  parts$unknown <- keep_unknown(parts$unknown, columns = at)
  parts
}

take_classes <- function(parts, source, seen, call) {
  parts$y <- class_pattern(class_columns(parts$y, source, call), seen$classes, call)
  parts$unknown <- NULL
  parts
}

# Class targets as factors, in the order of the source.
class_columns <- function(y, source, call) {
  chunk_columns(as_targets(y, "class", call)$values, source$targets, "target", call)
}

# A pattern with a column for each class of each target. `y`: factors.
class_pattern <- function(y, classes, call) {
  codes <- Map(function(column, classes) match(levels(column), classes)[column], y, classes)
  wrong <- which(vapply(codes, anyNA, NA))[1L]
  if (!is.na(wrong)) {
    value <- as.character(y[[wrong]])[is.na(codes[[wrong]])][1L]
    abort(c("A class target must have the same classes in every chunk.",
      x = "{.val {value}} is no class of {.val {names(classes)[wrong]}}, which has {.val {classes[[wrong]]}}.",
      i = "Name all classes in {.arg classes}, or give a {.code factor(levels = )}."), call = call)
  }
  before <- cumsum(c(0L, lengths(classes)))
  n <- length(codes[[1L]])
  columns <- unlist(Map(`+`, codes, before[seq_along(classes)]), use.names = FALSE)
  pattern_of(rep.int(seq_len(n), length(codes)), columns, c(n, before[length(before)]))
}

# The columns in the order of the source.
chunk_columns <- function(x, names, what, call) {
  at <- column_order(x, names, what, call)
  if (is.null(at)) x else x[, at, drop = FALSE]
}

# The positions of the columns of the source, NULL if they are in its order.
column_order <- function(x, names, what, call) {
  if (identical(colnames(x), names)) return(NULL)
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
  at
}

# Checks that factor codes mean the same in every chunk.
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

# --- weights ----------------------------------------------------------------------------------------------------------

# Moves the column of weights out of the features.
take_weight_column <- function(parts, source, call) {
  at <- if (!is.null(source$weights)) match(source$weights, colnames(parts$x))
  if (is.null(at) || (is.na(at) && !is.null(parts$weights))) return(parts)
  if (is.na(at)) {
    abort(c("{.arg weights} must name a column of every chunk.", x = "There is no column {.val {source$weights}}."),
      call = call)
  }
  parts$weights <- if (is.data.frame(parts$x)) parts$x[[at]] else as.vector(parts$x[, at])
  parts$x <- parts$x[, -at, drop = FALSE]
  parts
}

# The rows of a chunk whose weight is not 0.
keep_weighted_rows <- function(chunk, seen, call) {
  given <- !is.null(chunk$weights)
  if (is.na(seen$weighted)) seen$weighted <- given
  if (given != seen$weighted) {
    abort(c("All chunks must have weights, or none.", x = "This one has {if (given) \"weights\" else \"none\"}."),
      call = call)
  }
  if (!given) return(chunk)
  weights <- check_chunk_weights(chunk$weights, nrow(chunk$x), call)
  chunk$weights <- weights
  if (all(weights > 0L)) return(chunk)
  take_rows(chunk, which(weights > 0L))
}

take_rows <- function(chunk, rows) {
  list(
    x = chunk$x[rows, , drop = FALSE], y = chunk$y[rows, , drop = FALSE], weights = chunk$weights[rows],
    unknown = keep_unknown(chunk$unknown, rows), fold = chunk$fold[rows]
  )
}

# Sums of weights must be exact in any order of chunks, so sources only accept whole numbers.
check_chunk_weights <- function(weights, n, call) {
  if (!is.numeric(weights) || !is.null(dim(weights)) || length(weights) != n) {
    found <- describe(weights)
    abort(c("{.arg weights} must be one number for each of the {n} row{?s} of a chunk.", x = "It is {found}."),
      call = call)
  }
  row <- which(!is.finite(weights) | weights < 0 | weights != round(weights))[1L]
  if (!is.na(row)) {
    whole <- is.finite(weights[row]) && weights[row] >= 0
    abort(c("{.arg weights} of a source must be whole numbers of 0 or more.",
      x = "That of row {row} of a chunk is {weights[row]}.",
      i = if (whole) "Multiply all weights by a number and round them, or use a task, which takes other weights."),
    call = call)
  }
  if (sum(weights) > .Machine$integer.max) {
    abort(c("The {.arg weights} of a chunk must have a sum of at most {format_count(.Machine$integer.max)}.",
      x = "It is {format_count(sum(weights))}.", i = "Make chunks of fewer rows, or divide all weights by a number."),
    call = call)
  }
  as.integer(weights)
}

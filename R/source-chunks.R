#' Rows that do not fit in memory
#'
#' A source gives rows in chunks. [sift_features()] and [count_tables()] take it in place of a task, and keep only
#' tables of counts and one chunk in memory.
#'
#' @section Which selectors work on a source:
#' Those whose needs add up over chunks:
#' * `r counting_selectors("targets")` need one pass over the rows;
#' * `r counting_selectors("label sets")` need one more, in which rows are counted by their label sets;
#' * `r counting_selectors("label pairs")` needs one more, in which pairs of labels are counted;
#' * the greedy selectors `r greedy_on_sources()` need one more pass for each selected feature. [extend_selection()]
#'   continues them without making these passes again. [sel_pmu()], [sel_lrfs()], [sel_lsmfs()], [sel_mlsmfs()] and
#'   `sel_greedy(label_interaction = )` need one more pass at the beginning, in which pairs of labels are counted.
#'
#' Tables of pairs of labels have a cell for each level of a feature and each pair of labels that occur together. A
#' selector that needs them is refused before the first pass where they could take more than 512 MB (the option
#' `mlsift.chunk_bytes`, in bytes), at 12 bytes for each feature and pair of labels. After it, when levels are known and
#' whether labels are unknown, which doubles their number, it may be refused too, before pairs are counted.
#'
#' Their results are the same as those of a task with the same rows, to the last bit, whatever the size and order of the
#' chunks. Other selectors give an error that says what they need.
#'
#' One more pass is needed if some feature has other values than 0 and 1. Which features are discrete is decided from
#' all rows, by the rule of [mltask()]. The others are discretized. [disc_auto()], [disc_equal_width()] and
#' [disc_presence()] are fitted in the first pass, and a discretizer that was fitted to a task before can be given as
#' well. [disc_equal_frequency()], [disc_mdlp()] and [disc_laim()] need sorted values, which do not add up.
#'
#' [spread_source()] spreads the rows over several processes or machines, which keep them between passes.
#'
#' The first pass also looks for features that mislead, as [mltask()] does, and a message names them. [check_task()]
#' lists them. Leave them out with `exclude`. Where a database counts, there is no such pass.
#'
#' Greedy selectors count at most 2,147,483,647 rows, the others up to 2^53. With weights, these limits apply to their
#' sum.
#'
#' @section Targets, unknown labels, weights and groups:
#' Targets are labels or classes, by the rule of [mltask()]; numeric targets must be turned into classes first. The
#' first chunk decides if all of its targets are 0/1, logical or factors, whose classes are their levels. Otherwise one
#' more pass at the beginning finds all values, unless `classes` names them. A value that appears only later is an
#' error.
#'
#' Labels may be `NA`, see [unknown_labels]. Selectors that take unknown labels in a task take them in a source too. If
#' the first chunk has no unknown labels and a later one does, the first pass begins again.
#'
#' Rows may have [weights][row_weights()] and [groups][row_groups()]: in columns that `weights` and `group` name, as
#' elements of `list(x = , y = , weights = , group = )`, or in tasks. All chunks must have them, or none. Weights must
#' be whole numbers, because only their sums are exact in any order: other weights would have to be divided by a total
#' that is not known yet. Rows of weight 0 are left out.
#'
#' Scores do not depend on groups, but [count_tables()] gives the tables of each. Times have no use here: a column that
#' `time` names is left out of the features.
#'
#' @param next_chunk A function that gives the next chunk: a `list(x = , y = )` of features and targets as [mltask()]
#'   takes them, a task, or a matrix or data frame with all columns. `NULL` ends a pass. If it has an argument, it is
#'   called with the number of the chunk, from 1. If it has none, it must begin again after each `NULL`.
#' @param features,targets Names of features and targets. Every chunk must have them, in any order.
#' @param n_rows The number of rows, if it is known. A pass with another number gives an error.
#' @param discrete A named logical vector that says otherwise for some features, as in [mltask()].
#' @param weights,group,time (strings) The columns of the [weights][row_weights()], [groups and times][row_groups()] of
#'   rows, which are neither features nor targets; or `NULL`.
#' @param classes For class targets: a list with the classes of each target, by name. `NULL` finds them.
#' @param exclude Names of columns of the chunks that are neither features nor targets.
#' @param na (strings) What stands for a missing value in the chunks, as in [mltask()].
#' @param kind,on What the targets are, as in [mltask()]. With `classes`, `kind` is `"class"`.
#' @return An object of class `mlsource`. [feature_names()] and [target_names()] give its names.
#'
#'   Errors have the class `mlsift_error`. They occur if a chunk lacks a column, has no weights or groups where others
#'   have them, or has other levels of a factor than the first chunk, and if a pass gives other rows than the one
#'   before it.
#' @family sources
#' @examples
#' source <- chunk_source(
#'   function(i) if (i <= 4) help_pages[(500 * i - 499):(500 * i), ],
#'   feature_names(help_pages), target_names(help_pages)
#' )
#' source
#' sift_features(source, sel_scls(), k = 4)
#' task <- help_pages[1:2000, ]
#' identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
#' @export
chunk_source <- function(next_chunk, features, targets, n_rows = NA, discrete = NULL, classes = NULL, exclude = NULL,
                         na = NULL, kind = NULL, on = NULL, weights = NULL, group = NULL, time = NULL) {
  if (!is.function(next_chunk)) abort_value(next_chunk, "a function",
    i = "It returns {.code list(x = , y = )}, or {.code NULL} at the end.")
  check_source_names(features, "features")
  check_source_names(targets, "targets")
  both <- intersect(features, targets)
  if (length(both) > 0L) abort(c("Features and targets must have different names.", x = "{.val {both[1]}} is in both."))
  columns <- check_row_columns(list(weights = weights, group = group, time = time), c(features, targets))
  if (!is.null(exclude)) {
    check_source_names(exclude, "exclude")
    twice <- intersect(exclude, c(features, targets, columns))
    if (length(twice) > 0L) {
      abort(c("{.arg exclude} must not name columns that are used.", x = "{.val {twice[1]}} is one of them."))
    }
  }
  classes <- check_source_classes(classes, targets)
  kind <- check_kind(kind %||% if (!is.null(classes)) "class", on)
  check_on(on, targets)
  if (!identical(n_rows, NA)) n_rows <- check_count(n_rows, min = 0, max = 2^53)
  numbered <- length(formals(args(next_chunk))) > 0L
  open <- function() {
    i <- 0
    function() {
      i <<- i + 1
      if (numbered) next_chunk(i) else next_chunk()
    }
  }
  with_discrete(new_mlsource(
    open, features, targets, as.double(n_rows), "a function", kind = kind, on = on, codes = NULL,
    classes = classes, columns = columns, given = c(weights = NA, group = NA) | used_fields(columns),
    rewinds = numbered, exclude = exclude, na = check_na(na)
  ), discrete)
}

# The source with what the user says about which features are discrete.
with_discrete <- function(source, discrete) {
  if (is.null(discrete)) return(source)
  check_discrete(discrete)
  source$discrete[column_positions(names(discrete), source$features, "discrete", "feature")] <- discrete
  source
}

check_source_names <- function(names, arg) {
  if (!is.character(names) || length(names) == 0L || anyNA(names) || anyDuplicated(names)) {
    twice <- if (is.character(names)) names[anyDuplicated(names)]
    found <- if (length(twice) > 0L) paste0("\"", twice, "\" occurs twice") else paste("It is", describe(names))
    abort(c("{.arg {arg}} must be unique names, at least one.", x = "{found}."))
  }
}

# The columns of what is known of rows, by the fields of row_fields. `others`: names that they must not have.
check_row_columns <- function(columns, others) {
  columns <- given_params(columns)
  for (field in names(columns)) {
    check_string(columns[[field]], arg = field)
    if (columns[[field]] %in% others) abort(c("{.arg {field}} must be neither a feature nor a target.",
      x = "{.val {columns[[field]]}} is one of them."))
  }
  unlist(columns)
}

# Which fields that a source uses have a column.
used_fields <- function(columns) vapply(names(chunk_fields), function(field) field %in% names(columns), NA)

# The classes of each target, in the order of the targets.
check_source_classes <- function(classes, targets) {
  if (is.null(classes)) return(NULL)
  if (!is.list(classes) || !setequal(names(classes), targets) || anyDuplicated(names(classes))) {
    abort_value(classes, "a list with the classes of each target, by name", i = "The targets are {.val {targets}}.")
  }
  for (target in targets) check_source_names(classes[[target]], paste0("classes$", target))
  classes[targets]
}

# `open()`: starts a pass and returns a function that gives the next chunk, NULL at the end. Its attribute "close"
# is a function that ends the pass early. `shown`: where rows come from. `discrete`: by feature, NA if the values
# decide. `checked`: whether chunks are list(x, y, unknown, weights, group) as the core takes them, in the order of the
# source. The last three may be missing, and weights and groups may be any values. `begin()`: called before the
# first pass; returns a function that is called after the last one. `kind`: "label" or "class", NULL if the first chunk
# decides. `classes`: the levels of each class target, NULL if they must be found. `columns`: those of what is known of
# rows, by the fields of row_fields; they are not features. `on`, `codes`: what the user said of labels, and their codes
# as in decide_targets(), NULL if they must be found. `given`: which of chunk_fields the rows have, NA if the first
# chunk decides. `rewinds`: whether a pass can begin before the previous one has ended. `exclude`: columns of chunks to
# ignore; `na`: see clear_cells(). `told`: whether a message has named columns that mislead. `counter`: how the rows are
# counted, see chunk_counter().
new_mlsource <- function(open, features, targets, n_rows, shown, discrete = rep(NA, length(features)), name = NULL,
                         checked = FALSE, begin = NULL, kind = "label", classes = NULL, columns = NULL,
                         given = used_fields(columns), rewinds = TRUE, exclude = NULL, na = NULL, told = FALSE,
                         on = NULL, codes = if (identical(kind, "label")) list(), counter = chunk_counter) {
  structure(mget(names(formals())), class = "mlsource")
}

# A source in which some of the features hold what is known of rows.
with_row_columns <- function(source, columns) {
  kept <- !source$features %in% columns
  source$features <- source$features[kept]
  source$discrete <- source$discrete[kept]
  source$columns <- columns
  source$given <- used_fields(columns)
  source
}

# A task as a source of one chunk.
source_of_task <- function(task) {
  classes <- if (task_kind(task) == "class") lapply(task$targets$values, levels)
  open <- function() {
    given <- FALSE
    function() {
      if (given) return(NULL)
      given <<- TRUE
      y <- if (is.null(classes)) task$targets$values else class_pattern(task$targets$values, classes)
      c(list(x = task$x, y = y, unknown = task$targets$unknown), unclass(task$rows))
    }
  }
  new_mlsource(open, colnames(task$x), colnames(task$targets), nrow(task$x), "a task", unname(task$discrete), task$name,
    checked = TRUE, kind = task_kind(task), classes = classes, given = used_fields(task$rows), told = TRUE)
}

#' @export
print.mlsource <- function(x, ...) {
  rows <- if (is.na(x$n_rows)) "rows not counted yet" else counted(x$n_rows, "row")
  print_line(x, x$shown, ": ", rows, ", ", counted(length(x$features), "feature"), ", ",
    counted(length(x$targets), source_target_word(x)), if (isTRUE(x$given[["weights"]])) ", weighted",
    if (isTRUE(x$given[["group"]])) ", in groups", if ("time" %in% names(x$columns)) ", with times")
}

# The word for the targets of a source or of tables.
source_target_word <- function(x) {
  if (inherits(x, "mlsource") && is.null(x$kind)) "target" else target_word(x$kind %||% "label")
}

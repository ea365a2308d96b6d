#' Parts of a task
#'
#' `features()` and `targets()` return the data that the task was made from (a data frame, a matrix, a `dgCMatrix` or an
#' `ngCMatrix`), always with column names. So `mltask(features(task), targets(task))` is the same task again, without
#' its [weights][row_weights()]. Targets that [mltask()] would take for another kind, such as numbers that are all 0 and
#' 1, have an attribute `target_kind`, which it obeys.
#'
#' @param task A task made by [mltask()], [as_mltask()] or [read_mulan()].
#' @param targets Names, positions or a logical vector of the targets to keep.
#' @return
#'   * `features()`, `targets()`: a data frame, matrix, `dgCMatrix` or `ngCMatrix`.
#'   * `feature_names()`, `target_names()`: a character vector.
#'   * `subset_targets()`: the task with some of its targets.
#' @family tasks
#' @examples
#' head(feature_names(help_pages))
#' head(targets(help_pages)[, 1:4], 3)
#' subset_targets(help_pages, c("key_file", "key_ts"))
#' @export
features <- function(task) {
  check_mltask(task)
  task$x
}

#' @rdname features
#' @export
targets <- function(task) {
  check_mltask(task)
  y <- shown_targets(task$targets)
  if (task$targets$frame && !is.data.frame(y)) y <- as.data.frame(y)
  if (!looks_its_kind(task)) attr(y, "target_kind") <- task_kind(task)
  y
}

# Whether mltask() would take the targets for what they are.
looks_its_kind <- function(task) {
  values <- if (task_kind(task) != "label") target_values(shown_targets(task$targets))
  task_kind(task) == if (is.null(values)) "label" else or_else(found_kind(values, target_names(task)), "mixed")
}

#' @rdname features
#' @export
feature_names <- function(task) {
  if (inherits(task, c("mlsource", "mlcounts"))) return(task$features)
  check_mltask(task)
  colnames(task$x)
}

#' @rdname features
#' @export
target_names <- function(task) {
  if (inherits(task, c("mlsource", "mlcounts"))) return(task$targets)
  check_mltask(task)
  colnames(task$targets)
}

#' @rdname features
#' @export
subset_targets <- function(task, targets) {
  check_mltask(task)
  keep <- column_positions(targets, colnames(task$targets), "targets", "target")
  if (length(keep) == 0L || anyDuplicated(keep)) {
    abort(c("{.arg targets} must choose at least one target, none of them twice.", x = "It chooses {length(keep)}."))
  }
  task$targets <- task$targets[, keep]
  task
}

task_kind <- function(task) task$targets$kind

#' @export
dim.mltask <- function(x) as.integer(c(nrow(x$x), ncol(x$x)))

#' @export
dimnames.mltask <- function(x) list(row_names(x$x), colnames(x$x))

# Row names that a user gave. Otherwise those of a data frame are its row numbers, even after subsetting.
row_names <- function(x) {
  if (!is.data.frame(x)) return(rownames(x))
  names <- attr(x, "row.names")
  if (is.character(names)) names
}

#' @export
`[.mltask` <- function(x, i, j, ...) {
  refuse_dots(..., allowed = "drop")
  if (nargs() < 3L) abort(c("A task is indexed by rows and features.",
    i = "Use {.code task[i, ]} for rows, {.code task[, j]} for features."))
  if (!missing(j)) {
    j <- column_positions(j, colnames(x$x), "j", "feature")
    twice <- anyDuplicated(j)
    if (length(j) == 0L) abort(c("A task must keep at least one feature.", x = "{.arg j} chooses none."))
    if (twice > 0L) abort(c("A feature can be in a task only once.",
      x = "{.arg j} has {.val {colnames(x$x)[j[twice]]}} twice."))
    x$x <- x$x[, j, drop = FALSE]
    x$discrete <- x$discrete[j]
    attr(x, "truth") <- NULL  # of simulate_mltask(), which describes all features
  }
  if (!missing(i)) {
    i <- column_positions(i, row_names(x$x) %||% as.character(seq_len(nrow(x$x))), "i", "row")
    if (length(i) == 0L) abort(c("A task must keep at least one row.", x = "{.arg i} chooses none."))
    x$x <- x$x[i, , drop = FALSE]
    x$targets <- x$targets[i, ]
    x$rows <- x$rows[i]
  }
  x
}

#' @importFrom utils head
#' @export
head.mltask <- function(x, n = 6L, ...) {
  n <- check_count(n)
  x[seq_len(min(n, nrow(x))), ]
}

#' @export
as.matrix.mltask <- function(x, ...) {
  refuse_dots(..., allowed = "rownames.force")
  as.matrix(with_values(x$x))
}

#' @export
as.data.frame.mltask <- function(x, ...) {
  refuse_dots(..., allowed = frame_arguments)
  plain <- function(m) if (is.data.frame(m)) m else as.data.frame(as.matrix(with_values(m)))
  cbind(plain(x$x), plain(targets(x)))
}

#' @export
print.mltask <- function(x, ...) {
  discrete <- sum(x$discrete)
  layout <- if (is.data.frame(x$x)) "data frame" else if (is_sparse(x$x)) "sparse" else "matrix"
  word <- target_word(task_kind(x))
  cat("<mltask>", if (!is.null(x$name)) paste0(" ", x$name, ":"), " ", counted(nrow(x$x), "row"), ", ",
    counted(ncol(x$x), "feature"), ", ",
    counted(ncol(x$targets), word), "\n", sep = "")
  cat_names(paste0("features (", layout, ", ", format_count(discrete), " discrete): "), colnames(x$x))
  cat_names(paste0(word, "s: "), colnames(x$targets))
  share_unknown <- paste(format(100 * n_unknown(x) / prod(dim(x$targets)), digits = 3), "%")
  if (task_kind(x) == "label") {
    facts <- summary(x)
    sets <- if (is.na(facts$label_sets)) paste(share_unknown, "unknown") else counted(facts$label_sets, "label set")
    known <- if (is.finite(facts$cardinality)) paste0("cardinality ", format(facts$cardinality, digits = 4), ", ")
    cat(known, sets, "\n", sep = "")
  } else if (!is.null(x$targets$unknown)) {
    cat(share_unknown, "of the targets unknown\n")
  }
  cat_mlrows(x$rows)
  invisible(x)
}

# One line as wide as the screen: as many names as fit, at least one, and how many more there are.
cat_names <- function(before, names) {
  more <- function(left) if (left > 0L) paste0(", ... ", format_count(left), " more") else ""
  room <- max(0L, getOption("width") - nchar(before, "width"))
  # An upper bound on how many fit, as if all names were empty.
  width <- cumsum(nchar(names[seq_len(min(length(names), room %/% 2L + 2L))], "width") + 2L) - 2L
  all <- length(width) == length(names) && width[length(width)] <= room
  shown <- if (all) length(names) else max(1L, sum(width + nchar(more(length(names))) <= room))
  cat(before, paste(names[seq_len(shown)], collapse = ", "), more(length(names) - shown), "\n", sep = "")
}

#' Summary of a task
#'
#' @param object A task.
#' @param ... Not used.
#' @return A data frame with one row and the columns
#'   * `task` (name), `kind`, `n_rows`, `n_features`, `n_discrete`, `n_targets`;
#'   * `cardinality`: the mean number of labels of a row;
#'   * `density`: the cardinality divided by the number of labels;
#'   * `label_sets`: the number of distinct label sets, or of distinct combinations of classes;
#'   * `mean_ir`, `max_ir`: mean and maximum of the imbalance ratio over the labels that occur. The ratio of a label is
#'     the number of rows with the most frequent label, divided by the number of rows with this label;
#'   * `single_label_sets`: the number of label sets (or combinations of classes) that only one row has;
#'   * `top_label_set`: the number of rows with the most frequent one;
#'   * `scumble`: how often frequent and rare labels occur in the same rows, from 0 to 1. It is the mean over rows of 1
#'     minus the geometric mean of the imbalance ratios of the row's labels, divided by their arithmetic mean. A row
#'     without labels has the value 0. Where it is large, resampling of rows cannot balance the labels;
#'   * `tcs`: the theoretical complexity score, the natural logarithm of features times labels times label sets;
#'   * `weighted`: whether rows have weights, see [row_weights()]. The other columns count rows, whatever their weights;
#'   * `n_unknown`: how many cells of the targets are [unknown][unknown_labels]. If there are any, cardinality and
#'     density are those of the known cells, and what describes whole label sets is `NA`.
#'
#'   Columns that do not apply to the kind of targets are `NA`.
#' @references `r papers(SCUMBLE = "Charte2014", TCS = "Charte2016")`
#' @family tasks
#' @examples
#' summary(help_pages)
#' @export
summary.mltask <- function(object, ...) {
  kind <- task_kind(object)
  facts <- data.frame(task = object$name %||% NA_character_, kind = kind, n_rows = nrow(object$x),
    n_features = ncol(object$x), n_discrete = sum(object$discrete), n_targets = ncol(object$targets),
    cardinality = NA_real_, density = NA_real_, label_sets = NA_integer_, mean_ir = NA_real_, max_ir = NA_real_,
    single_label_sets = NA_integer_, top_label_set = NA_integer_, scumble = NA_real_, tcs = NA_real_,
    weighted = !is.null(object$rows$weights), n_unknown = n_unknown(object))
  whole <- is.null(object$targets$unknown)
  if (kind != "numeric" && whole) {
    rows <- tabulate(label_set_numbers(object$targets))
    facts$label_sets <- length(rows)
    facts$single_label_sets <- sum(rows == 1L)
    facts$top_label_set <- max(rows)
  }
  if (kind == "label") {
    counts <- rows_with(object$targets)
    known <- sum(known_rows(object$targets))
    facts$density <- if (known == 0) NA_real_ else sum(counts) / known
    facts$cardinality <- if (whole) sum(counts) / facts$n_rows else facts$density * facts$n_targets
    if (whole) facts$density <- facts$cardinality / facts$n_targets
    ratio <- max(counts) / counts
    occurring <- ratio[counts > 0]
    if (length(occurring) > 0L) facts[c("mean_ir", "max_ir")] <- c(mean(occurring), max(occurring))
    if (!whole) return(facts)
    facts$scumble <- scumble(object, ratio)
    facts$tcs <- log(as.double(facts$n_features) * facts$n_targets * facts$label_sets)
  }
  facts
}

# Charte et al. (2014): mean over rows of 1 - geometric mean / arithmetic mean of the imbalance ratios of their labels.
scumble <- function(task, ratio) {
  columns <- label_columns(task$targets)
  ratio <- rep(ratio, diff(columns$start))
  if (length(ratio) == 0L) return(0)
  sums <- rowsum(cbind(log(ratio), ratio, 1), columns$row, reorder = FALSE)
  sum(1 - exp(sums[, 1L] / sums[, 3L]) / (sums[, 2L] / sums[, 3L])) / nrow(task$x)
}

# --- views for methods ------------------------------------------------------------------------------------------------

# A column of a data frame or matrix.
dense_column <- function(x, f) if (is.data.frame(x)) x[[f]] else x[, f]

# Features for methods that need numbers: list(x, nominal). `x` is a double matrix or a dgCMatrix; missing values are
# kept. Logicals and factors with two levels become 0/1, ordered factors level numbers. Unordered factors with more
# levels also become level numbers and are marked in `nominal`; each method decides how to treat them.
numeric_features <- function(task) {
  x <- task$x
  if (is_sparse(x)) return(list(x = with_values(x), nominal = logical(ncol(x))))
  if (is.matrix(x)) {
    storage.mode(x) <- "double"
    return(list(x = x, nominal = logical(ncol(x))))
  }
  nominal <- vapply(x, function(v) is.factor(v) && !is.ordered(v) && nlevels(v) > 2L, NA)
  two <- vapply(x, function(v) is.factor(v) && nlevels(v) <= 2L, NA)
  values <- vapply(x, as.double, double(nrow(x)))
  dim(values) <- dim(x)
  values[, two] <- values[, two] - 1
  dimnames(values) <- list(NULL, names(x))
  list(x = values, nominal = unname(nominal))
}

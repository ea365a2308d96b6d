#' A feature selection task
#'
#' A task holds the features, the targets and the kind of the targets. Everything in mlsift starts from a task.
#'
#' @param x Features: a data frame (or tibble), a matrix, any `Matrix`, or a document-term matrix of tm or quanteda,
#'   with one row per example. Or a formula such as `cbind(a, b) ~ .` or `a + b ~ .`, whose terms name columns of
#'   `data`. Columns are numbers, logicals, factors or characters (converted to factors); one that is a matrix or a
#'   data frame stands for several, named such as `spc.1100`. Features may contain `NA`, but no infinite values.
#'
#'   A sparse matrix of numbers is kept as a `dgCMatrix`. A sparse matrix without values, such as an `ngCMatrix`, is
#'   kept as an `ngCMatrix`: its stored cells are ones. It takes a third of the memory of a `dgCMatrix` of ones, and
#'   gives the same results. Selectors that count use it as it is. Methods that calculate with values, such as those
#'   with distances or correlations, make a `dgCMatrix` of it while they run, with 8 bytes for each stored cell.
#' @param y Targets: a matrix, data frame or sparse `Matrix` with as many rows as `x`, or one vector. With a formula,
#'   the data frame. Labels may be `NA`, see [unknown_labels].
#' @param targets Instead of `y`: the columns of `x` that are targets. Names, positions or a logical vector, also in a
#'   variable, are used as they are. Anything else is a [tidyselect][tidyselect::language] expression such as
#'   `starts_with("tag_")`. A name that is a column as well as a variable that holds names or positions of other columns
#'   gives an error: write `"labels"` for the column, and `all_of(labels)` for the variable.
#' @param exclude Columns of `x` (with a formula, of the data frame) that are neither targets nor features, given like
#'   `targets`.
#' @param name (string) Name of the task in tables and plots; `NULL` for none.
#' @param kind `"label"`, `"class"` (categories) or `"numeric"`. `NULL` decides from the values, see the section on
#'   kinds of targets.
#' @param discrete A named logical vector that changes, for the features it names, whether they are discrete or
#'   continuous; see the section on discrete features.
#' @param weights A weight for each row: numbers of 0 or more, or the name of a column, which is then not a feature. See
#'   [row_weights()]. `NULL` for none.
#' @param group The group of each row, such as a patient or a document: a vector, or the name of a column, which is then
#'   not a feature. Rows of a group are never on both sides of a split, see [row_groups()]. `NULL` for none.
#' @param time The time of each row: numbers, `Date`, `POSIXct` or text such as `"2024-01-31"` and
#'   `"2024-01-31 10:15:00"`, or the name of a column, which is then not a feature. See [row_groups()]. `NULL` for none.
#' @param on For labels: the value that means that a row has the label. One value for all targets that have it, or one
#'   for each target that it names, such as `c(sex = "f")`. `NULL` knows 0/1, `"no"`/`"yes"` and the other codes of the
#'   section on kinds of targets. With `on`, `kind` is `"label"`.
#' @param data With a formula, the data frame. It may also be the second argument.
#' @param na (strings) What stands for a missing value, such as `c("?", "<0.1")`, in features and targets. Text that
#'   holds only numbers otherwise becomes numbers. Numbers are missing where they equal a string that is a number, such
#'   as `"-999"`.
#' @return An object of class `mltask`. [features()] and [targets()] return the data. `dim()` is the number of rows and
#'   features. `task[i, j]` keeps rows `i` and features `j`. `head()`, `summary()`, `as.matrix()` (features) and
#'   `as.data.frame()` (features, then targets) work as usual.
#'
#'   Without any names, features are called `f1`, `f2`, ... and targets `l1`, `l2`, ... The following give an error of
#'   class `mlsift_error`: partly missing or duplicated names, missing values in class targets, infinite
#'   values, no rows, no features, no targets, and text of which more than 90 % (at least 10) of the cells that are not
#'   missing are numbers, but not all. Name the other cells in `na`, or say `discrete = c(column = TRUE)` if the text is
#'   categories.
#'
#'   Messages name targets and features that do not vary (rows of weight 0 do not count), and features that mislead many
#'   selectors: those that number the rows, those with many levels and those that are copies of a target. [check_task()]
#'   lists the features, and [drop_features()] removes them.
#'
#' @section Kinds of targets:
#' A target has the same kind however it comes: as number, logical, text or factor, from memory, a file or a database.
#' Its distinct values and declared levels decide. Missing values do not count.
#' * **Labels** are written in one of these codes, in upper or lower case: 0/1, false/true, f/t, no/yes, n/y, -1/1. The
#'   second value means that a row has the label. A message says so, unless it is 1 or `TRUE`.
#' * **Numbers** are other numbers, except for 1/2.
#' * **Classes** are other text, and 1/2. If they have two levels, a message says how to make labels of them with `on`.
#'
#' All targets are of one kind. A target with a single value follows the others: `"no"` is a label beside labels, and a
#' class beside classes. If all have a single value, those of a code are labels. Labels beside classes are classes, with
#' a message. Numbers beside labels or text are an error, unless `kind` is given.
#'
#' A source decides from its first chunk if that leaves no doubt, otherwise from one pass over all chunks. A later value
#' that does not fit is an error.
#' @section Discrete features:
#' Methods that count use discrete features directly, and discretize continuous features first. Unless `discrete` says
#' otherwise:
#' * Factors, characters, logicals, and columns of zeros and ones are discrete.
#' * Whole numbers are discrete if they have few values and are not mostly 0: at most 5 values, or at most 10 with 20
#'   rows or more for each value on average, and no more than half of the rows 0. Missing values do not count as values.
#'   Counts that are mostly 0 are continuous, because [disc_auto()] then separates 0 from the rest.
#' * Other numbers are continuous.
#'
#' The values decide, not how they are stored: integers, doubles, sparse matrices, files and databases with the same
#' values give the same. A message names the first of the integer columns that are continuous.
#'
#' This is decided once, when the task is made, and does not change if rows are selected later. A source decides it from
#' all its rows, see [chunk_source()].
#' @family tasks
#' @examples
#' df <- data.frame(
#'   height = c(1.7, 1.8, 1.6), smokes = c(TRUE, FALSE, TRUE),
#'   tag_a = c(0, 1, 1), tag_b = c(1, 0, 1)
#' )
#' task <- mltask(df, targets = starts_with("tag_"))
#' task
#' mltask(tag_a + tag_b ~ ., df)
#' summary(task)
#' @export
mltask <- function(x, y = NULL, targets = NULL, exclude = NULL, name = NULL, kind = NULL, discrete = NULL,
                   data = NULL, na = NULL, on = NULL, weights = NULL, group = NULL, time = NULL) {
  na <- check_na(na)
  targets <- rlang::enquo(targets)
  exclude <- rlang::enquo(exclude)
  x <- as_plain_matrix(x, "x")
  y <- as_plain_matrix(argument_value(rlang::enquo(y), "y", colnames(x)), "y")
  columns <- colnames(if (inherits(x, "formula")) y %||% data else x)
  given <- argument_values(rlang::enquos(weights = weights, group = group, time = time), columns)
  if (inherits(x, "formula")) {
    if (!rlang::quo_is_null(targets)) abort(c("{.arg targets} cannot be used together with a formula.",
      i = "Name the targets on the left of the formula and the features on its right."))
    data <- y %||% data
    rows <- take_rows(given, data)
    parts <- split_formula(x, drop_columns(data, rows$columns, exclude))
  } else if (is.null(y)) {
    rows <- take_rows(given, x)
    parts <- split_columns(x, targets, exclude, rows$columns)
  } else {
    if (!rlang::quo_is_null(targets)) {
      abort(c("{.arg targets} names columns of {.arg x} and cannot be used together with {.arg y}.",
        i = "Give the targets in {.arg y}, or leave it out."))
    }
    if (is.character(y) && is.null(dim(y)) && length(y) != NROW(x) && all(y %in% colnames(x))) refuse_names(y)
    rows <- take_rows(given, x)
    parts <- list(x = drop_columns(x, rows$columns, exclude), y = y)
  }
  task <- task_of(clear_cells(parts$x, na), clear_cells(parts$y, na), kind, on, name, discrete, rows$rows)
  with_blocks(task, if (inherits(x, "formula")) data else x, exclude)
}

# A task from features and targets as users give them. `rows`: what take_rows() found.
task_of <- function(x, y, kind, on, name, discrete, rows) {
  x <- as_features(x, categories = names(discrete)[discrete %in% TRUE])
  targets <- as_targets(y, kind, on)
  check_sizes(x, targets)
  both <- common_names(colnames(x), colnames(targets))
  if (length(both) > 0L) abort(c("Features and targets must have different names.", x = "{.val {both[1]}} is in both.",
    i = "Rename it in {.arg x} or {.arg y}."))
  task <- list(x = x, targets = targets, rows = rows, discrete = discrete_columns(x, discrete, rows$weights),
    name = check_string(name, null = TRUE))
  report_traps(saved_object(task, "mltask"), names(discrete))
}

# --- taking the input apart -----------------------------------------------------------------------------------------

split_formula <- function(formula, data) {
  if (length(formula) != 3L) {
    abort(c("A formula must have targets on its left and features on its right, such as {.code a + b ~ .}.",
      x = "It has no left side."))
  }
  if (!is.data.frame(data)) abort(c("With a formula, {.arg data} must be a data frame.", x = "It is {describe(data)}."))
  targets <- formula_columns(formula[[2L]], data, "left")
  features <- formula_columns(formula[[3L]], data, "right")
  if ("." %in% targets) abort("{.code .} can stand on the right side of the formula only.")
  if ("." %in% features) features <- setdiff(union(setdiff(features, "."), names(data)), targets)
  list(x = data[features], y = data[targets])
}

# Column names mentioned on one side of a formula. Only `+`, and `cbind()` or `c()` on the left, are allowed.
formula_columns <- function(expr, data, side) {
  if (is.symbol(expr) || is.character(expr)) {
    column <- as.character(expr)
    if (column != "." && !column %in% names(data)) {
      abort(c("The {side} side of the formula must name columns of {.arg data}.",
        x = "There is no column {.val {column}}.", i = did_you_mean(column, names(data))))
    }
    return(column)
  }
  op <- if (is.call(expr)) as.character(expr[[1L]])[1L] else ""
  if (!op %in% c("+", "(", if (side == "left") c("cbind", "c"))) {
    # Without backticks, R reads a column name such as `amazed-suprised` as a difference.
    label <- gsub(" ", "", paste(deparse(expr, backtick = FALSE), collapse = ""), fixed = TRUE)
    if (label %in% names(data)) return(label)
    found <- paste(deparse(expr), collapse = " ")
    abort(c("A formula may only name columns, joined by {.code +}.", x = "It contains {.code {found}}.",
      i = "Compute new columns first; put names that are not syntactic between backticks."))
  }
  unique(unlist(lapply(as.list(expr)[-1L], formula_columns, data = data, side = side)))
}

# `rows`: the columns that hold what is known of rows, named by the arguments.
split_columns <- function(x, targets, exclude, rows = NULL) {
  if (rlang::quo_is_null(targets)) abort(c("The targets are missing.",
    i = "Say which columns of {.arg x} they are, with {.arg targets}, or give them apart: {.code mltask(x, y)}."))
  if (!is.data.frame(x) && !is.matrix(x) && !is_matrix_object(x)) as_features(x)
  names <- colnames(x) %||% paste0("f", seq_len(ncol(x)), recycle0 = TRUE)
  chosen <- pick_columns(x, names, targets, "targets")
  left_out <- excluded_columns(x, names, exclude)
  refuse_overlap(chosen, left_out, names)
  refuse_row_targets(rows, chosen, names)
  colnames(x) <- names
  features <- setdiff(seq_along(names), c(chosen, left_out, rows))
  if (length(features) == 0L) abort(c("{.arg x} must have at least one feature.",
    x = "{length(chosen)} of its {length(names)} column{?s} {cli::qty(length(chosen))}{?is a target/are targets}{
      if (length(c(left_out, rows)) > 0L) ', and the others are no features'}."))
  list(x = x[, features, drop = FALSE], y = x[, chosen, drop = FALSE])
}

# --- features ---------------------------------------------------------------------------------------------------------

# A data frame of numbers, logicals and factors, a matrix, a dgCMatrix or an ngCMatrix; always with column names.
# `categories`: names of features whose text is known to be categories.
as_features <- function(x, arg = "x", categories = NULL) {
  refuse_integer64(x, arg)
  x <- as_plain_matrix(x, arg)
  if (is_matrix_object(x)) x <- as_dgc(x, arg)
  if (is.matrix(x) && is.character(x)) x <- as.data.frame(x, stringsAsFactors = FALSE)
  if (is.data.frame(x)) {
    x <- as_plain_frame(x, arg, categories)
  } else if (!is_sparse(x) && !(is.matrix(x) && (is.numeric(x) || is.logical(x)))) {
    abort(c("{.arg {arg}} must be a data frame, a matrix or a {.pkg Matrix}.",
      x = if (is.matrix(x)) "It is a matrix of type {.val {typeof(x)}}." else "It is {describe(x)}.",
      i = if (is_atomic(x) && !is.matrix(x)) "For a single feature use a data frame of one column.",
      i = if (is.matrix(x)) "A matrix must hold numbers, logicals or characters."))
  }
  if (ncol(x) == 0L) abort(c("{.arg {arg}} must have at least one feature.", x = "It has no columns."))
  colnames(x) <- check_names(colnames(x), ncol(x), "f", arg)
  bad <- cpp_find_missing(x, TRUE)
  if (length(bad) > 0L) abort(c("Features must not be infinite.",
    x = "Column {.val {colnames(x)[bad[2]]}} of {.arg {arg}} is infinite in row {bad[1]}.",
    i = "Replace it by {.code NA} or by a number."))
  x
}

# Document-term matrices of tm and quanteda become a dgCMatrix. Neither package need be loaded, so the parts of a dfm
# are read as attributes.
as_plain_matrix <- function(x, arg) {
  if (inherits(x, "TermDocumentMatrix")) abort(c("{.arg {arg}} must have a row for each document.",
    x = "A {.cls TermDocumentMatrix} has one for each term.", i = "Transpose it: {.code t({arg})}."))
  if (inherits(x, "simple_triplet_matrix")) {
    return(Matrix::sparseMatrix(x$i, x$j, x = as.double(x$v), dims = c(x$nrow, x$ncol), dimnames = unname(x$dimnames)))
  }
  if (!isS4(x) || class(x)[1L] != "dfm") return(x)
  part <- function(name) attr(x, name, exact = TRUE)
  methods::new("dgCMatrix", i = part("i"), p = part("p"), x = part("x"), Dim = part("Dim"),
    Dimnames = unname(part("Dimnames")))
}

# A data frame whose columns are vectors. Columns with columns, such as matrices of spectra, become several, named as by
# data.frame(); those with one, such as scale() gives, keep their name.
flat_columns <- function(x) {
  for (j in which(vapply(x, inherits, NA, "AsIs"))) class(x[[j]]) <- setdiff(class(x[[j]]), c("AsIs", "matrix"))
  wide <- vapply(x, function(column) {
    is.data.frame(column) || is_atomic(column) && !is.object(column) && length(dim(column)) == 2L
  }, NA)
  if (!any(wide)) return(x)
  parts <- lapply(seq_along(x), function(j) {
    column <- if (is.data.frame(x[[j]])) flat_columns(x[[j]]) else x[[j]]
    part <- if (wide[j]) data.frame(m = column, check.names = FALSE, row.names = NULL) else x[j]
    names <- if (wide[j] && ncol(part) != 1L) paste0(names(x)[j], substring(names(part), 2L)) else names(x)[j]
    stats::setNames(as.list(part), names)
  })
  structure(list2DF(do.call(c, parts), nrow(x)), row.names = attr(x, "row.names"))
}

# Any class of the package Matrix. isS4() rejects other objects much faster than is().
is_matrix_object <- function(x) isS4(x) && methods::is(x, "Matrix")

# A dgCMatrix, an ngCMatrix for objects with only a pattern, or a dense matrix. Objects that users build by hand may be
# invalid and make the core read out of bounds.
as_dgc <- function(x, arg = "x") {
  if (is_sparse(x)) {
    problem <- cpp_sparse_problem(x)
    if (nzchar(problem)) {
      class <- if (is_pattern(x)) "ngCMatrix" else "dgCMatrix"
      abort(c("{.arg {arg}} must be a valid {.cls {class}}.", x = "In it, {problem}.",
        i = "Make it with {.fn Matrix::sparseMatrix}, or check it with {.fn validObject}."))
    }
    return(x)
  }
  if (methods::is(x, "denseMatrix")) return(as.matrix(x))
  if (methods::is(x, "nsparseMatrix")) return(methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix"))
  as_sparse_numbers(x)
}

# Matrices of 64-bit integers store their bits as doubles, which would be read as tiny numbers.
refuse_integer64 <- function(x, arg) {
  if (!inherits(x, "integer64")) return(invisible())
  abort(c("{.arg {arg}} must not be of class {.cls integer64}.",
    i = "Convert it to doubles first, for a matrix with {.code array(as.double(x), dim(x))}."))
}

as_plain_frame <- function(x, arg, categories) {
  x <- flat_columns(as.data.frame(x))
  refuse_classes(x, paste0("Columns of {.arg ", arg, "}"))
  for (j in which(!vapply(x, function(column) is.numeric(column) && is.null(attributes(column)), NA))) {
    column <- x[[j]]
    if (is.character(column)) {
      x[[j]] <- column <- factor(column)
      if (!names(x)[j] %in% categories) {
        refuse_near_numbers(levels(column), tabulate(column, nlevels(column)), names(x)[j])
      }
    }
  }
  x
}

valid_names <- function(names, arg) {
  marked <- Encoding(names) == "latin1"
  names[marked] <- enc2utf8(names[marked])
  bad <- which(!validUTF8(names))
  if (length(bad) == 0L) return(names)
  names[bad] <- printable(names[bad])
  inform(c("!" = paste("{length(bad)} column name{?s} of {.arg {arg}} {?has/have} bytes that are not valid UTF-8;",
    "they are shown as in {.val {names[bad[1L]]}}.")))
  names
}

check_names <- function(names, n, prefix, arg) {
  if (is.null(names)) return(cpp_numbered_names(prefix, n))
  names <- valid_names(names, arg)
  missing <- which(is.na(names) | !nzchar(names))
  if (length(missing) > 0L) abort(c("All columns of {.arg {arg}} must have names, or none.",
    x = "Column {missing[1]} has none."))
  twice <- anyDuplicated(names)
  if (twice > 0L) abort(c("Column names of {.arg {arg}} must be unique.",
    x = "{.val {names[twice]}} stands more than once.", i = "Rename the columns, for example with {.fn make.unique}."))
  names
}

# Which features are discrete; fixed when the task is made.
discrete_columns <- function(x, override, weights) {
  discrete <- own_discrete(x, weights)
  if (!is.null(override)) {
    check_discrete(override)
    discrete[column_positions(names(override), colnames(x), "discrete", "feature")] <- override
  }
  discrete
}

# The default. `weights`: of rows; those of weight 0 do not count.
own_discrete <- function(x, weights = NULL) {
  n <- if (is.null(weights)) nrow(x) else sum(weights > 0)
  stats::setNames(cpp_discrete_columns(x, most_whole_levels(n), if (!is.null(weights)) as.double(weights)), colnames(x))
}

# Integers that are not factor codes.
integer_columns <- function(x) {
  if (is.data.frame(x)) return(vapply(x, \(column) is.integer(column) && !is.factor(column), NA, USE.NAMES = FALSE))
  rep(!is_sparse(x) && is.integer(x), ncol(x))
}

# With 20 rows per level, the information of a feature about a label is 0.04 bits by chance alone. More levels make it
# look informative.
few_levels <- function(n) pmax(5, n %/% 20)

# Whole numbers with more values than this are quantities.
most_whole_levels <- function(n) pmin(10, few_levels(n))

check_discrete <- function(discrete) {
  if (is.logical(discrete) && !is.null(names(discrete)) && !anyNA(discrete)) return(invisible())
  abort(c("{.arg discrete} must be a named logical vector, such as {.code c(age = FALSE)}."))
}

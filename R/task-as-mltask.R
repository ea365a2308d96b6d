#' Convert an object of another package to a task
#'
#' Converts `mldr` objects, such as those of the package mldr.datasets, and classification and regression tasks of
#' mlr3. Neither mldr nor mldr.datasets has to be installed.
#'
#' In `mldr` objects, nominal features with the values 0 and 1 become numbers. Other nominal features become factors
#' with the declared levels, and `integer` features become integer columns. So the task is the same as that of
#' [read_mulan()] from the ARFF file of the data set. Columns that mldr adds (`.labelcount`, `.SCUMBLE`) are left out.
#' If all features are numbers, they become a matrix. If at least 80 percent of the feature values are 0, features and
#' labels become a `dgCMatrix`.
#'
#' Of mlr3 tasks, the rows in use, the features and the target are taken, and what the roles of columns say of weights
#' and groups of rows, unless they are given. The target of a classification task is a label or a class, by the rule of
#' [mltask()], and that of a regression task is `"numeric"`.
#'
#' @param x An `mldr` object, or an mlr3 task. A task of mlsift is returned unchanged.
#' @param name (string) Name of the task, by default the name of the object.
#' @param targets Names of further columns of an mlr3 task that are targets too. They must not be features of it. A
#'   column without a role is fine.
#' @param kind,on What the targets are, as in [mltask()].
#' @inheritParams mltask
#' @param ... For methods; not used here.
#' @return A task; see [mltask()].
#' @family tasks
#' @examplesIf requireNamespace("mldr.datasets", quietly = TRUE)
#' as_mltask(mldr.datasets::emotions)
#' @export
as_mltask <- function(x, ...) UseMethod("as_mltask")

#' @rdname as_mltask
#' @export
as_mltask.mltask <- function(x, ...) {
  check_mltask(x)
  x
}

#' @rdname as_mltask
#' @export
as_mltask.mldr <- function(x, name = x$name, kind = NULL, on = NULL, weights = NULL, group = NULL, time = NULL, ...) {
  data <- x$dataset
  at <- x$labels$index
  if (!is.data.frame(data) || !is.numeric(at) || length(at) == 0L || !all(at %in% seq_along(data))) abort(c(
    "{.arg x} must be an intact {.cls mldr} object.",
    x = "Its {.code $dataset} or {.code $labels$index} is missing or does not fit."
  ))
  declared <- declared_columns(names(data), x$attributes)
  columns <- Map(mldr_column, unname(as.list(data)), declared$type, declared$levels)
  names(columns) <- names(data)
  targets <- seq_along(data) %in% at
  added <- names(data) %in% c(".labelcount", ".SCUMBLE")
  rows <- take_rows(list(weights = weights, group = group, time = time), data)
  refuse_row_targets(rows$columns, which(targets), names(data))
  added[rows$columns] <- TRUE
  y <- list2DF(columns[targets])
  if (all(vapply(y, is.double, NA))) y <- as.matrix(y)
  features <- mldr_features(list2DF(columns[!targets & !added]))
  if (is_sparse(features) && is.matrix(y)) y <- methods::as(y, "CsparseMatrix")
  task_of(features, y, kind, on, if (!identical(name, "")) name, NULL, rows$rows)
}

#' @export
as_mltask.default <- function(x, ...) {
  abort_value(x, "an {.cls mldr} object, or a classification or regression task of mlr3",
    i = if (is.function(x))
      "Data sets of {.pkg mldr.datasets} that are functions must be called first: {.code as_mltask(yeast())}."
    else "Make a task of data frames and matrices with {.fn mltask}, of ARFF files with {.fn read_mulan}.")
}

# If all columns are numeric: a matrix, sparse if most values are 0.
mldr_features <- function(x) {
  if (length(x) == 0L || !all(vapply(x, is.double, NA))) return(x)
  filled <- sum(vapply(x, function(v) sum(is.na(v) | v != 0), 0L))
  values <- as.matrix(x)
  if (filled > 0.2 * nrow(x) * length(x)) values else as_sparse_numbers(values)
}

# ARFF type ("real", "integer", "binary", "nominal", or NA) and levels of each column, from the declarations that mldr
# keeps as text.
declared_columns <- function(names, attributes) {
  declaration <- (attributes %||% character())[match(names, names(attributes))]
  each <- lapply(unique(declaration), function(text) {
    if (is.na(text)) return(list(type = NA_character_))
    reader <- cpp_arff_open()
    cpp_read_feed(reader, charToRaw(enc2utf8(paste0("@attribute a ", text, "\n@data\n"))))
    header <- cpp_arff_header(reader)
    list(type = header$type[1L] %||% NA_character_, levels = header$levels[[1L]])
  })
  each <- each[match(declaration, unique(declaration))]
  list(type = vapply(each, `[[`, "", "type"), levels = lapply(each, `[[`, "levels"))
}

mldr_column <- function(values, type, levels) {
  if (is.factor(values)) values <- as.character(values)
  if (!is.character(values)) {
    whole <- type %in% "integer" && all(values == round(values) & abs(values) <= .Machine$integer.max, na.rm = TRUE)
    return(if (whole) as.integer(values) else if (is.numeric(values)) as.double(values) else values)
  }
  values <- trimws(values)
  values[values == "?" & !"?" %in% levels] <- NA
  present <- unique(values[!is.na(values)])
  if (type %in% "binary" && all(present %in% levels)) return(as.numeric(values))
  if (!all(present %in% levels)) levels <- sort(present, method = "radix")
  factor(values, levels)
}

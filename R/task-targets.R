# Converts the targets that users pass to those that a task holds. Features are handled in R/task-mltask.R.

# list(values, kind, frame, unknown). `values`: an integer 0/1 matrix, an ngCMatrix or a dgCMatrix of ones, a data frame
# of factors, or a double matrix; `unknown`: as in new_mltask().
as_targets <- function(y, kind, call) {
  refuse_integer64(y, "y", call)
  if (is.null(dim(y)) && (is_atomic(y) || is.factor(y))) {
    if (anyNA(names(y))) y <- unname(y)
    # Vectors of a class that data.frame() does not support are left unchanged and refused below.
    y <- or_else(data.frame(l1 = y, stringsAsFactors = FALSE), y)
  }
  if (is_matrix_object(y)) y <- as_dgc(y, "y", call)
  if (!is.data.frame(y) && !is.matrix(y) && !is_sparse(y)) {
    abort(c(
      "Targets must be a matrix, a data frame, a sparse {.pkg Matrix} or a vector.", x = "{.arg y} is {describe(y)}."
    ), call = call)
  }
  if (ncol(y) == 0L) abort(c("There must be at least one target.", x = "{.arg y} has no columns."), call = call)
  frame <- is.data.frame(y)
  if (frame) y <- as.data.frame(y)
  colnames(y) <- check_names(colnames(y), ncol(y), "l", "y", call)
  given <- y
  found <- take_unknown(y)
  if (!is.null(found)) y <- found$y
  check_no_missing_target(y, call)
  if (is.character(kind) && identical(unique(unname(kind)), "label")) y <- decode_labels(y)
  types <- target_types(y, call)
  if (is.null(kind)) suggest_labels(y, types)
  kind <- target_kind(kind, types, y, call)
  if (kind == "class") check_no_missing_target(given, call)
  if (kind != "label") y <- with_values(y)
  values <- switch(
    kind, label = as_label_values(y, types, call), class = as_class_values(y),
    numeric = as_numeric_values(y, types, call)
  )
  list(values = clear_unknown(values, found$unknown), kind = kind, frame = frame, unknown = found$unknown)
}

target_columns <- function(y) if (is.data.frame(y)) as.list(y) else lapply(seq_len(ncol(y)), function(j) y[, j])

check_no_missing_target <- function(y, call) {
  if (is_sparse(y)) {
    at <- c(cpp_find_missing(y), cpp_find_infinite(y))
    if (length(at) == 0L) return(invisible())
    row <- at[1L]
    column <- at[2L]
  } else {
    columns <- if (is.data.frame(y)) y else list(y)
    odd <- lapply(columns, function(v) if (is.double(v)) which(!is.finite(v)) else which(is.na(v)))
    first <- which(lengths(odd) > 0L)[1L]
    if (is.na(first)) return(invisible())
    at <- odd[[first]][1L]
    row <- (at - 1L) %% nrow(y) + 1L
    column <- if (is.data.frame(y)) first else (at - 1L) %/% nrow(y) + 1L
  }
  value <- trimws(format(if (is.data.frame(y)) y[[column]][row] else y[row, column]))
  abort(c("Targets must not be missing or infinite.",
    x = "Column {.val {colnames(y)[column]}} is {value} in row {row}.",
    i = if (value %in% c("NA", "NaN")) "Labels and numbers may be NA where they are unknown, categories not.",
    i = "Leave such rows out; {.fn impute_mean} fills in features alone."), call = call)
}

# "binary", "category" or "number" for each target.
target_types <- function(y, call) {
  if (is_sparse(y)) return(ifelse(cpp_discrete_columns(y), "binary", "number"))
  if (is.matrix(y) && !is.character(y)) return(ifelse(cpp_binary_columns(y), "binary", "number"))
  vapply(seq_len(ncol(y)), function(j) {
    column <- dense_column(y, j)
    if (is.logical(column)) return("binary")
    if (is.factor(column)) return(if (is_binary_factor(column)) "binary" else "category")
    if (is.character(column)) return("category")
    if (is.numeric(column) && !is.object(column)) return(if (all(column == 0 | column == 1)) "binary" else "number")
    abort(c("Targets must be numbers, logicals, factors or characters.",
      x = "Column {.val {colnames(y)[j]}} is of class {.cls {class(column)[1]}}."), call = call)
  }, "")
}

is_binary_factor <- function(x) all(levels(x) %in% c("0", "1")) || all(levels(x) %in% c("FALSE", "TRUE"))

target_kind <- function(kind, types, y, call) {
  if (!is.null(kind)) {
    if (is_atomic(kind)) kind <- unique(unname(kind))
    if (length(kind) > 1L) {
      abort(c(
        "All targets must be of one kind.", x = "{.arg kind} holds {.val {kind}}.", i = "Make one task for each kind."
      ), call = call)
    }
    return(check_choice(kind, c("label", "class", "numeric"), arg = "kind", call = call))
  }
  if (length(unique(types)) == 1L) return(c(binary = "label", category = "class", number = "numeric")[[types[1L]]])
  # A factor with levels 0/1 among other factors is also a class.
  categorical <- if (is.data.frame(y)) vapply(y, is.factor, NA) | types == "category" else types == "category"
  if (all(categorical)) return("class")
  odd <- which(types != types[1L])[1L]
  word <- c(binary = "0/1", category = "categories", number = "other numbers")
  abort(c("All targets must be of one kind.",
    x = paste0("Column {.val {colnames(y)[1]}} holds {word[[types[1]]]}, column {.val {colnames(y)[odd]}} ",
      "{word[[types[odd]]]}."),
    i = "Use {.arg kind} ({.val label}, {.val class} or {.val numeric}) to say what all of them are."),
  call = call)
}

# Other ways to write labels: the first value means that the row does not have the label.
label_codes <- list(c("no", "yes"), c("n", "y"), c("false", "true"), c("f", "t"), c("-1", "1"), c("-1", "+1"))
all_label_codes <- c(list(c("0", "1")), label_codes)

label_words <- function(column) tolower(trimws(printable(as.character(column))))

# The code that a column is written in, or NULL if it is none of these. Text with a single value, or the words 0 and 1,
# counts as a code only if it is `called` labels.
label_code <- function(column, called = FALSE) {
  if (is.logical(column)) return(NULL)
  values <- label_words(unique(column))
  called <- called && !is.numeric(column)
  if (length(values) < 2L && !called) return(NULL)
  Find(function(code) all(values %in% code), if (called) all_label_codes else label_codes)
}

# The code that most values of a column are written in, for columns that also have other values.
nearest_label_code <- function(column) {
  words <- label_words(column)
  all_label_codes[[which.max(vapply(all_label_codes, function(code) sum(words %in% code), 0))]]
}

# Converts columns of y in one of these codes to 0 and 1.
decode_labels <- function(y) {
  if (is_sparse(y)) return(y)
  codes <- lapply(target_columns(y), label_code, called = TRUE)
  if (all(vapply(codes, is.null, NA))) return(y)
  columns <- Map(function(column, code) {
    if (is.null(code)) return(column)
    as.integer(label_words(column) == code[2L])
  }, target_columns(y), codes)
  frame <- list2DF(stats::setNames(columns, colnames(y)), nrow(y))
  if (is.data.frame(y)) attr(frame, "row.names") <- attr(y, "row.names")
  frame
}

# Tells the user how to convert targets that look like labels but are not 0 and 1.
suggest_labels <- function(y, types) {
  if (is_sparse(y) || any(types == "binary")) return(invisible())
  columns <- target_columns(y)
  codes <- lapply(columns, label_code)
  if (!any(vapply(codes, is.null, NA))) {
    word <- c(category = "classes", number = "numbers")[[types[1L]]]
    inform(c("!" = "Targets that are {.val {codes[[1L]][1L]}} or {.val {codes[[1L]][2L]}} are used as {word}.",
      i = "To use them as labels, give {.code kind = \"label\"}."))
  } else if (length(columns) == 1L && types[1L] == "category" && mean(grepl("[,;|]", columns[[1L]])) > 0.2) {
    inform(c("!" = "Target {.val {colnames(y)}} seems to hold lists of labels and is used as one class.",
      i = "To use them as labels, give {.code y = split_labels(column, sep = \"{list_separator(columns[[1L]])}\")}."))
  }
}

# The separator that occurs in most rows.
list_separator <- function(column) {
  signs <- c(";", ",", "|")
  signs[which.max(vapply(signs, function(sign) sum(grepl(sign, column, fixed = TRUE)), 0))]
}

as_label_values <- function(y, types, call) {
  odd <- which(types != "binary")
  if (length(odd) > 0L) {
    column <- dense_column(y, odd[1L])
    code <- nearest_label_code(column)
    row <- which(!label_words(column) %in% code)[1L]
    value <- as.character(column[row])
    abort(c("Labels in {.arg y} must be 0 or 1.",
      x = "Column {.val {colnames(y)[odd[1]]}} has {value} in row {row}.",
      i = if (code[1L] != "0") "{.val {code[1]}} and {.val {code[2]}} in this column are read as 0 and 1.",
      i = "For categories use {.code kind = \"class\"}, for numbers {.code kind = \"numeric\"}."), call = call)
  }
  if (is_sparse(y)) return(if (cpp_has_explicit_zero(y)) Matrix::drop0(y) else y)
  values <- if (is.data.frame(y)) vapply(y, as_zero_one, integer(nrow(y))) else array(as.integer(y), dim(y))
  dim(values) <- dim(y)
  dimnames(values) <- list(if (is.matrix(y)) rownames(y), colnames(y))
  values
}

as_zero_one <- function(x) if (is.factor(x)) as.integer(as.character(x) %in% c("1", "TRUE")) else as.integer(x)

as_class_values <- function(y) {
  list2DF(stats::setNames(lapply(target_columns(y), as.factor), colnames(y)), nrow(y))
}

as_numeric_values <- function(y, types, call) {
  odd <- which(types == "category")
  if (length(odd) > 0L) {
    abort(c(
      "Numeric targets must be numbers.", x = "Column {.val {colnames(y)[odd[1]]}} holds categories."
    ), call = call)
  }
  numbers <- function(x) if (is.factor(x)) as.double(as_zero_one(x)) else as.double(x)
  values <- if (is.data.frame(y)) vapply(y, numbers, double(nrow(y))) else as.matrix(y)
  storage.mode(values) <- "double"
  dim(values) <- dim(y)
  dimnames(values) <- list(if (is.matrix(y)) rownames(y), colnames(y))
  values
}

check_sizes <- function(x, y, call) {
  if (nrow(x) != nrow(y)) {
    abort(c(
      "Features and targets must have the same number of rows.",
      x = "There are {nrow(x)} rows of features and {nrow(y)} of targets."
    ),
    call = call)
  }
  if (nrow(x) == 0L) abort(c("A task must have at least one row.", x = "{.arg x} has none."), call = call)
}

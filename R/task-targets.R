# Converts the targets that users pass to an mltargets. decide_targets() finds out what columns are, from
# their values and declared levels alone, for tasks and sources alike. Features are handled in R/task-mltask.R.

as_targets <- function(y, kind, on) {
  kind <- kind %||% attr(y, "target_kind", exact = TRUE)
  y <- plain_targets(y)
  values <- target_values(y)
  decision <- decide_targets(values, colnames(y), kind, on)
  if (is.null(kind) && decision$kind == "numeric" && nrow(y) >= 20L) tell_numbers(values, colnames(y))
  found <- code_targets(y, decision)
  ordered <- if (is.null(kind) && decision$kind == "class" && is.data.frame(y)) names(y)[vapply(y, is.ordered, NA)]
  if (length(ordered) > 0L) inform(c(
    "!" = trap(ordered, "is ordered, and is used as a class without order",
      "are ordered, and are used as classes without order", "Target"),
    i = "{.fn as.integer} makes numbers of ordered categories."))
  new_mltargets(found$values, decision$kind, found$unknown, is.data.frame(y))
}

# A data frame, matrix or sparse matrix with names and without infinite values.
plain_targets <- function(y) {
  refuse_integer64(y, "y")
  if (is.null(dim(y)) && (is_atomic(y) || is.factor(y))) {
    if (anyNA(names(y))) y <- unname(y)
    # Vectors of a class that data.frame() does not support are left unchanged and refused below.
    y <- or_else(data.frame(l1 = y, stringsAsFactors = FALSE), y)
  }
  if (is_matrix_object(y)) y <- as_dgc(y, "y")
  if (!is.data.frame(y) && !(is.matrix(y) && is_atomic(y)) && !is_sparse(y)) abort(c(
    "Targets must be a matrix, a data frame, a sparse {.pkg Matrix} or a vector.", x = "{.arg y} is {describe(y)}."
  ))
  if (ncol(y) == 0L) abort(c("There must be at least one target.", x = "{.arg y} has no columns."))
  if (is.data.frame(y)) y <- flat_columns(as.data.frame(y))
  colnames(y) <- check_names(colnames(y), ncol(y), "l", "y")
  if (is.data.frame(y)) refuse_classes(y, "Targets")
  check_no_value(y, is.infinite)
  y
}

target_columns <- function(y) if (is.data.frame(y)) as.list(y) else lapply(seq_len(ncol(y)), function(j) y[, j])

# Refuses targets with a value for which `bad(column)` is TRUE. If all that is missing are whole rows of a data frame,
# the error has their numbers.
check_no_value <- function(y, bad) {
  columns <- if (is.data.frame(y)) y else list(if (!is_sparse(y)) y else if (is_pattern(y)) numeric() else y@x)
  odd <- lapply(columns, function(column) which(bad(column))[1L])
  first <- which(!is.na(unlist(odd)))[1L]
  if (is.na(first)) return(invisible())
  at <- odd[[first]]
  cell <- if (is_sparse(y)) unknown_cells(y)[at, ] else c((at - 1L) %% nrow(y) + 1L, (at - 1L) %/% nrow(y) + first)
  value <- trimws(format(columns[[first]][at]))
  gaps <- lapply(columns, is.na)
  empty <- Reduce(`&`, gaps)
  abort(c("Targets must not be missing or infinite.",
    x = "Column {.val {colnames(y)[cell[2L]]}} is {value} in row {cell[1L]}.",
    i = if (value %in% c("NA", "NaN")) "Labels and numbers may be NA where they are unknown, categories not.",
    i = "Leave such rows out; {.fn impute_mean} fills in features alone."),
    empty = if (gaps[[first]][at] && identical(empty, Reduce(`|`, gaps))) which(empty))
}

# --- what a column is -------------------------------------------------------------------------------------------------

# The distinct values of each target, or NULL if all of them are 0 and 1, or missing.
target_values <- function(y) {
  if (holds_zero_one(y)) return(NULL)
  if (is_sparse(y)) sparse_values(y) else lapply(unname(target_columns(y)), held_values)
}

# Whether all values are the numbers 0 and 1, logical or missing.
holds_zero_one <- function(y) {
  if (is_sparse(y)) return(all(cpp_binary_columns(y)))
  plain <- function(x) is.numeric(x) || is.logical(x)
  (if (is.data.frame(y)) all(vapply(y, plain, NA)) else plain(y)) && all(cpp_binary_columns(y))
}

# The levels of a factor, both values of a logical; of others the values that occur. Enough numbers to see that they are
# more than two are enough, unless `all` are wanted.
held_values <- function(column, all = FALSE) {
  if (is.factor(column)) return(levels(column))
  if (!any(!is.na(column))) return(NULL)
  if (is.logical(column)) return(c(FALSE, TRUE))
  if (!all && is.numeric(column) && length(found <- sort(unique(utils::head(column, 100L)))) > 2L) return(found)
  sort(unique(column))
}

sparse_values <- function(y) {
  lapply(seq_len(ncol(y)), function(j) {
    stored <- stored_cells(y, j)
    sort(unique(c(if (length(stored) < nrow(y)) 0, y@x[stored])))
  })
}

# Codes in which labels are written, with capitals or without: the second value means that the row has the label.
label_codes <- list(c("0", "1"), c("false", "true"), c("f", "t"), c("no", "yes"), c("n", "y"), c("-1", "1"))

label_words <- function(values) sub("^\\+1$", "1", tolower(trimws(printable(plain_text(values)))))

# The code that all values are written in, or NULL.
label_code <- function(values) {
  words <- label_words(values)
  Find(function(code) all(words %in% code), label_codes)
}

# The kinds that a column may have, the likeliest first. Labels may be classes, and single numbers may be anything.
possible_kinds <- function(values) {
  if (length(values) == 0L) return(target_kinds)
  if (!is.null(if (length(values) < 10L) label_code(values))) {
    return(if (is.numeric(values) && length(values) == 1L) target_kinds else c("label", "class"))
  }
  if (is.character(values)) return("class")
  if (length(values) == 1L) return(c("numeric", "class"))
  c(if (identical(as.double(values), c(1, 2))) "class", "numeric")
}

# The kind of all targets. Columns with one value follow the others, and those with the fewest possible kinds lead.
found_kind <- function(values, names) {
  possible <- lapply(values, possible_kinds)
  kinds <- Reduce(intersect, possible[order(lengths(values) < 2L, lengths(possible))])
  if (length(kinds) > 0L) return(kinds[1L])
  first <- vapply(possible, `[`, "", 1L)
  apart <- which(lengths(Reduce(intersect, possible, accumulate = TRUE)) == 0L)[1L]
  at <- c(which(!vapply(possible, function(kinds) any(kinds %in% possible[[apart]]), NA))[1L], apart)
  if (is.na(at[1L])) at[1L] <- 1L
  word <- c(label = "labels", class = "categories", numeric = "numbers")
  found <- vapply(at, function(j) {
    cli::format_inline("column {.val {names[j]}} holds {word[[first[j]]]} ({.val {utils::head(values[[j]], 3L)}})")
  }, "")
  abort(c("All targets must be of one kind.", x = "In one task, {found[1L]} and {found[2L]}.",
    i = "Make one task for each kind, or say what all of them are with {.arg kind}: {.or {.val {target_kinds}}}.",
    i = counts_hint(values)))
}

# For distinct values, or columns of them, that look like counts.
counts_hint <- function(values) {
  values <- unlist(values)
  values <- values[!is.na(values)]
  if (is.numeric(values) && 0 %in% values && any(values > 1) && all(values >= 0 & values == trunc(values))) {
    "To make labels of counts, present or not, compare them with 0 first: {.code y > 0}."
  }
}

# list(kind, codes) of targets with these distinct values, NULL if all are 0 and 1. `codes`: for each label, 0 and 1
# named by the values that stand for them; or NULL for 0 and 1. `kind`, `on`: what the user gave.
decide_targets <- function(values, names, kind, on) {
  kind <- check_kind(kind, on)
  on <- check_on(on, names)
  found <- kind %||% if (is.null(values)) "label" else found_kind(values, names)
  if (is.null(values) && !is.null(on)) values <- rep(list(c(0, 1)), length(names))
  check_on_occurs(on, values, names)
  codes <- if (found == "label" && !is.null(values)) Map(value_codes, values, on[names] %||% NA, names)
  if (is.null(kind) && !is.null(values)) tell_kind(found, values, codes, names)
  list(kind = found, codes = unname(codes))
}

check_kind <- function(kind, on) {
  if (is_atomic(kind)) kind <- unique(unname(kind))
  if (is_atomic(kind) && length(kind) > 1L) abort(c("All targets must be of one kind.",
    x = "{.arg kind} holds {.val {kind}}.", i = "Make one task for each kind."))
  if (is.null(kind)) return(if (!is.null(on)) "label")
  check_choice(kind, target_kinds, arg = "kind")
  if (!is.null(on) && kind != "label") abort(c("{.arg on} is for labels.", x = "{.arg kind} is {.val {kind}}."))
  kind
}

# The value of each target that means on, by name; NA where the codes apply.
check_on <- function(on, names) {
  if (is.null(on)) return(NULL)
  if (!is_atomic(on) || length(on) == 0L || anyNA(on) || is.null(names(on)) && length(on) > 1L) {
    abort_value(on, "one value, or one for each target that it names",
      i = "An example is {.code c(sex = \"f\", smokes = \"yes\")}.",
      i = "If several values mean on, compare targets with them first: {.code y %in% c(\"a\", \"b\")}.")
  }
  words <- stats::setNames(plain_text(on), names(on))
  if (is.null(names(on))) return(stats::setNames(rep(words, length(names)), names))
  result <- stats::setNames(rep(NA_character_, length(names)), names)
  result[column_positions(names(on), names, "on", "target")] <- words
  result
}

# Each value given must be one of a target that is not constant.
check_on_occurs <- function(on, values, names) {
  for (value in unique(on[!is.na(on)])) {
    of <- which(on == value)
    occurs <- vapply(values[of], function(values) value %in% plain_text(values), NA)
    if (any(occurs) || all(lengths(values[of]) < 2L)) next
    abort_on(value, values[[of[1L]]], names[of[1L]])
  }
}

abort_on <- function(on, words, name) {
  shown <- cli::cli_vec(as.character(words), list("vec-trunc" = 5))
  abort(c("{.arg on} must be one of the two values of a target.",
    x = "It is {.val {on}}, and {.val {name}} has {.val {shown}}.",
    i = if (on %in% words) "For one value against all others, give such a target: {.code {name} == {.val {on}}}."))
}

# 0 and 1 named by the values that stand for them; NULL for numbers and logicals that mean themselves. `on`: the value
# that the user gave, or NA. Values that no code knows are left to code_targets().
value_codes <- function(values, on, name) {
  words <- plain_text(values)
  code <- label_code(values)
  if (!is.na(on) && (on %in% words || is.null(code))) return(given_codes(words, on, name))
  if (!is.character(values) && (is.null(code) || code[1L] %in% c("0", "false"))) return(NULL)
  # The code that most values are written in.
  code <- code %||% label_codes[[which.max(vapply(label_codes, \(code) sum(label_words(words) %in% code), 0L))]]
  spelled <- lapply(code, \(word) unique(c(words[label_words(words) == word], word, toupper(word), upper_first(word))))
  stats::setNames(rep(0:1, lengths(spelled)), unlist(spelled))
}

# A column without the value must have one value only, which then means off.
given_codes <- function(words, on, name) {
  off <- setdiff(words, on)
  if (length(off) > 1L) abort_on(on, words, name)
  stats::setNames(c(rep(0L, length(off)), 1L), c(off, on))
}

# Says how targets were understood where they are not plainly 0 and 1.
tell_kind <- function(kind, values, codes, names) {
  if (kind == "label") return(tell_labels(codes, is.character(values[[1L]])))
  if (kind != "class") return(invisible())
  two <- which(lengths(values) == 2L)
  labels <- vapply(values, function(values) possible_kinds(values)[1L] == "label", NA)
  mixed <- intersect(two, which(labels))
  if (length(mixed) > 0L) {
    inform(c("!" = paste("Target {.val {names[mixed[1L]]}} ({.val {as.character(values[[mixed[1L]]])}}) is taken as a",
      "class, as {.val {names[!labels][1L]}} is one."), i = "Make one task of the labels, and one of the classes."))
  } else if (length(two) > 0L && max(lengths(values)) == 2L) {
    shown <- as.character(values[[two[1L]]])
    inform(c(
      "!" = "Targets with the values {.val {shown[1L]}} and {.val {shown[2L]}} are taken as classes of two levels.",
      i = "For labels, give the value that means on: {.code kind = \"label\", on = \"{shown[2L]}\"}.",
      i = if (!is.character(values[[1L]])) "For numbers, give {.code kind = \"numeric\"}."))
  } else if (length(values) == 1L && mean(grepl("[,;|]", values[[1L]])) > 0.2) {
    inform(c("!" = "Target {.val {names}} seems to hold lists of labels and is used as one class.",
      i = "To use them as labels, give {.code y = split_labels(column, sep = \"{list_separator(values[[1L]])}\")}."))
  }
}

# Categories are often written as 1, 2, 3, ...
tell_numbers <- function(values, names) {
  like_codes <- vapply(values, function(held) {
    length(held) %in% 3:10 && held[1L] %in% 0:1 && all(held == held[1L] + seq_along(held) - 1)
  }, NA)
  if (all(like_codes)) inform(c("i" = trap(names, "is taken as a number", "are taken as numbers", "Target"),
    " " = "If the numbers stand for categories, say so: {.code kind = \"class\"}."))
}

tell_labels <- function(codes, text) {
  said <- Filter(function(codes) !all(names(codes) %in% names(plain_codes)), codes)
  on <- unique(vapply(said, function(codes) names(codes)[codes == 1L][1L], ""))
  other <- if (text) "class" else "numeric"
  if (length(on) > 0L) inform(c("!" = "Targets are taken as labels: on is {.val {on}}.",
    i = "{.code kind = \"{other}\"} takes them as they are."))
}

plain_codes <- stats::setNames(rep(0:1, each = 4L), c("0", "FALSE", "False", "false", "1", "TRUE", "True", "true"))

# The separator that occurs in most values.
list_separator <- function(values) {
  signs <- c(";", ",", "|")
  signs[which.max(vapply(signs, function(sign) sum(grepl(sign, values, fixed = TRUE)), 0))]
}

# --- what a task holds of it ------------------------------------------------------------------------------------------

# list(values, unknown) by a decision of decide_targets(), which may have come from other rows.
code_targets <- function(y, decision) {
  if (decision$kind == "class") check_no_value(y, is.na)
  unknown <- unknown_pattern(y)
  values <- switch(decision$kind,
    label = as_label_values(y, decision$codes),
    class = list2DF(lapply(stats::setNames(target_columns(with_values(y)), colnames(y)), as_levels), nrow(y)),
    numeric = as_numeric_values(with_values(y))
  )
  list(values = clear_unknown(values, unknown), unknown = unknown)
}

as_label_values <- function(y, codes) {
  if (is.null(unlist(codes)) && holds_zero_one(y)) {
    if (is_sparse(y)) return(y)
    return(label_array(if (is.data.frame(y)) vapply(y, as.integer, integer(nrow(y))) else as.integer(y), y))
  }
  column <- function(j) {
    values <- dense_column(y, j)
    code <- if (length(codes) > 0L) codes[[j]]
    found <- zero_one(values, code)
    odd <- which(is.na(found) & !is.na(values))[1L]
    if (!is.na(odd)) abort_no_label(values, odd, code, colnames(y)[j])
    found
  }
  if (!is_sparse(y)) return(label_array(vapply(seq_len(ncol(y)), column, integer(nrow(y))), y))
  cells <- lapply(seq_len(ncol(y)), function(j) which(column(j) != 0L))
  result <- with_values(pattern_of(unlist(cells), rep.int(seq_along(cells), lengths(cells)), dim(y)))
  dimnames(result) <- dimnames(y)
  result
}

label_array <- function(values, y) array(values, dim(y), list(if (is.matrix(y)) rownames(y), colnames(y)))

# 0, 1 or NA for each value of a column.
zero_one <- function(column, codes) {
  if (is.factor(column)) return(zero_one(levels(column), codes)[column])
  codes <- codes %||% plain_codes
  if (is.logical(column)) column <- as.character(column)
  known <- if (is.numeric(column)) suppressWarnings(as.numeric(names(codes))) else names(codes)
  unname(codes)[match(column, known, incomparables = NA)]
}

abort_no_label <- function(values, row, codes, name) {
  value <- as.character(values[row])
  if (!grepl("[^ ]", value)) value <- encodeString(value, quote = "\"")
  words <- as.character(held_values(values))
  read <- if (mean(words %in% names(codes)) > 0.5) vapply(0:1, function(code) names(codes)[codes == code][1L], "")
  abort(c("Labels must be 0 or 1.", x = "Column {.val {name}} has {value} in row {row}.",
    i = if (!is.null(read)) "{.val {read[1L]}} and {.val {read[2L]}} in this column are read as 0 and 1.",
    i = if (length(words) == 2L) "If one of its two values means on, name it: {.code on = {.val {words[2L]}}}.",
    i = "For categories use {.code kind = \"class\"}, for numbers {.code kind = \"numeric\"}.",
    i = counts_hint(values)))
}

as_numeric_values <- function(y) {
  column <- function(j) {
    values <- y[[j]]
    if (!is.factor(values) && !is.character(values)) return(as.double(values))
    found <- zero_one(values, NULL)
    if (identical(is.na(found), is.na(values))) return(as.double(found))
    abort(c("Numeric targets must be numbers.", x = "Column {.val {colnames(y)[j]}} holds categories.",
      i = if (is.factor(values)) "If they are in order, {.fn as.integer} makes numbers of them."))
  }
  if (is.matrix(y) && is.character(y)) y <- as.data.frame(y)
  values <- if (is.data.frame(y)) vapply(seq_along(y), column, double(nrow(y))) else as.matrix(y)
  storage.mode(values) <- "double"
  label_array(values, y)
}

check_sizes <- function(x, y) {
  if (nrow(x) != nrow(y)) abort(c(
    "Features and targets must have the same number of rows.",
    x = "There are {nrow(x)} rows of features and {nrow(y)} of targets.",
    i = if (ncol(x) == nrow(y))
      "There are as many columns of features: if these are the rows, transpose {.arg x}: {.code t(x)}.",
    i = if (ncol(y) == nrow(x))
      "There are as many columns of targets: if these are the rows, transpose {.arg y}: {.code t(y)}."
  ))
  if (nrow(x) == 0L) abort(c("A task must have at least one row.", x = "{.arg x} has none."))
}

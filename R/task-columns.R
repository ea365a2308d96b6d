# Which columns a user means, and which of their cells are missing: the same at every door.

# Positions of the columns selected by `quo`, in the order of the columns. `x`: the data, or NULL if only names are
# known.
pick_columns <- function(x, names, quo, arg) {
  value <- NULL
  none <- FALSE
  expr <- rlang::quo_get_expr(quo)
  refuse_formula(expr, arg)
  refuse_ambiguous(expr, rlang::quo_get_env(quo), names, arg)
  if (!any(all.vars(expr) %in% names) && !any(all.names(expr) %in% c("all_of", "any_of"))) {
    # `"a":"z"` is for tidyselect. It warns before it fails: warnings are told of what has a value.
    said <- list()
    value <- or_else(list(withCallingHandlers(rlang::eval_tidy(quo), warning = function(w) {
      said <<- c(said, list(w))
      rlang::cnd_muffle(w)
    })), NULL)
    if (!is.null(value)) lapply(said, warning)
    none <- identical(value, list(NULL))
    value <- if (!is.null(value)) value[[1L]]
  }
  refuse_formula(value, arg)
  if (is.call(expr) && identical(expr[[1L]], quote(`$`))) value <- value %||% or_else(rlang::eval_tidy(quo), NULL)
  refuse_values(value, x, arg)
  apart <- length(dim(value)) == 2L
  if (!apart && (is.character(value) || is.numeric(value) || is.logical(value))) {
    return(sort(unique(column_positions(value, names, arg))))
  }
  if (is.list(value) || apart) {
    abort(c("{.arg {arg}} must choose columns by names, numbers, or an expression of tidyselect.",
      x = "It is {describe(value)}.",
      i = if (apart && arg == "targets") "A table of targets beside the features: {.code mltask(x, y)}."))
  }
  of <- if (!is.null(x)) cli::format_inline(" of {.arg x}") else ""
  data <- if (is.data.frame(x)) x else stats::setNames(as.list(seq_along(names)), names)
  picked <- if (none) integer() else catch_error(
    tidyselect::eval_select(quo, data, allow_rename = FALSE),
    function(e) abort(c("{.arg {arg}} does not choose columns{of}.", i = unknown_column(quo, names),
      i = if (any(c("+", "cbind") %in% all.names(expr))) "To choose several columns: {.code c(a, b)}."), parent = e)
  )
  if (length(picked) == 0L && arg == "targets") abort(c("{.arg targets} must choose at least one column{of}.",
    x = "It chooses none."))
  sort(unname(picked))
}

# A line on the first name of an expression that is neither a column nor a variable, but similar to one.
unknown_column <- function(quo, names) {
  bare <- setdiff(all.vars(rlang::quo_get_expr(quo)), names)
  gone <- Filter(\(name) !rlang::env_has(rlang::quo_get_env(quo), name, inherit = TRUE), bare)
  if (length(gone) > 0L) did_you_mean(gone[1L], names)
}

# The value of an argument that is not looked up among the columns, as `targets` is. Where that fails because it names
# columns without quotes, or finds a function of that name, the error says so. Other errors are the user's own.
argument_value <- function(quo, arg, names) {
  problem <- NULL
  value <- catch_error(rlang::eval_tidy(quo), function(e) problem <<- e)
  if (is.null(problem) && !is.function(value)) return(value)
  bare <- Filter(function(name) {
    held <- rlang::env_get(rlang::quo_get_env(quo), name, default = NULL, inherit = TRUE)
    is.null(held) || is.function(held)
  }, intersect(all.vars(rlang::quo_get_expr(quo)), names))
  said <- function(name) grepl(name, conditionMessage(problem), fixed = TRUE)
  if (!is.null(problem) && !any(vapply(bare, said, NA))) stop(problem)
  if (length(bare) == 0L) return(value)
  if (arg == "y") refuse_names(bare)
  abort(c("{.arg {arg}} must hold values, or the name of a column in quotes.",
    x = "It uses the column {.val {bare[1L]}} without quotes.", i = "Write {.code {arg} = \"{bare[1L]}\"}."))
}

argument_values <- function(quos, names) {
  lapply(stats::setNames(nm = names(quos)), function(arg) argument_value(quos[[arg]], arg, names))
}

refuse_formula <- function(x, arg) {
  if (!rlang::is_formula(x, lhs = TRUE)) return(invisible())
  abort(c("{.arg {arg}} must choose columns by names, numbers, or an expression of tidyselect.", x = "It is a formula.",
    i = "A formula is the first argument of {.fn mltask}: {.code mltask(a + b ~ ., data)}."))
}

# Codes such as 0 and 1 would be taken as numbers of columns.
refuse_values <- function(value, x, arg) {
  if (!is.data.frame(x) || !(is.numeric(value) || is.factor(value)) || length(value) != nrow(x)) return(invisible())
  if (anyDuplicated(value) == 0L) return(invisible())
  same <- names(x)[vapply(x, function(column) isTRUE(all.equal(column, value, check.attributes = FALSE)), NA)]
  abort(c("{.arg {arg}} must choose columns by names, numbers, or an expression of tidyselect.",
    x = "It holds a value for each row.",
    i = if (length(same) > 0L) "Name the column: {.code {arg} = {deparse1(same[1L])}}."
    else if (arg == "targets") "Targets beside the features: {.code mltask(x, y)}."))
}

refuse_names <- function(names) {
  abort(c("{.arg y} must hold the values of the targets.", x = "It names columns of {.arg x}: {.val {names}}.",
    i = "Use {.code targets = } to name them."))
}

# Columns to leave out; none for NULL.
excluded_columns <- function(x, names, quo) {
  if (rlang::quo_is_null(quo)) integer() else pick_columns(x, names, quo, "exclude")
}

# The data without the columns `rows`, which hold what is known of rows, and those to leave out.
drop_columns <- function(x, rows, exclude) {
  if (is.null(dim(x))) return(x)
  if (is.null(colnames(x)) && !rlang::quo_is_null(exclude)) colnames(x) <- cpp_numbered_names("f", ncol(x))
  at <- c(rows, excluded_columns(x, colnames(x), exclude))
  if (length(at) > 0L) x[, -at, drop = FALSE] else x
}

refuse_overlap <- function(targets, excluded, names, arg = "targets") {
  both <- intersect(targets, excluded)
  if (length(both) == 0L) return(invisible())
  abort(c("{.arg {arg}} and {.arg exclude} must not overlap.", x = "{.val {names[both[1]]}} is in both."))
}

# Refuses bare names that could mean a column as well as the columns that a variable holds.
refuse_ambiguous <- function(expr, env, names, arg) {
  if (rlang::is_quosure(expr)) return(refuse_ambiguous(rlang::quo_get_expr(expr), rlang::quo_get_env(expr), names, arg))
  joins <- is.call(expr) && is.symbol(expr[[1L]]) && as.character(expr[[1L]]) %in% c("c", "-", "!", ":", "(", "&", "|")
  for (part in if (joins) as.list(expr)[-1L]) refuse_ambiguous(part, env, names, arg)
  if (!is.symbol(expr)) return(invisible())
  name <- as.character(expr)
  at <- match(name, names)
  held <- if (!is.na(at)) rlang::env_get(env, name, default = NULL, inherit = TRUE)
  if (!is.character(held) && !is.numeric(held) && !is.logical(held)) return(invisible())
  meant <- or_else(column_positions(held, names, arg), integer())
  if (length(meant) == 0L || identical(meant, at)) return(invisible())
  shown <- cli::cli_vec(names[meant], list("vec-trunc" = 3))
  abort(c("{.arg {arg}} is ambiguous: {.code {name}} is a column and a variable.",
    x = "The variable chooses {.val {shown}}.", i = "For the column, write {.code \"{name}\"}.",
    i = "For the variable, write {.code all_of({name})}."))
}

# Positions for names, numbers (negative: all but these) or a logical vector.
column_positions <- function(value, names, arg, what = "column") {
  n <- length(names)
  if (n == 0L && length(value) > 0L) abort("{.arg {arg}} must be left out: there is no {what} to choose.")
  if (!is_atomic(value)) abort_value(value, "names, whole numbers from 1 to {n} or a logical vector", arg = arg)
  if (anyNA(value)) abort(c("{.arg {arg}} must not contain missing values."))
  if (is.factor(value)) value <- as.character(value)
  if (is.character(value)) {
    check_encoding(value, arg)
    at <- match_names(value, names)
    if (anyNA(at)) {
      missing <- value[is.na(at)][1L]
      abort(c("{.arg {arg}} must name {what}s that exist.", x = "There is no {what} {.val {missing}}.",
        i = did_you_mean(missing, names)))
    }
    return(at)
  }
  if (is.logical(value)) {
    if (length(value) != n) abort(c("A logical {.arg {arg}} must have one value for each of the {n} {what}s.",
      x = "It has {length(value)}."))
    return(which(value))
  }
  odd <- if (is.numeric(value)) value == 0 | !are_whole(value, n) else TRUE
  if (any(odd)) {
    found <- if (is.numeric(value)) value[odd][1L] else describe(value)
    abort(c("{.arg {arg}} must be names, whole numbers from 1 to {n} or a logical vector.", x = "It contains {found}."))
  }
  if (any(value < 0) && any(value > 0)) abort("{.arg {arg}} must not mix positive and negative numbers.")
  seq_len(n)[value]
}

# --- missing cells ----------------------------------------------------------------------------------------------------

check_na <- function(na) {
  if (is.null(na) || (is.character(na) && !anyNA(na))) return(na)
  abort_value(na, "strings that stand for missing values, such as {.code c(\"?\", \"<0.1\")}")
}

# The data with the cells missing that hold one of the strings `na`, or its number.
clear_cells <- function(x, na) {
  if (length(na) == 0L) return(x)
  if (is_matrix_object(x)) x <- as_dgc(x)
  if (is.matrix(x) && is.character(x)) x <- as.data.frame(x, stringsAsFactors = FALSE)
  if (is.data.frame(x)) {
    x <- flat_columns(x)
    x[] <- lapply(x, clear_column, na)
    return(x)
  }
  if (!is_sparse(x)) return(clear_column(x, na))
  codes <- decimals_of(na)
  if (0 %in% codes || is_pattern(x)) {
    abort(c("{.arg na} cannot name values of a sparse matrix that are not stored, or of a pattern.",
      i = "Use a dense matrix or a data frame."))
  }
  x@x[x@x %in% codes[!is.na(codes)]] <- NA
  x
}

# Text that holds only numbers otherwise becomes numbers.
clear_column <- function(column, na) {
  if (is.numeric(column) && !is.object(column)) {
    codes <- decimals_of(na)
    column[column %in% codes[!is.na(codes)]] <- NA
    return(column)
  }
  if (!is.character(column) && !is.factor(column)) return(column)
  words <- if (is.factor(column)) levels(column) else unique(column)
  if (!any(words %in% na)) return(column)
  if (is.ordered(column)) return(factor(column, setdiff(words, na), ordered = TRUE))
  text <- as.character(column)
  text[text %in% na] <- NA
  if (all(is_decimal(text[!is.na(text)]))) as.numeric(text) else if (is.factor(column)) factor(text) else text
}

# Decimal numbers, as files have them.
is_decimal <- function(text) {
  grepl("^[ \t]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[ \t]*$", text, useBytes = TRUE)
}

# Numbers as people write them, such as "1.234,5", "1,234.5", "0,5" and "12 %", if not all of them are decimal.
are_written_numbers <- function(text) {
  number <- is_decimal(text)
  !all(number) && all(number | grepl("^ *[-+]?([0-9]{1,3}([., '][0-9]{3})+|[0-9]+)([.,][0-9]+)? ?[%$]? *$", text,
    useBytes = TRUE))
}

decimals_of <- function(text) ifelse(is_decimal(text), suppressWarnings(as.numeric(text)), NA_real_)

# Refuses text that is nearly all numbers: as levels it would look informative, whatever it holds. `words`: its
# distinct values; `times`: how often each occurs.
refuse_near_numbers <- function(words, times, name) {
  number <- is_decimal(words)
  n <- sum(times)
  if (all(number) || sum(times[number]) < 10 || sum(times[number]) <= 0.9 * n) return(invisible())
  odd <- words[!number][order(-times[!number])]
  shown <- paste(c(encodeString(utils::head(odd, 3L), quote = "`"), if (length(odd) > 3L) "..."), collapse = ", ")
  missing <- deparse1(utils::head(odd, 3L))
  argument <- deparse1(as.name(name), backtick = TRUE)
  abort(c("Feature {.val {name}} is text, and nearly all of it is numbers.",
    x = "{format_count(n - sum(times[number]))} of {format_count(n)} are not: {shown}.",
    i = "If they are missing values, name them: {.code na = {missing}}.",
    i = "If the numbers are names of categories, give {.code discrete = c({argument} = TRUE)}."))
}

# --- what columns hold ------------------------------------------------------------------------------------------------

# Refuses a data frame with columns of other classes, and names all of them. `what`: what they are, as text for cli.
refuse_classes <- function(x, what) {
  fits <- vapply(x, function(column) {
    is.factor(column) || !is.object(column) && is.null(dim(column)) &&
      (is.numeric(column) || is.logical(column) || is.character(column))
  }, NA)
  if (all(fits)) return(invisible())
  classes <- vapply(x[!fits], function(column) class(column)[1L], "")
  said <- lapply(unique(classes), function(class) {
    names <- names(classes)[classes == class]
    of <- "of class {.cls {class}}"
    hints <- class_hints(x[[names[1L]]], names[1L], what)
    c(x = cli::format_inline(trap(names, paste("is", of), paste("are", of), "Column")),
      stats::setNames(hints, rep("i", length(hints))))
  })
  said <- do.call(c, said)
  abort(c(paste(what, "must be numbers, logicals, factors or characters."),
    stats::setNames(sprintf("{said[%d]}", seq_along(said)), names(said)),
    i = if (what != "Targets") "Columns that are not needed can be left out with {.arg exclude}."))
}

# What columns like this one, of a class that is refused, can become; as text.
class_hints <- function(column, name, what) {
  is_time <- inherits(column, c("Date", "POSIXt"))
  hint <- if (inherits(column, "haven_labelled")) {
    "{.fn haven::as_factor} makes factors of such columns, {.fn haven::zap_labels} makes numbers."
  } else if (is_time || is.null(dim(column)) && typeof(column) %in% c("integer", "double")) {
    "{.fn as.numeric} makes numbers of such columns."
  } else if (is.numeric_version(column)) {
    "{.fn as.character} makes text of such columns."
  } else if (is.list(column)) {
    "If they hold sets of labels, {.fn split_labels} makes a column for each label."
  }
  time <- if (is_time && what != "Targets") "If it is the time of rows, name it: {.code time = {deparse1(name)}}."
  vapply(c(time, hint), function(text) cli::format_inline(text), "", USE.NAMES = FALSE)
}

# --- columns of new rows ----------------------------------------------------------------------------------------------

# The columns of training rows that are no numbers, without their rows: factors, and logicals.
column_types <- function(x) {
  if (is.data.frame(x)) lapply(Filter(function(column) is.factor(column) || is.logical(column), x), `[`, 0L)
}

# New features of the types that they had in training, so that functions of users may go by them. Numbers and logicals
# stand for each other. Factors begin with the levels of training, or keep theirs without `levels`. `types`: the
# column_types() of the training rows; all other features were numbers.
like_training <- function(x, types, levels = TRUE) {
  if (!is.data.frame(x)) {
    if (!any(vapply(types, is.factor, NA))) return(x)
    x <- as.data.frame(as.matrix(with_values(x)), optional = TRUE)
  }
  for (f in which(!vapply(x, is.numeric, NA) | names(x) %in% names(types))) {
    known <- types[[names(x)[f]]]
    if (levels || !is.factor(x[[f]]) || !is.factor(known)) x[[f]] <- column_like(x[[f]], known, names(x)[f])
  }
  x
}

column_like <- function(values, known, name) {
  check_column_type(values, levels(known) %||% known, name)
  if (is.null(known)) return(as.double(values))
  if (is.logical(known)) return(if (is.factor(values) || all(values %in% c(0, 1, NA))) as.logical(values) else values)
  if (identical(attributes(values), attributes(known))) return(values)
  text <- level_text(values, levels(known))
  factor(text, unique(c(levels(known), text[!is.na(text)])), ordered = is.ordered(known))
}

# `known`: the levels that a column of new rows had in training, if it was a factor. Numbers may stand for levels that
# are numbers. A column without values is of any type.
check_column_type <- function(column, known, name) {
  type <- function(x) if (is.character(x)) "character" else if (is.logical(x)) "logical" else "double"
  fits <- if (is.factor(column)) is.character(known)
  else if (!is.character(known)) TRUE
  else if (is.logical(column)) any(c("FALSE", "TRUE") %in% known)
  else !anyNA(suppressWarnings(as.double(known)))
  if (!fits && !all(is.na(column))) refuse_type(name, type(known), if (is.factor(column)) "character" else type(column))
}

# The levels that values stand for, as text. Numbers do so by their value: 1e5 and 100000L are the same.
level_text <- function(column, known) {
  text <- as.character(column)
  if (!is.numeric(column) || all(is.na(text))) return(text)
  at <- match(column, as.double(known))
  ifelse(is.na(at), text, known[at])
}

# `was`, `is`: types of the values or levels.
refuse_type <- function(name, was, is) {
  words <- c(character = "a factor", logical = "logical", double = "numeric")
  abort(c("Features of {.arg newdata} must be of the type they had in training.",
    x = "{.val {name}} was {words[[was]]} and is {words[[is]]}."))
}

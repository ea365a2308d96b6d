# Argument checks. Every failed check raises an error. The message says which argument is wrong, what was found, what
# was expected and what to do.

# The elements of a list that are not NULL.
given_params <- function(params) Filter(Negate(is.null), params)

# Vectors, factors and matrices of values. R before 4.4 calls NULL atomic; later versions do not.
is_atomic <- function(x) !is.null(x) && is.atomic(x)

# One number. Class integer64 is excluded: it stores its bits as a double, which would be read as a tiny number.
is_number <- function(x) is.numeric(x) && length(x) == 1L && !inherits(x, "integer64") && !is.na(x)

# A plain vector of n numbers, or one of a class whose numbers as.double() gives, such as case weights of hardhat.
is_numbers <- function(x, n) is.numeric(x) && is.null(dim(x)) && length(x) == n && !inherits(x, "integer64")

is_whole <- function(x) is_number(x) && are_whole(x, Inf)

# By default, whether R's integers hold them.
are_whole <- function(x, max = .Machine$integer.max) is.finite(x) & x == round(x) & abs(x) <= max

# Whether values are as large as others. Equal ones may differ by rounding.
at_least <- function(x, other) x >= other - ifelse(is.finite(other), 1e-12 * abs(other), 0)

# The whole part of a share of a number. As doubles, 0.29 of 100 are less than 29.
whole_part <- function(x) floor(x + 1e-9)

# The path with a suffix, if its name has none.
with_suffix <- function(file, suffix) {
  if (dir.exists(file) || grepl("[.][[:alnum:]]+$", basename(file))) file else paste0(file, ".", suffix)
}

# A whole number in [min, max], returned as an integer if integers hold `max`.
check_count <- function(x, min = 1, max = .Machine$integer.max, null = FALSE, arg = rlang::caller_arg(x)) {
  if (null && is.null(x)) return(NULL)
  if (!is_whole(x) || x < min || x > max) {
    # A limit that only protects memory is mentioned only when it is exceeded.
    limited <- max < 1e5 || (is_number(x) && x > max)
    expected <- if (max == min) "{min}" else if (limited) "a whole number from {min} to {max}"
    else "a whole number, {min} or more"
    abort_value(x, expected, arg = arg)
  }
  if (max <= .Machine$integer.max) as.integer(x) else as.double(x)
}

# A number in [min, max], or in (min, max] with `above`. `finite` also excludes infinite values.
check_number <- function(x, min = -Inf, max = Inf, above = FALSE, finite = FALSE, null = FALSE,
                         arg = rlang::caller_arg(x)) {
  if (null && is.null(x)) return(NULL)
  if (!is_number(x) || x < min || x > max || (above && x == min) || (finite && is.infinite(x))) {
    from <- if (!is.finite(min)) "" else if (above) " above {min}" else if (is.finite(max)) " from {min}" else
      ", {min} or more"
    to <- if (!is.finite(max)) "" else if (above) ", at most {max}" else if (is.finite(min)) " to {max}" else
      ", {max} or less"
    abort_value(x, paste0("a ", if (finite) "finite ", "number", from, to), arg = arg)
  }
  as.double(x)
}

check_flag <- function(x, arg = rlang::caller_arg(x)) {
  if (!is.logical(x) || length(x) != 1L || is.na(x)) abort_value(x, "TRUE or FALSE", arg = arg)
  x
}

check_string <- function(x, null = FALSE, arg = rlang::caller_arg(x)) {
  if (null && is.null(x)) return(NULL)
  if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x)) abort_value(x, "one string", arg = arg)
  check_encoding(x, arg)
}

# Text that is printed, matched and written must be valid UTF-8 or be marked with another encoding.
check_encoding <- function(x, arg = rlang::caller_arg(x)) {
  bad <- which(!is_utf8(x))
  if (length(bad) > 0L) {
    found <- quoted(x[bad[1L]])
    abort(c("{.arg {arg}} must be valid UTF-8.", x = "It has {found}.",
      i = "Convert it with {.fn iconv} from the encoding that it is in."))
  }
  x
}

# A function of mlsift's users, which is called with these arguments in their order.
check_function <- function(x, takes, arg = rlang::caller_arg(x)) {
  form <- paste0("function(", paste(takes, collapse = ", "), ")")
  if (!is.function(x)) abort_value(x, "a function: {.code {form}}", arg = arg)
  shown <- args(x)
  own <- if (!is.null(shown)) names(formals(shown))
  # Some primitives do not tell what they take.
  if (is.null(shown) || "..." %in% own || length(own) >= length(takes)) return(x)
  abort(c("{.arg {arg}} must be a function of {length(takes)} argument{?s}: {.code {form}}.",
    x = if (length(own) == 0L) "It has none." else "It has only {.arg {own}}."))
}

# Longer paths are texts by mistake, and R warns of them.
check_path <- function(x, null = FALSE, arg = rlang::caller_arg(x)) {
  n <- nchar(check_string(x, null, arg) %||% "", "bytes")
  if (n > 4000) abort(c("{.arg {arg}} must be the path of a file.", x = "It is a text of {format_count(n)} bytes."))
  x
}

# One of `choices`, by default those in the signature of the calling function. All of them, as an argument that is not
# given has them, mean the first.
check_choice <- function(x, choices = eval(formals(rlang::caller_fn())[[arg]]), arg = rlang::caller_arg(x)) {
  if (identical(x, choices)) return(choices[1L])
  if (!is.character(x) || length(x) != 1L || is.na(x) || !x %in% choices) {
    abort_value(x, "one of {.or {.val {choices}}}",
      i = if (is.character(x) && length(x) == 1L && !is.na(x)) did_you_mean(x, choices), arg = arg)
  }
  x
}

# Whether a package of Suggests or Enhances can be used: it is installed, in a version that DESCRIPTION allows.
has_package <- function(package) {
  requireNamespace(package, quietly = TRUE) && getNamespaceVersion(package) >= least_version(package)
}

# `what` needs the package.
check_package <- function(package, what) {
  if (has_package(package)) return(invisible())
  there <- requireNamespace(package, quietly = TRUE)
  found <- if (there) paste("Version", getNamespaceVersion(package), "is installed.")
  version <- if (least_version(package) > "0.0") paste(", version", least_version(package), "or later")
  abort(c(paste0(what, " needs the package {.pkg {package}}{version}."), x = found %||% "It is not installed.",
    i = "Install it by {.code install.packages(\"{package}\")}."))
}

# The version that DESCRIPTION asks for, 0 if it asks for none.
least_version <- function(package, fields = wanted_packages()) {
  # R CMD build may break lines within a requirement.
  asked <- trimws(gsub("[[:space:]]+", " ", unlist(strsplit(unlist(fields, use.names = FALSE), ","))))
  at <- match(package, sub("[ (].*", "", asked))
  version <- sub(".*>= *([^)]*)\\).*", "\\1", asked[at])
  package_version(if (is.na(at) || version == asked[at]) "0.0" else version)
}

# Read once: every question to a worker asks for a version.
wanted_packages <- function() {
  process_state$wanted <- process_state$wanted %||%
    utils::packageDescription("mlsift", fields = c("Suggests", "Enhances"))
  process_state$wanted
}

# For methods whose generic has `...`: unknown arguments raise an error instead of being ignored. `allowed`: names that
# R itself passes, "" for unnamed arguments.
refuse_dots <- function(..., allowed = character()) {
  # Every method begins here, so the object that it was called for is looked at, too.
  first <- names(formals(sys.function(sys.parent())))[1L]
  if (first %in% c("x", "object")) check_format(parent.frame()[[first]], first)
  if (...length() == 0L) return(invisible())
  names <- rlang::names2(as.list(substitute(list(...)))[-1L])
  at <- which(!names %in% c(allowed, if (in_printed_list()) names(formals(print.default))))
  if (length(at) == 0L) return(invisible())
  name <- names[at[1L]]
  generic <- called_generic(rlang::caller_call())
  known <- setdiff(names(formals(rlang::caller_fn()))[-1L], "...")
  takes <- if (length(known) == 0L) "It takes no more arguments." else "It takes {.arg {known}}."
  if (!nzchar(name)) abort(c("{.fn {generic}} was given too many arguments.", i = takes))
  abort(c("{.fn {generic}} has no argument {.arg {name}}.", i = takes, i = did_you_mean(name, known, "arg")))
}

# Printing a list passes its arguments, such as `digits`, to the methods of the elements.
in_printed_list <- function() {
  any(vapply(seq_len(sys.nframe()), function(frame) identical(sys.function(frame), print.default), NA))
}

# What data.frame() and others pass to methods of as.data.frame().
frame_arguments <- c("row.names", "optional", "stringsAsFactors", "make.names", "check.names", "nm")

# "plot" for a call of plot(), mlsift::plot() or plot.mlbenchmark().
called_generic <- function(call) {
  name <- if (is.call(call)) rlang::call_name(call)
  if (is.null(name)) "this function" else sub("[.](ml|Task).*$", "", name)
}

# An object of one of our classes; `how` says how to make one.
check_class <- function(x, class, how, arg = rlang::caller_arg(x)) {
  if (missing(x)) abort(c("{.arg {arg}} must be given.", i = how))
  hollow <- inherits(x, class) && is.list(x) && length(unclass(x)) == 0L
  if (!inherits(x, class) || hollow) {
    found <- if (hollow) "empty" else describe(x)
    advice <- c(constructor_hint(x, class), how)
    abort(c("{.arg {arg}} must be of class {.cls {class}}.", x = "It is {found}.",
      stats::setNames(advice, rep("i", length(advice)))))
  }
  check_format(x, arg)
  invisible(x)
}

# --- objects that were saved ------------------------------------------------------------------------------------------

# The format of objects that users save. It is raised when an object gets a field that it cannot be used without, or one
# with another meaning. Older objects are still read, see tests/testthat/objects.
object_format <- 1L

# An object of a class that has formats, with attributes.
saved_object <- function(x, class, ...) structure(x, ..., class = class, mlsift_format = object_format)

# Objects without a format are those that users made with structure().
check_format <- function(x, arg) {
  format <- attr(x, "mlsift_format", exact = TRUE)
  if (is.null(format) || format <= object_format) return(invisible())
  abort(c("{.arg {arg}} was made by a later version of mlsift.",
    x = "It has the format {format}, and this version knows formats up to {object_format}.",
    i = "Update mlsift, or make it again with this version."))
}

# For users who pass a name, or a constructor without parentheses.
constructor_hint <- function(x, class) {
  if (inherits(x, "mlsift") && class[1L] == "mltask") return("It is an answer, whose {.code $task} is a task.")
  table <- c(mlselector = "selectors", mllearner = "learners", mldiscretizer = "discretizers")[class[1L]]
  if (is.function(x) && class[1L] %in% c(names(table), "mlresampling")) {
    return("It is a function: call it, with parentheses.")
  }
  if (is.na(table) || !is.character(x) || length(x) != 1L || is.na(x)) return(NULL)
  known <- registry_table(table, c("constructor", "name"))
  made <- sub("\\(.*", "", known$constructor)
  plain <- function(text) gsub("[^a-z0-9]", "", tolower(sub("^(sel|lrn|disc)_", "", printable(text))))
  at <- match(plain(x), plain(c(made, known$name)))
  near <- if (!is.na(at)) c(made, made)[at] else nearest_name(x, unique(c(made, sub("^[a-z]+_", "", made))))
  if (is.null(near)) return(NULL)
  if (!near %in% made) near <- made[match(near, sub("^[a-z]+_", "", made))]
  paste0("Did you mean {.code ", near, "()}?")
}

check_mltask <- function(task, arg = rlang::caller_arg(task)) {
  check_class(task, "mltask", "Make one with {.fn mltask}, {.fn as_mltask} or {.fn read_mulan}.", arg = arg)
}

# For what cannot use, keep or ignore unknown targets, or weights of rows.
check_known_task <- function(task, arg = rlang::caller_arg(task)) {
  check_mltask(task, arg)
  if (is.null(task$targets$unknown)) return(invisible())
  abort(c("{.arg {arg}} must be a task whose labels are all known here.",
    x = "{length(task$targets$unknown@i)} of them {?is/are} unknown.",
    i = "To treat unknown labels as absent, set them to 0 before {.fn mltask}."))
}

check_unweighted_task <- function(task, arg = rlang::caller_arg(task)) {
  check_mltask(task, arg)
  if (is.null(task$rows$weights)) return(invisible())
  abort(c("{.arg {arg}} must be a task without weights here.", x = "Its rows have weights, which cannot be used.",
    i = "To leave them out, make the task without: {.code mltask(features(task), targets(task))}."))
}

# The positions of the columns of `newdata` that a fitted object needs; NULL if these are all columns in the same order.
# `use` completes the message, such as "the model was trained on".
feature_positions <- function(names, found, use) {
  at <- match(names, found)
  if (anyNA(at)) {
    missing <- names[is.na(at)]
    more <- length(missing) - 5L
    abort(c("{.arg newdata} must have all features that {use}.",
      x = paste0("It lacks {cli::qty(length(missing))}feature{?s} {.val {utils::head(missing, 5L)}}",
        if (more > 0L) " and {more} more", "."),
      i = if (!is.null(near <- nearest_name(missing[1L], setdiff(found, names)))) "It has {.val {near}}."
    ))
  }
  twice <- if (anyDuplicated(found) > 0L) intersect(names, found[duplicated(found)])
  if (length(twice) > 0L) abort(c("{.arg newdata} must have each feature once.",
    x = "It has {.val {twice[1L]}} more than once."))
  if (!identical(at, seq_along(found))) at
}

# Threads for the C++ core: 0 lets the core choose by the size of the work. thread_limit() always applies.
resolve_threads <- function(threads = NULL) {
  if (is.null(threads)) threads <- getOption("mlsift.threads")
  threads <- if (is.null(threads)) 0L else check_count(threads, arg = "threads")
  limit <- thread_limit()
  if (threads == 0L) -limit else min(threads, limit)
}

# The number of threads that the machine and the environment allow. R CMD check sets `_R_CHECK_LIMIT_CORES_`.
thread_limit <- function() {
  limit <- hardware_threads()
  checking <- tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_", ""))
  if (nzchar(checking) && checking != "false") limit <- min(limit, 2L)
  omp <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT", "")))
  if (!is.na(omp) && omp >= 1L) limit <- min(limit, omp)
  limit
}

# One weight for each row, none for NULL.
check_weights <- function(x, n) {
  if (is.null(x)) return(numeric())
  if (!is_numbers(x, n)) abort_value(x, "one number for each of the {n} row{?s}", arg = "weights")
  x <- as.double(x)
  bad <- which(!is.finite(x) | x < 0)[1L]
  if (!is.na(bad)) abort(c("{.arg weights} must be finite and 0 or more.", x = "That of row {bad} is {x[bad]}."))
  if (all(x == 0)) abort(c("{.arg weights} must not all be 0."))
  # Products of weights and squares must stay within what doubles hold.
  odd <- which(x > 1e50 | (x > 0 & x < 1e-50))[1L]
  if (!is.na(odd)) abort(c("{.arg weights} other than 0 must be between 1e-50 and 1e50.",
    x = "That of row {odd} is {x[odd]}.", i = "Multiply all of them by one number."))
  x
}

# Refuses positions `at` of features that repeat one. `must`: what they must be.
refuse_repeats <- function(at, names, must) {
  twice <- anyDuplicated(at)
  if (twice > 0L) abort(c(must, x = "{.val {names[at[twice]]}} occurs twice."))
}

check_distinct <- function(names, arg) {
  twice <- anyDuplicated(names)
  if (twice > 0L) abort(c("The names in {.arg {arg}} must differ.",
    x = "{.val {names[twice]}} is there more than once.",
    i = "Name them in the list: {.code {arg} = list(name = ...)}."))
}

# A check that refuses a parameter describing the rows of one task, which does not apply to training rows.
refuse_own_rows <- function(param, what) function(task, params, at) {
  if (is.null(params[[param]])) return(invisible())
  abort(c("Selectors in a benchmark must be without {.arg {param}}, which is for the rows of one task.",
    x = "{.val {at$name}} has it.", i = "Without it, the selector draws {what} from the training rows."))
}

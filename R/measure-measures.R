# Measures: the registry of ours, users' own ones, and what everything that takes measures makes of them.

# Describes a measure and makes its function. `family`: measures of one family are computed in one pass of the core, see
# `measure_families`. `settings`, `more`: arguments of the function, as alist() gives them: the settings of the measure,
# and those that change no rule.
new_measure <- function(name, title, source, family, needs = "response", direction = "maximize", range = c(0, 1),
                        kinds = "label", settings = alist(), more = alist()) {
  given <- c(settings, more)
  fun <- function() NULL
  formals(fun) <- c(alist(truth = ), stats::setNames(alist(predicted = ), needs), given)
  given <- as.call(c(quote(list), lapply(stats::setNames(nm = names(given)), as.name)))
  body(fun) <- as.call(list(quote(measured), name, quote(truth), as.name(needs), given))
  environment(fun) <- topenv()
  register("measures", name, fun = fun, needs = needs, direction = direction, range = range, kinds = kinds,
    title = title, source = source, family = family, settings = settings)
  fun
}

# What msr_<name>() does. `given`: its arguments after the prediction.
measured <- function(name, truth, predicted, given) {
  if (missing(truth)) abort(c("{.arg truth} is missing.",
    i = "In {.arg measures}, measures go without parentheses: {.code msr_{name}} or {.val {name}}."))
  record <- registered("measures", name)
  measure <- new_mlmeasure(record, check_settings(name, given[names(record$settings)]))
  if (!inherits(predicted, "mlprediction")) {
    of_categories <- record$family == "class_score" && (!is.list(predicted) || is.data.frame(predicted))
    if (of_categories) predicted <- list(predicted)
    predicted <- stats::setNames(list(predicted), record$needs)
  }
  compute_measures(list(measure), truth, predicted, record$kinds, given$train_mean, given$threads, arg = record$needs)
}

# --- objects ----------------------------------------------------------------------------------------------------------

#' A measure with settings
#'
#' Everything that takes `measures` or `measure` takes the name of a measure, such as `"macro_f1"`, or its function,
#' such as [msr_macro_f1]. `measure()` gives it settings: the rules for ties, empty sets and undefined values that the
#' function has as arguments.
#'
#' Its name in results shows the settings, as in `"macro_f1 (empty = 0)"` or `"macro_f1 (sklearn)"`, so that a measure
#' with several settings can stand in one list. The names of a list replace these names.
#'
#' # Conventions
#' `convention` sets all rules in which another tool differs from the default: scikit-learn, Mulan, utiml, the programs
#' of the AI lab of Chung-Ang University (`"cau"`), or those of Zhang and colleagues. `evaluate(convention = )` sets it
#' for all measures. Settings that are given, such as `empty`, override it. The differences are:
#' * nothing true and nothing predicted, for a row or a label: 0 with `"sklearn"` and `"utiml"`;
#' * example-based ratios: `"cau"` adds 0.001 to both of their parts, and its F1 is the harmonic mean of mean precision
#'   and mean recall;
#' * ties: `"mulan"` uses `"last"` and `"utiml"` uses `"first"` in all measures. `"cau"` uses `"first"` in one-error and
#'   coverage. `"zhang"` uses `"last"` in coverage and average precision, and `"any"` in one-error;
#' * ranking loss: `"zhang"` leaves out rows with no and with all labels;
#' * one-error: a row without labels is an error for `"mulan"`, `"utiml"` and `"cau"`. `"zhang"` leaves out rows with no
#'   and with all labels;
#' * coverage: `"sklearn"` and `"cau"` do not subtract 1. Rows without labels are left out by `"utiml"` and are -1 for
#'   `"zhang"`;
#' * average precision: a row without labels is 1 for `"sklearn"`. `"zhang"` leaves out rows with no and with all
#'   labels;
#' * macro AUC: `NA` with `"sklearn"`, `"mulan"` and `"utiml"` if no row or every row has some label;
#' * macro AUPRC: 0 for a label that no row has with `"sklearn"`.
#'
#' `zero_division` is the argument of this name in scikit-learn: the value of every ratio whose denominator is 0. So it
#' also changes the precision where nothing is predicted, and the recall where nothing is true. `empty` overrides it
#' where neither is, if both are given.
#'
#' @param name (string) The name of a measure, see [list_measures()].
#' @param ... Settings by name: the arguments of `msr_<name>()` after the prediction, without `threads` and
#'   `train_mean`. `list_measures()$settings` shows which ones a measure has. Settings that equal their defaults change
#'   nothing.
#' @return An object of class `mlmeasure`, a list with `name`, `needs` (`"response"` or `"score"`), `direction`
#'   (`"minimize"` or `"maximize"`), `range` (two numbers), `kinds` (of targets), `settings` and more. Errors have the
#'   class `mlsift_error`: a measure or a setting that does not exist, and values that the setting cannot have.
#' @seealso [msr_custom()] for measures of your own.
#' @family measures
#' @export
#' @examples
#' measure("macro_f1", empty = 0)
#' test <- help_pages[1:200, ]
#' prediction <- predict(fit(lrn_nb(), help_pages[201:1200, ]), test)
#' evaluate(prediction, test, list("macro_f1", measure("macro_f1", empty = 0)))
#' evaluate(prediction, test, list(half = measure("ranking_loss", ties = "half")))
measure <- function(name, ...) {
  record <- find_measure(check_string(name))
  given <- list(...)
  if (length(given) > 0L && !all(nzchar(rlang::names2(given)))) abort(c("Settings of a measure must be given by name.",
    x = "One has no name."))
  twice <- names(given)[duplicated(names(given))]
  if (length(twice) > 0L) abort("{.arg {twice[1]}} must be given only once.")
  new_mlmeasure(record, check_settings(name, given))
}

new_mlmeasure <- function(record, settings = list()) {
  parts <- record[c("method", "needs", "direction", "range", "kinds", "title", "source", "family")]
  structure(c(list(name = measure_name(record$method, settings)), parts, list(settings = settings)),
    class = "mlmeasure")
}

# A convention is named by its tool.
measure_name <- function(method, settings) {
  if (length(settings) == 0L) return(method)
  what <- ifelse(names(settings) == "convention", "", paste(names(settings), "= "))
  paste0(method, " (", paste0(what, vapply(settings, plain_text, ""), collapse = ", "), ")")
}

#' Your own measure
#'
#' Turns a function into a measure, which [evaluate()] and benchmarks use like the built-in ones.
#'
#' @param name (string) Name of the measure in results.
#' @param fun (function) `fun(truth, response)` or `fun(truth, score)`, depending on `needs`. Its arguments are two
#'   matrices of rows x targets. Truth and response are integers 0 and 1 for labels, numbers for numeric targets, and
#'   text for classes. Scores are numbers; those of classes are a list with a matrix rows x categories for each target.
#'   It returns one number, or `NA` if the measure is not defined. If it has an argument `weights`, that gets the
#'   `weights` of [evaluate()], if there are any.
#' @param needs (string) Whether `fun` gets the responses or the scores.
#' @param direction (string) Whether small or large values are better.
#' @param range (two numbers) The smallest and the largest possible value.
#' @return An object of class `mlmeasure`, see [measure()]. Use it in `measures =`, alone or in a list with others.
#' @seealso [list_measures()], [evaluate()]
#' @export
#' @examples
#' size_error <- msr_custom("size_error", function(truth, response) {
#'   mean(abs(rowSums(truth) - rowSums(response)))
#' }, range = c(0, Inf))
#' size_error
msr_custom <- function(name, fun, needs = c("response", "score"), direction = c("minimize", "maximize"),
                       range = c(-Inf, Inf)) {
  check_string(name)
  needs <- check_choice(needs, c("response", "score"))
  check_function(fun, c("truth", needs))
  direction <- check_choice(direction, c("minimize", "maximize"))
  if (!is.numeric(range) || length(range) != 2L || anyNA(range) || range[1L] >= range[2L]) {
    found <- if (is.numeric(range) && length(range) <= 4L) deparse(range) else describe(range)
    abort(c("{.arg range} must be two numbers, the smaller first.", x = "It is {found}."))
  }
  structure(
    list(name = name, fun = fun, needs = needs, direction = direction, range = as.double(range),
      kinds = c("label", "class", "numeric"), title = name, source = "user"),
    class = "mlmeasure"
  )
}

is_own_measure <- function(measure) !is.null(measure$fun)

#' @export
print.mlmeasure <- function(x, ...) {
  print_line(x, x$name, ": ", x$direction, ", needs ", x$needs, ", range ", format(x$range[1L]), " to ",
    format(x$range[2L]))
}

#' List of measures
#' @return A data frame with one row for each measure: `measure` (the bare name that `measures =` takes), `title`,
#'   `needs` (`"response"` or `"score"`), `direction` (`"minimize"` or `"maximize"`), `range_low`, `range_high`, `kinds`
#'   (of target), `settings` (that [measure()] takes) and `source`.
#' @seealso [evaluate()] and the pages of the measures: [msr_hamming_loss()], [msr_micro_f1()], [msr_ranking_loss()],
#'   [msr_macro_auc()], [msr_arrmse()] for numeric targets, and [msr_accuracy()] for classes; [msr_custom()] for your
#'   own.
#' @export
#' @examples
#' list_measures()[, c("measure", "needs", "direction")]
list_measures <- function() {
  settings <- vapply(registry$measures, function(r) paste(names(r$settings), collapse = ", "), "", USE.NAMES = FALSE)
  table <- measure_table(registry$measures)
  cbind(table[setdiff(names(table), "source")], settings = settings, source = table$source)
}

measure_table <- function(records) {
  text <- function(field) vapply(records, function(r) paste(r[[field]], collapse = ", "), "", USE.NAMES = FALSE)
  bound <- function(i) vapply(records, function(r) as.double(r$range[i]), 0, USE.NAMES = FALSE)
  data.frame(measure = names(records), title = text("title"), needs = text("needs"), direction = text("direction"),
    range_low = bound(1L), range_high = bound(2L), kinds = text("kinds"), source = text("source"))
}

# --- what users give --------------------------------------------------------------------------------------------------

# Named list of measures from names, functions, objects, or a list of them; NULL: all of that kind. `whose`: the targets
# that are measured, in words.
resolve_measures <- function(measures, kind = "label", whose = NULL) {
  if (is.null(measures)) return(lapply(Filter(function(r) kind %in% r$kinds, registry$measures), new_mlmeasure))
  found <- named_measures(measures)
  for (one in found) if (!kind %in% one$kinds) {
    whose <- upper_first(whose %||% "these targets")
    fitting <- names(Filter(function(r) kind %in% r$kinds, registry$measures))
    abort(c("Measure {.val {one$name}} is for targets of kind {.or {.val {one$kinds}}}.",
      x = "{whose} are of kind {.val {kind}}.",
      i = if (length(fitting)) "{.fn list_measures} shows those for them, such as {.val {fitting[1]}}."))
  }
  found
}

named_measures <- function(measures) {
  if (inherits(measures, "mlmeasure") || is.function(measures)) measures <- list(measures)
  if (!(is.character(measures) || is.list(measures)) || length(measures) == 0L) {
    abort_value(measures, "names of measures, measures made by {.fn measure} or {.fn msr_custom}, or a list",
      i = "{.run mlsift::list_measures()} shows the names.")
  }
  found <- lapply(measures, as_measure)
  given <- rlang::names2(measures)
  names(found) <- ifelse(nzchar(given), given, vapply(found, function(m) m$name, ""))
  twice <- names(found)[duplicated(names(found))]
  if (length(twice)) abort(c("Measures must have different names.", x = "{.val {twice[1]}} is there twice.",
    i = "Name the elements of the list: {.code list(a = , b = )}."))
  found
}

as_measure <- function(x, arg = "measures", each = TRUE) {
  if (inherits(x, "mlmeasure")) return(x)
  if (is.character(x) && length(x) == 1L && !is.na(x)) return(new_mlmeasure(find_measure(x)))
  if (is.function(x)) {
    record <- Find(function(r) identical(r$fun, x), registry$measures)
    if (!is.null(record)) return(new_mlmeasure(record))
  }
  must <- "the name of {if (each) 'a' else 'one'} measure, or made by {.fn measure} or {.fn msr_custom}."
  abort(c(paste0(if (each) "Each of {.arg {arg}} must be " else "{.arg {arg}} must be ", must),
    x = if (each) "One is {describe(x)}." else "It is {describe(x)}.",
    i = if (is.function(x)) "{.fn msr_custom} makes a measure of a function."))
}

find_measure <- function(name) {
  record <- registered("measures", name)
  if (!is.null(record)) return(record)
  known <- names(registry$measures)
  near <- did_you_mean(sub("^msr_", "", name), known)
  words <- strsplit(known, "_", fixed = TRUE)
  alike <- if (is.null(near)) known[vapply(words, function(words) tolower(name) %in% words, NA)]
  abort(c("There is no measure {.val {name}}.", i = near, i = if (length(alike) > 0L) "There are {.val {alike}}.",
    i = if (is.null(near)) "{.run mlsift::list_measures()} shows all."))
}

# One measure as it is kept among parameters: by its name if it has no settings.
check_one_measure <- function(measure, arg = rlang::caller_arg(measure)) {
  found <- as_measure(measure, arg, each = FALSE)
  content <- measure_content(found)
  if (is.character(content)) content else found
}

# What identifies a measure, also in the folders of benchmarks: one of ours by its name and its settings, a user's own
# by its entire content. as_stored_measure() makes the measure of it.
measure_content <- function(measure) {
  if (is_own_measure(measure)) measure else if (length(measure$settings) == 0L) measure$method
  else c(list(measure$method), measure$settings)
}

as_stored_measure <- function(content) {
  if (inherits(content, "mlmeasure")) content else do.call(measure, as.list(content))
}

# Whether rows suit a selector or learner: a task, or what a source or tables of counts have of their rows in `kind`,
# `weighted` and `unknown`.

check_rows_suit <- function(rows, selector, method, target_bins = NULL) {
  check_target_kind(rows, selector, method, target_bins)
  check_takes_rows(rows, selector, method)
}

# Of a task, a source or tables.
rows_kind <- function(rows) if (inherits(rows, "mltask")) task_kind(rows) else rows$kind

check_target_kind <- function(rows, selector, method, target_bins) {
  kind <- rows_kind(rows)
  if (kind %in% method$kinds) return(invisible())
  advice <- if (!is.null(target_bins) && "numeric" %in% method$kinds) "Leave {.arg target_bins} out."
  else if (!is.null(target_bins))
    "Leave {.arg target_bins} out and make labels of the targets, for example with {.code targets > median}."
  else if (identical(method$kinds, "numeric")) "See {.fn list_selectors} for selectors of other targets."
  else if (kind == "class") "Make one 0/1 column for each category and use {.code kind = \"label\"}."
  else if ("class" %in% method$kinds)
    "Use {.arg target_bins} to discretize them, for example {.code target_bins = 5}."
  else "Make labels of them, for example with {.code targets > median}, and make a task with these labels."
  abort(c("{selector$name} needs targets of kind {.or {.val {method$kinds}}}.",
    x = "The targets are of kind {.val {kind}}.", i = advice))
}

# Refuses weights and unknown labels that `spec`, a selector or learner with `method`, does not support. The parameter
# `by_label` says that a learner treats labels one by one, if its method does not say so.
check_takes_rows <- function(rows, spec, method) {
  is_task <- inherits(rows, "mltask")
  of <- if (is_task && !is.null(rows$name)) paste0(" of task \"", rows$name, "\"") else ""
  weighted <- if (is_task) !is.null(rows$rows$weights) else isTRUE(rows$weighted %||% rows$given[["weights"]])
  if (weighted && !isTRUE(method$weights)) {
    reason <- refusing_spec(spec, "weights")
    what <- spec_table(reason)
    abort(c("{spec$name} cannot use the weights of rows{because(reason, spec)}.",
      x = "The rows{of} have weights.",
      i = if (is.function(reason$params$fit)) "{.arg fit} gets them if it has an argument {.arg weights}.",
      i = "{.fn list_{what}} shows which {what} can, and {.code ?row_weights} why others cannot.", i = if (is_task)
        "To leave the weights out, make the task without: {.code mltask(features(task), targets(task))}."))
  }
  unknown <- if (is_task) !is.null(rows$targets$unknown) else rows$unknown
  if (!unknown || isTRUE(method$unknown) || isTRUE(spec$params$by_label)) return(invisible())
  label <- rows_kind(rows) == "label"
  reason <- refusing_spec(spec, "unknown")
  what <- spec_table(reason)
  abort(c("{spec$name} cannot use {if (label) 'labels' else 'targets'} that are unknown in some rows{
    because(reason, spec)}.",
    x = if (is_task)
      "{counted(n_unknown(rows), 'cell')} of the targets{of} {cli::qty(n_unknown(rows))}{?is/are} unknown."
    else "There are such labels.",
    i = "{.fn list_{what}} shows which {what} can, and {.code ?unknown_labels} why others cannot.",
    i = if (label) "To treat unknown labels as absent, set them to 0." else "Or leave these rows out."))
}

# The selector or learner because of which `spec` does not take `what`: one that it runs, or itself.
refusing_spec <- function(spec, what) {
  parts <- c(spec$params, spec$params$selectors, spec$params$learner)
  inner <- Filter(\(part) inherits(part, c("mlselector", "mllearner")), parts)
  refuse <- Filter(\(part) !spec_takes(part, what), inner)
  if (length(refuse) > 0L) refusing_spec(refuse[[1L]], what) else spec
}

because <- function(reason, spec) if (identical(reason, spec)) "" else paste0(", because ", reason$name, " cannot")

# How other tools handle ties and rows or labels without a value. Each convention lists only its differences from the
# default. NA drops the row or label.
#   ties             by the names of the measures
#   empty            nothing true and nothing predicted: Jaccard, precision, recall, F1
#   smooth           added to both parts of each example-based ratio; F1 is then that of mean precision and recall
#   loss_*           ranking loss;  error_* one-error;  coverage_* coverage;  precision_* average precision
#   *_undefined      rows that are empty or full;  *_empty, *_full: rows with no, with all labels
#   coverage_minus   subtracted from the rank; coverage_empty is multiplied by it (Zhang: a rank of 0, minus 1)
#   keep_undefined   macro AUC is NA when a label has one class only
#   auprc_empty      macro AUPRC of a label that no row has
conventions <- local({
  default <- list(ties = list(ranking_loss = "error", one_error = "share", coverage = "max", average_precision = "max"),
    empty = 1, smooth = 0, loss_undefined = 0, error_empty = NA_real_, error_full = 0, coverage_minus = 1,
    coverage_empty = 0, precision_empty = NA_real_, precision_full = 1, keep_undefined = FALSE, auprc_empty = NA_real_)
  # Rankings without ties: every measure based on ranks breaks ties by column.
  broken <- function(ties) lapply(default$ties, function(rule) ties)
  changes <- list(
    default = list(),
    sklearn = list(empty = 0, coverage_minus = 0, precision_empty = 1, keep_undefined = TRUE, auprc_empty = 0),
    mulan = list(ties = broken("last"), error_empty = 1, keep_undefined = TRUE),
    utiml = list(ties = broken("first"), empty = 0, error_empty = 1, coverage_empty = NA_real_, keep_undefined = TRUE),
    cau = list(ties = list(one_error = "first", coverage = "first"), smooth = 0.001, error_empty = 1,
      coverage_minus = 0),
    zhang = list(ties = list(one_error = "any", coverage = "last", average_precision = "last"),
      loss_undefined = NA_real_, error_full = NA_real_, coverage_empty = -1, precision_full = NA_real_)
  )
  lapply(changes, function(change) utils::modifyList(default, change))
})

# --- settings ---------------------------------------------------------------------------------------------------------

convention_setting <- alist(convention = c("default", "sklearn", "mulan", "utiml", "cau", "zhang"))

# The settings of a measure that differ from the defaults of its function, checked, in the order of its arguments.
check_settings <- function(method, given) {
  defaults <- lapply(registered("measures", method)$settings, eval)
  odd <- setdiff(names(given), names(defaults))
  if (length(odd) > 0L) abort(c("Measure {.val {method}} has no setting {.arg {odd[1L]}}.",
    i = if (length(defaults) == 0L) "It has no settings." else
      "{cli::qty(names(defaults))}Its setting{?s} {?is/are} {.arg {names(defaults)}}.",
    i = did_you_mean(odd[1L], names(defaults), "arg")))
  settings <- list()
  for (name in intersect(names(defaults), names(given))) {
    x <- given[[name]]
    if (is.null(x) || identical(x, defaults[[name]])) next
    x <- check_setting(x, name, defaults[[name]])
    if (!identical(x, defaults[[name]])) settings[[name]] <- x
  }
  settings
}

check_setting <- function(x, name, default) {
  if (is.character(default)) return(check_choice(x, default, arg = name))
  if (name == "beta") return(check_number(x, 0, above = TRUE, finite = TRUE, arg = name))
  if (length(x) == 1L && is.na(x)) NA_real_ else check_number(x, 0, 1, arg = name)
}

# --- rules ------------------------------------------------------------------------------------------------------------

# What the core needs to compute a measure as it is set: its family, and the rules of the family. Measures with the same
# rules are computed together.
measure_rules <- function(measure) {
  set <- measure$settings
  rules <- conventions[[set$convention %||% "default"]]
  c(list(family = measure$family), switch(measure$family,
    overlap = list(empty = set$empty %||% set$zero_division %||% rules$empty, smooth = rules$smooth,
      undefined = set$zero_division %||% 0, beta = set$beta %||% 2),
    ranking = ranking_rules(set, rules, measure$method),
    macro_auc = rules["keep_undefined"], macro_auprc = rules["auprc_empty"]
  ))
}

# In the core's terms, for measures that all handle ties in the way of this one.
ranking_rules <- function(set, rules, method) {
  ties <- set$ties %||% rules$ties[[sub("norm_", "", method)]]
  divisor <- set$divisor %||% if (rules$coverage_minus == 1) "q" else "rank/q"
  minus <- if (method == "norm_coverage") as.double(divisor != "rank/q") else rules$coverage_minus
  list(order = switch(ties, first = 1L, last = 2L, 0L), tied_pair = if (ties == "half") 0.5 else 1,
    average_rank = ties == "average", any_top = ties == "any", loss_undefined = rules$loss_undefined,
    error_empty = rules$error_empty, error_full = rules$error_full, precision_empty = rules$precision_empty,
    precision_full = rules$precision_full, coverage_minus = minus, coverage_empty = rules$coverage_empty * minus,
    divisor_minus = as.double(divisor == "q-1"))
}

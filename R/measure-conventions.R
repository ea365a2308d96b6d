# How other tools handle ties and rows or labels without a value. Each convention lists only its differences from the
# default. NA drops the row or label.
#   empty            nothing true and nothing predicted: Jaccard, precision, recall, F1
#   smooth           added to both parts of each example-based ratio; F1 is then that of mean precision and recall
#   loss_*           ranking loss;  error_* one-error;  coverage_* coverage;  precision_* average precision
#   *_undefined      rows that are empty or full;  *_empty, *_full: rows with no, with all labels
#   coverage_minus   subtracted from the rank; coverage_empty is multiplied by it (Zhang: a rank of 0, minus 1)
#   keep_undefined   macro AUC is NA when a label has one class only
#   auprc_empty      macro AUPRC of a label that no row has
conventions <- local({
  default <- list(
    empty = 1, smooth = 0,
    loss_ties = "error", loss_undefined = 0,
    error_ties = "share", error_empty = NA_real_, error_full = 0,
    coverage_ties = "max", coverage_minus = 1, coverage_empty = 0,
    precision_ties = "max", precision_empty = NA_real_, precision_full = 1,
    keep_undefined = FALSE, auprc_empty = NA_real_
  )
  # Rankings without ties: every measure based on ranks breaks ties by column.
  broken <- function(ties) {
    list(loss_ties = ties, error_ties = ties, coverage_ties = ties, precision_ties = ties)
  }
  changes <- list(
    default = list(),
    sklearn = list(empty = 0, coverage_minus = 0, precision_empty = 1, keep_undefined = TRUE, auprc_empty = 0),
    mulan = c(broken("last"), error_empty = 1, keep_undefined = TRUE),
    utiml = c(broken("first"), empty = 0, error_empty = 1, coverage_empty = NA_real_, keep_undefined = TRUE),
    cau = list(smooth = 0.001, error_ties = "first", error_empty = 1, coverage_ties = "first", coverage_minus = 0),
    zhang = list(loss_undefined = NA_real_, error_ties = "any", error_full = NA_real_, coverage_ties = "last",
      coverage_empty = -1, precision_ties = "last", precision_full = NA_real_)
  )
  lapply(changes, function(change) utils::modifyList(default, as.list(change)))
})

# The rules of a convention.
convention_rules <- function(convention, call) {
  conventions[[check_choice(convention, names(conventions), arg = "convention", call = call)]]
}

# An option, or the rule of the convention if the option has its default.
choose_rule <- function(x, choices, rule, arg, call) {
  if (identical(x, choices)) rule else check_choice(x, choices, arg = arg, call = call)
}

# `empty`: NULL follows the convention, NA drops.
choose_empty <- function(empty, rule, call, arg = "empty") {
  if (is.null(empty)) return(rule)
  if (length(empty) == 1L && is.na(empty)) return(NA_real_)
  check_number(empty, 0, 1, arg = arg, call = call)
}

# The same rules in the core's terms, for measures that all handle ties as `ties` says.
core_ranking_rules <- function(rules, ties = "max", divisor = 1) {
  list(
    order = switch(ties, first = 1L, last = 2L, 0L),
    tied_pair = if (ties == "half") 0.5 else 1,
    average_rank = ties == "average",
    any_top = ties == "any",
    loss_undefined = rules$loss_undefined,
    error_empty = rules$error_empty,
    error_full = rules$error_full,
    precision_empty = rules$precision_empty,
    precision_full = rules$precision_full,
    coverage_minus = rules$coverage_minus,
    coverage_empty = rules$coverage_empty * rules$coverage_minus,
    coverage_divisor = divisor
  )
}

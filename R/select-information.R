# Where no target or no feature varies, nothing can be ranked. All selections are refused here then, whatever they are
# made from, with the same message.

# Baselines and functions of users that see the whole task rank without information too.
is_informed <- function(method) !method$method %in% c("random", "none", "custom")

# The positions of the targets that vary, as a selector with this input sees them.
input_varying <- function(input) {
  if (!is.null(input$rows)) return(varying_in_tables(input$rows))
  rows <- input$prepared
  once(rows$targets, "varying", varying(used_task(rows, input$call)$targets))
}

# Of tables: label sets are counted as wholes, labels and classes one by one.
varying_in_tables <- function(tables) {
  ones <- tables$in_target
  known <- tables$n
  if (!is.null(tables$sets)) {
    sets <- tables$sets[ones > 0]
    ones <- tabulate(unlist(sets) + 1L)
    known <- length(sets)
  } else if (isTRUE(tables$unknown)) {
    q <- length(ones) %/% 2L
    known <- known - ones[q + seq_len(q)]
    ones <- ones[seq_len(q)]
  }
  varies <- ones > 0 & ones < known
  if (is.null(tables$classes)) return(which(varies))
  unique(rep(seq_along(tables$classes), tables$classes)[which(varies)])
}

check_varying_targets <- function(input, method) {
  if (!is_informed(method) || length(input_varying(input)) > 0L) return(invisible())
  known <- !is.null(input$rows) || any(known_rows(used_task(input$prepared, input$call)$targets) > 0)
  refuse_ranking(if (known) "No target varies in the rows in which it is known." else "No target is known in any row.",
    input$call)
}

# `excluded`: a flag for each feature.
check_varying_features <- function(input, method, excluded) {
  if (!is_informed(method)) return(invisible())
  constant <- constant_columns(input)[!excluded]
  if (!all(constant)) return(invisible())
  cut <- !is.null(input$cuts) || any(input$rows$levels$cut)
  refuse_ranking(paste0("None of ", counted(length(constant), "feature"), " varies", if (cut) " after discretization",
    "."), input$call, if (cut) "Another {.arg discretizer} may keep their values apart.")
}

# Before a selector runs on the task, or others are chosen for it.
check_information <- function(task, call, method = registered("selectors", "best")) {
  input <- list(prepared = prepared_rows(task, NULL), call = call)
  check_varying_targets(input, method)
  check_varying_features(input, method, logical(ncol(task$x)))
}

refuse_ranking <- function(found, call, advice = NULL) {
  abort(c("Features can be ranked only if a target and a feature vary.", x = found,
    i = advice %||% "Rows of weight 0 and unknown values do not count."), call = call, no_information = TRUE)
}

# The rows of frequent label sets, see frequent_label_sets(). Among them, label sets and features must vary.
informative_sets <- function(input, min_count, advice) {
  task <- input$task
  kept <- frequent_label_sets(task, min_count, advice, input$call)
  on <- paste0("Only one label set occurs on at least ", counted(min_count, "row"), ".")
  if (max(kept$classes) == 1L) refuse_ranking(on, input$call, advice)
  if (length(kept$rows) < nrow(task$x) && all(cpp_constant_columns(task$x[kept$rows, , drop = FALSE]))) {
    refuse_ranking("No feature varies in the rows whose label sets are frequent.", input$call, advice)
  }
  kept
}

# NULL if nothing can be ranked.
if_informative <- function(code) {
  catch_error(code, function(e) if (!isTRUE(e$no_information)) stop(e))
}

# Says how many targets have no information.
tell_constant_targets <- function(input, method) {
  if (!is_informed(method)) return(invisible())
  names <- input$targets %||% colnames(input$prepared$task$targets)
  tell_constant("target", names, setdiff(seq_along(names), input_varying(input)))
}

tell_equal_scores <- function(ranking, selector, method, d) {
  if (method$gives != "scores" || !is_informed(method) || d == 1L || length(ranking$index) < d) return(invisible())
  if (!all(ranking$score %in% ranking$score[1L])) return(invisible())
  inform(c("!" = "{selector$name} gives all features the same score, so they are in column order."))
}

# Where no target or no feature varies, nothing can be ranked. All selections are refused here then, whatever they are
# made from, with the same message.

# Baselines and functions of users that see the whole task rank without information too.
is_informed <- function(method) !method$method %in% c("random", "none", "custom")

# What a selector is told of the targets and features of a task: the names of the targets, the positions of those that
# vary, whether any is known, and which features are constant.
task_information <- function(rows) {
  targets <- used_task(rows)$targets
  list(targets = colnames(targets), varying = once(rows$targets, "varying", varying(targets)),
    known = any(known_rows(targets) > 0), cut = FALSE, constant = function() {
      once(rows$features, "constant numbers", cpp_constant_columns(used_task(rows)$x))
    })
}

check_varying_targets <- function(input, method) {
  if (!is_informed(method) || length(input$varying) > 0L) return(invisible())
  if (!input$known) refuse_ranking("No target is known in any row.")
  refuse_ranking("No target varies in the rows in which it is known.",
    "Rows of weight 0 and unknown values do not count. Where an empty cell means off, fill in 0 first.")
}

# `excluded`: a flag for each feature.
check_varying_features <- function(input, method, excluded) {
  if (!is_informed(method)) return(invisible())
  constant <- input$constant()[!excluded]
  if (!all(constant)) return(invisible())
  cut <- input$cut
  found <- if (length(constant) == 1L) "The only feature does not vary" else
    paste("None of the", length(constant), "features varies")
  refuse_ranking(paste0(found, if (cut) " after discretization", "."),
    if (cut) "Another {.arg discretizer} may keep their values apart.")
}

# Before a selector runs on the task, or others are chosen for it.
check_information <- function(task, method = registered("selectors", "best")) {
  input <- task_information(prepared_rows(task, NULL))
  check_varying_targets(input, method)
  check_varying_features(input, method, logical(ncol(task$x)))
}

refuse_ranking <- function(found, advice = NULL) {
  abort(c("Features can be ranked only if a target and a feature vary.", x = found,
    i = advice %||% "Rows of weight 0 and unknown values do not count."), no_information = TRUE)
}

# The rows of frequent label sets, see frequent_label_sets(). Among them, label sets and features must vary.
informative_sets <- function(input, min_count, advice) {
  task <- input$task
  kept <- frequent_label_sets(task, min_count, advice)
  on <- paste0("Only one label set occurs on at least ", counted(min_count, "row"), ".")
  if (max(kept$classes) == 1L) refuse_ranking(on, advice)
  if (length(kept$rows) < nrow(task$x) && all(cpp_constant_columns(task$x[kept$rows, , drop = FALSE]))) {
    refuse_ranking("No feature varies in the rows whose label sets are frequent.", advice)
  }
  kept
}

# NULL if nothing can be ranked.
if_informative <- function(code) {
  catch_error(code, function(e) if (!isTRUE(e$no_information)) stop(e))
}

tell_equal_scores <- function(ranking, selector, method, d) {
  if (method$gives != "scores" || !is_informed(method) || d == 1L || length(ranking$index) < d) return(invisible())
  if (!all(ranking$score %in% ranking$score[1L])) return(invisible())
  inform(c("!" = "{selector$name} gives all features the same score, so they are in column order."))
}

#' Continue a greedy selection, a path of models or a search
#'
#' Adds features to a greedy selection or to one by [sel_mtl()], or evaluations to a search with a learner. The result
#' is the same, bit for bit, as that of one longer run of [sift_features()], and nothing is computed twice. This also
#' resumes a run that was stopped by `max_seconds` or `min_gain`, and an interrupted one from its [last_selection()].
#'
#' On a source, the first passes over the rows are made again, to count each feature with each label. Features that are
#' selected already are not counted again.
#'
#' @param selection A selection by a greedy selector (see [list_selectors()]), by [sel_mtl()], or by a search such as
#'   [sel_rga()], not cut by [head()].
#' @param task The task or source (see [chunk_source()]) that the selection was made from. Another one is an error. To
#'   find this out, the names of the features and their relevance for the targets are compared for a greedy selection,
#'   and all data otherwise. For a greedy selection, a source of the same rows may take the place of the task, and the
#'   other way round.
#' @param k (count) The total number of features, unless `selection` is by a search.
#' @param evaluations (count) For a search: the total number of evaluations.
#' @param max_seconds,threads As in [sift_features()].
#' @return The longer selection. If `k` features are selected already, the first `k` of them. If there were so many
#'   `evaluations` already, `selection` as it is.
#' @family selection
#' @examples
#' sel <- sift_features(help_pages, sel_scls(), k = 3)
#' extend_selection(sel, help_pages, k = 6)
#'
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' found <- sift_features(words, sel_rga(max_features = 5, evaluations = 30))
#' extend_selection(found, words, evaluations = 60)
#' @export
extend_selection <- function(selection, task, k = NULL, evaluations = NULL, max_seconds = Inf, threads = NULL) {
  check_selection(selection)
  method <- selector_method(attr(selection, "selector"))
  searched <- is_search(method)
  if (searched || is_model_path(method)) check_mltask(task)
  else check_task_or_source(task)
  task <- imputed_task(selection, task)
  given <- if (searched) k else evaluations
  if (!is.null(given)) abort(c(if (searched) "{.arg k} is not for searches." else "{.arg evaluations} is for searches.",
    x = "{attr(selection, \"selector\")$name} is {if (searched) \"a search\" else \"no search\"}.",
    i = if (searched) "Give {.arg evaluations}." else "Give {.arg k}."))
  max_seconds <- check_number(max_seconds, min = 0)
  state <- attr(selection, "state")
  if (searched || is_model_path(method)) {
    check_same_data(state, task)
  } else {
    check_greedy_selection(selection, task, c(
      "Only a greedy selection can be extended.", i = "Call {.fn sift_features} with the larger {.arg k}."
    ), "Extend what {.fn sift_features} returned.")
  }
  if (searched) {
    evaluations <- check_count(evaluations)
    if (evaluations <= length(state$log$value)) return(selection)
    attr(selection, "selector")$params$evaluations <- evaluations
    k <- state$k
  } else {
    k <- limit_k(check_count(k), sum(!state$excluded))
    if (k <= nrow(selection)) return(utils::head(selection, whole_units(selection$index, k, state$units)))
  }
  started <- proc.time()[["elapsed"]]
  wishes <- list(k = k, include = state$include, excluded = state$excluded, min_gain = -Inf, max_seconds = max_seconds,
    units = state$units)
  resume <- if (is_greedy(method)) extend_path else resume_run
  found <- resume(selection, task, wishes, threads)
  seconds <- attr(selection, "seconds") + proc.time()[["elapsed"]] - started
  longer <- finish_selection(found$ranking, found$input, attr(selection, "selector"), method, seconds)
  finish_or_interrupt(longer, found$ranking, k)
}

# The task with missing features filled in as for the selection.
imputed_task <- function(selection, task) {
  imputer <- attr(selection, "imputer")
  if (!is.null(imputer) && inherits(task, "mlsource")) refuse_imputer(task)
  filled_in(task, imputer)
}

# Resumes a greedy run, and keeps what is known of the features that were selected before: list(input, ranking).
extend_path <- function(selection, task, wishes, threads) {
  found <- resume_selection(selection, task, wishes, threads)
  old <- seq_len(nrow(selection))
  found$ranking$score[old] <- selection$score
  for (column in names(found$ranking$path)) found$ranking$path[[column]][old] <- selection[[column]]
  found
}

# Searches and model paths resume only with exactly the data that they began with: the rows of weights above 0, with
# discretized targets if they were.
check_same_data <- function(state, task) {
  check_has_state(state, "Extend what {.fn sift_features} returned.")
  bins <- if (task_kind(task) == "numeric") state$target_bins
  used <- used_task(binned_rows(prepared_rows(task, NULL), bins))
  if (!identical(fingerprint(used), state$fingerprint)) refuse_other_task("Its data are different.")
}

# Resumes a search or a path of models from where it stopped: list(input, ranking).
resume_run <- function(selection, task, wishes, threads) {
  again <- begin_again(selection, task, threads)
  state <- attr(selection, "state")
  ranking <- with_memory_errors(again$run(c(again$input, wishes), state))
  searched <- is_search(selector_method(attr(selection, "selector")))
  list(input = again$input, ranking = if (searched) ranking else apply_wishes(ranking, wishes))
}

# list(input, run): what the selector of a selection gets of these rows, and its run() with the selection's parameters.
# The rows are in use until the calling function ends.
begin_again <- function(selection, task, threads) {
  selector <- attr(selection, "selector")
  method <- selector_method(selector)
  threads <- resolve_threads(threads)
  # A selection from a source without a discretizer had only discrete features.
  discretizer <- attr(selection, "discretizer") %||% if (inherits(task, "mlsource")) disc_auto()
  rows <- rows_of(task, discretizer, NULL)
  call_on_exit(rows$end, parent.frame())
  check_rows(rows, selector, method, NULL)
  input <- selection_input(rows, selector, method, attr(selection, "state")$target_bins, threads)
  params <- with_scale(selector, auto_scale(task))$params
  list(input = input, run = function(input, ...) method$run(input, params, ...))
}

#' Scores of the features that a greedy selection left
#'
#' The score that each of them would have as the next feature: \eqn{J(f \mid S)}{J(f | S)} of the selector's criterion,
#' given all selected features \eqn{S}. [extend_selection()] adds the best one that was not excluded, with this score.
#'
#' @inheritParams extend_selection
#' @inheritParams sift_features
#' @param selection A selection by a greedy selector (see [list_selectors()]), not cut by [head()].
#' @return A data frame with a row for each feature that is not selected, also for excluded ones. The best feature comes
#'   first, and equal scores are in column order. The columns are `feature`, `index` (its column) and `score`, in the
#'   unit of the selection's scores. Constant features come last, with `NA`, unless the selection was made with
#'   `constants = "scored"`. [sel_knn_mi()] never scores them.
#' @family selection
#' @examples
#' sel <- sift_features(help_pages, sel_cmim(), k = 3)
#' scores <- candidate_scores(sel, help_pages)
#' head(scores[order(-scores$score), ], 3)
#' extend_selection(sel, help_pages, k = 4)
#' @export
candidate_scores <- function(selection, task, threads = NULL) {
  check_greedy_selection(selection, task, c("Only a greedy selection has scores of candidates.",
    i = "Call {.fn sift_features} without {.arg k} for the scores of all features."
  ), "Give what {.fn sift_features} returned.")
  task <- imputed_task(selection, task)
  wishes <- list(
    k = nrow(selection), excluded = logical(attr(selection, "n_features")), min_gain = -Inf, max_seconds = Inf,
    score_rest = TRUE
  )
  ranking <- resume_selection(selection, task, wishes, threads)$ranking
  if (isTRUE(ranking$interrupted)) raise_interrupt()
  rest <- ranking$rest
  rest[is.nan(rest)] <- NA
  index <- setdiff(order(-rest, method = "radix"), selection$index)
  data.frame(feature = feature_names(task)[index], index = index, score = rest[index])
}

# `refusal`: the message and advice if the selector is not greedy; `advice`: the advice if the selection was truncated.
check_greedy_selection <- function(selection, task, refusal, advice) {
  check_selection(selection)
  check_task_or_source(task)
  selector <- attr(selection, "selector")
  method <- selector_method(selector)
  if (!is_greedy(method)) {
    if (method$gives == "set") abort(c(refusal[1L], x = "{selector$name} gives a set of features."))
    how <- if (is_model_path(method)) "follows a path of models" else "ranks all features at one go"
    abort(c(refusal[1L], x = "{selector$name} {how}.", refusal[-1L]))
  }
  check_has_state(attr(selection, "state"), advice)
  names <- feature_names(task)
  same <- length(names) == attr(selection, "n_features") && identical(names[selection$index], selection$feature)
  if (!same) refuse_other_task(what = kind_of_rows(task))
}

# A greedy selection resumes from a task or a source with the same rows.
check_task_or_source <- function(task, arg = rlang::caller_arg(task)) {
  if (inherits(task, "mlsource")) return(invisible())
  if (inherits(task, "mlcounts")) {
    abort(c("{.arg {arg}} must be a task or a source of rows.", x = "It is tables of counts.",
      i = "Greedy selectors need other counts at every step: see {.help chunk_source}."))
  }
  check_mltask(task, arg)
}

kind_of_rows <- function(x) if (inherits(x, "mlsource")) "source" else "task"

check_has_state <- function(state, advice, arg = "selection", lost = "what is needed to go on") {
  if (!is.null(state)) return(invisible())
  abort(c("{.arg {arg}} has lost {lost}.", x = "It was cut by {.fn head} or rebuilt.", i = advice))
}

# Resumes a greedy selection from where it stopped: list(input, ranking).
resume_selection <- function(selection, task, wishes, threads) {
  state <- attr(selection, "state")
  again <- begin_again(selection, task, threads)
  if (inherits(task, "mlsource")) check_same_relevance(again$run, again$input, state)
  # An interrupted run may not have processed its last feature: its sums are computed again.
  complete <- state$sums$n_selected == sum(!selection$index %in% state$constants)
  resume <- if (complete) state else state[c("interaction", "groups")]
  wishes$constants <- state$constants
  ranking <- again$run(c(again$input, wishes), resume, begin = selection$index)
  if (!identical(ranking$state$relevance, state$relevance)) refuse_other_task(what = kind_of_rows(task))
  list(input = again$input, ranking = describe_units(ranking, wishes))
}

# Whether the counts of a source match those of the selection. This is checked before the passes of the run, which may
# take long.
check_same_relevance <- function(run, input, state) {
  none <- list(k = 0L, excluded = logical(length(input$names)), min_gain = -Inf, max_seconds = Inf)
  found <- run(c(input, none), state["interaction"], begin = integer())
  if (identical(found$state$relevance, state$relevance)) return(invisible())
  refuse_other_task(what = "source")
}

refuse_other_task <- function(different = "Its features or their relevance are different.", what = "task") {
  abort(c("{.arg task} must be the {what} that {.arg selection} was made from.", x = different))
}

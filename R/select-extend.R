#' Select more features, going on where a greedy selection stopped
#'
#' The result is the one that a single longer run of [sift_features()] gives, bit by bit; what was done before is not
#' done again. It also resumes after `max_seconds` or `min_gain` stopped the run, and from the [last_selection()] of an
#' interrupted one.
#'
#' @param selection A selection by a greedy selector (see [list_selectors()]), not cut by [head()].
#' @param task The task it was made from. Another one is refused: the features' names and their relevance for the
#'   targets are compared.
#' @param k How many features in all.
#' @param max_seconds,threads As in [sift_features()].
#' @return The longer selection. With `k` not above the number of features selected already, the first `k` of them.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' sel <- sift_features(task, sel_scls(), k = 3)
#' extend_selection(sel, task, k = 6)
#' @export
extend_selection <- function(selection, task, k, max_seconds = Inf, threads = NULL) {
  call <- rlang::current_env()
  check_greedy_selection(selection, task, c(
    "Only a greedy selection can be extended.", i = "Call {.fn sift_features} with the larger {.arg k}."
  ),
                         "Extend what {.fn sift_features} returned.")
  k <- check_count(k)
  state <- attr(selection, "state")
  left <- ncol(task$x) - sum(state$excluded)
  if (k > left) {
    warn(c("{.arg k} is larger than the number of features; all {left} are selected.", x = "{.arg k} is {k}."))
    k <- left
  }
  if (k <= nrow(selection)) return(utils::head(selection, k))

  started <- proc.time()[["elapsed"]]
  wishes <- list(k = k, excluded = state$excluded, min_gain = -Inf, max_seconds = check_number(max_seconds, min = 0))
  resumed <- resume_selection(selection, task, wishes, threads, call)
  ranking <- resumed$ranking
  old <- seq_len(nrow(selection))
  ranking$score[old] <- selection$score
  for (column in names(ranking$path)) ranking$path[[column]][old] <- selection[[column]]
  selector <- attr(selection, "selector")
  seconds <- attr(selection, "seconds") + proc.time()[["elapsed"]] - started
  longer <- finish_selection(ranking, resumed$input, selector, selector_method(selector, call), seconds)
  finish_or_interrupt(longer, ranking, k)
}

#' Scores of the features that a greedy selection left
#'
#' What each of them would score as the next one: \eqn{J(f \mid S)} of the selector's criterion, given all selected
#' features \eqn{S}. The best of those that were not excluded is the one that [extend_selection()] adds next, with this
#' score.
#'
#' @inheritParams extend_selection
#' @inheritParams sift_features
#' @param selection A selection by a greedy selector (see [list_selectors()]), not cut by [head()].
#' @return A data frame with a row for each feature that is not selected, those excluded included, best first (equal
#'   scores in column order): `feature`, `index` (its column), `score` in the unit of the selection's scores. A feature
#'   that the selector does not score (for [sel_knn_mi()], a constant) comes last with `NA`.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' sel <- sift_features(task, sel_cmim(), k = 3)
#' head(candidate_scores(sel, task))
#' extend_selection(sel, task, k = 4)
#' @export
candidate_scores <- function(selection, task, threads = NULL) {
  call <- rlang::current_env()
  check_greedy_selection(selection, task, c(
    "Only a greedy selection has scores of candidates.",
    i = "Call {.fn sift_features} without {.arg k} for the scores of all features."
  ),
                         "Give what {.fn sift_features} returned.")
  wishes <- list(
    k = nrow(selection), excluded = logical(ncol(task$x)), min_gain = -Inf, max_seconds = Inf, score_rest = TRUE
  )
  ranking <- resume_selection(selection, task, wishes, threads, call)$ranking
  if (isTRUE(ranking$interrupted)) raise_interrupt()
  rest <- ranking$rest
  rest[is.nan(rest)] <- NA
  index <- setdiff(order(-rest, method = "radix"), selection$index)
  data.frame(feature = colnames(task$x)[index], index = index, score = rest[index])
}

# `refusal`: what to say, and advise, where the selector is not greedy; `advice`: where the selection was cut.
check_greedy_selection <- function(selection, task, refusal, advice, call = rlang::caller_env()) {
  check_selection(selection, call = call)
  check_task(task, call = call)
  selector <- attr(selection, "selector")
  if (!selector_method(selector, call)$extends) {
    abort(c(refusal[1L], x = "{selector$name} ranks all features at one go.", refusal[-1L]), call = call)
  }
  if (is.null(attr(selection, "state"))) {
    abort(c(
      "{.arg selection} has lost what is needed to go on.", x = "It was cut by {.fn head} or rebuilt.", i = advice
    ), call = call)
  }
  same <- ncol(task$x) == attr(selection, "n_features") &&
    identical(colnames(task$x)[selection$index], selection$feature)
  if (!same) refuse_other_task(call)
}

# Runs a greedy selection on from where it stopped: list(input, ranking).
resume_selection <- function(selection, task, wishes, threads, call) {
  selector <- attr(selection, "selector")
  method <- selector_method(selector, call)
  state <- attr(selection, "state")
  threads <- resolve_threads(threads, call = call)
  input <- selection_input(task, selector, method, attr(selection, "discretizer"), state$target_bins, threads, call)
  # An interrupted run may not have taken in its last feature: its sums are made again.
  resume <- if (state$sums$n_selected == nrow(selection)) state else state[c("interaction", "groups")]
  ranking <- method$run(c(input, wishes), selector$params, resume, begin = selection$index)
  if (!identical(ranking$state$relevance, state$relevance)) refuse_other_task(call)
  list(input = input, ranking = ranking)
}

refuse_other_task <- function(call) {
  abort(c(
    "{.arg task} must be the task that {.arg selection} was made from.",
    x = "Its features or their relevance are different."
  ), call = call)
}

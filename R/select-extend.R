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
  check_selection(selection)
  check_task(task)
  k <- check_count(k)
  selector <- attr(selection, "selector")
  method <- selector_method(selector)
  state <- attr(selection, "state")
  if (!method$extends) {
    abort(c("Only a greedy selection can be extended.", x = "{selector$name} ranks all features at one go.", i = "Call {.fn sift_features} with the larger {.arg k}."))
  }
  if (is.null(state)) {
    abort(c("{.arg selection} has lost what is needed to go on.", x = "It was cut by {.fn head} or rebuilt.", i = "Extend what {.fn sift_features} returned."))
  }
  d <- ncol(task$x)
  if (d != attr(selection, "n_features") || !identical(colnames(task$x)[selection$index], selection$feature)) refuse_other_task(call)
  left <- d - sum(state$excluded)
  if (k > left) {
    warn(c("{.arg k} is larger than the number of features; all {left} are selected.", x = "{.arg k} is {k}."))
    k <- left
  }
  if (k <= nrow(selection)) return(utils::head(selection, k))

  started <- proc.time()[["elapsed"]]
  threads <- resolve_threads(threads, call = call)
  input <- selection_input(task, selector, method, attr(selection, "discretizer"), state$target_bins, threads, call)
  wishes <- list(k = k, excluded = state$excluded, min_gain = -Inf, max_seconds = check_number(max_seconds, min = 0))
  # An interrupted run may not have taken in its last feature: its sums are made again.
  resume <- if (state$sums$n_selected == nrow(selection)) state else state[c("interaction", "groups")]
  ranking <- method$run(c(input, wishes), selector$params, resume, begin = selection$index)
  if (!identical(ranking$state$relevance, state$relevance)) refuse_other_task(call)
  old <- seq_len(nrow(selection))
  ranking$score[old] <- selection$score
  for (column in names(ranking$path)) ranking$path[[column]][old] <- selection[[column]]
  seconds <- attr(selection, "seconds") + proc.time()[["elapsed"]] - started
  finish_or_interrupt(finish_selection(ranking, input, selector, method, seconds), ranking, k)
}

refuse_other_task <- function(call) {
  abort(c("{.arg task} must be the task that {.arg selection} was made from.", x = "Its features or their relevance are different."), call = call)
}

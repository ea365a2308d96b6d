#' Evaluations and results of a search
#'
#' A search with a learner, such as [sel_rga()], keeps a history of its evaluations, and the sets that it had at the
#' end.
#'
#' @param x The selection (class `mlselection`) that [sift_features()] returned for a search. `search_history()` also
#'   takes a benchmark with searches among its selectors.
#' @return `search_history()` gives a data frame with a row for each evaluation and the columns
#'   - `evaluation`: its number;
#'   - `value`: the measure on the inner test rows, or 1 minus the measure if larger values of it are better. Lower is
#'     better. `Inf` means that the set could not be evaluated;
#'   - `best`: the lowest value so far;
#'   - `n_features`: the size of the set;
#'   - `operator`: how the set was made, such as `"crossover"`;
#'   - `seconds`: the time that the evaluation took.
#'
#'   `search_front()` gives a data frame with a row for each set and the columns `value`, `n_features` and `features` (a
#'   list of names). The first row is the selected set. The others follow by value. They are
#'   - for [sel_rga()], [sel_ga_explore()] and [sel_mamfs()], the last population;
#'   - for [sel_nsga2()] and [sel_mpsofs()], the sets that no other one beats in both value and size;
#'   - for [sel_sequential()], the best set of each size.
#'
#'   For a benchmark, the first columns of the history are `task`, `split`, `selector` and `k` (the largest size
#'   allowed), and the last one is `measure`. Benchmarks keep no fronts.
#' @family searches
#' @seealso [plot_searches()]
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' sel <- sift_features(words, sel_rga(max_features = 3, evaluations = 40))
#' tail(search_history(sel), 3)
#' head(search_front(sel), 3)
#' @export
search_history <- function(x) {
  if (inherits(x, "mlbenchmark")) benchmark_part(x, "searches") else search_part(x)$history
}

#' @rdname search_history
#' @export
search_front <- function(x) {
  front <- search_part(x)$front
  result <- data.frame(value = front$value, n_features = lengths(front$features))
  result$features <- front$features
  result
}

search_part <- function(selection, arg = rlang::caller_arg(selection)) {
  check_class(selection, "mlselection", "Make one with {.fn sift_features}.", arg = arg)
  found <- attr(selection, "search", exact = TRUE)
  if (!is.null(found)) return(found)
  selector <- attr(selection, "selector")
  cut <- is_search(selector_method(selector))
  abort(c("{.arg {arg}} must be the result of a search.",
    x = if (cut) "It was cut by {.fn head} or rebuilt." else "{selector$name} is not a search.",
    i = if (cut) "Give what {.fn sift_features} returned."
    else "Searches are {.fn sel_rga}, {.fn sel_sequential} and those that their help pages link to."))
}

#' Evaluations and results of a search
#'
#' A search with a learner, such as [sel_rga()], keeps a history of its evaluations, and the sets that it had at the
#' end.
#'
#' @param x The selection (class `mlselection`) that [sift_features()] returned for a search, or a benchmark with
#'   searches among its selectors.
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
#'   For a benchmark, the first columns are `task`, `split`, `selector` and `k` (the largest size allowed), and the last
#'   one is `measure`. `search_front()` then has only the fronts of [sel_nsga2()] and [sel_mpsofs()], without
#'   `features`.
#' @family searches
#' @seealso [plot_searches()]
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 20, n_targets = 3)
#' sel <- sift_features(task, sel_rga(max_features = 3, evaluations = 40))
#' tail(search_history(sel), 3)
#' head(search_front(sel), 3)
#' @export
search_history <- function(x) {
  if (inherits(x, "mlbenchmark")) benchmark_part(x, "searches") else search_part(x)$history
}

#' @rdname search_history
#' @export
search_front <- function(x) {
  if (inherits(x, "mlbenchmark")) return(benchmark_part(x, "fronts"))
  front <- search_part(x)$front
  result <- data.frame(value = front$value, n_features = lengths(front$features))
  result$features <- front$features
  result
}

search_part <- function(selection, arg = rlang::caller_arg(selection), call = rlang::caller_env()) {
  check_class(selection, "mlselection", "Make one with {.fn sift_features}.", arg = arg, call = call)
  found <- attr(selection, "search", exact = TRUE)
  if (!is.null(found)) return(found)
  selector <- attr(selection, "selector")
  cut <- is_search(selector_method(selector, call))
  abort(c("{.arg {arg}} must be the result of a search.",
    x = if (cut) "It was cut by {.fn head} or rebuilt." else "{selector$name} is not a search.",
    i = if (cut) "Give what {.fn sift_features} returned."
    else "Searches are {.fn sel_rga}, {.fn sel_sequential} and those that their help pages link to."),
  call = call)
}

# --- pictures ---------------------------------------------------------------------------------------------------------

#' Plots of searches
#'
#' Shows how the lowest value falls with the number of evaluations, for one search or several. For a benchmark, it shows
#' the mean over the splits, in a panel for each task and measure.
#'
#' To compare searches of a task, call `set.seed()` with the same number before each, as in the example. With the same
#' `inner` they then use the same inner rows. Genetic searches with the same `population` and `max_features` also have
#' the same first population. In a benchmark, this holds for all searches of a split.
#'
#' @param searches A list of selections made by searches such as [sel_rga()], all by the same measure. The legend shows
#'   the names of the list, or else those of the selectors. Or a benchmark with searches.
#' @param points (flag) Whether to show each evaluation as a point. A benchmark has no points.
#' @param k (count) For a benchmark, which searches to show: those with this largest size allowed. `NULL` takes the
#'   largest of each search.
#' @param width As in [plot.mlselection()].
#' @return A ggplot.
#' @family searches
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 20, n_targets = 3)
#' selectors <- list(sel_rga(evaluations = 60), sel_ga_explore(evaluations = 60))
#' searches <- lapply(selectors, function(selector) {
#'   set.seed(2)
#'   sift_features(task, selector)
#' })
#' plot_searches(searches)
#' @export
plot_searches <- function(searches, points = TRUE, k = NULL, width = NULL) {
  call <- rlang::current_env()
  room <- picture_room(width, 11)
  points <- check_flag(points)
  k <- check_count(k, null = TRUE)
  if (inherits(searches, "mlbenchmark")) return(search_means_picture(searches, k, room, call))
  single <- inherits(searches, "mlselection")
  if (single) searches <- list(searches)
  if (!is.list(searches) || is.object(searches) || length(searches) == 0L) {
    abort(c("{.arg searches} must be a list of selections made by searches, or a benchmark.",
      x = if (identical(searches, list())) "It is an empty list." else "It is {describe(searches)}."))
  }
  if (!is.null(k)) {
    abort(c("{.arg k} is for benchmarks.", x = "{.arg searches} has selections.", i = "Leave {.arg k} out."))
  }
  parts <- lapply(seq_along(searches), function(i) {
    search_part(searches[[i]], arg = paste0("searches", if (!single) paste0("[[", i, "]]")), call = call)
  })
  measures <- unique(vapply(parts, function(part) part$measure, ""))
  if (length(measures) > 1L) {
    abort(c("The {.arg searches} in one picture must be by the same measure.", x = "There are {.val {measures}}.",
      i = "Draw a picture for each measure."))
  }
  given <- names(searches) %||% rep("", length(searches))
  shown <- vapply(searches, function(selection) attr(selection, "selector")$name, "")
  name <- make.unique(ifelse(nzchar(given), given, shown), sep = " ")
  data <- do.call(rbind, Map(function(part, name) cbind(part$history, selector = name), parts, name))
  picture <- search_picture(data, search_title(measures), room = room)
  if (!points) return(picture)
  picture +
    ggplot2::geom_point(
      ggplot2::aes(y = .data$value), data[is.finite(data$value), ], size = 0.9, alpha = 0.35, show.legend = FALSE
    )
}

# Lines of the lowest value so far. `data` has columns evaluation, best and selector.
search_picture <- function(data, title, styles = curve_styles(length(unique(data$selector))), room) {
  data$selector <- factor(data$selector, unique(data$selector))
  ggplot2::ggplot(data[is.finite(data$best), ], ggplot2::aes(x = .data$evaluation, color = .data$selector)) +
    ggplot2::geom_step(ggplot2::aes(y = .data$best, linetype = .data$selector), linewidth = 0.8) +
    ggplot2::scale_color_manual(values = unname(styles$color), labels = short_names) +
    ggplot2::scale_linetype_manual(values = unname(styles$linetype), labels = short_names) +
    ggplot2::labs(x = "evaluations", y = paste0(title, ", lowest so far"), color = NULL, linetype = NULL) +
    theme_mlsift(room$base_size) + search_legend(levels(data$selector), room, c("color", "linetype"))
}

# The legend of searches is below the panels, with as many names side by side as fit.
search_legend <- function(names, room, scales) {
  if (length(names) < 2L) return(ggplot2::theme(legend.position = "none"))
  many <- length(names) > 12L
  one <- room$base_size * (if (many) 0.8 else 1) * (3 + 0.5 * max(nchar(short_names(names))))
  columns <- max(1, min(length(names), floor(72 * (room$width - 0.5) / one)))
  guide <- ggplot2::guide_legend(ncol = columns)
  list(
    do.call(ggplot2::guides, stats::setNames(rep(list(guide), length(scales)), scales)),
    ggplot2::theme(legend.position = "bottom", legend.key.height = grid::unit(if (many) 0.65 else 0.9, "lines"),
      legend.text = ggplot2::element_text(size = ggplot2::rel(if (many) 0.65 else 0.8)))
  )
}

# Searches minimize. For a measure that should be large, the value is 1 minus the measure.
search_title <- function(measure) {
  name <- sub("^1 - ", "", measure)
  if (name == measure) upper_first(measure_title(measure)) else paste("1 -", measure_title(name))
}

# Means over the splits of a benchmark, up to the last evaluation that all splits have.
search_means_picture <- function(bench, k, room, call) {
  history <- search_history(bench)
  if (nrow(history) == 0L) {
    abort(c("{.arg searches} must be a benchmark with searches among its selectors.", x = "This one has none.",
      i = "See {.fn failures} for searches that failed."), call = call)
  }
  if (!is.null(k) && !k %in% history$k) {
    abort(c("{.arg k} must be one for which the benchmark has searches.", x = "It is {k}.",
      i = "There are searches for {.val {sort(unique(history$k))}}."), call = call)
  }
  wanted <- k %||% stats::ave(history$k, history$task, history$selector, FUN = max)
  history <- history[history$k == wanted, ]
  by <- history[c("task", "selector", "measure", "evaluation")]
  means <- stats::aggregate(list(best = history$best), by, mean)
  means$n <- stats::aggregate(list(n = history$best), by, length)$n
  means <- means[means$n == stats::ave(means$n, means$task, means$selector, FUN = max), ]
  means$selector <- factor(means$selector, unique(history$selector))
  styles <- lapply(selector_styles(bench), `[`, levels(means$selector))
  search_picture(means[order(means$selector), ], search_value_label(history), styles, room) +
    search_panels(history, "free_y", room)
}

# Panels for a benchmark: one for each task, and for each measure if searches used several, in the order of `rows`.
search_panels <- function(rows, scales, room) {
  several <- length(unique(rows$measure)) > 1L
  titles <- vapply(unique(rows$measure), search_title, "")
  title <- function(task, measure) if (several) paste(task, titles[measure], sep = "\n") else task
  panels <- unique(title(rows$task, rows$measure))
  ggplot2::facet_wrap(ggplot2::vars(factor(title(.data$task, .data$measure), panels)), scales = scales,
    ncol = panel_columns(length(panels), room$width))
}

# Pictures narrower than 7 inches have panels of at least 1.7 inches; in others, ggplot2 chooses (NULL).
panel_columns <- function(n, width) if (width < 7) max(1, min(n, floor(width / 1.7)))

search_value_label <- function(rows) {
  if (length(unique(rows$measure)) > 1L) "value" else search_title(rows$measure[1L])
}

# The picture of one search: its front if it looked for one, else its history.
autoplot_search <- function(selection, base_size = 11, width = NULL) {
  room <- picture_room(width, base_size)
  search <- search_part(selection)
  title <- fold_title(selection_title(selection), room)
  if (!search$is_front) {
    n <- nrow(search$history)
    return(plot_searches(list(selection), width = width) + ggplot2::theme(
      text = ggplot2::element_text(size = room$base_size)
    ) + ggplot2::labs(title = title, subtitle = paste(counted(n, "evaluation"), "of sets of features")))
  }
  front_picture(search_front(selection)) + theme_mlsift(room$base_size) +
    ggplot2::labs(title = title, y = search_title(search$measure), subtitle = fold_subtitle(
      "Sets that no other beats in both value and size; the circle marks the one selected", room
    ))
}

front_picture <- function(front) {
  ggplot2::ggplot(front, ggplot2::aes(.data$n_features, .data$value)) +
    ggplot2::geom_step(data = front[if (nrow(front) > 1L) seq_len(nrow(front)), ], color = faint, linewidth = 0.6) +
    ggplot2::geom_point(color = calm, size = 2) +
    ggplot2::geom_point(data = front[1L, ], color = accent, size = 3.5, shape = 1, stroke = 1.1) +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    ggplot2::labs(x = "features") +
    theme_mlsift()
}

# The fronts of a benchmark, all splits together.
fronts_picture <- function(bench, width = NULL) {
  room <- picture_room(width, 11)
  front <- search_front(bench)
  front <- front[front$k == stats::ave(front$k, front$task, front$selector, FUN = max), ]
  front$selector <- factor(front$selector, unique(front$selector))
  styles <- selector_styles(bench)
  ggplot2::ggplot(front, ggplot2::aes(.data$n_features, .data$value, color = .data$selector)) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$selector), alpha = 0.6, size = 1.8) +
    ggplot2::scale_color_manual(values = styles$color) +
    ggplot2::scale_shape_manual(values = styles$shape) +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    search_panels(front, "free", room) +
    ggplot2::labs(x = "features", y = search_value_label(front), color = NULL, shape = NULL) +
    theme_mlsift(room$base_size) + search_legend(levels(front$selector), room, c("color", "shape"))
}

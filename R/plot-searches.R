#' Plots of searches
#'
#' Shows how the lowest value falls with the number of evaluations, for one search or several, with a point for each
#' evaluation of at most three searches. For a benchmark, it shows the mean over the splits, in a panel for each task
#' and measure, of the searches with the largest size allowed.
#'
#' To compare searches of a task, call `set.seed()` with the same number before each, as in the example. With the same
#' `inner` they then use the same inner rows. Genetic searches with the same `population` and `max_features` also have
#' the same first population. In a benchmark, this holds for all searches of a split.
#'
#' @param searches A list of selections made by searches such as [sel_rga()], all by the same measure. The legend shows
#'   the names of the list, or else those of the selectors. Or a benchmark with searches.
#' @param width As in [plot.mlselection()].
#' @return A ggplot.
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' selectors <- list(sel_rga(evaluations = 60), sel_ga_explore(evaluations = 60))
#' searches <- lapply(selectors, function(selector) {
#'   set.seed(2)
#'   sift_features(words, selector)
#' })
#' plot_searches(searches)
#' @export
plot_searches <- function(searches, width = NULL) {
  room <- picture_room(width, 11)
  if (inherits(searches, "mlbenchmark")) return(search_means_picture(searches, room))
  single <- inherits(searches, "mlselection")
  if (single) searches <- list(searches)
  if (!is.list(searches) || is.object(searches) || length(searches) == 0L) {
    abort(c("{.arg searches} must be a list of selections made by searches, or a benchmark.",
      x = if (identical(searches, list())) "It is an empty list." else "It is {describe(searches)}."))
  }
  parts <- lapply(seq_along(searches), function(i) {
    search_part(searches[[i]], arg = paste0("searches", if (!single) paste0("[[", i, "]]")))
  })
  measures <- unique(vapply(parts, function(part) part$measure, ""))
  if (length(measures) > 1L) {
    abort(c("The {.arg searches} in one picture must be by the same measure.", x = "There are {.val {measures}}.",
      i = "Draw a picture for each measure."))
  }
  given <- rlang::names2(searches)
  shown <- vapply(searches, function(selection) attr(selection, "selector")$name, "")
  name <- make.unique(ifelse(nzchar(given), given, shown), sep = " ")
  data <- do.call(rbind, Map(function(part, name) cbind(part$history, selector = name), parts, name))
  picture <- search_picture(data, search_title(measures), room = room)
  if (length(searches) > 3L) return(picture)
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
    theme_mlsift(room$base_size) +
    (if (nlevels(data$selector) > 1L) many_names(levels(data$selector), room$width)
    else ggplot2::theme(legend.position = "none"))
}

# Searches minimize. For a measure that should be large, the value is 1 minus the measure.
search_title <- function(measure) {
  name <- sub("^1 - ", "", measure)
  if (name == measure) upper_first(measure_title(measure)) else paste("1 -", measure_title(name))
}

# Means over the splits of a benchmark, up to the last evaluation that all splits have.
search_means_picture <- function(bench, room) {
  history <- search_history(bench)
  if (nrow(history) == 0L) {
    abort(c("{.arg searches} must be a benchmark with searches among its selectors.", x = "This one has none.",
      i = "See {.fn failures} for searches that failed."))
  }
  history <- history[history$k == stats::ave(history$k, history$task, history$selector, FUN = max), ]
  by <- history[c("task", "selector", "measure", "evaluation")]
  means <- stats::aggregate(list(best = history$best), by, mean)
  means$n <- stats::aggregate(list(n = history$best), by, length)$n
  means <- means[means$n == stats::ave(means$n, means$task, means$selector, FUN = max), ]
  means$selector <- factor(means$selector, unique(history$selector))
  styles <- lapply(selector_styles(bench), `[`, levels(means$selector))
  label <- if (length(unique(history$measure)) > 1L) "value" else search_title(history$measure[1L])
  search_picture(means[order(means$selector), ], label, styles, room) + search_panels(history, room)
}

# Panels for a benchmark: one for each task, and for each measure if searches used several, in the order of `rows`.
search_panels <- function(rows, room) {
  several <- length(unique(rows$measure)) > 1L
  titles <- vapply(unique(rows$measure), search_title, "")
  title <- function(task, measure) if (several) paste(task, titles[measure], sep = "\n") else task
  panels <- unique(title(rows$task, rows$measure))
  ggplot2::facet_wrap(ggplot2::vars(factor(title(.data$task, .data$measure), panels)), scales = "free_y",
    ncol = panel_columns(length(panels), room$width))
}

# Pictures narrower than 7 inches have panels of at least 1.7 inches; in others, ggplot2 chooses (NULL).
panel_columns <- function(n, width) if (width < 7) max(1, min(n, floor(width / 1.7)))

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
    ggplot2::scale_x_continuous(breaks = tried_breaks(front$n_features)) +
    ggplot2::labs(x = "features") +
    theme_mlsift()
}

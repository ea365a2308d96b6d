#' Plots of a benchmark
#'
#' * `type = "curve"` draws the mean over splits of each selector against the number (or share) of features, with one
#'   panel for each task. The legend lists the selectors from the best mean ranking score to the worst. If the number of
#'   features of a selector does not follow the grid, as with all features, it is a gray dashed line.
#' * `type = "rank"` shows the [ranking_scores()]: a small point for each task and a large point for the mean, with the
#'   best selector on top.
#'
#' @param x,object An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param measure (character) Names of measures. `NULL` shows all measures of the benchmark.
#' @param learner (string) One learner. It may be `NULL` if there is only one.
#' @param type What to show.
#' @param colors (character) Colors for some selectors, by name. The others have colors by their place in the benchmark,
#'   so that a selector looks the same in all pictures of a benchmark and of its rows.
#' @param ... Not used.
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @family pictures
#' @examples
#' set.seed(1)
#' bench <- benchmark_selectors(
#'   tasks = list(a = simulate_mltask(60, 8, 3), b = simulate_mltask(60, 8, 3)),
#'   selectors = list(sel_mim(), sel_mfs(), sel_random()), learners = list(lrn_brknn()),
#'   resampling = rs_holdout(repeats = 2), k = 1:4, measures = "hamming_loss"
#' )
#' plot(bench)
#' plot(bench, type = "rank")
#' @export
plot.mlbenchmark <- function(x, measure = NULL, learner = NULL, type = c("curve", "rank"), colors = NULL, ...) {
  draw(autoplot.mlbenchmark(x, measure = measure, learner = learner, type = type, colors = colors))
}

#' @rdname plot.mlbenchmark
#' @method autoplot mlbenchmark
#' @export
autoplot.mlbenchmark <- function(object, measure = NULL, learner = NULL, type = c("curve", "rank"), colors = NULL,
                                 ...) {
  call <- rlang::current_env()
  type <- check_choice(type, c("curve", "rank"))
  check_benchmark(object, call = call)
  measures <- bench_pick(object, "measure", measure, call, several = TRUE)
  found <- lapply(measures, \(m) bench_values(object, m, learner, call, arg = "object"))
  names(found) <- measures
  styles <- selector_styles(object, colors, call)
  if (type == "curve") curve_picture(found, reference_selectors(object), styles) else rank_picture(found)
}

# Selectors that use the same number of features wherever the grid stands.
reference_selectors <- function(bench) {
  bench <- as.data.frame(bench)[!is.na(bench$n_selected), ]
  if (length(unique(bench$k)) < 2L) return(character())
  place <- paste(bench$task, bench$split, sep = "\r")
  steady <- vapply(split(seq_len(nrow(bench)), as.character(bench$selector)), function(rows) {
    counts <- tapply(bench$n_selected[rows], place[rows], \(v) length(unique(v)))
    grid <- tapply(bench$k[rows], place[rows], \(v) length(unique(v)))
    all(counts == 1L) && any(grid > 1L)
  }, NA)
  names(steady)[steady]
}

# Long form: measure, task, selector, at, mean over splits.
curve_data <- function(found) {
  parts <- lapply(found, function(f) lapply(f$tasks, function(task) {
    means <- colMeans(f$values[[task]])
    data.frame(measure = f$measure, task = task, at = rep(as.numeric(rownames(means)), ncol(means)),
               selector = rep(colnames(means), each = nrow(means)), value = as.vector(means))
  }))
  do.call(rbind, unlist(parts, recursive = FALSE))
}

curve_picture <- function(found, reference, styles) {
  data <- curve_data(found)
  order <- best_first(found)
  data$selector <- factor(data$selector, order)
  data$panel <- panel_factor(data, found)
  style <- reference_style(lapply(styles, `[`, order), order, reference)
  values <- function(what) stats::setNames(style[[what]], order)
  ggplot2::ggplot(data, ggplot2::aes(.data$at, .data$value, color = .data$selector, linetype = .data$selector,
                                     shape = .data$selector)) +
    (if (length(unique(data$at)) > 1L) ggplot2::geom_line(linewidth = 0.6, na.rm = TRUE)) +
    ggplot2::geom_point(data = \(d) thin_points(d), size = 1.7, na.rm = TRUE) +
    ggplot2::scale_color_manual(NULL, values = values("color")) +
    ggplot2::scale_linetype_manual(NULL, values = values("linetype")) +
    ggplot2::scale_shape_manual(NULL, values = values("shape")) +
    (if (found[[1L]]$by == "k") ggplot2::scale_x_continuous(breaks = whole_breaks)) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free", ncol = panel_columns(found)) +
    ggplot2::labs(x = grid_label(found), y = value_label(found), title = curve_title(found),
                  subtitle = paste0("Means over splits; selectors listed from the best mean ranking score to the worst",
                                    mixed_directions(found))) +
    theme_mlsift() + ggplot2::theme(legend.key.width = grid::unit(2, "lines"))
}

# Selectors by mean ranking score over all tasks and measures that can be ranked.
best_first <- function(found) {
  scores <- do.call(rbind, lapply(found, \(f) ranking_matrix(f)[, found[[1L]]$selectors, drop = FALSE]))
  names(sort(colMeans(scores, na.rm = TRUE), na.last = TRUE))
}

# Gray dashed lines for the reference selectors.
reference_style <- function(style, order, reference) {
  steady <- order %in% reference
  spread <- function(values, other) {
    values[steady] <- other
    unname(values)
  }
  list(color = spread(style$color, "grey45"), linetype = spread(style$linetype, "22"), shape = spread(style$shape, NA))
}

panel_factor <- function(data, found) {
  tasks <- unique(unlist(lapply(found, `[[`, "tasks")))
  if (length(found) == 1L) return(factor(data$task, tasks))
  name <- function(task, measure) paste(task, measure_title(measure), sep = ", ")
  levels <- unlist(lapply(names(found), \(m) name(tasks, m)))
  factor(mapply(name, data$task, data$measure), levels)
}

# One row of panels for each measure where there are several; else as near a square as facet_wrap() finds.
panel_columns <- function(found) {
  tasks <- length(unique(unlist(lapply(found, `[[`, "tasks"))))
  if (length(found) > 1L && tasks <= 5L) tasks
}

# About six points a curve, at places that differ between selectors, so that shapes tell curves apart.
thin_points <- function(data) {
  keep <- lapply(split(seq_len(nrow(data)), list(data$panel, data$selector), drop = TRUE), function(rows) {
    rows <- rows[order(data$at[rows])]
    step <- max(1L, length(rows) %/% 6L)
    rows[(seq_along(rows) + as.integer(data$selector[rows[1L]])) %% step == 0L]
  })
  data[unlist(keep), ]
}

measure_title <- function(measure) registered("measures", measure)$title %||% gsub("_", " ", measure)

whole_breaks <- function(limits) {
  breaks <- unique(round(pretty(limits, 4L)))
  breaks[breaks >= limits[1L] & breaks <= limits[2L]]
}

grid_label <- function(found) if (found[[1L]]$by == "k") "number of features" else "share of features"

# Which measures go up, where a picture has both kinds.
mixed_directions <- function(found) {
  up <- vapply(found, \(f) f$direction == "maximize", NA)
  if (any(up) && !all(up)) paste0(
    "\nHigher is better: ", paste(measure_title_of(found[up]), collapse = ", "), "; else lower"
  )
}

measure_title_of <- function(found) vapply(names(found), measure_title, "")

value_label <- function(found) {
  directions <- vapply(found, `[[`, "", "direction")
  better <- if (length(unique(directions)) > 1L) "" else paste0(" (", better_side(directions[1L]), ")")
  label <- paste0(if (length(found) == 1L) measure_title(names(found)) else "value", better)
  paste(strwrap(label, 38L), collapse = "\n")
}

better_side <- function(direction) paste(if (direction == "minimize") "lower" else "higher", "is better")

curve_title <- function(found) {
  paste0(if (length(found) == 1L) upper_first(measure_title(names(found))) else "Benchmark", ", ", found[[1L]]$learner)
}

rank_picture <- function(found) {
  data <- rank_data(found)
  means <- stats::aggregate(score ~ selector + panel, data, mean)
  m <- nlevels(data$selector)
  ggplot2::ggplot(data, ggplot2::aes(.data$score, .data$selector)) +
    ggplot2::geom_point(data = means, size = 3.6, color = calm) +
    ggplot2::geom_point(shape = 1, size = 1.5, color = ink) +
    (if (length(found) > 1L) ggplot2::facet_wrap(ggplot2::vars(.data$panel))) +
    ggplot2::scale_x_continuous(breaks = seq_len(m), limits = c(1, m)) +
    ggplot2::labs(x = "ranking score (1 = best)", y = NULL, title = curve_title(found),
                  subtitle = "Small points: one task each; large points: mean over tasks") +
    theme_mlsift()
}

rank_data <- function(found) {
  levels <- rev(best_first(found))
  parts <- lapply(names(found), function(m) {
    scores <- ranking_matrix(found[[m]])
    data.frame(panel = measure_title(m), task = rep(rownames(scores), ncol(scores)),
               selector = factor(rep(colnames(scores), each = nrow(scores)), levels), score = as.vector(scores))
  })
  data <- do.call(rbind, parts)
  data$panel <- factor(data$panel, unique(data$panel))
  data[!is.na(data$score), ]
}

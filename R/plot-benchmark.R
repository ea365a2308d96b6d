#' Plots of a benchmark
#'
#' * `type = "curve"` draws the mean over splits of each selector against the number (or share) of features, with one
#'   panel for each task. Several measures or learners have a row of panels each, and panels of a row share their scale.
#'   The legend lists the selectors from the best mean rank to the worst (see `vignette("comparing-methods")`). If the
#'   number of features of a selector does not follow the grid, as with all features, it is a gray dashed line.
#' * `type = "rank"` shows the [ranking_scores()]: a small point for each task and a large point for their mean. The
#'   selector with the best mean rank is on top.
#' * `type = "time"` shows what quality costs: the mean rank of each selector against the seconds that one
#'   selection takes (geometric mean over tasks). A line joins the selectors for which no other is both faster and
#'   better. All features are a dashed line.
#'
#' @param x,object An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param measure (character) Names of measures. `NULL` shows all measures of the benchmark.
#' @param learner (character) Names of learners. `NULL` shows all learners.
#' @param type What to show.
#' @param highlight (character) Names of selectors. The others are drawn in light gray.
#' @param width As in [plot.mlselection()]. Below 7 inches fewer panels stand beside each other, so that the picture
#'   should be higher, and below 5 the legend is at the bottom.
#' @inheritParams plot.mlselection
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @family pictures
#' @examples
#' set.seed(1)
#' selectors <- list(sel_mim(), sel_cmim(), sel_random())
#' bench <- benchmark_selectors(help_pages, selectors, lrn_nb(), rs_cv(3),
#'   k = c(5, 10, 20), measures = "average_precision"
#' )
#' plot(bench, highlight = "CMIM")
#' @export
plot.mlbenchmark <- function(x, width = NULL, ...) {
  draw(autoplot.mlbenchmark(x, width = device_width(width), ...))
}

#' @rdname plot.mlbenchmark
#' @export
autoplot.mlbenchmark <- function(object, measure = NULL, learner = NULL, type = c("curve", "rank", "time"),
                                 highlight = NULL, base_size = 11, width = NULL, ...) {
  type <- check_choice(type)
  room <- picture_room(width, base_size)
  check_benchmark(object)
  if (type %in% c("rank", "time")) learner <- bench_pick(object, "learner", learner)
  found <- bench_settings(object, measure, learner)
  if (type == "rank") return(rank_picture(found, room))
  if (type == "time") return(time_picture(found, timings(object), reference_selectors(object), room))
  if (!is.null(highlight)) check_known(highlight, selectors_of(found), "highlight")
  curve_picture(found, reference_selectors(object), selector_styles(object), highlight, room)
}

# Selectors that use the same number of features at every point of the grid.
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

# Long form: measure, learner, task, selector, at, mean over splits.
curve_data <- function(found) {
  parts <- lapply(found, function(f) lapply(f$tasks, function(task) {
    means <- colMeans(f$values[[task]])
    data.frame(measure = f$measure, learner = f$learner, task = task,
      at = rep(as.numeric(rownames(means)), ncol(means)), selector = rep(colnames(means), each = nrow(means)),
      value = as.vector(means))
  }))
  do.call(rbind, unlist(parts, recursive = FALSE))
}

curve_picture <- function(found, reference, styles, highlight, room) {
  data <- curve_data(found)
  ranks <- best_first(found)
  order <- names(ranks)
  data$selector <- factor(data$selector, order)
  data <- panel_factors(data, found)
  style <- reference_style(lapply(styles, `[`, order), order, reference)
  if (!is.null(highlight)) style$color[!order %in% highlight] <- "grey80"
  values <- function(what) stats::setNames(style[[what]], order)
  # Highlighted curves are drawn last.
  data <- data[base::order(data$selector %in% highlight), ]
  ggplot2::ggplot(data, ggplot2::aes(.data$at, .data$value, color = .data$selector, linetype = .data$selector,
    shape = .data$selector, group = .data$selector)) +
    (if (anyDuplicated(data[c("row", "task", "selector")]) > 0L) ggplot2::geom_line(linewidth = 0.6, na.rm = TRUE)) +
    ggplot2::geom_point(data = \(d) thin_points(d), size = 1.7, na.rm = TRUE) +
    ggplot2::scale_color_manual(NULL, values = values("color"), limits = order, labels = short_names) +
    ggplot2::scale_linetype_manual(NULL, values = values("linetype"), limits = order, labels = short_names) +
    ggplot2::scale_shape_manual(NULL, values = values("shape"), limits = order, labels = short_names) +
    (if (found[[1L]]$by == "k") ggplot2::scale_x_continuous(breaks = tried_breaks(data$at))) +
    ggplot2::labs(x = if (found[[1L]]$by == "k") "number of features" else "share of features",
      y = value_label(found), title = curve_title(found),
      subtitle = fold_subtitle(paste0("Means over splits",
        if (!anyNA(ranks)) "; selectors listed from the best mean rank to the worst", mixed_directions(found)), room)) +
    theme_mlsift(room$base_size) + many_names(order, room$width) + curve_panels(found, room$width)
}

# A legend with many names is small and placed below the panels, as is the legend of a narrow picture.
many_names <- function(names, width) {
  many <- has_many_names(names, width)
  list(
    ggplot2::guides(color = ggplot2::guide_legend(ncol = legend_columns(names, width))),
    ggplot2::theme(
      legend.position = if (many) "bottom" else "right", legend.key.width = grid::unit(if (many) 1.5 else 2, "lines"),
      legend.text = ggplot2::element_text(size = ggplot2::rel(if (many) 0.65 else 0.8)),
      legend.key.height = grid::unit(if (many) 0.65 else 1.1, "lines")
    )
  )
}

has_many_names <- function(names, width) length(names) > 12L || width < 5

# At most ten lines, if that many names fit side by side. `item`: the width of a key and the longest name, in inches.
legend_columns <- function(names, width) {
  if (!has_many_names(names, width)) return(1L)
  columns <- if (stats::median(nchar(names)) > 16) 3L else 4L
  if (width < 7) columns <- max(1, floor(columns * (0.3 + width / 10)))
  if (width < 5 && length(names) <= 12L) columns <- 2L
  item <- 0.25 + 0.055 * max(nchar(short_names(names)))
  max(columns, min(ceiling(length(names) / 10), floor((width - 0.4) / item)))
}

# Rows and columns of panels: tasks side by side, measures and learners below each other.
panel_factors <- function(data, found) {
  data$task <- factor(data$task, unique(unlist(lapply(found, `[[`, "tasks"))))
  measure <- vapply(measures_of(found), measure_title, "")
  several <- c(length(measure) > 1L, length(learners_of(found)) > 1L)
  row <- function(measure, learner) paste(c(measure, learner)[several], collapse = ", ")
  pairs <- unique(data[c("measure", "learner")])
  rows <- function(of) mapply(row, measure[of$measure], of$learner)
  data$row <- factor(rows(data), rows(pairs))
  data
}

curve_panels <- function(found, width) {
  if (length(found) == 1L) return(ggplot2::facet_wrap(ggplot2::vars(.data$task),
    scales = "free", labeller = ggplot2::label_wrap_gen(18), ncol = panel_columns(length(found[[1L]]$tasks), width)))
  many <- length(found) > 2L
  list(
    ggplot2::facet_grid(
      ggplot2::vars(.data$row), ggplot2::vars(.data$task), scales = "free", switch = "y",
      labeller = ggplot2::label_wrap_gen(14)
    ),
    ggplot2::theme(
      strip.placement = "outside",
      # Names of many rows would overlap if they stood on end.
      strip.text.y.left = ggplot2::element_text(hjust = 0.5, size = ggplot2::rel(if (many) 0.75 else 0.9),
        face = "plain", angle = if (many) 0 else 90)
    ),
    if (many) ggplot2::scale_y_continuous(n.breaks = 3, guide = ggplot2::guide_axis(check.overlap = TRUE))
  )
}

# The mean ranks of the selectors, averaged if there are several measures or learners, the best first.
best_first <- function(found) {
  all <- selectors_of(found)
  ranks <- vapply(found, \(f) mean_ranks(f)[all], numeric(length(all)))
  sort(stats::setNames(rowMeans(matrix(ranks, length(all)), na.rm = TRUE), all), na.last = TRUE)
}

selectors_of <- function(found) unique(unlist(lapply(found, `[[`, "selectors")))

# Gray dashed lines for the reference selectors.
reference_style <- function(style, order, reference) {
  steady <- order %in% reference
  spread <- function(values, other) {
    values[steady] <- other
    unname(values)
  }
  list(color = spread(style$color, "grey45"), linetype = spread(style$linetype, "22"), shape = spread(style$shape, NA))
}

# About six points per curve, at places that differ between selectors, so that curves can be told apart by shape.
thin_points <- function(data) {
  keep <- lapply(split(seq_len(nrow(data)), list(data$row, data$task, data$selector), drop = TRUE), function(rows) {
    rows <- rows[order(data$at[rows])]
    step <- max(1L, length(rows) %/% 6L)
    rows[(seq_along(rows) + as.integer(data$selector[rows[1L]])) %% step == 0L]
  })
  data[unlist(keep), ]
}

# Which measures are better when higher, if a picture has both kinds.
mixed_directions <- function(found) {
  up <- vapply(found, \(f) f$direction == "maximize", NA)
  higher <- vapply(measures_of(found[up]), measure_title, "")
  if (any(up) && !all(up)) paste0(". Higher is better: ", paste(higher, collapse = ", "), "; elsewhere lower")
}

# Strips name the measures if they are in rows.
value_label <- function(found) {
  if (length(measures_of(found)) > 1L) return(NULL)
  label <- paste0(measure_title(found[[1L]]$measure), " (", better_side(found[[1L]]$direction), ")")
  paste(strwrap(label, 38L), collapse = "\n")
}

curve_title <- function(found) {
  learners <- learners_of(found)
  what <- if (length(measures_of(found)) == 1L) upper_first(measure_title(found[[1L]]$measure)) else "Benchmark"
  paste0(what, if (length(learners) == 1L) paste0(", ", learners))
}

rank_picture <- function(found, room) {
  data <- rank_data(found)
  means <- stats::aggregate(score ~ selector + panel, data, mean)
  m <- nlevels(data$selector)
  out <- unique(unlist(lapply(found, \(f) setdiff(f$tasks, rownames(ranked_tasks(f))))))
  ggplot2::ggplot(data, ggplot2::aes(.data$score, .data$selector)) +
    ggplot2::geom_point(data = means, size = 3.6, color = calm) +
    ggplot2::geom_point(shape = 1, size = 1.5, color = ink) +
    ggplot2::scale_y_discrete(labels = short_names) +
    (if (length(found) > 1L) ggplot2::facet_wrap(ggplot2::vars(.data$panel))) +
    ggplot2::scale_x_continuous(breaks = \(limits) c(1, setdiff(whole_breaks(limits), 0:1)), limits = c(1, m)) +
    ggplot2::labs(x = "ranking score (1 = best)", y = NULL, title = curve_title(found),
      subtitle = fold_subtitle(
        paste0("Small points: one task each; large points: mean over tasks. Best mean rank on top",
          if (length(out) > 0L) paste0(". Left out, as a selector has no value: ", name_list(out))), room
    )) +
    names_that_fit() + theme_mlsift(room$base_size)
}

rank_data <- function(found) {
  levels <- rev(names(best_first(found)))
  data <- do.call(rbind, lapply(found, function(f) {
    scores <- ranked_tasks(f)
    data.frame(panel = measure_title(f$measure), task = rep(rownames(scores), ncol(scores)),
      selector = factor(rep(colnames(scores), each = nrow(scores)), levels), score = as.vector(scores))
  }))
  data$panel <- factor(data$panel, unique(data$panel))
  data
}

# Mean rank against the seconds that a selection takes.
time_picture <- function(found, spent, reference, room) {
  data <- time_data(found, spent, reference)
  level <- data[data$selector %in% reference, ]
  data <- data[!data$selector %in% reference, ]
  left <- min(if (nrow(data) > 0L) data$seconds else level$seconds)
  front <- data[data$front, ]
  # Names that would cover an earlier one are left out; those of the front come first.
  names <- ggplot2::geom_text(
    ggplot2::aes(label = short_names(as.character(.data$selector))), data = data[order(!data$front), ],
    color = "grey30", hjust = -0.1, vjust = -0.35, size = room$base_size / 3.9, check_overlap = TRUE
  )
  ggplot2::ggplot(data, ggplot2::aes(.data$seconds, .data$score)) +
    ggplot2::geom_hline(ggplot2::aes(yintercept = .data$score), data = level, color = "grey45", linetype = "22") +
    ggplot2::geom_text(
      ggplot2::aes(x = left, label = .data$selector),
      data = level, color = "grey45", hjust = 0, vjust = -0.4, size = room$base_size / 3.9
    ) +
    (if (anyDuplicated(front$panel) > 0L) {
      ggplot2::geom_step(data = front, direction = "hv", color = calm, linewidth = 0.4)
    }) +
    ggplot2::geom_point(ggplot2::aes(color = .data$front), size = 2) +
    names +
    ggplot2::scale_color_manual(values = c("FALSE" = "grey60", "TRUE" = calm), guide = "none") +
    ggplot2::scale_x_log10(expand = ggplot2::expansion(mult = c(0.03, if (room$width < 5) 0.3 else 0.18)),
      guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::scale_y_reverse() +
    (if (length(found) > 1L) ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = if (room$width < 5) 1)) +
    ggplot2::labs(x = "seconds of a selection (logarithmic)", y = "mean rank (better upwards)",
      title = curve_title(found), subtitle = fold_subtitle(paste0("Means over ",
        counted(max(data$n_tasks, level$n_tasks), "task"), "; the line joins what nothing else beats in both"), room)) +
    theme_mlsift(room$base_size)
}

# The front: selectors for which no other is as fast and as good, and better in one of the two. `reference`: selectors
# that are left out.
time_data <- function(found, spent, reference) {
  spent <- spent[spent$stage == "select", ]
  means <- tapply(spent$seconds, list(spent$selector, spent$task), mean)
  data <- do.call(rbind, lapply(found, function(f) {
    scores <- ranked_tasks(f)
    score <- unname(mean_ranks(f))
    # Clocks do not resolve times below a millisecond.
    seconds <- exp(rowMeans(log(pmax(means[f$selectors, rownames(scores), drop = FALSE], 1e-3)), na.rm = TRUE))
    rival <- !f$selectors %in% reference
    beaten <- vapply(seq_along(score), function(i) {
      any(rival & score <= score[i] & seconds <= seconds[i] & (score < score[i] | seconds < seconds[i]))
    }, NA)
    data.frame(panel = measure_title(f$measure), selector = f$selectors, seconds = unname(seconds), score = score,
      front = rival & !beaten, n_tasks = nrow(scores))
  }))
  data$panel <- factor(data$panel, unique(data$panel))
  data[order(data$panel, data$seconds), ]
}

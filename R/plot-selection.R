#' Plot of a selection
#'
#' Shows the scores of the ranked features, best on top. Infinite scores end at the edge with an arrow. Features without
#' a score have no bar. These are features from `include`, or of a method that returns a set.
#'
#' Of a search with a learner, such as [sel_rga()], the values against the evaluations are shown; of [sel_nsga2()] and
#' [sel_mpsofs()] the front, values against the number of features. Of [tune_selection()], the curves are shown.
#'
#' @param x,object An `mlselection`, as [sift_features()] returns it, or what [tune_selection()] returns.
#' @param n (count) Number of features shown, best first.
#' @param base_size Size of the text, in points.
#' @param width (number, at most 1000) The width, in inches, at which the plot will be seen. Below 7, text is smaller
#'   and titles are on more lines. Names that are too long for it are shown without their middle.
#'   `NULL` is the width of the open device for `plot()`, and 7 for `autoplot()`.
#' @param ... Arguments for `autoplot()`. Others give an error.
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @family pictures
#' @examples
#' plot(sift_features(help_pages, sel_mim()), n = 10)
#' @export
plot.mlselection <- function(x, width = NULL, ...) draw(autoplot.mlselection(x, width = device_width(width), ...))

#' @rdname plot.mlselection
#' @export
autoplot.mlselection <- function(object, n = 30, base_size = 11, width = NULL, ...) {
  n <- check_count(n)
  room <- picture_room(width, base_size)
  if (!is.null(attr(object, "search", exact = TRUE))) return(autoplot_search(object, base_size, width))
  data <- selection_bars(object, n)
  picture <- ggplot2::ggplot(data, ggplot2::aes(y = .data$row)) +
    ggplot2::geom_vline(xintercept = 0, color = "grey60", linewidth = 0.3) +
    selection_layers(data) +
    ggplot2::scale_y_continuous(
      breaks = data$row, labels = shorten_names(data$feature, room$name), expand = ggplot2::expansion(add = 0.6)
    ) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(if (any(is.infinite(data$score))) 0.12 else 0.06)) +
    folded_labs(selection_title(object), selection_subtitle(object, nrow(data)), room,
      x = score_words(attr(object, "selector")), y = NULL) +
    names_that_fit() + theme_mlsift(room$base_size) + ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
  if (any(!is.na(data$score))) return(picture)
  none <- ggplot2::element_blank()
  picture + ggplot2::labs(x = NULL) + ggplot2::theme(axis.text.x = none, panel.grid = none, panel.grid.major.x = none)
}

# One row per bar: `end` is where it ends, `note` describes what cannot be drawn.
selection_bars <- function(selection, n) {
  rows <- seq_len(min(n, nrow(selection)))
  score <- as.double(selection$score[rows])
  finite <- range(0, score[is.finite(score)])
  if (diff(finite) == 0) finite <- c(0, 1)
  reach <- finite + c(-0.12, 0.12) * diff(finite)
  end <- ifelse(is.na(score), 0, pmin(pmax(score, reach[1L]), reach[2L]))
  note <- ifelse(is.na(score), "no score", ifelse(is.finite(score), NA, as.character(score)))
  data.frame(feature = as.character(selection$feature[rows]), row = -rows, score = score, end = end, note = note)
}

selection_layers <- function(data) {
  finite <- data[is.finite(data$score), ]
  infinite <- data[is.infinite(data$score), ]
  bar <- function(part, ...) {
    ggplot2::geom_segment(ggplot2::aes(x = 0, xend = .data$end, yend = .data$row), part, color = calm,
      linewidth = 0.8, ...)
  }
  word <- function(part, hjust) {
    ggplot2::geom_text(ggplot2::aes(x = .data$end, label = .data$note), part, hjust = hjust, size = 3, color = "grey45")
  }
  list(
    bar(finite), ggplot2::geom_point(ggplot2::aes(x = .data$end), finite, color = calm, size = 1.9),
    bar(infinite, arrow = grid::arrow(length = grid::unit(0.08, "in"), type = "closed")),
    word(infinite[infinite$end > 0, ], -0.3), word(infinite[infinite$end < 0, ], 1.3),
    word(data[is.na(data$score), ], -0.15)
  )
}

selection_subtitle <- function(selection, shown) {
  d <- attr(selection, "n_features")
  paste0(nrow(selection), if (!is.null(d)) paste(" of", d), " features selected",
    if (shown < nrow(selection)) paste0(", the first ", shown, " shown"))
}

# The pictures of an answer.

#' Picture of an answer
#'
#' `plot()` draws one page: the finding in words, the chosen features with the share of outer splits in which each was
#' chosen (or their scores, without an estimate) and their stand-ins, the quality beside that of all features, random
#' features and the floor, and the curves that the choice was made from. `autoplot()` gives one of the three pictures.
#'
#' @param x,object An answer from [sift()].
#' @param part Which picture.
#' @inheritParams plot.mlselection
#' @param ... Arguments for `autoplot()`, but for `part`. Others give an error.
#' @return `plot()` returns `x` invisibly, `autoplot()` a ggplot.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(simulate_mltask(80, n_features = 8, n_targets = 2))
#' plot(answer)
#' @export
plot.mlsift <- function(x, width = NULL, ...) {
  refuse_dots(..., allowed = c("n", "base_size"))
  width <- device_width(width)
  half <- width / 2
  parts <- if (nrow(x$quality) > 0L) c("features", "quality", "choice") else c("features", "choice")
  pictures <- lapply(stats::setNames(nm = parts), function(part) {
    autoplot.mlsift(x, part, width = half, ...) +
      ggplot2::theme(plot.title.position = "plot", legend.position = if (part == "choice") "bottom" else "none")
  })
  pictures$choice <- pictures$choice + ggplot2::labs(y = NULL, title = "Choice of selector and number",
    subtitle = paste(measure_title(x$tuning$measure), "on the inner splits"))
  grid::grid.newpage()
  room <- picture_room(width, 11)
  points <- function(n) grid::unit(n * room$base_size, "points")
  words <- strwrap(paste(utils::head(summary(x), 4L), collapse = " "), 1.05 * room$line)
  layout <- grid::grid.layout(3L, 2L,
    heights = grid::unit.c(points(3.2 + 1.15 * length(words)), grid::unit(c(1, 1.3), "null")))
  grid::pushViewport(grid::viewport(layout = layout))
  on.exit(grid::popViewport())
  place <- function(rows, columns) grid::viewport(layout.pos.row = rows, layout.pos.col = columns)
  write <- function(text, down, ...) {
    grid::grid.text(text, points(0.6), grid::unit(1, "npc") - points(down), c("left", "top"),
      gp = grid::gpar(col = ink, ...))
  }
  grid::pushViewport(place(1L, 1:2))
  write(answer_title(x), 0.8, fontsize = 1.25 * room$base_size, fontface = "bold")
  write(paste(words, collapse = "\n"), 2.6, fontsize = 0.86 * room$base_size, lineheight = 1.15)
  grid::popViewport()
  print(pictures$features, vp = place(2:3, 1L))
  if ("quality" %in% parts) print(pictures$quality, vp = place(2L, 2L))
  print(pictures$choice, vp = place(if ("quality" %in% parts) 3L else 2:3, 2L))
  invisible(x)
}

#' @rdname plot.mlsift
#' @export
autoplot.mlsift <- function(object, part = c("features", "quality", "choice"), n = 25, base_size = 11, width = NULL,
                            ...) {
  refuse_dots(...)
  part <- check_choice(part)
  n <- check_count(n)
  room <- picture_room(width, base_size)
  if (part == "choice") return(autoplot.mltuning(object$tuning, base_size, width))
  if (part == "features") return(features_picture(object, n, room))
  if (nrow(object$quality) == 0L) abort(c("{.code part = \"quality\"} needs an estimate.",
    i = "Call {.fn sift} with {.code estimate = TRUE}."))
  quality_picture(object, room)
}

answer_title <- function(x) {
  n <- counted(nrow(x$selection), "feature")
  paste0(x$task$name %||% "The answer", ": ", n, " of ", format_count(ncol(x$task$x)))
}

features_picture <- function(x, n, room) {
  shown <- utils::head(x$features, n)
  shares <- !anyNA(shown$share)
  data <- data.frame(row = -seq_len(nrow(shown)), value = if (shares) shown$share else shown$score)
  data$value[is.na(data$value)] <- 0
  data$note <- vapply(shown$stand_ins, function(names) {
    if (length(names) == 0L) return("")
    paste0("or ", shorten_names(names[1L], room$name), if (length(names) > 1L) paste0(", +", length(names) - 1L))
  }, "")
  reach <- max(data$value, 1e-12)
  ggplot2::ggplot(data, ggplot2::aes(.data$value, .data$row)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = .data$row), color = calm, linewidth = 0.8) +
    ggplot2::geom_point(color = calm, size = 1.9) +
    ggplot2::geom_text(ggplot2::aes(label = .data$note), data[nzchar(data$note), ], x = 1.04 * reach, hjust = 0,
      size = 0.24 * room$base_size, color = "grey45") +
    ggplot2::scale_y_continuous(breaks = data$row, labels = shorten_names(shown$feature, room$name),
      expand = ggplot2::expansion(add = 0.6)) +
    ggplot2::scale_x_continuous(limits = c(min(0, data$value), if (any(nzchar(data$note))) 1.9 * reach else reach),
      breaks = if (shares) c(0, 0.5, 1) else ggplot2::waiver()) +
    ggplot2::labs(x = if (shares) "share of the outer splits" else "score", y = NULL,
      title = fold_title(paste0("Features, best first", if (nrow(x$features) > nrow(shown))
        paste0(" (", nrow(shown), " of ", nrow(x$features), ")")), room),
      subtitle = if (any(nzchar(data$note))) "Beside them what says nearly the same") +
    theme_mlsift(room$base_size) + ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

quality_picture <- function(x, room) {
  names <- c(chosen = paste0("the choice (", format(quality_of(x, "chosen", "k"), digits = 3), ")"),
    all = paste0("all features (", ncol(x$task$x), ")"), random = paste0("random features (", x$tuning$k, ")"),
    floor = "no features")
  data <- x$quality[!is.na(x$quality$mean), ]
  data$label <- factor(names[data$what], rev(names))
  data$half <- ifelse(is.na(data$se), 0, data$se)
  ggplot2::ggplot(data, ggplot2::aes(.data$mean, .data$label)) +
    ggplot2::geom_segment(ggplot2::aes(x = .data$mean - .data$half, xend = .data$mean + .data$half,
      yend = .data$label), linewidth = 0.8, color = ifelse(data$what == "chosen", accent, calm)) +
    ggplot2::geom_point(size = 2.4, color = ifelse(data$what == "chosen", accent, calm)) +
    ggplot2::labs(x = paste0(measure_title(x$tuning$measure), " (", better_side(x$tuning$direction), ")"), y = NULL,
      title = "Quality on other rows", subtitle = fold_title("Mean and standard error over the outer splits", room)) +
    theme_mlsift(room$base_size)
}

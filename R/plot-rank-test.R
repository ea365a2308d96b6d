#' Critical-difference diagram
#'
#' Shows every method at its mean rank on one axis, after Demsar (2006). Better methods appear further right. The names
#' of the methods and their mean ranks are in the margins: the better half on the right, the worse half on the left.
#' Lines never cross.
#'
#' Which methods differ, the plot shows by the post-hoc test:
#'
#' - Nemenyi: the critical difference is drawn above the axis. Bars below the axis join the largest groups of methods
#'   that do not differ significantly. Groups inside another group are not drawn.
#' - Bonferroni-Dunn: a band marks one critical difference to either side of the control. Methods outside the band
#'   differ from the control.
#' - Other tests against a control: filled points do not differ from the control, and open points do.
#' - Other tests of all pairs: bars join the largest groups of methods, consecutive by mean rank, without a significant
#'   pair. No bar covers two methods that differ. Methods of equal mean rank have a bar together or none.
#'
#' If the global test does not reject, the plot shows "not significant overall". Ranks depend on all methods that are
#' compared, and a line below the plot warns of this. [plot.mlpairs()] shows pairs that do not depend on other methods.
#'
#' @param x,object An `mlranktest`, as [rank_test()] returns it.
#' @param reverse (flag) `TRUE` draws the worst ranks on the left and rank 1 on the right. `FALSE` mirrors the plot.
#' @param width As in [plot.mlselection()]. The plot is legible down to 3.5 inches, the width of a column of text. The
#'   height should be about 1.7 inches, and 0.2 inches more for every two methods.
#' @param ... Arguments for `autoplot()`. Others give an error.
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @inherit rank_test references
#' @family pictures
#' @examples
#' set.seed(1)
#' losses <- matrix(rnorm(8 * 5), 8, dimnames = list(NULL, c("EBLS", "MIM-BR", "BR+CC", "MFS", "All")))
#' losses[, "EBLS"] <- losses[, "EBLS"] - 2
#' plot(rank_test(losses, direction = "minimize"))
#' @export
plot.mlranktest <- function(x, reverse = TRUE, width = NULL, ...) {
  draw(autoplot.mlranktest(x, reverse = reverse, width = device_width(width), ...))
}

#' @rdname plot.mlranktest
#' @export
autoplot.mlranktest <- function(object, reverse = TRUE, width = NULL, ...) {
  check_flag(reverse)
  size <- cd_size(width)
  layout <- cd_layout_of(object, size$letters)
  layout$stems$status <- cd_status(object, layout$stems$method)
  cd_picture(object, if (reverse) layout else mirror(layout), size)
}

# The same diagram with rank 1 on the left.
mirror <- function(layout) {
  layout$stems$side <- ifelse(layout$stems$side == "left", "right", "left")
  if (!is.null(layout$scale)) layout$scale[c("from", "to")] <- list(1, 1 + layout$scale$to - layout$scale$from)
  layout$mirrored <- TRUE
  layout
}

# What depends on the width in inches: picture_room(), the `scale` of the text, and the number of `letters` that fit on
# one line of a name.
cd_size <- function(width) {
  room <- picture_room(width, 11)
  c(room, list(scale = room$base_size / 11, letters = if (room$width < 7) max(14, round(4 * room$width)) else 28))
}

cd_layout_of <- function(test, letters = 28) {
  cd_layout(test$mean_ranks, cd_groups(test), test$cd, test$posthoc == "nemenyi", letters = letters)
}

# The height of the diagram in inches if nothing has to shrink, excluding titles and legend, which take an inch.
cd_height <- function(layout) 0.205 * (layout$top - layout$bottom)

# The groups joined by bars: Nemenyi's, or those of a step procedure over all pairs.
cd_groups <- function(test) {
  if (is.null(test$control)) rank_groups(test$mean_ranks, test$comparisons) else list()
}

cd_status <- function(test, methods) {
  if (is.null(test$control)) return(rep("none", length(methods)))
  different <- test$comparisons$method2[test$comparisons$significant]
  ifelse(methods == test$control, "control", ifelse(methods %in% different, "different", "same"))
}

# Positions of all elements; x in ranks, y in lines of text, the axis at y = 0.
#   stems: one row per method: rank, y of its horizontal line, side of its name.
#   bars:  one row per group: from, to (the ranks of its extremes), level (1 = nearest the axis), y, and start and end
#          of the line, which hangs over at both ends, but never as far as the next method.
cd_layout <- function(mean_ranks, groups = list(), cd = NA_real_, cd_bar = FALSE, letters = 28) {
  bars <- cd_bars(mean_ranks, groups)
  overhang <- cd_overhang(mean_ranks, bars)
  bars$start <- bars$from - overhang$low
  bars$end <- bars$to + overhang$high
  top <- -0.9 - 0.45 * max(0, bars$level)
  stems <- cd_stems(mean_ranks, top, letters)
  k <- length(mean_ranks)
  scale <- if (cd_bar) data.frame(from = k - cd, to = as.double(k), y = 1.9)
  list(stems = stems, bars = bars, scale = scale, ticks = seq_len(k), bottom = min(stems$y) - 0.6,
    top = if (cd_bar) 3.1 else 1.5, mirrored = FALSE)
}

# The better half, and the middle method, on the right; on each side the outermost method is on the first line. Names
# with several lines take more room.
cd_stems <- function(mean_ranks, top, letters = 28) {
  k <- length(mean_ranks)
  o <- unname(order(mean_ranks))
  better <- o[seq_len(ceiling(k / 2))]
  worse <- rev(o[-seq_len(ceiling(k / 2))])
  room <- 0.5 + 0.5 * lengths(strsplit(wrap_names(names(mean_ranks), letters), "\n", fixed = TRUE))
  below <- function(rows) cumsum(room[rows]) - room[rows[1L]] / 2 - room[rows] / 2
  rows <- c(better, worse)
  data.frame(method = names(mean_ranks)[rows], rank = unname(mean_ranks[rows]),
    better = rep(c(TRUE, FALSE), c(length(better), length(worse))),
    side = rep(c("right", "left"), c(length(better), length(worse))),
    y = top - c(below(better), below(worse)))
}

# Places bars as near the axis as possible without touching another bar; `pad` is their overhang at the ends.
cd_bars <- function(mean_ranks, groups, pad = cd_pad(mean_ranks)) {
  from <- vapply(groups, \(g) min(mean_ranks[g]), 0)
  to <- vapply(groups, \(g) max(mean_ranks[g]), 0)
  level <- integer(length(groups))
  for (i in order(from)) {
    taken <- level[level > 0L & from - 2 * pad <= to[i] + pad & to + 2 * pad >= from[i] - pad]
    level[i] <- min(setdiff(seq_len(length(groups) + 1L), taken))
  }
  data.frame(from = from, to = to, level = level, y = -0.1 - 0.45 * level)
}

cd_overhang <- function(mean_ranks, bars) {
  pad <- cd_pad(mean_ranks)
  below <- vapply(bars$from, \(r) min(Inf, r - mean_ranks[mean_ranks < r]), 0)
  above <- vapply(bars$to, \(r) min(Inf, mean_ranks[mean_ranks > r] - r), 0)
  list(low = pmin(pad, below / 3), high = pmin(pad, above / 3))
}

cd_pad <- function(mean_ranks) 0.008 * (length(mean_ranks) - 1)

cd_picture <- function(test, layout, size) {
  picture <- ggplot2::ggplot() + cd_axis(layout, cd_step(layout, size), size$scale)
  if (test$posthoc == "bonferroni-dunn") picture <- picture + cd_band(test)
  picture <- picture + cd_lines(layout) + cd_bar_lines(layout, test, size$scale) +
    cd_scales(layout, test, size) + cd_titles(test, size) + cd_theme(layout, test, size)
  if (is.null(test$control)) picture else picture + cd_points(layout$stems, test, size)
}

line_layer <- function(x, xend, y, yend, ...) {
  ggplot2::annotate("segment", x = x, xend = xend, y = y, yend = yend, ...)
}

cd_axis <- function(layout, step, scale) {
  k <- length(layout$ticks)
  named <- layout$ticks[layout$ticks == 1L | layout$ticks %% step == 0L]
  list(
    line_layer(x = 1, xend = k, y = 0, yend = 0, color = ink, linewidth = 0.5),
    line_layer(x = layout$ticks, xend = layout$ticks, y = 0, yend = 0.3, color = ink, linewidth = 0.5),
    ggplot2::annotate("text", x = named, y = 0.85, label = named, size = 3.2 * scale, color = ink, check_overlap = TRUE)
  )
}

# The step between the numbered ranks of the axis, so that numbers do not overlap.
cd_step <- function(layout, size) {
  lines <- unlist(strsplit(wrap_names(layout$stems$method, size$letters), "\n", fixed = TRUE))
  axis <- size$width - 0.3 - 2 * size$scale * 0.072 * (max(nchar(lines)) + 6)
  k <- length(layout$ticks)
  wanted <- if (k > 15L) 5L else 1L
  max(wanted, c(1L, 2L, 5L, 10L, k)[match(TRUE, max(axis, 0.5) / k * c(1, 2, 5, 10, Inf) > 0.17 * size$scale)])
}

# One critical difference to either side of the control, limited to the range of ranks.
cd_band <- function(test) {
  ends <- test$mean_ranks[[test$control]] + c(-1, 1) * test$cd
  inside <- ends[ends >= 1 & ends <= test$n_methods]
  list(
    ggplot2::annotate("rect", xmin = max(ends[1L], 1), xmax = min(ends[2L], test$n_methods),
      ymin = -0.35, ymax = 0, fill = calm, alpha = 0.3),
    if (length(inside) > 0L) line_layer(x = inside, xend = inside, y = -0.35, yend = 0, color = calm, linewidth = 0.6)
  )
}

# The stems, then the lines to the margin: toward lower ranks for the better half, toward higher ranks for the worse.
cd_lines <- function(layout) {
  s <- layout$stems
  list(
    line_layer(x = s$rank, xend = s$rank, y = 0, yend = s$y, color = "grey45", linewidth = 0.4, lineend = "square"),
    line_layer(x = s$rank, xend = ifelse(s$better, -Inf, Inf), y = s$y, yend = s$y, color = "grey45",
      linewidth = 0.4)
  )
}

cd_bar_lines <- function(layout, test, scale) {
  b <- layout$bars
  c <- layout$scale
  list(
    if (nrow(b) > 0L) line_layer(x = b$start, xend = b$end, y = b$y, yend = b$y, linewidth = 1.6),
    if (!is.null(c)) line_layer(x = c(c$from, c$from, c$to), xend = c(c$to, c$from, c$to), y = c$y + c(0, -0.2, -0.2),
      yend = c$y + c(0, 0.2, 0.2), color = ink, linewidth = 0.5),
    if (!is.null(c)) ggplot2::annotate("text", x = if (layout$mirrored) c$from else c$to, y = c$y + 0.65,
      size = 3.2 * scale, color = ink, hjust = 0, label = paste("CD =", format_statistic(test$cd)))
  )
}

# Points of equal rank are stacked along their stem, the control first. The control is drawn last, so it is on top.
cd_points <- function(stems, test, size) {
  narrow <- size$width < 5.5
  labels <- c(control = test$control, same = if (narrow) "not significant" else "no significant difference",
    different = if (narrow) "significant" else "significantly different")
  stems$y <- point_heights(stems)
  stems <- stems[order(stems$status == "control"), ]
  stems$status <- factor(stems$status, names(labels))
  values <- function(x) list(NULL, values = stats::setNames(x, names(labels)), labels = unname(labels), drop = FALSE)
  list(
    ggplot2::geom_point(
      ggplot2::aes(.data$rank, .data$y, shape = .data$status, color = .data$status, size = .data$status), stems,
      fill = "white", stroke = 1, show.legend = TRUE
    ),
    do.call(ggplot2::scale_size_manual, values(c(3.8, 2.6, 2.6) * size$scale)),
    do.call(ggplot2::scale_shape_manual, values(c(18, 16, 21))),
    do.call(ggplot2::scale_color_manual, values(c("black", calm, accent))),
    ggplot2::guides(
      shape = cd_legend(labels, size), color = cd_legend(labels, size), size = cd_legend(labels, size)
    )
  )
}

# Split into several lines if one is too long.
cd_legend <- function(labels, size) {
  fits <- size$scale * (0.071 * sum(nchar(labels)) + 0.45 * length(labels)) < size$width
  ggplot2::guide_legend(ncol = if (fits) length(labels) else 1L)
}

point_heights <- function(stems) {
  rank <- stems$rank - 1e-6 * (stems$status == "control")
  place <- stats::ave(rank, round(stems$rank, 9), FUN = \(r) rank(r, ties.method = "first"))
  count <- stats::ave(rank, round(stems$rank, 9), FUN = length)
  -(place - 1) * pmin(0.8, 1.4 / count)
}

# Names are the labels of the two y axes: ggplot2 measures them, so that the longest one fits.
cd_scales <- function(layout, test, size) {
  s <- layout$stems
  number <- formatC(s$rank, format = "f", digits = 2)
  name <- wrap_names(s$method, size$letters)
  left <- s$side == "left"
  x <- if (layout$mirrored) ggplot2::scale_x_continuous else ggplot2::scale_x_reverse
  limits <- range(1, test$n_methods, layout$scale$from, layout$scale$to)
  list(
    ggplot2::coord_cartesian(clip = "off"),
    x(limits = if (layout$mirrored) limits else rev(limits), expand = ggplot2::expansion(mult = 0.03), breaks = NULL,
      oob = \(x, ...) x),
    ggplot2::scale_y_continuous(
      limits = c(layout$bottom, layout$top), expand = c(0, 0), breaks = s$y[left],
      labels = paste0(name, "  ", number)[left],
      sec.axis = ggplot2::dup_axis(breaks = s$y[!left], labels = paste0(number, "  ", name)[!left])
    )
  )
}

# Names with too many letters are wrapped at blanks. If there are more than 20 names, long ones are abbreviated instead,
# as there is no room to wrap them all.
wrap_names <- function(names, letters = 28) {
  if (length(names) > 20L) return(shorten_names(names, letters))
  wrap <- function(name) {
    lines <- ceiling(nchar(name) / letters)
    paste(strwrap(name, max(letters, nchar(name) / max(2, lines) + 4)), collapse = "\n")
  }
  vapply(names, wrap, "", USE.NAMES = FALSE)
}

cd_titles <- function(test, size) {
  title <- rank_test_title(test, if (!is.null(test$measure)) measure_title(test$measure))
  found <- c(fold_subtitle(rank_test_global(test), size), fold_subtitle(rank_test_posthoc(test), size))
  ggplot2::labs(x = NULL, y = NULL, title = fold_title(upper_first(title), size),
    subtitle = paste(found, collapse = "\n"),
    caption = fold_title("Ranks depend on which methods are compared.", size, 0.77))
}

# Lines keep their height on large devices, and shrink on small ones.
cd_theme <- function(layout, test, size) {
  points <- if (test$n_methods > 14L) 8.5 else 9.5
  text <- ggplot2::element_text(color = ink, size = points * size$scale, lineheight = 0.85)
  height <- grid::unit(cd_height(layout) * size$scale, "in")
  # The space taken by titles, legend and caption.
  margin <- grid::unit(1.2 * size$scale + 0.3 * (size$width < 5), "in")
  theme_mlsift(size$base_size) + ggplot2::theme(
    plot.subtitle = ggplot2::element_text(color = if (test$global) "grey35" else accent),
    plot.caption = ggplot2::element_text(size = ggplot2::rel(0.77), color = "grey35", hjust = 0),
    plot.caption.position = "plot",
    panel.grid = ggplot2::element_blank(), panel.grid.major = ggplot2::element_blank(),
    axis.text.y = text, axis.text.y.right = ggplot2::element_text(hjust = 0), axis.ticks = ggplot2::element_blank(),
    legend.position = "bottom", legend.margin = ggplot2::margin()
  ) + if (utils::packageVersion("ggplot2") >= "4.0.0") {
    ggplot2::theme(panel.heights = grid::unit.pmin(height, grid::unit(1, "npc") - margin))
  }
}

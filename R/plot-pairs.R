#' Multiple-comparison matrix
#'
#' Shows all pairs of methods in one matrix, after Ismail-Fawaz et al. (2023). Methods are ordered by their means, best
#' first, and the margins show these means.
#'
#' The cell of a row and a column contains:
#'
#' - as color: the difference of the means of row and column, positive and blue where the row is better, orange where it
#'   is worse;
#' - the wins, ties and losses of the row;
#' - the p-value of the signed-rank test, not adjusted. Both are bold if p is at most `alpha`.
#'
#' With a control there is one row.
#'
#' @param x,object An `mlpairs`, as [compare_pairs()] returns it.
#' @param width As in [plot.mlselection()]. About half an inch per method and one inch more is best. Where cells have no
#'   room for numbers, stars mark pairs with p up to `alpha`. Where columns have no room for names, they are in the
#'   order of the rows, whose names need a height of about 0.1 inches for each method; a control is then a column.
#' @param ... Arguments for `autoplot()`. Others give an error.
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @references Ismail-Fawaz et al. (2023). An approach to multiple comparison benchmark evaluations that is stable under
#'   manipulation of the comparate set. arXiv:2305.11921.
#' @family pictures
#' @examples
#' set.seed(1)
#' names <- c("EBLS", "MIM-BR", "BR+CC", "MFS", "All")
#' losses <- matrix(runif(10 * 5), 10, dimnames = list(NULL, names))
#' losses[, "EBLS"] <- losses[, "EBLS"] - 0.5
#' plot(compare_pairs(losses, direction = "minimize"))
#' @export
plot.mlpairs <- function(x, width = NULL, ...) draw(autoplot.mlpairs(x, width = device_width(width), ...))

#' @rdname plot.mlpairs
#' @export
autoplot.mlpairs <- function(object, width = NULL, ...) {
  about <- attr(object, "about")
  if (is.null(about) || !all(pair_columns %in% names(object))) {
    abort(c("{.arg object} must be as {.fn compare_pairs} returned it.", x = "It lost columns or attributes."))
  }
  room <- pair_room(picture_room(width, 11), about, object)
  cells <- pair_cells(object, about, room)
  title <- pairs_title(about, if (!is.null(about$measure)) measure_title(about$measure))
  ggplot2::ggplot(cells, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$difference), color = "white", linewidth = room$gap) +
    ggplot2::geom_text(ggplot2::aes(label = .data$label, fontface = .data$face), color = "black", lineheight = 0.9,
      size = room$cell, vjust = if (room$stars) 0.75 else 0.5) +
    pair_scales(about, room) +
    folded_labs(upper_first(title), pairs_subtitle(about, room), room, x = NULL, y = NULL) +
    theme_mlsift(room$base_size) + ggplot2::theme(
      panel.grid = ggplot2::element_blank(), panel.grid.major = ggplot2::element_blank(),
      axis.text = ggplot2::element_text(color = ink, size = room$header, lineheight = 0.9),
      axis.text.x.top = if (!room$columns_named) ggplot2::element_blank() else if (room$upright) {
        ggplot2::element_text(angle = 90, hjust = 0, vjust = 0.5)
      },
      legend.position = "bottom", legend.title = ggplot2::element_text(size = 0.86 * room$base_size),
      legend.key.width = grid::unit(0.5, "in"), legend.key.height = grid::unit(0.12, "in")
    )
}

# What fits into the cells, in addition to `room` of picture_room(). Text sizes are in points, cell sizes in mm. A
# letter is about 0.6 times as wide as it is high, and needs some space around it. Numbers smaller than 1.6 mm are not
# legible: stars then mark what would be shown in bold. Names are upright above narrow columns. If even that does not
# fit, all columns are in the order of the rows, which have the names; with a control, its row becomes a column.
pair_room <- function(room, about, pairs) {
  n <- length(about$means) - !is.null(about$control)
  letters <- min(room$name, 14L, max(nchar(names(about$means))))
  space <- function(header) 72 * max(0.5, room$width - 0.35) - 0.6 * header * letters
  header <- min(9.5, 0.86 * room$base_size)
  lines <- unlist(strsplit(header_names(names(about$means), room, letters), "\n", fixed = TRUE))
  upright <- n > 8L || max(0, text_width(lines, room, header / room$base_size)) > space(header) / n / 72
  if (upright) header <- min(8, header)
  points <- space(header)
  column <- points / n
  columns_named <- column >= 5.5
  turned <- !columns_named && !is.null(about$control)
  one_line <- upright && column < 2.2 * header
  if (turned) column <- points
  widest <- max(nchar(unlist(strsplit(pair_labels(pairs), "\n", fixed = TRUE))))
  fits <- column / 72 * 25.4 / widest / 0.68
  c(room, list(
    upright = upright, columns_named = columns_named, turned = turned, one_line = one_line, letters = letters,
    header = if (upright && columns_named) min(header, max(5, 0.9 * column)) else if (upright) 5 else header,
    stars = fits < 1.6, cell = if (fits < 1.6) min(3.2, 0.3 * column) else min(if (turned) 1.8 else 3.2, fits),
    gap = if (column < 12) 0.1 else 0.6
  ))
}

pairs_subtitle <- function(about, room) {
  most <- format(about$alpha)
  paste0(
    if (room$stars) paste0("Stars: p of the signed-rank test up to ", most) else
      paste0("Wins/ties/losses of the row and p of the signed-rank test, bold up to ", most),
    if (!room$columns_named && !room$turned) ". Columns are in the order of the rows"
  )
}

pair_labels <- function(cells) {
  paste0(pair_record(cells), "\n", sub("^0[.]", ".", format_cell_p(cells$p_value)))
}

# One row for each off-diagonal cell; rows from top to bottom and columns from left to right, best first.
pair_cells <- function(pairs, about, room) {
  cells <- pairs[c("method1", "method2", "difference", "win", "tie", "loss", "p_value")]
  class(cells) <- "data.frame"
  if (is.null(about$control) || room$turned) {
    mirrored <- cells[c("method2", "method1", "difference", "loss", "tie", "win", "p_value")]
    names(mirrored) <- names(cells)
    mirrored$difference <- -mirrored$difference
    cells <- if (is.null(about$control)) rbind(cells, mirrored) else mirrored
  }
  methods <- names(about$means)
  others <- setdiff(methods, about$control)
  significant <- cells$p_value <= about$alpha
  data.frame(
    row = factor(cells$method1, rev(if (room$turned) others else about$control %||% methods)),
    column = factor(cells$method2, if (room$turned) about$control else others), difference = cells$difference,
    label = if (room$stars) ifelse(significant, "*", "") else gsub("\n", if (room$turned) "  " else "\n",
      pair_labels(cells), fixed = TRUE),
    face = ifelse(significant, "bold", "plain")
  )
}

# Names above columns: on several lines in wide pictures if they may be, else cut.
header_names <- function(names, room, letters, one_line = FALSE) {
  if (room$width < 7 || one_line) shorten_names(names, max(8, letters)) else wrap_names(names)
}

# Sky blue where the row is better, orange where it is worse; black text is legible on both.
pair_scales <- function(about, room) {
  shown <- stats::setNames(header_names(names(about$means), room, room$letters, room$one_line), names(about$means))
  header <- function(methods) {
    paste0(shown[methods], if (room$one_line) " " else "\n", format(signif(about$means[methods], 3), trim = TRUE))
  }
  symmetric <- function(range, ...) c(-1, 1) * (if (all(range == 0)) 1 else max(abs(range)))
  list(
    ggplot2::scale_fill_gradient2(
      fold_subtitle("difference of means, positive where the row is better", room),
      low = palette_mlsift[5L], mid = "grey97", high = palette_mlsift[6L], limits = symmetric,
      guide = ggplot2::guide_colorbar(title.position = "top", title.hjust = 0.5)
    ),
    ggplot2::scale_x_discrete(position = "top", labels = header, drop = FALSE, expand = c(0, 0)),
    ggplot2::scale_y_discrete(labels = header, drop = FALSE, expand = c(0, 0)),
    ggplot2::coord_cartesian(clip = "off")
  )
}

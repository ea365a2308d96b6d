#' Multiple-comparison matrix
#'
#' Shows all pairs of methods in one matrix, after Ismail-Fawaz et al. (2023). Methods are ordered by their means, best
#' first, and the margins show these means.
#'
#' The cell of a row and a column contains:
#'
#' - as color: the mean of the row minus the mean of the column. Blue rows are better, orange ones worse.
#' - the wins, ties and losses of the row;
#' - the p-value of the signed-rank test, not adjusted. Both are bold if p is below `alpha`.
#'
#' With a control there is one row.
#'
#' @param x,object An `mlpairs`, as [compare_pairs()] returns it.
#' @param width (number) The width, in inches, at which the plot will be seen: text fills the cells. `NULL` suits 7
#'   inches. About half an inch per method and one inch more is legible.
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
plot.mlpairs <- function(x, width = NULL, ...) draw(autoplot.mlpairs(x, width = width, ...))

#' @rdname plot.mlpairs
#' @method autoplot mlpairs
#' @export
autoplot.mlpairs <- function(object, width = NULL, ...) {
  refuse_dots(...)
  width <- check_number(width, min = 0, above = TRUE, finite = TRUE, null = TRUE)
  about <- attr(object, "about")
  if (is.null(about) || !all(pair_columns %in% names(object))) {
    abort(c("{.arg object} must be as {.fn compare_pairs} returned it.", x = "It lost columns or attributes."))
  }
  cells <- pair_cells(object, about)
  many <- nlevels(cells$column) > 8L
  title <- pairs_title(about, if (!is.null(about$measure)) measure_title(about$measure))
  ggplot2::ggplot(cells, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$difference), color = "white", linewidth = 0.6) +
    ggplot2::geom_text(ggplot2::aes(label = .data$label, fontface = .data$face), color = "black", lineheight = 0.9,
      size = cell_text_size(cells, width)) +
    pair_scales(about) +
    ggplot2::labs(
      x = NULL, y = NULL, title = upper_first(title),
      subtitle = paste0("Wins/ties/losses of the row and p of the signed-rank test, bold below ", format(about$alpha))
    ) +
    theme_mlsift() + ggplot2::theme(
      panel.grid = ggplot2::element_blank(), panel.grid.major = ggplot2::element_blank(),
      axis.text = ggplot2::element_text(color = ink, size = if (many) 8 else 9.5, lineheight = 0.9),
      axis.text.x.top = if (many) ggplot2::element_text(angle = 90, hjust = 0, vjust = 0.5),
      legend.position = "bottom", legend.title = ggplot2::element_text(size = 9.5),
      legend.key.width = grid::unit(0.5, "in"), legend.key.height = grid::unit(0.12, "in")
    )
}

# In mm. With a width, the longest line of a cell fits: a letter is about half as wide as it is high.
cell_text_size <- function(cells, width) {
  n <- nlevels(cells$column)
  if (is.null(width)) return(max(1.5, min(3.2, 20 / n)))
  letters <- max(nchar(unlist(strsplit(cells$label, "\n", fixed = TRUE))))
  max(1.2, min(3.2, 25.4 * max(0.1, width - 1.5) / n / letters / 0.6))
}

# One row for each cell off the diagonal; rows from top to bottom and columns from left to right, best first.
pair_cells <- function(pairs, about) {
  cells <- pairs[c("method1", "method2", "difference", "win", "tie", "loss", "p_value")]
  class(cells) <- "data.frame"
  if (is.null(about$control)) {
    mirrored <- cells[c("method2", "method1", "difference", "loss", "tie", "win", "p_value")]
    names(mirrored) <- names(cells)
    mirrored$difference <- -mirrored$difference
    cells <- rbind(cells, mirrored)
  }
  methods <- names(about$means)
  data.frame(
    row = factor(cells$method1, rev(about$control %||% methods)),
    column = factor(cells$method2, setdiff(methods, about$control)), difference = cells$difference,
    label = paste0(pair_record(cells), "\n", sub("^0[.]", ".", format_cell_p(cells$p_value))),
    face = ifelse(cells$p_value < about$alpha, "bold", "plain")
  )
}

format_cell_p <- function(p) ifelse(p < 0.001, "<.001", formatC(p, format = "f", digits = 3))

# Sky blue where the row is better, orange where it is worse; black text is legible on both.
pair_scales <- function(about) {
  colors <- palette_mlsift[c(6L, 5L)]
  if (about$direction == "maximize") colors <- rev(colors)
  header <- function(methods) paste0(wrap_names(methods), "\n", format(signif(about$means[methods], 3), trim = TRUE))
  symmetric <- function(range, ...) c(-1, 1) * (if (all(range == 0)) 1 else max(abs(range)))
  list(
    ggplot2::scale_fill_gradient2(
      paste0("mean of row - mean of column (", better_side(about$direction), ")"), low = colors[1L], mid = "grey97",
      high = colors[2L], limits = symmetric,
      guide = ggplot2::guide_colorbar(title.position = "top", title.hjust = 0.5)
    ),
    ggplot2::scale_x_discrete(position = "top", labels = header, drop = FALSE, expand = c(0, 0)),
    ggplot2::scale_y_discrete(labels = header, drop = FALSE, expand = c(0, 0)),
    ggplot2::coord_cartesian(clip = "off")
  )
}

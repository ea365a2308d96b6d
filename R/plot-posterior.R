#' Pictures of a Bayesian comparison
#'
#' - [bayes_signed_rank()]: a triangle with a point for each draw. The three corners stand for the two methods and for
#'   practical equivalence. The larger the \eqn{\theta} of a region, the closer the point is to its corner. Gray lines
#'   separate the parts in which each is the largest. With `rope = 0`, a histogram of
#'   \eqn{\theta_{\mathrm{right}}}{theta_right}.
#' - [bayes_correlated_t()]: the posterior density of the mean difference. Dashed lines are the limits of the region of
#'   practical equivalence. If all differences are equal, a vertical line.
#'
#' @param x,object An `mlposterior`, as [bayes_signed_rank()] and [bayes_correlated_t()] return it.
#' @param points (count) At most this many draws are drawn as points, the first ones.
#' @inheritParams plot.mlselection
#' @return `autoplot()` returns a ggplot. `plot()` draws it and returns it invisibly.
#' @inherit bayes_signed_rank references
#' @family pictures
#' @examples
#' scls <- c(0.215, 0.190, 0.043, 0.055, 0.211, 0.012, 0.101, 0.302)
#' mim <- c(0.221, 0.197, 0.043, 0.063, 0.216, 0.029, 0.100, 0.311)
#' set.seed(1)
#' plot(bayes_signed_rank(mim, scls, rope = 0.004))
#' plot(bayes_correlated_t(mim, scls, rope = 0.004, test_share = 1 / 8))
#' @export
plot.mlposterior <- function(x, points = 5000, width = NULL, ...) {
  draw(autoplot.mlposterior(x, points = points, width = device_width(width), ...))
}

#' @rdname plot.mlposterior
#' @export
autoplot.mlposterior <- function(object, points = 5000, base_size = 11, width = NULL, ...) {
  points <- check_count(points)
  room <- picture_room(width, base_size)
  picture <- if (is.null(object$draws)) posterior_density(object, room$base_size)
  else if (object$rope == 0) posterior_histogram(object, room$base_size)
  else posterior_simplex(object, points, room$base_size)
  picture + folded_labs(posterior_sentence(object), posterior_subtitle(object), room)
}

region_scale <- function(object) {
  ggplot2::scale_fill_manual(
    NULL, values = c(left = calm, rope = "grey55", right = accent), labels = region_labels(object),
    aesthetics = c("color", "fill")
  )
}

# "x better: 0.93" for each region; without a rope there are two.
region_labels <- function(x) {
  better <- posterior_better(x)
  label <- ifelse(better == "neither", "equivalent", paste(better, "better"))
  stats::setNames(paste0(label, ": ", format_probability(x$probability)), names(better))
}

posterior_subtitle <- function(x) {
  paste0(x$method, ", ", counted(x$n_pairs, "pair"), if (x$rope > 0) paste0(", rope ", format(x$rope)))
}

# The corners left, right and rope of a triangle with sides of length 1.
simplex_points <- function(theta) {
  data.frame(x = theta[, "right"] + theta[, "rope"] / 2, y = theta[, "rope"] * sqrt(3) / 2)
}

posterior_simplex <- function(object, points, base_size) {
  theta <- object$draws[seq_len(min(points, nrow(object$draws))), , drop = FALSE]
  drawn <- simplex_points(theta)
  drawn$region <- factor(colnames(theta)[max.col(theta, "first")], colnames(theta))
  corners <- simplex_points(matrix(diag(3), 3L, dimnames = list(NULL, colnames(theta))))
  middle <- colMeans(corners)
  sides <- (corners + corners[c(2L, 3L, 1L), ]) / 2
  ggplot2::ggplot(drawn, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_polygon(data = corners, fill = NA, color = ink, linewidth = 0.5) +
    ggplot2::geom_point(ggplot2::aes(color = .data$region), size = 0.5, alpha = 0.35) +
    line_layer(middle[["x"]], sides$x, middle[["y"]], sides$y, color = "grey45", linewidth = 0.4) +
    # Names that end where the picture does, in narrow ones too.
    ggplot2::annotate("text", x = corners$x + c(-0.15, 0, 0.15), y = corners$y + c(-0.06, 0.05, -0.06),
      hjust = c(0, 0.5, 1), label = unname(region_labels(object)), size = 3.4, color = ink) + region_scale(object) +
    ggplot2::coord_equal(xlim = c(-0.15, 1.15), ylim = c(-0.1, sqrt(3) / 2 + 0.08), clip = "off") +
    theme_mlsift(base_size) + ggplot2::theme(
      axis.title = ggplot2::element_blank(), axis.title.y = ggplot2::element_blank(),
      axis.text = ggplot2::element_blank(), panel.grid.major = ggplot2::element_blank(), legend.position = "none"
    )
}

posterior_histogram <- function(object, base_size) {
  share <- round(object$draws[, "right"], 12)
  breaks <- round(seq(0, 1, 0.02), 12)
  # Draws at a limit, as all are where nothing differs, count half on either side.
  bins <- function(...) tabulate(findInterval(share, breaks, rightmost.closed = TRUE, ...), length(breaks) - 1L)
  counts <- (bins() + bins(left.open = TRUE)) / 2
  bars <- data.frame(x = breaks[-1L] - 0.01, share = counts / length(share))
  bars$region <- factor(ifelse(bars$x < 0.5, "left", "right"), c("left", "right"))
  ggplot2::ggplot(bars, ggplot2::aes(.data$x, .data$share, fill = .data$region)) +
    ggplot2::geom_col(width = 0.02, show.legend = TRUE) + region_scale(object) +
    line_layer(0.5, 0.5, -Inf, Inf, color = "grey45", linetype = "22", linewidth = 0.4) +
    ggplot2::labs(x = "weighted share of pairs with y larger", y = "share of draws") + theme_mlsift(base_size) +
    ggplot2::theme(legend.position = "bottom")
}

posterior_density <- function(object, base_size) {
  picture <- ggplot2::ggplot() + ggplot2::labs(x = "mean difference y - x", y = "density") + theme_mlsift(base_size) +
    ggplot2::theme(legend.position = "bottom")
  at <- object$estimate
  limits <- c(-1, 1) * object$rope
  if (object$scale == 0) {
    picture <- picture + line_layer(at, at, 0, Inf, color = ink, linewidth = 1)
  } else {
    picture <- picture + ggplot2::geom_ribbon(
      ggplot2::aes(.data$x, ymin = 0, ymax = .data$density, fill = .data$region), density_areas(object), alpha = 0.7
    ) + region_scale(object)
  }
  picture + line_layer(limits, limits, 0, Inf, color = "grey45", linetype = "22", linewidth = 0.4)
}

# The density within each region; a limit belongs to the areas on both sides of it.
density_areas <- function(object, steps = 400L) {
  reach <- min(stats::qt(0.9995, object$df), 8) * object$scale
  limits <- c(-1, 1) * object$rope
  ends <- range(object$estimate + c(-reach, reach), limits)
  grid <- sort(unique(c(seq(ends[1L], ends[2L], length.out = steps), limits)))
  density <- stats::dt((grid - object$estimate) / object$scale, object$df) / object$scale
  from <- c(left = -Inf, rope = limits[1L], right = limits[2L])
  to <- c(left = limits[1L], rope = limits[2L], right = Inf)
  areas <- do.call(rbind, lapply(if (object$rope > 0) names(from) else c("left", "right"), function(region) {
    inside <- grid >= from[region] & grid <= to[region]
    data.frame(x = grid[inside], density = density[inside], region = region)
  }))
  areas$region <- factor(areas$region, names(from))
  areas
}

# Printing and drawing the choice of a selector.

#' @export
print.mltuning <- function(x, ...) {
  refuse_dots(...)
  several <- nrow(x$candidates) > 1L
  at <- chosen_point(x)
  rule <- c(
    best = "the best mean", "one-se" = if (several) "the fewest features within one standard error of the best mean"
    else "the smallest within one standard error of the best mean"
  )[[x$rule]]
  tried <- if (several) paste(counted(nrow(x$curve), "pair"), "tried") else paste(nrow(x$curve), "tried")
  lines <- c(
    paste0("<mltuning> ", if (several) paste(x$name, "with "), "k = ", x$k, ", ", rule, " of ", tried),
    paste0(x$measure, " of ", x$learner, ": ", format(at$mean, digits = 4), " \u00b1 ", format(at$se, digits = 2),
      " (mean and standard error over ", counted(at$n_splits, "split"), if (several) "; optimistic, the best of many",
      ")")
  )
  for (status in c("dropped", "failed", "left out", "not tried")) {
    which <- candidates_of(x$candidates, status)
    if (!is.null(which)) lines <- c(lines, paste0(status, ": ", which))
  }
  lines <- c(lines, paste0(
    "features: ", paste(utils::head(x$selection$feature, 6L), collapse = ", "), if (nrow(x$selection) > 6L) ", ..."
  ))
  cat(if (several) strwrap(lines, exdent = 2L) else lines, sep = "\n")
  invisible(x)
}

# 'A, B (the reason); C (another reason)' for the candidates of a status, or NULL if there are none.
candidates_of <- function(candidates, status) {
  rows <- candidates[candidates$status == status, ]
  if (nrow(rows) == 0L) return(NULL)
  reasons <- sub("[.]?\n.*|[.]$", "", rows$reason)
  parts <- split(rows$selector, factor(reasons, unique(reasons), exclude = NULL))
  why <- ifelse(is.na(names(parts)), "", paste0(" (", names(parts), ")"))
  paste0(vapply(parts, paste, "", collapse = ", "), why, collapse = "; ")
}

#' @rdname tune_selection
#' @param x,object An `mltuning`.
#' @inheritParams plot.mlselection
#' @export
plot.mltuning <- function(x, width = NULL, ...) draw(autoplot.mltuning(x, width = device_width(width), ...))

#' @rdname tune_selection
#' @export
autoplot.mltuning <- function(object, base_size = 11, width = NULL, ...) {
  refuse_dots(...)
  room <- picture_room(width, base_size)
  curve <- object$curve[!is.na(object$curve$mean), ]
  order <- object$candidates$selector[object$candidates$selector %in% curve$selector]
  order <- c(object$name, setdiff(order, object$name))
  curve$selector <- factor(curve$selector, order)
  curve$low <- curve$mean - curve$se
  curve$high <- curve$mean + curve$se
  own <- curve[curve$selector == object$name, ]
  chosen <- own[own$k == object$k, ]
  band <- own[!is.na(own$se), ]
  several <- length(order) > 1L
  wide <- several && max(curve$k) > 5 * min(curve$k)
  styles <- curve_styles(length(order))
  ggplot2::ggplot(curve, ggplot2::aes(.data$k, .data$mean, color = .data$selector)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$low, ymax = .data$high), band, fill = calm, alpha = 0.15,
      color = NA) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$selector), linewidth = 0.7) +
    ggplot2::geom_point(size = 1.6) +
    ggplot2::geom_point(data = chosen, color = accent, size = 3.5, shape = 1, stroke = 1.1) +
    ggplot2::scale_color_manual(values = styles$color, name = NULL, guide = if (several) "legend" else "none") +
    ggplot2::scale_linetype_manual(values = styles$linetype, name = NULL, guide = if (several) "legend" else "none") +
    (if (wide) ggplot2::scale_x_log10(breaks = sort(unique(curve$k)))
    else ggplot2::scale_x_continuous(breaks = whole_breaks)) +
    ggplot2::labs(x = "features", y = paste0(measure_title(object$measure), " (", better_side(object$direction), ")"),
      title = fold_title(if (several) paste0("Choice of selector and number: ", object$name, ", k = ", object$k)
      else selection_title(object$selection), room),
      subtitle = fold_title(paste0("Mean and standard error over ", counted(max(curve$n_splits), "split"),
        "; the circle marks the chosen k = ", object$k, if (any(object$candidates$status == "dropped"))
          "; curves of dropped candidates are means over fewer splits"), room)) +
    theme_mlsift(room$base_size)
}

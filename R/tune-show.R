# Printing and drawing the choice of a selector.

#' @export
print.mltuning <- function(x, ...) {
  at <- chosen_point(x)
  rule <- c(
    best = "the best mean", fewest = "the fewest features within the tolerance of the best mean",
    "one-se" = "the fewest features within one standard error of the best mean"
  )[[x$rule]]
  several <- nrow(x$curve) > 1L
  sure <- !is.na(at$se)
  lines <- c(
    paste0("<mltuning> ", chosen_words(x), if (several) paste0(": ", rule, " of ", nrow(x$curve), " tried")),
    paste0(x$measure, ": ", format(at$mean, digits = 4), if (sure) paste0(" \u00b1 ", format(at$se, digits = 2)),
      " (mean ", if (sure) "and standard error ", "over ", counted(at$n_splits, "split"),
      if (several) "; optimistic, the best of many",
      ")"),
    if (at_edge(x)) paste0("k = ", x$k, " is the largest number tried: more may be better."), fewest_words(x)
  )
  for (status in c("failed", "left out", "not tried")) {
    which <- candidates_of(x$candidates, status)
    if (!is.null(which)) lines <- c(lines, paste0(status, ": ", which))
  }
  lines <- c(lines, paste0(
    "features: ", paste(utils::head(x$selection$feature, 6L), collapse = ", "), if (nrow(x$selection) > 6L) ", ..."
  ))
  cat(strwrap(lines, exdent = 2L), sep = "\n")
  invisible(x)
}

takes_all <- function(x) x$selector$method == "none"

# "MTL with k = 50 for Linear regression"
chosen_words <- function(x) {
  paste0(if (takes_all(x)) paste("all", counted(x$k, "feature")) else paste0(x$name, " with k = ", x$k), " for ",
    x$learner_name)
}

# Whether the number of features is the largest of several that selectors were asked for, and more may be better: all
# features were not tried, or they are many more.
at_edge <- function(x) {
  tried <- unique(x$curve$k[x$curve$selector == x$name])
  all <- x$curve$k[x$curve$selector %in% x$all]
  !takes_all(x) && length(tried) > 1L && x$k == max(tried) && !any(all <= 2 * x$k)
}

fewest_words <- function(x) {
  small <- x$fewest
  if (is.null(small) || small$k >= x$k) return(NULL)
  paste0("within ", format(x$tolerance), if (x$relative) " times it", ": ", small$selector, " with k = ",
    small$k, " for ", small$learner, " (", format(small$mean, digits = 4), ")")
}

# 'A, B (the reason); C (another reason)' for the candidates of a status, or NULL if there are none. A selector whose
# learners all have the status goes by its own name.
candidates_of <- function(candidates, status) {
  rows <- candidates[candidates$status == status, ]
  if (nrow(rows) == 0L) return(NULL)
  n <- table(candidates$selector)
  whole <- rows$selector %in% names(n)[n == table(factor(rows$selector, names(n)))]
  names <- ifelse(is.na(rows$selector), rows$learner,
    ifelse(whole, rows$selector, paste(rows$selector, "with", rows$learner)))
  first <- !duplicated(names)
  reasons <- sub("[.]?\n.*|[.]$", "", rows$reason)[first]
  parts <- split(names[first], factor(reasons, unique(reasons), exclude = NULL))
  why <- ifelse(is.na(names(parts)), "", paste0(" (", names(parts), ")"))
  paste0(vapply(parts, paste, "", collapse = ", "), why, collapse = "; ")
}

#' @rdname plot.mlselection
#' @export
plot.mltuning <- function(x, width = NULL, ...) draw(autoplot.mltuning(x, width = device_width(width), ...))

#' @rdname plot.mlselection
#' @export
autoplot.mltuning <- function(object, base_size = 11, width = NULL, ...) {
  room <- picture_room(width, base_size)
  curve <- object$curve[!is.na(object$curve$mean), ]
  order <- c(object$name, setdiff(unique(curve$selector), object$name))
  curve$selector <- factor(curve$selector, order)
  curve$learner <- factor(curve$learner, unique(object$curve$learner))
  curve$low <- curve$mean - curve$se
  curve$high <- curve$mean + curve$se
  single <- table(curve$selector, curve$learner)
  lone <- single[cbind(as.character(curve$selector), as.character(curve$learner))] == 1L
  own <- curve$selector == object$name & curve$learner == object$learner_name
  chosen <- curve[own & curve$k == object$k, ]
  band <- curve[own & !is.na(curve$se) & !lone, ]
  several <- length(order) > 1L
  panels <- nlevels(droplevels(curve$learner)) > 1L
  wide <- max(curve$k) > 5 * min(curve$k)
  styles <- curve_styles(length(order))
  guide <- if (several) "legend" else "none"
  narrow <- room$width < 5
  ggplot2::ggplot(curve, ggplot2::aes(.data$k, .data$mean, color = .data$selector)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$low, ymax = .data$high), band, fill = calm, alpha = 0.15,
      color = NA) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$selector), curve[!lone, ], linewidth = 0.7) +
    ggplot2::geom_point(size = 1.6) +
    ggplot2::geom_point(data = chosen, color = accent, size = 3.5, shape = 1, stroke = 1.1) +
    (if (panels) ggplot2::facet_wrap(ggplot2::vars(.data$learner), nrow = if (!narrow) 1L, ncol = if (narrow) 1L)) +
    # A candidate without a line has its place in both scales, so that they share a legend.
    ggplot2::scale_color_manual(values = styles$color, limits = order, name = NULL, guide = guide) +
    ggplot2::scale_linetype_manual(values = styles$linetype, limits = order, name = NULL, guide = guide) +
    (if (wide) ggplot2::scale_x_log10(breaks = tried_breaks(curve$k, log))
    else ggplot2::scale_x_continuous(breaks = tried_breaks(curve$k))) +
    ggplot2::coord_cartesian(clip = "off") +
    folded_labs(paste0("The choice: ", chosen_words(object)),
      paste0("Mean and standard error over ", counted(max(curve$n_splits), "split"), "; the circle marks the choice"),
      room, x = "features", y = paste0(measure_title(object$measure), " (", better_side(object$direction), ")")) +
    theme_mlsift(room$base_size) + ggplot2::theme(legend.position = if (narrow) "bottom" else "right")
}


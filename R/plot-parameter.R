#' Picture of a measure against a parameter of a selector
#'
#' Shows how a parameter of a selector matters: a benchmark of the same selector with several values of the parameter,
#' with the mean over splits against the value. There is a line for each number of features, and a panel for each task.
#'
#' @inheritParams plot.mlbenchmark
#' @param bench An `mlbenchmark`, as [benchmark_selectors()] returns it.
#' @param values (numbers) The values of the parameter, with the names of selectors. Other selectors are not shown.
#' @param group (character) For two or more series: the series of each selector, with the same names as `values`. Series
#'   differ by the type of line.
#' @param k,prop Numbers (or shares) of features to show. `NULL` shows all of the benchmark.
#' @param label (string) What the parameter is, for the axis.
#' @param measure,learner (character) Names of measures and learners. `NULL` shows all.
#' @return A ggplot.
#' @family pictures
#' @examples
#' shares <- c(0.25, 0.5, 1)
#' names(shares) <- paste("EBLS", shares)
#' set.seed(1)
#' bench <- benchmark_selectors(
#'   simulate_mltask(60, 8, 4), lapply(shares, function(share) sel_ebls(prop_labels = share)),
#'   lrn_brknn(), rs_holdout(repeats = 2), k = c(2, 4), measures = "hamming_loss"
#' )
#' plot_parameter(bench, shares, label = "share of the labels")
#' @export
plot_parameter <- function(bench, values, group = NULL, measure = NULL, learner = NULL, k = NULL, prop = NULL,
                           label = "value of the parameter", base_size = 11, width = NULL) {
  call <- rlang::current_env()
  room <- picture_room(width, base_size)
  check_string(label)
  found <- bench_settings(bench, measure, learner, call)
  check_parameter_values(values, found[[1L]]$selectors, call)
  if (!is.null(group)) check_parameter_group(group, values, call)
  data <- curve_data(found)
  data <- data[data$selector %in% names(values), ]
  points <- parameter_points(found, k, prop, call)
  data <- data[vapply(data$at, function(at) any(abs(at - points) < 1e-6), NA), ]
  data$parameter <- unname(values[data$selector])
  data$series <- factor(if (is.null(group)) "" else unname(group[data$selector]), unique(group) %||% "")
  data$line <- factor(data$at, sort(unique(data$at)))
  data <- panel_factors(data, found)
  ggplot2::ggplot(data, ggplot2::aes(.data$parameter, .data$value, color = .data$line, shape = .data$line,
    linetype = .data$series, group = interaction(.data$line, .data$series))) +
    ggplot2::geom_line(linewidth = 0.6, na.rm = TRUE) +
    ggplot2::geom_point(size = 1.5, na.rm = TRUE) +
    ggplot2::scale_color_manual(grid_label(found), values = parameter_colors(nlevels(data$line))) +
    ggplot2::scale_shape_manual(grid_label(found), values = rep_len(c(16, 17, 15, 18, 3, 4, 8), nlevels(data$line))) +
    ggplot2::scale_linetype_discrete(NULL, guide = if (is.null(group)) "none" else "legend") +
    ggplot2::labs(x = label, y = value_label(found), title = curve_title(found), subtitle = "Means over splits") +
    theme_mlsift(room$base_size) + curve_panels(found, room$width) +
    (if (room$width < 5) ggplot2::theme(legend.position = "bottom"))
}

# From light to dark.
parameter_colors <- function(n) grDevices::hcl.colors(n + 2L, "Viridis", rev = TRUE)[-(1:2)]

parameter_points <- function(found, k, prop, call) {
  asked <- if (found[[1L]]$by == "k") k else prop
  if (is.null(k) && is.null(prop)) return(sort(unique(as.numeric(unlist(lapply(found[[1L]]$values, colnames))))))
  if (is.null(asked)) return(bench_point(found[[1L]], k, prop, call))
  check_grid(asked, found[[1L]]$by, "numbers", is.finite, call)
  vapply(asked, function(one) {
    as.double(bench_point(found[[1L]], if (!is.null(k)) one, if (!is.null(prop)) one, call))
  }, 0)
}

check_parameter_values <- function(values, selectors, call) {
  if (!is.numeric(values) || length(values) == 0L || is.null(names(values)) || !all(is.finite(values))) {
    abort(c("{.arg values} must be finite numbers with the names of selectors.", x = "It is {describe(values)}.",
      i = "For example, {.code c(\"EBLS 10\" = 10, \"EBLS 20\" = 20)}."), call = call)
  }
  check_distinct(names(values), "values", call)
  odd <- setdiff(names(values), selectors)
  if (length(odd) > 0L) {
    near <- nearest_name(odd[1L], selectors)
    abort(c("The names of {.arg values} must be selectors of the benchmark.", x = "There is no {.val {odd[1L]}}.",
      i = if (!is.null(near)) "Did you mean {.val {near}}?"), call = call)
  }
}

check_parameter_group <- function(group, values, call) {
  named <- is.character(group) && !anyNA(group) && setequal(names(group), names(values))
  if (!named) {
    abort(c("{.arg group} must be text with the same names as {.arg values}.", x = "It is {describe(group)}."),
      call = call)
  }
}

# What the pictures share. Colors: Okabe and Ito (2008), safe for color-blind readers, without the yellow that a white
# page swallows.

palette_mlsift <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
ink <- "grey20"
faint <- "grey88"
accent <- "#D55E00"
calm <- "#0072B2"

# Styles of up to 21 curves, told apart by color first, then by line and by point.
curve_styles <- function(n) {
  i <- seq_len(n) - 1L
  list(color = palette_mlsift[i %% 7L + 1L], linetype = c("solid", "22", "42")[i %/% 7L %% 3L + 1L],
    shape = c(16, 17, 15, 18, 3, 4, 8, 1, 2, 0, 5, 6)[i %% 12L + 1L])
}

# The style of each selector of a benchmark, by name. It follows the order of all its selectors, so that a selector
# looks the same in all pictures of the benchmark and of its rows. `colors`: other colors, by name.
selector_styles <- function(bench, colors = NULL, call = rlang::caller_env()) {
  all <- union(attr(bench, "protocol", exact = TRUE)$selectors, as.character(unique(bench$selector)))
  styles <- lapply(curve_styles(length(all)), function(values) stats::setNames(rep_len(values, length(all)), all))
  if (is.null(colors)) return(styles)
  odd <- setdiff(names(colors), all)
  if (!is.character(colors) || is.null(names(colors)) || length(odd) > 0L) {
    abort(c("{.arg colors} must be a character vector of colors with names of selectors.",
      x = if (length(odd) > 0L) "There is no selector {.val {odd[1L]}}." else "It is {describe(colors)}."),
    call = call)
  }
  styles$color[names(colors)] <- colors
  styles
}

theme_mlsift <- function(base_size = 11) {
  ggplot2::theme_minimal(base_size = base_size) +
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major = ggplot2::element_line(color = faint, linewidth = 0.3),
      axis.title.y = ggplot2::element_text(margin = ggplot2::margin(r = 6)),
      plot.margin = ggplot2::margin(6, 12, 6, 6), plot.title.position = "plot",
      plot.title = ggplot2::element_text(size = ggplot2::rel(1.1)),
      plot.subtitle = ggplot2::element_text(color = "grey35", size = ggplot2::rel(0.86)),
      strip.text = ggplot2::element_text(hjust = 0, face = "bold", size = ggplot2::rel(0.91)), strip.clip = "off"
    )
}

draw <- function(picture) {
  print(picture)
  invisible(picture)
}

#' @importFrom rlang .data
NULL

# Shared by all pictures. Colors: Okabe and Ito (2008), safe for color-blind readers, without the yellow that is hard to
# see on white.

palette_mlsift <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
ink <- "grey20"
faint <- "grey88"
accent <- "#D55E00"
calm <- "#0072B2"

# Styles of up to 21 curves, distinguished by color first, then by line type and point shape.
curve_styles <- function(n) {
  i <- seq_len(n) - 1L
  list(color = palette_mlsift[i %% 7L + 1L], linetype = c("solid", "22", "42")[i %/% 7L %% 3L + 1L],
    shape = c(16, 17, 15, 18, 3, 4, 8, 1, 2, 0, 5, 6)[i %% 12L + 1L])
}

# The style of each selector of a benchmark, by name. It follows the order of all its selectors, so that a selector
# looks the same in all pictures of the benchmark and of subsets of its rows. `colors`: other colors, by name.
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

# What fits in a picture of this width in inches: the text size (smaller below 7 inches), the number of letters of a
# name beside the panel and of a title line, and how many names fit side by side below the panel.
picture_room <- function(width, base_size, call = rlang::caller_env()) {
  width <- check_number(width, min = 0, above = TRUE, finite = TRUE, null = TRUE, call = call) %||% 7
  base_size <- check_number(base_size, 1, 100, call = call) * max(0.75, min(1, 0.5 + width / 14))
  points <- 72 * width
  list(width = width, base_size = base_size, name = max(8, floor(0.42 * points / (0.46 * base_size))),
    line = max(16, floor(points / (0.46 * base_size))), columns = max(1, floor(0.3 * points / base_size)))
}

# The width of the open device. It is for plot(), which opens no device before it has checked its arguments.
device_width <- function(width) width %||% if (grDevices::dev.cur() > 1L) grDevices::dev.size()[1L] else 7

# Shortens long names by removing common beginnings and ends, and then their middle. Names that become equal are
# numbered.
shorten_names <- function(names, letters) {
  long <- !is.na(names) & nchar(names) > letters
  if (!any(long)) return(names)
  out <- names
  if (sum(long) > 1L) out[long] <- without_common(names[long])
  head <- ceiling((letters - 3) / 2)
  tail <- letters - 3 - head
  cut <- nchar(out) > letters & long
  out[cut] <- paste0(substr(out[cut], 1L, head), "...", substring(out[cut], nchar(out[cut]) - tail + 1L))
  twice <- out %in% out[duplicated(out)] & long
  out[twice] <- paste0(out[twice], " (", stats::ave(seq_along(out), out, FUN = seq_along)[twice], ")")
  out
}

# More than five letters shared by all names at the beginning or end are replaced by three dots.
without_common <- function(names) {
  shared <- function(letters) {
    least <- min(lengths(letters))
    same <- vapply(seq_len(least - 1L), \(i) length(unique(vapply(letters, `[`, "", i))) == 1L, NA)
    match(FALSE, c(same, FALSE)) - 1L
  }
  letters <- strsplit(names, "")
  begin <- shared(letters)
  letters <- lapply(letters, \(l) c(if (begin > 5L) "...", l[seq.int(if (begin > 5L) begin + 1L else 1L, length(l))]))
  end <- shared(lapply(letters, rev))
  vapply(letters, \(l) paste(c(utils::head(l, if (end > 5L) -end else length(l)), if (end > 5L) "..."), collapse = ""),
    "")
}

fold_title <- function(text, room) paste(strwrap(text, room$line), collapse = "\n")

draw <- function(picture) {
  print(picture)
  invisible(picture)
}

#' @importFrom rlang .data
NULL

whole_breaks <- function(limits) {
  breaks <- unique(round(pretty(limits, 4L)))
  breaks[breaks >= limits[1L] & breaks <= limits[2L]]
}

short_names <- function(names) {
  all <- unique(names)
  shorten_names(all, 26L)[match(names, all)]
}

measure_title <- function(measure) {
  title <- known_measure(measure)$title
  if (is.null(title)) return(gsub("_", " ", measure))
  if (grepl("beta = ", measure)) title <- sub("F2", "F-beta", title)
  paste0(title, sub("^[^ ]*", "", measure))
}

# Ours, by the name that measure() gives it.
known_measure <- function(name) registered("measures", sub(" \\(.*", "", name))

upper_first <- function(s) paste0(toupper(substr(s, 1L, 1L)), substring(s, 2L))

better_side <- function(direction) paste(if (direction == "minimize") "lower" else "higher", "is better")

selection_title <- function(selection) {
  selector <- attr(selection, "selector")
  name <- if (is.list(selector)) selector$name
  task <- attr(selection, "task_name")
  paste0(name %||% "Selection", if (!is.null(task)) paste(" on", task))
}

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
# looks the same in all pictures of the benchmark and of subsets of its rows.
selector_styles <- function(bench) {
  all <- union(attr(bench, "protocol", exact = TRUE)$selectors, as.character(unique(bench$selector)))
  lapply(curve_styles(length(all)), function(values) stats::setNames(rep_len(values, length(all)), all))
}

theme_mlsift <- function(base_size = 11) {
  ggplot2::theme_minimal(base_size = base_size) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major = ggplot2::element_line(color = faint, linewidth = 0.3),
      axis.title.y = ggplot2::element_text(margin = ggplot2::margin(r = 6)), plot.margin = ggplot2::margin(6, 12, 6, 6),
      plot.title.position = "plot", plot.title = ggplot2::element_text(size = ggplot2::rel(1.1)),
      plot.subtitle = ggplot2::element_text(color = "grey35", size = ggplot2::rel(0.86)),
      strip.text = ggplot2::element_text(hjust = 0, face = "bold", size = ggplot2::rel(0.91)), strip.clip = "off")
}

# Of names beside rows, those that fit: where a picture is too low for all, some are left out.
names_that_fit <- function() ggplot2::guides(y = ggplot2::guide_axis(check.overlap = TRUE))

# What fits in a picture of this width in inches: the text size (smaller below 7 inches), the number of letters of a
# name beside the panel and of a title line, and how many names fit side by side below the panel. `page`: whether the
# open device has begun its page, so that texts can be measured on it.
picture_room <- function(width, base_size, page = FALSE) {
  width <- check_number(width, 0, 1000, above = TRUE, null = TRUE) %||% 7
  base_size <- check_number(base_size, 1, 100) * max(0.75, min(1, 0.5 + width / 14))
  points <- 72 * width
  list(width = width, base_size = base_size, name = max(8, floor(0.42 * points / (0.46 * base_size))),
    line = max(16, floor(points / (0.46 * base_size))), columns = max(1, floor(0.3 * points / base_size)), page = page)
}

# The widths of texts in inches. `size`: of the letters, relative to the base size. They are measured on the open device
# if it has begun its page. Else, as measuring would begin one, they are measured as in a PDF, and get the room that
# DejaVu Sans takes, which Linux has where there is no Helvetica.
text_width <- function(text, room, size, face = "plain") {
  if (!room$page) {
    old <- grDevices::dev.cur()
    grDevices::pdf(NULL)
    on.exit({
      grDevices::dev.off()
      if (old > 1L) grDevices::dev.set(old)
    })
  }
  letters <- grid::gpar(fontsize = size * room$base_size, fontface = face)
  grid::pushViewport(grid::viewport(gp = letters), recording = FALSE)
  # What the fonts of a PDF do not have is not measured well, but is seldom.
  width <- suppressWarnings(grid::convertWidth(grid::stringWidth(text), "in", valueOnly = TRUE))
  grid::popViewport(recording = FALSE)
  if (room$page) width else 1.17 * width
}

# Breaks a text into lines of at most so many inches, and words that are wider than a line.
fold_text <- function(text, inches, room, size, face = "plain") {
  # "95 %" stays on a line.
  words <- strsplit(trimws(text), "[[:space:]]+(?!%)", perl = TRUE)[[1L]]
  width <- text_width(c(" ", words), room, size, face)
  space <- width[1L]
  width <- width[-1L]
  for (i in rev(which(width > inches))) {
    letters <- strsplit(words[i], "")[[1L]]
    line <- cumsum(text_width(letters, room, size, face)) %/% (0.9 * inches)
    pieces <- vapply(split(letters, line), paste, "", collapse = "")
    words <- append(words[-i], pieces, i - 1L)
    width <- append(width[-i], text_width(pieces, room, size, face), i - 1L)
  }
  line <- integer(length(words))
  used <- 0
  for (i in seq_along(words)) {
    fits <- i > 1L && used + space + width[i] <= inches
    line[i] <- if (i == 1L) 1L else line[i - 1L] + !fits
    used <- if (fits) used + space + width[i] else width[i]
  }
  paste(vapply(split(words, line), paste, "", collapse = " "), collapse = "\n")
}

# Of titles and subtitles, which have the width of the picture but for its margins.
fold_title <- function(text, room, size = 1.1) fold_text(text, max(0.5, 0.97 * (room$width - 0.25)), room, size)

fold_subtitle <- function(text, room) fold_title(text, room, 0.86)

folded_labs <- function(title, subtitle, room, ...) {
  ggplot2::labs(..., title = fold_title(title, room), subtitle = fold_subtitle(subtitle, room))
}

# Names shortened to this width, as labels of an axis.
fit_names <- function(names, inches, room, size = 0.8, face = "plain") {
  short <- names
  letters <- max(nchar(names), 0L, na.rm = TRUE)
  repeat {
    widest <- max(text_width(short, room, size, face), 0, na.rm = TRUE)
    if (widest <= inches || letters <= 8) return(short)
    letters <- max(8, min(letters - 1, floor(letters * inches / widest)))
    short <- shorten_names(names, letters)
  }
}

# An axis of values without numbers that touch each other.
few_numbers <- function(room, ...) {
  ggplot2::scale_x_continuous(..., n.breaks = if (room$width < 5) 3,
    guide = ggplot2::guide_axis(check.overlap = TRUE))
}

# The fill of tiles, from almost white. Below narrow pictures, its bar has room for few numbers.
tile_scale <- function(room, ...) {
  below <- room$width < 5
  list(
    ggplot2::scale_fill_gradient(low = "grey96", high = calm, ..., n.breaks = if (below) 3,
      guide = ggplot2::guide_colorbar(title.position = "top")),
    ggplot2::theme(legend.position = if (below) "bottom" else "right")
  )
}

# The width of the open device. It is for plot(), which opens no device before it has checked its arguments.
device_width <- function(width) width %||% if (grDevices::dev.cur() > 1L) grDevices::dev.size()[1L] else 7

# Names of at most `letters` letters (8 or more). Longer ones lose their middle; those that would then be equal to
# another name are numbered, so that different names stay different.
shorten_names <- function(names, letters) {
  letters <- max(8L, letters)
  all <- unique(names[!is.na(names)])
  long <- all[nchar(all) > letters]
  short <- cut_middle(long, letters)
  taken <- setdiff(all, long)
  again <- short %in% c(taken, short[duplicated(short)])
  short[again] <- numbered_names(short[again], c(taken, short[!again]), letters)
  at <- match(names, long)
  ifelse(is.na(at), names, short[at])
}

cut_middle <- function(names, letters) {
  head <- (letters - 2) %/% 2
  n <- nchar(names)
  paste0(substr(names, 1L, head), "..", substr(names, n - (letters - 3 - head), n))
}

numbered_names <- function(names, taken, letters) {
  for (i in seq_along(names)) {
    number <- 1L
    repeat {
      mark <- paste0("~", number)
      new <- paste0(substr(names[i], 1L, letters - nchar(mark)), mark)
      if (!new %in% taken) break
      number <- number + 1L
    }
    taken <- c(taken, names[i] <- new)
  }
  names
}

draw <- function(picture) {
  print(picture)
  invisible(picture)
}

#' @importFrom rlang .data
NULL

# Round numbers of features if all of them were tried, else those tried that are not too near to the one before.
tried_breaks <- function(k, position = identity) {
  k <- sort(unique(k))
  round <- whole_breaks(range(k))
  if (identical(position, identity) && all(round %in% k)) return(round)
  at <- position(k)
  shown <- 1L
  for (i in seq_along(k)) if (at[i] - at[shown[1L]] >= diff(range(at)) / 6) shown <- c(i, shown)
  k[rev(unique(shown))]
}

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

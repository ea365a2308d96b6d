# The pictures of an answer.

#' Picture of an answer
#'
#' `plot()` draws one page, or one picture of it: the chosen features with the share of outer splits in which each was
#' chosen (or their scores, without an estimate) and their stand-ins; the quality beside that of all features, random
#' features and the floor; the effects of single features on single targets; the curves that the choice was made from;
#' or how well each target is predicted. `autoplot()` gives one picture as a ggplot.
#'
#' The page has the finding in words, the features, the quality and the curves, in two columns or, if it is narrow, in
#' one. Where there is no room for everything, what is left out is, in this order: the sentences after the second, the
#' curves, the second sentence, the quality, the first sentence. Of the features as many are shown as there is room for.
#'
#' @param x,object An answer from [sift()].
#' @param type Which picture. `"targets"` needs an estimate, and so does `"quality"`.
#' @param n (count) The largest number of features shown, best first. At most 40 targets are shown.
#' @inheritParams plot.mlselection
#' @return `plot()` returns `x` invisibly, `autoplot()` a ggplot.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(iris, Species, selectors = sel_mim(), estimate = FALSE)
#' plot(answer, "effects")
#' @export
plot.mlsift <- function(x, type = c("page", "features", "effects", "quality", "choice", "targets"), width = NULL,
                        ...) {
  refuse_dots(..., allowed = c("n", "base_size"))
  type <- check_choice(type)
  width <- device_width(width)
  if (type == "page") draw_page(x, width, ...) else print(autoplot.mlsift(x, type, width = width, ...))
  invisible(x)
}

#' @rdname plot.mlsift
#' @export
autoplot.mlsift <- function(object, type = c("features", "effects", "quality", "choice", "targets"), n = 25,
                            base_size = 11, width = NULL, ...) {
  type <- check_choice(type)
  n <- check_count(n)
  room <- picture_room(width, base_size)
  known <- switch(type, quality = has_quality(object), targets = NROW(object$targets) > 0L, TRUE)
  if (!known) abort(c("{.code type = \"{type}\"} needs an estimate.",
    i = if (nrow(object$quality) == 0L) "Call {.fn sift} with {.code estimate = TRUE}."
    else "It failed on a split, see {.code failures(x$benchmark)}."))
  switch(type,
    features = features_picture(object, n, room), effects = effects_picture(object$effects, room, n),
    quality = quality_picture(object, room),
    choice = autoplot.mltuning(object$tuning, base_size, width),
    targets = targets_picture(object$targets, room)
  )
}

answer_title <- function(x) {
  n <- counted(nrow(x$selection), "feature")
  paste0(x$task$name %||% "The answer", ": ", n, " of ", format_count(ncol(x$task$x)))
}

# "Average precision of ML-kNN (higher is better)"
answer_measure <- function(x) {
  # Of several learners, each outer split may choose another.
  one <- if (length(x$setup$choice$learner) == 1L) paste(" of", x$tuning$learner_name)
  paste0(measure_title(x$tuning$measure), one, " (", better_side(x$tuning$direction), ")")
}

# --- the page ---------------------------------------------------------------------------------------------------------

# Heights are in points.
draw_page <- function(x, width, n = 25, base_size = 11) {
  n <- min(check_count(n), nrow(x$features))
  room <- picture_room(width, base_size, page = TRUE)
  grid::grid.newpage()
  grid::pushViewport(grid::viewport(grid::unit(0, "npc"), width = grid::unit(width, "in"), just = "left"))
  on.exit(grid::upViewport(0L))
  plan <- page_plan(x, n, room, grid::convertHeight(grid::unit(1, "npc"), "points", valueOnly = TRUE), base_size)
  down <- 0
  for (line in plan$words) {
    points <- line$size * room$base_size
    grid::grid.text(line$text, grid::unit(0.09, "in"), grid::unit(1, "npc") - grid::unit(down + line$above, "points"),
      c("left", "top"), gp = grid::gpar(col = ink, fontsize = points, fontface = line$face, lineheight = 1))
    down <- down + line$height
  }
  # `left` of the page, `down` from its top.
  place <- function(picture, left, down, part) {
    spot <- grid::viewport(grid::unit(left, "in"), grid::unit(1, "npc") - grid::unit(down, "points"),
      grid::unit(plan$width, "in"), grid::unit(part, "points"), just = c("left", "top"))
    grid::pushViewport(spot)
    grid::grid.draw(picture)
    grid::upViewport()
  }
  tops <- down
  for (column in plan$columns) {
    down <- tops
    for (part in column$parts) {
      place(part$picture, column$left, down, part$height)
      down <- down + part$height
    }
  }
}

# The first way to fill the page that has the room for what it shows: list(words, width of a column, columns).
page_plan <- function(x, n, room, height, base_size) {
  said <- utils::head(summary(x), 4L)
  parts <- c("features", if (has_quality(x)) "quality", "choice")
  some <- setdiff(parts, "choice")
  ways <- list(list(4L, parts), list(2L, parts), list(2L, some), list(1L, some), list(1L, "features"),
    list(0L, "features"))
  wide <- 72 * room$width / room$base_size > 44
  drawn <- list()
  for (way in ways) {
    words <- page_words(answer_title(x), utils::head(said, way[[1L]]), room)
    left <- height - sum(vapply(words, `[[`, 0, "height")) - 4
    columns <- if (wide && length(way[[2L]]) > 1L) list("features", setdiff(way[[2L]], "features")) else way[2L]
    width <- room$width / length(columns)
    key <- format(width)
    if (is.null(drawn[[key]])) drawn[[key]] <- page_parts(x, n, parts, width, base_size)
    least <- vapply(columns, function(column) sum(vapply(drawn[[key]][column], `[[`, 0, "least")), 0)
    if (max(least) <= left) break
  }
  filled <- Map(function(column, at) {
    own <- drawn[[key]][column]
    heights <- share_height(own, left)
    list(left = (at - 1) * width, parts = Map(function(part, height) {
      list(picture = part$draw(height), height = height)
    }, own, heights))
  }, columns, seq_along(columns))
  # A page that is too low for a picture has its title only.
  list(words = words, width = width, columns = if (max(least) <= left) filled)
}

# Title and sentences, folded: list(text, size, face, above, height) of each.
page_words <- function(title, said, room) {
  block <- function(text, size, face, above, below) {
    # Lines of more than some 140 letters are hard to read.
    inches <- min(room$width - 0.2, 72 * size * room$base_size / 72)
    text <- fold_text(text, 0.98 * inches, room, size, face)
    lines <- lengths(regmatches(text, gregexpr("\n", text))) + 1L
    points <- size * room$base_size
    list(text = text, size = size, face = face, above = above, height = above + (1.2 * lines + below) * points)
  }
  c(list(block(title, 1.25, "bold", 0.6 * room$base_size, 0.2)),
    if (length(said) > 0L) list(block(paste(said, collapse = " "), 0.86, "plain", 2, 0.5)))
}

# For each part of the page: its least and largest height, and how it is drawn at a height.
page_parts <- function(x, n, parts, width, base_size) {
  room <- picture_room(width, base_size, page = TRUE)
  fixed <- function(picture) sum(grid::convertHeight(picture$heights, "points", valueOnly = TRUE))
  row <- room$base_size
  all <- list(
    features = function() {
      picture <- function(n) ggplot2::ggplotGrob(features_picture(x, n, room))
      whole <- picture(n)
      own <- fixed(whole)
      list(least = own + 1.05 * row * (1 + min(n, 8L)), most = own + 2 * row * (1 + n), draw = function(height) {
        fit <- max(1, floor((height - own) / (1.05 * row)) - 1)
        if (fit < n) picture(fit) else whole
      })
    },
    quality = function() {
      picture <- ggplot2::ggplotGrob(quality_picture(x, room))
      own <- fixed(picture)
      rows <- quality_rows(x, room)
      lines <- nrow(rows) * max(rows$lines)
      list(least = own + row * (0.85 * lines + 0.25 * nrow(rows)), most = own + 2 * row * lines,
        draw = function(height) picture)
    },
    choice = function() {
      picture <- ggplot2::ggplotGrob(choice_picture(x, room, base_size))
      own <- fixed(picture)
      list(least = own + 8 * row, most = own + 16 * row, draw = function(height) picture)
    }
  )
  lapply(all[parts], function(measure) measure())
}

# Shares a height among parts: first what they need, then up to what serves them. The rest is for those that are not a
# list of rows.
share_height <- function(parts, height) {
  least <- vapply(parts, `[[`, 0, "least")
  more <- vapply(parts, `[[`, 0, "most") - least
  extra <- max(0, height - sum(least))
  given <- min(1, extra / sum(more)) * more
  others <- names(parts) != "features"
  least + given + (extra - sum(given)) * others / max(1L, sum(others))
}

# The curves of the choice without the sentences that the page has.
choice_picture <- function(x, room, base_size) {
  autoplot.mltuning(x$tuning, base_size, room$width) +
    folded_labs("Choice of learner, selector and number",
      paste(measure_title(x$tuning$measure), "on the inner splits"), room, y = NULL, x = "number of features") +
    ggplot2::guides(x = ggplot2::guide_axis(check.overlap = TRUE)) + choice_legend(x, room)
}

# The legend of the curves below them, in as many columns as fit.
choice_legend <- function(x, room) {
  names <- unique(x$tuning$curve$selector[!is.na(x$tuning$curve$mean)])
  # A key has its name, a line, and what parts it from the next.
  key <- max(text_width(names, room, 0.75)) + (2.2 * room$base_size + 14) / 72
  columns <- max(1, min(length(names), floor((room$width - 0.3) / key)))
  # Where some have a single point and no line, the legends of colors and of lines would not be one.
  legend <- ggplot2::guide_legend(ncol = columns, byrow = TRUE,
    override.aes = list(linetype = curve_styles(length(names))$linetype))
  list(
    ggplot2::guides(color = if (length(names) > 1L) legend else "none", linetype = "none"),
    ggplot2::theme(legend.position = "bottom", legend.justification = "left", legend.margin = ggplot2::margin(),
      legend.text = ggplot2::element_text(size = ggplot2::rel(0.75)),
      legend.key.height = grid::unit(0.9 * room$base_size, "points")),
    if ("legend.location" %in% names(formals(ggplot2::theme))) ggplot2::theme(legend.location = "plot")
  )
}

# --- its parts --------------------------------------------------------------------------------------------------------

features_picture <- function(x, n, room) {
  shown <- utils::head(x$features, n)
  shares <- shares_tell(shown)
  chance <- if (shares) mean(as.double(shown$chance), na.rm = TRUE) else NaN
  data <- data.frame(row = -seq_len(nrow(shown)), value = if (shares) shown$share else shown$score)
  data$value[is.na(data$value)] <- 0
  beside <- any(lengths(shown$stand_ins) > 0L)
  first <- vapply(shown$stand_ins, function(names) c(names, "")[1L], "")
  more <- lengths(shown$stand_ins) - 1L
  short <- utils::tail(fit_names(c(shown$feature, first), 0.24 * room$width, room), nrow(shown))
  notes <- paste0("or ", short, ifelse(more > 0L, paste0(", +", more), ""))[nzchar(first)]
  said <- c(
    if (shares) "Share of the outer splits in which each was chosen"
    else if (is.null(x$setup$order)) "By score" else paste("Score of", x$setup$order),
    if (is.finite(chance)) "dashed: the share by chance",
    if (beside) paste("on the right,", if (swaps(x)) "what could take its place"
      else "what has nearly the same information")
  )
  ggplot2::ggplot(data, ggplot2::aes(.data$value, .data$row)) +
    (if (is.finite(chance)) ggplot2::geom_vline(xintercept = chance, linetype = "22", color = "grey45",
      linewidth = 0.4)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = .data$row), color = calm, linewidth = 0.8) +
    ggplot2::geom_point(color = calm, size = 1.9) +
    ggplot2::scale_y_continuous(breaks = data$row,
      labels = fit_names(shown$feature, (if (beside) 0.36 else 0.42) * room$width, room),
      expand = ggplot2::expansion(add = 0.6), sec.axis = if (beside) {
        ggplot2::sec_axis(function(row) row, breaks = data$row[nzchar(first)], labels = notes,
          guide = ggplot2::guide_axis(check.overlap = TRUE))
      } else ggplot2::waiver()) +
    ggplot2::scale_x_continuous(limits = if (shares) c(0, 1), breaks = if (shares) c(0, 0.5, 1) else ggplot2::waiver(),
      expand = ggplot2::expansion(0.03), guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    folded_labs(paste0("Features", if (!is.na(shown$rank[1L])) ", best first",
      if (nrow(x$features) > nrow(shown)) paste0(" (", nrow(shown), " of ", nrow(x$features), ")")),
    paste(said, collapse = "; "), room, x = NULL, y = NULL) +
    names_that_fit() + theme_mlsift(room$base_size) + ggplot2::theme(panel.grid.major.y = ggplot2::element_blank(),
      axis.text.y.right = ggplot2::element_text(color = "grey45", hjust = 0))
}

# Whether there is an estimate that did not fail on any split.
has_quality <- function(x) any(!is.na(x$quality$mean))

# The rows of the picture of the quality: `label`, of so many `lines`, with the difference from the choice if it is
# known.
quality_rows <- function(x, room) {
  data <- told_quality(x)
  data <- data[!is.na(data$mean), ]
  k <- quality_of(x, "chosen", "k")
  names <- c(chosen = paste0("the choice", if (!is.na(k)) paste0(", ", counted(signif(k, 3), "feature"),
    if (k != nrow(x$selection)) " on average")),
    all = paste("all", counted(ncol(x$task$x), "feature")), random = "as many random features",
    floor = "no features")
  label <- names[data$what]
  if (all(c("difference", "low", "high") %in% names(data))) {
    known <- data$what != "chosen" & !is.na(data$difference)
    label <- paste0(label, ifelse(known, paste0("\nchoice ", difference_words(data, "")), ""))
    if ("as_good" %in% names(data)) label <- paste0(label, ifelse(is.na(data$as_good), "",
      paste0("\n", data$as_good, " of ", data$draws, " draws as good")))
  }
  data$label <- vapply(strsplit(label, "\n", fixed = TRUE), function(lines) {
    paste(vapply(lines, fold_text, "", 0.48 * room$width, room, 0.8), collapse = "\n")
  }, "")
  data$lines <- lengths(strsplit(data$label, "\n", fixed = TRUE))
  data
}

quality_picture <- function(x, room) {
  data <- quality_rows(x, room)
  data$row <- factor(data$what, rev(data$what))
  data$half <- ifelse(is.na(data$se), 0, data$se)
  color <- ifelse(data$what == "chosen", accent, calm)
  said <- paste0(answer_measure(x), ", mean and standard error over ",
    counted(length(unique(x$benchmark$split)), "outer split"),
    if (any(grepl("\nchoice", data$label, fixed = TRUE))) paste("; on the left, by how much the choice",
      "differs, with a 95 % interval"))
  ggplot2::ggplot(data, ggplot2::aes(.data$mean, .data$row)) +
    ggplot2::geom_segment(ggplot2::aes(x = .data$mean - .data$half, xend = .data$mean + .data$half, yend = .data$row),
      linewidth = 0.8, color = color) +
    ggplot2::geom_point(size = 2.4, color = color) +
    ggplot2::scale_y_discrete(labels = stats::setNames(data$label, data$what)) +
    few_numbers(room) +
    folded_labs("Quality on other rows", said, room, x = NULL, y = NULL) +
    theme_mlsift(room$base_size)
}

# `targets`: a data frame with the columns target, chosen, all, floor and measure, of which more is better.
targets_picture <- function(targets, room) {
  most <- 40L
  shown <- utils::head(targets[order(-targets$chosen), ], most)
  kinds <- c(floor = "no features", all = "all features", chosen = "the choice")
  data <- data.frame(row = rep(-seq_len(nrow(shown)), 3L), value = unlist(shown[names(kinds)], use.names = FALSE),
    kind = factor(rep(kinds, each = nrow(shown)), rev(kinds)))
  data <- data[!is.na(data$value), ]
  said <- paste0(shown$measure[1L], " on other rows (higher is better)",
    if (nrow(shown) < nrow(targets)) paste0("; the ", most, " best of ", format_count(nrow(targets)), " targets"))
  styles <- list(color = c(accent, calm, "grey45"), shape = c(16, 1, 124))
  guide <- ggplot2::guide_legend(ncol = if (room$width < 5) 2 else 3)
  ggplot2::ggplot(data, ggplot2::aes(.data$value, .data$row, color = .data$kind, shape = .data$kind)) +
    ggplot2::geom_point(size = 2.4, stroke = 0.9) +
    ggplot2::scale_color_manual(NULL, values = styles$color, guide = guide) +
    ggplot2::scale_shape_manual(NULL, values = styles$shape, guide = guide) +
    ggplot2::scale_y_continuous(breaks = -seq_len(nrow(shown)), expand = ggplot2::expansion(add = 0.6),
      labels = fit_names(shown$target, 0.42 * room$width, room)) +
    few_numbers(room) +
    folded_labs("How well each target is predicted", said, room, x = NULL, y = NULL) +
    names_that_fit() + theme_mlsift(room$base_size) + ggplot2::theme(legend.position = "top",
      legend.justification = "left", legend.margin = ggplot2::margin(),
      legend.text = ggplot2::element_text(size = ggplot2::rel(0.8)))
}

#' Picture of one feature and its targets
#'
#' Shows how targets differ with the values of one feature, with the effect of the feature on each target and its 95 %
#' interval. All rows of the task are used, and other features play no part.
#'
#' What a panel shows depends on the feature and the target:
#'
#' * A discrete feature and a label: the share of the rows with the label for each value of the feature, and a line at
#'   the share among all rows. The effect is the odds ratio if the feature has two values, with 1/2 added to the counts.
#'   The feature is on with 1, `TRUE` or the second level of a factor.
#' * A numeric feature and a label: the values of the rows with and without the label. Boxes show quartiles, the lines
#'   end at the 5 % and 95 % quantiles, and dots are means. The effect of numbers and ordered factors is Cliff's delta:
#'   \eqn{P(x > x') - P(x < x')} for a row \eqn{x} with the label and a row \eqn{x'} without, which is 2 AUC - 1. Its
#'   interval is that of DeLong et al. (1988). For 1 and -1, where their variance is 0, it is the exact one for as many
#'   pairs of rows as the smaller side has rows, all of which agree (Clopper and Pearson 1934).
#' * Two numbers: a point for each row, of more than 2,000 rows evenly spaced ones, and the line of least squares of all
#'   rows. The effect is Spearman's correlation with the interval of Bonett and Wright (2000).
#' * A discrete feature and a numeric target: a box for each value.
#'
#' A factor of more than two levels without an order has Cramer's V as effect, and for numeric targets the root of the
#' share of the variance of ranks that lies between its levels. Neither has a sign or an interval, and with many levels
#' for the rows both are large by chance. Each category of a class target is shown as a label.
#'
#' Rows count by their [weights][row_weights]: a row of weight 3 is three rows, also for intervals. Rows in which the
#' feature is missing or the target [unknown][unknown_labels] are left out.
#'
#' @param task (`mltask`) The task.
#' @param feature (name or position) A feature of the task.
#' @param targets Names, positions or a logical vector of targets, which are shown in this order. `NULL` shows up to
#'   six: those whose intervals are farthest from 0 (from 1 for odds ratios), largest first.
#' @inheritParams plot.mlselection
#' @return A ggplot.
#' @references `r papers("Cliff1993", "DeLong1988", "BonettWright2000")`
#' @family pictures
#' @seealso [coef()][coef.mlmodel] of linear models: effects while other features stay as they are.
#' @examples
#' plot_feature(help_pages, "file", targets = c("key_file", "key_htest"))
#' @export
plot_feature <- function(task, feature, targets = NULL, base_size = 11, width = NULL) {
  check_mltask(task)
  room <- picture_room(width, base_size)
  at <- column_positions(feature, colnames(task$x), "feature", "feature")
  if (length(at) != 1L) abort(c("{.arg feature} must choose one feature.", x = "It chooses {length(at)}."))
  n_targets <- ncol(task$targets)
  if (!is.null(targets)) task <- subset_targets(task, targets)
  if (any(task$rows$weights == 0)) task <- task[task$rows$weights > 0, ]
  effects <- feature_effects(task, at)
  class <- task_kind(task) == "class"
  # Categories of one target are told apart by what follows "target = ".
  on <- if (class && ncol(task$targets) == 1L) colnames(task$targets)
  of <- if (class) counted(nrow(effects), "level") else counted(n_targets, target_word(task_kind(task)))
  if (class) n_targets <- nrow(effects)
  if (is.null(targets)) effects <- utils::head(effects[order(-effect_strength(effects)$sure), ], 6L)
  some <- if (nrow(effects) < n_targets) paste0(": ", nrow(effects), " of ", of)
  task$targets <- category_labels(task$targets)
  task <- subset_targets(task, effects$target)
  values <- shown_values(dense_column(with_values(task$x), at), task$discrete[[at]])
  rows <- panel_rows(values, task)
  if (nrow(rows) == 0L) {
    abort(c("There must be rows with a value of the feature and known targets.", x = "There are none."))
  }
  columns <- strip_columns(nrow(effects), room)
  if (!is.null(on)) effects$target <- substring(effects$target, nchar(on) + 4L)
  rows$panel <- factor(rows$panel, seq_len(nrow(effects)), panel_titles(effects, room, columns))
  label <- task_kind(task) == "label"
  parts <- if (label && is.factor(values)) share_bars(rows, room) else if (label) label_boxes(rows) else
    if (is.factor(values)) level_boxes(rows) else row_points(rows)
  name <- shorten_names(colnames(task$x)[at], room$name)
  # Numbers above bars may reach beyond a low panel.
  ggplot2::ggplot(rows) + parts$layers + ggplot2::coord_cartesian(clip = "off") +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = columns, scales = if (label) "fixed" else "free_y") +
    (if (is.factor(values)) level_axis(values, task$rows$weights, room, columns)) +
    ggplot2::labs(x = if (parts$across) name, y = if (parts$across) parts$y else name,
      title = paste(strwrap(paste0("Effects of ", name, if (!is.null(on)) paste(" on", shorten_names(on, room$name)),
        some), 0.8 * room$line), collapse = "\n"),
      subtitle = fold_title(paste(effect_meaning(effects, values), parts$words), room)) +
    theme_mlsift(room$base_size) + ggplot2::theme(panel.grid.major.x = ggplot2::element_blank()) +
    (if (is.factor(values) && !fits_across(levels(values), room, columns)) {
      ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5))
    })
}

# Discrete features as factors, others as numbers. An unordered factor of more than 12 levels keeps the most frequent
# 11, and other features of more than 12 values are numbers.
shown_values <- function(column, discrete, most = 12L) {
  if (!is.factor(column) && !is.logical(column) && !discrete) return(column)
  levels <- if (is.factor(column)) droplevels(column) else as_levels(column)
  if (nlevels(levels) <= most) return(levels)
  if (!is.factor(column) || is.ordered(column)) return(as.double(column))
  kept <- levels(levels)[order(-tabulate(levels))[seq_len(most - 1L)]]
  others <- paste(nlevels(levels) - most + 1L, "others")
  levels(levels)[!levels(levels) %in% kept] <- others
  factor(levels, c(setdiff(levels(levels), others), others))
}

# A row for each row and target that are known: panel (number of the target), x, y, weight.
panel_rows <- function(values, task) {
  y <- as.matrix(shown_targets(task$targets))
  weights <- as.double(task$rows$weights %||% rep(1, nrow(y)))
  known <- which(!is.na(y) & !is.na(values), arr.ind = TRUE)
  data.frame(panel = known[, 2L], x = values[known[, 1L]], y = as.double(y[known]), weight = weights[known[, 1L]],
    row.names = NULL)
}

# As many columns as have room for a title, in full rows.
strip_columns <- function(n, room) {
  most <- max(1, min(n, floor(room$width / 1.65)))
  ceiling(n / ceiling(n / most))
}

# The interval is on a line of its own if it does not fit beside the value.
panel_titles <- function(effects, room, columns) {
  letters <- max(12, floor(0.75 * room$line / columns))
  words <- effect_words(effects)
  if (any(nchar(words) > letters)) words <- sub(" (", "\n(", words, fixed = TRUE)
  paste0(fit_names(effects$target, (room$width - 0.9) / columns - 0.1, room, 0.91, "bold"), "\n", words)
}

# Whether names have room beside each other below each of the columns of panels.
fits_across <- function(names, room, columns) sum(pmin(nchar(names), 26L) + 2L) < 0.9 * room$line / columns

# Levels with the numbers of their rows, if these have room.
level_axis <- function(values, weights, room, columns) {
  rows <- if (is.null(weights)) tabulate(values, nlevels(values)) else
    signif(vapply(split(weights, values), sum, 0), 3L)
  rows <- paste0("(", vapply(rows, format_count, ""), ")")
  names <- short_names(levels(values))
  if (fits_across(ifelse(nchar(rows) > nchar(names), rows, names), room, columns)) names <- paste0(names, "\n", rows)
  ggplot2::scale_x_discrete(labels = stats::setNames(names, levels(values)), drop = FALSE)
}

# What the effects mean, in words.
effect_meaning <- function(effects, values) {
  on <- effects$level[1L]
  if (is.na(on)) on <- if (is.logical(values) || "TRUE" %in% levels(values)) "TRUE" else "1"
  switch(effects$effect[1L],
    "log odds ratio" = paste0("Odds ratio and 95 % interval: above 1 if the target is more frequent with ", on, "."),
    "Cliff's delta" = "Cliff's delta and 95 % interval: above 0 if rows with the target have larger values.",
    "Spearman's rho" = "Spearman's rho and 95 % interval: above 0 if large values go with large ones.",
    sub("^(.)", "\\U\\1", paste0(effects$effect[1L], ": from 0, no relation, to 1."), perl = TRUE)
  )
}

# --- what panels show: list(layers, words, across, y). `across`: whether the feature runs across ----------------------

# One row for each set of rows that agree in the columns `by`: these, and what `found(part)` gives, a list.
part_summaries <- function(rows, by, found) {
  parts <- split(rows, rows[by], drop = TRUE)
  do.call(rbind, lapply(parts, function(part) data.frame(part[1L, by, drop = FALSE], found(part))))
}

share_bars <- function(rows, room) {
  shares <- function(by) part_summaries(rows, by, \(part) list(share = sum(part$weight * part$y) / sum(part$weight)))
  bars <- shares(c("panel", "x"))
  lines <- shares("panel")
  list(across = TRUE, y = "share of rows with it", words = "Line: share among all rows.", layers = list(
    ggplot2::geom_col(ggplot2::aes(.data$x, .data$share), bars, fill = calm, width = 0.7),
    ggplot2::geom_hline(ggplot2::aes(yintercept = .data$share), lines, color = accent, linewidth = 0.5),
    if (nlevels(rows$x) <= 4L) ggplot2::geom_text(
      ggplot2::aes(.data$x, .data$share, label = paste(effect_number(100 * .data$share), "%")), bars, vjust = -0.4,
      size = 0.25 * room$base_size, color = ink),
    ggplot2::scale_y_continuous(limits = c(0, NA), expand = ggplot2::expansion(c(0, 0.14)))
  ))
}

label_boxes <- function(rows) {
  rows$group <- factor(rows$y, 0:1, c("without", "with"))
  c(list(across = FALSE), boxes(rows, rows$x))
}

level_boxes <- function(rows) {
  rows$group <- rows$x
  c(list(across = TRUE, y = NULL), boxes(rows, rows$y))
}

# Quantiles of `values` by panel and group.
boxes <- function(rows, values) {
  rows$value <- values
  found <- part_summaries(rows, c("panel", "group"), function(part) {
    limits <- weighted_quantiles(part$value, part$weight, c(0.05, 0.25, 0.5, 0.75, 0.95))
    names(limits) <- c("least", "lower", "middle", "upper", "most")
    as.list(c(limits, mean = sum(part$weight * part$value) / sum(part$weight)))
  })
  list(words = "Boxes: quartiles; lines: 5 % to 95 %; dots: means.", layers = list(
    ggplot2::geom_boxplot(ggplot2::aes(.data$group, ymin = .data$least, lower = .data$lower, middle = .data$middle,
      upper = .data$upper, ymax = .data$most, group = .data$group), found, stat = "identity", width = 0.6, color = calm,
    fill = "white"),
    ggplot2::geom_point(ggplot2::aes(.data$group, .data$mean), found, color = accent, size = 1.8)
  ))
}

# The least value up to which at least a share p of the weight lies: quantile(type = 1) of copies of rows.
weighted_quantiles <- function(values, weights, p) {
  order <- order(values)
  below <- cumsum(weights[order]) / sum(weights)
  values[order][pmin(findInterval(p - 1e-12, below, left.open = TRUE) + 1L, length(values))]
}

row_points <- function(rows, most = 2000L) {
  lines <- part_summaries(rows, "panel", function(part) {
    fit <- stats::lm.wfit(cbind(1, part$x), part$y, part$weight)$coefficients
    x <- range(part$x)
    y <- fit[1L] + fit[2L] * x
    list(x = x[1L], xend = x[2L], y = y[1L], yend = y[2L])
  })
  every <- ceiling(max(tabulate(rows$panel)) / most)
  drawn <- stats::ave(seq_along(rows$x), rows$panel, FUN = \(at) seq_along(at) %% every) == (every > 1)
  list(across = TRUE, y = NULL, words = "Line: least squares.", layers = list(
    ggplot2::geom_point(ggplot2::aes(.data$x, .data$y), rows[drawn, ], color = calm, alpha = 0.4, size = 1.6,
      stroke = 0),
    ggplot2::geom_segment(ggplot2::aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), lines, color = accent,
      linewidth = 0.6, na.rm = TRUE)
  ))
}

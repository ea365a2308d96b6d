# Pictures and words of the effects that feature_effects() computes.

# A map of features (rows) and targets (columns). `effects`: as feature_effects() gives them; the first `n` features
# are shown, in their order, and as many targets as fit, those with the largest effects.
effects_picture <- function(effects, room, n = 25) {
  features <- unique(effects$feature)
  targets <- unique(effects$target)
  shown <- utils::head(features, n)
  data <- effects[effects$feature %in% shown, ]
  most <- min(30L, max(1L, floor(0.6 * 72 * room$width / room$base_size)))
  at <- order(tapply(effect_strength(data)$sure, factor(data$target, targets), max), decreasing = TRUE)
  columns <- targets[sort(utils::head(at, most))]
  data <- data[data$target %in% columns, ]
  data$row <- factor(data$feature, rev(shown))
  data$column <- factor(data$target, columns)
  data$side <- ifelse(effect_strength(data)$excludes, 0.94, 0.42)
  signed <- !data$effect %in% unsigned_effects
  scale <- effect_scale(data[signed, ])
  data$fill <- scale$of(data)
  known <- !is.na(data$value)
  numbers <- data[known & !signed, ]
  tile <- function(part, ...) {
    ggplot2::geom_tile(ggplot2::aes(width = .data$side, height = .data$side, ...), part)
  }
  column_names <- shorten_names(columns, 22L)
  row_names <- shorten_names(shown, room$name)
  letters <- 72 * room$width / (0.4 * room$base_size) - max(nchar(row_names))
  upright <- length(columns) * (max(nchar(column_names)) + 2) > letters
  ggplot2::ggplot(data, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_blank() +
    tile(data[known & signed, ], fill = .data$fill) +
    ggplot2::geom_text(ggplot2::aes(label = sprintf("%.2f", .data$value)), numbers, color = ink,
      size = 0.2 * room$base_size) +
    scale$scale +
    ggplot2::scale_x_discrete(labels = column_names, drop = FALSE, expand = ggplot2::expansion(add = 0.55)) +
    ggplot2::scale_y_discrete(labels = rev(row_names), drop = FALSE, expand = ggplot2::expansion(add = 0.55)) +
    ggplot2::labs(x = NULL, y = NULL, title = "Effects of single features",
      subtitle = fold_title(effects_subtitle(features, shown, targets, columns, numbers), room)) +
    names_that_fit() + theme_mlsift(room$base_size) + ggplot2::theme(
      panel.grid = ggplot2::element_blank(), panel.grid.major = ggplot2::element_blank(),
      panel.background = ggplot2::element_rect(fill = "grey97", color = NA),
      axis.text = ggplot2::element_text(color = ink),
      axis.text.x = if (upright) ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5),
      legend.position = "bottom", legend.title = ggplot2::element_text(size = 0.86 * room$base_size),
      legend.key.width = grid::unit(min(0.6, 0.1 * room$width), "in"), legend.key.height = grid::unit(0.12, "in")
    )
}

unsigned_effects <- c("Cramer's V", "rank correlation ratio")

# Log odds ratios beside other effects are shown as Yule's Q = (odds ratio - 1) / (odds ratio + 1), which is, as they
# are, between -1 and 1 and a difference of probabilities of pairs.
bounded_effect <- function(value, effect) ifelse(effect == "log odds ratio", tanh(value / 2), value)

# sure: the distance from 0 of the nearest limit, or of the value if the effect never has limits; 0 if it is not known.
# excludes: whether 0 is not in the interval.
effect_strength <- function(effects) {
  of <- function(values) bounded_effect(values, effects$effect)
  unsigned <- effects$effect %in% unsigned_effects
  excludes <- !is.na(effects$low) & (effects$low > 0 | effects$high < 0)
  sure <- ifelse(unsigned, effects$value, ifelse(excludes, pmin(abs(of(effects$low)), abs(of(effects$high))), 0))
  sure[is.na(sure)] <- 0
  # Of equal ones, the larger value.
  list(sure = sure + 1e-6 * ifelse(is.na(effects$value), 0, abs(of(effects$value))), excludes = excludes)
}

# list(of, scale): how an effect becomes a number, and the scale of colors of these numbers.
effect_scale <- function(effects) {
  effect <- unique(effects$effect)
  odds <- identical(effect, "log odds ratio")
  of <- function(data) if (odds) data$value else bounded_effect(data$value, data$effect)
  reach <- max(abs(of(effects)), if (odds) log(2) else 0.1, na.rm = TRUE)
  title <- if (length(effect) == 1L) sub("^log ", "", effect) else
    "Cliff's delta, and Yule's Q of odds ratios"
  powers <- 2^pretty(c(-1, 1) * reach / log(2), 6L)
  list(of = of, scale = ggplot2::scale_fill_gradient2(
    title, low = accent, mid = "grey92", high = calm, limits = c(-1, 1) * reach,
    breaks = if (odds) log(powers) else ggplot2::waiver(),
    labels = if (odds) ifelse(powers < 1, paste0("1/", round(1 / powers, 1L)), round(powers, 1L)) else
      ggplot2::waiver(),
    guide = ggplot2::guide_colorbar(title.position = "top", title.hjust = 0.5)))
}

effects_subtitle <- function(features, shown, targets, columns, numbers) {
  part <- function(n, all, word, why) {
    if (n < all) paste0(format_count(n), " of ", counted(all, word), why) else counted(all, word)
  }
  paste0(part(length(shown), length(features), "feature", ""), ", ",
    part(length(columns), length(targets), "target", " (the largest effects)"),
    ". Small tiles: 0 is in the 95 % interval.",
    if (nrow(numbers) > 0L) paste0(" Numbers: ", numbers$effect[1L], ", which has no sign."))
}

# Two digits of numbers that may be of any size, and two decimals of those between -1 and 1.
effect_number <- function(x) vapply(x, function(one) format(signif(one, 2L), scientific = FALSE), "")

# The label of each effect in a picture: "odds ratio 2.3 (1.5 to 3.4)".
effect_words <- function(effects) {
  odds <- effects$effect == "log odds ratio"
  number <- function(values) ifelse(odds, effect_number(exp(values)), sprintf("%.2f", values))
  limits <- ifelse(is.na(effects$low), "", paste0(" (", number(effects$low), " to ", number(effects$high), ")"))
  ifelse(is.na(effects$value), "does not vary",
    paste0(sub("^log ", "", effects$effect), " ", number(effects$value), limits))
}

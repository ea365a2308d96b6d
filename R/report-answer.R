# The sections of write_report() for an answer, each a string of HTML.

answer_headline <- function(x) {
  escape_html(paste0(
    answer_size(x), ". ",
    "Chosen in ", format(x$seconds, digits = 3), " seconds. Written ", format(Sys.time(), "%Y-%m-%d %H:%M"), "."
  ))
}

answer_sections <- function(x) {
  list(
    Summary = paste0(vapply(summary(x), function(text) paragraph(text, class = "finding"), ""), collapse = "\n"),
    "Quality on other rows" = answer_quality(x), "Targets one by one" = answer_targets(x),
    Features = answer_features(x),
    "Effects of single features" = answer_effects(x),
    "Redundancy of the chosen features" = answer_redundancy(x), "The choice" = answer_choice(x),
    Data = answer_data(x), "To repeat it" = answer_code(x), Session = session_table(x$session)
  )
}

answer_features <- function(x) {
  shown <- as.data.frame(tidy(x))
  names(shown) <- c("feature", "rank", "score", "share", "stand-ins", "serves")
  shown$chance <- x$features$chance
  shown <- shown[intersect(c("feature", "rank", "score", "share", "chance", "stand-ins", "serves"), names(shown))]
  shown[shown == ""] <- NA
  if (ncol(x$task$targets) == 1L) shown$serves <- NULL
  shown <- shown[vapply(shown, function(column) !all(is.na(column)), NA)]
  paste0(
    html_picture(function(width) autoplot.mlsift(x, "features", width = width), 9,
      function(room) (8 + 1.6 * min(25, nrow(shown))) * room$base_size / 72, "Chosen features"),
    html_table(shown, text = c("stand-ins", "serves"), digits = 3),
    paragraph("Share: of the outer splits in which the feature was chosen. ",
      if (!is.null(shown$chance)) "Chance: that share if features were chosen at random. ",
      if (swaps(x)) "Stand-ins were not chosen; in the place of the feature, they make the inner value hardly worse. "
      else "Stand-ins have nearly the same information and were not chosen. ",
      "Serves: the targets with the largest mutual information with the feature.", class = "soft")
  )
}

answer_effects <- function(x) {
  if (NROW(x$effects) == 0L) return(NULL)
  sure <- effect_strength(x$effects)$sure
  shown <- utils::head(x$effects[order(-sure), ], 30L)
  shown$kind <- NULL
  shown <- shown[vapply(shown, function(column) !all(is.na(column)), NA)]
  rows <- min(25, length(unique(x$effects$feature)))
  paste0(
    html_picture(function(width) autoplot.mlsift(x, "effects", width = width), 9,
      function(room) (18 + 1.6 * rows) * room$base_size / 72, "Effects of features on targets"),
    html_table(shown, paste0("The ", counted(nrow(shown), "effect"), " that are the clearest"), digits = 2),
    paragraph("Of each feature alone, in all rows, with a 95 % interval; other features play no part. The order is ",
      "that of the limit nearest to 0. ",
      if (!is.null(shown$on)) "On and off: the shares of rows with the label where the feature is on, and off. ",
      if (!is.null(shown$level)) "Level: the one that is on, or where the target is largest. ",
      if (any(is.na(shown$low))) "Effects without an interval are large by chance where levels are many.",
      class = "soft")
  )
}

answer_quality <- function(x) {
  if (nrow(x$quality) == 0L) return(paragraph("The quality was not estimated."))
  shown <- told_quality(x)
  shown$what <- c(chosen = "the choice", all = "all features", random = "random features",
    floor = "no features")[shown$what]
  titles <- c(se = "standard error", k = "features", p_value = "p of the difference", as_good = "draws as good")
  known <- names(shown) %in% names(titles)
  names(shown)[known] <- titles[names(shown)[known]]
  compared <- "difference" %in% names(shown)
  stable <- if (!is.null(x$stability) && !is.na(x$stability)) paste0(
    " Stability of the chosen sets over the splits: ", format(x$stability, digits = 2),
    ", where 1 is the same set and 0 what chance gives (Nogueira, Sechidis and Brown 2018)."
  )
  paste0(
    if (has_quality(x)) html_picture(function(width) autoplot.mlsift(x, "quality", width = width), 8, function(room) {
      (9 + 5 * max(quality_rows(x, room)$lines)) * room$base_size / 72
    }, "Quality on other rows"),
    html_table(shown, digits = 3),
    paragraph(answer_measure(x), ". ",
      describe_resampling(x$setup$outer, task_kind(x$task)), "; the choice was made anew on the training rows of each ",
      "split. Standard errors and p-values are corrected for splits that share rows (Nadeau and Bengio 2003).",
      if (compared) paste(" Difference: the choice minus what the row has, with the limits low and high of its 95 %",
        "interval."), stable,
      class = "soft")
  )
}

# What the choice is worth for each target.
answer_targets <- function(x) {
  if (NROW(x$targets) < 2L) return(NULL)
  shown <- x$targets
  measure <- shown$measure[1L]
  shown$measure <- NULL
  names(shown) <- c(target = "target", chosen = "the choice", all = "all features", floor = "no features")[names(shown)]
  paste0(
    html_picture(function(width) autoplot.mlsift(x, "targets", width = width), 9,
      function(room) (11 + 1.6 * min(40, nrow(shown))) * room$base_size / 72, "Values of each target"),
    html_table(shown, digits = 3), paragraph(measure, " of each target, on the test rows of the outer splits.",
      class = "soft")
  )
}

# The pairs of chosen features that share most information.
answer_redundancy <- function(x) {
  s <- x$similarity
  if (nrow(s) < 2L) return(NULL)
  pairs <- which(upper.tri(s), arr.ind = TRUE)
  pairs <- utils::head(pairs[order(-s[pairs]), , drop = FALSE], 20L)
  shown <- data.frame(feature = rownames(s)[pairs[, 1L]], other = rownames(s)[pairs[, 2L]], similarity = s[pairs])
  paste0(html_table(shown, digits = 2), paragraph("The most similar pairs. Similarity is the symmetrical uncertainty: ",
    "1 where each of the two determines the other, 0 where they share no information.", class = "soft"))
}

answer_choice <- function(x) {
  tried <- x$tuning$candidates
  names(tried)[names(tried) == "n_splits"] <- "splits"
  if (all(is.na(tried$reason))) tried$reason <- NULL
  paste0(
    html_picture(function(width) {
      if (width < 6) choice_picture(x, picture_room(width, 11), 11) else autoplot.mltuning(x$tuning, width = width)
    }, 9, function(room) if (room$width < 6) 3.6 else 4.5, "Means of the candidates by number of features"),
    html_table(tried, text = "reason", digits = 2), answer_fewest(x),
    html_table(x$tuning$curve, "Means over the inner splits", digits = 4)
  )
}

# The smallest set within the tolerance.
answer_fewest <- function(x) {
  if (NROW(x$fewest) == 0L) return(NULL)
  shown <- x$fewest
  if (is.list(shown$features)) shown$features <- vapply(shown$features, paste, "", collapse = ", ")
  shown <- shown[c(setdiff(names(shown), "features"), "features")]
  html_table(shown, "The fewest features within the tolerance of the best", text = "features", digits = 3)
}

answer_data <- function(x) {
  facts <- summary(x$task)
  names(facts) <- gsub("_", " ", sub("^n_", "", names(facts)))
  facts <- facts[vapply(facts, \(column) !all(is.na(column)), NA)]
  paste0(html_table(facts, digits = 3), if (nrow(x$left_out) > 0L) html_table(x$left_out, "Left out"))
}

answer_code <- function(x) {
  paste0(code_block(as_code(x)), paragraph("All random choices of this answer derive from one number, ",
    format(x$number, digits = 15), ", drawn from R's generator when sift() began: with the same state of the ",
    "generator, set by set.seed(), the same call gives the same numbers. The code above sets the state that each of ",
    "its calls had.",
    class = "soft"))
}

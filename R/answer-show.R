# Shows an answer in words, as text, as a page, and as data frames.

# "average precision of ML-kNN"
answer_measure <- function(x) paste(tolower_first(measure_title(x$tuning$measure)), "of", x$tuning$learner)

# Titles that begin with a word in capitals, such as AUC, are not changed.
tolower_first <- function(text) {
  if (grepl("^.[A-Z]", text)) text else paste0(tolower(substr(text, 1L, 1L)), substring(text, 2L))
}

quality_of <- function(x, what, field = "mean") {
  value <- x$quality[[field]][x$quality$what == what]
  if (length(value) == 0L) NA_real_ else value
}

# How much better the chosen features are than something else, as a sign: 1 better, -1 worse, 0 no difference found.
compared_with <- function(x, what) {
  difference <- quality_of(x, "chosen") - quality_of(x, what)
  p <- quality_of(x, what, "p_value")
  if (is.na(difference) || is.na(p) || p >= 0.05) return(0)
  if (x$tuning$direction == "maximize") sign(difference) else -sign(difference)
}

p_words <- function(p) {
  if (is.na(p)) "p not known" else if (p < 0.001) "p < 0.001" else paste("p =", format(p, digits = 2))
}

# "60 rows, 8 features, 3 targets"
answer_size <- function(x) {
  task <- x$task
  paste(counted(nrow(task$x), "row"), counted(ncol(task$x), "feature"), counted(ncol(task$targets), "target"),
    sep = ", ")
}

#' @export
summary.mlsift <- function(object, ...) {
  refuse_dots(...)
  x <- object
  c(choice_sentence(x), quality_sentences(x), rows_sentence(x), features_sentence(x), check_sentence(x),
    left_sentences(x))
}

choice_sentence <- function(x) {
  k <- nrow(x$selection)
  tried <- sum(x$tuning$candidates$n_splits > 0L)
  paste0(
    x$tuning$name, " with ", format_count(k), " of ", counted(ncol(x$task$x), "feature"), " was chosen, by the ",
    answer_measure(x), if (tried > 1L) paste0(", from ", tried, " selectors") else "",
    if (length(unique(x$tuning$curve$k)) > 1L) {
      paste0(if (tried > 1L) " and " else ", from ", length(unique(x$tuning$curve$k)), " numbers of features")
    }, "."
  )
}

quality_sentences <- function(x) {
  side <- better_side(x$tuning$direction)
  number <- function(value) format(value, digits = 3)
  if (nrow(x$quality) == 0L) {
    return(paste0("Its value of ", number(chosen_point(x$tuning)$mean), " (", side, ") is the best of many and so ",
      "looks better than it is; the quality was not estimated."))
  }
  if (is.na(quality_of(x, "chosen"))) {
    return("The quality could not be estimated on every split, see failures(x$benchmark).")
  }
  others <- c(all = "with all features", random = paste("with", counted(x$tuning$k, "random feature")),
    floor = "where the most frequent is always predicted")
  if (task_kind(x$task) == "numeric") others[["floor"]] <- "where the mean is always predicted"
  others <- others[!is.na(x$quality$mean[match(names(others), x$quality$what)])]
  said <- paste(vapply(names(others), function(what) paste(number(quality_of(x, what)), others[[what]]), ""),
    collapse = ", and ")
  said <- sub(", and (.*), and ", ", \\1, and ", said)
  value <- paste0(
    "On rows that played no part in the choice, it reaches ", number(quality_of(x, "chosen")),
    if (!is.na(quality_of(x, "chosen", "se"))) paste0(" \u00b1 ", format(quality_of(x, "chosen", "se"), digits = 2)),
    " (", side, "), against ", said, "."
  )
  c(value, verdict_sentence(x))
}

# How rows that belong together, or follow each other in time, were parted.
rows_sentence <- function(x) {
  rows <- x$task$rows
  resampling <- if (nrow(x$quality) > 0L) x$setup$outer else x$setup$choice$resampling
  params <- resampling$params
  if (resampling$method == "forward") {
    return(paste0("Tested on later rows than those to learn from", if (!is.null(rows$group)) ", in other groups", "."))
  }
  group <- params$group %||% group_numbers(rows)
  if (is.null(group) || isFALSE(group) && is.null(rows$group)) return(NULL)
  splits <- switch(resampling$method, fixed = list(params), custom = params$splits)
  both <- vapply(splits, function(split) any(group[split$train] %in% group[split$test]), NA)
  if (isFALSE(group) || any(both)) return("Rows of the same group were learned from and tested on.")
  paste0("Rows of a group stayed together: ", describe_groups(group), ".")
}

# Whether the chosen features are useful.
verdict_sentence <- function(x) {
  floor <- compared_with(x, "floor")
  random <- compared_with(x, "random")
  all <- compared_with(x, "all")
  if (floor <= 0) {
    return(paste0("There is nothing here that this learner can use, or too few rows to show it: the chosen features ",
      "do not predict better than no features at all (", p_words(quality_of(x, "floor", "p_value")), ")."))
  }
  outcome <- c("random features" = random, "all features" = all)
  p <- vapply(c("random", "all"), function(what) p_words(quality_of(x, what, "p_value")), "")
  known <- !is.na(c(quality_of(x, "random"), quality_of(x, "all")))
  said <- function(sign, words, join = " and ") {
    at <- known & outcome == sign
    if (any(at)) paste(words, paste0(names(outcome)[at], " (", p[at], ")", collapse = join))
  }
  parts <- c(said(1, "better than"), said(-1, "worse than"))
  parts <- c(if (length(parts) > 0L) paste("the choice is", paste(parts, collapse = ", but ")),
    said(0, "no difference shows from", " or "))
  if (length(parts) > 0L) paste0("By these splits, ", paste(parts, collapse = "; "), ".")
}

features_sentence <- function(x) {
  features <- x$features
  n <- nrow(features)
  stand <- sum(lengths(features$stand_ins) > 0L)
  share <- features$share
  text <- c(
    if (!anyNA(share)) paste0(format_count(sum(share >= 1 - 1e-9)), " of the ", counted(n, "feature"),
      if (n == 1L) " was" else " were", " chosen in every outer split",
      if (isTRUE(x$stability > -Inf)) paste0(" (stability ", format(x$stability, digits = 2), " of 1)")),
    if (stand > 0L) paste0(format_count(stand), if (stand == 1L) " has" else " have",
      " stand-ins, which say nearly the same")
  )
  if (length(text) > 0L) paste0(paste(text, collapse = "; "), ".")
}

check_sentence <- function(x) {
  if (is.null(x$check)) return(NULL)
  n <- length(x$check$permuted)
  reached <- round(x$check$p_value * (1 + n)) - 1
  paste0("With permuted targets, the same choice reached the inner value in ", reached, " of ", n, " trials (",
    p_words(x$check$p_value), ").")
}

left_sentences <- function(x) {
  named <- function(status) candidates_of(x$tuning$candidates, status)
  kinds <- c(id = "identify rows", constant = "are constant", target_copy = "are copies of a target")
  found <- split(x$left_out$feature, x$left_out$problem)
  dropped <- vapply(intersect(names(kinds), names(found)), function(problem) {
    some <- utils::head(unique(found[[problem]]), 3L)
    more <- length(unique(found[[problem]])) - length(some)
    paste0(kinds[[problem]], " (", paste(some, collapse = ", "), if (more > 0L) paste(" and", more, "more"), ")")
  }, "")
  list_of <- function(words, names) if (length(names) > 0L) paste0(words, paste(names, collapse = ", "), ".")
  c(
    if (length(dropped) > 0L) paste0("Left out: features that ", paste(dropped, collapse = "; or "), "."),
    list_of("There was no time to try ", named("not tried")), list_of("Failed: ", named("failed")),
    list_of("Not for this task: ", named("left out")), x$notes
  )
}

#' @export
print.mlsift <- function(x, n = 6L, ...) {
  refuse_dots(...)
  n <- check_count(n, min = 0)
  width <- min(80L, getOption("width"))
  said <- summary(x)
  lines <- c(paste0("<mlsift> ", if (!is.null(x$task$name)) paste0(x$task$name, ": "), answer_size(x)), said)
  lines <- unlist(lapply(lines, strwrap, width = width, exdent = 2L))
  shown <- utils::head(x$features, n)
  table <- data.frame(rank = shown$rank, feature = shorten_names(shown$feature, 28))
  if (all(is.na(table$rank))) table$rank <- NULL
  if (!anyNA(shown$share)) table$share <- format(round(shown$share, 2))
  few <- function(list, letters) {
    text <- vapply(list, function(names) {
      paste0(paste(shorten_names(utils::head(names, 1L), letters - 5), collapse = ""),
        if (length(names) > 1L) paste0(" +", length(names) - 1L))
    }, "")
    ifelse(nzchar(text), text, "-")
  }
  table[["stand-in"]] <- few(shown$stand_ins, 22)
  if (ncol(x$task$targets) > 1L) table$serves <- few(shown$serves, 18)
  rows <- if (nrow(table) > 0L) utils::capture.output(print(table, row.names = FALSE, right = FALSE))
  rows <- substr(rows, 1L, width)
  more <- nrow(x$features) - nrow(shown)
  foot <- paste0("# ", if (more > 0L) paste0(format_count(more), " more features; "),
    "plot(x), summary(x), write_report(x, file), as_code(x)")
  # At most 25 lines: words are dropped to make room for the table.
  room <- 25L - length(rows) - 2L
  if (length(lines) > room) lines <- c(utils::head(lines, room - 1L), "# more in summary(x)")
  cat(lines, "", rows, strwrap(foot, width = width, exdent = 2L)[1L], sep = "\n")
  invisible(x)
}

#' @rdname tidy_results
#' @export
tidy.mlsift <- function(x, ...) {
  refuse_dots(...)
  data.frame(term = x$features$feature, rank = x$features$rank, estimate = x$features$score, share = x$features$share,
    stand_ins = vapply(x$features$stand_ins, paste, "", collapse = ", "),
    serves = vapply(x$features$serves, paste, "", collapse = ", "))
}

#' @rdname tidy_results
#' @export
glance.mlsift <- function(x, ...) {
  refuse_dots(...)
  data.frame(
    selector = x$tuning$name, k = nrow(x$selection), n_features = ncol(x$task$x), measure = x$tuning$measure,
    learner = x$tuning$learner, mean = quality_of(x, "chosen"), se = quality_of(x, "chosen", "se"),
    all = quality_of(x, "all"), random = quality_of(x, "random"), floor = quality_of(x, "floor"),
    stability = x$stability %||% NA_real_, seconds = x$seconds
  )
}

# --- code -------------------------------------------------------------------------------------------------------------

#' The code of a result
#'
#' The calls that repeat the steps of a result, as R code.
#'
#' The code of [sift()] leaves out the features that misled, chooses again, selects and estimates. With the seed that
#' was set before [sift()] the whole call repeats to the last bit; the single steps draw other random splits. The tasks
#' themselves are not in the code.
#'
#' @param x An answer from [sift()], or a benchmark from [benchmark_selectors()].
#' @return A character vector with one line of code for each element.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(simulate_mltask(80, n_features = 8, n_targets = 2), estimate = FALSE)
#' writeLines(as_code(answer))
#' @export
as_code <- function(x) {
  if (inherits(x, "mlbenchmark")) {
    code <- attr(x, "protocol", exact = TRUE)$call
    if (is.null(code)) abort("{.arg x} must hold the code that made it; this benchmark does not.")
    return(strsplit(code, "\n", fixed = TRUE)[[1L]])
  }
  check_class(x, "mlsift", "Make one with {.fn sift}, or a benchmark with {.fn benchmark_selectors}.")
  params <- x$setup$choice
  options <- x$setup$options
  call <- function(name, ...) call_code(name, list(...))
  selectors <- if (x$setup$default_selectors) "default_selectors(task)" else
    code_list(names(params$selectors), params$selectors)
  measure <- value_code(params$measure)
  cut <- given_code(params$learner_discretizer)
  bins <- given_code(options$target_bins)
  impute <- if (!is.null(options$impute)) "impute_mean()"
  own <- identical(params$resampling, own_resampling(NULL, x$task, rs_cv(5)))
  best <- if (nrow(x$quality) > 0L) paste0("list(chosen = sel_best(selectors, learner, ", measure, ", ",
    value_code(params$k), if (!own) paste0(", ", spec_code(params$resampling)),
    if (!is.null(cut)) paste0(", learner_discretizer = ", cut), "), all = sel_none())")
  code <- c(
    "library(mlsift)",
    if (nrow(x$left_out) > 0L) paste0("task <- drop_features(task, ", value_code(misleading), ")"),
    paste("selectors <-", selectors), paste("learner <-", spec_code(params$learner)),
    "", "# The choice",
    paste("tuning <-", call("tune_selection", "task", "selectors", "learner", measure, k = value_code(params$k),
      resampling = spec_code(params$resampling), target_bins = bins, impute = impute, learner_discretizer = cut)),
    "", "# What it chose",
    paste("selection <-", call("sift_features", "task", spec_code(x$tuning$selector), x$tuning$k, impute = impute,
      target_bins = if (bins_targets(x$tuning$selector, options$target_bins)) bins)),
    "smaller <- subset_features(task, selection)",
    if (!is.null(best)) c("", "# What the choice is worth on other rows",
      paste("bench <-", call("benchmark_selectors", "list(task = task)", best, "list(learner = learner)",
        spec_code(x$setup$outer), k = max(params$k), measures = measure, impute = impute, target_bins = bins,
        learner_discretizer = cut)))
  )
  unlist(strsplit(code, "\n", fixed = TRUE) |> lapply(function(lines) if (length(lines) == 0L) "" else lines))
}

# --- pictures ---------------------------------------------------------------------------------------------------------

#' Picture of an answer
#'
#' `plot()` draws one page: the finding in words, the chosen features with the share of outer splits in which each was
#' chosen (or their scores, without an estimate) and their stand-ins, the quality beside that of all features, random
#' features and the floor, and the curves that the choice was made from. `autoplot()` gives one of the three pictures.
#'
#' @param x,object An answer from [sift()].
#' @param part Which picture.
#' @inheritParams plot.mlselection
#' @param ... Arguments for `autoplot()`, but for `part`. Others give an error.
#' @return `plot()` returns `x` invisibly, `autoplot()` a ggplot.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(simulate_mltask(80, n_features = 8, n_targets = 2))
#' plot(answer)
#' @export
plot.mlsift <- function(x, width = NULL, ...) {
  refuse_dots(..., allowed = c("n", "base_size"))
  width <- device_width(width)
  half <- width / 2
  parts <- if (nrow(x$quality) > 0L) c("features", "quality", "choice") else c("features", "choice")
  pictures <- lapply(stats::setNames(nm = parts), function(part) {
    autoplot.mlsift(x, part, width = half, ...) +
      ggplot2::theme(plot.title.position = "plot", legend.position = if (part == "choice") "bottom" else "none")
  })
  pictures$choice <- pictures$choice + ggplot2::labs(y = NULL, title = "Choice of selector and number",
    subtitle = paste(measure_title(x$tuning$measure), "on the inner splits"))
  grid::grid.newpage()
  room <- picture_room(width, 11)
  points <- function(n) grid::unit(n * room$base_size, "points")
  words <- strwrap(paste(utils::head(summary(x), 4L), collapse = " "), 1.05 * room$line)
  layout <- grid::grid.layout(3L, 2L,
    heights = grid::unit.c(points(3.2 + 1.15 * length(words)), grid::unit(c(1, 1.3), "null")))
  grid::pushViewport(grid::viewport(layout = layout))
  on.exit(grid::popViewport())
  place <- function(rows, columns) grid::viewport(layout.pos.row = rows, layout.pos.col = columns)
  write <- function(text, down, ...) {
    grid::grid.text(text, points(0.6), grid::unit(1, "npc") - points(down), c("left", "top"),
      gp = grid::gpar(col = ink, ...))
  }
  grid::pushViewport(place(1L, 1:2))
  write(answer_title(x), 0.8, fontsize = 1.25 * room$base_size, fontface = "bold")
  write(paste(words, collapse = "\n"), 2.6, fontsize = 0.86 * room$base_size, lineheight = 1.15)
  grid::popViewport()
  print(pictures$features, vp = place(2:3, 1L))
  if ("quality" %in% parts) print(pictures$quality, vp = place(2L, 2L))
  print(pictures$choice, vp = place(if ("quality" %in% parts) 3L else 2:3, 2L))
  invisible(x)
}

#' @rdname plot.mlsift
#' @export
autoplot.mlsift <- function(object, part = c("features", "quality", "choice"), n = 25, base_size = 11, width = NULL,
                            ...) {
  refuse_dots(...)
  part <- check_choice(part)
  n <- check_count(n)
  room <- picture_room(width, base_size)
  if (part == "choice") return(autoplot.mltuning(object$tuning, base_size, width))
  if (part == "features") return(features_picture(object, n, room))
  if (nrow(object$quality) == 0L) abort(c("{.code part = \"quality\"} needs an estimate.",
    i = "Call {.fn sift} with {.code estimate = TRUE}."))
  quality_picture(object, room)
}

answer_title <- function(x) {
  n <- counted(nrow(x$selection), "feature")
  paste0(x$task$name %||% "The answer", ": ", n, " of ", format_count(ncol(x$task$x)))
}

features_picture <- function(x, n, room) {
  shown <- utils::head(x$features, n)
  shares <- !anyNA(shown$share)
  data <- data.frame(row = -seq_len(nrow(shown)), value = if (shares) shown$share else shown$score)
  data$value[is.na(data$value)] <- 0
  data$note <- vapply(shown$stand_ins, function(names) {
    if (length(names) == 0L) return("")
    paste0("or ", shorten_names(names[1L], room$name), if (length(names) > 1L) paste0(", +", length(names) - 1L))
  }, "")
  reach <- max(data$value, 1e-12)
  ggplot2::ggplot(data, ggplot2::aes(.data$value, .data$row)) +
    ggplot2::geom_segment(ggplot2::aes(xend = 0, yend = .data$row), color = calm, linewidth = 0.8) +
    ggplot2::geom_point(color = calm, size = 1.9) +
    ggplot2::geom_text(ggplot2::aes(label = .data$note), data[nzchar(data$note), ], x = 1.04 * reach, hjust = 0,
      size = 0.24 * room$base_size, color = "grey45") +
    ggplot2::scale_y_continuous(breaks = data$row, labels = shorten_names(shown$feature, room$name),
      expand = ggplot2::expansion(add = 0.6)) +
    ggplot2::scale_x_continuous(limits = c(min(0, data$value), if (any(nzchar(data$note))) 1.9 * reach else reach),
      breaks = if (shares) c(0, 0.5, 1) else ggplot2::waiver()) +
    ggplot2::labs(x = if (shares) "share of the outer splits" else "score", y = NULL,
      title = fold_title(paste0("Features, best first", if (nrow(x$features) > nrow(shown))
        paste0(" (", nrow(shown), " of ", nrow(x$features), ")")), room),
      subtitle = if (any(nzchar(data$note))) "Beside them what says nearly the same") +
    theme_mlsift(room$base_size) + ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

quality_picture <- function(x, room) {
  names <- c(chosen = paste0("the choice (", format(quality_of(x, "chosen", "k"), digits = 3), ")"),
    all = paste0("all features (", ncol(x$task$x), ")"), random = paste0("random features (", x$tuning$k, ")"),
    floor = "no features")
  data <- x$quality[!is.na(x$quality$mean), ]
  data$label <- factor(names[data$what], rev(names))
  data$half <- ifelse(is.na(data$se), 0, data$se)
  ggplot2::ggplot(data, ggplot2::aes(.data$mean, .data$label)) +
    ggplot2::geom_segment(ggplot2::aes(x = .data$mean - .data$half, xend = .data$mean + .data$half,
      yend = .data$label), linewidth = 0.8, color = ifelse(data$what == "chosen", accent, calm)) +
    ggplot2::geom_point(size = 2.4, color = ifelse(data$what == "chosen", accent, calm)) +
    ggplot2::labs(x = paste0(measure_title(x$tuning$measure), " (", better_side(x$tuning$direction), ")"), y = NULL,
      title = "Quality on other rows", subtitle = fold_title("Mean and standard error over the outer splits", room)) +
    theme_mlsift(room$base_size)
}

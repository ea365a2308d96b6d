#' Scores of features for each target
#'
#' Runs a selector for each target alone. The result shows which features matter for which targets, where
#' [sift_features()] gives one ranking for all.
#'
#' @param task (`mltask`) The data.
#' @param selector (`mlselector`) A selector that scores every feature, such as [sel_mim()].
#' @param discretizer,target_bins,threads As in [sift_features()].
#' @return A matrix features x targets of class `mllabelscores`, with names; larger scores are better. For a
#'   target for which nothing can be ranked, because it is the same in all rows, they are `NA`, and a message names it.
#'   `plot()` draws a heat map of the
#'   features with the largest scores.
#' @family selection
#' @examples
#' tests <- subset_targets(help_pages, c("key_htest", "key_file", "key_ts"))
#' scores <- label_scores(tests, sel_mim())
#' round(scores[c("file", "series", "test", "value"), ], 3)
#' plot(scores, n = 10)
#' @export
label_scores <- function(task, selector, discretizer = disc_auto(), target_bins = NULL, threads = NULL) {
  check_mltask(task)
  check_scoring_selector(selector)
  check_information(task, selector_method(selector))
  names <- target_names(task)
  scores <- scores_by_target(task, selector, discretizer, target_bins, threads)
  if (is.null(scores)) {
    score <- scorer(task, selector, discretizer, target_bins, threads)
    none <- rep(NA_real_, ncol(task$x))
    scores <- unlist(lapply(names, \(name) if_informative(score(subset_targets(task, name))) %||% none))
  }
  scores <- matrix(scores, ncol(task$x), dimnames = list(colnames(task$x), names))
  tell_constant("target", names, which(colSums(!is.na(scores)) == 0L), "has no scores", "have no scores")
  structure(scores, class = c("mllabelscores", class(scores)), selector = selector$name, unit = score_words(selector),
    task_name = task$name)
}

# The scores for each target from a single count of all targets, if scores are sums over targets. NULL otherwise, and if
# the discretization of features depends on the targets.
scores_by_target <- function(task, selector, discretizer, target_bins, threads) {
  method <- selector_method(selector)
  if (is.null(method$by_target)) return(NULL)
  if (!is.null(discretizer)) check_discretizer(discretizer)
  if (!is.null(discretizer) && discretizer_method(discretizer)$supervised && !is_fitted(discretizer)) return(NULL)
  rows <- prepared_rows(task, discretizer)
  if (nrow(task$x) < 2L) return(NULL)
  input <- selection_input(rows, selector, method, target_bins, resolve_threads(threads))
  check_varying_features(input, method, logical(ncol(task$x)))
  found <- method$by_target(input, selector$params)
  counted <- input$task
  if (is.null(found)) return(NULL)
  varying <- input$varying
  plain <- task_kind(counted) == "label" && is.null(counted$targets$unknown)
  scores <- matrix(NA_real_, ncol(counted$x), ncol(counted$targets))
  scores[, varying] <- if (plain) found[, which(rows_with(counted$targets) > 0) %in% varying] else found
  scores
}

# A function that scores all features, in column order, for a task with the same rows and features as `task`.
scorer <- function(task, selector, discretizer, target_bins, threads) {
  if (!is.null(discretizer)) check_discretizer(discretizer)
  threads <- resolve_threads(threads)
  rows <- prepared_rows(task, discretizer)
  function(task) {
    found <- select_from(with_targets(rows, task), selector, NULL, list(), target_bins, threads)
    found$score[order(found$index)]
  }
}

check_scoring_selector <- function(selector) {
  check_selector(selector)
  if (selector_method(selector)$gives == "scores") return(invisible())
  abort(c("{.arg selector} must score every feature.", x = "{selector$name} does not.",
    i = "Use one such as {.fn sel_mim}, {.fn sel_chi2} or {.fn sel_relieff_br}."))
}

#' @export
print.mllabelscores <- function(x, n = 10L, digits = 4, ...) {
  digits <- check_count(digits, max = 15)
  n <- check_count(n)
  sizes <- paste(counted(nrow(x), "feature"), counted(ncol(x), "target"), sep = ", ")
  cat("<mllabelscores> ", attr(x, "selector"), ": ", sizes, "\n", sep = "")
  shown <- unclass(x)
  attributes(shown) <- attributes(shown)[c("dim", "dimnames")]
  print(round(utils::head(shown[, seq_len(min(6L, ncol(x))), drop = FALSE], n), digits))
  left <- c(max(0L, nrow(x) - n), max(0L, ncol(x) - 6L))
  more <- paste(counted(left[1L], "more feature"), counted(left[2L], "more target"), sep = ", ")
  if (any(left > 0L)) cat("# ", more, "\n", sep = "")
  invisible(x)
}

#' @rdname label_scores
#' @param x,object An `mllabelscores`.
#' @param n (count) How many features are shown, those with the largest score for any target.
#' @param width As in [plot.mlselection()]. Where targets are too many for it, every second, third, ... is named, and
#'   the subtitle says so.
#' @inheritParams plot.mlselection
#' @export
plot.mllabelscores <- function(x, width = NULL, ...) {
  draw(autoplot.mllabelscores(x, width = device_width(width), ...))
}

#' @rdname label_scores
#' @export
autoplot.mllabelscores <- function(object, n = 30, base_size = 11, width = NULL, ...) {
  room <- picture_room(width, base_size)
  n <- check_count(n)
  finite <- unclass(object)
  finite[!is.finite(finite)] <- NA
  best <- apply(finite, 1L, function(row) if (all(is.na(row))) -Inf else max(row, na.rm = TRUE))
  shown <- utils::head(order(-best), n)
  data <- data.frame(
    feature = factor(rep(rownames(object)[shown], ncol(object)), rev(rownames(object)[shown])),
    target = factor(rep(colnames(object), each = length(shown)), colnames(object)),
    score = as.vector(finite[shown, , drop = FALSE])
  )
  # If there are more targets than fit below each other, only some are named.
  every <- ceiling(ncol(object) / room$columns)
  named <- colnames(object)[seq.int(1L, ncol(object), by = every)]
  named_ones <- if (every > 1L) paste0(ncol(object), " targets, of which 1 in ", every, " is named")
  ggplot2::ggplot(data, ggplot2::aes(.data$target, .data$feature, fill = .data$score)) +
    ggplot2::geom_tile(color = if (every > 1L) NA else "white", linewidth = 0.3) +
    ggplot2::scale_x_discrete(breaks = named, labels = shorten_names(named, 24)) +
    ggplot2::scale_y_discrete(labels = function(names) shorten_names(names, room$name)) +
    ggplot2::labs(x = NULL, y = NULL, title = fold_title(paste(attr(object, "selector"), "for each target"), room),
      subtitle = named_ones, fill = sub(" (", "\n(", attr(object, "unit") %||% "score", fixed = TRUE)) +
    names_that_fit() + theme_mlsift(room$base_size) +
    tile_scale(room, na.value = "grey80") + ggplot2::theme(panel.grid = ggplot2::element_blank(),
      panel.grid.major = ggplot2::element_blank(), axis.text.x = ggplot2::element_text(angle = 45, hjust = 1))
}

#' Are scores larger than chance gives?
#'
#' Permutes the rows of the targets, all targets together, and scores the features again. The p-value of a feature is
#' the share of the permutations in which its score is at least as large, the given order of rows included: \eqn{p = (1
#' + \#\{s^* \ge s\}) / (n + 1)}{p = (1 + #(s* >= s)) / (n + 1)}. So the targets keep their dependence on each other,
#' and lose that on the features.
#'
#' @details
#' [Unknown][unknown_labels] labels are permuted with their rows.
#'
#' If rows have [weights][row_weights()], targets are permuted among rows of the same weight only. So the null
#' hypothesis is that the targets of a row do not depend on its features, given its weight. The weights themselves may
#' depend on the targets, such as weights that balance classes, or on the features, such as those of a sample drawn by
#' groups. Some rows must have equal weights: if there are many different weights, round them first. Do not use weights
#' that count equal rows here, because each of these rows is an observation: make the task from the rows themselves.
#'
#' @section Groups and times:
#' If rows have [groups][row_groups()], targets change places by groups. If all rows of a group have the same targets,
#' the targets of a group go to all rows of another group, whatever their sizes. Otherwise groups of equal size exchange
#' their targets row by row, in the order of rows or times, and a group that has no other of its size keeps its targets.
#'
#' If rows have times and no groups, the targets move in a circle: all of them by the same random number of rows in the
#' order of time. They keep their trends, which alone would make them look related to features with trends. Rows should
#' be about equally far apart in time.
#'
#' With weights too, groups exchange targets only if their rows have the same weights, and rows of each weight move in
#' a circle of their own. It is an error if fewer than 8 groups can change places, or if there are fewer than 20 ways to
#' do so, because no p-value could then reach 0.05.
#'
#' @inheritParams label_scores
#' @param n (count) Number of permutations. The smallest possible p-value is \eqn{1 / (n + 1)}.
#' @param adjust How p-values are adjusted for the number of features, see [stats::p.adjust()]: `"BH"` controls the
#'   false discovery rate.
#' @return A data frame with a row for each feature, best first, and the columns `feature`, `index`, `score`, `p_value`
#'   and `p_adjusted`. The result repeats after `set.seed()`.
#' @references `r papers("PhipsonSmyth2010", "Winkler2014, permutations of blocks of rows")`
#' @family selection
#' @examples
#' set.seed(1)
#' tested <- score_test(help_pages, sel_mim(), n = 99)
#' tested[c(1, 2, 328, 329), ]
#' @export
score_test <- function(task, selector, n = 1000, adjust = "BH", discretizer = disc_auto(), target_bins = NULL,
                       threads = NULL) {
  check_mltask(task)
  check_scoring_selector(selector)
  task <- weighted_rows(task)
  permuted <- target_permuter(task)
  n <- check_count(n)
  adjust <- check_choice(adjust, stats::p.adjust.methods)
  score <- scorer(task, selector, discretizer, target_bins, threads)
  observed <- score(task)
  p <- (1 + count_reached(observed, function() score(permuted()), n)) / (n + 1)
  index <- order(-observed, method = "radix")
  data.frame(feature = colnames(task$x)[index], index = index, score = observed[index], p_value = p[index],
    p_adjusted = stats::p.adjust(p, adjust)[index])
}

# How many of n draws are at least as large as the observed scores. Equal scores may differ by rounding: by a share of
# themselves or, if their terms cancel to 0, of the largest score that the feature has in any draw.
count_reached <- function(observed, draw, n) {
  size <- function(score) ifelse(is.finite(score), abs(score), 0)
  largest <- size(observed)
  reached <- numeric(length(observed))
  for (i in seq_len(n)) {
    drawn <- draw()
    # If this score is so large that all before were rounding errors, all were equal to the observed one.
    first <- 1e-12 * size(drawn) > largest
    reached[first] <- i - 1
    largest <- pmax(largest, size(drawn))
    reached <- reached + (drawn >= observed - pmax(1e-9 * size(observed), 1e-12 * largest))
  }
  reached
}

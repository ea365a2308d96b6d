#' ReliefF for many labels: by label, or by label set
#'
#' ReliefF gives a high score to a feature that differs between a row and its nearest rows of other classes (misses),
#' and a low score to one that differs between a row and its nearest rows of the same class (hits). Neighbors are found
#' with all features at once. So if two features are informative only together, both score high.
#' \deqn{W_f = \frac1m \sum_i \Bigl[ \sum_{c \ne y_i} \frac{P(c)}{1 - P(y_i)}\, \overline{\mathrm{diff}_f(i, M_c)} -
#'   \overline{\mathrm{diff}_f(i, H)} \Bigr],}{W_f = mean over i of
#' sum over c != y_i of P(c) / (1 - P(y_i)) mean diff_f(i, M_c)
#' - mean diff_f(i, H),}
#' where \eqn{i} runs over \eqn{m} reference rows, \eqn{H} are the `neighbors` nearest rows of its own class \eqn{y_i},
#' \eqn{M_c} those of class \eqn{c}, and \eqn{P(c)} is the share of rows of class \eqn{c}. The classes are:
#' * `sel_relieff_br()`, RF-BR: rows with and without a label. The score is the mean of \eqn{W_f} over the labels.
#' * `sel_relieff_lp()`, RF-LP: the label sets, including the empty one.
#' * `sel_relieff_ppt()`, PPT+RF: the label sets of at least `min_count` rows. The other rows are not used.
#'
#' Targets may also be classes. `sel_relieff_br()` is then the mean of \eqn{W_f} over the targets, each with its own
#' categories as classes. With a single target, this is ReliefF itself. In the other two, combinations of categories
#' take the place of label sets.
#'
#' @section Differences and distances: \eqn{\mathrm{diff}_f(i, j)}{diff_f(i, j)} is \eqn{|x_{if} - x_{jf}|}{|x_if -
#' x_jf|} divided by the range of the feature in the rows used (0 for a constant feature). For an unordered factor it is
#' 1 if the levels differ, and 0 otherwise. Logicals and factors with two levels count as 0/1, and ordered factors as
#' their level number. The distance of two rows is the sum of their differences. Equally distant rows are used in the
#' order of the rows. So if distances tie, permuting the rows can change scores. Missing values give an error.
#'
#' @section Few rows and unusual labels:
#' A class with fewer rows than `neighbors` uses all its rows, and the mean is over these. A class without any such row
#' adds no term. Labels that all rows or no rows have are skipped, and so are class targets with a single category. It
#' is an error for PPT+RF if fewer than two label sets are frequent enough. For RF-BR, a label that is
#' [unknown][unknown_labels] in some rows has the \eqn{W_f} of the other rows alone, with their neighbors, ranges and
#' reference rows.
#'
#' @section Cost: Time grows with rows times reference rows times features, and hardly depends on the number of labels.
#'   For class targets, RF-BR searches once for each target, and for unknown labels once for those that are known in
#'   the same rows. Sparse features stay sparse. Memory is linear in rows and in features.
#'
#' @section Weights of rows:
#' With [weights][row_weights()], the mean over reference rows and those over neighbors are weighted, and \eqn{P(c)} is
#' the share of all weight. The neighbors are those without weights, and `min_count` counts weight.
#' @param neighbors (count) Number of nearest hits, and of nearest misses from each other class.
#' @param min_count (count) For PPT+RF: label sets of at least this many rows are used.
#' @param n_rows (count) Number of reference rows, drawn from R's generator. `NULL` uses all rows. Their neighbors come
#'   from all rows in any case. If the number exceeds the number of rows, all are used, with a warning.
#' @return `r takes("relieff_br", "relieff_lp", "relieff_ppt")`
#' @references `r papers("Kononenko1994", "RobnikSikonjaKononenko2003", "Reyes2015")`
#' @family selectors
#' @seealso [sel_relieff_ml()] and [sel_rrelieff_ml()], which use the similarity of label sets; [sel_mlrf()], which
#'   compares pairs of labels; [sel_multisurf()], which needs no number of neighbors; [sel_turf()], which drops useless
#'   features step by step.
#' @examples
#' sift_features(help_pages[1:500, ], sel_relieff_br(), k = 4)
#' sift_features(help_pages[1:500, ], sel_relieff_lp(neighbors = 5), k = 4)
#' @export
sel_relieff_br <- function(neighbors = 10, n_rows = NULL) {
  new_selector("RF-BR", "relieff_br", relief_params(neighbors, n_rows))
}

#' @rdname sel_relieff_br
#' @export
sel_relieff_lp <- function(neighbors = 10, n_rows = NULL) {
  new_selector("RF-LP", "relieff_lp", relief_params(neighbors, n_rows))
}

#' @rdname sel_relieff_br
#' @export
sel_relieff_ppt <- function(min_count = 6, neighbors = 10, n_rows = NULL) {
  new_selector("PPT+RF", "relieff_ppt", c(list(min_count = check_count(min_count)), relief_params(neighbors, n_rows)))
}

relief_params <- function(neighbors, n_rows) {
  list(neighbors = check_count(neighbors), n_rows = check_count(n_rows, null = TRUE))
}

run_relieff_br <- function(input, params) {
  rank_scores(known_mean(input$task, function(task) {
    data <- ranged_data(task, params$n_rows)
    if (task_kind(task) == "class") return(relieff_targets(data, input, params))
    cpp_relieff_br(data, task$targets$values, params$neighbors, input$threads)
  }))
}

# Mean over the class targets with more than one category.
relieff_targets <- function(data, input, params) {
  classes <- lapply(input$task$targets$values, function(y) as.integer(droplevels(y)) - 1L)
  classes <- Filter(function(codes) max(codes) > 0L, classes)
  scores <- lapply(classes, function(codes) cpp_relieff(data, codes, params$neighbors, input$threads))
  Reduce(`+`, scores) / length(scores)
}

run_relieff_classes <- function(input, params, min_count) {
  kept <- informative_sets(input, min_count, "Use a smaller {.arg min_count}, or another selector.")
  data <- ranged_data(input$task, params$n_rows, if (length(kept$rows) < nrow(input$task$x)) kept$rows)
  rank_scores(cpp_relieff(data, kept$classes - 1L, params$neighbors, input$threads))
}

register_relief("relieff_br", "RF-BR", "Kononenko (1994)", run_relieff_br, unknown = TRUE)

register_relief("relieff_lp", "RF-LP", "Kononenko (1994)",
  run = function(input, params) run_relieff_classes(input, params, 1L))

register_relief("relieff_ppt", "PPT+RF", "Reyes et al. (2015)",
  run = function(input, params) run_relieff_classes(input, params, params$min_count))

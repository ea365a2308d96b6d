#' SURF and MultiSURF: Relief with all rows that are near
#'
#' Like [sel_relieff_br()], a feature scores high if it differs between near rows of other classes (misses), and low if
#' it differs between near rows of the same class (hits). Here, all rows within a distance are near, and not a fixed
#' number of them. So there is no number of neighbors to choose.
#' \deqn{W_f = \frac1N \sum_i \bigl[\, \overline{\mathrm{diff}_f(i, M)} - \overline{\mathrm{diff}_f(i, H)} \,\bigr],
#' }{W_f = mean over i of (mean diff_f(i, M) - mean diff_f(i, H)),}
#' where \eqn{i} runs over all \eqn{N} rows, and \eqn{M} and \eqn{H} are the near rows of row \eqn{i} without and with
#' its class. For a label, the classes are the rows that have it and those that lack it. The score is the mean of
#' \eqn{W_f} over the labels. With \eqn{D_{ij}}{D_ij} the distance of two rows, row \eqn{j} is near to row \eqn{i} if
#' * `sel_surf()`: \eqn{D_{ij}}{D_ij} is below the mean distance of all pairs of rows;
#' * `sel_multisurf()`: \eqn{D_{ij} < \mu_i - \sigma_i / 2}{D_ij < mu_i - sigma_i / 2}, where \eqn{\mu_i} and
#'   \eqn{\sigma_i} are the mean and the standard deviation of the distances from row \eqn{i} to the \eqn{N - 1} others
#'   (with divisor \eqn{N - 1}).
#'
#' Targets may also be classes. The score is then the mean over the targets, each with its own categories as classes.
#' With more than two categories, \eqn{\overline{\mathrm{diff}_f(i, M)}}{mean diff_f(i, M)} is the mean over the near
#' rows of each other class \eqn{c}, weighted by \eqn{P(c) / (1 - P(y_i))} as in [sel_relieff_br()].
#' @inheritSection sel_relieff_br Differences and distances
#' @inheritSection sel_relieff_br Weights of rows
#' @section Few rows and unusual labels:
#' A row without near hits adds no term for hits. In the same way, a class without near rows adds no term for misses. A
#' distance that is equal to the limit, up to rounding (1e-12 of the mean distance), is not near. So if all rows are
#' equally far apart, all scores are 0. Labels that all rows or no rows have are skipped, and so are class targets with
#' a single category. A label that is [unknown][unknown_labels] in some rows has the \eqn{W_f} of the other rows alone.
#' @section Other programs:
#' On numeric features without ties, MultiSURF agrees with the package scikit-rebate. For SURF, scikit-rebate also
#' counts the distance 0 of each row to itself in the mean. It calls features with at most 10 values discrete, and if
#' there are features of both kinds, it changes their differences: see its documentation. Here, only unordered factors
#' are discrete.
#' @section Cost: Time grows with the square of the number of rows times features, and hardly with the number of
#'   labels, unless some are unknown in rows of their own. Sparse features stay sparse. Memory is linear in rows and in
#'   features.
#'
#' @return `r takes("surf", "multisurf")`
#' @references `r papers("Greene2009", "Urbanowicz2018")`
#' @family selectors
#' @seealso [sel_turf()], which drops the worst features and repeats this with the others.
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' sift_features(cars, sel_multisurf(), k = 4)
#' sift_features(cars, sel_surf(), k = 4)
#' @export
sel_surf <- function() new_selector("SURF", "surf")

#' @rdname sel_surf
#' @export
sel_multisurf <- function() new_selector("MultiSURF", "multisurf")

# `by_row`: whether each row has its own limit.
run_surf <- function(input, by_row) rank_scores(known_mean(input$task, \(task) surf_scores(task, by_row, input)))

surf_scores <- function(task, by_row, input) {
  data <- ranged_data(task, NULL)
  targets <- task$targets[, varying(task$targets)]
  if (ncol(targets) == 0L) return(numeric(ncol(task$x)))
  # A label is a target with one category, besides that of the rows without it.
  classes <- if (targets$kind == "class") lengths(seen_categories(targets)) else rep(1L, ncol(targets))
  cpp_surf(data, category_labels(targets)$values, c(0L, cumsum(classes)), by_row, input$threads)
}

register_relief("surf", "SURF", "Greene et al. (2009)", unknown = TRUE,
  run = function(input, params) run_surf(input, FALSE))

register_relief("multisurf", "MultiSURF", "Urbanowicz et al. (2018)", unknown = TRUE,
  run = function(input, params) run_surf(input, TRUE))

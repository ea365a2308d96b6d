#' Discretizer by label-attribute interdependence
#'
#' Divides each continuous feature into intervals in which one label dominates (Cano et al., 2016). The criterion is
#' \deqn{\mathrm{LAIM} = \frac{1}{n M} \sum_{r=1}^{n} \frac{\max_r^2}{M_r},
#' }{LAIM = sum over r of max_r^2 / M_r, divided by n M,}
#' where \eqn{n} is the number of intervals, and \eqn{\max_r}{max_r} is the largest number of rows in interval \eqn{r}
#' that have the same label. \eqn{M_r} is the number of labels of the rows in the interval. A row with two labels counts
#' twice. \eqn{M} is the number of labels of all rows.
#'
#' The search is greedy. It starts with one interval, for which the criterion is 0. Each step adds the boundary with the
#' largest criterion, half-way between two neighboring values, if that criterion is larger than the one before.
#' Otherwise the search ends. The first boundary is therefore always made.
#'
#' * The smallest of equally good boundaries is used.
#' * Rows without labels add nothing to the counts. A boundary that leaves an interval without any label is not made.
#' * Missing values are left out of the search.
#' * A constant feature has one level. If no row has a label, every feature has one level.
#' * Intervals are closed on the right.
#'
#' Class targets are treated as one label for each class. For a single class target, LAIM is then the CAIM criterion of
#' Kurgan and Cios (2004), divided by the number of rows. Numeric targets are refused.
#'
#' The boundaries are learned from targets. [benchmark_selectors()] and `fit()` use the targets of the training rows
#' only.
#'
#' @param divisor The divisor of the sum, besides \eqn{M}. `"n"` is the number of intervals, as in CAIM, which LAIM
#'   extends. `"n+1"` is the number of their boundaries, as in the program of Lee and Kim. It gives more intervals.
#' @param max_bins Largest number of intervals, 2 or more; `NULL` for no limit.
#' @param na As in [disc_equal_width()].
#' @return An object of class `mldiscretizer`. Fitting needs a task of labels or classes.
#' @references `r papers("Cano2016")`
#'
#'   Kurgan and Cios (2004). CAIM discretization algorithm. IEEE Transactions on Knowledge and Data Engineering 16,
#'   145-153.
#' @family discretizers
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' fitted <- fit(disc_laim(), cars)
#' table(features(predict(fitted, cars))[, "wt"], mtcars$am)
#' sift_features(cars, sel_mim(), discretizer = disc_laim(max_bins = 4))
#' @export
disc_laim <- function(divisor = c("n", "n+1"), max_bins = NULL, na = c("error", "level")) {
  new_discretizer("LAIM", "laim", list(divisor = check_choice(divisor),
    max_bins = check_count(max_bins, min = 2, null = TRUE), na = check_choice(na)))
}

register("discretizers", "laim",
  name = "LAIM", constructor = "disc_laim()", source = "Cano et al. (2016)",
  fit = function(x, continuous, params, task, threads) {
    if (!any(continuous)) return(NULL)
    more <- if (params$divisor == "n+1") 1L else 0L
    cpp_laim_cuts(x, continuous, laim_labels(task), more, params$max_bins %||% 0L, row_counts(task), threads)
  },
  closed = function(params) "right", supervised = TRUE,
  shown = function(params) {
    paste0("by labels, divisor ", params$divisor,
      if (!is.null(params$max_bins)) paste0(", at most ", params$max_bins, " bins"))
  }
)

# Labels unchanged; classes as one 0/1 column each.
laim_labels <- function(task) {
  if (task_kind(task) == "label") return(task$targets$values)
  do.call(cbind, lapply(unname(as.list(task$targets$values)), function(y) indicator_columns(as.integer(y), nlevels(y))))
}

#' Discretizer by label-attribute interdependence
#'
#' Cuts each continuous feature so that, within an interval, one label dominates (Cano et al., 2016). The criterion is
#' \deqn{\mathrm{LAIM} = \frac{1}{n M} \sum_{r=1}^{n} \frac{\max_r^2}{M_r},}
#' where \eqn{n} is the number of intervals, \eqn{\max_r} the largest number of rows in interval \eqn{r} that have the
#' same label, \eqn{M_r} the number of labels of its rows (a row with two labels counts twice), and \eqn{M} that of all
#' rows.
#'
#' The search is greedy. It starts from one interval, with a criterion of 0. Each step adds the cut with the largest
#' criterion, half-way between two neighboring values, if that is larger than before; otherwise the search ends. The
#' first cut is therefore always made.
#'
#' * Of equally good cuts the smallest is taken.
#' * Rows without labels add nothing to the counts. A cut that leaves an interval without any label is not made.
#' * Missing values are left out of the search.
#' * A constant feature has one level, and so has every feature where no row has a label.
#' * Intervals are closed on the right.
#'
#' Class targets are treated as one label for each class. For a single class target, LAIM is then the CAIM criterion of
#' Kurgan and Cios (2004), divided by the number of rows. Numeric targets are refused.
#'
#' Cuts are learned from targets. [benchmark_selectors()] and `fit()` use those of the training rows only.
#'
#' @param divisor What the sum is divided by, besides \eqn{M}: `"n"`, the number of intervals, as in CAIM, which LAIM
#'   extends; or `"n+1"`, the number of their boundaries, as in the program of Lee and Kim. `"n+1"` makes more cuts.
#' @param max_bins Largest number of intervals, 2 or more; `NULL` for no limit.
#' @param na As in [disc_equal_width()].
#' @return An object of class `mldiscretizer`. Fitting needs a task of labels or classes.
#' @references
#' Cano, Luna, Gibaja and Ventura (2016). LAIM discretization for multi-label data. Information Sciences 330, 370-384.
#'
#' Kurgan and Cios (2004). CAIM discretization algorithm. IEEE Transactions on Knowledge and Data Engineering 16,
#' 145-153.
#' @family discretizers
#' @examples
#' set.seed(1)
#' x <- cbind(f1 = rnorm(100), f2 = rnorm(100))
#' task <- mltask(x, cbind(low = x[, 1] < -0.5, high = x[, 1] > 1))
#' fitted <- fit(disc_laim(), task)
#' table(features(predict(fitted, task))[, "f1"])
#' sift_features(task, sel_mim(), discretizer = disc_laim(max_bins = 4))
#' @export
disc_laim <- function(divisor = c("n", "n+1"), max_bins = NULL, na = c("error", "level")) {
  params <- list(
    divisor = check_choice(divisor, c("n", "n+1")), max_bins = check_count(max_bins, min = 2, null = TRUE),
    na = check_na(na)
  )
  new_discretizer("LAIM", "laim", params)
}

register("discretizers", "laim",
  name = "LAIM", constructor = "disc_laim()", source = "Cano et al. (2016)",
  fit = function(x, continuous, params, task, threads, call) {
    labels <- laim_labels(task, call)
    if (!any(continuous)) return(NULL)
    cpp_laim_cuts(x, continuous, labels, if (params$divisor == "n+1") 1L else 0L, params$max_bins %||% 0L, threads)
  },
  closed = function(params) "right", supervised = TRUE,
  shown = function(params) {
    paste0(
      "by labels, divisor ", params$divisor,
      if (!is.null(params$max_bins)) paste0(", at most ", params$max_bins, " bins")
    )
  }
)

# Labels as they are; classes as a 0/1 column for each.
laim_labels <- function(task, call) {
  kind <- task_kind(task)
  if (kind == "label") return(task$y)
  if (kind == "numeric") {
    abort(c("{.fn disc_laim} needs labels or classes.", x = "The targets are of kind {.val numeric}.",
            i = "Use {.fn disc_auto}, or cut the targets with {.arg target_bins} where there is one."), call = call)
  }
  indicators <- lapply(task$y, function(classes) outer(as.integer(classes), seq_len(nlevels(classes)), "==") + 0L)
  do.call(cbind, unname(indicators))
}

#' Discretizers for features that are mostly zero
#'
#' In word weights, counts and similar data, most values of a feature are zero. Whether a value is zero then matters
#' more than its size. Intervals of equal width put zero and small values into one level. These discretizers separate
#' zero from the other values.
#'
#' `disc_presence()` has two levels for a feature without negative values: zero and not zero. A feature with values on
#' both sides of zero gets three levels: negative, zero and positive. Levels are intervals, so two of them cannot
#' separate zero from the values on both sides. Three levels can, and show everything that two would show. A feature
#' without zeros has one level.
#'
#' `disc_auto()` treats a feature like `disc_presence()` if more than `zero_share` of its rows are zero. It discretizes
#' all other features exactly like [`disc_equal_width(bins)`][disc_equal_width]: intervals of equal width, closed on the
#' left, and features with at most `bins` different values are only recoded. It is the default of [sift_features()] and
#' [benchmark_selectors()]. Use `disc_equal_width(5)` for equal widths in all features.
#'
#' Both learn from the rows that they are fitted to: which signs occur, how many rows are zero, and the range. In new
#' rows, any positive value counts as positive, even if it is very small. A value with a sign that did not occur falls
#' into the nearest level. Missing values are not zero. Features that are already discrete (see [mltask()]) are not
#' discretized.
#'
#' @param bins Number of intervals for features that are not mostly zero, from 2 to 100000.
#' @param zero_share A number from 0 to 1. Zero is separated from the rest if the share of zero rows is larger than
#'   this.
#' @param na As in [disc_equal_width()].
#' @return An object of class `mldiscretizer`, for [`fit()`][fit.mldiscretizer], [discretize_features()],
#'   [sift_features()] and [benchmark_selectors()].
#' @family discretizers
#' @examples
#' weights <- cbind(word = c(0, 0, 0, 0.1, 0, 0.9), length = c(1.5, 2.5, 3, 4, 5.5, 9))
#' task <- mltask(weights, c(0, 0, 0, 1, 0, 1))
#' features(discretize_features(task, disc_auto()))
#' features(discretize_features(task, disc_equal_width(5)))
#' features(discretize_features(task, disc_presence()))
#' @export
disc_auto <- function(bins = 5, zero_share = 0.5, na = c("error", "level")) {
  new_discretizer("auto", "auto", list(bins = check_count(bins, min = 2, max = most_bins),
    zero_share = check_number(zero_share, min = 0, max = 1), na = check_choice(na)))
}

#' @rdname disc_auto
#' @export
disc_presence <- function(na = c("error", "level")) new_discretizer("presence", "presence", list(na = check_choice(na)))

register("discretizers", "auto",
  name = "auto", constructor = "disc_auto()", source = "mlsift",
  fit = function(x, continuous, params, task, threads) {
    cpp_auto_cuts(x, continuous, params$bins, FALSE, params$zero_share, row_counts(task), threads)
  },
  closed = function(params) "left", supervised = FALSE,
  shown = function(params) {
    paste0("zero or not where more than ", format(params$zero_share), " of the rows are zero, otherwise ", params$bins,
      " bins of equal width, closed on the left")
  }
)

register("discretizers", "presence",
  name = "presence", constructor = "disc_presence()", source = "mlsift",
  fit = function(x, continuous, params, task, threads) {
    cpp_auto_cuts(x, continuous, 2L, FALSE, -1, NULL, threads)
  },
  closed = function(params) "left", supervised = FALSE,
  shown = function(params) "zero or not"
)

#' Scaling of features
#'
#' Distances between rows and penalties on coefficients depend on the units of features. Learners and selectors that use
#' them have an argument `scale`.
#'
#' These are its values:
#'
#' * `"zscore"` divides each feature that varies by its standard deviation (population) in the training rows. Models
#'   with an intercept also subtract means. Then the unit of a feature does not matter.
#' * `"none"` uses features as they are.
#' * `"auto"`, the default, is `"none"` if all features are in one unit, and else `"zscore"`. They are in one unit if
#'   each of them is 0/1 or a sparse count, such as the frequency of a word: whole numbers, none of them negative, of
#'   which fewer than half differ from 0.
#'
#' @section What `"auto"` looks at:
#' It looks at values, so sparse and dense features give the same result. Logicals and factors with two levels are 0/1,
#' and ordered factors are their level numbers. Other factors, constant features, missing values and rows of
#' [weight][row_weights] 0 do not count.
#'
#' [fit()][fit.mllearner] and [sift_features()] look at all features that they get. Benchmarks, [assess_features()] and
#' [tune_selection()] look at all features of the training rows of a split, before they are selected or discretized. So
#' the values for one number of features do not depend on others. To fit a model to some of the features as a benchmark
#' does, name the scale.
#' @name feature_scale
#' @family learners
#' @examples
#' fit(lrn_mlknn(), mltask(mtcars, targets = c("vs", "am")))
#' fit(lrn_mlknn(), help_pages[1:500, ])
NULL

# What "auto" is for the rows of a task.
auto_scale <- function(task) {
  x <- task$x
  if (any(task$rows$weights == 0)) x <- x[task$rows$weights > 0, , drop = FALSE]
  if (is.data.frame(x)) {
    levels <- vapply(x, nlevels, 0L)
    x[levels == 2L] <- lapply(x[levels == 2L], function(column) as.integer(column) - 1L)
    x <- x[levels <= 2L | vapply(x, is.ordered, NA)]
  }
  if (cpp_share_unit(x)) "none" else "zscore"
}

# A selector or learner with `scale` in place of "auto", also in those within it.
with_scale <- function(spec, scale) {
  decide <- function(value, name) {
    if (identical(name, "scale") && identical(value, "auto")) return(scale)
    if (inherits(value, c("mlselector", "mllearner"))) return(with_scale(value, scale))
    if (is.list(value) && !is.object(value)) value[] <- Map(decide, value, rlang::names2(value))
    value
  }
  spec$params <- decide(spec$params, "")
  spec
}

scale_columns <- function(x, scale) {
  x <- with_values(x)
  if (is.null(scale)) return(x)
  if (!is_sparse(x)) return(x / rep(scale, each = nrow(x)))
  x@x <- x@x / rep.int(scale, diff(x@p))
  x
}

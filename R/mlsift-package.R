#' mlsift: feature selection for many labels or targets
#'
#' Ranks the features of data whose rows have many labels, or several targets, by published methods, and tests which
#' method is better.
#'
#' The way through the package:
#'
#' 1. [mltask()], [read_mulan()] or [as_mltask()] make a task of features and targets;
#' 2. [sift_features()] ranks its features by a selector, such as [sel_mim()]; [list_selectors()] names them all;
#' 3. [benchmark_selectors()] compares selectors by what learners make of their features;
#' 4. [rank_test()], [score_table()] and `plot()` say which are better, and [write_report()] puts all of it on one page.
#'
#' `vignette("mlsift")` goes this way with real data.
#'
#' # Options
#' `options(mlsift.threads = 2)` sets the number of threads wherever the argument `threads` is left out. Without it, as
#' many are used as the work is worth, never more than the limits that R and its checks set. No result depends on it.
#' `options(mlsift.stale = 300)` sets after how many seconds without a sign of life other processes take over the work
#' of a process, in a benchmark that several processes share: see [join_benchmark()].
#'
#' # Errors
#' What cannot be used is refused by an error of class `mlsift_error` that names the argument, what was
#' found, what was expected and what to do: `tryCatch(..., mlsift_error = )` catches them all. Nothing is dropped,
#' recycled or coerced in silence. Warnings are of class `mlsift_warning`.
#'
#' # Random numbers
#' They come from R's generator alone: [set.seed()] makes any call repeatable.
#'
#' @keywords internal
#' @useDynLib mlsift, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom methods as is new
#' @importFrom Matrix Matrix t
"_PACKAGE"

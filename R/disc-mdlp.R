#' Discretizer by minimum description length
#'
#' Divides continuous features at the boundaries with most information about the targets, and only if this is worth its
#' description length (Fayyad and Irani, 1993). The sorted values \eqn{S} of a feature are divided into two parts,
#' half-way between two neighboring values, at the boundary with the least class entropy of the parts. The boundary is
#' kept, and both parts are divided in turn, if
#' \deqn{|S| \, \mathrm{Gain} > \log_2(|S| - 1) + \log_2(3^k - 2) - [k H(S) - k_1 H(S_1) - k_2 H(S_2)],
#' }{|S| Gain > log2(|S| - 1) + log2(3^k - 2)
#' - (k H(S) - k_1 H(S_1) - k_2 H(S_2)),}
#' \deqn{\mathrm{Gain} = H(S) - \frac{|S_1|}{|S|} H(S_1) - \frac{|S_2|}{|S|} H(S_2),
#' }{Gain = H(S) - |S_1| / |S| H(S_1) - |S_2| / |S| H(S_2),}
#' with entropies \eqn{H} in bits and the numbers \eqn{k, k_1, k_2} of classes present. The smallest of equally good
#' boundaries is used. A feature without such a boundary has one level and scores like a constant feature.
#'
#' The boundaries are learned from targets. [benchmark_selectors()] and `fit()` use the targets of the training rows
#' only.
#'
#' @param target The class of a row. `"lp"`: its label set, or combination of classes. `"label"`: each label or class
#'   target in turn, and the boundaries for all of them are used together (there can be many). Or the name of one
#'   target.
#' @param min_count For `target = "lp"`: rows are ignored if their label set occurs on fewer rows than this.
#' @param min_bins 1 or 2. With 2, a feature that varies gets its best boundary even if this is not worth its
#'   description length.
#' @param na As in [disc_equal_width()]. Missing values are not used to find boundaries.
#' @return An object of class `mldiscretizer`. Fitting needs a task of labels or classes; numeric targets are refused.
#' @references `r papers("FayyadIrani1993")`
#' @family discretizers
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' fitted <- fit(disc_mdlp(), cars)
#' table(features(predict(fitted, cars))[, "wt"], mtcars$am)
#' sift_features(cars, sel_chi2("lp"), discretizer = disc_mdlp())
#' @export
disc_mdlp <- function(target = c("lp", "label"), min_count = 1, min_bins = 1, na = c("error", "level")) {
  if (identical(target, c("lp", "label"))) target <- "lp"
  new_discretizer("MDLP", "mdlp", list(target = check_string(target), min_count = check_count(min_count),
    min_bins = check_count(min_bins, max = 2), na = check_choice(na)))
}

register("discretizers", "mdlp",
  name = "MDLP", constructor = "disc_mdlp()", source = "Fayyad & Irani (1993)",
  fit = function(x, continuous, params, task, threads) {
    classes <- mdlp_classes(params, task)
    if (any(continuous)) {
      counts <- row_counts(task)
      cpp_mdlp_cuts(x, continuous, classes, params$min_bins, counts, count_weight(counts), threads)
    }
  },
  closed = function(params) "right", supervised = TRUE,
  shown = function(params) {
    paste0("by ",
      switch(params$target, lp = "label sets", label = "each target", paste0("target \"", params$target, "\"")))
  }
)

# A list of integer vectors: the class of each row, from 1, or 0 for rows to leave out.
mdlp_classes <- function(params, task) {
  if (params$target == "lp") {
    kept <- frequent_label_sets(task, params$min_count, "Give {.fn disc_mdlp} a smaller {.arg min_count}.")
    return(list(replace(integer(nrow(task$x)), kept$rows, kept$classes)))
  }
  label <- task_kind(task) == "label"
  y <- task$targets$values
  codes <- function(name) if (label) as.integer(y[, name]) + 1L else as.integer(y[[name]])
  names <- colnames(task$targets)
  if (params$target == "label") return(lapply(names, codes))
  if (!params$target %in% names) {
    abort(c("{.arg target} of {.fn disc_mdlp} must be {.val lp}, {.val label} or the name of a target.",
      x = "There is no target {.val {params$target}}.", i = did_you_mean(params$target, c(names, "lp", "label"))))
  }
  list(codes(params$target))
}

#' The JMI family: joint mutual information of feature pairs with one or several targets
#'
#' Greedy selectors that add the feature whose pairs with those already selected say most about the targets,
#' \deqn{J(f \mid S) = \sum_{s \in S} \sum_i I\bigl((s, f); Y_i\bigr),}
#' beginning with the feature of largest \eqn{\sum_i I(f; Y_i)}. They differ in what the targets \eqn{Y_i} are:
#'
#' * `sel_single_jmi()`: the labels (or classes) themselves;
#' * `sel_joint_jmi()`: one target, the label set (the combination of all targets);
#' * `sel_group_jmi()`: for each of `n_groups` groups of targets, drawn at random, the cluster of a row's values in it
#'   (k-medoids; Hamming distance for labels and classes, Euclidean for numbers). It serves numeric targets directly.
#'
#' @param normalize `"none"`, the paper's criterion; `"sqrt"` divides each term by \eqn{\sqrt{H(s, f) H(Y_i)}} (and
#'   \eqn{I(f; Y_i)} by \eqn{\sqrt{H(f) H(Y_i)}} for the first feature), as the published program does.
#' @param size (the papers' PoT) The share of the targets in a group: a number above 0 and at most 1, or `"random"`,
#'   which draws for each group a number of targets from a quarter to three quarters of them. Labels that never occur do
#'   not count.
#' @param clusters (the papers' NoC) Number of clusters in a group, or `"random"`: 4 to 16, drawn for each group.
#' @param n_groups Number of groups; `NULL` for as many as there are targets.
#' @param groups Instead of clustering, an integer matrix rows x groups that says which cluster each row is in. It
#'   speaks of one task's rows, so benchmarks refuse it.
#' @param scale_targets Whether to divide numeric targets by their standard deviations before clustering, so that
#'   targets in small units count as much as those in large ones. The paper does not.
#' @inheritParams greedy_selectors
#' @return A selector for [sift_features()]. It needs discrete features (continuous ones are cut first).
#'   `sel_group_jmi()` takes labels, classes or numbers; the others labels or classes, and numbers through
#'   `target_bins`. Scores are in bits (without a unit with `normalize = "sqrt"`). Random groups are drawn from R's
#'   generator.
#' @references
#' Sechidis, Nikolaou and Brown (2014). Information theoretic feature selection in multi-label data through composite
#' likelihood. S+SSPR, LNCS 8621, 143-152.
#'
#' Sechidis, Spyromitros-Xioufis and Vlahavas (2019). Information theoretic multi-target feature selection via output
#' space quantization. Entropy 21, 855, eqs. 1 to 3 and Algorithm 1.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' sift_features(task, sel_single_jmi(), k = 4)
#' sift_features(task, sel_group_jmi(), k = 4)
#' numbers <- simulate_mltask(200, n_features = 12, n_targets = 4, kind = "numeric")
#' sift_features(numbers, sel_group_jmi(size = 0.5, clusters = 8), k = 4)
#' @name jmi_selectors
NULL

#' @rdname jmi_selectors
#' @export
sel_single_jmi <- function(normalize = c("none", "sqrt"), base = 2) jmi_selector(
  "Single-JMI", "single_jmi", normalize, base
)

#' @rdname jmi_selectors
#' @export
sel_joint_jmi <- function(normalize = c("none", "sqrt"), base = 2) jmi_selector(
  "Joint-JMI", "joint_jmi", normalize, base
)

#' @rdname jmi_selectors
#' @export
sel_group_jmi <- function(size = "random", clusters = "random", n_groups = NULL, normalize = c("none", "sqrt"),
                          groups = NULL,
                          scale_targets = FALSE, base = 2) {
  grouping <- check_grouping(size, clusters, n_groups)
  if (!is.null(groups)) check_groups(groups)
  random <- identical(size, "random") && identical(clusters, "random")
  name <- if (random && is.null(groups)) "Group-JMI-Rand" else "Group-JMI"
  jmi_selector(
    name, "group_jmi", normalize, base, c(grouping, list(groups = groups, scale_targets = check_flag(scale_targets)))
  )
}

check_groups <- function(groups, call = rlang::caller_env()) {
  matrix <- is.matrix(groups) && is.numeric(groups) && length(groups) > 0L
  odd <- if (matrix) groups[is.na(groups) | groups != round(groups) | abs(groups) > .Machine$integer.max]
  if (matrix && length(odd) == 0L) return(invisible())
  found <- if (matrix) "It contains {odd[1]}." else "It is {describe(groups)}."
  abort(c("{.arg groups} must be a matrix of whole numbers, rows x groups.", x = found), call = call)
}

jmi_selector <- function(name, method, normalize, base, more = list(), call = rlang::caller_env()) {
  normalize <- check_choice(normalize, c("none", "sqrt"), call = call)
  new_selector(name, method, c(more, list(normalize = normalize, base = check_base(base, call = call))))
}

# Ratios of entropies have no unit.
jmi_criterion <- function(params, q, call) {
  if (params$normalize == "sqrt") greedy_criterion("normalized_jmi", in_bits = FALSE) else greedy_criterion("jmi")
}

# One target: the label set, or the combination of the classes.
joint_target <- function(input, params) {
  matrix(label_set_numbers(input$task))
}

# Groups keep a mark, so that a longer selection goes on with the same.
grouped_targets <- function(input, params) {
  groups <- input$groups %||% given_groups(params$groups, input$task, input$call) %||%
    target_groups(input$task, params$size, params$clusters, params$n_groups, params$scale_targets, input$threads)
  structure(groups, groups = groups)
}

given_groups <- function(groups, task, call) {
  if (is.null(groups)) return(NULL)
  if (nrow(groups) != nrow(task$x)) {
    abort(c(
      "{.arg groups} must have a row for each row of the task.",
      x = "It has {nrow(groups)}; the task has {nrow(task$x)}."
    ), call = call)
  }
  storage.mode(groups) <- "integer"
  groups
}

register_greedy("single_jmi", "sel_single_jmi()", "Single-JMI", "Sechidis et al. (2019)", jmi_criterion)

register_greedy(
  "joint_jmi", "sel_joint_jmi()", "Joint-JMI", "Sechidis et al. (2019)", jmi_criterion, targets = joint_target
)

register_greedy("group_jmi", "sel_group_jmi()", "Group-JMI-Rand", "Sechidis et al. (2019)", jmi_criterion,
  kinds = c("label", "class", "numeric"),
  targets = grouped_targets, check = refuse_own_rows("groups", "its groups"))

sel_single_jmi <- function(normalize = c("none", "sqrt"), base = 2) {
  jmi_selector("Single-JMI", "single_jmi", normalize, base)
}

sel_joint_jmi <- function(normalize = c("none", "sqrt"), base = 2) {
  jmi_selector("Joint-JMI", "joint_jmi", normalize, base)
}

#' The JMI family: joint mutual information of feature pairs with one or several targets
#'
#' These greedy selectors add the feature whose pairs with the selected features have the most information on the
#' targets:
#' \deqn{J(f \mid S) = \sum_{s \in S} \sum_i I\bigl((s, f); Y_i\bigr).
#' }{J(f | S) = sum over s in S and i of I((s, f); Y_i).}
#' They start with the feature that has the largest \eqn{\sum_i I(f; Y_i)}.
#'
#' They differ in the targets \eqn{Y_i}:
#'
#' * `sel_single_jmi()`: the labels (or classes) themselves;
#' * `sel_joint_jmi()`: one target, the label set (the combination of all targets);
#' * `sel_group_jmi()`: one target for each of `n_groups` random groups of targets. The values of the targets in a group
#'   are clustered, and the new target of a row is its cluster (k-medoids; Hamming distance for labels and classes,
#'   Euclidean distance for numbers). Numeric targets can be used directly.
#'
#' @param normalize `"none"` is the criterion of the paper. `"sqrt"` divides each term by \eqn{\sqrt{H(s, f)
#'   H(Y_i)}}{sqrt(H(s, f) H(Y_i))}, as the published program does. For the first feature, it divides \eqn{I(f; Y_i)} by
#'   \eqn{\sqrt{H(f) H(Y_i)}}{sqrt(H(f) H(Y_i))}.
#' @param size (PoT in the papers) The share of the targets in a group: a number above 0 and at most 1, or `"random"`.
#'   This draws the number of targets for each group, from a quarter to three quarters of them. Labels that never occur
#'   do not count.
#' @param clusters (NoC in the papers) Number of clusters in a group, or `"random"`: 4 to 16, drawn for each group.
#' @param n_groups Number of groups. `NULL` for as many as there are targets.
#' @param groups An integer matrix rows x groups with the cluster of each row, which replaces the clustering. It is for
#'   the rows of one task, so benchmarks refuse it.
#' @param scale_targets Whether to divide numeric targets by their standard deviations before clustering. Targets in
#'   small units then count as much as those in large units. The paper does not do this.
#' @inheritParams greedy_selectors
#' @return `r takes("single_jmi", "joint_jmi", "group_jmi")` With `normalize = "sqrt"` they are shares. Random groups
#'   are drawn from R's generator.
#' @references Sechidis, Nikolaou and Brown (2014). Information theoretic feature selection in multi-label data through
#'   composite likelihood. S+SSPR, LNCS 8621, 143-152.
#'
#'   `r papers("Sechidis2019, eqs. 1 to 3 and Algorithm 1")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_single_jmi(), k = 4)
#' set.seed(1)
#' sift_features(help_pages, sel_group_jmi(), k = 4)
#' cars <- mltask(mtcars, targets = c("mpg", "qsec"))
#' sift_features(cars, sel_group_jmi(size = 0.5, clusters = 4), k = 4)
#' @eval usages("sel_single_jmi", "sel_joint_jmi", "sel_group_jmi")
#' @name jmi_selectors
sel_group_jmi <- function(size = "random", clusters = "random", n_groups = NULL, normalize = c("none", "sqrt"),
                          groups = NULL, scale_targets = FALSE, base = 2) {
  grouping <- check_grouping(size, clusters, n_groups)
  if (!is.null(groups)) check_groups(groups)
  random <- identical(size, "random") && identical(clusters, "random")
  name <- if (random && is.null(groups)) "Group-JMI-Rand" else "Group-JMI"
  jmi_selector(name, "group_jmi", normalize, base,
    c(grouping, list(groups = groups, scale_targets = check_flag(scale_targets))))
}

check_groups <- function(groups) {
  matrix <- is.matrix(groups) && is.numeric(groups) && length(groups) > 0L
  odd <- if (matrix) groups[!are_whole(groups)]
  if (matrix && length(odd) == 0L) return(invisible())
  found <- if (matrix) "It contains {odd[1]}." else "It is {describe(groups)}."
  abort(c("{.arg groups} must be a matrix of whole numbers, rows x groups.", x = found))
}

jmi_selector <- function(name, method, normalize, base, more = list()) {
  normalize <- check_choice(normalize, c("none", "sqrt"))
  new_selector(name, method, c(more, list(normalize = normalize, base = check_base(base))))
}

# Ratios of entropies have no unit.
jmi_criterion <- function(params, q) {
  if (params$normalize == "sqrt") greedy_criterion("normalized_jmi", in_bits = FALSE) else greedy_criterion("jmi")
}

jmi_scale <- function(params) {
  if (identical(params$normalize, "sqrt")) score_scale("share") else information_scale()(params)
}

# The groups are also stored as an attribute, so that an extended selection uses the same ones.
grouped_targets <- function(input, params) {
  groups <- input$groups %||% given_groups(params$groups, input$task) %||%
    target_groups(input$task, params$size, params$clusters, params$n_groups, params$scale_targets, input$threads)
  structure(groups, groups = groups)
}

given_groups <- function(groups, task) {
  if (is.null(groups)) return(NULL)
  n <- nrow(task$x)
  all <- all_rows(task$rows, n)
  if (nrow(groups) != all) abort(c("{.arg groups} must have a row for each row of the task.",
    x = "It has {nrow(groups)}; the task has {all}."))
  groups <- groups[rows_at_hand(task$rows, n), , drop = FALSE]
  storage.mode(groups) <- "integer"
  groups
}

register_greedy("single_jmi", "Single-JMI", "Sechidis et al. (2019)", jmi_criterion, score = jmi_scale)
register_greedy("joint_jmi", "Joint-JMI", "Sechidis et al. (2019)", jmi_criterion, score = jmi_scale,
  # One target: the label set, or the combination of the classes.
  targets = \(input, params) matrix(label_set_numbers(input$task$targets)))
register_greedy("group_jmi", "Group-JMI-Rand", "Sechidis et al. (2019)", jmi_criterion,
  kinds = target_kinds, targets = grouped_targets, weights = FALSE, score = jmi_scale,
  check = refuse_own_rows("groups", "its groups"))

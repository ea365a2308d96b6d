#' Greedy selection by mutual information
#'
#' These selectors add one feature at a time, the one with the largest score \eqn{J(f \mid S)} given the set \eqn{S} of those
#' already selected. All are built from the same sums, in bits, over labels \eqn{l}:
#' \deqn{R(f) = \sum_l I(f; l), \quad \mathrm{ld}(f) = \sum_{l < l'} I(f; l; l'), \quad
#'   C(f, s) = \sum_l I(f; s; l),}
#' where \eqn{I(a; b; c) = I(a; b) - I(a; b \mid c)} may be negative and is never clipped.
#'
#' | | score | first feature |
#' | --- | --- | --- |
#' | `sel_ami()` | \eqn{R(f) - \sum_{s \in S} I(f; s)} | largest \eqn{R} |
#' | `sel_scls()` | \eqn{R(f) (1 - \sum_{s \in S} I(f; s) / H(f))} | largest \eqn{R} |
#' | `sel_d2f()` | \eqn{R(f) - \sum_{s \in S} C(f, s)} | largest \eqn{R} |
#' | `sel_pmu()` | \eqn{R(f) - \mathrm{ld}(f) - \sum_{s \in S} C(f, s)} | largest \eqn{R - \mathrm{ld}} |
#' | `sel_mdmr()` | \eqn{R(f) - \frac{1}{|S|} \sum_{s \in S} [I(f; s) - \sum_l I(f; l \mid s)]} | largest \eqn{R} |
#' | `sel_lrfs()` | \eqn{(q - 1) R(f) - 2 \mathrm{ld}(f) - \frac{1}{|S|} \sum_{s \in S} I(f; s)} | largest \eqn{(q - 1) R - 2 \mathrm{ld}} |
#'
#' AMI and SCLS look at pairs of variables only and cost little more than [sel_mim()]. D2F and MDMR
#' count each feature with the newest selected one and every label. PMU and LRFS also look at every pair of labels once
#' (labels that are always on are left out; with a single label LRFS starts from \eqn{R}).
#'
#' Scores may turn negative; selection never stops early unless `min_gain` or `max_seconds` say so. Equal scores go to the
#' earlier column. The published programs of AMI and D2F do not compute their papers' formulas: AMI here is the paper's;
#' `sel_d2f(variant = "code2015")` repeats the program's, which subtracts the terms of a selected feature again at every later
#' step.
#'
#' @param base Base of the logarithm: 2 for bits. It never changes a selection.
#' @param variant `"paper"`, or `"code2015"` for what the published program computes.
#' @return A selector for [sift_features()]. They need discrete features (continuous ones are cut first) and labels; all but
#'   PMU and LRFS also take classes, and numeric targets through `target_bins`.
#' @references
#' AMI: Lee, Lim and Kim (2012). Approximating mutual information for multi-label feature selection. Electronics Letters
#' 48, 929-930.
#'
#' PMU: Lee and Kim (2013). Feature selection for multi-label classification using multivariate mutual information. Pattern
#' Recognition Letters 34, 349-357.
#'
#' D2F: Lee and Kim (2015). Mutual information-based multi-label feature selection using interaction information. Expert
#' Systems with Applications 42, 2013-2025.
#'
#' SCLS: Lee and Kim (2017). SCLS: Multi-label feature selection based on scalable criterion for large label set. Pattern
#' Recognition 66, 342-352.
#'
#' MDMR: Lin, Hu, Liu and Duan (2015). Multi-label feature selection based on max-dependency and min-redundancy.
#' Neurocomputing 168, 92-103.
#'
#' LRFS: Zhang, Liu and Gao (2019). Distinguishing two types of labels for multi-label feature selection. Pattern
#' Recognition 95, 72-82.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' sift_features(task, sel_scls(), k = 4)
#' as.data.frame(sift_features(task, sel_d2f(), k = 3))
#' @name greedy_selectors
NULL

#' @rdname greedy_selectors
#' @export
sel_ami <- function(base = 2) linear_selector("AMI", base, redundancy = 1)

#' @rdname greedy_selectors
#' @export
sel_scls <- function(base = 2) new_selector("SCLS", "greedy", list(criterion = "scls", base = check_base(base)))

#' @rdname greedy_selectors
#' @export
sel_d2f <- function(variant = c("paper", "code2015"), base = 2) {
  variant <- check_choice(variant, c("paper", "code2015"))
  if (variant == "paper") return(linear_selector("D2F", base, conditional = 1))
  new_selector("D2F-2015", "greedy", list(criterion = "d2f2015", base = check_base(base)))
}

#' @rdname greedy_selectors
#' @export
sel_pmu <- function(base = 2) linear_selector("PMU", base, label_interaction = 1, conditional = 1, method = "greedy_pairs")

#' @rdname greedy_selectors
#' @export
sel_mdmr <- function(base = 2) new_selector("MDMR", "greedy", list(criterion = "mdmr", base = check_base(base)))

#' @rdname greedy_selectors
#' @export
sel_lrfs <- function(base = 2) new_selector("LRFS", "greedy_pairs", list(criterion = "lrfs", base = check_base(base)))

#' A linear family of greedy criteria
#'
#' Tries a new trade-off without writing code. Features are added one at a time by
#' \deqn{J(f \mid S) = a R(f) - b\, \mathrm{ld}(f) - w \sum_{s \in S} \Bigl[ c\, I(f; s) + e \sum_l I(f; s; l) \Bigr],}
#' with \eqn{R(f) = \sum_l I(f; l)}, \eqn{\mathrm{ld}(f) = \sum_{l < l'} I(f; l; l')}, and \eqn{w = 1 / |S|} if `average`, else 1.
#' The coefficients \eqn{a, b, c, e} are `relevance`, `label_interaction`, `redundancy` and `conditional`.
#'
#' Special cases: MIM-BR (1, 0, 0, 0), AMI (1, 0, 1, 0), D2F (1, 0, 0, 1), PMU (1, 1, 0, 1); with `average`, LRFS
#' (q - 1, 2, 1, 0), MDMR after its first step (2, 0, 1, 1), and in order, though not in score, Single-JMI (1, 0, 0, 1).
#'
#' @param relevance,label_interaction,redundancy,conditional A number each, or a function of the number of labels that vary
#'   (those that are on in some rows and off in others).
#' @param average Whether to divide the sum over selected features by their number.
#' @inheritParams greedy_selectors
#' @return A selector for [sift_features()]. It needs discrete features and labels; with `label_interaction = 0` also takes
#'   classes.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' sift_features(task, sel_greedy(redundancy = 0.5, average = TRUE), k = 4)
#' lrfs <- sel_greedy(function(q) q - 1, label_interaction = 2, redundancy = 1, average = TRUE)
#' sift_features(task, lrfs, k = 4)
#' @export
sel_greedy <- function(relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0, average = FALSE, base = 2) {
  coefficient <- function(value, arg, call = rlang::caller_env()) {
    if (is.function(value)) value else check_number(value, min = -1e6, max = 1e6, arg = arg, call = call)
  }
  weights <- list(
    relevance = coefficient(relevance, "relevance"), label_interaction = coefficient(label_interaction, "label_interaction"),
    redundancy = coefficient(redundancy, "redundancy"), conditional = coefficient(conditional, "conditional"), average = check_flag(average)
  )
  pairs <- is.function(label_interaction) || label_interaction != 0
  new_selector("Greedy", if (pairs) "greedy_pairs" else "greedy", c(list(criterion = "linear"), weights, list(base = check_base(base))))
}

linear_selector <- function(name, base, relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0, average = FALSE,
                            method = "greedy", call = rlang::caller_env()) {
  new_selector(name, method, list(
    criterion = "linear", relevance = relevance, label_interaction = label_interaction, redundancy = redundancy, conditional = conditional,
    average = average, base = check_base(base, call = call)
  ))
}

# --- running ------------------------------------------------------------------------------------------------------------

# The criterion for the core, its coefficients numbers, and the targets it is to see.
greedy_plan <- function(input, params) {
  task <- input$task
  kind <- task_kind(task)
  labels <- kind == "label"
  on <- if (labels) Matrix::colSums(task$y)
  varying <- if (labels) which(on > 0 & on < nrow(task$y)) else seq_len(ncol(task$y))
  q <- length(varying)
  number <- function(value) if (is.function(value)) coefficient_of(value, q, input$call) else value
  weights <- list(relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0, average = FALSE)
  given <- intersect(names(weights), names(params))
  weights[given] <- lapply(params[given], number)
  name <- params$criterion
  targets <- switch(kind, label = task$y, class = target_codes(task))
  if (name == "jmi") {
    targets <- jmi_targets(input, params, targets)
    if (params$normalize == "sqrt") name <- "normalized_jmi"
  }
  if (name == "lrfs") {
    name <- "linear"
    weights <- if (q > 1) list(relevance = q - 1, label_interaction = 2, redundancy = 1, conditional = 0, average = TRUE)
      else list(relevance = 1, label_interaction = 0, redundancy = 1, conditional = 0, average = TRUE)
  }
  list(criterion = list(name = name, weights = weights), varying = varying, targets = targets)
}

coefficient_of <- function(value, q, call) {
  number <- value(q)
  if (!is.numeric(number) || length(number) != 1L || !is.finite(number)) {
    found <- describe(number)
    abort(c("A coefficient that is a function must return one number.", x = "For q = {q} it returned {found}."), call = call)
  }
  number
}

# Class targets as an integer matrix.
target_codes <- function(task) {
  codes <- vapply(task$y, as.integer, integer(nrow(task$y)))
  dim(codes) <- dim(task$y)
  codes
}

label_interactions <- function(input, plan) {
  if (plan$criterion$weights$label_interaction == 0) return(numeric())
  cpp_label_interaction(input$task$x, input$cuts, input$right, input$task$y, plan$varying, input$threads)
}

run_greedy <- function(input, params, state = NULL, begin = input$include) {
  input$groups <- state$groups
  base <- if (identical(params$normalize, "sqrt")) 2 else params$base  # ratios of entropies have no unit
  plan <- greedy_plan(input, params)
  interaction <- state$interaction %||% label_interactions(input, plan)
  path <- cpp_greedy(input$task$x, input$cuts, input$right, plan$targets, plan$criterion, interaction, greedy_options(input, begin, base), state$sums,
                     input$threads)
  result <- greedy_result(input, path, begin, base)
  result$state$interaction <- interaction
  result$state$groups <- attr(plan$targets, "groups")
  result
}

# What the core is told of sift_features()'s wishes.
greedy_options <- function(input, begin, base = 2) {
  list(k = input$k, begin = begin, excluded = input$excluded, min_gain = input$min_gain * log2(base), max_seconds = input$max_seconds)
}

# The ranking from the path of a greedy run after `begin`, with what extend_selection() needs to go on.
greedy_result <- function(input, path, begin, base = 2) {
  if (path$end == 3L) {
    selected <- length(path$index)
    warn(c("Interrupted: the first {length(begin) + selected} feature{?s} of {input$k} are given.", i = "{.fn extend_selection} goes on from there."), call = input$call)
  }
  names <- colnames(input$task$x)
  none <- rep(NA_real_, length(begin))
  score <- c(none, in_base(path$score, base))
  list(
    index = c(begin, path$index), score = score, ordered = TRUE,
    path = data.frame(gain = score, runner_up = c(rep(NA_character_, length(begin)), names[path$runner_up]),
                      runner_up_score = c(none, in_base(path$runner_up_score, base))),
    state = list(sums = path$state, relevance = path$relevance, excluded = input$excluded, target_bins = input$target_bins)
  )
}

register("selectors", "greedy",
  constructor = c("sel_ami()", "sel_scls()", "sel_d2f()", "sel_mdmr()", "sel_single_jmi()", "sel_joint_jmi()", "sel_greedy()"),
  name = c("AMI", "SCLS", "D2F", "MDMR", "Single-JMI", "Joint-JMI", "Greedy"), kinds = c("label", "class"), needs = "codes", greedy = TRUE,
  source = c("Lee, Lim & Kim (2012)", "Lee & Kim (2017)", "Lee & Kim (2015)", "Lin et al. (2015)", "Sechidis et al. (2019)", "Sechidis et al. (2019)", "mlsift"),
  run = run_greedy
)

register("selectors", "greedy_pairs",
  constructor = c("sel_pmu()", "sel_lrfs()", "sel_greedy(label_interaction = )"), name = c("PMU", "LRFS", "Greedy"), kinds = "label", needs = "codes",
  greedy = TRUE, source = c("Lee & Kim (2013)", "Zhang, Liu & Gao (2019)", "mlsift"),
  run = run_greedy
)

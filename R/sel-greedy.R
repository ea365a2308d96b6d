#' Greedy selection by mutual information
#'
#' These selectors add one feature at a time. Each step adds the feature with the largest score \eqn{J(f \mid S)}{J(f |
#' S)}, where \eqn{S} is the set of the features selected so far.
#'
#' All scores consist of the same sums over labels \eqn{l}, in bits:
#' \deqn{R(f) = \sum_l I(f; l), \quad \mathrm{ld}(f) = \sum_{l < l'} I(f; l; l'), \quad
#'   C(f, s) = \sum_l I(f; s; l),}{R(f) = sum over l of I(f; l),
#' ld(f) = sum over pairs l < l' of I(f; l; l'),
#' C(f, s) = sum over l of I(f; s; l),}
#' where \eqn{I(a; b; c) = I(a; b) - I(a; b \mid c)}{I(a; b; c) = I(a; b) - I(a; b | c)} may be negative and is never
#' clipped.
#'
#' * `sel_ami()`: \eqn{R(f) - \sum_{s \in S} I(f; s)}{R(f) - sum over s of I(f; s)}
#' * `sel_scls()`: \eqn{R(f) (1 - \sum_{s \in S} I(f; s) / H(f))}{R(f) (1 - sum over s of I(f; s) / H(f))}
#' * `sel_d2f()`: \eqn{R(f) - \sum_{s \in S} C(f, s)}{R(f) - sum over s of C(f, s)}
#' * `sel_pmu()`: \eqn{R(f) - \mathrm{ld}(f) - \sum_{s \in S} C(f, s)}{R(f) - ld(f) - sum over s of C(f, s)}
#' * `sel_mdmr()`: \eqn{R(f) - \frac{1}{|S|} \sum_{s \in S} [I(f; s) - \sum_l I(f; l \mid s)]}{R(f) - mean over s of
#'   (I(f; s) - sum over l of I(f; l | s))}
#' * `sel_lrfs()`: \eqn{(q - 1) R(f) - 2 \mathrm{ld}(f) - \frac{1}{|S|} \sum_{s \in S} I(f; s)}{(q - 1) R(f) - 2 ld(f) -
#'   mean over s of I(f; s)}
#' * `sel_lsmfs()`: \eqn{R(f) + 2 \sum_{l < l'} \max(0, I(f; l; l')) - \sum_{s \in S} I(f; s)}{R(f) + 2 sum over pairs
#'   l < l' of max(0, I(f; l; l')) - sum over s of I(f; s)}
#' * `sel_mlsmfs()`: \eqn{R(f) + \max_{l \ne l'} I(f; l \mid l') - \sum_{s \in S} I(f; s)}{R(f) + max over l != l' of
#'   I(f; l | l') - sum over s of I(f; s)}
#'
#' Before a feature is selected, the terms with \eqn{s} are 0. So the first feature has the largest score without them,
#' which is \eqn{R} for four of these selectors.
#'
#' AMI and SCLS use pairs of variables only and cost little more than [sel_mim()]. At each step, D2F and MDMR count each
#' feature together with the feature selected last and every label. PMU, LRFS, LSMFS and MLSMFS also count each feature
#' with every pair of labels once. They leave out labels that all rows have. With a single label, LRFS starts from
#' \eqn{R}, and LSMFS and MLSMFS are AMI.
#'
#' Where labels are [unknown][unknown_labels], a pair of labels is used in the rows in which both are known. LRFS then
#' starts from the sum over \eqn{l \ne l'}{l != l'} of \eqn{I(f; l \mid l')}{I(f; l | l')} in these rows, which is
#' \eqn{(q - 1) R(f) - 2 \mathrm{ld}(f)}{(q - 1) R(f) - 2 ld(f)} where all labels are known.
#'
#' LSMFS and MLSMFS follow the program PyIT-MLFS in its version of October 2021, which is not by the authors of the
#' paper. We found neither the text of the paper nor a program of its authors, so the formulas are not checked against
#' it. The sign of the pairs in LSMFS is doubtful: a feature with more information about a label *given* another one
#' has a negative \eqn{I(f; l; l')}. MLSMFS rewards such features, LSMFS the opposite.
#'
#' Selection stops early only with `min_gain` or `max_seconds`. Of equal scores, the one of
#' the earlier column is used. The published programs of AMI and D2F do not compute the formulas of their papers. AMI
#' here is the formula of the paper. `sel_d2f(variant = "code2015")` repeats the published program, which subtracts the
#' terms of a selected feature again at every later step.
#'
#' @param base Base of the logarithm: 2 for bits. It never changes a selection.
#' @param variant `"paper"`, or `"code2015"` for what the published program computes.
#' @return `r takes("ami", "scls", "d2f", "pmu", "mdmr", "lrfs", "lsmfs", "mlsmfs")`
#' @references `r papers(AMI = "LeeLimKim2012", PMU = "LeeKim2013", D2F = "LeeKim2015a", SCLS = "LeeKim2017")`
#'
#' `r papers(MDMR = "Lin2015", LRFS = "ZhangLiuGao2019", "LSMFS and MLSMFS" = "ZhangLiuGaoSong2021")`
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_scls(), k = 4)
#' as.data.frame(sift_features(help_pages, sel_d2f(), k = 3))
#' sift_features(help_pages, sel_lsmfs(), k = 4)
#' @eval usages("sel_ami", "sel_scls", "sel_d2f", "sel_pmu", "sel_mdmr", "sel_lrfs", "sel_lsmfs", "sel_mlsmfs")
#' @name greedy_selectors
NULL

#' A linear family of greedy criteria
#'
#' Makes a greedy selector from a weighted sum, so that you can try a new trade-off without writing code. Features are
#' added one at a time by
#' \deqn{J(f \mid S) = a R(f) - b\, \mathrm{ld}(f) - w \sum_{s \in S} \Bigl[ c\, I(f; s) + e \sum_l I(f; s; l) \Bigr],
#' }{J(f | S) = a R(f) - b ld(f)
#' - w sum over s in S of (c I(f; s) + e sum over l of I(f; s; l)),}
#' with \eqn{R(f) = \sum_l I(f; l)} and \eqn{\mathrm{ld}(f) = \sum_{l < l'} I(f; l; l')}{ld(f) = sum over pairs l < l'
#' of I(f; l; l')}. The factor \eqn{w} is \eqn{1 / |S|} if `average` is `TRUE`, and 1 otherwise. The coefficients
#' \eqn{a, b, c, e} are `relevance`, `label_interaction`, `redundancy` and `conditional`.
#'
#' Special cases of \eqn{(a, b, c, e)} are MIM-BR (1, 0, 0, 0), AMI (1, 0, 1, 0), D2F (1, 0, 0, 1) and PMU (1, 1, 0, 1).
#' With `average`, they are LRFS (q - 1, 2, 1, 0), MDMR after its first step (2, 0, 1, 1), and Single-JMI (1, 0, 0, 1),
#' which has the same order but other scores.
#'
#' @param relevance,label_interaction,redundancy,conditional A number each, or a function of the number of labels that
#'   vary. These are the labels that some rows have and others do not.
#' @param average Whether to divide the sum over selected features by their number.
#' @inheritParams greedy_selectors
#' @return `r takes("greedy")` With `label_interaction` it takes labels only.
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_greedy(redundancy = 0.5, average = TRUE), k = 4)
#' lrfs <- sel_greedy(function(q) q - 1, label_interaction = 2, redundancy = 1, average = TRUE)
#' sift_features(help_pages, lrfs, k = 4)
#' @export
sel_greedy <- function(relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0, average = FALSE,
                       base = 2) {
  coefficient <- function(value, arg) {
    if (is.function(value)) value else check_number(value, min = -1e6, max = 1e6, arg = arg)
  }
  weights <- list(relevance = coefficient(relevance, "relevance"),
    label_interaction = coefficient(label_interaction, "label_interaction"),
    redundancy = coefficient(redundancy, "redundancy"), conditional = coefficient(conditional, "conditional"),
    average = check_flag(average))
  new_selector("Greedy", "greedy", c(weights, list(base = check_base(base))))
}

# --- running ----------------------------------------------------------------------------------------------------------

# A criterion in the form that the core takes: "linear" with these weights, or the name of another criterion with what
# it needs (`...`). `in_bits`: whether its scores are in bits and are converted to the requested base. `label_pairs`:
# what `label_interaction` weights, see label_pair_scores(). `unknown`: the criterion to use if labels are unknown in
# some rows, NULL for the same one.
greedy_criterion <- function(name = "linear", relevance = 1, label_interaction = 0, redundancy = 0, conditional = 0,
                             average = FALSE, in_bits = TRUE, label_pairs = "interaction", unknown = NULL, ...) {
  weights <- list(relevance = relevance, label_interaction = label_interaction, redundancy = redundancy,
    conditional = conditional, average = average)
  list(name = name, weights = weights, in_bits = in_bits, label_pairs = label_pairs, unknown = unknown, ...)
}

# For each feature, what a criterion uses from the pairs of these labels: "interaction", ld(f), or their contribution to
# the relevance, as a "sum" or the "largest"; with unknown labels also "given", the sum of I(f; l | l').
label_pair_scores <- function(input, label_pairs, labels) {
  check_label_pairs(length(labels), if (input$unknown) 144 else if (label_pairs == "interaction") 28 else 36)
  paired <- input$paired_rows(labels)
  cpp_label_pairs(paired$rows, paired$labels, label_pairs, input$threads)
}

coefficient_of <- function(value, q) {
  number <- value(q)
  if (!is.numeric(number) || length(number) != 1L || !is.finite(number)) abort(c(
    "A coefficient that is a function must return one number.", x = "For q = {q} it returned {describe(number)}."
  ))
  number
}

# Registers a greedy selector. `criterion(params, q)`: its criterion for q varying targets. `targets(input,
# params)`: the targets that it uses, NULL for those of the task, which may be unknown in some rows. `score`, `...`: as
# in register_selector().
register_greedy <- function(method, name, source, criterion, targets = NULL, kinds = c("label", "class"),
                            beyond = NULL, weights = TRUE, score = information_scale(-Inf), ...) {
  problem <- greedy_problem(criterion, targets)
  register_selector(method, name = name, source = source, kinds = kinds, needs = "codes", gives = "path",
    run = greedy_run(problem), problem = problem, criterion = if (is.null(targets) && is.null(beyond)) criterion,
    beyond = beyond, weights = weights, unknown = is.null(targets), score = score, ...)
}

# The same for one whose only parameter is `base`; returns its constructor.
greedy_selector <- function(method, name, ...) {
  register_greedy(method, name, ...)
  rlang::inject(function(base = 2) new_selector(!!name, !!method, list(base = check_base(base))), topenv())
}

greedy_problem <- function(criterion, targets) {
  targets <- targets %||% \(input, params) NULL
  function(input, params, state = NULL) {
    input$groups <- state$groups
    varying <- input$varying
    wanted <- criterion(params, length(varying))
    if (input$unknown) wanted <- wanted$unknown %||% wanted
    interaction <- state$interaction %||% if (uses_pairs(wanted)) {
      label_pair_scores(input, wanted$label_pairs, varying)
    } else numeric()
    list(criterion = wanted, y = targets(input, params), interaction = interaction)
  }
}

greedy_run <- function(problem) function(input, params, state = NULL, begin = input$include) {
  of <- problem(input, params, state)
  base <- if (of$criterion$in_bits) params$base else 2
  path <- cpp_greedy(core_rows(input, of$y), of$criterion, of$interaction, greedy_options(input, begin, base),
    state$sums, input$threads)
  result <- greedy_result(input, path, begin, base)
  result$state$interaction <- of$interaction
  result$state$groups <- attr(of$y, "groups")
  result
}

# Tables of all pairs of labels take memory quadratic in the number of labels.
check_label_pairs <- function(q, bytes_each = 28, most = 2^33) {
  bytes <- bytes_each * q^2
  if (bytes <= most) return(invisible())
  abort(c("Pairs of labels need {round(bytes / 2^30)} GB of memory.", x = "There are {format_count(q)} labels.",
    i = "Use a criterion without pairs of labels, such as {.fn sel_scls}, or fewer labels."))
}

# The ranking from the path of a greedy run after `begin`, with the state from which extend_selection() resumes.
greedy_result <- function(input, path, begin, base = 2) {
  names <- input$names
  none <- rep(NA_real_, length(begin))
  score <- c(none, in_base(path$score, base))
  list(
    index = c(begin, path$index), score = score, ordered = TRUE,
    late = path$end == 2L, interrupted = path$end == 3L, no_room = path$end == 4L,
    path = list(gain = score, runner_up = c(rep(NA_character_, length(begin)), names[path$runner_up]),
      runner_up_score = c(none, in_base(path$runner_up_score, base))),
    rest = in_base(path$rest, base),
    state = list(sums = path$state, relevance = path$relevance, excluded = input$excluded, constants = input$constants,
      target_bins = input$target_bins, units = input$units)
  )
}

sel_ami <- greedy_selector("ami", "AMI", "Lee, Lim & Kim (2012)", \(params, q) greedy_criterion(redundancy = 1))
sel_scls <- greedy_selector("scls", "SCLS", "Lee & Kim (2017)", \(params, q) greedy_criterion("scls"))

sel_d2f <- function(variant = c("paper", "code2015"), base = 2) {
  variant <- check_choice(variant)
  new_selector(if (variant == "paper") "D2F" else "D2F-2015", "d2f", list(variant = variant, base = check_base(base)))
}

register_greedy("d2f", "D2F", "Lee & Kim (2015)", criterion = function(params, q) {
  if (params$variant == "paper") greedy_criterion(conditional = 1) else greedy_criterion("d2f2015")
})

sel_mdmr <- greedy_selector("mdmr", "MDMR", "Lin et al. (2015)", \(params, q) greedy_criterion("mdmr"))
sel_pmu <- greedy_selector("pmu", "PMU", "Lee & Kim (2013)", kinds = "label",
  criterion = \(params, q) greedy_criterion(label_interaction = 1, conditional = 1))

# If labels are unknown, the sum over pairs of I(f; l | l') does not follow from R(f).
sel_lrfs <- greedy_selector("lrfs", "LRFS", "Zhang, Liu & Gao (2019)", kinds = "label",
  criterion = function(params, q) {
    of <- function(...) greedy_criterion(..., redundancy = 1, average = TRUE)
    if (q == 1) return(of())
    known <- of(relevance = 0, label_interaction = -1, label_pairs = "given")
    of(relevance = q - 1, label_interaction = 2, unknown = known)
  })

# With a single label there are no pairs.
supplement <- function(label_pairs) function(params, q) {
  greedy_criterion(label_interaction = if (q > 1) -1 else 0, redundancy = 1, label_pairs = label_pairs)
}

sel_lsmfs <- greedy_selector("lsmfs", "LSMFS", "Zhang et al. (2021)", supplement("sum"), kinds = "label")
sel_mlsmfs <- greedy_selector("mlsmfs", "MLSMFS", "Zhang et al. (2021)", supplement("largest"), kinds = "label")

linear_criterion <- function(params, q) {
  weights <- lapply(params[names(params) != "base"],
    \(value) if (is.function(value)) coefficient_of(value, q) else value)
  do.call(greedy_criterion, weights)
}

register_greedy("greedy", c("Greedy", "Greedy"), "mlsift", linear_criterion,
  constructor = c("sel_greedy()", "sel_greedy(label_interaction = )"),
  # Pairs are counted for labels only.
  kinds = function(params) if (identical(params$label_interaction, 0)) c("label", "class") else "label",
  variants = list(list(label_interaction = 0), list(label_interaction = 1)))

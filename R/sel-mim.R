#' MIM-BR: summed mutual information with the labels
#'
#' Ranks features by
#' \deqn{J(f) = R(f) = \sum_l I(f; l),}{J(f) = R(f) = sum over l of I(f; l),}
#' the sum of the mutual information with each label, estimated from counts. Each feature is scored alone, so copies of
#' a good feature get the same score.
#'
#' @section Features with many levels:
#' The information that is estimated from counts is too large, the more so the more levels a feature has. A row id has
#' all the information about every label. `adjust` subtracts an estimate of the excess:
#' * `"chance"` subtracts the information that would be expected if the rows of the targets were in random order, with
#'   the same number of rows for each level and label (Vinh et al. 2010, eq. 24a). A row id then scores 0.
#' * `"miller-madow"` subtracts \eqn{(m_{fl} - m_f - m_l + 1) / (2 N)}{(m_fl - m_f - m_l + 1) / (2 N)} nats for each
#'   label, where \eqn{m} is the number of levels, or of pairs of levels, that some row has (Miller 1955). It suits
#'   features with few rows for each pair of levels, and does not help against row ids, whose pairs are as many as their
#'   levels.
#'
#' Adjusted scores may be negative. [drop_features()] removes row ids.
#'
#' @param base (number) Base of the logarithm: 2 for bits, `exp(1)` for nats. It scales the scores and never changes the
#'   order.
#' @param adjust What is subtracted from the information of features with many levels; see below.
#' @return A selector for [sift_features()]. It needs labels or classes, and discrete features; continuous features are
#'   discretized first. Scores are in bits unless `base` is changed. Without `adjust` they are not negative, labels that
#'   no row has add 0, and constant features score 0.
#' @details The cost is one pass over the nonzero cells: for every feature, the labels of the rows outside its most
#'   frequent level are counted, for all labels at once.
#' @references
#' Yang and Pedersen (1997). A comparative study on feature selection in text categorization. ICML, 412-420.
#'
#' Sechidis, Spyromitros-Xioufis and Vlahavas (2019). Information theoretic multi-target feature selection via output
#' space quantization. Entropy 21, 855.
#'
#' Miller (1955). Note on the bias of information estimates. Information Theory in Psychology, 95-100.
#'
#' Vinh, Epps and Bailey (2010). Information theoretic measures for clusterings comparison: variants, properties,
#' normalization and correction for chance. JMLR 11, 2837-2854.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 8, n_targets = 3)
#' sift_features(task, sel_mim(), k = 4)
#' @export
sel_mim <- function(base = 2, adjust = c("none", "chance", "miller-madow")) {
  adjust <- check_choice(adjust, c("none", "chance", "miller-madow"))
  name <- c(none = "MIM-BR", chance = "MIM-BR-chance", "miller-madow" = "MIM-BR-MM")[[adjust]]
  new_selector(name, "mim", list(base = check_base(base), adjust = adjust))
}

register_selector("mim",
  constructor = "sel_mim()", name = "MIM-BR", kinds = c("label", "class"), needs = "codes",
  source = "Yang & Pedersen (1997)",
  weights = function(params) identical(params$adjust %||% "none", "none"),
  unknown = function(params) identical(params$adjust %||% "none", "none"),
  run = function(input, params) {
    task <- input$task
    bits <- if (task_kind(task) == "label" && is.null(task$unknown)) {
      cpp_score_mim(task$x, input$cuts, input$right, task$y, input$threads)
    } else relevance_of(input)
    rank_scores(in_base(bits - information_bias(input, params), params$base), input = input)
  },
  from_counts = function(tables, params, call) {
    bias <- 0
    if (params$adjust != "none") {
      bias <- cpp_bias_of_counts(tables, as.list(which(tables$in_target > 0)), TRUE, params$adjust == "chance")
    }
    in_base(cpp_mim_of_counts(tables) - bias, params$base)
  }
)

# R(f) of classes, or of labels of which some are unknown, in bits.
relevance_of <- function(input) {
  task <- input$task
  facts <- cpp_relevance(task$x, input$cuts, input$right, coded_targets(task), input$weights, input$threads)
  pmax(facts$relevance, 0)
}

# What `adjust` subtracts, in bits.
information_bias <- function(input, params) {
  if (params$adjust == "none") return(0)
  task <- input$task
  labels <- task_kind(task) == "label"
  y <- if (labels) task$y else class_indicators(task)
  on <- which(Matrix::colSums(y) > 0)
  columns <- if (labels) as.list(on) else split(on, attr(y, "target")[on])
  cpp_information_bias(
    task$x, input$cuts, input$right, y, unname(columns), labels, params$adjust == "chance", input$threads
  )
}

# A 0/1 column for each class of each target; the attribute `target` says of which.
class_indicators <- function(task) {
  parts <- lapply(task$y, \(target) vapply(levels(target), \(level) as.integer(target == level), integer(nrow(task$x))))
  structure(do.call(cbind, parts), target = rep(seq_along(parts), vapply(parts, ncol, 0L)))
}

check_base <- function(base, call = rlang::caller_env()) check_number(base, 1, above = TRUE, finite = TRUE, call = call)

in_base <- function(bits, base) if (base == 2) bits else bits / log2(base)

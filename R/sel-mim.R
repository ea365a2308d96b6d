#' MIM-BR: summed mutual information with the labels
#'
#' Ranks features by
#' \deqn{J(f) = R(f) = \sum_l I(f; l),}
#' the sum of the mutual information with each label, estimated from counts. Each feature is scored alone, so copies of
#' a good feature get the same score.
#'
#' @param base (number) Base of the logarithm: 2 for bits, `exp(1)` for nats. It scales the scores and never changes the
#'   order.
#' @return A selector for [sift_features()]. It needs labels or classes, and discrete features; continuous features are
#'   discretized first. Scores are not negative, and in bits unless `base` is changed. Labels that no row has add 0.
#'   Constant features score 0.
#' @details The cost is one pass over the nonzero cells: for every feature, the labels of the rows outside its most
#'   frequent level are counted, for all labels at once.
#' @references
#' Yang and Pedersen (1997). A comparative study on feature selection in text categorization. ICML, 412-420.
#'
#' Sechidis, Spyromitros-Xioufis and Vlahavas (2019). Information theoretic multi-target feature selection via output
#' space quantization. Entropy 21, 855.
#' @family selectors
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 8, n_targets = 3)
#' sift_features(task, sel_mim(), k = 4)
#' @export
sel_mim <- function(base = 2) new_selector("MIM-BR", "mim", list(base = check_base(base)))

register_selector("mim",
  constructor = "sel_mim()", name = "MIM-BR", kinds = c("label", "class"), needs = "codes",
  source = "Yang & Pedersen (1997)",
  run = function(input, params) {
    task <- input$task
    bits <- if (task_kind(task) == "label") cpp_score_mim(task$x, input$cuts, input$right, task$y, input$threads)
      else pmax(cpp_relevance(task$x, input$cuts, input$right, coded_targets(task), input$threads)$relevance, 0)
    rank_scores(in_base(bits, params$base))
  },
  from_counts = \(tables, params, call) in_base(cpp_mim_of_counts(tables), params$base)
)

check_base <- function(base, call = rlang::caller_env()) check_number(base, 1, above = TRUE, finite = TRUE, call = call)

in_base <- function(bits, base) if (base == 2) bits else bits / log2(base)

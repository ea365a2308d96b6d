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
#' The excess of a label that is [unknown][unknown_labels] in some rows is that in the other rows. [drop_features()]
#' removes row ids.
#'
#' @param base (number) Base of the logarithm: 2 for bits, `exp(1)` for nats. It scales the scores and never changes the
#'   order.
#' @param adjust What is subtracted from the information of features with many levels; see below.
#' @return `r takes("mim")` With `adjust` it takes no weights, and scores may be negative. Without, labels that no row
#'   has add 0, and constant features score 0.
#' @references `r papers("YangPedersen1997", "Sechidis2019")`
#'
#'   Miller (1955). Note on the bias of information estimates. Information Theory in Psychology, 95-100.
#'
#'   Vinh, Epps and Bailey (2010). Information theoretic measures for clusterings comparison: variants, properties,
#'   normalization and correction for chance. JMLR 11, 2837-2854.
#' @family selectors
#' @examples
#' sift_features(help_pages, sel_mim(), k = 4)
#' @export
sel_mim <- function(base = 2, adjust = c("none", "chance", "miller-madow")) {
  adjust <- check_choice(adjust)
  name <- c(none = "MIM-BR", chance = "MIM-BR-chance", "miller-madow" = "MIM-BR-MM")[[adjust]]
  new_selector(name, "mim", list(base = check_base(base), adjust = adjust))
}

register_selector("mim",
  name = "MIM-BR", kinds = c("label", "class"), needs = "codes", source = "Yang & Pedersen (1997)",
  weights = function(params) identical(params$adjust %||% "none", "none"),
  unknown = TRUE,
  score = function(params) information_scale(if (identical(params$adjust %||% "none", "none")) 0 else -Inf)(params),
  run = function(input, params) {
    rows <- core_rows(input)
    bits <- cpp_score_mim(rows, input$threads)
    if (params$adjust != "none") bits <- bits - cpp_information_bias(rows, params$adjust == "chance", input$threads)
    rank_scores(in_base(bits, params$base), input = input)
  },
  counts = "targets",
  by_target = function(input, params) {
    if (params$adjust == "none") in_base(cpp_relevance(core_rows(input), TRUE, input$threads), params$base)
  }
)

check_base <- function(base) check_number(base, 1, above = TRUE, finite = TRUE)

in_base <- function(bits, base) if (base == 2) bits else bits / log2(base)

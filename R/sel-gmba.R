#' GMBA: a margin between rows of similar and of other label sets
#'
#' Learns feature weights \eqn{\omega} that bring each row closer to its nearest rows with similar label sets, and push
#' rows with other label sets farther away than these. Notation: \eqn{s_{ij}}{s_ij} is the similarity of label sets
#' ([label_graph()]), \eqn{sim(i)} the rows with \eqn{s \ge} `s_min`, \eqn{dissim(i)} the other rows, and \eqn{nb(i)}
#' the `neighbors` nearest rows of \eqn{sim(i)}. One row after the other takes one step down the gradient of
#' \deqn{Loss(i) = \sum_{j \in nb(i)} s_{ij} \|x_i - x_j\|_\omega^2 + \lambda \sum_{j \in nb(i)} \sum_{u \in dissim(i)}
#' (s_{ij} - s_{iu})
#'   \max\bigl(0,\, m(i) + \|x_i - x_j\|_\omega^2 - \|x_i - x_u\|_\omega^2\bigr),
#' }{Loss(i) = sum over j in nb(i) of s_ij d(i, j)
#' + lambda sum over j in nb(i), u in dissim(i) of
#' (s_ij - s_iu) max(0, m(i) + d(i, j) - d(i, u)),
#' d(i, j) = ||x_i - x_j||_omega^2,}
#' \deqn{\omega \leftarrow \omega - \beta \nabla / \|\nabla\|, \qquad \|z\|_\omega^2 = \sum_d (\omega_d z_d)^2, \qquad
#'   m(i) = \bigl| \|x_i - x_{nh}\|^2 - \|x_i - x_{nm}\|^2 \bigr|,
#' }{omega <- omega - beta g / ||g|| with the gradient g,
#' ||z||_omega^2 = sum over d of (omega_d z_d)^2,
#' m(i) = | ||x_i - x_nh||^2 - ||x_i - x_nm||^2 |,}
#' where \eqn{nh} and \eqn{nm} are the nearest rows of \eqn{sim(i)} and \eqn{dissim(i)}. Neighbors, margins and the
#' choice of the terms above 0 use plain distances, without \eqn{\omega}. Features are ranked by \eqn{\omega}, which may
#' become negative.
#'
#' With `s_min = 1`, rows are similar if they have the same label set. Rows are skipped if they have no labels, fewer
#' than `neighbors` similar rows, or no dissimilar row.
#'
#' @param neighbors (count) Number of nearest similar rows of each row.
#' @param s_min (number, above 0 and at most 1) The smallest similarity of rows that count as similar.
#' @param lambda (number, 0 or more) Weight of the second sum, which pushes dissimilar rows away.
#' @param step (number, above 0) Length \eqn{\beta} of a step.
#' @param epochs (count) Number of passes over all rows.
#' @param row_order The order of the rows: a permutation of the row numbers, used in each epoch. `NULL` draws an order
#'   for each epoch from R's generator. An order belongs to the rows of one task, so benchmarks do not accept it.
#' @param variant `"paper"`: as above. `"code2016"`: as in the authors' program, which differs in four ways. The first
#'   sum uses the similarity of another row, by mistake. The h-th of k neighbors counts k - h + 1 times. There is no
#'   `lambda`, so it must be 1. Rows with fewer than `neighbors` dissimilar rows are skipped too.
#' @param n_rows (count) Use only this number of rows from the start of each epoch's order. `NULL` uses all.
#' @param label_weights `"count"` or `"none"`: weights of labels in the similarity; see [label_graph()].
#' @inheritParams lrn_mlknn
#' @return `r takes("gmba")` Unordered factors with more levels give an error. The weights start at
#'   1. Constant features score `-Inf`.
#' @section Order of rows:
#' The result depends on the order of the rows. The published step of 0.9 does not shrink and weights start at 1, so the
#' last rows have the largest influence. On the emotions data (593 x 72), the first 20 features from two random orders
#' overlap hardly more than by chance. With `step = 0.01` and `epochs = 10` they are all the same (see `bench/gmba.R`).
#' Use a smaller step for a ranking that can be repeated. The default is the published step.
#'
#' Long descents amplify rounding errors. Permuting rows in the task and in `row_order` alike can change the last
#' digits.
#' @details Sums over neighbors are computed from all distances of a few rows at a time, in several threads, and the
#'   steps follow in order. A term counts as above 0 by more than one part in \eqn{10^{10}}{1e10}, because the nearest
#'   dissimilar row often lies exactly at the border. At equal distance the earlier row is nearer.
#'
#'   Time grows with the number of rows that are not skipped, times rows, times features (stored values, if sparse).
#'   Besides two copies of the features, memory holds at most 128 MB of coefficients.
#' @references `r papers("YanLi2016, eqs. 8 and 13 to 16")`
#' @family selectors
#' @examples
#' set.seed(1)
#' sift_features(help_pages, sel_gmba(), k = 4)
#' # Neighbors may differ in some labels:
#' sift_features(help_pages, sel_gmba(s_min = 0.6), k = 4)
#' @export
sel_gmba <- function(neighbors = 3, s_min = 1, lambda = 1, step = 0.9, epochs = 1, row_order = NULL,
                     variant = c("paper", "code2016"), n_rows = NULL, label_weights = c("count", "none"),
                     scale = c("auto", "zscore", "none")) {
  params <- list(neighbors = check_count(neighbors), s_min = check_number(s_min, 0, 1, above = TRUE),
    lambda = check_number(lambda, 0, finite = TRUE), step = check_number(step, 0, above = TRUE, finite = TRUE),
    epochs = check_count(epochs, max = 1000000L), row_order = check_row_order(row_order),
    variant = check_choice(variant), n_rows = check_count(n_rows, null = TRUE),
    label_weights = check_choice(label_weights), scale = check_choice(scale))
  if (params$variant == "code2016" && params$lambda != 1) abort(c(
    "{.arg lambda} must be 1 with {.code variant = \"code2016\"}, whose program has none.", x = "It is {lambda}."
  ))
  new_selector("GMBA", "gmba", params)
}

check_row_order <- function(x) {
  if (is.null(x)) return(NULL)
  n <- length(x)
  found <- if (!is.numeric(x) || n == 0L) describe(x) else if (anyNA(x)) "one with missing values"
  else if (any(x != round(x) | x < 1 | x > n)) paste("one of length", n, "with", x[x != round(x) | x < 1 | x > n][1L])
  else if (anyDuplicated(x)) paste("one with", x[anyDuplicated(x)], "twice")
  if (!is.null(found)) abort(c("{.arg row_order} must be a permutation of the row numbers.", x = "It is {found}."))
  as.integer(x)
}

register_selector("gmba",
  name = "GMBA", kinds = "label", needs = "numbers", source = "Yan & Li (2016)", score = score_scale("weight", -Inf),
  check = refuse_own_rows("row_order", "its order"),
  run = function(input, params) {
    x <- plain_numbers(input$task$x, params$scale, "GMBA")
    orders <- gmba_orders(params, input$task)
    found <- cpp_gmba(x, input$task$targets$values, orders, params$neighbors, params$s_min, params$lambda, params$step,
      params$variant == "code2016", params$scale == "zscore", params$label_weights == "count", 2^24, input$threads)
    if (found$used == 0L) no_row_qualifies(input$task, params)
    rank_scores(found$weight)
  }
)

# The rows of each epoch.
gmba_orders <- function(params, task) {
  n <- nrow(task$x)
  order <- params$row_order
  if (!is.null(order)) {
    all <- all_rows(task$rows, n)
    if (length(order) != all) abort(c("{.arg row_order} must be a permutation of the row numbers.",
      x = "It has {length(order)} element{?s}; the task has {all} row{?s}."))
    order <- match(order, rows_at_hand(task$rows, n))
    order <- order[!is.na(order)]
  }
  lapply(seq_len(params$epochs), function(epoch) utils::head(order %||% sample.int(n), params$n_rows %||% n))
}

no_row_qualifies <- function(task, params) {
  label_sets <- cpp_label_groups(task$targets$values)
  n <- nrow(task$x)
  others <- if (params$s_min == 1) "the same label set" else "a label set of similarity {params$s_min} or more"
  largest <- max(0L, label_sets$count[lengths(label_sets$sets) > 0L])
  few <- !is.null(params$n_rows) && params$n_rows < n
  found <- paste0(if (few) "None of the first {params$n_rows} rows has" else "No row has",
    "; the most frequent label set is on {largest} of {format_count(n)} rows.")
  advice <- c(if (few) "take more {.arg n_rows}",
    "lower {.arg s_min}, for example to {.code s_min = {signif(params$s_min / 2, 2)}}",
    if (params$neighbors > 1L) "use fewer {.arg neighbors}")
  abort(c(paste0("GMBA needs rows that have {.arg neighbors} = {params$neighbors} other{?s} with ", others,
    ", and one that is less similar."),
  x = found, i = paste0("To go on, ", paste(advice, collapse = ", or "), ".")))
}

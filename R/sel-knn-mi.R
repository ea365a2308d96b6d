#' PPT+kNN-MI: nearest-neighbor mutual information with the label set
#'
#' Searches for the set of features with the most information about the label set, estimated from distances between
#' rows. Continuous features are not discretized. Pairs such as XOR, where each feature alone is uninformative, are
#' found once one of the features is selected. The class \eqn{Y} of a row is its label set. Rows whose set occurs fewer
#' than `min_count` times are not used (the pruned problem transformation, PPT).
#'
#' # Estimate
#' \deqn{\hat I(X; Y) = \psi(N) - \frac{1}{N} \sum_{l=1}^{L} n_l\, \psi(n_l) + \frac{d}{N} \Bigl[\sum_{i} \log
#' \epsilon(i, K) -
#'   \sum_{l=1}^{L} \sum_{i \in l} \log \epsilon_l(i, K)\Bigr],}{I(X; Y) = psi(N) - 1 / N sum over l of n_l psi(n_l)
#' + d / N (sum over i of log epsilon(i, K)
#' - sum over l and i in l of log epsilon_l(i, K)),}
#' with \eqn{\psi} the digamma function, \eqn{N} rows, \eqn{n_l} of them in class \eqn{l}, \eqn{d} features, and
#' \eqn{\epsilon(i, K)} and \eqn{\epsilon_l(i, K)} the Euclidean distance from row \eqn{i} to its \eqn{K}-th nearest
#' other row and to its \eqn{K}-th nearest other row of its own class. It is the difference of Kozachenko-Leonenko
#' estimates of \eqn{H(X)} and \eqn{H(X | Y)}. (Equation 4 of Doquire and Verleysen is printed without the sum over
#' classes in its second term.) An estimate of a small information may be negative. The bias grows with \eqn{d}.
#'
#' Repeated values make distances 0, whose logarithm is not finite. `zero_distance` determines what happens then:
#' * `"floor"` puts half the smallest positive distance between any two rows in their place, in both sums;
#' * `"jitter"` first adds \eqn{10^{-10}}{1e-10} standard deviations times numbers drawn evenly between -1 and 1 with
#'   R's generator;
#' * `"ross"` is the estimate of Ross (2014), \eqn{\psi(N) - \frac{1}{N} \sum_l n_l \psi(n_l) + \psi(K) - \frac{1}{N}
#'   \sum_i \psi(m_i)}{psi(N) - sum over l of n_l psi(n_l) / N + psi(K) - mean of psi(m_i)}, with \eqn{m_i} the number
#'   of other rows as near as the \eqn{K}-th neighbor in the class or nearer, ties included. It needs no logarithm;
#' * `"gao"` puts \eqn{\frac{1}{N} \sum_i \psi(k_i)}{mean of psi(k_i)} in the place of \eqn{\psi(K)}, with \eqn{k_i}
#'   those of the \eqn{m_i} rows that are of the class, more than \eqn{K} where there are ties, after Gao et al. (2017).
#'   It is the one for features with many repeated values, such as 0/1, where the others are far too high or too low.
#'
#' # Search
#' * `search = "forward"` begins with the best feature and adds \eqn{\arg\max_f \hat I(X_{S \cup f}; Y)}{the f with the
#'   largest I(X_S and f; Y)}.
#' * `search = "backward"` begins with all features and removes \eqn{\arg\max_f \hat I(X_{S \setminus f}; Y)}{the f with
#'   the largest I(X_S without f; Y)}. The feature removed last is ranked first.
#'
#' Of equal estimates, the lowest column is added or removed. The score of a feature is the estimate for the set of this
#' feature and all features ranked before it, in nats. It may fall from step to step. The search then continues, unless
#' `stop` or `min_gain` ends it. Features that are constant on the rows used are not candidates. They come last, in
#' column order, without a score.
#'
#' # Permutation test
#' `stop_permutation()` is a stopping rule for the forward search, by Francois, Rossi, Wertz and
#' Verleysen (2007). Before the best candidate is added, its values are permuted in `n` random orders. This destroys its
#' information about the labels, but not that of the selected features. The search stops if the estimate of the
#' candidate does not exceed the \eqn{1 - \alpha} quantile of the `n` permuted estimates. Orders are drawn from R's
#' generator. Groups of equal size exchange their values, and values in time move in a circle, see [score_test()].
#'
#' @param min_count (count) Label sets of at least this many rows are used.
#' @param neighbors (count) The \eqn{K} of the estimate. It must be smaller than `min_count`, so that each row has this
#'   many other rows of its class.
#' @param search The direction of the search.
#' @param stop `NULL` or `stop_permutation()`.
#' @param zero_distance What to do with rows at distance 0, see above. With many repeated values, all rules but `"gao"`
#'   give a warning.
#' @param max_rows (count) With more rows than this, the forward search does not keep the distances on the selected
#'   features, but computes them again at each step. Keeping them needs \eqn{8 N^2} bytes, 200 MB for the default. The
#'   result has the same bits. The backward search never keeps them.
#' @inheritParams lrn_mlknn
#' @return `sel_knn_mi()`: `r takes("knn_mi")` Combinations of classes replace label sets. Unordered factors with more
#'   levels give an error, and so do fewer than two label sets of `min_count` rows.
#'
#'   `stop_permutation()`: a rule for `stop`.
#' @details The forward search is greedy like others: `include`, `exclude`, `min_gain`, `max_seconds` and
#'   [extend_selection()] work, and the result has `runner_up` and `runner_up_score`. After an interrupt,
#'   [last_selection()] returns the features found. The backward search supports `include` (never removed) and
#'   `exclude`. It must remove all but one feature to find the best, so `k` and `max_seconds` do not shorten it.
#'   `min_gain` ends its ranking before the first score below.
#'
#' The search is exact. Its time grows with the square of the number of rows. The backward search visits most pairs of
#' rows once few features are left.
#'
#' The numbers are put into a dense table, and the layout of the features does not change the result. With mostly equal
#' values, as words have, `"gao"` looks at nearly all pairs of rows for each feature: 1,500 texts of 1,000 words take
#' some six seconds a step. Two requests are refused for large sparse matrices:
#' * More than 10 million numbers (rows used times columns, 80 MB) are an error: select some hundred features first, for
#'   example with [sel_mim()].
#' * The backward search takes time for each pair of features and each row. It is an error if this product, rows used
#'   times the square of the number of features with values, is above \eqn{10^{11}}{1e11}: select some hundred features
#'   first, then search backward among them.
#' @references `r papers("DoquireVerleysen2011", "GomezVerdejo2009", "Francois2007", "Ross2014", "Gao2017")`
#' @family selectors
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(1200), 200, dimnames = list(NULL, paste0("f", 1:6)))
#' y <- cbind(sum = x[, 2] + x[, 5] > 0, product = x[, 2] * x[, 5] > 0)
#' task <- mltask(x, y)
#' sift_features(task, sel_knn_mi(), k = 3)
#' sift_features(task, sel_knn_mi(stop = stop_permutation()))
#' sift_features(task, sel_knn_mi(search = "backward"), k = 3)
#' @export
sel_knn_mi <- function(min_count = 6, neighbors = 4, search = c("forward", "backward"), stop = NULL,
                       zero_distance = c("floor", "jitter", "ross", "gao"),
                       max_rows = 5000, scale = c("auto", "zscore", "none")) {
  min_count <- check_count(min_count)
  neighbors <- check_count(neighbors)
  if (neighbors >= min_count) abort(c(
    "{.arg neighbors} must be smaller than {.arg min_count}, so that each row has that many others of its label set.",
    x = "{.arg neighbors} is {neighbors}, {.arg min_count} is {min_count}."))
  search <- check_choice(search)
  if (!is.null(stop)) check_class(stop, "mlstop", "Make one with {.fn stop_permutation}, or use NULL for none.")
  if (search == "backward" && !is.null(stop)) abort(c("{.arg stop} belongs to the forward search.",
    i = "Use {.code search = \"forward\"}, or leave {.arg stop} out."))
  params <- list(min_count = min_count, neighbors = neighbors, search = search, stop = stop,
    zero_distance = check_choice(zero_distance), max_rows = check_count(max_rows, min = 0), scale = check_choice(scale))
  new_selector(if (search == "forward") "PPT+kNN-MI" else "PPT+kNN-MI-backward", "knn_mi", params)
}

#' @rdname sel_knn_mi
#' @param n (count) Number of random orders.
#' @param alpha (number) Level of the test.
#' @export
stop_permutation <- function(n = 100, alpha = 0.05) {
  new_settings("mlstop", list(n = check_count(n), alpha = check_number(alpha, min = 0, max = 1)))
}

# --- running ----------------------------------------------------------------------------------------------------------

# `candidates`: the columns that matter.
warn_repeating <- function(data, names, neighbors, zero, threads, candidates) {
  found <- if (zero != "gao") intersect(which(cpp_repeating(data, neighbors, threads)), candidates)
  if (length(found) == 0L) return(invisible())
  looks <- if (zero == "ross") "far worse" else "far better"
  warn(c("Variables whose values repeat look {looks} than they are with {.code zero_distance = \"{zero}\"}.",
    x = paste0("Most rows share their value of {.val {names[found[1]]}} with more than {neighbors} others{if ",
      "(length(found) > 1) paste(\"; so it is for\", length(found) - 1, \"more\")}."),
    i = "Use {.code zero_distance = \"gao\"}."))
}

# Sparse matrices are made dense up to this many numbers.
most_dense <- 1e7

# What the core sees: rows of `x` by number, and their classes from 1. Noise is drawn here.
knn_mi_data <- function(x, rows, classes, scale, zero) {
  if (is_sparse(x) && as.numeric(length(rows)) * ncol(x) > most_dense) {
    abort(c("kNN-MI needs a dense table, which is too large for this sparse matrix.",
      x = "{length(rows)} rows of {ncol(x)} features take {round(length(rows) * 8e-9 * ncol(x), 1)} GB.",
      i = paste0("Use fewer features, for example the best hundreds of a selector of single features such as ",
        "{.fn sel_mim}.")))
  }
  noise <- if (zero == "jitter") stats::runif(length(rows) * ncol(x), -1, 1) else numeric()
  list(x = x, rows = rows, classes = classes, n_classes = max(classes), zscore = scale == "zscore", noise = noise)
}

knn_mi_input <- function(input, params) {
  x <- plain_numbers(input$task$x, "zscore", "kNN-MI")
  kept <- informative_sets(input, params$min_count, "Use a smaller {.arg min_count}, with fewer {.arg neighbors}.")
  data <- knn_mi_data(x, kept$rows, kept$classes, params$scale, params$zero_distance)
  candidates <- union(which(!input$excluded), input$include)
  if (params$search == "backward") check_backward(x, length(kept$rows), candidates)
  warn_repeating(data, colnames(input$task$x), params$neighbors, params$zero_distance, input$threads, candidates)
  data
}

# A sparse matrix with many features would take days.
check_backward <- function(x, n, candidates) {
  if (!is_sparse(x)) return(invisible())
  d <- sum(diff(x@p)[candidates] > 0L)
  if (as.numeric(d)^2 * n <= most_backward) return(invisible())
  abort(c("The backward search would take too long for this sparse matrix.",
    x = "It has {d} features with values, on {n} rows.",
    i = paste0("Select some hundred features first, for example with {.code search = \"forward\"}, and search ",
      "backward among them: {.code task[, features]}.")))
}

most_backward <- 1e11

run_knn_mi <- function(input, params, state = NULL, begin = input$include) {
  if (params$search == "backward") return(run_knn_mi_backward(input, params))
  if (is.null(state$seeds)) return(run_knn_mi_forward(input, params, NULL, begin))
  keep_random_state(run_knn_mi_forward(input, params, state$seeds, begin))
}

# `seeds`: the generator states for the noise and the orders of an extended selection.
run_knn_mi_forward <- function(input, params, seeds, begin) {
  random <- params$zero_distance == "jitter" || !is.null(params$stop)
  if (!is.null(seeds)) set_random_state(seeds$noise)
  before <- if (random) random_state()
  data <- knn_mi_input(input, params)
  if (!is.null(seeds)) set_random_state(seeds$orders)
  test <- if (!is.null(params$stop)) permutation_test(params$stop, input, data$rows)
  path <- cpp_knn_mi_forward(data, params, test, greedy_options(input, begin), input$threads)
  path$relevance <- c(path$deviation, tabulate(data$classes))
  path$state <- list(n_selected = sum(!c(begin, path$index) %in% input$constants))
  result <- greedy_result(input, path, begin)
  if (random) result$state$seeds <- list(noise = before, orders = if (is.null(test)) before else test$state())
  result
}

# What the core calls before it adds a feature. `state()`: R's generator before the orders of a failed test were drawn,
# so that the test fails again in a longer run.
permutation_test <- function(stop, input, rows) {
  exchange <- exchangeable_rows(input$task$rows[rows], length(rows), FALSE)
  state <- random_state()
  list(
    n = stop$n, order = function() draw_order(exchange), state = function() state,
    goes_on = function(score, permuted) {
      better <- !at_least(stats::quantile(permuted, 1 - stop$alpha, names = FALSE), score)
      if (better) state <<- random_state()
      better
    }
  )
}

run_knn_mi_backward <- function(input, params) {
  data <- knn_mi_input(input, params)
  path <- cpp_knn_mi_backward(data, params, input$include, input$excluded, input$threads)
  free <- setdiff(path$left, input$include)
  ranked <- c(free, rev(path$feature))
  score <- c(if (length(free) > 0L) path$left_score, rev(path$score))
  below <- which(score < input$min_gain)[1L]
  n <- if (is.na(below)) length(ranked) else below - 1L
  constant <- if (is.na(below)) setdiff(which(!input$excluded), c(input$include, ranked))
  list(index = c(input$include, utils::head(ranked, n), constant), ordered = TRUE,
    score = c(rep(NA_real_, length(input$include)), utils::head(score, n), rep(NA_real_, length(constant))))
}

register_selector("knn_mi",
  constructor = c("sel_knn_mi()", "sel_knn_mi(search = \"backward\")"), name = c("PPT+kNN-MI", "PPT+kNN-MI-backward"),
  variants = list(list(search = "forward"), list(search = "backward")),
  kinds = c("label", "class"), needs = "numbers",
  gives = function(params) if (params$search == "forward") "path" else "scores",
  source = "Doquire & Verleysen (2011)", run = run_knn_mi, score = score_scale("nats", -Inf)
)

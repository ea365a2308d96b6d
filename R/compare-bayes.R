#' Bayesian comparison of two methods
#'
#' Both functions give the probability that one of two methods is practically better, and the probability that the two
#' are practically equivalent. `bayes_signed_rank()` compares values on several datasets. `bayes_correlated_t()`
#' compares values on the splits of one dataset. These splits share rows, so their values are correlated.
#'
#' The differences are \eqn{z_i = y_i - x_i}. Differences from `-rope` to `rope` are too small to matter: they are the
#' region of practical equivalence. Right of it `y` is larger, and left of it `x` is larger, whatever the measure.
#'
#' **Signed-rank test.** \eqn{z_0 = 0} stands for the prior. Each of `n` draws has weights \eqn{w \sim
#' \mathrm{Dirichlet}(s, 1, \dots, 1)}{w ~ Dirichlet(s, 1, ..., 1)} for \eqn{z_0, \dots, z_N}, where \eqn{s} is `prior`,
#' and gives
#' \deqn{\theta_{\mathrm{left}} = \sum_{i,j} w_i w_j h(-(z_i + z_j) - 2r), \quad
#'   \theta_{\mathrm{right}} = \sum_{i,j} w_i w_j h(z_i + z_j - 2r), \quad
#'   \theta_{\mathrm{rope}} = 1 - \theta_{\mathrm{left}} - \theta_{\mathrm{right}},
#' }{theta_left = sum over i, j of w_i w_j h(-(z_i + z_j) - 2r),
#' theta_right = sum over i, j of w_i w_j h(z_i + z_j - 2r),
#' theta_rope = 1 - theta_left - theta_right,}
#' where \eqn{r} is `rope`, and \eqn{h} is 1 above 0, 1/2 at 0, and 0 below. The probability of a region is the share of
#' draws in which its \eqn{\theta} is the largest. Equal ones share the draw. As in [wilcoxon_test()], numbers are
#' compared to 12 digits, here of the largest value. The weights come from R's random numbers: call [set.seed()] first
#' to get the same result again.
#'
#' **Correlated t-test.** With \eqn{\rho} = `test_share`, the posterior of the mean difference is Student's t with
#' \eqn{N - 1} degrees of freedom, location \eqn{\bar z}{mean(z)} and squared scale
#' \deqn{s^2 \Bigl(\frac{1}{N} + \frac{\rho}{1 - \rho}\Bigr), \qquad s^2 = \frac{1}{N - 1} \sum_i (z_i - \bar z)^2.
#' }{s^2 (1 / N + rho / (1 - rho)),
#' s^2 = sum over i of (z_i - mean(z))^2 / (N - 1).}
#' If all differences are equal, the region in which they lie has probability 1. At a limit of the region of practical
#' equivalence the two sides get 1/2 each; without such a region, so do left and right at 0.
#'
#' @param x,y (numbers) Paired values of two methods: on the same datasets for `bayes_signed_rank()`, on the same splits
#'   of one dataset for `bayes_correlated_t()`, which needs two pairs or more.
#' @param rope (number, 0 or more) The largest difference that does not matter in practice, in the unit of the values.
#'   With 0 there are only two regions, left and right.
#' @param prior (number, 0 or more) The weight of the prior in the Dirichlet distribution. Each pair has weight 1.
#' @param n (count) Number of draws.
#' @param test_share (number between 0 and 1) The share of the rows that are tested in each split: 0.1 for 10-fold
#'   cross-validation, repeated or not.
#' @param direction `"minimize"` or `"maximize"`: which values are better. It does not change the probabilities. Only
#'   the printed sentence, the labels in pictures and the column `better` of `tidy()` depend on it.
#' @return A list of class `mlposterior`:
#'   * `probability`, three numbers named `left`, `rope` and `right`, with sum 1;
#'   * `estimate`: the median of \eqn{(z_i + z_j)/2} over all \eqn{1 \le i \le j} for the signed-rank test, the mean of
#'     \eqn{z} for the t-test;
#'   * `n_pairs`, `method`, `rope`, `direction`;
#'   * from `bayes_signed_rank()`: `prior` and `draws`, a matrix of \eqn{\theta} with `n` rows and the columns `left`,
#'     `rope` and `right`;
#'   * from `bayes_correlated_t()`: `test_share`, and `scale` and `df` of the posterior.
#'
#'   `tidy()` returns a data frame with a row for each region: `region`, its limits `conf.low` and `conf.high`, `better`
#'   (`"x"`, `"y"` or `"neither"`) and `probability`. `glance()` returns one row.
#' @section Errors:
#' Errors of class `mlsift_error`: `x` and `y` are not finite numeric vectors of the same length, with at least two
#' elements for `bayes_correlated_t()`; `rope` or `prior` is negative or infinite; `n` is not a positive whole number;
#' `test_share` is missing or not strictly between 0 and 1; `direction` is not one of the two words.
#' @references `r papers("Benavoli2017", "CoraniBenavoli2015")`
#' @family comparisons
#' @examples
#' # Losses on eight datasets
#' scls <- c(0.215, 0.190, 0.043, 0.055, 0.211, 0.012, 0.101, 0.302)
#' mim <- c(0.221, 0.197, 0.043, 0.063, 0.216, 0.029, 0.100, 0.311)
#' set.seed(1)
#' posterior <- bayes_signed_rank(mim, scls, rope = 0.004)
#' posterior
#' tidy(posterior)
#' plot(posterior)
#'
#' # Losses in the folds of one cross-validation
#' bayes_correlated_t(mim, scls, rope = 0.004, test_share = 1 / 8)
#' @export
bayes_signed_rank <- function(x, y, rope = 0, prior = 0.5, n = 50000, direction = c("minimize", "maximize")) {
  check_pairs(x, y)
  rope <- check_number(rope, min = 0, finite = TRUE)
  prior <- check_number(prior, min = 0, finite = TRUE)
  n <- check_count(n, max = 100000000L)
  direction <- check_choice(direction, c("minimize", "maximize"))
  z <- paired_difference(as.double(y), as.double(x))
  draws <- signed_rank_draws(c(0, z), rope, prior, n, rounding = value_rounding(x, y))
  new_posterior(largest_share(draws), walsh_median(z), length(z), "Bayesian signed-rank test", rope, direction,
    prior = prior, draws = draws)
}

#' @rdname bayes_signed_rank
#' @export
bayes_correlated_t <- function(x, y, rope = 0, test_share, direction = c("minimize", "maximize")) {
  check_pairs(x, y)
  if (length(x) < 2L) abort(c("{.arg x} and {.arg y} must have two elements or more.", x = "They have one.",
    i = "The test needs the spread of the differences."))
  rope <- check_number(rope, min = 0, finite = TRUE)
  check_test_share(rlang::maybe_missing(test_share))
  direction <- check_choice(direction, c("minimize", "maximize"))
  z <- paired_difference(as.double(y), as.double(x))
  rounding <- value_rounding(x, y)
  equal <- max(z) - min(z) <= rounding
  scale <- if (equal) 0 else corrected_error(z, test_share / (1 - test_share))
  df <- length(z) - 1L
  probability <- if (equal) point_share(mean(z), rope, rounding) else student_share(mean(z), scale, df, rope)
  new_posterior(probability, mean(z), length(z), "Bayesian correlated t-test", rope, direction,
    test_share = as.double(test_share), scale = scale, df = df)
}

check_test_share <- function(test_share) {
  hint <- c(i = "It is the share of the rows that are tested in a split: 0.1 for 10-fold cross-validation.")
  if (rlang::is_missing(test_share)) abort(c("{.arg test_share} must be given.", hint))
  if (!is.numeric(test_share) || length(test_share) != 1L || is.na(test_share) || test_share <= 0 || test_share >= 1) {
    abort_value(test_share, "a number above 0 and below 1", hint)
  }
}

new_posterior <- function(probability, estimate, n_pairs, method, rope, direction, ...) {
  saved_object(list(
    probability = stats::setNames(probability, c("left", "rope", "right")), estimate = estimate, n_pairs = n_pairs,
    method = method, rope = rope, direction = direction, ...
  ), "mlposterior")
}

# Sums of differences this close to a limit count as equal to it.
value_rounding <- function(x, y) 1e-12 * max(abs(x), abs(y))

# Draws of theta: a matrix with the columns left, rope and right. z[1] = 0 has the prior's weight. h(-a) = 1 - h(a), so
# left is 1 less the share of the pairs above -2 rope. Works in blocks, so that memory does not grow with the product of
# draws and pairs; R's random numbers do not depend on the blocks.
signed_rank_draws <- function(z, rope, prior, n, rounding, block = max(1L, 1000000L %/% length(z))) {
  o <- order(z)
  upper <- rank_limits(z[o], 2 * rope, rounding)
  lower <- rank_limits(z[o], -2 * rope, rounding)
  draws <- matrix(0, n, 3L, dimnames = list(NULL, c("left", "rope", "right")))
  for (first in seq(1L, n, by = block)) {
    rows <- first:min(n, first + block - 1L)
    weight <- dirichlet_weights(length(rows), length(z), prior)[, o, drop = FALSE]
    tail <- tail_sums(weight)
    right <- pair_share(weight, tail, upper)
    not_left <- if (rope == 0) right else pair_share(weight, tail, lower)
    draws[rows, ] <- c(pmax(0, 1 - not_left), not_left - right, right)
  }
  draws
}

# Dirichlet(prior, 1, ..., 1): a matrix draws x weights, filled draw by draw.
dirichlet_weights <- function(draws, size, prior) {
  gamma <- matrix(stats::rgamma(draws * size, c(prior, rep(1, size - 1L))), draws, byrow = TRUE)
  gamma / rowSums(gamma)
}

# For each i of the sorted z: how many z_j come before the first with z_i + z_j >= limit, and before the first with z_i
# + z_j > limit.
rank_limits <- function(z, limit, rounding) {
  list(reached = findInterval(limit - rounding - z, z, left.open = TRUE),
    passed = findInterval(limit + rounding - z, z))
}

# For each row, column k + 1 is the weight of all but the first k columns.
tail_sums <- function(weight) {
  tail <- cbind(weight, 0)
  for (j in rev(seq_len(ncol(weight)))) tail[, j] <- tail[, j] + tail[, j + 1L]
  tail
}

# The sums of w_i w_j h(z_i + z_j - limit), one for each row of weights in the order of z.
pair_share <- function(weight, tail, limits) {
  share <- numeric(nrow(weight))
  for (i in seq_len(ncol(weight))) {
    reached <- limits$reached[i] + 1L
    passed <- limits$passed[i] + 1L
    above <- if (reached == passed) tail[, passed] else (tail[, reached] + tail[, passed]) / 2
    share <- share + weight[, i] * above
  }
  share
}

# The share of the rows in which each column is the largest.
largest_share <- function(draws) {
  largest <- draws >= pmax(draws[, 1L], draws[, 2L], draws[, 3L]) - 1e-12
  colMeans(largest / rowSums(largest))
}

student_share <- function(location, scale, df, rope) {
  left <- stats::pt((-rope - location) / scale, df)
  right <- stats::pt((rope - location) / scale, df, lower.tail = FALSE)
  c(left, max(0, 1 - left - right), right)
}

# A posterior with all its mass at one point.
point_share <- function(location, rope, rounding) {
  above <- function(a) if (abs(a) <= rounding) 0.5 else as.double(a > 0)
  left <- above(-location - rope)
  right <- above(location - rope)
  c(left, 1 - left - right, right)
}

# Which method is better left of the rope, inside it, and right of it.
posterior_better <- function(x) {
  better <- c("x", "neither", "y")
  stats::setNames(if (x$direction == "maximize") better else rev(better), names(x$probability))
}

# "y is practically better with probability 0.93".
posterior_sentence <- function(x) {
  practically <- if (x$rope > 0) "practically "
  region <- names(x$probability)[x$probability == max(x$probability)]
  better <- posterior_better(x)[region]
  says <- paste0(better, " is ", practically, "better")
  says[better == "neither"] <- "x and y are practically equivalent"
  paste0(paste(says, collapse = " or "), if (length(region) > 1L) ", each", " with probability ",
    format_probability(max(x$probability)))
}

# Two decimals, but never 0 or 1 for a probability strictly between them.
format_probability <- function(p) {
  rounded <- formatC(p, format = "f", digits = 2)
  ifelse(p > 0 & p < 0.01, "below 0.01", ifelse(p < 1 & p > 0.99, "above 0.99", rounded))
}

#' @export
print.mlposterior <- function(x, digits = 3, ...) {
  digits <- check_count(digits, max = 15)
  p <- format_probability(x$probability)
  shown <- c("x larger ", if (x$rope > 0) "within the rope ", "y larger ")
  cat("<mlposterior> ", x$method, ", ", counted(x$n_pairs, "pair"), ", rope ", format(x$rope), "\n", sep = "")
  cat(posterior_sentence(x), "\n", sep = "")
  cat(paste0(shown, if (x$rope > 0) p else p[c(1L, 3L)], collapse = ", "), "\n", sep = "")
  cat("estimated difference y - x: ", format(x$estimate, digits = digits), "\n", sep = "")
  invisible(x)
}

#' @rdname bayes_signed_rank
#' @param ... not used.
#' @export
tidy.mlposterior <- function(x, ...) {
  result_frame(data.frame(region = names(x$probability), conf.low = c(-Inf, -x$rope, x$rope),
    conf.high = c(-x$rope, x$rope, Inf),
    better = unname(posterior_better(x)), probability = unname(x$probability)))
}

#' @rdname bayes_signed_rank
#' @export
glance.mlposterior <- function(x, ...) {
  result_frame(data.frame(estimate = x$estimate, left = x$probability[["left"]], rope = x$probability[["rope"]],
    right = x$probability[["right"]], method = x$method, nobs = x$n_pairs))
}

#' Wilcoxon signed-rank test of two methods
#'
#' Tests whether two methods differ over paired values (datasets, splits). The differences \eqn{d_i = x_i - y_i} are
#' ranked by absolute value, with ties averaged. \eqn{R^+} and \eqn{R^-} are the sums of the ranks of positive and
#' negative differences. The statistic is \eqn{\min(R^+, R^-)}.
#'
#' `zero` determines what happens to pairs without a difference:
#'
#' - `"split"` (Demsar 2006): they keep their ranks, and half of the ranks go to either side. If their number is odd,
#'   one of them is discarded.
#' - `"drop"` (Wilcoxon, and R): they are discarded before ranking.
#' - `"pratt"`: they are ranked with the others, then discarded.
#'
#' Up to 50 pairs the p-value is exact, even with ties. It is the share of the \eqn{2^N} ways to assign signs to the
#' ranks (with `"split"` also to those of the kept zeros) that give a rank sum as extreme as the observed one. For more
#' pairs, with \eqn{T = \sum_i r_i},
#' \deqn{z = \frac{\min(R^+, R^-) - T/2}{\sqrt{\sum_i r_i^2 / 4}}, \qquad p = 2 \Phi(z),}
#' where without ties \eqn{T/2 = N(N+1)/4} and \eqn{\sum r_i^2/4 = N(N+1)(2N+1)/24}. There is no continuity correction.
#'
#' Differences are compared to 12 digits of their values. So 0.3 - 0.2 and 0.2 - 0.1 are ties, as in decimal arithmetic,
#' but not in binary. [stats::wilcox.test()] ranks the binary numbers by default.
#'
#' @param x,y (numbers) Paired values of two methods on the same datasets or splits.
#' @param zero What to do with pairs that do not differ.
#' @return A list of class `mlpairtest`:
#'   * `statistic`;
#'   * `p_value`, two-sided;
#'   * `n`, the number of pairs that were not discarded;
#'   * `method`;
#'   * `estimate`, the median of \eqn{(d_i + d_j)/2} over all \eqn{i \le j} of these pairs (Hodges and Lehmann);
#'   * `rank_sums`, the named pair \eqn{R^+} (`x` larger) and \eqn{R^-};
#'   * `zero`.
#'
#'   `tidy()` and `glance()` return one row with broom's column names.
#' @inherit rank_test references
#' @family comparisons
#' @examples
#' scls <- c(0.215, 0.190, 0.043, 0.055, 0.211, 0.012, 0.101, 0.302)
#' mim <- c(0.221, 0.197, 0.043, 0.063, 0.216, 0.029, 0.100, 0.311)
#' wilcoxon_test(scls, mim)
#' @export
wilcoxon_test <- function(x, y, zero = c("split", "drop", "pratt")) {
  zero <- check_choice(zero, c("split", "drop", "pratt"))
  check_pairs(x, y, call = rlang::current_env())
  signed <- signed_ranks(as.double(x), as.double(y), zero)
  test <- signed_rank_test(signed)
  structure(list(
    statistic = min(test$rank_sums), p_value = test$p_value, n = test$n,
    method = paste0("Wilcoxon signed-rank test (", if (test$exact) "exact" else "normal approximation", ")"),
    estimate = walsh_median(signed$difference), rank_sums = test$rank_sums, zero = zero
  ), class = "mlpairtest")
}

check_pairs <- function(x, y, call) {
  for (arg in c("x", "y")) {
    value <- get(arg)
    if (!is.numeric(value) || !is.null(dim(value)) || length(value) == 0L) {
      abort(c("{.arg {arg}} must be a numeric vector.", x = "It is {describe(value)}."), call = call)
    }
    bad <- which(!is.finite(value))
    if (length(bad) > 0L) {
      abort(c("{.arg {arg}} must hold finite numbers.", x = "Element {bad[1L]} is {value[bad[1L]]}.",
              i = "Leave the pair out of both."), call = call)
    }
  }
  if (length(x) != length(y)) {
    abort(c("{.arg x} and {.arg y} must be pairs, so of one length.",
            x = "They have {length(x)} and {length(y)} elements."), call = call)
  }
}

# The ranks that count, their signs (0 for zeros kept), and the differences of the pairs that were not discarded.
signed_ranks <- function(x, y, zero) {
  d <- paired_difference(x, y)
  scale <- pmax(abs(x), abs(y))
  zeros <- which(d == 0)
  out <- if (zero == "drop") zeros else if (zero == "split" && length(zeros) %% 2L == 1L) zeros[1L]
  if (length(out) > 0L) {
    d <- d[-out]
    scale <- scale[-out]
  }
  rank <- tied_rank(abs(d), scale)
  keep <- zero != "pratt" | d != 0
  list(rank = rank[keep], sign = sign(d[keep]), difference = d[keep])
}

# The rank sums and the two-sided p-value of what signed_ranks() returns.
signed_rank_test <- function(signed) {
  plus <- sum(signed$rank[signed$sign > 0])
  minus <- sum(signed$rank[signed$sign < 0])
  half <- sum(signed$rank[signed$sign == 0]) / 2
  sums <- c(plus = plus, minus = minus) + half
  n <- length(signed$rank)
  exact <- n <= 50L
  p_value <- (if (exact) signed_rank_exact else signed_rank_normal)(min(sums), signed$rank)
  list(rank_sums = sums, p_value = p_value, n = n, exact = exact)
}

# Differences below the rounding of the values are zero.
paired_difference <- function(x, y) {
  d <- x - y
  ifelse(abs(d) <= 1e-12 * pmax(abs(x), abs(y)), 0, d)
}

# P(R+ <= statistic or R- <= statistic) over all signs. Doubled mid-ranks are whole; counts stay below 2^50, so exact.
signed_rank_exact <- function(statistic, rank) {
  doubled <- as.integer(round(2 * rank))
  ways <- c(1, numeric(sum(doubled)))
  for (r in doubled) ways <- ways + c(numeric(r), ways[seq_len(length(ways) - r)])
  min(1, 2 * sum(ways[seq_len(round(2 * statistic) + 1)]) / 2^length(rank))
}

signed_rank_normal <- function(statistic, rank) {
  2 * stats::pnorm((statistic - sum(rank) / 2) / sqrt(sum(rank^2) / 4))
}

# Median of (d_i + d_j) / 2 over i <= j, in O(n) memory: each half of the middle is found by bisection on the number of
# averages that are no larger.
walsh_median <- function(d) {
  n <- length(d)
  if (n == 0L) return(0)
  if (n <= 1000L) {
    walsh <- outer(d, d, "+")
    return(stats::median(walsh[!lower.tri(walsh)]) / 2)
  }
  d <- sort(d)
  count <- function(t) (sum(findInterval(2 * t - d, d)) + findInterval(t, d)) / 2
  total <- n * (n + 1) / 2
  middle <- c(floor((total + 1) / 2), ceiling((total + 1) / 2))
  mean(vapply(middle, bisect_count, 0, count = count, low = d[1L], high = d[n]))
}

# The interval of Hodges and Lehmann: the averages (d_i + d_j) / 2 at positions c from either end, with c the largest
# number for which P(R+ < c) <= alpha / 2 without ties: exact up to 50 differences, by the normal distribution above.
walsh_interval <- function(d, alpha) {
  n <- length(d)
  total <- n * (n + 1) / 2
  position <- if (n <= 50L) stats::qsignrank(alpha / 2, n)
    else floor(total / 2 + stats::qnorm(alpha / 2) * sqrt(total * (2 * n + 1) / 12)) + 1
  if (position < 1) return(c(-Inf, Inf))
  walsh <- outer(d, d, "+")
  walsh <- sort(walsh[!lower.tri(walsh)]) / 2
  walsh[c(position, total + 1 - position)]
}

bisect_count <- function(wanted, count, low, high) {
  if (count(low) >= wanted) return(low)
  repeat {
    middle <- low + (high - low) / 2
    if (middle <= low || middle >= high) return(high)
    if (count(middle) >= wanted) high <- middle else low <- middle
  }
}

#' @export
print.mlpairtest <- function(x, ...) {
  sums <- vapply(x$rank_sums, format, "")
  cat("<mlpairtest> ", x$method, ", ", x$n, " pairs\n", sep = "")
  cat("rank sums: x larger ", sums[1L], ", y larger ", sums[2L], " (of ", format(sum(x$rank_sums)), "); ",
      format_p(x$p_value), "\n", sep = "")
  cat("estimated difference x - y: ", format(x$estimate, digits = 3), "\n", sep = "")
  invisible(x)
}

#' @rdname wilcoxon_test
#' @param ... not used.
#' @method tidy mlpairtest
#' @export
tidy.mlpairtest <- function(x, ...) {
  data.frame(estimate = x$estimate, statistic = x$statistic, p.value = x$p_value, method = x$method,
             alternative = "two.sided")
}

#' @rdname wilcoxon_test
#' @method glance mlpairtest
#' @export
glance.mlpairtest <- function(x, ...) {
  data.frame(statistic = x$statistic, p.value = x$p_value, method = x$method, nobs = x$n)
}

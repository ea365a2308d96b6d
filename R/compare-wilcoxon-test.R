#' Wilcoxon signed-rank test of two methods
#'
#' Tests whether two methods differ over paired values (datasets, splits). The differences \eqn{d_i = x_i - y_i} are
#' ranked by absolute value, with ties averaged. \eqn{R^+} and \eqn{R^-} are the sums of the ranks of positive and
#' negative differences.
#'
#' `alternative` states what would be a finding. The smaller the statistic, the stronger is the evidence for it:
#'
#' - `"two.sided"`: the methods differ. The statistic is \eqn{\min(R^+, R^-)}{min(R^+, R^-)}.
#' - `"greater"`: `x` has larger values. The statistic is \eqn{R^-}.
#' - `"less"`: `x` has smaller values. The statistic is \eqn{R^+}.
#'
#' `zero` determines what happens to pairs without a difference:
#'
#' - `"split"` (Demsar 2006): they keep their ranks, and half of the ranks go to either side. If their number is odd,
#'   one of them is discarded.
#' - `"drop"` (Wilcoxon, and R): they are discarded before ranking.
#' - `"pratt"`: they are ranked with the others, then discarded.
#'
#' The p-value is exact up to 50 pairs, even with ties: the share of the \eqn{2^N} ways to assign signs to the ranks
#' (with `"split"` also to those of the kept zeros) that give a rank sum as small as the statistic, and twice this
#' share, at most 1, for `"two.sided"`. For more pairs it comes from the normal distribution, without a continuity
#' correction unless `correct = TRUE`. [stats::wilcox.test()] corrects by default.
#'
#' If no pair differs, there is nothing to test: p is 1 for every `alternative`, and estimate and effect are 0.
#'
#' Differences are compared to 12 digits of their values. So 0.3 - 0.2 and 0.2 - 0.1 are ties, as in decimal arithmetic,
#' but not in binary. [stats::wilcox.test()] ranks the binary numbers by default.
#'
#' Three effect sizes accompany the p-value. The median difference is the median of \eqn{(d_i + d_j)/2} over all
#' \eqn{i \le j} (Hodges and Lehmann). Its confidence interval is between two of these averages, at equal distance from
#' the ends of their order. Without ties it covers the true median with probability `level` or more. The positions are
#' exact where p is, and come from the normal distribution elsewhere. One-sided tests have one-sided intervals. The
#' matched-pairs rank-biserial correlation is \eqn{(R^+ - R^-) / (R^+ + R^-)}, from -1 to 1. The third is how often `x`
#' is larger.
#'
#' @param x,y (numbers) Paired values of two methods on the same datasets or splits.
#' @param zero What to do with pairs that do not differ.
#' @param alternative The alternative hypothesis.
#' @param exact (flag) `TRUE` for the exact p-value, with at most 1,000 pairs, `FALSE` for the normal distribution.
#'   `NULL` is exact up to 50 pairs.
#' @param correct (flag) Whether the normal distribution is used with a continuity correction.
#' @param level (number) Level of the confidence interval.
#' @return A list of class `mlpairtest`:
#'   * `statistic`;
#'   * `p_value`;
#'   * `n`, the number of pairs that were not discarded;
#'   * `method`;
#'   * `estimate`, the median difference of these pairs, and its interval `conf_low`, `conf_high`, which is infinite if
#'     there are too few pairs;
#'   * `effect`, the rank-biserial correlation. Like the estimate it is positive where `x` is larger, so where `x` is
#'     better only if larger values are: two vectors have no direction. [compare_pairs()] knows it;
#'   * `rank_sums`, the named pair \eqn{R^+} (`x` larger) and \eqn{R^-};
#'   * `counts`: in how many of all pairs `x` is larger (`plus`), equal (`zero`) and smaller (`minus`);
#'   * `zero`, `alternative`, `exact`, `level`.
#'
#'   `tidy()` and `glance()` return one row with broom's column names.
#' @section Errors:
#' Errors of class `mlsift_error`: `x` and `y` are not finite numeric vectors of the same length; an option is not one
#' of its choices; `exact = TRUE` with more than 1,000 pairs.
#' @references `r papers("Demsar2006", "HodgesLehmann1963", "Kerby2014")`
#' @family comparisons
#' @examples
#' scls <- c(0.215, 0.190, 0.043, 0.055, 0.211, 0.012, 0.101, 0.302)
#' mim <- c(0.221, 0.197, 0.043, 0.063, 0.216, 0.029, 0.100, 0.311)
#' wilcoxon_test(scls, mim)
#' wilcoxon_test(scls, mim, alternative = "less")$p_value
#' @export
wilcoxon_test <- function(x, y, zero = c("split", "drop", "pratt"), alternative = c("two.sided", "less", "greater"),
                          exact = NULL, correct = FALSE, level = 0.95) {
  zero <- check_choice(zero, c("split", "drop", "pratt"))
  alternative <- check_choice(alternative, c("two.sided", "less", "greater"))
  if (!is.null(exact)) check_flag(exact)
  check_flag(correct)
  level <- check_number(level, 0, 1)
  check_pairs(x, y)
  x <- as.double(x)
  y <- as.double(y)
  signed <- signed_ranks(x, y, zero)
  check_exact(exact, length(signed$rank))
  test <- signed_rank_test(signed, alternative, exact, correct)
  interval <- walsh_interval(signed$difference, 1 - level, alternative, test$exact)
  outcome <- sign(paired_difference(x, y))
  how <- if (test$exact) "exact" else paste0("normal approximation", if (correct) ", continuity correction")
  saved_object(list(
    statistic = test$statistic, p_value = test$p_value, n = test$n,
    method = paste0("Wilcoxon signed-rank test (", how, ")"),
    estimate = walsh_median(signed$difference), conf_low = interval[1L], conf_high = interval[2L],
    effect = rank_biserial(test$rank_sums), rank_sums = test$rank_sums,
    counts = c(plus = sum(outcome > 0), zero = sum(outcome == 0), minus = sum(outcome < 0)), zero = zero,
    alternative = alternative, exact = test$exact, level = level
  ), "mlpairtest")
}

check_exact <- function(exact, n) {
  if (!isTRUE(exact) || n <= 1000L) return(invisible())
  abort(c("{.arg exact} must be NULL or FALSE for more than 1,000 pairs.", x = "There are {n}.",
    i = "The normal distribution is accurate there."))
}

check_pairs <- function(x, y) {
  for (arg in c("x", "y")) {
    value <- get(arg)
    if (!is.numeric(value) || !is.null(dim(value)) || length(value) == 0L) {
      abort_value(value, "a numeric vector", arg = arg)
    }
    bad <- which(!is.finite(value))
    if (length(bad) > 0L) {
      abort(c("{.arg {arg}} must hold finite numbers.", x = "Element {bad[1L]} is {value[bad[1L]]}.",
        i = "Leave the pair out of both."))
    }
  }
  if (length(x) != length(y)) abort(c("{.arg x} and {.arg y} must be pairs, so of one length.",
    x = "They have {length(x)} and {length(y)} elements."))
}

# The ranks that count, their signs (0 for zeros kept), and the differences of the pairs not discarded.
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

# The rank sums and the p-value from the result of signed_ranks(). The statistic is the rank sum that is small under the
# alternative.
signed_rank_test <- function(signed, alternative = "two.sided", exact = NULL, correct = FALSE) {
  sums <- signed_rank_sums(signed)
  statistic <- switch(alternative, two.sided = min(sums), greater = sums[["minus"]], less = sums[["plus"]])
  n <- length(signed$rank)
  exact <- exact %||% (n <= 50L)
  tail <- if (all(signed$sign == 0)) 1
  else if (exact) signed_rank_exact(statistic, signed$rank)
  else stats::pnorm((statistic - sum(signed$rank) / 2 + 0.5 * correct) / sqrt(sum(signed$rank^2) / 4))
  p_value <- min(1, if (alternative == "two.sided") 2 * tail else tail)
  list(statistic = statistic, rank_sums = sums, p_value = p_value, n = n, exact = exact)
}

signed_rank_sums <- function(signed) {
  plus <- sum(signed$rank[signed$sign > 0])
  minus <- sum(signed$rank[signed$sign < 0])
  c(plus = plus, minus = minus) + sum(signed$rank[signed$sign == 0]) / 2
}

# Differences smaller than the rounding error of the values are zero.
paired_difference <- function(x, y) {
  d <- x - y
  d[abs(d) <= 1e-12 * pmax(abs(x), abs(y))] <- 0
  d
}

# P(R+ <= statistic) over all signs. Doubled mid-ranks are integers. Shares of 2^n are exact up to 50 ranks, since their
# numerators are below 2^53.
signed_rank_exact <- function(statistic, rank) {
  doubled <- as.integer(round(2 * rank))
  share <- c(1, numeric(round(2 * statistic)))
  for (r in doubled) {
    moved <- if (r < length(share)) c(numeric(r), share[seq_len(length(share) - r)]) else 0
    share <- (share + moved) / 2
  }
  sum(share)
}

# Median of (d_i + d_j) / 2 over i <= j.
walsh_median <- function(d) {
  n <- length(d)
  if (n == 0L) return(0)
  total <- n * (n + 1) / 2
  mean(walsh_at(d, c(floor((total + 1) / 2), ceiling((total + 1) / 2))))
}

# The averages (d_i + d_j) / 2, i <= j, at given positions in sorted order. For many differences this takes O(n) memory:
# each is found by bisection on the number of averages that are no larger.
walsh_at <- function(d, positions) {
  if (length(d) <= 1000L) {
    walsh <- outer(d, d, "+")
    return(sort(walsh[!lower.tri(walsh)], partial = unique(positions))[positions] / 2)
  }
  d <- sort(d)
  count <- function(t) (sum(findInterval(2 * t - d, d)) + findInterval(t, d)) / 2
  vapply(positions, bisect_count, 0, count = count, low = d[1L], high = d[length(d)])
}

# The Hodges-Lehmann interval: the averages (d_i + d_j) / 2 at positions c from either end, with c the largest number
# for which P(R+ < c) <= alpha / 2 without ties, or alpha for a one-sided interval.
walsh_interval <- function(d, alpha, alternative = "two.sided", exact = length(d) <= 50L) {
  n <- length(d)
  total <- n * (n + 1) / 2
  share <- if (alternative == "two.sided") alpha / 2 else alpha
  position <- if (n == 0L) 0
  else if (exact) stats::qsignrank(share, n)
  else floor(total / 2 + stats::qnorm(share) * sqrt(total * (2 * n + 1) / 12)) + 1
  if (position < 1) return(c(-Inf, Inf))
  ends <- walsh_at(d, c(position, total + 1 - position))
  c(if (alternative == "less") -Inf else ends[1L], if (alternative == "greater") Inf else ends[2L])
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
print.mlpairtest <- function(x, digits = 3, ...) {
  digits <- check_count(digits, max = 15)
  sums <- vapply(x$rank_sums, format, "")
  cat("<mlpairtest> ", x$method, ", ", x$n, " pairs\n", sep = "")
  cat("rank sums: x larger ", sums[1L], ", y larger ", sums[2L], " (of ", format(sum(x$rank_sums)), "); ",
    switch(x$alternative, less = "alternative x smaller, ", greater = "alternative x larger, "),
    format_p(x$p_value), "\n", sep = "")
  cat("estimated difference x - y: ", format(x$estimate, digits = digits), ", ",
    format_interval(x$conf_low, x$conf_high, x$level, digits), "\n", sep = "")
  cat("x larger ", x$counts[["plus"]], ", equal ", x$counts[["zero"]], ", y larger ", x$counts[["minus"]],
    "; rank-biserial correlation ", formatC(x$effect, format = "f", digits = 2), "\n", sep = "")
  invisible(x)
}

format_interval <- function(low, high, level, digits = 3) {
  paste0(format(100 * level), " % interval ", format(low, digits = digits), " to ", format(high, digits = digits))
}

#' @rdname wilcoxon_test
#' @param ... not used.
#' @export
tidy.mlpairtest <- function(x, ...) {
  result_frame(data.frame(estimate = x$estimate, statistic = x$statistic, p.value = x$p_value, method = x$method,
    alternative = x$alternative, conf.low = x$conf_low, conf.high = x$conf_high, effect = x$effect))
}

#' @rdname wilcoxon_test
#' @export
glance.mlpairtest <- function(x, ...) {
  result_frame(data.frame(statistic = x$statistic, p.value = x$p_value, method = x$method, nobs = x$n,
    effect = x$effect))
}

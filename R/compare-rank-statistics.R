# The statistics behind rank_test(). They work on rank sums, whose halves are exact in doubles, so the result does not
# depend on the order of the rows or columns, down to the last bit.

# Friedman and Iman-Davenport. With S_j the rank sums, A = sum (S_j - N(k+1)/2)^2 and D = N k (k^2 - 1) - sum(t^3 - t)
# (the sum over groups of t ties only if ties are corrected for):
#   chi2 = 12 A (k - 1) / D,    F = (N - 1) 12 A / (N D - 12 A).
rank_statistics <- function(ranks, alpha, ties) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  sums <- colSums(ranks)
  a12 <- 12 * sum((sums - n * (k + 1) / 2)^2)
  d <- n * k * (k^2 - 1) - if (ties == "correct") sum(apply(ranks, 1L, tie_cubes)) else 0
  chi2 <- if (a12 > 0) a12 * (k - 1) / d else 0
  f <- if (a12 > 0) (n - 1) * a12 / (n * d - a12) else 0
  list(
    mean_ranks = sums / n, ranks = ranks, kendall_w = chi2 / (n * (k - 1)),
    friedman = list(statistic = chi2, df = k - 1, p_value = stats::pchisq(chi2, k - 1, lower.tail = FALSE)),
    iman_davenport = f_test(f, ranks, alpha)
  )
}

# The test of F. It is infinite if all datasets have the same ranks. Then p is the probability of this if all
# k! / prod(t!) orders of a dataset are equally likely.
f_test <- function(f, ranks, alpha) {
  n <- nrow(ranks)
  df1 <- ncol(ranks) - 1
  df2 <- df1 * (n - 1)
  orders <- lfactorial(df1 + 1) - sum(lfactorial(tie_sizes(ranks[1L, ])))
  p <- if (is.finite(f)) stats::pf(f, df1, df2, lower.tail = FALSE) else exp((1 - n) * orders)
  list(statistic = f, df1 = df1, df2 = df2, p_value = p, critical = stats::qf(1 - alpha, df1, df2))
}

# Quade (1979). With Q_i the rank of the range of dataset i, S_ij = Q_i (r_ij - (k+1)/2), A = sum S_ij^2 and
# B = sum_j (sum_i S_ij)^2:  F = (N - 1) B / (N A - B). All are multiples of 1/16 and therefore exact.
quade_statistics <- function(ranks, values, alpha) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  range <- apply(values, 1L, max) - apply(values, 1L, min)
  s <- tied_rank(range, apply(abs(values), 1L, max)) * (ranks - (k + 1) / 2)
  a <- sum(s^2)
  b <- sum(colSums(s)^2)
  f_test(if (b > 0) (n - 1) * b / (n * a - b) else 0, ranks, alpha)
}

tie_sizes <- function(r) tabulate(match(r, unique(r)))

tie_cubes <- function(r) sum(tie_sizes(r)^3 - tie_sizes(r))

# `better`: whether smaller or larger values are better.
rank_posthoc <- function(ranks, values, better, posthoc, control, alpha) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  critical <- critical_values(k, n, alpha, posthoc)
  comparisons <- compare_ranks(colSums(ranks), n, control)
  z <- comparisons$difference / rank_error(k, n)
  signed <- better_ranks(values, comparisons, better)
  tests <- if (posthoc == "wilcoxon-holm") signed_rank_pairs(signed)
  comparisons$p_value <- if (is.null(tests)) 2 * stats::pnorm(-abs(z)) else tests$p_value
  if (posthoc == "li" && max(comparisons$p_value) > 0.5) {
    warn(c("Li's procedure has little power here: the largest p-value is above 0.5.",
      x = "It is {format(max(comparisons$p_value), digits = 3)}.", i = "Consider {.val holm} or {.val hochberg}."))
  }
  comparisons$p_adjusted <- if (posthoc == "nemenyi") {
    pmin(1, stats::ptukey(abs(z) * sqrt(2), k, Inf, lower.tail = FALSE))
  } else {
    adjust_p(comparisons$p_value, posthoc)
  }
  comparisons$significant <- if (is.na(critical$cd)) comparisons$p_adjusted <= alpha
  else abs(comparisons$difference) >= critical$cd
  comparisons$statistic <- tests$statistic
  comparisons <- data.frame(comparisons, pair_effects(signed, n))
  best_first <- names(sort(colSums(ranks)))
  groups <- if (is.null(control)) same_groups(best_first, comparisons)
  letters <- if (is.null(control)) group_letters(best_first, groups)[colnames(ranks)]
  c(critical, list(comparisons = comparisons, groups = groups, letters = letters))
}

# As all that compares two methods, the difference is positive where the first is better: where its mean rank is lower.
compare_ranks <- function(sums, n, control) {
  pairs <- method_pairs(names(sums), control)
  data.frame(pairs, difference = unname(sums[pairs$method2] - sums[pairs$method1]) / n)
}

# All pairs of methods, or the control with every other method.
method_pairs <- function(methods, control) {
  pairs <- if (is.null(control)) utils::combn(methods, 2L) else rbind(control, setdiff(methods, control))
  data.frame(method1 = pairs[1L, ], method2 = pairs[2L, ], row.names = NULL)
}

# The result of signed_ranks() for each row of `pairs`, on the columns of `values`: differences are positive where the
# first method is better.
better_ranks <- function(values, pairs, better) {
  if (better == "minimize") values <- -values
  unname(Map(\(i, j) signed_ranks(values[, i], values[, j], "split"), pairs$method1, pairs$method2))
}

# The signed-rank test for each result of better_ranks().
signed_rank_pairs <- function(signed) {
  tests <- lapply(signed, signed_rank_test)
  data.frame(statistic = vapply(tests, \(t) t$statistic, 0), p_value = vapply(tests, \(t) t$p_value, 0))
}

# How often the first method of each pair is better, equal and worse on `n` datasets, and its rank-biserial correlation.
pair_effects <- function(signed, n) {
  win <- vapply(signed, \(s) sum(s$sign > 0), 0L)
  loss <- vapply(signed, \(s) sum(s$sign < 0), 0L)
  data.frame(win = win, tie = n - win - loss, loss = loss,
    effect = vapply(signed, \(s) rank_biserial(signed_rank_sums(s)), 0))
}

# (R+ - R-) / (R+ + R-), the matched-pairs rank-biserial correlation.
rank_biserial <- function(sums) {
  total <- sum(sums)
  if (total == 0) 0 else (sums[[1L]] - sums[[2L]]) / total
}

# Why no pair can be significant, or NULL: the smallest p-value of n differences is 2^(1 - n), and Holm multiplies the
# smallest of m p-values by m.
too_few_datasets <- function(n, m, alpha) {
  smallest <- min(1, 2^(1 - n) * m)
  if (smallest <= alpha) return(NULL)
  what <- if (m == 1L) " the p-value cannot be below " else
    paste0(" no p-value adjusted for ", m, " pairs can be below ")
  paste0("With ", counted(n, "dataset"), what, format(smallest, digits = 2), ".")
}

# The bars of the diagram: the maximal runs, by mean rank, of methods that do not differ pairwise. Methods of equal mean
# rank are all in a run or all outside it, because a bar that joins one of them covers the others.
rank_groups <- function(mean_ranks, comparisons) {
  methods <- unname(split(names(mean_ranks), match(mean_ranks, sort(unique(mean_ranks)))))
  place <- rep(seq_along(methods), lengths(methods))
  names(place) <- unlist(methods)
  m <- length(methods)
  different <- comparisons[comparisons$significant, ]
  differ <- matrix(FALSE, m, m)
  differ[cbind(place[different$method1], place[different$method2])] <- TRUE
  differ <- differ | t(differ)
  reach <- vapply(seq_len(m), \(i) i - 1L + sum(cumsum(differ[i, i:m]) == 0L), 0L)
  last <- rev(cummin(rev(reach)))
  starts <- which(diff(c(0L, last)) > 0L & last >= seq_len(m))
  runs <- lapply(starts, \(i) unlist(methods[i:last[i]], use.names = FALSE))
  runs[lengths(runs) > 1L]
}

critical_values <- function(k, n, alpha, posthoc) {
  q <- switch(posthoc,
    nemenyi = stats::qtukey(1 - alpha, k, Inf) / sqrt(2),
    "bonferroni-dunn" = stats::qnorm(alpha / (2 * (k - 1)), lower.tail = FALSE),
    NA_real_
  )
  list(q = q, cd = q * rank_error(k, n))
}

# The standard error of a difference of mean ranks of k methods over n datasets.
rank_error <- function(k, n) sqrt(k * (k + 1) / (6 * n))

#' Critical difference of mean ranks
#'
#' The smallest difference at which two mean ranks over `n_datasets` datasets differ significantly,
#' \deqn{CD = q_\alpha \sqrt{\frac{k(k+1)}{6N}},}{CD = q_alpha sqrt(k (k + 1) / (6 N)),}
#' with \eqn{q_\alpha = Q_{1-\alpha}(k, \infty) / \sqrt2}{q_alpha = Q(1 - alpha; k, Inf) / sqrt(2)} (Studentized range)
#' for Nemenyi's test of all pairs, and \eqn{q_\alpha = \Phi^{-1}(1 - \alpha / (2(k-1)))}{q_alpha = qnorm(1 - alpha / (2
#' (k - 1)))} for Bonferroni and Dunn's test against a control. Some programs use \eqn{k(N-1)} degrees of freedom
#' instead of infinitely many, which gives larger values.
#'
#' @param n_methods,n_datasets (counts, 2 or more) Numbers of methods and of datasets.
#' @param alpha (number) Level of the test.
#' @param posthoc `"nemenyi"` or `"bonferroni-dunn"`. The step procedures have no critical difference.
#' @return A number.
#' @inherit rank_test references
#' @family comparisons
#' @examples
#' critical_difference(7, 9)
#' critical_difference(7, 8, posthoc = "bonferroni-dunn")
#' @export
critical_difference <- function(n_methods, n_datasets, alpha = 0.05, posthoc = c("nemenyi", "bonferroni-dunn")) {
  n_methods <- check_count(n_methods, min = 2)
  n_datasets <- check_count(n_datasets, min = 2)
  alpha <- check_alpha(alpha)
  posthoc <- check_choice(posthoc, c("nemenyi", "bonferroni-dunn"))
  cd <- suppressWarnings(critical_values(n_methods, n_datasets, alpha, posthoc))$cd
  if (is.nan(cd)) abort(c("The Studentized range has no value for so many methods at this level.",
    x = "{.arg n_methods} is {n_methods}, {.arg alpha} is {alpha}."))
  cd
}

# Adjusted p-values of the post-hoc tests. Equal p-values get equal adjusted values. The p-values of all pairs, which
# "shaffer" and "bergmann-hommel" need, are in the order of method_pairs().

adjust_p <- function(p, posthoc) posthocs[[posthoc]]$adjust(p)

# Finner (1993): the largest 1 - (1 - p_(j))^(m / j) up to each p-value, in ascending order.
adjust_finner <- function(p) {
  o <- order(p)
  m <- length(p)
  out <- numeric(m)
  out[o] <- cummax(-expm1(m / seq_len(m) * log1p(-p[o])))
  out
}

# Li (2008): p / (p + 1 - max(p)); 0 stays 0, even if the largest p is 1.
adjust_li <- function(p) ifelse(p == 0, 0, p / (p + (1 - max(p))))

# Shaffer (1986), static: like Holm, but m - i + 1 is replaced by the largest number of hypotheses that can be true
# together if i - 1 are false.
adjust_shaffer <- function(p) {
  m <- length(p)
  possible <- true_pair_counts(methods_of_pairs(m))
  most <- vapply(m - seq_len(m) + 1, \(left) max(possible[possible <= left]), 0)
  o <- order(p)
  out <- numeric(m)
  out[o] <- pmin(1, cummax(most * p[o]))
  out
}

methods_of_pairs <- function(m) as.integer(round((1 + sqrt(1 + 8 * m)) / 2))

# How many pairs of k methods can be equal at the same time: if j methods are all equal, choose(j, 2) pairs are, plus
# any number possible for the other k - j.
true_pair_counts <- function(k) {
  counts <- list(0, 0)
  for (i in seq_len(k)[-1L]) {
    counts[[i + 1L]] <- sort(unique(unlist(lapply(seq_len(i), \(j) choose(j, 2) + counts[[i - j + 1L]]))))
  }
  counts[[k + 1L]]
}

# Bergmann and Hommel (1988): the largest |I| min(p_i, i in I) over the exhaustive sets I that contain a pair. A set is
# exhaustive if exactly its pairs can be true together: the pairs inside the blocks of a partition of the methods.
adjust_bergmann_hommel <- function(p) {
  block <- set_partitions(methods_of_pairs(length(p)))
  pairs <- utils::combn(ncol(block), 2L)
  inside <- block[, pairs[1L, ], drop = FALSE] == block[, pairs[2L, ], drop = FALSE]
  smallest <- do.call(pmin, lapply(seq_along(p), \(i) ifelse(inside[, i], p[i], 1)))
  value <- rowSums(inside) * smallest
  vapply(seq_along(p), \(i) min(1, max(value[inside[, i]])), 0)
}

# All partitions of k elements, one per row: the block of each element, numbered in the order of their first elements.
set_partitions <- function(k) {
  block <- matrix(1L)
  for (i in seq_len(k)[-1L]) {
    last <- block[cbind(seq_len(nrow(block)), max.col(block, "first"))]
    row <- rep(seq_len(nrow(block)), last + 1L)
    block <- cbind(block[row, , drop = FALSE], sequence(last + 1L))
  }
  block
}

# The post-hoc tests of rank_test(): what tables and sentences call them, whether they compare the methods with a
# control ("always", "never", or "maybe": if one is given), and how they adjust p-values. Nemenyi's test adjusts them
# through the Studentized range, see rank_posthoc().
posthocs <- local({
  posthoc <- function(label, control, adjust = NULL, phrase = paste0(label, "'s procedure")) {
    list(label = label, phrase = phrase, control = control, adjust = adjust)
  }
  by <- function(method) function(p) stats::p.adjust(p, method)
  list(
    nemenyi = posthoc("Nemenyi", "never", phrase = "Nemenyi's test"),
    "bonferroni-dunn" = posthoc("Bonferroni-Dunn", "always", by("bonferroni"), "the test of Bonferroni and Dunn"),
    holm = posthoc("Holm", "maybe", by("holm")),
    hochberg = posthoc("Hochberg", "maybe", by("hochberg")),
    li = posthoc("Li", "always", adjust_li),
    hommel = posthoc("Hommel", "maybe", by("hommel")),
    finner = posthoc("Finner", "maybe", adjust_finner),
    shaffer = posthoc("Shaffer", "never", adjust_shaffer),
    "bergmann-hommel" = posthoc("Bergmann-Hommel", "never", adjust_bergmann_hommel,
      "the procedure of Bergmann and Hommel"),
    "wilcoxon-holm" = posthoc("Wilcoxon and Holm", "maybe", by("holm"),
      "Wilcoxon's signed-rank test with Holm's correction")
  )
})

# Adjusted p-values of the post-hoc tests. Equal p-values get equal adjusted values.

adjust_p <- function(p, posthoc) {
  switch(posthoc,
    "bonferroni-dunn" = stats::p.adjust(p, "bonferroni"),
    holm = stats::p.adjust(p, "holm"),
    hochberg = stats::p.adjust(p, "hochberg"),
    hommel = stats::p.adjust(p, "hommel"),
    finner = adjust_finner(p),
    li = adjust_li(p),
    "wilcoxon-holm" = stats::p.adjust(p, "holm")
  )
}

# Finner (1993): the largest 1 - (1 - p_(j))^(m / j) up to each p-value, in ascending order.
adjust_finner <- function(p) {
  o <- order(p)
  m <- length(p)
  out <- numeric(m)
  out[o] <- cummax(-expm1(m / seq_len(m) * log1p(-p[o])))
  out
}

# Li (2008): p / (p + 1 - max(p)); 0 stays 0, also where the largest p is 1.
adjust_li <- function(p) ifelse(p == 0, 0, p / (p + 1 - max(p)))

# Adjusted p-values of the post-hoc tests. Equal p-values get equal adjusted values.

adjust_p <- function(p, posthoc) {
  switch(posthoc,
    "bonferroni-dunn" = stats::p.adjust(p, "bonferroni"),
    holm = stats::p.adjust(p, "holm"),
    hochberg = stats::p.adjust(p, "hochberg"),
    li = adjust_li(p)
  )
}

# Li (2008): p / (p + 1 - max(p)); 0 stays 0, also where the largest p is 1.
adjust_li <- function(p) ifelse(p == 0, 0, p / (p + 1 - max(p)))

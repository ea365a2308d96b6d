# How many of the planted features selectors find, by rows, features and effect, for
# vignettes/how-many-rows.Rmd:
#   Rscript data-raw/rows-needed.R
# Each of five labels has two planted features. Their values are normal, with another mean in the rows that have the
# label, so that the AUC of the feature for its label is what is asked for. All other features are noise. Ten features
# are selected, as many as are planted, and the share of the planted ones among them is kept.
suppressPackageStartupMessages(library(mlsift))

n_labels <- 5
repeats <- 20
n_planted <- 2 * n_labels
selectors <- list(sel_mim(), sel_mlsmfs(), sel_mtl(), sel_relieff_br())
names(selectors) <- vapply(selectors, function(selector) selector$name, "")
grid <- expand.grid(n = 50 * 2^(0:6), d = c(20, 100, 1000), auc = c(0.6, 0.7, 0.8),
  label_share = c(0.3, 0.05))

# `auc`: how often a row with the label has a larger value than a row without it.
planted_task <- function(n, d, auc, label_share) {
  y <- matrix(rbinom(n * n_labels, 1, label_share), n)
  # A label that all rows have, or none, has no features to find.
  y[1, ] <- 1
  y[2, ] <- 0
  x <- matrix(rnorm(n * d), n)
  planted <- seq_len(n_planted)
  x[, planted] <- x[, planted] + sqrt(2) * qnorm(auc) * y[, rep(seq_len(n_labels), each = 2)]
  mltask(x, y, kind = "label")
}

share_found <- function(task, selector) {
  mean(sift_features(task, selector, k = n_planted, threads = 1)$index <= n_planted)
}

# Relief compares all pairs of rows, so the largest sets would take most of the time.
results <- do.call(rbind, lapply(seq_len(nrow(grid)), function(i) {
  cell <- grid[i, ]
  used <- if (cell$n * cell$n * cell$d > 1e9) setdiff(names(selectors), "RF-BR") else names(selectors)
  shares <- vapply(seq_len(repeats), function(seed) {
    set.seed(seed)
    task <- planted_task(cell$n, cell$d, cell$auc, cell$label_share)
    vapply(selectors[used], share_found, 0, task = task)
  }, double(length(used)))
  cat(sprintf("%4d rows, %4d features, AUC %.1f, share of labels %.2f:", cell$n, cell$d, cell$auc, cell$label_share),
    sprintf("%s %.2f", used, rowMeans(shares)), "\n")
  data.frame(cell, selector = used, found = rowMeans(shares), se = apply(shares, 1, sd) / sqrt(repeats),
    row.names = NULL)
}))
attr(results, "repeats") <- repeats
attr(results, "n_planted") <- n_planted
attr(results, "n_labels") <- n_labels
saveRDS(results, file.path("vignettes", "rows-needed.rds"), compress = "xz")

# GMBA: beside the loops of the paper over rows, neighbors and dissimilar rows written out in R, and beside R on whole
# matrices; then the large sets, with the memory they take (Linux only). One thread unless said.
#   Rscript bench/gmba.R [folder with yeast and bibtex] [quick]
# Claims: yeast at least 50 x the loops (aim 100); bibtex (7,395 x 1,836, sparse) below 10 s and 300 MB over the data;
# 43,907 x 120 with 101 labels below 1 GB. With "quick" the last is timed on 2,000 rows and multiplied.
source("bench/common.R")
machine()
quick <- "quick" %in% commandArgs(TRUE)
commandArgs <- \(...) setdiff(base::commandArgs(TRUE), "quick")

# Megabytes above what was resident before.
peak <- function(f) {
  reset_peak()
  before <- resident("VmRSS")
  f()
  cat(sprintf("  memory above the data: %.0f MB\n", resident("VmHWM") - before))
}

zscore <- function(x) {
  x <- apply(x, 2, function(v) (v - mean(v)) / sqrt(mean((v - mean(v))^2)))
  x[, colSums(is.na(x)) == 0, drop = FALSE]
}

# s of one row with all.
similarity <- function(y, n_q, i) {
  both <- as.vector(y %*% (n_q * y[i, ]))
  size <- as.vector(y %*% n_q)
  ifelse(size + size[i] > 0, both / (size + size[i] - both), 0)
}

# The neighbors of row i, the rows that are not similar, and the margin m; NULL if row i is left out. s and all
# distances of the row are given.
around <- function(s, distance, i, k = 3) {
  similar <- setdiff(which(s >= 1 - 1e-12), i)
  other <- which(s < 1 - 1e-12)
  if (length(similar) < k || length(other) < 1) return(NULL)
  near <- similar[order(distance[similar])[seq_len(k)]]
  list(near = near, other = other, m = abs(distance[near[1]] - min(distance[other])))
}

# The coefficients of row i, every pair of a neighbor and a dissimilar row by itself.
by_loops <- function(z, s, distance, i, rows) {
  c <- numeric(ncol(z))
  for (j in rows$near) {
    c <- c + s[j] * (z[i, ] - z[j, ])^2
    for (u in rows$other) {
      if (sum((z[i, ] - z[u, ])^2) < (rows$m + distance[j]) * (1 - 1e-10)) c <- c + (s[j] - s[u]) *
        ((z[i, ] - z[j, ])^2 - (z[i, ] - z[u, ])^2)
    }
  }
  c
}

by_matrices <- function(z, s, distance, i, rows) {
  near <- rows$near
  other <- rows$other
  active <- outer(distance[other], (rows$m + distance[near]) * (1 - 1e-10), "<") * outer(-s[other], s[near], "+")
  weight <- numeric(nrow(z))
  weight[other] <- -rowSums(active)
  weight[near] <- s[near] + colSums(active)
  used <- which(weight != 0)
  x <- z[used, , drop = FALSE]
  sum(weight) * z[i, ]^2 - 2 * z[i, ] * as.vector(weight[used] %*% x) + as.vector(weight[used] %*% x^2)
}

in_r <- function(z, y, order, coefficients) {
  n_q <- colSums(y)
  squares <- rowSums(z^2)
  omega <- rep(1, ncol(z))
  for (i in order) {
    distance <- pmax(0, squares + squares[i] - 2 * as.vector(z %*% z[i, ]))
    s <- similarity(y, n_q, i)
    rows <- around(s, distance, i)
    if (is.null(rows)) next
    c <- coefficients(z, s, distance, i, rows)
    if (all(c == 0)) next
    omega <- omega - 0.9 * omega * c / sqrt(sum((omega * c)^2))
  }
  omega
}

task <- yeast_task()
z <- zscore(as.matrix(task))
y <- as.matrix(targets(task))
n <- nrow(y)
set.seed(1)
order <- sample.int(n)
some <- order[1:100]
cat(task$name, ": ", n, " rows x ", ncol(z), " features\n", sep = "")
ours <- scores_of(task, sel_gmba(row_order = order))
stopifnot(max(abs(in_r(z, y, order, by_matrices) - ours) / pmax(1, abs(ours))) < 1e-6)
part <- scores_of(task, sel_gmba(row_order = c(some, setdiff(order, some)), n_rows = 100))
stopifnot(max(abs(in_r(z, y, some, by_loops) - part) / pmax(1, abs(part))) < 1e-9)
times <- c(seconds(\() scores_of(task, sel_gmba(row_order = order)), rounds = 3),
  seconds(\() in_r(z, y, order, by_matrices), rounds = 1),
  seconds(\() in_r(z, y, some, by_loops), rounds = 1) * n / 100)
report(c("sel_gmba()", "R, whole matrices, row by row", "R, loops (100 rows, multiplied)"), times)

task <- bench_task("bibtex")
cat(shape_of(task), ", sparse\n", sep = "")
set.seed(1)
order <- sample.int(nrow(task))
report(
  paste("sel_gmba(),", 1:2, "thread(s)"),
  vapply(1:2, \(threads) seconds(\() scores_of(task, sel_gmba(row_order = order), threads), rounds = 2), 0)
)
peak(\() scores_of(task, sel_gmba(row_order = order)))

task <- media_task()
cat(shape_of(task), ", ", summary(task)$label_sets, " label sets\n", sep = "")
rows <- if (quick) min(2000L, nrow(task)) else nrow(task)
sel <- NULL
peak(\() sel <<- seconds(\() sift_features(task, sel_gmba(n_rows = rows), threads = 1), rounds = 1))
report(if (quick) "sel_gmba(), 2,000 rows, multiplied" else "sel_gmba()", sel * nrow(task) / rows)

# Growth, with SPEC on the same label graph.
set.seed(1)
invisible(growth_table(
  list(GMBA = list(sel_gmba()), "SPEC 1" = list(sel_spec()), "SPEC 3" = list(sel_spec(3))),
  c(5000, 10000, 20000, 40000), \(n) normal_task(n, 15, 10)
))

# What the order of rows does to the ranking: features that the first 20 of two random orders share.
if (has_peer("mldr.datasets")) {
  utils::data(emotions, package = "mldr.datasets")
  task <- as_mltask(emotions)
  orders <- size(30, 3)
  shared <- function(selector) {
    set.seed(1)
    firsts <- replicate(orders, selected(sift_features(task, selector, k = 20, threads = 1)))
    apply(utils::combn(orders, 2), 2, \(pair) length(intersect(firsts[, pair[1]], firsts[, pair[2]])))
  }
  cat(sprintf(
    "\nemotions, first 20 of %d features, %d pairs of random orders; by chance they share %.1f\n", ncol(task),
    choose(orders, 2), 20^2 / ncol(task)
  ))
  for (selector in list(sel_gmba(), sel_gmba(step = 0.01, epochs = 10))) {
    found <- shared(selector)
    cat(sprintf(
      "  step %.2f, epochs %2d: %.1f on average, from %d to %d\n", selector$params$step, selector$params$epochs,
      mean(found), min(found), max(found)
    ))
  }
}

# MIM-BR and EBLS over all labels, as a user calls them, beside the cheapest thing that touches the same cells: the
# sparse product t(X) %*% Y of Matrix. 20 calls timed together; nothing is kept between calls.
#   Rscript bench/mim.R [folder with delicious and bibtex]
# Claims: MIM-BR on delicious at most 0.5 x the product; EBLS not slower than MIM-BR.
source("bench/common.R")
machine()
for (task in list(
  bench_task("delicious", 16105, 500, 983, 18.3, 19), bench_task("bibtex", 7395, 1836, 159, 68.7, 2.4)
)) {
  x <- features(task)
  y <- targets(task)
  cat(sprintf("%s: %d x %d, %d labels, 20 calls, 1 thread\n", task$name, nrow(x), ncol(x), ncol(y)))
  # The same counts: the mutual informations of one feature from the product.
  n <- nrow(x)
  f <- which.max(colSums(x))
  xlogx <- function(v) ifelse(v > 0, v * log2(v), 0)
  n11 <- as.vector(crossprod(x, y)[f, ])
  n1 <- sum(x[, f])
  nl <- colSums(y)
  cells <- xlogx(n11) + xlogx(n1 - n11) + xlogx(nl - n11) + xlogx(n - n1 - nl + n11)
  expected <- sum(log2(n) + (cells - xlogx(n1) - xlogx(n - n1) - xlogx(nl) - xlogx(n - nl)) / n)
  sel <- sift_features(task, sel_mim(), threads = 1)
  stopifnot(
    abs(sel$score[sel$index == f] / expected - 1) < 1e-9,
    identical(sel$score, sift_features(task, sel_mim(), threads = 2)$score)
  )
  times <- c(
    seconds(\() crossprod(x, y), 20), seconds(\() sift_features(task, sel_mim(), threads = 1), 20),
    seconds(\() sift_features(task, sel_ebls(), threads = 1), 20),
    seconds(\() sift_features(task, sel_mim(), threads = 2), 20)
  )
  report(c(
    "Matrix::crossprod(x, y)", "sift_features(task, sel_mim())", "sift_features(task, sel_ebls())",
    "sel_mim(), 2 threads"
  ), times)
}

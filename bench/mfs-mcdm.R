# MFS-MCDM: beside its equations in R, with fewer features than rows and with more, and on sparse data. One thread
# unless said.
#   Rscript bench/mfs-mcdm.R [folder with bibtex]
# Claims: not slower than R's solve() with dense features; bibtex below 20 s.
source("bench/common.R")
machine()

in_r <- function(x, y, ridge = 10) {
  n <- nrow(x)
  d <- if (ncol(x) <= n) solve(crossprod(x) + ridge * diag(ncol(x)), crossprod(x, y)) else
    crossprod(x, solve(tcrossprod(x) + ridge * diag(n), y))
  p <- colMeans(y)
  t <- d %*% diag(-p * log2(p) - (1 - p) * log2(1 - p))
  far <- \(to) sqrt(rowSums((t - rep(apply(t, 2, to), each = nrow(t)))^2))
  far(min) / (far(min) + far(max))
}

set.seed(1)
for (shape in list(size(c(4000, 800), c(200, 40)), size(c(800, 4000), c(40, 200)))) {
  x <- matrix(stats::rnorm(prod(shape)), shape[1])
  y <- matrix(stats::rbinom(shape[1] * 20, 1, 0.3), shape[1])
  task <- mltask(x, y)
  stopifnot(max(abs(in_r(x, y) - scores_of(task, sel_mfs_mcdm(scale = "none")))) < 1e-10)
  cat(sprintf("%d x %d, 20 labels\n", shape[1], shape[2]))
  took <- c(seconds(\() scores_of(task, sel_mfs_mcdm()), rounds = 2), seconds(\() in_r(x, y), rounds = 2))
  report(c("sel_mfs_mcdm()", "equations in R"), took)
  claim(took[1] <= took[2])
}

task <- bench_task("bibtex")
cat(shape_of(task), "\n")
took <- vapply(1:2, \(threads) seconds(\() scores_of(task, sel_mfs_mcdm(), threads), rounds = 1), 0)
report(c("sel_mfs_mcdm()", "sel_mfs_mcdm(), 2 threads"), took)
claim(took[1] < 20)

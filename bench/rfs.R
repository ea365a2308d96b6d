# RFS on sizes on which reweighting is slow to converge, with z-scored features. Timed beside the iterations of Nie
# et al. (2010) in plain R, which users have as a MATLAB script, with 300 rounds.
#   Rscript bench/rfs.R
# Claims: both give the same norms to 1e-3; RFS reaches its tolerance, without a warning, in less than a second.
source("bench/common.R")
machine()
options(warn = 2)

nie <- function(x, y, gamma, rounds = size(300, 150)) {
  a <- cbind(x, gamma * diag(nrow(x)))
  weights <- rep(1, ncol(a))
  for (round in seq_len(rounds)) {
    at <- t(a) * weights
    u <- at %*% solve(a %*% at, y)
    weights <- 2 * sqrt(rowSums(u^2) + 1e-16)
  }
  sqrt(rowSums(u[seq_len(ncol(x)), ]^2))
}

for (shape in list(c(150, 72, 6), c(60, 103, 14))) {
  set.seed(1)
  x <- scale(matrix(rnorm(shape[1] * shape[2]), shape[1]))
  y <- (x[, seq_len(shape[3])] + matrix(rnorm(shape[1] * shape[3]), shape[1]) > 0.5) + 0
  task <- mltask(x, y, kind = "label")
  own <- function() sift_features(task, sel_rfs(intercept = "none", scale = "none"), threads = 1)
  found <- own()
  norms <- replace(found$score, is.na(found$score), 0)[order(found$index)]
  difference <- max(abs(norms - nie(x, y, 1))) / max(norms)
  times <- c(seconds(own, rounds = 3), seconds(\() nie(x, y, 1), rounds = 1))
  cat(sprintf("%d x %d, %d labels: norms differ by %.1e of the largest\n", shape[1], shape[2], shape[3], difference))
  stopifnot(difference < 1e-3)
  report(c("sel_rfs()", "reweighting in plain R"), times)
  claim(times[1] < 1 && times[1] < times[2])
}

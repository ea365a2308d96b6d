# MIM-BR and EBLS over all labels, as a user calls them, beside the cheapest thing that touches the same cells: the
# sparse product t(X) %*% Y of Matrix. Rounds of 20 calls; nothing is kept between calls.
#   Rscript bench/mim.R [folder with delicious and bibtex]
# Claims: MIM-BR on delicious at most 0.5 x the product; EBLS not slower than MIM-BR.
source("bench/common.R")
machine()
for (task in list(
  bench_task("delicious"), bench_task("bibtex")
)) {
  x <- features(task)
  y <- targets(task)
  cat(shape_of(task), ", 1 thread\n", sep = "")
  # The same counts: the mutual informations of one feature from the product.
  f <- which.max(colSums(x))
  expected <- sum(informations(x[, f, drop = FALSE], y))
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

# Selectors that count pairs of labels, PMU, LRFS and LSMFS, on sparse words with 1,000 labels, beside SCLS, which
# counts none.
# The interactions of a rare and a frequent feature are compared with sums over all pairs of labels in plain R, whose
# time for all features is scaled up.
#   Rscript bench/label-pairs.R [folder with delicious]
# Claim: PMU and LRFS take seconds where every feature meets few of the labels. LSMFS looks at all pairs for every
# feature.
source("bench/common.R")
machine()
set.seed(1)
n <- size(6000, 300)
words <- function(columns, per_row) {
  w <- 1 / seq_len(columns)
  j <- unlist(lapply(seq_len(n), \(i) sample.int(columns, per_row, prob = w)))
  Matrix::sparseMatrix(i = rep(seq_len(n), each = per_row), j = j, x = 1, dims = c(n, columns))
}
drawn <- mltask(words(size(4000, 200), size(60, 20)), words(size(1000, 40), 5), name = "6,000 x 4,000, 1,000 labels")

# sum over pairs of labels of I(f; l; l'), from their joint counts.
naive <- function(f, y) {
  h <- xlogx
  rows <- nrow(y)
  both <- list(crossprod(y[f == 1, , drop = FALSE]), crossprod(y[f == 0, , drop = FALSE]))
  on <- list(diag(both[[1]]), diag(both[[2]]))
  size <- c(sum(f == 1), sum(f == 0))
  cells <- function(of) {
    a <- both[[of]]
    n_l <- matrix(on[[of]], ncol(y), ncol(y))
    h(a) + h(n_l - a) + h(t(n_l) - a) + h(size[of] - n_l - t(n_l) + a)
  }
  all <- both[[1]] + both[[2]]
  n_l <- matrix(diag(all), ncol(y), ncol(y))
  pair <- h(all) + h(n_l - all) + h(t(n_l) - all) + h(rows - n_l - t(n_l) + all)
  alone <- h(diag(all)) + h(rows - diag(all))
  with_f <- h(on[[1]]) + h(size[1] - on[[1]]) + h(on[[2]]) + h(size[2] - on[[2]])
  information <- h(rows) - sum(h(size)) -
    outer(alone, alone, `+`) + outer(with_f, with_f, `+`) + pair - cells(1) - cells(2)
  sum(information[upper.tri(information)]) / rows
}
y <- as.matrix(targets(drawn))
y <- y[, colSums(y) > 0 & colSums(y) < n]
x <- features(drawn)
some <- c(2, ncol(x) * 3 / 4)
varying <- mlsift:::varying(drawn$targets)
rows <- mlsift:::cpp_task_rows(list(x = x, cuts = NULL, right = FALSE, y = drawn$targets$values, classes = FALSE,
  weights = NULL))
ours <- mlsift:::cpp_label_pairs(rows, varying, "interaction", 1L)
naive_time <- seconds(\() checked <<- vapply(some, \(f) naive(as.vector(x[, f]), y), 0), rounds = 1)
stopifnot(all(abs(ours[some] / checked - 1) < 1e-8))
for (task in list(drawn, bench_task("delicious"))) {
  cat(task$name, ", k = 20, 1 thread\n", sep = "")
  timed <- function(selector) seconds(\() sift_features(task, selector, k = 20, threads = 1), rounds = 3)
  times <- vapply(list(sel_scls(), sel_pmu(), sel_lrfs()), timed, 0)
  report(c("SCLS", "PMU", "LRFS"), times)
  report("LSMFS", seconds(\() sift_features(task, sel_lsmfs(), k = 20, threads = 1), rounds = 1))
}
cat(sprintf("plain R for the interactions of all 4,000 features (from 2): %.0f s\n", naive_time / 2 * ncol(x)))

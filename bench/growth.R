# How the cost of selectors grows with rows, features and labels: simulated sparse 0/1 data, each doubled twice, one
# thread. Printed: CPU seconds, and the exponent, the binary logarithm of the ratio of seconds on doubling. 1: twice the
# time.
#   Rscript bench/growth.R
# Expected: MIM-BR and SCLS at most 1 in each; D2F and PMU about 1 in rows and features; PMU between 1 and 2 in labels,
# since pairs of labels are visited where they meet.
source("bench/common.R")
machine()
sizes <- list(rows = c(20000, 1000, 100), features = c(10000, 1000, 100), labels = c(10000, 1000, 100))
if (small) sizes <- lapply(sizes, `/`, 20)
selectors <- list(sel_mim(), sel_scls(), sel_d2f(), sel_pmu())
# Ones a row grow with the number of columns, so that columns are as dense as before.
make <- function(n, d, q) {
  set.seed(1)
  draw <- function(columns, share, prefix) {
    ones <- stats::rbinom(columns, n, share)
    rows <- lapply(ones, function(m) sort(sample.int(n, m)))
    sparseMatrix(
      i = unlist(rows), p = c(0L, cumsum(ones)), x = 1, dims = c(n, columns),
      dimnames = list(NULL, paste0(prefix, seq_len(columns)))
    )
  }
  mltask(draw(d, 0.02, "f"), draw(q, 0.02, "l"))
}
# CPU seconds of a call, the least of five rounds of as many calls as take a tenth of a second.
time <- function(task, selector) {
  calls <- function(times) for (i in seq_len(times)) sift_features(task, selector, k = 20, threads = 1)
  spent <- function(times) sum(system.time(calls(times), gcFirst = !small)[1:2]) / times
  times <- ceiling(size(0.1, 0) / max(spent(1), 0.001)) + small
  min(replicate(size(5, 1), spent(times)))
}
for (what in names(sizes)) {
  start <- stats::setNames(sizes[[what]], c("n", "d", "q"))
  at <- match(what, names(sizes))
  table <- vapply(0:2, function(step) {
    grown <- replace(start, at, start[at] * 2^step)
    task <- make(grown[1], grown[2], grown[3])
    vapply(selectors, function(selector) time(task, selector), 0)
  }, double(length(selectors)))
  exponents <- log2(table[, -1] / table[, -3])
  cat(sprintf("\ndoubling %s from %d x %d, %d labels\n", what, start[1], start[2], start[3]))
  print(
    data.frame(selector = vapply(selectors, `[[`, "", "name"), seconds = table, exponent = round(exponents, 2)),
    digits = 3, row.names = FALSE
  )
}

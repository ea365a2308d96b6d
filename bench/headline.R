# Sizes of the largest public data sets, 0/1, on one thread, on made-up data of their shapes:
#   wide     16,087 x 4,272,227 features, 24 ones a column, 1 label:            MIM-BR, SCLS, Single-JMI and mRMR 200
#   labels   623,847 x 47,236 features, about 76 ones a row, 2,456 labels, 5 a row: MIM-BR and SCLS 200
#   long     20,000,000 x 29,890,095 features, about 28 ones a row, 1 label:        MIM-BR, Single-JMI 50
#   Rscript bench/headline.R wide|labels|long [share of rows and features] [pattern|values]
# Features are a pattern (ngCMatrix), or a dgCMatrix with `values`. Answers are compared with plain R on a sample of the
# features. Prints seconds of the processor, passes (of Matrix::colSums() over the same ones with values) and the peak
# resident size of a fresh process (Linux).
# An anchor for wide: for 200 features of data of this shape, fast-mRMR takes more than eight hours on one core, and
# fast-mRMR-MPI less than a minute on 768 (Gonzalez-Dominguez et al. 2019).
# Claims: wide: MIM-BR 5 passes, SCLS 40, Single-JMI 70. labels: MIM-BR 5 s, SCLS 20 s. long: MIM-BR 30 s, JMI 3 min.
source("bench/common.R")
arguments <- c(commandArgs(TRUE), "wide", "1", "pattern")
shape <- arguments[1L]
share <- if (length(commandArgs(TRUE)) > 1L) as.numeric(arguments[2L]) else size(1, 0.002)
layout <- if (length(commandArgs(TRUE)) > 2L) arguments[3L] else "pattern"

# So many ones in each column, one in each of as many runs of rows.
draw_pattern <- function(n, counts, chunk = 500000L) {
  p <- c(0L, cumsum(counts))
  i <- integer(p[length(p)])
  for (from in seq.int(1L, length(counts), by = chunk)) {
    to <- min(length(counts), from + chunk - 1L)
    ones <- counts[from:to]
    step <- n / rep(as.double(ones), ones)
    run <- sequence(ones) - 1
    first <- floor(run * step)
    i[seq.int(p[from] + 1L, length.out = sum(ones))] <-
      as.integer(first + floor(stats::runif(length(run)) * (floor((run + 1) * step) - first)))
  }
  methods::new("ngCMatrix", i = i, p = as.integer(p), Dim = c(as.integer(n), length(counts)))
}

# Ones of columns whose shares fall off like 1 / rank, `per_row` on average, at most in half of the rows.
falling <- function(n, d, per_row) {
  share <- 1 / (seq_len(d) + 5)
  pmax(1L, as.integer(n * pmin(0.5, per_row * share / sum(share))))
}

make <- function(shape, share) {
  set.seed(1)
  part <- function(all) as.integer(all * share)
  label <- function(n, p) matrix(as.integer(stats::runif(n) < p), n)
  switch(shape,
    wide = list(x = draw_pattern(16087L, rep(24L, part(4272227))), y = label(16087L, 0.3)),
    labels = list(x = draw_pattern(part(623847), falling(part(623847), 47236L, 76)),
      y = draw_pattern(part(623847), falling(part(623847), 2456L, 5))),
    long = list(x = draw_pattern(part(20e6), falling(part(20e6), part(29890095), 28)), y = label(part(20e6), 0.15))
  )
}

rows_of <- function(x, f) x@i[seq.int(x@p[f] + 1L, length.out = x@p[f + 1L] - x@p[f])] + 1L

# R(f) of a few features, from their rows.
relevance <- function(x, y, columns) {
  n <- nrow(x)
  vapply(columns, function(f) {
    rows <- rows_of(x, f)
    both <- Matrix::colSums(y[rows, , drop = FALSE])
    one <- length(rows)
    all <- Matrix::colSums(y)
    cells <- xlogx(both) + xlogx(one - both) + xlogx(all - both) + xlogx(n - one - all + both)
    sum(log2(n) + (cells - xlogx(one) - xlogx(n - one) - xlogx(all) - xlogx(n - all)) / n)
  }, 0)
}

entropy <- function(counts) sum(-xlogx(counts / sum(counts)))

# Scores of selected features, and of some others as runners-up cannot beat, by the equations.
check_path <- function(path, x, y, criterion, steps = c(2L, 5L, 20L)) {
  n <- nrow(x)
  code <- function(f) replace(integer(n), rows_of(x, f), 1L)
  information <- function(a, b) {
    joint <- table(a, b)
    entropy(rowSums(joint)) + entropy(colSums(joint)) - entropy(joint)
  }
  for (k in intersect(steps, seq_len(nrow(path)))) {
    score <- function(f) {
      own <- code(f)
      before <- lapply(path$index[seq_len(k - 1L)], code)
      if (criterion == "scls") {
        sum_of <- sum(vapply(before, information, 0, b = own))
        relevance(x, y, f) * (1 - sum_of / entropy(table(own)))
      } else if (criterion == "mrmr") {
        relevance(x, y, f) - mean(vapply(before, information, 0, b = own))
      } else {
        sum(vapply(before, function(s) sum(apply(as.matrix(y), 2L, function(t) information(2L * own + s, t))), 0))
      }
    }
    stopifnot(abs(score(path$index[k]) - path$score[k]) < 1e-9 * max(1e-6, abs(path$score[k])) + 1e-12)
    others <- setdiff(sample.int(ncol(x), 3L), path$index[seq_len(k)])
    stopifnot(vapply(others, score, 0) <= path$score[k] + 1e-12)
  }
}

machine()
data <- make(shape, share)
invisible(gc())
with_ones <- function(m) methods::new("dgCMatrix", i = m@i, p = m@p, x = rep(1, length(m@i)), Dim = m@Dim)
processor <- function(f) {
  time <- system.time(f())
  c(time[[1L]] + time[[2L]], time[[3L]])
}
large <- function(n) format(n, big.mark = ",")
cat(sprintf("%s x %g: %s x %s, %s ones, %d label(s), 1 thread, %s\n", shape, share, large(nrow(data$x)),
  large(ncol(data$x)), large(length(data$x@i)), ncol(data$y), layout))
# One pass over values; of at most 100 million ones, for which memory is spared.
part <- data$x
n_part <- sum(cumsum(as.double(diff(part@p))) <= 1e8)
part <- with_ones(if (n_part < ncol(part)) part[, seq_len(n_part)] else part)
pass <- min(replicate(5, processor(\() Matrix::colSums(part))[1L])) * length(data$x@i) / length(part@x)
if (layout == "values") data$x <- if (n_part < ncol(data$x)) with_ones(data$x) else part
rm(part)
reset_peak()
cat(sprintf("  one pass of colSums() %.3f s; data %.0f MB; resident %.0f MB\n", pass,
  (as.numeric(object.size(data$x)) + as.numeric(object.size(data$y))) / 2^20, resident("VmRSS")))
show <- function(what, time) {
  cat(sprintf("  %-18s %7.2f s of the processor (%7.2f s elapsed) %7.1f passes, peak %6.0f MB\n", what, time[1L],
    time[2L], time[1L] / pass, resident("VmHWM")))
}
show("mltask()", processor(\() task <<- mltask(data$x, data$y)))
runs <- switch(shape,
  wide = list(list(sel_mim(), 200, ""), list(sel_scls(), 200, "scls"), list(sel_single_jmi(), 200, "jmi"),
    list(sel_mrmr(), 200, "mrmr")),
  labels = list(list(sel_mim(), 200, ""), list(sel_scls(), 200, "")),
  long = list(list(sel_mim(), 50, ""), list(sel_single_jmi(), 50, if (share <= 0.01) "jmi" else ""))
)
x <- data$x
y <- data$y
for (run in runs) {
  show(paste0(run[[1L]]$name, ", k = ", run[[2L]]), processor(\() path <<- sift_features(
    task, run[[1L]], k = run[[2L]], threads = 1
  )))
  if (run[[1L]]$name == "MIM-BR") {
    stopifnot(abs(relevance(x, y, path$index[1:5]) - path$score[1:5]) < 1e-6 * path$score[1:5])
    stopifnot(relevance(x, y, sample.int(ncol(x), 50L)) <= path$score[1L] * (1 + 1e-12))
  }
  if (nzchar(run[[3L]])) check_path(path, x, y, run[[3L]])
}

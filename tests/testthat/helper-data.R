# Small random tasks that hold what is awkward: ties, constants, duplicates, rows without labels, labels never or always
# on. Some feature and some label vary.

random_codes <- function(n, d, levels = 3L) {
  x <- vapply(seq_len(d), function(f) sample.int(levels, n, replace = TRUE) - 1L, integer(n))
  x <- matrix(as.double(x), n, d)
  if (d >= 4L) {
    x[, 2L] <- 1        # constant
    x[, 4L] <- x[, 1L]  # a copy
  }
  colnames(x) <- paste0("f", seq_len(d))
  if (!any(apply(x, 2L, function(f) any(f != f[1L])))) x[n, 1L] <- x[1L, 1L] + 1
  x
}

random_labels <- function(n, q, p = 0.3) {
  y <- matrix(as.integer(stats::runif(n * q) < p), n, q)
  if (q >= 4L) {
    y[, 2L] <- 0L  # never on
    y[, 3L] <- 1L  # always on
  }
  y[1L, -if (q >= 4L) 3L else q + 1L] <- 0L
  if (all(colSums(y) %in% c(0L, n))) y[n, 1L] <- 1L
  colnames(y) <- paste0("l", seq_len(q))
  y
}

sparse <- function(x) methods::as(methods::as(Matrix::Matrix(x + 0, sparse = TRUE), "generalMatrix"), "CsparseMatrix")

all_discrete <- function(x) stats::setNames(rep(TRUE, ncol(x)), colnames(x))

coded_task <- function(x, y, ...) mltask(x, y, kind = "label", discrete = all_discrete(x), ...)

as_factors <- function(x) as.data.frame(lapply(as.data.frame(x), factor))

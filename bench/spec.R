# SPEC: beside its equations on the matrix of all pairs of rows, then on the large sets. One thread.
#   Rscript bench/spec.R [folder with yeast, bibtex and delicious]
# Claims: phi 1 on bibtex and on 43,907 rows with about 6,500 label sets below 1 s, on delicious (15,806 label sets)
# below 3 s; nothing larger than label sets x label sets.
source("bench/common.R")
machine()

# The graph between rows, and for phi 3 all its eigenvectors.
in_r <- function(task, phi) {
  y <- as.matrix(targets(task))
  x <- scale(as.matrix(task), scale = FALSE)
  n_q <- colSums(y)
  both <- y %*% (n_q * t(y))
  size <- diag(both)
  a <- both / (outer(size, size, "+") - both)
  a[is.nan(a)] <- 0
  diag(a) <- 0
  d <- rowSums(a)
  if (phi == 1) return(colSums(x * (a %*% x)) / colSums(d * x^2) - 1)
  e <- eigen(diag(length(d)) - a / sqrt(outer(d, d)), symmetric = TRUE)
  last <- seq(length(d), by = -1, length.out = min(50, sum(n_q > 0)))[-1]
  alpha <- crossprod(e$vectors[, last], sqrt(d) * x)
  colSums((2 - e$values[last]) * alpha^2) / colSums(d * x^2)
}

task <- yeast_task()
cat(task$name, "\n")
for (phi in c(1, 3)) {
  part <- if (phi == 3) task[seq_len(min(800, nrow(task))), ] else task
  stopifnot(max(abs(in_r(part, phi) - scores_of(part, sel_spec(phi)))) < 1e-9)
  report(paste0(c("sel_spec(", "R, rows x rows, phi = "), phi, c(")", ""), if (phi == 3) ", 800 rows"),
    c(seconds(\() scores_of(part, sel_spec(phi))), seconds(\() in_r(part, phi), rounds = 1)))
}

large <- c(list(bench_task("bibtex"), media_task()), if (!is.null(data_folder())) list(bench_task("delicious")))
for (task in large) {
  cat(shape_of(task), ", ", summary(task)$label_sets, " label sets\n", sep = "")
  phis <- if (task$name == "delicious") 1:2 else 1:3
  took <- vapply(phis, \(phi) seconds(\() scores_of(task, sel_spec(phi)), rounds = 1 + 2 * (phi < 3)), 0)
  report(paste0("sel_spec(", phis, ")"), took)
}

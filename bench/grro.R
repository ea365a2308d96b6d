# GRRO: beside the same system solved by eigen() of R, and with more features and labels. One thread unless said.
#   Rscript bench/grro.R [folder with bibtex]
# Claims: 2,000 features with 20 labels below 10 s, and at most half the time of eigen() alone.
source("bench/common.R")
machine()

# 0/1 features, with one label for each tenth of them.
two_levels <- function(d, q = 20, n = size(2000, 200)) {
  set.seed(1)
  x <- matrix(as.numeric(stats::runif(n * d) < rep(stats::runif(d, 0.1, 0.9), each = n)), n)
  y <- sapply(seq_len(q), \(l) as.integer(rowMeans(x[, sample(d, 5)]) + stats::rnorm(n, sd = 0.3) > 0.6))
  mltask(x, y, name = paste(d, "features"))
}

in_r <- function(relevance, similarity, y, alpha = 100, beta = 0.1) {
  size <- sqrt(colSums(y))
  labels <- eigen(1 - crossprod(y) / outer(size, size), symmetric = TRUE)
  features <- eigen(diag(nrow(similarity)) + alpha * similarity, symmetric = TRUE)
  w <- crossprod(features$vectors, relevance %*% labels$vectors) / outer(features$values, beta * labels$values, "+")
  rowSums(features$vectors %*% tcrossprod(w, labels$vectors))
}

task <- two_levels(size(400, 40))
x <- as.matrix(task)
y <- as.matrix(targets(task))
relevance <- informations(x, y)
similarity <- informations(x, x)
diag(similarity) <- 1
stopifnot(max(abs(in_r(relevance, similarity, y) - scores_of(task, sel_grro()))) < 1e-10)
cat(task$name, "\n")
report(c("sel_grro()", "eigen() of R, informations given"),
  c(seconds(\() scores_of(task, sel_grro())), seconds(\() in_r(relevance, similarity, y))))

took <- c()
for (d in size(c(1000, 2000), c(30, 60))) {
  task <- two_levels(d)
  took <- c(took, seconds(\() scores_of(task, sel_grro()), rounds = 2))
  stopifnot(identical(scores_of(task, sel_grro()), scores_of(task, sel_grro(), 2)))
}
random <- matrix(stats::rnorm(d * d), d)
by_eigen <- seconds(\() eigen(random + t(random), symmetric = TRUE), rounds = 1)
cat(task$name, "\n")
report(c("sel_grro()", "sel_grro() with half the features", "eigen() of one such matrix"), c(rev(took), by_eigen))
claim(took[2] < 10 && took[2] < by_eigen / 2)

task <- bench_task("bibtex")
cat(shape_of(task), "\n")
report(c("sel_grro()", "sel_grro(), 2 threads", "sel_qpmlfs()"), c(
  seconds(\() scores_of(task, sel_grro()), rounds = 1), seconds(\() scores_of(task, sel_grro(), 2), rounds = 1),
  seconds(\() scores_of(task, sel_qpmlfs()), rounds = 1)
))

# Nearest-neighbor mutual information on the first 1,500 rows of yeast: forward search of 30 features, backward search
# from all 103, beside plain R and beside the same code without pruning.
#   Rscript bench/knn-mi.R [folder with yeast]
# Then sparse text, which is made dense.
# Claims: forward at least 100 x plain R. Plain R computes all distances of a candidate set from the kept ones, and
# sorts them; it is timed on some candidates of some steps, and scaled to the 2,655 candidates of 30 steps.
source("bench/common.R")
machine()
set.seed(1)
task <- real_or("yeast", simulate_mltask(size(1500, 200), 103, 3))
task <- task[seq_len(min(1500, nrow(task))), ]

# --- plain R ----------------------------------------------------------------------------------------------------------

set_of <- apply(as.matrix(targets(task)), 1, paste, collapse = "")
kept <- set_of %in% names(which(table(set_of) >= 6))
class <- set_of[kept]
x <- scale(as.matrix(features(task))[kept, ])
kth_other <- function(squares, k = 4) apply(squares, 1, function(row) sort(row, partial = k + 1)[k + 1])
own <- outer(class, class, `==`)
estimate <- function(squares, d) {
  n <- nrow(squares)
  all <- kth_other(squares)
  same <- kth_other(ifelse(own, squares, Inf))
  sizes <- table(class)
  digamma(n) - sum(sizes * digamma(sizes)) / n + d / n * sum(log(all) - log(same)) / 2
}
added <- function(squares, f) squares + outer(x[, f], x[, f], `-`)^2
squares_of <- function(set) Reduce(added, set, matrix(0, nrow(x), nrow(x)))

# --- comparison -------------------------------------------------------------------------------------------------------

run <- function(k, selector = sel_knn_mi(), threads = 1) sift_features(task, selector, k = k, threads = threads)
cat(sprintf("%d x %d, %d rows in label sets of 6 rows or more\n", nrow(task), ncol(task), nrow(x)))
best <- run(30)
stopifnot(
  identical(as.data.frame(best), as.data.frame(run(30, threads = 2))),
  identical(as.data.frame(best), as.data.frame(run(30, sel_knn_mi(max_rows = 0))))
)
per_candidate <- vapply(c(1, 10, 29), function(step) {
  before <- squares_of(best$index[seq_len(step)])
  seconds <- system.time(found <- estimate(added(before, best$index[step + 1]), step + 1))[["elapsed"]]
  stopifnot(abs(found - best$score[step + 1]) < 1e-9)
  seconds
}, 0)
plain <- mean(per_candidate) * sum(103:74)
times <- c(seconds(\() run(30), rounds = 3), seconds(\() run(30, threads = 2), rounds = 3),
  seconds(\() run(30, sel_knn_mi(max_rows = 0)), rounds = 3), plain)
report(c(
  "forward, 30 steps", "forward, 2 threads", "forward, distances not kept",
  "forward, plain R (3 candidates, scaled)"
), times)
claim(plain / times[1] >= 100)

back <- sel_knn_mi(search = "backward")
time <- system.time(ranking <- run(NULL, back))[["elapsed"]]
stopifnot(identical(as.data.frame(ranking), as.data.frame(run(NULL, back, threads = 2))))
report("backward from 103", time, times[1])
report(
  "forward, permutation stop of 100 orders", seconds(\() run(30, sel_knn_mi(stop = stop_permutation())), rounds = 1),
  times[1]
)
report(
  "chi-square of label sets, cut by MDLP",
  seconds(\() sift_features(task, sel_chi2("lp"), discretizer = disc_mdlp(), threads = 1), rounds = 3), times[1]
)

# --- growth -----------------------------------------------------------------------------------------------------------

set.seed(1)
runs <- list("kept up to 5,000 rows" = list(sel_knn_mi(), 3L), "never kept" = list(sel_knn_mi(max_rows = 0), 3L))
invisible(growth_table(runs, c(5000, 10000, 20000, 40000), \(n) normal_task(n, 5, 2)))

# --- sparse text ------------------------------------------------------------------------------------------------------

# Rows of one of four topics; 76 words in a row on average, as 0/1 or as tf-idf of length 1.
text <- function(n, d, values) {
  x <- draw_sparse(n, d, 76, "w")
  topic <- sample(4, n, TRUE)
  # A word of a topic is taken out of most rows of others.
  entries <- methods::as(x, "TsparseMatrix")
  word_topic <- sample(20, d, TRUE)
  kept <- word_topic[entries@j + 1L] > 4 | word_topic[entries@j + 1L] == topic[entries@i + 1L] |
    stats::runif(length(entries@i)) < 0.3
  x <- sparseMatrix(
    i = entries@i[kept] + 1L, j = entries@j[kept] + 1L, x = 1, dims = dim(x), dimnames = dimnames(x)
  )
  if (values == "tf-idf") {
    count <- diff(x@p)
    x@x <- (1 + log(1 + stats::rgeom(length(x@x), 0.6))) * rep(log(n / pmax(1, count)), count)
    x@x <- x@x / sqrt(Matrix::rowSums(x^2))[x@i + 1L]
  }
  mltask(x, cbind(l1 = as.integer(topic > 2), l2 = as.integer(topic %in% 2:3)))
}
set.seed(1)
for (values in c("tf-idf", "0/1")) {
  sparse <- text(size(800, 200), size(2000, 300), values)
  dense <- mltask(as.matrix(features(sparse)), as.matrix(targets(sparse)))
  for (zero in c("floor", "gao")) {
    found <- lapply(list(sparse, dense), function(task) {
      as.data.frame(suppressWarnings(sift_features(task, sel_knn_mi(zero_distance = zero), k = 5)))
    })
    stopifnot(identical(found[[1]], found[[2]]))
  }
}
cat("sparse text gives the bits of a dense matrix\n")
set.seed(1)
for (values in c("tf-idf", "0/1")) {
  words <- text(size(1500, 200), size(5000, 300), values)
  report(paste0("gao, 5 steps, ", shape_of(words), ", ", values), seconds(\() suppressWarnings(
    sift_features(words, sel_knn_mi(zero_distance = "gao"), k = 5, threads = 1)
  ), rounds = 1), NA)
}

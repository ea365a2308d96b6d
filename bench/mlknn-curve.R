# ML-kNN on yeast, hold-out 1208 / 1209 rows, 10 neighbors: the curve over 1 .. 50 features in one pass, beside the
# model on all 50 and fifty separate models; k-NN regression beside the neighbors of FNN; 1 and 2 threads, also on
# more rows.
#   Rscript bench/mlknn-curve.R [folder with yeast]
# Claims: the curve at most 4 x the model at 50 (aim 3) and at most 1/8 of fifty; k-NN regression not slower
# than FNN's fastest.
source("bench/common.R")
machine()

set.seed(1)
task <- real_or("yeast", normal_task(size(2417, 200), 103, size(14, 5)))
split <- sample.int(nrow(task), nrow(task) %/% 2)
train <- task[split, ]
test <- task[-split, ]
order <- sift_features(train, sel_mim(), k = 50)$index
learner <- lrn_mlknn(10)

separate <- function(n) {
  columns <- order[seq_len(n)]
  predict(fit(learner, train[, columns], threads = 1), test[, columns], threads = 1)
}
curve <- function(threads = 1) one_pass(learner, train, test, order, 1:50, threads = threads)
expected <- lapply(1:50, separate)
stopifnot(identical(expected, `attributes<-`(curve(), NULL)), identical(expected, `attributes<-`(curve(2), NULL)))

cat(sprintf(
  "\n%s: %d + %d rows, %d labels, features by MIM-BR, 1 thread; curve and separate models equal to the bit\n",
  task$name, nrow(train), nrow(test), length(target_names(task))
))
times <- c(
  seconds(\() separate(50), 10, 10), seconds(curve, 1, 10), seconds(\() lapply(1:50, separate), 1, 3),
  seconds(\() curve(2), 1, 10)
)
report(c(
  "fit and predict, 50 features", "curve over 1 .. 50 features", "fifty separate fits and predictions",
  "curve, 2 threads"
), times)
cat(sprintf("  curve / single %.2f, fifty / curve %.1f\n", times[2] / times[1], times[3] / times[2]))

x <- as.matrix(train)[, order]
query <- as.matrix(test)[, order]
value <- rnorm(nrow(x))
regression <- mltask(x, value)
ours <- function() predict(fit(lrn_knn_regression(10), regression, threads = 1), query, threads = 1)$response[, 1]
cat("\nk-NN regression by 10 neighbors of the test rows, 50 features, 1 thread; with FNN the neighbors only\n")
times <- seconds(ours, 5, 10)
if (has_peer("FNN")) {
  algorithms <- c("kd_tree", "cover_tree", "brute", "CR")
  theirs <- function(algorithm) FNN::get.knnx(x, query, 10, algorithm)
  same <- vapply(algorithms, function(algorithm) {
    isTRUE(all.equal(unname(ours()), rowMeans(matrix(value[theirs(algorithm)$nn.index], ncol = 10)), tolerance = 1e-6))
  }, NA)
  times <- c(times, vapply(algorithms, function(algorithm) seconds(\() theirs(algorithm), 1, 5), 0))
  report(c("mlsift", paste0("FNN ", algorithms, ifelse(same, ", same neighbors", ", other neighbors"))), unname(times))
  cat(sprintf("  fastest FNN / mlsift %.1f\n", min(times[-1]) / times[1]))
} else {
  report("mlsift", times)
}

cat("\n1 and 2 threads on 8,000 + 4,000 rows, 100 features, 20 labels\n")
large <- normal_task(size(12000, 300), 100, 20)
rows <- seq_len(nrow(large) * 2 / 3)
run <- function(threads) predict(fit(learner, large[rows, ], threads = threads), large[-rows, ], threads = threads)
stopifnot(identical(run(1), run(2)))
times <- c(seconds(\() run(1), 1, 3), seconds(\() run(2), 1, 3))
report(c("1 thread", "2 threads"), times)

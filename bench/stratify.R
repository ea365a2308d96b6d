# Iterative stratification of 100,000 rows x 100 labels (cardinality 3) in 10 folds: time, and how evenly rows and
# labels are spread in comparison with random folds.
#   Rscript bench/stratify.R
source("bench/common.R")
machine()

set.seed(1)
n <- size(100000, 1000)
q <- 100
y <- draw_sparse(n, q, 3, "l")
x <- matrix(stats::runif(n), dimnames = list(NULL, "a"))
sparse <- mltask(x, y)
dense <- mltask(x, as.matrix(y))

# Mean relative deviation of a label's count in a fold from a tenth of its rows, and the largest fold size deviation.
spread <- function(splits) {
  counts <- vapply(splits, function(split) Matrix::colSums(y[split$test, ]), numeric(q))
  wanted <- Matrix::colSums(y) / length(splits)
  c(
    labels = mean(abs(counts - wanted) / wanted),
    sizes = max(abs(lengths(lapply(splits, `[[`, "test")) - n / length(splits)))
  )
}

time <- function(task, resampling) seconds(\() split_rows(task, resampling))

cat(sprintf(
  "%s rows x %d labels, cardinality %.2f, 10 folds\n", format(n, big.mark = ",", scientific = FALSE), q, length(y@x) / n
))
cat(sprintf("stratified, sparse labels: %.3f s (aim below 0.3 s)\n", time(sparse, rs_cv(10))))
cat(sprintf("stratified, dense labels:  %.3f s\n", time(dense, rs_cv(10))))
cat(sprintf("random folds:              %.3f s\n", time(sparse, rs_cv(10, stratify = FALSE))))
set.seed(2)
for (stratify in c(TRUE, FALSE)) {
  figures <- spread(split_rows(sparse, rs_cv(10, stratify = stratify)))
  cat(sprintf("%-10s  mean deviation of a label's share: %.4f%%, largest deviation of a fold's size: %g rows\n",
    if (stratify) "stratified" else "random", 100 * figures[["labels"]], figures[["sizes"]]))
}

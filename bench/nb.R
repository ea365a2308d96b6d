# Naive Bayes on delicious (500 features, 983 labels). Fitting is timed beside MIM-BR, which takes the same counts. A
# curve, the Hamming loss on 10, 20, 30, 40 and 50 features in one pass, is timed beside separate evaluations (fit,
# predict, Hamming loss). Tables of two halves of the rows must add up to the whole.
#   Rscript bench/nb.R [folder with delicious]
# Claims: fit at most 5 x MIM-BR; the curve gives the same losses as the separate evaluations, in about the same time.
source("bench/common.R")
machine()
task <- bench_task("delicious")

first <- seq_len(nrow(task)) %% 2 == 0
whole <- count_tables(task, sel_mim())
sel <- sift_features(task, sel_mim())
stopifnot(
  identical((count_tables(task[first, ], sel_mim()) + count_tables(task[!first, ], sel_mim()))$tables, whole$tables),
  identical(sift_features(whole, sel_mim())$score, sel$score)
)
cat(sprintf(
  "%s: %d x %d, %d labels, 1 thread; halves add up to the whole, scores of tables equal to the bit\n", task$name,
  nrow(task), length(feature_names(task)), length(target_names(task))
))

learner <- lrn_nb()
times <- c(
  seconds(\() sift_features(task, sel_mim(), threads = 1), 5), seconds(\() fit(learner, task, threads = 1), 5),
  seconds(\() count_tables(task, sel_mim(), threads = 1), 5)
)
report(c("sift_features(task, sel_mim())", "fit(lrn_nb(), task)", "its table of counts"), times)

set.seed(1)
rows <- sample.int(nrow(task), min(8000, nrow(task) %/% 2))
train <- task[rows, sel$index[1:50]]
test <- task[-rows, sel$index[1:50]]
truth <- targets(test)
counts <- seq(10, 50, 10)
loss <- function(prediction) msr_hamming_loss(truth, prediction$response)
evaluations <- function() vapply(counts, function(n) {
  loss(predict(fit(learner, train[, 1:n], threads = 1), test[, 1:n], threads = 1))
}, 0)
curve <- function() vapply(one_pass(learner, train, test, seq_len(50), counts, threads = 1), loss, 0)
stopifnot(identical(curve(), evaluations()))
cat(sprintf("%d + %d rows, features by MIM-BR, 1 thread\n", nrow(train), nrow(test)))
report(c("separate evaluations on 10, 20, ..., 50", "one curve"), c(seconds(evaluations, 1, 3), seconds(curve, 1, 3)))

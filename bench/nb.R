# Naive Bayes on delicious (500 features, 983 labels): fitting beside MIM-BR, which takes the same counts, and the
# Hamming loss along a curve of 1 .. 50 features beside one evaluation on 50 (fit, predict, Hamming loss). Tables of two
# halves of the rows must add up to the whole.
#   Rscript bench/nb.R [folder with delicious]
# Claims: fit at most 5 x MIM-BR; the curve at most 4 x one evaluation.
source("bench/common.R")
machine()
task <- bench_task("delicious", 16105, 500, 983, 18.3, 19)
internal <- asNamespace("mlsift")

levels <- internal$fixed_levels(task)
first <- seq_len(nrow(task)) %% 2 == 0
whole <- internal$joint_counts(task, levels)
halves <- lapply(list(task[first, ], task[!first, ]), internal$joint_counts, levels)
sel <- sift_features(task, sel_mim())
stopifnot(
  identical(internal$add_counts(halves[[1]], halves[[2]]), whole),
  identical(internal$mim_of_counts(whole)[sel$index], sel$score)
)
cat(sprintf(
  "%s: %d x %d, %d labels, 1 thread; halves add up to the whole, scores of tables equal to the bit\n", task$name,
  nrow(task), length(feature_names(task)), length(target_names(task))
))

learner <- lrn_nb()
times <- c(
  seconds(\() sift_features(task, sel_mim(), threads = 1), 5) / 5, seconds(\() fit(learner, task, threads = 1), 5) / 5,
  seconds(\() internal$joint_counts(task, levels, 1L), 5) / 5
)
report(c("sift_features(task, sel_mim())", "fit(lrn_nb(), task)", "its table of counts"), times)

set.seed(1)
rows <- sample.int(nrow(task), 8000)
train <- task[rows, sel$index[1:50]]
test <- task[-rows, sel$index[1:50]]
truth <- targets(test)
evaluation <- function() msr_hamming_loss(truth, predict(fit(learner, train, threads = 1), test, threads = 1)$response)
curve <- function() internal$nb_hamming_curve(
  fit(learner, train, threads = 1)$state, test$x, test$y, 1:50, 0.5, 1L, NULL
)
stopifnot(all.equal(curve()[50], evaluation()))
cat(sprintf("%d + %d rows, features by MIM-BR, 1 thread\n", nrow(train), nrow(test)))
report(
  c("fit, predict, Hamming loss on 50", "Hamming loss on 1 .. 50"), c(seconds(evaluation, 1, 3), seconds(curve, 1, 3))
)

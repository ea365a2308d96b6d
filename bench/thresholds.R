# What learned thresholds gain over 0.5, and what they cost: macro F1, micro F1 and example-based F1 of lrn_threshold(),
# each learned for macro F1 or, for all labels at once, for the measure itself. Then the search for thresholds alone,
# and a curve of ML-kNN beside one of three folds more.
#   Rscript bench/thresholds.R [folder with data sets] [set ...]
# Of each set at most 3,000 rows are used, two thirds of them for training, with the 100 best features by MIM-BR.
# Claims: macro F1 is larger with a threshold for each label on average over sets, for each learner; all cuts of 1e6
# scores are tried within 1 s on one thread.
source("bench/common.R")
machine()

arguments <- commandArgs(TRUE)
sets <- if (length(arguments) > 1L) arguments[-1L] else c("enron", "medical", "yeast", "cal500", "emotions", "slashdot")
measures <- c("macro_f1", "micro_f1", "example_f1")
inner <- list(NB = lrn_nb(), BRLR = lrn_brlr(), "ML-kNN" = lrn_mlknn(scale = "zscore"))
variants <- list(
  "0.5" = identity, "by target" = lrn_threshold,
  "by target, min_count 1" = \(learner) lrn_threshold(learner, min_count = 1),
  "by all" = \(learner) lrn_threshold(learner, by = "all"),
  "by all, micro F1" = \(learner) lrn_threshold(learner, "micro_f1", "all"),
  "by all, example F1" = \(learner) lrn_threshold(learner, "example_f1", "all"),
  "by count" = \(learner) lrn_threshold(learner, by = "count")
)

# Values of all variants and learners: measures x variants x learners.
values_of <- function(name) {
  task <- bench_task(name)
  set.seed(1)
  task <- task[sort(sample.int(nrow(task), min(nrow(task), 3000))), ]
  rows <- split_rows(task, rs_holdout(2 / 3, 1))[[1]]
  train <- task[rows$train, ]
  chosen <- suppressWarnings(sift_features(train, sel_mim(), k = min(100, ncol(task))))$index
  found <- sapply(inner, function(learner) {
    sapply(variants, function(variant) {
      set.seed(2)
      prediction <- suppressWarnings(predict(fit(variant(learner), train[, chosen]), task[rows$test, chosen]))
      evaluate(prediction, task[rows$test, ], measures)$value
    })
  }, simplify = "array")
  dimnames(found)[[1]] <- measures
  on <- Matrix::colMeans(targets(train))
  cat(sprintf("\n%s, median label on in %.1f %% of the rows\n", shape_of(task), 100 * stats::median(on)))
  for (learner in names(inner)) {
    cat(learner, "\n")
    print(round(t(found[, , learner]), 3))
  }
  found
}
found <- sapply(sets, values_of, simplify = "array")
cat("\nmean over", length(sets), "sets\n")
for (learner in names(inner)) {
  cat(learner, "\n")
  print(round(t(apply(found[, , learner, , drop = FALSE], 1:2, mean)), 3))
}
gain <- apply(found["macro_f1", "by target", , , drop = FALSE] - found["macro_f1", "0.5", , , drop = FALSE], 3, mean)
cat("\ngain of macro F1 by thresholds for each label\n")
print(round(gain, 3))
claim(all(gain > 0))

set.seed(3)
n <- size(10000, 200)
truth <- matrix(stats::rbinom(n * 100, 1, 0.05), n)
score <- matrix(stats::plogis(stats::rnorm(n * 100, 2 * truth - 3)), n)
search <- function(by, measure = "macro_f1") {
  mlsift:::best_thresholds(truth, score, list(measure = measure, by = by, min_count = 1), NULL, 1L)
}
cat("\nall cuts of", length(score), "scores, 1 thread\n")
times <- c(seconds(\() search("target"), 1, 3), seconds(\() search("all"), 1, 3),
  seconds(\() search("all", "example_f1"), 1, 3))
report(c("macro F1, each label", "macro F1, all labels", "example-based F1, all labels"), times)
claim(all(times < 1))

task <- yeast_task()
set.seed(1)
split <- sample.int(nrow(task), nrow(task) %/% 2)
order <- sift_features(task[split, ], sel_mim(), k = 50)$index
curve <- function(learner) one_pass(learner, task[split, ], task[-split, ], order, 1:50, threads = 1)
cat("\ncurve over 1 .. 50 features of yeast, 1 thread\n")
report(c("ML-kNN", "ML-kNN with thresholds"),
  c(seconds(\() curve(lrn_mlknn()), 1, 3), seconds(\() curve(lrn_threshold(lrn_mlknn())), 1, 3)))

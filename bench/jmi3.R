# JMI3 beside Single-JMI and praznik, k = 50, one thread each, on 0/1 features and on five levels, for one label and
# several. praznik must be installed (version 11.0.0 for R 4.2).
#   Rscript bench/jmi3.R
# Aims: on 0/1 features at most 30 times Single-JMI, and never slower than praznik. There are 1,225 pairs of 50
# features, so 25 times is what one count for each pair takes. Five levels make 25 cells of a pair of features: there
# JMI3 takes up to 100 times as long.
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
  made("8,000 x 1,000, 0/1, 10 % ones, 1 label", size(8000, 400), size(1000, 80), 2, 0.1, 1),
  made("8,000 x 500, 0/1, 50 % ones, 10 labels", size(8000, 300), size(500, 60), 2, 0.5, 10),
  made("2,000 x 1,000, five levels, 1 label", size(2000, 400), size(1000, 80), 5, 0, 1)
)
for (task in tasks) {
  cat(task$name, "\n")
  times <- c(
    seconds(\() sift_features(task, sel_single_jmi(), k = 50, threads = 1)),
    seconds(\() sift_features(task, sel_jmi3(), k = 50, threads = 1), rounds = 2)
  )
  names <- c("Single-JMI", "JMI3")
  one <- ncol(targets(task)) == 1
  if (praznik && one) {
    mine <- sift_features(task, sel_jmi3(base = exp(1)), k = 50, threads = 1)
    frame <- as.data.frame(features(task))
    y <- factor(as.vector(targets(task)[, 1]))
    theirs <- praznik::JMI3(frame, y, k = 50, threads = 1)
    # Where the two part, the two best candidates are equal to rounding.
    parting <- which(names(theirs$selection) != mine$feature)[1]
    stopifnot(is.na(parting) || abs(mine$score[parting] - mine$runner_up_score[parting]) < 1e-9)
    shared <- seq_len(if (is.na(parting)) 50 else parting - 1)
    stopifnot(all(abs(theirs$score[shared] - mine$score[shared]) < 1e-9 * pmax(1, theirs$score[shared])))
    cat(sprintf("  the same %d features, scores within 1e-9\n", length(shared)))
    times <- c(times, seconds(\() praznik::JMI3(frame, y, k = 50, threads = 1), rounds = 1))
    names <- c(names, "praznik::JMI3")
    claim(times[2] < times[3])
  }
  report(names, times)
  if (!grepl("five levels", task$name)) claim(times[2] < 30 * times[1])
}

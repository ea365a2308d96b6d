# Group-JMI-Rand (q groups of labels, random sizes and numbers of clusters) beside Single-JMI, k = 50, one thread. The
# clusterings are made once and reported apart.
#   Rscript bench/group-jmi.R [folder with enron, medical and cal500]
# Claims: selection after clustering at most 15 x Single-JMI on texts; all clusterings of enron below 0.3 s, of cal500
# below 2 s.
source("bench/common.R")
machine()
for (task in list(
  bench_task("enron"), bench_task("medical"),
  bench_task("cal500"), made_up_task("rcv1")
)) {
  draw <- function() {
    set.seed(1)
    mlsift:::target_groups(task, threads = 1L)
  }
  groups <- draw()
  given <- sel_group_jmi(groups = groups)
  run <- function(selector, threads = 1) sift_features(task, selector, k = 50, threads = threads)
  set.seed(1)
  drawn <- run(sel_group_jmi())
  stopifnot(identical(drawn$index, run(given)$index), identical(drawn$score, run(given, 2)$score))
  cat(sprintf("%s, %d groups of %d clusters in all\n", shape_of(task), ncol(groups), sum(apply(groups, 2, max))))
  report(c("Single-JMI", "Group-JMI after clustering", "clustering alone"),
    c(seconds(\() run(sel_single_jmi())), seconds(\() run(given)), seconds(draw)))
}

# JMI3 beside Single-JMI and praznik, k = 50, one thread each, on 0/1 features and on five levels, for one label and
# several. praznik must be installed (version 11.0.0 for R 4.2).
#   Rscript bench/jmi3.R
# Aims: on 0/1 features at most 60 times Single-JMI, and never slower than praznik. There are 1,225 pairs of 50
# features, so 25 times is what one count for each pair takes, and a pair has three levels off the reference. Five
# levels make 25 cells of a pair of features: there JMI3 takes up to 120 times as long.
source("bench/common.R")
machine()
praznik <- has_peer("praznik")

tasks <- list(
  coded_task("8,000 x 1,000, 0/1, 10 % ones, 1 label", size(8000, 400), size(1000, 80), 2, 0.1),
  coded_task("8,000 x 500, 0/1, 50 % ones, 10 labels", size(8000, 300), size(500, 60), 2, 0.5, 10),
  coded_task("2,000 x 1,000, five levels, 1 label", size(2000, 400), size(1000, 80), 5)
)
for (task in tasks) {
  cat(task$name, "\n")
  run <- function(selector, rounds) seconds(\() sift_features(task, selector, k = 50, threads = 1), rounds = rounds)
  times <- c(`Single-JMI` = run(sel_single_jmi(), 5), JMI3 = run(sel_jmi3(), 2))
  if (praznik && ncol(targets(task)) == 1) {
    times["praznik::JMI3"] <- beside_praznik(task, "JMI3", sel_jmi3(base = exp(1)), rounds = 1)
    claim(times[2] < times[3])
  }
  report(names(times), times)
  if (!grepl("five levels", task$name)) claim(times[2] < 60 * times[1])
}

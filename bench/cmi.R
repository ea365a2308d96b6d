# CMI beside Single-JMI and praznik, k = 50, one thread each. praznik must be installed (version 11.0.0 for R 4.2).
#   Rscript bench/cmi.R
# Aims: at most 8 times Single-JMI on features of five levels, and never slower than praznik. On 0/1 features, where
# Single-JMI counts 64 rows at a time or rows with ones alone, CMI takes up to 50 times as long: it looks at all rows
# that are still equal in all selected features, one by one.
source("bench/common.R")
machine()
praznik <- has_peer("praznik")

tasks <- list(
  coded_task("2,000 x 1,000, five levels, 1 label", size(2000, 400), size(1000, 80), 5),
  coded_task("4,000 x 300, five levels, 10 labels", size(4000, 400), size(300, 80), 5, 0, 10),
  coded_task("8,000 x 1,000, 0/1, 10 % ones, 1 label", size(8000, 400), size(1000, 80), 2, 0.1),
  coded_task("8,000 x 500, 0/1, 50 % ones, 10 labels", size(8000, 400), size(500, 80), 2, 0.5, 10),
  coded_task("16,000 x 500, 0/1, 4 % ones, 20 labels", size(16000, 400), size(500, 80), 2, 0.04, 20)
)
for (task in tasks) {
  cat(task$name, "\n")
  run <- function(selector) seconds(\() sift_features(task, selector, k = 50, threads = 1))
  times <- c(`Single-JMI` = run(sel_single_jmi()), CMI = run(sel_cmi()))
  if (praznik && ncol(targets(task)) == 1) {
    times["praznik::CMI"] <- beside_praznik(task, "CMI", sel_cmi(base = exp(1)))
    claim(times[2] < times[3])
  }
  report(names(times), times)
  claim(times[2] < (if (grepl("five levels", task$name)) 8 else 50) * times[1])
}

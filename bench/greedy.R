# The greedy family with all labels, k = 50, beside MIM-BR on the same data.
#   Rscript bench/greedy.R [folder with delicious and bibtex]
# Claims: SCLS and AMI at most 3 x MIM-BR; D2F, MDMR and Single-JMI on delicious below 60 x, aim 30; PMU and LRFS with
# all label pairs below 10 s together; extending a selection from 50 to 60 costs about what steps 51 to 60 cost.
source("bench/common.R")
machine()
for (task in list(
  bench_task("delicious"), bench_task("bibtex")
)) {
  cat(shape_of(task), ", 1 thread\n", sep = "")
  run <- function(selector, k = 50, threads = 1) sift_features(task, selector, k = k, threads = threads)
  selectors <- list(
    sel_mim(), sel_ami(), sel_scls(), sel_fimf(), sel_d2f(), sel_mdmr(), sel_single_jmi(), sel_pmu(), sel_lrfs()
  )
  for (selector in selectors) stopifnot(identical(
    as.data.frame(run(selector)), as.data.frame(run(selector, threads = 2))
  ))
  times <- vapply(selectors, function(s) seconds(\() run(s), rounds = 3), 0)
  report(vapply(selectors, `[[`, "", "name"), times)
  fifty <- run(sel_single_jmi())
  times <- c(seconds(\() run(sel_single_jmi(), 50), rounds = 3), seconds(\() run(sel_single_jmi(), 60), rounds = 3),
    seconds(\() extend_selection(fifty, task, 60, threads = 1), rounds = 3))
  report(c("Single-JMI, k = 50", "Single-JMI, k = 60", "extend_selection() from 50 to 60"), times)
}

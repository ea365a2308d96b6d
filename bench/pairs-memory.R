# PMU and LRFS with all label pairs on delicious (16,105 x 500, 983 labels: 482,653 pairs), k = 50. No table of pairs
# fits beside the data. Claim: the peak resident size above the session's with the task loaded is below 4 x the
# object.size() of features and labels. Needs Linux (/proc); each selector runs in a fresh process.
#   Rscript bench/pairs-memory.R [folder with delicious]
source("bench/common.R")
machine()
file <- tempfile(fileext = ".rds")
saveRDS(bench_task("delicious"), file)
measure <- '
  suppressPackageStartupMessages(library(mlsift))
  arguments <- commandArgs(TRUE)
  task <- readRDS(arguments[1])
  small <- task[1:50, 1:20]
  invisible(sift_features(small, sel_pmu(), k = 2))  # loads what a first run loads
  size <- sum(vapply(unclass(task)[c("x", "y")], function(m) as.numeric(object.size(m)), 0)) / 2^20
  threads <- as.integer(arguments[3])
  selector <- get(arguments[2])()
  reset_peak()
  before <- resident("VmRSS")
  spent <- system.time(sift_features(task, selector, k = 50, threads = threads))[["elapsed"]]
  peak <- resident("VmHWM") - before
  cat(sprintf("  %-5s %d thread(s) %6.2f s; data %.1f MB, peak above the loaded session %.1f MB = %.2f x\n",
              selector$name, threads, spent, size, peak, peak / size))'
for (selector in c("sel_pmu", "sel_lrfs")) {
  for (threads in 1:2) writeLines(in_fresh_process(measure, file, selector, threads))
}
unlink(file)

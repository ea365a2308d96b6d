# JMI for one target beside praznik, k = 50: sift_features() on a made task against praznik::JMI() on a ready data
# frame. praznik must be installed (version 11.0.0 for R 4.2); without it only our times are printed.
#   Rscript bench/jmi.R [folder with delicious and bibtex]
# Claims: at least 50 x on 0/1 features of delicious and bibtex, 30 x on 800 x 100,000 with 1 % ones, 5 x on five
# levels.
source("bench/common.R")
machine()
peer <- has_peer("praznik")

one_target <- function(task) subset_targets(task, which.max(Matrix::colSums(targets(task))))
wide <- function() {
  set.seed(1)
  d <- size(1e5, 500)
  x <- sparseMatrix(i = sample.int(800, 8 * d, TRUE), j = sample.int(d, 8 * d, TRUE), x = 1, dims = c(800, d))
  x@x[] <- 1
  mltask(x, stats::rbinom(800, 1, 0.4), name = "800 x 100,000, 1 % ones")
}
makers <- list(
  \() one_target(bench_task("delicious")), \() one_target(bench_task("bibtex")), wide,
  \() coded_task("2,000 x 5,000, five levels", size(2000, 200), size(5000, 100), 5)
)
for (make in makers) {
  task <- make()
  cat(task$name, "\n")
  selector <- sel_single_jmi(base = exp(1))
  for (threads in 1:2) {
    times <- seconds(\() sift_features(task, selector, k = 50, threads = threads), rounds = 3)
    if (peer) times <- c(times, beside_praznik(task, "JMI", selector, threads, rounds = 1))
    report(paste0(c("sel_single_jmi(), ", if (peer) "praznik::JMI(), "), threads, " thread(s)"), times)
  }
}

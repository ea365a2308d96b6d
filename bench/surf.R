# SURF and MultiSURF beside ReliefF with all rows as reference rows, and beside their equations in R; TuRF beside
# MultiSURF; time and memory from 5,000 to 20,000 rows. One thread unless said.
#   Rscript bench/surf.R
# Claims: MultiSURF on 5,000 rows, 100 features and 10 labels at most 2 x RF-BR, and with 10 labels at most 1.5 x with
# one; TuRF with drop = 0.1 at most 20 x MultiSURF; peak memory beyond the data at most 50 MB plus 500 bytes a row.
source("bench/common.R")
machine()

timed <- function(task, selector, rounds = 3) seconds(\() scores_of(task, selector), rounds = rounds)

# The equations, one row at a time, with the features of all pairs of rows as numbers between 0 and 1.
in_r <- function(task, by_row) {
  x <- apply(as.matrix(task), 2, \(v) (v - min(v)) / (max(v) - min(v)))
  y <- targets(task)
  distance <- as.matrix(dist(x, "manhattan"))
  n <- nrow(x)
  mean_of_all <- mean(distance[upper.tri(distance)])
  score <- numeric(ncol(x))
  for (i in seq_len(n)) {
    others <- distance[i, -i]
    limit <- if (by_row) mean(others) - sqrt(mean((others - mean(others))^2)) / 2 else mean_of_all
    near <- setdiff(which(distance[i, ] < limit), i)
    diff <- abs(sweep(x[near, , drop = FALSE], 2, x[i, ]))
    for (l in seq_len(ncol(y))) {
      hit <- y[near, l] == y[i, l]
      if (any(hit)) score <- score - colMeans(diff[hit, , drop = FALSE])
      if (!all(hit)) score <- score + colMeans(diff[!hit, , drop = FALSE])
    }
  }
  unname(score) / n / ncol(y)
}

set.seed(1)
task <- normal_task(size(600, 60), 30, 5)
stopifnot(
  isTRUE(all.equal(scores_of(task, sel_multisurf()), in_r(task, TRUE), tolerance = 1e-9)),
  isTRUE(all.equal(scores_of(task, sel_surf()), in_r(task, FALSE), tolerance = 1e-9))
)
cat("\n", shape_of(task), "; the scores agree\n", sep = "")
report(c("MultiSURF", "MultiSURF in R", "SURF", "SURF in R"), c(
  timed(task, sel_multisurf()), seconds(\() in_r(task, TRUE), rounds = 1), timed(task, sel_surf()),
  seconds(\() in_r(task, FALSE), rounds = 1)
))

task <- normal_task(size(5000, 200), size(100, 20), 10)
stopifnot(identical(scores_of(task, sel_multisurf(), 2), scores_of(task, sel_multisurf())))
times <- c(
  timed(task, sel_relieff_br()), timed(task, sel_multisurf()), timed(task, sel_surf()),
  timed(subset_targets(task, 1), sel_multisurf()), timed(task, sel_turf(sel_multisurf()), 1)
)
cat("\n", shape_of(task), "\n", sep = "")
report(
  c("RF-BR, 10 neighbors", "MultiSURF", "SURF", "MultiSURF, one label", "TuRF of MultiSURF, to one feature"), times
)
claim(times[2] <= 2 * times[1])
claim(times[2] <= 1.5 * times[4])
claim(times[5] <= 20 * times[2])

set.seed(1)
words <- made_up_task("bibtex", c(size(3000, 200), size(1800, 50), 20, 65, 2.4))
cat("\n", shape_of(words), ", sparse\n", sep = "")
report(c("RF-BR, 10 neighbors", "MultiSURF", "SURF"), c(
  timed(words, sel_relieff_br(), 1), timed(words, sel_multisurf(), 1), timed(words, sel_surf(), 1)
))

runs <- growth_table(
  list(MultiSURF = list(sel_multisurf()), SURF = list(sel_surf())), c(5000, 10000, 20000), \(n) normal_task(n, 15, 10)
)
if (!is.null(runs)) claim(all(t(runs$mb) <= 50 + 500 * runs$rows / 2^20))

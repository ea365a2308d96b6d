# The Relief family, 1 thread, processor time. RF-BR on yeast beside ReliefF for one of its labels, and beside a loop
# over the labels; every selector on real data; time and memory from 5,000 to 40,000 rows.
#   Rscript bench/relief.R [folder with emotions, yeast, medical and bibtex]
# Claims: RF-BR of 14 labels at most 2 x ReliefF of one label; peak memory beyond the data at most 50 MB plus 500 bytes
# a row.
source("bench/common.R")
machine()

processor <- function(f, rounds = 3) min(replicate(size(rounds, 1), sum(system.time(f())[c("user.self", "sys.self")])))

set.seed(1)
yeast <- real_or("yeast", normal_task(size(2417, 200), 103, size(14, 4)))
labels <- lapply(seq_along(target_names(yeast)), function(l) subset_targets(yeast, l))
by_label <- function() rowMeans(vapply(labels, scores_of, numeric(ncol(yeast)), selector = sel_relieff_br()))
stopifnot(
  isTRUE(all.equal(scores_of(yeast, sel_relieff_br()), by_label(), tolerance = 1e-12)),
  identical(scores_of(yeast, sel_relieff_br(), 2), scores_of(yeast, sel_relieff_br()))
)
cat("\n", shape_of(yeast), ", 10 neighbors; RF-BR and the mean over labels agree\n", sep = "")
one <- max(vapply(labels, function(task) processor(\() scores_of(task, sel_relieff_br())), 0))
times <- c(one, processor(\() scores_of(yeast, sel_relieff_br())), processor(by_label, 1))
report(c("ReliefF, the slowest single label", "RF-BR, all labels", "a loop over the labels"), times)
cat(sprintf("  RF-BR / one label %.2f, loop / RF-BR %.1f\n", times[2] / times[1], times[3] / times[2]))
claim(times[2] <= 2 * times[1])

selectors <- list(
  sel_relieff_br(), sel_relieff_lp(), sel_relieff_ppt(), sel_relieff_ml(), sel_rrelieff_ml(), sel_mlrf(),
  sel_mlrf(variant = "code2016")
)
names <- vapply(selectors, `[[`, "", "name")
names[7] <- "MLRF 2016"
if (!is.null(data_folder())) {
  cat("\nseconds\n")
  times <- sapply(c("emotions", "yeast", "medical", "bibtex"), function(name) {
    task <- bench_task(name)
    vapply(selectors, function(selector) processor(\() scores_of(task, selector), 1), 0)
  })
  dimnames(times)[[1]] <- names
  print(round(times, 3))
}

runs <- growth_table(
  lapply(stats::setNames(selectors, names), list), c(5000, 10000, 20000, 40000), \(n) normal_task(n, 15, 10)
)
if (!is.null(runs)) claim(all(t(runs$mb) <= 50 + 500 * runs$rows / 2^20))

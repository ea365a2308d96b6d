# The protocol of Lee and Kim (2016) as reproduce("ebls") runs it: eight sets, six selectors, 1, 5, ..., 50 features,
# and all features except on delicious, with logistic regression. One repeat is run, and the table has the time of ten.
#   Rscript bench/ebls-protocol.R [folder with the eight data sets]
# Claims: ten repeats take less than two hours of one core, which is an hour of two; a fit within the curve has the same
# losses as the fit of 50 features alone, to 1e-7.
source("bench/common.R")
machine()

names <- c("bibtex", "corel5k", "delicious", "enron", "genbase", "langlog", "slashdot", "yeast")
folder <- data_folder()
if (is.null(folder)) {
  folder <- tempfile("data")
  dir.create(folder)
  for (name in names) write_mulan(made_up_task(name), file.path(folder, paste0(name, ".arff")))
  cat("made-up data sets of the same sizes\n")
}
tasks <- size(names, c("enron", "yeast"))

minutes <- function(bench) {
  spent <- timings(bench)
  10 / length(unique(bench$split)) * tapply(spent$seconds, factor(spent$task, names), sum) / 60
}
run <- function(study, tasks) {
  benches <- suppressMessages(suppressWarnings(
    reproduce("ebls", folder, tempfile("results"), repeats = 1, studies = study, tasks = tasks, threads = 1)
  ))
  benches[[study]]
}
curves <- run("comparison", tasks)
all <- run("baseline", setdiff(tasks, "delicious"))
table <- cbind("six curves" = minutes(curves), "all features" = minutes(all))
cat("\nminutes of one core for ten repeats\n")
print(round(table[tasks, ], 2))
total <- sum(table, na.rm = TRUE)
cat(sprintf("  together %.1f minutes of one core\n", total))
claim(total < 120)

# The same splits, selectors and learner, with 50 features alone.
one <- size("corel5k", "enron")
task <- read_mulan(Find(file.exists, file.path(folder, paste0(one, c(".arff", ".arff.gz")))))
again <- function(k) {
  set.seed(1)
  benchmark_selectors(stats::setNames(list(task), one), list(sel_mfs()), lrn_brlr(),
    rs_holdout(0.8, 1, stratify = FALSE), k = k, measures = c("hamming_loss", "ranking_loss"), threads = 1,
    progress = FALSE)
}
spent <- c(seconds(\() fifty <<- again(50), 1, 1), seconds(\() eleven <<- again(c(1, seq(5, 50, 5))), 1, 1))
gap <- abs(eleven$value[eleven$k == 50] - fifty$value)
cat(sprintf("\n%s, one selector, one split\n", one))
report(c("50 features", "1, 5, ..., 50 features"), spent)
cat(sprintf("  losses with 50 features differ by %.1e at most\n", max(gap)))
stopifnot(max(gap) < 1e-7)

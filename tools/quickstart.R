# Installs mlsift from this clone with all packages that it needs, and shows an analysis from the data to an answer, and
# on to a critical-difference diagram:
#   Rscript tools/quickstart.R [folder for the pictures]

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
pictures <- c(commandArgs(TRUE), file.path(dirname(tempdir()), "mlsift-pictures"))[1]
dir.create(pictures, recursive = TRUE, showWarnings = FALSE)

source(file.path(root, "tools", "install.R"))
invisible(install_mlsift(root, optional = c("mldr.datasets", "knitr")))
library(mlsift)

step <- function(title) cat("\n== ", title, "\n\n", sep = "")

picture <- function(name, plot, width = 8, height = 5) {
  file <- file.path(normalizePath(pictures), name)
  ggplot2::ggsave(file, plot, width = width, height = height, dpi = 110, bg = "white")
  cat("Picture: ", file, "\n", sep = "")
}

read_real_tasks <- function(names) {
  data <- new.env()
  utils::data(list = names, package = "mldr.datasets", envir = data)
  lapply(stats::setNames(names, names), function(name) as_mltask(data[[name]], name = name))
}

simulate_tasks <- function(names) {
  cat("The package mldr.datasets is not installed, so the data are simulated.\n")
  lapply(stats::setNames(names, names), function(name) simulate_mltask(400, n_features = 60, n_targets = 8))
}

set.seed(1)
names <- c("emotions", "birds", "flags", "genbase")
real <- requireNamespace("mldr.datasets", quietly = TRUE)

step("1. Data: rows with features and several labels")
tasks <- if (real) read_real_tasks(names) else simulate_tasks(names)
problems <- lapply(tasks, check_task)
misleading <- do.call(rbind, unname(Map(function(name, found) {
  data.frame(task = rep(name, nrow(found)), found)
}, names(tasks), problems)))
misleading <- misleading[misleading$problem %in% c("id", "target_copy"), ]
if (nrow(misleading) > 0L) {
  cat("These features would mislead selectors and are dropped:\n")
  print(misleading, row.names = FALSE)
}
tasks <- lapply(tasks, drop_features, what = c("id", "target_copy"))
print(tasks$emotions)
print(do.call(rbind, lapply(tasks, summary)), digits = 3, row.names = FALSE)

step("2. The answer for one task: which features, how good, how sure")
seconds <- system.time(answer <- sift(tasks$emotions, max_features = 20))[["elapsed"]]
print(answer)
cat(sprintf("\n%.0f seconds\n", seconds))
file <- file.path(normalizePath(pictures), "answer.png")
grDevices::png(file, 1000, 1000, res = 110)
plot(answer)
invisible(grDevices::dev.off())
cat("Picture: ", file, "\n", sep = "")

step("3. Rank the features by one method")
ranking <- sift_features(tasks$emotions, sel_mim(), k = 20)
print(ranking)
picture("selection.png", ggplot2::autoplot(ranking))

step("4. The five best features of several selectors")
selectors <- list(sel_mim(), sel_scls(), sel_single_jmi(), sel_relieff_br(), sel_mfs(), sel_random())
best <- vapply(selectors, function(selector) {
  chosen <- sift_features(tasks$emotions, selector, k = 5)
  paste(chosen$index, collapse = " ")
}, "")
print(data.frame(selector = vapply(selectors, function(s) s$name, ""), columns = best), row.names = FALSE)

step("5. Which selector is better? Ten random splits into halves, ML-kNN on the selected features")
seconds <- system.time(
  bench <- benchmark_selectors(
    tasks = tasks, selectors = selectors, learners = list(lrn_mlknn(neighbors = 7)),
    resampling = rs_holdout(prop = 0.5, repeats = 10), k = 1:15,
    measures = c("hamming_loss", "ranking_loss")
  )
)[["elapsed"]]
cat(sprintf("%d numbers in %.0f seconds\n\n", nrow(bench), seconds))
print(score_table(bench, "ranking_loss", k = 10))
picture("benchmark.png", ggplot2::autoplot(bench, measure = "ranking_loss"))

step("6. Are the differences significant?")
test <- rank_test(bench, "ranking_loss")
print(test)
picture("critical-difference.png", ggplot2::autoplot(test), height = 3)

step("7. A report on one page")
if (requireNamespace("knitr", quietly = TRUE)) {
  report <- file.path(normalizePath(pictures), "report.html")
  write_report(bench, report)
  cat("Report: ", report, "\n", sep = "")
}

# What the choice of learner, selector and number of features is worth: the defaults of tune_selection(), beside ML-kNN
# with the candidates that it had alone, and beside every default learner with all features. Without a folder, on
# made-up tasks.
#   Rscript bench/choice.R [folder with data sets] [number of halves, 2] [set ...]
# Of each set at most 2,000 rows are used. One half is chosen from and learned from, the other one is tested on, by the
# average precision.
# - joint: sel_best() with its defaults, measured by the learner that it chose; fewest: the same with rule "fewest";
# - neighbors: seven selectors chosen for ML-kNN;
# - all, best elsewhere: all features, by the learner that is best with them on all other sets.
# On the first set, the choice is repeated by a loop over splits, selectors, learners and numbers.
source("bench/common.R")
machine()

arguments <- commandArgs(TRUE)
n_halves <- if (length(arguments) > 1L) as.integer(arguments[2L]) else 2L
most_rows <- size(2000L, 120L)

label_sets <- function(folder) {
  facts <- utils::read.csv(file.path(folder, "datasets.csv"))
  kind <- if ("kind" %in% names(facts)) facts$kind else rep("label", nrow(facts))
  name <- facts[[1L]]
  unique(name[grepl("label", kind) & file.exists(file.path(folder, paste0(name, ".arff.gz")))])
}

read_set <- function(name) {
  task <- suppressMessages(read_mulan(file.path(data_folder(), paste0(name, ".arff.gz"))))
  # Two features of bibtex are copies of a label.
  task <- drop_features(task, c("constant", "target_copy"))
  set.seed(1)
  rows <- if (nrow(task) > most_rows) sort(sample.int(nrow(task), most_rows)) else seq_len(nrow(task))
  task <- task[rows, ]
  on <- colSums(as.matrix(targets(task)) != 0)
  subset_targets(task, target_names(task)[on > 0 & on < nrow(task)])
}

names <- if (is.null(data_folder())) c("emotions", "enron", "medical") else label_sets(data_folder())
if (length(arguments) > 2L) names <- arguments[-(1:2)]
read <- if (!is.null(data_folder())) read_set else function(name) {
  set.seed(match(name, names))
  simulate_mltask(200, 40, 4)
}
measure <- "average_precision"
inner <- rs_cv(3)
seven <- list(sel_mim(), sel_chi2("ela"), sel_ebls(), sel_mfs(), sel_cmim(), sel_ami(), sel_mtl())

# The values of all ways on one set, means over halves, and their seconds.
one_set <- function(name) {
  task <- read(name)
  k <- c(5, 10, 20, 50, 100, 200)
  ways <- list(
    joint = sel_best(measure = measure, resampling = inner),
    fewest = sel_best(measure = measure, resampling = inner, rule = "fewest"),
    neighbors = sel_best(seven, lrn_mlknn(), measure, k[k <= ncol(task)], inner), all = sel_none()
  )
  learners <- default_learners(task, measure)
  names(learners) <- vapply(learners, `[[`, "", "name")
  set.seed(2)
  # Selectors other than sel_best() choose no learner.
  bench <- suppressWarnings(benchmark_selectors(list(set = task), ways, c(list(chosen = lrn_chosen()), learners),
    rs_holdout(0.5, n_halves), ncol(task), measure, progress = FALSE))
  value <- function(way, learner) mean(bench$value[bench$selector == way & bench$learner == learner])
  spent <- timings(bench)
  used <- function(way) mean(bench$n_selected[bench$selector == way & bench$learner == "chosen"])
  found <- list(
    ways = vapply(c("joint", "fewest", "neighbors"), value, 0, "chosen"),
    all = vapply(names(learners), function(learner) value("all", learner), 0),
    k = vapply(c("joint", "fewest", "neighbors"), used, 0),
    seconds = vapply(c("joint", "fewest", "neighbors"), function(way) {
      sum(spent$seconds[spent$selector == way & spent$stage == "select"]) / n_halves
    }, 0)
  )
  cat(sprintf("  %-18s %5d x %5d, %3d labels: joint %.3f, neighbors %.3f, all %.3f; %5.1f s for %5.1f s\n", name,
    nrow(task), ncol(task), length(target_names(task)), found$ways[["joint"]], found$ways[["neighbors"]],
    max(found$all), found$seconds[["joint"]], found$seconds[["neighbors"]]))
  found
}

# The choice by a loop that fits one model for each cell.
check_by_loop <- function(name) {
  task <- read(name)
  task <- task[seq_len(min(200, nrow(task))), ]
  on <- colSums(as.matrix(targets(task)) != 0)
  task <- subset_targets(task, target_names(task)[on > 4 & on < nrow(task) - 4])
  set.seed(3)
  splits <- unname(split_rows(task, rs_cv(3)))
  selectors <- default_selectors(task)
  # The scale is decided for all features of the training rows.
  learners <- list(lrn_linear(scale = "zscore"), lrn_nb(discretizer = disc_auto()), lrn_mlknn(scale = "zscore"))
  k <- c(5, 10, 20)
  cells <- expand.grid(k = k, learner = seq_along(learners), selector = seq_along(selectors))
  cells$mean <- mapply(function(k, learner, selector) {
    mean(vapply(splits, function(rows) {
      train <- task[rows$train, ]
      chosen <- selected(sift_features(train, selectors[[selector]], k))
      model <- fit(learners[[learner]], train[, chosen])
      evaluate(predict(model, task[rows$test, chosen]), task[rows$test, ], measure)$value
    }, 0))
  }, cells$k, cells$learner, cells$selector)
  tuned <- tune_selection(task, selectors, learners, measure, k, rs_custom(splits))
  stopifnot(isTRUE(all.equal(tuned$curve$mean, cells$mean, tolerance = 1e-9)))
  cells <- cells[order(cells$k, cells$selector, cells$learner), ]
  best <- cells[which(cells$mean > max(cells$mean) - 1e-9)[1L], ]
  stopifnot(tuned$k == best$k, identical(tuned$selector, selectors[[best$selector]]),
    identical(tuned$learner, learners[[best$learner]]))
  cat("The loop over", nrow(cells), "cells gives the same choice.\n")
}

check_by_loop(names[1L])
cat(length(names), "sets,", n_halves, "halves each\n")
sets <- lapply(stats::setNames(nm = names), one_set)
part <- function(field) t(vapply(sets, `[[`, sets[[1L]][[field]], field))
ways <- part("ways")
all <- part("all")
elsewhere <- vapply(seq_along(names), function(at) {
  others <- colMeans(all[-at, , drop = FALSE])
  all[at, which.max(if (anyNA(others)) colMeans(all) else others)]
}, 0)
table <- data.frame(ways, all, elsewhere, check.names = FALSE)
cat("\nMean average precision\n")
print(round(rbind(table, `all sets` = colMeans(table)), 4))
compared <- function(what, a, b) {
  d <- a - b
  cat(sprintf("%s: %+.4f (se %.4f), better on %d and worse on %d of %d sets\n", what, mean(d),
    stats::sd(d) / sqrt(length(d)), sum(d > 1e-12), sum(d < -1e-12), length(d)))
}
cat("\n")
compared("joint against ML-kNN alone", ways[, "joint"], ways[, "neighbors"])
compared("joint against all features, the learner chosen on other sets", ways[, "joint"], elsewhere)
compared("fewest against joint", ways[, "fewest"], ways[, "joint"])
k <- part("k")
cat(sprintf("median number of features: joint %.0f, fewest %.0f\n", stats::median(k[, "joint"]),
  stats::median(k[, "fewest"])))
seconds <- part("seconds")
cat(sprintf("seconds of a choice: joint %.1f in all, ML-kNN alone %.1f: ratio %.2f\n", sum(seconds[, "joint"]),
  sum(seconds[, "neighbors"]), sum(seconds[, "joint"]) / sum(seconds[, "neighbors"])))

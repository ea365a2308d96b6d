# What is lost by one fixed selector, and by choosing on the training rows: the default candidates of sel_best(), beside
# every filter, group lasso, and the best filter of each set. Without a folder, on made-up tasks.
#   Rscript bench/choice.R [folder with data sets] [number of splits, 3] [set ...]
# Of each set at most 3,000 rows are used, in halves. ML-kNN, average precision, k = 10, 20, 50 and 100.
# - fixed: the filter that is best on all other sets;
# - choice: for each k, the candidate of the best inner mean (5-fold cross-validation on the training half);
# - ceiling: for each k, the filter that is best on the other splits of the set.
# The choice of tune_selection() is compared with that looked up in its curves.
source("bench/common.R")
machine()

arguments <- commandArgs(TRUE)
n_splits <- if (length(arguments) > 1L) as.integer(arguments[2L]) else size(3L, 2L)
k <- c(10, 20, 50, 100)
most_rows <- size(3000L, 120L)

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
  simulate_mltask(200, 110, 4)
}

# One split of a set: the values of all candidates, by candidate and k, and those of the choices. `one` of `seconds` is
# what one selection by AMI and its evaluation take.
one_split <- function(task, rows, k) {
  train <- task[rows$train, ]
  candidates <- default_selectors(task)
  names(candidates) <- vapply(candidates, `[[`, "", "name")
  set.seed(2)
  bench <- benchmark_selectors(list(task = task), c(candidates, list(SCLS = sel_scls(), Random = sel_random())),
    lrn_mlknn(), rs_custom(list(rows)), k, "average_precision", progress = FALSE)
  values <- tapply(bench$value, list(bench$selector, bench$k), mean)
  spent <- timings(bench)
  filters <- setdiff(names(candidates), "MTL")
  choose <- function(...) {
    set.seed(3)
    took <- system.time(tuned <- suppressWarnings(
      tune_selection(train, learner = lrn_mlknn(), measure = "average_precision", k = k, ...)
    ))
    list(tuned = tuned, seconds = took[["elapsed"]])
  }
  full <- choose(selectors = candidates, race = FALSE)
  raced <- choose(selectors = candidates)
  of_filters <- choose(selectors = candidates[filters])
  # The curve of the full run has what every choice needs.
  curve <- full$tuned$curve
  pick <- function(k, among) {
    rows <- curve[curve$k == k & curve$selector %in% among, ]
    rows$selector[which.max(rows$mean)]
  }
  best <- curve[which.max(curve$mean), ]
  stopifnot(identical(best$mean, curve$mean[curve$selector == full$tuned$name & curve$k == full$tuned$k]))
  value <- function(tuned) values[tuned$name, as.character(tuned$k)]
  by_k <- function(among) mean(mapply(function(k, name) values[name, as.character(k)], k,
    vapply(k, pick, "", among = among)))
  list(values = values, filters = filters, choice = by_k(filters), choice_mtl = by_k(names(candidates)),
    full = value(full$tuned), raced = value(raced$tuned),
    seconds = c(one = sum(spent$seconds[spent$selector == "AMI"]), filters = of_filters$seconds, raced = raced$seconds,
      full = full$seconds))
}

one_set <- function(name) {
  task <- read(name)
  ks <- k[k <= ncol(task)]
  set.seed(4)
  splits <- split_rows(task, rs_holdout(0.5, n_splits))
  found <- lapply(splits, function(rows) one_split(task, rows, ks))
  values <- simplify2array(lapply(found, `[[`, "values"))
  filters <- found[[1L]]$filters
  part <- function(field) vapply(found, `[[`, 0, field)
  # For each split and k the filter that is best on the other splits.
  ceiling <- vapply(seq_along(splits), function(s) {
    others <- apply(values[filters, , -s, drop = FALSE], 1:2, mean)
    mean(vapply(seq_along(ks), function(i) values[filters[which.max(others[, i])], i, s], 0))
  }, 0)
  seconds <- rowMeans(vapply(found, `[[`, double(4), "seconds"))
  cat(sprintf("  %-18s %5d x %5d, %3d labels, %6.1f s for the choice\n", name, nrow(task), ncol(task),
    length(target_names(task)), seconds[["raced"]]))
  list(means = apply(values, 1, mean), filters = filters, choice = mean(part("choice")),
    choice_mtl = mean(part("choice_mtl")), ceiling = mean(ceiling), full = mean(part("full")),
    raced = mean(part("raced")), seconds = seconds)
}

cat(length(names), "sets,", n_splits, "halves each\n")
sets <- lapply(stats::setNames(nm = names), one_set)
means <- t(vapply(sets, `[[`, sets[[1L]]$means, "means"))
filters <- sets[[1L]]$filters
field <- function(name) vapply(sets, `[[`, 0, name)

# The filter that is best on all other sets.
fixed_name <- vapply(names, function(name) {
  others <- means[rownames(means) != name, filters, drop = FALSE]
  filters[which.max(colMeans(others))]
}, "")
fixed <- means[cbind(names, fixed_name)]
table <- data.frame(means, check.names = FALSE)
table$fixed <- fixed
table$choice <- field("choice")
table$`choice, MTL too` <- field("choice_mtl")
table$ceiling <- field("ceiling")
cat("\nMean average precision over k\n")
print(round(rbind(table, `all sets` = colMeans(table)), 4))
cat("\nRegret against the ceiling, mean over sets\n")
print(round(sort(colMeans(table$ceiling - table)), 4))

way <- mean(field("choice") - fixed) / mean(field("ceiling") - fixed)
cat(sprintf("\nfixed filters, leaving one set out: %s\n", toString(unique(fixed_name))))
cat(sprintf("choice among filters: %.0f %% of the way from the fixed one to the ceiling, worst loss %.4f (%s)\n",
  100 * way, max(fixed - field("choice")), names[which.max(fixed - field("choice"))]))
cat(sprintf("with group lasso: %+.4f against group lasso alone, worst loss against the fixed filter %.4f\n",
  mean(field("choice_mtl") - means[, "MTL"]), max(fixed - field("choice_mtl"))))
seconds <- t(vapply(sets, `[[`, double(4), "seconds"))
cat(sprintf("racing: %+.4f against the full run, %.0f %% of its time\n", mean(field("raced") - field("full")),
  100 * sum(seconds[, "raced"]) / sum(seconds[, "full"])))
cat(sprintf("time: median %.0f x of one AMI selection and ML-kNN evaluation with filters, %.0f x with group lasso\n",
  stats::median(seconds[, "filters"] / seconds[, "one"]), stats::median(seconds[, "raced"] / seconds[, "one"])))

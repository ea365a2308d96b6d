# Which open step of the protocol of Sechidis et al. (2019) changes who wins Table 2? The three JMI selectors with one
# step changed at a time, for vignettes/articles/group-jmi.Rmd. Stores ranking scores, not values.
#   Rscript data-raw/group-jmi-variants.R DATA FOLDER [REPEATS [FEWER]]
# DATA has the data sets, as for data-raw/reproduce.R. FOLDER keeps what is finished, so that the script resumes.
# REPEATS (10) are for the normalization and the neighbors, FEWER (as many) for all other steps.
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 2L) stop("Give the folder of the data sets and a folder for the results.")
most <- if (length(argument) > 2L) as.integer(argument[3]) else 10L
few <- if (length(argument) > 3L) as.integer(argument[4]) else most

names_of_tasks <- c("emotions", "image", "scene", "yeast", "cal500", "enron", "genbase", "langlog", "medical")
path <- function(name) file.path(argument[1], paste0(name, c(".arff", ".arff.gz")))
tasks <- lapply(stats::setNames(nm = names_of_tasks), function(name) {
  read_mulan(Find(file.exists, path(name)), file.path(argument[1], paste0(name, ".xml")))
})
numeric <- c("cal500", "emotions", "image", "scene", "yeast") # the others have features of two values

# Features from 0 to 1, with the smallest and largest value of all rows, as Mulan's neighbors have them.
to_range <- function(task) {
  x <- as.matrix(features(task))
  low <- apply(x, 2, min)
  width <- pmax(apply(x, 2, max) - low, 1e-300)
  mltask(sweep(sweep(x, 2, low), 2, width, "/"), targets(task))
}

# Group-JMI with medoids that are drawn and never improved.
drawn_medoids <- sel_custom("Group-JMI-Rand", function(task, k) {
  y <- as.matrix(targets(task))
  y <- y[, colSums(y) > 0, drop = FALSE]
  q <- ncol(y)
  groups <- vapply(seq_len(q), function(i) {
    sizes <- seq(ceiling(q / 4), floor(3 * q / 4))
    z <- y[, sample.int(q, sizes[sample.int(length(sizes), 1)]), drop = FALSE]
    distinct <- unique(z)
    centers <- distinct[sample.int(nrow(distinct), min(nrow(distinct), sample(4:16, 1))), , drop = FALSE]
    max.col(-(outer(rowSums(z), rowSums(centers), "+") - 2 * z %*% t(centers)), "first")
  }, integer(nrow(y)))
  sift_features(task, sel_group_jmi(groups = groups), k = k)$feature
}, returns = "order", codes = TRUE)

jmi <- function(normalize = "none", group = sel_group_jmi(normalize = normalize)) {
  list(sel_single_jmi(normalize), sel_joint_jmi(normalize), "Group-JMI-Rand" = group)
}
measures <- c("hamming_loss", "ranking_loss", "norm_coverage", "macro_f1")

# The same seed and the same names give the same splits, and the same groups of labels. Fewer repeats are the first.
run <- function(name, tasks, selectors = jmi(), learners = both$raw, ..., repeats = most) {
  set.seed(1)
  settings <- list(discretizer = disc_equal_width(5))
  settings[...names()] <- list(...)
  bench <- do.call(benchmark_selectors, c(list(tasks = tasks, selectors = selectors, learners = learners,
    resampling = rs_holdout(0.5, repeats), k = 1:50, measures = measures, folder = file.path(argument[2], name),
    threads = 1, progress = FALSE), settings))
  cat(name, format(Sys.time(), "%H:%M:%S"), "\n")
  bench
}
both <- list(raw = lrn_mlknn(neighbors = 7, scale = "none"), zscore = lrn_mlknn(neighbors = 7, scale = "zscore"))
ranged <- lapply(tasks[numeric], to_range)
benches <- list(
  none = run("none", tasks, learners = both), sqrt = run("sqrt", tasks, jmi("sqrt"), both),
  range = run("range", ranged), range_sqrt = run("range_sqrt", ranged, jmi("sqrt")),
  codes = run("codes", tasks[numeric], learner_discretizer = disc_equal_width(5), repeats = few),
  frequency = run("frequency", tasks[numeric], discretizer = disc_equal_frequency(5), repeats = few),
  medoids = run("medoids", tasks, jmi(group = drawn_medoids), repeats = few),
  id = run("id", list(genbase = drop_features(tasks$genbase, "id")), repeats = few)
)

# Scores of a variant; data sets that it does not touch have the scores of the protocol.
scores <- function(bench, learner = NULL, k = 1:50) {
  bench <- bench[bench$k %in% k, ]
  do.call(rbind, lapply(measures, function(measure) {
    score <- ranking_scores(bench, measure, learner)
    data.frame(measure = measure, task = rownames(score)[row(score)], selector = colnames(score)[col(score)],
      score = round(c(score), 4))
  }))
}
variant <- function(name, changed, base = NULL) {
  kept <- base[!base$task %in% changed$task, ]
  cbind(variant = name, rbind(changed, kept), row.names = NULL)
}
is_group <- function(bench) bench$selector == "Group-JMI-Rand"
mixed <- rbind(benches$none[!is_group(benches$none), ], benches$sqrt[is_group(benches$sqrt), ])
base <- scores(benches$none, "raw")
root <- scores(benches$sqrt, "raw")
stored <- rbind(
  variant("the protocol", base),
  variant("normalized terms", root),
  variant("normalized terms in Group-JMI only", scores(mixed, "raw")),
  variant("normalized terms in Group-JMI only, z-scores", scores(mixed, "zscore")),
  variant("neighbors with z-scores", scores(benches$none, "zscore")),
  variant("normalized terms, z-scores", scores(benches$sqrt, "zscore")),
  variant("neighbors with ranges", scores(benches$range), base),
  variant("normalized terms, ranges", scores(benches$range_sqrt), root),
  variant("neighbors with intervals", scores(benches$codes), base),
  variant("equal frequencies", scores(benches$frequency), base),
  variant("medoids not improved", scores(benches$medoids)),
  variant("genbase without row number", scores(benches$id), base),
  variant("1 to 10 features", scores(benches$none, "raw", 1:10)),
  variant("1 to 40 features", scores(benches$none, "raw", 1:40)),
  variant("11 to 50 features", scores(benches$none, "raw", 11:50)),
  variant("every fifth number", scores(benches$none, "raw", seq(5, 50, 5)))
)

# The rivals of Figure 3, with both versions of Group-JMI.
fimf <- by_task(emotions = sel_fimf(6), image = sel_fimf(5), scene = sel_fimf(6), otherwise = sel_fimf(10))
others <- list(sel_mim(), sel_chi2(), sel_ami(), sel_pmu(), fimf, sel_scls())
rivals <- run("rivals", tasks, others, both, repeats = few)
with_rivals <- function(bench) rbind(rivals, bench[is_group(bench) & bench$split %in% rivals$split, ])
average_ranks <- function(name, bench, learner) do.call(rbind, lapply(measures, function(measure) {
  ranks <- rank_test(bench, measure, learner = learner)$mean_ranks
  data.frame(variant = name, measure = measure, selector = names(ranks), rank = round(unname(ranks), 4))
}))
ranks <- rbind(
  average_ranks("the protocol", with_rivals(benches$none), "raw"),
  average_ranks("neighbors with z-scores", with_rivals(benches$none), "zscore"),
  average_ranks("normalized terms in Group-JMI only", with_rivals(benches$sqrt), "raw"),
  average_ranks("normalized terms in Group-JMI only, z-scores", with_rivals(benches$sqrt), "zscore")
)

# Numeric targets, with 3,000 rows of the largest set.
regression <- c("atp1d", "atp7d", "oes97", "oes10", "osales", "scm20d")
set.seed(1)
numbers <- lapply(stats::setNames(nm = regression), function(name) {
  task <- read_mulan(Find(file.exists, path(name)), file.path(argument[1], paste0(name, ".xml")))
  if (nrow(task) > 3000) task[sort(sample.int(nrow(task), 3000)), ] else task
})
three <- function(group = sel_group_jmi()) {
  list("Group-JMI-Rand" = group, "RReliefF, 10 neighbors" = sel_rrelieff(neighbors = 10),
    "RReliefF, 50 neighbors" = sel_rrelieff(neighbors = 50))
}
by_neighbors <- list(
  zscore = lrn_knn_regression(neighbors = 10, scale = "zscore"),
  raw = lrn_knn_regression(neighbors = 10, scale = "none"),
  linear = lrn_linear(scale = "zscore")
)
run_numbers <- function(name, group = sel_group_jmi(), discretizer = disc_equal_width(5)) {
  set.seed(1)
  bench <- benchmark_selectors(numbers, three(group), by_neighbors, rs_holdout(0.5, few), k = 1:50,
    measures = "arrmse", discretizer = discretizer, impute = impute_mean(), target_bins = 5,
    folder = file.path(argument[2], name), threads = 1, progress = FALSE)
  cat(name, format(Sys.time(), "%H:%M:%S"), "\n")
  bench
}
numeric_benches <- list(
  none = run_numbers("numbers"), units = run_numbers("numbers-units", sel_group_jmi(scale_targets = TRUE)),
  clusters = run_numbers("numbers-clusters", sel_group_jmi(clusters = 32)),
  frequency = run_numbers("numbers-frequency", discretizer = disc_equal_frequency(5)),
  bins = run_numbers("numbers-bins", discretizer = disc_equal_width(10))
)
score <- function(name, bench, learner = "zscore") {
  found <- ranking_scores(bench, "arrmse", learner)
  bench <- as.data.frame(bench)
  means <- tapply(bench$value, bench[c("task", "selector", "learner")], mean)[rownames(found), colnames(found), learner]
  data.frame(variant = name, task = rownames(found)[row(found)], selector = colnames(found)[col(found)],
    score = round(c(found), 4), value = signif(c(means), 6))
}
numeric_variants <- rbind(
  score("the protocol", numeric_benches$none), score("targets scaled", numeric_benches$units),
  score("32 clusters", numeric_benches$clusters), score("equal frequencies", numeric_benches$frequency),
  score("ten intervals", numeric_benches$bins), score("neighbors in units", numeric_benches$none, "raw"),
  score("linear regression", numeric_benches$none, "linear")
)
stored <- list(labels = stored, ranks = ranks, numbers = numeric_variants,
  repeats = c(labels = most, fewer = few))
file <- file.path("vignettes", "articles", "group-jmi-variants.rds")
saveRDS(stored, file, compress = "xz")
cat(file, ": ", round(file.size(file) / 1024), " KB\n", sep = "")

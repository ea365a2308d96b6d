# What decides the results of Doquire and Verleysen (2011) on their three data sets: the rule for repeated values, the
# units of the features, or the categories of the chi-square statistic? For vignettes/articles/ppt-mi.Rmd. Stores means
# over splits.
#   Rscript data-raw/ppt-mi-variants.R DATA FOLDER
# DATA has the data sets, as for data-raw/reproduce.R. FOLDER keeps what is finished, so that the script resumes.
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 2L) stop("Give the folder of the data sets and a folder for the results.")
n_train <- c(emotions = 391, yeast = 1500, scene = 1211)
path <- function(name) file.path(argument[1], paste0(name, c(".arff", ".arff.gz")))
tasks <- lapply(stats::setNames(nm = names(n_train)), function(name) {
  read_mulan(Find(file.exists, path(name)), file.path(argument[1], paste0(name, ".xml")))
})

# Shares of distinct values, and the standard deviations: what the article says about the features.
facts <- do.call(rbind, lapply(names(tasks), function(name) {
  train <- as.matrix(features(tasks[[name]]))[seq_len(n_train[[name]]), ]
  rows <- tasks[[name]][seq_len(n_train[[name]]), ]
  found <- suppressWarnings(sift_features(rows, sel_knn_mi(scale = "zscore"), k = 2))
  rank <- match(colnames(train), found$feature)
  first <- list(rank = rank, score = found$score[rank])
  data.frame(task = name, feature = colnames(train),
    most_repeated = apply(train, 2, function(v) max(table(v))) / nrow(train),
    row_repeats = apply(train, 2, function(v) mean(stats::ave(v, v, FUN = length) > 5)),
    sd = signif(apply(train, 2, sd), 3), floor_rank = first$rank, floor_score = signif(first$score, 4),
    row.names = NULL)
}))

repeating <- facts$feature[facts$task == "emotions" & facts$row_repeats > 0.5]
trimmed <- function(task) task[, setdiff(feature_names(task), repeating)]
learners <- list(raw = lrn_mlknn(neighbors = 7, scale = "none"), zscore = lrn_mlknn(neighbors = 7, scale = "zscore"))
usual <- function(tasks) lapply(stats::setNames(nm = names(tasks)), function(name) {
  rs_fixed(seq_len(n_train[[name]]), seq(n_train[[name]] + 1, nrow(tasks[[name]])))
})
run <- function(name, tasks, selectors, discretizer = disc_auto(), resampling = usual(tasks)) {
  set.seed(1)
  bench <- suppressWarnings(benchmark_selectors(tasks, selectors, learners, resampling, k = c(1:20, seq(25, 300, 5)),
    measures = c("hamming_loss", "jaccard"), discretizer = discretizer, folder = file.path(argument[2], name),
    threads = 1, progress = FALSE))
  cat(name, format(Sys.time(), "%H:%M:%S"), "\n")
  bench
}
knn_mi <- function(..., scale = "zscore") sel_knn_mi(min_count = 6, neighbors = 4, ..., scale = scale)
chi <- function(name) stats::setNames(list(sel_chi2(transform = "lp")), name)
ten <- list(emotions = rs_holdout(n_train = 391, repeats = 10, stratify = FALSE))
estimates <- list(
  "PPT+MI" = knn_mi(), "PPT+MI, repeated values" = knn_mi(zero_distance = "ross"),
  "PPT+MI, noise" = knn_mi(zero_distance = "jitter"), "PPT+MI, units kept" = knn_mi(scale = "none"),
  "LP+CHI" = sel_chi2(transform = "lp"), sel_none(), sel_random()
)
less <- list(
  "PPT+MI, without repeated values" = knn_mi(), "LP+CHI, without repeated values" = sel_chi2(transform = "lp"),
  "All, without repeated values" = sel_none()
)
main <- c(list("PPT+MI" = knn_mi(), sel_none()), chi("LP+CHI"))
benches <- list(
  run("emotions", tasks["emotions"], estimates, resampling = ten),
  run("emotions-less", lapply(tasks["emotions"], trimmed), less, resampling = ten),
  run("emotions-mdlp", tasks["emotions"], chi("LP+CHI, MDLP"), disc_mdlp(), ten),
  run("emotions-equal", tasks["emotions"], chi("LP+CHI, equal frequencies"), disc_equal_frequency(5), ten),
  run("others", tasks[-1], main),
  run("others-mdlp", tasks[-1], chi("LP+CHI, MDLP"), disc_mdlp()),
  run("others-equal", tasks[-1], chi("LP+CHI, equal frequencies"), disc_equal_frequency(5))
)
values <- do.call(rbind, lapply(benches, function(bench) {
  bench <- as.data.frame(bench)
  stats::aggregate(value ~ task + selector + learner + k + measure, bench, function(v) signif(mean(v), 6))
}))
stored <- list(values = values, facts = facts, repeats = 10)
file <- file.path("vignettes", "articles", "ppt-mi-variants.rds")
saveRDS(stored, file, compress = "xz")
cat(file, ": ", round(file.size(file) / 1024), " KB\n", sep = "")

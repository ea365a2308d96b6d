# What 30 % of hidden labels cost, where they are unknown and where they are taken for absent, for
# vignettes/weights-and-unknown-labels.Rmd:
#   Rscript data-raw/hidden-labels.R DATA
# DATA has the data sets, as for data-raw/reproduce.R. In the training half of the rows, labels are hidden at random.
# The first 20 features of MIM-BR and CMIM are compared with those of all labels, and naive Bayes with them is measured
# on the other half, where all labels are known.
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 1L) stop("Give the folder of the data sets.")
names <- c("emotions", "yeast", "scene", "enron", "medical", "birds")
n_features <- 20
repeats <- 10
hidden_share <- 0.3
read <- function(name) {
  path <- file.path(argument[1], paste0(name, c(".arff", ".arff.gz")))
  suppressMessages(drop_features(read_mulan(Find(file.exists, path), file.path(argument[1], paste0(name, ".xml")))))
}

# The task with the labels of some cells replaced.
relabel <- function(task, hidden, value) {
  y <- replace(as.matrix(targets(task)), hidden, value)
  suppressMessages(mltask(features(task), y, kind = "label", discrete = task$discrete))
}

one_split <- function(task, selector, name) {
  rows <- sample(nrow(task), round(nrow(task) / 2))
  train <- task[rows, ]
  test <- task[-rows, ]
  hidden <- matrix(runif(length(targets(train))) < hidden_share, nrow(train))
  versions <- list("all known" = train, unknown = relabel(train, hidden, NA), absent = relabel(train, hidden, 0))
  chosen <- lapply(versions, function(version) selected(sift_features(version, selector, k = n_features)))
  do.call(rbind, lapply(names(versions), function(version) {
    model <- suppressWarnings(fit(lrn_nb(), versions[[version]][, chosen[[version]]]))
    found <- evaluate(predict(model, test[, chosen[[version]]]), test, c("micro_f1", "hamming_loss"))
    data.frame(task = name, selector = selector$name, labels = version,
      same_features = mean(chosen[[version]] %in% chosen[["all known"]]), t(setNames(found$value, found$measure)))
  }))
}

results <- do.call(rbind, lapply(names, function(name) {
  task <- read(name)
  do.call(rbind, lapply(list(sel_mim(), sel_cmim()), function(selector) {
    do.call(rbind, lapply(seq_len(repeats), function(i) {
      set.seed(i)
      one_split(task, selector, name)
    }))
  }))
}))
means <- stats::aggregate(results[4:6], results[c("selector", "task", "labels")], mean)
attr(means, "repeats") <- repeats
attr(means, "hidden") <- hidden_share
saveRDS(means, file.path("vignettes", "hidden-labels.rds"), compress = "xz")
print(means)

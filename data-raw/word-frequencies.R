# How frequent the features are that selectors take from texts, for the article "What holds":
#   Rscript data-raw/word-frequencies.R DATA
# DATA has the data sets (NAME.arff.gz, NAME.xml). Half a minute. Writes vignettes/articles/word-frequencies.csv: the
# median share of rows that have a selected feature, of 50 features.
suppressPackageStartupMessages(library(mlsift))

folder <- commandArgs(TRUE)[1]
sets <- c("bibtex", "tmc2007-500", "delicious", "yahoo_arts", "slashdot", "enron")
selectors <- list(sel_mim(), sel_scls(), sel_ami(), sel_cmim())
rows <- lapply(sets, function(name) {
  task <- suppressMessages(read_mulan(file.path(folder, paste0(name, ".arff.gz"))))
  x <- features(indicator_features(task))
  frequency <- if (is.data.frame(x)) colMeans(x != 0) else Matrix::colMeans(x != 0)
  medians <- vapply(selectors, function(selector) {
    median(frequency[suppressMessages(sift_features(task, selector, k = 50))$feature])
  }, 0)
  data.frame(data = name, t(setNames(signif(medians, 4), vapply(selectors, `[[`, "", "name"))), check.names = FALSE)
})
write.csv(do.call(rbind, rows), "vignettes/articles/word-frequencies.csv", row.names = FALSE, quote = FALSE)

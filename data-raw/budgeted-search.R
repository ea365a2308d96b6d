# The comparison of Lee, Seo and Kim (2018), Complexity 2018, 3241489: the genetic search with the exploration operator
# (GA+SCLS) and without (RGA), 100 evaluations, at most 10 features, naive Bayes, 10 splits 80/20, one search for each
# of four measures. The features of the Yahoo texts are filtered by document frequency (5 %); numbers are discretized by
# LAIM. Both searches of a cell start from the same population on the same inner rows.
#   Rscript data-raw/budgeted-search.R FOLDER RESULTS
# FOLDER has the data sets (NAME.arff.gz, NAME.xml); RESULTS keeps a file for each data set, so that the script resumes.
# It prints wins, ties and losses with Wilcoxon's test over data sets, and writes RESULTS/budgeted-search.rds.
suppressPackageStartupMessages(library(mlsift))

names <- c(
  "emotions", "flags", "birds", "yeast", "image", "scene", "genbase", "medical", "cal500", "enron", "langlog",
  "slashdot", "corel5k", "yahoo_arts", "yahoo_business", "bibtex", "tmc2007-500", "delicious"
)
measures <- c("hamming_loss", "jaccard", "ranking_loss", "norm_coverage")
repeats <- 10
argument <- commandArgs(TRUE)
if (length(argument) != 2L) stop("Give the folder of the data sets and a folder for the results.")
dir.create(argument[2], showWarnings = FALSE, recursive = TRUE)

read_task <- function(name) {
  task <- read_mulan(file.path(argument[1], paste0(name, ".arff.gz")))
  if (startsWith(name, "yahoo")) filter_frequent(task, 0.05) else task
}

# Values on the outer test rows: a row for each repeat and measure.
compare_on <- function(name, index) {
  task <- read_task(name)
  set.seed(1000 + index)
  splits <- split_rows(task, rs_holdout(0.8, repeats, stratify = FALSE))
  cells <- expand.grid(measure = measures, split = seq_len(repeats), stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(cells)), function(i) {
    measure <- cells$measure[i]
    outer <- splits[[cells$split[i]]]
    train <- task[outer$train, ]
    value <- function(make) {
      set.seed(10000 * index + i)
      selector <- make(lrn_nb(), measure, discretizer = disc_laim())
      sel <- sift_features(train, selector, discretizer = disc_laim())
      found <- assess_features(
        task, sel, lrn_nb(), measure, rs_fixed(outer$train, outer$test), discretizer = disc_laim()
      )
      list(test = found$value, inner = search_front(sel)$value[1], n = nrow(sel), history = search_history(sel)$best)
    }
    rga <- value(sel_rga)
    explored <- value(sel_ga_explore)
    row <- data.frame(
      task = name, measure = measure, split = cells$split[i], rga = rga$test, explored = explored$test,
      rga_inner = rga$inner, explored_inner = explored$inner, rga_size = rga$n, explored_size = explored$n
    )
    row$rga_best <- list(rga$history)
    row$explored_best <- list(explored$history)
    row
  })
  do.call(rbind, rows)
}

parts <- lapply(seq_along(names), function(i) {
  file <- file.path(argument[2], paste0("budgeted-", names[i], ".rds"))
  if (!file.exists(file)) {
    took <- system.time(rows <- compare_on(names[i], i))[["elapsed"]]
    saveRDS(rows, paste0(file, ".part"))
    file.rename(paste0(file, ".part"), file)
    cat(sprintf("%s: %.0f s\n", names[i], took))
  }
  readRDS(file)
})
results <- do.call(rbind, parts)

summarize <- function(measure) {
  rows <- results[results$measure == measure, ]
  sign <- if (measure == "jaccard") -1 else 1
  means <- aggregate(cbind(rga, explored) ~ task, rows, mean)
  difference <- sign * (means$rga - means$explored)
  test <- wilcoxon_test(sign * means$rga, sign * means$explored)
  inner <- aggregate(cbind(rga_inner, explored_inner) ~ task, rows, mean)
  data.frame(
    measure = measure, tasks = nrow(means), win = sum(difference > 0), tie = sum(difference == 0),
    loss = sum(difference < 0), share = mean(difference > 0), p_value = test$p_value,
    inner_win = sum(inner$rga_inner > inner$explored_inner)
  )
}
table <- do.call(rbind, lapply(measures, summarize))
print(table, row.names = FALSE, digits = 3)
saveRDS(list(results = results, table = table), file.path(argument[2], "budgeted-search.rds"))

# Figure 3 of Lee, Seo and Kim (2018): one application of exploration to 50 random sets of genbase, beside 50 sets of
# random features that the first ones lack. For vignettes/articles/budgeted-ga.Rmd. Stores the value of each set.
#   Rscript data-raw/budgeted-ga-explored.R DATA
# DATA has the data sets, as for data-raw/reproduce.R. The learner sees 80 % of the rows, the values are those of the
# others. All features are categories, so nothing is discretized.
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 1L) stop("Give the folder of the data sets.")
path <- function(end) Find(file.exists, file.path(argument[1], paste0("genbase", end)))
genbase <- read_mulan(path(c(".arff", ".arff.gz")), path(".xml"))
measures <- c("jaccard", "hamming_loss", "ranking_loss", "norm_coverage")
n_sets <- 50
n_features <- 10
n_splits <- 10

# A random set, the set that SCLS explores from it, and a random set of features that it lacks.
draw_sets <- function(train) {
  all <- feature_names(train)
  first <- sample(all, sample(n_features, 1))
  found <- sift_features(train, sel_scls(), k = length(first), exclude = first)
  list(exploration = selected(found), random = sample(setdiff(all, first), length(first)))
}

value_of <- function(set, train, test) {
  model <- fit(lrn_nb(), train[, set])
  evaluate(predict(model, test[, set]), test, measures)$value
}

values <- do.call(rbind, lapply(c(TRUE, FALSE), function(id) {
  task <- if (id) genbase else drop_features(genbase, "id")
  set.seed(1)
  do.call(rbind, lapply(seq_len(n_splits), function(split) {
    rows <- sample(nrow(task), round(0.8 * nrow(task)))
    train <- task[rows, ]
    test <- task[-rows, ]
    sets <- replicate(n_sets, draw_sets(train), simplify = FALSE)
    do.call(rbind, lapply(c("exploration", "random"), function(operator) {
      found <- vapply(sets, function(set) value_of(set[[operator]], train, test), numeric(length(measures)))
      data.frame(id = id, split = split, operator = operator, set = rep(seq_len(n_sets), each = length(measures)),
        measure = measures, value = signif(c(found), 6))
    }))
  }))
}))
file <- file.path("vignettes", "articles", "budgeted-ga-explored.rds")
saveRDS(values, file, compress = "xz")
print(stats::aggregate(value ~ measure + operator + id, values, stats::median))
cat(file, ": ", round(file.size(file) / 1024), " KB\n", sep = "")

# What vignettes/articles/gmba.Rmd looks into: how far the order of rows decides the ranking, and what the
# authors' programs change. Stores the numbers in vignettes/articles/gmba-why.rds. Takes about ten minutes.
#   Rscript data-raw/gmba-why.R DATA
# DATA has the data sets (NAME.arff or NAME.arff.gz, and NAME.xml).
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 1L) stop("Give the folder of the data sets.")
names <- c("emotions", "enron", "genbase", "medical", "scene", "yeast")
tasks <- lapply(stats::setNames(nm = names), function(name) {
  path <- file.path(argument[1], paste0(name, c(".arff", ".arff.gz")))
  task <- read_mulan(path[file.exists(path)][1], file.path(argument[1], paste0(name, ".xml")))
  mlsift:::studies_of("gmba")$folds$prepare(task, name)
})

# Mean share of the first fifth of the features that two random orders of the rows have in common. A random ranking has
# a fifth.
selectors <- list(
  "GMBA" = sel_gmba(), "GMBA, program" = sel_gmba(variant = "code2016"),
  "GMBA, step 0.1" = sel_gmba(step = 0.1), "GMBA, step 0.01" = sel_gmba(step = 0.01),
  "GMBA, step 0.01, 10 epochs" = sel_gmba(step = 0.01, epochs = 10)
)
orders <- 5
in_common <- function(tops) {
  pairs <- utils::combn(length(tops), 2)
  mean(apply(pairs, 2, function(pair) mean(tops[[pair[1]]] %in% tops[[pair[2]]])))
}
overlap <- sapply(selectors, function(selector) sapply(tasks, function(task) {
  in_common(lapply(seq_len(orders), function(seed) {
    set.seed(seed)
    sift_features(task, selector, k = round(0.2 * ncol(features(task))), threads = 1)$feature
  }))
}))
# Rows that the descent uses: four or more rows have the same labels, and not none.
used <- sapply(tasks, function(task) {
  y <- as.matrix(targets(task))
  set <- apply(y, 1, paste, collapse = "")
  mean(table(set)[set] > 3 & rowSums(y) > 0)
})

# The authors' programs of all methods, beside random features. In the program that goes with the paper, micro F1 is
# micro recall, by a slip.
set.seed(1)
programs <- benchmark_selectors(tasks, list(
  "GMBA" = sel_gmba(), "GMBA, program" = sel_gmba(variant = "code2016"), "SPEC" = sel_spec(), "MFS" = sel_mfs(),
  "MFS, program" = sel_mfs(within = "unweighted"), "MLRF" = sel_mlrf(),
  "MLRF, program" = sel_mlrf(variant = "code2016"), "Random" = sel_random()
), lrn_brknn(scale = "none"), rs_cv(10, stratify = FALSE), prop = seq(0.1, 0.9, 0.1),
measures = c("hamming_loss", "micro_f1", "micro_recall", "macro_f1"), threads = 1)
programs$value <- signif(programs$value, 6)
attr(programs, "selections") <- attr(programs, "selections")[0L, ]

file <- file.path("vignettes", "articles", "gmba-why.rds")
saveRDS(list(overlap = overlap, used = used, programs = programs), file, compress = "xz")

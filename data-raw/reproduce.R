# Recomputes the results of the articles on papers, and stores them small in vignettes/articles/.
#   Rscript data-raw/reproduce.R DATA FOLDER [PAPER ...]
#   Rscript data-raw/reproduce.R --store FOLDER [PAPER ...]    # only stores what is finished
# DATA has the data sets (NAME.arff or NAME.arff.gz, and NAME.xml). FOLDER keeps what is finished, so that the script
# resumes. Without papers, all of them. Numbers of repeats are below: they are what two cores compute in a few hours.
# Another process takes part by mlsift::join_benchmark("FOLDER/PAPER/STUDY").
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 2L) stop("Give the folder of the data sets (or --store) and a folder for the results.")
papers <- if (length(argument) > 2L) argument[-(1:2)] else unique(list_studies()$paper)

# Studies, repeats, and data sets: those that take longest have fewer repeats. For other learners than those of the
# paper, also the learners, and the name under which the results are stored.
small <- c("enron", "genbase", "langlog", "slashdot", "yeast")
plans <- list(
  ebls = list(
    list(c("comparison", "share"), 10), list("baseline", 10, c(small, "bibtex", "corel5k")),
    list("comparison", 10, small, lrn_mlknn(scale = "none"), "mlknn")
  ),
  gmba = list(list("folds", 1), list("samples", 10)),
  "group-jmi" = list(list(c("jmi", "rivals", "groups", "regression"), 30)),
  "ppt-mi" = list(list("usual", 1), list("random", 10)),
  "budgeted-ga" = list(
    list(c("hamming", "jaccard", "ranking", "coverage", "filter", "no_id", "sizes"), 10)
  ),
  "all-selectors" = list(list(c("small", "large", "floor"), 10))
)

# What the articles use: values, facts on tasks and splits, timings; searches where there are any. Selections are left
# out, and values have six digits.
small_benchmark <- function(bench) {
  # Splits in which a selector is not finished would not be comparable.
  units <- unique(as.data.frame(bench)[c("task", "split", "selector")])
  place <- paste(units$task, units$split)
  whole <- names(which(table(place) == max(table(place))))
  bench <- bench[paste(bench$task, bench$split) %in% whole, ]
  bench$value <- signif(bench$value, 6)
  attr(bench, "selections") <- attr(bench, "selections")[0L, ]
  searches <- attr(bench, "searches")
  attr(bench, "searches") <- searches[c("task", "split", "selector", "k", "evaluation", "value", "best", "n_features",
    "operator", "measure")]
  timings <- attr(bench, "timings")
  attr(bench, "timings")$seconds <- signif(timings$seconds, 4)
  bench
}

for (paper in papers) {
  for (plan in if (argument[1] != "--store") plans[[paper]]) {
    part <- function(i) if (length(plan) >= i) plan[[i]]
    folder <- paste(c(argument[2], paper, part(5)), collapse = "/")
    others <- list(threads = 1)
    others$learners <- part(4)
    do.call(reproduce, c(list(paper, argument[1], folder, plan[[2]], plan[[1]], part(3)), others))
  }
  folders <- list.dirs(file.path(argument[2], paper), recursive = FALSE)
  names(folders) <- basename(folders)
  # A study with other learners is one folder deeper.
  deeper <- file.path(folders, "comparison")
  folders[dir.exists(deeper)] <- deeper[dir.exists(deeper)]
  benches <- lapply(folders, function(folder) small_benchmark(read_benchmark(folder)))
  file <- file.path("vignettes", "articles", paste0(paper, ".rds"))
  dir.create(dirname(file), showWarnings = FALSE)
  saveRDS(benches, file, compress = "xz")
  cat(file, ": ", round(file.size(file) / 1024), " KB\n", sep = "")
}

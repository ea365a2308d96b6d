# Stores the benchmark of yeast that the vignette on selecting by neighbors shows, which takes about a minute:
#   Rscript data-raw/yeast-neighbors.R <folder with yeast.arff.gz>
# The code is that of the vignette's function compare(). mlsift must be installed.
library(mlsift)

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
vignettes <- file.path(dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE)))), "vignettes")

lines <- readLines(file.path(vignettes, "selecting-by-neighbors.Rmd"))
from <- grep("^compare <- function", lines)
to <- from + which(lines[-seq_len(from)] == "}")[1]
eval(parse(text = lines[from:to]))

bench <- compare(read_mulan(file.path(commandArgs(TRUE)[1], "yeast.arff.gz")))
stopifnot(nrow(failures(bench)) == 0)
file <- file.path(vignettes, "yeast-neighbors.rds")
saveRDS(bench, file, compress = "xz")
cat(sprintf("%s: %.0f KB\n", file, file.size(file) / 1024))

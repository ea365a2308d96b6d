# Time and memory of read_mulan() on a file of the size of delicious (16105 rows, 500 features, 983 labels, all 0/1).
#   Rscript bench/read-delicious.R [folder with delicious.arff.gz and delicious.xml]
# Without a folder a made-up file of that size and density is used. Aims: at most 3 x readLines() of the same file; the
# task at most 3 x its two sparse matrices.
suppressPackageStartupMessages(library(mlsift))

made_up_file <- function() {
  set.seed(1)
  n <- 16105
  random <- function(d, mean, prefix) {
    cells <- unique(cbind(sample(n, n * mean, TRUE), sample(d, n * mean, TRUE)))
    Matrix::sparseMatrix(
      cells[, 1], cells[, 2], x = 1, dims = c(n, d), dimnames = list(NULL, paste0(prefix, seq_len(d)))
    )
  }
  file <- file.path(tempdir(), "delicious.arff.gz")
  write_mulan(mltask(random(500, 18.2, "word"), random(983, 19.2, "TAG_")), file)
  file
}

median_seconds <- function(f, times = 9) stats::median(replicate(times, system.time(f())[["elapsed"]]))

folder <- commandArgs(TRUE)
file <- if (length(folder) > 0) file.path(folder[1], "delicious.arff.gz") else made_up_file()
task <- read_mulan(file)
print(task)

lines <- median_seconds(function() suppressWarnings(readLines(file)))
mulan <- median_seconds(function() read_mulan(file))
written <- median_seconds(function() write_mulan(task, file.path(tempdir(), "copy.arff")), 3)
memory <- as.numeric(object.size(task))
matrices <- as.numeric(object.size(features(task))) + as.numeric(object.size(targets(task)))
cat(sprintf("file               %s\nmachine            %s, %s\n", file, R.version.string, Sys.info()[["machine"]]))
cat(sprintf(paste0("readLines()        %6.1f ms\nread_mulan()       %6.1f ms   %.2f x readLines()\n",
  "write_mulan()      %6.1f ms\n"), 1e3 * lines, 1e3 * mulan, mulan / lines, 1e3 * written))
cat(sprintf(
  "task               %6.2f MB   %.2f x its two sparse matrices (%.2f MB)\n", memory / 1e6, memory / matrices,
  matrices / 1e6
))

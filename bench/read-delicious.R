# Time and memory of read_mulan() on a file of the size of delicious (16105 rows, 500 features, 983 labels, all 0/1).
#   Rscript bench/read-delicious.R [folder with delicious.arff.gz and delicious.xml]
# Without a folder a made-up file of that size and density is used. Aims: at most 3 x readLines() of the same file; the
# task at most 3 x its two sparse matrices.
source("bench/common.R")
machine()

folder <- data_folder()
file <- file.path(if (is.null(folder)) tempdir() else folder, "delicious.arff.gz")
if (is.null(folder)) write_mulan(made_up_task("delicious"), file)
task <- read_mulan(file)
print(task)

lines <- seconds(function() suppressWarnings(readLines(file)))
mulan <- seconds(function() read_mulan(file))
written <- seconds(function() write_mulan(task, file.path(tempdir(), "copy.arff")), rounds = 3)
memory <- as.numeric(object.size(task))
matrices <- as.numeric(object.size(features(task))) + as.numeric(object.size(targets(task)))
cat(sprintf("file               %s\n", file))
cat(sprintf(paste0("readLines()        %6.1f ms\nread_mulan()       %6.1f ms   %.2f x readLines()\n",
  "write_mulan()      %6.1f ms\n"), 1e3 * lines, 1e3 * mulan, mulan / lines, 1e3 * written))
cat(sprintf(
  "task               %6.2f MB   %.2f x its two sparse matrices (%.2f MB)\n", memory / 1e6, memory / matrices,
  matrices / 1e6
))

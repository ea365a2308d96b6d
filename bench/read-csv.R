# Chunks of CSV files by utils::read.table() and, where it is installed, by data.table::fread(): a long and a wide file.
#   Rscript bench/read-csv.R
source("bench/common.R")
machine()
if (!requireNamespace("data.table", quietly = TRUE)) {
  cat("Skipped: this claim needs the package data.table.\n")
  quit()
}

# All chunks of a file, where `read` makes data frames of the pieces of text.
all_chunks <- function(file, names, read) {
  csv <- list(file = file, names = names, sep = ",", dec = ".", na = NULL, line_bytes = 1000)
  pieces <- mlsift:::csv_pieces(csv, max(1, 8e6 %/% length(names)))
  on.exit(pieces$close())
  chunks <- list()
  while ((piece <- pieces$pull())$rows > 0) {
    chunks[[length(chunks) + 1L]] <- read(piece, rep("numeric", length(names)), csv)
    unlink(piece$file)
  }
  chunks
}
by_read_table <- function(piece, classes, csv) mlsift:::read_piece(piece, classes, rep(FALSE, length(classes)), csv)

set.seed(1)
for (shape in list(c(size(1e5, 500), 200), c(size(200, 20), size(1e5, 500)))) {
  values <- matrix(round(rnorm(prod(shape)), 3), shape[1])
  names <- paste0("f", seq_len(shape[2]))
  file <- tempfile(fileext = ".csv")
  data.table::fwrite(stats::setNames(as.data.frame(values), names), file)
  cat(sprintf("%.0f rows x %.0f columns, %.1f MB\n", shape[1], shape[2], file.size(file) / 1e6))
  slow <- function() all_chunks(file, names, by_read_table)
  fast <- function() all_chunks(file, names, mlsift:::fread_piece)
  stopifnot(identical(slow(), fast()))
  cut <- function() all_chunks(file, names, function(...) NULL)
  report(c("utils::read.table()", "data.table::fread()", "cutting into pieces alone"),
    vapply(list(slow, fast, cut), seconds, 0, rounds = 1))
}

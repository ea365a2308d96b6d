# Chunks of CSV files by read_chunks(), and as one would read them by utils::read.table() from an open file: a long
# file of numbers, with the same values. data.table::fread() is asked for the rows of each chunk by `skip` and
# `nrows`, where it is installed.
#   Rscript bench/read-csv.R [rows]
# Aim, for 1e6 rows x 200 columns: 10 times as fast as utils::read.table().
source("bench/common.R")
machine()

argument <- as.numeric(commandArgs(TRUE))
n <- if (length(argument) > 0) argument[1] else size(1e6, 500)

# Calls use() for each chunk that next_chunk() gives, to the last.
each_chunk <- function(next_chunk, use) while (!is.null(chunk <- next_chunk())) use(chunk)

by_mlsift <- function(file, names, rows, use) {
  csv <- list(file = file, names = names, sep = ",", dec = ".", na = NULL, line_bytes = 1000)
  pass <- mlsift:::csv_pass(csv, rep("numeric", length(names)), rows)
  on.exit(attr(pass, "close")())
  each_chunk(pass, use)
}

by_read_table <- function(file, names, rows, use, ...) {
  con <- file(file, "r")
  on.exit(close(con))
  readLines(con, 1)
  each_chunk(function() {
    chunk <- utils::read.table(con, sep = ",", nrows = rows, col.names = names, ...)
    if (nrow(chunk) > 0) chunk
  }, use)
}

by_fread <- function(file, names, rows, use) {
  done <- 0
  each_chunk(function() {
    if (done >= n) return(NULL)
    chunk <- data.table::fread(file, skip = 1 + done, nrows = rows, header = FALSE, sep = ",", data.table = FALSE,
      showProgress = FALSE)
    done <<- done + nrow(chunk)
    chunk
  }, use)
}

sums <- function(by, ...) {
  total <- 0
  by(..., use = function(chunk) total <<- total + vapply(chunk, sum, 0))
  unname(total)
}

set.seed(1)
d <- 200
names <- paste0("f", seq_len(d))
file <- tempfile(fileext = ".csv")
con <- file(file, "w")
writeLines(paste(names, collapse = ","), con)
rows <- max(1, 8e6 %/% length(names))
for (left in seq(n, 1, by = -rows)) {
  values <- matrix(round(rnorm(min(left, rows) * d), 3), ncol = d)
  writeLines(do.call(paste, c(as.data.frame(values), sep = ",")), con)
}
close(con)
cat(sprintf("%.0f rows x %.0f columns, %.1f MB\n", n, d, file.size(file) / 1e6))
ways <- list("read_chunks()" = by_mlsift, "utils::read.table()" = by_read_table,
  "  with colClasses, without comments" = function(...) by_read_table(..., colClasses = "numeric", comment.char = ""))
if (requireNamespace("data.table", quietly = TRUE)) ways$"data.table::fread()" <- by_fread
# The values are compared where they are few.
if (n * d <= 2e7) {
  found <- lapply(ways, function(by) sums(by, file, names, rows))
  stopifnot(all(vapply(found, identical, NA, found[[1]])))
}
times <- vapply(ways, function(by) seconds(function() by(file, names, rows, function(chunk) NULL), rounds = 1), 0)
report(names(times), times)
claim(n < 1e6 || times[["utils::read.table()"]] > 10 * times[["read_chunks()"]])
unlink(file)

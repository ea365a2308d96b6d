# read_libsvm() against a plain R parser, on a made-up file like those of extreme classification.
#   Rscript bench/read-libsvm.R
source("bench/common.R")
machine()

set.seed(1)
n <- size(2e4, 200)
d <- 5000
made_up_row <- function(i) paste0(
  paste(sort(sample(200L, 3L)) - 1L, collapse = ","), " ",
  paste0(sort(sample(d, 50L)) - 1L, ":", round(1 - stats::runif(50) / 2, 4), collapse = " ")
)
lines <- vapply(seq_len(n), made_up_row, "")
file <- file.path(tempdir(), "made-up.svm")
writeLines(c(paste(n, d, 200L), lines), file)

plain <- function() {
  words <- strsplit(readLines(file)[-1], " ", fixed = TRUE)
  pairs <- lapply(words, function(row) strsplit(row[-1], ":", fixed = TRUE))
  at <- lapply(pairs, function(row) as.integer(vapply(row, `[`, "", 1L)))
  sparseMatrix(
    rep(seq_len(n), lengths(at)), unlist(at) + 1L, dims = c(n, d),
    x = unlist(lapply(pairs, function(row) as.numeric(vapply(row, `[`, "", 2L))))
  )
}
same <- read_libsvm(file)$x
dimnames(same) <- list(NULL, NULL)
stopifnot(identical(same, plain()))
cat(sprintf("%.0f rows, %.1f MB\n", n, file.size(file) / 1e6))
times <- c(seconds(plain, rounds = 1), seconds(function() read_libsvm(file)), seconds(function() readLines(file)))
report(c("readLines() and strsplit(), features only", "read_libsvm()", "readLines() alone"), times)

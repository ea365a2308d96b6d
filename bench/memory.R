# MIM-BR on 1,000,000 rows x 100,000 features with 1,000 labels, 0/1, 20 ones a row in both. No table of features x
# labels fits beside the data. Claim: the peak resident size above an empty R session's is at most twice the
# object.size() of features and labels. Needs Linux (/proc) and about 3 GB to make the data; the measurement runs in a
# fresh process.
#   Rscript bench/memory.R
source("bench/common.R")
file <- tempfile(fileext = ".rds")
sizes <- sprintf("n <- %.0f; d <- %.0f; q <- %.0f\n", size(1e6, 2000), size(1e5, 500), size(1000, 20))
maker <- '
  library(Matrix)
  set.seed(1)
  draw <- function(n, d, ones) {
    m <- sparseMatrix(i = rep(seq_len(n), each = ones), j = sample.int(d, n * ones, TRUE), x = 1, dims = c(n, d))
    m@x[] <- 1
    m
  }
  saveRDS(list(x = draw(n, d, 20), y = draw(n, q, 20)), commandArgs(TRUE)[1], compress = FALSE)'
measure <- '
  empty <- resident("VmRSS")
  library(mlsift)
  data <- readRDS(commandArgs(TRUE)[1])
  size <- sum(vapply(data, function(m) as.numeric(object.size(m)), 0)) / 2^20
  x <- data$x
  y <- data$y
  rm(data)
  invisible(gc())
  making <- system.time(task <- mltask(x, y))[["elapsed"]]
  for (threads in 1:2) {
    selecting <- system.time(sel <- sift_features(task, sel_mim(), k = 50, threads = threads))[["elapsed"]]
    cat(sprintf(paste0("  %d thread(s): task %.2f s, MIM-BR %.2f s; data %.0f MB, peak above an empty session %.0f MB ",
                       "= %.2f x\n"), threads, making,
                selecting, size, resident("VmHWM") - empty, (resident("VmHWM") - empty) / size))
  }'
machine()
invisible(in_fresh_process(paste0(sizes, maker), file))
writeLines(in_fresh_process(measure, file))
unlink(file)

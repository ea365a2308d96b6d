# Rows spread over processes: files that mirai daemons read once and keep, against one process that reads them in every
# pass.
#   Rscript bench/spread.R [rows] [features] [steps]
# Aims, for 4 million rows x 2,000 features x 10 labels and 50 steps of JMI, reading included: two workers are at least
# 1.6 times as fast as one, and spread rows take at most 10 % longer than read_chunks(), in this process and in one
# worker, for MIM, which needs a single pass: the rows are kept for later questions. Then a model on paper: how long
# 10^9 rows x 10^4 features x 10 labels take on P workers, with constants that are measured here, and at how many
# workers the sum of the tables costs more than counting. An anchor: Spark IT-FS takes just under a minute a feature for
# 64 million rows x 631 features on 400 cores (Ramirez-Gallego et al. 2018). That of fast-mRMR-MPI, of many
# features and few rows, is in bench/headline.R.
source("bench/common.R")
machine()
if (!has_peer("mirai")) quit()

argument <- as.numeric(commandArgs(TRUE))
given <- function(i, otherwise) if (length(argument) >= i) argument[i] else otherwise
n <- given(1, size(4e6, 4000))
d <- given(2, size(2000, 40))
k <- given(3, size(50, 3))
q <- 10
n_parts <- 8

# LIBSVM lines: 20 ones a row on average, at least one, and 2 labels.
write_rows <- function(file, n) {
  con <- file(file, "w")
  on.exit(close(con))
  words <- paste0(seq_len(d), ":1")
  sets <- apply(as.matrix(expand.grid(rep(list(0:1), q))), 1, function(on) paste(which(on == 1), collapse = ","))
  for (left in seq(n, 1, by = -1e5)) {
    rows <- min(left, 1e5)
    some <- floor(runif(19 * rows) * rows * d)
    cells <- sort(unique(c(some, (seq_len(rows) - 1) * d + sample.int(d, rows, TRUE) - 1)))
    first <- !duplicated(cells %/% d)
    set <- 1 + drop(matrix(rbinom(q * rows, 1, 2 / q), rows) %*% 2^(seq_len(q) - 1))
    text <- words[cells %% d + 1]
    text[first] <- paste0(if (left < n) "\n" else c("", rep("\n", rows - 1)), sets[set], " ", text[first])
    writeLines(text, con, sep = " ")
  }
  writeLines("", con)
}

set.seed(1)
folder <- tempfile()
dir.create(folder)
files <- file.path(folder, paste0("part-", seq_len(n_parts), ".svm"))
# Every file has each feature and each label, so that all have the same columns.
first <- paste(paste(seq_len(q), collapse = ","), paste0(seq_len(d), ":1", collapse = " "))
for (file in files) {
  write_rows(file, n / n_parts - 1)
  cat(first, "\n", sep = "", file = file, append = TRUE)
}
whole <- file.path(folder, "whole.svm")
for (file in files) file.append(whole, file)
cat(sprintf("%s rows x %s features x %d labels in %d files, %.0f MB\n", format(n, big.mark = ","),
  format(d, big.mark = ","), q, n_parts, file.size(whole) / 2^20))

selectors <- list("MIM" = list(sel_mim(), NULL), JMI = list(sel_single_jmi(), k))
select <- function(source, what) {
  do.call(sift_features, list(source, selectors[[what]][[1]], k = selectors[[what]][[2]], threads = 1))
}
elapsed <- function(code) system.time(code)[["elapsed"]]
warm <- simulate_mltask(200, n_features = max(k, 10), n_targets = 3)
found <- list()
times <- list()
# The fastest of three rounds: in the first, a process gets the memory for its rows from the system, which may take a
# second.
measure <- function(name, what, source) {
  once <- function() elapsed(found[[what]][[name]] <<- select(source(), what)$score)
  times[[what]][[name]] <<- min(replicate(size(3, 1), once()))
}
on_workers <- function(workers) {
  mirai::daemons(workers)
  on.exit(mirai::daemons(0))
  # The first call of a worker loads packages and compiles their functions.
  select(spread_source(lapply(1:workers, function(i) warm)), "JMI")
  for (what in names(selectors)) measure(paste("workers:", workers), what, function() spread_source(files))
}
measure("read_chunks()", "MIM", function() read_chunks(whole))
for (what in names(selectors)) measure("this process", what, function() spread_source(files, workers = "none"))
on_workers(1)
on_workers(2)
for (what in names(selectors)) {
  cat(what, if (what == "JMI") sprintf(", %d steps", k), ", reading included\n", sep = "")
  report(names(times[[what]]), unlist(times[[what]]))
  stopifnot(all(vapply(found[[what]], identical, NA, found[[what]][[1]])))
}

# --- on paper ---------------------------------------------------------------------------------------------------------

# Seconds of a row: to be read and counted once, and in a step of JMI.
read <- times$MIM[["this process"]] / n
kept <- spread_source(files, workers = "none")
jmi <- function(k) min(replicate(3, elapsed(sift_features(kept, sel_single_jmi(), k = k, threads = 1))))
step <- max(jmi(k) - jmi(1), 0) / (k - 1) / n

# Seconds of a step: of the answer of one worker with 10,000 features x 11 integers, which this process adds up.
few <- mltask(Matrix::rsparsematrix(300, size(1e4, 100), 0.05, rand.x = function(n) rep(1, n)),
  matrix(rbinom(300 * q, 1, 0.3), 300, dimnames = list(NULL, paste0("l", seq_len(q)))))
per_step <- function(workers) {
  mirai::daemons(workers)
  on.exit(mirai::daemons(0))
  source <- spread_source(lapply(seq_len(workers), function(i) few[seq(i, 300, workers), ]))
  steps <- size(10, 3)
  one <- min(replicate(size(3, 1), elapsed(sift_features(source, sel_single_jmi(), k = 2, threads = 1))))
  more <- min(replicate(size(3, 1), elapsed(sift_features(source, sel_single_jmi(), k = 2 + steps, threads = 1))))
  (more - one) / steps
}
alone <- per_step(1)
message <- max(per_step(3) - alone, 0) / 2
cat(sprintf("read and count a row %.2f us, count it in a step %.3f us\n", 1e6 * read, 1e6 * step))
cat(sprintf("a step without rows %.1f ms, and %.2f ms more for each worker\n", 1e3 * alone, 1e3 * message))
cat("10^9 rows x 10^4 features x 10 labels, 20 ones a row, 50 steps of JMI\n")
for (workers in c(1, 10, 100, 1000)) {
  counting <- 1e9 * (read + 50 * step) / workers
  adding <- 50 * (alone + message * workers)
  cat(sprintf("  %5d workers  %10.0f s reading and counting  %8.1f s messages and sums\n", workers, counting, adding))
}
if (message > 0) {
  cat(sprintf("  the sums of a step cost more than its counting above %.0f workers\n", sqrt(1e9 * step / message)))
}
unlink(folder, recursive = TRUE)

for (where in c("this process", "workers: 1")) {
  claim(n < 4e6 || times$MIM[[where]] < 1.1 * times$MIM[["read_chunks()"]])
}
for (what in names(selectors)) {
  claim(n < 4e6 || times[[what]][["workers: 1"]] / times[[what]][["workers: 2"]] > 1.6)
}

# Counting rows that come in chunks: one prepared chunk, given again and again by chunk_source().
#   Rscript bench/chunks.R [rows of the chunk] [repeats]
# Aim: 3 million rows a second on one core for MIM-BR with 20 ones a row among 10,000 features and 2 of 100 labels, and
# memory that does not grow with the rows.
source("bench/common.R")
machine()

argument <- as.numeric(commandArgs(TRUE))
n <- if (length(argument) > 0) argument[1] else size(1e6, 2000)
repeats <- if (length(argument) > 1) argument[2] else size(10, 2)

# Ones in places that are drawn evenly, `per_row` a row on average.
draw_ones <- function(n, d, per_row, prefix) {
  cells <- floor(stats::runif(n * per_row) * n * d)
  cells <- sort(unique(cells))
  methods::new(
    "dgCMatrix", i = as.integer(cells %% n), p = c(0L, cumsum(tabulate(cells %/% n + 1, d))),
    x = rep(1, length(cells)), Dim = as.integer(c(n, d)), Dimnames = list(NULL, paste0(prefix, seq_len(d)))
  )
}

repeated <- function(chunk, times) {
  names <- if (inherits(chunk, "mltask")) list(feature_names(chunk), target_names(chunk)) else lapply(chunk, colnames)
  chunk_source(function(i) if (i <= times) chunk, names[[1]], names[[2]])
}

# The answer, on a case that memory holds.
set.seed(1)
rows <- list(x = draw_ones(2000, 300, 20, "f"), y = draw_ones(2000, 20, 2, "l"))
task <- mltask(do.call(rbind, rep(list(rows$x), 5)), do.call(rbind, rep(list(rows$y), 5)))
stopifnot(identical(sift_features(repeated(rows, 5), sel_mim())$score, sift_features(task, sel_mim())$score))

chunk <- list(x = draw_ones(n, 1e4, 20, "f"), y = draw_ones(n, 100, 2, "l"))
cat(sprintf("a chunk of %s rows, 10,000 features, 100 labels, %.0f MB\n", format(n, big.mark = ",", scientific = FALSE),
  as.numeric(object.size(chunk)) / 2^20))
for (shape in c("list(x, y)", "task")) {
  given <- if (shape == "task") mltask(chunk$x, chunk$y) else chunk
  for (times in c(1, repeats)) {
    took <- system.time(sift_features(repeated(given, times), sel_mim(), threads = 1))
    cpu <- sum(took[1:2])
    cat(sprintf("  %-12s %3d chunks  %7.2f s  %5.2f million rows a second  %5.0f MB at most\n", shape, times, cpu,
      n * times / cpu / 1e6, resident("VmHWM")))
  }
}

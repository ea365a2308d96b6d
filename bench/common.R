# Shared by the benches: source("bench/common.R") from the package's folder.
suppressPackageStartupMessages({
  library(mlsift)
  library(Matrix)
})

# With MLSIFT_BENCH=small in the environment a bench takes small data and one round, to see that it still runs. Answers
# are compared as ever, but times and memory say nothing then.
small <- identical(Sys.getenv("MLSIFT_BENCH"), "small")

size <- function(full, tiny) if (small) tiny else full

# Stops where a claim about time or memory does not hold.
claim <- function(holds) if (!small) stopifnot(holds)

# Whether a package to compare with is installed.
has_peer <- function(name) {
  found <- requireNamespace(name, quietly = TRUE)
  cat("#", name, if (found) format(utils::packageVersion(name)) else "is not installed and left out", "\n")
  found
}

machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) sub(".*: ", "",
    grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1]) else Sys.info()[["machine"]]
  cat("# ", R.version.string, ", ", cpu, ", ", parallel::detectCores(), " cores, ", format(Sys.Date()), "\n", sep = "")
}

# Seconds of `times` calls together; the best of `rounds` such rounds.
seconds <- function(f, times = 1, rounds = 5) {
  if (small) times <- rounds <- 1
  min(replicate(rounds, system.time(for (i in seq_len(times)) f(), gcFirst = !small)[["elapsed"]]))
}

report <- function(what, seconds, base = seconds[1]) {
  cat(sprintf("  %-44s %9.4f s  %8.3f x\n", what, seconds, seconds / base), sep = "")
}

# A folder with real data sets (NAME.arff.gz and NAME.xml), given as the argument of the script, or NULL.
data_folder <- function() {
  argument <- commandArgs(TRUE)
  if (length(argument) > 0L) normalizePath(argument[1], mustWork = TRUE)
}

# Sparse 0/1 matrix whose column shares fall off like 1 / rank, as words and tags do.
draw_sparse <- function(n, d, per_row, prefix) {
  share <- 1 / (seq_len(d) + 5)
  share <- pmin(0.5, per_row * share / sum(share))
  rows <- lapply(share, function(p) which(stats::runif(n) < p))
  sparseMatrix(
    i = unlist(rows), p = c(0L, cumsum(lengths(rows))), x = 1, dims = c(n, d),
    dimnames = list(NULL, paste0(prefix, seq_len(d)))
  )
}

# A real data set where its folder is given, else a made-up one of the same size and density.
bench_task <- function(name, n, d, q, per_row_x, per_row_y) {
  folder <- data_folder()
  if (!is.null(folder)) return(read_mulan(file.path(folder, paste0(name, ".arff.gz"))))
  made_up_task(name, n, d, q, per_row_x, per_row_y)
}

made_up_task <- function(name, n, d, q, per_row_x, per_row_y) {
  set.seed(1)
  n <- min(n, size(n, 300))
  d <- min(d, size(d, 120))
  q <- min(q, size(q, 12))
  mltask(draw_sparse(n, d, per_row_x, "f"), draw_sparse(n, q, per_row_y, "l"), name = paste("like", name))
}

# Tables of processor seconds, and of the peak resident size above an empty session and the data, as rows grow. `runs`:
# named lists of a selector and, if not all, the number of features; each runs in a fresh process on the task make(n).
growth_table <- function(runs, rows, make) {
  if (!file.exists("/proc/self/status")) return(NULL)
  if (small) {
    rows <- c(200, 400)
    runs <- runs[1]
  }
  script <- '
    run <- readRDS(commandArgs(TRUE)[1])
    suppressPackageStartupMessages(library(mlsift))
    resident <- function(what) {
      as.numeric(gsub("[^0-9]", "", grep(what, readLines("/proc/self/status"), value = TRUE))) / 1024
    }
    before <- resident("VmHWM")
    task <- readRDS(commandArgs(TRUE)[2])
    took <- system.time(suppressWarnings(sift_features(task, run[[1]], k = if (length(run) > 1) run[[2]], threads = 1)))
    cat(sum(took[1:2]), resident("VmHWM") - before - as.numeric(object.size(task)) / 2^20)'
  files <- replicate(3, tempfile())
  writeLines(script, files[1])
  found <- sapply(rows, function(n) {
    saveRDS(make(n), files[3], compress = FALSE)
    vapply(runs, function(run) {
      saveRDS(run, files[2])
      scan(text = system2(file.path(R.home("bin"), "Rscript"), shQuote(files), stdout = TRUE), quiet = TRUE)
    }, numeric(2))
  }, simplify = "array")
  part <- function(i) matrix(found[i, , ], length(runs), dimnames = list(names(runs), format(rows, big.mark = ",")))
  slope <- function(values, x) apply(values, 1, function(v) stats::coef(stats::lm(v ~ x))[[2]])
  cat("\nseconds, by rows\n")
  print(cbind(round(part(1), 2), exponent = round(slope(log(part(1)), log(rows)), 2)))
  cat("\npeak MB above an empty session and the data, by rows\n")
  print(cbind(round(part(2), 1), `bytes a row` = round(slope(part(2) * 2^20, rows))))
  list(rows = rows, seconds = part(1), mb = part(2))
}

# Predictions on the first k[1], k[2], ... features of `order`, from one fit, as benchmarks make them.
one_pass <- function(learner, train, test, order, k, threads = NULL) {
  columns <- order[seq_len(max(k))]
  model <- mlsift:::fit_prefixes(learner, train[, columns], k, threads, NULL)
  mlsift:::predict_prefixes(model, features(test[, columns]), k, 0.5, threads, NULL)
}

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

# Seconds of a call: the best of `rounds` rounds of `times` calls.
seconds <- function(f, times = 1, rounds = 5) {
  if (small) times <- rounds <- 1
  min(replicate(rounds, system.time(for (i in seq_len(times)) f(), gcFirst = !small)[["elapsed"]])) / times
}

report <- function(what, seconds, base = seconds[1]) {
  cat(sprintf("  %-44s %9.4f s  %8.3f x\n", what, seconds, seconds / base), sep = "")
}

# A folder with real data sets (NAME.arff.gz and NAME.xml), given as the argument of the script, or NULL.
data_folder <- function() {
  argument <- commandArgs(TRUE)
  if (length(argument) > 0L) normalizePath(argument[1], mustWork = TRUE)
}

# "yeast: 2417 x 103, 14 labels".
shape_of <- function(task) {
  sprintf("%s: %d x %d, %d labels", task$name, nrow(task), ncol(task), length(target_names(task)))
}

# The scores of all features, in the order of the columns.
scores_of <- function(task, selector, threads = 1) {
  sel <- suppressWarnings(sift_features(task, selector, threads = threads))
  sel$score[order(sel$index)]
}

xlogx <- function(v) ifelse(v > 0, v * log2(v), 0)

# I(f; l) in bits of all columns of two 0/1 matrices, from their joint counts.
informations <- function(x, y) {
  n <- nrow(x)
  both <- as.matrix(Matrix::crossprod(x, y))
  f <- Matrix::colSums(x) + 0 * both
  l <- rep(Matrix::colSums(y), each = ncol(x)) + 0 * both
  cells <- xlogx(both) + xlogx(f - both) + xlogx(l - both) + xlogx(n - f - l + both)
  (xlogx(n) + cells - xlogx(f) - xlogx(n - f) - xlogx(l) - xlogx(n - l)) / n
}

# --- data -------------------------------------------------------------------------------------------------------------

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

# A data set of the given folder. Without a folder, the task that the code makes which follows.
real_or <- function(name, made_up) {
  folder <- data_folder()
  if (is.null(folder)) made_up else read_mulan(file.path(folder, paste0(name, ".arff.gz")))
}

# Rows, features and labels of real sparse data sets, and the ones of a row among features and labels.
set_sizes <- list(
  bibtex = c(7395, 1836, 159, 68.7, 2.4), cal500 = c(502, 68, 174, 20, 26), corel5k = c(5000, 499, 374, 8, 3.5),
  delicious = c(16105, 500, 983, 18.3, 19), emotions = c(593, 72, 6, 35, 1.9), enron = c(1702, 1001, 53, 86, 3.4),
  genbase = c(662, 1186, 27, 5, 1.3), langlog = c(1460, 1004, 75, 50, 1.2), medical = c(978, 1449, 45, 13, 1.25),
  rcv1 = c(6000, 47236, 101, 76, 3.2), slashdot = c(3782, 1079, 22, 10, 1.2), yeast = c(2417, 103, 14, 50, 4.2)
)

# A real data set, or a made-up one of the same size and density.
bench_task <- function(name) real_or(name, made_up_task(name))

made_up_task <- function(name, sizes = set_sizes[[name]]) {
  set.seed(1)
  n <- min(sizes[1], size(Inf, 300))
  x <- draw_sparse(n, min(sizes[2], size(Inf, 120)), sizes[4], "f")
  mltask(x, draw_sparse(n, min(sizes[3], size(Inf, 12)), sizes[5], "l"), name = paste("like", name))
}

# Normal features, and labels that the first features and noise decide.
normal_task <- function(n, d, q) {
  x <- matrix(stats::rnorm(n * d), n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
  on <- x[, rep_len(seq_len(d), q)] + stats::rnorm(n * q) > 1
  mltask(x, matrix(as.integer(on), n, dimnames = list(NULL, paste0("l", seq_len(q)))), name = "made up")
}

# 0/1 features, of which a `share` is 1, or features of more levels, and labels that 20 of the features decide.
coded_task <- function(name, n, d, levels, share = 0, q = 1) {
  set.seed(1)
  draw <- if (levels == 2) stats::rbinom(n * d, 1, share) else sample.int(levels, n * d, TRUE)
  x <- matrix(as.integer(draw), n)
  y <- vapply(seq_len(q), function(l) {
    score <- rowSums(x[, sample.int(d, 20)]) + stats::rnorm(n)
    as.integer(score > stats::quantile(score, if (q == 1) 0.5 else 0.7))
  }, integer(n))
  mltask(x, y, kind = "label", name = name)
}

# yeast, or numbers that depend on as many and as skewed label sets as it has. No label set is empty.
yeast_task <- function() {
  real_or("yeast", {
    set.seed(1)
    n <- size(2417, 300)
    kinds <- matrix(stats::rbinom(198 * 14, 1, 0.3), 198)
    kinds[, 1] <- 1
    y <- kinds[sample.int(198, n, TRUE, 1 / (1:198)), ]
    x <- y %*% matrix(stats::rnorm(14 * 103), 14) + matrix(stats::rnorm(n * 103, sd = 4), n)
    mltask(x, y, name = "like yeast")
  })
}

# Label sets as skewed as those of media archives: few large ones, many that are seen once.
media_task <- function(n = size(43907, 400), d = 120, q = 101, n_sets = size(6555, 60)) {
  set.seed(2)
  share <- 1 / (seq_len(q) + 2)
  pool <- t(replicate(n_sets, replace(integer(q), sample.int(q, 1 + stats::rpois(1, 3.4), prob = share), 1L)))
  y <- pool[sample(c(seq_len(n_sets), sample.int(n_sets, n - n_sets, TRUE, 1 / seq_len(n_sets)))), ]
  effect <- matrix(stats::rnorm(q * d) * stats::rbinom(q * d, 1, 0.2), q)
  mltask(y %*% effect + matrix(stats::rnorm(n * d, sd = 2), n), y, name = "simulated")
}

# --- memory -----------------------------------------------------------------------------------------------------------

# Megabytes of this process, of which Linux alone tells: "VmRSS" now, or "VmHWM", the peak so far.
resident <- function(what) {
  if (!file.exists("/proc/self/status")) return(NA)
  as.numeric(gsub("[^0-9]", "", grep(what, readLines("/proc/self/status"), value = TRUE))) / 1024
}

# From here on the peak is that of what follows, where the system allows it.
reset_peak <- function() {
  invisible(gc(reset = TRUE))
  invisible(suppressWarnings(try(writeLines("5", "/proc/self/clear_refs"), silent = TRUE)))
}

# What code prints in a fresh process, with these arguments. It may call resident() and reset_peak().
in_fresh_process <- function(code, ...) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c("resident <-", deparse(resident), "reset_peak <-", deparse(reset_peak), code), script)
  printed <- system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, ...)), stdout = TRUE)
  if (!is.null(attr(printed, "status"))) stop("The fresh process failed.")
  printed
}

# Tables of processor seconds, and of the peak resident size above an empty session and the data, as rows grow. `runs`:
# named lists of a selector and, if not all, the number of features; each runs in a fresh process on the task make(n).
growth_table <- function(runs, rows, make) {
  if (is.na(resident("VmHWM"))) return(NULL)
  if (small) {
    rows <- c(200, 400)
    runs <- runs[1]
  }
  code <- '
    run <- readRDS(commandArgs(TRUE)[1])
    suppressPackageStartupMessages(library(mlsift))
    before <- resident("VmHWM")
    task <- readRDS(commandArgs(TRUE)[2])
    took <- system.time(suppressWarnings(sift_features(task, run[[1]], k = if (length(run) > 1) run[[2]], threads = 1)))
    cat(sum(took[1:2]), resident("VmHWM") - before - as.numeric(object.size(task)) / 2^20)'
  files <- replicate(2, tempfile())
  found <- sapply(rows, function(n) {
    saveRDS(make(n), files[2], compress = FALSE)
    vapply(runs, function(run) {
      saveRDS(run, files[1])
      scan(text = in_fresh_process(code, files), quiet = TRUE)
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
  model <- mlsift:::fit_prefixes(learner, train[, columns], k, threads)
  mlsift:::predict_prefixes(model, features(test[, columns]), k, 0.5, threads)
}

# Seconds of praznik's function `name` on a task of one target, k = 50, after its answer was compared with that of our
# selector. Scores are equal up to the first step where the two part; there the two best candidates are equal to
# rounding. praznik stops where nothing is added.
beside_praznik <- function(task, name, selector, threads = 1, rounds = 2) {
  x <- features(task)
  frame <- lapply(stats::setNames(seq_len(ncol(x)), feature_names(task)), function(f) as.integer(x[, f]))
  frame <- as.data.frame(frame, check.names = FALSE)
  y <- factor(as.vector(targets(task)[, 1]))
  peer <- getExportedValue("praznik", name)
  theirs <- peer(frame, y, k = 50, threads = threads)
  mine <- sift_features(task, selector, k = 50, threads = threads)
  n <- length(theirs$selection)
  parting <- which(names(theirs$selection) != mine$feature[seq_len(n)])[1]
  stopifnot(is.na(parting) || abs(mine$score[parting] - mine$runner_up_score[parting]) < 1e-9)
  shared <- seq_len(if (is.na(parting)) n else parting - 1)
  stopifnot(all(abs(theirs$score[shared] - mine$score[shared]) < 1e-9 * pmax(1, theirs$score[shared])))
  cat(sprintf("  the same %d features of %d, scores within 1e-9\n", length(shared), n))
  seconds(\() peer(frame, y, k = 50, threads = threads), rounds = rounds)
}

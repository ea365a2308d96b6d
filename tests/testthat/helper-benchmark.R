# Small tasks with a column that says which row it is, selectors and learners that count their calls.

numbered_task <- function(seed, n = 24, d = 5, q = 2, name = NULL) {
  withr::with_seed(seed, {
    y <- matrix(rbinom(n * q, 1, 0.4), n, dimnames = list(NULL, paste0("l", seq_len(q))))
    x <- matrix(rnorm(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
    x[, 1] <- y[, 1] + rnorm(n) / 2
    x[, d] <- seq_len(n) + 0.5
    mltask(x, y, name = name)
  })
}

# Calls are counted in `counter`, which is no part of the code that identifies the selector.
counting_selector <- function(counter, name = "counted", at_call = function(i) NULL) {
  counter$select <- 0L
  sel_custom(name, function(task, k) {
    counter$select <- counter$select + 1L
    counter$rows <- c(counter$rows, list(features(task)[, ncol(task)] - 0.5))
    at_call(counter$select)
    stats::runif(ncol(task))
  })
}

counting_learner <- function(counter, name = "mean", random = FALSE) {
  counter$fit <- 0L
  lrn_custom(name,
    fit = function(x, y) {
      counter$fit <- counter$fit + 1L
      counter$fitted <- c(counter$fitted, list(colnames(x)))
      list(mean = colMeans(y), noise = if (random) stats::runif(1) else 0)
    },
    predict = function(model, x) {
      outer(x[, 1] / 30 + model$noise / 100, model$mean, "+") + matrix(ncol(x) / 1000, nrow(x), length(model$mean))
    }
  )
}

table_of <- function(bench) as.data.frame(bench)

# Another R process with mlsift that calls `fun` with the arguments in `...`. `fun` sees nothing of this process.
start_process <- function(fun, ..., before = "") {
  testthat::skip_on_os("windows")
  testthat::skip_on_cran()
  testthat::skip_if(length(find.package("mlsift", .libPaths(), quiet = TRUE)) == 0L, "mlsift is not installed")
  environment(fun) <- globalenv()
  process <- list(file = tempfile("process-"))
  saveRDS(list(fun = fun, args = list(...)), process$file)
  text <- quote({
    file <- commandArgs(TRUE)
    cat(Sys.getpid(), file = paste0(file, ".pid"))
    suppressMessages(library(mlsift))
    given <- readRDS(file)
    found <- tryCatch(suppressWarnings(do.call(given$fun, given$args)), error = function(e) e)
    saveRDS(found, paste0(file, ".part"))
    file.rename(paste0(file, ".part"), paste0(file, ".result"))
  })
  writeLines(deparse(text), paste0(process$file, ".R"))
  library <- paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))
  command <- paste("R_TESTS=", library, shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla",
    shQuote(paste0(process$file, ".R")), shQuote(process$file))
  system(paste0("(", before, " ", command, ") >", shQuote(paste0(process$file, ".log")), " 2>&1"), wait = FALSE)
  process
}

wait_until <- function(condition, seconds = 300) {
  end <- Sys.time() + seconds
  while (!condition()) {
    if (Sys.time() > end) stop("This took too long.")
    Sys.sleep(0.1)
  }
}

# The result of the function, or the error.
result_of <- function(process) {
  wait_until(function() file.exists(paste0(process$file, ".result")))
  readRDS(paste0(process$file, ".result"))
}

kill_process <- function(process) {
  wait_until(function() isTRUE(file.size(paste0(process$file, ".pid")) > 0))
  tools::pskill(as.integer(readLines(paste0(process$file, ".pid"), warn = FALSE)), tools::SIGKILL)
}

# The number of a process that does not run any more, and its start time.
ended_process <- function() {
  pid <- system("sh -c 'echo $$'", intern = TRUE)
  list(pid = pid, started = "1")
}

# Everything but the seconds and the session, which differ between processes.
without_seconds <- function(bench) {
  attr(bench, "timings") <- NULL
  attr(bench, "protocol")$session <- NULL
  bench
}

# Runs the benches on small data, to see that none of them rots:
#   Rscript tools/run-benches.R [name ...]
# Each bench runs in a process of its own, with MLSIFT_BENCH=small, which takes small data and one round. The answers
# that a bench compares must be equal; times and memory say nothing. Peers that are not installed are left out. All take
# about a minute. A bench that ends in an error is printed with the last lines of its output, and then the
# exit status is 1. mlsift must be installed.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
setwd(dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE)))))
names <- setdiff(sub("[.]R$", "", list.files("bench", "[.]R$")), "common")
asked <- commandArgs(TRUE)
if (length(unknown <- setdiff(asked, names)) > 0) stop("There is no bench/", unknown[1], ".R.", call. = FALSE)
if (length(asked) > 0) names <- asked

Sys.setenv(MLSIFT_BENCH = "small", R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
run <- function(name) {
  log <- tempfile(fileext = ".log")
  took <- system.time(status <- system2(
    file.path(R.home("bin"), "Rscript"), shQuote(file.path("bench", paste0(name, ".R"))), stdout = log, stderr = log,
    timeout = 120
  ))[["elapsed"]]
  c(sprintf("  %-20s %5.1f s  %s", name, took, if (status == 0) "ok" else "FAILED"),
    if (status != 0) paste0("    ", utils::tail(readLines(log, warn = FALSE), 15)))
}
cores <- if (.Platform$OS.type == "unix") max(1L, parallel::detectCores(), na.rm = TRUE) else 1L
found <- parallel::mclapply(names, run, mc.cores = cores, mc.preschedule = FALSE)
writeLines(unlist(found))
failed <- sum(lengths(found) > 1)
cat(sprintf("Benches: %d run, %d failed.\n", length(found), failed))
quit(status = as.integer(failed > 0))

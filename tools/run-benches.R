# Runs the benches on small data, to see that none of them rots:
#   Rscript tools/run-benches.R [name ...]
# Each bench runs in a process of its own, as many at a time as there are cores, with MLSIFT_BENCH=small: small data and
# one round. The answers that a bench compares must be equal; times and memory say nothing. Packages to compare with
# that are not installed are left out. All take about a minute on two cores. Prints a line for each bench, and the last
# lines of those that fail; the exit status is then 1. mlsift must be installed.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
setwd(dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE)))))
names <- setdiff(sub("[.]R$", "", list.files("bench", "[.]R$")), "common")
asked <- commandArgs(TRUE)
if (length(unknown <- setdiff(asked, names)) > 0) stop("There is no bench/", unknown[1], ".R.", call. = FALSE)
if (length(asked) > 0) names <- asked

Sys.setenv(MLSIFT_BENCH = "small", R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
run <- function(name) {
  log <- tempfile(fileext = ".log")
  took <- system.time(status <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(file.path("bench", paste0(name, ".R"))), stdout = log, stderr = log,
    timeout = 120
  )))[["elapsed"]]
  ok <- status == 0
  writeLines(c(
    sprintf("  %-20s %5.1f s  %s", name, took, if (ok) "ok" else "FAILED"),
    if (!ok) paste0("    ", utils::tail(readLines(log, warn = FALSE), 15)),
    if (status == 124) "    It was stopped after 120 s."
  ))
  ok
}
cores <- if (.Platform$OS.type == "unix") max(1L, parallel::detectCores(), na.rm = TRUE) else 1L
found <- parallel::mclapply(names, run, mc.cores = cores, mc.preschedule = FALSE)
# A process that was killed gives no answer.
failed <- names[!vapply(found, isTRUE, NA)]
cat(sprintf("Benches: %d run, %d failed%s\n", length(names), length(failed),
  if (length(failed) > 0) paste0(": ", toString(failed)) else "."))
quit(status = as.integer(length(failed) > 0))

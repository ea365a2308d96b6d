# Installs mlsift from this clone with all it needs and runs the tests:
#   Rscript tools/test.R [--all]
# Every test file runs. Some try part of a long list of cases only, and tests that take long are skipped; with --all, or
# MLSIFT_TESTS=all in the environment, all run with all cases (tests/testthat/helper-all.R), as in .ci/run. The time of
# processors that tests take is printed at the end.
# Packages that are missing, or older than DESCRIPTION asks for, go into the user's library (R_LIBS or R_LIBS_USER).
# With MLSIFT_TEST_CORE=false in the environment, a second run is shorter: it leaves out what has nothing to do with
# installed packages, the check of the headers, the C++ tests and the tests of methods' results, and does not install
# the packages of databases, which take long to compile. At the end, it says how long each phase took.
# The last line is "N passed, N failed, N skipped"; the exit status is 1 when anything failed or nothing ran.

if (length(setdiff(commandArgs(TRUE), "--all")) > 0) stop("Usage: Rscript tools/test.R [--all]")
if ("--all" %in% commandArgs(TRUE)) Sys.setenv(MLSIFT_TESTS = "all")

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "install.R"))
source(file.path(root, "tools", "check-headers.R"))
source(file.path(root, "tools", "test-cpp.R"))
source(file.path(root, "tools", "check-docs.R"))

finish <- function(passed, failed, skipped) {
  cat(sprintf("%d passed, %d failed, %d skipped\n", passed, failed, skipped))
  quit(save = "no", status = as.integer(failed > 0 || passed == 0))
}

# The seconds of each phase.
seconds <- numeric()
timed <- function(phase, code) {
  seconds[[phase]] <<- system.time(result <- code)[["elapsed"]]
  result
}

# The headers and the C++ tests need no package. Where processes can be forked, they are compiled while the packages
# install, which often wait for one another.
with_core <- !identical(Sys.getenv("MLSIFT_TEST_CORE"), "false")
test_core <- function() {
  found <- list(headers = timed("headers", check_headers(root)), cpp = timed("C++ tests", run_cpp_tests(root)))
  c(found, list(seconds = seconds))
}
can_fork <- .Platform$OS.type == "unix"
job <- if (with_core && can_fork) parallel::mcparallel(test_core())

suggested <- setdiff(suggested_packages(root), if (!with_core) c("DBI", "RSQLite"))
installed <- timed("installing", tryCatch(
  install_mlsift(root, needed = c("testthat", "withr"), optional = suggested), error = identity
))
core <- if (with_core) if (can_fork) parallel::mccollect(job)[[1]] else test_core()
if (with_core && !is.list(core)) installed <- simpleError(paste("The C++ tests ended early.", core))
if (inherits(installed, "error")) {
  message("Error: ", conditionMessage(installed))
  finish(0, 1, 0)
}
seconds[names(core$seconds)] <- core$seconds

headers <- if (with_core) report_headers(core$headers)
cpp <- if (with_core) report_cpp_tests(core$cpp)
docs <- report_docs(check_docs(installed))

# Test files run in several processes at once.
Sys.setenv(NOT_CRAN = "true", TESTTHAT_PARALLEL = "true", TESTTHAT_CPUS = cores())
before <- proc.time()
# What the names of test files of methods begin with.
of_methods <- c("borders", "crossing", "disc", "invariances", "learn", "lrn", "measure", "msr", "peers", "published",
  "search", "sel", "selectors", "task-unknown", "task-weights")
results <- timed("tests", testthat::test_dir(
  file.path(installed, "tests", "testthat"), package = "mlsift", load_package = "installed", stop_on_failure = FALSE,
  filter = if (!with_core) paste0("^(?!(", paste(of_methods, collapse = "|"), ")(-|$))"), perl = TRUE,
  reporter = testthat::ProgressReporter$new(show_praise = FALSE, max_failures = Inf, update_interval = Inf)
))
tests <- as.data.frame(results)
failed <- tests$failed > 0 | tests$error
skipped <- tests$skipped & !failed
cat("\n")
say("Phases: %s.", toString(sprintf("%s %.0f s", names(seconds), seconds)))
# Those of other processes too.
processor <- sum((proc.time() - before)[-3])
say("Processor time of the tests: %.0f s%s.", processor,
  if (Sys.getenv("MLSIFT_TESTS") == "all") "" else ", without what --all adds")
other <- c(headers, cpp, docs)

# What failed is told once more: the end of a log is what people read, and all that some services keep.
is_failure <- function(result) inherits(result, c("expectation_failure", "expectation_error"))
if (any(failed, other)) cat("Failures:\n")
for (test in results[failed]) {
  messages <- vapply(Filter(is_failure, test$results), format, "")
  cat(sprintf("%s, \"%s\":\n", test$file, test$test), paste0("  ", gsub("\n", "\n  ", messages), "\n"), sep = "")
}
if (any(other)) cat(paste0(names(other)[other], ": see above\n"), sep = "")
finish(sum(!failed & !skipped) + sum(!other), sum(failed) + sum(other), sum(skipped))

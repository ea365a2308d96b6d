# Counts the lines of code that the tests reach, with covr, and with gcov those that the C++ tests reach:
#   Rscript tools/coverage.R [lines.csv]
# Prints the share of each file of R/, src/ and inst/include/, and then the lines that no test reaches, in runs.
# tools/uncovered.csv gives the reason for some of them: by file and code, since lines move. They are counted apart. All
# lines are written into lines.csv: file, line, calls, code, reason. Takes about half an hour. Nothing is written into
# the clone. The exit status is 1 if a test fails.

root <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))))
results <- commandArgs(TRUE)[1]
source(file.path(root, "tools", "install.R"))
source(file.path(root, "tools", "check-headers.R"))
install_dependencies(root, writable_library(), needed = c("covr", "testthat", "withr"),
  optional = suggested_packages(root))
copy <- normalizePath(copy_sources(root))

# Tests run one after the other: a process that is ended from outside would not write what it counted.
# A compiler cache would hand out objects that write their counts elsewhere.
Sys.setenv(NOT_CRAN = "true", TESTTHAT_PARALLEL = "false", MAKEFLAGS = paste0("-j", cores()), CCACHE_DISABLE = "1")

# Runs in the process that is counted, and writes the numbers of tests into `log`.
run_tests <- function(tests, log) {
  # covr sees the functions of the namespace alone, not those that the registry has kept since the package was built.
  space <- asNamespace("mlsift")
  kept <- new.env()
  keep <- function(x) {
    if (is.list(x)) for (one in x) keep(one)
    if (typeof(x) != "closure" || !identical(topenv(environment(x)), space)) return()
    for (name in ls(kept)) if (identical(kept[[name]], x)) return()
    assign(paste0("f", length(kept)), x, kept)
    if (!identical(environment(x), space)) for (one in as.list(environment(x), all.names = TRUE)) keep(one)
  }
  # Measures are exported, and their copies are compared with them.
  for (kind in setdiff(ls(space$registry), "measures")) keep(space$registry[[kind]])
  for (name in ls(kept)) covr:::replace(covr:::replacement(name, kept))
  # Tests also kill processes. If one was writing its counts of C++ code, nothing could be added to them. So all others
  # write elsewhere.
  Sys.setenv(GCOV_PREFIX = tempfile())
  result <- as.data.frame(testthat::test_dir(tests, package = "mlsift", load_package = "installed",
    stop_on_failure = FALSE, reporter = "silent"))
  failed <- result$failed > 0 | result$error
  writeLines(c(sum(!failed), sum(failed), paste0(result$file, ": ", result$test)[failed]), log)
  Sys.unsetenv("GCOV_PREFIX")
  # Of R code, counts that were not written whole are left out.
  Sys.sleep(10)
  for (file in list.files(dirname(find.package("mlsift")), "^covr_trace", full.names = TRUE)) {
    if (inherits(try(readRDS(file), silent = TRUE), "try-error")) unlink(file)
  }
}

log <- tempfile()
code <- sprintf("(%s)(%s, %s)", paste(deparse(run_tests), collapse = "\n"),
  deparse(file.path(copy, "tests", "testthat")), deparse(log))
coverage <- covr::package_coverage(copy, type = "none", code = code, quiet = TRUE, clean = FALSE)
outcome <- readLines(log)

# The C++ tests, which need no R: file (below the folder), line and how often it was reached.
count_cpp_tests <- function(folder) {
  compiler <- configured_compiler(17)
  work <- tempfile()
  dir.create(work)
  old <- setwd(work)
  on.exit(setwd(old))
  include <- paste0("-I", file.path(folder, "inst", "include"))
  for (test in list.files(file.path(folder, "tests", "cpp"), "^test-.*[.]cpp$", full.names = TRUE)) {
    program <- file.path(work, sub("[.]cpp$", "", basename(test)))
    flags <- c("-O0", "-w", "--coverage", "-pthread", include, test, "-o", program)
    if (system2(compiler[1], shQuote(c(compiler[-1], flags))) != 0 || system2(program, stdout = FALSE) != 0) {
      stop(basename(test), " fails.", call. = FALSE)
    }
  }
  found <- lapply(list.files(work, "[.]gcda$"), function(counts) {
    system2("gcov", shQuote(c("--relative-only", "--source-prefix", folder, counts)), stdout = FALSE)
    lapply(list.files(work, "[.]gcov$"), function(report) {
      lines <- readLines(report)
      unlink(report)
      file <- sub("^.*:Source:", "", lines[1])
      pattern <- "^ *([0-9]+|#####|=====)[*]?: *([0-9]+):.*$"
      lines <- lines[grepl(pattern, lines)]
      reached <- suppressWarnings(as.numeric(sub(pattern, "\\1", lines)))
      data.frame(file = rep(file, length(lines)), line = as.integer(sub(pattern, "\\2", lines)),
        value = ifelse(is.na(reached), 0, reached))
    })
  })
  found <- do.call(rbind, unlist(found, recursive = FALSE))
  stats::aggregate(value ~ file + line, found[startsWith(found$file, "inst/include/"), ], max)
}

# Of the R expressions that a line belongs to, the shortest count, and of these the one that was reached least. A line
# of C++ is reached if any object that includes it has reached it.
counts <- as.data.frame(coverage)
counts <- counts[!grepl("RcppExports", counts$filename), ]
counts$file <- sub(paste0(copy, "/"), "", counts$filename, fixed = TRUE)
in_r <- grepl("[.]R$", counts$file)
counts$value[!in_r] <- stats::ave(counts$value[!in_r], paste(counts$file, counts$first_line)[!in_r], FUN = max)
extent <- counts$last_line - counts$first_line
lines <- data.frame(file = rep(counts$file, extent + 1), line = sequence(extent + 1, counts$first_line),
  extent = rep(extent, extent + 1), value = rep(counts$value, extent + 1))
lines <- lines[order(lines$file, lines$line, lines$extent, lines$value), ]
lines <- lines[!duplicated(lines[c("file", "line")]), ]
# Code that only the C++ tests compile is not known to covr, and is left out.
in_cpp <- count_cpp_tests(copy)
at <- match(paste(lines$file, lines$line), paste(in_cpp$file, in_cpp$line))
lines$value <- pmax(lines$value, in_cpp$value[at], na.rm = TRUE)
text <- lapply(stats::setNames(nm = unique(lines$file)), function(file) readLines(file.path(copy, file)))
lines$code <- trimws(mapply(function(file, line) text[[file]][line], lines$file, lines$line))
lines <- lines[!grepl("^[])}, ]*;?$|^(#|//)", lines$code), ]
known <- utils::read.csv(file.path(root, "tools", "uncovered.csv"))
lines$reason <- known$reason[match(paste(lines$file, lines$code), paste(known$file, known$code))]
lines$reason[lines$value > 0] <- NA
lines <- lines[order(lines$file, lines$line), ]

percent <- function(reached) sprintf("%5.1f %%", 100 * mean(reached))
show <- function(part, name) {
  explained <- sum(!is.na(part$reason))
  cat(sprintf("%s  %5d lines  %4d not reached%s  %s\n", percent(part$value > 0), nrow(part), sum(part$value == 0),
    if (explained > 0) sprintf(" (%d explained)", explained) else "", name))
}
by_file <- split(lines, lines$file)
for (file in names(by_file)[order(vapply(by_file, function(part) mean(part$value > 0), 0))]) show(by_file[[file]], file)
for (folder in c("R/", "src/", "inst/include/")) show(lines[startsWith(lines$file, folder), ], folder)
show(lines, "all")

missed <- lines[lines$value == 0 & is.na(lines$reason), ]
if (nrow(missed) > 0) {
  cat("\nNot reached:\n", sprintf("  %s:%d: %s\n", missed$file, missed$line, missed$code), sep = "")
}
stale <- known[!paste(known$file, known$code) %in% paste(lines$file, lines$code)[lines$value == 0], ]
if (nrow(stale) > 0) {
  cat("\nReached or gone, but in tools/uncovered.csv:\n", sprintf("  %s: %s\n", stale$file, stale$code), sep = "")
}
if (!is.na(results)) {
  utils::write.csv(data.frame(lines[c("file", "line")], calls = lines$value, lines[c("code", "reason")]), results,
    row.names = FALSE)
}
cat(sprintf("\n%s tests passed, %s failed\n", outcome[1], outcome[2]), sprintf("  %s\n", outcome[-(1:2)]), sep = "")
quit(save = "no", status = as.integer(outcome[2] != "0"))

# Compiles each header of inst/include alone, twice over to try its guard, as C++17 and C++20, without R's own headers:
#   Rscript tools/check-headers.R

header_problems <- function(include, header, compiler) {
  source <- tempfile(fileext = ".cpp")
  on.exit(unlink(source))
  writeLines(rep(paste0("#include <", header, ">"), 2), source)
  flags <- c("-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", paste0("-I", shQuote(include)))
  output <- suppressWarnings(system2(compiler[1], c(compiler[-1], flags, shQuote(source)), stdout = TRUE, stderr = TRUE))
  if (is.null(attr(output, "status"))) character() else output
}

# R's compiler for one standard, as words; NULL where it has none.
configured_compiler <- function(standard) {
  r <- file.path(R.home("bin"), "R")
  command <- suppressWarnings(system2(r, c("CMD", "config", paste0("CXX", standard)), stdout = TRUE, stderr = FALSE))
  command <- strsplit(trimws(command[1]), " +")[[1]]
  if (is.na(command[1]) || !nzchar(command[1])) return(NULL)
  c(command, paste0("-std=c++", standard))
}

# A list with the compiler's complaints about each header, named after it.
check_headers <- function(root) {
  include <- file.path(root, "inst", "include")
  headers <- list.files(include, "\\.h$", recursive = TRUE)
  compilers <- Filter(Negate(is.null), lapply(c(17, 20), configured_compiler))
  if (length(compilers) == 0) stop("R has no C++17 compiler configured.", call. = FALSE)
  check <- function(header) unlist(lapply(compilers, header_problems, include = include, header = header))
  cores <- if (.Platform$OS.type == "unix") max(1L, parallel::detectCores(), na.rm = TRUE) else 1L
  stats::setNames(parallel::mclapply(headers, check, mc.cores = cores, mc.preschedule = FALSE), headers)
}

report_headers <- function(problems) {
  bad <- lengths(problems) > 0
  for (header in names(problems)[bad]) cat("\nDoes not compile alone:", header, problems[[header]], sep = "\n")
  cat(sprintf("Headers: %d of %d compile alone.\n", sum(!bad), length(bad)))
  invisible(bad)
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
  quit(status = as.integer(any(report_headers(check_headers(root)))))
}

# Compiles and runs the C++ tests of tests/cpp, which need no R:
#   Rscript tools/test-cpp.R [--narrow] [command ...]
# With a command, such as valgrind and its options, each test program is run by it. On some platforms, a long double has
# no more digits than a double, and there are no integers of 128 bits. The tests of integer logarithms run on a copy of
# the core without both too, which must give the same scores to the last bit. With --narrow, all tests run on this copy,
# and on it alone.

# One row for each test: its name, and what it complained of ("" for nothing).
run_cpp_tests <- function(root, command = character(), only_narrow = FALSE) {
  compiler <- configured_compiler(17)
  tests <- file.path(root, "tests", "cpp")
  files <- list.files(tests, "^test-.*\\.cpp$")
  narrow <- narrow_copy(root)
  on.exit(unlink(narrow, recursive = TRUE))
  test_in_narrow <- function(file) {
    tests <- run_cpp_test(file.path(narrow, file), c(compiler, narrow_flag), file.path(narrow, "include"), command)
    transform(tests, name = paste(name, "(64 bits)"))
  }
  test <- function(file) run_cpp_test(file.path(tests, file), compiler, file.path(root, "inst", "include"), command)
  jobs <- c(
    if (!only_narrow) lapply(files, \(file) \() test(file)),
    lapply(if (only_narrow) files else "test-engine.cpp", \(file) \() test_in_narrow(file)),
    \() same_scores(root, narrow, compiler)
  )
  do.call(rbind, in_parallel(jobs, \(job) job()))
}

narrow_flag <- "-U__SIZEOF_INT128__"

# A copy of the core and its tests with doubles in place of long doubles.
narrow_copy <- function(root) {
  copy <- tempfile("narrow-")
  dir.create(copy)
  file.copy(c(file.path(root, "inst", "include"), list.files(file.path(root, "tests", "cpp"), full.names = TRUE)), copy,
    recursive = TRUE)
  for (file in list.files(copy, "[.](h|cpp)$", recursive = TRUE, full.names = TRUE)) {
    lines <- readLines(file)
    writeLines(gsub("long double", "double", lines, fixed = TRUE), file)
  }
  copy
}

same_scores <- function(root, narrow, compiler) {
  name <- "scores are the same without long doubles and integers of 128 bits"
  here <- print_scores(file.path(root, "tests", "cpp"), file.path(root, "inst", "include"), compiler)
  there <- print_scores(narrow, file.path(narrow, "include"), c(compiler, narrow_flag))
  problem <- if (length(here) < 100 || length(here) != length(there)) {
    paste(c("The scores could not be printed:", head(here, 20), head(there, 20)), collapse = "\n")
  } else if (any(different <- here != there)) {
    first <- which(different)[1]
    sprintf("%d of %d scores differ, first %s and %s", sum(different), length(here), here[first], there[first])
  } else {
    ""
  }
  data.frame(name = name, problem = problem)
}

print_scores <- function(tests, include, compiler) {
  program <- tempfile("scores-")
  on.exit(unlink(program))
  flags <- c("-O1", "-pthread", paste0("-I", shQuote(include)), shQuote(file.path(tests, "scores.cpp")), "-o",
    shQuote(program))
  output <- suppressWarnings(system2(compiler[1], c(compiler[-1], flags), stdout = TRUE, stderr = TRUE))
  if (is.null(attr(output, "status"))) system2(program, stdout = TRUE) else output
}

run_cpp_test <- function(file, compiler, include, command) {
  program <- tempfile("test-")
  on.exit(unlink(program))
  flags <- c(
    "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-pthread", paste0("-I", shQuote(include)), shQuote(file),
    "-o", shQuote(program)
  )
  output <- suppressWarnings(system2(compiler[1], c(compiler[-1], flags), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(output, "status"))) {
    return(data.frame(name = basename(file), problem = paste(output, collapse = "\n")))
  }
  run <- c(command, program)
  output <- suppressWarnings(system2(run[1], run[-1], stdout = TRUE, stderr = TRUE))
  passed <- sub("^ok ", "", grep("^ok ", output, value = TRUE))
  problems <- grep("^ok ", output, value = TRUE, invert = TRUE)
  if (!is.null(attr(output, "status")) && length(problems) == 0L) {
    problems <- paste(basename(file), "ended with status", attr(output, "status"))
  }
  rbind(
    data.frame(name = passed, problem = rep("", length(passed))),
    data.frame(name = rep(basename(file), length(problems)), problem = problems)
  )
}

report_cpp_tests <- function(tests) {
  bad <- stats::setNames(nzchar(tests$problem), tests$name)
  cat(sprintf("\n%s: %s\n", tests$name[bad], tests$problem[bad]), sep = "")
  cat(sprintf("C++ tests: %d of %d passed.\n", sum(!bad), length(bad)))
  invisible(bad)
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
  source(file.path(root, "tools", "check-headers.R"))
  narrow <- commandArgs(TRUE) == "--narrow"
  tests <- run_cpp_tests(root, commandArgs(TRUE)[!narrow], only_narrow = any(narrow))
  quit(status = as.integer(any(report_cpp_tests(tests))))
}

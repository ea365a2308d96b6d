# Compiles and runs the C++ tests of tests/cpp, which need no R:
#   Rscript tools/test-cpp.R [command ...]
# With a command, such as valgrind and its options, each test program is run by it.

# One row for each test: its name, and what it complained of ("" for nothing).
run_cpp_tests <- function(root, command = character()) {
  compiler <- configured_compiler(17)
  files <- list.files(file.path(root, "tests", "cpp"), "^test-.*\\.cpp$", full.names = TRUE)
  include <- file.path(root, "inst", "include")
  do.call(rbind, in_parallel(files, run_cpp_test, compiler = compiler, include = include, command = command))
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
  quit(status = as.integer(any(report_cpp_tests(run_cpp_tests(root, commandArgs(TRUE))))))
}

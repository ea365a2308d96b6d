# Checks the headers of inst/include, without R's own headers:
#   Rscript tools/check-headers.R
# - each compiles alone, twice over to try its guard, as C++17;
# - all compile together, as C++17 and C++20, so that no two define different things of one name;
# - includes point downward only, from one layer to a lower one, and no two headers have the same name.

# The folders of inst/include/mlsift, highest layer first. Folders of one layer do not include each other.
header_layers <- list(
  c("read", "resample"), c("learn", "measure"), "search", "criteria",
  c("count/joint", "distance", "graph", "model"), "count", c("data", "solve"), "core"
)

layer_problems <- function(include) {
  root <- file.path(include, "mlsift")
  headers <- list.files(root, "\\.h$", recursive = TRUE)
  layer_of <- function(folder) match(TRUE, vapply(header_layers, function(layer) folder %in% layer, NA))
  problems <- lapply(headers, function(header) {
    folder <- dirname(header)
    if (is.na(layer_of(folder))) return(paste(header, "is in a folder that header_layers does not list."))
    lines <- grep("^#include \"|^#include <mlsift/", readLines(file.path(root, header)), value = TRUE)
    included <- sub('^#include "([^"]+)".*', "\\1", lines)
    target <- dirname(file.path(folder, included))
    while (any(up <- grepl("/..", target, fixed = TRUE))) target[up] <- sub("(^|/)[^/]+/[.][.]", "", target[up])
    target <- sub("^/", "", target)
    problem <- character()
    for (i in seq_along(included)) {
      if (!grepl("^(([.][.]/)+([a-z_0-9]+/)*)?[a-z_0-9]+[.]h$", included[i])) {
        problem <- c(problem, paste0(header, ": write ", lines[i], " as \"../folder/file.h\"."))
      } else if (target[i] != folder && !isTRUE(layer_of(target[i]) > layer_of(folder))) {
        problem <- c(problem, paste0(header, " includes ", included[i], ", which is not in a lower layer."))
      }
    }
    problem
  })
  twice <- headers[duplicated(basename(headers))]
  c(unlist(problems), sprintf("%s: another header has the same file name.", twice))
}

header_problems <- function(include, headers, compiler) {
  source <- tempfile(fileext = ".cpp")
  on.exit(unlink(source))
  writeLines(rep(paste0("#include <", headers, ">"), 2), source)
  flags <- c("-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", paste0("-I", shQuote(include)))
  arguments <- c(compiler[-1], flags, shQuote(source))
  output <- suppressWarnings(system2(compiler[1], arguments, stdout = TRUE, stderr = TRUE))
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

# lapply() in as many processes as there are cores.
in_parallel <- function(x, fun, ...) {
  cores <- if (.Platform$OS.type == "unix") max(1L, parallel::detectCores(), na.rm = TRUE) else 1L
  parallel::mclapply(x, fun, ..., mc.cores = cores, mc.preschedule = FALSE)
}

# A list with the compiler's complaints about each header, named after it, and about all, and the problems of layers.
check_headers <- function(root) {
  include <- file.path(root, "inst", "include")
  headers <- list.files(include, "\\.h$", recursive = TRUE)
  compilers <- Filter(Negate(is.null), lapply(c(17, 20), configured_compiler))
  if (length(compilers) == 0) stop("R has no C++17 compiler configured.", call. = FALSE)
  check <- function(headers, compilers) {
    unlist(lapply(compilers, header_problems, include = include, headers = headers))
  }
  alone <- stats::setNames(in_parallel(headers, check, compilers[1]), headers)
  c(alone, list(
    `all headers together` = check(headers, compilers), `the layers of the headers` = layer_problems(include)
  ))
}

report_headers <- function(problems) {
  bad <- lengths(problems) > 0
  for (header in names(problems)[bad]) cat("\nProblems of", header, problems[[header]], sep = "\n")
  cat(sprintf("Headers: %d of %d checks passed.\n", sum(!bad), length(bad)))
  invisible(bad)
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
  quit(status = as.integer(any(report_headers(check_headers(root)))))
}

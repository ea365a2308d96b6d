# Checks the headers of inst/include, without R's own headers:
#   Rscript tools/check-headers.R
# - each compiles alone, twice over to try its guard, as C++17, or after headers that it includes anyway;
# - all compile together, as C++17 and C++20, so that no two define different things of one name;
# - includes point downward only, from one layer to a lower one, and no two headers have the same name.

# The folders of inst/include/mlsift, highest layer first. Folders of one layer do not include each other.
header_layers <- list(
  c("read", "resample"), c("learn", "measure"), "search", "criteria",
  c("count/joint", "distance", "graph", "model"), "count", c("data", "solve"), "core"
)

# The headers of the core that the lines of a header include, as paths from `root`.
included_headers <- function(root, header, lines) {
  target <- file.path(dirname(header), sub('^#include "([^"]+)".*', "\\1", lines))
  while (any(up <- grepl("/..", target, fixed = TRUE))) target[up] <- sub("(^|/)[^/]+/[.][.]", "", target[up])
  sub("^/", "", target)
}

include_lines <- function(root, header) {
  grep("^#include \"|^#include <mlsift/", readLines(file.path(root, header)), value = TRUE)
}

# The headers in chains: each includes those before it in its chain, directly or not. So a chain needs one compilation,
# in which each header meets what it would meet alone.
header_chains <- function(root, headers) {
  below <- lapply(stats::setNames(nm = headers), function(header) {
    included_headers(root, header, include_lines(root, header))
  })
  repeat {
    more <- lapply(below, function(found) unique(c(found, unlist(below[found], use.names = FALSE))))
    if (identical(lengths(more), lengths(below))) break
    below <- more
  }
  left <- headers[order(-lengths(below))]
  chains <- list()
  while (length(left) > 0) {
    chain <- left[1]
    while (length(lower <- setdiff(intersect(left, below[[chain[1]]]), chain)) > 0) chain <- c(lower[1], chain)
    chains <- c(chains, list(chain))
    left <- setdiff(left, chain)
  }
  chains
}

layer_problems <- function(include) {
  root <- file.path(include, "mlsift")
  headers <- list.files(root, "\\.h$", recursive = TRUE)
  layer_of <- function(folder) match(TRUE, vapply(header_layers, function(layer) folder %in% layer, NA))
  problems <- lapply(headers, function(header) {
    folder <- dirname(header)
    if (is.na(layer_of(folder))) return(paste(header, "is in a folder that header_layers does not list."))
    lines <- include_lines(root, header)
    included <- sub('^#include "([^"]+)".*', "\\1", lines)
    target <- dirname(included_headers(root, header, lines))
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
  writeLines(rep(paste0("#include <mlsift/", headers, ">"), 2), source)
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

# A list with the compiler's complaints about each header, named after the last one of its chain, about all headers
# together, and the problems of layers.
check_headers <- function(root) {
  include <- file.path(root, "inst", "include")
  core <- file.path(include, "mlsift")
  headers <- list.files(core, "\\.h$", recursive = TRUE)
  compilers <- Filter(Negate(is.null), lapply(c(17, 20), configured_compiler))
  if (length(compilers) == 0) stop("R has no C++17 compiler configured.", call. = FALSE)
  check <- function(headers, compilers) {
    unlist(lapply(compilers, header_problems, include = include, headers = headers))
  }
  chains <- header_chains(core, headers)
  alone <- stats::setNames(vector("list", length(headers)), headers)
  # What the compiler says names the header.
  alone[vapply(chains, utils::tail, "", 1)] <- in_parallel(chains, check, compilers[1])
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

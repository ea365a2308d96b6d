# Runs the tests with the least versions that DESCRIPTION states:
#   Rscript tools/oldest.R [library]
# The packages that these need in turn are of about the same time, because newer ones ask for newer versions. All are
# compiled from CRAN's archive into a library of their own, which takes about ten minutes. A library that is named is
# kept, and what it has is not compiled again. If the mirror lacks a version, its newest is taken, and that is said.
# The last line and the exit status are those of tools/test.R, which runs without the headers and the C++ tests.

script <- normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
root <- dirname(dirname(script))
source(file.path(root, "tools", "install.R"))

# In an order in which each finds what it needs. "" for those that DESCRIPTION has a version of.
versions <- c(
  rlang = "", cli = "", glue = "1.6.2", lifecycle = "1.0.3", vctrs = "0.6.3", generics = "", withr = "", Rcpp = "",
  RcppArmadillo = "0.12.8.4.0", magrittr = "2.0.3", R6 = "2.5.1", utf8 = "1.2.4", fansi = "1.0.4",
  pkgconfig = "2.0.3", pillar = "1.9.0", tibble = "3.2.1", gtable = "0.3.5", isoband = "0.2.7", farver = "2.1.1",
  labeling = "0.4.3", colorspace = "2.1-0", munsell = "0.5.0", RColorBrewer = "1.1-3", viridisLite = "0.4.2",
  scales = "1.3.0", ggplot2 = "", tidyselect = "", brio = "1.1.3", ps = "1.7.5", processx = "3.8.2",
  callr = "3.7.3", desc = "1.4.2", digest = "0.6.33", ellipsis = "0.3.2", evaluate = "0.21", jsonlite = "1.8.7",
  crayon = "1.5.2", rprojroot = "2.0.3", prettyunits = "1.2.0", pkgbuild = "1.4.2", fs = "1.6.3", pkgload = "1.3.3",
  praise = "1.0.0", diffobj = "0.3.5", rematch2 = "2.1.2", waldo = "0.5.1", testthat = "",
  xfun = "0.55", yaml = "2.3.8", highr = "0.11", knitr = ""
)
stated <- description_packages(root, c("Imports", "LinkingTo", "Suggests"))
stated <- stated[!stated$name %in% bridge_packages, ]
stated <- stats::setNames(stated$version, stated$name)
stated <- stated[stated != "0"]
if (length(unlisted <- setdiff(names(stated), names(versions))) > 0) {
  stop("These need a row in `versions`: ", toString(unlisted), ".", call. = FALSE)
}
versions[names(stated)] <- stated

library <- commandArgs(TRUE)[1]
if (is.na(library)) library <- tempfile("oldest-")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
library <- normalizePath(library)
alone <- c(
  paste0(c("R_LIBS=", "R_LIBS_USER="), shQuote(library)), "R_LIBS_SITE=/nowhere", "R_ENVIRON=/nowhere",
  "R_ENVIRON_USER=/nowhere", paste0("MAKEFLAGS=-j", cores())
)
choose_mirror()
choose_libuv()

installed_version <- function(name) {
  suppressWarnings(utils::packageDescription(name, lib.loc = library, fields = "Version"))
}

# The path of a package's sources, or NULL if the mirror does not have them.
download <- function(name, version) {
  file <- paste0(name, "_", version, ".tar.gz")
  to <- file.path(tempdir(), file)
  for (folder in c(file.path("Archive", name), "")) {
    from <- paste(c(getOption("repos")[[1]], "src/contrib", folder[nzchar(folder)], file), collapse = "/")
    got <- tryCatch(suppressWarnings(utils::download.file(from, to, quiet = TRUE)) == 0, error = function(e) FALSE)
    if (got) return(to)
  }
}

install <- function(name, version) {
  if (identical(installed_version(name), version)) return()
  path <- download(name, version)
  if (is.null(path)) {
    version <- utils::available.packages()[name, "Version"]
    if (identical(installed_version(name), version)) return()
    path <- download(name, version)
    say("%s %s cannot be had, and %s is taken.", name, versions[[name]], version)
  }
  log <- tempfile()
  options <- c("CMD", "INSTALL", "--no-docs", "--no-multiarch", shQuote(paste0("--library=", library)), shQuote(path))
  if (system2(file.path(R.home("bin"), "R"), options, stdout = log, stderr = log, env = alone) != 0) {
    writeLines(readLines(log))
    stop(name, " ", version, " could not be installed; see above.", call. = FALSE)
  }
}

say("Installing %d packages into %s ...", length(versions), library)
for (name in names(versions)) install(name, versions[[name]])
before <- vapply(names(versions), installed_version, "")
status <- system2(file.path(R.home("bin"), "Rscript"), shQuote(file.path(root, "tools", "test.R")),
  env = c(alone, "MLSIFT_TEST_CORE=false"))
replaced <- names(versions)[vapply(names(versions), installed_version, "") != before]
if (length(replaced) > 0) stop("The tests installed newer versions of: ", toString(replaced), ".", call. = FALSE)
quit(save = "no", status = status)

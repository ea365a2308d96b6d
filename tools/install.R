# What the scripts of this folder share: installing mlsift from this clone, with all it needs, on a machine
# that has R and a compiler. Nothing is written into the clone.

say <- function(...) cat(sprintf(...), "\n", sep = "")

# What these fields of DESCRIPTION ask for: a data frame of name and least version.
description_packages <- function(root, fields) {
  if (is.null(fields)) return(data.frame(name = character(), version = character()))
  entries <- read.dcf(file.path(root, "DESCRIPTION"), fields = fields)
  entries <- trimws(unlist(strsplit(entries[!is.na(entries)], ",")))
  packages <- data.frame(name = sub("[ (].*", "", entries), version = "0")
  with_version <- grepl(">=", entries, fixed = TRUE)
  packages$version[with_version] <- gsub(".*>=|[ )]", "", entries[with_version])
  unique(packages[nzchar(packages$name) & packages$name != "R", ])
}

# Those of Suggests that the usual tests need. The others belong to bridges, have many dependencies and take long to
# compile; tests that need them are left out where they are missing, and .github/workflows/bridges.yaml has them all.
suggested_packages <- function(root) setdiff(description_packages(root, "Suggests")$name, bridge_packages)

bridge_packages <- c("arrow", "data.table", "duckdb", "future", "mirai", "mlr3", "mlr3filters", "progressr", "recipes")

# Looks at the files only: a start-up file may have loaded an older copy into this process.
is_installed <- function(name, version = "0") {
  found <- suppressWarnings(utils::packageDescription(name, lib.loc = .libPaths(), fields = "Version"))
  !is.na(found) && utils::compareVersion(found, version) >= 0
}

# Those of some packages that are not installed, or in a version older than DESCRIPTION asks for.
missing_packages <- function(root, names) {
  stated <- description_packages(root, c("Depends", "Imports", "LinkingTo", "Suggests"))
  complete <- function(name) all(vapply(c("0", stated$version[stated$name == name]), is_installed, NA, name = name))
  names[!vapply(names, complete, NA)]
}

# The first library that we may write to: one that R_LIBS names, then the user's own, made when needed, then any other.
# It comes first in the search path, so newer copies in it are found before older ones of the machine.
writable_library <- function() {
  asked <- unlist(strsplit(Sys.getenv("R_LIBS"), .Platform$path.sep, fixed = TRUE))
  own <- unlist(strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE))
  candidates <- c(asked, own, .libPaths())
  for (library in candidates[nzchar(candidates) & candidates != "NULL"]) {
    dir.create(library, recursive = TRUE, showWarnings = FALSE)
    if (file.access(library, 2) == 0) {
      .libPaths(c(library, .libPaths()))
      return(.libPaths()[1])
    }
  }
  stop("No library can be written to. Set R_LIBS to a folder that can.", call. = FALSE)
}

# Where no mirror was chosen, the one that this R knows as CRAN itself.
choose_mirror <- function() {
  repos <- getOption("repos")
  if (length(repos) == 0 || !nzchar(repos[1])) repos <- c(CRAN = "@CRAN@")
  repos[repos == "@CRAN@"] <- utils::findCRANmirror("web")
  options(repos = repos, timeout = max(600, getOption("timeout")))
}

cores <- function() max(1L, parallel::detectCores(), na.rm = TRUE)

# testthat needs fs, and fs needs libuv: that of the system, or its own copy, which newer versions build by cmake, and
# only when told to. Without either, fs 1.6.3 is taken, which builds its copy by configure alone, but not for R 4.6.
choose_libuv <- function(wanted = character(), library = .libPaths()[1]) {
  if (has_libuv()) return(invisible())
  if (nzchar(Sys.which("cmake"))) return(invisible(Sys.setenv(USE_BUNDLED_LIBUV = "1")))
  if (getOption("pkgType") != "source" || is_installed("fs")) return(invisible())
  if (!"fs" %in% unlist(tools::package_dependencies(wanted, recursive = TRUE))) return(invisible())
  if (getRversion() < "4.6") {
    say("Neither libuv nor cmake is installed, so fs 1.6.3 is taken from CRAN's archive, which needs neither.")
    return(install_archived("fs", "1.6.3", library))
  }
  if (identical(Sys.info()[["user"]], "root") && nzchar(Sys.which("apt-get"))) {
    say("testthat needs libuv, so apt-get installs libuv1-dev.")
    quiet <- function(...) system2("apt-get", c(..., "-q", "-q"), stdout = FALSE)
    quiet("update")
    quiet("install", "--yes", "--no-install-recommends", "libuv1-dev")
    if (has_libuv()) return(invisible())
  }
  say(paste("testthat needs libuv or cmake, and neither is installed. On Debian and Ubuntu,",
    "\"apt-get install libuv1-dev\" installs libuv, on Fedora, \"dnf install libuv-devel\"."))
}

# Whether pkg-config or the compiler finds it.
has_libuv <- function() {
  if (nzchar(Sys.which("pkg-config")) && system2("pkg-config", c("--exists", "libuv")) == 0) return(TRUE)
  program <- tempfile(fileext = ".c")
  on.exit(unlink(program))
  writeLines("#include <uv.h>", program)
  configured <- function(name) {
    system2(file.path(R.home("bin"), "R"), c("CMD", "config", name), stdout = TRUE, stderr = FALSE)
  }
  compiler <- paste(c(configured("CC"), configured("CPPFLAGS")), collapse = " ")
  system(paste(compiler, "-E", shQuote(program)), ignore.stdout = TRUE, ignore.stderr = TRUE) == 0
}

install_archived <- function(name, version, library) {
  file <- paste0(name, "_", version, ".tar.gz")
  address <- paste(getOption("repos")[[1]], "src/contrib/Archive", name, file, sep = "/")
  utils::install.packages(address, library, repos = NULL, type = "source", quiet = TRUE)
}

# What install.packages() would compile for `wanted`: these and all that they need in turn. As far as a library of an
# earlier run of the same R, which MLSIFT_BUILT names, has the very versions of the mirror, these are copied; the others
# are returned.
copy_built <- function(wanted, library, built = Sys.getenv("MLSIFT_BUILT")) {
  if (!nzchar(built)) return(wanted)
  available <- utils::available.packages()
  versions <- function(packages) stats::setNames(packages[, "Version"], rownames(packages))
  needed <- unlist(tools::package_dependencies(wanted, available, recursive = TRUE), use.names = FALSE)
  needed <- union(wanted, Filter(Negate(is_installed), needed))
  same <- needed[which(versions(utils::installed.packages(built))[needed] == versions(available)[needed])]
  say("Copying %s from %s ...", toString(same), built)
  file.copy(file.path(built, same), library, recursive = TRUE, copy.date = TRUE)
  setdiff(needed, same)
}

# Installs what is missing or too old of the packages that mlsift needs, of `needed`, and of `optional`, which may fail.
# install.packages() adds what these depend on in turn, also where the installed version is older than they ask for.
install_dependencies <- function(root, library, needed = character(), optional = character()) {
  needed <- unique(c(description_packages(root, c("Depends", "Imports", "LinkingTo"))$name, needed))
  wanted <- missing_packages(root, unique(c(needed, optional)))
  if (length(wanted) > 0) {
    choose_mirror()
    wanted <- copy_built(wanted, library)
  }
  if (length(wanted) > 0) {
    choose_libuv(wanted, library)
    say("Installing %s into %s ...", paste(wanted, collapse = ", "), library)
    utils::install.packages(wanted, lib = library, Ncpus = cores(), quiet = TRUE)
  }
  if (length(failed <- missing_packages(root, needed)) > 0) {
    stop("These packages could not be installed (see above): ", paste(failed, collapse = ", "), call. = FALSE)
  }
  if (length(failed <- missing_packages(root, optional)) > 0) {
    say("Going on without %s.", paste(failed, collapse = ", "))
  }
}

# A copy of the sources without version control, private libraries and compiled files.
copy_sources <- function(root) {
  copy <- file.path(tempfile("mlsift-"), "mlsift")
  dir.create(copy, recursive = TRUE)
  entries <- setdiff(list.files(root, all.files = TRUE, no.. = TRUE), c(".git", ".lib"))
  entries <- entries[!grepl("\\.Rcheck$|\\.tar\\.gz$", entries)]
  file.copy(file.path(root, entries), copy, recursive = TRUE, copy.date = TRUE)
  unlink(list.files(file.path(copy, "src"), "\\.(o|so|dll)$", full.names = TRUE))
  copy
}

# `options`: of R CMD INSTALL.
install_sources <- function(copy, library, options = character()) {
  say("Installing mlsift %s into %s ...", read.dcf(file.path(copy, "DESCRIPTION"), "Version"), library)
  log <- tempfile(fileext = ".log")
  status <- system2(file.path(R.home("bin"), "R"),
    c("CMD", "INSTALL", "--no-multiarch", options, shQuote(paste0("--library=", library)), shQuote(copy)),
    stdout = log, stderr = log,
    env = c(
      paste0("MAKEFLAGS=-j", cores()),
      paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))
    )
  )
  if (status != 0) {
    writeLines(readLines(log))
    stop("mlsift could not be installed; see above.", call. = FALSE)
  }
}

# All of it, without debugging symbols, which are nine tenths of the size; returns the folder of the copied sources.
install_mlsift <- function(root, ...) {
  library <- writable_library()
  install_dependencies(root, library, ...)
  copy <- copy_sources(root)
  install_sources(copy, library, "--strip")
  copy
}

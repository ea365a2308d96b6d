# What tools/test.R and tools/quickstart.R share: installing mlsift from this clone, with all it needs, on a machine
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

is_installed <- function(name, version) {
  found <- suppressWarnings(utils::packageDescription(name, fields = "Version"))
  !is.na(found) && utils::compareVersion(found, version) >= 0
}

missing_packages <- function(root, fields) {
  packages <- description_packages(root, fields)
  packages$name[!as.logical(mapply(is_installed, packages$name, packages$version))]
}

# The first library that we may write to; the user's own, made when needed, where there is none.
writable_library <- function() {
  asked <- unlist(strsplit(Sys.getenv("R_LIBS"), .Platform$path.sep, fixed = TRUE))
  own <- unlist(strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE))
  candidates <- c(asked, .libPaths(), own)
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

# testthat stands on fs, which looks for the system's libuv and builds its own copy of it, by cmake, only when told to.
choose_libuv <- function() {
  has <- function(program) nzchar(Sys.which(program))
  found <- has("pkg-config") && system2("pkg-config", c("--exists", "libuv")) == 0
  if (!found && has("cmake")) Sys.setenv(USE_BUNDLED_LIBUV = "1")
}

# Installs what is missing of the packages that mlsift needs, of `needed`, and of `optional`, which may fail.
install_dependencies <- function(root, library, needed = character(), optional = character()) {
  absent <- function(fields, others) {
    unique(c(missing_packages(root, fields), others[!vapply(others, is_installed, TRUE, version = "0")]))
  }
  imports <- c("Depends", "Imports", "LinkingTo")
  wanted <- absent(imports, c(needed, optional))
  if (length(wanted) > 0) {
    choose_mirror()
    choose_libuv()
    say("Installing %s into %s ...", paste(wanted, collapse = ", "), library)
    utils::install.packages(wanted, lib = library, Ncpus = cores(), quiet = TRUE)
  }
  if (length(failed <- absent(imports, needed)) > 0) {
    stop("These packages could not be installed (see above): ", paste(failed, collapse = ", "), call. = FALSE)
  }
  if (length(failed <- absent(NULL, optional)) > 0) say("Going on without %s.", paste(failed, collapse = ", "))
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

install_sources <- function(copy, library) {
  say("Installing mlsift %s into %s ...", read.dcf(file.path(copy, "DESCRIPTION"), "Version"), library)
  log <- tempfile(fileext = ".log")
  status <- system2(file.path(R.home("bin"), "R"),
    c("CMD", "INSTALL", "--no-multiarch", shQuote(paste0("--library=", library)), shQuote(copy)),
    stdout = log, stderr = log,
    env = c(paste0("MAKEFLAGS=-j", cores()), paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep))))
  )
  if (status != 0) {
    writeLines(readLines(log))
    stop("mlsift could not be installed; see above.", call. = FALSE)
  }
}

# All of it; returns the folder of the copied sources.
install_mlsift <- function(root, ...) {
  library <- writable_library()
  install_dependencies(root, library, ...)
  copy <- copy_sources(root)
  install_sources(copy, library)
  copy
}

# Formats R files with styler (spaces and indentation) and C++ files with clang-format (.clang-format), and checks that
# no line of either is wider than 120 columns:
#   Rscript tools/format.R [--check] [--quick] [file or folder ...]
# --check changes nothing and ends with status 1 where a file is formatted in another way.
# --quick leaves styler out, which takes about two minutes for all files.
# styler is installed into the user's library when it is missing; where there is no clang-format, C++ is left as it is.

widest <- 120L

# Files of the project with one of these extensions, relative to its root; generated ones are left out.
source_files <- function(root, extensions, paths = character()) {
  if (length(paths) == 0) paths <- c("R", "src", "inst/include", "tests", "tools", "bench", "data-raw")
  pattern <- paste0("[.](", paste(extensions, collapse = "|"), ")$")
  is_folder <- dir.exists(file.path(root, paths))
  inside <- lapply(paths[is_folder], function(path) {
    files <- list.files(file.path(root, path), pattern, recursive = TRUE)
    file.path(rep(path, length(files)), files)
  })
  files <- c(grep(pattern, paths[!is_folder], value = TRUE), unlist(inside))
  files[!grepl("(^|/)RcppExports[.]", files)]
}

wide_lines <- function(root, files) {
  unlist(lapply(files, function(file) {
    lines <- readLines(file.path(root, file), encoding = "UTF-8", warn = FALSE)
    # A row of a Markdown table in the help is one line.
    width <- ifelse(startsWith(lines, "#' |"), 0L, nchar(lines, "chars"))
    sprintf("%s:%d: %d columns, and %d are allowed", file, which(width > widest), width[width > widest], widest)
  }))
}

# A function that formats files, named by their full paths, and returns for each whether that changes it; NULL without
# styler.
r_formatter <- function(root, check) {
  source(file.path(root, "tools", "install.R"), local = TRUE)
  library <- writable_library()
  if (!is_installed("styler")) {
    choose_mirror()
    say("Installing styler into %s ...", library)
    utils::install.packages("styler", lib = library, Ncpus = cores(), quiet = TRUE)
  }
  if (!requireNamespace("styler", quietly = TRUE)) return(NULL)
  options(styler.quiet = TRUE, styler.cache_name = NULL)
  function(files) {
    dry <- if (check) "on" else "off"
    styler::style_file(files, scope = "indention", strict = FALSE, dry = dry)$changed
  }
}

# The same for C++.
cpp_formatter <- function(root, check) {
  program <- Sys.which("clang-format")
  if (!nzchar(program)) return(NULL)
  arguments <- if (check) c("--dry-run", "-Werror") else "-i"
  function(files) {
    vapply(files, function(file) {
      before <- tools::md5sum(file)
      status <- system2(program, c("-style=file", arguments, shQuote(file)), stdout = FALSE, stderr = FALSE)
      status != 0 || before != tools::md5sum(file)
    }, NA)
  }
}

# Formats files of one language, or looks whether they are formatted; returns those that were not.
format_files <- function(root, files, formatter, language) {
  if (length(files) == 0) return(character())
  if (is.null(formatter)) {
    cat("No formatter of ", language, " is installed; its files are not looked at.\n", sep = "")
    return(character())
  }
  changed <- formatter(file.path(root, files))
  files[is.na(changed) | changed]
}

format_sources <- function(root, check, quick, paths = character()) {
  r_files <- source_files(root, "R", paths)
  cpp_files <- source_files(root, c("cpp", "h"), paths)
  changed <- format_files(root, cpp_files, cpp_formatter(root, check), "C++")
  if (!quick) changed <- c(changed, format_files(root, r_files, r_formatter(root, check), "R"))
  wide <- wide_lines(root, c(r_files, cpp_files))
  if (length(wide) > 0) cat(wide, sep = "\n")
  if (length(changed) > 0) cat(paste0(if (check) "Not formatted: " else "Formatted: ", changed), sep = "\n")
  cat(sprintf(
    "Format: %d files, %d %s, %d lines too wide.\n", length(r_files) + length(cpp_files), length(changed),
    if (check) "not formatted" else "formatted", length(wide)
  ))
  length(wide) > 0 || (check && length(changed) > 0)
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
  options <- grepl("^--", commandArgs(TRUE))
  asked <- commandArgs(TRUE)
  if (length(unknown <- setdiff(asked[options], c("--check", "--quick"))) > 0) {
    stop("Unknown option ", unknown[1], ": use --check, --quick or both.", call. = FALSE)
  }
  quit(status = as.integer(format_sources(root, "--check" %in% asked, "--quick" %in% asked, asked[!options])))
}

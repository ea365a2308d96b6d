# Lists every selector and learner with its header, oracle and benches, as a table of tabs:
#   Rscript tools/list-methods.R [word ...]
# With words, only methods whose constructor contains one of them. mlsift must be installed.
# - header: of inst/include/mlsift: named as the method, or what the glue of its R code uses; else its R file;
# - oracle: named as the method, or has a case for it, or stands on one line of the tests with it; else its test file;
# - bench: the files of bench/ that call it.

read_files <- function(root, folder, pattern) {
  files <- list.files(file.path(root, folder), pattern, full.names = TRUE, recursive = TRUE)
  names <- substring(files, nchar(file.path(root, folder)) + 2L)
  stats::setNames(lapply(files, readLines, encoding = "UTF-8"), names)
}

words_in <- function(lines, pattern) {
  unique(unlist(regmatches(lines, gregexpr(pattern, lines, perl = TRUE))))
}

# The names of the files that have a line with the pattern.
files_with <- function(files, pattern) names(files)[vapply(files, \(lines) any(grepl(pattern, lines, perl = TRUE)), NA)]

# What is registered: a data frame of constructors and methods.
registered_methods <- function() {
  registry <- utils::getFromNamespace("registry", "mlsift")
  row <- function(record) {
    data.frame(constructor = unique(sub("[(].*", "", record$constructor)), method = record$method)
  }
  do.call(rbind, lapply(c(registry$selectors, registry$learners), row))
}

# The calls of R/ that register something under this name, as text.
registrations <- function(root) {
  calls <- unlist(lapply(list.files(file.path(root, "R"), "[.]R$", full.names = TRUE), parse, keep.source = FALSE))
  # Constructors of greedy selectors are made where these are registered.
  calls <- lapply(calls, \(x) if (is.call(x) && identical(x[[1L]], quote(`<-`))) x[[3L]] else x)
  registers <- \(x) is.call(x) && grepl("^register|^greedy_selector$", deparse(x[[1L]])[1L]) && is.character(x[[2L]])
  calls <- Filter(registers, calls)
  stats::setNames(lapply(calls, deparse), vapply(calls, \(x) x[[2L]], ""))
}

# What words of code look like `pattern`, or, if there are none, those of the package's functions that it calls.
nearest_words <- function(code, pattern, depth = 3L) {
  found <- words_in(code, pattern)
  if (length(found) > 0L || depth == 0L) return(found)
  called <- intersect(words_in(code, "\\b[a-z]\\w+"), ls(asNamespace("mlsift")))
  unique(unlist(lapply(called, \(f) nearest_words(deparse(utils::getFromNamespace(f, "mlsift")), pattern, depth - 1L))))
}

# The lines of a function of the glue, and what it uses of the core.
uses_of <- function(name, src) {
  for (lines in src) {
    at <- grep(paste0("^[A-Za-z].*\\b", name, "[(]"), lines)
    if (length(at) == 0L) next
    # A function of one line ends where it begins.
    end <- if (grepl("}$", lines[at[1L]])) at[1L] else grep("^}", lines)
    return(words_in(lines[at[1L]:end[end >= at[1L]][1L]], "(?<=mlsift::)\\w+"))
  }
}

# What greedy criteria use: each has a name and a row of `criteria` in src/greedy.cpp.
criterion_uses <- function(code, src) {
  rows <- grep("^ +[{]\"\\w+\", .*[}],$", src[["greedy.cpp"]], value = TRUE)
  names <- sub("^ +[{](\"\\w+\").*", "\\1", rows)
  given <- nearest_words(code, paste(names, collapse = "|"))
  if (length(given) == 0L || any(grepl("greedy_criterion[(]\\w+ = ", code))) given <- c(given, "\"linear\"")
  rows <- rows[names %in% given]
  c(words_in(rows, "(?<=mlsift::)\\w+"), unlist(lapply(words_in(rows, "(?<=, )\\w+(?=[}])"), uses_of, src)))
}

headers_of <- function(constructor, method, code, core, src) {
  folder <- if (startsWith(constructor, "sel_")) "criteria" else "learn"
  named <- paste0(folder, "/", method, ".h")
  if (named %in% names(core)) return(named)
  glue <- nearest_words(code, "\\bcpp_\\w+")
  uses <- unique(unlist(lapply(setdiff(glue, "cpp_greedy"), uses_of, src)))
  if ("cpp_greedy" %in% glue) uses <- c(uses, criterion_uses(code, src))
  if (length(uses) == 0L) return(character())
  any_use <- paste0("(", paste(uses, collapse = "|"), ")")
  found <- files_with(core, paste0("^(class|struct) ", any_use, "\\b|^[A-Za-z].* ", any_use, "[(]"))
  setdiff(grep(paste0("^(", folder, "|search|model)/"), found, value = TRUE), "search/rank.h")
}

oracles_of <- function(constructor, method, tests) {
  lines <- unlist(tests, use.names = FALSE)
  defined <- sub(" *<-.*", "", grep("^ *oracle_\\w+ *<- ", lines, value = TRUE))
  named <- intersect(paste0("oracle_", method), trimws(defined))
  if (length(named) > 0L) return(named)
  if (any(grepl(paste0("^ +", method, " = "), unlist(tests["helper-oracles-greedy.R"])))) return("oracle_score")
  calls <- paste0("\\b", constructor, "[(]")
  beside <- words_in(grep(calls, lines, value = TRUE, perl = TRUE), "\\boracle_\\w+")
  if (length(beside) > 0L) return(beside)
  count <- vapply(tests, \(lines) sum(grepl(calls, lines, perl = TRUE)), 0)
  names(which.max(count))
}

list_methods <- function(root) {
  core <- read_files(root, "inst/include/mlsift", "[.]h$")
  src <- read_files(root, "src", "^[a-z].*[.](h|cpp)$")
  r <- read_files(root, "R", "[.]R$")
  tests <- read_files(root, "tests/testthat", "[.]R$")
  bench <- read_files(root, "bench", "[.]R$")
  bench <- bench[!names(bench) %in% c("all-selectors.R", "common.R")]
  methods <- registered_methods()
  code <- registrations(root)
  one <- function(constructor, method) {
    headers <- headers_of(constructor, method, unlist(code[names(code) == method]), core, src)
    if (length(headers) == 0L) headers <- paste0("R/", files_with(r, paste0("^", constructor, " <- ")))
    data.frame(
      method = constructor, header = toString(headers), oracle = toString(oracles_of(constructor, method, tests)),
      bench = toString(files_with(bench, paste0("\\b", constructor, "[(]")))
    )
  }
  result <- do.call(rbind, Map(one, methods$constructor, methods$method))
  result[order(result$method), ]
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  methods <- list_methods(dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE)))))
  words <- commandArgs(TRUE)
  if (length(words) > 0L) methods <- methods[grepl(paste(words, collapse = "|"), methods$method), ]
  utils::write.table(methods, sep = "\t", quote = FALSE, row.names = FALSE)
}

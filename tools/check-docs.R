# Checks the lists that people keep by hand against what is there. mlsift must be installed:
#   Rscript tools/check-docs.R
# - _pkgdown.yml names every help page and every vignette, and nothing else;
# - _pkgdown.yml, README.md, ?mlsift and the ends of the guides have them in one order;
# - the files, oracles and functions that CONTRIBUTING.md names exist;
# - each script of tools/ says at its head what it does;
# - NEWS.md and the vignette on choosing a selector name every selector;
# - help reads well as plain text: no TeX, and no list that is cut off from the sentence before it by Usage;
# - no two R files define the same function, of which only the last would count.

# The entries below one key of _pkgdown.yml, as far as our file goes: "- entry" and "contents: entry".
index_entries <- function(root, key) {
  lines <- readLines(file.path(root, "_pkgdown.yml"))
  top <- grep("^[a-z]", lines)
  from <- which(lines == paste0(key, ":"))
  lines <- lines[seq(from + 1L, c(top[top > from], length(lines) + 1L)[1L] - 1L)]
  entries <- grep("^ +- [^:]+$|^ +contents: .+$", lines, value = TRUE)
  trimws(sub("^ +(- |contents: )", "", entries))
}

# The help pages that an entry means, of a named vector: alias -> page.
pages_of <- function(entry, aliases) {
  if (!grepl("(", entry, fixed = TRUE)) return(aliases[names(aliases) == entry])
  call <- str2lang(entry)
  test <- switch(as.character(call[[1]]), starts_with = startsWith, ends_with = endsWith)
  aliases[test(names(aliases), call[[2]])]
}

index_problems <- function(root) {
  aliases <- readRDS(system.file("help", "aliases.rds", package = "mlsift"))
  entries <- index_entries(root, "reference")
  found <- lapply(entries, pages_of, aliases = aliases)
  vignettes <- sub("[.]Rmd$", "", list.files(file.path(root, "vignettes"), "[.]Rmd$", recursive = TRUE))
  articles <- index_entries(root, "articles")
  articles <- articles[articles != "~" & !grepl("^title", articles)]
  exports <- getNamespaceExports("mlsift")
  c(
    labelled("In _pkgdown.yml but not a help page", entries[lengths(found) == 0]),
    labelled("Not in _pkgdown.yml", setdiff(aliases, unlist(found))),
    labelled("Without help", setdiff(exports[!startsWith(exports, ".")], names(aliases))),
    labelled("In _pkgdown.yml but not a vignette", setdiff(articles, vignettes)),
    labelled("Vignette not in _pkgdown.yml", setdiff(vignettes, articles))
  )
}

# The guides that lines name, in their order.
named_guides <- function(lines, pattern) {
  lines <- grep(pattern, lines, value = TRUE)
  sub(".*?vignette[(]\"([^\"]+)\"[)].*", "\\1", grep("vignette(\"", lines, fixed = TRUE, value = TRUE), perl = TRUE)
}

order_problems <- function(root) {
  lines <- function(...) readLines(file.path(root, ...), encoding = "UTF-8")
  order <- index_entries(root, "articles")
  order <- order[file.exists(file.path(root, "vignettes", paste0(order, ".Rmd"))) & !startsWith(order, "articles/")]
  first_next <- vapply(utils::head(order, -1L), function(guide) {
    text <- lines("vignettes", paste0(guide, ".Rmd"))
    c(named_guides(text[cumsum(text == "## Next") > 0], "^- "), "")[1L]
  }, "")
  next_all <- named_guides(lines("vignettes", "mlsift.Rmd"), "^- `vignette")
  unlike <- function(where, found, wanted = order) if (!identical(found, wanted)) where
  labelled("The guides have another order than in _pkgdown.yml", c(
    unlike("README.md", named_guides(lines("README.md"), "^[|] ")),
    unlike("R/mlsift-package.R", named_guides(lines("R", "mlsift-package.R"), "^#' [*] ")),
    unlike("vignettes/mlsift.Rmd", next_all, order[-1L]),
    names(first_next)[first_next != order[-1L]]
  ))
}

labelled <- function(label, found) if (length(found) > 0) paste0(label, ": ", unique(found))

# What stands between backticks in a file.
code_words <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  gsub("`", "", unlist(regmatches(text, gregexpr("`[^`\n]+`", text))))
}

# What stands in its pictures, between fences.
fenced_words <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  inside <- cumsum(startsWith(lines, "```")) %% 2 == 1
  unlist(strsplit(lines[inside & !startsWith(lines, "```")], "[ ,:]+"))
}

map_problems <- function(root) {
  file <- file.path(root, "CONTRIBUTING.md")
  words <- c(code_words(file), fenced_words(file))
  paths <- grep("^[A-Za-z._*-]+(/[A-Za-z0-9._*-]*)*$", words, value = TRUE)
  paths <- grep("/|[.](R|h|md|cpp)$", paths, value = TRUE)
  places <- file.path(root, c("", "R", "bench", "inst/include/mlsift", "tests/testthat"))
  scripts <- list.files(file.path(root, "tools"), "[.](R|sh)$", full.names = TRUE)
  silent <- vapply(scripts, \(script) !any(grepl("^# [A-Z]", readLines(script, 2L))), NA)
  exists <- vapply(paths, function(path) length(Sys.glob(sub("/$", "", file.path(places, path)))) > 0, NA)
  tests <- list.files(file.path(root, "tests", "testthat"), "[.]R$", full.names = TRUE)
  defined <- sub(" *<-.*", "", grep("^oracle_\\w+ *<-", unlist(lapply(tests, readLines)), value = TRUE))
  oracles <- grep("^oracle_\\w+[(][)]$", words, value = TRUE)
  functions <- grep("^(sel|lrn|disc|msr|rs)_[a-z0-9_]+[(][)]$", words, value = TRUE)
  exports <- paste0(getNamespaceExports("mlsift"), "()")
  c(
    labelled("CONTRIBUTING.md names a file that is not there", paths[!exists]),
    labelled("CONTRIBUTING.md names an oracle that is not there", setdiff(oracles, paste0(defined, "()"))),
    labelled("CONTRIBUTING.md names a function that is not there", setdiff(functions, exports)),
    labelled("tools/ has a script that does not say what it does", basename(scripts)[silent])
  )
}

selector_problems <- function(root, file) {
  selectors <- grep("^sel_", getNamespaceExports("mlsift"), value = TRUE)
  named <- vapply(selectors, function(name) any(startsWith(code_words(file.path(root, file)), paste0(name, "("))), NA)
  labelled(paste(file, "does not name"), selectors[!named])
}

twice_defined <- function(root) {
  lines <- unlist(lapply(list.files(file.path(root, "R"), "[.]R$", full.names = TRUE), readLines))
  names <- sub(" <- function.*", "", grep("^[A-Za-z_.`][A-Za-z0-9_.`]* <- function", lines, value = TRUE))
  labelled("Defined in two places of R/", names[duplicated(names)])
}

# The tests that the page of promises names between quotes.
promise_problems <- function(root) {
  page <- paste(readLines(file.path(root, "vignettes", "what-is-promised.Rmd"), encoding = "UTF-8"), collapse = " ")
  page <- gsub(" +", " ", page)
  quoted <- unlist(regmatches(page, gregexpr("(?<=[ ,]\")[a-zA-Z][^\"]{20,}(?=\"[,. ])", page, perl = TRUE)))
  files <- c(
    list.files(file.path(root, "tests", "testthat"), "^test-.*[.]R$", full.names = TRUE),
    list.files(file.path(root, "tests", "cpp"), "^test-.*[.]cpp$", full.names = TRUE)
  )
  tests <- gsub("\\s+", " ", paste(unlist(lapply(files, readLines)), collapse = " "))
  there <- vapply(quoted, \(name) grepl(name, tests, fixed = TRUE), NA)
  labelled("Promised in what-is-promised.Rmd, but no test has that name", quoted[!there])
}

# Arguments without a description, and lines of examples that the manual would cut off.
help_problems <- function(root) {
  pages <- list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE)
  wide <- lapply(pages, function(page) {
    lines <- utils::capture.output(tools::Rd2ex(page))
    lines <- lines[nchar(lines) > 100 & !startsWith(lines, "###")]
    if (length(lines) > 0) paste0(basename(page), ": ", lines)
  })
  c(
    labelled("Not as R CMD check wants it", utils::capture.output(print(tools::checkDocFiles(dir = root)))),
    labelled("Example of more than 100 columns", unlist(wide))
  )
}

# Pages as plain text, which is how R shows help in a terminal. Examples, usage and code in quotes may hold anything.
text_problems <- function(root) {
  pages <- list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE)
  raw <- lapply(pages, function(page) {
    lines <- text_of(page)
    sections <- cumsum(grepl("^[A-Z][^ ]*( [^ ]+)*:$", lines))
    titles <- tapply(lines, sections, `[`, 1L)
    prose <- lines[!titles[as.character(sections)] %in% c("Usage:", "Examples:")]
    text <- paste(prose, collapse = "\n")
    for (code in verbatim_of(tools::parse_Rd(page))) text <- gsub(code, "", text, fixed = TRUE)
    text <- strsplit(gsub("\u2018[^\u2019]*\u2019", "", text), "\n", fixed = TRUE)[[1]]
    bad <- grep("\\\\|<=ft|[_^][{]|[{].*[}]", text, value = TRUE)
    wide <- prose[nchar(prose) > 82 & !grepl("://", prose)]
    if (length(c(bad, wide)) > 0) paste0(basename(page), ": ", trimws(c(bad, wide)))
  })
  torn <- vapply(pages, starts_with_list, NA)
  c(
    labelled("TeX, or a line of more than 82 columns, in the text of a help page", unlist(raw)),
    labelled("Details begin with a list, whose introduction is before Usage", basename(pages)[torn])
  )
}

text_of <- function(page) {
  file <- tempfile()
  on.exit(unlink(file))
  tools::Rd2txt(page, out = file, stages = c("build", "install", "render"), outputEncoding = "UTF-8",
                options = list(underline_titles = FALSE))
  readLines(file, encoding = "UTF-8")
}

# What a page shows as it is typed, such as `{0,1}`.
verbatim_of <- function(part) {
  if (identical(attr(part, "Rd_tag"), "\\verb")) return(paste(unlist(part), collapse = ""))
  if (is.list(part)) unlist(lapply(part, verbatim_of))
}

# Whether the details of a page begin with a list or a table, so that what introduces it is in the description.
starts_with_list <- function(page) {
  parts <- tools::parse_Rd(page)
  details <- parts[vapply(parts, attr, "", "Rd_tag") == "\\details"]
  if (length(details) == 0) return(FALSE)
  tags <- vapply(details[[1]], attr, "", "Rd_tag")
  blank <- vapply(details[[1]], \(part) all(grepl("^[[:space:]]*$", unlist(part))), NA)
  tags[!(tags == "TEXT" & blank)][1L] %in% c("\\itemize", "\\enumerate", "\\describe", "\\tabular")
}

# A list with the problems of each check, named.
check_docs <- function(root) {
  list(
    help = help_problems(root),
    text = text_problems(root),
    promises = promise_problems(root),
    functions = twice_defined(root),
    index = index_problems(root),
    order = order_problems(root),
    map = map_problems(root),
    news = selector_problems(root, "NEWS.md"),
    choosing = selector_problems(root, file.path("vignettes", "choosing-a-selector.Rmd"))
  )
}

report_docs <- function(problems) {
  bad <- lengths(problems) > 0
  if (any(bad)) cat("", unlist(problems), sep = "\n")
  cat(sprintf("Lists: %d of %d are complete.\n", sum(!bad), length(bad)))
  invisible(bad)
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
  root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
  quit(status = as.integer(any(report_docs(check_docs(root)))))
}

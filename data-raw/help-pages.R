# Makes data/help_pages.rda from the help pages of the R that runs it, which takes half a minute:
#   Rscript data-raw/help-pages.R
# mlsift must be installed, and R with its recommended packages. The file in the package was made with R 4.2.2; another
# version of R has other pages.
library(mlsift)

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))

# Words that make sentences and have no subject.
little_words <- strsplit("a about above after all also although always an and any are as at be because been before being
  below between both but by can cannot could currently did do does done each either else etc even for from had has have
  having here how however if in into is it its itself just later least less like many may might more most much must
  neither no non nor not of often on one only onto optionally or other others otherwise out over own per possibly rather
  re respectively same see several should since so some such than that the their them themselves then there these they
  this those through thus to together too two typically under until up upon us use used useful user uses using usually
  various very via was way we well were what when where whether which while who whose will with within without would
  you your", "[[:space:]]+")[[1]]

# The text of a part of a page, without its markup.
text_of <- function(part) {
  if (is.character(part)) paste(part, collapse = "") else paste(vapply(part, text_of, ""), collapse = "")
}
parts <- function(page, tag) page[vapply(page, attr, "", "Rd_tag") == tag]
read_page <- function(page) {
  keywords <- unique(trimws(vapply(parts(page, "\\keyword"), text_of, "")))
  words <- strsplit(tolower(text_of(c(parts(page, "\\title"), " ", parts(page, "\\description")))), "[^a-z]+")[[1]]
  list(topic = trimws(text_of(parts(page, "\\name"))), keywords = keywords[nzchar(keywords)],
    words = setdiff(words, c(little_words, letters, "")), all_words = words)
}

packages <- rownames(utils::installed.packages(priority = c("base", "recommended")))
read_package <- function(package) {
  lapply(tools::Rd_db(package), function(page) c(read_page(page), package = package))
}
pages <- unlist(lapply(packages, read_package), recursive = FALSE)
pages <- Filter(function(page) length(page$keywords) > 0L && !"internal" %in% page$keywords, pages)
# By topic, so that neighboring rows come from many packages.
pages <- pages[order(vapply(pages, `[[`, "", "topic"), vapply(pages, `[[`, "", "package"), method = "radix")]
package_of <- function(pages) vapply(pages, `[[`, "", "package")

# What stands on at least `n` pages of at least three packages.
frequent <- function(pages, field, n) {
  of_page <- lapply(pages, `[[`, field)
  long <- unique(data.frame(page = rep(seq_along(pages), lengths(of_page)), value = unlist(of_page)))
  in_packages <- tapply(package_of(pages)[long$page], long$value, function(x) length(unique(x)))
  on_pages <- table(long$value)
  sort(names(on_pages)[on_pages >= n & in_packages[names(on_pages)] >= 3L], method = "radix")
}
keywords <- frequent(pages, "keywords", 30L)
pages <- Filter(function(page) any(page$keywords %in% keywords), pages)
words <- frequent(pages, "words", 20L)
pages <- Filter(function(page) any(page$words %in% words), pages)

label <- t(vapply(pages, function(page) as.numeric(keywords %in% page$keywords), numeric(length(keywords))))
count <- t(vapply(pages, function(page) as.numeric(table(factor(page$all_words, words))), numeric(length(words))))
topics <- paste0(package_of(pages), "::", vapply(pages, `[[`, "", "topic"))
dimnames(label) <- list(topics, paste0("key_", keywords))
dimnames(count) <- list(topics, words)
stopifnot(colSums(label) >= 30, colSums(count > 0) >= 20)
help_pages <- mltask(Matrix::Matrix(count, sparse = TRUE), label, name = "help pages")

print(summary(help_pages))
print(table(check_task(help_pages)$problem))
file <- file.path(root, "data", "help_pages.rda")
dir.create(dirname(file), showWarnings = FALSE)
save(help_pages, file = file, compress = "xz", version = 2)
cat(sprintf("%s, %s: %.0f kB\n", R.version.string, file, file.size(file) / 1024))

# Runs the example of README.md as it stands there and stores its pictures in man/figures, which takes about a minute:
#   Rscript data-raw/readme-pictures.R
# mlsift and mldr.datasets must be installed.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))

# The blocks of R code of a markdown file, each one string.
r_blocks <- function(lines) {
  from <- grep("^```r$", lines)
  to <- vapply(from, function(start) start + which(lines[-seq_len(start)] == "```")[1], 1)
  Map(function(a, b) paste(lines[seq(a + 1, b - 1)], collapse = "\n"), from, to)
}

pictures <- list(
  list(file = "README-answer.png", height = 7),
  list(file = "README-curves.png", height = 4.6),
  list(file = "README-ranks.png", height = 2.3)
)
blocks <- Filter(function(block) grepl("plot(", block, fixed = TRUE), r_blocks(readLines(file.path(root, "README.md"))))
stopifnot(length(blocks) == length(pictures))

for (i in seq_along(pictures)) {
  file <- file.path(root, "man", "figures", pictures[[i]]$file)
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
  grDevices::png(file, width = 7, height = pictures[[i]]$height, units = "in", res = 120)
  source(exprs = parse(text = blocks[[i]]), echo = TRUE, max.deparse.length = Inf)
  grDevices::dev.off()
  cat(sprintf("\n%s: %.0f KB\n", file, file.size(file) / 1024))
}

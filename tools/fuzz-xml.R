# Fuzzes the reader of label headers, which is written in R:
#   Rscript tools/fuzz-xml.R [minutes] [seed]
# The files in tests/fuzz/xml/ are changed at random, for one minute by default. Each must give names of labels, in
# UTF-8, or an error of class mlsift_error, within 5 s. Every other ending is printed with the seed of its file and the
# file is kept, and then the exit status is 1: the same command with 0 minutes and that seed repeats it alone.
# mlsift must be installed.

suppressPackageStartupMessages(library(mlsift))

arguments <- commandArgs(TRUE)
minutes <- as.numeric(c(arguments, "1")[1])
seed <- if (length(arguments) > 1) as.integer(arguments[2]) else 1L
if (is.na(minutes) || minutes < 0 || is.na(seed)) stop("Usage: Rscript tools/fuzz-xml.R [minutes] [seed]")

script <- normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
folder <- file.path(dirname(dirname(script)), "tests", "fuzz", "xml")
seeds <- lapply(list.files(folder, full.names = TRUE), function(path) readBin(path, "raw", 1e6))
words <- lapply(c(
  "<label", "</label>", "<label name=\"x\"/>", "name=", "name = 'y'", "<!--", "-->", "&#", "&#x10FFFF;", "&#0;",
  "&#xD800;", "&#99999999999999999999;", "&amp;", "&amp;lt;", "&lt", "\"", "'", "<", ">", "/", "=", "<![CDATA[", "]]>",
  "\u00e9", "\ufeff", "\\", "{", "}", "{x}", "%s", "\n", strrep("<label ", 200), strrep("'", 200), strrep("&lt;", 200)
), charToRaw)
words <- c(words, list(as.raw(c(0xff, 0xfe)), as.raw(c(0xfe, 0xff)), as.raw(0), as.raw(0x80), as.raw(c(0x1f, 0x8b))))

# One change of some bytes.
change <- function(bytes) {
  at <- sample.int(length(bytes) + 1L, 1L) - 1L
  before <- utils::head(bytes, at)
  after <- utils::tail(bytes, length(bytes) - at)
  more <- function(x) if (length(x) > 0L) sample.int(length(x), 1L) else 0L
  switch(sample(6L, 1L),
    c(before, sample(words, 1L)[[1L]], after),
    c(before, utils::tail(after, -min(more(after), 20L))),
    c(before, as.raw(sample(0:255, 1L)), utils::tail(after, -1L)),
    before,
    c(before, utils::head(after, 50L), after),
    {
      other <- sample(seeds, 1L)[[1L]]
      c(before, utils::tail(other, more(other)))
    }
  )
}

path <- tempfile(fileext = ".xml")
arff <- tempfile(fileext = ".arff")
writeLines(c("@relation r", "@attribute x numeric", "@attribute one {0,1}", "@attribute two {0,1}", "@data", "1,0,1"),
  arff)

# "" if the file ends as it must.
finding_of <- function(bytes) {
  writeBin(bytes, path)
  setTimeLimit(elapsed = 5, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch({
    names <- mlsift:::read_label_xml(path, call = NULL)
    if (!is.character(names) || anyNA(names) || !all(validUTF8(names))) return("its names are not valid text")
    # The names are used too, in messages about labels that are absent.
    read_mulan(arff, xml = path)
    ""
  }, mlsift_error = function(e) {
    if (is.null(tryCatch(conditionMessage(e), error = function(e) NULL))) "the message cannot be made" else ""
  }, warning = function(w) paste("warning:", conditionMessage(w)),
  error = function(e) paste0(class(e)[1], ": ", conditionMessage(e)))
}

ends <- Sys.time() + 60 * minutes
tried <- 0L
failed <- 0L
repeat {
  set.seed(seed + tried)
  bytes <- sample(seeds, 1L)[[1L]]
  for (i in seq_len(sample(0:6, 1L))) bytes <- change(bytes)
  finding <- finding_of(bytes)
  if (nzchar(finding)) {
    failed <- failed + 1L
    kept <- file.path(dirname(tempdir()), paste0("fuzz-xml-", seed + tried, ".xml"))
    file.copy(path, kept, overwrite = TRUE)
    cat(sprintf("seed %d: %s; the file is %s\n", seed + tried, gsub("\n", " ", finding), kept))
  }
  tried <- tried + 1L
  if (Sys.time() >= ends || failed >= 20L) break
}
cat(sprintf("xml: %d files from seed %d, %d findings\n", tried, seed, failed))
quit(status = as.integer(failed > 0L))

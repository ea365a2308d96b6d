# Fuzzes what reads files, from R:
#   Rscript tools/fuzz-files.R [minutes] [seed] [reader ...]
# The files in tests/fuzz/ are changed at random, for one minute by default, and read by read_mulan(), its label
# headers, read_libsvm() and read_chunks(). Each must give a value, which is then used, or an error of class
# mlsift_error, within 5 s and 4 GB of address space (where the shell has ulimit). Every other ending is printed with
# the seed of its file, and then the exit status is 1: the same command with 0 minutes, that seed and that reader
# repeats it alone. mlsift must be installed. tools/fuzz.sh fuzzes the parsers alone, which is much faster.

# A reader: the folder of its seeds, the end of its file names, and what is done with a file.
readers <- list(
  xml = list("xml", ".xml", function(path) {
    names <- mlsift:::read_label_xml(path)
    if (!is.character(names) || anyNA(names) || !all(validUTF8(names))) stop("its names are not valid text")
    # The names are used too, in messages about labels that are absent.
    read_mulan(arff, xml = path)
  }),
  mulan = list("arff", ".arff", function(path) use(read_mulan(path, labels = sample(c(-2:-1, 1), 1)))),
  libsvm = list("libsvm", ".svm", function(path) use(read_libsvm(path)$x)),
  pair = list("pair", ".txt", function(path) read_libsvm(pair_of(path), labels = path)),
  chunks_arff = list("arff", ".arff", function(path) use(read_chunks(path, labels = -1, rows = 2))),
  chunks_libsvm = list("libsvm", ".svm", function(path) use(read_chunks(path, rows = 2))),
  chunks_pair = list("pair", ".txt", function(path) {
    use(read_chunks(path, "libsvm", labels = pair_of(path), rows = 2))
  }),
  chunks_csv = list("csv", ".csv", function(path) use(read_chunks(path, targets = c("l1", "l2"), rows = 2)))
)

# The other file of a pair.
pair_of <- function(path) file.path(folder, "pair", "labels.txt")

# Selection warns of much that is no fault of a reader.
use <- function(value) {
  if (inherits(value, c("mltask", "mlsource"))) {
    suppressWarnings(sift_features(value, sel_mim(), k = 1, target_bins = if (inherits(value, "mltask")) 2))
  }
}

arguments <- commandArgs(TRUE)
minutes <- as.numeric(c(arguments, "1")[1])
seed <- if (length(arguments) > 1) as.integer(arguments[2]) else 1L
chosen <- if (length(arguments) > 2) arguments[-(1:2)] else names(readers)
if (is.na(minutes) || minutes < 0 || is.na(seed) || !all(chosen %in% names(readers))) {
  stop("Usage: Rscript tools/fuzz-files.R [minutes] [seed] [", paste(names(readers), collapse = " "), "]")
}
script <- normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
progress <- Sys.getenv("MLSIFT_FUZZ_PROGRESS")

# --- the parent: starts processes of limited memory, and goes on behind a file that has ended one ---------------------

if (!nzchar(progress)) {
  progress <- tempfile()
  Sys.setenv(MLSIFT_FUZZ_PROGRESS = progress)
  run <- paste("ulimit -v 4000000 2>/dev/null; exec", shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script))
  ends <- Sys.time() + 60 * minutes
  failed <- 0L
  repeat {
    left <- max(0, as.numeric(difftime(ends, Sys.time(), units = "mins")))
    status <- system2("sh", c("-c", shQuote(paste(run, paste(c(left, seed, chosen), collapse = " ")))))
    last <- if (file.exists(progress)) as.numeric(readLines(progress)) else stop("The first process ended early.")
    failed <- failed + (status != 0L)
    # 1: it has printed its findings.
    if (status <= 1L || failed >= 20L) break
    cat(sprintf("seed %.0f: ends the process, with status %d\n", last, status))
    seed <- last + 1
    if (Sys.time() >= ends) break
  }
  quit(status = as.integer(failed > 0L))
}

# --- the child --------------------------------------------------------------------------------------------------------

suppressPackageStartupMessages(library(mlsift))

folder <- file.path(dirname(dirname(script)), "tests", "fuzz")
read_seeds <- function(name) {
  lapply(list.files(file.path(folder, name), full.names = TRUE), function(path) readBin(path, "raw", 1e6))
}
folders <- vapply(readers[chosen], `[[`, "", 1L)
seeds <- lapply(stats::setNames(nm = unique(folders)), read_seeds)
words <- list(
  xml = c("<label", "</label>", "<label name=\"x\"/>", "name=", "name = 'y'", "<!--", "-->", "&#", "&#x10FFFF;", "&#0;",
    "&#xD800;", "&#99999999999999999999;", "&amp;", "&amp;lt;", "&lt", "<", ">", "/", "=", "<![CDATA[", "]]>",
    strrep("<label ", 200), strrep("'", 200), strrep("&lt;", 200)),
  arff = c("@relation", "@attribute", "@data", "@attribute x numeric\n", "{0,1}", " real", "{", "}", ",", "?", "%",
    "{0 1}", "1 1", "@inputs x", "@outputs l", "[0, 1]", " hierarchical a,a/b", "a/b@a", "@", "/", strrep("1,", 300)),
  libsvm = c(":", "1:1", " ", ",", "#", "qid:1", "-1", "+1", strrep("1:1 ", 300)),
  pair = c(":", "1:1", " ", ",", "#", "3 2", "\n\n", strrep("1:1 ", 300)),
  csv = c(",", ";", "\t", "1,5", "\"", "\"\"", "NA", "TRUE", "0", "l1", "l2", ",,", "\r\n", strrep("a,", 300))
)
any_words <- c("\u00e9", "\ufeff", "\\", "{", "}", "{x}", "%s", "\n", "\"", "'", "1e999", "-0", "nan", "Inf")
numbers <- c("2147483646", "2147483647", "2147483648", "4294967296", "9223372036854775807", "1e18", "1e308", "-1", "0",
  "1e-320", "007", "100000000")
bytes_of <- list(
  as.raw(c(0xff, 0xfe)), as.raw(c(0xfe, 0xff)), as.raw(0), as.raw(0x80), as.raw(c(0x1f, 0x8b))
)

# One change of some bytes.
change <- function(bytes, name) {
  at <- sample.int(length(bytes) + 1L, 1L) - 1L
  before <- utils::head(bytes, at)
  after <- utils::tail(bytes, length(bytes) - at)
  more <- function(x) if (length(x) > 0L) sample.int(length(x), 1L) else 0L
  switch(sample(7L, 1L),
    c(before, sample(c(lapply(c(words[[name]], any_words), charToRaw), bytes_of), 1L)[[1L]], after),
    c(before, utils::tail(after, -min(more(after), 20L))),
    c(before, as.raw(sample(0:255, 1L)), utils::tail(after, -1L)),
    before,
    c(before, utils::head(after, 50L), after),
    {
      other <- sample(seeds[[name]], 1L)[[1L]]
      c(before, utils::tail(other, more(other)))
    },
    change_number(bytes)
  )
}

# Another number in the place of one.
change_number <- function(bytes) {
  digit <- bytes >= as.raw(48L) & bytes <= as.raw(57L)
  runs <- rle(digit)
  ends <- cumsum(runs$lengths)
  which <- which(runs$values)
  if (length(which) == 0L) return(bytes)
  one <- which[sample.int(length(which), 1L)]
  c(utils::head(bytes, ends[one] - runs$lengths[one]), charToRaw(sample(numbers, 1L)),
    utils::tail(bytes, length(bytes) - ends[one]))
}

# Gzipped bytes, half of them changed after that.
gzip <- function(bytes, name) {
  path <- tempfile()
  on.exit(unlink(path))
  con <- gzfile(path, "wb")
  writeBin(bytes, con)
  close(con)
  bytes <- readBin(path, "raw", file.size(path))
  if (sample.int(2L, 1L) == 1L) change(bytes, name) else bytes
}

arff <- tempfile(fileext = ".arff")
writeLines(c("@relation r", "@attribute x numeric", "@attribute one {0,1}", "@attribute two {0,1}", "@data", "1,0,1"),
  arff)

# "" if the file ends as it must.
finding_of <- function(path, read) {
  setTimeLimit(elapsed = 5, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch({
    suppressMessages(read(path))
    ""
  }, mlsift_error = function(e) {
    text <- tryCatch(conditionMessage(e), error = function(e) NULL)
    # A small file has no need of much memory.
    if (is.null(text)) "the message cannot be made" else if (grepl("memory", text)) paste("error:", text) else ""
  }, warning = function(w) paste("warning:", conditionMessage(w)),
  error = function(e) paste0(class(e)[1], ": ", conditionMessage(e)))
}

ends <- Sys.time() + 60 * minutes
tried <- 0L
failed <- 0L
repeat {
  set.seed(seed + tried)
  writeLines(format(seed + tried, scientific = FALSE), progress)
  reader <- chosen[sample.int(length(chosen), 1L)]
  # Again: the file must not depend on how many readers there were to choose from.
  set.seed(seed + tried)
  name <- readers[[reader]][[1]]
  bytes <- sample(seeds[[name]], 1L)[[1L]]
  for (i in seq_len(sample(0:6, 1L))) bytes <- change(bytes, name)
  path <- file.path(tempdir(), paste0("fuzz", readers[[reader]][[2]]))
  if (sample.int(8L, 1L) == 1L) bytes <- gzip(bytes, name)
  writeBin(bytes, path)
  finding <- finding_of(path, readers[[reader]][[3]])
  if (nzchar(finding)) {
    failed <- failed + 1L
    kept <- file.path(dirname(tempdir()), paste0("fuzz-", reader, "-", seed + tried, readers[[reader]][[2]]))
    file.copy(path, kept, overwrite = TRUE)
    cat(sprintf("seed %.0f, %s: %s; the file is %s\n", seed + tried, reader, gsub("\n", " ", finding), kept))
  }
  tried <- tried + 1L
  if (Sys.time() >= ends || failed >= 20L) break
}
cat(sprintf("Files: %d read from seed %.0f, %d findings\n", tried, seed, failed))
quit(status = as.integer(failed > 0L))

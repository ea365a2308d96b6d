# Works in an empty folder of its own, with `lines` as the file `name` in it.
local_arff <- function(lines, name = "toy.arff", .local_envir = parent.frame()) {
  withr::local_dir(withr::local_tempdir(.local_envir = .local_envir), .local_envir = .local_envir)
  if (!missing(lines)) writeLines(lines, name)
  name
}

# Attributes `...` (name and type), a label `l`, and rows.
arff_lines <- function(..., rows) c(
  "@relation toy", sprintf("@attribute %s", c(...)), "@attribute l {0,1}", "@data", rows
)

read_lines <- function(..., rows) {
  file <- local_arff(arff_lines(..., rows = rows))
  suppressMessages(read_mulan(file, labels = -1))
}

expect_refused <- function(...) {
  file <- local_arff(arff_lines(...))
  testthat::expect_error(read_mulan(file, labels = -1), class = "mlsift_error")
  testthat::expect_snapshot(read_mulan("toy.arff", labels = -1), error = TRUE)
}

dgc <- function(x) methods::as(methods::as(x, "CsparseMatrix"), "generalMatrix")

# The task from lines that reach the parser `size` bytes at a time; one label, the last attribute.
task_from_pieces <- function(lines, size) {
  bytes <- charToRaw(paste(lines, collapse = "\n"))
  reader <- cpp_arff_open()
  header <- NULL
  for (from in seq(1, length(bytes), by = size)) {
    stopifnot(is.null(cpp_read_feed(reader, bytes[from:min(from + size - 1, length(bytes))])))
    if (is.null(header) && !is.null(header <- cpp_arff_header(reader))) {
      sides <- as.integer(seq_along(header$name) == length(header$name))
      stopifnot(is.null(cpp_arff_start(reader, sides)))
      header <- used_header(header, sides)
    }
  }
  stopifnot(is.null(cpp_read_feed(reader, NULL)))
  task_from_arff(c(list(reader = reader, header = header), cpp_arff_size(reader)), "toy", NULL, NULL, NULL)
}

# --- random tasks of every layout, with awkward names, levels and numbers ---------------------------------------------

awkward_words <- c("a", "b c", "it's", "say \"x\"", "100%", "{z}", "back\\slash", "?", "@data", "%c", "x,y",
  "\u00e9t\u00e9", "tab\there", "-1",
  "a=b", "new\nline", "'q'", "a<b>&amp;")

random_numbers <- function(n) {
  x <- switch(sample(4, 1), stats::rnorm(n), as.double(sample(0:1, n, TRUE)), stats::rnorm(n) * 10^sample(-300:300, n),
    as.double(sample(1e6, n, TRUE)))
  if (stats::runif(1) < 0.3) x[sample(n, 1)] <- NA
  x
}

random_factor <- function(n, levels = sample(awkward_words, 3)) factor(sample(c(levels, NA), n, TRUE), levels)

random_column <- function(n) {
  switch(sample(7, 1), random_numbers(n), random_numbers(n), sample(c(-5:5, NA), n, TRUE),
    sample(c(TRUE, FALSE, NA), n, TRUE),
    random_factor(n), as.ordered(random_factor(n)), random_factor(n, c("0", "1")))
}

as_frame <- function(columns, n) structure(
  columns, class = "data.frame", row.names = seq_len(n), names = seq_along(columns)
)

random_features <- function(layout, n, d) {
  switch(
    layout,
    frame = as_frame(lapply(seq_len(d), function(j) random_column(n)), n),
    double = matrix(unlist(lapply(seq_len(d), function(j) random_numbers(n))), n),
    integer = matrix(sample(c(-3:3, NA), n * d, TRUE), n),
    logical = matrix(sample(c(TRUE, FALSE, NA), n * d, TRUE), n),
    sparse = dgc(matrix(sample(c(0, 0, 0, 1, 2.5, NA), n * d, TRUE), n))
  )
}

random_targets <- function(n, q) {
  labels <- matrix(sample(0:1, n * q, TRUE), n)
  switch(
    sample(6, 1), labels, dgc(labels + 0), as.data.frame(labels), matrix(stats::rnorm(n * q) + 0.5, n),
    as_frame(lapply(seq_len(q), function(j) factor(sample(awkward_words[1:9], n, TRUE), awkward_words[1:9])), n),
    as_frame(lapply(seq_len(q), function(j) factor(sample(0:1, n, TRUE), 0:1)), n)
  )
}

random_task <- function(layout = sample(c("frame", "double", "integer", "logical", "sparse"), 1), n = sample(12, 1)) {
  d <- sample(6, 1)
  q <- sample(4, 1)
  names <- paste0(sample(awkward_words, d + q), seq_len(d + q))
  x <- random_features(layout, n, d)
  y <- random_targets(n, q)
  colnames(x) <- names[seq_len(d)]
  colnames(y) <- names[d + seq_len(q)]
  kind <- if (is.data.frame(y) && is.factor(y[[1]]) && stats::runif(1) < 0.5) "class"
  discrete <- if (stats::runif(1) < 0.5) stats::setNames(sample(c(TRUE, FALSE), 1), sample(colnames(x), 1))
  suppressMessages(mltask(
    x, y, kind = kind, discrete = discrete, name = if (stats::runif(1) < 0.7) sample(c("toy", "other one", "it's"), 1)
  ))
}

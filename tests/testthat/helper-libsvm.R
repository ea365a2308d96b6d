# list(x, y) of dense matrices, from the lines of a file without sizes, read word by word.
oracle_libsvm <- function(lines, first_x, first_y, d, q) {
  lines <- trimws(sub("#.*", "", lines))
  lines <- lines[nzchar(lines)]
  x <- matrix(0, length(lines), d, dimnames = list(NULL, paste0("f", seq_len(d) - 1 + first_x)))
  y <- matrix(0, length(lines), q, dimnames = list(NULL, paste0("l", seq_len(q) - 1 + first_y)))
  for (i in seq_along(lines)) {
    words <- strsplit(lines[i], "[ \t]+")[[1]]
    if (!grepl(":", words[1])) {
      y[i, as.numeric(strsplit(words[1], ",")[[1]]) + 1 - first_y] <- 1
      words <- words[-1]
    }
    for (pair in strsplit(words, ":")) x[i, as.numeric(pair[1]) + 1 - first_x] <- as.numeric(pair[2])
  }
  list(x = x, y = y)
}

# Lines of random rows, with numbers from `first`. The highest numbers occur in the last row.
random_libsvm <- function(n, d, q, first_x = 1, first_y = 0) {
  row <- function(i) {
    at <- if (i == n) d else sort(sample(d, sample(0:d, 1)))
    values <- ifelse(stats::runif(length(at)) < 0.5, "1", format(round(stats::rnorm(length(at)), 3), trim = TRUE))
    labels <- if (i == n) q else sample(q, sample(0:q, 1))
    if (length(at) + length(labels) == 0) labels <- 1
    paste(c(
      if (length(labels) > 0) paste(labels - 1 + first_y, collapse = ","),
      if (length(at) > 0) paste0(at - 1 + first_x, ":", values)
    ), collapse = sample(c(" ", "  ", "\t"), 1))
  }
  vapply(seq_len(n), row, "")
}

local_libsvm <- function(lines, name = "toy.svm", .local_envir = parent.frame()) {
  local_arff(lines, name, .local_envir)
}

# Values as text: in messages, and in code, names and levels.

# The most frequent text, or NULL if there is none.
commonest <- function(texts) names(sort(table(texts), decreasing = TRUE))[1L]

# Describes what was found, for messages: a short value as it is, otherwise its type and size.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.factor(x)) return(paste("a factor of length", length(x)))
  if (is_atomic(x) && length(x) == 1L && is.null(dim(x))) {
    return(if (is.character(x) && !is.na(x)) quoted(x) else format(x, digits = 6))
  }
  if (is_atomic(x) && is.null(dim(x))) return(paste0(article(if (is.object(x)) class(x)[1L] else typeof(x)),
    " vector of length ", length(x)))
  if (is.data.frame(x) || (!is.null(dim(x)) && (is_atomic(x) || isS4(x)))) return(paste0(article(class(x)[1L]),
    " of size ", paste(dim(x), collapse = " x ")))
  paste0("an object of class ", class(x)[1L])
}

# A string in quotes, as R code writes it. Long strings are truncated, and invalid UTF-8 bytes are in angle brackets.
quoted <- function(x) {
  x <- printable(x)
  if (nchar(x) > 200L) x <- paste0(substr(x, 1L, 200L), "...")
  encodeString(x, quote = "\"")
}

# Invalid UTF-8 bytes would break messages, pictures and files, so they are shown in angle brackets instead.
printable <- function(x) {
  bad <- !is_utf8(x)
  x[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = "byte")
  enc2utf8(x)
}

# Also accepts encodings that R knows and converts itself: a marked one, or that of the session.
is_utf8 <- function(x) {
  known <- Encoding(x) == "latin1" | !l10n_info()[["UTF-8"]]
  is.na(x) | (Encoding(x) != "bytes" & (known | validUTF8(x)))
}

article <- function(word) paste(if (grepl("^[aeiou]", word)) "an" else "a", word)

# Prints an object in one line: its class, and what it is.
print_line <- function(x, ...) {
  cat("<", class(x)[1L], "> ", ..., "\n", sep = "")
  invisible(x)
}

# "1 feature", "2 features".
counted <- function(n, word) paste0(format_count(n), " ", word, if (n != 1) "s")

format_count <- function(n) format(n, big.mark = ",", decimal.mark = ".", trim = TRUE, scientific = FALSE)

# The choice with the most similar spelling, or NULL if none is similar.
nearest_name <- function(x, choices) {
  if (length(choices) == 0L || is.na(x) || !is_utf8(x) || nchar(x) > 200L) return(NULL)
  most <- min(max(2, nchar(x) / 3), nchar(x) - 1)
  choices <- choices[which(abs(nchar(choices, allowNA = TRUE) - nchar(x)) <= most)]
  # The work grows with the product of the lengths.
  if (length(choices) == 0L || nchar(x) * sum(nchar(choices) + 0) > 5e8) return(NULL)
  distance <- utils::adist(x, choices, ignore.case = TRUE)[1L, ]
  if (min(distance) <= most) choices[which.min(distance)]
}

# How other packages call what some arguments hold.
other_words <- c(
  y = "targets", labels = "targets", outcome = "targets", response = "targets", k = "max_features",
  method = "selectors", selector = "selectors", model = "learner", metric = "measure", folds = "outer", cv = "outer",
  resampling = "outer"
)

# A line of a message for a name that is not among the choices, NULL if none of them is similar. `style`: that of cli.
did_you_mean <- function(x, choices, style = "val") {
  near <- if (style == "arg") intersect(other_words[x], choices)
  if (length(near) == 0L) near <- nearest_name(x, choices)
  if (is.null(near)) return(NULL)
  gsub("([{}])", "\\1\\1", cli::format_inline(paste0("Did you mean {.", style, " {near}}?")))
}

# Text of values in code, names and levels, which no option for what is printed changes.
plain_text <- function(x) with_plain_numbers(as.character(x))

with_plain_numbers <- function(code) {
  old <- options(OutDec = ".", scipen = 0L)
  on.exit(options(old))
  code
}

# Numbers as text in the fewest digits, 15 to 17, that tell each from all others: 0.3 and 0.1 + 0.2 differ. `text` stays
# where it does so.
number_text <- function(x, text = plain_text(x), ...) {
  for (n in 15:17) {
    odd <- which(as.numeric(text) != x)
    text[odd] <- with_plain_numbers(vapply(x[odd], format, "", digits = n, ...))
  }
  text
}

# Before R 4.3, times lose their parts of a second as text, and those that have some stay numbers.
as_text <- function(x) {
  if (is.double(x) && !is.object(x)) return(number_text(x))
  text <- plain_text(x)
  parts <- if (inherits(x, "POSIXct")) which(unclass(x) != floor(unclass(x)))
  text[parts] <- number_text(as.vector(unclass(x))[parts])
  text
}

# as.factor() knows no raw bytes, and makes one level of numbers that agree in 15 digits and of times of one second.
as_levels <- function(x) {
  if (is.raw(x)) x <- as.character(x)
  if (is.factor(x) || !typeof(x) %in% c("double", "integer")) return(as.factor(x))
  values <- sort(unique(x))
  text <- as_text(values)
  if (anyDuplicated(text) > 0L) text <- number_text(as.vector(unclass(values)))
  structure(match(x, values), levels = text, class = "factor")
}

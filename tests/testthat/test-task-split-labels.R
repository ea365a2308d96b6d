test_that("lists of labels become 0/1 columns of whole parts", {
  x <- c(a = "asthma; cough", b = "asthma-severe", c = "", d = NA, e = " cough ;;Asthma; cough")
  expected <- rbind(
    a = c(0L, 1L, 0L, 1L), b = c(0L, 0L, 1L, 0L), c = integer(4), d = rep(NA_integer_, 4), e = c(1L, 0L, 0L, 1L)
  )
  colnames(expected) <- c("Asthma", "asthma", "asthma-severe", "cough")
  expect_identical(split_labels(x), expected)
  expect_identical(split_labels(factor(unname(x))), `rownames<-`(expected, NULL))
})

test_that("vectors of labels are lists, too", {
  x <- list(a = c("cough", "asthma"), b = NULL, c = NA, d = factor(c(" cough ", "it's; a, [b]")), e = character())
  expected <- rbind(c(1L, 1L, 0L), 0L, NA, c(0L, 1L, 1L), 0L)
  dimnames(expected) <- list(letters[1:5], c("asthma", "cough", "it's; a, [b]"))
  expect_identical(split_labels(x), expected)
  dimnames(expected) <- list(NULL, paste0("t_", colnames(expected)))
  expect_identical(split_labels(I(unname(x)), prefix = "t_"), expected)
  expect_identical(split_labels(list(1:2, 2)), cbind("1" = 1:0, "2" = c(1L, 1L)))
  expect_identical(dim(split_labels(list())), c(0L, 0L))
  expect_error(split_labels(x, sep = ";"), "`sep` is for text", class = "mlsift_error")
  expect_error(split_labels(list("a", list("b"))), "list of vectors", class = "mlsift_error")
  expect_error(split_labels(list("a", "\xff")), "UTF-8", class = "mlsift_error")
})

test_that("a number is the same label whatever its type and the others of its row", {
  x <- list(c(1.5, 100000), 100000L, c(1e5, 0.1 + 0.2), 1e15)
  found <- split_labels(x)
  expect_identical(colnames(found), c("0.30000000000000004", "1.5", "100000", "1e+15"))
  expect_identical(unname(found[, "100000"]), c(1L, 1L, 1L, 0L))
  expect_identical(split_labels(c(x, NA_real_))[5, ], found[1, ] + NA_integer_)
})

test_that("the separator is taken literally", {
  expect_identical(split_labels(c("a|b", "b.c"), sep = "|"), cbind(a = c(1L, 0L), b = 1:0, "b.c" = 0:1))
  expect_identical(split_labels(c("a, b", "b"), sep = ", "), cbind(a = 1:0, b = c(1L, 1L)))
  expect_identical(split_labels("a.b", sep = "."), cbind(a = 1L, b = 1L))
})

test_that("texts without parts give no columns", {
  expect_identical(dim(split_labels(c("", NA, " ; "))), c(3L, 0L))
  expect_identical(dim(split_labels(c(NA, NA))), c(2L, 0L))
  expect_identical(dim(split_labels(character())), c(0L, 0L))
})

test_that("the result is a task's labels", {
  task <- mltask(data.frame(age = c(31.5, 8, 54)), split_labels(c("a;b", "b", "")))
  expect_identical(task_kind(task), "label")
  expect_identical(unname(task$targets$values), cbind(c(1L, 0L, 0L), c(1L, 1L, 0L)))
})

test_that("what is no list of labels is refused", {
  expect_snapshot(error = TRUE, {
    split_labels(1:3)
    split_labels(data.frame(a = "b"))
    split_labels("a;b", sep = "")
    split_labels(c("a", "\xff;b"))
  })
})

test_that("mltask() points to it", {
  x <- data.frame(f = c(0.5, 1, 2, 4))
  expect_message(mltask(x, c("a|b,c", "b|a", "a", "b")), "split_labels(column, sep = \"|\")", fixed = TRUE)
  expect_message(mltask(x, c("a;b", "b;a", "a", "b")), "split_labels(column, sep = \";\")", fixed = TRUE)
})

# A list as it is written, read by the definition: character by character.
naive_parts <- function(text, sep) {
  parts <- part <- character()
  quote <- ""
  for (letter in strsplit(text, "")[[1]]) {
    if (letter == quote) quote <- "" else if (quote == "" && letter %in% c("'", "\"")) quote <- letter
    else if (quote == "" && letter == sep) { parts <- c(parts, paste(part, collapse = "")); part <- character() }
    else part <- c(part, letter)
  }
  setdiff(trimws(c(parts, paste(part, collapse = ""))), "")
}

test_that("lists of Python, JSON and PostgreSQL are read as lists", {
  withr::local_seed(1)
  words <- c("a", "b c", "d, e", "f;g", "h]", "i}")
  sets <- lapply(1:30, function(i) sample(words, sample(0:4, 1)))
  written <- list(
    python = function(set) paste0("[", paste0("'", set, "'", recycle0 = TRUE, collapse = ", "), "]"),
    json = function(set) paste0("[", paste0("\"", set, "\"", recycle0 = TRUE, collapse = ","), "]"),
    postgres = function(set) paste0("{", paste0("\"", set, "\"", recycle0 = TRUE, collapse = ","), "}")
  )
  labels <- sort(unique(unlist(sets)), method = "radix")
  expected <- t(vapply(sets, function(set) as.integer(labels %in% set), integer(length(labels))))
  for (write in written) {
    x <- vapply(sets, write, "")
    expect_identical(lapply(x, function(one) naive_parts(substr(one, 2, nchar(one) - 1), ",")), unname(sets))
    expect_identical(split_labels(x), `colnames<-`(expected, labels))
    expect_identical(split_labels(x, sep = ",", prefix = "tag_"), `colnames<-`(expected, paste0("tag_", labels)))
  }
  expect_identical(split_labels(c("[1, 2]", "[]", "[2]")), cbind("1" = c(1L, 0L, 0L), "2" = c(1L, 0L, 1L)))
})

test_that("quotes and escapes are removed, and apostrophes are not", {
  expect_identical(split_labels(c("\"a;b\"; c", "'c'")), cbind("a;b" = 1:0, c = c(1L, 1L)))
  expect_identical(split_labels("it's; that's; 'tis"), cbind("'tis" = 1L, "it's" = 1L, "that's" = 1L))
  expect_identical(
    colnames(split_labels(c("[\"it's\", 'say \\'x\\'']", "[\"\\u00e9\\n\\ud83d\\ude00\\\\\"]"))),
    c("it's", "say 'x'", "\u00e9\n\U1F600\\")
  )
  # Names in brackets are not lists.
  expect_identical(split_labels(c("[x]; [y]", "[x]")), cbind("[x]" = c(1L, 1L), "[y]" = 1:0))
  expect_identical(colnames(split_labels(c("['a", "b|c'|'d'"), sep = "|")), c("['a", "b", "c'", "d"))
})

test_that("words for missing values and absent separators are said", {
  expect_snapshot({
    split_labels(c("a;b", "NA", "nan", NA, "None", "NAN"))
    split_labels(c("a|b", "b"))
    split_labels(c("a", "b"), sep = "|")
  })
  expect_silent(split_labels(c("['a']", "['b']")))
})

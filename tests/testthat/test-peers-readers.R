# Files with which other projects test their readers, and what they expect of them.

# --- LIBSVM: scikit-learn 1.2.1, sklearn/datasets/tests/test_svmlight_format.py and data/ ----------------------------

entries <- function(task) {
  found <- Matrix::summary(features(task))
  found <- data.frame(row = found$i, feature = feature_names(task)[found$j], x = found$x)
  found <- found[order(found$row, as.integer(sub("f", "", found$feature))), ]
  paste0(found$row, " ", found$feature, " ", found$x)
}

test_that("scikit-learn's multi-label file is read, with labels from 0 and features from 1", {
  file <- local_libsvm(c(
    "# multilabel dataset in SVMlight format", "1,0 2:2.5   10:-5.2 15:1.5", "2 5:1.0 12:-3 ", " 2:3.5 11:26",
    "1,2 20:27"
  ))
  task <- read_libsvm(file)
  expect_identical(unname(as.matrix(targets(task))), rbind(c(1, 1, 0), c(0, 0, 1), 0, c(0, 1, 1)))
  expect_identical(target_names(task), c("l0", "l1", "l2"))
  expect_identical(dim(features(task)), c(4L, 20L))
  expect_identical(entries(task), c("1 f2 2.5", "1 f10 -5.2", "1 f15 1.5", "2 f5 1", "2 f12 -3", "3 f2 3.5", "3 f11 26",
    "4 f20 27"))
})

test_that("scikit-learn's file of classes is read once its labels are whole numbers", {
  lines <- c(
    "# comment", "# note: the next line contains a tab", "1.0 3:2.5 \t   11:-5.2 16:1.5 # and an inline comment",
    "2.0 6:1.0 13:-3 ", "# another comment", "3.0 21:27", "4.0 2:1.234567890123456e10 # double precision value",
    "1.0     # empty line, all zeros", "2.0 3:0 # explicit zeros"
  )
  # scikit-learn takes 1.0 for a class; here it would be the number of a label.
  expect_error(read_libsvm(local_libsvm(lines)), "whole number", class = "mlsift_error")
  whole <- sub("^([0-9])\\.0", "\\1", lines)
  task <- read_libsvm(local_libsvm(whole))
  expect_identical(max.col(as.matrix(targets(task))), c(1L, 2L, 3L, 4L, 1L, 2L))
  expect_identical(dim(features(task)), c(6L, 21L))
  expect_identical(entries(task)[-7], c("1 f3 2.5", "1 f11 -5.2", "1 f16 1.5", "2 f6 1", "2 f13 -3", "3 f21 27"))
  expect_identical(unname(features(task)[4, "f2"]), 1.234567890123456e10)
  expect_identical(dim(features(read_libsvm(local_libsvm(whole), n_features = 22))), c(6L, 22L))
  expect_error(read_libsvm(local_libsvm(whole), n_features = 20), class = "mlsift_error")
})

test_that("what scikit-learn refuses is refused, and rows of zeros are kept", {
  refused <- function(lines, ...) expect_error(read_libsvm(local_libsvm(lines), ...), class = "mlsift_error")
  refused(c("python 2:2.5 10:-5.2 15:1.5", "2.0 5:1.0 12:-3", "3.0 20:27"))
  refused("1 5:2.5 2:-5.2 15:1.5")
  refused(c("1 4:1.", "1 0:1"), first = 1)
  zeros <- read_libsvm(local_libsvm(c("0 ", "1 ", "0 ")), n_features = 4)
  expect_identical(dim(features(zeros)), c(3L, 4L))
  expect_identical(unname(as.matrix(targets(zeros))), rbind(1:0, 0:1, 1:0) + 0)
  # "auto" looks at all files together there. Ours looks at one, and its help says to give `first_number` for several.
  expect_identical(feature_names(read_libsvm(local_libsvm("1 1:1 2:2 3:3"))), c("f1", "f2", "f3"))
  expect_identical(feature_names(read_libsvm(local_libsvm("1 0:0 1:1"))), c("f0", "f1"))
  both <- c(features = 0, labels = 1)
  expect_identical(feature_names(read_libsvm(local_libsvm("1 1:1 2:2 3:3"), first_number = both)), paste0("f", 0:3))
})

# --- ARFF: scipy 3dbf660, scipy/io/arff/tests/; liac-arff 15885a6, tests/test_decode_*.py ----------------------------

test_that("scipy's headers and rows are read", {
  three <- rbind(c(.1, .2, .3, .4), c(-.1, -.2, -.3, -.4), 1:4)
  rows <- c("0.1, 0.2, 0.3, 0.4,class1", "-0.1, -0.2, -0.3, -0.4,class2", "1, 2, 3, 4,class3")
  attributes <- c("attr0\tREAL", "attr1 \tREAL", "attr2 \tREAL", "attr3\tREAL")
  # Comments and empty lines among the rows (test5), and blanks after the declaration and inside its braces (test11).
  texts <- list(c("class \t{class0, class1, class2, class3}", rows),
    c("class \t{class0, class1, class2, class3}", "", "% x", "", rows[1], "% x", rows[2], "", "% x", rows[3]),
    c("class \t{ class0, class1, class2, class3 }  ", rows))
  for (text in texts) {
    file <- local_arff(c("@RELATION test", paste("@ATTRIBUTE", c(attributes, text[1])), "@DATA", text[-1]))
    task <- read_mulan(file, labels = "class")
    expect_identical(unname(as.matrix(features(task))), three)
    expect_identical(as.character(targets(task)[, 1]), paste0("class", 1:3))
  }
  missing <- features(read_lines("yop real", "yap real", rows = c("1,5,0", "2,4,1", "?,?,0")))
  expect_identical(unname(missing), rbind(c(1, 5), c(2, 4), NA_real_))
})

test_that("quoted values keep the blanks inside their quotes alone", {
  smoker <- features(read_lines("s {'yes', 'no'}", rows = c(" 'no',0", "'yes',1", "    'no',0")))$s
  expect_identical(smoker, factor(c("no", "yes", "no"), c("yes", "no")))
  smoker <- features(read_lines("s {'  yes', 'no  '}", rows = c("'no  ',0", "'  yes',1")))$s
  expect_identical(smoker, factor(c("no  ", "  yes"), c("  yes", "no  ")))
  named <- features(read_lines("a {\"name with spce\", 1,    lol,2 }", rows = c("1,0", "\"name with spce\",1")))$a
  expect_identical(levels(named), c("name with spce", "1", "lol", "2"))
})

test_that("names of attributes are those of liac-arff", {
  cases <- c(
    "     attribute-name   " = "attribute-name", "\"attribute-name\"" = "attribute-name", "0" = "0",
    "\"%attribute-name\"" = "%attribute-name", "',attribute {} name'" = ",attribute {} name",
    "\"attribute name\"" = "attribute name", "'attribute name'" = "attribute name"
  )
  for (name in names(cases)) {
    task <- read_lines(paste(name, "NuMeriC"), rows = c("1,0", "2,1"))
    expect_identical(feature_names(task), cases[[name]], info = name)
  }
})

test_that("escapes are read as liac-arff reads those that Weka writes; others stand for their character", {
  cases <- list(
    list("'ENACT.NOGOPMAJ,2017'", "ENACT.NOGOPMAJ,2017"), list("\"ENACT.NOGOPMAJ,2017\"", "ENACT.NOGOPMAJ,2017"),
    list("'\\''", "'"), list("'\\\\'", "\\"), list("'\\\\\\''", "\\'"), list("\"\\\\,\"", "\\,"),
    list("\",\\\\\"", ",\\"), list("\"\\n\"", "\n"), list("\"\\r\"", "\r"), list("\"\\t\"", "\t"), list("\"\\%\"", "%"),
    # liac-arff: a backspace, a form feed, the character of this octal number, and of this hexadecimal one.
    list("\"\\b\"", "b"), list("\"\\f\"", "f"), list("\"\\011\"", "011"), list("\"abc\\u123aabc\"", "abcu123aabc"),
    # liac-arff refuses these.
    list("'\\N'", "N"), list("'\\x00'", "x00")
  )
  for (case in cases) {
    value <- case[[1]]
    for (row in list(paste0(value, ",0"), paste0("{0 ", value, "}"), paste0("{ 0 ", value, " ,1 0 }"))) {
      found <- features(read_lines(sprintf("a {z,%s}", value), rows = c("z,1", row)))$a
      expect_identical(found, factor(c("z", case[[2]]), c("z", case[[2]])), info = row)
    }
  }
})

test_that("what scipy and liac-arff refuse is refused", {
  refused <- function(attribute, row = "1,0") {
    file <- local_arff(arff_lines(attribute, rows = row))
    expect_error(read_mulan(file, labels = -1), class = "mlsift_error", info = paste(attribute, row))
  }
  for (attribute in c("a crap", "a NON-EXIST", "a {1, 2] 3", "badformat", "NUMERIC", "%badformat", "{name NUMERIC",
    "a string", "a date '%Y'", "a {bla, bla}")) refused(attribute)
  # Hundreds of open quotes: quadratic for others (their issue 117).
  expect_lt(system.time(refused(paste0("width  {", strrep("',',", 5000), "\"")), gcFirst = FALSE)[["user.self"]], 10)
  for (row in c(" \\'A' ,0", " \\'A ,0", " 'A ,0", " \"A ,0", " A\" ,0", " A' ,0", " 'A\\' ,0", " \"A\\\" ,0", "A B ,0",
    "'A' 'B' ,0", "0 {0 A }", "A, {0 A }", "{0 A } 0", "{0 A }, 0", "{0", "0}", "{0 A B }", "{0 'A' 'B' }", "{0 A' }",
    "{0 \\'A' }", "{0 'A }")) refused("a {A,B}", row)
  refused("a numeric", character())
  # A comma in a bare name ends it for liac-arff. It is part of the name here.
  expect_identical(feature_names(read_lines("na,me NUMERIC", rows = c("1,0", "2,1"))), "na,me")
})

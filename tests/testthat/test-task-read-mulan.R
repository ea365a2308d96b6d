test_that("dense rows become a matrix of doubles and 0/1 labels", {
  task <- read_lines("a numeric", "b {0,1}", "c REAL", rows = c("1.5,0,-2e3,1", "?, 1 ,\t.5 , 0"))
  expect_s3_class(task, "mltask")
  expect_identical(features(task), matrix(c(1.5, NA, 0, 1, -2000, 0.5), 2, dimnames = list(NULL, c("a", "b", "c"))))
  expect_identical(targets(task), matrix(1:0, 2, dimnames = list(NULL, "l")))
  expect_identical(task$name, "toy")
  expect_identical(unname(task$discrete), c(FALSE, TRUE, FALSE))
})

test_that("integers and nominal values make a data frame", {
  task <- read_lines("a integer", "b {x, 'y z', \"it's\"}", "c {1,0}", "d numeric", "e Integer",
    rows = c("3,'y z',1,0.1,1.5,0", "?,\"it's\",0,2,2,0", "-1,x,?,?,?,1"))
  expect_identical(features(task)$a, c(3L, NA, -1L))
  expect_identical(features(task)$b, factor(c("y z", "it's", "x"), c("x", "y z", "it's")))
  expect_identical(features(task)$c, c(1, 0, NA))
  expect_identical(features(task)$e, c(1.5, 2, NA))
  expect_identical(task$discrete, c(a = TRUE, b = TRUE, c = TRUE, d = FALSE, e = FALSE))
})

test_that("sparse rows stay sparse, absent values are 0", {
  task <- read_lines("a numeric", "b {0,1}", "c numeric", rows = c("{0 2.5,2 ?}", "{ }", "{1 1 , 3 1}", "{2 0, 3 0}"))
  expected <- Matrix::sparseMatrix(
    c(1, 3, 1), 1:3, x = c(2.5, 1, NA), dims = c(4, 3), dimnames = list(NULL, c("a", "b", "c"))
  )
  expect_identical(features(task), expected)
  labels <- Matrix::sparseMatrix(3, 1, x = 1, dims = c(4, 1), dimnames = list(NULL, "l"))
  expect_identical(targets(task), labels)
})

test_that("absent values of {1,0} and of {1} are 1", {
  file <- local_arff(c("@relation r", "@attribute a {1,0}", "@attribute b numeric", "@attribute c {1}",
    "@attribute l {1,0}", "@data",
    "{1 3}", "{0 1,3 0}", "{0 0,3 1}", "{0 ?}"))
  task <- read_mulan(file, labels = "l")
  expect_identical(as.matrix(features(task)), cbind(a = c(1, 1, 0, NA), b = c(3, 0, 0, 0), c = 1))
  expect_identical(as.matrix(targets(task)), cbind(l = c(1, 0, 1, 1)))
})

test_that("a sparse file with nominal features becomes a data frame, with a message", {
  file <- local_arff(arff_lines(
    "a {YES,NO}", "b numeric", "c integer", rows = c("{1 2}", "{0 NO,2 7,3 1}", "{0 YES, 1 ?}")
  ))
  expect_snapshot(task <- read_mulan(file, labels = -1))
  expect_identical(
    features(task), data.frame(a = factor(c("YES", "NO", "YES"), c("YES", "NO")), b = c(2, 0, NA), c = c(0L, 7L, 0L))
  )
  expect_s4_class(targets(task), "dgCMatrix")
})

test_that("rows may mix both forms; the first decides how they are kept", {
  task <- read_lines("a numeric", "b {1,0}", rows = c("1,0,1", "{0 2}", "{1 0,2 1}"))
  expect_identical(features(task), cbind(a = c(1, 2, 0), b = c(0, 1, 0)))
  task <- read_lines("a numeric", "b {1,0}", rows = c("{0 2}", "1,0,1", "{1 0,2 1}"))
  expect_s4_class(features(task), "dgCMatrix")
  expect_identical(as.matrix(features(task)), cbind(a = c(2, 1, 0), b = c(1, 0, 0)))
  expect_identical(as.vector(targets(task)), c(0, 1, 1))
})

test_that("comments, blank lines, keywords in any case, CRLF and a missing final newline are fine", {
  file <- local_arff()
  text <- c("% a comment", "", "@RELATION 'a \\'toy\\''", "  ", "@Attribute\ta\tNUMERIC % note", " @attribute b{0, 1}",
    "@attribute l {0,1}%x",
    "%", "@DATA ", "% none yet", "1\t,\t1,0 % said", "   ", "2 1 1", " % end", "3,0,1")
  for (end in c("\n", "\r\n")) {
    writeBin(charToRaw(paste(text, collapse = end)), file)
    task <- read_mulan(file, labels = "l")
    expect_identical(features(task), cbind(a = c(1, 2, 3), b = c(1, 1, 0)))
    expect_identical(as.vector(targets(task)), c(0L, 1L, 1L))
  }
})

test_that("names are read bare, in either quotes and with escapes", {
  names <- c(
    "-", "0;", "1/2", "TAG_m\\'usica", "'Stellar\\'s Jay'", "\"'departwb'\"", "'a\\\\b'", "'\\\"\\%\\t'", "\"x y\"",
    "50%"
  )
  expected <- c("-", "0;", "1/2", "TAG_m\\'usica", "Stellar's Jay", "'departwb'", "a\\b", "\"%\t", "x y", "50%")
  task <- read_lines(paste(names, "numeric"), rows = paste0(strrep("1,", 10), "1"))
  expect_identical(feature_names(task), expected)
})

test_that("nominal values are read bare, quoted and escaped; a quoted ? is a value", {
  rows <- c("a,0", "'b c',0", "\"d,e\",0", "'f}',0", "'?',0", "?,0", "50%,0", "'it\\'s',0", "'',0")
  task <- read_lines("x { a,'b c' , \"d,e\",'f}', '?',50%,'it\\'s','' }", rows = rows)
  levels <- c("a", "b c", "d,e", "f}", "?", "50%", "it's", "")
  expect_identical(features(task)$x, factor(c("a", "b c", "d,e", "f}", "?", NA, "50%", "it's", ""), levels))
})

test_that("many nominal values are found", {
  values <- paste0("v", 500:1)
  task <- read_lines(paste0("x {", paste(values, collapse = ", "), "}"), rows = paste0("v", 1:500, ",1"))
  expect_identical(features(task)$x, factor(paste0("v", 1:500), values))
})

test_that("text is UTF-8, or else Latin-1; a byte order mark is skipped", {
  file <- local_arff()
  text <- paste(c(
    "@relation r", "@attribute \u00e9t\u00e9 {\u00e0,b}", "@attribute l {0,1}", "@data", "\u00e0,1", "b,0"
  ), collapse = "\n")
  utf8 <- charToRaw(enc2utf8(text))
  latin1 <- iconv(text, "UTF-8", "latin1", toRaw = TRUE)[[1]]
  for (bytes in list(utf8, c(as.raw(c(0xef, 0xbb, 0xbf)), utf8), latin1)) {
    writeBin(bytes, file)
    task <- read_mulan(file, labels = "l")
    expect_identical(feature_names(task), "\u00e9t\u00e9")
    expect_identical(levels(features(task)[[1]]), c("\u00e0", "b"))
  }
})

test_that("numbers are correctly rounded", {
  text <- c("0.1", "-1.7976931348623157e308", "4.9406564584124654e-324", "2.2250738585072011e-308",
    "123456789012345678901234567890", "1e-400",
    "9007199254740993", "+1.E+2", ".5e-3", "00012.50", "1e22", "1e23", "8.5e-22", "0.30000000000000004", "-0",
    "3.1415926535897932384626433832795")
  # From Python's float.hex(), which rounds correctly; subnormal numbers as multiples of 2^-1074.
  expected <- c(0x1.999999999999ap-4, -0x1.fffffffffffffp+1023, 2^-1074, (2^52 - 1) * 2^-1074, 0x1.8ee90ff6c373ep+96, 0,
    0x1.0000000000000p+53, 0x1.9000000000000p+6,
    0x1.0624dd2f1a9fcp-11, 0x1.9000000000000p+3, 0x1.0f0cf064dd592p+73, 0x1.52d02c7e14af6p+76,
    0x1.00e59088c6a6ap-70, 0x1.3333333333334p-2, -0, 0x1.921fb54442d18p+1)
  task <- read_lines("a numeric", rows = paste0(text, ",1"))
  expect_identical(as.vector(features(task)), expected)
})

test_that("numbers do not depend on the locale", {
  old <- Sys.getlocale("LC_NUMERIC")
  on.exit(suppressWarnings(Sys.setlocale("LC_NUMERIC", old)))
  for (name in c("de_DE.UTF-8", "fr_FR.UTF-8", "German")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_NUMERIC", name)))) break
  }
  text <- c("0.1", "3.1415926535897932384626433832795", "1.5e-300")
  task <- read_lines("a numeric", rows = paste0(text, ",1"))
  local_arff()
  write_mulan(task, "copy.arff")
  copy <- read_mulan("copy.arff")
  suppressWarnings(Sys.setlocale("LC_NUMERIC", old))
  expect_identical(as.vector(features(task)), c(0.1, 0x1.921fb54442d18p+1, 1.5e-300))
  expect_identical(features(copy), features(task))
})

test_that("gzipped files are read, in pieces that may cut anywhere", {
  rows <- sprintf("%d,'%s',%d", 1:20000, rep(c("a b", "c"), 10000), rep(0:1, each = 10000))
  lines <- arff_lines("n numeric", "x {'a b',c}", rows = rows)
  local_arff()
  con <- gzfile("toy.arff.gz", "wb")
  writeLines(lines, con)
  close(con)
  task <- read_mulan("toy.arff.gz", labels = -1)
  expect_identical(features(task)$n, as.double(1:20000))
  expect_identical(task$name, "toy")
  expect_identical(as.vector(targets(task)), rep(0:1, each = 10000))
  expect_identical(task_from_pieces(lines, 1e5), task)
  whole <- task_from_pieces(lines[1:40], 1e6)
  for (size in c(1, 2, 3, 7, 64)) expect_identical(task_from_pieces(lines[1:40], size), whole)
})

test_that("a damaged gzip file is refused", {
  skip_unless_all()
  withr::local_seed(1)
  local_arff()
  con <- gzfile("toy.arff.gz", "wb")
  writeLines(arff_lines("a numeric", rows = sprintf("%d,1", sample(1e5))), con)
  close(con)
  bytes <- readBin("toy.arff.gz", "raw", 1e6)
  open <- nrow(showConnections())
  writeBin(bytes[seq_len(length(bytes) / 2)], "toy.arff.gz")
  expect_snapshot(read_mulan("toy.arff.gz", labels = -1), error = TRUE)
  bytes[5000:5100] <- as.raw(0)
  writeBin(bytes, "toy.arff.gz")
  expect_error(read_mulan("toy.arff.gz", labels = -1), class = "mlsift_error")
  expect_identical(nrow(showConnections()), open)
})

# --- what the targets are ---------------------------------------------------------------------------------------------

four <- function(relation = "r", types = rep("{0,1}", 4)) {
  c(paste("@relation", relation), paste("@attribute", c("a", "b", "c", "d"), types), "@data", "0,1,1,0", "1,1,0,0")
}

test_that("labels are given by name or count, in ARFF order", {
  file <- local_arff(four())
  expect_identical(target_names(read_mulan(file, labels = c("c", "a"))), c("a", "c"))
  expect_identical(target_names(read_mulan(file, labels = 2)), c("a", "b"))
  expect_identical(target_names(read_mulan(file, labels = -3)), c("b", "c", "d"))
})

test_that("labels win over xml, that over the XML beside, that over the MEKA option", {
  file <- local_arff(four("'Toy: -C 2'"))
  expect_identical(target_names(read_mulan(file)), c("a", "b"))
  writeLines("<labels><label name='d'/></labels>", "toy.xml")
  writeLines("<labels><label name='c'/></labels>", "other.xml")
  expect_identical(target_names(read_mulan(file)), "d")
  expect_identical(target_names(read_mulan(file, xml = "other.xml")), "c")
  expect_identical(target_names(read_mulan(file, xml = "other.xml", labels = 1)), "a")
})

test_that("MEKA counts from the front, or with a minus from the back", {
  for (relation in c("'Toy: -C -1'", "\"Toy: -V -C -1 -I 0\"", "Toy: -C -1", "'-C -1'")) {
    file <- local_arff(four(relation))
    expect_identical(target_names(read_mulan(file)), "d")
  }
  file <- local_arff(four("'x-C 2'"))
  expect_error(read_mulan(file), class = "mlsift_error")
})

test_that("the XML may nest labels and hold comments, entities and either quotes", {
  attributes <- c("'a<b'", "\"say \\\"c\\\" & d's\"", "TAG_m\\'usica", "'\u00e9 > 0'", "'it\\'s'")
  arff <- c("@relation r", "@attribute x numeric", paste("@attribute", attributes, "{0,1}"), "@data", "1,0,0,1,1,0")
  xml <- c("<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<!-- <label name=\"x\"/> -->",
    "<labels xmlns=\"http://mulan.sourceforge.net/labels\">",
    "<label name=\"a&lt;b\">", "  <label   id=\"1>2\" name = 'say &quot;c&#34; &amp; d&apos;s' >",
    "    <label name=\"TAG_m\\'usica\"></label>",
    "  </label>", "</label>", "<label", "name=\"&#xE9; > 0\"/>", "<label name=\"it\\'s\"/>", "</labels>")
  file <- local_arff()
  writeBin(charToRaw(enc2utf8(paste(arff, collapse = "\n"))), file)
  writeBin(charToRaw(enc2utf8(paste(xml, collapse = "\n"))), "toy.xml")
  expect_identical(target_names(read_mulan(file)), c("a<b", "say \"c\" & d's", "TAG_m\\'usica", "\u00e9 > 0", "it's"))
})

test_that("the declaration of the targets says what kind they are", {
  read_types <- function(...) {
    file <- local_arff(four(types = c("numeric", ...)))
    read_mulan(file, labels = -3)
  }
  expect_identical(task_kind(read_types("{0,1}", "{0,1}", "{0}")), "label")
  expect_identical(task_kind(read_types("numeric", "real", "integer")), "label")
  task <- read_types("{0,1,2}", "{1,0}", "{0,1}")
  expect_identical(task_kind(task), "class")
  expect_identical(targets(task), data.frame(b = factor(c(1, 1), 0:2), c = factor(1:0, 1:0), d = factor(c(0, 0), 0:1)))
})

test_that("targets of sparse files may be classes or numbers too", {
  lines <- c("@relation r", "@attribute a numeric", "@attribute b {x,y}", "@data", "{1 y}", "{0 2}")
  file <- local_arff(lines)
  expect_identical(targets(read_mulan(file, labels = -1)), data.frame(b = factor(c("y", "x"))))
  lines[c(3, 5)] <- c("@attribute b numeric", "{1 3.5}")
  writeLines(lines, file)
  expect_identical(targets(read_mulan(file, labels = -1)), cbind(b = c(3.5, 0)))
})

# --- errors -----------------------------------------------------------------------------------------------------------

test_that("wrong rows are refused with line and attribute", {
  two <- c("a numeric", "b {x,y}")
  expect_refused(two, rows = c("1,x,0", "2,y"))
  expect_refused(two, rows = "1,x,0,3")
  expect_refused(two, rows = "1,,0")
  expect_refused(two, rows = "1,x,")
  expect_refused(two, rows = "one,x,0")
  expect_refused(two, rows = "0x10,x,0")
  expect_refused(two, rows = "1e,x,0")
  expect_refused(two, rows = "Infinity,x,0")
  expect_refused(two, rows = "NaN,x,0")
  expect_refused(two, rows = "1e999,x,0")
  expect_refused(two, rows = "1,z,0")
  expect_refused(two, rows = "1,x,2")
  expect_refused(two, rows = "1,'x,0")
  expect_refused(two, rows = "1,'x'y,0")
  expect_refused(two, rows = "1,x,0,{2}")
})

test_that("wrong sparse rows are refused with line and attribute", {
  two <- c("a numeric", "b {0,1}")
  expect_refused(two, rows = c("{0 1}", "{3 1}"))
  expect_refused(two, rows = "{1 1,0 1}")
  expect_refused(two, rows = "{0 1,0 1}")
  expect_refused(two, rows = "{x 1}")
  expect_refused(two, rows = "{-1 1}")
  expect_refused(two, rows = "{0}")
  expect_refused(two, rows = "{0 }")
  expect_refused(two, rows = "{0 1")
  expect_refused(two, rows = "{0 1 1 1}")
  expect_refused(two, rows = "{1 2}")
  expect_refused(two, rows = "{0 1}, {5}")
  expect_refused(two, rows = "{0 1} x")
})

test_that("wrong headers are refused", {
  expect_refused("a string", rows = "1,0")
  expect_refused("a date 'yyyy-MM-dd'", rows = "1,0")
  expect_refused("a relational", rows = "1,0")
  expect_refused("a number", rows = "1,0")
  expect_refused("a", rows = "1,0")
  expect_refused("a numeric 0..1", rows = "1,0")
  expect_refused("'a numeric", rows = "1,0")
  expect_refused("a {x,y", rows = "1,0")
  expect_refused("a {x,,y}", rows = "1,0")
  expect_refused("a {x y}", rows = "1,0")
  expect_refused("a {x,x}", rows = "1,0")
  expect_refused("l numeric", rows = "1,0")
})

test_that("files that are no ARFF are refused", {
  refused <- function(...) {
    file <- local_arff(c(...))
    expect_snapshot(read_mulan("toy.arff", labels = 1), error = TRUE)
  }
  refused("a,b,c", "1,2,3")
  refused("@relation r", "@attribute a numeric", "@attribute b numeric", "1,2")
  refused("@relation r", "@attribute a numeric", "@attribute b {0,1}")
  refused("@relation r", "@data", "1")
  refused(character())
  refused(arff_lines("a numeric", rows = character()))
  refused(arff_lines("a numeric", rows = "% nothing"))
  local_arff()
  writeBin(as.raw(c(0x40, 0, 0x72, 0, 0x0a)), "toy.arff")
  expect_snapshot(read_mulan("toy.arff", labels = 1), error = TRUE)
})

test_that("what does not say which attributes are targets is refused", {
  file <- local_arff(four())
  expect_snapshot(error = TRUE, {
    read_mulan(file)
    read_mulan("tou.arff")
    read_mulan(".")
    read_mulan(3)
    read_mulan(file, xml = "no.xml")
    read_mulan(file, labels = c("a", "bb", "something else"))
    read_mulan(file, labels = 4)
    read_mulan(file, labels = 0)
    read_mulan(file, labels = 1.5)
    read_mulan(file, labels = NA)
    read_mulan(file, labels = c("a", "b", "c", "d"))
  })
  writeLines(four("'Toy: -C 4'"), file)
  expect_snapshot(read_mulan(file), error = TRUE)
  writeLines(sub("^0,1,1,0$", "0,1,2.5,0", four(types = c("{0,1}", "{0,1}", "numeric", "{0,1}"))), file)
  expect_snapshot(read_mulan(file, labels = -2), error = TRUE)
})

test_that("an XML that does not fit is refused", {
  refused <- function(xml) {
    file <- local_arff(four())
    writeLines(xml, "toys.xml")
    expect_snapshot(read_mulan("toy.arff", xml = "toys.xml"), error = TRUE)
  }
  refused("<labels><label name='A1'/><label name='b'/><label name='zebra'/></labels>")
  refused(paste0("<label name='label", 1:9, "'/>"))
  refused("<label>a</label>")
  refused("<label name='a></label><label name=\"b\"/>")
  refused("<labels/>")
  refused(paste0("<label name='", letters[1:4], "'/>"))
  # The XML of another set in the folder is mentioned, not used.
  expect_snapshot(read_mulan(local_arff(four())), error = TRUE)
  file <- local_arff(four())
  writeLines("<label name='a'/>", "toys.xml")
  expect_snapshot(read_mulan(file), error = TRUE)
})

test_that("only the attribute `name` of a label counts, in any encoding, compressed or not", {
  file <- local_arff(arff_lines("a numeric", "b {0,1}", rows = c("1,0,1", "2,1,0")))
  names_in <- function(xml) target_names(suppressMessages(read_mulan(file, xml = xml)))
  tricky <- "<labels><label title='x name=\"b\" y' name='a'/><label\n name = \"l\" ></label></labels>"
  tricky <- sub("'a'", "'&#98;'", tricky, fixed = TRUE)
  writeLines(tricky, "toys.xml")
  expect_identical(names_in("toys.xml"), c("b", "l"))
  con <- gzfile("toys.xml.gz", "w")
  writeLines(tricky, con)
  close(con)
  expect_identical(names_in("toys.xml.gz"), c("b", "l"))
  for (coding in c("UTF-16LE", "UTF-16BE")) {
    mark <- as.raw(if (coding == "UTF-16LE") c(0xff, 0xfe) else c(0xfe, 0xff))
    writeBin(c(mark, iconv(tricky, to = coding, toRaw = TRUE)[[1]]), "wide.xml")
    expect_identical(names_in("wide.xml"), c("b", "l"))
  }
})

test_that("XML that is none is refused", {
  file <- local_arff(arff_lines("a numeric", rows = "1,1"))
  refused <- function(why, bytes) {
    writeBin(bytes, "toys.xml")
    expect_error(read_mulan(file, xml = "toys.xml"), why, class = "mlsift_error")
  }
  refused("Byte 8 is zero", c(charToRaw("<label "), as.raw(0), charToRaw("name='l'/>")))
  for (mark in list(c(0xff, 0xfe), c(0xfe, 0xff))) {
    refused("is zero", c(as.raw(c(mark, 0, 0)), charToRaw("<label name='l'/>"), as.raw(0)))
    refused("no element", as.raw(mark))
  }
  for (code in c("#xD800", "#99999999999", "#0", "#x110000")) {
    refused("is not a character", charToRaw(sprintf("<label name='&%s;'/>", code)))
  }
  refused("This one has none", charToRaw("<label title='name=\"l\"'/>"))
  refused("no element", raw())
  packed <- memCompress(charToRaw("<labels><label name='l'/></labels>"), "gzip")
  refused("cannot be unpacked", c(as.raw(c(0x1f, 0x8b, 8, rep(0, 7))), rev(packed)))
})

test_that("a nominal attribute must declare values", {
  expect_refused("a {}", rows = "{0 1}")
  expect_refused("a { }", rows = "1,1")
})

test_that("numbers may be quoted, and messages cut long texts between characters", {
  file <- withr::local_tempfile(fileext = ".arff")
  write <- function(value) writeLines(c("@relation 'r: -C 1'", "@attribute l {0,1}", "@attribute a numeric", "@data",
    "0,1.5", paste0("1,", value)), file, useBytes = TRUE)
  write("'-2.25'")
  expect_identical(as.double(features(read_mulan(file, labels = 1))[, "a"]), c(1.5, -2.25))
  # 40 bytes are shown; an umlaut takes two, and none is cut in half.
  for (odd in 0:1) {
    write(paste0(strrep("x", odd), strrep("\u00fc", 30)))
    shown <- paste0("\"", strrep("x", odd), strrep("\u00fc", 20 - odd), "...\"")
    expect_error(read_mulan(file, labels = 1), shown, fixed = TRUE, class = "mlsift_error")
  }
})

# The attribute `name` of a tag, read character by character as the help has it.
naive_name <- function(tag) {
  repeat {
    at <- regexpr("[ \t\n][^ \t\n=\"'/>]+[ \t\n]*=[ \t\n]*(\"[^\"]*\"|'[^']*')", tag)
    if (at < 0) return(NA_character_)
    found <- regmatches(tag, at)
    if (grepl("^[ \t\n]name[ \t\n]*=", found)) return(gsub("^[^\"']*[\"']|[\"']$", "", found))
    tag <- substring(tag, at + attr(at, "match.length"))
  }
}

test_that("names are found in tags of any form", {
  withr::local_seed(1)
  bits <- c("name=\"a\"", "name = 'b'", "name='c>d'", "id=\"name=x\"", "xname='q'", "foo", "/", "name=", "\u00e9='x'",
    "name=\"\u00e9&lt;\"", "'name=z'", "name=\"a'b\"")
  inside <- function() paste0(sample(c(" ", "\n", "\t"), 4, TRUE), sample(bits, 4), collapse = "")
  tags <- replicate(300, paste0("<label", inside(), ">"))
  expect_identical(names_of_tags(tags), vapply(tags, naive_name, "", USE.NAMES = FALSE))
})

test_that("the time for a label header grows with its size only", {
  skip_unless_all()
  file <- withr::local_tempfile(fileext = ".xml")
  names <- paste0("\u00e9", seq_len(4e4))
  writeLines(c("<labels>", sprintf("<label name=\"%s &amp; co\"></label>", names), "</labels>"), file, useBytes = TRUE)
  time <- system.time(found <- read_label_xml(file))
  expect_identical(found, paste(names, "& co"))
  expect_lt(time[["user.self"]], 5)
})

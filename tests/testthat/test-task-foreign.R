# Data as other packages hold them.
triplets <- function(x, class = "DocumentTermMatrix") {
  at <- which(x != 0, arr.ind = TRUE, useNames = FALSE)
  structure(list(i = at[, 1], j = at[, 2], v = x[at], nrow = nrow(x), ncol = ncol(x),
    dimnames = list(Docs = rownames(x), Terms = colnames(x))), class = c(class, "simple_triplet_matrix"))
}

words <- function(n = 12, d = 5) {
  x <- matrix(stats::rpois(n * d, 0.6), n, d, dimnames = list(paste0("doc", seq_len(n)), paste0("word", seq_len(d))))
  storage.mode(x) <- "double"
  x
}

test_that("a document-term matrix of tm is a sparse matrix", {
  withr::local_seed(1)
  x <- words()
  y <- random_labels(12, 2)
  expected <- mltask(sparse(x), y)
  expect_identical(mltask(triplets(x), y), expected)
  expect_identical(mltask(triplets(x), triplets(`colnames<-`(y, c("l1", "l2")))), mltask(sparse(x), sparse(y)))
  both <- mltask(triplets(x), targets = "word1", exclude = "word2", kind = "numeric")
  expect_identical(both, mltask(sparse(x), targets = "word1", exclude = "word2", kind = "numeric"))
  empty <- triplets(x * 0)
  expect_identical(dim(mltask(empty, y)), dim(expected))
  expect_snapshot(error = TRUE, mltask(triplets(t(x), "TermDocumentMatrix"), y))
})

test_that("a model predicts for a document-term matrix", {
  withr::local_seed(2)
  x <- words(30)
  task <- mltask(triplets(x), random_labels(30, 2))
  model <- fit(lrn_brknn(3), task)
  expect_identical(predict(model, triplets(x)), predict(model, sparse(x)))
})

test_that("a document-feature matrix of quanteda is a sparse matrix", {
  withr::local_seed(3)
  where <- new.env()
  methods::setClass("dfm", contains = "dgCMatrix", representation(meta = "list"), where = where)
  x <- words()
  dfm <- methods::new(methods::getClass("dfm", where = where), sparse(x), meta = list(1))
  names(dfm@Dimnames) <- c("docs", "features")
  y <- random_labels(12, 2)
  expect_identical(mltask(dfm, y), mltask(sparse(x), y))
  # Also where quanteda is not loaded.
  methods::removeClass("dfm", where = where)
  expect_identical(mltask(dfm, y), mltask(sparse(x), y))
})

test_that("columns of a data frame may be matrices of one column", {
  withr::local_seed(4)
  x <- data.frame(a = rnorm(9), b = rnorm(9), c = sample(c("u", "v"), 9, TRUE))
  scaled <- x
  scaled$a <- scale(x$a, scale = FALSE)
  scaled$c <- matrix(x$c)
  x$a <- x$a - mean(x$a)
  y <- data.frame(l = rnorm(9))
  expect_identical(mltask(scaled, data.frame(l = I(as.matrix(y$l)))), mltask(x, y))
  expect_identical(mltask(scaled, targets = "a"), mltask(x, targets = "a"))
})

test_that("columns of a data frame may be matrices or data frames of several columns", {
  withr::local_seed(6)
  x <- data.frame(a = rnorm(30), row.names = paste0("r", 1:30))
  nested <- x
  nested$spectrum <- I(matrix(rnorm(90), 30, dimnames = list(NULL, c(1100, 1102, 1104))))
  nested$soil <- data.frame(ph = sample(30), kind = rep(c("clay", "sand"), 15))
  nested$soil$light <- I(cbind(rnorm(30), -9))
  nested$y <- cbind(l = rep(0:1, 15), m = rep(0:1, each = 15))
  plain <- data.frame(x, spectrum = unclass(nested$spectrum), soil = nested$soil[1:2],
    soil.light.1 = nested$soil$light[, 1], soil.light.2 = NA_real_, y = nested$y)
  said <- suppressMessages
  task <- said(mltask(nested, targets = "y", na = "-9"))
  expect_identical(task, said(mltask(plain, targets = c("y.l", "y.m"))))
  expect_identical(feature_names(task)[2:5], c("spectrum.1100", "spectrum.1102", "spectrum.1104", "soil.ph"))
  expect_identical(said(mltask(nested["a"], nested["y"])), said(mltask(plain["a"], plain[c("y.l", "y.m")])))
  expect_identical(said(mltask(nested, targets = "y", exclude = c("spectrum", "soil"))),
    said(mltask(plain["a"], plain[c("y.l", "y.m")])))
  # new rows, and chunks
  model <- fit(lrn_nb(), said(mltask(nested[c("a", "spectrum", "y")], targets = "y")))
  expect_identical(predict(model, nested[1:3, ]), predict(model, plain[1:3, ]))
  parts <- list(nested[1:10, ], nested[11:30, ], NULL)
  at <- 0L
  source <- chunk_source(function() {
    part <- parts[[at <<- at %% 3L + 1L]]
    if (!is.null(part)) list(x = part["spectrum"], y = part["y"])
  }, feature_names(task)[2:4], c("y.l", "y.m"))
  mim <- function(data) as.data.frame(sift_features(data, sel_mim(), discretizer = disc_equal_width(3)))
  expect_equal(mim(source), mim(task[, 2:4]))
})

test_that("all columns of other classes are named, with what they can become", {
  labelled <- function(x) structure(x, labels = c(no = 0, yes = 1), class = c("haven_labelled", "vctrs_vctr", "double"))
  x <- data.frame(a = 1:3, day = as.Date("2024-01-01") + 0:2, since = as.difftime(0:2, units = "days"))
  x$last <- x$day
  x$u <- labelled(c(0, 1, 1))
  x$v <- structure(1:3 / 1e300, class = "integer64")
  x$sets <- list("a", "b", character())
  x$z <- complex(3)
  x$version <- numeric_version(c("1.0", "1.10", "2.0"))
  expect_snapshot(error = TRUE, {
    mltask(x, 1:3)
    mltask(x["a"], x[c("u", "day", "sets")])
    mltask(x, targets = "a", exclude = c("day", "last", "u", "sets", "since"))
  })
})

test_that("data with examples in columns get a hint", {
  withr::local_seed(5)
  x <- words(6, 4)
  expect_snapshot(error = TRUE, {
    mltask(t(x), random_labels(6, 2))
    mltask(x, t(random_labels(6, 2)))
    mltask(x, 1:5 %% 2)
  })
})

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
  scaled$two <- cbind(1:9, 9:1)
  expect_snapshot(error = TRUE, mltask(scaled, y))
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

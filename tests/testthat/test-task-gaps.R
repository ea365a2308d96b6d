# The definition: for each feature and each value of a label, whether the rows with, or without, a known feature all
# have it, and how probable this is if as many rows were drawn.
naive_gaps <- function(x, y, n_tests) {
  found <- character()
  for (f in colnames(x)) for (l in colnames(y)) for (known in c(TRUE, FALSE)) for (value in 0:1) {
    sure <- !is.na(y[, l])
    rows <- is.na(x[, f]) != known & sure
    if (!any(rows) || any(y[rows, l] != value)) next
    p <- stats::dhyper(sum(rows), sum(y[sure, l] == value), sum(y[sure, l] != value), sum(rows))
    if (p < 1e-6 / n_tests) found <- c(found, paste(f, if (known) "known" else "missing", "only where", l, "is", value))
  }
  found
}

leaky <- function(n = 200) {
  y <- cbind(ill = rep(0:1, c(0.6, 0.4) * n), other = rep_len(0:1, n), never = 0)
  x <- matrix(round(stats::rnorm(n * 6), 2), n, dimnames = list(NULL, c("full", "age", "scan", "few", "some", "rest")))
  x[y[, "ill"] == 0, "age"] <- NA
  x[y[, "ill"] == 1 & stats::runif(n) < 0.6, "scan"] <- NA
  x[1:3, "few"] <- NA
  x[sample(n, n / 3), "some"] <- NA
  list(x = x, y = y)
}

test_that("features that are known only with a label are found in every layout", {
  withr::local_seed(1)
  data <- leaky()
  lines <- function(x, y, ...) {
    found <- suppressMessages(check_task(mltask(x, y, ...)))
    found <- found[found$problem == "gaps", ]
    paste(found$feature, found$detail, recycle0 = TRUE)
  }
  expected <- naive_gaps(data$x, data$y, 4 * 3)
  expect_identical(expected[c(1, 3)], c("age known only where ill is 1", "scan missing only where ill is 1"))
  expect_identical(lines(data$x, data$y), expected[c(1, 3)])
  expect_identical(lines(as.data.frame(data$x), as.data.frame(data$y)), expected[c(1, 3)])
  expect_identical(lines(sparse(data$x), sparse(data$y)), expected[c(1, 3)])
  # unknown labels, rows of weight 0, classes
  holes <- data$y
  holes[sample(200, 50), "ill"] <- NA
  holes[1, "other"] <- NA
  expect_identical(lines(data$x, holes), naive_gaps(data$x, holes, 4 * 3)[c(1, 3)])
  broken <- data
  broken$x[c(1, 200), "age"] <- c(3, NA)
  expect_identical(lines(broken$x, broken$y), expected[3])
  expect_identical(lines(broken$x, broken$y, weights = rep(c(0, 1.5, 0), c(1, 198, 1))), expected[c(1, 3)])
  expect_identical(lines(data$x, data.frame(k = c("well", "ill")[data$y[, "ill"] + 1], h = rep(c("u", "v"), 100))),
    c("age known only where k is ill", "scan missing only where k is ill"))
  expect_identical(lines(data$x, data.frame(number = data$y[, "ill"] + stats::rnorm(200))), character())
  # 8 patients are no evidence, even with 25 rows each
  expect_identical(lines(data$x, data$y, group = rep(1:8, each = 25)), character())
  expect_identical(lines(data$x, data$y, group = rep(1:100, each = 2)), expected[c(1, 3)])
})

test_that("such features are kept unless they are to be dropped, and sift() names them", {
  withr::local_seed(2)
  data <- leaky()
  task <- suppressMessages(mltask(data$x, data$y[, 1:2]))
  expect_identical(feature_names(drop_features(task)), colnames(data$x))
  expect_identical(feature_names(drop_features(task, "gaps")), c("full", "few", "some", "rest"))
  expect_message(
    answer <- sift(task, learner = lrn_nb(), selectors = sel_mim(), max_features = 2, estimate = FALSE),
    "age is known only where ill is 1, scan is missing only where ill is 1.*exclude")
  # Before what a target that was given away makes look good.
  said <- summary(answer)
  expect_lt(grep("age is known only where ill is 1.*give it away", said), grep("reaches|Its value", said)[1])
  expect_match(paste(utils::capture.output(print(answer)), collapse = " "), "age is known only")
  expect_no_message(sift(task, learner = lrn_nb(), selectors = sel_mim(), max_features = 2, estimate = FALSE,
    exclude = c("age", "scan")), message = "known only")
})

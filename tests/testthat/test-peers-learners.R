# Cases with which other projects test their learners: their inputs and the values they expect.

# Scores of new rows, by naive Bayes from rows of categories; one column of scores for each class.
nb_scores <- function(x, y, new, ...) {
  columns <- lapply(seq_len(ncol(x)), \(f) {
    levels <- sort(unique(c(x[, f], new[, f])))
    list(old = factor(x[, f], levels), new = factor(new[, f], levels))
  })
  names(columns) <- paste0("f", seq_along(columns))
  model <- fit(lrn_nb(...), mltask(as.data.frame(lapply(columns, `[[`, "old")), factor(y)))
  unname(predict(model, as.data.frame(lapply(columns, `[[`, "new")))$score[[1]])
}

# --- scikit-learn 1.2.1, sklearn/tests/test_naive_bayes.py -----------------------------------------------------------

test_that("naive Bayes of the example of Manning et al. is BernoulliNB's, but for the word in all texts", {
  # Beijing, Chinese, Japan, Macao, Shanghai, Tokyo in three texts on China and one on Japan.
  x <- rbind(c(1, 1, 0, 0, 0, 0), c(0, 1, 0, 0, 1, 0), c(0, 1, 0, 1, 0, 0), c(0, 1, 1, 0, 0, 1))
  y <- c("China", "China", "China", "Japan")
  found <- nb_scores(x, y, rbind(c(0, 1, 1, 0, 0, 1)))
  # BernoulliNB counts two levels of each word, with 0.8 and 2/3 for "Chinese", which is in all texts. Only levels that
  # occur count here, so that this word says nothing. The book's values without it:
  expected <- c(0.005183999999999999 / 0.8, 0.02194787379972565 / (2 / 3))
  expect_equal(found, rbind(expected / sum(expected)), ignore_attr = TRUE, tolerance = 1e-12)
  # With a text on each country that does not have the word, two levels of it occur: the shares 4/6 and 2/4.
  more <- nb_scores(rbind(x, 0, 0), c(y, "China", "Japan"), rbind(c(0, 1, 1, 0, 0, 1)))
  by_hand <- c(4 / 6 * prod(4, 4, 1, 4, 4, 1) / 6^6, 2 / 6 * prod(3, 2, 2, 3, 3, 2) / 4^6)
  expect_equal(more, rbind(by_hand / sum(by_hand)), tolerance = 1e-12)
})

test_that("naive Bayes of categories is CategoricalNB's", {
  # Levels 0 to 2 and 0 to 5 there, of which two each occur. It is the ratio of counts that matters: 1 to 2, twice.
  found <- nb_scores(rbind(c(1, 4), c(2, 5)), c("a", "b"), rbind(c(2, 5)))
  expect_equal(found, rbind(c(1 / 3 * 1 / 3, 2 / 3 * 2 / 3)) / (5 / 9), tolerance = 1e-12)
  # The first class, also with a level that is new (min_categories there).
  x <- rbind(c(0, 0), c(0, 1), c(0, 0), c(1, 1))
  found <- nb_scores(x, c("a", "a", "b", "b"), rbind(c(0, 0), c(0, 2)))
  shares <- c((2 + 1) / 4, (1 + 1) / 4)
  expect_equal(found, rbind(shares, shares) / sum(shares), ignore_attr = TRUE, tolerance = 1e-12)
  # No smoothing: what did not occur is impossible. (scikit-learn smooths by 1e-10, and rounds.)
  x <- rbind(c(1, 0), c(1, 1))
  expect_identical(nb_scores(x, c("a", "b"), x, laplace = 0), diag(2))
})

test_that("naive Bayes of numbers is GaussianNB's, with variances that divide by n - 1", {
  x <- rbind(c(-2, -1), c(-1, -1), c(-1, -2), c(1, 1), c(1, 2), c(2, 1)) + 0
  y <- factor(rep(c("a", "b"), each = 3))
  model <- fit(lrn_nb(), mltask(`colnames<-`(x, c("u", "v")), y, discrete = c(u = FALSE, v = FALSE)))
  score <- function(rows) unname(predict(model, `colnames<-`(rows, c("u", "v")))$score[[1]])
  expect_identical(max.col(score(x)), as.integer(y))
  # GaussianNB has 0.8253 for a with priors of 0.3 and 0.7. The classes are mirror images, so that the log odds are
  # linear in 1 / variance: 2/3 of those of GaussianNB, whose variances divide by n. Priors are equal here.
  odds <- log(0.825303662161683 / 0.174696337838317) - log(0.3 / 0.7)
  expect_equal(score(rbind(c(-.1, -.1)))[1], stats::plogis(2 / 3 * odds), tolerance = 1e-8)
})

# --- scikit-learn 1.2.1, sklearn/linear_model/tests/test_base.py and test_ridge.py -----------------------------------

test_that("linear regression is scikit-learn's in its smallest cases", {
  line <- function(x, y, new, rho = 0) {
    model <- fit(lrn_linear(rho, "none"), mltask(cbind(x = x + 0), cbind(y) + 0, kind = "numeric"))
    unname(predict(model, cbind(x = new + 0))$response)
  }
  expect_equal(line(1:2, 1:2, 1:2), cbind(1:2), ignore_attr = TRUE, tolerance = 1e-12)
  expect_equal(line(1:2, 1:2, 0), cbind(0), tolerance = 1e-12)  # the intercept
  expect_equal(line(c(1, 1), c(0, 0), 1), cbind(0))
  expect_error(line(1, 0, 1), class = "mlsift_error")  # one row is enough for scikit-learn
  # Two targets that differ by 1: so do their intercepts, and nothing else, with any penalty.
  withr::local_seed(0)
  x <- matrix(stats::rnorm(50), 5, dimnames = list(NULL, paste0("f", 1:10)))
  y <- stats::rnorm(5)
  response <- function(y) predict(fit(lrn_linear(1, "none"), mltask(x, y, kind = "numeric")), x)$response
  both <- response(cbind(a = y, b = 1 + y))
  expect_equal(both[, "a"], response(cbind(a = y))[, "a"], tolerance = 1e-12)
  expect_equal(both[, "b"], both[, "a"] + 1, tolerance = 1e-12)
})

# --- scikit-learn 1.2.1, sklearn/neighbors/tests/test_neighbors.py ---------------------------------------------------

test_that("means of neighbors are those of KNeighborsRegressor, with equal rows and a row of training among the new", {
  x <- cbind(a = c(1, 1, 2, 2.5), b = c(1, 1, 2, 2.5))
  task <- mltask(x, cbind(y = c(1, 1.5, 2, 0)), kind = "numeric")
  new <- cbind(a = c(1.1, 2), b = c(1.1, 2))
  found <- predict(fit(lrn_knn_regression(2, "none"), task), new)$response
  expect_equal(unname(found), cbind(c(1.25, 1)), tolerance = 1e-12)
})

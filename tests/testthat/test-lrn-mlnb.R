test_that("MLNB equals its equations", {
  withr::local_seed(1)
  for (case in first_or_all(1:6, 3)) {
    n <- c(8, 30, 60)[1 + case %% 3]
    x <- cbind(random_codes(n, 4), g = rnorm(n, sd = 100), h = rexp(n) * (runif(n) < 0.3))
    y <- random_labels(n, 5)
    query <- x[sample.int(n, 20, replace = TRUE), ] + rep(c(0, 1e3), c(119, 1))
    for (s in c(0, 1, 2.5)) {
      oracle <- oracle_mlnb(x, y, query, s)
      for (as in list(identity, sparse, as.data.frame)) {
        model <- fit(lrn_mlnb(s), mltask(as(x), y, kind = "label"), threads = 1)
        got <- predict(model, as(query), threads = 1)
        expect_equal(unname(got$score), oracle, tolerance = 1e-9)
        expect_identical(predict(model, as(query), threads = 2), got)
        # New rows may have another layout than the training rows.
        for (other in list(identity, sparse, as.data.frame)) {
          expect_identical(unname(predict(model, other(query))$score), unname(got$score))
        }
      }
    }
    deviation <- apply(x, 2, function(v) sqrt(mean((v - mean(v))^2)))
    divide <- function(x) sweep(x, 2, ifelse(deviation == 0, 1, deviation), "/")
    scaled <- predict(fit(lrn_mlnb(scale = "zscore"), mltask(x, y)), query)$score
    expect_equal(unname(scaled), oracle_mlnb(divide(x), y, divide(query)), tolerance = 1e-9)
  }
})

test_that("the prior is smoothed, the rest of a single value bounded", {
  x <- cbind(f1 = c(0, 1, 10, 11, 12))
  y <- cbind(l1 = c(1, 1, 0, 0, 0))
  # far from both classes: both densities are 0 beside 1e-20, and the prior is left
  score <- predict(fit(lrn_mlnb(), mltask(x, y, discrete = c(f1 = FALSE))), cbind(f1 = 1e6))$score
  expect_equal(unname(score), matrix(3 / 7), tolerance = 1e-12)
})

test_that("factors without an order are refused, others are numbers", {
  y <- cbind(l1 = c(1, 0, 0, 1, 0, 1))
  frame <- data.frame(f1 = factor(c("a", "b", "b", "a", "a", "b")), f2 = factor(c(1, 2, 3, 3, 2, 1), ordered = TRUE))
  codes <- cbind(c(0, 1, 1, 0, 0, 1), c(1, 2, 3, 3, 2, 1))
  got <- predict(fit(lrn_mlnb(), mltask(frame, y)), frame)$score
  expect_equal(unname(got), oracle_mlnb(codes, y, codes), tolerance = 1e-10)
  task <- mltask(data.frame(f1 = factor(c("a", "b", "c"))), cbind(l1 = c(0, 1, 1)))
  expect_snapshot(error = TRUE, {
    fit(lrn_mlnb(), task)
    lrn_mlnb(smoothing = -1)
    lrn_mlnb(scale = "range")
  })
})

test_that("features that are mostly zero bring a warning", {
  y <- cbind(l1 = c(1, 0, 0, 1, 0, 0, 1, 0, 0, 0))
  x <- matrix(0, 10, 4, dimnames = list(NULL, paste0("f", 1:4)))
  x[c(1, 3, 12, 14, 25, 27, 36, 38)] <- 1
  # 80% of the values are zero, then one more
  for (as in list(identity, sparse, as.data.frame)) {
    expect_no_warning(fit(lrn_mlnb(), mltask(as(x), y)))
    fewer <- mltask(as(replace(x, 1, 0)), y)
    expect_warning(fit(lrn_mlnb(), fewer), "82% of the feature values are zero", class = "mlsift_warning")
  }
})

# LAIM by its definition: every cut of every interval is tried, and the whole criterion counted again.
oracle_laim <- function(v, y, more = 0, max_bins = Inf) {
  kept <- !is.na(v)
  v <- v[kept]
  y <- y[kept, , drop = FALSE]
  at <- sort(unique(v))
  middles <- (head(at, -1) + at[-1]) / 2
  criterion <- function(cuts) {
    part <- findInterval(v, cuts, left.open = TRUE)
    terms <- vapply(0:length(cuts), function(r) {
      counts <- colSums(y[part == r, , drop = FALSE])
      max(counts)^2 / sum(counts)
    }, 0)
    sum(terms) / ((length(cuts) + 1 + more) * sum(y))
  }
  cuts <- numeric()
  now <- 0
  while (length(cuts) + 1 < max_bins) {
    candidates <- setdiff(middles, cuts)
    value <- vapply(candidates, function(cut) criterion(sort(c(cuts, cut))), 0)
    value[is.nan(value)] <- -Inf
    if (length(value) == 0 || max(value) <= now + 1e-12) break
    best <- which(value >= max(value) - 1e-12)[1]
    now <- value[best]
    cuts <- sort(c(cuts, candidates[best]))
  }
  cuts
}

laim_cuts <- function(x, y, disc = disc_laim(), ...) {
  x <- as.matrix(x)
  lapply(fit(disc, mltask(x, y, discrete = stats::setNames(logical(ncol(x)), colnames(x)), ...))$cuts, as.double)
}

test_that("cuts are those of the definition, whatever the layout", {
  withr::local_seed(1)
  lengths <- integer()
  for (i in first_or_all(1:10, 3)) {
    n <- sample(15:70, 1)
    y <- random_labels(n, sample(1:5, 1), 0.3)
    y[sample(n, 3), ] <- 0L
    x <- cbind(a = rnorm(n, y[, 1]), b = round(rnorm(n, 2 * y[, 1] - y[, ncol(y)]), 1),
      c = rnorm(n) * rbinom(n, 1, 0.3), d = 3,
      e = rpois(n, 0.5) + 0.25 * y[, 1], f = -abs(rnorm(n)) * rbinom(n, 1, 0.5))
    free <- stats::setNames(logical(6), colnames(x))
    for (disc in list(disc_laim(), disc_laim("n+1"), disc_laim("n+1", max_bins = 3), disc_laim(max_bins = 2))) {
      more <- if (disc$params$divisor == "n+1") 1 else 0
      found <- laim_cuts(x, y, disc)
      expect_equal(
        found, lapply(1:6, function(f) oracle_laim(x[, f], y, more, disc$params$max_bins %||% Inf)), tolerance = 1e-12
      )
      for (layout in list(
        mltask(sparse(x), y, discrete = free), mltask(sparse(x), sparse(y), discrete = free),
        mltask(as.data.frame(x), y, discrete = free)
      )) {
        expect_identical(lapply(fit(disc, layout)$cuts, as.double), found)
      }
      expect_identical(laim_cuts(x[n:1, ], y[n:1, , drop = FALSE], disc), found)
      expect_identical(laim_cuts(x, y[, ncol(y):1, drop = FALSE], disc), found)
      lengths <- c(lengths, lengths(found))
    }
  }
  expect_true(all(0:1 %in% lengths) && max(lengths) > 1)
})

test_that("values known by hand", {
  v <- cbind(v = as.double(1:6))
  # Terms of the cut at 3.5: 3 and 3, so 6 / 2 / 6; a third interval would make 6 / 3 / 6.
  y <- cbind(a = c(1, 1, 1, 0, 0, 0), b = c(0, 0, 0, 1, 1, 1))
  expect_identical(laim_cuts(v, y), list(3.5))
  # With three labels: 2 + 1 after the cut at 2.5 (9 / 3 / 2 / 6 = 2^2 / 2 + 2^2 / 4 = 3, over 2), then 6 over 3 exceeds
  # it.
  y <- cbind(a = c(1, 1, 0, 0, 0, 0), b = c(0, 0, 1, 1, 0, 0), c = c(0, 0, 0, 0, 1, 1))
  expect_identical(laim_cuts(v, y), list(c(2.5, 4.5)))
  expect_identical(laim_cuts(v, y, disc_laim(max_bins = 2)), list(2.5))
  # One label: the sum is always 6, every first cut is equally good, and a second one never better.
  expect_identical(laim_cuts(v, cbind(a = rep(1, 6))), list(1.5))
  # Rows without labels give values to cut between, but no interval of them alone.
  y <- cbind(a = c(0, 0, 1, 0, 0, 0), b = c(0, 0, 0, 0, 1, 0))
  expect_identical(laim_cuts(v, y), list(3.5))
  expect_identical(laim_cuts(v, cbind(a = numeric(6), b = numeric(6))), list(numeric()))

})

test_that("class targets are a label for each class, which is the CAIM criterion", {
  caim <- function(cuts) {
    counts <- table(findInterval(iris$Petal.Length, cuts), iris$Species)
    mean(apply(counts, 1, max)^2 / rowSums(counts))
  }
  fitted <- fit(disc_laim(), mltask(iris[1:4], iris["Species"]))
  indicators <- outer(as.integer(iris$Species), 1:3, "==") + 0L
  expect_equal(fitted$cuts, lapply(iris[1:4], oracle_laim, y = indicators), ignore_attr = TRUE, tolerance = 1e-12)
  at <- sort(unique(iris$Petal.Length))
  middles <- (head(at, -1) + at[-1]) / 2
  first <- middles[which.max(vapply(middles, caim, 0))]
  expect_equal(fit(disc_laim(max_bins = 2), mltask(iris[1:4], iris["Species"]))$cuts[[3]], first)
  two <- mltask(
    iris[1:4], data.frame(s = iris$Species, wide = factor(iris$Sepal.Width > 3, labels = c("no", "yes"))),
    kind = "class"
  )
  both <- cbind(indicators, iris$Sepal.Width <= 3, iris$Sepal.Width > 3)
  expect_equal(
    fit(disc_laim("n+1"), two)$cuts, lapply(iris[1:4], oracle_laim, y = both, more = 1), ignore_attr = TRUE,
    tolerance = 1e-12
  )
})

test_that("discrete features stay as they are", {
  x <- data.frame(a = c(1, 2, 1, 2), b = factor(c("u", "v", "w", "u")))
  task <- mltask(x, c(0, 1, 0, 1), discrete = c(a = TRUE))
  codes <- data.frame(a = c(1L, 2L, 1L, 2L), b = c(1L, 2L, 3L, 1L))
  expect_identical(features(discretize_features(task, disc_laim())), codes)
})

test_that("missing values are a level of their own, and no value to cut at", {
  v <- c(NA, 1:3, NA, 4:6) + 0.5
  y <- cbind(a = c(0, 1, 1, 1, 1, 0, 0, 0), b = c(1, 0, 0, 0, 0, 1, 1, 1))
  disc <- disc_laim(na = "level")
  expect_identical(features(discretize_features(mltask(cbind(v), y), disc))[, 1], c(3L, 1L, 1L, 1L, 3L, 2L, 2L, 2L))
  withr::local_seed(3)
  x <- matrix(rnorm(160) * rbinom(160, 1, 0.4), 40, dimnames = list(NULL, letters[1:4]))
  x[sample(160, 20)] <- NA
  y <- random_labels(40, 3, 0.4)
  expected <- lapply(1:4, function(f) oracle_laim(x[, f], y))
  expect_equal(laim_cuts(x, y, disc), expected, tolerance = 1e-12)
  expect_identical(lapply(fit(disc, mltask(sparse(x), y))$cuts, as.double), laim_cuts(x, y, disc))
})

test_that("selection uses the cuts of the rows it is given, whatever the layout and threads", {
  withr::local_seed(2)
  x <- matrix(rnorm(400) * rbinom(400, 1, 0.6), 80, dimnames = list(NULL, paste0("f", 1:5)))
  y <- cbind(a = x[, 1] > 0.2, b = x[, 3] + 0.3 * rnorm(80) > 0) + 0L
  task <- mltask(x, y)
  for (layout in list(task, mltask(sparse(x), y), mltask(as.data.frame(x), y, kind = "label"))) {
    for (selector in list(sel_chi2("lp"), sel_mim())) {
      expected <- as.data.frame(sift_features(
        discretize_features(task, disc_laim("n+1")), selector, discretizer = NULL
      ))
      expect_identical(as.data.frame(sift_features(layout, selector, discretizer = disc_laim("n+1"))), expected)
      expect_identical(
        as.data.frame(sift_features(layout, selector, discretizer = disc_laim("n+1"), threads = 2)), expected
      )
    }
  }
  bench <- benchmark_selectors(
    list(t = task), list(sel_mim()), list(lrn_brknn()), rs_fixed(1:50, 51:80), k = 2, measures = "hamming_loss",
    discretizer = disc_laim()
  )
  expect_identical(
    selections(bench)$feature, sift_features(task[1:50, ], sel_mim(), k = 2, discretizer = disc_laim())$feature
  )
})

test_that("bad arguments and numeric targets are refused, and print() shows what it is", {
  withr::local_seed(1)
  numbers <- mltask(cbind(u = rnorm(20)), cbind(v = rnorm(20)))
  expect_snapshot(error = TRUE, {
    disc_laim("n-1")
    disc_laim(max_bins = 1)
    discretize_features(numbers, disc_laim())
    sift_features(numbers, sel_mim(), target_bins = disc_laim())
  })
  expect_snapshot({
    disc_laim()
    disc_laim("n+1", max_bins = 6, na = "level")
  })
})

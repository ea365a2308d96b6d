# Cuts by minimum description length, by their definition.
entropy_bits <- function(class) { p <- as.vector(table(class)) / length(class); p <- p[p > 0]; -sum(p * log2(p)) }

oracle_mdlp <- function(v, class, min_bins = 1, root = TRUE) {
  at <- sort(unique(v))
  if (length(at) < 2) return(numeric())
  middles <- (head(at, -1) + at[-1]) / 2
  n <- length(v)
  after <- vapply(
    middles,
    function(cut) (sum(v < cut) * entropy_bits(class[v < cut]) + sum(v > cut) * entropy_bits(class[v > cut])) / n, 0
  )
  cut <- middles[which(after <= min(after) + 1e-12)[1]]
  low <- v < cut
  k <- length(unique(class))
  delta <- log2(3^k - 2) - (
    k * entropy_bits(class) - length(unique(class[low])) * entropy_bits(class[low]) - length(unique(class[!low])) *
      entropy_bits(class[!low])
  )
  if (entropy_bits(class) - min(after) <= (log2(n - 1) + delta) / n) return(
    if (root && min_bins == 2) cut else numeric()
  )
  sort(c(cut, oracle_mdlp(v[low], class[low], root = FALSE), oracle_mdlp(v[!low], class[!low], root = FALSE)))
}

mdlp_cuts <- function(x, y, disc = disc_mdlp(), ...) {
  x <- as.matrix(x)
  fit(disc, mltask(x, y, discrete = stats::setNames(logical(ncol(x)), colnames(x)), ...))$cuts
}

test_that("cuts are those of the definition, whatever the layout", {
  withr::local_seed(1)
  for (i in first_or_all(1:8, 3)) {
    n <- sample(20:120, 1)
    y <- random_labels(n, sample(2:3, 1), 0.4)
    x <- cbind(
      a = rnorm(n, y[, 1], 0.4), b = round(rnorm(n, 2 * y[, 1] - y[, 2]), 1), c = rnorm(n), d = 3,
      e = (y[, 2] + 1) * rbinom(n, 1, 0.7)
    )
    set <- apply(y, 1, paste, collapse = "")
    for (bins in 1:2) {
      found <- mdlp_cuts(x, y, disc_mdlp(min_bins = bins))
      expect_equal(found, lapply(1:5, function(f) oracle_mdlp(x[, f], set, bins)), tolerance = 1e-12)
      expect_identical(
        fit(
          disc_mdlp(min_bins = bins),
          mltask(sparse(x), sparse(y), discrete = c(a = FALSE, b = FALSE, c = FALSE, d = FALSE, e = FALSE))
        )$cuts,
        found
      )
      expect_identical(mdlp_cuts(x[n:1, ], y[n:1, ], disc_mdlp(min_bins = bins)), found)
    }
    expect_equal(
      mdlp_cuts(x, y, disc_mdlp("l1")), lapply(1:5, function(f) oracle_mdlp(x[, f], y[, 1])), tolerance = 1e-12
    )
    each <- lapply(
      1:5, function(f) sort(unique(unlist(lapply(seq_len(ncol(y)), function(l) oracle_mdlp(x[, f], y[, l])))))
    )
    expect_equal(lapply(mdlp_cuts(x, y, disc_mdlp("label")), as.double), lapply(each, as.double), tolerance = 1e-12)
    kept <- set %in% names(which(table(set) >= 5))
    expect_equal(
      mdlp_cuts(x, y, disc_mdlp(min_count = 5)), lapply(1:5, function(f) oracle_mdlp(x[kept, f], set[kept])),
      tolerance = 1e-12
    )
  }
})

test_that("cuts are those of the R package discretization 1.0.1.1, mdlp()", {
  expect_equal(
    mdlp_cuts(iris[1:4], iris["Species"]), list(c(5.55, 6.15), c(2.95, 3.35), c(2.45, 4.75), c(0.8, 1.75)),
    tolerance = 1e-12
  )
  cars <- mdlp_cuts(mtcars[c("mpg", "disp", "hp", "wt", "qsec")], data.frame(cyl = factor(mtcars$cyl)), kind = "class")
  expect_equal(cars, list(c(17.55, 21.2), c(142.9, 266.9), c(101, 136.5), 3.325, 18.15), tolerance = 1e-12)
  births <- mdlp_cuts(infert[c("age", "pooled.stratum", "stratum")], infert["education"])
  expect_equal(births, list(38.5, c(4.5, 38.5), c(4.5, 44.5)), tolerance = 1e-12)
})

test_that("values known by hand", {
  v <- c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
  y <- rep(0:1, each = 5)
  expect_identical(mdlp_cuts(cbind(v), y), list(5.5))
  # Both cuts are equally good and neither is worth it: the smaller one is made where one must be.
  expect_identical(mdlp_cuts(cbind(v = c(1, 2, 3)), c(0, 1, 0)), list(numeric()))
  expect_identical(mdlp_cuts(cbind(v = c(1, 2, 3)), c(0, 1, 0), disc_mdlp(min_bins = 2)), list(1.5))
  # Neighboring doubles are still told apart.
  close <- 1 + c(0, 0, 0, 0, 0, 1, 1, 1, 1, 1) * .Machine$double.eps
  expect_identical(features(discretize_features(mltask(cbind(v = close), y), disc_mdlp()))[, "v"], rep(1:2, each = 5))
})

test_that("selection, benchmarks and other rows use the cuts of the training rows", {
  withr::local_seed(2)
  x <- matrix(rnorm(400), 80, dimnames = list(NULL, paste0("f", 1:5)))
  y <- cbind(a = x[, 1] > 0.2, b = x[, 3] + 0.5 * rnorm(80) > 0) + 0L
  task <- mltask(x, y)
  for (layout in list(task, mltask(sparse(x), y), mltask(as.data.frame(x), y, kind = "label"))) {
    for (selector in list(sel_chi2("lp"), sel_mim(), sel_scls())) {
      expected <- as.data.frame(sift_features(discretize_features(task, disc_mdlp()), selector, discretizer = NULL))
      expect_identical(as.data.frame(sift_features(layout, selector, discretizer = disc_mdlp())), expected)
      expect_identical(as.data.frame(sift_features(layout, selector, discretizer = disc_mdlp(), threads = 2)), expected)
    }
  }
  expect_setequal(sift_features(task, sel_chi2("lp"), k = 2, discretizer = disc_mdlp())$feature, c("f1", "f3"))
  fitted <- fit(disc_mdlp(), task[1:50, ])
  expect_identical(fitted$cuts[[1]], oracle_mdlp(x[1:50, 1], paste(y[1:50, 1], y[1:50, 2])))
  expect_identical(
    features(predict(fitted, task[51:80, ]))[, 1], findInterval(x[51:80, 1], fitted$cuts[[1]], left.open = TRUE) + 1L
  )
  bench <- benchmark_selectors(
    list(t = task), list(sel_chi2("lp")), list(lrn_brknn()), rs_fixed(1:50, 51:80), k = 2, measures = "hamming_loss",
    discretizer = disc_mdlp()
  )
  expect_identical(
    selections(bench)$feature, sift_features(task[1:50, ], sel_chi2("lp"), k = 2, discretizer = disc_mdlp())$feature
  )
})

test_that("missing values are a level of their own, and say nothing about cuts", {
  v <- c(NA, 1:5, NA, 6:10) + 0.5
  y <- c(1, rep(0, 5), 0, rep(1, 5))
  expect_identical(
    features(discretize_features(mltask(cbind(v), y), disc_mdlp(na = "level")))[, 1], c(3L, rep(1L, 5), 3L, rep(2L, 5))
  )
})

test_that("what has no classes is refused", {
  withr::local_seed(1)
  task <- simulate_mltask(20, 3, 2)
  numbers <- mltask(features(task), cbind(u = rnorm(20), v = rnorm(20)))
  expect_snapshot(error = TRUE, {
    disc_mdlp(1)
    disc_mdlp(min_bins = 3)
    discretize_features(numbers, disc_mdlp())
    sift_features(numbers, sel_mim(), target_bins = disc_mdlp())
    fit(disc_mdlp("l3"), task)
    sift_features(task, sel_mim(), discretizer = disc_mdlp(min_count = 21))
    sift_features(mltask(cbind(v = c(1.5, NA, 2)), c(0, 1, 1)), sel_mim(), discretizer = disc_mdlp())
  })
  expect_snapshot({
    disc_mdlp()
    disc_mdlp("label")
    fit(disc_mdlp("l1"), task)
  }, transform = function(lines) sub("[0-9]+ features", "3 features", lines))
  expect_true("disc_mdlp()" %in% list_discretizers()$constructor)
})

codes <- function(x, disc, ...) features(discretize_features(
  mltask(x, rep(0:1, length.out = nrow(x)), discrete = stats::setNames(logical(ncol(x)), colnames(x)), ...), disc
))

# Zero or not, by the help page.
oracle_presence <- function(v) {
  if (!any(v == 0, na.rm = TRUE)) return(rep(1L, length(v)))
  match(sign(v), sort(unique(sign(v))))
}

test_that("presence separates zero from the rest, and signs where there are both", {
  x <- cbind(
    up = c(0, 0.001, 5, 0), down = c(-1, 0, -1e-300, 0), both = c(-2, 0, 3, 0), full = c(1, 2, -3, 4), none = 0
  )
  expect_identical(codes(x, disc_presence()), apply(x, 2, oracle_presence))
  expect_identical(codes(x, disc_presence())[, "both"], c(1L, 2L, 3L, 2L))
  expect_identical(
    as.matrix(codes(sparse(x), disc_presence())),
    cbind(up = c(0, 1, 1, 0), down = c(-1, 0, -1, 0), both = c(-1, 0, 1, 0), full = c(0, 0, 0, 0), none = 0)
  )
  expect_identical(as.matrix(codes(as.data.frame(x), disc_presence())), codes(x, disc_presence()))
})

test_that("in new rows any positive value is present, and unseen signs fall into the nearest level", {
  fitted <- fit(disc_presence(), mltask(cbind(v = c(0, 0.5, 0, 2)), c(0, 1, 0, 1)))
  new <- cbind(v = c(1e-310, 0, -0, 0.1, -3, 99))
  expect_identical(features(predict(fitted, mltask(new, rep(0:1, 3))))[, 1], c(2L, 1L, 1L, 2L, 1L, 2L))
  again <- unserialize(serialize(fitted, NULL))
  expect_identical(predict(again, mltask(new, rep(0:1, 3))), predict(fitted, mltask(new, rep(0:1, 3))))
})

test_that("auto is presence where zero prevails and equal width elsewhere", {
  withr::local_seed(1)
  for (i in first_or_all(1:10, 3)) {
    n <- sample(10:40, 1)
    x <- sapply(seq(0.2, 0.8, 0.1), function(p) round(rnorm(n, 1), 1) * rbinom(n, 1, p))
    x <- cbind(x, rpois(n, 0.3) / 2, abs(x[, 2]), 0, 3)
    colnames(x) <- paste0("f", seq_len(ncol(x)))
    share <- sample(c(0, 0.3, 0.5, 1), 1)
    bins <- sample(2:6, 1)
    apart <- colMeans(x == 0) > share
    width <- codes(x, disc_equal_width(bins))
    expected <- ifelse(matrix(apart, n, ncol(x), byrow = TRUE), apply(x, 2, oracle_presence), width)
    found <- codes(x, disc_auto(bins, share))
    expect_identical(unname(found), unname(expected))
    thin <- as.matrix(codes(sparse(x), disc_auto(bins, share)))
    for (f in seq_len(ncol(x))) {
      cuts <- fit(disc_auto(bins, share),
        mltask(x, rep(0:1, length.out = n), discrete = stats::setNames(logical(ncol(x)), colnames(x))))$cuts[[f]]
      expect_identical(thin[, f], as.double(found[, f] - findInterval(0, cuts) - 1L))
    }
  }
  half <- cbind(v = c(0, 0, 0, 0.1, 0.2, 9))
  expect_identical(codes(half, disc_auto(2))[, 1], codes(half, disc_equal_width(2))[, 1])
  expect_identical(codes(rbind(half, 0), disc_auto(2))[, 1], c(1L, 1L, 1L, 2L, 2L, 2L, 1L))
})

test_that("missing values count as rows, not as zeros, and can be a level", {
  v <- cbind(v = c(0, 0, 0, NA, 1, 9))
  expect_identical(codes(v, disc_auto(2, na = "level"))[, 1], c(1L, 1L, 1L, 3L, 1L, 2L))
  expect_identical(codes(v, disc_auto(2, 0.4, na = "level"))[, 1], c(1L, 1L, 1L, 3L, 2L, 2L))
  expect_identical(codes(v, disc_presence(na = "level"))[, 1], c(1L, 1L, 1L, 3L, 2L, 2L))
  expect_error(codes(v, disc_auto(2)), class = "mlsift_error")
  expect_error(codes(v, disc_presence()), class = "mlsift_error")
})

test_that("auto is the default, keeps results on dense data, and selection discretizes as it does", {
  withr::local_seed(4)
  dense <- mltask(matrix(rnorm(300), 50, dimnames = list(NULL, paste0("f", 1:6))), random_labels(50, 4))
  for (selector in list(sel_mim(), sel_scls(), sel_chi2("lp"))) {
    expect_identical(
      as.data.frame(sift_features(dense, selector)),
      as.data.frame(sift_features(dense, selector, discretizer = disc_equal_width(5)))
    )
  }
  x <- matrix(round(rexp(300), 2) * rbinom(300, 1, 0.4), 50, dimnames = list(NULL, paste0("f", 1:6)))
  y <- random_labels(50, 4)
  coded <- discretize_features(mltask(x, y), disc_auto())
  expect_identical(discretize_features(mltask(x, y)), coded)
  for (selector in list(sel_mim(), sel_chi2(), sel_ebls(), sel_scls())) {
    expected <- as.data.frame(sift_features(coded, selector, discretizer = NULL))
    for (layout in list(mltask(x, y), mltask(sparse(x), y), mltask(as.data.frame(x), y))) {
      expect_identical(as.data.frame(sift_features(layout, selector)), expected)
    }
  }
  bench <- benchmark_selectors(
    list(t = mltask(x, y)), list(sel_mim()), list(lrn_brknn()), rs_fixed(1:30, 31:50), k = 3, measures = "hamming_loss"
  )
  expect_identical(
    selections(bench)$feature, sift_features(mltask(x, y)[1:30, ], sel_mim(), k = 3, discretizer = disc_auto())$feature
  )
})

test_that("a selection shows the discretizer, where there was something to discretize", {
  withr::local_seed(1)
  numbers <- mltask(cbind(a = rnorm(20), b = rnorm(20)), rep(0:1, 10))
  bits <- mltask(cbind(a = rbinom(20, 1, 0.5), b = rep(0:1, 10)), rep(0:1, 10))
  expect_snapshot({
    disc_presence()
    disc_auto(3)
  })
  line <- function(...) capture.output(print(sift_features(...)))[2]
  expect_identical(line(numbers, sel_mim()), "features discretized by disc_auto()")
  expect_identical(
    line(numbers, sel_mim(), discretizer = disc_equal_width(3, "right")),
    "features discretized by disc_equal_width(bins = 3, side = \"right\")"
  )
  expect_no_match(line(bits, sel_mim()), "discretized")
  expect_no_match(line(numbers, sel_relieff_br()), "discretized")
})

test_that("numeric targets can be binned by it, target by target", {
  withr::local_seed(1)
  y <- cbind(u = rexp(30) * rbinom(30, 1, 0.3), v = rnorm(30))
  task <- mltask(cbind(a = rbinom(30, 1, 0.5), b = rep(0:1, 15)), y, kind = "numeric")
  binned <- mltask(
    features(task), data.frame(u = factor(y[, 1] > 0), v = factor(cut(y[, 2], 5, labels = FALSE))), kind = "class"
  )
  expect_equal(scores_of(task, sel_mim(), target_bins = disc_auto()), scores_of(binned, sel_mim()), tolerance = 1e-12)
})

test_that("bad arguments are refused", {
  unknown <- disc_auto()
  unknown$method <- "other"
  expect_snapshot(error = TRUE, {
    disc_auto(1)
    disc_auto(zero_share = 1.5)
    disc_presence(na = "zero")
    discretize_features(simulate_mltask(10, 3, 2), unknown)
  })
})

test_that("every discretizer is listed and can be written as code", {
  for (spec in list(
    disc_auto(3, 0.25), disc_presence("level"), disc_laim("n+1", 6), disc_mdlp("label"), disc_equal_frequency(4),
    disc_equal_width(3, "right")
  )) {
    expect_equal(eval(str2lang(spec_code(spec))), spec)
    expect_true(sub("\\(.*", "()", spec_code(spec)) %in% list_discretizers()$constructor)
  }
})

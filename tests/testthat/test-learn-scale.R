# The rule of scale = "auto" in plain R. `columns`: a list of numbers, without factors of more than two levels.
oracle_auto <- function(columns) {
  columns <- lapply(columns, function(v) if (is.factor(v)) as.integer(v) - (nlevels(v) <= 2) else v)
  columns <- Filter(function(v) length(unique(v[!is.na(v)])) > 1, columns)
  one_unit <- vapply(columns, function(v) {
    v <- v[!is.na(v)]
    all(v %in% 0:1) || all(v >= 0 & v == round(v)) && sum(v != 0) < length(v) / 2
  }, NA)
  if (all(one_unit)) "none" else "zscore"
}

auto_of <- function(x, ...) auto_scale(suppressMessages(mltask(x, rep_len(0:1, nrow(x)), ...)))

# The constructors that have a `scale` which may be "auto".
scaled_makers <- function() {
  names <- getNamespaceExports("mlsift")
  makers <- mget(names[startsWith(names, "sel_") | startsWith(names, "lrn_")], asNamespace("mlsift"))
  Filter(function(make) "auto" %in% eval(formals(make)$scale), makers)
}

test_that("all learners and selectors of distances and penalties have the same scale", {
  expect_setequal(names(scaled_makers()), c("lrn_mlknn", "lrn_brknn", "lrn_cc_knn", "lrn_lp", "lrn_knn_regression",
    "lrn_linear", "lrn_brlr", "lrn_mlnb", "sel_mlrf", "sel_gmba", "sel_knn_mi", "sel_rfs", "sel_mssl", "sel_mdfs",
    "sel_mfs_mcdm"))
  for (make in scaled_makers()) expect_identical(eval(formals(make)$scale), c("auto", "zscore", "none"))
})

test_that("auto follows its rule, whatever the layout", {
  withr::local_seed(1)
  n <- 40
  zero_one <- matrix(rbinom(n * 5, 1, 0.5), n)
  few <- matrix(rpois(n * 5, 0.15) + 0, n)
  cases <- list(
    zero_one = zero_one, few = few, many = matrix(rpois(n * 5, 1.5) + 0, n), real = matrix(rnorm(n * 5), n),
    halves = few / 2, below = -few, one_real = cbind(zero_one, rnorm(n)), two = 2 * zero_one,
    mixed = cbind(few, zero_one),
    # Half of the values are not few.
    half = matrix(rep(c(2, 0), 100), n, 5), nearly = matrix(rep(c(2, 0, 0, 2, 0), 40), n, 5),
    constant = cbind(zero_one, 7.5, -1), all = matrix(3.2, n, 2)
  )
  expected <- c("none", "none", "zscore", "zscore", "zscore", "zscore", "zscore", "zscore", "none", "zscore", "none",
    "none", "none")
  for (i in seq_along(cases)) {
    x <- cases[[i]]
    colnames(x) <- paste0("f", seq_len(ncol(x)))
    holes <- replace(x, cbind(sample(n, 6), sample(ncol(x), 6, TRUE)), NA)
    for (values in list(x, holes)) {
      own <- oracle_auto(as.list(as.data.frame(values)))
      if (identical(values, x)) expect_identical(own, expected[i], info = names(cases)[i])
      for (layout in list(values, sparse(values), as.data.frame(values))) {
        expect_identical(auto_of(layout), own, info = paste(names(cases)[i], class(layout)[1]))
      }
    }
  }
  expect_identical(auto_of(methods::as(sparse(zero_one), "nMatrix")), "none")
  expect_identical(auto_of(zero_one > 0), "none")
})

test_that("factors are what distances make of them", {
  withr::local_seed(2)
  n <- 30
  two <- factor(sample(c("no", "yes"), n, TRUE))
  three <- factor(sample(letters[1:3], n, TRUE))
  size <- factor(sample(1:3, n, TRUE), ordered = TRUE)
  flag <- runif(n) < 0.5
  expect_identical(auto_of(data.frame(two, three, flag)), "none")
  expect_identical(auto_of(data.frame(three)), "none")
  expect_identical(auto_of(data.frame(two, size)), "zscore")
  expect_identical(auto_of(data.frame(two, three, x = rnorm(n))), "zscore")
  counts <- data.frame(a = rpois(n, 0.1), b = rpois(n, 0.1), c = rep(c(0, 5), c(n - 1, 1)))
  expect_identical(auto_of(data.frame(counts, three)), oracle_auto(as.list(counts)))
  expect_identical(auto_of(data.frame(counts, two)), oracle_auto(c(as.list(counts), list(two))))
})

test_that("rows of weight 0 do not count", {
  x <- cbind(a = c(0, 1, 1, 0), b = c(1, 0, 1, 0.5))
  expect_identical(auto_of(x), "zscore")
  expect_identical(auto_of(x, weights = c(1, 2, 1, 0)), "none")
  y <- cbind(l = c(0, 1, 1, 0))
  fitted <- fit(lrn_brlr(1), mltask(x, y, weights = c(1, 2, 1, 0)))
  expect_identical(fitted$learner, lrn_brlr(1, "none"))
})

test_that("auto is none or zscore, to the last bit", {
  withr::local_seed(3)
  n <- 60
  real <- matrix(rnorm(n * 6), n, dimnames = list(NULL, paste0("f", 1:6))) * rep(10^(0:5), each = n)
  y <- (real[, 1:3] / rep(10^(0:2), each = n) + rnorm(3 * n) > 0.3) + 0
  colnames(y) <- paste0("l", 1:3)
  makers <- scaled_makers()
  for (x in list(real, (real > 0) + 0, round(exp(real > 0)) * (real > 0))) {
    wanted <- oracle_auto(as.list(as.data.frame(x)))
    for (name in names(makers)) {
      make <- makers[[name]]
      result <- function(spec) {
        set.seed(1)
        if (inherits(spec, "mlselector")) {
          found <- suppressWarnings(sift_features(mltask(x, y), spec))
          return(as.data.frame(found))
        }
        task <- if (name %in% c("lrn_knn_regression", "lrn_linear")) mltask(x, y, kind = "numeric") else mltask(x, y)
        predict(fit(spec, task[1:40, ]), task[41:n, ])[]
      }
      expect_identical(result(make()), result(make(scale = wanted)), info = paste(name, wanted))
    }
  }
})

test_that("zscore is division by deviations, with weights the weighted ones", {
  withr::local_seed(4)
  x <- matrix(rnorm(240), 40, dimnames = list(NULL, paste0("f", 1:6))) * rep(c(1, 5, 10, 50, 2, 7), each = 40)
  y <- (unname(x[, 1:2]) + rnorm(80) > 0) + 0
  w <- sample(0:3, 40, TRUE)
  deviation <- function(w) apply(x, 2, function(v) sqrt(sum(w * (v - sum(w * v) / sum(w))^2) / sum(w)))
  for (make in list(sel_rfs, sel_mssl, sel_mdfs, sel_mfs_mcdm)) for (weights in list(NULL, w)) {
    if (!is.null(weights) && !selector_method(make())$weights) next
    own <- sweep(x, 2, deviation(if (is.null(weights)) rep(1, 40) else weights), "/")
    for (layout in list(identity, sparse, as.data.frame)) {
      found <- sift_features(mltask(layout(x), y, weights = weights), make())
      expect_equal(as.data.frame(found), as.data.frame(sift_features(mltask(own, y, weights = weights),
        make(scale = "none"))), tolerance = 1e-5)
    }
  }
})

test_that("a benchmark looks at all features, so that one number of features does not depend on others", {
  skip_unless_all()
  withr::local_seed(5)
  n <- 80
  x <- cbind(matrix(rbinom(n * 4, 1, 0.4), n), matrix(rnorm(n * 4, sd = 20), n))
  colnames(x) <- paste0("f", 1:8)
  task <- mltask(x, (unname(x[, 1:3]) + rnorm(3 * n) > 0.8) + 0, name = "toy")
  values <- function(learner, k, selector = sel_custom("First", function(task, k) ncol(features(task)):1)) {
    set.seed(1)
    bench <- benchmark_selectors(task, selector, learner, rs_cv(3), k = k, measures = "average_precision")
    bench$value[bench$k == 3]
  }
  learners <- list(lrn_mlknn(), lrn_brlr(1), lrn_chain(lrn_brknn()), lrn_powerset(lrn_brknn()))
  zscore <- list(lrn_mlknn(scale = "zscore"), lrn_brlr(1, "zscore"), lrn_chain(lrn_brknn(scale = "zscore")),
    lrn_powerset(lrn_brknn(scale = "zscore")))
  for (i in seq_along(learners)) {
    found <- values(learners[[i]], 3)
    expect_identical(found, values(learners[[i]], c(3, 8)))
    expect_identical(found, values(zscore[[i]], 3))
  }
  rows <- rs_fixed(1:50, 51:n)
  one <- function(learner) assess_features(task, 1:3, learner, "average_precision", rows)$value
  expect_identical(one(lrn_mlknn()), one(lrn_mlknn(scale = "zscore")))
  expect_false(identical(one(lrn_mlknn()), one(lrn_mlknn(scale = "none"))))
  # So do searches, and selectors within others.
  within <- function(make, scale) {
    set.seed(2)
    as.data.frame(suppressWarnings(sift_features(task, make(scale), k = 3, exclude = 5:8)))
  }
  for (make in list(
    function(scale) sel_rga(lrn_mlknn(3, scale = scale), "hamming_loss", 3, evaluations = 20),
    function(scale) sel_turf(sel_mlrf(scale = scale), 0.5),
    function(scale) sel_best(list(sel_mlrf(scale = scale), sel_mim()), lrn_brknn(scale = scale),
      "hamming_loss", k = 1:3)
  )) expect_identical(within(make, "auto"), within(make, "zscore"))
})

test_that("a model and an extended selection keep the scale", {
  withr::local_seed(6)
  x <- matrix(rpois(600, 0.1) + 0, 100, dimnames = list(NULL, paste0("f", 1:6)))
  task <- mltask(x, (unname(x[, 1:2]) + rnorm(200) > 0.5) + 0)
  model <- fit(lrn_mlknn(), task)
  expect_identical(model$learner, lrn_mlknn(scale = "none"))
  expect_snapshot(model)
  short <- sift_features(task, sel_knn_mi(zero_distance = "gao"), k = 2)
  expect_identical(attr(short, "selector"), sel_knn_mi(zero_distance = "gao"))
  longer <- extend_selection(short, task, 4)
  none <- sift_features(task, sel_knn_mi(zero_distance = "gao", scale = "none"), k = 4)
  expect_identical(as.data.frame(longer), as.data.frame(none))
})

test_that("the unit of a feature does not matter", {
  withr::local_seed(7)
  x <- matrix(rnorm(360), 60, dimnames = list(NULL, paste0("f", 1:6)))
  other <- x * rep(c(1, 1000, 0.02), each = 120)
  y <- (unname(x[, 1:3]) + rnorm(180) > 0.3) + 0
  makers <- scaled_makers()
  for (name in names(makers)[startsWith(names(makers), "lrn_")]) {
    kind <- if (name %in% c("lrn_knn_regression", "lrn_linear")) "numeric" else "label"
    learner <- if (name == "lrn_cc_knn") lrn_cc_knn(chain_order = 1:3) else makers[[name]]()
    found <- lapply(list(x, other), function(x) predict(fit(learner, mltask(x[1:40, ], y[1:40, ], kind = kind)),
      x[41:60, ])[])
    expect_equal(found[[2]], found[[1]], tolerance = 1e-6, info = name)
  }
})

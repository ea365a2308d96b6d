holey <- function(seed, n = 12) {
  withr::with_seed(seed, {
    x <- data.frame(
      real = rnorm(n), whole = sample.int(5, n, TRUE), zeros = rnorm(n) * rbinom(n, 1, 0.5),
      factor = factor(sample(letters[1:3], n, TRUE)), logical = runif(n) < 0.5,
      ordered = factor(sample(c("lo", "mid", "hi"), n, TRUE), c("lo", "mid", "hi"), ordered = TRUE)
    )
    for (f in seq_along(x)) x[sample.int(n, 3), f] <- NA
    mltask(x, matrix(rnorm(2 * n), n))
  })
}

test_that("means, and most frequent values, stand for what is missing", {
  train <- holey(1)
  new <- holey(2)
  fitted <- fit(impute_mean(), train)
  for (task in list(train, new)) {
    got <- features(predict(fitted, task))
    for (name in feature_names(task)) {
      old <- features(task)[[name]]
      known <- features(train)[[name]]
      value <- if (is.numeric(known)) mean(known, na.rm = TRUE) else names(sort(-table(known)))[1]
      expect_equal(got[[name]][!is.na(old)], old[!is.na(old)])
      missing <- got[[name]][is.na(old)]
      expect_equal(if (is.numeric(missing)) missing else as.character(missing), rep(value, 3), tolerance = 1e-14)
    }
    expect_identical(
      vapply(got[4:6], function(v) class(v)[1], ""), c(factor = "factor", logical = "logical", ordered = "ordered")
    )
    expect_identical(lapply(got, levels), lapply(features(task), levels))
  }
})

test_that("of equally frequent values the first level is taken", {
  x <- data.frame(a = factor(c("u", "v", NA, "v", "u"), c("w", "v", "u")), b = c(TRUE, FALSE, NA, TRUE, FALSE))
  got <- features(predict(fit(impute_mean(), mltask(x, rnorm(5))), mltask(x, rnorm(5))))
  expect_identical(as.character(got$a[3]), "v")
  expect_identical(got$b[3], FALSE)
})

test_that("layouts agree to the bit, and what is not stored stays so", {
  withr::local_seed(3)
  x <- matrix(rnorm(90) * rbinom(90, 1, 0.4), 15, dimnames = list(NULL, letters[1:6]))
  x[sample.int(90, 12)] <- NA
  x[, 6] <- c(NA, rep(0.1, 14))
  y <- rnorm(15)
  filled <- function(x) features(predict(fit(impute_mean(), mltask(x, y)[1:10, ]), mltask(x, y)))
  dense <- filled(x)
  expect_false(anyNA(dense))
  expect_identical(dense[1, 6], c(f = 0.1))
  thin <- filled(sparse(x))
  expect_s4_class(thin, "dgCMatrix")
  expect_identical(length(thin@x), length(sparse(x)@x))
  expect_identical(as.matrix(thin), dense)
  expect_identical(as.matrix(filled(as.data.frame(x))), dense)
  whole <- matrix(c(1L, 2L, NA, 5L), 4, dimnames = list(NULL, "a"))
  expect_identical(
    features(predict(fit(impute_mean(), mltask(whole, y[1:4])), mltask(whole, y[1:4])))[3, 1], c(a = 8 / 3)
  )
  flags <- matrix(c(TRUE, NA, TRUE, FALSE), 4)
  expect_identical(
    features(predict(fit(impute_mean(), mltask(flags, y[1:4])), mltask(flags, y[1:4])))[, 1], c(TRUE, TRUE, TRUE, FALSE)
  )
})

test_that("discrete features stay discrete, and other rows and columns do not matter", {
  train <- holey(4)
  fitted <- fit(impute_mean(), train)
  new <- holey(5)
  got <- predict(fitted, new)
  expect_identical(got$discrete, new$discrete)
  expect_identical(features(predict(fitted, new[3:5, ])), features(got)[3:5, ])
  more <- mltask(cbind(extra = NA_real_, rev(features(new))), targets(new))
  expect_identical(features(predict(fitted, more)), features(got))
  expect_snapshot({
    impute_mean()
    fitted
  })
})

test_that("what cannot be imputed is refused", {
  task <- holey(6)
  fitted <- fit(impute_mean(), task)
  empty <- task
  empty$x$real <- NA_real_
  one <- empty
  empty$x$factor[] <- NA
  turned <- task
  turned$x$real <- factor(task$x$logical)
  expect_snapshot(error = TRUE, {
    fit(impute_mean(), one)
    fit(impute_mean(), empty)
    fit(impute_mean(), mltask(sparse(cbind(a = 1:2, b = NA)), c(1.5, 2)))
    fit(impute_mean(), features(task))
    predict(impute_mean(), task)
    predict(fitted, task[, -1])
    predict(fitted, turned)
    predict(fitted, features(task))
  })
})

test_that("an imputer that is given a task says how it is used", {
  expect_snapshot(error = TRUE, impute_mean(mltask(cbind(a = c(1, NA)), c(0, 1))))
})

test_that("a factor may lack the level that is filled in", {
  frame <- function(values, levels) mltask(data.frame(a = factor(values, levels)), c(1.5, 2, 3))
  fitted <- fit(impute_mean(), frame(c("u", "u", "v"), c("u", "v")))
  got <- features(predict(fitted, frame(c("v", NA, "w"), c("v", "w"))))$a
  expect_identical(got, factor(c("v", "u", "w"), c("v", "w", "u")))
  kept <- features(predict(fitted, frame(c("v", "w", "w"), c("v", "w"))))$a
  expect_identical(levels(kept), c("v", "w"))
})

test_that("a sparse matrix has no column for an imputer of factors", {
  train <- mltask(data.frame(a = c(1, 2, 3), b = factor(c("u", "v", "v"))), c(1.5, 2, 3))
  new <- mltask(sparse(cbind(a = 0:2, b = c(0, 1, 0))), c(1.5, 2, 3))
  expect_error(predict(fit(impute_mean(), train), new), "\"b\" was a factor and is numeric", class = "mlsift_error")
})

test_that("weights count as repeated rows", {
  set.seed(1)
  w <- sample(0:4, 40, TRUE)
  hide <- function(x) replace(x, sample(40, 10), NA)
  frame <- data.frame(a = hide(rnorm(40)), b = hide(runif(40) < 0.5), c = hide(factor(sample(letters[1:4], 40, TRUE))),
    d = replace(rep(5, 40), w > 0, NA))
  numbers <- as.matrix(frame["a"]) * rbinom(40, 1, 0.5)
  for (x in list(frame[-4], numbers, sparse(numbers))) {
    repeated <- fit(impute_mean(), mltask(x, rep(0:1, 20))[rep(1:40, w), ])
    expect_equal(fit(impute_mean(), mltask(x, rep(0:1, 20), weights = w)), repeated, tolerance = 1e-14)
  }
  expect_error(fit(impute_mean(), mltask(frame, rep(0:1, 20), weights = w)), "\"d\"", class = "mlsift_error")
  task <- mltask(frame[-4], rep(0:1, 20), weights = w)
  bench <- benchmark_selectors(task, sel_mim(), lrn_nb(), rs_cv(2), k = 1, measures = "hamming_loss",
    impute = impute_mean())
  expect_false(anyNA(bench$value))
})

test_that("a selection fills in missing features, and can be continued", {
  withr::local_seed(5)
  n <- 60
  x <- matrix(round(rnorm(n * 6), 1), n, dimnames = list(NULL, paste0("f", 1:6)))
  y <- (unname(x[, 1:3]) + rnorm(3 * n) > 0) + 0
  x[sample(length(x), 30)] <- NA
  dense <- mltask(x, y)
  tasks <- list(dense, mltask(sparse(x), y), mltask(as.data.frame(x), y), mltask(x, y, weights = sample(0:2, n, TRUE)),
    mltask(x, replace(y, cbind(1:9, 1:3), NA), kind = "label"))
  search <- sel_rga(measure = "hamming_loss", max_features = 3, population = 4, evaluations = 6)
  for (task in tasks) {
    whole <- predict(fit(impute_mean(), task), task)
    for (selector in list(sel_mim(), sel_cmim(), sel_mtl(), sel_relieff_br(), sel_mlrf(), search)) {
      if (identical(selector, search) && !identical(task, dense)) next
      if (!is.null(row_weights(task)) && !selector_method(selector)$weights) next
      if (n_unknown(task) > 0 && !selector_method(selector)$unknown) next
      select <- function(...) withr::with_seed(1, suppressWarnings(sift_features(..., selector, k = 3)))
      found <- select(task, impute = impute_mean())
      expect_identical(as.data.frame(found), as.data.frame(select(whole)), info = selector$name)
      expect_identical(attr(found, "imputer"), fit(impute_mean(), task))
      expect_error(select(task, discretizer = disc_equal_width(3)), "missing", class = "mlsift_error")
      method <- selector_method(selector)
      longer <- function(selection, task) {
        if (is_search(method)) extend_selection(selection, task, evaluations = 9)
        else extend_selection(selection, task, 5)
      }
      if (!method$extends) next
      expect_identical(as.data.frame(longer(found, task)), as.data.frame(longer(select(whole), whole)))
      expect_identical(as.data.frame(longer(found, whole)), as.data.frame(longer(found, task)))
      if (is_greedy(method)) expect_identical(candidate_scores(found, task), candidate_scores(select(whole), whole))
    }
  }
  expect_null(attr(sift_features(whole, sel_mim()), "imputer"))
  set.seed(1)
  tuned <- tune_selection(dense, list(sel_cmim(), sel_mim()), lrn_nb(), "hamming_loss", 1:2, rs_cv(2),
    impute = impute_mean())
  expect_identical(attr(tuned$selection, "imputer"), fit(impute_mean(), dense))
  # Interrupted runs know it too.
  expect_warning(short <- sift_features(dense, sel_cmim(), impute = impute_mean(), max_seconds = 0),
    "stopped by `max_seconds`")
  expect_identical(extend_selection(short, dense, 4)$index,
    sift_features(dense, sel_cmim(), 4, impute = impute_mean())$index)
})

test_that("what cannot be filled in is refused", {
  task <- mltask(cbind(a = c(1, 2, NA, 4), b = c(0, 1, 1, 0)), cbind(l = c(0, 1, 1, 0)))
  empty <- mltask(cbind(a = c(1, 2, NA, 4), b = NA_real_), cbind(l = c(0, 1, 1, 0)))
  selection <- sift_features(task, sel_cmim(), 1, impute = impute_mean())
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_mim(), impute = "mean")
    sift_features(empty, sel_mim(), impute = impute_mean())
    sift_features(chunked(task), sel_mim(), impute = impute_mean())
    sift_features(count_tables(task[-3, ], sel_mim()), sel_mim(), impute = impute_mean())
    extend_selection(selection, chunked(task), 2)
  })
})

# A whole weight is a row that stands there so many times; the values without weights have oracles of their own.

weighted_case <- function(kind, n = 24) {
  truth <- switch(kind,
    label = matrix(rbinom(n * 4, 1, 0.4), n), numeric = matrix(rnorm(n * 3), n),
    class = matrix(sample(c("a", "b", "c"), n * 2, TRUE), n)
  )
  colnames(truth) <- paste0("t", seq_len(ncol(truth)))
  response <- truth
  changed <- sample(length(truth), length(truth) %/% 2L)
  response[changed] <- sample(truth)[changed]
  score <- switch(kind,
    label = matrix(sample(0:5, length(truth), TRUE) / 5, n, dimnames = dimnames(truth)),
    class = lapply(stats::setNames(nm = colnames(truth)), function(t) {
      p <- matrix(sample(1:4, n * 3, TRUE), n, dimnames = list(NULL, c("a", "b", "c")))
      p / rowSums(p)
    })
  )
  if (kind == "label") truth[1, ] <- response[1, ] <- 0L
  if (kind == "numeric") truth[2, 1] <- NA
  list(truth = truth, response = response, score = score)
}

take_rows <- function(case, rows) {
  list(
    truth = case$truth[rows, , drop = FALSE], response = case$response[rows, , drop = FALSE],
    score = if (is.list(case$score)) lapply(case$score, function(s) s[rows, , drop = FALSE])
    else if (!is.null(case$score)) case$score[rows, , drop = FALSE]
  )
}

measured <- function(case, kind, weights = NULL, measures = names(resolve_measures(NULL, kind))) {
  compute_measures(
    resolve_measures(measures, kind), case$truth, case[c("response", "score")], kind, train_mean = rep(0.3, 3),
    weights = weights
  )
}

test_that("a whole weight counts a row so many times, in every measure", {
  withr::local_seed(21)
  for (kind in c("label", "numeric", "class")) {
    for (repetition in 1:8) {
      case <- weighted_case(kind)
      if (kind == "label" && repetition > 4) case$truth[sample(length(case$truth), 30)] <- NA
      times <- sample(0:3, nrow(case$truth), TRUE)
      times[5] <- 2L
      found <- measured(case, kind, times)
      expect_setequal(names(found), names(Filter(function(r) kind %in% r$kinds, registry$measures)))
      expect_equal(found, measured(take_rows(case, rep(seq_along(times), times)), kind), tolerance = 1e-12)
    }
  }
})

test_that("a row of weight 0 is no row, in every measure, whatever is known", {
  withr::local_seed(25)
  for (kind in c("label", "numeric", "class")) for (repetition in 1:6) {
    case <- weighted_case(kind)
    weights <- replace(runif(24), c(2:7, 24), 0)
    if (kind != "class") {
      case$truth[sample(24, 6), 2:3] <- NA
      # A target that is known only in rows of weight 0, and rows in which nothing is known.
      case$truth[weights > 0, 1] <- NA
      case$truth[10:12, ] <- NA
    }
    dropped <- suppressWarnings(measured(take_rows(case, which(weights > 0)), kind, weights[weights > 0]))
    found <- suppressWarnings(measured(case, kind, weights))
    expect_identical(is.na(found), is.na(dropped))
    expect_equal(found, dropped, tolerance = 1e-14)
  }
  case <- weighted_case("label")
  case$truth[3:24, ] <- NA
  expect_snapshot(error = TRUE, {
    measured(case, "label", rep(0:1, c(2, 22)))
    measured(list(truth = replace(case$truth, TRUE, NA), response = case$response), "label", measures = "macro_f1")
  })
})

test_that("aRRMSE is undefined where all true values are the weighted mean of the training rows", {
  truth <- cbind(a = rep(0.1, 12), b = seq_len(12))
  for (x in list(truth, replace(truth, 3, NA))) {
    train <- mltask(matrix(1:12 + 0.5), x, kind = "numeric", weights = c(3, 0.7, 0, rep(1.3, 9)))
    expect_warning(msr_arrmse(truth, truth + 0.01, train), "leaves out target \"a\"")
    expect_equal(suppressWarnings(msr_arrmse(truth, truth + 0.01, train)),
      msr_arrmse(truth[, "b", drop = FALSE], truth[, "b", drop = FALSE] + 0.01,
        sum(row_weights(train) * 1:12) / sum(row_weights(train))))
  }
})

test_that("only ratios of weights matter, and equal weights change nothing", {
  withr::local_seed(22)
  for (kind in c("label", "numeric", "class")) {
    case <- weighted_case(kind)
    weights <- runif(nrow(case$truth))
    expect_equal(measured(case, kind, 7 * weights), measured(case, kind, weights), tolerance = 1e-12)
    expect_identical(measured(case, kind, rep(1, length(weights))), measured(case, kind))
  }
})

test_that("means over rows are weighted means of the rows' values", {
  withr::local_seed(23)
  case <- weighted_case("label")
  weights <- rexp(nrow(case$truth))
  by_row <- c("hamming_loss", "subset_accuracy", "jaccard", "example_precision", "example_recall", "example_f1",
    "ranking_loss", "one_error", "coverage", "norm_coverage", "average_precision", "log_loss")
  each <- vapply(seq_along(weights), function(i) measured(take_rows(case, i), "label", measures = by_row), double(12))
  expected <- apply(each, 1L, function(v) stats::weighted.mean(v[!is.na(v)], weights[!is.na(v)]))
  expect_equal(measured(case, "label", weights, by_row), expected, tolerance = 1e-12)

  # AUC and correlation from their definitions.
  pairs_auc <- function(y, s, w) {
    p <- y == 1
    wins <- outer(s[p], s[!p], ">") + 0.5 * outer(s[p], s[!p], "==")
    sum(outer(w[p], w[!p]) * wins) / (sum(w[p]) * sum(w[!p]))
  }
  expect_equal(
    measured(case, "label", weights, c("macro_auc", "micro_auc")),
    c(macro_auc = mean(vapply(1:4, function(l) pairs_auc(case$truth[, l], case$score[, l], weights), 0)),
      micro_auc = pairs_auc(c(case$truth), c(case$score), rep(weights, 4))), tolerance = 1e-12
  )
  case <- weighted_case("numeric")
  case$truth[2, 1] <- 0
  correlations <- vapply(1:3, function(t) {
    stats::cov.wt(cbind(case$truth[, t], case$response[, t]), weights / sum(weights), cor = TRUE)$cor[1, 2]
  }, 0)
  expect_equal(measured(case, "numeric", weights, "mean_correlation"), c(mean_correlation = mean(correlations)))
})

test_that("evaluate() takes weights, and custom measures that ask for them", {
  withr::local_seed(24)
  case <- weighted_case("label")
  prediction <- structure(list(score = case$score, response = case$response), class = "mlprediction")
  weights <- seq_len(24)
  plain <- msr_custom("plain", function(truth, response) 1)
  own <- msr_custom("own", function(truth, response, weights = 1) sum(weights * rowSums(truth)))
  found <- evaluate(prediction, case$truth, list("hamming_loss", own), weights = weights)
  expect_equal(found$value, c(stats::weighted.mean(rowMeans(case$truth != case$response), weights),
    sum(weights * rowSums(case$truth))))
  expect_equal(evaluate(prediction, case$truth, own)$value, sum(case$truth))
  expect_snapshot(error = TRUE, {
    evaluate(prediction, case$truth, list("hamming_loss", plain), weights = weights)
    evaluate(prediction, case$truth, "hamming_loss", weights = 1:3)
    evaluate(prediction, case$truth, "hamming_loss", weights = "a")
    evaluate(prediction, case$truth, "hamming_loss", weights = c(-1, rep(1, 23)))
    evaluate(prediction, case$truth, "hamming_loss", weights = c(NA, rep(1, 23)))
    evaluate(prediction, case$truth, "hamming_loss", weights = rep(0, 24))
  })
})

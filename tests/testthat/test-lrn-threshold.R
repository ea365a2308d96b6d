# For each measure the largest threshold with the best value of all cuts, each tried by predicting and measuring.
naive_thresholds <- function(truth, score, measures, weights = NULL) {
  known <- !is.na(truth)
  constant <- if (!any(known)) 0.5 else if (all(truth[known] == 1)) -Inf else if (all(truth[known] == 0)) Inf
  if (!is.null(constant)) return(stats::setNames(rep(constant, length(measures)), measures))
  s <- sort(unique(score[known]), decreasing = TRUE)
  apart <- -diff(s) > 1e-10 * abs(s[-length(s)])
  cuts <- c(Inf, ((s[-1] + s[-length(s)]) / 2)[apart], -Inf)
  values <- do.call(rbind, lapply(cuts, function(cut) {
    prediction <- structure(list(score = score, response = (score >= cut) + 0L), class = "mlprediction")
    found <- evaluate(prediction, truth, measures, weights = weights)
    stats::setNames(ifelse(found$measure == "hamming_loss", -1, 1) * found$value, found$measure)
  }))
  apply(values, 2, function(v) cuts[which(v >= max(v, na.rm = TRUE) - 1e-12)[1]])
}

# The same for each label alone: measures x labels.
naive_by_label <- function(truth, score, ...) {
  columns <- seq_len(ncol(truth))
  found <- lapply(columns, \(l) naive_thresholds(truth[, l, drop = FALSE], score[, l, drop = FALSE], ...))
  `colnames<-`(do.call(cbind, found), NULL)
}

of_labels <- c(
  "macro_precision", "macro_recall", "macro_f1", "macro_fbeta", "macro_specificity", "weighted_precision",
  "weighted_recall", "weighted_f1", "weighted_fbeta", "hamming_loss", "micro_recall", "micro_specificity"
)
of_responses <- subset(list_measures(), needs == "response" & kinds == "label")$measure

best_of <- function(d, measure, by, weights = NULL, min_count = 1, threads = 1L) {
  best_thresholds(d$truth, d$score, list(measure = measure, by = by, min_count = min_count), weights, threads)
}

scored_labels <- function(n = 14, q = 4, levels = 6, unknown = 0) {
  d <- random_scored(n, q, levels)
  truth <- d$truth
  truth[runif(n * q) < unknown] <- NA
  list(truth = truth, score = d$score)
}

test_that("thresholds are the best of all cuts, of ties the largest", {
  withr::local_seed(1)
  for (case in first_or_all(1:8, 3)) {
    odd <- case %% 2 + 1
    d <- scored_labels(c(14, 5)[odd], c(4, 1)[1 + (case > 6)], c(3, 40)[odd], c(0, 0.3)[1 + (case > 4)])
    weights <- if (case %% 4 > 1) c(0.5, sample(1:3, nrow(d$truth) - 1, TRUE))
    found <- function(measure, by) best_of(d, measure, by, weights)
    all <- naive_thresholds(d$truth, d$score, of_responses, weights)
    each <- naive_by_label(d$truth, d$score, of_labels, weights)
    for (measure in of_responses) {
      expect_equal(found(measure, "all"), rep(all[[measure]], ncol(d$truth)), info = paste(measure, case))
    }
    for (measure in of_labels) {
      expect_equal(found(measure, "target"), unname(each[measure, ]), info = paste(measure, case))
    }
  }
})

test_that("thresholds of each label are the best of all combinations", {
  withr::local_seed(2)
  d <- scored_labels(9, 3, 3)
  d$truth[1:2, 3] <- 1L
  cuts <- c(Inf, 5 / 6, 0.5, -Inf)
  for (measure in of_labels) {
    value <- function(t) {
      response <- (d$score >= rep(t, each = nrow(d$score))) + 0L
      if (measure == "hamming_loss") -oracle_example(d$truth, response, measure) else
        oracle_label(d$truth, response, measure)
    }
    all <- apply(expand.grid(cuts, cuts, cuts), 1, value)
    found <- best_of(d, measure, "target")
    expect_equal(value(found), max(all), info = measure)
  }
})

test_that("the order of rows and the number of threads do not matter", {
  withr::local_seed(3)
  d <- scored_labels(4000, 6, 500, 0.1)
  weights <- sample(3, 4000, TRUE)
  order <- sample(4000)
  for (by in c("target", "all")) for (measure in c("macro_f1", "hamming_loss")) {
    found <- best_of(d, measure, by, weights)
    expect_identical(best_of(d, measure, by, weights, threads = 3L), found)
    expect_identical(best_of(lapply(d, \(x) x[order, ]), measure, by, weights[order]), found)
  }
})

test_that("labels that few rows have or lack take the threshold for all", {
  withr::local_seed(10)
  d <- scored_labels(60, 7, 30)
  d$truth[] <- 0L
  n_on <- c(0, 1, 9, 10, 50, 51, 60)
  for (l in 1:7) d$truth[sample(60, n_on[l]), l] <- 1L
  own <- best_of(d, "macro_f1", "target")
  all <- best_of(d, "macro_f1", "all")[1]
  expect_identical(best_of(d, "macro_f1", "target", min_count = 10), c(Inf, all, all, own[4:5], all, -Inf))
  d$truth[, 4] <- NA
  expect_identical(best_of(d, "macro_f1", "target")[4], best_of(d, "macro_f1", "all")[1])
  d$truth[] <- NA
  for (by in c("target", "all")) expect_identical(best_of(d, "macro_f1", by), rep(0.5, 7))
})

test_that("a model is that of its learner, with thresholds from the other folds", {
  withr::local_seed(4)
  task <- simulate_mltask(120, n_features = 6, n_targets = 4, label_density = 0.2)
  train <- task[1:80, ]
  test <- task[81:120, ]
  for (inner in list(lrn_nb(), lrn_mlknn(5), lrn_chain(lrn_nb()), lrn_lp())) {
    seeded <- function(code) withr::with_seed(7, code)
    plain <- seeded(predict(fit(inner, train), test))
    by_hand <- seeded({
      fit(inner, train)
      score <- matrix(NA, 80, 4)
      for (rows in split_rows(train, rs_cv(3))) {
        score[rows$test, ] <- predict(fit(inner, train[rows$train, ]), train[rows$test, ])$score
      }
      score
    })
    each <- naive_by_label(targets(train), by_hand, c("macro_f1", "hamming_loss"))
    for (measure in rownames(each)) {
      model <- seeded(fit(lrn_threshold(inner, measure, min_count = 1), train))
      got <- predict(model, test)
      expect_identical(got$score, plain$score)
      expect_equal(as.data.frame(tidy(model)), data.frame(target = target_names(task), threshold = each[measure, ]))
      expect_identical(unname(got$response), unname((plain$score >= rep(each[measure, ], each = 40)) + 0L))
      expect_identical(predict(model, test, threshold = 0.9), got)
    }
    common <- seeded(fit(lrn_threshold(inner, "example_f1", "all"), train))
    expect_equal(tidy(common)$threshold, rep(naive_thresholds(targets(train), by_hand, "example_f1")[[1]], 4))
  }
  scores <- c("ranking_loss", "average_precision", "macro_auc", "one_error")
  expect_identical(
    evaluate(predict(fit(lrn_threshold(lrn_nb()), train), test), test, scores),
    evaluate(predict(fit(lrn_nb(), train), test), test, scores)
  )
})

test_that("by count, every row gets the mean number of labels", {
  withr::local_seed(5)
  x <- matrix(rnorm(160), 40)
  y <- random_labels(40, 5, 0.35)
  y[1:3, ] <- 0
  size <- max(1, floor(mean(rowSums(y)) + 0.5))
  task <- mltask(x, y, kind = "label")
  model <- fit(lrn_threshold(lrn_brknn(2), by = "count"), task)
  got <- predict(model, x)
  expected <- t(apply(got$score, 1, function(s) (rank(-s, ties.method = "first") <= size) + 0L))
  expect_identical(unname(got$response), unname(expected))
  expect_true(any(apply(got$score, 1, anyDuplicated)))
  # 1.5 labels are 2; 0.2 are 1.
  two <- mltask(x, cbind(a = rep(1:0, 20), b = rep(0:1, 20), c = rep(c(1, 0, 1, 0), 10)), kind = "label")
  expect_true(all(rowSums(predict(fit(lrn_threshold(lrn_nb(), by = "count"), two), x)$response) == 2))
  rare <- mltask(x, cbind(a = rep(c(1, 0, 0, 0, 0), 8), b = 0), kind = "label")
  expect_true(all(rowSums(predict(fit(lrn_threshold(lrn_nb(), by = "count"), rare), x)$response) == 1))
  # Weighted, and known in some rows: a is on in half of what is known, b in three quarters, c in all.
  y <- cbind(a = c(1, 0, NA, NA, 1), b = c(1, 1, 0, 0, 1), c = c(1, 1, NA, 1, 1))
  task <- mltask(cbind(f = 1:5), y, kind = "label", weights = c(1, 2, 1, 0, 1))
  size <- function(task) mean_set_size(task$targets, task$rows$weights)
  expect_identical(size(task[1:3, ]), floor(1 / 3 + 3 / 4 + 1 + 0.5))
  expect_identical(size(task), floor(2 / 4 + 4 / 5 + 1 + 0.5))
})

test_that("labels without a one, without a zero or known in few rows have stated thresholds", {
  withr::local_seed(6)
  x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("a", "b", "c")))
  y <- cbind(random_labels(40, 2, 0.3), never = 0, always = 1)
  task <- mltask(x, y, kind = "label")
  for (measure in of_labels) {
    expect_identical(tidy(fit(lrn_threshold(lrn_nb(), measure), task))$threshold[3:4], c(Inf, -Inf))
  }
  model <- fit(lrn_threshold(lrn_nb()), task)
  expect_identical(unname(colMeans(predict(model, x)$response)[3:4]), c(0, 1))
  # The third label is known in two rows, and in one or none of those of a fold's model.
  y[, 3] <- NA
  y[c(2, 9), 3] <- 0:1
  few <- mltask(x, y, kind = "label")
  for (inner in list(lrn_nb(), lrn_mlknn(2))) {
    model <- fit(lrn_threshold(inner, min_count = 1), few)
    expect_false(anyNA(tidy(model)$threshold))
    expect_identical(predict(model, x)$response, cpp_response(predict(model, x)$score, tidy(model)$threshold))
  }
})

test_that("curves, benchmarks, searches and choices take it like any learner", {
  skip_unless_all()
  withr::local_seed(7)
  task <- simulate_mltask(90, n_features = 8, n_targets = 3, label_density = 0.25)
  learners <- list(
    each = lrn_threshold(lrn_nb()), all = lrn_threshold(lrn_mlknn(5), by = "all"),
    count = lrn_threshold(lrn_brknn(), by = "count"), chain = lrn_threshold(lrn_chain(lrn_nb()))
  )
  order <- sample.int(8)
  for (learner in learners[1:3]) {
    seeded <- function(code) withr::with_seed(9, code)
    curve <- seeded(one_pass(learner, task[1:60, ], task[61:90, ], order, c(2, 5, 8), threads = 2))
    for (i in 1:3) {
      columns <- order[seq_len(c(2, 5, 8)[i])]
      alone <- seeded(predict(fit(learner, task[1:60, columns]), task[61:90, columns]))
      expect_identical(curve[[i]], alone)
    }
  }
  bench <- function(threads) {
    set.seed(1)
    benchmark_selectors(list(t = task), list(sel_mim(), sel_scls()), learners, rs_cv(3), c(2, 4), 
      c("macro_f1", "ranking_loss"), threads = threads)
  }
  found <- bench(1)
  expect_identical(nrow(failures(found)), 0L)
  expect_identical(bench(2)$value, found$value)
  set.seed(1)
  plain <- benchmark_selectors(list(t = task), list(sel_mim(), sel_scls()), lrn_nb(), rs_cv(3), c(2, 4), "ranking_loss")
  expect_identical(found$value[found$measure == "ranking_loss" & found$learner == "each"], plain$value)
  set.seed(2)
  tuned <- tune_selection(task, list(sel_mim(), sel_scls()), learners[[1]], "macro_f1", k = c(2, 4),
    resampling = rs_cv(2))
  expect_match(tuned$learner$name, "Threshold NB")
  searched <- sift_features(task, sel_sequential(learners[[1]], "macro_f1", max_features = 2))
  expect_true(length(searched$feature) >= 1)
  expect_identical(spec_code(learners[[2]]), "lrn_threshold(learner = lrn_mlknn(neighbors = 5), by = \"all\")")
  expect_identical(spec_code(learners[[3]]), "lrn_threshold(learner = lrn_brknn(), by = \"count\")")
})

test_that("weights and unknown labels go where the learner within takes them", {
  withr::local_seed(8)
  x <- matrix(rnorm(150), 50)
  y <- random_labels(50, 3, 0.3)
  y[sample(150, 30)] <- NA
  weights <- sample(0:2, 50, TRUE)
  task <- mltask(x, y, kind = "label", weights = weights)
  set.seed(1)
  model <- fit(lrn_threshold(lrn_nb()), task)
  set.seed(1)
  expect_identical(tidy(model), tidy(fit(lrn_threshold(lrn_nb()), task[weights > 0, ])))
  expect_error(fit(lrn_threshold(lrn_mlknn()), task), "because ML-kNN cannot", class = "mlsift_error")
  expect_error(fit(lrn_threshold(lrn_lp()), mltask(x, y, kind = "label")), "because LP-kNN cannot",
    class = "mlsift_error")
  expect_no_error(fit(lrn_threshold(lrn_mlknn(3)), mltask(x, y, kind = "label")))
})

test_that("folds keep groups together and go forward in time", {
  withr::local_seed(11)
  x <- matrix(rnorm(180), 60)
  y <- random_labels(60, 2, 0.4)
  group <- rep(1:12, 5)
  for (rows in inner_folds(mltask(x, y, kind = "label", group = group), 3)) {
    expect_length(intersect(group[rows$train], group[rows$test]), 0)
  }
  time <- sample(60)
  task <- mltask(x, y, kind = "label", time = time)
  folds <- inner_folds(task, 3)
  expect_length(folds, 3)
  for (rows in folds) expect_lt(max(time[rows$train]), min(time[rows$test]))
  score <- matrix(NA, 60, 2)
  for (rows in folds) score[rows$test, ] <- predict(fit(lrn_nb(), task[rows$train, ]), task[rows$test, ])$score
  unseen <- is.na(score)
  expect_true(any(unseen))
  expected <- naive_by_label(replace(y, unseen, NA), replace(score, unseen, 0), "macro_f1")
  expect_equal(tidy(fit(lrn_threshold(lrn_nb(), min_count = 1), task))$threshold, expected["macro_f1", ])
})

test_that("what has no thresholds is refused", {
  withr::local_seed(9)
  task <- simulate_mltask(30, n_features = 3, n_targets = 2)
  silent <- lrn_custom("Silent", function(x, y) 1L, function(model, x) list(response = matrix(1L, nrow(x), 2)))
  mine <- msr_custom("mine", function(truth, response) 1)
  fails <- lrn_binary("Fails", function(x, y) if (length(y) < 30) stop("too few"), function(model, x) rep(0, nrow(x)))
  expect_snapshot(error = TRUE, {
    lrn_threshold(lrn_knn_regression())
    lrn_threshold("nb")
    lrn_threshold(lrn_nb(), by = "row")
    lrn_threshold(lrn_nb(), min_count = 0)
    lrn_threshold(lrn_nb(), "macro_f2")
    lrn_threshold(lrn_nb(), "ranking_loss")
    lrn_threshold(lrn_nb(), "accuracy")
    lrn_threshold(lrn_nb(), mine)
    lrn_threshold(lrn_nb(), "example_f1")
    fit(lrn_threshold(silent), task)
    fit(lrn_threshold(fails), task)
    fit(lrn_threshold(lrn_nb()), task[1:2, ])
    fit(lrn_threshold(lrn_nb()), numeric_task(1))
    tidy(fit(lrn_nb(), task))
  })
  expect_error(predict(fit(lrn_threshold(silent, by = "count"), task), task), "needs? scores", class = "mlsift_error")
  expect_snapshot({
    lrn_threshold(lrn_nb(), "micro_f1", "all")
    set.seed(1)
    wide <- simulate_mltask(60, n_features = 3, n_targets = 7, label_density = 0.2)
    fit(lrn_threshold(lrn_nb()), wide)
    fit(lrn_threshold(lrn_nb(), by = "all"), wide)
    fit(lrn_threshold(lrn_nb(), by = "count"), wide)
  })
})

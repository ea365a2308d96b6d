# Two class targets; a level that never occurs, and one that occurs only beyond the first 30 rows.
class_task <- function(n = 50, d = 4, layout = identity) {
  x <- random_codes(n, d)
  x[, d] <- rnorm(n)
  y <- data.frame(a = factor(sample(c("u", "v", "w"), n, TRUE), levels = c("w", "none", "v", "u")),
    b = factor(sample(c("no", "yes"), n, TRUE)))
  y$a[1:30][y$a[1:30] == "v"] <- "u"
  mltask(layout(x), y, discrete = all_discrete(x)[1:3])
}

class_learners <- list(lrn_brknn(4), lrn_nb(), lrn_nb(0.5), lrn_brlr(0.1))

expect_scores <- function(learner, task, train, test, oracle) {
  model <- fit(learner, task[train, ])
  got <- predict(model, task[test, ])
  expect_named(got$score, c("a", "b"))
  for (t in c("a", "b")) {
    expected <- oracle(features(task)[train, ], targets(task)[[t]][train], features(task)[test, ])
    expect_equal(got$score[[t]], expected, tolerance = 1e-8)
    expect_identical(got$response[, t], colnames(expected)[apply(got$score[[t]], 1, which.max)])
  }
  expect_identical(predict(unserialize(serialize(model, NULL)), task[test, ], threads = 2), got)
}

indicators <- function(y) {
  categories <- intersect(levels(y), as.character(y))
  `colnames<-`(sapply(categories, function(c) (y == c) + 0), categories)
}

test_that("BR-kNN is the nearest-neighbor rule", {
  withr::local_seed(1)
  for (k in c(1, 4, 5)) {
    expect_scores(lrn_brknn(k, "none"), class_task(), 1:30, 31:50, function(x, y, query) {
      neighbors <- oracle_neighbors(x, query, k)
      categories <- intersect(levels(y), as.character(y))
      votes <- t(apply(neighbors, 1, function(rows) table(factor(y[rows], categories)) / k))
      `colnames<-`(votes, categories)
    })
  }
})

test_that("naive Bayes gives the posterior of each category", {
  withr::local_seed(2)
  for (laplace in c(0, 0.5, 1)) {
    expect_scores(lrn_nb(laplace), class_task(), 1:30, 31:50, function(x, y, query) {
      oracle_nb_classes(x, y, query, laplace, c(TRUE, TRUE, TRUE, FALSE))
    })
  }
  task <- class_task()
  everywhere <- features(task)[1:3, ]
  everywhere[, 1] <- 9
  score <- predict(fit(lrn_nb(0), task[1:30, ]), everywhere)$score
  expect_identical(score, list(a = cbind(w = rep(0.5, 3), u = 0.5), b = cbind(no = rep(0.5, 3), yes = 0.5)))
})

test_that("naive Bayes of two categories is that of a label", {
  withr::local_seed(3)
  task <- class_task()
  as_label <- mltask(features(task), cbind(b = targets(task)$b == "yes"), discrete = all_discrete(features(task))[1:3])
  got <- predict(fit(lrn_nb(), task), task)$score$b[, "yes"]
  expect_equal(got, predict(fit(lrn_nb(), as_label), as_label)$score[, "b"], tolerance = 1e-12)
})

test_that("BRLR fits each category against the others", {
  withr::local_seed(4)
  expect_scores(lrn_brlr(0.1), class_task(), 1:30, 31:50, function(x, y, query) {
    on <- indicators(y)
    p <- oracle_brlr(x, on, query, 0.1)
    `colnames<-`(p / rowSums(p), colnames(on))
  })
})

test_that("scores are probabilities, in every layout", {
  withr::local_seed(5)
  task <- class_task()
  for (learner in class_learners) {
    expected <- predict(fit(learner, task[1:40, ]), task[41:50, ])
    expect_true(all(abs(vapply(expected$score, rowSums, double(10)) - 1) < 1e-12))
    for (layout in list(sparse, as.data.frame)) {
      other <- mltask(layout(features(task)), targets(task), discrete = c(f1 = TRUE, f2 = TRUE, f3 = TRUE))
      got <- predict(fit(learner, other[1:40, ]), other[41:50, ])
      expect_equal(unname(got$score), unname(expected$score), tolerance = 1e-9)
    }
  }
})

test_that("curves and prepared searches equal separate models", {
  withr::local_seed(6)
  task <- class_task(60, 6)
  order <- sample(6)
  for (learner in class_learners) {
    curve <- one_pass(learner, task[1:40, ], task[41:60, ], order, 1:6)
    separate <- separate_curve(learner, task[1:40, ], task[41:60, ], order, 1:6)
    # Logistic regression starts curves from the model before.
    if (learner$name == "BRLR") expect_equal(curve, separate, tolerance = 1e-7) else expect_identical(curve, separate)
    for (measure in c("accuracy", "class_log_loss")) {
      search <- sel_sequential(learner, measure, inner = rs_fixed(1:40, 41:60))
      found <- sift_features(task, search, k = 2)
      value <- assess_features(task, sort(found$index), learner, measure, rs_fixed(1:40, 41:60))$value
      expect_identical(min(search_history(found)$value), if (measure == "accuracy") 1 - value else value)
    }
  }
})

test_that("a single category is always predicted", {
  x <- matrix(as.double(1:6), 6, dimnames = list(NULL, "f1"))
  task <- mltask(x, data.frame(y = factor(rep("only", 6), levels = c("never", "only"))))
  for (learner in class_learners) {
    got <- predict(fit(learner, task), task)
    expect_identical(got$score, list(y = cbind(only = rep(1, 6))))
    expect_identical(got$response, cbind(y = rep("only", 6)))
  }
})

test_that("benchmarks, tuning, reports and assessments take classes", {
  task <- mltask(iris, targets = "Species")
  measures <- c("accuracy", "balanced_accuracy", "class_f1", "kappa", "class_auc", "class_log_loss")
  selectors <- list(sel_mim(), sel_random())
  withr::local_seed(7)
  bench <- benchmark_selectors(list(iris = task), selectors, class_learners[-3], rs_cv(3), 1:2, measures)
  expect_identical(nrow(failures(bench)), 0L)
  expect_false(anyNA(bench$value))
  expect_gt(min(bench$value[bench$selector == "MIM-BR" & bench$measure == "accuracy"]), 0.8)
  everything <- benchmark_selectors(list(iris = task), sel_mim(), lrn_nb(), rs_cv(3), 2, measures = NULL)
  expect_identical(unique(everything$measure), measures)
  tuned <- tune_selection(task, sel_mim(), lrn_nb(), "class_log_loss", 1:3, rs_cv(3))
  expect_identical(tuned$k, tuned$curve$k[which.min(tuned$curve$mean)])
  rows <- rs_fixed(seq(1, 150, 2), seq(2, 150, 2))
  found <- assess_features(task, 3:4, lrn_nb(), measures, rows)
  model <- fit(lrn_nb(), task[seq(1, 150, 2), 3:4])
  test <- task[seq(2, 150, 2), 3:4]
  expect_identical(found$value, evaluate(predict(model, test), test, measures)$value)
  skip_if_not_installed("knitr")
  file <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  write_report(bench[bench$measure %in% measures[2:3], ], file)
  expect_match(paste(readLines(file), collapse = ""), "balanced_accuracy")
})

test_that("predictions of classes print, and are cut and tabulated", {
  task <- mltask(iris, targets = "Species")
  rows <- c(1, 51, 101, 71)
  got <- predict(fit(lrn_brknn(5), task), task[rows, ])
  expect_snapshot(got)
  expect_identical(head(got, 2)$score$Species, got$score$Species[1:2, ])
  table <- as.data.frame(got)
  expect_named(table, c("row", "target", "score", "response"))
  expect_identical(table$score, unname(apply(got$score$Species, 1, max)))
})

test_that("users' learners may give scores of categories", {
  task <- mltask(iris[c(1, 51, 101), ], targets = "Species")
  two <- mltask(iris[c(1, 51, 101), 1:4], data.frame(a = factor(c("u", "v", "v")), b = factor(c("x", "x", "z"))))
  returning <- function(answer, task) {
    learner <- lrn_custom("Mine", function(x, y) NULL, function(model, x) answer)
    predict(fit(learner, task), task)
  }
  score <- cbind(setosa = c(.5, .4, .1), versicolor = c(.5, .6, .2), virginica = c(0, 0, .7))
  expected <- c("setosa", "versicolor", "virginica")
  expect_identical(returning(list(score = score), task)$response[, "Species"], expected)
  expect_identical(returning(list(score = list(score)), task)$score, list(Species = score))
  expect_identical(returning(list(score = as.data.frame(score)), task)$score, list(Species = score))
  given <- returning(list(score = score, response = rev(expected)), task)
  expect_identical(given$response[, "Species"], rev(expected))
  of_a <- cbind(u = 1:3, v = 3:1) + 0
  of_b <- cbind(x = 1:3, z = c(5, 1, 1)) + 0
  got <- returning(list(score = list(b = of_b, a = of_a)), two)
  expect_identical(got$score, list(a = of_a, b = of_b))
  expect_identical(got$response, cbind(a = c("v", "u", "u"), b = c("z", "x", "x")))
  old <- returning(list(score = cbind(a = 1:3, b = 1) + 0, response = targets(two)), two)
  expect_identical(old$score, cbind(a = 1:3, b = 1) + 0)
  expect_snapshot(error = TRUE, {
    returning(list(score = unname(score)), task)
    returning(list(score = score[-1, ]), task)
    returning(list(score = list(of_a)), two)
    returning(list(score = list(a = of_a, c = of_b)), two)
    returning(list(score = replace(score, 2, NA)), task)
    evaluate(old, two, "class_auc")
  })
})

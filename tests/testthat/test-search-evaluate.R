# The value of each set is that of assess_features(), bit for bit.
expect_fitness <- function(task, selector, seed = 1, ...) {
  sel <- searched(selector, task, seed, ...)
  fitness <- oracle_fitness(task, selector$params, first_number(seed))
  sets <- sets_of(sel)
  expected <- vapply(seq_along(sets), function(n) fitness(sets[[n]], n), 0)
  expect_identical(values_of(sel), expected, label = paste(selector$params$learner$name, "in", selector$name))
  expect_true(all(is.finite(expected)))
}

few <- function(learner, measure, ..., inner = search_rows) {
  sel_rga(learner, measure, 4, population = 4, evaluations = 4, inner = inner, ...)
}

# Numbers, a factor of three levels and one of two, dense, sparse and with factors.
mixed_layouts <- function(seed) {
  withr::with_seed(seed, {
    x <- random_codes(45, 6)
    x[, 5:6] <- rnorm(90)
    y <- random_labels(45, 3, 0.4)
  })
  discrete <- stats::setNames(1:6 < 5, colnames(x))
  frame <- as.data.frame(x)
  frame[1:3] <- lapply(frame[1:3], factor)
  list(dense = mltask(x, y, kind = "label", discrete = discrete),
    sparse = mltask(sparse(x), sparse(y), kind = "label", discrete = discrete),
    frame = mltask(frame, y, kind = "label", discrete = discrete[4:6]))
}

test_that("learners of labels that are prepared once give the values of separate fits", {
  skip_unless_all()
  learners <- list(lrn_nb(), lrn_nb(laplace = 0.5), lrn_mlnb(), lrn_mlknn(4), lrn_brknn(3), lrn_brlr())
  discretizers <- list(NULL, disc_equal_width(3), disc_mdlp())
  measures <- c("hamming_loss", "ranking_loss", "jaccard", "average_precision")
  layouts <- mixed_layouts(1)
  for (layout in names(layouts)) {
    for (i in some_or_all(seq_along(learners), match(layout, names(layouts)))) {
      if (layout == "frame" && learners[[i]]$name == "MLNB") next  # takes no factors
      for (j in seq_along(discretizers)) {
        # Each learner meets all measures, each discretizer those of responses and of scores.
        for (measure in measures[c((i + j) %% 2 + 1, (i + j) %% 2 + 3)]) {
          expect_fitness(layouts[[layout]], few(learners[[i]], measure, discretizer = discretizers[[j]]), i + j)
        }
      }
    }
  }
})

test_that("all learners that search fast are among them, with their arguments", {
  fast <- names(Filter(function(method) !is.null(method$subsets), registry$learners))
  expect_setequal(fast, c("nb", "mlnb", "mlknn", "brknn", "brlr", "knn_regression", "linear"))
  task <- mixed_layouts(2)$dense
  others <- list(
    lrn_mlknn(4, scale = "none"), lrn_brknn(3, scale = "none"), lrn_mlnb(smoothing = 0.1), lrn_brlr(rho = 1)
  )
  for (learner in others) expect_fitness(task, few(learner, "coverage"))
})

test_that("learners that can be prepared once are", {
  local_mocked_bindings(
    fit_for_set = function(...) stop("fitted for a set"), alone_evaluator = function(...) stop("fitted for a set")
  )
  labels <- mixed_layouts(4)
  for (learner in list(lrn_nb(), lrn_mlnb(), lrn_mlknn(4), lrn_brknn(3), lrn_brlr())) {
    for (measure in c("hamming_loss", "ranking_loss")) {
      for (layout in c("dense", "sparse")) expect_no_error(searched(few(learner, measure), labels[[layout]], 1))
    }
  }
  withr::local_seed(5)
  numbers <- mltask(random_codes(45, 5), matrix(rnorm(90), 45))
  for (learner in list(lrn_knn_regression(4), lrn_linear())) {
    expect_no_error(searched(few(learner, "armse"), numbers, 1))
  }
  expect_error(searched(few(lrn_lp(), "hamming_loss"), labels$dense, 1), "fitted for a set")
})

test_that("numeric targets are predicted as in separate fits", {
  withr::local_seed(3)
  x <- cbind(random_codes(45, 5), f6 = rnorm(45))
  y <- cbind(a = x[, 3] + rnorm(45), b = rnorm(45), c = x[, 6])
  frame <- as.data.frame(x)
  frame$f3 <- factor(frame$f3)
  layouts <- list(mltask(x, y, kind = "numeric"), mltask(sparse(x), y, kind = "numeric"),
    mltask(frame, y, kind = "numeric"))
  for (task in layouts) for (learner in list(lrn_knn_regression(4), lrn_linear(), lrn_linear(rho = 0.1))) {
    for (measure in first_or_all(c("armse", "arrmse"), 1)) for (discretizer in list(NULL, disc_equal_width(3))) {
      expect_fitness(task, few(learner, measure, discretizer = discretizer))
    }
  }
})

test_that("learners that are fitted for each set, and users' own, give the same", {
  skip_unless_all()
  task <- numbers_task(4, 6)
  own <- msr_custom("own", function(truth, response) mean(truth == response), "response", "maximize", c(0, 1))
  margin <- msr_custom("margin", function(truth, score) mean(abs(truth - score)), "score", "minimize", c(0, 1))
  noisy <- lrn_custom("noisy", function(x, y) list(mean = colMeans(y), noise = stats::runif(1)), function(model, x) {
    outer(rowMeans(x) + stats::rnorm(nrow(x)) / 10, model$mean + model$noise / 10)
  })
  for (learner in list(lrn_lp(), lrn_cc_knn(3), lrn_custom("mean", function(x, y) colMeans(y), function(model, x) {
    matrix(model, nrow(x), length(model), byrow = TRUE) + rowMeans(x) / 100
  }), noisy, lrn_nb(), lrn_mlknn(4))) {
    for (measure in list("hamming_loss", own)) expect_fitness(task, few(learner, measure))
    scores <- learner$name != "LP"
    if (scores) for (measure in list("ranking_loss", margin)) expect_fitness(task, few(learner, measure))
    expect_fitness(task, few(learner, "hamming_loss", discretizer = disc_equal_width(3)))
  }
})

test_that("inner rows are drawn in a stream of their own, once or for each evaluation", {
  skip_unless_all()
  task <- numbers_task(5, 6)
  counter <- new.env()
  noisy <- counting_learner(counter, random = TRUE)
  turn <- 0L
  for (inner in list(rs_holdout(0.8, 1), rs_holdout(0.6, 3, stratify = FALSE), rs_cv(3))) {
    for (redraw in c(FALSE, TRUE)) {
      for (learner in list(lrn_nb(), lrn_mlknn(3), lrn_lp(), noisy)) {
        turn <- turn + 1L
        for (measure in some_or_all(c("hamming_loss", "jaccard"), turn + turn %/% 4L, 2L)) {
          expect_fitness(task, few(learner, measure, inner = inner, redraw = redraw), 7)
        }
      }
    }
  }
  # One evaluation is one fit for each inner split.
  counter$fit <- 0L
  searched(sel_rga(noisy, population = 3, evaluations = 8, inner = rs_cv(3)), task)
  expect_identical(counter$fit, 24L)
})

test_that("values do not depend on where else columns are taken from", {
  task <- numbers_task(6, 8)
  for (discretizer in list(NULL, disc_equal_width(3), disc_mdlp())) {
    expect_fitness(task, few(lrn_nb(), "hamming_loss", discretizer = discretizer), include = "f7", exclude = "f2")
    expect_fitness(task, few(lrn_brlr(), "ranking_loss", discretizer = discretizer), k = 2, exclude = c("f1", "f8"))
  }
})

test_that("a column that cannot be used spoils only the sets that have it", {
  task <- numbers_task(7, 5)
  task$x[3, 2] <- NA
  for (learner in list(lrn_nb(), lrn_mlknn(3), lrn_lp(), lrn_brlr())) {
    expect_warning(sel <- searched(sel_rga(learner, population = 6, evaluations = 9, inner = search_rows), task),
      "evaluations failed")
    with_it <- vapply(sets_of(sel), function(set) 2L %in% set, NA)
    expect_identical(is.infinite(values_of(sel)), with_it)
    fitness <- oracle_fitness(task, attr(sel, "selector")$params)
    expect_identical(values_of(sel)[!with_it], vapply(sets_of(sel)[!with_it], fitness, 0))
  }
})

test_that("a measure that is not defined on the inner rows names the label", {
  task <- numbers_task(8, 5)
  task$targets$values[search_rows$params$test, ] <- 0L
  expect_snapshot(error = TRUE, {
    searched(sel_rga(measure = "macro_auc", population = 2, evaluations = 3, inner = search_rows), task)
    searched(sel_nsga2(lrn_lp(), measure = "macro_auc", population = 2, evaluations = 3, inner = search_rows), task)
  })
})

test_that("a warning of the learner comes once", {
  task <- numbers_task(8, 5)
  learner <- lrn_custom("loud", function(x, y) {
    warning("Too loud.")
    colMeans(y)
  }, function(model, x) outer(rowMeans(x), model, "+"))
  said <- capture_warnings(searched(sel_rga(learner, evaluations = 25, inner = search_rows), task))
  expect_identical(said, "Too loud.")
})

test_that("a prepared learner that cannot answer leaves it to separate fits", {
  task <- numbers_task(9, 5)
  learner <- lrn_nb()
  method <- learner_method(learner)
  asked <- 0
  method$subsets <- function(train, x, params, threads) function(at, needs_score) {
    asked <<- asked + 1
    stop("no answer")
  }
  expect_fitness(task, few(learner, "hamming_loss"))
  local_mocked_bindings(learner_method = function(...) method)
  expect_fitness(task, few(learner, "hamming_loss"))
  expect_gt(asked, 0)
})

test_that("with rows that are drawn anew, a discretizer that fails spoils the sets that have the column", {
  task <- numbers_task(7, 5)
  task$x[3, 2] <- NA
  for (redraw in c(TRUE, FALSE)) {
    selector <- sel_rga(lrn_nb(), population = 6, evaluations = 9, inner = rs_cv(2), redraw = redraw,
      discretizer = disc_equal_width(3))
    expect_warning(sel <- searched(selector, task), "evaluations failed")
    with_it <- vapply(sets_of(sel), function(set) 2L %in% set, NA)
    expect_identical(is.infinite(values_of(sel)), with_it)
    expect_true(any(with_it) && !all(with_it))
  }
})

test_that("the rows of given splits are those of the task that has them", {
  set.seed(1)
  x <- matrix(rnorm(240), 60)
  y <- cbind(a = x[, 1] > 0, b = x[, 2] + rnorm(60) > 0)
  rows <- rs_fixed(1:20, 21:40)
  alone <- function(task) vapply(1:4, function(f) assess_features(task, f, lrn_nb(), "hamming_loss", rows)$value, 0)
  task <- mltask(x, y, weights = rep(c(0, 1, 1), 20))
  sel <- sift_features(task, sel_sequential(max_features = 1, inner = rows))
  expect_identical(search_history(sel)$value, alone(task))

  # Inside a benchmark, rows that are not for training fall away.
  task <- mltask(x, y)
  inside <- rs_custom(list(a = list(train = c(1:20, 50), test = 21:41), b = list(train = 41:45, test = 46:49)))
  bench <- benchmark_selectors(list(task = task), sel_sequential(max_features = 1, inner = inside), lrn_nb(),
    rs_fixed(c(1:40, 51:60), 41:50), k = 1, measures = "hamming_loss")
  expect_identical(attr(bench, "searches")$value, alone(task))
  expect_match(failures(suppressWarnings(suppressMessages(benchmark_selectors(list(task = task),
    sel_sequential(max_features = 1, inner = rs_fixed(1:20, 41:50)), lrn_nb(), rs_fixed(c(1:40, 51:60), 41:50), k = 1,
    measures = "hamming_loss"))))$message, "must have training and test rows among those that are to be split")
})

# Patterns (ngCMatrix) beside sparse matrices of ones.

random_pattern <- function(n = 40L, d = 9L, p = 0.3) {
  x <- matrix(stats::runif(n * d) < p, n, d)
  x[, 2L] <- FALSE    # never
  x[, 3L] <- TRUE     # always
  x[, 5L] <- x[, 4L]  # a copy
  x[-1L, 6L] <- TRUE  # in more than half of the rows
  pattern <- methods::as(Matrix::Matrix(x, sparse = TRUE), "nMatrix")
  methods::as(methods::as(pattern, "generalMatrix"), "CsparseMatrix")
}

of_ones <- function(x) methods::as(x, "dMatrix")

pattern_pair <- function(seed, n = 40L, d = 9L, q = 3L, p = 0.3) {
  withr::local_seed(seed)
  x <- random_pattern(n, d, p)
  y <- methods::as(sparse(random_labels(n, q, 0.4)), "nMatrix")
  list(pattern = mltask(x, y), values = mltask(of_ones(x), of_ones(y)))
}

test_that("patterns are kept, as features and as labels", {
  tasks <- pattern_pair(1)
  expect_s4_class(features(tasks$pattern), "ngCMatrix")
  expect_s4_class(targets(tasks$pattern), "ngCMatrix")
  expect_identical(feature_names(tasks$pattern), paste0("f", 1:9))
  expect_identical(tasks$pattern$discrete, tasks$values$discrete)
  expect_identical(capture.output(print(tasks$pattern)), capture.output(print(tasks$values)))
  expect_identical(summary(tasks$pattern), summary(tasks$values))
  expect_identical(as.matrix(tasks$pattern), as.matrix(tasks$values))
  expect_identical(as.data.frame(tasks$pattern), as.data.frame(tasks$values))
  expect_identical(check_task(tasks$pattern), check_task(tasks$values))
  expect_identical(features(drop_features(tasks$pattern)), features(drop_features(tasks$values)) |> as("nMatrix"))
  expect_identical(as.matrix(filter_frequent(tasks$pattern, 0.5)), as.matrix(filter_frequent(tasks$values, 0.5)))
  some <- tasks$pattern[c(3, 1, 20), c("f4", "f1")]
  expect_s4_class(features(some), "ngCMatrix")
  expect_identical(as.matrix(some), as.matrix(tasks$values[c(3, 1, 20), c("f4", "f1")]))
  expect_identical(as.matrix(rbind(some, some)), rbind(as.matrix(some), as.matrix(some)))
  expect_s4_class(features(mltask(methods::as(random_pattern(), "TsparseMatrix"), rep(0:1, 20))), "ngCMatrix")
})

test_that("patterns that were built by hand are checked", {
  x <- random_pattern()
  x@i[2L] <- 99L
  expect_error(mltask(x, rep(0:1, 20)), "valid <ngCMatrix>", class = "mlsift_error")
})

test_that("a pattern may be numeric targets or classes", {
  x <- matrix(stats::rnorm(80), 40)
  y <- random_pattern()[, c(1, 4)]
  expect_identical(mltask(x, y, kind = "numeric")$targets, mltask(x, of_ones(y), kind = "numeric")$targets)
  expect_identical(mltask(x, y, kind = "class")$targets, mltask(x, of_ones(y), kind = "class")$targets)
})

test_that("every selector gives the same bits for a pattern as for ones", {
  skip_unless_all()
  local_no_words()
  tasks <- pattern_pair(2)
  rows <- subset(list_selectors(), source != "you" & grepl("label", kinds))
  for (code in unique(rows$constructor)) {
    selector <- eval(str2lang(sub("label_interaction = ", "label_interaction = 1", code)))
    found <- lapply(tasks, function(task) {
      withr::with_seed(3, as.data.frame(sift_features(task, selector, threads = 1)))
    })
    expect_identical(found$pattern, found$values, label = code)
  }
})

test_that("greedy selectors give the same path with few ones, by classes of features with equal margins", {
  skip_unless_all()
  local_no_words()
  for (seed in 1:4) {
    tasks <- pattern_pair(seed, n = 300L, d = 800L, q = c(1L, 2L, 4L, 20L)[seed], p = 0.02)
    x <- as.matrix(features(tasks$values))
    for (selector in list(sel_scls(), sel_ami(), sel_mdmr(), sel_d2f(), sel_single_jmi(), sel_mrmr())) {
      found <- sift_features(tasks$pattern, selector, k = 12, threads = 1)
      expect_identical(as.data.frame(found), as.data.frame(sift_features(tasks$values, selector, k = 12, threads = 2)))
      # A feature of three levels, which has no class, comes last and meets nothing.
      beside <- cbind(x, more = rep(c(0, 1, 2), 100))
      dense <- coded_task(beside, targets(tasks$values))
      expect_identical(
        found$score,
        sift_features(dense, selector, k = 12, exclude = "more", threads = 1)$score, label = selector$name
      )
      shorter <- sift_features(tasks$pattern, selector, k = 5)
      expect_identical(as.data.frame(extend_selection(shorter, tasks$pattern, 12)), as.data.frame(found))
    }
  }
})

test_that("learners, splits and files take patterns as they take ones", {
  tasks <- pattern_pair(5, n = 60L)
  train <- 1:40
  for (learner in list(lrn_mlknn(3), lrn_brknn(3), lrn_cc_knn(3), lrn_lp(3), lrn_nb(), lrn_mlnb(), lrn_brlr(),
    lrn_chain(lrn_brlr()))) {
    score <- lapply(tasks, function(task) {
      suppressWarnings(withr::with_seed(1, predict(fit(learner, task[train, ]), features(task[-train, ]))$score))
    })
    expect_identical(score$pattern, score$values, label = learner$name)
    # Rows of either sort can be predicted.
    mixed <- suppressWarnings(withr::with_seed(1, predict(
      fit(learner, tasks$pattern[train, ]), features(tasks$values[-train, ])
    )$score))
    expect_identical(mixed, score$values, label = learner$name)
  }
  splits <- lapply(tasks, function(task) withr::with_seed(1, split_rows(task, rs_cv(3))))
  expect_identical(splits$pattern, splits$values)
  expect_identical(
    as.matrix(discretize_features(tasks$pattern)), as.matrix(discretize_features(tasks$values))
  )
  expect_identical(as.matrix(predict(fit(impute_mean(), tasks$pattern), tasks$pattern)), as.matrix(tasks$pattern))
  file <- withr::local_tempfile(fileext = ".arff")
  write_mulan(tasks$pattern, file)
  expect_identical(as.matrix(read_mulan(file)), as.matrix(tasks$values))
})

test_that("a benchmark knows patterns apart", {
  tasks <- pattern_pair(6)
  other <- tasks$pattern[c(2:40, 1), ]
  expect_false(identical(fingerprint(tasks$pattern), fingerprint(other)))
  expect_identical(fingerprint(tasks$pattern), fingerprint(pattern_pair(6)$pattern))
})

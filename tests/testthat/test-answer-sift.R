answer_task <- function(n = 120, d = 15, q = 3) {
  set.seed(1)
  simulate_mltask(n, d, q)
}

small_answer <- function(task = answer_task(), ...) {
  set.seed(2)
  sift(task, lrn_brknn(), selectors = list(sel_mim(), sel_scls()), max_features = 6, outer = rs_cv(3), ...)
}

test_that("the choice, the quality and the features are those of the parts", {
  task <- answer_task()
  answer <- small_answer(task)
  expect_s3_class(answer, "mlsift")
  expect_identical(names(answer$quality), c("what", "mean", "se", "k", "p_value"))
  expect_identical(answer$quality$what, c("chosen", "all", "random", "floor"))
  expect_identical(names(answer$features), c("rank", "feature", "score", "share", "stand_ins", "serves"))
  expect_identical(unique(answer$tuning$curve$k), 1:6)
  expect_identical(selected(answer), answer$features$feature)
  expect_identical(feature_names(subset_features(answer, k = 2)), selected(answer, 2))
  expect_identical(feature_names(subset_features(task, answer)), selected(answer))
  expect_identical(selected(answer), selected(sift_features(task, answer$tuning$selector, answer$tuning$k)))

  bench <- answer$benchmark
  of <- function(selector) bench$value[bench$selector == selector]
  expect_equal(answer$quality$mean[1:2], c(mean(of("chosen")), mean(of("all"))))
  ratio <- mean(attr(bench, "splits")$n_test / attr(bench, "splits")$n_train)
  d <- of("all") - of("chosen")
  t <- mean(d) / sqrt((1 / 3 + ratio) * var(d))
  expect_equal(answer$quality$p_value[2], 2 * pt(-abs(t), 2))
  expect_equal(answer$quality$se[1], sqrt((1 / 3 + ratio) * var(of("chosen"))))
  chosen <- subset(selections(bench), selector == "chosen")
  expect_equal(answer$features$share, vapply(selected(answer), function(f) mean(tapply(chosen$feature == f,
    chosen$split, any)), 0, USE.NAMES = FALSE))
  expect_identical(small_answer(task)$quality, answer$quality)
})

test_that("20 draws of random features are spread over the splits", {
  drawn <- 0
  original <- sel_random
  local_mocked_bindings(sel_random = function(...) {
    drawn <<- drawn + 1
    original(...)
  }, .package = "mlsift")
  draws <- function(outer) {
    drawn <<- 0
    set.seed(2)
    sift(answer_task(60, 5), lrn_brknn(), selectors = sel_mim(), max_features = 2, outer = outer)
    drawn
  }
  expect_identical(draws(rs_cv(4)), 5)
  expect_identical(draws(rs_holdout(0.5, 3)), 7)
})

test_that("the floor is what predicting the most frequent gives", {
  task <- answer_task()
  set.seed(5)
  splits <- split_rows(task, rs_cv(3))
  y <- as.matrix(targets(task))
  by_hand <- vapply(splits, function(split) {
    score <- matrix(colMeans(y[split$train, ]), length(split$test), 3, byrow = TRUE)
    msr_average_precision(y[split$test, ], score)
  }, 0)
  found <- assess_features(task, 1, frequency_learner(), "average_precision", rs_custom(unname(splits)))$value
  expect_equal(found, unname(by_hand))
  flowers <- mltask(iris, targets = Species)
  rows <- list(train = 1:90, test = 91:150)
  prediction <- predict(fit(frequency_learner(), flowers[rows$train, ]), flowers[rows$test, ])
  expect_identical(unique(as.vector(prediction$response)), "setosa")
  numbers <- mltask(iris[1:2], iris[3:4])
  prediction <- predict(fit(frequency_learner(), numbers[rows$train, ]), numbers[rows$test, ])
  expect_equal(prediction$response[7, ], colMeans(iris[rows$train, 3:4]))
})

test_that("rows of the outer test sets are not seen by the choice", {
  task <- answer_task(90)
  spoilt <- mltask(as.data.frame(features(task)), as.data.frame(targets(task)))
  x <- as.data.frame(features(task))
  x[61:90, ] <- 1e5 * rev(x[61:90, ])
  y <- as.data.frame(targets(task))
  y[61:90, ] <- 1L - y[61:90, ]
  split <- rs_fixed(1:60, 61:90)
  choose <- function(task) {
    set.seed(3)
    found <- selections(sift(task, lrn_brknn(), selectors = list(sel_mim(), sel_mfs()), max_features = 4,
      outer = split)$benchmark)
    found[found$selector == "chosen", ]
  }
  expect_identical(choose(spoilt), choose(mltask(x, y)))
})

test_that("a data frame, classes and numbers are answered too", {
  flowers <- sift(iris, targets = Species, estimate = FALSE)
  expect_identical(flowers$tuning$measure, "balanced_accuracy")
  expect_identical(nrow(flowers$quality), 0L)
  expect_match(paste(summary(flowers), collapse = " "), "quality was not estimated")
  expect_output(print(flowers), "<mlsift> 150 rows, 4 features, 1 target", fixed = TRUE)
  data <- data.frame(id = 1:60, constant = 1, iris[seq(1, 150, length.out = 60), 1:4])
  data$copy <- data$Petal.Width
  numbers <- suppressMessages(sift(data, targets = c("Petal.Width", "Petal.Length"), outer = rs_cv(2)))
  expect_setequal(numbers$left_out$feature, c("id", "constant", "copy"))
  expect_identical(numbers$tuning$measure, "arrmse")
  expect_lt(numbers$quality$mean[1], numbers$quality$mean[4])
  here <- list2env(list(task = numbers$task))
  eval(parse(text = as_code(numbers)[-(1:2)]), here)
  expect_identical(selected(here$selection), selected(numbers))
  expect_match(paste(summary(numbers), collapse = " "), "identify rows (id); or are constant (constant)", fixed = TRUE)
  gaps <- iris
  gaps$Petal.Width[c(3, 70)] <- NA
  imputed <- sift(gaps, targets = Species, estimate = FALSE)
  expect_match(paste(as_code(imputed), collapse = " "), "impute_mean()", fixed = TRUE)
})

test_that("stand-ins are features outside with nearly the same information", {
  set.seed(6)
  n <- 200
  a <- sample(0:1, n, TRUE)
  b <- sample(0:1, n, TRUE)
  x <- cbind(a = a, b = b, almost = replace(a, 1:2, 1 - a[1:2]), copy = 1 - a, matrix(sample(0:1, 6 * n, TRUE), n))
  colnames(x)[5:10] <- paste0("n", 1:6)
  flip <- function(v, m) replace(v, m, 1 - v[m])
  task <- mltask(x, cbind(t1 = flip(a, 1:20), t2 = flip(b, 30:50)))
  set.seed(7)
  answer <- sift(task, lrn_nb(), selectors = sel_ami(), estimate = FALSE, max_features = 2)
  expect_identical(nrow(answer$quality), 0L)
  u <- function(f, g) {
    h <- function(...) {
      p <- table(...) / n
      -sum(p[p > 0] * log(p[p > 0]))
    }
    2 * (h(f) + h(g) - h(f, g)) / (h(f) + h(g))
  }
  first <- answer$features$feature[1]
  expect_true("b" %in% answer$features$feature || "a" %in% answer$features$feature)
  for (i in seq_len(nrow(answer$features))) {
    f <- answer$features$feature[i]
    others <- setdiff(colnames(x), answer$features$feature)
    similar <- vapply(others, function(g) u(x[, f], x[, g]), 0)
    expect_setequal(answer$features$stand_ins[[i]], others[similar >= 0.8])
  }
  expect_equal(answer$similarity[1, 2], u(x[, answer$features$feature[1]], x[, answer$features$feature[2]]))
  at <- match(TRUE, answer$features$feature %in% c("a", "copy", "almost"))
  expect_identical(answer$features$serves[[at]][1], "t1")
  set.seed(7)
  swap <- sift(task, lrn_nb(), selectors = sel_ami(), estimate = FALSE, max_features = 2, stand_ins = "swap")
  at <- match(TRUE, swap$features$feature %in% c("a", "copy", "almost"))
  expect_true(any(c("a", "copy", "almost") %in% swap$features$stand_ins[[at]]))
  expect_false("n1" %in% unlist(swap$features$stand_ins))
  none <- sift(task, lrn_nb(), selectors = sel_ami(), estimate = FALSE, max_features = 2, stand_ins = "none")
  expect_identical(lengths(none$features$stand_ins), c(0L, 0L)[seq_len(nrow(none$features))])
})

test_that("where there is nothing, the answer says so", {
  set.seed(8)
  task <- mltask(matrix(rnorm(100 * 8), 100), matrix(rbinom(200, 1, 0.5), 100))
  answer <- sift(task, lrn_brknn(), selectors = list(sel_mim(), sel_mfs()), outer = rs_cv(3), check = "permutation",
    permutations = 9)
  expect_match(paste(summary(answer), collapse = " "), "There is nothing here")
  expect_length(answer$check$permuted, 9L)
  expect_gt(answer$check$p_value, 0.1)
  x <- matrix(rnorm(100 * 8), 100)
  real <- small_answer(mltask(x, 1L * (x[, 1:2] > 0)), check = "permutation", estimate = FALSE, permutations = 9)
  expect_identical(real$check$p_value, 0.1)
  expect_match(paste(summary(real), collapse = " "), "in 0 of 9 trials")
})

test_that("a folder keeps what is finished, and the answer is the same", {
  folder <- file.path(withr::local_tempdir(), "answer")
  plain <- small_answer()
  kept <- small_answer(folder = folder)
  parts <- c("features", "quality", "similarity", "stability")
  expect_identical(kept[parts], plain[parts])
  set.seed(99)
  again <- sift(answer_task(), lrn_brknn(), selectors = list(sel_mim(), sel_scls()), max_features = 6, outer = rs_cv(3),
    folder = folder)
  expect_identical(again[parts], plain[parts])
})

test_that("time that is too short is said", {
  answer <- small_answer(max_seconds = 0)
  expect_identical(answer$tuning$candidates$status, c("chosen", "not tried"))
  expect_identical(nrow(answer$quality), 0L)
  said <- paste(summary(answer), collapse = " ")
  expect_match(said, "There was no time to try SCLS")
  expect_match(said, "no time to estimate")
})

test_that("few rows give fewer splits, and bad input an error", {
  task <- answer_task()
  few <- suppressWarnings(sift(task[1:14, ], lrn_brknn(), selectors = sel_mim(), max_features = 2))
  expect_match(paste(summary(few), collapse = " "), "has 3 folds: there are few rows")
  x <- as.data.frame(features(task))
  y <- as.matrix(targets(task))
  some <- function(n) mltask(x, 1L * (row(y) <= n & col(y) == row(y) %% 3 + 1))
  few <- suppressWarnings(sift(some(7), lrn_brknn(), selectors = sel_mim(), max_features = 2))
  expect_match(paste(summary(few), collapse = " "), "has 3 folds: few rows have targets to learn from")
  refused <- function(...) expect_error(sift(...), class = "mlsift_error")
  expect_error(sift(some(3)), "needs at least 4 rows that have some of the labels.*The task has 3",
    class = "mlsift_error")
  expect_s3_class(suppressWarnings(sift(some(3), lrn_brknn(), selectors = sel_mim(), estimate = FALSE)), "mlsift")
  refused(mltask(x, y[, 1] * 0L))
  refused(iris[1:51, ], targets = Species)
  expect_identical(telling_rows(mltask(as(as.matrix(x), "CsparseMatrix"), as(1 * (row(y) <= 5), "CsparseMatrix"))), 0L)
  refused(task[1:5, ])
  refused(task, learner = lrn_knn_regression())
  refused(task, measure = c("a", "b"))
  refused(task, max_features = 0)
  refused(task, selectors = list())
  refused(task, selectors = sel_rrelieff(), outer = 3)
  refused(task, check = "swap")
  refused(iris)
  refused(1:3)
  never <- lrn_custom("never", function(x, y) stop("never"), function(model, x) NULL)
  suppressWarnings(refused(task, learner = never))
  warned <- character()
  withCallingHandlers(sift(task[1:30, ], lrn_mlknn(40), selectors = sel_mim(), max_features = 2),
    warning = function(w) {
      warned <<- c(warned, root_message(w))
      rlang::cnd_muffle(w)
    })
  expect_gt(length(warned), 0)
  expect_identical(anyDuplicated(warned), 0L)
})

test_that("printing fits 25 lines of 80 columns, and everything can be shown", {
  answer <- small_answer()
  for (width in c(60, 80, 200)) {
    withr::local_options(width = width)
    lines <- capture.output(print(answer))
    expect_lte(length(lines), 25L)
    expect_lte(max(nchar(lines)), min(width, 80))
  }
  expect_identical(nrow(tidy(answer)), nrow(answer$features))
  expect_identical(glance(answer)$mean, answer$quality$mean[1])
  file <- withr::local_tempfile(fileext = ".png")
  grDevices::png(file, 700, 700)
  expect_identical(plot(answer), answer)
  grDevices::dev.off()
  expect_gt(file.size(file), 5000)
  for (part in c("features", "quality", "choice")) expect_s3_class(ggplot2::autoplot(answer, part), "ggplot")
  points <- ggplot2::ggplot_build(ggplot2::autoplot(answer, "quality"))$data[[2]]$x
  expect_equal(points, answer$quality$mean)
  skip_if_not_installed("knitr")
  page <- withr::local_tempfile(fileext = ".html")
  write_report(answer, page)
  text <- paste(readLines(page, encoding = "UTF-8"), collapse = "\n")
  expect_match(text, "Redundancy of the chosen features", fixed = TRUE)
  expect_match(text, "tune_selection(", fixed = TRUE)
  expect_error(write_report(answer, page, control = "a"), class = "mlsift_error")
})

test_that("the code runs and chooses what was chosen", {
  task <- answer_task()
  answer <- small_answer(task)
  code <- as_code(answer)
  here <- new.env()
  here$task <- task
  eval(parse(text = sub("^library.*", "", code)), here)
  expect_identical(selected(here$selection), selected(answer))
  expect_s3_class(here$tuning, "mltuning")
  expect_identical(unique(here$bench$selector), c("chosen", "all"))
  expect_identical(paste(as_code(answer$benchmark), collapse = "\n"), attr(answer$benchmark, "protocol")$call)
  expect_error(as_code(task), class = "mlsift_error")
})

test_that("weights of rows are used, of every kind of target", {
  withr::local_seed(41)
  n <- 60
  x <- data.frame(a = rnorm(n), b = rnorm(n), c = rbinom(n, 1, 0.4), d = rbinom(n, 1, 0.4))
  y <- cbind(l1 = (x$a + rnorm(n) > 0) + 0L, l2 = (x$c + rnorm(n) > 0.5) + 0L)
  w <- sample(0:3, n, TRUE)
  kinds <- list(mltask(x, y, weights = w), mltask(x, data.frame(u = factor(letters[1 + rowSums(y)])), weights = w),
    mltask(x, cbind(t1 = x$a + rnorm(n), t2 = x$c + rnorm(n)), weights = w))
  for (task in kinds) {
    answer <- sift(task, outer = rs_cv(2), max_features = 2, check = "permutation", permutations = 2)
    expect_true("MTL" %in% answer$tuning$candidates$selector[answer$tuning$candidates$n_splits > 0])
    expect_identical(nrow(answer$quality), 4L)
    expect_false(anyNA(answer$quality$mean))
    expect_output(print(answer), "rows")
  }
  # A task with weights and unknown labels, and what describes the features.
  y[sample(length(y), 30)] <- NA
  both <- sift(mltask(x, y, weights = w), outer = rs_cv(2), max_features = 2)
  expect_true(all(c("MIM-BR", "MTL") %in% both$tuning$candidates$selector[both$tuning$candidates$n_splits > 0]))
  expect_match(paste(summary(both), collapse = " "),
    "Not for this task: ELA\\+CHI, MFS \\(cannot use unknown labels\\)")
  numbers <- mltask(x, cbind(t1 = replace(x$a + rnorm(n), 1:10, NA), t2 = x$c + rnorm(n)), weights = w)
  answer <- sift(numbers, outer = rs_cv(2), max_features = 2)
  expect_false(anyNA(answer$quality$mean))
  expect_setequal(unlist(answer$features$serves), c("t1", "t2"))
  floor <- predict(fit(frequency_learner(), numbers), numbers)$response[1, ]
  known <- which(!is.na(targets(numbers)[, 1]))
  expect_equal(floor[["t1"]], weighted.mean(targets(numbers)[known, 1], w[known]))
  coded <- mltask(data.frame(c = x$c, d = x$d), cbind(l = rbinom(n, 1, 0.5)), weights = w)
  repeated <- mltask(data.frame(c = x$c, d = x$d), cbind(l = rbinom(n, 1, 0.5)))[rep(seq_len(n), w), ]
  expect_equal(similar_features(weighted_rows(coded, quote(f())), 1:2, 0, 1L)$among,
    similar_features(repeated, 1:2, 0, 1L)$among, tolerance = 1e-12)
})

test_that("a measure of your own gives what the same measure by name gives", {
  withr::local_seed(6)
  task <- simulate_mltask(60, 6, 2)
  wrong <- msr_custom("wrong", function(truth, response) mean(truth != response))
  answers <- lapply(list(wrong, "hamming_loss"), function(measure) {
    set.seed(7)
    sift(task, lrn_nb(), measure, selectors = list(sel_mim()), outer = rs_cv(2), stand_ins = "swap")
  })
  expect_equal(answers[[1]]$quality, answers[[2]]$quality)
  expect_equal(answers[[1]]$tuning$curve, answers[[2]]$tuning$curve)
  expect_identical(answers[[1]]$features$stand_ins, answers[[2]]$features$stand_ins)
})

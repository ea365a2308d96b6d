answer_task <- function(n = 120, d = 15, q = 3) {
  set.seed(1)
  simulate_mltask(n, d, q)
}

# With few splits, which are most of the time.
small_answer <- function(task = answer_task(), ..., control = NULL) {
  force(task)
  local_few_draws()
  set.seed(2)
  few <- function(...) {
    sift(task, learner = lrn_brknn(), selectors = list(sel_mim(), sel_scls()), max_features = 6, outer = rs_cv(3), ...)
  }
  if (is.null(control)) few(..., inner = rs_cv(2)) else few(..., control = control)
}

# The answer with these settings alone.
usual_answer <- made_once(small_answer)

test_that("the choice, the quality and the features are those of the parts", {
  task <- answer_task()
  answer <- usual_answer()
  expect_s3_class(answer, "mlsift")
  expect_identical(names(answer$quality),
    c("what", "mean", "se", "k", "p_value", "difference", "low", "high", "as_good", "draws"))
  expect_identical(answer$quality$what, c("chosen", "all", "random", "floor"))
  expect_identical(names(answer$features), c("rank", "feature", "score", "share", "stand_ins", "serves", "chance"))
  expect_identical(unique(answer$tuning$curve$k), 1:6)
  expect_identical(selected(answer), answer$features$feature)
  expect_identical(feature_names(subset_features(answer, k = 2)), selected(answer, 2))
  expect_identical(feature_names(subset_features(task, answer)), selected(answer))
  expect_identical(selected(answer), selected(sift_features(task, answer$tuning$selector, answer$tuning$k)))
  expect_identical(answer$learner, lrn_brknn())
  expect_identical(answer$fewest, answer$tuning$fewest)
  expect_setequal(answer$effects$feature, selected(answer))

  bench <- answer$benchmark
  of <- function(part) bench$value[bench$learner == part]
  expect_equal(answer$quality$mean, vapply(c("chosen", "all", "random", "floor"), function(part) mean(of(part)), 0,
    USE.NAMES = FALSE))
  ratio <- mean(attr(bench, "splits")$n_test / attr(bench, "splits")$n_train)
  for (row in 2:4) {
    d <- of("chosen") - of(answer$quality$what[row])
    error <- sqrt((1 / 3 + ratio) * var(d))
    expect_equal(answer$quality$p_value[row], 2 * pt(-abs(mean(d) / error), 2))
    expect_equal(answer$quality$difference[row], mean(d))
    expect_equal(unlist(answer$quality[row, c("low", "high")], use.names = FALSE),
      mean(d) + c(-1, 1) * qt(0.975, 2) * error)
  }
  expect_equal(answer$quality$se[1], sqrt((1 / 3 + ratio) * var(of("chosen"))))
  chosen <- selections(bench)
  expect_equal(answer$features$share, vapply(selected(answer), function(f) mean(tapply(chosen$feature == f,
    chosen$split, any)), 0, USE.NAMES = FALSE))
  expect_equal(answer$features$chance[1], mean(table(chosen$split)) / ncol(task))
})

test_that("what was chosen, all features and each target are measured on the outer rows", {
  local_few_draws()
  task <- answer_task()
  set.seed(2)
  answer <- sift(task, selectors = list(sel_mim(), sel_scls()), learner = list(lrn_brknn(), lrn_nb()), outer = rs_cv(3),
    inner = rs_cv(2))
  bench <- answer$benchmark
  # The same splits and choices, by public parts.
  chosen <- selections(bench)
  set.seed(2)
  number <- mlsift:::in_draw(runif(1), runif(1))
  splits <- mlsift:::with_stream(list(number, "splits", "task"), split_rows(task, rs_cv(3)))
  learners <- list(lrn_brknn(), lrn_nb())
  for (at in 1:3) {
    rows <- splits[[at]]
    names <- chosen$feature[chosen$split == unique(chosen$split)[at]]
    measure <- function(features, score = "average_precision") vapply(learners, function(learner) {
      model <- fit(learner, task[rows$train, features])
      evaluate(predict(model, task[rows$test, features]), task[rows$test, ], score)$value
    }, 0)
    value <- function(part) bench$value[bench$learner == part][at]
    expect_true(any(abs(value("chosen") - measure(names)) < 1e-12))
    expect_true(any(abs(value("all") - measure(feature_names(task))) < 1e-12))
  }
  expect_identical(answer$targets$target, target_names(task))
  expect_identical(answer$targets$floor, c(0.5, 0.5, 0.5))
  expect_identical(unique(answer$targets$measure), "AUC")
  # The mean over targets is that of the measure for all of them.
  auc <- small_answer(task, measure = "macro_auc")
  expect_equal(mean(auc$targets$chosen), auc$quality$mean[1])
  expect_equal(mean(auc$targets$all), auc$quality$mean[2])
  flowers <- sift(iris, Species, selectors = list(sel_mim(), sel_scls()), outer = rs_cv(2), inner = rs_cv(2))
  expect_equal(flowers$targets$chosen, flowers$quality$mean[1])
  numbers <- sift(iris[1:4], c("Petal.Length", "Petal.Width"), selectors = sel_mtl(), outer = rs_cv(2),
    inner = rs_cv(2))
  expect_identical(unique(numbers$targets$measure), "R2")
  expect_true(all(numbers$targets$floor <= 0))
})

test_that("random features are drawn 20 times on each split, as many as were chosen there", {
  drawn <- list()
  reached <- double()
  original <- random_sets
  local_mocked_bindings(random_sets = function(params, d, counts, stream, assess) {
    original(params, d, counts, stream, function(columns) {
      drawn[[length(drawn) + 1L]] <<- columns
      found <- assess(columns)
      reached <<- c(reached, found[[1L]]$values[[1L]])
      found
    })
  }, .package = "mlsift")
  set.seed(2)
  answer <- sift(answer_task(60, 9), learner = lrn_brknn(), selectors = list(sel_mim(), sel_scls()), max_features = 5,
    outer = rs_cv(3), inner = rs_cv(2))
  expect_length(drawn, 60L)
  expect_identical(answer$quality$draws, c(NA, NA, 60L, NA))
  sizes <- table(selections(answer$benchmark)$split)
  expect_identical(lengths(drawn), rep(as.integer(sizes), each = 20L))
  expect_true(all(vapply(drawn, function(set) !anyDuplicated(set) && all(set %in% 1:9), NA)))
  expect_gt(length(unique(lapply(drawn, sort))), 40)
  # As good as the choice, on the same split.
  bench <- answer$benchmark
  chosen <- bench$value[bench$learner == "chosen"]
  expect_identical(answer$quality$as_good[3], sum(reached >= rep(chosen, each = 20)))
  expect_equal(bench$value[bench$learner == "random"], colMeans(matrix(reached, 20)))
  expect_match(paste(summary(answer), collapse = " "),
    paste0("better than ", 60 - answer$quality$as_good[3], " of 60 random sets"))
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
  local_few_draws()
  task <- answer_task(90)
  spoilt <- mltask(as.data.frame(features(task)), as.data.frame(targets(task)))
  x <- as.data.frame(features(task))
  x[61:90, ] <- 1e5 * rev(x[61:90, ])
  y <- as.data.frame(targets(task))
  y[61:90, ] <- 1L - y[61:90, ]
  split <- rs_fixed(1:60, 61:90)
  choose <- function(task) {
    set.seed(3)
    selections(sift(task, learner = lrn_brknn(), selectors = list(sel_mim(), sel_mfs()), max_features = 4,
      outer = split, inner = rs_cv(2))$benchmark)
  }
  expect_identical(choose(spoilt), choose(mltask(x, y)))
})

test_that("a data frame, classes and numbers are answered too", {
  local_few_draws()
  flowers <- sift(iris, targets = Species, estimate = FALSE, inner = rs_cv(2))
  expect_identical(flowers$tuning$measure, "balanced_accuracy")
  expect_identical(nrow(flowers$quality), 0L)
  expect_match(paste(summary(flowers), collapse = " "),
    "quality was not estimated. Always predicting the most frequent reaches 0.333.", fixed = TRUE)
  expect_output(print(flowers), "<mlsift> 150 rows, 4 features, 1 target", fixed = TRUE)
  data <- data.frame(id = 1:60, constant = 1, iris[seq(1, 150, length.out = 60), 1:4])
  data$copy <- data$Petal.Width
  numbers <- suppressMessages(sift(data, targets = c("Petal.Width", "Petal.Length"), outer = rs_cv(2),
    inner = rs_cv(2)))
  expect_setequal(numbers$left_out$feature, c("id", "constant", "copy"))
  expect_identical(numbers$tuning$measure, "arrmse")
  expect_lt(numbers$quality$mean[1], numbers$quality$mean[4])
  here <- list2env(list(task = numbers$task))
  eval(parse(text = as_code(numbers)[-(1:2)]), here)
  expect_identical(selected(here$selection), selected(numbers))
  expect_match(paste(summary(numbers), collapse = " "), "identify rows (id); or are constant (constant)", fixed = TRUE)
  gaps <- iris
  gaps$Petal.Width[c(3, 70)] <- NA
  imputed <- sift(gaps, targets = Species, estimate = FALSE, inner = rs_cv(2))
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
  quick <- function(..., inner = rs_cv(3)) sift(..., learner = lrn_nb(), estimate = FALSE, inner = inner)
  answer <- quick(task, selectors = sel_ami(), max_features = 2)
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
  swap <- quick(task, selectors = sel_ami(), max_features = 2, stand_ins = "swap")
  at <- match(TRUE, swap$features$feature %in% c("a", "copy", "almost"))
  expect_true(any(c("a", "copy", "almost") %in% swap$features$stand_ins[[at]]))
  expect_false("n1" %in% unlist(swap$features$stand_ins))
  none <- quick(task, selectors = sel_ami(), max_features = 2, stand_ins = "none")
  expect_identical(lengths(none$features$stand_ins), c(0L, 0L)[seq_len(nrow(none$features))])
  # All splits are predicted perfectly, or there is one split: no standard error is above 0.
  for (inner in list(rs_cv(3), rs_holdout(0.7, 1))) {
    exact <- mltask(cbind(sure = 10 * a + rnorm(n), x[, c("n1", "n2")]), cbind(t1 = a))
    exact <- mltask(cbind(features(exact), twice = 2 * features(exact)[, "sure"]), targets(exact))
    swap <- quick(exact, selectors = sel_mim(), max_features = 1, inner = inner, stand_ins = "swap")
    expect_identical(swap$features$stand_ins, list("twice"))
    expect_match(summary(swap), "1 has stand-ins, with which the inner value is hardly worse", all = FALSE)
    expect_match(answer_features(swap), "Stand-ins were not chosen; in the place")
    expect_match(features_picture(swap, 1, picture_room(8, 11))$labels$subtitle, "what could take its place")
  }
})

test_that("the summary says that nearest neighbors were not tried, and what tries them", {
  found <- function(...) {
    answer <- sift(answer_task(40, 4, 1), selectors = sel_mim(), estimate = FALSE, inner = rs_cv(2), ...)
    grep("nearest neighbors", summary(answer), value = TRUE)
  }
  expect_length(found(), 0)
  local_mocked_bindings(most_differences = 40 * 40 * 4 - 1)
  expect_match(found(), "many rows: nearest neighbors. `learner = lrn_mlknn()` tries them.", fixed = TRUE)
  expect_length(found(learner = lrn_nb()), 0)
})

test_that("where there is nothing, the answer says so", {
  local_few_draws()
  set.seed(8)
  task <- mltask(matrix(rnorm(100 * 8), 100), matrix(rbinom(200, 1, 0.5), 100))
  answer <- sift(task, learner = lrn_brknn(), selectors = list(sel_mim(), sel_mfs()), outer = rs_cv(3),
    inner = rs_cv(2), check = "permutation", permutations = 9)
  expect_match(paste(summary(answer), collapse = " "), "There is nothing here")
  expect_length(answer$check$permuted, 9L)
  expect_gt(answer$check$p_value, 0.1)
  x <- matrix(rnorm(100 * 8), 100)
  real <- small_answer(mltask(x, 1L * (x[, 1:2] > 0)), check = "permutation", estimate = FALSE, permutations = 9)
  expect_identical(real$check$p_value, 0.1)
  expect_match(paste(summary(real), collapse = " "), "in 0 of 9 trials")
})

test_that("labels that are predicted one by one are not called nothing where their order is given", {
  skip_unless_all()
  local_few_draws()
  set.seed(1)
  x <- matrix(rnorm(240 * 6), 240, dimnames = list(NULL, letters[1:6]))
  task <- mltask(x, cbind(often = x[, 1] + rnorm(240) > -1.6, rare = x[, 2] + rnorm(240) > 2))
  by <- function(measure) {
    sift(task, learner = lrn_linear(), selectors = sel_mim(), max_features = 3, measure = measure, stand_ins = "none",
      inner = rs_cv(2))
  }
  answer <- by("average_precision")
  expect_lte(answer$quality$low[4], 0)
  expect_gt(answer$alone[["low"]], 0.5)
  expect_match(summary(answer)[3], "^By this measure .* one by one: their mean AUC is 0[.]75 .*\"macro_auc\"`")
  expect_no_match(paste(summary(answer), collapse = " "), "There is nothing here")

  auc <- by("macro_auc")
  floor <- auc$quality[4, ]
  expect_equal(auc$alone, c(mean = auc$quality$mean[1], low = 0.5 + floor$low, high = 0.5 + floor$high))
  auc$quality$low[4] <- -1
  expect_no_match(paste(summary(auc), collapse = " "), "one by one")
  expect_null(small_answer(task[, 1:3], estimate = FALSE)$alone)
})

test_that("the summary names features whose missing values were filled in", {
  skip_unless_all()
  withr::local_seed(3)
  x <- data.frame(a = rnorm(60), b = rnorm(60), c = factor(rep(c("u", "v", "w"), 20)), d = rnorm(60), e = rnorm(60))
  x[1, c("a", "c", "d", "e")] <- NA
  y <- cbind(s = x$b > 0, t = rnorm(60) > 0)
  said <- function(x, ...) {
    answer <- sift(mltask(x, y), learner = lrn_nb(), selectors = sel_mim(), inner = rs_cv(2), estimate = FALSE, ...)
    paste(summary(answer), collapse = " ")
  }
  expect_match(said(x),
    "Missing values of a, c, d and 1 more feature are filled in, by the mean or the most frequent value.", fixed = TRUE)
  numbers <- as.matrix(x[c("a", "b")])
  expect_match(said(numbers), "Missing values of a are filled in", fixed = TRUE)
  expect_match(said(methods::as(numbers, "CsparseMatrix")), "Missing values of a are filled in", fixed = TRUE)
  expect_no_match(said(x, impute = impute_mean()), "filled in")
  expect_no_match(said(x[2:3]), "a are filled in")
  expect_no_match(said(x["b"]), "filled in")
})

test_that("a large difference with few rows is not called nothing", {
  local_few_draws()
  withr::local_seed(9)
  x <- matrix(rnorm(80), 20)
  task <- mltask(x, cbind(t = x[, 1] + 1.5 * rnorm(20)))
  answer <- sift(task, learner = lrn_linear(), selectors = sel_mtl(), inner = rs_cv(2))
  row <- answer$quality[answer$quality$what == "floor", ]
  row$difference <- -2 * answer$quality$se[1]
  row[c("low", "high")] <- c(-1, 0.1)
  answer$quality[answer$quality$what == "floor", ] <- row
  expect_match(paste(summary(answer), collapse = " "), "There are too few rows to be sure that there is something here")
  # With few splits, these may be the reason.
  few <- answer
  few$benchmark <- few$benchmark[few$benchmark$split %in% c("fold1", "fold2"), ]
  expect_match(paste(summary(few), collapse = " "), "There are too few rows or outer splits to be sure that")
  answer$quality$difference[4] <- 0.1
  expect_match(paste(summary(answer), collapse = " "), "There is nothing here")
  expect_match(summary(sift(cars, dist, estimate = FALSE))[1], "^The only feature was chosen for")
})

test_that("the summary names features that tell a label without an error", {
  set.seed(15)
  n <- 60
  delay <- round(rnorm(n), 3)
  x <- data.frame(delay, grade = cut(delay, c(-Inf, -1, 0, 0.3, Inf), labels = letters[1:4]), noise = rnorm(n))
  x$grade <- factor(x$grade, levels = c("c", "a", "d", "b"))
  said <- function(y, ...) {
    task <- suppressMessages(mltask(x, y, ...))
    apart_sentence(list(task = task, effects = feature_effects(task)))
  }
  late <- data.frame(late = delay > 0.3)
  expect_identical(said(late), paste("One feature is enough to tell a target without an error: delay (late), grade",
    "(late). If these values come with the target, or after it, they give it away."))
  expect_match(said(data.frame(k = ifelse(late$late, "a", "b"))), "error: delay (k = a), grade (", fixed = TRUE)
  # Rows that differ from the threshold, a label that few rows have, and groups that are few.
  expect_null(said(data.frame(late = xor(late$late, seq_len(n) == 5))))
  expect_null(said(data.frame(most = delay >= sort(delay)[n - 2])))
  expect_null(said(late, group = ifelse(late$late, 1, 0) + 2 * (seq_len(n) %% 4)))
  expect_null(said(data.frame(much = 2 * delay + 1e-3 * rnorm(n))))
  # Unknown labels, missing values and rows of weight 0 do not count.
  late$late[3] <- NA
  x$delay[4] <- NA
  x$delay[5] <- 9 * (-1)^late$late[5]
  expect_match(said(late, weights = replace(rep(1, n), 5, 0)), "error: delay (late), grade (late)", fixed = TRUE)
})

test_that("a folder keeps what is finished, and the answer is the same", {
  local_few_draws()
  folder <- file.path(withr::local_tempdir(), "answer")
  plain <- usual_answer()
  kept <- small_answer(folder = folder)
  parts <- c("features", "quality", "similarity", "stability")
  expect_identical(kept[parts], plain[parts])
  set.seed(99)
  again <- sift(answer_task(), learner = lrn_brknn(), selectors = list(sel_mim(), sel_scls()), max_features = 6,
    outer = rs_cv(3), inner = rs_cv(2), folder = folder)
  expect_identical(again[parts], plain[parts])
})

test_that("a folder is resumed with a time limit, and refused with other wishes", {
  skip_unless_all()
  folder <- file.path(withr::local_tempdir(), "answer")
  task <- answer_task(60, 9, 2)
  limited <- function(...) small_answer(task, folder = folder, max_seconds = 1000, ...)
  answer <- limited(include = "f9")
  expect_identical(limited(include = "f9")$quality, answer$quality)
  expect_error(limited(include = "f2"), "another benchmark", class = "mlsift_error")
  # Wishes hold on every split.
  first <- selections(answer$benchmark)
  expect_identical(unique(first$feature[first$rank == 1]), "f9")
  # Excluded features take no part in what the choice is compared with.
  without <- small_answer(task, control = answer_control(exclude = c("f1", "f2"), inner = rs_cv(2)))
  expect_identical(without$quality, small_answer(task[, -(1:2)])$quality)
  expect_identical(without$tuning$curve, small_answer(task, exclude = 1:2, estimate = FALSE)$tuning$curve)
  here <- list2env(list(task = task))
  eval(parse(text = sub("^library.*", "", as_code(without))), here)
  expect_identical(selected(here$selection), selected(without))
  expect_error(small_answer(task, exclude = 1:9), "at least one feature", class = "mlsift_error")
})

test_that("units are begun as long as they should end in time", {
  clock <- 0
  local_mocked_bindings(now = function() clock)
  run <- function(seconds) function(keys) {
    clock <<- clock + sum(seconds[unlist(keys)])
    keys
  }
  done <- function(deadline, seconds, ...) {
    clock <<- 0
    length(run_until(deadline, as.list(seq_along(seconds)), run(seconds), ...))
  }
  expect_identical(done(Inf, rep(9, 5), 0L), 5L)
  # Those of a choice begin before the deadline; `first` always does.
  expect_identical(done(20, rep(9, 5), 0L), 3L)
  expect_identical(done(-1, rep(9, 5), 0L), 0L)
  expect_identical(done(-1, rep(9, 5), 2L), 2L)
  expect_identical(done(20, rep(9, 5), 0L, lasts = 1), 2L)
  expect_identical(done(20, rep(9, 5), 0L, lasts = 12), 1L)
  # What is stored already takes no time, and says nothing of the others.
  expect_identical(done(20, c(0, 0, 9, 9, 9), 1L, lasts = 9), 4L)
  expect_identical(done(20, c(0, 0, 15, 9), 1L, lasts = 9), 3L)
  expect_identical(done(20, rep(2, 7), 1L, at_once = 3L, lasts = 1), 7L)
  expect_identical(done(7, rep(2, 7), 1L, at_once = 3L, lasts = 1), 3L)
})

test_that("how many features were chosen everywhere is said in words", {
  said <- Map(features_were, c(0, 1, 0, 1, 2, 0, 1, 3, 1000), c(1, 1, 2, 2, 2, 3, 3, 3, 1000))
  expect_identical(unlist(said), c("The feature was not", "The feature was", "None of the 2 features was",
    "1 of the 2 features was", "Both features were", "None of the 3 features was", "1 of the 3 features was",
    "All 3 features were", "All 1,000 features were"))
})

test_that("time that is too short is said", {
  answer <- small_answer(max_seconds = 0)
  expect_identical(answer$tuning$candidates$status, c("chosen", "not tried"))
  expect_identical(nrow(answer$quality), 0L)
  said <- paste(summary(answer), collapse = " ")
  expect_match(said, "There was no time to try SCLS")
  expect_match(said, "no time to estimate")
})

test_that("a long estimate is announced, unless time is limited", {
  clock <- 0
  local_mocked_bindings(now = function() clock <<- clock + 100, choose_for_answer = function(...) list(),
    estimate_quality = function(...) rlang::abort("begun"))
  said <- function(outer, ...) {
    clock <<- 0
    begun <- list(setup = list(outer = outer, choice = list(max_seconds = 1e5)))
    estimate <- function() find_answer(begun, answer_control(...), TRUE, 0)
    paste(testthat::capture_messages(expect_error(estimate(), "begun")), collapse = "")
  }
  found <- gsub("\\s+", " ", said(rs_cv(5)))
  expect_match(found, "The choice took 100 s. To estimate its quality, it is made again on 5 outer splits, in about 8 ")
  expect_identical(said(rs_holdout(0.8, 1)), "")
  # With a folder, part of the estimate may be there.
  expect_identical(said(rs_cv(5), max_seconds = 1e6), "")
  expect_identical(said(rs_cv(5), folder = tempfile()), "")
})

test_that("an estimate has the splits for which there is time", {
  skip_unless_all()
  clock <- 0
  passes <- function(seconds) function(...) {
    clock <<- clock + seconds
    complete_unit(...)
  }
  complete_unit <- complete_unit
  answer_in <- function(max_seconds, seconds, folder = NULL) {
    clock <<- 0
    local_mocked_bindings(now = function() clock, complete_unit = passes(seconds))
    set.seed(2)
    sift(answer_task(), learner = lrn_brknn(), selectors = sel_mim(), max_features = 6, outer = rs_cv(4),
      inner = rs_cv(2), max_seconds = max_seconds, folder = folder)
  }
  # Two units are for the choice, which has a learner and all features; then one for each outer split.
  some <- answer_in(100, 10)
  expect_match(paste(summary(some), collapse = " "), "There was time for \\d of 4 splits of the estimate")
  n <- length(unique(some$benchmark$split))
  expect_identical(nrow(attr(some$benchmark, "splits")), n)
  expect_true(n > 1 && n < 4)
  all <- answer_in(Inf, 10)$benchmark
  all <- as.data.frame(all[all$split %in% some$benchmark$split, ])
  expect_identical(as.data.frame(some$benchmark)$value, all$value)
  expect_equal(some$quality$mean[1], mean(some$benchmark$value[some$benchmark$learner == "chosen"]))
  # What a folder has takes no time.
  folder <- file.path(withr::local_tempdir(), "answer")
  expect_identical(answer_in(100, 10, folder)$quality, some$quality)
  more <- answer_in(100, 10, folder)
  expect_gt(length(unique(more$benchmark$split)), n)
})

test_that("where all splits agree, no interval is stated", {
  rows <- data.frame(difference = c(0.3, 0.3, -0.25, 0, 0.1), low = c(0.1, 0.3, -0.3, 0, NA),
    high = c(0.5, 0.1 + 0.2, -0.2, 0, NA))
  expect_identical(difference_words(rows), c("+0.3 (95% from 0.1 to 0.5)", "+0.3 in every split",
    "-0.25 (95% from -0.3 to -0.2)", "+0 in every split", "+0.1"))
  expect_identical(difference_words(data.frame(difference = -9e-5, low = -5e-4, high = 1.23e8)),
    "-0.00009 (95% from -0.0005 to 1.2e+08)")
  far <- data.frame(a = rep(c(0, 10, 20), each = 20) + rnorm(60) / 9, b = rnorm(60), l = rep(letters[1:3], each = 20))
  answer <- sift(far, l, learner = lrn_nb(), selectors = sel_mim(), max_features = 1, inner = rs_cv(2),
    outer = rs_cv(2))
  said <- paste(summary(answer), collapse = " ")
  expect_match(said, "the choice reaches 1 in every split (higher is better)", fixed = TRUE)
  expect_match(said, "reaches 0.333: the difference is +0.67 in every split.", fixed = TRUE)
})

test_that("rows of which no target is known are left out", {
  x <- as.data.frame(features(answer_task()))
  y <- as.data.frame(targets(answer_task()))
  y[3:12, ] <- NA
  y[20, 1] <- NA
  task <- suppressMessages(mltask(x, y, group = rep(1:20, length.out = nrow(x))))
  choose <- function(task, ...) {
    set.seed(4)
    sift(task, learner = lrn_nb(), selectors = sel_mim(), max_features = 3, inner = rs_cv(2), ...)
  }
  answer <- choose(task, estimate = FALSE)
  expect_identical(answer$features, choose(task[-(3:12), ], estimate = FALSE)$features)
  expect_identical(nrow(answer$task), nrow(task) - 10L)
  expect_match(paste(summary(answer), collapse = " "), "Left out: 10 rows of which no target is known.", fixed = TRUE)
  here <- list2env(list(task = task))
  eval(parse(text = as_code(answer)[-1]), here)
  expect_identical(here$task, answer$task)
  # Splits that name rows keep all rows.
  split <- rs_fixed(1:60, 61:nrow(task))
  expect_identical(nrow(choose(task, outer = split, estimate = FALSE)$task), nrow(task))
  split <- rs_cv(3, group = rep(1:6, length.out = nrow(task)))
  expect_identical(nrow(choose(task, outer = split, estimate = FALSE)$task), nrow(task))
  # Learners that take known targets only can then serve a single target.
  ozone <- sift(airquality, Ozone, learner = lrn_knn_regression(), selectors = sel_mim(), max_features = 2,
    inner = rs_cv(2), estimate = FALSE)
  expect_identical(nrow(ozone$task), sum(!is.na(airquality$Ozone)))
  # Classes must be known in every task, so these rows never come into one.
  flowers <- data.frame(iris, pot = rep(1:30, 5))
  flowers$Species[c(1, 60, 150)] <- NA
  known <- flowers[-c(1, 60, 150), ]
  named <- suppressWarnings(transform(flowers, Species = ifelse(is.na(Species), "?", as.character(Species))))
  weights <- rep(1:3, 50)
  classes <- function(data, ...) sift(data, Species, learner = lrn_nb(), selectors = sel_mim(), max_features = 2,
    inner = rs_cv(2), estimate = FALSE, ...)
  answer <- classes(flowers, group = "pot", weights = weights)
  expect_identical(answer$task, mltask(known, targets = "Species", group = "pot", weights = weights[-c(1, 60, 150)]))
  expect_identical(classes(named, group = "pot", na = "?")$task, mltask(known, targets = "Species", group = "pot"))
  expect_match(paste(summary(answer), collapse = " "), "Left out: 3 rows of which no target is known.", fixed = TRUE)
  expect_error(classes(flowers, exclude = "pot", outer = rs_fixed(1:100, 101:150)), "\"Species\" is NA in row 1")
  two <- transform(flowers, size = cut(Sepal.Length, 3))
  expect_error(sift(two, c(Species, size)), "\"Species\" is NA in row 1", class = "mlsift_error")
})

test_that("the value of a target is left out where its test rows do not vary, without a warning", {
  local_few_draws()
  withr::local_seed(5)
  x <- matrix(rnorm(120), 40)
  y <- cbind(a = x[, 1] + rnorm(40), b = c(rep(0, 20), abs(x[1:20, 2])))
  outer <- rs_custom(list(one = list(train = 11:40, test = 1:10), two = list(train = 1:30, test = 31:40)))
  expect_no_warning(answer <- sift(mltask(x, y), learner = lrn_linear(), selectors = sel_mtl(), outer = outer))
  expect_false(anyNA(answer$targets$chosen))
})

test_that("splits on which a target is hardly known are left out, which is said", {
  skip_unless_all()
  set.seed(7)
  x <- matrix(rnorm(80 * 4), 80, dimnames = list(NULL, paste0("f", 1:4)))
  late <- function(from) {
    y <- data.frame(a = x[, 1] + rnorm(80) / 4, b = x[, 2] + rnorm(80) / 4)
    y$b[seq_len(from - 1L)] <- NA
    suppressMessages(mltask(x, y, time = 1:80))
  }
  local_few_draws()
  quick <- function(task, ...) sift(task, learner = lrn_linear(), selectors = list(sel_rrelieff(5)), max_features = 2,
    outer = rs_forward(3), inner = rs_forward(2), stand_ins = "none", ...)
  # Test blocks begin with rows 21, 41 and 61; inside the first 40 rows, with 14 and 27.
  expect_message(answer <- quick(late(30)), "left out because \"b\" is\\s+known in too few")
  expect_identical(unique(answer$benchmark$split), "fold3")
  expect_false(anyNA(answer$quality$mean))
  said <- paste(summary(answer), collapse = " ")
  expect_match(said, "without the splits in whose training rows b is known too seldom")
  expect_error(quick(late(79)), "have too few for \"b\"", class = "mlsift_error")
  # Rows of weight 0 are in no split, whether or not a target is known in them.
  weighted <- function(y) mltask(x, y, weights = rep(0:1, c(30, 50)), time = 1:80)
  y <- suppressMessages(targets(late(1)))
  suppressWarnings(answer <- quick(weighted(y)))
  expect_identical(unique(answer$benchmark$split), paste0("fold", 1:3))
  y[31:45, "b"] <- NA
  suppressWarnings(expect_message(answer <- quick(weighted(y)), "left out because \"b\" is\\s+known in too few"))
  expect_identical(unique(answer$benchmark$split), c("fold2", "fold3"))
  expect_false(anyNA(answer$quality$mean))
  # Groups for all rows are found in parts of them.
  group <- rep(1:8, 10)
  grouped <- sift(late(30), learner = lrn_linear(), selectors = sel_rrelieff(5), max_features = 2,
    outer = rs_cv(3, group = group), inner = rs_cv(2, group = group))
  expect_false(anyNA(grouped$quality$mean))
  known <- quick(late(1))
  expect_identical(length(unique(known$benchmark$split)), 3L)
  tune <- function(task) {
    tune_selection(task, sel_rrelieff(5), lrn_linear(), k = 1:2, resampling = rs_forward(3))
  }
  expect_message(tuned <- tune(late(30)), "Splits are left out")
  expect_identical(unique(tuned$curve$n_splits), 2L)
  expect_error(tune(late(79)), "have too few for", class = "mlsift_error")
})

test_that("few rows give fewer splits, and bad input an error", {
  skip_unless_all()
  local_few_draws()
  task <- answer_task()
  few <- suppressWarnings(sift(task[1:14, ], learner = lrn_brknn(), selectors = sel_mim(), max_features = 2))
  expect_match(paste(summary(few), collapse = " "), "has 3 folds: there are few rows")
  x <- as.data.frame(features(task))
  y <- as.matrix(targets(task))
  some <- function(n) mltask(x, 1L * (row(y) <= n & col(y) == row(y) %% 3 + 1))
  few <- suppressWarnings(sift(some(7), learner = lrn_brknn(), selectors = sel_mim(), max_features = 2))
  expect_match(paste(summary(few), collapse = " "), "has 3 folds: few rows have targets to learn from")
  # One row has each label: by the rule of vignette("how-many-rows"), no AUC is large enough to tell.
  one <- mltask(x[1:12, ], 1L * (row(diag(12)) == col(diag(12)))[, 1:5])
  one <- sift(one, learner = lrn_linear(), selectors = sel_mim(), estimate = FALSE)
  least <- (sqrt(2 * log(ncol(one$task$x))) + 1.3) * sqrt((1 + 1 / 11) / 3)
  expect_gt(least, 1)
  expect_match(summary(one)[2], "too few rows to tell which features matter", fixed = TRUE)
  expect_match(summary(one)[2], paste("With", signif(12 * (least / 0.6)^2, 2), "such rows"), fixed = TRUE)
  enough <- sift(task, learner = lrn_linear(), selectors = sel_mim(), estimate = FALSE)
  expect_no_match(summary(enough), "too few rows to")
  numbers <- function(n) mltask(features(task[seq_len(n), ]), cbind(y = sin(seq_len(n))))
  for (n in c(8, 60)) {
    said <- paste(summary(sift(numbers(n), learner = lrn_linear(), selectors = sel_rrelieff(3), estimate = FALSE)),
      collapse = " ")
    expect_identical(grepl("too few rows to tell", said), (sqrt(2 * log(ncol(task$x))) + 1.3) / sqrt(n - 1) >= 1)
  }
  refused <- function(...) expect_error(sift(...), class = "mlsift_error")
  expect_error(sift(data.frame(a = 1:20 / 3, k = paste0("id", 1:20)), k), "Target \"k\" has 20 in 20 rows",
    class = "mlsift_error")
  expect_error(check_task(one), "answer, whose `$task` is a task", fixed = TRUE, class = "mlsift_error")
  expect_error(sift(some(3)), "needs at least 4 rows that have some of the labels.*The task has 3.*estimate = FALSE",
    class = "mlsift_error")
  expect_s3_class(
    suppressWarnings(sift(some(3), learner = lrn_brknn(), selectors = sel_mim(), estimate = FALSE)), "mlsift"
  )
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
  dated <- cbind(iris, day = Sys.Date())
  expect_error(sift(dated, "Species"), "Columns of `data`", class = "mlsift_error")
  expect_error(sift(as.matrix(x), y), "a data frame or a task.*sift\\(mltask\\(x, y\\)\\)", class = "mlsift_error")
  expect_error(sift(x, y), "It is a matrix.*mltask\\(x, y\\)", class = "mlsift_error")
  expect_error(sift(x, as.data.frame(y)), "mltask\\(x, y\\)", class = "mlsift_error")
  never <- lrn_custom("never", function(x, y) stop("never"), function(model, x) NULL)
  suppressWarnings(refused(task, learner = never))
  warned <- character()
  withCallingHandlers(sift(task[1:30, ], learner = lrn_mlknn(40), selectors = sel_mim(), max_features = 2,
    outer = rs_cv(2), inner = rs_cv(2)), warning = function(w) {
    warned <<- c(warned, root_message(w))
    rlang::cnd_muffle(w)
  })
  expect_gt(length(warned), 0)
  expect_identical(anyDuplicated(warned), 0L)
})

test_that("printing fits 25 lines of 80 columns, and everything can be shown", {
  answer <- usual_answer()
  for (width in c(60, 80, 200)) {
    withr::local_options(width = width)
    lines <- capture.output(print(answer))
    expect_lte(length(lines), 25L)
    expect_lte(max(nchar(lines)), min(width, 80))
  }
  expect_output(print(answer, n = nrow(answer$features) - 1L), "# 1 more feature; plot", fixed = TRUE)
  expect_identical(nrow(tidy(answer)), nrow(answer$features))
  expect_identical(glance(answer)$mean, answer$quality$mean[1])
  file <- withr::local_tempfile(fileext = ".png")
  grDevices::png(file, 700, 700)
  expect_identical(plot(answer), answer)
  grDevices::dev.off()
  expect_gt(file.size(file), 5000)
  points <- ggplot2::ggplot_build(ggplot2::autoplot(answer, "quality"))$data[[2]]$x
  expect_equal(points, answer$quality$mean)
  skip_if_not_installed("knitr")
  page <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  write_report(answer, page)
  text <- paste(readLines(page, encoding = "UTF-8"), collapse = "\n")
  expect_match(text, "Redundancy of the chosen features", fixed = TRUE)
  expect_match(text, "tune_selection(", fixed = TRUE)
  expect_match(text, "<a href=\"#choice\">Choice</a>", fixed = TRUE)
  expect_error(write_report(answer, page, control = "a"), class = "mlsift_error")
})

test_that("the code runs and chooses what was chosen", {
  task <- answer_task()
  answer <- usual_answer()
  code <- as_code(answer)
  here <- new.env()
  here$task <- task
  eval(parse(text = sub("^library.*", "", code)), here)
  expect_identical(selected(here$selection), selected(answer))
  expect_s3_class(here$tuning, "mltuning")
  expect_identical(here$bench$value, answer$benchmark$value[answer$benchmark$learner == "chosen"])
  expect_identical(paste(as_code(answer$benchmark), collapse = "\n"), attr(answer$benchmark, "protocol")$call)
  expect_error(as_code(task), class = "mlsift_error")
})

test_that("weights of rows are used, of every kind of target", {
  skip_unless_all()
  local_few_draws()
  withr::local_seed(41)
  n <- 60
  x <- data.frame(a = rnorm(n), b = rnorm(n), c = rbinom(n, 1, 0.4), d = rbinom(n, 1, 0.4))
  y <- cbind(l1 = (x$a + rnorm(n) > 0) + 0L, l2 = (x$c + rnorm(n) > 0.5) + 0L)
  w <- sample(0:3, n, TRUE)
  kinds <- list(mltask(x, y, weights = w), mltask(x, data.frame(u = factor(letters[1 + rowSums(y)])), weights = w),
    mltask(x, cbind(t1 = x$a + rnorm(n), t2 = x$c + rnorm(n)), weights = w))
  for (task in first_or_all(kinds, 2)) {
    check <- if (all_tests() || task_kind(task) == "label") "permutation" else "none"
    answer <- sift(task, outer = rs_cv(2), inner = rs_cv(2), max_features = 2, check = check,
      permutations = if (all_tests()) 2 else 1)
    expect_true(any(answer$tuning$candidates$n_splits > 0))
    expect_identical(nrow(answer$quality), 4L)
    expect_false(anyNA(answer$quality$mean))
    expect_output(print(answer), "rows")
  }
  # A task with weights and unknown labels, and what describes the features.
  y[sample(length(y), 30)] <- NA
  both <- sift(mltask(x, y, weights = w), outer = rs_cv(2), inner = rs_cv(2), max_features = 2, estimate = all_tests())
  expect_true(all(c("SCLS", "MTL") %in% both$tuning$candidates$selector[both$tuning$candidates$n_splits > 0]))
  numbers <- mltask(x, cbind(t1 = replace(x$a + rnorm(n), 1:10, NA), t2 = x$c + rnorm(n)), weights = w)
  # Some have few neighbors.
  answer <- suppressWarnings(sift(numbers, outer = rs_cv(2), inner = rs_cv(2), max_features = 2))
  expect_false(anyNA(answer$quality$mean))
  expect_setequal(unlist(answer$features$serves), c("t1", "t2"))
  floor <- predict(fit(frequency_learner(), numbers), numbers)$response[1, ]
  known <- which(!is.na(targets(numbers)[, 1]))
  expect_equal(floor[["t1"]], weighted.mean(targets(numbers)[known, 1], w[known]))
  coded <- mltask(data.frame(c = x$c, d = x$d), cbind(l = rbinom(n, 1, 0.5)), weights = w)
  repeated <- mltask(data.frame(c = x$c, d = x$d), cbind(l = rbinom(n, 1, 0.5)))[rep(seq_len(n), w), ]
  expect_equal(similar_features(weighted_rows(coded), 1:2, 0, 1L)$among,
    similar_features(repeated, 1:2, 0, 1L)$among, tolerance = 1e-12)
})

test_that("a measure of your own gives what the same measure by name gives", {
  local_few_draws()
  withr::local_seed(6)
  task <- simulate_mltask(60, 6, 2)
  wrong <- msr_custom("wrong", function(truth, response) mean(truth != response))
  answers <- lapply(list(wrong, "hamming_loss"), function(measure) {
    set.seed(7)
    sift(task, learner = lrn_nb(), measure = measure, selectors = list(sel_mim()), outer = rs_cv(2), stand_ins = "swap")
  })
  expect_equal(answers[[1]]$quality, answers[[2]]$quality)
  expect_equal(answers[[1]]$tuning$curve, answers[[2]]$tuning$curve)
  expect_identical(answers[[1]]$features$stand_ins, answers[[2]]$features$stand_ins)
})

test_that("an answer predicts new rows as its parts do", {
  set.seed(3)
  gaps <- iris
  gaps$Petal.Width[c(3, 70)] <- NA
  gaps$Sepal.Width <- factor(cut(iris$Sepal.Width, 3), labels = c("low", "middle", "high"))
  rows <- seq(1, 150, 2)
  answer <- sift(gaps[rows, ], Species, estimate = FALSE, inner = rs_cv(2))
  new <- gaps[-rows, ]
  found <- predict(answer, new)
  task <- mltask(gaps[rows, ], targets = Species)[, selected(answer)]
  imputer <- fit(impute_mean(), task)
  model <- fit(answer$learner, predict(imputer, task))
  expected <- predict(model, predict(imputer, mltask(new, targets = Species)[, selected(answer)]))
  expect_equal(found, expected)
  # Only the chosen features are needed, in any order.
  expect_identical(predict(answer, rev(new[selected(answer)])), found)
  expect_identical(predict(answer, mltask(new, targets = Species)), found)
  added <- augment(answer, new)
  expect_identical(as.character(added$.pred_Species), unname(found$response[, 1]))
  expect_identical(as.list(added[names(new)]), as.list(new))
  expect_error(predict(answer, new["Sepal.Length"][0]), "all features that were chosen", class = "mlsift_error")
  renamed <- stats::setNames(new, sub("Petal", "petal", names(new)))
  expect_error(predict(answer, renamed), "lacks.*\"Petal.*It has \"petal", class = "mlsift_error")
  expect_error(augment(answer), "newdata", class = "mlsift_error")
  expect_error(predict(answer, unname(as.matrix(iris[selected(answer)]))), "must have column names",
    class = "mlsift_error")
  whole <- sift(iris[rows, ], Species, estimate = FALSE, learner = lrn_nb(), selectors = sel_mim())
  expect_error(predict(whole, gaps[-c(4, 5), ]), class = "mlsift_error")
  expect_error(coef(whole), class = "mlsift_error")
  numbers <- sift(iris[rows, 1:4], c(Petal.Length, Petal.Width), estimate = FALSE, learner = lrn_linear(),
    selectors = sel_mtl())
  expect_identical(dim(coef(numbers)), c(nrow(numbers$selection), 2L))
  # A column with columns stands for several, here as in mltask().
  wide <- data.frame(spectrum = I(as.matrix(unname(iris[1:3]))), width = iris$Petal.Width)
  spectra <- sift(wide[rows, ], width, estimate = FALSE, learner = lrn_linear(), selectors = sel_mtl())
  expect_identical(predict(spectra, wide[-rows, ]), predict(spectra, mltask(wide[-rows, ], targets = width)))
  expect_identical(names(augment(spectra, wide[-rows, ])), c("spectrum", "width", ".pred_width"))
})

test_that("settings are given one by one or together, and what is not known is refused in sift()'s own words", {
  task <- answer_task(60, 8)
  quick <- function(...) {
    set.seed(4)
    sift(task, learner = lrn_nb(), selectors = sel_mim(), estimate = FALSE, ...)
  }
  one <- quick(stand_ins = "none", include = "f3", inner = rs_cv(3))
  expect_identical(one[c("features", "fewest")],
    quick(control = answer_control(stand_ins = "none", include = "f3", inner = rs_cv(3)))[c("features", "fewest")])
  expect_identical(selected(one)[1L], "f3")
  expect_false("f2" %in% selected(quick(exclude = "f2")))
  expect_false("f2" %in% feature_names(quick(exclude = "f2")$task))
  refused <- function(code, text) {
    error <- expect_error(code, text, class = "mlsift_error")
    expect_identical(rlang::call_name(error$call), "sift")
  }
  refused(quick(race = TRUE), "race")
  refused(quick(check = "swap"), "check")
  refused(quick(max_cost = -1), "max_cost")
  refused(quick(max_seconds = 3, control = answer_control()), "only one")
  refused(sift(task, lrn_nb()), "learner by name|learner = ")
  refused(sift(task, group = 1:60), "group.* is for a data frame")
  expect_output(print(answer_control(check = "permutation", max_cost = 3)),
    "answer_control(check = \"permutation\", max_cost = 3)", fixed = TRUE)
})

test_that("where all features are best, they are the answer, beside the smallest set", {
  skip_unless_all()
  local_few_draws()
  withr::local_seed(5)
  x <- matrix(rnorm(150 * 12), 150, dimnames = list(NULL, letters[1:12]))
  task <- mltask(x, cbind(t = rowSums(x) + rnorm(150, sd = 3)))
  answer <- sift(task, learner = lrn_linear(), outer = rs_cv(2), tolerance = 0.5)
  expect_identical(answer$tuning$selector, sel_none())
  expect_setequal(selected(answer), letters[1:12])
  expect_lt(answer$fewest$k, 12)
  expect_identical(answer$features$feature[seq_len(answer$fewest$k)], answer$fewest$features[[1]])
  # All are in the order of a selector, without or with a smaller set.
  same <- sift(task, learner = lrn_linear(), tolerance = 0, estimate = FALSE)
  expect_identical(same$fewest$k, 12L)
  for (one in list(answer, same)) {
    expect_identical(one$features$rank, 1:12)
    selector <- one$setup$choice$selectors[[one$setup$order]]
    expect_match(paste(summary(one), collapse = " "), paste0("in the order of ", selector$name, "."), fixed = TRUE)
    expect_false(is.unsorted(-one$features$score))
    picture <- autoplot(one, "features")
    expect_match(picture$labels$title, "best first", fixed = TRUE)
    expect_match(picture$labels$subtitle, selector$name, fixed = TRUE)
  }
  # A random set of all features is the choice.
  expect_identical(answer$quality$what, c("chosen", "all", "random", "floor"))
  expect_no_match(capture.output(print(autoplot(answer, "quality")$data$label)), "random")
  expect_no_match(summary(answer), "Random features")
  said <- paste(summary(answer), collapse = " ")
  expect_match(said, "All 12 features were chosen for Linear regression")
  expect_match(said, "within 50% of the best")
  expect_output(print(answer), "within\\s+50%\\s+of\\s+the\\s+best")
  expect_s3_class(ggplot2::autoplot(answer), "ggplot")
})

test_that("wishes by position are of the features before any are left out", {
  set.seed(1)
  x <- matrix(rnorm(360), 60, dimnames = list(NULL, paste0("f", 1:6)))
  y <- cbind(a = rep(0:1, 30), b = rep(0:1, each = 30))
  x[, 2] <- 1
  found <- function(...) {
    suppressMessages(sift(mltask(x, y), learner = lrn_nb(), selectors = sel_mim(), max_features = 2, inner = rs_cv(2),
      estimate = FALSE, ...))
  }
  expect_true("f6" %in% selected(found(include = 6)))
  expect_true("f4" %in% selected(found(include = 1:6 == 4, exclude = 1)))
  expect_setequal(selected(found(groups = list(c(5, 6), c(2, 3)), include = 5)), c("f5", "f6"))
  expect_setequal(selected(found(groups = c("a", "a", NA, "b", "b", NA), include = "f4")), c("f4", "f5"))
  expect_identical(selected(found(costs = c(9, 9, 9, 1, 9, 9), max_cost = 1)), "f4")
  expect_error(found(include = 2), "must not hold features that are left out", class = "mlsift_error")
})

test_that("the choice is estimated where a group or what must be in exceeds max_features", {
  task <- withr::with_seed(1, simulate_mltask(80, n_features = 8, n_targets = 2))
  found <- function(...) withr::with_seed(2, sift(task, learner = lrn_nb(), selectors = sel_bagged(sel_mim(), 4),
    max_features = 2, inner = rs_cv(2), outer = rs_cv(2), ...))
  group <- selected(sift_features(task, sel_mim(), k = 1))
  group <- union(group, feature_names(task)[1:3])
  for (answer in list(found(groups = list(group)), found(include = group))) {
    expect_true(all(group %in% selected(answer)))
    expect_false(anyNA(answer$quality$mean))
    chosen <- selections(answer$benchmark)
    expect_true(all(vapply(split(chosen$feature, chosen$split), \(set) all(group %in% set), NA)))
  }
})

test_that("rows keep their numbers where a selector names them", {
  set.seed(1)
  x <- cbind(f1 = 1:60 + runif(60, 0, 0.1), f2 = rnorm(60))
  y <- cbind(a = rep(0:1, 30), b = rep(0:1, each = 30))
  y[c(3, 10, 20), ] <- NA
  seen <- list()
  noting <- lrn_binary("noting", function(x, y) {
    if ("f1" %in% colnames(x)) seen <<- c(seen, list(x[, "f1"]))
    1
  }, function(model, x) rep(0.5, nrow(x)))
  search <- sel_rga(noting, max_features = 2, evaluations = 3, population = 3, inner = rs_fixed(1:40, 41:57))
  suppressMessages(sift(mltask(x, y), learner = lrn_nb(), selectors = sel_ensemble(list(search, sel_mim())),
    max_features = 2, inner = rs_holdout(0.9, 1), estimate = FALSE))
  expect_identical(range(floor(unlist(seen))), c(1, 40))
  # A selection to start from is a data frame.
  start <- sift_features(mltask(iris, targets = "Species"), sel_mim(), k = 2)
  search <- sel_rga(lrn_nb(), "accuracy", max_features = 2, evaluations = 3, population = 2, start = start)
  expect_s3_class(sift(iris, Species, learner = lrn_nb(), selectors = search, max_features = 2, inner = rs_cv(2),
    estimate = FALSE), "mlsift")
  # Words for missing values are no values of rows, however many there are.
  df <- data.frame(g = c("u", "v", "?", "-", rep(c("u", "v"), 3)), h = 1:10, y = factor(rep(c("p", "q"), 5)))
  df$y[9] <- NA
  answer <- suppressMessages(sift(df, y, learner = lrn_nb(), selectors = sel_random(), max_features = 1,
    estimate = FALSE, inner = rs_cv(2), na = c(letters[1:8], "?", "-")))
  expect_identical(sum(is.na(features(answer$task)$g)), 2L)
})

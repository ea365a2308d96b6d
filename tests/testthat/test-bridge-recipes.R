tagged <- function() {
  set.seed(1)
  as.data.frame(simulate_mltask(120, n_features = 8, n_targets = 3))
}

tagged_recipe <- function(data = tagged()) {
  recipes::recipe(data, vars = names(data), roles = ifelse(startsWith(names(data), "l"), "outcome", "predictor"))
}

# The predictors that a trained recipe keeps, in column order.
kept_by <- function(recipe) {
  trained <- recipes::prep(recipe)
  names(recipes::bake(trained, new_data = NULL, recipes::all_predictors()))
}

test_that("the step keeps what sift_features() selects, with several outcomes as labels", {
  skip_if_not_installed("recipes")
  data <- tagged()
  task <- mltask(data, targets = starts_with("l"))
  for (selector in list(sel_mim(), sel_scls(), sel_relieff_ml(), sel_ml_cfs())) {
    recipe <- step_sift(tagged_recipe(data), recipes::all_predictors(), selector = selector, k = 8)
    trained <- recipes::prep(recipe)
    expected <- sift_features(task, selector, k = 8)
    expect_identical(tidy(trained, number = 1)$terms[seq_along(expected$feature)], expected$feature)
    expect_identical(tidy(trained, number = 1)$score[seq_along(expected$feature)], expected$score)
    expect_setequal(kept_by(recipe), expected$feature)
  }
})

test_that("other columns and the rows stay", {
  skip_if_not_installed("recipes")
  data <- tagged()
  recipe <- step_sift(tagged_recipe(data), f1, f2, f3, f4, selector = sel_mim(), k = 1)
  trained <- recipes::prep(recipe)
  best <- selected(sift_features(mltask(data[1:4], data[9:11]), sel_mim(), k = 1))
  expect_setequal(names(recipes::bake(trained, new_data = NULL)), c(best, paste0("f", 5:8), paste0("l", 1:3)))
  new <- data[c(5, 3, 5), 8:1]
  expect_equal(
    as.data.frame(recipes::bake(trained, new)), new[sort(c(best, paste0("f", 5:8)))], ignore_attr = "row.names"
  )
})

test_that("outcomes of all kinds do as in mltask()", {
  skip_if_not_installed("recipes")
  by_step <- function(data, outcome, ...) {
    recipe <- recipes::recipe(stats::reformulate(".", outcome), data)
    trained <- recipes::prep(step_sift(recipe, recipes::all_predictors(), k = 2, ...))
    tidy(trained, number = 1)$terms[1:2]
  }
  by_mlsift <- function(data, outcome, selector = sel_ami(), kind = NULL, ...) {
    task <- mltask(data[names(data) != outcome], data[outcome], kind = kind)
    sift_features(task, selector, k = 2, ...)$feature
  }
  expect_identical(by_step(iris, "Species"), by_mlsift(iris, "Species"))
  cars <- datasets::mtcars
  expect_identical(by_step(cars, "am"), by_mlsift(cars, "am"))
  expect_identical(by_step(cars, "am", kind = "class"), by_mlsift(cars, "am", kind = "class"))
  cars$am <- factor(cars$am, labels = c("automatic", "manual"))
  expect_identical(by_step(cars, "am"), by_mlsift(cars, "am"))
  expect_identical(by_step(cars, "mpg", target_bins = 3), by_mlsift(cars, "mpg", target_bins = 3))
  expect_identical(by_step(cars, "mpg", selector = sel_rrelieff()), by_mlsift(cars, "mpg", sel_rrelieff()))
  thirds <- disc_equal_frequency(3)
  expect_identical(by_step(cars, "am", discretizer = thirds), by_mlsift(cars, "am", discretizer = thirds))
})

test_that("targets can be named or selected", {
  skip_if_not_installed("recipes")
  data <- tagged()
  recipe <- recipes::recipe(data, vars = names(data), roles = rep(c("predictor", "tag"), c(8, 3)))
  expected <- sift_features(mltask(data[1:8], data[9:11]), sel_mim(), k = 3)$feature
  add <- function(...) step_sift(recipe, recipes::all_predictors(), selector = sel_mim(), k = 3, ...)
  expect_setequal(kept_by(add(targets = c("l1", "l2", "l3"))), expected)
  expect_setequal(kept_by(add(targets = recipes::has_role("tag"))), expected)
  expect_setequal(
    kept_by(add(targets = l2)), sift_features(mltask(data[1:8], data["l2"]), sel_mim(), k = 3)$feature
  )
})

test_that("strings and factors compete like other predictors", {
  skip_if_not_installed("recipes")
  set.seed(3)
  data <- data.frame(noise = rnorm(60), word = sample(c("a", "b", "c"), 60, TRUE), y = 0)
  data$y <- as.numeric(data$word == "b")
  recipe <- step_sift(recipes::recipe(y ~ ., data), recipes::all_predictors(), k = 1)
  for (strings in c(TRUE, FALSE)) {
    trained <- suppressWarnings(recipes::prep(recipe, strings_as_factors = strings))
    expect_identical(tidy(trained, number = 1)$terms, c("word", "noise"))
  }
  data$y <- ifelse(data$y == 1, "yes", "no")
  recipe <- step_sift(recipes::recipe(y ~ ., data), recipes::all_predictors(), k = 1)
  expect_identical(kept_by(recipe), "word")
})

test_that("missing values are refused, imputed by an earlier step or made a level", {
  skip_if_not_installed("recipes")
  data <- tagged()
  data$f2[3] <- NA
  recipe <- tagged_recipe(data)
  add <- function(recipe, ...) step_sift(recipe, recipes::all_predictors(), selector = sel_mim(), k = 3, ...)
  expect_error(recipes::prep(add(recipe)), class = "rlang_error")
  filled <- data
  filled$f2[3] <- mean(data$f2, na.rm = TRUE)
  expect_setequal(
    kept_by(add(recipes::step_impute_mean(recipe, f2))),
    sift_features(mltask(filled[1:8], filled[9:11]), sel_mim(), k = 3)$feature
  )
  levels <- disc_equal_width(4, na = "level")
  expect_setequal(
    kept_by(add(recipe, discretizer = levels)),
    sift_features(mltask(data[1:8], data[9:11]), sel_mim(), k = 3, discretizer = levels)$feature
  )
})

test_that("without predictors the step does nothing", {
  skip_if_not_installed("recipes")
  data <- tagged()
  trained <- recipes::prep(step_sift(tagged_recipe(data), tidyselect::starts_with("none")))
  expect_named(recipes::bake(trained, data), names(data))
  expect_identical(dim(tidy(trained, number = 1)), c(0L, 5L))
  none <- recipes::prep(step_sift(tagged_recipe(data)))
  expect_identical(dim(tidy(none, number = 1)), c(0L, 5L))
  expect_message(print(none$steps[[1]]), "removed: <none>")
})

test_that("a step that is skipped leaves new data alone", {
  skip_if_not_installed("recipes")
  data <- tagged()
  trained <- recipes::prep(step_sift(tagged_recipe(data), recipes::all_predictors(), k = 2, skip = TRUE))
  expect_length(recipes::bake(trained, new_data = NULL), 5)
  expect_length(recipes::bake(trained, data), 11)
})

test_that("tidy() before and after training", {
  skip_if_not_installed("recipes")
  recipe <- step_sift(tagged_recipe(), recipes::all_predictors(), f1, selector = sel_mim(), k = 3, id = "mine")
  before <- tidy(recipe, number = 1)
  expect_s3_class(before, "tbl_df")
  expect_named(before, c("terms", "score", "rank", "removed", "id"))
  expect_identical(before$terms, c("recipes::all_predictors()", "f1"))
  expect_true(all(is.na(before$score), is.na(before$rank), is.na(before$removed)))
  after <- tidy(recipes::prep(recipe), number = 1)
  expect_s3_class(after, "tbl_df")
  expect_identical(lapply(after, typeof), lapply(before, typeof))
  expect_identical(after$rank, c(1:3, rep(NA, 5)))
  expect_identical(after$removed, rep(c(FALSE, TRUE), c(3, 5)))
  expect_setequal(after$terms, paste0("f", 1:8))
  expect_identical(unique(after$id), "mine")
})

test_that("a trained recipe can be trained again on other data", {
  skip_if_not_installed("recipes")
  data <- tagged()
  other <- data
  other[1:8] <- data[8:1]
  recipe <- step_sift(tagged_recipe(data), recipes::all_predictors(), selector = sel_mim(), k = 3)
  again <- recipes::prep(recipes::prep(recipe), training = other, fresh = TRUE)
  expect_identical(
    tidy(again, number = 1)$terms[1:3], sift_features(mltask(other[1:8], other[9:11]), sel_mim(), k = 3)$feature
  )
})

test_that("the step works after saveRDS()", {
  skip_if_not_installed("recipes")
  data <- tagged()
  trained <- recipes::prep(step_sift(tagged_recipe(data), recipes::all_predictors(), k = 3))
  file <- withr::local_tempfile()
  saveRDS(trained, file)
  expect_identical(recipes::bake(readRDS(file), data), recipes::bake(trained, data))
})

test_that("the contract of a step is kept", {
  skip_if_not_installed("recipes")
  expect_message(recipes::recipes_extension_check("mlsift"), "All steps have all method")
  recipe <- step_sift(tagged_recipe(), recipes::all_predictors(), k = quote(tune()))
  found <- generics::tunable(recipe)
  expect_identical(found$name, "k")
  expect_identical(found$call_info[[1]]$fun, "num_comp")
  expect_true("mlsift" %in% generics::required_pkgs(recipe))
  expect_true(recipes::.recipes_preserve_sparsity(recipe$steps[[1]]))
  expect_error(recipes::prep(recipe), "tune")
})

test_that("sparse data give the same as dense data", {
  skip_if_not_installed("recipes")
  set.seed(4)
  x <- Matrix::rsparsematrix(60, 5, 0.2, dimnames = list(NULL, paste0("f", 1:5)))
  y <- as.numeric(x[, 2] != 0)
  data <- cbind(x, l1 = y)
  recipe <- step_sift(recipes::recipe(l1 ~ ., data), recipes::all_predictors(), selector = sel_mim(), k = 2)
  trained <- recipes::prep(recipe)
  expected <- sift_features(mltask(x, cbind(l1 = y)), sel_mim(), k = 2)
  expect_identical(tidy(trained, number = 1)$score[1:2], expected$score)
  baked <- recipes::bake(trained, data, recipes::all_predictors(), composition = "dgCMatrix")
  expect_equal(baked, x[, sort(expected$feature)], ignore_attr = c("Dimnames", "factors"))
})

test_that("case weights are the weights of rows", {
  skip_if_not_installed("recipes")
  data <- tagged()
  set.seed(2)
  w <- sample(0:4, nrow(data), TRUE)
  task <- mltask(data[1:8], data[9:11], weights = w)
  for (weights in list(recipes::frequency_weights(w), recipes::importance_weights(w + 0))) {
    weighted <- data
    weighted$times <- weights
    expect_identical(row_weights(mltask(data[1:8], data[9:11], weights = weights)), w + 0)
    recipe <- step_sift(recipes::recipe(l1 + l2 + l3 ~ ., weighted), recipes::all_predictors(), k = 4)
    trained <- recipes::prep(recipe)
    expected <- sift_features(task, sel_ami(), k = 4)
    expect_identical(tidy(trained, number = 1)$terms[1:4], expected$feature)
    expect_identical(tidy(trained, number = 1)$score[1:4], expected$score)
    expect_true("times" %in% names(recipes::bake(trained, NULL)))
    expect_output(print(trained$steps[[1]]), NA)
    new <- recipes::bake(trained, data[1:3, ])
    expect_setequal(setdiff(names(new), c("l1", "l2", "l3")), expected$feature)
  }
  # They matter.
  expect_false(identical(expected$score, sift_features(mltask(data[1:8], data[9:11]), sel_ami(), k = 4)$score))
  repeated <- data[rep(seq_len(nrow(data)), w), ]
  expect_identical(expected$score, sift_features(mltask(repeated[1:8], repeated[9:11]), sel_ami(), k = 4)$score)
})

test_that("columns of the roles group and time say what is known of rows", {
  roles <- c("predictor", "group", "time", NA, "group")
  info <- data.frame(variable = c("f", "who", "day", "who", "left"), role = roles)
  training <- data.frame(f = 1:2, who = c("a", "b"), day = 3:4)
  expect_identical(role_of_step("group", "f", training, info), c("a", "b"))
  expect_identical(role_of_step("time", "f", training, info), 3:4)
  expect_null(role_of_step("time", "f", training, info[1:2, ]))
  refused <- function(columns, why) {
    expect_error(role_of_step("group", columns, training, info), why, class = "mlsift_error")
  }
  refused(c("f", "who"), "\"who\" competes")
  info$role[3] <- "group"
  refused("f", "may have one column of the role")
  skip_if_not_installed("recipes")
  data <- cbind(tagged(), who = rep(1:12, 10))
  roles <- c(ifelse(startsWith(names(data)[-12], "l"), "outcome", "predictor"), "group")
  recipe <- recipes::recipe(data, vars = names(data), roles = roles)
  selector <- sel_bagged(sel_mim(), n = 4)
  step <- step_sift(recipe, recipes::all_predictors(), selector = selector, k = 3)
  set.seed(2)
  trained <- recipes::prep(step)
  set.seed(2)
  task <- mltask(data[startsWith(names(data), "f")], data[c("l1", "l2", "l3")], group = data$who)
  expect_identical(tidy(trained, number = 1)$score[1:3], sift_features(task, selector, k = 3)$score)
})

test_that("what cannot be used is refused", {
  skip_if_not_installed("recipes")
  data <- tagged()
  recipe <- tagged_recipe(data)
  weighted <- transform(data, w = recipes::importance_weights(rep(1, 120)))
  weighted <- recipes::recipe(l1 ~ ., weighted)
  all <- recipes::all_predictors
  plain <- recipes::recipe(data, vars = names(data), roles = rep("predictor", 11))
  expect_snapshot(error = TRUE, {
    recipes::prep(step_sift(weighted, all(), selector = sel_knn_mi()))
    recipes::prep(step_sift(plain, f1, f2))
    recipes::prep(step_sift(recipe, f1, targets = starts_with("none")))
    recipes::prep(step_sift(recipe, f1, l1))
    recipes::prep(step_sift(recipe, f1, selector = sel_mim))
    recipes::prep(step_sift(recipe, f1, k = 0))
  })
  expect_warning(recipes::prep(step_sift(recipe, f1, f2, k = 3)), class = "mlsift_warning")
})

test_that("print() names the selector", {
  skip_if_not_installed("recipes")
  recipe <- step_sift(tagged_recipe(), recipes::all_predictors(), selector = sel_mim(), k = 6)
  expect_snapshot({
    recipe$steps[[1]]
    recipes::prep(recipe)$steps[[1]]
  })
})

test_that("what misleads selectors is named once in a session, and counts are numbers", {
  skip_if_not_installed("recipes")
  withr::local_seed(3)
  data <- data.frame(
    count = stats::rpois(80, 100), place = factor(sample(letters, 80, TRUE)), y = factor(rep(c("u", "v"), 40))
  )
  step <- step_sift(recipes::recipe(y ~ ., data), recipes::all_predictors(), selector = sel_mim(), k = 1)
  local_mocked_bindings(told = new.env(parent = emptyenv()))
  expect_message(
    expect_message(trained <- recipes::prep(step), "\"count\" is used as a number"), "\"place\" has many levels"
  )
  expect_no_message(recipes::prep(step), class = "mlsift_message")
  numbers <- suppressMessages(mltask(transform(data, count = count + 0, y = NULL), data$y))
  expect_identical(tidy(trained, number = 1)$score[1L], sift_features(numbers, sel_mim(), k = 1)$score)
})

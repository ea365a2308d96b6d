skip_without_mlr3 <- function() {
  skip_if_not_installed("mlr3filters")
  loadNamespace("mlr3filters")
}

sift_filter <- function(name, ...) mlr3filters::flt(paste0("sift.", name), ...)

cars_task <- function(extra = c("drat", "wt")) {
  task <- mlr3::tsk("mtcars")
  task$set_col_roles(extra, character())
  task
}

# The scores of a filter, without the features that have none.
scores_of <- function(filter, task, nfeat = NULL) {
  scores <- filter$calculate(task, nfeat)$scores
  scores[!is.na(scores)]
}

test_that("there is a filter for each selector of classes or numbers", {
  skip_without_mlr3()
  keys <- mlr3filters::mlr_filters$keys("^sift[.]")
  expect_true(all(paste0("sift.", c("mim", "scls", "jmim", "group_jmi", "knn_mi", "rrelieff", "qpmlfs")) %in% keys))
  expect_false(any(paste0("sift.", c("custom", "ensemble", "none", "ebls", "relieff_ml")) %in% keys))
  expect_true(all(sub("^sift[.]", "sel_", keys) %in% getNamespaceExports("mlsift")))
  table <- mlr3::as.data.table(mlr3filters::mlr_filters)
  expect_identical(table[table$key == "sift.scls", ]$label, "SCLS")
})

test_that("each filter ranks like sift_features()", {
  skip_without_mlr3()
  tasks <- list(mlr3::tsk("iris"), mlr3::tsk("mtcars"))
  for (key in mlr3filters::mlr_filters$keys("^sift[.]")) {
    filter <- mlr3filters::flt(key)
    selector <- do.call(sub("^sift[.]", "sel_", key), list())
    for (task in tasks) {
      if (!task$task_type %in% filter$task_types) next
      bins <- if (task$task_type == "regr") filter$param_set$values$target_bins
      k <- length(task$feature_names)
      # sel_knn_mi() warns of repeated values.
      scores <- withr::with_seed(1, suppressWarnings(scores_of(filter, task), "mlsift_warning"))
      expected <- withr::with_seed(1, suppressWarnings(
        sift_features(as_mltask(task), selector, k = k, target_bins = bins), "mlsift_warning"
      ))
      # scores_of() leaves out features that have none, such as those that sparse models do not use.
      if (selector_method(selector)$gives == "scores") expected <- expected[!is.na(expected$score), ]
      expect_setequal(names(scores), expected$feature)
      if (all(diff(scores) < 0)) expect_named(scores, expected$feature, info = key)
      if (selector_method(selector)$gives == "path") expect_true(all(diff(scores) < 0), info = key)
      else expect_identical(scores[expected$feature], setNames(expected$score, expected$feature), info = key)
    }
  }
})

test_that("a greedy filter scores no more features than asked for", {
  skip_without_mlr3()
  scores <- scores_of(sift_filter("jmim"), mlr3::tsk("iris"), nfeat = 2)
  expect_identical(scores, setNames(c(1, 0.75), sift_features(as_mltask(mlr3::tsk("iris")), sel_jmim(), k = 2)$feature))
  filter <- sift_filter("jmim")$calculate(mlr3::tsk("iris"), nfeat = 2)
  table <- mlr3::as.data.table(filter)
  expect_named(table, c("feature", "score"))
  expect_identical(table$score, c(1, 0.75, NA, NA))
})

test_that("parameters reach the selector and sift_features()", {
  skip_without_mlr3()
  task <- mlr3::tsk("iris")
  ours <- as_mltask(task)
  named <- function(selection) setNames(selection$score, selection$feature)
  nats <- scores_of(sift_filter("mim", base = exp(1), threads = 2), task)
  expect_identical(nats, named(sift_features(ours, sel_mim(base = exp(1)))))
  thirds <- scores_of(sift_filter("mim", discretizer = disc_equal_frequency(3)), task)
  expect_identical(thirds, named(sift_features(ours, sel_mim(), discretizer = disc_equal_frequency(3))))
  near <- scores_of(sift_filter("rrelieff", neighbors = 3), mlr3::tsk("mtcars"))
  expect_identical(near, named(sift_features(as_mltask(mlr3::tsk("mtcars")), sel_rrelieff(3))))
  per_target <- sift_filter("mrmr", redundancy = "per-target")
  expect_named(scores_of(per_target, task), sift_features(ours, sel_mrmr("per-target"))$feature)
  bins <- scores_of(sift_filter("mim", target_bins = 3), mlr3::tsk("mtcars"))
  expect_identical(bins, named(sift_features(as_mltask(mlr3::tsk("mtcars")), sel_mim(), target_bins = 3)))
  expect_identical(sift_filter("mim")$param_set$values$threads, 1L)
  expect_identical(sift_filter("mim")$param_set$ids(tags = "threads"), "threads")
})

test_that("several targets", {
  skip_without_mlr3()
  task <- cars_task()
  data <- datasets::mtcars
  y <- c("mpg", "drat", "wt")
  ours <- mltask(data[setdiff(task$feature_names, y)], data[y], kind = "numeric")
  scores <- scores_of(sift_filter("rrelieff", targets = c("drat", "wt")), task)
  expected <- sift_features(ours, sel_rrelieff())
  expect_equal(scores, setNames(expected$score, expected$feature))
  expect_identical(target_names(as_mltask(task, targets = c("drat", "wt"))), y)
  binned <- scores_of(sift_filter("scls", targets = "wt", target_bins = 4), task)
  expect_setequal(names(binned), task$feature_names)
})

test_that("missing values need a discretizer with a level for them", {
  skip_without_mlr3()
  data <- iris
  data$Petal.Width[3] <- NA
  task <- mlr3::as_task_classif(data, target = "Species")
  expect_error(sift_filter("mim")$calculate(task), "missing values")
  filter <- sift_filter("mim", discretizer = disc_equal_width(4, na = "level"))
  expect_identical(filter$properties, "missings")
  expected <- sift_features(as_mltask(task), sel_mim(), discretizer = disc_equal_width(4, na = "level"))
  expect_identical(names(filter$calculate(task)$scores), expected$feature)
})

test_that("filters can be cloned and survive saveRDS()", {
  skip_without_mlr3()
  filter <- sift_filter("jmim")
  file <- withr::local_tempfile()
  saveRDS(filter, file)
  task <- mlr3::tsk("iris")
  expect_identical(scores_of(readRDS(file), task), scores_of(filter, task))
  expect_identical(scores_of(filter$clone(deep = TRUE), task), scores_of(filter, task))
})

test_that("filters are there whichever package is loaded first", {
  skip_without_mlr3()
  skip_on_cran()
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  for (packages in list(c("mlsift", "mlr3filters"), c("mlr3filters", "mlsift"))) {
    code <- sprintf(
      "for (p in c('%s', '%s')) loadNamespace(p); cat('sift.scls' %%in%% mlr3filters::mlr_filters$keys())",
      packages[1], packages[2]
    )
    said <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE, stderr = FALSE)
    expect_identical(said, "TRUE")
  }
})

test_that("mlr3 tasks become tasks", {
  skip_without_mlr3()
  task <- mlr3::tsk("iris")
  task$filter(1:100)
  ours <- as_mltask(task)
  expect_identical(dim(ours), c(100L, 4L))
  expect_identical(ours$name, "iris")
  expect_identical(task_kind(ours), "class")
  expect_identical(targets(ours)$Species, task$truth())
  numbers <- as_mltask(mlr3::tsk("mtcars"), name = "mine")
  expect_identical(numbers$name, "mine")
  expect_identical(task_kind(numbers), "numeric")
  expect_identical(task_kind(as_mltask(mlr3::tsk("sonar"))), "class")
})

test_that("the names of two classes change no score", {
  skip_without_mlr3()
  data <- datasets::iris[51:150, 1:4]
  scores <- lapply(list(c("a", "b"), c("no", "yes"), c("0", "1")), function(classes) {
    task <- mlr3::as_task_classif(cbind(data, y = factor(rep(classes, each = 50))), target = "y")
    lapply(c("chi2", "trans_mi", "mim", "relieff_br"), function(name) scores_of(sift_filter(name), task))
  })
  expect_identical(scores[[2]], scores[[1]])
  expect_identical(scores[[3]], scores[[1]])
})

test_that("weights of a task are used or refused by name", {
  skip_without_mlr3()
  set.seed(3)
  data <- cbind(datasets::iris, times = sample(0:3, 150, TRUE))
  task <- mlr3::as_task_classif(data, target = "Species")
  role <- intersect(c("weights_learner", "weight"), names(task$col_roles))
  task$set_col_roles("times", role)
  task$filter(11:150)
  weighted <- as_mltask(task)
  expect_identical(row_weights(weighted), as.double(data$times[11:150]))
  expect_identical(feature_names(weighted), sort(names(datasets::iris)[1:4]))
  expected <- sift_features(mltask(weighted[rep(1:140, row_weights(weighted)), ]$x,
    data["Species"][rep(11:150, data$times[11:150]), , drop = FALSE], kind = "class"), sel_mim())
  expect_identical(unname(sift_filter("mim")$calculate(task)$scores[expected$feature]), expected$score)
  expect_error(sift_filter("knn_mi")$calculate(task), "cannot use the weights", class = "mlsift_error")
})

test_that("groups of a task are those of its column, which is no feature", {
  skip_without_mlr3()
  task <- mlr3::as_task_classif(cbind(datasets::iris, plot = rep(1:50, 3)), target = "Species")
  task$set_col_roles("plot", "group")
  task$filter(3:150)
  expect_identical(row_groups(as_mltask(task)), factor(rep(1:50, 3)[3:150]))
  expect_identical(feature_names(as_mltask(task)), sort(names(datasets::iris)[1:4]))
})

# What as_mltask() uses of a task of mlr3, also of older versions.
like_mlr3 <- function(...) {
  data <- data.frame(y = factor(rep(c("u", "v", "u"), 7)), a = 1:21 + 0.5, p = rep(letters[1:7], each = 3), w = 1:21)
  structure(list(
    id = "plots", col_info = data.frame(id = names(data)), feature_names = c("a", "w"), target_names = "y",
    col_roles = list(...), data = function(cols) data[cols]
  ), class = c("TaskClassif", "Task"))
}

test_that("roles of columns and arguments say what is known of rows", {
  made <- function(task, ...) suppressMessages(as_mltask(task, ...))
  for (role in c("weights_learner", "weight")) {
    roles <- stats::setNames(list("p", "w"), c("group", role))
    task <- made(do.call(like_mlr3, roles))
    expect_identical(row_groups(task), factor(rep(letters[1:7], each = 3)))
    expect_identical(row_weights(task), 1:21 + 0)
    expect_identical(feature_names(task), "a")
  }
  none <- made(like_mlr3(group = character(), weight = character()))
  expect_null(c(row_groups(none), row_weights(none), row_times(none)))
  given <- made(like_mlr3(group = "p"), group = rep(1:3, 7), time = "w")
  expect_identical(row_groups(given), factor(rep(1:3, 7)))
  expect_identical(row_times(given), 1:21)
  expect_error(made(like_mlr3(), group = "y"), "`group` must not name a target", class = "mlsift_error")
  expect_error(made(like_mlr3(), time = "zyl"), "`time` must name a column", class = "mlsift_error")
})

test_that("what cannot be used is refused", {
  skip_without_mlr3()
  expect_snapshot(error = TRUE, {
    as_mltask(cars_task(), targets = "cyl")
    as_mltask(cars_task(), targets = "zyl")
    sift_filter("rrelieff", sigma = -1)$calculate(cars_task())
  })
  expect_error(sift_filter("rrelieff")$calculate(mlr3::tsk("iris")), "not compatible")
})

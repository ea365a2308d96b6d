test_that("a selection is a ranked data frame", {
  withr::local_seed(1)
  x <- random_codes(40, 6)
  task <- coded_task(x, random_labels(40, 3), name = "toy")
  sel <- sift_features(task, sel_mim(), k = 4)
  expect_s3_class(sel, c("mlselection", "data.frame"), exact = TRUE)
  expect_identical(names(sel), c("rank", "feature", "index", "score"))
  expect_identical(sel$rank, 1:4)
  expect_identical(feature_names(task)[sel$index], sel$feature)
  expect_false(is.unsorted(-sel$score))
  expect_identical(selected(sel), sel$feature)
  expect_identical(selected(sel, 2), sel$feature[1:2])
  expect_identical(feature_names(subset_features(task, sel, 3)), sel$feature[1:3])
  expect_identical(as.data.frame(head(sift_features(task, sel_mim()), 4)), as.data.frame(sel))
  expect_s3_class(head(sel, 2), "mlselection")
  expect_identical(class(sel[1:2, ]), "data.frame")
  expect_identical(class(rbind(sel, sel)), "data.frame")
  expect_identical(class(subset(sel, rank < 3)), "data.frame")
  expect_identical(tidy(sel)$term, sel$feature)
  expect_identical(glance(sel)$n_selected, 4L)
})

test_that("a selection that is changed is a plain data frame", {
  sel <- sift_features(simulate_mltask(20, 5, 2), sel_mim())
  changed <- list(
    within(sel, score <- NULL), within(sel, rank[1] <- 9L), `names<-`(sel, letters[1:4]),
    `[[<-`(sel, "score", value = 1), `$<-`(sel, "score", value = 1),
    `[<-`(sel, 1, "score", value = 0), dplyr_reconstruct.mlselection(sel[2:1, ], sel)
  )
  for (x in changed) {
    expect_identical(class(x), "data.frame")
    expect_setequal(names(attributes(x)), c("names", "row.names", "class"))
  }
})

test_that("equal scores stand in column order", {
  x <- random_codes(30, 6)[, c(1, 2, 4, 1, 2)]
  colnames(x) <- letters[1:5]
  y <- random_labels(30, 3)
  for (selector in list(sel_mim(), sel_ebls(), sel_chi2(), sel_br_cc(), sel_br_or(), sel_mfs())) {
    index <- sift_features(coded_task(x, y), selector)$index
    expect_true(which(index == 1) < which(index == 3) && which(index == 3) < which(index == 4))
    expect_true(which(index == 2) < which(index == 5))
  }
})

test_that("all features equal, one feature, one label, two rows", {
  same <- matrix(rep(c(0, 1, 1), 4), 3, dimnames = list(NULL, letters[1:4]))
  expect_identical(sift_features(mltask(same, c(0, 1, 0)), sel_mim())$feature, letters[1:4])
  expect_identical(sift_features(mltask(matrix(c(0, 1)), c(0, 1)), sel_mim())$score, 1)
  expect_identical(nrow(sift_features(mltask(matrix(c(0, 1)), c(0, 1)), sel_mfs())), 1L)
})

test_that("very large and very small numbers are no trouble for selectors of numbers", {
  withr::local_seed(3)
  x <- matrix(round(rnorm(120), 1) * rbinom(120, 1, 0.6), 30)
  y <- random_labels(30, 3)
  for (selector in list(sel_mfs(), sel_mfs("unweighted"), sel_br_cc(), sel_br_cc(abs = FALSE))) {
    expected <- scores_of(mltask(x, y), selector)
    for (exponent in c(-1000, -600, 400, 1000)) {
      expect_identical(scores_of(mltask(x * 2^exponent, y), selector), expected)
      expect_identical(scores_of(mltask(Matrix::Matrix(x * 2^exponent, sparse = TRUE), y), selector), expected)
    }
  }
})

test_that("k above the number of features means all, with a warning", {
  task <- coded_task(random_codes(20, 3), random_labels(20, 2))
  expect_snapshot(sel <- sift_features(task, sel_mim(), k = 5))
  expect_identical(nrow(sel), 3L)
})

test_that("threads come from the argument, the option and the check limits, and never change a result", {
  withr::local_seed(5)
  task <- simulate_mltask(300, 60, 5, sparse = TRUE)
  expected <- as.data.frame(sift_features(task, sel_mim(), threads = 1))
  withr::with_options(
    list(mlsift.threads = 2), expect_identical(as.data.frame(sift_features(task, sel_mim())), expected)
  )
  withr::local_envvar(`_R_CHECK_LIMIT_CORES_` = "TRUE", OMP_THREAD_LIMIT = NA)
  expect_identical(resolve_threads(64), min(2L, hardware_threads()))
  withr::local_envvar(`_R_CHECK_LIMIT_CORES_` = "false", OMP_THREAD_LIMIT = "1")
  expect_identical(resolve_threads(64), 1L)
  expect_error(sift_features(task, sel_mim(), threads = 0), class = "mlsift_error")
  expect_error(
    withr::with_options(list(mlsift.threads = "two"), sift_features(task, sel_mim())), class = "mlsift_error"
  )
})

test_that("selections survive saveRDS()", {
  task <- coded_task(random_codes(20, 3), random_labels(20, 2))
  sel <- sift_features(task, sel_chi2())
  file <- withr::local_tempfile()
  saveRDS(sel, file)
  expect_identical(readRDS(file), sel)
})

test_that("printing shows the best features", {
  x <- cbind(mfcc1 = c(1, 1, 0, 0), mfcc2 = c(0, 1, 0, 1), mfcc3 = c(0, 0, 0, 1))
  sel <- sift_features(mltask(x, cbind(a = c(1, 1, 0, 0), b = c(0, 1, 0, 0)), name = "toy"), sel_mim())
  expect_snapshot({
    sel
    print(sel, n = 1)
    sift_features(mltask(x, c(1, 1, 0, 0)), sel_none())
    sel_ebls(n_labels = 3)
    sel_none()
  })
})

test_that("tables list what there is", {
  expect_true(all(c("MIM-BR", "EBLS", "BR+CC", "BR+OR", "MFS", "Random", "All") %in% list_selectors()$name))
  expect_identical(
    names(list_selectors()),
    c("constructor", "name", "kinds", "needs", "greedy", "embedded", "weights", "unknown", "unit", "range_low",
      "range_high", "source")
  )
  expect_type(list_selectors()$greedy, "logical")
  expect_true("disc_equal_width()" %in% list_discretizers()$constructor)
})

# Data on which scores of either sign occur: noise, and equal features and labels.
tasks_to_score <- function() {
  withr::local_seed(1)
  n <- 60
  x <- matrix(stats::rnorm(n * 9), n)
  y <- (x[, rep(1:2, 2)] + stats::rnorm(4 * n) > 0) + 0
  x <- cbind(x, x[, 1:3], -x[, 1:2], x[, 1:3] + 0.1 * stats::rnorm(3 * n))
  half <- rep(0:1, 48)
  other <- rep(0:1, each = 48)
  neither <- rep(rep(0:2, each = 2), 16)
  equal <- cbind(half, half, half, half, other, half * other, neither, neither, neither)
  list(label = mltask(x, y), numeric = mltask(x, x[, 1:2] + stats::rnorm(2 * n)),
    label = suppressMessages(mltask(unname(equal), unname(equal[, 1:5]), kind = "label")))
}

test_that("scores lie in the range that the list of selectors gives, and have either sign where it says so", {
  skip_unless_all()
  tasks <- tasks_to_score()
  listed <- subset(list_selectors(), !is.na(unit) & source != "you")
  selectors <- every_selector()[match(listed$constructor, list_selectors()$constructor)]
  withr::local_seed(2)
  for (i in seq_len(nrow(listed))) {
    kind <- if (grepl("label", listed$kinds[i])) "label" else "numeric"
    scores <- unlist(lapply(tasks[names(tasks) == kind], function(task) {
      selector <- selectors[[i]]
      if (listed$name[i] == "GMBA") selector <- sel_gmba(s_min = 0.5)
      suppressWarnings(suppressMessages(sift_features(task, selector)))$score
    }))
    scores <- scores[is.finite(scores)]
    expect_gt(length(scores), 10)
    expect_gte(min(scores), listed$range_low[i] - 1e-9, label = listed$constructor[i])
    expect_lte(max(scores), listed$range_high[i] + 1e-9, label = listed$constructor[i])
    # The sum that sel_greedy() stands for has no negative term unless it is given one.
    if (listed$range_low[i] < 0 && listed$constructor[i] != "sel_greedy()") {
      expect_lt(min(scores), -1e-6, label = listed$constructor[i])
    }
  }
})

test_that("the unit of scores follows the parameters, as the scores do", {
  task <- tasks_to_score()[[1L]]
  unit <- function(selector) selector_method(selector)$score$unit
  exported <- grep("^sel_", getNamespaceExports("mlsift"), value = TRUE)
  with_base <- Filter(function(name) "base" %in% names(formals(get(name))), exported)
  expect_gt(length(with_base), 20)
  for (name in with_base) {
    make <- get(name)
    bits <- make()
    nats <- make(base = exp(1))
    if (unit(bits) != "bits") next
    expect_identical(unit(nats), "nats", label = name)
    expect_identical(unit(make(base = 10)), "units of base 10", label = name)
    found <- lapply(list(bits, nats), function(selector) {
      withr::with_seed(1, suppressMessages(sift_features(task, selector, k = 5)))$score
    })
    expect_equal(found[[2L]], found[[1L]] * log(2), tolerance = 1e-10, label = name)
  }
  expect_identical(unit(sel_br_or(type = "raw")), "odds ratio")
  expect_identical(unit(sel_single_jmi("sqrt")), "share")
  expect_identical(unit(sel_trans_mi(score = "symmetric")), "share")
  expect_identical(unit(sel_turf(sel_mim())), "bits")
  range <- function(selector) unlist(selector_method(selector)$score[c("low", "high")], use.names = FALSE)
  expect_identical(range(sel_mim(adjust = "chance")), c(-Inf, Inf))
  expect_identical(range(sel_br_cc(abs = FALSE)), c(-Inf, Inf))
  expect_identical(range(sel_spec(phi = 3)), c(0, 2))
})

test_that("bad calls are refused with what to do", {
  task <- simulate_mltask(20, 4, 2)
  expect_snapshot(error = TRUE, {
    sift_features(features(task), sel_mim())
    sift_features(task, "MIM-BR")
    sift_features(task, sel_mim(), k = 0)
    sift_features(task, sel_mim(), k = -1)
    sift_features(task, sel_mim(), k = 2.5)
    sift_features(task, sel_mim(), k = "all")
    sift_features(task, sel_mim(), discretizer = 5)
    sift_features(task, sel_mim(), discretizer = NULL)
    sift_features(task[1, ], sel_mim())
    sift_features(task, sel_mim(), threads = -1)
    sift_features(mltask(features(task), rnorm(20)), sel_mim())
    sift_features(mltask(features(task), rep(c("u", "v"), 10)), sel_ebls())
    sel_mim(base = 1)
    sel_ebls(n_labels = 0)
    sel_ebls(prop_labels = 2)
    sel_ebls(which = "large")
    sel_br_or(smoothing = -1)
    sel_br_cc(abs = NA)
    sel_chi2("labelpowerset")
    sel_chi2("ppt", min_count = 0)
    selected(1:3)
    subset_features(task, sift_features(task, sel_mim()), k = 0)
  })
})

test_that("a discrete feature of more than 65,536 levels is refused by name", {
  n <- 65540L
  y <- cbind(a = rep(0:1, n / 2))
  x <- data.frame(ok = rep_len(0:2, n), most = pmin(seq_len(n), 65536L), id = seq_len(n))
  task <- mltask(x, y, discrete = c(most = TRUE, id = TRUE))
  expect_snapshot(error = TRUE, sift_features(task, sel_mim(), k = 1))
  expect_error(sift_features(task, sel_scls(), k = 1), class = "mlsift_error")
  expect_identical(nrow(sift_features(suppressMessages(mltask(x, y)), sel_scls())), 3L)
  for (selector in first_or_all(list(sel_mim(), sel_scls()), 1)) {
    expect_identical(nrow(sift_features(task[, 1:2], selector)), 2L)
  }
  as_number <- mltask(transform(x, most = 0, id = id + 0.5), y)
  expect_identical(nrow(sift_features(as_number, sel_mim(), discretizer = disc_equal_width(3))), 3L)
  text <- suppressMessages(mltask(transform(x, most = NULL, id = as.character(id)), y))
  expect_error(sift_features(text, sel_mim(), k = 1), "\"id\"", class = "mlsift_error")
  real <- mltask(transform(x, most = 0, id = id + 0.5), y, discrete = c(id = TRUE))
  expect_error(sift_features(real, sel_mim(), k = 1), "\"id\"", class = "mlsift_error")
  narrow <- Matrix::sparseMatrix(
    i = seq_len(n)[-1], j = rep(1, n - 1), x = seq_len(n - 1), dims = c(n, 1), dimnames = list(NULL, "id")
  )
  expect_error(
    sift_features(mltask(narrow, y, discrete = c(id = TRUE)), sel_mim(), k = 1), "\"id\"", class = "mlsift_error"
  )
})

test_that("sets refuse min_gain, and unknown methods are called unknown", {
  task <- mltask(cbind(a = c(0, 1, 1), b = c(1, 0, 1)), c(0, 1, 1))
  unknown <- structure(list(name = "X", method = "x", params = list()), class = "mlselector")
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_none(), min_gain = 0.1)
    sift_features(task, unknown)
  })
})

test_that("a score that is not a number is an error, not a rank", {
  withr::local_seed(31)
  x <- cbind(f1 = stats::rnorm(20), f2 = rep(c(1.7e308, -1.7e308), 10))
  task <- mltask(x, random_labels(20, 3))
  expect_error(sift_features(task, sel_mfs()), "score of \"f2\" is not a number", class = "mlsift_error")
})

test_that("min_gain lets no feature in that has no score, for every selector", {
  skip_unless_all()
  local_no_words()
  data <- simulate_mltask(80, 6, 2, n_relevant = 2)
  task <- mltask(cbind(as.matrix(data), one = 1), targets(data))
  suits <- function(method) method$gives != "set" && "label" %in% method$kinds
  for (selector in Filter(\(one) suits(selector_method(one)), every_selector())) {
    whole <- withr::with_seed(1, sift_features(task, selector))
    limit <- min(whole$score[is.finite(whole$score)])
    found <- withr::with_seed(1, sift_features(task, selector, min_gain = limit))
    expect_identical(found$feature, whole$feature[!is.na(whole$score) & whole$score >= limit], info = selector$name)
  }
})

test_that("min_gain never lets constant features in", {
  withr::local_seed(12)
  task <- simulate_mltask(80, 4, 2)
  x <- cbind(none = 0, as.matrix(task), one = 1)
  task <- mltask(x, targets(task))
  for (selector in list(sel_scls(), sel_mrmr(), sel_knn_mi())) {
    got <- suppressWarnings(sift_features(task, selector, k = 6, min_gain = -100))
    expect_setequal(got$feature, paste0("f", 1:4))
    expect_identical(nrow(suppressWarnings(sift_features(task, selector, k = 6))), 6L)
  }
  source <- chunk_source(function(i) if (i == 1) task, feature_names(task), target_names(task))
  expect_identical(nrow(suppressWarnings(sift_features(source, sel_scls(), k = 6, min_gain = -100))), 4L)
})

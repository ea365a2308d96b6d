test_that("code has no vectors of hundreds of numbers, and runs", {
  withr::local_seed(1)
  task <- simulate_mltask(1800, 4, 2)
  parts <- sample(rep(1:2, 900))
  splits <- lapply(1:2, function(part) list(train = which(parts != part), test = which(parts == part)))
  listed <- sel_custom("listed", function(x, y) c(2, 1, 3, 4))
  given <- list(rs_custom(splits), rs_fixed(which(parts == 1), which(parts == 2)),
    rs_cv(2, group = sample(rep(1:600, 3))))
  for (outer in given) {
    answer <- sift(task, learner = lrn_nb(), selectors = list(sel_mim(), listed), max_features = 2, outer = outer)
    code <- as_code(answer)
    expect_lte(max(nchar(code)), 250)
    expect_true(any(grepl("answer$setup$outer", code, fixed = TRUE)))
    here <- list2env(list(task = task, answer = answer))
    eval(parse(text = sub("^library.*", "", code)), here)
    expect_identical(selected(here$selection), selected(answer))
    expect_s3_class(here$bench, "mlbenchmark")
    # A benchmark takes the object that its argument was.
    expect_match(paste(as_code(answer$benchmark), collapse = "\n"), "resampling = resampling", fixed = TRUE)
  }
  plain <- sift(task, learner = lrn_nb(), selectors = sel_mim(), max_features = 1, estimate = FALSE)
  expect_no_match(paste(as_code(plain), collapse = "\n"), "answer$", fixed = TRUE)
})

test_that("code takes what is fitted or comes from outside from the result, and numbers to the last bit", {
  withr::local_seed(2)
  x <- data.frame(a = rnorm(60), "b \"c\\" = rnorm(60), `d\`e` = runif(60), check.names = FALSE)
  task <- mltask(x, cbind(u = x$a + rnorm(60) > 0, v = x[[3]] > 0.5) + 0L)
  numbers <- mltask(x, cbind(u = x$a + rnorm(60)))
  inner <- rs_fixed(1:40, 41:60)
  cases <- list(
    list(task, inner = inner, discretizer = NULL, selectors = sel_relieff_ml(5)),
    list(task, inner = inner, discretizer = fit(disc_equal_width(3), task), selectors = sel_mim()),
    list(task, inner = inner, selectors = list(`my "s` = sel_qpmlfs(0.1 + 0.2)),
      costs = setNames(c(1 / 3, 1, 2), names(x))),
    list(numbers, inner = inner, target_bins = 4, selectors = sel_mim())
  )
  for (case in cases) {
    set.seed(4)
    answer <- do.call(sift, c(case, list(learner = lrn_linear(1 / 3), max_features = 2, estimate = FALSE)))
    here <- list2env(list(task = case[[1]], answer = answer))
    set.seed(4)
    eval(parse(text = sub("^library.*", "", as_code(answer))), here)
    expect_identical(here$tuning$curve, answer$tuning$curve)
    expect_identical(as.data.frame(here$selection), as.data.frame(answer$selection))
  }
  bench <- benchmark_selectors(list(t = task), list(sel_mim()), list(lrn_nb()), inner, 1, "macro_f1",
    discretizer = fit(disc_equal_width(3), task))
  expect_match(paste(as_code(bench), collapse = "\n"), "discretizer = discretizer", fixed = TRUE)
})

test_that("long parts of code are named", {
  expect_identical(named_code("c(1, 2)", "x"), "c(1, 2)")
  expect_identical(named_code(value_code(runif(100)), "x"), "x")
  lines <- paste(rep("a <- b + c", 100), collapse = "\n")
  expect_identical(named_code(lines, "x"), lines)
})

test_that("the code repeats the numbers of the answer, whatever the seed", {
  skip_unless_all()
  withr::local_seed(5)
  task <- simulate_mltask(80, 8, 3)
  weighted <- mltask(features(task), targets(task), weights = sample(0:2, 80, TRUE))
  named <- feature_names(task)
  cases <- list(
    list(task), list(task, max_features = 4, rule = "one-se"), list(weighted, max_features = 3),
    list(task, max_features = 4, selectors = list(sel_bagged(sel_mim(), n = 4)), rule = "fewest", tolerance = 0.2),
    list(task, max_features = 4, selectors = list(sel_random(), mine = sel_scls()), measure = "macro_f1"),
    list(mltask(features(task), cbind(n = features(task)[, 1] + rnorm(80))), learner = lrn_linear(), max_features = 3,
      selectors = sel_bagged(sel_mim(), n = 4), target_bins = 3),
    list(task, max_features = 4, include = named[2], exclude = named[1]),
    list(task, max_features = 4, costs = seq_along(named) / 4, max_cost = 3, groups = list(named[1:2], named[3:5])),
    list(task, learner = list(lrn_nb(), lrn_linear()), inner = rs_holdout(0.7, 2), folder = withr::local_tempfile())
  )
  for (case in cases) {
    usual <- list(learner = lrn_nb(), selectors = sel_mim(), inner = rs_cv(3), outer = rs_holdout(0.6, 2))
    answer <- suppressMessages(do.call(sift, c(case, usual[setdiff(names(usual), names(case))])))
    here <- list2env(list(task = case[[1]], answer = answer))
    code <- as_code(answer)
    suppressMessages(eval(parse(text = sub("^library.*", "", code)), here))
    expect_identical(RNGkind()[1], "Mersenne-Twister")
    expect_identical(here$tuning$curve, answer$tuning$curve)
    expect_identical(here$tuning$fewest, answer$tuning$fewest)
    expect_identical(as.data.frame(here$selection), as.data.frame(answer$selection))
    if (any(c("include", "costs") %in% names(case))) {
      expect_match(paste(code, collapse = "\n"), "# Only sift() estimates a choice with", fixed = TRUE)
    } else {
      chosen <- answer$benchmark[answer$benchmark$learner == "chosen", ]
      expect_identical(here$bench[c("split", "n_selected", "value")], chosen[c("split", "n_selected", "value")],
        ignore_attr = TRUE)
    }
  }
  # What differs is said.
  expect_no_match(code, "folder of the answer")
  folder <- case$folder
  again <- sift(task, learner = case$learner, selectors = sel_mim(), inner = case$inner, outer = usual$outer,
    folder = folder)
  expect_identical(again$quality, answer$quality)
  expect_match(paste(as_code(again), collapse = "\n"), "# The folder of the answer has other splits", fixed = TRUE)
  short <- sift(task, learner = lrn_nb(), selectors = sel_mim(), estimate = FALSE, max_seconds = 60)
  expect_match(paste(as_code(short), collapse = "\n"), "# Without the time limit", fixed = TRUE)
})

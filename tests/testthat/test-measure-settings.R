# Settings of measures: the same values through every door, and from definitions where labels are unknown.

prediction_of <- function(d) structure(list(score = d$score, response = d$response), class = "mlprediction")

# Each setting of a measure, alone.
settings_of <- function(method) {
  formals <- registered("measures", method)$settings
  single <- lapply(names(formals), function(name) {
    values <- switch(name, empty = , zero_division = list(0, 0.3, NA), beta = list(0.5),
      as.list(eval(formals[[name]])))
    lapply(values, function(value) stats::setNames(list(value), name))
  })
  c(list(list()), unlist(single, recursive = FALSE))
}

of_labels <- names(Filter(function(r) "label" %in% r$kinds, registry$measures))

# --- unknown labels ---------------------------------------------------------------------------------------------------

# The value of a measure from definitions: rows stand there as often as their weights say, each row with its known
# labels, each label with the rows in which it is known, and pooled measures with all known cells as rows of one label.
oracle_known <- function(method, d, weights, set) {
  rows <- rep(seq_along(weights), weights)
  d <- lapply(d, function(m) m[rows, , drop = FALSE])
  known <- !is.na(d$truth)
  part <- function(i, l) {
    lapply(d, function(m) if (is.matrix(i)) cbind(m[i]) else m[i, l, drop = FALSE])
  }
  value <- function(d) do.call(call_measure, c(list(method, d), set))
  by_row <- function(value_of = value) {
    vapply(which(rowSums(known) > 0), function(i) value_of(part(i, known[i, ])), 0)
  }
  by_label <- lapply(which(colSums(known) > 0), function(l) part(known[, l], l))
  if (method %in% c("hamming_loss", "log_loss") || startsWith(method, "micro_")) return(value(part(known, NULL)))
  if (startsWith(method, "macro_")) {
    each <- vapply(by_label, value, 0)
    strict <- method == "macro_auc" && isTRUE(set$convention %in% c("sklearn", "mulan", "utiml"))
    return(if (strict) mean(each) else mean_known(each))
  }
  if (startsWith(method, "weighted_")) {
    true <- vapply(by_label, function(d) sum(d$truth), 0)
    if (sum(true) == 0) return(do.call(call_measure, c(list(sub("weighted", "micro", method), part(known, NULL)), set)))
    each <- vapply(by_label, value, 0)
    return(stats::weighted.mean(each[!is.na(each)], true[!is.na(each)]))
  }
  if (identical(set$convention, "cau") && method %in% c("example_f1", "example_fbeta")) {
    means <- vapply(c("example_precision", "example_recall"), function(other) {
      mean(by_row(function(d) call_measure(other, d, convention = "cau")))
    }, 0)
    beta <- if (method == "example_f1") 1 else 2
    return((1 + beta^2) * prod(means) / (beta^2 * means[[1]] + means[[2]]))
  }
  mean_known(by_row())
}

test_that("measures leave unknown cells out, whatever their settings and the weights of rows", {
  skip_unless_all()
  withr::local_seed(31)
  for (repetition in 1:3) {
    n <- c(9, 6, 4)[repetition]
    d <- random_scored(n, 4)
    d$truth[sample(length(d$truth), 2 * n)] <- NA
    d$truth[2, ] <- NA
    if (repetition == 2) d$truth[, 3] <- NA
    if (repetition == 3) d$truth[!is.na(d$truth)] <- 0L
    weights <- sample(0:3, n, TRUE)
    weights[rowSums(!is.na(d$truth)) > 0][1:2] <- 2L
    all <- unlist(lapply(of_labels, function(method) {
      lapply(settings_of(method), function(set) list(method = method, set = set))
    }), recursive = FALSE)
    if (repetition > 1) all <- all[sample(length(all), 60)]
    measures <- lapply(all, function(one) do.call(measure, c(list(one$method), one$set)))
    names(measures) <- seq_along(measures)
    found <- evaluate(prediction_of(d), d$truth, measures, weights = weights)$value
    expected <- vapply(all, function(one) oracle_known(one$method, d, weights, one$set), 0)
    expect_equal(found, expected, tolerance = 1e-12)
    alone <- vapply(all, function(one) do.call(call_measure, c(list(one$method, d), one$set)), 0)
    expect_identical(alone, evaluate(prediction_of(d), d$truth, measures)$value)
  }
})

test_that("a row with one known label has a normalized coverage for every divisor", {
  truth <- rbind(c(1, NA, NA), c(NA, 0, NA), c(1, 0, 1))
  score <- rbind(c(1, 2, 3), c(3, 2, 1), c(1, 2, 3))
  expect_identical(msr_norm_coverage(truth, score, "q"), (0 + 0 + 2 / 3) / 3)
  expect_identical(msr_norm_coverage(truth, score, "q-1"), (0 + 0 + 2 / 2) / 3)
  expect_identical(msr_norm_coverage(truth, score, "rank/q"), (1 + 0 + 3 / 3) / 3)
})

# --- doors ------------------------------------------------------------------------------------------------------------

test_that("every door gives the same value of a measure as it is set", {
  withr::local_seed(32)
  n <- 40
  x <- matrix(rnorm(n * 3), n, dimnames = list(NULL, paste0("f", 1:3)))
  y <- matrix(rbinom(n * 3, 1, 0.4), n, dimnames = list(NULL, paste0("t", 1:3)))
  y[c(1:2, 31:33), ] <- 0L
  split <- rs_fixed(1:25, 26:40)
  for (how in c("plain", "unknown", "weights")) {
    if (how == "unknown") y[cbind(c(3, 5, 28, 31), c(1, 2, 3, 3))] <- NA
    task <- mltask(x, y, weights = if (how == "weights") replace(runif(n), 30, 0) else NULL)
    prediction <- predict(fit(lrn_nb(), task[1:25, ]), task[26:40, ])
    measures <- unlist(lapply(of_labels, function(method) {
      lapply(settings_of(method), function(set) do.call(measure, c(list(method), set)))
    }), recursive = FALSE)
    measures <- measures[!duplicated(vapply(measures, function(m) m$name, ""))]
    evaluated <- evaluate(prediction, task[26:40, ], measures)
    expect_identical(evaluated$measure, vapply(measures, function(m) m$name, ""))
    alone <- vapply(measures, function(m) {
      do.call(registered("measures", m$method)$fun, c(list(task[26:40, ], prediction), m$settings))
    }, 0)
    expect_identical(evaluated$value, alone)
    expect_identical(assess_features(task, 1:3, lrn_nb(), measures, split)$value, alone)
    bench <- suppressWarnings(benchmark_selectors(task, sel_none(), lrn_nb(), split, k = 3, measures = measures))
    expect_identical(bench[c("measure", "value")], evaluated, ignore_attr = TRUE)
  }
})

test_that("choices and searches take measures with settings, and functions", {
  withr::local_seed(33)
  task <- simulate_mltask(50, 4, 3)
  split <- rs_fixed(1:30, 31:50)
  empty <- measure("macro_f1", empty = 0, convention = "sklearn")
  value <- function(features, measure) assess_features(task, features, lrn_nb(), measure, split)$value
  for (how in list(empty, msr_macro_f1, "macro_f1")) {
    tuned <- tune_selection(task, list(sel_mim(), sel_random()), lrn_nb(), how, k = 2, resampling = split)
    expect_identical(tuned$measure, if (inherits(how, "mlmeasure")) "macro_f1 (empty = 0, sklearn)" else "macro_f1")
    first <- sift_features(task[1:30, ], sel_mim(), k = 2)
    expect_identical(tuned$curve$mean[tuned$curve$selector == "MIM-BR"], value(first, how))
    found <- sift_features(task, sel_rga(lrn_nb(), how, 2, 6, population = 4, inner = split))
    search <- attr(found, "search")
    expect_identical(search$measure, paste("1 -", tuned$measure))
    expect_identical(search$front$value[1], 1 - value(found, how))
  }
  expect_identical(sel_rga(measure = msr_macro_f1), sel_rga(measure = "macro_f1"))
  expect_identical(spec_code(sel_rga(measure = empty)),
    "sel_rga(measure = measure(\"macro_f1\", empty = 0, convention = \"sklearn\"))")
})

test_that("thresholds are learned for a measure as it is set", {
  withr::local_seed(39)
  for (one in list(measure("macro_f1", empty = 0), measure("example_fbeta", beta = 0.5, zero_division = 1))) {
    d <- random_scored(12, 3)
    at <- function(t) evaluate(prediction_of(list(response = (d$score >= t) + 0L)), d$truth, one)$value
    found <- best_thresholds(d$truth, d$score, list(measure = one, by = "all"), NULL, 1L)
    expect_equal(at(found[1]), max(vapply(c(unique(c(d$score)), Inf), at, 0)), tolerance = 1e-12)
  }
  expect_identical(lrn_threshold(lrn_nb(), msr_macro_f1), lrn_threshold(lrn_nb(), "macro_f1"))
  expect_error(lrn_threshold(lrn_nb(), measure("jaccard", convention = "cau"), "all"), "jaccard \\(cau\\)",
    class = "mlsift_error")
})

test_that("a convention for all measures leaves out what they set themselves", {
  withr::local_seed(34)
  d <- random_scored()
  value <- function(...) evaluate(prediction_of(d), d$truth, ...)
  for (tool in names(conventions)) {
    all <- value(convention = tool)
    expect_identical(all$measure, of_labels)
    can <- vapply(of_labels, function(m) !is.null(registered("measures", m)$settings$convention), NA)
    with_tool <- vapply(of_labels[can], call_measure, 0, d = d, convention = tool, USE.NAMES = FALSE)
    expect_identical(all$value[can], with_tool)
    expect_identical(all$value[!can], vapply(of_labels[!can], call_measure, 0, d = d, USE.NAMES = FALSE))
  }
  own <- list(measure("jaccard", convention = "default"), measure("coverage", ties = "last"), "one_error")
  expect_identical(value(own, convention = "utiml")$value, c(
    msr_jaccard(d$truth, d$response), msr_coverage(d$truth, d$score, ties = "last", convention = "utiml"),
    msr_one_error(d$truth, d$score, convention = "utiml")
  ))
  expect_identical(names(conventions), eval(convention_setting$convention))
})

# --- objects ----------------------------------------------------------------------------------------------------------

test_that("measure() makes an object that says how it is set", {
  plain <- measure("macro_f1")
  expect_s3_class(plain, "mlmeasure")
  expect_identical(plain[c("name", "needs", "direction", "range", "kinds")],
    list(name = "macro_f1", needs = "response", direction = "maximize", range = c(0, 1), kinds = "label"))
  # Defaults are no settings, and the order in which settings are given does not matter.
  expect_identical(measure("macro_fbeta", beta = 2, empty = NULL), measure("macro_fbeta"))
  expect_identical(measure("macro_fbeta", beta = 2L), measure("macro_fbeta"))
  expect_identical(measure("macro_f1", convention = "sklearn", empty = 1), measure("macro_f1", empty = 1L,
    convention = "sklearn"))
  expect_snapshot({
    measure("macro_f1", convention = "sklearn")
    measure("norm_coverage", ties = "last", divisor = "q-1")
    measure("macro_fbeta", beta = 0.5, zero_division = NA)
  })
  expect_identical(measure_title("macro_f1"), "Macro F1")
  expect_identical(measure_title("macro_f1 (sklearn)"), "Macro F1 (sklearn)")
  expect_identical(measure_title("macro_fbeta (beta = 0.5)"), "Macro F-beta (beta = 0.5)")
  expect_identical(measure_title("my_own"), "my own")
  settings <- list_measures()$settings
  expect_identical(settings[match(c("macro_f1", "norm_coverage", "kappa"), list_measures()$measure)],
    c("empty, convention, zero_division", "divisor, ties, convention", ""))
})

test_that("every function of a measure can be given instead of its name", {
  for (method in list_measures()$measure) {
    fun <- getExportedValue("mlsift", paste0("msr_", method))
    expect_identical(as_measure(fun), measure(method))
  }
  withr::local_seed(35)
  d <- random_scored()
  found <- evaluate(prediction_of(d), d$truth, list(msr_jaccard, "one_error", loss = msr_ranking_loss))
  expect_identical(found, evaluate(prediction_of(d), d$truth, c("jaccard", "one_error", loss = "ranking_loss")))
  expect_identical(evaluate(prediction_of(d), d$truth, msr_jaccard)$measure, "jaccard")
})

test_that("settings that a measure does not have, and what is no measure, are refused", {
  withr::local_seed(36)
  d <- random_scored()
  p <- prediction_of(d)
  expect_snapshot(error = TRUE, {
    measure("macro_f1", emty = 0)
    measure("macro_f1", ties = "max")
    measure("kappa", empty = 0)
    measure("arrmse", train_mean = 1)
    measure("macro_auc", threads = 1)
    measure("macro_f1", empty = 2)
    measure("coverage", ties = "half")
    measure("macro_f1", convention = "sklern")
    measure("AUC")
    measure("macro_fbeta", beta = -1)
    measure("macro_f1", 0)
    measure("macro_f1", empty = 0, empty = 1)
    measure("macro_f2")
    measure(msr_macro_f1)
    evaluate(p, d$truth, mean)
    evaluate(p, d$truth, list("macro_f1", mean))
    evaluate(p, d$truth, list("macro_f1", measure("macro_f1", beta = 1)))
    evaluate(p, d$truth, list(measure("macro_f1", empty = 0), measure("macro_f1", empty = 0)))
    evaluate(p, d$truth, convention = "sklern")
    evaluate(p, d$truth, "log_loss", convention = "sklearn")
    sel_rga(measure = mean)
    sel_rga(measure = c("macro_f1", "micro_f1"))
    tune_selection(simulate_mltask(20, 2, 2), measure = measure("kappa"))
  })
})

# --- benchmarks -------------------------------------------------------------------------------------------------------

test_that("benchmarks keep, store and show the settings of measures", {
  withr::local_seed(37)
  task <- simulate_mltask(30, 3, 3)
  folder <- withr::local_tempfile()
  run <- function(measures) {
    set.seed(1)
    benchmark_selectors(list(a = task), sel_mim(), lrn_brknn(), rs_cv(2), k = 1:2, measures = measures, folder = folder)
  }
  of <- function(bench, measure) bench$value[bench$measure == measure]
  set <- measure("macro_f1", empty = 0)
  bench <- run(list("macro_f1", set, mine = measure("macro_f1", convention = "sklearn")))
  expect_identical(unique(bench$measure), c("macro_f1", "macro_f1 (empty = 0)", "mine"))
  expect_identical(of(bench, "mine"), of(bench, "macro_f1 (empty = 0)"))
  expect_identical(attr(bench, "measures")$definition, c("macro_f1", "macro_f1 (empty = 0)", "macro_f1 (sklearn)"))
  expect_match(paste(as_code(bench), collapse = " "), fixed = TRUE,
    "list(\"macro_f1\", measure(\"macro_f1\", empty = 0), mine = measure(\"macro_f1\", convention = \"sklearn\"))")
  expect_identical(bench_direction(structure(bench, measures = NULL), "macro_f1 (empty = 0)"), "maximize")
  # What a folder knows is not computed again, and a name cannot change its meaning.
  expect_identical(of(run(list(mine = measure("macro_f1", convention = "sklearn"))), "mine"), of(bench, "mine"))
  expect_error(run(list(mine = set)), "\"mine\" has other parameters", class = "mlsift_error")
  expect_identical(of(read_benchmark(folder), "macro_f1 (empty = 0)"), of(bench, "macro_f1 (empty = 0)"))
  # Another process finds the measures in the folder.
  unlink(file.path(folder, "units"), recursive = TRUE)
  suppressMessages(join_benchmark(folder))
  expect_identical(of(read_benchmark(folder), "mine"), of(bench, "mine"))
  report <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  suppressMessages(write_report(bench, report))
  expect_match(paste(readLines(report, encoding = "UTF-8"), collapse = "\n"), "macro_f1 (sklearn)", fixed = TRUE)
  expect_true("  measures = list(loss = \"hamming_loss\")," %in% as_code(run(c(loss = "hamming_loss"))))
})

test_that("measures of scores name themselves and the learner that gives none", {
  withr::local_seed(38)
  task <- simulate_mltask(20, 3, 2)
  silent <- lrn_custom("Silent", function(x, y) ncol(y), function(model, x) list(response = matrix(0L, nrow(x), model)))
  expect_error(assess_features(task, 1:2, silent, measure("one_error", ties = "any")), class = "mlsift_error",
    "\"one_error \\(ties = any\\)\" needs scores.*prediction of Silent has none")
  bench <- suppressWarnings(benchmark_selectors(task, sel_mim(), silent, rs_holdout(repeats = 1), k = 2,
    measures = c("hamming_loss", "ranking_loss")))
  expect_identical(is.na(bench$value), c(FALSE, TRUE))
  expect_match(failures(bench)$message, "\"ranking_loss\" needs scores.*prediction of Silent has none")

  numbers <- mltask(matrix(rnorm(40), 20), matrix(rnorm(20), 20))
  margin <- msr_custom("margin", function(truth, score) 0, needs = "score")
  expect_snapshot(error = TRUE, {
    benchmark_selectors(numbers, sel_random(), lrn_linear(), rs_cv(2), k = 1, measures = margin)
    assess_features(numbers, 1, lrn_linear(), margin)
  })
})

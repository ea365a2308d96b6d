small_bench <- function(selectors = list(sel_mim(), sel_none()),
                        tasks = list(a = numbered_task(1), b = numbered_task(2)), seed = 1, ...) {
  withr::with_seed(
    seed,
    benchmark_selectors(
      tasks, selectors, lrn_brknn(), rs_fixed(1:12, 13:24), 1:2, "hamming_loss", ..., progress = FALSE
    )
  )
}

test_that("rows of a benchmark are a benchmark, and its parts follow", {
  bench <- small_bench()
  one <- bench[bench$task == "a" & bench$selector == "All", ]
  expect_s3_class(one, "mlbenchmark")
  expect_s3_class(subset(bench, k == 1), "mlbenchmark")
  expect_s3_class(head(bench, 2), "mlbenchmark")
  expect_identical(attr(one, "measures"), attr(bench, "measures"))
  expect_identical(unique(selections(one)$selector), "All")
  expect_identical(unique(timings(one)$task), "a")
  expect_s3_class(bench[, 1:3], "data.frame", exact = TRUE)
  expect_s3_class(bench[c("task", "value")], "data.frame", exact = TRUE)
  expect_null(attr(bench[, 1:3], "timings"))
  expect_identical(bench[["k"]], bench$k)
  expect_identical(bench[, "k"], as.data.frame(bench)$k)
  changed <- bench
  changed[["value"]] <- 1
  expect_identical(changed, replace(bench, "value", list(1)))
  expect_s3_class(changed, "mlbenchmark")
  expect_identical(changed$value, rep(1, nrow(bench)))
  changed[["split"]] <- NULL
  expect_s3_class(changed, "data.frame", exact = TRUE)
  lost <- bench
  lost$value <- NULL
  expect_s3_class(lost, "data.frame", exact = TRUE)
  names(bench)[1] <- "data"
  expect_s3_class(bench, "data.frame", exact = TRUE)
  bench <- small_bench()
  expect_s3_class(as.data.frame(bench), "data.frame", exact = TRUE)
  expect_named(attributes(as.data.frame(bench)), c("names", "row.names", "class"), ignore.order = TRUE)
})

test_that("after a verb of dplyr, rows of a benchmark are one, and rows joined to it are not", {
  bench <- small_bench()
  rows <- as.data.frame(bench)
  expect_identical(dplyr_reconstruct.mlbenchmark(rows[rows$k == 1, ], bench), bench[bench$k == 1, ])
  rows$task[1] <- "of another benchmark"
  expect_s3_class(dplyr_reconstruct.mlbenchmark(rows, bench), "data.frame", exact = TRUE)
  expect_s3_class(dplyr_reconstruct.mlbenchmark(bench[, -1], bench), "data.frame", exact = TRUE)
})

test_that("parts have the documented columns", {
  bench <- small_bench()
  expect_named(timings(bench), c("task", "split", "selector", "learner", "stage", "seconds"))
  expect_true(all(timings(bench)$seconds >= 0))
  expect_setequal(timings(bench)$stage[is.na(timings(bench)$learner)], "select")
  expect_named(selections(bench), c("task", "split", "selector", "rank", "feature", "index", "score"))
  picks <- selections(bench)[selections(bench)$task == "a" & selections(bench)$selector == "MIM-BR", ]
  train <- numbered_task(1)[1:12, ]
  expect_equal(picks[c("rank", "feature", "index", "score")],
    as.data.frame(sift_features(train, sel_mim(), k = 2))[1:2, 1:4],
    ignore_attr = TRUE)
  expect_identical(dim(failures(bench)), c(0L, 6L))
  expect_identical(attr(bench, "splits"), data.frame(task = c("a", "b"), split = "fixed", n_train = 12L, n_test = 12L))
  expect_identical(attr(bench, "tasks")$n_features, c(5L, 5L))
})

test_that("benchmarks are joined, but not twice the same cells", {
  whole <- small_bench()
  first <- whole[whole$selector == "MIM-BR", ]
  second <- whole[whole$selector == "All", ]
  joined <- rbind(first, second)
  expect_s3_class(joined, "mlbenchmark")
  expect_setequal(do.call(paste, as.data.frame(joined)), do.call(paste, as.data.frame(whole)))
  for (part in c("measures", "splits", "tasks", "selections", "timings")) expect_identical(attr(joined, part),
    attr(whole, part))
  expect_identical(attr(joined, "protocol"), attr(whole, "protocol"))
  expect_snapshot(error = TRUE, {
    rbind(whole, first)
    rbind(whole, data.frame(task = "a"))
  })
  other <- withr::with_seed(
    5,
    benchmark_selectors(
      list(a = numbered_task(1)), sel_mim(), lrn_brknn(), rs_cv(2), 1, "hamming_loss", progress = FALSE
    )
  )
  expect_warning(rbind(whole, other), "not paired", class = "mlsift_warning")
})

test_that("a benchmark survives a file and a fresh process", {
  bench <- small_bench()
  file <- withr::local_tempfile()
  saveRDS(bench, file)
  expect_identical(readRDS(file), bench)
})

test_that("summary gives means over splits", {
  bench <- withr::with_seed(1, benchmark_selectors(numbered_task(1), list(sel_mim(), sel_random()), lrn_brknn(),
    rs_cv(3), 1:2,
    c("hamming_loss", "one_error"), progress = FALSE))
  bench$value[1] <- NA
  means <- summary(bench)
  expect_identical(nrow(means), 8L)
  expect_identical(means$n_splits, rep(3L, 8))
  expect_identical(means$n_missing, c(1L, rep(0L, 7)))
  rows <- bench[bench$selector == "Random" & bench$k == 2 & bench$measure == "one_error", ]
  expect_equal(means$mean[8], mean(rows$value))
  expect_equal(means$sd[8], sd(rows$value))
})

test_that("printing shows sizes and the first rows", {
  broken <- sel_custom("broken", function(task, k) stop("no"))
  expect_warning(bench <- small_bench(selectors = list(sel_none(), broken)), "4 of 8 values are missing")
  bench$value[!is.na(bench$value)] <- 0.25
  expect_snapshot({
    print(bench, n = 3)
    bench[0, ]
  })
})

test_that("parts that were lost are reported", {
  bench <- small_bench()
  attr(bench, "timings") <- NULL
  expect_snapshot(error = TRUE, {
    timings(bench)
    failures(as.data.frame(bench))
  })
})

test_that("one benchmark takes every selector that serves labels", {
  skip_unless_all()
  skip_on_cran()
  set.seed(2)
  task <- simulate_mltask(200, n_features = 8, n_targets = 3)
  rows <- subset(list_selectors(), source != "you" & grepl("label", kinds))
  constructors <- unique(sub("\\(.*", "()", rows$constructor))
  # These are made of other selectors.
  constructors <- setdiff(constructors, c("sel_ensemble()", "sel_bagged()", "sel_turf()"))
  selectors <- lapply(constructors, \(code) eval(str2lang(code)))
  bench <- benchmark_selectors(
    list(small = task), selectors, lrn_brknn(), rs_holdout(repeats = if (all_tests()) 2 else 1), k = c(2, 8),
    measures = c("hamming_loss", "micro_f1"), progress = FALSE
  )
  expect_identical(nrow(failures(bench)), 0L)
  expect_setequal(unique(bench$selector), vapply(selectors, `[[`, "", "name"))
  expect_false(anyNA(bench$value))
  all_features <- subset(bench, n_selected == 8 & measure == "hamming_loss" & split == bench$split[1])
  expect_gt(length(unique(all_features$selector)), 30)
  expect_equal(all_features$value, rep(all_features$value[1], nrow(all_features)))
})

test_that("where everything failed, printing gives the first reason", {
  broken <- sel_custom("broken", function(task, k) stop("no idea"))
  withr::local_seed(1)
  expect_warning(bench <- benchmark_selectors(
    simulate_mltask(40, n_features = 6, n_targets = 2), broken, lrn_brknn(), rs_holdout(repeats = 2), k = 1:2,
    measures = "hamming_loss", progress = FALSE
  ), "4 of 4 values are missing")
  expect_output(print(bench), "every value is missing; the first failure: .*no idea")
})

test_that("a summary can be that of some measures and learners", {
  withr::local_seed(8)
  bench <- benchmark_selectors(
    simulate_mltask(60, 5, 2), list(sel_mim(), sel_random()), list(lrn_brknn(), lrn_nb()), rs_holdout(repeats = 2),
    k = 1:2, measures = c("hamming_loss", "macro_f1")
  )
  all <- summary(bench)
  one <- summary(bench, measure = "macro_f1", learner = unique(bench$learner)[2])
  expect_identical(one, `rownames<-`(all[all$measure == "macro_f1" & all$learner == unique(bench$learner)[2], ], NULL))
  expect_identical(summary(bench, measure = c("hamming_loss", "macro_f1")), all)
  expect_error(summary(bench, measure = "macro_f"), "macro_f1", class = "mlsift_error")
})

test_that("a name must stand for one measure, task, selector and learner when benchmarks are joined", {
  run <- function(selector, ..., task = numbered_task(1), learner = lrn_brknn()) {
    withr::with_seed(1, benchmark_selectors(list(a = task), selector, learner, rs_fixed(1:12, 13:24), 1, list(...),
      progress = FALSE))
  }
  loss <- run(sel_mim(), m = "hamming_loss")
  expect_no_warning(rbind(loss, run(sel_none(), m = "hamming_loss")))
  gain <- run(sel_none(), m = "micro_f1")
  expect_error(rbind(loss, gain), "must be the same in all benchmarks", class = "mlsift_error")
  # The same direction, another rule.
  expect_error(rbind(gain, run(sel_mim(), m = measure("micro_f1", empty = 0))), "same in all", class = "mlsift_error")
  # What is not among the rows does not matter.
  other <- run(sel_none(), m = "micro_f1", n = "hamming_loss")
  other <- other[other$measure == "n", ]
  for (joined in list(rbind(loss, other), rbind(other, loss))) {
    expect_setequal(joined$measure, c("m", "n"))
    expect_identical(bench_direction(joined, "m"), "minimize")
  }
  expect_warning(rbind(loss, run(sel_none(), m = "hamming_loss", task = numbered_task(2))), "different data",
    class = "mlsift_warning")
  more <- run(list(sel_none(), "MIM-BR" = sel_mim(adjust = "chance")), n = "hamming_loss")
  expect_warning(rbind(loss, more), "\"MIM-BR\" is another selector", class = "mlsift_warning")
  expect_no_warning(rbind(loss, more[more$selector != "MIM-BR", ]))
  # A selector and a learner may have one name.
  twins <- function(...) run(list(same = sel_mim()), ..., learner = list(same = lrn_brknn()))
  expect_no_warning(rbind(twins(m = "hamming_loss"), twins(n = "micro_f1")))
  nearest <- run(sel_none(), m = "hamming_loss", learner = lrn_brknn(1))
  expect_warning(rbind(loss, nearest), "\"BR-kNN\" is another learner", class = "mlsift_warning")
})

test_that("joined benchmarks have one selection of each unit, that of the largest k", {
  run <- function(k, measure, seed, selectors = sel_random()) {
    withr::with_seed(seed, benchmark_selectors(list(a = numbered_task(1)), selectors, lrn_brknn(),
      rs_custom(list(list(train = 1:12, test = 13:24), list(train = 13:24, test = 1:12))), k, measure,
      progress = FALSE))
  }
  few <- run(2, "hamming_loss", 1)
  many <- run(4, "hamming_loss", 2)
  expect_identical(selections(rbind(few, many)), selections(many))
  expect_identical(selections(rbind(many, few)), selections(many))
  expect_identical(selections(rbind(few, run(2, "micro_f1", 2))), selections(few))
  # Rows that were left out have no say.
  wide <- run(c(1, 4), "hamming_loss", 2)
  expect_identical(selections(rbind(few, wide[wide$k == 1, ])), selections(few))
})

test_that("joined benchmarks have one time of each step, and failures of rows that are left", {
  run <- function(k, learners, seconds, selector = sel_random(), measure = "hamming_loss") {
    bench <- suppressWarnings(withr::with_seed(1, benchmark_selectors(list(a = numbered_task(1)), selector, learners,
      rs_fixed(1:12, 13:24), k, measure, progress = FALSE)))
    attr(bench, "timings")$seconds <- seconds + seq_len(nrow(attr(bench, "timings")))
    bench
  }
  near <- list(near = lrn_brknn())
  far <- list(far = lrn_brknn(5))
  few <- run(2, near, 10)
  many <- run(4, near, 20)
  other <- run(4, far, 30)
  for (joined in list(rbind(few, many), rbind(many, few))) expect_identical(timings(joined), timings(many))
  # Equally large: the first one selects, and each one has its learner.
  both <- timings(rbind(many, other))
  expect_identical(both, rbind(timings(many), timings(other)[-1, ], make.row.names = FALSE))
  back <- timings(rbind(few, other))
  expect_identical(back$seconds[back$stage == "select"], timings(other)$seconds[1])
  expect_identical(back[back$learner %in% "near", ], timings(few)[-1, ], ignore_attr = TRUE)
  # What was left out has no say.
  two <- run(4, c(near, far), 40)
  expect_identical(timings(rbind(few, two[two$learner == "far", ]))$learner, c(NA, rep(c("near", "far"), each = 3)))
  broken <- run(2, list(near = lrn_custom("near", function(x, y) stop("no"), function(model, x) x)), 50,
    measure = c("hamming_loss", "macro_f1"))
  expect_warning(joined <- rbind(few, broken[broken$measure == "macro_f1", ]), "another learner")
  expect_identical(nrow(failures(joined)), 1L)
  mixed <- run(2, near, 60, list(sel_random(), bad = sel_custom("bad", function(task, k) stop("no"))))
  expect_identical(nrow(failures(mixed)), 1L)
  good <- run(2, near, 70, list(bad = sel_mim()))
  expect_no_warning(joined <- rbind(mixed[mixed$selector == "Random", ], good))
  expect_identical(nrow(failures(joined)), 0L)
  expect_identical(nrow(timings(joined)), 8L)
})

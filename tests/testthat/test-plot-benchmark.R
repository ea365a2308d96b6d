test_that("curves hold the means over splits", {
  withr::local_seed(1)
  values <- random_values()
  found <- list(hamming_loss = bench_values(hand_benchmark(values), NULL, NULL))
  data <- curve_data(found)
  cell <- data[data$task == "task2" & data$selector == "MFS", ]
  expect_equal(cell$value, unname(colMeans(values["task2", , "MFS", ])))
  expect_identical(cell$at, as.numeric(1:6))
})

test_that("the legend lists the best first, a steady selector is a reference line", {
  withr::local_seed(2)
  bench <- hand_benchmark(random_values())
  bench$n_selected[bench$selector == "MFS"] <- 40L
  expect_identical(reference_selectors(bench), "MFS")
  expect_identical(reference_selectors(bench[bench$k == 2, ]), character())
  picture <- autoplot(bench)
  expect_identical(levels(picture$data$selector), c("SCLS", "MIM-BR", "MFS", "Random"))
})

test_that("styles tell 21 selectors apart", {
  style <- curve_styles(21)
  expect_false(anyDuplicated(data.frame(style$color, style$linetype)) > 0)
})

test_that("both pictures draw, for one measure, several, shares, and one k", {
  withr::local_pdf(NULL)
  withr::local_seed(3)
  values <- random_values(tasks = 2, selectors = paste("s", 1:12), k = 1:9)
  bench <- hand_benchmark(values)
  both <- join_benchmarks(bench, hand_benchmark(1 - values, "micro_f1", direction = "maximize"))
  shares <- hand_benchmark(random_values(k = 1:5 / 10), by = "prop")
  turn <- 0L
  shown <- list(bench, both, shares, bench[bench$k == 3, ], bench[bench$task == "task1", ])
  # Large pictures take most of the time.
  if (!all_tests()) shown[1:3] <- lapply(shown[1:3], \(b) b[b$selector %in% unique(b$selector)[1:5], ])
  for (b in shown) {
    for (type in some_or_all(c("curve", "rank"), turn <- turn + 1L, 2L)) {
      expect_no_warning(expect_s3_class(plot(b, type = type), "ggplot"))
    }
  }
  panels <- function(...) nrow(ggplot2::ggplot_build(autoplot(...))$layout$layout)
  expect_identical(panels(both), 4L)
  expect_identical(panels(both, measure = "micro_f1"), 2L)
  hole <- bench
  hole$value[1] <- NA
  for (type in some_or_all(c("curve", "rank"), 1, 2L)) expect_no_warning(print(autoplot(hole, type = type)))
})

test_that("measures and learners must be in the benchmark", {
  withr::local_seed(4)
  bench <- hand_benchmark(random_values())
  two <- join_benchmarks(bench, hand_benchmark(random_values(), learner = "BR-kNN"))
  expect_snapshot(error = TRUE, {
    autoplot(bench, measure = c("hamming_loss", "haming_los"))
    autoplot(bench, measure = 3)
    autoplot(two, type = "rank")
    autoplot(bench, type = "bars")
    autoplot(bench, highlight = "SCL")
    autoplot(bench, highlight = 1)
    autoplot(bench, higlight = "SCLS")
    autoplot(bench, "hamming_loss", NULL, "curve", NULL, 11, 7, 12)
    plot(bench, base_size = 0)
  })
})

test_that("a selector has the same style in all pictures of a benchmark and of its rows", {
  set.seed(1)
  bench <- benchmark_selectors(
    simulate_mltask(40, 6, 2), list(sel_mim(), sel_mfs(), sel_random(), sel_chi2()), lrn_brknn(),
    rs_holdout(repeats = 2), 1:3, "hamming_loss"
  )
  colors_in <- function(bench, ...) {
    picture <- ggplot2::autoplot(bench, ...)
    data <- ggplot2::ggplot_build(picture)$data[[1]]
    tapply(data$colour, levels(picture$data$selector)[data$group], unique)
  }
  all <- colors_in(bench)
  expect_length(unique(all), 4)
  some <- colors_in(bench[bench$selector %in% c("Random", "ELA+CHI"), ])
  expect_identical(c(some), c(all[names(some)]))
})

test_that("measures and learners have a row of panels each", {
  withr::local_seed(5)
  values <- random_values(tasks = 3)
  bench <- join_benchmarks(hand_benchmark(values), hand_benchmark(values / 2, learner = "BR-kNN"))
  layout <- ggplot2::ggplot_build(autoplot(bench))$layout$layout
  expect_identical(dim(table(layout$row, layout$task)), c(2L, 3L))
  expect_identical(as.character(unique(layout$row)), c("ML-kNN", "BR-kNN"))
  picture <- autoplot(bench, learner = "BR-kNN")
  expect_identical(nrow(ggplot2::ggplot_build(picture)$layout$layout), 3L)
  expect_match(picture$labels$y, "Hamming loss (lower is better)", fixed = TRUE)
})

test_that("selectors that are not highlighted are gray", {
  withr::local_seed(7)
  picture <- autoplot(hand_benchmark(random_values()), highlight = "SCLS")
  data <- ggplot2::ggplot_build(picture)$data[[1]]
  colors <- tapply(data$colour, levels(picture$data$selector)[data$group], unique)
  expect_setequal(colors[names(colors) != "SCLS"], "grey80")
  expect_false(colors[["SCLS"]] == "grey80")
})

test_that("pictures of one benchmark name their axes", {
  withr::local_seed(9)
  bench <- hand_benchmark(random_values())
  expect_match(autoplot(bench)$labels$y, "Hamming loss")
})

test_that("quality against time shows mean ranks, mean seconds and the selectors that no other beats", {
  bench <- withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1), b = numbered_task(2)), list(sel_mim(), sel_mfs(), sel_random(), sel_none()), lrn_brknn(),
    rs_holdout(repeats = 2), 1:3, c("hamming_loss", "macro_f1"), progress = FALSE
  ))
  spent <- attr(bench, "timings")
  # Seconds that make the front known: the second is slower than the first.
  seconds <- c("MIM-BR" = 0.01, MFS = 0.04, Random = 1e-5, All = 1e-4)
  select <- spent$stage == "select"
  spent$seconds[select] <- seconds[spent$selector[select]] * ifelse(spent$task[select] == "a", 1, 4)
  attr(bench, "timings") <- spent
  found <- list(bench_values(bench, "macro_f1", NULL))
  data <- time_data(found, timings(bench), "All")
  scores <- rank_test(bench, "macro_f1")$mean_ranks
  expect_equal(data$score, unname(scores[data$selector]))
  expect_equal(data$seconds, unname(c("MIM-BR" = 0.02, MFS = 0.08, Random = 1e-3, All = 1e-3)[data$selector]))
  rivals <- data[data$selector != "All", ]
  front <- vapply(seq_len(nrow(rivals)), function(i) {
    !any(rivals$seconds < rivals$seconds[i] & rivals$score <= rivals$score[i]) &&
      !any(rivals$score < rivals$score[i] & rivals$seconds <= rivals$seconds[i])
  }, NA)
  expect_identical(rivals$front, front)
  expect_false(data$front[data$selector == "All"])
  picture <- autoplot(bench, "macro_f1", type = "time")
  expect_setequal(picture$data$selector, c("MIM-BR", "MFS", "Random"))
  expect_s3_class(ggplot2::ggplot_build(autoplot(bench, type = "time")), "ggplot_built")
})

test_that("long names that differ in their middle stay different", {
  long <- paste0(strrep("a", 70), 1:60, strrep("b", 10))
  shown <- short_names(c(long, long[1]))
  expect_length(unique(shown), 60)
  expect_identical(shown[61], shown[1])
})

test_that("a legend of sixty names leaves room for the panels", {
  names <- sprintf("method %02d", 1:60)
  expect_equal(legend_columns(names, 3.5), 4)
  expect_equal(legend_columns(names, 7), 6)
  expect_equal(legend_columns(names[1:25], 7), 4)
})

test_that("selectors that only one measure or learner has are drawn, too", {
  skip_unless_all()
  withr::local_seed(7)
  bench <- hand_benchmark(random_values(selectors = c("A", "B")))
  other <- random_values(selectors = c("B", "C"))
  for (both in list(rbind(bench, hand_benchmark(other, learner = "other")),
    rbind(bench, hand_benchmark(other, measure = "micro_f1", direction = "maximize")))) {
    curves <- ggplot2::autoplot(both)
    expect_setequal(as.character(curves$data$selector), c("A", "B", "C"))
    expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(both, highlight = "C")))
  }
  ranks <- ggplot2::autoplot(both, type = "rank")
  expect_setequal(as.character(ranks$data$selector), c("A", "B", "C"))
})

test_that("a measure that only some learners have is drawn for those, and asked of another it is refused", {
  withr::local_seed(10)
  bench <- hand_benchmark(random_values(splits = 2))
  both <- rbind(bench, hand_benchmark(random_values(splits = 2), "micro_f1", direction = "maximize"),
    hand_benchmark(random_values(splits = 2), learner = "other"))
  expect_setequal(levels(autoplot(both)$data$row), c("Hamming loss, ML-kNN", "Hamming loss, other", "Micro F1, ML-kNN"))
  expect_setequal(autoplot(both, type = "rank", learner = "other")$data$panel, "Hamming loss")
  expect_identical(best_k(both), rbind(best_k(both, learner = "ML-kNN"), best_k(both, "hamming_loss", "other")))
  expect_snapshot(error = TRUE, {
    autoplot(both, "micro_f1", "other")
    rank_test(both, "micro_f1", learner = "other")
  })
})

test_that("shares are drawn and found where numbers are printed with a comma, and keep their digits", {
  withr::local_seed(11)
  shares <- c(1 / 21, 1 / 3, 0.5)
  bench <- hand_benchmark(random_values(k = shares), by = "prop")
  plain <- rank_test(bench, prop = 1 / 3)
  withr::local_options(OutDec = ",", scipen = -9, warn = 2)
  expect_equal(unique(autoplot(bench)$data$at), shares, tolerance = 1e-11)
  expect_true(all(best_k(bench)$prop %in% signif(shares, 12)))
  expect_identical(rank_test(bench, prop = 1 / 3), plain)
})

test_that("pictures of one selector, and of all features alone, draw without a word", {
  skip_unless_all()
  withr::local_pdf(NULL)
  bench <- withr::with_seed(1, benchmark_selectors(numbered_task(1), list(sel_mim(), sel_none()), lrn_brknn(),
    rs_holdout(repeats = 2), c(2, 4), c("hamming_loss", "macro_f1")))
  for (selector in c("MIM-BR", "All")) for (type in c("curve", "rank", "time")) {
    expect_silent(print(autoplot(bench[bench$selector == selector, ], type = type)))
  }
  expect_match(autoplot(bench[bench$selector == "All", ], type = "time")$labels$subtitle, "Means over 1 task")
})

test_that("a picture of ranks names the tasks that it leaves out, and needs one", {
  skip_unless_all()
  withr::local_seed(8)
  bench <- hand_benchmark(random_values())
  attr(bench, "timings") <- data.frame(unique(table_of(bench)[c("task", "split", "selector")]), learner = NA_character_,
    stage = "select", seconds = 1)
  at <- bench$selector == "MFS" & bench$k == 3
  some <- none <- bench
  some$value[at & bench$task == "task2"] <- NA
  none$value[at] <- NA
  for (type in c("rank", "time")) {
    expect_error(ggplot2::autoplot(none, type = type), "a selector lacks a value", class = "mlsift_error")
  }
  expect_match(ggplot2::autoplot(some, type = "time")$labels$subtitle, "Means over 3 tasks", fixed = TRUE)
  said <- ggplot2::autoplot(some, type = "rank", width = 20)$labels$subtitle
  expect_match(said, "Left out, as a selector has no value: task2", fixed = TRUE)
  expect_no_match(ggplot2::autoplot(bench, type = "rank")$labels$subtitle, "Left out")
  expect_match(ggplot2::autoplot(some)$labels$subtitle, "best mean rank")
  expect_no_match(ggplot2::autoplot(none)$labels$subtitle, "best mean rank")
})

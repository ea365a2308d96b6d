test_that("curves hold the means over splits", {
  withr::local_seed(1)
  values <- random_values()
  found <- list(hamming_loss = bench_values(hand_benchmark(values), NULL, NULL, NULL))
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
  for (b in list(bench, both, shares, bench[bench$k == 3, ], bench[bench$task == "task1", ])) {
    for (type in c("curve", "rank")) expect_no_warning(expect_s3_class(plot(b, type = type), "ggplot"))
  }
  expect_identical(nlevels(autoplot(both)$data$panel), 4L)
  expect_identical(nlevels(autoplot(both, measure = "micro_f1")$data$panel), 2L)
  hole <- bench
  hole$value[1] <- NA
  expect_no_warning(print(autoplot(hole)))
  expect_no_warning(print(autoplot(hole, type = "rank")))
})

test_that("measures and learners must be in the benchmark", {
  withr::local_seed(4)
  bench <- hand_benchmark(random_values())
  two <- join_benchmarks(bench, hand_benchmark(random_values(), learner = "BR-kNN"))
  expect_snapshot(error = TRUE, {
    autoplot(bench, measure = c("hamming_loss", "haming_los"))
    autoplot(bench, measure = 3)
    autoplot(two)
    autoplot(bench, type = "bars")
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
  expect_identical(colors_in(bench, colors = c(MFS = "#123456"))[["MFS"]], "#123456")
  expect_error(ggplot2::autoplot(bench, colors = c(SCLS = "red")), "SCLS", class = "mlsift_error")
})

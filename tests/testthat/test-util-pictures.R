test_that("names are shortened to what tells them apart", {
  expect_identical(shorten_names(c("a", "bb", NA), 5), c("a", "bb", NA))
  expect_identical(shorten_names(c("abcdefghijkl", "x"), 7), c("ab...kl", "x"))
  same <- c("Mean_of_the_first_band_in_all_windows", "Mean_of_the_second_band_in_all_windows")
  expect_identical(shorten_names(same, 20), c("...first...", "...second..."))
  # Shortened names that are the same are numbered; all stay different.
  many <- paste0("p", sprintf("%02d", 1:20), strrep("x", 30), rep(c("a", "b"), 10), "end")
  short <- shorten_names(many, 10)
  expect_identical(anyDuplicated(short), 0L)
  expect_lt(max(nchar(short)), 16)
  expect_identical(anyDuplicated(shorten_names(c(strrep("ab", 20), paste0(strrep("ab", 20), "c")), 10)), 0L)
})

test_that("pictures fit the width that they are told", {
  long <- paste0(strrep("long ", 15), 1:4)
  task <- simulate_mltask(60, 4, 3)
  names <- feature_names(task)
  x <- as.matrix(features(task))
  colnames(x) <- long
  task <- mltask(x, as.matrix(targets(task)))
  pictures <- list(
    function(width) ggplot2::autoplot(sift_features(task, sel_mim()), width = width),
    function(width) ggplot2::autoplot(label_scores(task, sel_mim()), width = width),
    function(width) ggplot2::autoplot(label_graph(task), width = width),
    function(width) ggplot2::autoplot(bayes_signed_rank(c(1, 2, 3, 4), c(2, 2, 5, 1), rope = 0.5), width = width),
    function(width) ggplot2::autoplot(tune_selection(task, sel_mim(), lrn_brknn(), k = 1:2, measure = "hamming_loss"),
      width = width)
  )
  for (draw in pictures) {
    # The panel keeps a third of the width, whatever the names.
    for (width in c(3.5, 7)) {
      grobs <- ggplot2::ggplotGrob(draw(width))
      fixed <- sum(grid::convertWidth(grobs$widths, "in", valueOnly = TRUE))
      expect_lt(fixed, 0.75 * width)
    }
    expect_error(draw(-1), "`width`", class = "mlsift_error")
  }
  scores <- label_scores(simulate_mltask(60, 5, 60), sel_mim())
  expect_match(ggplot2::autoplot(scores, width = 3.5)$labels$subtitle, "60 targets, of which 1 in [0-9]+ is named")
  expect_null(ggplot2::autoplot(scores, width = 60)$labels$subtitle)
})

test_that("pictures of benchmarks fit the width that they are told", {
  bench <- withr::with_seed(1, hand_benchmark(random_values(tasks = 6, selectors = paste("a selector", 1:25))))
  panels <- function(picture) {
    layout <- ggplot2::ggplot_build(picture)$layout$layout
    max(layout$COL)
  }
  expect_identical(panels(ggplot2::autoplot(bench, width = 3.5)), 2L)
  expect_identical(panels(ggplot2::autoplot(bench)), 3L)
  few <- bench[bench$selector %in% paste("a selector", 1:3), ]
  expect_identical(ggplot2::autoplot(few, width = 3.5)$theme$legend.position, "bottom")
  expect_identical(ggplot2::autoplot(few, width = 7)$theme$legend.position, "right")
  for (type in c("curve", "rank")) {
    text <- ggplot2::autoplot(bench, type = type, width = 3.5)$labels$subtitle
    expect_lte(max(nchar(strsplit(text, "\n")[[1]])), 67)
  }
  values <- stats::setNames(1:3, paste("a selector", 1:3))
  expect_identical(panels(plot_parameter(few, values, width = 3.5)), 2L)
  expect_error(ggplot2::autoplot(bench, width = "a"), "`width`", class = "mlsift_error")
})

bench_of <- function() {
  shares <- c(0.5, 1)
  made <- lapply(shares, function(share) sel_ebls(prop_labels = share))
  names(made) <- paste("EBLS", shares)
  withr::with_seed(1, benchmark_selectors(
    list(a = numbered_task(1), b = numbered_task(2)), c(made, list(sel_random())), lrn_brknn(), rs_holdout(repeats = 2),
    c(1, 3, 5), c("hamming_loss", "macro_f1"), progress = FALSE
  ))
}

test_that("the picture shows means at the values of the parameter", {
  bench <- bench_of()
  values <- c("EBLS 0.5" = 0.5, "EBLS 1" = 1)
  picture <- plot_parameter(bench, values, measure = "hamming_loss", k = c(1, 5), label = "share")
  data <- picture$data
  expect_setequal(data$parameter, c(0.5, 1))
  expect_identical(levels(data$line), c("1", "5"))
  means <- summary(bench)
  for (i in seq_len(nrow(data))) {
    row <- data[i, ]
    same <- means$task == as.character(row$task) & means$selector == as.character(row$selector) &
      means$k == row$at & means$measure == "hamming_loss"
    expect_equal(row$value, means$mean[same], tolerance = 1e-14)
  }
  expect_identical(picture$labels$x, "share")
  two <- plot_parameter(bench, values, group = c("EBLS 0.5" = "u", "EBLS 1" = "v"))
  expect_identical(levels(two$data$series), c("u", "v"))
  expect_s3_class(ggplot2::ggplot_build(two), "ggplot_built")
})

test_that("wrong values are refused", {
  bench <- bench_of()
  values <- c("EBLS 0.5" = 0.5, "EBLS 1" = 1)
  refuse <- function(code, text) expect_error(code, text, class = "mlsift_error")
  refuse(plot_parameter(bench, 1:2), "with the names of selectors")
  refuse(plot_parameter(bench, c("EBLS 2" = 1)), "Did you mean \"EBLS 1\"")
  refuse(plot_parameter(bench, c("EBLS 1" = Inf)), "finite numbers")
  refuse(plot_parameter(bench, values, group = "a"), "same names as")
  refuse(plot_parameter(bench, values, k = 2), "must be one of the values")
  refuse(plot_parameter(bench, values, prop = 0.5), "must be left out")
})

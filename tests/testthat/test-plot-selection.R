test_that("bars end at the score, at the edge where it is infinite, and not at all without one", {
  bars <- selection_bars(hand_selection(c(Inf, NA, 2, -1, -Inf)), 5)
  expect_equal(bars$end, c(2.36, 0, 2, -1, -1.36))
  expect_identical(bars$note, c("Inf", "no score", NA, NA, "-Inf"))
  expect_identical(bars$row, -(1:5))
})

test_that("titles say what is shown", {
  picture <- autoplot(hand_selection(5:1), n = 3)
  expect_identical(picture$labels$title, "MIM-BR on emotions")
  expect_identical(picture$labels$subtitle, "5 of 72 features selected, the first 3 shown")
  expect_identical(nrow(picture$data), 3L)
})

test_that("every selection draws", {
  withr::local_pdf(NULL)
  scores <- first_or_all(list(c(Inf, NA, 2, -1, -Inf), numeric(), rep(NA_real_, 4), 5:1, c(0, 0), Inf, -3:-5), 3)
  for (score in scores) expect_no_warning(expect_s3_class(plot(hand_selection(as.double(score))), "ggplot"))
  bare <- hand_selection(3:1)
  attributes(bare)[c("selector", "n_features", "task_name")] <- NULL
  expect_no_warning(plot(bare))
  expect_snapshot(error = TRUE, autoplot(hand_selection(3:1), n = 0))
})

# Which candidates are behind, from the formula: differences from the leader, each at its own best k.
oracle_behind <- function(values, ratio, direction) {
  s <- dim(values)[1]
  sign <- if (direction == "maximize") 1 else -1
  own <- apply(values, 3, \(v) v[, which.max(sign * colMeans(v))])
  lead <- order(-sign * colMeans(own))[1:2]
  d <- sign * (own[, lead[1]] - own[, -lead[1], drop = FALSE])
  error <- sqrt((1 / s + ratio) * mean(apply(d, 2, stats::var)))
  behind <- replace(rep(FALSE, dim(values)[3]), -lead[1], colMeans(d) / error > stats::qt(0.95, ncol(d) * (s - 1)))
  replace(behind, lead, FALSE)
}

test_that("candidates fall behind where the corrected t-test says so, and not before", {
  withr::local_seed(1)
  changed <- 0
  for (case in 1:20) {
    s <- sample(2:6, 1)
    ratio <- sample(c(0.1, 0.25, 1), 1)
    direction <- sample(c("minimize", "maximize"), 1)
    values <- array(stats::rnorm(s * 2 * 4, sd = 0.1), c(s, 2, 4))
    # The third candidate becomes worse step by step.
    worse <- if (direction == "minimize") 0.05 else -0.05
    decisions <- vapply(0:40, function(step) {
      values[, , 3] <- values[, , 3] + step * worse
      found <- falls_behind(values, ratio, direction)
      expect_identical(found, oracle_behind(values, ratio, direction))
      c(found[3], oracle_behind(values, 0, direction)[3])
    }, c(NA, NA))
    expect_true(decisions[1, 41])
    # The plain t-test would have dropped it earlier.
    changed <- changed + sum(decisions[2, ] & !decisions[1, ])
  }
  expect_gt(changed, 20)
})

test_that("a race corrects for the test rows and training rows of its own splits", {
  withr::local_seed(2)
  task <- simulate_mltask(90, 8, 3)
  worst <- sel_custom("Worst", function(task, k) -label_scores(task, sel_mim())[, 1], codes = TRUE)
  asked <- list()
  plain <- falls_behind
  local_mocked_bindings(falls_behind = function(values, ratio, direction) {
    found <- plain(values, ratio, direction)
    asked[[length(asked) + 1L]] <<- list(values = values, ratio = ratio, direction = direction, found = found)
    found
  }, .package = "mlsift")
  for (resampling in list(rs_cv(5), rs_cv(3), rs_holdout(0.5, repeats = 4))) {
    asked <- list()
    candidates <- list(sel_mim(), sel_scls(), sel_random(), worst)
    tune_selection(task, candidates, lrn_brknn(), "average_precision", 2:3, resampling)
    rows <- split_rows(task, resampling)
    expect_gt(length(asked), 0)
    for (race in asked) {
      expect_equal(race$ratio, mean(vapply(rows, \(split) length(split$test) / length(split$train), 0)))
      expect_identical(race$direction, "maximize")
      expect_identical(race$found, oracle_behind(race$values, race$ratio, "maximize"))
    }
    # After the second split, the third, and so on.
    expect_identical(vapply(asked, \(race) dim(race$values)[1], 0L), seq_along(asked) + 1L)
  }
})

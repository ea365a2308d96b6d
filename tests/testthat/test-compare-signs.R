# The numbers of one pair, first method first, as each function gives them. Positive should mean that the first is
# better. `x`: two methods and others, datasets in rows.
signs_of_pair <- function(x, first, second, direction) {
  turn <- function(rows, one, two) {
    at <- which(rows[[1]] == first & rows[[2]] == second)
    turned <- which(rows[[1]] == second & rows[[2]] == first)
    values <- as.data.frame(rows)[c(at, turned), , drop = FALSE]
    signed <- intersect(c("difference", "median_difference", "effect", "estimate", "statistic"), names(values))
    if (length(turned) > 0) values[signed] <- -values[signed]
    ends <- intersect(c("conf_low", "conf_high", "conf.low", "conf.high"), names(values))
    if (length(turned) > 0) values[ends] <- -values[rev(ends)]
    record <- if (length(turned) > 0) values$loss - values$win else values$win - values$loss
    c(unlist(values[c(setdiff(signed, "statistic"), ends)]), win = record)
  }
  run <- function(...) suppressMessages(rank_test(x, direction = direction, ...))
  pairs <- compare_pairs(x, direction = direction)
  against <- compare_pairs(x, direction = direction, control = second)
  tests <- list(run(), run(posthoc = "holm"), run(posthoc = "wilcoxon-holm"), run(posthoc = "holm", control = first),
    run(posthoc = "wilcoxon-holm", control = second))
  unlist(c(lapply(tests, \(t) turn(t$comparisons)), lapply(tests, \(t) turn(tidy(t))), list(turn(pairs), turn(against),
    turn(tidy(pairs)), turn(tidy(against)))))
}

test_that("every number about a pair is positive where its first method is better, in either direction", {
  withr::local_seed(1)
  x <- matrix(stats::runif(15 * 4), 15, dimnames = list(NULL, c("A", "B", "C", "D")))
  # A is larger than C on all datasets, by different amounts.
  x[, "A"] <- x[, "C"] + stats::runif(15)
  for (direction in c("minimize", "maximize")) for (pair in list(c("A", "C"), c("C", "A"))) {
    better <- (pair[1] == "A") == (direction == "maximize")
    signs <- signs_of_pair(x, pair[1], pair[2], direction)
    expect_gt(length(signs), 40)
    expect_true(all(sign(signs) == if (better) 1 else -1))
  }
})

test_that("values and their negatives in the other direction give the same numbers", {
  withr::local_seed(2)
  x <- round(matrix(stats::rnorm(12 * 5), 12, dimnames = list(NULL, LETTERS[1:5])), 1)
  for (control in list(NULL, "B")) {
    up <- compare_pairs(x, direction = "maximize", control = control)
    down <- compare_pairs(-x, direction = "minimize", control = control)
    means <- c("mean1", "mean2")
    expect_identical(as.data.frame(up)[setdiff(names(up), means)], as.data.frame(down)[setdiff(names(up), means)])
    expect_identical(tidy(up), tidy(down))
    expect_identical(summary(up), summary(down), ignore_attr = TRUE)
    expect_identical(up$difference, up$mean1 - up$mean2)
    expect_identical(down$difference, down$mean2 - down$mean1)
    # The intervals have the sign of the estimates that they are around.
    expect_true(all(up$conf_low <= up$median_difference & up$median_difference <= up$conf_high))
  }
  run <- function(x, direction, ...) suppressMessages(rank_test(x, direction = direction, ...))
  for (posthoc in c("nemenyi", "holm", "wilcoxon-holm")) {
    expect_identical(tidy(run(x, "maximize", posthoc = posthoc)), tidy(run(-x, "minimize", posthoc = posthoc)))
  }
  # Cells of the matrix: the same colors and numbers.
  cells <- function(x, direction) autoplot(compare_pairs(x, direction = direction))$data
  expect_identical(cells(x, "maximize"), cells(-x, "minimize"))
})

test_that("the matrix of pairs is blue where the row is better", {
  x <- cbind(A = 1:6, B = 1:6 + c(2, 3, 1, 2, 4, 1))
  for (direction in c("minimize", "maximize")) {
    picture <- autoplot(compare_pairs(x, direction = direction))
    better <- if (direction == "minimize") "A" else "B"
    cells <- picture$data
    expect_identical(as.character(cells$row[cells$difference > 0]), better)
    fill <- ggplot2::ggplot_build(picture)$data[[1]]$fill
    expect_identical(toupper(fill[cells$row == better]), toupper(palette_mlsift[6]))
    expect_identical(toupper(fill[cells$row != better]), toupper(palette_mlsift[5]))
    expect_identical(ggplot2::ggplot_build(picture)$plot$scales$get_scales("fill")$name,
      "difference of means, positive where the row is better")
  }
})

test_that("texts state what the signs mean, and wins are those of the better method", {
  x <- cbind(A = c(1, 2, 3, 4, 5, 6, 7, 8), B = c(2, 4, 6, 8, 10, 12, 14, 8), C = 9)
  for (direction in c("minimize", "maximize")) {
    pairs <- compare_pairs(x[, 1:2], direction = direction)
    winner <- if (direction == "minimize") "A" else "B"
    expect_identical(pairs$method1, winner)
    expect_gt(pairs$effect, 0)
    expect_match(as.character(summary(pairs)), paste("positive where", winner, "is better"))
    expect_match(as.character(summary(pairs)), paste(winner, "is significantly better"))
    expect_output(print(pairs), "positive where method1 is better")
    expect_match(toLatex(pairs), "positive where method1 is better", all = FALSE)
    test <- rank_test(x, direction = direction, posthoc = "holm", control = "B")
    expect_output(print(test), "effect: positive where B is better than the method of the row")
    expect_match(toLatex(test), "Effect: positive where B is better", all = FALSE)
  }
})

test_that("estimate, interval, effect and counts of wilcoxon_test() are positive where x is larger", {
  withr::local_seed(4)
  y <- stats::runif(12)
  x <- y + stats::runif(12)
  for (test in list(wilcoxon_test(x, y), tidy(wilcoxon_test(x, y)))) {
    values <- unlist(unclass(test)[intersect(c("estimate", "conf_low", "conf.low", "effect"), names(test))])
    expect_true(all(values > 0))
  }
  expect_identical(wilcoxon_test(x, y)$counts, c(plus = 12L, zero = 0L, minus = 0L))
  turned <- wilcoxon_test(y, x)
  expect_equal(c(turned$estimate, turned$conf_low, turned$effect),
    -unlist(wilcoxon_test(x, y)[c("estimate", "conf_high", "effect")]), ignore_attr = TRUE)
})

scores_of <- function(n, k) matrix(stats::rnorm(n * k), n, dimnames = list(NULL, paste0("m", seq_len(k))))

test_that("tests, medians and intervals are those of wilcox.test() without ties and zeros", {
  withr::local_seed(1)
  for (n in c(6, 12, 30)) for (alpha in c(0.05, 0.1)) {
    x <- scores_of(n, 4)
    pairs <- compare_pairs(x, direction = "maximize", alpha = alpha)
    expect_identical(nrow(pairs), 6L)
    for (i in seq_len(nrow(pairs))) {
      a <- x[, pairs$method1[i]]
      b <- x[, pairs$method2[i]]
      test <- stats::wilcox.test(a, b, paired = TRUE, exact = TRUE, conf.int = TRUE, conf.level = 1 - alpha)
      total <- n * (n + 1) / 2
      expect_equal(pairs$p_value[i], test$p.value)
      expect_equal(pairs$statistic[i], min(test$statistic, total - test$statistic), ignore_attr = TRUE)
      expect_equal(pairs$median_difference[i], unname(test$estimate))
      expect_equal(c(pairs$conf_low[i], pairs$conf_high[i]), as.numeric(test$conf.int))
      expect_equal(pairs$effect[i], unname(2 * test$statistic / total - 1))
      expect_identical(c(pairs$win[i], pairs$tie[i], pairs$loss[i]), c(sum(a > b), 0L, sum(a < b)))
      expect_equal(pairs$difference[i], mean(a) - mean(b))
      expect_equal(c(pairs$mean1[i], pairs$mean2[i]), c(mean(a), mean(b)))
    }
    expect_equal(pairs$p_holm, stats::p.adjust(pairs$p_value, "holm"))
    expect_true(all(pairs$difference > 0))
  }
})

test_that("the interval excludes zero exactly when the exact test rejects, and is infinite for few datasets", {
  withr::local_seed(2)
  for (i in first_or_all(1:30, 10)) {
    pairs <- compare_pairs(scores_of(9, 3) + rep(c(0, 0.5, 1), each = 9), direction = "maximize")
    expect_identical(pairs$conf_low > 0 | pairs$conf_high < 0, pairs$p_value <= 0.05)
  }
  few <- compare_pairs(scores_of(5, 3), direction = "maximize")
  expect_identical(c(few$conf_low, few$conf_high), rep(c(-Inf, Inf), each = 3))
  expect_output(print(few), "With 5 datasets no p-value adjusted for 3 pairs can be below 0.19.", fixed = TRUE)
})

test_that("the normal interval for more than 50 datasets is near the exact one", {
  withr::local_seed(3)
  x <- scores_of(120, 2)
  pairs <- compare_pairs(x, direction = "maximize")
  d <- x[, pairs$method1] - x[, pairs$method2]
  walsh <- sort(outer(d, d, "+")[!lower.tri(diag(120))] / 2)
  position <- stats::qsignrank(0.025, 120)
  near <- walsh[position + c(-30, 30)]
  expect_true(pairs$conf_low >= near[1] && pairs$conf_low <= near[2])
})

test_that("a pair without differences has p = 1 and effect 0", {
  withr::local_seed(4)
  for (n in c(7, 8)) {
    x <- scores_of(n, 2)
    x <- cbind(x, same = x[, 1])
    pairs <- compare_pairs(x, direction = "minimize")
    row <- pairs[pairs$method1 == "m1" & pairs$method2 == "same", ]
    expect_identical(unlist(as.data.frame(row)[c("difference", "win", "tie", "loss", "p_value", "effect")]),
      c(difference = 0, win = 0, tie = n, loss = 0, p_value = 1, effect = 0))
    expect_s3_class(autoplot(compare_pairs(x[, c(1, 3)], direction = "minimize")), "ggplot")
  }
})

test_that("wins are better values in either direction, and other methods change no pair", {
  withr::local_seed(5)
  x <- round(scores_of(10, 5), 1)
  up <- compare_pairs(x, direction = "maximize")
  down <- compare_pairs(-x, direction = "minimize")
  same <- c("method1", "method2", "win", "tie", "loss", "statistic", "p_value", "p_holm")
  expect_identical(as.data.frame(up)[same], as.data.frame(down)[same])
  expect_identical(up$effect, down$effect)
  part <- compare_pairs(x[, c(2, 4, 5)], direction = "maximize")
  kept <- up[up$method1 %in% colnames(x)[c(2, 4, 5)] & up$method2 %in% colnames(x)[c(2, 4, 5)], ]
  columns <- setdiff(names(up), "p_holm")
  expect_equal(as.data.frame(part)[columns], as.data.frame(kept)[columns], ignore_attr = TRUE)
  against <- compare_pairs(x, control = "m3", direction = "maximize")
  expect_identical(unique(against$method1), "m3")
  expect_setequal(against$method2, c("m1", "m2", "m4", "m5"))
  expect_equal(against$p_holm, stats::p.adjust(against$p_value, "holm"))
})

test_that("a benchmark enters by its means over splits and k", {
  withr::local_seed(6)
  values <- random_values(tasks = 7)
  bench <- hand_benchmark(values)
  numbers <- function(v) compare_pairs(v, direction = "minimize")
  expect_equal(as.data.frame(compare_pairs(bench)), as.data.frame(numbers(apply(values, c(1, 3), mean))),
    ignore_attr = TRUE)
  expect_equal(as.data.frame(compare_pairs(bench, k = 2)),
    as.data.frame(numbers(apply(values[, , , 2], c(1, 3), mean))), ignore_attr = TRUE)
  expect_output(print(compare_pairs(bench, "hamming_loss", k = 2)), "hamming_loss at k = 2: 4 methods, 7 datasets")
  expect_output(print(compare_pairs(bench)), "hamming_loss, mean over the grid")
  values["task2", 1, "MFS", 3] <- NA
  expect_error(compare_pairs(hand_benchmark(values)), "task2", class = "mlsift_error")
})

test_that("arguments that do not fit are refused", {
  x <- matrix(1:12 / 12, 4)
  expect_error(compare_pairs(x), "direction", class = "mlsift_error")
  expect_error(compare_pairs(x[, 1, drop = FALSE], direction = "minimize"), "2 methods", class = "mlsift_error")
  expect_error(compare_pairs(x[1, , drop = FALSE], direction = "minimize"), "2 datasets", class = "mlsift_error")
  expect_error(compare_pairs(x, control = "m9", direction = "minimize"), "control", class = "mlsift_error")
  expect_error(compare_pairs(x, k = 3, direction = "minimize"), "benchmark", class = "mlsift_error")
  expect_error(compare_pairs(x, alpha = 1, direction = "minimize"), "alpha", class = "mlsift_error")
  expect_error(compare_pairs("a", direction = "minimize"), class = "mlsift_error")
  lost <- compare_pairs(x, direction = "minimize")
  attr(lost, "about") <- NULL
  expect_error(autoplot(lost), "compare_pairs", class = "mlsift_error")
})

test_that("the matrix has the better methods first and mirrored cells", {
  withr::local_seed(7)
  x <- scores_of(12, 20) + rep(seq(0, 2, length.out = 20), each = 12)
  pairs <- compare_pairs(x, direction = "minimize")
  cells <- autoplot(pairs)$data
  expect_identical(nrow(cells), 380L)
  best <- names(sort(colMeans(x)))
  expect_identical(levels(cells$column), best)
  expect_identical(levels(cells$row), rev(best))
  at <- function(i, j) cells[cells$row == i & cells$column == j, ]
  expect_identical(at("m1", "m20")$difference, -at("m20", "m1")$difference)
  record <- paste0(sum(x[, "m1"] < x[, "m20"]), "/0/", sum(x[, "m1"] > x[, "m20"]))
  expect_identical(strsplit(at("m1", "m20")$label, "\n")[[1]][1], record)
  p <- wilcoxon_test(x[, "m1"], x[, "m20"])$p_value
  expect_identical(at("m1", "m20")$face, if (p <= 0.05) "bold" else "plain")
  # As in all tests, a p-value of alpha itself is significant.
  edge <- autoplot(compare_pairs(x, direction = "minimize", alpha = wilcoxon_test(x[, "m1"], x[, "m2"])$p_value))$data
  expect_identical(edge$face[edge$row == "m1" & edge$column == "m2"], "bold")
  control <- autoplot(compare_pairs(x, control = "m5", direction = "minimize"))
  expect_identical(unique(as.character(control$data$row)), "m5")
  expect_identical(nrow(control$data), 19L)
  # Blue is better: where small values are, and where large ones are.
  fill <- function(picture) ggplot2::ggplot_build(picture)$data[[1]]$fill
  two <- function(direction) fill(autoplot(compare_pairs(x[, c(1, 20)], direction = direction)))
  best_first <- function(direction) two(direction)[1]
  expect_identical(best_first("minimize"), best_first("maximize"))
  expect_false(identical(two("minimize")[1], two("minimize")[2]))
})

test_that("tidy() and glance() use broom's names, and print() shows the interval", {
  withr::local_seed(8)
  pairs <- compare_pairs(scores_of(10, 3) + rep(0:2, each = 10), direction = "minimize")
  rows <- tidy(pairs)
  expect_named(rows, c("group1", "group2", "estimate", "statistic", "p.value", "adj.p.value", "conf.low", "conf.high",
    "effect", "win", "tie", "loss"))
  expect_identical(rows$estimate, pairs$median_difference)
  one <- glance(pairs)
  expect_identical(c(one$n.methods, one$n.comparisons, one$nobs), c(3L, 3L, 10L))
  expect_identical(one$n.significant, sum(pairs$p_holm <= 0.05))
  expect_identical(one$largest.effect, max(abs(pairs$effect)))
  withr::local_options(width = 150)
  shown <- utils::capture.output(print(pairs))
  expect_match(shown, paste0("[", signif(pairs$conf_low[1], 3), ", ", signif(pairs$conf_high[1], 3), "]"), fixed = TRUE,
    all = FALSE)
  expect_false(any(grepl("more", utils::capture.output(print(pairs, n = 3)), fixed = TRUE)))
  expect_identical(sum(utils::capture.output(print(pairs, n = 2)) == "# 1 more"), 1L)
})

test_that("columns of the pairs print as a data frame", {
  withr::local_seed(6)
  pairs <- compare_pairs(scores_of(8, 3), direction = "minimize")
  lines <- function(x) utils::capture.output(print(x))
  part <- pairs
  part$conf_low <- NULL
  expect_identical(lines(part), lines(as.data.frame(pairs)[setdiff(names(pairs), "conf_low")]))
  attr(part, "about") <- NULL
  expect_false(any(grepl("<mlpairs>", lines(part))))
})

test_that("text of the matrix fills the cells of a given width", {
  skip_unless_all()
  withr::local_seed(9)
  pairs <- compare_pairs(scores_of(12, 20), direction = "minimize")
  size <- function(...) autoplot(pairs, ...)$layers[[2]]$aes_params$size
  expect_identical(size(), size(width = 7))
  # Six letters in each of 20 cells, beside the names: legible, and not wider than a cell.
  for (width in c(7, 10, 14)) {
    expect_gt(size(width = width), 1.5)
    expect_lt(size(width = width) * 0.6 * 6, 25.4 * (width - 0.5) / 20)
  }
  expect_error(autoplot(pairs, width = 0), "width", class = "mlsift_error")
})

test_that("names above columns stand upright where they have no room beside each other", {
  withr::local_seed(6)
  angle <- function(names, width) {
    x <- matrix(stats::rnorm(8 * length(names)), 8, dimnames = list(NULL, names))
    autoplot(compare_pairs(x, direction = "minimize"), width = width)$theme$axis.text.x.top$angle
  }
  expect_null(angle(paste0("m", 1:8), 3.5))
  expect_null(angle(paste("method", 1:5), 7))
  expect_identical(angle(paste("method", 1:8), 3.5), 90)
  expect_identical(angle(paste("A selector of number", 1:8), 7), 90)
})

test_that("in a narrow picture of many pairs, stars take the place of numbers and no name is lost", {
  skip_unless_all()
  withr::local_seed(7)
  x <- scores_of(12, 25)
  x[, 1] <- x[, 1] - 3
  pairs <- compare_pairs(x, direction = "minimize")
  built <- function(pairs, width) {
    picture <- autoplot(pairs, width = width)
    axis <- function(scale) scale$get_labels()
    panel <- ggplot2::ggplot_build(picture)$layout$panel_params[[1L]]
    list(labels = unique(picture$data$label), subtitle = picture$labels$subtitle, title = picture$labels$title,
      x = axis(panel$x), y = axis(panel$y), blank = inherits(picture$theme$axis.text.x.top, "element_blank"))
  }
  wide <- built(pairs, 10)
  expect_match(wide$labels, "/", all = TRUE)
  expect_false(wide$blank)
  narrow <- built(pairs, 3.5)
  expect_setequal(narrow$labels, c("", "*"))
  expect_match(narrow$subtitle, "Stars: p of the signed-rank test up to 0.05", fixed = TRUE)
  expect_length(narrow$y, 25)
  expect_true(all(nchar(strsplit(narrow$title, "\n", fixed = TRUE)[[1L]]) < 50))

  many <- compare_pairs(scores_of(6, 60), direction = "minimize")
  tiny <- built(many, 3.5)
  expect_true(tiny$blank)
  expect_match(gsub("\n", " ", tiny$subtitle), "Columns are in the order of the rows", fixed = TRUE)
  expect_length(unique(tiny$y), 60)
  # With a control only the others have names, so they become rows.
  against <- autoplot(compare_pairs(scores_of(6, 60), control = "m5", direction = "minimize"), width = 3.5)
  expect_identical(levels(against$data$column), "m5")
  expect_identical(nlevels(against$data$row), 59L)
})

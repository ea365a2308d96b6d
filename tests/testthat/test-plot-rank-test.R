layout_of <- function(ranks, groups = list(), ...) cd_layout(ranks, groups, ...)

test_that("the better half goes right, the outermost nearest the axis", {
  ranks <- c(e = 5, a = 1, c = 3, b = 2, d = 4)
  s <- layout_of(ranks)$stems
  right <- s[s$side == "right", ]
  left <- s[s$side == "left", ]
  expect_identical(right$method[order(-right$y)], c("a", "b", "c"))
  expect_identical(left$method[order(-left$y)], c("e", "d"))
  mirrored <- mirror(layout_of(ranks))$stems
  expect_identical(mirrored$side == "left", s$side == "right")
  expect_identical(mirrored$y, s$y)
})

test_that("equal ranks keep the order of input", {
  s <- layout_of(c(a = 2.5, b = 2.5, c = 2.5, d = 2.5))$stems
  expect_identical(s$method, c("a", "b", "d", "c"))
  expect_identical(s$side, c("right", "right", "left", "left"))
})

# Stems run from the axis down to y at their rank; lines from there to the margin of their side.
crossings <- function(s) {
  crosses <- function(i, j) {
    passes <- if (s$better[j]) s$rank[i] < s$rank[j] else s$rank[i] > s$rank[j]
    passes && s$y[i] < s$y[j]
  }
  sum(outer(seq_len(nrow(s)), seq_len(nrow(s)), Vectorize(crosses)))
}

test_that("lines never cross, names never share a line, bars never touch", {
  withr::local_seed(1)
  for (k in c(3, 4, 7, 12, 20)) for (i in first_or_all(1:10, 3)) {
    x <- matrix(round(stats::rnorm(k * 30) + rep(1:k, each = 30) / 4, 1), 30)
    test <- rank_test(x, direction = "minimize")
    layout <- layout_of(test$mean_ranks, test$groups)
    expect_identical(crossings(layout$stems), 0L)
    expect_false(anyDuplicated(layout$stems[c("side", "y")]) > 0)
    bars <- layout$bars
    for (level in unique(bars$level)) {
      b <- bars[bars$level == level, ]
      b <- b[order(b$from), ]
      expect_true(all(b$from[-1] > b$to[-nrow(b)]))
    }
    if (nrow(bars)) expect_gt(min(bars$y), max(layout$stems$y))
    expect_setequal(layout$stems$method, names(test$mean_ranks))
  }
})

test_that("bars join the groups from extreme to extreme and never what the test separates", {
  withr::local_seed(2)
  x <- matrix(stats::rnorm(150) + rep(1:6, each = 25) / 2, 25)
  test <- rank_test(x, direction = "minimize")
  bars <- layout_of(test$mean_ranks, test$groups)$bars
  expect_identical(nrow(bars), length(test$groups))
  expect_true(all(bars$to - bars$from < test$cd))
  expect_identical(bars$from, unname(vapply(test$groups, \(g) min(test$mean_ranks[g]), 0)))
})

test_that("no bar hangs over a method that is not in its group", {
  ranks <- c(a = 1, b = 3, c = 3.1, d = 5, e = 5.1, f = 20, g = 21)
  bars <- cd_layout(ranks, list(c("a", "b"), c("c", "d"), c("e", "f", "g")))$bars
  expect_true(all(bars$start < bars$from & bars$end > bars$to))
  for (i in 1:3) expect_identical(unname(ranks[ranks > bars$start[i] & ranks < bars$end[i]]),
    list(c(1, 3), c(3.1, 5), c(5.1, 20, 21))[[i]])
})

test_that("a control may be called as a line of the legend", {
  skip_unless_all()
  withr::local_pdf(NULL)
  x <- matrix(rep(1:4, each = 5), 5, dimnames = list(NULL, c("significant", "not significant", "c", "d")))
  for (control in colnames(x)[1:2]) {
    picture <- autoplot(rank_test(x, direction = "minimize", posthoc = "holm", control = control), width = 3.5)
    expect_no_warning(print(picture))
    points <- Filter(\(data) "shape" %in% names(data), ggplot2::ggplot_build(picture)$data)[[1]]
    expect_identical(-points$x[points$shape == 18], unname(c(significant = 1, "not significant" = 2)[control]))
  }
})

test_that("the critical difference is drawn in its length from the left end", {
  expect_identical(
    layout_of(c(a = 1, b = 2, c = 3), cd = 1.5, cd_bar = TRUE)$scale, data.frame(from = 1.5, to = 3, y = 1.9)
  )
  expect_equal(
    mirror(layout_of(c(a = 1, b = 2, c = 3), cd = 1.5, cd_bar = TRUE))$scale, data.frame(from = 1, to = 2.5, y = 1.9)
  )
  expect_null(layout_of(c(a = 1, b = 2, c = 3))$scale)
})

test_that("step procedures over all pairs draw groups, tests against a control mark methods", {
  withr::local_seed(3)
  x <- matrix(stats::rnorm(120) + rep(1:6, each = 20), 20)
  holm <- rank_test(x, direction = "minimize", posthoc = "holm")
  joined <- cd_groups(holm)
  for (g in joined) expect_false(any(
    holm$comparisons$significant & holm$comparisons$method1 %in% g & holm$comparisons$method2 %in% g
  ))
  bd <- rank_test(x, direction = "minimize", posthoc = "bonferroni-dunn", control = "m1")
  expect_identical(cd_groups(bd), list())
  status <- cd_status(bd, names(bd$mean_ranks))
  expect_identical(status[1], "control")
  expect_identical(status[-1] == "different", abs(unname(bd$mean_ranks[-1] - bd$mean_ranks[1])) >= bd$cd)
})

test_that("every picture draws, with 3 and with 20 methods, ties and long names", {
  skip_unless_all()
  withr::local_pdf(NULL)
  withr::local_seed(4)
  for (k in c(3, 20)) {
    x <- matrix(round(stats::rnorm(k * 8)), 8, dimnames = list(NULL, paste("A selector with a long name", seq_len(k))))
    for (posthoc in some_or_all(c("nemenyi", "bonferroni-dunn", "holm", "hochberg", "li"), k, 2L)) {
      control <- if (posthoc %in% c("bonferroni-dunn", "li")) colnames(x)[2]
      test <- suppressWarnings(rank_test(x, direction = "minimize", posthoc = posthoc, control = control))
      expect_no_warning(expect_s3_class(plot(test), "ggplot"))
    }
  }
  expect_no_warning(print(autoplot(rank_test(matrix(1, 4, 5), direction = "minimize"), reverse = FALSE)))
  expect_no_warning(print(autoplot(rank_test(matrix(rep(1:4, each = 5), 5), direction = "minimize"))))
  flat <- autoplot(rank_test(matrix(1, 4, 5), direction = "minimize"))
  expect_match(flat$labels$subtitle, "not significant overall")
  expect_error(plot(rank_test(matrix(1, 4, 5), direction = "minimize"), reverse = NA), class = "mlsift_error")
})

test_that("narrow pictures have smaller text, more lines, and the same layout of lines", {
  withr::local_seed(5)
  x <- matrix(stats::rnorm(200), 20, dimnames = list(NULL, paste("Selector with a long name", 1:10)))
  test <- rank_test(x, direction = "minimize")
  lines <- function(text) length(strsplit(text, "\n", fixed = TRUE)[[1]])
  wide <- autoplot(test)
  narrow <- autoplot(test, width = 3.5)
  expect_identical(lines(wide$labels$subtitle), 2L)
  expect_gt(lines(narrow$labels$subtitle), 2L)
  points <- function(p) p$theme$axis.text.y$size
  expect_equal(points(narrow), 0.75 * points(wide))
  expect_identical(points(autoplot(test, width = 10)), points(wide))
  # Not below seven points, for all text.
  relative <- vapply(c("plot.title", "plot.subtitle", "plot.caption", "legend.text"),
    \(part) as.numeric(narrow$theme[[part]]$size), 0)
  sizes <- c(points(narrow), narrow$theme$text$size * relative, narrow$layers[[3]]$aes_params$size * ggplot2::.pt)
  expect_true(all(sizes >= 6.3))
  longest <- function(letters) max(nchar(unlist(strsplit(wrap_names(colnames(x), letters), "\n"))))
  expect_lte(longest(cd_size(3.5)$letters), 16)
  expect_identical(longest(cd_size(7)$letters), 27L)
  expect_match(wide$labels$caption, "Ranks depend on which methods are compared.", fixed = TRUE)
  expect_error(autoplot(test, width = -1), "width", class = "mlsift_error")
})

test_that("numbers of the axis keep apart", {
  step <- function(k, width, name = "m") {
    ranks <- stats::setNames(as.double(seq_len(k)), paste0(name, seq_len(k)))
    cd_step(layout_of(ranks), cd_size(width))
  }
  expect_identical(step(10, 7), 1L)
  expect_identical(step(10, 3.5), 1L)
  expect_gt(step(10, 3.5, "selector_number_"), 1L)
  expect_identical(step(20, 7), 5L)
})

test_that("a tied control is drawn apart from the methods it is tied with, and on top", {
  skip_unless_all()
  b <- rbind(1:5, c(2, 1, 3:5), 1:5, c(2, 1, 3:5))
  for (posthoc in c("bonferroni-dunn", "holm")) for (control in c("m1", "m2")) {
    test <- rank_test(`colnames<-`(b, paste0("m", 1:5)), direction = "minimize", posthoc = posthoc, control = control)
    points <- Filter(\(l) inherits(l$geom, "GeomPoint"), autoplot(test)$layers)[[1]]$data
    expect_identical(points$method[nrow(points)], control)
    expect_identical(as.character(points$status[nrow(points)]), "control")
    expect_identical(points$y[points$method == control], 0)
    expect_lt(points$y[points$method == setdiff(c("m1", "m2"), control)], -0.4)
    expect_true(all(points$y[points$method %in% c("m3", "m4", "m5")] == 0))
  }
  # Many ties still keep above the names.
  tied <- data.frame(rank = rep(3, 6), status = c("same", "control", rep("same", 4)))
  heights <- point_heights(tied)
  expect_identical(heights[2], 0)
  expect_false(anyDuplicated(heights) > 0)
  expect_gt(min(heights), -1.4)
})

test_that("pictures draw at the width of their device", {
  test <- rank_test(matrix(stats::rnorm(60), 10), direction = "minimize", posthoc = "holm", control = "m2")
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file, 3.5, 3)
  narrow <- plot(test)
  grDevices::dev.off()
  expect_equal(narrow$theme$text$size, 8.25)
  expect_setequal(narrow$scales$get_scales("shape")$labels, c("m2", "not significant", "significant"))
})

test_that("sixty methods with long names have a line each, and differ", {
  names <- paste("A method with a name that goes on to eighty characters, and differs at its end,", 1:60)
  shown <- wrap_names(names, 28)
  expect_true(all(nchar(shown) <= 28 & !grepl("\n", shown, fixed = TRUE)))
  expect_equal(anyDuplicated(shown), 0)
  expect_match(wrap_names(names[1:3], 28), "\n", all = TRUE)
})

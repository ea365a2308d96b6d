layer_data <- function(picture, geom) {
  Find(function(layer) inherits(layer$geom, geom), picture$layers)$data
}

titles <- function(picture) levels(ggplot2::ggplot_build(picture)$layout$layout$panel)

drawn <- function(picture) {
  grobs <- ggplot2::ggplotGrob(picture)
  expect_s3_class(grobs, "gtable")
  grobs
}

test_that("bars are the shares of rows with the label", {
  withr::local_seed(1)
  n <- 60
  x <- data.frame(color = factor(sample(c("red", "blue", "gold"), n, TRUE)), on = sample(0:1, n, TRUE))
  y <- cbind(a = rbinom(n, 1, ifelse(x$color == "red", 0.9, 0.2)), b = rbinom(n, 1, 0.5), c = rbinom(n, 1, 0.4))
  y[1:5, "b"] <- NA
  x$color[9] <- NA
  weights <- sample(0:3, n, TRUE)
  picture <- plot_feature(mltask(x, y, weights = weights), "color", c("b", "a"))
  bars <- layer_data(picture, "GeomCol")
  for (i in seq_len(nrow(bars))) {
    target <- c("b", "a")[as.integer(bars$panel[i])]
    rows <- which(x$color == bars$x[i] & !is.na(y[, target]))
    expect_equal(bars$share[i], weighted.mean(y[rows, target], weights[rows]))
  }
  expect_identical(nrow(bars), 6L)
  lines <- layer_data(picture, "GeomHline")
  rows <- which(!is.na(x$color) & !is.na(y[, "b"]))
  expect_equal(lines$share[1], weighted.mean(y[rows, "b"], weights[rows]))
  drawn(picture)
  # The words have the effect of the table.
  counts <- table(factor(x$on, 1:0), factor(y[, "c"], 1:0)) + 0.5
  ratio <- counts[1] * counts[4] / (counts[2] * counts[3])
  reach <- exp(qnorm(0.975) * sqrt(sum(1 / counts)))
  words <- vapply(c(ratio, ratio / reach, ratio * reach), function(v) format(signif(v, 2)), "")
  expect_identical(titles(plot_feature(mltask(x, y), "on", "c")),
    sprintf("c\nodds ratio %s (%s to %s)", words[1], words[2], words[3]))
})

test_that("boxes are quantiles of copies of rows", {
  withr::local_seed(2)
  x <- data.frame(value = rnorm(40))
  weights <- sample(0:3, 40, TRUE)
  label <- rbinom(40, 1, 0.5)
  number <- data.frame(level = sample(3, 40, TRUE))
  stats <- function(values, weights) {
    copies <- rep(values, weights)
    c(quantile(copies, c(0.05, 0.25, 0.5, 0.75, 0.95), type = 1, names = FALSE), mean(copies))
  }
  columns <- c("least", "lower", "middle", "upper", "most", "mean")
  picture <- plot_feature(mltask(x, label, weights = weights), 1)
  boxes <- layer_data(picture, "GeomBoxplot")
  with <- boxes[boxes$group == "with", columns]
  expect_equal(unlist(with), stats(x$value[label == 1], weights[label == 1]), ignore_attr = TRUE)
  drawn(picture)
  task <- suppressMessages(mltask(number, x, discrete = c(level = TRUE), weights = weights))
  boxes <- layer_data(plot_feature(task, "level"), "GeomBoxplot")
  at <- number$level == 2
  expect_equal(unlist(boxes[boxes$group == "2", columns]), stats(x$value[at], weights[at]), ignore_attr = TRUE)
})

test_that("lines are those of least squares, and points are rows", {
  withr::local_seed(3)
  x <- cbind(x = rnorm(2500))
  y <- cbind(u = x[, 1] + rnorm(2500), v = rnorm(2500))
  weights <- runif(2500)
  picture <- plot_feature(mltask(x, y, weights = weights), "x")
  line <- layer_data(picture, "GeomSegment")[1, ]
  fit <- lm(y[, "u"] ~ x[, 1], weights = weights)
  expect_equal((line$yend - line$y) / (line$xend - line$x), coef(fit)[[2]])
  points <- layer_data(picture, "GeomPoint")
  expect_identical(as.vector(table(points$panel)), c(1250L, 1250L))
  expect_true(all(points$y %in% y))
  few <- layer_data(plot_feature(mltask(x[1:9, , drop = FALSE], y[1:9, ]), "x", "u"), "GeomPoint")
  expect_equal(few$y, y[1:9, "u"], ignore_attr = TRUE)
})

test_that("the targets with the largest effects come first, up to six", {
  skip_unless_all()
  withr::local_seed(4)
  x <- cbind(x = rnorm(80))
  y <- vapply(0:7, function(i) (x[, 1] * (i - 2) / 2 + rnorm(80) > 0) + 0L, integer(80))
  colnames(y) <- letters[1:8]
  task <- mltask(x, y)
  found <- feature_effects(task)
  nearest <- ifelse(found$low > 0 | found$high < 0, pmin(abs(found$low), abs(found$high)), 0)
  order <- order(-nearest, -abs(found$value))[1:6]
  picture <- plot_feature(task, 1)
  expect_identical(substr(titles(picture), 1, 1), letters[order])
  expect_match(picture$labels$title, "6 of 8 labels")
  expect_identical(substr(titles(plot_feature(task, 1, letters[8:1])), 1, 1), letters[8:1])
  class <- mltask(x, data.frame(kind = cut(x[, 1] + rnorm(80), c(-Inf, 0, 1, Inf), c("p", "q", "r"))))
  picture <- plot_feature(class, 1)
  expect_setequal(sub("\n.*", "", titles(picture)), c("p", "q", "r"))
  expect_identical(picture$labels$title, "Effects of x on kind")
  # Numbers above bars are not cut where a panel is low.
  expect_identical(picture$coordinates$clip, "off")
  many <- mltask(x, data.frame(kind = factor(rep(letters[1:8], 10)), two = gl(2, 40)))
  expect_match(plot_feature(many, 1)$labels$title, "Effects of x: 6 of 10 levels", fixed = TRUE)
  expect_match(plot_feature(subset_targets(many, "kind"), 1)$labels$title, "on kind: 6 of 8 levels", fixed = TRUE)
  expect_match(titles(plot_feature(many, 1, "two"))[1], "^1\n")
  three <- mltask(data.frame(x = gl(3, 20, labels = c("u", "v", "w"))), cbind(y = rnorm(60)))
  expect_match(plot_feature(three, 1)$labels$subtitle, "^Rank correlation ratio: ")
})

test_that("pictures of awkward features can be drawn, in the room they are told", {
  skip_unless_all()
  withr::local_seed(5)
  n <- 90
  x <- data.frame(flag = runif(n) < 0.3, many = factor(sample(40, n, TRUE)), size = factor(sample(20, n, TRUE),
    ordered = TRUE), one = 3, gaps = replace(rnorm(n), 1:50, NA))
  x[[paste(rep("long", 20), collapse = " ")]] <- rnorm(n)
  y <- random_labels(n, 8)
  y[1:4, 1] <- NA
  colnames(y) <- paste(strrep("name ", 9), 1:8)
  tasks <- suppressMessages(list(mltask(x, y), mltask(x, y[, 4:6] + rnorm(3 * n)),
    mltask(sparse(y[, 5:6]), cbind(t = rnorm(n)))))
  check <- function(task, feature, targets, width) {
    grobs <- drawn(plot_feature(task, feature, targets, width = width))
    expect_lt(sum(grid::convertWidth(grobs$widths, "in", valueOnly = TRUE)), 0.6 * width)
  }
  for (f in some_or_all(names(x), 1, 2L)) check(tasks[[1]], f, c(8, 1), 3.5)
  check(tasks[[2]], "many", NULL, 12)
  check(tasks[[2]], "size", 1, 3.5)
  check(tasks[[3]], 1, NULL, 3.5)
  many <- layer_data(plot_feature(tasks[[1]], "many"), "GeomCol")
  expect_identical(nlevels(many$x), 12L)
  expect_identical(levels(many$x)[12], paste(length(unique(x$many)) - 11, "others"))
})

test_that("wrong arguments are refused", {
  task <- suppressMessages(mltask(cbind(a = c(1, 2, NA), b = NA_real_), c(0, 1, 1)))
  refused <- function(code, text) expect_error(code, text, class = "mlsift_error")
  refused(plot_feature(1, "a"), "`task`")
  refused(plot_feature(task, c("a", "b")), "must choose one feature")
  refused(plot_feature(task, "c"), "There is no feature")
  refused(plot_feature(task, "a", "z"), "There is no target")
  refused(plot_feature(task, "b"), "rows with a value")
  refused(plot_feature(task, "a", width = 0), "`width`")
})

test_that("titles of neighboring panels have room beside each other", {
  withr::local_seed(8)
  y <- matrix(stats::rbinom(160, 1, 0.5), 40, dimnames = list(NULL, paste("A rather long name of label", 1:4)))
  task <- mltask(cbind(a = stats::rnorm(40)), y)
  for (width in c(3.5, 7)) {
    room <- picture_room(width, 11)
    columns <- strip_columns(4, room)
    names <- sub("\n.*", "", levels(plot_feature(task, "a", colnames(y), width = width)$data$panel))
    expect_length(unique(names), 4L)
    expect_lt(max(text_width(names, room, 0.91, "bold")) * columns, width - 0.9)
  }
})

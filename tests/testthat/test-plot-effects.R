test_that("the map shows the first features and the targets with the largest effects", {
  withr::local_seed(1)
  x <- cbind(random_codes(80, 8), g = rnorm(80))
  x[, 3] <- x[, 3] > 0
  y <- random_labels(80, 40)
  y[, 40] <- x[, 1] > 0
  found <- suppressMessages(feature_effects(mltask(x, y)))
  picture <- effects_picture(found, picture_room(12, 11), 5)
  expect_identical(levels(picture$data$row), rev(colnames(x)[1:5]))
  expect_identical(nlevels(picture$data$column), 30L)
  expect_true("l40" %in% levels(picture$data$column))
  expect_match(picture$labels$subtitle, "5 of 9 features, 30 of 40 targets")
  # Full tiles have intervals without 0; the sign is that of the effect, odds ratios are Yule's Q.
  data <- picture$data[!is.na(picture$data$value), ]
  at <- match(paste(data$feature, data$target), paste(found$feature, found$target))
  expect_identical(data$side > 0.5, (sign(found$low) * sign(found$high))[at] %in% 1)
  odds <- exp(found$value[at])
  expect_equal(data$fill, ifelse(found$effect[at] == "log odds ratio", (odds - 1) / (odds + 1), found$value[at]))
  expect_lt(nlevels(effects_picture(found, picture_room(3.5, 11))$data$column), 30L)
})

test_that("maps of one kind of effect, and of effects without a sign, can be drawn", {
  skip_unless_all()
  withr::local_seed(2)
  n <- 50
  factors <- data.frame(u = factor(sample(3, n, TRUE)), v = factor(sample(4, n, TRUE)))
  tasks <- suppressMessages(list(mltask(factors, random_labels(n, 5)), mltask(random_codes(n, 3), rnorm(n)),
    mltask(random_codes(n, 5, 2L), random_labels(n, 5)), mltask(cbind(factors, w = 2), random_labels(n, 1))))
  for (task in tasks) {
    grobs <- expect_no_warning(ggplot2::ggplotGrob(effects_picture(feature_effects(task), picture_room(7, 11))))
    expect_s3_class(grobs, "gtable")
  }
  odds <- effects_picture(feature_effects(tasks[[3]]), picture_room(7, 11))
  expect_identical(odds$data$fill, odds$data$value)
})

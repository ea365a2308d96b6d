builds <- function(posterior) {
  picture <- autoplot(posterior)
  expect_s3_class(picture, "ggplot")
  expect_no_warning(built <- ggplot2::ggplot_build(picture))
  invisible(built)
}

test_that("pictures build: triangle, histogram, density and line", {
  withr::local_seed(1)
  x <- stats::rnorm(8)
  y <- x + stats::rnorm(8, 0.1, 0.2)
  builds(bayes_signed_rank(x, y, rope = 0.05, n = 300))
  builds(bayes_signed_rank(x, y, n = 300))
  builds(bayes_signed_rank(x, x, n = 30))
  builds(bayes_signed_rank(x, x, rope = 1, n = 30))
  builds(bayes_correlated_t(x, y, rope = 0.05, test_share = 0.1))
  builds(bayes_correlated_t(x[1:2], y[1:2], test_share = 0.5, direction = "maximize"))
  builds(bayes_correlated_t(x, x, rope = 0.05, test_share = 0.1))
  withr::local_pdf(NULL)
  expect_s3_class(plot(bayes_signed_rank(x, y, rope = 0.05, n = 300)), "ggplot")
})

test_that("points lie where their shares say", {
  corners <- simplex_points(cbind(left = c(1, 0, 0), rope = c(0, 1, 0), right = c(0, 0, 1)))
  expect_equal(corners, data.frame(x = c(0, 0.5, 1), y = c(0, sqrt(0.75), 0)))
  expect_equal(as.vector(stats::dist(corners)), rep(1, 3))
  withr::local_seed(1)
  posterior <- bayes_signed_rank(1:5, c(2, 1, 4, 4, 7), rope = 0.3, n = 50)
  drawn <- autoplot(posterior, points = 20)$data
  expect_identical(nrow(drawn), 20L)
  expect_equal(drawn[c("x", "y")], simplex_points(posterior$draws[1:20, ]))
  expect_error(autoplot(posterior, points = 0), class = "mlsift_error")
})

test_that("the areas of the density are the probabilities", {
  posterior <- bayes_correlated_t(c(1.0, 2.1, 3.0, 4.2), c(1.2, 2.0, 3.3, 4.4), rope = 0.1, test_share = 0.25)
  areas <- density_areas(posterior, steps = 4000L)
  by_region <- split(areas, areas$region)
  trapezoid <- vapply(by_region, \(a) sum(diff(a$x) * (a$density[-1] + a$density[-nrow(a)]) / 2), 0)
  expect_equal(trapezoid, posterior$probability, tolerance = 5e-3)
})

test_that("pictures refuse arguments that they do not know", {
  withr::local_seed(11)
  losses <- matrix(stats::rnorm(40), 8, dimnames = list(NULL, letters[1:5]))
  pictures <- list(
    bayes_signed_rank(losses[, 1], losses[, 2]), rank_test(losses, direction = "minimize"),
    compare_pairs(losses, direction = "minimize"), sift_features(simulate_mltask(30, 4, 2), sel_mim())
  )
  for (picture in pictures) {
    expect_error(autoplot(picture, colour = "red"), "no argument `colour`", class = "mlsift_error")
    expect_error(plot(picture, colour = "red"), "no argument `colour`", class = "mlsift_error")
  }
})

test_that("the bars of either side hold the probability of that side, also where nothing differs", {
  withr::local_seed(4)
  same <- rep(0.5, 5)
  for (x in list(same, c(0.1, 0.2, 0.2, 0.5, 0.7))) {
    posterior <- bayes_signed_rank(x, same, n = 2000)
    bars <- ggplot2::autoplot(posterior)$data
    expect_equal(c(tapply(bars$share, bars$region, sum)), posterior$probability[c("left", "right")])
  }
})

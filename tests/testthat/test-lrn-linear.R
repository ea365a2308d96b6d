linear_response <- function(x, y, query, ...) unname(
  predict(fit(lrn_linear(...), mltask(x, y, kind = "numeric")), query)$response
)

test_that("ridge regression solves the normal equations", {
  withr::local_seed(1)
  for (n in c(6, 50)) for (d in c(1, 3, 20)) for (share in c(1, 0.15)) {
    x <- matrix(rnorm(n * d) * rbinom(n * d, 1, share), n) * rep_len(c(1, 100, 1e-2), d)
    x[1, ] <- 1
    if (d > 2) x[, 3] <- 4
    y <- matrix(rnorm(n * 2) * 10, n) + 100
    for (rho in c(1e-3, 1, 50)) for (scale in c("zscore", "none")) {
      expect_equal(linear_response(x, y, x + 1, rho, scale), oracle_ridge(x, y, x + 1, rho, scale), tolerance = 1e-10)
    }
  }
})

test_that("without a penalty it is least squares, and columns that depend on others are left out", {
  withr::local_seed(2)
  x <- matrix(rnorm(120), 30)
  y <- matrix(rnorm(60), 30)
  x[, 3] <- 2 * x[, 1] - x[, 2]
  expected <- unname(fitted(lm(y ~ x[, c(1, 2, 4)])))
  expect_equal(linear_response(x, y, x, 0), expected, tolerance = 1e-10)
  model <- fit(lrn_linear(0), mltask(x, y, kind = "numeric"))
  expect_identical(model$state$models[[1]]$weights[3, ], c(0, 0))
})

test_that("more features than rows, one row apart from constants", {
  withr::local_seed(3)
  x <- matrix(rnorm(8 * 40), 8)
  y <- matrix(rnorm(8), 8)
  expect_equal(linear_response(x, y, x, 0.5), oracle_ridge(x, y, x, 0.5), tolerance = 1e-10)
  expect_equal(linear_response(cbind(f1 = c(3, 3)), cbind(l1 = c(1, 2)), cbind(f1 = c(0, 9)), 1), cbind(c(1.5, 1.5)))
  expect_equal(linear_response(cbind(f1 = c(3, 3)), cbind(l1 = c(1, 2)), cbind(f1 = c(0, 9))), cbind(c(1.5, 1.5)))
})

test_that("factors become numbers or indicators", {
  withr::local_seed(4)
  n <- 40
  frame <- data.frame(
    color = factor(sample(c("blue", "green", "red"), n, TRUE)), u = rnorm(n), two = factor(sample(0:1, n, TRUE))
  )
  coded <- with(frame, cbind(color == "green", color == "red", u, two == 1))
  y <- matrix(rnorm(n))
  expect_equal(linear_response(frame, y, frame, 2), oracle_ridge(coded, y, coded, 2), tolerance = 1e-10)
})

test_that("factors of many levels become sparse columns, which change no bit", {
  withr::local_seed(14)
  n <- 90
  frame <- data.frame(u = rnorm(n), site = factor(sample(letters[1:12], n, TRUE)), flag = sample(0:1, n, TRUE))
  y <- matrix(rnorm(2 * n), n)
  input <- linear_columns(mltask(frame, y, kind = "numeric"), list(scale = "zscore"))
  expect_s4_class(input$x, "dgCMatrix")
  coded <- cbind(frame$u, outer(as.character(frame$site), letters[2:12], "==") + 0, frame$flag)
  expect_identical(unname(as.matrix(input$x)), coded)
  colnames(coded) <- letters[1:13]
  expect_identical(linear_response(frame, y, frame), linear_response(coded, y, coded))
  # A level that was not seen counts as an equal part of each.
  new <- frame[1:2, ]
  levels(new$site)[levels(new$site) == new$site[1]] <- "new"
  query <- coded[1:2, ]
  query[as.character(new$site) == "new", 2:12] <- 1 / 12
  expect_identical(linear_response(frame, y, new), linear_response(coded, y, query))
})

test_that("layout and threads change no bit, and the curve equals separate fits", {
  withr::local_seed(5)
  n <- 70
  for (share in c(0.1, 0.6)) for (learner in list(lrn_linear(1), lrn_linear())) {
    x <- matrix(rnorm(n * 12) * rbinom(n * 12, 1, share), n, dimnames = list(NULL, paste0("f", 1:12)))
    y <- matrix(rnorm(n * 3), n)
    order <- sample.int(12)
    k <- c(1, 12, 2, 5)
    results <- lapply(list(x, sparse(x), as.data.frame(x)), function(x) {
      task <- mltask(x, y)
      curve <- one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 1)
      alone <- separate_curve(learner, task[1:50, ], task[51:n, ], order, k)
      curve <- lapply(curve, function(p) unname(p$response))
      expect_equal(curve, lapply(alone, function(p) unname(p$response)), tolerance = 1e-10)
      many <- one_pass(learner, task[1:50, ], task[51:n, ], order, k, threads = 3)
      expect_identical(lapply(many, function(p) unname(p$response)), curve)
      curve
    })
    expect_identical(results[[1]], results[[2]])
    expect_identical(results[[1]], results[[3]])
  }
})

test_that("what linear regression cannot take is refused", {
  task <- numeric_task(1)
  holes <- task
  holes$x[2, 3] <- NA
  expect_snapshot(error = TRUE, {
    lrn_linear()
    fit(lrn_linear(), holes)
    predict(fit(lrn_linear(), task), holes)
    lrn_linear(-1)
    lrn_linear(Inf)
    lrn_linear(scale = "range")
  })
  expect_null(predict(fit(lrn_linear(), task), task)$score)
})

test_that("a row of weight w is w rows", {
  set.seed(20)
  n <- 60
  x <- data.frame(a = 1e3 + rnorm(n), b = factor(sample(letters[1:3], n, TRUE)), c = rbinom(n, 1, 0.1) * rnorm(n))
  y <- matrix(rnorm(2 * n), n)
  w <- sample(0:4, n, TRUE)
  repeated <- mltask(x, y)[rep(seq_len(n), w), ]
  for (learner in list(lrn_linear(1), lrn_linear(2, "none"), lrn_linear(0), lrn_linear())) {
    of <- function(task) predict(fit(learner, task), x)$response
    expect_equal(of(mltask(x, y, weights = w)), of(repeated), tolerance = 1e-10)
    expect_equal(of(mltask(x, y, weights = rep(1, n))), of(mltask(x, y)), tolerance = 1e-12)
  }
  r <- stats::runif(n)
  real <- function(factor) predict(fit(lrn_linear(factor), mltask(x, y, weights = factor * r)), x)$response
  expect_equal(real(1), real(64), tolerance = 1e-10)
  expect_equal(unname(real(1)), {
    z <- stats::model.matrix(~., x)[, -1]
    center <- colSums(r * z) / sum(r)
    z <- sweep(z, 2, center)
    z <- sweep(z, 2, sqrt(colSums(r * z^2) / sum(r)), `/`)
    mean <- colSums(r * y) / sum(r)
    fitted <- z %*% solve(crossprod(z, r * z) + diag(4), crossprod(z, r * sweep(y, 2, mean)))
    unname(sweep(fitted, 2, mean, `+`))
  }, tolerance = 1e-10)
})

test_that("the penalty is that of generalized cross-validation, and the model that of the penalty", {
  withr::local_seed(30)
  turn <- 0L
  for (n in c(8, 40)) for (d in c(1, 5, 60)) for (share in c(1, 0.15)) {
    x <- matrix(rnorm(n * d) * rbinom(n * d, 1, share), n) * rep_len(c(1, 100, 1e-2), d)
    x[1, ] <- 1
    if (d > 2) x[, 3] <- 4
    y <- cbind(100 + 10 * rnorm(n), 1e-3 * (x[, 1] / sd(x[, 1]) + rnorm(n)), 0.1)
    real <- runif(n)
    kinds <- list(NULL, sample(1:3, n, TRUE), real / mean(real))
    for (scale in c("zscore", "none")) for (weights in some_or_all(kinds, turn <- turn + 1L)) {
      task <- mltask(x, y, kind = "numeric", weights = weights)
      model <- fit(lrn_linear(scale = scale), task)
      expected <- oracle_gcv(x, y, scale, weights %||% rep(1, n))
      expect_lt(expected$gcv(model$state$rho) / expected$value, 1.0015)
      if (is.null(weights) && d < n) expect_lt(abs(log(model$state$rho / expected$rho)), 2e-3)
      fixed <- fit(lrn_linear(model$state$rho, scale), task)
      expect_equal(predict(model, x)$response, predict(fixed, x)$response, tolerance = 1e-7)
    }
  }
})

test_that("the curve chooses a penalty for each number of features, with fewer rows than features too", {
  withr::local_seed(31)
  x <- matrix(rnorm(30 * 400), 30)
  y <- x[, 1:2] + matrix(rnorm(60), 30)
  k <- c(300, 5, 29, 400, 30, 31, 1)
  state <- fit_prefixes(lrn_linear(), mltask(x, y), k, 1L)$state
  alone <- lapply(k, function(k) fit(lrn_linear(), mltask(x[, seq_len(k), drop = FALSE], y))$state)
  expect_equal(log(state$rho), log(vapply(alone, `[[`, 0, "rho")), tolerance = 1e-3)
  for (i in seq_along(k)) expect_equal(state$models[[i]], alone[[i]]$models[[1]], tolerance = 1e-3)
  expect_gt(length(unique(signif(state$rho, 3))), 3)
})

test_that("penalty and model of large systems are those of the singular values", {
  skip_unless_all()
  withr::local_seed(36)
  # The penalty of the least GCV, and what the model of `rho` predicts.
  by_svd <- function(x, y, w, query, rho) {
    n <- sum(w)
    center <- colSums(w * x) / n
    scale <- sqrt(colSums(w * sweep(x, 2, center)^2) / n)
    standard <- function(x) sweep(sweep(x, 2, center), 2, scale, `/`)
    mean <- colSums(w * y) / n
    left <- sqrt(w) * sweep(y, 2, mean)
    s <- svd(sqrt(w) * standard(x))
    used <- s$d > 1e-6 * s$d[1]
    d <- s$d[used]
    along <- crossprod(s$u[, used], left)
    varying <- colSums(left^2) > 0
    gcv <- function(log_rho) {
      fitted <- s$u[, used] %*% (d^2 / (d^2 + exp(log_rho)) * along)
      error <- sum(colSums((left - fitted)^2)[varying] / colSums(left^2)[varying])
      error / (1 - (1 + sum(d^2 / (d^2 + exp(log_rho)))) / n)^2
    }
    grid <- log(mean(d^2)) + seq(log(1e-4), log(1e4), length.out = 60)
    best <- which.min(vapply(grid, gcv, 0))
    found <- stats::optimize(gcv, grid[c(max(1, best - 1), min(60, best + 1))], tol = 1e-6)$minimum
    weights <- s$v[, used] %*% (d / (d^2 + rho) * along)
    list(rho = exp(found), fitted = unname(sweep(standard(query) %*% weights, 2, mean, `+`)))
  }
  turn <- 0L
  for (shape in list(c(300, 150, 150), c(130, 300, 300), c(260, 170, 60), c(150, 290, 70))) {
    n <- shape[1]
    d <- shape[2]
    rank <- shape[3]
    x <- matrix(rnorm(n * rank), n)
    if (rank < d) x <- cbind(x, x[, 1:20], x %*% matrix(rnorm(rank * (d - rank - 20)), rank))
    x <- x[, sample.int(d)]
    y <- cbind(x[, 1:3] %*% matrix(rnorm(12), 3) * 5 + 20 * matrix(rnorm(4 * n), n), 7)
    real <- runif(n, 0.8, 1.2)
    layouts <- list(x, sparse(x))
    for (w in list(rep(1, n), real / mean(real))) for (stored in some_or_all(layouts, turn <- turn + 1L, 2L)) {
      model <- fit(lrn_linear(), mltask(stored, y, kind = "numeric", weights = w))
      query <- x[1:40, ] + rnorm(40)
      expected <- by_svd(x, y, w, query, model$state$rho)
      expect_lt(abs(log(model$state$rho / expected$rho)), 2e-3)
      expect_equal(unname(predict(model, query)$response), expected$fitted, tolerance = 1e-10)
    }
  }
})

test_that("the penalty is that of MASS for one target", {
  skip_if_not_installed("MASS")
  withr::local_seed(32)
  x <- matrix(rnorm(200), 40)
  y <- x[, 1] + rnorm(40)
  rho <- fit(lrn_linear(), mltask(x, y))$state$rho
  all <- c(rho, exp(seq(log(rho) - 5, log(rho) + 5, length.out = 2001)))
  squares <- svd(base::scale(x) * sqrt(40 / 39))$d^2
  used <- vapply(all, function(rho) sum(squares / (squares + rho)), 0)
  # MASS does not count the intercept among the parameters.
  gcv <- MASS::lm.ridge(y ~ x, lambda = all)$GCV * ((40 - used) / (39 - used))^2
  expect_lt(gcv[[1]] / min(gcv), 1 + 1e-6)
})

test_that("labels are 0 and 1, and categories of classes are labels", {
  withr::local_seed(33)
  x <- matrix(rnorm(300), 60)
  label <- cbind(a = x[, 1] + rnorm(60) > 0, b = x[, 2] > 1, c = TRUE) + 0L
  for (rho in list(NULL, 2)) {
    found <- predict(fit(lrn_linear(rho), mltask(x, label, kind = "label")), x)
    expect_equal(unname(found$score), linear_response(x, label + 0, x, rho))
    expect_identical(unname(found$response), unname((found$score >= 0.5) + 0L))
    expect_true(all(found$score[, "c"] == 1))
    y <- factor(sample(c("u", "v", "w"), 60, TRUE))
    score <- predict(fit(lrn_linear(rho), mltask(x, data.frame(y = y), kind = "class")), x)$score$y
    values <- pmax(linear_response(x, stats::model.matrix(~ y - 1)[, 1:3], x, rho), 0)
    expect_equal(unname(score), values / rowSums(values))
  }
  unknown <- label
  unknown[1:20, "a"] <- NA
  together <- predict(fit(lrn_linear(), mltask(x, unknown)), x)$score
  alone <- predict(fit(lrn_linear(), mltask(x[-(1:20), ], label[-(1:20), "a", drop = FALSE])), x)$score
  expect_identical(together[, "a"], alone[, "a"])
})

test_that("coef() has what a feature adds by one standard deviation", {
  withr::local_seed(34)
  n <- 60
  frame <- data.frame(u = rnorm(n, 5, 3), color = factor(sample(c("blue", "green", "red"), n, TRUE)), four = 4)
  y <- cbind(a = frame$u + rnorm(n), b = 2 * (frame$color == "red") + rnorm(n))
  w <- runif(n, 0.5, 1.5)
  names <- c("u", "color = green", "color = red", "four")
  z <- with(frame, cbind(u, color == "green", color == "red"))
  sizes <- c(sqrt(diag(stats::cov.wt(z, w, method = "ML")$cov)), 0)
  slopes <- rbind(stats::coef(stats::lm(y ~ z, weights = w))[-1, ], 0)
  models <- list(fit(lrn_linear(0), mltask(frame, y, weights = w)),
    fit(lrn_mtl(lambda_ratio = 1e-7, tol = 1e-12), mltask(frame, y, weights = w)))
  for (model in models) expect_equal(coef(model), sizes * slopes, tolerance = 1e-4, ignore_attr = TRUE)
  for (model in models) expect_identical(dimnames(coef(model)), list(names, c("a", "b")))
  raw <- list(fit(lrn_linear(0, "none"), mltask(frame, y, weights = w)),
    fit(lrn_mtl(lambda_ratio = 1e-7, tol = 1e-12, standardize = FALSE), mltask(frame, y, weights = w)))
  for (model in raw) expect_equal(coef(model), slopes, tolerance = 1e-4, ignore_attr = TRUE)
  label <- (y + 3 * rnorm(2 * n) > 3) + 0L
  logistic <- coef(fit(lrn_brlr(1e-9), mltask(frame[1:2], label)))
  expected <- apply(label, 2, function(l) stats::coef(stats::glm(l ~ scale(z), family = "binomial"))[-1])
  expect_equal(logistic, expected * sqrt((n - 1) / n), tolerance = 1e-4, ignore_attr = TRUE)
  class <- mltask(frame, data.frame(kind = factor(sample(c("p", "q"), n, TRUE))))
  for (learner in list(lrn_linear(), lrn_brlr(), lrn_mtl())) {
    found <- coef(fit(learner, class))
    expect_identical(dimnames(found), list(names, c("kind = p", "kind = q")))
    expect_equal(found[, 1], -found[, 2], tolerance = 1e-6)
  }
  y[1:10, "a"] <- NA
  parts <- coef(fit(lrn_linear(), mltask(frame, y)))
  alone <- function(rows, t) coef(fit(lrn_linear(), mltask(frame[rows, ], y[rows, t, drop = FALSE])))[, t]
  expect_identical(parts[, "a"], alone(11:n, "a"))
  expect_identical(parts[, "b"], alone(1:n, "b"))
  expect_snapshot(error = TRUE, coef(fit(lrn_mlknn(5), mltask(frame, label))))
})

test_that("coef() gives the differences of predictions, also with unknown labels, classes and thresholds", {
  withr::local_seed(35)
  n <- 50
  color <- factor(sample(c("blue", "green", "red"), n, TRUE))
  frame <- data.frame(u = rnorm(n, 5, 3), v = rpois(n, 2) + 0, color = color)
  label <- cbind(a = frame$u + rnorm(n) > 5, b = frame$v + rnorm(n) > 2) + 0L
  unknown <- label
  unknown[1:10, "a"] <- unknown[6:15, "b"] <- NA
  class <- data.frame(kind = factor(sample(c("p", "q"), n, TRUE)))
  columns <- with(frame, cbind(u, v, color == "green", color == "red"))
  # `score`: of the linear functions. The rows differ from the first by the columns times the coefficients.
  check <- function(found, score, rows = seq_len(n), sizes = TRUE) {
    spread <- apply(columns[rows, ], 2, function(x) sqrt(mean((x - mean(x))^2)))
    steps <- sweep(columns, 2, columns[1, ]) %*% diag(if (sizes) 1 / spread else rep(1, 4))
    expect_equal(unname(sweep(score, 2, score[1, ])), unname(steps %*% found), tolerance = 1e-6)
  }
  for (scale in c("zscore", "none")) {
    linear <- fit(lrn_linear(scale = scale), mltask(frame, label))
    check(coef(linear), predict(linear, frame)$score, sizes = scale == "zscore")
    logistic <- fit(lrn_brlr(0.1, scale), mltask(frame, label))
    check(coef(logistic), qlogis(predict(logistic, frame)$score), sizes = scale == "zscore")
  }
  for (learner in list(lrn_brlr(0.1), lrn_mtl("logistic"))) {
    model <- fit(learner, mltask(frame, unknown))
    score <- qlogis(predict(model, frame)$score)
    rows <- if (learner$method == "mtl") rep(list(c(1:5, 11:n)), 2) else list(11:n, c(1:5, 16:n))
    for (l in 1:2) check(coef(model)[, l, drop = FALSE], score[, l, drop = FALSE], rows[[l]])
  }
  # The log odds of both categories are opposite, so their shares are the probabilities.
  model <- fit(lrn_brlr(0.1), mltask(frame, class, kind = "class"))
  check(coef(model), qlogis(predict(model, frame)$score$kind))
  within <- fit(lrn_threshold(lrn_brlr(0.1)), mltask(frame, label))
  expect_identical(coef(within), coef(fit(lrn_brlr(0.1), mltask(frame, label))))
  expect_error(coef(fit(lrn_threshold(lrn_nb()), mltask(frame, label))), "must be linear", class = "mlsift_error")
})

random_mtl <- function(n, d, q, kind = "numeric", empty = 0.3) {
  x <- matrix(rnorm(n * d) * rbinom(n * d, 1, 1 - empty), n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
  if (d > 4) x[, 3] <- 2.5
  w <- matrix(rnorm(d * q) * rbinom(d, 1, 0.4), d, q)
  y <- x %*% w + matrix(rnorm(n * q), n, q)
  if (kind == "label") y <- (y > 0.5) + 0L
  colnames(y) <- paste0("l", seq_len(q))
  list(x = x, y = y, task = mltask(x, y, kind = kind))
}

# The coefficients on the scale on which they are penalized.
scaled_coefficients <- function(sel, x, index, standardize = TRUE) {
  w <- coef(sel, index)[-1, , drop = FALSE]
  s <- sqrt(colMeans(sweep(x, 2, colMeans(x))^2))
  if (standardize) w * s else w
}

test_that("every model of the path is the minimum that proximal gradient descent finds", {
  local_no_words()
  withr::local_seed(1)
  shapes <- list(c(30, 6, 3), c(20, 12, 2), c(40, 5, 1), c(12, 30, 4), c(80, 5, 11, 0.85))
  hows <- list(list(), list(alpha = 0.6), list(standardize = FALSE), list(loss = "logistic"),
    list(loss = "logistic", alpha = 0.5, standardize = FALSE))
  for (shape in shapes) {
    for (how in some_or_all(hows, sum(shape[1:2]), 2L)) {
      # The oracle is slow for small penalties.
      models <- if (length(how) == 0) c(1, 4, 12) else if (length(how) == 1) 12 else c(1, 4)
      logistic <- identical(how$loss, "logistic")
      made <- random_mtl(shape[1], shape[2], shape[3], if (logistic) "label" else "numeric",
        if (length(shape) > 3) shape[4] else 0.3)
      if (logistic && any(colMeans(made$y) %in% c(0, 1))) next
      sel <- sift_features(made$task, do.call(sel_mtl, c(how, n_lambda = 12, lambda_ratio = 0.05, tol = 1e-10)))
      path <- selection_path(sel)
      x <- oracle_standardized(made$x, !isFALSE(how$standardize))
      y <- if (logistic) made$y else sweep(made$y, 2, colMeans(made$y))
      expect_true(all(path$gap <= 1e-10 * path$objective[1]))
      for (i in models) {
        best <- oracle_group_lasso(x, y, path$lambda[i], how$alpha %||% 1, how$loss %||% "squared")
        expect_lte(path$objective[i], best$objective * (1 + 1e-9))
        expect_gte(path$objective[i], best$objective * (1 - 1e-7))
        w <- scaled_coefficients(sel, made$x, i, !isFALSE(how$standardize))
        expect_equal(unname(w), best$w, tolerance = 1e-3)
        expect_identical(path$active[i], sum(rowSums(w^2) > 0))
      }
    }
  }
})

test_that("a feature is in a model only if its gradient reaches the penalty", {
  # Extrapolation used to leave rows of similar features at 1e-13 in place of 0, so that they entered too soon.
  reach <- function(sel, z, x, y, w) {
    path <- selection_path(sel)
    unlist(lapply(seq_len(nrow(path))[-1], function(i) {
      b <- coef(sel, i)
      gradient <- crossprod(z, w * (y - cbind(1, x) %*% b)) / sum(w)
      (sqrt(rowSums(gradient^2)) / path$lambda[i])[rowSums(b[-1, ]^2) > 0]
    }))
  }
  for (seed in first_or_all(1:12, 4)) {
    withr::local_seed(seed)
    x <- matrix(rnorm(60 * 12), 60, dimnames = list(NULL, paste0("f", 1:12))) + rnorm(60)
    y <- x %*% matrix(rnorm(60), 12) + matrix(rnorm(300), 60)
    colnames(y) <- paste0("t", 1:5)
    for (w in list(rep(1, 60), sample(5, 60, TRUE))) {
      z <- sweep(x, 2, colSums(w * x) / sum(w))
      z <- sweep(z, 2, sqrt(colSums(w * z^2) / sum(w)), "/")
      sel <- sift_features(mltask(x, y, weights = if (any(w > 1)) w), sel_mtl(tol = 1e-8))
      expect_gt(min(reach(sel, z, x, y, w)), 1 - 1e-3)
    }
  }
})

test_that("the objective and the gap are those of the coefficients", {
  withr::local_seed(2)
  for (loss in c("squared", "logistic")) for (alpha in c(1, 0.5)) {
    q <- if (alpha == 1) 11 else 4
    repeat {
      made <- random_mtl(80, 20, q, "label", if (alpha == 1) 0.3 else 0.8)
      if (!any(colMeans(made$y) %in% c(0, 1))) break
    }
    sel <- sift_features(made$task, sel_mtl(loss, alpha, n_lambda = 20))
    path <- selection_path(sel)
    n <- nrow(made$x)
    for (i in c(1, 7, 20)) {
      lambda <- path$lambda[i]
      z <- cbind(1, made$x) %*% coef(sel, i)
      w <- scaled_coefficients(sel, made$x, i)
      p <- if (loss == "squared") z else 1 / (1 + exp(-z))
      fit <- if (loss == "squared") (made$y - z)^2 / 2 else log1p(exp(z)) - made$y * z
      value <- sum(fit) / n + lambda * sum(alpha * sqrt(rowSums(w^2)) + (1 - alpha) / 2 * rowSums(w^2))
      expect_equal(path$objective[i], value, tolerance = 1e-10)
      # Any dual point is a lower bound; this is the one of the help's reference.
      r <- made$y - p
      expect_equal(unname(colSums(r)), numeric(q), tolerance = 1e-10)
      norms <- sqrt(rowSums(crossprod(oracle_standardized(made$x), r)^2)) / n
      s <- if (alpha == 1) min(1, lambda / max(norms)) else 1
      entropy <- function(u) ifelse(u <= 0 | u >= 1, 0, u * log(u) + (1 - u) * log(1 - u))
      e <- sweep(made$y, 2, colMeans(made$y))
      dual <- if (loss == "squared") s * sum(r * e) - s^2 * sum(r^2) / 2 else -sum(entropy(made$y - s * r))
      dual <- dual / n - if (alpha < 1) sum(pmax(0, norms - lambda * alpha)^2) / (2 * lambda * (1 - alpha)) else 0
      expect_equal(path$gap[i], value - dual, tolerance = 1e-6)
    }
    expect_gt(max(path$gap), 1e-12)
  }
})

test_that("glmnet 5.2 has the same models", {
  # With a constant feature, the path goes down to its smallest penalty.
  x <- cbind(as.matrix(mtcars[, -(1:3)]), none = 0)
  task <- mltask(x, as.matrix(mtcars[, 1:3]), kind = "numeric")
  # mgaussian, nlambda = 10, lambda.min.ratio = .01, thresh = 1e-20, the sixth penalty.
  expected <- matrix(c(
    28.47899211, -0.026326757, 0.443836473, -2.857173140, 0.001982855, 1.230374200, 0, 0.676803653, 0,
    5.64227155, 0.009771682, -0.177766513, 0.447143244, -0.001276269, -0.819871201, 0, -0.354143698, 0,
    105.47670038, 0.54564338, -8.52195796, 55.37718400, -0.04494305, -33.24307850, 0, -23.58246910, 0
  ), 9)
  sel <- sift_features(task, sel_mtl(n_lambda = 10, tol = 1e-12))
  expect_equal(selection_path(sel)$lambda[1], 108.452747388, tolerance = 1e-11)
  expect_equal(unname(coef(sel, 6)[-10, ]), expected, tolerance = 1e-6)
  largest <- function(...) selection_path(sift_features(task, sel_mtl(..., n_lambda = 2)))$lambda[1]
  expect_equal(largest(alpha = 0.5), 216.905494777, tolerance = 1e-11)
  expect_equal(largest(standardize = FALSE), 6519.27961409, tolerance = 1e-11)
  expect_equal(largest(standardize_targets = TRUE), 1.46752880857, tolerance = 1e-11)
  expected <- c(17.46452256, -0.005128728, 0.552382896, -0.414054831, 0.091449713, 0.567115953, 0.522620696,
    0.272019729, -0.132232071)
  expect_equal(unname(coef(sift_features(task, sel_mtl(alpha = 0.5, n_lambda = 10, tol = 1e-12)), 6)[-10, 1]),
    expected,
    tolerance = 1e-5)
  expected <- c(23.64758691, -0.02392320, 0.76585736, -2.58080852, 0.17312722, 1.21691309, 0.86128067, 0.41790024,
    -0.00443789)
  sel <- sift_features(task, sel_mtl(standardize_targets = TRUE, n_lambda = 10, tol = 1e-12))
  expect_equal(unname(coef(sel, 6)[-10, "mpg"]), expected, tolerance = 1e-5)
  # binomial, the fifth penalty.
  task <- mltask(as.matrix(mtcars[, c(1, 3:7)]), data.frame(am = mtcars$am), kind = "label")
  sel <- sift_features(task, sel_mtl("logistic", n_lambda = 10, tol = 1e-12))
  expect_equal(selection_path(sel)$lambda[1], 0.350035456164, tolerance = 1e-11)
  expect_equal(unname(coef(sel, 5)[, 1]), c(6.6776329356, 0, 0, 0, 2.0948181669, -1.9445523501, -0.4935069649),
    tolerance = 1e-6)
})

test_that("layouts, threads and the order of rows make no difference", {
  withr::local_seed(3)
  for (selector in list(sel_mtl(), sel_mtl("logistic", n_lambda = 15), sel_mtl(alpha = 0.5, standardize = FALSE))) {
    for (empty in c(0.3, 0.9)) {
      made <- random_mtl(40, 12, 4, "label", empty)
      made$y[1, ] <- 1L
      made$y[2, ] <- 0L
      found <- expect_same_numbers_everywhere(made$x, made$y, selector)
      order <- sample(40)
      again <- sift_features(mltask(made$x[order, ], made$y[order, ]), selector)
      expect_equal(again$score, found$score, tolerance = 1e-5)
    }
  }
})

test_that("what must not change the models does not", {
  withr::local_seed(4)
  made <- random_mtl(50, 8, 3)
  fit <- function(x, y, ...) {
    sel <- sift_features(mltask(x, y, kind = "numeric"), sel_mtl(n_lambda = 8, lambda_ratio = 0.1, tol = 1e-12, ...))
    list(w = coef(sel)[-1, ], lambda = sel$score, index = sel$index)
  }
  base <- fit(made$x, made$y)
  # Targets rotated.
  turn <- qr.Q(qr(matrix(rnorm(9), 3)))
  expect_equal(unname(fit(made$x, made$y %*% turn)$w), unname(base$w %*% turn), tolerance = 1e-6)
  # Targets twice: penalties are larger by the root of 2.
  twice <- fit(made$x, cbind(made$y, `colnames<-`(made$y, c("a", "b", "c"))))
  expect_equal(twice$lambda, sqrt(2) * base$lambda, tolerance = 1e-10)
  expect_equal(unname(twice$w), unname(cbind(base$w, base$w)), tolerance = 1e-6)
  # Rows twice.
  expect_equal(fit(rbind(made$x, made$x), rbind(made$y, made$y))$w, base$w, tolerance = 1e-6)
  # Other units and signs of features.
  scale <- c(1, -2, 1, 0.001, 1, 1, -1000, 1)
  expect_equal(fit(sweep(made$x, 2, scale, `*`), made$y)$w, base$w / scale, tolerance = 1e-6)
  # A label and its opposite.
  labels <- (made$y > 0) + 0L
  for (loss in c("squared", "logistic")) {
    one <- coef(sift_features(mltask(made$x, labels), sel_mtl(loss, n_lambda = 8, tol = 1e-10)))
    other <- coef(sift_features(mltask(made$x, 1L - labels), sel_mtl(loss, n_lambda = 8, tol = 1e-10)))
    expect_equal(other[-1, ], -one[-1, ], tolerance = 1e-6)
  }
})

test_that("both losses begin at the same penalty", {
  withr::local_seed(5)
  made <- random_mtl(60, 10, 3, "label")
  path <- lapply(c("squared", "logistic"), function(loss) sift_features(made$task, sel_mtl(loss)))
  expect_equal(selection_path(path[[1]])$lambda[1:5], selection_path(path[[2]])$lambda[1:5], tolerance = 1e-12)
  expect_identical(path[[1]]$index[1], path[[2]]$index[1])
})

test_that("factors and groups enter as one", {
  withr::local_seed(6)
  x <- data.frame(a = rnorm(60), color = factor(sample(c("red", "green", "blue"), 60, TRUE)), b = rnorm(60),
    c = rnorm(60))
  y <- cbind(t1 = (x$color == "red") + x$b + rnorm(60), t2 = (x$color == "blue") - x$b + rnorm(60))
  task <- mltask(x, y, kind = "numeric")
  sel <- sift_features(task, sel_mtl(n_lambda = 10, tol = 1e-11), groups = list(c("a", "c")))
  path <- selection_path(sel)
  # Any basis of the columns with mean 0 and X'X = N I.
  basis <- function(m) sqrt(60) * qr.Q(qr(oracle_standardized(m)))
  columns <- cbind(basis(as.matrix(x[c("a", "c")])), basis(outer(x$color, c("green", "red"), `==`) + 0),
    oracle_standardized(as.matrix(x["b"])))
  for (i in c(3, 5, nrow(path))) {
    best <- oracle_group_lasso(columns, oracle_standardized(y, FALSE), path$lambda[i], weight = sqrt(c(2, 2, 1)),
      unit = c(1, 1, 2, 2, 3))
    expect_equal(path$objective[i], best$objective, tolerance = 1e-8)
    fitted <- cbind(1, x$a, x$color == "green", x$color == "red", x$b, x$c) %*%
      coef(sel, i)[c("(Intercept)", "a", "color = green", "color = red", "b", "c"), ]
    expect_equal(unname(fitted), unname(sweep(columns %*% best$w, 2, colMeans(y), `+`)), tolerance = 1e-4)
  }
  expect_identical(abs(diff(match(c("a", "c"), sel$feature))), 1L)
  expect_identical(sel$score[sel$feature == "a"], sel$score[sel$feature == "c"])
  expect_identical(range(path$active), c(0L, 4L))
  expect_identical(utils::tail(path$active, 1), 4L)
  # The first level does not matter.
  task$x$color <- factor(task$x$color, c("red", "green", "blue"))
  other <- sift_features(task, sel_mtl(n_lambda = 10, tol = 1e-11), groups = list(c("a", "c")))
  expect_equal(other$score, sel$score, tolerance = 1e-10)
  expect_equal(selection_path(other)$objective, path$objective, tolerance = 1e-10)
})

test_that("factors and groups are blocks of the logistic loss, too", {
  withr::local_seed(7)
  x <- data.frame(a = rnorm(60), color = factor(sample(c("red", "green", "blue"), 60, TRUE)), b = rnorm(60))
  y <- cbind(t1 = (x$color == "red") + x$b + rnorm(60) > 0.5, t2 = (x$color == "blue") - x$b + rnorm(60) > 0) + 0L
  sel <- sift_features(mltask(x, y), sel_mtl("logistic", n_lambda = 8, tol = 1e-10))
  columns <- cbind(oracle_standardized(as.matrix(x["a"])),
    sqrt(60) * qr.Q(qr(oracle_standardized(outer(x$color, c("green", "red"), `==`) + 0))),
    oracle_standardized(as.matrix(x["b"])))
  for (i in c(2, nrow(selection_path(sel)))) {
    best <- oracle_group_lasso(columns, y, selection_path(sel)$lambda[i], loss = "logistic", weight = sqrt(c(1, 2, 1)),
      unit = c(1, 2, 2, 3))
    expect_equal(selection_path(sel)$objective[i], best$objective, tolerance = 1e-8)
  }
})

test_that("features are ranked by entry, then by their distance from it", {
  withr::local_seed(8)
  made <- random_mtl(40, 15, 3)
  made$x[, 9] <- -2 * made$x[, 5]
  task <- mltask(made$x, made$y, kind = "numeric")
  sel <- sift_features(task, sel_mtl(n_lambda = 20, lambda_ratio = 0.12))
  path <- selection_path(sel)
  norms <- vapply(path$index, function(i) sqrt(rowSums(scaled_coefficients(sel, made$x, i)^2)), numeric(15))
  first <- unname(apply(norms > 0, 1, function(on) if (any(on)) which(on)[1] else NA))
  entered <- which(!is.na(first))
  expect_true(length(entered) > 3 && length(entered) < 13)
  expect_identical(utils::head(sel$index, length(entered)),
    entered[order(first[entered], -norms[cbind(entered, first[entered])])])
  expect_identical(sel$score, c(path$lambda[sort(first)], rep(NA, 15 - length(entered))))
  # The others: by the length of x'R at the last penalty. A copy counts as its original does. The constant is last.
  residual <- made$y - cbind(1, made$x) %*% coef(sel)
  dual <- sqrt(rowSums(crossprod(oracle_standardized(made$x), residual)^2))
  rest <- setdiff(seq_len(15), c(entered, 3L))
  expect_identical(utils::tail(sel$index, 15 - length(entered)), c(rest[order(-dual[rest])], 3L))
  expect_true(9L %in% rest)
})

test_that("copies follow what entered, in every order of columns", {
  withr::local_seed(9)
  made <- random_mtl(30, 8, 2)
  x <- cbind(made$x, made$x[, 8:1] * 3, -made$x)
  colnames(x) <- paste0("f", seq_len(24))
  sel <- sift_features(mltask(x, made$y, kind = "numeric"), sel_mtl())
  expect_setequal(sel$index[!is.na(sel$score)], setdiff(1:8, 3))
  alone <- sift_features(mltask(made$x, made$y, kind = "numeric"), sel_mtl())
  expect_identical(utils::head(sel$index, 7), utils::head(alone$index, 7))
  # An excluded original leaves its place to a copy.
  sel <- sift_features(mltask(x, made$y, kind = "numeric"), sel_mtl(), exclude = 1:8)
  expect_setequal(sel$index[!is.na(sel$score)], setdiff(9:16, 14))
})

test_that("refined steps have one feature each", {
  withr::local_seed(10)
  made <- random_mtl(60, 30, 3)
  coarse <- sift_features(made$task, sel_mtl(n_lambda = 6))
  fine <- sift_features(made$task, sel_mtl(n_lambda = 6, refine = TRUE))
  path <- selection_path(fine)
  expect_true(all(selection_path(coarse)$lambda %in% path$lambda))
  expect_true(all(diff(path$lambda) < 0))
  expect_gt(max(table(coarse$score)), 1)
  shared <- table(fine$score)
  narrow <- as.numeric(names(shared)[shared > 1])
  gaps <- vapply(narrow, function(l) log(min(path$lambda[path$lambda > l * (1 + 1e-12)]) / l), 0)
  expect_true(all(gaps <= 1e-4 * (1 + 1e-6)))
  expect_identical(fine$index[1], coarse$index[1])
})

test_that("a longer selection continues a shorter one", {
  withr::local_seed(11)
  for (selector in list(sel_mtl(), sel_mtl(refine = TRUE, n_lambda = 20), sel_mtl("logistic", n_lambda = 20))) {
    made <- random_mtl(50, 20, 3, "label")
    whole <- sift_features(made$task, selector)
    short <- sift_features(made$task, selector, k = 4)
    expect_identical(as.data.frame(short), utils::head(as.data.frame(whole), 4))
    expect_lt(nrow(selection_path(short)), nrow(selection_path(whole)))
    for (k in c(9, 20)) short <- extend_selection(short, made$task, k = k)
    expect_identical(as.data.frame(short), as.data.frame(whole))
    expect_identical(selection_path(short), selection_path(whole))
    expect_identical(coef(short), coef(whole))
    expect_identical(nrow(extend_selection(short, made$task, k = 3)), 3L)
    expect_error(extend_selection(short, made$task[-1, ], k = 5), "must be the task", class = "mlsift_error")
  }
  expect_warning(stopped <- sift_features(made$task, sel_mtl(), max_seconds = 0), "stopped by `max_seconds`")
  expect_lt(nrow(stopped), 20)
  expect_identical(as.data.frame(extend_selection(stopped, made$task, k = 20)),
    as.data.frame(sift_features(made$task, sel_mtl())))
  stopped <- sift_features(made$task, sel_mtl(), min_gain = 0.1)
  expect_true(all(stopped$score >= 0.1))
  expect_identical(extend_selection(stopped, made$task, k = 20)$index, sift_features(made$task, sel_mtl())$index)
})

test_that("include, exclude, costs and budgets are kept", {
  withr::local_seed(12)
  made <- random_mtl(60, 12, 3)
  free <- sift_features(made$task, sel_mtl())
  with <- sift_features(made$task, sel_mtl(), k = 4, include = free$index[8])
  expect_identical(with$index, free$index[c(8, 1:3)])
  expect_identical(is.na(with$score), c(TRUE, FALSE, FALSE, FALSE))
  expect_identical(utils::tail(selection_path(with)$active, 1), sum(coef(with)[-1, 1] != 0))
  expect_identical(extend_selection(with, made$task, k = 7)$index, free$index[c(8, 1:6)])
  without <- sift_features(made$task, sel_mtl(), exclude = free$index[1])
  rest <- setdiff(seq_len(12), free$index[1])
  alone <- sift_features(mltask(made$x[, rest], made$y, kind = "numeric"), sel_mtl())
  expect_identical(without$index, rest[alone$index])
  costs <- rep(1, 12)
  costs[free$index[2]] <- 10
  cheap <- sift_features(made$task, sel_mtl(), k = 5, costs = costs, max_cost = 5)
  expect_identical(cheap$index, free$index[c(1, 3:6)])
})

test_that("labels that do not vary are left out, and classes are their indicators", {
  withr::local_seed(13)
  x <- random_mtl(40, 6, 1)$x
  y <- cbind(a = (x[, 1] + rnorm(40) > 0) + 0L, never = 0L, always = 1L, b = (x[, 2] > 0) + 0L)
  for (loss in c("squared", "logistic")) {
    sel <- sift_features(mltask(x, y), sel_mtl(loss, n_lambda = 10))
    alone <- sift_features(mltask(x, y[, c(1, 4)]), sel_mtl(loss, n_lambda = 10))
    expect_identical(as.data.frame(sel), as.data.frame(alone))
    expect_true(all(is.na(coef(sel)[, c("never", "always")])))
    expect_equal(coef(sel)[, c("a", "b")], coef(alone), tolerance = 1e-8)
    expect_error(sift_features(mltask(x, y[, 2:3]), sel_mtl(loss)), "a target and a feature", class = "mlsift_error")
  }
  class <- factor(sample(c("u", "v", "w"), 40, TRUE), c("u", "v", "w", "unused"))
  sel <- sift_features(mltask(x, data.frame(class)), sel_mtl())
  indicators <- sift_features(mltask(x, outer(class, c("u", "v", "w"), `==`) + 0L, kind = "label"), sel_mtl())
  expect_identical(as.data.frame(sel), as.data.frame(indicators))
  expect_identical(colnames(coef(sel)), paste("class =", c("u", "v", "w")))
})

test_that("many columns with few values are followed by residuals", {
  withr::local_seed(14)
  x <- as.matrix(Matrix::rsparsematrix(150, 300, 0.02))
  colnames(x) <- paste0("f", seq_len(300))
  y <- x[, 1:20] %*% matrix(rnorm(40), 20) + matrix(rnorm(300, sd = 0.2), 150)
  sel <- sift_features(mltask(sparse(x), y, kind = "numeric"), sel_mtl(n_lambda = 30, tol = 1e-10))
  path <- selection_path(sel)
  expect_gt(max(path$active), 60)
  expect_true(all(path$gap <= 1e-10 * path$objective[1]))
  # The oracle is slow for small penalties.
  at <- if (all_tests()) 20 else 12
  best <- oracle_group_lasso(oracle_standardized(x), oracle_standardized(y, FALSE), path$lambda[at])
  expect_equal(path$objective[at], best$objective, tolerance = 1e-8)
})

test_that("wrong arguments and tasks are refused", {
  made <- withr::with_seed(1, random_mtl(20, 4, 2))
  expect_snapshot(error = TRUE, {
    sel_mtl("hinge")
    sel_mtl(alpha = 0)
    sel_mtl(n_lambda = 1)
    sel_mtl(lambda_ratio = 1)
    sel_mtl(tol = 0)
    sift_features(made$task, sel_mtl("logistic"))
    selection_path(sift_features(made$task, sel_none()))
    selection_path(head(sift_features(made$task, sel_mtl()), 2))
    coef(sift_features(made$task, sel_mtl()), index = 1000)
    candidate_scores(sift_features(made$task, sel_mtl()), made$task)
    extend_selection(sift_features(made$task, sel_mtl()), made$task, evaluations = 3)
  })
})

# Labels of which some are unknown, features of all sorts, and weights.
hidden_mtl <- function(n = 60, q = 4, share = 0.3) {
  x <- data.frame(a = rnorm(n), b = 10 + rnorm(n), c = factor(sample(letters[1:4], n, TRUE)), d = rbinom(n, 1, 0.1),
    e = rbinom(n, 1, 0.15) * rnorm(n), f = 1, g = rnorm(n))
  z <- cbind(x$a, x$d + x$g, x$e - (x$c == "b"), x$g)[, rep_len(1:4, q)]
  y <- (z + matrix(rnorm(n * q), n) > 0.3) + 0L
  hidden <- y
  hidden[runif(length(y)) < share] <- NA
  colnames(y) <- colnames(hidden) <- paste0("l", seq_len(q))
  list(x = x, y = y, hidden = hidden, w = sample(0:4, n, TRUE))
}

mtl_parts <- function(task, selector) {
  sel <- sift_features(task, selector)
  state <- attr(sel, "state")
  list(index = sel$index, score = sel$score, path = selection_path(sel),
    coefficients = lapply(seq_len(nrow(state$path)), function(i) coef(sel, i)))
}

test_that("a row of weight w is w rows, whatever the loss and the layout", {
  local_no_words()
  withr::local_seed(31)
  made <- hidden_mtl(70)
  rows <- rep(seq_len(70), made$w)
  numeric <- made$y + matrix(rnorm(280), 70)
  sparse <- methods::as(as.matrix(made$x[c("d", "e", "f", "g")]), "CsparseMatrix")
  cases <- list(
    list(made$x, made$y, "label"), list(made$x, numeric, "numeric"), list(sparse, made$y, "label"),
    list(made$x, made$hidden, "label"), list(sparse, replace(numeric, is.na(made$hidden), NA), "numeric"),
    list(made$x, data.frame(u = factor(letters[1 + made$y[, 1] + made$y[, 2]]), v = factor(made$y[, 3])), "class")
  )
  for (case in cases) {
    for (how in list(list(), list(alpha = 0.5, standardize = FALSE), list(loss = "logistic"))) {
      if (case[[3]] == "numeric") {
        if (length(how) == 1) next
        how$standardize_targets <- TRUE
      }
      selector <- do.call(sel_mtl, c(how, n_lambda = 15, tol = 1e-11))
      task <- mltask(case[[1]], case[[2]], kind = case[[3]], weights = made$w)
      repeated <- mltask(case[[1]], case[[2]], kind = case[[3]])[rows, ]
      weighted <- mtl_parts(task, selector)
      expected <- mtl_parts(repeated, selector)
      expect_equal(weighted$path[c("lambda", "active", "objective")], expected$path[c("lambda", "active", "objective")],
        tolerance = 1e-10)
      expect_true(all(weighted$path$gap <= 1e-11 * weighted$path$objective[1]))
      expect_equal(weighted[c("index", "score", "coefficients")], expected[c("index", "score", "coefficients")],
        tolerance = 1e-7)
      learner <- lrn_mtl(how$loss %||% "auto", n_lambda = 15, tol = 1e-11)
      expect_equal(predict(fit(learner, task), task)[], predict(fit(learner, repeated), task)[], tolerance = 1e-7)
    }
  }
})

test_that("weights of 1 are none, only shares of weight matter, and a weighted path is extended", {
  withr::local_seed(32)
  made <- hidden_mtl(50)
  w <- stats::runif(50)
  for (y in list(made$y, made$hidden)) for (loss in c("squared", "logistic")) {
    selector <- sel_mtl(loss, n_lambda = 12, tol = 1e-11)
    of <- function(weights) mtl_parts(mltask(made$x, y, weights = weights), selector)
    plain <- mtl_parts(mltask(made$x, y), selector)
    same <- c("index", "score", "coefficients")
    expect_equal(of(rep(1, 50))[same], plain[same], tolerance = 1e-7)
    expect_equal(of(64 * w)[same], of(w)[same], tolerance = 1e-7)
    expect_false(identical(of(w)$score, plain$score))
    task <- mltask(made$x, y, weights = w)
    part <- sift_features(task, selector, k = 2)
    whole <- sift_features(task, selector, k = 5)
    expect_identical(as.data.frame(extend_selection(part, task, 5)), as.data.frame(whole))
  }
})

test_that("with unknown cells, models are minima over the known ones, with a gap that holds", {
  local_no_words()
  withr::local_seed(33)
  hows <- expand.grid(loss = c("squared", "logistic", "numeric"), alpha = c(1, 0.5), weighted = c(FALSE, TRUE),
    stringsAsFactors = FALSE)
  for (h in seq_len(nrow(hows))) {
    how <- hows[h, ]
    numeric <- how$loss == "numeric"
    loss <- if (numeric) "squared" else how$loss
    made <- hidden_mtl(60, 3)
    rows <- rowSums(!is.na(made$hidden)) > 0
    # With a constant feature, the path goes down to its smallest penalty.
    x <- as.matrix(made$x[rows, c("a", "b", "d", "e", "f", "g")])
    y <- made$hidden[rows, ]
    if (numeric) y <- sweep(y + rnorm(length(y)), 2, c(100, 1, 0.01), `*`) + 5
    w <- if (how$weighted) made$w[rows] + 0.5 else rep(1, nrow(x))
    task <- mltask(x, y, kind = if (numeric) "numeric" else "label", weights = if (how$weighted) w)
    options <- list(loss, how$alpha, n_lambda = 10, lambda_ratio = 0.05, standardize_targets = numeric)
    of <- function(make, tol) do.call(make, c(options, tol = tol))
    sel <- sift_features(task, of(sel_mtl, 1e-11))
    path <- selection_path(sel)
    expect_true(all(path$gap <= 1e-11 * path$objective[1]))
    loose <- selection_path(sift_features(task, of(sel_mtl, 1e-3)))
    expect_true(all(loose$gap > loose$objective - path$objective - 1e-12))
    as <- oracle_mtl_cells(x, y, w, standardize_targets = numeric)
    for (i in c(3, 10)) {
      best <- oracle_group_lasso(as$z, as$y, path$lambda[i], how$alpha, loss, cells = as$cells)
      expect_equal(path$objective[i], best$objective, tolerance = 1e-8)
      found <- sweep(coef(sel, i), 2, as$unit, `/`)
      expect_equal(unname(found[-1, ] * as$scale), best$w, tolerance = 1e-4)
      expect_equal(unname(found[1, ] + crossprod(found[-1, ], as$center)[, 1]), unname(best$b), tolerance = 1e-4)
    }
    predicted <- predict(fit(of(lrn_mtl, 1e-11), task), x)
    linear <- cbind(1, x) %*% coef(sel)
    expect_equal(predicted[[if (numeric) "response" else "score"]],
      if (loss == "squared") linear else 1 / (1 + exp(-linear)), tolerance = 1e-9)
  }
})

test_that("the unit of a target makes no difference where targets are standardized", {
  skip_unless_all()
  local_no_words()
  withr::local_seed(38)
  n <- 40
  made <- random_mtl(n, 8, 3, empty = 0.85)
  w <- sample(0:3, n, TRUE)
  hidden <- replace(made$y, sample(length(made$y), 30), NA)
  unit <- c(1, 100, 0.01)
  hows <- expand.grid(alpha = c(1, 0.5), standardize = c(TRUE, FALSE), refine = c(FALSE, TRUE),
    weighted = c(FALSE, TRUE), hidden = c(FALSE, TRUE))
  for (h in some_or_all(seq_len(nrow(hows)), 1)) {
    how <- as.list(hows[h, ])
    x <- if (h %% 2 == 0) made$x else sparse(made$x)
    of <- function(unit) {
      y <- sweep(if (how$hidden) hidden else made$y, 2, unit, `*`)
      mltask(x, y, kind = "numeric", weights = if (how$weighted) w)
    }
    options <- list(alpha = how$alpha, standardize = how$standardize, standardize_targets = TRUE, tol = 1e-9,
      n_lambda = 6)
    selector <- do.call(sel_mtl, c(options, refine = how$refine))
    here <- mtl_parts(of(1), selector)
    there <- mtl_parts(of(unit), selector)
    expect_identical(there$index, here$index)
    expect_equal(there[c("score", "path")], here[c("score", "path")], tolerance = 1e-8)
    expect_equal(lapply(there$coefficients, sweep, 2, unit, `/`), here$coefficients, tolerance = 1e-6)
    learner <- do.call(lrn_mtl, options)
    responses <- lapply(list(unit, 1), function(unit) predict(fit(learner, of(unit)), x)$response)
    expect_equal(sweep(responses[[1]], 2, unit, `/`), responses[[2]], tolerance = 1e-7)
  }
})

test_that("gaps of unknown labels hold in every shape, and paths are extended", {
  skip_unless_all()
  local_no_words()
  withr::local_seed(37)
  shapes <- list(
    dense = list(n = 40, d = 25, q = 11), wide = list(n = 30, d = 60, q = 3), one = list(n = 50, d = 8, q = 1),
    sparse = list(n = 150, d = 120, q = 6, filled = 0.02)
  )
  for (name in names(shapes)) for (weighted in c(FALSE, TRUE)) for (alpha in c(1, 0.5)) {
    shape <- shapes[[name]]
    n <- shape$n
    x <- matrix(rnorm(n * shape$d), n, dimnames = list(NULL, paste0("f", seq_len(shape$d))))
    # Each column has its own row, so no two are equal.
    if (!is.null(shape$filled)) x <- x * pmax(rbinom(length(x), 1, shape$filled), diag(1, n, shape$d))
    y <- unname(x[, rep_len(1:4, shape$q), drop = FALSE] + rnorm(n * shape$q) > 0.2) + 0
    hidden <- replace(y, runif(length(y)) < 0.3, NA)
    # A label that is known in few rows, and one that is known in all.
    if (shape$q > 2) {
      hidden[, 1] <- replace(NA * y[, 1], 1:5, c(0, 1, 0, 1, 1))
      hidden[, 2] <- y[, 2]
    }
    rows <- rowSums(!is.na(hidden)) > 0
    w <- if (weighted) runif(n, 0.2, 4)[rows] else rep(1, sum(rows))
    x <- x[rows, ]
    hidden <- hidden[rows, , drop = FALSE]
    features <- if (is.null(shape$filled)) x else methods::as(x, "CsparseMatrix")
    task <- suppressMessages(mltask(features, hidden, weights = if (weighted) w))
    selector <- sel_mtl(alpha = alpha, n_lambda = 15, lambda_ratio = 1e-3)
    sel <- sift_features(task, selector)
    path <- selection_path(sel)
    total <- sum(w)
    cells <- (!is.na(hidden)) * w
    cells <- sweep(cells, 2, total / colSums(cells), `*`)
    y <- replace(hidden, is.na(hidden), 0)
    known <- function(v) sweep(v, 2, colSums(cells * v) / total)
    e <- known(y)
    z <- sweep(x, 2, colSums(w * x) / total)
    s <- sqrt(colSums(w * z^2) / total)
    for (i in seq_len(nrow(path))) {
      b <- s * coef(sel, i)[-1, , drop = FALSE]
      r <- known(y - z %*% (b / pmax(s, 1e-9)))
      group <- path$lambda[i] * alpha
      ridge <- path$lambda[i] * (1 - alpha)
      objective <- sum(cells * r^2) / 2 / total + group * sum(sqrt(rowSums(b^2))) + ridge / 2 * sum(b^2)
      reach <- sqrt(rowSums((crossprod(z, cells * r) / total / pmax(s, 1e-9))^2))
      dual <- if (ridge > 0) {
        sum(cells * r * e) / total - sum(cells * r^2) / 2 / total - sum(pmax(reach - group, 0)^2) / 2 / ridge
      } else {
        scale <- min(1, group / max(reach))
        scale * sum(cells * r * e) / total - scale^2 * sum(cells * r^2) / 2 / total
      }
      expect_equal(path$objective[i], objective, tolerance = 1e-10, info = name)
      expect_lt(abs(path$gap[i] - (objective - dual)), 1e-9 * path$objective[1])
      expect_lte(path$gap[i], 1e-6 * path$objective[1])
    }
    short <- extend_selection(sift_features(task, selector, k = 3), task, k = shape$d)
    expect_identical(as.data.frame(short), as.data.frame(sel))
    expect_identical(selection_path(short), path)
  }
})

test_that("the squared loss by cells has the models that inner products give where all targets are known", {
  withr::local_seed(34)
  made <- hidden_mtl(60)
  columns <- model_columns(mltask(made$x, made$y), NULL, TRUE)
  units <- length(columns$blocks)
  y <- sweep(made$y + rnorm(240), 2, c(1, 100, 0.01, 1), `*`)
  for (standardize_targets in c(FALSE, TRUE)) for (w in list(NULL, made$w + 1)) {
    selector <- sel_mtl("squared", standardize_targets = standardize_targets, n_lambda = 12, tol = 1e-11)
    options <- c(selector$params, wanted = 99, least = -Inf, max_seconds = Inf, last = NA_real_)
    follow <- function(unknown) {
      found <- cpp_mtl_path(columns$x, columns$blocks, integer(units), rep(1L, units), y, w, unknown, options, NULL, 1L)
      found$intercept <- lapply(found$coefficients, function(model) as.vector(path_intercept(model, found)))
      found
    }
    by_cells <- follow(pattern_of(integer(), integer(), dim(y)))
    whole <- follow(NULL)
    expect_equal(by_cells[c("lambda", "objective")], whole[c("lambda", "objective")], tolerance = 1e-10)
    expect_equal(by_cells$intercept, whole$intercept, tolerance = 1e-6)
    expect_equal(lapply(by_cells$coefficients, `[[`, "value"), lapply(whole$coefficients, `[[`, "value"),
      tolerance = 1e-5)
  }
})

test_that("rows that are unknown for all labels are the other rows alone", {
  withr::local_seed(35)
  made <- hidden_mtl(60)
  y <- made$y
  y[1:20, ] <- NA
  for (loss in c("squared", "logistic")) {
    selector <- sel_mtl(loss, n_lambda = 12)
    expect_identical(mtl_parts(mltask(made$x, y), selector), mtl_parts(mltask(made$x[21:60, ], y[21:60, ]), selector))
    model <- function(rows) predict(fit(lrn_mtl(loss, n_lambda = 12), mltask(made$x[rows, ], y[rows, ])), made$x)
    expect_identical(model(1:60), model(21:60))
    # The orders of rows and of labels do not matter.
    task <- mltask(made$x, made$hidden)
    exact <- sel_mtl(loss, n_lambda = 12, tol = 1e-11)
    order <- sample(60)
    expect_equal(mtl_parts(mltask(made$x[order, ], made$hidden[order, 4:1]), exact)[c("index", "score")],
      mtl_parts(task, exact)[c("index", "score")], tolerance = 1e-9)
    expect_identical(as.data.frame(sift_features(task, exact, threads = 2)),
      as.data.frame(sift_features(task, exact, threads = 1)))
  }
})

test_that("labels that do not vary where they are known take no part, and are predicted as such", {
  withr::local_seed(36)
  made <- hidden_mtl(60)
  y <- cbind(made$hidden, on = rep(c(1, NA, NA), 20), off = rep(c(NA, NA, 0), 20))
  for (loss in c("squared", "logistic")) {
    task <- mltask(made$x, y)
    sel <- sift_features(task, sel_mtl(loss, n_lambda = 12))
    expect_identical(mtl_parts(task, sel_mtl(loss, n_lambda = 12))[c("index", "score")],
      mtl_parts(mltask(made$x, made$hidden), sel_mtl(loss, n_lambda = 12))[c("index", "score")])
    expect_true(all(is.na(coef(sel)[, c("on", "off")])) && !anyNA(coef(sel)[, 1:4]))
    score <- predict(fit(lrn_mtl(loss, n_lambda = 12), task), made$x)$score
    expect_true(all(score[, "on"] == 1) && all(score[, "off"] == 0) && !anyNA(score))
    # Only these have unknown rows.
    whole <- mltask(made$x, cbind(made$y, y[, 5:6]))
    expect_identical(predict(fit(lrn_mtl(loss, n_lambda = 12), whole), made$x)$score[, 1:4],
      predict(fit(lrn_mtl(loss, n_lambda = 12), mltask(made$x, made$y)), made$x)$score)
  }
  expect_error(sift_features(mltask(made$x, y[, 5:6]), sel_mtl()), "a target and a feature", class = "mlsift_error")
  y[2:60, "on"] <- NA
  expect_error(fit(lrn_mtl(), mltask(made$x, y)), "known in at least two rows", class = "mlsift_error")
})

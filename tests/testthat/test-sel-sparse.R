random_sparse <- function(n = 30, d = 8, q = 3) {
  x <- matrix(stats::runif(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  y <- (x[, seq_len(q)] + matrix(stats::rnorm(n * q, sd = 0.3), n) > 0.5) + 0L
  y[1:2, ] <- 0:1
  colnames(y) <- paste0("l", seq_len(q))
  list(x = x, y = y, task = mltask(x, y))
}

# The selector for features as they are, as in its objective.
given <- function(make, ...) make(..., scale = "none")

row_lengths <- function(sel, d) {
  norm <- numeric(d)
  norm[sel$index] <- ifelse(is.na(sel$score), 0, sel$score)
  norm
}

# The objective that a selection prints, and how far it says that it is from the minimum.
printed <- function(sel) as.numeric(strsplit(sub("objective ", "", attr(sel, "note")), ", at most | above.*")[[1]])

centered <- function(x) sweep(x, 2, colMeans(x))

# A selection by RFS: what it prints lies between bounds on the minimum that do not come from the package, and it is as
# close to the minimum as `tol` says.
expect_rfs_minimum <- function(x, y, selector, weights = NULL, layout = x) {
  sel <- expect_no_warning(sift_features(mltask(layout, y, kind = "numeric", weights = weights), selector,
    max_seconds = 5))
  w <- if (is.null(weights)) rep(1, nrow(x)) else weights
  first <- sum(w * sqrt(rowSums(y^2)))
  if (selector$params$intercept == "penalized") x <- cbind(x, 1)
  bounds <- oracle_rfs(x, y, selector$params$gamma, w, 1e-4 * first)
  expect_lte(bounds$upper - bounds$lower, 1e-3 * first)
  expect_lte(printed(sel)[2], selector$params$tol * first)
  expect_gte(printed(sel)[1], bounds$lower - 1e-5 * first)
  expect_lte(printed(sel)[1] - printed(sel)[2], bounds$upper + 1e-5 * first)
  invisible(list(sel = sel, bounds = bounds))
}

test_that("RFS minimizes its objective", {
  withr::local_seed(1)
  cases <- expand.grid(gamma = c(0.3, 1), intercept = c("penalized", "none"), weighted = c(FALSE, TRUE),
    how = c("dense", "sparse", "exact", "units"), stringsAsFactors = FALSE)
  for (i in some_or_all(seq_len(nrow(cases)), 1)) {
    case <- cases[i, ]
    made <- random_sparse()
    x <- made$x
    y <- made$y
    if (case$how == "sparse") x <- x * (stats::runif(length(x)) < 0.2)
    if (case$how == "exact") y[1:25, ] <- x[1:25, 1:3] %*% matrix(stats::rnorm(9), 3)
    if (case$how == "units") x <- sweep(x, 2, 10^stats::runif(8, 0, 2), "*")
    weights <- if (case$weighted) exp(stats::rnorm(30))
    found <- expect_rfs_minimum(x, y, given(sel_rfs, case$gamma, case$intercept), weights,
      if (case$how == "sparse") sparse(x) else x)
    if (case$how == "dense" && case$gamma == 1) {
      expect_equal(row_lengths(found$sel, 8), found$bounds$norm[1:8], tolerance = 1e-2)
    }
  }
})

test_that("RFS reaches its tolerance where many rows are fitted exactly", {
  skip_unless_all()
  withr::local_seed(2)
  for (size in list(c(150, 72, 6), c(60, 103, 14), c(40, 150, 3))) {
    x <- scale(matrix(stats::rnorm(size[1] * size[2]), size[1]))
    y <- (x[, seq_len(size[3])] + matrix(stats::rnorm(size[1] * size[3]), size[1]) > 0.7) + 0
    dimnames(x) <- list(NULL, paste0("f", seq_len(size[2])))
    colnames(y) <- paste0("l", seq_len(size[3]))
    for (gamma in c(0.1, 1, 10)) {
      for (tol in c(1e-6, 1e-9)) {
        sel <- expect_no_warning(sift_features(mltask(x, y), given(sel_rfs, gamma, tol = tol), max_seconds = 5))
        expect_lte(printed(sel)[2], tol * sum(sqrt(rowSums(y^2))))
      }
      expect_equal(row_lengths(sel, size[2]),
        row_lengths(sift_features(mltask(x, y), given(sel_rfs, gamma), max_seconds = 5), size[2]), tolerance = 0.01)
    }
  }
  expect_rfs_minimum(x, y, given(sel_rfs, 1))
})

test_that("RFS leaves out constant features and copies", {
  made <- withr::with_seed(3, random_sparse())
  alone <- sift_features(made$task, sel_rfs(2))
  more <- cbind(made$x, constant = 7, copy = made$x[, 2], negative = -made$x[, 1])
  for (layout in list(more, sparse(more))) {
    sel <- sift_features(mltask(layout, made$y), sel_rfs(2))
    expect_equal(row_lengths(sel, 11), c(row_lengths(alone, 8), 0, 0, 0), tolerance = 1e-9)
    expect_identical(sel$feature[11], "constant")
  }
  # Only the intercept is left.
  expect_error(sift_features(made$task, given(sel_rfs, 8)), "from a penalty of 8 on")
})

test_that("RFS scales with its targets, and does not see their rotation", {
  withr::local_seed(2)
  made <- random_sparse()
  base <- sift_features(made$task, sel_rfs(2, tol = 1e-9))
  numbers <- function(y) sift_features(mltask(made$x, y, kind = "numeric"), sel_rfs(2, tol = 1e-9))
  expect_equal(row_lengths(numbers(3 * made$y), 8), 3 * row_lengths(base, 8), tolerance = 1e-4)
  turn <- qr.Q(qr(matrix(rnorm(9), 3)))
  rotated <- made$y %*% turn
  colnames(rotated) <- c("a", "b", "c")
  expect_equal(row_lengths(numbers(rotated), 8), row_lengths(base, 8), tolerance = 1e-4)
})

test_that("MSSL minimizes its objective, over its graph and a given one", {
  withr::local_seed(3)
  for (d in c(6, 40)) {
    made <- random_sparse(d = d)
    x <- centered(made$x)
    y <- centered(made$y)
    d2 <- as.matrix(dist(t(x)))^2
    near <- apply(d2, 1, function(v) sort(v)[2:4])
    own <- oracle_laplacian(t(x), 3, function(v) exp(-v^2 / mean(near)), FALSE)
    other <- oracle_laplacian(t(x), 2, function(v) rep(1, 2), TRUE)
    for (how in list(
      list(own, given(sel_mssl, 0.5, 0.3, neighbors = 3)), list(other, given(sel_mssl, 2, 0.2, graph = other))
    )) {
      alpha <- how[[2]]$params$alpha
      largest <- 2 * max(sqrt(rowSums(crossprod(x, y)^2)))
      beta <- how[[2]]$params$beta * largest
      w <- oracle_sparse_rows(function(w) {
        r <- y - x %*% w
        list(value = sum(r^2) / 2 + alpha / 2 * sum(w * (how[[1]] %*% w)),
          gradient = alpha * how[[1]] %*% w - crossprod(x, r))
      }, matrix(0, d, 3), beta / 2)
      sel <- sift_features(made$task, how[[2]])
      expect_equal(row_lengths(sel, d), unname(sqrt(rowSums(w^2))), tolerance = 1e-3)
      expect_equal(printed(sel)[1], oracle_mssl(x, y, w, how[[1]], alpha, beta), tolerance = 1e-5)
      absolute <- how[[2]]
      absolute$params$beta <- beta
      absolute$params$relative <- FALSE
      expect_identical(sift_features(made$task, absolute)$index, sel$index)
    }
  }
  # Constant features, here in the rows that have a weight, have no coefficients in front of either part.
  weights <- rep(c(0, 1, 2), 10)
  constant <- replace(made$x, cbind(rep(which(weights > 0), 3), rep(c(1, 20, 40), each = 20)), 1)
  rows <- rep(seq_len(30), weights)
  keep <- setdiff(seq_len(d), c(1, 20, 40))
  x <- centered(constant[rows, keep])
  y <- centered(made$y[rows, ])
  graph <- other[keep, keep]
  w <- oracle_sparse_rows(function(w) {
    r <- y - x %*% w
    list(value = sum(r^2) / 2 + sum(w * (graph %*% w)), gradient = 2 * graph %*% w - crossprod(x, r))
  }, matrix(0, length(keep), 3), 0.05)
  for (x in list(constant, sparse(constant))) {
    sel <- sift_features(mltask(x, made$y, weights = weights), given(sel_mssl, 2, 0.1, graph = other, relative = FALSE))
    expect_equal(row_lengths(sel, d)[keep], unname(sqrt(rowSums(w^2))), tolerance = 1e-3)
    expect_identical(sel$score[sel$index %in% c(1, 20, 40)], rep(NA_real_, 3))
  }
  # Without a graph it is the group lasso at the same penalty.
  none <- sift_features(made$task, given(sel_mssl, alpha = 0, beta = 0.2))
  path <- sift_features(made$task, sel_mtl(lambda_ratio = 0.2, n_lambda = 2, standardize = FALSE, tol = 1e-10))
  expect_equal(row_lengths(none, 40), unname(sqrt(rowSums(coef(path)[-1, ]^2))), tolerance = 1e-3)
})

test_that("MDFS minimizes its objective over F and W", {
  withr::local_seed(4)
  for (how in list(list(), list(alpha = 2, beta = 0.1, gamma = 0.3), list(beta = 0, neighbors = 4))) {
    made <- random_sparse(n = 20, d = 6)
    selector <- do.call(sel_mdfs, c(how, scale = "none"))
    p <- selector$params
    laplacian <- oracle_laplacian(made$x, p$neighbors %||% 2, function(v) 1, FALSE)
    x <- centered(made$x)
    objective <- oracle_mdfs(x, made$y, laplacian, p$alpha, p$beta)
    first <- objective(matrix(0, 6, 3))
    gamma <- p$gamma * 2 * p$alpha * max(sqrt(rowSums(crossprod(x, first$f)^2)))
    w <- oracle_sparse_rows(function(w) {
      at <- objective(w)
      list(value = at$value, gradient = 2 * p$alpha * crossprod(x, x %*% w - at$f))
    }, matrix(0, 6, 3), gamma, 3000)
    sel <- sift_features(made$task, selector)
    expect_equal(printed(sel)[1], objective(w, gamma)$value, tolerance = 1e-5)
    expect_lte(printed(sel)[2], 1.1e-8 * first$value)
    expect_equal(row_lengths(sel, 6), unname(sqrt(rowSums(w^2))), tolerance = 1e-3)
  }
})

test_that("MIFS ends where none of its parts can be improved", {
  withr::local_seed(5)
  for (how in list(list(), list(alpha = 3, beta = 1, gamma = 0.3, n_latent = 2))) {
    made <- random_sparse(n = 25, d = 6, q = 4)
    selector <- do.call(sel_mifs, how)
    p <- selector$params
    k <- p$n_latent %||% 1
    x <- centered(made$x)
    y <- centered(made$y)
    laplacian <- oracle_laplacian(made$x, 5, function(v) exp(-v^2 / 2), TRUE)
    best_v <- function(w, b) solve((1 + p$alpha) * diag(25) + p$beta * laplacian, x %*% w + p$alpha * y %*% t(b))
    best_b <- function(v) {
      s <- svd(crossprod(v, y))
      s$u %*% t(s$v)
    }
    b <- t(svd(y)$v[, seq_len(k), drop = FALSE])
    w <- matrix(0, 6, k)
    for (i in 1:300) b <- best_b(v <- best_v(w, b))
    gamma <- p$gamma * 2 * max(sqrt(rowSums(crossprod(x, v)^2)))
    for (i in 1:500) {
      before <- w
      w <- oracle_sparse_rows(function(w) list(value = sum((x %*% w - v)^2), gradient = 2 * crossprod(x, x %*% w - v)),
        w, gamma, 200)
      v <- best_v(w, b)
      b <- best_b(v)
      if (max(abs(w - before)) < 1e-9) break
    }
    value <- sum((x %*% w - v)^2) + p$alpha * sum((y - v %*% b)^2) + p$beta * sum(v * (laplacian %*% v)) +
      gamma * sum(sqrt(rowSums(w^2)))
    sel <- sift_features(made$task, selector)
    expect_equal(printed(sel)[1], value, tolerance = 1e-5)
    expect_equal(row_lengths(sel, 6), unname(sqrt(rowSums(w^2))), tolerance = 2e-3)
  }
})

test_that("layouts and threads make no difference, and excluded and constant features take no part", {
  withr::local_seed(6)
  for (selector in list(sel_rfs(2), sel_mssl(neighbors = 3), sel_mssl(neighbors = 3, scale = "none"), sel_mdfs(),
    sel_mifs())) {
    made <- random_sparse(d = 8)
    x <- made$x * (stats::runif(length(made$x)) < 0.6)
    x[, 5] <- 0
    for (layout in list(list(x, made$y), list(as.data.frame(x), made$y))) for (threads in 1:2) {
      found <- sift_features(mltask(layout[[1]], layout[[2]], kind = "label"), selector, threads = threads)
      if (!exists("first", inherits = FALSE)) first <- as.data.frame(found)
      expect_identical(as.data.frame(found), first)
    }
    rm(first)
    # Distances of sparse rows are summed in another order.
    expect_equal(row_lengths(sift_features(mltask(sparse(x), made$y), selector), 8), row_lengths(found, 8),
      tolerance = 1e-5)
    expect_identical(found$score[found$index == 5], NA_real_)
    varying <- sift_features(mltask(x[, -5], made$y), selector)
    expect_equal(row_lengths(varying, 7), row_lengths(found, 8)[-5], tolerance = 1e-8)
    without <- sift_features(mltask(x, made$y), selector, exclude = c(2, 7))
    alone <- sift_features(mltask(x[, -c(2, 7)], made$y), selector)
    expect_identical(without$feature, alone$feature)
    expect_identical(without$score, alone$score)
  }
})

test_that("features that the model leaves out follow by their distance from it", {
  withr::local_seed(7)
  made <- random_sparse(d = 20)
  sel <- sift_features(made$task, given(sel_mssl, alpha = 0, beta = 0.5))
  inside <- sum(!is.na(sel$score))
  expect_true(inside > 1 && inside < 18)
  x <- centered(made$x)
  path <- sift_features(made$task, sel_mtl(lambda_ratio = 0.5, n_lambda = 2, standardize = FALSE, tol = 1e-10))
  residual <- made$y - cbind(1, made$x) %*% coef(path)
  reach <- sqrt(rowSums(crossprod(x, residual)^2))
  rest <- sel$index[-seq_len(inside)]
  expect_identical(rest, setdiff(order(-reach), sel$index[seq_len(inside)]))
})

test_that("a graph of fewer neighbors has them all", {
  made <- withr::with_seed(8, random_sparse())
  for (make in list(sel_mssl, sel_mdfs, sel_mifs)) {
    most <- if (identical(make, sel_mssl)) 7 else 29
    expect_identical(as.data.frame(sift_features(made$task, make(neighbors = 100))),
      as.data.frame(sift_features(made$task, make(neighbors = most))))
    one <- sift_features(mltask(made$x[, 1, drop = FALSE], made$y), make())
    expect_identical(one$feature, "f1")
    expect_gt(one$score, 0)
  }
})

test_that("RFS and MSSL count a row of weight w as w rows", {
  skip_unless_all()
  withr::local_seed(9)
  for (round in first_or_all(1:6, 3)) {
    made <- random_sparse(n = 40, d = 7)
    x <- made$x * if (round %% 2 == 0) stats::runif(length(made$x)) < 0.4 else 1
    x[, 6] <- 0
    y <- if (round > 3) cbind(a = x[, 1] + stats::rnorm(40), b = stats::rnorm(40)) else made$y
    w <- sample(0:4, 40, TRUE)
    kind <- if (round > 3) "numeric" else "label"
    layout <- if (round %% 2 == 0) sparse(x) else x
    gamma <- if (round %% 2 == 0) 4 else 6
    make <- function(...) mltask(layout, y, kind = kind, ...)
    graph <- oracle_laplacian(t(centered(made$x)), 2, function(v) rep(1, 2), TRUE)
    for (selector in list(sel_rfs(gamma, tol = 1e-8), sel_rfs(gamma, "none", tol = 1e-8), sel_mssl(neighbors = 3),
      sel_mssl(2, 0.2, graph = graph), sel_mssl(0.5, 3, neighbors = 2, relative = FALSE))) {
      select <- function(task, ...) sift_features(task, selector, ...)
      found <- select(make(weights = w))
      repeated <- select(make()[rep(1:40, w), ])
      expect_identical(found$index, repeated$index)
      expect_equal(found$score, repeated$score, tolerance = 1e-7)
      expect_equal(printed(found)[1], printed(repeated)[1], tolerance = 1e-5)
      expect_identical(as.data.frame(select(make(weights = w), threads = 2)), as.data.frame(found))
      if (selector$name == "RFS") selector$params$gamma <- 2
      ones <- as.data.frame(select(make(weights = rep(1, 40))))
      if (selector$name == "RFS") expect_identical(ones, as.data.frame(select(make())))
      else expect_equal(ones, as.data.frame(select(make())), tolerance = 1e-7)
    }
    # All weights times a number: the same problem if the penalties are too.
    real <- stats::rexp(40)
    of <- function(weights, selector) row_lengths(sift_features(make(weights = weights), selector), 7)
    expect_equal(of(4 * real, sel_rfs(4, "none")), of(real, sel_rfs(1, "none")), tolerance = 1e-9)
    expect_equal(of(5 * real, sel_mssl(5, 0.1, 3)), of(real, sel_mssl(1, 0.1, 3)), tolerance = 1e-7)
  }
})

test_that("wrong arguments and tasks are refused", {
  made <- withr::with_seed(1, random_sparse())
  frame <- data.frame(made$x, color = factor(rep(c("r", "g", "b"), 10)))
  expect_snapshot(error = TRUE, {
    sel_rfs(0)
    sel_mssl(beta = 2)
    sel_mssl(graph = diag(3))
    sel_mssl(graph = matrix(c(1, -1, 0, 0), 2))
    sel_mssl(graph = matrix(c(-1, 1, 1, -1), 2))
    sel_mdfs(alpha = 0)
    sel_mifs(n_latent = 0)
    sift_features(made$task, sel_rfs(1000))
    sift_features(made$task, sel_mssl(graph = matrix(c(1, -1, -1, 1), 2)))
    sift_features(mltask(frame, made$y), sel_mdfs())
    sift_features(mltask(made$x, cbind(t = made$x[, 1] + made$x[, 2]), kind = "numeric"), sel_mifs())
  })
})

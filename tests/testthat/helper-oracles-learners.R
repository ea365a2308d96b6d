# Neighbors and learners straight from their definitions, row by row; shares no code with the package.

# Row numbers of the k nearest rows of `train` for each row of `query` (NULL: each training row among the others), as a
# matrix; columns in `nominal` add 1 for a difference.
oracle_neighbors <- function(train, query, k, nominal = logical(ncol(train))) {
  self <- is.null(query)
  if (self) query <- train
  t(vapply(seq_len(nrow(query)), function(i) {
    distance <- vapply(seq_len(nrow(train)), function(j) {
      total <- 0
      for (f in seq_len(ncol(train))) {
        total <- total + if (nominal[f]) (train[j, f] != query[i, f]) + 0 else (train[j, f] - query[i, f])^2
      }
      total
    }, 0)
    if (self) distance[i] <- NA
    order(distance, seq_along(distance))[seq_len(k)]
  }, integer(k))) |> matrix(ncol = k)
}

oracle_counts <- function(neighbors, y) {
  counts <- vapply(seq_len(ncol(y)), function(l) apply(neighbors, 1, function(r) sum(y[r, l])), double(nrow(neighbors)))
  matrix(counts, nrow(neighbors), ncol(y))
}

oracle_brknn <- function(train, y, query, k, ...) oracle_counts(oracle_neighbors(train, query, k, ...), y) / k

oracle_mlknn <- function(train, y, query, k, s = 1, ...) {
  among_others <- oracle_counts(oracle_neighbors(train, NULL, k, ...), y)
  counts <- oracle_counts(oracle_neighbors(train, query, k, ...), y)
  psi <- counts
  n <- nrow(train)
  for (l in seq_len(ncol(y))) {
    on <- y[, l] == 1
    with <- vapply(0:k, function(j) sum(on & among_others[, l] == j), 0)
    without <- vapply(0:k, function(j) sum(!on & among_others[, l] == j), 0)
    prior <- (s + sum(on)) / (2 * s + n)
    for (i in seq_len(nrow(query))) {
      j <- counts[i, l] + 1
      yes <- prior * (s + with[j]) / (s * (k + 1) + sum(with))
      no <- (1 - prior) * (s + without[j]) / (s * (k + 1) + sum(without))
      psi[i, l] <- if (all(on)) 1 else if (!any(on)) 0 else if (yes + no == 0) prior else yes / (yes + no)
    }
  }
  psi
}

# Where some labels are NA: neighbors among all rows, and each label's counts among those in which it is known.
oracle_known_counts <- function(neighbors, y) {
  each <- function(count) {
    of_label <- function(l) apply(neighbors, 1, function(r) count(y[r, l]))
    matrix(vapply(seq_len(ncol(y)), of_label, double(nrow(neighbors))), nrow(neighbors))
  }
  list(on = each(function(v) sum(v == 1, na.rm = TRUE)), known = each(function(v) sum(!is.na(v))))
}

oracle_brknn_known <- function(train, y, query, k, ...) {
  counts <- oracle_known_counts(oracle_neighbors(train, query, k, ...), y)
  prior <- matrix(colMeans(y, na.rm = TRUE), nrow(query), ncol(y), byrow = TRUE)
  ifelse(counts$known == 0, prior, counts$on / counts$known)
}

oracle_mlknn_known <- function(train, y, query, k, s = 1, ...) {
  among_others <- oracle_known_counts(oracle_neighbors(train, NULL, k, ...), y)
  counts <- oracle_known_counts(oracle_neighbors(train, query, k, ...), y)
  psi <- counts$on
  for (l in seq_len(ncol(y))) {
    known <- !is.na(y[, l])
    on <- known & y[, l] %in% 1
    used <- known & among_others$known[, l] > 0
    with <- vapply(0:k, function(j) sum(used & on & among_others$on[, l] == j), 0)
    without <- vapply(0:k, function(j) sum(used & !on & among_others$on[, l] == j), 0)
    prior <- if (!any(on)) 0 else if (sum(on) == sum(known)) 1 else (s + sum(on)) / (2 * s + sum(known))
    for (i in seq_len(nrow(query))) {
      j <- counts$on[i, l] + 1
      yes <- prior * (s + with[j]) / (s * (k + 1) + sum(with))
      no <- (1 - prior) * (s + without[j]) / (s * (k + 1) + sum(without))
      settled <- counts$known[i, l] == 0 || prior %in% c(0, 1) || !isTRUE(yes + no > 0)
      psi[i, l] <- if (settled) prior else yes / (yes + no)
    }
  }
  psi
}

# Predictions on each prefix by fit() and predict() alone.
separate_curve <- function(learner, train, test, order, k, ...) {
  lapply(k, function(n) predict(fit(learner, train[, order[seq_len(n)]]), test[, order[seq_len(n)]], ...))
}

# No oracle: the same predictions from one fit for all k, as assessments make them.
one_pass <- function(learner, train, test, order, k, threshold = 0.5, threads = NULL) {
  columns <- order[seq_len(max(k))]
  model <- fit_prefixes(learner, train[, columns], k, threads)
  predict_prefixes(model, features(test[, columns]), k, threshold, threads)
}

# Link after link: BR-kNN on the features and the labels before, which are predicted row by row.
oracle_cc_knn <- function(train, y, query, k, order, threshold = 0.5, nominal = logical(ncol(train))) {
  psi <- matrix(NA_real_, nrow(query), ncol(y))
  for (t in seq_along(order)) {
    before <- order[seq_len(t - 1)]
    psi[, order[t]] <- oracle_brknn(cbind(train, y[, before]), y[, order[t], drop = FALSE],
      cbind(query, (psi[, before] >= threshold) + 0), k, c(nominal, logical(t - 1)))
  }
  psi
}

# Votes of the k nearest rows that the transformation emits; list(score, response).
oracle_lp <- function(train, y, query, k, min_count = 1, ..., nominal = logical(ncol(train))) {
  rows <- oracle_transform(y, "ppt", min_count, ...)
  sets <- lapply(strsplit(gsub("[{}]", "", rows$class), " "), as.integer)
  on <- which(colSums(y) > 0)
  labels <- t(vapply(sets, function(s) seq_len(ncol(y)) %in% on[s], logical(ncol(y)))) |> matrix(ncol = ncol(y))
  nearest <- oracle_neighbors(train[rows$row, , drop = FALSE], query, k, nominal)
  winner <- apply(nearest, 1, function(r) {
    votes <- vapply(r, function(j) sum(rows$class[r] == rows$class[j]), 0)
    r[which.max(votes)]
  })
  list(score = oracle_counts(nearest, labels) / k, response = labels[winner, , drop = FALSE] + 0L)
}

# Centered and divided by the population's deviation; constant columns become 0. `by`: the training rows.
oracle_scaled <- function(x, scale = "zscore", by = x) {
  for (f in seq_len(ncol(x))) {
    s <- sqrt(mean((by[, f] - mean(by[, f]))^2))
    constant <- length(unique(by[, f])) == 1L
    x[, f] <- if (constant) 0 else (x[, f] - mean(by[, f])) / (if (scale == "zscore") s else 1)
  }
  x
}

# Penalized logistic regression of one label by plain Newton steps on the whole system; (intercept, weights).
oracle_logistic <- function(z, y, rho) {
  z <- cbind(1, z)
  penalty <- diag(c(0, rep(rho, ncol(z) - 1)), ncol(z))
  loss <- function(b) {
    eta <- drop(z %*% b)
    sum(log1p(exp(-abs(eta))) + pmax(eta, 0) - y * eta) + sum(b * penalty %*% b) / 2
  }
  b <- c(qlogis(mean(y)), numeric(ncol(z) - 1))
  for (step in 1:200) {
    p <- plogis(drop(z %*% b))
    change <- drop(solve(crossprod(z, z * (p * (1 - p))) + penalty, crossprod(z, y - p) - penalty %*% b))
    share <- 1
    while (loss(b + share * change) > loss(b) + 1e-12 && share > 1e-9) share <- share / 2
    b <- b + share * change
    if (max(abs(change)) < 1e-12) break
  }
  b
}

oracle_brlr <- function(x, y, query, rho, scale = "zscore") {
  z <- oracle_scaled(x, scale)
  matrix(apply(y, 2, function(l) {
    if (all(l == l[1])) return(rep(l[1], nrow(query)))
    plogis(drop(cbind(1, oracle_scaled(query, scale, x)) %*% oracle_logistic(z, l, rho)))
  }), nrow(query))
}

oracle_ridge <- function(x, y, query, rho, scale = "zscore") {
  z <- oracle_scaled(x, scale)
  w <- solve(crossprod(z) + diag(rho, ncol(z)), crossprod(z, sweep(y, 2, colMeans(y))))
  sweep(oracle_scaled(query, scale, x) %*% w, 2, colMeans(y), `+`)
}

# The penalty of generalized cross-validation by its definition: with the hat matrix of each penalty, for centered and
# weighted rows z: the best of the grid, refined.
oracle_gcv <- function(x, y, scale = "zscore", w = rep(1, nrow(x))) {
  n <- sum(w)
  center <- function(x) sweep(x, 2, colSums(w * x) / n)
  z <- center(x)
  if (scale == "zscore") z <- sweep(z, 2, sqrt(colSums(w * z^2) / n), `/`)
  z <- z[, is.finite(colSums(z)) & apply(x, 2, \(v) any(v != v[1])), drop = FALSE]
  y <- center(y)[, apply(y, 2, \(v) any(v != v[1])), drop = FALSE]
  values <- svd(sqrt(w) * z)$d^2
  values <- values[values > 1e-12 * max(values)]
  gcv <- function(log_rho) {
    hat <- z %*% solve(crossprod(z, w * z) + diag(exp(log_rho), ncol(z)), t(w * z))
    sum(colSums(w * (y - hat %*% y)^2) / colSums(w * y^2)) / (1 - (1 + sum(diag(hat))) / n)^2
  }
  grid <- log(mean(values)) + seq(log(1e-4), log(1e4), length.out = 60)
  best <- which.min(vapply(grid, gcv, 0))
  found <- stats::optimize(gcv, grid[c(max(1, best - 1), min(60, best + 1))], tol = 1e-6)
  list(rho = exp(found$minimum), value = found$objective, gcv = \(rho) gcv(log(rho)))
}

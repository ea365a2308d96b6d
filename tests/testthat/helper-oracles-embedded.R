# Written straight from the equations of the papers; shares no code with the package.

# Proximal gradient descent, with momentum that starts again whenever the objective rises. `blocks`: the unit of each
# column of x, which is centered and scaled already; of x and y only the logistic loss has an intercept. list(w, b,
# objective).
oracle_group_lasso <- function(x, y, lambda, alpha = 1, loss = "squared", weight = rep(1, ncol(x)),
                               unit = seq_len(ncol(x)), steps = 20000, cells = 1 + 0 * y) {
  force(unit)
  force(weight)
  n <- sum(cells[, 1])
  x <- cbind(1, x)
  bound <- max(cells) * max(svd(x, 0, 0)$d)^2 / n / if (loss == "squared") 1 else 4
  member <- outer(unique(unit), unit, "==")
  lengths <- function(w) sqrt(drop(member %*% rowSums(w[-1, , drop = FALSE]^2)))
  objective <- function(w) {
    z <- x %*% w
    fit <- if (loss == "squared") (y - z)^2 / 2 else pmax(z, 0) + log1p(exp(-abs(z))) - y * z
    sum(cells * fit) / n + lambda * sum(alpha * weight * lengths(w)) + lambda * (1 - alpha) / 2 * sum(w[-1, ]^2)
  }
  w <- ahead <- matrix(0, ncol(x), ncol(y))
  best <- objective(w)
  momentum <- 1
  for (step in seq_len(steps)) {
    z <- x %*% ahead
    residual <- if (loss == "squared") z - y else 1 / (1 + exp(-z)) - y
    next_w <- ahead - crossprod(x, cells * residual) / n / bound
    inside <- lengths(next_w)
    keep <- pmax(0, 1 - lambda * alpha * weight / bound / inside)
    keep[inside == 0] <- 0
    next_w[-1, ] <- next_w[-1, , drop = FALSE] * keep[unit] / (1 + lambda * (1 - alpha) / bound)
    value <- objective(next_w)
    if (value >= best) {
      if (momentum == 1) break
      momentum <- 1
      ahead <- w
      next
    }
    next_momentum <- (1 + sqrt(1 + 4 * momentum^2)) / 2
    ahead <- next_w + (momentum - 1) / next_momentum * (next_w - w)
    momentum <- next_momentum
    w <- next_w
    best <- value
  }
  list(w = unname(w[-1, , drop = FALSE]), b = w[1, ], objective = best)
}

# What it takes of features and targets with weights of rows and unknown cells: `z`, features without their `center`,
# divided by `scale`; `y`, targets divided by `unit`, 0 where they are unknown; `cells`, their weights.
oracle_mtl_cells <- function(x, y, w = rep(1, nrow(x)), standardize = TRUE, standardize_targets = FALSE) {
  known <- !is.na(y)
  cells <- sweep(known * w, 2, sum(w) / colSums(known * w), `*`)
  center <- colSums(w * x) / sum(w)
  centered <- sweep(x, 2, center)
  scale <- if (standardize) sqrt(colSums(w * centered^2) / sum(w)) else rep(1, ncol(x))
  unit <- vapply(seq_len(ncol(y)), function(t) {
    v <- y[known[, t], t]
    share <- prop.table(w[known[, t]])
    if (standardize_targets) sqrt(sum(share * (v - sum(share * v))^2)) else 1
  }, 0)
  list(z = sweep(centered, 2, pmax(scale, 1e-9), `/`), center = center, scale = scale,
    y = sweep(replace(y, !known, 0), 2, unit, `/`), unit = unit, cells = cells)
}

# Mean 0 and population deviation 1; a constant column becomes 0.
oracle_standardized <- function(x, scale = TRUE) {
  apply(x, 2, function(v) {
    s <- sqrt(mean((v - mean(v))^2))
    (v - mean(v)) / if (scale && s > 0) s else 1
  })
}

# Objectives of sparse models, at any W; features and targets as their equations have them. F of MDFS is the best one
# for W, by one linear system.

# The minimum of RFS lies between `lower` and `upper`: values of the dual and of the objective, whatever the steps that
# lead there (here, of the alternating direction method of multipliers, until they differ by `within`). `norm`: of the
# rows of W.
oracle_rfs <- function(x, y, gamma, weight, within) {
  lengths <- function(v) sqrt(rowSums(v^2))
  shrink <- function(v, by) v * pmax(0, 1 - by / pmax(lengths(v), 1e-300))
  scale <- sqrt(colMeans(x^2))
  x <- sweep(x, 2, scale <- ifelse(scale > 0, scale, 1), "/")
  penalty <- gamma / scale
  rho <- 4 * mean(weight) / mean(lengths(y))
  w <- z <- v <- matrix(0, ncol(x), ncol(y))
  u <- r <- 0 * y
  inverse <- solve(crossprod(x) + diag(ncol(x)))
  for (step in seq_len(4000)) {
    w <- inverse %*% (crossprod(x, y - r - u) + z - v)
    fit <- x %*% w
    r <- shrink(y - fit - u, weight / rho)
    z <- shrink(w + v, penalty / rho)
    u <- u + fit + r - y
    v <- v + w - z
    if (step %% 100 != 0) next
    lower <- -rho * sum(u * y) / max(1, lengths(crossprod(x, rho * u)) / penalty)
    upper <- sum(weight * lengths(y - x %*% z)) + sum(penalty * lengths(z))
    if (upper - lower <= within) break
  }
  list(lower = lower, upper = upper, norm = unname(lengths(z) / scale))
}

oracle_mssl <- function(x, y, w, laplacian, alpha, beta) {
  sum((y - x %*% w)^2) / 2 + alpha / 2 * sum(w * (laplacian %*% w)) + beta / 2 * sum(sqrt(rowSums(w^2)))
}

# A function of W.
oracle_mdfs <- function(x, y, laplacian, alpha, beta) {
  n <- nrow(x)
  q <- ncol(y)
  h <- diag(n) - 1 / n
  labels <- q * diag(q) - 1
  # vec(F): (I (x) (L + alpha H + alpha I) + beta L0 (x) I) vec(F) = alpha vec(H X W + Y)
  system <- kronecker(diag(q), laplacian + alpha * h + alpha * diag(n)) + beta * kronecker(labels, diag(n))
  inverse <- solve(system)
  function(w, gamma = 0) {
    f <- matrix(inverse %*% (alpha * as.vector(h %*% x %*% w + y)), n)
    value <- sum(f * (laplacian %*% f)) + alpha * sum((h %*% (x %*% w - f))^2) + alpha * sum((f - y)^2) +
      beta * sum((f %*% labels) * f)
    list(value = value + gamma * sum(sqrt(rowSums(w^2))), f = f)
  }
}

# Minimizes a convex function plus gamma * sum ||w_j|| by proximal gradient descent with steps that are halved until
# they descend. `smooth(w)`: list(value, gradient).
oracle_sparse_rows <- function(smooth, w, gamma, steps = 20000) {
  step <- 1
  at <- smooth(w)
  for (i in seq_len(steps)) {
    repeat {
      next_w <- w - step * at$gradient
      norm <- sqrt(rowSums(next_w^2))
      next_w <- next_w * pmax(0, 1 - step * gamma / pmax(norm, 1e-300))
      there <- smooth(next_w)
      move <- next_w - w
      if (there$value <= at$value + sum(at$gradient * move) + sum(move^2) / (2 * step) + 1e-14 * abs(at$value)) break
      step <- step / 2
    }
    w <- next_w
    at <- there
    if (max(abs(move)) < 1e-10) break
    step <- step * 1.1
  }
  w
}

# The Laplacian of k nearest rows; equal distances: the lower row.
oracle_laplacian <- function(x, k, weight, larger) {
  d <- as.matrix(stats::dist(x))
  s <- matrix(0, nrow(x), nrow(x))
  for (i in seq_len(nrow(x))) {
    near <- setdiff(order(d[i, ]), i)[seq_len(k)]
    s[i, near] <- weight(d[i, near])
  }
  s <- if (larger) pmax(s, t(s)) else (s + t(s)) / 2
  diag(rowSums(s)) - s
}

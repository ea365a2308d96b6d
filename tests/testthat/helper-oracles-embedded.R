# Written straight from the equations of the papers; shares no code with the package.

# Proximal gradient descent, with momentum that starts again whenever the objective rises. `blocks`: the unit of each
# column of x, which is centered and scaled already; of x and y only the logistic loss has an intercept. list(w, b,
# objective).
oracle_group_lasso <- function(x, y, lambda, alpha = 1, loss = "squared", weight = rep(1, ncol(x)),
                               unit = seq_len(ncol(x)), steps = 20000) {
  force(unit)
  force(weight)
  n <- nrow(x)
  x <- cbind(1, x)
  bound <- max(svd(x, 0, 0)$d)^2 / n / if (loss == "squared") 1 else 4
  lengths <- function(w) sqrt(rowsum(rowSums(w[-1, , drop = FALSE]^2), unit))
  objective <- function(w) {
    z <- x %*% w
    fit <- if (loss == "squared") (y - z)^2 / 2 else pmax(z, 0) + log1p(exp(-abs(z))) - y * z
    sum(fit) / n + lambda * sum(alpha * weight * lengths(w)) + lambda * (1 - alpha) / 2 * sum(w[-1, ]^2)
  }
  w <- ahead <- matrix(0, ncol(x), ncol(y))
  best <- objective(w)
  momentum <- 1
  for (step in seq_len(steps)) {
    z <- x %*% ahead
    residual <- if (loss == "squared") z - y else 1 / (1 + exp(-z)) - y
    next_w <- ahead - crossprod(x, residual) / n / bound
    inside <- lengths(next_w)
    keep <- pmax(0, 1 - lambda * alpha * weight / bound / inside)
    keep[inside == 0] <- 0
    next_w[-1, ] <- next_w[-1, , drop = FALSE] * keep[unit] / (1 + lambda * (1 - alpha) / bound)
    value <- objective(next_w)
    if (value > best) {
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

# Mean 0 and population deviation 1; a constant column becomes 0.
oracle_standardized <- function(x, scale = TRUE) {
  apply(x, 2, function(v) {
    s <- sqrt(mean((v - mean(v))^2))
    (v - mean(v)) / if (scale && s > 0) s else 1
  })
}

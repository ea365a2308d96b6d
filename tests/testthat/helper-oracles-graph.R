# The label-space graph, SPEC and GMBA straight from their equations, row by row, all pairs of rows in memory.

oracle_similarity <- function(y, by_count = TRUE) {
  n_q <- if (by_count) colSums(y) else rep(1, ncol(y))
  s <- matrix(0, nrow(y), nrow(y))
  for (i in seq_len(nrow(y))) for (j in seq_len(nrow(y))) {
    either <- sum(n_q[y[i, ] == 1 | y[j, ] == 1])
    if (either > 0) s[i, j] <- sum(n_q[y[i, ] == 1 & y[j, ] == 1]) / either
  }
  s
}

oracle_centered <- function(x) {
  apply(x, 2, function(v) if (all(v == v[1])) 0 * v else (v - mean(v)) / sqrt(mean((v - mean(v))^2)))
}

oracle_spec <- function(x, y, phi, zero_degree = 0, kappa = min(50, max(2, sum(colSums(y) > 0))), scale = TRUE,
                        by_count = TRUE) {
  f <- if (scale) oracle_centered(x) else x
  a <- oracle_similarity(y, by_count)
  diag(a) <- 0
  true <- rowSums(a)
  # Isolated rows of degree 0 are no part of the graph.
  keep <- if (zero_degree > 0) rep(TRUE, nrow(y)) else true > 0
  a <- a[keep, keep, drop = FALSE]
  d <- ifelse(true > 0, true, zero_degree)[keep]
  laplacian <- diag(1 / sqrt(d), length(d)) %*% (diag(d, length(d)) - a) %*% diag(1 / sqrt(d), length(d))
  first <- sqrt(true[keep])
  first <- if (any(first > 0)) first / sqrt(sum(first^2)) else NULL
  # xi_1 is set; the others are eigenvectors of what is orthogonal to it.
  move <- if (is.null(first)) laplacian else laplacian + 10 * tcrossprod(first)
  e <- eigen((move + t(move)) / 2, symmetric = TRUE)
  by <- order(e$values)
  lambda <- e$values[by]
  xi <- e$vectors[, by, drop = FALSE]
  if (!is.null(first)) {
    lambda <- lambda[-length(lambda)]
    xi <- xi[, -ncol(xi), drop = FALSE]
  }
  vapply(seq_len(ncol(f)), function(j) {
    root <- sqrt(d) * f[keep, j]
    constant <- all(x[, j] == x[1, j])
    if (constant || sum(root^2) == 0) return(-Inf)
    unit <- root / sqrt(sum(root^2))
    phi_1 <- sum(unit * (laplacian %*% unit))
    if (phi == 1) return(-phi_1)
    alpha <- as.vector(crossprod(xi, unit))
    if (phi == 2) {
      left <- sum(alpha^2)
      return(if (left < 1e-14) -Inf else -sum(alpha^2 * lambda) / left)
    }
    last <- sort(lambda)[min(kappa - 1, length(lambda))]
    sum(((2 - lambda) * alpha^2)[lambda <= last + 1e-9])
  }, 0)
}

oracle_gmba <- function(x, y, neighbors = 3, s_min = 1, lambda = 1, step = 0.9, order = list(seq_len(nrow(x))),
                        code2016 = FALSE, scale = TRUE, by_count = TRUE) {
  z <- if (scale) oracle_centered(x) else x
  s <- oracle_similarity(y, by_count)
  n <- nrow(x)
  distance <- function(i, j) sum((z[i, ] - z[j, ])^2)
  omega <- rep(1, ncol(x))
  for (i in unlist(order)) {
    similar <- setdiff(which(s[i, ] >= s_min - 1e-12), i)
    other <- setdiff(which(s[i, ] < s_min - 1e-12), i)
    if (length(similar) < neighbors || length(other) < (if (code2016) neighbors else 1)) next
    to_similar <- vapply(similar, distance, 0, j = i)
    to_other <- vapply(other, distance, 0, j = i)
    nearest <- base::order(to_similar, similar)[seq_len(neighbors)]
    m <- abs(to_similar[nearest[1]] - min(to_other))
    gradient <- 0
    for (h in seq_len(neighbors)) {
      j <- similar[nearest[h]]
      place <- nearest[h]
      pull <- if (!code2016) s[i, j] else if (place == i) 0 else s[i, place]
      term <- pull * (z[i, ] - z[j, ])^2
      for (at in which(to_other < (m + to_similar[nearest[h]]) * (1 - 1e-10))) {
        u <- other[at]
        term <- term + lambda * (s[i, j] - s[i, u]) * ((z[i, ] - z[j, ])^2 - (z[i, ] - z[u, ])^2)
      }
      gradient <- gradient + (if (code2016) neighbors - h + 1 else 1) * 2 * omega * term
    }
    if (sum(gradient^2) > 0) omega <- omega - step * gradient / sqrt(sum(gradient^2))
  }
  omega[apply(x, 2, function(v) all(v == v[1]))] <- -Inf
  unname(omega)
}

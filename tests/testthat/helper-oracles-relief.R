# The Relief family straight from the equations, pair by pair; shares no code with the package.

# diff_f(i, j) for all pairs: rows x rows x features. Columns in `nominal` hold codes.
oracle_diff <- function(x, nominal = logical(ncol(x))) {
  x <- as.matrix(x)
  result <- array(0, c(nrow(x), nrow(x), ncol(x)))
  for (f in seq_len(ncol(x))) {
    range <- max(x[, f]) - min(x[, f])
    for (i in seq_len(nrow(x))) {
      result[i, , f] <- if (nominal[f]) (x[, f] != x[i, f]) + 0 else if (range > 0) abs(x[, f] - x[i, f]) / range else 0
    }
  }
  result
}

# Sums over features, one after the other.
oracle_total <- function(diff) {
  total <- matrix(0, dim(diff)[1], dim(diff)[2])
  for (f in seq_len(dim(diff)[3])) total <- total + diff[, , f]
  total
}

# The k rows of `among` that are nearest to row i, which is none of them.
oracle_nearest <- function(distance, i, among, k) {
  among <- among[among != i]
  utils::head(among[order(distance[i, among], among)], k)
}

oracle_mean_diff <- function(diff, i, rows, weights = rep(1, dim(diff)[1])) {
  if (length(rows) == 0L) return(numeric(dim(diff)[3]))
  colSums(matrix(diff[i, rows, ], length(rows)) * weights[rows]) / sum(weights[rows])
}

oracle_relieff <- function(diff, class, k, reference = seq_along(class), weights = rep(1, length(class))) {
  distance <- oracle_total(diff)
  share <- tapply(weights, class, sum) / sum(weights)
  w <- numeric(dim(diff)[3])
  for (i in reference) {
    for (c in names(share)) {
      rows <- oracle_nearest(distance, i, which(class == c), k)
      own <- as.character(class[i])
      factor <- if (c == own) -1 else share[[c]] / sum(share[names(share) != own])
      w <- w + factor * oracle_mean_diff(diff, i, rows, weights) * weights[i] / sum(weights[reference])
    }
  }
  w
}

oracle_relieff_br <- function(diff, y, k, ...) {
  varying <- which(colSums(y) > 0 & colSums(y) < nrow(y))
  if (length(varying) == 0L) return(numeric(dim(diff)[3]))
  rowMeans(matrix(
    vapply(varying, function(l) oracle_relieff(diff, y[, l], k, ...), numeric(dim(diff)[3])), dim(diff)[3]
  ))
}

oracle_sets <- function(y) apply(y, 1, paste, collapse = "")

oracle_relieff_ml <- function(diff, y, k, disjoint = FALSE, reference = seq_len(nrow(y)), weights = rep(1, nrow(y))) {
  distance <- oracle_total(diff)
  share <- colSums(y * weights) / sum(weights)
  w <- numeric(dim(diff)[3])
  for (i in reference) {
    apart <- which(drop(y %*% y[i, ]) == 0)
    for (l in seq_len(ncol(y))) {
      hit <- y[i, l] == 1
      among <- which(y[, l] == 1)
      if (disjoint && !hit) among <- intersect(among, apart)
      factor <- share[l] / sum(share[y[i, ] == y[i, l]])
      if (share[l] == 0) next
      near <- oracle_mean_diff(diff, i, oracle_nearest(distance, i, among, k), weights)
      w <- w + (if (hit) -1 else 1) * factor * near * weights[i] / sum(weights[reference])
    }
  }
  w
}

# `delta`: rows x rows.
oracle_rrelieff <- function(diff, delta, k, sigma, reference = seq_len(nrow(delta)), weights = rep(1, nrow(delta))) {
  distance <- oracle_total(diff)
  by_rank <- exp(-(seq_len(k) / sigma)^2)
  n_c <- 0
  n_f <- n_cf <- numeric(dim(diff)[3])
  for (i in reference) {
    near <- oracle_nearest(distance, i, seq_len(nrow(delta)), k)
    weight <- weights[i] * by_rank * weights[near] / sum(by_rank * weights[near])
    for (r in seq_len(k)) {
      n_c <- n_c + weight[r] * delta[i, near[r]]
      n_f <- n_f + weight[r] * diff[i, near[r], ]
      n_cf <- n_cf + weight[r] * delta[i, near[r]] * diff[i, near[r], ]
    }
  }
  m <- sum(weights[reference])
  if (n_c == 0) return(NULL)
  n_cf / n_c - if (isTRUE(all.equal(n_c, m))) 0 else (n_f - n_cf) / (m - n_c)
}

oracle_rrelieff_targets <- function(diff, y, k, sigma, ...) {
  scores <- lapply(seq_len(ncol(y)), function(t) {
    range <- diff(range(y[, t]))
    if (range > 0) oracle_rrelieff(diff, abs(outer(y[, t], y[, t], "-")) / range, k, sigma, ...)
  })
  scores <- scores[lengths(scores) > 0]
  if (length(scores) == 0L) numeric(dim(diff)[3]) else Reduce(`+`, scores) / length(scores)
}

oracle_rrelieff_ml <- function(diff, y, k, sigma, ...) {
  # The share of labels in which rows differ.
  delta <- Reduce(`+`, lapply(seq_len(ncol(y)), function(l) outer(y[, l], y[, l], "!="))) / ncol(y)
  oracle_rrelieff(diff, delta, k, sigma, ...) %||% numeric(dim(diff)[3])
}

# |x_i - x_j| on z-scores, and squared distances.
oracle_zscored <- function(x, scale = TRUE) {
  if (scale) {
    sd <- apply(x, 2, function(v) sqrt(mean((v - mean(v))^2)))
    x <- sweep(x, 2, ifelse(apply(x, 2, function(v) all(v == v[1])), 1, sd), "/")
  }
  diff <- array(0, c(nrow(x), nrow(x), ncol(x)))
  for (f in seq_len(ncol(x))) diff[, , f] <- abs(outer(x[, f], x[, f], "-"))
  list(diff = diff, distance = oracle_total(diff^2))
}

oracle_mlrf <- function(x, y, k, scale = TRUE, reference = seq_len(nrow(y))) {
  z <- oracle_zscored(x, scale)
  share <- colSums(y) / sum(y)
  score <- numeric(ncol(x))
  pairs <- which(upper.tri(diag(ncol(y))), arr.ind = TRUE)
  for (p in seq_len(nrow(pairs))) {
    for (c in pairs[p, ]) {
      other <- setdiff(pairs[p, ], c)
      own_rows <- which(y[, c] == 1 & y[, other] == 0)
      other_rows <- which(y[, other] == 1 & y[, c] == 0)
      if (length(own_rows) == 0L || length(other_rows) == 0L) next
      for (i in intersect(own_rows, reference)) {
        miss <- oracle_mean_diff(z$diff, i, oracle_nearest(z$distance, i, other_rows, k))
        hit <- oracle_mean_diff(z$diff, i, oracle_nearest(z$distance, i, own_rows, k))
        score <- score + share[other] / (1 - share[c]) * (miss - hit)
      }
    }
  }
  score
}

oracle_mlrf_2016 <- function(x, y, k, scale = TRUE, reference = seq_len(nrow(y))) {
  z <- oracle_zscored(x, scale)
  p <- colMeans(y)
  score <- numeric(ncol(x))
  for (a in seq_len(ncol(y) - 1L)) {
    if (p[a] == 0 || p[a] == 1) next
    for (b in (a + 1L):ncol(y)) {
      for (i in reference) {
        near <- c(i, oracle_nearest(z$distance, i, which(y[, a] == y[i, a]), k - 1L))
        for (j in near[y[near, b] == 1]) {
          score <- score + (if (y[i, a] == 1) -1 else 1) * p[b] / (1 - p[a]) * z$diff[i, j, ] / k
        }
      }
    }
  }
  score
}

# Which rows are near which: rows x rows. A distance equal to the limit is not near, whatever its last bits.
oracle_near <- function(distance, by_row) {
  n <- nrow(distance)
  limit <- if (by_row) {
    vapply(seq_len(n), function(i) {
      others <- distance[i, -i]
      mean(others) - sqrt(mean((others - mean(others))^2)) / 2
    }, 0)
  } else {
    rep(mean(distance[upper.tri(distance)]), n)
  }
  near <- distance < limit - 1e-9 * mean(distance)
  diag(near) <- FALSE
  near
}

# W of one target.
oracle_surf <- function(diff, class, near, weights = rep(1, length(class))) {
  share <- tapply(weights, class, sum) / sum(weights)
  w <- numeric(dim(diff)[3])
  for (i in seq_along(class)) {
    own <- as.character(class[i])
    for (c in names(share)) {
      factor <- if (c == own) -1 else share[[c]] / sum(share[names(share) != own])
      rows <- which(near[i, ] & class == c)
      w <- w + factor * oracle_mean_diff(diff, i, rows, weights) * weights[i] / sum(weights)
    }
  }
  w
}

# The mean over the columns of y that vary.
oracle_surf_targets <- function(diff, y, by_row, near = oracle_near(oracle_total(diff), by_row), ...) {
  varying <- Filter(function(t) length(unique(y[, t])) > 1L, seq_len(ncol(y)))
  w <- lapply(varying, function(t) oracle_surf(diff, y[, t], near, ...))
  if (length(w) == 0L) numeric(dim(diff)[3]) else Reduce(`+`, w) / length(w)
}

# Positions in the order of TuRF, with scores. `score`: a function of the columns that are left.
oracle_turf <- function(d, score, drop, k) {
  left <- seq_len(d)
  index <- integer()
  scores <- numeric()
  repeat {
    s <- score(left)
    ranked <- left[order(-s)]
    n <- min(max(1, floor(drop * length(left))), length(left) - k)
    out <- if (n > 0) utils::tail(ranked, n) else ranked
    index <- c(out, index)
    scores <- c(s[match(out, left)], scores)
    left <- setdiff(left, out)
    if (length(left) == 0) return(list(index = index, score = scores))
  }
}

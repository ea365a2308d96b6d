# Naive clustering around medoids, straight from the definition: every cost is summed anew over all points.

oracle_pam <- function(distance, weight, k) {
  n <- nrow(distance)
  k <- min(k, n)
  cost <- function(medoids) sum(weight * do.call(pmin, lapply(medoids, function(m) distance[, m])))
  medoids <- integer()
  for (step in seq_len(k)) {
    costs <- vapply(seq_len(n), function(x) if (x %in% medoids) Inf else cost(c(medoids, x)), 0)
    medoids <- c(medoids, which.min(costs))
  }
  repeat {
    best <- cost(medoids)
    exchange <- NULL
    for (x in setdiff(seq_len(n), medoids)) {
      for (m in sort(medoids)) {
        other <- c(setdiff(medoids, m), x)
        if (cost(other) < best) {
          best <- cost(other)
          exchange <- other
        }
      }
    }
    if (is.null(exchange)) return(sort(medoids))
    medoids <- exchange
  }
}

# Mismatches for labels and classes (matrices of numbers), Euclidean distances otherwise.
oracle_distance <- function(z, euclidean) {
  n <- nrow(z)
  d <- matrix(0, n, n)
  for (i in seq_len(n)) for (j in seq_len(n)) d[i, j] <- if (euclidean) sqrt(sum((z[i, ] - z[j, ])^2)) else
    sum(z[i, ] != z[j, ])
  d
}

# The cluster of each row of z.
oracle_clusters <- function(z, k, euclidean = FALSE) {
  distinct <- unique(z)
  distinct <- distinct[do.call(order, as.data.frame(distinct)), , drop = FALSE]
  id <- match(apply(z, 1, paste, collapse = " "), apply(distinct, 1, paste, collapse = " "))
  d <- oracle_distance(distinct, euclidean)
  medoids <- oracle_pam(d, tabulate(id, nrow(distinct)), k)
  unname(apply(d[, medoids, drop = FALSE], 1, which.min)[id])
}

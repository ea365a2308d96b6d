# Naive Bayes straight from its definition, one row, label and feature at a time; shares no code with the package.

# log density or log share of the value for the training rows in `on` of one feature; `least`: smallest deviation.
oracle_normal <- function(value, train, on) {
  overall <- stats::sd(train)
  if (overall == 0) return(NULL)
  deviation <- if (sum(on) > 1) stats::sd(train[on]) else 0
  c(mean = mean(train[on]), sd = max(deviation, overall / 1000))
}

oracle_nb <- function(train, y, query, laplace = 1, discrete = logical(ncol(train))) {
  log_p <- function(f, value, on) {
    v <- train[, f]
    if (discrete[f]) return(log((sum(v[on] == value) + laplace) / (sum(on) + laplace * length(unique(v)))))
    normal <- oracle_normal(value, v, on)
    if (is.null(normal)) 0 else stats::dnorm(value, normal[["mean"]], normal[["sd"]], log = TRUE)
  }
  oracle_posteriors(train, y, query, log_p, function(on) log(mean(on)))
}

# One class target: posteriors rows x categories that occur, in the order of the levels.
oracle_nb_classes <- function(train, y, query, laplace = 1, discrete = logical(ncol(train))) {
  categories <- intersect(levels(y), as.character(y))
  log_p <- function(f, value, on) {
    v <- train[, f]
    if (discrete[f]) return(log((sum(v[on] == value) + laplace) / (sum(on) + laplace * length(unique(v)))))
    normal <- oracle_normal(value, v, on)
    if (is.null(normal)) 0 else stats::dnorm(value, normal[["mean"]], normal[["sd"]], log = TRUE)
  }
  posteriors <- vapply(seq_len(nrow(query)), function(i) {
    logs <- vapply(categories, function(c) {
      on <- y == c
      log(mean(on)) + sum(vapply(seq_len(ncol(train)), function(f) log_p(f, query[i, f], on), 0))
    }, 0)
    if (all(logs == -Inf)) return(rep(1 / length(categories), length(categories)))
    exp(logs - max(logs)) / sum(exp(logs - max(logs)))
  }, double(length(categories)))
  matrix(t(posteriors), nrow(query), dimnames = list(NULL, categories))
}

oracle_mlnb <- function(train, y, query, s = 1) {
  log_p <- function(f, value, on) {
    normal <- oracle_normal(value, train[, f], on)
    if (is.null(normal)) 0 else log(stats::dnorm(value, normal[["mean"]], normal[["sd"]]) + 1e-20)
  }
  oracle_posteriors(train, y, query, log_p, function(on) log((s + sum(on)) / (2 * s + length(on))))
}

oracle_posteriors <- function(train, y, query, log_p, log_prior) {
  psi <- matrix(NA_real_, nrow(query), ncol(y))
  for (l in seq_len(ncol(y))) {
    on <- y[, l] == 1
    for (i in seq_len(nrow(query))) {
      side <- function(rows) {
        log_prior(rows) + sum(vapply(seq_len(ncol(train)), function(f) log_p(f, query[i, f], rows), 0))
      }
      psi[i, l] <- if (!any(on)) 0 else if (all(on)) 1 else 1 / (1 + exp(side(!on) - side(on)))
      if (is.nan(psi[i, l])) psi[i, l] <- 0
    }
  }
  psi
}

# MIM-BR in bits from contingency tables.
oracle_mim_bits <- function(x, y) {
  information <- function(a, b) {
    p <- table(a, b) / length(a)
    expected <- outer(rowSums(p), colSums(p))
    sum((p * log2(p / expected))[p > 0])
  }
  apply(x, 2, function(v) sum(apply(y, 2, function(l) information(v, l))))
}

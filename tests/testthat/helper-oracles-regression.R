# Written straight from the equations of the papers; shares no code with the package.

oracle_zscore <- function(x, train, skip = logical(ncol(x))) {
  for (f in which(!skip)) {
    s <- sqrt(mean((train[, f] - mean(train[, f]))^2))
    if (length(unique(train[, f])) > 1) x[, f] <- x[, f] / s
  }
  x
}

oracle_knn_regression <- function(train, y, query, k, scale = "zscore", nominal = logical(ncol(train))) {
  if (scale == "zscore") {
    query <- oracle_zscore(query, train, nominal)
    train <- oracle_zscore(train, train, nominal)
  }
  neighbors <- oracle_neighbors(train, query, k, nominal)
  matrix(apply(neighbors, 1, function(rows) colMeans(y[rows, , drop = FALSE])), nrow(query), ncol(y), byrow = TRUE)
}

# The value of each target, NA where it is not defined.
oracle_numeric <- function(measure, truth, response, train_mean) {
  vapply(seq_len(ncol(truth)), function(t) {
    known <- !is.na(truth[, t])
    y <- truth[known, t]
    p <- response[known, t]
    if (length(y) == 0) return(NA_real_)
    switch(measure,
      armse = sqrt(mean((y - p)^2)),
      amae = mean(abs(y - p)),
      mean_r2 = if (all(y == y[1])) NA_real_ else 1 - sum((y - p)^2) / sum((y - mean(y))^2),
      arrmse = if (all(y == train_mean[t])) NA_real_ else sqrt(sum((y - p)^2) / sum((y - train_mean[t])^2)),
      mean_correlation = if (all(y == y[1])) NA_real_ else if (all(p == p[1])) 0 else stats::cor(y, p)
    )
  }, 0)
}

random_numeric <- function(n = 20, q = 3) {
  truth <- matrix(rnorm(n * q, 5), n, q, dimnames = list(NULL, paste0("t", seq_len(q))))
  list(truth = truth, response = truth + rnorm(n * q), mean = rnorm(q, 5))
}

numeric_task <- function(seed, n = 24, d = 5, q = 2) {
  withr::with_seed(seed, {
    x <- matrix(rnorm(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
    y <- x[, rep_len(seq_len(d), q), drop = FALSE] + rnorm(n * q) / 2
    mltask(x, `colnames<-`(y, paste0("t", seq_len(q))))
  })
}

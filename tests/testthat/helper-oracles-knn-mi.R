# Nearest-neighbor mutual information straight from its equations: all distances, sorted, for every set of features.

# Squared distances of all rows to each other.
oracle_squares <- function(x) Reduce(`+`, lapply(seq_len(ncol(x)), function(f) outer(x[, f], x[, f], `-`)^2))

# The k-th smallest value of each row of a matrix but that on the diagonal.
kth_other <- function(m, k) vapply(seq_len(nrow(m)), function(i) sort(m[i, -i], partial = k)[k], 0)

# The estimate of sel_knn_mi() for all columns together: the score of the feature that it adds last.
knn_estimate <- function(x, class, k = 4, zero = "floor", scale = "none") {
  task <- suppressMessages(mltask(x, factor(class)))
  selector <- sel_knn_mi(k + 1, k, zero_distance = zero, scale = scale)
  found <- suppressWarnings(sift_features(task, selector), classes = "mlsift_warning")
  utils::tail(found$score[!is.na(found$score)], 1L)
}

oracle_knn_mi <- function(x, class, k = 4, zero = "floor") {
  n <- nrow(x)
  squares <- oracle_squares(x)
  own <- outer(class, class, `==`)
  in_class <- kth_other(ifelse(own, squares, Inf), k)
  sizes <- as.vector(table(class))
  classes <- digamma(n) - sum(sizes * digamma(sizes)) / n
  near <- squares <= in_class * (1 + 1e-10)
  diag(near) <- FALSE
  if (zero == "ross") return(classes + digamma(k) - mean(digamma(rowSums(near))))
  if (zero == "gao") return(classes + mean(digamma(rowSums(near & own))) - mean(digamma(rowSums(near))))
  if (all(squares == 0)) return(0)
  log_distance <- function(squared) log(ifelse(squared == 0, sqrt(min(squares[squares > 0])) / 2, sqrt(squared)))
  classes + ncol(x) / n * (sum(log_distance(kth_other(squares, k))) - sum(log_distance(in_class)))
}

population_sd <- function(v) sqrt(mean((v - mean(v))^2))

# The rows that PPT keeps, their features as the search sees them, and their classes.
oracle_ppt_rows <- function(x, y, min_count, scale = "zscore", noise = NULL) {
  set <- apply(y, 1, paste, collapse = " ")
  kept <- set %in% names(which(table(set) >= min_count))
  x <- x[kept, , drop = FALSE]
  sd <- apply(x, 2, population_sd)
  constant <- apply(x, 2, function(v) all(v == v[1]))
  if (scale == "zscore") x <- sweep(sweep(x, 2, colMeans(x)), 2, ifelse(constant, 1, sd), "/")
  if (!is.null(noise)) x <- x + 1e-10 * sweep(matrix(noise, nrow(x)), 2, if (scale == "zscore") 1 else sd, "*")
  list(x = x, class = set[kept], constant = constant)
}

# At each step of a selection the estimates of all candidates: a list of numeric vectors, NA for no candidate.
oracle_knn_mi_forward <- function(data, order, k = 4, zero = "floor") {
  lapply(seq_along(order), function(step) {
    before <- order[seq_len(step - 1)]
    vapply(seq_len(ncol(data$x)), function(f) {
      if (f %in% before || data$constant[f]) NA else oracle_knn_mi(
        data$x[, c(setdiff(before, which(data$constant)), f), drop = FALSE], data$class, k, zero
      )
    }, 0)
  })
}

# The same for a ranking from a backward search: the estimates without each of the first `left` features.
oracle_knn_mi_backward <- function(data, order, left, k = 4, zero = "floor") {
  vapply(
    seq_len(left),
    function(i) oracle_knn_mi(data$x[, sort(order[seq_len(left)][-i]), drop = FALSE], data$class, k, zero), 0
  )
}

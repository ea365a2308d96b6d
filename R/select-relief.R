# Shared by the selectors of the Relief family: features as numbers, their factors, the reference rows.

# For the C++ core: list(x, query, rows, nominal, factor, weights). `x`: a double matrix or dgCMatrix; `query`: its
# reference rows, whose numbers are `rows`. `factor`: what differences of each feature are multiplied by. `weights`:
# those of the rows of x, or NULL.
relief_data <- function(x, nominal, factor, n_rows, weights = NULL) {
  rows <- reference_rows(n_rows, nrow(x))
  query <- if (length(rows) < nrow(x)) x[rows, , drop = FALSE] else x
  list(x = x, query = query, rows = rows, nominal = nominal, factor = factor, weights = weights)
}

# All rows, or a sample drawn from R's generator.
reference_rows <- function(n_rows, n) {
  if (is.null(n_rows) || n_rows == n) return(seq_len(n))
  if (n_rows > n) {
    warn(c("There are fewer rows than {.arg n_rows}; all {n} are used.", x = "{.arg n_rows} is {n_rows}."),
      setting = "n_rows")
    return(seq_len(n))
  }
  sort(sample.int(n, n_rows))
}

# Differences are divided by the range of a feature in these rows; constant features contribute nothing, mismatches of
# factors contribute 1.
ranged_data <- function(task, n_rows, rows = NULL) {
  numbers <- numeric_features(task)
  x <- if (is.null(rows)) numbers$x else numbers$x[rows, , drop = FALSE]
  scaled <- ranged_columns(x)
  scaled$factor[numbers$nominal] <- 1
  weights <- if (is.null(rows)) task$rows$weights else task$rows$weights[rows]
  relief_data(scaled$x, numbers$nominal, scaled$factor, n_rows, weights)
}

# list(x, factor): factor = 1 / range, 0 for a constant column. If a double cannot represent that, the column is first
# divided by a power of two.
ranged_columns <- function(x) {
  limits <- cpp_column_limits(x)
  exponent <- ceiling(log2(pmax(abs(limits[1, ]), abs(limits[2, ]))))
  extreme <- limits[1, ] != limits[2, ] & (exponent > 1020 | limits[2, ] - limits[1, ] < 2^-1020)
  if (any(extreme)) {
    power <- ifelse(extreme, pmin(1020, pmax(-1020, -exponent)), 0)
    x <- if (is_sparse(x)) scale_columns(x, 2^-power) else x * rep(2^power, each = nrow(x))
    limits <- cpp_column_limits(x)
  }
  range <- limits[2, ] - limits[1, ]
  list(x = x, factor = ifelse(range > 0, 1 / range, 0))
}

# Scores that are means over the targets that vary, or over as many as the attribute "used" of score(part) says; labels
# that are unknown in some rows are scored on the others.
known_mean <- function(task, score) {
  if (is.null(task$targets$unknown)) return(as.vector(score(task)))
  used <- 0
  sums <- known_sum(task, function(part) {
    means <- score(part)
    n <- attr(means, "used") %||% length(varying(part$targets))
    used <<- used + n
    n * as.vector(means)
  })
  sums / max(1, used)
}

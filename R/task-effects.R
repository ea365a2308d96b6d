# Effects of single features on single targets in all rows of a task: what a reader can check by a table or a
# scatterplot. They are marginal: other features play no part.

# A row for each feature and target, features in the given order: a data frame of
#   feature, target   a category of a class target is a target, as in category_labels()
#   effect            "log odds ratio", "Cliff's delta", "Spearman's rho", "Cramer's V" or "rank correlation ratio"
#   value, low, high  with a 95 % interval; the last two effects have neither sign nor interval
#   kind              "marginal"
#   on, off           of log odds ratios: the shares of rows with the label, with the feature on and off
#   level             of factors: the level that is on, or the one with the largest share of the label or mean rank
# A row of weight 3 counts as three rows. Rows in which the feature or the target is not known are left out. The value
# is NA if one of the two does not vary in the other rows.
feature_effects <- function(task, features = colnames(task$x)) {
  if (any(task$rows$weights == 0)) task <- task[task$rows$weights > 0, ]
  task <- task[, features]
  weights <- as.double(task$rows$weights %||% rep(1, nrow(task$x)))
  targets <- category_labels(task$targets)
  numbers <- numeric_features(task)
  x <- numbers$x
  number <- targets$kind == "numeric"
  ways <- if (number) list(spearman_rhos, correlation_ratios) else list(odds_ratios, cliff_deltas, cramer_vs)
  way <- if (number) 1L + numbers$nominal else ifelse(numbers$nominal, 3L, 2L - cpp_binary_columns(x))
  found <- do.call(rbind, lapply(unique(way), function(i) {
    at <- which(way == i)
    effect_rows(ways[[i]](x[, at, drop = FALSE], targets, weights), at, task$x, colnames(targets))
  }))
  renumbered(found[order(match(found$feature, colnames(task$x))), ])
}

# `found`: the name of the effect, and matrices targets x features of what is known of it, or NULL.
effect_rows <- function(found, at, x, targets) {
  values <- function(name) as.vector(found[[name]] %||% rep(NA_real_, length(found$value)))
  feature <- rep(at, each = length(targets))
  level <- rep(NA_character_, length(feature))
  for (f in at[vapply(at, function(f) is.factor(dense_column(x, f)), NA)]) {
    level[feature == f] <- levels(x[[f]])[values("level")[feature == f]]
  }
  data.frame(feature = colnames(x)[feature], target = rep(targets, length(at)), effect = found$effect,
    value = values("value"), low = values("low"), high = values("high"), kind = "marginal", on = values("on"),
    off = values("off"), level = level)
}

# --- labels -----------------------------------------------------------------------------------------------------------

# Features of 0 and 1. With 1/2 added to each cell of the table (Haldane 1956, Anscombe 1956), and Woolf's (1955)
# interval: the sum of the inverse cells is the variance.
odds_ratios <- function(x, targets, weights) {
  missing <- unknown_pattern(x)
  x <- as_sparse_numbers(clear_unknown(x, missing))
  y <- label_numbers(targets)
  sums <- function(y, x) if (is.null(y) || is.null(x)) 0 else as.matrix(Matrix::crossprod(y, with_values(x) * weights))
  each <- function(x) if (is.null(x)) 0 else rep(Matrix::colSums(with_values(x) * weights), each = ncol(y))
  rows <- matrix(known_rows(targets, weights), ncol(y), ncol(x)) - each(missing) + sums(targets$unknown, missing)
  on <- each(x) - sums(targets$unknown, x)
  with <- rows_with(targets, weights) - sums(y, missing)
  with_on <- sums(y, x)
  cells <- lapply(list(with_on, on - with_on, with - with_on, rows - on - with + with_on), pmax, 0)
  halves <- lapply(cells, `+`, 0.5)
  value <- log(halves[[1L]]) - log(halves[[2L]]) - log(halves[[3L]]) + log(halves[[4L]])
  reach <- stats::qnorm(0.975) * sqrt(Reduce(`+`, lapply(halves, function(cell) 1 / cell)))
  value[is_none(on, rows) | is_none(rows - on, rows) | is_none(with, rows) | is_none(rows - with, rows)] <- NA
  list(effect = "log odds ratio", value = value, low = value - reach, high = value + reach,
    on = cells[[1L]] / (cells[[1L]] + cells[[2L]]), off = cells[[3L]] / (cells[[3L]] + cells[[4L]]),
    level = matrix(2L, nrow(value), ncol(value)))
}

# Sums of weights are exact up to rounding.
is_none <- function(part, rows) part <= 1e-12 * rows

label_numbers <- function(targets) as_sparse_numbers(with_values(targets$values))

# Numbers and ordered factors: Cliff's (1993) delta, with the interval of DeLong et al. (1988); see
# mlsift/measure/cliff_delta.h. If the label parts the values completely (1 or -1), the k rows of its smaller side make
# k independent pairs that all agree. The limit is then that of Clopper and Pearson (1934) for k successes of k.
cliff_deltas <- function(x, targets, weights) {
  cells <- label_cells(targets)
  found <- vapply(seq_len(ncol(x)), function(f) cpp_cliff_deltas(level_numbers(x, f), cells, ncol(targets), weights),
    matrix(0, ncol(targets), 3L))
  part <- function(i) array(found[, i, ], c(ncol(targets), ncol(x)))
  value <- part(1L)
  reach <- stats::qnorm(0.975) * sqrt(part(2L))
  apart <- which(abs(value) > 1 - 1e-12)
  reach[apart] <- 2 - 2 * 0.025^(1 / part(3L)[apart])
  list(effect = "Cliff's delta", value = value, low = pmax(value - reach, -1), high = pmin(value + reach, 1))
}

# The labels of each row (on = 1) and those that are unknown in it (on = 0), numbered from 0.
label_cells <- function(targets) {
  with <- unknown_cells(label_numbers(targets))
  unknown <- if (!is.null(targets$unknown)) unknown_cells(targets$unknown)
  cells <- rbind(with, unknown)
  order <- order(cells[, 1L])
  list(start = c(0L, cumsum(tabulate(cells[, 1L], nrow(targets)))), label = cells[order, 2L] - 1L,
    on = rep(1:0, c(nrow(with), NROW(unknown)))[order])
}

# A column as numbers from 1 in the order of its values, NA where it is missing.
level_numbers <- function(x, f) {
  if (!is_sparse(x)) return(match(x[, f], sort(unique(x[, f])), incomparables = NA))
  values <- sort(sparse_values(x[, f, drop = FALSE])[[1L]])
  stored <- stored_cells(x, f)
  numbers <- rep(match(0, values), nrow(x))
  numbers[x@i[stored] + 1L] <- match(x@x[stored], values, incomparables = NA)
  numbers
}

# Unordered factors as level numbers: Cramer's V, which is the root of chi-square / rows for labels.
cramer_vs <- function(x, targets, weights) {
  y <- label_numbers(targets)
  found <- lapply(seq_len(ncol(x)), function(f) {
    rows <- which(!is.na(x[, f]))
    levels <- Matrix::sparseMatrix(rows, x[rows, f], x = weights[rows], dims = c(nrow(x), max(x[rows, f], 1)))
    with <- as.matrix(Matrix::crossprod(y, levels))
    known <- rep(Matrix::colSums(levels), each = ncol(y)) -
      if (is.null(targets$unknown)) 0 else as.matrix(Matrix::crossprod(with_values(targets$unknown), levels))
    known <- array(known, dim(with))
    all <- rowSums(known)
    known[is_none(known, all)] <- 0
    share <- rowSums(with) / all
    spread <- rowSums(ifelse(known > 0, (with - known * share)^2 / known, 0))
    value <- sqrt(spread / (all * share * (1 - share)))
    value[is_none(share, 1) | is_none(1 - share, 1) | rowSums(known > 0) < 2L] <- NA
    list(value = value, level = best_level(with / known, value))
  })
  several_effects("Cramer's V", found, targets)
}

# The level with the largest mean, the first of equal ones. `means`: targets x levels.
best_level <- function(means, value) {
  means[is.na(means)] <- -Inf
  ifelse(is.na(value), NA, max.col(means, "first"))
}

several_effects <- function(effect, found, targets) {
  part <- function(name) array(unlist(lapply(found, `[[`, name)), c(ncol(targets), length(found)))
  list(effect = effect, value = part("value"), level = part("level"))
}

# --- numbers ----------------------------------------------------------------------------------------------------------

# Pearson's correlation of midranks, with the interval of Bonett and Wright (2000): atanh(rho) has about the variance
# (1 + rho^2 / 2) / (rows - 3). A rho of 1 or -1 has no interval.
spearman_rhos <- function(x, targets, weights) {
  value <- rows <- matrix(NA_real_, ncol(targets), ncol(x))
  missing <- hidden_parts(unknown_pattern(x), ncol(x))
  for (y_part in hidden_parts(targets$unknown, ncol(targets))) for (x_part in missing) {
    known <- setdiff(seq_along(weights), c(y_part$rows, x_part$rows))
    ranks <- function(x, columns) array(vapply(columns, function(f) {
      unit_ranks(level_numbers(x, f)[known], weights[known])
    }, double(length(known))), c(length(known), length(columns)))
    found <- crossprod(ranks(targets$values, y_part$columns), ranks(x, x_part$columns))
    value[y_part$columns, x_part$columns] <- pmax(pmin(found, 1), -1)
    rows[y_part$columns, x_part$columns] <- sum(weights[known])
  }
  none <- is.na(value) | rows <= 3 | abs(value) > 1 - 1e-12
  reach <- stats::qnorm(0.975) * sqrt((1 + value^2 / 2) / ifelse(none, NA, rows - 3))
  list(effect = "Spearman's rho", value = value, low = tanh(atanh(value) - reach), high = tanh(atanh(value) + reach))
}

# The rows in which each of n columns is unknown.
hidden_rows <- function(unknown, n) if (is.null(unknown)) rep(list(integer()), n) else unknown_rows(unknown)

# The columns that are unknown in the same rows: list(columns, rows) for each set of such rows.
hidden_parts <- function(unknown, n) {
  hidden <- hidden_rows(unknown, n)
  lapply(unname(split(seq_len(n), match(hidden, unique(hidden)))), function(columns) {
    list(columns = columns, rows = hidden[[columns[1L]]])
  })
}

# For each row, the weight below its level and half of that at it: its midrank less 1/2.
row_midranks <- function(level, weights) {
  at <- match(level, sort(unique(level)))
  ties <- as.vector(rowsum(weights, at))
  (cumsum(ties) - ties / 2)[at]
}

# Midranks whose weighted mean is 0 and whose weighted sum of squares is 1, times the root of the weight. NA if all are
# equal.
unit_ranks <- function(level, weights) {
  if (length(unique(level)) < 2L) return(rep(NA_real_, length(level)))
  ranks <- row_midranks(level, weights)
  ranks <- sqrt(weights) * (ranks - sum(weights * ranks) / sum(weights))
  ranks / sqrt(sum(ranks^2))
}

# Unordered factors as level numbers: the root of the share of the variance of midranks that lies between levels, which
# is Kruskal and Wallis' (1952) H / (rows - 1).
correlation_ratios <- function(x, targets, weights) {
  unknown <- hidden_rows(targets$unknown, ncol(targets))
  found <- lapply(seq_len(ncol(x)), function(f) {
    ratios <- vapply(seq_len(ncol(targets)), function(t) {
      known <- setdiff(which(!is.na(x[, f])), unknown[[t]])
      if (length(unique(x[known, f])) < 2L || length(unique(targets$values[known, t])) < 2L) return(c(NA, NA))
      w <- weights[known]
      ranks <- row_midranks(targets$values[known, t], w)
      ranks <- ranks - sum(w * ranks) / sum(w)
      sums <- rowsum(cbind(w, w * ranks), x[known, f])
      means <- sums[, 2L] / sums[, 1L]
      c(sqrt(sum(sums[, 1L] * means^2) / sum(w * ranks^2)), sort(unique(x[known, f]))[which.max(means)])
    }, double(2L))
    list(value = ratios[1L, ], level = ratios[2L, ])
  })
  several_effects("rank correlation ratio", found, targets)
}

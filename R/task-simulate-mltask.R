#' Simulate a task with known relevant features
#'
#' Simulates relevant features, targets that depend on them, redundant features (noisy copies of relevant ones) and
#' useless features, in random column order. Use it to try selectors: the role of each feature is stored with the task.
#'
#' @param n Number of rows.
#' @param n_features Number of features.
#' @param n_targets Number of targets.
#' @param n_relevant,n_redundant Numbers of relevant features and of their copies. The other features are useless.
#' @param kind `"label"`, `"class"` (three classes each) or `"numeric"`.
#' @param sparse `FALSE` draws normal numbers in a matrix; `TRUE` draws 0/1 features in a `dgCMatrix` (and sparse
#'   labels).
#' @param density Share of ones in features when `sparse`.
#' @param label_density Mean share of the labels that a row has.
#' @param noise Standard deviation of the noise in targets and copies, relative to the signal.
#' @return An [mltask()] whose attribute `"truth"` is a data frame with a row for each feature: `feature`, `role`
#'   (`"relevant"`, `"redundant"`, `"useless"`) and `source` (the feature that a redundant one copies, else `NA`).
#'   Random numbers come from R's generator: use `set.seed()` to repeat a draw.
#' @family tasks
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 12, n_targets = 4)
#' task
#' attr(task, "truth")
#' sift_features(task, sel_mim(), k = 4)
#' @export
simulate_mltask <- function(n, n_features = 20, n_targets = 5, n_relevant = max(1, floor(n_features / 4)),
                            n_redundant = min(n_relevant, floor((n_features - n_relevant) / 3)),
                            kind = c("label", "class", "numeric"), sparse = FALSE, density = 0.05, label_density = 0.25,
                            noise = 0.5) {
  n <- check_count(n)
  n_features <- check_count(n_features)
  n_targets <- check_count(n_targets)
  n_relevant <- check_count(n_relevant, max = n_features)
  n_redundant <- check_count(n_redundant, min = 0, max = n_features - n_relevant)
  kind <- check_choice(kind)
  check_flag(sparse)
  density <- check_number(density, min = 0, max = 1)
  label_density <- check_number(label_density, min = 0, max = 1)
  noise <- check_number(noise, min = 0, finite = TRUE)

  role <- rep(c("relevant", "redundant", "useless"), c(n_relevant, n_redundant, n_features - n_relevant - n_redundant))
  copied <- rep(NA_integer_, n_features)
  copied[role == "redundant"] <- sample.int(n_relevant, n_redundant, replace = n_redundant > n_relevant)
  column <- sample.int(n_features)
  x <- if (sparse) draw_sparse(n, role, copied, density, noise) else draw_dense(n, role, copied, noise)
  score <- draw_scores(x[, role == "relevant", drop = FALSE], n_targets, noise)

  names <- paste0("f", seq_len(n_features))
  truth <- data.frame(feature = names[column], role = role, source = names[column][copied])
  truth <- renumbered(truth[order(column), ])
  x <- x[, order(column), drop = FALSE]
  colnames(x) <- names
  y <- switch(kind,
    label = (score > rep(apply(score, 2L, stats::quantile, probs = 1 - label_density), each = n)) + 0L,
    class = as.data.frame(apply(score, 2L,
      function(s) cut(rank(s, ties.method = "first"), 3L, labels = c("low", "middle", "high")), simplify = FALSE)),
    numeric = score
  )
  if (kind == "label" && sparse) y <- methods::as(Matrix::Matrix(y + 0, sparse = TRUE), "generalMatrix")
  colnames(y) <- paste0("l", seq_len(n_targets))
  task <- mltask(x, y, name = "simulated", kind = kind)
  attr(task, "truth") <- truth
  task
}

draw_dense <- function(n, role, copied, noise) {
  x <- matrix(stats::rnorm(n * length(role)), n)
  copies <- which(role == "redundant")
  x[, copies] <- x[, copied[copies]] + noise * x[, copies]
  x
}

# Copies keep each one with probability 1 / (1 + noise).
draw_sparse <- function(n, role, copied, density, noise) {
  ones <- lapply(seq_along(role), function(f) which(stats::runif(n) < density))
  for (f in which(role == "redundant")) {
    from <- ones[[copied[f]]]
    ones[[f]] <- from[stats::runif(length(from)) < 1 / (1 + noise)]
  }
  Matrix::sparseMatrix(i = unlist(ones), p = c(0L, cumsum(lengths(ones))), x = 1, dims = c(n, length(role)))
}

# Each target is a weighted sum of one to three relevant features, scaled to unit variance, plus noise.
draw_scores <- function(x, n_targets, noise) {
  vapply(seq_len(n_targets), function(t) {
    parts <- sample.int(ncol(x), min(ncol(x), sample.int(3L, 1L)))
    signal <- as.vector(as.matrix(x[, parts, drop = FALSE]) %*% stats::runif(length(parts), 0.5, 1.5))
    spread <- stats::sd(signal)
    if (is.na(spread) || spread == 0) spread <- 1
    signal / spread + stats::rnorm(nrow(x), sd = noise)
  }, double(nrow(x)), USE.NAMES = FALSE) |> matrix(nrow = nrow(x))
}

# How well selections from different rows agree.

#' Stability of selected feature sets
#'
#' Measures how much sets of features have in common that were selected on different rows (splits, resamples).
#'
#' Let there be \eqn{M} sets of sizes \eqn{k_i}{k[i]} out of \eqn{d} features. \eqn{\hat p_f}{p[f]} is the share of sets
#' that contain feature \eqn{f}, and \eqn{\bar k}{kbar} is the mean size. The measures are:
#'
#' * `"nogueira"`:
#'   \deqn{\hat\Phi = 1 - \frac{\frac{1}{d}\sum_f \frac{M}{M-1} \hat p_f (1 - \hat p_f)}{\frac{\bar k}{d} (1 -
#'   \frac{\bar k}{d})},}{1 - mean(M / (M - 1) p (1 - p)) / (kbar / d (1 - kbar / d)),} which is 1 if all sets are
#'   equal, and 0 in expectation if they are drawn at random. It allows sets of different sizes and is corrected for
#'   chance. Only this measure has a confidence interval (asymptotic, from the variance in the reference; it may exceed
#'   1). It is `NA` if all sets are empty or all are full.
#' * `"jaccard"`: the mean over pairs of sets of \eqn{|A \cap B| / |A \cup B|}{#(A and B) / #(A or B)}, which is 1 if
#'   both sets are empty. It is not corrected for chance, so larger sets agree more.
#' * `"kuncheva"`: the mean over pairs of \eqn{(|A \cap B| d - k^2) / (k (d - k))}{(#(A and B) d - k^2) / (k (d - k))}.
#'   All sets must have the same size \eqn{k}. Then it equals Nogueira's measure. It is `NA` if \eqn{k} is 0 or \eqn{d}.
#'
#' The cost is proportional to the sizes of the sets (for Jaccard, to \eqn{M^2} times the sizes).
#'
#' @param x (list, or `mlbenchmark`) At least two selections from [sift_features()], or sets of features as vectors of
#'   names or of column numbers, best first. Or a benchmark; then the splits of each task and selector are compared.
#' @param k (count) Number of features to keep of each set, best first. `NULL` keeps all. Smaller sets, and sets without
#'   an order, stay as they are.
#' @param n_features (count) The number \eqn{d} of features to choose from. It is required if `x` contains vectors.
#'   Selections and benchmarks know it.
#' @param method (string) The measure.
#' @param level (number from 0 to 1) Level of the confidence interval.
#'
#' @return A data frame with columns `method`, `estimate`, `conf_low`, `conf_high` (`NA` for `"jaccard"` and
#'   `"kuncheva"`) and `n_sets`. For a benchmark there is one row for each task and selector, and the first columns are
#'   `task` and `selector`.
#' @references `r papers("Nogueira2018", "Kuncheva2007")`
#' @export
#' @examples
#' sets <- list(c("a", "b", "c"), c("a", "b", "d"), c("b", "a", "e"))
#' stability(sets, n_features = 20)
#' stability(sets, k = 2, n_features = 20)
#' stability(sets, n_features = 20, method = "jaccard")
stability <- function(x, k = NULL, n_features = NULL, method = c("nogueira", "jaccard", "kuncheva"), level = 0.95) {
  k <- check_count(k, null = TRUE)
  n_features <- check_count(n_features, null = TRUE)
  method <- check_choice(method, c("nogueira", "jaccard", "kuncheva"))
  level <- check_number(level, 0, 1)
  if (inherits(x, "mlbenchmark")) return(benchmark_stability(x, k, n_features, method, level))
  n_features <- n_features_of(x, n_features)
  stability_row(lapply(seq_along(x), function(i) feature_set(x[[i]], i, k)), n_features, method, level)
}

# d: taken from the selections if they state it, otherwise the argument; mixed lists are refused.
n_features_of <- function(x, n_features) {
  if (!is.list(x) || is.data.frame(x) || length(x) < 2L) {
    found <- describe(x)
    if (is.list(x) && !is.data.frame(x)) found <- paste("a list of length", length(x))
    abort(c("{.arg x} must be a list of at least two selections or sets of features, or a benchmark.",
      x = "It is {found}."))
  }
  selections <- vapply(x, inherits, NA, "mlselection")
  types <- unique(ifelse(selections, "selections", ifelse(vapply(x, is.character, NA), "names", "column numbers")))
  if (length(types) > 1L) {
    abort(c("All elements of {.arg x} must be of one kind.", x = "There are {types[1]} and {types[2]}."))
  }
  if (!all(selections)) {
    if (!is.null(n_features)) return(n_features)
    abort(c("{.arg n_features} must be given when {.arg x} holds sets of features.",
      i = "It is the number of features that there were to choose from."))
  }
  known <- unique(unlist(lapply(x, attr, "n_features", exact = TRUE)))
  if (length(known) > 1L) abort(c("Selections must come from the same features.",
    x = "They were made of {.val {known}} features."))
  if (!is.null(known) && !is.null(n_features) && known != n_features) {
    abort(c("{.arg n_features} must be the number of features the selections were made of, {known}.",
      x = "It is {n_features}."))
  }
  known %||% n_features %||% abort("{.arg n_features} must be given: the selections do not know it.")
}

# The features of one set, truncated at k if it is ordered. Selections are matched by name.
feature_set <- function(set, i, k) {
  if (is.data.frame(set)) {
    ordered <- !anyNA(set$rank)
    set <- as.character(set$feature)
    if (!ordered) k <- NULL
  }
  whole <- is.character(set) || (is.numeric(set) && all(are_whole(set)))
  if (!whole || anyNA(set)) abort(c("Each element of {.arg x} must be a selection, feature names or column numbers.",
    x = "Element {i} is {describe(set)}."))
  if (anyDuplicated(set)) {
    twice <- set[anyDuplicated(set)]
    abort(c("A set must hold each feature once.", x = "Element {i} of {.arg x} holds {.val {twice}} twice."))
  }
  if (is.null(k)) set else utils::head(set, k)
}

stability_row <- function(sets, n_features, method, level) {
  check_sets(sets, n_features)
  sizes <- lengths(sets)
  names <- unique(unlist(sets))
  ids <- lapply(sets, match, names)
  value <- if (length(sets) < 2L) rep(NA_real_, 3L) else switch(method,
    nogueira = nogueira(ids, sizes, n_features, level),
    jaccard = c(mean_jaccard(ids, sizes), NA, NA),
    kuncheva = c(mean_kuncheva(ids, sizes, n_features), NA, NA)
  )
  data.frame(method = method, estimate = value[1L], conf_low = value[2L], conf_high = value[3L], n_sets = length(sets))
}

check_sets <- function(sets, n_features) {
  numbers <- Filter(is.numeric, sets)
  odd <- unlist(lapply(numbers, function(set) set[set < 1 | set > n_features]))
  if (length(odd)) {
    abort(c("Column numbers must be from 1 to {n_features}, the number of features.", x = "One is {odd[1]}."))
  }
  n_names <- length(unique(unlist(sets)))
  if (n_names > n_features) abort(c("{.arg n_features} must be the number of features that there were to choose from.",
    x = "It is {n_features}, but the sets hold {n_names} different features."))
}

# Nogueira, Sechidis and Brown (2018): estimate and confidence interval. ids: features as numbers from 1.
nogueira <- function(ids, sizes, d, level) {
  m <- length(ids)
  share <- tabulate(unlist(ids)) / m
  mean_size <- mean(sizes)
  chance <- mean_size / d * (1 - mean_size / d)
  if (chance == 0) return(c(NA_real_, NA_real_, NA_real_))
  estimate <- 1 - sum(m / (m - 1) * share * (1 - share)) / d / chance

  own <- vapply(ids, function(set) sum(share[set]), 0) / d
  phi <- (own - sizes * mean_size / d^2 +
    estimate / 2 * (2 * sizes * mean_size / d^2 - sizes / d - mean_size / d + 1)) / chance
  variance <- 4 / m^2 * sum((phi - mean(phi))^2)
  # Level 1 has an infinite quantile.
  spread <- if (isTRUE(variance == 0)) 0 else stats::qnorm((1 + level) / 2) * sqrt(variance)
  estimate + c(0, -1, 1) * spread
}

mean_jaccard <- function(ids, sizes) {
  m <- length(ids)
  member <- matrix(0, m, max(1L, unlist(ids)))
  member[cbind(rep(seq_len(m), sizes), unlist(ids))] <- 1
  both <- tcrossprod(member)
  either <- outer(sizes, sizes, "+") - both
  mean(ifelse(either == 0, 1, both / either)[upper.tri(both)])
}

# The sum of |A and B| over pairs follows from the number of sets that contain each feature.
mean_kuncheva <- function(ids, sizes, d) {
  m <- length(ids)
  k <- sizes[1L]
  if (any(sizes != k)) {
    abort(c("Kuncheva's index needs sets of one size.", x = "Sizes go from {min(sizes)} to {max(sizes)}.",
      i = "Set {.arg k}, or use {.code method = \"nogueira\"}."))
  }
  if (k == 0L || k == d) return(NA_real_)
  both <- sum(choose(tabulate(unlist(ids)), 2)) / choose(m, 2)
  (both * d - k^2) / (k * (d - k))
}

# A split in which nothing was selected is an empty set, one in which the selector failed is none.
benchmark_stability <- function(bench, k, n_features, method, level) {
  chosen <- selections(bench)
  cells <- unique(plain_frame(bench)[c("task", "selector")])
  rows <- lapply(seq_len(nrow(cells)), function(i) {
    of <- function(rows) rows[rows$task == cells$task[i] & rows$selector == cells$selector[i], ]
    here <- of(chosen)
    known <- of(bench)$split[!is.na(of(bench)$n_selected)]
    sets <- lapply(split(here, factor(here$split, sort(unique(known)))), feature_set, i = i, k = k)
    stability_row(unname(sets), benchmark_n_features(bench, cells$task[i], n_features), method, level)
  })
  data.frame(task = cells$task, selector = cells$selector, do.call(rbind, rows), row.names = NULL)
}

benchmark_n_features <- function(bench, task, n_features) {
  if (!is.null(n_features)) return(n_features)
  tasks <- attr(bench, "tasks", exact = TRUE)
  known <- tasks$n_features[match(task, tasks$task)]
  if (!is_whole(known)) {
    abort(c("The benchmark does not say how many features task {.val {task}} has.", i = "Set {.arg n_features}."))
  }
  as.integer(known)
}

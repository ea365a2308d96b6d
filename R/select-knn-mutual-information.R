#' Mutual information of numbers and classes by nearest neighbors
#'
#' Estimates the mutual information \eqn{I(X; Y)} between one or several numeric variables \eqn{X} and a class \eqn{Y}
#' from the distances between rows, without cutting \eqn{X} into intervals:
#' \deqn{\hat I(X; Y) = \psi(N) - \frac{1}{N} \sum_{l=1}^{L} n_l\, \psi(n_l) + \frac{d}{N} \Bigl[\sum_{i} \log
#' \epsilon(i, K) -
#'   \sum_{l=1}^{L} \sum_{i \in l} \log \epsilon_l(i, K)\Bigr],}{I(X; Y) = psi(N) - 1 / N sum over l of n_l psi(n_l)
#' + d / N (sum over i of log epsilon(i, K)
#' - sum over l and i in l of log epsilon_l(i, K)),}
#' with \eqn{\psi} the digamma function, \eqn{N} rows, \eqn{n_l} of them in class \eqn{l}, \eqn{d} variables, and
#' \eqn{\epsilon(i, K)} and \eqn{\epsilon_l(i, K)} the Euclidean distance from row \eqn{i} to its \eqn{K}-th nearest
#' other row and to its \eqn{K}-th nearest other row of its own class. It is the difference of Kozachenko-Leonenko
#' estimates of \eqn{H(X)} and \eqn{H(X | Y)}, in which the volume of the unit ball and \eqn{\psi(K)} cancel. (Equation
#' 4 of Doquire and Verleysen is printed without the sum over classes in its second term; with it, the terms add up to
#' that difference.)
#'
#' The unit is the nat. An estimate of a small information may be negative; it is not clipped. The bias grows with the
#' number of variables.
#'
#' @section Rows at distance 0:
#' Repeated values make distances 0, whose logarithm is not finite. `zero_distance` determines what happens then:
#' * `"floor"` puts half the smallest positive distance between any two rows in their place, in both sums;
#' * `"jitter"` first adds \eqn{10^{-10}}{1e-10} standard deviations times numbers drawn evenly between -1 and 1 with
#'   R's generator. Where a class has no more than \eqn{K} rows at a point that has more rows of other classes, each of
#'   them then counts with a logarithm of about -23;
#' * `"ross"` is the estimate of Ross (2014), \eqn{\psi(N) - \frac{1}{N} \sum_l n_l \psi(n_l) + \psi(K) - \frac{1}{N}
#'   \sum_i \psi(m_i)}{psi(N) - sum over l of n_l psi(n_l) / N + psi(K) - mean of psi(m_i)}, with \eqn{m_i} the number
#'   of other rows as near as the \eqn{K}-th neighbor in the class or nearer, ties included. It needs no logarithm;
#' * `"gao"` puts \eqn{\frac{1}{N} \sum_i \psi(k_i)}{mean of psi(k_i)} in the place of \eqn{\psi(K)}, with \eqn{k_i}
#'   those of the \eqn{m_i} rows that are of the class, more than \eqn{K} where there are ties, after Gao et al. (2017).
#'
#' The first two are for continuous variables in which some values happen to be equal. Of a variable with few values,
#' such as 0/1, all distances to the \eqn{K}-th neighbor are 0 and cancel: `"floor"` then gives about the entropy of the
#' class whatever the variable says, and `"ross"` a value far below 0; a warning says so. Use `"gao"` where variables
#' are discrete or mixed: it gives about 0 for one that says nothing, and is the same as `"ross"` where there are no
#' ties.
#'
#' @param x A numeric vector, or a matrix, data frame or sparse `Matrix` whose columns are taken together. A sparse
#'   matrix is made dense, and is an error for more than 10 million numbers. Logicals and factors of two levels count as
#'   0/1, ordered factors as their level number; factors of more levels are refused.
#'   Variables that are constant are left out, since they change no distance and must not count in \eqn{d}; if all are,
#'   the result is 0.
#' @param y The class of each row: a factor, or a vector each of whose values is a class, such as numbers of label sets.
#' @param neighbors \eqn{K}; each class must have more rows than that.
#' @param zero_distance What to do about rows at distance 0, see below.
#' @param scale `"none"` takes variables as they are; `"zscore"` divides each by its (population) standard deviation
#'   first, as [sel_knn_mi()] does. A single variable gives the same either way.
#' @param threads As in [sift_features()].
#' @return A number, in nats.
#' @references
#' Gomez-Verdejo, Verleysen and Fleury (2009). Information-theoretic feature selection for functional data
#' classification. Neurocomputing 72, 3580-3589.
#'
#' Doquire and Verleysen (2011). Feature selection for multi-label classification problems. IWANN, 9-16.
#'
#' Gao, Kannan, Oh and Viswanath (2017). Estimating mutual information for discrete-continuous mixtures. Advances in
#' Neural Information Processing Systems 30.
#'
#' Ross (2014). Mutual information between discrete and continuous data sets. PLoS ONE 9, e87357.
#' @seealso [sel_knn_mi()] searches with it.
#' @family selection
#' @examples
#' set.seed(1)
#' y <- rep(c("a", "b"), each = 100)
#' x <- rnorm(200, mean = ifelse(y == "a", 0, 2))
#' knn_mutual_information(x, y)
#' knn_mutual_information(cbind(x, noise = rnorm(200)), y)
#' knn_mutual_information(round(x), y, zero_distance = "gao")
#' @export
knn_mutual_information <- function(x, y, neighbors = 4, zero_distance = c("floor", "jitter", "ross", "gao"),
                                   scale = c("none", "zscore"),
                                   threads = NULL) {
  call <- rlang::current_env()
  x <- numbers_of(x, call)
  neighbors <- check_count(neighbors)
  zero <- check_choice(zero_distance)
  scale <- check_choice(scale)
  classes <- check_classes(y, nrow(x), neighbors, call)
  data <- knn_mi_data(x, seq_len(nrow(x)), as.integer(classes), scale, zero, call)
  threads <- resolve_threads(threads)
  warn_repeating(data, colnames(x), neighbors, zero, threads, call)
  cpp_knn_mi(data, knn_mi_how(neighbors, zero, max_rows = 0L), threads)
}

# `candidates`: the columns that matter.
warn_repeating <- function(data, names, neighbors, zero, threads, call, candidates = seq_along(names)) {
  found <- if (zero != "gao") intersect(cpp_repeating(data, neighbors, threads), candidates)
  if (length(found) == 0L) return(invisible())
  looks <- if (zero == "ross") "far worse" else "far better"
  warn(c("Variables whose values repeat look {looks} than they are with {.code zero_distance = \"{zero}\"}.",
    x = paste0("Most rows share their value of {.val {names[found[1]]}} with more than {neighbors} others{if ",
      "(length(found) > 1) paste(\"; so it is for\", length(found) - 1, \"more\")}."),
    i = "Use {.code zero_distance = \"gao\"}."), call = call)
}

# Variables as a double matrix or a dgCMatrix, finite.
numbers_of <- function(x, call) {
  if (is.factor(x) || is.logical(x) && is.null(dim(x))) x <- data.frame(x = x)
  if (is.numeric(x) && is.null(dim(x))) x <- matrix(x, dimnames = list(NULL, "x"))
  if (inherits(x, "Matrix")) x <- as_sparse_numbers(x)
  usable <- if (is.data.frame(x)) vapply(x, function(v) is.numeric(v) || is.logical(v) || is.factor(v),
    NA) else is_sparse(x) || length(dim(x)) == 2L && (is.numeric(x) || is.logical(x))
  if (length(usable) == 0L || !all(usable)) {
    found <- if (is.data.frame(x) && ncol(x) > 0L) paste0("Column ", encodeString(names(x)[!usable][1L], quote = "\""),
      " is ", describe(x[[which(!usable)[1L]]])) else paste("It is", describe(x))
    abort(c(
      "{.arg x} must be numeric: a vector, a matrix, a data frame or a sparse matrix.", x = "{found}."
    ), call = call)
  }
  if (is.null(colnames(x))) colnames(x) <- paste0("f", seq_len(ncol(x)), recycle0 = TRUE)
  if (ncol(x) == 0L || nrow(x) < 2L) abort(c(
    "{.arg x} must have two rows or more and a column.", x = "It has {nrow(x)} row{?s} and {ncol(x)} column{?s}."
  ), call = call)
  x <- plain_numbers(x, "zscore", "The estimate", call)
  stored <- if (is_sparse(x)) x@x else x
  if (!all(is.finite(stored))) {
    bad <- stored[!is.finite(stored)][1L]
    abort(c("{.arg x} must be finite.", x = "It has {.val {bad}}."), call = call)
  }
  x
}

check_classes <- function(y, n, neighbors, call) {
  if (!is_atomic(y) || !is.null(dim(y)) || length(y) != n) {
    abort(c(
      "{.arg y} must be a factor or a vector with a class for each of the {n} rows of {.arg x}.",
      x = "It is {describe(y)}."
    ), call = call)
  }
  if (anyNA(y)) abort(c("{.arg y} must not be missing.", x = "It is in row {which(is.na(y))[1]}."), call = call)
  y <- droplevels(as_levels(y))
  count <- table(y)
  small <- which(count <= neighbors)[1L]
  if (!is.na(small)) {
    abort(c("Each class of {.arg y} must have more rows than {.arg neighbors}, which is {neighbors}.",
      x = "Class {.val {names(count)[small]}} has {count[[small]]}.",
      i = "Use fewer neighbors, or leave its rows out."), call = call)
  }
  y
}

# Sparse matrices are made dense up to this many numbers.
most_dense <- 1e7

# What the core sees: rows of `x` by number, and their classes from 1. Noise is drawn here.
knn_mi_data <- function(x, rows, classes, scale, zero, call) {
  if (is_sparse(x) && as.numeric(length(rows)) * ncol(x) > most_dense) {
    abort(c("kNN-MI needs a dense table, which is too large for this sparse matrix.",
      x = "{length(rows)} rows of {ncol(x)} features take {round(length(rows) * 8e-9 * ncol(x), 1)} GB.",
      i = paste0("Use fewer features, for example the best hundreds of a selector of single features such as ",
        "{.fn sel_mim}.")), call = call)
  }
  noise <- if (zero == "jitter") stats::runif(length(rows) * ncol(x), -1, 1) else numeric()
  list(x = x, rows = rows, classes = classes, n_classes = max(classes), zscore = scale == "zscore", noise = noise)
}

knn_mi_how <- function(neighbors, zero, max_rows) list(neighbors = neighbors, zero = zero, max_rows = max_rows)

#' Naive Bayes for each label, or for classes
#'
#' For labels, fits one naive Bayes model for each label \eqn{l}. Its two classes are rows with and without the label.
#' The score is the posterior probability
#' \deqn{\psi_l = \frac{P(l) \prod_f p(x_f | l)}{P(l) \prod_f p(x_f | l) + P(\neg l) \prod_f p(x_f | \neg l)}.
#' }{psi_l = A / (A + B),
#' A = P(l) times the product over f of p(x_f | l),
#' B = P(not l) times the product over f of p(x_f | not l).}
#'
#' Its parts are:
#'
#' * The prior \eqn{P(l)} is the share of training rows with the label.
#' * A discrete feature (see [mltask()]) contributes the smoothed share of its level, \eqn{p(v | l) = (n_{vl} + s) /
#'   (n_l + s L)}{p(v | l) = (n_vl + s) / (n_l + s L)}. Here \eqn{n_l} training rows have the label, \eqn{n_{vl}}{n_vl}
#'   of them have level \eqn{v}, \eqn{L} levels occur in the training rows, and \eqn{s} is `laplace`. A level that does
#'   not occur in training gets \eqn{s / (n_l + s L)}.
#' * A continuous feature contributes a normal density with the mean and the standard deviation (\eqn{n - 1}) of the
#'   training rows with the label. If more than `zero_share` of its training rows are zero, as in counts of words, a
#'   normal density would be far from the truth. Then only its sign is used, as a discrete feature with the levels zero,
#'   positive and, if there are such values, negative.
#'
#' Special cases:
#'
#' * A label that no training row has scores 0. A label that all have scores 1.
#' * A standard deviation is never taken as less than 1/1000 of the feature's standard deviation over all training rows.
#'   This applies to a single row with a label and to values that are equal within a class.
#' * A continuous feature that is constant in training is ignored.
#' * With `laplace = 0` a level may be impossible with and without the label. The score 0/0 is then 0.
#'
#' For class targets, fits one model for each target. Its classes are the categories \eqn{c} that occur in training, and
#' the scores are their posterior probabilities
#' \deqn{\psi_c = \frac{P(c) \prod_f p(x_f | c)}{\sum_b P(b) \prod_f p(x_f | b)}.}{psi_c = A_c / (sum over b of A_b),
#' A_c = P(c) times the product over f of p(x_f | c).}
#' The shares and densities are those of the rows of category \eqn{c}, as above. If all categories are impossible, which
#' needs `laplace = 0`, they have equal scores.
#'
#' Sparse features stay sparse. The scores depend neither on the layout of the features nor on the number of threads.
#'
#' @param laplace (number, 0 or more) Smoothing of the shares of levels.
#' @param zero_share (number from 0 to 1) A continuous feature with a larger share of zeros in training is used by its
#'   sign. 1 uses normal densities for all continuous features.
#' @param discretizer Makes continuous features discrete, such as [disc_auto()]. It is fitted to the training rows.
#'   `NULL` uses their densities.
#' @return `r learns("nb")`
#' @references Hastie, Tibshirani and Friedman (2009). The elements of statistical learning, section 6.6.3. Springer.
#' @family learners
#' @seealso [lrn_mlnb()], whose features are all numbers.
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_nb(), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_nb <- function(laplace = 1, zero_share = 0.5, discretizer = NULL) {
  params <- list(laplace = check_number(laplace, 0, finite = TRUE), zero_share = check_number(zero_share, 0, 1))
  if (!is.null(discretizer)) check_discretizer(discretizer)
  if (is_fitted(discretizer)) {
    abort(c("{.arg discretizer} must not be fitted yet: it is fitted to the rows that are learned from.",
      i = "Give {.code disc_{discretizer$method}()} itself."))
  }
  params$discretizer <- discretizer
  new_learner("NB", "nb", params)
}

fit_nb <- function(task, params, prefixes, threads) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.")
  fitted <- if (!is.null(params$discretizer)) fit_discretizer(params$discretizer, task)
  if (!is.null(fitted)) task <- stats::predict(fitted, task)
  counts <- row_counts(task)
  zeros <- zero_shares(task$x, counts)
  # The sign of a column of zeros would be a level of its own.
  signs <- which(!task$discrete & zeros > (params$zero_share %||% 1) & zeros < 1)
  counted <- replace(unname(task$discrete), signs, TRUE)
  if (!all(counted)) check_weight_sum(task)
  weight <- count_weight(counts)
  x <- bayes_columns(with_signs(task$x, signs), counted)
  state <- cpp_fit_naive_bayes(x, task$targets$values, counted, counts, threads)
  state$signs <- signs
  state$discretizer <- fitted
  if (is.data.frame(task$x)) state$factor_levels <- lapply(unname(as.list(task$x)), levels)
  c(state, laplace = params$laplace / weight, unit = weight, smoothing = 0, offset = 0, standardized = FALSE)
}

# The share of zeros in each column; 0 for factors. `counts`: as row_counts() gives them. Their sums are exact, so
# shares depend neither on the order of rows nor on the layout.
zero_shares <- function(x, counts = NULL) {
  counts <- as.double(counts %||% rep.int(1, nrow(x)))
  total <- sum(counts)
  nonzero <- if (!is.data.frame(x)) as.vector(Matrix::crossprod(x != 0, counts))
  else vapply(x, function(column) if (is.factor(column)) total else sum(counts[column != 0]), 0, USE.NAMES = FALSE)
  (total - nonzero) / total
}

# The same columns, some of them replaced by their signs.
with_signs <- function(x, at) {
  if (length(at) == 0L) return(x)
  if (is.data.frame(x)) {
    x[at] <- lapply(x[at], sign)
  } else if (is.matrix(x)) {
    x[, at] <- sign(x[, at])
  } else if (!is_pattern(x)) {
    stored <- rep(seq_len(ncol(x)) %in% at, diff(x@p))
    x@x[stored] <- sign(x@x[stored])
  }
  x
}

# Features for the core: continuous columns as doubles.
bayes_columns <- function(x, counted) {
  if (is.data.frame(x)) x[!counted] <- lapply(x[!counted], as.double)
  else if (is.matrix(x) && !all(counted)) storage.mode(x) <- "double"
  x
}

# New rows in the form of the training rows. Factors become training level numbers, with 0 for other levels.
bayes_query <- function(state, x) {
  check_no_missing(list(x = x), "Fill it in with {.fn impute_mean}, or leave the row out.")
  if (!is.null(state$discretizer)) x <- feature_codes(state$discretizer, x)
  signs <- state$signs
  if (is.data.frame(x)) signs <- signs[!vapply(x[signs], is.factor, NA)]
  x <- with_signs(x, signs)
  has_factor <- is.data.frame(x) && any(vapply(x, is.factor, NA))
  if (!has_factor && all(lengths(state$factor_levels) == 0L)) return(bayes_columns(x, state$counted))
  columns <- lapply(seq_len(ncol(x)), function(f) {
    coded_column(dense_column(x, f), state$factor_levels[[f]], colnames(x)[f])
  })
  bayes_columns(list2DF(stats::setNames(columns, colnames(x)), nrow(x)), state$counted)
}

# Scores of categories are derived from log joint probabilities, which scores of labels do not need.
fit_nb_classes <- function(task, params, prefixes, threads) {
  c(fit_nb(task, params, prefixes, threads), joint = TRUE)
}

register_for_classes("nb",
  name = "NB", source = "Hastie et al. (2009)", weights = TRUE, unknown = TRUE,
  fit = fit_nb, predict = bayes_predict(bayes_query), curve = TRUE,
  subsets = bayes_subsets(fit_nb, bayes_query), class_fit = fit_nb_classes,
  class_subsets = bayes_subsets(fit_nb_classes, bayes_query), share = shares_of_logs
)

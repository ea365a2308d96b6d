#' MLNB-basic: naive Bayes with normal densities for each label
#'
#' Fits one naive Bayes model for each label \eqn{l}, as the basic form of MLNB does. Every feature is a number with a
#' normal density, even if it is discrete. The score is
#' \deqn{\psi_l = \frac{1}{1 + e^{a_{\neg l} - a_l}}, \quad
#'   a_l = \log \frac{s + n_l}{2s + N} + \sum_f \log\left(\phi(x_f; \mu_{fl}, \sigma_{fl}) + 10^{-20}\right),
#' }{psi_l = 1 / (1 + exp(a_not_l - a_l)),
#' a_l = log((s + n_l) / (2 s + N))
#' + sum over f of log(phi(x_f; mu_fl, sigma_fl) + 1e-20),}
#' and \eqn{a_{\neg l}}{a_not_l} is the same for the rows without the label. Here \eqn{n_l} of the \eqn{N} training rows
#' have the label, \eqn{\mu_{fl}}{mu_fl} and \eqn{\sigma_{fl}}{sigma_fl} are the mean and the standard deviation (\eqn{n
#' - 1}) of the feature in these rows, and \eqn{\phi} is the normal density. The constant \eqn{10^{-20}}{1e-20} bounds
#' the weight of a single unlikely value. The feature extraction and the genetic search of the full MLNB are not part of
#' this learner.
#'
#' Special cases:
#'
#' * Labels that no training row or every training row has, and small standard deviations, are treated as in [lrn_nb()].
#' * A feature that is constant in training is ignored.
#' * Logicals and factors with two levels count as 0 and 1, and ordered factors as their level numbers. Other factors
#'   give an error.
#'
#' Features that are mostly zero, as those of text, do not suit it. A feature that is zero in all rows with a label
#' gets the smallest standard deviation there, so every zero of a new row counts for that label, and with many such
#' features nearly every label is predicted. Use [lrn_nb()] on presence or absence ([disc_presence()]) or [lrn_brlr()].
#' [fit()][fit.mllearner] warns if more than 80% of the feature values in the training rows are zero.
#'
#' Sparse features stay sparse. The scores depend neither on the layout of the features nor on the number of threads.
#'
#' @param smoothing (number, 0 or more) Smoothing \eqn{s} of the prior.
#' @inheritParams lrn_mlknn
#' @return `r learns("mlnb")`
#' @references `r papers("ZhangPenaRobles2009")`
#' @family learners
#' @seealso [lrn_nb()], which counts the levels of discrete features.
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' model <- fit(lrn_mlnb(), cars[1:20, ])
#' round(head(predict(model, cars[21:32, ])$score, 3), 3)
#' @export
lrn_mlnb <- function(smoothing = 1, scale = c("auto", "zscore", "none")) {
  new_learner("MLNB", "mlnb", list(smoothing = check_number(smoothing, 0, finite = TRUE), scale = check_choice(scale)))
}

fit_mlnb <- function(task, params, prefixes, threads) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.")
  x <- plain_numbers(task$x, params$scale, "MLNB")
  counts <- row_counts(task)
  check_weight_sum(task)
  warn_mostly_zero(x, counts)
  weight <- count_weight(counts)
  c(cpp_fit_naive_bayes(x, task$targets$values, logical(ncol(x)), counts, threads), training_levels(task$x),
    laplace = 0, smoothing = params$smoothing / weight, unit = weight, offset = 1e-20,
    standardized = params$scale == "zscore")
}

warn_mostly_zero <- function(x, counts) {
  zeros <- if (!is.null(counts)) mean(zero_shares(x, counts))
  else 1 - (if (is_sparse(x)) Matrix::nnzero(x) else sum(x != 0)) / prod(dim(x))
  if (is.na(zeros) || zeros <= 0.8) return(invisible())
  percent <- floor(100 * zeros)
  warn(c("{percent}% of the feature values are zero: MLNB may predict nearly every label.",
    i = "Use {.fn lrn_nb} on features that {.fn disc_presence} made, or {.fn lrn_brlr}."))
}

# New rows may have any layout, so they also stand in for the training rows, whose layout neighbor_query() uses.
mlnb_query <- function(state, x) neighbor_query(c(state, list(x = x)), x)

register_learner("mlnb",
  name = "MLNB", kinds = "label", source = "Zhang et al. (2009)", weights = TRUE, unknown = TRUE,
  fit = fit_mlnb, predict = bayes_predict(mlnb_query), curve = TRUE, subsets = bayes_subsets(fit_mlnb, mlnb_query)
)

#' MTL: a linear model with few features for all targets
#'
#' Fits the multi-task group lasso of [sel_mtl()] and predicts with it. Features whose coefficients are 0 have no
#' influence on any target. It selects and predicts in one step, so it also shows what the selected features are worth
#' under the model that selected them.
#' @inheritParams sel_mtl
#' @param lambda (number above 0) The penalty \eqn{\lambda}. `NULL` takes the last penalty of the path, `lambda_ratio`
#'   times the largest one. With a number, the path of `n_lambda` penalties leads to it. From the largest penalty on,
#'   all coefficients are 0, and predictions are the shares or means of the training rows.
#' @return `r learns("mtl")` With the logistic loss, scores of labels are probabilities. With the squared loss, scores
#'   of labels and categories are as in [lrn_linear()].
#' @details Factors, sparse features and unseen levels are treated as in [lrn_brlr()]. A label that no training row or
#'   every training row has is predicted as such. Weights of rows and unknown labels are treated as in [sel_mtl()].
#' @references `r papers("Obozinski2010")`
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_datasets", "key_file", "key_models"))
#' new <- pages[c("datasets::trees", "stats::lm", "utils::read.table"), ]
#' model <- fit(lrn_mtl(lambda_ratio = 0.1), pages[1:1000, ])
#' round(predict(model, new)$score, 3)
#' @export
lrn_mtl <- function(loss = c("auto", "squared", "logistic"), alpha = 1, n_lambda = 100, lambda_ratio = 0.01,
                    standardize = TRUE, standardize_targets = FALSE, tol = 1e-6, lambda = NULL) {
  params <- mtl_params(loss, alpha, n_lambda, lambda_ratio, standardize, standardize_targets, FALSE, tol)
  params["lambda"] <- list(check_number(lambda, min = 0, above = TRUE, finite = TRUE, null = TRUE))
  new_learner("MTL", "mtl", params)
}

fit_mtl <- function(task, params, prefixes, threads) {
  informed <- informed_rows(task)
  task <- informed$task
  targets <- informed$targets
  params <- mtl_loss(task, params)
  columns <- model_columns(task, NULL, params$standardize)
  units <- length(columns$blocks)
  x <- columns$x
  filled <- (if (is_sparse(x)) length(x@x) else sum(x != 0)) / max(1, length(x))
  scaling <- list(center = numeric(ncol(x)), scale = rep(1, ncol(x)), sparse = 4 * filled < 1)
  weights <- matrix(0, ncol(x), ncol(targets$y))
  intercept <- targets$first
  logistic <- params$loss == "logistic"
  if (!all(targets$constant)) {
    end <- list(wanted = units + 1L, least = -Inf, max_seconds = Inf)
    found <- follow_path(columns, targets, params, logical(units), rep(1L, units), end, NULL, threads)
    if (found$interrupted) raise_interrupt()
    last <- utils::tail(found$coefficients, 1L)[[1L]]
    weights[last$column, ] <- last$value
    intercept <- as.vector(path_intercept(last, found))
    intercept[targets$constant] <- targets$first[targets$constant]
  }
  if (logistic) intercept[targets$constant] <- ifelse(targets$first[targets$constant] == 1, Inf, -Inf)
  list(input = columns$input, scaling = scaling, logistic = logistic, numeric = task_kind(task) == "numeric",
    models = list(list(intercept = intercept, weights = weights)),
    deviation = if (params$standardize) cpp_column_scale(x, task$rows$weights))
}

register_for_classes("mtl",
  name = "MTL", source = "Obozinski et al. (2010)", kinds = target_kinds, weights = TRUE, unknown = TRUE,
  joint = TRUE, fit = fit_mtl, predict = predict_linear, share = shares_above_zero,
  check = function(task, params, at) check_mtl_task(task, params, at)
)

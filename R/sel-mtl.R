#' Multi-task group lasso
#'
#' Fits one linear model for all targets, in which each feature has a row \eqn{w_j} of coefficients, one for each
#' target. A penalty on the length of these rows makes whole rows 0, so that a feature is used for all targets or for
#' none:
#' \deqn{\min_{W, b} \frac1N \sum_{i, l} f(y_{il}, b_l + w_l^\top x_i) + \lambda \sum_j \Bigl[\alpha \|w_j\| +
#'   \frac{1 - \alpha}{2} \|w_j\|^2\Bigr].
#' }{minimize over W, b: mean over i of sum over l of f(y_il, b_l + w_l' x_i)
#' + lambda sum over j of (alpha ||w_j|| + (1 - alpha) / 2 ||w_j||^2).}
#' At the largest penalty all coefficients are 0. As \eqn{\lambda} falls, features enter one after the other, and this
#' is their order. The problem is convex, so the order depends on the data alone, not on a random start.
#'
#' @param loss What \eqn{f} is. `"squared"`: \eqn{(y - z)^2 / 2}. `"logistic"`: \eqn{\log(1 + e^z) - y
#'   z}{log(1 + exp(z)) - y z}, for labels and classes. `"auto"` is `"squared"`. See the section on the two losses.
#' @param alpha (number above 0, at most 1) Share of the penalty that is on the length. Below 1 this is the elastic net,
#'   which takes similar features together.
#' @param n_lambda (count) Number of penalties on the path.
#' @param lambda_ratio (number above 0 and below 1) The smallest penalty, as a share of the largest. The logarithms of
#'   the penalties are evenly spaced.
#' @param standardize (flag) Whether to divide each feature by its standard deviation (population). Features are always
#'   centered, without losing their zeros.
#' @param standardize_targets (flag) The same for numeric targets. Use it for targets of different units. Labels and
#'   classes are never divided.
#' @param refine (flag) Whether to add penalties where several features enter in one step, until each step has one, or
#'   the logarithms of two penalties differ by at most 1e-4.
#' @param tol (number, 1e-12 or more) Each model of the path is solved until its duality gap is at most `tol` times the
#'   objective at \eqn{W = 0}.
#' @return A selector for [sift_features()]. It takes labels, classes (their indicators become targets) and numeric
#'   targets, and features as they are. Its `score` is the penalty \eqn{\lambda} at which a feature entered. Features
#'   that entered at the same penalty are ordered by the length of their row there. Those that did not enter before the
#'   path ended come after them, with score `NA`, by how close they were to entering. Constant features come last.
#'
#'   `selection_path()`: a data frame with a row for each model of the path. Its columns are `index`, `lambda`, `active`
#'   (number of features in the model), `objective` and `gap`: the objective is at most `gap` above its minimum.
#'   `coef()`: a matrix with a row for the intercept and each feature, and a column for each target, in the units of the
#'   data. Labels that no row or every row has get `NA`.
#' @section The path:
#' It ends where `k` features have entered, or at the last of `n_lambda` penalties. All of it depends on `n_lambda` and
#' `lambda_ratio`, and so may the order, because features can enter in one step or leave again. State both with your
#' results. [extend_selection()] resumes the path. An interrupt keeps the models that are finished, see
#' [last_selection()].
#'
#' Each model comes with a certificate, the gap to a lower bound of the objective (Ndiaye et al. 2017). A model that
#' does not reach `tol` gives a warning. Features that cannot enter are left out of the computation, which never
#' changes the result.
#' @section The two losses:
#' Both have the same first feature. The squared loss is much faster, because it needs inner products of features only.
#' The logistic loss fits probabilities, which pays off for prediction if many labels are rare or some features separate
#' labels completely. For the selection of features it seldom makes a difference that is worth its time.
#' @section Groups, factors and copies:
#' The columns of a factor, and the features of a set of `groups` of [sift_features()], are one row of the penalty. They
#' enter together, and their penalty is multiplied by the square root of the number of columns that are not combinations
#' of others. Of features that are equal after standardization, or opposite, the first stands for all. The others follow
#' those that entered, because the minimum does not depend on them.
#'
#' Excluded features take no part. Included ones do, but come first.
#' @section Weights and unknown targets:
#' Means and deviations are weighted, and the loss of a target is the mean over the rows in which it is known, see
#' `vignette("weights-and-unknown-labels")`.
#' @section Related programs:
#' With one target this is the lasso. For numeric targets it is the model `mgaussian` of the package glmnet, with the
#' same \eqn{\lambda} and standardization. `MultiTaskLasso` of scikit-learn has the same \eqn{\lambda} with `standardize
#' = FALSE`. The selector CSFS (Chang, Nie, Yang and Huang 2014) minimizes this objective with `standardize = FALSE` if
#' all rows have labels, at \eqn{\lambda} equal to half its penalty divided by the number of rows.
#' @references `r papers("Obozinski2010")`
#'
#'   Simon, Friedman and Hastie (2013). A blockwise descent algorithm for group-penalized multiresponse and multinomial
#'   regression. arXiv 1311.6529.
#'
#'   Ndiaye, Fercoq, Gramfort and Salmon (2017). Gap safe screening rules for sparsity enforcing penalties. Journal of
#'   Machine Learning Research 18, 1-33.
#' @family selectors
#' @seealso [lrn_mtl()] predicts with such a model.
#' @examples
#' sel <- sift_features(help_pages, sel_mtl(), k = 4)
#' sel
#' tail(selection_path(sel), 3)
#' coef(sel)[c("(Intercept)", selected(sel)), c("key_classes", "key_models")]
#' @export
sel_mtl <- function(loss = c("auto", "squared", "logistic"), alpha = 1, n_lambda = 100, lambda_ratio = 0.01,
                    standardize = TRUE, standardize_targets = FALSE, refine = FALSE, tol = 1e-6) {
  new_selector("MTL", "mtl", mtl_params(loss, alpha, n_lambda, lambda_ratio, standardize, standardize_targets, refine,
    tol))
}

mtl_params <- function(loss, alpha, n_lambda, lambda_ratio, standardize, standardize_targets, refine, tol) {
  list(loss = check_choice(loss, c("auto", "squared", "logistic")),
    alpha = check_number(alpha, min = 0, max = 1, above = TRUE),
    n_lambda = check_count(n_lambda, min = 2, max = 10000),
    lambda_ratio = check_number(lambda_ratio, min = 0, max = 0.9999, above = TRUE),
    standardize = check_flag(standardize),
    standardize_targets = check_flag(standardize_targets), refine = check_flag(refine),
    tol = check_number(tol, min = 1e-12, max = 0.1))
}

#' @param selection A selection by [sel_mtl()] that was not cut by [head()].
#' @rdname sel_mtl
#' @export
selection_path <- function(selection) {
  state <- path_state(selection)
  data.frame(index = seq_along(state$path$lambda), state$path)
}

#' @param object A selection by [sel_mtl()] that was not cut by [head()].
#' @param index (count) A row of `selection_path()`. `NULL` is the last one.
#' @param ... Not used.
#' @importFrom stats coef
#' @rdname sel_mtl
#' @export
coef.mlselection <- function(object, index = NULL, ...) {
  state <- path_state(object, "object")
  path_coefficients(state, check_count(index, null = TRUE, max = nrow(state$path)) %||% nrow(state$path))
}

path_coefficients <- function(state, index) {
  found <- state$coefficients[[index]]
  form <- state$form
  result <- matrix(0, length(form$columns) + 1L, length(form$targets),
    dimnames = list(c("(Intercept)", form$columns), form$targets))
  result[1L, ] <- path_intercept(found, form)
  result[1L + found$column, ] <- found$value
  result[, form$left_out] <- NA
  result
}

# The intercepts of a model for the original features. `form`: the means of the columns and of the targets.
path_intercept <- function(model, form) {
  centered <- if (length(model$intercept) > 0L) model$intercept else form$target_mean
  centered - crossprod(form$mean[model$column], model$value)
}

path_state <- function(selection, arg = "selection") {
  check_class(selection, "mlselection", "Make one with {.fn sift_features}.", arg = arg)
  selector <- attr(selection, "selector")
  if (!is_model_path(selector_method(selector))) abort(c(
    "Only a selection by {.fn sel_mtl} has a path of models.", x = "This one is by {selector$name}."
  ))
  check_has_state(attr(selection, "state"), "Use what {.fn sift_features} returned.", arg, "its path")
  attr(selection, "state")
}

# --- features and targets as a linear model sees them -----------------------------------------------------------------

# list(x, columns, feature, blocks, features, input): numeric columns, their names and features, how many belong to each
# unit, and the features of each unit. A unit is a feature, or a set of `groups`.
model_columns <- function(task, units, standardize) {
  numbers <- linear_columns(task, list(scale = if (standardize) "zscore" else "none"))
  input <- numbers$input
  width <- column_widths(input)
  columns <- column_names(colnames(task$x), input)
  unit <- units$unit %||% seq_along(width)
  order <- order(rep(unit, width))
  list(x = if (is.unsorted(order)) numbers$x[, order, drop = FALSE] else numbers$x, columns = columns[order],
    feature = rep(seq_along(width), width)[order], blocks = as.vector(rowsum(width, unit)),
    features = unname(split(seq_along(width), unit)), input = input)
}

# list(y: a numeric matrix, with classes as labels; names; constant: for each target, whether its known values are all
# the same; first: the first of them; left_out: labels that no row or every row has).
model_targets <- function(task) {
  targets <- category_labels(task$targets)
  # Many labels fill the memory: there is one copy.
  y <- as.matrix(targets$values)
  if (!is.double(y)) storage.mode(y) <- "double"
  dimnames(y) <- NULL
  unknown <- if (!is.null(targets$unknown)) unknown_rows(targets$unknown)
  values <- vapply(seq_len(ncol(y)), function(t) {
    v <- if (length(unknown[[t]]) > 0L) y[-unknown[[t]], t] else y[, t]
    c(v[1L], all(v == v[1L]))
  }, double(2L))
  constant <- values[2L, ] == 1
  list(y = y, names = colnames(targets), left_out = constant & targets$kind == "label", constant = constant,
    first = values[1L, ])
}

# list(task, targets): only rows that are informative for a model. The varying labels are all unknown in the others.
informed_rows <- function(task) {
  targets <- model_targets(task)
  if (!is.null(task$targets$unknown) && !all(targets$constant)) {
    varies <- which(!targets$constant)
    rows <- which(Matrix::rowSums(task$targets$unknown[, varies, drop = FALSE]) < length(varies))
    if (length(rows) < nrow(task$x)) {
      task <- task[rows, ]
      targets$y <- targets$y[rows, , drop = FALSE]
    }
  }
  targets[c("weights", "unknown")] <- list(task$rows$weights, task$targets$unknown)
  list(task = task, targets = targets)
}

# The parameters, completed with those that depend on the kind of targets.
mtl_loss <- function(task, params) {
  if (task_kind(task) != "numeric") params$standardize_targets <- FALSE
  else if (params$loss == "logistic") abort(c("{.code loss = \"logistic\"} needs labels or classes.",
    x = "The targets are numbers."))
  if (params$loss == "auto") params$loss <- "squared"
  params
}

check_mtl_task <- function(task, params, at) {
  if (params$loss != "logistic" || task_kind(task) != "numeric") return(invisible())
  abort(c("{at$name} cannot handle the task {.val {at$task}}.",
    x = "{.code loss = \"logistic\"} needs labels or classes; the targets are numbers."))
}

# --- the path ---------------------------------------------------------------------------------------------------------

# The part of a path that the earlier `state` does not have yet: the result of cpp_mtl_path(). `end`: what ends it,
# list(wanted, least, max_seconds). `left_out`, `n_features`: of each unit of the columns.
follow_path <- function(columns, targets, params, left_out, n_features, end, state, threads) {
  options <- c(params, end, list(last = params[["lambda"]] %||% NA_real_))
  used <- !targets$constant
  if (params$loss == "squared" && is.null(targets$unknown)) used[] <- TRUE
  unknown <- keep_unknown(targets$unknown, columns = which(used))
  found <- cpp_mtl_path(columns$x, columns$blocks, as.integer(left_out), as.integer(n_features),
    if (all(used)) targets$y else targets$y[, used, drop = FALSE], targets$weights, unknown, options, state$begin,
    threads)
  warn_open_gaps(found, params$tol)
  if (all(used)) found else with_unused_targets(found, used)
}

# The models with targets that were not used: their coefficients are 0.
with_unused_targets <- function(found, used) {
  spread <- function(values) replace(rep(NA_real_, length(used)), used, values)
  found$target_mean <- spread(found$target_mean)
  found$coefficients <- lapply(found$coefficients, function(point) {
    value <- matrix(0, length(point$column), length(used))
    value[, used] <- point$value
    list(column = point$column, value = value,
      intercept = if (length(point$intercept) > 0L) spread(point$intercept) else double())
  })
  found
}

warn_open_gaps <- function(found, tol) {
  if (all(found$converged)) return(invisible())
  worst <- max((found$gap / found$objective[1L])[!found$converged])
  warn(c("{sum(!found$converged)} model{?s} of the path did not reach {.arg tol}.",
    x = "The largest gap is {signif(worst, 2)} times the objective at 0; {.arg tol} is {tol}.",
    i = "Use a larger {.arg tol} or {.arg lambda_ratio}."))
}

run_mtl <- function(input, params, state = NULL) {
  informed <- informed_rows(input$task)
  params <- mtl_loss(informed$task, params)
  columns <- model_columns(informed$task, input$units, params$standardize)
  excluded <- vapply(columns$features, function(f) any(input$excluded[f]), NA)
  chosen <- vapply(columns$features, function(f) sum(!f %in% input$include), 0L)
  # With a budget, features that are too expensive are skipped, so more may be needed.
  budget <- !is.null(input$units) && is.finite(input$units$max_cost)
  wanted <- if (budget) ncol(input$task$x) + 1L else input$k - length(input$include)
  end <- list(wanted = max(0L, wanted), least = input$min_gain, max_seconds = input$max_seconds)
  state$begin$entered <- state$entry$unit
  found <- follow_path(columns, informed$targets, params, excluded, chosen, end, state, input$threads)
  state <- longer_path(state, found, columns, informed$targets, input)
  ended <- found$begin$steps == params$n_lambda && input$min_gain == -Inf && !found$interrupted
  c(ranked_by_entry(state, if (ended) found, columns$features), found[c("interrupted", "late")])
}

# The state of a selection after `found` follows it: the path, its models, and when each unit entered.
longer_path <- function(state, found, columns, targets, input) {
  active <- vapply(found$coefficients, function(model) length(unique(columns$feature[model$column])), 0L)
  path <- rbind(state$path, data.frame(found["lambda"], active = active, found[c("objective", "gap")]))
  entry <- as.data.frame(found$entry)
  entry$point <- entry$point + NROW(state$path)
  entry <- rbind(state$entry, entry)
  entry <- entry[order(entry$point, -entry$norm, entry$unit, method = "radix"), ]
  list(
    path = path, coefficients = c(state$coefficients, found$coefficients), entry = entry, begin = found$begin,
    form = list(columns = columns$columns, targets = targets$names, mean = found$mean, target_mean = found$target_mean,
      left_out = targets$left_out),
    include = input$include, excluded = input$excluded, units = input$units, target_bins = input$target_bins,
    fingerprint = state$fingerprint %||% fingerprint(input$task)
  )
}

# The features of units in the order in which they entered, scored by the penalty. `last`: the end of a path that is
# over, by which the other units follow.
ranked_by_entry <- function(state, last, features) {
  order <- state$entry$unit
  score <- state$path$lambda[state$entry$point]
  if (!is.null(last)) order <- union(order, order(last$constant == 1L, -last$dual, method = "radix"))
  members <- features[order]
  index <- union(unlist(members), state$include)
  score <- rep(score[seq_along(order)], lengths(members))
  list(index = index, score = score[seq_along(index)], ordered = TRUE, state = state)
}

register_selector("mtl",
  name = "MTL", kinds = target_kinds, needs = "numbers", gives = "path", embedded = TRUE,
  weights = TRUE, unknown = TRUE, source = "Obozinski et al. (2010)", score = score_scale("penalty"),
  check = check_mtl_task, run = run_mtl
)

#' RFS: robust sparse regression of all labels
#'
#' Minimizes, over a matrix \eqn{W} with a row \eqn{w_j} for each feature,
#' \deqn{\sum_i \|y_i - W^\top x_i\| + \gamma \sum_j \|w_j\|.}{sum_i ||y_i - W' x_i|| + gamma sum_j ||w_j||.}
#' Rows of the data enter with the length of their residuals, not with its square, so rows that fit badly have less
#' influence than in [sel_mtl()]. With [weights of rows][row_weights()], each term of the sum over rows is multiplied by
#' its weight. Features are ranked by \eqn{\|w_j\|}{||w_j||}.
#'
#' @param gamma (number above 0) The penalty \eqn{\gamma}. From a largest one on, all coefficients are 0, which is an
#'   error that names it.
#' @param intercept `"penalized"` adds a column of ones, which is penalized as features are. The authors' objective has
#'   no intercept, which is `"none"`.
#' @inheritParams lrn_mlknn
#' @param tol (number) The objective is minimized until the gap to a lower bound is at most `tol` times its value at
#'   \eqn{W = 0}. There is a warning with the gap that was reached if `max_seconds` of [sift_features()] ends this
#'   earlier, or if rounds no longer reduce the gap.
#' @return `r takes("rfs")` The selection says how close to the minimum its objective is.
#' @section Scores:
#' The `score` is \eqn{\|w_j\|}{||w_j||}. Features with \eqn{w_j = 0} follow with score `NA`, in the order of how far
#' the penalty would have to fall for them to enter. Constant features are among them.
#' @section Equal features:
#' Of features that are equal up to their sign, the first one takes part. The others have score `NA`.
#' @section Exact zeros:
#' Published programs replace \eqn{\|w_j\|}{||w_j||} by a smooth function, and the tail of their rankings is the order
#' of numbers near 1e-9. Here rows are exactly 0 or not. See the article "What sparse programs compute" on the website.
#' @section Features:
#' A factor with more than two levels is an error; [indicator_features()] makes columns of it. Excluded features take no
#' part.
#' @references `r papers("Nie2010")`
#' @family selectors
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' sift_features(cars, sel_rfs(gamma = 5), k = 4)
#' @export
sel_rfs <- function(gamma = 1, intercept = c("penalized", "none"), tol = 1e-6, scale = c("auto", "zscore", "none")) {
  new_selector("RFS", "rfs", list(gamma = check_number(gamma, min = 0, above = TRUE, finite = TRUE),
    intercept = check_choice(intercept), tol = check_number(tol, min = 1e-12, max = 0.1), scale = check_choice(scale)))
}

#' MSSL: sparse regression over a graph of features
#'
#' Minimizes, for centered features \eqn{X} and targets \eqn{Y}, and the Laplacian \eqn{L} of a graph of features,
#' \deqn{\tfrac12 \|Y - X W\|_F^2 + \tfrac\alpha2 \mathrm{tr}(W^\top L W) + \tfrac\beta2 \sum_j
#'   \|w_j\|.}{1/2 ||Y - X W||^2 + alpha/2 tr(W' L W) + beta/2 sum_j ||w_j||.}
#' It is the group lasso of [sel_mtl()] for one penalty, with similar coefficients for features that are neighbors in
#' the graph. With [weights of rows][row_weights()], the squares of each row are multiplied by its weight, also in the
#' distances between features, and centering uses weighted means. Features are ranked by \eqn{\|w_j\|}{||w_j||}.
#'
#' @param alpha (number, 0 or more) Weight of the graph.
#' @param beta (number above 0) The penalty: if `relative`, as a share of the largest useful one, at which all
#'   coefficients are 0.
#' @param neighbors (count) Each feature is joined with this many nearest ones (or all, if there are fewer), by the
#'   distance of their centered columns \eqn{d}, with the weight \eqn{\exp(-d^2 / 2t^2)}{exp(-d^2 / 2t^2)}. \eqn{2t^2}
#'   is the mean of the squared distances of neighbors. The weights of both directions are averaged.
#' @param graph A Laplacian to use instead: a symmetric matrix, features x features, with row sums 0 and nothing above 0
#'   outside the diagonal. Features that do not vary have no coefficients, and take no part in either graph.
#' @param relative (flag) Whether `beta` is a share of its largest useful value, or the number in the objective.
#' @inheritParams lrn_mlknn
#' @return `r takes("mssl")` The selection says how close to the minimum its objective is.
#' @inheritSection sel_rfs Scores
#' @inheritSection sel_rfs Exact zeros
#' @inheritSection sel_rfs Features
#' @references `r papers("CaiZhu2018")`
#' @family selectors
#' @examples
#' sift_features(help_pages[1:500, ], sel_mssl(neighbors = 3), k = 4)
#' @export
sel_mssl <- function(alpha = 1, beta = 0.1, neighbors = 10, graph = NULL, relative = TRUE,
                     scale = c("auto", "zscore", "none")) {
  if (!is.null(graph)) graph <- check_laplacian(graph)
  new_selector("MSSL", "mssl", list(alpha = check_number(alpha, min = 0, finite = TRUE),
    beta = check_penalty(beta, relative), neighbors = check_count(neighbors, min = 1), graph = graph,
    relative = relative, scale = check_choice(scale)))
}

#' MDFS: sparse regression with labels that follow rows and each other
#'
#' Minimizes, over \eqn{F} (rows x labels) and \eqn{W}, for centered features \eqn{X}, with \eqn{H} the centering of
#' columns,
#' \deqn{\mathrm{tr}(F^\top L F) + \alpha \|H(X W - F)\|_F^2 + \alpha \|F - Y\|_F^2 +
#'   \beta\, \mathrm{tr}(F L_0 F^\top) + \gamma \sum_j \|w_j\|.}{tr(F' L F) + alpha ||H(X W - F)||^2 + alpha ||F - Y||^2
#'   + beta tr(F L0 F') + gamma sum_j ||w_j||.}
#' \eqn{F} is a version of the labels \eqn{Y} that differs little between neighboring rows (\eqn{L}) and between labels
#' (\eqn{L_0}), and features predict it. The problem is convex, so a start plays no part. Features are ranked by
#' \eqn{\|w_j\|}{||w_j||}.
#'
#' @param alpha (number above 0) Weight of both fits.
#' @param beta (number, 0 or more) Weight of the differences between labels.
#' @param gamma (number above 0) The penalty: if `relative`, as a share of the largest useful one, at which all
#'   coefficients are 0.
#' @param neighbors (count) Each row is joined with this many nearest ones (or all, if there are fewer), with weight 1;
#'   the weights of both directions are averaged. `NULL` is the number of labels less one, at least 1, as in the
#'   authors' program.
#' @param relative (flag) Whether `gamma` is a share of its largest useful value, or the number in the objective.
#' @inheritParams lrn_mlknn
#' @return `r takes("mdfs")` The selection says how close to the minimum its objective is.
#' @inheritSection sel_rfs Scores
#' @inheritSection sel_rfs Exact zeros
#' @inheritSection sel_rfs Features
#' @section The published program:
#' It joins each label with all others, so that \eqn{L_0 = q I - 1 1^\top}{L0 = q I - 11'} for \eqn{q} labels, whatever
#' the data. This is what is used here. The penalty 100 of its demonstration is above the largest useful one on the data
#' sets that we tried, so its ranking there is what smoothing leaves of coefficients that are 0.
#' @references `r papers("ZhangLuo2019")`
#' @family selectors
#' @examples
#' sift_features(help_pages[1:500, ], sel_mdfs(), k = 4)
#' @export
sel_mdfs <- function(alpha = 1, beta = 1, gamma = 0.1, neighbors = NULL, relative = TRUE,
                     scale = c("auto", "zscore", "none")) {
  new_selector("MDFS", "mdfs", list(alpha = check_number(alpha, min = 0, above = TRUE, finite = TRUE),
    beta = check_number(beta, min = 0, finite = TRUE), gamma = check_penalty(gamma, relative),
    neighbors = check_count(neighbors, min = 1, null = TRUE), relative = relative, scale = check_choice(scale)))
}

#' MIFS: sparse regression of latent labels
#'
#' Minimizes, for centered features \eqn{X} and labels \eqn{Y},
#' \deqn{\|X W - V\|_F^2 + \alpha \|Y - V B\|_F^2 + \beta\, \mathrm{tr}(V^\top L V) + \gamma \sum_j \|w_j\|
#'   \quad\mathrm{with}\quad B B^\top = I.}{||X W - V||^2 + alpha ||Y - V B||^2 + beta tr(V' L V) + gamma sum_j ||w_j||
#'   with B B' = I.}
#' \eqn{V} holds a few latent labels, from which \eqn{B} makes all labels. They differ little between
#' neighboring rows, whose graph has the Laplacian \eqn{L}. Features are ranked by \eqn{\|w_j\|}{||w_j||}.
#'
#' @section Not the published program:
#' The objective of the paper does not ask for \eqn{B B^\top = I}{B B' = I}, and then has no minimum: the published
#' ranking follows its random start. With this condition, \eqn{V}, \eqn{B} and \eqn{W} take turns, each at its best,
#' from a fixed start: \eqn{B} holds the leading right singular vectors of \eqn{Y}. The problem is not convex, so the
#' result is a point that no such turn improves, without a certificate. See the article "What sparse programs compute"
#' on the website.
#' @param alpha (number above 0) Weight of the fit of the labels.
#' @param beta (number, 0 or more) Weight of the graph of rows.
#' @inheritParams sel_mdfs
#' @param n_latent (count) Number of latent labels. `NULL` is 30 % of the labels, rounded, at least 1. There are no more
#'   than labels that are no combination of others.
#' @param neighbors (count) Each row is joined with this many nearest ones (or all, if there are fewer), at distance
#'   \eqn{d} with the weight \eqn{\exp(-d^2/2)}{exp(-d^2/2)}, which suits features scaled to an interval of length 1.
#'   The larger of both directions is used.
#' @return `r takes("mifs")`
#' @inheritSection sel_rfs Scores
#' @section Features:
#' They are used as they are, because the weights of the graph are for distances in a fixed unit. Otherwise as in
#' [sel_rfs()].
#' @references `r papers("Jian2016")`
#' @family selectors
#' @examples
#' sift_features(help_pages[1:500, ], sel_mifs(), k = 4)
#' @export
sel_mifs <- function(alpha = 1, beta = 0.1, gamma = 0.1, n_latent = NULL, neighbors = 5, relative = TRUE) {
  new_selector("MIFS", "mifs", list(alpha = check_number(alpha, min = 0, above = TRUE, finite = TRUE),
    beta = check_number(beta, min = 0, finite = TRUE), gamma = check_penalty(gamma, relative),
    n_latent = check_count(n_latent, min = 1, null = TRUE), neighbors = check_count(neighbors, min = 1),
    relative = relative))
}

check_penalty <- function(x, relative, arg = rlang::caller_arg(x)) {
  relative <- check_flag(relative, arg = "relative")
  check_number(x, min = 0, above = TRUE, max = if (relative) 1 else Inf, finite = TRUE, arg = arg)
}

check_laplacian <- function(graph) {
  wrong <- function(found) abort(c(
    "{.arg graph} must be a Laplacian: symmetric, with row sums 0 and nothing above 0 outside the diagonal.",
    x = found, i = "For weights {.code S} it is {.code diag(rowSums(S)) - S}."
  ))
  ok <- is.matrix(graph) && is.numeric(graph) || inherits(graph, "Matrix")
  if (!ok || nrow(graph) != ncol(graph)) wrong(paste0("It is ", describe(graph), "."))
  graph <- as_sparse_numbers(graph)
  if (!all(is.finite(graph@x))) wrong("It has values that are missing or not finite.")
  size <- max(1, abs(graph@x))
  if (max(abs(graph - Matrix::t(graph))) > 1e-12 * size) wrong("It is not symmetric.")
  if (max(abs(Matrix::rowSums(graph))) > 1e-9 * size) wrong("Its row sums are not all 0.")
  if (any((graph - Matrix::Diagonal(x = Matrix::diag(graph)))@x > 1e-12 * size))
    wrong("It has values above 0 outside the diagonal.")
  graph
}

check_graph_size <- function(graph, d) {
  if (nrow(graph) == d) return(invisible())
  abort(c("{.arg graph} must have a row for each feature.", x = "It has {nrow(graph)}; there are {d} features."))
}

# The Laplacian of the nearest-neighbor graph of the rows of x, as a dgCMatrix. A width below 0 is chosen from the
# distances.
neighbor_laplacian <- function(x, neighbors, width, larger, threads) {
  n <- nrow(x)
  neighbors <- min(neighbors, n - 1L)
  if (neighbors == 0L) return(methods::as(matrix(0, 1L, 1L), "dgCMatrix"))
  found <- cpp_neighbor_laplacian(x, logical(ncol(x)), neighbors, width, larger, threads)
  methods::new("dgCMatrix", p = found$p, i = found$i, x = found$x, Dim = c(n, n))
}

# --- running ----------------------------------------------------------------------------------------------------------

# Ranks features by the row norms of `fit(x, y, used)`, which is the result of one of the core's sparse models. `x`: a
# matrix or dgCMatrix of the features that are not excluded (`used`, positions) and vary, if they must; `y`: a double
# matrix of targets.
rank_sparse_model <- function(input, penalty, scale, fit, certified = TRUE, must_vary = scale == "zscore") {
  task <- input$task
  numbers <- numeric_features(task)
  if (any(numbers$nominal)) abort(c("Factors with more than two levels must become indicators.",
    x = "{.val {colnames(task$x)[numbers$nominal][1L]}} is one.", i = "Use {.fn indicator_features}."))
  check_weight_range(task)
  d <- ncol(task$x)
  used <- which(!input$excluded & !(must_vary & input$constant()))
  x <- divided_numbers(numbers$x[, used, drop = FALSE], scale, task$rows$weights)
  targets <- model_targets(task)
  found <- fit(unname_rows(x), targets$y, used)
  norm <- found$norm[seq_along(used)]
  reach <- found$reach[seq_along(used)]
  if (!any(norm > 0)) abort(c("{.arg {penalty}} is so large that all coefficients are 0.",
    i = "They are from a penalty of {signif(found$largest, 6)} on."))
  value <- format(found$objective, digits = 6)
  if (!found$converged) {
    problem <- if (certified) "The gap to the minimum is {signif(found$gap, 2)} after {found$rounds} rounds."
    else "The objective still falls after {found$rounds} rounds."
    warn(c(problem, x = "The objective is {value}.", i = "A larger {.arg {penalty}} is easier."))
  }
  order <- order(-norm, -reach, method = "radix")
  score <- norm[order]
  score[score == 0] <- NA
  list(index = c(used[order], setdiff(seq_len(d), used)), score = c(score, rep(NA_real_, d - length(used))),
    ordered = TRUE, note = paste0("objective ", value,
      if (certified) paste0(", at most ", format(max(0, found$gap), digits = 2), " above the minimum")))
}

register_selector("rfs",
  name = "RFS", kinds = target_kinds, needs = "numbers", embedded = TRUE, weights = TRUE,
  source = "Nie et al. (2010)", score = score_scale("norm of coefficients"),
  run = function(input, params) rank_sparse_model(input, "gamma", params$scale, function(x, y, used) {
    cpp_rfs(x, y, input$task$rows$weights, params$intercept == "penalized", params$gamma, params$tol, 300L,
      input$max_seconds, input$threads)
  })
)

register_selector("mssl",
  name = "MSSL", kinds = target_kinds, needs = "numbers", embedded = TRUE, weights = TRUE,
  source = "Cai & Zhu (2018)", score = score_scale("norm of coefficients"),
  run = function(input, params) rank_sparse_model(input, "beta", params$scale, function(x, y, used) {
    d <- ncol(input$task$x)
    weights <- input$task$rows$weights
    graph <- params$graph
    if (is.null(graph)) {
      if (d > most_pairwise_features) abort(c(
        "MSSL compares all pairs of features, and takes at most {format_count(most_pairwise_features)}.",
        x = "The task has {format_count(d)} features.", i = "Give a {.arg graph}, or use {.fn sel_mtl}."
      ))
      # Means of sparse columns may be rounded in another way.
      x_dense <- as.matrix(x)
      mean <- if (is.null(weights)) colMeans(x_dense) else colSums(weights * x_dense) / sum(weights)
      columns <- t(sweep(x_dense, 2L, mean) * sqrt(weights %||% 1))
      graph <- neighbor_laplacian(columns, params$neighbors, -1, FALSE, input$threads)
    } else {
      check_graph_size(graph, d)
      graph <- graph[used, used, drop = FALSE]
    }
    cpp_mssl(x, y, weights, graph, params$alpha, params$beta, params$relative, 1e-8, input$threads)
  }, must_vary = TRUE)
)

register_selector("mdfs",
  name = "MDFS", kinds = "label", needs = "numbers", embedded = TRUE, source = "Zhang et al. (2019)",
  score = score_scale("norm of coefficients"),
  run = function(input, params) rank_sparse_model(input, "gamma", params$scale, function(x, y, used) {
    graph <- neighbor_laplacian(x, params$neighbors %||% max(1L, ncol(y) - 1L), 0, FALSE, input$threads)
    cpp_mdfs(x, y, graph, params$alpha, params$beta, params$gamma, params$relative, 1e-8, 5000L, input$threads)
  })
)

register_selector("mifs",
  name = "MIFS", kinds = "label", needs = "numbers", embedded = TRUE, source = "Jian et al. (2016)",
  score = score_scale("norm of coefficients"),
  run = function(input, params) rank_sparse_model(input, "gamma", "none", certified = FALSE, function(x, y, used) {
    graph <- neighbor_laplacian(x, params$neighbors, 1, TRUE, input$threads)
    latent <- params$n_latent %||% max(1, round(0.3 * ncol(y)))
    latent <- as.integer(min(latent, qr(sweep(y, 2L, colMeans(y)))$rank))
    cpp_mifs(x, y, graph, latent, params$alpha, params$beta, params$gamma, params$relative, 1e-10, 5000L,
      input$threads)
  })
)

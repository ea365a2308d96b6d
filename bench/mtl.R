# The multi-task group lasso beside glmnet and scikit-learn, one thread each. Paths of 100 penalties down to 1 % of the
# largest are compared at equal precision: each program's tolerance is made smaller until the duality gaps of all its
# models, computed here, are at most 1e-6 of the objective at 0. Then features that are strongly correlated and large
# sparse data, where neither takes part.
#   Rscript bench/mtl.R [folder with medical, yeast, emotions, birds, oes10, bibtex and delicious]
# scikit-learn runs in a Python of its own (MLSIFT_PYTHON, or python3) and is left out where there is none. The solvers
# celer (Massias, Gramfort and Salmon 2018, ICML) and skglm (Bertrand et al. 2022, NeurIPS) take part by their papers.
# Aims: medical (300 features) 3 times glmnet, 10 times scikit-learn; yeast and emotions at most twice the better of
# both; 200 features of birds and of oes10 below 1.5 s; 50 features of bibtex below 20 s; 100 of delicious, and of 6,000
# texts with 47,236 words and 101 labels, below 60 s.
source("bench/common.R")
machine()
glmnet <- has_peer("glmnet")
python <- Sys.getenv("MLSIFT_PYTHON", Sys.which("python3"))
sklearn <- nzchar(python) && identical(suppressWarnings(system2(python, c("-c", shQuote("import sklearn")),
  stdout = FALSE, stderr = FALSE)), 0L)
cat("# scikit-learn", if (sklearn) system2(python, c("-c", shQuote("import sklearn; print(sklearn.__version__)")),
  stdout = TRUE) else "is not installed and left out", "\n")

# The largest gap of a path, as a share of the objective at 0. `models`: coefficients on the scale of x, by penalty.
largest_gap <- function(x, e, lambda, models) {
  n <- nrow(x)
  gaps <- vapply(seq_along(lambda), function(i) {
    r <- e - x %*% models[[i]]
    primal <- sum(r^2) / 2 / n + lambda[i] * sum(sqrt(rowSums(models[[i]]^2)))
    s <- min(1, n * lambda[i] / max(sqrt(rowSums(crossprod(x, r)^2))))
    primal - (s * sum(r * e) - s^2 * sum(r^2) / 2) / n
  }, 0)
  max(gaps) / (sum(e^2) / 2 / n)
}

objectives <- function(x, e, lambda, models) vapply(seq_along(lambda), function(i) {
  sum((e - x %*% models[[i]])^2) / 2 / nrow(x) + lambda[i] * sum(sqrt(rowSums(models[[i]]^2)))
}, 0)

script <- tempfile(fileext = ".py")
writeLines(c(
  "import sys, time, warnings",
  "import numpy as np",
  "from sklearn.linear_model import MultiTaskLasso",
  "warnings.filterwarnings('ignore')",
  "folder, tol = sys.argv[1], float(sys.argv[2])",
  "x, e, grid = [np.loadtxt(f'{folder}/{f}.csv', delimiter=',', ndmin=2) for f in ('x', 'e', 'lambda')]",
  "x, e = np.asfortranarray(x), np.asfortranarray(e)",
  "model = MultiTaskLasso(fit_intercept=False, warm_start=True, tol=tol, max_iter=100000)",
  "seconds, found = 0.0, []",
  "for penalty in grid[:, 0]:",
  "    model.alpha = penalty",
  "    start = time.perf_counter()",
  "    model.fit(x, e)",
  "    seconds += time.perf_counter() - start",
  "    found.append(model.coef_.T.copy())",
  "np.savetxt(f'{folder}/w.csv', np.vstack(found), delimiter=',')",
  "print(seconds)"
), script)

# list(seconds, models), at the first tolerance that reaches the gap.
precise_enough <- function(run, x, e, lambda, tolerances) {
  for (tol in tolerances) {
    found <- run(tol)
    if (largest_gap(x, e, lambda, found$models) <= 1e-6) return(c(found, tol = tol))
  }
  found$seconds <- NA
  found
}

compare <- function(task, d = NULL, aims) {
  x <- as.matrix(task)
  if (!is.null(d)) x <- x[, sort(order(-colSums(x != 0))[seq_len(min(d, ncol(x)))])]
  x <- x[, apply(x, 2, function(v) any(v != v[1])), drop = FALSE]
  y <- as.matrix(targets(task)) + 0
  sparse <- mean(x != 0) < 0.25
  given <- mltask(if (sparse) Matrix(x, sparse = TRUE) else x, y, kind = "label")
  # A constant feature never enters, so the path goes down to the last penalty.
  whole <- mltask(cbind(features(given), none = 0), y, kind = "label")
  if (!sparse) whole <- mltask(cbind(x, none = 0), y, kind = "label")
  sel <- sift_features(whole, sel_mtl(), threads = 1)
  path <- selection_path(sel)
  stopifnot(nrow(path) == 100, all(path$gap <= 1e-6 * path$objective[1]))
  s <- sqrt(colMeans(sweep(x, 2, colMeans(x))^2))
  scaled <- sweep(sweep(x, 2, colMeans(x)), 2, s, "/")
  e <- sweep(y, 2, colMeans(y))
  models <- lapply(path$index, function(i) coef(sel, i)[1 + seq_len(ncol(x)), , drop = FALSE] * s)
  stopifnot(largest_gap(scaled, e, path$lambda, models) <= 1.01e-6)
  mine <- objectives(scaled, e, path$lambda, models)
  # Programs agree where their gaps say so.
  agree <- function(found) {
    stopifnot(max(abs(objectives(scaled, e, path$lambda, found$models) - mine)) <= 2e-6 * mine[1])
  }

  times <- c(`sel_mtl()` = seconds(\() sift_features(whole, sel_mtl(), threads = 1), rounds = 3))
  if (glmnet) {
    found <- precise_enough(function(tol) {
      # Older versions take these settings as arguments.
      settings <- list(thresh = tol, maxit = 1e7)
      if ("control" %in% names(formals(glmnet::glmnet))) settings <- list(control = settings)
      took <- system.time(fit <- suppressWarnings(do.call(glmnet::glmnet, c(list(features(given), y,
        family = "mgaussian", lambda = path$lambda), settings))))[["elapsed"]]
      coefficients <- lapply(path$index, function(i) sapply(fit$beta, function(b) b[, i]) * s)
      list(seconds = took, models = coefficients)
    }, scaled, e, path$lambda, 10^-(7:16))
    agree(found)
    times[paste0("glmnet, thresh ", format(found$tol))] <- found$seconds
  }
  if (sklearn) {
    folder <- tempfile()
    dir.create(folder)
    utils::write.table(scaled, file.path(folder, "x.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
    utils::write.table(e, file.path(folder, "e.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
    writeLines(format(path$lambda, digits = 17), file.path(folder, "lambda.csv"))
    threads <- c("OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
    found <- precise_enough(function(tol) {
      took <- as.numeric(system2(python, c(script, folder, tol), stdout = TRUE, env = threads))
      w <- as.matrix(utils::read.csv(file.path(folder, "w.csv"), header = FALSE))
      list(seconds = took, models = lapply(path$index, function(i) w[(i - 1) * ncol(x) + seq_len(ncol(x)), ]))
    }, scaled, e, path$lambda, 10^-(4:10))
    agree(found)
    times[paste0("MultiTaskLasso, tol ", format(found$tol))] <- found$seconds
  }
  cat(sprintf("%s: %d x %d x %d, %d features at the end, the same objectives within 2e-6\n", task$name, nrow(x),
    ncol(x), ncol(y), path$active[100]))
  report(names(times), times)
  aims(times)
}

at_least <- function(times, name, ratio) {
  at <- startsWith(names(times), name)
  if (any(at)) claim(times[at] >= ratio * times[1])
}
compare(bench_task("medical"), size(300, 40), function(times) {
  at_least(times, "glmnet", 3)
  at_least(times, "MultiTaskLasso", 10)
})
dense <- function(name, n, d, q) real_or(name, {
  set.seed(1)
  n <- min(n, size(n, 100))
  x <- matrix(stats::rnorm(n * d), n)
  y <- (x %*% matrix(stats::rnorm(d * q) * stats::rbinom(d, 1, 0.3), d) + stats::rnorm(n * q, sd = 3) > 1) + 0L
  mltask(x, y, kind = "label", name = paste("like", name))
})
for (made in list(dense("yeast", 2417, 103, 14), dense("emotions", 593, 72, 6))) {
  compare(made, NULL, function(times) if (length(times) > 1) claim(times[1] <= 2 * min(times[-1])))
}

large <- function(task, k, most, selector = sel_mtl()) {
  took <- seconds(\() sel <<- sift_features(task, selector, k = k, threads = 1), rounds = 1)
  path <- selection_path(sel)
  stopifnot(all(path$gap <= 1e-6 * path$objective[1]))
  stopifnot(identical(sel$index, sift_features(task, selector, k = k)$index))
  cat(sprintf("%s, %d features of %d models, the largest gap %.1e of the objective at 0\n", shape_of(task), nrow(sel),
    nrow(path), max(path$gap) / path$objective[1]))
  report(sprintf("sel_mtl(), k = %d", k), took)
  claim(took < most)
}
sel <- NULL
similar <- function(name, n, d, q) real_or(name, {
  set.seed(1)
  x <- t(apply(matrix(stats::rnorm(n * d), n), 1, cumsum))
  mltask(x, x %*% matrix(stats::rnorm(d * q), d) + matrix(stats::rnorm(n * q, sd = 10), n), name = paste("like", name))
})
large(similar("birds", size(645, 60), size(260, 20), size(19, 4)), size(200, 10), 1.5)
large(similar("oes10", size(403, 60), size(298, 20), size(16, 4)), size(200, 10), 1.5,
  sel_mtl(standardize_targets = TRUE))
large(bench_task("bibtex"), size(50, 5), 20)
large(bench_task("delicious"), size(100, 5), 60)
large(made_up_task("rcv1"), size(100, 5), 60)

# What unknown labels cost the multi-task group lasso: paths with 30 % of the labels hidden, beside the same with all
# labels known. The last objective is compared with that of its coefficients, computed here.
#   Rscript bench/mtl-unknown.R [folder with emotions, yeast, medical, enron and bibtex]
# Goal: at most 2.5 x, with either loss. Inner products of features differ by label then, but only a part of them is
# needed.
source("bench/common.R")
machine()

objective_of <- function(task, sel) {
  w <- coef(sel)
  varies <- !is.na(w[1, ])
  w <- w[, varies]
  y <- as.matrix(targets(task))[, varies] + 0
  informed <- rowSums(!is.na(y)) > 0
  x <- features(task)[informed, ]
  y <- y[informed, ]
  z <- as.matrix(cbind(1, x) %*% w)
  fit <- if (sel_loss == "squared") (y - z)^2 / 2 else pmax(z, 0) + log1p(exp(-abs(z))) - y * z
  s <- sqrt(pmax(0, Matrix::colMeans(x^2) - Matrix::colMeans(x)^2))
  sum(colMeans(fit, na.rm = TRUE)) + tail(selection_path(sel)$lambda, 1) * sum(sqrt(rowSums((s * w[-1, ])^2)))
}

compare <- function(task, loss, k, most) {
  set.seed(1)
  y <- as.matrix(targets(task)) + 0
  unknown <- replace(y, runif(length(y)) < 0.3, NA)
  unknown <- suppressMessages(mltask(features(task), as(unknown, "CsparseMatrix"), kind = "label"))
  sel_loss <<- loss
  run <- function(task) sift_features(task, sel_mtl(loss), k = min(k, ncol(task)), threads = 1)
  times <- vapply(list(task, unknown), function(task) {
    took <- seconds(\() sel <<- run(task), rounds = 3)
    path <- selection_path(sel)
    stopifnot(path$gap <= 1e-6 * path$objective[1])
    stopifnot(abs(objective_of(task, sel) / tail(path$objective, 1) - 1) < 1e-8)
    took
  }, 0)
  cat(sprintf("%s, %s loss: %d rows, %d features, %d labels, %d models to %d features\n", task$name, loss, nrow(task),
    ncol(task), ncol(y), nrow(selection_path(sel)), k))
  report(c("all known", "30 % unknown"), times)
  claim(times[2] <= most * times[1])
}
sel <- sel_loss <- NULL
sets <- c("emotions", "yeast", "medical", "enron", "bibtex")
k <- list(squared = c(72, 103, 100, 50, 30), logistic = c(72, 30, 50, 20, 8))
for (loss in names(k)) for (i in seq_along(sets)) {
  task <- suppressMessages(bench_task(sets[i]))
  compare(task, loss, size(k[[loss]][i], 5), if (loss == "squared") 3 else 2)
}
# Longer paths; `task` is bibtex.
compare(task, "squared", size(100, 5), 3)

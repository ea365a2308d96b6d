# BRLR on bibtex, the 50 features that MIM-BR puts first, 159 labels, rho = 1, z-scores: beside a loop over glm.fit()
# (without a penalty, as it has none), LiblineaR's L2 logistic regression and, where installed, glmnet at one lambda,
# each called label by label; penalized objectives compared. Then all 1,836 features by conjugate gradients.
#   Rscript bench/brlr.R [folder with bibtex]
# Claims: at least 20 x faster than glm.fit(), not slower than LiblineaR or glmnet, objective nowhere above theirs; a
# curve over 1, 5, 10, ..., 50 features costs at most 3 fits of 50.
source("bench/common.R")
machine()

task <- bench_task("bibtex")
y <- as.matrix(targets(task))
rho <- 1
order <- sift_features(task, sel_mim(), k = 50)$index
narrow <- task[, order]
scaled <- function(task) {
  x <- as.matrix(task)
  x <- scale(x, scale = FALSE)
  deviation <- sqrt(colMeans(x^2))
  unname(x / rep(ifelse(deviation > 0, deviation, 1), each = nrow(x)))
}
z <- scaled(narrow)

objective <- function(b, z, l) {
  eta <- drop(z %*% b[-1]) + b[1]
  sum(log1p(exp(-abs(eta))) + pmax(eta, 0) - y[, l] * eta) + rho / 2 * sum(b[-1]^2)
}
ours <- function(task, prefixes = ncol(task), threads = 1L) {
  mlsift:::fit_logistic(task$x, task$targets$values, NULL, list(rho = rho, scale = "zscore"), prefixes, threads)
}
with_glm <- function(labels) {
  for (l in labels) suppressWarnings(glm.fit(cbind(1, z), y[, l], family = binomial()))
}
bias <- 1e3
with_liblinear <- function(labels, z, epsilon = 1e-4) {
  vapply(labels, function(l) {
    w <- LiblineaR::LiblineaR(z, factor(y[, l], 1:0), type = 0, cost = 1 / rho, epsilon = epsilon, bias = bias)$W
    # Its sign depends on which class it meets first.
    candidates <- list(c(bias * w[length(w)], w[-length(w)]), -c(bias * w[length(w)], w[-length(w)]))
    candidates[[which.min(vapply(candidates, objective, 0, z, l))]]
  }, double(ncol(z) + 1L))
}
with_glmnet <- function(labels) {
  vapply(labels, function(l) {
    as.double(stats::coef(glmnet::glmnet(
      z, y[, l], "binomial", alpha = 0, lambda = rho / nrow(z), standardize = FALSE, thresh = 1e-10
    )))
  }, double(ncol(z) + 1L))
}
excess <- function(what, b, labels, z, best) {
  theirs <- vapply(seq_along(labels), function(i) objective(b[, i], z, labels[i]), 0)
  relative <- theirs / best[labels] - 1
  cat(sprintf("  objective of %-20s above ours by %.1e to %.1e (relative)\n", what, min(relative), max(relative)))
}

all <- seq_len(ncol(y))
some <- round(seq(1, ncol(y), length.out = 16))
cat(sprintf("\n%s, rho = %g, 1 thread\n", shape_of(narrow), rho))
model <- ours(narrow)
stopifnot(all(model$converged), identical(model, ours(narrow, threads = 2L)))
# Seconds for all labels, from those for some.
for_all <- function(f, some) seconds(\() f(some), 1, 1) * length(all) / length(some)
times <- c(BRLR = seconds(\() ours(narrow), 1, 3), "glm.fit() (from 16 labels)" = for_all(with_glm, some))
if (has_peer("LiblineaR")) {
  times["LiblineaR, epsilon 1e-4 (from 16 labels)"] <- for_all(\(some) b <<- with_liblinear(some, z), some)
  excess("LiblineaR", b, some, z, model$objective)
}
if (has_peer("glmnet")) {
  times["glmnet (from 16 labels)"] <- for_all(\(some) b <<- with_glmnet(some), some)
  excess("glmnet", b, some, z, model$objective)
}
eleven <- seconds(\() ours(narrow, c(1L, seq(5L, 50L, 5L))), 1, 3)
claim(eleven < 3 * times[["BRLR"]])
times["BRLR, 2 threads"] <- seconds(\() ours(narrow, threads = 2L), 1, 3)
times["BRLR, 1, 5, 10, ..., 50 features"] <- eleven
times["BRLR, curve over 1 .. 50 features"] <- seconds(\() ours(narrow, 1:50), 1, 1)
report(names(times), times)
cat(sprintf("  steps of Newton's method: %.1f on average, %d at most\n", mean(model$steps), max(model$steps)))

cat(sprintf("\nthe same with dense features (a little noise added)\n"))
set.seed(1)
dense <- mltask(as.matrix(narrow) + rnorm(length(z)) / 100, targets(task), kind = "label")
z <- scaled(dense)
report(c("BRLR", "glm.fit() (from 16 labels)"), c(seconds(\() ours(dense), 1, 1), for_all(with_glm, some)))

cat(sprintf("\nall %d features\n", ncol(task)))
times <- c(BRLR = seconds(\() wide <<- ours(task), 1, 1))
few <- some[c(4, 8, 12)]
if (has_peer("LiblineaR")) {
  z <- scaled(task)
  times["LiblineaR, epsilon 1e-4 (from 3 labels)"] <- for_all(\(few) b <<- with_liblinear(few, z), few)
  excess("LiblineaR", b, few, z, wide$objective)
}
report(names(times), times)
cat(sprintf(
  "  converged: %d of %d labels; steps %.1f on average, %d at most\n", sum(wide$converged), length(all),
  mean(wide$steps), max(wide$steps)
))

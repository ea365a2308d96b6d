# Small tasks with a column that says which row it is, selectors and learners that count their calls.

numbered_task <- function(seed, n = 24, d = 5, q = 2, name = NULL) {
  withr::with_seed(seed, {
    y <- matrix(rbinom(n * q, 1, 0.4), n, dimnames = list(NULL, paste0("l", seq_len(q))))
    x <- matrix(rnorm(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
    x[, 1] <- y[, 1] + rnorm(n) / 2
    x[, d] <- seq_len(n) + 0.5
    mltask(x, y, name = name)
  })
}

# Calls are counted in `counter`, which is no part of the code that identifies the selector.
counting_selector <- function(counter, name = "counted", at_call = function(i) NULL) {
  counter$select <- 0L
  sel_custom(name, function(task, k) {
    counter$select <- counter$select + 1L
    counter$rows <- c(counter$rows, list(features(task)[, ncol(task)] - 0.5))
    at_call(counter$select)
    stats::runif(ncol(task))
  })
}

counting_learner <- function(counter, name = "mean", random = FALSE) {
  counter$fit <- 0L
  lrn_custom(name,
    fit = function(x, y) {
      counter$fit <- counter$fit + 1L
      counter$fitted <- c(counter$fitted, list(colnames(x)))
      list(mean = colMeans(y), noise = if (random) stats::runif(1) else 0)
    },
    predict = function(model, x) {
      outer(x[, 1] / 30 + model$noise / 100, model$mean, "+") + matrix(ncol(x) / 1000, nrow(x), length(model$mean))
    }
  )
}

table_of <- function(bench) as.data.frame(bench)

# A benchmark made by hand, as benchmark_selectors() would return it. `values`: an array task x split x selector x k;
# with `by = "prop"` the last dimension holds shares.
hand_benchmark <- function(values, measure = "hamming_loss", learner = "ML-kNN", direction = "minimize", by = "k",
                           n_train = 80L, n_test = 20L) {
  n <- dimnames(values)
  cells <- expand.grid(at = n[[4]], selector = n[[3]], split = n[[2]], task = n[[1]], stringsAsFactors = FALSE)
  value <- values[as.matrix(cells[c("task", "split", "selector", "at")])]
  at <- as.numeric(cells$at)
  k <- if (by == "k") as.integer(at) else as.integer(pmax(1, floor(at * 40)))
  bench <- data.frame(task = cells$task, split = as.integer(cells$split), selector = cells$selector, learner = learner,
    k = k,
    prop = if (by == "prop") at else NA_real_, n_selected = k, measure = measure, value = value)
  class(bench) <- c("mlbenchmark", "data.frame")
  attr(bench, "measures") <- data.frame(
    measure = measure, needs = "response", direction = direction, range_low = 0, range_high = 1
  )
  attr(bench, "splits") <- data.frame(unique(bench[c("task", "split")]), n_train = n_train, n_test = n_test)
  bench
}

join_benchmarks <- function(a, b) {
  out <- rbind(as.data.frame(a), as.data.frame(b))
  attr(out, "measures") <- unique(rbind(attr(a, "measures"), attr(b, "measures")))
  attr(out, "splits") <- unique(rbind(attr(a, "splits"), attr(b, "splits")))
  class(out) <- c("mlbenchmark", "data.frame")
  out
}

random_values <- function(tasks = 4, splits = 5, selectors = c("SCLS", "MIM-BR", "MFS", "Random"), k = 1:6) {
  dims <- c(tasks, splits, length(selectors), length(k))
  out <- array(
    stats::runif(prod(dims), 0, 0.05), dims, list(paste0("task", seq_len(tasks)), seq_len(splits), selectors, k)
  )
  for (j in seq_along(selectors)) out[, , j, ] <- out[, , j, ] + j / 40
  for (i in seq_along(k)) out[, , , i] <- out[, , , i] + 0.2 / sqrt(i)
  out
}

hand_selection <- function(score, feature = sprintf("feature_%d", seq_along(score)), name = "MIM-BR",
                           n_features = 72L) {
  structure(data.frame(rank = seq_along(score), feature = feature, index = seq_along(score), score = score),
    class = c("mlselection", "data.frame"), selector = list(name = name, method = "mim", params = list()),
    n_features = n_features, task_name = "emotions", k = length(score))
}

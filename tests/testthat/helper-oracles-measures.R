# Written straight from the equations of the papers, row by row and pair by pair; shares no code with the package.

# Scores tie often; rows without and with all labels, and a label that nobody has, occur on purpose.
random_scored <- function(n = 25, q = 5, levels = 4) {
  truth <- matrix(as.integer(runif(n * q) < 0.4), n, q)
  if (n > 3) {
    truth[1, ] <- 0L
    truth[2, ] <- 1L
    if (q > 2) truth[-2, q] <- 0L
  }
  response <- matrix(as.integer(runif(n * q) < 0.4), n, q)
  if (n > 3) response[c(1, 3), ] <- 0L
  score <- matrix(sample(levels, n * q, TRUE) / levels, n, q)
  list(truth = truth, response = response, score = score)
}

mean_known <- function(x) if (all(is.na(x))) NA_real_ else mean(x, na.rm = TRUE)

over_rows <- function(truth, other, f) {
  mean_known(vapply(seq_len(nrow(truth)), function(i) f(truth[i, ], other[i, ]), 0))
}

# a / b where nothing is true or predicted: empty; where only b is 0: undefined.
ratio <- function(a, b, nothing, empty, undefined = 0) if (nothing) empty else if (b == 0) undefined else a / b

oracle_example <- function(truth, response, measure, empty = 1, undefined = 0, beta = 2) {
  over_rows(truth, response, function(t, r) {
    both <- sum(t == 1 & r == 1)
    nothing <- sum(t) == 0 && sum(r) == 0
    switch(measure,
      hamming_loss = mean(t != r),
      subset_accuracy = as.numeric(all(t == r)),
      jaccard = ratio(both, sum(t == 1 | r == 1), nothing, empty, undefined),
      example_precision = ratio(both, sum(r), nothing, empty, undefined),
      example_recall = ratio(both, sum(t), nothing, empty, undefined),
      example_f1 = ratio(2 * both, sum(t) + sum(r), nothing, empty, undefined),
      example_fbeta = ratio((1 + beta^2) * both, beta^2 * sum(t) + sum(r), nothing, empty, undefined)
    )
  })
}

oracle_label <- function(truth, response, measure, empty = 1, undefined = 0, beta = 2) {
  value <- function(tp, fp, fn, tn) {
    nothing <- tp + fp + fn == 0
    switch(sub("^.*_", "", measure),
      precision = ratio(tp, tp + fp, nothing, empty, undefined),
      recall = ratio(tp, tp + fn, nothing, empty, undefined),
      f1 = ratio(2 * tp, 2 * tp + fp + fn, nothing, empty, undefined),
      fbeta = ratio((1 + beta^2) * tp, (1 + beta^2) * tp + beta^2 * fn + fp, nothing, empty, undefined),
      specificity = if (tn + fp == 0) NA_real_ else tn / (tn + fp)
    )
  }
  tp <- colSums(truth == 1 & response == 1)
  fp <- colSums(truth == 0 & response == 1)
  fn <- colSums(truth == 1 & response == 0)
  tn <- colSums(truth == 0 & response == 0)
  micro <- value(sum(tp), sum(fp), sum(fn), sum(tn))
  if (startsWith(measure, "micro")) return(micro)
  values <- mapply(value, tp, fp, fn, tn)
  if (startsWith(measure, "macro")) return(mean_known(values))
  if (sum(tp + fn) == 0) return(micro)
  known <- !is.na(values) & tp + fn > 0
  if (any(known)) weighted.mean(values[known], (tp + fn)[known]) else NA_real_
}

# Ranks of one row: 1 is best; ties as asked.
oracle_rank <- function(s, ties) {
  vapply(seq_along(s), function(l) {
    larger <- sum(s > s[l])
    tied <- which(s == s[l])
    larger + switch(ties,
      max = length(tied), average = mean(seq_along(tied)), first = sum(tied <= l), last = sum(tied >= l)
    )
  }, 0)
}

oracle_ranking_loss <- function(truth, score, ties = "error", undefined = 0) {
  over_rows(truth, score, function(t, s) {
    if (all(t == t[1])) return(undefined)
    wrong <- 0
    for (a in which(t == 1)) for (b in which(t == 0)) {
      tied <- switch(ties, error = 1, half = 0.5, first = a > b, last = a < b)
      wrong <- wrong + if (s[a] == s[b]) tied else s[a] < s[b]
    }
    wrong / (sum(t == 1) * sum(t == 0))
  })
}

oracle_one_error <- function(truth, score, ties = "share", empty = NA_real_, full = 0) {
  over_rows(truth, score, function(t, s) {
    if (all(t == 0)) return(empty)
    if (all(t == 1)) return(full)
    top <- which(s == max(s))
    switch(ties,
      share = mean(t[top] == 0), any = as.numeric(all(t[top] == 0)),
      first = 1 - t[top[1]], last = 1 - t[top[length(top)]]
    )
  })
}

oracle_coverage <- function(truth, score, ties = "max", minus = 1, empty = 0) {
  over_rows(truth, score, function(t, s) if (all(t == 0)) empty else max(oracle_rank(s, ties)[t == 1]) - minus)
}

oracle_average_precision <- function(truth, score, ties = "max", empty = NA_real_, full = 1) {
  over_rows(truth, score, function(t, s) {
    if (all(t == 0)) return(empty)
    if (all(t == 1) && is.na(full)) return(full)
    rank <- oracle_rank(s, ties)
    mean(vapply(which(t == 1), function(l) sum(t == 1 & rank <= rank[l]) / rank[l], 0))
  })
}

oracle_auc <- function(t, s) {
  pairs <- outer(s[t == 1], s[t == 0], "-")
  if (length(pairs) == 0) NA_real_ else mean((pairs > 0) + (pairs == 0) / 2)
}

oracle_macro_auc <- function(truth, score) {
  mean_known(vapply(seq_len(ncol(truth)), function(l) oracle_auc(truth[, l], score[, l]), 0))
}

# One target: text of the truth and the prediction; scores as a matrix with the categories as column names.
oracle_class <- function(measure, truth, response, score = NULL) {
  n <- length(truth)
  of <- function(x, c) sum(x == c)
  right <- function(c) sum(truth == c & response == c)
  said <- unique(c(truth, response))
  p_o <- mean(truth == response)
  p_e <- sum(vapply(said, function(c) of(truth, c) * of(response, c), 0)) / n^2
  columns <- union(colnames(score), truth)
  score_of <- function(c) if (c %in% colnames(score)) score[, c] else rep(0, n)
  switch(measure,
    accuracy = p_o,
    balanced_accuracy = mean(vapply(unique(truth), function(c) right(c) / of(truth, c), 0)),
    class_f1 = mean(vapply(said, function(c) 2 * right(c) / (of(truth, c) + of(response, c)), 0)),
    kappa = if (p_e == 1) NA_real_ else (p_o - p_e) / (1 - p_e),
    class_auc = mean_known(vapply(columns, function(c) oracle_auc((truth == c) + 0, score_of(c)), 0)),
    class_log_loss = -mean(vapply(seq_len(n), function(i) log(max(score_of(truth[i])[i], 2^-52)), 0))
  )
}

# Precision at each different score of a row with the label, weighted by the recall that it adds.
oracle_auprc <- function(t, s) {
  if (sum(t) == 0) return(NA_real_)
  thresholds <- sort(unique(s), decreasing = TRUE)
  recall <- vapply(thresholds, function(h) sum(t == 1 & s >= h) / sum(t), 0)
  precision <- vapply(thresholds, function(h) mean(t[s >= h]), 0)
  sum(diff(c(0, recall)) * precision)
}

# The default value of any measure.
oracle_measure <- function(measure, d) {
  switch(measure,
    ranking_loss = oracle_ranking_loss(d$truth, d$score),
    one_error = oracle_one_error(d$truth, d$score),
    coverage = oracle_coverage(d$truth, d$score),
    norm_coverage = oracle_coverage(d$truth, d$score) / ncol(d$truth),
    average_precision = oracle_average_precision(d$truth, d$score),
    macro_auc = oracle_macro_auc(d$truth, d$score),
    micro_auc = oracle_auc(c(d$truth), c(d$score)),
    macro_auprc = mean_known(vapply(seq_len(ncol(d$truth)), function(l) oracle_auprc(d$truth[, l], d$score[, l]), 0)),
    micro_auprc = oracle_auprc(c(d$truth), c(d$score)),
    log_loss = -mean(log(pmax(2^-52, ifelse(d$truth == 1, d$score, 1 - d$score)))),
    if (grepl("micro|macro|weighted", measure)) oracle_label(d$truth, d$response, measure)
    else oracle_example(d$truth, d$response, measure)
  )
}

# Any measure by its function.
call_measure <- function(measure, d, ...) {
  record <- registered("measures", measure)
  record$fun(d$truth, d[[record$needs]], ...)
}

# Nogueira's stability and its variance from the 0/1 matrix of sets x features.
oracle_nogueira <- function(z) {
  m <- nrow(z)
  d <- ncol(z)
  k <- rowSums(z)
  p <- colMeans(z)
  spread <- mean(k) / d * (1 - mean(k) / d)
  estimate <- 1 - mean(m / (m - 1) * p * (1 - p)) / spread
  phi <- vapply(seq_len(m), function(i) {
    (mean(z[i, ] * p) - k[i] * mean(k) / d^2 +
      estimate / 2 * (2 * k[i] * mean(k) / d^2 - k[i] / d - mean(k) / d + 1)) / spread
  }, 0)
  c(estimate = estimate, variance = 4 / m^2 * sum((phi - mean(phi))^2))
}

over_pairs <- function(sets, f) mean(utils::combn(length(sets), 2, function(i) f(sets[[i[1]]], sets[[i[2]]])))

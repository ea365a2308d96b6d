# Naive greedy selection: every step recomputes every score from its equation.

oracle_information_given <- function(a, b, c) oracle_entropy(a, c) + oracle_entropy(b, c) - oracle_entropy(c) -
  oracle_entropy(a, b, c)
oracle_co <- function(a, b, c) oracle_information(a, b) - oracle_information_given(a, b, c)

oracle_ld <- function(f, y) {
  if (ncol(y) < 2) return(0)
  sum(utils::combn(ncol(y), 2, function(p) oracle_co(f, y[, p[1]], y[, p[2]])))
}

# What pairs of labels add to the relevance: by LSMFS and by MLSMFS.
oracle_supplement <- function(f, y, largest) {
  y <- y[, apply(y, 2, function(l) length(unique(l)) > 1), drop = FALSE]
  if (ncol(y) < 2) return(0)
  pairs <- expand.grid(l = seq_len(ncol(y)), m = seq_len(ncol(y)))
  pairs <- pairs[pairs$l != pairs$m, ]
  if (largest) return(max(mapply(function(l, m) oracle_information_given(f, y[, l], y[, m]), pairs$l, pairs$m)))
  sum(pmax(0, mapply(function(l, m) oracle_co(f, y[, l], y[, m]), pairs$l, pairs$m)))
}

# J(f | S) for the columns S of x selected so far, by its equation. Terms are computed only for the criteria that have
# them.
oracle_score <- function(name, x, y, f, S) {
  v <- x[, f]
  r <- function(u) sum(apply(y, 2, oracle_information, b = u))
  delayedAssign("redundancy", sum(vapply(S, function(s) oracle_information(v, x[, s]), 0)))
  delayedAssign("conditional", sum(vapply(S, function(s) sum(apply(y, 2, function(l) oracle_co(v, x[, s], l))), 0)))
  together <- function(s) sum(apply(y, 2, function(l) oracle_information(oracle_cells(v, x[, s]), l)))
  given <- function(s) sum(apply(y, 2, function(l) oracle_information_given(v, l, x[, s])))
  ratio <- function(u) sum(apply(
    y, 2, function(l) if (oracle_entropy(u, l) > 0) oracle_information(u, l) / oracle_entropy(u, l) else 0
  ))
  gini <- function(u) sum(apply(y, 2, function(l) {
    p <- table(u, l) / length(l)
    sum(p^2 / rowSums(p)) - sum(colSums(p)^2)
  }))
  threes <- function(S) sum(utils::combn(seq_along(S), 2, function(p) {
    both <- oracle_cells(v, x[, S[p[1]]], x[, S[p[2]]])
    sum(apply(y, 2, function(l) oracle_information(both, l)))
  }))
  delayedAssign("ratios", vapply(S, function(s) ratio(oracle_cells(v, x[, s])), 0))
  n <- length(S)
  switch(name,
    mrmr = r(v) - if (n == 0) 0 else redundancy / n,
    mrmr_per_target = r(v) - if (n == 0) 0 else sum(apply(y, 2, function(l) length(unique(l)) > 1)) * redundancy / n,
    jmi3 = if (n == 0) r(v) else if (n == 1) together(S) else threes(S),
    cmi = {
      set <- if (n == 0) rep(0, nrow(x)) else do.call(oracle_cells, unname(as.data.frame(x[, S, drop = FALSE])))
      sum(apply(y, 2, function(l) oracle_information_given(v, l, set)))
    },
    jim = if (n == 0) gini(v) else sum(vapply(S, function(s) gini(oracle_cells(v, x[, s])), 0)),
    jmim = if (n == 0) r(v) else min(vapply(S, together, 0)),
    cmim = min(r(v), vapply(S, given, 0)),
    njmim = if (n == 0) r(v) else min(ratios),
    njmim_normalized = if (n == 0) ratio(v) else min(ratios),
    disr = if (n == 0) r(v) else sum(ratios),
    disr_normalized = if (n == 0) ratio(v) else sum(ratios),
    ami = r(v) - redundancy,
    scls = if (oracle_entropy(v) > 0) r(v) * (1 - redundancy / oracle_entropy(v)) else 0,
    d2f = r(v) - conditional,
    pmu = r(v) - oracle_ld(v, y) - conditional,
    lsmfs = r(v) + oracle_supplement(v, y, FALSE) - redundancy,
    mlsmfs = r(v) + oracle_supplement(v, y, TRUE) - redundancy,
    mdmr = r(v) - if (n == 0) 0 else sum(vapply(S, function(s) {
      oracle_information(v, x[, s]) - sum(apply(y, 2, function(l) oracle_information_given(v, l, x[, s])))
    }, 0)) / n,
    lrfs = {
      y <- y[, apply(y, 2, function(l) length(unique(l)) > 1), drop = FALSE]
      lr <- sum(vapply(seq_len(ncol(y)), function(i) {
        sum(vapply(setdiff(seq_len(ncol(y)), i), function(j) oracle_information_given(v, y[, j], y[, i]), 0))
      }, 0))
      if (ncol(y) < 2) lr <- r(v)
      lr - if (n == 0) 0 else redundancy / n
    },
    single_jmi = if (n == 0) r(v) else sum(vapply(S, together, 0)),
    joint_jmi = {
      l <- apply(y, 1, paste, collapse = " ")
      if (n == 0) oracle_information(v, l) else sum(vapply(
        S, function(s) oracle_information(oracle_cells(v, x[, s]), l), 0
      ))
    }
  )
}

# Follows a selection and checks that each pick has the best score by definition, up to rounding, and that score.
expect_greedy <- function(sel, name, x, y, tolerance = 1e-10) {
  for (i in seq_len(nrow(sel))) {
    S <- sel$index[seq_len(i - 1)]
    left <- setdiff(seq_len(ncol(x)), S)
    scores <- vapply(left, function(f) oracle_score(name, x, y, f, S), 0)
    expect_equal(sel$score[i], scores[left == sel$index[i]], tolerance = tolerance, info = paste(name, "step", i))
    expect_true(max(scores) - sel$score[i] <= tolerance * max(1, abs(max(scores))), info = paste(name, "step", i))
    if (length(left) > 1) {
      expect_equal(sel$runner_up_score[i], max(scores[left != sel$index[i]]), tolerance = tolerance)
    } else {
      expect_true(is.na(sel$runner_up[i]))
    }
  }
}

# That a selector picks by its equation, in every layout of random tasks. Selectors take turns in their sizes.
expect_greedy_everywhere <- function(selector, name) {
  shapes <- list(c(50, 6, 5, 3), c(40, 5, 1, 2), c(60, 7, 4, 2), c(30, 4, 3, 5), c(2, 3, 2, 2))
  for (shape in some_or_all(shapes, nchar(name), 2L)) {
    x <- random_codes(shape[1], shape[2], shape[4])
    y <- random_labels(shape[1], shape[3])
    expect_greedy(expect_same_everywhere(x, y, selector), name, x, y)
  }
}

# That named selectors pick by their equations where targets are classes, one with a single level, or numbers to cut.
expect_greedy_of_levels <- function(selectors) {
  x <- random_codes(60, 6, 3)
  classes <- data.frame(
    a = factor(sample(letters[1:3], 60, TRUE)), b = factor(sample(letters[1:4], 60, TRUE)), c = factor(rep("one", 60))
  )
  task <- mltask(x, classes, discrete = all_discrete(x))
  y <- vapply(classes, as.integer, integer(60))
  numbers <- matrix(rnorm(120), 60, dimnames = list(NULL, c("u", "v")))
  cut <- vapply(
    1:2, function(t) findInterval(numbers[, t], min(numbers[, t]) + 1:3 * diff(range(numbers[, t])) / 4), integer(60)
  )
  regression <- mltask(x, numbers, discrete = all_discrete(x))
  for (name in names(selectors)) {
    expect_greedy(sift_scored(task, selectors[[name]]), name, x, y)
    expect_greedy(sift_scored(regression, selectors[[name]], target_bins = 4), name, x, cut)
  }
}

# I_O(f; y) in bits, on the rows in which y is known, from the definition.
known_information <- function(f, y) {
  known <- !is.na(y)
  f <- f[known]
  y <- y[known]
  if (sum(known) < 2) return(0)
  rows <- match(f, unique(f))
  columns <- match(y, unique(y))
  p <- matrix(tabulate(rows + max(rows) * (columns - 1), max(rows) * max(columns)), max(rows)) / length(y)
  q <- outer(rowSums(p), colSums(p))
  sum((p * log2(p / q))[p > 0])
}

# R(f), and T(f, s) for one feature s.
known_relevance <- function(x, y) {
  apply(x, 2, function(f) sum(apply(y, 2, function(l) known_information(f, l))))
}
known_joint <- function(x, y, s) {
  apply(x, 2, function(f) sum(apply(y, 2, function(l) known_information(paste(f, x[, s]), l))))
}
known_between <- function(x, s) apply(x, 2, known_information, x[, s])

# Features of two to four levels, and labels of which some are unknown in many rows, one in none, one in nearly all.
draw_unknown <- function(n = 60, d = 6, q = 5, binary = FALSE) {
  x <- vapply(seq_len(d), function(j) sample(seq_len(if (binary) 2 else sample(2:4, 1)), n, TRUE) - 1, double(n))
  colnames(x) <- paste0("f", seq_len(d))
  y <- matrix(rbinom(n * q, 1, 0.4), n, dimnames = list(NULL, paste0("l", seq_len(q))))
  y[, 1] <- (x[, 1] > 0) * 1
  for (l in 2:q) y[sample(n, sample(n / 2, 1)), l] <- NA
  y[-(1:3), q] <- NA
  list(x = x, y = y)
}

test_that("a task keeps unknown labels with its rows and targets", {
  y <- cbind(a = c(1, 0, NA, 1), b = c(0, 1, 1, 0))
  x <- cbind(f = c(0, 1, 1, 0), g = 1:4)
  task <- mltask(x, y)
  expect_equal(targets(task), y, ignore_attr = TRUE)
  expect_equal(targets(task[3:4, ]), y[3:4, ], ignore_attr = TRUE)
  expect_null(task[1:2, ]$targets$unknown)
  expect_null(subset_targets(task, "b")$targets$unknown)
  expect_equal(targets(subset_targets(task, 2:1)), y[, 2:1], ignore_attr = TRUE)
  expect_equal(targets(rbind(task, task[3, ])), y[c(1:4, 3), ], ignore_attr = TRUE)
  expect_equal(targets(task[, "f"]), y, ignore_attr = TRUE)
  frame <- mltask(data.frame(f = 1:4, y), targets = c("a", "b"))
  expect_equal(targets(frame), data.frame(y), ignore_attr = TRUE)
  sparse <- mltask(x, Matrix::Matrix(y, sparse = TRUE))
  expect_equal(as.matrix(targets(sparse)), y, ignore_attr = TRUE)
  expect_s4_class(sparse$targets$values, "dgCMatrix")
  for (values in list(y == 1, data.frame(a = factor(y[, 1]), b = y[, 2] == 1))) {
    expect_equal(unname(as.matrix(targets(mltask(x, values)) + 0)), unname(y))
  }
  words <- mltask(x, c("yes", "no", NA, "yes"), kind = "label")
  expect_equal(unname(targets(words)[, 1]), c(1, 0, NA, 1))
  facts <- summary(task)
  expect_identical(facts$n_unknown, 1L)
  expect_equal(facts$density, 4 / 7)
  expect_equal(facts$cardinality, 8 / 7)
  expect_true(is.na(facts$label_sets))
  expect_identical(summary(task[1:2, ])$n_unknown, 0L)
  expect_output(print(task), "12.5 % unknown", fixed = TRUE)
  expect_false(identical(fingerprint(task), fingerprint(mltask(x, replace(y, 3, 0)))))
})

test_that("classes may not be unknown, and nothing may be infinite", {
  x <- cbind(f = 1:4)
  expect_error(mltask(x, c(1.5, NA, Inf, 3)), "is Inf in row 3", class = "mlsift_error")
  expect_error(mltask(x, factor(c("u", NA, "v", "w"))), "must not be missing", class = "mlsift_error")
  expect_error(mltask(x, c(1, Inf, 0, NA)), "is Inf in row 2", class = "mlsift_error")
  expect_error(mltask(x, c(1, 2, 0, NA), kind = "label"), "must be 0 or 1", class = "mlsift_error")
})

test_that("selectors speak of each label on the rows in which it is known", {
  local_no_words()
  set.seed(1)
  for (round in first_or_all(1:10, 3)) {
    drawn <- draw_unknown(q = if (round %in% 7:8) 24 else 5, binary = round %% 2 == 0)
    x <- drawn$x
    y <- drawn$y
    if (round > 8) {
      # Few labels, all of which most rows have.
      y <- cbind(y[, 1:2], matrix(rbinom(nrow(y) * 13, 1, 0.95), nrow(y)))
      colnames(y) <- paste0("l", seq_len(ncol(y)))
      x[runif(length(x)) < 0.8] <- 0
    }
    relevance <- known_relevance(x, y)
    first <- which.max(relevance)
    pairs <- known_joint(x, y, first)
    between <- known_between(x, first)
    kinds <- list(dense = x, frame = as.data.frame(lapply(as.data.frame(x), factor)),
      sparse = if (round %% 2 == 0) Matrix::Matrix(x, sparse = TRUE))
    for (values in Filter(Negate(is.null), kinds)) {
      task <- mltask(values, y, discrete = if (is.matrix(values)) stats::setNames(rep(TRUE, ncol(x)), colnames(x)))
      mim <- sift_features(task, sel_mim())
      expect_equal(mim$score[order(mim$index)], unname(relevance), tolerance = 1e-12)
      # The second step of greedy selectors.
      rest <- setdiff(seq_len(ncol(x)), first)
      expected <- list(
        list(sel_ami(), relevance - between), list(sel_single_jmi(), pairs),
        list(sel_cmim(), pmin(relevance, pairs - relevance[first])),
        list(sel_d2f(), relevance - (relevance + relevance[first] - pairs)),
        list(sel_mrmr(), relevance - between)
      )
      for (one in expected) {
        found <- sift_features(task, one[[1]], k = 2)
        expect_identical(found$index[1], unname(first))
        expect_equal(found$score[2], max(one[[2]][rest]), tolerance = 1e-9)
      }
      # The third step of JMI3: the two selected features together with each other one.
      found <- sift_features(task, sel_jmi3(), k = 3)
      both <- paste(x[, found$index[1]], x[, found$index[2]])
      threes <- apply(x, 2, function(f) sum(apply(y, 2, function(l) known_information(paste(f, both), l))))
      expect_equal(found$score[3], max(threes[-found$index[1:2]]), tolerance = 1e-9)
    }
  }
})

# By feature, sums over pairs of labels, each on the rows in which both are known.
known_pairs <- function(x, y, kind) {
  given <- function(f, a, b) {
    sum(vapply(unique(b), function(v) mean(b == v) * known_information(f[b == v], a[b == v]), 0))
  }
  apply(x, 2, function(f) {
    of_pairs <- apply(utils::combn(ncol(y), 2), 2, function(pair) {
      rows <- !is.na(y[, pair[1]]) & !is.na(y[, pair[2]])
      a <- y[rows, pair[1]]
      b <- y[rows, pair[2]]
      c(known_information(f[rows], a), given(f[rows], a, b), given(f[rows], b, a))
    })
    interaction <- of_pairs[1, ] - of_pairs[2, ]
    switch(kind, interaction = sum(interaction), given = sum(of_pairs[-1, ]), sum = 2 * sum(pmax(0, interaction)),
      largest = max(of_pairs[-1, ]))
  })
}

test_that("pairs of labels speak of the rows in which both are known", {
  local_no_words()
  set.seed(10)
  for (round in first_or_all(1:8, 3)) {
    drawn <- draw_unknown(80, 6, 5, binary = round %% 2 == 0)
    x <- drawn$x
    y <- drawn$y[, colSums(drawn$y == 0, na.rm = TRUE) > 0 & colSums(drawn$y == 1, na.rm = TRUE) > 0]
    relevance <- known_relevance(x, y)
    kinds <- c("interaction", "given", "sum", "largest")
    of <- lapply(stats::setNames(kinds, kinds), function(kind) known_pairs(x, y, kind))
    between <- function(s) known_between(x, s)
    # The first step, and what is taken from it for a selected feature s.
    begin <- list(sel_pmu = relevance - of$interaction, sel_lrfs = of$given, sel_lsmfs = relevance + of$sum,
      sel_mlsmfs = relevance + of$largest, sel_greedy = relevance - 0.5 * of$interaction)
    taken <- list(sel_pmu = function(s) relevance + relevance[s] - known_joint(x, y, s), sel_lrfs = between,
      sel_lsmfs = between, sel_mlsmfs = between, sel_greedy = function(s) 0)
    selectors <- list(sel_pmu = sel_pmu(), sel_lrfs = sel_lrfs(), sel_lsmfs = sel_lsmfs(), sel_mlsmfs = sel_mlsmfs(),
      sel_greedy = sel_greedy(label_interaction = 0.5))
    layouts <- list(coded_task(x, y), mltask(as.data.frame(lapply(as.data.frame(x), factor)), y))
    if (round %% 2 == 0) layouts <- c(layouts, list(mltask(sparse(x), Matrix::Matrix(y, sparse = TRUE))))
    for (task in layouts) {
      fimf <- sift_features(task, sel_fimf(n_labels = ncol(y)))
      expect_equal(fimf$score[order(fimf$index)], unname(begin$sel_pmu), tolerance = 1e-12)
      for (name in names(selectors)) {
        found <- sift_features(task, selectors[[name]], k = 2)
        first <- found$index[1]
        expect_equal(found$score[1], max(begin[[name]]), tolerance = 1e-12)
        expect_equal(begin[[name]][[first]], max(begin[[name]]), tolerance = 1e-12)
        second <- (begin[[name]] - taken[[name]](first))[-first]
        expect_equal(found$score[2], max(second), tolerance = 1e-9)
      }
    }
  }
})

test_that("pairs of labels with hidden rows are those of the other rows, and pairs of other labels do not change", {
  set.seed(11)
  x <- matrix(rbinom(480, 1, 0.4), 60)
  y <- matrix(rbinom(240, 1, 0.5), 60)
  all <- y
  all[1:20, ] <- NA
  one <- y
  one[1:20, 4] <- NA
  fimf <- function(y, n) {
    found <- sift_features(mltask(x, y, kind = "label"), sel_fimf(n_labels = n))
    found$score[order(found$index)]
  }
  # The three labels of the highest entropy are pairs of their own; the fourth adds its relevance alone.
  y[, 4] <- rbinom(60, 1, 0.1)
  hidden <- y
  hidden[1:20, 4] <- NA
  own <- function(y, rows) {
    found <- sift_features(mltask(x[rows, ], y[rows, 4], kind = "label"), sel_mim())
    found$score[order(found$index)]
  }
  expect_equal(fimf(hidden, 3) - fimf(y, 3), own(y, 21:60) - own(y, 1:60), tolerance = 1e-9)
  for (selector in list(sel_fimf(), sel_pmu(), sel_lrfs(), sel_lsmfs(), sel_mlsmfs())) {
    whole <- sift_features(mltask(x, all), selector, k = 1)
    rest <- sift_features(mltask(x[21:60, ], all[21:60, ]), selector, k = 1)
    expect_equal(whole$score[1], rest$score[1], tolerance = 1e-12)
    # Weights and unknown labels together; an extended selection.
    w <- sample(1:3, 60, TRUE)
    task <- mltask(x, one)
    columns <- c("index", "score")
    weighted <- sift_features(mltask(x, one, weights = w), selector)
    expect_identical(weighted[columns], sift_features(task[rep(1:60, w), ], selector)[columns])
    expect_identical(sift_features(task[sample(60), ], selector)[columns], sift_features(task, selector)[columns])
    expect_equal(sift_features(subset_targets(task, 4:1), selector)[columns], sift_features(task, selector)[columns],
      tolerance = 1e-12)
    if (selector$name == "FIMF") next
    path <- sift_features(task, selector, k = 3)
    expect_identical(extend_selection(path, task, 6)[columns], sift_features(task, selector, k = 6)[columns])
  }
})

test_that("unknown labels do not depend on layout, order, threads or row weights", {
  set.seed(2)
  drawn <- draw_unknown(80, 8, 6, binary = TRUE)
  selectors <- list(sel_mim(), sel_ami(), sel_scls(), sel_d2f(), sel_mdmr(), sel_cmim(), sel_jmim(), sel_single_jmi())
  task <- mltask(drawn$x, drawn$y)
  sparse <- mltask(Matrix::Matrix(drawn$x, sparse = TRUE), Matrix::Matrix(drawn$y, sparse = TRUE))
  w <- sample(1:4, 80, TRUE)
  weighted <- mltask(drawn$x, drawn$y, weights = w)
  repeated <- task[rep(1:80, w), ]
  columns <- c("index", "score")
  for (selector in selectors) {
    found <- sift_features(task, selector, threads = 1)
    expect_identical(sift_features(sparse, selector, threads = 2)[columns], found[columns])
    expect_identical(sift_features(task[sample(80), ], selector)[columns], found[columns])
    expect_equal(sift_features(subset_targets(task, 6:1), selector)[columns], found[columns], tolerance = 1e-12)
    expect_identical(sift_features(weighted, selector)[columns], sift_features(repeated, selector)[columns])
  }
})

test_that("a copy of a feature adds exactly nothing to it: T(copy of f, f) = R(f)", {
  local_no_words()
  for (seed in first_or_all(1:12, 4)) {
    withr::local_seed(seed)
    n <- c(40, 150, 600)[seed %% 3 + 1]
    x <- random_codes(n, 4, seed %% 4 + 2) * (seed %% 2 == 0 | runif(4 * n) < 0.2)
    x <- cbind(x, copy = x[, 1])
    y <- random_labels(n, 5)
    y[sample(5 * n, n)] <- NA
    weights <- if (seed %% 5 == 0) sample(1:3, n, TRUE)
    for (values in list(x, sparse(x))) {
      task <- coded_task(values, y, weights = weights)
      score <- function(found) found$score[found$feature == "copy"]
      beside <- function(selector) {
        score(candidate_scores(sift_features(task, selector, k = 1, include = 1, constants = "scored"), task))
      }
      expect_identical(beside(sel_single_jmi()), score(sift_features(task, sel_mim())))
      for (selector in list(sel_cmim(), sel_cmi(), sel_d2f(), sel_d2f("code2015"), sel_scls())) {
        expect_identical(beside(selector), 0, info = selector$name)
      }
    }
  }
})

test_that("rows that are unknown for all labels are the other rows alone, and one label speaks for itself", {
  set.seed(3)
  x <- matrix(rbinom(400, 1, 0.4), 50)
  y <- matrix(rbinom(150, 1, 0.5), 50)
  all <- y
  all[1:20, ] <- NA
  score <- function(x, y, selector = sel_mim()) {
    found <- sift_features(mltask(x, y), selector)
    found$score[order(found$index)]
  }
  expect_equal(score(x, all), score(x[21:50, ], y[21:50, ]), tolerance = 1e-12)
  one <- y
  one[1:20, 2] <- NA
  alone <- score(x, y[, c(1, 3)]) + score(x[21:50, ], y[21:50, 2])
  expect_equal(score(x, one), alone, tolerance = 1e-12)
  # A label without known rows, or constant where it is known, adds nothing.
  none <- cbind(y, NA, c(1, rep(NA, 49)), c(rep(1, 10), rep(NA, 40)))
  expect_identical(score(x, none), score(x, y))
  path <- sift_features(mltask(x, one), sel_cmim(), k = 3)
  expect_equal(extend_selection(path, mltask(x, one), 6)$score, sift_features(mltask(x, one), sel_cmim(), k = 6)$score)
})

test_that("BR+CC correlates a label in the rows in which it is known", {
  set.seed(12)
  drawn <- draw_unknown(70)
  x <- cbind(drawn$x, g = rnorm(70), h = c(rep(1e9, 69), 1))
  y <- cbind(drawn$y, none = NA)
  correlation <- function(f, l, w) {
    known <- !is.na(l)
    if (length(unique(f[known])) < 2 || length(unique(l[known])) < 2) return(0)
    stats::cov.wt(cbind(f, l)[known, ], w[known] / sum(w[known]), cor = TRUE, method = "ML")$cor[1, 2]
  }
  w <- sample(1:3, 70, TRUE)
  for (weights in list(NULL, w)) for (abs in c(TRUE, FALSE)) {
    r <- outer(seq_len(ncol(x)), seq_len(ncol(y)),
      Vectorize(function(a, b) correlation(x[, a], y[, b], weights %||% rep(1, 70))))
    expected <- rowSums(if (abs) base::abs(r) else r)
    for (values in list(x, sparse(x))) {
      found <- sift_features(mltask(values, y, weights = weights), sel_br_cc(abs))
      expect_equal(found$score[order(found$index)], expected, tolerance = 1e-9)
    }
  }
  one <- mltask(x[20:70, ], y[20:70, 1:2])
  all <- mltask(x, rbind(matrix(NA, 19, 2), y[20:70, 1:2]))
  expect_equal(sift_features(all, sel_br_cc())$score, sift_features(one, sel_br_cc())$score, tolerance = 1e-12)
})

# The equation, with every term on the rows in which the label is known.
known_ebls <- function(x, y, n_labels, largest = TRUE) {
  y <- y[, colSums(y == 1, na.rm = TRUE) > 0, drop = FALSE]
  h <- round(apply(y, 2, function(l) oracle_entropy(l[!is.na(l)])), 12)
  chosen <- order(if (largest) -h else h)[seq_len(min(n_labels, ncol(y)))]
  apply(x, 2, function(f) {
    sum(vapply(seq_len(ncol(y)), function(l) {
      if (l %in% chosen) known_information(f, y[, l]) else min(oracle_entropy(f[!is.na(y[, l])]), h[l])
    }, 0))
  })
}
scores_in_order <- function(task, selector, ...) {
  found <- sift_features(task, selector, ...)
  found$score[order(found$index)]
}

test_that("rows in which a label is unknown do not spoil its correlations, whatever they hold", {
  withr::local_seed(12)
  for (round in first_or_all(1:6, 3)) {
    hidden <- sample(40, 6)
    x <- cbind(large = rnorm(40), huge = rnorm(40), only = 0, far = 1e3 + rnorm(40),
      sparse = rnorm(40) * rbinom(40, 1, 0.2))
    x[hidden, 1:3] <- rep(c(1e8, 1e200, 2.5), each = 6)
    y <- cbind(a = rbinom(40, 1, 0.5), b = rbinom(40, 1, 0.3))
    y[hidden, "a"] <- NA
    w <- if (round %% 2 == 0) runif(40, 0.1, 5)
    values <- if (round > 3) Matrix::Matrix(x, sparse = TRUE) else x
    found <- sift_features(subset_targets(mltask(values, y, weights = w), "a"), sel_br_cc())
    alone <- sift_features(mltask(values[-hidden, ], y[-hidden, "a", drop = FALSE], weights = w[-hidden]), sel_br_cc())
    expect_equal(found$score[order(found$index)], alone$score[order(alone$index)], tolerance = 1e-9)
    expect_identical(found$score[found$feature == "only"], 0)
  }
})

test_that("EBLS takes informations, entropies and the order of labels from the rows in which a label is known", {
  local_no_words()
  set.seed(13)
  for (round in first_or_all(1:6, 3)) {
    drawn <- draw_unknown(40 + round, 7, 6, binary = round %% 2 == 0)
    x <- drawn$x
    # Labels without ones or known rows, one that is always on where it is known, and equal entropies in other rows.
    y <- cbind(drawn$y, none = NA, zero = c(NA, rep(0, nrow(x) - 1)), one = c(NA, rep(1, nrow(x) - 1)),
      half = c(rep(NA, nrow(x) - 10), rep(0:1, 5)), halves = c(rep(1:0, 7), rep(NA, nrow(x) - 14)))
    layouts <- list(coded_task(x, y), mltask(as.data.frame(lapply(as.data.frame(x), factor)), y))
    if (round %% 2 == 0) layouts <- c(layouts, list(mltask(sparse(x), Matrix::Matrix(y, sparse = TRUE))))
    for (n in c(1, 3, 5, 9)) for (which in c("largest", "smallest")) {
      selector <- sel_ebls(n_labels = n, which = which)
      expected <- unname(known_ebls(x, y, n, which == "largest"))
      for (task in layouts) {
        expect_equal(suppressWarnings(scores_in_order(task, selector)), expected, tolerance = 1e-12)
      }
    }
    task <- layouts[[length(layouts)]]
    expect_equal(scores_in_order(task, sel_ebls(prop_labels = 1)), unname(known_relevance(x, y)), tolerance = 1e-12)
    # A share of the labels that occur: neither `none` nor `zero`.
    n <- sum(colSums(y == 1, na.rm = TRUE) > 0)
    expect_identical(scores_in_order(task, sel_ebls(prop_labels = 0.5)),
      scores_in_order(task, sel_ebls(n_labels = floor(n / 2 + 0.5))))
    # Weights stand for repeated rows, and neither the order of rows nor that of labels or threads matters.
    w <- sample(0:3, nrow(x), TRUE)
    for (selector in list(sel_ebls(n_labels = 2), sel_ebls(n_labels = 4, which = "smallest"))) {
      expected <- scores_in_order(task, selector)
      repeated <- task[rep(seq_len(nrow(x)), w), ]
      expect_identical(suppressWarnings(scores_in_order(mltask(x, y, weights = w), selector)),
        suppressWarnings(scores_in_order(repeated, selector)))
      expect_identical(scores_in_order(task[sample(nrow(x)), ], selector, threads = 2), expected)
      expect_equal(scores_in_order(subset_targets(task, c("l1", rev(colnames(y)[2:9]), "half", "halves")), selector),
        expected, tolerance = 1e-12)
      expect_identical(scores_in_order(count_tables(task, sel_mim()), selector), expected)
    }
  }
})

test_that("EBLS with hidden rows is that of the other rows, and a hidden label changes its own term alone", {
  set.seed(14)
  x <- matrix(rbinom(500, 1, 0.4), 50)
  y <- vapply(c(0.5, 0.4, 0.3, 0.2, 0.1), function(p) sample(rep(1:0, 50 * c(p, 1 - p))), double(50))
  all <- y
  all[1:20, ] <- NA
  for (n in 1:5) {
    expect_equal(scores_in_order(mltask(x, all), sel_ebls(n)),
      scores_in_order(mltask(x[21:50, ], y[21:50, ]), sel_ebls(n)), tolerance = 1e-12)
  }
  # Hide rows of each value, so that the entropy stays: label l is chosen, or enters through its bound, as before.
  for (l in 1:5) {
    hidden <- y
    gone <- c(which(y[, l] == 1)[seq_len(sum(y[, l]) * 0.4)], which(y[, l] == 0)[seq_len(sum(y[, l] == 0) * 0.4)])
    hidden[gone, l] <- NA
    own <- function(rows) {
      f <- x[rows, ]
      if (l <= 2) return(scores_in_order(mltask(f, y[rows, l, drop = FALSE], kind = "label"), sel_mim()))
      unname(pmin(apply(f, 2, oracle_entropy), oracle_entropy(y[rows, l])))
    }
    expect_equal(scores_in_order(mltask(x, hidden), sel_ebls(2)) - scores_in_order(mltask(x, y), sel_ebls(2)),
      own(setdiff(1:50, gone)) - own(1:50), tolerance = 1e-9)
  }
})

test_that("selectors and learners take unknown labels or refuse them by name", {
  set.seed(4)
  drawn <- draw_unknown()
  task <- mltask(drawn$x, drawn$y[, 1:4])
  used <- list_selectors()
  codes <- used$constructor[grepl("label", used$kinds)]
  for (code in codes) {
    selector <- tryCatch(eval(parse(text = code)), error = function(e) NULL)
    if (is.null(selector)) next
    if (selector_method(selector)$unknown) next
    expect_error(sift_features(task, selector), "cannot use labels that are unknown", class = "mlsift_error")
  }
  expect_true(all(c("sel_mim()", "sel_scls()", "sel_cmim()") %in% used$constructor[used$unknown]))
  expect_false(any(c("sel_chi2()", "sel_gmba()") %in% used$constructor[used$unknown]))
  for (learner in list(lrn_cc_knn(), lrn_lp())) {
    expect_error(fit(learner, task), "cannot use labels that are unknown", class = "mlsift_error")
  }
  n <- sum(is.na(drawn$y[, 1:4]))
  expect_error(sift_features(task, sel_chi2()), paste(n, "cells of the targets are unknown"), class = "mlsift_error")
  expect_error(label_graph(task), "whose labels are all known", class = "mlsift_error")
  one <- subset_targets(task, 2)
  expect_error(label_scores(one, sel_chi2()), "cannot use labels that are unknown", class = "mlsift_error")
  expect_error(fit(disc_mdlp(), task), "unknown", class = "mlsift_error")
  expect_error(fit(disc_laim(), task), "unknown", class = "mlsift_error")
  expect_error(fit(lrn_nb(), mltask(drawn$x, unname(cbind(drawn$y, NA)))), "at least two rows", class = "mlsift_error")
})

test_that("learners learn each label from the rows in which it is known", {
  set.seed(5)
  drawn <- draw_unknown(80)
  y <- drawn$y[, 1:4]
  task <- mltask(drawn$x, y)
  for (learner in list(lrn_nb(), lrn_brlr(), lrn_mlnb())) {
    suppressWarnings({
      together <- predict(fit(learner, task), task)
      for (l in 1:4) {
        known <- !is.na(y[, l])
        alone <- predict(fit(learner, mltask(drawn$x[known, ], y[known, l, drop = FALSE])), drawn$x)
        expect_identical(unname(together$score[, l]), unname(alone$score[, 1]))
        expect_identical(unname(together$response[, l]), unname(alone$response[, 1]))
      }
    })
  }
  bench <- benchmark_selectors(task, list(sel_mim(), sel_cmim()), lrn_nb(), rs_holdout(0.7, 2), k = 1:3,
    measures = c("hamming_loss", "average_precision"), progress = FALSE)
  expect_false(anyNA(bench$value))
  expect_error(benchmark_selectors(task, sel_mim(), lrn_lp(), rs_holdout(0.7), k = 2, measures = "hamming_loss"),
    "cannot use labels that are unknown", class = "mlsift_error")
  tuned <- sift_features(task, sel_best(sel_mim(), lrn_nb(), "hamming_loss", k = 1:3, resampling = rs_cv(2)))
  expect_s3_class(tuned, "mlselection")
  best <- sift_features(task, sel_best(list(sel_mim(), sel_chi2()), lrn_nb(), "hamming_loss", k = 1:3,
    resampling = rs_cv(2)))
  expect_s3_class(best, "mlselection")
})

test_that("learners with neighbors count the labels that are known among them", {
  local_no_words()
  set.seed(7)
  for (case in first_or_all(1:6, 3)) {
    n <- c(12, 40, 41, 60, 30, 50)[case]
    x <- if (case %% 2) random_codes(n, 3) else matrix(rnorm(n * 3), n)
    y <- random_labels(n, c(2, 5, 70)[1 + case %% 3])
    y[sample(length(y), length(y) * c(0.1, 0.3, 0.6)[1 + case %% 3])] <- NA
    if (ncol(y) > 2) y[-(1:3), 2] <- NA
    y <- y[, colSums(!is.na(y)) > 1, drop = FALSE]
    query <- x[sample.int(n, 15, replace = TRUE), , drop = FALSE]
    tasks <- list(mltask(x, y, kind = "label"),
      mltask(sparse(x), Matrix::Matrix(y, sparse = TRUE), kind = "label"))
    turn <- case
    for (k in c(1, 3)) for (task in tasks) {
      found <- predict(fit(lrn_brknn(k, "none"), task), unname(query), threads = 2)$score
      expect_equal(unname(found), oracle_brknn_known(x, y, query, k), tolerance = 1e-12)
      for (s in some_or_all(c(0, 0.5, 1), turn <- turn + 1L)) {
        found <- predict(fit(lrn_mlknn(k, s, "none"), task), unname(query), threads = 2)$score
        expect_equal(unname(found), oracle_mlknn_known(x, y, query, k, s), tolerance = 1e-12)
      }
    }
    b <- predict(fit(lrn_brknn(3, "none", "b"), tasks[[1]]), unname(query))
    expect_identical(unname(rowSums(b$response)),
      floor(rowSums(oracle_brknn_known(x, y, query, 3)) + 0.5 + 1e-9))
  }
})

test_that("a label with hidden rows changes only itself in learners with neighbors, and curves are separate fits", {
  set.seed(8)
  x <- matrix(rnorm(300), 60)
  y <- random_labels(60, 4)
  hidden <- y
  hidden[sample(60, 30), 1] <- NA
  task <- mltask(x, hidden, kind = "label")
  for (learner in list(lrn_mlknn(5), lrn_brknn(4), lrn_brknn(4, variant = "a"))) {
    all <- predict(fit(learner, mltask(x, y, kind = "label")), x)$score
    some <- predict(fit(learner, task), x)$score
    expect_identical(some[, -1], all[, -1])
    expect_false(identical(some[, 1], all[, 1]))
    expect_identical(one_pass(learner, task[1:50, ], task[51:60, ], 5:1, c(1, 3, 5)),
      separate_curve(learner, task[1:50, ], task[51:60, ], 5:1, c(1, 3, 5)))
    params <- c(with_scale(learner, "zscore")$params, threshold = 0.5)
    subsets <- learner_method(learner)$subsets(task, unname(x), params, 1L)
    for (columns in list(2L, c(1L, 4L), 1:5)) {
      apart <- predict(fit(learner, task[, columns]), task)
      expect_identical(unname(subsets(columns, TRUE)$score), unname(apart$score))
    }
  }
  expect_error(fit(lrn_mlknn(5), mltask(x, cbind(a = c(1, rep(NA, 59)), b = y[, 1]))), "known in at least two rows",
    class = "mlsift_error")
})

test_that("searches take unknown labels where their learner does", {
  set.seed(9)
  drawn <- draw_unknown(60)
  task <- mltask(drawn$x, drawn$y[, 1:4])
  inner <- rs_holdout(0.7, 1)
  for (learner in list(lrn_mlknn(4), lrn_brknn(3), lrn_nb())) {
    selector <- sel_rga(learner, "hamming_loss", 3, population = 4, evaluations = 6, inner = inner)
    found <- searched(selector, task, 1)
    fitness <- oracle_fitness(task, selector$params, first_number(1))
    expected <- vapply(seq_along(sets_of(found)), function(n) fitness(sets_of(found)[[n]], n), 0)
    expect_identical(values_of(found), expected)
  }
  for (selector in list(sel_ga_explore(lrn_nb(), "hamming_loss", 3, population = 4, evaluations = 6),
    sel_mamfs(lrn_nb(), "hamming_loss", 3, population = 4, evaluations = 6))) {
    expect_s3_class(sift_features(task, selector), "mlselection")
  }
  expect_error(sift_features(task, sel_rga(lrn_lp(), "hamming_loss", 3)), "cannot use labels that are unknown",
    class = "mlsift_error")
})

test_that("measures leave out the cells that are unknown", {
  local_no_words()
  set.seed(6)
  n <- 30
  q <- 5
  truth <- matrix(rbinom(n * q, 1, 0.4), n)
  truth[sample(n * q, 50)] <- NA
  truth[7, ] <- NA
  score <- matrix(round(runif(n * q), 1), n)
  response <- (score > 0.5) + 0L
  weights <- sample(1:3, n, TRUE)
  prediction <- structure(list(score = score, response = response), class = "mlprediction")
  value <- function(measures, w = NULL) {
    found <- evaluate(prediction, truth, measures, weights = w)
    stats::setNames(found$value, found$measure)
  }
  of <- function(rows, columns, measure) {
    take <- function(x) x[rows, columns, drop = FALSE]
    part <- structure(list(score = take(score), response = take(response)), class = "mlprediction")
    evaluate(part, truth[rows, columns, drop = FALSE], measure)$value
  }
  by_row <- c("jaccard", "subset_accuracy", "example_f1", "example_precision", "example_recall", "example_fbeta",
    "ranking_loss", "one_error", "coverage", "norm_coverage", "average_precision")
  by_label <- c("macro_f1", "macro_precision", "macro_recall", "macro_auc", "macro_auprc", "macro_specificity")
  for (w in list(NULL, weights)) {
    counts <- if (is.null(w)) rep(1, n) else w
    found <- value(c(by_row, if (is.null(w)) by_label), w)
    for (measure in by_row) {
      each <- vapply(setdiff(seq_len(n), 7), function(i) of(i, which(!is.na(truth[i, ])), measure), 0)
      expected <- stats::weighted.mean(each, counts[-7] * !is.na(each), na.rm = TRUE)
      expect_equal(found[[measure]], expected, info = measure)
    }
    if (!is.null(w)) next
    for (measure in by_label) {
      each <- vapply(seq_len(q), function(l) of(which(!is.na(truth[, l])), l, measure), 0)
      expect_equal(found[[measure]], mean(each, na.rm = TRUE), info = measure)
    }
  }
  known <- !is.na(truth)
  wrong <- (truth != response)[known]
  expect_equal(value("hamming_loss")[[1]], mean(wrong))
  expect_equal(value("hamming_loss", weights)[[1]], stats::weighted.mean(wrong, weights[row(truth)[known]]))
  tp <- sum((truth * response)[known])
  expect_equal(value("micro_f1")[[1]], 2 * tp / (sum(truth[known]) + sum(response[known])))
  f1 <- vapply(seq_len(q), function(l) of(which(known[, l]), l, "macro_f1"), 0)
  expect_equal(value("weighted_f1")[[1]], stats::weighted.mean(f1, colSums(truth, na.rm = TRUE)))
  expect_equal(value("micro_auc")[[1]], {
    on <- score[known & truth == 1]
    off <- score[known & truth == 0]
    mean(outer(on, off, function(a, b) (a > b) + (a == b) / 2))
  })
  # No row has a label: both areas are undefined.
  none <- evaluate(prediction, replace(truth, known, 0), c("macro_auc", "macro_auprc"))$value
  expect_true(all(is.na(none) & !is.nan(none)))
  # Nothing unknown: the same as ever.
  whole <- replace(truth, !known, 0L)
  expect_identical(evaluate(prediction, whole), evaluate(prediction, mltask(score, whole, kind = "label")))
  expect_error(evaluate(prediction, replace(truth, TRUE, NA)), "known in at least one cell", class = "mlsift_error")
  expect_identical(msr_hamming_loss(truth, response), value("hamming_loss")[[1]])
  own <- msr_custom("own", function(truth, response) 0)
  expect_error(evaluate(prediction, truth, list(own)), "where labels are unknown", class = "mlsift_error")
})

test_that("files of Mulan have a question mark for an unknown label", {
  set.seed(7)
  drawn <- draw_unknown(20, 3, 3)
  task <- mltask(drawn$x, drawn$y)
  file <- withr::local_tempfile(fileext = ".arff")
  write_mulan(task, file)
  expect_equal(as.matrix(targets(read_mulan(file))), drawn$y, ignore_attr = TRUE)
  sparse <- mltask(Matrix::Matrix(drawn$x, sparse = TRUE), Matrix::Matrix(drawn$y, sparse = TRUE))
  write_mulan(sparse, file)
  expect_equal(as.matrix(targets(read_mulan(file))), drawn$y, ignore_attr = TRUE)
  writeLines(c("@relation r", "@attribute f numeric", "@attribute t {u,v,w}", "@data", "1,u", "2,?"), file)
  expect_error(read_mulan(file, labels = -1), "\"t\" is NA in row 2", class = "mlsift_error")
  # Sources give what the task gives.
  write_mulan(sparse, file)
  expect_identical(sift_features(read_chunks(file), sel_mim())$score, sift_features(sparse, sel_mim())$score)
  names <- list(feature_names(task), target_names(task))
  for (chunk in list(list(x = drawn$x, y = drawn$y), task, data.frame(drawn$x, drawn$y))) {
    source <- chunk_source(function(i) if (i == 1) chunk, names[[1]], names[[2]])
    expect_identical(sift_features(source, sel_mim())$score, sift_features(task, sel_mim())$score)
  }
})

test_that("sift() and label_scores() take unknown labels", {
  set.seed(8)
  local_few_draws()
  drawn <- draw_unknown(80, 6, 4)
  task <- mltask(drawn$x, drawn$y[, 1:3])
  scores <- label_scores(task, sel_mim())
  expected <- apply(drawn$y[, 1:3], 2, function(l) apply(drawn$x, 2, known_information, l))
  expect_equal(unclass(scores), expected, ignore_attr = TRUE, tolerance = 1e-12)
  answer <- suppressWarnings(sift(task, selectors = list(sel_mim(), sel_cmim(), sel_chi2()), outer = rs_cv(2),
    max_features = 4, check = "permutation", permutations = 2))
  expect_s3_class(answer, "mlsift")
  expect_identical(answer$quality$what, c("chosen", "all", "random", "floor"))
  expect_false(anyNA(answer$quality$mean))
  expect_true(all(c("Linear regression", "NB") %in% answer$tuning$curve$learner))
  expect_type(summary(answer), "character")
})

test_that("numeric targets may be unknown", {
  set.seed(20)
  x <- matrix(rnorm(240), 60, dimnames = list(NULL, paste0("f", 1:4)))
  y <- cbind(a = x[, 1] + rnorm(60), b = x[, 2] - x[, 3], c = rnorm(60, 5))
  y[sample(60, 20), "a"] <- NA
  y[sample(60, 30), "c"] <- NA
  task <- mltask(x, y)
  expect_identical(targets(task), y)
  expect_equal(targets(mltask(x, as.data.frame(y))), as.data.frame(y))
  expect_identical(summary(task)$n_unknown, 50L)
  expect_output(print(task), "27.8 % of the targets unknown", fixed = TRUE)
  expect_identical(targets(task[3:9, ]), y[3:9, ])
  expect_identical(targets(rbind(task[1:5, ], task[6:60, ])), y)
  w <- stats::rexp(60)
  for (weights in list(NULL, w)) for (scale in c("zscore", "none")) {
    learner <- lrn_linear(rho = 0.5, scale = scale)
    together <- predict(fit(learner, mltask(x, y, weights = weights)), x)$response
    for (t in colnames(y)) {
      known <- !is.na(y[, t])
      alone <- fit(learner, mltask(x[known, ], y[known, t, drop = FALSE], weights = weights[known]))
      expect_identical(together[, t], predict(alone, x)$response[, t])
    }
  }
  train <- task[1:40, ]
  test <- task[41:60, ]
  predicted <- predict(fit(lrn_linear(), train), test)
  names <- c("arrmse", "armse", "amae", "mean_r2", "mean_correlation")
  found <- evaluate(predicted, test, names, train_mean = train)
  found <- stats::setNames(found$value, found$measure)
  error <- targets(test) - predicted$response
  means <- colMeans(targets(train), na.rm = TRUE)
  expect_equal(found[["amae"]], mean(colMeans(abs(error), na.rm = TRUE)))
  expect_equal(found[["armse"]], mean(sqrt(colMeans(error^2, na.rm = TRUE))))
  from_mean <- sweep(targets(test), 2, means)
  expect_equal(found[["arrmse"]], mean(sqrt(colSums(error^2, na.rm = TRUE) / colSums(from_mean^2, na.rm = TRUE))))
  bench <- benchmark_selectors(task, list(sel_none(), sel_random()), lrn_linear(), rs_holdout(0.7, 2), k = 2:3,
    measures = names, progress = FALSE)
  expect_false(anyNA(bench$value))
  scores <- function(y, rows = 1:60) {
    found <- suppressWarnings(sift_features(mltask(x[rows, ], y[rows, , drop = FALSE], kind = "numeric"),
      sel_rrelieff(4)))
    found$score[order(found$index)]
  }
  alone <- vapply(colnames(y), function(t) scores(y[, t, drop = FALSE], which(!is.na(y[, t]))), double(4))
  expect_equal(scores(y), rowMeans(alone), tolerance = 1e-12)
  expect_equal(scores(cbind(y, d = c(1, 2, rep(NA, 58)), e = c(1, 1, 1, rep(NA, 57)))),
    rowMeans(cbind(alone, scores(cbind(c(1, 2)), 1:2))), tolerance = 1e-12)
  expect_error(fit(lrn_knn_regression(), task), "cannot use targets that are unknown", class = "mlsift_error")
  expect_error(sift_features(task, sel_mim(), target_bins = 3),
    "needs targets that are known.*[0-9]+ cells of the targets are unknown", class = "mlsift_error")
  none <- y
  none[-1, "c"] <- NA
  expect_error(fit(lrn_linear(), mltask(x, none)), "known in at least two rows", class = "mlsift_error")
  expect_error(mltask(x, factor(c(NA, rep(c("u", "v", "w"), length.out = 59)))), "NA in row 1", class = "mlsift_error")
})

test_that("QPMLFS and BR+OR use each label in the rows in which it is known", {
  set.seed(11)
  drawn <- draw_unknown(90, 6, 4)
  storage.mode(drawn$x) <- "integer"
  task <- suppressMessages(mltask(drawn$x, drawn$y))
  # With relevance alone, QPMLFS has the order of MIM-BR.
  expect_identical(sift_features(task, sel_qpmlfs(1))$index, sift_features(task, sel_mim())$index)
  score <- function(task, selector) {
    found <- sift_features(task, selector)
    found$score[order(found$index)]
  }
  alone <- vapply(seq_len(ncol(drawn$y)), function(l) {
    known <- !is.na(drawn$y[, l])
    if (sum(known) < 2) return(numeric(6))
    score(suppressMessages(mltask(drawn$x[known, ], drawn$y[known, l], kind = "label")), sel_br_or())
  }, numeric(6))
  expect_equal(score(task, sel_br_or()), rowSums(alone), tolerance = 1e-12)
})

# The criterion of one label, on the rows in which it is known, summed over labels; the least sum over S for NJMIM.
known_score <- function(name, x, y, f, S) {
  if (startsWith(name, "njmim") && length(S) > 1) {
    return(min(vapply(S, function(s) known_score(name, x, y, f, s), 0)))
  }
  sum(vapply(seq_len(ncol(y)), function(l) {
    known <- !is.na(y[, l])
    if (length(unique(y[known, l])) < 2) return(0)
    oracle_score(name, x[known, , drop = FALSE], y[known, l, drop = FALSE], f, S)
  }, 0))
}

test_that("CMI, JIM, NJMIM, DISR and Single-JMI by entropies speak of each label on the rows in which it is known", {
  local_no_words()
  set.seed(15)
  criteria <- list(cmi = sel_cmi(), jim = sel_jim(), njmim = sel_njmim(), disr = sel_disr(),
    njmim_normalized = sel_njmim("normalized"), disr_normalized = sel_disr("normalized"))
  for (round in first_or_all(1:6, 3)) {
    drawn <- draw_unknown(if (round == 6) 3 else 40 + round, 5, if (round == 4) 20 else 4, round %% 2 == 0)
    drawn$y[1:2, 1] <- 0:1
    x <- if (round == 5) drawn$x * (runif(length(drawn$x)) < 0.2) else drawn$x
    x[, 3] <- 1
    y <- cbind(drawn$y, none = NA, zero = c(NA, rep(0, nrow(x) - 1)), one = c(NA, rep(1, nrow(x) - 1)))
    if (round == 1) y <- y[, 2, drop = FALSE]
    layouts <- list(coded_task(x, y), mltask(as.data.frame(lapply(as.data.frame(x), factor)), y))
    if (round %% 2 == 0) layouts <- c(layouts, list(mltask(sparse(x), Matrix::Matrix(y, sparse = TRUE))))
    task <- layouts[[length(layouts)]]
    columns <- c("index", "score")
    varies <- which(apply(x, 2, function(f) length(unique(f)) > 1))  # constants have no score
    for (name in names(criteria)) {
      found <- lapply(layouts, function(task) sift_features(task, criteria[[name]])[columns])
      for (other in found[-1]) expect_identical(other, found[[1]])
      for (i in seq_along(varies)) {
        S <- found[[1]]$index[seq_len(i - 1)]
        left <- setdiff(varies, S)
        scores <- vapply(left, function(f) known_score(name, x, y, f, S), 0)
        expect_equal(found[[1]]$score[i], max(scores), tolerance = 1e-10, info = paste(name, round, i))
        expect_equal(found[[1]]$score[i], scores[left == found[[1]]$index[i]], tolerance = 1e-10)
      }
    }
    # Neither the order of rows and labels, threads nor an extension matters; weights are repeated rows.
    w <- sample(1:3, nrow(x), TRUE)
    for (selector in c(criteria, list(sel_single_jmi("sqrt")))) {
      found <- sift_features(task, selector)[columns]
      expect_identical(sift_features(task[sample(nrow(x)), ], selector, threads = 2)[columns], found)
      expect_equal(sift_features(subset_targets(task, rev(target_names(task))), selector)[columns], found,
        tolerance = 1e-12)
      expect_identical(extend_selection(sift_features(task, selector, k = 2), task, ncol(x))[columns], found)
      expect_identical(sift_features(mltask(features(task), targets(task), weights = w, discrete = task$discrete),
        selector)[columns], sift_features(task[rep(seq_len(nrow(x)), w), ], selector)[columns])
    }
  }
})

test_that("these criteria with hidden rows are those of the other rows, and the first step adds up over labels", {
  set.seed(16)
  x <- matrix(sample(0:2, 300, TRUE), 60, dimnames = list(NULL, paste0("f", 1:5)))
  y <- matrix(rbinom(180, 1, 0.5), 60, dimnames = list(NULL, paste0("l", 1:3)))
  all <- replace(y, cbind(rep(1:20, 3), rep(1:3, each = 20)), NA)
  one <- replace(y, cbind(1:20, 2), NA)
  for (selector in list(sel_cmi(), sel_jim(), sel_njmim(), sel_disr("normalized"), sel_single_jmi("sqrt"))) {
    rest <- sift_features(coded_task(x[21:60, ], y[21:60, ]), selector)
    expect_equal(sift_features(coded_task(x, all), selector)[c("index", "score")], rest[c("index", "score")],
      tolerance = 1e-12)
    first <- function(x, y) {
      scores <- vapply(colnames(x), \(f) sift_features(coded_task(x[, f, drop = FALSE], y), selector)$score, 0)
      unname(scores)
    }
    expect_equal(first(x, one), first(x, y[, c(1, 3)]) + first(x[21:60, ], y[21:60, 2, drop = FALSE]),
      tolerance = 1e-12)
  }
  # What adds nothing to S has a score of exactly 0 in CMI, in few known rows too.
  copy <- cbind(x, copy = x[, 1])
  for (n in c(60, 3000)) {
    rows <- rep_len(1:60, n)
    labels <- replace(y[rows, ], cbind(seq(8, n), 1), NA)
    found <- sift_features(coded_task(copy[rows, ], labels), sel_cmi())
    expect_identical(found$score[max(which(found$index %in% c(1, 6)))], 0)
  }
})

test_that("ML-CFS and the Relief family score each target on the rows in which it is known", {
  local_no_words()
  set.seed(17)
  drawn <- draw_unknown(50, 6, 5)
  x <- cbind(drawn$x, g = rnorm(50), h = 1)
  y <- cbind(drawn$y, none = NA, zero = c(NA, rep(0, 49)))
  known <- !is.na(y)
  w <- sample(1:4, 50, TRUE)
  # Correlations with labels come from their rows, those between features from all rows.
  correlation <- function(a, b, w) {
    if (length(unique(a)) < 2 || length(unique(b)) < 2) return(0)
    abs(stats::cov.wt(cbind(a, b), w / sum(w), cor = TRUE, method = "ML")$cor[1, 2])
  }
  for (weights in list(NULL, w)) {
    of <- weights %||% rep(1, 50)
    with_label <- function(f) mean(vapply(which(colSums(y, na.rm = TRUE) > 0), function(l) {
      correlation(x[known[, l], f], y[known[, l], l], of[known[, l]])
    }, 0))
    merit <- function(S) {
      k <- length(S)
      pairs <- if (k > 1) mean(utils::combn(S, 2, function(p) correlation(x[, p[1]], x[, p[2]], of))) else 0
      k * mean(vapply(S, with_label, 0)) / sqrt(k + k * (k - 1) * pairs)
    }
    for (values in list(x, as.data.frame(x), sparse(x))) {
      found <- sift_features(mltask(values, y, weights = weights), sel_ml_cfs())
      for (i in 1:5) {
        S <- found$index[seq_len(i - 1)]
        left <- setdiff(seq_len(ncol(x)), S)
        expect_equal(found$score[i], max(vapply(left, function(f) merit(c(S, f)), 0)), tolerance = 1e-10)
        expect_equal(found$score[i], merit(c(S, found$index[i])), tolerance = 1e-10)
      }
    }
  }
  # The mean over labels that vary where they are known, each from a run on these rows alone.
  scores <- function(x, y, selector, weights = NULL, threads = 1) {
    found <- sift_features(mltask(x, y, kind = "label", weights = weights), selector, threads = threads)
    found$score[order(found$index)]
  }
  varies <- which(apply(y, 2, function(l) length(unique(l[!is.na(l)])) > 1))
  for (selector in list(sel_relieff_br(3), sel_surf(), sel_multisurf())) for (weights in list(NULL, w)) {
    alone <- vapply(varies, function(l) {
      rows <- known[, l]
      scores(x[rows, ], y[rows, l, drop = FALSE], selector, weights[rows])
    }, double(ncol(x)))
    for (values in list(x, as.data.frame(x), sparse(x))) {
      expect_equal(scores(values, y, selector, weights, threads = 2), unname(rowMeans(alone)), tolerance = 1e-10)
    }
    expect_equal(scores(x, y[, 7:1], selector, weights), unname(rowMeans(alone)), tolerance = 1e-10)
    expect_equal(scores(rbind(x, x[1:3, ]), rbind(y, matrix(NA, 3, 7)), selector, weights[c(1:50, 1:3)]),
      unname(rowMeans(alone)), tolerance = 1e-10)
  }
  expect_equal(scores(x[known[, 2], ], y[known[, 2], 2], sel_relieff_br(3)),
    oracle_relieff_br(oracle_diff(x[known[, 2], ]), y[known[, 2], 2, drop = FALSE], 3), tolerance = 1e-10)
  # TuRF and bagging pass the labels on.
  found <- sift_features(mltask(x, y), sel_turf(sel_relieff_br(3), drop = 0.5), k = 2)
  last <- found$index[1:2]
  expect_setequal(found$score[1:2], sift_features(mltask(x[, last], y), sel_relieff_br(3))$score)
  bagged <- sift_features(mltask(x, y), sel_bagged(sel_relieff_br(3), n = 4), k = 3)
  expect_true(all(bagged$score %in% (0:4 / 4)))
  # ML-CFS takes numeric targets too.
  numbers <- cbind(a = rnorm(50), b = replace(rnorm(50), 1:30, NA))
  whole <- function(rows, targets) {
    found <- sift_features(mltask(x[rows, ], numbers[rows, targets, drop = FALSE]), sel_ml_cfs(), k = 1)
    found$score
  }
  r <- vapply(seq_len(ncol(x)), function(f) {
    correlation(x[, f], numbers[, 1], rep(1, 50)) + correlation(x[31:50, f], numbers[31:50, 2], rep(1, 20))
  }, 0)
  expect_equal(whole(1:50, 1:2), max(r) / 2, tolerance = 1e-10)
})

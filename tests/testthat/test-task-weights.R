# A task with whole weights, and the same rows repeated.
weighted_pair <- function(n = 60, seed = 1, kind = "label", sparse = FALSE) {
  set.seed(seed)
  task <- simulate_mltask(n, n_features = 8, n_targets = 3)
  x <- as.data.frame(features(task))
  x$f3 <- factor(sample(c("u", "v", "w"), n, TRUE))
  x$f4 <- round(x$f4, 1)
  x$f5 <- rbinom(n, 1, 0.2) * x$f5
  x$f6 <- rbinom(n, 1, 0.3)
  x$f7 <- 1
  x$f8 <- sample.int(4, n, TRUE)
  if (sparse) x <- as_sparse(as.matrix(data.frame(matrix(rbinom(n * 8, 1, 0.2), n))))
  y <- targets(task)
  if (kind == "class") y <- data.frame(a = factor(sample(letters[1:3], n, TRUE)), b = factor(y[, 1]))
  if (kind == "numeric") y <- data.frame(a = rnorm(n), b = runif(n))
  weights <- sample(0:4, n, TRUE)
  list(weighted = mltask(x, y, weights = weights), repeated = mltask(x, y)[rep(seq_len(n), weights), ])
}

as_sparse <- function(x) methods::as(x, "CsparseMatrix")

# Every selector of the registry by its constructors, without those that need more arguments.
constructed_selectors <- function() {
  table <- list_selectors()
  table <- table[!grepl("= \\)|custom|importance", table$constructor), ]
  stats::setNames(lapply(table$constructor, function(code) eval(parse(text = code))), table$constructor)
}

test_that("weights that are left among the features are reported", {
  df <- data.frame(a = 1:4 + 0.5, w = c(2, 0, 1, 3), t = c(0, 1, 1, 0))
  expect_message(mltask(df, targets = "t", weights = df$w), 'Feature "w" has the weights of the rows')
  expect_no_message(mltask(df, targets = "t", weights = "w"))
  expect_no_message(mltask(df, targets = "t", exclude = "w", weights = df$w))
  df$w <- 1
  expect_no_message(mltask(df, targets = "t", weights = df$w), message = "weights")
})

test_that("a task keeps weights with its rows", {
  df <- data.frame(a = 1:4 + 0.5, w = c(2, 0, 1, 3), b = c(0, 1, 1, 0), t = c(0, 1, 1, 0))
  task <- mltask(df, targets = 4, weights = "w")
  expect_identical(feature_names(task), c("a", "b"))
  expect_identical(row_weights(task), c(2, 0, 1, 3))
  expect_identical(row_weights(mltask(t ~ ., df, weights = "w")), c(2, 0, 1, 3))
  expect_identical(feature_names(mltask(t ~ ., df, weights = "w")), c("a", "b"))
  expect_identical(feature_names(mltask(df[1:3], df["t"], weights = "w")), c("a", "b"))
  expect_identical(row_weights(mltask(as.matrix(df[1:3]), df["t"], weights = "w")), c(2, 0, 1, 3))
  expect_identical(row_weights(task[c(4, 1), "a"]), c(3, 2))
  expect_null(row_weights(mltask(df, targets = 4)))
  expect_identical(row_weights(rbind(task, task[2:3, ])), c(2, 0, 1, 3, 0, 1))
  expect_error(rbind(task, mltask(df[c("a", "b", "t")], targets = 3)), "or none", class = "mlsift_error")
  expect_identical(summary(task)$weighted, TRUE)
  expect_output(print(task), "weights from 0 to 3, sum 6", fixed = TRUE)
  expect_false(identical(fingerprint(task), fingerprint(mltask(df[c("a", "b", "t")], targets = 3))))
})

test_that("weights that are none are refused", {
  df <- data.frame(a = 1:3 + 0.5, t = c(0, 1, 1))
  bad <- list(c(1, -1, 2), c(1, Inf, 2), c(1, NA, 2), c(0, 0, 0), 1:2, "w", c("a", "b"), TRUE, list(1, 2, 3))
  for (weights in bad) expect_error(mltask(df, targets = 2, weights = !!weights), class = "mlsift_error")
  expect_error(mltask(df, targets = 2, weights = c("a", "b")), "one number for each", class = "mlsift_error")
  expect_error(mltask(df, targets = 2, weights = c(1, Inf, 1)), "must be finite", class = "mlsift_error")
  long <- structure(c(1, 1, 1), class = "integer64")
  expect_error(mltask(df, targets = 2, weights = long), "one number for each", class = "mlsift_error")
  expect_error(mltask(df, targets = "t", weights = "t"), "must not name a target", class = "mlsift_error")
  one <- mltask(df, targets = 2, weights = c(0, 0, 1))
  expect_error(sift_features(one, sel_mim()), "At least two rows", class = "mlsift_error")
})

test_that("selectors count a row of weight w as w rows, or refuse weights by name", {
  local_no_words()
  selectors <- constructed_selectors()
  used <- list_selectors()
  # Splits and subsamples of repeated rows are others.
  searches <- vapply(selectors, \(selector) is_search(selector_method(selector)), NA)
  splitting <- c(grep("sel_best|sel_bagged", names(selectors), value = TRUE), names(selectors)[searches])
  # Repeated rows are near to each other.
  near <- grep("relief|surf", names(selectors), value = TRUE)
  # These need features without factors: see test-sel-sparse.R.
  numbers <- c("sel_rfs()", "sel_mssl()")
  cases <- expand.grid(kind = target_kinds, sparse = c(FALSE, TRUE), stringsAsFactors = FALSE)
  for (i in seq_len(nrow(cases))) {
    pair <- weighted_pair(kind = cases$kind[i], sparse = cases$sparse[i])
    # Dense and sparse features take turns.
    for (code in some_or_all(names(selectors), cases$sparse[i] + 0, 2L)) {
      method <- selector_method(selectors[[code]])
      if (!cases$kind[i] %in% method$kinds) next
      if (!method$weights) {
        expect_error(sift_features(pair$weighted, selectors[[code]]), "cannot use the weights", class = "mlsift_error")
        next
      }
      if (code %in% c(splitting, near, numbers)) next
      of <- function(task) {
        set.seed(1)
        bins <- if (method$whole && cases$kind[i] == "numeric") 3
        as.data.frame(sift_features(task, selectors[[code]], target_bins = bins))
      }
      expect_equal(of(pair$weighted), of(pair$repeated), tolerance = 1e-12, info = paste(code, cases$kind[i]))
    }
  }
  expect_true(all(c("sel_mim()", "sel_scls()", "sel_single_jmi()") %in% used$constructor[used$weights]))
})

test_that("scores from counts are those of repeated rows to the bit", {
  exact <- list(sel_mim(), sel_ebls(), sel_br_or(), sel_scls(), sel_ami(), sel_d2f(), sel_mdmr(), sel_single_jmi(),
    sel_joint_jmi(), sel_mrmr(), sel_jmim(), sel_cmim(), sel_jmi3(), sel_cmi(), sel_jim(), sel_trans_mi("lp"),
    sel_trans_mi("ppt", min_count = 20),
    sel_fimf(), sel_fimf(n_labels = 2, n_features = 3), sel_pmu(), sel_lrfs(), sel_lsmfs(), sel_mlsmfs(),
    sel_greedy(label_interaction = 0.5, redundancy = 1))
  for (sparse in c(FALSE, TRUE)) {
    pair <- weighted_pair(100, 2, sparse = sparse)
    for (selector in exact) {
      expect_identical(as.data.frame(sift_features(pair$weighted, selector)),
        as.data.frame(sift_features(pair$repeated, selector)))
    }
  }
})

test_that("moments are those of repeated rows", {
  for (sparse in c(FALSE, TRUE)) for (kind in target_kinds) {
    pair <- weighted_pair(90, 7, kind, sparse)
    selectors <- list(sel_ml_cfs(), sel_ml_cfs("decrease"))
    if (kind == "label") {
      selectors <- c(selectors, list(sel_br_cc(), sel_br_cc(FALSE), sel_mfs(), sel_mfs("unweighted")))
    }
    for (selector in selectors) {
      found <- sift_features(pair$weighted, selector, threads = 2)
      expect_equal(as.data.frame(found), as.data.frame(sift_features(pair$repeated, selector)), tolerance = 1e-12)
    }
  }
  # Weights of 1 change no bit. Correlations do not depend on the unit of weights, MFS counts in it.
  task <- pair <- weighted_pair(70, 4)$repeated
  weighted <- function(w) mltask(features(task), targets(task), weights = w)
  w <- stats::rexp(nrow(task))
  columns <- c("index", "score")
  for (selector in list(sel_br_cc(), sel_ml_cfs(), sel_mfs())) {
    expect_identical(sift_features(weighted(rep(1, nrow(task))), selector)[columns],
      sift_features(task, selector)[columns])
    scale <- if (selector$name == "MFS") 4 else 1
    few <- sift_features(weighted(w), selector)
    if (scale == 1) expect_equal(sift_features(weighted(8 * w), selector)[columns], few[columns], tolerance = 1e-12)
    else expect_gt(abs(sift_features(weighted(scale * w), selector)$score[1] / few$score[1] - 1), 0.1)
  }
})

test_that("greedy selectors score as with repeated rows in every layout, to the bit", {
  skip_unless_all()
  local_no_words()
  set.seed(7)
  n <- 150
  sparse <- as_sparse(matrix(rbinom(n * 40, 1, rep(c(0.03, 0.1), each = n * 20)), n))
  dense <- matrix(rbinom(n * 12, 1, 0.45), n)
  codes <- matrix(sample.int(9, n * 10, TRUE, 9:1), n)
  labels <- matrix(rbinom(n * 5, 1, 0.3), n)
  labels[, 1] <- dense[, 3]
  classes <- data.frame(a = factor(sample.int(30, n, TRUE)), b = factor(sample(c("u", "v"), n, TRUE)))
  single <- data.frame(id = factor(sample.int(n, n, TRUE)), c = factor(codes[, 2]))
  unknown <- replace(labels, sample(length(labels), 200), NA)
  greedy <- list(sel_ami(), sel_scls(), sel_d2f(), sel_mdmr(), sel_mrmr(), sel_single_jmi(), sel_jmim(), sel_cmim(),
    sel_disr(), sel_njmim(), sel_jim(), sel_jmi3(), sel_cmi(), sel_d2f("code2015"))
  weights <- list(few = sample(3, n, TRUE), many = sample(200, n, TRUE))
  turn <- calls <- 0
  for (x in list(sparse, dense, codes)) {
    for (y in list(labels, classes, single, unknown)) {
      discrete <- stats::setNames(rep(TRUE, ncol(x)), paste0("f", seq_len(ncol(x))))
      colnames(x) <- names(discrete)
      kind <- if (is.data.frame(y)) "class" else "label"
      make <- function(...) mltask(x, y, kind = kind, discrete = discrete, ...)
      for (w in weights) {
        weighted <- make(weights = w)
        repeated <- make()[rep(seq_len(n), w), ]
        for (selector in some_or_all(greedy, turn <- turn + 1)) {
          if (anyNA(y) && !selector_method(selector)$unknown) next
          expected <- sift_features(repeated, selector, k = 5)[c("index", "score")]
          for (threads in some_or_all(1:2, calls <- calls + 1, 2L)) {
            expect_identical(sift_features(weighted, selector, k = 5, threads = threads)[c("index", "score")], expected,
              info = selector$name)
          }
        }
      }
    }
  }
})

test_that("Relief weights reference rows and the means over neighbors", {
  skip_unless_all()
  local_no_words()
  for (seed in 1:4) {
    set.seed(seed)
    x <- if (seed == 2) random_codes(40, 4) else matrix(rnorm(160), 40)
    y <- random_labels(40, c(3, 5, 70, 3)[seed])
    class <- data.frame(a = factor(sample(letters[1:3], 40, TRUE)), b = factor(y[, 1]))
    numbers <- cbind(rnorm(40), x[, 1] + rnorm(40))
    w <- stats::rexp(40)
    # One row beside which the others have no digits in a sum.
    if (seed == 4) w[c(3, 9)] <- c(1e30, 1e16)
    diff <- oracle_diff(x)
    rows <- apply(y, 1, paste, collapse = "")
    varying <- which(colSums(y) > 0 & colSums(y) < 40)
    by_class <- function(...) rowMeans(vapply(class, function(t) oracle_relieff(diff, t, ..., weights = w), double(4)))
    cases <- list(
      list(sel_relieff_br(4), y, \() oracle_relieff_br(diff, y, 4, weights = w)),
      list(sel_relieff_br(4), class, \() by_class(4)),
      list(sel_relieff_lp(4), y, \() oracle_relieff(diff, rows, 4, weights = w)),
      list(sel_relieff_ml(4), y, \() oracle_relieff_ml(diff, y, 4, weights = w)),
      list(sel_relieff_ml(4, disjoint = TRUE), y, \() oracle_relieff_ml(diff, y, 4, TRUE, weights = w)),
      list(sel_rrelieff(4, sigma = 3), numbers, \() oracle_rrelieff_targets(diff, numbers, 4, 3, weights = w)),
      list(sel_rrelieff_ml(4, sigma = 3), y, \() oracle_rrelieff_ml(diff, y, 4, 3, weights = w)),
      list(sel_surf(), y, \() oracle_surf_targets(diff, y[, varying], FALSE, weights = w)),
      list(sel_multisurf(), y, \() oracle_surf_targets(diff, y[, varying], TRUE, weights = w)),
      list(sel_multisurf(), class, \() oracle_surf_targets(diff, as.matrix(class), TRUE, weights = w))
    )
    layouts <- list(x, sparse(x))
    for (i in some_or_all(seq_along(cases), seed, 2L)) for (values in some_or_all(layouts, i %/% 2 + seed, 2L)) {
      case <- cases[[i]]
      of <- function(weights, threads = 1) {
        found <- sift_features(mltask(values, case[[2]], weights = weights), case[[1]], threads = threads)
        found$score[order(found$index)]
      }
      own <- of(w)
      expect_equal(own, unname(case[[3]]()), tolerance = 1e-9)
      expect_identical(of(w, 2), own)
      expect_equal(of(3 * w), own, tolerance = 1e-12)
      expect_equal(of(rep(1, 40)), of(NULL), tolerance = 1e-12)
    }
  }
  # Label sets are counted with their weights.
  y <- cbind(a = rep(0:1, each = 10), b = rep(c(0, 1, 0), c(9, 1, 10)))
  x <- matrix(rnorm(60), 20)
  w <- replace(rep(1, 20), 10, 5)
  of <- function(min_count) sift_features(mltask(x, y, weights = w), sel_relieff_ppt(2, min_count = min_count))
  expect_identical(of(5)$score, sift_features(mltask(x, y, weights = w), sel_relieff_lp(2))$score)
  expect_false(identical(of(6)$score, of(5)$score))
})

test_that("means and variances refuse weights beside which light rows are lost", {
  set.seed(5)
  task <- function(most, y = random_labels(30, 2)) {
    mltask(matrix(rnorm(90), 30), y, weights = replace(rep(2, 30), c(4, 7), c(most, 0)))
  }
  for (selector in list(
    sel_br_cc(), sel_ml_cfs(), sel_mfs(), sel_mtl(), sel_rfs(), sel_mssl()
  )) {
    expect_s3_class(sift_features(task(2e10), selector), "mlselection")
    expect_error(sift_features(task(3e10), selector), "from 2 to 3e+10", fixed = TRUE, class = "mlsift_error")
  }
  for (learner in list(lrn_brlr(), lrn_mtl())) {
    expect_error(fit(learner, task(3e10)), "at most 1e10 times", class = "mlsift_error")
  }
  expect_error(fit(lrn_linear(), task(3e10, rnorm(30))), "at most 1e10 times", class = "mlsift_error")
})

test_that("cuts are those of repeated rows", {
  pair <- weighted_pair(80, 3)
  for (disc in list(disc_auto(), disc_equal_width(), disc_equal_frequency(), disc_presence(), disc_mdlp(),
    disc_mdlp("label"), disc_laim())) {
    expect_identical(fit(disc, pair$weighted)$cuts, fit(disc, pair$repeated)$cuts)
    expect_identical(as.data.frame(sift_features(pair$weighted, sel_mim(), discretizer = disc)),
      as.data.frame(sift_features(pair$repeated, sel_mim(), discretizer = disc)))
  }
  classes <- weighted_pair(80, 3, "class")
  expect_identical(fit(disc_laim(), classes$weighted)$cuts, fit(disc_laim(), classes$repeated)$cuts)
  numbers <- weighted_pair(80, 3, "numeric")
  expect_identical(
    as.data.frame(sift_features(numbers$weighted, sel_mim(), target_bins = disc_equal_frequency(3))),
    as.data.frame(sift_features(numbers$repeated, sel_mim(), target_bins = disc_equal_frequency(3)))
  )
})

test_that("weights of 1 change nothing, and only shares of weight matter where a score has no unit", {
  set.seed(4)
  task <- weighted_pair(70, 4)$repeated
  ones <- mltask(features(task), targets(task), weights = rep(1, nrow(task)))
  w <- stats::rexp(nrow(task))
  weighted <- function(w) mltask(features(task), targets(task), weights = w)
  for (selector in list(sel_mim(), sel_scls(), sel_single_jmi(), sel_trans_mi("lp"), sel_qpmlfs(), sel_fimf(),
    sel_pmu(), sel_lrfs(), sel_lsmfs(), sel_mlsmfs())) {
    expect_equal(as.data.frame(sift_features(ones, selector)), as.data.frame(sift_features(task, selector)),
      tolerance = 1e-12)
    expect_equal(as.data.frame(sift_features(weighted(8 * w), selector)),
      as.data.frame(sift_features(weighted(w), selector)), tolerance = 1e-12)
  }
})

test_that("real weights give the informations of weighted shares", {
  set.seed(5)
  n <- 50
  x <- data.frame(a = factor(sample(3, n, TRUE)), b = rbinom(n, 1, 0.4))
  y <- matrix(rbinom(2 * n, 1, 0.4), n)
  w <- stats::runif(n, 0.1, 3)
  information <- function(f, l) {
    p <- tapply(w, list(f, l), sum, default = 0) / sum(w)
    e <- outer(rowSums(p), colSums(p))
    sum(ifelse(p > 0, p * log2(p / e), 0))
  }
  expected <- vapply(x, \(f) information(f, y[, 1]) + information(f, y[, 2]), 0)
  found <- sift_features(mltask(x, y, kind = "label", weights = w), sel_mim())
  expect_equal(found$score[order(found$index)], unname(expected), tolerance = 1e-7)
  # Chi-square counts in the unit of the weights.
  chi <- function(w) sift_features(mltask(x, y[, 1], kind = "label", weights = w), sel_chi2("lp"))$score
  expect_equal(chi(w), chi(3 * w) / 3, tolerance = 1e-12)
  odds <- function(w) sift_features(mltask(x, y, kind = "label", weights = w), sel_br_or())$score
  expect_equal(odds(w + 0), odds(round(w * 1e8) / 1e8), tolerance = 1e-6)
  expect_gt(max(abs(odds(w) - odds(0.01 * w))), 1e-3)
})

test_that("a greedy selection of weighted rows is extended", {
  pair <- weighted_pair(60, 6)
  whole <- sift_features(pair$weighted, sel_single_jmi(), k = 6)
  part <- sift_features(pair$weighted, sel_single_jmi(), k = 3)
  expect_identical(as.data.frame(extend_selection(part, pair$weighted, 6)), as.data.frame(whole))
  expect_error(extend_selection(part, pair$repeated[1:30, ], 6), class = "mlsift_error")
  expect_identical(candidate_scores(part, pair$weighted)$score, {
    candidate_scores(sift_features(pair$repeated, sel_single_jmi(), k = 3), pair$repeated)$score
  })
  expect_identical(label_scores(pair$weighted, sel_mim())[], label_scores(pair$repeated, sel_mim())[])
})

test_that("learners take weights or refuse them by name", {
  learners <- list_learners()
  for (kind in target_kinds) {
    pair <- weighted_pair(kind = kind)
    drop <- c(1, 2, 4:8)
    rows <- 1:20
    # lrn_chosen() needs a selector that chooses.
    for (code in setdiff(learners$constructor, "lrn_chosen()")) {
      learner <- or_else(eval(parse(text = code)), NULL)
      if (is.null(learner) || !kind %in% learner_method(learner)$kinds) next
      train <- pair$weighted[, drop]
      if (!learner_method(learner)$weights) {
        expect_error(fit(learner, train), "cannot use the weights", class = "mlsift_error")
        next
      }
      found <- predict(fit(learner, train), train[rows, ])
      expected <- predict(fit(learner, pair$repeated[, drop]), train[rows, ])
      expect_equal(found$score, expected$score, tolerance = 1e-7, info = code)
      expect_equal(found$response, expected$response, tolerance = 1e-7, info = code)
    }
  }
})

test_that("everything else refuses weights, or uses them", {
  task <- weighted_pair()$weighted
  label <- "without weights"
  expect_error(label_graph(task), label, class = "mlsift_error")
  expect_error(filter_frequent(task, 0.5), label, class = "mlsift_error")
  expect_identical(sift_features(count_tables(task, sel_mim()), sel_mim())$score, sift_features(task, sel_mim())$score)
  expect_error(benchmark_selectors(task, list(sel_gmba()), list(lrn_nb()), rs_cv(2), k = 2,
    measures = "hamming_loss"), "weights",
    class = "mlsift_error")
})

test_that("evaluate() takes the weights of a task", {
  task <- weighted_pair()$weighted
  other <- mltask(features(task), targets(task))
  prediction <- predict(fit(lrn_brknn(), other[, c(1, 2)]), other)
  expect_identical(evaluate(prediction, task), evaluate(prediction, other, weights = row_weights(task)))
  expect_false(identical(evaluate(prediction, task), evaluate(prediction, other)))
  expect_identical(msr_macro_f1(task, prediction), evaluate(prediction, task, "macro_f1")$value)
})

test_that("weights that squares would overflow or lose are refused, large ones are not", {
  set.seed(12)
  x <- matrix(rnorm(60), 20)
  y <- matrix(rbinom(40, 1, 0.5), 20)
  for (weight in c(1e160, 1e-160)) {
    expect_error(mltask(x, y, weights = c(weight, rep(1, 19))), "between 1e-50 and 1e50", class = "mlsift_error")
  }
  plain <- sift_features(mltask(x, y), sel_br_cc())
  for (weight in c(1e50, 1e-50)) {
    expect_equal(sift_features(mltask(x, y, weights = rep(weight, 20)), sel_br_cc())$score, plain$score,
      tolerance = 1e-12)
  }
})

test_that("searches fit to weighted rows, and measure weighted rows", {
  local_no_words()
  set.seed(13)
  n <- 70
  x <- matrix(rnorm(n * 6), n, dimnames = list(NULL, paste0("f", 1:6)))
  labels <- random_labels(n, 3)
  classes <- data.frame(a = factor(sample(letters[1:3], n, TRUE)), b = factor(labels[, 1]))
  targets <- list(label = labels, class = classes, numeric = cbind(a = x[, 1] + rnorm(n), b = rnorm(n)))
  w <- sample(0:4, n, TRUE)
  inner <- rs_fixed(1:45, 46:70)
  copies <- rep(seq_len(n), w)
  repeated_inner <- rs_fixed(which(copies <= 45), which(copies > 45))
  own <- lrn_custom("own", function(x, y, weights) apply(y, 2, stats::weighted.mean, weights %||% rep(1, nrow(y))),
    function(model, x) 0.5 * outer(stats::plogis(x[, 1]), model, "+"))
  own_loss <- msr_custom("own", function(truth, response, weights = rep(1, nrow(truth))) {
    stats::weighted.mean(rowMeans(truth != response), weights)
  })
  cases <- list(
    list("label", list(lrn_nb(), lrn_mlnb(), lrn_brlr(), lrn_chain(lrn_nb(), chain_order = 3:1), own),
      list("hamming_loss", "ranking_loss", "macro_auc", "example_f1", own_loss)),
    list("class", list(lrn_nb(), lrn_brlr()), list("accuracy", "kappa")),
    list("numeric", list(lrn_linear()), list("amae", "arrmse"))
  )
  turn <- 0L
  for (case in cases) for (learner in case[[2]]) for (measure in some_or_all(case[[3]], turn <- turn + 1L, 2L)) {
    task <- mltask(x, targets[[case[[1]]]], weights = w)
    used <- task[w > 0, ]
    search <- function(inner) sel_rga(learner, measure, 3, 8, population = 4, inner = inner)
    found <- searched(search(inner), task)
    of <- function(set) {
      train <- task[1:45, set]
      test <- task[46:70, set]
      predicted <- predict(fit(learner, train), test)
      value <- evaluate(predicted, test, list(m = measure), train_mean = train, weights = row_weights(test))$value
      if (resolve_measures(measure, case[[1]])[[1]]$direction == "maximize") 1 - value else value
    }
    info <- paste(case[[1]], learner$name, if (is.character(measure)) measure)
    expect_equal(values_of(found), vapply(sets_of(found), of, 0), tolerance = 1e-12, info = info)
    again <- searched(search(repeated_inner), mltask(x, targets[[case[[1]]]])[copies, ])
    # Later sets may be others, where values that are equal but for rounding compete.
    expect_identical(sets_of(again)[1:4], sets_of(found)[1:4])
    expect_equal(values_of(again)[1:4], values_of(found)[1:4], tolerance = 1e-7, info = info)
  }
})

test_that("all searches take weights where learner and filter do, and resume", {
  skip_unless_all()
  pair <- weighted_pair(50, 14)
  learner <- lrn_nb()
  settings <- list(population = 4, inner = rs_holdout(0.7, 1))
  ones <- mltask(features(pair$repeated), targets(pair$repeated), weights = rep(1, nrow(pair$repeated)))
  make <- list(sel_rga, sel_nsga2, sel_mpsofs, sel_ga_explore, sel_mamfs, sel_sequential)
  for (constructor in make) {
    of <- function(evaluations, ...) {
      given <- list(learner, "hamming_loss", max_features = 3, evaluations = evaluations, inner = settings$inner)
      do.call(constructor, c(given, if (!identical(constructor, sel_sequential)) settings["population"], list(...)))
    }
    found <- searched(of(14), pair$weighted)
    used <- pair$weighted[row_weights(pair$weighted) > 0, ]
    fitness <- oracle_fitness(used, of(14)$params, first_number(1))
    expect_identical(values_of(found), vapply(seq_along(sets_of(found)), \(n) fitness(sets_of(found)[[n]], n), 0))
    longer <- extend_selection(searched(of(9), pair$weighted), pair$weighted, evaluations = 14)
    expect_identical(longer$index, found$index)
    expect_identical(values_of(longer), values_of(found))
    expect_identical(values_of(searched(of(14), ones)), values_of(searched(of(14), pair$repeated)))
    learner <- lrn_mlknn(3)
    expect_error(sift_features(pair$weighted, of(14)), "cannot use the weights", class = "mlsift_error")
    learner <- lrn_nb()
  }
  expect_error(sift_features(pair$weighted, sel_ga_explore(lrn_nb(), explore = sel_knn_mi())), "cannot use the weights",
    class = "mlsift_error")
  expect_error(extend_selection(searched(of(9), pair$weighted), pair$repeated, evaluations = 14), "data are different",
    class = "mlsift_error")
})

test_that("the filters of searches count weighted rows", {
  pair <- weighted_pair(60, 15)
  w <- row_weights(pair$weighted)
  copies <- rep(seq_along(w), w)
  for (constructor in list(sel_ga_explore, sel_mamfs)) {
    of <- function(rows) {
      inner <- rs_fixed(which(rows <= 40), which(rows > 40))
      constructor(lrn_nb(), "hamming_loss", 3, 14, population = 4, inner = inner)
    }
    weighted <- searched(of(seq_along(w)), pair$weighted)
    repeated <- searched(of(copies), pair$repeated)
    expect_identical(sets_of(weighted), sets_of(repeated))
  }
})

test_that("splits, estimates and tests are those of the task without rows of weight 0", {
  skip_unless_all()
  set.seed(16)
  n <- 60
  x <- data.frame(a = rnorm(n), b = rnorm(n), f = factor(sample(letters[1:3], n, TRUE)), c = rnorm(n))
  labels <- cbind(u = x$a + rnorm(n) / 2 > 0, v = x$b > 0.3) + 0
  w <- sample(c(0, 0, 1, 2), n, TRUE)
  used <- which(w > 0)
  group <- sample(1:18, n, TRUE)
  time <- sample(1:40, n, TRUE)
  of <- function(rows, ...) mltask(x[rows, ], labels[rows, ], weights = w[rows], ...)
  both <- list(
    list(of(1:n), of(used)), list(of(1:n, group = group), of(used, group = group[used])),
    list(of(1:n, time = time), of(used, time = time[used]))
  )
  seeded <- function(f, task, ...) {
    set.seed(2)
    suppressMessages(f(task, ...))
  }
  local_few_draws()
  for (pair in both) {
    kinds <- list(rs_cv(4), rs_cv(3, 2, stratify = FALSE), rs_holdout(0.6, 3), rs_holdout(n_train = 9, n_test = 8))
    for (kind in c(kinds, list(rs_forward(3))[!is.null(row_times(pair[[1]]))])) {
      whole <- seeded(split_rows, pair[[1]], kind)
      expect_identical(whole, lapply(seeded(split_rows, pair[[2]], kind), lapply, \(part) used[part]))
    }
    compare <- function(task) benchmark_selectors(list(t = task), sel_mim(), lrn_nb(), k = 1:2, measures = "macro_f1",
      resampling = if (is.null(row_times(task))) rs_cv(3) else rs_forward(2))
    expect_identical(seeded(compare, pair[[1]])$value, seeded(compare, pair[[2]])$value)
    found <- lapply(pair, \(task) seeded(sift, task, learner = lrn_nb(), selectors = sel_mim(), max_features = 2))
    expect_identical(found[[1]][c("features", "quality", "notes")], found[[2]][c("features", "quality", "notes")])
    expect_match(capture_output(print(summary(found[[1]]))), paste("Left out:", n - length(used), "rows of weight 0"))
    expect_match(paste(as_code(found[[1]]), collapse = "\n"), "row_weights(task) > 0", fixed = TRUE)
    if (length(row_groups(pair[[1]])) + length(row_times(pair[[1]])) == 0L) {
      expect_identical(seeded(score_test, pair[[1]], sel_mim(), n = 9), seeded(score_test, pair[[2]], sel_mim(), n = 9))
    }
  }
  # Groups that are given by row are of all rows; splits that are given stay as they are.
  by <- list(rs_cv(4, group = group), rs_cv(4, group = group[used]))
  expect_identical(seeded(split_rows, both[[1]][[1]], by[[1]]),
    lapply(seeded(split_rows, both[[1]][[2]], by[[2]]), lapply, \(part) used[part]))
  expect_identical(split_rows(both[[1]][[1]], rs_fixed(1:30, 31:60))$fixed, list(train = 1:30, test = 31:60))
  expect_error(split_rows(mltask(x, labels, weights = c(1, rep(0, n - 1))), rs_cv(3)), "At least two rows",
    class = "mlsift_error")
  expect_error(split_rows(mltask(x, labels, weights = c(1, 1, rep(0, n - 2))), rs_cv(3)), "2 rows can be split",
    class = "mlsift_error")
  # Labels that are unknown, sparse features, and choices inside.
  y <- replace(labels, sample(2 * n, 20), NA)
  choice <- sel_best(list(sel_mim(), sel_scls()), lrn_nb())
  for (x in list(data.matrix(x), Matrix::Matrix((data.matrix(x) > 0) + 0, sparse = TRUE))) {
    values <- lapply(list(1:n, used), function(rows) {
      task <- mltask(x[rows, ], y[rows, ], weights = w[rows])
      compare <- function(task) benchmark_selectors(list(t = task), choice, lrn_nb(), rs_cv(3), 2, "hamming_loss")
      seeded(compare, task)$value
    })
    expect_identical(values[[1]], values[[2]])
  }
})

test_that("a refusal names the selector or learner that cannot", {
  set.seed(1)
  whole <- simulate_mltask(60, n_features = 6, n_targets = 3)
  weighted <- mltask(features(whole), targets(whole), weights = rep(1:2, 30))
  unknown <- mltask(features(whole), replace(as.matrix(targets(whole)), 1:5, NA))
  refused <- function(task, selector, ...) {
    # Messages may break at any space.
    for (one in gsub(" ", "[[:space:]]+", c(...), fixed = TRUE)) {
      expect_error(sift_features(task, selector), one, class = "mlsift_error")
    }
  }
  for (search in list(sel_rga(lrn_mlknn()), sel_ga_explore(lrn_mlknn()), sel_sequential(lrn_chain(lrn_mlknn())),
    sel_best(sel_mim(), lrn_mlknn(), "hamming_loss", k = 1:2), sel_best(learner = lrn_mlknn()))) {
    refused(weighted, search, "cannot use the weights of rows, because ML-kNN cannot", "list_learners")
  }
  refused(weighted, sel_turf(sel_ensemble(list(sel_mim(), sel_gmba()))), "TuRF cannot .*, because GMBA cannot",
    "list_selectors")
  refused(weighted, sel_best(list(sel_gmba(), sel_spec()), lrn_nb()), "Best cannot .*, because GMBA cannot")
  refused(weighted, sel_rga(lrn_powerset(lrn_nb(), min_count = 2)), "RGA cannot .*, because PS NB cannot")
  own <- lrn_custom("own", fit = function(x, y) 1, predict = function(model, x) 1)
  refused(weighted, sel_rga(own), "because own cannot", "`fit` gets them")
  refused(weighted, sel_gmba(), "GMBA cannot use the weights of rows[.]")
  refused(unknown, sel_nsga2(lrn_lp()), "NSGA-II cannot .* some rows, because LP-kNN cannot", "list_learners")
  refused(unknown, sel_bagged(sel_mfs()), "because MFS cannot", "list_selectors")
  expect_error(fit(lrn_chain(lrn_brknn()), weighted), "because BR-kNN cannot", class = "mlsift_error")
  tasks <- list(whole = whole, survey = weighted)
  expect_error(benchmark_selectors(tasks, sel_gmba(), lrn_nb(), rs_cv(2), k = 2, measures = "hamming_loss"),
    "rows of task \"survey\" have weights", class = "mlsift_error")
})

selectors <- list(
  ami = sel_ami(), scls = sel_scls(), d2f = sel_d2f(), pmu = sel_pmu(), mdmr = sel_mdmr(), lrfs = sel_lrfs(),
  lsmfs = sel_lsmfs(), mlsmfs = sel_mlsmfs(),
  single_jmi = sel_single_jmi(), joint_jmi = sel_joint_jmi()
)

for (name in names(selectors)) {
  test_that(paste(name, "picks by its equation, in every layout"), {
    withr::local_seed(11)
    expect_greedy_everywhere(selectors[[name]], name)
  })
}

test_that("greedy selection gives the same bits for permuted rows and labels, relabelled levels and factors", {
  skip_unless_all()
  withr::local_seed(12)
  x <- random_codes(80, 7, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  for (name in names(selectors)) {
    expected <- as.data.frame(sift_scored(coded_task(x, y), selectors[[name]]))
    expect_identical(
      as.data.frame(sift_scored(coded_task(x[rows, ], y[rows, ]), selectors[[name]])), expected, label = name
    )
    expect_identical(
      as.data.frame(sift_scored(coded_task(as_factors(x), y), selectors[[name]])), expected, label = name
    )
    relabelled <- matrix(c(7, -2, 3)[x + 1], 80, dimnames = dimnames(x))
    expect_identical(as.data.frame(sift_scored(coded_task(relabelled, y), selectors[[name]])), expected, label = name)
    if (!name %in% c("pmu", "lrfs", "lsmfs")) {
      expect_identical(as.data.frame(sift_scored(coded_task(x, y[, 6:1]), selectors[[name]])), expected, label = name)
    }
  }
})

test_that("features of few rows, which meet few of many labels, interact with all of them", {
  withr::local_seed(17)
  y <- matrix(rbinom(80 * 20, 1, 0.08), 80, dimnames = list(NULL, paste0("l", 1:20)))
  y[cbind(1:20, 1:20)] <- 1
  x <- vapply(1:12, function(f) as.numeric(seq_len(80) %in% sample(80, 1 + f %% 3)), double(80))
  x[, 12] <- 1 - x[, 12]
  dimnames(x) <- list(NULL, paste0("f", 1:12))
  met <- vapply(1:12, function(f) sum(colSums(y[x[, f] == (f < 12), , drop = FALSE]) > 0), 0)
  expect_lte(min(met), 20 / 4)
  found <- sift_scored(coded_task(x, y), sel_fimf(n_labels = 20))
  expected <- apply(x, 2, function(f) sum(apply(y, 2, oracle_information, b = f)) - oracle_ld(f, y))
  expect_equal(found$score[order(found$index)], unname(expected), tolerance = 1e-10)
})

test_that("with one label LSMFS and MLSMFS are AMI, and constant labels add no pairs", {
  withr::local_seed(18)
  x <- random_codes(60, 6, 4)
  y <- random_labels(60, 4)
  y <- y[, apply(y, 2, \(l) length(unique(l)) > 1)]
  for (selector in list(sel_lsmfs(), sel_mlsmfs())) {
    one <- coded_task(x, y[, 1, drop = FALSE])
    expect_identical(as.data.frame(sift_scored(one, selector)), as.data.frame(sift_scored(one, sel_ami())))
    expect_identical(
      as.data.frame(sift_scored(coded_task(x, cbind(y, on = 1, off = 0)), selector)),
      as.data.frame(sift_scored(coded_task(x, y), selector))
    )
    found <- sift_scored(coded_task(x, cbind(y[, 1:2], on = 1)), selector)
    expect_greedy(found, tolower(selector$name), x, cbind(y[, 1:2], on = 1))
  }
  # Two copies of a label share all that the feature says about them, and neither adds to the other.
  twins <- sift_scored(coded_task(x, cbind(a = y[, 1], b = y[, 1])), sel_lsmfs(), k = 1)
  expect_equal(twins$score, 4 * max(apply(x, 2, oracle_information, b = y[, 1])), tolerance = 1e-12)
  twins <- sift_scored(coded_task(x, cbind(a = y[, 1], b = y[, 1])), sel_mlsmfs(), k = 1)
  expect_equal(twins$score, 2 * max(apply(x, 2, oracle_information, b = y[, 1])), tolerance = 1e-12)
  # Each of two labels says something about their sum only together with the other.
  l <- cbind(a = rep(0:1, 16), b = rep(c(0, 0, 1, 1), 8))
  both <- cbind(xor = (l[, 1] + l[, 2]) %% 2, noise = rep(c(0, 0, 0, 0, 1, 1, 1, 1), 4))
  expect_identical(sift_scored(coded_task(both, l), sel_mlsmfs(), k = 1)$score, 1)
  expect_identical(sift_scored(coded_task(both, l), sel_lsmfs())$score, c(0, 0))
})

test_that("FIMF is relevance less the interaction of a few labels", {
  withr::local_seed(13)
  x <- random_codes(60, 6, 3)
  y <- random_labels(60, 6)
  found <- expect_same_everywhere(x, y, sel_fimf(n_labels = 3))
  occurring <- y[, colSums(y) > 0]
  few <- occurring[, order(-round(apply(occurring, 2, oracle_entropy), 12))[1:3]]
  expected <- apply(x, 2, function(f) sum(apply(y, 2, oracle_information, b = f)) - oracle_ld(f, few))
  expect_equal(found$score[order(found$index)], unname(expected), tolerance = 1e-10)
  some <- sift_scored(coded_task(x, y), sel_fimf(n_features = 2))
  entropy <- round(apply(x, 2, oracle_entropy), 12)
  expect_identical(sum(is.finite(some$score)), 2L)
  expect_identical(some$index[3:6], order(-entropy)[3:6])
  some <- coded_task(x[, -2], y[, -(2:3)])
  expect_snapshot(error = TRUE, {
    sift_features(some, sel_fimf(n_features = 7))
    sel_fimf(n_features = 0)
    sel_fimf(n_features = 1.5)
    sel_fimf(n_labels = -1)
  })
  expect_warning(sift_scored(coded_task(x, y), sel_fimf(n_labels = 6)), "n_labels", class = "mlsift_warning")
})

test_that("the linear family holds its special cases exactly", {
  withr::local_seed(14)
  task <- coded_task(random_codes(70, 8, 3), random_labels(70, 5))
  q <- 3  # one label never on, one always
  same <- function(family, known) {
    a <- as.data.frame(sift_scored(task, family))
    b <- as.data.frame(sift_scored(task, known))
    expect_identical(a, b)
  }
  same(sel_greedy(redundancy = 1), sel_ami())
  same(sel_greedy(conditional = 1), sel_d2f())
  same(sel_greedy(label_interaction = 1, conditional = 1), sel_pmu())
  same(sel_greedy(relevance = function(q) q - 1, label_interaction = 2, redundancy = 1, average = TRUE), sel_lrfs())
  same(sel_greedy(relevance = q - 1, label_interaction = 2, redundancy = 1, average = TRUE), sel_lrfs())
  mim <- sift_scored(task, sel_mim())
  family <- sift_scored(task, sel_greedy())
  expect_identical(family$index, mim$index)
  expect_identical(pmax(family$score, 0), mim$score)
  mdmr <- sift_scored(task, sel_mdmr())
  family <- sift_scored(task, sel_greedy(relevance = 2, redundancy = 1, conditional = 1, average = TRUE))
  expect_identical(family$index, mdmr$index)
  expect_equal(family$score[-1], mdmr$score[-1], tolerance = 1e-12)
  # sum_s T(f, s) = |S| R(f) + sum_s R(s) - sum_s C(f, s): the same order as R(f) - mean_s C(f, s).
  expect_identical(
    sift_scored(task, sel_greedy(conditional = 1, average = TRUE))$index, sift_scored(task, sel_single_jmi())$index
  )
})

test_that("identities of the criteria", {
  withr::local_seed(15)
  x <- random_codes(60, 7, 3)
  y <- random_labels(60, 3)
  task <- coded_task(x, y)
  # FIMF with all labels is the first step of PMU; D2F and Single-JMI agree on the second feature when they do on the
  # first.
  expect_identical(sift_scored(task, sel_fimf(n_labels = 3))$score[1], sift_scored(task, sel_pmu(), k = 1)$score)
  expect_identical(sift_scored(task, sel_d2f(), k = 2)$index, sift_scored(task, sel_single_jmi(), k = 2)$index)
  one <- coded_task(x, y[, 1, drop = FALSE])
  expect_equal(
    as.data.frame(sift_scored(one, sel_joint_jmi())), as.data.frame(sift_scored(one, sel_single_jmi())),
    tolerance = 1e-14
  )
  # A copy of the newest feature adds nothing to it: I((s, s); l) = I(s; l).
  copies <- x
  copies[, 3] <- copies[, 1]
  sel <- sift_scored(coded_task(copies[, c(1, 3)], y), sel_single_jmi())
  expect_equal(sel$score[2], sel$score[1], tolerance = 1e-14)
  expect_equal(sift_scored(coded_task(copies[, c(1, 3)], y), sel_scls())$score[2], 0, tolerance = 1e-14)
})

test_that("the program of D2F subtracts again what it subtracted before", {
  withr::local_seed(16)
  x <- random_codes(50, 6, 3)
  y <- random_labels(50, 3)
  sel <- sift_scored(coded_task(x, y), sel_d2f("code2015"))
  score <- apply(x, 2, function(f) sum(apply(y, 2, oracle_information, b = f)))
  for (i in first_or_all(1:6, 3)) {
    if (i > 1) for (s in sel$index[1:(i - 1)]) score <- score -
      apply(x, 2, function(f) sum(apply(y, 2, function(l) oracle_co(f, x[, s], l))))
    expect_equal(sel$score[i], score[[sel$index[i]]], tolerance = 1e-10)
  }
})

test_that("class targets and binned numeric targets enter with all their levels", {
  withr::local_seed(17)
  x <- random_codes(60, 6, 3)
  classes <- data.frame(
    a = factor(sample(letters[1:3], 60, TRUE)), b = factor(sample(letters[1:4], 60, TRUE)), c = factor(rep("one", 60))
  )
  task <- mltask(x, classes, discrete = all_discrete(x))
  y <- vapply(classes, as.integer, integer(60))
  for (name in c("ami", "scls", "d2f", "mdmr", "single_jmi", "joint_jmi")) expect_greedy(
    sift_scored(task, selectors[[name]]), name, x, y
  )
  expect_equal(scores_of(task, sel_mim()), unname(oracle_mim(x, y)), tolerance = 1e-12)
  numbers <- matrix(rnorm(120), 60, dimnames = list(NULL, c("u", "v")))
  cut <- vapply(
    1:2, function(t) findInterval(numbers[, t], min(numbers[, t]) + 1:3 * diff(range(numbers[, t])) / 4), integer(60)
  )
  regression <- mltask(x, numbers, discrete = all_discrete(x))
  expect_greedy(sift_scored(regression, sel_ami(), target_bins = 4), "ami", x, cut)
  expect_snapshot(error = TRUE, {
    sift_features(regression, sel_ami())
    sift_features(regression, sel_pmu())
    sift_features(regression, sel_fimf())
    sift_features(regression, sel_lrfs(), target_bins = 3)
    sift_features(regression, sel_ami(), target_bins = 1)
    sift_features(regression, sel_qpmlfs())
    sift_features(task, sel_pmu())
    sift_features(task, sel_ami(), target_bins = 3)
  })
})

test_that("features can be included, excluded, and selection stopped", {
  withr::local_seed(18)
  x <- random_codes(60, 7, 3)
  y <- random_labels(60, 3)
  task <- coded_task(x, y)
  for (selector in list(sel_scls(), sel_d2f(), sel_mim())) {
    sel <- sift_scored(task, selector, k = 5, include = c("f6", "f2"), exclude = 1)
    expect_identical(sel$feature[1:2], c("f6", "f2"))
    expect_true(all(is.na(sel$score[1:2])) && !anyNA(sel$score[3:5]) && !"f1" %in% sel$feature)
    expect_identical(nrow(sift_scored(task, selector, exclude = c("f1", "f2"))), 5L)
    full <- sift_scored(task, selector)
    least <- stats::median(full$score)
    stopped <- sift_scored(task, selector, min_gain = least)
    expect_identical(as.data.frame(stopped), utils::head(as.data.frame(full), match(TRUE, full$score < least) - 1L))
  }
  begun <- sift_scored(task, sel_ami(), k = 4, include = "f5")
  expect_equal(
    begun$score[2], max(vapply(setdiff(1:7, 5), function(f) oracle_score("ami", x, y, f, 5), 0)), tolerance = 1e-10
  )
  expect_warning(first <- sift_scored(task, sel_ami(), k = 5, max_seconds = 0), "1 of 5 features; `extend_selection()`",
    fixed = TRUE)
  expect_identical(nrow(first), 1L)
  expect_identical(sift_scored(task, sel_none(), exclude = "f3")$feature, paste0("f", c(1, 2, 4:7)))
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_ami(), include = "f9")
    sift_features(task, sel_ami(), include = 8)
    sift_features(task, sel_ami(), include = c(1, 1))
    sift_features(task, sel_ami(), include = c(TRUE, FALSE))
    sift_features(task, sel_ami(), include = NA)
    sift_features(task, sel_ami(), exclude = "g1")
    sift_features(task, sel_ami(), k = 1, include = c("f1", "f2"))
    sift_features(task, sel_ami(), include = "f1", exclude = "f1")
    sift_features(task, sel_ami(), exclude = 1:7)
    sift_features(task, sel_ami(), min_gain = "a")
    sift_features(task, sel_ami(), max_seconds = -1)
    sel_greedy(redundancy = "one")
    sel_greedy(average = NA)
    sel_ami(base = 1)
    sel_d2f("code")
    sift_features(task, sel_greedy(relevance = function(q) NA))
  })
})

test_that("an extended selection is the long one, bit by bit", {
  withr::local_seed(19)
  x <- random_codes(80, 9, 3)
  task <- coded_task(x, random_labels(80, 5))
  strip <- function(sel) { attr(sel, "seconds") <- NULL; sel }
  for (selector in c(selectors, list(sel_d2f("code2015"), sel_ami(base = exp(1))))) {
    long <- sift_scored(task, selector, k = 7)
    expect_identical(strip(extend_selection(sift_scored(task, selector, k = 3), task, 7)), strip(long))
    twice <- extend_selection(extend_selection(sift_scored(task, selector, k = 2), task, 4), task, 7)
    expect_identical(strip(twice), strip(long))
    expect_identical(as.data.frame(extend_selection(long, task, 3)), as.data.frame(head(long, 3)))
  }
  begun <- sift_scored(task, sel_scls(), k = 3, include = "f4", exclude = "f1")
  expect_identical(
    strip(extend_selection(begun, task, 6)),
    strip(sift_scored(task, sel_scls(), k = 6, include = "f4", exclude = "f1"))
  )
  expect_warning(stopped <- sift_scored(task, sel_ami(), max_seconds = 0), "stopped by `max_seconds`")
  expect_identical(
    as.data.frame(extend_selection(stopped, task, 5)), as.data.frame(sift_scored(task, sel_ami(), k = 5))
  )
  sel <- sift_scored(task, sel_ami(), k = 3)
  other <- coded_task(x, random_labels(80, 5))
  ranked <- sift_features(task, sel_mim(), k = 2)
  expect_snapshot(error = TRUE, {
    extend_selection(sel, other, 5)
    extend_selection(sel, task[, 1:5], 5)
    extend_selection(head(sel, 2), task, 5)
    extend_selection(ranked, task, 5)
    extend_selection(sel, task, 0)
    extend_selection("f1", task, 5)
  })
})

test_that("features of very many levels count as others do, beside sparse and dense ones", {
  withr::local_seed(21)
  n <- 900
  x <- data.frame(
    many = sample(662, n, TRUE), dense = rbinom(n, 1, 0.4), rare = rbinom(n, 1, 0.02), five = sample(5, n, TRUE),
    all = sample(n)
  )
  y <- cbind(a = rbinom(n, 1, 0.3), b = as.integer(x$five > 3))
  task <- mltask(x, y, discrete = c(many = TRUE, all = TRUE))
  for (selector in list(sel_ami(), sel_scls(), sel_d2f(), sel_mdmr())) {
    got <- sift_scored(task, selector)
    shuffled <- sample(n)
    expect_identical(
      as.data.frame(sift_scored(task[shuffled, ], selector, threads = 2)),
      as.data.frame(got)
    )
  }
  ami <- sift_scored(task, sel_ami())
  for (i in seq_len(nrow(ami))) {
    s <- ami$index[seq_len(i - 1L)]
    score <- sum(apply(y, 2, oracle_information, x[[ami$index[i]]])) -
      sum(vapply(s, function(j) oracle_information(x[[j]], x[[ami$index[i]]]), 0))
    expect_equal(ami$score[i], score, tolerance = 1e-10)
  }
})

test_that("interactions with pairs of labels are exact for rare features among many labels", {
  skip_unless_all()
  withr::local_seed(41)
  n <- 60
  q <- 14
  x <- matrix(0, n, 6, dimnames = list(NULL, paste0("f", 1:6)))
  for (f in 1:4) x[sample.int(n, f), f] <- 1
  x[-sample.int(n, 2), 5] <- 1
  x[, 6] <- sample(0:2, n, TRUE)
  y <- random_labels(n, q, 0.15)
  y[x[, 1] == 1, 1] <- 1L
  labels <- which(colSums(y) > 0 & colSums(y) < n)
  information <- function(...) {
    counts <- table(...)
    sum(ifelse(counts > 0, counts * log2(counts), 0))
  }
  co_information <- function(f, a, b) {
    g <- information
    (n * log2(n) - g(f) - g(a) - g(b) + g(f, a) + g(f, b) + g(a, b) - g(f, a, b)) / n
  }
  pairs <- utils::combn(labels, 2)
  expected <- apply(x, 2, \(f) sum(apply(pairs, 2, \(p) co_information(f, y[, p[1]], y[, p[2]]))))
  for (task in list(coded_task(x, y), coded_task(sparse(x), sparse(y)))) {
    rows <- cpp_task_rows(list(x = task$x, cuts = NULL, right = FALSE, y = task$targets$values, classes = FALSE,
      weights = NULL))
    found <- cpp_label_pairs(rows, labels, "interaction", 1L)
    expect_equal(found, unname(expected), tolerance = 1e-9)
    expect_identical(cpp_label_pairs(rows, labels, "interaction", 2L), found)
    for (kind in c("sum", "largest")) {
      found <- cpp_label_pairs(rows, labels, kind, 1L)
      expect_equal(found, unname(apply(x, 2, oracle_supplement, y, kind == "largest")), tolerance = 1e-9)
      expect_identical(cpp_label_pairs(rows, labels, kind, 2L), found)
    }
  }
})

test_that("too many labels for tables of pairs are refused before memory runs out", {
  expect_no_error(check_label_pairs(17000))
  expect_error(check_label_pairs(60000), "94 GB", class = "mlsift_error")
  withr::local_seed(42)
  task <- mltask(matrix(stats::rnorm(8), 4), Matrix::sparseMatrix(i = rep(1:4, 15000), j = 1:60000, x = 1))
  expect_error(sift_features(task, sel_mlrf()), "13 GB", class = "mlsift_error")
  expect_error(sift_features(task, sel_pmu()), "94 GB", class = "mlsift_error")
  expect_error(sift_features(task, sel_lsmfs()), "121 GB", class = "mlsift_error")
})

test_that("rare features that meet many rows of many class targets count as others do", {
  withr::local_seed(77)
  x <- matrix(rbinom(200 * 30, 1, 0.15), 200, dimnames = list(NULL, paste0("f", 1:30)))
  y <- as.data.frame(lapply(1:12, function(i) factor(sample(letters[1:5], 200, TRUE))), col.names = paste0("t", 1:12))
  sparse <- mltask(as(x, "CsparseMatrix"), y)
  for (selector in list(sel_ami(), sel_cmim(), sel_scls())) {
    expect_identical(
      sift_features(sparse, selector, k = 6)$score, sift_features(mltask(x, y), selector, k = 6)$score,
      label = selector$name
    )
  }
})

test_that("sparse features with many levels in most rows count as dense ones do", {
  withr::local_seed(78)
  x <- matrix(sample(0:20, 150 * 12, TRUE, c(0.35, rep(0.65 / 20, 20))), 150, dimnames = list(NULL, paste0("f", 1:12)))
  y <- random_labels(150, 5)
  discrete <- stats::setNames(rep(TRUE, 12), colnames(x))
  for (selector in list(sel_ami(), sel_scls(), sel_joint_jmi(), sel_mrmr())) {
    sparse <- sift_features(mltask(as(x + 0, "CsparseMatrix"), y, discrete = discrete), selector)
    dense <- sift_features(mltask(x, y, discrete = discrete), selector)
    expect_identical(sparse$score, dense$score, label = selector$name)
  }
})

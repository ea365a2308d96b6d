all_names <- c(
  "hamming_loss", "subset_accuracy", "jaccard", "example_precision", "example_recall", "example_f1", "micro_precision",
  "micro_recall", "micro_f1", "macro_precision", "macro_recall", "macro_f1", "ranking_loss", "one_error", "coverage",
  "norm_coverage", "average_precision", "macro_auc", "micro_auc", "example_fbeta", "micro_fbeta", "macro_fbeta",
  "weighted_precision", "weighted_recall", "weighted_f1", "weighted_fbeta", "micro_specificity", "macro_specificity",
  "macro_auprc", "micro_auprc", "log_loss"
)
all_values <- function(d, ...) vapply(all_names, call_measure, 0, d = d, ...)
of_examples <- grep("example|jaccard", all_names, value = TRUE)
with_empty <- c(of_examples, grep("_(precision|recall|f1|fbeta)$", all_names[-(1:6)], value = TRUE))
with_empty <- setdiff(unique(with_empty), "average_precision")
oracle_of_sets <- function(m) if (m %in% of_examples) oracle_example else oracle_label

test_that("every measure equals its definition", {
  withr::local_seed(1)
  sizes <- list(c(25, 5), c(1, 4), c(6, 1), c(1, 1), c(40, 9))
  for (size in sizes) for (i in 1:4) {
    d <- random_scored(size[1], size[2])
    expect_equal(all_values(d), vapply(all_names, oracle_measure, 0, d = d), tolerance = 1e-12)
  }
})

test_that("`empty` is the value of nothing true and nothing predicted", {
  withr::local_seed(2)
  d <- random_scored()
  for (m in with_empty) for (empty in list(1, 0, 0.3, NA)) {
    expect_equal(
      call_measure(m, d, empty = empty), oracle_of_sets(m)(d$truth, d$response, m, as.numeric(empty)), tolerance = 1e-12
    )
  }
  none <- list(truth = matrix(0, 2, 2), response = matrix(0, 2, 2))
  for (m in with_empty) {
    expect_identical(call_measure(m, none), 1)
    expect_identical(call_measure(m, none, empty = NA), NA_real_)
  }
})

test_that("`zero_division` is the value of every ratio with a denominator of 0, as in scikit-learn", {
  withr::local_seed(20)
  d <- random_scored()
  d$truth[, 3] <- d$response[, 4] <- 0L
  d$truth[, 5] <- d$response[, 5] <- 0L
  for (m in with_empty) for (value in list(0, 0.3, 1, NA)) {
    v <- as.numeric(value)
    oracle <- oracle_of_sets(m)
    expect_equal(call_measure(m, d, zero_division = value), oracle(d$truth, d$response, m, v, v), tolerance = 1e-12)
    both <- call_measure(m, d, empty = 0.7, zero_division = value)
    expect_equal(both, oracle(d$truth, d$response, m, 0.7, v), tolerance = 1e-12)
  }
  none <- list(truth = matrix(0L, 3, 2), response = cbind(c(1L, 0L, 0L), 0L))
  expect_identical(call_measure("weighted_precision", none, zero_division = 1), 0)
  expect_identical(call_measure("weighted_recall", none, zero_division = 1), 1)
  expect_identical(call_measure("weighted_f1", none, zero_division = 1), 0)
})

test_that("F-beta takes any weight of recall", {
  withr::local_seed(21)
  d <- random_scored()
  for (m in grep("fbeta", all_names, value = TRUE)) for (beta in c(0.1, 0.5, 1, 3)) {
    expected <- oracle_of_sets(m)(d$truth, d$response, m, beta = beta)
    expect_equal(call_measure(m, d, beta = beta), expected, tolerance = 1e-12)
  }
  for (of in c("example", "micro", "macro", "weighted")) {
    same <- call_measure(paste0(of, "_f1"), d)
    expect_equal(call_measure(paste0(of, "_fbeta"), d, beta = 1), same, tolerance = 1e-14)
  }
  p <- msr_example_precision(d$truth, d$response, convention = "cau")
  r <- msr_example_recall(d$truth, d$response, convention = "cau")
  of_means <- msr_example_fbeta(d$truth, d$response, 3, convention = "cau")
  expect_equal(of_means, 10 * p * r / (9 * p + r), tolerance = 1e-14)
})

test_that("areas and specificities without a value are left out", {
  truth <- cbind(c(0, 0, 0), c(1, 1, 1), c(1, 0, 1))
  score <- cbind(c(.1, .2, .3), c(.1, .2, .3), c(.5, .5, .1))
  of_third <- (1 / 2 * 1 / 2 + 1 / 2 * 2 / 3)
  expect_equal(msr_macro_auprc(truth, score), (1 + of_third) / 2)
  expect_equal(msr_macro_auprc(truth, score, "sklearn"), (0 + 1 + of_third) / 3)
  expect_identical(msr_macro_auprc(truth[, 1, drop = FALSE], score[, 1, drop = FALSE]), NA_real_)
  expect_identical(msr_micro_auprc(truth[, 1, drop = FALSE], score[, 1, drop = FALSE]), NA_real_)
  response <- cbind(c(1, 0, 0), c(1, 0, 1), c(0, 1, 1))
  expect_equal(msr_macro_specificity(truth, response), (2 / 3 + 0) / 2)
  expect_equal(msr_micro_specificity(truth, response), 2 / 4)
  expect_identical(msr_macro_specificity(matrix(1, 2, 2), response[1:2, 1:2]), NA_real_)
  expect_identical(msr_micro_specificity(matrix(1, 2, 2), response[1:2, 1:2]), NA_real_)
})

test_that("a probability of 0 for what is true has a bounded log loss", {
  expect_identical(msr_log_loss(cbind(1), cbind(0)), -log(2^-52))
  expect_identical(msr_log_loss(cbind(0), cbind(1)), -log(2^-52))
  expect_identical(msr_log_loss(cbind(0:1), cbind(c(0, 1))), 0)
})

test_that("every rule for ties equals its definition", {
  withr::local_seed(3)
  for (i in first_or_all(1:6, 3)) {
    d <- random_scored(n = 8, q = 6, levels = 3)
    for (ties in c("error", "half", "first", "last")) {
      expect_equal(
        msr_ranking_loss(d$truth, d$score, ties), oracle_ranking_loss(d$truth, d$score, ties), tolerance = 1e-12
      )
    }
    for (ties in c("share", "any", "first", "last")) {
      expect_equal(msr_one_error(d$truth, d$score, ties), oracle_one_error(d$truth, d$score, ties), tolerance = 1e-12)
    }
    for (ties in c("max", "average", "first", "last")) {
      expect_equal(msr_coverage(d$truth, d$score, ties), oracle_coverage(d$truth, d$score, ties), tolerance = 1e-12)
      expect_equal(msr_average_precision(d$truth, d$score, ties), oracle_average_precision(d$truth, d$score, ties),
        tolerance = 1e-12)
    }
  }
})

test_that("normalized coverage has three divisors", {
  truth <- rbind(c(1, 0, 0, 1), c(0, 0, 0, 0))
  score <- rbind(c(4, 3, 2, 1), c(1, 2, 3, 4))
  expect_identical(msr_norm_coverage(truth, score), (3 / 4 + 0) / 2)
  expect_identical(msr_norm_coverage(truth, score, divisor = "q-1"), (3 / 3 + 0) / 2)
  expect_identical(msr_norm_coverage(truth, score, divisor = "rank/q"), (4 / 4 + 0) / 2)
  expect_identical(msr_norm_coverage(matrix(1), matrix(0.5), divisor = "q-1"), 0)
  expect_identical(msr_norm_coverage(truth, score, convention = "sklearn"), (4 / 4 + 0) / 2)
  expect_identical(msr_norm_coverage(truth, score, "q", convention = "sklearn"), (3 / 4 + 0) / 2)
})

test_that("conventions set every rule of their tool", {
  withr::local_seed(4)
  na <- NA_real_
  for (i in 1:4) {
    d <- random_scored(n = 10, q = 4, levels = 3)
    same <- function(m, convention, value) {
      expect_equal(call_measure(m, d, convention = convention), value, tolerance = 1e-12, info = paste(m, convention))
    }
    t <- d$truth
    s <- d$score
    for (m in with_empty) {
      oracle <- oracle_of_sets(m)
      for (tool in c("sklearn", "utiml")) same(m, tool, oracle(t, d$response, m, 0))
      for (tool in c("mulan", "zhang")) same(m, tool, oracle(t, d$response, m, 1))
    }
    same("ranking_loss", "sklearn", oracle_ranking_loss(t, s))
    same("ranking_loss", "mulan", oracle_ranking_loss(t, s, "last"))
    same("ranking_loss", "utiml", oracle_ranking_loss(t, s, "first"))
    same("ranking_loss", "cau", oracle_ranking_loss(t, s))
    same("ranking_loss", "zhang", oracle_ranking_loss(t, s, undefined = na))
    same("one_error", "sklearn", oracle_one_error(t, s))
    same("one_error", "mulan", oracle_one_error(t, s, "last", 1))
    same("one_error", "utiml", oracle_one_error(t, s, "first", 1))
    same("one_error", "cau", oracle_one_error(t, s, "first", 1))
    same("one_error", "zhang", oracle_one_error(t, s, "any", na, na))
    same("coverage", "sklearn", oracle_coverage(t, s, minus = 0))
    same("coverage", "mulan", oracle_coverage(t, s, "last"))
    same("coverage", "utiml", oracle_coverage(t, s, "first", empty = na))
    same("coverage", "cau", oracle_coverage(t, s, "first", minus = 0))
    same("coverage", "zhang", oracle_coverage(t, s, "last", empty = -1))
    same("average_precision", "sklearn", oracle_average_precision(t, s, empty = 1))
    same("average_precision", "mulan", oracle_average_precision(t, s, "last"))
    same("average_precision", "utiml", oracle_average_precision(t, s, "first"))
    same("average_precision", "cau", oracle_average_precision(t, s))
    same("average_precision", "zhang", oracle_average_precision(t, s, "last", full = na))
  }
  d <- list(truth = cbind(1:0, 1), score = cbind(2:1, 1:2))
  expect_identical(msr_macro_auc(d$truth, d$score), 1)
  for (tool in c("cau", "zhang")) expect_identical(msr_macro_auc(d$truth, d$score, tool), 1)
  for (tool in c("sklearn", "mulan", "utiml")) expect_identical(msr_macro_auc(d$truth, d$score, tool), NA_real_)
})

test_that("an option that is given wins over the convention", {
  withr::local_seed(5)
  d <- random_scored()
  expect_identical(
    msr_jaccard(d$truth, d$response, empty = 1, convention = "sklearn"), msr_jaccard(d$truth, d$response)
  )
  expect_identical(
    msr_ranking_loss(d$truth, d$score, ties = "error", convention = "mulan"), msr_ranking_loss(d$truth, d$score)
  )
})

# Random labels, responses and scores with many ties: 60 rows, 6 labels and scores in quarters. Row 1 has no label, row
# 2 has all labels, and rows 3 and 4 have constant scores. The expected values are from scikit-learn 1.2.1 and from the
# programs of CAU-AIR-Lab/MAMLFS under Octave 7.3.
digits <- function(...) {
  rows <- strsplit(strsplit(paste(...), " ")[[1]], "")
  matrix(as.integer(unlist(rows)), length(rows), byrow = TRUE)
}

test_that("values agree with scikit-learn's and the CAU programs'", {
  y <- digits(
    "000000 111111 100111 110000 110100 000111 001011 100111 011010 011010 011000 010101 010001 100001 110111",
    "000100 011110 110010 100111 010010 010011 101100 111000 000011 000011 100101 010001 000111 100000 111010",
    "001100 000011 011000 110100 000100 000000 000000 100111 000100 000000 001100 000001 000001 011111 000000",
    "001111 000010 101100 100100 000111 100010 100100 001101 010101 000001 000010 000000 011100 001100 000000"
  )
  r <- digits(
    "110010 001101 111111 000000 001111 001111 000000 011011 001111 100000 011010 010010 011011 011101 000001",
    "101001 101010 001001 011111 011110 011010 111111 111011 011111 110101 011101 010001 001111 111111 011100",
    "111111 011101 111111 101100 111101 101100 011001 101111 011001 110001 101111 110010 011110 010110 111011",
    "010111 101111 011110 111110 001100 000011 101000 101101 101101 000101 110100 111000 110111 110001 110110"
  )
  s <- digits(
    "230140 103403 222222 000000 102324 012243 243242 122042 002242 210001 134041 041140 034022 043413 010004",
    "402004 303121 103113 134322 133440 144030 323443 442133 024343 340214 024212 041012 013224 234344 024201",
    "243223 042403 234434 203311 322412 314411 142112 203242 023112 340002 403242 421131 122230 120421 344124",
    "020434 314232 034440 333331 004410 110134 213110 203404 203302 100403 421311 443010 441343 240113 230320"
  )
  same <- function(value, expected) expect_equal(value, expected, tolerance = 1e-12)
  same(msr_hamming_loss(y, r), 0.5055555555555556)
  same(msr_subset_accuracy(y, r), 0.016666666666666666)
  same(msr_ranking_loss(y, s, convention = "cau"), 0.5251851851851852)
  same(msr_coverage(y, s, convention = "cau"), 4.3)
  same(msr_one_error(y, s, convention = "cau"), 0.6166666666666667)
  same(msr_jaccard(y, r, convention = "cau"), 0.3137779973001924)
  same(msr_example_precision(y, r, convention = "cau"), 0.4224007189320185)
  same(msr_example_recall(y, r, convention = "cau"), 0.6579529553935438)
  same(msr_example_f1(y, r, convention = "cau"), 0.5144978130521517)
  same(msr_ranking_loss(y, s, convention = "sklearn"), 0.5251851851851852)
  same(msr_coverage(y, s, convention = "sklearn"), 4.6)
  same(msr_average_precision(y, s, convention = "sklearn"), 0.5965092592592591)
  same(msr_jaccard(y, r, convention = "sklearn"), 0.3136111111111111)
  same(msr_jaccard(y, r), 0.3136111111111111)
  same(msr_example_f1(y, r, convention = "sklearn"), 0.4192989417989418)
  same(msr_example_recall(y, r, convention = "sklearn"), 0.5411111111111111)
  same(msr_example_precision(y, r, convention = "sklearn"), 0.3888888888888888)
  same(msr_micro_f1(y, r), 0.4858757062146893)
  same(msr_micro_precision(y, r), 0.4)
  same(msr_micro_recall(y, r), 0.6187050359712231)
  same(msr_macro_f1(y, r), 0.4771643637561125)
  same(msr_macro_precision(y, r), 0.3994587399759813)
  same(msr_macro_recall(y, r), 0.6075638920466507)
  same(msr_macro_auc(y, s), 0.516041280694148)
  same(msr_micro_auc(y, s), 0.5164393372180085)
  same(msr_example_fbeta(y, r, 0.5, convention = "sklearn"), 0.39314971043349695)
  same(msr_example_fbeta(y, r, convention = "sklearn"), 0.47178700390185785)
  same(msr_micro_fbeta(y, r, 0.5), 0.43043043043043044)
  same(msr_micro_fbeta(y, r), 0.5577172503242542)
  same(msr_macro_fbeta(y, r, 0.5), 0.4267488944875499)
  same(msr_macro_fbeta(y, r), 0.545257842285117)
  same(msr_weighted_fbeta(y, r, 0.5), 0.44563568204092635)
  same(msr_weighted_fbeta(y, r), 0.5603136229654153)
  same(msr_weighted_precision(y, r), 0.41858737263103424)
  same(msr_weighted_recall(y, r), 0.6187050359712231)
  same(msr_weighted_f1(y, r), 0.4949865144424275)
  same(msr_macro_specificity(y, r), 0.42284456793470077)  # recall_score() of 1 - y and 1 - r
  same(msr_micro_specificity(y, r), 0.416289592760181)
  same(msr_macro_auprc(y, s), 0.4032812560029908)
  same(msr_micro_auprc(y, s), 0.39615026865298375)
  same(msr_log_loss(y, (s + 0.5) / 5), 0.9252533071652141)
  # zero_division = 0 and 1, with labels that are never true, never predicted, or neither
  rare_y <- replace(y, cbind(rep(1:60, 2), rep(c(1, 3), each = 60)), 0L)
  rare_r <- replace(r, cbind(rep(1:60, 2), rep(c(2, 3), each = 60)), 0L)
  zero <- function(measure, at_0, at_1) {
    same(measure(rare_y, rare_r, zero_division = 0), at_0)
    same(measure(rare_y, rare_r, zero_division = 1), at_1)
  }
  zero(msr_example_precision, 0.3819444444444444, 0.41527777777777775)
  zero(msr_example_recall, 0.4513888888888889, 0.5847222222222221)
  zero(msr_example_f1, 0.37301587301587297, 0.37301587301587297)
  zero(msr_jaccard, 0.2936111111111111, 0.2936111111111111)
  zero(msr_example_fbeta, 0.40339166552401845, 0.40339166552401845)
  zero(msr_micro_precision, 0.40441176470588236, 0.40441176470588236)
  zero(msr_macro_precision, 0.2563131313131313, 0.5896464646464646)
  zero(msr_macro_recall, 0.3424845269672856, 0.675817860300619)
  zero(msr_macro_f1, 0.29285753757736516, 0.4595242042440318)
  zero(msr_macro_fbeta, 0.32061888877122385, 0.4872855554378905)
  zero(msr_weighted_precision, 0.4087158715871587, 0.6166366636663666)
  zero(msr_weighted_recall, 0.5445544554455446, 0.5445544554455446)
  zero(msr_weighted_f1, 0.46640590120019954, 0.46640590120019954)
  same(msr_macro_auprc(rare_y, s, "sklearn"), 0.30263647881993844)
  # loops over the formulas, made with the case
  same(msr_ranking_loss(y, s, ties = "half"), 0.4206944444444444)
  same(msr_ranking_loss(y, s, convention = "zhang"), 0.605982905982906)
  same(msr_coverage(y, s, ties = "max", convention = "zhang"), 3.5999999999999996)
  same(msr_average_precision(y, s, ties = "max", convention = "zhang"), 0.5344337606837608)
  same(msr_one_error(y, s, convention = "utiml"), 0.6166666666666667)
})

test_that("the programs of Chung-Ang University add 0.001 to each part", {
  truth <- rbind(c(1, 1, 0), c(0, 0, 0))
  response <- rbind(c(1, 0, 1), c(0, 0, 0))
  mean_precision <- (1.001 / 2.001 + 1) / 2
  expect_equal(msr_jaccard(truth, response, convention = "cau"), (1.001 / 3.001 + 1) / 2, tolerance = 1e-15)
  expect_equal(msr_example_precision(truth, response, convention = "cau"), mean_precision, tolerance = 1e-15)
  expect_equal(msr_example_f1(truth, response, convention = "cau"), mean_precision, tolerance = 1e-15)
  expect_identical(msr_macro_f1(truth, response, convention = "cau"), msr_macro_f1(truth, response))
})

test_that("row order, label order and threads do not matter, nor does how labels are held", {
  withr::local_seed(6)
  d <- random_scored(60, 7)
  rows <- sample(60)
  columns <- sample(7)
  moved <- lapply(d, function(m) m[rows, columns])
  expect_equal(all_values(moved), all_values(d), tolerance = 1e-12)
  for (m in c("ranking_loss", "one_error", "coverage", "norm_coverage", "average_precision", "macro_auc")) {
    expect_identical(call_measure(m, d, threads = 2), call_measure(m, d, threads = 1))
  }
  held <- list(
    double = d$truth + 0, logical = d$truth == 1, sparse = as(d$truth + 0, "CsparseMatrix"),
    frame = as.data.frame(d$truth), factors = as.data.frame(lapply(as.data.frame(d$truth), factor, levels = 0:1))
  )
  unnamed <- function(m) if (is.data.frame(m)) m else unname(m)
  for (truth in held) {
    expect_identical(all_values(list(truth = unnamed(truth), response = d$response, score = d$score)), all_values(d))
  }
})

test_that("a perfect prediction reaches the optimum and no value leaves the range", {
  withr::local_seed(7)
  records <- registry$measures[all_names]
  low <- vapply(records, function(r) r$range[1], 0)
  high <- vapply(records, function(r) r$range[2], 0)
  for (i in first_or_all(1:20, 7)) {
    d <- random_scored(12, 5)
    d$truth[rowSums(d$truth) == 0, 1] <- 1L
    d$truth[rowSums(d$truth) == 5, 2] <- 0L
    d$truth[3:4, 5] <- 0:1
    best <- ifelse(vapply(records, function(r) r$direction, "") == "minimize", low, high)
    best[c("coverage", "norm_coverage")] <- mean(rowSums(d$truth) - 1) / c(1, 5)
    expect_equal(all_values(list(truth = d$truth, response = d$truth, score = d$truth + 0)), best, tolerance = 1e-12)

    worst <- all_values(list(truth = d$truth, response = 1L - d$truth, score = 1 - d$truth))
    for (values in list(worst, all_values(d))) expect_true(all(values >= low & values <= high))
    expect_identical(
      unname(worst[c("hamming_loss", "ranking_loss", "one_error", "macro_auc", "micro_auc")]), c(1, 1, 1, 0, 0)
    )
  }
})

test_that("many rows in blocks and chunks are those of one row each", {
  withr::local_seed(8)
  d <- random_scored(333, 4)
  alone <- vapply(1:333, function(i) msr_ranking_loss(d$truth[i, , drop = FALSE], d$score[i, , drop = FALSE]), 0)
  expect_equal(msr_ranking_loss(d$truth, d$score, threads = 2), mean(alone), tolerance = 1e-12)
})

test_that("bad input is refused", {
  y <- cbind(a = c(1, 0), b = c(0, 1))
  s <- cbind(a = c(.1, .2), b = c(.3, .4))
  with_na <- y
  with_na[2, 2] <- NA
  expect_snapshot(error = TRUE, {
    msr_hamming_loss(y, y + 1)
    msr_hamming_loss(y, with_na)
    msr_hamming_loss(y, y[, 1, drop = FALSE])
    msr_hamming_loss(y, y[, 2:1])
    msr_hamming_loss(y[0, ], y[0, ])
    msr_hamming_loss(c(1, 0), y)
    msr_hamming_loss(data.frame(), y)
    msr_hamming_loss(structure(list(response = y), class = "mlprediction"), y)
    msr_hamming_loss(y, cbind(a = 1:0, c = 0:1))
    msr_hamming_loss(data.frame(a = c("x", "y")), y)
    msr_ranking_loss(y, s / 0)
    msr_ranking_loss(y, "a")
    msr_ranking_loss(y, s, ties = "halves")
    msr_macro_auc(y[, 0], s[, 0])
    msr_jaccard(y, y, convention = "sklern")
    msr_jaccard(y, y, empty = 2)
    msr_jaccard(y, y, zero_division = "warn")
    msr_macro_fbeta(y, y, beta = 0)
    msr_log_loss(y, s * 10)
    msr_macro_auprc(y, "a")
    msr_norm_coverage(y, s, divisor = "q+1")
  })
  expect_error(msr_jaccard(y, y * NaN), class = "mlsift_error")
})

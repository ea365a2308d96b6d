# Entropies of the transformed rows as oracle_transform() lists them.
oracle_divided <- function(x, rows, score) {
  entropy <- function(p) -sum((p * log2(p))[p > 0])
  apply(x, 2, function(f) {
    p <- oracle_table(f, rows)
    p <- p / sum(p)
    h <- c(entropy(rowSums(p)), entropy(colSums(p)))
    mi <- sum(h) - entropy(p)
    by <- if (score == "gain-ratio") h[1] else sum(h) / 2
    if (mi < 1e-12 || by == 0) 0 else mi / by
  })
}

scores_of_column <- function(found) found$score[order(found$index)]

test_that("gain ratio and symmetrical uncertainty equal their definitions", {
  withr::local_seed(1)
  for (n in c(8, 60)) for (transform in c("ela", "ala", "nla", "lla", "sla", "lp", "ppt")) {
    x <- random_codes(n, 5)
    y <- random_labels(n, 3, 0.4)
    y[2:4, ] <- diag(3L)
    rows <- oracle_transform(y, transform, 2)
    for (score in c("gain-ratio", "symmetric")) {
      for (layout in list(identity, sparse, as_factors)) {
        task <- mltask(layout(x), y, kind = "label", discrete = if (!is.data.frame(layout(x))) all_discrete(x))
        selector <- sel_trans_mi(transform, 2, score = score)
        found <- suppressWarnings(scores_of_column(sift_features(task, selector)))
        expect_equal(found, unname(oracle_divided(x, rows, score)), tolerance = 1e-10)
        expect_true(all(found >= 0 & found <= 1 + 1e-12))
      }
    }
  }
})

test_that("IGMF is the symmetrical uncertainty after LP, also of classes", {
  withr::local_seed(2)
  for (task in list(coded_task(random_codes(40, 6), random_labels(40, 3)), simulate_mltask(40, 6, 3, kind = "class"))) {
    known <- sift_features(task, sel_trans_mi("lp", score = "symmetric"))
    expect_identical(as.data.frame(sift_features(task, sel_igmf())), as.data.frame(known))
  }
  expect_identical(sel_igmf()$name, "IGMF")
  expect_identical(spec_code(sel_igmf()), "sel_igmf()")
})

test_that("they are those of one class target, and do not depend on the base", {
  task <- mltask(data.frame(copy = factor(c(1, 1, 2, 3)), half = factor(c(1, 1, 2, 2)), fine = factor(1:4)),
    factor(c("u", "u", "v", "w")))
  scores <- function(...) scores_of_column(sift_features(task, sel_trans_mi("lp", ...)))
  h <- 1.5  # entropy of 2, 1, 1
  expect_equal(scores(score = "gain-ratio"), c(1, 1, h / 2))
  expect_equal(scores(score = "symmetric"), c(1, 2 / (1 + h), 2 * h / (2 + h)))
  expect_equal(scores(score = "symmetric", base = 10), scores(score = "symmetric"))
  expect_identical(sel_trans_mi("lp", score = "gain-ratio")$name, "LP+GR")
  expect_identical(sel_trans_mi(score = "symmetric")$name, "PPT+SU")
  expect_identical(spec_code(sel_trans_mi(score = "symmetric")), "sel_trans_mi(score = \"symmetric\")")
  expect_identical(sel_trans_mi(score = "mi"), sel_trans_mi())
  expect_snapshot(error = TRUE, sel_trans_mi(score = "ratio"))
})

# The most frequent level is not listed; here none of its rows has a label.
test_that("a most frequent level without any label counts nothing", {
  y <- cbind(l1 = rep(c(1, 1, 0, 0), c(3, 2, 2, 13)), l2 = rep(c(0, 1, 1, 0), c(3, 2, 2, 13)))
  x <- cbind(f1 = rep(c(1, 2, 0), c(4, 3, 13)), f2 = rep(c(1, 0, 0), c(6, 1, 13)), f3 = rep(0:1, 10))
  for (how in c("ela", "ala", "nla", "lla", "sla")) {
    rows <- oracle_transform(y, how)
    for (layout in list(identity, sparse)) {
      found <- suppressWarnings(sift_features(mltask(layout(x), y, discrete = all_discrete(x)), sel_trans_mi(how)))
      expect_equal(scores_of_column(found), unname(oracle_trans_mi(x, rows)), tolerance = 1e-12)
    }
  }
})

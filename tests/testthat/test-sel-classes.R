# Selectors of labels that also take class targets.

class_targets <- function(n) {
  data.frame(a = factor(sample(c("u", "v", "w"), n, TRUE), levels = c("w", "none", "v", "u")),
    b = factor(sample(c("no", "yes", "maybe"), n, TRUE, c(.6, .3, .1))))
}

indicator_columns <- function(y) {
  do.call(cbind, lapply(y, function(t) sapply(intersect(levels(t), t), function(c) as.integer(t == c))))
}

scores_by_feature <- function(task, selector, ...) {
  found <- sift_features(task, selector, ...)
  found$score[order(found$index)]
}

test_that("ReliefF of a class target, and the mean over several", {
  withr::local_seed(1)
  for (n in c(12, 30)) for (k in c(1, 4, 10)) {
    x <- matrix(rnorm(n * 4), n, dimnames = list(NULL, paste0("f", 1:4)))
    y <- class_targets(n)
    diff <- oracle_diff(x)
    of <- function(t) oracle_relieff(diff, as.character(y[[t]]), k)
    for (layout in list(identity, as.data.frame, sparse)) {
      task <- mltask(layout(x), y)
      expect_equal(scores_by_feature(task, sel_relieff_br(k)), (of("a") + of("b")) / 2, tolerance = 1e-9)
      one <- mltask(layout(x), y["a"])
      expect_equal(scores_by_feature(one, sel_relieff_br(k)), of("a"), tolerance = 1e-9)
      expect_equal(scores_by_feature(one, sel_relieff_lp(k)), of("a"), tolerance = 1e-9)
      both <- oracle_relieff(diff, paste(y$a, y$b), k)
      expect_equal(scores_by_feature(task, sel_relieff_lp(k)), both, tolerance = 1e-9)
    }
    expect_identical(scores_by_feature(task, sel_relieff_br(k), threads = 2),
      scores_by_feature(task, sel_relieff_br(k), threads = 1))
  }
  kept <- ave(seq_len(n), y$a, FUN = length) >= 5
  expect_equal(scores_by_feature(mltask(x, y["a"]), sel_relieff_ppt(5, 3)),
    oracle_relieff(oracle_diff(x[kept, ]), as.character(y$a[kept]), 3), tolerance = 1e-9)
  y$b <- factor("only")
  expect_equal(scores_by_feature(mltask(x, y), sel_relieff_br(3)), oracle_relieff(diff, as.character(y$a), 3),
    tolerance = 1e-9)
})

test_that("ReliefF of two categories is that of a label", {
  withr::local_seed(2)
  x <- matrix(rnorm(120), 30)
  on <- rbinom(30, 1, 0.4)
  as_class <- mltask(x, factor(c("off", "on")[on + 1]))
  expect_equal(scores_by_feature(as_class, sel_relieff_br(5)), scores_by_feature(mltask(x, on), sel_relieff_br(5)),
    tolerance = 1e-12)
})

test_that("chi-square and mutual information of a class target", {
  withr::local_seed(3)
  for (n in c(10, 60)) {
    x <- random_codes(n, 5)
    y <- class_targets(n)
    task <- mltask(x, y["a"], discrete = all_discrete(x))
    of_a <- table(y$a)[table(y$a) > 0]
    plain <- apply(x, 2, function(f) {
      o <- table(f, droplevels(y$a))
      e <- outer(rowSums(o), colSums(o)) / n
      c(sum((o - e)^2 / e), sum((o / n * log2(o / e))[o > 0]))
    })
    for (transform in c("ela", "ala", "nla", "lla", "sla", "lp")) {
      expect_equal(scores_by_feature(task, sel_chi2(transform)), unname(plain[1, ]), tolerance = 1e-10)
      expect_equal(scores_by_feature(task, sel_trans_mi(transform)), unname(plain[2, ]), tolerance = 1e-10)
    }
    several <- mltask(x, y, discrete = all_discrete(x))
    labels <- coded_task(x, indicator_columns(y))
    for (transform in c("ela", "ala", "lp")) {
      expect_identical(scores_by_feature(several, sel_chi2(transform)), scores_by_feature(labels, sel_chi2(transform)))
    }
  }
  rare <- mltask(x[1:8, ], factor(letters[1:8]), discrete = all_discrete(x))
  expect_snapshot(error = TRUE, {
    sift_features(rare, sel_trans_mi("ppt"))
    sift_features(several, sel_chi2("nla"))
  })
})

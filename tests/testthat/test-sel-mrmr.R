selectors <- list(
  mrmr = sel_mrmr(), mrmr_per_target = sel_mrmr("per-target"), jmim = sel_jmim(), cmim = sel_cmim(),
  njmim = sel_njmim(), njmim_normalized = sel_njmim("normalized"), disr = sel_disr(),
  disr_normalized = sel_disr("normalized")
)

for (name in names(selectors)) {
  test_that(paste(name, "picks by its equation, in every layout"), {
    withr::local_seed(31)
    expect_greedy_everywhere(selectors[[name]], name)
  })
}

test_that("classes and discretized numeric targets enter with all their levels", {
  withr::local_seed(32)
  expect_greedy_of_levels(selectors)
})

test_that("rows, relabelled levels, factors and the order of labels change nothing", {
  withr::local_seed(33)
  x <- random_codes(80, 7, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  for (name in names(selectors)) {
    run <- function(x, y) as.data.frame(sift_scored(coded_task(x, y), selectors[[name]]))
    expected <- run(x, y)
    expect_identical(run(x[rows, ], y[rows, ]), expected, label = name)
    expect_identical(run(as_factors(x), y), expected, label = name)
    expect_identical(run(matrix(c(7, -2, 3)[x + 1], 80, dimnames = dimnames(x)), y), expected, label = name)
    if (grepl("mrmr|jmim$|cmim", name) && name != "njmim") expect_identical(run(x, y[, 6:1]), expected, label = name)
    else expect_equal(run(x, y[, 6:1]), expected, tolerance = 1e-12, label = name)
  }
})

# praznik 11.0.0: <name>(x, y, k) with the features and the target below; scores in nats.
infert_task <- function() {
  x <- datasets::infert[c("education", "age", "parity", "induced", "spontaneous")]
  x$education <- as.integer(x$education)
  x$age <- x$age %/% 5
  suppressMessages(mltask(
    x, data.frame(case = factor(datasets::infert$case)), kind = "class", discrete = all_discrete(x)
  ))
}
mtcars_task <- function() {
  x <- datasets::mtcars[c("vs", "am", "gear", "carb", "hp", "wt")]
  x$hp <- x$hp %/% 50
  x$wt <- x$wt %/% 1
  suppressMessages(mltask(
    x, data.frame(cyl = factor(datasets::mtcars$cyl)), kind = "class", discrete = all_discrete(x)
  ))
}
praznik <- list(
  mrmr = list(
    c(5, 1, 4, 2, 3), c(
      0.06552806790052799, -0.008526014841577067, -0.03628362290474053, -0.04421689659046039, -0.1263214775492786
    ),
    c(5, 6, 1, 3, 4, 2), c(
      0.8264276494939499, -0.00660605575283213, 0.1172758072977373, 0.03924118249329311, 0.07929550292787962,
      -0.0943016739489573
    )
  ),
  jmim = list(
    c(5, 3, 4, 1, 2), c(
      0.06552806790052799, 0.1118645918175337, 0.02690339541324537, 0.0004708695425738099, 3.945937689782653e-05
    ),
    c(5, 4, 3, 1, 6, 2), c(
      0.8264276494939499, 1.061203975962761, 0.9830160972849193, 0.7115608386271922, 0.6697050492818915,
      0.3749086766790667
    )
  ),
  cmim = list(
    c(5, 4, 3, 2, 1), c(
      0.06552806790052799, 0.0001470274350579765, 0.0001195528717065169, 1.215386951527621e-05, 4.615752977527032e-06
    ),
    c(5, 4, 6, 3, 1, 2), c(
      0.8264276494939499, 0.2347763264688112, 0.1751031231911725, 0.1565884477909694, 0.02123737959942467,
      0.01146562938585956
    )
  ),
  njmim = list(
    c(5, 3, 4, 1, 2), c(
      0.06552806790052799, 0.04063488694672959, 0.009479653324519903, 0.0001692253084173127, 1.387894127613604e-05
    ),
    c(5, 4, 3, 1, 6, 2), c(
      0.8264276494939499, 0.4709580120849174, 0.4295694575443008, 0.3204384804579434, 0.2767053432172163,
      0.1934502499138115
    )
  ),
  disr = list(
    c(5, 3, 4, 1, 2), c(
      0.06552806790052799, 0.04063488694672959, 0.04533158733884335, 0.04690103143930349, 0.03107777141319584
    ),
    c(5, 4, 3, 1, 6, 2), c(
      0.8264276494939499, 0.4709580120849174, 0.8875708043843761, 1.130945784786105, 1.444108945357217,
      1.605684217106144
    )
  )
)

test_that("with one target, features and scores are praznik's", {
  nats <- list(
    mrmr = sel_mrmr(base = exp(1)), jmim = sel_jmim(exp(1)), cmim = sel_cmim(exp(1)), njmim = sel_njmim(base = exp(1)),
    disr = sel_disr(base = exp(1))
  )
  for (name in names(praznik)) {
    known <- praznik[[name]]
    births <- sift_scored(infert_task(), nats[[name]])
    expect_identical(births$index, as.integer(known[[1]]), label = name)
    expect_equal(births$score, known[[2]], tolerance = 1e-12, label = name)
    cars <- sift_scored(mtcars_task(), nats[[name]])
    expect_identical(cars$index, as.integer(known[[3]]), label = name)
    expect_equal(cars$score, known[[4]], tolerance = 1e-12, label = name)
  }
  expect_equal(
    as.data.frame(sift_scored(mtcars_task(), sel_mrmr("per-target"))),
    as.data.frame(sift_scored(mtcars_task(), sel_mrmr()))
  )
})

test_that("the base changes scores in bits alone", {
  task <- mtcars_task()
  bits <- sift_scored(task, sel_cmim())
  expect_equal(sift_scored(task, sel_cmim(exp(1)))$score, bits$score * log(2), tolerance = 1e-14)
  for (selector in list(sel_njmim, sel_disr)) {
    bits <- sift_scored(task, selector())
    nats <- sift_scored(task, selector(base = exp(1)))
    expect_equal(nats$score[1], bits$score[1] * log(2), tolerance = 1e-14)
    expect_identical(nats$score[-1], bits$score[-1])
    expect_identical(
      as.data.frame(sift_scored(task, selector("normalized", base = 3))),
      as.data.frame(sift_scored(task, selector("normalized")))
    )
  }
  expect_identical(nrow(sift_scored(task, sel_disr(base = exp(1)), min_gain = 0.83)), 0L)
  expect_identical(nrow(sift_scored(task, sel_disr(base = exp(1)), min_gain = 0.47, k = 3)), 3L)
})

test_that("mRMR is of the linear family", {
  withr::local_seed(34)
  task <- coded_task(random_codes(70, 8, 3), random_labels(70, 5))
  once <- sift_scored(task, sel_mrmr())
  expect_identical(as.data.frame(once), as.data.frame(sift_scored(task, sel_greedy(redundancy = 1, average = TRUE))))
  per_target <- sift_scored(task, sel_mrmr("per-target"))
  expect_identical(
    as.data.frame(per_target), as.data.frame(sift_scored(task, sel_greedy(redundancy = \(q) q, average = TRUE)))
  )
  expect_false(identical(per_target$score, once$score))
})

test_that("a feature that adds nothing to a selected one has a CMIM score of exactly 0", {
  withr::local_seed(35)
  n <- 90
  a <- sample.int(3, n, TRUE)
  x <- cbind(noise = sample.int(2, n, TRUE), constant = 1, a = a, copy = 4 - a, merged = pmin(a, 2))
  y <- cbind(l1 = as.integer(a > 1), l2 = as.integer(a == sample.int(3, n, TRUE)), l3 = rbinom(n, 1, 0.3))
  sel <- sift_scored(coded_task(x, y), sel_cmim())
  expect_identical(sel$feature, c("a", "noise", "constant", "copy", "merged"))
  expect_gt(sel$score[2], 0)
  expect_identical(sel$score[3:5], c(0, 0, 0))
  # Exactly independent of the label, with counts whose logarithms have to be rounded.
  grid <- expand.grid(l = c(0, 0, 1), f = c(1, 1, 2, 2, 2), s = rep(1:7, times = 1:7))
  task <- coded_task(as.matrix(grid[c("s", "f")]), cbind(l = grid$l))
  expect_identical(sift_scored(task, sel_cmim())$score, c(0, 0))
  expect_identical(sift_scored(task, sel_cmim())$feature, c("s", "f"))
})

test_that("a term without entropy is 0, and constants select nothing by themselves", {
  x <- cbind(a = 1, b = 1, independent = c(1, 1, 2, 2))
  y <- cbind(l = c(0, 1, 0, 1))
  for (name in names(selectors)) {
    sel <- sift_scored(coded_task(x, y), selectors[[name]])
    expect_identical(sel$feature, c("a", "b", "independent"), label = name)
    expect_identical(sel$score, c(0, 0, 0), label = name)
  }
})

test_that("features can be included and excluded, selection stopped and extended", {
  withr::local_seed(36)
  x <- random_codes(80, 9, 3)
  y <- random_labels(80, 5)
  task <- coded_task(x, y)
  strip <- function(sel) { attr(sel, "seconds") <- NULL; sel }
  for (name in names(selectors)) {
    selector <- selectors[[name]]
    long <- sift_scored(task, selector, k = 7)
    expect_identical(strip(extend_selection(sift_scored(task, selector, k = 1), task, 7)), strip(long))
    twice <- extend_selection(extend_selection(sift_scored(task, selector, k = 2), task, 4, threads = 2), task, 7)
    expect_identical(strip(twice), strip(long))
    begun <- sift_scored(task, selector, k = 6, include = c("f6", "f2"), exclude = "f1")
    expect_identical(begun$feature[1:2], c("f6", "f2"))
    expect_false("f1" %in% begun$feature)
    expect_equal(
      begun$score[3], max(vapply(c(3:5, 7:9), function(f) oracle_score(name, x, y, f, c(6, 2)), 0)), tolerance = 1e-10
    )
    expect_identical(
      strip(extend_selection(sift_scored(task, selector, k = 3, include = c("f6", "f2"), exclude = "f1"), task, 6)),
      strip(begun)
    )
    expect_warning(stopped <- sift_scored(task, selector, max_seconds = 0), "stopped by `max_seconds`")
    expect_identical(as.data.frame(extend_selection(stopped, task, 7)), as.data.frame(long))
    least <- stats::median(long$score)
    expect_identical(
      as.data.frame(sift_scored(task, selector, min_gain = least, k = 7)),
      utils::head(as.data.frame(long), match(TRUE, long$score < least, 8L) - 1L)
    )
  }
})

test_that("wrong arguments are refused", {
  expect_snapshot(error = TRUE, {
    sel_mrmr("twice")
    sel_njmim("entropy")
    sel_disr(NULL)
    sel_cmim(1)
    sel_jmim("e")
    sift_features(simulate_mltask(20, 4, 2, kind = "numeric"), sel_jmim())
  })
  expect_snapshot(print(sel_disr("normalized")))
})

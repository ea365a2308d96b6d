selectors <- list(jmi3 = sel_jmi3(), cmi = sel_cmi(), jim = sel_jim())

for (name in names(selectors)) {
  test_that(paste(name, "picks by its equation, in every layout"), {
    withr::local_seed(51)
    expect_greedy_everywhere(selectors[[name]], name)
  })
}

test_that("classes and discretized numeric targets enter with all their levels", {
  withr::local_seed(52)
  expect_greedy_of_levels(selectors)
})

test_that("sparse features and dense ones, few labels and many, and classes of many levels give the same bits", {
  skip_unless_all()
  withr::local_seed(53)
  n <- 120
  x <- cbind(
    matrix(rbinom(n * 8, 1, 0.06), n), matrix(rbinom(n * 3, 1, 0.5), n), matrix(sample(0:3, n * 3, TRUE), n),
    rbinom(n, 1, 0.97)
  ) + 0
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  many <- matrix(rbinom(n * 30, 1, 0.05), n, dimnames = list(NULL, paste0("l", 1:30)))
  for (y in list(many[, 1:3], many)) {
    for (name in some_or_all(names(selectors), ncol(y) + 1L, 2L)) {
      expect_greedy(head(expect_same_everywhere(x, y, selectors[[name]]), if (all_tests()) 6 else 4), name, x, y)
    }
  }
  # Rare features among targets of many levels, which are counted by rows of the features or groups of the rows.
  rare <- matrix(rbinom(n * 24, 1, 0.03), n, dimnames = list(NULL, paste0("r", 1:24)))
  rare[1:2, ] <- diag(24)[1:2, ]
  classes <- as.data.frame(lapply(1:6, \(i) factor(sample(letters[1:7], n, TRUE))), col.names = paste0("t", 1:6))
  sets <- data.frame(t = factor(sample(n %/% 2, n, TRUE)))
  for (y in list(classes, sets)) {
    numbers <- vapply(y, as.integer, integer(n))
    for (name in some_or_all(names(selectors), ncol(y) + 1L, 2L)) {
      found <- sift_scored(mltask(methods::as(rare, "CsparseMatrix"), y), selectors[[name]], k = 5)
      expect_greedy(found, name, rare, numbers)
      expect_identical(
        as.data.frame(sift_scored(mltask(rare, y), selectors[[name]], k = 5, threads = 2)), as.data.frame(found)
      )
    }
  }
})

test_that("rows, relabelled levels, factors and the order of labels change nothing", {
  withr::local_seed(54)
  x <- random_codes(80, 7, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  for (name in names(selectors)) {
    run <- function(x, y) as.data.frame(sift_scored(coded_task(x, y), selectors[[name]]))
    expected <- run(x, y)
    expect_identical(run(x[rows, ], y[rows, ]), expected, label = name)
    expect_identical(run(as_factors(x), y), expected, label = name)
    expect_identical(run(matrix(c(7, -2, 3)[x + 1], 80, dimnames = dimnames(x)), y), expected, label = name)
    expect_identical(run(x, y[, 6:1]), expected, label = name)
  }
})

# praznik 11.0.0: <name>(x, y, k) with the features and the target below; informations in nats.
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
  jmi3 = list(
    c(5, 3, 2, 4, 1), c(
      0.06552806790052799, 0.1118645918175337, 0.1859723340478047, 0.3997619596875204, 0.545730418108629
    ),
    c(5, 4, 1, 6, 3, 2), c(
      0.8264276494939499, 1.061203975962761, 1.061203975962761, 3.183611927888284, 6.058239149588662, 9.250265015598028
    )
  ),
  cmi = list(
    c(5, 3, 2, 4, 1), c(
      0.06552806790052799, 0.04633652391700573, 0.074107742230271, 0.09310278367080609, 0.06144654178464727
    ),
    c(5, 4), c(0.8264276494939499, 0.2347763264688112)
  ),
  jim = list(
    c(5, 3, 4, 1, 2), c(
      0.05901023507336522, 0.1011806081102389, 0.09402559456259485, 0.09576040914681172, 0.0787765025679561
    ),
    c(5, 4, 3, 6, 1, 2), c(
      0.494140625, 0.642578125, 1.193489583333333, 1.458984375, 1.849255952380952, 1.900985863095238
    )
  )
)

test_that("with one target, features and scores are praznik's", {
  nats <- list(jmi3 = sel_jmi3(exp(1)), cmi = sel_cmi(exp(1)), jim = sel_jim())
  for (name in names(praznik)) {
    known <- praznik[[name]]
    births <- sift_scored(infert_task(), nats[[name]])
    expect_identical(births$index, as.integer(known[[1]]), label = name)
    expect_equal(births$score, known[[2]], tolerance = 1e-14, label = name)
    cars <- sift_scored(mtcars_task(), nats[[name]], k = length(known[[3]]))
    expect_identical(cars$index, as.integer(known[[3]]), label = name)
    expect_equal(cars$score, known[[4]], tolerance = 1e-14, label = name)
  }
})

test_that("the second feature of JMI3 is that of Single-JMI, and the third has the information of all three", {
  withr::local_seed(55)
  x <- random_codes(70, 8, 3)
  y <- random_labels(70, 3)
  task <- coded_task(x, y)
  three <- sift_scored(task, sel_jmi3(), k = 3)
  expect_identical(
    as.data.frame(head(three, 2)), as.data.frame(sift_scored(task, sel_single_jmi(), k = 2))
  )
  together <- interaction(as.data.frame(x[, three$index]))
  expect_equal(three$score[3], sum(apply(y, 2, oracle_information, b = together)), tolerance = 1e-12)
})

test_that("JMI3 finds what three features say together", {
  withr::local_seed(56)
  x <- matrix(rbinom(300 * 8, 1, 0.5), 300, dimnames = list(NULL, paste0("f", 1:8)))
  x[, 1] <- x[, 1] | x[, 2]
  y <- cbind(l = as.integer((x[, 1] + x[, 5] + x[, 8]) %% 2))
  expect_setequal(sift_scored(coded_task(x + 0, y), sel_jmi3(), k = 3, include = "f5")$feature[-1], c("f1", "f8"))
})

test_that("CMI goes on by R(f), with score 0, where nothing adds information", {
  rest <- sift_scored(mtcars_task(), sel_cmi())[3:6, ]
  expect_identical(rest$score, c(0, 0, 0, 0))
  relevance <- sift_scored(mtcars_task(), sel_mim())
  expect_identical(rest$feature, setdiff(relevance$feature, c("hp", "carb")))
  expect_identical(rest$runner_up, c(rest$feature[-1], NA))
  expect_identical(nrow(sift_scored(mtcars_task(), sel_cmi(), min_gain = 1e-9)), 2L)
  # Equal ones by column, also where features come in units.
  withr::local_seed(61)
  a <- sample.int(4, 90, TRUE)
  x <- cbind(noise = 1, merged = pmin(a, 2), a = a, half = pmin(a, 3), copy = 5 - a, again = pmin(a, 2))
  task <- coded_task(x, cbind(l1 = as.integer(a > 2), l2 = as.integer(a %in% c(1, 4))))
  found <- sift_scored(task, sel_cmi())
  expect_identical(found$feature[c(1, 2, 6)], c("a", "copy", "noise"))
  expect_identical(found$score[-1], rep(0, 5))
  known <- sift_scored(task, sel_mim())$feature
  expect_identical(found$feature, known)
  expect_identical(sift_scored(task, sel_cmi(), costs = rep(1, 6), max_cost = 9)$feature, known)
  for (k in 1:5) {
    expect_identical(
      as.data.frame(extend_selection(sift_scored(task, sel_cmi(), k = k), task, 6)), as.data.frame(found)
    )
  }
})

test_that("a feature that is independent of the targets in every cell has a CMI score of exactly 0", {
  # With counts whose logarithms have to be rounded.
  grid <- expand.grid(l = c(0, 0, 1), f = c(1, 1, 2, 2, 2), s = rep(1:7, times = 1:7))
  grid$l[grid$s > 4 & grid$f == 2] <- 1 - grid$l[grid$s > 4 & grid$f == 2]
  grid$f[grid$s > 4] <- 1
  found <- sift_scored(coded_task(as.matrix(grid[c("s", "f")]), cbind(l = grid$l)), sel_cmi(), include = "s")
  expect_identical(found$score[2], 0)
})

test_that("the scores of CMI add up to what the features say together", {
  withr::local_seed(62)
  x <- random_codes(150, 7, 4)
  y <- random_labels(150, 4)
  found <- sift_scored(coded_task(x, y), sel_cmi())
  for (k in c(2, 4, 7)) {
    together <- interaction(as.data.frame(x[, found$index[1:k]]), drop = TRUE)
    expect_equal(
      sum(found$score[1:k]), sum(apply(y, 2, oracle_information, b = together)), tolerance = 1e-12
    )
  }
})

test_that("cells of many rows count many rare labels, classes and features of several levels", {
  withr::local_seed(63)
  n <- 260
  x <- cbind(
    matrix(rbinom(n * 4, 1, 0.1), n), matrix(rbinom(n * 2, 1, 0.5), n), matrix(sample(0:2, n * 2, TRUE), n)
  ) + 0
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  y <- matrix(rbinom(n * 40, 1, 0.03), n, dimnames = list(NULL, paste0("l", 1:40)))
  expect_greedy(expect_same_everywhere(x, y, sel_cmi()), "cmi", x, y)
  classes <- as.data.frame(lapply(1:3, \(i) factor(sample(letters[1:6], n, TRUE))), col.names = paste0("t", 1:3))
  numbers <- vapply(classes, as.integer, integer(n))
  for (sets in list(classes, classes[1])) {
    found <- sift_scored(mltask(x, sets, discrete = all_discrete(x)), sel_cmi())
    expect_greedy(found, "cmi", x, numbers[, seq_along(sets), drop = FALSE])
  }
})

test_that("for 0/1 labels the impurity is 2 p (1 - p) chi-square / N", {
  withr::local_seed(57)
  x <- random_codes(90, 6, 4)
  y <- random_labels(90, 5)
  task <- coded_task(x, y)
  expected <- apply(x, 2, function(f) sum(apply(y, 2, function(l) {
    if (length(unique(f)) == 1 || length(unique(l)) == 1) return(0)
    2 * mean(l) * (1 - mean(l)) * suppressWarnings(stats::chisq.test(f, l, correct = FALSE)$statistic) / 90
  })))
  first <- sift_scored(task, sel_jim(), k = 1)
  expect_equal(first$score, max(expected), tolerance = 1e-12)
  expect_identical(first$index, which.max(round(expected, 12))[[1]])
  rest <- candidate_scores(sift_scored(task, sel_jim(), k = 1, include = "f2"), task)
  expect_equal(rest$score, unname(expected[rest$index]), tolerance = 1e-12)
})

test_that("features that add no impurity gain to a selected one have its own score", {
  withr::local_seed(58)
  a <- sample.int(3, 90, TRUE)
  x <- cbind(a = a, constant = 1, copy = 4 - a, merged = pmin(a, 2))
  y <- cbind(l1 = as.integer(a > 1), l2 = as.integer(a == sample.int(3, 90, TRUE)), l3 = rbinom(90, 1, 0.3))
  sel <- sift_scored(coded_task(x, y), sel_jim())
  expect_identical(sel$feature, c("a", "constant", "copy", "merged"))
  expect_identical(sel$score[2], sel$score[1])
  # Exactly independent of the label, with shares that have to be rounded.
  grid <- expand.grid(l = c(0, 0, 1), f = c(1, 1, 2, 2, 2), s = rep(1:7, times = 1:7))
  expect_identical(sift_scored(coded_task(as.matrix(grid[c("s", "f")]), cbind(l = grid$l)), sel_jim())$score, c(0, 0))
})

test_that("k may exceed the number of features", {
  for (name in names(selectors)) {
    task <- coded_task(random_codes(20, 3), cbind(l = rep(0:1, 10)))
    expect_warning(found <- sift_features(task, selectors[[name]], k = 5), "larger than", class = "mlsift_warning")
    expect_identical(nrow(found), 3L)
  }
})

test_that("features can be included and excluded, selection stopped and extended", {
  withr::local_seed(59)
  x <- random_codes(80, 9, 3)
  y <- random_labels(80, 5)
  task <- coded_task(x, y)
  strip <- function(sel) { attr(sel, "seconds") <- NULL; sel }
  for (name in names(selectors)) {
    selector <- selectors[[name]]
    long <- sift_scored(task, selector, k = 7)
    for (first in 1:3) {
      expect_identical(strip(extend_selection(sift_scored(task, selector, k = first), task, 7)), strip(long))
    }
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
  }
})

test_that("sources are refused by JMI3 and CMI and counted for JIM", {
  withr::local_seed(60)
  task <- coded_task(random_codes(60, 5, 3), random_labels(60, 4))
  expect_snapshot(error = TRUE, sift_features(chunked(task), sel_jmi3(), k = 3))
  expect_snapshot(error = TRUE, sift_features(chunked(task), sel_cmi(), k = 3))
  expect_snapshot(error = TRUE, sift_features(count_tables(task, sel_mim()), sel_jmi3(), k = 3))
  found <- sift_features(chunked(task), sel_jim(), k = 4)
  expect_identical(as.data.frame(found), as.data.frame(sift_features(task, sel_jim(), k = 4)))
})

test_that("the base changes scores alone, and wrong arguments are refused", {
  task <- mtcars_task()
  expect_equal(
    sift_scored(task, sel_jmi3(exp(1)))$score, sift_scored(task, sel_jmi3())$score * log(2), tolerance = 1e-14
  )
  expect_equal(
    sift_scored(task, sel_cmi(exp(1)))$score, sift_scored(task, sel_cmi())$score * log(2), tolerance = 1e-14
  )
  expect_snapshot(error = TRUE, {
    sel_jmi3(1)
    sel_cmi("e")
    sift_features(simulate_mltask(20, 4, 2, kind = "numeric"), sel_jim())
  })
  expect_snapshot(print(sel_jmi3()))
})

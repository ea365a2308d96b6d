# Groups, costs and budget, against loops over plain calls that name what is selected and what is not allowed.

# Which features may be next: those of the open group, else those of groups that the budget pays for.
allowed_next <- function(chosen, unit, costs, max_cost, barred = integer()) {
  d <- length(unit)
  rest <- setdiff(seq_len(d), c(chosen, barred))
  open <- rest[unit[rest] %in% unit[chosen]]
  if (length(open) > 0L) return(open)
  spent <- sum(costs[unit %in% unit[chosen]])
  Filter(function(f) spent + sum(costs[unit == unit[f]]) <= max_cost, rest)
}

oracle_units <- function(task, selector, k, unit, costs = numeric(length(unit)), max_cost = Inf, barred = integer(),
                         begin = integer()) {
  d <- length(unit)
  chosen <- begin
  scores <- rep(NA_real_, length(begin))
  while (length(chosen) < d) {
    allowed <- allowed_next(chosen, unit, costs, max_cost, barred)
    if (length(allowed) == 0L) break
    one <- sift_features(task, selector, k = length(chosen) + 1L, include = chosen,
      exclude = setdiff(seq_len(d), c(chosen, allowed)), constants = "scored")
    f <- one$index[nrow(one)]
    if (!unit[f] %in% unit[chosen] && length(chosen) + sum(unit == unit[f]) > k) break
    chosen <- c(chosen, f)
    scores <- c(scores, one$score[nrow(one)])
  }
  list(index = chosen, score = scores)
}

varying_codes <- function(n, d) {
  matrix(sample.int(3L, n * d, TRUE), n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
}

units_task <- function(n = 60, d = 10, q = 3) coded_task(varying_codes(n, d), random_labels(n, q))

knn_mi <- function() sel_knn_mi(min_count = 2, neighbors = 1, zero_distance = "gao")

test_that("selectors take groups and budgets as the loop does", {
  skip_unless_all()
  withr::local_seed(11)
  selectors <- list(
    sel_mim(), sel_chi2(), sel_br_cc(), sel_ami(), sel_scls(), sel_mdmr(), sel_pmu(), sel_lrfs(),
    sel_jmim(), sel_cmim(), sel_joint_jmi(), sel_jmi3(), sel_cmi(), sel_jim(), sel_lsmfs(), sel_ml_cfs(), knn_mi()
  )
  for (selector in selectors) {
    task <- units_task()
    unit <- c(1, 2, 1, 3, 4, 5, 5, 5, 6, 7)
    costs <- round(runif(10, 1, 4), 2)
    groups <- list(a = c(1, 3), b = 6:8)
    for (k in c(4, 7, 10)) {
      found <- sift_features(task, selector, k, groups = groups)
      expected <- oracle_units(task, selector, k, unit)
      expect_identical(found$index, expected$index, label = paste(selector$name, k))
      expect_identical(found$score, expected$score)
    }
    found <- sift_features(task, selector, groups = groups, costs = costs, max_cost = 12)
    expected <- oracle_units(task, selector, 10, unit, costs, 12)
    expect_identical(found$index, expected$index, label = selector$name)
    expect_lte(sum(costs[found$index]), 12)
    with_include <- sift_features(task, selector, include = 8, exclude = 1, groups = groups, costs = costs,
      max_cost = 15)
    expected <- oracle_units(task, selector, 10, unit, costs, 15, barred = c(1, 3), begin = c(8L, 6L, 7L))
    expect_identical(with_include$index, expected$index)
    expect_identical(with_include$score, expected$score)
  }
})

test_that("groups may be a list or a vector, by position or name, and costs may have names", {
  withr::local_seed(12)
  task <- units_task()
  names <- feature_names(task)
  value <- c("a", NA, "a", NA, NA, "b", "b", "b", NA, NA)
  costs <- c(1, 2, 1, 3, 1, 1, 2, 1, 4, 1)
  same <- list(
    list(a = c(1, 3), b = 6:8), list(names[c(1, 3)], names[6:8]), value, factor(value),
    stats::setNames(value, names)[10:1], list(names[c(3, 1)], seq_along(names) %in% 6:8, integer())
  )
  for (selector in list(sel_mim(), sel_scls())) {
    found <- lapply(same, function(groups) {
      sift_features(task, selector, groups = groups, costs = stats::setNames(costs, names)[c(5:1, 6:10)], max_cost = 9)
    })
    for (one in found) expect_identical(one$index, found[[1L]]$index)
    expect_identical(sift_features(task, selector, groups = value, costs = costs, max_cost = 9)$score, found[[1]]$score)
  }
})

test_that("without groups of two and without a budget, nothing changes", {
  withr::local_seed(13)
  task <- units_task(d = 12)
  for (selector in list(sel_mim(), sel_scls(), sel_mdmr(), sel_ml_cfs())) {
    for (k in c(3, 12)) {
      plain <- sift_features(task, selector, k)
      same <- sift_features(task, selector, k, groups = 1:12, costs = rep(1, 12), max_cost = 12)
      expect_identical(as.data.frame(same), as.data.frame(plain))
      budget <- sift_features(task, selector, costs = rep(1, 12), max_cost = k)
      expect_identical(budget$index, plain$index)
    }
  }
})

test_that("constant features follow their group, or come last", {
  withr::local_seed(14)
  x <- varying_codes(60, 6)
  x <- cbind(x[, 1:3], 1, x[, 4:6], 1, 1)
  colnames(x) <- paste0("f", 1:9)
  task <- coded_task(x, random_labels(60, 3))
  groups <- list(c(2, 4), c(8, 9))
  for (selector in list(sel_scls(), sel_ami(), knn_mi())) {
    found <- sift_features(task, selector, groups = groups)
    plain <- sift_features(task, selector, exclude = c(4, 8, 9))
    expect_identical(setdiff(found$index, c(4L, 8L, 9L)), plain$index)
    expect_identical(which(found$index == 4), which(found$index == 2) + 1L)
    expect_identical(found$index[8:9], 8:9)
    expect_true(all(is.na(found$score[found$index %in% c(4, 8, 9)])))
    expect_identical(found$runner_up[!is.na(found$score)], plain$runner_up)
    # The budget pays for neither the pair of constants nor, at first, for anything dearer.
    dear <- sift_features(task, selector, groups = groups, costs = c(1, 1, 1, 1, 1, 1, 1, 5, 5), max_cost = 8)
    expect_setequal(dear$index, 1:7)
    # A path that ends early has no constants at its end.
    expect_false(any(c(8, 9) %in% sift_features(task, selector, k = 5, groups = groups)$index))
  }
  # kNN-MI itself leaves out what is constant on the rows that it keeps.
  scored <- sift_features(task, knn_mi(), groups = groups, constants = "scored")
  expect_identical(which(scored$index == 4), which(scored$index == 2) + 1L)
  expect_identical(scored$index[8:9], 8:9)
})

test_that("a longer run goes on with groups and budget", {
  withr::local_seed(15)
  task <- units_task(d = 12)
  groups <- c(1, 1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 8)
  costs <- round(runif(12, 1, 3), 1)
  for (selector in list(sel_scls(), sel_lrfs(), sel_ml_cfs(), knn_mi())) {
    whole <- sift_features(task, selector, k = 11, groups = groups, costs = costs, max_cost = 20)
    for (k in 4:8) {
      short <- sift_features(task, selector, k = k, groups = groups, costs = costs, max_cost = 20)
      expect_lte(nrow(short), k)
      expect_identical(short$index, whole$index[seq_len(nrow(short))])
      longer <- extend_selection(short, task, k = 11)
      expect_identical(as.data.frame(longer), as.data.frame(whole))
    }
    ends <- which(!duplicated(groups[whole$index], fromLast = TRUE))
    for (k in seq(min(ends), nrow(whole))) {
      expect_identical(nrow(extend_selection(whole, task, k = k)), max(ends[ends <= k]))
    }
  }
})

test_that("a run stopped by time ends with a whole group, and goes on", {
  withr::local_seed(16)
  task <- units_task()
  groups <- rep(1:5, each = 2)
  expect_warning(stopped <- sift_features(task, sel_scls(), groups = groups, max_seconds = 0),
    "stopped by `max_seconds`")
  expect_identical(nrow(stopped), 2L)
  expect_identical(
    as.data.frame(extend_selection(stopped, task, k = 10)),
    as.data.frame(sift_features(task, sel_scls(), groups = groups))
  )
})

test_that("min_gain asks the best feature of a group", {
  withr::local_seed(17)
  task <- units_task()
  groups <- list(1:2, 3:4, 5:6)
  for (selector in list(sel_mim(), sel_scls())) {
    all <- sift_features(task, selector, groups = groups)
    unit <- c(1, 1, 2, 2, 3, 3, 4:7)
    leads <- which(!duplicated(unit[all$index]))
    limit <- all$score[leads[4L]]
    found <- sift_features(task, selector, groups = groups, min_gain = limit)
    stops <- leads[all$score[leads] < limit]
    expect_identical(found$index, all$index[seq_len(min(c(stops, 11L)) - 1L)])
  }
})

test_that("combined selectors and sources take groups and budgets", {
  withr::local_seed(18)
  x <- (varying_codes(80, 8) > 2) + 0
  y <- random_labels(80, 3)
  task <- mltask(x, y, kind = "label")
  groups <- list(c(1, 5), c(2, 6, 7))
  costs <- c(1, 2, 3, 1, 2, 3, 1, 2)
  unit <- c(1, 2, 3, 4, 1, 2, 2, 5)
  for (selector in list(sel_ensemble(list(sel_mim(), sel_scls())), sel_bagged(sel_mim(), n = 4))) {
    found <- withr::with_seed(1, sift_features(task, selector, groups = groups, costs = costs, max_cost = 9))
    expect_lte(sum(costs[found$index]), 9)
    expect_true(all(tapply(seq_len(8) %in% found$index, unit, function(has) all(has) || !any(has))))
    expect_false(anyNA(found$score))
  }
  source <- chunked(task)
  for (selector in list(sel_mim(), sel_scls())) {
    for (k in c(4, 8)) {
      from_source <- sift_features(source, selector, k, groups = groups, costs = costs, max_cost = 11)
      expect_identical(
        as.data.frame(from_source),
        as.data.frame(sift_features(task, selector, k, groups = groups, costs = costs, max_cost = 11))
      )
    }
  }
  counts <- count_tables(task, sel_mim())
  expect_identical(sift_features(counts, sel_mim(), groups = groups)$index,
    sift_features(task, sel_mim(), groups = groups)$index)
})

test_that("printing says what the selection costs and why it is short", {
  withr::local_seed(19)
  task <- mltask(cbind(a = rep(0:1, 10), b = rep(0:1, each = 10), c = rep(c(0, 1, 1, 0), 5)), rep(0:1, 10))
  expect_snapshot({
    sift_features(task, sel_mim(), k = 2, groups = list(b = 2:3))
    sift_features(task, sel_scls(), costs = c(2, 1, 2), max_cost = 3.5)
  })
})

test_that("unusable groups, costs and budgets are refused", {
  task <- mltask(cbind(a = rep(0:1, 10), b = rep(0:1, each = 10), c = rep(c(0, 1, 1, 0), 5)), rep(0:1, 10))
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_mim(), groups = c("a", "b"))
    sift_features(task, sel_mim(), groups = list("a", c("a", "b")))
    sift_features(task, sel_mim(), groups = list("x"))
    sift_features(task, sel_mim(), groups = c(a = 1, b = 1, d = 2))
    sift_features(task, sel_mim(), groups = mean)
    sift_features(task, sel_mim(), costs = 1:2)
    sift_features(task, sel_mim(), costs = c(1, 0, 2))
    sift_features(task, sel_mim(), costs = c(1, NA, 2))
    sift_features(task, sel_mim(), max_cost = 3)
    sift_features(task, sel_mim(), costs = 1:3, max_cost = -1)
    sift_features(task, sel_mim(), costs = 2:4, max_cost = 1)
    sift_features(task, sel_mim(), costs = 1:3, max_cost = 2, include = "c")
    sift_features(task, sel_mim(), k = 1, groups = list(c("a", "b")), include = "a")
    sift_features(task, sel_mim(), groups = list(c("a", "b")), include = "a", exclude = "b")
    sift_features(task, sel_mim(), groups = c(1, 1, 1), exclude = "b")
    sift_features(task, sel_mim(), k = 1, groups = list(c("a", "b")))
    sift_features(task, sel_scls(), k = 1, groups = list(c("a", "b")))
    sift_features(task, sel_none(), groups = list(c("a", "b")))
    sift_features(task, sel_none(), costs = 1:3)
    extend_selection(sift_features(task, sel_scls(), groups = list(1:3)), task, k = 2)
  })
})

test_that("a ranking goes as far down as the budget asks for", {
  withr::local_seed(21)
  task <- units_task(d = 60)
  for (selector in list(sel_mim(), sel_ebls())) {
    all <- sift_features(task, selector, k = 60)
    costs <- runif(60, 1, 2)
    costs[all$index[1:30]] <- 10
    found <- sift_features(task, selector, k = 3, costs = costs, max_cost = 4)
    expect_identical(found$index, oracle_units(task, selector, 3, 1:60, costs, 4)$index)
    expect_true(all(found$index %in% all$index[31:60]))
  }
})

test_that("scores of candidates do not change with constant features that were taken with their group", {
  withr::local_seed(22)
  x <- cbind(varying_codes(60, 3), 1, varying_codes(60, 4))
  colnames(x) <- paste0("f", 1:8)
  task <- coded_task(x, random_labels(60, 3))
  for (selector in list(sel_scls(), sel_mdmr(), sel_cmim(), sel_ml_cfs(), knn_mi())) {
    varying <- sift_features(task[, -4], selector, k = 3)
    found <- sift_features(task, selector, k = 4, groups = list(c("f4", varying$feature[1])))
    expect_identical(found$feature, append(varying$feature, "f4", 1))
    here <- candidate_scores(found, task)
    expect_identical(here[c("feature", "score")], candidate_scores(varying, task[, -4])[c("feature", "score")])
    expect_setequal(here$feature, setdiff(colnames(x), found$feature))
  }
})

test_that("min_gain leaves out constant features, unless their group is taken", {
  withr::local_seed(23)
  x <- cbind(varying_codes(60, 3), 1, 2)
  colnames(x) <- paste0("f", 1:5)
  task <- coded_task(x, random_labels(60, 3))
  for (groups in list(NULL, list(c(1, 4)))) {
    found <- sift_features(task, sel_scls(), groups = groups, min_gain = -100)
    expect_identical(sort(found$index), c(1:3, if (!is.null(groups)) 4L))
  }
})

label_task <- function(y, sparse = FALSE) {
  y <- matrix(as.integer(y), nrow(y), dimnames = list(NULL, paste0("l", seq_len(ncol(y)))))
  x <- matrix(seq_len(nrow(y)) / 7, dimnames = list(NULL, "a"))
  mltask(x, if (sparse) methods::as(methods::as(y, "dMatrix"), "CsparseMatrix") else y)
}

random_labels <- function(n, q, prob = 0.2) matrix(rbinom(n * q, 1, prob), n)

test_that("iterative stratification equals the algorithm of the paper", {
  withr::local_seed(1)
  shares <- list(c(0.5, 0.5), c(0.7, 0.3), rep(0.1, 10), c(0.2, 0.3, 0.5))
  for (run in 1:40) {
    y <- random_labels(sample(2:60, 1), sample(1:8, 1), runif(1, 0.02, 0.8))
    share <- shares[[run %% 4 + 1]]
    order <- sample.int(nrow(y))
    uniform <- runif(nrow(y))
    columns <- label_columns(label_task(y)$targets)
    expect_identical(
      cpp_stratify(columns$start, columns$row, share, order, uniform), oracle_stratify(y, share, order, uniform)
    )
  }
})

test_that("sparse, dense and class targets with the same information are split alike", {
  withr::local_seed(2)
  y <- random_labels(80, 5)
  split <- function(task) withr::with_seed(3, split_rows(task, rs_cv(4)))
  expect_identical(split(label_task(y)), split(label_task(y, sparse = TRUE)))

  level <- sample(3, 80, TRUE)
  dummies <- outer(level, 1:3, "==") + 0L
  class_task <- mltask(data.frame(a = 1:80 / 7), data.frame(t = factor(c("u", "v", "w")[level])))
  expect_identical(split(class_task), split(label_task(dummies)))
})

test_that("every row is a test row once, and folds hold their share of rows and labels", {
  withr::local_seed(4)
  y <- random_labels(200, 6)
  splits <- split_rows(label_task(y), rs_cv(folds = 5, repeats = 2))
  expect_named(splits, paste0("repeat", rep(1:2, each = 5), "_fold", 1:5))
  expect_identical(sort(unlist(lapply(splits[1:5], `[[`, "test"), use.names = FALSE)), 1:200)
  for (split in splits) {
    expect_identical(sort(c(split$train, split$test)), 1:200)
    expect_false(is.unsorted(split$train) || is.unsorted(split$test))
    expect_lte(abs(length(split$test) - 40), 2)
    expect_lte(max(abs(colSums(y[split$test, ]) - colSums(y) / 5)), 2)
  }
  expect_false(identical(splits$repeat1_fold1, splits$repeat2_fold1))
})

test_that("hold-outs follow prop, stratified or not", {
  withr::local_seed(5)
  y <- random_labels(300, 4)
  for (stratify in c(TRUE, FALSE)) {
    splits <- split_rows(label_task(y), rs_holdout(0.7, repeats = 3, stratify = stratify))
    expect_named(splits, paste0("repeat", 1:3))
    for (split in splits) {
      expect_lte(abs(length(split$train) - 210), if (stratify) 3 else 0)
      expect_identical(sort(c(split$train, split$test)), 1:300)
      if (stratify) expect_lte(max(abs(colSums(y[split$train, ]) - 0.7 * colSums(y))), 3)
    }
  }
})

test_that("numeric targets and rows without labels are split evenly", {
  withr::local_seed(6)
  numeric_task <- mltask(data.frame(a = 1:23 / 7), data.frame(t = rnorm(23)))
  sizes <- lengths(lapply(split_rows(numeric_task, rs_cv(5)), `[[`, "test"))
  expect_identical(sort(unname(sizes)), c(4L, 4L, 5L, 5L, 5L))
  empty <- split_rows(label_task(matrix(0, 20, 3)), rs_cv(4))
  expect_true(all(lengths(lapply(empty, `[[`, "test")) == 5))
})

test_that("as many folds as rows leave one out", {
  withr::local_seed(7)
  splits <- split_rows(label_task(random_labels(12, 3)), rs_cv(12))
  expect_identical(sort(vapply(splits, `[[`, 1L, "test", USE.NAMES = FALSE)), 1:12)
})

test_that("the seed decides, and a fixed split is what it says", {
  task <- label_task(withr::with_seed(8, random_labels(40, 3)))
  split <- function(seed) withr::with_seed(seed, split_rows(task, rs_holdout(0.5, 2)))
  expect_identical(split(1), split(1))
  expect_false(identical(split(1), split(2)))
  expect_identical(split_rows(task, rs_fixed(c(3, 1), 2)), list(fixed = list(train = c(1L, 3L), test = 2L)))
})

test_that("resamplings print what they do", {
  expect_snapshot({
    rs_holdout()
    rs_holdout(0.8, repeats = 1, stratify = FALSE)
    rs_cv(5, repeats = 2)
    rs_fixed(1:3, 4:5)
  })
})

test_that("bad resamplings are refused", {
  task <- label_task(diag(3))
  expect_snapshot(error = TRUE, {
    rs_holdout(prop = 1)
    rs_holdout(prop = "half")
    rs_holdout(repeats = 0)
    rs_cv(folds = 1)
    rs_cv(stratify = NA)
    rs_fixed(1:3, 3:4)
    rs_fixed(integer(), 1)
    rs_fixed(c(1, 1), 2)
    rs_fixed(0, 2)
    rs_fixed("a", 2)
    split_rows(task, "cv")
    split_rows(1:3, rs_cv())
    split_rows(task, rs_cv(4))
    split_rows(task, rs_fixed(1:2, 4))
    split_rows(task, rs_holdout(0.9, stratify = FALSE))
    split_rows(task, rs_holdout(0.9))
  })
})

test_that("row numbers beyond the integers are refused", {
  expect_snapshot(error = TRUE, {
    rs_fixed(Inf, 2)
    rs_fixed(1, 2^31)
  })
})

# --- groups, counts and given splits ----------------------------------------------------------------------------------

grouped_task <- function(n = 120) {
  set.seed(1)
  y <- matrix(as.integer(runif(3 * n) < rep(c(0.5, 0.3, 0.15), each = n)), n, dimnames = list(NULL, c("a", "b", "c")))
  mltask(matrix(rnorm(2 * n), n), y)
}

test_that("rows of a group are never on both sides, and labels are spread", {
  task <- grouped_task()
  set.seed(2)
  group <- sample(letters, 120, TRUE)
  for (splits in list(
    split_rows(task, rs_cv(4, group = group)), split_rows(task, rs_cv(4, group = group, stratify = FALSE)),
    split_rows(task, rs_holdout(0.7, 3, group = group))
  )) {
    for (split in splits) expect_length(intersect(group[split$train], group[split$test]), 0)
    for (split in splits) expect_setequal(c(split$train, split$test), 1:120)
  }
  spread <- function(stratify) {
    splits <- split_rows(task, rs_cv(4, repeats = 10, group = group, stratify = stratify))
    y <- task$targets$values
    mean(vapply(splits, function(split) sum(abs(colMeans(y[split$test, ]) - colMeans(y))), 0))
  }
  expect_lt(spread(TRUE), spread(FALSE))
  expect_setequal(unlist(lapply(split_rows(task, rs_cv(4, group = group)), `[[`, "test")), 1:120)
})

test_that("as many folds as groups leave one group out", {
  task <- grouped_task(20)
  group <- rep(c("x", "y", "z", "w"), 5)
  splits <- split_rows(task, rs_cv(4, group = group))
  expect_setequal(vapply(splits, function(split) unique(group[split$test]), ""), unique(group))
  expect_setequal(vapply(splits, function(split) length(split$test), 0L), 5L)
})

test_that("hold-outs may be given by numbers of rows", {
  task <- grouped_task()
  sizes <- function(resampling) lengths(split_rows(task, resampling)[[1]])
  expect_identical(sizes(rs_holdout(repeats = 1, stratify = FALSE, n_train = 30)), c(train = 30L, test = 90L))
  expect_identical(sizes(rs_holdout(repeats = 1, stratify = FALSE, n_test = 30)), c(train = 90L, test = 30L))
  both <- rs_holdout(repeats = 1, stratify = FALSE, n_train = 30, n_test = 20)
  expect_identical(sizes(both), c(train = 30L, test = 20L))
  near <- sizes(rs_holdout(repeats = 1, n_train = 30, n_test = 20))
  expect_true(all(abs(near - c(30, 20)) <= 4))
  expect_output(print(both), "30 training rows, 20 test rows")
})

test_that("splits may be given, also by rsample", {
  task <- grouped_task(10)
  given <- list(first = list(train = 1:5, test = 6:10), list(train = c(3, 1), test = 2))
  splits <- split_rows(task, rs_custom(given))
  expect_named(splits, c("first", "split2"))
  expect_identical(splits$split2, list(train = c(1L, 3L), test = 2L))
  # What rsample 1.2.1 makes: bootstrap rows repeat; `out_id` is NA where it is the rest.
  bootstrap <- structure(
    list(splits = list(
      list(data = data.frame(a = 1:10), in_id = c(2L, 2L, 9L, 1L), out_id = NA),
      list(data = data.frame(a = 1:10), in_id = 1:3, out_id = 4:5)
    ), id = c("A", "B"), id2 = c("Fold1", "Fold1")),
    class = c("bootstraps", "rset", "tbl_df", "tbl", "data.frame"), row.names = 1:2
  )
  splits <- split_rows(task, rs_custom(bootstrap))
  expect_identical(splits, list(
    A_Fold1 = list(train = c(1L, 2L, 9L), test = c(3:8, 10L)), B_Fold1 = list(train = 1:3, test = 4:5)
  ))
})

test_that("impossible groups, numbers and splits are refused", {
  task <- grouped_task(10)
  refused <- function(code, text) expect_error(code, text, class = "mlsift_error")
  refused(rs_cv(2, group = c(1, NA)), "row 2 is missing")
  refused(split_rows(task, rs_cv(2, group = 1:3)), "one element for each row")
  refused(split_rows(task, rs_cv(5, group = rep(1, 10))), "at least two groups")
  refused(rs_holdout(0.5, n_train = 3), "not both")
  refused(split_rows(task, rs_holdout(n_train = 9, n_test = 2)), "must fit")
  refused(split_rows(task, rs_holdout(n_test = 10)), "must fit")
  for (names in list(c("train", "test"), c("Train", "Test"), c("training", "testing"), c("TEST", "TRAINING"))) {
    parts <- stats::setNames(list(1:6, 7:10), names)
    split <- split_rows(task, rs_custom(list(a = parts)))$a
    expect_identical(split$train, if (startsWith(names[1L], "TEST")) 7:10 else 1:6)
  }
  refused(rs_custom(list(list(learn = 1, test = 2))), "split1")
  refused(rs_custom(list()), "list of splits")
  refused(rs_custom(list(list(1, 2))), "split1")
  refused(rs_custom(list(a = list(train = 1:3, test = 3))), "cannot be used")
  refused(split_rows(task, rs_custom(list(list(train = 1:3, test = 11)))), "names row 11")
})

test_that("groups are counted where a resampling is described", {
  expect_identical(describe_resampling(rs_cv(2, group = c("a", "b", "c", "a"))),
    sub("stratified", "stratified, 3 groups", describe_resampling(rs_cv(2)), fixed = TRUE))
  expect_output(print(rs_holdout(repeats = 1, group = c(1, 1, 2, 2))), "(stratified, 2 groups)", fixed = TRUE)
})

# --- groups and times of the task -------------------------------------------------------------------------------------

test_that("resamplings take the groups of the task, and NULL ignores them", {
  set.seed(2)
  data <- data.frame(a = rnorm(60), g = sample(letters[1:8], 60, TRUE), l1 = rbinom(60, 1, 0.5))
  task <- mltask(data, targets = "l1", group = "g")
  plain <- mltask(data[c("a", "l1")], targets = "l1")
  same <- function(grouped, resampling) {
    set.seed(3)
    first <- split_rows(task, grouped)
    set.seed(3)
    expect_identical(first, split_rows(plain, resampling))
  }
  same(rs_cv(4), rs_cv(4, group = data$g))
  same(rs_holdout(0.7, 2), rs_holdout(0.7, 2, group = data$g))
  expect_message(same(rs_cv(4, group = NULL), rs_cv(4)), "ignored")
  expect_output(print(rs_cv(4, group = NULL)), "groups ignored")
  expect_message(splits <- split_rows(task, rs_cv(10)), "8 folds instead of 10")
  expect_setequal(vapply(splits, function(split) unique(data$g[split$test]), ""), letters[1:8])
  expect_error(split_rows(mltask(data[c("a", "l1")], targets = "l1", group = rep("x", 60)), rs_cv(2)), "two groups")
})

test_that("a group vector for all rows is cut to the rows at hand", {
  set.seed(4)
  n <- 80
  group <- sample(1:10, n, TRUE)
  task <- mltask(data.frame(a = rnorm(n), b = rnorm(n)), data.frame(l1 = rbinom(n, 1, 0.5), l2 = rbinom(n, 1, 0.5)))
  part <- split_part(task, which(group > 3))
  nested <- split_part(part, 1:30)
  for (at_hand in list(part, nested)) {
    rows <- at_hand$rows$number
    for (split in split_rows(at_hand, rs_cv(3, group = group))) {
      expect_length(intersect(group[rows[split$train]], group[rows[split$test]]), 0)
    }
  }
  expect_error(split_rows(part, rs_cv(3, group = 1:70)), "It has 70")
  inner <- sel_best(list(sel_mim(), sel_scls()), lrn_nb(), "hamming_loss", 1:2, rs_cv(3, group = group))
  bench <- benchmark_selectors(list(t = task), list(best = inner), list(nb = lrn_nb()), rs_cv(2, group = group), k = 2,
    measures = "hamming_loss")
  expect_identical(nrow(failures(bench)), 0L)

  # The same for subsamples, and where rows of weight 0 are left out.
  weighted <- mltask(features(task), targets(task), weights = rep(0:3, 20))
  search <- sel_rga(lrn_nb(), "hamming_loss", 2, 10, population = 4, inner = rs_cv(3, group = group))
  turn <- 0L
  set.seed(5)
  bagged <- sel_bagged(inner, n = if (all_tests()) 4 else 2)
  for (selector in list(bagged, inner, search)) for (one in some_or_all(list(weighted, task), turn <- turn + 1L, 2L)) {
    expect_gt(nrow(sift_features(one, selector, k = 2)), 0)
    nested <- benchmark_selectors(one, selector, lrn_nb(), rs_cv(2, group = group), k = 2, measures = "hamming_loss",
      progress = FALSE)
    expect_identical(nrow(failures(nested)), 0L)
  }
})

# The blocks one by one. `span`: a number of rows.
naive_forward <- function(time, folds, gap = 0, window = NULL, group = seq_along(time)) {
  last <- ave(as.numeric(time), group, FUN = max)
  n <- length(time)
  sorted <- sort(last)
  changes <- c(1, which(diff(sorted) > 0) + 1)
  begin <- integer()
  for (j in seq_len(folds)) {
    wanted <- 1 + n * j / (folds + 1)
    begin <- c(begin, changes[order(abs(changes - wanted))[1]])
  }
  begin <- setdiff(begin, 1)
  lapply(seq_along(begin), function(j) {
    from <- begin[j]
    to <- if (j < length(begin)) begin[j + 1] - 1 else n
    train <- last < sorted[from]
    if (gap > 0) train <- train & last < sorted[max(1, from - gap)]
    if (!is.null(window)) train <- train & last >= sorted[max(1, sum(train) + 1 - window)]
    list(train = which(train), test = which(last >= sorted[from] & last <= sorted[to]))
  })
}

test_that("forward splits are those of a naive loop", {
  for (seed in 1:30) {
    set.seed(seed)
    n <- sample(20:60, 1)
    time <- if (seed %% 2) sample(n) else sample(n %/% 2, n, TRUE)
    group <- if (seed %% 3 == 0) sample(8, n, TRUE)
    folds <- sample(1:4, 1)
    gap <- sample(0:2, 1)
    window <- if (seed %% 5 == 0) 6
    task <- mltask(data.frame(a = rnorm(n)), data.frame(l1 = rep_len(0:1, n)), time = time, group = group)
    found <- suppressMessages(split_rows(task, rs_forward(folds, gap, window)))
    expect_identical(unname(found), naive_forward(time, folds, gap, window, group %||% seq_len(n)))
    last <- ave(time, group %||% seq_len(n), FUN = max)
    for (split in found) expect_lt(max(last[split$train]), min(last[split$test]))
    expect_identical(unlist(lapply(found, `[[`, "test"), use.names = FALSE) |> anyDuplicated(), 0L)
  }
})

test_that("gaps and windows may be spans of time", {
  days <- as.Date("2024-01-01") + c(0:9, 12:21)
  task <- mltask(data.frame(a = 1:20 / 7), data.frame(l1 = rep(0:1, 10)), time = days)
  week <- as.difftime(7, units = "days")
  splits <- split_rows(task, rs_forward(3, gap = as.difftime(2, units = "days"), window = week))
  for (split in splits) {
    before <- as.numeric(min(days[split$test]) - days[split$train])
    expect_true(all(before > 2 & before <= 9))
  }
  expect_identical(splits, split_rows(
    mltask(features(task), targets(task), time = as.POSIXct(days)),
    rs_forward(3, gap = as.difftime(48, units = "hours"), window = week)
  ))
  expect_identical(split_rows(task, rs_forward(3)), split_rows(task, rs_forward(3, gap = 0 * week)))
  expect_output(print(rs_forward(3, 2, 5)), "3 test blocks .*, a gap of 2 rows, trained on the last 5 rows")

  number <- mltask(features(task), targets(task), time = 1:20)
  expect_error(split_rows(number, rs_forward(3, gap = week)), "POSIXct")
  expect_error(rs_forward(3, gap = 2, window = week), "both")
  expect_error(rs_forward(window = 0), "above 0")
  expect_error(split_rows(mltask(features(task), targets(task)), rs_forward()), "whose rows have times")
  expect_error(split_rows(number, rs_forward(3, gap = 9)), "none before block 1, which begins with row 6 in time")
  expect_error(split_rows(mltask(features(task), targets(task), time = rep(1, 20)), rs_forward()), "cannot be parted")
  expect_message(split_rows(mltask(features(task), targets(task), time = rep(1:3, c(8, 6, 6))), rs_forward(5)),
    "2 test blocks instead of 5")
})

test_that("choices without a resampling obey time", {
  task <- mltask(data.frame(a = 1:20 / 7), data.frame(l1 = rep(0:1, 10)), time = 1:20)
  expect_identical(split_rows(task, own_resampling(NULL, task, rs_cv(4))), split_rows(task, rs_forward(4)))
  block <- split_rows(task, own_resampling(NULL, task, rs_holdout(0.8, 1)))
  expect_identical(block, list(fold1 = list(train = 1:16, test = 17:20)))
  grouped <- mltask(features(task), targets(task), time = 1:20, group = rep(1:5, 4))
  expect_identical(own_resampling(NULL, grouped, rs_cv(4)), rs_cv(4))
})

test_that("groups are of the whole task, even if a part is as long", {
  task <- mltask(cbind(f = rep(1:10, 2)), cbind(a = rep(0:1, 10)))
  part <- split_part(task, 11:20)
  expect_error(make_splits(part, rs_cv(2, group = rep(1:2, 5))), "It has 10; the task has 20", class = "mlsift_error")
  folds <- make_splits(part, rs_cv(2, group = rep(1:2, c(13, 7))))
  expect_setequal(lapply(folds, `[[`, "test"), list(1:3, 4:10))
})

# sift() with groups, times and weights of rows.

patients <- function(seed, n_patients = 30, n_visits = 10, n_labels = 1) {
  withr::local_seed(seed)
  each <- function(values) values[rep(seq_len(n_patients), each = n_visits), , drop = FALSE]
  y <- each(matrix(rbinom(n_patients * n_labels, 1, 0.5), n_patients))
  colnames(y) <- paste0("l", seq_len(n_labels))
  x <- each(matrix(rnorm(n_patients * 8), n_patients, dimnames = list(NULL, letters[1:8])))
  data.frame(patient = paste0("p", rep(seq_len(n_patients), each = n_visits)), x, y)
}

quick_answer <- function(data, ..., selectors = sel_mim(), stand_ins = "none") {
  local_few_draws()
  set.seed(4)
  sift(data, learner = lrn_nb(), selectors = selectors, max_features = 2, stand_ins = stand_ins, ...)
}

said <- function(answer) paste(summary(answer), collapse = " ")

test_that("noise that is constant within patients is found without groups, and never with them", {
  skip_unless_all()
  for (seed in 1:2) {
    data <- patients(seed)
    grouped <- quick_answer(data, targets = "l1", group = "patient", inner = rs_cv(2))
    expect_match(said(grouped), "There is nothing here", fixed = TRUE)
    expect_match(said(grouped), "Rows of a group stayed together: 30 groups of 10 rows.", fixed = TRUE)
  }
  alone <- quick_answer(data[-1], targets = "l1", inner = rs_cv(2))
  expect_no_match(said(alone), "There is nothing here", fixed = TRUE)
  expect_no_match(said(alone), "group", fixed = TRUE)
  expect_lt(alone$quality$p_value[4], 0.05)
})

test_that("sensors are found among values that identify machines", {
  withr::local_seed(5)
  machine <- rep(1:12, each = 40)
  n <- length(machine)
  x <- matrix(rnorm(n * 20), n, dimnames = list(NULL, c(paste0("sensor", 1:8), paste0("noise", 1:12))))
  place <- matrix(rnorm(12 * 10), 12)[machine, ] + rnorm(n * 10, sd = 0.1)
  colnames(place) <- paste0("place", 1:10)
  offset <- 1.2 * rnorm(12)[machine]
  y <- sapply(1:4, function(j) as.integer(x[, 2 * j - 1] + x[, 2 * j] + offset + 0.5 * rnorm(n) > 0))
  task <- mltask(cbind(x, place), y, group = machine)
  sensors <- function(found) sum(startsWith(selected(found), "sensor"))
  # Places say much about the alarms of these machines, and nothing about those of others.
  expect_lte(sensors(sift_features(task, sel_mim(), k = 8)), 5)
  set.seed(6)
  answer <- sift(task, learner = lrn_nb(), selectors = list(sel_mim(), sel_ami(), sel_mfs()), max_features = 8,
    stand_ins = "none", estimate = FALSE, inner = rs_cv(2))
  expect_gte(sensors(answer), 7)
})

test_that("every split of an answer keeps groups together", {
  skip_unless_all()
  data <- patients(1, 9, 4, 2)
  group <- match(data$patient, unique(data$patient))
  seen <- 0
  original <- make_splits
  local_mocked_bindings(make_splits = function(task, resampling) {
    splits <- original(task, resampling)
    group <- row_groups(task)
    for (split in splits) expect_length(intersect(group[split$train], group[split$test]), 0)
    seen <<- seen + 1
    splits
  }, .package = "mlsift")
  data$b <- data$a
  data$l1 <- rep_len(0:1, 36)
  answer <- quick_answer(data, targets = c("l1", "l2"), group = "patient", check = "permutation", permutations = 2,
    selectors = list(sel_mim(), sel_mfs()), stand_ins = "swap")
  # One choice, five outer ones, two permutations, three benchmarks, the draws and the exchanges of features.
  expect_gt(seen, 10)
  expect_length(answer$check$permuted, 2)
  # Vectors do what columns do.
  by_name <- quick_answer(data, targets = c("l1", "l2"), group = "patient", estimate = FALSE)
  by_value <- quick_answer(data[-1], targets = c("l1", "l2"), group = data$patient, estimate = FALSE)
  expect_identical(by_value$tuning$curve, by_name$tuning$curve)
})

test_that("rows in time are tested after those to learn from", {
  withr::local_seed(7)
  n <- 90
  data <- data.frame(day = as.Date("2024-01-01") + sample(n), a = rnorm(n), b = rnorm(n))
  data$l1 <- as.integer(data$a + rnorm(n) > 0)
  data$l2 <- as.integer(data$b + rnorm(n) > 0)
  answer <- quick_answer(data, targets = c("l1", "l2"), time = "day", weights = rep(1:3, 30), check = "permutation",
    permutations = 2)
  expect_match(said(answer), "Tested on later rows than those to learn from.", fixed = TRUE)
  expect_match(said(answer), "The estimate has 3 test blocks: there are few rows.", fixed = TRUE)
  expect_identical(row_weights(answer$task), rep(c(1, 2, 3), 30))
  expect_identical(answer$setup$outer, usual_forward(3L))
  expect_match(paste(as_code(answer), collapse = " "), "rs_forward(folds = 3)", fixed = TRUE)
})

test_that("a choice is never made within rows of one time", {
  skip_unless_all()
  panel <- function(years, each = 40) {
    withr::local_seed(8)
    n <- years * each
    data <- data.frame(year = rep(2000 + seq_len(years), each = each), a = rnorm(n), b = rnorm(n))
    transform(data, l1 = as.integer(a + rnorm(n) > 0), l2 = as.integer(b + rnorm(n) > 0))
  }
  on <- function(data, ...) quick_answer(data, targets = c("l1", "l2"), time = "year", ...)
  # The first of the five blocks that are learned from is of one year.
  expect_no_warning(answer <- on(panel(7)))
  expect_identical(unique(answer$benchmark$split), paste0("fold", 2:5))
  expect_false(anyNA(answer$quality$mean))
  expect_match(said(answer), "The estimate is without 1 split with training rows of one time.", fixed = TRUE)
  expect_no_message(few <- on(panel(3)))
  expect_identical(unique(few$benchmark$split), "fold2")
  expect_match(said(few), "The estimate has 2 test blocks: there are few times.", fixed = TRUE)
  # Nobody asked for a number of blocks, so none is missing.
  uneven <- transform(panel(4), year = rep(2001:2004, c(60, 10, 15, 75)))
  expect_no_message(uneven <- on(uneven))
  expect_match(said(uneven), "The estimate has 2 test blocks: there are few times.", fixed = TRUE)
  first <- transform(panel(4), year = rep(2001:2004, c(130, 10, 10, 10)))
  expect_error(on(first), "130 of 160 rows have the first time, \"2001\"", class = "mlsift_error")
  expect_false(anyNA(on(first, inner = rs_cv(2))$quality$mean))
  expect_error(on(panel(2)), "at least 3 different times of rows for an estimate", class = "mlsift_error")
  expect_false(anyNA(on(panel(2), estimate = FALSE)$tuning$curve$mean))
  expect_false(anyNA(on(panel(2), inner = rs_cv(3), outer = rs_forward(1))$quality$mean))
  expect_error(on(panel(2), group = rep(1:40, 2), outer = rs_forward(1)), "group counts at the time of its last row",
    class = "mlsift_error")
  # Rows of one time have no order, and are split as without times.
  expect_identical(on(panel(1))$quality, quick_answer(panel(1), targets = c("l1", "l2"), exclude = "year")$quality)
  later <- mltask(panel(3), targets = c("l1", "l2"), time = "year")
  bench <- benchmark_selectors(later, sel_mim(), list(lrn_threshold(lrn_nb()), lrn_nb()), rs_forward(2), k = 2,
    measures = "macro_f1")
  expect_false(anyNA(bench$value))
})

test_that("shares are of the splits on which the choice succeeded", {
  skip_unless_all()
  withr::local_seed(8)
  data <- data.frame(a = rnorm(60), b = rnorm(60), l1 = rep(0:1, 30), l2 = rep(c(0, 0, 1), 20))
  fails <- sel_custom("Sometimes", function(task, k) {
    if (nrow(task) == 30 && task$x$a[1] == data$a[31]) stop("no")
    c(2, 1)
  })
  outer <- rs_custom(list(one = list(train = 1:30, test = 31:60), two = list(train = 31:60, test = 1:30)))
  answer <- suppressMessages(suppressWarnings(quick_answer(data, c("l1", "l2"), selectors = fails, outer = outer,
    inner = rs_holdout(0.5, 1))))
  expect_true(anyNA(answer$quality$mean))
  expect_identical(max(answer$features$share), 1)
  expect_false(anyNA(answer$features$chance))
  # The page and the report do without the quality.
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_identical(plot(answer), answer)
  expect_error(plot(answer, "quality"), "failed on a split", class = "mlsift_error")
  file <- withr::local_tempfile(fileext = ".html")
  local_no_pictures()
  write_report(answer, file)
  expect_match(readLines(file), "could not be estimated on every split", all = FALSE)
})

test_that("few groups give fewer folds, and what cannot be judged is named", {
  data <- patients(2, 12, 3, 2)
  few <- quick_answer(data, targets = c("l1", "l2"), group = "patient")
  expect_match(said(few), "The choice has 3 folds: few groups have targets to learn from.", fixed = TRUE)
  code <- paste(as_code(few), collapse = " ")
  expect_match(code, "k = c(1, 2), resampling = rs_cv(folds = 3))", fixed = TRUE)
  expect_match(code, "rs_cv(folds = 4), ", fixed = TRUE)
  task <- mltask(data, targets = c("l1", "l2"), group = "patient")
  here <- list2env(list(task = task))
  eval(parse(text = sub("^library.*", "", as_code(few))), here)
  expect_identical(selected(here$selection), selected(few))

  data$l1 <- rep_len(0:1, 36)
  data$l2 <- as.integer(data$patient == "p3" & rep_len(0:1, 36))
  expect_match(said(quick_answer(data, targets = c("l1", "l2"), group = "patient", estimate = FALSE)),
    "Some value of l2 is in one group of rows only", fixed = TRUE)
  # Without groups, it is a row.
  sparse_l <- function(y) mltask(data["a"], sparse(as.matrix(y)))
  labels <- data.frame(l1 = rep(0:1, 18), l2 = c(1, rep(0, 35)), l3 = c(0, rep(1, 35)), l4 = c(NA, 1, rep(0, 34)),
    l5 = 0)
  for (task in list(mltask(data["a"], labels), mltask(data["a"], labels, weights = rep(2, 36)), sparse_l(labels))) {
    expect_match(lone_notes(task), "^Some value of l2, l3, l4 is in one row only, .* on other rows.$")
  }
  expect_match(lone_notes(mltask(data["a"], data.frame(k = rep(c("a", "b", "c"), c(1, 20, 15))))), "of k is in one row")
  expect_identical(lone_notes(mltask(data["a"], labels["l1"])), character())
  three <- quick_answer(data, targets = "l1", exclude = "l2", group = rep(1:3, 12))
  expect_match(said(three), "The estimate has 3 folds: there are few groups.", fixed = TRUE)
  expect_false(anyNA(three$quality$mean))
  refused <- function(text, ...) {
    expect_error(quick_answer(data[-1], targets = "l1", ...), text, class = "mlsift_error")
  }
  refused("at least 3 groups of rows for an estimate.*The task has 2", group = rep(1:2, 18))
  refused("at least 2 groups of rows\\..*The task has 1", group = rep(1, 36), estimate = FALSE)
  refused("`group` must not be missing", group = c(NA, 2:36))
  refused("no column \"patent\"", group = "patent")
  refused("`time` must be finite numbers", time = data$patient)
  e <- tryCatch(quick_answer(data, targets = "l1", group = "patent"), error = identity)
  expect_identical(as.character(e$call[[1]]), "sift")
  for (given in list(list(group = "patient"), list(time = 1:36), list(targets = "l1"), list(weights = 1:36))) {
    expect_error(do.call(sift, c(list(task), given)), paste0("`", names(given), "` is for a data frame"),
      class = "mlsift_error")
  }
  # One group is left to choose with.
  data[letters[1:8]] <- matrix(sin(1:288), 36)
  task <- mltask(data[names(data) != "l2"], targets = "l1", group = "patient")
  lost <- suppressWarnings(quick_answer(task, outer = rs_fixed(1:3, 4:36)))
  expect_match(failures(lost$benchmark)$message[1], "There must be at least two groups of rows", fixed = TRUE)
  expect_match(said(lost), "could not be estimated", fixed = TRUE)
})

test_that("groups that the estimate ignores are told once, and those that it parts are said", {
  data <- patients(3, 10, 3, 2)
  data$l1 <- rep_len(0:1, 30)
  told <- character()
  ignored <- withCallingHandlers(quick_answer(data, targets = c("l1", "l2"), group = "patient",
    outer = rs_cv(3, group = NULL)), mlsift_message = function(m) {
    told <<- c(told, conditionMessage(m))
    rlang::cnd_muffle(m)
  })
  expect_length(grep("ignored", told), 1)
  expect_true("  rs_cv(folds = 3, group = NULL)," %in% as_code(ignored))
  expect_match(said(ignored), "Rows of the same group were learned from and tested on.", fixed = TRUE)
  task <- mltask(data, targets = c("l1", "l2"), group = "patient")
  expect_match(said(quick_answer(task, outer = rs_fixed(1:16, 17:30))), "learned from and tested on", fixed = TRUE)
  expect_match(said(quick_answer(task, outer = rs_fixed(1:15, 16:30))), "stayed together", fixed = TRUE)
  expect_match(said(quick_answer(mltask(data[-1], targets = c("l1", "l2")), outer = rs_cv(3, group = data$patient))),
    "Rows of a group stayed together: 10 groups of 3 rows.", fixed = TRUE)
})

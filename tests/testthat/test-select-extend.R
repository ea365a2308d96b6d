test_that("candidate_scores() gives J(f | S) by the equation, of every feature not selected", {
  withr::local_seed(41)
  x <- random_codes(70, 8, 3)
  x[, 8] <- x[, 3]
  y <- random_labels(70, 4)
  task <- coded_task(x, y)
  selectors <- list(ami = sel_ami(), scls = sel_scls(), pmu = sel_pmu(), mdmr = sel_mdmr(), lrfs = sel_lrfs(),
    single_jmi = sel_single_jmi(),
    cmim = sel_cmim(), njmim = sel_njmim(), mrmr = sel_mrmr(), jmi3 = sel_jmi3(), cmi = sel_cmi(), jim = sel_jim(),
    lsmfs = sel_lsmfs(), mlsmfs = sel_mlsmfs())
  for (name in names(selectors)) {
    sel <- sift_features(task, selectors[[name]], k = 3, exclude = "f5", constants = "scored")
    found <- candidate_scores(sel, task)
    left <- setdiff(1:8, sel$index)
    expect_named(found, c("feature", "index", "score"))
    expect_setequal(found$index, left)
    expect_identical(found$feature, paste0("f", found$index))
    expect_identical(order(-found$score, found$index), seq_along(left), label = name)
    expect_equal(
      found$score[match(left, found$index)], vapply(left, function(f) oracle_score(name, x, y, f, sel$index), 0),
      tolerance = 1e-10, label = name
    )
    expect_identical(candidate_scores(sel, task, threads = 2), found)
  }
})

test_that("the best candidate is what a longer selection adds, with the same bits", {
  withr::local_seed(42)
  task <- simulate_mltask(90, 9, 4)
  for (selector in list(
    sel_ami(base = exp(1)), sel_d2f("code2015"), sel_joint_jmi("sqrt"), sel_group_jmi(), sel_disr(base = 10),
    sel_ml_cfs(), sel_ml_cfs("decrease")
  )) {
    sel <- sift_features(task, selector, k = 3)
    found <- candidate_scores(sel, task)
    longer <- extend_selection(sel, task, 4)
    if (nrow(longer) < 4L) next
    expect_identical(found$feature[1:2], c(longer$feature[4], longer$runner_up[4]), label = selector$name)
    expect_identical(found$score[1:2], c(longer$score[4], longer$runner_up_score[4]), label = selector$name)
  }
  all <- candidate_scores(sift_features(task, sel_cmim()), task)
  expect_identical(all, data.frame(feature = character(), index = integer(), score = numeric()))
})

test_that("selections stopped early and begun with features have candidates too, constants of kNN-MI no score", {
  withr::local_seed(43)
  x <- matrix(rnorm(360), 60, dimnames = list(NULL, paste0("f", 1:6)))
  x[, 2] <- 5
  y <- cbind(a = as.integer(x[, 1] + x[, 5] > 0), b = as.integer(x[, 4] > 0))
  task <- mltask(x, y)
  sel <- sift_features(task, sel_knn_mi(), k = 2)
  found <- candidate_scores(sel, task)
  longer <- extend_selection(sel, task, 3)
  expect_identical(found$feature[c(1, 4)], c(longer$feature[3], "f2"))
  expect_identical(found$score[c(1, 4)], c(longer$score[3], NA))
  expect_warning(stopped <- sift_features(task, sel_ami(), include = "f3", max_seconds = 0), "stopped by `max_seconds`")
  expect_identical(
    candidate_scores(stopped, task)$feature[1], sift_features(task, sel_ami(), include = "f3", k = 3)$feature[3]
  )
})

test_that("candidate_scores() refuses what is not greedy, cut, or of another task", {
  withr::local_seed(44)
  task <- simulate_mltask(40, 6, 3)
  sel <- sift_features(task, sel_ami(), k = 3)
  expect_snapshot(error = TRUE, {
    candidate_scores(sift_features(task, sel_mim(), k = 2), task)
    candidate_scores(head(sel, 2), task)
    candidate_scores(sel, task[, 1:5])
    candidate_scores(sel, simulate_mltask(40, 6, 3))
    candidate_scores(sel, "task")
    candidate_scores("f1", task)
    candidate_scores(sel, task, threads = -1)
  })
})

test_that("an interrupt while candidates are counted reaches the caller", {
  withr::local_seed(45)
  task <- coded_task(random_codes(40, 6), random_labels(40, 3))
  source <- chunked(task)
  sel <- sift_features(source, sel_ami(), k = 2)
  stopping <- function(at) {
    passes <- 0
    slow <- source
    slow$open <- function() {
      passes <<- passes + 1
      if (passes == at) rlang::interrupt()
      source$open()
    }
    slow
  }
  outcome <- function(at) tryCatch(candidate_scores(sel, stopping(at)), interrupt = function(e) "interrupted")
  expect_identical(outcome(1), "interrupted")
  expect_identical(outcome(2), "interrupted")
  expect_identical(outcome(100), candidate_scores(sel, task))
})

test_that("a time limit while candidates are scored reaches the caller", {
  task <- simulate_mltask(40, 6, 3)
  selection <- sift_features(task, sel_ami(), k = 2)
  local_mocked_bindings(resume_selection = function(...) {
    interrupts$pending <- simpleError("reached elapsed time limit")
    list(ranking = list(interrupted = TRUE))
  })
  expect_error(candidate_scores(selection, task), "reached elapsed time limit", fixed = TRUE)
})

test_that("searches and model paths go on from rows of weight above 0 and discretized targets", {
  withr::local_seed(46)
  x <- matrix(rnorm(300), 50, dimnames = list(NULL, paste0("f", 1:6)))
  numbers <- cbind(a = x[, 1] + rnorm(50), b = x[, 2] - rnorm(50))
  weights <- sample(0:3, 50, TRUE)
  task <- mltask(x, numbers, weights = weights)
  for (bins in list(NULL, 3)) {
    of <- function(k) sift_features(task, sel_mtl(n_lambda = 30), k = k, target_bins = bins)
    expect_equal(as.data.frame(extend_selection(of(2), task, 5)), as.data.frame(of(5)))
    expect_error(extend_selection(of(2), mltask(x, numbers), 5), "data are different", class = "mlsift_error")
    expect_error(extend_selection(of(2), mltask(x, numbers > 0), 5), "data are different", class = "mlsift_error")
  }
  of <- function(n) {
    search <- sel_rga(lrn_nb(), "accuracy", 3, n, population = 4)
    withr::with_seed(1, sift_features(task, search, target_bins = 3))
  }
  expect_identical(values_of(extend_selection(of(6), task, evaluations = 12)), values_of(of(12)))
})

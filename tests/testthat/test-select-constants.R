constant_task <- function() {
  set.seed(1)
  x <- matrix(sample(0:1, 400, TRUE), 50, dimnames = list(NULL, paste0("f", 1:8)))
  x[, c(3, 6)] <- 1L
  mltask(cbind(x, g1 = x[, 1], g2 = x[, 2]), matrix(sample(0:1, 150, TRUE), 50))
}

test_that("greedy selectors put constant features last, without a score", {
  task <- constant_task()
  for (selector in list(
    sel_scls(), sel_ami(), sel_cmim(), sel_single_jmi(), sel_jmi3(), sel_cmi(), sel_jim(), sel_lsmfs(), sel_mlsmfs(),
    sel_ml_cfs()
  )) {
    found <- sift_features(task, selector)
    expect_identical(tail(found$index, 2), c(3L, 6L))
    expect_true(all(is.na(tail(found$score, 2))))
    expect_false(anyNA(head(found$score, 8)))
    varying <- sift_features(task[, -c(3, 6)], selector)
    expect_identical(head(found$feature, 8), varying$feature)
    expect_identical(head(found$score, 8), varying$score)
  }
  expect_true(any(head(sift_features(task, sel_scls(), constants = "scored")$index, 8) %in% c(3L, 6L)))
})

test_that("a larger k than that of the varying features is said", {
  task <- constant_task()
  expect_warning(found <- sift_features(task, sel_scls(), k = 9), "8 features vary, 2 are constant")
  expect_identical(found$index[9], 3L)
  expect_no_warning(sift_features(task, sel_scls(), k = 8))
  expect_no_warning(sift_features(task, sel_scls()))
})

test_that("include, exclude and extension know constant features", {
  task <- constant_task()
  expect_identical(sift_features(task, sel_scls(), k = 3, include = 6)$index[1], 6L)
  expect_false(3L %in% sift_features(task, sel_scls(), exclude = 3)$index)
  whole <- sift_features(task, sel_scls())
  for (k in c(1, 4, 8)) {
    begun <- sift_features(task, sel_scls(), k = k)
    for (more in 9:10) expect_identical(
      as.data.frame(extend_selection(begun, task, more)), head(as.data.frame(whole), more)
    )
  }
  begun <- suppressWarnings(sift_features(task, sel_scls(), k = 9))
  expect_identical(as.data.frame(extend_selection(begun, task, 10)), as.data.frame(whole))
  expect_setequal(candidate_scores(begun, task)$index, 6L)
})

test_that("extension and candidates of every greedy selector treat constants as sift_features() does", {
  skip_unless_all()
  task <- constant_task()
  greedy <- list_selectors()
  turn <- 0
  for (code in greedy$constructor[greedy$greedy]) for (rows in list(task, chunked(task))) {
    turn <- turn + 1
    selector <- eval(str2lang(code))
    first <- suppressWarnings(try(sift_features(rows, selector, k = 1), silent = TRUE))
    if (inherits(rows, "mlsource") && inherits(first, "try-error")) next
    for (constants in some_or_all(c("last", "scored"), turn + turn %/% 2, 2L)) {
      of <- function(k) {
        withr::with_seed(1, sift_features(rows, selector, k, exclude = 6, constants = constants))
      }
      suppressWarnings({
        whole <- of(9)
        for (k in c(1, 8)) {
          begun <- of(k)
          expect_identical(as.data.frame(extend_selection(begun, rows, 9)), as.data.frame(whole), label = code)
          found <- candidate_scores(begun, rows)
          following <- found[found$index != 6, ][1, ]
          expect_identical(following$index, whole$index[k + 1], label = code)
          expect_identical(following$score, whole$score[k + 1], label = code)
          last <- if (constants == "last" || code == "sel_knn_mi()") setdiff(c(3L, 6L), begun$index)
          expect_identical(found$index[is.na(found$score)], as.integer(last), label = code)
          expect_identical(tail(found$index, length(last)), as.integer(last), label = code)
        }
      })
    }
  }
})

# Searches with a learner: 100 evaluations on emotions with NB, beside a loop over e1071 models of the same sets, and
# with other learners; on delicious with NB, with and without exploration; kNN regression on scm20d. One thread.
#   Rscript bench/searches.R [folder with emotions, delicious and scm20d]
# Claims: emotions with NB at most 0.1 s and at least 500 times as fast as the loop over e1071; with ML-kNN at most
# 0.5 s; delicious with NB at most 5 s; exploration adds at most 20 %.
source("bench/common.R")
machine()

# Seconds for the search and its sets, on fixed inner rows.
timed <- function(task, selector, rounds = 3) {
  run <- function() {
    set.seed(1)
    sift_features(task, selector, threads = 1)
  }
  list(seconds = seconds(run, rounds = rounds), selection = run())
}
sets_of <- function(selection) attr(selection, "search")$sets
inner_rows <- function(task) {
  set.seed(2)
  rows <- split_rows(task, rs_holdout(0.8, 1))[[1L]]
  rs_fixed(rows$train, rows$test)
}

task <- bench_task("emotions")
inner <- inner_rows(task)
cat(shape_of(task), ", 100 evaluations\n", sep = "")
learners <- list(lrn_nb(), lrn_mlnb(), lrn_mlknn(), lrn_brknn(), lrn_brlr())
found <- lapply(learners, function(learner) timed(task, sel_rga(learner, inner = inner)))
for (i in seq_along(learners)) {
  sel <- found[[i]]$selection
  again <- vapply(sets_of(sel)[1:10], function(set) {
    assess_features(task, set, learners[[i]], "hamming_loss", inner)$value
  }, 0)
  stopifnot(identical(again, search_history(sel)$value[1:10]))
}
names <- vapply(learners, function(learner) learner$name, "")
report(paste("RGA with", names), vapply(found, `[[`, 0, "seconds"))
searches <- list(
  RGA = sel_rga(inner = inner), `GA+SCLS` = sel_ga_explore(inner = inner), MAMFS = sel_mamfs(inner = inner),
  `NSGA-II` = sel_nsga2(inner = inner), MPSOFS = sel_mpsofs(inner = inner)
)
report(paste(names(searches), "with NB"), vapply(searches, function(s) timed(task, s)$seconds, 0))

if (has_peer("e1071")) {
  x <- as.data.frame(as.matrix(task))
  y <- as.matrix(targets(task))
  train <- inner$params$train
  test <- inner$params$test
  loss_of <- function(set) {
    wrong <- vapply(seq_len(ncol(y)), function(l) {
      model <- e1071::naiveBayes(x[train, set, drop = FALSE], factor(y[train, l], 0:1))
      score <- stats::predict(model, x[test, set, drop = FALSE], type = "raw")[, 2L]
      sum((score >= 0.5) != y[test, l])
    }, 0)
    sum(wrong) / (length(test) * ncol(y))
  }
  sel <- found[[1L]]$selection
  loop <- system.time(losses <- vapply(sets_of(sel), loss_of, 0))[["elapsed"]]
  same <- sum(abs(losses - search_history(sel)$value) < 1e-12)
  cat(sprintf("  a loop over e1071: %.2f s, %.0f times as long; %d of 100 losses equal\n", loop,
    loop / found[[1L]]$seconds, same))
}

task <- bench_task("delicious")
inner <- inner_rows(task)
cat(shape_of(task), ", 100 evaluations with NB\n", sep = "")
plain <- timed(task, sel_rga(inner = inner), 1)
explored <- timed(task, sel_ga_explore(inner = inner), 1)
evaluating <- sum(search_history(explored$selection)$seconds)
report(c("RGA", "GA+SCLS"), c(plain$seconds, explored$seconds))
whole <- attr(explored$selection, "seconds")
cat(sprintf("  GA+SCLS, one run: %.2f s for the evaluations, %.2f s (%.0f %%) for all else\n", evaluating,
  whole - evaluating, 100 * (whole - evaluating) / evaluating))

if (!is.null(data_folder())) {
  task <- bench_task("scm20d")
  inner <- inner_rows(task)
  knn <- timed(task, sel_rga(lrn_knn_regression(), "arrmse", inner = inner), 1)
  cat(shape_of(task), ", 100 evaluations with kNN regression\n", sep = "")
  report("RGA", knn$seconds)
}

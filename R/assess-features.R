#' How good is a set of features?
#'
#' Splits the rows of a task, fits a learner to a set of features of the training rows, predicts the test rows and
#' measures the predictions. No feature is selected here. [benchmark_selectors()] makes the same steps for the features
#' that selectors choose, and gives the same values for the same rows.
#'
#' For each split:
#' 1. `impute` is fitted to the training rows, with all features, and applied to all rows;
#' 2. `discretizer` is fitted to the training rows of the set, and applied to all rows;
#' 3. the learner is fitted once, to the training rows;
#' 4. the test rows are predicted and measured.
#'
#' The learner sees what these steps leave: codes with a `discretizer`, else the features as they are in the task. In a
#' benchmark, `discretizer` serves the selectors alone.
#'
#' The splits are drawn first, so that after `set.seed()` two sets of features are assessed on the same rows.
#'
#' @param task (`mltask`) The data.
#' @param features (names, positions, logical vector, or `mlselection`) The set: one feature or more, each once. The
#'   order matters to learners that break ties by it, and to rounding.
#' @param learner (`mllearner`) A learner such as [lrn_mlknn()].
#' @param measures As in [benchmark_selectors()]. `NULL`: all for targets of this kind.
#' @param resampling How rows are split: [rs_holdout()], [rs_cv()] or [rs_fixed()].
#' @param discretizer A discretizer for the features that the learner sees, such as [disc_equal_width()]; `NULL` for
#'   none.
#' @param impute What fills in missing values, such as [impute_mean()]; `NULL` for nothing.
#' @inheritParams sift_features
#'
#' @return A data frame with a row for each split and measure and the columns
#'   - `split`: its name, as [split_rows()] gives it;
#'   - `measure`: its name;
#'   - `value`: `NA` where a measure is not defined or infinite on the test rows;
#'   - `seconds`: what fitting and predicting took, the same for all measures of a split.
#'
#'   Errors are of class `mlsift_error`: features that the task does not have, a learner or measures for another kind of
#'   targets, a resampling that is impossible. If imputing, discretizing, learning or measuring fails, the error names
#'   the split. (In a benchmark such a failure gives `NA`.)
#' @family benchmarks
#' @seealso [evaluate()][evaluate.mlprediction] for predictions that are there already.
#' @examples
#' set.seed(1)
#' measures <- c("hamming_loss", "ranking_loss")
#' assess_features(help_pages, c("data", "model", "plot"), lrn_nb(), measures, rs_cv(folds = 3))
#'
#' rows <- list(train = 1:1000, test = 1001:2000)
#' sel <- sift_features(help_pages[rows$train, ], sel_mim(), k = 3)
#' assess_features(help_pages, sel, lrn_nb(), "hamming_loss", rs_fixed(rows$train, rows$test))
#' @export
assess_features <- function(task, features, learner, measures, resampling = NULL, discretizer = NULL,
                            impute = NULL, threads = NULL) {
  check_mltask(task)
  columns <- assessed_columns(features, colnames(task$x))
  check_learner(learner)
  check_can_learn(learner, task)
  measures <- resolve_measures(measures, task_kind(task))
  check_gives_scores(learner, measures, task_kind(task))
  resampling <- own_resampling(resampling, task, rs_holdout(0.8, 1))
  check_resampling(resampling)
  if (!is.null(discretizer)) check_discretizer(discretizer)
  check_imputer(impute)
  resolve_threads(threads)
  splits <- make_splits(task, resampling)
  found <- lapply(stats::setNames(nm = names(splits)), function(name) {
    in_split(name, learner, {
      split <- assess_split(task, splits[[name]], impute, discretizer, columns)
      n <- length(columns)
      assess_columns(learner, split, seq_len(n), n, list(measures), threads = threads, catch = raise)[[1L]]
    })
  })
  do.call(rbind, lapply(names(found), function(name) {
    one <- found[[name]]
    seconds <- sum(one$seconds[c("fit", "predict")])
    data.frame(split = name, measure = names(one$values), value = unname(one$values), seconds = seconds)
  }))
}

assessed_columns <- function(features, names) {
  if (inherits(features, "mlselection")) features <- features$feature
  columns <- column_positions(features, names, "features", "feature")
  if (length(columns) == 0L) {
    abort(c("{.arg features} must hold at least one feature.", x = "It is {describe(features)}."))
  }
  twice <- anyDuplicated(columns)
  if (twice > 0L) abort(c("{.arg features} must hold each feature once.",
    x = "{.val {names[columns[twice]]}} is there more than once."))
  columns
}

# Errors name the split in which they occurred.
in_split <- function(name, learner, code) {
  catch_error(code, function(e) {
    abort("{learner$name} could not be assessed on split {.val {name}}.", parent = e)
  })
}

#' Any learner of labels, with thresholds learned for a measure
#'
#' A label is usually predicted if its score is at least 0.5. A rare label may never reach that, even where its scores
#' order the rows well, and then its F1 is 0. This learner predicts labels from thresholds that it learns: those with
#' the best value of a measure in the training rows.
#'
#' The scores are those of `learner`, so measures of scores, such as ranking loss, are the same. Only the predicted
#' labels change.
#'
#' # What is learned
#' The training rows are split into three folds by [rs_cv()], which keeps the groups of a task together, or by
#' [rs_forward()] if its rows have times and no groups. The scores of each fold are those of a model of the other two
#' (of earlier rows), since the scores of rows that a model has seen would be too good. Rows before the first fold in
#' time do not count. The model that predicts is fitted to all training rows, so fitting takes about three times as long
#' as fitting `learner`.
#'
#' * `by = "target"`: one threshold for each label. All cuts between the scores of the label are tried. The measure must
#'   be a sum over labels: macro and weighted measures, `"hamming_loss"`, `"micro_recall"` and `"micro_specificity"`.
#'   A label that fewer than `min_count` training rows have, or lack, takes the threshold for all labels. The best one
#'   of few rows is often far off, and then predicts the label nearly everywhere.
#' * `by = "all"`: one threshold for all labels, for any measure of predicted labels in [list_measures()]. All cuts
#'   between the scores of all labels are tried.
#' * `by = "count"`: no threshold. Every row gets as many labels as the training rows have on average: the mean number,
#'   rounded with halves up, and at least one. These are the labels with the largest scores, of equal ones the first.
#'   There are no folds, and `measure` is not used. If labels are unknown, the mean number is the sum of the labels'
#'   shares of the rows in which they are known.
#'
#' A threshold lies midway between the two scores that it separates. Scores that differ by less than 1e-10 of their size
#' are not separated. If several cuts have the best value (up to 1e-12), the largest threshold is taken, which predicts
#' the fewest labels.
#'
#' `vignette("awkward-data")` shows what thresholds gain. For micro F1 and example-based F1, learn one threshold
#' for all labels for the measure itself.
#'
#' # Special cases
#' * If predicting a label never is best, its threshold is `Inf`; if always, `-Inf`.
#' * A label that no training row has gets `Inf`, and one that all have gets `-Inf`. With `by = "all"` this holds if no
#'   row has any label, or if all have all.
#' * A cut for which the measure is not defined is not taken.
#' * With [weights][row_weights()], the measure counts weights, but `min_count` counts rows. [Unknown
#'   labels][unknown_labels] do not count. Where nothing is known, the threshold is 0.5.
#'
#' @param learner (`mllearner`) A learner of labels that has scores, such as [lrn_nb()] or [lrn_brlr()]. Weights of rows
#'   and unknown labels are taken if it takes them.
#' @param measure (name, see [list_measures()], or [measure()]) The measure of predicted labels that is to be best.
#' @param by (string) What has a threshold of its own, see below.
#' @param min_count (count) With `by = "target"`: how many training rows must have a label, and lack it, for a threshold
#'   of its own. 1 gives every label its own.
#' @return A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. The `threshold` of
#'   [predict()][predict.mlmodel] is not used. `tidy()` of the fitted model gives the columns `target` and `threshold`.
#'   At least three training rows are needed, and the folds are drawn with R's random numbers.
#' @references `r papers("Yang2001")`
#'
#'   Lipton, Elkan and Narayanaswamy (2014). Optimal thresholding of classifiers to maximize F1 measure. ECML PKDD,
#'   LNCS 8725, 225-239.
#' @family learners
#' @examples
#' pages <- subset_targets(help_pages, c("key_data", "key_htest", "key_print"))
#' train <- pages[1:1000, ]
#' test <- pages[1001:2000, ]
#' set.seed(1)
#' model <- fit(lrn_threshold(lrn_nb()), train)
#' tidy(model)
#' evaluate(predict(model, test), test, "macro_f1")
#' evaluate(predict(fit(lrn_nb(), train), test), test, "macro_f1")
#' @export
lrn_threshold <- function(learner, measure = "macro_f1", by = c("target", "all", "count"), min_count = 10) {
  check_inner_learner(learner, "label", "labels")
  by <- check_choice(by)
  min_count <- check_count(min_count)
  if (by != "count") measure <- check_cut_measure(measure, by)
  params <- list(learner = learner, measure = if (by != "count") measure, by = by)
  if (by == "target") params$min_count <- min_count
  new_learner(paste("Threshold", learner$name), "threshold", Filter(Negate(is.null), params))
}

check_cut_measure <- function(measure, by) {
  measure <- check_one_measure(measure, "measure")
  found <- resolve_measures(measure, "label")[[1L]]
  if (found$needs == "score") abort(c("{.arg measure} must be one of predicted labels.",
    x = "{.val {found$name}} is computed from scores, which no threshold changes.",
    i = "{.run mlsift::list_measures()} shows those that need {.val response}, such as {.val macro_f1}."))
  parts <- unit_mean(found)
  if (is.null(parts)) abort(c("{.arg measure} must be one of {.fn list_measures}.",
    x = "{.val {found$name}} is one of yours.", i = "Learn the thresholds for a similar one, such as {.val macro_f1}."))
  if (parts[1L] == "example" && measure_rules(found)$smooth > 0) abort(c("{.arg measure} must not add to its ratios.",
    x = "{.val {found$name}} does.", i = "Use another convention."))
  sums <- c("hamming_loss", "micro_recall", "micro_specificity")
  if (by == "all" || parts[1L] %in% c("macro", "weighted") || found$method %in% sums) return(measure)
  abort(c("With {.code by = \"target\"}, {.arg measure} must be a sum over labels.", x = "{.val {found$name}} is not.",
    i = "Use {.code by = \"all\"}, or a measure such as {.val macro_f1}."))
}

# A measure as UnitMean in mlsift/measure/thresholds.h has it: its unit and its value. NULL for other measures.
unit_mean <- function(record) {
  if (!identical(record$family, "overlap")) return(NULL)
  name <- switch(record$method, hamming_loss = "micro_right", subset_accuracy = "example_exact",
    jaccard = "example_jaccard", record$method)
  strsplit(name, "_", fixed = TRUE)[[1L]]
}

# The thresholds of one prefix. `truth`: labels, NA where they are unknown; `score`: NA where there is none.
best_thresholds <- function(truth, score, params, weights, threads) {
  measure <- resolve_measures(params$measure, "label")[[1L]]
  parts <- unit_mean(measure)
  rules <- measure_rules(measure)
  unit <- match(parts[1L], c("micro", "macro", "weighted", "example")) - 1L
  value <- match(parts[2L], c("precision", "recall", "f1", "fbeta", "specificity", "jaccard", "exact", "right")) - 1L
  truth[is.na(score)] <- NA
  best <- function(by_label) {
    cpp_best_thresholds(truth, score, unit, value, rules$empty, rules$undefined, rules$beta, by_label, threads,
      weights %||% numeric())
  }
  if (params$by == "all") return(rep_len(best(FALSE), ncol(truth)))
  found <- best(TRUE)
  on <- colSums(truth, na.rm = TRUE)
  off <- colSums(!is.na(truth)) - on
  few <- pmin(on, off) < params$min_count & (on > 0) == (off > 0)
  if (any(few)) found[few] <- best(FALSE)
  found
}

# The scores of rows by models of the other folds: for each prefix a matrix rows x labels, NA where there is no score.
fold_scores <- function(task, learner, prefixes, threads) {
  scores <- rep(list(matrix(NA_real_, nrow(task$targets), ncol(task$targets))), length(prefixes))
  for (rows in inner_folds(task, 3L)) {
    train <- task[rows$train, ]
    labels <- which(known_rows(train$targets) > 1L)
    if (length(labels) == 0L) next
    if (length(labels) < ncol(task$targets)) train <- subset_targets(train, labels)
    found <- suppressWarnings({
      model <- fit_prefixes(learner, train, prefixes, threads)
      predict_prefixes(model, task$x[rows$test, , drop = FALSE], prefixes, threads = threads)
    })
    for (i in seq_along(prefixes)) scores[[i]][rows$test, labels] <- scores_of(found[[i]], learner)
  }
  scores
}

scores_of <- function(prediction, learner) {
  prediction$score %||% abort(c("Thresholds need scores.", x = "{learner$name} predicts labels without scores."))
}

# The model of all rows comes first, so that it is the one that the learner within would be with the same seed.
fit_threshold <- function(task, params, prefixes, threads) {
  if (params$by != "count" && nrow(task$x) < 3L) abort(c("Learning thresholds needs at least three rows.",
    x = "The task has {nrow(task$x)}."))
  model <- fit_prefixes(params$learner, task, prefixes, asked_threads(threads))
  if (params$by == "count") return(list(model = model, size = mean_set_size(task$targets, task$rows$weights)))
  scores <- catch_error(fold_scores(task, params$learner, prefixes, asked_threads(threads)), function(e) {
    abort("No thresholds could be learned for {params$learner$name}.", parent = e)
  })
  truth <- target_matrix(task$targets)
  list(model = model, thresholds = lapply(scores, function(score) {
    best_thresholds(truth, score, params, task$rows$weights, threads)
  }))
}

# How many labels rows have on average, as a whole number from 1.
mean_set_size <- function(targets, weights) {
  mean <- sum(rows_with(targets, weights) / known_rows(targets, weights))
  max(1, whole_part(mean + 0.5))
}

predict_threshold <- function(state, x, params, prefixes, threads) {
  found <- predict_prefixes(state$model, x, prefixes, threads = asked_threads(threads))
  lapply(seq_along(prefixes), function(i) {
    score <- scores_of(found[[i]], params$learner)
    list(score = score, response = if (is.null(state$size)) cpp_response(score, state$thresholds[[i]])
    else largest_scores(score, state$size))
  })
}

# 1 for the `size` labels with the largest scores in each row, the first of equal ones.
largest_scores <- function(score, size) {
  cells <- matrix(order(row(score), -score), nrow(score), byrow = TRUE)
  response <- array(0L, dim(score))
  response[as.vector(cells[, seq_len(min(size, ncol(score)))])] <- 1L
  response
}

register_learner("threshold",
  name = "Threshold (of a learner)", kinds = "label", source = "Yang (2001)", joint = TRUE,
  curve = of_inner("curve"), weights = of_inner("weights"), unknown = of_inner("unknown"),
  fit = fit_threshold, predict = predict_threshold,
  line = \(model) threshold_line(model), check = function(task, params, at) {
    inner <- learner_method(params$learner)$check
    if (!is.null(inner)) inner(task, params$learner$params, at)
  }
)

# The thresholds of a fitted model by label, NULL if it has none.
model_thresholds <- function(model) {
  found <- if (model$learner$method == "threshold") model$state$thresholds
  if (!is.null(found)) stats::setNames(found[[length(found)]], model$target_names)
}

# The line of print() about the thresholds of a fitted model.
threshold_line <- function(model, n = 5L) {
  if (!is.null(model$state$size)) return(paste0(counted(model$state$size, "label"), " for each row\n"))
  found <- model_thresholds(model)
  shown <- utils::head(found, n)
  if (model$learner$params$by == "all") return(paste0("threshold ", format(found[[1L]], digits = 3), "\n"))
  paste0("thresholds: ", paste(names(shown), vapply(shown, format, "", digits = 3), collapse = ", "),
    if (length(found) > n) paste0(", ... ", length(found) - n, " more; tidy() gives all"), "\n")
}

#' @rdname tidy_results
#' @method tidy mlmodel
#' @export
tidy.mlmodel <- function(x, ...) {
  found <- model_thresholds(x)
  if (is.null(found)) abort(c("{.fn tidy} of a model gives its thresholds.", x = "{x$learner$name} learns none."))
  result_frame(data.frame(target = names(found), threshold = unname(found)))
}

#' Which learner, which selector, and how many features?
#'
#' Chooses a learner, a selector and a number of features by resampling. On each split, every selector ranks features on
#' the training rows, and every learner is assessed on the test rows with the first `k` of them, for each `k`. The
#' learner, the selector and the `k` with the best mean over splits are chosen, and the features are then selected on
#' all rows.
#'
#' Where the order of features depends on how many are asked for, as with [sel_bagged()] and [sel_turf()], each `k` is
#' measured by the first features of a run for the largest. So the selection on all rows is the first features of such a
#' run, too.
#'
#' `sel_best()` makes a selector of this: within [benchmark_selectors()] it chooses anew on the training rows of each
#' split, so that the benchmark's test rows play no part in the choice. With [lrn_chosen()] among the learners, the
#' features are assessed by the learner that was chosen with them.
#'
#' The mean of what was chosen is the best of many, so it looks better than the choice is. A benchmark with `sel_best()`
#' and [lrn_chosen()] measures what the choice is worth on new rows, and so does [sift()].
#' `vignette("choosing-a-selector")` shows how the rules differ.
#'
#' @param task (`mltask`) The data.
#' @param selectors,learner A list of selectors or learners, or a single one. `NULL` uses [default_selectors()] and
#'   [default_learners()]. Names must differ: use names of the list for the same one with different parameters. Of
#'   several, those that cannot use the task, because of its kind of targets, its weights or unknown labels, are left
#'   out.
#' @param measure The name of one measure, such as `"hamming_loss"`, or one made by [measure()] or [msr_custom()];
#'   `NULL` for the [default][default_selectors()] of the kind of targets.
#' @param k (counts) The numbers of features to try. Those above the number of features of the task are left out. `NULL`
#'   is for the [defaults][default_selectors()] and, unless features have a budget, all features, for which the result
#'   has the selector [sel_none()]. With one number, only learner and selector are chosen.
#' @param resampling How rows are split: [rs_cv()], [rs_holdout()], ... `NULL` is `rs_cv(5)`, or [rs_forward()] for a
#'   task with times and without groups. Splits are left out, with a message, if a target is known in too few of
#'   their training rows.
#' @param rule (string) `"best"` chooses the best mean; of equal ones the one with the fewest features, then the first
#'   selector, then the first learner. `"fewest"` chooses the smallest number of features with a mean within `tolerance`
#'   of the best, and of those the best mean. `"one-se"` does so within one standard error of the best mean, and takes
#'   the first selector, then the first learner.
#' @param tolerance (number, 0 or more) How much worse than the best mean the set of the fewest features may be: in
#'   units of a measure with values between 0 and 1, and as a share of the best mean for other measures.
#' @param ... The settings that are needed less often: arguments of [choice_control()] by name, or `control`, an object
#'   made by it.
#' @param threads Number of threads, as in [sift_features()].
#' @return `tune_selection()` gives an object of class `mltuning`, a list with
#'   - `learner`, `selector`, `k`: what was chosen. `selector` is [sel_none()] for all features;
#'   - `fewest`: a data frame with one row and the columns `k`, `mean`, `features` (a list with their names), `selector`
#'     and `learner`: what the rule `"fewest"` chooses;
#'   - `curve`: a data frame with the columns `selector`, `learner`, `k`, `mean`, `sd`, `se` (the standard error of the
#'     mean) and `n_splits`;
#'   - `selection`: the selection on all rows, see [sift_features()];
#'   - `candidates`: a data frame with the columns `selector`, `learner`, `status` (`"chosen"`, `"tried"`, `"failed"`,
#'     `"left out"` or `"not tried"`), `n_splits`, `seconds` (the time of a selection is divided among its learners) and
#'     `reason`.
#'
#'   `plot()` draws the curves, and [selected()] gives the names of the features. `sel_best()` gives a selector.
#' @references `r papers("Breiman1984, section 3.4.3", "VarmaSimon2006")`
#' @family selection
#' @examples
#' set.seed(1)
#' selectors <- list(sel_mim(), sel_cmim())
#' tuned <- tune_selection(help_pages, selectors, lrn_nb(), k = c(5, 10, 20), resampling = rs_cv(3))
#' tuned
#' tuned$candidates
#' tuned$fewest$features
#' plot(tuned)
#' @export
tune_selection <- function(task, selectors = NULL, learner = NULL, measure = NULL, k = NULL, resampling = NULL,
                           rule = c("best", "fewest", "one-se"), tolerance = 0.01, ..., threads = NULL) {
  check_mltask(task)
  own <- setdiff(names(formals()), c("task", "..."))
  control <- given_settings(list(...), "choice_control", "mlchoice", own = own)
  params <- mget(setdiff(own, "threads"))
  params$max_seconds <- control$max_seconds
  request <- checked_choice(params)
  request$options <- c(control[c("discretizer", "target_bins", "impute")], list(threads = threads))
  request$wishes <- control_wishes(control, task)
  about_settings(request[c("selectors", "learner")], choose_selection(task, request, fewest = TRUE))
}

#' @rdname tune_selection
#' @param name (string) What results call the selector.
#' @param max_seconds (number) After this time no selector begins another split. The first one always has one. The
#'   choice is then made from the splits that all have finished. Selectors that had not begun are listed as `"not
#'   tried"`. Only with a limit can two runs with the same seed differ. The selection on all rows comes after the time.
#' @export
sel_best <- function(selectors = NULL, learner = NULL, measure = NULL, k = NULL, resampling = NULL,
                     rule = c("best", "fewest", "one-se"), tolerance = 0.01, max_seconds = Inf, name = "Best") {
  params <- checked_choice(mget(setdiff(names(formals()), "name")))
  new_selector(check_string(name), "best", params)
}

#' Settings of a choice that are needed less often
#'
#' They can be given to [tune_selection()] one by one, or as one object by `control`.
#'
#' @param discretizer,target_bins,impute,include,exclude,groups,costs,max_cost As in [sift_features()]. If `target_bins`
#'   is `NULL` and `selectors` too, default selectors that need classes cut numeric targets into 5 intervals. With
#'   `groups`, each of the numbers of features stands for the whole groups that have room in it, and for the best group
#'   at least.
#' @inheritParams tune_selection
#' @param ... Not used.
#' @return An object of class `mlchoice`.
#' @family selection
#' @examples
#' set.seed(1)
#' settings <- choice_control(exclude = c("data", "set"), max_seconds = 10)
#' tune_selection(help_pages, sel_mim(), lrn_nb(), k = c(5, 10), resampling = rs_cv(2),
#'   control = settings
#' )
#' @export
choice_control <- function(discretizer = disc_auto(), target_bins = NULL, impute = NULL, include = NULL, exclude = NULL,
                           groups = NULL, costs = NULL, max_cost = Inf, max_seconds = Inf, ...) {
  known <- setdiff(names(formals()), "...")
  check_settings_names(rlang::names2(list(...)), "choice_control", known, character())
  new_settings("mlchoice", choice_settings(mget(known)))
}

# What is given must be of a form; the features are not known yet.
check_some <- function(x, ok, arg, expected) {
  if (is.null(x) || ok(x) && is.null(dim(x)) && !(is.object(x) && !is.factor(x))) return(invisible())
  abort_value(x, expected, arg = arg)
}

choice_settings <- function(settings) {
  if (!is.null(settings$discretizer)) check_discretizer(settings$discretizer)
  if (!is.null(settings$target_bins)) target_discretizer(settings$target_bins)
  check_imputer(settings$impute)
  for (part in c("include", "exclude")) {
    check_some(settings[[part]], is_atomic, part, "names, positions or a logical vector")
  }
  check_some(settings$groups, function(x) is_atomic(x) || is.list(x) && !is.object(x), "groups",
    "a list of sets of features, or a vector with a value for each feature")
  check_some(settings$costs, is.numeric, "costs", "a number for each feature")
  check_number(settings$max_cost, min = 0, arg = "max_cost")
  check_number(settings$max_seconds, min = 0, arg = "max_seconds")
  settings
}

# What select_from() takes beside k.
control_wishes <- function(control, task) {
  wishes <- Filter(Negate(is.null), control[c("include", "exclude", "groups", "costs")])
  if (is.finite(control$max_cost)) wishes$max_cost <- control$max_cost
  if (length(wishes) == 0L) return(NULL)
  names <- colnames(task$x)
  for (part in intersect(c("include", "exclude"), names(wishes))) {
    wishes[[part]] <- column_positions(wishes[[part]], names, part, "feature")
  }
  together <- together_in(wishes, names)
  if (is.null(together)) return(wishes)
  whole <- function(part) unique(unlist(lapply(wishes[[part]], \(f) c(f, which(together == together[f])))))
  wishes[c("include", "exclude")] <- list(whole("include"), whole("exclude"))
  Filter(Negate(is.null), wishes)
}

# The settings `include`, `groups` and `costs`, which are of the features `all`, for those of them that are `left`.
wishes_among <- function(control, all, left) {
  if (identical(all, left)) return(control)
  named <- function(set, arg) all[column_positions(set, all, arg, "feature")]
  if (!is.null(control$include)) control$include <- named(control$include, "include")
  gone <- setdiff(control$include, left)
  if (length(gone) > 0L) abort(c("{.arg include} must not hold features that are left out.",
    x = "{.val {gone[1L]}} is in {.arg exclude}, or {.fn check_task} lists it."))
  at <- match(left, all)
  if (is.list(control$groups)) {
    control$groups <- Filter(length, lapply(control$groups, \(set) intersect(named(set, "groups"), left)))
  } else if (!is.null(control$groups)) {
    units <- check_unit_groups(control$groups, all)
    control$groups <- units$label[units$unit][at]
  }
  if (!is.null(control$costs)) control$costs <- check_costs(control$costs, all)[at]
  control
}

# The mean absolute correlation of a feature with the numeric targets.
single_correlations <- function() {
  sel_custom("Correlation", function(task, k) {
    x <- features(task)
    y <- as.matrix(targets(task))
    centered <- function(column) {
      column <- if (is.numeric(column)) column else as.numeric(as.factor(column))
      # A power of two loses no digits, and keeps sums and squares within the range of doubles.
      column <- column * 2^-max(-1000, floor(log2(max(abs(column)))))
      column <- column - mean(column)
      column / sqrt(sum(column^2))
    }
    y <- apply(y, 2L, centered)
    score <- vapply(seq_len(ncol(x)), function(j) mean(abs(crossprod(centered(x[, j]), y)), na.rm = TRUE), 0)
    replace(score, is.nan(score), 0)
  })
}

# The default selectors for each kind of targets, the cheapest kind first.
selectors_for <- list(
  # The first 200 features of MTL hardly depend on its tolerance.
  label = list(sel_scls(), sel_mrmr(), sel_mlsmfs(), sel_mtl(tol = 1e-3)),
  class = list(sel_cmim(), sel_jmim(), sel_relieff_br(), sel_mtl(tol = 1e-3)),
  numeric = list(single_correlations(), sel_rrelieff(), sel_group_jmi()),
  # Of those above, only RReliefF takes targets that are not known in all rows.
  unknown_numeric = list(sel_rrelieff(), sel_mtl(standardize_targets = TRUE, tol = 1e-3))
)

learners_for <- list(
  label = list(lrn_linear(), lrn_nb(discretizer = disc_auto())),
  class = list(lrn_nb(discretizer = disc_auto()), lrn_linear(), lrn_brknn()),
  numeric = list(lrn_linear(), lrn_knn_regression())
)

measure_for <- c(label = "average_precision", class = "balanced_accuracy", numeric = "arrmse")

#' What is tried unless it is given
#'
#' The selectors, learners, measures and numbers of features of [tune_selection()], [sel_best()] and [sift()].
#' `vignette("choosing-a-selector")` says how good they are.
#'
#' `default_selectors()` are unlike each other and take little time (MTL with a tolerance of 1e-3):
#' * labels: SCLS, mRMR, MLSMFS and MTL, see [sel_scls()], [sel_mrmr()], [sel_mlsmfs()] and [sel_mtl()];
#' * classes: CMIM, JMIM, RF-BR and MTL, see [sel_cmim()], [sel_jmim()] and [sel_relieff_br()];
#' * numbers: single correlations (the mean over targets of the absolute correlation of feature and target), RReliefF
#'   and Group-JMI, see [sel_rrelieff()] and [sel_group_jmi()]; RReliefF and MTL if some are unknown.
#'
#' `default_learners()`:
#' * labels: ridge regression ([lrn_linear()]), naive Bayes with discretized features ([lrn_nb()]), from 1,000 rows on
#'   [lrn_mlknn()], and for measures of predicted labels, such as `"macro_f1"`, ridge regression with learned thresholds
#'   ([lrn_threshold()]);
#' * classes: naive Bayes with discretized features, ridge regression and nearest neighbors ([lrn_brknn()]);
#' * numbers: ridge regression and [lrn_knn_regression()].
#'
#' Methods that compare all pairs of rows take long where rows are many. Let \eqn{n} be the number of rows and \eqn{d}
#' that of features (with sparse features, the mean number of stored values in a row). Where \eqn{n^2 d} is above
#' `r format_count(most_differences)`, as with more than 10,000 rows of 200 features:
#' * RF-BR and RReliefF use fewer reference rows (`n_rows`) if there are 2,000 rows or more: at most a quarter of the
#'   rows, and at least 500;
#' * nearest neighbors and ML-kNN are no default learners. Here \eqn{d} is 200 at most, as more features are not
#'   selected.
#'
#' On all features, nearest neighbors are not tried above this limit, and ridge regression is not tried with more than
#' 2,000 rows and more than 2,000 features. This holds for learners that are given, too, unless none would be left.
#' `candidates` in the result lists what was left out.
#'
#' The measure is the average precision (the AUC for a single label), the balanced accuracy or the aRRMSE. The numbers
#' of features are 5, 10, 20, 30, 50, 75, 100, 150 and 200, as far as they are below the number of features, or below
#' the `k` that [sift_features()] or a benchmark asks for, and this limit itself (at most 200). Below 10 features, all
#' numbers are tried.
#' @param task (`mltask`) The data.
#' @param measure As in [tune_selection()].
#' @return A list of selectors or of learners.
#' @family selection
#' @examples
#' default_selectors(help_pages)
#' default_learners(help_pages, "macro_f1")
#' @export
default_selectors <- function(task) {
  check_mltask(task)
  kind <- task_kind(task)
  selectors <- selectors_for[[if (kind == "numeric" && !is.null(task$targets$unknown)) "unknown_numeric" else kind]]
  n <- nrow(task$x)
  share <- most_differences / pair_differences(task)
  if (n < 2000 || share >= 1) return(selectors)
  few <- as.integer(max(500, min(n / 4, share * n)))
  lapply(selectors, function(selector) {
    if ("n_rows" %in% names(selector$params)) selector$params$n_rows <- few
    selector
  })
}

#' @rdname default_selectors
#' @export
default_learners <- function(task, measure = NULL) {
  check_mltask(task)
  usual_learners(task, measure)
}

usual_learners <- function(task, measure) {
  kind <- task_kind(task)
  if (!is.null(measure)) measure <- resolve_measures(check_one_measure(measure), kind)[[1L]]
  # Ridge regression seldom predicts a rare label from a score of .5 on.
  sets <- kind == "label" && identical(measure$needs, "response")
  learners <- c(learners_for[[kind]], if (kind == "label" && nrow(task$x) >= rows_of_mlknn) list(lrn_mlknn()),
    if (sets) list(lrn_threshold(lrn_linear())))
  if (compares_rows(task)) learners else Filter(\(learner) !has_setting(learner, "neighbors"), learners)
}

# Whether default learners may compare all pairs of rows.
compares_rows <- function(task) pair_differences(task, max(default_counts(200))) <= most_differences

# From so many rows on, ML-kNN is a default learner of labels. With fewer it takes time and gains nothing.
rows_of_mlknn <- 1000

# Differences between values that are computed in a few seconds. What is tried unless it is given needs no more.
most_differences <- 2e10

# How many there are between all pairs of rows, with so many features at most.
pair_differences <- function(task, most = Inf) {
  n <- as.double(nrow(task$x))
  n * min(if (is_sparse(task$x)) length(task$x@i) else n * ncol(task$x), most * n)
}

# The parameters of a choice, the arguments of sel_best() but for its name.
checked_choice <- function(params) {
  objects <- function(arg, class, example) if (!is.null(params[[arg]])) {
    how <- paste0("Make ", sub("s?$", "s", arg), " with functions such as {.fn ", example, "}.")
    named_objects(params[[arg]], class, how, arg)
  }
  if (!is.null(params$resampling)) check_resampling(params$resampling, "resampling")
  list(
    selectors = objects("selectors", "mlselector", "sel_mim"), learner = objects("learner", "mllearner", "lrn_linear"),
    measure = if (!is.null(params$measure)) check_one_measure(params$measure, "measure"),
    k = if (!is.null(params$k)) check_grid_sizes(params$k), resampling = params$resampling,
    rule = check_choice(params$rule, c("best", "fewest", "one-se"), "rule"),
    tolerance = check_number(params$tolerance, min = 0, finite = TRUE, arg = "tolerance"),
    max_seconds = check_number(params$max_seconds, min = 0, arg = "max_seconds")
  )
}

# --- as a selector ----------------------------------------------------------------------------------------------------

# The choice among features that are not excluded, for run() of a selector. `chosen`: the learners that lrn_chosen()
# uses.
run_choice <- function(input, params) {
  columns <- which(!input$excluded)
  params$max_seconds <- min(params$max_seconds, input$max_seconds)
  params$options <- list(
    discretizer = input$discretizer, target_bins = input$target_bins, threads = asked_threads(input$threads)
  )
  params$wishes <- wishes_within(input, columns) %||% params$wishes
  rows <- columns_of(input$prepared, columns)
  if (!is.null(params$selectors)) {
    params$selectors <- lapply(params$selectors, selector_among, input$names, input$names[columns])
  }
  given <- params[c("selectors", "learner")]
  tuned <- about_settings(given, choose_selection(rows$task, params, input$k %||% Inf, rows))
  found <- tuned$selection
  if (!is.null(input$k) && nrow(found) > input$k) refuse_small_k()
  left_out <- candidates_of(tuned$candidates, "left out")
  list(index = columns[found$index], score = found$score, ordered = !anyNA(found$rank),
    chosen = tuned[c("learner", "all_learner")],
    note = paste0(
      if (length(params$selectors) == 1L) "" else paste(tuned$name, "with "),
      "k = ", tuned$k, " was chosen by ", tuned$measure, " of ", tuned$learner$name,
      if (!is.null(left_out)) paste0("; left out: ", left_out)
    ))
}

# include, groups and costs, which checks have converted to positions and units, for a task with some of the columns.
wishes_within <- function(input, columns) {
  units <- input$units
  wishes <- list(include = if (length(input$include) > 0L) match(input$include, columns))
  if (!is.null(units)) {
    unit <- units$unit[columns]
    wishes$groups <- ifelse(units$size[unit] > 1L, as.character(unit), NA)
    wishes$costs <- if (any(units$cost > 0)) units$cost[unit] / units$size[unit]
    wishes$max_cost <- units$max_cost
  }
  if (length(Filter(Negate(is.null), wishes)) > 0L) wishes
}

# Whether at least one of the selectors and one of the learners accept `what`.
choice_takes <- function(params, what) {
  some <- function(specs) is.null(specs) || any(vapply(specs, spec_takes, NA, what))
  some(params$selectors) && some(params$learner)
}

register_selector("best",
  name = "Best", source = "mlsift", whole = TRUE, nested = FALSE, needs = character(),
  kinds = function(params) {
    of_selectors <- if (is.null(params$selectors)) target_kinds
    else unlist(lapply(params$selectors, own_kinds))
    of_learners <- if (is.null(params$learner)) target_kinds
    else unlist(lapply(params$learner, function(learner) learner_method(learner)$kinds))
    intersect(target_kinds, intersect(of_selectors, of_learners))
  },
  gives = function(params) {
    sets <- vapply(params$selectors, function(selector) selector_method(selector)$gives == "set", NA)
    if (length(sets) > 0L && all(sets)) "set" else "path"
  },
  weights = function(params) choice_takes(params, "weights"),
  unknown = function(params) choice_takes(params, "unknown"),
  run = run_choice
)

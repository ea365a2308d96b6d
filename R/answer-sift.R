#' From data to an answer
#'
#' Chooses a learner, a selector and a number of features, estimates honestly what the choice is worth, and shows which
#' features it chose, how sure that is, what could be taken instead, and how they go together with the targets. The
#' answer predicts new rows.
#'
#' It takes five steps:
#'
#' 1. Features that identify rows, are constant or are a copy of a target are left out, see [check_task()]. Missing
#'    values are replaced by [impute_mean()], fitted to training rows.
#' 2. Learner, selector and number of features are chosen by cross-validation on all rows, see [tune_selection()], which
#'    also has the defaults for `learner`, `measure` and `selectors`. All features are a candidate, too.
#' 3. The whole choice is repeated on the training rows of each outer split, and measured on its test rows. So the
#'    estimate is of the choice, not of the winner. All features, random features and the most frequent outcome (the
#'    floor) are measured on the same rows.
#' 4. The features are compared with each other, with all other features and with the targets.
#' 5. The chosen learner is fitted to all rows and the chosen features. Default learners of labels learn thresholds for
#'    this, see [lrn_threshold()], so that rare labels are predicted, too.
#'
#' @section Stand-ins:
#' A stand-in of a chosen feature \eqn{f} is a feature \eqn{g} that was not chosen and has nearly the same information:
#' their symmetrical uncertainty \eqn{2 I(f; g) / (H(f) + H(g))} is 0.8 or more, with features discretized as selectors
#' see them. With `stand_ins = "swap"` it is one of the three most similar features for which the inner value of the
#' chosen set, with \eqn{g} in the place of \eqn{f}, gets worse by less than one standard error, or not at all. This
#' takes `3 k` assessments.
#'
#' @section Quality:
#' Means are over the outer splits, and standard errors have the correction of Nadeau and Bengio (2003) for splits that
#' share rows.
#' * All features are those of the learner that was best with them on the inner splits.
#' * Random features are as many as the choice took on the same split, with the same learner. There are 20 draws on each
#'   split. `as_good` of all `draws` were as good as the chosen features on their split, or better. Where all features
#'   were chosen on every split, these are the choice itself, and summaries and pictures leave them out.
#' * The floor predicts for every row what is most frequent in the training rows: for labels the frequencies as scores,
#'   for numbers the means.
#'
#' `difference` is the mean of the chosen features minus that of the others, from `low` to `high` with a confidence of
#' 95% by the corrected t-test over splits, which also gives the p-value. Few splits make wide intervals.
#'
#' With `check = "permutation"` the choice is repeated on permuted rows of the targets. The p-value is
#' \eqn{(1 + b) / (1 + B)}, where \eqn{b} of \eqn{B} permutations reach an inner value as good as that of the data.
#' With weights, groups or times, only what is alike changes places, see [score_test()].
#'
#' @section Effects:
#' `effects` has a row for each chosen feature and target (for each category of a class): how the two go together in all
#' rows, whatever the other features. [coef()] of the answer gives the effects in a model of all chosen features, if the
#' learner is linear.
#'
#' The summary names features that alone tell a label or a class without an error, if by chance about one of a million
#' tasks has one. If the label was made from such a feature, as `late` from a delay above 30 minutes, `exclude` it:
#' [check_task()] finds only copies.
#'
#' @section Rows that belong together:
#' With `group`, rows of a group are never on both sides of a split, neither of the outer ones nor of those inside. With
#' `time` and without `group`, models are tested on later rows than those that they learned from, see [row_groups()].
#' Where groups, times or rows in time are few, there are fewer splits; at least 3 groups or times are needed for an
#' estimate, and 2 without. Splits are left out if a target is known in too few of their training rows to be learned, or
#' if these rows are of one time, so that no choice can be made forward in time. The summary says so, and names labels
#' whose rows, or all other rows, are in one group. Without groups, it names those that one row has, or all rows but
#' one.
#'
#' Rows of which no target is known and rows of weight 0 are left out, unless `outer`, `inner` or a selector names rows
#' by their numbers. So a data frame may have gaps in a class, which no task may have.
#'
#' @section Long runs:
#' With `folder`, the estimate is kept there split by split, as by [benchmark_selectors()]. After an interrupt, the same
#' call resumes where it stopped. Without `folder`, a message of an interrupted estimate names the folder that keeps
#' what is finished, and before an estimate of more than two minutes a message says about how long it takes. With
#' `max_seconds`, each choice has its share of the time, and candidates that had no time are listed. The estimate has
#' only the splits for which there is time, or is left out, with a note in the summary. With `folder`, the same call
#' adds splits. The choice always finishes a candidate, so it may take longer than the limit.
#'
#' @param data A data frame together with `targets`, or an `mltask`.
#' @param targets For a data frame: as in [mltask()]. A task has them already, so they give an error.
#' @param learner,measure,selectors As in [tune_selection()].
#' @param max_features (count) The largest number of features to choose. It is tried, and so are the default numbers of
#'   [tune_selection()] below it. All features are then no candidate. `NULL` is for 200, or for all features if there
#'   are fewer, and all features are a candidate.
#' @param ... The settings that are needed less often, by name: arguments of `answer_control()`, or `control`, an object
#'   made by it. For a data frame also `kind`, `on`, `na`, `weights`, `group` and `time`, as in [mltask()]; a task has
#'   them already. `exclude` names columns of a data frame, or features of a task, that are not used. Positions and
#'   values in column order, as in `include`, `groups` and `costs`, are of the features before any are left out.
#' @param outer How rows are split for the estimate: [rs_cv()], [rs_holdout()], ... `NULL` is `rs_cv(5)`, or
#'   [rs_forward()] for a task with times and without groups.
#' @param estimate (flag) Whether to estimate the quality. Without, the result comes in a fifth of the time.
#' @param threads Number of threads, as in [sift_features()].
#' @return `sift()` gives an object of class `mlsift`, a list with
#'   - `features`: a data frame with the columns `rank`, `feature`, `score`, `share` (of the outer splits in which the
#'     feature was chosen), `stand_ins` (a list of names, the most similar first), `serves` (a list of at most three
#'     targets with the largest mutual information with the feature, largest first) and `chance` (the share that a
#'     feature chosen at random would have). If all features were chosen, they are in the order of the selector of
#'     `fewest` or, if that has all of them too, of the one that was best with fewer; only 200 have a rank;
#'   - `learner`: the chosen learner; `fewest`: the smallest set within the tolerance, see [tune_selection()];
#'   - `quality`: a data frame with the columns `what` (`"chosen"`, `"all"`, `"random"` or `"floor"`), `mean`, `se`, `k`
#'     (the mean number of features), `p_value`, `difference`, `low`, `high`, `as_good` and `draws`, see the section on
#'     quality; no rows without an estimate;
#'   - `targets`: a data frame with the columns `target`, `chosen`, `all`, `floor` (means over the outer splits in which
#'     they are defined) and `measure`: `"AUC"` for labels, `"balanced accuracy"` for classes, `"R2"` for numbers;
#'   - `alone`: for several labels, the `mean` of these AUC with the chosen features, and its interval from `low` to
#'     `high`; otherwise `NULL`;
#'   - `effects`: a data frame with the columns `feature`, `target`, `effect`, `value`, `low`, `high` and more, see the
#'     section on effects;
#'   - `tuning`: the choice, see [tune_selection()];
#'   - `task`: the task without the features that were left out; `left_out`: these, as [check_task()] lists them;
#'   - `selection`: the chosen features, see [sift_features()]; `model`: the fitted learner;
#'   - `similarity`: the symmetrical uncertainty of the chosen features;
#'   - `benchmark`: the outer splits, see [benchmark_selectors()]; `stability`: see [stability()]; `check`: the inner
#'     values of the permutations and the p-value; `seconds`.
#'
#'   `summary()` gives a few sentences, `plot()` draws one page, [selected()] and [subset_features()] give the features,
#'   [predict()][predict.mlsift] predicts new rows, [as_code()] gives the calls that repeat the steps, and
#'   [write_report()] writes a page with everything. [tidy()] and [glance()] work too. `answer_control()` gives an
#'   object of class `mlanswer`.
#' @references `r papers("NadeauBengio2003")`
#' @family answers
#' @examples
#' # In a hurry: one learner, one selector, one outer split. The defaults take about ten seconds.
#' set.seed(1)
#' answer <- sift(help_pages, learner = lrn_nb(), selectors = sel_cmim(), max_features = 10,
#'   outer = rs_holdout(0.8, 1)
#' )
#' answer
#' predict(answer, help_pages["stats::lm", ])
#'
#' flowers <- sift(iris, Species, selectors = sel_mim(), estimate = FALSE)
#' predict(flowers, iris[c(1, 51, 101), ])
#' @export
sift <- function(data, targets = NULL, learner = NULL, measure = NULL, max_features = NULL, selectors = NULL, ...,
                 outer = NULL, estimate = TRUE, threads = NULL) {
  began <- now()
  said <- new.env(parent = emptyenv())
  asked <- answer_arguments(rlang::enquos(...))
  control <- asked$control
  if (!is.null(outer)) check_resampling(outer)
  leave_out <- !names_rows(list(outer, control$inner, selectors))
  task <- if (is.data.frame(data)) {
    each_once(with_x_as("data", task_of_answer(data, rlang::enquo(targets), asked$of_task, leave_out)),
      "mlsift_message", said)
  } else {
    given <- c(if (!missing(targets)) "targets", setdiff(names(asked$of_task), "exclude"))
    check_ready_task(data, given, targets)
    control$exclude <- control$exclude %||% rlang::eval_tidy(asked$of_task$exclude)
    data
  }
  all <- colnames(task$x)
  excluded <- excluded_features(task, control$exclude)
  if (length(excluded) > 0L) task <- task[, setdiff(colnames(task$x), excluded)]
  control["exclude"] <- list(NULL)
  idle <- if (leave_out) idle_rows(task)
  weightless <- sum(task$rows$weights[idle] == 0)
  if (length(idle) > 0L) task <- task[-idle, ]
  max_features <- check_count(max_features, null = TRUE)
  params <- checked_choice(c(list(selectors = selectors, learner = learner, measure = measure,
    resampling = control$inner), control[c("rule", "tolerance", "max_seconds")]))
  outer <- own_resampling(outer, task, rs_cv(5))
  check_flag(estimate)
  resolve_threads(threads)
  check_answer_task(task, params$learner, control)
  drawn <- answer_number(control$folder)
  left_out <- feature_problems(task)
  left_out <- left_out[left_out$problem %in% misleading, ]
  if (nrow(left_out) > 0L) task <- drop_features(task, misleading)
  control <- wishes_among(control, all, colnames(task$x))
  if (!is.null(params$selectors)) params$selectors <- lapply(params$selectors, selector_among, all, colnames(task$x))
  together <- each_once(c(report_together(row_problems(task, 2)), report_gaps(gap_problems(task))),
    "mlsift_message", said)
  check_row_groups(task, outer, estimate)
  check_row_times(task, outer, control$inner, estimate)
  check_targets_vary(task, estimate)
  setup <- answer_setup(task, params, control, outer, max_features, threads, estimate)
  if (estimate) check_training_times(task, setup)
  setup[c("excluded", "weightless", "without", "signs", "stand_ins", "draw")] <-
    list(excluded, weightless, NROW(data) - nrow(task) - weightless, together, control$stand_ins, drawn$draw)
  answer <- list(task = task, left_out = left_out, notes = c(together, lone_notes(task), setup$notes),
    session = run_session(), number = drawn$number, setup = setup)
  # The same message comes up on many splits, but is shown once.
  answer <- tell_once(about_settings(params[c("selectors", "learner")], find_answer(answer, control, estimate, began)),
    root_message)
  answer$seconds <- now() - began
  saved_object(stats::setNames(answer[answer_parts], answer_parts), "mlsift")
}

# What is no data frame is a task, with which no arguments of mltask() are `given`.
check_ready_task <- function(data, given, targets) {
  if (!inherits(data, "mltask")) abort_value(data, "a data frame or a task",
    i = if (is.character(data) && is.matrix(data)) "{.fn as.data.frame} makes a data frame of it."
    else if (is.character(data)) "Read a file first, for example by {.fn read.csv} or {.fn read_mulan}."
    else if (rlang::is_formula(data)) "With a formula: {.code sift(mltask(a + b ~ ., data))}."
    else "A matrix of features, and targets beside it: {.code sift(mltask(x, y))}.")
  check_mltask(data)
  if (length(given) > 0L) refuse_for_task(given[1L], targets)
}

# The `...` of sift(): list(of_task, control), the arguments of mltask() as quosures, and the settings of the answer.
answer_arguments <- function(dots) {
  of_task <- c("exclude", "kind", "on", "na", "weights", "group", "time")
  own <- names(dots) %in% of_task
  known <- c(setdiff(names(formals(sift)), "..."), setdiff(of_task, "exclude"))
  control <- given_settings(lapply(dots[!own], rlang::eval_tidy), "answer_control", "mlanswer",
    names(formals(choice_control)), known)
  list(of_task = dots[own], control = control)
}

# Classes must be known, so rows without them are left out before there is a task, unless rows must keep their numbers.
task_of_answer <- function(data, targets, dots, leave_out) {
  exclude <- dots$exclude %||% rlang::quo(NULL)
  given <- argument_values(dots[names(dots) != "exclude"], names(data))
  make <- function(data, given) rlang::inject(mltask(data, targets = !!targets, exclude = !!exclude, !!!given))
  tryCatch(make(data, given), mlsift_error = function(e) {
    known <- setdiff(seq_len(nrow(data)), e$empty)
    if (length(e$empty) == 0L || length(known) == 0L || !leave_out) rlang::cnd_signal(e)
    of_rows <- names(given) %in% names(row_fields) & !vapply(given, names_column, NA)
    given[of_rows] <- lapply(given[of_rows], \(value) if (NROW(value) == nrow(data)) value[known] else value)
    make(data[known, , drop = FALSE], given)
  })
}

# Whether settings, or those within them, name rows by their numbers.
names_rows <- function(settings) {
  if (!is.list(settings) || is.data.frame(settings)) return(FALSE)
  if (inherits(settings, "mlresampling") && settings$method %in% c("fixed", "custom")) return(TRUE)
  by_row <- lengths(settings[c("group", "groups", "row_order")]) > 1L
  any(by_row) || any(vapply(settings, names_rows, NA))
}

excluded_features <- function(task, exclude) {
  excluded <- column_positions(exclude %||% integer(), colnames(task$x), "exclude", "feature")
  excluded <- colnames(task$x)[unique(excluded)]
  if (length(excluded) == ncol(task$x)) abort("{.arg exclude} must leave at least one feature.")
  excluded
}

check_answer_task <- function(task, learners, control) {
  for (one in if (length(learners) == 1L) learners) check_can_learn(one, task)
  if (control$check == "permutation") target_permuter(task)
  if (nrow(task$x) < 8L) abort(c("{.fn sift} needs at least 8 rows of which a target is known.",
    x = "The data have {nrow(task$x)}.",
    i = "{.fn sift_features} ranks the features of fewer rows."))
  check_information(task)
}

# What sift() returns, in order.
answer_parts <- c("features", "quality", "learner", "fewest", "targets", "alone", "effects", "tuning", "task",
  "left_out", "selection", "model", "imputer", "similarity", "benchmark", "stability", "check", "notes", "seconds",
  "number", "setup", "session")

# Adds to an answer what takes time, step by step. `began`: when sift() did.
find_answer <- function(answer, control, estimate, began) {
  frame <- environment()
  say <- function(what) {
    if (isTRUE(getOption("mlsift.progress", interactive()))) cli::cli_progress_step(what, .envir = frame)
  }
  say("Choosing learner, selector and number of features")
  answer$tuning <- choose_for_answer(answer, answer$task, "choice", fewest = TRUE)
  answer[c("selection", "learner", "fewest")] <- answer$tuning[c("selection", "learner", "fewest")]
  answer$quality <- quality_table()
  took <- now() - began
  # A tenth of the time is for what follows. Each split takes its share, or more where the choice has taken more.
  deadline <- began + 0.9 * control$max_seconds
  share <- answer$setup$choice$max_seconds
  lasts <- if (took > 3 * share) took else share
  fits <- is.infinite(deadline) || now() + lasts <= deadline
  if (estimate && !fits) answer$notes <- c(answer$notes, "There was no time to estimate the quality.")
  if (!estimate || !fits) answer$setup$floor <- inner_floor(answer)
  if (estimate && fits) {
    if (is.infinite(deadline) && is.null(control$folder)) {
      tell_long_estimate(took, number_of_splits(answer$setup$outer))
    }
    say("Estimating the quality of the choice")
    answer <- estimate_quality(answer, control, deadline, lasts)
  }
  if (control$check == "permutation") {
    say("Permuting the targets")
    answer$check <- permutation_check(answer, control$permutations)
  }
  say("Comparing the features")
  order <- if (takes_all(answer$tuning)) order_of_all(answer)
  answer$setup$order <- order$name
  answer[c("features", "similarity")] <- describe_features(answer, control$stand_ins, order$features)
  answer[c("model", "imputer")] <- final_model(answer)
  answer$effects <- feature_effects(answer$task, answer$features$feature[seq_len(nrow(answer$similarity))])
  answer
}

# What predicting the most frequent reaches on splits like those of the choice, or NULL if a target is known too seldom.
inner_floor <- function(answer) {
  setup <- answer$setup
  or_else(with_stream(list(answer$number, "sift", "floor"), suppressMessages(suppressWarnings(
    mean(assess_features(answer$task, 1L, frequency_learner(), setup$choice$measure, setup$choice$resampling,
      impute = setup$options$impute, threads = setup$options$threads)$value)
  ))), NULL)
}

# The choice for a task in the stream of a key.
choose_for_answer <- function(answer, task, key, fewest = FALSE) {
  setup <- answer$setup
  request <- c(setup$choice, setup[c("options", "wishes")])
  request$max_seconds <- 2 * request$max_seconds
  with_stream(list(answer$number, "sift", key), choose_selection(task, request, fewest = fewest))
}

#' @rdname sift
#' @param inner How rows are split for the choice, as `resampling` in [tune_selection()].
#' @param rule,tolerance As in [tune_selection()].
#' @param stand_ins How features that could be taken instead are found, see the section on stand-ins.
#' @param check `"permutation"` tests whether there is anything to find, by repeating the choice `permutations` times.
#' @param permutations (count) Number of permutations.
#' @param folder,workers As in [benchmark_selectors()], for the estimate.
#' @param max_seconds (number) How long the call should take at most.
#' @export
answer_control <- function(inner = NULL, rule = c("best", "fewest", "one-se"), tolerance = 0.01,
                           stand_ins = c("information", "swap", "none"), check = c("none", "permutation"),
                           permutations = 19, folder = NULL, workers = c("auto", "mirai", "future", "none"),
                           max_seconds = Inf, ...) {
  if (!is.null(inner)) check_resampling(inner)
  known <- setdiff(names(c(formals(), formals(choice_control))), "...")
  check_settings_names(rlang::names2(list(...)), "answer_control", known, character())
  choice <- choice_control(..., max_seconds = max_seconds)
  new_settings("mlanswer", c(list(
    inner = inner, rule = check_choice(rule), tolerance = check_number(tolerance, min = 0, finite = TRUE),
    stand_ins = check_choice(stand_ins), check = check_choice(check), permutations = check_count(permutations),
    folder = check_string(folder, null = TRUE), workers = check_choice(workers)
  ), unclass(choice)))
}

refuse_for_task <- function(arg, targets) {
  odd <- arg == "targets" && inherits(rlang::try_fetch(targets, error = function(e) NULL), "mllearner")
  abort(c("{.arg {arg}} is for a data frame.", x = "{.arg data} is a task already.",
    i = if (odd) "Give the learner by name: {.code learner = }." else "Give it to {.fn mltask}."))
}

misleading <- c("id", "constant", "target_copy")

# Rows, or groups of rows, to learn from: those with some but not all of the labels, or with the rarer value of a single
# label. For classes and numbers, those without the most frequent value of a target.
telling_rows <- function(task) {
  group <- task$rows$group
  count <- function(rows) if (is.null(group)) sum(rows) else length(unique(group[rows]))
  unlike_most <- function(values) count(values != names(which.max(table(values))))
  if (task_kind(task) != "label") return(max(vapply(as.list(as.data.frame(task$targets$values)), unlike_most, 0L)))
  on <- Matrix::rowSums(task$targets$values != 0, na.rm = TRUE)
  if (ncol(task$targets) == 1L) min(count(on > 0), count(on == 0)) else count(on > 0 & on < ncol(task$targets))
}

check_targets_vary <- function(task, estimate) {
  classes <- if (task_kind(task) == "class") vapply(task$targets$values, function(y) length(unique(y)), 0L)
  many <- which(classes > nrow(task$x) / 2)[1L]
  if (!is.na(many)) abort(c("{.fn sift} needs classes that several rows have.",
    x = paste("Target {.val {colnames(task$targets)[many]}} has {format_count(classes[[many]])} in",
      "{counted(nrow(task$x), 'row')}."),
    i = "If its values are numbers or lists of labels, see {.arg kind} and {.fn split_labels}."))
  found <- telling_rows(task)
  grouped <- !is.null(task$rows$group)
  least <- min(if (estimate) 4L else 2L, if (grouped) nlevels(task$rows$group))
  if (found >= least) return(invisible())
  what <- if (task_kind(task) != "label") "rows without the most frequent value of a target"
  else if (ncol(task$targets) == 1L) "rows with the label, and as many without"
  else "rows that have some of the labels, but not all"
  if (grouped) what <- paste("groups with", what)
  abort(c("{.fn sift} needs at least {least} {what}.", x = "The task has {found}.",
    i = if (found >= 2L) "With {.code estimate = FALSE}, 2 are enough."
    else "{.fn sift_features} ranks features without testing them."))
}

# Groups must be left to choose with when some of them are test rows.
check_row_groups <- function(task, outer, estimate) {
  n <- nlevels(task$rows$group)
  apart <- estimate && outer$method %in% c("cv", "holdout", "forward") && !isFALSE(outer$params$group)
  if (n == 0L || n >= 2L + apart) return(invisible())
  abort(c("{.fn sift} needs at least {2L + apart} groups of rows{if (apart) \" for an estimate\"}.",
    x = "The task has {n}.",
    i = "Rows of a group are never on both sides of a split. Without {.arg group}, all rows can be parted."))
}

# Some times must be left to choose with when the rows of others are test rows.
check_row_times <- function(task, outer, inner, estimate) {
  inside <- own_resampling(inner, task, rs_cv(5))$method == "forward"
  if (!inside && !(estimate && outer$method == "forward")) return(invisible())
  least <- 1L + inside + (estimate && outer$method == "forward")
  n <- number_of_times(task)
  if (n >= least) return(invisible())
  abort(c("{.fn sift} needs at least {least} different times of rows{if (least == 3L) \" for an estimate\"}.",
    x = "The task has {n}{if (!is.null(task$rows$group)) ', as a group counts at the time of its last row'}.",
    i = "Models are tested on later rows than those they learned from. Without {.arg time}, all rows can be parted."))
}

# A choice is made within the training rows of each outer split.
check_training_times <- function(task, setup) {
  if (!all(c(setup$outer$method, setup$choice$resampling$method) == "forward")) return(invisible())
  splits <- suppressMessages(make_splits(task, setup$outer))
  if (!all(learns_from_one_time(task$rows, splits))) return(invisible())
  time <- sort(block_times(task$rows))[1L]
  n <- sum(block_times(task$rows) == time)
  abort(c("The estimate of {.fn sift} needs splits that learn from rows of different times.",
    x = "{format_count(n)} of {counted(nrow(task$x), 'row')} have the first time, {.val {format(time)}}.",
    i = "Leave out {.arg time}, give {.code inner = rs_cv()}, or {.code estimate = FALSE}."))
}

number_of_times <- function(task) length(unique(block_times(task$rows)))

# What is known in one row or group only cannot be learned in others and tested there.
lone_notes <- function(task) {
  group <- task$rows$group
  if (task_kind(task) == "numeric") return(character())
  if (is.null(group) && task_kind(task) == "label") {
    on <- rows_with(task$targets)
    lone <- on == 1 | on == known_rows(task$targets) - 1
  } else {
    lone <- vapply(target_columns(shown_targets(task$targets)), function(values) {
      known <- unique(values[!is.na(values)])
      any(vapply(known, function(value) {
        rows <- which(values == value)
        length(if (is.null(group)) rows else unique(group[rows])) == 1L
      }, NA))
    }, NA)
  }
  if (!any(lone)) return(character())
  names <- colnames(task$targets)[lone]
  more <- length(names) - 3L
  paste0("Some value of ", paste(utils::head(names, 3L), collapse = ", "), if (more > 0L) paste(" and", more, "more"),
    " is in one ", if (is.null(group)) "row" else "group of rows", " only, so what predicts it cannot be judged on ",
    "other ", if (is.null(group)) "rows." else "groups.")
}

# The number that all randomness derives from, which the benchmark with the outer splits uses too: a new one, or that of
# an estimate already begun in the folder. list(draw, number): the benchmark draws `number` in the stream of `draw`.
answer_number <- function(folder) {
  draw <- stats::runif(1)
  begun <- !is.null(folder) && file.exists(file.path(folder, "benchmark.rds"))
  list(draw = draw, number = if (begun) read_manifest(folder)$number else in_draw(draw, stats::runif(1)))
}

in_draw <- function(draw, code) with_stream(list(draw, "sift"), code)

number_of_splits <- function(resampling) {
  p <- resampling$params
  switch(resampling$method,
    cv = p$folds * p$repeats, holdout = p$repeats, forward = p$folds, fixed = 1L, length(p$splits)
  )
}

answer_setup <- function(task, params, control, outer, max_features, threads, estimate) {
  impute <- control$impute %||% if (length(cpp_find_missing(task$x)) > 0L) impute_mean()
  notes <- character()
  if (is.null(control$impute) && !is.null(impute)) notes <- filled_note(task$x)
  bins <- control$target_bins %||% if (task_kind(task) == "numeric") disc_equal_width(5)
  options <- list(discretizer = control$discretizer, impute = impute, target_bins = bins, threads = threads)
  default <- c(selectors = is.null(params$selectors), learner = is.null(params$learner))
  unit <- if (is.null(task$rows$group)) "rows" else "groups"
  is_forward <- function(resampling) {
    identical(resampling, rs_forward()) || identical(resampling, usual_forward(5L))
  }
  # Fewer folds than 5 where rows, or groups of rows, are few. `share`: of them available for the splits. `each`: how
  # many a fold must have, and how many to learn from.
  fewer <- function(resampling, share, what, each) {
    forward <- is_forward(resampling)
    if (!identical(resampling, rs_cv(5)) && !forward) return(resampling)
    n <- if (unit == "rows") nrow(task$x) else nlevels(task$rows$group)
    telling <- telling_rows(task)
    if (unit == "groups") each <- c(1L, if (telling < n) 2L else 1L)
    most <- floor(share * c(n, telling)) %/% each - forward
    times <- if (forward) number_of_times(task) - 1L else 5L
    wanted <- folds <- as.integer(max(2L - (forward && share < 1), min(5L, most, times)))
    # Rows of equal time may leave fewer blocks.
    while (forward && (blocks <- length(make_splits(task, usual_forward(folds)))) < folds) folds <- blocks
    if (folds == 5L) return(resampling)
    few <- if (times < min(5L, most) || folds < wanted) "there are few times"
    else if (most[1L] < 5L) paste("there are few", unit) else paste("few", unit, "have targets to learn from")
    notes <<- c(notes, paste0(what, " has ", counted(folds, if (forward) "test block" else "fold"), ": ", few, "."))
    if (forward) usual_forward(folds) else rs_cv(folds)
  }
  each <- if (is_forward(outer)) c(20L, 5L) else c(4L, 2L)
  if (estimate) outer <- fewer(outer, 1, "The estimate", each)
  # The share of the smallest training part.
  share <- if (outer$method != "forward") 0.75 else if (estimate) 1 / (1 + outer$params$folds) else 1
  params$resampling <- fewer(own_resampling(params$resampling, task, rs_cv(5)), share, "The choice", c(4L, 2L))
  d <- ncol(task$x)
  if (!is.null(max_features) && max_features < d) {
    params$k <- sort(unique(c(default_counts(min(max_features, 200L)), max_features)))
  }
  params$selectors <- params$selectors %||% named_objects(default_selectors(task), "mlselector", "", "")
  learners <- params$learner %||% usual_learners(task, params$measure)
  params$learner <- named_objects(learners, "mllearner", "", "")
  params$measure <- params$measure %||% default_measure(task)
  params$max_seconds <- control$max_seconds / ((if (estimate) number_of_splits(outer) else 0L) + 4)
  wishes <- control_wishes(control, task)
  # The best group is chosen, and what must be in, even if they are more features.
  most <- max(room_for_group(params$k, together_in(wishes, colnames(task$x))), length(wishes$include))
  list(choice = params, options = options, wishes = wishes, outer = outer, notes = notes, default = default,
    most = if (is.null(params$k)) d else most)
}

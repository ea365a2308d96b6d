#' Which selector, and how many features?
#'
#' Chooses a selector and a number of features by resampling. On each split, every candidate selects features on the
#' training rows, and a learner is assessed on the test rows with the first `k` of them, for each `k`. The pair of
#' candidate and `k` with the best mean over splits is chosen, and its features are then selected on all rows.
#'
#' `sel_best()` makes a selector of this: within [sift_features()] it gives the features of the choice, and within
#' [benchmark_selectors()] it chooses anew on the training rows of each split. So the benchmark's test rows play no part
#' in the choice. [tune_k()] and [sel_tuned()] are the case of one candidate.
#'
#' The mean of the chosen pair is the best of many, so it looks better than the choice is. A benchmark with `sel_best()`
#' among its selectors says what the choice is worth on new rows.
#'
#' @section Defaults:
#' `default_selectors()` gives the candidates for a task. They are unlike each other and take little time:
#' * labels: MIM-BR, ELA+CHI (LP+CHI for a single label), EBLS, MFS, CMIM, AMI and MTL, see [sel_mim()], [sel_chi2()],
#'   [sel_ebls()], [sel_mfs()], [sel_cmim()], [sel_ami()] and [sel_mtl()];
#' * classes: MIM-BR, CMIM, JMIM, RF-BR and MTL, see [sel_jmim()] and [sel_relieff_br()];
#' * numbers: single correlations (the mean over targets of the absolute correlation of feature and target), RReliefF,
#'   Group-JMI and MTL with standardized targets, see [sel_rrelieff()] and [sel_group_jmi()].
#'
#' The learner is [lrn_mlknn()] for labels ([lrn_nb()] if some are [unknown][unknown_labels] or if rows have
#' [weights][row_weights()]), [lrn_nb()] on features discretized by `discretizer` for classes, and [lrn_linear()] for
#' numbers. The measure is the average precision (the AUC for a single label), the balanced accuracy or the aRRMSE.
#' The numbers of features are those of 5, 10, 20, 50, 100 and 200 that are not above the number of features, or above
#' the `k` that [sift_features()] or a benchmark asks for. Below 10 features, all numbers are tried.
#'
#' @section How good the defaults are:
#' On 25 public data sets with labels, `bench/choice.R` compares means of average precision over 10, 20, 50 and 100
#' features. It uses at most 3,000 rows of each set, three random halves, and ML-kNN.
#' * Random features: 0.484.
#' * The one filter that is best on the other 24 sets, which is AMI each time: 0.569. [sel_mtl()] alone: 0.574.
#' * The best candidate for each number of features: 0.575 among the filters, and 0.578 among all defaults. This is at
#'   most 0.0017 worse than AMI on any set, and better by up to 0.036.
#' * The filter that is best on the other halves of the same set, for each number of features: 0.575.
#'
#' Of the defaults, AMI is the best single one for 10 features, AMI and MTL for 20, and MTL from 50 on. Racing lost
#' nothing on average and took 92% of the time. With all defaults, the choice took as long as 32 selections by AMI with
#' their evaluation (the median over sets).
#' @section Racing:
#' With `race`, a candidate is dropped after the second or a later split if it is clearly behind: if its mean, at its
#' own best `k` so far, is worse than the leader's by more than the 95% quantile of t times the standard error of the
#' difference. The squared standard error is
#' \eqn{(1/s + n_{test}/n_{train}) \hat\sigma^2}{(1 / s + n_test / n_train) sigma^2} after \eqn{s} splits (Nadeau and
#' Bengio 2003). Here \eqn{\hat\sigma^2}{sigma^2} is the mean over candidates of the variance of their differences from
#' the leader, with \eqn{(C - 1)(s - 1)} degrees of freedom for \eqn{C} candidates. At least two candidates remain.
#'
#' @param task (`mltask`) The data.
#' @param selectors A list of selectors, the candidates, or a single one. `NULL` uses `default_selectors()`. Names must
#'   differ: use names of the list for the same selector with different parameters. Candidates that cannot use
#'   the task, because of its kind of targets, its weights or unknown labels, are left out.
#' @param learner (`mllearner`) One learner; `NULL` for the default of the kind of targets.
#' @param measure The name of one measure, such as `"hamming_loss"`, or one made by [measure()] or [msr_custom()];
#'   `NULL` for the default of the kind of targets.
#' @param k (counts) The numbers of features to try. Those above the number of features of the task are left out. `NULL`
#'   is for the defaults. With one number, only the selector is chosen.
#' @param resampling How rows are split: [rs_cv()], [rs_holdout()], ... `NULL` is `rs_cv(5)`, or [rs_forward()] for a
#'   task with times and without groups.
#' @param rule `"best"` takes the pair of the best mean. `"one-se"` takes the pair of the fewest features whose mean is
#'   within one standard error of the best. Of equal ones, both take the one with the fewest features, then the first
#'   candidate.
#' @param race (flag) Whether candidates that are clearly behind are dropped early.
#' @param max_seconds (number) After this time no candidate begins another split. The first candidate always has one.
#'   The choice is then made from the splits that all candidates left in the race have finished. Candidates that had not
#'   begun are listed as `"not tried"`. Only with a limit can two runs with the same seed differ. The selection on all
#'   rows comes after the time.
#' @param discretizer,impute,target_bins,threads,learner_discretizer As in [benchmark_selectors()]. If `target_bins` is
#'   `NULL` and `selectors` too, default candidates that need classes cut numeric targets into 5 intervals.
#' @return `tune_selection()` gives an object of class `mltuning`, a list with
#'   - `selector`: the chosen selector;
#'   - `k`: the chosen number of features;
#'   - `curve`: a data frame with the columns `selector`, `k`, `mean`, `sd`, `se` (the standard error of the mean) and
#'     `n_splits`;
#'   - `selection`: the selection on all rows, see [sift_features()];
#'   - `candidates`: a data frame with the columns `selector`, `status` (`"chosen"`, `"tried"`, `"dropped"` by the race,
#'     `"failed"`, `"left out"` or `"not tried"`), `n_splits`, `seconds` and `reason`.
#'
#'   `plot()` draws the curves, and [selected()] gives the names of the features. `sel_best()` gives a selector, and
#'   `default_selectors()` a list of selectors.
#' @references Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52, 239-281.
#'   \doi{10.1023/A:1024068626366}
#'
#'   Maron and Moore (1997). The racing algorithm: model selection for lazy learners. Artificial Intelligence Review 11,
#'   193-225. \doi{10.1023/A:1006556606079}
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(120, n_features = 15, n_targets = 3)
#' tuned <- tune_selection(task, k = c(2, 5, 10), resampling = rs_cv(3))
#' tuned
#' tuned$candidates
#' plot(tuned)
#' sift_features(task, sel_best(list(sel_mim(), sel_scls()), lrn_nb(), "hamming_loss"), k = 5)
#' @export
tune_selection <- function(task, selectors = NULL, learner = NULL, measure = NULL, k = NULL, resampling = NULL,
                           rule = c("best", "one-se"), race = TRUE, max_seconds = Inf, discretizer = disc_auto(),
                           impute = NULL, target_bins = NULL, learner_discretizer = NULL, threads = NULL) {
  call <- rlang::current_env()
  check_mltask(task)
  params <- choice_params(
    selectors, learner, measure, k, resampling, rule, race, max_seconds, learner_discretizer, call
  )
  options <- list(discretizer = discretizer, impute = impute, target_bins = target_bins, threads = threads)
  choose_selection(task, params, options, call)
}

#' @rdname tune_selection
#' @param name (string) What results call the selector.
#' @export
sel_best <- function(selectors = NULL, learner = NULL, measure = NULL, k = NULL, resampling = NULL,
                     rule = c("best", "one-se"), race = TRUE, max_seconds = Inf, learner_discretizer = NULL,
                     name = "Best") {
  call <- rlang::current_env()
  params <- choice_params(
    selectors, learner, measure, k, resampling, rule, race, max_seconds, learner_discretizer, call
  )
  new_selector(check_string(name), "best", params)
}

# Candidates for each kind of targets, the cheapest kind first.
candidates_for <- list(
  # ELA leaves out rows without labels, so it leaves one class of a single label.
  label = function(q) {
    chi2 <- sel_chi2(if (q == 1L) "lp" else "ela")
    list(sel_mim(), chi2, sel_ebls(), sel_mfs(), sel_cmim(), sel_ami(), sel_mtl())
  },
  class = function(q) list(sel_mim(), sel_cmim(), sel_jmim(), sel_relieff_br(), sel_mtl()),
  numeric = function(q) {
    list(single_correlations(), sel_rrelieff(), sel_group_jmi(), sel_mtl(standardize_targets = TRUE))
  }
)

learner_for <- list(label = function() lrn_mlknn(), class = function() lrn_nb(), numeric = function() lrn_linear())

measure_for <- c(label = "average_precision", class = "balanced_accuracy", numeric = "arrmse")

#' @rdname tune_selection
#' @export
default_selectors <- function(task) {
  check_mltask(task)
  candidates_for[[task_kind(task)]](ncol(task$targets))
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

choice_params <- function(selectors, learner, measure, k, resampling, rule, race, max_seconds, learner_discretizer,
                          call) {
  if (!is.null(selectors)) {
    selectors <- named_objects(
      selectors, "mlselector", "Make selectors with functions such as {.fn sel_mim}.", "selectors", call
    )
  }
  if (!is.null(learner)) check_learner(learner, call = call)
  if (!is.null(measure)) measure <- check_one_measure(measure, call = call)
  if (!is.null(learner_discretizer)) check_discretizer(learner_discretizer, call, "learner_discretizer")
  if (!is.null(resampling)) check_resampling(resampling, call = call)
  list(
    selectors = selectors, learner = learner, measure = measure, k = if (!is.null(k)) check_grid_sizes(k, call),
    resampling = resampling, rule = check_choice(rule, c("best", "one-se"), call = call),
    race = check_flag(race, call = call), max_seconds = check_number(max_seconds, min = 0, call = call),
    learner_discretizer = learner_discretizer
  )
}

# --- choosing ---------------------------------------------------------------------------------------------------------

# `params`: as choice_params() makes them. `options`: discretizer, impute, target_bins and threads of
# benchmark_selectors(). `wishes`: further arguments of sift_features(). `most`: the largest default k. `rows`: the task
# as prepared rows, if there are any.
choose_selection <- function(task, params, options, call, wishes = NULL, most = Inf, rows = NULL) {
  started <- now()
  check_information(task, call)
  params <- complete_choice(task, params, options, most, call)
  bins <- if (task_kind(task) == "numeric") options$target_bins %||% params$target_bins
  k <- params$k[params$k <= ncol(task$x)]
  if (length(k) > 0L) k <- unique(pmax(k, length(wishes$include)))
  if (length(k) == 0L) {
    abort(c("{.arg k} must have a number that is not above that of the features.",
      x = "The smallest is {min(params$k)}; the task has {ncol(task$x)} feature{?s}."), call = call)
  }
  candidates <- params$selectors
  left_out <- refused_candidates(task, candidates, bins, call)
  serving <- setdiff(names(candidates), names(left_out))
  # The random numbers of a candidate do not depend on its name.
  selectors <- if (length(candidates) == 1L) list(selector = candidates[[1L]]) else candidates[serving]
  plan <- benchmark_plan(list(task = task), selectors, list(learner = params$learner), params$resampling, k,
    params$measure, NULL, options$discretizer, options$impute, options$target_bins %||% bins, options$threads,
    params$learner_discretizer, call)
  plan <- draw_splits(plan, stats::runif(1), call)
  plan$wishes <- wishes
  raced <- race_candidates(plan, params, started + params$max_seconds, call)
  bench <- collect_benchmark(plan, raced$units, raced$keys)
  curve <- tuning_curve(bench)
  if (length(candidates) == 1L) curve$selector[] <- raced$table$selector <- names(candidates)
  found <- choose_pair(curve, raced$table, attr(bench, "measures")$direction, params$rule)
  warn_of_gaps(bench, call)
  if (is.null(found)) {
    reason <- commonest(failures(bench)$message)
    abort(c(if (length(candidates) == 1L) "No number of features could be assessed on every split."
      else "No candidate could be assessed on every split.",
    x = if (!is.null(reason)) "{reason}"), call = call)
  }
  selector <- candidates[[found$selector]]
  selection <- select_from(
    rows %||% imputed_rows(task, options$discretizer, options$impute), selector, found$k, as.list(wishes),
    if (bins_targets(selector, bins) || selector_method(selector)$whole) bins, resolve_threads(options$threads), call
  )
  structure(
    list(k = found$k, curve = curve, selection = selection, measure = attr(bench, "measures")$measure,
      direction = attr(bench, "measures")$direction, rule = params$rule, learner = params$learner$name,
      selector = selector, name = found$selector,
      candidates = candidate_table(raced$table, names(candidates), left_out, found$selector)),
    class = "mltuning"
  )
}

# The parameters, with defaults for this task where nothing was given.
complete_choice <- function(task, params, options, most, call) {
  kind <- task_kind(task)
  if (is.null(params$selectors)) {
    params$selectors <- named_objects(candidates_for[[kind]](ncol(task$targets)), "mlselector", "", "selectors", call)
    if (kind == "numeric") params$target_bins <- disc_equal_width(5)
  }
  if (is.null(params$learner)) {
    whole <- is.null(task$targets$unknown) && is.null(task$rows$weights)
    params$learner <- if (whole || kind != "label") learner_for[[kind]]() else lrn_nb()
    if (kind == "class") params$learner_discretizer <- params$learner_discretizer %||% options$discretizer
  }
  # With a single label, rows have nothing to rank.
  single <- kind == "label" && ncol(task$targets) == 1L
  params$measure <- params$measure %||% if (single) "macro_auc" else measure_for[[kind]]
  params$k <- params$k %||% default_counts(min(ncol(task$x), most))
  params["resampling"] <- list(own_resampling(params$resampling, task, rs_cv(5)))
  params
}

default_counts <- function(most) {
  counts <- c(5L, 10L, 20L, 50L, 100L, 200L)
  if (most < 10) seq_len(most) else counts[counts <= most]
}

# The reasons why candidates cannot take the task, by name.
refused_candidates <- function(task, candidates, bins, call) {
  if (length(candidates) == 1L) return(character())
  reasons <- vapply(candidates, function(selector) {
    method <- selector_method(selector)
    kinds <- served_kinds(selector, method, bins)
    if (!task_kind(task) %in% kinds) paste("for targets of kind", paste(kinds, collapse = ", "))
    else if (!is.null(task$rows$weights) && !method$weights) "cannot use the weights of rows"
    else if (!is.null(task$targets$unknown) && !method$unknown) "cannot use unknown labels"
    else ""
  }, "")
  reasons <- reasons[nzchar(reasons)]
  if (length(reasons) == length(candidates)) {
    also <- paste0(if (!is.null(task$rows$weights)) ", and its rows have weights",
      if (!is.null(task$targets$unknown)) ", and some labels are unknown")
    abort(c("At least one of {.arg selectors} must be able to serve the task.",
      x = "Its targets are of kind {.val {task_kind(task)}}{also}.",
      i = "{names(reasons)[1L]}: {reasons[[1L]]}."),
    call = call)
  }
  reasons
}

tuning_curve <- function(bench) {
  curves <- lapply(split(bench, factor(bench$selector, unique(bench$selector))), function(rows) {
    values <- split(rows$value, rows$k)
    n <- lengths(values)
    sd <- vapply(values, stats::sd, 0)
    data.frame(
      selector = rows$selector[1L], k = as.integer(names(values)), mean = vapply(values, mean, 0), sd = sd,
      se = sd / sqrt(n), n_splits = n
    )
  })
  curve <- do.call(rbind, curves)
  rownames(curve) <- NULL
  curve
}

# list(selector, k) of the chosen pair, among those assessed on all splits that were run; NULL if there is none.
choose_pair <- function(curve, table, direction, rule) {
  running <- table$selector[table$status == "tried"]
  usable <- curve[!is.na(curve$mean) & curve$selector %in% running, ]
  if (nrow(usable) == 0L) return(NULL)
  usable <- usable[order(usable$k, match(usable$selector, table$selector)), ]
  at <- choose_point(usable, direction, rule)
  list(selector = usable$selector[at], k = usable$k[at])
}

# The row of a curve that the rule chooses. Rows that win ties come first.
choose_point <- function(curve, direction, rule) {
  loss <- if (direction == "maximize") -curve$mean else curve$mean
  best <- which.min(loss)
  if (rule == "best") return(best)
  margin <- if (is.na(curve$se[best])) 0 else curve$se[best]
  which(loss <= loss[best] + margin)[1L]
}

# The row of the curve of an `mltuning` that was chosen.
chosen_point <- function(tuning) tuning$curve[tuning$curve$selector == tuning$name & tuning$curve$k == tuning$k, ]

# Values that are missing because of failures, with the most common reason.
warn_of_gaps <- function(bench, call) {
  n <- sum(is.na(bench$value))
  if (n == 0L) return(invisible())
  reason <- commonest(failures(bench)$message)
  warn(c("{format_count(n)} of {format_count(nrow(bench))} values {cli::qty(n)}{?is/are} missing.",
    x = if (!is.null(reason)) "{reason}"), call = call)
}

candidate_table <- function(table, names, left_out, chosen) {
  table$status[table$selector == chosen] <- "chosen"
  out <- data.frame(selector = names(left_out), status = rep("left out", length(left_out)))
  out <- cbind(out, n_splits = rep(0L, nrow(out)), seconds = rep(0, nrow(out)), reason = unname(left_out))
  all <- rbind(table, out)
  all <- all[match(names, all$selector), ]
  rownames(all) <- NULL
  all
}

# --- as a selector ----------------------------------------------------------------------------------------------------

# The choice among features that are not excluded, for run() of a selector.
run_choice <- function(input, params) {
  columns <- which(!input$excluded)
  params$max_seconds <- min(params$max_seconds, input$max_seconds)
  options <- list(
    discretizer = input$discretizer, target_bins = input$target_bins, threads = asked_threads(input$threads)
  )
  rows <- columns_of(input$prepared, columns)
  tuned <- choose_selection(
    rows$task, params, options, input$call, wishes_within(input, columns), input$k %||% Inf, rows
  )
  found <- tuned$selection
  left_out <- candidates_of(tuned$candidates, "left out")
  list(index = columns[found$index], score = found$score, ordered = !anyNA(found$rank), note = paste0(
    if (length(params$selectors) == 1L) "" else paste(tuned$name, "with "),
    "k = ", tuned$k, " was chosen by ", tuned$measure, " of ", tuned$learner,
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

# Whether the learner and at least one of the candidates accept `what`.
choice_takes <- function(params, what) {
  (is.null(params$selectors) || any(vapply(params$selectors, spec_takes, NA, what))) &&
    (is.null(params$learner) || spec_takes(params$learner, what))
}

register_selector("best",
  name = "Best", source = "mlsift", whole = TRUE, needs = character(),
  kinds = function(params) {
    of_selectors <- if (is.null(params$selectors)) target_kinds
    else unlist(lapply(params$selectors, own_kinds))
    of_learner <- if (is.null(params$learner)) target_kinds else learner_method(params$learner)$kinds
    intersect(target_kinds, intersect(of_selectors, of_learner))
  },
  gives = function(params) {
    sets <- vapply(params$selectors, function(selector) selector_method(selector)$gives == "set", NA)
    if (length(sets) > 0L && all(sets)) "set" else "path"
  },
  weights = function(params) choice_takes(params, "weights"),
  unknown = function(params) choice_takes(params, "unknown"),
  run = run_choice
)

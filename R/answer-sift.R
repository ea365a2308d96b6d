#' From data to an answer
#'
#' Chooses a selector and a number of features for a task, estimates honestly what the choice is worth, and says which
#' features it chose, how sure that is, and what could be taken instead.
#'
#' It takes four steps:
#'
#' 1. Features that identify rows, are constant or are a copy of a target are left out, see [check_task()]. Missing
#'    values are replaced by [impute_mean()], fitted to training rows.
#' 2. Selector and number of features are chosen by cross-validation on all rows, see [tune_selection()], which also has
#'    the defaults for `learner`, `measure` and `selectors`.
#' 3. The whole choice is repeated on the training rows of each outer split, and measured on its test rows. So the
#'    estimate is of the choice, not of the winner. All features, random features and the most frequent outcome (the
#'    floor) are measured on the same rows.
#' 4. The features are compared with each other, with all other features and with the targets.
#'
#' @section Stand-ins:
#' A stand-in of a chosen feature \eqn{f} is a feature \eqn{g} that was not chosen and says nearly the same: their
#' symmetrical uncertainty \eqn{2 I(f; g) / (H(f) + H(g))} is 0.8 or more, with features cut as selectors see them. With
#' `stand_ins = "swap"` it is one of the three most similar features for which the inner value of the chosen set, with
#' \eqn{g} in the place of \eqn{f}, gets worse by less than one standard error. This takes `3 k` assessments.
#'
#' @section Quality:
#' Means are over the outer splits, and standard errors have the correction of Nadeau and Bengio (2003) for splits that
#' share rows. The value of random features is the mean of 20 draws of as many features, spread over the splits: with 5
#' splits there are 4 draws on each. The floor predicts for every row what is most frequent in the training rows: for
#' labels the frequencies as scores, for numbers the means. p-values are those of the corrected t-test of the
#' differences from the chosen features over splits. Few splits show only large differences.
#'
#' With `check = "permutation"` the choice is repeated on permuted rows of the targets. The p-value is
#' \eqn{(1 + b) / (1 + B)}, where \eqn{b} of \eqn{B} permutations reach an inner value as good as that of the data.
#' With weights, groups or times, only what is alike changes places, see [score_test()].
#'
#' @section Rows that belong together:
#' With `group`, rows of a group are never on both sides of a split, neither of the outer ones nor of those inside, and
#' with `time` and without `group`, models are tested on later rows than those that they learned from, see
#' [row_groups()]. The summary says so in a sentence. If groups are few, or few of them have targets to learn from,
#' there are fewer folds, and if rows in time are few, there are fewer test blocks; the summary says this too. At least
#' 3 groups are needed for an estimate, and 2 without. Where one group has all the rows with a label, or all without it,
#' nothing that is learned from other groups can predict it, so the summary names such labels.
#'
#' @section Long runs:
#' With `folder`, the estimate is kept there split by split, as by [benchmark_selectors()]. After an interrupt, the same
#' call resumes where it stopped. Without `folder`, an interrupted estimate says where it has kept what is finished.
#' With `max_seconds`, each choice has its share of the time, and candidates that had no time are listed. What cannot be
#' estimated in time is left out, which the summary says. One step may take longer than its share, so the limit is not
#' exact.
#'
#' @param task The data: an `mltask`, or a data frame together with `targets`.
#' @param learner,measure,selectors As in [tune_selection()].
#' @param max_features (count) The largest number of features to choose. It is tried, and so are those of 5, 10, 20, 50,
#'   100 and 200 below it. `NULL` is for 200, or for all features if there are fewer.
#' @param outer How rows are split for the estimate: [rs_cv()], [rs_holdout()], ... `NULL` is `rs_cv(5)`, or
#'   [rs_forward()] for a task with times and without groups.
#' @param estimate (flag) Whether to estimate the quality. Without, the result comes in a fifth of the time.
#' @param stand_ins How features that could be taken instead are found, see below.
#' @param check `"permutation"` tests whether there is anything to find, by repeating the choice `permutations` times.
#' @param folder,workers As in [benchmark_selectors()], for the estimate.
#' @param max_seconds (number) How long the call should take at most.
#' @inheritParams sift_features
#' @param targets,exclude,kind,on,na,weights,group,time For a data frame: as in [mltask()]. A task has them already, so
#'   they give an error.
#' @param permutations (count) Number of permutations.
#' @return An object of class `mlsift`, a list with
#'   - `features`: a data frame with the columns `rank`, `feature`, `score`, `share` (of the outer splits in which the
#'     feature was chosen), `stand_ins` (a list of names, the most similar first) and `serves` (a list of at most three
#'     targets with the largest mutual information with the feature, largest first);
#'   - `quality`: a data frame with the columns `what` (`"chosen"`, `"all"`, `"random"` or `"floor"`), `mean`, `se`, `k`
#'     (the mean number of features) and `p_value` (of the difference from `"chosen"`); no rows without an estimate;
#'   - `tuning`: the choice, see [tune_selection()];
#'   - `task`: the task without the features that were left out; `left_out`: these, as [check_task()] lists them;
#'   - `selection`: the chosen features, see [sift_features()];
#'   - `similarity`: the symmetrical uncertainty of the chosen features;
#'   - `benchmark`: the outer splits, see [benchmark_selectors()]; `stability`: see [stability()]; `check`: the inner
#'     values of the permutations and the p-value; `seconds`.
#'
#'   `summary()` gives a few sentences, `plot()` draws one page, [selected()] and [subset_features()] give the features,
#'   [as_code()] the calls that repeat the steps, and [write_report()] writes a page with everything. [tidy()] and
#'   [glance()] work too.
#' @references Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52, 239-281.
#'   \doi{10.1023/A:1024068626366}
#' @family answers
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(150, n_features = 20, n_targets = 3)
#' answer <- sift(task)
#' answer
#' summary(answer)
#' plot(answer)
#' subset_features(answer)
#'
#' sift(iris, targets = Species, estimate = FALSE)
#' @export
sift <- function(task, learner = NULL, measure = NULL, max_features = NULL, selectors = NULL, outer = NULL,
                 estimate = TRUE, stand_ins = c("information", "swap", "none"), check = c("none", "permutation"),
                 folder = NULL, workers = c("auto", "mirai", "future", "none"), max_seconds = Inf, threads = NULL,
                 targets = NULL, exclude = NULL, kind = NULL, permutations = 19, na = NULL, on = NULL, weights = NULL,
                 group = NULL, time = NULL) {
  call <- rlang::current_env()
  began <- now()
  said <- new.env(parent = emptyenv())
  if (is.data.frame(task)) {
    task <- each_once(in_own_words(call, mltask(task, targets = {{ targets }}, exclude = {{ exclude }}, kind = kind,
      na = na, on = on, weights = weights, group = group, time = time)), "mlsift_message", said)
  } else {
    missing <- c(targets = missing(targets), exclude = missing(exclude), kind = missing(kind), na = missing(na),
      on = missing(on), weights = missing(weights), group = missing(group), time = missing(time))
    check_mltask(task)
    if (!all(missing)) {
      abort(c("{.arg {names(which(!missing))[1L]}} is for a data frame.", x = "{.arg task} is a task already.",
        i = "Give it to {.fn mltask}."))
    }
  }
  max_features <- check_count(max_features, null = TRUE)
  params <- choice_params(selectors, learner, measure, NULL, NULL, "best", TRUE, max_seconds, NULL, call)
  if (!is.null(learner)) check_can_learn(learner, task, call)
  outer <- own_resampling(outer, task, rs_cv(5))
  check_resampling(outer)
  check_flag(estimate)
  stand_ins <- check_choice(stand_ins)
  check <- check_choice(check)
  permutations <- check_count(permutations)
  if (check == "permutation") target_permuter(task, call)
  check_string(folder, null = TRUE)
  resolve_threads(threads, call)
  if (nrow(task$x) < 8L) {
    abort(c("{.fn sift} needs at least 8 rows.", x = "The task has {nrow(task$x)}.",
      i = "{.fn sift_features} ranks the features of fewer rows."), call = call)
  }

  check_information(task, call)
  drawn <- answer_number(folder, call)
  number <- drawn$number
  left_out <- feature_problems(task)
  left_out <- left_out[left_out$problem %in% misleading, ]
  if (nrow(left_out) > 0L) task <- drop_features(task, misleading)
  together <- each_once(report_together(row_problems(task, 2)), "mlsift_message", said)
  n_outer <- if (estimate) number_of_splits(outer) else 0L
  check_row_groups(task, outer, estimate, call)
  check_targets_vary(task, estimate, call)
  answer <- list(
    task = task, left_out = left_out, notes = lone_notes(task), session = run_session(), number = number,
    draw = drawn$draw
  )
  setup <- answer_setup(task, params, outer, max_features, max_seconds / (n_outer + 4), threads,
    estimate, call)
  answer$notes <- c(together, answer$notes, setup$notes)

  choose <- function(task, key) {
    choice <- setup$choice
    choice$max_seconds <- 2 * choice$max_seconds
    with_stream(list(number, "sift", key), choose_selection(task, choice, setup$options, call))
  }
  say <- function(what) {
    if (isTRUE(getOption("mlsift.progress", interactive()))) cli::cli_progress_step(what, .envir = call)
  }
  # The same message comes up on many splits, but is shown once.
  tell_once({
    say("Choosing selector and number of features")
    answer$tuning <- choose(task, "choice")
    answer$selection <- answer$tuning$selection
    answer$setup <- setup
    left <- began + max_seconds - now()
    if (estimate && left <= 0) answer$notes <- c(answer$notes, "There was no time to estimate the quality.")
    if (estimate && left > 0) {
      say("Estimating the quality of the choice")
      answer <- estimate_quality(answer, folder, workers, began + max_seconds)
    }
    if (check == "permutation") {
      say("Permuting the targets")
      answer$check <- permutation_check(answer, choose, permutations, call)
    }
    say("Comparing the features")
    answer$features <- describe_features(answer, stand_ins, call)
  }, root_message)
  answer$seconds <- now() - began
  parts <- c("features", "quality", "tuning", "task", "left_out", "selection", "similarity", "benchmark", "stability",
    "check", "notes", "seconds", "number", "setup", "session")
  answer$similarity <- attr(answer$features, "similarity")
  attr(answer$features, "similarity") <- NULL
  if (is.null(answer$quality)) answer$quality <- quality_table()
  structure(stats::setNames(answer[parts], parts), class = "mlsift")
}

misleading <- c("id", "constant", "target_copy")

# Evaluates code of this package with errors in the name of another function.
in_own_words <- function(call, code) {
  rlang::try_fetch(code, mlsift_error = function(e) {
    e$call <- rlang::frame_call(call)
    rlang::cnd_signal(e)
  })
}

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

check_targets_vary <- function(task, estimate, call) {
  found <- telling_rows(task)
  grouped <- !is.null(task$rows$group)
  least <- min(if (estimate) 4L else 2L, if (grouped) nlevels(task$rows$group))
  if (found >= least) return(invisible())
  what <- if (task_kind(task) != "label") "rows without the most frequent value of a target"
  else if (ncol(task$targets) == 1L) "rows with the label, and as many without"
  else "rows that have some of the labels, but not all"
  if (grouped) what <- paste("groups with", what)
  abort(c("{.fn sift} needs at least {least} {what}.", x = "The task has {found}."), call = call)
}

# Groups must be left to choose with when some of them are test rows.
check_row_groups <- function(task, outer, estimate, call) {
  n <- nlevels(task$rows$group)
  apart <- estimate && outer$method %in% c("cv", "holdout", "forward") && !isFALSE(outer$params$group)
  if (n == 0L || n >= 2L + apart) return(invisible())
  abort(c("{.fn sift} needs at least {2L + apart} groups of rows{if (apart) \" for an estimate\"}.",
    x = "The task has {n}.",
    i = "Rows of a group are never on both sides of a split. Without {.arg group}, all rows can be parted."),
  call = call)
}

# What is known in one group only cannot be learned in other groups and tested there.
lone_notes <- function(task) {
  group <- task$rows$group
  if (is.null(group) || task_kind(task) == "numeric") return(character())
  columns <- target_columns(shown_targets(task$targets))
  lone <- vapply(columns, function(values) {
    known <- unique(values[!is.na(values)])
    any(vapply(known, function(value) length(unique(group[which(values == value)])) == 1L, NA))
  }, NA)
  if (!any(lone)) return(character())
  names <- colnames(task$targets)[lone]
  more <- length(names) - 3L
  paste0("Some value of ", paste(utils::head(names, 3L), collapse = ", "), if (more > 0L) paste(" and", more, "more"),
    " is in one group of rows only, so what predicts it cannot be judged on other groups.")
}

# The number that all randomness derives from, which the benchmark with the outer splits uses too: a new one, or that of
# an estimate already begun in the folder. list(draw, number): the benchmark draws `number` in the stream of `draw`.
answer_number <- function(folder, call) {
  draw <- stats::runif(1)
  begun <- !is.null(folder) && file.exists(file.path(folder, "benchmark.rds"))
  list(draw = draw, number = if (begun) read_manifest(folder, call)$number else in_draw(draw, stats::runif(1)))
}

in_draw <- function(draw, code) with_stream(list(draw, "sift"), code)

number_of_splits <- function(resampling) {
  p <- resampling$params
  switch(resampling$method,
    cv = p$folds * p$repeats, holdout = p$repeats, forward = p$folds, fixed = 1L, length(p$splits)
  )
}

# The settings of the choice on all rows and on each outer split. `seconds`: the share of one outer choice.
answer_setup <- function(task, params, outer, max_features, seconds, threads, estimate, call) {
  options <- list(
    discretizer = disc_auto(), impute = if (length(cpp_find_missing(task$x)) > 0L) impute_mean(), target_bins = NULL,
    threads = threads
  )
  default_selectors <- is.null(params$selectors)
  notes <- character()
  unit <- if (is.null(task$rows$group)) "rows" else "groups"
  # Fewer folds than 5 where rows, or groups of rows, are few. `share`: of them available for the splits. `each`: how
  # many a fold must have, and how many to learn from.
  fewer <- function(resampling, share, what, each) {
    forward <- identical(resampling, rs_forward())
    if (!identical(resampling, rs_cv(5)) && !forward) return(resampling)
    n <- if (unit == "rows") nrow(task$x) else nlevels(task$rows$group)
    telling <- telling_rows(task)
    if (unit == "groups") each <- c(1L, if (telling < n) 2L else 1L)
    most <- floor(share * c(n, telling)) %/% each - forward
    folds <- as.integer(max(2L - (forward && share < 1), min(5L, most)))
    if (folds == 5L) return(resampling)
    few <- if (most[1L] < 5L) paste("there are few", unit) else paste("few", unit, "have targets to learn from")
    notes <<- c(notes, paste0(what, " has ", counted(folds, if (forward) "test block" else "fold"), ": ", few, "."))
    if (forward) rs_forward(folds) else rs_cv(folds)
  }
  each <- if (identical(outer, rs_forward())) c(20L, 5L) else c(4L, 2L)
  if (estimate) outer <- fewer(outer, 1, "The estimate", each)
  # The share of the smallest training part.
  share <- if (outer$method != "forward") 0.75 else if (estimate) 1 / (1 + outer$params$folds) else 1
  params$resampling <- fewer(own_resampling(NULL, task, rs_cv(5)), share, "The choice", c(4L, 2L))
  most <- min(ncol(task$x), max_features %||% 200L)
  params$k <- sort(unique(c(default_counts(most), if (!is.null(max_features)) most)))
  params <- complete_choice(task, params, options, most, call)
  params$max_seconds <- seconds
  if (task_kind(task) == "numeric") options$target_bins <- disc_equal_width(5)
  list(choice = params, options = options, outer = outer, notes = notes, default_selectors = default_selectors)
}

# --- quality ----------------------------------------------------------------------------------------------------------

n_draws <- 20L

quality_table <- function(what = character(), mean = double(), se = double(), k = double(), p_value = double()) {
  data.frame(what = what, mean = mean, se = se, k = k, p_value = p_value)
}

# Adds `benchmark`, `quality`, `shares` and `stability`.
estimate_quality <- function(answer, folder, workers, deadline) {
  setup <- answer$setup
  params <- setup$choice
  best <- new_selector("Best", "best", params[names(formals(sel_best))[names(formals(sel_best)) != "name"]])
  run <- function(selectors, learners, k) {
    in_draw(answer$draw, benchmark_selectors(
      list(task = answer$task), selectors, learners, setup$outer, k, params$measure,
      discretizer = setup$options$discretizer, impute = setup$options$impute,
      target_bins = setup$options$target_bins, folder = folder, workers = workers,
      progress = interactive(), threads = setup$options$threads, learner_discretizer = params$learner_discretizer
    ))
  }
  bench <- run(list(chosen = best, all = sel_none()), list(learner = params$learner), max(params$k))
  per_split <- ceiling(n_draws / length(unique(bench$split)))
  draws <- lapply(stats::setNames(nm = paste("random", seq_len(per_split))), function(name) sel_random())
  random <- run_draws(draws, function(some) run(some, list(learner = params$learner), answer$tuning$k), deadline)
  answer$notes <- c(answer$notes, random$note)
  floor <- run(draws[1L], list(floor = frequency_learner()), answer$tuning$k)
  values <- function(bench, selector = unique(bench$selector)) {
    rows <- bench[bench$selector %in% selector, ]
    vapply(split(rows$value, factor(rows$split, unique(bench$split))), mean, 0)
  }
  of <- list(
    chosen = values(bench, "chosen"), all = values(bench, "all"),
    random = Reduce(`+`, lapply(random$benches, values)) / length(random$benches), floor = values(floor)
  )
  sizes <- attr(bench, "splits")
  ratio <- mean(sizes$n_test / sizes$n_train)
  se <- function(v) if (length(v) > 1L) corrected_error(v, ratio) else NA_real_
  used <- bench$n_selected[bench$selector == "chosen"]
  answer$quality <- quality_table(names(of), unname(vapply(of, mean, 0)), unname(vapply(of, se, 0)),
    c(mean(used), ncol(answer$task$x), answer$tuning$k, 0),
    c(NA, unname(vapply(of[-1L], function(v) corrected_t(v - of$chosen, ratio), 0))))
  answer$benchmark <- bench
  add_agreement(answer, length(used))
}

# Benchmarks of random features, five draws at a time until the deadline: list(benches, note).
run_draws <- function(draws, run, deadline) {
  benches <- list()
  for (some in split(draws, ceiling(seq_along(draws) / 5))) {
    if (length(benches) > 0L && now() > deadline) {
      drawn <- 5L * length(benches)
      return(list(benches = benches, note = paste("Time allowed", drawn, "draws of random features on each split.")))
    }
    benches <- c(benches, list(run(some)))
  }
  list(benches = benches)
}

# Adds the share of splits in which each feature was chosen, and the stability of the choices.
add_agreement <- function(answer, n_splits) {
  chosen <- selections(answer$benchmark)
  chosen <- chosen[chosen$selector == "chosen", ]
  names <- colnames(answer$task$x)
  answer$shares <- table(factor(chosen$feature, names)) / n_splits
  sets <- unname(split(chosen$feature, chosen$split))
  answer$stability <- if (length(sets) > 1L) {
    tryCatch(stability(sets, n_features = length(names))$estimate, mlsift_error = function(e) NA_real_)
  }
  answer
}

# A learner that predicts the most frequent value in training for every row, or the mean of numbers.
frequency_learner <- function() {
  learner <- lrn_custom("Most frequent",
    fit = function(x, y, weights) {
      shares <- function(target) {
        counts <- if (is.null(weights)) table(target) else tapply(weights, target, sum, default = 0)
        stats::setNames(as.double(counts) / sum(counts), names(counts))[counts > 0]
      }
      if (is.data.frame(y)) return(lapply(y, shares))
      if (is.null(weights)) colMeans(y) else colSums(weights * y) / sum(weights)
    },
    predict = function(model, x) {
      rows <- function(values) {
        matrix(values, nrow(x), length(values), byrow = TRUE, dimnames = list(NULL, names(values)))
      }
      if (is.list(model)) list(score = lapply(model, rows)) else rows(model)
    }
  )
  learner$params$by_label <- TRUE
  learner
}

# The inner values of the choice on permuted targets, and the p-value.
permutation_check <- function(answer, choose, n, call) {
  sign <- if (answer$tuning$direction == "maximize") 1 else -1
  permuted <- target_permuter(answer$task, call)
  values <- vapply(seq_len(n), function(i) {
    task <- with_stream(list(answer$number, "sift", "permute", i), permuted())
    chosen_point(choose(task, paste("permutation", i)))$mean
  }, 0)
  observed <- chosen_point(answer$tuning)$mean
  list(observed = observed, permuted = values, p_value = (1 + sum(sign * values >= sign * observed)) / (1 + n))
}

#' Compare selectors by the predictions of learners
#'
#' For each task, split and selector, the features are ranked on the training rows. Each learner is then fitted on the
#' first `k` features, and its predictions for the test rows are measured. The result is one long table.
#'
#' The selection, the discretizer, `target_bins` and the imputation use training rows only. Each selection is made once,
#' for the largest `k`. Learners get the features as they are in the task, imputed if `impute` is given, but not
#' discretized (unless there is a `learner_discretizer`). They get numeric targets as numbers.
#'
#' **Random numbers.** One number is drawn from R's generator at the start, in every case. The splits of a task derive
#' from this number and the name of the task. Each combination of task, split and selector (and learner) has its own
#' random stream, which derives from the number and the names. So `set.seed()` makes a benchmark reproducible. No result
#' depends on the order of tasks or selectors, on `threads` or `folder`, on failures, or on what else is compared.
#'
#' **Long runs.** With `folder`, everything that is finished is kept there. After an interrupt, a crash or a kill, the
#' same call resumes where it stopped, with an identical result. A later call may add tasks, selectors, learners, values
#' of `k`, measures or repeats of hold-outs. Only what is missing is computed. A failure is kept like a result. A folder
#' does not accept another resampling, discretizer, imputation or `target_bins`, or other data, weights or parameters
#' under a name that it already has. Functions of custom selectors, learners and measures are compared by their code.
#' The selection of a folder is that for the largest `k` of all calls, which matters to selectors such as [sel_bagged()]
#' and [sel_best()], whose first features depend on it.
#' Without `folder`, an interrupted benchmark reports the temporary folder with which the same call resumes.
#'
#' **Several processes.** Any number of processes, on any machines that see the `folder`, may make the same call, or
#' take part by [join_benchmark()]. With `workers`, this call sends units to workers that you have started with mirai or
#' future. If a worker is lost, its unit is tried again twice. See `vignette("benchmarks-on-a-cluster")`.
#'
#' **Failures.** A selector, learner or measure that fails gives rows with `value = NA`. A message names a selector or
#' learner at its first failure, and [failures()] gives all reasons.
#' The other results are not affected. A measure that is not defined or infinite on the test rows is listed there too. A
#' warning names the task, split and selector where it occurred first. The same warning is given once for each task and
#' selector.
#'
#' @param tasks,selectors,learners Lists of tasks, selectors (`sel_*()`) and learners (`lrn_*()`), or single ones. The
#'   names of the list identify them. Elements without a name there are identified by their own name, as printed. Names
#'   must differ. Parameters can differ [by_task()]. All selectors, learners and measures must support the kinds of
#'   targets of all tasks.
#' @param resampling How rows are split: [rs_holdout()], [rs_cv()], [rs_fixed()], or a named list with one for each
#'   task.
#' @param k (whole numbers) Numbers of features. A task with fewer than `k` features has no rows for this `k`. One
#'   message lists such tasks.
#' @param measures Names of measures, such as `"hamming_loss"` (see [list_measures()]), functions such as
#'   [msr_macro_f1], measures made by [measure()] or [msr_custom()], or a list of these, whose names are those in the
#'   result.
#' @param prop (numbers above 0, up to 1) Shares of the features, instead of `k`. Of `d` features,
#'   `max(1, floor(prop * d))` are used.
#' @param discretizer Discretizes continuous features for selectors that need it. It is fitted to the training rows. The
#'   default, [disc_auto()], separates zero from the other values of a feature if more than half of the training rows
#'   are zero. Otherwise it uses five intervals of equal width. `NULL` for none.
#' @param impute Fills in missing values, such as [impute_mean()]. `fit(impute, task)` is called on the training rows,
#'   `predict()` on both parts. `NULL` for none.
#' @param target_bins For tasks with numeric targets and selectors that need categories, such as [sel_mim()]: the number
#'   of intervals of equal width for each target, or a discretizer. It is fitted to the training rows. Selectors that
#'   accept numbers, learners and measures get the numbers. `NULL` for none.
#' @param learner_discretizer Discretizes continuous features for learners, such as [disc_laim()]. It is fitted to the
#'   training rows. `NULL`, the default, gives learners the features as they are.
#' @param folder (string) A folder that keeps what is finished. It is created if it does not exist. Workers on other
#'   machines need one that they see under the same path.
#' @param workers Who computes. `"mirai"`: the daemons started by `mirai::daemons()`. `"future"`: the workers of
#'   `future::plan()`. `"none"`: this process. `"auto"`: daemons if there are any, else a plan that is not sequential,
#'   else this process.
#' @param any_build (flag) Whether workers may have another version or another compiled copy of mlsift, or another
#'   platform. Their results may differ in the last digits.
#' @param progress (flag) Whether to show a progress bar.
#' @param threads Number of threads. `NULL` uses `getOption("mlsift.threads")`, or else a number that suits the amount
#'   of work, and one in each worker.
#' @return A data frame of class `mlbenchmark` with the columns `task`, `split`, `selector`, `learner`, `k` (the number
#'   asked for), `prop` (`NA` with `k`), `n_selected` (the number of features used, fewer than `k` if the selector gave
#'   fewer), `measure` and `value`. [sel_none()] has one value, repeated at every `k`. Rows can be chosen as in any data
#'   frame. [failures()], [timings()] and [selections()] then refer to the remaining rows. Without one of its columns,
#'   it is a plain data frame. `rbind()` joins benchmarks and refuses cells that occur twice. `summary()` gives means
#'   over splits.
#' @family benchmarks
#' @examples
#' # The pages of two packages are two tasks.
#' package <- sub("::.*", "", rownames(help_pages))
#' tasks <- list(base = help_pages[package == "base", ], stats = help_pages[package == "stats", ])
#' set.seed(1)
#' bench <- benchmark_selectors(tasks, list(sel_mim(), sel_cmim(), sel_random()), lrn_nb(),
#'   rs_holdout(repeats = 3), k = c(5, 10, 20), measures = c("hamming_loss", "average_precision")
#' )
#' bench
#' summary(bench[bench$k == 10, ], measure = "average_precision")
#' @export
benchmark_selectors <- function(tasks, selectors, learners, resampling, k = NULL, measures, prop = NULL,
                                discretizer = disc_auto(), impute = NULL, target_bins = NULL,
                                learner_discretizer = NULL, folder = NULL,
                                workers = c("auto", "mirai", "future", "none"), any_build = FALSE,
                                progress = interactive(), threads = NULL) {
  check_given(c(tasks = missing(tasks), selectors = missing(selectors), learners = missing(learners),
    resampling = missing(resampling), measures = missing(measures)))
  plan <- benchmark_plan(mget(setdiff(names(formals()), c("folder", "workers", "any_build", "progress"))))
  check_flag(progress)
  check_string(folder, null = TRUE)
  check_flag(any_build)
  bench <- run_benchmark(plan, folder, workers, any_build, progress)$bench
  warn_of_failed_cells(bench)
  bench
}

# Runs what is planned: list(bench, units, plan). `deadline`, `lasts`: when to stop, as in run_until(). The plan comes
# without the splits for which there was no time.
run_benchmark <- function(plan, folder, workers, any_build, progress, deadline = Inf, lasts = 0) {
  stale_seconds()
  backend <- choose_backend(workers, folder)
  backend$any_build <- any_build
  plan$number <- stats::runif(1)
  store <- benchmark_store(folder, backend, plan)
  plan <- withCallingHandlers(draw_splits(plan, store$number), error = function(e) store$forget())
  plan$session <- store$manifest$session %||% run_session()
  run <- function(keys) run_units(plan, store, backend, progress, keys)
  units <- keep_on_interrupt(run_until(deadline, unit_keys(plan), run, 1L, backend$capacity(), lasts), plan, store)
  if (is.finite(deadline)) plan <- with_splits_of(plan, units)
  bench <- collect_benchmark(plan, units)
  if (isTRUE(store$is_temporary)) unlink(store$folder, recursive = TRUE)
  list(bench = bench, units = units, plan = plan)
}

# A plan of one task with the splits of some units alone, of `n_drawn`.
with_splits_of <- function(plan, units) {
  plan$n_drawn <- length(plan$splits[[1L]])
  done <- vapply(units, function(unit) unit$split, "")
  plan$splits[[1L]] <- plan$splits[[1L]][names(plan$splits[[1L]]) %in% done]
  plan
}

# What benchmark_selectors() was asked for, checked: tasks, selectors, learners and measures by name, and the grid of
# each task. `asked`: a list of its arguments, in which those that are NULL may be missing.
benchmark_plan <- function(asked) {
  objects <- function(arg, class, how) named_objects(asked[[arg]], class, how, arg)
  tasks <- objects("tasks", "mltask", "Make tasks with {.fn mltask}, {.fn as_mltask} or {.fn read_mulan}.")
  for (arg in c("discretizer", "learner_discretizer")) {
    check_benchmark_discretizer(asked[[arg]], names(tasks), arg)
  }
  check_imputer(asked$impute)
  plan <- list(
    tasks = tasks,
    selectors = objects("selectors", "mlselector", "Make selectors with functions such as {.fn sel_mim}."),
    learners = objects("learners", "mllearner", "Make learners with functions such as {.fn lrn_mlknn}."),
    resampling = task_resamplings(asked$resampling, names(tasks)),
    one_resampling = inherits(asked$resampling, "mlresampling"),
    measures = task_measures(asked$measures, tasks), grids = feature_grids(asked$k, asked$prop, tasks),
    discretizer = asked$discretizer, learner_discretizer = asked$learner_discretizer, impute = asked$impute,
    target_bins = benchmark_bins(asked$target_bins, tasks), threads = resolve_threads(asked$threads),
    user_threads = asked$threads, kept = new.env(parent = emptyenv())
  )
  check_can_serve(plan)
  plan
}

check_given <- function(absent) {
  if (!any(absent)) return(invisible())
  examples <- c(
    tasks = "list(a = task)", selectors = "list(sel_mim(), sel_scls())", learners = "lrn_mlknn()",
    resampling = "rs_cv(5)", measures = "c(\"hamming_loss\", \"micro_f1\")"
  )
  first <- names(examples)[absent][1L]
  abort(c("{.arg {first}} must be given.", i = "For example, {.code {first} = {examples[[first]]}}."))
}

# `number`: what all randomness of the benchmark derives from.
draw_splits <- function(plan, number) {
  plan$number <- number
  plan$splits <- benchmark_splits(plan)
  if (is.null(plan$learnable)) plan else without_unlearnable(without_lone_times(plan), plan$learnable$inner)
}

# A plan without the splits whose training rows are of one time, so that no choice can be made within them forward in
# time. Their number is `lone_times`.
without_lone_times <- function(plan) {
  if (!identical(plan$learnable$inner$method, "forward")) return(plan)
  lone <- learns_from_one_time(plan$tasks[[1L]]$rows, plan$splits[[1L]])
  # Where none is left, the error is that of the first.
  if (all(lone)) return(plan)
  plan$lone_times <- sum(lone)
  plan$splits[[1L]] <- plan$splits[[1L]][!lone]
  plan
}

learns_from_one_time <- function(rows, splits) {
  vapply(splits, function(split) length(unique(block_times(rows[split$train]))) == 1L, NA)
}

# A plan without the splits on which some target of the task is known in too few training rows to be learned, or with
# `inner`, a resampling, to be learned on any split of them. The names of such targets are in `unlearnable`.
without_unlearnable <- function(plan, inner = NULL) {
  task <- plan$tasks[[1L]]
  if (is.null(task$targets$unknown) && is.null(task$rows$weights)) return(plan)
  few <- lapply(plan$splits[[1L]], function(split) {
    train <- split_part(task, split$train)
    found <- few_known(train)
    if (length(found) > 0L || is.null(inner)) return(found)
    inside <- with_stream(list(plan$number, "inner"), make_splits(train, inner))
    found <- lapply(inside, function(split) few_known(split_part(train, split$train)))
    if (all(lengths(found) > 0L)) unlist(found)
  })
  plan$unlearnable <- colnames(task$targets)[sort(unique(unlist(few)))]
  if (length(plan$unlearnable) == 0L) return(plan)
  kept <- lengths(few) == 0L
  if (!any(kept)) abort(c("Every target must be known in enough training rows of some split.",
    x = "The {length(few)} split{?s} {?has/have} too few for {.val {plan$unlearnable}}.",
    i = "Leave such targets out, or use other splits: {.arg outer}, {.arg inner} or {.arg resampling}."))
  inform(c("!" = paste("Splits are left out because {.val {plan$unlearnable}} {cli::qty(length(plan$unlearnable))}",
    "{?is/are} known in too few of their training rows.")))
  plan$splits[[1L]] <- plan$splits[[1L]][kept]
  plan
}

# Workers share a folder with this process, even if the user has not named one.
benchmark_store <- function(folder, backend, plan) {
  if (is.null(folder) && backend$kind == "none") return(memory_store(plan$number))
  store <- folder_store(folder %||% tempfile("mlsift-benchmark-"), plan)
  store$is_temporary <- is.null(folder)
  store
}

warn_of_failed_cells <- function(bench) {
  warn_of_missing(bench$value, attr(bench, "failures")$message, "{.fn failures} lists all reasons.")
}

# Reports values that are missing because something failed, with the most frequent reason.
warn_of_missing <- function(values, messages, advice = NULL) {
  n <- sum(is.na(values))
  if (n == 0L) return(invisible())
  reason <- commonest(messages)
  warn(c("{format_count(n)} of {format_count(length(values))} values {cli::qty(n)}{?is/are} missing.",
    x = if (!is.null(reason)) "{reason}", i = advice))
}

# --- checking ---------------------------------------------------------------------------------------------------------

# `x`, a list of objects of a class or a single one, as a list in which every object has its own name.
named_objects <- function(x, class, how, arg) {
  single <- inherits(x, class) || is_by_task(x, class)
  if (single) x <- list(x)
  if (is.character(x) || is.function(x)) check_class(x, class, how, arg = arg)
  if (!is.list(x) || is.object(x) || length(x) == 0L) {
    found <- if (is.list(x) && length(x) == 0L) "an empty list" else describe(x)
    abort(c("{.arg {arg}} must be a list of objects of class {.cls {class}}.", x = "It is {found}.", i = how))
  }
  for (i in which(!vapply(x, is_by_task, NA, class))) {
    check_class(x[[i]], class, how, arg = if (single) arg else paste0(arg, "[[", i, "]]"))
  }
  given <- rlang::names2(x)
  shown <- vapply(seq_along(x), function(i) x[[i]]$name %||% paste0("task", i), "")
  names(x) <- ifelse(nzchar(given), given, shown)
  check_distinct(names(x), arg)
  x
}

task_resamplings <- function(resampling, tasks) {
  if (inherits(resampling, "mlresampling")) return(stats::setNames(rep(list(resampling), length(tasks)), tasks))
  if (!is.list(resampling) || is.null(names(resampling))) {
    return(check_resampling(resampling))
  }
  missing <- setdiff(tasks, names(resampling))
  extra <- setdiff(names(resampling), tasks)
  if (length(missing) > 0L || length(extra) > 0L || anyDuplicated(names(resampling))) {
    abort(c("A list in {.arg resampling} must have one element for each task, with the tasks' names.",
      x = if (length(missing) > 0L) "There is none for {.val {missing}}."
      else if (length(extra) > 0L) "There is no task {.val {extra}}." else "A name is there more than once."))
  }
  for (task in tasks) check_resampling(resampling[[task]], arg = paste0("resampling$", task))
  resampling[tasks]
}

# Measures by name. They must support the kinds of targets of all tasks.
task_measures <- function(measures, tasks) {
  kinds <- vapply(tasks, task_kind, "")
  first <- which(!duplicated(kinds))
  if (is.null(measures) && length(first) > 1L) abort(c(
    "{.arg measures} must be given where tasks are of different kinds.",
    x = "There are targets of kind {.val {unique(kinds)}}."
  ))
  found <- lapply(first, function(i) {
    resolve_measures(
      measures, kinds[[i]], whose = if (length(tasks) > 1L) paste0("those of task \"", names(tasks)[i], "\"")
    )
  })
  found[[1L]]
}

benchmark_bins <- function(target_bins, tasks) {
  if (is.null(target_bins)) return(NULL)
  kinds <- unique(vapply(tasks, task_kind, ""))
  if (!"numeric" %in% kinds) abort(c("{.arg target_bins} cuts numeric targets.",
    x = "All tasks have targets of kind {.or {.val {kinds}}}.", i = "Leave it out."))
  target_discretizer(target_bins)
}

# The kinds of targets that a selector, or a learner, supports; NULL for all.
served_kinds <- function(spec, method, target_bins) {
  if (inherits(spec, "mlselector") && bins_targets(spec, target_bins)) c(method$kinds, "numeric") else method$kinds
}

# Refuses selectors and learners that cannot handle a task before anything is run. The `check(task, params, at)`
# of a method may also refuse a task. `at` contains the names of the selector or learner and of the task.
check_can_serve <- function(plan) {
  for (part in c("selectors", "learners")) for (name in names(plan[[part]])) {
    check_serves_tasks(plan[[part]][[name]], names(plan$tasks), paste0(part, "$", name))
    for (task in names(plan$tasks)) {
      spec <- for_task(plan[[part]][[name]], task)
      method <- if (part == "learners") learner_method(spec) else selector_method(spec)
      kinds <- served_kinds(spec, method, plan$target_bins)
      kind <- task_kind(plan$tasks[[task]])
      if (is.null(kinds) || kind %in% kinds) {
        check_takes_rows(utils::modifyList(plan$tasks[[task]], list(name = task)), spec, method)
        if (part == "learners") check_gives_scores(spec, plan$measures, kind)
        if (!is.null(method$check)) method$check(plan$tasks[[task]], spec$params, list(name = name, task = task))
        next
      }
      cut <- part == "selectors" && kind == "numeric" && "class" %in% kinds
      abort(c("Every one of the {part} must be able to serve every task.",
        x = paste0("{.val {name}} is for targets of kind {.or {.val {kinds}}}; those of task {.val {task}} are ",
          "of kind {.val {kind}}."),
        i = if (cut) "Give {.arg target_bins}, such as {.code target_bins = 5}, to discretize them for selection.",
        i = "Leave it out, or make one benchmark for each kind of targets."))
    }
  }
}

check_benchmark_discretizer <- function(discretizer, tasks, arg) {
  if (is.null(discretizer)) return(invisible())
  check_serves_tasks(discretizer, tasks, arg)
  if (is_by_task(discretizer, "mldiscretizer")) return(invisible())
  check_discretizer(discretizer, arg)
}

# The numbers of features at which each task is measured: data frames with columns k and prop.
feature_grids <- function(k, prop, tasks) {
  if (is.null(k) == is.null(prop)) {
    found <- if (is.null(k)) "Neither is" else "Both are"
    abort(c("Exactly one of {.arg k} (numbers of features) and {.arg prop} (shares) must be given.",
      x = "{found} given."))
  }
  sizes <- vapply(tasks, ncol, 1L)
  if (is.null(k)) {
    prop <- check_grid(prop, "prop", "numbers above 0, up to 1", function(v) v > 0 & v <= 1)
    # 0.29 * 100 is a little less than 29 in floating point.
    return(lapply(sizes, function(d) data.frame(k = pmax(1L, as.integer(whole_part(prop * d))), prop = prop)))
  }
  k <- check_grid_sizes(k)
  small <- sizes[sizes < max(k)]
  if (length(small) > 0L) {
    first <- paste(names(small), "has", small)[seq_len(min(5L, length(small)))]
    more <- if (length(small) > 5L) paste0(", and ", length(small) - 5L, " more")
    inform(c(
      "!" = "Values of {.arg k} above a task's number of features give no rows.",
      " " = "{paste(first, collapse = \", \")}{more}."
    ))
  }
  lapply(sizes, function(d) data.frame(k = k[k <= d], prop = rep(NA_real_, sum(k <= d))))
}

# Numbers of features, each once.
check_grid_sizes <- function(k) {
  limited <- is.numeric(k) && any(k > .Machine$integer.max, na.rm = TRUE)
  expected <- if (limited) paste("whole numbers from 1 to", .Machine$integer.max) else "whole numbers, 1 or more"
  as.integer(check_grid(k, "k", expected, function(v) are_whole(v) & v >= 1))
}

check_grid <- function(x, arg, expected, ok) {
  if (!is.numeric(x) || length(x) == 0L || anyNA(x) || !all(ok(x))) {
    odd <- if (is.numeric(x)) x[is.na(x) | !ok(x)]
    found <- if (length(x) == 0L) "It is empty." else if (length(odd) > 0L) "It contains {odd[1]}." else
      "It is {describe(x)}."
    abort(c(paste0("{.arg {arg}} must be ", expected, "."), x = found))
  }
  sort(unique(as.double(x)))
}

# Makes the table of results from finished units.

benchmark_columns <- c("task", "split", "selector", "learner", "k", "prop", "n_selected", "measure", "value")

# What a value is of.
cell_columns <- setdiff(benchmark_columns, c("n_selected", "value"))

collect_benchmark <- function(plan, units, keys = unit_keys(plan)) {
  jobs <- lapply(keys, function(key) new_job(plan, key))
  part <- function(make) bind_columns(Map(make, units, jobs), make(empty_unit(), empty_job(plan)))
  new_benchmark(
    part(unit_rows),
    measures = cbind(
      measure_table(plan$measures)[c("measure", "needs", "direction", "range_low", "range_high")],
      definition = vapply(plan$measures, function(m) m$name, "", USE.NAMES = FALSE)
    ),
    splits = split_table(plan), tasks = task_table(plan),
    selections = part(unit_selection), searches = part(unit_searches), timings = part(unit_timings),
    failures = part(unit_failures),
    protocol = benchmark_protocol(plan)
  )
}

new_benchmark <- function(rows, ...) {
  attributes(rows) <- c(attributes(rows)[c("names", "row.names")], list(class = c("mlbenchmark", "data.frame"), ...))
  rows
}

empty_unit <- function() {
  unit <- new_unit(list(task = character(), split = character(), selector = character()))
  unit$selection <- data.frame(rank = integer(), feature = character(), index = integer(), score = double())
  unit
}

empty_job <- function(plan) {
  list(
    key = list(task = character(), split = character(), selector = character()),
    grid = data.frame(k = integer(), prop = double()), learners = plan$learners, measures = plan$measures
  )
}

unit_key <- function(job, n) lapply(job$key, function(name) rep_len(name, n))

unit_rows <- function(unit, job) {
  measures <- names(job$measures)
  learners <- names(job$learners)
  used <- used_features(unit, job)
  at <- expand.grid(measure = seq_along(measures), k = seq_len(nrow(job$grid)), learner = seq_along(learners))
  wanted <- paste(learners[at$learner], cell_key(used$key[at$k], measures[at$measure]), sep = "\x1f")
  have <- paste(unit$values$learner, cell_key(unit$values$n, unit$values$measure), sep = "\x1f")
  c(unit_key(job, nrow(at)), list(
    learner = learners[at$learner], k = job$grid$k[at$k], prop = job$grid$prop[at$k],
    n_selected = used$n[at$k], measure = measures[at$measure],
    value = unit$values$value[match(wanted, have)]
  ))
}

# The features that the largest k used. Of a search, this is its largest bound at which it did not fail.
unit_selection <- function(unit, job) {
  used <- used_features(unit, job)
  known <- !is.na(used$n)
  selection <- unit$selection
  if (length(unit$sets) > 0L && any(known)) selection <- unit$sets[[as.character(max(used$key[known]))]]$selection
  selection <- if (any(known)) utils::head(selection, max(used$n[known])) else empty_unit()$selection
  c(unit_key(job, nrow(selection)), as.list(selection))
}

# The evaluations of searches.
unit_searches <- function(unit, job) {
  sets <- Filter(function(set) !is.null(set$history), unit$sets[as.character(unique(set_bounds(job)))])
  rows <- lapply(unname(sets), function(set) cbind(k = rep(as.integer(set$bound), nrow(set$history)), set$history))
  rows <- do.call(rbind, c(list(empty_history), rows))
  c(unit_key(job, nrow(rows)), as.list(rows))
}

empty_history <- data.frame(k = integer(), evaluation = integer(), value = double(), best = double(),
  n_features = integer(), operator = character(), seconds = double(), measure = character())

unit_timings <- function(unit, job) {
  timings <- unit$timings[is.na(unit$timings$learner) | unit$timings$learner %in% names(job$learners), ]
  c(unit_key(job, nrow(timings)), as.list(timings))
}

unit_failures <- function(unit, job) {
  failures <- unit$failures
  used <- used_features(unit, job)$key
  asked <- is.na(failures$learner) | (failures$learner %in% names(job$learners) &
    failures$measure %in% names(job$measures) & failures$n %in% used)
  failures <- failures[asked, c("learner", "stage", "message")]
  if (!is.null(unit$lost) && !is_complete(unit, job)) {
    failures <- rbind(failures, data.frame(learner = NA_character_, stage = "worker", message = unit$lost))
  }
  failures <- unique(failures)
  c(unit_key(job, nrow(failures)), as.list(failures))
}

split_table <- function(plan) {
  sizes <- function(part) unlist(
    lapply(plan$splits, function(splits) lengths(lapply(splits, `[[`, part))), use.names = FALSE
  )
  data.frame(task = rep(names(plan$splits), lengths(plan$splits)),
    split = unlist(lapply(plan$splits, names), use.names = FALSE),
    n_train = sizes("train"), n_test = sizes("test"))
}

task_table <- function(plan) {
  do.call(rbind, lapply(names(plan$tasks), function(name) {
    facts <- summary(plan$tasks[[name]])
    facts$task <- name
    facts
  }))
}

# What a reader needs to know about the origin of the results, as text, and the code that repeats the benchmark.
# `splits` shows whether two benchmarks of a task used the same rows, `tasks` whether they used the same data, and the
# last two whether they used the same selectors and learners.
benchmark_protocol <- function(plan) {
  resampling <- mapply(describe_resampling, plan$resampling[names(plan$tasks)], lapply(plan$tasks, task_kind))
  list(
    resampling = if (plan$one_resampling && length(unique(resampling)) == 1L) resampling[[1L]] else resampling,
    selectors = names(plan$selectors), discretizer = describe_spec(plan$discretizer),
    learner_discretizer = describe_spec(plan$learner_discretizer), impute = describe_spec(plan$impute),
    target_bins = describe_spec(plan$target_bins),
    number = plan$number, splits = vapply(plan$splits, fingerprint, ""),
    tasks = vapply(plan$tasks, fingerprint, ""), session = plan$session,
    version = as.character(utils::packageVersion("mlsift")),
    call = benchmark_code(plan), selector_prints = vapply(plan$selectors, fingerprint, ""),
    learner_prints = vapply(plan$learners, fingerprint, "")
  )
}

# What the numbers of a benchmark may depend on besides its call, as text: R, the machine, and the packages that mlsift
# needs or the user attached.
run_session <- function() {
  needed <- utils::packageDescription("mlsift", fields = "Imports")
  needed <- sub("[ (].*", "", trimws(strsplit(needed, ",", fixed = TRUE)[[1L]]))
  attached <- sub("^package:", "", grep("^package:", search(), value = TRUE))
  base <- rownames(utils::installed.packages(.Library, priority = "base"))
  packages <- c("mlsift", sort(setdiff(c(needed, attached), c("mlsift", base)), method = "radix"))
  c(R = R.version.string, platform = R.version$platform, system = utils::osVersion %||% R.version$os,
    packages = paste(packages, vapply(packages, getNamespaceVersion, ""), collapse = ", "))
}

describe_spec <- function(spec) {
  if (is.null(spec)) return("none")
  if (inherits(spec, "mlbytask")) return(describe_by_task(spec))
  title <- if (is.character(spec$name)) spec$name else class(spec)[1L]
  short <- Filter(function(value) is_atomic(value) && length(value) == 1L, spec$params)
  if (length(short) == 0L) return(title)
  paste0(title, " (", paste(names(short), vapply(short, format, ""), sep = " = ", collapse = ", "), ")")
}

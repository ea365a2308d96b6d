# From finished units to the table.

benchmark_columns <- c("task", "split", "selector", "learner", "k", "prop", "n_selected", "measure", "value")

collect_benchmark <- function(plan, store) {
  keys <- unit_table(plan)
  units <- lapply(seq_len(nrow(keys)), function(i) store$get(as.list(keys[i, ])))
  jobs <- lapply(seq_along(units), function(i) new_job(plan, as.list(keys[i, ])))
  part <- function(make) bind_columns(Map(make, units, jobs), make(empty_unit(), empty_job(plan)))
  new_benchmark(
    part(unit_rows),
    measures = measure_table(plan$measures), splits = split_table(plan), tasks = task_table(plan),
    selections = part(unit_selection), timings = part(unit_timings), failures = part(unit_failures),
    protocol = benchmark_protocol(plan)
  )
}

new_benchmark <- function(rows, ...) {
  attributes(rows) <- c(attributes(rows)[c("names", "row.names")], list(class = c("mlbenchmark", "data.frame"), ...))
  rows
}

# One data frame of lists of columns of any length; `empty` has the columns and their types.
bind_columns <- function(parts, empty) {
  columns <- lapply(stats::setNames(nm = names(empty)), function(name) {
    unlist(c(list(empty[[name]]), lapply(parts, `[[`, name)), use.names = FALSE)
  })
  as.data.frame(columns, stringsAsFactors = FALSE)
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
  n_used <- if (is.null(unit$selection)) rep(NA_integer_, nrow(job$grid)) else used_counts(unit$selection, job)
  at <- expand.grid(measure = seq_along(measures), k = seq_len(nrow(job$grid)), learner = seq_along(learners))
  wanted <- paste(learners[at$learner], cell_key(n_used[at$k], measures[at$measure]), sep = "\x1f")
  have <- paste(unit$values$learner, cell_key(unit$values$n, unit$values$measure), sep = "\x1f")
  c(unit_key(job, nrow(at)), list(
    learner = learners[at$learner], k = job$grid$k[at$k], prop = job$grid$prop[at$k],
    n_selected = as.integer(n_used[at$k]), measure = measures[at$measure],
    value = unit$values$value[match(wanted, have)]
  ))
}

# The selection as far as it was used.
unit_selection <- function(unit, job) {
  selection <- unit$selection
  if (is.null(selection)) selection <- empty_unit()$selection
  selection <- selection[seq_len(max(0L, if (nrow(job$grid) > 0L) used_counts(selection, job))), ]
  c(unit_key(job, nrow(selection)), as.list(selection))
}

unit_timings <- function(unit, job) {
  timings <- unit$timings[is.na(unit$timings$learner) | unit$timings$learner %in% names(job$learners), ]
  c(unit_key(job, nrow(timings)), as.list(timings))
}

unit_failures <- function(unit, job) {
  failures <- unit$failures
  used <- if (is.null(unit$selection)) integer() else used_counts(unit$selection, job)
  asked <- is.na(failures$learner) | (failures$learner %in% names(job$learners) &
    failures$measure %in% names(job$measures) & failures$n %in% used)
  failures <- unique(failures[asked, c("learner", "stage", "message")])
  c(unit_key(job, nrow(failures)), as.list(failures))
}

measure_table <- function(records) {
  bound <- function(i) vapply(records, function(r) as.double(r$range[i]), 0, USE.NAMES = FALSE)
  text <- function(field) vapply(records, function(r) r[[field]], "", USE.NAMES = FALSE)
  data.frame(
    measure = names(records), needs = text("needs"), direction = text("direction"), range_low = bound(1L),
    range_high = bound(2L)
  )
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
  rows <- lapply(names(plan$tasks), function(name) {
    facts <- summary(plan$tasks[[name]])
    facts$task <- name
    facts
  })
  do.call(rbind, rows)
}

# What a reader of the results needs to know of how they came about, as text, and the code that makes them again;
# `splits` tells whether two benchmarks of a task used the same rows.
benchmark_protocol <- function(plan) {
  resampling <- mapply(describe_resampling, plan$resampling[names(plan$tasks)], lapply(plan$tasks, task_kind))
  list(
    resampling = if (plan$one_resampling && length(unique(resampling)) == 1L) resampling[[1L]] else resampling,
    discretizer = describe_spec(plan$discretizer), impute = describe_spec(plan$impute),
    target_bins = describe_spec(plan$target_bins),
    number = plan$number, splits = vapply(plan$splits, fingerprint, ""),
    version = as.character(utils::packageVersion("mlsift")),
    call = benchmark_code(plan)
  )
}

describe_spec <- function(spec) {
  if (is.null(spec)) return("none")
  title <- if (is.character(spec$name)) spec$name else class(spec)[1L]
  short <- Filter(function(value) is.atomic(value) && length(value) == 1L, spec$params)
  if (length(short) == 0L) return(title)
  paste0(title, " (", paste(names(short), vapply(short, format, ""), sep = " = ", collapse = ", "), ")")
}

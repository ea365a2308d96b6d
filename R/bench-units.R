# The units of a benchmark. A unit is one combination of task, split and selector. It holds the selection, and the
# values of every learner and measure for each number of features used. Units are completed stage by stage, and nothing
# is computed twice. What a stage lacks is computed by a function of the unit and its job, which holds everything that
# the stage needs. See bench-run.R for how units are run.

benchmark_splits <- function(plan) {
  split_task <- function(task) {
    tryCatch(
      with_stream(list(plan$number, "splits", task), make_splits(plan$tasks[[task]], plan$resampling[[task]])),
      mlsift_error = function(e) abort("Task {.val {task}} cannot be split.", parent = e)
    )
  }
  stats::setNames(lapply(names(plan$tasks), split_task), names(plan$tasks))
}

# All units, in the order in which they are run and reported.
unit_table <- function(plan) {
  table <- do.call(rbind, lapply(names(plan$tasks), function(task) {
    if (nrow(plan$grids[[task]]) == 0L) return(NULL)
    expand.grid(
      selector = names(plan$selectors), split = names(plan$splits[[task]]), task = task, stringsAsFactors = FALSE
    )
  }))
  if (is.null(table)) data.frame(task = character(), split = character(), selector = character()) else table[3:1]
}

# The rows of a split, for all selectors and learners. Each part is made when it is first asked for:
# - data(): list(train, test, truth), see assess_split();
# - rows(): the training rows as selectors get them, see prepared_rows();
# - for_learners(): data() as learners get it.
split_data <- function(plan, key) {
  made <- new.env(parent = emptyenv())
  discretizer <- for_task(plan$discretizer, key$task)
  of_learners <- for_task(plan$learner_discretizer, key$task)
  data <- function() once(made, "data", make_split_data(plan, key))
  rows <- function() once(made, "rows", prepared_rows(data()$train, discretizer))
  for_learners <- function() once(made, "for_learners", {
    if (!identical(of_learners, discretizer)) discretize_split(data(), of_learners)
    else discretize_split(data(), of_learners, rows_discretizer(rows()))
  })
  list(data = data, rows = rows, for_learners = for_learners)
}

# The rows of the split of a unit. A plan keeps those of the last split.
kept_split <- function(plan, key) {
  kept <- plan$kept
  if (!identical(kept$place, key[1:2])) {
    kept$split <- split_data(plan, key)
    kept$place <- key[1:2]
  }
  kept$split
}

make_split_data <- function(plan, key) {
  found <- if (is.null(plan$load_task)) list(task = plan$tasks[[key$task]], splits = plan$splits[[key$task]])
  else plan$load_task(key$task)
  stream <- list(plan$number, "impute", key$task, key$split)
  assess_split(found$task, found$splits[[key$split]], plan$impute, stream = stream)
}

new_unit <- function(key) {
  c(key, list(
    selection = NULL, asked = 0, sets = list(),
    values = list2DF(list(learner = character(), n = integer(), measure = character(), value = double())),
    failures = list2DF(list(
      learner = character(), n = integer(), measure = character(), stage = character(), message = character()
    )),
    timings = list2DF(list(learner = character(), stage = character(), seconds = double()))
  ))
}

# What a unit is computed from. `split`: see split_data(). `keeps_all`: whether the whole ranking is kept for later
# calls with a larger k. `wishes`: further arguments of sift_features(); `together`: see together_in().
new_job <- function(plan, key, split = NULL, keeps_all = FALSE) {
  c(plan[c("measures", "target_bins", "user_threads", "number")],
    list(
      key = key, wishes = plan$wishes, together = plan$together,
      selector = for_task(plan$selectors[[key$selector]], key$task),
      learners = lapply(plan$learners, for_task, key$task), grid = plan$grids[[key$task]], split = split,
      keeps_all = keeps_all, load = if (!is.null(plan$load_task)) function() plan$load_task(key$task)
  ))
}

# Runs the stages of a unit: the selection and each of the learners. Each stage returns the changed unit, or NULL if
# there was nothing left to do. `keep` is called after each change, so that an interrupt loses one stage at most.
complete_unit <- function(unit, job, keep) {
  run <- function(stage, ...) {
    done <- stage(unit, job, ...)
    if (is.null(done)) return()
    unit <<- done
    keep(unit)
    # A warning takes what has failed to the process that began the benchmark.
    if (NROW(unit$failures) > 0L) {
      warning(rlang::warning_cnd("mlsift_unit_failures", unit = unit[c("task", "split", "selector", "failures")]))
    }
  }
  if (!searches_sets(job)) run(select_unit)
  else for (bound in unique(set_bounds(job))) run(select_set, bound)
  if (!is.null(unit$selection)) for (learner in names(job$learners)) run(evaluate_unit, learner)
  invisible(unit)
}

is_complete <- function(unit, job) {
  if (is.null(unit)) return(FALSE)
  selected <- if (searches_sets(job)) all(as.character(set_bounds(job)) %in% names(unit$sets))
  else is_selected(unit, job)
  if (!selected || is.null(unit$selection)) return(selected)
  all(vapply(names(job$learners), function(learner) length(missing_cells(unit, job, learner)$keys) == 0L, NA))
}

searches_sets <- function(job) is_search(selector_method(job$selector))

# --- selecting --------------------------------------------------------------------------------------------------------

# Rankers are asked for all features at once, so that a later call may increase k. Selectors that add one feature at a
# time are asked for only as many as needed.
ranks_all <- function(selector) selector_method(selector)$gives != "path"

is_selected <- function(unit, job) unit$asked >= max(job$grid$k)

select_unit <- function(unit, job) {
  if (is_selected(unit, job)) return(NULL)
  needed <- max(job$grid$k)
  all <- ranks_all(job$selector)
  found <- run_selector(unit, job, if (all) NULL else needed)
  if (is.null(found$selection)) return(fail_selection(found$unit, job))
  unit <- found$unit
  selection <- plain_rows(found$selection)
  before <- unit$selection$index
  chosen <- attr(found$selection, "chosen")
  same <- identical(before, selection$index[seq_along(before)]) && (is.null(before) || identical(unit$chosen, chosen))
  if (!same) unit$values <- unit$values[0L, ]
  unit$asked <- if (all && job$keeps_all) Inf else needed
  unit$chosen <- chosen
  unit$selection <- selection
  if (all && !job$keeps_all) unit$selection <- utils::head(selection, max(used_features(unit, job)$n))
  unit
}

# Selects k features, or all if k is NULL: list(unit, selection), without a selection if that failed.
run_selector <- function(unit, job, k, stream = job$key) {
  fail <- function(stage, message) {
    unit$failures <- rbind(unit$failures, as.data.frame(failure_rows(stage = stage, message = message)))
    list(unit = unit)
  }
  rows <- attempt(job$split$rows())
  if (is.null(rows$value)) return(fail("impute", rows$message))
  wanted <- bins_targets(job$selector, job$target_bins) || selector_method(job$selector)$whole
  bins <- if (task_kind(rows$value$task) == "numeric" && wanted) job$target_bins
  started <- now()
  found <- attempt(with_stream(c(list(job$number, "select"), stream), select_from(rows$value, job$selector,
    room_for_group(k, job$together), as.list(job$wishes), bins, resolve_threads(job$user_threads))))
  if (is.null(found$value)) return(fail("select", found$message))
  list(unit = add_seconds(unit, NA_character_, c(select = now() - started)), selection = found$value)
}

plain_rows <- function(selection) {
  rows <- as.data.frame(selection)[c("rank", "feature", "index", "score")]
  attributes(rows) <- attributes(rows)[c("names", "class", "row.names")]
  rows
}

# A search gives a separate set for each bound on the number of features, and the unit's selection is one of them. All
# searches on a split get the same random numbers, so that they start from the same population on the same rows.
set_bounds <- function(job) pmin(job$grid$k, job$selector$params$max_features %||% Inf)

select_set <- function(unit, job, bound) {
  name <- as.character(bound)
  if (name %in% names(unit$sets)) return(NULL)
  found <- run_selector(unit, job, bound, c(job$key[c("task", "split")], list("search", bound)))
  unit <- found$unit
  unit$sets[[name]] <- list(bound = bound)
  if (is.null(found$selection)) return(unit)
  search <- search_part(found$selection)
  unit$selection <- unit$sets[[name]]$selection <- plain_rows(found$selection)
  unit$sets[[name]]$history <- cbind(search$history, measure = search$measure)
  unit
}

fail_selection <- function(unit, job) {
  unit["selection"] <- list(NULL)
  unit$asked <- if (ranks_all(job$selector)) Inf else max(job$grid$k)
  unit
}

# What is used at each k of the grid: list(key, n). Values of learners are stored by `key`: the number of leading
# features, or for a set its bound. `n` is the number of features: all features of a selection that is shorter than k,
# and all of a set, which cannot be truncated because it has no order.
used_features <- function(unit, job) {
  if (length(unit$sets) > 0L) {
    bounds <- set_bounds(job)
    size <- function(bound) {
      nrow(unit$sets[[as.character(bound)]]$selection) %||% NA_integer_
    }
    return(list(key = bounds, n = vapply(bounds, size, 0L)))
  }
  size <- nrow(unit$selection)
  n <- if (is.null(size)) rep(NA_integer_, nrow(job$grid))
  else if (anyNA(unit$selection$rank)) rep(size, nrow(job$grid))
  else counts_in_groups(unit$selection$index, job$grid$k, job$together)
  list(key = n, n = n)
}

# --- learning and measuring -------------------------------------------------------------------------------------------

cell_key <- function(n, measure) paste(n, measure, sep = "\x1f")

# The numbers of features for which a learner lacks measures: list(keys, counts, lacks), as returned by used_features(),
# with the missing measures.
missing_cells <- function(unit, job, learner) {
  used <- used_features(unit, job)
  first <- order(used$key, na.last = NA)
  first <- first[!duplicated(used$key[first]) & !is.na(used$n[first])]
  have <- unit$values$learner == learner
  have <- cell_key(unit$values$n[have], unit$values$measure[have])
  lacks <- lapply(used$key[first], function(key) job$measures[!cell_key(key, names(job$measures)) %in% have])
  todo <- lengths(lacks) > 0L
  list(keys = used$key[first][todo], counts = used$n[first][todo], lacks = unname(lacks[todo]))
}

evaluate_unit <- function(unit, job, learner) {
  missing <- missing_cells(unit, job, learner)
  if (length(missing$keys) == 0L) return(NULL)
  data <- attempt(job$split$for_learners())
  assess <- function(columns, counts, lacks, key = NULL) {
    stream <- c(list(job$number, "learn"), job$key, list(learner), key)
    assess_stage(job$learners[[learner]], unit, data$value, columns, counts, lacks, stream, job$user_threads)
  }
  found <- if (is.null(data$value)) {
    lapply(missing$lacks, failed_assessment, "discretize", data$message)
  } else if (length(unit$sets) > 0L) {
    unlist(Map(function(key, n, lacks) {
      assess(unit$sets[[as.character(key)]]$selection$index, n, list(lacks), list(key))
    }, missing$keys, missing$counts, missing$lacks), recursive = FALSE)
  } else if (missing$counts[1L] == 0L) {
    list(failed_assessment(missing$lacks[[1L]], "fit", "The selector gave no features."))
  } else {
    assess(unit$selection$index, missing$counts, missing$lacks)
  }
  add <- function(table, columns) bind_columns(c(list(unit[[table]]), columns), unit[[table]][0L, ])
  unit$values <- add("values", Map(function(one, n) {
    size <- length(one$values)
    list(learner = rep(learner, size), n = rep(n, size), measure = names(one$values), value = unname(one$values))
  }, found, missing$keys))
  unit$failures <- add("failures", Map(function(one, n) {
    failure_rows(learner, n, one$failed$measure, one$failed$stage, one$failed$message)
  }, found, missing$keys))
  unit$details[[learner]] <- found[[1L]][c("targets", "draws")]
  add_seconds(unit, learner, sum_by_name(lapply(found, `[[`, "seconds")))
}

# --- small parts ------------------------------------------------------------------------------------------------------

failure_rows <- function(learner = NA_character_, n = NA_integer_, measure = NA_character_, stage, message) {
  size <- if (length(measure) == 0L) 0L else max(length(measure), length(message))
  lapply(list(learner = learner, n = n, measure = measure, stage = stage, message = message), rep_len, size)
}

# Adds to a warning where it came from. A warning that occurs on many splits is given only once for each task and
# selector, with the details of its first split.
place_warnings <- function(code, key, said) {
  withCallingHandlers(code, mlsift_unit_failures = function(w) {
    tell_failures(w$unit, said)
    rlang::cnd_muffle(w)
  }, warning = function(w) {
    seen <- paste(key$task, key$selector, w$message, sep = "\x1f")
    if (is.null(said[[seen]])) {
      said[[seen]] <- TRUE
      warn("Task {.val {key$task}}, split {.val {key$split}}, selector {.val {key$selector}}:", parent = w)
    }
    rlang::cnd_muffle(w)
  })
}

# Names a selector or learner at its first failure, so that nobody waits for the end of a long run to learn of it.
tell_failures <- function(unit, said) {
  found <- unit$failures[!unit$failures$stage %in% c("measure", "worker"), ]
  for (i in seq_len(NROW(found))) {
    one <- as.list(found[i, ])
    what <- if (one$stage == "impute") "Imputation"
    else if (one$stage == "discretize") paste("Discretizing features for learner", quoted(one$learner))
    else if (is.na(one$learner)) paste("Selector", quoted(unit$selector))
    else paste("Learner", quoted(one$learner))
    if (!is.null(said[[what]])) next
    said[[what]] <- TRUE
    used <- if (!is.na(one$learner)) paste(", with", counted(one$n, "feature"), "of", quoted(unit$selector))
    inform(c("!" = "{what} failed on task {.val {unit$task}}, split {.val {unit$split}}{used}.",
      x = "{one$message}", i = "The benchmark continues, and {.fn failures} lists all failures at its end."))
  }
}

sum_by_name <- function(parts) {
  all <- unlist(parts)
  vapply(stats::setNames(nm = unique(names(all))), function(name) sum(all[names(all) == name]), 0)
}

# Adds seconds to the total of a stage, which may take several calls. rbind() would take longer than some units.
add_seconds <- function(unit, learner, seconds) {
  timings <- unit$timings
  mine <- timings$learner %in% learner
  at <- match(names(seconds), replace(timings$stage, !mine, NA))
  old <- !is.na(at)
  timings$seconds[at[old]] <- timings$seconds[at[old]] + seconds[old]
  new <- list(learner = rep(learner, sum(!old)), stage = names(seconds)[!old], seconds = seconds[!old])
  unit$timings <- bind_columns(list(timings, new), timings[0L, ])
  unit
}

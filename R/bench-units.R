# Running a benchmark. A unit is one task x split x selector: its selection, and the values of every learner and measure
# by the number of features used. Units are completed, never redone, stage by stage: what a stage lacks is computed by a
# function of the unit and its job, which holds all that the stage needs; run_units() stores what has changed.

# Evaluates `code` with a random stream that belongs to `key` alone, and puts the user's generator back as it was.
with_stream <- function(key, code) {
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    RNGkind(kinds[1L], kinds[2L], kinds[3L])
    if (is.null(old)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", old, envir = globalenv())
  })
  # 10407: L'Ecuyer-CMRG, inversion for normal numbers, rejection for sampling.
  assign(".Random.seed", c(10407L, cpp_stream_seed(stream_key(key))), envir = globalenv())
  force(code)
}

stream_key <- function(key) {
  text <- vapply(key, function(part) if (is.double(part)) sprintf("%.17g", part) else enc2utf8(as.character(part)), "")
  paste(text, collapse = "\x1f")
}

benchmark_splits <- function(plan, call) {
  split_task <- function(task) {
    tryCatch(
      with_stream(list(plan$number, "splits", task), make_splits(plan$tasks[[task]], plan$resampling[[task]], call)),
      mlsift_error = function(e) abort("Task {.val {task}} cannot be split.", parent = e, call = call)
    )
  }
  stats::setNames(lapply(names(plan$tasks), split_task), names(plan$tasks))
}

# All units, in the order in which they are run and reported.
unit_table <- function(plan) {
  rows <- lapply(names(plan$tasks), function(task) {
    if (nrow(plan$grids[[task]]) == 0L) return(NULL)
    expand.grid(
      selector = names(plan$selectors), split = names(plan$splits[[task]]), task = task, stringsAsFactors = FALSE
    )
  })
  table <- do.call(rbind, rows)
  if (is.null(table)) data.frame(task = character(), split = character(), selector = character()) else table[3:1]
}

run_units <- function(plan, store, progress, call) {
  units <- unit_table(plan)
  if (progress) cli::cli_progress_bar("Benchmark", total = nrow(units), clear = TRUE)
  place <- ""
  said <- new.env(parent = emptyenv())
  for (i in seq_len(nrow(units))) {
    if (progress) cli::cli_progress_update()
    key <- as.list(units[i, ])
    if (!identical(place, key[1:2])) data <- split_data(plan, key)
    place <- key[1:2]
    job <- new_job(plan, key, data, keeps_all = store$keeps_all)
    place_warnings(complete_unit(store$get(key) %||% new_unit(key), job, store$put), key, said, call)
  }
}

# The training and the test rows of a split, made when first needed: list(train, test, truth).
split_data <- function(plan, key) {
  made <- NULL
  function() {
    if (is.null(made)) made <<- make_split_data(plan, key)
    made
  }
}

make_split_data <- function(plan, key) {
  rows <- plan$splits[[key$task]][[key$split]]
  assess_split(plan$tasks[[key$task]], rows, plan$impute, stream = list(plan$number, "impute", key$task, key$split))
}

new_unit <- function(key) {
  c(key, list(
    selection = NULL, asked = 0,
    values = data.frame(learner = character(), n = integer(), measure = character(), value = double()),
    failures = data.frame(
      learner = character(), n = integer(), measure = character(), stage = character(), message = character()
    ),
    timings = data.frame(learner = character(), stage = character(), seconds = double())
  ))
}

# What a unit is computed from. `data`: a function that gives the rows of the split; `keeps_all`: whether a ranking is
# kept whole, for later calls with a larger k.
new_job <- function(plan, key, data = NULL, keeps_all = FALSE) {
  c(plan[c("learners", "measures", "discretizer", "target_bins", "user_threads", "number")],
    list(
      key = key, selector = plan$selectors[[key$selector]], grid = plan$grids[[key$task]], data = data,
      keeps_all = keeps_all
    ))
}

# Takes a unit through its stages, selecting and each of the learners. Each gives the unit as it is afterwards, or NULL
# where nothing was left to do; `keep` is told of each change, so that an interrupt loses one stage at most.
complete_unit <- function(unit, job, keep) {
  run <- function(stage, ...) {
    done <- stage(unit, job, ...)
    if (is.null(done)) return()
    unit <<- done
    keep(unit)
  }
  run(select_unit)
  if (!is.null(unit$selection)) for (learner in names(job$learners)) run(evaluate_unit, learner)
  invisible(unit)
}

# --- selecting --------------------------------------------------------------------------------------------------------

# Rankers are asked for all features at once, so that a later call may raise k; selectors that choose one feature after
# the other for as many as needed.
ranks_all <- function(selector) {
  selector_method(selector)$gives != "path"
}

select_unit <- function(unit, job) {
  needed <- max(job$grid$k)
  if (unit$asked >= needed) return(NULL)
  all <- ranks_all(job$selector)
  data <- attempt(job$data())
  if (is.null(data$value)) return(fail_selection(unit, job, "impute", data$message))
  train <- data$value$train
  bins <- if (task_kind(train) == "numeric" && bins_targets(job$selector, job$target_bins)) job$target_bins
  started <- now()
  found <- attempt(with_stream(c(list(job$number, "select"), job$key), sift_features(
    train, job$selector, k = if (all) NULL else needed, discretizer = job$discretizer, target_bins = bins,
    threads = job$user_threads
  )))
  if (is.null(found$value)) return(fail_selection(unit, job, "select", found$message))
  unit <- add_seconds(unit, NA_character_, c(select = now() - started))
  selection <- as.data.frame(found$value)[c("rank", "feature", "index", "score")]
  attributes(selection) <- attributes(selection)[c("names", "class", "row.names")]
  before <- unit$selection$index
  if (!identical(before, selection$index[seq_along(before)])) unit$values <- unit$values[0L, ]
  unit$selection <- if (all && !job$keeps_all) utils::head(selection,
    max(needed, used_counts(selection, job))) else selection
  unit$asked <- if (all && job$keeps_all) Inf else needed
  unit
}

fail_selection <- function(unit, job, stage, message) {
  unit["selection"] <- list(NULL)
  unit$asked <- if (ranks_all(job$selector)) Inf else max(job$grid$k)
  unit$failures <- as.data.frame(failure_rows(stage = stage, message = message))
  unit
}

# How many features are used at each k of the grid: all of a selection that is shorter, and all of a set, which cannot
# be cut since it has no order.
used_counts <- function(selection, job) {
  if (anyNA(selection$rank)) rep(nrow(selection), nrow(job$grid)) else pmin(job$grid$k, nrow(selection))
}

# --- learning and measuring -------------------------------------------------------------------------------------------

cell_key <- function(n, measure) paste(n, measure, sep = "\x1f")

evaluate_unit <- function(unit, job, learner) {
  counts <- sort(unique(used_counts(unit$selection, job)))
  have <- unit$values$learner == learner
  have <- cell_key(unit$values$n[have], unit$values$measure[have])
  lacks <- lapply(counts, function(n) job$measures[!cell_key(n, names(job$measures)) %in% have])
  todo <- lengths(lacks) > 0L
  if (!any(todo)) return(NULL)
  counts <- counts[todo]
  lacks <- unname(lacks[todo])
  found <- if (counts[1L] == 0L) {
    list(failed_assessment(lacks[[1L]], "fit", "The selector gave no features."))
  } else {
    stream <- c(list(job$number, "learn"), job$key, list(learner))
    assess_columns(job$learners[[learner]], job$data(), unit$selection$index, counts, lacks, stream, job$user_threads)
  }
  add <- function(table, columns) bind_columns(c(list(unit[[table]]), columns), unit[[table]][0L, ])
  unit$values <- add("values", Map(function(one, n) {
    size <- length(one$values)
    list(learner = rep(learner, size), n = rep(n, size), measure = names(one$values), value = unname(one$values))
  }, found, counts))
  unit$failures <- add("failures", Map(function(one, n) {
    failure_rows(learner, n, one$failed$measure, one$failed$stage, one$failed$message)
  }, found, counts))
  add_seconds(unit, learner, sum_by_name(lapply(found, `[[`, "seconds")))
}

# --- small parts ------------------------------------------------------------------------------------------------------

# list(value) or list(message). Interrupts are not errors and pass; so do errors of a time limit.
attempt <- function(code) {
  found <- tryCatch(list(value = code), error = function(e) {
    if (is_time_limit(e)) stop(e)
    list(message = failure_message(e))
  })
  if (length(found) == 0L || is.null(found[[1L]])) list(message = "The result is NULL.") else found
}

failure_message <- function(e) {
  text <- if (inherits(e, "rlang_error")) rlang::cnd_message(e) else conditionMessage(e)
  paste(trimws(strsplit(cli::ansi_strip(text), "\n", fixed = TRUE)[[1L]]), collapse = " ")
}

failure_rows <- function(learner = NA_character_, n = NA_integer_, measure = NA_character_, stage, message) {
  size <- if (length(measure) == 0L) 0L else max(length(measure), length(message))
  lapply(list(learner = learner, n = n, measure = measure, stage = stage, message = message), rep_len, size)
}

# Says where a warning came from, and once for each task and selector what is said on many splits, with other details
# each time.
place_warnings <- function(code, key, said, call) {
  withCallingHandlers(code, warning = function(w) {
    seen <- paste(key$task, key$selector, w$message, sep = "\x1f")
    if (is.null(said[[seen]])) {
      said[[seen]] <- TRUE
      warn("Task {.val {key$task}}, split {.val {key$split}}, selector {.val {key$selector}}:", parent = w, call = call)
    }
    rlang::cnd_muffle(w)
  })
}

now <- function() as.double(Sys.time())

sum_by_name <- function(parts) {
  all <- unlist(parts)
  vapply(stats::setNames(nm = unique(names(all))), function(name) sum(all[names(all) == name]), 0)
}

# Adds up what was spent on a stage, however many calls it took.
add_seconds <- function(unit, learner, seconds) {
  for (stage in names(seconds)) {
    at <- which(unit$timings$learner %in% learner & unit$timings$stage == stage)
    if (length(at) == 0L) {
      unit$timings <- rbind(unit$timings, data.frame(learner = learner, stage = stage, seconds = seconds[[stage]]))
    } else {
      unit$timings$seconds[at] <- unit$timings$seconds[at] + seconds[[stage]]
    }
  }
  unit
}

# Runs a search: the core proposes sets of features, they are evaluated one after the other, and the core receives their
# values, until the evaluations are used up.

# `method`, `options`: for cpp_search(). `filter`: NULL, or a function of the input and the free columns that returns
# what the core asks for. `state`: from an earlier run. `front`: whether it looks for a front, which excludes dominated
# sets.
run_search <- function(input, params, method, options = list(), filter = NULL, state = NULL, front = FALSE) {
  space <- search_space(input, params)
  options <- c(options, list(
    n_features = length(space$free), bound = space$bound, population = params$population %||% 1L,
    evaluations = params$evaluations %||% 0L, start = if (is.null(state)) start_sets(params, space, input) else list()
  ))
  tables <- if (!is.null(filter)) filter(input, space$free)
  run <- new_run(space, state, params$cache, function(from) cpp_search(method, options, tables, from))
  stopped <- tell_once({
    threads <- asked_threads(input$threads)
    evaluate <- search_evaluator(input$task, space$columns, params, run$number, threads)
    limit <- params$evaluations %||% Inf
    until_interrupt(evaluate_proposals(run, evaluate, limit, input$max_seconds), "interrupt")
  })
  if (length(run_successes(run)) == 0L) stop_without_result(run, stopped)

  state <- saved_run(run, input, state$fingerprint)
  tell_rest(run)
  found <- search_solutions(run, front, params$satisfy)
  warn_of_failures(run$log)
  if (stopped == "seconds") warn(c("The search was stopped by {.arg max_seconds}.",
    i = "It returns the best of {length(run$log$value)} evaluation{?s}."))
  best <- found$sets[[1L]]
  failed <- which(!is.na(run$log$failed))
  list(
    index = best, score = rep(NA_real_, length(best)), ordered = FALSE, interrupted = stopped == "interrupt",
    state = state,
    search = list(
      measure = loss_name(params$measure, input$task), history = search_log_table(run$log),
      sets = run$log$set, failures = data.frame(evaluation = failed, message = run$log$failed[failed]), front = found,
      is_front = front
    )
  )
}

# --- the state of a run -----------------------------------------------------------------------------------------------

# All that changes during a run, in one place:
#
# core     the object that proposes sets, as positions among the columns that it may choose from
# stream   the state of the core's random stream
# pending  the sets whose values the core is waiting for (`features`, `operator`), and their `values` so far
# log      all evaluations
# known    with a cache, the values of sets by their keys
# in_vain  how often the core has proposed only known sets since the last evaluation
#
# The rest stays as it is: `space`, `new_core()`, and `number`, from which random streams start.
new_run <- function(space, state, cache, new_core) {
  number <- state$number %||% stats::runif(1L)
  log <- state$log %||% list(
    value = double(), seconds = double(), operator = character(), set = list(), failed = character()
  )
  list2env(list(
    space = space, new_core = new_core, number = number, core = new_core(state$core), stream = state$stream,
    pending = state$pending, log = log, known = if (cache) values_by_set(log), in_vain = state$in_vain %||% 0L
  ), parent = emptyenv())
}

# What a selection keeps of a run, as plain data, so that extend_selection() can resume it. `data_print`: the
# fingerprint of the data, if known.
saved_run <- function(run, input, data_print) {
  list(
    number = run$number, stream = run$stream, core = cpp_search_state(run$core), pending = run$pending, log = run$log,
    in_vain = run$in_vain, include = run$space$include, excluded = input$excluded, k = input$k,
    target_bins = input$target_bins, fingerprint = data_print %||% fingerprint(input$task)
  )
}

# The evaluations whose sets may be the result.
run_successes <- function(run) which(is.finite(run$log$value) & lengths(run$log$set) <= run$space$most)

# The next set, as columns; NULL if it is empty.
next_set <- function(run) {
  local <- run$pending$features[[length(run$pending$values) + 1L]]
  if (length(local) > 0L) task_columns(run, local)
}

task_columns <- function(run, local) sort(c(run$space$include, run$space$free[local]))

set_key <- function(set) paste(set, collapse = " ")

values_by_set <- function(log) {
  known <- new.env(parent = emptyenv())
  for (i in rev(seq_along(log$set))) known[[set_key(log$set[[i]])]] <- log$value[i]
  known
}

# Interrupts are suspended while a run changes, so that it changes completely or not at all.

note_value <- function(run, value) run$pending$values[length(run$pending$values) + 1L] <- value

note_evaluation <- function(run, set, found) suspendInterrupts({
  n <- length(run$log$value) + 1L
  run$log$value[n] <- found$value
  run$log$seconds[n] <- found$seconds
  run$log$operator[n] <- run$pending$operator[length(run$pending$values) + 1L]
  run$log$set[[n]] <- set
  run$log$failed[n] <- found$failed %||% NA_character_
  if (!is.null(run$known)) run$known[[set_key(set)]] <- found$value
  run$in_vain <- 0L
  note_value(run, found$value)
})

ask_for_sets <- function(run) suspendInterrupts({
  proposed <- in_core_stream(run, cpp_search_ask(run$core, length(run$log$value)))
  run$pending <- c(proposed, list(values = double()))
  run$in_vain <- run$in_vain + (length(proposed$features) > 0L)
})

# Passes the values on to the core, of the evaluated sets; usually all that it asked for.
tell_values <- function(run) suspendInterrupts({
  told <- seq_along(run$pending$values)
  in_core_stream(run, cpp_search_tell(run$core, run$pending$features[told], run$pending$values))
  run$pending <- NULL
})

# Evaluations of an interrupted generation count for the result, but not for the saved state.
tell_rest <- function(run) {
  if (length(run$pending$values) == 0L) return(invisible())
  run$core <- run$new_core(cpp_search_state(run$core))
  tell_values(run)
}

# Evaluates `code` in the core's random stream, continuing where it left off.
in_core_stream <- function(run, code) {
  keep_random_state({
    set_random_state(run$stream %||% stream_state(list(run$number, "search")))
    value <- code
    run$stream <- random_state()
    value
  })
}

# How often in a row a search with a cache may propose only sets that it knows.
most_in_vain <- 1000L

# Evaluates the core's proposals and passes the values on until the search is over. Returns the reason: "complete",
# "evaluations", "seconds", "interrupt" or "repeats" (only known sets were proposed for a long time).
evaluate_proposals <- function(run, evaluate, limit, max_seconds) {
  before <- length(run$log$value)
  began <- now()
  if (interactive()) cli::cli_progress_bar("Searching", total = if (is.finite(limit)) limit else NA, clear = TRUE)
  repeat {
    n <- length(run$log$value)
    if (length(run$pending$features) == length(run$pending$values)) {
      if (length(run$pending$values) > 0L) tell_values(run)
      if (n >= limit) return("evaluations")
      if (run$in_vain > most_in_vain) return("repeats")
      ask_for_sets(run)
      if (length(run$pending$features) == 0L) return("complete")
    }
    set <- next_set(run)
    value <- if (is.null(set)) Inf else run$known[[set_key(set)]]
    if (!is.null(value)) {
      note_value(run, value)
      next
    }
    if (n >= limit) return("evaluations")
    if (n > before && now() - began > max_seconds) return("seconds")
    found <- evaluate(set, n + 1L)
    note_evaluation(run, set, found)
    if (interactive()) cli::cli_progress_update(set = n + 1L)
  }
}

# --- where it searches ------------------------------------------------------------------------------------------------

# The columns that sets are made of: those of `include`, which are in every set, and those that the core may choose from
# (`free`), at most `bound` of them. `most` is the limit for both together.
search_space <- function(input, params) {
  include <- input$include
  free <- setdiff(which(!input$excluded), include)
  if (length(free) == 0L) {
    abort("{.arg include} and {.arg exclude} must leave at least one feature to choose from.")
  }
  most <- min(params$max_features %||% Inf, input$k)
  if (most <= length(include)) {
    abort(c("{.arg max_features} and {.arg k} must leave room for a feature beside those of {.arg include}.",
      x = "At most {most} feature{?s} {?is/are} allowed; {.arg include} names {length(include)}."))
  }
  bound <- as.integer(min(most - length(include), length(free)))
  list(
    include = include, free = free, columns = sort(c(include, free)), bound = bound, most = bound + length(include)
  )
}

# The given sets as positions among the free columns.
start_sets <- function(params, space, input) {
  start <- params$start
  if (is.null(start)) return(list())
  names <- colnames(input$task$x)
  if (inherits(start, "mlselection")) {
    ranked <- match(column_positions(start$feature, names, "start", "feature"), space$free)
    ranked <- ranked[!is.na(ranked)]
    sizes <- if (anyNA(start$rank)) min(length(ranked), space$bound)
    else seq_len(min(params$population, space$bound, length(ranked)))
    return(lapply(sizes[sizes > 0L], function(n) sort(ranked[seq_len(n)])))
  }
  if (length(start) > params$population) abort(c("{.arg start} must not hold more sets than {.arg population}.",
    x = "It holds {length(start)}; {.arg population} is {params$population}."))
  lapply(start, function(set) {
    at <- unique(column_positions(set, names, "start", "feature"))
    odd <- setdiff(at, space$columns)
    if (length(odd) > 0L) {
      abort(c("{.arg start} must not hold excluded features.", x = "{.val {names[odd[1L]]}} is excluded."))
    }
    local <- sort(match(setdiff(at, space$include), space$free))
    if (length(local) == 0L || length(local) > space$bound) {
      abort(c(paste("Each set of {.arg start} must have at least one feature beside those of {.arg include},",
        "at most {space$bound}."),
      x = "One has {length(local)}."))
    }
    local
  })
}

# --- its result -------------------------------------------------------------------------------------------------------

# Raises the error or interrupt that came first if no set that is small enough was evaluated successfully.
stop_without_result <- function(run, stopped) {
  if (stopped == "interrupt") raise_interrupt()
  log <- run$log
  most <- run$space$most
  n <- length(log$value)
  if (n == 0L) abort("All sets that the search proposed were empty.")
  if (any(is.finite(log$value))) abort(c("The search stopped before it came to a set of at most {most} feature{?s}.",
    x = "After {n} evaluation{?s} it had {min(lengths(log$set))}.",
    i = "Raise {.arg evaluations} or {.arg max_seconds}, or search forward."))
  reason <- commonest(log$failed)
  abort(c("None of the {n} set{?s} that the search tried could be evaluated.", x = if (!is.null(reason)) "{reason}"))
}

warn_of_failures <- function(log) {
  failed <- log$failed[!is.na(log$failed)]
  if (length(failed) == 0L) return(invisible())
  reason <- commonest(failed)
  warn(c("{length(failed)} of {length(log$value)} evaluation{?s} failed; their sets count as the worst.",
    x = "{reason}"))
}

# The name of the values, for pictures.
loss_name <- function(measure, task) {
  record <- resolve_measures(measure, task_kind(task))
  paste0(if (record[[1L]]$direction == "maximize") "1 - ", names(record))
}

search_log_table <- function(log) {
  n <- length(log$value)
  data.frame(
    evaluation = seq_len(n), value = log$value, best = cummin(log$value), n_features = lengths(log$set),
    operator = log$operator, seconds = log$seconds
  )
}

# The current solutions of the core as list(value, sets), with sets of columns: the chosen one first, then by value,
# then by size. The best set that was evaluated is always among them.
search_solutions <- function(run, front, satisfy) {
  log <- run$log
  fits <- run_successes(run)
  best <- fits[value_order(log$value[fits], lengths(log$set)[fits])[1L]]
  found <- cpp_search_solutions(run$core, front)
  sets <- lapply(found$features, function(local) task_columns(run, local))
  known <- !is.finite(found$value) | lengths(sets) > run$space$most | vapply(sets, identical, NA, log$set[[best]]) |
    duplicated(sets)
  sets <- c(log$set[best], sets[!known])
  value <- c(log$value[best], found$value[!known])
  order <- value_order(value, lengths(sets))
  chosen <- chosen_solution(lengths(sets)[order], satisfy)
  order <- order[c(chosen, setdiff(seq_along(order), chosen))]
  list(value = value[order], sets = sets[order])
}

# The lowest values first, of equal ones the smallest set. Equal means of several splits may differ by rounding.
value_order <- function(value, size) order(signif(value, 12L), size)

# The first solution, or the first of those with at most `satisfy` features.
chosen_solution <- function(sizes, satisfy) {
  if (is.null(satisfy)) return(1L)
  small <- which(sizes <= satisfy)
  if (length(small) > 0L) return(small[1L])
  warn(c("No solution has at most {satisfy} feature{?s}, as {.arg satisfy} asks.",
    i = "The one of the lowest value is returned; it has {sizes[1L]}."))
  1L
}

# Runs the units of a benchmark in this process or on workers (bench-workers.R). In both cases any number of other
# processes may work on the same folder. A unit is claimed, read, completed and stored.

unit_keys <- function(plan) {
  table <- unit_table(plan)
  lapply(seq_len(nrow(table)), function(i) as.list(table[i, ]))
}

# Completes units, all of the plan unless `keys` selects some, and returns them. They are read again at the end. If
# another process has replaced one, which can only happen if two processes both believe that they own it, what is
# missing is computed again.
run_units <- function(plan, store, backend, progress, keys = unit_keys(plan)) {
  said <- new.env(parent = emptyenv())
  for (round in seq_len(10L)) {
    units <- lapply(keys, store$get)
    finished <- which_finished(units, keys, plan)
    if (all(finished)) return(units)
    if (round == 1L && !is.null(store$share)) {
      tell_other_build(store$manifest)
      backend$plan <- store$share(plan)
    }
    left <- keys[!finished]
    show <- new_progress(length(keys), sum(finished), progress)
    if (backend$kind == "none") run_here(left, plan, store, said, show)
    else run_on_workers(left, plan, store, backend, said, show)
  }
  abort(c("The benchmark cannot be completed.",
    x = "Other processes that use {.file {store$folder}} replace what this one has computed.",
    i = "Make the same call again when they have finished."))
}

# The units of `keys`, so many at once, as far as they begin before the deadline, in the time of now(), but `first`
# always. With `lasts`, the seconds that they are expected to take, as far as they should end before it.
run_until <- function(deadline, keys, run, first, at_once = 1L, lasts = 0) {
  if (is.infinite(deadline)) return(run(keys))
  units <- list()
  while (length(units) < length(keys) && (length(units) < first || now() + lasts <= deadline)) {
    began <- now()
    units <- c(units, run(keys[seq(length(units) + 1L, min(length(units) + at_once, length(keys)))]))
    if (lasts > 0) lasts <- max(lasts, now() - began)
  }
  units
}

# A unit whose processes were lost too often is not retried. `job` needs no data.
is_finished <- function(unit, job) is_complete(unit, job) || !is.null(unit$lost)

which_finished <- function(units, keys, plan) {
  unlist(Map(function(unit, key) is_finished(unit, new_job(plan, key)), units, keys))
}

# Runs units in order. Those that other processes have claimed are checked again at the end.
run_here <- function(keys, plan, store, said, show) {
  # The benchmark's progress bar shows what is running.
  rlang::local_options(mlsift.progress = FALSE)
  wait <- 0.1
  repeat {
    busy <- logical(length(keys))
    for (i in seq_along(keys)) {
      key <- keys[[i]]
      job <- new_job(plan, key, kept_split(plan, key), keeps_all = store$keeps_all)
      show(key)
      busy[i] <- place_warnings(work_on_unit(job, store), key, said) == "busy"
      if (!busy[i]) show()
    }
    if (!any(busy)) return(invisible())
    # Many processes may wait for the last units, so they check less and less often.
    wait <- if (all(busy)) min(2, 1.5 * wait) else 0.1
    keys <- keys[busy]
    store$pause(wait)
  }
}

# "done", or "busy" if another process has the unit.
work_on_unit <- function(job, store) {
  if (is_finished(store$get(job$key), job)) return("done")
  # Others would wait for a claim that an interrupt has left behind.
  suspendInterrupts({
    claim <- store$claim(job$key)
    if (!is.null(claim)) call_on_exit(claim$release)
  })
  if (is.null(claim)) return("busy")
  tryCatch({
    unit <- store$get(job$key) %||% new_unit(job$key)
    if (is_finished(unit, job)) return("done")
    losses <- max(claim$losses, job$losses)
    if (losses >= most_losses) {
      claim$put(give_up(unit, losses))
      return("done")
    }
    # A task that cannot be read ends this process: that is not a failure of the unit.
    if (!is.null(job$load)) job$load()
    complete_unit(unit, job, claim$put)
    "done"
  }, mlsift_claim_lost = function(e) "busy")
}

# A unit is retried twice. It may itself be what ends the processes, for example because it needs too much memory.
# Another call starts counting again: see store$since.
most_losses <- 3L

give_up <- function(unit, losses) {
  unit$lost <- paste0("The process that computed this was lost, ", losses, " times in a row.")
  unit
}

# Returns a function that is called with the key of a unit that begins, and without one after each unit. It shows a
# progress bar until the caller of this function ends. It also informs progressr, which shows progress if the user asked
# it to.
new_progress <- function(total, done, progress, envir = rlang::caller_env()) {
  step <- if (isNamespaceLoaded("progressr")) progressr::progressor(steps = total - done, envir = envir)
  if (progress) {
    bar <- cli::cli_progress_bar(
      "Benchmark", total = total, clear = TRUE, .envir = envir,
      format = "Benchmark {cli::pb_bar} {cli::pb_current}/{cli::pb_total} {cli::pb_eta_str} {cli::pb_status}"
    )
    cli::cli_progress_update(set = done, id = bar, .envir = envir)
  }
  function(key = NULL) {
    status <- if (!is.null(key)) paste(key, collapse = ", ")
    if (is.null(key) && !is.null(step)) step()
    if (progress) cli::cli_progress_update(if (!is.null(key)) 0, id = bar, status = status, .envir = envir)
  }
}

tell_other_build <- function(manifest) {
  odd <- other_build(manifest$build)
  if (!is.null(odd)) inform(c(
    "!" = "The folder was begun by another build of mlsift ({odd}).",
    i = "What is computed now may differ in the last digits from what is there."
  ))
}

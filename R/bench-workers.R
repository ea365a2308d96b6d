# Units on mirai or future workers. A worker gets the folder, the name of the plan and the key of one unit. It reads
# what it needs from the folder, and keeps it for the next unit.

# --- running ----------------------------------------------------------------------------------------------------------

run_on_workers <- function(keys, plan, store, backend, said, show) {
  base <- list(
    serve = "serve_unit", folder = store$folder, plan = backend$plan, number = store$number,
    threads = plan$user_threads %||% 1L, build = if (!backend$any_build) own_build(), stale = stale_seconds(),
    since = store$since
  )
  queue <- lapply(keys, function(key) list(key = key, losses = 0L, refusals = 0L, after = 0))
  running <- list()
  on.exit(for (one in running) backend$stop(one$handle))
  watch <- watch_daemons(backend, function() {
    abort(c("No daemon is connected any more.", i = "What is finished is kept in {.file {store$folder}}.",
      i = "Start daemons, and make the same call with that {.arg folder}."))
  })
  wait <- 0.002
  repeat {
    ready <- which(vapply(queue, function(one) one$after <= now(), NA))
    ready <- utils::head(ready, max(0L, backend$capacity() - length(running)))
    for (i in ready) {
      one <- start_unit(queue[[i]], backend, base, store)
      if (is.null(one$handle)) queue <- c(queue, list(one)) else running <- c(running, list(one))
    }
    if (length(ready) > 0L) queue <- queue[-ready]
    if (length(running) + length(queue) == 0L) return(invisible())
    done <- which(vapply(running, function(one) backend$is_done(one$handle), NA))
    for (one in running[done]) {
      again <- finish_unit(one, backend$value(one$handle), plan, store, said)
      if (is.null(again)) show() else queue <- c(list(again), queue)
    }
    if (length(done) > 0L) running <- running[-done]
    if (length(running) + length(queue) > 0L) watch()
    wait <- if (length(done) + length(ready) > 0L) 0.002 else min(0.1, 1.5 * wait)
    Sys.sleep(wait)
  }
}

# The result has no handle if the unit must be retried because a worker has just been lost and future does not know it
# yet.
start_unit <- function(one, backend, base, store) {
  # Losses are also counted here: a worker that is lost before it has claimed the unit leaves no trace in the folder.
  one$handle <- catch_error(backend$start(c(base, one[c("key", "losses")])), function(e) {
    if (inherits(e, "FutureError") && one$refusals < most_losses) return(NULL)
    abort(c("The workers cannot be used.", i = "What is finished is kept in {.file {store$folder}}."), parent = e)
  })
  if (is.null(one$handle)) {
    one$refusals <- one$refusals + 1L
    one$after <- now() + 0.5
  }
  one
}

# NULL if the unit is finished, otherwise what must be retried.
finish_unit <- function(one, found, plan, store, said) {
  one$handle <- NULL
  for (w in found$warnings) place_warnings(warning(w), one$key, said)
  if (found$state == "done") return(NULL)
  if (found$state %in% c("failed", "refused")) {
    abort(c(if (found$state == "refused") "A worker cannot take part in this benchmark." else "A worker has failed.",
      x = "{found$why}",
      i = if (found$state == "refused") paste(
        "Workers need this build of mlsift, and must see the folder under its path.",
        "{.code any_build = TRUE} allows other builds."
      )))
  }
  if (found$state == "lost") {
    one$losses <- one$losses + 1L
    if (one$losses >= most_losses) {
      found$state <- work_on_unit(c(new_job(plan, one$key), losses = one$losses), store)
      if (found$state == "done") return(NULL)
    }
  }
  # Another process has it, or the claim of a lost worker is too recent.
  if (found$state == "busy") one$after <- now() + 0.5
  one
}

# --- in the worker ----------------------------------------------------------------------------------------------------

# Completes one unit: list(state, warnings), or list(state, why).
serve_unit <- function(folder, plan, number, since, key, losses, threads, build, stale) {
  old <- options(mlsift.stale = stale)
  on.exit(options(old))
  why <- refusal(folder, number, build)
  if (!is.null(why)) return(list(state = "refused", why = paste0(own_process()$host, ": ", why, ".")))
  warnings <- list()
  keep <- function(w) {
    warnings <<- c(warnings, list(w))
    rlang::cnd_muffle(w)
  }
  tryCatch({
    state <- withCallingHandlers(serve_job(folder, plan, number, since, key, losses, threads), warning = keep)
    list(state = state, warnings = warnings)
  }, error = function(e) list(state = "failed", why = paste0(own_process()$host, ": ", failure_message(e))))
}

refusal <- function(folder, number, build) {
  if (!is.null(build) && !is.null(odd <- other_build(build))) return(odd)
  if (!file.exists(file.path(folder, "benchmark.rds"))) return(paste("the folder", folder, "is not there"))
  manifest <- read_rds(file.path(folder, "benchmark.rds"))
  if (!is_manifest(manifest) || !identical(manifest$number, number)) paste(folder, "is another folder")
}

serve_job <- function(folder, name, number, since, key, losses, threads) {
  served <- process_state$served
  id <- list(folder, name, number, since, threads)
  if (!identical(served$id, id)) {
    manifest <- read_manifest(folder)
    asked <- read_plans(folder)[[name]]
    served <- list(
      id = id, plan = load_plan(folder, asked, manifest, threads),
      store = open_store(folder, manifest, since)
    )
  }
  process_state$served <- served
  job <- new_job(served$plan, key, kept_split(served$plan, key), keeps_all = TRUE)
  job$losses <- losses
  work_on_unit(job, served$store)
}

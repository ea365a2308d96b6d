# Progress of long computations in interactive sessions: what is running and for how long. It appears after two seconds
# and is updated whenever the core polls.

# Shows `what` until the calling function ends. Nested computations show nothing of their own.
local_progress <- function(what, frame = rlang::caller_env()) {
  if (!is.null(getOption("mlsift.running")) || !isTRUE(getOption("mlsift.progress", interactive()))) return(invisible())
  running <- list2env(list(what = what, started = proc.time()[["elapsed"]], bar = NULL, frame = frame))
  rlang::local_options(mlsift.running = running, .frame = frame)
}

show_progress <- function() {
  running <- getOption("mlsift.running")
  if (is.null(running) || proc.time()[["elapsed"]] - running$started < 2) return(invisible())
  if (is.null(running$bar)) {
    running$bar <- cli::cli_progress_bar(name = running$what,
      format = "{cli::pb_spin} {cli::pb_name}[{cli::pb_elapsed}]", clear = TRUE, .envir = running$frame)
  }
  cli::cli_progress_update(id = running$bar, .envir = running$frame)
}

now <- function() as.double(Sys.time())

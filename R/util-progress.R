# Progress of long computations in interactive sessions: what runs and for how long. It appears after two seconds. The
# core polls while it computes, and that is when the line is brought up to date.

progress <- new.env(parent = emptyenv())
progress$what <- NULL

# `what` is shown until the calling function ends. A computation inside another one shows nothing of its own.
local_progress <- function(what, frame = rlang::caller_env()) {
  if (!is.null(progress$what) || !isTRUE(getOption("mlsift.progress", interactive()))) return(invisible())
  progress$what <- what
  progress$started <- proc.time()[["elapsed"]]
  progress$bar <- NULL
  at_exit(end_progress(), frame)
}

# Runs `expr` when the function of this frame ends.
at_exit <- function(expr, frame) {
  task <- as.call(list(function() expr))
  do.call(base::on.exit, list(task, TRUE, FALSE), envir = frame)
}

end_progress <- function() {
  if (!is.null(progress$bar)) cli::cli_progress_done(progress$bar)
  progress$what <- progress$bar <- NULL
}

show_progress <- function() {
  if (is.null(progress$what) || proc.time()[["elapsed"]] - progress$started < 2) return(invisible())
  if (is.null(progress$bar)) {
    progress$bar <- cli::cli_progress_bar(
      name = progress$what, format = "{cli::pb_spin} {cli::pb_name}[{cli::pb_elapsed}]", clear = TRUE,
      .auto_close = FALSE
    )
  }
  cli::cli_progress_update(id = progress$bar)
}

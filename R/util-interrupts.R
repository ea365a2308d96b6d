# Interrupts and time limits. The core polls from its main thread through interrupt_pending() and stops its threads; the
# glue then calls raise_interrupt(). So both always reach the caller as R signals them. A greedy run or search that is
# stopped in this way first stores its result for last_selection().

interrupts <- new.env(parent = emptyenv())

# Called by the core about ten times a second.
interrupt_pending <- function() {
  show_progress()
  interrupts$pending <- tryCatch({
    cpp_check_interrupt()
    NULL
  }, interrupt = identity, error = identity)
  !is.null(interrupts$pending)
}

# Signals again the condition that interrupt_pending() saw.
raise_interrupt <- function() {
  pending <- interrupts$pending
  interrupts$pending <- NULL
  if (inherits(pending, "error")) stop(pending)
  rlang::interrupt()
}

# If the core runs out of memory, or a table would be too large, Rcpp raises an error named after the C++ exception.
with_memory_errors <- function(expr) {
  refuse <- function(problem, found = NULL) {
    abort(c(problem, x = if (!is.null(found)) "{found}", i = "Fewer features, levels, rows or threads need less.",
      i = "Rows can also come in chunks, see {.fn chunk_source}."))
  }
  withCallingHandlers(expr,
    "std::bad_alloc" = function(e) refuse("There is not enough memory."),
    "std::length_error" = function(e) refuse("The computation is too large.", conditionMessage(e))
  )
}

# The value of an expression, or `stopped` if an interrupt or time limit stopped it; raise_interrupt() signals that
# again. With FALSE, the core ends as if it had seen the interrupt itself, which keeps what a greedy run has selected.
until_interrupt <- function(expr, stopped = FALSE) {
  remember <- function(e) {
    interrupts$pending <- e
    stopped
  }
  tryCatch(expr, interrupt = remember, error = function(e) if (is_time_limit(e)) remember(e) else stop(e))
}

# Whether an error is R's own for a limit set by setTimeLimit() or setSessionTimeLimit(), which has no class of its own.
is_time_limit <- function(e) {
  limits <- c("reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
    "reached session CPU time limit")
  limits <- c(limits, gettext(limits, domain = "R"))
  while (inherits(e, "error")) {
    # The text is at the end of the message if the limit was reached in an argument of an S4 generic.
    message <- conditionMessage(e)
    if (any(startsWith(message, limits) | endsWith(message, paste0(": ", limits)))) return(TRUE)
    e <- e$parent
  }
  FALSE
}

# tryCatch() for the errors of an expression. Time limits are not caught but signaled again.
catch_error <- function(expr, handler) tryCatch(expr, error = function(e) if (is_time_limit(e)) stop(e) else handler(e))

# The same for errors that mlsift has not raised itself.
catch_foreign <- function(expr, handler) {
  catch_error(expr, function(e) if (inherits(e, "mlsift_error")) stop(e) else handler(e))
}

# The same for errors and warnings.
catch_problem <- function(expr, handler) tryCatch(catch_error(expr, handler), warning = handler)

# The value of an expression, or another value if it raises an error.
or_else <- function(expr, otherwise) catch_error(expr, function(e) otherwise)

# Calls `cleanup` when the calling function ends. A time limit or an interrupt during the cleanup would leave it half
# done. It is therefore registered twice, and R continues with the second call. `cleanup` must be safe to call twice.
call_on_exit <- function(cleanup, frame = parent.frame()) {
  for (i in 1:2) do.call(on.exit, list(as.call(list(cleanup)), add = TRUE), envir = frame)
}

# Returns a finished selection. One that was cut short is kept for last_selection(), and the interrupt is passed on.
finish_or_interrupt <- function(selection, ranking, k) {
  if (isTRUE(ranking$late)) warn(c("The selection was stopped by {.arg max_seconds}.",
    i = "It has {nrow(selection)} of {k} feature{?s}; {.fn extend_selection} resumes from there."))
  if (!isTRUE(ranking$interrupted)) return(selection)
  interrupts$selection <- selection
  search <- attr(selection, "search")
  what <- if (is.null(search)) "feature" else "evaluation"
  n <- if (is.null(search)) nrow(selection) else nrow(search$history)
  wanted <- if (is.null(search)) k else attr(selection, "selector")$params$evaluations
  inform(c("!" = "Stopped after {n}{if (!is.null(wanted)) paste(\" of\", wanted)} {what}{cli::qty(wanted %||% n)}{?s}.",
    i = paste("{.fn last_selection} returns {cli::qty(n)}{?it/them};",
      "{.fn extend_selection} resumes from there.")))
  raise_interrupt()
}

#' The result of an interrupted selection
#'
#' An interrupt (Ctrl-C, Esc) or a limit set by [setTimeLimit()] stops [sift_features()] and [extend_selection()] like
#' any other R function, so they return nothing. `last_selection()` then returns the features that a greedy selector had
#' selected, or the best set that a search with a learner had found.
#'
#' Pass the result to [extend_selection()] to resume. It is kept until the session ends or another selection of this
#' kind is interrupted. `max_seconds` of [sift_features()] is not an interrupt: the call then returns its result so far.
#' @return A selection (class `mlselection`), or `NULL` if no greedy selection and no search was interrupted in this
#'   session.
#' @family selection
#' @examples
#' last_selection()
#' @export
last_selection <- function() interrupts$selection

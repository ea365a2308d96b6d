# Interrupts and time limits. The core polls from its main thread through interrupt_pending(), stops its threads, and
# the glue calls raise_interrupt(). So both always reach the caller, as R signals them. A greedy run that stops in this
# way first leaves what it has selected to last_selection().

interrupts <- new.env(parent = emptyenv())

# Called by the core about ten times a second.
interrupt_pending <- function() {
  interrupts$pending <- tryCatch({
    cpp_check_interrupt()
    NULL
  }, interrupt = identity, error = identity)
  !is.null(interrupts$pending)
}

# Signals again what interrupt_pending() saw.
raise_interrupt <- function() {
  pending <- interrupts$pending
  interrupts$pending <- NULL
  if (inherits(pending, "error")) stop(pending)
  rlang::interrupt()
}

# Whether an error is R's own for a limit set by setTimeLimit() or setSessionTimeLimit(). It has no class of its own.
is_time_limit <- function(e) {
  limits <- c("reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
              "reached session CPU time limit")
  while (inherits(e, "error")) {
    if (any(startsWith(conditionMessage(e), c(limits, gettext(limits, domain = "R"))))) return(TRUE)
    e <- e$parent
  }
  FALSE
}

# Hands a finished selection back; one that was cut short is kept for last_selection(), and the interrupt goes on.
finish_or_interrupt <- function(selection, ranking, k) {
  if (!isTRUE(ranking$interrupted)) return(selection)
  interrupts$selection <- selection
  n <- nrow(selection)
  inform(c("!" = "Stopped after {n} of {k} feature{?s}.",
           i = "{.fn last_selection} returns them; {.fn extend_selection} resumes from there."))
  raise_interrupt()
}

#' What an interrupted selection had found
#'
#' An interrupt (Ctrl-C, Esc) and a limit set by [setTimeLimit()] stop [sift_features()] and [extend_selection()] like
#' any other R function: they do not return. `last_selection()` returns what a greedy selector had selected by then.
#'
#' Pass the result to [extend_selection()] to resume. It is kept until the session ends or another greedy selection is
#' interrupted. A time limit of [sift_features()] itself, `max_seconds`, is not an interrupt: the call then returns what
#' it has.
#'
#' @return A selection (class `mlselection`) with the features that were selected, or `NULL` if no greedy selection was
#'   interrupted in this session.
#' @family selection
#' @examples
#' last_selection()
#' @export
last_selection <- function() interrupts$selection

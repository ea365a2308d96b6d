# Errors, warnings and messages: of class `mlsift_error`, `mlsift_warning` or `mlsift_message`, in the name of the
# function that the user called.

abort <- function(message, ..., parent = NULL, .envir = rlang::caller_env()) {
  call <- user_call()
  rlang::abort(laid_out(message, .envir), ..., parent = cause(parent, call), class = "mlsift_error", call = call,
    use_cli_format = FALSE)
}

warn <- function(message, ..., parent = NULL, .envir = rlang::caller_env()) {
  call <- user_call()
  rlang::warn(laid_out(message, .envir), ..., parent = cause(parent, call), class = "mlsift_warning", call = call,
    use_cli_format = FALSE)
}

# Refuses an argument: tells what it must be, as text for cli that may use the caller's variables, and what it is.
# `...`: further lines.
abort_value <- function(x, must, ..., arg = rlang::caller_arg(x), .envir = rlang::caller_env()) {
  abort(c(paste0("{.arg {arg}} must be ", must, "."), x = "It is {found}.", ...),
    .envir = rlang::env(.envir, arg = arg, found = describe(x)))
}

# A condition that caused another one, or NA for none, without the call if both name the same.
cause <- function(parent, call) {
  if (is.list(parent) && identical(parent$call, rlang::frame_call(call))) parent$call <- NULL
  parent
}

inform <- function(message, ..., .envir = rlang::caller_env()) {
  rlang::inform(laid_out(message, .envir), ..., class = "mlsift_message", use_cli_format = FALSE)
}

# The words and lines that cli makes of bullets, in half the time or less. Loops get, and often muffle, many.
laid_out <- function(message, envir) {
  force(envir)
  width <- (getOption("cli.condition_width") %||% cli::console_width()) - 2L
  message[] <- vapply(message, function(text) {
    if (grepl("[{}]", text)) text <- cli::format_inline(text, .envir = envir)
    paste(cli::ansi_strwrap(text, width), collapse = "\n  ")
  }, "")
  message
}

# The frame of the function of this package that the user called, which errors name: the last one on the way from
# parent to parent. So the function that an argument calls is named, not the one that needs the argument. The way goes
# through functions of `passed`, and ends at code of users or of other packages.
user_call <- function() {
  frames <- sys.frames()
  parents <- sys.parents()
  at <- sys.parent(2L)
  found <- parent.frame(2L)
  while (at > 0L) {
    home <- environment(sys.function(at)) %||% baseenv()
    own <- identical(topenv(home), topenv())
    named <- identical(home, topenv())
    if (named) found <- frames[[at]]
    if (!own && !environmentName(topenv(home)) %in% passed) break
    above <- parents[at]
    # C++ and handlers of conditions call functions made by others from the global environment: 0.
    if (own && !named) above <- frame_around(home, frames[seq_len(at - 1L)]) %||% if (above == 0L) at - 1L else above
    # What eval_tidy() calls is its own parent. It is code of users.
    if (above == at) break
    at <- above
  }
  found
}

passed <- c("base", "cli", "methods", "rlang", "stats", "utils")

# The number of the frame in which a function was made, NULL if that has ended.
frame_around <- function(env, frames) {
  while (!identical(env, topenv(env))) {
    for (i in seq_along(frames)) if (identical(frames[[i]], env)) return(i)
    env <- parent.env(env)
  }
}

# Lets each condition of the classes through only the first time, as far as `said` remembers. Conditions with the same
# text count as the same.
each_once <- function(code, class, said, text_of = conditionMessage) {
  withCallingHandlers(code, condition = function(found) {
    if (!inherits(found, class)) return(invisible())
    text <- text_of(found)
    if (text %in% said$texts) rlang::cnd_muffle(found)
    said$texts <- c(said$texts, text)
  })
}

tell_once <- function(code, text_of = conditionMessage) {
  each_once(code, c("warning", "mlsift_message"), new.env(parent = emptyenv()), text_of)
}

# Errors of the code speak of the argument `x` by another name.
with_x_as <- function(name, code) {
  rlang::try_fetch(code, mlsift_error = function(e) {
    e$message <- gsub("`x`", paste0("`", name, "`"), e$message, fixed = TRUE)
    rlang::cnd_signal(e)
  })
}

# For code that makes the same task repeatedly: each message of mltask() is shown once per session.
inform_once <- function(code) each_once(code, "mlsift_message", told)

told <- new.env(parent = emptyenv())

root_cause <- function(condition) {
  while (!is.null(condition$parent)) condition <- condition$parent
  condition
}

# The message of the root cause, without where it happened.
root_message <- function(condition) root_cause(condition)$message

# Errors without cli, which takes some 50 milliseconds to lay out a message. What it makes of the markup that most
# messages have is made here at once, and all else is left to cli, as is everything with --all. A file with many errors
# begins with `expect_error <- expect_error_soon`. Snapshots have the layout.
expect_error_soon <- function(object, regexp = NULL, class = NULL, ..., label = NULL) {
  if ("mlsift_error" %in% class) local_plain_errors()
  testthat::expect_error(object, regexp, class, ..., label = label %||% label_of(substitute(object)))
}

local_plain_errors <- function(.env = parent.frame()) {
  if (!all_tests()) testthat::local_mocked_bindings(abort = abort_plainly, .package = "mlsift", .env = .env)
}

abort_plainly <- function(message, ..., call = named_call(rlang::caller_env()), .envir = rlang::caller_env(),
                          parent = NULL) {
  plain <- plain_message(message, .envir)
  if (is.null(plain)) {
    cli::cli_abort(message, ..., class = "mlsift_error", call = call, .envir = .envir, parent = parent)
  }
  # rlang::abort() would make one text of them.
  call <- rlang::error_call(call)
  if (identical(parent, NA)) parent <- NULL
  rlang::cnd_signal(rlang::error_cnd("mlsift_error", message = plain[1L], body = plain[-1L],
    call = call, parent = parent, ...))
}

# NULL where this needs cli.
plain_message <- function(message, envir) {
  if (any(grepl("\\{\\?|\\bqty\\(|\\{\\{|\\}\\}\\}\\}", message))) return()
  kinds <- c(arg = "`%s`", code = "`%s`", fn = "`%s()`", cls = "<%s>", file = "'%s'", val = "%s")
  # A text that stands for a mark: it may have braces of its own.
  kept <- character()
  keep <- function(text) {
    kept <<- c(kept, text)
    paste0("\1", length(kept), "\2")
  }
  value <- function(code, kind = "", word = "and") {
    x <- eval(str2lang(code), new.env(parent = envir))
    if (!is.character(x) && !is.numeric(x) || anyNA(x) || length(x) == 0L || length(x) > 20L) return()
    if (is.numeric(x)) x <- as.character(x) else if (kind == "val") x <- encodeString(x, quote = "\"")
    if (nzchar(kind)) x <- sprintf(kinds[[kind]], x)
    n <- length(x)
    keep(if (n < 3L) paste(x, collapse = paste0(" ", word, " ")) else paste0(toString(x[-n]), ", ", word, " ", x[n]))
  }
  forms <- list(
    list("\\{\\.or \\{\\.val \\{([^{}]*)\\}\\}\\}", \(code) value(code, "val", "or")),
    list("\\{\\.([a-z]+) \\{([^{}]*)\\}\\}", \(kind, code) if (kind %in% names(kinds)) value(code, kind)),
    list("\\{([^.{}][^{}]*)\\}", \(code) value(code)),
    list("\\{\\.([a-z]+) ([^{}]*)\\}", \(kind, text) {
      if (kind %in% setdiff(names(kinds), "val") && !grepl("<", text)) keep(sprintf(kinds[[kind]], text))
    })
  )
  for (i in seq_along(message)) for (form in forms) {
    while (length(at <- regmatches(message[i], regexec(form[[1L]], message[i]))[[1L]]) > 0L) {
      new <- do.call(form[[2L]], as.list(at[-1L]))
      if (is.null(new)) return()
      regmatches(message[i], regexpr(form[[1L]], message[i])) <- new
    }
  }
  if (any(grepl("[{}]", message))) return()
  # The last ones first: they may have others in them.
  for (i in rev(seq_along(kept))) message[] <- sub(paste0("\1", i, "\2"), kept[i], message, fixed = TRUE)
  message
}

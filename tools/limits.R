# Stops valid calls of every exported function and S3 method by R's time limits, at random moments:
#   Rscript tools/limits.R [trials] [function ...]
# Each call is repeated until its limit stops it, so nearly all are stopped. A stopped call must end with R's own error
# and leave nothing behind: the random generator, the options, connections and the working directory are as before, and
# the same call then works. A call that a limit has not stopped must give the value of an unstopped call, and a limit
# must stop one of the next calls: otherwise it was swallowed. What a call makes is used too, as in tools/nonsense.R,
# which has the calls. Every other ending is printed, and then the exit status is 1. mlsift must be
# installed. 20 trials for each call take some minutes.

`%||%` <- function(a, b) if (is.null(a)) b else a
script <- normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
source(file.path(dirname(script), "nonsense.R"))

suppressPackageStartupMessages({
  library(mlsift)
  library(ggplot2)
})
options(warn = -1, mlsift.threads = 1)

asked <- commandArgs(TRUE)
trials <- if (length(asked) > 0) as.integer(asked[1]) else 20L
if (is.na(trials) || trials < 1L) stop("The number of trials must be a positive whole number.", call. = FALSE)
folder <- file.path(tempdir(), "limits")
dir.create(folder)
setwd(folder)
made <- examples()
all <- entries()
# Drawing is left out: ggplot2 and R do it, and do not pass all errors on as they are.
draws <- grepl("^(autoplot|plot|write_report)", names(all))
chosen <- if (length(asked) > 1) asked[-1] else names(all)[!draws]
if (length(unknown <- setdiff(chosen, names(all))) > 0) stop("There is no ", unknown[1], ".", call. = FALSE)

# "" for a value, the message of an error otherwise.
ending <- function(code) tryCatch({
  code
  ""
}, error = function(e) if (mlsift:::is_time_limit(e)) "stopped" else paste0(class(e)[1], ": ", conditionMessage(e)))

# The value of the valid call of an entry, which is used too.
run_valid <- function(entry) {
  set.seed(1)
  where <- list2env(made, parent = globalenv())
  utils::capture.output(suppressWarnings(suppressMessages({
    value <- eval(call_code(entry), where)
    if (!is.function(value)) print(value)
    use_value(value, made)
  })))
  value
}

# What can be compared of a value: functions, environments and pointers differ from call to call, and so do times.
comparable <- function(value) {
  text <- utils::capture.output(suppressWarnings(suppressMessages(utils::str(value, give.attr = TRUE, vec.len = 50L))))
  text <- text[!grepl("seconds|elapsed|time", text)]
  gsub("<(environment|bytecode|pointer): [^>]*>|0x[0-9a-f]+", "", text)
}

# What a call must leave as it was. cli and rlang keep things of their own in options.
surroundings <- function() {
  while (sink.number() > 0) sink()
  now <- options()
  list(
    `the kind of the random generator` = RNGkind(), options = now[!grepl("^(cli|rlang|mlsift[.]running)", names(now))],
    `the working directory` = getwd()
  )
}

# Repeats the call until the limit stops it. "stopped", "late" if none was stopped soon after the limit, or what is
# wrong: another error than that of the limit, a value that an unstopped call does not give, or a limit that is gone. R
# looks at limits every few thousand steps only, so short calls are repeated often. Sys.sleep() always looks.
stop_within <- function(entry, limit, seconds, expected) {
  deadline <- proc.time()[["elapsed"]] + limit
  waiting <- FALSE
  found <- ending({
    setTimeLimit(elapsed = limit, transient = TRUE)
    while (proc.time()[["elapsed"]] < deadline + 0.2 + 2 * seconds) {
      value <- run_valid(entry)
      if (!is.null(expected) && !identical(comparable(value), expected)) stop("gives another value")
    }
    waiting <- TRUE
    for (i in 1:20) Sys.sleep(0.001)
    stop("swallows the limit")
  })
  setTimeLimit()
  if (found == "stopped" && waiting) "late" else found
}

findings <- character()
stopped <- 0L
trials_done <- 0L
varying <- character()
for (name in chosen) {
  entry <- all[[name]]
  if (nzchar(ending(expected <- comparable(run_valid(entry))))) next # needs a package that is not there, or a database
  seconds <- max(1e-3, system.time(again <- comparable(run_valid(entry)))[["elapsed"]])
  if (!identical(expected, again)) {
    varying <- c(varying, name)
    expected <- NULL
  }
  before <- surroundings()
  for (trial in seq_len(trials)) {
    limit <- stats::runif(1L, 0, seconds)
    found <- stop_within(entry, limit, seconds, expected)
    after <- surroundings()
    trials_done <- trials_done + 1L
    stopped <- stopped + (found == "stopped")
    changed <- names(before)[!mapply(identical, before, after)]
    if (length(changed) > 0) {
      found <- paste("changes", toString(changed))
      do.call(RNGkind, as.list(before[[1]]))
      options(before$options)
      setwd(before[[3]])
    }
    then <- ending({
      value <- run_valid(entry)
      if (!is.null(expected) && !identical(comparable(value), expected)) stop("gives another value")
    })
    for (text in setdiff(c(found, if (nzchar(then)) paste("then:", then)), c("stopped", "late"))) {
      findings <- c(findings, sprintf("%s(), after %.4f s, where a call takes %.4f s: %s", name, limit, seconds, text))
    }
  }
}
if (length(varying) > 0) cat("Values that differ from call to call, which are not compared:", toString(varying), "\n")
if (length(findings) > 0) cat(findings, sep = "\n")
cat(sprintf("Time limits: %d functions and methods, %d calls stopped in %d trials, %d findings.\n", length(chosen),
  stopped, trials_done, length(findings)))
quit(status = as.integer(length(findings) > 0))

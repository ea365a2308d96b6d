# Stops valid calls of every exported function and S3 method by R's time limits, at random moments:
#   Rscript tools/limits.R [trials] [function ...]
# A stopped call must end with R's own error and leave nothing behind: the random generator, the options, connections
# and the working directory are as before, and the same call then works. What a call makes is used too, as in
# tools/nonsense.R, which has the calls. Every other ending is printed, and then the exit status is 1. mlsift must be
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

# The valid call of an entry, and the use of its value.
run_valid <- function(entry) {
  set.seed(1)
  where <- list2env(made, parent = globalenv())
  utils::capture.output(suppressWarnings(suppressMessages({
    value <- eval(call_code(entry), where)
    if (!is.function(value)) print(value)
    use_value(value, made)
  })))
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

findings <- character()
counts <- c(stopped = 0L, finished = 0L)
for (name in chosen) {
  entry <- all[[name]]
  if (nzchar(ending(run_valid(entry)))) next # needs a package that is not there, or a database
  seconds <- max(1e-4, system.time(ending(run_valid(entry)))[["elapsed"]])
  before <- surroundings()
  for (trial in seq_len(trials)) {
    limit <- stats::runif(1L, 0, seconds)
    found <- ending({
      setTimeLimit(elapsed = limit, transient = TRUE)
      run_valid(entry)
      setTimeLimit()
    })
    setTimeLimit()
    after <- surroundings()
    kind <- if (found == "stopped") "stopped" else "finished"
    counts[kind] <- counts[kind] + 1L
    changed <- names(before)[!mapply(identical, before, after)]
    if (length(changed) > 0) {
      found <- paste("changes", toString(changed))
      do.call(RNGkind, as.list(before[[1]]))
      options(before$options)
      setwd(before[[3]])
    }
    again <- if (kind == "stopped") ending(run_valid(entry)) else ""
    for (text in setdiff(c(found, if (nzchar(again)) paste("then:", again)), c("", "stopped"))) {
      findings <- c(findings, sprintf("%s(), after %.4f of %.4f s: %s", name, limit, seconds, text))
    }
  }
}
if (length(findings) > 0) cat(findings, sep = "\n")
cat(sprintf("Time limits: %d functions and methods, %d calls stopped, %d finished, %d findings.\n", length(chosen),
  counts[["stopped"]], counts[["finished"]], length(findings)))
quit(status = as.integer(length(findings) > 0))

# Claims show which process computes a unit. A claim is a small file, "<unit>.1", that only one process can create. Its
# owner writes to it from time to time. If the owner is lost, another process creates "<unit>.2", and so on. Only the
# newest claim counts, so nobody can take a claim away from a process that has just taken it over. The owner removes all
# of them at the end. If two processes do compute the same unit, for example after a machine was asleep, only time is
# lost: they get the same results.

# The claim that this process now has on a unit, or NULL if another process has it. `losses`: how many owners in a row
# were lost after `since`.
claim_unit <- function(folder, unit, since) {
  newest <- newest_claim(folder, unit)
  losses <- 0L
  if (newest > 0L) {
    previous <- claim_path(folder, unit, newest)
    if (!is_lost(previous)) return(NULL)
    counted <- suppressWarnings(as.integer(read_claim(previous)$losses %||% 0L))
    if (written_since(previous, since)) losses <- max(0L, counted, na.rm = TRUE) + 1L
  }
  path <- claim_path(folder, unit, newest + 1L)
  if (!create_file(path, write_text(claim_text(losses)))) return(NULL)
  beats <- start_heartbeat(path)
  released <- FALSE
  is_held <- function() file.exists(path) && !file.exists(claim_path(folder, unit, newest + 2L))
  list(
    losses = losses,
    is_held = is_held,
    # Otherwise the newer owner removes all of them. They are removed from last to first, so that the numbers never have
    # a gap.
    release = function() suspendInterrupts({
      if (!released) stop_heartbeat(beats)
      if (!released && is_held()) unlink(claim_path(folder, unit, rev(seq_len(newest + 1L))))
      released <<- TRUE
    })
  )
}

claim_path <- function(folder, unit, number) file.path(folder, "claims", paste0(unit, ".", number))

newest_claim <- function(folder, unit) {
  number <- 0L
  while (file.exists(claim_path(folder, unit, number + 1L))) number <- number + 1L
  number
}

claim_text <- function(losses) {
  own <- own_process()
  own$losses <- losses
  own$since <- format(Sys.time(), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
  own$token <- basename(tempfile(""))
  paste0(names(own), ": ", own)
}

# What a claim contains about its owner; NULL if it has just been removed.
read_claim <- function(path) {
  lines <- or_else(suppressWarnings(readLines(path, warn = FALSE)), NULL)
  if (is.null(lines)) return(NULL)
  lines <- grep("^[a-z]+: ", lines, value = TRUE)
  as.list(stats::setNames(sub("^[a-z]+: ", "", lines), sub(": .*", "", lines)))
}

# Whether the owner of a claim is no longer running. The claim is read first: see the note on NFS in bench-files.R.
is_lost <- function(path) {
  owner <- read_claim(path)
  if (!is.null(owner) && identical(owner$machine, own_process()$machine) && isFALSE(process_runs(owner))) return(TRUE)
  # An unreadable claim is a file of somebody else, or has just been removed; then it has no age.
  is_stale(path)
}

# A process counts as lost only after several missing signs of life. If none can be written, another machine may compute
# the same unit.
start_heartbeat <- function(path) {
  catch_error(cpp_start_heartbeat(path, min(10, stale_seconds() / 6)), function(e) {
    if (!isTRUE(process_state$silent)) inform(c("!" = "This process cannot show others that it runs.",
      x = "{conditionMessage(e)}",
      i = "Other machines that use the folder may compute the same again. The results are the same."))
    process_state$silent <- TRUE
    NULL
  })
}

stop_heartbeat <- function(beats) if (!is.null(beats)) cpp_stop_heartbeat(beats)

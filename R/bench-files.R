# Files of a benchmark's folder, which processes on several machines may use at the same time. The code relies on this:
# - rename() replaces a file at once, so that readers find either the old or the new one, and always a whole one;
# - link() and mkdir() fail if the name is taken, also on NFS. If a server's reply is lost, they may fail although they
#   succeeded, so the file is checked;
# - NFS may show a file's time or absence as it was up to a minute ago. Opening a file shows its current state.
# No lock is used that the system releases by itself: such locks are often missing or lost on network file systems.

# --- writing ----------------------------------------------------------------------------------------------------------

# Writes a file under another name, reads it back, and then renames it. So a killed process leaves a whole file or none,
# and a full disk is noticed, which R itself does not report. `content`: list(write, whole), functions of the path, from
# write_text() or write_object().
write_file <- function(path, content) {
  part <- write_part(dirname(path), content)
  if (!suppressWarnings(file.rename(part, path))) {
    unlink(part)
    cannot_write(path, "The file could not be renamed.")
  }
}

# Creates a file that does not exist yet. Returns whether this call created it.
create_file <- function(path, content) {
  part <- write_part(dirname(path), content)
  on.exit(unlink(part))
  if (suppressWarnings(file.link(part, path))) return(TRUE)
  if (file.exists(path)) return(same_file(part, path))
  create_by_folder(part, path)
}

# For file systems without links.
create_by_folder <- function(part, path) {
  lock <- paste0(path, ".lock")
  if (!dir.create(lock, showWarnings = FALSE)) {
    if (!dir.exists(lock)) cannot_write(path, "The file could not be made.")
    if (is_stale(lock)) unlink(lock, recursive = TRUE) else Sys.sleep(0.1)
    return(FALSE)
  }
  on.exit(unlink(lock, recursive = TRUE))
  !file.exists(path) && suppressWarnings(file.rename(part, path))
}

write_part <- function(folder, content) {
  part <- part_name(folder)
  done <- FALSE
  on.exit(if (!done) unlink(part))
  problem <- catch_error({
    suppressWarnings(content$write(part))
    NULL
  }, conditionMessage)
  if (!file.exists(part)) cannot_write(part, "The file could not be made.", "Does the folder still exist?")
  if (!is.null(problem) || !or_else(suppressWarnings(content$whole(part)), FALSE)) {
    cannot_write(part, "What was written cannot be read back.", "Is the disk full?")
  }
  done <- TRUE
  part
}

cannot_write <- function(path, what, question = NULL) {
  folder <- dirname(path)
  abort(c("Cannot write to the folder of the benchmark.", x = paste("{.file {folder}}:", what),
    i = if (!is.null(question)) paste(question, "Do you have the right to write there?"),
    i = "What was finished before is kept. The same call resumes."))
}

write_text <- function(lines) {
  bytes <- charToRaw(paste0(lines, "\n", collapse = ""))
  list(write = function(path) writeBin(bytes, path),
    whole = function(path) identical(readBin(path, "raw", length(bytes) + 1L), bytes))
}

# `whole`: a function of what is read back. Large objects are compressed with less effort.
write_object <- function(object, whole) {
  large <- utils::object.size(object) > 1e7
  list(write = function(path) {
    file <- gzfile(path, "wb", compression = if (large) 1L else 6L)
    on.exit(close(file))
    saveRDS(object, file)
  }, whole = function(path) whole(readRDS(path)))
}

same_file <- function(a, b) {
  bytes <- function(path) or_else(suppressWarnings(readBin(path, "raw", file.size(a) + 1)), NULL)
  identical(bytes(a), bytes(b))
}

# The object in a file; NULL if the file is missing or damaged.
read_rds <- function(path) {
  catch_problem(if (is_whole_gzip(path)) suppressWarnings(readRDS(path)), function(e) NULL)
}

# R checks the checksum of a compressed file only after it has made the object, if at all, and a damaged object may
# crash it. So the file is first read as bytes: R warns if the checksum is wrong. The file ends with their number.
is_whole_gzip <- function(path) {
  size <- file.size(path)
  if (is.na(size) || size < 18 || !is_gzip(path)) return(FALSE)
  unpacked <- gzfile(path, "rb")
  on.exit(close(unpacked))
  stated <- gzip_size(path)
  found <- 0
  # R makes room for all the bytes that are asked for, which takes longer than to read a small file.
  at_once <- min(stated + 1, 2^20)
  while (at_once > 0) {
    more <- length(readBin(unpacked, "raw", at_once))
    found <- found + more
    at_once <- if (more == at_once) 2^20 else 0
  }
  found %% 2^32 == stated
}

# Equal for equal content, before and after it was stored.
checksum <- function(x) rlang::hash(serialize(x, NULL, version = 2L)[-seq_len(14L)])

# --- unfinished files -------------------------------------------------------------------------------------------------

# The name identifies the process, so that others can see whether it is still running.
part_name <- function(folder) {
  own <- own_process()
  random <- sub("^x", "", basename(tempfile("x")))
  file.path(folder, paste(".part", rlang::hash(own$machine), own$pid, own$started, random, sep = "-"))
}

# Removes files that killed processes have left behind.
sweep_parts <- function(folder) {
  for (path in list.files(folder, "^[.]part-", all.files = TRUE, full.names = TRUE)) {
    if (is_abandoned(path)) unlink(path, recursive = TRUE)
  }
}

is_abandoned <- function(path) {
  owner <- strsplit(basename(path), "-", fixed = TRUE)[[1L]]
  own <- own_process()
  if (length(owner) != 5L) return(TRUE)
  if (owner[2L] == rlang::hash(own$machine)) {
    running <- process_runs(list(pid = owner[3L], started = owner[4L]))
    if (!is.na(running)) return(!running)
  }
  isTRUE(file_age(path) > max(600, stale_seconds()))
}

# --- time and processes -----------------------------------------------------------------------------------------------

# The clock of a folder's file system, in seconds: the time of a file that is written now. -Inf if the folder is not
# writable.
file_clock <- function(folder) {
  probe <- part_name(folder)
  on.exit(unlink(probe))
  or_else(suppressWarnings(writeBin(charToRaw("."), probe)), NULL)
  if (file.exists(probe)) as.double(file.mtime(probe)) else -Inf
}

# Seconds since a file was written, by that clock; NA if it does not exist.
file_age <- function(path) {
  written <- as.double(file.mtime(path))
  file_clock(dirname(path)) - written
}

# Whether the last sign of life was too long ago. One far in the future was given before the clock was set back: a
# process that is still running would have given another one since. A folder that is not writable has no clock.
is_stale <- function(path) {
  age <- file_age(path)
  is.finite(age) && abs(age) > stale_seconds()
}

# Whether a file was written at `since` or later, by the folder's clock. No file of this call is far in the future.
written_since <- function(path, since) {
  age <- file_age(path)
  isTRUE(as.double(file.mtime(path)) >= since) && !(is.finite(age) && age < -stale_seconds())
}

# Whether a process of this machine is still running; NA if that is unknown.
process_runs <- function(process) {
  if (dir.exists("/proc/self")) {
    fields <- process_fields(process$pid)
    return(!is.null(fields) && !fields[1L] %in% c("Z", "X") && identical(fields[20L], process$started))
  }
  if (.Platform$OS.type != "unix") return(NA)
  if (tools::pskill(as.integer(process$pid), 0L)) NA else FALSE
}

# Which process and which build of the package this is.

# The machine, the process, and when the process started, because process ids are reused. Two processes with equal
# `machine` see each other's ids; containers on one machine do not.
own_process <- function() {
  pid <- Sys.getpid()
  if (!identical(process_state$own$pid, as.character(pid))) process_state$own <- list(
    host = Sys.info()[["nodename"]], pid = as.character(pid), started = process_fields(pid)[20L] %||% "0",
    machine = paste(Sys.info()[["nodename"]], first_line("/proc/sys/kernel/random/boot_id"),
      suppressWarnings(Sys.readlink("/proc/self/ns/pid")))
  )
  process_state$own
}

process_state <- new.env(parent = emptyenv())

first_line <- function(path) or_else(suppressWarnings(readLines(path, 1L)), "")

# Linux: the state (3rd field) and start time (22nd) of a process. The name before them may contain spaces.
process_fields <- function(pid) {
  line <- first_line(file.path("/proc", pid, "stat"))
  if (length(line) == 1L && nzchar(line)) strsplit(sub("^.*[)] ", "", line), " ", fixed = TRUE)[[1L]]
}

# Results are bit-identical for the same build of the package. `library`: its compiled code.
own_build <- function() {
  if (is.null(process_state$build)) process_state$build <- list(
    version = as.character(utils::packageVersion("mlsift")), platform = R.version$platform,
    library = rlang::hash_file(getLoadedDLLs()[["mlsift"]][["path"]])
  )
  process_state$build
}

# How the build of this process differs; NULL if it does not.
other_build <- function(build) {
  own <- own_build()
  odd <- Find(function(field) !identical(build[[field]], own[[field]]), names(own))
  if (is.null(odd)) return(NULL)
  if (odd == "library") return(paste0("mlsift ", own$version, " was compiled anew"))
  paste0("it is ", odd, " ", own[[odd]], " here, and ", build[[odd]], " there")
}

# Where the units of a benchmark are kept: in memory, or in a folder, which has one file for each unit. A store has
# - number, keeps_all: the benchmark's random number, and whether rankings are kept whole;
# - get(key): a unit, or NULL;
# - claim(key): the right to compute a unit, as list(put, release, losses), or NULL if another process has it;
# - pause(seconds): waits for other processes;
# - forget(): removes what this call has started, unless another process takes part.

memory_store <- function(number) {
  units <- new.env(parent = emptyenv())
  put <- function(unit) assign(unit_name(unit), unit, envir = units)
  list(
    number = number, keeps_all = FALSE, units = units,
    get = function(key) units[[unit_name(key)]], put = put,
    claim = function(key) list(put = put, release = function() NULL, losses = 0L),
    pause = function(seconds) NULL, forget = function() NULL
  )
}

folder_store <- function(folder, plan) {
  manifest <- open_manifest(folder, plan)
  store <- open_store(folder, manifest, file_clock(folder))
  store$share <- function(plan) share_plan(store$folder, plan, manifest)
  store$forget <- function() {
    own <- file.path(store$folder, c("benchmark.rds", "parts", "units", "claims"))
    if (manifest$begun_here && !file.exists(file.path(store$folder, "plans"))) unlink(own, recursive = TRUE)
  }
  store
}

# The store of a folder that has a manifest. Processes that were lost before `since`, by the folder's clock, do not
# count.
open_store <- function(folder, manifest, since) {
  # The path is absolute, because a learner may change the working directory.
  folder <- normalizePath(folder)
  for (place in c("units", "claims")) dir.create(file.path(folder, place), showWarnings = FALSE)
  for (place in c("", "parts", "objects", "plans", "units", "claims")) sweep_parts(file.path(folder, place))
  put <- function(unit) write_unit(unit, unit_path(folder, unit), manifest$number)
  list(
    number = manifest$number, keeps_all = TRUE, folder = folder, manifest = manifest, since = since,
    get = unit_reader(folder, manifest, since), put = put,
    claim = function(key) {
      claim <- claim_unit(folder, unit_name(key), since)
      if (is.null(claim)) return(NULL)
      claim$put <- function(unit) {
        if (!claim$is_held()) rlang::cnd_signal(rlang::cnd("mlsift_claim_lost"))
        put(unit)
      }
      claim
    },
    pause = Sys.sleep
  )
}

unit_name <- function(key) file_name(key$task, key$split, key$selector)

write_unit <- function(unit, path, number) {
  content <- c(list(number = number), unit)
  content$checksum <- checksum(content)
  write_file(path, write_object(content, is_unchanged))
}

is_unchanged <- function(content) {
  is.list(content) && identical(content$checksum, checksum(content[names(content) != "checksum"]))
}

unit_path <- function(folder, key) file.path(folder, "units", paste0(unit_name(key), ".rds"))

# A function that returns a unit, or NULL, and reports each damaged file once.
unit_reader <- function(folder, manifest, since) {
  said <- new.env(parent = emptyenv())
  function(key) {
    path <- unit_path(folder, key)
    unit <- read_unit(path, key, manifest, said)
    if (!is.null(unit$lost) && !written_since(path, since)) unit$lost <- NULL
    unit
  }
}

# A unit is computed again if its file cannot be read, was changed, or belongs to another unit. `said`: the files
# already reported to the user.
read_unit <- function(path, key, manifest, said) {
  if (!file.exists(path)) return(NULL)
  unit <- read_rds(path)
  whole <- is.list(unit) && identical(unit$number, manifest$number) && identical(unit[names(key)], key) &&
    is_unchanged(unit)
  if (whole) return(unit[!names(unit) %in% c("number", "checksum")])
  if (!file.exists(path) || !is.null(said[[path]])) return(NULL)
  said[[path]] <- TRUE
  inform(c("!" = "{.file {path}} is damaged; it is made again."))
  NULL
}

# --- interrupts -------------------------------------------------------------------------------------------------------

# Without a folder, an interrupt or a time limit would lose the finished units. They are therefore first saved in a
# temporary folder. If workers compute, that folder already exists, and an error may also end the benchmark.
keep_on_interrupt <- function(code, plan, store) {
  if (store$keeps_all && !isTRUE(store$is_temporary)) return(force(code))
  tryCatch(
    withCallingHandlers(code, error = function(e) {
      if (is_time_limit(e) || isTRUE(store$is_temporary)) keep_finished(plan, store)
    }),
    interrupt = function(e) {
      keep_finished(plan, store)
      rlang::interrupt()
    }
  )
}

keep_finished <- function(plan, store) {
  folder <- store$folder
  if (is.null(folder)) {
    done <- length(ls(store$units))
    if (done == 0L || isTRUE(store$units$.kept)) return(invisible())
    folder <- tempfile("mlsift-benchmark-")
    kept <- folder_store(folder, plan)
    for (name in ls(store$units)) kept$put(store$units[[name]])
    assign(".kept", TRUE, envir = store$units)
  } else {
    done <- length(list.files(file.path(folder, "units"), "[.]rds$"))
    if (done == 0L) return(invisible())
  }
  inform(c("!" = "Interrupted. What is finished ({done} selection{?s}) is kept in {.file {folder}} for this session.",
    i = "The same call with that {.arg folder} resumes from there."))
}

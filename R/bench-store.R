# Where the units of a benchmark are kept: in memory, or in a folder. The folder has one file for each unit and a
# manifest that identifies the benchmark. A store is list(number, keeps_all, get, put). Files are written under another
# name and then renamed, so that a kill leaves either a whole file or none.

memory_store <- function(number) {
  units <- new.env(parent = emptyenv())
  list(
    number = number, keeps_all = FALSE, units = units,
    get = function(key) units[[unit_name(key)]],
    put = function(unit) assign(unit_name(unit), unit, envir = units)
  )
}

folder_store <- function(folder, plan, call) {
  manifest <- open_manifest(folder, plan, call)
  dir.create(file.path(folder, "units"), showWarnings = FALSE)
  # The path is absolute, because a learner may change the working directory.
  folder <- normalizePath(folder)
  path <- function(key) file.path(folder, "units", paste0(unit_name(key), ".rds"))
  list(
    number = manifest$number, keeps_all = TRUE,
    get = function(key) read_unit(path(key), key, manifest$number),
    put = function(unit) write_rds(c(list(number = manifest$number), unit), path(unit))
  )
}

# A readable file name. A hash of the three names makes it unique.
unit_name <- function(key) {
  parts <- c(key$task, key$split, key$selector)
  hash <- cpp_stream_seed(stream_key(parts))[c(1L, 4L)]
  readable <- substr(gsub("[^A-Za-z0-9.-]+", "_", parts), 1L, 30L)
  paste(c(readable, sprintf("%08x%08x", hash[1L], hash[2L])), collapse = "--")
}

write_rds <- function(object, path) {
  part <- tempfile(".part-", dirname(path))
  saveRDS(object, part)
  if (!file.rename(part, path)) {
    unlink(part)
    abort(c("Cannot write to the folder of the benchmark.", x = "{.file {path}} could not be made."), call = NULL)
  }
}

# A unit is computed again if its file cannot be read or belongs to another unit.
read_unit <- function(path, key, number) {
  if (!file.exists(path)) return(NULL)
  unit <- tryCatch(suppressWarnings(readRDS(path)), error = function(e) NULL)
  if (!is.list(unit) || !identical(unit$number, number) || !identical(unit[names(key)], key)) {
    inform(c("!" = "{.file {path}} is damaged; it is made again."))
    return(NULL)
  }
  unit[names(unit) != "number"]
}

# --- the manifest -----------------------------------------------------------------------------------------------------

manifest_format <- 1L

new_manifest <- function(plan) {
  prints <- function(objects) vapply(objects, fingerprint, "")
  list(
    format = manifest_format, number = plan$number, version = as.character(utils::packageVersion("mlsift")),
    settings = c(discretizer = fingerprint(plan$discretizer), impute = fingerprint(plan$impute),
                 resampling = if (plan$one_resampling) fingerprint(plan$resampling[[1L]]) else NA_character_,
                 target_bins = if (is.null(plan$target_bins)) NA_character_ else fingerprint(plan$target_bins)),
    resampling = prints(plan$resampling), tasks = prints(plan$tasks), selectors = prints(plan$selectors),
    learners = prints(plan$learners), measures = vapply(plan$measures, measure_fingerprint, "")
  )
}

# The manifest of the folder. It is made if there is none. New names are added, and any difference is refused.
open_manifest <- function(folder, plan, call) {
  wanted <- new_manifest(plan)
  path <- file.path(folder, "benchmark.rds")
  if (!file.exists(path)) {
    claim_folder(folder, call)
    write_rds(wanted, path)
    return(wanted)
  }
  stored <- read_manifest(path, folder, call)
  check_same_benchmark(stored, wanted, folder, call)
  merged <- stored
  for (part in c("resampling", "tasks", "selectors", "learners", "measures")) {
    merged[[part]] <- c(stored[[part]], wanted[[part]][setdiff(names(wanted[[part]]), names(stored[[part]]))])
  }
  if (is.na(stored$settings["target_bins"])) merged$settings["target_bins"] <- wanted$settings["target_bins"]
  if (!identical(merged, stored)) write_rds(merged, path)
  merged
}

# Makes the folder or checks that it is empty. A kill may have left an unfinished first manifest in it.
claim_folder <- function(folder, call) {
  if (file.exists(folder) && !dir.exists(folder)) {
    abort(c("{.arg folder} must be a folder.", x = "{.file {folder}} is a file."), call = call)
  }
  if (!dir.exists(folder) && !dir.create(folder, recursive = TRUE, showWarnings = FALSE)) {
    abort(c("{.arg folder} must be a folder that can be made.", x = "{.file {folder}} could not be made."), call = call)
  }
  files <- list.files(folder, all.files = TRUE, no.. = TRUE)
  files <- files[!startsWith(files, ".part-")]
  if (length(files) > 0L) {
    abort(c("{.arg folder} must be new, empty, or the folder of a benchmark.",
            x = "{.file {folder}} holds {length(files)} file{?s}, such as {.file {files[1]}}, and no benchmark.",
            i = "Name another folder."), call = call)
  }
}

read_manifest <- function(path, folder, call) {
  manifest <- tryCatch(suppressWarnings(readRDS(path)), error = function(e) NULL)
  if (!is.list(manifest) || !identical(manifest$format, manifest_format)) {
    abort(c("{.arg folder} must be new, empty, or the folder of a benchmark.",
            x = "{.file {path}} was not written by this version of {.fn benchmark_selectors}, or is damaged.",
            i = "Name another folder."), call = call)
  }
  manifest
}

check_same_benchmark <- function(stored, wanted, folder, call) {
  refuse <- function(what, hint, envir = rlang::caller_env()) {
    abort(c("{.arg folder} belongs to another benchmark.", x = what,
            i = paste0(hint, " or use another folder.")), call = call, .envir = envir)
  }
  for (setting in names(wanted$settings)) {
    pair <- c(stored$settings[setting], wanted$settings[setting])
    if (!anyNA(pair) && pair[1L] != pair[2L]) refuse(
      paste0("{.file {folder}} was made with another {.arg ", setting, "}."), "Use the same one,"
    )
  }
  nouns <- c(resampling = "another resampling", tasks = "other data", selectors = "other parameters",
             learners = "other parameters", measures = "other parameters")
  for (part in names(nouns)) {
    both <- intersect(names(stored[[part]]), names(wanted[[part]]))
    odd <- both[stored[[part]][both] != wanted[[part]][both]]
    if (length(odd) == 0L) next
    one <- if (part == "resampling") "task" else sub("s$", "", part)
    refuse(paste0("In {.file {folder}}, ", one, " {.val {odd[1]}} has ", nouns[[part]], "."),
           if (part == "resampling") "Use the same one," else paste0("Give this ", one, " another name,"))
  }
}

# --- fingerprints -----------------------------------------------------------------------------------------------------

# Equal for equal data and parameters, in any session and for any form in which R holds them in memory. Functions are
# compared by their code only.
fingerprint <- function(x) {
  # The first 14 bytes hold the version of R. Version 2 of the format writes all vectors in full.
  rlang::hash(serialize(plain_data(x), NULL, version = 2L)[-seq_len(14L)])
}

plain_data <- function(x) UseMethod("plain_data")

#' @exportS3Method
plain_data.default <- function(x) {
  if (is.primitive(x)) return(deparse(x))
  if (is.function(x)) return(c(
    "function", deparse(args(x), control = plain_code), deparse(body(x), control = plain_code)
  ))
  if (is.environment(x) || isS4(x)) return(class(x))
  if (is.language(x)) return(deparse(x, control = plain_code))
  marks <- list(
    names = names(x), class = if (is.object(x)) class(x), dim = dim(x), columns = colnames(x), levels = levels(x)
  )
  value <- if (is.list(x)) lapply(unname(as.list(unclass(x))), plain_data) else as.vector(unclass(x))
  if (is.character(value)) value <- enc2utf8(value)
  list(value, lapply(marks, function(m) if (is.character(m)) enc2utf8(m) else m))
}

plain_code <- c("keepNA", "keepInteger", "niceNames", "showAttributes", "digits17")

#' @exportS3Method
plain_data.dgCMatrix <- function(x) list(x@i, x@p, x@x, x@Dim, enc2utf8(colnames(x)))

#' @exportS3Method
plain_data.mltask <- function(x) lapply(unclass(x)[c("x", "y", "kind", "discrete")], plain_data)

# A built-in measure is identified by its name, a custom one by all its content.
measure_fingerprint <- function(record) fingerprint(if (inherits(record, "mlmeasure")) record else record$method)

# --- interrupts -------------------------------------------------------------------------------------------------------

# Without a folder, an interrupt or a time limit would lose what is finished. So it is first saved in a temporary one.
keep_on_interrupt <- function(code, plan, store) {
  if (store$keeps_all) return(force(code))
  tryCatch(
    withCallingHandlers(code, error = function(e) if (is_time_limit(e)) keep_finished(plan, store)),
    interrupt = function(e) {
      keep_finished(plan, store)
      rlang::interrupt()
    }
  )
}

keep_finished <- function(plan, store) {
  done <- length(ls(store$units))
  if (done == 0L || isTRUE(store$units$.kept)) return(invisible())
  folder <- tempfile("mlsift-benchmark-")
  kept <- folder_store(folder, plan, NULL)
  for (name in ls(store$units)) kept$put(store$units[[name]])
  assign(".kept", TRUE, envir = store$units)
  inform(c("!" = "Interrupted. What is finished ({done} selection{?s}) is kept in {.file {folder}} for this session.",
           i = "The same call with that {.arg folder} resumes from there."))
}

# The parts of a benchmark that its folder knows. benchmark.rds is made once, and never changed:
#
#   benchmark.rds  the random number, the session that began the benchmark, and the fingerprints of what holds for the
#                  whole benchmark
#   parts/         the fingerprint of each task, resampling, selector, learner and measure, by its name
#   objects/       tasks and other parts, by their fingerprints
#   plans/         what each call has asked for, by the names of the parts
#   units/         results
#   claims/        which process computes what, see bench-claims.R
#
# Each file of parts/ is made by only one process and is never replaced. So processes that add parts at the same time
# keep each other's parts, and a process that uses an existing name for something else is refused. Folders of other
# formats are refused.
manifest_format <- 4L

plan_settings <- c("discretizer", "learner_discretizer", "impute", "target_bins")

folder_parts <- c("resampling", "tasks", "selectors", "learners", "measures")

new_manifest <- function(plan) {
  prints <- function(objects) vapply(objects, fingerprint, "")
  list(
    format = manifest_format, number = plan$number, build = own_build(), session = run_session(),
    settings = c(prints(plan[c("discretizer", "learner_discretizer", "impute")]),
      resampling = if (plan$one_resampling) resampling_print(plan$resampling[[1L]]) else NA_character_,
      target_bins = if (is.null(plan$target_bins)) NA_character_ else fingerprint(plan$target_bins)),
    resampling = vapply(plan$resampling, resampling_print, ""), tasks = prints(plan$tasks),
    selectors = prints(plan$selectors), learners = prints(plan$learners),
    measures = prints(lapply(plan$measures, measure_content))
  )
}

# The splits of the first repeats do not depend on how many follow, so repeats may be added. The names of folds show
# whether there is one repeat or several.
resampling_print <- function(resampling) {
  repeats <- resampling$params$repeats
  resampling$params$repeats <- if (resampling$method == "cv") repeats > 1L
  fingerprint(resampling)
}

# The manifest of the folder, with all parts. It is created if there is none. New names are added; any difference is
# refused. The parts are read again after some were added, because another process may have been faster. `begun_here`:
# whether this call created it.
open_manifest <- function(folder, plan) {
  wanted <- new_manifest(plan)
  begun_here <- FALSE
  path <- file.path(folder, "benchmark.rds")
  repeat {
    if (!file.exists(path)) {
      claim_folder(folder)
      begun_here <- create_record(wanted[setdiff(names(wanted), folder_parts)], path)
      next
    }
    stored <- read_manifest(folder)
    check_same_benchmark(stored, wanted, plan$tasks, folder)
    new <- new_parts(stored, wanted)
    if (length(new) == 0L) return(c(stored, list(begun_here = begun_here)))
    dir.create(file.path(folder, "parts"), showWarnings = FALSE)
    for (one in new) create_part(one, folder)
  }
}

# Another process may create the same part. A file of that name that holds a different part would stay forever.
create_part <- function(one, folder) {
  path <- part_path(folder, one)
  if (create_record(one, path) || !file.exists(path) || !is.null(read_part(path, folder))) return()
  abort_damaged(path, "holds another part of the benchmark")
}

# The fingerprints in `wanted` that are not in `stored`: lists of part, name and print.
new_parts <- function(stored, wanted) {
  new <- unlist(lapply(folder_parts, function(part) {
    names <- setdiff(names(wanted[[part]]), names(stored[[part]]))
    lapply(names, function(name) list(part = part, name = name, print = wanted[[part]][[name]]))
  }), recursive = FALSE)
  bins <- wanted$settings[["target_bins"]]
  if (is.na(bins) || !is.na(stored$settings[["target_bins"]])) return(new)
  c(new, list(list(part = "settings", name = "target_bins", print = bins)))
}

create_record <- function(record, path) {
  create_file(path, write_object(record, function(found) identical(found, record)))
}

part_path <- function(folder, one) file.path(folder, "parts", paste0(file_name(one$part, one$name), ".rds"))

# A readable file name, made unique by a hash of the names.
file_name <- function(...) {
  parts <- c(...)
  hash <- cpp_stream_seed(stream_key(parts))[c(1L, 4L)]
  readable <- substr(gsub("[^A-Za-z0-9.-]+", "_", parts), 1L, 30L)
  paste(c(readable, sprintf("%08x%08x", hash[1L], hash[2L])), collapse = "--")
}

# Creates the folder or checks that it is empty. Another process may be writing the first manifest right now, or a
# killed process may have left an unfinished one.
claim_folder <- function(folder) {
  if (file.exists(folder) && !dir.exists(folder)) {
    abort(c("{.arg folder} must be a folder.", x = "{.file {folder}} is a file."))
  }
  if (!dir.exists(folder) && !dir.create(folder, recursive = TRUE, showWarnings = FALSE) && !dir.exists(folder)) {
    abort(c("{.arg folder} must be a folder that can be made.", x = "{.file {folder}} could not be made."))
  }
  files <- list.files(folder, all.files = TRUE, no.. = TRUE)
  files <- files[!startsWith(files, ".part-") & !startsWith(files, "benchmark.rds")]
  if (length(files) > 0L && !file.exists(file.path(folder, "benchmark.rds"))) {
    abort(c("{.arg folder} must be new, empty, or the folder of a benchmark.",
      x = "{.file {folder}} holds {length(files)} file{?s}, such as {.file {files[1]}}, and no benchmark.",
      i = "Name another folder."))
  }
}

read_manifest <- function(folder) {
  path <- file.path(folder, "benchmark.rds")
  manifest <- read_rds(path)
  if (!is_manifest(manifest)) abort(c("{.arg folder} must be new, empty, or the folder of a benchmark.",
    x = "{.file {path}} was not written by this version of {.fn benchmark_selectors}, or is damaged.",
    i = "Name another folder."))
  for (path in list.files(file.path(folder, "parts"), "[.]rds$", full.names = TRUE)) {
    one <- read_part(path, folder)
    if (is.null(one)) next
    manifest[[one$part]] <- c(manifest[[one$part]], stats::setNames(one$print, one$name))
    if (one$part == "settings") manifest$settings[[one$name]] <- one$print
  }
  manifest
}

is_manifest <- function(x) {
  is.list(x) && identical(x$format, manifest_format) && is.numeric(x$number) && length(x$number) == 1L &&
    is.character(x$settings)
}

# Copies under other names are ignored. A damaged file is an error, because its part would be unknown.
read_part <- function(path, folder) {
  one <- read_rds(path)
  fields <- c("part", "name", "print")
  if (!is.list(one) || !all(vapply(fields, function(field) rlang::is_string(one[[field]]), NA))) {
    abort_damaged(path, "cannot be read")
  }
  if (basename(part_path(folder, one)) == basename(path)) one
}

abort_damaged <- function(path, how, hint = "Name another folder, or put a copy of this file back.") {
  abort(c("The folder of the benchmark is damaged.", x = "{.file {path}} {how}.", i = hint))
}

check_same_benchmark <- function(stored, wanted, tasks, folder) {
  refuse <- function(what, hint, envir = rlang::caller_env()) {
    abort(c("{.arg folder} belongs to another benchmark.", x = what,
      i = paste0(hint, " or use another folder.")), .envir = envir)
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
    if (part == "tasks" && only_weights_differ(tasks[[odd[1L]]], folder, stored$tasks[[odd[1L]]])) {
      nouns[[part]] <- "other weights of rows"
    }
    refuse(paste0("In {.file {folder}}, ", one, " {.val {odd[1]}} has ", nouns[[part]], "."),
      if (part == "resampling") "Use the same one," else paste0("Give this ", one, " another name,"))
  }
}

# Whether a task differs from that of the folder only in its weights. If the task is missing, only its fingerprint is
# known.
only_weights_differ <- function(task, folder, print) {
  stored <- read_rds(object_path(folder, print))
  if (!is.list(stored) || !inherits(stored[[1L]], "mltask")) return(FALSE)
  unweighted <- function(task) {
    task$rows$weights <- NULL
    fingerprint(task)
  }
  unweighted(stored[[1L]]) == unweighted(task)
}

# --- objects and plans ------------------------------------------------------------------------------------------------

# Stores what another process needs to take part: the objects, and what this call asks for. The plan is written last, so
# that everything it names exists. Nothing is written twice. Returns the name of the plan.
share_plan <- function(folder, plan, manifest) {
  asked <- list(
    parts = lapply(plan[c("tasks", "selectors", "learners", "measures")], names), grids = plan$grids,
    splits = lapply(plan$splits, names), rows = vapply(plan$splits, fingerprint, ""),
    settings = vapply(plan[plan_settings], fingerprint, ""),
    resampling = vapply(plan$resampling, fingerprint, ""), one_resampling = plan$one_resampling
  )
  name <- fingerprint(asked)
  path <- file.path(folder, "plans", paste0(name, ".rds"))
  prints <- c(unlist(lapply(names(asked$parts), function(part) manifest[[part]][asked$parts[[part]]])), asked$rows,
    asked$settings, asked$resampling)
  if (identical(read_rds(path), asked) && all(file.exists(object_path(folder, prints)))) return(name)
  for (place in c("objects", "plans")) dir.create(file.path(folder, place), showWarnings = FALSE)
  put <- function(objects, prints) for (i in seq_along(objects)) put_object(folder, prints[[i]], objects[[i]])
  for (part in c("tasks", "selectors", "learners")) put(plan[[part]], manifest[[part]][names(plan[[part]])])
  put(lapply(plan$measures, measure_content), manifest$measures[names(plan$measures)])
  put(plan$splits, asked$rows)
  put(plan[plan_settings], asked$settings)
  put(plan$resampling, asked$resampling)
  write_file(path, write_object(asked, function(found) identical(found, asked)))
  name
}

object_path <- function(folder, print) file.path(folder, "objects", paste0(print, ".rds"))

put_object <- function(folder, print, object) {
  path <- object_path(folder, print)
  whole <- function(found) is.list(found) && length(found) == 1L && identical(fingerprint(found[[1L]]), print)
  if (file.exists(path) && isTRUE(or_else(whole(read_rds(path)), FALSE))) return()
  write_file(path, write_object(list(object), whole))
}

get_object <- function(folder, print) {
  path <- object_path(folder, print)
  found <- read_rds(path)
  if (!is.list(found) || length(found) != 1L || !identical(fingerprint(found[[1L]]), print)) {
    abort_damaged(path, "is missing or cannot be read",
      "Delete it, if it is there, and call {.fn benchmark_selectors} again with this {.arg folder}.")
  }
  found[[1L]]
}

# The fingerprint of a part that a plan names.
known_print <- function(manifest, part, name, folder) {
  prints <- manifest[[part]]
  if (!name %in% names(prints)) {
    abort_damaged(part_path(folder, list(part = part, name = name)), "is missing",
      "Put a copy of this file back, or call {.fn benchmark_selectors} again with this {.arg folder}.")
  }
  prints[[name]]
}

read_plans <- function(folder) {
  files <- list.files(file.path(folder, "plans"), "[.]rds$", full.names = TRUE)
  plans <- lapply(stats::setNames(files, sub("[.]rds$", "", basename(files))), read_rds)
  whole <- vapply(names(plans), function(name) identical(fingerprint(plans[[name]]), name), NA)
  if (!all(whole)) inform(c(
    "!" = "{.file {files[!whole][1]}} is damaged and is ignored.",
    i = "The call of {.fn benchmark_selectors} that made it writes it again."
  ))
  if (!any(whole)) abort(c("{.arg folder} must be the folder of a benchmark that another process has begun.",
    x = "{.file {folder}} does not state what is to be computed.",
    i = "Call {.fn benchmark_selectors} with this {.arg folder} first."))
  plans[whole]
}

# A plan as benchmark_selectors() makes it. Tasks and splits are read when a unit needs them, one task at a time.
load_plan <- function(folder, asked, manifest, threads) {
  get <- function(part) {
    names <- stats::setNames(nm = asked$parts[[part]])
    lapply(names, function(name) get_object(folder, known_print(manifest, part, name, folder)))
  }
  for (name in asked$parts$tasks) known_print(manifest, "tasks", name, folder)
  plan <- lapply(stats::setNames(nm = names(asked$settings)), function(name) {
    get_object(folder, asked$settings[[name]])
  })
  plan <- c(plan, list(
    selectors = get("selectors"), learners = get("learners"), measures = lapply(get("measures"), as_stored_measure),
    grids = asked$grids, number = manifest$number, user_threads = threads, kept = new.env(parent = emptyenv())
  ))
  nothing <- function(names) stats::setNames(vector("list", length(names)), names)
  plan$tasks <- nothing(asked$parts$tasks)
  plan$splits <- lapply(asked$splits, nothing)
  kept <- list(name = "")
  plan$load_task <- function(name) {
    if (kept$name != name) kept <<- list(
      name = name, task = get_object(folder, manifest$tasks[[name]]),
      splits = get_object(folder, asked$rows[[name]])
    )
    kept
  }
  plan
}

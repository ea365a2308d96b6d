#' Take part in a benchmark, or look at its state
#'
#' The `folder` of [benchmark_selectors()] is a queue of units. A unit is one combination of task, split and selector,
#' with all learners. Any number of processes may work on it, on any machines that see the folder.
#' `join_benchmark()` computes units until nothing is left. `benchmark_status()` shows what is done.
#'
#' A process begins a benchmark with [benchmark_selectors()]. Another process takes part by `join_benchmark()`, or by
#' the same call of [benchmark_selectors()], which also returns the result. The result is the same to the last bit,
#' whoever computes.
#'
#' **Lost processes.** A process that computes a unit writes a sign of life to a file of the folder every 10 seconds.
#' If it is lost, another process takes the unit over: at once if both are on the same machine, otherwise after 60
#' seconds. `options(mlsift.stale = 300)` sets another number of seconds. Only the unit in work is lost. A unit whose
#' processes were lost three times is not tried again. It gives missing values, and [failures()] lists it with the stage
#' `"worker"`. The next call of [benchmark_selectors()] tries it again.
#'
#' **Functions of your own.** Functions of [sel_custom()], [lrn_custom()], [msr_custom()] and the like are stored in the
#' folder. In other processes they find packages by `package::`, and what is defined inside of them. They do not find
#' the objects of your session.
#'
#' **Trust.** A folder holds R objects and functions. Open or join only folders that you trust.
#'
#' @param folder (string) The folder of a benchmark, begun by [benchmark_selectors()].
#' @inheritParams benchmark_selectors
#' @param threads Number of threads. `NULL` uses `getOption("mlsift.threads")`, or else a number that suits the amount
#'   of work.
#' @return `benchmark_status()` gives a data frame of class `mlbenchmarkstatus` with one row for each unit: `task`,
#'   `split`, `selector`, `state`, and for those that are running `host`, `process` and `since` (the time at which it
#'   was claimed). The states are `"done"`, `"failed"` (done, with failures), `"running"`, `"lost"` (claimed by a
#'   process that does not run any more) and `"left"`. `join_benchmark()` returns the status at its end, invisibly.
#' @family benchmarks
#' @examples
#' folder <- tempfile("benchmark-")
#' set.seed(1)
#' bench <- benchmark_selectors(help_pages, list(sel_mim(), sel_random()), lrn_nb(), rs_cv(3),
#'   k = c(5, 10), measures = "hamming_loss", folder = folder
#' )
#' benchmark_status(folder)
#' # In another process, while the benchmark runs:
#' join_benchmark(folder)
#' @export
join_benchmark <- function(folder, any_build = FALSE, progress = interactive(), threads = 1) {
  check_flag(any_build)
  check_flag(progress)
  if (!is.null(threads)) threads <- check_count(threads)
  stale_seconds()
  manifest <- read_begun(folder)
  odd <- other_build(manifest$build)
  if (!any_build && !is.null(odd)) {
    abort(c("{.arg folder} must have been begun by this build of mlsift.", x = "{upper_first(odd)}.",
      i = "Use the same build, or allow another one by {.code any_build = TRUE}."))
  }
  store <- open_store(folder, manifest, -Inf)
  done <- character()
  repeat {
    plans <- read_plans(store$folder)
    new <- setdiff(names(plans), done)
    if (length(new) == 0L) return(invisible(benchmark_status(store$folder)))
    for (name in new) join_plan(store, plans[[name]], threads, progress)
    done <- c(done, new)
  }
}

join_plan <- function(store, asked, threads, progress) {
  plan <- load_plan(store$folder, asked, read_manifest(store$folder), threads)
  keys <- unit_keys(plan)
  show <- new_progress(length(keys), 0L, progress)
  run_here(keys, plan, store, new.env(parent = emptyenv()), show)
}

read_begun <- function(folder) {
  check_string(folder)
  if (!file.exists(file.path(folder, "benchmark.rds"))) {
    abort(c("{.arg folder} must be the folder of a benchmark that another process has begun.",
      x = if (dir.exists(folder)) "{.file {folder}} holds no benchmark."
      else "There is no folder {.file {folder}}.",
      i = "Call {.fn benchmark_selectors} with this {.arg folder} first."))
  }
  read_manifest(folder)
}

#' @rdname join_benchmark
#' @export
benchmark_status <- function(folder) {
  manifest <- read_begun(folder)
  folder <- normalizePath(folder)
  plans <- lapply(read_plans(folder), function(asked) load_plan(folder, asked, manifest, NULL))
  get <- unit_reader(folder, manifest, -Inf)
  rows <- unique(do.call(rbind, lapply(plans, unit_table)))
  plans <- lapply(plans, function(plan) list(plan = plan, names = vapply(unit_keys(plan), unit_name, "")))
  states <- lapply(seq_len(nrow(rows)), function(i) unit_state(as.list(rows[i, ]), folder, plans, get))
  owner <- function(field) vapply(states, function(state) state$owner[[field]] %||% NA_character_, "")
  rows$state <- vapply(states, `[[`, "", "state")
  rows$host <- owner("host")
  rows$process <- as.integer(owner("pid"))
  rows$since <- as.POSIXct(owner("since"), format = "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
  structure(renumbered(rows), class = c("mlbenchmarkstatus", "data.frame"))
}

# The state of a unit across all plans that ask for it: list(state, owner).
unit_state <- function(key, folder, plans, get) {
  name <- unit_name(key)
  unit <- get(key)
  jobs <- lapply(Filter(function(one) name %in% one$names, plans), function(one) new_job(one$plan, key))
  if (all(vapply(jobs, function(job) is_finished(unit, job), NA))) {
    failed <- any(vapply(jobs, function(job) length(unit_failures(unit, job)$message) > 0L, NA))
    return(list(state = if (failed) "failed" else "done"))
  }
  newest <- newest_claim(folder, name)
  owner <- if (newest > 0L) read_claim(claim_path(folder, name, newest))
  if (is.null(owner)) return(list(state = "left"))
  list(state = if (is_lost(claim_path(folder, name, newest))) "lost" else "running", owner = owner)
}

#' @export
print.mlbenchmarkstatus <- function(x, n = 8L, ...) {
  n <- check_count(n, min = 0)
  counts <- table(factor(x$state, c("done", "failed", "running", "lost", "left")))
  text <- paste(format_count(as.vector(counts)), names(counts))[counts > 0L | names(counts) %in% c("done", "left")]
  cat("<mlbenchmarkstatus> ", counted(nrow(x), "unit"), ": ", paste(text, collapse = ", "), "\n", sep = "")
  at <- x[x$state %in% c("running", "lost"), ]
  rows <- utils::head(at, n)
  if (nrow(rows) > 0L) cat(paste0(
    "  ", rows$state, ": ", rows$task, ", ", rows$split, ", ", rows$selector, " on ", rows$host, " (process ",
    rows$process, ") since ", format(rows$since, tz = ""), "\n"
  ), sep = "")
  if (nrow(at) > n) cat("# ", counted(nrow(at) - n, "more"), "; all of them are rows of this data frame\n", sep = "")
  if (counts[["failed"]] > 0L) cat("# failures() of the benchmark gives the reasons\n")
  invisible(x)
}

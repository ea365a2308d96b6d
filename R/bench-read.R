#' Read a benchmark back from its folder
#'
#' Gives what is finished in the folder of [benchmark_selectors()], without the tasks, selectors and learners of the
#' call. Several calls with one folder are joined, the latest first. Units that are not finished are left out, and a
#' message gives their number. So a benchmark can be looked at while it runs.
#'
#' @param folder (string) The folder of a benchmark. It holds R objects and functions: read only folders that you trust.
#' @return A benchmark, as [benchmark_selectors()] returns it. An error, if nothing is finished.
#' @seealso [benchmark_status()] for the state of each unit.
#' @family benchmarks
#' @examples
#' folder <- tempfile("benchmark-")
#' set.seed(1)
#' bench <- benchmark_selectors(help_pages, list(sel_mim(), sel_random()), lrn_nb(), rs_cv(3),
#'   k = c(5, 10), measures = "hamming_loss", folder = folder
#' )
#' identical(read_benchmark(folder), bench)
#' @export
read_benchmark <- function(folder) {
  manifest <- read_begun(folder)
  folder <- normalizePath(folder)
  asked <- read_plans(folder)
  made <- file.mtime(file.path(folder, "plans", paste0(names(asked), ".rds")))
  asked <- asked[order(-as.double(made), names(asked))]
  get <- unit_reader(folder, manifest, -Inf)
  parts <- lapply(unname(asked), function(one) finished_part(read_plan(folder, one, manifest), get))
  left <- sum(vapply(parts, `[[`, 0L, "left"))
  parts <- Filter(function(bench) nrow(bench) > 0L, lapply(parts, `[[`, "bench"))
  if (length(parts) == 0L) {
    abort(c("{.arg folder} must hold finished units of a benchmark.", x = "In {.file {folder}}, none is finished.",
      i = "{.fn benchmark_status} shows the state of each unit."))
  }
  if (left > 0L) inform(c(
    "!" = "{left} unit{?s} {?is/are} not finished and {?is/are} left out.",
    i = "The call of {.fn benchmark_selectors} that made the folder resumes the benchmark."
  ))
  bench <- parts[[1L]]
  for (part in parts[-1L]) bench <- add_cells(bench, part)
  bench
}

read_plan <- function(folder, asked, manifest) {
  plan <- load_plan(folder, asked, manifest, NULL)
  for (task in names(plan$tasks)) {
    plan$tasks[[task]] <- get_object(folder, manifest$tasks[[task]])
    plan$splits[[task]] <- get_object(folder, asked$rows[[task]])
  }
  plan$load_task <- NULL
  plan$session <- manifest$session
  plan$resampling <- lapply(asked$resampling, function(print) get_object(folder, print))
  plan$one_resampling <- asked$one_resampling
  plan
}

# list(bench, left): the finished units of a plan as a benchmark, and the number of the other units.
finished_part <- function(plan, get) {
  keys <- unit_keys(plan)
  units <- lapply(keys, get)
  finished <- which_finished(units, keys, plan)
  list(bench = collect_benchmark(plan, units[finished], keys[finished]), left = sum(!finished))
}

# Adds the cells of another part of the same folder, in which splits with the same name have the same rows.
add_cells <- function(bench, part) {
  cells <- function(rows) do.call(paste, c(rows[cell_columns], sep = "\x1f"))
  new <- part[!cells(part) %in% cells(bench), ]
  if (nrow(new) == 0L) bench else join_benchmarks(list(bench, new))
}

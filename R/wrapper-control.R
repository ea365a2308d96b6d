#' Settings that searches share
#'
#' Searches with a learner, such as [sel_rga()], take these arguments by name: `sel_rga(inner = rs_cv(3))`. For several
#' searches with the same settings, make an object of them once, and give it as `control`. [sel_sequential()] has no
#' population, and refuses `population` and `start`.
#'
#' @param population (count) Size of the population, or number of particles.
#' @param inner How the rows are split for the evaluations: [rs_holdout()], [rs_cv()], ... With several splits, the
#'   learner is fitted once for each, and the value is the mean. `NULL` is `rs_holdout(0.8, 1)`. For a task with times
#'   and without groups, it tests on the last fifth of the rows in time.
#' @param redraw (flag) Whether `inner` is drawn anew for each evaluation. The values of different sets are then harder
#'   to compare.
#' @param cache (flag) Whether a set that comes up again keeps its value and costs no evaluation.
#' @param discretizer A discretizer for the features that the learner uses, such as [disc_equal_width()]. It is fitted
#'   to the inner training rows. `NULL` for the features as they are.
#' @param start Sets for the first population: a list of sets (names or positions of features), or a selection. A
#'   ranking gives its first 1, 2, 3, ... features as sets. Random sets fill up the population.
#' @return An object for the argument `control` of [sel_rga()], [sel_ga_explore()], [sel_mamfs()], [sel_nsga2()],
#'   [sel_mpsofs()] and [sel_sequential()].
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' control <- search_control(population = 10, inner = rs_cv(3))
#' sift_features(words, sel_rga(max_features = 3, evaluations = 50, control = control))
#' # The same settings by name:
#' sel_mamfs(max_features = 3, evaluations = 50, population = 10, inner = rs_cv(3))
#' @export
search_control <- function(population = 20, inner = NULL, redraw = FALSE, cache = FALSE,
                           discretizer = NULL, start = NULL) {
  new_settings("mlcontrol", checked_settings(mget(names(formals()))))
}

checked_settings <- function(settings) {
  inner <- settings$inner
  if (!is.null(inner)) check_resampling(inner)
  if (!is.null(settings$discretizer)) check_discretizer(settings$discretizer)
  check_start(settings$start)
  settings$population <- check_count(settings$population, arg = "population")
  for (flag in c("redraw", "cache")) settings[[flag]] <- check_flag(settings[[flag]], arg = flag)
  settings
}

check_start <- function(start) {
  if (is.null(start) || inherits(start, "mlselection")) return(invisible())
  is_set <- function(set) (is.character(set) || is.numeric(set)) && length(set) > 0L && !anyNA(set)
  odd <- if (is.list(start)) which(!vapply(start, is_set, NA))
  if (is.list(start) && length(odd) == 0L) return(invisible())
  found <- if (length(odd) > 0L) paste("Element", odd[1L], "is", describe(start[[odd[1L]]])) else
    paste("It is", describe(start))
  abort(c("{.arg start} must be a list of sets of features (names or positions), or a selection.", x = "{found}."))
}

# The settings given in the `...` of a function, made by the constructor `maker`: its arguments by name, or `control`,
# such settings. `more`: further arguments, which the constructor passes on; `own`: those of the function itself.
given_settings <- function(given, maker, class, more = character(), own = character()) {
  names <- rlang::names2(given)
  check_settings_names(names, maker, setdiff(c(names(formals(maker)), more), "..."), own)
  if (!"control" %in% names) return(do.call(maker, given))
  check_class(given$control, class, paste0("Make one with {.fn ", maker, "}."), arg = "control")
  others <- setdiff(names, "control")
  if (length(others) > 0L) abort(c("{.arg control} must be the only one of the settings.",
    x = "{.arg {others}} {?is/are} given too.", i = "Give {cli::qty(others)}{?it/them} to {.fn {maker}}."))
  given$control
}

check_settings_names <- function(names, maker, known, own) {
  at <- which(!names %in% c("control", known) | duplicated(names))[1L]
  if (is.na(at)) return(invisible())
  name <- names[at]
  if (!nzchar(name)) abort(c("Arguments of {.fn {maker}} must be given by name.", x = "One has no name.",
    i = "They are {.arg {known}}."))
  if (name %in% names[-at]) abort("{.arg {name}} must be given only once.")
  abort(c("There is no argument {.arg {name}}.", i = did_you_mean(name, c(own, known), "arg"),
    i = if (length(own) > 0L) "There are {.arg {own}}, and {.arg {known}} of {.fn {maker}}."
    else "There are {.arg {known}}.",
    i = if (name == "seed") "Call {.fn set.seed} first."))
}

# The parameters common to all searches. `given`: a list of their `...`.
search_params <- function(learner, measure, max_features, evaluations, given, has_population = TRUE) {
  own <- setdiff(names(formals(rlang::caller_fn())), "...")
  check_learner(learner)
  measure <- check_one_measure(measure)
  params <- list(
    learner = learner, measure = measure, max_features = check_count(max_features, null = TRUE),
    evaluations = check_count(evaluations, null = !has_population)
  )
  control <- unclass(given_settings(given, "search_control", "mlcontrol", own = own))
  if (!has_population) return(c(params, control_without_population(control)))
  if (control$population > params$evaluations) {
    abort(c("{.arg population} must not be larger than {.arg evaluations}, which include the first population.",
      x = "{.arg population} is {control$population}; {.arg evaluations} is {params$evaluations}."))
  }
  c(params, control)
}

control_without_population <- function(control) {
  if (!is.null(control$start) || control$population != formals(search_control)$population) {
    abort(c("{.arg population} and {.arg start} must be left out.", x = "This search has no population."))
  }
  control[!names(control) %in% c("population", "start")]
}

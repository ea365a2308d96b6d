#' How many features?
#'
#' Chooses the number of features by resampling. On each split, features are selected on the training rows and a learner
#' is assessed on the test rows with the first `k` of them, for each `k`. The mean over splits is the curve from which
#' `k` is chosen. The features are then selected on all rows.
#'
#' `sel_tuned()` makes a selector of this: within [sift_features()] it gives the chosen number of features, and within
#' [benchmark_selectors()] it chooses anew on the training rows of each split. So the benchmark's test rows play no part
#' in the choice.
#'
#' @param task (`mltask`) The data.
#' @param selector (`mlselector`) One selector.
#' @param learner (`mllearner`) One learner.
#' @param measure The name of one measure, such as `"hamming_loss"`, or one made by [measure()] or
#'   [msr_custom()].
#' @param k (counts) The numbers of features to try. Those above the number of features of the task are left out.
#' @param resampling How rows are split: [rs_cv()], [rs_holdout()], ... `NULL` is `rs_cv(5)`, or [rs_forward()] for a
#'   task with times and without groups.
#' @param rule `"best"` takes the `k` of the best mean, of equal ones the smallest. `"one-se"` takes the smallest `k`
#'   whose mean is within one standard error of the best.
#' @param discretizer,impute,target_bins,threads As in [benchmark_selectors()].
#' @return `tune_k()` gives an object of class `mltuning`, see [tune_selection()], which chooses among several selectors
#'   too. `plot()` draws the curve, and [selected()] gives the names of the features. `sel_tuned()` gives a selector.
#' @references Breiman, Friedman, Olshen and Stone (1984). Classification and regression trees, section 3.4.3 (the rule
#'   of one standard error). Wadsworth.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(120, n_features = 15, n_targets = 3)
#' tuned <- tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", k = 1:8, resampling = rs_cv(3))
#' tuned
#' selected(tuned)
#' plot(tuned)
#' @export
tune_k <- function(task, selector, learner, measure, k, resampling = NULL, rule = c("best", "one-se"),
                   discretizer = disc_auto(), impute = NULL, target_bins = NULL, threads = NULL) {
  call <- rlang::current_env()
  check_mltask(task)
  params <- tuning_params(selector, learner, measure, k, resampling, rule, call)
  options <- list(discretizer = discretizer, impute = impute, target_bins = target_bins, threads = threads)
  choose_selection(task, as_choice(params), options, call)
}

#' @rdname tune_k
#' @export
sel_tuned <- function(selector, learner, measure, k, resampling = NULL, rule = c("best", "one-se")) {
  params <- tuning_params(selector, learner, measure, k, resampling, rule, rlang::current_env())
  new_selector(paste0(selector$name, " (tuned)"), "tuned", params)
}

tuning_params <- function(selector, learner, measure, k, resampling, rule, call) {
  check_selector(selector, call = call)
  check_learner(learner, call = call)
  measure <- check_one_measure(measure, call = call)
  k <- check_grid_sizes(k, call)
  if (!is.null(resampling)) check_resampling(resampling, call = call)
  list(
    selector = selector, learner = learner, measure = measure, k = k, resampling = resampling,
    rule = check_choice(rule, c("best", "one-se"), call = call)
  )
}

# The same in the form of parameters for the choice among several selectors.
as_choice <- function(params) {
  selectors <- stats::setNames(list(params$selector), params$selector$name)
  c(list(selectors = selectors, race = FALSE, max_seconds = Inf), params[names(params) != "selector"])
}

register_selector("tuned",
  constructor = "sel_tuned(sel_mim(), lrn_nb(), \"hamming_loss\", k = 1:10)",
  name = "MIM-BR (tuned)", source = "mlsift", whole = TRUE,
  kinds = function(params) learner_method(params$learner)$kinds, needs = character(),
  variants = list(list(learner = lrn_nb(), selector = sel_none())),
  weights = all_take("weights"), unknown = all_take("unknown"),
  gives = function(params) if (selector_method(params$selector)$gives == "set") "set" else "path",
  run = function(input, params) run_choice(input, as_choice(params))
)

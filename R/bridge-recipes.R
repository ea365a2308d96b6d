#' A recipe step that selects features
#'
#' `step_sift()` is a step of the package recipes. Training the recipe ranks predictors by a selector of mlsift; baking
#' keeps the best `k` of them and removes the others. Columns that do not compete stay.
#'
#' The step makes a task with [mltask()] and ranks it with [sift_features()], so all rules are theirs. One outcome or
#' several outcomes are the targets, and are labels, classes or numbers by the rule of [mltask()]. Numeric outcomes need
#' a selector for them, or `target_bins`.
#'
#' Training looks at outcomes, baking does not. So the recipe must be trained on the training rows alone, as a workflow
#' does within each resample. The step keeps sparse columns as they are.
#'
#' Case weights of the recipe, importance weights and frequency weights alike, are the [weights of rows][row_weights()]
#' of the selection. A selector that cannot use them is an error. A column of the role `"group"` or `"time"`, as
#' `recipes::update_role()` gives it, is the [group][row_groups()] that rows belong to, or their time. Selectors
#' that split rows obey them.
#'
#' `k` can be tuned: `step_sift(k = tune())`.
#'
#' @param recipe A recipe.
#' @param ... The predictors that compete, such as `all_predictors()`. If nothing is selected, the step does nothing.
#' @param selector A selector such as [sel_ami()], see [list_selectors()].
#' @param k (count) The number of predictors to keep. If fewer predictors compete, all are kept, with a warning.
#' @param targets The columns that are targets: names, or a selection such as `has_role("label")`. `NULL` is for all
#'   outcomes of the recipe.
#' @param kind,on What the targets are, as in [mltask()].
#' @param discretizer,target_bins,threads See [sift_features()].
#' @param skip Whether to leave the step out when the recipe is baked with new data.
#' @param id (string) Name of the step within the recipe.
#' @return The recipe with the step added. `tidy()` of the step is a data frame with a row for each predictor that
#'   competes, the kept ones first, best first. Its columns are `terms`, `score`, `rank`, `removed` and `id`. Removed
#'   predictors have no score and no rank. Before training, the rows are the selections in `...`.
#' @family bridges
#' @examplesIf mlsift:::has_package("recipes")
#' library(recipes)
#' recipe <- recipe(vs + am ~ ., data = mtcars) |>
#'   step_sift(all_predictors(), selector = sel_mim(), k = 4)
#' trained <- prep(recipe)
#' tidy(trained, number = 1)
#' bake(trained, head(mtcars))
#' @export
step_sift <- function(recipe, ..., selector = sel_ami(), k = 20, targets = NULL, kind = NULL, on = NULL,
                      discretizer = disc_auto(), target_bins = NULL, skip = FALSE, id = recipes::rand_id("sift"),
                      threads = NULL) {
  refuse_dots(..., allowed = "")
  check_package("recipes", "{.fn step_sift}")
  recipes::add_step(recipe, recipes::step(
    subclass = "sift", terms = rlang::enquos(...), selector = selector, k = k, targets = rlang::enquos(targets),
    kind = kind, on = on, discretizer = discretizer, target_bins = target_bins, threads = threads, role = NA,
    trained = FALSE, removals = NULL, selection = NULL, skip = skip, id = id, case_weights = NULL
  ))
}

#' @exportS3Method recipes::prep
prep.step_sift <- function(x, training, info = NULL, ...) {
  check_package("recipes", "{.fn step_sift}")
  weights <- weights_of_step(x$selector, training, info)
  columns <- unname(recipes::recipes_eval_select(x$terms, training, info))
  x["selection"] <- list(NULL)
  kept <- integer()
  if (length(columns) > 0L) {
    targets <- targets_of_step(x$targets, columns, training, info)
    given <- lapply(c(group = "group", time = "time"), role_of_step, columns, training, info)
    task <- inform_once(mltask(
      training[columns], training[targets], kind = x$kind, on = x$on, weights = weights, group = given$group,
      time = given$time
    ))
    x$selection <- sift_features(
      task, x$selector, x$k, discretizer = x$discretizer, target_bins = x$target_bins, threads = x$threads
    )
    kept <- x$selection$index
  }
  x["case_weights"] <- list(if (!is.null(weights)) TRUE)
  x$removals <- columns[setdiff(seq_along(columns), kept)]
  x$trained <- TRUE
  x
}

# The case weights of the recipe as numbers, or NULL.
weights_of_step <- function(selector, training, info) {
  weights <- recipes::get_case_weights(info, training)
  if (is.null(weights)) return(NULL)
  if (inherits(selector, "mlselector") && !selector_method(selector)$weights) {
    reason <- refusing_spec(selector, "weights")
    what <- spec_table(reason)
    abort(c("{selector$name} cannot use the weights of rows{because(reason, selector)}.",
      x = "The recipe has a column of case weights.", i = "{.fn list_{what}} shows which {what} can.",
      i = "Or use the step in a recipe without such a column."))
  }
  as.double(weights)
}

# The values of the column of a role, or NULL.
role_of_step <- function(role, columns, training, info) {
  of_role <- intersect(info$variable[info$role %in% role], names(training))
  if (length(of_role) == 0L) return(NULL)
  both <- intersect(of_role, columns)
  if (length(of_role) > 1L || length(both) > 0L) {
    abort(c("A recipe may have one column of the role {.val {role}}, which must not compete with the predictors.",
      x = if (length(both) > 0L) "{.val {both[1]}} competes." else "It has {.val {of_role}}.",
      i = "{.fn recipes::update_role} changes the role of a column."))
  }
  training[[of_role]]
}

# The names of the target columns.
targets_of_step <- function(quos, columns, training, info) {
  asked <- !rlang::quo_is_null(quos[[1L]])
  targets <- if (asked) unname(recipes::recipes_eval_select(quos, training, info))
  else recipes::recipes_names_outcomes(info)
  if (length(targets) == 0L) {
    found <- if (asked) "{.arg targets} chooses no column." else "The recipe has no outcome."
    abort(c("{.fn step_sift} needs targets.", x = found,
      i = "Give columns the role {.val outcome}, or name them in {.arg targets}."))
  }
  both <- intersect(columns, targets)
  if (length(both) > 0L) {
    abort(c("A target must not compete with the predictors.", x = "{.val {both[1]}} is in both selections.",
      i = "Leave it out of {.arg ...}; {.code all_predictors()} never contains an outcome."))
  }
  targets
}

#' @exportS3Method recipes::bake
bake.step_sift <- function(object, new_data, ...) recipes::recipes_remove_cols(new_data, object)

#' @export
print.step_sift <- function(x, width = max(20, options()$width - 35), ...) {
  refuse_dots(..., allowed = "form_width")
  name <- if (inherits(x$selector, "mlselector")) x$selector$name else "a selector"
  title <- paste("Feature selection by", name, if (x$trained) "removed " else "on ")
  recipes::print_step(x$removals, x$terms, x$trained, title, width, case_weights = x$case_weights)
  invisible(x)
}

#' @export
tidy.step_sift <- function(x, ...) {
  refuse_dots(...)
  kept <- if (x$trained) x$selection
  others <- if (x$trained) x$removals else recipes::sel2char(x$terms)
  n <- length(others)
  result_frame(data.frame(
    terms = c(kept$feature, others), score = c(kept$score, rep(NA_real_, n)),
    rank = c(kept$rank, rep(NA_integer_, n)),
    removed = rep(c(FALSE, if (x$trained) TRUE else NA), c(NROW(kept$feature), n)),
    id = rep(x$id, NROW(kept$feature) + n)
  ))
}

#' @exportS3Method generics::tunable
tunable.step_sift <- function(x, ...) {
  result <- data.frame(name = "k", source = "recipe", component = "step_sift", component_id = x$id)
  result$call_info <- list(list(pkg = "dials", fun = "num_comp", range = c(1L, 20L)))
  result_frame(result[c("name", "call_info", "source", "component", "component_id")])
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_sift <- function(x, ...) "mlsift"

# Registered by hand: older versions of recipes lack the generic, and could not be loaded together with mlsift.
.recipes_preserve_sparsity.step_sift <- function(x, ...) TRUE

register_preserve_sparsity <- function() {
  generic <- ".recipes_preserve_sparsity"
  recipes <- asNamespace("recipes")
  if (!exists(generic, recipes)) return(invisible())
  registerS3method(generic, "step_sift", .recipes_preserve_sparsity.step_sift, recipes)
}

# Registries. A selector, learner or measure object is only data (name and parameters). Its code is looked up here by
# method name, so that objects stay small and survive `saveRDS()` and transfer to other processes.

registry <- new.env(parent = emptyenv())
registry$selectors <- list()
registry$learners <- list()
registry$measures <- list()
registry$discretizers <- list()

register <- function(table, method, ...) registry[[table]][[method]] <- list(method = method, ...)

registered <- function(table, method) registry[[table]][[method]]

# --- selectors --------------------------------------------------------------------------------------------------------

# Describes a method of selection for sift_features(), extend_selection(), benchmarks and reports.
#
# constructor  the call that makes such a selector, as list_selectors() shows it, by default sel_<method>(); several for
#              several variants
# name         what results call it, one for each constructor
# kinds        of targets it takes: "label", "class", "numeric"
# needs        what it must see of the features: "codes" (discretized), "numbers" (nothing missing), both, or nothing
# gives        "scores": all features in order, whatever k is; "path": features in the order in which they were added,
#              and perhaps only as many as asked for; "set": features without an order
# run          function(input, params): list(index, score, ordered, ...), best first. `input` holds the task, `cuts` and
#              `right` where codes are needed, k, include, excluded, min_gain, max_seconds and threads. `scale` of
#              the parameters is decided. For scores and sets, include, excluded, min_gain and k are applied
#              afterwards; a path applies them itself. If it gives a path or a set and has an argument `state`, it can
#              be resumed: run(input, params, state, begin) then starts from an earlier result's `state`; only greedy
#              selectors have `begin`. Greedy selectors and searches apply include and exclude themselves
# embedded     whether features are chosen by fitting a model; a path is then one of models
# whole        whether run() gets the same data as sift_features(), with `discretizer` and `target_bins`, because it
#              runs other selectors
# nested       whether the first j features of a run for k are those of a run for j; not asked of sets
# problem      function(input, params, state): the input of cpp_greedy() for a criterion of register_greedy(), or NULL
# criterion    function(params, q): that criterion for q varying labels, which are its targets, or NULL
# counts       "targets", "label sets" or "label pairs" if run() needs only the joint counts of these with each feature,
#              else NULL. Such a method also works from tables of counts, see core_rows()
# by_target    function(input, params): the scores for each target alone, if they are sums over targets: a matrix
#              features x the targets that the core counts, see scores_by_target(). Otherwise NULL
# check        function(task, params, at): refuses parameters that do not suit a task of a benchmark, or NULL
# beyond       what it needs that no source provides, if it could otherwise be computed from a source, or NULL
# weights      whether run() uses the weights of rows: the rows of `input$task` have weights above 0, and
#              `input$weights` are row_counts() of them, or NULL. Selectors that do not say so refuse weights
# unknown      whether run() uses each label on the rows in which it is known; `task$targets$unknown` are the other
#              cells. Selectors that do not say so refuse such labels
# score        what a score is, as score_scale() makes it, or NULL: no scores, or those of other selectors or of users
# variants     the parameters of each constructor, if these fields depend on them
#
# `kinds`, `needs`, `gives`, `weights`, `unknown` and `score` may be functions of the parameters.
register_selector <- function(method, constructor = paste0("sel_", method, "()"), name, kinds, needs, source, run,
                              gives = "scores", check = NULL, variants = list(list()), problem = NULL,
                              criterion = NULL, counts = NULL, by_target = NULL, whole = FALSE, beyond = NULL,
                              embedded = FALSE, weights = FALSE, unknown = FALSE, score = NULL, nested = TRUE) {
  stopifnot(
    is.character(method), length(method) == 1L, !method %in% names(registry$selectors),
    is.character(constructor), is.character(name), length(name) == length(constructor),
    length(variants) == length(constructor), is.character(source), is.function(run), is.null(check) ||
      is.function(check)
  )
  registry$selectors[[method]] <- mget(names(formals()))
  for (params in variants) resolve_selector(registry$selectors[[method]], params)
}

# The same for the Relief family, whose scores are differences divided by ranges.
register_relief <- function(method, name, source, run, kinds = c("label", "class"), unknown = FALSE) {
  register_selector(method, name = name, source = source, kinds = kinds, needs = "numbers", weights = TRUE,
    unknown = unknown, score = score_scale("share of the range", -1, 1), run = run)
}

# The unit of scores, as a picture writes it beside an axis, and the least and the largest score that features can have.
# Features without information may have -Inf, and those that stand apart Inf.
score_scale <- function(unit, low = 0, high = Inf) list(unit = unit, low = low, high = high)

# Scores that are informations, in the unit of the parameter `base`.
information_scale <- function(low = 0) {
  function(params) score_scale(information_unit(params$base %||% 2), low)
}

information_unit <- function(base) {
  if (base == 2) "bits" else if (base == exp(1)) "nats" else paste("units of base", format(base, digits = 4))
}

# What stands beside an axis of scores. A selection may have lost its selector, or come from one that is not known here.
score_words <- function(selector) {
  method <- registry$selectors[selector$method][1L]
  unit <- if (!is.null(method[[1L]])) resolve_selector(method[[1L]], selector$params)$score$unit
  if (is.null(unit) || unit == "no unit") "score" else paste0("score (", unit, ")")
}

new_selector <- function(name, method, params = list()) {
  structure(list(name = name, method = method, params = params), class = "mlselector")
}

# The description for these parameters, with all functions of the parameters evaluated.
resolve_selector <- function(method, params) {
  for (field in c("kinds", "needs", "gives", "weights", "unknown", "score")) {
    if (is.function(method[[field]])) method[[field]] <- method[[field]](params)
  }
  method$extends <- method$gives != "scores" && "state" %in% names(formals(method$run))
  stopifnot(is.character(method$kinds), length(method$kinds) > 0L, method$kinds %in% target_kinds,
    is.character(method$needs), method$needs %in% c("codes", "numbers"), is.character(method$gives),
    length(method$gives) == 1L, method$gives %in% c("scores", "path", "set"), is.logical(method$weights),
    length(method$weights) == 1L, is.logical(method$unknown), length(method$unknown) == 1L,
    !is_greedy(method) || "begin" %in% names(formals(method$run)))
  method
}

# A path that grows feature by feature and can be extended; a set that was searched for with a learner.
is_greedy <- function(method) method$gives == "path" && method$extends && !method$embedded

# A path of models that can be resumed.
is_model_path <- function(method) method$gives == "path" && method$extends && method$embedded

is_search <- function(method) method$gives == "set" && method$extends

check_selector <- function(x, arg = rlang::caller_arg(x)) {
  how <- "Make one with a constructor such as {.code sel_mim()}; see {.fn list_selectors}."
  check_class(x, "mlselector", how, arg = arg)
}

check_learner <- function(x, arg = rlang::caller_arg(x)) {
  how <- "Make one with a constructor such as {.code lrn_mlknn()}; see {.fn list_learners}."
  check_class(x, "mllearner", how, arg = arg)
}

# The description of the method of a selector.
selector_method <- function(selector) {
  method <- registered("selectors", selector$method)
  if (is.null(method)) abort(c("{.val {selector$method}} is not a method of selection that mlsift knows.",
    i = "See {.fn list_selectors}; {.fn sel_custom} makes a selector of your own."))
  resolve_selector(method, selector$params)
}

spec_table <- function(spec) if (inherits(spec, "mlselector")) "selectors" else "learners"

# Warnings about a setting that none of the selectors and learners has that the user gave are not shown.
about_settings <- function(given, code) {
  withCallingHandlers(code, mlsift_warning = function(w) {
    setting <- root_cause(w)$setting
    if (!is.null(setting) && !has_setting(given, setting)) rlang::cnd_muffle(w)
  })
}

# Whether a selector or learner, or one inside it, has a setting, or one of a list of these does.
has_setting <- function(x, name) is.list(x) && (name %in% names(x) || any(vapply(x, has_setting, NA, name)))

# Whether a selector or learner takes "weights" of rows or "unknown" labels.
spec_takes <- function(spec, what) {
  takes <- registered(spec_table(spec), spec$method)[[what]]
  if (is.function(takes)) takes(spec$params) else takes
}

# One row for each constructor. A method may have several, each with its name and source.
registry_table <- function(table, columns) {
  bind_columns(lapply(unname(registry[[table]]), function(entry) {
    n <- length(entry[[columns[1L]]])
    lapply(stats::setNames(nm = columns), function(column) {
      value <- entry[[column]]
      if (is.function(value)) value <- value(list())
      if (column != "kinds" && length(value) %in% c(1L, n)) rep_len(value, n)
      else rep_len(paste(value, collapse = ", "), n)
    })
  }))
}

target_kinds <- c("label", "class", "numeric")

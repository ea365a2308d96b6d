#' Filters for mlr3
#'
#' With the package mlr3filters, the selectors of mlsift are filters: `flt("sift.scls")` is [sel_scls()],
#' `flt("sift.mim")` is [sel_mim()], and so on. They are there as soon as both packages are loaded. Their names are
#' those of the constructors without `sel_`. `mlr_filters$keys("^sift")` lists them.
#'
#' There is a filter for each selector that ranks features for classes or for numbers and whose arguments all have
#' defaults. Selectors for labels alone, and selectors that return a set without an order, have no filter.
#'
#' Filters of greedy selectors and of [sel_mtl()] score the order in which features were added: 1 for the first of
#' \eqn{d} features, then \eqn{1 - 1/d}, and so on. They compute the first `nfeat` features alone. Other filters give
#' the scores of their selector; a feature that its model does not use has none, as in [sel_mssl()]. mlr3filters puts
#' equal and missing scores in random order.
#'
#' @section Parameters:
#' Each filter has the arguments of its constructor as parameters, and these:
#' * `targets`: names of columns that are targets besides that of the task. mlr3 has no tasks with several targets, but
#'   a task may have columns without a role, see the example. They must be of the same kind as the target of the task.
#' * `discretizer`: as in [sift_features()], for selectors that count. With `na = "level"` in it, the filter takes
#'   missing values.
#' * `target_bins`: as in [sift_features()], for regression tasks. For selectors that need classes it is 5 unless
#'   changed.
#' * `threads`: number of threads, 1 unless changed.
#'
#' Weights of a task, its column of the role `weights_learner` (`weight` in older versions of mlr3), are the
#' [weights of rows][row_weights()] of the selection. A filter whose selector cannot use them refuses the task. The
#' column of the role `group` gives the [groups of rows][row_groups()], which selectors that split rows obey.
#' @return `flt("sift.mim")` and the others return an R6 object that inherits from `mlr3filters::Filter`.
#' @family bridges
#' @examplesIf requireNamespace("mlr3filters", quietly = TRUE)
#' library(mlr3)
#' library(mlr3filters)
#' filter <- flt("sift.jmim")
#' filter$calculate(tsk("iris"), nfeat = 2)
#' filter
#'
#' # Two targets: `drat` is a feature of the task until its role is taken away.
#' cars <- tsk("mtcars")
#' cars$set_col_roles("drat", character())
#' filter <- flt("sift.rrelieff", targets = "drat")
#' filter$calculate(cars)
#' head(filter$scores, 3)
#' @name mlr_filters_sift
NULL

register_mlr3_filters <- function() {
  generator <- mlr3_filter_class()
  lapply(mlr3_constructors(), function(constructor) {
    mlr3filters::mlr_filters$add(mlr3_filter_id(constructor), function() generator$new(constructor))
  })
}

mlr3_filter_id <- function(constructor) sub("^sel_", "sift.", constructor)

# The constructors of selectors that rank for classes or numbers and have no required arguments.
mlr3_constructors <- function() {
  all <- unlist(lapply(registry$selectors, function(method) {
    plain <- unique(sub("\\(.*", "", method$constructor))
    plain[vapply(plain, has_mlr3_filter, NA)]
  }), use.names = FALSE)
  sort(all)
}

has_mlr3_filter <- function(constructor) {
  arguments <- constructor_arguments(constructor)
  if (any(vapply(arguments, identical, NA, quote(expr = )))) return(FALSE)
  method <- selector_method(make_selector(constructor))
  method$gives != "set" && any(c("class", "numeric") %in% method$kinds)
}

constructor_arguments <- function(constructor) formals(get(constructor, asNamespace("mlsift")))

# Called by name, so that errors show the constructor.
make_selector <- function(constructor, arguments = list()) {
  do.call(constructor, arguments, envir = asNamespace("mlsift"))
}

# Defined within the methods of an R6 class.
utils::globalVariables(c("private", "self", "super"))

# R6 is installed wherever mlr3filters is, so the class is made only then.
mlr3_filter_class <- function() {
  R6::R6Class(
    "FilterSift",
    inherit = mlr3filters::Filter,
    public = list(
      initialize = function(constructor) {
        private$.constructor <- constructor
        selector <- make_selector(constructor)
        method <- selector_method(selector)
        # Binned numbers are treated as classes.
        types <- c(if ("class" %in% method$kinds) "classif", "regr")
        super$initialize(
          id = mlr3_filter_id(constructor), task_types = types, param_set = mlr3_filter_params(constructor, method),
          feature_types = c("integer", "numeric", "factor", "ordered", "logical", "character"), packages = "mlsift",
          label = selector$name, man = "mlsift::mlr_filters_sift"
        )
      }
    ),
    private = list(
      .constructor = NULL,
      .calculate = function(task, nfeat) {
        mlr3_filter_scores(private$.constructor, self$param_set$get_values(), task, nfeat)
      },
      .get_properties = function() {
        if (identical(self$param_set$values$discretizer$params$na, "level")) "missings" else character()
      }
    )
  )
}

mlr3_filter_params <- function(constructor, method) {
  arguments <- constructor_arguments(constructor)
  params <- Map(mlr3_param, arguments, names(arguments))
  params$targets <- paradox::p_uty(default = NULL)
  if ("codes" %in% method$needs || method$whole) params$discretizer <- paradox::p_uty(default = disc_auto())
  if ("class" %in% method$kinds) params$target_bins <- paradox::p_uty(default = NULL)
  params$threads <- paradox::p_int(lower = 1L, default = 1L, tags = "threads")
  result <- do.call(paradox::ps, params)
  result$values <- c(list(threads = 1L), if (!"numeric" %in% method$kinds) list(target_bins = 5L))
  result
}

# A parameter for an argument of a constructor. Its check is left to the constructor.
mlr3_param <- function(default, name) {
  value <- eval(default, asNamespace("mlsift"))
  # It may also be an object.
  if (name == "rare") return(paradox::p_uty(default = value[1L]))
  if (is.character(value) && length(value) > 1L) return(paradox::p_fct(value, default = value[1L]))
  if (is.logical(value) && length(value) == 1L) return(paradox::p_lgl(default = value))
  if (is.numeric(value) && length(value) == 1L) {
    if (name %in% c("neighbors", "min_count", "max_rows")) return(paradox::p_int(lower = 1L, default = value))
    return(paradox::p_dbl(default = value))
  }
  paradox::p_uty(default = value)
}

# Named scores, larger is better. An order without scores becomes strictly decreasing numbers.
mlr3_filter_scores <- function(constructor, values, task, nfeat) {
  arguments <- values[intersect(names(values), names(constructor_arguments(constructor)))]
  selector <- make_selector(constructor, arguments)
  method <- selector_method(selector)
  path <- method$gives == "path"
  # One target of two classes is classes, however these are called. A filter is calculated for each split.
  of_classes <- task$task_type == "classif" && is.null(values$targets)
  kind <- if (of_classes) "class" else if (task$task_type == "regr") "numeric"
  input <- inform_once(as_mltask(task, targets = values$targets, kind = kind))
  options <- list(k = if (path) nfeat, threads = values$threads)
  if ("discretizer" %in% names(values)) options["discretizer"] <- values["discretizer"]
  if (task_kind(input) == "numeric") options["target_bins"] <- values["target_bins"]
  selection <- do.call(sift_features, c(list(input, selector), options))
  d <- ncol(input$x)
  stats::setNames(if (path) (d + 1 - selection$rank) / d else selection$score, selection$feature)
}

#' @rdname as_mltask
#' @export
as_mltask.TaskClassif <- function(x, targets = NULL, name = x$id, kind = NULL, on = NULL, weights = NULL,
                                  group = NULL, time = NULL, ...) {
  mlr3_mltask(x, targets, name, kind, on, list(weights = weights, group = group, time = time))
}

#' @rdname as_mltask
#' @export
as_mltask.TaskRegr <- function(x, targets = NULL, name = x$id, kind = if (is.null(on)) "numeric", on = NULL,
                               weights = NULL, group = NULL, time = NULL, ...) {
  mlr3_mltask(x, targets, name, kind, on, list(weights = weights, group = group, time = time))
}

# `given`: as for take_rows(); what is NULL comes from the roles of columns.
mlr3_mltask <- function(x, targets, name, kind, on, given) {
  unknown <- setdiff(targets, x$col_info$id)
  if (length(unknown) > 0L) {
    abort(c("{.arg targets} must name columns of the mlr3 task.", x = "There is no column {.val {unknown[1]}}."))
  }
  both <- intersect(targets, x$feature_names)
  if (length(both) > 0L) {
    abort(c("{.arg targets} must not be features of the mlr3 task.", x = "{.val {both[1]}} is a feature.",
      i = "Take its role away: {.code task$set_col_roles({.val {both[1]}}, character())}."))
  }
  y <- union(x$target_names, targets)
  of_role <- function(roles) {
    columns <- unlist(x$col_roles[roles], use.names = FALSE)
    if (length(columns) > 0L) columns[1L]
  }
  # Older versions of mlr3 use another name for the role of weights.
  given$weights <- given$weights %||% of_role(c("weights_learner", "weight"))
  given$group <- given$group %||% of_role("group")
  columns <- named_columns(given)
  refuse_row_targets(row_columns(columns, x$col_info$id), match(y, x$col_info$id), x$col_info$id)
  data <- as.data.frame(x$data(cols = union(x$feature_names, columns)))
  rows <- take_rows(given, data)
  task_of(data[setdiff(names(data), columns)], x$data(cols = y), kind, on, name, NULL, rows$rows)
}

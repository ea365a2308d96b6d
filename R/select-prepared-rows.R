# Prepared rows: the rows of a task as selectors get them, with everything that does not depend on the selector. They
# are made once per split and discretizer. Each part is computed when a selector first needs it, and is shared from then
# on.
#
# task, discretizer  as sift_features() gets them
# features           an environment with what follows from features and weights: `weights`, `missing`, `many` (features
#                    of too many levels), `cuts`, `constant`, `codes`, `fitted` (the discretizer), `coded`;
#                    `imputer`: what has filled in missing features, or NULL
# targets            one with what follows from targets too: `used`, rows with discretized targets, and the results of
#                    cuts that are learned from targets
prepared_rows <- function(task, discretizer, features = new.env(parent = emptyenv())) {
  structure(list(task = task, discretizer = discretizer, features = features, targets = new.env(parent = emptyenv()),
    names = colnames(task$x), end = function() NULL), class = "task_rows")
}

# The same after filling in missing features.
imputed_rows <- function(task, discretizer, impute) {
  imputer <- if (!is.null(impute)) fit(impute, task)
  rows <- prepared_rows(filled_in(task, imputer), discretizer)
  rows$features$imputer <- imputer
  rows
}

filled_in <- function(task, imputer) if (is.null(imputer)) task else stats::predict(imputer, task)

# The value of `code`, which is evaluated at the first call only. `made`: an environment. Errors are not cached.
once <- function(made, name, code) {
  if (is.null(made[[name]])) made[[name]] <- list(code)
  made[[name]][[1L]]
}

# The same rows with the targets of another task.
with_targets <- function(rows, task) prepared_rows(task, rows$discretizer, rows$features)

# Some of the columns. Results that concern a single column are kept.
columns_of <- function(rows, columns) {
  if (identical(as.integer(columns), seq_len(ncol(rows$task$x)))) return(rows)
  part <- prepared_rows(rows$task[, columns], rows$discretizer)
  for (place in c("features", "targets")) {
    made <- rows[[place]]
    for (name in intersect(names(made), c("cuts", "constant"))) {
      part[[place]][[name]] <- list(made[[name]][[1L]][columns])
    }
    for (name in intersect(names(made), c("missing", "many"))) {
      if (length(made[[name]][[1L]]) == 0L) part[[place]][[name]] <- made[[name]]
    }
  }
  if (!is.null(rows$features$weights)) part$features$weights <- rows$features$weights
  part
}

# The task without rows of weight 0.
used_task <- function(rows) once(rows$targets, "used", weighted_rows(rows$task))

# The rows with numeric targets discretized, if `target_bins` asks for it.
binned_rows <- function(rows, target_bins) {
  if (is.null(target_bins)) return(rows)
  once(rows$targets, paste("bins", rlang::hash(target_bins)), {
    with_targets(rows, bin_targets(used_task(rows), target_bins))
  })
}

check_complete <- function(rows, advice) {
  x <- used_task(rows)
  check_no_missing(x, advice, once(rows$features, "missing", cpp_find_missing(x$x)))
}

# Whether each feature is discrete under this discretizer.
is_discrete <- function(rows) {
  discretizer <- rows$discretizer
  if (!is_fitted(discretizer)) return(unname(rows$task$discrete))
  discretizer$discrete[fitted_positions(discretizer, colnames(rows$task$x))]
}

# The environment that stores cuts and whatever depends on them.
place_of_cuts <- function(rows) {
  discretizer <- rows$discretizer
  if (!is.null(discretizer) && discretizer_method(discretizer)$supervised) rows$targets else rows$features
}

# The boundaries of continuous features; NULL if there are none.
row_cuts <- function(rows, threads) {
  discretizer <- rows$discretizer
  discrete <- is_discrete(rows)
  if (all(discrete)) return(NULL)
  if (is_fitted(discretizer)) return(discretizer$cuts[fitted_positions(discretizer, colnames(rows$task$x))])
  once(place_of_cuts(rows), "cuts", {
    task <- used_task(rows)
    fit_cuts(discretizer, task$x, !discrete, task, threads)
  })
}

# For selectors that count: list(x, cuts, right, cut, discretizer), features with the boundaries of continuous ones.
coded_features <- function(rows, selector, threads) {
  discretizer <- rows$discretizer
  discrete <- is_discrete(rows)
  if (!all(discrete) && is.null(discretizer)) abort(c("{selector$name} needs discrete features.",
    x = "Feature {.val {colnames(rows$task$x)[which(!discrete)[1L]]}} is continuous.",
    i = "Give a {.arg discretizer}, such as {.code disc_auto()}."))
  if (is.null(discretizer) || discretizer$params$na == "error") {
    check_complete(rows, paste("Use a discretizer with {.code na = \"level\"}, or fill them in:",
      "{.code impute = impute_mean()}."))
  }
  cuts <- row_cuts(rows, threads)
  check_levels(rows, discrete)
  used <- !all(discrete) || identical(discretizer$params$na, "level")
  right <- !is.null(discretizer) && closed_right(discretizer)
  coded <- list(x = used_task(rows)$x, cuts = cuts, right = right, cut = !is.null(cuts),
    discretizer = if (used) discretizer)
  place <- place_of_cuts(rows)
  if (is.null(cuts) || is_sparse(coded$x)) return(coded)
  if (isTRUE(place$asked)) {
    coded$x <- once(place, "codes", numbered_levels(coded$x, cuts, right))
    coded["cuts"] <- list(NULL)
  }
  place$asked <- TRUE
  coded
}

# Columns with level numbers in the place of continuous features, which a second selector and all later ones share.
numbered_levels <- function(x, cuts, right) {
  lapply(seq_along(cuts), function(f) {
    column <- dense_column(x, f)
    if (is.null(cuts[[f]])) return(column)
    codes <- cpp_levels(as.double(column), cuts[[f]], right)
    codes[codes == 0L] <- NA
    codes
  })
}

# The input of a selector that counts, with `rows_with(y)`: the rows as the core counts them, see src/counted.h, with
# the targets of the task or with others. `paired_rows(labels)`: list(rows, labels), rows in which pairs of these labels
# can be counted, and their numbers there. `unknown`: whether labels are unknown in some rows.
counting_input <- function(input) {
  with <- function(y, classes) {
    cpp_task_rows(list(x = input$x, cuts = input$cuts, right = isTRUE(input$right), y = y, classes = classes,
      weights = input$weights))
  }
  own <- with(coded(input$task$targets), task_kind(input$task) != "label")
  input$rows_with <- function(y = NULL) if (is.null(y)) own else with(y, TRUE)
  input$paired_rows <- function(labels) list(rows = own, labels = labels)
  input$unknown <- !is.null(input$task$targets$unknown)
  input$end <- function() cpp_end_rows(own)
  input
}

# The rows of a selector that counts, also of a source or tables.
core_rows <- function(input, y = NULL) input$rows_with(y)

# A feature with so many levels merely identifies rows.
check_levels <- function(rows, discrete) {
  x <- used_task(rows)$x
  if (nrow(x) <= most_levels) return(invisible())
  many <- once(rows$features, "many", cpp_with_more_values(x, which(discrete), most_levels))
  if (length(many) == 0L) return(invisible())
  name <- colnames(x)[many[1L]]
  abort(c("A discrete feature must have at most 65,536 levels.", x = "Feature {.val {name}} has more.",
    i = paste0("Leave it out if it numbers the rows. If it is a quantity, set it to {.code FALSE} in ",
      "{.arg discrete} of {.fn mltask} and use a {.arg discretizer}.")))
}

# The discretizer, fitted to the rows.
rows_discretizer <- function(rows) {
  discretizer <- rows$discretizer %||% disc_auto()
  if (is_fitted(discretizer)) return(fitted_for(discretizer, colnames(rows$task$x)))
  once(place_of_cuts(rows), "fitted", {
    task <- used_task(rows)
    fit_columns(discretizer, task$x, is_discrete(rows), task, row_cuts(rows, resolve_threads()))
  })
}

# The task with level numbers as features.
discretized_task <- function(rows) {
  task <- used_task(rows)
  task$x <- once(place_of_cuts(rows), "coded", stats::predict(rows_discretizer(rows), task)$x)
  task$discrete[] <- TRUE
  task
}

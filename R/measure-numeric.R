# Measures of numbers: values over targets, and means of the training rows.

# The mean of the values of targets, without those that are not defined.
mean_defined <- function(values) if (all(is.na(values))) NA_real_ else mean(values, na.rm = TRUE)

# Means over targets, by the name of the measure.
regression_values <- function(truth, response, train_mean, asked, weights) {
  fits <- cpp_target_fits(truth, response, train_mean %||% numeric(ncol(truth)), weights)
  for (name in intersect(asked, colnames(fits))) warn_undefined(name, is.na(fits[, name]), colnames(truth))
  apply(fits, 2L, mean_defined)
}

warn_undefined <- function(name, undefined, targets) {
  if (!any(undefined)) return(invisible())
  left <- which(undefined)
  if (!is.null(targets)) left <- targets[left]
  why <- switch(name, arrmse = "equal to the training mean", mean_correlation = , mean_r2 = "equal")
  warn(c("{.val {name}} leaves out {cli::qty(length(left))}target{?s} {.val {left}}.",
    x = paste0("All true values are missing", if (!is.null(why)) paste(" or", why), ".")))
}

# One mean for each target: given directly, or computed from the training rows.
as_train_mean <- function(x, truth) {
  if (inherits(x, "mltask")) {
    check_mltask(x, "train_mean")
    if (task_kind(x) != "numeric") abort(c("A task in {.arg train_mean} must have numeric targets.",
      x = "They are of kind {.val {task_kind(x)}}."))
    task <- x
    x <- shown_targets(task$targets)
    if (!is.null(task$rows$weights)) x <- apply(x, 2L, weighted_mean, task$rows$weights)
    else if (!is.null(task$targets$unknown)) x <- apply(x, 2L, mean, na.rm = TRUE)
  }
  if (is.data.frame(x) || is_matrix_object(x)) x <- as.matrix(x)
  q <- ncol(truth)
  if (!is.numeric(x) || length(x) == 0L || any(is.infinite(x)) || (if (is.matrix(x)) ncol(x) else length(x)) != q) {
    found <- if (is.null(x)) "missing" else describe(x)
    abort(c("{.arg train_mean} must have one mean for each of the {q} target{?s}, or be the training rows.",
      x = "It is {found}.",
      i = if (is.null(x)) "{.val arrmse} compares errors with those of the mean of the training rows."))
  }
  # Not colMeans(): where long doubles are no longer than doubles, rounding makes it miss the mean of a constant.
  if (is.matrix(x)) x <- apply(x, 2L, mean)
  names <- colnames(truth)
  if (!is.null(names(x)) && !is.null(names)) {
    odd <- setdiff(names(x), names)
    if (length(odd) > 0L || anyDuplicated(names(x))) {
      abort(c("The names of {.arg train_mean} must be those of the targets.",
        x = if (length(odd) > 0L) "There is no target {.val {odd[1]}}." else "A name stands twice."))
    }
    x <- x[names]
  }
  bad <- which(is.na(x))[1L]
  if (!is.na(bad)) abort(c("{.arg train_mean} must be known for every target.",
    x = "That of target {.val {names[bad] %||% bad}} is missing."))
  as.double(x)
}

# Of the known values. Rounding must not make the mean of equal values another value.
weighted_mean <- function(x, weights) {
  counts <- which(!is.na(x) & weights > 0)
  if (length(unique(x[counts])) == 1L) x[counts[1L]] else stats::weighted.mean(x, weights, na.rm = TRUE)
}

#' Scale features with all rows of a task
#'
#' Divides every numeric feature by its standard deviation over all rows (with n - 1, as [scale()]), after subtracting
#' its mean. Factors and logicals stay as they are, and so do features with one value only (see [drop_features()] to
#' drop them).
#'
#' Use this before a benchmark only to repeat a published protocol that did so. It looks at the rows that are test rows
#' later. Otherwise leave scaling to the learner, see [feature_scale]: it uses the training rows.
#'
#' @param task A task.
#' @param center (flag) Whether to subtract the mean. Sparse features cannot be centered, because their zeros would
#'   become other numbers.
#' @return The task. Features that are scaled are no longer discrete. Missing values stay missing and do not count.
#' @family tasks
#' @examples
#' task <- mltask(data.frame(a = c(1, 2, 3), b = factor(c("u", "v", "v"))), c(0, 1, 1))
#' features(scale_features(task))
#' @export
scale_features <- function(task, center = !is_sparse(task$x)) {
  check_unweighted_task(task)
  check_flag(center)
  x <- with_values(task$x)
  if (is_sparse(x) && center) abort(c("Sparse features cannot be centered.", x = "{.arg center} is TRUE.",
    i = "Use {.code center = FALSE}, or make the features dense first with {.code as.matrix(features(task))}."))
  moments <- column_moments(x)
  varies <- which(is.finite(moments$sd) & moments$sd > 0)
  if (is_sparse(x)) {
    x <- scale_columns(x, replace(rep(1, ncol(x)), varies, moments$sd[varies]))
  } else {
    for (f in varies) {
      column <- dense_column(x, f)
      column <- (column - center * moments$mean[f]) / moments$sd[f]
      if (is.data.frame(x)) x[[f]] <- column else x[, f] <- column
    }
  }
  task$x <- x
  task$discrete[varies] <- FALSE
  task
}

# list(mean, sd) of each column, NA for columns that are not numeric.
column_moments <- function(x) {
  if (is_sparse(x)) {
    mean <- unname(Matrix::colMeans(x, na.rm = TRUE))
    column <- rep.int(seq_len(ncol(x)), diff(x@p))
    known <- !is.na(x@x)
    squares <- (x@x - mean[column])^2
    stored <- tapply(squares[known], factor(column[known], seq_len(ncol(x))), sum, default = 0)
    rows <- nrow(x) - tabulate(column[!known], ncol(x))
    zeros <- nrow(x) - diff(x@p)
    return(list(mean = mean, sd = sqrt((as.vector(stored) + zeros * mean^2) / (rows - 1))))
  }
  columns <- if (is.data.frame(x)) as.list(x) else lapply(seq_len(ncol(x)), function(f) x[, f])
  over <- function(fun) {
    vapply(columns, function(v) if (is.numeric(v)) fun(v, na.rm = TRUE) else NA_real_, 0, USE.NAMES = FALSE)
  }
  list(mean = over(mean), sd = over(stats::sd))
}

scale_columns <- function(x, scale) {
  x <- with_values(x)
  if (is.null(scale)) return(x)
  if (is_sparse(x)) {
    x@x <- x@x / rep.int(scale, diff(x@p))
    return(x)
  }
  x / rep(scale, each = nrow(x))
}

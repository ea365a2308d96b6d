#' Ways to split rows into training and test rows
#'
#' A resampling describes how rows are split. [split_rows()] applies it to a task, and [benchmark_selectors()] to all of
#' its tasks.
#'
#' - `rs_holdout()` draws a share `prop` of the rows for training, `repeats` times.
#' - `rs_cv()` assigns the rows to `folds` folds, and each fold is the test set once. This is done `repeats` times.
#' - `rs_fixed()` is one given split, such as the usual split of a data set.
#'
#' # Stratification
#' With `stratify = TRUE` every label is spread evenly over the parts, by iterative stratification:
#' 1. The label with the fewest remaining rows is next (ties: the first column).
#' 2. Its rows are assigned in random order. Each row goes to the part that still needs most rows of this label (ties:
#'    the part that needs most rows, then at random).
#' 3. Rows without labels come last and even out the sizes.
#'
#' Sizes follow `prop` and `folds` closely, but not exactly, because labels come first. If a label has a single row, the
#' larger part gets it. For class targets, every level counts as a label. Numeric targets are not stratified. Their rows
#' are split at random, as with `stratify = FALSE`, and sizes are exact up to rounding.
#'
#' @param prop (number between 0 and 1) Share of the training rows.
#' @param repeats (whole number) Number of times that rows are split.
#' @param folds (whole number, 2 or more) Number of folds.
#' @param stratify (flag) Whether to spread every label evenly.
#' @param train,test (whole numbers) Row numbers. They must not overlap. Other rows are not used.
#' @return An object of class `mlresampling`: a name and the parameters.
#' @references Sechidis, Tsoumakas and Vlahavas (2011). On the stratification of multi-label data. ECML PKDD 2011, LNCS
#'   6913, 145-158.
#' @family resampling
#' @examples
#' rs_cv(folds = 5)
#' task <- mltask(data.frame(a = 1:12 / 7), data.frame(l1 = rep(0:1, 6), l2 = rep(c(1, 0, 0), 4)))
#' set.seed(1)
#' split_rows(task, rs_holdout(prop = 0.5, repeats = 2))
#' @export
rs_holdout <- function(prop = 0.5, repeats = 30, stratify = TRUE) {
  check_number(prop, 0, 1)
  if (prop == 0 || prop == 1) {
    abort(c("{.arg prop} must be larger than 0 and smaller than 1.", x = "It is {prop}.",
            i = "It is the share of the rows that are used for training."))
  }
  new_resampling(
    "holdout", list(prop = as.double(prop), repeats = check_count(repeats), stratify = check_flag(stratify))
  )
}

#' @rdname rs_holdout
#' @export
rs_cv <- function(folds = 10, repeats = 1, stratify = TRUE) {
  new_resampling(
    "cv", list(folds = check_count(folds, min = 2), repeats = check_count(repeats), stratify = check_flag(stratify))
  )
}

#' @rdname rs_holdout
#' @export
rs_fixed <- function(train, test) {
  train <- check_row_numbers(train)
  test <- check_row_numbers(test)
  both <- intersect(train, test)
  if (length(both) > 0L) {
    abort(c("{.arg train} and {.arg test} must not overlap.",
            x = "{length(both)} row{?s} {?is/are} in both; the first is {both[1]}."))
  }
  new_resampling("fixed", list(train = train, test = test))
}

new_resampling <- function(method, params) {
  name <- switch(method, holdout = "hold-out", cv = "cross-validation", fixed = "fixed split")
  structure(list(name = name, method = method, params = params), class = "mlresampling")
}

# Row numbers from 1, sorted, each once.
check_row_numbers <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  odd_row <- function(x) is.na(x) | x != round(x) | x < 1 | x > .Machine$integer.max
  if (!is.numeric(x) || length(x) == 0L || any(odd_row(x))) {
    found <- if (length(x) == 0L) "empty" else describe(x)
    odd <- if (is.numeric(x)) x[odd_row(x)]
    abort(c("{.arg {arg}} must be row numbers: whole numbers from 1.",
            x = if (length(odd) > 0L) "It contains {odd[1]}." else "It is {found}."), call = call)
  }
  twice <- anyDuplicated(x)
  if (twice > 0L) {
    abort(c(
      "{.arg {arg}} must hold every row number once.", x = "Row {x[twice]} is there more than once."
    ), call = call)
  }
  sort(as.integer(x))
}

# `kind`: of the targets; numbers are not stratified.
describe_resampling <- function(x, kind = "label") {
  p <- x$params
  rows <- if (isTRUE(p$stratify) && kind != "numeric") "stratified" else "random"
  switch(x$method,
    holdout = paste0(
      p$repeats, if (p$repeats == 1L) " hold-out" else " hold-outs", " (", rows, "), ", format(100 * p$prop),
      "% of the rows for training"
    ),
    cv = paste0(if (p$repeats > 1L) paste(p$repeats, "x "), p$folds, "-fold cross-validation (", rows, ")"),
    fixed = paste0("fixed split, ", length(p$train), " training rows, ", length(p$test), " test rows")
  )
}

#' @export
print.mlresampling <- function(x, ...) {
  cat("<mlresampling> ", describe_resampling(x), "\n", sep = "")
  invisible(x)
}

#' Split the rows of a task
#'
#' @param task A task.
#' @param resampling A resampling: [rs_holdout()], [rs_cv()] or [rs_fixed()].
#' @return A named list with one element per split: `list(train = , test = )`, increasing row numbers. Hold-outs are
#'   called `repeat1`, `repeat2`, ..., folds `fold1`, `fold2`, ... (`repeat1_fold1`, ... if repeated), and a fixed split
#'   `fixed`. In cross-validation every row is a test row once in each repeat. No part is ever empty; if this is not
#'   possible, there is an error of class `mlsift_error`. Random numbers come from R's generator, so `set.seed()`
#'   repeats a split.
#' @family resampling
#' @examples
#' task <- mltask(data.frame(a = 1:12 / 7), data.frame(l1 = rep(0:1, 6), l2 = rep(c(1, 0, 0), 4)))
#' set.seed(1)
#' splits <- split_rows(task, rs_cv(folds = 3))
#' splits$fold1
#' sapply(splits, function(split) colMeans(targets(task)[split$test, ]))
#' @export
split_rows <- function(task, resampling) {
  check_task(task)
  check_resampling(resampling)
  make_splits(task, resampling, rlang::current_env())
}

check_resampling <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_class(
    x, "mlresampling", "Make one with {.fn rs_holdout}, {.fn rs_cv} or {.fn rs_fixed}.", arg = arg, call = call
  )
}

make_splits <- function(task, resampling, call) {
  params <- resampling$params
  if (resampling$method == "fixed") return(fixed_splits(nrow(task), params, call))
  columns <- if (params$stratify) label_columns(task)
  if (resampling$method == "cv") cv_splits(nrow(task), columns, params, call) else holdout_splits(nrow(task), columns,
    params, call)
}

fixed_splits <- function(n, params, call) {
  last <- max(params$train, params$test)
  if (last > n) {
    abort(c(
      "The row numbers of {.fn rs_fixed} must be rows of the task.",
      x = "It names row {last}; the task has {n} row{?s}."
    ), call = call)
  }
  list(fixed = params[c("train", "test")])
}

cv_splits <- function(n, columns, params, call) {
  if (params$folds > n) {
    abort(c("There must be at least one row for each fold.",
      x = "{params$folds} folds were asked for; the task has {n} row{?s}.",
            i = "Use fewer {.arg folds}."), call = call)
  }
  splits <- lapply(seq_len(params$repeats), function(r) {
    fold <- if (is.null(columns)) deal_rows(n, params$folds) else stratify_rows(
      columns, n, rep(1 / params$folds, params$folds)
    )
    lapply(seq_len(params$folds), function(j) list(train = which(fold != j), test = which(fold == j)))
  })
  splits <- unlist(splits, recursive = FALSE)
  fold_names <- paste0("fold", seq_len(params$folds))
  names(splits) <- if (params$repeats == 1L) fold_names
    else paste0("repeat", rep(seq_len(params$repeats), each = params$folds), "_", fold_names)
  check_parts(splits, n, call)
}

holdout_splits <- function(n, columns, params, call) {
  splits <- lapply(seq_len(params$repeats), function(r) {
    if (is.null(columns)) {
      is_train <- sample.int(n) <= floor(params$prop * n + 0.5)
    } else {
      is_train <- stratify_rows(columns, n, c(params$prop, 1 - params$prop)) == 1L
    }
    list(train = which(is_train), test = which(!is_train))
  })
  names(splits) <- paste0("repeat", seq_len(params$repeats))
  check_parts(splits, n, call)
}

check_parts <- function(splits, n, call) {
  for (name in names(splits)) {
    sizes <- lengths(splits[[name]])
    if (all(sizes > 0L)) next
    part <- if (sizes[["test"]] == 0L) "test" else "training"
    abort(c("Every split must have training and test rows.",
      x = "Split {.val {name}} of {n} row{?s} has no {part} rows.",
            i = "Use another {.arg prop}, more rows, or {.code stratify = FALSE}."), call = call)
  }
  splits
}

# Folds of equal size, up to one row.
deal_rows <- function(n, folds) rep_len(seq_len(folds), n)[sample.int(n)]

# The fold of each row; rows are shuffled once, and one number is there for each row to break its tie.
stratify_rows <- function(columns, n, share) {
  order <- sample.int(n)
  cpp_stratify(columns$start, columns$row, share, order, stats::runif(n))
}

# The rows (from 0) of each label, label by label; NULL where there is nothing to stratify by.
label_columns <- function(task) {
  y <- task$y
  switch(task_kind(task),
    label = if (is_sparse(y)) list(start = y@p, row = y@i) else cpp_one_columns(y),
    class = {
      counts <- unlist(lapply(y, function(target) tabulate(target, nlevels(target))))
      list(start = c(0L, cumsum(counts)), row = unlist(lapply(y, order), use.names = FALSE) - 1L)
    }
  )
}

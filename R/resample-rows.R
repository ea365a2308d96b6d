#' Ways to split rows into training and test rows
#'
#' A resampling describes how rows are split. [split_rows()] applies it to a task, and [benchmark_selectors()] to all of
#' its tasks.
#'
#' There are five ways:
#'
#' - `rs_holdout()` draws a share `prop` of the rows for training, `repeats` times.
#' - `rs_cv()` assigns the rows to `folds` folds, and each fold is the test set once. This is done `repeats` times.
#' - `rs_forward()` goes forward in time: the rows are put in the order of their [times][row_groups()], and each of
#'   `folds` blocks is the test set once, after the rows before it were the training set.
#' - `rs_fixed()` is one given split, such as the usual split of a data set.
#' - `rs_custom()` takes any list of splits, or what the functions of package rsample make, such as
#'   `rsample::vfold_cv()`.
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
#' # Groups
#' Rows of the same group are never on both sides of a split. Groups are those of the task, see [row_groups()], or those
#' that `group` gives. Groups are assigned one after the other,
#' those first that have most of the rows and labels. Each goes to the part that lacks most of what the group has,
#' counted in shares of each label and of the rows (with `stratify = FALSE`, of the rows alone); ties are decided at
#' random. With as many `folds` as there are groups, each group is the test set once (leave one group out). With fewer
#' groups than `folds`, there are as many folds as groups, and a message says so.
#'
#' Inside another split, as in [sel_best()] in a benchmark, a vector `group` for all rows of the task and the row
#' numbers of `rs_fixed()` and `rs_custom()` are used for the rows at hand. Given splits without training or test rows
#' among these are left out.
#'
#' # Time
#' `rs_forward()` cuts the sorted rows into `folds + 1` blocks of about equal size. The first block is never tested.
#' Rows of equal time are never parted: a border moves to the nearest change of time. If the task has groups, a group
#' belongs to the block of its last row. `gap` leaves rows out between training and test rows, so that a training row
#' does not overlap in time with what is predicted. `window` trains on the most recent rows only.
#'
#' @param prop (number between 0 and 1) Share of the training rows.
#' @param repeats (whole number) Number of times that rows are split.
#' @param folds (whole number, 2 or more) Number of folds.
#' @param stratify (flag) Whether to spread every label evenly.
#' @param group A vector with the group of each row of the task, such as patients or documents. If it is left out, the
#'   groups of the task are used. `NULL` ignores them, and a message says so.
#' @param gap,window How much is left out before each test block, and how much before that is used for training: a whole
#'   number of rows, or for tasks whose times are `Date` or `POSIXct` a `difftime`, such as `as.difftime(7, units =
#'   "days")`. Rows with the same time count together. `window = NULL` uses all earlier rows.
#' @param n_train,n_test (whole numbers) Numbers of rows, instead of `prop`. With one of them, all other rows are in the
#'   other part; with both, the rest is not used. With stratification or groups, sizes are close to these numbers.
#' @param train,test (whole numbers) Row numbers. They must not overlap. Other rows are not used.
#' @param splits A list of splits, each a list with the row numbers `train` and `test` (or `Training`, `TEST`, ...); or
#'   an object of class `rset` of package rsample, whose repeated rows count once. Names of the list are the names of
#'   the splits.
#' @return An object of class `mlresampling`: a name and the parameters.
#' @references `r papers("Sechidis2011")`
#' @family resampling
#' @examples
#' rs_cv(folds = 5)
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' set.seed(1)
#' split_rows(cars, rs_holdout(prop = 0.5, repeats = 2))
#' @export
rs_holdout <- function(prop = 0.5, repeats = 30, stratify = TRUE, group = NULL, n_train = NULL, n_test = NULL) {
  group <- check_group(group, missing(group))
  check_number(prop, 0, 1)
  if (prop == 0 || prop == 1) abort(c("{.arg prop} must be larger than 0 and smaller than 1.", x = "It is {prop}.",
    i = "It is the share of the rows that are used for training."))
  counts <- list(n_train = check_count(n_train, null = TRUE), n_test = check_count(n_test, null = TRUE))
  if (!missing(prop) && length(unlist(counts)) > 0L) abort(c("Give {.arg prop} or numbers of rows, not both.",
    x = "Both {.arg prop} and {.arg {names(unlist(counts))[1L]}} are there."))
  repeats <- check_count(repeats, max = most_repeats)
  params <- list(prop = as.double(prop), repeats = repeats, stratify = check_flag(stratify))
  new_resampling("holdout", c(params, given_params(c(list(group = group), counts))))
}

#' @rdname rs_holdout
#' @export
rs_cv <- function(folds = 10, repeats = 1, stratify = TRUE, group = NULL) {
  group <- check_group(group, missing(group))
  folds <- check_count(folds, min = 2)
  params <- list(folds = folds, repeats = check_count(repeats, max = most_repeats), stratify = check_flag(stratify))
  new_resampling("cv", c(params, given_params(list(group = group))))
}

#' @rdname rs_holdout
#' @export
rs_forward <- function(folds = 5, gap = 0, window = NULL) {
  params <- list(folds = check_count(folds), gap = check_span(gap), window = if (!is.null(window)) check_span(window))
  if (!is.null(window) && window == 0) abort(c("{.arg window} must be above 0.", x = "It is 0."))
  if (!is.null(window) && gap != 0 && inherits(gap, "difftime") != inherits(window, "difftime")) {
    abort("{.arg gap} and {.arg window} must both be numbers of rows, or both time spans.")
  }
  if (inherits(window, "difftime") && gap == 0) params$gap <- as.difftime(0, units = "secs")
  new_resampling("forward", given_params(params))
}

# A number of rows, or a difftime.
check_span <- function(x, arg = rlang::caller_arg(x)) {
  if (!inherits(x, "difftime")) return(check_count(x, min = 0, arg = arg))
  if (length(x) == 1L && is.finite(x) && x >= 0) return(x)
  abort_value(x, "one time span of 0 or more", arg = arg)
}

# The resampling of a choice for which the user gave none: `usual`, or the like of it forward in time. Rows of one time
# have no order.
own_resampling <- function(resampling, task, usual) {
  if (!is.null(resampling)) return(resampling)
  if (length(unique(task$rows$time)) < 2L || !is.null(task$rows$group)) return(usual)
  # A hold-out becomes one test block at the end.
  if (usual$method == "cv") usual_forward(usual$params$folds) else usual_forward(1L, usual$params$prop)
}

# Blocks whose number nobody asked for: there are fewer, without a message, where times are few.
usual_forward <- function(folds, first = 1 / (folds + 1)) {
  new_resampling("forward", list(folds = folds, gap = 0L, first = first))
}

# More repeats than this must be a mistake, and their splits would fill the memory.
most_repeats <- 1000000L

# The group of each row as a number; NULL for those of the task, FALSE for none.
check_group <- function(group, missing = FALSE) {
  if (is.null(group) || isFALSE(group)) return(if (!missing) FALSE)
  plain <- is_atomic(group) && is.null(dim(group)) && length(group) > 0L
  if (!plain || anyNA(group)) {
    missing <- if (plain) which(is.na(group))
    abort(c("{.arg group} must be a vector with the group of each row, none of them missing.",
      x = if (length(missing) > 0L) "That of row {missing[1L]} is missing." else "It is {describe(group)}."))
  }
  match(group, unique(group))
}

#' @rdname rs_holdout
#' @export
rs_custom <- function(splits) {
  if (inherits(splits, "rset")) splits <- rsample_splits(splits)
  if (!is.list(splits) || is.data.frame(splits) || length(splits) == 0L) {
    abort_value(splits, "a list of splits, each a list with {.field train} and {.field test}")
  }
  given <- rlang::names2(splits)
  names <- ifelse(nzchar(given), given, paste0("split", seq_along(splits)))
  check_distinct(names, "splits")
  checked <- lapply(stats::setNames(seq_along(splits), names), function(i) {
    split <- splits[[i]]
    if (is.list(split) && length(names(split)) > 0L) {
      names(split) <- sub("^(train|test)ing$", "\\1", tolower(names(split)))
    }
    if (!is.list(split) || !all(c("train", "test") %in% names(split))) {
      abort(c("Each of {.arg splits} must be a list with {.field train} and {.field test}.",
        x = "Split {.val {names[i]}} is {describe(split)}."))
    }
    fixed <- tryCatch(rs_fixed(split$train, split$test), mlsift_error = function(e) {
      abort("Split {.val {names[i]}} cannot be used.", parent = e)
    })
    fixed$params
  })
  new_resampling("custom", list(splits = checked))
}

# Row numbers of an rset. Bootstrap samples repeat rows; the remaining rows are their test rows.
rsample_splits <- function(x) {
  id <- do.call(paste, c(unclass(x)[grep("^id[0-9]*$", names(x))], sep = "_"))
  parts <- lapply(x$splits, function(split) {
    train <- sort(unique(split$in_id))
    test <- if (anyNA(split$out_id)) setdiff(seq_len(nrow(split$data)), train) else sort(unique(split$out_id))
    list(train = train, test = test)
  })
  stats::setNames(parts, make.unique(id, sep = "_"))
}

#' @rdname rs_holdout
#' @export
rs_fixed <- function(train, test) {
  train <- check_row_numbers(train)
  test <- check_row_numbers(test)
  both <- intersect(train, test)
  if (length(both) > 0L) abort(c("{.arg train} and {.arg test} must not overlap.",
    x = "{length(both)} row{?s} {?is/are} in both; the first is {both[1]}."))
  new_resampling("fixed", list(train = train, test = test))
}

new_resampling <- function(method, params) {
  name <- switch(method, holdout = "hold-out", cv = "cross-validation", forward = "forward in time",
    fixed = "fixed split", custom = "given splits"
  )
  structure(list(name = name, method = method, params = params), class = "mlresampling")
}

# Row numbers from 1, sorted and without duplicates.
check_row_numbers <- function(x, arg = rlang::caller_arg(x)) {
  odd_row <- function(x) !are_whole(x) | x < 1
  if (!is.numeric(x) || length(x) == 0L || any(odd_row(x))) {
    found <- if (length(x) == 0L) "empty" else describe(x)
    odd <- if (is.numeric(x)) x[odd_row(x)]
    abort(c("{.arg {arg}} must be row numbers: whole numbers from 1.",
      x = if (length(odd) > 0L) "It contains {odd[1]}." else "It is {found}."))
  }
  twice <- anyDuplicated(x)
  if (twice > 0L) abort(c("{.arg {arg}} must hold every row number once.",
    x = "Row {x[twice]} is there more than once."))
  sort(as.integer(x))
}

# `kind`: of the targets; numbers are not stratified.
describe_resampling <- function(x, kind = "label") {
  p <- x$params
  rows <- if (isTRUE(p$stratify) && kind != "numeric") "stratified" else "random"
  if (isFALSE(p$group)) rows <- paste0(rows, ", groups ignored")
  else if (!is.null(p$group)) rows <- paste0(rows, ", ", max(p$group), " groups")
  switch(x$method,
    holdout = paste0(
      p$repeats, if (p$repeats == 1L) " hold-out" else " hold-outs", " (", rows, "), ",
      if (is.null(p$n_train) && is.null(p$n_test)) paste0(format(100 * p$prop), "% of the rows for training")
      else paste(c(p$n_train, p$n_test), c("training", "test")[!c(is.null(p$n_train), is.null(p$n_test))], "rows",
        collapse = ", ")
    ),
    cv = paste0(if (p$repeats > 1L) paste(p$repeats, "x "), p$folds, "-fold cross-validation (", rows, ")"),
    forward = paste0(counted(p$folds, "test block"), " forward in time",
      if (p$gap > 0) paste0(", a gap of ", describe_span(p$gap)),
      if (!is.null(p$window)) paste0(", trained on the last ", describe_span(p$window))),
    fixed = paste0("fixed split, ", length(p$train), " training rows, ", length(p$test), " test rows"),
    custom = counted(length(p$splits), "given split")
  )
}

describe_span <- function(x) if (inherits(x, "difftime")) format(x) else counted(x, "row")

#' @export
print.mlresampling <- function(x, ...) print_line(x, describe_resampling(x))

#' Split the rows of a task
#'
#' @param task A task.
#' @param resampling A resampling, see [rs_holdout()].
#' @return A named list with one element per split: `list(train = , test = )`, increasing row numbers. Hold-outs are
#'   called `repeat1`, `repeat2`, ..., folds `fold1`, `fold2`, ... (`repeat1_fold1`, ... if repeated), and a fixed split
#'   `fixed`. In cross-validation every row is a test row once in each repeat, except that rows of weight 0 are in no
#'   split other than those that were given. No part is ever empty; if this is not
#'   possible, there is an error of class `mlsift_error`. Random numbers come from R's generator, so `set.seed()`
#'   repeats a split.
#' @family resampling
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' set.seed(1)
#' splits <- split_rows(cars, rs_cv(folds = 3))
#' splits$fold1
#' sapply(splits, function(split) colMeans(targets(cars)[split$test, ]))
#' @export
split_rows <- function(task, resampling) {
  check_mltask(task)
  check_resampling(resampling)
  make_splits(task, resampling)
}

check_resampling <- function(x, arg = rlang::caller_arg(x)) {
  check_class(x, "mlresampling", "Make one with {.fn rs_holdout}, {.fn rs_cv} or {.fn rs_fixed}.", arg = arg)
}

make_splits <- function(task, resampling) {
  params <- resampling$params
  n <- nrow(task)
  if (resampling$method == "fixed") return(given_splits(task$rows, n, list(fixed = params), "rs_fixed"))
  if (resampling$method == "custom") return(given_splits(task$rows, n, params$splits, "rs_custom"))
  inner <- !is.null(task$rows$number)
  counted <- counted_rows(task$rows)
  if (length(counted) == 0L) return(deal_splits(task$rows, task$targets, n, resampling, inner))
  rows <- numbered_rows(task$rows, n)[counted]
  splits <- deal_splits(rows, task$targets[counted, ], length(counted), resampling, inner)
  lapply(splits, lapply, function(part) counted[part])
}

# Splits of `n` rows, all of which count. `inner`: whether the rows that were to be split are a part of a task already.
deal_splits <- function(rows, targets, n, resampling, inner) {
  params <- resampling$params
  if (resampling$method == "forward") return(check_parts(forward_splits(rows, n, params, inner), n))
  columns <- if (params$stratify) label_columns(targets)
  group <- groups_at_hand(rows, params$group, n, inner)
  if (resampling$method == "cv") cv_splits(n, columns, params, group, inner)
  else holdout_splits(n, columns, params, group)
}

# The group of each of the `n` rows as a number from 1, or NULL. `given`: what check_group() returned.
groups_at_hand <- function(rows, given, n, inner) {
  if (isFALSE(given)) {
    if (!is.null(rows$group) && !inner) {
      inform(c("!" = "The groups of the rows are ignored, as {.code group = NULL} asks."))
    }
    return(NULL)
  }
  group <- given %||% as.integer(rows$group)
  if (length(group) == 0L) return(NULL)
  if (!is.null(given)) {
    all <- all_rows(rows, n)
    if (length(group) != all) abort(c("{.arg group} must have one element for each row of the task.",
      x = "It has {length(group)}; the task has {all} row{?s}."))
    group <- group[rows_at_hand(rows, n)]
  }
  group <- match(group, unique(group))
  if (max(group) > 1L) return(group)
  abort(c("There must be at least two groups of rows.", x = "All {n} row{?s} {?is/are} in one group.",
    i = "{.code group = NULL} ignores the groups of the task."))
}

# The folds of training rows for what a learner learns from predictions of rows that its models have not seen.
inner_folds <- function(task, folds) make_splits(task, own_resampling(NULL, task, rs_cv(folds)))

# Splits that the user gave to `maker`. They are of the whole task, of which these may be some rows.
given_splits <- function(rows, n, splits, maker) {
  all <- all_rows(rows, n)
  for (name in names(splits)) {
    last <- max(unlist(splits[[name]]))
    if (last <= all) next
    who <- if (maker == "rs_fixed") "It" else "Split {.val {name}}"
    abort(c("The row numbers of {.fn {maker}} must be rows of the task.",
      x = paste(who, "names row {last}; the task has {all} row{?s}.")))
  }
  if (is.null(rows$number)) return(splits)
  splits <- lapply(splits, lapply, function(part) which(rows$number %in% part))
  splits <- splits[vapply(splits, function(split) all(lengths(split) > 0L), NA)]
  if (length(splits) > 0L) return(splits)
  abort(c("A split of {.fn {maker}} must have training and test rows among those that are to be split.",
    x = "These are {n} of the {all} row{?s} of the task."))
}

# The part of each row: `parts` in random order, unless there are labels to be spread (`columns`) or groups. `share`:
# the shares of the parts, which sum to 1.
deal_rows <- function(parts, share, columns, group) {
  if (!is.null(group)) return(deal_groups(group, columns, share))
  order <- sample.int(length(parts))
  if (is.null(columns)) return(parts[order])
  # Rows are shuffled once, and each row has one number that breaks its tie.
  cpp_stratify(columns$start, columns$row, share, order, stats::runif(length(parts)))
}

# The part of each row, with all rows of a group in the same part. `share`: the shares of the parts, which sum to 1.
deal_groups <- function(group, columns, share) {
  n <- length(group)
  n_groups <- max(group)
  if (n_groups == length(share)) return(sample.int(n_groups)[group])
  # The rows themselves count as one more label, which all rows have.
  per_label <- if (length(columns$start) > 1L) {
    label <- rep(seq_len(length(columns$start) - 1L), diff(columns$start))
    table(factor(group[columns$row + 1L], seq_len(n_groups)), factor(label, seq_len(length(columns$start) - 1L)))
  }
  counts <- cbind(matrix(as.double(per_label), n_groups), tabulate(group, n_groups))
  counts <- counts[, colSums(counts) > 0, drop = FALSE]
  weights <- sweep(counts, 2L, colSums(counts), `/`)
  has <- matrix(0, length(share), ncol(weights))
  part <- integer(n_groups)
  for (g in order(-rowSums(weights), stats::runif(n_groups))) {
    lack <- (1 - has / share) %*% weights[g, ]
    best <- which(lack >= max(lack) - 1e-12)
    part[g] <- if (length(best) > 1L) best[sample.int(length(best), 1L)] else best
    has[part[g], ] <- has[part[g], ] + weights[g, ]
  }
  part[group]
}

cv_splits <- function(n, columns, params, group, inner) {
  if (!is.null(group) && max(group) < params$folds) {
    if (!inner) inform(c("!" = "There are {max(group)} folds instead of {params$folds}: one for each group."))
    params$folds <- max(group)
  }
  if (params$folds > n) abort(c("There must be at least one row for each fold.",
    x = "{params$folds} folds were asked for; {n} row{?s} can be split.", i = "Use fewer {.arg folds}."))
  splits <- unlist(lapply(seq_len(params$repeats), function(r) {
    # Drawn at random, the sizes of folds differ by at most one row.
    fold <- deal_rows(rep_len(seq_len(params$folds), n), rep(1 / params$folds, params$folds), columns, group)
    lapply(seq_len(params$folds), function(j) list(train = which(fold != j), test = which(fold == j)))
  }), recursive = FALSE)
  of_repeat <- if (params$repeats > 1L) paste0("repeat", rep(seq_len(params$repeats), each = params$folds), "_")
  names(splits) <- paste0(of_repeat, "fold", seq_len(params$folds))
  check_parts(splits, n)
}

holdout_splits <- function(n, columns, params, group) {
  sizes <- holdout_sizes(n, params)
  share <- if (is.null(params$n_train) && is.null(params$n_test)) c(params$prop, 1 - params$prop) else sizes / n
  splits <- lapply(seq_len(params$repeats), function(r) {
    part <- deal_rows(rep(seq_along(sizes), sizes), share, columns, group)
    list(train = which(part == 1L), test = which(part == 2L))
  })
  names(splits) <- paste0("repeat", seq_len(params$repeats))
  check_parts(splits, n)
}

# The times by which rows are cut into blocks. A group counts as a whole, at the time of its last row.
block_times <- function(rows) {
  time <- rows$time
  if (is.null(rows$group)) return(time)
  last <- order(time)
  last <- last[!duplicated(rows$group[last], fromLast = TRUE)]
  time[last[match(rows$group, rows$group[last])]]
}

# Blocks of rows in the order of time.
forward_splits <- function(rows, n, params, inner) {
  if (is.null(rows$time)) abort(c("{.fn rs_forward} needs a task whose rows have times.",
    i = "Give them to {.fn mltask}: {.code time = }."))
  time <- block_times(rows)
  order <- order(time)
  time <- time[order]
  # The first row of each time, and those that begin a test block.
  first <- which(!duplicated(time))
  share <- params$first %||% (1 / (params$folds + 1))
  wanted <- 1 + n * (share + (1 - share) * (seq_len(params$folds) - 1) / params$folds)
  begin <- setdiff(first[vapply(wanted, function(at) which.min(abs(first - at)), 1L)], 1L)
  if (length(begin) == 0L) abort(c("Rows of equal time cannot be parted.",
    x = "The times of {n} row{?s} do not differ enough to test on a part of them."))
  if (length(begin) < params$folds && is.null(params$first) && !inner) {
    blocks <- counted(length(begin), "test block")
    inform(c("!" = "Time gives {blocks} instead of {params$folds}: rows of equal time cannot be parted."))
  }
  end <- c(begin[-1L] - 1L, n)
  splits <- Map(function(from, to) {
    train <- seq_len(from - 1L - sum(is_within(time, from, params$gap)))
    if (inherits(params$window, "difftime")) {
      train <- train[is_within(time, from, params$gap + params$window)[train]]
    } else if (!is.null(params$window)) {
      train <- train[is_within(time, length(train) + 1L, params$window)]
    }
    list(train = sort(order[train]), test = sort(order[from:to]))
  }, begin, end)
  names(splits) <- paste0("fold", seq_along(splits))
  short <- which(lengths(lapply(splits, `[[`, "train")) == 0L)
  if (length(short) > 0L) abort(c("{.arg gap} must leave training rows before every test block.",
    x = "It leaves none before block {short[1L]}, which begins with row {begin[short[1L]]} in time.",
    i = "Use a smaller {.arg gap}, or fewer {.arg folds}."))
  splits
}

# Whether each of the sorted rows before `from` is at most `span` away from it: so many rows, and all of the same time,
# or a difference in time.
is_within <- function(time, from, span) {
  before <- time[seq_len(from - 1L)]
  if (span == 0) return(logical(length(before)))
  if (!inherits(span, "difftime")) return(before >= time[max(1L, from - span)])
  if (is.numeric(time)) {
    abort(c("A {.cls difftime} in {.fn rs_forward} needs times that are {.cls Date} or {.cls POSIXct}.",
      x = "The times of the task are numbers.", i = "Give a number of rows."))
  }
  difftime(time[from], before, units = "secs") <= as.numeric(span, units = "secs")
}

# Numbers of training rows, of test rows, and of unused rows, if any.
holdout_sizes <- function(n, params) {
  if (is.null(params$n_train) && is.null(params$n_test)) {
    train <- floor(params$prop * n + 0.5)
    return(c(train, n - train))
  }
  train <- params$n_train %||% (n - params$n_test)
  test <- params$n_test %||% (n - params$n_train)
  if (train < 1L || test < 1L || as.double(train) + test > n) {
    abort(c("{.arg n_train} and {.arg n_test} must fit into the task, with rows on both sides.",
      x = "They are {train} and {test}; {n} row{?s} can be split."))
  }
  c(train, test, if (train + test < n) n - train - test)
}

check_parts <- function(splits, n) {
  for (name in names(splits)) {
    sizes <- lengths(splits[[name]])
    if (all(sizes > 0L)) next
    part <- if (sizes[["test"]] == 0L) "test" else "training"
    abort(c("Every split must have training and test rows.",
      x = "Split {.val {name}} of {n} row{?s} has no {part} rows.",
      i = "Use another {.arg prop}, more rows, or {.code stratify = FALSE}."))
  }
  splits
}

# What the learners with neighbors share: features as numbers, their scale, the number of neighbors.

# Training rows for a search: list(x, nominal, levels, scale, neighbors). `x` is a double matrix or a dgCMatrix, divided
# by `scale` (NULL for none). `self`: rows will be searched for neighbors among the others. `rows`: the training rows
# that may be neighbors, in this order.
neighbor_state <- function(task, params, self, call, rows = NULL) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.", call)
  numbers <- numeric_features(task)
  x <- unname_rows(numbers$x)
  scale <- if (params$scale == "zscore") neighbor_scale(x, numbers$nominal)
  levels <- if (is.data.frame(task$x)) lapply(
    unname(as.list(task$x)), function(column) if (is.factor(column)) levels(column)
  )
  ordered <- if (is.data.frame(task$x)) vapply(task$x, is.ordered, NA, USE.NAMES = FALSE) else logical(ncol(x))
  x <- scale_columns(x, scale)
  if (!is.null(rows)) x <- x[rows, , drop = FALSE]
  list(
    x = x, y = task$y, nominal = numbers$nominal, levels = levels, ordered = ordered, scale = scale,
    neighbors = usable_neighbors(params$neighbors, nrow(x) - self, call)
  )
}

unname_rows <- function(x) {
  if (is.matrix(x)) dimnames(x) <- NULL else x@Dimnames <- list(NULL, NULL)
  x
}

# `most`: how many `rows` there are, which are all used where that is fewer than asked for.
usable_neighbors <- function(neighbors, most, call, rows = "training rows") {
  if (neighbors <= most) return(neighbors)
  warn(c(
    "There are fewer {rows} than {.arg neighbors}; all {most} are used.", x = "{.arg neighbors} is {neighbors}."
  ), call = call)
  most
}

# Distances do not need centering, and without it what is zero stays zero.
neighbor_scale <- function(x, nominal) {
  scale <- cpp_column_scale(x)
  scale[nominal] <- 1
  scale
}

scale_columns <- function(x, scale) {
  if (is.null(scale)) return(x)
  if (is_sparse(x)) {
    x@x <- x@x / rep.int(scale, diff(x@p))
    return(x)
  }
  x / rep(scale, each = nrow(x))
}

# New rows as the state's rows are: the same layout, codes and scale.
neighbor_query <- function(state, x, call) {
  check_no_missing(list(x = x), "Fill it in with {.fn impute_mean}, or leave the row out.", call)
  if (is_sparse(x) && !is_sparse(state$x)) x <- as.matrix(x)
  if (!is.matrix(x) && !is_sparse(x) || any(lengths(state$levels) > 0L)) {
    values <- vapply(
      seq_len(ncol(x)), function(f) recode(state, f, if (is.data.frame(x)) x[[f]] else x[, f], colnames(x)[f], call),
      double(nrow(x))
    )
    x <- matrix(values, nrow(x), ncol(x))
  }
  if (is_sparse(state$x)) {
    if (!is_sparse(x)) x <- methods::as(methods::as(methods::as(x + 0, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  } else {
    storage.mode(x) <- "double"
  }
  scale_columns(unname_rows(x), state$scale)
}

# One column by the levels of training: 0, 1 for two levels, else 1, 2, ... A level unseen in training gets a number
# that is equally far from all: 0.5 between two levels, 0 among codes.
recode <- function(state, f, values, name, call) {
  known <- state$levels[[f]]
  if (is.null(known)) {
    if (is.factor(values)) {
      abort(c(
        "Features of {.arg newdata} must be of the type they had in training.",
        x = "{.val {name}} was numeric and is a factor."
      ), call = call)
    }
    return(as.double(values))
  }
  codes <- match(as.character(values), known)
  unseen <- is.na(codes)
  if (any(unseen) && state$ordered[f]) {
    abort(c("An ordered factor in {.arg newdata} must have the levels of training.",
            x = "{.val {name}} has level {.val {as.character(values[unseen][1])}} in row {which(unseen)[1]}."),
            call = call)
  }
  if (length(known) <= 2L) return(ifelse(unseen, 0.5, codes - 1))
  as.double(ifelse(unseen, 0L, codes))
}

# The nearest training rows of each row of `query`, or of the training rows among the others: list(index, distance).
nearest_rows <- function(x, query = NULL, neighbors, threads = NULL) {
  cpp_nearest(x, query %||% x, logical(ncol(x)), neighbors, is.null(query), resolve_threads(threads))
}

# Features for distances between numbers: a double matrix or a dgCMatrix. `scale`: whether they will be divided by their
# deviations.
plain_numbers <- function(x, scale, what, call) {
  numbers <- numeric_features(list(x = x))
  if (any(numbers$nominal)) {
    name <- colnames(x)[numbers$nominal][1L]
    abort(c("{what} needs features that are numbers.",
      x = "{.val {name}} is a factor of {nlevels(x[[name]])} levels without an order.",
            i = "Use an ordered factor, one 0/1 column for each level, or leave it out."), call = call)
  }
  if (scale == "none") check_squarable(numbers$x, call)
  numbers$x
}

check_squarable <- function(x, call) {
  largest <- max(0, if (is_sparse(x)) abs(x@x) else abs(x))
  if (largest <= 1e150) return(invisible())
  abort(c("Features are too large to be squared.", x = "There is a value of size {signif(largest, 3)}.",
          i = "Use {.code scale = \"zscore\"}."), call = call)
}

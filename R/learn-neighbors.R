# Shared by nearest-neighbor learners: features as numbers, their scale, and the number of neighbors.

# Training rows for a search: list(x, y, nominal, levels, ordered, scale, neighbors). `x` is a double matrix or
# a dgCMatrix, divided by `scale` (NULL for none). `self`: whether the neighbors of each row are searched for among the
# other rows. `rows`: the training rows that may be neighbors, in this order.
neighbor_state <- function(task, params, self, rows = NULL) {
  check_no_missing(task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.")
  numbers <- numeric_features(task)
  if (params$scale == "none") check_squarable(numbers$x[, !numbers$nominal, drop = FALSE])
  # Distances do not need centering. Without centering, zeros stay zero.
  scale <- if (params$scale == "zscore") replace(cpp_column_scale(numbers$x), numbers$nominal, 1)
  x <- scale_columns(unname_rows(numbers$x), scale)
  if (!is.null(rows)) x <- x[rows, , drop = FALSE]
  c(list(x = x, y = coded(task$targets), nominal = numbers$nominal), training_levels(task$x),
    list(scale = scale, neighbors = usable_neighbors(params$neighbors, nrow(x) - self)))
}

# list(levels, ordered): the levels of each column, which code new rows, and whether they have an order.
training_levels <- function(x) {
  if (!is.data.frame(x)) return(list(levels = NULL, ordered = logical(ncol(x))))
  columns <- unname(as.list(x))
  list(levels = lapply(columns, function(column) if (is.factor(column)) levels(column)),
    ordered = vapply(columns, is.ordered, NA))
}

unname_rows <- function(x) {
  if (is.matrix(x)) dimnames(x) <- NULL else x@Dimnames <- list(NULL, NULL)
  x
}

# `most`: the number of available rows. All of them are used if more neighbors are requested.
usable_neighbors <- function(neighbors, most, rows = "training rows") {
  if (neighbors <= most) return(neighbors)
  warn(c("There are fewer {rows} than {.arg neighbors}; all {most} are used.", x = "{.arg neighbors} is {neighbors}."),
    setting = "neighbors")
  most
}

# New rows with the layout, codes and scale of the state's rows.
neighbor_query <- function(state, x) {
  check_no_missing(list(x = x), "Fill it in with {.fn impute_mean}, or leave the row out.")
  if (is_sparse(x) && !is_sparse(state$x)) x <- as.matrix(with_values(x))
  if (!is.matrix(x) && !is_sparse(x) || any(lengths(state$levels) > 0L)) {
    values <- vapply(seq_len(ncol(x)), function(f) recode(state, f, dense_column(x, f), colnames(x)[f]),
      double(nrow(x)))
    x <- matrix(values, nrow(x), ncol(x))
  }
  if (!is_sparse(state$x)) storage.mode(x) <- "double"
  else if (!is_sparse(x)) x <- as_sparse_numbers(x)
  scale_columns(unname_rows(x), state$scale)
}

# One column coded by the training levels: 0 and 1 for two levels, 1, 2, ... for more. A level not seen in training gets
# a number equally far from all levels: 0.5 for two levels, 0 for more.
recode <- function(state, f, values, name) {
  known <- state$levels[[f]]
  codes <- coded_column(values, known, name)
  if (is.null(known)) return(as.double(codes))
  unseen <- codes == 0L
  if (any(unseen) && state$ordered[f]) abort(c("An ordered factor in {.arg newdata} must have the levels of training.",
    x = "{.val {name}} has level {.val {as.character(values[unseen][1])}} in row {which(unseen)[1]}."))
  if (length(known) <= 2L) return(ifelse(unseen, 0.5, codes - 1))
  as.double(codes)
}

# A column of new rows coded by the training levels, 0 for others; NULL for a numeric column, which is kept as it is.
coded_column <- function(values, known, name) {
  check_column_type(values, known, name)
  if (is.null(known)) values else match(as.character(values), known, nomatch = 0L)
}

# fit() of a method that learns nothing but its rows.
fit_neighbors <- function(task, params, prefixes, threads) neighbor_state(task, params, self = FALSE)

# predict() of a method: `answer(state, query, params, prefixes, threads)` predicts from the training rows and the new
# rows in the same form.
neighbor_predict <- function(answer) {
  function(state, x, params, prefixes, threads) {
    answer(state, neighbor_query(state, x), params, prefixes, threads)
  }
}

# Searches among sets of features: training rows and new rows are converted only once, and `answer` gets some columns of
# both.
neighbor_subsets <- function(self, answer) {
  function(train, x, params, threads) {
    state <- neighbor_state(train, params, self)
    query <- neighbor_query(state, x)
    function(columns, scores) {
      part <- list(x = take_columns(state$x, columns), y = state$y, nominal = state$nominal[columns],
        neighbors = state$neighbors)
      answer(part, take_columns(query, columns), params, length(columns), threads)[[1L]]
    }
  }
}

# Some columns of a matrix or dgCMatrix without dimnames.
take_columns <- function(x, columns) {
  if (!is_sparse(x)) return(x[, columns, drop = FALSE])
  size <- diff(x@p)[columns]
  at <- sequence(size, x@p[columns] + 1L)
  x@i <- x@i[at]
  x@x <- x@x[at]
  x@p <- c(0L, cumsum(size))
  x@Dim <- c(x@Dim[1L], length(columns))
  x
}

# Features for distances between numbers: a double matrix or a dgCMatrix. `scale`: whether they will be divided by their
# standard deviations.
plain_numbers <- function(x, scale, what) {
  numbers <- numeric_features(list(x = x))
  if (any(numbers$nominal)) {
    name <- colnames(x)[numbers$nominal][1L]
    abort(c("{what} needs numeric features.",
      x = "{.val {name}} is a factor of {nlevels(x[[name]])} levels without an order.",
      i = "Use an ordered factor, one 0/1 column for each level, or leave it out."))
  }
  if (scale == "none") check_squarable(numbers$x)
  numbers$x
}

# Numbers for methods that square them, divided by their standard deviations if asked. Varying features can be squared
# then.
divided_numbers <- function(x, scale, weights = NULL) {
  if (scale == "none") {
    check_squarable(x)
    return(x)
  }
  scale_columns(x, cpp_column_scale(x, if (any(weights != weights[1L])) weights))
}

# For methods that square numbers as they are: the largest must be of this size, or 0.
check_squarable <- function(x) {
  limits <- abs(cpp_column_limits(with_values(x)))
  sizes <- pmax(limits[1L, ], limits[2L, ])
  largest <- max(0, sizes)
  if (largest == 0 || (largest <= 1e150 && largest >= 1e-150)) return(invisible())
  size <- if (largest > 1) "large" else "small"
  name <- colnames(x)[which.max(sizes)]
  abort(c("Features are too {size} to be squared.",
    x = paste0("The largest value is of size {signif(largest, 3)}", if (!is.null(name)) ", of {.val {name}}", "."),
    i = "Use {.code scale = \"zscore\"}."))
}

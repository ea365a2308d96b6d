#' The label-space graph: how similar label sets are
#'
#' Computes the similarity of the label sets of rows, a weighted Jaccard index:
#' \deqn{s(i, j) = \frac{\sum_q n_q [\text{both rows have label } q]}{\sum_q n_q [\text{at least one of them has } q]},
#' }{s(i, j) = (sum of n_q over the labels q that both rows have)
#' / (sum of n_q over the labels q that at least one has),}
#' and 0 if neither row has a label. [sel_spec()] and [sel_gmba()] use this graph. Rows with the same label set have the
#' same similarities, so the graph is stored between distinct label sets, and not between rows.
#'
#' @param task A task with labels; see [mltask()].
#' @param label_weights `"count"`: \eqn{n_q} is the number of rows with label \eqn{q}, so that frequent labels count
#'   more. `"none"`: all labels count the same (plain Jaccard index).
#' @param min_rows (count) Keep the label sets of at least this many rows. Label counts are those of all rows.
#' @param x,object A label graph.
#' @param n (count) Number of label sets shown, the most frequent first.
#' @inheritParams plot.mlselection
#' @param row.names,optional Not used.
#' @param ... Of `plot()`, arguments for `autoplot()`; others give an error. Otherwise not used.
#' @return `label_graph()`: an object of class `mllabelgraph`, a list of
#'   * `sets`: a data frame with a row for each label set, the most frequent first: `set` (its labels; `(none)` for
#'     none), `size` (number of labels) and `rows` (number of rows);
#'   * `group`: for each row of the task, its row of `sets`; `NA` if `min_rows` left the set out;
#'   * `similarity`: the similarities of sets, a sparse symmetric matrix ([Matrix::dsCMatrix-class]). Its diagonal is 1,
#'     or 0 for the set without labels;
#'   * `label_weights`, `task_name`.
#'
#'   `as.matrix()`: the graph between the rows that are in `group`, named by row number, with diagonal 0 and at most
#'   5,000 rows.
#'
#'   `as.data.frame()`: the edges between sets, with columns `from`, `to` and `similarity`, the largest first.
#'
#'   `autoplot()`: a ggplot, a heat map of the similarities with similar sets next to each other. `plot()` draws it and
#'   returns it invisibly.
#'
#'   More than 40 million similarities (0.5 GB) give an error. Raise `min_rows` then.
#' @references `r papers("YanLi2016")`
#' @family selection
#' @examples
#' stats <- help_pages[startsWith(rownames(help_pages), "stats::"), ]
#' graph <- label_graph(stats, min_rows = 2)
#' graph
#' head(as.data.frame(graph), 3)
#' plot(graph)
#' @export
label_graph <- function(task, label_weights = c("count", "none"), min_rows = 1) {
  check_known_task(task)
  check_unweighted_task(task)
  label_weights <- check_choice(label_weights)
  min_rows <- check_count(min_rows)
  if (task_kind(task) != "label") abort(c("A label graph needs targets of kind {.val label}.",
    x = "They are of kind {.val {task_kind(task)}}."))
  label_sets <- cpp_label_groups(task$targets$values)
  kept <- utils::head(order(-label_sets$count), sum(label_sets$count >= min_rows))
  if (length(kept) == 0L) abort(c("{.arg min_rows} must not exceed the rows of the most frequent label set.",
    x = "It is {min_rows}; that set is on {max(label_sets$count)}."))
  labels <- lapply(label_sets$sets[kept], function(set) colnames(task$targets)[set])
  names <- vapply(labels, function(set) if (length(set) > 0L) paste(set, collapse = " + ") else "(none)", "")
  sets <- data.frame(set = names, size = lengths(labels), rows = label_sets$count[kept])
  structure(list(sets = sets, group = match(label_sets$group, kept),
    similarity = label_similarities(task, label_weights, kept), label_weights = label_weights, task_name = task$name
  ), class = "mllabelgraph")
}

label_similarities <- function(task, label_weights, kept) {
  slots <- cpp_label_similarities(task$targets$values, label_weights == "count", kept, most_similarities, 1L)
  if (is.null(slots)) abort(c("The graph would hold more than {format_count(most_similarities)} similarities.",
    x = "There are {format_count(length(kept))} label sets.",
    i = "Keep the frequent ones, for example with {.code min_rows = 2}."))
  methods::new("dsCMatrix", i = slots$i, p = slots$p, x = slots$x, Dim = rep(length(kept), 2L), uplo = "U")
}

most_similarities <- 4e7

#' @rdname label_graph
#' @export
print.mllabelgraph <- function(x, n = 10, ...) {
  n <- check_count(n)
  sets <- x$sets
  pairs <- choose(nrow(sets), 2)
  joined <- (length(x$similarity@x) - sum(sets$size > 0L))
  cat("<mllabelgraph> ", if (!is.null(x$task_name)) paste0(x$task_name, ": "), counted(sum(!is.na(x$group)), "row"),
    ", ", counted(nrow(sets), "label set"),
    ", labels weighed ", if (x$label_weights == "count") "by their rows" else "alike", "\n", sep = "")
  if (pairs > 0) cat("pairs of sets that share a label: ", format_count(joined), " of ", format_count(pairs), " (",
    round(100 * joined / pairs), "%)\n", sep = "")
  similar <- as.vector(x$similarity %*% sets$rows) - (sets$size > 0L)
  cat("rows without a similar row: ", format_count(sum(sets$rows[similar == 0])), "\n", sep = "")
  shown <- utils::head(sets, n)
  long <- nchar(shown$set) > 50L
  shown$set[long] <- paste0(substr(shown$set[long], 1L, 47L), "...")
  print(shown, right = FALSE, row.names = FALSE)
  left <- nrow(sets) - nrow(shown)
  if (left > 0L) cat("# ", format_count(left), " more\n", sep = "")
  invisible(x)
}

#' @rdname label_graph
#' @export
as.matrix.mllabelgraph <- function(x, ...) {
  refuse_dots(..., allowed = "rownames.force")
  rows <- which(!is.na(x$group))
  if (length(rows) > 5000L) abort(c("A matrix of all pairs of rows is made for at most 5,000 rows.",
    x = "The graph has {format_count(length(rows))}.",
    i = "Use {.code $similarity}, which is between label sets, with {.code $group}."))
  group <- x$group[rows]
  result <- as.matrix(x$similarity)[group, group, drop = FALSE]
  diag(result) <- 0
  dimnames(result) <- list(rows, rows)
  result
}

#' @rdname label_graph
#' @export
as.data.frame.mllabelgraph <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots(..., allowed = frame_arguments)
  s <- x$similarity
  from <- s@i + 1L
  to <- rep.int(seq_len(ncol(s)), diff(s@p))
  keep <- which(from != to)
  keep <- keep[order(-s@x[keep], from[keep], to[keep])]
  data.frame(from = x$sets$set[from[keep]], to = x$sets$set[to[keep]], similarity = s@x[keep])
}

#' @rdname label_graph
#' @export
plot.mllabelgraph <- function(x, width = NULL, ...) draw(autoplot.mllabelgraph(x, width = device_width(width), ...))

#' @rdname label_graph
#' @export
autoplot.mllabelgraph <- function(object, n = 20, base_size = 11, width = NULL, ...) {
  room <- picture_room(width, base_size)
  n <- min(check_count(n), nrow(object$sets))
  s <- as.matrix(object$similarity[seq_len(n), seq_len(n), drop = FALSE])
  order <- if (n > 2L) stats::hclust(stats::as.dist(1 - s), "average")$order else seq_len(n)
  sets <- shorten_names(object$sets$set[seq_len(n)], min(40, room$name))
  name <- paste0(sets, " (", object$sets$rows[seq_len(n)], ")")
  position <- order(order)
  tiles <- data.frame(row = -position[row(s)], column = position[col(s)], similarity = as.vector(s))
  ggplot2::ggplot(tiles, ggplot2::aes(.data$column, .data$row, fill = .data$similarity)) +
    ggplot2::geom_tile(color = "white", linewidth = 0.3) +
    ggplot2::scale_y_continuous(breaks = -seq_len(n), labels = name[order], expand = c(0, 0)) +
    ggplot2::scale_x_continuous(breaks = NULL, expand = c(0, 0)) +
    ggplot2::coord_fixed() +
    folded_labs(paste0("Label sets", if (!is.null(object$task_name)) paste(" of", object$task_name)),
      paste0("similarity, sets and their rows; ", if (n < nrow(object$sets)) {
        paste("the", n, "most frequent of", format_count(nrow(object$sets)))
      } else paste("all", n)), room, x = NULL, y = NULL) +
    names_that_fit() + theme_mlsift(room$base_size) + tile_scale(room, limits = c(0, 1)) +
    ggplot2::theme(panel.grid.major = ggplot2::element_blank())
}

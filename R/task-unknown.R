#' Unknown labels
#'
#' A label that is `NA` in a row is unknown there, which is not the same as absent: nobody looked, or the annotators did
#' not agree. [mltask()] takes such labels, and `task[i, ]`, [subset_targets()], splits and benchmarks keep them.
#'
#' @details
#' Each label is used in the rows in which it is known. If these rows are \eqn{O_l}, the relevance of a feature is
#' \deqn{R(f) = \sum_l I_{O_l}(f; l),}{R(f) = sum over l of I_O_l(f; l),}
#' and likewise \eqn{T(f, s) = \sum_l I_{O_l}((f, s); l)}{T(f, s) = sum over l of I_O_l((f, s); l)} for two features.
#' The information between two features uses all rows, and so do [discretizers][disc_equal_width()] that do not look at
#' labels. A label adds nothing if it is known in fewer than two rows, or is constant where it is known.
#'
#' * **Selectors** that add up what they find for single labels take unknown labels:
#'   `r methods_with("selectors", "unknown")`.
#' * **Learners** that treat labels one by one learn each label from the rows in which it is known:
#'   `r methods_with("learners", "unknown")`. [lrn_mlknn()] and [lrn_brknn()] find neighbors among all rows, and count
#'   those in which the label is known. A label that is known in fewer than two of the rows is an error.
#' * The **multi-task lasso**, [sel_mtl()] and [lrn_mtl()], takes for each target the mean loss over the rows in which
#'   it is known.
#' * **Searches** such as [sel_rga()] take unknown labels where their learner does.
#' * **Measures**, also in benchmarks, leave out the cells whose truth is unknown, and rows and labels without any known
#'   cell. [Custom measures][msr_custom()] give an error.
#'
#' [sift()] takes such tasks too; its default learner is then [lrn_nb()]. [label_scores()] and [score_test()] take them
#' with the selectors above. Rows that come [in chunks][chunk_source()] may also have unknown labels.
#'
#' All other methods give an error of class `mlsift_error` for a task with unknown labels, because they need whole label
#' sets or compare all labels. `vignette("weights-and-unknown-labels")` has the details. To treat unknown labels as
#' absent, set them to 0 yourself.
#'
#' Numeric targets may be unknown too. [lrn_linear()] fits each target to the rows in which it is known, [sel_mtl()] and
#' [lrn_mtl()] treat them as labels, [sel_rrelieff()] and [sel_ml_cfs()] score each target on these rows, and measures
#' of numeric targets leave out the cells that are unknown. Other methods for numeric targets give an error that names
#' the method, and so does `target_bins`. Class targets must not be missing.
#'
#' [read_mulan()] and [write_mulan()] use `?` for an unknown label. [split_rows()] stratifies as if unknown labels were
#' absent. `summary(task)$n_unknown` is the number of unknown cells, see [summary()][summary.mltask()].
#' @name unknown_labels
#' @family tasks
#' @references
#' Little, R. J. A., Rubin, D. B. (2019) Statistical Analysis with Missing Data. 3rd edition. Wiley. \cr
#' Using for each statistic the rows in which it is known (available-case analysis) assumes that labels are missing
#' completely at random.
#' @examples
#' y <- cbind(calm = c(1, 0, NA, 1, 0, 0), loud = c(0, NA, 1, 0, 1, 0))
#' task <- mltask(cbind(tempo = c(0, 1, 1, 0, 1, 0), mode = c(1, 1, 0, 0, 1, 0)), y)
#' task
#' sift_features(task, sel_mim())
#' targets(task)
NULL

# The missing cells of targets as an ngCMatrix, or NULL if there are none.
unknown_pattern <- function(y) {
  if (is_sparse(y)) {
    at <- if (!is_pattern(y)) which(is.na(y@x))
    return(if (length(at) > 0L) pattern_of(y@i[at] + 1L, unknown_cells(y)[at, 2L], dim(y)))
  }
  rows <- lapply(seq_len(ncol(y)), \(j) which(is.na(dense_column(y, j))))
  if (any(lengths(rows) > 0L)) pattern_of(unlist(rows), rep.int(seq_along(rows), lengths(rows)), dim(y))
}

pattern_of <- function(rows, columns, dim) Matrix::sparseMatrix(rows, columns, dims = dim)

# The values with 0 in the unknown cells, and without stored zeros.
clear_unknown <- function(values, unknown) {
  if (is_sparse(values)) {
    if (!is.null(unknown) && !is_pattern(values)) values@x[is.na(values@x)] <- 0
    return(if (cpp_has_explicit_zero(values)) Matrix::drop0(values) else values)
  }
  if (!is.null(unknown)) values[unknown_cells(unknown)] <- 0L
  values
}

# The rows and columns of the cells, as a matrix of two columns.
unknown_cells <- function(unknown) {
  cbind(unknown@i + 1L, rep.int(seq_len(ncol(unknown)), diff(unknown@p)), deparse.level = 0)
}

# The labels with NA where they are unknown.
with_unknown <- function(y, unknown) {
  if (is.null(unknown)) return(y)
  cells <- unknown_cells(unknown)
  if (!is_sparse(y)) {
    y[cells] <- NA
    return(y)
  }
  ones <- unknown_cells(y)
  Matrix::sparseMatrix(c(ones[, 1L], cells[, 1L]), c(ones[, 2L], cells[, 2L]),
    x = rep(c(1, NA), c(nrow(ones), nrow(cells))), dims = dim(y), dimnames = dimnames(y))
}

# Unknown cells in some rows or columns; NULL if none are left.
keep_unknown <- function(unknown, rows = NULL, columns = NULL) {
  if (is.null(unknown)) return(NULL)
  if (!is.null(rows)) unknown <- unknown[rows, , drop = FALSE]
  if (!is.null(columns)) unknown <- unknown[, columns, drop = FALSE]
  if (length(unknown@i) > 0L) unknown
}

n_unknown <- function(task) if (is.null(task$targets$unknown)) 0L else length(task$targets$unknown@i)

# The rows in which each label is unknown.
unknown_rows <- function(unknown) lapply(seq_len(ncol(unknown)), function(l) unknown@i[stored_cells(unknown, l)] + 1L)

# The labels that are known in the same rows: list(labels, rows) for each pattern of unknown rows.
known_parts <- function(task) {
  lapply(hidden_parts(task$targets$unknown, ncol(task$targets)), function(part) {
    list(labels = part$columns, rows = setdiff(seq_len(nrow(task$x)), part$rows))
  })
}

# score(part) of each part of a task with at least two rows: labels that are known in the same rows, with these rows.
each_known <- function(task, score) {
  if (is.null(task$targets$unknown)) return(list(score(task)))
  parts <- Filter(function(part) length(part$rows) > 1L, known_parts(task))
  lapply(parts, function(part) score(subset_targets(task, part$labels)[part$rows, ]))
}

# Scores of features that are sums over labels, from those of each part.
known_sum <- function(task, score) Reduce(`+`, each_known(task, score), double(ncol(task$x)))

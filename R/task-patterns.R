# Sparse matrices with values (dgCMatrix), and without: patterns (ngCMatrix), whose stored cells are ones. A pattern
# takes a third of the memory. Methods that count read it directly; for others with_values() adds the values.

is_sparse <- function(x) isS4(x) && (methods::is(x, "dgCMatrix") || methods::is(x, "ngCMatrix"))

# Sparse without values: the stored cells are ones.
is_pattern <- function(x) isS4(x) && methods::is(x, "ngCMatrix")

# The positions of the stored cells of column f.
stored_cells <- function(x, f) seq.int(x@p[f] + 1L, length.out = x@p[f + 1L] - x@p[f])

# A matrix of n rows from cells as the core gives them: a pattern if they have no values.
rows_matrix <- function(n, names, cells) valid_sparse(cells$i, cells$p, cells$x, c(as.integer(n), length(names)),
  list(NULL, names))

# A sparse matrix of parts that are valid: that methods::new() checks them takes most of the time of small ones.
valid_sparse <- function(i, p, x, dim, names) {
  matrix <- methods::new(if (is.null(x)) "ngCMatrix" else "dgCMatrix")
  matrix@i <- i
  matrix@p <- p
  if (!is.null(x)) matrix@x <- x
  matrix@Dim <- dim
  matrix@Dimnames <- names
  matrix
}

# Converts any matrix of numbers, dense or of the package Matrix, to a dgCMatrix.
as_sparse_numbers <- function(x) {
  if (is.matrix(x)) x <- x + 0
  methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
}

# A sparse matrix with values, for code that calculates with them. The result shares the row indices of a pattern and
# adds 8 bytes for each.
with_values <- function(x) {
  if (!is_pattern(x)) return(x)
  valid_sparse(x@i, x@p, rep(1, length(x@i)), x@Dim, x@Dimnames)
}

# Sparse matrices with values (dgCMatrix), and without: patterns (ngCMatrix), whose stored cells are ones. A pattern
# takes a third of the memory. Methods that count read it as it is; for others with_values() makes the values.

is_sparse <- function(x) isS4(x) && (methods::is(x, "dgCMatrix") || methods::is(x, "ngCMatrix"))

# Sparse without values: the stored cells are ones.
is_pattern <- function(x) isS4(x) && methods::is(x, "ngCMatrix")

# A dgCMatrix of numbers in any matrix, dense or of the package Matrix.
as_sparse_numbers <- function(x) {
  if (is.matrix(x)) x <- x + 0
  methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
}

# A sparse matrix with values, for code that calculates with them. A pattern shares its rows with the result and gets 8
# bytes for each one.
with_values <- function(x) {
  if (!is_pattern(x)) return(x)
  methods::new("dgCMatrix", i = x@i, p = x@p, x = rep(1, length(x@i)), Dim = x@Dim, Dimnames = x@Dimnames)
}

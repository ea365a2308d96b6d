#' @keywords internal
#' @useDynLib mlsift, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom methods as is new
#' @importFrom Matrix Matrix t
"_PACKAGE"

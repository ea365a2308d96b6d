# Fingerprints identify tasks, methods and measures in benchmark folders and when a selection is extended.

# Equal for equal data and parameters, in any session and for any in-memory form. Functions are compared only by their
# code.
fingerprint <- function(x) {
  # The first 14 bytes hold the version of R. Version 2 of the format writes all vectors in full.
  bytes <- serialize(plain_data(x), NULL, version = 2L)
  from <- rawConnection(bytes)
  on.exit(close(from))
  readBin(from, "raw", 14L)
  rlang::hash(readBin(from, "raw", length(bytes) - 14L))
}

plain_data <- function(x) UseMethod("plain_data")

#' @exportS3Method
plain_data.default <- function(x) {
  if (is.primitive(x)) return(deparse(x))
  if (is.function(x)) return(c("function", deparse(args(x), control = plain_code),
    deparse(body(x), control = plain_code)))
  if (is.environment(x) || isS4(x)) return(class(x))
  if (is.language(x)) return(deparse(x, control = plain_code))
  marks <- list(names = names(x), class = if (is.object(x)) class(x), dim = dim(x), columns = colnames(x),
    levels = levels(x))
  value <- if (is.list(x)) lapply(unname(as.list(unclass(x))), plain_data) else as.vector(unclass(x))
  if (is.character(value)) value <- enc2utf8(value)
  list(value, lapply(marks, function(m) if (is.character(m)) enc2utf8(m) else m))
}

plain_code <- c("keepNA", "keepInteger", "niceNames", "showAttributes", "digits17")

#' @exportS3Method
plain_data.dgCMatrix <- function(x) list(x@i, x@p, x@x, x@Dim, enc2utf8(colnames(x)))

#' @exportS3Method
plain_data.ngCMatrix <- function(x) list(x@i, x@p, "ones", x@Dim, enc2utf8(colnames(x)))

#' @exportS3Method
plain_data.mltask <- function(x) {
  targets <- plain_data(x$targets)
  c(list(x = plain_data(x$x)), targets[c("y", "kind")], list(discrete = plain_data(x$discrete)), plain_data(x$rows),
    targets["unknown"][!is.null(targets$unknown)])
}

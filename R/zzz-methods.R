# This file is read last. Methods of our classes refuse arguments that they do not know, instead of ignoring them: those
# whose `...` has no other use begin with refuse_dots().

local(for (name in grep("^[^[$<]+[.](ml[a-z]+|Task[A-Z][a-z]+)$", ls(topenv()), value = TRUE)) {
  method <- get(name)
  if (!"..." %in% names(formals(method))[-1L] || "..." %in% all.names(body(method))) next
  body(method) <- call("{", quote(refuse_dots(...)), body(method))
  assign(name, method, topenv())
})

# The error of the function `name` without an argument that it needs.
abort_missing <- function(arg, name) {
  switch(arg, task = check_mltask(arg = arg), selector = check_selector(arg = arg), learner = check_learner(arg = arg),
    resampling = check_resampling(arg = arg), test_share = check_test_share())
  abort(c("{.arg {arg}} must be given.", i = "{.code ?{name}} says what it is."))
}

# Functions that users call begin with a check for each argument without a default, unless they ask for it themselves.
# Those of measures have checks, and are known by what they are.
local({
  info <- or_else(loadingNamespaceInfo(), NULL)
  exports <- if (!is.null(info)) parseNamespaceFile(info$pkgname, info$libname)$exports
  for (name in c("msr_custom", grep("^msr_", exports, value = TRUE, invert = TRUE))) {
    fun <- get0(name, topenv(), mode = "function", inherits = FALSE)
    # Functions of other packages are exported again.
    if (is.null(fun)) next
    needed <- setdiff(names(Filter(\(default) identical(default, quote(expr = )), formals(fun))), "...")
    asked <- paste(deparse(body(fun)), collapse = " ")
    needed <- Filter(\(arg) !grepl(paste0("missing(", arg, ")"), asked, fixed = TRUE), needed)
    if (length(needed) == 0L) next
    checks <- lapply(needed, \(arg) bquote(if (missing(.(as.name(arg)))) abort_missing(.(arg), .(name))))
    body(fun) <- as.call(c(quote(`{`), checks, body(fun)))
    assign(name, fun, topenv())
  }
})

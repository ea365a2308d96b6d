# The code of a benchmark, for reports: the call that recreates the same selectors, learners and splits.

benchmark_code <- function(plan) {
  grid <- do.call(rbind, unname(plan$grids))
  by <- if (all(is.na(grid$prop))) "k" else "prop"
  arguments <- list(
    tasks = code_list(names(plan$tasks), rlang::syms(names(plan$tasks))),
    selectors = code_list(names(plan$selectors), plan$selectors),
    learners = code_list(names(plan$learners), plan$learners),
    resampling = named_code(if (plan$one_resampling) spec_code(plan$resampling[[1L]]) else
      code_list(names(plan$resampling), plan$resampling), "resampling")
  )
  arguments[[by]] <- value_code(sort(unique(grid[[by]])))
  arguments$measures <- code_list(names(plan$measures), plan$measures)
  arguments$discretizer <- given_code(plan$discretizer, "discretizer") %||% "NULL"
  for (name in c("learner_discretizer", "impute", "target_bins")) arguments[[name]] <- given_code(plan[[name]], name)
  paste("bench <-", call_code("benchmark_selectors", arguments))
}

# A call with an argument on each line. `arguments`: their code, NULL for those that are not given.
call_code <- function(name, arguments) {
  arguments <- Filter(Negate(is.null), arguments)
  equals <- ifelse(nzchar(names(arguments)), paste0(names(arguments), " = "), "")
  paste0(name, "(\n", paste0("  ", equals, unlist(arguments), collapse = ",\n"), "\n)")
}

# `code`, or the name of an object that the user has where a line would be long, as with vectors of hundreds of numbers.
named_code <- function(code, object) if (any(nchar(strsplit(code, "\n", fixed = TRUE)[[1L]]) > 250L)) object else code

# The code of what is given, or `object` for what no call makes: fitted to rows, or of a class from outside.
given_code <- function(x, object) {
  if (is.null(x)) return(NULL)
  if (is.numeric(x)) return(named_code(value_code(x), object))
  if (inherits(x, c(spec_classes, "mlbytask")) && !holds_fitted(x)) named_code(spec_code(x), object) else object
}

holds_fitted <- function(x) {
  if (inherits(x, "mlbytask")) any(vapply(c(x$parts, list(x$otherwise)), holds_fitted, NA))
  else inherits(x, c("mldiscretizer_fitted", "mlimputer_fitted"))
}

# list(a = ..., ...), without names for objects that have that name anyway. Long lists have one element per line.
code_list <- function(names, objects) {
  code <- vapply(objects, spec_code, "")
  # Measures without settings.
  if (identical(unname(code), paste0("\"", names, "\""))) return(value_code(names))
  shown <- vapply(objects, \(object) if (is.list(object)) object$name %||% "" else "", "")
  code <- ifelse(shown == names, code, paste0(name_code(names), " = ", code))
  if (sum(nchar(code)) <= 90) paste0("list(", paste(code, collapse = ", "), ")")
  else paste0("list(\n    ", paste(gsub("\n", "\n    ", code), collapse = ",\n    "), "\n  )")
}

# A call of the constructor with the arguments that differ from their defaults.
spec_code <- function(spec) {
  if (is.null(spec)) return("NULL")
  if (is.symbol(spec)) return(name_code(as.character(spec)))
  if (inherits(spec, "mlbytask")) return(by_task_code(spec))
  if (inherits(spec, "mlmeasure") && is.null(spec$fun)) return(measure_code(spec))
  constructor <- spec_constructor(spec)
  if (is.null(constructor)) return(paste0("<", class(spec)[1L], ">"))
  defaults <- formals(constructor)
  # The `...` of searches, and of the settings of an answer.
  if ("..." %in% names(defaults)) {
    rest <- if (inherits(spec, "mlanswer")) "choice_control" else "search_control"
    defaults <- c(defaults, formals(get0(rest, topenv())))
  }
  params <- spec$params %||% unclass(spec)
  params <- params[intersect(names(params), names(defaults))]
  if ("name" %in% names(defaults)) params <- c(list(name = spec$name %||% spec$method), params[names(params) != "name"])
  differs <- !vapply(names(params), \(name) is_default(params[[name]], defaults[[name]]), NA)
  # Users write NULL where a resampling is to ignore groups.
  if (isFALSE(params$group)) params["group"] <- list(NULL)
  arguments <- vapply(params[differs], value_code, "")
  paste0(attr(constructor, "name"), "(",
    paste0(name_code(names(arguments)), rep(" = ", length(arguments)), arguments, collapse = ", "), ")")
}

measure_code <- function(x) {
  if (length(x$settings) == 0L) return(value_code(x$method))
  settings <- paste0(", ", names(x$settings), " = ", vapply(x$settings, value_code, ""), collapse = "")
  paste0("measure(", value_code(x$method), settings, ")")
}

by_task_code <- function(x) {
  all <- c(x$parts, if (!is.null(x$otherwise)) list(otherwise = x$otherwise))
  paste0("by_task(", paste0(name_code(names(all)), " = ", vapply(all, spec_code, ""), collapse = ", "), ")")
}

# Objects that consist of a name and parameters. These may contain such objects, alone or in lists.
spec_classes <- c("mlselector", "mllearner", "mldiscretizer", "mlresampling", "mlimputer", "mlmeasure", "mlsettings")

# Arguments that several functions share, or that belong together, as one object. For `class` see spec_constructor().
new_settings <- function(class, settings) structure(settings, class = c(class, "mlsettings"))

#' @export
format.mlsettings <- function(x, ...) {
  refuse_dots(..., allowed = names(formals(format.default)))
  spec_code(x)
}

#' @export
print.mlsettings <- function(x, ...) {
  cat("<mlsettings> ", format(x), "\n", sep = "")
  invisible(x)
}

# The function that makes objects like `spec`, with its name as an attribute; NULL if there is none.
spec_constructor <- function(spec) {
  name <- switch(class(spec)[1L],
    mlselector = registered("selectors", spec$method)$constructor[1L],
    mllearner = registered("learners", spec$method)$constructor[1L],
    mldiscretizer_fitted = ,
    mldiscretizer = registered("discretizers", spec$method)$constructor, mlresampling = paste0("rs_", spec$method),
    mlimputer = "impute_mean", mlmeasure = "msr_custom", mlstop = "stop_permutation", mlcontrol = "search_control",
    mlchoice = "choice_control", mlanswer = "answer_control", mlrare = "rare_sets"
  )
  if (is.null(name)) return(NULL)
  name <- sub("\\(.*", "", name[1L])
  found <- get0(name, topenv(), mode = "function")
  if (!is.null(found)) structure(found, name = name)
}

is_default <- function(value, default) {
  if (identical(default, quote(expr = ))) return(FALSE)
  default <- or_else(eval(default, topenv()), NULL)
  if (is.character(default)) default <- default[1L]
  isTRUE(all.equal(value, default, tolerance = 0))
}

value_code <- function(x) {
  if (is.function(x)) return(paste(as.character(attr(x, "srcref") %||% deparse(x)), collapse = "\n"))
  if (inherits(x, spec_classes)) return(spec_code(x))
  if (is.object(x) || !is.list(x) && !is_atomic(x) || length(x) == 0L) return(deparse_code(x))
  if (is.matrix(x)) return(matrix_code(x))
  items <- if (is.numeric(x)) number_text(as.vector(x))
  else vapply(unname(x), if (is.list(x)) value_code else deparse_code, "")
  if (is.null(names(x))) {
    run <- is.numeric(x) && length(x) > 2L && isTRUE(all(diff(x) == 1 & x[-1L] == round(x[-1L])))
    if (run) return(paste0(items[1L], ":", items[length(x)]))
    if (length(x) == 1L && !is.list(x)) return(items)
  } else {
    items <- paste0(ifelse(nzchar(names(x)), paste0(name_code(names(x)), " = "), ""), items)
  }
  paste0(if (is.list(x)) "list(" else "c(", paste(items, collapse = ", "), ")")
}

deparse_code <- function(x) paste(deparse(x, width.cutoff = 500L), collapse = " ")

matrix_code <- function(x) {
  names <- if (!is.null(dimnames(x))) paste0(", dimnames = ", value_code(dimnames(x)))
  paste0("matrix(", value_code(as.vector(x)), ", ", nrow(x), names, ")")
}

# R does not read \u between backquotes, but takes text for a name.
name_code <- function(names) {
  quoted <- encodeString(names, quote = "`")
  escaped <- grepl("\\u", quoted, fixed = TRUE) | grepl("\\U", quoted, fixed = TRUE)
  quoted[escaped] <- encodeString(names[escaped], quote = "\"")
  ifelse(make.names(names) == names, names, quoted)
}

# Returns list(value) or list(message). Interrupts and time-limit errors are not caught.
attempt <- function(code) {
  found <- catch_error(list(value = code), function(e) list(message = failure_message(e)))
  if (length(found) == 0L || is.null(found[[1L]])) list(message = "The result is NULL.") else found
}

failure_message <- function(e) {
  text <- if (inherits(e, "rlang_error")) rlang::cnd_message(e) else conditionMessage(e)
  paste(trimws(strsplit(cli::ansi_strip(text), "\n", fixed = TRUE)[[1L]]), collapse = " ")
}

#' The selected features
#'
#' @param selection A selection from [sift_features()], or what [tune_selection()] or [sift()] gave.
#' @param task The task that the features were selected from. An answer of [sift()] has its own task, so for
#'   `subset_features()` it is enough.
#' @param k (count) Number of features, best first; `NULL` for all.
#' @return `selected()`: the names of the features, best first. `subset_features()`: the task with these features, in
#'   this order.
#' @family selection
#' @examples
#' sel <- sift_features(help_pages, sel_mim(), k = 5)
#' selected(sel, 3)
#' subset_features(help_pages, sel, 3)
#' @export
selected <- function(selection, k = NULL) {
  selection <- as_selection(selection)
  k <- check_count(k, null = TRUE)
  utils::head(selection$feature, k %||% nrow(selection))
}

#' @rdname selected
#' @export
subset_features <- function(task, selection, k = NULL) {
  if (inherits(task, "mlsift") && missing(selection)) {
    selection <- task
    task <- task$task
  }
  check_mltask(task)
  task[, selected(selection, k)]
}

# The selection, for results that contain one.
as_selection <- function(x) {
  if (inherits(x, c("mltuning", "mlsift"))) x$selection else check_selection(x)
}

check_selection <- function(selection) {
  how <- "Make one with {.fn sift_features}."
  if (is.character(selection)) how <- c(how, "Features go by name in {.code task[, names]}.")
  check_class(selection, "mlselection", how, arg = "selection")
}

#' @export
print.mlselection <- function(x, n = 10L, digits = 4, ...) {
  digits <- check_count(digits, max = 15)
  selector <- attr(x, "selector")
  cat("<mlselection> ", selector$name, ": ", format_count(nrow(x)), " of ", format_count(attr(x, "n_features")),
    " features",
    if (!is.null(attr(x, "task_name"))) paste0(" of ", attr(x, "task_name")), "\n", sep = "")
  discretizer <- attr(x, "discretizer")
  if (!is.null(discretizer)) {
    whose <- if (is.null(attr(x, "search"))) "features" else "for the filter, features"
    cat(whose, " discretized by ", spec_code(discretizer), "\n", sep = "")
  }
  if (!is.null(attr(x, "note"))) cat(attr(x, "note"), "\n", sep = "")
  search <- attr(x, "search")
  if (!is.null(search)) {
    cat(search$measure, " ", format(search$front$value[1L], digits = digits), " on the inner test rows, the lowest of ",
      counted(nrow(search$history), "evaluation"), "\n", sep = "")
  }
  shown <- selection_table(x, n, digits)
  print(shown, row.names = FALSE)
  if (nrow(x) > nrow(shown)) cat(
    "# ", format_count(nrow(x) - nrow(shown)), " more; print(x, n = ", nrow(x), ") shows all\n", sep = ""
  )
  invisible(x)
}

# The first n features, with rank and score if available.
selection_table <- function(x, n, digits = 4) {
  shown <- as.data.frame(utils::head(x, n))[c("rank", "feature", "score")]
  if (all(is.na(shown$rank))) shown$rank <- NULL
  if (all(is.na(shown$score))) shown$score <- NULL else shown$score <- format(shown$score, digits = digits)
  shown
}

#' @export
as.data.frame.mlselection <- function(x, ...) {
  refuse_dots(..., allowed = frame_arguments)
  plain_selection(x)
}

#' @export
head.mlselection <- function(x, n = 6L, ...) {
  n <- check_count(n)
  cut <- utils::head(as.data.frame(x), n)
  kept <- attributes(x)[c("selector", "discretizer", "n_features", "task_name", "seconds", "note")]
  attributes(cut) <- c(attributes(cut)[c("names", "row.names")], list(class = class(x)), kept)
  cut
}

# Any other part of a selection is a plain data frame, since it may no longer be a ranking.
#' @export
`[.mlselection` <- function(x, ...) as.data.frame(x)[...]

#' @export
`[<-.mlselection` <- function(x, ..., value) plain_selection(NextMethod())

#' @export
`[[<-.mlselection` <- function(x, ..., value) plain_selection(NextMethod())

#' @export
`$<-.mlselection` <- function(x, name, value) plain_selection(NextMethod())

#' @export
`names<-.mlselection` <- function(x, value) plain_selection(NextMethod())

# How the verbs of dplyr treat a selection.
#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.mlselection <- function(data, template) plain_selection(data)

plain_selection <- function(x) {
  attributes(x) <- c(attributes(x)[c("names", "row.names")], list(class = "data.frame"))
  x
}

#' @export
rbind.mlselection <- function(..., deparse.level = 1) do.call(rbind, lapply(list(...), as.data.frame))

#' @export
tidy.mlselection <- function(x, ...) result_frame(data.frame(term = x$feature, rank = x$rank, estimate = x$score))

#' @export
glance.mlselection <- function(x, ...) result_frame(data.frame(
  selector = attr(x, "selector")$name, n_selected = nrow(x), n_features = attr(x, "n_features"),
  seconds = attr(x, "seconds")
))

# The record of a search that is stored in its selection.
new_search_record <- function(search, names) {
  front <- search$front
  front$features <- lapply(front$sets, function(set) names[set])
  front$sets <- NULL
  search$front <- front
  search
}

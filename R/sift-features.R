#' Select features
#'
#' Runs a selector on a task and gives the ranked features.
#'
#' @param task A task of two rows or more: see [mltask()].
#' @param selector What to select by: [sel_mim()], [sel_ebls()], ...; see [list_selectors()].
#' @param k How many features to keep; `NULL` ranks all of them. More than there are: all, with a warning.
#' @param discretizer How continuous features are cut for selectors that count; it is fitted on the rows of the task.
#'   `NULL` for not at all, and then such selectors refuse continuous features. Other selectors see the features as they
#'   are.
#' @param threads Number of threads; `NULL` takes `getOption("mlsift.threads")`, else what the size of the work is worth.
#'   The result never depends on it.
#'
#' @return An object of class `mlselection`: a data frame with a row for each selected feature, best first, and columns
#'   `rank`, `feature` (name), `index` (column of the task) and `score` (larger is better; equal scores in column order).
#'   `head(sel, n)` is the selection cut at `n`; other subsets are plain data frames. A selector that keeps a set rather
#'   than an order, such as [sel_none()], gives its features in column order with `rank` and `score` missing.
#'
#'   Errors are of class `mlsift_error`: fewer than two rows, missing values in features that the selector uses, a kind of
#'   target that it cannot use, continuous features without a discretizer, an impossible `k`.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 10, n_targets = 3)
#' sel <- sift_features(task, sel_mim(), k = 4)
#' sel
#' selected(sel, 2)
#' subset_features(task, sel, 2)
#' @export
sift_features <- function(task, selector, k = NULL, discretizer = disc_equal_width(5), threads = NULL) {
  call <- rlang::current_env()
  check_task(task)
  check_class(selector, "mlselector", "Make one with a constructor such as {.code sel_mim()}; see {.fn list_selectors}.")
  k <- check_count(k, null = TRUE)
  if (!is.null(discretizer)) check_discretizer(discretizer, call)
  threads <- resolve_threads(threads, call = call)
  if (nrow(task$x) < 2L) abort(c("Selecting features needs at least two rows.", x = "The task has {nrow(task$x)}."), call = call)
  d <- ncol(task$x)
  if (!is.null(k) && k > d) {
    warn(c("{.arg k} is larger than the number of features; all {d} are selected.", x = "{.arg k} is {k}."), call = call)
    k <- d
  }
  method <- registered("selectors", selector$method)
  check_target_kind(task, selector, method, call)

  started <- proc.time()[["elapsed"]]
  input <- list(task = task, k = k %||% d, threads = threads, call = call)
  if (method$needs == "codes") input <- c(input, code_features(task, selector, discretizer, threads, call))
  if (method$needs == "numbers") check_no_missing(task, "Impute it first, or leave the feature or the row out.", call)
  ranking <- method$run(input, selector$params)
  seconds <- proc.time()[["elapsed"]] - started
  keep <- utils::head(ranking$index, if (ranking$ordered) k %||% d else d)
  new_mlselection(
    feature = colnames(task$x)[keep], index = keep, score = ranking$score[seq_along(keep)], ordered = ranking$ordered,
    selector = selector, discretizer = if (method$needs == "codes") discretizer, n_features = d, task_name = task$name, seconds = seconds
  )
}

check_target_kind <- function(task, selector, method, call) {
  kind <- task_kind(task)
  if (kind %in% method$kinds) return(invisible())
  advice <- if (kind == "numeric") "Cut the targets into labels yourself, for example with {.code targets > median}, and make the task of those."
    else "Make one 0/1 column for each category and use {.code kind = \"label\"}."
  abort(c("{selector$name} needs targets of kind {.or {.val {method$kinds}}}.", x = "The targets are of kind {.val {kind}}.", i = advice), call = call)
}

# What selectors that count see: list(cuts, right), the cuts of continuous features.
code_features <- function(task, selector, discretizer, threads, call) {
  continuous <- which(!task$discrete)
  if (length(continuous) > 0L && is.null(discretizer)) {
    abort(c("{selector$name} counts and needs discrete features.", x = "Feature {.val {colnames(task$x)[continuous[1]]}} is continuous.",
            i = "Give a {.arg discretizer}, such as {.code disc_equal_width(5)}."), call = call)
  }
  if (is.null(discretizer) || discretizer$params$na == "error") {
    check_no_missing(task, "Use a discretizer with {.code na = \"level\"}, or impute first.", call)
  }
  list(
    cuts = if (length(continuous) > 0L) fit_cuts(discretizer, task, threads), right = !is.null(discretizer) && closed_right(discretizer), discretizer = discretizer
  )
}

# A ranking from scores: larger first, equal ones by `second` if given, then in column order.
rank_scores <- function(score, second = numeric(length(score))) {
  index <- order(-score, -second, method = "radix")
  list(index = index, score = score[index], ordered = TRUE)
}

new_selector <- function(name, method, params = list()) {
  structure(list(name = name, method = method, params = params), class = "mlselector")
}

#' @export
print.mlselector <- function(x, ...) {
  shown <- vapply(x$params[!vapply(x$params, is.function, NA)], function(p) paste(format(p), collapse = " "), "")
  cat("<mlselector> ", x$name, if (length(shown)) paste0(" (", paste(names(shown), shown, sep = " = ", collapse = ", "), ")"), "\n", sep = "")
  invisible(x)
}

registry_table <- function(table, columns) {
  rows <- lapply(registry[[table]], function(entry) {
    as.data.frame(lapply(entry[columns], function(value) if (is.logical(value)) value else paste(value, collapse = ", ")))
  })
  result <- do.call(rbind, rows)
  rownames(result) <- NULL
  result
}

#' What mlsift offers
#'
#' Tables of the selectors, learners, measures and discretizers.
#'
#' @return A data frame with a row for each. `list_selectors()`: `constructor`, `name` (how results show it), `kinds` (of
#'   targets), `needs` (`"codes"`: discrete features; `"numbers"`; or `"nothing"`), `greedy`, `source`.
#' @family lists
#' @examples
#' list_selectors()
#' list_discretizers()
#' @export
list_selectors <- function() registry_table("selectors", c("constructor", "name", "kinds", "needs", "greedy", "source"))
